/* Expectations, as --expect takes them. The first byte picks the program. */
#include "tests/fuzz/fuzz_cli.h"
#include "tests/fuzz/fuzz_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const programs[] = { "ifelse", "lights", "quads", "barrier" };
	const char *words[] = { "run", NULL, "-q", "--max-cycles", "5000", "--max-insns", "5000", "--max-memory",
				"256M", "--threads", "1", "--expect", INPUT_FILE, NULL };

	if (!size)
		return 0;
	words[1] = programs[*bytes % 4];
	fuzz_verb(words, fuzz_file(bytes + 1, size - 1));
	return 0;
}
