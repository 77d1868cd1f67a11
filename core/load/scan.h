/* A scanner of words and braces for the loaders of text: white space separates; { } = stand for themselves. */
#ifndef WB_CORE_LOAD_SCAN_H
#define WB_CORE_LOAD_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	const char *cursor, *end; /* text that remains */
	const char *line_start;
	int line;
	/* The current token; length 0 at the end. */
	const char *token;
	size_t length;
	int token_line, token_column;
};

void scan_start(struct scan *s, const void *text, size_t size);
/* Read the next token; false at the end. */
bool scan_next(struct scan *s);
bool scan_is(const struct scan *s, const char *word);
/* The token as an unsigned number of 32 bits, decimal or 0x hex. */
bool scan_number(const struct scan *s, uint32_t *value);
/* The token as hex digits without prefix, exactly `digits` digits. */
bool scan_hex(const struct scan *s, size_t digits, uint32_t *value);

/* The token for a message, shortened: printf("%.*s", SCAN_TEXT(s)). */
#define SCAN_TEXT(s) (int)((s)->length < 40 ? (s)->length : 40), (s)->token

#endif
