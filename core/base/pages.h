/* Memory for large rings that are written once from end to end: in large pages where the host has them, as faults for
 * small ones would cost more than what is written. */
#ifndef WB_CORE_BASE_PAGES_H
#define WB_CORE_BASE_PAGES_H

#include <stddef.h>

/* n bytes of anything, for free(). NULL: the host has no memory. */
void *pages_alloc(size_t n);

#endif
