/* Pictures of a build without libpng (the module of a page), which gets them decoded: width and height, 32 bits each,
 * then four bytes a pixel. */
#include "device/inputs/scene_picture.h"

#include <string.h>

enum { HEAD = 8 };

bool picture_read(const struct scene *s, const struct scene_at *at, const json_t *name, const uint8_t *bytes, size_t n,
		  uint32_t width, uint32_t height, uint8_t *to)
{
	uint32_t size[2] = { 0 };

	if (n >= HEAD)
		memcpy(size, bytes, HEAD);
	if (n < HEAD || (n - HEAD) / 4 != (uint64_t)size[0] * size[1])
		return scene_refuse(s, at, name, "a decoded picture");
	if (size[0] != width || size[1] != height)
		return scene_refuse(s, at, name, "%u by %u pixels; it has %u by %u", width, height, size[0], size[1]);
	memcpy(to, bytes + HEAD, n - HEAD);
	return true;
}
