/* The parts of a program that its files share. */
#ifndef WB_FRONTENDS_PROGRAM_STATE_H
#define WB_FRONTENDS_PROGRAM_STATE_H

#include <pthread.h>

#include "frontends/program/counts.h"
#include "frontends/program/program.h"
#include "frontends/program/table.h"

/* The options of programs alone, by the rows of program.def. */
enum program_option_id {
#define RUN_OPTION(name)
#define OWN_OPTION(id, name, argument, help) PROGRAM_##id,
#define VARIABLE OWN_OPTION
#define COMMAND(name, argument, help)
#include "frontends/program/program.def"
#undef RUN_OPTION
#undef OWN_OPTION
#undef VARIABLE
#undef COMMAND
	PROGRAM_OPTIONS
};

struct program {
	const char *interface;
	struct wb_config *config;       /* options of a run that the environment gives */
	const char *value[PROGRAM_OPTIONS];     /* texts of the options; NULL: not given */
	int journal;                    /* descriptor of the file of launches; -1: none */
	bool marked;                    /* the journal also has lines for opens and begins */
	bool listed;                    /* the table is wanted */
	struct counts *counts;          /* counts of launches instead of lines of the journal; NULL: lines */
	pthread_mutex_t lock;           /* lock of all members below */
	struct said { struct said *next; char text[]; } *said;  /* lines told already */
	struct table table;
	struct launched { struct launched *next; uint64_t times; char name[]; } *launched;      /* by kernel */
	uint64_t launches;
	pthread_mutex_t dearest_lock;   /* lock of the next member and of the file of the dearest launch */
	uint64_t dearest;               /* nanoseconds of the dearest launch up to now */
};

/* Whether the text comes for the first time. */
bool program_news(struct program *p, const char *text);
/* The place in the program's source of the present host call, " in main (app.c:42)", as far as the program has symbols;
 * else "". */
void program_site(char *text, size_t size);
/* Fill the options from the environment. False: no memory. */
bool program_options(struct program *p);
/* Whether a text KERNEL[:N] means the times-th launch of the kernel; false for NULL. */
bool program_names(const char *place, const char *kernel, uint64_t times);
/* A device for kernels of launches that nobody studies, without timing, checks and statistics. */
enum wb_status program_bare(struct program *p, const char *chip, struct wb_device **out, struct wb_diag *d);

/* "launch 3, kernel scale of scale.cl, by call 2 of clEnqueueNDRangeKernel". */
enum { PROGRAM_NAME_BYTES = 520 };
void program_name_launch(char text[PROGRAM_NAME_BYTES], const struct program_launch *r, uint64_t index);

/* Record a launch that has ended, or was refused (l NULL), for the table and as a line of the journal. */
struct program_record {
	const struct program_launch *request;
	const struct program_result *result;
	uint64_t index;                 /* number of the launch in the process, from 1 */
	const struct wb_report *report; /* NULL: the launch was refused, or nobody studies it */
};
void program_record(struct program *p, const struct program_record *r);
/* Before the launch of that number runs: a line of the journal, which tells what ran when a program crashes. */
void program_begins(struct program *p, const struct program_launch *q, uint64_t index);
/* Whether anybody reads records. */
bool program_records(const struct program *p);
/* Open the journal that the options name. */
void program_journal(struct program *p);

/* The program that the kernel is of, and the configuration that loaded the program. */
const struct wb_program *program_source(const struct program_kernel *k);
struct wb_config *program_options_of(const struct program_kernel *k);

#endif
