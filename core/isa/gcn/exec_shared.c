/* DS instructions: LDS, and words exchanged between lanes. "AMD GCN3 Instruction Set Architecture", chapter 11, the
 * Vega ISA for additions of 1.4. Addresses are offsets into the block's memory; up to 1.2 M0 limits addresses too. */
#include "core/isa/gcn/memory.h"

/* Up to 1.2 M0 limits addresses. */
static uint32_t limit_of(struct exec *x)
{
	return valu_generation(x) <= GCN_12 ? gcn_warp(x->warp)->s[CODE_M0] : UINT32_MAX;
}

/* Words at the address register plus offset, a lane each. False: not all executing lanes have a word of LDS, or no lane
 * executes. */
static bool words_at(struct exec *x, const struct insn *in, uint32_t offset, struct gcn_words *a)
{
	const struct row *from = gcn_row(x, in->src[0].reg);
	uint32_t limit = limit_of(x), bytes = x->block->shared_bytes;
	struct lane_words *w = &a->by_shape;
	bool found;

	if (in->mod[MOD_CACHE] & CACHE_GDS || !x->step.executed)
		return false;
	limit = bytes < limit ? bytes : limit;
	found = lane_words_find(x, from->lane, offset, UINT32_MAX, w) && lane_words_below(w, limit);
	a->wanted = x->hooks.access && !x->tally;
	if (found && !a->wanted)
		return true;
	if (!found)
		w->shape = NULL;
	FOR_VECTORS(v)
		row_set_vec(&a->addr, v, row_vec(from, v) + offset);
	return found || words_inside(a->addr.lane, LANES, x->step.executed, 4, limit);
}

/* Elements at the address register plus offset, of the executing lanes. */
static int address(struct exec *x, const struct insn *in, uint32_t offset, unsigned width, unsigned parts,
		   struct gcn_access *a)
{
	const struct row *from = gcn_row(x, in->src[0].reg);
	uint32_t limit = limit_of(x);
	unsigned align = valu_generation(x) == GCN_14 ? 1 : parts == 1 ? width : parts == 2 ? 8 : 16;

	memset(a->lanes, 0, sizeof a->lanes);
	a->width = (uint8_t)width;
	a->parts = (uint8_t)parts;
	a->is_signed = false;
	a->lanes[MEM_SHARED] = x->step.executed;
	if (in->mod[MOD_CACHE] & CACHE_GDS)
		return exec_fault(x, FAULT_NOT_EMULATED, x->step.executed, 0);
	FOR_LANES(l)
		a->addr[l] = (uint32_t)(from->lane[l] + offset);
	FOR_SET_LANES(l, x->step.executed) {
		if (a->addr[l] % align)
			return exec_fault(x, FAULT_SHARED_MISALIGNED, 1ull << l, a->addr[l]);
		if (!bytes_inside(a->addr[l], width * parts, limit))
			return exec_fault(x, FAULT_SHARED_OUT_OF_RANGE, 1ull << l, a->addr[l]);
	}
	return STEP_OK;
}

static bool highest_wins(const struct exec *x)
{
	return x->rules->store_winner == WINNER_HIGHEST;
}

static uint32_t offset_of(const struct insn *in)
{
	return (uint32_t)in->src[0].value;
}

static int load(struct exec *x, const struct insn *in, unsigned width, bool is_signed, unsigned parts,
		enum gcn_half half)
{
	struct gcn_access a;
	struct gcn_words words;
	int r;

	if (width == 4 && parts == 1 && words_at(x, in, offset_of(in), &words)) {
		SIMD_NAME(gcn_load_words)(x, &words, gcn_row(x, in->dst.reg));
		return STEP_OK;
	}
	r = address(x, in, offset_of(in), width, parts, &a);
	a.is_signed = is_signed;
	return r == STEP_OK ? SIMD_NAME(gcn_load)(x, &a, gcn_row(x, in->dst.reg), half) : r;
}

static int store(struct exec *x, const struct insn *in, unsigned width, unsigned parts, enum gcn_half half)
{
	struct gcn_access a;
	struct gcn_words words;
	int r;

	if (width == 4 && parts == 1 && highest_wins(x) && words_at(x, in, offset_of(in), &words)) {
		SIMD_NAME(gcn_store_words)(x, &words, gcn_row(x, in->src[1].reg));
		return STEP_OK;
	}
	r = address(x, in, offset_of(in), width, parts, &a);
	return r == STEP_OK ? SIMD_NAME(gcn_store)(x, &a, gcn_row(x, in->src[1].reg), half) : r;
}

LOAD(ds_read_b32, 4, false, 1, HALF_NONE)
LOAD(ds_read_b64, 4, false, 2, HALF_NONE)
LOAD(ds_read_b96, 4, false, 3, HALF_NONE)
LOAD(ds_read_b128, 4, false, 4, HALF_NONE)
LOAD(ds_read_i8, 1, true, 1, HALF_NONE)
LOAD(ds_read_u8, 1, false, 1, HALF_NONE)
LOAD(ds_read_i16, 2, true, 1, HALF_NONE)
LOAD(ds_read_u16, 2, false, 1, HALF_NONE)
LOAD(ds_read_u8_d16, 1, false, 1, HALF_LOW)
LOAD(ds_read_u8_d16_hi, 1, false, 1, HALF_HIGH)
LOAD(ds_read_i8_d16, 1, true, 1, HALF_LOW)
LOAD(ds_read_i8_d16_hi, 1, true, 1, HALF_HIGH)
LOAD(ds_read_u16_d16, 2, false, 1, HALF_LOW)
LOAD(ds_read_u16_d16_hi, 2, false, 1, HALF_HIGH)
STORE(ds_write_b32, 4, 1, HALF_NONE)
STORE(ds_write_b64, 4, 2, HALF_NONE)
STORE(ds_write_b96, 4, 3, HALF_NONE)
STORE(ds_write_b128, 4, 4, HALF_NONE)
STORE(ds_write_b8, 1, 1, HALF_NONE)
STORE(ds_write_b16, 2, 1, HALF_NONE)
STORE(ds_write_b8_d16_hi, 1, 1, HALF_HIGH)
STORE(ds_write_b16_d16_hi, 2, 1, HALF_HIGH)

/* ---- two elements, each at an offset of 8 bits in units of one or 64 elements ---- */

static bool words_at_two(struct exec *x, const struct insn *in, unsigned unit, struct gcn_words a[2])
{
	return words_at(x, in, in->mod[MOD_OFFSET0] * unit * 4, &a[0]) &&
	       words_at(x, in, in->mod[MOD_OFFSET1] * unit * 4, &a[1]);
}

static int address_two(struct exec *x, const struct insn *in, unsigned parts, unsigned unit, struct gcn_access a[2])
{
	int r = address(x, in, in->mod[MOD_OFFSET0] * unit * parts * 4, 4, parts, &a[0]);

	return r == STEP_OK ? address(x, in, in->mod[MOD_OFFSET1] * unit * parts * 4, 4, parts, &a[1]) : r;
}

/* The address register may be the first loaded register: find all words first. */
static int load_two(struct exec *x, const struct insn *in, unsigned parts, unsigned unit)
{
	struct gcn_words words[2];
	struct gcn_access a[2];
	int r;

	if (parts == 1 && words_at_two(x, in, unit, words)) {
		SIMD_NAME(gcn_load_words)(x, &words[0], gcn_row(x, in->dst.reg));
		SIMD_NAME(gcn_load_words)(x, &words[1], gcn_row(x, in->dst.reg + 1));
		return STEP_OK;
	}
	r = address_two(x, in, parts, unit, a);
	if (r == STEP_OK)
		r = SIMD_NAME(gcn_locate)(x, &a[1]);
	if (r == STEP_OK)
		r = SIMD_NAME(gcn_load)(x, &a[0], gcn_row(x, in->dst.reg), HALF_NONE);
	return r == STEP_OK ? SIMD_NAME(gcn_load)(x, &a[1], gcn_row(x, in->dst.reg + parts), HALF_NONE) : r;
}

static int store_two(struct exec *x, const struct insn *in, unsigned parts, unsigned unit)
{
	struct gcn_words words[2];
	struct gcn_access a[2];
	int r;

	if (parts == 1 && highest_wins(x) && words_at_two(x, in, unit, words)) {
		SIMD_NAME(gcn_store_words)(x, &words[0], gcn_row(x, in->src[1].reg));
		SIMD_NAME(gcn_store_words)(x, &words[1], gcn_row(x, in->src[2].reg));
		return STEP_OK;
	}
	r = address_two(x, in, parts, unit, a);
	if (r == STEP_OK)
		r = SIMD_NAME(gcn_locate)(x, &a[1]);
	if (r == STEP_OK)
		r = SIMD_NAME(gcn_store)(x, &a[0], gcn_row(x, in->src[1].reg), HALF_NONE);
	return r == STEP_OK ? SIMD_NAME(gcn_store)(x, &a[1], gcn_row(x, in->src[2].reg), HALF_NONE) : r;
}

/* The data may be where the results go. */
static int swap_two(struct exec *x, const struct insn *in, unsigned parts, unsigned unit)
{
	struct gcn_access a[2];
	struct row second[2] = { *gcn_row(x, in->src[2].reg) };
	bool returns = in->dst.shape == OPND_REG;
	int r = address_two(x, in, parts, unit, a);

	if (parts == 2)
		second[1] = *gcn_row(x, in->src[2].reg + 1);
	if (r == STEP_OK)
		r = SIMD_NAME(gcn_locate)(x, &a[1]);
	if (r == STEP_OK)
		r = SIMD_NAME(gcn_atomic)(x, &a[0], ATOMIC_SWAP, gcn_row(x, in->src[1].reg), NULL, returns,
					  gcn_row(x, in->dst.reg));
	if (r == STEP_OK)
		r = SIMD_NAME(gcn_atomic)(x, &a[1], ATOMIC_SWAP, second, NULL, returns,
					  gcn_row(x, in->dst.reg + parts));
	return r;
}

#define TWO(name, function) \
	EXEC(ds_##name##_b32) \
	{ \
		return function(x, in, 1, 1); \
	} \
	EXEC(ds_##name##st64_b32) \
	{ \
		return function(x, in, 1, 64); \
	} \
	EXEC(ds_##name##_b64) \
	{ \
		return function(x, in, 2, 1); \
	} \
	EXEC(ds_##name##st64_b64) \
	{ \
		return function(x, in, 2, 64); \
	}
TWO(read2, load_two)
TWO(write2, store_two)
TWO(wrxchg2, swap_two)

/* ---- atomics ---- */

/* Data of a compare-and-swap begin with the value to compare. */
static int atomic(struct exec *x, const struct insn *in, enum atomic_op op, unsigned parts)
{
	bool swapped = op == ATOMIC_CMPSWAP || op == ATOMIC_FCMPSWAP;
	const struct row *first = gcn_row(x, in->src[1].reg);
	const struct row *second = in->src[2].shape == OPND_REG ? gcn_row(x, in->src[2].reg) : NULL;
	struct gcn_access a;
	int r = address(x, in, offset_of(in), 4, parts, &a);

	if (r != STEP_OK)
		return r;
	return SIMD_NAME(gcn_atomic)(x, &a, op, swapped && second ? second : first, swapped ? first : second,
				     in->dst.shape == OPND_REG, gcn_row(x, in->dst.reg));
}

#define ATOMIC(name, op, parts) \
	EXEC(ds_##name) \
	{ \
		return atomic(x, in, op, parts); \
	}
#define ATOMICS(X) \
	X(add_u32, ATOMIC_ADD, 1) X(sub_u32, ATOMIC_SUB, 1) X(rsub_u32, ATOMIC_RSUB, 1) X(inc_u32, ATOMIC_INC, 1) \
	X(dec_u32, ATOMIC_DEC, 1) X(min_i32, ATOMIC_SMIN, 1) X(max_i32, ATOMIC_SMAX, 1) X(min_u32, ATOMIC_UMIN, 1) \
	X(max_u32, ATOMIC_UMAX, 1) X(and_b32, ATOMIC_AND, 1) X(or_b32, ATOMIC_OR, 1) X(xor_b32, ATOMIC_XOR, 1) \
	X(mskor_b32, ATOMIC_MSKOR, 1) X(cmpst_b32, ATOMIC_CMPSWAP, 1) X(cmpst_f32, ATOMIC_FCMPSWAP, 1) \
	X(min_f32, ATOMIC_FMIN, 1) X(max_f32, ATOMIC_FMAX, 1) X(add_f32, ATOMIC_FADD, 1) X(wrxchg_b32, ATOMIC_SWAP, 1) \
	X(wrap_b32, ATOMIC_WRAP, 1) \
	X(add_u64, ATOMIC_ADD, 2) X(sub_u64, ATOMIC_SUB, 2) X(rsub_u64, ATOMIC_RSUB, 2) X(inc_u64, ATOMIC_INC, 2) \
	X(dec_u64, ATOMIC_DEC, 2) X(min_i64, ATOMIC_SMIN, 2) X(max_i64, ATOMIC_SMAX, 2) X(min_u64, ATOMIC_UMIN, 2) \
	X(max_u64, ATOMIC_UMAX, 2) X(and_b64, ATOMIC_AND, 2) X(or_b64, ATOMIC_OR, 2) X(xor_b64, ATOMIC_XOR, 2) \
	X(mskor_b64, ATOMIC_MSKOR, 2) X(cmpst_b64, ATOMIC_CMPSWAP, 2) X(cmpst_f64, ATOMIC_FCMPSWAP, 2) \
	X(min_f64, ATOMIC_FMIN, 2) X(max_f64, ATOMIC_FMAX, 2) X(wrxchg_b64, ATOMIC_SWAP, 2)
ATOMICS(ATOMIC)

/* ---- words of other lanes; LDS itself is not touched ---- */

static uint32_t reversed(uint32_t v)
{
	uint32_t out = 0;

	for (int i = 0; i < 5; i++)
		out |= (v >> i & 1) << (4 - i);
	return out;
}

/* The source lane of a lane, by the offset's modes: from 0xe000 a transform's, from 0xc000 a rotation, from 0x8000 any
 * of the quad, else bits and, or, xor. Transforms and rotations are 1.4's. */
static int swizzle_source(uint32_t mode, bool more, int lane)
{
	uint32_t l = (uint32_t)lane & 31, mask = mode & 31, amount = mode >> 5 & 31;

	if (more && mode >= 0xe000)
		l = reversed(l) >> __builtin_popcount(mask) | (l & mask);
	else if (more && mode >= 0xc000)
		l = (l & mask) | ((mode & 0x400 ? l - amount : l + amount) & ~mask);
	else if (mode & 0x8000)
		l = (l & ~3u) | (mode >> 2 * (l & 3) & 3);
	else
		l = ((l & mask) | amount) ^ (mode >> 10 & 31);
	return (lane & 32) | (int)(l & 31);
}

/* Inactive lanes give 0. */
static int take_words(struct exec *x, const struct insn *in, const struct row *from, const uint8_t source[])
{
	struct row v;

	FOR_LANES(l)
		v.lane[l] = x->step.active >> source[l] & 1 ? from->lane[source[l]] : 0;
	row_blend(gcn_row(x, in->dst.reg), &v, x->step.executed);
	return STEP_OK;
}

EXEC(ds_swizzle_b32)
{
	uint8_t source[LANES];

	FOR_LANES(l)
		source[l] = (uint8_t)swizzle_source(offset_of(in), valu_generation(x) == GCN_14, l);
	return take_words(x, in, gcn_row(x, in->src[0].reg), source);
}

static int lane_named(const struct exec *x, const struct insn *in, int l)
{
	return (int)((gcn_row(x, in->src[0].reg)->lane[l] + offset_of(in)) / 4 % LANES);
}

EXEC(ds_bpermute_b32)
{
	uint8_t source[LANES];

	FOR_LANES(l)
		source[l] = (uint8_t)lane_named(x, in, l);
	return take_words(x, in, gcn_row(x, in->src[1].reg), source);
}

/* Each lane names a destination for its word; the highest lane wins, and lanes that are no destination get 0. */
EXEC(ds_permute_b32)
{
	const struct row *data = gcn_row(x, in->src[1].reg);
	struct row v = { { 0 } };

	FOR_SET_LANES(l, x->step.executed)
		v.lane[lane_named(x, in, l)] = data->lane[l];
	row_blend(gcn_row(x, in->dst.reg), &v, x->step.executed);
	return STEP_OK;
}
