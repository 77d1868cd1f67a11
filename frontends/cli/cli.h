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
	OPT_VALUE,  /* --name VALUE; the last value counts */
	OPT_LIST,   /* --name VALUE, any number of times */
	OPT_FOREIGN, /* first row of a verb: all words behind the verb are another program's, and go to `program` */
	OPT_OUTPUT, /* --name FILE, which can be written, or the verb does not begin; "-" is standard output */
};

struct opt {
	const char *name;
	char letter; /* short form, or 0 */
	enum opt_kind kind;
	const char *argument; /* placeholder of the value; NULL for a switch */
	const char *fallback; /* default, as text; NULL: not shown */
	const char *group;    /* heading in the help */
	const char *help;
	bool config; /* an option of the run (wb_option): its value goes to the configuration */
};

/* The name to show, without "--": for a switch that is on by default, the "no-" form. */
enum { OPT_NAME = 64 };
const char *opt_name(const struct opt *o, char text[OPT_NAME]);

/* ---- Verbs (verb.def, laboratory.def) ---- */

struct verb {
	const char *name, *purpose, *usage, *examples;
	/* Run options that the verb takes, of the API's table: names separated by blanks, "*" for all, NULL for
	 * none. */
	const char *config_options;
	const struct opt *options; /* the verb's own options, ended by a NULL name; may be NULL */
	/* Returns the exit code, after printing any error. */
	enum wb_status (*run)(struct cli *c);
};

/* The verbs of this program, ended by a NULL name: each program that is linked with the frame defines its own. */
extern const struct verb verbs[];
/* Whether the words behind the verb are another program's (OPT_FOREIGN). */
static inline bool is_foreign(const struct verb *v)
{
	return v->options && v->options->kind == OPT_FOREIGN;
}
const struct verb *verb_find(const char *name);

/* ---- One invocation ---- */

struct value {
	const char *name, *text;
	bool axis; /* several values with commas between them, each for runs of its own (sweep) */
};

struct cli {
	const struct verb *verb;
	struct opt *known; /* every option of the verb, ended by a NULL name */
	size_t nknown;
	struct value *values; /* values from the command line, in order, run options included */
	size_t nvalues;
	char **operands;
	size_t noperands;
	char **program; /* operands behind "--": the end of `operands` */
	size_t nprogram;
	const char *program_source;     /* file that program[0] was compiled from; NULL: a program as it is */
	bool dashes;    /* "--" is among the arguments */
	struct wb_config *config;
	bool quiet, verbose, json, color;
};

/* Read the options of a verb from argv (argv[0] is the verb). False: exit with *status, which is WB_OK after --help and
 * --version. cli_close frees the result in both cases. */
bool cli_open(struct cli *c, const struct verb *v, int argc, char **argv, enum wb_status *status);
void cli_close(struct cli *c);

/* The last value of an option of the verb, or its default, which may be NULL. */
const char *cli_value(const struct cli *c, const char *name);
/* Whether a switch is on. */
bool cli_on(const struct cli *c, const char *name);
/* Whether the option is on the command line. */
bool cli_given(const struct cli *c, const char *name);
/* The next value of a list option, from *at on, which moves; NULL past the last. */
const char *cli_next(const struct cli *c, const char *name, size_t *at);
/* All values of a list option, ended by NULL; the caller frees the array. */
const char **cli_list(const struct cli *c, const char *name);
/* An option's value as a number; false and a message for another text, or a number beyond max. */
bool cli_number(const struct cli *c, const char *name, unsigned long max, unsigned long *out);
/* The only operand; NULL and a message for none or several. what: "FILE". */
const char *cli_operand(const struct cli *c, const char *what);

/* ---- Messages on stderr (messages.c) ---- */

/* A text from a file, a plan or a name, safe to show: control characters and invalid UTF-8 as \xNN. A clean text is
 * returned as passed, else a copy that is valid for the next 64 calls. */
const char *shown(const char *text);
/* Write n bytes of lines to f in the same form; line ends and tabs stay. */
bool show_lines(FILE *f, const char *text, size_t n);

/* Print "warpbeam: TEXT"; returns status, so that a verb can end with the call. */
enum wb_status complain(enum wb_status status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Print "warpbeam: FILE:LINE:COLUMN: TEXT"; returns the diagnostic's status. */
enum wb_status complain_diag(const struct wb_diag *d);
/* The warnings of a program, which may be NULL; none with -q. */
void complain_warnings(const struct cli *c, const struct wb_program *p);
/* "FILE:LINE:COLUMN: TEXT" alone; the caller frees it. */
char *diag_line(const struct wb_diag *d);

void help_overview(FILE *f);
void help_verb(FILE *f, const struct verb *v, const struct opt *known);
/* A line of help in its two columns; the right one has as many lines as it needs. */
void help_row(FILE *f, const char *left, const char *right);
void help_exit_codes(FILE *f);
void print_version(bool verbose);
/* The index-th exit code and its meaning; NULL past the end. */
const char *exit_code(unsigned index, int *code);

/* ---- Colours and shapes of text output ---- */

enum tint { TINT_NONE, TINT_BOLD, TINT_DIM, TINT_GOOD, TINT_BAD, TINT_WARM, TINT_HOT };
/* The escape sequence that begins a tint or ends it (TINT_NONE); "" when colours are off. */
const char *tint(const struct cli *c, enum tint t);
/* A cell of a line of CSV (RFC 4180), behind a comma unless it is the first. */
void csv_cell(FILE *f, const char *text, bool first);
/* A bar of at most `width` columns for a share of 0 … 1; text needs 4 × width + 1 bytes. padded: with blanks to
 * `width`, for columns before the last. */
const char *bar(char *text, double share, unsigned width);
const char *padded_bar(char *text, double share, unsigned width);
/* 1234567 as "1,234,567"; text needs 32 bytes. */
const char *grouped(char *text, unsigned long long n);

/* With --hw-strict, warn of code that fails on the hardware; WB_FAILED after a warning. */
enum wb_status hw_strict(const struct cli *c, const char *path, const struct wb_program *p);

/* ---- Memory and files ---- */

/* A failed allocation ends the program (memory.c), so callers check nothing. Call memory_begin first. no_memory is for
 * failures found elsewhere. */
void memory_begin(void);
_Noreturn void no_memory(void);
void *grow(void *p, size_t n);
/* End a stream of open_memstream: its text is whole. */
void text_close(FILE *f, char *const *text);

/* All bytes of a file, or of stdin for "-"; gzip is unpacked. The caller frees *out, which ends with a 0 beyond n. */
bool read_all(const char *path, char **out, size_t *n);
/* read_all without a message: *d has the error. */
bool try_read_all(const char *path, char **out, size_t *n, struct wb_diag *d);
/* Write bytes to a file, or to stdout for NULL or "-". */
bool write_all(const char *path, const void *data, size_t n);
/* write_all in pieces; a file appears under its name when closed as whole. NULL, false: the error has been printed. *o
 * is NULL for stdout, which stays open. */
FILE *stream_open(const char *path, struct wb_output **o);
/* Whether stream_open can succeed, as far as is known before; the file stays as it is. False: *d has the error. */
bool stream_check(const char *path, struct wb_diag *d);
bool stream_close(FILE *f, struct wb_output *o, bool whole);

#endif
