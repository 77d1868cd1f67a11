/* Arithmetic: loops over lanes of the meanings in f24.h. An operand is four pointers to rows, one for each component in
 * the order of its selector, so that swizzling costs nothing; a negated or relatively addressed one is made in a
 * scratch row first. */
#include "core/isa/pica/exec.h"

#define EXEC(name) static int name(struct exec *x, const struct insn *in)

struct source {
	const struct row *part[4];
	struct row made[4];
};

/* The result's components, and where they go. */
struct result {
	struct row *part[4];
	struct row made[4];
};

static inline bool takes(unsigned mask, int component)
{
	return mask >> (3 - component) & 1;
}

/* The uniform that an offset leads to: offsets beyond a byte count as 0, numbers beyond c95 read (1, 1, 1, 1). */
static inline unsigned uniform_at(unsigned number, int32_t offset)
{
	unsigned n = (number + (unsigned)(offset >= -128 && offset <= 127 ? offset : 0)) & 0x7f;

	return n < SHADER_FLOATS ? n : SHADER_FLOATS;
}

static bool same_offset(const struct row *address, lane_mask lanes)
{
	uint32_t first = address->lane[__builtin_ctzll(lanes)], differ = 0;

	FOR_LANES(l)
		differ |= (address->lane[l] ^ first) & -((uint32_t)(lanes >> l) & 1);
	return differ == 0;
}

/* The rows of uniform `number` plus an address register; lane by lane when the lanes disagree. */
static const struct row *indexed(struct exec *x, unsigned number, const struct row *address, struct row made[4])
{
	const struct pica_uniforms *u = pica_state(x->warp)->uniforms;
	lane_mask lanes = x->step.executed;

	if (same_offset(address, lanes))
		return u->f[uniform_at(number, (int32_t)address->lane[__builtin_ctzll(lanes)])];
	FOR_LANES(l) {
		unsigned n = uniform_at(number, (int32_t)address->lane[l]);
		for (int k = 0; k < 4; k++)
			made[k].lane[l] = u->f[n][k].lane[l];
	}
	return made;
}

/* Fetch source i; `need`: the components that will be looked at, bit 3 = x. */
static inline void fetch(struct exec *x, const struct insn *in, int i, unsigned need, struct source *s)
{
	unsigned reg = in->src[i].reg, select = in->mod[MOD_SEL1 + i];
	struct row whole[4];
	const struct row *from;

	if (reg < SRC_UNIFORM)
		from = &x->warp->reg[4 * reg];
	else if (in->mod[MOD_INDEX])
		from = indexed(x, reg - SRC_UNIFORM, &pica_state(x->warp)->address[in->mod[MOD_INDEX] - 1], whole);
	else
		from = pica_state(x->warp)->uniforms->f[reg - SRC_UNIFORM];
	for (int k = 0; k < 4; k++)
		s->part[k] = &from[select >> (6 - 2 * k) & 3];
	if (!in->mod[MOD_NEG1 + i] && from != whole)
		return;
	uint32_t negate = in->mod[MOD_NEG1 + i];
	for (int k = 0; k < 4; k++) {
		if (!takes(need, k))
			continue;
		const struct row *r = s->part[k];
		EACH_LANE(l)
			s->made[k].lane[l] = negate ? f24_neg(r->lane[l], MODE) : r->lane[l];
		s->part[k] = &s->made[k];
	}
}

static inline struct row *destination(const struct exec *x, const struct insn *in)
{
	unsigned reg = in->dst.reg;

	return reg < DST_TEMPORARY ? &output_rows(x->warp)[4 * reg] : &x->warp->reg[4 * reg];
}

/* Results go straight to their register when all lanes execute and no component of it is read after it was written. */
static inline void result_begin(const struct exec *x, const struct insn *in, struct result *r)
{
	bool direct = !(in->fetch & HAZARD) && (uint32_t)x->step.executed == 0xffffffff;
	struct row *to = destination(x, in);

	for (int k = 0; k < 4; k++)
		r->part[k] = direct ? &to[k] : &r->made[k];
}

/* Results go to scratch rows first, where the sources may be needed again. An initializer would clear those. */
static inline void result_apart(struct result *r)
{
	for (int k = 0; k < 4; k++)
		r->part[k] = &r->made[k];
}

static inline void result_end(const struct exec *x, const struct insn *in, const struct result *r)
{
	struct row *to = destination(x, in);

	for (int k = 0; k < 4; k++)
		if (takes(in->mod[MOD_MASK], k) && r->part[k] != &to[k])
			row_blend(&to[k], r->part[k], x->step.executed);
}

/* Write the same row to every component of the mask. */
static inline void write_all(const struct exec *x, const struct insn *in, const struct row *v)
{
	for (int k = 0; k < 4; k++)
		if (takes(in->mod[MOD_MASK], k))
			row_blend(&destination(x, in)[k], v, x->step.executed);
}

/* May this instruction be computed by the functions for usual operands? */
static inline bool usual(const struct exec *x)
{
	// NOLINTNEXTLINE(misc-redundant-expression): MODE is this file's parameter
	return MODE == F24_TRUNC && pica_state(x->warp)->ordinary && !x->rules->preset;
}

/* Put the expression of a, b and c for component k of the sources into a row. */
#define COMPUTE(to, s, sources, k, expression) \
	do { \
		const struct row *ra = (s)[0].part[k], *rb = (s)[(sources) > 1].part[k]; \
		const struct row *rc = (s)[(sources) - 1].part[k]; \
		struct row *row_ = (to); \
		EACH_LANE(l) { \
			uint32_t a = ra->lane[l], b = rb->lane[l], c = rc->lane[l]; \
			(void)b, (void)c; \
			row_->lane[l] = (expression); \
		} \
	} while (0)

/* COMPONENTS(name, sources, expression): the expression for each component of the mask. */
#define COMPONENTS(name, sources, expression) \
	EXEC(name) \
	{ \
		unsigned mask = in->mod[MOD_MASK]; \
		struct source s[sources]; \
		struct result r; \
		for (int i = 0; i < sources; i++) \
			fetch(x, in, i, mask, &s[i]); \
		result_begin(x, in, &r); \
		for (int k = 0; k < 4; k++) \
			if (takes(mask, k)) \
				COMPUTE(r.part[k], s, sources, k, expression); \
		result_end(x, in, &r); \
		return STEP_OK; \
	}

/* Does any of the rows have a sign? Those of components that the mask lacks have not been filled. */
static inline bool any_odd(const struct row odd[4], unsigned mask)
{
	const struct row *r[4], *some = &odd[0];
	struct row all;

	for (int k = 0; k < 4; k++)
		some = takes(mask, k) ? &odd[k] : some;
	for (int k = 0; k < 4; k++)
		r[k] = takes(mask, k) ? &odd[k] : some;
	EACH_LANE(l)
		all.lane[l] = r[0]->lane[l] | r[1]->lane[l] | r[2]->lane[l] | r[3]->lane[l];
	return mask && row_any_sign(&all);
}

/* ROUNDED(name, sources, shortcut, expression): likewise, where the shortcut has the same value for usual operands and
 * says in `odd` if they are not. */
#define ROUNDED(name, sources, shortcut, expression) \
	EXEC(name) \
	{ \
		unsigned mask = in->mod[MOD_MASK]; \
		struct source s[sources]; \
		struct result r; \
		struct row odds[4]; \
		bool exact = !usual(x); \
		for (int i = 0; i < sources; i++) \
			fetch(x, in, i, mask, &s[i]); \
		result_apart(&r); \
		for (int k = 0; !exact && k < 4; k++) { \
			struct row *odds_k = &odds[k]; \
			uint32_t odd; \
			if (takes(mask, k)) \
				COMPUTE(r.part[k], s, sources, k, \
					(odd = 0, c = (shortcut), odds_k->lane[l] = odd, c)); \
		} \
		if (exact || __builtin_expect(any_odd(odds, mask), 0)) \
			for (int k = 0; k < 4; k++) \
				if (takes(mask, k)) \
					COMPUTE(r.part[k], s, sources, k, expression); \
		result_end(x, in, &r); \
		return STEP_OK; \
	}

ROUNDED(add, 2, f24_add_usual(a, b, &odd), f24_add(a, b, MODE))
ROUNDED(mul, 2, f24_mul_usual(a, b, &odd), f24_mul(a, b, MODE))
ROUNDED(mad, 3, f24_add_usual(f24_mul_usual(a, b, &odd), c, &odd), f24_mad(a, b, c, MODE))
COMPONENTS(flr, 1, f24_flr(a, MODE))
COMPONENTS(max, 2, f24_max(a, b))
COMPONENTS(min, 2, f24_min(a, b))
COMPONENTS(sge, 2, f24_sge(a, b))
COMPONENTS(slt, 2, f24_slt(a, b))
COMPONENTS(mov, 1, a)

static inline uint32_t first_term(uint32_t a, uint32_t b)
{
	uint32_t product = f24_mul(a, b, MODE);

	// NOLINTNEXTLINE(misc-redundant-expression): MODE is this file's parameter
	return MODE == F24_OFF ? f24_add(0, product, MODE) : product;   /* 0 + x changes -0 alone */
}

/* Of usual operands the whole sum at once. False: they are not. */
static inline bool dot_usual(struct row *sum, const struct row *const a[4], const struct row *const b[4], int terms)
{
	const struct row *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3], *b0 = b[0], *b1 = b[1], *b2 = b[2], *b3 = b[3];
	struct row gathered;

#define TERM(n) f24_term_usual(a##n->lane[l], b##n->lane[l], &odd)
	EACH_LANE(l) {
		uint32_t odd = 0, dot = f24_dot_usual(TERM(0), TERM(1));
		dot = f24_dot_usual(dot, TERM(2));
		sum->lane[l] = terms == 3 ? dot : f24_dot_usual(dot, TERM(3));
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

static inline int dot(struct exec *x, const struct insn *in, int terms, bool homogeneous)
{
	static const struct row ones = { { [0 ... LANES - 1] = F24_ONE } };
	unsigned need = terms == 3 ? 0xe : 0xf;
	struct source a, b;
	struct row sum;

	fetch(x, in, 0, need, &a);
	fetch(x, in, 1, need, &b);
	if (homogeneous)
		a.part[3] = &ones;
	if (!usual(x) || !dot_usual(&sum, a.part, b.part, terms))
		dot_exact(&sum, a.part, b.part, terms);
	write_all(x, in, &sum);
	return STEP_OK;
}

EXEC(dp3)
{
	return dot(x, in, 3, false);
}

EXEC(dp4)
{
	return dot(x, in, 4, false);
}

EXEC(dph)
{
	return dot(x, in, 4, true);
}

EXEC(dst)
{
	struct source a, b;
	struct result r;

	fetch(x, in, 0, 0x6, &a);
	fetch(x, in, 1, 0x5, &b);
	result_apart(&r);
	EACH_LANE(l) {
		r.made[0].lane[l] = F24_ONE;
		r.made[1].lane[l] = f24_mul(a.part[1]->lane[l], b.part[1]->lane[l], MODE);
		r.made[2].lane[l] = a.part[2]->lane[l];
		r.made[3].lane[l] = b.part[3]->lane[l];
	}
	result_end(x, in, &r);
	return STEP_OK;
}

static void set_flag(struct exec *x, int flag, uint32_t value)
{
	lane_mask *f = &pica_state(x->warp)->flag[flag], m = x->step.executed;

	*f = (*f & ~m) | (value & m);
}

EXEC(litp)
{
	struct source a;
	struct result r;
	uint32_t lit_x = 0, lit_w = 0;

	fetch(x, in, 0, 0xd, &a);
	result_apart(&r);
	EACH_LANE(l) {
		r.made[0].lane[l] = f24_max(a.part[0]->lane[l], 0);
		r.made[1].lane[l] = f24_litp_y(a.part[1]->lane[l]);
		r.made[2].lane[l] = 0;
		r.made[3].lane[l] = f24_max(a.part[3]->lane[l], 0);
	}
	FOR_LANES(l) {
		lit_x |= (uint32_t)(f24_float(a.part[0]->lane[l]) >= 0) << l;
		lit_w |= (uint32_t)(f24_float(a.part[3]->lane[l]) >= 0) << l;
	}
	result_end(x, in, &r);
	set_flag(x, 0, lit_x);
	set_flag(x, 1, lit_w);
	return STEP_OK;
}

/* Functions of component x alone, defined in binary32: while they run the host rounds to nearest, and the calls keep
 * the compiler from moving arithmetic across the change. */
#define SCALAR(name) \
	static __attribute__((noinline)) void name##_row(struct row *to, const struct row *a) \
	{ \
		FOR_LANES(l) \
			to->lane[l] = f24_##name(a->lane[l], MODE); \
	} \
	EXEC(name) \
	{ \
		struct source a; \
		struct row to; \
		fetch(x, in, 0, 0x8, &a); \
		unsigned before = f24_enter(F24_OFF); \
		name##_row(&to, a.part[0]); \
		f24_leave(before); \
		write_all(x, in, &to); \
		return STEP_OK; \
	}

SCALAR(rcp)
SCALAR(rsq)
SCALAR(ex2)
SCALAR(lg2)

EXEC(mova)
{
	unsigned mask = in->mod[MOD_MASK] & 0xc;
	struct source a;
	struct row offset;

	fetch(x, in, 0, mask, &a);
	for (int k = 0; k < 2; k++) {
		if (!takes(mask, k))
			continue;
		EACH_LANE(l)
			offset.lane[l] = (uint32_t)f24_to_int(a.part[k]->lane[l]);
		row_blend(&pica_state(x->warp)->address[k], &offset, x->step.executed);
	}
	return STEP_OK;
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

EXEC(cmp)
{
	struct source a, b;

	fetch(x, in, 0, 0xc, &a);
	fetch(x, in, 1, 0xc, &b);
	set_flag(x, 0, compare(a.part[0], b.part[0], in->mod[MOD_CMPX]));
	set_flag(x, 1, compare(a.part[1], b.part[1], in->mod[MOD_CMPY]));
	return STEP_OK;
}

const struct pica_build PICA_BUILD(pica_build) = {
	.threaded = &SIMD_NAME(threaded),
	.alu = {
#define ENTRY(name, latency, text) [PICA_EXEC_##name] = name,
		PICA_EXEC_ALU(ENTRY)
#undef ENTRY
	},
	.take = PICA_BUILD(pica_take),
	.give = PICA_BUILD(pica_give),
	.clear = PICA_BUILD(pica_clear),
};
