/* Arithmetic: handlers of threaded code (core/isa/threaded.h), loops over lanes of the meanings in f24.h. Compiled for
 * each SIMD level and each rounding.
 *
 * An operand is a register of four components, each a row: op->part[i] has the offset, from source i on, of each
 * component's row in the order of the instruction's selector, so that swizzling costs nothing; op->part[3] has the
 * destination's. Of an instruction that treats all components alike, only the written components are listed. A negated
 * or relatively addressed source is made by an entry before the instruction's.
 *
 * With truncation, sums and products of ordinary numbers have faster handlers with a test of their result
 * (f24_mul_fast); if the test fails, the handler for all numbers computes the instruction again. */
#include "core/isa/pica/exec.h"

static inline bool takes(unsigned mask, int component)
{
	return mask >> (3 - component) & 1;
}

/* The row of component k of source i, and of the destination. */
static inline const struct row *part(const struct threaded_op *op, int i, int k, const char *reg)
{
	return (const struct row *)((const char *)op_src(op, i, reg) + op->part[i][k]);
}

static inline struct row *result(const struct threaded_op *op, int k, char *reg)
{
	return op_row(reg, op->dst + op->part[3][k]);
}

/* How many components of the destination are written. */
static inline int components(const struct threaded_op *op)
{
	return (int)op->arg;
}

/* ---- sources that have to be made ---- */

/* The uniform at an offset: offsets beyond a byte count as 0, numbers beyond c95 read (1, 1, 1, 1). */
static inline unsigned uniform_at(unsigned number, int32_t offset)
{
	unsigned n = (number + (unsigned)(offset >= -128 && offset <= 127 ? offset : 0)) & 0x7f;

	return n < SHADER_FLOATS ? n : SHADER_FLOATS;
}

static bool same_offset(const struct row *address, lane_mask lanes)
{
	uint32_t first = address->lane[__builtin_ctzll(lanes)], differ = 0;
	struct row all;

	EACH_LANE(l)
		all.lane[l] = first;
	row_blend(&all, address, lanes);
	EACH_LANE(l)
		differ |= all.lane[l] ^ first;
	return differ == 0;
}

/* Copy components of a register, op->part[1][0] of them, where op->part[0] says; negated if op->flips. */
static inline void make(const struct threaded_op *op, char *reg, const struct row from[4], struct row *to)
{
	for (int k = 0; k < op->part[1][0]; k++) {
		const struct row *r = (const struct row *)((const char *)from + op->part[0][k]);
		if (op->flips)
			EACH_LANE(l)
				to[k].lane[l] = f24_neg(r->lane[l], MODE);
		else
			to[k] = *r;
	}
}

static int negate(HANDLER_PARAMETERS)
{
	make(op, reg, op_src(op, 0, reg), op_row(reg, op->dst));
	HANDLER_NEXT(op, x, reg, active);
}

/* Uniforms that all lanes have alike, by lane; each is read at once. */
static inline void gather(const struct pica_uniforms *u, const struct row *number, struct row to[4])
{
	uint32_t vector[LANES][4];

	FOR_LANES(l)
		memcpy(vector[l], u->alike[number->lane[l]], sizeof vector[l]);
	EACH_LANE(l)
		for (int k = 0; k < 4; k++)
			to[k].lane[l] = vector[l][k];
}

/* Uniforms whose numbers lanes have, where lanes may have different values of one. */
static inline void gather_lanes(const struct pica_uniforms *u, const struct row *number, struct row to[4])
{
	FOR_LANES(l)
		for (int k = 0; k < 4; k++)
			to[k].lane[l] = u->f[number->lane[l]][k].lane[l];
}

/* A uniform whose number is op->arg plus an address register; lane by lane when the lanes disagree. */
static inline void index_with(HANDLER_PARAMETERS,
			      void (*gather_)(const struct pica_uniforms *, const struct row *number, struct row to[4]))
{
	const struct pica_warp *s = pica_state(x->warp);
	const struct row *address = &s->address[op->in->mod[MOD_INDEX] - 1];
	const struct pica_uniforms *u = s->uniforms;
	struct row number, gathered[4];

	if (same_offset(address, active)) {
		int32_t offset = (int32_t)address->lane[__builtin_ctz(active)];
		make(op, reg, u->f[uniform_at(op->arg, offset)], op_row(reg, op->dst));
		return;
	}
	EACH_LANE(l)
		number.lane[l] = uniform_at(op->arg, (int32_t)address->lane[l]);
	gather_(u, &number, gathered);
	make(op, reg, gathered, op_row(reg, op->dst));
}

static int index_uniform(HANDLER_PARAMETERS)
{
	index_with(op, x, reg, active, gather);
	HANDLER_NEXT(op, x, reg, active);
}

static int index_lanes(HANDLER_PARAMETERS)
{
	index_with(op, x, reg, active, gather_lanes);
	HANDLER_NEXT(op, x, reg, active);
}

/* ---- the same for each component ---- */

/* Put the expression of a, b and c, the sources' component k, into a row. */
#define COMPUTE(to, sources, k, expression) \
	do { \
		const struct row *ra = part(op, 0, k, reg), *rb = part(op, (sources) > 1, k, reg); \
		const struct row *rc = part(op, (sources) - 1, k, reg); \
		struct row *row_ = (to); \
		EACH_LANE(l) { \
			uint32_t a = ra->lane[l], b = rb->lane[l], c = rc->lane[l]; \
			(void)a, (void)b, (void)c; \
			row_->lane[l] = (expression); \
		} \
	} while (0)

#define COMPONENTS(name, sources, expression) \
	static int name##_full(HANDLER_PARAMETERS) \
	{ \
		for (int k = 0; k < components(op); k++) \
			COMPUTE(result(op, k, reg), sources, k, expression); \
		HANDLER_NEXT_FULL(op, x, reg, active); \
	} \
	static int name##_some(HANDLER_PARAMETERS) \
	{ \
		struct row out[4]; \
		for (int k = 0; k < components(op); k++) \
			COMPUTE(&out[k], sources, k, expression); \
		for (int k = 0; k < components(op); k++) \
			row_blend(result(op, k, reg), &out[k], active); \
		HANDLER_NEXT(op, x, reg, active); \
	}

/* May the warp's numbers be taken for ordinary ones? */
static inline bool is_ordinary(const struct exec *x)
{
	return pica_state(x->warp)->ordinary;
}

#define SOURCE_ROWS(sources, k) \
	const struct row *a##k = part(op, 0, k, reg), *b##k = part(op, (sources) > 1, k, reg), \
			 *c##k = part(op, (sources) - 1, k, reg)
#define ONE_OF(k, shortcut) \
	uint32_t r##k; \
	{ \
		uint32_t a = a##k->lane[l], b = b##k->lane[l], c = c##k->lane[l]; \
		(void)b, (void)c; \
		r##k = (shortcut); \
	}
/* All components of a lane in one turn of the loop: what is gathered in `odd` stays in a register. */
#define FAST_ROWS(name, sources, n, shortcut) \
	static inline __attribute__((always_inline)) bool name##_rows_##n(const struct threaded_op *op, \
									  const char *reg, struct row *const to[4]) \
	{ \
		struct row gathered; \
		BIND_##n(sources) \
		EACH_LANE(l) { \
			uint32_t odd = 0; \
			EVAL_##n(shortcut) \
			gathered.lane[l] = odd; \
		} \
		return !row_any_sign(&gathered); \
	}
#define BIND_1(s) SOURCE_ROWS(s, 0); struct row *t0 = to[0];
#define BIND_2(s) BIND_1(s) SOURCE_ROWS(s, 1); struct row *t1 = to[1];
#define BIND_3(s) BIND_2(s) SOURCE_ROWS(s, 2); struct row *t2 = to[2];
#define BIND_4(s) BIND_3(s) SOURCE_ROWS(s, 3); struct row *t3 = to[3];
#define EVAL_1(e) ONE_OF(0, e) t0->lane[l] = r0;
#define EVAL_2(e) ONE_OF(0, e) ONE_OF(1, e) t0->lane[l] = r0; t1->lane[l] = r1;
#define EVAL_3(e) ONE_OF(0, e) ONE_OF(1, e) ONE_OF(2, e) t0->lane[l] = r0; t1->lane[l] = r1; t2->lane[l] = r2;
#define EVAL_4(e) \
	ONE_OF(0, e) ONE_OF(1, e) ONE_OF(2, e) ONE_OF(3, e) \
	t0->lane[l] = r0; t1->lane[l] = r1; t2->lane[l] = r2; t3->lane[l] = r3;

#define FAST_HANDLERS(name, n) \
	static int name##_apart_##n(HANDLER_PARAMETERS) \
	{ \
		struct row *to[4]; \
		for (int k = 0; k < n; k++) \
			to[k] = result(op, k, reg); \
		if (!is_ordinary(x) || __builtin_expect(!name##_rows_##n(op, reg, to), 0)) \
			HANDLER_CALL(name##_full, op, x, reg, active); \
		HANDLER_NEXT_FULL(op, x, reg, active); \
	} \
	static int name##_some_##n(HANDLER_PARAMETERS) \
	{ \
		struct row out[n], *to[4]; \
		for (int k = 0; k < n; k++) \
			to[k] = &out[k]; \
		if (!is_ordinary(x) || __builtin_expect(!name##_rows_##n(op, reg, to), 0)) \
			HANDLER_CALL(name##_some, op, x, reg, active); \
		for (int k = 0; k < n; k++) \
			row_blend(result(op, k, reg), &out[k], active); \
		HANDLER_NEXT(op, x, reg, active); \
	} \
	static int name##_full_##n(HANDLER_PARAMETERS) \
	{ \
		struct row out[n], *to[4]; \
		for (int k = 0; k < n; k++) \
			to[k] = &out[k]; \
		if (!is_ordinary(x) || __builtin_expect(!name##_rows_##n(op, reg, to), 0)) \
			HANDLER_CALL(name##_some, op, x, reg, active); \
		for (int k = 0; k < n; k++) \
			*result(op, k, reg) = out[k]; \
		HANDLER_NEXT_FULL(op, x, reg, active); \
	}
#define FAST(name, sources, n, shortcut) FAST_ROWS(name, sources, n, shortcut) FAST_HANDLERS(name, n)

/* ROUNDED(name, sources, shortcut, expression): the shortcut has the same value for ordinary numbers and sets `odd` for
 * others. */
#define ROUNDED(name, sources, shortcut, expression) \
	COMPONENTS(name, sources, expression) \
	FAST(name, sources, 1, shortcut) \
	FAST(name, sources, 2, shortcut) \
	FAST(name, sources, 3, shortcut) \
	FAST(name, sources, 4, shortcut)

ROUNDED(add, 2, f24_add_fast(a, b, &odd), f24_add(a, b, MODE))
ROUNDED(mul, 2, f24_mul_fast(a, b, &odd), f24_mul(a, b, MODE))
ROUNDED(mad, 3, f24_add_fast(f24_mul_fast(a, b, &odd), c, &odd), f24_mad(a, b, c, MODE))
COMPONENTS(flr, 1, f24_flr(a, MODE))
COMPONENTS(max, 2, f24_max(a, b))
COMPONENTS(min, 2, f24_min(a, b))
COMPONENTS(sge, 2, f24_sge(a, b))
COMPONENTS(slt, 2, f24_slt(a, b))
COMPONENTS(mov, 1, a)

/* ---- of all components ---- */

/* Write the same row to every component that the instruction writes. */
static inline void write_all(const struct threaded_op *op, char *reg, uint32_t active, const struct row *v)
{
	for (int k = 0; k < components(op); k++)
		row_blend(result(op, k, reg), v, active);
}

/* Write each component that the instruction writes. */
static inline void write_each(const struct threaded_op *op, char *reg, uint32_t active, const struct row v[4])
{
	for (int k = 0, i = 0; k < 4; k++)
		if (takes(op->in->mod[MOD_MASK], k))
			row_blend(result(op, i++, reg), &v[k], active);
}

static inline uint32_t first_term(uint32_t a, uint32_t b)
{
	uint32_t product = f24_mul(a, b, MODE);

	// NOLINTNEXTLINE(misc-redundant-expression): MODE is this file's parameter
	return MODE == F24_OFF ? f24_add(0, product, MODE) : product;   /* 0 + x changes -0 alone */
}

/* Of ordinary numbers the whole sum at once. False: they are not. */
static inline bool dot_ordinary(struct row *sum, const struct row *const a[4], const struct row *const b[4], int terms)
{
	const struct row *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3], *b0 = b[0], *b1 = b[1], *b2 = b[2], *b3 = b[3];
	struct row gathered;

#define TERM(n) f24_term_fast(a##n->lane[l], b##n->lane[l], &odd)
	EACH_LANE(l) {
		uint32_t odd = 0, dot = f24_dot_fast(TERM(0), TERM(1));
		dot = f24_dot_fast(dot, TERM(2));
		sum->lane[l] = terms == 3 ? dot : f24_dot_fast(dot, TERM(3));
		gathered.lane[l] = odd;
	}
#undef TERM
	return !row_any_sign(&gathered);
}

/* Term by term: the compiler makes no vectors of the whole sum at once. */
static inline void dot_exact(struct row *sum, const struct row *const a[4], const struct row *const b[4], int terms)
{
	for (int k = 0; k < terms; k++) {
		const struct row *ra = a[k], *rb = b[k];
		if (k == 0)
			EACH_LANE(l)
				sum->lane[l] = first_term(ra->lane[l], rb->lane[l]);
		else
			EACH_LANE(l)
				sum->lane[l] = f24_dot(sum->lane[l], ra->lane[l], rb->lane[l], MODE);
	}
}

static const struct row ones = { { [0 ... LANES - 1] = F24_ONE } };

/* The sources of a dot product; of a homogeneous one the fourth component of the first is 1. */
#define DOT(name, terms, homogeneous) \
	static inline __attribute__((always_inline)) void name##_sources(const struct threaded_op *op, \
		const char *reg, \
									 const struct row *a[4], \
										const struct row *b[4]) \
	{ \
		for (int k = 0; k < 4; k++) { \
			a[k] = (homogeneous) && k == 3 ? &ones : part(op, 0, k, reg); \
			b[k] = part(op, 1, k, reg); \
		} \
	} \
	static int name(HANDLER_PARAMETERS) \
	{ \
		const struct row *a[4], *b[4]; \
		struct row sum; \
		name##_sources(op, reg, a, b); \
		dot_exact(&sum, a, b, terms); \
		write_all(op, reg, active, &sum); \
		HANDLER_NEXT(op, x, reg, active); \
	} \
	static int name##_fast_some(HANDLER_PARAMETERS) \
	{ \
		const struct row *a[4], *b[4]; \
		struct row sum; \
		name##_sources(op, reg, a, b); \
		if (!is_ordinary(x) || __builtin_expect(!dot_ordinary(&sum, a, b, terms), 0)) \
			HANDLER_CALL(name, op, x, reg, active); \
		write_all(op, reg, active, &sum); \
		HANDLER_NEXT(op, x, reg, active); \
	} \
	static int name##_fast_full(HANDLER_PARAMETERS) \
	{ \
		const struct row *a[4], *b[4]; \
		struct row sum; \
		name##_sources(op, reg, a, b); \
		if (!is_ordinary(x) || __builtin_expect(!dot_ordinary(&sum, a, b, terms), 0)) \
			HANDLER_CALL(name, op, x, reg, active); \
		for (int k = 0; k < components(op); k++) \
			*result(op, k, reg) = sum; \
		HANDLER_NEXT_FULL(op, x, reg, active); \
	}
DOT(dp3, 3, false)
DOT(dp4, 4, false)
DOT(dph, 4, true)

static int dst(HANDLER_PARAMETERS)
{
	struct row made[4];

	made[0] = ones;
	COMPUTE(&made[1], 2, 1, f24_mul(a, b, MODE));
	COMPUTE(&made[2], 1, 2, a);
	COMPUTE(&made[3], 2, 3, b);
	write_each(op, reg, active, made);
	HANDLER_NEXT(op, x, reg, active);
}

static void set_flag(struct exec *x, int flag, uint32_t value, uint32_t active)
{
	lane_mask *f = &pica_state(x->warp)->flag[flag];

	*f = (*f & ~(lane_mask)active) | (value & active);
}

static int litp(HANDLER_PARAMETERS)
{
	const struct row *vx = part(op, 0, 0, reg), *vw = part(op, 0, 3, reg);
	struct row made[4];
	uint32_t lit_x = 0, lit_w = 0;

	COMPUTE(&made[0], 1, 0, f24_max(a, 0));
	COMPUTE(&made[1], 1, 1, f24_litp_y(a));
	made[2] = (struct row){ 0 };
	COMPUTE(&made[3], 1, 3, f24_max(a, 0));
	FOR_LANES(l) {
		lit_x |= (uint32_t)(f32_value(vx->lane[l]) >= 0) << l;
		lit_w |= (uint32_t)(f32_value(vw->lane[l]) >= 0) << l;
	}
	write_each(op, reg, active, made);
	set_flag(x, 0, lit_x, active);
	set_flag(x, 1, lit_w, active);
	HANDLER_NEXT(op, x, reg, active);
}

/* Functions of component x alone, defined in binary32: while they run the host rounds to nearest, and the calls keep
 * the compiler from moving arithmetic across the change. */
#define SCALAR(name) \
	static __attribute__((noinline)) void name##_row(struct row *to, const struct row *a) \
	{ \
		FOR_LANES(l) \
			to->lane[l] = f24_##name(a->lane[l], MODE); \
	} \
	static int name(HANDLER_PARAMETERS) \
	{ \
		struct row to; \
		unsigned before = f24_enter(F24_OFF); \
		name##_row(&to, part(op, 0, 0, reg)); \
		f24_leave(before); \
		write_all(op, reg, active, &to); \
		HANDLER_NEXT(op, x, reg, active); \
	}

SCALAR(rcp)
SCALAR(rsq)
SCALAR(ex2)
SCALAR(lg2)

static int mova(HANDLER_PARAMETERS)
{
	struct row offset;

	for (int k = 0; k < 2; k++) {
		if (!takes(op->in->mod[MOD_MASK], k))
			continue;
		COMPUTE(&offset, 1, k, (uint32_t)f24_to_int(a));
		row_blend(&pica_state(x->warp)->address[k], &offset, active);
	}
	HANDLER_NEXT(op, x, reg, active);
}

static uint32_t compare(const struct row *a, const struct row *b, unsigned op)
{
	uint32_t bits = 0;

#define CASE(n) \
	case n: \
		FOR_LANES(l) \
			bits |= (uint32_t)f24_cmp(a->lane[l], b->lane[l], n) << l; \
		return bits;
	switch (op) {
	CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5)
	default:
		return 0xffffffff;
	}
#undef CASE
}

static int cmp(HANDLER_PARAMETERS)
{
	const struct insn *in = op->in;

	set_flag(x, 0, compare(part(op, 0, 0, reg), part(op, 1, 0, reg), in->mod[MOD_CMPX]), active);
	set_flag(x, 1, compare(part(op, 0, 1, reg), part(op, 1, 1, reg), in->mod[MOD_CMPY]), active);
	HANDLER_NEXT(op, x, reg, active);
}

/* ---- the tables ---- */

/* Of the way of rounding alone that cuts. */
// NOLINTNEXTLINE(misc-redundant-expression): MODE is this file's parameter
#define CUT(handler) (MODE == F24_TRUNC ? handler : NULL)
#define ALIKE(name) { .full = name, .partial = name }
#define EACH(name) { .full = name##_full, .partial = name##_some }
#define EACH_FAST(name) \
	{ \
		.full = name##_full, .partial = name##_some, \
		.fast_apart = { NULL, CUT(name##_apart_1), CUT(name##_apart_2), CUT(name##_apart_3), \
				CUT(name##_apart_4) }, \
		.fast_full = { NULL, CUT(name##_full_1), CUT(name##_full_2), CUT(name##_full_3), \
			       CUT(name##_full_4) }, \
		.fast_partial = { NULL, CUT(name##_some_1), CUT(name##_some_2), CUT(name##_some_3), \
			       CUT(name##_some_4) }, \
	}
#define ALIKE_FAST(name) \
	{ \
		.full = name, .partial = name, \
		.fast_apart = { [1 ... 4] = CUT(name##_fast_full) }, \
		.fast_full = { [1 ... 4] = CUT(name##_fast_full) }, \
		.fast_partial = { [1 ... 4] = CUT(name##_fast_some) }, \
	}

const struct pica_build PICA_BUILD(pica_build) = {
	.flow = &SIMD_NAME(pica_flow),
	.compute = {
#define ENTRY(name, class, kind, meaning) [PICA_EXEC_##name] = kind(name),
		PICA_EXEC_ALU(ENTRY)
#undef ENTRY
	},
	.negate = negate, .index = index_uniform, .index_lanes = index_lanes,
	.take = PICA_BUILD(pica_take),
	.give = PICA_BUILD(pica_give),
	.clear = PICA_BUILD(pica_clear),
};
