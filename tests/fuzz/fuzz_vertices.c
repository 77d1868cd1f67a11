/* Files of vertices, of text and of JSON, as --in takes them; what comes of them is written as --out does. The first
 * byte picks the shader. */
#include "tests/fuzz/fuzz_cli.h"
#include "tests/fuzz/fuzz_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const shaders[] = { "lights", "diffuse", "two-sided", "quads" };
	const char *words[] = { "run", NULL, "-q", "--max-cycles", "5000", "--max-insns", "5000", "--max-memory",
				"256M", "--in", INPUT_FILE, "--out", "/dev/null", NULL };

	if (!size)
		return 0;
	words[1] = shaders[*bytes % 4];
	fuzz_verb(words, fuzz_file(bytes + 1, size - 1));
	return 0;
}
