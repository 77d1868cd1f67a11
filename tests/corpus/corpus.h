/* Real programs, run through the public API: a program of the corpus, one launch of it at a time, and what a
 * test asks about the end. A call that cannot do its work fails the cmocka test, naming the program and the reason. */
#ifndef WB_TESTS_CORPUS_H
#define WB_TESTS_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warpbeam.h"

enum { CORPUS_FILES = 4 };

struct corpus {
	const char *file;               /* below corpus/tesla */
	struct wb_config *config;
	struct wb_program *program;
	struct wb_launch *launch;       /* the one in hand, or NULL */
	enum wb_status status;          /* of the last run */
	struct wb_diag diag;
	char temp[CORPUS_FILES][64];    /* files made for this program */
	unsigned ntemp;
};

/* The path of a file below the folder of evidence (tests/kit/shared.h); valid until the next call. */
const char *corpus_path(const char *file);

/* Load corpus/tesla/FILE under `options`: "name=value", separated by spaces. */
void corpus_open(struct corpus *c, const char *file, const char *options);
/* A program as text, called `name` in messages. */
void corpus_text(struct corpus *c, const char *name, const char *text, const char *options);
/* More options, for the launches that follow. */
void corpus_set(struct corpus *c, const char *options);
/* The vector width (one of those this host has), the scheduling policy and the host threads of the launches that
 * follow, by turns. */
void corpus_turn(struct corpus *c, unsigned turn);
/* A file that holds these bytes, for options that take files; it goes with corpus_close. */
const char *corpus_bytes(struct corpus *c, const void *bytes, size_t n);
void corpus_close(struct corpus *c);

/* Prepare a launch (the one before it ends), give it an argument of `-a`, run it. */
void corpus_launch(struct corpus *c);
void corpus_arg(struct corpus *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void corpus_run(struct corpus *c);

/* The run ended as `want` says. */
void corpus_ended(struct corpus *c, enum wb_status want);
/* The run ended in guest fault `name` at `pc`. */
void corpus_faulted(struct corpus *c, const char *name, unsigned pc);
/* The words of a space from addr on are those; `what` names them in a message. */
void corpus_words(struct corpus *c, const char *space, uint32_t addr, const uint32_t *want, unsigned n,
		  const char *what);
/* Every instruction of the program prints: a listing with no ??? in it. */
void corpus_listing(struct corpus *c);

#endif
