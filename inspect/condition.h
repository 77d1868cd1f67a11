/* Expressions over the state of a stopped machine: for breakpoints, watches, goals, and the debugger's print command
 * (docs/reference/expressions.md). */
#ifndef WB_INSPECT_CONDITION_H
#define WB_INSPECT_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "inspect/registers.h"

struct diag;
struct wb_launch;

enum { CONDITION_OPS = 48 };

struct condition {
	unsigned nops;
	struct condition_op {
		uint8_t code;                   /* enum code of condition.c */
		/* Prefixes bN. and wN. of a place; else the block and warp of the evaluation. */
		bool has_block, has_warp;
		uint32_t block, warp;
		char reg[REGISTER_NAME];        /* "$r3" */
		uint64_t value;
	} op[CONDITION_OPS];
};

/* Parse a text with the labels of the launch's kernel. False with DIAG_USAGE, the column, the text found and the text
 * expected. */
bool condition_parse(struct condition *c, const struct wb_launch *l, const char *text, struct diag *d);
/* The value for a warp. False: a place does not exist (a warp that is not resident, s[] beyond the end). */
bool condition_value(const struct condition *c, const struct wb_launch *l, uint32_t block, uint32_t warp,
		     uint64_t *value);

#endif
