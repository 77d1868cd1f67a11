/* A program of the host as a child process: bytes in, bytes out, limits, and nothing left behind however this process
 * or the child ends. */
#ifndef WB_HOST_CHILD_H
#define WB_HOST_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In place of an exit status. */
enum { CHILD_NOT_STARTED = -1, CHILD_OUT_OF_TIME = -2, CHILD_UNGUARDED = -3, CHILD_TOO_LONG = -4 };
enum { CHILD_SIGNALLED = 128 };         /* + the signal that ended the program: exit status */
enum { CHILD_BYTES_MAX = 64 << 20 };    /* of each output; more is CHILD_TOO_LONG */

struct child_text {
	char *bytes;            /* ends in a 0; from malloc */
	size_t size;
};

struct child_outputs {
	struct child_text out, errors;  /* standard output and errors */
	struct child_text result;       /* the file `result` of the folder */
};

/* A file of the folder, there before the program begins. */
struct child_file {
	const char *name;
	const void *bytes;
	size_t size;
};

enum { CHILD_INPUTS = 2 };
struct child {
	const char *path;       /* program, found already */
	char *const *argv;
	int64_t deadline;       /* of CLOCK_MONOTONIC, in ns; INT64_MAX: none */
	uint64_t memory;        /* bytes of address space of each process; UINT64_MAX: unlimited */
	int ruleset;            /* of Landlock (host/landlock.h), bounds the files of the child; -1: the user's files */
	/* Name of the folder for temporary files, TMPDIR of the program, made and removed with it; no folder before. */
	char folder[4096];
	struct child_file input[CHILD_INPUTS];  /* name NULL: none */
	const char *result;     /* name of a file in the folder, read when the child has ended; NULL: none */
	const int *cancel;      /* an eventfd: once written to, the program is killed as at the deadline; NULL: none */
};

/* Nanoseconds of CLOCK_MONOTONIC. */
int64_t child_clock(void);
/* Path of a program: `name` itself with a slash, else below PATH. NULL: none; the caller frees the path. */
char *child_find(const char *name);
/* Name the folder of a child below `above`, before its arguments are made. */
void child_name_folder(struct child *c, const char *above);
/* Run the program with n bytes as standard input. Returns the exit status or CHILD_…. */
int child_run(const struct child *c, const void *input, size_t n, struct child_outputs *o);
/* Free the texts of *o, which may be zeroed. */
void child_free(struct child_outputs *o);
/* The bytes of an open file, from malloc. False: no memory, or too many bytes. */
bool child_slurp(int fd, struct child_text *t);

#endif
