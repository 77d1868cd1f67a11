/* Diagnostics: bad input is a value. A function that can fail returns false (or NULL) and fills a struct diag with the
 * place, the found and the expected. Nothing below the front ends prints or exits. */
#ifndef WB_CORE_BASE_DIAG_H
#define WB_CORE_BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/* The kinds are the exit codes of the command line (docs/reference/exit-codes.md), so that no table translates them. */
enum diag_kind {
	DIAG_OK = 0,
	DIAG_FAILED = 1,      /* a check or a comparison failed */
	DIAG_USAGE = 2,       /* the caller's options or arguments */
	DIAG_ENV = 3,         /* the host: cannot open, cannot write, no memory, no display */
	DIAG_INPUT = 4,       /* a bad file or a bad text */
	DIAG_FAULT = 5,       /* the guest program did something the machine refuses */
	DIAG_LIMIT = 6,       /* a limit of the caller was reached */
	DIAG_HANG = 7,        /* deadlock or livelock of the guest */
	DIAG_INTERNAL = 70,   /* our own defect */
	DIAG_INTERRUPTED = 130,
};

struct diag {
	enum diag_kind kind;
	char file[192];       /* file or input name, "" without a name */
	int line, column;     /* 1-based, 0 where not applicable */
	int64_t offset;       /* byte offset in a binary, -1 where not applicable */
	char text[400];       /* found and expected, one sentence, no newline */
};

/* Begin with no failure, where clearing the texts would cost: they are read behind a failure alone. */
static inline void diag_none(struct diag *d)
{
	d->kind = DIAG_OK;
	d->file[0] = d->text[0] = '\0';
	d->line = d->column = 0;
	d->offset = 0;
}

/* Set *d (which may be NULL) and return false, so that a failing function ends in `return diag_set(d, …)`. */
bool diag_set(struct diag *d, enum diag_kind kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same for a place in a text (line and column, 1-based) or in a binary (offset in bytes). diag_in_file adds the
 * file. */
bool diag_text(struct diag *d, int line, int column, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
bool diag_at(struct diag *d, int64_t offset, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same for a place of a text in a file; diag_placev has the parts of the text as a list. */
struct text_place {
	const char *file;     /* NULL: the caller knows it */
	int line, column;
};
bool diag_place(struct diag *d, struct text_place place, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
bool diag_placev(struct diag *d, struct text_place place, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));
/* Name the file of a diagnostic that has none. Returns false. */
bool diag_in_file(struct diag *d, const char *file);
void diag_clear(struct diag *d);

#endif
