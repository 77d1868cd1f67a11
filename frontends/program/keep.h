/* Launches kept as files. */
#ifndef WB_FRONTENDS_PROGRAM_KEEP_H
#define WB_FRONTENDS_PROGRAM_KEEP_H

#include "frontends/program/state.h"
#include "frontends/trace/trace.h"

enum { KEPT_PATH = 512 };

/* A launch that is kept, from before its run until after. All 0: nothing is kept. */
struct kept {
	struct wb_text state;           /* what the launch has begun with */
	struct wb_file file;            /* the state as a file of `from` */
	struct trace_source from;
	struct trace_writer *trace;     /* a trace with events; NULL: none */
	char path[KEPT_PATH];           /* path of the trace with events */
};

struct keep_request {
	const struct program_launch *request;
	struct wb_launch *launch;
	uint64_t index;                 /* number of the launch in the process, from 1 */
	uint64_t times;                 /* number of the launch among those of the kernel, from 1 */
	bool studied;                   /* the option `only` leaves the launch its statistics */
};

/* Before the run: take the state, write and begin the files that the options want; each failure is a line on stderr. */
void program_keep(struct program *p, struct kept *k, const struct keep_request *q);
/* After the run: end the files. */
void program_kept(struct program *p, struct kept *k, struct wb_launch *l, const struct program_result *result);

#endif
