/* The loop around the meaning of one lane: sources as rows, the same expression for every lane, destination and flags
 * written in the lanes that execute.
 *
 *	STAMP(2, int_shl(a, b, 32, &cc));
 *
 * In the expression a, b and c are the lane's words of sources 0, 1 and 2, and cc takes the flags; x and in are
 * the executor's parameters. The loop exists twice, with and without flags: without a flag register as destination the
 * compiler drops the computation of flags. Modifiers should be locals, read once. */
#ifndef WB_CORE_ISA_TESLA_STAMP_H
#define WB_CORE_ISA_TESLA_STAMP_H

#include "core/isa/tesla/exec.h"

struct stamp {
	const struct row *src[3];
	struct row tmp[3];
	struct row out, flags;
};

static inline void stamp_fetch(struct exec *x, const struct insn *in, int sources, struct stamp *s)
{
	for (int i = 0; i < 3; i++)
		s->src[i] = i < sources ? src_row(x, in, i, &s->tmp[i]) : s->src[0];
}

/* A lane's result depends on its own lane of the sources alone, even if a source is the destination. */
#ifdef __clang__
#define LANES_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANES_APART _Pragma("GCC ivdep")
#endif

#define STAMP_LOOP(s, expression) do { \
		const struct row *row_a = (s).src[0], *row_b = (s).src[1], *row_c = (s).src[2]; \
		LANES_APART \
		FOR_LANES(l) { \
			uint32_t a = row_a->lane[l], b = row_b->lane[l], c = row_c->lane[l], cc = 0; \
			(s).out.lane[l] = (expression); \
			(s).flags.lane[l] = cc; \
			(void)a, (void)b, (void)c; \
		} \
	} while (0)

#define STAMP(sources, expression) do { \
		struct stamp s; \
		stamp_fetch(x, in, sources, &s); \
		if (in->flags_dst == FLAGS_NONE) { \
			STAMP_LOOP(s, expression); \
		} else { \
			STAMP_LOOP(s, expression); \
			write_flags(x, in, &s.flags); \
		} \
		write_row(x, in, &s.out); \
	} while (0)

/* As STAMP, for operands of which some have 64 bits. Vectors gain nothing here, and only executing lanes are
 * computed. */
struct stamp_wide {
	const struct row *low[3], *high[3];
	struct row tmp[3], zero, out_low, out_high, flags;
};

static inline void stamp_fetch_wide(struct exec *x, const struct insn *in, int sources, struct stamp_wide *s)
{
	s->zero = (struct row){{0}};
	for (int i = 0; i < 3; i++) {
		s->low[i] = i < sources ? src_row(x, in, i, &s->tmp[i]) : &s->zero;
		s->high[i] = i < sources && in->src[i].width == 8 ? src_part(x, in, i, 1, &s->tmp[i]) : &s->zero;
	}
}

#define WIDE_LANE(s, i, l) ((uint64_t)(s).high[i]->lane[l] << 32 | (s).low[i]->lane[l])

#define STAMP_WIDE(sources, expression) do { \
		struct stamp_wide s; \
		stamp_fetch_wide(x, in, sources, &s); \
		FOR_SET_LANES(l, x->step.executed) { \
			uint64_t a = WIDE_LANE(s, 0, l), b = WIDE_LANE(s, 1, l), c = WIDE_LANE(s, 2, l); \
			uint32_t cc = 0; \
			uint64_t v = (expression); \
			s.out_low.lane[l] = (uint32_t)v; \
			s.out_high.lane[l] = (uint32_t)(v >> 32); \
			s.flags.lane[l] = cc; \
			(void)a, (void)b, (void)c; \
		} \
		write_flags(x, in, &s.flags); \
		write_row(x, in, &s.out_low); \
		if (in->dst.width == 8) \
			write_part(x, in, 1, &s.out_high); \
	} while (0)

#endif
