/* The loops themselves are compiled once for each SIMD level (bench/ceiling_level.c). Here they are set up, timed, and
 * checked: every register is compared with the result of its last instruction, computed a lane at a time. Several
 * processors are measured by threads pinned to them, one after the other and all at once. */
#include "bench/ceiling.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ceiling_level.h"
#include "warpbeam.h"

enum { TRIPS = 5000, MOST_REPEATS = 99 };

const char *const ceiling_names[CEILING_WAYS] = { "straight", "threaded", "blended", "round-robin" };

static const struct level {
	const char *name;
	ceiling_run *run;
} levels[] = {
	{ "base", ceiling_run_base },
#ifdef __x86_64__
	{ "avx2", ceiling_run_avx2 },
	{ "avx512", ceiling_run_avx512 },
#endif
};

unsigned ceiling_levels(void)
{
	unsigned n = 0;

	while (wb_simd_level(n))
		n++;
	return n;
}

const char *ceiling_level(unsigned index)
{
	return wb_simd_level(index);
}

static ceiling_run *run_of(const char *name)
{
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (!strcmp(levels[i].name, name))
			return levels[i].run;
	return ceiling_run_base;
}

/* Numerical Recipes' generator, sufficient for the registers and their numbers. */
static uint32_t next(uint32_t *seed)
{
	return *seed = *seed * 1664525u + 1013904223u;
}

static uint16_t any_register(uint32_t *seed)
{
	return (uint16_t)(next(seed) >> 10) % (REGISTERS / 2);
}

/* Sources are the lower half of the registers, always ordinary floats; results go to the upper half. */
static void set_up(struct ceiling_machine *m, const void *const *handlers)
{
	uint32_t seed = 7;

	for (int w = 0; w < WARPS; w++)
		for (int r = 0; r < REGISTERS; r++)
			for (int l = 0; l < LANES; l++) {
				float f = 1.0f + (float)(next(&seed) >> 9) * 1e-7f;
				memcpy(&m->r[w][r][l], &f, sizeof f);
			}
	memset(m->mask, 0xff, sizeof m->mask);
	m->active = ~0u;
	m->cycle = 0;
	for (int i = 0; i < PROGRAM; i++)
		m->program[i] = (struct ceiling_insn){ handlers[i % OP_END], REGISTERS / 2 + any_register(&seed),
						       any_register(&seed), any_register(&seed), any_register(&seed) };
	m->program[PROGRAM].handler = handlers[OP_END];
}

/* ---- the reference, a lane at a time ---- */

static float as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

/* A multiply-add may be rounded once or twice, depending on the level. */
static bool as_computed(enum ceiling_op op, uint32_t got, uint32_t a, uint32_t b, uint32_t c)
{
	switch (op) {
	case OP_MAD: return fabsf(as_float(got) - (as_float(a) * as_float(b) + as_float(c))) < 1e-5f;
	case OP_ADD: return got == a + b;
	case OP_XOR: return got == (a ^ b);
	default: return got == a >> (b & 31);
	}
}

/* Check the registers of a warp, from the last instruction back, each against its last writer. */
static bool right_warp(const struct ceiling_machine *before, const struct ceiling_machine *after, int w)
{
	bool seen[REGISTERS] = { false };

	for (int i = PROGRAM - 1; i >= 0; i--) {
		const struct ceiling_insn *p = &before->program[i];
		for (int l = 0; !seen[p->d] && l < LANES; l++) {
			uint32_t got = after->r[w][p->d][l];
			const uint32_t (*r)[LANES] = before->r[w];
			if (before->mask[l] ? !as_computed(i % OP_END, got, r[p->a][l], r[p->b][l], r[p->c][l])
					    : got != r[p->d][l])
				return false;
		}
		seen[p->d] = true;
	}
	return true;
}

bool ceiling_right(unsigned level, enum ceiling_way way)
{
	ceiling_run *run = run_of(ceiling_level(level));
	struct ceiling_machine *m = aligned_alloc(128, 2 * sizeof *m);
	const void *handlers[OPS];
	bool right = m;

	if (!m)
		return false;
	run(m, way, 0, handlers);
	set_up(m, handlers);
	for (int l = 1; way == CEILING_BLENDED && l < LANES; l += 3)
		m->mask[l] = 0;
	m[1] = m[0];
	run(&m[1], way, 1, NULL);
	for (int w = 0; way != CEILING_STRAIGHT && w < WARPS; w++)
		right &= right_warp(&m[0], &m[1], w);
	free(m);
	return right;
}

/* ---- measuring ---- */

_Static_assert((int)CEILING_LANES == (int)LANES, "the header's width is that of the loops");

struct ceiling_loop {
	ceiling_run *run;
	struct ceiling_machine *machine;
	enum ceiling_way way;
	long trips;
};

struct ceiling_loop *ceiling_open(unsigned level, enum ceiling_way way, unsigned scale)
{
	struct ceiling_loop *c = malloc(sizeof *c);
	struct ceiling_machine *m = aligned_alloc(128, sizeof *m);
	const void *handlers[OPS];

	if (!c || !m)
		abort();
	*c = (struct ceiling_loop){ run_of(ceiling_level(level)), m, way, (long)TRIPS * (long)scale };
	c->run(m, way, 0, handlers);
	set_up(m, handlers);
	c->run(m, way, c->trips / 10 + 1, NULL);
	return c;
}

static double instructions(const struct ceiling_loop *c)
{
	return (double)c->trips * WARPS * PROGRAM;
}

static double seconds_of(const struct ceiling_loop *c, enum bench_clock clock)
{
	double start = bench_now(clock);

	c->run(c->machine, c->way, c->trips, NULL);
	return bench_now(clock) - start;
}

double ceiling_rate(const struct ceiling_loop *c, enum bench_clock clock)
{
	return instructions(c) / seconds_of(c, clock);
}

void ceiling_close(struct ceiling_loop *c)
{
	if (c)
		free(c->machine);
	free(c);
}

struct ceiling ceiling_measure(unsigned level, enum ceiling_way way, unsigned scale, unsigned repeat,
			       enum bench_clock clock)
{
	struct ceiling_loop *loop = ceiling_open(level, way, scale);
	struct ceiling c = { .instructions = instructions(loop) };
	double seconds[MOST_REPEATS];

	if (!repeat || repeat > MOST_REPEATS)
		abort();
	for (unsigned i = 0; i < repeat; i++)
		seconds[i] = seconds_of(loop, clock);
	ceiling_close(loop);
	c.seconds = bench_summarize(seconds, repeat);
	c.per_second = c.instructions * LANES / c.seconds.median;
	return c;
}

/* ---- several processors ---- */

struct runner {
	struct ceiling_loop *loop;
	const struct bench_processors *all;
	unsigned number;
	pthread_barrier_t *start;       /* NULL: at once */
	pthread_t thread;
	double rate;
};

static void *run_there(void *runner)
{
	struct runner *r = runner;

	bench_stay(r->all, r->number);
	if (r->start)
		pthread_barrier_wait(r->start);
	r->rate = ceiling_rate(r->loop, BENCH_WALL);
	return NULL;
}

/* The sum of the rates of n threads, at once or one after the other. */
static double rates(struct runner *r, unsigned n, pthread_barrier_t *start)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++) {
		r[i].start = start;
		if (pthread_create(&r[i].thread, NULL, run_there, &r[i]))
			abort();
		if (!start)
			pthread_join(r[i].thread, NULL);
	}
	for (unsigned i = 0; i < n; i++) {
		if (start)
			pthread_join(r[i].thread, NULL);
		sum += r[i].rate;
	}
	return sum;
}

double ceiling_together(unsigned level, enum ceiling_way way, const struct bench_processors *all)
{
	struct runner r[BENCH_PROCESSORS];
	pthread_barrier_t start;
	double alone, together;

	if (!all->n)
		return 1;
	for (unsigned i = 0; i < all->n; i++)
		r[i] = (struct runner){ .loop = ceiling_open(level, way, 1), .all = all, .number = i };
	pthread_barrier_init(&start, NULL, all->n);
	alone = rates(r, all->n, NULL) / all->n;
	together = rates(r, all->n, &start);
	pthread_barrier_destroy(&start);
	for (unsigned i = 0; i < all->n; i++)
		ceiling_close(r[i].loop);
	return together / alone;
}
