/* A sweep: a program over a grid of points, each a run under its own settings, by many workers, into a table in the
 * order of the plan. docs/reference/sweep.md has the format of plan and table. */
#ifndef WB_FRONTENDS_CLI_SWEEP_H
#define WB_FRONTENDS_CLI_SWEEP_H

#include <jansson.h>

#include "frontends/cli/cli.h"

/* ---- Hashes (sweep_plan.c) ---- */

enum { HASH_TEXT = 17 };
#define HASH_START UINT64_C(0xcbf29ce484222325)
/* FNV-1a, 64 bits: continue a hash (HASH_START: none) with n bytes. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n);
void hash_text(uint64_t hash, char text[HASH_TEXT]);
/* The hash of a file's bytes; false: it cannot be read. */
bool hash_file(const char *path, char text[HASH_TEXT]);
void hash_line(const char *line, size_t n, char text[HASH_TEXT]);

/* ---- The plan (sweep_plan.c) ---- */

struct axis {
	json_t *values; /* an array of objects with equal members: the settings of each step */
};

struct plan {
	const char *path;
	json_t *document;
	json_t *settings; /* settings of every point, borrowed from the document; NULL: none */
	json_t *columns;  /* names of reported columns */
	struct axis *axes;
	size_t naxes;
	unsigned long points;
	char settings_hash[HASH_TEXT]; /* hash of plan, options and version */
	char whole_hash[HASH_TEXT];    /* the same with the bytes of the programs */
};

/* Kind of a setting: all but SETTING_OPTION concern no option of a run. */
enum setting_kind { SETTING_OPTION, SETTING_FILE, SETTING_VERTICES, SETTING_ARGUMENTS, SETTING_ARGUMENT };
enum setting_kind setting_kind(const char *name);

/* Read and check a plan, trying every setting on a copy of `config` with the options of the command line. Changes to
 * the plan's folder, because file names in a plan are relative. For a program `path`, the plan is `given`: an object
 * with members of a plan from the command line, to which "file" is added. False: the error was printed. */
bool plan_open(struct plan *p, const char *path, json_t *given, const struct wb_config *config,
	       enum wb_status *status);
void plan_close(struct plan *p);
/* The settings of a point, a new object. The last axis moves fastest. */
json_t *plan_point(const struct plan *p, unsigned long index);
/* Apply run options among the settings to a configuration. */
enum wb_status plan_apply(const json_t *settings, struct wb_config *config, struct wb_diag *d);
/* A setting's value as text, for tables and options; the caller frees it. */
char *setting_text(const json_t *value);

/* The second half of plan_open: read the parsed document into the rest of *p (sweep_read.c). text: the document's
 * source, for lines in messages. False: the error has been printed. */
bool plan_read(struct plan *p, const char *text, const struct wb_config *config);

/* ---- One point (sweep_point.c) ---- */

/* Whether a report can have the column. `near` gets the nearest name, "" if none is near. */
bool column_known(const char *name, char *near, size_t size);

/* Run a point. The row, a new object: {"point", "result", "exit", "message", "values": […]}, and of a run "files":
 * {name: hash} of all files read. */
json_t *point_run(const struct plan *p, const struct wb_config *config, unsigned long index);
/* The row of a point that could not be run. */
json_t *point_failed(const struct plan *p, unsigned long index, enum wb_status status, const char *why);

/* ---- The local workers (sweep_workers.c) ---- */

struct worker {
	int pid, socket;
	bool busy;
	unsigned long point;
};

struct worker_pool {
	const struct plan *plan;
	const struct wb_config *config;
	struct worker *workers;
	unsigned n;
};

/* Start n processes that run points. False: the host cannot, and the error has been printed. */
bool pool_start(struct worker_pool *c, unsigned n, const struct plan *p, const struct wb_config *config);
/* Assign a point to a worker that is not busy. */
void pool_assign(struct worker_pool *c, unsigned worker, unsigned long point);
/* Wait until a worker has finished, at most `milliseconds`. The row is new; NULL: timeout. A dead worker is replaced,
 * and its point failed. */
json_t *pool_wait(struct worker_pool *c, int milliseconds, unsigned *worker);
void pool_stop(struct worker_pool *c);

/* ---- The points and their rows (sweep.c) ---- */

struct sweep {
	bool quiet;             /* no message about kept rows */
	const struct plan *plan;
	json_t **rows; /* by point; NULL: not finished */
	unsigned long next, finished;
	FILE *journal; /* NULL: no journal */
	json_t *files; /* {name: hash}, from the journal */
};

/* The next point not yet assigned; false: no more. */
bool sweep_next(struct sweep *s, unsigned long *point);
/* A finished point; takes the reference. */
void sweep_add_row(struct sweep *s, json_t *row);

/* ---- The table (sweep_table.c) ---- */

enum wb_status table_write(const struct sweep *s, const char *path, bool json);
/* Print a line with the point of the fewest cycles (without the column, instructions), and its ratio to the first
 * point, or to the worst if the first point is best. */
void table_verdict(const struct sweep *s, FILE *f);

/* ---- Other machines (sweep_ranks.c) ---- */

struct ranks {
	const struct transport *transport; /* NULL: one rank alone */
	int rank, size;
	unsigned remote; /* rank 0: workers of the other ranks not yet released */
};

/* Whether mpirun has started this process among several (sweep.c). */
bool ranks_wanted(void);
/* Join the other ranks. All must have the same plan. */
enum wb_status ranks_open(struct ranks *t, const struct worker_pool *c);
/* Rank 0: answer waiting requests; with s NULL, release the workers. */
void ranks_serve(struct ranks *t, struct sweep *s);
/* The other ranks: run the points that rank 0 assigns, to the end. */
void ranks_work(const struct ranks *t, struct worker_pool *c);
/* Release the remaining workers, and end MPI. */
void ranks_close(struct ranks *t);

#endif
