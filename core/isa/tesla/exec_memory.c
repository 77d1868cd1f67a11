/* Executors of loads, stores and atomics, and the fetch of memory operands. Each first finds out for every executing
 * lane where its element is; a fault or a wait leaves everything as it was. */
#include <string.h>

#include "core/base/rng.h"
#include "core/isa/tesla/arith_atomic.h"
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/lock.h"
#include "core/isa/tesla/mark.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/run.h"
#include "mem/banks.h"
#include "mem/warp_sets.h"
#include "mem/undo_log.h"
#include "mem/mem.h"

enum { CONST_SPACE_BYTES = 1 << 16 };

/* Where each executing lane's element is. */
struct places {
	uint32_t addr[LANES];
	uint8_t *at[LANES];
	uint8_t *run;           /* all lanes execute and their words lie side by side from here on; else NULL */
};

/* Words as they lie in memory, whatever has been stored there. */
typedef uint32_t memory_word __attribute__((may_alias));
typedef uint64_t memory_pair __attribute__((may_alias));

/* Ahead of the clock, what an instruction costs goes into its warp's course. */
static inline void put_costs(struct exec *x, struct segment_costs costs)
{
	if (x->trace)
		trace_costs(x->trace, x->warp, x->step.run, x->step.next_pc, &costs);
}

/* Is all that an access costs known and counted? Elsewhere than in g[] alike lanes and runs take one pass; words of
 * g[] side by side from multiples of 64 bytes on are a transaction for each half-warp. A clock wants more: which line
 * of c[] it was, and what an atomic does. */
static inline bool tally(struct exec *x, enum access_kind kind, enum mem_space space, enum access_pattern pattern,
			 const uint32_t addr[])
{
	enum { SEGMENT = HALF_WARP_LANES * 4 };

	if (!x->tally || pattern == PATTERN_ANY || (x->trace && (space == MEM_CONST || kind == ACCESS_ATOMIC)))
		return false;
	if (space != MEM_GLOBAL)
		return true;
	if ((addr[0] | addr[HALF_WARP_LANES]) & (SEGMENT - 1))
		return false;
	*(kind == ACCESS_STORE ? &x->tally->stores : &x->tally->loads) += 2;
	put_costs(x, (struct segment_costs){ .bytes = 2 * SEGMENT, .last_bytes = SEGMENT });
	return true;
}

/* NULL: it is not wanted. */
static struct access *record(struct exec *x, const struct opnd *o, enum access_kind kind, enum mem_space space,
			     const uint32_t addr[], bool run)
{
	bool alike = !o->addr_reg && (space == MEM_SHARED || space == MEM_CONST);
	enum access_pattern pattern = run ? PATTERN_RUN : alike ? PATTERN_ALIKE : PATTERN_ANY;

	if (!x->observe || x->step.accesses == 2 || tally(x, kind, space, pattern, addr))
		return NULL;
	struct access *a = &x->step.access[x->step.accesses++];
	a->kind = kind;
	a->space = space;
	a->bank = o->bank;
	a->width = o->width;
	a->lanes = x->step.executed;
	a->lock = 0;
	a->pattern = pattern;
	memcpy(a->addr, addr, LANES * sizeof *addr);
	return a;
}

/* The same for an access that tries to lock, or unlocks. */
static void record_lock(struct exec *x, const struct opnd *o, enum access_kind kind, const uint32_t addr[])
{
	struct access *a = record(x, o, kind, MEM_SHARED, addr, false);

	if (a)
		a->lock = 1;
}

/* Effective addresses of a 16-bit space: $a + offset, or with post-increment $a alone (envytools isa.rst). */
static void addresses(const struct exec *x, const struct opnd *o, uint32_t *restrict addr)
{
	const struct tesla_warp *t = tesla_state(x->warp);
	uint32_t offset = o->post ? 0 : (uint32_t)o->value;

	if (o->addr_reg < ADDRESS_ROWS) {
		FOR_LANES(l)
			addr[l] = (t->a[o->addr_reg].lane[l] + offset) & 0xffff;
	} else {
		FOR_LANES(l)
			addr[l] = ((o->addr_reg == 7 ? t->a7 : 0) + offset) & 0xffff;
	}
}

static bool bad_increment(const struct opnd *o)
{
	return o->post && (o->addr_reg == 0 || o->addr_reg >= ADDRESS_ROWS);
}

static void increment(struct exec *x, const struct opnd *o)
{
	struct row *a, sum;

	if (!o->post)
		return;
	a = &tesla_state(x->warp)->a[o->addr_reg];
	FOR_LANES(l)
		sum.lane[l] = (a->lane[l] + (uint32_t)o->value) & 0xffff;
	row_blend(a, &sum, x->step.executed);
}

/* Whether all executing lanes' elements are aligned and lie below `bytes`. Nearly always they do, and asking for all
 * lanes at once is quick; which lane is at fault is asked when one is. */
static inline bool all_inside(const uint32_t addr[], lane_mask executed, unsigned width, uint32_t bytes)
{
#ifdef __AVX512F__
	__m512i low = _mm512_loadu_si512(addr), high = _mm512_loadu_si512(addr + HALF_WARP_LANES);
	__m512i odd = _mm512_set1_epi32((int)width - 1), last = _mm512_set1_epi32((int)(bytes - width));
	uint32_t outside = _cvtmask32_u32(_mm512_kunpackw(
		_kor_mask16(_mm512_test_epi32_mask(high, odd), _mm512_cmpgt_epi32_mask(high, last)),
		_kor_mask16(_mm512_test_epi32_mask(low, odd), _mm512_cmpgt_epi32_mask(low, last))));

	return !(outside & (uint32_t)executed);
#else
	int32_t last = (int32_t)bytes - (int32_t)width;
	uint32_t bits = (uint32_t)executed, outside = 0, any = 0;

	FOR_LANES(l)
		outside |= (addr[l] & (width - 1)) | (uint32_t)(last - (int32_t)addr[l]) >> 31;
	if (__builtin_expect(!outside, 1))
		return true;
	FOR_LANES(l)
		any |= ((addr[l] & (width - 1)) | (uint32_t)(last - (int32_t)addr[l]) >> 31) & -(bits >> l & 1);
	return !any;
#endif
}

/* Do all lanes execute, and want words side by side? */
static bool side_by_side(const uint32_t addr[], lane_mask executed, unsigned width)
{
	uint32_t others = 0;

	if (width != 4 || (uint32_t)executed != 0xffffffffu)
		return false;
	FOR_LANES(l)
		others |= addr[l] ^ (addr[0] + 4 * (uint32_t)l);
	return !others;
}

static int shared_fault(struct exec *x, const struct opnd *o, const uint32_t addr[])
{
	FOR_SET_LANES(l, x->step.executed) {
		if (addr[l] & (o->width - 1u))
			return exec_fault(x, FAULT_SHARED_MISALIGNED, 1ull << l, addr[l]);
		if (addr[l] + o->width > x->block->shared_bytes)
			return exec_fault(x, FAULT_SHARED_OUT_OF_RANGE, 1ull << l, addr[l]);
	}
	return STEP_OK;
}

/* Addresses in s[] of `width` bytes a lane, all of them there. */
static int shared_addresses(struct exec *x, const struct opnd *o, uint32_t addr[])
{
	if (bad_increment(o))
		return exec_fault(x, FAULT_ILLEGAL_POSTINCR, x->step.executed, 0);
	addresses(x, o, addr);
	if (!all_inside(addr, x->step.executed, o->width, x->block->shared_bytes))
		return shared_fault(x, o, addr);
	return STEP_OK;
}

static int shared_places(struct exec *x, const struct opnd *o, struct places *p)
{
	struct block *b = x->block;
	int r = shared_addresses(x, o, p->addr);

	if (r != STEP_OK)
		return r;
	FOR_LANES(l)
		p->at[l] = b->shared + p->addr[l];
	p->run = side_by_side(p->addr, x->step.executed, o->width) ? p->at[0] : NULL;
	return STEP_OK;
}

/* The lanes that execute touch their elements of s[]. */
static inline void claim_shared(struct exec *x, const struct opnd *o, const uint32_t addr[], enum rw_set kind)
{
	if (x->warp_sets)
		warp_sets_shared_lanes(x->warp_sets, addr, x->step.executed, o->width, kind);
}

static int local_places(struct exec *x, const struct opnd *o, struct places *p)
{
	struct block *b = x->block;
	size_t thread = x->warp->id * (size_t)LANES;

	if (bad_increment(o))
		return exec_fault(x, FAULT_ILLEGAL_POSTINCR, x->step.executed, 0);
	addresses(x, o, p->addr);
	p->run = NULL;
	FOR_SET_LANES(l, x->step.executed) {
		if (p->addr[l] & (o->width - 1u))
			return exec_fault(x, FAULT_LOCAL_MISALIGNED, 1ull << l, p->addr[l]);
		if (p->addr[l] + o->width > b->local_bytes)
			return exec_fault(x, FAULT_LOCAL_OUT_OF_RANGE, 1ull << l, p->addr[l]);
		p->at[l] = b->local + (thread + (size_t)l) * b->local_bytes + p->addr[l];
	}
	return STEP_OK;
}

/* The run of words side by side that all lanes want, if it lies in one page; else NULL. */
static uint8_t *global_words(struct exec *x, const struct opnd *o, const uint32_t addr[])
{
	const struct memory *m = x->memory;
	const struct view *view = &m->g[o->bank];
	uint32_t real;

	if (addr[0] & 3 || addr[0] > addr[LANES - 1] || view->surface)
		return NULL;
	if (!side_by_side(addr, x->step.executed, o->width))
		return NULL;
	if (!view_address(view, addr[LANES - 1], 4, &real) || !view_address(view, addr[0], 4, &real))
		return NULL;
	return real & 3 ? NULL : global_run(m->global, &x->pages, real, LANES * 4);
}

static int global_places(struct exec *x, const struct opnd *o, struct places *p)
{
	const struct memory *m = x->memory;
	const struct row *r = reg_row(x->warp, o->reg);

	memcpy(p->addr, r->lane, sizeof p->addr);
	p->run = global_words(x, o, p->addr);
	if (p->run) {
		FOR_LANES(l)
			p->at[l] = p->run + 4 * l;
		return STEP_OK;
	}
	FOR_SET_LANES(l, x->step.executed) {
		uint32_t addr = r->lane[l], real;
		if (addr & (o->width - 1u))
			return exec_fault(x, FAULT_GLOBAL_MISALIGNED, 1ull << l, addr);
		p->at[l] = NULL;
		if (view_address(&m->g[o->bank], addr, o->width, &real))
			p->at[l] = global_at(m->global, &x->pages, real, o->width);
		if (!p->at[l])
			return exec_fault(x, FAULT_GLOBAL_UNMAPPED, 1ull << l, addr);
	}
	return STEP_OK;
}

/* Places in g[] that are about to be stored to: what is there is kept if somebody wants to go back. */
static int global_places_to_store(struct exec *x, const struct opnd *o, struct places *p)
{
	const struct memory *m = x->memory;
	int r = global_places(x, o, p);

	if (__builtin_expect(r != STEP_OK || !m->global->undo, 1))
		return r;
	FOR_SET_LANES(l, x->step.executed) {
		uint32_t real;
		view_address(&m->g[o->bank], p->addr[l], o->width, &real);
		undo_log_store(m->global, &x->pages, real);
	}
	return STEP_OK;
}

/* One element of 1, 2 or 4 bytes, extended to 32 bits. The sizes are spelled out because the compiler makes a load of
 * each, where one copy of a variable size would be a call. */
static inline uint32_t load_word(const uint8_t *at, unsigned width, bool is_signed)
{
	uint32_t word;
	uint16_t half;

	switch (width) {
	case 4:
		memcpy(&word, at, 4);
		return word;
	case 2:
		memcpy(&half, at, 2);
		return is_signed ? (uint32_t)(int16_t)half : half;
	default:
		return is_signed ? (uint32_t)(int8_t)*at : *at;
	}
}

/* The same for a row of s[]; lanes that do not execute get something. */
static inline void gather_shared(const uint8_t *shared, struct row *out, const uint32_t addr[], lane_mask lanes,
				 const struct opnd *o)
{
	const memory_word *word = (const memory_word *)shared;
	uint32_t bits = (uint32_t)lanes;

	if (o->width != 4)
		FOR_SET_LANES(l, lanes)
			out->lane[l] = load_word(shared + addr[l], o->width, o->is_signed);
	else
#ifdef __AVX512F__
		for (int l = 0; l < LANES; l += HALF_WARP_LANES)
			_mm512_store_si512(out->lane + l, _mm512_mask_i32gather_epi32(
				_mm512_setzero_si512(), (__mmask16)(bits >> l), _mm512_loadu_si512(addr + l), word, 1));
#else
		FOR_LANES(l)
			out->lane[l] = word[(addr[l] & -(bits >> l & 1)) >> 2];
#endif
}

/* Store the low bytes of v; did it change them? */
static inline bool store_word(uint8_t *at, unsigned width, uint32_t v)
{
	uint32_t old = v;

	switch (width) {
	case 4: memcpy(&old, at, 4), memcpy(at, &v, 4); break;
	case 2: memcpy(&old, at, 2), memcpy(at, &v, 2); break;
	default: old = (v & ~0xffu) | *at, *at = (uint8_t)v;
	}
	return old != v;
}

static void load_parts(struct exec *x, const struct insn *in, const struct places *p)
{
	const struct opnd *o = &in->src[0];
	unsigned parts = o->width > 4 ? o->width / 4 : 1;

	if (p->run) {
		struct row v;
		memcpy(&v, p->run, sizeof v);
		write_row(x, in, &v);
		return;
	}
	for (unsigned part = 0; part < parts; part++) {
		struct row v;
		FOR_SET_LANES(l, x->step.executed)
			v.lane[l] = load_word(p->at[l] + 4 * part, o->width < 4 ? o->width : 4, o->is_signed);
		write_part(x, in, part, &v);
	}
}

/* The order in which lanes store, so that the last one to an address is the winner that the rule asks for. */
static int store_order(struct exec *x, int order[])
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

/* Words side by side, in no order, for none meets another. */
static bool store_run(uint8_t *run, const struct row *v)
{
	bool changed = memcmp(run, v, sizeof *v);

	memcpy(run, v, sizeof *v);
	return changed;
}

static bool store_each(struct exec *x, const struct insn *in, const struct places *p)
{
	const struct opnd *o = &in->dst;
	unsigned parts = o->width > 4 ? o->width / 4 : 1, bytes = o->width < 4 ? o->width : 4;
	int order[LANES], n = store_order(x, order);
	bool changed = false;

	for (unsigned part = 0; part < parts; part++) {
		struct row tmp;
		const struct row *v = src_part(x, in, 0, part, &tmp);
		for (int i = 0; i < n; i++)
			changed |= store_word(p->at[order[i]] + 4 * part, bytes, v->lane[order[i]]);
	}
	return changed;
}

static void store_parts(struct exec *x, const struct insn *in, const struct places *p)
{
	struct row tmp;
	bool orderly = x->rules->store_winner != WINNER_RANDOM;

	x->changes += p->run && orderly ? store_run(p->run, src_row(x, in, 0, &tmp)) : store_each(x, in, p);
	x->progress++;
}

static void broadcast(struct row *out, uint32_t v)
{
	FOR_LANES(l)
		out->lane[l] = v;
}

static int fetch_shared(struct exec *x, const struct opnd *o, struct row *out)
{
	const uint8_t *shared = x->block->shared;
	uint32_t addr[LANES];
	bool run;
	int r = shared_addresses(x, o, addr);

	if (r == STEP_OK)
		r = lock_check(x, addr, x->step.executed);
	if (r != STEP_OK)
		return r;
	claim_shared(x, o, addr, READ_SET);
	run = o->addr_reg && side_by_side(addr, x->step.executed, o->width);
	if (run)
		memcpy(out, shared + addr[0], sizeof *out);
	else if (o->addr_reg)
		gather_shared(shared, out, addr, x->step.executed, o);
	else if (x->step.executed)
		broadcast(out, load_word(shared + addr[0], o->width, o->is_signed));
	record(x, o, ACCESS_LOAD, MEM_SHARED, addr, run);
	return STEP_OK;
}

static uint32_t load_const(const struct const_bank *c, uint32_t addr, const struct opnd *o)
{
	addr &= ~(o->width - 1u);
	return addr + o->width <= c->size ? load_word(c->bytes + addr, o->width, o->is_signed) : 0;
}

static int fetch_const(struct exec *x, const struct opnd *o, struct row *out)
{
	const struct const_bank *c = &x->memory->c[o->bank];
	uint32_t addr[LANES];

	if (bad_increment(o))
		return exec_fault(x, FAULT_ILLEGAL_POSTINCR, x->step.executed, 0);
	addresses(x, o, addr);
	if (!o->addr_reg) {
		broadcast(out, load_const(c, addr[0], o));
	} else {
		FOR_SET_LANES(l, x->step.executed)
			out->lane[l] = load_const(c, addr[l], o);
	}
	record(x, o, ACCESS_LOAD, MEM_CONST, addr, false);
	return STEP_OK;
}

int SIMD_NAME(tesla_fetch)(struct exec *x, const struct insn *in)
{
	struct tesla_warp *t = tesla_state(x->warp);

	for (int i = 0; i < 3; i++) {
		const struct opnd *o = &in->src[i];
		int r;
		if (!(in->fetch >> i & 1))
			continue;
		r = o->file == SPACE_S ? fetch_shared(x, o, &t->fetched[i]) : fetch_const(x, o, &t->fetched[i]);
		if (r != STEP_OK)
			return r;
	}
	/* Only now can nothing go wrong any more. */
	for (int i = 0; i < 3; i++)
		if (in->fetch >> i & 1)
			increment(x, &in->src[i]);
	return STEP_OK;
}

EXEC(ld_c)
{
	write_row(x, in, &tesla_state(x->warp)->fetched[0]);
	return STEP_OK;
}

static const char waits_its_turn[] = "warps lock words of s[]";

/* All lanes' words, some of them with a lock on the way: the others keep their register and see the flag. */
static int load_locked(struct exec *x, const struct insn *in)
{
	struct places p;
	struct row value, flag;
	lane_mask won;
	int r;

	if (x->warp_sets)
		return tesla_mark_refuse(x, waits_its_turn);
	r = shared_places(x, &in->src[0], &p);
	if (r == STEP_OK)
		r = lock_take(x, p.addr, x->step.executed, &won);
	if (r != STEP_OK)
		return r;
	FOR_SET_LANES(l, x->step.executed) {
		value.lane[l] = load_word(p.at[l], 4, false);
		flag.lane[l] = won >> l & 1 ? FLAG_S : 0;
	}
	write_flags(x, in, &flag);
	if (in->dst.shape == OPND_REG)
		write_reg(x->warp, in->dst.reg, &value, won);
	record_lock(x, &in->src[0], ACCESS_LOAD, p.addr);
	increment(x, &in->src[0]);
	return STEP_OK;
}

EXEC(ld_s)
{
	if (in->mod[MOD_OP] == 1)
		return load_locked(x, in);
	write_row(x, in, &tesla_state(x->warp)->fetched[0]);
	return STEP_OK;
}

EXEC(st_s)
{
	struct places p;
	int r;

	if (x->warp_sets && in->mod[MOD_OP] == 1)
		return tesla_mark_refuse(x, waits_its_turn);
	r = shared_places(x, &in->dst, &p);
	if (r == STEP_OK)
		r = lock_check(x, p.addr, x->step.executed);
	if (r != STEP_OK)
		return r;
	claim_shared(x, &in->dst, p.addr, WRITE_SET);
	store_parts(x, in, &p);
	if (in->mod[MOD_OP] == 1) {
		lock_release(x, p.addr, x->step.executed);
		record_lock(x, &in->dst, ACCESS_STORE, p.addr);
	} else {
		record(x, &in->dst, ACCESS_STORE, MEM_SHARED, p.addr, p.run);
	}
	increment(x, &in->dst);
	return STEP_OK;
}

EXEC(ld_l)
{
	struct places p;
	int r = local_places(x, &in->src[0], &p);

	if (r != STEP_OK)
		return r;
	load_parts(x, in, &p);
	record(x, &in->src[0], ACCESS_LOAD, MEM_LOCAL, p.addr, p.run);
	increment(x, &in->src[0]);
	return STEP_OK;
}

EXEC(st_l)
{
	struct places p;
	int r = local_places(x, &in->dst, &p);

	if (r != STEP_OK)
		return r;
	store_parts(x, in, &p);
	record(x, &in->dst, ACCESS_STORE, MEM_LOCAL, p.addr, p.run);
	increment(x, &in->dst);
	return STEP_OK;
}

EXEC(ld_g)
{
	struct places p;
	int r = global_places(x, &in->src[0], &p);

	if (__builtin_expect(x->pages.sets && r == STEP_OK, 0))
		r = tesla_mark(x, &in->src[0], p.addr, READ_SET, 0);
	if (r != STEP_OK)
		return r;
	load_parts(x, in, &p);
	record(x, &in->src[0], ACCESS_LOAD, MEM_GLOBAL, p.addr, p.run);
	return STEP_OK;
}

EXEC(st_g)
{
	struct places p;
	int r = global_places_to_store(x, &in->dst, &p);

	if (__builtin_expect(x->pages.sets && r == STEP_OK, 0))
		r = tesla_mark(x, &in->dst, p.addr, WRITE_SET, 0);
	if (r != STEP_OK)
		return r;
	store_parts(x, in, &p);
	record(x, &in->dst, ACCESS_STORE, MEM_GLOBAL, p.addr, p.run);
	return STEP_OK;
}

/* ---- atomics: per lane, in lane order (tesla-facts 4.9) ---- */

static uint64_t pair_of(const struct row *low, const struct row *high, int l)
{
	return low->lane[l] | (uint64_t)high->lane[l] << 32;
}

/* A 64-bit source as two rows. */
struct pair {
	struct row low_tmp, high_tmp;
	const struct row *low, *high;
};

static void src_pair(struct exec *x, const struct insn *in, int i, struct pair *p)
{
	p->low = src_part(x, in, i, 0, &p->low_tmp);
	p->high = in->src[i].shape == OPND_REG ? src_part(x, in, i, 1, &p->high_tmp) : p->low;
}

/* Put the new value in place of the old one. False: another host thread was quicker, *before is its value. */
static bool put(const struct exec *x, memory_word *at, uint32_t *before, uint32_t after)
{
	if (x->pages.sets)
		return __atomic_compare_exchange_n(at, before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	*at = after;
	return true;
}

static bool put_pair(const struct exec *x, memory_pair *at, uint64_t *before, uint64_t after)
{
	if (x->pages.sets)
		return __atomic_compare_exchange_n(at, before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	*at = after;
	return true;
}

/* Operations that come to the same in any order, on whole words. */
static bool commutes(const struct insn *in)
{
	enum { U32 = 6, S32, B64 = 4 };
	unsigned op = in->mod[MOD_OP], type = in->mod[MOD_TYPE];

	return type == B64 ? op == ATOMIC_ADD : (type == U32 || type == S32) &&
	       (op == ATOMIC_ADD || (op >= ATOMIC_MAX && op <= ATOMIC_XOR));
}

static int mark_atomic(struct exec *x, const struct insn *in, const uint32_t addr[])
{
	if (in->dst.shape == OPND_REG)
		return tesla_mark_refuse(x, "an atomic operation returns what was there before");
	return tesla_mark(x, &in->src[0], addr, commutes(in) ? REDUCE_SET : WRITE_SET,
			  in->mod[MOD_OP] << 4 | in->mod[MOD_TYPE]);
}

static void atomic_words(struct exec *x, const struct insn *in, const struct places *p)
{
	bool sm12 = x->program->target.features & FEAT_SM12;
	unsigned op = in->mod[MOD_OP], type = in->mod[MOD_TYPE];
	struct row t2, t3, old;
	const struct row *s2 = src_row(x, in, 1, &t2), *s3 = src_row(x, in, 2, &t3);

	FOR_SET_LANES(l, x->step.executed) {
		memory_word *at = (memory_word *)p->at[l];
		uint32_t before = __atomic_load_n(at, __ATOMIC_RELAXED), after;
		do
			after = atomic_word(op, type, sm12, before, s2->lane[l], s3->lane[l]);
		while (!put(x, at, &before, after));
		old.lane[l] = atomic_returned(type, before);
		x->progress += before != after;
		x->changes += before != after;
	}
	write_row(x, in, &old);
}

static void atomic_pairs(struct exec *x, const struct insn *in, const struct places *p)
{
	struct pair s2, s3;
	struct row low, high;

	src_pair(x, in, 1, &s2);
	src_pair(x, in, 2, &s3);
	FOR_SET_LANES(l, x->step.executed) {
		memory_pair *at = (memory_pair *)p->at[l];
		uint64_t before = __atomic_load_n(at, __ATOMIC_RELAXED), after;
		do
			after = atomic_pair(in->mod[MOD_OP], before, pair_of(s2.low, s2.high, l),
					    pair_of(s3.low, s3.high, l));
		while (!put_pair(x, at, &before, after));
		low.lane[l] = (uint32_t)before;
		high.lane[l] = (uint32_t)(before >> 32);
		x->progress += before != after;
		x->changes += before != after;
	}
	write_part(x, in, 0, &low);
	write_part(x, in, 1, &high);
}

static int atomic(struct exec *x, const struct insn *in)
{
	struct places p;
	int r;

	if (in->mod[MOD_OP] == ATOMIC_TRAP)
		return exec_fault(x, FAULT_TRAP, x->step.executed, 0);
	r = global_places_to_store(x, &in->src[0], &p);
	if (x->pages.sets && r == STEP_OK)
		r = mark_atomic(x, in, p.addr);
	if (r != STEP_OK)
		return r;
	if (in->mod[MOD_TYPE] == 4)
		atomic_pairs(x, in, &p);
	else
		atomic_words(x, in, &p);
	record(x, &in->src[0], ACCESS_ATOMIC, MEM_GLOBAL, p.addr, p.run);
	return STEP_OK;
}

EXEC(red_g)
{
	return atomic(x, in);
}

EXEC(atom_g)
{
	return atomic(x, in);
}

/* ---- records: words, and no lock in sight ---- */

/* What an access costs that has happened is told to whoever asks for it; the rest of the step stays unknown. */
static inline struct access *begin_telling(struct exec *x, const struct opnd *o, enum access_kind kind,
					   enum mem_space space, uint32_t lanes)
{
	struct access *a = &x->step.access[0];

	x->step.accesses = 1;
	a->kind = kind;
	a->space = space;
	a->bank = o->bank;
	a->width = o->width;
	a->lanes = lanes;
	a->lock = 0;
	return a;
}

/* An access to s[] that has taken so many passes more than one of each half-warp. */
static inline void tell_passes(struct exec *x, const struct opnd *o, enum access_kind kind, uint32_t lanes,
			       unsigned extra)
{
	struct access *a;

	if (!extra)
		return;
	if (x->tally) {
		x->tally->extra_passes += extra;
		put_costs(x, (struct segment_costs){ .extra = extra * x->tally->pass_cycles });
		return;
	}
	a = begin_telling(x, o, kind, MEM_SHARED, lanes);
	a->pattern = PATTERN_COUNTED;
	a->extra = (uint8_t)extra;
	x->observe(x);
}

/* Words of s[] by an address each; those that take one pass are not worth telling. */
static void tell_words(struct exec *x, const struct opnd *o, enum access_kind kind, const uint32_t addr[],
		       uint32_t lanes)
{
	if (x->observe && lanes)
		tell_passes(x, o, kind, lanes, shared_extra(addr, lanes, &x->banks));
}

/* All lanes' words of g[], side by side in each half-warp. */
static void tell_halves(struct exec *x, const struct opnd *o, enum access_kind kind, const uint32_t addr[])
{
	struct access *a;

	if (!x->observe || tally(x, kind, MEM_GLOBAL, PATTERN_RUN, addr))
		return;
	a = begin_telling(x, o, kind, MEM_GLOBAL, ~0u);
	a->pattern = PATTERN_RUN;
	a->addr[0] = addr[0];
	a->addr[HALF_WARP_LANES] = addr[HALF_WARP_LANES];
	x->observe(x);
}

static bool locks_held(const struct exec *x)
{
	return x->block->lock.holders != 0;
}

/* The words of a half-warp, if they lie side by side or are one: what costs one pass. */
static inline bool half_of_words(const uint8_t *shared, const uint32_t addr[], uint32_t out[])
{
	if (evenly_spaced(addr, 4)) {
		memcpy(out, shared + addr[0], HALF_WARP_LANES * sizeof *out);
		return true;
	}
	if (!evenly_spaced(addr, 0))
		return false;
	for (int k = 0; k < HALF_WARP_LANES; k++)
		out[k] = *(const memory_word *)(shared + addr[0]);
	return true;
}

/* The same words, if there is anybody to tell, of those lanes that execute. */
static inline void claim_halves(struct exec *x, const uint32_t addr[], uint32_t lanes, enum rw_set kind)
{
	const uint32_t *high = addr + HALF_WARP_LANES;
	uint32_t low_words = lanes & 0xffff, high_words = lanes >> HALF_WARP_LANES;
	struct warp_sets *c = x->warp_sets;

	if (!c || warp_sets_skip(c, SET_SHARED, kind))
		return;
	if (addr[0] != addr[1] && high[0] != high[1] && high[0] == addr[0] + HALF_WARP_LANES * 4) {
		warp_sets_shared(c, addr[0], lanes, kind);
		return;
	}
	warp_sets_shared(c, addr[0], addr[0] == addr[1] ? low_words != 0 : low_words, kind);
	warp_sets_shared(c, high[0], high[0] == high[1] ? high_words != 0 : high_words, kind);
}

static inline void claim_each(struct exec *x, const uint32_t addr[], uint32_t lanes, enum rw_set kind)
{
	if (x->warp_sets)
		warp_sets_shared_lanes(x->warp_sets, addr, lanes, 4, kind);
}

#ifdef __AVX512F__
/* Words of a half-warp that ascend from lane to lane and are less than two rows of banks apart, as butterflies and
 * walks in steps of two have them. */
struct near_words {
	__m512i at;             /* how many words further each is than the first lane's */
	uint32_t first;         /* its address */
	uint64_t taken;         /* those that `lanes` want, bit = word: what is put together is as long as its parts */
};

static inline bool near_half(const uint32_t addr[], uint32_t lanes, struct near_words *n)
{
	__m512i a = _mm512_loadu_si512(addr), first = _mm512_broadcastd_epi32(_mm512_castsi512_si128(a));
	__m512i at = _mm512_srli_epi32(_mm512_sub_epi32(a, first), 2);
	__m512i next = _mm512_alignr_epi32(_mm512_set1_epi32(2 * HALF_WARP_LANES), at, 1);
	__m512i bits = _mm512_maskz_sllv_epi32((__mmask16)lanes, _mm512_set1_epi32(1), at);

	n->at = at;
	n->first = addr[0];
	n->taken = (uint32_t)_mm512_reduce_or_epi32(bits);
	return !(addr[0] & 3) && !_mm512_cmpge_epu32_mask(at, next);
}

static inline bool near_words(const uint32_t addr[], uint32_t lanes, struct near_words n[2])
{
	return near_half(addr, lanes, &n[0]) && near_half(addr + HALF_WARP_LANES, lanes >> HALF_WARP_LANES, &n[1]);
}

/* Two words of a bank are two passes; no bank has three. */
static inline unsigned near_extra(const struct near_words n[2])
{
	uint64_t low = n[0].taken & n[0].taken >> HALF_WARP_LANES, high = n[1].taken & n[1].taken >> HALF_WARP_LANES;

	return (low != 0) + (high != 0);
}

static inline void near_load(const uint8_t *shared, const struct near_words *n, uint32_t out[])
{
	const uint8_t *p = shared + n->first;
	__m512i low = _mm512_maskz_loadu_epi32((__mmask16)n->taken, p),
		high = _mm512_maskz_loadu_epi32((__mmask16)(n->taken >> HALF_WARP_LANES), p + HALF_WARP_LANES * 4);

	_mm512_storeu_si512(out, _mm512_permutex2var_epi32(low, n->at, high));
}

/* The words that `taken` says, from values in their order. Did it change anything? */
static inline bool near_put(uint8_t *p, __mmask16 taken, __m512i values)
{
	__m512i v = _mm512_maskz_expand_epi32(taken, values);
	bool changed = _mm512_mask_cmpneq_epi32_mask(taken, v, _mm512_maskz_loadu_epi32(taken, p));

	_mm512_mask_storeu_epi32(p, taken, v);
	return changed;
}

static inline bool near_store(uint8_t *shared, const struct near_words *n, const uint32_t v[], uint32_t lanes)
{
	const __m512i count = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	__m512i values = _mm512_maskz_compress_epi32((__mmask16)lanes, _mm512_loadu_si512(v));
	int below = __builtin_popcount((uint32_t)n->taken & 0xffff);
	uint8_t *p = shared + n->first;
	bool low = near_put(p, (__mmask16)n->taken, values);

	values = _mm512_permutexvar_epi32(_mm512_add_epi32(count, _mm512_set1_epi32(below)), values);
	return near_put(p + HALF_WARP_LANES * 4, (__mmask16)(n->taken >> HALF_WARP_LANES), values) || low;
}

/* Half-warps mostly follow each other. */
static inline void claim_near(struct exec *x, const struct near_words n[2], enum rw_set kind)
{
	bool both = n[1].first == n[0].first + 2 * HALF_WARP_LANES * 4;
	uint64_t low = n[0].taken | (both ? n[1].taken << 2 * HALF_WARP_LANES : 0);

	if (x->warp_sets && low)
		warp_sets_shared(x->warp_sets, n[0].first, low, kind);
	if (x->warp_sets && !both && n[1].taken)
		warp_sets_shared(x->warp_sets, n[1].first, n[1].taken, kind);
}

static __attribute__((noinline)) bool load_near(struct exec *x, const struct opnd *o, const uint32_t addr[],
						uint32_t lanes, struct row *out)
{
	struct near_words n[2];

	if (!near_words(addr, lanes, n))
		return false;
	claim_near(x, n, READ_SET);
	near_load(x->block->shared, &n[0], out->lane);
	near_load(x->block->shared, &n[1], out->lane + HALF_WARP_LANES);
	if (x->observe)
		tell_passes(x, o, ACCESS_LOAD, lanes, near_extra(n));
	return true;
}

static inline bool store_near(struct exec *x, const struct opnd *o, const uint32_t addr[], const struct row *v,
			      uint32_t lanes)
{
	uint8_t *shared = x->block->shared;
	struct near_words n[2];
	bool low, high;

	if (!near_words(addr, lanes, n))
		return false;
	claim_near(x, n, WRITE_SET);
	low = near_store(shared, &n[0], v->lane, lanes & 0xffff);
	high = near_store(shared, &n[1], v->lane + HALF_WARP_LANES, lanes >> HALF_WARP_LANES);
	x->changes += low || high;
	if (x->observe)
		tell_passes(x, o, ACCESS_STORE, lanes, near_extra(n));
	return true;
}

/* Words of a half-warp that are there and lie side by side, or are one: how many, from which address on. 0: they lie
 * in another way. */
static inline uint32_t half_at_once(const struct block *b, __m512i addr, uint32_t *first, uint32_t out[])
{
	const __m512i count = _mm512_set_epi32(60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0);
	__m512i apart = _mm512_sub_epi32(addr, _mm512_broadcastd_epi32(_mm512_castsi512_si128(addr)));
	uint32_t at = (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(addr));
	uint32_t n = _mm512_cmpneq_epi32_mask(apart, count) ? 1 : HALF_WARP_LANES;

	*first = at;
	if ((n == 1 && _mm512_test_epi32_mask(apart, apart)) || at & 3 || at + 4 * n > b->shared_bytes)
		return 0;
	if (n == 1)
		_mm512_store_si512(out, _mm512_set1_epi32(*(const int32_t *)(b->shared + at)));
	else
		_mm512_store_si512(out, _mm512_loadu_si512(b->shared + at));
	return n;
}

/* The words of s[] that all lanes want at o, which take a pass for each half-warp. False: they do not, or are not
 * there; *out is spoilt. */
static inline bool words_at_once(struct exec *x, const struct opnd *o, struct row *out)
{
	const struct row *a = &tesla_state(x->warp)->a[o->addr_reg];
	__m512i offset = _mm512_set1_epi32(o->value), bits = _mm512_set1_epi32(0xffff);
	__m512i low = _mm512_add_epi32(_mm512_load_si512(a->lane), offset),
		high = _mm512_add_epi32(_mm512_load_si512(a->lane + HALF_WARP_LANES), offset);
	uint32_t first[2], n[2];

	n[0] = half_at_once(x->block, _mm512_and_si512(low, bits), &first[0], out->lane);
	n[1] = half_at_once(x->block, _mm512_and_si512(high, bits), &first[1], out->lane + HALF_WARP_LANES);
	if (!n[0] || !n[1])
		return false;
	for (int h = 0; x->warp_sets && h < 2; h++)
		warp_sets_shared(x->warp_sets, first[h], (1u << n[h]) - 1, READ_SET);
	return true;
}
#else
#define load_near(x, o, addr, lanes, out) false
#define store_near(x, o, addr, v, lanes) false
#define words_at_once(x, o, out) false
#endif

static inline bool by_all_lanes(const struct threaded_op *op, const struct exec *x, uint32_t active)
{
	return active == ~0u && !op->guard && !locks_held(x);
}

/* The words of s[] that `lanes` want at o, an address each. False: a lane is outside. */
static inline bool shared_words(struct exec *x, const struct opnd *o, uint32_t lanes, struct row *out)
{
	const uint8_t *shared = x->block->shared;
	uint32_t addr[LANES] __attribute__((aligned(64)));
	bool inside;

	addresses(x, o, addr);
	inside = all_inside(addr, ~0u, o->width, x->block->shared_bytes);
	if (inside && half_of_words(shared, addr, out->lane) &&
	    half_of_words(shared, addr + HALF_WARP_LANES, out->lane + HALF_WARP_LANES)) {
		claim_halves(x, addr, lanes, READ_SET);
		return true;
	}
	if (!inside && !all_inside(addr, lanes, o->width, x->block->shared_bytes))
		return false;
	if (load_near(x, o, addr, lanes, out))
		return true;
	claim_each(x, addr, lanes, READ_SET);
	gather_shared(shared, out, addr, lanes, o);
	tell_words(x, o, ACCESS_LOAD, addr, lanes);
	return true;
}

/* All lanes want one element: that costs one pass, of which there is nothing to tell. */
static inline bool shared_alike(const struct exec *x, const struct opnd *o, struct row *out)
{
	uint32_t at = (uint32_t)o->value & 0xffff;

	if (at + o->width > x->block->shared_bytes || at & (o->width - 1u))
		return false;
	broadcast(out, load_word(x->block->shared + at, o->width, o->is_signed));
	return true;
}

static struct row *fetched(struct exec *x, const struct threaded_op *op)
{
	return &tesla_state(x->warp)->fetched[op->arg];
}

int SIMD_NAME(handler_fetch_uniform)(HANDLER_PARAMETERS)
{
	if (locks_held(x) || !shared_alike(x, &op->in->src[op->arg], fetched(x, op)))
		HANDLER_CALL(SIMD_NAME(handler_fetch), op, x, reg, active);
	if (x->warp_sets && op_lanes(op, reg, active))
		warp_sets_shared(x->warp_sets, (uint32_t)op->in->src[op->arg].value & 0xffff, 1, READ_SET);
	HANDLER_NEXT(op, x, reg, active);
}

static int words_fetched(HANDLER_PARAMETERS)
{
	uint32_t lanes = op_lanes(op, reg, active);

	threaded_locate(op, x);
	if (locks_held(x) || !shared_words(x, &op->in->src[op->arg], lanes, fetched(x, op)))
		HANDLER_CALL(SIMD_NAME(handler_fetch), op, x, reg, active);
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_fetch_words)(HANDLER_PARAMETERS)
{
	if (by_all_lanes(op, x, active) && words_at_once(x, &op->in->src[op->arg], fetched(x, op)))
		HANDLER_NEXT_FULL(op, x, reg, active);
	HANDLER_CALL(words_fetched, op, x, reg, active);
}

static int words_loaded(HANDLER_PARAMETERS)
{
	uint32_t lanes = op_lanes(op, reg, active);
	struct row out;

	threaded_locate(op, x);
	if (locks_held(x) || !shared_words(x, &op->in->src[0], lanes, &out))
		HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
	op_blend(op, x, reg, active, op_row(reg, op->dst), &out);
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_load_shared)(HANDLER_PARAMETERS)
{
	if (by_all_lanes(op, x, active) && words_at_once(x, &op->in->src[0], op_row(reg, op->dst)))
		HANDLER_NEXT_FULL(op, x, reg, active);
	HANDLER_CALL(words_loaded, op, x, reg, active);
}

/* Store the lanes' words, the highest lane's where several have one address. Did it change anything? */
static inline bool scatter_shared(uint8_t *shared, const uint32_t addr[], const struct row *v, uint32_t lanes)
{
	memory_word *word = (memory_word *)shared;
	bool changed = false;

	FOR_SET_LANES(l, lanes) {
		changed |= word[addr[l] >> 2] != v->lane[l];
		word[addr[l] >> 2] = v->lane[l];
	}
	return changed;
}

/* A half-warp's words side by side; the second half's stay where both store. Did it change anything? */
static inline bool store_half(uint8_t *at, const uint32_t words[])
{
	uint32_t others = 0;

	for (int k = 0; k < HALF_WARP_LANES; k++)
		others |= load_word(at + 4 * k, 4, false) ^ words[k];
	memcpy(at, words, HALF_WARP_LANES * sizeof *words);
	return others;
}

/* Words of s[] by an address each, all of them there. */
static inline void store_words(struct exec *x, const struct opnd *o, const uint32_t addr[], const struct row *v,
			       uint32_t lanes)
{
	uint8_t *shared = x->block->shared;
	bool low, high;

	if (lanes == ~0u && evenly_spaced(addr, 4) && evenly_spaced(addr + HALF_WARP_LANES, 4)) {
		claim_halves(x, addr, lanes, WRITE_SET);
		low = store_half(shared + addr[0], v->lane);
		high = store_half(shared + addr[HALF_WARP_LANES], v->lane + HALF_WARP_LANES);
		x->changes += low || high;
	} else if (!store_near(x, o, addr, v, lanes)) {
		claim_each(x, addr, lanes, WRITE_SET);
		x->changes += scatter_shared(shared, addr, v, lanes);
		tell_words(x, o, ACCESS_STORE, addr, lanes);
	}
}

int SIMD_NAME(handler_store_shared)(HANDLER_PARAMETERS)
{
	const struct opnd *o = &op->in->dst;
	const struct row *v = op_src(op, 0, reg);
	uint32_t lanes = op_lanes(op, reg, active), addr[LANES] __attribute__((aligned(64)));

	threaded_locate(op, x);
	if (lanes) {
		addresses(x, o, addr);
		if (locks_held(x) || !all_inside(addr, lanes, o->width, x->block->shared_bytes))
			HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
		store_words(x, o, addr, v, lanes);
	}
	x->progress++;
	op_bill_predicated(op, x, active, lanes);
	HANDLER_NEXT(op, x, reg, active);
}

/* With several host threads: half a warp's words are about to be touched. */
static inline bool mark_half(struct exec *x, uint32_t addr, enum rw_set kind)
{
	struct worker_sets *marks = x->pages.sets;
	struct global_page *p;

	if (!marks)
		return true;
	p = global_page_at(x->memory->global, &x->pages, addr);
	_Static_assert(SET_SEGMENT == HALF_WARP_LANES * 4, "half a warp has a segment's words");
	return addr % SET_SEGMENT ? worker_sets_add(marks, p, kind, addr, SET_SEGMENT) :
				     worker_sets_add_segment(marks, p, kind, addr);
}

/* Ahead of the clock: both halves', at real addresses. */
static inline void claim_global_halves(struct warp_sets *c, const uint32_t real[2], enum rw_set kind)
{
	bool run = real[1] == real[0] + HALF_WARP_LANES * 4;

	warp_sets_global(c, real[0], run ? ~0u : 0xffff, kind);
	if (!run)
		warp_sets_global(c, real[1], 0xffff, kind);
}

/* Where all lanes' words of g[] are, half a warp side by side each time, and marked. False: they are not, or cannot
 * be. */
static inline bool global_halves(struct exec *x, const struct threaded_op *op, const struct opnd *o,
				 const uint32_t addr[], uint8_t *half[2], enum rw_set kind)
{
	const struct memory *m = x->memory;
	const struct view *view = &m->g[o->bank];
	uint32_t real[2];

	if (op->guard || view->surface)
		return false;
	for (int h = 0; h < 2; h++) {
		const uint32_t *a = addr + h * HALF_WARP_LANES;
		uint32_t last;
		if (a[0] & 3 || a[0] > a[HALF_WARP_LANES - 1] || !evenly_spaced(a, 4) ||
		    !view_address(view, a[HALF_WARP_LANES - 1], 4, &last) || !view_address(view, a[0], 4, &real[h]))
			return false;
		half[h] = real[h] & 3 ? NULL : global_run(m->global, &x->pages, real[h], HALF_WARP_LANES * 4);
		if (!half[h] || !mark_half(x, real[h], kind))
			return false;
	}
	if (x->warp_sets)
		claim_global_halves(x->warp_sets, real, kind);
	return true;
}

static inline bool one_run(const uint32_t addr[])
{
	return addr[HALF_WARP_LANES] == addr[0] + HALF_WARP_LANES * 4;
}

int SIMD_NAME(handler_load_run)(HANDLER_PARAMETERS)
{
	const struct opnd *o = &op->in->src[0];
	const uint32_t *addr = op_src(op, 0, reg)->lane;
	uint8_t *half[2];
	struct row out;

	threaded_locate(op, x);
	if (!global_halves(x, op, o, addr, half, READ_SET))
		HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
	memcpy(out.lane, half[0], HALF_WARP_LANES * 4);
	memcpy(out.lane + HALF_WARP_LANES, half[1], HALF_WARP_LANES * 4);
	tell_halves(x, o, ACCESS_LOAD, addr);
	*op_row(reg, op->dst) = out;
	HANDLER_NEXT(op, x, reg, active);
}

int SIMD_NAME(handler_store_run)(HANDLER_PARAMETERS)
{
	const struct opnd *o = &op->in->dst;
	const uint32_t *v = op_src(op, 0, reg)->lane, *addr = op_src(op, 1, reg)->lane;
	uint8_t *half[2];
	bool low, high;

	threaded_locate(op, x);
	if (x->memory->global->undo || !global_halves(x, op, o, addr, half, WRITE_SET))
		HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
	if (x->rules->store_winner == WINNER_LOWEST && !one_run(addr))
		HANDLER_CALL(SIMD_NAME(handler_exec), op, x, reg, active);
	low = store_half(half[0], v);
	high = store_half(half[1], v + HALF_WARP_LANES);
	x->changes += low || high;
	x->progress++;
	tell_halves(x, o, ACCESS_STORE, addr);
	HANDLER_NEXT(op, x, reg, active);
}
