/* The words of a PTX text, one by one. */
#ifndef WB_CORE_COMPILE_LEX_H
#define WB_CORE_COMPILE_LEX_H

#include "core/compile/ptx.h"

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_DIRECTIVE, TOKEN_INT, TOKEN_FLOAT, TOKEN_DOUBLE, TOKEN_STRING,
	TOKEN_SIGN };

struct token {
	enum token_kind kind;
	const char *start;       /* in the text */
	size_t size;
	uint64_t bits;           /* of a number: the value, or the bits of the float or double */
	bool is_unsigned;        /* an integer with U, or beyond the signed ones */
	int line, column;
};

struct lexer {
	struct ptx_module *module;
	const char *next, *end, *line_start;
	int line;
	struct token token;      /* the current one */
};

void lex_start(struct lexer *x, struct ptx_module *m, const char *text, size_t size);
void lex_next(struct lexer *x);
bool lex_is(const struct lexer *x, const char *text);   /* the current token is `text` */
bool lex_begins(const struct lexer *x, const char *text);        /* the current token begins with `text` */

/* End the compilation: found the current token, expected `what`. */
_Noreturn void lex_expected(struct lexer *x, const char *what);

#endif
