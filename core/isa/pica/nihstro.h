/* The nihstro assembly language (seed 002 and the document "nihcode"): declarations, aliases, arrays, nested scopes and
 * conditions, down to the words and operand descriptors of struct shader.
 *
 * The front end knows names, scopes and restrictions; the bits belong to the instruction table (pica.def). */
#ifndef WB_CORE_ISA_PICA_NIHSTRO_H
#define WB_CORE_ISA_PICA_NIHSTRO_H

#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/shader.h"

struct nihstro_options {
	bool geometry;          /* a geometry shader: EMIT and SETEMIT are allowed, and the entry is marked */
	const char *entry;      /* label of the entry point; NULL: "main", or word 0 without such a label */
	const char *file;       /* the text's name in errors and for .include; may be NULL */
	/* Fetch the text of an included file into the arena: `name` as written, `from` the including file. NULL:
	 * .include is refused. */
	bool (*include)(void *context, const char *name, const char *from, struct arena *a, const char **text,
			size_t *n, struct diag *d);
	void *context;
};

/* Assemble n bytes of text to a shader with one entry point; *out points into the arena. False: *d has file, line and
 * column, the found text and the broken rule. */
bool nihstro_assemble(struct shader *out, struct arena *a, const char *text, size_t n, const struct nihstro_options *o,
		      struct diag *d);

#endif
