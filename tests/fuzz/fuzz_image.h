/* Shared by the loaders' fuzz targets: load an input, then read everything that the image claims to hold. */
#ifndef WB_TESTS_FUZZ_FUZZ_IMAGE_H
#define WB_TESTS_FUZZ_FUZZ_IMAGE_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Load as the named format (NULL: by content). Aborts when the image or the diagnostic breaks a promise. */
void fuzz_image(const uint8_t *bytes, size_t size, const char *format);

#endif
