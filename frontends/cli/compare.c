/* compare: the same programs under several scheduling policies and ways of coming together again, in one table. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/vertices.h"

const struct opt compare_options[] = {
	{"policy", 0, OPT_VALUE, "A,B", "rr", "Compare", "scheduling policies, those of run", false},
	{"reconverge", 0, OPT_VALUE, "A,B", "stack", "Compare",
	 "ways of coming together again, those of run, and perfect: the stack's run with its lanes packed into as few "
	 "issues as can be, which takes no time",
	 false},
	{"arg", 'a', OPT_LIST, "ARG", NULL, "Launch", "next argument, as for run", false},
	VERTICES_OPTION,
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

static const char perfect[] = "perfect";

/* One line of the table. */
struct row {
	const char *file, *policy, *reconverge;
	const struct wb_report *report;
	bool timed;
	double issues, efficiency;
};

static double counter(const struct wb_report *r, const char *name)
{
	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	return 0;
}

static void head(const struct cli *c)
{
	printf("%s%-20s %-16s %-10s %-10s %12s %12s %10s  %s%s\n", tint(c, TINT_BOLD), "file", "kernel", "policy",
	       "reconverge", "cycles", "issues", "efficiency", "stalls", tint(c, TINT_NONE));
}

/* What the resident warps' cycles went to, reasons of less than a hundredth apart. The last reason is the empty
 * slots. */
static void print_stalls(const struct wb_report *r)
{
	uint64_t resident = r->slot_cycles - r->stalls[WB_STALLS - 1];
	for (unsigned i = 0; i + 1 < WB_STALLS && resident; i++) {
		double share = 100 * (double)r->stalls[i] / (double)resident;
		if (share >= 1)
			printf(" %s %.0f%%", wb_stall_name(i), share);
	}
}

static void print_row(const struct cli *c, const struct row *w)
{
	const char *slash = strrchr(w->file, '/');
	char cycles[32] = "", issues[32];
	if (w->timed)
		grouped(cycles, (unsigned long long)counter(w->report, "cycles"));
	printf("%-20s %-16s %-10s %-10s %12s %12s %8.1f %% ", slash ? slash + 1 : w->file, w->report->kernel,
	       w->policy, w->reconverge, cycles, grouped(issues, (unsigned long long)w->issues),
	       100 * w->efficiency);
	if (w->timed)
		print_stalls(w->report);
	if (strcmp(w->report->result, "ok") != 0)
		printf(" %s%s%s", tint(c, TINT_BAD), w->report->result, tint(c, TINT_NONE));
	putchar('\n');
}

static json_t *row_json(const struct row *w)
{
	const struct wb_report *r = w->report;
	json_t *stalls = json_object(), *cycles = json_null();
	for (unsigned i = 0; w->timed && i < WB_STALLS; i++)
		json_object_set_new(stalls, wb_stall_name(i), json_integer((json_int_t)r->stalls[i]));
	if (w->timed)
		cycles = json_integer((json_int_t)counter(r, "cycles"));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:I, s:I, s:f, s:o, s:s}", "file", w->file,
			 "kernel", r->kernel, "machine", r->machine, "chip", r->chip,
			 "policy", w->policy, "reconverge", w->reconverge, "cycles",
			 cycles, "issues", (json_int_t)w->issues, "thread_instructions",
			 (json_int_t)counter(r, "thread_instructions"), "efficiency", w->efficiency, "stalls", stalls,
			 "result", r->result);
}

/* One run, one row. `table` is NULL for text. */
static enum wb_status compare_one(struct cli *c, const char *file, const char *policy, const char *reconverge,
				  json_t *table)
{
	bool packed = !strcmp(reconverge, perfect);
	const char *const settings[][2] = {
		{"policy", policy}, {"reconverge", packed ? "stack" : reconverge}, {"perfect", packed ? "on" : "off"},
	};
	struct wb_config *config = wb_config_copy(c->config);
	struct session s = {.vertices = cli_value(c, "in")};
	struct wb_diag d;
	for (size_t i = 0; i < sizeof settings / sizeof *settings && s.status == WB_OK; i++)
		s.status = wb_config_set(config, settings[i][0], settings[i][1], &d);
	if (packed && s.status == WB_OK)
		s.status = wb_config_set(config, "timing", "off", &d);
	const char **args = cli_list(c, "arg");
	if (s.status != WB_OK) {
		complain_diag(&d);
	} else if (session_load(&s, file, config) &&
		   session_prepare(&s, cli_value(c, "kernel"), config, args)) {
		session_run(&s, c);
		const struct wb_report *r = s.report;
		struct row w = {file, policy, reconverge, r, .timed = !packed};
		w.issues = counter(r, packed ? "perfect_issues" : "instructions");
		w.efficiency = counter(r, packed ? "perfect_efficiency" : "warp_execution_efficiency");
		if (table)
			json_array_append_new(table, row_json(&w));
		else
			print_row(c, &w);
		if (s.status != WB_OK)
			complain_diag(&s.diag);
	}
	enum wb_status status = s.status;
	session_close(&s);
	free(args);
	wb_config_free(config);
	return status;
}

/* The next word of a list "A,B" from *p on, which moves; false past the last. */
static bool next_word(const char **p, char *word, size_t size)
{
	size_t n = strcspn(*p, ",");
	if (!**p)
		return false;
	snprintf(word, size, "%.*s", (int)n, *p);
	*p += n + ((*p)[n] == ',');
	return true;
}

/* Every combination for one file. The first bad status is the verb's, but a run that faults or hangs does not keep the
 * others from running. */
static enum wb_status compare_file(struct cli *c, const char *file, json_t *table)
{
	enum wb_status status = WB_OK;
	char policy[32], reconverge[32];
	for (const char *p = cli_value(c, "policy"); next_word(&p, policy, sizeof policy);) {
		for (const char *q = cli_value(c, "reconverge"); next_word(&q, reconverge, sizeof reconverge);) {
			enum wb_status one = compare_one(c, file, policy, reconverge, table);
			status = status == WB_OK ? one : status;
			if (one == WB_USAGE || one == WB_ENV || one == WB_INPUT)
				return one;
		}
	}
	return status;
}

enum wb_status verb_compare(struct cli *c)
{
	enum wb_status status = WB_OK;
	json_t *table = c->json ? json_array() : NULL;
	if (!c->noperands)
		status = complain(WB_USAGE, "compare wants a FILE");
	else if (!table)
		head(c);
	for (size_t i = 0; i < c->noperands && status != WB_USAGE; i++) {
		enum wb_status one = compare_file(c, c->operands[i], table);
		status = status == WB_OK ? one : status;
	}
	if (table)
		json_out(table, NULL);
	return status;
}
