/* Models of kernels about strides and shared memory: reductions, scans, histograms, compaction, matrices. */
#include "tests/textbook/textbook.h"
#include "tests/textbook/themes.h"

static void fill(struct task *t, uint32_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = task_random(t);
}

static void fill_signed(struct task *t, int32_t *v, size_t n, int32_t bound)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (int32_t)task_below(t, (uint32_t)(2 * bound + 1)) - bound;
}

static void stride_saxpy(struct task *t)
{
	enum { N = 1000 };
	int32_t *want, *y = task_inout(t, N, 4, &want), *x = task_in(t, N, 4);

	fill_signed(t, x, N, 1000);
	fill_signed(t, y, N, 1000);
	for (int i = 0; i < N; i++)
		want[i] = -3 * x[i] + y[i];
	task_s32(t, -3);
	task_s32(t, N);
}

static void shared_reverse(struct task *t)
{
	enum { CHUNK = 200 };
	size_t n = t->groups[0] * CHUNK;
	uint32_t *want = task_out(t, n, 4), *in = task_in(t, n, 4);

	fill(t, in, n);
	for (size_t i = 0; i < n; i++)
		want[i] = in[i / CHUNK * CHUNK + (CHUNK - 1 - i % CHUNK)];
}

static void reduce_tree(struct task *t)
{
	int32_t *want = task_out(t, t->groups[0], 4), *in = task_in(t, t->items, 4);
	int32_t n = (int32_t)t->items - 20;

	fill_signed(t, in, t->items, 100000);
	memset(want, 0, t->groups[0] * sizeof *want);
	for (int32_t i = 0; i < n; i++)
		want[(unsigned)i / t->local[0]] += in[i];
	task_local(t, t->local[0] * 4);
	task_s32(t, n);
}

static void reduce_interleaved(struct task *t)
{
	int32_t *want = task_out(t, t->groups[0], 4), *in = task_in(t, t->items, 4);

	fill_signed(t, in, t->items, 1 << 30);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		want[g] = in[g * t->local[0]];
		for (unsigned i = 1; i < t->local[0]; i++)
			if (in[g * t->local[0] + i] > want[g])
				want[g] = in[g * t->local[0] + i];
	}
	task_local(t, t->local[0] * 4);
}

static void reduce_grid(struct task *t)
{
	enum { N = 1500 };
	uint32_t *want, *total = task_inout(t, 1, 4, &want), *in = task_in(t, N, 4);

	*total = *want = 17;
	fill(t, in, N);
	for (int i = 0; i < N; i++)
		*want += in[i];
	task_u32(t, N);
	task_local(t, t->local[0] * 4);
}

static void arg_min(struct task *t)
{
	enum { WIDTH = 301 };
	unsigned rows = t->groups[0];
	int32_t *value = task_out(t, rows, 4), *column = task_out(t, rows, 4), *m = task_in(t, rows * WIDTH, 4);

	fill_signed(t, m, rows * WIDTH, 150);
	for (unsigned r = 0; r < rows; r++) {
		column[r] = 0;
		for (int c = 1; c < WIDTH; c++)
			if (m[r * WIDTH + (unsigned)c] < m[r * WIDTH + (unsigned)column[r]])
				column[r] = c;
		value[r] = m[r * WIDTH + (unsigned)column[r]];
	}
	task_s32(t, WIDTH);
}

static void scan_hillis(struct task *t)
{
	uint32_t *want = task_out(t, t->items, 4), *in = task_in(t, t->items, 4);

	fill(t, in, t->items);
	for (unsigned i = 0; i < t->items; i++)
		want[i] = in[i] + (i % t->local[0] ? want[i - 1] : 0);
	task_local(t, t->local[0] * 8);
}

static void scan_blelloch(struct task *t)
{
	unsigned n = 2 * t->items, size = 2 * t->local[0];
	uint32_t *want = task_out(t, n, 4), *in = task_in(t, n, 4);

	fill(t, in, n);
	for (unsigned i = 0; i < n; i++)
		want[i] = i % size ? want[i - 1] + in[i - 1] : 0;
	task_local(t, size * 4);
}

static void scan_segmented(struct task *t)
{
	int32_t *want = task_out(t, t->items, 4), *in = task_in(t, t->items, 4);
	uint8_t *flags = task_in(t, t->items, 1);

	fill_signed(t, in, t->items, 9999);
	for (unsigned i = 0; i < t->items; i++) {
		flags[i] = task_below(t, 9) == 0;
		want[i] = in[i] + (flags[i] || i % t->local[0] == 0 ? 0 : want[i - 1]);
	}
}

static void histogram_private(struct task *t)
{
	enum { N = 2000, BINS = 16 };
	uint32_t *want = task_out(t, t->groups[0] * BINS, 4);
	uint8_t *in = task_in(t, N, 1);

	memset(want, 0, t->groups[0] * BINS * sizeof *want);
	for (unsigned i = 0; i < N; i++) {
		in[i] = (uint8_t)task_random(t);
		want[i % t->items / t->local[0] * BINS + in[i] / 16]++;
	}
	task_u32(t, N);
}

static void histogram_local(struct task *t)
{
	enum { N = 1024 };
	uint32_t *want, *start = task_inout(t, 64, 4, &want), *in = task_in(t, N, 4);

	start[5] = want[5] = 1000;
	for (int i = 0; i < N; i++) {
		in[i] = task_random(t) & task_random(t);
		want[in[i] % 64]++;
	}
	task_s32(t, N);
}

static void histogram_global(struct task *t)
{
	uint32_t *want, n = t->items - 13, *words;

	task_inout(t, 256, 4, &want);
	words = task_in(t, n, 4);
	for (unsigned i = 0; i < n; i++) {
		words[i] = task_random(t) & 0x0f3f07ff;
		for (int k = 0; k < 4; k++)
			want[words[i] >> (8 * k) & 255]++;
	}
	task_u32(t, n);
}

static void transpose_tile(struct task *t)
{
	unsigned width = t->groups[0] * 16 - 3, height = t->groups[1] * 16 - 7;
	uint32_t *want = task_out(t, width * height, 4), *in = task_in(t, width * height, 4);

	fill(t, in, width * height);
	for (unsigned y = 0; y < height; y++)
		for (unsigned x = 0; x < width; x++)
			want[x * height + y] = in[y * width + x];
	task_u32(t, width);
	task_u32(t, height);
}

static void matmul_tile(struct task *t)
{
	int n = (int)t->groups[0] * 8 - 5;
	size_t size = (size_t)(n * n);
	int32_t *want = task_out(t, size, 4), *a = task_in(t, size, 4), *b = task_in(t, size, 4);

	fill_signed(t, a, size, 1000);
	fill_signed(t, b, size, 1000);
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++) {
			want[y * n + x] = 0;
			for (int k = 0; k < n; k++)
				want[y * n + x] += a[y * n + k] * b[k * n + x];
		}
	task_s32(t, n);
}

/* Small whole numbers as floats: all sums are exact. */
static void matmul_float(struct task *t)
{
	enum { ROWS = 19, INNER = 33, COLUMNS = 45 };
	float *want = task_out(t, ROWS * COLUMNS, 4), *a = task_in(t, ROWS * INNER, 4), *b;

	b = task_in(t, INNER * COLUMNS, 4);
	for (int i = 0; i < ROWS * INNER; i++)
		a[i] = (float)((int)task_below(t, 41) - 20);
	for (int i = 0; i < INNER * COLUMNS; i++)
		b[i] = (float)((int)task_below(t, 41) - 20);
	for (int y = 0; y < ROWS; y++)
		for (int x = 0; x < COLUMNS; x++) {
			float sum = 0;
			for (int k = 0; k < INNER; k++)
				sum += a[y * INNER + k] * b[k * COLUMNS + x];
			want[y * COLUMNS + x] = sum;
		}
	task_u32(t, ROWS);
	task_u32(t, INNER);
	task_u32(t, COLUMNS);
}

static void compact_scan(struct task *t)
{
	int32_t *want = task_out(t, t->items, 4);
	uint32_t *counts = task_out(t, t->groups[0], 4);
	int32_t *in = task_in(t, t->items, 4);

	fill_signed(t, in, t->items, 500);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		counts[g] = 0;
		for (unsigned i = 0; i < t->local[0]; i++)
			if (in[g * t->local[0] + i] > 0)
				want[g * t->local[0] + counts[g]++] = in[g * t->local[0] + i];
	}
}

static void compact_atomic(struct task *t)
{
	enum { N = 700 };
	uint32_t *want = task_out(t, N, 4);
	task_unordered(t);
	uint32_t *count, *in;

	task_inout(t, 1, 4, &count);
	in = task_in(t, N, 4);
	fill(t, in, N);
	for (int i = 0; i < N; i++)
		if (in[i] % 2)
			want[(*count)++] = in[i];
	task_u32(t, N);
}

static void ring_rotate(struct task *t)
{
	enum { ROUNDS = 23 };
	uint32_t *want = task_out(t, t->items, 4), *in = task_in(t, t->items, 4);

	fill(t, in, t->items);
	for (unsigned i = 0; i < t->items; i++) {
		unsigned base = i / t->local[0] * t->local[0];
		uint32_t sum = 0;
		for (unsigned r = 1; r <= ROUNDS; r++) {
			uint32_t v = in[base + (i - base + r) % t->local[0]];
			sum = v % 2 ? sum + v : sum ^ v / 2;
		}
		want[i] = sum;
	}
	task_u32(t, ROUNDS);
}

static int32_t exit_value(const int32_t *tile, int size, int l)
{
	int32_t v = tile[size - 1 - l];
	int where = 0;

	if (v < 0)
		return -7;
	while (where < size && tile[where] != v && tile[where] <= v + 90)
		where++;
	return where < size && tile[where] == v ? where : 2 * v + 1000;
}

static void exit_after_barrier(struct task *t)
{
	int32_t *want = task_out(t, t->items, 4), *in = task_in(t, t->items, 4), *padded;
	int n = (int)t->items - 11, size = (int)t->local[0];

	fill_signed(t, in, t->items, 100);
	padded = calloc(t->items, 4);
	for (int i = 0; i < (int)t->items; i++)
		padded[i] = i < n ? in[i] : -1;
	for (int i = 0; i < n; i++)
		want[i] = exit_value(padded + i / size * size, size, i % size);
	free(padded);
	task_s32(t, n);
}

static uint32_t walk(uint32_t v, uint32_t steps)
{
	for (; steps > 0; steps--) {
		if (v % 4 == 2)
			return v;
		v = v % 4 == 1 ? 3 * v + 1 : v / 2 + 5;
	}
	return v;
}

/* A group of nested_barriers, all work-items in step. */
static void nested_group(uint32_t *v, uint32_t *cell, unsigned size, unsigned rounds, unsigned phases)
{
	uint32_t next[256];

	memcpy(cell, v, size * sizeof *v);
	for (unsigned r = 0; r < rounds; r++) {
		for (unsigned p = 0; p < phases; p++) {
			for (unsigned l = 0; l < size; l++)
				next[l] = walk(v[l], cell[(l + p) % size] % 7);
			memcpy(cell, next, size * sizeof *cell);
			for (unsigned l = 0; l < size; l++)
				for (unsigned k = l; k < l + cell[l] % 4; k++)
					v[l] += cell[k % size] ^ k;
		}
		for (unsigned l = 0; r == rounds / 2 && l < size; l++)
			cell[size - 1 - l] = v[l];
	}
}

static void nested_barriers(struct task *t)
{
	enum { ROUNDS = 5, PHASES = 3 };
	uint32_t *want = task_out(t, t->items, 4), *in = task_in(t, t->items, 4), cell[256];

	fill(t, in, t->items);
	memcpy(want, in, t->items * sizeof *in);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		uint32_t *v = want + g * t->local[0];
		nested_group(v, cell, t->local[0], ROUNDS, PHASES);
		for (unsigned l = 0; l < t->local[0]; l++)
			v[l] += cell[l];
	}
	task_u32(t, ROUNDS);
	task_u32(t, PHASES);
}

static void vote_count(struct task *t)
{
	unsigned groups = t->groups[0], size = t->local[0];
	uint32_t *mask = task_out(t, groups * 8, 4), *above = task_out(t, groups, 4), *key = task_in(t, t->items, 4);

	fill(t, key, t->items);
	memset(mask, 0, groups * 8 * sizeof *mask);
	for (unsigned g = 0; g < groups; g++) {
		uint32_t sum = 0;
		above[g] = 0;
		for (unsigned i = 0; i < size; i++)
			sum += key[g * size + i] & 0xffff;
		for (unsigned i = 0; i < size; i++)
			if ((key[g * size + i] & 0xffff) > sum / size) {
				mask[g * 8 + i / 32] |= 1u << i % 32;
				above[g]++;
			}
	}
}

#define LINES { LINE(3, 64), LINE(2, 100), LINE(2, 256) }

const struct textbook shared_kernels[] = {
	{ "stride_saxpy", stride_saxpy, LINES },
	{ "shared_reverse", shared_reverse, { LINE(3, 64), LINE(2, 50), LINE(2, 256) } },
	{ "reduce_tree", reduce_tree, LINES },
	{ "reduce_interleaved", reduce_interleaved, LINES },
	{ "reduce_grid", reduce_grid, LINES },
	{ "arg_min", arg_min, { LINE(3, 32), LINE(2, 96), LINE(3, 200) } },
	{ "scan_hillis", scan_hillis, LINES },
	{ "scan_blelloch", scan_blelloch, { LINE(3, 32), LINE(2, 128), LINE(2, 256) } },
	{ "scan_segmented", scan_segmented, LINES },
	{ "histogram_private", histogram_private, { LINE(3, 32), LINE(2, 100), LINE(2, 128) } },
	{ "histogram_local", histogram_local, { LINE(3, 32), LINE(2, 100), LINE(2, 256) } },
	{ "histogram_global", histogram_global, LINES },
	{ "transpose_tile", transpose_tile, { PLANE(3, 2, 16, 16), PLANE(1, 3, 16, 16) } },
	{ "matmul_tile", matmul_tile, { PLANE(3, 3, 8, 8), PLANE(4, 4, 8, 8) } },
	{ "matmul_float", matmul_float, { PLANE(3, 2, 16, 16), PLANE(2, 3, 32, 8) } },
	{ "compact_scan", compact_scan, LINES },
	{ "compact_atomic", compact_atomic, LINES },
	{ "ring_rotate", ring_rotate, { LINE(3, 32), LINE(2, 100), LINE(2, 192) } },
	{ "exit_after_barrier", exit_after_barrier, LINES },
	{ "nested_barriers", nested_barriers, { LINE(3, 64), LINE(2, 100), LINE(1, 256) } },
	{ "vote_count", vote_count, LINES },
	{ NULL, NULL, { LINE(0, 0) } },
};
