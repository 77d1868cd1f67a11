/* Memory by the megabyte, in large pages where the host has large pages: a fault for each small page costs more than
 * the work on its bytes. Untouched pages take no memory. */
#ifndef WB_CORE_BASE_PAGES_H
#define WB_CORE_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* PAGES_KEPT: most large pages that a process keeps, once used, for later areas. PAGES_UNIT: areas of kept pages are
 * multiples of as many bytes. PAGES_AREA: bytes of the largest area of kept pages. */
enum { LARGE_PAGE = 2 << 20, PAGES_UNIT = 1 << 16, PAGES_KEPT = 16, PAGES_AREA = 4 * LARGE_PAGE };

/* n zero bytes, aligned to a line of the host's cache. NULL: the host has no memory. */
void *pages_alloc(size_t n);
/* An area of at most PAGES_AREA bytes, in kept pages where these suffice, with bytes of any value, which the caller
 * clears or writes before reading. *zero: all bytes are 0, and untouched bytes take no memory. NULL: the host has no
 * memory. */
void *pages_take(size_t n, bool *zero);
/* Free the n bytes of pages_alloc or pages_take, or NULL. */
void pages_free(void *p, size_t n);
/* Mark an area of LARGE_PAGE bytes and more, or within one, that stays mostly untouched: memory is taken by small pages
 * when touched, and pages_clear frees the pages. pages_sparse returns p, which may be NULL. */
void *pages_sparse(void *p, size_t n);
void pages_clear(void *p, size_t n);

#endif
