/* Areas of LARGE_PAGE bytes and more are mapped from the host, and zero. Smaller areas share large pages that the
 * process keeps: the kernel clears a page and answers the fault of its first touch once, not for every launch. The
 * smallest areas come from the C library, and all beyond the kept pages. */
#include "core/base/pages.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/sanitized.h"

enum { SMALL = PAGES_UNIT / 2, LINE = 64 };
enum { SPARSE = 1 << 20 };              /* smaller areas are cheaper to clear than to map again */

static size_t whole(size_t n, size_t unit)
{
	return (n + unit - 1) & ~(unit - 1);
}

/* Map somewhat more memory and give back all before the first large page and behind the last. */
static void *map_large(size_t n)
{
	uint8_t *p = mmap(NULL, n + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			  -1, 0);
	size_t before = -(uintptr_t)p & (LARGE_PAGE - 1);

	if (p == MAP_FAILED)
		return NULL;
	if (before)
		munmap(p, before);
	munmap(p + before + n, LARGE_PAGE - before);
	madvise(p + before, n, MADV_HUGEPAGE);   /* without large pages, small pages serve */
	return p + before;
}

/* ---- kept pages ---- */

enum { UNITS = LARGE_PAGE / PAGES_UNIT };

/* A page that is mapped once and never unmapped. Threads take and free units by changing `unused` at once; a process
 * forked in between finds no lock. */
struct kept_page {
	_Atomic uintptr_t base;         /* 0: not mapped yet; BEING_MAPPED: a thread maps it */
	_Atomic uint32_t unused;        /* units that no area has, one bit each */
	_Atomic uint32_t written;       /* units that an area had before, one bit each */
};
enum { BEING_MAPPED = 1 };

/* The pages belong to the process, as the C library's freed memory does: no launch sees what another has left, as
 * areas are cleared or written first. */
static struct kept_page kept[PAGES_KEPT];

static uint32_t units(unsigned n, unsigned first)
{
	return (n < UNITS ? (1u << n) - 1 : UINT32_MAX) << first;
}

/* The first of n unused units side by side; UNITS: there are none. */
static unsigned find_units(uint32_t unused, unsigned n)
{
	for (unsigned have = 1, more; have < n; have += more) {
		more = have < n - have ? have : n - have;
		unused &= unused >> more;
	}
	return unused ? (unsigned)__builtin_ctz(unused) : UNITS;
}

static void *take_units(struct kept_page *k, unsigned n, bool *zero)
{
	uint32_t unused = k->unused, taken;
	unsigned first;

	do {
		first = find_units(unused, n);
		if (first == UNITS)
			return NULL;
		taken = units(n, first);
	} while (!atomic_compare_exchange_weak(&k->unused, &unused, unused & ~taken));
	*zero = !(atomic_fetch_or(&k->written, taken) & taken);
	return (void *)(k->base + first * (uintptr_t)PAGES_UNIT);
}

/* Map a page, if no thread has begun to. False: another thread has, or the host has no memory. */
static bool map_kept(struct kept_page *k)
{
	uintptr_t none = 0;

	if (!atomic_compare_exchange_strong(&k->base, &none, BEING_MAPPED))
		return false;
	k->base = (uintptr_t)map_large(LARGE_PAGE);
	if (k->base)
		k->unused = UINT32_MAX;
	return k->base;
}

/* AddressSanitizer is to see the end of every area: all areas come from the C library. */
#ifdef ADDRESS_SANITIZER
enum { KEEPS = 0 };
#else
enum { KEEPS = 1 };
#endif

/* NULL: the kept pages are in use. */
static void *take_kept(size_t bytes, bool *zero)
{
	unsigned n = (unsigned)(whole(bytes, PAGES_UNIT) / PAGES_UNIT);
	void *p = NULL;

	for (unsigned i = 0; KEEPS && i < PAGES_KEPT && !p; i++)
		if (kept[i].base > BEING_MAPPED || map_kept(&kept[i]))
			p = take_units(&kept[i], n, zero);
	return p;
}

/* False: p is in no kept page. */
static bool free_kept(void *p, size_t bytes)
{
	uintptr_t base = (uintptr_t)p & ~((uintptr_t)LARGE_PAGE - 1);

	for (unsigned i = 0; KEEPS && p && i < PAGES_KEPT; i++) {
		if (kept[i].base != base)
			continue;
		atomic_fetch_or(&kept[i].unused, units((unsigned)(whole(bytes, PAGES_UNIT) / PAGES_UNIT),
						       (unsigned)(((uintptr_t)p - base) / PAGES_UNIT)));
		return true;
	}
	return false;
}

void *pages_take(size_t n, bool *zero)
{
	void *p = n < SMALL ? NULL : take_kept(n, zero);

	if (p)
		return p;
	*zero = false;
	return aligned_alloc(LINE, whole(n + !n, LINE));
}

void *pages_alloc(size_t n)
{
	bool zero = true;
	void *p;

	if (n > SIZE_MAX / 2)
		return NULL;
	p = n < LARGE_PAGE ? pages_take(n, &zero) : map_large(whole(n, LARGE_PAGE));
	return p && !zero ? memset(p, 0, n) : p;
}

void pages_free(void *p, size_t n)
{
	if (p && n >= LARGE_PAGE)
		munmap(p, whole(n, LARGE_PAGE));
	else if (n < SMALL || !free_kept(p, n))
		free(p);
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
