/* vectors: run them, show the first mismatches, count. */
#include "bench/laboratory/vectors.h"

#include <stdarg.h>
#include <stdlib.h>

#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"

const struct opt vectors_options[] = {
	{"mismatches", 0, OPT_VALUE, "N", "20", "Output", "how many mismatches to print", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

static const struct vectors_format *const formats[] = {&vectors_shader, &vectors_words, &vectors_control, &vectors_gcn,
	&vectors_gcn_state, &vectors_gfx};

void tally_show(struct tally *t, enum gate gate, unsigned long line, const char *fmt, va_list ap)
{
	FILE *f = t->cli->json ? stderr : stdout;

	if (gate == DOUBTFUL && !t->cli->verbose)
		return;
	if (t->shown++ >= strtoul(cli_value(t->cli, "mismatches"), NULL, 0))
		return;
	fprintf(f, "%s:", shown(t->path));
	if (line)
		fprintf(f, "%lu:", line);
	fprintf(f, " %s", gate == DOUBTFUL ? "doubtful: " : "");
	vfprintf(f, fmt, ap);
	fputc('\n', f);
}

static const struct vectors_format *recognise(const char *text, size_t n)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i]->recognise(text, n))
			return formats[i];
	return NULL;
}

void vectors_progress(struct tally *t, const char *unit, size_t done, size_t all)
{
	const struct progress_work work = {.unit = unit, .done = done, .all = all};

	progress_show(&t->progress, &work, 1);
}

static enum wb_status run_file(struct tally *t, const char *path)
{
	char *text;
	size_t n;
	struct wb_diag d;
	if (!try_read_all(path, &text, &n, &d))
		return complain_diag(&d);
	const struct vectors_format *f = recognise(text, n);
	t->path = path;
	progress_start(&t->progress, t->cli, path);
	enum wb_status status =
		f ? f->run(t, text, n) :
		    complain(WB_INPUT,
			     "%s: no vectors of a known kind; expected lines of words with '->' or a JSON document",
			     path);
	progress_end(&t->progress);
	free(text);
	return status;
}

static void print_tally(const struct tally *t)
{
	if (t->doubtful)
		printf("%lu doubtful (%lu differ)\n", t->doubtful, t->differ);
	printf("%lu passed, %lu failed", t->passed, t->failed);
	printf(t->skipped ? ", %lu skipped\n" : "\n", t->skipped);
}

static json_t *tally_json(const struct tally *t)
{
	return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "schema", "warpbeam.vectors/1", "passed",
			 (json_int_t)t->passed, "failed", (json_int_t)t->failed, "skipped", (json_int_t)t->skipped,
			 "doubtful", (json_int_t)t->doubtful, "differ", (json_int_t)t->differ);
}

enum wb_status verb_vectors(struct cli *c)
{
	struct tally t = {.cli = c};
	enum wb_status worst = WB_OK;
	unsigned long most;
	if (!c->noperands)
		return complain(WB_USAGE, "vectors needs a FILE; see 'warpbeam vectors --help'");
	if (!cli_number(c, "mismatches", ~0ul, &most))
		return WB_USAGE;
	for (size_t i = 0; i < c->noperands; i++) {
		enum wb_status status = run_file(&t, c->operands[i]);
		if (status != WB_OK)
			worst = status;
	}
	if (worst != WB_OK && !(t.passed + t.failed + t.skipped + t.doubtful))
		return worst;
	enum wb_status written = c->json ? json_out(tally_json(&t), NULL) : WB_OK;
	if (!c->json)
		print_tally(&t);
	worst = worst == WB_OK ? written : worst;
	return worst != WB_OK ? worst : t.failed ? WB_FAILED : WB_OK;
}
