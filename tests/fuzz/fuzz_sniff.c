/* By content, and as a file that something may be embedded in, whatever it looks like. */
#include "tests/fuzz/fuzz_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	fuzz_image(bytes, size, NULL);
	fuzz_image(bytes, size, "embedded");
	return 0;
}
