/* Models of kernels with atomics: locks, queues, stacks, tables, lists, work fetched from a counter. */
#include "tests/textbook/textbook.h"
#include "tests/textbook/themes.h"

static void lock_spin(struct task *t)
{
	uint32_t *want;

	task_inout(t, 1, 4, &want);
	task_inout(t, 2, 4, &want);
	want[0] = t->items;
	want[1] = 3 * (t->items * (t->items - 1) / 2);
}

static void bucket_locks(struct task *t)
{
	enum { N = 150, BUCKETS = 8 };
	uint32_t *want = task_out(t, t->groups[0] * BUCKETS * 2, 4), *in = task_in(t, t->groups[0] * N, 4);

	memset(want, 0, t->groups[0] * BUCKETS * 8);
	for (unsigned i = 0; i < t->groups[0] * N; i++) {
		in[i] = task_random(t);
		uint32_t *pair = want + 2 * (i / N * BUCKETS + in[i] % BUCKETS);
		pair[0] += in[i];
		pair[1] = in[i] > pair[1] ? in[i] : pair[1];
	}
	task_s32(t, N);
}

static void lock_queue(struct task *t)
{
	uint32_t *list, *length, *lock, *in;

	task_inout(t, 4 * t->items, 4, &list);
	task_unordered(t);
	task_inout(t, 1, 4, &length);
	task_inout(t, 1, 4, &lock);
	in = task_in(t, t->items, 4);
	for (unsigned i = 0; i < t->items; i++) {
		in[i] = task_random(t);
		for (unsigned k = 0; k < in[i] % 4; k++)
			list[(*length)++] = 4 * i + k;
	}
}

static void transfer_locks(struct task *t)
{
	int32_t *want, *balance = task_inout(t, 16, 4, &want);
	uint32_t *locks, *orders, n = t->items - 5;

	task_inout(t, 16, 4, &locks);
	orders = task_in(t, n, 4);
	for (int i = 0; i < 16; i++)
		want[i] = balance[i] = 1000 * i;
	for (unsigned i = 0; i < n; i++) {
		orders[i] = task_random(t);
		want[orders[i] & 15] -= (int32_t)(orders[i] >> 8 & 255);
		want[orders[i] >> 4 & 15] += (int32_t)(orders[i] >> 8 & 255);
	}
	task_s32(t, (int32_t)n);
}

static bool among(const uint32_t *list, unsigned n, uint32_t v)
{
	for (unsigned i = 0; i < n; i++)
		if (list[i] == v)
			return true;
	return false;
}

static void hash_insert(struct task *t)
{
	enum { N = 400, DISTINCT = 120 };
	uint32_t *keys, *counts, *in, distinct[DISTINCT];

	task_inout(t, 256, 4, &keys);
	task_unordered(t);
	task_inout(t, 128, 4, &counts);
	in = task_in(t, N, 4);
	for (unsigned i = 0; i < DISTINCT; i++)
		distinct[i] = task_random(t) | 1;
	unsigned n = 0;
	for (unsigned i = 0; i < N; i++) {
		in[i] = distinct[task_below(t, DISTINCT)];
		counts[in[i] % 128]++;
		if (!among(keys, n, in[i]))
			keys[n++] = in[i];
	}
	task_u32(t, N);
}

static void hash_lookup(struct task *t)
{
	enum { SLOTS = 128, KEYS = 80 };
	uint32_t n = t->items - 6, *want = task_out(t, n, 4), *table = task_in(t, 2 * SLOTS, 4), *keys;

	for (uint32_t k = 0; k < KEYS; k++) {
		uint32_t key = 3 * k * k + 1, slot = (key ^ key >> 7) % SLOTS;
		while (table[2 * slot])
			slot = (slot + 1) % SLOTS;
		table[2 * slot] = key;
		table[2 * slot + 1] = k * 17;
	}
	task_u32(t, SLOTS - 1);
	keys = task_in(t, n, 4);
	for (unsigned i = 0; i < n; i++) {
		uint32_t k = task_below(t, 100);
		keys[i] = i % 3 ? 3 * k * k + 1 : 3 * k * k + 2;
		want[i] = i % 3 && k < KEYS ? k * 17 : 0xffffffff;
	}
	task_u32(t, n);
}

/* Sum of the leaves and number of tasks below a number. */
static void split(uint32_t v, uint32_t *sum, uint32_t *tasks)
{
	++*tasks;
	if (v < 10) {
		*sum += v;
		return;
	}
	split(v / 2, sum, tasks);
	split(v - v / 2 - 1, sum, tasks);
}

static void queue_local(struct task *t)
{
	uint32_t *want = task_out(t, t->groups[0] * 2, 4), *seeds = task_in(t, t->groups[0], 4);

	memset(want, 0, t->groups[0] * 8);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		seeds[g] = 600 + task_below(t, 900);
		split(seeds[g], &want[2 * g], &want[2 * g + 1]);
	}
}

static uint32_t shrunk(uint32_t w)
{
	while (w > 100)
		w = w % 1000 / 3;
	return w;
}

static void stack_local(struct task *t)
{
	uint32_t *want = task_out(t, t->groups[0], 4), *in = task_in(t, t->items, 4);

	memset(want, 0, t->groups[0] * 4);
	for (unsigned i = 0; i < t->items; i++) {
		in[i] = task_random(t);
		want[i / t->local[0]] += shrunk(in[i]) + (in[i] % 2 ? shrunk(in[i] / 2) : 0);
	}
}

static void dynamic_work(struct task *t)
{
	enum { JOBS = 300 };
	uint32_t *want = task_out(t, JOBS, 4), *next, *jobs;

	task_inout(t, 1, 4, &next);
	*next = JOBS + t->items;
	jobs = task_in(t, JOBS, 4);
	for (unsigned i = 0; i < JOBS; i++) {
		jobs[i] = 1 + task_below(t, 5000);
		want[i] = 0;
		for (uint32_t v = jobs[i]; v != 1; want[i]++)
			v = v % 2 ? 3 * v + 1 : v / 2;
	}
	task_u32(t, JOBS);
}

static void last_block(struct task *t)
{
	uint32_t *partial, *count, *total, *in;

	task_inout(t, t->groups[0], 4, &partial);
	task_inout(t, 1, 4, &count);
	task_inout(t, 1, 4, &total);
	in = task_in(t, t->items, 4);
	*count = t->groups[0];
	for (unsigned i = 0; i < t->items; i++) {
		in[i] = task_random(t);
		partial[i / t->local[0]] += in[i] & 0xffff;
		*total += in[i] & 0xffff;
	}
}

/* The kernel fixes the roots alone, the smallest members of their sets. Edges are such that every vertex hangs at its
 * root at once: stars around the smallest member. */
static void union_find(struct task *t)
{
	enum { VERTICES = 200, EDGES = 170 };
	uint32_t *want, *parent = task_inout(t, VERTICES, 4, &want), *edges = task_in(t, 2 * EDGES, 4);

	for (uint32_t v = 0; v < VERTICES; v++)
		want[v] = parent[v] = v;
	for (unsigned i = 0; i < EDGES; i++) {
		uint32_t v = 20 + task_below(t, VERTICES - 20);
		edges[2 * i] = i % 2 ? v : v % 20;
		edges[2 * i + 1] = i % 2 ? v % 20 : v;
		want[v] = v % 20;
	}
	task_u32(t, EDGES);
}

static void float_atomic(struct task *t)
{
	enum { SUMS = 3 };
	float *want, *sums = task_inout(t, SUMS, 4, &want), *in = task_in(t, t->items, 4);

	for (int s = 0; s < SUMS; s++)
		want[s] = sums[s] = 0.5f;
	for (unsigned i = 0; i < t->items; i++) {
		in[i] = (float)((int)task_below(t, 200) - 80);
		if (in[i] > 0)
			want[i % SUMS] += in[i];
	}
	task_u32(t, SUMS);
}

static void linked_lists(struct task *t)
{
	uint32_t *sums = task_out(t, t->groups[0] * 7, 4), *lengths = task_out(t, t->groups[0] * 7, 4);
	uint32_t *in = task_in(t, t->items, 4);

	memset(sums, 0, t->groups[0] * 28);
	memset(lengths, 0, t->groups[0] * 28);
	for (unsigned i = 0; i < t->items; i++) {
		in[i] = task_random(t);
		sums[i / t->local[0] * 7 + in[i] % 7] += in[i];
		lengths[i / t->local[0] * 7 + in[i] % 7]++;
	}
}

static void semaphore(struct task *t)
{
	int32_t *units, *in_use, *largest, *uses, *start;

	start = task_inout(t, 1, 4, &units);
	*start = *units = 3;
	task_inout(t, 1, 4, &in_use);
	task_inout(t, 1, 4, &largest);
	*largest = 1;
	task_inout(t, 5, 4, &uses);
	for (unsigned i = 0; i < t->items; i++)
		uses[i % 5]++;
}

#define LINES { LINE(3, 64), LINE(2, 100), LINE(1, 256) }

const struct textbook lock_kernels[] = {
	{ "lock_spin", lock_spin, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ "bucket_locks", bucket_locks, { LINE(3, 32), LINE(2, 100), LINE(2, 128) } },
	{ "lock_queue", lock_queue, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ "transfer_locks", transfer_locks, { LINE(3, 32), LINE(1, 128), LINE(2, 50) } },
	{ "hash_insert", hash_insert, LINES },
	{ "hash_lookup", hash_lookup, LINES },
	{ "queue_local", queue_local, { LINE(3, 32), LINE(2, 100), LINE(2, 256) } },
	{ "stack_local", stack_local, LINES },
	{ "dynamic_work", dynamic_work, LINES },
	{ "last_block", last_block, { LINE(5, 64), LINE(7, 100), LINE(4, 256) } },
	{ "union_find", union_find, LINES },
	{ "float_atomic", float_atomic, LINES },
	{ "linked_lists", linked_lists, LINES },
	{ "semaphore", semaphore, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ NULL, NULL, { LINE(0, 0) } },
};
