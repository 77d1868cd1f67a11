/* Occupancy: how many warps fit, the limit, the changes that would help, and the warps that really were resident. */
#include <stdio.h>
#include <string.h>

#include "frontends/view/pane.h"

struct need {
	uint32_t threads, regs, warp_regs, smem;
};

static bool query(const struct model *m, struct need n, struct wb_occupancy *o)
{
	const struct wb_block_needs b = {n.threads, n.regs, n.warp_regs, n.smem};
	struct wb_diag d;
	const char *chip = m->costs->launch.chip;
	return chip && wb_occupancy(chip, &b, "xls", o, &d) == WB_OK;
}

/* The nearest smaller number of registers, or bytes of shared memory, that lets more warps in; 0: none. */
static uint32_t next_step(const struct model *m, struct need n, bool regs, const struct wb_occupancy *o,
			  uint32_t *warps)
{
	uint32_t *which = regs ? &n.regs : &n.smem, unit = regs ? 1 : 16;
	struct wb_occupancy better;
	*which -= *which % unit ? *which % unit : *which >= unit ? unit : 0;
	for (; *which; *which -= unit)
		if (query(m, n, &better) && better.warps > o->warps) {
			*warps = better.warps;
			return *which;
		}
	return 0;
}

static bool limits(const struct wb_occupancy *o, const char *name)
{
	for (int i = 0; o->limiters[i]; i++)
		if (!strcmp(o->limiters[i], name))
			return true;
	return false;
}

struct limit {
	const char *name, *what;
	uint32_t blocks;
	uint64_t need;
	const char *unit;
};

/* The unit that becomes resident as a whole: a block of a kernel's threads, or a warp of a shader. */
static const char *unit_of(const struct model *m)
{
	return m->terms.blocks ? "block" : "warp";
}

static int limit_rows(struct canvas *c, const struct rect *body, int y, const struct model *m,
		      const struct wb_occupancy *o, struct need n)
{
	char a_thread[16], bytes[24];
	snprintf(a_thread, sizeof a_thread, "a %s", wb_stage_name(m->terms.stage, false));
	snprintf(bytes, sizeof bytes, "bytes a %s", unit_of(m));
	const struct limit rows[] = {
		{"blocks", "block slots", o->limit_blocks, 1, m->terms.blocks ? "a block" : "a warp"},
		{"warps", "warp slots", o->limit_warps, o->warps_per_block,
		 !m->terms.blocks ? "a warp" : o->warps_per_block == 1 ? "warp a block" : "warps a block"},
		{"regs", "registers", o->limit_regs, n.regs, a_thread},
		{"smem", "shared memory", o->limit_smem, n.smem, bytes},
		{"warp-regs", "warp registers", o->limit_warp_regs, n.warp_regs, "a warp"},
	};
	size_t nrows = sizeof rows / sizeof *rows - !n.warp_regs;
	size_t end = (size_t)pane_rows((body->y + body->h - y) / c->rh, (int)nrows);
	pane_more(c, body, y + (int)end * c->rh, (int)(nrows - end), "limits");
	for (size_t i = 0; i < end; i++, y += c->rh) {
		canvas_tip(c, (struct rect){body->x, y, body->w, c->rh},
			   "%s of a multiprocessor are enough for %u %s%s%s", rows[i].what,
			   rows[i].blocks, unit_of(m), rows[i].blocks == 1 ? "" : "s",
			   limits(o, rows[i].name) ? ": this is the limit" : "");
		bool tight = limits(o, rows[i].name);
		uint32_t ink = canvas_role(c, tight ? ROLE_ACCENT : ROLE_TEXT);
		char number[32];
		canvas_text(c, body->x, y, -1, ink, tight ? TEXT_BOLD : 0, tight ? "▶" : " ");
		canvas_text(c, body->x + 2 * c->cw, y, -1, ink, 0, rows[i].what);
		canvas_right(c, body->x + 26 * c->cw, y, ink, 0, "%u %s%s", rows[i].blocks, unit_of(m),
			     rows[i].blocks == 1 ? "" : "s");
		canvas_printf(c, body->x + 28 * c->cw, y, body->w - 28 * c->cw, canvas_role(c, ROLE_DIM), 0, "%s %s",
			      pane_number(number, rows[i].need), rows[i].unit);
	}
	return end < nrows ? y + c->rh : y;
}

static int advice(struct canvas *c, const struct rect *body, int y, const struct model *m, struct need n,
		  const struct wb_occupancy *o)
{
	uint32_t warps = 0, value = next_step(m, n, true, o, &warps), dim = canvas_role(c, ROLE_DIM);
	char unit[32];
	snprintf(unit, sizeof unit, "registers a %s", wb_stage_name(m->terms.stage, false));
	if (!value) {
		value = next_step(m, n, false, o, &warps);
		snprintf(unit, sizeof unit, "bytes of shared memory");
	}
	if (y + c->rh > body->y + body->h)
		return y;
	if (o->percent >= 100)
		canvas_text(c, body->x, y, body->w, dim, 0, "next step: none, every warp slot is used");
	else if (value)
		canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_TEXT), 0, "next step: %u %s → %u warps",
			      value, unit, warps);
	else
		return pane_wrap(c, *body, y, dim, 0, "next step: fewer registers or bytes alone do not help");
	return y + c->rh;
}

bool occupancy_why(const struct wb_report *r, char *text, size_t size)
{
	const struct wb_occupancy *o = &r->occupancy;
	double places = (double)r->launch.mps * o->blocks, each = (double)r->launch.blocks / r->launch.mps;
	const char *unit = r->launch.stage ? "warp" : "block", *s = r->launch.blocks == 1 ? "" : "s";
	char number[32], of[48] = "";

	if (!o->blocks || !r->time.slot_cycles || r->time.warps_mean + 0.5 >= o->warps)
		return false;
	pane_number(number, r->launch.blocks);
	if (r->launch.mps > 1)
		snprintf(of, sizeof of, " for %u multiprocessors, %.*f each", r->launch.mps, each != (uint32_t)each,
			 each);
	if (r->launch.blocks < places)
		snprintf(text, size, "there %s %s %s%s%s, and %u would fit%s", *s ? "are" : "is", number, unit, s, of,
			 o->blocks, r->time.warps_mean < 0.85 * each * o->warps_per_block ? "; some end early" : "");
	else if (r->launch.blocks < 4 * places)
		snprintf(text, size, "the %s %ss fill the %.0f places %.1f times: at the end places stay empty", number,
			 unit, places, r->launch.blocks / places);
	else
		snprintf(text, size, "%ss end at different times, and at the end no more come", unit);
	return true;
}

/* What the machine's rules allow, as a sentence and a bar; returns the y behind. */
static int possible(struct canvas *c, const struct rect *body, int y, const struct model *m,
		    const struct wb_occupancy *o, int most)
{
	if (m->terms.blocks)
		canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_TEXT), TEXT_BOLD,
			      "%u block%s × %u warp%s = %u of %d warps, %.0f %%", o->blocks,
			      o->blocks == 1 ? "" : "s", o->warps_per_block, o->warps_per_block == 1 ? "" : "s",
			      o->warps, most, o->percent);
	else
		canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_TEXT), TEXT_BOLD,
			      "%u of %d warps of %s, %.0f %%", o->warps, most, wb_stage_name(m->terms.stage, true),
			      o->percent);
	canvas_tip(c, (struct rect){body->x, y, body->w, 2 * c->rh},
		   "occupancy: warps that are resident at once, of the %d that a multiprocessor has slots for", most);
	y += c->rh;
	canvas_bar(c, (struct rect){body->x, y + 3 * c->hair, body->w, c->rh - 6 * c->hair}, o->percent / 100,
		   canvas_role(c, ROLE_GOOD));
	return y + c->rh + 2 * c->hair;
}

/* What the run had, with the reason where the run had less; returns the y behind. */
static int measured(struct canvas *c, const struct rect *body, int y, const struct wb_report *r, int most)
{
	char why[160];

	canvas_printf(c, body->x, y, body->w, canvas_role(c, ROLE_DIM), 0, "measured: %.1f warps resident on average",
		      r->time.warps_mean);
	canvas_tip(c, (struct rect){body->x, y, body->w, 2 * c->rh},
		   "over the whole run, its start and its tail included, in which slots are empty");
	y += c->rh;
	canvas_bar(c, (struct rect){body->x, y + 3 * c->hair, body->w, c->rh - 6 * c->hair}, r->time.warps_mean / most,
		   lane_looks[LANE_PREDICATED].colour);
	y += c->rh + 2 * c->hair;
	if (occupancy_why(r, why, sizeof why) && y + c->rh <= body->y + body->h)
		y = pane_wrap(c, *body, y, canvas_role(c, ROLE_TEXT), 0, why) + 2 * c->hair;
	return y;
}

void pane_occupancy(struct canvas *c, const struct box *b, const struct model *m, const struct view *v)
{
	const struct rect *body = &b->body;
	const struct wb_report *r = m->costs;
	const uint32_t *block = r->launch.block;
	struct need n = {block[0] * block[1] * block[2], m->machine.registers, r->launch.warp_registers,
			 m->machine.shared_bytes};
	struct wb_occupancy o;
	int y = body->y, bottom = body->y + body->h;
	(void)v;
	if (!query(m, n, &o)) {
		if (m->terms.blocks)
			pane_note(c, b, "%u warps a block", m->machine.warps_per_block);
		pane_empty(c, b, "No rules of allocation are known for this machine.");
		return;
	}
	int most = o.percent > 0 ? (int)(o.warps * 100 / o.percent + 0.5) : 0;
	pane_note(c, b, m->terms.blocks ? "%s · blocks and warps of one MP" : "%s · warps of one MP", r->launch.chip);
	y = possible(c, body, y, m, &o, most);
	if (r->time.warps_mean > 0 && most && y + c->rh <= bottom)
		y = measured(c, body, y, r, most);
	if (y + c->rh <= bottom)
		canvas_text(c, body->x + 2 * c->cw, y, body->w, canvas_role(c, ROLE_DIM), 0,
			    "limit             allows  needs");
	y = limit_rows(c, body, y + c->rh, m, &o, n);
	canvas_tip(c, (struct rect){body->x, y, body->w, 2 * c->rh},
		   "the next smaller need with which more warps are resident");
	advice(c, body, y + c->rh / 2 * c->hair, m, n, &o);
}
