/* Models of kernels that sort, merge and select. */
#include "tests/textbook/textbook.h"
#include "tests/textbook/themes.h"

static int by_int(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

static int by_uint(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int by_short(const void *a, const void *b)
{
	return *(const int16_t *)a - *(const int16_t *)b;
}

static int by_byte(const void *a, const void *b)
{
	return *(const uint8_t *)a - *(const uint8_t *)b;
}

/* Random bytes in n elements, and the same sorted in segments. */
static void sorted_segments(struct task *t, void *start, void *want, size_t n, size_t element, size_t segment,
			    uint32_t mask, int (*compare)(const void *, const void *))
{
	for (size_t i = 0; i < n; i++) {
		uint32_t v = task_random(t) & mask;
		memcpy((char *)start + i * element, &v, element);
	}
	memcpy(want, start, n * element);
	for (size_t i = 0; i < n; i += segment)
		qsort((char *)want + i * element, segment, element, compare);
}

static void bitonic(struct task *t)
{
	void *want, *start = task_inout(t, t->groups[0] * 256, 4, &want);

	sorted_segments(t, start, want, t->groups[0] * 256, 4, 256, 0xffffffff, by_uint);
}

static void odd_even_sort(struct task *t)
{
	void *want, *start = task_inout(t, t->items, 4, &want);

	sorted_segments(t, start, want, t->items, 4, t->local[0], 0xffffffff, by_int);
	task_local(t, t->local[0] * 4);
}

static void merge_sort(struct task *t)
{
	size_t n = t->groups[0] * 256;
	void *want = task_out(t, n, 4), *in = task_in(t, n, 4);

	sorted_segments(t, in, want, n, 4, 256, 0x80000fff, by_int);
}

static void radix_sort(struct task *t)
{
	void *want, *start = task_inout(t, t->items, 4, &want);

	sorted_segments(t, start, want, t->items, 4, t->local[0], 0x3ff, by_uint);
	task_u32(t, 10);
}

static void rank_sort(struct task *t)
{
	uint32_t n = t->items - 9;
	void *want = task_out(t, n, 4), *in = task_in(t, n, 4);

	sorted_segments(t, in, want, n, 4, n, 0x8000003f, by_int);
	task_u32(t, n);
}

static void insertion_sort(struct task *t)
{
	void *want, *start = task_inout(t, t->items * 12, 2, &want);

	sorted_segments(t, start, want, t->items * 12, 2, 12, 0xffff, by_short);
}

static void shell_sort(struct task *t)
{
	enum { ROW = 50 };
	void *want, *start = task_inout(t, t->items * ROW, 4, &want);

	sorted_segments(t, start, want, t->items * ROW, 4, ROW, 0xff0000ff, by_int);
	task_s32(t, ROW);
}

static void counting_sort(struct task *t)
{
	enum { CHUNK = 9 };
	size_t n = t->items * CHUNK, segment = t->local[0] * CHUNK, next = 0;
	uint8_t *want = task_out(t, n, 1), *in = task_in(t, n, 1);

	for (size_t i = 0; i < n; i++)
		in[i] = (uint8_t)task_random(t);
	for (size_t base = 0; base < n; base += segment)
		for (unsigned key = 0; key < 16; key++)
			for (size_t i = base; i < base + segment; i++)
				if (in[i] % 16 == key)
					want[next++] = in[i];
	task_s32(t, CHUNK);
}

static void quicksort(struct task *t)
{
	void *want, *start = task_inout(t, t->items * 40, 4, &want);

	sorted_segments(t, start, want, t->items * 40, 4, 40, 0x8000007f, by_int);
}

static void heap_sort(struct task *t)
{
	void *want = task_out(t, t->items * 15, 1), *in = task_in(t, t->items * 15, 1);

	sorted_segments(t, in, want, t->items * 15, 1, 15, 0xff, by_byte);
	task_local(t, t->local[0] * 15);
}

static void merge_path(struct task *t)
{
	enum { NA = 333, NB = 250 };
	int32_t *want = task_out(t, NA + NB, 4), *a = task_in(t, NA, 4), *b, part = (NA + NB) / (int)t->items + 1;

	for (int i = 0; i < NA; i++)
		a[i] = (int32_t)task_below(t, 300) - 100;
	qsort(a, NA, 4, by_int);
	task_s32(t, NA);
	b = task_in(t, NB, 4);
	for (int i = 0; i < NB; i++)
		b[i] = (int32_t)task_below(t, 300) - 50;
	qsort(b, NB, 4, by_int);
	task_s32(t, NB);
	memcpy(want, a, NA * 4);
	memcpy(want + NA, b, NB * 4);
	qsort(want, NA + NB, 4, by_int);
	task_s32(t, part);
}

static void network_sort(struct task *t)
{
	void *want, *start = task_inout(t, t->items * 8, 4, &want);

	sorted_segments(t, start, want, t->items * 8, 4, 8, 0xffffffff, by_int);
}

static void top_k(struct task *t)
{
	enum { N = 1700 };
	uint32_t *want = task_out(t, t->groups[0] * 4, 4), *in = task_in(t, N, 4), *part;

	part = calloc(N, 4);
	for (int i = 0; i < N; i++)
		in[i] = task_random(t);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		unsigned n = 0;
		for (unsigned i = 0; i < N; i++)
			if (i % t->items / t->local[0] == g)
				part[n++] = in[i];
		qsort(part, n, 4, by_uint);
		for (unsigned k = 0; k < 4; k++)
			want[4 * g + k] = part[n - 1 - k];
	}
	free(part);
	task_u32(t, N);
}

#define LINES { LINE(3, 64), LINE(2, 100), LINE(1, 256) }

const struct textbook sorting_kernels[] = {
	{ "bitonic", bitonic, { LINE(2, 128), LINE(2, 100), LINE(2, 256) } },
	{ "odd_even_sort", odd_even_sort, { LINE(3, 32), LINE(2, 77), LINE(2, 128) } },
	{ "merge_sort", merge_sort, { LINE(3, 32), LINE(2, 100), LINE(2, 128) } },
	{ "radix_sort", radix_sort, { LINE(3, 64), LINE(2, 100), LINE(2, 256) } },
	{ "rank_sort", rank_sort, LINES },
	{ "insertion_sort", insertion_sort, { LINE(3, 32), LINE(2, 50) } },
	{ "shell_sort", shell_sort, { LINE(3, 32), LINE(2, 50) } },
	{ "counting_sort", counting_sort, { LINE(3, 32), LINE(2, 50), LINE(2, 64) } },
	{ "quicksort", quicksort, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ "heap_sort", heap_sort, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ "merge_path", merge_path, LINES },
	{ "network_sort", network_sort, LINES },
	{ "top_k", top_k, { LINE(3, 32), LINE(2, 100), LINE(2, 128) } },
	{ NULL, NULL, { LINE(0, 0) } },
};
