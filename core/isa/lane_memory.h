/* Lane memory: the accesses of a warp's lanes to memory, for every SIMT machine. An instruction set decodes operands
 * and hands over an address for each lane; lanes are checked, loaded and stored here, and the records of an access go
 * where they are kept:
 *
 * - the cost. Lanes access memory in groups (of 16 lanes on Tesla). Passes to banked memory are counted by mem/banks.h,
 * transactions on global memory by mem/coalesce.h; costs known at once go into the tally and the warp's trace, all
 * others into step.access, for x->hooks.access;
 * - the read and write sets of warps (mem/warp_sets.h) and of workers (mem/conflicts.h), before memory is touched,
 * while a block is pre-executed or several host threads run;
 * - the undo log (mem/undo_log.h), before a store.
 *
 * The widths of the machine are lane_runs.h's. Addresses of shared and local memory are offsets of 32 bits, those of
 * global memory are lane_address. */
#ifndef WB_CORE_ISA_LANE_MEMORY_H
#define WB_CORE_ISA_LANE_MEMORY_H

#include "core/base/rng.h"
#include "core/trace.h"
#include "core/isa/exec.h"
#include "core/isa/lane_runs.h"
#include "mem/conflicts.h"
#include "mem/halves.h"
#include "mem/lane_words.h"
#include "mem/mem.h"
#include "mem/undo_log.h"
#include "mem/warp_banks.h"
#include "mem/warp_sets.h"
#include "mem/word_shapes.h"

#define LANE_MEMORY_FN static __attribute__((unused))

/* Where each executing lane's element is. */
struct lane_places {
	lane_address addr[LANE_COUNT];
	uint8_t *host[LANE_COUNT];
	uint8_t *run;           /* words of all lanes side by side, all lanes executing; else NULL */
};

static inline lane_mask lane_all(void)
{
	return lanes_first(LANE_COUNT);
}

static inline lane_mask lane_group(lane_mask lanes, int group)
{
	return lanes >> group * LANE_GROUP & lanes_first(LANE_GROUP);
}

/* ---- costs ---- */

/* May an access be described by groups of LANE_GROUP lanes? Not if somebody counts costs, and the chip's groups are
 * wider; where lanes access s[] and g[] in groups of this file, chips have the same groups for both. */
static inline bool lane_groups_count(const struct exec *x)
{
	return !x->hooks.access || x->banks->lanes == LANE_GROUP;
}

/* May an access by all lanes be described by halves? Of costs as by groups, or as mem/halves.h counts passes. */
static inline bool lane_halves_count(const struct exec *x)
{
	return lane_groups_count(x) || (LANE_GROUPS == 2 && banks_count_halves(x->banks));
}

/* Do two halves, of `words` words side by side from the addresses on, take no pass that is counted? */
static inline bool lane_halves_share(const struct exec *x, uint32_t low, uint32_t high, uint32_t words)
{
	return lane_groups_count(x) || (lane_halves_count(x) && halves_share_pass(low, high, words));
}

/* Put the costs of an instruction into the trace of its warp, if the warp leaves one. */
LANE_MEMORY_FN void lane_trace_costs(struct exec *x, struct segment_costs costs)
{
	if (x->trace)
		trace_costs(x->trace, x->warp, x->step.run, x->step.next_pc, &costs);
}

/* Is the cost of an access known and counted? Outside of global memory uniform lanes and runs take one pass; a group's
 * words side by side are a transaction where mem/coalesce.h says so. A trace needs more of constants (the line) and of
 * atomics. */
LANE_MEMORY_FN bool lane_cost_known(struct exec *x, enum access_kind kind, enum mem_space space,
				    enum access_pattern pattern, const lane_address addr[])
{
	uint32_t bytes = x->tally ? x->tally->run_bytes : 0, groups = 0;
	lane_address any = 0;

	if (!x->tally || pattern == PATTERN_ANY || (x->trace && (space == MEM_CONST || kind == ACCESS_ATOMIC)))
		return false;
	if (space != MEM_GLOBAL)
		return true;
	if (!bytes)
		return false;
	for (uint32_t l = 0; l < LANE_COUNT; l += bytes / 4, groups++)
		any |= addr[l];
	if (any & (bytes - 1))
		return false;
	*(kind == ACCESS_STORE ? &x->tally->stores : &x->tally->loads) += groups;
	lane_trace_costs(x, (struct segment_costs){ .bytes = (uint16_t)(groups * bytes),
						    .last_bytes = (uint16_t)bytes });
	return true;
}

static inline struct access *lane_describe(struct access *to, const struct opnd *o, enum access_kind kind,
					   enum mem_space space, enum access_pattern pattern, lane_mask lanes)
{
	to->kind = (uint8_t)kind;
	to->space = (uint8_t)space;
	to->bank = o->bank;
	to->width = o->width;
	to->lock = 0;
	to->compares = false;
	to->pattern = (uint8_t)pattern;
	to->lanes = lanes;
	return to;
}

/* Note that an instruction has accessed operand o at addr[]; `run`: as in struct lane_places. Returns the access in the
 * step, or NULL if nobody wants the access. Of lanes that do not execute, addr[] may be anything, and the step, which
 * is part of the machine's state, has 0. */
LANE_MEMORY_FN struct access *lane_note(struct exec *x, const struct opnd *o, enum access_kind kind,
					enum mem_space space, const lane_address addr[], bool run)
{
	bool uniform = !o->addr_reg && (space == MEM_SHARED || space == MEM_CONST);
	enum access_pattern pattern = run ? PATTERN_RUN : uniform ? PATTERN_ALIKE : PATTERN_ANY;
	struct access *to;

	if (!x->hooks.access || x->step.accesses == STEP_ACCESSES || lane_cost_known(x, kind, space, pattern, addr))
		return NULL;
	to = lane_describe(&x->step.access[x->step.accesses++], o, kind, space, pattern, x->step.executed);
	if (to->lanes == lane_all()) {
		for (int l = 0; l < LANE_COUNT; l++)
			to->addr[l] = addr[l];
		return to;
	}
	for (int l = 0; l < LANE_COUNT; l++)
		to->addr[l] = 0;
	FOR_SET_LANES(l, to->lanes)
		to->addr[l] = addr[l];
	return to;
}

LANE_MEMORY_FN __attribute__((noinline)) void lane_trace_passes(struct exec *x, unsigned extra)
{
	lane_trace_costs(x, (struct segment_costs){ .extra = extra * x->tally->pass_cycles });
}

/* In threaded code the rest of the step stays unknown: x->hooks.access is called at once. `extra`: passes of an access
 * to shared memory beyond the first of each group. */
LANE_MEMORY_FN __attribute__((noinline)) void lane_hook_passes(struct exec *x, const struct opnd *o,
							       enum access_kind kind, lane_mask lanes, unsigned extra)
{
	x->step.accesses = 1;
	lane_describe(&x->step.access[0], o, kind, MEM_SHARED, PATTERN_COUNTED, lanes)->extra = (uint8_t)extra;
	x->hooks.access(x);
}

static inline void lane_notify_passes(struct exec *x, const struct opnd *o, enum access_kind kind, lane_mask lanes,
				      unsigned extra)
{
	if (!extra)
		return;
	if (!x->tally) {
		lane_hook_passes(x, o, kind, lanes, extra);
		return;
	}
	x->tally->extra_passes += extra;
	if (x->trace)
		lane_trace_passes(x, extra);
}

/* All lanes' words of global memory, side by side in each group. */
LANE_MEMORY_FN void lane_notify_run(struct exec *x, const struct opnd *o, enum access_kind kind,
				    const lane_address addr[])
{
	struct access *to;

	if (!x->hooks.access || lane_cost_known(x, kind, MEM_GLOBAL, PATTERN_RUN, addr))
		return;
	x->step.accesses = 1;
	to = lane_describe(&x->step.access[0], o, kind, MEM_GLOBAL, PATTERN_RUN, lane_all());
	for (int g = 0; g < LANE_GROUPS; g++)
		to->addr[g * LANE_GROUP] = addr[g * LANE_GROUP];
	x->hooks.access(x);
}

/* ---- elements, an address each ---- */

LANE_MEMORY_FN void lane_load_part(const struct lane_places *p, const struct opnd *o, lane_mask lanes,
				   unsigned part, uint32_t out[])
{
	FOR_SET_LANES(l, lanes)
		out[l] = word_load(p->host[l] + 4 * part, o->width < 4 ? o->width : 4, o->is_signed);
}

/* The order of the lanes' stores, so that the last store to an address is the winner by the rule. */
LANE_MEMORY_FN int lane_store_order(struct exec *x, int order[])
{
	int n = 0;

	FOR_SET_LANES(l, x->step.executed)
		order[n++] = l;
	if (x->rules->store_winner == WINNER_LOWEST)
		for (int i = 0; i < n / 2; i++) {
			int t = order[i];
			order[i] = order[n - 1 - i];
			order[n - 1 - i] = t;
		}
	if (x->rules->store_winner == WINNER_RANDOM && x->warp_sets)
		warp_sets_refuse(x->warp_sets, "which lane's store stays is drawn at random");
	if (x->rules->store_winner == WINNER_RANDOM)
		for (int i = n - 1; i > 0; i--) {
			int j = (int)rng_below(&x->random, (uint32_t)i + 1), t = order[i];
			order[i] = order[j];
			order[j] = t;
		}
	return n;
}

/* Words side by side may be stored in any order, for none meets another; but a random winner must be drawn. */
static inline bool lane_stores_run(const struct exec *x, const struct lane_places *p)
{
	return p->run && x->rules->store_winner != WINNER_RANDOM;
}

/* Store word `part` of each lane's element. Returns whether memory changed. */
LANE_MEMORY_FN bool lane_store_part(const struct lane_places *p, const struct opnd *o, unsigned part,
				    const uint32_t v[], const int order[], int n)
{
	bool changed = false;

	for (int i = 0; i < n; i++)
		changed |= word_store(p->host[order[i]] + 4 * part, o->width < 4 ? o->width : 4, v[order[i]]);
	return changed;
}

/* Replace an atomic's old value by the new. False: another host thread was quicker, *before is the present value. */
static inline bool lane_replace(const struct exec *x, memory_word *at, uint32_t *before, uint32_t after)
{
	if (x->pages.sets)
		return __atomic_compare_exchange_n(at, before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	*at = after;
	return true;
}

static inline bool lane_replace_pair(const struct exec *x, memory_pair *at, uint64_t *before, uint64_t after)
{
	if (x->pages.sets)
		return __atomic_compare_exchange_n(at, before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	*at = after;
	return true;
}

/* ---- memory of a block, and of a thread ---- */

static __attribute__((noinline, unused)) int lane_shared_fault(struct exec *x, unsigned width, const uint32_t addr[])
{
	FOR_SET_LANES(l, x->step.executed) {
		if (addr[l] & (width - 1))
			return exec_fault(x, FAULT_SHARED_MISALIGNED, 1ull << l, addr[l]);
		if (!bytes_inside(addr[l], width, x->block->shared_bytes))
			return exec_fault(x, FAULT_SHARED_OUT_OF_RANGE, 1ull << l, addr[l]);
	}
	return STEP_OK;
}

/* Are the executing lanes' elements inside shared memory? Else a fault. */
static inline int lane_shared_check(struct exec *x, unsigned width, const uint32_t addr[])
{
	if (__builtin_expect(words_inside(addr, LANE_COUNT, x->step.executed, width, x->block->shared_bytes), 1))
		return STEP_OK;
	return lane_shared_fault(x, width, addr);
}

/* Do all lanes execute, and want words side by side? */
static inline bool lane_run(const uint32_t addr[], lane_mask lanes, unsigned width)
{
	return width == 4 && lanes == lane_all() && words_spaced(addr, LANE_COUNT, 4);
}

/* Add the elements of `lanes` to the present warp's sets. */
LANE_MEMORY_FN __attribute__((noinline)) void lane_add_shared(struct warp_sets *sets, unsigned width,
							      const uint32_t addr[], lane_mask lanes,
							      enum rw_set set)
{
	warp_sets_shared_lanes(sets, addr, LANE_COUNT, lanes, width, set);
}

static inline void lane_shared_sets(struct exec *x, unsigned width, const uint32_t addr[], lane_mask lanes,
				    enum rw_set set)
{
	if (x->warp_sets)
		lane_add_shared(x->warp_sets, width, addr, lanes, set);
}

/* Load a row of elements inside shared memory; inactive lanes get any value. */
static inline void lane_shared_gather(const struct exec *x, const struct opnd *o, const uint32_t addr[],
				      lane_mask lanes, uint32_t out[])
{
	if (o->width == 4)
		words_gather(x->block->shared, out, addr, LANE_COUNT, lanes);
	else
		FOR_SET_LANES(l, lanes)
			out[l] = word_load(x->block->shared + addr[l], o->width, o->is_signed);
}

/* l[]: the bytes of a thread lie together. */
LANE_MEMORY_FN int lane_local_places(struct exec *x, unsigned width, const uint32_t addr[], uint8_t *at[])
{
	struct block *b = x->block;
	size_t thread = x->warp->id * (size_t)LANE_COUNT;

	FOR_SET_LANES(l, x->step.executed) {
		if (addr[l] & (width - 1))
			return exec_fault(x, FAULT_LOCAL_MISALIGNED, 1ull << l, addr[l]);
		if (!bytes_inside(addr[l], width, b->local_bytes))
			return exec_fault(x, FAULT_LOCAL_OUT_OF_RANGE, 1ull << l, addr[l]);
		at[l] = b->local + (thread + (size_t)l) * b->local_bytes + addr[l];
	}
	return STEP_OK;
}

/* ---- shared memory in threaded code: words without locks ---- */

#if VECTOR_PERMUTES
/* Groups mostly follow each other. */
static inline void lane_near_sets(struct exec *x, const struct words_near n[2], enum rw_set set)
{
	bool both = n[1].base == n[0].base + 2 * VECTOR_WORDS * 4;
	uint64_t low = n[0].taken | (both ? n[1].taken << 2 * VECTOR_WORDS : 0);

	if (x->warp_sets && low)
		warp_sets_shared(x->warp_sets, n[0].base, low, set);
	if (x->warp_sets && !both && n[1].taken)
		warp_sets_shared(x->warp_sets, n[1].base, n[1].taken, set);
}

/* Are the words of each group near each other, so that vectors hold a group's words and show the passes? */
static inline bool lane_near(const struct exec *x, const uint32_t addr[], lane_mask lanes, struct words_near n[2])
{
	return LANE_GROUP_IS_VECTOR && LANE_GROUPS == 2 && lane_halves_count(x) &&
	       (!x->hooks.access || banks_know_span(x->banks)) &&
	       words_are_near(addr, (uint32_t)lanes & 0xffff, &n[0]) &&
	       words_are_near(addr + VECTOR_WORDS, (uint32_t)(lanes >> VECTOR_WORDS) & 0xffff, &n[1]);
}

/* Passes beyond the first of both halves together, each of which has at most one word a bank. */
static inline unsigned lane_near_together(const struct words_near n[2])
{
	uint32_t apart = (n[1].base - n[0].base) >> 2 & (UINT32_MAX >> 2), back = -apart & (UINT32_MAX >> 2);
	uint64_t low = n[0].taken, high = n[1].taken;
	uint32_t turned = (uint32_t)high << (apart & 31) | (uint32_t)(high >> (back & 31));

	if (apart >= 32 && back >= 32)
		return ((uint32_t)low & turned) != 0;
	low = apart < 32 ? low | high << apart : high | low << back;
	return (low & low >> 32) != 0;
}

static inline void lane_notify_near(struct exec *x, const struct opnd *o, enum access_kind kind, lane_mask lanes,
				    const struct words_near n[2])
{
	unsigned extra = 0;

	if (!x->hooks.access)
		return;
	for (int g = 0; g < 2 && lane_groups_count(x); g++)
		extra += banks_extra_of_span(x->banks, n[g].taken);
	lane_notify_passes(x, o, kind, lanes, lane_groups_count(x) ? extra : lane_near_together(n));
}

static __attribute__((noinline, unused)) bool lane_quick_load(struct exec *x, const struct opnd *o,
							      const uint32_t addr[], lane_mask lanes,
							      uint32_t out[])
{
	struct words_near n[2];

	if (!lane_near(x, addr, lanes, n))
		return false;
	lane_near_sets(x, n, READ_SET);
	words_near_load(x->block->shared, &n[0], out);
	words_near_load(x->block->shared, &n[1], out + VECTOR_WORDS);
	lane_notify_near(x, o, ACCESS_LOAD, lanes, n);
	return true;
}

static inline bool lane_near_store(struct exec *x, const struct opnd *o, const uint32_t addr[],
				   lane_mask lanes, const uint32_t v[])
{
	uint8_t *shared = x->block->shared;
	struct words_near n[2];
	bool low, high;

	if (!lane_near(x, addr, lanes, n))
		return false;
	lane_near_sets(x, n, WRITE_SET);
	low = words_near_store(shared, &n[0], v, (uint32_t)lanes & 0xffff);
	high = words_near_store(shared, &n[1], v + VECTOR_WORDS, (uint32_t)(lanes >> VECTOR_WORDS));
	x->changes += low || high;
	lane_notify_near(x, o, ACCESS_STORE, lanes, n);
	return true;
}

/* The number of a group's words if inside and side by side, or all the same word, from *first on; 0 for any other
 * pattern. */
static inline uint32_t lane_group_at_once(const struct block *b, vec addr, uint32_t *first, uint32_t out[])
{
	uint32_t at = addr[0], n;
	vec apart = addr - at;

	n = vec_any(vec_differ(apart, vec_count(4))) ? 1 : VECTOR_WORDS;
	*first = at;
	if ((n == 1 && vec_any(vec_meet(apart, apart))) || at & 3 || !bytes_inside(at, 4 * n, b->shared_bytes))
		return 0;
	vec_store(out, n == 1 ? vec_all(word_load(b->shared + at, 4, false)) : vec_load(b->shared + at));
	return n;
}

/* Load all lanes' words at (base + offset) & mask, if each group takes one pass. False: more passes, or outside; out is
 * spoilt. */
static inline bool lane_shared_at_once(struct exec *x, const uint32_t base[], uint32_t offset, uint32_t mask,
				       uint32_t out[])
{
	uint32_t first[LANE_GROUPS], n[LANE_GROUPS], all = 1;

	for (int g = 0; g < LANE_GROUPS && LANE_GROUP_IS_VECTOR; g++) {
		vec sum = vec_load(base + g * VECTOR_WORDS) + offset;
		n[g] = lane_group_at_once(x->block, sum & mask, &first[g], out + g * VECTOR_WORDS);
		all = n[g] ? all : 0;
	}
	if (!all || !LANE_GROUP_IS_VECTOR)
		return false;
	if (!lane_groups_count(x) && (n[0] != n[LANE_GROUPS - 1] ||
				      !lane_halves_share(x, first[0], first[LANE_GROUPS - 1], n[0])))
		return false;
	for (int g = 0; x->warp_sets && g < LANE_GROUPS; g++)
		warp_sets_shared(x->warp_sets, first[g], (1u << n[g]) - 1, READ_SET);
	return true;
}
#else
#define lane_near_store(x, o, addr, lanes, v) false
#define lane_quick_load(x, o, addr, lanes, out) false
#define lane_shared_at_once(x, base, offset, mask, out) false
#endif

/* Passes beyond the first of each group; addresses may be distances from a word. */
LANE_MEMORY_FN __attribute__((noinline)) unsigned lane_count_words(const struct exec *x, const uint32_t addr[],
								   lane_mask lanes)
{
	if ((int)LANE_COUNT == 2 * HALF_LANES && warp_banks_apply(x->banks, x->block->shared_bytes))
		return warp_banks_extra(addr, (uint32_t)lanes);
	return shared_extra(x->banks, addr, LANE_COUNT, lanes);
}

LANE_MEMORY_FN __attribute__((noinline)) unsigned lane_count_shape(const struct exec *x, struct word_shape *s,
								   lane_mask lanes)
{
	unsigned extra = lane_count_words(x, s->apart, lanes);

	word_shape_learn(s, lanes, extra);
	return extra;
}

/* A lane alone takes one pass. */
static inline unsigned lane_shape_extra(const struct exec *x, struct word_shape *s, lane_mask lanes)
{
	unsigned extra = 0;

	if (lanes & (lanes - 1) && !word_shape_knows(s, lanes, &extra))
		extra = lane_count_shape(x, s, lanes);
	return extra;
}

static inline void lane_notify_shape(struct exec *x, const struct opnd *o, enum access_kind kind,
				     struct word_shape *s, lane_mask lanes)
{
	if (x->hooks.access)
		lane_notify_passes(x, o, kind, lanes, lane_shape_extra(x, s, lanes));
}

static inline void lane_notify_words(struct exec *x, const struct opnd *o, enum access_kind kind,
				     const uint32_t addr[], lane_mask lanes)
{
	if (x->hooks.access && lanes & (lanes - 1))
		lane_notify_passes(x, o, kind, lanes, lane_count_words(x, addr, lanes));
}

/* Add each group's words, side by side from an address on, to the present warp's sets; adjacent groups at once. */
LANE_MEMORY_FN __attribute__((noinline)) void lane_run_sets(struct warp_sets *sets, enum set_space space,
							    const uint64_t first[], enum rw_set set)
{
	uint64_t from = first[0], words = LANE_GROUP;

	if (warp_sets_skip(sets, space, set))
		return;
	for (int g = 1; g <= LANE_GROUPS; g++) {
		if (g < LANE_GROUPS && first[g] == from + 4 * words && words + LANE_GROUP <= SET_ROW_WORDS) {
			words += LANE_GROUP;
			continue;
		}
		warp_sets_words(sets, space == SET_SHARED ? warp_sets_shared_row : warp_sets_global_row, from,
				lanes_first((int)words), set);
		if (g < LANE_GROUPS)
			from = first[g];
		words = LANE_GROUP;
	}
}

/* ---- words by their shape: all lanes', active or not, are inside ---- */

struct lane_words {
	struct word_shape *shape;
	uint32_t origin;        /* address of the first lane's word */
};

/* Are words of a shape, the first lane's at (base + offset) & mask, aligned and inside? */
static inline bool lane_words_inside(const struct exec *x, struct word_shape *s, uint32_t base, uint32_t offset,
				     uint32_t mask, struct lane_words *w)
{
	w->shape = s;
	w->origin = (base + offset) & mask;
	return word_shape_inside(s, w->origin, x->block->shared_bytes) &&
	       word_shape_inside(s, w->origin, (uint64_t)mask + 1);
}

/* Do words that are inside memory end at `limit` or before? */
static inline bool lane_words_below(const struct lane_words *w, uint32_t limit)
{
	return (uint64_t)(w->origin + (uint32_t)w->shape->lowest) + w->shape->span + 4 <= limit;
}

/* Find the words at (base + offset) & mask. False: some are outside or not aligned; not all lanes need be active. */
static inline bool lane_words_find(struct exec *x, const uint32_t base[], uint32_t offset, uint32_t mask,
				   struct lane_words *w)
{
	struct word_shape *s = SHAPES_ARE_KEPT ? word_shape_of(&x->shapes, base, LANE_COUNT) : NULL;

	return s && lane_words_inside(x, s, base[0], offset, mask, w);
}

/* As lane_words_find, of a shape with known passes for `lanes`, which are counted here; without a call. False: other
 * words, or there is more to note. */
static inline bool lane_words_known(struct exec *x, const uint32_t base[], uint32_t offset, uint32_t mask,
				    lane_mask lanes, struct lane_words *w)
{
	struct word_shape *s = word_shape_place(&x->shapes, base, LANE_COUNT);
	unsigned extra;

	if (!SHAPES_ARE_KEPT || !word_shape_is(s, base, LANE_COUNT) ||
	    !lane_words_inside(x, s, base[0], offset, mask, w) || x->warp_sets)
		return false;
	if (!x->hooks.access || !(lanes & (lanes - 1)))
		return true;
	if (!word_shape_knows(s, lanes, &extra))
		return false;
	if (!extra)
		return true;
	if (!x->tally || x->trace)
		return false;
	x->tally->extra_passes += extra;
	return true;
}

/* Add the words of `lanes` to the present warp's sets. */
LANE_MEMORY_FN __attribute__((noinline)) void lane_words_sets(struct exec *x, const struct lane_words *w,
							      lane_mask lanes, enum rw_set set)
{
	struct word_shape *s = w->shape;
	uint64_t tag = x->warp_sets->tag;
	bool run = 1 << s->side == SHAPE_BLOCK, stored = set != READ_SET;

	if (shape_is_near(s)) {
		warp_sets_shared(x->warp_sets, w->origin + (uint32_t)s->lowest,
				 word_shape_words(s, LANE_COUNT, lanes), set);
		return;
	}
	if (!run && s->spread) {
		uint32_t addr[LANE_COUNT];
		if (word_shape_added(s, tag, w->origin, lanes, stored))
			return;         /* as where some lanes retry */
		word_shape_add(s, tag, w->origin, lanes, stored);
		for (int l = 0; l < LANE_COUNT; l++)
			addr[l] = w->origin + s->apart[l];
		lane_add_shared(x->warp_sets, 4, addr, lanes, set);
		return;
	}
	for (int b = 0; b < LANE_COUNT; b += SHAPE_BLOCK) {
		lane_mask own = lanes >> b & lanes_first(SHAPE_BLOCK);
		if (own)
			warp_sets_shared(x->warp_sets, w->origin + s->apart[b], run ? own : 1, set);
	}
}

/* Words alone, with nothing noted. At equal addresses the highest lane's word stays. */
static inline void lane_words_copy(const struct exec *x, const struct lane_words *w, uint32_t out[])
{
	word_shape_load(x->block->shared + w->origin, w->shape, out, LANE_COUNT);
}

static inline void lane_words_put(struct exec *x, const struct lane_words *w, lane_mask lanes, const uint32_t v[])
{
	x->changes += word_shape_store(x->block->shared + w->origin, w->shape, v, LANE_COUNT, lanes);
}

static inline void lane_words_load(struct exec *x, const struct opnd *o, const struct lane_words *w, lane_mask lanes,
				   uint32_t out[])
{
	if (__builtin_expect(x->warp_sets != NULL, 0))
		lane_words_sets(x, w, lanes, READ_SET);
	lane_words_copy(x, w, out);
	lane_notify_shape(x, o, ACCESS_LOAD, w->shape, lanes);
}

static inline void lane_words_store(struct exec *x, const struct opnd *o, const struct lane_words *w, lane_mask lanes,
				    const uint32_t v[])
{
	if (__builtin_expect(x->warp_sets != NULL, 0))
		lane_words_sets(x, w, lanes, WRITE_SET);
	lane_words_put(x, w, lanes, v);
	lane_notify_shape(x, o, ACCESS_STORE, w->shape, lanes);
}

/* Load the elements of `lanes` at addr. False: a lane is outside, and nothing has happened. */
static inline bool lane_shared_load(struct exec *x, const struct opnd *o, const uint32_t addr[],
				    lane_mask lanes, uint32_t out[])
{
	struct lane_words w;

	if (VECTOR_PERMUTES && !words_inside(addr, LANE_COUNT, lanes, o->width, x->block->shared_bytes))
		return false;
	if (o->width == 4 && lane_quick_load(x, o, addr, lanes, out))
		return true;
	if (o->width == 4 && lane_words_find(x, addr, 0, UINT32_MAX, &w)) {
		lane_words_load(x, o, &w, lanes, out);
		return true;
	}
	if (!VECTOR_PERMUTES && !words_inside(addr, LANE_COUNT, lanes, o->width, x->block->shared_bytes))
		return false;
	lane_shared_sets(x, o->width, addr, lanes, READ_SET);
	lane_shared_gather(x, o, addr, lanes, out);
	lane_notify_words(x, o, ACCESS_LOAD, addr, lanes);
	return true;
}

#if VECTOR_PERMUTES
/* Each group's words lie side by side. */
static inline bool lane_group_runs(const uint32_t addr[])
{
	for (int g = 0; g < LANE_GROUPS; g++)
		if (!words_spaced(addr + g * LANE_GROUP, LANE_GROUP, 4))
			return false;
	return true;
}

/* Store words side by side in each group. False: other words. */
static inline bool lane_store_runs(struct exec *x, const uint32_t addr[], lane_mask lanes, const uint32_t v[])
{
	uint64_t first[LANE_GROUPS];
	bool changed = false;

	if (lanes != lane_all() || !lane_halves_share(x, addr[0], addr[LANE_COUNT - LANE_GROUP], LANE_GROUP) ||
	    !lane_group_runs(addr))
		return false;
	for (int g = 0; g < LANE_GROUPS; g++) {
		first[g] = addr[g * LANE_GROUP];
		changed |= words_store(x->block->shared + first[g], v + g * LANE_GROUP, LANE_GROUP);
	}
	x->changes += changed;
	if (x->warp_sets)
		lane_run_sets(x->warp_sets, SET_SHARED, first, WRITE_SET);
	return true;
}
#else
#define lane_store_runs(x, addr, lanes, v) false
#endif

/* Store words of `lanes` at addr; at equal addresses the highest lane's word stays. False: a lane is outside, and
 * nothing has happened. */
static inline bool lane_shared_store(struct exec *x, const struct opnd *o, const uint32_t addr[], lane_mask lanes,
				     const uint32_t v[])
{
	struct lane_words w;

	if (VECTOR_PERMUTES && !words_inside(addr, LANE_COUNT, lanes, 4, x->block->shared_bytes))
		return false;
	if (lane_store_runs(x, addr, lanes, v) || lane_near_store(x, o, addr, lanes, v))
		return true;
	if (lane_words_find(x, addr, 0, UINT32_MAX, &w)) {
		lane_words_store(x, o, &w, lanes, v);
		return true;
	}
	if (!VECTOR_PERMUTES && !words_inside(addr, LANE_COUNT, lanes, 4, x->block->shared_bytes))
		return false;
	lane_shared_sets(x, 4, addr, lanes, WRITE_SET);
	x->changes += words_scatter(x->block->shared, addr, v, lanes);
	lane_notify_words(x, o, ACCESS_STORE, addr, lanes);
	return true;
}

/* ---- global memory ---- */

/* The real address of a lane's element in global memory; false: outside the view. */
static inline bool lane_real(const struct exec *x, unsigned bank, lane_address addr, unsigned width, uint64_t *real)
{
	uint32_t seen = 0;
	bool there;

	if (sizeof addr > sizeof seen)
		return lane_linear_real(x, bank, addr, width, real);
	there = view_address(&x->memory->g[bank], (uint32_t)addr, width, &seen);
	*real = seen;
	return there;
}

/* Bytes of n words side by side from addr[0] on, with real address and page, if within a page; else NULL. */
static inline uint8_t *lane_global_run(struct exec *x, unsigned bank, const lane_address addr[], int n,
				       uint64_t *real, struct global_page **page)
{
	if (!lane_side_by_side(x, bank, addr, n, real))
		return NULL;
	*page = global_run_page(x->memory->global, &x->pages, *real, (uint32_t)n * 4);
	return *page ? (*page)->bytes + *real % PAGE_BYTES : NULL;
}

/* One of the executing lanes has its element beyond the end of a buffer. */
LANE_MEMORY_FN __attribute__((noinline)) void lane_beyond(struct exec *x, const struct opnd *o,
							   const struct lane_places *p)
{
	FOR_SET_LANES(l, x->step.executed) {
		uint64_t real;
		if (lane_real(x, o->bank, p->addr[l], o->width, &real) && real == x->pages.beyond) {
			exec_beyond(x, (unsigned)l);
			return;
		}
	}
}

LANE_MEMORY_FN int lane_global_places(struct exec *x, const struct opnd *o, struct lane_places *p)
{
	bool words = o->width == 4 && x->step.executed == lane_all() && lane_linear(x, o->bank);
	struct global_page *page;
	uint64_t real;

	p->run = words ? lane_global_run(x, o->bank, p->addr, LANE_COUNT, &real, &page) : NULL;
	if (p->run) {
		for (int l = 0; l < LANE_COUNT; l++)
			p->host[l] = p->run + 4 * l;
		return STEP_OK;
	}
	FOR_SET_LANES(l, x->step.executed) {
		lane_address addr = p->addr[l];
		if (addr & (o->width - 1u))
			return exec_fault(x, FAULT_GLOBAL_MISALIGNED, 1ull << l, addr);
		p->host[l] = NULL;
		if (lane_real(x, o->bank, addr, o->width, &real))
			p->host[l] = global_at(x->memory->global, &x->pages, real, o->width);
		else if (x->memory->g[o->bank].surface)
			return exec_fault(x, FAULT_GLOBAL_OUTSIDE_SURFACE, 1ull << l, addr);
		if (!p->host[l])
			return exec_fault(x, FAULT_GLOBAL_UNMAPPED, 1ull << l, addr);
	}
	if (__builtin_expect(x->pages.beyond_width != 0, 0))
		lane_beyond(x, o, p);
	return STEP_OK;
}

/* Log the lanes' words before a store, if there is a log. */
static inline void lane_global_log(struct exec *x, const struct opnd *o, const struct lane_places *p)
{
	if (__builtin_expect(!x->memory->global->undo, 1))
		return;
	FOR_SET_LANES(l, x->step.executed) {
		uint64_t real;
		lane_real(x, o->bank, p->addr[l], o->width, &real);
		undo_log_store(x->memory->global, &x->pages, real);
	}
}

/* Read and write sets, element by element, whatever page each is in. */
LANE_MEMORY_FN bool lane_sets_each(struct exec *x, const struct opnd *o, const lane_address addr[],
				   enum rw_set set, unsigned op)
{
	struct worker_sets *sets = x->pages.sets;
	struct warp_sets *warp_sets = x->warp_sets;

	FOR_SET_LANES(l, x->step.executed) {
		struct global_page *p;
		uint64_t real;
		bool added;
		lane_real(x, o->bank, addr[l], o->width, &real);
		p = global_page_at(x->memory->global, &x->pages, real);
		added = set == REDUCE_SET ? worker_sets_reduce(sets, p, op, real, o->width) :
					    worker_sets_add(sets, p, set, real, o->width);
		if (!added)
			return false;
		if (warp_sets && set == REDUCE_SET)
			warp_sets_reduce(warp_sets, real, o->width, (uint8_t)op);
		else if (warp_sets)
			warp_sets_global(warp_sets, real, warp_sets_element(o->width), set);
	}
	return true;
}

/* Add elements of one page to the sets. Neighbours mostly share a row of the sets, written when left. */
LANE_MEMORY_FN bool lane_sets_page(struct exec *x, struct global_page *p, const uint64_t real[], unsigned width,
				   enum rw_set set)
{
	struct worker_sets *sets = x->pages.sets;
	uint64_t element = (1ull << (width + 3) / 4) - 1, bits = 0, none = 0, *row = &none;
	uint32_t at = UINT32_MAX;

	FOR_SET_LANES(l, x->step.executed) {
		uint32_t word = real[l] % PAGE_BYTES / 4;
		if (word / 64 != at) {
			*row |= bits;
			at = word / 64;
			bits = 0;
			row = worker_sets_row(sets, p, set, at);
			if (!row)
				return false;
		}
		bits |= element << word % 64;
	}
	*row |= bits;
	return true;
}

/* The real addresses, and the page, if all lie in one page. */
static inline struct global_page *lane_one_page(struct exec *x, const struct opnd *o, const lane_address addr[],
						uint64_t real[])
{
	uint64_t differ = 0, base = sizeof *addr > sizeof(uint32_t) ? 0 : x->memory->g[o->bank].base, first;
	lane_mask lanes = x->step.executed;

	if (!lane_linear(x, o->bank) || !lanes)
		return NULL;
	for (int l = 0; l < LANE_COUNT; l++)
		real[l] = (lane_address)(base + addr[l]);
	first = real[__builtin_ctzll(lanes)];
	for (int l = 0; l < LANE_COUNT; l++)
		differ |= (real[l] ^ first) & -(uint64_t)(lanes >> l & 1);
	return differ >> PAGE_BITS ? NULL : global_page_at(x->memory->global, &x->pages, first);
}

/* The executing lanes are about to access elements of global memory, all mapped, while several host threads run or a
 * block is pre-executed. `op`: operation of a reduction, below 256. STEP_OK; or STEP_FAULT, and nothing may be touched:
 * one thread has to execute the access. */
LANE_MEMORY_FN int lane_global_sets(struct exec *x, const struct opnd *o, const lane_address addr[],
				    enum rw_set set, unsigned op)
{
	uint64_t real[LANE_COUNT];
	struct global_page *p = set == REDUCE_SET ? NULL : lane_one_page(x, o, addr, real);
	bool added;

	if (p)
		added = lane_sets_page(x, p, real, o->width, set);
	else
		added = lane_sets_each(x, o, addr, set, op);
	if (p && x->warp_sets)
		warp_sets_global_lanes(x->warp_sets, real, x->step.executed, o->width, set);
	return added ? STEP_OK : exec_fault(x, FAULT_GLOBAL_UNMAPPED, x->step.executed, 0);
}

/* n bytes side by side in page p, at a real address: a group's words, or those of all lanes. */
static inline bool lane_run_page_sets(struct exec *x, struct global_page *p, uint64_t real, uint32_t n,
				      enum rw_set set)
{
	struct worker_sets *sets = x->pages.sets;

	_Static_assert(LANE_GROUP_BYTES % SET_SEGMENT == 0, "a group has whole segments of words");
	if (!sets)
		return true;
	if (real % SET_SEGMENT == 0)
		return worker_sets_add_segments(sets, p, set, real, n / SET_SEGMENT);
	for (uint32_t done = 0; done < n; done += SET_SEGMENT)
		if (!worker_sets_add(sets, p, set, real + done, SET_SEGMENT))
			return false;
	return true;
}

/* lane_global_groups where not all lanes are side by side. */
LANE_MEMORY_FN __attribute__((noinline)) bool lane_global_each_group(struct exec *x, const struct opnd *o,
								      const lane_address addr[], uint8_t *at[],
								      enum rw_set set)
{
	uint64_t real[LANE_GROUPS];
	struct global_page *page;

	for (int g = 0; g < LANE_GROUPS; g++) {
		at[g] = lane_groups_count(x) ? lane_global_run(x, o->bank, addr + g * LANE_GROUP, LANE_GROUP, &real[g],
							       &page) : NULL;
		if (!at[g] || !lane_run_page_sets(x, page, real[g], LANE_GROUP_BYTES, set))
			return false;
	}
	if (x->warp_sets)
		lane_run_sets(x->warp_sets, SET_GLOBAL, real, set);
	return true;
}

/* In threaded code: the words of all lanes, side by side in each group, added to the sets. False: another pattern, or
 * refused. */
static inline bool lane_global_groups(struct exec *x, const struct opnd *o, const lane_address addr[],
				      uint8_t *at[], enum rw_set set)
{
	struct global_page *page;
	uint64_t real;
	uint8_t *run;

	if (!lane_linear(x, o->bank))
		return false;
	run = lane_global_run(x, o->bank, addr, LANE_COUNT, &real, &page);
	if (__builtin_expect(!run, 0))
		return lane_global_each_group(x, o, addr, at, set);
	for (int g = 0; g < LANE_GROUPS; g++)
		at[g] = run + g * LANE_GROUP_BYTES;
	if (!lane_run_page_sets(x, page, real, LANE_COUNT * 4, set))
		return false;
	if (x->warp_sets)
		warp_sets_global(x->warp_sets, real, lanes_first(LANE_COUNT), set);
	return true;
}

/* As lane_global_words, side by side in each group. False: anything else. */
static inline bool lane_global_quick_groups(struct exec *x, const struct opnd *o, const lane_address addr[],
					    uint8_t *at[])
{
	uint32_t bytes = x->tally ? x->tally->run_bytes : 0;
	lane_address any = 0;

	for (int g = 0; g < LANE_GROUPS; g++)
		any |= addr[g * LANE_GROUP];
	if (x->pages.sets || x->warp_sets || x->trace || !lane_linear(x, o->bank) || !lane_groups_count(x) ||
	    (x->hooks.access && (!bytes || bytes > LANE_GROUP_BYTES || any & (bytes - 1))))
		return false;
	for (int g = 0; g < LANE_GROUPS; g++) {
		const struct global_page *page;
		uint64_t real;
		if (!lane_side_by_side(x, o->bank, addr + g * LANE_GROUP, LANE_GROUP, &real))
			return false;
		page = global_run_cached(&x->pages, real, LANE_GROUP_BYTES);
		if (!page)
			return false;
		at[g] = page->bytes + real % PAGE_BYTES;
	}
	return true;
}

/* Do the groups follow each other, so that no lane stores to another's word? */
static inline bool lane_groups_apart(const lane_address addr[])
{
	for (int g = 1; g < LANE_GROUPS; g++)
		if (addr[g * LANE_GROUP] != addr[(g - 1) * LANE_GROUP] + LANE_GROUP_BYTES)
			return false;
	return true;
}

#endif
