/* Scalar arithmetic: SOP1, SOP2, SOPC, SOPK. Meanings: "AMD GCN3 Instruction Set Architecture", chapter 12, and the
 * Vega ISA for additions of 1.4. In the expressions a and b are the sources, old the destination's former value, scc
 * the flag, before and after. */
#include "core/isa/gcn/exec.h"
#include "core/isa/gcn/launch.h"

static inline int put(struct exec *x, const struct insn *in, uint32_t v, uint32_t scc)
{
	gcn_write_scalar(x, in->dst.reg, v);
	gcn_warp(x->warp)->scc = scc;
	return STEP_OK;
}

static inline int put_wide(struct exec *x, const struct insn *in, uint64_t v, uint32_t scc)
{
	gcn_write_pair(x, in->dst.reg, v);
	gcn_warp(x->warp)->scc = scc;
	return STEP_OK;
}

static inline uint32_t second(struct exec *x, const struct insn *in)
{
	return in->src[1].shape == OPND_NONE ? 0 : gcn_scalar(x, in, 1);
}

static inline uint64_t second_wide(struct exec *x, const struct insn *in)
{
	if (in->src[1].shape == OPND_NONE)
		return 0;
	return in->src[1].width > 4 ? gcn_scalar_wide(x, in, 1) : gcn_scalar(x, in, 1);
}

/* ---- sources and destinations of handlers: registers, or numbers in the place of an address (bind.c) ---- */

static inline uint32_t word_at(const struct threaded_op *op, int i, const char *reg)
{
	const struct row_place *p = &op->src[i];

	return p->mask ? *(const uint32_t *)((uintptr_t)reg + p->offset) : (uint32_t)p->offset;
}

static inline uint64_t pair_at(const struct threaded_op *op, int i, const char *reg)
{
	const struct row_place *p = &op->src[i];
	const uint32_t *word = (const uint32_t *)((uintptr_t)reg + p->offset);

	return p->mask ? (uint64_t)word[1] << 32 | word[0] : (uint64_t)(int64_t)(intptr_t)p->offset;
}

static inline uint32_t *word_to(const struct threaded_op *op, char *reg)
{
	return (uint32_t *)((uintptr_t)reg + op->dst);
}

/* Of no use in a page. */
#ifdef __wasm__
#define HANDLER(name) \
	static inline __attribute__((unused)) int handler_##name(HANDLER_PARAMETERS)
#else
#define HANDLER(name) \
	int handler_##name##_base(HANDLER_PARAMETERS)
#endif

/* Words; 64 bits, with 32-bit sources zero-extended. */
#define SOP(name, expression) \
	HANDLER(name) \
	{ \
		uint32_t a = word_at(op, 0, reg), b = word_at(op, 1, reg), scc = gcn_warp_at(reg)->scc; \
		uint32_t *to = word_to(op, reg), old = *to; \
		(void)b, (void)old; \
		*to = (expression); \
		gcn_warp_at(reg)->scc = scc; \
		HANDLER_NEXT(op, x, reg, active); \
	} \
	EXEC(name) \
	{ \
		uint32_t a = gcn_scalar(x, in, 0), b = second(x, in), scc = gcn_warp(x->warp)->scc; \
		uint32_t old = in->dst.reg < GCN_SCALARS ? gcn_warp(x->warp)->s[in->dst.reg] : 0, v = (expression); \
		(void)b, (void)old; \
		return put(x, in, v, scc); \
	}
#define SOP64(name, expression) \
	HANDLER(name) \
	{ \
		uint64_t a = pair_at(op, 0, reg), b = pair_at(op, 1, reg), v; \
		uint32_t scc = gcn_warp_at(reg)->scc, *to = word_to(op, reg); \
		uint64_t old = (uint64_t)to[1] << 32 | to[0]; \
		(void)b, (void)old; \
		v = (expression); \
		to[0] = (uint32_t)v; \
		to[1] = (uint32_t)(v >> 32); \
		gcn_warp_at(reg)->scc = scc; \
		HANDLER_NEXT(op, x, reg, active); \
	} \
	EXEC(name) \
	{ \
		uint64_t a = in->src[0].width > 4 ? gcn_scalar_wide(x, in, 0) : gcn_scalar(x, in, 0); \
		uint64_t b = second_wide(x, in); \
		uint64_t old = gcn_pair(gcn_warp(x->warp), in->dst.reg), v; \
		uint32_t scc = gcn_warp(x->warp)->scc; \
		(void)b, (void)old; \
		v = (expression); \
		return put_wide(x, in, v, scc); \
	}
/* scc says whether the result is not 0. */
#define FLAG(type, expression) ({ type flagged = (expression); scc = flagged != 0; flagged; })
#define SOP_FLAG(name, expression) SOP(name, FLAG(uint32_t, expression))
#define SOP64_FLAG(name, expression) SOP64(name, FLAG(uint64_t, expression))
/* Both widths of an operation by bits. */
#define LOGIC(name, expression) SOP_FLAG(name##_b32, expression) SOP64_FLAG(name##_b64, expression)

/* ---- sums ---- */

static inline uint32_t add(uint32_t a, uint32_t b, uint32_t carry, uint32_t *scc)
{
	uint64_t sum = (uint64_t)a + b + carry;

	*scc = (uint32_t)(sum >> 32);
	return (uint32_t)sum;
}

static inline uint32_t subtract(uint32_t a, uint32_t b, uint32_t borrow, uint32_t *scc)
{
	*scc = (uint64_t)b + borrow > a;
	return a - b - borrow;
}

static inline uint32_t add_signed(uint32_t a, uint32_t b, uint32_t *scc)
{
	int32_t sum;

	*scc = __builtin_add_overflow((int32_t)a, (int32_t)b, &sum);
	return (uint32_t)sum;
}

static inline uint32_t subtract_signed(uint32_t a, uint32_t b, uint32_t *scc)
{
	int32_t v;

	*scc = __builtin_sub_overflow((int32_t)a, (int32_t)b, &v);
	return (uint32_t)v;
}

static inline uint32_t shift_add(uint32_t a, unsigned n, uint32_t b, uint32_t *scc)
{
	uint64_t sum = ((uint64_t)a << n) + b;

	*scc = sum >> 32 != 0;
	return (uint32_t)sum;
}

static inline uint32_t choose(bool first, uint32_t a, uint32_t b, uint32_t *scc)
{
	*scc = first;
	return first ? a : b;
}

SOP(s_add_u32, add(a, b, 0, &scc))
SOP(s_sub_u32, subtract(a, b, 0, &scc))
SOP(s_addc_u32, add(a, b, scc, &scc))
SOP(s_subb_u32, subtract(a, b, scc, &scc))
SOP(s_add_i32, add_signed(a, b, &scc))
SOP(s_sub_i32, subtract_signed(a, b, &scc))
SOP(s_addk_i32, add_signed(a, b, &scc))
SOP(s_min_i32, choose((int32_t)a < (int32_t)b, a, b, &scc))
SOP(s_min_u32, choose(a < b, a, b, &scc))
SOP(s_max_i32, choose((int32_t)a > (int32_t)b, a, b, &scc))
SOP(s_max_u32, choose(a > b, a, b, &scc))
SOP(s_mul_i32, a * b)
SOP(s_mulk_i32, a * b)
SOP(s_mul_hi_u32, (uint32_t)((uint64_t)a * b >> 32))
SOP(s_mul_hi_i32, (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32))
SOP(s_lshl1_add_u32, shift_add(a, 1, b, &scc))
SOP(s_lshl2_add_u32, shift_add(a, 2, b, &scc))
SOP(s_lshl3_add_u32, shift_add(a, 3, b, &scc))
SOP(s_lshl4_add_u32, shift_add(a, 4, b, &scc))
SOP_FLAG(s_abs_i32, (int32_t)a < 0 ? 0 - a : a)
SOP_FLAG(s_absdiff_i32, (int32_t)(a - b) < 0 ? b - a : a - b)

/* ---- bits ---- */

LOGIC(s_and, a & b)
LOGIC(s_or, a | b)
LOGIC(s_xor, a ^ b)
LOGIC(s_andn2, a & ~b)
LOGIC(s_orn2, a | ~b)
LOGIC(s_nand, ~(a & b))
LOGIC(s_nor, ~(a | b))
LOGIC(s_xnor, ~(a ^ b))
LOGIC(s_not, ~a)
SOP_FLAG(s_lshl_b32, a << (b & 31))
SOP_FLAG(s_lshr_b32, a >> (b & 31))
SOP_FLAG(s_ashr_i32, (uint32_t)((int32_t)a >> (b & 31)))
SOP64_FLAG(s_lshl_b64, a << (b & 63))
SOP64_FLAG(s_lshr_b64, a >> (b & 63))
SOP64_FLAG(s_ashr_i64, (uint64_t)((int64_t)a >> (b & 63)))
SOP(s_bfm_b32, ((1u << (a & 31)) - 1) << (b & 31))
SOP64(s_bfm_b64, ((1ull << (a & 63)) - 1) << (b & 63))
SOP(s_pack_ll_b32_b16, b << 16 | (a & 0xffff))
SOP(s_pack_lh_b32_b16, (b & 0xffff0000) | (a & 0xffff))
SOP(s_pack_hh_b32_b16, (b & 0xffff0000) | a >> 16)

/* Bits [offset, offset + width) of v, of `bits` in all. */
static inline uint64_t field(uint64_t v, uint64_t where, unsigned bits, bool sign)
{
	unsigned offset = (unsigned)where & (bits - 1), width = (unsigned)(where >> 16) & 0x7f, shift;

	v >>= offset;
	if (width > bits - offset)
		width = bits - offset;
	if (!width)
		return 0;
	shift = 64 - width;
	return sign ? (uint64_t)((int64_t)(v << shift) >> shift) : v << shift >> shift;
}

SOP_FLAG(s_bfe_u32, (uint32_t)field(a, b, 32, false))
SOP_FLAG(s_bfe_i32, (uint32_t)field(a, b, 32, true))
SOP64_FLAG(s_bfe_u64, field(a, b, 64, false))
SOP64_FLAG(s_bfe_i64, field(a, b, 64, true))

static inline uint64_t reverse(uint64_t v)
{
	v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
	v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
	return __builtin_bswap64(v);
}

/* All four bits of each quad with a bit; a bit for each quad. */
static inline uint64_t whole_quads(uint64_t v)
{
	uint64_t any = (v | v >> 1 | v >> 2 | v >> 3) & 0x1111111111111111;

	return any * 15;
}

static inline uint64_t quad_mask(uint64_t v)
{
	uint64_t out = 0;

	for (unsigned q = 0; q < 16; q++)
		out |= (uint64_t)((v >> 4 * q & 15) != 0) << q;
	return out;
}

static inline uint64_t replicate(uint64_t v)
{
	uint64_t out = 0;

	for (unsigned i = 0; i < 32; i++)
		out |= (v >> i & 1) * 3 << 2 * i;
	return out;
}

static inline uint32_t first_one(uint64_t v)
{
	return v ? (uint32_t)__builtin_ctzll(v) : UINT32_MAX;
}

/* Zeros above the highest set bit. */
static inline uint32_t leading(uint64_t v, unsigned bits)
{
	return v ? (uint32_t)__builtin_clzll(v) - (64 - bits) : UINT32_MAX;
}

SOP_FLAG(s_wqm_b32, (uint32_t)whole_quads(a))
SOP64_FLAG(s_wqm_b64, whole_quads(a))
SOP_FLAG(s_quadmask_b32, (uint32_t)quad_mask(a))
SOP64_FLAG(s_quadmask_b64, quad_mask(a))
SOP(s_brev_b32, (uint32_t)(reverse(a) >> 32))
SOP64(s_brev_b64, reverse(a))
SOP64(s_bitreplicate_b64_b32, replicate(a))
SOP_FLAG(s_bcnt0_i32_b32, (uint32_t)__builtin_popcount(~a))
SOP_FLAG(s_bcnt1_i32_b32, (uint32_t)__builtin_popcount(a))
SOP(s_ff0_i32_b32, first_one(~a))
SOP(s_ff1_i32_b32, first_one(a))
SOP(s_flbit_i32_b32, leading(a, 32))
SOP(s_flbit_i32, leading((int32_t)a < 0 ? ~a : a, 32))
SOP(s_sext_i32_i8, (uint32_t)(int8_t)a)
SOP(s_sext_i32_i16, (uint32_t)(int16_t)a)
SOP(s_bitset0_b32, old & ~(1u << (a & 31)))
SOP(s_bitset1_b32, old | 1u << (a & 31))
SOP64(s_bitset0_b64, old & ~(1ull << (a & 63)))
SOP64(s_bitset1_b64, old | 1ull << (a & 63))

/* A word of 64 bits. */
#define SOP_OF_64(name, expression) \
	EXEC(name) \
	{ \
		uint64_t a = gcn_scalar_wide(x, in, 0); \
		uint32_t scc = gcn_warp(x->warp)->scc, v = (expression); \
		return put(x, in, v, scc); \
	}
SOP_OF_64(s_bcnt0_i32_b64, FLAG(uint32_t, (uint32_t)__builtin_popcountll(~a)))
SOP_OF_64(s_bcnt1_i32_b64, FLAG(uint32_t, (uint32_t)__builtin_popcountll(a)))
SOP_OF_64(s_ff0_i32_b64, first_one(~a))
SOP_OF_64(s_ff1_i32_b64, first_one(a))
SOP_OF_64(s_flbit_i32_b64, leading(a, 64))
SOP_OF_64(s_flbit_i32_i64, leading((int64_t)a < 0 ? ~a : a, 64))

/* ---- moves ---- */

SOP(s_mov_b32, a)
SOP64(s_mov_b64, a)
SOP(s_movk_i32, a)
SOP(s_cmov_b32, scc ? a : old)
SOP64(s_cmov_b64, scc ? a : old)
SOP(s_cmovk_i32, scc ? a : old)
SOP(s_cselect_b32, scc ? a : b)
SOP64(s_cselect_b64, scc ? a : b)

/* SGPRs by M0; outside, no access. */
static uint32_t indexed(const struct exec *x, unsigned reg)
{
	uint64_t at = (uint64_t)reg + gcn_warp(x->warp)->s[CODE_M0];

	return at < CODE_VCC ? (uint32_t)at : GCN_SCALARS;
}

EXEC(s_movrels_b32)
{
	gcn_write_scalar(x, in->dst.reg, gcn_warp(x->warp)->s[indexed(x, in->src[0].reg)]);
	return STEP_OK;
}

EXEC(s_movrels_b64)
{
	gcn_write_pair(x, in->dst.reg, gcn_pair(gcn_warp(x->warp), indexed(x, in->src[0].reg)));
	return STEP_OK;
}

EXEC(s_movreld_b32)
{
	gcn_write_scalar(x, indexed(x, in->dst.reg), gcn_scalar(x, in, 0));
	return STEP_OK;
}

EXEC(s_movreld_b64)
{
	gcn_write_pair(x, indexed(x, in->dst.reg), gcn_scalar_wide(x, in, 0));
	return STEP_OK;
}

/* ---- EXEC: the old value (e) goes to the destination, the new value is made of a and e ---- */

#define SAVE_EXEC(name, expression) \
	HANDLER(name) \
	{ \
		uint64_t a = pair_at(op, 0, reg), e = active, v = (expression); \
		uint32_t *to = word_to(op, reg), *next = (uint32_t *)((uintptr_t)reg + GCN_NEXT_EXEC); \
		to[0] = (uint32_t)e; \
		to[1] = (uint32_t)(e >> 32); \
		next[0] = (uint32_t)v; \
		next[1] = (uint32_t)(v >> 32); \
		gcn_warp_at(reg)->scc = v != 0; \
		HANDLER_NEXT(op, x, reg, active); \
	} \
	EXEC(name) \
	{ \
		uint64_t a = gcn_scalar_wide(x, in, 0), e = x->warp->active, v = (expression); \
		gcn_write_pair(x, in->dst.reg, e); \
		gcn_write_exec(x, v); \
		gcn_warp(x->warp)->scc = v != 0; \
		return STEP_OK; \
	}
SAVE_EXEC(s_and_saveexec_b64, a & e)
SAVE_EXEC(s_or_saveexec_b64, a | e)
SAVE_EXEC(s_xor_saveexec_b64, a ^ e)
SAVE_EXEC(s_andn2_saveexec_b64, a & ~e)
SAVE_EXEC(s_orn2_saveexec_b64, a | ~e)
SAVE_EXEC(s_nand_saveexec_b64, ~(a & e))
SAVE_EXEC(s_nor_saveexec_b64, ~(a | e))
SAVE_EXEC(s_xnor_saveexec_b64, ~(a ^ e))
SAVE_EXEC(s_andn1_saveexec_b64, ~a & e)
SAVE_EXEC(s_orn1_saveexec_b64, ~a | e)

/* The destination gets the new value. */
#define WRITE_EXEC(name, expression) \
	EXEC(name) \
	{ \
		uint64_t a = gcn_scalar_wide(x, in, 0), e = x->warp->active, v = (expression); \
		gcn_write_exec(x, v); \
		gcn_write_pair(x, in->dst.reg, v); \
		gcn_warp(x->warp)->scc = v != 0; \
		return STEP_OK; \
	}
WRITE_EXEC(s_andn1_wrexec_b64, ~a & e)
WRITE_EXEC(s_andn2_wrexec_b64, a & ~e)

/* ---- compares. In SOPK the register is source 1, and comes first ---- */

#define COMPARE(name, type, expression) \
	HANDLER(name) \
	{ \
		type a = (type)word_at(op, 0, reg), b = (type)word_at(op, 1, reg); \
		gcn_warp_at(reg)->scc = (expression); \
		HANDLER_NEXT(op, x, reg, active); \
	} \
	EXEC(name) \
	{ \
		type a = (type)gcn_scalar(x, in, 0), b = (type)gcn_scalar(x, in, 1); \
		gcn_warp(x->warp)->scc = (expression); \
		return STEP_OK; \
	}
#define COMPARES(condition, operator) \
	COMPARE(s_cmp_##condition##_i32, int32_t, a operator b) \
	COMPARE(s_cmp_##condition##_u32, uint32_t, a operator b) \
	COMPARE(s_cmpk_##condition##_i32, int32_t, b operator a) \
	COMPARE(s_cmpk_##condition##_u32, uint32_t, b operator a)
COMPARES(eq, ==)
COMPARES(lg, !=)
COMPARES(gt, >)
COMPARES(ge, >=)
COMPARES(lt, <)
COMPARES(le, <=)
COMPARE(s_bitcmp0_b32, uint32_t, !(a >> (b & 31) & 1))
COMPARE(s_bitcmp1_b32, uint32_t, a >> (b & 31) & 1)

#define COMPARE64(name, expression) \
	HANDLER(name) \
	{ \
		uint64_t a = pair_at(op, 0, reg), b = pair_at(op, 1, reg); \
		gcn_warp_at(reg)->scc = (expression); \
		HANDLER_NEXT(op, x, reg, active); \
	} \
	EXEC(name) \
	{ \
		uint64_t a = gcn_scalar_wide(x, in, 0), b = second_wide(x, in); \
		gcn_warp(x->warp)->scc = (expression); \
		return STEP_OK; \
	}
COMPARE64(s_cmp_eq_u64, a == b)
COMPARE64(s_cmp_lg_u64, a != b)
COMPARE64(s_bitcmp0_b64, !(a >> (b & 63) & 1))
COMPARE64(s_bitcmp1_b64, a >> (b & 63) & 1)

/* ---- hardware registers: number [5:0], first bit [10:6], bits - 1 [15:11] ---- */

enum { HW_MODE = 1, HW_STATUS, HW_TRAPSTS, HW_ID, HW_GPR_ALLOC, HW_LDS_ALLOC, HW_IB_STS, HW_SH_MEM_BASES = 15 };

static uint32_t status(const struct exec *x)
{
	const struct warp *w = x->warp;
	const struct gcn_warp *g = gcn_warp(w);
	enum { EXECZ = 9, VCCZ = 10, IN_GROUP = 11, VALID = 16 };

	return g->scc | (uint32_t)!w->active << EXECZ | (uint32_t)!gcn_vcc(g) << VCCZ |
	       (uint32_t)(x->block->nwarps > 1) << IN_GROUP | 1u << VALID;
}

static uint32_t hardware(const struct exec *x, unsigned number)
{
	const struct gcn_warp *g = gcn_warp(x->warp);

	switch (number) {
	case HW_MODE: return g->mode;
	case HW_STATUS: return status(x);
	case HW_TRAPSTS: return g->trap_status;
	case HW_ID: return x->warp->slot;
	case HW_GPR_ALLOC: return ((x->warp->nreg + 3) / 4 - 1) << 8 | 15u << 24;
	case HW_LDS_ALLOC: return x->block->shared_bytes / 256 << 12;
	case HW_SH_MEM_BASES: return (GCN_SHARED_APERTURE & 0xffff0000u) | GCN_PRIVATE_APERTURE >> 16;
	}
	return 0;
}

static uint32_t bits_of(uint32_t simm)
{
	return (uint32_t)((2ull << (simm >> 11 & 31)) - 1);
}

EXEC(s_getreg_b32)
{
	uint32_t simm = (uint32_t)in->src[0].value;

	gcn_write_scalar(x, in->dst.reg, hardware(x, simm & 63) >> (simm >> 6 & 31) & bits_of(simm));
	return STEP_OK;
}

/* MODE and the trap bits can be written; all other bits are the hardware's. */
static int set_hardware(struct exec *x, uint32_t simm, uint32_t v)
{
	struct gcn_warp *g = gcn_warp(x->warp);
	uint32_t mask = bits_of(simm) << (simm >> 6 & 31), bits = v << (simm >> 6 & 31) & mask;

	if ((simm & 63) == HW_MODE && !gcn_host_rounds((g->mode & ~mask) | bits))
		return exec_fault(x, FAULT_ROUNDING, x->warp->active, bits);
	if ((simm & 63) == HW_MODE)
		g->mode = (g->mode & ~mask) | bits;
	else if ((simm & 63) == HW_TRAPSTS)
		g->trap_status = (g->trap_status & ~mask) | bits;
	return STEP_OK;
}

EXEC(s_setreg_b32)
{
	return set_hardware(x, (uint32_t)in->src[0].value, gcn_scalar(x, in, 1));
}

EXEC(s_setreg_imm32_b32)
{
	return set_hardware(x, (uint32_t)in->src[0].value, (uint32_t)in->src[1].value);
}

/* ---- vector registers by an index: M0[7:0] the index, M0[15:12] the operands ---- */

static void set_index(struct exec *x, uint32_t index, uint32_t mask)
{
	struct gcn_warp *g = gcn_warp(x->warp);

	g->s[CODE_M0] = (g->s[CODE_M0] & ~mask) | (index & mask);
}

EXEC(s_set_gpr_idx_on)
{
	gcn_warp(x->warp)->mode |= MODE_GPR_IDX;
	set_index(x, (gcn_scalar(x, in, 0) & 0xff) | ((uint32_t)in->src[1].value & 15) << 12, 0xf0ff);
	return STEP_OK;
}

EXEC(s_set_gpr_idx_off)
{
	gcn_warp(x->warp)->mode &= ~(uint32_t)MODE_GPR_IDX;
	return STEP_OK;
}

EXEC(s_set_gpr_idx_idx)
{
	set_index(x, gcn_scalar(x, in, 0), 0xff);
	return STEP_OK;
}

EXEC(s_set_gpr_idx_mode)
{
	set_index(x, (uint32_t)in->src[0].value << 12, 0xf000);
	return STEP_OK;
}

EXEC(s_getpc_b64)
{
	gcn_write_pair(x, in->dst.reg, gcn_warp(x->warp)->code + x->step.next_pc);
	return STEP_OK;
}
