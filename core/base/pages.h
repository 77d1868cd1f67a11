/* Memory by the megabyte, in large pages where the host has them: a fault for each small one costs more than what is
 * done with its bytes. What is never touched takes none. */
#ifndef WB_CORE_BASE_PAGES_H
#define WB_CORE_BASE_PAGES_H

#include <stddef.h>

enum { LARGE_PAGE = 2 << 20 };

/* n zero bytes, that begin a line of the host's cache. NULL: the host has no memory. */
void *pages_alloc(size_t n);
/* Give back what pages_alloc(n) gave, or NULL. */
/* Of an area of private memory that mostly stays untouched: it takes memory by small pages, as they are touched, and
 * clearing it gives them back. pages_sparse returns p, which may be NULL. */
void *pages_sparse(void *p, size_t n);
void pages_clear(void *p, size_t n);
void pages_free(void *p, size_t n);

#endif
