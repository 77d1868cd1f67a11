/* Line and column of a value in a JSON text, for messages: the parser gives them only for syntax errors. */
#ifndef WB_FRONTENDS_CLI_JSON_PLACE_H
#define WB_FRONTENDS_CLI_JSON_PLACE_H

#include <stddef.h>

/* A step from a value to one in it. */
struct json_step {
	const char *key; /* the member of an object; NULL: the index-th element of an array */
	size_t index;
};

/* Line and column, both from 1 and in characters, of the element that n steps lead to, or of the member's name. What is
 * missing is placed where its object ends. The text has been parsed without an error. */
void json_place(const char *text, const struct json_step *steps, size_t n, int *line, int *column);

#endif
