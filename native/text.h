/* The text of native loops (core/isa/native.h): found in threaded code, written as C. */
#ifndef WB_NATIVE_TEXT_H
#define WB_NATIVE_TEXT_H

#include <stdio.h>

#include "core/base/arena.h"
#include "core/isa/native.h"

/* The loop that ends at `branch`: everything but its function. False: the loop stays threaded code. */
bool native_find(const struct native_machine *m, const struct threaded_code *code, const struct threaded_op *branch,
		 struct native_loop *n);
/* Write the function of a loop found, native_INDEX. The text has numbers of the program, and nothing else of it. */
void native_write_loop(FILE *f, const struct native_machine *m, const struct threaded_code *code,
		       const struct native_loop *n, unsigned index);

#endif
