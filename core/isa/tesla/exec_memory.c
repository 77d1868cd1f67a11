/* Executors of Tesla's loads, stores and atomics, and the fetch of memory operands: address registers,
 * post-increment, spaces and locks. Lane memory does the work on the lanes' elements (core/isa/lane_memory.h). A fault
 * or a wait changes nothing. */
#include <string.h>

#include "core/isa/lane_memory.h"
#include "core/isa/tesla/arith_atomic.h"
#include "core/isa/tesla/exec.h"
#include "core/isa/tesla/fetch.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/lock.h"
#include "core/isa/tesla/run.h"

/* Addresses in s[] of `width` bytes a lane, all inside. */
static int shared_addresses(struct exec *x, const struct opnd *o, uint32_t addr[])
{
	if (bad_increment(o))
		return exec_fault(x, FAULT_ILLEGAL_POSTINCR, x->step.executed, 0);
	addresses(x, o, addr);
	return lane_shared_check(x, o->width, addr);
}

static int shared_places(struct exec *x, const struct opnd *o, struct lane_places *p)
{
	struct block *b = x->block;
	int r = shared_addresses(x, o, p->addr);

	if (r != STEP_OK)
		return r;
	FOR_LANES(l)
		p->host[l] = b->shared + p->addr[l];
	p->run = lane_run(p->addr, x->step.executed, o->width) ? p->host[0] : NULL;
	return STEP_OK;
}

static int local_places(struct exec *x, const struct opnd *o, struct lane_places *p)
{
	if (bad_increment(o))
		return exec_fault(x, FAULT_ILLEGAL_POSTINCR, x->step.executed, 0);
	addresses(x, o, p->addr);
	p->run = NULL;
	return lane_local_places(x, o->width, p->addr, p->host);
}

/* Addresses in g[] are whole registers. */
static int global_places(struct exec *x, const struct opnd *o, struct lane_places *p)
{
	memcpy(p->addr, reg_row(x->warp, o->reg)->lane, sizeof p->addr);
	return lane_global_places(x, o, p);
}

static void load_parts(struct exec *x, const struct insn *in, const struct lane_places *p)
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
		lane_load_part(p, o, x->step.executed, part, v.lane);
		write_part(x, in, part, &v);
	}
}

static bool store_each(struct exec *x, const struct insn *in, const struct lane_places *p)
{
	const struct opnd *o = &in->dst;
	unsigned parts = o->width > 4 ? o->width / 4 : 1;
	int order[LANES], n = lane_store_order(x, order);
	bool changed = false;

	for (unsigned part = 0; part < parts; part++) {
		struct row tmp;
		const struct row *v = src_part(x, in, 0, part, &tmp);
		changed |= lane_store_part(p, o, part, v->lane, order, n);
	}
	return changed;
}

static void store_parts(struct exec *x, const struct insn *in, const struct lane_places *p)
{
	struct row tmp;

	if (lane_stores_run(x, p))
		x->changes += words_store(p->run, src_row(x, in, 0, &tmp)->lane, LANES);
	else
		x->changes += store_each(x, in, p);
	x->progress++;
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
	lane_shared_sets(x, o->width, addr, x->step.executed, READ_SET);
	run = o->addr_reg && lane_run(addr, x->step.executed, o->width);
	if (run)
		memcpy(out, shared + addr[0], sizeof *out);
	else if (o->addr_reg)
		lane_shared_gather(x, o, addr, x->step.executed, out->lane);
	else if (x->step.executed)
		words_fill(out->lane, LANES, word_load(shared + addr[0], o->width, o->is_signed));
	lane_note(x, o, ACCESS_LOAD, MEM_SHARED, addr, run);
	return STEP_OK;
}

/* Offsets count in units of $vstride (spec tesla-graphics 3). */
static void fetch_primitive(struct exec *x, const struct opnd *o, struct row *out)
{
	const struct stream *stream = x->program->stream;
	const struct tesla_warp *t = tesla_state(x->warp);
	uint32_t addr[LANES], words = stream ? stream->shared_words : 0;
	const uint32_t *shared = words ? stream->shared + (size_t)t->stage->warp * words : NULL;
	struct opnd scaled = *o;
	lane_mask outside = 0;

	scaled.value *= VSTRIDE;
	addresses(x, &scaled, addr);
	FOR_SET_LANES(l, x->step.executed) {
		bool there = addr[l] / 4 < words;
		out->lane[l] = there ? shared[addr[l] / 4] : 0;
		outside |= (lane_mask)!there << l;
	}
	if (outside)
		exec_notice(x, NOTICE_OUTSIDE_STAGE);
}

/* The space has no misaligned words: the low bits of an address are dropped. */
static uint32_t load_const(const struct const_bank *c, uint32_t addr, const struct opnd *o)
{
	addr &= ~(o->width - 1u);
	return bytes_inside(addr, o->width, c->size) ? word_load(c->bytes + addr, o->width, o->is_signed) : 0;
}

/* *misaligned: lanes with a misaligned address. */
static int fetch_const(struct exec *x, const struct opnd *o, struct row *out, lane_mask *misaligned)
{
	const struct const_bank *c = &x->memory->c[o->bank];
	uint32_t addr[LANES];

	if (bad_increment(o))
		return exec_fault(x, FAULT_ILLEGAL_POSTINCR, x->step.executed, 0);
	addresses(x, o, addr);
	if (!o->addr_reg) {
		words_fill(out->lane, LANES, load_const(c, addr[0], o));
	} else {
		FOR_SET_LANES(l, x->step.executed) {
			out->lane[l] = load_const(c, addr[l], o);
			*misaligned |= (lane_mask)((addr[l] & (o->width - 1u)) != 0) << l;
		}
	}
	if (*misaligned && x->rules->strict)
		return exec_fault(x, FAULT_CONST_MISALIGNED, *misaligned, addr[__builtin_ctzll(*misaligned)]);
	lane_note(x, o, ACCESS_LOAD, MEM_CONST, addr, false);
	return STEP_OK;
}

int SIMD_NAME(tesla_fetch)(struct exec *x, const struct insn *in)
{
	struct tesla_warp *t = tesla_state(x->warp);
	lane_mask misaligned = 0;

	for (int i = 0; i < 3; i++) {
		const struct opnd *o = &in->src[i];
		int r = STEP_OK;
		if (!(in->fetch >> i & 1))
			continue;
		switch (o->file) {
		case SPACE_S: r = fetch_shared(x, o, &t->fetched[i]); break;
		case SPACE_C: r = fetch_const(x, o, &t->fetched[i], &misaligned); break;
		default: fetch_primitive(x, o, &t->fetched[i]);
		}
		if (r != STEP_OK)
			return r;
	}
	/* Only now can nothing go wrong any more. */
	if (misaligned)
		exec_notice(x, NOTICE_CONST_MISALIGNED);
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

/* Note that an access tries to lock, or unlocks. */
static void note_lock(struct exec *x, const struct opnd *o, enum access_kind kind, const uint32_t addr[])
{
	struct access *a = lane_note(x, o, kind, MEM_SHARED, addr, false);

	if (a)
		a->lock = 1;
}

static const char waits_its_turn[] = "warps lock words of s[]";

/* Load words with locks: lanes without the lock keep their register and get the flag. */
static int load_locked(struct exec *x, const struct insn *in)
{
	struct lane_places p;
	struct row value, flag;
	lane_mask won;
	int r;

	if (x->warp_sets)
		return exec_refuse(x, waits_its_turn);
	r = shared_places(x, &in->src[0], &p);
	if (r == STEP_OK)
		r = lock_take(x, p.addr, x->step.executed, &won);
	if (r != STEP_OK)
		return r;
	FOR_SET_LANES(l, x->step.executed) {
		value.lane[l] = word_load(p.host[l], 4, false);
		flag.lane[l] = won >> l & 1 ? FLAG_S : 0;
	}
	write_flags(x, in, &flag);
	if (in->dst.shape == OPND_REG)
		write_reg(x->warp, in->dst.reg, &value, won);
	note_lock(x, &in->src[0], ACCESS_LOAD, p.addr);
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
	struct lane_places p;
	bool unlocks = in->mod[MOD_OP] == 1;
	int r;

	if (x->warp_sets && unlocks)
		return exec_refuse(x, waits_its_turn);
	r = shared_places(x, &in->dst, &p);
	if (r == STEP_OK)
		r = lock_check(x, p.addr, x->step.executed);
	if (r != STEP_OK)
		return r;
	lane_shared_sets(x, in->dst.width, p.addr, x->step.executed, WRITE_SET);
	store_parts(x, in, &p);
	if (unlocks) {
		lock_release(x, p.addr, x->step.executed);
		note_lock(x, &in->dst, ACCESS_STORE, p.addr);
	} else {
		lane_note(x, &in->dst, ACCESS_STORE, MEM_SHARED, p.addr, p.run);
	}
	increment(x, &in->dst);
	return STEP_OK;
}

EXEC(ld_l)
{
	struct lane_places p;
	int r = local_places(x, &in->src[0], &p);

	if (r != STEP_OK)
		return r;
	load_parts(x, in, &p);
	lane_note(x, &in->src[0], ACCESS_LOAD, MEM_LOCAL, p.addr, false);
	increment(x, &in->src[0]);
	return STEP_OK;
}

EXEC(st_l)
{
	struct lane_places p;
	int r = local_places(x, &in->dst, &p);

	if (r != STEP_OK)
		return r;
	store_parts(x, in, &p);
	lane_note(x, &in->dst, ACCESS_STORE, MEM_LOCAL, p.addr, false);
	increment(x, &in->dst);
	return STEP_OK;
}

EXEC(ld_g)
{
	struct lane_places p;
	int r = global_places(x, &in->src[0], &p);

	if (__builtin_expect(x->pages.sets && r == STEP_OK, 0))
		r = lane_global_sets(x, &in->src[0], p.addr, READ_SET, 0);
	if (r != STEP_OK)
		return r;
	load_parts(x, in, &p);
	lane_note(x, &in->src[0], ACCESS_LOAD, MEM_GLOBAL, p.addr, p.run);
	return STEP_OK;
}

EXEC(st_g)
{
	struct lane_places p;
	int r = global_places(x, &in->dst, &p);

	if (r == STEP_OK)
		lane_global_log(x, &in->dst, &p);
	if (__builtin_expect(x->pages.sets && r == STEP_OK, 0))
		r = lane_global_sets(x, &in->dst, p.addr, WRITE_SET, 0);
	if (r != STEP_OK)
		return r;
	store_parts(x, in, &p);
	lane_note(x, &in->dst, ACCESS_STORE, MEM_GLOBAL, p.addr, p.run);
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

/* Operations that commute, on whole words. */
static bool commutes(const struct insn *in)
{
	enum { U32 = 6, S32, B64 = 4 };
	unsigned op = in->mod[MOD_OP], type = in->mod[MOD_TYPE];

	return type == B64 ? op == ATOMIC_ADD : (type == U32 || type == S32) &&
	       (op == ATOMIC_ADD || (op >= ATOMIC_MAX && op <= ATOMIC_XOR));
}

static int atomic_sets(struct exec *x, const struct insn *in, const uint32_t addr[])
{
	if (in->dst.shape == OPND_REG)
		return exec_refuse(x, "an atomic operation returns what was there before");
	return lane_global_sets(x, &in->src[0], addr, commutes(in) ? REDUCE_SET : WRITE_SET,
				in->mod[MOD_OP] << 4 | in->mod[MOD_TYPE]);
}

/* A separate function, so that no upper halves are dirty (tests/house/upper_halves.sh) in front of a switch over
 * operations. */
static __attribute__((noinline)) const struct row *atomic_source(struct exec *x, const struct insn *in, int i,
								  struct row *tmp)
{
	return src_row(x, in, i, tmp);
}

static void atomic_words(struct exec *x, const struct insn *in, const struct lane_places *p)
{
	bool sm12 = x->program->target.features & FEAT_SM12;
	unsigned op = in->mod[MOD_OP], type = in->mod[MOD_TYPE];
	struct row t2, t3, old;
	const struct row *s2 = atomic_source(x, in, 1, &t2), *s3 = atomic_source(x, in, 2, &t3);

	FOR_SET_LANES(l, x->step.executed) {
		memory_word *at = (memory_word *)p->host[l];
		uint32_t before = __atomic_load_n(at, __ATOMIC_RELAXED), after;
		do
			after = atomic_word(op, type, sm12, before, s2->lane[l], s3->lane[l]);
		while (!lane_replace(x, at, &before, after));
		old.lane[l] = atomic_returned(type, before);
		x->progress += before != after;
		x->changes += before != after;
	}
	write_row(x, in, &old);
}

static void atomic_pairs(struct exec *x, const struct insn *in, const struct lane_places *p)
{
	struct pair s2, s3;
	struct row low, high;

	src_pair(x, in, 1, &s2);
	src_pair(x, in, 2, &s3);
	FOR_SET_LANES(l, x->step.executed) {
		memory_pair *at = (memory_pair *)p->host[l];
		uint64_t before = __atomic_load_n(at, __ATOMIC_RELAXED), after;
		do
			after = atomic_pair(in->mod[MOD_OP], before, pair_of(s2.low, s2.high, l),
					    pair_of(s3.low, s3.high, l));
		while (!lane_replace_pair(x, at, &before, after));
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
	struct access *a;
	struct lane_places p;
	int r;

	if (in->mod[MOD_OP] == ATOMIC_TRAP)
		return exec_fault(x, FAULT_TRAP, x->step.executed, 0);
	r = global_places(x, &in->src[0], &p);
	if (r == STEP_OK)
		lane_global_log(x, &in->src[0], &p);
	if (x->pages.sets && r == STEP_OK)
		r = atomic_sets(x, in, p.addr);
	if (r != STEP_OK)
		return r;
	if (in->mod[MOD_TYPE] == 4)
		atomic_pairs(x, in, &p);
	else
		atomic_words(x, in, &p);
	a = lane_note(x, &in->src[0], ACCESS_ATOMIC, MEM_GLOBAL, p.addr, p.run);
	if (a)
		a->compares = in->mod[MOD_OP] == ATOMIC_CAS;
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
