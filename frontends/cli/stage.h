/* What the threads of graphics programs gave, as --out writes it. */
#ifndef WB_FRONTENDS_CLI_STAGE_H
#define WB_FRONTENDS_CLI_STAGE_H

#include "frontends/cli/cli.h"

/* By the ending of the path: .raw the words in memory order (pixels without a result are 0), .png colour 0 of
 * fragments, else JSON. A launch without a scene: vertices_write. */
enum wb_status stage_write(struct wb_launch *l, const char *path);
/* Colour 0 of the fragments of a rectangle (wb_launch_rect): four bytes a pixel, red, green, blue, alpha; pixels
 * without a result are 0. The caller frees the bytes. */
uint8_t *stage_pixels(const struct wb_launch *l, const uint32_t rect[4]);
/* Refuse a path with another ending, before the run. */
enum wb_status stage_ending(const char *path);
/* Refuse a picture of a prepared launch without fragments. */
enum wb_status stage_fits(const struct wb_launch *l, const char *path);

#endif
