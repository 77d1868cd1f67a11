/* Lines of the unit's two languages, cut into tokens, and messages with the place of a token. */
#ifndef WB_CORE_ISA_PICA_LINE_H
#define WB_CORE_ISA_PICA_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/diag.h"

enum token_kind {
	TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING,
	TOKEN_AND, TOKEN_OR, TOKEN_EQ, TOKEN_NE, TOKEN_LE, TOKEN_GE,
	TOKEN_CHAR      /* any other punctuation: itself */
};

enum { LINE_TOKENS = 64 };

struct token {
	enum token_kind kind;
	char c;                 /* TOKEN_CHAR */
	bool real;              /* TOKEN_NUMBER with a point or an exponent */
	int column;             /* 1-based */
	int length;
	const char *text;
};

/* How a language spells: comment signs to the end of the line, and signs of names besides letters and digits. */
struct spelling {
	const char *comments;
	bool slashes;           /* "//" begins a comment */
	const char *name_signs;
};

/* A line, cut into tokens; a TOKEN_END closes the list. */
struct line {
	const struct spelling *spelling;
	const char *file;
	int number;
	const struct token *cursor; /* the next token to read */
	struct token token[LINE_TOKENS];
};

/* Cut the line that begins at *text, and move *text behind the line. */
bool line_scan(struct line *line, const char **text, const char *end, struct diag *d);
bool line_error(const struct line *line, const struct token *t, struct diag *d, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* "expected WHAT, found …" */
bool line_expected(const struct line *line, const struct token *t, struct diag *d, const char *what);
struct text_place line_place(const struct line *line, const struct token *t);
/* Text of a token for messages: `quoted`, or "the end of the line". */
const char *token_show(const struct token *t, char *buffer, size_t size);
bool token_is(const struct token *t, char c);
bool token_named(const struct token *t, const char *name);          /* exactly */
bool token_mnemonic(const struct token *t, const char *name);       /* in any case */
/* The value of a whole number; 65535 for larger ones. */
int token_int(const struct token *t);
/* Read the character c, if c is next. */
bool line_take(struct line *line, char c);
/* Read the character c; else an error: "expected c after `after`". */
bool line_expect(struct line *line, char c, const char *after, struct diag *d);
bool line_ends(struct line *line, struct diag *d);

#endif
