/* Zeroed areas: large ones mapped from the host, small ones from the C library. */
#include "core/base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAPPED = 1 << 17, LINE = 64 };   /* smaller areas come from the C library */
enum { SPARSE = 1 << 20 };              /* smaller areas are cheaper to clear than to map again */

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

/* Map somewhat more memory and give back all before the first large page and behind the last. */
static void *map_large(size_t n)
{
	uint8_t *p = map(n + LARGE_PAGE);
	size_t before = -(uintptr_t)p & (LARGE_PAGE - 1);

	if (!p)
		return NULL;
	if (before)
		munmap(p, before);
	munmap(p + before + n, LARGE_PAGE - before);
	madvise(p + before, n, MADV_HUGEPAGE);   /* without large pages, small pages serve */
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

/* The whole pages within p[0 … n): the first byte, and the number of bytes. */
static uint8_t *inner(void *p, size_t n, size_t *bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)p + page - 1) & ~(page - 1);
	uintptr_t to = ((uintptr_t)p + n) & ~(page - 1);

	*bytes = to > from ? to - from : 0;
	return (uint8_t *)p + (from - (uintptr_t)p);
}

void *pages_sparse(void *p, size_t n)
{
	size_t bytes;
	uint8_t *at = p && n >= SPARSE ? inner(p, n, &bytes) : NULL;

	if (at)
		madvise(at, bytes, MADV_NOHUGEPAGE);
	return p;
}

void pages_clear(void *p, size_t n)
{
	size_t bytes;
	uint8_t *at;

	if (n < SPARSE) {
		memset(p, 0, n);
		return;
	}
	at = inner(p, n, &bytes);
	if (madvise(at, bytes, MADV_DONTNEED))
		memset(at, 0, bytes);
	memset(p, 0, (size_t)(at - (uint8_t *)p));
	memset(at + bytes, 0, n - bytes - (size_t)(at - (uint8_t *)p));
}
