/* The cost of a launch as a picture: a pixel is a thread, where the grid has it, in the colour of the instructions that
 * the thread executed. Rows of a launch in one dimension are cut to a picture that is about square. */
#include "frontends/cli/html.h"

#include <stdlib.h>
#include <string.h>

#include "frontends/view/theme.h"

enum { MOST_THREADS = 1 << 20 };

/* Threads of a launch on a plane. Slices in z stand below each other. */
struct plane {
	const struct wb_launch_info *l;
	uint32_t threads, lanes_of_block; /* of a block: threads, and lanes of its warps */
	uint32_t w, h;
	bool cut; /* one dimension, in rows of w threads */
};

static struct plane plane_of(const struct wb_report *r)
{
	const struct wb_launch_info *l = &r->launch;
	struct plane p = {.l = l, .threads = l->block[0] * l->block[1] * l->block[2], .w = l->grid[0] * l->block[0]};
	uint64_t all = (uint64_t)l->blocks * p.threads;

	p.lanes_of_block = r->occupancy.warps_per_block * l->warp_lanes;
	p.cut = all == p.w;
	if (!all || all > MOST_THREADS)
		return (struct plane){.l = l};
	for (p.w = p.cut ? l->block[0] : p.w; p.cut && (uint64_t)p.w * p.w < all;)
		p.w *= 2;
	while (p.cut && p.w > l->warp_lanes && p.w % 2 == 0 && (uint64_t)p.w * p.w > 4 * all)
		p.w /= 2;
	p.h = (uint32_t)((all + p.w - 1) / p.w);
	return p;
}

/* The pixel of a thread of a block. */
static size_t pixel_of(const struct plane *p, uint32_t block, uint32_t thread)
{
	const struct wb_launch_info *l = p->l;
	uint32_t bx = block % l->grid[0], by = block / l->grid[0] % l->grid[1], bz = block / l->grid[0] / l->grid[1];
	uint32_t x = bx * l->block[0] + thread % l->block[0], y = by * l->block[1] + thread / l->block[0] % l->block[1];
	uint32_t z = bz * l->block[2] + thread / l->block[0] / l->block[1];

	return p->cut ? (size_t)block * p->threads + thread : (size_t)(z * l->grid[1] * l->block[1] + y) * p->w + x;
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
		for (uint64_t rest = e->executed; rest && first < lanes; rest &= rest - 1)
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

	for (uint32_t block = 0; block < p->l->blocks; block++)
		for (uint32_t i = 0; i < p->threads; i++) {
			size_t lane = (size_t)block * p->lanes_of_block + i, at = pixel_of(p, block, i);
			uint32_t colour = ramp_colour((count[lane] - range[0]) / span);
			out->thread[at] = (int32_t)lane;
			out->rgba[4 * at] = (uint8_t)(colour >> 16);
			out->rgba[4 * at + 1] = (uint8_t)(colour >> 8);
			out->rgba[4 * at + 2] = (uint8_t)colour;
			out->rgba[4 * at + 3] = 255;
		}
}

bool html_map_pixels(struct html_pixels *out, const struct html_timeline *t, const struct wb_report *r,
		     uint32_t range[2])
{
	struct plane p = plane_of(r);
	size_t pixels = (size_t)p.w * p.h;

	if (!pixels || t->more || r->launch.stage)
		return false;
	uint32_t *count = count_of(&p, t);
	*out = (struct html_pixels){.rect = {0, 0, p.w, p.h}, .rgba = grow(NULL, 4 * pixels),
				    .thread = grow(NULL, pixels * sizeof *out->thread)};
	memset(out->rgba, 0, 4 * pixels);
	memset(out->thread, 0xff, pixels * sizeof *out->thread); /* no thread: -1 */
	range_of(&p, count, range);
	paint(&p, count, range, out);
	free(count);
	return true;
}
