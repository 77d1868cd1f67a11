/* State of a GCN wavefront beside its vector registers, and access to it by executors.
 *
 * EXEC is the warp's active mask. The copy in s[126] and s[127] is for reading; all writes go through gcn_write_exec,
 * where each lane's leaving and the cause are noted for the bill. A warp with EXEC 0 goes on: scalar instructions
 * ignore EXEC. */
#ifndef WB_CORE_ISA_GCN_STATE_H
#define WB_CORE_ISA_GCN_STATE_H

#include "core/isa/exec.h"
#include "core/isa/gcn/gcn.h"

enum { GCN_SCALARS = 128, GCN_SCALAR_END = 16 /* a load of 16 words may begin at the last */ };

struct gcn_warp {
	uint32_t s[GCN_SCALARS + GCN_SCALAR_END];       /* by source code: SGPRs, vcc, trap registers, m0, exec */
	uint32_t scc;                   /* 0 or 1 */
	uint32_t mode;                  /* enum gcn_mode_bits */
	uint32_t trap_status;           /* bits written by s_setreg */
	uint64_t code;                  /* address of pc 0 */
	struct row made[3];             /* sources made for a threaded-code entry by the entry before */
};

/* The MODE register. */
enum gcn_mode_bits {
	MODE_ROUND_32 = 0, MODE_ROUND_64 = 2,   /* shifts of 2 bits: nearest even, up, down, zero. 64: f16 as well */
	MODE_DENORM_32 = 4, MODE_DENORM_64 = 6, /* shifts: bit 0 operands, bit 1 results may be denormal */
	MODE_DX10_CLAMP = 1 << 8,       /* clamping makes 0 of a NaN */
	MODE_IEEE = 1 << 9,
	MODE_GPR_IDX = 1 << 27,         /* s_set_gpr_idx_on */
	MODE_CSP = 29,                  /* shift: entries of the stack of forks, 3 bits */
};

/* Whether the host's arithmetic has all directions of rounding. WebAssembly only rounds to nearest: launches and
 * instructions that ask for another direction are refused there. */
#ifdef __wasm__
#define GCN_HOST_DIRECTIONS 0
#else
#define GCN_HOST_DIRECTIONS 1
#endif

/* Whether the host can compute under a MODE. */
static inline bool gcn_host_rounds(uint32_t mode)
{
	return GCN_HOST_DIRECTIONS || !(mode >> MODE_ROUND_32 & 0xf);
}

/* Bytes of a wavefront's state, in front of its registers. */
enum { GCN_WARP_BYTES = (sizeof(struct gcn_warp) + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN };

/* Between a handler of scalar arithmetic and take_exec the result is in a row that is no source then; from the warp's
 * registers on. */
#define GCN_NEXT_EXEC (offsetof(struct gcn_warp, made) - (uintptr_t)GCN_WARP_BYTES)

static inline struct gcn_warp *gcn_warp(const struct warp *w)
{
	return w->state;
}

/* The wavefront of registers `reg`, in handlers of threaded code. */
static inline struct gcn_warp *gcn_warp_at(char *reg)
{
	return (struct gcn_warp *)(reg - GCN_WARP_BYTES);
}

static inline uint64_t gcn_pair(const struct gcn_warp *g, unsigned code)
{
	return (uint64_t)g->s[code + 1] << 32 | g->s[code];
}

static inline uint64_t gcn_vcc(const struct gcn_warp *g)
{
	return gcn_pair(g, CODE_VCC);
}

/* Set EXEC to v, on behalf of the instruction at x->step.pc, already issued (counted in warp.issues). */
void gcn_write_exec(struct exec *x, uint64_t v);

/* Set scalar register `code`, of any kind, to v. Writes past the last register are lost. */
static inline void gcn_write_scalar(struct exec *x, unsigned code, uint32_t v)
{
	struct gcn_warp *g = gcn_warp(x->warp);

	if (code >= GCN_SCALARS)
		return;
	if (code == CODE_EXEC)
		gcn_write_exec(x, (uint64_t)g->s[CODE_EXEC + 1] << 32 | v);
	else if (code == CODE_EXEC + 1)
		gcn_write_exec(x, (uint64_t)v << 32 | g->s[CODE_EXEC]);
	else
		g->s[code] = v;
}

static inline void gcn_write_pair(struct exec *x, unsigned code, uint64_t v)
{
	struct gcn_warp *g = gcn_warp(x->warp);

	if (code == CODE_EXEC) {
		gcn_write_exec(x, v);
	} else if (code + 1 < GCN_SCALARS) {
		g->s[code] = (uint32_t)v;
		g->s[code + 1] = (uint32_t)(v >> 32);
	}
}

/* ---- scalar operands ---- */

/* Special registers by source codes: 235 … 239, vccz, execz, scc, LDS direct. */
uint32_t gcn_special(struct exec *x, unsigned code);
/* 64 bits of a special register: an aperture is the whole address, with the window in the upper word. */
uint64_t gcn_special_wide(struct exec *x, unsigned code);

static inline uint32_t gcn_scalar(struct exec *x, const struct insn *in, int i)
{
	const struct opnd *o = &in->src[i];

	if (o->shape != OPND_REG)
		return (uint32_t)o->value;
	return o->file == FILE_S ? gcn_warp(x->warp)->s[o->reg] : gcn_special(x, o->reg);
}

/* The 64 bits of an immediate in an operand of a type: literals are the high word of an F64, else extended by the
 * type. */
static inline uint64_t gcn_immediate_wide(const struct opnd *o, enum gcn_type type)
{
	if (o->reg != CODE_LITERAL)
		return gcn_constant(o->reg, type);
	return type == T_F64 ? (uint64_t)(uint32_t)o->value << 32 :
	       type == T_I64 ? (uint64_t)(int64_t)o->value : (uint32_t)o->value;
}

/* 64 bits of source i, by the type in the row. */
static inline uint64_t gcn_scalar_wide(struct exec *x, const struct insn *in, int i)
{
	const struct opnd *o = &in->src[i];

	if (o->shape == OPND_REG)
		return o->file == FILE_S ? gcn_pair(gcn_warp(x->warp), o->reg) : gcn_special_wide(x, o->reg);
	return gcn_immediate_wide(o, (enum gcn_type)gcn_row_of(in)->s[i]);
}

#endif
