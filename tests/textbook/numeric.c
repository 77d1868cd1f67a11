/* Models of kernels about images, signals, grids, matrices, vectors and memory layout. */
#include "tests/textbook/textbook.h"
#include "tests/textbook/themes.h"

#include <math.h>

static void fill(struct task *t, void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((uint8_t *)bytes)[i] = (uint8_t)task_random(t);
}

static int between(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

static void convolution(struct task *t)
{
	enum { N = 500, TAPS = 9 };
	int32_t *want = task_out(t, N, 4), *in = task_in(t, N, 4), *mask = task_in(t, TAPS, 4);

	for (int i = 0; i < N; i++)
		in[i] = (int32_t)task_below(t, 2001) - 1000;
	for (int k = 0; k < TAPS; k++)
		mask[k] = (int32_t)task_below(t, 21) - 10;
	for (int i = 0; i < N; i++) {
		want[i] = 0;
		for (int k = -TAPS / 2; k <= TAPS / 2; k++)
			want[i] += i + k >= 0 && i + k < N ? in[i + k] * mask[k + TAPS / 2] : 0;
	}
	task_s32(t, N);
	task_s32(t, TAPS);
}

static void convolution_tile(struct task *t)
{
	static const int weight[6] = { 41, 26, 16, 7, 4, 1 }, by_distance[9] = { 0, 1, 2, 0, 3, 4, 0, 0, 5 };
	int width = (int)t->groups[0] * 8 - 3, height = (int)t->groups[1] * 8 - 1;
	uint8_t *want = task_out(t, (size_t)(width * height), 1), *in = task_in(t, (size_t)(width * height), 1);

	fill(t, in, (size_t)(width * height));
	for (int i = 0; i < width * height; i++) {
		int sum = 0;
		for (int dy = -2; dy <= 2; dy++)
			for (int dx = -2; dx <= 2; dx++) {
				int x = between(i % width + dx, 0, width - 1);
				int y = between(i / width + dy, 0, height - 1);
				sum += weight[by_distance[dx * dx + dy * dy]] * in[y * width + x];
			}
		want[i] = (uint8_t)between(sum / 273, 0, 255);
	}
	task_s32(t, width);
	task_s32(t, height);
}

static void heat(struct task *t)
{
	enum { N = 190, STEPS = 15 };
	int32_t *want, *start = task_inout(t, t->groups[0] * N, 4, &want), next[N];

	for (unsigned i = 0; i < t->groups[0] * N; i++)
		want[i] = start[i] = (int32_t)task_below(t, 2000000) - 1000000;
	for (unsigned g = 0; g < t->groups[0]; g++)
		for (int s = 0; s < STEPS; s++) {
			int32_t *a = want + g * N;
			memcpy(next, a, sizeof next);
			for (int i = 1; i < N - 1; i++)
				next[i] = a[i] + (a[i - 1] - 2 * a[i] + a[i + 1]) / 4;
			memcpy(a, next, sizeof next);
		}
	task_s32(t, N);
	task_s32(t, STEPS);
}

/* Whole numbers in multiples of a quarter: exact. */
static void jacobi(struct task *t)
{
	int width = (int)(t->groups[0] * t->local[0]) - 2, height = (int)(t->groups[1] * t->local[1]) - 3;
	float *want = task_out(t, (size_t)(width * height), 4), *change, *in;

	change = task_out(t, t->groups[0] * t->groups[1], 4);
	memset(change, 0, t->groups[0] * t->groups[1] * 4);
	in = task_in(t, (size_t)(width * height), 4);
	for (int i = 0; i < width * height; i++)
		in[i] = (float)task_below(t, 4000);
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			int i = y * width + x;
			bool inner = x && y && x < width - 1 && y < height - 1;
			want[i] = inner ? (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]) / 4 : in[i];
			float *c = &change[(unsigned)y / t->local[1] * t->groups[0] + (unsigned)x / t->local[0]];
			*c = fmaxf(*c, fabsf(want[i] - in[i]));
		}
	task_s32(t, width);
	task_s32(t, height);
}

enum { PRIME = 65521, UNKNOWNS = 12 };

static uint64_t power_mod(uint64_t v, unsigned e)
{
	uint64_t r = 1;

	for (unsigned i = 0; i < e; i++)
		r = r * v % PRIME;
	return r;
}

/* Elimination below the diagonal, then substitution from the last unknown up; the determinant, or 0. */
static uint64_t solve(uint64_t m[UNKNOWNS][UNKNOWNS + 1], uint32_t *x)
{
	uint64_t det = 1;

	for (int k = 0; k < UNKNOWNS; k++) {
		int r = k;
		while (r < UNKNOWNS && !m[r][k])
			r++;
		if (r == UNKNOWNS)
			return 0;
		for (int c = 0; r != k && c <= UNKNOWNS; c++) {
			uint64_t v = m[r][c];
			m[r][c] = m[k][c];
			m[k][c] = v;
		}
		det = det * (r != k ? PRIME - m[k][k] : m[k][k]) % PRIME;
		uint64_t inverse = power_mod(m[k][k], PRIME - 2);
		for (r = k + 1; r < UNKNOWNS; r++) {
			uint64_t f = m[r][k] * inverse % PRIME;
			for (int c = k; c <= UNKNOWNS; c++)
				m[r][c] = (m[r][c] + (PRIME - f) * m[k][c]) % PRIME;
		}
	}
	for (int k = UNKNOWNS - 1; k >= 0; k--) {
		uint64_t v = m[k][UNKNOWNS];
		for (int c = k + 1; c < UNKNOWNS; c++)
			v = (v + (PRIME - m[k][c]) * x[c]) % PRIME;
		x[k] = (uint32_t)(v * power_mod(m[k][k], PRIME - 2) % PRIME);
	}
	return det;
}

static void gauss_mod(struct task *t)
{
	enum { N = UNKNOWNS };
	uint32_t *x = task_out(t, t->groups[0] * N, 4), *det = task_out(t, t->groups[0], 4);
	uint32_t *in = task_in(t, t->groups[0] * N * (N + 1), 4);
	uint64_t m[N][N + 1];

	for (unsigned g = 0; g < t->groups[0]; g++) {
		for (unsigned i = 0; i < N * (N + 1); i++) {
			uint32_t v = task_below(t, 3) ? task_below(t, PRIME) : 0;
			/* the third system is singular: a column of zeros */
			v = g % 3 == 2 && i % (N + 1) == 4 ? 0 : v;
			in[g * N * (N + 1) + i] = v;
			m[i / (N + 1)][i % (N + 1)] = v;
		}
		det[g] = (uint32_t)solve(m, x + g * N);
	}
}

static void fft(struct task *t)
{
	enum { N = 64 };
	float *want, *start = task_inout(t, t->groups[0] * N * 2, 4, &want), *factor;
	const double turn = 2 * acos(-1) / N;

	task_close(t, 1e-4);
	factor = task_in(t, N, 4);
	for (int k = 0; k < N / 2; k++) {
		factor[2 * k] = (float)cos(k * turn);
		factor[2 * k + 1] = (float)-sin(k * turn);
	}
	for (unsigned i = 0; i < t->groups[0] * N * 2; i++)
		start[i] = (float)task_below(t, 2000) / 1000 - 1;
	for (unsigned i = 0; i < t->groups[0] * N; i++) {
		const float *d = start + i / N * N * 2;
		double re = 0, im = 0;
		for (unsigned k = 0; k < N; k++) {
			double c = cos(i % N * k * turn), s = -sin(i % N * k * turn);
			re += (double)d[2 * k] * c - (double)d[2 * k + 1] * s;
			im += (double)d[2 * k] * s + (double)d[2 * k + 1] * c;
		}
		want[2 * i] = (float)re;
		want[2 * i + 1] = (float)im;
	}
}

static void n_body(struct task *t)
{
	unsigned n = t->items - 9;
	float *want = task_out(t, 4 * n, 4), *body;

	task_close(t, 1e-4);
	body = task_in(t, 4 * n, 4);
	for (unsigned i = 0; i < 4 * n; i++)
		body[i] = (float)task_below(t, 1000) / 50;
	for (unsigned i = 0; i < n; i++) {
		double a[4] = { 0 };
		for (unsigned k = 0; k < n; k++) {
			double d[3], r2 = 0.25;
			for (int c = 0; c < 3; c++) {
				d[c] = (double)body[4 * k + (unsigned)c] - (double)body[4 * i + (unsigned)c];
				r2 += d[c] * d[c];
			}
			for (int c = 0; c < 3; c++)
				a[c] += d[c] * (double)body[4 * k + 3] / (r2 * sqrt(r2));
		}
		for (int c = 0; c < 4; c++)
			want[4 * i + (unsigned)c] = (float)a[c];
	}
	task_s32(t, (int32_t)n);
	task_local(t, t->local[0] * 16);
}

static void k_means(struct task *t)
{
	enum { N = 420, K = 5 };
	uint8_t *cluster = task_out(t, N, 1);
	int32_t *sums;
	int16_t *points, *centre;

	task_inout(t, 3 * K, 4, &sums);
	points = task_in(t, 2 * N, 2);
	centre = task_in(t, 2 * K, 2);
	for (int i = 0; i < 2 * K; i++)
		centre[i] = (int16_t)(task_below(t, 8000) - 4000);
	for (int i = 0; i < N; i++) {
		int64_t best = INT64_MAX;
		points[2 * i] = (int16_t)(task_below(t, 10000) - 5000);
		points[2 * i + 1] = (int16_t)(task_below(t, 10000) - 5000);
		for (int k = K - 1; k >= 0; k--) {
			int64_t dx = points[2 * i] - centre[2 * k], dy = points[2 * i + 1] - centre[2 * k + 1];
			if (dx * dx + dy * dy <= best) {
				best = dx * dx + dy * dy;
				cluster[i] = (uint8_t)k;
			}
		}
		sums[3 * cluster[i]] += points[2 * i];
		sums[3 * cluster[i] + 1] += points[2 * i + 1];
		sums[3 * cluster[i] + 2]++;
	}
	task_s32(t, N);
}

static void spmv_csr(struct task *t)
{
	enum { COLUMNS = 77 };
	unsigned rows = t->items / 8 - 1, e = 0;
	int32_t *want = task_out(t, rows, 4), *row = task_in(t, rows + 1, 4);
	uint16_t *column = task_in(t, rows * 30, 2);
	int32_t *value = task_in(t, rows * 30, 4), *x = task_in(t, COLUMNS, 4);

	for (int i = 0; i < COLUMNS; i++)
		x[i] = (int32_t)task_below(t, 1000) - 500;
	for (unsigned r = 0; r < rows; r++) {
		want[r] = 0;
		row[r] = (int32_t)e;
		for (unsigned n = task_below(t, 30); n; n--, e++) {
			column[e] = (uint16_t)task_below(t, COLUMNS);
			value[e] = (int32_t)task_below(t, 2000) - 1000;
			want[r] += value[e] * x[column[e]];
		}
	}
	row[rows] = (int32_t)e;
	task_s32(t, (int32_t)rows);
}

static void spmv_ell(struct task *t)
{
	enum { COLUMNS = 60, WIDTH = 7 };
	unsigned rows = t->items - 5;
	float *want = task_out(t, rows, 4), *value, *x;
	int32_t *column = task_in(t, rows * WIDTH, 4);

	value = task_in(t, rows * WIDTH, 4);
	x = task_in(t, COLUMNS, 4);
	for (int i = 0; i < COLUMNS; i++)
		x[i] = (float)task_below(t, 200) - 100;
	for (unsigned r = 0; r < rows; r++) {
		unsigned n = task_below(t, WIDTH + 1);
		want[r] = 0;
		for (unsigned k = 0; k < WIDTH; k++) {
			column[k * rows + r] = k < n ? (int32_t)task_below(t, COLUMNS) : -1;
			value[k * rows + r] = (float)task_below(t, 64) / 4;
			want[r] += k < n ? value[k * rows + r] * x[column[k * rows + r]] : 0;
		}
	}
	task_s32(t, (int32_t)rows);
	task_s32(t, WIDTH);
}

static void mandelbrot_fixed(struct task *t)
{
	enum { LIMIT = 60, STEP = 1000000 };
	int width = (int)(t->groups[0] * t->local[0]) - 1, height = (int)(t->groups[1] * t->local[1]) - 2;
	uint8_t *want = task_out(t, (size_t)(width * height), 1);

	for (int i = 0; i < width * height; i++) {
		int64_t cx = -30000000 + i % width * STEP, cy = -18000000 + i / width * STEP, x = 0, y = 0;
		int n = 0;
		for (; n < LIMIT; n++) {
			int64_t xx = x * x >> 24, yy = y * y >> 24;
			if (xx + yy > 4 << 24)
				break;
			y = (x * y >> 23) + cy;
			x = xx - yy + cx;
		}
		want[i] = (uint8_t)n;
	}
	task_s32(t, width);
	task_s32(t, height);
	task_s32(t, -30000000);
	task_s32(t, -18000000);
	task_s32(t, STEP);
	task_s32(t, LIMIT);
}

/* A point near the border of the set, where a rounding may decide, has a tolerance of its own: none are near here,
 * proved by doubles that stay on the same side with a margin. */
static void julia(struct task *t)
{
	enum { WIDTH = 32 };
	float *want = task_out(t, t->items, 4);

	for (int i = 0; i < (int)t->items; i++) {
		double x = (i % WIDTH - WIDTH / 2) * 0.125, y = i / WIDTH * 0.125;
		bool out = false;
		for (int n = 0; n < 12 && !out; n++) {
			double next = x * x - y * y + 0.28125;
			y = 2 * x * y + 0.015625;
			x = next;
			out = x * x + y * y > 100;
		}
		want[i] = out;
	}
	task_s32(t, WIDTH);
	task_f32(t, 0.125f);
	task_f32(t, 0.28125f);
	task_f32(t, 0.015625f);
}

static void ray_sphere(struct task *t)
{
	enum { N = 6, WIDTH = 32 };
	static const float spheres[N][4] = {
		{ 0, 0, 5, 1 }, { 2, 1, 6, 1.5f }, { -2, 0.5f, 4, 1.25f }, { -1, -1, 8, 2 }, { 1, -0.5f, 3, 0.5f },
		{ 0, 0, -4, 2 },
	};
	int32_t *hit = task_out(t, t->items, 4);
	float *distance = task_out(t, t->items, 4);

	task_close(t, 1e-3);
	memcpy(task_in(t, 4 * N, 4), spheres, sizeof spheres);
	for (int i = 0; i < (int)t->items; i++) {
		double d[3] = { i % WIDTH * 0.0625 - 1, i / WIDTH * 0.0625 - 0.5, 1 }, best = 1e30;
		double dd = d[0] * d[0] + d[1] * d[1] + 1;
		hit[i] = -1;
		for (int k = 0; k < N; k++) {
			double b = 0, cc = -pow((double)spheres[k][3], 2);
			for (int c = 0; c < 3; c++) {
				b += (double)spheres[k][c] * d[c];
				cc += pow((double)spheres[k][c], 2);
			}
			double disc = b * b - dd * cc, s = disc >= 0 ? (b - sqrt(disc)) / dd : 0;
			if (s > 0 && s < best) {
				best = s;
				hit[i] = k;
			}
		}
		distance[i] = hit[i] < 0 ? -1 : (float)best;
	}
	task_s32(t, N);
	task_s32(t, WIDTH);
}

/* A number of at most 11 significant bits and a middle exponent, as half and as float. */
static double half_value(uint16_t h)
{
	double m = h & 0x3ff;
	int e = h >> 10 & 31;

	return (h & 0x8000 ? -1 : 1) * (e ? ldexp(1024 + m, e - 25) : ldexp(m, -24));
}

/* The half next to v: direction -1 down, +1 up, 0 towards zero, 2 to nearest even. Infinity has the bits 0x7c00. */
static uint16_t half_of(double v, int direction)
{
	double a = fabs(v);
	uint16_t sign = signbit(v) ? 0x8000 : 0, low = 0;

	for (int b = 14; b >= 0; b--) {         /* the largest half that is not larger */
		uint16_t h = (uint16_t)(low | 1 << b);
		if (h < 0x7c00 && half_value(h) <= a)
			low = h;
	}
	double below = half_value(low), above = low == 0x7bff ? 65536 : half_value((uint16_t)(low + 1));
	bool up = direction == 2 ? a - below > above - a || (a - below == above - a && low & 1) :
		  a > below && direction == (sign ? -1 : 1);
	return (uint16_t)(sign | (low + (a > below && up)));
}

static void half_scale(struct task *t)
{
	int n = (int)t->items - 13;
	uint16_t *want = task_out(t, (size_t)(2 * n + 4), 2), *in = task_in(t, (size_t)n + 4, 2);

	for (int i = 0; i < n + 4; i++)
		in[i] = (uint16_t)((task_random(t) & 0x83f0) | (8 + task_below(t, 14)) << 10);
	for (int i = 0; i < n; i++)
		want[i] = half_of(half_value(in[i]) * 0.75 + 1, 2);
	for (int i = 0; i < n / 4 * 4; i++)
		want[n + 3 + i] = half_of(half_value(in[i + 1]) * 0.75, 2);
	task_f32(t, 0.75f);
	task_s32(t, n);
}

static void half_rounding(struct task *t)
{
	static const float odd[] = {
		0, 65504, 65519, 65520, 65536, 1e9f, 0x1p-24f, 0x1p-25f, 0x1.8p-25f, 0x1p-30f, 1.0009765625f,
		1.00048828125f, 1.00146484375f, 0x1.ffcp-15f, 0x1.ffep-15f, 3.14159265f,
	};
	static const int direction[4] = { 2, 0, 1, -1 };
	uint16_t *want = task_out(t, 4 * t->items, 2);
	float *in = task_in(t, t->items, 4);

	for (unsigned i = 0; i < t->items; i++) {
		float v = i < 32 ? odd[i / 2] : ldexpf((float)(task_random(t) >> 8), -(int)task_below(t, 50));
		in[i] = i % 2 ? -v : v;
		for (unsigned k = 0; k < 4; k++)
			want[4 * i + k] = half_of((double)in[i], direction[k]);
	}
}

static void vector_three(struct task *t)
{
	enum { N = 210 };
	float *want = task_out(t, 3 * N, 4), *in;
	int16_t *shorts = task_out(t, 3 * N, 2);

	in = task_in(t, 3 * N, 4);
	for (int i = 0; i < 3 * N; i++)
		in[i] = (float)((int)task_below(t, 20000) - 10000) / 8;
	for (int i = 0; i < N; i++)
		for (int k = 0; k < 3; k++) {
			want[3 * i + k] = in[3 * i + (k + 2) % 3] * 2 + (float)(k + 1);
			shorts[3 * i + k] = (int16_t)((int)in[3 * i + k] + i);
		}
	task_s32(t, N);
}

static void bytes_unaligned(struct task *t)
{
	uint8_t *want = task_out(t, 16 * t->items + 1, 1), *in = task_in(t, 3 * t->items + 16, 1);

	fill(t, in, 3 * t->items + 16);
	for (unsigned g = 0; g < t->items; g++)
		for (unsigned k = 0; k < 16; k++)
			want[1 + 16 * g + k] = (uint8_t)(in[3 * g + 15 - k] ^ g);
}

static void ints_unaligned(struct task *t)
{
	uint32_t *want = task_out(t, 3 * t->items, 4), *in = task_in(t, 4 * t->items + 1, 4);

	fill(t, in, 16 * t->items + 4);
	for (unsigned g = 0; g < t->items; g++) {
		unsigned n = g / t->local[0] * t->local[0] + (g % t->local[0] + 1) % t->local[0];
		want[3 * g] = in[4 * n + 1] * 2;
		want[3 * g + 1] = n;
		want[3 * g + 2] = in[4 * n + 1];
	}
}

struct record {
	int8_t kind;
	int32_t value;
	int16_t pair[3];
	struct {
		uint8_t tag;
		uint32_t weight;
	} part[2];
	int8_t end;
};

/* Bytes of padding are zeros in inputs, and keep the pattern in outputs. */
static void structs(struct task *t)
{
	enum { N = 90 };
	struct record *want = task_out(t, N, sizeof *want), *in = task_in(t, N, sizeof *in);

	for (int i = 0; i < N; i++) {
		in[i].kind = (int8_t)task_random(t);
		in[i].value = (int32_t)task_random(t) >> 4;
		in[i].end = (int8_t)task_random(t);
		for (int k = 0; k < 3; k++)
			in[i].pair[k] = (int16_t)task_random(t);
		for (int k = 0; k < 2; k++) {
			in[i].part[k].tag = (uint8_t)task_random(t);
			in[i].part[k].weight = task_random(t);
		}
	}
	for (int i = 0; i < N; i++) {
		const struct record *r = &in[N - 1 - i];
		struct record *w = &want[i];
		bool odd = r->kind & 1;
		w->kind = (int8_t)(r->kind + i);
		w->end = (int8_t)~r->kind;
		w->value = odd ? r->value + r->pair[i % 3] : r->value;
		for (int k = 0; k < 3; k++)
			w->pair[2 - k] = !odd && k == (r->value & 1) ? (int16_t)(r->value >> 3) : r->pair[k];
		for (int k = 0; k < 2; k++) {
			w->part[k].tag = (uint8_t)(r->part[k].tag + (!odd && k == i % 2));
			w->part[k].weight = odd && !k ? r->part[1].weight * 3u : r->part[k].weight;
		}
	}
	task_s32(t, N);
}

static void double_dot(struct task *t)
{
	enum { N = 600 };
	double *want = task_out(t, t->groups[0], 8), *a = task_in(t, N, 8), *b = task_in(t, N, 8);

	memset(want, 0, 8 * t->groups[0]);
	for (unsigned i = 0; i < N; i++) {
		a[i] = (double)(task_random(t) >> 4) / 1024;
		b[i] = (double)((int)task_below(t, 20000) - 10000) / 16;
		want[i % t->items / t->local[0]] += a[i] * b[i];
	}
	task_s32(t, N);
}

static void image_sides(const struct task *t, int *width, int *height)
{
	*width = (int)(t->groups[0] * t->local[0]) - 5;
	*height = (int)(t->groups[1] * t->local[1]) - 3;
}

static void median(struct task *t)
{
	int width, height;

	image_sides(t, &width, &height);
	uint8_t *want = task_out(t, (size_t)(width * height), 1), *in = task_in(t, (size_t)(width * height), 1);
	fill(t, in, (size_t)(width * height));
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			int i = y * width + x;
			want[i] = in[i];
			if (!x || !y || x == width - 1 || y == height - 1)
				continue;
			for (int v = 0, count = 0; count < 5; v++) {    /* the fifth of the values in order */
				for (int k = 0; k < 9; k++)
					count += in[i + (k / 3 - 1) * width + k % 3 - 1] == v;
				want[i] = (uint8_t)v;
			}
		}
	task_s32(t, width);
	task_s32(t, height);
}

static void sobel(struct task *t)
{
	static const int smooth[3] = { 1, 2, 1 };
	int width, height;

	image_sides(t, &width, &height);
	uint8_t *want = task_out(t, (size_t)(2 * width * height), 1), *in = task_in(t, (size_t)(width * height), 1);
	fill(t, in, (size_t)(width * height));
	for (int y = 1; y < height - 1; y++)
		for (int x = 1; x < width - 1; x++) {
			int gx = 0, gy = 0;
			for (int k = 0; k < 9; k++) {
				int dx = k % 3 - 1, dy = k / 3 - 1, v = in[(y + dy) * width + x + dx];
				gx += dx * smooth[dy + 1] * v;
				gy += dy * smooth[dx + 1] * v;
			}
			want[2 * (y * width + x)] = (uint8_t)between(abs(gx) + abs(gy), 0, 255);
			want[2 * (y * width + x) + 1] = (uint8_t)(4 * (gy < 0) + 2 * (gx < 0) + (abs(gx) < abs(gy)));
		}
	task_s32(t, width);
	task_s32(t, height);
}

static void resize(struct task *t)
{
	enum { WIDTH = 17, HEIGHT = 13 };
	int width, height;

	image_sides(t, &width, &height);
	uint8_t *want = task_out(t, (size_t)(4 * width * height), 1), *in = task_in(t, 4 * WIDTH * HEIGHT, 1);
	fill(t, in, 4 * WIDTH * HEIGHT);
	for (int i = 0; i < 4 * width * height; i++) {
		int fx = i / 4 % width * ((WIDTH - 1) * 256 / width);
		int fy = i / 4 / width * ((HEIGHT - 1) * 256 / height);
		unsigned sum = 0;
		for (int k = 0; k < 4; k++) {
			int wx = k % 2 ? fx % 256 : 256 - fx % 256, wy = k / 2 ? fy % 256 : 256 - fy % 256;
			sum += (unsigned)(wx * wy * in[4 * ((fy / 256 + k / 2) * WIDTH + fx / 256 + k % 2) + i % 4]);
		}
		want[i] = (uint8_t)(sum / 65536);
	}
	task_s32(t, WIDTH);
	task_s32(t, HEIGHT);
	task_s32(t, width);
	task_s32(t, height);
}

static void dct(struct task *t)
{
	size_t blocks = (size_t)t->groups[0] * t->groups[1];
	int16_t *want, *start = task_inout(t, 64 * blocks, 2, &want);
	long c[8][8], rows[8][8];

	for (int k = 0; k < 8; k++)
		for (int x = 0; x < 8; x++)
			c[k][x] = lround(cos((2 * x + 1) * k * acos(-1) / 16) * (k ? 128.0 : 128.0 / sqrt(2)));
	for (size_t i = 0; i < 64 * blocks; i++)
		start[i] = (int16_t)(task_below(t, 256) - 128);
	for (size_t b = 0; b < blocks; b++) {
		for (int i = 0; i < 64; i++) {
			long sum = 0;
			for (int k = 0; k < 8; k++)
				sum += c[i % 8][k] * start[64 * b + (size_t)(i / 8 * 8 + k)];
			rows[i / 8][i % 8] = (long)floor((double)sum / 64);
		}
		for (int i = 0; i < 64; i++) {
			long sum = 0;
			for (int k = 0; k < 8; k++)
				sum += c[i / 8][k] * rows[k][i % 8];
			want[64 * b + (size_t)i] = (int16_t)floor((double)sum / 512);
		}
	}
}

/* The matrix of a quaternion: whole numbers, exact. */
static void quaternions(struct task *t)
{
	float *want, *v = task_inout(t, 4 * t->items, 4, &want), *q;

	task_close(t, 0);       /* zeros have either sign */
	q = task_in(t, 4 * t->items, 4);
	for (unsigned i = 0; i < t->items; i++) {
		int a[4], p[4];
		for (unsigned k = 0; k < 4; k++) {
			a[k] = (int)task_below(t, 21) - 10;
			p[k] = k < 3 ? (int)task_below(t, 101) - 50 : 0;
			q[4 * i + k] = (float)a[k];
			v[4 * i + k] = (float)p[k];
		}
		int x = a[0], y = a[1], z = a[2], w = a[3];
		const int m[3][3] = {
			{ w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y) },
			{ 2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x) },
			{ 2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z },
		};
		for (unsigned k = 0; k < 3; k++)
			want[4 * i + k] = (float)(m[k][0] * p[0] + m[k][1] * p[1] + m[k][2] * p[2]);
	}
}

static void life(struct task *t)
{
	enum { W = 24, H = 18, GENERATIONS = 9 };
	uint8_t *want, *start = task_inout(t, t->groups[0] * W * H, 1, &want), next[W * H];

	for (unsigned i = 0; i < t->groups[0] * W * H; i++)
		want[i] = start[i] = task_below(t, 3) == 0;
	for (unsigned g = 0; g < t->groups[0]; g++)
		for (int round = 0; round < GENERATIONS; round++) {
			uint8_t *b = want + g * W * H;
			memset(next, 0, sizeof next);
			for (int i = 0; i < 9 * W * H; i++) {   /* each cell adds 1 to itself, 2 to its neighbours */
				int cell = i / 9, x = (cell % W + i % 3 + W - 1) % W;
				int y = (cell / W + i % 9 / 3 + H - 1) % H;
				next[y * W + x] = (uint8_t)(next[y * W + x] + (i % 9 == 4 ? b[cell] : 2 * b[cell]));
			}
			for (int i = 0; i < W * H; i++)
				b[i] = next[i] >= 5 && next[i] <= 7;
		}
	task_s32(t, GENERATIONS);
}

static void newton(struct task *t)
{
	float *want = task_out(t, 2 * t->items, 4), *in;

	task_close(t, 1e-4);
	in = task_in(t, t->items, 4);
	for (unsigned i = 0; i < t->items; i++) {
		in[i] = (float)(1 + task_below(t, 100000)) / 16;
		want[2 * i] = (float)sqrt((double)in[i]);
		want[2 * i + 1] = (float)cbrt((double)in[i]);
	}
}

static void simpson(struct task *t)
{
	enum { INTERVALS = 40 };
	float *want = task_out(t, t->groups[0], 4), *c = task_in(t, 4, 4);
	const float values[4] = { 7, -3, 5, 1 };
	float sum = 0;

	memcpy(c, values, sizeof values);
	for (int x = 0; x <= INTERVALS; x++)
		sum += (float)((x % INTERVALS ? x % 2 ? 4 : 2 : 1) * (x * x * x + 5 * x * x - 3 * x + 7));
	for (unsigned g = 0; g < t->groups[0]; g++)
		want[g] = sum + (float)g;
	task_s32(t, INTERVALS);
}

#define LINES { LINE(3, 64), LINE(2, 100), LINE(1, 256) }
#define SHORT_LINES { LINE(3, 32), LINE(2, 50) }
#define PLANES { PLANE(3, 2, 16, 8), PLANE(2, 3, 10, 10) }

const struct textbook numeric_kernels[] = {
	{ "convolution", convolution, LINES },
	{ "convolution_tile", convolution_tile, { PLANE(3, 2, 8, 8), PLANE(2, 3, 5, 7) } },
	{ "heat", heat, { LINE(3, 32), LINE(2, 100), LINE(2, 256) } },
	{ "jacobi", jacobi, PLANES },
	{ "gauss_mod", gauss_mod, { LINE(3, 32), LINE(3, 50), LINE(2, 128) } },
	{ "fft", fft, { LINE(3, 32), LINE(2, 20), LINE(2, 64) } },
	{ "n_body", n_body, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ "k_means", k_means, LINES },
	{ "spmv_csr", spmv_csr, { LINE(3, 64), LINE(2, 104), LINE(1, 256) } },
	{ "spmv_ell", spmv_ell, LINES },
	{ "mandelbrot_fixed", mandelbrot_fixed, { PLANE(3, 2, 16, 8), PLANE(2, 2, 10, 10) } },
	{ "julia", julia, { LINE(6, 64), LINE(3, 100) } },
	{ "ray_sphere", ray_sphere, { LINE(6, 64), LINE(3, 100) } },
	{ "half_scale", half_scale, LINES },
	{ "half_rounding", half_rounding, LINES },
	{ "vector_three", vector_three, LINES },
	{ "bytes_unaligned", bytes_unaligned, LINES },
	{ "ints_unaligned", ints_unaligned, { LINE(3, 64), LINE(2, 100), LINE(1, 128) } },
	{ "structs", structs, SHORT_LINES },
	{ "double_dot", double_dot, LINES },
	{ "median", median, PLANES },
	{ "sobel", sobel, PLANES },
	{ "resize", resize, PLANES },
	{ "dct", dct, { PLANE(3, 2, 8, 8) } },
	{ "quaternions", quaternions, LINES },
	{ "life", life, { LINE(3, 32), LINE(2, 100), LINE(1, 256) } },
	{ "newton", newton, SHORT_LINES },
	{ "simpson", simpson, { LINE(3, 32), LINE(2, 100), LINE(1, 128) } },
	{ NULL, NULL, { LINE(0, 0) } },
};
