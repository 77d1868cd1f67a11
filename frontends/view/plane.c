#include "frontends/view/plane.h"

bool plane_make(struct plane *p, const struct wb_launch_info *l, uint32_t warps_per_block)
{
	*p = (struct plane){.l = l, .threads = l->block[0] * l->block[1] * l->block[2],
			    .lanes_of_block = warps_per_block * l->warp_lanes};
	p->threads = l->stage ? p->lanes_of_block : p->threads;
	p->all = l->stage ? l->stage_threads : (uint64_t)l->blocks * p->threads;
	if (!p->all || p->all > PLANE_THREADS || !p->threads)
		return false;
	p->w = l->grid[0] * l->block[0];
	p->cut = l->stage || p->all == p->w;
	plane_cut(p, p->cut ? (uint32_t)p->all : p->w);
	return true;
}

void plane_cut(struct plane *p, uint32_t w)
{
	p->w = w;
	p->h = (uint32_t)((p->all + w - 1) / w);
}

int64_t plane_lane(const struct plane *p, uint32_t x, uint32_t y)
{
	const struct wb_launch_info *l = p->l;
	uint64_t i = (uint64_t)y * p->w + x;

	if (x >= p->w || y >= p->h || (p->cut && i >= p->all))
		return -1;
	if (p->cut)
		return (int64_t)(i / p->threads * p->lanes_of_block + i % p->threads);
	uint32_t rows = l->grid[1] * l->block[1], z = y / rows, bx = x / l->block[0], by = y % rows / l->block[1];
	uint64_t block = ((uint64_t)(z / l->block[2]) * l->grid[1] + by) * l->grid[0] + bx;
	uint32_t thread = (z % l->block[2] * l->block[1] + y % l->block[1]) * l->block[0] + x % l->block[0];
	return (int64_t)(block * p->lanes_of_block + thread);
}

bool plane_place(const struct plane *p, uint64_t lane, uint32_t *x, uint32_t *y)
{
	const struct wb_launch_info *l = p->l;
	uint64_t block = lane / p->lanes_of_block, i = block * p->threads + lane % p->lanes_of_block;
	uint32_t thread = (uint32_t)(lane % p->lanes_of_block);

	if (thread >= p->threads || i >= p->all)
		return false;
	if (p->cut) {
		*x = (uint32_t)(i % p->w);
		*y = (uint32_t)(i / p->w);
		return true;
	}
	uint32_t bx = (uint32_t)(block % l->grid[0]), by = (uint32_t)(block / l->grid[0] % l->grid[1]);
	uint32_t z = (uint32_t)(block / l->grid[0] / l->grid[1]) * l->block[2] + thread / l->block[0] / l->block[1];
	*x = bx * l->block[0] + thread % l->block[0];
	*y = (z * l->grid[1] + by) * l->block[1] + thread / l->block[0] % l->block[1];
	return true;
}
