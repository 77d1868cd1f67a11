/* Commands of the debugger, as `debug --batch -x` takes them. */
#include "tests/fuzz/fuzz_cli.h"
#include "tests/fuzz/fuzz_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const words[] = { "debug", "ifelse", "-q", "--max-memory", "256M", "--batch", "-x",
					     INPUT_FILE, NULL };

	fuzz_verb(words, fuzz_file(bytes, size));
	return 0;
}
