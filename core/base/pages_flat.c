/* Zeroed areas of a host without mappings (WebAssembly). Memory only grows there: a large area is grown for, zeroed and
 * untouched by the host, and stays on a list when freed, for a later area of at most its size. Small areas come from
 * the C library. core/base/pages.c is for hosts with mappings. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/pages.h"

enum { ALIGN = 128 };           /* rows of registers and chunks of arenas begin at multiples */
enum { GROWN = 1 << 20 };       /* bytes from which an area is grown for */
enum { UNIT = 1 << 16 };        /* bytes of a page of WebAssembly */

/* A freed area. */
struct area {
	struct area *next;
	size_t size;
};

/* Memory of a module is one for all launches, as the C library's own list of freed memory. */
static struct area *freed;

static size_t whole(size_t n, size_t unit)
{
	return (n + unit - 1) & ~(unit - 1);
}

static void *reuse(size_t size)
{
	struct area **best = NULL, *area;

	for (struct area **at = &freed; *at; at = &(*at)->next)
		if ((*at)->size >= size && (!best || (*at)->size < (*best)->size))
			best = at;
	if (!best)
		return NULL;
	area = *best;
	*best = area->next;
	return area;
}

static void *grow(size_t size)
{
	size_t page = __builtin_wasm_memory_grow(0, size / UNIT);

	return page == SIZE_MAX ? NULL : (void *)(page * UNIT);
}

static void *take(size_t n, bool *zero)
{
	void *p = n < GROWN ? aligned_alloc(ALIGN, whole(n + !n, ALIGN)) : reuse(whole(n, UNIT));

	*zero = !p && n >= GROWN;
	return *zero ? grow(whole(n, UNIT)) : p;
}

void *pages_take(size_t n, bool *zero)
{
	return take(n, zero);
}

void *pages_alloc(size_t n)
{
	bool zero;
	void *p = n > SIZE_MAX / 2 ? NULL : take(n, &zero);

	return p && !zero ? memset(p, 0, n) : p;
}

void pages_free(void *p, size_t n)
{
	struct area *area = p;

	if (n < GROWN) {
		free(p);
	} else if (p) {
		*area = (struct area){ .next = freed, .size = whole(n, UNIT) };
		freed = area;
	}
}

void *pages_sparse(void *p, size_t n)
{
	(void)n;
	return p;
}

void pages_clear(void *p, size_t n)
{
	memset(p, 0, n);
}
