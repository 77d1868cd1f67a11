/* State of a Tesla warp beside its registers, and access to operands by executors. */
#ifndef WB_CORE_ISA_TESLA_STATE_H
#define WB_CORE_ISA_TESLA_STATE_H

#include "core/base/vector.h"
#include "core/isa/exec.h"
#include "core/isa/tesla/tesla.h"

enum entry_type {           /* the machine's numbers (S4, MP) */
	ENTRY_BRANCH = 1, ENTRY_CALL, ENTRY_CALL_LIMITED, ENTRY_PREBREAK, ENTRY_QUADON, ENTRY_JOINAT,
};

/* Without padding, as snapshots compare and hash bytes: an assignment copies padding as well, of any content. */
struct stack_entry {
	uint64_t  type;     /* enum entry_type */
	uint32_t  pc;
	uint32_t  cause;    /* BRANCH: the bra of the split, for the bill */
	lane_mask mask;
};

_Static_assert(sizeof(struct stack_entry) == 2 * sizeof(uint64_t) + sizeof(lane_mask), "no padding");

struct lane_paths;

/* State of a graphics program's warp beside its registers: the words of the threads' inputs (struct stream), as rows,
 * read by a[] and sampled by `interp`; then the rows of o[]. */
struct stage {
	uint32_t first_thread;          /* of lane 0, within the launch */
	uint32_t warp;                  /* of the launch */
	uint16_t inputs, outputs;       /* rows */
	struct row emitted;             /* vertices emitted by each lane */
	struct row words[];
};

enum { ADDRESS_ROWS = 5 };  /* $a0 (always 0) … $a4 are a lane's own; $a5, $a6 read 0; $a7 is the warp's */

struct tesla_warp {
	struct row c[4];                /* $c0…$c3: 4 bits a lane */
	struct row a[ADDRESS_ROWS];     /* $a0…$a4: 16 bits a lane */
	struct row from;                /* by lane: the lane whose word came by the last shuffle, for views */
	struct row zero;                /* value of registers beyond the allocation */
	struct row sink;                /* where discarded results go */
	struct row fetched[3];          /* memory operands of the present instruction, by source */
	uint32_t a7;
	uint32_t depth;
	uint32_t limited_calls;
	/* the join marker of the instruction at pc has acted: the instruction waits for a lock */
	bool     joined;
	struct stack_entry *stack;      /* rules.stack_depth entries, or NULL where lanes have stacks of their own: */
	struct lane_paths *paths;       /* flow_lanes.c, or NULL */
	struct stage *stage;            /* NULL in compute programs */
};

/* Bytes of the three addresses (isa_ops.warp_addresses). */
enum { TESLA_WARP_ADDRESSES = offsetof(struct tesla_warp, stage) + sizeof(struct stage *) -
			      offsetof(struct tesla_warp, stack) };

static inline struct tesla_warp *tesla_state(const struct warp *w)
{
	return w->state;
}

/* The machine's invisible mask: lanes of absent quads, of pixels that are not covered, of killed fragments. */
static inline lane_mask tesla_invisible(const struct exec *x)
{
	return ~x->warp->launched | x->warp->helper;
}

/* A 32-bit register as a row to read. Registers beyond the allocation read 0 (S4). */
static inline const struct row *reg_row(const struct warp *w, unsigned reg)
{
	return reg < w->nreg ? &w->reg[reg] : &tesla_state(w)->zero;
}

/* A word of a[] at a constant byte offset, one of those found in the code. */
static inline const struct row *input_row(const struct warp *w, uint32_t offset)
{
	return &tesla_state(w)->stage->words[offset / 4];
}

/* A word of o[]; NULL: outside. */
static inline struct row *output_row(const struct warp *w, uint32_t offset)
{
	struct stage *s = tesla_state(w)->stage;

	return offset / 4 < s->outputs ? &s->words[s->inputs + offset / 4] : NULL;
}

/* Source i as a row of 32-bit words: 16-bit halves zero-extended, immediates and memory operands broadcast or fetched.
 * Sub-word s[] operands come extended to 32 bits, so that a 16-bit operation uses only the low half. May use *tmp. Word
 * `part` (0 low … 3 high) of a pair or quad register. */
static inline const struct row *src_part(struct exec *x, const struct insn *in, int i, unsigned part, struct row *tmp)
{
	const struct opnd *o = &in->src[i];

	if (o->shape == OPND_REG && o->width >= 4)
		return reg_row(x->warp, o->reg + part);
	if (o->shape == OPND_REG) {
		const struct row *r = reg_row(x->warp, o->reg >> 1);
		int shift = o->reg & 1 ? 16 : 0;
		FOR_LANES(l)
			tmp->lane[l] = r->lane[l] >> shift & 0xffff;
		return tmp;
	}
	if (o->shape == OPND_IMM) {
		FOR_LANES(l)
			tmp->lane[l] = (uint32_t)o->value;
		return tmp;
	}
	if (o->file == SPACE_A)
		return input_row(x->warp, (uint32_t)o->value);
	return &tesla_state(x->warp)->fetched[i];
}

static inline const struct row *src_row(struct exec *x, const struct insn *in, int i, struct row *tmp)
{
	return src_part(x, in, i, 0, tmp);
}

/* Carry-in: the flags of an addc's source 3. */
static inline const struct row *carry_row(struct exec *x, const struct insn *in)
{
	return &tesla_state(x->warp)->c[in->src[3].reg & 3];
}

/* Write a 32-bit register under a mask; a register beyond the allocation is not written (S4). */
static inline void write_reg(struct warp *w, unsigned reg, const struct row *v, lane_mask m)
{
	if (reg < w->nreg)
		row_blend(&w->reg[reg], v, m);
}

static inline void blend_half(struct row *r, bool high, const struct row *v, lane_mask m)
{
	struct row merged;

	FOR_LANES(l)
		merged.lane[l] = high ? (r->lane[l] & 0xffff) | v->lane[l] << 16
				      : (r->lane[l] & ~0xffffu) | (v->lane[l] & 0xffff);
	row_blend(r, &merged, m);
}

static inline void write_half(struct warp *w, unsigned half, const struct row *v, lane_mask m)
{
	if (half >> 1 < w->nreg)
		blend_half(&w->reg[half >> 1], half & 1, v, m);
}

/* The word or half of o[] as an instruction's destination. */
static inline void write_output(struct exec *x, const struct opnd *o, const struct row *v)
{
	struct row *r = output_row(x->warp, (uint32_t)o->value);

	if (r && o->width == 2)
		blend_half(r, o->value & 2, v, x->step.executed);
	else if (r)
		row_blend(r, v, x->step.executed);
}

/* Write the destination in the executing lanes; word `part` of a pair or quad. Discards a sink. */
static inline void write_part(struct exec *x, const struct insn *in, unsigned part, const struct row *v)
{
	if (in->dst.shape == OPND_MEM)
		write_output(x, &in->dst, v);
	if (in->dst.shape != OPND_REG)
		return;
	if (in->dst.width == 2)
		write_half(x->warp, in->dst.reg, v, x->step.executed);
	else
		write_reg(x->warp, in->dst.reg + part, v, x->step.executed);
}

static inline void write_row(struct exec *x, const struct insn *in, const struct row *v)
{
	write_part(x, in, 0, v);
}

/* Write the flags of the instruction (callers may skip computing flags when flags_dst is FLAGS_NONE). */
static inline void write_flags(struct exec *x, const struct insn *in, const struct row *cc)
{
	if (in->flags_dst != FLAGS_NONE)
		row_blend(&tesla_state(x->warp)->c[in->flags_dst & 3], cc, x->step.executed);
}

#endif
