/* run [OPTIONS] -- PROGRAM [ARGUMENT]...: a whole program, with Warpbeam for a GPU. */
#ifndef WB_FRONTENDS_CLI_RUN_PROGRAM_H
#define WB_FRONTENDS_CLI_RUN_PROGRAM_H

#include "frontends/cli/cli.h"
#include "frontends/cli/reach.h"
#include "frontends/program/counts.h"
#include "frontends/program/table.h"

/* Run c->program. Returns the program's exit code. */
enum wb_status run_program(const struct cli *c);

/* The path, of PATH_MAX bytes, of a library that programs need: in a folder of the build tree or as installed. False:
 * the library is not there. */
bool interface_find(char *path, const char *folder, const char *name);
/* Say that a library is not here, and in a build tree how to build it. */
enum wb_status complain_missing(const char *name);

/* The report of an ended program (program_end.c), from the journal of its processes. */
struct program_end {
	const char *name;       /* of the program, as given */
	const char *journal;    /* path of the journal; files of counts stand beside */
	const struct reach *reach;
	int status;             /* as waitpid has it */
	struct table table;
	uint64_t launches;
	uint64_t troubles;      /* findings of checkers, and launches that failed */
	char opened[32];        /* interface used by the program; "": none */
	char chip[32];          /* of the latest launch */
	char latest[256];       /* latest launch that ended, in words; "": none */
	char running[256];      /* launch that began and never ended, in words; "": none */
};
/* Read a journal; lines of launches are copied to `launches` (NULL: nowhere). False: a line is no record. */
bool program_end_read(struct program_end *e, FILE *journal, FILE *launches);
/* Print the report on stderr: the signal that ended the program, why nothing was launched, the table. */
void program_end_tell(struct program_end *e, bool quiet);
void program_end_free(struct program_end *e);

#endif
