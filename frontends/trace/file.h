/* What writing and reading a trace file have in common. */
#ifndef WB_FRONTENDS_TRACE_FILE_H
#define WB_FRONTENDS_TRACE_FILE_H

#include "frontends/trace/trace.h"

#define TRACE_NAME "warpbeam-trace"
#define SAVED_NAME "warpbeam-saved"     /* the first line of a saved run: the version is SAVED_VERSION */

enum { PART_MAX = 1 << 20 };           /* bytes given to zlib at once */

/* What precedes the bytes of a chunk; all little-endian. size 0 ends the events. */
struct chunk_head { uint64_t size, events, first_cycle, last_cycle; };

enum wb_status trace_refuse(struct wb_diag *d, enum wb_status status, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
