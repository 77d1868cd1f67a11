/* The text of native loops and stretches (core/isa/native.h): found in threaded code, written as C. */
#ifndef WB_NATIVE_TEXT_H
#define WB_NATIVE_TEXT_H

#include <stdio.h>

#include "core/base/arena.h"
#include "core/isa/native.h"

/* The loop that ends at `branch`: everything but its function. False: the loop stays threaded code. */
bool native_find(const struct native_machine *m, const struct threaded_code *code, const struct threaded_op *branch,
		 struct native_loop *n);
/* Write the machine's functions, the text in front of all loops. */
void native_write_machine(FILE *f, const struct native_machine *m);
/* Write the function of a loop found, native_INDEX. The text has numbers of the program, and nothing else of it. */
void native_write_loop(FILE *f, const struct native_machine *m, const struct threaded_code *code,
		       const struct native_loop *n, unsigned index);

/* The stretch that begins at `head`: everything but its function. `target`, by word: a jump leads there. Returns the
 * number of entries; 0: none. */
uint32_t native_find_stretch(const struct native_machine *m, const struct threaded_code *code,
			     const struct threaded_op *head, const bool *target, struct native_stretch *n);
/* Is a stretch long enough to be worth a call? */
bool native_worth(const struct native_stretch *n);
/* Write the functions of n stretches, native_stretch_0 …, as native_write_loop; for clang alone. */
void native_write_stretches(FILE *f, const struct native_machine *m, const struct threaded_code *code,
			    struct native_stretch *const *stretch, unsigned n);

#endif
