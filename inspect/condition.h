/* Expressions over the state of a machine that stands still: for breakpoints, watches and goals, and for what the
 * debugger prints (docs/reference/expressions.md). */
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
		uint8_t code;                   /* of condition.c */
		/* bN. and wN. before a place; else those that the evaluation is about */
		bool has_block, has_warp;
		uint32_t block, warp;
		char reg[REGISTER_NAME];        /* "$r3" */
		uint64_t value;
	} op[CONDITION_OPS];
};

/* Labels are those of the launch's kernel. False with DIAG_USAGE and a column: what was found and what was expected. */
bool condition_parse(struct condition *c, const struct wb_launch *l, const char *text, struct diag *d);
/* The value for a warp. False: something that it names is not there (a warp that is not resident, s[] beyond the
 * end). */
bool condition_value(const struct condition *c, const struct wb_launch *l, uint32_t block, uint32_t warp,
		     uint64_t *value);

#endif
