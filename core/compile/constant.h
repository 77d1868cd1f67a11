/* Constant expressions of integers, such as 4 * WARP_SZ - 1. */
#ifndef WB_CORE_COMPILE_CONSTANT_H
#define WB_CORE_COMPILE_CONSTANT_H

#include <stdbool.h>
#include <stdint.h>

struct lexer;

/* An expression begins at the current token. brackets: "(" begins one, and no list of a call. */
bool constant_begins(const struct lexer *x, bool brackets);

/* The value of the expression, whose last token is taken. An error does not return. */
uint64_t constant_expression(struct lexer *x);

/* The same up to the next sign of a sum: of "[%r1 + 4 * 8 - 2]" the 32. */
uint64_t constant_product(struct lexer *x);

#endif
