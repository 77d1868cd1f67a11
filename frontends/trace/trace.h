/* Trace files: the events of a run, compressed and versioned (docs/reference/trace-format.md), and what is made of
 * them. */
#ifndef WB_FRONTENDS_TRACE_TRACE_H
#define WB_FRONTENDS_TRACE_TRACE_H

#include <stdio.h>

#include "warpbeam.h"

enum { TRACE_VERSION = 1 };

/* ---- writing ---- */

struct trace_writer;
/* Record l, which has not run yet, into a file. On failure returns a status and says why in *d. */
enum wb_status trace_create(const char *path, struct wb_launch *l, const char *kernel, struct trace_writer **out,
			    struct wb_diag *d);
/* After the run: the end mark. False: something could not be written. */
bool trace_finish(struct trace_writer *w);

/* ---- reading ---- */

struct trace_code { uint32_t pc; char *text, *label; };

struct trace {
	void *file;                     /* gzFile */
	char *kernel;
	uint32_t mps, slots, lanes, issue_cycles;
	size_t ncode;
	struct trace_code *code;
	struct wb_events *events;       /* of the present chunk */
	void *chunk;
	uint64_t first_cycle;           /* of the first event of all, 0 */
};

enum wb_status trace_open(const char *path, struct trace *t, struct wb_diag *d);
/* The next event. False: the end (d->status WB_OK), or a damaged file. */
bool trace_next(struct trace *t, struct wb_event *e, struct wb_diag *d);
void trace_close(struct trace *t);
/* Text and label (NULL: none) of a pc; the nearest label at or before it, NULL if there is none. */
const struct trace_code *trace_at(const struct trace *t, uint32_t pc);
const char *trace_label(const struct trace *t, uint32_t pc, uint32_t *at);

/* ---- exports: each reads the trace to its end and writes one file; false: *d says why ---- */

bool export_perfetto(struct trace *t, FILE *f, struct wb_diag *d);
bool export_kanata(struct trace *t, FILE *f, struct wb_diag *d);
bool export_vcd(struct trace *t, FILE *f, struct wb_diag *d);
bool export_folded(struct trace *t, FILE *f, struct wb_diag *d);
bool export_jsonl(struct trace *t, FILE *f, struct wb_diag *d);
bool export_csv(struct trace *t, FILE *f, struct wb_diag *d);

/* Lines that come in any order and go out by time, those of one time in the order in which they came. */
struct timed { uint64_t cycle, order; char *text; };
struct timeline { struct timed *line; size_t n, cap; };
void timeline_add(struct timeline *t, uint64_t cycle, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void timeline_sort(struct timeline *t);
void timeline_free(struct timeline *t);

#endif
