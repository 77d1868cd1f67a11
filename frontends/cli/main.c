/* A program with verbs. The first argument picks a row of the program's table, whose options are parsed before its
 * function runs; the status that the function returns is the exit code. warpbeam and its laboratory share all of this
 * but the table. */
#include "frontends/cli/cli.h"

#include <errno.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/laboratory.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/progress.h"
#include "frontends/cli/verbs.h"

const struct verb *verb_find(const char *name)
{
	for (const struct verb *v = verbs; v->name; v++)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

/* Other tools' words for the work of a verb. */
static const struct {
	const char *word, *instead;
} synonyms[] = {
	{"trace", "run FILE --trace OUT"}, {"check", "run FILE --check race,uninit,barrier,bounds"},
	{"record", "run FILE --trace OUT"}, {"test", "run FILE --check-expect"}, {"mark", "run FILE --expect MARKS"},
	{"profile", "bill FILE"}, {"disasm", "dis FILE"}, {"disassemble", "dis FILE"}, {"assemble", "asm FILE"},
	{"list", "examples"}, {"gallery", "examples"}, {"gui", "view FILE"}, {"screenshot", "shot FILE"},
	{"occupancy", "occ"}, {"benchmark", "bench"}, {"version", "--version"},
};

enum { VERBS_MAX = 64 };        /* of both programs, and the NULL behind them */

static enum wb_status unknown_verb(const char *word)
{
	const char *names[VERBS_MAX] = {NULL};
	size_t n = 0;
	for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
		if (!strcmp(synonyms[i].word, word))
			return complain(WB_USAGE, "unknown verb '%s'; that is 'warpbeam %s'", word,
					synonyms[i].instead);
	if (access(word, F_OK) == 0 || example_of(word))
		return complain(WB_USAGE, "unknown verb '%s'; did you mean 'warpbeam run %s'?", word, word);
	for (const struct verb *v = verbs; v->name; v++)
		names[n++] = v->name;
	for (const struct laboratory_verb *v = laboratory_verbs; v->name; v++)
		names[n++] = v->name;
	const char *near = wb_nearest(word, names);
	if (near)
		return complain(WB_USAGE, "unknown verb '%s'; did you mean '%s'?", word, near);
	return complain(WB_USAGE, "unknown verb '%s'; 'warpbeam --help' lists them", word);
}

static bool among(int argc, char **argv, const char *a, const char *b)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], a) || !strcmp(argv[i], b))
			return true;
	return false;
}

/* Options without a verb: --help and --version. */
static enum wb_status without_verb(int argc, char **argv)
{
	if (among(argc, argv, "--version", "-V")) {
		print_version(among(argc, argv, "-v", "--verbose"));
		return WB_OK;
	}
	if (argc < 2) {
		help_overview(stderr);
		return WB_USAGE;
	}
	if (among(2, argv, "--help", "-h") || !strcmp(argv[1], "help")) {
		const struct verb *v = argc > 2 ? verb_find(argv[2]) : NULL;
		if (v)
			return main_verb(v, 2, (char *[]){argv[2], "--help", NULL});
		if (argc > 2 && laboratory_has(argv[2]))
			return laboratory_run((char *[]){argv[0], argv[2], "--help", NULL});
		help_overview(stdout);
		return WB_OK;
	}
	if (argv[1][0] == '-')
		return complain(WB_USAGE,
				"expected a verb, found '%s'; options follow the verb: warpbeam VERB [OPTION]...",
				argv[1]);
	return laboratory_has(argv[1]) ? laboratory_run(argv) : unknown_verb(argv[1]);
}

/* What a program or an option asks for may belong to a machine that this build was told to leave out. */
static void tell_missing_machines(void)
{
#ifdef WB_MISSING_MACHINES
	fputs("warpbeam: this build has no machine " WB_MISSING_MACHINES "; './dev run FILE' builds all\n", stderr);
#endif
}

/* Flush standard output; a failed write becomes the status. */
static enum wb_status printed(enum wb_status status)
{
	if (status == WB_USAGE || status == WB_INPUT)
		tell_missing_machines();
	if (fflush(stdout) || ferror(stdout))
		return status ? status : complain(WB_ENV, "cannot write to standard output");
	return status;
}

enum wb_status main_verb(const struct verb *v, int argc, char **argv)
{
	struct cli c;
	enum wb_status status;
	progress_signal();
	if (cli_open(&c, v, argc, argv, &status))
		status = v->run(&c);
	cli_close(&c);
	return printed(status);
}

int cli_main(int argc, char **argv)
{
	memory_begin();
	errno = 0;
	if (!setlocale(LC_CTYPE, "") && errno == ENOMEM)
		no_memory();
	const struct verb *v = argc > 1 ? verb_find(argv[1]) : NULL;
	return v ? main_verb(v, argc - 1, argv + 1) : printed(without_verb(argc, argv));
}
