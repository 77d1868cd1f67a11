/* Expressions over the state of a stopped machine: for breakpoints, watches, goals, and the debugger's print command
 * (docs/reference/expressions.md). */
#ifndef WB_INSPECT_CONDITION_H
#define WB_INSPECT_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "inspect/registers.h"

struct diag;
struct wb_launch;

enum { CONDITION_OPS = 48, CONDITION_PATHS = 256 };

struct condition {
	unsigned nops, npaths;
	bool by_lane;                   /* a variable of the source is in it: the value depends on the lane */
	char paths[CONDITION_PATHS];    /* texts of variables, npaths characters in all */
	struct condition_op {
		uint8_t code;                   /* enum code of condition.c */
		/* Prefixes bN. and wN. of a place; else the block and warp of the evaluation. */
		bool has_block, has_warp;
		uint32_t block, warp;
		char reg[REGISTER_NAME];        /* "$r3" */
		uint64_t value;                 /* a number, or the index of a text in `paths` */
		double number;                  /* a number with a point, as itself */
	} op[CONDITION_OPS];
};

/* Parse a text with the labels of the launch's kernel. False with DIAG_USAGE, the column, the text found and the text
 * expected. */
bool condition_parse(struct condition *c, const struct wb_launch *l, const char *text, struct diag *d);
/* Whether the variables of the source in a condition have a value at a pc. False with a diagnostic. */
bool condition_fits(const struct condition *c, const struct wb_launch *l, uint32_t pc, struct diag *d);
/* Whether the condition holds for a warp; with a variable of the source, in any active lane. A place that does not
 * exist makes it false. */
bool condition_holds(const struct condition *c, const struct wb_launch *l, uint32_t block, uint32_t warp);
/* The value for a warp; with a variable of the source, in the lowest active lane. False: a place does not exist (a warp
 * that is not resident, s[] beyond the end, a variable without a value). */
bool condition_value(const struct condition *c, const struct wb_launch *l, uint32_t block, uint32_t warp,
		     uint64_t *value);
/* Set a diagnostic for a condition of this text without a value. */
void condition_absent(const struct condition *c, const struct wb_launch *l, uint32_t block, uint32_t warp,
		      const char *text, struct diag *d);

#endif
