/* How executors of GCN are written. Files of executors of vectors and memory are compiled once for each SIMD level,
 * with 64 lanes; scalar and flow executors once.
 *
 *	EXEC(v_swap_b32) { … }  defines the executor of v_swap_b32, a row of gcn.def
 *
 * A vector instruction is a meaning for one lane, stamped over all of them:
 *
 *	VALU(v_add_u32, 2, a + b)                       words
 *	VALU_WIDE(v_lshlrev_b64, 2, b << (a & 63))      an operand has 64 bits; a, b, c and the result are uint64_t
 *	VALU_CARRY(v_div_scale_f32, 3, …)               words, and sets co (0 or 1) for the scalar pair flags_dst
 *	VALU_WIDE_CARRY(v_mad_i64_i32, 3, …)            both
 *	VALU_PAIR(v_mad_u64_u32, 3, …)                  both, but the last source and the result are words `low` and
 *	                                                `high`; the expression sets r_high, so that hosts have vectors
 *	VALU_COMPARE(v_cmp_u32, uint32_t, …)            a class of enum valu_class; the condition does the rest
 *
 * In the expression a, b and c are the lane's sources with their modifiers (neg, abs, sext, SDWA, DPP, op_sel; a word
 * that has less than 32 bits has anything above them), `in` is the instruction, `mode` the MODE register and ci the
 * lane's carry-in (0 or 1). An expression that wants a source more than the instruction names gets what was in the
 * destination (v_mac). Clamping, omod and SDWA's selection of the destination are done to the result; clamping of
 * integers is the expression's, as in->mod[MOD_CLAMP] asks for it. In expressions the generation is valu_generation(x).
 *
 * All are callable from threaded code as they are, by handler_exec. One that programs spend their time in gets handlers
 * of its own: VALU_HANDLED in place of VALU (VALU_CARRY_HANDLED and VALU_COMPARE_HANDLED, of words), and a row of kind
 * HANDLED. Its sources then need no test: whatever is no vector register has been made by an entry before it, or is one
 * word for all lanes in source 0. */
#ifndef WB_CORE_ISA_GCN_EXEC_H
#define WB_CORE_ISA_GCN_EXEC_H

#include "core/base/vector.h"
#include "core/isa/gcn/compare.h"
#include "core/isa/gcn/ops.h"
#include "core/isa/gcn/state.h"
#include "core/isa/threaded.h"

#define EXEC(name) int SIMD_NAME(exec_##name)(struct exec *x, const struct insn *in)

/* ---- the table ---- */

/* Threaded code of an executor, for all lanes and for any mask: all sources are rows, or source 0 is a word. `masks`:
 * the result is a bit a lane, for a scalar pair. `pair`: the number of the source that is a pair of words; 0: none. */
struct gcn_handlers {
	handler_fn *full, *partial, *full_word, *partial_word;
	bool masks;
	uint8_t pair;
};

struct gcn_executor {
	exec_fn *fn;                            /* NULL: not emulated */
	const struct gcn_handlers *handlers;    /* NULL: threaded code calls `fn` */
	handler_fn *branch;                     /* NULL: no branch with a handler */
	handler_fn *sop;                        /* NULL: no scalar arithmetic with a handler */
	bool sop_wide;                          /* sources are pairs of words, and so is the destination, if any */
	bool sop_saves;                         /* the destination gets EXEC, GCN_NEXT_EXEC what EXEC becomes */
};

#define SCALAR(name, class) int exec_##name##_base(struct exec *x, const struct insn *in);
#define BRANCH SCALAR
/* A page's machine is to be small, and has handlers of floats alone. */
#ifdef __wasm__
#define SOP_WORD SCALAR
#define SOP_HANDLER(name) NULL
#else
#define SOP_WORD(name, class) SCALAR(name, class) handler_fn handler_##name##_base;
#define SOP_HANDLER(name) handler_##name##_base
#endif
#define SOP_WIDE SOP_WORD
#define SOP_SAVE SOP_WORD
#define LANES(name, class) EXEC(name);
#define HANDLED(name, class) EXEC(name); extern const struct gcn_handlers SIMD_NAME(handlers_##name);
#include "core/isa/gcn/gcn.def"
int exec_idle_base(struct exec *x, const struct insn *in);

/* The parts of a SIMD level. */
struct gcn_level {
	const struct gcn_executor *executor;            /* by enum gcn_exec */
	handler_fn *exec;                               /* calls the executor */
	handler_fn *make[3];                            /* makes a source: gcn_warp.made[i] */
	handler_fn *make_word;                          /* likewise, of a word for all lanes */
	handler_fn *jump;                               /* s_branch */
	/* scalar operations whose result is EXEC; s_barrier, s_endpgm */
	handler_fn *write_exec;
	handler_fn *take_exec;                          /* EXEC becomes the pair at GCN_NEXT_EXEC */
	int (*run_observed)(struct exec *x, uint64_t budget);   /* program.run_observed */
	const struct threaded_level *engine;
#ifndef __wasm__
	void (*change_exec)(const struct threaded_op *op, struct exec *x, uint64_t v);  /* gcn_threaded.write_exec */
#endif
};

extern const struct gcn_level gcn_level_base, gcn_level_avx2, gcn_level_avx512;

/* insn.acts: the program indexes vector registers (s_set_gpr_idx_on), so the actual registers may differ from the
 * named. */
enum { GCN_ACTS_INDEXED = 1 };

/* ---- vector operands ---- */

/* Source i as a row: word `part` (0 low, 1 high, …), after the instruction's modifiers. May use *tmp. */
const struct row *SIMD_NAME(gcn_make)(struct exec *x, const struct insn *in, int i, unsigned part, struct row *tmp);

/* The row of vector register `reg`. Registers beyond the allocation do not come here (bind.c). */
static inline struct row *gcn_row(const struct exec *x, unsigned reg)
{
	return &x->warp->reg[reg];
}

/* A vector register under s_set_gpr_idx_on: `operand` is its bit in M0[15:12]. */
struct row *SIMD_NAME(gcn_indexed)(const struct exec *x, const struct insn *in, unsigned reg, uint32_t operand);

static inline const struct row *gcn_source(struct exec *x, const struct insn *in, int i, unsigned part, struct row *tmp)
{
	if (in->fetch >> i & 1)         /* no vector register, or modified */
		return SIMD_NAME(gcn_make)(x, in, i, part, tmp);
	return gcn_row(x, in->src[i].reg + part);
}

/* Is source i an unmodified word for all lanes? */
static inline bool gcn_is_word(const struct insn *in, int i)
{
	const struct opnd *o = &in->src[i];
	unsigned selects = in->mod[MOD_OPSEL] | (in->mod[MOD_FORM] == FORM_SDWA ? 7u : 0);
	bool modified = (in->mod[MOD_NEG] | in->mod[MOD_ABS] | selects) >> i & 1;

	return !modified && (o->shape == OPND_IMM || (o->shape == OPND_REG && o->file == FILE_S));
}

/* DPP: the lanes with a source; other lanes write nothing. */
lane_mask SIMD_NAME(gcn_dpp_lanes)(const struct exec *x, const struct insn *in);

/* An executor of a vector instruction begins. */
static inline void gcn_begin(struct exec *x, const struct insn *in)
{
	if (in->mod[MOD_FORM] == FORM_DPP)
		x->step.executed = SIMD_NAME(gcn_dpp_lanes)(x, in);
}

/* The mask of carries-in: source 2 in VOP3, else vcc. */
static inline uint64_t gcn_carry_in(const struct exec *x, const struct insn *in)
{
	const struct opnd *o = &in->src[2];
	const struct gcn_warp *g = gcn_warp(x->warp);

	return o->shape == OPND_REG && o->file == FILE_S ? gcn_pair(g, o->reg) :
	       o->shape == OPND_IMM ? (uint64_t)(int64_t)o->value : gcn_vcc(g);
}

/* Write a bit a lane to a scalar pair, 0 for inactive lanes. */
static inline void gcn_write_mask(struct exec *x, unsigned code, uint64_t mask)
{
	gcn_write_pair(x, code, mask & x->step.executed);
}

/* ---- results ---- */

/* Write word 0, or words 0 and 1, of the destination in the executing lanes, after omod, clamp and SDWA. `v` may be
 * changed. */
int SIMD_NAME(gcn_put_modified)(struct exec *x, const struct insn *in, struct row *v, struct row *high);

/* Write a 16-bit result, after omod and clamp, to one half of the destination; the other half stays. */
int SIMD_NAME(gcn_put_half)(struct exec *x, const struct insn *in, struct row *v, bool high);

static inline bool gcn_modifies_result(const struct insn *in)
{
	return in->acts | in->mod[MOD_OMOD] | in->mod[MOD_CLAMP] | (in->mod[MOD_FORM] == FORM_SDWA);
}

static inline int gcn_put(struct exec *x, const struct insn *in, struct row *v)
{
	if (gcn_modifies_result(in))
		return SIMD_NAME(gcn_put_modified)(x, in, v, NULL);
	row_blend(gcn_row(x, in->dst.reg), v, x->step.executed);
	return STEP_OK;
}

static inline int gcn_put_wide(struct exec *x, const struct insn *in, struct row *low, struct row *high)
{
	if (gcn_modifies_result(in))
		return SIMD_NAME(gcn_put_modified)(x, in, low, high);
	row_blend(gcn_row(x, in->dst.reg), low, x->step.executed);
	if (in->dst.width > 4)
		row_blend(gcn_row(x, in->dst.reg + 1), high, x->step.executed);
	return STEP_OK;
}

static inline enum gcn_generation valu_generation(const struct exec *x)
{
	return gcn_generation(&x->program->target);
}

/* ---- stamps ---- */

/* A lane's result depends on its own lane of the sources alone, even if a source is the destination. */
#ifdef __clang__
#define LANES_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANES_APART _Pragma("GCC ivdep")
#endif

struct valu {
	const struct row *low[3], *high[3];
	struct row tmp[3], tmp_high[3], out, out_high, carry, ci;
	uint32_t mode;
};

static const struct row valu_zero __attribute__((unused));

/* The destination stands for a source that the instruction lacks. */
static inline void valu_fetch(struct exec *x, const struct insn *in, int sources, bool wide, struct valu *v)
{
	gcn_begin(x, in);
	v->mode = gcn_warp(x->warp)->mode;
	for (int i = 0; i < 3; i++) {
		bool named = in->src[i].shape != OPND_NONE;
		v->low[i] = v->high[i] = &valu_zero;
		if (i >= sources)
			continue;
		v->low[i] = named ? gcn_source(x, in, i, 0, &v->tmp[i]) : gcn_row(x, in->dst.reg);
		if (wide && named && in->src[i].width > 4)
			v->high[i] = gcn_source(x, in, i, 1, &v->tmp_high[i]);
		else if (wide && !named && in->dst.width > 4)
			v->high[i] = gcn_row(x, in->dst.reg + 1);
	}
}

/* a_one: source 0 is a single word for all lanes, not a row. */
#define VALU_LANES(name, expression) \
	static inline __attribute__((always_inline)) void \
	name##_lanes(struct row *to, const uint32_t *row_a, bool a_one, const struct row *row_b, \
		     const struct row *row_c, const struct insn *in, uint32_t mode) \
	{ \
		(void)in, (void)mode; \
		LANES_APART \
		FOR_LANES(l) { \
			uint32_t a = row_a[a_one ? 0 : l], b = row_b->lane[l], c = row_c->lane[l]; \
			(void)a, (void)b, (void)c; \
			to->lane[l] = (expression); \
		} \
	}

#define VALU(name, sources, expression) \
	VALU_LANES(name, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		valu_fetch(x, in, sources, false, &v); \
		name##_lanes(&v.out, v.low[0]->lane, false, v.low[1], v.low[2], in, v.mode); \
		return gcn_put(x, in, &v.out); \
	}

#define VALU_HANDLER(name, suffix, a_one, all, sources) \
	static int name##suffix(HANDLER_PARAMETERS) \
	{ \
		const uint32_t *a = (const uint32_t *)op_src(op, 0, reg);       /* a word with a_one, else a row */ \
		const struct row *b = sources > 1 ? op_src(op, 1, reg) : &valu_zero; \
		const struct row *c = sources > 2 ? op_src(op, 2, reg) : &valu_zero; \
		struct row *to = op_row(reg, op->dst), v; \
		name##_lanes(all ? to : &v, a, a_one, b, c, op->in, gcn_warp_at(reg)->mode); \
		if (all) \
			HANDLER_NEXT_FULL(op, x, reg, active); \
		row_blend(to, &v, active); \
		HANDLER_NEXT(op, x, reg, active); \
	}

/* The four handlers of `name` by handler(name, suffix, a_one, all, …), for the table. */
#define FOUR_HANDLERS(name, handler, masks, pair, ...) \
	handler(name, _full, false, true, ##__VA_ARGS__) \
	handler(name, _partial, false, false, ##__VA_ARGS__) \
	handler(name, _full_word, true, true, ##__VA_ARGS__) \
	handler(name, _partial_word, true, false, ##__VA_ARGS__) \
	const struct gcn_handlers SIMD_NAME(handlers_##name) = { \
		name##_full, name##_partial, name##_full_word, name##_partial_word, masks, pair, \
	};

#ifdef __wasm__
#define WORD_HANDLERS(name, handler, masks, pair, ...) \
	const struct gcn_handlers SIMD_NAME(handlers_##name) = { NULL, NULL, NULL, NULL, masks, pair };
#else
#define WORD_HANDLERS FOUR_HANDLERS
#endif

#define VALU_HANDLED(name, sources, expression) \
	VALU(name, sources, expression) \
	WORD_HANDLERS(name, VALU_HANDLER, false, 0, sources)

#define WIDE_LANE(i) ((uint64_t)v.high[i]->lane[l] << 32 | v.low[i]->lane[l])

#define VALU_WIDE_CARRY_(name, sources, carries, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		valu_fetch(x, in, sources, true, &v); \
		uint32_t mode = v.mode; \
		(void)mode; \
		FOR_LANES(l) { \
			uint64_t a = WIDE_LANE(0), b = WIDE_LANE(1), c = WIDE_LANE(2), result; \
			uint32_t co = 0; \
			(void)a, (void)b, (void)c; \
			result = (expression); \
			v.out.lane[l] = (uint32_t)result; \
			v.out_high.lane[l] = (uint32_t)(result >> 32); \
			v.carry.lane[l] = co; \
		} \
		if (carries && in->flags_dst != FLAGS_NONE) \
			gcn_write_mask(x, in->flags_dst, mask_of_row(&v.carry)); \
		return gcn_put_wide(x, in, &v.out, &v.out_high); \
	}
/* `to` and `to_high` have the lanes' results, `carry` words of 0 and 1. */
#define VALU_PAIR_LANES(name, expression) \
	static inline __attribute__((always_inline)) void \
	name##_lanes(struct row *to, struct row *to_high, struct row *carry, const uint32_t *row_a, bool a_one, \
		     const struct row *row_b, const struct row *row_low, const struct row *row_high) \
	{ \
		LANES_APART \
		FOR_LANES(l) { \
			uint32_t a = row_a[a_one ? 0 : l], b = row_b->lane[l], low = row_low->lane[l]; \
			uint32_t high = row_high->lane[l], r_high, co = 0; \
			(void)b; \
			to->lane[l] = (expression); \
			to_high->lane[l] = r_high; \
			carry->lane[l] = co; \
		} \
	}

/* A pair of registers, or a small constant. */
#define VALU_PAIR_HANDLER(name, suffix, a_one, all, sources) \
	static int name##suffix(HANDLER_PARAMETERS) \
	{ \
		const uint32_t *a = (const uint32_t *)op_src(op, 0, reg); \
		const struct row *b = op_src(op, 1, reg), *low = op_src(op, (sources) - 1, reg); \
		const struct row *high = op->in->src[(sources) - 1].shape == OPND_IMM ? &valu_zero : low + 1; \
		struct row *to = op_row(reg, op->dst), v, v_high, carry; \
		name##_lanes(&v, &v_high, &carry, a, a_one, b, low, high); \
		if (op->in->flags_dst != FLAGS_NONE) \
			gcn_write_pair(x, op->in->flags_dst, mask_of_row(&carry) & active); \
		row_blend(to, &v, active); \
		row_blend(to + 1, &v_high, active); \
		if (all) \
			HANDLER_NEXT_FULL(op, x, reg, active); \
		HANDLER_NEXT(op, x, reg, active); \
	}

#define VALU_PAIR(name, sources, expression) \
	VALU_PAIR_LANES(name, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		valu_fetch(x, in, sources, true, &v); \
		name##_lanes(&v.out, &v.out_high, &v.carry, v.low[0]->lane, false, v.low[1], v.low[(sources) - 1], \
			     v.high[(sources) - 1]); \
		if (in->flags_dst != FLAGS_NONE) \
			gcn_write_mask(x, in->flags_dst, mask_of_row(&v.carry)); \
		return gcn_put_wide(x, in, &v.out, &v.out_high); \
	} \
	WORD_HANDLERS(name, VALU_PAIR_HANDLER, false, (sources) - 1, sources)

#define VALU_WIDE(name, sources, expression) VALU_WIDE_CARRY_(name, sources, false, expression)
#define VALU_WIDE_CARRY(name, sources, expression) VALU_WIDE_CARRY_(name, sources, true, expression)

/* As VALU_LANES; `carry` and `row_ci` have words of 0 and 1. */
#define VALU_CARRY_LANES(name, expression) \
	static inline __attribute__((always_inline)) void \
	name##_lanes(struct row *to, struct row *carry, const uint32_t *row_a, bool a_one, const struct row *row_b, \
		     const struct row *row_c, const struct row *row_ci, const struct insn *in) \
	{ \
		(void)in; \
		LANES_APART \
		FOR_LANES(l) { \
			uint32_t a = row_a[a_one ? 0 : l], b = row_b->lane[l], c = row_c->lane[l]; \
			uint32_t co = 0, ci = row_ci->lane[l]; \
			(void)a, (void)b, (void)c, (void)ci; \
			to->lane[l] = (expression); \
			carry->lane[l] = co; \
		} \
	}

#define VALU_CARRY(name, sources, expression) \
	VALU_CARRY_LANES(name, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		valu_fetch(x, in, sources, false, &v); \
		row_of_mask(&v.ci, gcn_carry_in(x, in)); \
		name##_lanes(&v.out, &v.carry, v.low[0]->lane, false, v.low[1], v.low[2], &v.ci, in); \
		if (in->flags_dst != FLAGS_NONE) \
			gcn_write_mask(x, in->flags_dst, mask_of_row(&v.carry)); \
		return gcn_put(x, in, &v.out); \
	}

#define VALU_CARRY_HANDLER(name, suffix, a_one, all) \
	static int name##suffix(HANDLER_PARAMETERS) \
	{ \
		const uint32_t *a = (const uint32_t *)op_src(op, 0, reg); \
		const struct row *b = op_src(op, 1, reg); \
		struct row *to = op_row(reg, op->dst), v, carry, ci; \
		row_of_mask(&ci, gcn_carry_in(x, op->in)); \
		name##_lanes(all ? to : &v, &carry, a, a_one, b, &valu_zero, &ci, op->in); \
		if (op->in->flags_dst != FLAGS_NONE) \
			gcn_write_pair(x, op->in->flags_dst, mask_of_row(&carry) & active); \
		if (all) \
			HANDLER_NEXT_FULL(op, x, reg, active); \
		row_blend(to, &v, active); \
		HANDLER_NEXT(op, x, reg, active); \
	}

/* Of two sources. */
#define VALU_CARRY_HANDLED(name, expression) \
	VALU_CARRY(name, 2, expression) \
	WORD_HANDLERS(name, VALU_CARRY_HANDLER, false, 0)

/* `true` of an integer compare has no bit 3, `true` of a float's has all: both are masks of classes. */
#define VALU_COMPARE(name, type, expression) \
	EXEC(name) \
	{ \
		struct valu v; \
		uint32_t condition = in->mod[MOD_CONDITION]; \
		valu_fetch(x, in, 2, sizeof(type) > 4, &v); \
		uint32_t mode = v.mode; \
		(void)mode; \
		LANES_APART \
		FOR_LANES(l) { \
			type a = sizeof(type) > 4 ? (type)WIDE_LANE(0) : (type)v.low[0]->lane[l]; \
			type b = sizeof(type) > 4 ? (type)WIDE_LANE(1) : (type)v.low[1]->lane[l]; \
			v.out.lane[l] = (expression) & condition; \
		} \
		return SIMD_NAME(gcn_put_compare)(x, in, mask_of_row(&v.out)); \
	}

/* A compare of words. */
#define VALU_COMPARE_HANDLER(name, suffix, a_one, all, type, expression) \
	static int name##suffix(HANDLER_PARAMETERS) \
	{ \
		const uint32_t *row_a = (const uint32_t *)op_src(op, 0, reg), mode = gcn_warp_at(reg)->mode; \
		const struct row *row_b = op_src(op, 1, reg); \
		const struct insn *in = op->in; \
		uint32_t condition = in->mod[MOD_CONDITION]; \
		struct row out; \
		(void)mode; \
		LANES_APART \
		FOR_LANES(l) { \
			type a = (type)row_a[a_one ? 0 : l], b = (type)row_b->lane[l]; \
			out.lane[l] = (expression) & condition; \
		} \
		gcn_write_pair(x, in->dst.shape == OPND_REG ? in->dst.reg : CODE_VCC, mask_of_row(&out) & active); \
		if (all) \
			HANDLER_NEXT_FULL(op, x, reg, active); \
		HANDLER_NEXT(op, x, reg, active); \
	}

#define VALU_COMPARE_HANDLED(name, type, expression) \
	VALU_COMPARE(name, type, expression) \
	WORD_HANDLERS(name, VALU_COMPARE_HANDLER, true, 0, type, expression)

/* The result of a compare goes to a scalar pair, and to EXEC if the row says so. */
int SIMD_NAME(gcn_put_compare)(struct exec *x, const struct insn *in, uint64_t mask);

#endif
