/* A run by the lines of the source: the cost of each line, below the line the compiled instructions. For sources in
 * OpenCL C and in PTX; a source in assembly is a listing already. */
#include "frontends/cli/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/source.h"

enum { HEAT = 8, GAP = 12 };    /* lines without instructions that are shown in between */

/* What the instructions of a line come to. */
struct line_cost {
	uint64_t issues, threads, lost, stalled, heat;
	unsigned instructions;
};

/* The source of a compiled program; NULL: none, or assembly. */
const char *session_source(const struct session *s)
{
	return s->launch && wb_launch_compiled(s->launch) ? wb_launch_source(s->launch) : NULL;
}

static struct line_cost cost_of(const struct wb_report *r, int line, enum heat heat)
{
	struct line_cost c = {0};

	for (unsigned i = 0; i < r->npcs; i++) {
		const struct wb_pc *p = &r->pcs[i];
		if (p->line != line)
			continue;
		c.instructions++;
		c.issues += p->issues;
		c.threads += p->threads;
		c.lost += p->lost;
		c.stalled += heat_stalled(p);
		c.heat += heat_value(heat, p);
	}
	return c;
}

static int last_line(const struct wb_report *r)
{
	int last = 0;

	for (unsigned i = 0; i < r->npcs; i++)
		last = r->pcs[i].line > last ? r->pcs[i].line : last;
	return last;
}

static int next_line(const struct wb_report *r, int after)
{
	int next = 0;

	for (unsigned i = 0; i < r->npcs; i++)
		if (r->pcs[i].line > after && (!next || r->pcs[i].line < next))
			next = r->pcs[i].line;
	return next;
}

/* The sums of a line of the source, or of the instructions of no line (line 0). */
static void line_row(const struct cli *c, const char *source, int line, const struct line_cost *k, uint64_t most)
{
	char shape[4 * HEAT + 1], issues[32] = "", lost[32] = "", stalled[32] = "", lanes[16] = "", text[400];
	char number[16] = "";
	double heat = most ? (double)k->heat / (double)most : 0;
	int n;
	const char *from = source_line(source, line, &n);

	source_expand(text, sizeof text, line ? from : "of no line:", line ? n : (int)sizeof "of no line:" - 1);
	if (line)
		snprintf(number, sizeof number, "%d", line);
	if (k->issues) {
		grouped(issues, k->issues);
		snprintf(lanes, sizeof lanes, "%.1f", (double)k->threads / (double)k->issues);
	}
	if (k->lost)
		grouped(lost, k->lost);
	if (k->stalled)
		grouped(stalled, k->stalled);
	printf("%s%s%s %7s %10s %5s %10s %10s  %s%s%s\n", tint(c, heat > 0.25 ? TINT_HOT : TINT_WARM),
	       padded_bar(shape, heat, HEAT), tint(c, TINT_NONE), number, issues, lanes, lost, stalled,
	       tint(c, k->issues ? TINT_BOLD : TINT_DIM), shown(text), tint(c, TINT_NONE));
}

/* Print the PTX of an instruction of a source in C, if the instruction before came of another line. */
static void other_line(const struct cli *c, const struct wb_launch *l, uint32_t pc, int *before)
{
	int line, n;
	const char *from = wb_launch_beside(l, pc, &line, &n);
	char text[400];

	if (!from || line == *before)
		return;
	*before = line;
	source_expand(text, sizeof text, from, n);
	printf("%s%*s ptx %d: %s%s\n", tint(c, TINT_DIM), HEAT + 48, "", line, shown(text + strspn(text, " ")),
	       tint(c, TINT_NONE));
}

static void instructions_of(const struct cli *c, const struct wb_report *r, const struct wb_launch *l, int line)
{
	int before = 0;

	for (unsigned i = 0; i < r->npcs; i++) {
		const struct wb_pc *p = &r->pcs[i];
		char issues[32], lost[32], stalled[32], split[64] = "", reasons[400];
		if (p->line != line)
			continue;
		if (p->taken + p->not_taken + p->diverged)
			snprintf(split, sizeof split, "  %" PRIu64 "/%" PRIu64 "/%" PRIu64, p->taken, p->not_taken,
				 p->diverged);
		heat_notes(r, p, reasons, sizeof reasons);
		other_line(c, l, p->pc, &before);
		printf("%s%*s %10s %5.1f %10s %10s     %6" PRIx32 "  %s%s%s%s%s\n", tint(c, TINT_DIM), HEAT + 8, "",
		       grouped(issues, p->issues), p->lanes_mean, p->lost ? grouped(lost, p->lost) : "",
		       heat_stalled(p) ? grouped(stalled, heat_stalled(p)) : "", p->pc, shown(p->text), split,
		       *reasons ? "  " : "", reasons, tint(c, TINT_NONE));
	}
}

void report_by_line(const struct cli *c, const struct session *s, const char *source, enum heat heat)
{
	const struct wb_report *r = s->report;
	int last = last_line(r), line;
	uint64_t most = 0;

	most = cost_of(r, 0, heat).heat;
	for (line = next_line(r, 0); line; line = next_line(r, line))
		most = cost_of(r, line, heat).heat > most ? cost_of(r, line, heat).heat : most;
	printf("\n%s%-*s %7s %10s %5s %10s %10s  %s%s\n", tint(c, TINT_BOLD), HEAT, "heat", "line", "issues", "lanes",
	       "lost slots", "stalled", "source; under it: pc, instruction, took/not/split, why it stalled",
	       tint(c, TINT_NONE));
	for (line = next_line(r, 0); line && line <= last; line++) {
		struct line_cost k = cost_of(r, line, heat);
		line_row(c, source, line, &k, most);
		instructions_of(c, r, s->launch, line);
		if (next_line(r, line) > line + GAP) {
			printf("%*s %7s\n", HEAT, "", "...");
			line = next_line(r, line) - 1;
		}
	}
	struct line_cost none = cost_of(r, 0, heat);
	if (none.instructions) {
		line_row(c, source, 0, &none, most);
		instructions_of(c, r, s->launch, 0);
	}
}

json_t *report_lines_json(const struct wb_report *r, const char *source)
{
	json_t *a = json_array();

	for (int line = next_line(r, 0); line; line = next_line(r, line)) {
		struct line_cost k = cost_of(r, line, HEAT_LOST);
		json_t *pcs = json_array();
		int n;
		const char *text = source_line(source, line, &n);
		for (unsigned i = 0; i < r->npcs; i++) {
			char pc[16];
			snprintf(pc, sizeof pc, "0x%" PRIx32, r->pcs[i].pc);
			if (r->pcs[i].line == line)
				json_array_append_new(pcs, json_string(pc));
		}
		json_t *t = json_stringn(text, (size_t)n);
		json_array_append_new(a, json_pack("{s:i, s:o, s:I, s:I, s:f, s:I, s:I, s:o}", "line", line, "text",
						   t ? t : json_string(""), "issues", (json_int_t)k.issues, "threads",
						   (json_int_t)k.threads, "lanes_mean",
						   k.issues ? (double)k.threads / (double)k.issues : 0.0, "lost",
						   (json_int_t)k.lost, "stalled", (json_int_t)k.stalled, "pcs", pcs));
	}
	return a;
}
