/* Operations on words as C: a row of the warp is a local variable v0, v1, … of a lane, and an operation is a call of
 * the machine's function (core/isa/native.h). Loops (text.c) and stretches (stretch.c) are both made of such lines. */
#ifndef WB_NATIVE_WORDS_H
#define WB_NATIVE_WORDS_H

#include <stdio.h>

#include "core/isa/native.h"

enum { ROWS_MOST = 96 };

struct text_row {
	intptr_t offset;                /* from the warp's registers */
	bool written, carried;          /* by the entries; read before written */
	uint32_t bits;                  /* bits that are read, of each lane's word */
};

/* The rows that entries name, in the order of the local variables. */
struct text_rows {
	struct text_row row[ROWS_MOST];
	unsigned n;
	bool full;                      /* rows are too many */
};

struct text_writer {
	FILE *f;
	const struct native_machine *machine;
	const struct threaded_code *code;
	const struct native_constants *constants;
	struct text_rows rows;
	unsigned guards;                /* guards written up to now */
	bool ends;                      /* a loop's last turn is written, once more: nothing is counted */
};

/* The number of a row's variable; a new row is added. */
unsigned text_row_of(struct text_rows *r, intptr_t offset);
/* Add the rows of an entry. */
void text_see(struct text_rows *r, const struct threaded_op *op, const struct native_meaning *m);
/* Add an entry's words that all warps share. False: too many. */
bool text_take_constants(struct native_constants *c, const struct threaded_op *op, const struct native_meaning *m);
/* Write the declaration of `on`: ones where an entry's guard lets the lane through, else 0. */
void text_guard(struct text_writer *w, const struct threaded_op *op);
/* Write an operation. Lanes that a guard turns off are counted in g0, g1, …, by guard, down from 0. */
void text_words(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m);

#endif
