/* The functions of handlers.def's rows. */
#include "core/isa/tesla/arith_f32.h"
#include "core/isa/tesla/arith_int.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/stamp.h"
#include "core/isa/tesla/fast_float.h"

/* A record's rows and modifiers under the names of handlers.def. own: all sources are rows of the warp. */
#define OPERANDS(sources, own) \
	const struct row *row_a = op_src_of(op, 0, reg, own); \
	const struct row *row_b = sources > 1 ? op_src_of(op, 1, reg, own) : row_a; \
	const struct row *row_c = sources > 2 ? op_src_of(op, 2, reg, own) : row_a; \
	uint32_t flip_a = op->flip[0], flip_b = op->flip[1], flip_c = op->flip[2], cond = op->arg; \
	(void)row_b, (void)row_c, (void)flip_a, (void)flip_b, (void)flip_c, (void)cond

/* All vectors of a row side by side. clang would take the loop apart into lanes before it looks for vectors. */
#if defined __clang__ && defined __OPTIMIZE__ && !defined __OPTIMIZE_SIZE__
#pragma clang diagnostic ignored "-Wpass-failed"        /* a level may have no vectors of an operation */
#define VECTORS_LOOP _Pragma("clang loop vectorize(assume_safety) interleave_count(ROW_VECTORS) unroll(disable)")
#else
#define VECTORS_LOOP LANES_APART
#endif

/* Each row as one loop over lanes; the caller chooses the destinations of result and flags. */
#define LANES_LOOP(value) \
	VECTORS_LOOP \
	FOR_LANES(l) { \
		uint32_t a = row_a->lane[l], b = row_b->lane[l], c = row_c->lane[l], cc = 0; \
		to->lane[l] = (value); \
		if (flags) \
			flags->lane[l] = cc; \
		(void)b, (void)c; \
	}
/* The slow way of floats, once in a module. */
#ifdef __wasm__
#define SLOW_FN static __attribute__((noinline))
#else
#define SLOW_FN LANE_FN
#endif
#define HANDLER(name, executor, sources, when, value) \
	LANE_FN void name##_lanes(const struct threaded_op *op, const char *reg, bool own, struct row *to, \
				  struct row *flags) \
	{ \
		OPERANDS(sources, own); \
		LANES_LOOP(value) \
	}
#define FAST_FLOAT(name, executor, sources, when, first, second, value) \
	SLOW_FN void name##_lanes(const struct threaded_op *op, const char *reg, bool own, struct row *to, \
				  struct row *flags) \
	{ \
		unsigned mode = denormals_on(); \
		OPERANDS(sources, own); \
		LANES_LOOP(value) \
		denormals_restore(mode); \
	}
#include "core/isa/tesla/handlers.def"

/* Handlers of sources that are all rows of the warp, and handlers of all lanes for flags and for rare ways; a module is
 * small rather than fast, and there the handlers of some lanes serve. */
#ifdef __wasm__
#define RARE_FULL(handler)
#define RARE_FULL_OF(name, way) name##_some_##way
#define OWN(handler)
#define OWN_OR(own, full) full
#define FULL_FLAGS(name)
#define FULL_FLAGS_OF(name) name##_some_flags
#else
#define RARE_FULL(handler) handler
#define RARE_FULL_OF(name, way) name##_full_##way
#define OWN(handler) handler
#define OWN_OR(own, full) own
#define FULL_FLAGS(name) \
	static int name##_full_flags(HANDLER_PARAMETERS) \
	{ \
		struct row *flags = op_row(reg, op->flags); \
		if (!flags) \
			__builtin_unreachable(); \
		name##_lanes(op, reg, false, op_row(reg, op->dst), flags); \
		HANDLER_NEXT_FULL(op, x, reg, active); \
	}
#define FULL_FLAGS_OF(name) name##_full_flags
#endif

/* With flags; and without, where no fast path exists. All lanes active and unguarded: straight into the registers. Else
 * a blend. */
#define FLAGGED(name) \
	FULL_FLAGS(name) \
	static int name##_some_flags(HANDLER_PARAMETERS) \
	{ \
		struct passing passing = op_passing(op, x, reg, active); \
		struct row out, flags; \
		name##_lanes(op, reg, false, &out, &flags); \
		if (!op->sinks) \
			passing_blend(&passing, op_row(reg, op->dst), &out); \
		passing_blend(&passing, op_row(reg, op->flags), &flags); \
		HANDLER_NEXT(op, x, reg, active); \
	}
#define UNFLAGGED_FULL(name, full, own) \
	static __attribute__((noinline)) int full(HANDLER_PARAMETERS) \
	{ \
		name##_lanes(op, reg, own, op_row(reg, op->dst), NULL); \
		HANDLER_NEXT_FULL(op, x, reg, active); \
	}
#define UNFLAGGED_SOME(name, some) \
	static __attribute__((noinline)) int some(HANDLER_PARAMETERS) \
	{ \
		struct row out; \
		name##_lanes(op, reg, false, &out, NULL); \
		op_blend(op, x, reg, active, op_row(reg, op->dst), &out); \
		HANDLER_NEXT(op, x, reg, active); \
	}

#define HANDLER(name, executor, sources, when, value) \
	FLAGGED(name) \
	UNFLAGGED_FULL(name, name##_full, false) \
	UNFLAGGED_SOME(name, name##_some) \
	OWN(UNFLAGGED_FULL(name, name##_own, true))
/* Rows of ordinary numbers first, with a jump for rare cases, so that the usual way costs nothing more. */
#define FAST(name, flip_a, flip_b, flip_c) fast_##name(row_a, row_b, row_c, flip_a, flip_b, flip_c, lanes, to)
#define RARE(name, flip_a, flip_b, flip_c) rare_##name(row_a, row_b, row_c, flip_a, flip_b, flip_c, lanes, to)
#define TRY_FULL(name, way, full, own, otherwise) \
	static __attribute__((noinline)) int full(HANDLER_PARAMETERS) \
	{ \
		if (name##_##way(op, reg, own, ~0u, op_row(reg, op->dst))) \
			HANDLER_CALL(RARE_FULL_OF(name, otherwise), op, x, reg, active); \
		HANDLER_NEXT_FULL(op, x, reg, active); \
	}
#define TRY(name, way, otherwise, sources, result) \
	LANE_FN uint32_t name##_##way(const struct threaded_op *op, const char *reg, bool own, uint32_t lanes, \
				      struct row *to) \
	{ \
		OPERANDS(sources, own); \
		return result; \
	} \
	static __attribute__((noinline)) int name##_some_##way(HANDLER_PARAMETERS) \
	{ \
		struct row out; \
		if (name##_##way(op, reg, false, op_lanes(op, reg, active), &out)) \
			HANDLER_CALL(name##_some_##otherwise, op, x, reg, active); \
		op_blend(op, x, reg, active, op_row(reg, op->dst), &out); \
		HANDLER_NEXT(op, x, reg, active); \
	}
#define FAST_FLOAT(name, executor, sources, when, first, second, value) \
	FLAGGED(name) \
	RARE_FULL(UNFLAGGED_FULL(name, name##_full_slow, false)) \
	UNFLAGGED_SOME(name, name##_some_slow) \
	TRY(name, rare, slow, sources, second) \
	RARE_FULL(TRY_FULL(name, rare, name##_full_rare, false, slow)) \
	TRY(name, fast, rare, sources, first) \
	TRY_FULL(name, fast, name##_full_fast, false, rare) \
	OWN(TRY_FULL(name, fast, name##_own, true, rare))
#include "core/isa/tesla/handlers.def"

const struct word_handlers SIMD_NAME(word_handlers)[HANDLERS] = {
#define HANDLER(name, executor, sources, when, value) \
	[HANDLER_##name] = { name##_some, name##_some_flags, name##_full, FULL_FLAGS_OF(name), \
			     OWN_OR(name##_own, name##_full) },
#define FAST_FLOAT(name, executor, sources, when, first, second, value) \
	[HANDLER_##name] = { name##_some_fast, name##_some_flags, name##_full_fast, FULL_FLAGS_OF(name), \
			     OWN_OR(name##_own, name##_full_fast) },
#include "core/isa/tesla/handlers.def"
};
