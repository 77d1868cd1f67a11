/* A sweep: one program over a grid of points, each a run under its own settings, by many workers, into one table in
 * the order of the plan. docs/reference/sweep.md is the format of a plan and of the table. */
#ifndef WB_FRONTENDS_CLI_SWEEP_H
#define WB_FRONTENDS_CLI_SWEEP_H

#include <jansson.h>

#include "frontends/cli/cli.h"

/* ---- Hashes (sweep_plan.c) ---- */

enum { HASH_TEXT = 17 };
#define HASH_START UINT64_C(0xcbf29ce484222325)
/* FNV-1a, 64 bits: the hash of what came before (HASH_START: nothing) and n bytes more. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n);
void hash_text(uint64_t hash, char text[HASH_TEXT]);
/* The hash of a file's bytes; false: it cannot be read. */
bool hash_file(const char *path, char text[HASH_TEXT]);
void hash_line(const char *line, size_t n, char text[HASH_TEXT]);

/* ---- The plan (sweep_plan.c) ---- */

struct axis {
	json_t *values; /* an array of objects that all have the same members: the settings of each step */
};

struct plan {
	const char *path;
	json_t *document;
	json_t *settings; /* those of every point; borrowed from the document, NULL if there are none */
	json_t *columns;  /* names of what is reported of a run */
	struct axis *axes;
	size_t naxes;
	unsigned long points;
	char settings_hash[HASH_TEXT]; /* of what the results depend on: plan, options, version */
	char whole_hash[HASH_TEXT];    /* of that and the bytes of the programs */
};

/* What a setting is: all but SETTING_OPTION concern no option of a run. */
enum setting_kind { SETTING_OPTION, SETTING_FILE, SETTING_VERTICES, SETTING_ARGUMENTS, SETTING_ARGUMENT };
enum setting_kind setting_kind(const char *name);

/* Read and check a plan; every setting is tried on a copy of `config`, which has the options of the command line. From
 * then on the process stands in the plan's folder, from where its file names count. False: the error was printed. */
bool plan_open(struct plan *p, const char *path, const struct wb_config *config, enum wb_status *status);
void plan_close(struct plan *p);
/* The settings of a point, a new object. The last axis moves fastest. */
json_t *plan_point(const struct plan *p, unsigned long index);
/* Apply settings to a configuration; those that concern no option are left out. */
enum wb_status plan_apply(const json_t *settings, struct wb_config *config, struct wb_diag *d);
/* A setting's value as text, for tables and options; the caller frees it. */
char *setting_text(const json_t *value);

/* The part of plan_open that reads the document, which has been parsed, and fills in the rest of *p (sweep_read.c).
 * text: what it was parsed from, for the places in messages. False: the error has been printed. */
bool plan_read(struct plan *p, const char *text, const struct wb_config *config);

/* ---- One point (sweep_point.c) ---- */

/* Whether some report has a column of that name. `near` is the name of the nearest one, "" if none is near. */
bool column_known(const char *name, char *near, size_t size);

/* Run a point. The row, a new object: {"point", "result", "exit", "message", "values": […]}, and of a run "files":
 * {name: hash}, all that it has read. */
json_t *point_run(const struct plan *p, const struct wb_config *config, unsigned long index);
/* The row of a point that could not be run. */
json_t *point_failed(const struct plan *p, unsigned long index, enum wb_status status, const char *why);

/* ---- The workers of this machine (sweep_workers.c) ---- */

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
/* Wait until a worker has finished, at most so many milliseconds. The row is new; NULL: none has. A worker that died
 * is replaced, and its point failed. */
json_t *pool_wait(struct worker_pool *c, int milliseconds, unsigned *worker);
void pool_stop(struct worker_pool *c);

/* ---- The points and their rows (sweep.c) ---- */

struct sweep {
	bool quiet;             /* no word of what is kept */
	const struct plan *plan;
	json_t **rows; /* by point; NULL: not finished */
	unsigned long next, finished;
	FILE *journal; /* NULL: none is kept */
	json_t *files; /* {name: hash}, as the journal has it */
};

/* The next point that no worker has had; false: there are no more. */
bool sweep_next(struct sweep *s, unsigned long *point);
/* A finished point; takes the reference. */
void sweep_add_row(struct sweep *s, json_t *row);

/* ---- The table (sweep_table.c) ---- */

enum wb_status table_write(const struct sweep *s, const char *path, bool json);
/* One line that says which point took the fewest cycles (without that column, instructions), and by how much. */
void table_verdict(const struct sweep *s, FILE *f);

/* ---- Other machines (sweep_mpi.c, or sweep_no_mpi.c in a build without MPI) ---- */

struct ranks {
	int rank, size;
	unsigned remote; /* rank 0: workers of the other ranks that have not been released yet */
};

/* Whether mpirun has started this process, as one of several (sweep.c). */
bool ranks_wanted(void);
/* Join the other ranks. All must have the same plan. */
enum wb_status ranks_open(struct ranks *t, const struct worker_pool *c);
/* Rank 0: answer the requests that have come; with s NULL, release the workers. */
void ranks_serve(struct ranks *t, struct sweep *s);
/* The other ranks: run the points that rank 0 assigns, to the end. */
void ranks_work(struct worker_pool *c);
/* Release the remaining workers, and end MPI. */
void ranks_close(struct ranks *t);

#endif
