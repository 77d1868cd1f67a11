/* Areas come from large pages that the process keeps: the kernel clears a page and answers the fault of its first touch
 * once, not for every launch. The smallest areas, and areas beyond the kept pages, come from the C library or are
 * mapped from the host. */
#include "core/base/pages.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/sanitized.h"

/* ALIGN: as of chunks in kept pages and in regions, so that a state has the same gaps in each (saved runs). */
enum { SMALL = PAGES_UNIT / 2, ALIGN = 128 };
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

/* Threads take and free units by changing `unused` at once; a process forked in between finds no lock. */
struct kept_page {
	_Atomic uint32_t unused;        /* units that no area has, one bit each */
	_Atomic uint32_t written;       /* units that an area had before, one bit each */
};

/* The pages belong to the process, as the C library's freed memory does, side by side: no launch sees what another has
 * left, as areas are cleared or written first. */
static struct kept {
	_Atomic uintptr_t base;         /* 0: not mapped yet; BEING_MAPPED: a thread maps it */
	struct kept_page page[PAGES_KEPT];
} kept;
enum { BEING_MAPPED = 1 };

/* Bits of n units, fewer than a page has. */
static uint32_t units(unsigned n, unsigned first)
{
	return ((1u << n) - 1) << first;
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

/* NULL: the page has no n unused units side by side. */
static void *take_units(unsigned index, unsigned n, bool *zero)
{
	struct kept_page *k = &kept.page[index];
	uint32_t unused = k->unused, taken;
	unsigned first;

	do {
		first = find_units(unused, n);
		if (first == UNITS)
			return NULL;
		taken = units(n, first);
	} while (!atomic_compare_exchange_weak(&k->unused, &unused, unused & ~taken));
	*zero = !(atomic_fetch_or(&k->written, taken) & taken);
	return (void *)(kept.base + index * (uintptr_t)LARGE_PAGE + first * (uintptr_t)PAGES_UNIT);
}

/* n whole pages from page `index` on. NULL: one is in use. */
static void *take_pages(unsigned index, unsigned n, bool *zero)
{
	unsigned taken = 0;

	for (uint32_t all = UINT32_MAX; taken < n; taken++)
		if (!atomic_compare_exchange_strong(&kept.page[index + taken].unused, &all, 0))
			break;
	if (taken < n) {
		while (taken--)
			kept.page[index + taken].unused = UINT32_MAX;
		return NULL;
	}
	*zero = true;
	for (unsigned i = index; i < index + n; i++)
		*zero &= !atomic_exchange(&kept.page[i].written, UINT32_MAX);
	return (void *)(kept.base + index * (uintptr_t)LARGE_PAGE);
}

/* Map the pages, if no thread has begun to. False: another thread is about to, or the host has no memory. */
static bool map_kept(void)
{
	uintptr_t none = 0;
	void *p;

	if (!atomic_compare_exchange_strong(&kept.base, &none, BEING_MAPPED))
		return none > BEING_MAPPED;
	p = map_large((size_t)PAGES_KEPT * LARGE_PAGE);
	for (unsigned i = 0; p && i < PAGES_KEPT; i++)
		kept.page[i].unused = UINT32_MAX;
	kept.base = (uintptr_t)p;
	return p;
}

/* AddressSanitizer is to see the end of every area: all areas come from the C library. */
#ifdef ADDRESS_SANITIZER
enum { KEEPS = 0 };
#else
enum { KEEPS = 1 };
#endif

static unsigned units_of(size_t bytes)
{
	return (unsigned)(whole(bytes, PAGES_UNIT) / PAGES_UNIT);
}

/* NULL: the kept pages are in use. Small areas are taken from the first page on, large ones from the last. */
static void *take_kept(size_t bytes, bool *zero)
{
	unsigned n = units_of(bytes), pages = (n + UNITS - 1) / UNITS;
	void *p = NULL;

	if (!KEEPS || (kept.base <= BEING_MAPPED && !map_kept()))
		return NULL;
	for (unsigned i = 0; i + pages <= PAGES_KEPT && !p; i++)
		p = n < UNITS ? take_units(i, n, zero) : take_pages(PAGES_KEPT - pages - i, pages, zero);
	return p;
}

/* False: p is in no kept page. */
static bool free_kept(void *p, size_t bytes)
{
	uintptr_t offset = (uintptr_t)p - kept.base;
	unsigned n = units_of(bytes), index = (unsigned)(offset / LARGE_PAGE);

	if (!p || kept.base <= BEING_MAPPED || offset >= (uintptr_t)PAGES_KEPT * LARGE_PAGE)
		return false;
	if (n < UNITS)
		atomic_fetch_or(&kept.page[index].unused, units(n, (unsigned)(offset % LARGE_PAGE / PAGES_UNIT)));
	for (unsigned i = 0; n >= UNITS && i < (n + UNITS - 1) / UNITS; i++)
		kept.page[index + i].unused = UINT32_MAX;
	return true;
}

void *pages_take(size_t n, bool *zero)
{
	void *p = n < SMALL ? NULL : take_kept(n, zero);

	if (p)
		return p;
	*zero = n >= LARGE_PAGE;
	return *zero ? map_large(whole(n, LARGE_PAGE)) : aligned_alloc(ALIGN, whole(n + !n, ALIGN));
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
	if (n >= SMALL && free_kept(p, n))
		return;
	if (p && n >= LARGE_PAGE)
		munmap(p, whole(n, LARGE_PAGE));
	else
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
