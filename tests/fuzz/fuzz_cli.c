/* Verbs run as cli_main runs them, but for two things: what they print goes to /dev/null, and the process goes on. A
 * verb that ends the process is a find, as it may do so only where the host has no memory. */
#include "tests/fuzz/fuzz_cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/verbs.h"

enum { WORDS_MAX = 32 };

/* The verbs of the command line and of the laboratory: targets are of both. */
const struct verb verbs[] = {
#define VERB(name, purpose, usage, examples, config, options) \
	{ #name, purpose, usage, examples, config, options, verb_##name },
#include "frontends/cli/verb.def"
#include "frontends/cli/laboratory.def"
#undef VERB
	{ NULL, NULL, NULL, NULL, NULL, NULL, NULL },
};

static char folder[] = "/tmp/warpbeam-fuzz-XXXXXX", path[sizeof folder + 8];
static int here = -1;
static FILE *own_stdout, *own_stderr, *nowhere;

static void clean_up(void)
{
	unlink(path);
	rmdir(folder);
}

const char *fuzz_file(const uint8_t *bytes, size_t size)
{
	FILE *f;

	if (!*path) {
		if (!mkdtemp(folder))
			abort();
		snprintf(path, sizeof path, "%s/input", folder);
		atexit(clean_up);
		memory_begin();
	}
	f = fopen(path, "wb");
	if (!f || (size && fwrite(bytes, 1, size, f) != size) || fclose(f))
		abort();
	return path;
}

/* In the folder of the file, where a name that the input made up does no harm. */
void fuzz_silence(void)
{
	here = here < 0 ? open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : here;
	if (here < 0 || chdir(folder))
		abort();
	nowhere = nowhere ? nowhere : fopen("/dev/null", "w");
	own_stdout = stdout;
	own_stderr = stderr;
	stdout = stderr = nowhere;
}

void fuzz_speak(void)
{
	if (fchdir(here))
		abort();
	stdout = own_stdout;
	stderr = own_stderr;
}

int fuzz_verb(const char *const *words, const char *file)
{
	char *argv[WORDS_MAX];
	int argc = 0;
	enum wb_status status;

	for (; argc < WORDS_MAX - 1 && words[argc]; argc++)
		argv[argc] = strdup(strcmp(words[argc], INPUT_FILE) ? words[argc] : file);
	argv[argc] = NULL;
	fuzz_silence();
	status = main_verb(verb_find(argv[0]), argc, argv);
	fuzz_speak();
	if (status > WB_HANG) {
		fprintf(stderr, "%s: exit %d\n", words[0], (int)status);
		abort();
	}
	while (argc)
		free(argv[--argc]);
	return (int)status;
}
