/* A report as text, section by section, from struct wb_report alone. bill.def names the columns of the bill once,
 * for this text, the JSON document, expectations and pages. */
#include "frontends/cli/report.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/advice.h"
#include "frontends/cli/demangle.h"
#include "frontends/view/source.h"

const struct bill_part bill_parts[] = {
#define BILL(key, title, tint) {#key, title, offsetof(struct wb_bill, key), TINT_##tint},
#include "frontends/cli/bill.def"
	{NULL, NULL, 0, TINT_NONE},
};

enum { BAR = 30, HEAT = 8, TOP_BRANCHES = 5, TOP_WAITS = 8 };

uint64_t bill_value(const struct wb_report *r, const struct bill_part *p)
{
	return *(const uint64_t *)((const char *)&r->bill + p->offset);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

const char *report_size(char text[REPORT_SIZE], const struct wb_report *r, const char *times)
{
	const struct wb_launch_info *l = &r->launch;
	char grid_z[24] = "";

	if (r->grid_z > 1)
		snprintf(grid_z, sizeof grid_z, "%s%" PRIu32, times, r->grid_z);
	if (l->stage)
		snprintf(text, REPORT_SIZE, "%" PRIu32 " %s", l->stage_threads,
			 wb_stage_name(l->stage, l->stage_threads != 1));
	else
		snprintf(text, REPORT_SIZE,
			 "grid %" PRIu32 "%s%" PRIu32 "%s, block %" PRIu32 "%s%" PRIu32 "%s%" PRIu32, l->grid[0], times,
			 l->grid[1], grid_z, l->block[0], times, l->block[1], times, l->block[2]);
	return text;
}

uint32_t report_warps(const struct wb_report *r)
{
	return r->launch.blocks * r->occupancy.warps_per_block;
}

void report_headline(const struct cli *c, const struct wb_report *r)
{
	const struct wb_launch_info *l = &r->launch;
	uint32_t warps = report_warps(r);
	bool ok = r->status == WB_OK;
	char size[REPORT_SIZE];
	char *plain = demangle_name(l->kernel);
	printf("%s%s%s on %s: %s (%" PRIu32 " warp%s), %" PRIu32 " MP%s: %s%s%s\n", tint(c, TINT_BOLD),
	       shown(plain ? plain : l->kernel), tint(c, TINT_NONE), shown(l->chip), report_size(size, r, "x"), warps,
	       warps == 1 ? "" : "s", l->mps, l->mps == 1 ? "" : "s", tint(c, ok ? TINT_GOOD : TINT_BAD), r->result,
	       tint(c, TINT_NONE));
	free(plain);
}

/* Counters that stayed at zero say little: they are shown with -v. */
static void counters(const struct cli *c, const struct wb_report *r)
{
	char text[32];
	for (unsigned i = 0; i < r->ncounters; i++) {
		const struct wb_counter *k = &r->counters[i];
		if (k->value == 0 && !c->verbose)
			continue;
		if (k->integer)
			grouped(text, (unsigned long long)k->value);
		else
			snprintf(text, sizeof text, "%.3f", k->value);
		printf("  %16s  %-26s %s%s%s\n", text, k->name, tint(c, TINT_DIM), k->help ? k->help : "",
		       tint(c, TINT_NONE));
	}
}

static void bill(const struct cli *c, const struct wb_report *r)
{
	char number[32], shape[4 * BAR + 1];
	uint64_t slots = r->bill.lane_slots;
	printf("%sThe bill%s: %s lane slots (%" PRIu32 " lanes each issue)\n", tint(c, TINT_BOLD), tint(c, TINT_NONE),
	       grouped(number, slots), r->launch.warp_lanes);
	for (const struct bill_part *p = bill_parts; p->key; p++) {
		uint64_t value = bill_value(r, p);
		if (value || c->verbose)
			printf("  %16s  %-14s %5.1f %%  %s%s%s\n", grouped(number, value), p->title,
			       100 * share(value, slots), tint(c, p->tint), bar(shape, share(value, slots), BAR),
			       tint(c, TINT_NONE));
	}
}

/* Whether the launch began with its program in the code cache (--warm). */
static bool is_warm(const struct cli *c)
{
	const char *warm = wb_config_get(c->config, "warm");

	return warm && !strcmp(warm, "on");
}

/* Cycles of the warp slots that had a warp, by reason; empty slots are in the occupancy line. */
static void times(const struct cli *c, const struct wb_report *r)
{
	char number[32], shape[4 * BAR + 1];
	const struct wb_time *t = &r->time;
	uint64_t issued = t->stalls[0], empty = t->stalls[wb_stalls() - 1], resident = t->slot_cycles - empty;
	if (!t->slot_cycles)
		return;
	printf("\n%sWhere the time went%s: %s warp cycles, %.1f warps resident on average (%" PRIu32 " predicted)%s\n",
	       tint(c, TINT_BOLD), tint(c, TINT_NONE), grouped(number, resident), t->warps_mean, r->occupancy.warps,
	       is_warm(c) ? ", code cache filled" : "");
	for (unsigned i = 0; i + 1 < wb_stalls(); i++)
		if (t->stalls[i] || c->verbose)
			printf("  %16s  %-14s %5.1f %%  %s%s%s  %s%s%s\n", grouped(number, t->stalls[i]),
			       wb_stall_name(i), 100 * share(t->stalls[i], resident),
			       tint(c, t->stalls[i] == issued ? TINT_GOOD : TINT_WARM),
			       bar(shape, share(t->stalls[i], resident), BAR), tint(c, TINT_NONE), tint(c, TINT_DIM),
			       wb_stall_text(i), tint(c, TINT_NONE));
}

static uint64_t lost_to_branches(const struct wb_report *r)
{
	return r->bill.branched_off + r->bill.brk + r->bill.ret + r->bill.exited;
}

double report_counter(const struct wb_report *r, const char *name)
{
	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	return 0;
}

int report_line(const struct wb_report *r, uint32_t pc)
{
	for (unsigned i = 0; i < r->npcs; i++)
		if (r->pcs[i].pc == pc)
			return r->pcs[i].line;
	return 0;
}

/* "(line 5)", with its text where a compiler stands between the two. */
static void line_note(const struct cli *c, const char *source, int line)
{
	char text[160];
	int n, length = 0;
	const char *from;
	if (!line || !source) {
		printf(line ? "  (line %d)\n" : "\n", line);
		return;
	}
	from = source_line(source, line, &n);
	/* several blanks within a sentence are one */
	for (const char *end = from + n; from < end && length + 1 < (int)sizeof text; from++) {
		bool blank = *from == ' ' || *from == '\t';
		if (!blank || (length && text[length - 1] != ' '))
			text[length++] = blank ? ' ' : *from;
	}
	text[length] = '\0';
	printf("  %s(line %d: %s)%s\n", tint(c, TINT_DIM), line, shown(text), tint(c, TINT_NONE));
}

static void branches(const struct cli *c, const struct wb_report *r, unsigned most, const char *source)
{
	uint64_t lost = lost_to_branches(r);
	bool unsplit = false;
	if (!r->nbranches || !lost)
		return;
	char number[32];
	printf("\n%sLost lane slots by branch%s\n  %16s  %6s  %8s  %8s\n", tint(c, TINT_BOLD), tint(c, TINT_NONE),
	       "lost slots", "", "splits", "pc");
	for (unsigned i = 0; i < r->nbranches && i < most; i++) {
		const struct wb_branch *b = &r->branches[i];
		int line = report_line(r, b->pc);
		char splits[24] = "all";
		if (b->splits)
			snprintf(splits, sizeof splits, "%" PRIu64, b->splits);
		printf("  %16s %5.1f %%  %8s  %#8" PRIx32 "  %s", grouped(number, b->lost), 100 * share(b->lost, lost),
		       splits, b->pc, shown(b->text));
		line_note(c, source, line);
		unsplit |= !b->splits;
	}
	if (unsplit)
		printf("  %sall: never split; every lane left, and the warp went on without lanes%s\n",
		       tint(c, TINT_DIM), tint(c, TINT_NONE));
	if (r->nbranches > most)
		printf("  %s%u more: warpbeam bill%s\n", tint(c, TINT_DIM), r->nbranches - most, tint(c, TINT_NONE));
}

/* Estimates, each for its cause alone. */
static void advice(const struct cli *c, const struct wb_report *r)
{
	struct advice a[ADVICE_MOST];
	unsigned n = advice_of(r, a);

	if (n)
		printf("\n%sWhat would help%s: estimates, each alone\n", tint(c, TINT_BOLD), tint(c, TINT_NONE));
	for (unsigned i = 0; i < n; i++)
		printf("  %14.0f %%  of the %s: %s\n%20s%s%s%s\n", 100 * a[i].gain, a[i].of, a[i].cause, "",
		       tint(c, TINT_DIM), a[i].remedy, tint(c, TINT_NONE));
}

void report_text(const struct cli *c, const struct session *s)
{
	const struct wb_report *r = s->report;
	const char *source = session_source(s);

	report_headline(c, r);
	putchar('\n');
	counters(c, r);
	putchar('\n');
	bill(c, r);
	branches(c, r, c->verbose ? r->nbranches : TOP_BRANCHES, source);
	times(c, r);
	advice(c, r);
}

void report_bill(const struct cli *c, const struct session *s)
{
	const struct wb_report *r = s->report;

	report_headline(c, r);
	putchar('\n');
	bill(c, r);
	branches(c, r, r->nbranches, session_source(s));
}

void report_troubles(const struct cli *c, const struct wb_report *r)
{
	const struct wb_execution *x = &r->execution;
	unsigned most = c->verbose || r->nwaits <= TOP_WAITS ? r->nwaits : TOP_WAITS;
	for (unsigned i = 0; i < most; i++)
		fprintf(stderr, "warpbeam:   %s\n", shown(r->waits[i]));
	if (most < r->nwaits)
		fprintf(stderr, "warpbeam:   and %u more warps (-v lists them)\n", r->nwaits - most);
	for (unsigned i = 0; !c->quiet && i < r->nwarnings; i++)
		fprintf(stderr, "warpbeam: warning: %s\n", shown(r->warnings[i]));
	if (x->single_thread_reason && !c->quiet)
		fprintf(stderr, "warpbeam: note: run on one host thread: %s\n", x->single_thread_reason);
	if (x->precise_reason && c->verbose)
		fprintf(stderr, "warpbeam: note: executed instruction by instruction: %s\n", x->precise_reason);
}
