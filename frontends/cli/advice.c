/* The quantities of advice.def, computed from a report, and its rows in the order of their gains. */
#include "frontends/cli/advice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/report.h"

static const double LEAST = 0.05;

static double most(double a, double b)
{
	return a > b ? a : b;
}

/* Share of the cycles of resident warps. */
static double waited(const struct wb_report *r, const char *reason)
{
	const struct wb_time *t = &r->time;
	uint64_t resident = t->slot_cycles - t->stalls[wb_stalls() - 1];

	for (unsigned i = 0; resident && i < wb_stalls(); i++)
		if (!strcmp(wb_stall_name(i), reason))
			return (double)t->stalls[i] / (double)resident;
	return 0;
}

/* The address at the end of a jump's text; -1: the text is no jump. */
static int64_t jump_target(const char *text)
{
	const char *last = strrchr(text, ' ');

	return strstr(text, "bra") && last && !strncmp(last, " 0x", 3) ? (int64_t)strtoull(last, NULL, 16) : -1;
}

/* A loop reaches from the target of a jump backwards to the jump. A branch of a loop jumps backwards, or out of the
 * loop, or takes lanes that are done out of EXEC. */
static bool ends_loop(const struct wb_report *r, const struct wb_branch *b)
{
	int64_t target = jump_target(b->text);

	if (strstr(b->text, "break") || strstr(b->text, "s_andn2_b64 exec"))
		return true;
	if (target >= 0 && target <= b->pc)
		return true;
	for (unsigned i = 0; i < r->npcs; i++) {
		int64_t begin = jump_target(r->pcs[i].text);
		if (begin >= 0 && begin <= b->pc && r->pcs[i].pc > b->pc && target > r->pcs[i].pc)
			return true;
	}
	return false;
}

/* Of the dearest branch. */
static double dearest(const struct wb_report *r, const char *what)
{
	if (!r->nbranches)
		return 0;
	return !strcmp(what, "loop") ? ends_loop(r, r->branches)
				     : (double)r->branches->lost / (double)r->bill.lane_slots;
}

static double extra_passes(const struct wb_report *r)
{
	double extra = 0;

	for (unsigned i = 0; i < r->naccesses; i++)
		if (r->accesses[i].passes)
			extra += (double)(r->accesses[i].passes - r->accesses[i].groups);
	return r->naccesses ? extra : report_counter(r, "warp_serialize");
}

static double global(const struct wb_report *r, const char *what)
{
	double moved = 0, useful = 0;

	if (!strcmp(what, "busy"))
		return r->time.path_busy;

	for (unsigned i = 0; i < r->naccesses; i++)
		if (!strcmp(r->accesses[i].space, "g")) {
			moved += (double)r->accesses[i].bytes;
			useful += (double)r->accesses[i].useful_bytes;
		}
	return moved > useful ? 1 - useful / moved : 0;
}

static double occupied(const struct wb_report *r, const char *what)
{
	return !strcmp(what, "mps")    ? r->launch.mps
	       : !strcmp(what, "mean") ? r->time.warps_mean
				       : (r->occupancy.warps ? r->occupancy.warps : 1);
}

/* A row's cause with the place of the dearest branch for @. */
static void write_cause(const struct wb_report *r, const char *cause, char out[ADVICE_CAUSE])
{
	const char *at = strchr(cause, '@');
	int line = r->nbranches ? report_line(r, r->branches->pc) : 0;
	char place[40];

	if (!at) {
		snprintf(out, ADVICE_CAUSE, "%s", cause);
		return;
	}
	snprintf(place, sizeof place, line ? "line %" PRIu32 : "pc %#" PRIx32, line ? (uint32_t)line : r->branches->pc);
	snprintf(out, ADVICE_CAUSE, "%.*s%s%s", (int)(at - cause), cause, place, at + 1);
}

unsigned advice_of(const struct wb_report *r, struct advice out[ADVICE_MOST])
{
#define C(name) report_counter(r, #name)
#define W(name) waited(r, #name)
#define T(name) dearest(r, #name)
#define S(name) extra_passes(r)
#define G(name) global(r, #name)
#define O(name) occupied(r, #name)
#define ADVICE(rule, gain, of, cause, remedy) {#rule, of, gain, cause, remedy},
	const struct {
		const char *rule, *of;
		double gain;
		const char *cause, *remedy;
	} rows[] = {
#include "frontends/cli/advice.def"
	};
#undef C
#undef W
#undef T
#undef S
#undef G
#undef O
	unsigned n = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned at = n;
		if (!(rows[i].gain >= LEAST))
			continue;
		while (at && out[at - 1].gain < rows[i].gain)
			at--;
		if (at == ADVICE_MOST)
			continue;
		n += n < ADVICE_MOST;
		memmove(&out[at + 1], &out[at], (n - at - 1) * sizeof *out);
		out[at] = (struct advice){
			.rule = rows[i].rule, .of = rows[i].of, .gain = rows[i].gain, .remedy = rows[i].remedy};
		write_cause(r, rows[i].cause, out[at].cause);
	}
	return n;
}
