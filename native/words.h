/* Operations on words as C: a row of the warp is a local variable v0, v1, … of a lane, and an operation is a call of
 * the machine's function (core/isa/native.h). Loops (text.c) and paths (path.c) are both made of such lines. */
#ifndef WB_NATIVE_WORDS_H
#define WB_NATIVE_WORDS_H

#include <stdio.h>

#include "core/isa/native.h"

enum { ROWS_MOST = 96 };

struct text_row {
	intptr_t offset;                /* from the warp's registers */
	bool written, carried;          /* by the entries; read before written */
	bool passing;                   /* of no use behind the instruction */
	uint32_t bits;                  /* bits that are read, of each lane's word */
	uint32_t possible;              /* flags that the entries may write: bit = value; 0: other words */
};

/* The rows that entries name, in the order of the local variables. */
struct text_rows {
	struct text_row row[ROWS_MOST];
	unsigned n;
	bool full;                      /* rows are too many */
	bool assumes;                   /* rows written have possible flags alone, from the beginning */
};

/* By guarded operation of a turn: where the lanes that the guard turns off are counted. */
struct text_count {
	const struct threaded_op *op;   /* NULL: the flags have been written since */
	unsigned of;                    /* the guard whose count it is */
	bool rest;                      /* it is all active lanes less the count */
};

struct text_counters {
	unsigned n;
	struct text_count guard[NATIVE_GUARDS];
};

struct text_writer {
	FILE *f;
	const struct native_machine *machine;
	const struct threaded_code *code;
	const struct native_constants *constants;
	struct text_rows rows;
	const struct threaded_op *behind;       /* entries are written in order, up to here */
	const struct text_counters *counters;   /* NULL: each guard has its own */
	unsigned guards;                /* guards written up to now */
	bool ends;                      /* a loop's last turn is written, once more: nothing is counted */
};

/* A multiply-add, whose product is cut. */
static inline bool native_cuts_product(const struct native_meaning *m)
{
	return m->kind == NATIVE_WORDS && m->floats && m->sources == 3;
}

/* The number of a row's variable; a new row is added. */
unsigned text_row_of(struct text_rows *r, intptr_t offset);
/* Add the rows of an entry. */
void text_see(struct text_rows *r, const struct threaded_op *op, const struct native_meaning *m);
/* Does an operation or a load write a row? */
bool text_writes(const struct threaded_op *op, const struct native_meaning *m, intptr_t row);
/* May flags be assumed of a row, other than any? */
bool text_assumed(const struct text_rows *r, const struct text_row *row);
/* Add an entry's words that all warps share. False: too many. */
bool text_take_constants(struct native_constants *c, const struct threaded_op *op, const struct native_meaning *m);
/* Note an entry of a turn; its guard, if any, has the next number. */
void text_count_guard(struct text_counters *c, const struct threaded_op *op, const struct native_meaning *m);
/* Write the declaration of `on`: are a row's flags in the set? Other flags than the possible ones do not occur. */
void text_test(struct text_writer *w, uint32_t set, uint32_t possible, unsigned row);
/* Write the declaration of `on`: does the entry's guard let the lane through? */
void text_guard(struct text_writer *w, const struct threaded_op *op);
/* Write the beginning of a block: an operation's result `v`, its flags `cc`, and `rare`. */
void text_call(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m);
/* Write that rows get the result and the flags, if guarded where `on` says so. */
void text_results(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m, bool guarded);
/* Write an operation. Lanes that a guard turns off are counted in g0, g1, …, by guard, down from 0. */
void text_words(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m);
/* Write an operation under the mask `active`; all: of all lanes. Lanes that a guard turns off are noted in the rows
 * off[0], off[1], …, by guard. */
void text_masked(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m, bool all);

#endif
