/* Images of compiled programs as files: what a lab page carries in place of a file that its module cannot read. */
#ifndef WB_CORE_LOAD_IMAGE_FILE_H
#define WB_CORE_LOAD_IMAGE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct image;

bool image_file_matches(const uint8_t *bytes, size_t size);
/* The image as a file of *size bytes, from malloc. NULL with a diagnostic: a shader, several images, no memory. */
uint8_t *image_file_write(const struct image *im, size_t *size, struct diag *d);

#endif
