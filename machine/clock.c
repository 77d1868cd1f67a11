/* Caches and the bridge from warps to scheduler slots. Lines of code and c[] go through a first level of each
 * multiprocessor, then through shared levels: with host threads, a multiprocessor touches shared levels only in its
 * turn in the order of one thread. */
#include "machine/clock.h"

#include <string.h>

#include "machine/stop.h"
#include "machine/thread_pool.h"

static uint32_t value(const struct machine *m, enum timing_id id)
{
	return m->plan->numbers.value[id];
}

/* ---- setting up ---- */

uint32_t clock_tpcs(const struct machine *m)
{
	return (m->plan->nmps + m->plan->chip.mps_per_tpc - 1) / m->plan->chip.mps_per_tpc;
}

/* A cache whose size is in the timing list; with `warm`, lines of the program are in the cache since before the first
 * cycle. False: the host has no memory. */
static bool prepare_cache(struct machine *m, struct cache *c, enum timing_id bytes, uint32_t line, bool warm)
{
	uint64_t lines = warm ? (m->plan->code.code_bytes + (uint64_t)line - 1) / line : 0;
	uint32_t size = value(m, bytes);

	if (!cache_init(c, &m->state, size, line))
		return false;
	cache_warm(c, lines);
	return true;
}

bool clock_prepare(struct machine *m)
{
	uint32_t line = value(m, T_cache_line), tpcs = clock_tpcs(m);
	bool done;

	m->l3 = ARENA_NEW(&m->state, struct cache);
	m->l2 = ARENA_ARRAY(&m->state, struct cache, tpcs);
	if (m->plan->memory.textures)
		m->texture_l2 = ARENA_NEW(&m->state, struct cache);
	done = !m->state.failed && prepare_cache(m, m->l3, T_l3_bytes, line, m->plan->warm) &&
	       (!m->texture_l2 || prepare_cache(m, m->texture_l2, T_tex_l2_bytes, line, false));
	for (uint32_t i = 0; i < tpcs && done; i++)
		done = prepare_cache(m, &m->l2[i], T_l2_bytes, line, m->plan->warm);
	return done;
}

static bool prepare_sched(struct machine *m, struct mp *mp)
{
	size_t slots = (size_t)mp->nresident * m->plan->dim.warps;
	struct sched_storage storage = { .entries = m->plan->issue.entries, .nslots = m->plan->chip.max_warps,
				   .nunits = m->plan->issue.units, .simds = plan_simds(m->plan),
				   .counter = m->plan->issue.counter };

	storage.slot = ARENA_ARRAY(&m->state, struct slot, slots);
	storage.board = arena_alloc(&m->state, slots * storage.entries * sizeof *storage.board + 1, 64);
	storage.by_pc = ARENA_ARRAY(&m->state, struct stall_row, m->plan->code.code_bytes / 4 + 1);
	storage.barrier_group = ARENA_ARRAY(&m->state, struct barrier_group, m->plan->fit.blocks);
	if (m->state.failed)
		return false;
	sched_init(&mp->sched, &m->plan->numbers, m->plan->policy, m->plan->group,
		   m->plan->rules.seed + mp->x.special.mp, &storage);
	mp->sched.rules.callers_pick = m->plan->own_policy.pick;
	mp->sched.program.ops = m->plan->issue.ops;
	mp->sched.program.nops = m->plan->code.code_bytes / 4 + 1;
	return true;
}

bool clock_prepare_mp(struct machine *m, struct mp *mp)
{
	uint32_t line = value(m, T_cache_line);

	return (!m->texture_l2 || prepare_cache(m, &mp->texture_l1, T_tex_l1_bytes, TEXTURE_LINE, false)) &&
	       prepare_sched(m, mp) &&
	       prepare_cache(m, &mp->code_l1, T_i_l1_bytes, line, m->plan->warm) &&
	       prepare_cache(m, &mp->const_l1, T_c_l1_bytes, line, false);
}

/* ---- fetch ---- */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Cycle of arrival of a line from the last cache of the chip, after `hit`, or from memory, after `miss`. */
static uint64_t last_level(struct machine *m, struct cache *c, uint64_t line, uint64_t now, enum timing_id hit,
			   enum timing_id miss)
{
	uint64_t here;

	if (cache_touch(c, line, now, &here))
		return later(now + value(m, hit), here);
	cache_fill(c, now + value(m, miss));
	return now + value(m, miss);
}

/* Cycle of arrival of a line that the first level misses at cycle `now`, from the highest level that has the line. */
static uint64_t lower_levels(struct machine *m, const struct mp *mp, uint64_t line, uint64_t now)
{
	struct cache *l2 = &m->l2[mp->x.special.mp / m->plan->chip.mps_per_tpc];
	uint64_t at;

	if (m->pool && cache_settled(l2, line, now, &at))
		return later(now + value(m, T_l2_latency), at);
	if (m->pool && !threads_wait_turn(m, mp))
		return now;
	if (l2->settled && l2->used == l2->nlines)
		give_up(m, "a cache that several multiprocessors share is full");
	if (cache_touch(l2, line, now, &at))
		return later(now + value(m, T_l2_latency), at);
	at = last_level(m, m->l3, line, now, T_l3_latency, T_l4_latency);
	cache_fill(l2, at);
	return at;
}

/* Does the whole program fit into a second level, so that lines stay there? */
static bool all_lines_fit(const struct machine *m)
{
	uint32_t line = value(m, T_cache_line), n = m->plan->code.code_bytes / line + 2;

	for (unsigned i = 0; i < CONST_BANKS; i++)
		n += m->plan->memory.c[i].size ? m->plan->memory.c[i].size / line + 1 : 0;
	return n < m->l2->nlines;
}

void clock_settle_caches(struct machine *m)
{
	for (unsigned i = 0; i < clock_tpcs(m) && all_lines_fit(m); i++)
		m->l2[i].settled = m->l2[i].used;
}

void clock_unsettle_caches(struct machine *m)
{
	for (unsigned i = 0; i < clock_tpcs(m); i++)
		m->l2[i].settled = 0;
}

/* Cycle of arrival of a line through the first level l1. */
static uint64_t line_at(struct machine *m, struct mp *mp, struct cache *l1, uint64_t line, uint64_t now)
{
	uint64_t at;

	if (cache_touch(l1, line, now, &at))
		return at;
	at = lower_levels(m, mp, line, now);
	cache_fill(l1, at);
	return at;
}

void clock_const(struct machine *m, struct mp *mp, uint32_t line)
{
	uint64_t now = mp->sched.now, there = line_at(m, mp, &mp->const_l1, line, now);
	uint64_t at = there + value(m, T_alu_latency);

	mp->sched.const_here = there > now ? 0 : line;
	if (there > now && at > mp->work.data_at)
		mp->work.data_at = at;
}

/* Cycle of arrival of a texture's line that the first level misses at cycle `now`. */
static uint64_t texture_line_below(struct machine *m, const struct mp *mp, uint64_t address, uint64_t now)
{
	if (m->pool && !threads_wait_turn(m, mp))
		return now;
	return last_level(m, m->texture_l2, address / value(m, T_cache_line), now, T_tex_l2_latency,
			  T_tex_memory_latency);
}

/* A hit in the first level takes the latency of the instruction's class, or as long as the line is on the way. */
void clock_texture(struct machine *m, struct mp *mp, const struct access *a)
{
	uint64_t now = mp->sched.now, at;

	FOR_SET_LANES(i, a->lanes) {
		if (!cache_touch(&mp->texture_l1, a->addr[i] / TEXTURE_LINE, now, &at)) {
			at = texture_line_below(m, mp, a->addr[i], now);
			cache_fill(&mp->texture_l1, at);
		}
		if (at > now && at > mp->work.data_at)
			mp->work.data_at = at;
	}
}

uint64_t clock_fetch_line(struct machine *m, struct mp *mp, uint32_t line, uint64_t now)
{
	uint64_t at;

#ifndef __wasm__
	if (line < LINE_OTHER && mp->sched.lines_here >> line & 1)
		return now;
#endif
	at = line_at(m, mp, &mp->code_l1, line, now);
	/* Where the whole program fits, no line is ever evicted, so the order of touches does not matter. */
	if (at <= now && line < LINE_OTHER &&
	    m->plan->code.code_bytes / value(m, T_cache_line) < mp->code_l1.nlines)
		mp->sched.lines_here |= 1ull << line;
	return at;
}

/* ---- warps ---- */

void clock_admit(struct machine *m, struct mp *mp, unsigned slot)
{
	const struct sched_op *next = clock_op(m, &mp->sched, slot, m->plan->code.entry);

	sched_admit(&mp->sched, slot, next, clock_fetch_line(m, mp, next->line, mp->sched.now));
}

void clock_request(struct mp *mp, const struct slot *w, unsigned slot)
{
	struct request *r = &mp->request[mp->nrequests++];

	*r = (struct request){
		.cycle = mp->sched.now, .access = { .op = w->next, .age = w->age, .slot = (uint8_t)slot },
		.bytes = mp->work.bytes, .last_bytes = mp->work.last_bytes,
	};
	if (w->next->counts)
		memcpy(r->access.counted, w->counted, sizeof w->counted);
}

uint64_t clock_last(const struct mp *mp, unsigned n)
{
	uint64_t end = 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t t = mp[i].sched.issued_at + mp[i].sched.simd.round;
		end = t > end ? t : end;
	}
	return end;
}

uint64_t clock_end(const struct machine *m)
{
	return clock_last(m->mp, m->plan->nmps);
}

void clock_settle(struct machine *m)
{
	uint64_t end = clock_end(m);

	for (unsigned i = 0; i < m->plan->nmps; i++)
		sched_settle(&m->mp[i].sched, end);
}

uint64_t clock_issues(const struct machine *m)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < m->plan->nmps; i++)
		n += m->mp[i].x.instructions;
	return n;
}
