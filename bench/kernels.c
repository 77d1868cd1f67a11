/* A section for each kernel: the setup makes inputs with the generator of the compared interpreters, and the check
 * computes the answer on the host, or, for slow kernels, at some places. Sizes are divided by `div`, down to one
 * block. */
#include "bench/kernels.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making problems ---- */

/* Xorshift, 32 bits: the inputs' generator. */
struct rng {
	uint32_t state;
};

static uint32_t next(struct rng *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 17;
	r->state ^= r->state << 5;
	return r->state;
}

static void fill_unit_floats(struct rng *r, float *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (float)(next(r) >> 8) / 16777216.0f;
}

/* A further buffer of zeros; NULL: no memory. */
static void *add_buffer(struct problem *p, size_t words)
{
	void *data = calloc(words, 4);

	p->buffer[p->nbuffers].data = data;
	p->buffer[p->nbuffers].words = words;
	p->out = p->nbuffers++;
	return data;
}

static void add_scalar(struct problem *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_scalar(struct problem *p, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(p->scalar[p->nscalars++], sizeof *p->scalar, format, ap);
	va_end(ap);
}

static void launch_line(struct problem *p, unsigned threads, unsigned block)
{
	p->grid[0] = (threads + block - 1) / block;
	p->block[0] = block;
	p->grid[1] = p->block[1] = 1;
}

static void launch_tiles(struct problem *p, unsigned width, unsigned height)
{
	p->grid[0] = width / 16;
	p->grid[1] = height / 16;
	p->block[0] = p->block[1] = 16;
}

void problem_free(struct problem *p)
{
	for (unsigned i = 0; i < p->nbuffers; i++)
		free(p->buffer[i].data);
	*p = (struct problem){ 0 };
}

/* ---- sizes: `whole` elements divided, in multiples of `unit` ---- */

static unsigned divided(unsigned whole, unsigned div, unsigned unit)
{
	unsigned n = whole / div / unit * unit;
	return n ? n : unit;
}

/* The smallest whole number with a power of at least n. */
static unsigned root(unsigned n, unsigned power)
{
	unsigned r = 1;

	while (pow(r, power) < n)
		r++;
	return r;
}

static size_t words(const struct problem *p, unsigned buffer)
{
	return p->buffer[buffer].words;
}

static bool close_to(double got, double want, double relative, double absolute)
{
	return fabs(got - want) <= relative * fabs(want) + absolute;
}

/* ---- saxpy ---- */

#define SAXPY_A 2.5f

static bool saxpy_setup(struct problem *p, unsigned div)
{
	struct rng r = { 12345 };
	unsigned n = divided(1 << 20, div, 256);
	float *x = add_buffer(p, n), *y = add_buffer(p, n);

	if (!x || !y)
		return false;
	fill_unit_floats(&r, x, n);
	fill_unit_floats(&r, y, n);
	launch_line(p, n, 256);
	add_scalar(p, "f32=%a", (double)SAXPY_A);
	add_scalar(p, "u32=%u", n);
	return true;
}

static bool saxpy_right(const struct problem *p, const void *got)
{
	const float *x = p->buffer[0].data, *y = p->buffer[1].data, *out = got;

	for (size_t i = 0; i < words(p, 0); i++)
		if (!close_to(out[i], SAXPY_A * x[i] + y[i], 0, 1e-4))
			return false;
	return true;
}

/* ---- mandelbrot ---- */

enum { ROUNDS = 256, SAMPLE = 3, TOLERATED = 50 };

static bool mandelbrot_setup(struct problem *p, unsigned div)
{
	unsigned side = root(div, 2), w = divided(1024, side, 16), h = divided(768, side, 16);

	if (!add_buffer(p, (size_t)w * h))
		return false;
	launch_tiles(p, w, h);
	add_scalar(p, "u32=%u", w);
	add_scalar(p, "f32=%a", (double)(3.0f / (float)w));
	add_scalar(p, "f32=%a", (double)(2.25f / (float)h));
	add_scalar(p, "u32=%u", ROUNDS);
	p->side = w;
	return true;
}

static unsigned escape_rounds(float cx, float cy)
{
	float x = 0, y = 0;
	unsigned n = 0;

	for (; n < ROUNDS && x * x + y * y <= 4.0f; n++) {
		float next_x = x * x - y * y + cx;
		y = 2.0f * x * y + cy;
		x = next_x;
	}
	return n;
}

/* The multiply-add rounds differently on the host, visible in a few pixels near the border of the set. */
static bool mandelbrot_right(const struct problem *p, const void *got)
{
	const uint32_t *out = got;
	unsigned w = p->side, h = (unsigned)(words(p, 0) / w), bad = 0, seen = 0;

	for (unsigned y = 0; y < h; y += SAMPLE) {
		for (unsigned x = 0; x < w; x += SAMPLE, seen++)
			bad += out[y * w + x] != escape_rounds(-2.0f + (float)x * (3.0f / (float)w),
							       -1.125f + (float)y * (2.25f / (float)h));
	}
	return bad <= seen / TOLERATED;
}

/* ---- matmul ---- */

static bool matmul_setup(struct problem *p, unsigned div)
{
	struct rng r = { 12345 };
	unsigned n = divided(512, root(div, 3), 16);
	float *a = add_buffer(p, (size_t)n * n), *b = add_buffer(p, (size_t)n * n);

	if (!a || !b || !add_buffer(p, (size_t)n * n))
		return false;
	fill_unit_floats(&r, a, words(p, 0));
	fill_unit_floats(&r, b, words(p, 1));
	launch_tiles(p, n, n);
	add_scalar(p, "u32=%u", n);
	p->side = n;
	return true;
}

static bool matmul_right(const struct problem *p, const void *got)
{
	const float *a = p->buffer[0].data, *b = p->buffer[1].data, *out = got;
	unsigned n = p->side;

	for (unsigned i = 0; i < 64; i++) {
		unsigned row = i * 37 % n, column = i * 91 % n;
		double sum = 0;
		for (unsigned k = 0; k < n; k++)
			sum += (double)a[row * n + k] * (double)b[k * n + column];
		if (!close_to(out[row * n + column], sum, 1e-2, 1e-3))
			return false;
	}
	return true;
}

/* ---- reduce ---- */

enum { BLOCK = 256 };

static bool reduce_setup(struct problem *p, unsigned div)
{
	struct rng r = { 12345 };
	unsigned n = divided(1 << 20, div, BLOCK);
	float *in = add_buffer(p, n);

	if (!in || !add_buffer(p, n / BLOCK))
		return false;
	fill_unit_floats(&r, in, n);
	launch_line(p, n, BLOCK);
	return true;
}

static bool reduce_right(const struct problem *p, const void *got)
{
	const float *in = p->buffer[0].data, *out = got;

	for (size_t i = 0; i < words(p, 1); i++) {
		double sum = 0;
		for (unsigned k = 0; k < BLOCK; k++)
			sum += (double)in[i * BLOCK + k];
		if (!close_to(out[i], sum, 0, 1e-2))
			return false;
	}
	return true;
}

/* ---- histogram ---- */

enum { BINS = 256, VALUES_A_BLOCK = BLOCK * 64 };

static bool histogram_setup(struct problem *p, unsigned div)
{
	struct rng r = { 12345 };
	unsigned n = divided(1 << 20, div, VALUES_A_BLOCK);
	uint32_t *in = add_buffer(p, n);

	if (!in || !add_buffer(p, BINS))
		return false;
	for (unsigned i = 0; i < n; i++)
		in[i] = next(&r) >> 7;
	launch_line(p, n / 64, BLOCK);
	return true;
}

static bool histogram_right(const struct problem *p, const void *got)
{
	const uint32_t *in = p->buffer[0].data;
	uint32_t bin[BINS] = { 0 };

	for (size_t i = 0; i < words(p, 0); i++)
		bin[in[i] % BINS]++;
	return !memcmp(bin, got, sizeof bin);
}

/* ---- collatz ---- */

enum { STEPS_MAX = 1000 };

static bool collatz_setup(struct problem *p, unsigned div)
{
	unsigned n = divided(1 << 20, div, BLOCK);

	launch_line(p, n, BLOCK);
	return add_buffer(p, n);
}

static bool collatz_right(const struct problem *p, const void *got)
{
	const uint32_t *out = got;

	for (uint32_t i = 0; i < words(p, 0); i++) {
		uint32_t v = i + 1, steps = 0;
		for (; v != 1 && steps < STEPS_MAX; steps++)
			v = v & 1 ? 3 * v + 1 : v >> 1;
		if (out[i] != steps)
			return false;
	}
	return true;
}

/* ---- bitonic ---- */

enum { SEGMENT = 512 };

static bool bitonic_setup(struct problem *p, unsigned div)
{
	struct rng r = { 12345 };
	unsigned n = divided(1 << 20, div, SEGMENT);
	uint32_t *d = add_buffer(p, n);

	if (!d)
		return false;
	for (unsigned i = 0; i < n; i++)
		d[i] = next(&r);
	launch_line(p, n / 2, BLOCK);
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static bool bitonic_right(const struct problem *p, const void *got)
{
	uint32_t *sorted = malloc(words(p, 0) * 4);

	if (!sorted)
		return false;
	memcpy(sorted, p->buffer[0].data, words(p, 0) * 4);
	for (size_t i = 0; i < words(p, 0); i += SEGMENT)
		qsort(sorted + i, SEGMENT, sizeof *sorted, by_number);
	bool same = !memcmp(sorted, got, words(p, 0) * 4);
	free(sorted);
	return same;
}

/* ---- alu ---- */

enum { CHAINS = 8, ALU_SAMPLE = 97 };
#define ALU_B 0.999f
#define ALU_C 0.001f

static bool alu_setup(struct problem *p, unsigned div)
{
	unsigned side = root(div, 2), n = divided(4096, side, BLOCK);

	launch_line(p, n, BLOCK);
	p->limit = divided(4096, side, 1);
	add_scalar(p, "f32=%a", (double)ALU_B);
	add_scalar(p, "f32=%a", (double)ALU_C);
	add_scalar(p, "u32=%u", p->limit);
	return add_buffer(p, n);
}

static float alu_answer(unsigned i, unsigned trips)
{
	float x[CHAINS];

	for (unsigned j = 0; j < CHAINS; j++)
		x[j] = (float)(i + j);
	for (unsigned t = 0; t < trips; t++)
		for (unsigned j = 0; j < CHAINS; j++) {
			x[j] = x[j] * ALU_B + ALU_C;
			x[j] = x[j] * ALU_C + ALU_B;
		}
	return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

static bool alu_right(const struct problem *p, const void *got)
{
	const float *out = got;

	for (unsigned i = 0; i < words(p, 0); i += ALU_SAMPLE)
		if (!close_to(out[i], alu_answer(i, p->limit), 1e-3, 1e-6))
			return false;
	return true;
}

const struct kernel kernels[] = {
	{ "saxpy", "bench/kernels/saxpy.s", saxpy_setup, saxpy_right },
	{ "mandelbrot", "examples/mandelbrot.s", mandelbrot_setup, mandelbrot_right },
	{ "matmul", "bench/kernels/matmul.s", matmul_setup, matmul_right },
	{ "reduce", "bench/kernels/reduce.s", reduce_setup, reduce_right },
	{ "histogram", "bench/kernels/histogram.s", histogram_setup, histogram_right },
	{ "collatz", "examples/collatz.s", collatz_setup, collatz_right },
	{ "bitonic", "bench/kernels/bitonic.s", bitonic_setup, bitonic_right },
	{ "alu", "examples/alu.s", alu_setup, alu_right },
	{ NULL, NULL, NULL, NULL },
};
