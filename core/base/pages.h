/* Memory by the megabyte, in large pages where the host has large pages: a fault for each small page costs more than
 * the work on its bytes. Untouched pages take no memory. */
#ifndef WB_CORE_BASE_PAGES_H
#define WB_CORE_BASE_PAGES_H

#include <stddef.h>

enum { LARGE_PAGE = 2 << 20 };

/* n zero bytes, aligned to a line of the host's cache. NULL: the host has no memory. */
void *pages_alloc(size_t n);
/* Free the bytes of pages_alloc(n), or NULL. */
/* Mark an area that stays mostly untouched: memory is taken by small pages when touched, and pages_clear frees the
 * pages. pages_sparse returns p, which may be NULL. */
void *pages_sparse(void *p, size_t n);
void pages_clear(void *p, size_t n);
void pages_free(void *p, size_t n);

#endif
