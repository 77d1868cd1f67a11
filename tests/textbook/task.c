/* Inputs and expectations of textbook kernels: arguments, random numbers, comparison. */
#include "tests/textbook/textbook.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { PATTERN = 0xa5 };

/* ---- making tasks ---- */

static struct argument *add(struct task *t, size_t n, size_t element)
{
	struct argument *a = &t->argument[t->narguments++];

	a->element = element;
	a->bytes = n * element;
	a->start = calloc(n + 1, element);
	a->want = calloc(n + 1, element);
	t->failed = t->failed || !a->start || !a->want;
	if (t->failed)
		abort();        /* a test without memory has no result */
	snprintf(a->word, sizeof a->word, "zero=%zu", a->bytes);
	return a;
}

void *task_in(struct task *t, size_t n, size_t element)
{
	struct argument *a = add(t, n, element);

	free(a->want);
	a->want = NULL;
	return a->start;
}

void *task_out(struct task *t, size_t n, size_t element)
{
	struct argument *a = add(t, n, element);

	memset(a->start, PATTERN, a->bytes);
	memset(a->want, PATTERN, a->bytes);
	return a->want;
}

void *task_inout(struct task *t, size_t n, size_t element, void *want)
{
	struct argument *a = add(t, n, element);

	memcpy(want, &a->want, sizeof a->want);
	return a->start;
}

void task_scratch(struct task *t, size_t bytes)
{
	add(t, bytes, 1)->agreement = UNCHECKED;
}

void task_unordered(struct task *t)
{
	t->argument[t->narguments - 1].agreement = UNORDERED;
}

void task_close(struct task *t, double tolerance)
{
	t->argument[t->narguments - 1].agreement = CLOSE;
	t->argument[t->narguments - 1].tolerance = tolerance;
}

static struct argument *add_scalar(struct task *t, uint64_t bits, unsigned bytes)
{
	struct argument *a = &t->argument[t->narguments++];

	a->scalar[0] = (uint32_t)bits;
	a->scalar[1] = (uint32_t)(bits >> 32);
	a->scalar_bytes = bytes;
	snprintf(a->word, sizeof a->word, "u%u=%" PRIu64, 8 * bytes, bits);
	return a;
}

void task_u32(struct task *t, uint32_t value)
{
	add_scalar(t, value, 4);
}

void task_s32(struct task *t, int32_t value)
{
	struct argument *a = add_scalar(t, (uint32_t)value, 4);

	snprintf(a->word, sizeof a->word, "s32=%" PRId32, value);
}

void task_f32(struct task *t, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, 4);
	struct argument *a = add_scalar(t, bits, 4);
	snprintf(a->word, sizeof a->word, "f32=%a", (double)value);
}

void task_u64(struct task *t, uint64_t value)
{
	add_scalar(t, value, 8);
}

void task_local(struct task *t, size_t bytes)
{
	struct argument *a = &t->argument[t->narguments++];

	a->bytes = bytes;
	snprintf(a->word, sizeof a->word, "local=%zu", bytes);
}

uint32_t task_random(struct task *t)
{
	t->random = t->random * 6364136223846793005ull + 1442695040888963407ull;
	uint64_t z = t->random ^ t->random >> 29;
	return (uint32_t)(z * 0x9fb21c651e98df25ull >> 32);
}

uint32_t task_below(struct task *t, uint32_t n)
{
	return (uint32_t)((uint64_t)task_random(t) * n >> 32);
}

bool task_begin(struct task *t, const struct textbook *k, const struct shape *s)
{
	*t = (struct task){ .items = s->groups[0] * s->local[0] };
	memcpy(t->groups, s->groups, sizeof t->groups);
	memcpy(t->local, s->local, sizeof t->local);
	for (const char *c = k->name; *c; c++)
		t->random = t->random * 31 + (unsigned char)*c;
	k->setup(t);
	return !t->failed;
}

void task_end(struct task *t)
{
	for (unsigned i = 0; i < t->narguments; i++) {
		free(t->argument[i].start);
		free(t->argument[i].want);
	}
	*t = (struct task){ 0 };
}

/* ---- comparison ---- */

static int by_word(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static bool close_floats(const struct argument *a, const float *found, char *text, size_t size)
{
	const float *want = a->want;

	for (size_t i = 0; i < a->bytes / 4; i++) {
		double f = (double)found[i], w = (double)want[i], limit = a->tolerance * fmax(1, fabs(w));
		if (!(fabs(f - w) <= limit) && !(isnan(f) && isnan(w)) && !(isinf(w) && w == f)) {
			snprintf(text, size, "element %zu is %.9g, expected %.9g", i, f, w);
			return false;
		}
	}
	return true;
}

static uint64_t element_bits(const void *p, size_t i, size_t element)
{
	uint64_t bits = 0;

	memcpy(&bits, (const char *)p + i * element, element < 8 ? element : 8);
	return bits;
}

static bool same_bytes(const struct argument *a, const void *found, const void *want, char *text, size_t size)
{
	size_t wrong = 0, n = a->bytes / a->element, where = n;

	for (size_t i = 0; i < n; i++)
		if (memcmp((const char *)found + i * a->element, (const char *)want + i * a->element, a->element)) {
			where = wrong ? where : i;
			wrong++;
		}
	if (wrong)
		snprintf(text, size, "%zu of %zu elements differ; %zu is 0x%" PRIx64 ", expected 0x%" PRIx64, wrong, n,
			 where, element_bits(found, where, a->element), element_bits(want, where, a->element));
	return !wrong;
}

bool task_agrees(const struct task *t, unsigned argument, void *found, char *text, size_t size)
{
	const struct argument *a = &t->argument[argument];
	const void *want = a->want ? a->want : a->start;
	char what[160] = "";
	bool same = true;

	switch (a->agreement) {
	case CLOSE: same = close_floats(a, found, what, sizeof what); break;
	case UNORDERED:
		qsort(found, a->bytes / 4, 4, by_word);
		qsort(a->want, a->bytes / 4, 4, by_word);
		same = same_bytes(a, found, want, what, sizeof what);
		break;
	case EXACT: same = same_bytes(a, found, want, what, sizeof what); break;
	case UNCHECKED: break;
	}
	if (!same)
		snprintf(text, size, "argument %u: %s", argument, what);
	return same;
}
