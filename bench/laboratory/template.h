/* Assembly with blanks to fill in, for programs that are run with many sizes.
 *
 *   {n} {16+i%8} {d-1:x}     a parameter, or sums, differences, products and remainders of them, left to right;
 *                            :x in hex
 *   @repeat n … @end         the lines between n times, with i counting from 0; may be nested
 *   @NAME                    a line that is replaced by a parameter's text */
#ifndef WB_BENCH_LABORATORY_TEMPLATE_H
#define WB_BENCH_LABORATORY_TEMPLATE_H

#include <stddef.h>

struct blank {
	const char *name; /* NULL ends a list */
	long value;
	const char *text; /* instead of a number, if not NULL */
};

/* Fill in a template; the result is freed by the caller. NULL: no memory, or a template with an unknown name, which is
 * our own defect (they are part of the program). */
char *template_fill(const char *text, const struct blank *blanks);

#endif
