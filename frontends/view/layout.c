/* Tables of rectangles, chosen by the canvas's size in characters. A rectangle's edges are percentages of the whole,
 * computed by the same formula as the neighbour's, so that gaps are equal at every size. */
#include "frontends/view/layout.h"

/* A layout: rectangles in percent of the area between the sentence at the top and the last line, and the panes of each;
 * the first pane is shown unless another has been brought to the front. NONE ends a list. */
#define NONE PANES
struct place {
	int x, y, w, h;
	enum pane tab[TABS];
};

static const struct place small[] = {
	{0, 0, 59, 40, {PANE_board, PANE_map, NONE}},
	{59, 0, 41, 40, {PANE_stack, PANE_shared, PANE_watch}},
	{0, 40, 100, 24, {PANE_timeline, NONE, NONE}},
	{0, 64, 55, 36, {PANE_annotate, PANE_source, NONE}},
	{55, 64, 45, 36, {PANE_bill, PANE_why, PANE_occupancy}},
	{0, 0, 0, 0, {NONE, NONE, NONE}},
};
static const struct place middle[] = {
	{0, 0, 56, 35, {PANE_board, PANE_map, NONE}},
	{56, 0, 44, 16, {PANE_stack, NONE, NONE}},
	{56, 16, 44, 19, {PANE_watch, PANE_shared, NONE}},
	{0, 35, 100, 31, {PANE_timeline, NONE, NONE}},
	{0, 66, 56, 34, {PANE_annotate, PANE_source, NONE}},
	{56, 66, 44, 34, {PANE_bill, PANE_why, PANE_occupancy}},
	{0, 0, 0, 0, {NONE, NONE, NONE}},
};
static const struct place large[] = {
	{0, 0, 40, 36, {PANE_board, PANE_map, NONE}},       {40, 0, 25, 18, {PANE_stack, NONE, NONE}},
	{65, 0, 35, 36, {PANE_watch, NONE, NONE}},      {40, 18, 25, 18, {PANE_shared, NONE, NONE}},
	{0, 36, 100, 24, {PANE_timeline, NONE, NONE}},  {0, 60, 40, 40, {PANE_annotate, PANE_source, NONE}},
	{40, 60, 22, 40, {PANE_bill, NONE, NONE}},      {62, 60, 20, 40, {PANE_why, NONE, NONE}},
	{82, 60, 18, 40, {PANE_occupancy, NONE, NONE}}, {0, 0, 0, 0, {NONE, NONE, NONE}},
};

/* A phone, or large letters: one pane under another, in a canvas as high as all need. */
static const struct place narrow[] = {
	{0, 0, 100, 17, {PANE_board, PANE_map, NONE}},
	{0, 17, 100, 16, {PANE_stack, PANE_shared, PANE_watch}},
	{0, 33, 100, 27, {PANE_annotate, PANE_source, NONE}},
	{0, 60, 100, 20, {PANE_timeline, NONE, NONE}},
	{0, 80, 100, 20, {PANE_bill, PANE_why, PANE_occupancy}},
	{0, 0, 0, 0, {NONE, NONE, NONE}},
};

/* Programs from a compiler: the source beside the instructions, and in a small canvas in front of the instructions. */
static const struct place compiled_small[] = {
	{0, 0, 59, 40, {PANE_board, PANE_map, NONE}},
	{59, 0, 41, 40, {PANE_stack, PANE_shared, PANE_watch}},
	{0, 40, 100, 24, {PANE_timeline, NONE, NONE}},
	{0, 64, 55, 36, {PANE_source, PANE_annotate, NONE}},
	{55, 64, 45, 36, {PANE_bill, PANE_why, PANE_occupancy}},
	{0, 0, 0, 0, {NONE, NONE, NONE}},
};
static const struct place compiled_middle[] = {
	{0, 0, 59, 34, {PANE_board, PANE_map, NONE}},
	{59, 0, 41, 34, {PANE_stack, PANE_shared, PANE_watch}},
	{0, 34, 100, 22, {PANE_timeline, NONE, NONE}},
	{0, 56, 38, 44, {PANE_source, NONE, NONE}},
	{38, 56, 34, 44, {PANE_annotate, NONE, NONE}},
	{72, 56, 28, 44, {PANE_bill, PANE_why, PANE_occupancy}},
	{0, 0, 0, 0, {NONE, NONE, NONE}},
};
static const struct place compiled_large[] = {
	{0, 0, 40, 36, {PANE_board, PANE_map, NONE}},       {40, 0, 25, 18, {PANE_stack, NONE, NONE}},
	{65, 0, 35, 36, {PANE_watch, NONE, NONE}},      {40, 18, 25, 18, {PANE_shared, NONE, NONE}},
	{0, 36, 100, 24, {PANE_timeline, NONE, NONE}},  {0, 60, 30, 40, {PANE_source, NONE, NONE}},
	{30, 60, 28, 40, {PANE_annotate, NONE, NONE}},  {58, 60, 22, 40, {PANE_bill, PANE_why, NONE}},
	{80, 60, 20, 40, {PANE_occupancy, NONE, NONE}}, {0, 0, 0, 0, {NONE, NONE, NONE}},
};

/* Two runs: one timeline above the other. */
static const struct place two[] = {
	{0, 0, 100, 62, {PANE_timeline, NONE, NONE}},
	{0, 62, 55, 38, {PANE_annotate, PANE_source, PANE_board}},
	{55, 62, 45, 38, {PANE_bill, PANE_why, PANE_occupancy}},
	{0, 0, 0, 0, {NONE, NONE, NONE}},
};

static const struct place *choose(const struct canvas *c, const struct view *v)
{
	if (v->against)
		return two;

	enum { NARROW_COLUMNS = 82, NARROW_ROWS = 60 };       /* beside another pane 32 lanes need 82 */
	int columns = c->w / c->cw, rows = c->h / c->rh;
	if (columns < NARROW_COLUMNS && rows >= NARROW_ROWS)
		return narrow;
	if (v->compiled)
		return columns >= 260 && rows >= 62   ? compiled_large
		       : columns >= 140 && rows >= 40 ? compiled_middle
						      : compiled_small;
	return columns >= 260 && rows >= 62 ? large : columns >= 175 && rows >= 44 ? middle : small;
}

/* For few rows: the focused pane, with the panes of its place in `small`, and the timeline. */
static void few_rows(const struct view *v, struct place out[3])
{
	const struct place *p = small;
	for (int i = 0; p->w && p->tab[i] != v->focus;)
		if (++i == TABS || p->tab[i] == NONE) {
			i = 0;
			p++;
		}
	out[0] = !p->w || p->tab[0] == PANE_timeline ? small[0] : *p;
	out[0].x = out[0].y = 0;
	out[0].w = 100;
	out[0].h = 50;
	out[1] = (struct place){0, 50, 100, 50, {PANE_timeline, NONE, NONE}};
	out[2] = (struct place){.w = 0};
}

static enum pane front_of(const struct place *p, const struct view *v)
{
	for (int i = 0; i < TABS && p->tab[i] != NONE; i++)
		for (size_t k = 0; k < sizeof v->front / sizeof *v->front; k++)
			if (p->tab[i] == v->front[k])
				return p->tab[i];
	return p->tab[0];
}

static void add(struct layout *l, struct rect at, const struct place *p, enum pane shown)
{
	struct spot *s = &l->spot[l->n++];
	*s = (struct spot){.rect = at, .shown = shown};
	while (s->ntabs < TABS && p->tab[s->ntabs] != NONE) {
		s->tab[s->ntabs] = p->tab[s->ntabs];
		s->ntabs++;
	}
}

void layout_make(struct layout *l, const struct canvas *c, const struct view *v)
{
	int gap = c->pixel ? 4 : 0, beside = c->pixel ? gap : 1, bar = c->rh + (c->pixel ? 7 : 0);
	const struct place *chosen = choose(c, v);
	int title = c->rh + 3 * c->hair, explain = title + (chosen == narrow ? 3 : 2) * c->rh + 2 * c->pad;
	struct rect all = {gap, bar, c->w - 2 * gap, c->h - bar - c->rh - (c->pixel ? 5 : 0)};
	static const struct place sentence = {0, 0, 0, 0, {PANE_explain, NONE, NONE}};
	if (v->still && v->alone)
		all.h = c->h - bar - gap;
	*l = (struct layout){.header = {0, 0, c->w, bar}, .footer = {0, all.y + all.h, c->w, c->h - all.y - all.h}};
	if (v->alone) {
		struct place p = {0, 0, 0, 0, {v->focus, NONE, NONE}};
		add(l, all, &p, v->focus);
		return;
	}
	add(l, (struct rect){all.x, all.y, all.w, explain}, &sentence, PANE_explain);
	all.y += explain + gap;
	all.h -= explain + gap;
	enum { FEW = 20 };
	struct place few[3];
	few_rows(v, few);
	for (const struct place *p = c->h / c->rh < FEW && !v->against ? few : chosen; p->w; p++) {
		int x0 = all.x + p->x * (all.w + beside) / 100,
		    x1 = all.x + (p->x + p->w) * (all.w + beside) / 100 - beside;
		int y0 = all.y + p->y * (all.h + gap) / 100, y1 = all.y + (p->y + p->h) * (all.h + gap) / 100 - gap;
		add(l, (struct rect){x0, y0, x1 - x0, y1 - y0}, p, front_of(p, v));
	}
}

struct box layout_box(const struct canvas *c, const struct rect *at)
{
	int title = c->rh + 3 * c->hair, side = c->pixel ? c->pad : 0;
	return (struct box){
		.title = {at->x + side, at->y + c->hair, at->w - 2 * side, title},
		.body = {at->x + side, at->y + title + c->pad - 2 * c->hair, at->w - 2 * side,
			 at->h - title - 2 * c->pad + 3 * c->hair},
	};
}
