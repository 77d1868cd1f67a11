/* The text of a program that a test writes piece by piece, perhaps drawn at random. */
#ifndef WB_TESTS_KIT_TEXT_H
#define WB_TESTS_KIT_TEXT_H

#include <stdarg.h>
#include <stdio.h>

#include "core/base/rng.h"
#include "tests/kit/cmocka_all.h"

struct text {
	char bytes[1 << 16];
	size_t n;
	uint64_t random;                /* state of the draws */
};

static inline __attribute__((format(printf, 2, 3))) void put(struct text *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	t->n += (size_t)vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, format, ap);
	va_end(ap);
	assert_true(t->n < sizeof t->bytes);
}

/* A number below n. */
static inline unsigned below(struct text *t, unsigned n)
{
	return (unsigned)rng_below(&t->random, n);
}

#endif
