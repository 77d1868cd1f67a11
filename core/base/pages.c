#include "core/base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static size_t whole(size_t n)
{
	return (n + LARGE_PAGE - 1) & ~((size_t)LARGE_PAGE - 1);
}

/* The host gives memory in small pages: of somewhat more, all is given back but what begins where a large page may. */
static void *map(size_t n)
{
	size_t more = n + LARGE_PAGE, before;
	uint8_t *p = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)p & (LARGE_PAGE - 1);
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
	return n < LARGE_PAGE ? calloc(1, n ? n : 1) : map(whole(n));
}

void pages_free(void *p, size_t n)
{
	if (n < LARGE_PAGE)
		free(p);
	else if (p)
		munmap(p, whole(n));
}
