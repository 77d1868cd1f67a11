/* The timeline of a page: issues of a multiprocessor as bars as high as their lanes, waits as lines in the colour of
 * what most of them were for. Few issues are marks of their own; many are summed up in columns. */
#include "frontends/cli/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 21, SINGLE = 1500, COLUMNS = 300, WIDTH = 1200, LEFT = 64, ROW = 22, BAR = 16, TOP = 4, AXIS = 18 };

static void forget(struct html_timeline *t)
{
	t->n = 0;
	t->more = false;
	memset(t->end_of, 0, sizeof t->end_of);
}

void html_record(void *context, const struct wb_chunk *c)
{
	struct html_timeline *t = context;
	struct wb_events *r;
	struct wb_event e;
	if (!c->bytes) {
		forget(t);
		return;
	}
	if (!(r = wb_events_open(c->bytes, c->size)))
		no_memory();
	while (wb_events_next(r, &e, NULL)) {
		if (e.kind != WB_EVENT_ISSUE || e.mp >= HTML_MPS)
			continue;
		t->end_of[e.mp] = e.cycle > t->end_of[e.mp] ? e.cycle : t->end_of[e.mp];
		if (t->n == MOST) {
			t->more = true;
			continue;
		}
		if (t->n == t->space) {
			t->space = t->space ? 2 * t->space : 4096;
			t->issue = grow(t->issue, t->space * sizeof *t->issue);
		}
		t->issue[t->n++] = (struct html_issue){
			.cycle = e.cycle, .active = e.active, .executed = e.executed, .pc = (uint32_t)e.pc,
			.block = (uint32_t)e.block,
			.waited = (uint32_t)e.waited, .mp = (uint16_t)e.mp, .slot = (uint8_t)e.slot,
			.warp = (uint8_t)e.warp, .lanes = (uint8_t)__builtin_popcountll(e.executed),
			.flow = (uint8_t)e.flow, .reason = (uint8_t)e.reason,
		};
	}
	wb_events_close(r);
}

void html_choose(struct html_timeline *t)
{
	size_t n = 0;
	for (unsigned mp = 1; mp < HTML_MPS; mp++)
		t->mp = t->end_of[mp] > t->end_of[t->mp] ? mp : t->mp;
	t->slots = 0;
	t->end = 0;
	for (size_t i = 0; i < t->n; i++) {
		if (t->issue[i].mp != t->mp)
			continue;
		t->issue[n++] = t->issue[i];
		t->slots = t->issue[i].slot >= t->slots ? t->issue[i].slot + 1u : t->slots;
		t->end = t->issue[i].cycle > t->end ? t->issue[i].cycle : t->end;
	}
	t->n = n;
}

struct axis {
	uint64_t begin, end;
	uint32_t gap;           /* cycles of an issue */
	unsigned lanes;
	bool blocks;            /* warps have numbers within blocks: not those of a shader */
};

static double place(const struct axis *a, uint64_t cycle)
{
	return LEFT + (double)(cycle - a->begin) * (WIDTH - LEFT) / (double)(a->end - a->begin);
}

static void rect(FILE *f, const char *class, double x, double y, double w, double h)
{
	fprintf(f, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>", class, x, y,
		w < 0.6 ? 0.6 : w, h < 1 ? 1 : h);
}

static void name(FILE *f, const struct wb_launch *l, uint32_t pc)
{
	struct wb_code code;
	fprintf(f, "0x%" PRIx32, pc);
	if (!wb_launch_code(l, pc, &code))
		return;
	fputc(' ', f);
	html_text(f, code.text);
	if (code.line)
		fprintf(f, " (line %d)", code.line);
}

static const char *warp(char text[32], const struct axis *a, const struct html_issue *i)
{
	snprintf(text, 32, a->blocks ? "b%" PRIu32 " w%u" : "w%" PRIu32, i->block, i->warp);
	return text;
}

static const char *what(const struct html_issue *i)
{
	return i->flow & WB_FLOW_DIVERGED ? ": its lanes part here"
	       : i->flow & WB_FLOW_REJOIN ? ": arrives at its join"
	       : i->flow & WB_FLOW_MERGED ? ": its paths have met"
					  : "";
}

/* Each issue, and the wait before it. */
static void singles(FILE *f, const struct html_timeline *t, const struct axis *a, const struct wb_launch *l)
{
	for (size_t k = 0; k < t->n; k++) {
		const struct html_issue *i = &t->issue[k];
		double x = place(a, i->cycle), y = TOP + i->slot * ROW, h = (double)i->lanes * BAR / a->lanes;
		char class[8], of[32];
		if (i->waited && i->waited <= i->cycle - a->begin) {
			snprintf(class, sizeof class, "s%u", i->reason);
			rect(f, class, place(a, i->cycle - i->waited), y + BAR, x - place(a, i->cycle - i->waited), 3);
			fprintf(f, "%s waits %" PRIu32 " cycles from %" PRIu64 " on, mostly: %s; next ",
				warp(of, a, i), i->waited, i->cycle - i->waited, wb_stall_text(i->reason));
			name(f, l, i->pc);
			fputs("</title></rect>\n", f);
		}
		rect(f, i->flow & WB_FLOW_DIVERGED ? "split" : i->flow & WB_FLOW_REJOIN ? "rejoin" : "issue", x,
		     y + BAR - h, place(a, i->cycle + a->gap) - x, h);
		fprintf(f, "cycle %" PRIu64 ", %s: ", i->cycle, warp(of, a, i));
		name(f, l, i->pc);
		fprintf(f, "; %u of %u lanes%s</title></rect>\n", i->lanes, a->lanes, what(i));
	}
}

struct column {
	uint64_t lanes, wait[WB_STALLS];
	uint32_t issues, splits;
};

static struct column *columns_of(const struct html_timeline *t, const struct axis *a)
{
	struct column *all = memset(grow(NULL, t->slots * COLUMNS * sizeof *all), 0, t->slots * COLUMNS * sizeof *all);
	for (size_t k = 0; k < t->n; k++) {
		const struct html_issue *i = &t->issue[k];
		uint64_t at = (i->cycle - a->begin) * COLUMNS / (a->end - a->begin);
		uint64_t from = (i->cycle - i->waited - a->begin) * COLUMNS / (a->end - a->begin);
		struct column *row = all + (size_t)i->slot * COLUMNS;
		row[at].issues++;
		row[at].lanes += i->lanes;
		row[at].splits += (i->flow & WB_FLOW_DIVERGED) != 0;
		for (; i->waited <= i->cycle - a->begin && from <= at && i->waited; from++)
			row[from].wait[i->reason] += i->waited;
	}
	return all;
}

static unsigned most_of(const uint64_t wait[WB_STALLS])
{
	unsigned most = 0;
	for (unsigned k = 1; k < wb_stalls(); k++)
		most = wait[k] > wait[most] ? k : most;
	return most;
}

static void summed(FILE *f, const struct html_timeline *t, const struct axis *a)
{
	struct column *all = columns_of(t, a);
	double w = (double)(WIDTH - LEFT) / COLUMNS;
	for (unsigned slot = 0; slot < t->slots; slot++)
		for (unsigned x = 0; x < COLUMNS; x++) {
			const struct column *c = &all[slot * COLUMNS + x];
			uint64_t from = a->begin + x * (a->end - a->begin) / COLUMNS;
			double mean = c->issues ? (double)c->lanes / c->issues : 0, h = mean * BAR / a->lanes;
			unsigned reason = most_of(c->wait);
			char class[16];
			if (c->issues) {
				rect(f, c->splits ? "split" : "issue", LEFT + x * w, TOP + slot * ROW + BAR - h, w, h);
				fprintf(f, "from cycle %" PRIu64 ": %" PRIu32 " issues of %.1f lanes, %" PRIu32
					" splits</title></rect>\n", from, c->issues, mean, c->splits);
			}
			if (!c->wait[reason])
				continue;
			snprintf(class, sizeof class, "s%u", reason);
			rect(f, class, LEFT + x * w, TOP + slot * ROW + BAR, w, 3);
			fprintf(f, "from cycle %" PRIu64 ", mostly: %s</title></rect>\n", from, wb_stall_text(reason));
		}
	free(all);
}

/* About ten round numbers. */
static void ticks(FILE *f, const struct axis *a, int y)
{
	uint64_t span = a->end - a->begin, step = 1;
	for (unsigned k = 0; span / step > 10; k++)
		step = k % 3 == 1 ? step / 2 * 5 : step * 2;
	for (uint64_t c = (a->begin + step - 1) / step * step; c < a->end; c += step) {
		char number[32];
		fprintf(f, "<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", place(a, c),
			place(a, c), TOP, y);
		if (place(a, c) + LEFT < WIDTH)
			fprintf(f, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", place(a, c) + 2, y + AXIS - 6,
				grouped(number, c));
	}
}

/* The warp of a slot; of several warps one after the other, the slot. */
static const char *row_name(char text[32], const struct html_timeline *t, const struct axis *a, unsigned slot)
{
	const struct html_issue *only = NULL;
	snprintf(text, 32, "slot %u", slot);
	for (size_t k = 0; k < t->n; k++) {
		const struct html_issue *i = &t->issue[k];
		if (i->slot != slot)
			continue;
		if (only && (i->block != only->block || i->warp != only->warp))
			return text;
		only = i;
	}
	return only ? warp(text, a, only) : text;
}

void html_timeline(FILE *f, const struct html_timeline *t, const struct wb_launch *l, const struct wb_report *r,
		   const uint64_t span[2])
{
	struct wb_machine machine;
	char of[32];
	int height = TOP + (int)t->slots * ROW;
	if (!t->n)
		return;
	wb_launch_machine(l, &machine);
	struct axis a = {span[0], span[1] + machine.issue_cycles, machine.issue_cycles, r->launch.warp_lanes,
			 .blocks = !r->launch.stage};
	fprintf(f, "<div class=\"wide\" tabindex=\"0\"><svg class=\"timeline\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\" role=\"img\" aria-label=\"Timeline: warps by cycles\">\n",
		WIDTH, height + AXIS, WIDTH, height + AXIS);
	for (unsigned slot = 0; slot < t->slots; slot++)
		fprintf(f, "<text x=\"0\" y=\"%d\">%s</text><line class=\"rule\" x1=\"%d\" x2=\"%d\" y1=\"%d\" "
			"y2=\"%d\"/>\n",
			TOP + (int)slot * ROW + BAR - 2, row_name(of, t, &a, slot), LEFT, WIDTH,
			TOP + (int)slot * ROW + BAR, TOP + (int)slot * ROW + BAR);
	ticks(f, &a, height);
	if (t->n <= SINGLE)
		singles(f, t, &a, l);
	else
		summed(f, t, &a);
	fputs("</svg></div>\n<output class=\"mark\" hidden></output>\n", f);
}
