/* A linker of texts of PTX: kernels, functions and variables of sources that were compiled apart. */
#ifndef WB_FRONTENDS_RUNTIME_LINK_H
#define WB_FRONTENDS_RUNTIME_LINK_H

#include <stdbool.h>
#include <stddef.h>

/* The begin of a text whose functions and variables may be in other texts; behind it the source's name, and a line's
 * end. */
#define LINK_MARK "// relocatable: "

struct link_part {
	const char *text;
	size_t size;
	const char *name;       /* for messages, up to a line's end or NUL; NULL: a number */
};

enum { LINK_WRONG = 512 };

/* The text of n texts together, from malloc, with a NUL at the end; NULL: wrong[] has the reason, "" where memory is
 * short. A definition takes the place of declarations, and of weak definitions the first stays. A symbol of a part's
 * own
 * has another name where the name is taken. */
char *link_texts(const struct link_part *part, size_t n, char wrong[LINK_WRONG]);

/* The marked text at p, up to a NUL or `end`. False: no marked text begins there. */
bool link_read(const char *p, const char *end, struct link_part *part);
/* The first marked text from p on. */
bool link_find(const char *p, const char *end, struct link_part *part);

/* Call with the name of each variable that all texts see. */
typedef void link_name_fn(void *context, const char *name, int length);
void link_variables(const struct link_part *part, link_name_fn *each, void *context);

/* The other name of a symbol of part number `part`, from malloc; NULL: memory is short. */
char *link_own_name(const char *name, size_t part);

#endif
