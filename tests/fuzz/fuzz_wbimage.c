/* Images of compiled programs, whatever the bytes: an image or a diagnostic. */
#include "tests/fuzz/fuzz_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	fuzz_image(bytes, size, "image");
	return 0;
}
