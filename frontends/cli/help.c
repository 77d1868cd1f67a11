/* The help: purpose, usage, examples first; then the options by group with defaults; then the exit codes. */
#include "frontends/cli/laboratory.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>
#include <zlib.h>

enum { LEFT = 34, WIDTH = 110 };

static const struct {
	enum wb_status code;
	const char *meaning;
} exit_codes[] = {
	{WB_OK, "ok"},
	{WB_FAILED, "a check or a comparison failed"},
	{WB_USAGE, "usage: an option or argument"},
	{WB_ENV, "the host: cannot open or write, no display, a missing package"},
	{WB_INPUT, "a bad input file or text"},
	{WB_FAULT, "the guest program faulted"},
	{WB_LIMIT, "a limit was reached (--max-cycles, --max-insns)"},
	{WB_HANG, "deadlock or livelock"},
	{WB_INTERNAL, "internal error"},
	{WB_INTERRUPTED, "interrupted; partial statistics are still written"},
};

const char *exit_code(unsigned index, int *code)
{
	if (index >= sizeof exit_codes / sizeof *exit_codes)
		return NULL;
	*code = (int)exit_codes[index].code;
	return exit_codes[index].meaning;
}

/* Write a word with a blank, or a new line, before it; return the column behind it. */
static int put_word(FILE *f, const char *word, int n, int column, int from)
{
	if (column > from && column + 1 + n > WIDTH) {
		fprintf(f, "\n%*s", from, "");
		column = from;
	} else if (column > from) {
		fputc(' ', f);
		column++;
	}
	fwrite(word, 1, (size_t)n, f);
	return column + n;
}

/* Text in a column that begins at `from`, broken at blanks; the cursor stands at column `at`. */
static void wrapped(FILE *f, const char *text, int at, int from)
{
	if (at >= from) {
		fputc('\n', f);
		at = 0;
	}
	fprintf(f, "%*s", from - at, "");
	for (int column = from; *text;) {
		int word = (int)strcspn(text, " ");
		column = put_word(f, text, word, column, from);
		text += word + strspn(text + word, " ");
	}
	fputc('\n', f);
}

static void print_examples(FILE *f, const char *examples)
{
	fputs("\nExamples:\n", f);
	while (*examples) {
		int length = (int)strcspn(examples, "\n");
		const char *gap = strstr(examples, "  ");
		if (gap && gap < examples + length)
			fprintf(f, "  %.*s\n      %.*s\n", (int)(gap - examples), examples,
				(int)(examples + length - gap - 2), gap + 2);
		else
			fprintf(f, "  %.*s\n", length, examples);
		examples += length + 1;
	}
}

static void print_option(FILE *f, const struct opt *o)
{
	char left[256], right[512], name[OPT_NAME];
	char letter[] = {'-', o->letter, ',', '\0'};
	const char *argument = o->argument && *o->argument ? o->argument : "VALUE";
	int n = snprintf(left, sizeof left, "  %3s --%s%s%s", o->letter ? letter : "", opt_name(o, name),
			 o->kind == OPT_SWITCH ? "" : " ", o->kind == OPT_SWITCH ? "" : argument);
	bool has_default = o->fallback && *o->fallback && o->kind != OPT_SWITCH;
	bool off = !strncmp(name, "no-", 3) && strncmp(o->name, "no-", 3);
	snprintf(right, sizeof right, "%s%s%s%s%s", off ? "turns off: " : "", o->help,
		 has_default ? " [" : "", has_default ? o->fallback : "",
		 has_default ? "]" : "");
	fputs(left, f);
	wrapped(f, right, n, LEFT);
}

static bool seen_before(const struct opt *known, const struct opt *o)
{
	for (; known < o; known++)
		if (!strcmp(known->group, o->group))
			return true;
	return false;
}

static void print_options(FILE *f, const struct opt *known)
{
	for (const struct opt *first = known; first->name; first++) {
		if (seen_before(known, first))
			continue;
		fprintf(f, "\n%s:\n", first->group);
		for (const struct opt *o = first; o->name; o++)
			if (!strcmp(o->group, first->group))
				print_option(f, o);
	}
}

void help_row(FILE *f, const char *left, const char *right)
{
	int n = fprintf(f, "  %s", left);

	wrapped(f, right, n, LEFT);
}

void help_exit_codes(FILE *f)
{
	fputs("\nExit codes:\n", f);
	for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++)
		fprintf(f, "  %3d  %s\n", (int)exit_codes[i].code, exit_codes[i].meaning);
}

void help_verb(FILE *f, const struct verb *v, const struct opt *known)
{
	fprintf(f, "warpbeam %s: %s\n\nUsage: warpbeam %s %s\n", v->name, v->purpose, v->name, v->usage);
	print_examples(f, v->examples);
	if (is_foreign(v))
		return;
	print_options(f, known);
	fputs("\nSwitches have a --no- form. A value may follow its option after a blank or '='; -- ends the options.\n"
	      "Defaults are in [brackets].\n",
	      f);
	help_exit_codes(f);
}

/* The laboratory's verbs. */
static void print_laboratory(FILE *f)
{
	const char *heading = "\nLaboratory, to measure and prove Warpbeam itself:\n";
	for (const struct laboratory_verb *v = laboratory_verbs; v->name; v++) {
		if (verb_find(v->name))
			continue;
		fprintf(f, "%s  %-10s %s\n", heading, v->name, v->purpose);
		heading = "";
	}
}

void help_overview(FILE *f)
{
	fputs("warpbeam: an emulator of GPU multiprocessors that shows what divergence costs\n\n"
	      "Usage: warpbeam VERB [OPTION]... [FILE]...\n\nVerbs:\n",
	      f);
	for (const struct verb *v = verbs; v->name; v++)
		fprintf(f, "  %-10s %s\n", v->name, v->purpose);
	print_laboratory(f);
	fputs("\nStart with:\n  warpbeam examples\n  warpbeam run examples/ifelse.s\n"
	      "'warpbeam VERB --help' shows usage, examples and every option of a verb.\n",
	      f);
	help_exit_codes(f);
}

/* Parts with libraries found by the build. */
static const char *const parts[] = {
#ifdef WB_WINDOW
	"window (SDL2)",
#endif
#ifdef WB_TERMINAL
	"terminal view (ncurses)",
#endif
#ifdef WB_EDIT
	"line editing (libedit)",
#endif
#ifdef WB_DEMANGLE
	"names of C++ kernels (libiberty)",
#endif
#ifdef WB_MPI
	"sweeps over several machines (MPI)",
#endif
	NULL
};

void print_version(bool verbose)
{
	const char *level, *best = "none";

	for (unsigned i = 0; (level = wb_simd_level(i)); i++)
		best = level;
	printf("warpbeam %s (simd %s)\n", wb_version(), best);
	if (!verbose)
		return;
	fputs("simd levels:", stdout);
	for (unsigned i = 0; (level = wb_simd_level(i)); i++)
		printf(" %s", level);
	printf(" (auto: %s)\n", best);
	for (const char *const *part = parts; *part; part++)
		printf("with: %s\n", *part);
	printf("jansson %s\nzlib %s\n", jansson_version_str(), zlibVersion());
}
