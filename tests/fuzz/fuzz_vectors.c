/* Files of vectors of every kind, as `warpbeam vectors` takes them. */
#include "tests/fuzz/fuzz_cli.h"
#include "tests/fuzz/fuzz_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const words[] = { "vectors", "-q", "--max-cycles", "5000", "--max-insns", "5000",
					     "--max-memory", "256M", INPUT_FILE, NULL };

	fuzz_verb(words, fuzz_file(bytes, size));
	return 0;
}
