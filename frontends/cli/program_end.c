/* What is told when a whole program has ended. */
#include "frontends/cli/run_program.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "frontends/cli/demangle.h"

/* ---- the journal ---- */

static uint64_t number(const json_t *o, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

static const char *text(const json_t *o, const char *key)
{
	const char *t = json_string_value(json_object_get(o, key));

	return t ? t : "";
}

static void read_size(uint32_t size[3], const json_t *o, const char *key)
{
	for (size_t i = 0; i < 3; i++)
		size[i] = (uint32_t)json_integer_value(json_array_get(json_object_get(o, key), i));
}

static void name(char out[256], uint64_t index, const char *kernel, uint64_t call, const char *function)
{
	snprintf(out, 256, "launch %" PRIu64 ", kernel %.100s, by call %" PRIu64 " of %.60s", index, kernel, call,
		 function);
}

static void name_launch(char out[256], const json_t *o, const char *index)
{
	name(out, number(o, index), text(o, "kernel"), number(o, "number"), text(o, "call"));
}

/* The launches that a process has counted. */
static bool read_counts(struct program_end *e, const char *suffix)
{
	struct counts *c = malloc(sizeof *c);
	bool good = c && counts_read(e->journal, suffix, c);

	for (uint64_t i = 0; good && i < c->nrows; i++) {
		struct counts_row *from = &c->row[i];
		struct table_row r = { .kernel = from->kernel, .launches = from->launches, .bad = from->bad,
				       .sum = from->sum };
		memcpy(r.grid, from->grid, sizeof r.grid);
		memcpy(r.block, from->block, sizeof r.block);
		if (!from->launches)    /* a launch has begun, and ended the program */
			continue;
		e->launches += r.launches;
		e->troubles += r.sum.findings + r.bad;
		good = table_join(&e->table, &r);
	}
	if (good && c->latest.index) {
		snprintf(e->chip, sizeof e->chip, "%s", c->chip);
		name(e->latest, c->latest.index, c->latest.kernel, c->latest.number, c->latest.call);
	}
	e->running[0] = '\0';
	if (good && c->running.index)
		name(e->running, c->running.index, c->running.kernel, c->running.number, c->running.call);
	free(c);
	return good;
}

static bool read_open(struct program_end *e, const json_t *o)
{
	const char *suffix = text(o, "counts");

	snprintf(e->opened, sizeof e->opened, "%s", text(o, "open"));
	return !*suffix || read_counts(e, suffix);
}

static bool read_launch(struct program_end *e, const json_t *o)
{
	const json_t *counters = json_object_get(o, "counters"), *bill = json_object_get(o, "bill");
	struct table_launch l = { .kernel = text(o, "kernel"), .good = !strcmp(text(o, "result"), "ok") };

	read_size(l.grid, o, "grid");
	read_size(l.block, o, "block");
	l.numbers = (struct table_numbers){
		.nanoseconds = number(o, "nanoseconds"), .instructions = number(counters, "instructions"),
		.lane_slots = number(bill, "lane_slots"), .useful = number(bill, "useful"),
		.findings = json_array_size(json_object_get(o, "warnings")),
	};
	e->launches++;
	e->troubles += l.numbers.findings + !l.good;
	snprintf(e->chip, sizeof e->chip, "%s", text(o, "chip"));
	name_launch(e->latest, o, "launch");
	e->running[0] = '\0';
	return table_add(&e->table, &l);
}

static bool read_line(struct program_end *e, const char *line, size_t n, FILE *launches)
{
	json_t *o = json_loadb(line, n, 0, NULL);
	bool good = o;

	if (json_object_get(o, "open"))
		good = read_open(e, o);
	else if (json_object_get(o, "begin"))
		name_launch(e->running, o, "begin");
	else if (o)
		good = read_launch(e, o) && (!launches || fwrite(line, 1, n, launches) == n);
	json_decref(o);
	return good;
}

bool program_end_read(struct program_end *e, FILE *journal, FILE *launches)
{
	char *line = NULL;
	size_t space = 0;
	ssize_t n;
	bool good = true;

	while ((n = getline(&line, &space, journal)) > 0)
		good = read_line(e, line, (size_t)n, launches) && good;
	free(line);
	return good;
}

/* ---- on stderr ---- */

static void tell_signal(const struct program_end *e)
{
	const char *signal = strsignal(WTERMSIG(e->status));

	if (*e->running)
		complain(WB_OK, "%s was ended by signal %d (%s) while here ran %s", e->name, WTERMSIG(e->status),
			 signal, e->running);
	else if (*e->latest)
		complain(WB_OK, "%s was ended by signal %d (%s), in code of its own; the latest launch here was %s",
			 e->name, WTERMSIG(e->status), signal, e->latest);
	else
		complain(WB_OK, "%s was ended by signal %d (%s), in code of its own; nothing had been launched here",
			 e->name, WTERMSIG(e->status), signal);
}

static void tell_nothing(const struct program_end *e)
{
	if (*e->opened)
		complain(WB_OK, "%s ran to its end and launched nothing here: it called %s, and no launch began",
			 e->name, e->opened);
	else if (*e->reach->why)
		complain(WB_OK, "%s ran to its end and launched nothing here: %s", e->name, e->reach->why);
	else
		complain(WB_OK, "%s ran to its end and launched nothing here", e->name);
}

/* The names of kernels as C++ sources have them, instead of symbols. */
static void name_kernels(struct table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		char *name = demangle_name(t->row[i].kernel);
		if (name) {
			free(t->row[i].kernel);
			t->row[i].kernel = name;
		}
	}
}

void program_end_tell(struct program_end *e, bool quiet)
{
	if (WIFSIGNALED(e->status))
		tell_signal(e);
	else if (!e->launches)
		tell_nothing(e);
	if (!e->launches || quiet)
		return;
	complain(WB_OK, "%s: %" PRIu64 " launch%s, the latest on %s", e->name, e->launches,
		 e->launches == 1 ? "" : "es", e->chip);
	name_kernels(&e->table);
	table_print(&e->table, stderr);
}

void program_end_free(struct program_end *e)
{
	table_free(&e->table);
}
