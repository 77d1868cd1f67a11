#include "mem/coalesce.h"

enum { SMALLEST = 32, LARGEST = 128 };

static void add(struct transactions *t, uint32_t addr, uint32_t bytes)
{
	t->each[t->count++] = (struct transaction){ .addr = addr, .bytes = bytes };
	t->bytes += bytes;
}

static uint32_t first_lane(uint32_t lanes)
{
	return (uint32_t)__builtin_ctz(lanes);
}

static bool in_order(const uint32_t *addr, uint32_t lanes, uint32_t width, uint32_t base)
{
	if (width < 4 || base % (HALF_WARP * width))
		return false;
	for (uint32_t left = lanes; left; left &= left - 1) {
		uint32_t k = first_lane(left);
		if (addr[k] != base + k * width)
			return false;
	}
	return true;
}

static void older_rule(const uint32_t *addr, uint32_t lanes, uint32_t width, struct transactions *t)
{
	uint32_t k = first_lane(lanes), base = addr[k] - k * width, segment = HALF_WARP * width;
	t->coalesced = in_order(addr, lanes, width, base);
	if (!t->coalesced) {
		for (; lanes; lanes &= lanes - 1)
			add(t, addr[first_lane(lanes)] & ~(uint32_t)(SMALLEST - 1), SMALLEST);
		return;
	}
	uint32_t size = segment < LARGEST ? segment : LARGEST;
	for (uint32_t done = 0; done < segment; done += size)
		add(t, base + done, size);
}

/* The lanes whose elements begin in [start, start + bytes). All lanes are looked at, which is quick, and those that do
 * not access left out. */
static uint32_t lanes_in(const uint32_t *addr, uint32_t lanes, uint32_t start, uint32_t bytes)
{
	uint32_t in = 0;
	for (unsigned k = 0; k < HALF_WARP; k++)
		in |= (uint32_t)(addr[k] - start < bytes) << k;
	return in & lanes;
}

static void segment_rule(const uint32_t *addr, uint32_t lanes, uint32_t width, struct transactions *t)
{
	uint32_t segment = width == 1 ? 32 : width == 2 ? 64 : LARGEST;
	while (lanes) {
		uint32_t start = addr[first_lane(lanes)] & ~(segment - 1), bytes = segment;
		uint32_t served = lanes_in(addr, lanes, start, bytes);
		for (; bytes > SMALLEST; bytes /= 2) {
			uint32_t low = lanes_in(addr, served, start, bytes / 2);
			if (low && low != served)
				break;
			start += low ? 0 : bytes / 2;
		}
		add(t, start, bytes);
		lanes &= ~served;
	}
}

/* Words side by side from a multiple of 64 bytes on: both rules make one transaction of them. */
static bool is_plain_run(const uint32_t *addr, uint32_t lanes, uint32_t width)
{
	uint32_t others = 0;
	if (lanes != 0xffff || width != 4 || addr[0] % 64)
		return false;
	for (uint32_t k = 0; k < HALF_WARP; k++)
		others |= addr[k] ^ (addr[0] + 4 * k);
	return !others;
}

void coalesce(enum coalesce_rule rule, const uint32_t *addr, uint32_t lanes, uint32_t width, struct transactions *out)
{
	out->count = out->bytes = 0;
	out->coalesced = false;
	if (is_plain_run(addr, lanes, width)) {
		out->coalesced = rule == COALESCE_OLDER;
		add(out, addr[0], 64);
		return;
	}
	if (lanes && rule == COALESCE_OLDER)
		older_rule(addr, lanes, width, out);
	else if (lanes)
		segment_rule(addr, lanes, width, out);
}

bool coalesce_run(enum coalesce_rule rule, uint32_t addr, uint32_t width, struct transactions *out)
{
	if (width != 4 || addr % (HALF_WARP * 4))
		return false;
	out->count = 1;
	out->bytes = HALF_WARP * 4;
	out->coalesced = rule == COALESCE_OLDER;
	out->each[0] = (struct transaction){ .addr = addr, .bytes = HALF_WARP * 4 };
	return true;
}
