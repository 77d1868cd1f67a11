/* The two rules of coalescing (coalesce.h). */
#include "mem/coalesce.h"

static void add(struct transactions *t, uint64_t addr, uint32_t bytes)
{
	t->each[t->count++] = (struct transaction){ .addr = addr, .bytes = bytes };
	t->bytes += bytes;
}

static uint32_t first_lane(lane_mask lanes)
{
	return (uint32_t)__builtin_ctzll(lanes);
}

static bool in_order(const struct coalescer *c, const uint64_t *addr, lane_mask lanes, uint32_t width, uint64_t base)
{
	if (width < 4 || base % (c->lanes * width))
		return false;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t k = first_lane(lanes);
		if (addr[k] != base + k * width)
			return false;
	}
	return true;
}

static void older_rule(const struct coalescer *c, const uint64_t *addr, lane_mask lanes, uint32_t width,
		       struct transactions *t)
{
	uint32_t k = first_lane(lanes), segment = c->lanes * width;
	uint64_t base = addr[k] - k * width;
	t->coalesced = in_order(c, addr, lanes, width, base);
	if (!t->coalesced) {
		for (; lanes; lanes &= lanes - 1)
			add(t, addr[first_lane(lanes)] & ~(uint64_t)(c->smallest - 1), c->smallest);
		return;
	}
	uint32_t size = segment < c->largest ? segment : c->largest;
	for (uint32_t done = 0; done < segment; done += size)
		add(t, base + done, size);
}

/* The lanes with elements that begin in [start, start + bytes). Comparing all lanes is faster than skipping inactive
 * lanes. */
static lane_mask lanes_in(const struct coalescer *c, const uint64_t *addr, lane_mask lanes, uint64_t start,
			  uint32_t bytes)
{
	lane_mask in = 0;
	for (unsigned k = 0; k < c->lanes; k++)
		in |= (lane_mask)(addr[k] - start < bytes) << k;
	return in & lanes;
}

static void segment_rule(const struct coalescer *c, const uint64_t *addr, lane_mask lanes, uint32_t width,
			 struct transactions *t)
{
	uint32_t segment = coalesce_segment(c, width);
	while (lanes) {
		uint64_t start = addr[first_lane(lanes)] & ~(uint64_t)(segment - 1);
		uint32_t bytes = segment;
		lane_mask served = lanes_in(c, addr, lanes, start, bytes);
		for (; bytes > c->smallest; bytes /= 2) {
			lane_mask low = lanes_in(c, addr, served, start, bytes / 2);
			if (low && low != served)
				break;
			start += low ? 0 : bytes / 2;
		}
		add(t, start, bytes);
		lanes &= ~served;
	}
}

static bool side_by_side(const struct coalescer *c, const uint64_t *addr, uint32_t width)
{
	uint64_t others = 0;
	for (uint32_t k = 0; k < c->lanes; k++)
		others |= addr[k] ^ (addr[0] + k * width);
	return !others;
}

void coalesce(const struct coalescer *c, const uint64_t *addr, lane_mask lanes, uint32_t width,
	      struct transactions *out)
{
	if (lanes == lanes_first((int)c->lanes) && side_by_side(c, addr, width) && coalesce_run(c, addr[0], width, out))
		return;
	out->count = out->bytes = 0;
	out->coalesced = false;
	if (lanes && c->rule == COALESCE_OLDER)
		older_rule(c, addr, lanes, width, out);
	else if (lanes)
		segment_rule(c, addr, lanes, width, out);
}

bool coalesce_run(const struct coalescer *c, uint64_t addr, uint32_t width, struct transactions *out)
{
	uint32_t bytes = coalesce_whole(c, width);

	if (!bytes || addr % bytes)
		return false;
	out->count = 1;
	out->bytes = bytes;
	out->coalesced = c->rule == COALESCE_OLDER;
	out->each[0] = (struct transaction){ .addr = addr, .bytes = bytes };
	return true;
}

void coalesce_words(const struct coalescer *c, uint64_t addr, struct transactions *out)
{
	uint64_t each[LANES_MAX];

	if (coalesce_run(c, addr, 4, out))
		return;
	for (uint32_t k = 0; k < c->lanes; k++)
		each[k] = addr + 4 * k;
	coalesce(c, each, lanes_first((int)c->lanes), 4, out);
}
