#include "tests/random/warp.h"

#include "core/base/rng.h"

enum { LANES = 32 };

/* ---- texts ---- */

/* d: result, q: its predicate, a, b: sources, p: predicate, c: limits of a shuffle, m: mask. */
static const struct { const char *text; bool shuffles; } ops[] = {
	{ "shfl.sync.up.b32 %d|%q, %a, %b, %c, %m;", true },
	{ "shfl.sync.down.b32 %d|%q, %a, %b, %c, %m;", true },
	{ "shfl.sync.bfly.b32 %d|%q, %a, %b, %c, %m;", true },
	{ "shfl.sync.idx.b32 %d|%q, %a, %b, %c, %m;", true },
	{ "vote.sync.ballot.b32 %d, %p, %m;", false },
	{ "vote.sync.any.pred %q, %p, %m;", false },
	{ "vote.sync.all.pred %q, %p, %m;", false },
	{ "vote.sync.uni.pred %q, %p, %m;", false },
	{ "match.any.sync.b32 %d, %a, %m;", false },
	{ "match.all.sync.b32 %d|%q, %a, %m;", false },
	{ "elect.sync %d|%q, %m;", false },
	{ "redux.sync.add.u32 %d, %a, %m;", false },
	{ "redux.sync.min.u32 %d, %a, %m;", false },
	{ "redux.sync.max.u32 %d, %a, %m;", false },
	{ "redux.sync.min.s32 %d, %a, %m;", false },
	{ "redux.sync.max.s32 %d, %a, %m;", false },
	{ "redux.sync.and.b32 %d, %a, %m;", false },
	{ "redux.sync.or.b32 %d, %a, %m;", false },
	{ "redux.sync.xor.b32 %d, %a, %m;", false },
};
enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX, BALLOT, ANY, ALL, UNI, MATCH_ANY, MATCH_ALL, ELECT,
	REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_SMIN, REDUX_SMAX, REDUX_AND, REDUX_OR, REDUX_XOR,
	OPS = sizeof ops / sizeof *ops };

enum { WHOLE, UNDER_ONE, UNDER_TWO, IN_GROUPS, IN_LOOP, WAYS };

struct warp_statement warp_make(uint64_t *rng, unsigned words, unsigned predicates)
{
	static const uint32_t limits[] = { 0x1f, 0, 0x181f, 0x1c03, 0x1007, 0x100f, 0x1800 };
	struct warp_statement s = { .op = (uint8_t)rng_below(rng, OPS), .way = (uint8_t)rng_below(rng, WAYS) };

	/* A shuffle of lanes in several groups may name a lane of another group: PTX does not say what comes. */
	if (s.way == IN_GROUPS && ops[s.op].shuffles)
		s.way = UNDER_TWO;
	s.result = (uint8_t)rng_below(rng, words);
	s.a = (uint8_t)rng_below(rng, words);
	s.b = (uint8_t)rng_below(rng, words);
	s.predicate = (uint8_t)rng_below(rng, predicates);
	s.source = (uint8_t)rng_below(rng, predicates);
	s.when = (uint8_t)rng_below(rng, predicates);
	s.also = (uint8_t)rng_below(rng, predicates);
	s.limits = limits[rng_below(rng, sizeof limits / sizeof *limits)];
	return s;
}

static void put_primitive(const struct warp_statement *s, const char *mask, FILE *to)
{
	putc('\t', to);
	for (const char *t = ops[s->op].text; *t; t++) {
		if (*t != '%') {
			putc(*t, to);
			continue;
		}
		switch (*++t) {
		case 'd': fprintf(to, "%%r%u", s->result); break;
		case 'a': fprintf(to, "%%r%u", s->a); break;
		case 'b': fprintf(to, "%%r%u", s->b); break;
		case 'q': fprintf(to, "%%p%u", s->predicate); break;
		case 'p': fprintf(to, "%%p%u", s->source); break;
		case 'c': fprintf(to, "0x%x", (unsigned)s->limits); break;
		default: fputs(mask, to);
		}
	}
	putc('\n', to);
}

void warp_print(const struct warp_statement *s, unsigned label, FILE *to)
{
	switch (s->way) {
	case WHOLE: put_primitive(s, "-1", to); return;
	case UNDER_ONE:
		fprintf(to, "\tvote.sync.ballot.b32 %%w0, %%p%u, -1;\n\t@!%%p%u bra W%u;\n", s->when, s->when, label);
		put_primitive(s, "%w0", to);
		fprintf(to, "W%u:\n", label);
		return;
	case UNDER_TWO:
		fprintf(to, "\t@%%p%u bra W%u;\n\tvote.ballot.b32 %%w0, %%p%u;\n\t@!%%p%u bra W%u;\n", s->when, label,
			s->also, s->also, label);
		put_primitive(s, "%w0", to);
		fprintf(to, "W%u:\n", label);
		return;
	case IN_GROUPS:
		fprintf(to, "\tand.b32 %%w1, %%r%u, 3;\n\tmatch.any.sync.b32 %%w0, %%w1, -1;\n", s->b);
		put_primitive(s, "%w0", to);
		return;
	default:
		fprintf(to, "\tand.b32 %%w1, %%r%u, 3;\nW%u:\tactivemask.b32 %%w0;\n", s->b, label);
		put_primitive(s, "%w0", to);
		fprintf(to, "\tsub.u32 %%w1, %%w1, 1;\n\tsetp.ge.s32 %%v, %%w1, 0;\n\t@%%v bra W%u;\n", label);
	}
}

/* ---- meaning ---- */

#define EACH_LANE(l, mask) for (unsigned l = 0; l < LANES; l++) if ((mask) >> l & 1)

/* The lane whose word lane l of a shuffle gets; *inside: the lane is in the segment. */
static unsigned source_lane(const struct warp_statement *s, unsigned l, uint32_t b, bool *inside)
{
	unsigned segment = s->limits >> 8 & 31, clamp = s->limits & 31, by = b & 31;
	int first = (int)(l & segment), last = (int)((l & segment) | (clamp & ~segment)), from = (int)l;

	switch (s->op) {
	case SHUFFLE_UP: from -= (int)by; break;
	case SHUFFLE_DOWN: from += (int)by; break;
	case SHUFFLE_BUTTERFLY: from ^= (int)by; break;
	default: from = first | (int)(by & ~segment);
	}
	*inside = s->op == SHUFFLE_UP ? from >= last : from <= last;
	return *inside ? (unsigned)from : l;
}

static uint32_t reduced(unsigned op, uint32_t x, uint32_t y)
{
	switch (op) {
	case REDUX_ADD: return x + y;
	case REDUX_MIN: return x < y ? x : y;
	case REDUX_MAX: return x > y ? x : y;
	case REDUX_SMIN: return (int32_t)x < (int32_t)y ? x : y;
	case REDUX_SMAX: return (int32_t)x > (int32_t)y ? x : y;
	case REDUX_AND: return x & y;
	case REDUX_OR: return x | y;
	default: return x ^ y;
	}
}

/* Results of lane l among the lanes of a mask: the word and the predicate. */
static uint64_t outcome(const struct warp_statement *s, unsigned l, uint32_t mask, const uint32_t a[LANES],
			const uint32_t b[LANES], uint32_t yes, bool *holds)
{
	unsigned lowest = (unsigned)__builtin_ctz(mask);
	uint32_t same = 0, sum = a[lowest];

	EACH_LANE(k, mask) {
		same |= (uint32_t)(a[k] == a[l]) << k;
		sum = k == lowest ? sum : reduced(s->op, sum, a[k]);
	}
	yes &= mask;
	switch (s->op) {
	case BALLOT: return yes;
	case ANY: *holds = yes; return 0;
	case ALL: *holds = yes == mask; return 0;
	case UNI: *holds = !yes || yes == mask; return 0;
	case MATCH_ANY: return same;
	case MATCH_ALL: *holds = same == mask; return same == mask ? mask : 0;
	case ELECT: *holds = l == lowest; return lowest;
	default: break;
	}
	if (!ops[s->op].shuffles)
		return sum;
	unsigned from = source_lane(s, l, b[l], holds);
	return mask >> from & 1 ? a[from] : 0;
}

/* The primitive by the lanes with a mask that is not 0, each among the lanes of the mask. */
static void primitive(const struct warp_statement *s, const uint32_t mask[LANES], uint64_t *const words[LANES],
		      uint64_t *const predicates[LANES])
{
	bool writes_word = s->op < ANY || s->op > UNI;
	bool writes_predicate = ops[s->op].shuffles || !writes_word || s->op == MATCH_ALL || s->op == ELECT;
	uint32_t a[LANES] = { 0 }, b[LANES] = { 0 }, yes = 0;

	for (unsigned l = 0; l < LANES; l++)
		if (mask[l]) {
			a[l] = (uint32_t)words[l][s->a];
			b[l] = (uint32_t)words[l][s->b];
			yes |= (uint32_t)(predicates[l][s->source] & 1) << l;
		}
	for (unsigned l = 0; l < LANES; l++) {
		bool holds = false;
		if (!mask[l])
			continue;
		uint64_t word = outcome(s, l, mask[l], a, b, yes, &holds);
		if (writes_word)
			words[l][s->result] = word;
		if (writes_predicate)
			predicates[l][s->predicate] = holds;
	}
}

void warp_run(const struct warp_statement *s, uint32_t there, uint64_t *const words[LANES],
	      uint64_t *const predicates[LANES])
{
	uint32_t mask[LANES] = { 0 }, part = 0, turns[LANES] = { 0 };

	EACH_LANE(l, there) {
		bool when = predicates[l][s->when] & 1, also = predicates[l][s->also] & 1;
		bool takes = s->way == UNDER_ONE ? when : s->way == UNDER_TWO ? !when && also : true;
		part |= (uint32_t)takes << l;
		turns[l] = s->way == IN_LOOP ? 1 + (words[l][s->b] & 3) : 1;
	}
	for (unsigned turn = 0; turn < 4; turn++) {
		uint32_t now = 0;
		EACH_LANE(l, part)
			now |= (uint32_t)(turns[l] > turn) << l;
		for (unsigned l = 0; l < LANES; l++) {
			mask[l] = now >> l & 1 ? now : 0;
			for (unsigned k = 0; s->way == IN_GROUPS && mask[l] && k < LANES; k++)
				if (now >> k & 1 && (words[k][s->b] & 3) != (words[l][s->b] & 3))
					mask[l] &= ~(1u << k);
		}
		primitive(s, mask, words, predicates);
	}
}
