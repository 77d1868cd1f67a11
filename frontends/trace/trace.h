/* Trace files: the events of a run, compressed and versioned (docs/reference/trace-format.md), and exports. */
#ifndef WB_FRONTENDS_TRACE_TRACE_H
#define WB_FRONTENDS_TRACE_TRACE_H

#include <stdio.h>

#include "warpbeam.h"

/* Version written; older versions are readable. Of a saved run, a trace's header and files with the state of the run
 * (wb_launch_save) in place of events. */
enum { TRACE_VERSION = 2, SAVED_VERSION = 1 };

/* ---- writing ---- */

/* The inputs of a launch, with which the trace can be run again. */
struct trace_source {
	const char *kernel;
	const struct wb_program *program;
	struct wb_config *config;
	const char *const *args;        /* ended by NULL */
	struct wb_file in;              /* a shader's vertices; no name: none */
	const struct wb_file *files;    /* nfiles more that the arguments name and the launch has not read */
	size_t nfiles;
	const struct wb_text *saved;    /* trace_save's; NULL: a trace */
};

struct trace_writer;
/* Begin the file for a record of l, which is prepared. path, l and *from must stay until trace_finish. On failure
 * returns a status and a diagnostic in *d. */
enum wb_status trace_create(const char *path, const struct wb_launch *l, const struct trace_source *from,
			    struct trace_writer **out, struct wb_diag *d);
/* The sink for wb_launch_record. */
void trace_chunk(struct trace_writer *w, const struct wb_chunk *c);
/* Write the saved run of l to a file, in whole or not at all. */
enum wb_status trace_save(const char *path, const struct wb_launch *l, const struct trace_source *from,
			  const struct wb_text *saved, struct wb_diag *d);
/* Close without a run: the file has no bytes. */
void trace_drop(struct trace_writer *w);
/* Close after the run, with its result. False: a write failed. */
bool trace_finish(struct trace_writer *w, const struct wb_report *report);

/* ---- reading ---- */

struct trace_code { uint32_t pc; char *text, *label; };

struct trace {
	void *file;                     /* gzFile */
	int version;
	char *kernel;
	uint32_t mps, slots, lanes, issue_cycles;
	size_t ncode;
	struct trace_code *code;
	struct wb_events *events;       /* of the present chunk */
	void *chunk;
	/* Inputs to run the launch again; absent in version 1. */
	char *writer;                   /* version of the Warpbeam that recorded the trace */
	size_t nfiles;
	struct wb_file *files;          /* the program first; NULL: unknown */
	size_t noptions;
	struct trace_option { char *name, *value; } *options;
	char **args;                    /* ended by NULL */
	char *in;                       /* name of the file with the vertices; NULL: none */
	struct saved_run {              /* of a file that is a saved run */
		void *bytes;            /* NULL: a trace */
		size_t size;
		uint64_t instructions, blocks, all_blocks;      /* issued; ended; of the launch */
	} saved;
	/* Known after the last event: */
	char *result, *digest;          /* as in wb_report */
};

/* Whether the file begins like a trace or a saved run; like a saved run. */
bool trace_sniff(const char *path);
bool saved_sniff(const char *path);
/* Open a trace; trace_open_any: a trace or a saved run, which has no events. */
enum wb_status trace_open(const char *path, struct trace *t, struct wb_diag *d);
enum wb_status trace_open_any(const char *path, struct trace *t, struct wb_diag *d);
/* The next event. False: the end (d->status WB_OK), or a damaged file. */
bool trace_next(struct trace *t, struct wb_event *e, struct wb_diag *d);
void trace_close(struct trace *t);
/* Text and label (NULL: none) of a pc; the nearest label at or before a pc, NULL: none. */
const struct trace_code *trace_at(const struct trace *t, uint32_t pc);
const char *trace_label(const struct trace *t, uint32_t pc, uint32_t *at);

/* ---- exports: another tool's document, event by event, from a trace file or from a run as it goes ---- */

struct export {
	const struct export_format *format;
	FILE *f;
	const struct trace *t;          /* the header: sizes, kernel, code */
	uint64_t most_bytes;            /* memory for lines that wait */
	bool ordered;                   /* events come by cycle; false: by cycle of each multiprocessor alone */
	const char *note;               /* after export_end: reason for empty output; NULL: output is not empty */
	void *state;                    /* the format's own */
};

struct export_format {
	const char *name;
	bool (*begin)(struct export *x);                           /* false: the host has no memory */
	bool (*event)(struct export *x, const struct wb_event *e); /* false: most_bytes do not suffice */
	void (*end)(struct export *x);                             /* write the rest, free the state */
};

/* The table of formats, ended by NULL. */
extern const struct export_format *const export_formats[];
/* Fill *t, which trace_close frees, with what exports need of a prepared launch. False: the host has no memory. */
bool trace_of_launch(struct trace *t, const struct wb_launch *l, const char *kernel);

/* A split of a warp's lanes, and the stack's depth after the split; open splits, innermost last. */
struct split { uint32_t pc; uint64_t depth, cycle; bool pushed; };
enum { SPLITS_MAX = 64 };
struct splits { struct split open[SPLITS_MAX]; unsigned n; };
/* Take the innermost split if this issue of the warp ended the split; call again for the next. */
bool splits_close(struct splits *s, const struct wb_event *e, struct split *out);
void splits_open(struct splits *s, const struct wb_event *e);

/* Lines that wait for their cycle: taken by cycle, lines of equal cycle in the order of adding. */
struct timed { uint64_t cycle, order; char *text; };
struct timeline {
	struct timed *line;             /* a heap */
	size_t n, cap;
	uint64_t added, bytes;          /* lines ever, bytes that the waiting lines take */
	bool failed;                    /* the host had no memory for a line */
};
void timeline_add(struct timeline *t, uint64_t cycle, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The next line before cycle `until`, whose text the caller frees; false: none. */
bool timeline_take(struct timeline *t, uint64_t until, struct timed *out);
void timeline_free(struct timeline *t);

#endif
