/* The functions of quick.def's rows. */
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/arith_int.h"
#include "core/isa/tesla/quick.h"
#include "core/isa/tesla/stamp.h"
#include "core/isa/tesla/usual.h"

/* A record's rows and modifiers under the names that quick.def uses. */
#define OPERANDS(sources) \
	const struct row *row_a = record_src(op, 0, reg); \
	const struct row *row_b = sources > 1 ? record_src(op, 1, reg) : row_a; \
	const struct row *row_c = sources > 2 ? record_src(op, 2, reg) : row_a; \
	uint32_t flip_a = op->flip[0], flip_b = op->flip[1], flip_c = op->flip[2], cond = op->cond; \
	(void)row_b, (void)row_c, (void)flip_a, (void)flip_b, (void)flip_c, (void)cond

/* Each row as one loop over lanes, whose destination and flags go where the caller wants them. */
#define LANES_LOOP(value) \
	LANES_APART \
	FOR_LANES(l) { \
		uint32_t a = row_a->lane[l], b = row_b->lane[l], c = row_c->lane[l], cc = 0; \
		to->lane[l] = (value); \
		if (flags) \
			flags->lane[l] = cc; \
		(void)b, (void)c; \
	}
#define QUICK(name, executor, sources, when, value) \
	LANE_FN void name##_lanes(const struct record *op, const char *reg, struct row *to, struct row *flags) \
	{ \
		OPERANDS(sources); \
		LANES_LOOP(value) \
	}
#define QUICK_USUAL(name, executor, sources, when, first, second, value) \
	LANE_FN void name##_lanes(const struct record *op, const char *reg, struct row *to, struct row *flags) \
	{ \
		unsigned mode = denormals_on(); \
		OPERANDS(sources); \
		LANES_LOOP(value) \
		denormals_restore(mode); \
	}
#include "core/isa/tesla/quick.def"

/* With flags; and without them where nothing is usual. All lanes are active and none is guarded off: straight into the
 * registers. Else a blend. */
#define FLAGGED(name) \
	static int name##_full_flags(RECORD_PARAMETERS) \
	{ \
		struct row unwanted; \
		name##_lanes(op, reg, op->sinks ? &unwanted : record_row(reg, op->dst), record_row(reg, op->flags)); \
		RECORD_NEXT_FULL(op, x, reg, active); \
	} \
	static int name##_some_flags(RECORD_PARAMETERS) \
	{ \
		struct passing passing = record_pass(op, x, reg, active); \
		struct row out, flags; \
		name##_lanes(op, reg, &out, &flags); \
		if (!op->sinks) \
			passing_blend(passing, record_row(reg, op->dst), &out); \
		passing_blend(passing, record_row(reg, op->flags), &flags); \
		RECORD_NEXT(op, x, reg, active); \
	}
#define UNFLAGGED(name, full, some) \
	static __attribute__((noinline)) int full(RECORD_PARAMETERS) \
	{ \
		name##_lanes(op, reg, record_row(reg, op->dst), NULL); \
		RECORD_NEXT_FULL(op, x, reg, active); \
	} \
	static __attribute__((noinline)) int some(RECORD_PARAMETERS) \
	{ \
		struct row out; \
		name##_lanes(op, reg, &out, NULL); \
		record_blend(op, x, reg, active, record_row(reg, op->dst), &out); \
		RECORD_NEXT(op, x, reg, active); \
	}

#define QUICK(name, executor, sources, when, value) \
	FLAGGED(name) \
	UNFLAGGED(name, name##_full, name##_some)
/* Rows of ordinary numbers first, with a jump to what is seldom so that the way there costs nothing here. */
#define USUAL(name, flip_a, flip_b, flip_c) usual_##name(row_a, row_b, row_c, flip_a, flip_b, flip_c, lanes, to)
#define SELDOM(name, flip_a, flip_b, flip_c) seldom_##name(row_a, row_b, row_c, flip_a, flip_b, flip_c, lanes, to)
#define TRY(name, way, otherwise, sources, result) \
	LANE_FN uint32_t name##_##way(const struct record *op, const char *reg, uint32_t lanes, struct row *to) \
	{ \
		OPERANDS(sources); \
		return result; \
	} \
	static __attribute__((noinline)) int name##_full_##way(RECORD_PARAMETERS) \
	{ \
		if (name##_##way(op, reg, ~0u, record_row(reg, op->dst))) \
			RECORD_CALL(name##_full_##otherwise, op, x, reg, active); \
		RECORD_NEXT_FULL(op, x, reg, active); \
	} \
	static __attribute__((noinline)) int name##_some_##way(RECORD_PARAMETERS) \
	{ \
		struct row out; \
		if (name##_##way(op, reg, record_passing(op, reg, active), &out)) \
			RECORD_CALL(name##_some_##otherwise, op, x, reg, active); \
		record_blend(op, x, reg, active, record_row(reg, op->dst), &out); \
		RECORD_NEXT(op, x, reg, active); \
	}
#define QUICK_USUAL(name, executor, sources, when, first, second, value) \
	FLAGGED(name) \
	UNFLAGGED(name, name##_full_careful, name##_some_careful) \
	TRY(name, seldom, careful, sources, second) \
	TRY(name, usual, seldom, sources, first)
#include "core/isa/tesla/quick.def"

const struct quick_words SIMD_NAME(quick_words)[QUICKS] = {
#define QUICK(name, executor, sources, when, value) \
	[QUICK_##name] = { name##_full, name##_full_flags, name##_some, name##_some_flags },
#define QUICK_USUAL(name, executor, sources, when, first, second, value) \
	[QUICK_##name] = { name##_full_usual, name##_full_flags, name##_some_usual, name##_some_flags },
#include "core/isa/tesla/quick.def"
};
