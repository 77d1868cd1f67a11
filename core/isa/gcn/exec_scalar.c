/* Scalar arithmetic: SOP1, SOP2, SOPC, SOPK. Meanings: "AMD GCN3 Instruction Set Architecture", chapter 12, and the
 * Vega ISA for additions of 1.4. In the expressions a and b are the sources, old the destination's former value, scc
 * the flag, before and after. */
#include "core/isa/gcn/arith_scalar.h"
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

/* EXEC: the old value (e) goes to the destination, the new value is made of a and e. */
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
#include "core/isa/gcn/scalar.def"

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
SOP_OF_64(s_ff0_i32_b64, scalar_first_one(~a))
SOP_OF_64(s_ff1_i32_b64, scalar_first_one(a))
SOP_OF_64(s_flbit_i32_b64, scalar_leading(a, 64))
SOP_OF_64(s_flbit_i32_i64, scalar_leading((int64_t)a < 0 ? ~a : a, 64))

/* ---- moves ---- */

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
