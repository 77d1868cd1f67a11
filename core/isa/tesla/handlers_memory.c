/* Tesla's handlers of words in s[] and g[], where no lock is held: fetches of operands, loads and stores. Other
 * accesses go by the executor (handlers_exec.c). */
#include <string.h>

#include "core/isa/lane_memory.h"
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/memory_runs.h"
#include "core/isa/tesla/run.h"

static bool locks_held(const struct exec *x)
{
	return x->block->lock.holders != 0;
}

/* All lanes' words at o, if each group takes one pass; false: more passes, or outside; *out is spoilt. */
static inline bool shared_at_once(struct exec *x, const struct opnd *o, struct row *out)
{
	return lane_shared_at_once(x, tesla_state(x->warp)->a[o->addr_reg].lane, (uint32_t)o->value, 0xffff, out->lane);
}

static inline bool by_all_lanes(const struct threaded_op *op, const struct exec *x, uint32_t active)
{
	return active == ~0u && !op->guard && !locks_held(x);
}

/* The words at o, by their shape, if all lanes' are inside. At AVX-512 vectors show most patterns sooner. */
static inline bool shape_found(struct exec *x, const struct opnd *o, struct lane_words *w)
{
	const uint32_t *base = tesla_state(x->warp)->a[o->addr_reg].lane;

	return !VECTOR_PERMUTES && lane_words_find(x, base, (uint32_t)o->value, 0xffff, w);
}

/* The same of words that were seen before, with nothing to note but passes, which are noted here. The address
 * register's row and the offset are as translated (translate_words_at). */
static inline bool shape_known(const struct threaded_op *op, struct exec *x, const char *reg, uint32_t lanes,
			       struct lane_words *w)
{
	const uint32_t *base = ((const struct row *)(reg + (int32_t)op->flip[0]))->lane;

	return !VECTOR_PERMUTES && !locks_held(x) && lane_words_known(x, base, op->flip[1], 0xffff, lanes, w);
}

static __attribute__((noinline)) bool words_by_addresses(struct exec *x, const struct opnd *o, uint32_t lanes,
							 struct row *out)
{
	uint32_t addr[LANES] __attribute__((aligned(64)));

	addresses(x, o, addr);
	return lane_shared_load(x, o, addr, lanes, out->lane);
}

/* The words of s[] of `lanes` at o, an address each. False: a lane is outside. */
static inline bool shared_words(struct exec *x, const struct opnd *o, uint32_t lanes, struct row *out)
{
	struct lane_words w;

	if (!shape_found(x, o, &w))
		return words_by_addresses(x, o, lanes, out);
	lane_words_load(x, o, &w, lanes, out->lane);
	return true;
}

/* All lanes read one element, as translated (translate_alike): one pass, with no cost to count. False: outside. */
static inline bool shared_alike(const struct threaded_op *op, const struct exec *x, struct row *out)
{
	uint32_t v;

	if (op->flip[1] > x->block->shared_bytes)
		return false;
	memcpy(&v, x->block->shared + op->flip[0], sizeof v);   /* shared memory has bytes to spare behind its end */
	v <<= op->flip[2];
	words_fill(out->lane, LANES, op->flips ? (uint32_t)((int32_t)v >> op->flip[2]) : v >> op->flip[2]);
	return true;
}

static struct row *fetched(struct exec *x, const struct threaded_op *op)
{
	return &tesla_state(x->warp)->fetched[op->arg];
}

/* With the sets of traces. */
static __attribute__((noinline)) int alike_in_sets(HANDLER_PARAMETERS)
{
	if (locks_held(x) || !shared_alike(op, x, op_row(reg, op->dst)))
		HANDLER_CALL(SIMD_NAME(handler_fetch), op, x, reg, active);
	if (x->warp_sets && op_lanes(op, reg, active))
		warp_sets_shared(x->warp_sets, (uint32_t)op->in->src[op->arg].value & 0xffff, 1, READ_SET);
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_fetch_uniform)(HANDLER_PARAMETERS)
{
	if (x->warp_sets || locks_held(x) || !shared_alike(op, x, op_row(reg, op->dst)))
		HANDLER_CALL(alike_in_sets, op, x, reg, active);
	HANDLER_NEXT(op, x, reg, active);
}

static __attribute__((noinline)) int words_fetched(HANDLER_PARAMETERS)
{
	uint32_t lanes = op_lanes(op, reg, active);

	threaded_locate(op, x);
	if (locks_held(x) || !shared_words(x, &op->in->src[op->arg], lanes, fetched(x, op)))
		HANDLER_CALL(SIMD_NAME(handler_fetch), op, x, reg, active);
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_fetch_words)(HANDLER_PARAMETERS)
{
	const struct opnd *o = &op->in->src[op->arg];
	struct lane_words w;

	if (by_all_lanes(op, x, active) && shared_at_once(x, o, fetched(x, op)))
		HANDLER_NEXT_FULL(op, x, reg, active);
	if (!shape_known(op, x, reg, op_lanes(op, reg, active), &w))
		HANDLER_CALL(words_fetched, op, x, reg, active);
	lane_words_copy(x, &w, fetched(x, op)->lane);
	HANDLER_NEXT(op, x, reg, active);
}

static __attribute__((noinline)) int words_loaded(HANDLER_PARAMETERS)
{
	uint32_t lanes = op_lanes(op, reg, active);
	struct row out;

	threaded_locate(op, x);
	if (locks_held(x) || !shared_words(x, &op->in->src[0], lanes, &out))
		HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
	op_blend(op, x, reg, active, op_row(reg, op->dst), &out);
	HANDLER_NEXT(op, x, reg, active);
}

/* Under a guard, or some lanes. */
static __attribute__((noinline)) int some_loaded(HANDLER_PARAMETERS)
{
	struct lane_words w;
	struct row out;

	if (!shape_known(op, x, reg, op_lanes(op, reg, active), &w))
		HANDLER_CALL(words_loaded, op, x, reg, active);
	lane_words_copy(x, &w, out.lane);
	op_blend(op, x, reg, active, op_row(reg, op->dst), &out);
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_load_shared)(HANDLER_PARAMETERS)
{
	const struct opnd *o = &op->in->src[0];
	struct lane_words w;

	if (SHAPES_ARE_KEPT && (op->guard || active != ~0u))
		HANDLER_CALL(some_loaded, op, x, reg, active);
	if (by_all_lanes(op, x, active) && shared_at_once(x, o, op_row(reg, op->dst)))
		HANDLER_NEXT_FULL(op, x, reg, active);
	if (!shape_known(op, x, reg, ~0u, &w))
		HANDLER_CALL(words_loaded, op, x, reg, active);
	lane_words_copy(x, &w, op_row(reg, op->dst)->lane);
	HANDLER_NEXT_FULL(op, x, reg, active);
}

static __attribute__((noinline)) bool stored_by_addresses(struct exec *x, const struct opnd *o, uint32_t lanes,
							  const struct row *v)
{
	uint32_t addr[LANES] __attribute__((aligned(64)));

	addresses(x, o, addr);
	return lane_shared_store(x, o, addr, lanes, v->lane);
}

/* Store words of s[] of `lanes` at o. False: a lane is outside, and nothing has happened. */
static inline bool shared_stored(struct exec *x, const struct opnd *o, uint32_t lanes, const struct row *v)
{
	struct lane_words w;

	if (!shape_found(x, o, &w))
		return stored_by_addresses(x, o, lanes, v);
	lane_words_store(x, o, &w, lanes, v->lane);
	return true;
}

static __attribute__((noinline)) int words_stored(HANDLER_PARAMETERS)
{
	uint32_t lanes = op_lanes(op, reg, active);

	threaded_locate(op, x);
	if (locks_held(x) || !shared_stored(x, &op->in->dst, lanes, op_src(op, 0, reg)))
		HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
	x->progress++;
	op_bill_predicated(op, x, active, lanes);
	HANDLER_NEXT(op, x, reg, active);
}

/* What is left of a store. */
static inline void store_done(const struct threaded_op *op, struct exec *x, uint32_t active, uint32_t lanes,
			      bool changed)
{
	x->changes += changed;
	x->progress++;
	op_bill_predicated(op, x, active, lanes);
}

/* The ways of a store are handlers of their own, as each needs few registers; x->shapes.store has what goes from one to
 * the next. */
static __attribute__((noinline)) int small_blocks_stored(HANDLER_PARAMETERS)
{
	const struct word_store *known = &x->shapes.store;
	struct word_shape *shape = (struct word_shape *)((char *)&x->shapes + known->shape);
	uint8_t *at = x->block->shared + known->origin;
	uint32_t lanes = known->lanes;

	store_done(op, x, active, lanes, shape_store_small(at, shape, op_src(op, 0, reg)->lane, LANES, lanes));
	HANDLER_NEXT(op, x, reg, active);
}

static __attribute__((noinline)) int lanes_stored(HANDLER_PARAMETERS)
{
	struct word_store *known = &x->shapes.store;
	uint32_t lanes = known->lanes;
	const uint32_t *v = op_src(op, 0, reg)->lane;
	struct lane_words w;
	uint8_t *at;

	if (!shape_known(op, x, reg, lanes, &w))
		HANDLER_CALL(words_stored, op, x, reg, active);
	if (!shape_has_vectors(w.shape)) {
		known->shape = (uint32_t)((const char *)w.shape - (const char *)&x->shapes);
		known->origin = w.origin;
		HANDLER_CALL(small_blocks_stored, op, x, reg, active);
	}
	at = x->block->shared + w.origin;
	store_done(op, x, active, lanes, shape_store_vectors(at, w.shape, v, LANES, lanes));
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_store_shared)(HANDLER_PARAMETERS)
{
	uint32_t lanes = op_lanes(op, reg, active);

	x->shapes.store.lanes = lanes;
	if (lanes)
		HANDLER_CALL(SHAPES_ARE_KEPT ? lanes_stored : words_stored, op, x, reg, active);
	store_done(op, x, active, lanes, false);
	HANDLER_NEXT(op, x, reg, active);
}

static inline void load_groups(struct row *to, uint8_t *const at[LANE_GROUPS])
{
	for (int g = 0; g < LANE_GROUPS; g++)
		words_load(to->lane + g * LANE_GROUP, at[g], LANE_GROUP);
}

/* Words side by side in each group, or with more to note. */
static __attribute__((noinline)) int groups_loaded(HANDLER_PARAMETERS)
{
	const uint32_t *addr = op_src(op, 0, reg)->lane;
	const struct opnd *o = &op->in->src[0];
	uint8_t *at[LANE_GROUPS];

	threaded_locate(op, x);
	if (op->guard || !lane_global_groups(x, o, addr, at, READ_SET))
		HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
	lane_notify_run(x, o, ACCESS_LOAD, addr);
	load_groups(op_row(reg, op->dst), at);
	HANDLER_NEXT(op, x, reg, active);
}

/* Words side by side in each group, with a known cost. */
static __attribute__((noinline)) int quick_groups_loaded(HANDLER_PARAMETERS)
{
	const uint32_t *addr = op_src(op, 0, reg)->lane;
	uint8_t *at[LANE_GROUPS];

	if (!SHAPES_ARE_KEPT || op->guard || !lane_global_quick_groups(x, &op->in->src[0], addr, at))
		HANDLER_CALL(groups_loaded, op, x, reg, active);
	load_groups(op_row(reg, op->dst), at);
	lane_count_global(x, false);
	HANDLER_NEXT_FULL(op, x, reg, active);
}

int SIMD_NAME(handler_load_run)(HANDLER_PARAMETERS)
{
	const struct row *addresses = op_src(op, 0, reg);

	if (op->guard || !tesla_load_run(x, op->in->src[0].bank, addresses, op_row(reg, op->dst)))
		HANDLER_CALL(quick_groups_loaded, op, x, reg, active);
	HANDLER_NEXT_FULL(op, x, reg, active);
}

static __attribute__((noinline)) int groups_stored(HANDLER_PARAMETERS)
{
	const uint32_t *v = op_src(op, 0, reg)->lane, *addr = op_src(op, 1, reg)->lane;
	const struct opnd *o = &op->in->dst;
	uint8_t *at[LANE_GROUPS];
	bool changed = false;

	threaded_locate(op, x);
	if (op->guard || x->memory->global->undo || !lane_global_groups(x, o, addr, at, WRITE_SET))
		HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
	if (x->rules->store_winner == WINNER_LOWEST && !lane_groups_apart(addr))
		HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
	for (int g = 0; g < LANE_GROUPS; g++)
		changed |= words_store(at[g], v + g * LANE_GROUP, LANE_GROUP);
	x->changes += changed;
	x->progress++;
	lane_notify_run(x, o, ACCESS_STORE, addr);
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_store_run)(HANDLER_PARAMETERS)
{
	const struct row *v = op_src(op, 0, reg), *addresses = op_src(op, 1, reg);

	if (op->guard || !tesla_store_run(x, op->in->dst.bank, addresses, v))
		HANDLER_CALL(groups_stored, op, x, reg, active);
	HANDLER_NEXT_FULL(op, x, reg, active);
}
