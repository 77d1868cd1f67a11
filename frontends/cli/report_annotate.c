/* annotate: what each instruction cost: issues, lanes, lost lane slots, and why warps waited at it, for what result. */
#include <inttypes.h>
#include <stdlib.h>

#include "frontends/cli/report.h"

enum { HEAT = 8, TEXT = 34 };

static void row(const struct cli *c, const struct wb_report *r, const struct wb_pc *p, double heat)
{
	char shape[4 * HEAT + 1], split[64] = "", lost[32], issues[32], stalled[32], reasons[400];
	uint64_t cycles = heat_stalled(p);

	if (p->taken + p->not_taken + p->diverged)
		snprintf(split, sizeof split, "%" PRIu64 "/%" PRIu64 "/%" PRIu64, p->taken, p->not_taken, p->diverged);
	heat_notes(r, p, reasons, sizeof reasons);
	if (p->label)
		printf("%*s%s%s:%s\n", HEAT + (r->time.slot_cycles ? 65 : 54), "", tint(c, TINT_BOLD), shown(p->label),
		       tint(c, TINT_NONE));
	printf("%s%s%s %7" PRIx32 " %10s %5.1f %10s  ", tint(c, heat > 0.25 ? TINT_HOT : TINT_WARM),
	       padded_bar(shape, heat, HEAT), tint(c, TINT_NONE), p->pc, grouped(issues, p->issues), p->lanes_mean,
	       p->lost ? grouped(lost, p->lost) : "");
	if (r->time.slot_cycles)
		printf("%10s ", cycles ? grouped(stalled, cycles) : "");
	printf("%-15s  %s%-*s%s", split, tint(c, p->issues ? TINT_NONE : TINT_DIM), *reasons ? TEXT : 0, shown(p->text),
	       tint(c, TINT_NONE));
	printf(*reasons ? "  %s%s%s\n" : "%s%s%s\n", tint(c, TINT_DIM), reasons, tint(c, TINT_NONE));
}

static void legend(const struct cli *c, const struct wb_report *r, enum heat heat)
{
	char most[32], sum[32];

	printf("\n%sheat (%s): %s; %s in all, a full bar is %s%s\n", tint(c, TINT_DIM), heat_name(heat),
	       heat_text(heat), grouped(sum, heat_sum(heat, r)), grouped(most, heat_most(heat, r)),
	       tint(c, TINT_NONE));
	if (r->time.slot_cycles)
		printf("%sstalled: warp cycles at the instruction without issuing it; behind it why, and from which pc "
		       "came what it waited for%s\n",
		       tint(c, TINT_DIM), tint(c, TINT_NONE));
	if (r->naccesses)
		printf("%ss[], c[]: passes through banks or words, and different bytes asked for; g[], l[]: "
		       "transactions, their bytes, and those asked for%s\n",
		       tint(c, TINT_DIM), tint(c, TINT_NONE));
}

void report_annotate(const struct cli *c, const struct session *s)
{
	const struct wb_report *r = s->report;
	const char *source = session_source(s);
	enum heat heat = heat_settled(heat_find(cli_value(c, "heat")), r);
	uint64_t most = heat_most(heat, r);

	report_headline(c, r);
	if (source) {
		report_by_line(c, s, source, heat);
		legend(c, r, heat);
		return;
	}
	printf("\n%s%-*s %7s %10s %5s %10s  ", tint(c, TINT_BOLD), HEAT, "heat", "pc", "issues", "lanes", "lost slots");
	if (r->time.slot_cycles)
		printf("%10s ", "stalled");
	printf("took/not/split%s\n", tint(c, TINT_NONE));
	for (unsigned i = 0; i < r->npcs; i++)
		row(c, r, &r->pcs[i], most ? (double)heat_value(heat, &r->pcs[i]) / (double)most : 0);
	legend(c, r, heat);
}
