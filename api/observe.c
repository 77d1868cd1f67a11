#include "api/observe.h"

#include "api/internal.h"
#include "mem/banks.h"
#include "mem/coalesce.h"
#include "mem/mem.h"

/* Transactions of one half-warp in g[]. */
static void count_global(struct mem_counts *m, enum coalesce_rule rule, const struct access *a, unsigned half)
{
	uint32_t lanes = (uint32_t)(a->lanes >> half) & 0xffff;
	struct transactions t;
	bool store = a->kind != ACCESS_LOAD;
	uint64_t *by_size = store ? m->gst : m->gld;

	if (!lanes)
		return;
	coalesce(rule, a->addr + half, lanes, a->width, &t);
	for (uint32_t i = 0; i < t.count; i++)
		by_size[t.each[i].bytes == 128 ? 2 : t.each[i].bytes == 64 ? 1 : 0]++;
	m->bytes += t.bytes;
	*(store ? t.coalesced ? &m->gst_coherent : &m->gst_incoherent : t.coalesced ? &m->gld_coherent : &m->gld_incoherent) += 1;
}

static void count_passes(struct mem_counts *m, const struct access *a, unsigned half)
{
	uint32_t lanes = (uint32_t)(a->lanes >> half) & 0xffff;
	unsigned passes = 0;

	if (lanes)
		passes = a->space == MEM_SHARED ? shared_passes(a->addr + half, lanes) : const_passes(a->addr + half, lanes);
	m->serialize += passes > 1 ? passes - 1 : 0;
}

static void observe(struct exec *x)
{
	const struct wb_launch *l = x->observer;
	struct mem_counts *m = l->mp[x->mp].mem;

	for (unsigned i = 0; i < x->step.accesses; i++) {
		const struct access *a = &x->step.access[i];
		for (unsigned half = 0; half < l->code.target.isa->lanes; half += HALF_WARP) {
			if (a->space == MEM_GLOBAL)
				count_global(m, l->chip->coalesce, a, half);
			else if (a->space == MEM_SHARED || a->space == MEM_CONST)
				count_passes(m, a, half);
		}
	}
}

bool observe_setup(struct wb_launch *l, struct mp *mp)
{
	enum { FULL = 2 };

	if (config_number(l->config, OPT_STATS_LEVEL) != FULL)
		return true;
	if (!l->warp_row)
		l->warp_row = ARENA_ARRAY(&l->arena, struct warp_row, WARP_ROWS_MAX);
	mp->mem = ARENA_NEW(&l->state, struct mem_counts);
	mp->x.observe = observe;
	mp->x.observer = l;
	return l->warp_row && mp->mem;
}
