/* Zeroed areas: large ones mapped from the host, small ones from the C library. */
#include "core/base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAPPED = 1 << 17, LINE = 64 };   /* smaller areas come from the C library */

static size_t whole(size_t n, size_t unit)
{
	return (n + unit - 1) & ~(unit - 1);
}

static void *small(size_t n)
{
	void *p = aligned_alloc(LINE, whole(n + !n, LINE));

	return p ? memset(p, 0, n) : NULL;
}

static void *map(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Of somewhat more memory all is given back but what begins where a large page may. */
static void *map_large(size_t n)
{
	uint8_t *p = map(n + LARGE_PAGE);
	size_t before = -(uintptr_t)p & (LARGE_PAGE - 1);

	if (!p)
		return NULL;
	if (before)
		munmap(p, before);
	munmap(p + before + n, LARGE_PAGE - before);
	madvise(p + before, n, MADV_HUGEPAGE);   /* if they cannot be had, small pages do */
	return p + before;
}

void *pages_alloc(size_t n)
{
	if (n > SIZE_MAX / 2)
		return NULL;
	return n < MAPPED ? small(n) : n < LARGE_PAGE ? map(n) : map_large(whole(n, LARGE_PAGE));
}

void pages_free(void *p, size_t n)
{
	if (n < MAPPED)
		free(p);
	else if (p)
		munmap(p, n < LARGE_PAGE ? n : whole(n, LARGE_PAGE));
}
