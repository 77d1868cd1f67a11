/* The cost of a launch as a picture: a pixel is a thread, where the grid has it, in the colour of the instructions that
 * the thread executed. Rows of a launch in one dimension are cut to a picture that is about square. */
#include "frontends/cli/html.h"

#include <stdlib.h>
#include <string.h>

#include "frontends/view/plane.h"
#include "frontends/view/theme.h"

/* A row of a launch in one dimension is a block, or as many threads as make the picture about square. */
static bool plane_of(struct plane *p, const struct wb_report *r)
{
	const struct wb_launch_info *l = &r->launch;
	uint32_t w = l->block[0];

	if (!plane_make(p, l, r->occupancy.warps_per_block))
		return false;
	while (p->cut && (uint64_t)w * w < p->all)
		w *= 2;
	while (p->cut && w > l->warp_lanes && w % 2 == 0 && (uint64_t)w * w > 4 * p->all)
		w /= 2;
	if (p->cut)
		plane_cut(p, w);
	return true;
}

/* Instructions that each lane executed, by warps of the grid. */
static uint32_t *count_of(const struct plane *p, const struct html_timeline *t)
{
	size_t lanes = (size_t)p->l->blocks * p->lanes_of_block;
	uint32_t *count = grow(NULL, lanes * sizeof *count);

	memset(count, 0, lanes * sizeof *count);
	for (size_t i = 0; i < t->n; i++) {
		const struct html_issue *e = &t->issue[i];
		size_t first = (size_t)e->block * p->lanes_of_block + (size_t)e->warp * p->l->warp_lanes;
		uint64_t rest = e->flow & WB_FLOW_REJOIN ? 0 : e->executed; /* an arrival executes nothing */
		for (; rest && first < lanes; rest &= rest - 1)
			count[first + (size_t)__builtin_ctzll(rest)]++;
	}
	return count;
}

static void range_of(const struct plane *p, const uint32_t *count, uint32_t range[2])
{
	range[0] = UINT32_MAX;
	range[1] = 0;
	for (uint32_t block = 0; block < p->l->blocks; block++)
		for (uint32_t i = 0; i < p->threads; i++) {
			uint32_t n = count[(size_t)block * p->lanes_of_block + i];
			range[0] = n < range[0] ? n : range[0];
			range[1] = n > range[1] ? n : range[1];
		}
}

static void paint(const struct plane *p, const uint32_t *count, const uint32_t range[2], struct html_pixels *out)
{
	double span = range[1] > range[0] ? range[1] - range[0] : 1;

	for (size_t at = 0; at < (size_t)p->w * p->h; at++) {
		int64_t lane = plane_lane(p, (uint32_t)(at % p->w), (uint32_t)(at / p->w));
		out->thread[at] = (int32_t)lane; /* no thread: -1 */
		if (lane < 0)
			continue;
		uint32_t colour = ramp_colour((count[lane] - range[0]) / span);
		out->rgba[4 * at] = (uint8_t)(colour >> 16);
		out->rgba[4 * at + 1] = (uint8_t)(colour >> 8);
		out->rgba[4 * at + 2] = (uint8_t)colour;
		out->rgba[4 * at + 3] = 255;
	}
}

bool html_map_pixels(struct html_pixels *out, const struct html_timeline *t, const struct wb_report *r,
		     uint32_t range[2])
{
	struct plane p;

	if (t->more || r->launch.stage || !plane_of(&p, r))
		return false;
	size_t pixels = (size_t)p.w * p.h;
	uint32_t *count = count_of(&p, t);
	*out = (struct html_pixels){.rect = {0, 0, p.w, p.h}, .rgba = grow(NULL, 4 * pixels),
				    .thread = grow(NULL, pixels * sizeof *out->thread)};
	memset(out->rgba, 0, 4 * pixels);
	range_of(&p, count, range);
	paint(&p, count, range, out);
	free(count);
	return true;
}
