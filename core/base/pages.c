#include "core/base/pages.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 };

void *pages_alloc(size_t n)
{
	size_t all = (n + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
	void *p = n < LARGE_PAGE ? malloc(n) : aligned_alloc(LARGE_PAGE, all);

	if (p && n >= LARGE_PAGE)
		madvise(p, all, MADV_HUGEPAGE);   /* if it cannot be had, small pages do */
	return p;
}
