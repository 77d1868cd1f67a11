/* The decuda cubins, each run on many inputs against what its source says (decuda.def). Every row's program has uniform
 * lanes: all threads do the same work on the same words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "tests/corpus/corpus.h"
#include "tests/corpus/reference.h"
#include "tests/kit/cmocka_all.h"
#include "tests/kit/shared.h"

enum { WORDS = 64, BUFFERS = 3, SCALARS = 11, TRIALS = 160 };
enum values { INTS, FLOATS, SIZES };
enum warps { ONE, MANY };

struct state {
	uint32_t buffer[BUFFERS][WORDS], w[SCALARS];
};

/* ---- words of the sources ---- */

static void put8(uint32_t *to, int i, uint32_t v)
{
	((uint8_t *)to)[i] = (uint8_t)v;
}

static void put16(uint32_t *to, int i, uint32_t v)
{
	((uint16_t *)to)[i] = (uint16_t)v;
}

static void put64(uint32_t *to, uint64_t v)
{
	memcpy(to, &v, 8);
}

static uint64_t get64(const uint32_t *from)
{
	uint64_t v;

	memcpy(&v, from, 8);
	return v;
}

static void chain29(uint32_t *x)
{
	uint32_t v = x[0];

	for (int i = 0; i < 16; i++)
		v = (v + 10) ^ 15;
	for (uint32_t i = 0; i < 10; i++)
		x[i] = i + v;
}

static void fill39(uint32_t *x, int32_t width)
{
	if (width & 3) {
		for (int i = 0; i < width / 2; i++)
			x[i] = 123;
	} else {
		for (int i = 0; i < width; i++)
			put16(x, i, 123);
	}
}

#define PROGRAM(name, parameters, values, warps, ...)                                                   \
	static void name##_source(uint32_t *x, uint32_t *y, uint32_t *z, const uint32_t *w)             \
	{                                                                                               \
		(void)x, (void)y, (void)z, (void)w;                                                     \
		__VA_ARGS__;                                                                            \
	}
#include "tests/corpus/decuda.def"
#undef PROGRAM

static const struct program {
	const char *name, *parameters;
	enum values values;
	enum warps warps;
	void (*source)(uint32_t *x, uint32_t *y, uint32_t *z, const uint32_t *w);
} programs[] = {
#define PROGRAM(name, parameters, values, warps, ...) { #name, parameters, values, warps, name##_source },
#include "tests/corpus/decuda.def"
#undef PROGRAM
};

enum { NPROGRAMS = sizeof programs / sizeof *programs };

/* ---- inputs ---- */

static const uint32_t ints[] = {
	0, 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7ffffe, 0x7fffff, 0x800000,
	0xffffff, 0x1000000, 0xff800000, 0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xdeadbeef, 0xfffffffd,
	0xfffffffe, 0xffffffff,
};

/* Zeros, denormals, the ends of the normal numbers, one and its neighbours, powers of four, ties, large, inf, NaNs. */
static const uint32_t floats[] = {
	0, 0x80000000, 1, 0x807fffff, 0x007fffff, 0x00800000, 0x80800000, 0x00ffffff, 0x3f7fffff, 0x3f800000,
	0x3f800001, 0xbf800000, 0x3f000000, 0x40000000, 0x40400000, 0x40800000, 0x3e800000, 0x3eaaaaab, 0x4048f5c3,
	0x4048f5c4, 0x40490fdb, 0xc0490fdb, 0x3fc90fdb, 0x42ff0000, 0x43000000, 0xc2fd0000, 0xc2ff0000, 0x4b000001,
	0x4effffff, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc00000,
};

static uint32_t random_value(enum values kind, uint64_t *r)
{
	uint32_t v = (uint32_t)rng_next(r);

	if (kind == SIZES)
		return v % 128 - 8;
	if (kind == FLOATS && v & 1)    /* mostly of a size at which sums and sines say something */
		return (v & 0x807fffff) | (100 + v / 0x1000 % 54) << 23;
	return v;
}

/* Word `place` of a trial: the first trials walk over the edge cases, later ones mix them with random words. */
static uint32_t input(enum values kind, unsigned trial, unsigned place, uint64_t *r)
{
	const uint32_t *edge = kind == FLOATS ? floats : ints;
	unsigned n = kind == FLOATS ? sizeof floats / 4 : sizeof ints / 4;
	uint32_t random = random_value(kind, r);

	if (kind == SIZES)
		return random;
	if (trial < n)
		return edge[(trial + 7 * place) % n];
	return trial % 2 ? random : edge[random / 8 % n];
}

static void fill(struct state *s, const struct program *p, unsigned trial)
{
	uint64_t r = trial + 1;

	for (unsigned b = 0; b < BUFFERS; b++)
		for (unsigned i = 0; i < WORDS; i++)
			s->buffer[b][i] = input(p->values, trial, b + i, &r);
	for (unsigned i = 0; i < SCALARS; i++)
		s->w[i] = input(p->values, trial, i, &r);
}

/* ---- runs ---- */

static void give(struct corpus *c, const struct program *p, const struct state *s)
{
	unsigned nb = 0, nw = 0;

	for (unsigned i = 0; p->parameters[i]; i++) {
		switch (p->parameters[i]) {
		case 'p':
			corpus_arg(c, "zero=%d", WORDS * 4);
			wb_launch_write_arg(c->launch, i, 0, s->buffer[nb++], WORDS * 4, NULL);
			break;
		case 'w':
			corpus_arg(c, "u32=0x%x", s->w[nw++]);
			break;
		case 'h':
			corpus_arg(c, "u16=0x%x", s->w[nw++] & 0xffff);
			break;
		default:
			corpus_arg(c, "u8=0x%x", s->w[nw++] & 0xff);
		}
	}
}

static void differs(const struct program *p, unsigned trial, const char *where, uint32_t got, uint32_t want,
		    const struct state *before)
{
	const uint32_t *w = before->w;

	fail_msg("%s, trial %u: %s is %08x, expected %08x (before: x %08x y %08x z %08x w %08x %08x %08x)", p->name,
		 trial, where, got, want, before->buffer[0][0], before->buffer[1][0], before->buffer[2][0], w[0], w[1],
		 w[2]);
}

static void compare(struct corpus *c, const struct program *p, const struct state *before, const struct state *want,
		    unsigned trial)
{
	uint32_t got[WORDS];
	char where[16];
	unsigned nb = 0;

	for (unsigned i = 0; p->parameters[i]; i++) {
		if (p->parameters[i] != 'p')
			continue;
		wb_launch_read_arg(c->launch, i, 0, got, sizeof got, NULL);
		for (unsigned k = 0; k < WORDS; k++) {
			snprintf(where, sizeof where, "%c[%u]", "xyz"[nb], k);
			if (got[k] != want->buffer[nb][k])
				differs(p, trial, where, got[k], want->buffer[nb][k], before);
		}
		nb++;
	}
}

/* One thread, a warp, or where that may be three warps in each of two blocks; every vector width in turn. */
static void shape(struct corpus *c, const struct program *p, unsigned trial)
{
	bool many = trial % 4 == 2 && p->warps == MANY;

	corpus_turn(c, trial);
	corpus_set(c, many ? "block=96 grid=2" : trial % 4 == 3 ? "block=1 grid=1" : "block=32 grid=1");
}

static void run_program(void **state)
{
	const struct program *p = *state;
	struct corpus c;
	char file[64];

	snprintf(file, sizeof file, "decuda/%s.cubin", p->name);
	corpus_open(&c, file, "ptr=8");
	for (unsigned trial = 0; trial < TRIALS; trial++) {
		struct state before, want;
		fill(&before, p, trial);
		want = before;
		p->source(want.buffer[0], want.buffer[1], want.buffer[2], want.w);
		shape(&c, p, trial);
		corpus_launch(&c);
		give(&c, p, &before);
		corpus_run(&c);
		corpus_ended(&c, WB_OK);
		compare(&c, p, &before, &want, trial);
	}
	corpus_close(&c);
}

int main(void)
{
	struct CMUnitTest tests[NPROGRAMS];

	if (!others_present("tesla/decuda"))
		return SKIPPED;
	if (!ref_sfu_load(corpus_path("vectors/tesla/sfu_rom.tsv")))
		return 1;
	for (int i = 0; i < NPROGRAMS; i++)
		tests[i] = (struct CMUnitTest){ programs[i].name, run_program, NULL, NULL,
						(void *)(uintptr_t)&programs[i] };
	return _cmocka_run_group_tests("decuda", tests, NPROGRAMS, NULL, NULL);
}
