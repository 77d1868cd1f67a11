/* Beside the lanes of a fragment program: the picture so far. Ended pixels have their colour; pixels of the selected
 * warp are marked by the state of their lanes. */
#include "frontends/view/pane.h"

#include <string.h>

enum { LEAST_CHARS = 12, LANES_CHARS = 56 };

/* The place of the picture's pixels: units a pixel, or pixels a unit, as many as fit. */
struct scale {
	uint32_t rect[4];
	int x, y, w, h;         /* of the whole picture, in units */
};

static bool scale_of(const struct canvas *c, struct rect r, const struct model *m, struct scale *s)
{
	if (!wb_launch_rect(m->player->launch, s->rect))
		return false;
	/* A cell is twice as high as wide. */
	int tall = c->pixel ? 1 : 2;
	double by_w = (double)r.w / s->rect[2], by_h = (double)r.h * tall / s->rect[3], by = by_w < by_h ? by_w : by_h;
	if (by > 1)
		by = (int)by;
	s->w = (int)(by * s->rect[2]);
	s->h = (int)(by * s->rect[3]) / tall;
	s->x = r.x;
	s->y = r.y;
	return s->w > 0 && s->h > 0;
}

/* Width of the picture where a letter a lane still fits. */
int board_picture_width(const struct canvas *c, const struct rect *body, const struct model *m)
{
	struct scale s;
	int most = body->w - LANES_CHARS * c->cw, w = body->w / 4;
	w = w > most ? most : w;
	if (w < LEAST_CHARS * c->cw ||
	    !scale_of(c, (struct rect){0, 0, w - 2 * c->cw, body->h - 2 * c->rh}, m, &s))
		return 0;
	return s.w + 2 * c->cw;
}

static uint32_t level(uint32_t word)
{
	float v;
	memcpy(&v, &word, 4);
	return v >= 1 ? 255 : v > 0 ? (uint32_t)(v * 255 + 0.5f) : 0;
}

static uint32_t colour_of(const struct canvas *c, const struct model *m, uint32_t x, uint32_t y)
{
	const uint32_t *words = wb_launch_pixel(m->player->launch, x, y);
	unsigned n = words ? wb_launch_out_words(m->player->launch) : 0;
	if (!n)
		return canvas_role(c, ROLE_TROUGH);
	return 0xff000000 | level(words[0]) << 16 | level(words[n > 1 ? 1 : 0]) << 8 | level(words[n > 2 ? 2 : 0]);
}

static struct rect place(const struct scale *s, uint32_t x, uint32_t y)
{
	int x0 = (int)((uint64_t)(x - s->rect[0]) * (uint64_t)s->w / s->rect[2]);
	int x1 = (int)((uint64_t)(x - s->rect[0] + 1) * (uint64_t)s->w / s->rect[2]);
	int y0 = (int)((uint64_t)(y - s->rect[1]) * (uint64_t)s->h / s->rect[3]);
	int y1 = (int)((uint64_t)(y - s->rect[1] + 1) * (uint64_t)s->h / s->rect[3]);
	return (struct rect){s->x + x0, s->y + y0, x1 > x0 ? x1 - x0 : 1, y1 > y0 ? y1 - y0 : 1};
}

static void mark_warp(struct canvas *c, const struct scale *s, const struct model *m, const struct wb_warp *w)
{
	for (unsigned lane = 0; lane < m->machine.lanes; lane++) {
		struct wb_fragment f;
		enum lane_state state = board_state(m, w, lane);
		uint32_t thread = (w->block * m->machine.warps_per_block + w->warp) * m->machine.lanes + lane;
		if (state == LANE_EXITED || state == LANE_ABSENT ||
		    !wb_launch_fragment(m->player->launch, thread, &f) || f.x < s->rect[0] || f.y < s->rect[1] ||
		    f.x - s->rect[0] >= s->rect[2] || f.y - s->rect[1] >= s->rect[3])
			continue;
		canvas_fill(c, place(s, f.x, f.y), lane_looks[state].colour);
	}
}

void board_picture(struct canvas *c, struct rect r, const struct model *m)
{
	struct scale s;
	if (!scale_of(c, r, m, &s))
		return;
	/* A step for each unit: a picture larger than the place is sampled. */
	for (int y = 0; y < s.h; y++)
		for (int x = 0; x < s.w; x++)
			canvas_fill(c, (struct rect){s.x + x, s.y + y, 1, 1},
				    colour_of(c, m, s.rect[0] + (uint32_t)((uint64_t)x * s.rect[2] / (uint64_t)s.w),
					      s.rect[1] + (uint32_t)((uint64_t)y * s.rect[3] / (uint64_t)s.h)));
	if (m->selected)
		mark_warp(c, &s, m, m->selected);
	canvas_ring(c, (struct rect){s.x, s.y, s.w, s.h}, canvas_role(c, ROLE_DIM));
}
