/* Pictures by libpng. */
#include "device/inputs/scene_picture.h"

#include <png.h>

bool picture_read(const struct scene *s, const struct scene_at *at, const json_t *name, const uint8_t *bytes, size_t n,
		  uint32_t width, uint32_t height, uint8_t *to)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	bool ok;

	if (!png_image_begin_read_from_memory(&image, bytes, n)) {
		ok = scene_refuse(s, at, name, "a PNG file: %s", image.message);
	} else if (image.width != width || image.height != height) {
		ok = scene_refuse(s, at, name, "%u by %u pixels; it has %u by %u", width, height, image.width,
				  image.height);
	} else {
		image.format = PNG_FORMAT_RGBA;
		ok = png_image_finish_read(&image, NULL, to, (png_int_32)(4 * width), NULL) ||
		     scene_refuse(s, at, name, "a PNG file: %s", image.message);
	}
	png_image_free(&image);
	return ok;
}
