/* The command line's frame: one table of verbs, options from tables, one way to report errors. */
#ifndef WB_FRONTENDS_CLI_CLI_H
#define WB_FRONTENDS_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "warpbeam.h"

struct cli;

/* ---- Options ---- */

enum opt_kind {
	OPT_SWITCH, /* --name, --no-name */
	OPT_VALUE,  /* --name VALUE; the last one counts */
	OPT_LIST,   /* --name VALUE, as often as one likes */
};

struct opt {
	const char *name;
	char letter; /* short form, or 0 */
	enum opt_kind kind;
	const char *argument; /* what the value looks like; NULL for a switch */
	const char *fallback; /* default, as text; NULL if there is nothing to say */
	const char *group;    /* heading in the help */
	const char *help;
	bool config; /* an option of the run (wb_option): its value goes to the configuration */
};

/* The name to show, without "--": of a switch that is on by default the form that changes something. */
enum { OPT_NAME = 64 };
const char *opt_name(const struct opt *o, char text[OPT_NAME]);

/* ---- Verbs (verb.def) ---- */

struct verb {
	const char *name, *purpose, *usage, *examples;
	/* Which options of the API's table the verb takes: names separated by blanks, "*" for all, NULL for none. */
	const char *config_options;
	const struct opt *options; /* its own, ended by a NULL name; may be NULL */
	/* Returns the exit code. Errors have been printed by then. */
	enum wb_status (*run)(struct cli *c);
};

const struct verb *verb_find(const char *name);
const struct verb *verb_at(size_t index); /* NULL past the end */

/* ---- One invocation ---- */

struct value {
	const char *name, *text;
};

struct cli {
	const struct verb *verb;
	struct opt *known; /* every option of the verb, ended by a NULL name */
	size_t nknown;
	struct value *values; /* those given, in order; configuration options are there too */
	size_t nvalues;
	char **operands;
	size_t noperands;
	struct wb_config *config;
	bool quiet, verbose, json, color;
};

/* Read the options of a verb from argv (argv[0] is the verb). False: the status says how to exit; it is WB_OK after
 * --help and --version, which print. cli_close frees what it made either way. */
bool cli_open(struct cli *c, const struct verb *v, int argc, char **argv, enum wb_status *status);
void cli_close(struct cli *c);

/* The last value given for an option of the verb, or its default, which may be NULL. */
const char *cli_value(const struct cli *c, const char *name);
/* Whether a switch is on. */
bool cli_on(const struct cli *c, const char *name);
/* Whether the option was given at all. */
bool cli_given(const struct cli *c, const char *name);
/* The next value of a list option, from *at on, which moves; NULL past the last. */
const char *cli_next(const struct cli *c, const char *name, size_t *at);
/* All values of a list option, ended by NULL; the caller frees the array. */
const char **cli_list(const struct cli *c, const char *name);
/* The number that an option was given; false and a message if it is none or beyond max. */
bool cli_number(const struct cli *c, const char *name, unsigned long max, unsigned long *out);
/* The only operand; NULL and a message if there are none or more. what: "FILE". */
const char *cli_operand(const struct cli *c, const char *what);

/* ---- Messages on stderr (messages.c) ---- */

/* A text that comes from a file, a plan or a name, safe to show: control characters and what is no UTF-8 as \xNN. It is
 * the text itself where it has none of that, else a copy that stays for the next 64. */
const char *shown(const char *text);
/* The same for n bytes of lines, whose ends and tabs stay, written to f. */
bool show_lines(FILE *f, const char *text, size_t n);

/* "warpbeam: TEXT"; returns status, so that a verb can end with it. */
enum wb_status complain(enum wb_status status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "warpbeam: FILE:LINE:COLUMN: TEXT" of a diagnostic; returns its status. */
enum wb_status complain_diag(const struct wb_diag *d);
/* "FILE:LINE:COLUMN: TEXT" alone; the caller frees it. */
char *diag_line(const struct wb_diag *d);

void help_overview(FILE *f);
void help_verb(FILE *f, const struct verb *v, const struct opt *known);
void print_version(bool verbose);
/* The index-th exit code and what it means; NULL past the end. */
const char *exit_code(unsigned index, int *code);

/* ---- Colours and shapes of text output ---- */

enum tint { TINT_NONE, TINT_BOLD, TINT_DIM, TINT_GOOD, TINT_BAD, TINT_WARM, TINT_HOT };
/* The escape sequence that begins a tint or ends it (TINT_NONE); "" when colours are off. */
const char *tint(const struct cli *c, enum tint t);
/* A bar of at most `width` columns for a share of 0 … 1; text needs 4 × width + 1 bytes. padded: with blanks to
 * `width`, for columns that have something to their right. */
const char *bar(char *text, double share, unsigned width);
const char *padded_bar(char *text, double share, unsigned width);
/* 1234567 as "1,234,567"; text needs 32 bytes. */
const char *grouped(char *text, unsigned long long n);

/* With --hw-strict, warn of code that fails on the hardware: WB_FAILED if there is any. */
enum wb_status hw_strict(const struct cli *c, const char *path, const struct wb_program *p);

/* ---- Memory and files ---- */

/* Allocations need no look at what they return: one that fails ends the program (memory.c). Before any: memory_begin.
 * Where something else has found that there is no memory: no_memory. */
void memory_begin(void);
_Noreturn void no_memory(void);
void *grow(void *p, size_t n);

/* All bytes of a file, or of stdin for "-"; gzip is unpacked. The caller frees *out, which ends with a 0 beyond n. */
bool read_all(const char *path, char **out, size_t *n);
/* The same, silent: what went wrong is in *d. */
bool try_read_all(const char *path, char **out, size_t *n, struct wb_diag *d);
/* Write bytes to a file, or to stdout for NULL or "-". */
bool write_all(const char *path, const void *data, size_t n);
/* The same for what is written bit by bit; a file takes its place when it is closed as whole. NULL, false: what went
 * wrong has been said. *o is NULL for stdout, which stays open. */
FILE *stream_open(const char *path, struct wb_output **o);
bool stream_close(FILE *f, struct wb_output *o, bool whole);

#endif
