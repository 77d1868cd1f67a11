/* Pictures as texels of a scene. */
#ifndef WB_DEVICE_INPUTS_SCENE_PICTURE_H
#define WB_DEVICE_INPUTS_SCENE_PICTURE_H

#include "device/inputs/scene.h"

/* Read the n bytes of a PNG file of width by height pixels, four bytes a pixel, rows top down. False with the
 * diagnostic of the scene's member `name` at `at`. */
bool picture_read(const struct scene *s, const struct scene_at *at, const json_t *name, const uint8_t *bytes, size_t n,
		  uint32_t width, uint32_t height, uint8_t *to);

#endif
