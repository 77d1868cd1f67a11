/* What the views are told by text: a state string, and in a second line keys to press and commands to give. What they
 * then show is drawn as text. The first byte picks the program. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_cli.h"
#include "tests/fuzz/fuzz_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const programs[] = { "ifelse", "lights", "lock-livelock", "barrier" };
	const char *words[] = { "tui", NULL, "-q", "--print", "--max-cycles", "2000", "--max-memory", "256M",
				"--state", NULL, "--keys", NULL, NULL };
	char *text = malloc(size + 1), *keys;

	if (!text || !size) {
		free(text);
		return 0;
	}
	memcpy(text, bytes, size);
	text[size] = '\0';
	keys = strchr(text + 1, '\n');
	if (keys)
		*keys++ = '\0';
	words[1] = programs[*bytes % 4];
	words[9] = text + 1;
	words[keys ? 11 : 10] = keys;
	fuzz_file(NULL, 0);     /* an empty file: starts the memory and messages of verbs */
	fuzz_verb(words, "");
	free(text);
	return 0;
}
