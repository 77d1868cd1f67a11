#include "api/clock.h"

#include <string.h>

#include "api/parallel.h"
#include "api/requests.h"

static uint32_t value(const struct wb_launch *l, enum timing_id id)
{
	return l->numbers.value[id];
}

/* ---- setting up ---- */

/* Lines of code and of c[] share the lower cache levels; these bits keep them apart. A line of c[] is never 0. */
enum { TAG_CONST = 31 };

uint32_t clock_const_line(const struct wb_launch *l, unsigned bank, uint32_t address)
{
	return 1u << TAG_CONST | (bank << 16 | address) / value(l, T_cache_line);
}

enum { ENTRIES_A_LINE = 8 };

/* How far the instruction behind that at word i is: behind the last there is one more, which faults. */
static uint8_t words_of(const struct wb_launch *l, uint32_t i)
{
	uint32_t words = l->code.code_bytes / 4, n = i < words ? l->code.insn[i].length / 4u : 0;

	return (uint8_t)(n < words - i ? n : words - i);
}

bool clock_prepare_ops(struct wb_launch *l)
{
	uint32_t words = l->code.code_bytes / 4, line = value(l, T_cache_line);
	struct sched_ports entries = { 0 };

	l->ops = l->ops ? l->ops : ARENA_ARRAY(&l->arena, struct sched_op, words + 1);
	if (!l->ops)
		return false;
	for (uint32_t i = 0; i <= words; i++) {
		struct ports ports = { .lat = LAT_ALU };
		if (i < words)
			l->code.target.isa->ports(&l->code, &l->code.insn[i], &ports);
		sched_op_make(&l->ops[i], &ports, &l->numbers, &entries);
		l->ops[i].word = i;
		l->ops[i].by_all = ports.by_all;
		l->ops[i].words = words_of(l, i);
		l->ops[i].line = i * 4 / line;
		if (ports.reads_const && l->code.traces)
			l->ops[i].const_line = clock_const_line(l, ports.bank, ports.address);
	}
	for (uint32_t i = 0; i < words; i++)
		sched_op_link(&l->ops[i], &l->numbers, &entries);
	l->entries = (entries.n + 2 + ENTRIES_A_LINE - 1u) / ENTRIES_A_LINE * ENTRIES_A_LINE;
	return true;
}

bool clock_prepare(struct wb_launch *l, struct diag *d)
{
	uint32_t line = value(l, T_cache_line), tpcs = (l->nmps + l->chip.mps_per_tpc - 1) / l->chip.mps_per_tpc;

	if (!l->timing)
		return true;
	l->shared_path = ARENA_NEW(&l->state, struct mem_path);
	l->l3 = ARENA_NEW(&l->state, struct cache);
	l->next_at = ARENA_ARRAY(&l->arena, uint64_t, l->nmps);
	l->l2 = ARENA_ARRAY(&l->state, struct cache, tpcs);
	if (!l->shared_path || !l->l3 || !l->l2 || !l->next_at || !requests_prepare(l) || !clock_prepare_ops(l) ||
	    !cache_init(l->l3, &l->state, value(l, T_l3_bytes), line))
		return diag_set(d, DIAG_ENV, "out of memory");
	for (uint32_t i = 0; i < tpcs; i++)
		if (!cache_init(&l->l2[i], &l->state, value(l, T_l2_bytes), line))
			return diag_set(d, DIAG_ENV, "out of memory");
	return true;
}

static bool prepare_sched(struct wb_launch *l, struct mp *mp)
{
	size_t slots = (size_t)mp->nresident * l->warps;
	struct sched_room room = { .entries = l->entries, .nslots = l->chip.max_warps };

	room.slot = ARENA_ARRAY(&l->state, struct slot, slots);
	room.at = arena_alloc(&l->state, slots * room.entries * sizeof *room.at + 1, 64);
	room.by_pc = ARENA_ARRAY(&l->state, struct stall_row, l->code.code_bytes / 4 + 1);
	room.crowd = ARENA_ARRAY(&l->state, struct crowd, l->fit.blocks);
	if (!room.slot || !room.at || !room.by_pc || !room.crowd)
		return false;
	sched_init(&mp->sched, &l->numbers, (enum policy)config_number(l->config, OPT_POLICY),
		   (uint32_t)config_number(l->config, OPT_GROUP), l->rules.seed + mp->x.mp, &room);
	mp->sched.ops = l->ops;
	return true;
}

bool clock_prepare_mp(struct wb_launch *l, struct mp *mp)
{
	uint32_t line = value(l, T_cache_line);

	if (!l->timing)
		return true;
	return requests_prepare_mp(l, mp) && prepare_sched(l, mp) &&
	       cache_init(&mp->code_l1, &l->state, value(l, T_i_l1_bytes), line) &&
	       cache_init(&mp->const_l1, &l->state, value(l, T_c_l1_bytes), line);
}

/* ---- whose turn ---- */

/* No request is answered sooner than this, so that within it multiprocessors need not know of each other. */
static uint64_t epoch_cycles(const struct wb_launch *l)
{
	uint64_t latency = value(l, T_g_latency), slot = value(l, T_issue_slot);

	return latency > EPOCH_MAX ? EPOCH_MAX : latency > slot ? latency : slot;
}

/* Will all lines of the program stay in a second level once they are there? */
static bool all_stay(const struct wb_launch *l)
{
	uint32_t line = value(l, T_cache_line), n = l->code.code_bytes / line + 2;

	for (unsigned i = 0; i < CONST_BANKS; i++)
		n += l->memory.c[i].size ? l->memory.c[i].size / line + 1 : 0;
	return n < l->l2->nlines;
}

void clock_settle_caches(struct wb_launch *l)
{
	unsigned tpcs = (l->nmps + l->chip.mps_per_tpc - 1) / l->chip.mps_per_tpc;

	for (unsigned i = 0; i < tpcs && all_stay(l); i++)
		l->l2[i].settled = l->l2[i].used;
}

void clock_pause(struct wb_launch *l, struct mp *mp)
{
	sched_time(&mp->sched, l->run.epoch_end);       /* it is where it ended, whoever runs it */
	l->next_at[mp->x.mp] = sched_time(&mp->sched, 0);
}

void clock_rest(struct wb_launch *l, struct mp *mp)
{
	clock_pause(l, mp);
	if (!mp->nanswers)
		return;
	requests_deliver(mp);
	l->next_at[mp->x.mp] = sched_time(&mp->sched, 0);
}

bool clock_start_epoch(struct wb_launch *l)
{
	uint64_t start = SCHED_NEVER;

	if (machine_deal(l))
		for (unsigned i = 0; i < l->nmps; i++)
			clock_rest(l, &l->mp[i]);
	for (unsigned i = 0; i < l->nmps; i++)
		start = l->next_at[i] < start ? l->next_at[i] : start;
	l->run.epoch_end = start == SCHED_NEVER ? start : (start / epoch_cycles(l) + 1) * epoch_cycles(l);
	l->run.epoch_mp = 0;
	l->run.all_started = deal_started(l) == l->blocks;
	return start != SCHED_NEVER;
}

bool clock_begin_epoch(struct wb_launch *l)
{
	requests_send(l);
	for (unsigned i = 0; i < l->nmps; i++)
		clock_rest(l, &l->mp[i]);
	return clock_start_epoch(l);
}

struct mp *clock_epoch_mp(struct wb_launch *l)
{
	do {
		for (; l->run.epoch_mp < l->nmps; l->run.epoch_mp++) {
			struct mp *mp = &l->mp[l->run.epoch_mp];
			if (sched_time(&mp->sched, l->run.epoch_end) < l->run.epoch_end)
				return mp;
		}
	} while (clock_begin_epoch(l));
	return NULL;
}

bool clock_pick_free(struct mp *mp, unsigned *slot)
{
	uint64_t after = mp->last < 63 ? mp->ready & ~0ull << (mp->last + 1) : 0, from = after ? after : mp->ready;

	if (!from)
		return false;
	*slot = mp->last = (unsigned)__builtin_ctzll(from);
	return true;
}

struct mp *clock_next_free(struct wb_launch *l, unsigned *slot)
{
	for (unsigned i = 0; i < l->nmps; i++) {
		struct mp *mp = &l->mp[(l->run.turn + i) % l->nmps];
		if (!clock_pick_free(mp, slot))
			continue;
		l->run.turn = (l->run.turn + i + 1) % l->nmps;
		return mp;
	}
	return NULL;
}

/* ---- fetch ---- */

/* When a line that the first level misses at cycle `now` is there, by the level that has it. */
static uint64_t lower_levels(struct wb_launch *l, const struct mp *mp, uint64_t line, uint64_t now)
{
	struct cache *l2 = &l->l2[mp->x.mp / l->chip.mps_per_tpc];
	uint64_t in_l2, in_l3, at;
	bool hit = l->crew && cache_settled(l2, line, now, &in_l2);

	if (!hit) {
		if (l->crew && !parallel_wait_turn(l, mp))
			return now;
		if (l2->settled && l2->used == l2->nlines)
			parallel_give_up(l, "a cache that several multiprocessors share is full");
		hit = cache_touch(l2, line, now, &in_l2);
	}
	if (hit) {
		at = now + value(l, T_l2_latency);
		return at > in_l2 ? at : in_l2;
	}
	if (cache_touch(l->l3, line, now, &in_l3)) {
		at = now + value(l, T_l3_latency);
		at = at > in_l3 ? at : in_l3;
	} else {
		at = now + value(l, T_l4_latency);
		cache_fill(l->l3, at);
	}
	cache_fill(l2, at);
	return at;
}

/* When a line is there, through a first level of its own. */
static uint64_t line_at(struct wb_launch *l, struct mp *mp, struct cache *l1, uint64_t line, uint64_t now)
{
	uint64_t at;

	if (cache_touch(l1, line, now, &at))
		return at;
	at = lower_levels(l, mp, line, now);
	cache_fill(l1, at);
	return at;
}

void clock_const(struct wb_launch *l, struct mp *mp, uint32_t line)
{
	uint64_t now = mp->sched.now, there = line_at(l, mp, &mp->const_l1, line, now);
	uint64_t at = there + value(l, T_alu_latency);

	mp->sched.const_here = there > now ? 0 : line;
	if (there > now && at > mp->work.data_at)
		mp->work.data_at = at;
}

uint64_t clock_fetch_line(struct wb_launch *l, struct mp *mp, uint32_t line, uint64_t now)
{
	uint64_t at = line_at(l, mp, &mp->code_l1, line, now);

	/* Where no line has to go, which of them was touched last does not matter. */
	if (at <= now && line < LINE_OTHER &&
	    l->code.code_bytes / value(l, T_cache_line) < mp->code_l1.nlines)
		mp->sched.lines_here |= 1ull << line;
	return at;
}

/* ---- what the machine tells ---- */

void clock_admit(struct wb_launch *l, struct mp *mp, const struct warp *w)
{
	const struct sched_op *next;

	mp->ready |= 1ull << w->slot;
	if (!l->timing)
		return;
	next = clock_op(l, l->code.entry);
	sched_admit(&mp->sched, w->slot, next, clock_fetch_line(l, mp, next->line, mp->sched.now));
}

void clock_request(struct mp *mp, unsigned i)
{
	const struct slot *slot = slot_of(&mp->sched, i);

	mp->request[mp->nrequests++] = (struct request){
		.cycle = mp->sched.now,
		.age = slot->age,
		.op = slot->next,
		.bytes = mp->work.bytes,
		.last_bytes = mp->work.last_bytes,
		.slot = (uint8_t)i,
	};
}

void clock_block(struct wb_launch *l, struct mp *mp, const struct warp *w, enum stall reason)
{
	mp->ready &= ~(1ull << w->slot);
	if (l->timing)
		sched_block(&mp->sched, w->slot, reason);
}

void clock_wake(struct wb_launch *l, struct mp *mp, const struct warp *w)
{
	mp->ready |= 1ull << w->slot;
	if (l->timing)
		sched_wake(&mp->sched, w->slot, (enum stall)mp->sched.room.slot[w->slot].wait);
}

void clock_retire(struct wb_launch *l, struct mp *mp, const struct warp *w)
{
	mp->ready &= ~(1ull << w->slot);
	if (l->timing)
		sched_retire(&mp->sched, w->slot);
}

uint64_t clock_last(const struct wb_launch *l, const struct mp *mp, unsigned n)
{
	uint64_t end = 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t t = l->timing ? mp[i].sched.issued_at + value(l, T_issue_slot) : mp[i].cycle;
		end = t > end ? t : end;
	}
	return end;
}

uint64_t clock_end(const struct wb_launch *l)
{
	return clock_last(l, l->mp, l->nmps);
}

void clock_settle(struct wb_launch *l)
{
	uint64_t end = clock_end(l);

	for (unsigned i = 0; i < l->nmps && l->timing; i++)
		sched_settle(&l->mp[i].sched, end);
}
