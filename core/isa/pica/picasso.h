/* The picasso assembly language, in which programs for the 3DS are written (devkitPro's assembler, 2.7.1; facts: its
 * manual): declarations that choose registers by themselves, procedures and blocks that end in .end, down to the words,
 * operand descriptors and tables of struct shader.
 *
 * The results are picasso's own, word for word: uniforms rise from the first register and constants fall from the last,
 * operand descriptors are shared where their bits in use agree, and blocks get the padding that the unit needs. */
#ifndef WB_CORE_ISA_PICA_PICASSO_H
#define WB_CORE_ISA_PICA_PICASSO_H

#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/shader.h"

/* A file: its name in errors, which may be NULL, and the text. */
struct picasso_source {
	const char *file, *text;
	size_t size;
};

/* Does the text have a directive of the language that no other language of the house has? */
bool picasso_sniff(const char *text, size_t n);
/* A text may hold several files, one behind a line `.file "NAME"` each. Cut the text into at most `most` files, the
 * first with the name `file`; the result is their number. The names are in the arena. */
unsigned picasso_files(struct arena *a, const char *file, const char *text, size_t n, struct picasso_source *out,
		       unsigned most);
/* Assemble n files to a shader with an entry point for each file without .nodvle; procedures are shared among the
 * files. entry: the procedure at which the first file begins, NULL: the file's own word. *out points into the arena.
 * False: *d has file, line and column, the found text and the broken rule. */
bool picasso_assemble(struct shader *out, struct arena *a, const struct picasso_source *source, unsigned n,
		      const char *entry, struct diag *d);

#endif
