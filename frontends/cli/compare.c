/* compare: the same programs under several scheduling and reconvergence policies, in one table. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/compare.h"
#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"
#include "frontends/trace/json_text.h"
#include "frontends/cli/vertices.h"

const struct opt compare_options[] = {
	{"policy", 0, OPT_VALUE, "A,B", "rr", "Compare", "scheduling policies, those of run", false},
	{"reconverge", 0, OPT_VALUE, "A,B", NULL, "Compare",
	 "ways to reconverge, the chip's by default: those of run, and perfect, which takes no time: lanes packed into "
	 "as few issues as can be",
	 false},
	{"vary", 0, OPT_VALUE, "KEY=A,B", NULL, "Compare",
	 "numbers of the timing model in turn, as for --timing-set: what changes where nobody knows the number", false},
	{"arg", 'a', OPT_LIST, "ARG", NULL, "Launch", "next argument, as for run", false},
	VERTICES_OPTION,
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

/* The first of the ways to reconverge, which every machine takes; "" is the chip's. */
static bool is_own_way(const char *reconverge)
{
	return !*reconverge || !strcmp(reconverge, wb_reconverge_name(0, NULL));
}

/* A way that is counted in a run by the first, with the option of the same name. */
static bool is_counted(const char *reconverge)
{
	const char *name;
	bool counted;
	for (unsigned i = 0; (name = wb_reconverge_name(i, &counted)); i++)
		if (counted && !strcmp(name, reconverge))
			return true;
	return false;
}

enum { VARIED_COLUMN = 24 };

/* A row of the table. */
struct row {
	const char *file, *policy, *reconverge;
	const char *varied;     /* "KEY=VALUE", or "" */
	const char *chip;       /* "" unless several are compared */
	const struct wb_report *report;
	bool timed;
	double cycles, issues, efficiency;
	struct order order;     /* where several ways to reconverge are compared */
};

/* The best finished row and the first of all, by cycles, and the branches below the table. */
struct table {
	json_t *rows; /* NULL: as text */
	unsigned n, timed, best_row;
	double first_cycles, best, worst; /* cycles; first_cycles: of the row with ratio 1 */
	bool within; /* several rows of a program: ratios are of rows of the same program */
	unsigned programs;
	struct mean {
		char name[128]; /* policy, way to reconverge, chip, timing */
		double logarithms; /* of ratios */
		unsigned n; /* programs */
	} *means;
	unsigned nmeans;
	char best_name[256];
	struct lossy lossy[2]; /* of the first row of each of two files */
	unsigned nlossy;
	struct ordered {
		char title[64];
		struct order order;
	} *orders; /* of the rows, where several ways to reconverge are compared */
	unsigned norders;
	const char *file, *chip; /* of the row before */
	const char **chips; /* all --chip, NULL-terminated */
	bool several; /* chips */
	bool names_chip; /* a column: chips may differ */
	unsigned refused; /* rows that their machine refuses */
};

static void head(const struct cli *c, const struct table *t)
{
	printf("%s%-20s %-20s %-10s %-10s ", tint(c, TINT_BOLD), "file", "kernel", "policy", "reconverge");
	if (t->names_chip)
		printf("%-8s ", "chip");
	if (cli_value(c, "vary"))
		printf("%-*s ", VARIED_COLUMN, "timing");
	printf("%12s %7s %12s %10s  %s%s\n", "cycles", "ratio", "issues", "efficiency", "stalls", tint(c, TINT_NONE));
}

/* Uses of the resident warps' cycles; reasons of less than a hundredth are left out. The last reason is the empty
 * slots. */
static void print_stalls(const struct wb_report *r)
{
	uint64_t resident = r->time.slot_cycles - r->time.stalls[wb_stalls() - 1];
	for (unsigned i = 0; i + 1 < wb_stalls() && resident; i++) {
		double share = 100 * (double)r->time.stalls[i] / (double)resident;
		if (share >= 1)
			printf(" %s %.0f%%", wb_stall_name(i), share);
	}
}

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');
	return slash ? slash + 1 : file;
}

static bool is_ok(const struct row *w)
{
	return !strcmp(w->report->result, "ok");
}

/* Cycles of a complete row, as a multiple of those of the first complete row, of the same program where a program has
 * several; 0: no row to compare. */
static double ratio(const struct table *t, const struct row *w)
{
	return w->timed && is_ok(w) && t->first_cycles > 0 ? w->cycles / t->first_cycles : 0;
}

/* Settings of a row, as they stand in its columns. */
static void settings_of(const struct row *w, char *name, size_t size)
{
	snprintf(name, size, "%s %s%s%s%s%s", w->policy, w->reconverge, *w->chip ? " " : "", w->chip,
		 *w->varied ? " " : "", w->varied);
}

/* The ratio goes into the mean of all rows with the same settings. */
static void add_mean(struct table *t, const struct row *w)
{
	char name[sizeof t->means->name];
	size_t at = 0;

	settings_of(w, name, sizeof name);
	while (at < t->nmeans && strcmp(t->means[at].name, name) != 0)
		at++;
	if (at == t->nmeans) {
		t->means = grow(t->means, (t->nmeans + 1) * sizeof *t->means);
		t->means[t->nmeans++] = (struct mean){.n = 0};
		memcpy(t->means[at].name, name, sizeof name);
	}
	t->means[at].logarithms += log(ratio(t, w));
	t->means[at].n++;
}

/* Among finished rows with cycles: remember the first and the best. */
static void rank(struct table *t, const struct row *w)
{
	t->n++;
	t->programs += t->file != w->file;
	if (t->within && t->file != w->file)
		t->first_cycles = 0;
	if (!w->timed || !is_ok(w) || w->cycles <= 0)
		return;
	t->timed++;
	if (t->first_cycles <= 0)
		t->first_cycles = w->cycles;
	add_mean(t, w);
	if (w->cycles > t->worst)
		t->worst = w->cycles;
	if (t->timed > 1 && w->cycles >= t->best)
		return;
	t->best = w->cycles;
	t->best_row = t->timed;
	int n = snprintf(t->best_name, sizeof t->best_name, "%.120s ", base_name(w->file));
	settings_of(w, t->best_name + n, sizeof t->best_name - (size_t)n);
}

static void print_means(const struct table *t)
{
	printf("\ngeometric means of the ratios over %u programs, each beside its own first row:\n", t->programs);
	for (unsigned i = 0; i < t->nmeans; i++) {
		const struct mean *m = &t->means[i];
		printf("%8.3f  %s", exp(m->logarithms / m->n), m->name);
		if (m->n < t->programs)
			printf(" (%u of the programs)", m->n);
		putchar('\n');
	}
}

static void verdict(const struct table *t)
{
	char cycles[32];
	if (t->timed < 2)
		return;
	if (t->within && t->programs > 1) {
		print_means(t);
		return;
	}
	grouped(cycles, (unsigned long long)t->best);
	if (t->best == t->worst) {
		printf("\nall take the same %s cycles\n", cycles);
		return;
	}
	printf("\nfewest cycles: %s, %s, ", shown(t->best_name), cycles);
	if (t->best_row == 1)
		puts("the first row");
	else
		printf("%.2f times as fast as the first row\n", t->first_cycles / t->best);
}

static void print_row(const struct cli *c, const struct table *t, const struct row *w)
{
	char cycles[32] = "", issues[32], times[32] = "";
	if (w->timed)
		grouped(cycles, (unsigned long long)w->cycles);
	if (ratio(t, w) > 0)
		snprintf(times, sizeof times, "%.3f", ratio(t, w));
	printf("%-20s %-20s %-10s %-10s ", shown(base_name(w->file)), shown(w->report->launch.kernel), w->policy,
	       w->reconverge);
	if (t->names_chip)
		printf("%-8s ", w->report->launch.chip);
	if (*w->varied)
		printf("%-*s ", VARIED_COLUMN, w->varied);
	printf("%12s %7s %12s %8.1f %% ", cycles, times, grouped(issues, (unsigned long long)w->issues),
	       100 * w->efficiency);
	if (w->timed)
		print_stalls(w->report);
	if (!is_ok(w))
		printf(" %s%s%s", tint(c, TINT_BAD), w->report->result, tint(c, TINT_NONE));
	putchar('\n');
}

static json_t *branches_json(const struct wb_report *r)
{
	json_t *a = json_array();
	char pc[16];
	for (unsigned i = 0; i < r->nbranches; i++) {
		const struct wb_branch *b = &r->branches[i];
		snprintf(pc, sizeof pc, "0x%" PRIx32, b->pc);
		json_array_append_new(a, json_pack("{s:s, s:s, s:I, s:I}", "pc", pc, "text", b->text, "splits",
						   (json_int_t)b->splits, "lost", (json_int_t)b->lost));
	}
	return a;
}

static json_t *row_json(const struct table *t, const struct row *w)
{
	const struct wb_report *r = w->report;
	const struct wb_launch_info *l = &r->launch;
	json_t *stalls = json_object(), *cycles = json_null(), *times = json_null();
	for (unsigned i = 0; w->timed && i < wb_stalls(); i++)
		json_object_set_new(stalls, wb_stall_name(i), json_integer((json_int_t)r->time.stalls[i]));
	if (w->timed)
		cycles = json_integer((json_int_t)w->cycles);
	if (ratio(t, w) > 0)
		times = json_real(ratio(t, w));
	return json_pack("{s:o, s:s, s:s, s:s, s:s, s:s, s:s*, s:o, s:o, s:I, s:I, s:f, s:o, s:s, s:o, s:o*}", "file",
			 json_text(w->file),
			 "kernel", l->kernel, "machine", l->machine, "chip", l->chip, "policy", w->policy, "reconverge",
			 w->reconverge, "timing", *w->varied ? w->varied : NULL, "cycles", cycles, "ratio", times,
			 "issues", (json_int_t)w->issues,
			 "thread_instructions", (json_int_t)report_counter(r, "thread_instructions"), "efficiency",
			 w->efficiency, "stalls", stalls, "result", r->result, "by_branch", branches_json(r), "order",
			 w->order.n ? order_json(&w->order) : NULL);
}

static void keep_order(struct table *t, const struct row *w)
{
	struct ordered *more = realloc(t->orders, (t->norders + 1) * sizeof *more);

	if (!more)
		return;
	t->orders = more;
	struct ordered *o = &more[t->norders++];
	snprintf(o->title, sizeof o->title, "%s%s%s", w->reconverge, *w->chip ? " " : "", w->chip);
	o->order = w->order;
}

static void print_orders(const struct cli *c, const struct table *t)
{
	if (t->norders)
		printf("\n%sGroups in the order in which they run, behind the first split: pc (lanes)%s\n",
		       tint(c, TINT_BOLD), tint(c, TINT_NONE));
	for (unsigned i = 0; i < t->norders; i++)
		order_print(&t->orders[i].order, t->orders[i].title);
}

static void add_row(const struct cli *c, struct table *t, const struct row *w)
{
	if (!t->n && !t->refused && !t->rows)
		head(c, t);
	rank(t, w);
	if (t->rows)
		json_array_append_new(t->rows, row_json(t, w));
	else
		print_row(c, t, w);
	if (!t->rows && w->order.n)
		keep_order(t, w);
	bool two = t->several ? c->noperands == 1 && !t->chips[2] : c->noperands == 2;
	if (two && t->nlossy < 2 && (t->file != w->file || t->chip != w->chip))
		lossy_collect(&t->lossy[t->nlossy++], t->several ? w->chip : w->file, w->report);
	t->file = w->file;
	t->chip = w->chip;
}

/* A row without a run: the machine refuses the policy, for the reason given on stderr. */
static enum wb_status add_refused(const struct cli *c, struct table *t, const char *file, const char *policy,
				  const char *reconverge)
{
	if (!t->n && !t->refused && !t->rows)
		head(c, t);
	t->refused++;
	if (t->rows)
		json_array_append_new(t->rows, json_pack("{s:o, s:s, s:s, s:s}", "file", json_text(file), "policy",
							 policy, "reconverge", reconverge, "result", "refused"));
	else
		printf("%-20s %-20s %-10s %-10s refused\n", shown(base_name(file)), "", policy, reconverge);
	return WB_OK;
}

/* Another launch, as runs cannot be stepped. Without one the row has no order. */
static void collect_order(struct session *s, struct order *o)
{
	struct wb_launch *l = session_again(s);

	if (l)
		order_collect(o, l);
	wb_launch_free(l);
}

/* The row of a run. counted: a policy whose costs alone are counted (wb_reconverge_name); NULL: the run is timed. */
static void add_measured(struct cli *c, struct session *s, struct row *w, const char *counted,
			 struct table *table)
{
	char issues[64] = "instructions", efficiency[64] = "warp_execution_efficiency";
	const char *asked = cli_value(c, "reconverge");

	if (counted) {
		snprintf(issues, sizeof issues, "%s_issues", counted);
		snprintf(efficiency, sizeof efficiency, "%s_efficiency", counted);
	}
	w->cycles = report_counter(s->report, "cycles");
	w->issues = report_counter(s->report, issues);
	w->efficiency = report_counter(s->report, efficiency);
	if (!counted && asked && strchr(asked, ','))
		collect_order(s, &w->order);
	add_row(c, table, w);
}

/* A run, a row. */
static enum wb_status compare_one(struct cli *c, const char *file, const char *chip, const char *policy,
				  const char *reconverge, const char *varied, struct table *table)
{
	bool counted = is_counted(reconverge);
	const char *const settings[][2] = {
		{"policy", policy},
		{*reconverge ? "reconverge" : NULL, counted ? wb_reconverge_name(0, NULL) : reconverge},
		{counted ? reconverge : NULL, "on"}, {counted ? "timing" : NULL, "off"}, {*chip ? "chip" : NULL, chip},
	};
	struct wb_config *config = wb_config_copy(c->config);
	struct session s = {.vertices = cli_value(c, "in")};
	struct wb_diag d;
	for (size_t i = 0; i < sizeof settings / sizeof *settings && s.status == WB_OK; i++)
		if (settings[i][0])
			s.status = wb_config_set(config, settings[i][0], settings[i][1], &d);
	if (*varied && s.status == WB_OK)
		s.status = wb_config_set(config, "timing-set", varied, &d);
	const char **args = cli_list(c, "arg");
	if (s.status != WB_OK) {
		complain_diag(&d);
	} else if (session_load(&s, file, config) &&
		   session_prepare(&s, cli_value(c, "kernel"), config, args)) {
		session_run(&s, c);
		struct wb_chip_fact own = {.text = reconverge};
		if (!*reconverge)
			wb_chip_find_fact(s.report->launch.chip, "reconvergence", &own, &d);
		struct row w = {file, policy, own.text, varied, chip, s.report, .timed = !counted};
		add_measured(c, &s, &w, counted ? reconverge : NULL, table);
		if (s.status != WB_OK)
			complain_diag(&s.diag);
	}
	enum wb_status status = s.status;
	if (s.program && !s.launch && status == WB_USAGE && !is_own_way(reconverge))
		status = add_refused(c, table, file, policy, reconverge);
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

/* The next "KEY=VALUE" of --vary; once "" without the option. */
static bool next_varied(const char *vary, const char **p, char *varied, size_t size)
{
	const char *values = vary ? strchr(vary, '=') : NULL;
	char value[32];
	if (!values && *p)
		return false;
	if (!values) {
		*varied = '\0';
		*p = "";
		return true;
	}
	*p = *p ? *p : values + 1;
	if (!next_word(p, value, sizeof value))
		return false;
	snprintf(varied, size, "%.*s=%s", (int)(values - vary), vary, value);
	return true;
}

/* The next way of list --reconverge; once "", the chip's own, without the option. */
static bool next_way(const char *list, const char **p, char *way, size_t size)
{
	if (!list && *p)
		return false;
	if (!list) {
		*way = '\0';
		*p = "";
		return true;
	}
	*p = *p ? *p : list;
	return next_word(p, way, size);
}

/* Every combination for a file. The first bad status is the verb's, but a run that faults or hangs does not stop the
 * others. */
static enum wb_status compare_file(struct cli *c, const char *file, const char *chip, struct table *table)
{
	enum wb_status status = WB_OK;
	char policy[32], reconverge[32], varied[64];
	for (const char *p = cli_value(c, "policy"); next_word(&p, policy, sizeof policy);)
		for (const char *q = NULL; next_way(cli_value(c, "reconverge"), &q, reconverge, sizeof reconverge);)
			for (const char *v = NULL; next_varied(cli_value(c, "vary"), &v, varied, sizeof varied);) {
				enum wb_status one = compare_one(c, file, chip, policy, reconverge, varied, table);
				status = status == WB_OK ? one : status;
				if (one == WB_USAGE || one == WB_ENV || one == WB_INPUT)
					return one;
			}
	return status;
}

/* Every word of all lists, before anything runs. */
static enum wb_status check_lists(const struct cli *c)
{
	static const char *const names[] = {"policy", "reconverge"};
	struct wb_config *config = wb_config_copy(c->config);
	enum wb_status status = WB_OK;
	struct wb_diag d = {.text = ""};
	char word[32];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (const char *p = cli_value(c, names[i]); p && status == WB_OK && next_word(&p, word, sizeof word);)
			if (strcmp(names[i], "reconverge") || !is_counted(word))
				status = wb_config_set(config, names[i], word, &d);
	const char *vary = cli_value(c, "vary");
	char varied[64];
	if (vary && status == WB_OK && (!strchr(vary, '=') || !strchr(vary, '=')[1]))
		status = complain(WB_USAGE, "--vary: found \"%s\", expected KEY=VALUE,VALUE such as "
				  "g.latency=250,440,900", vary);
	else
		for (const char *v = NULL; status == WB_OK && next_varied(vary, &v, varied, sizeof varied);)
			if (*varied && (status = wb_config_set(config, "timing-set", varied, &d)) != WB_OK)
				break;
	if (status != WB_OK && *d.text)
		complain_diag(&d);
	wb_config_free(config);
	return status;
}

static bool is_list(const struct cli *c, const char *option)
{
	const char *text = cli_value(c, option);
	return text && strchr(text, ',');
}

enum wb_status verb_compare(struct cli *c)
{
	enum wb_status status = WB_OK;
	struct table table = {.rows = c->json ? json_array() : NULL, .chips = cli_list(c, "chip")};
	static const char *const none[] = {"", NULL};

	table.several = table.chips && table.chips[0] && table.chips[1];
	table.names_chip = table.several || c->noperands > 1;
	table.within = table.several || is_list(c, "policy") || is_list(c, "reconverge") || is_list(c, "vary");
	const char *const *chips = table.several ? table.chips : none;
	if (!c->noperands)
		status = complain(WB_USAGE, "compare needs a FILE");
	else
		status = check_lists(c);
	for (size_t i = 0; i < c->noperands && status != WB_USAGE; i++)
		for (const char *const *chip = chips; *chip && status != WB_USAGE; chip++) {
			enum wb_status one = compare_file(c, c->operands[i], *chip, &table);
			status = status == WB_OK ? one : status;
		}
	if (status != WB_USAGE && !c->json && table.nlossy == 2)
		lossy_print(c, &table.lossy[0], &table.lossy[1]);
	if (status != WB_USAGE && !c->json)
		print_orders(c, &table);
	if (status != WB_USAGE && !c->json)
		verdict(&table);
	if (status == WB_OK && table.refused && !table.n)
		status = WB_USAGE;      /* nothing ran */
	if (status == WB_USAGE) {
		json_decref(table.rows);
	} else if (c->json) {
		enum wb_status written = json_out(table.rows, NULL);
		status = status == WB_OK ? written : status;
	}
	for (unsigned i = 0; i < table.nlossy; i++)
		lossy_free(&table.lossy[i]);
	free(table.orders);
	free(table.means);
	free(table.chips);
	return status;
}
