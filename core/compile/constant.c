/* Constant expressions of PTX: integers of 64 bits under C's operators, read by precedence. A value is signed or
 * unsigned as in ptxas 13.0, by the answers of ptxas in tests/whole/test_ptx_text.c: a number is signed up to 2^63 - 1
 * without U; ~ and % give unsigned values, comparisons and ! && || signed ones; a shift has the sign of the left side
 * and a count modulo 64; ?: has the sign of the chosen side; another operator is unsigned with an unsigned side. */
#include "core/compile/constant.h"

#include <string.h>

#include "core/compile/lex.h"

enum { NESTED_MAX = 64 };

struct constant {
	uint64_t bits;
	bool is_unsigned;
};

enum operation {
	OR_ELSE, AND_ALSO, EQUAL, UNEQUAL, AT_MOST, AT_LEAST, LEFT, RIGHT, OR, XOR, AND, LESS, MORE, PLUS, MINUS, TIMES,
	OVER, MODULO, OPERATIONS
};

enum { FIRST_PRECEDENCE = 1, FACTORS = 10 };

/* A longer text stands before a shorter one with the same begin. */
static const struct {
	char text[3];
	uint8_t precedence;
} operations[OPERATIONS] = {
	[OR_ELSE] = { "||", 1 }, [AND_ALSO] = { "&&", 2 }, [EQUAL] = { "==", 6 },    [UNEQUAL] = { "!=", 6 },
	[AT_MOST] = { "<=", 7 }, [AT_LEAST] = { ">=", 7 }, [LEFT] = { "<<", 8 },     [RIGHT] = { ">>", 8 },
	[OR] = { "|", 3 },       [XOR] = { "^", 4 },       [AND] = { "&", 5 },       [LESS] = { "<", 7 },
	[MORE] = { ">", 7 },     [PLUS] = { "+", 9 },      [MINUS] = { "-", 9 },     [TIMES] = { "*", FACTORS },
	[OVER] = { "/", FACTORS }, [MODULO] = { "%", FACTORS }
};

/* The operator at the current token: each sign is a token. "%3" is a register, "% 3" an operator and a number. */
static bool finds(const struct lexer *x, enum operation *op)
{
	const char *text = x->token.start;

	if (x->token.kind != TOKEN_SIGN && !lex_is(x, "%"))
		return false;
	for (*op = 0; *op < OPERATIONS; (*op)++) {
		size_t n = strlen(operations[*op].text);
		if ((size_t)(x->end - text) >= n && !memcmp(text, operations[*op].text, n))
			return true;
	}
	return false;
}

static bool accept(struct lexer *x, const char *text)
{
	bool is = lex_is(x, text);

	if (is)
		lex_next(x);
	return is;
}

static void expect(struct lexer *x, const char *text, const char *quoted)
{
	if (!accept(x, text))
		lex_expected(x, quoted);
}

static struct constant choice(struct lexer *x, unsigned depth);

static struct constant unary(struct lexer *x, unsigned depth)
{
	struct constant c;

	if (depth > NESTED_MAX)
		lex_expected(x, "an operand inside at most 64 brackets and signs");
	if (accept(x, "(")) {
		bool is_unsigned = lex_is(x, ".u64");
		if (accept(x, ".u64") || accept(x, ".s64")) {
			expect(x, ")", "')'");
			return (struct constant){ unary(x, depth + 1).bits, is_unsigned };
		}
		c = choice(x, depth + 1);
		expect(x, ")", "')'");
		return c;
	}
	if (accept(x, "+"))
		return unary(x, depth + 1);
	if (accept(x, "-")) {
		c = unary(x, depth + 1);
		return (struct constant){ -c.bits, c.is_unsigned };
	}
	if (accept(x, "!"))
		return (struct constant){ !unary(x, depth + 1).bits, false };
	if (accept(x, "~"))
		return (struct constant){ ~unary(x, depth + 1).bits, true };
	if (accept(x, "WARP_SZ"))
		return (struct constant){ 32, false };
	if (x->token.kind != TOKEN_INT)
		lex_expected(x, "a number");
	c = (struct constant){ x->token.bits, x->token.is_unsigned };
	lex_next(x);
	return c;
}

static uint64_t quotient(struct constant a, struct constant b, bool is_unsigned)
{
	if (is_unsigned)
		return a.bits / b.bits;
	return b.bits == UINT64_MAX ? -a.bits : (uint64_t)((int64_t)a.bits / (int64_t)b.bits);
}

static bool below(struct constant a, struct constant b, bool is_unsigned)
{
	return is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

static struct constant result(struct lexer *x, enum operation op, struct constant a, struct constant b)
{
	bool either = a.is_unsigned || b.is_unsigned;
	unsigned count = b.bits % 64;

	if ((op == OVER || op == MODULO) && !b.bits)
		lex_expected(x, "a divisor other than 0 before");
	switch (op) {
	case OR_ELSE: return (struct constant){ a.bits || b.bits, false };
	case AND_ALSO: return (struct constant){ a.bits && b.bits, false };
	case EQUAL: return (struct constant){ a.bits == b.bits, false };
	case UNEQUAL: return (struct constant){ a.bits != b.bits, false };
	case AT_MOST: return (struct constant){ !below(b, a, either), false };
	case AT_LEAST: return (struct constant){ !below(a, b, either), false };
	case LESS: return (struct constant){ below(a, b, either), false };
	case MORE: return (struct constant){ below(b, a, either), false };
	case LEFT: return (struct constant){ a.bits << count, a.is_unsigned };
	case RIGHT:
		return (struct constant){ a.is_unsigned ? a.bits >> count : (uint64_t)((int64_t)a.bits >> count),
					  a.is_unsigned };
	case OR: return (struct constant){ a.bits | b.bits, either };
	case XOR: return (struct constant){ a.bits ^ b.bits, either };
	case AND: return (struct constant){ a.bits & b.bits, either };
	case PLUS: return (struct constant){ a.bits + b.bits, either };
	case MINUS: return (struct constant){ a.bits - b.bits, either };
	case TIMES: return (struct constant){ a.bits * b.bits, either };
	case OVER: return (struct constant){ quotient(a, b, either), either };
	case MODULO: return (struct constant){ a.bits % b.bits, true };
	case OPERATIONS: break;
	}
	return a;
}

/* Operators of a precedence of at least `least`, those of one precedence from the left. */
static struct constant binary(struct lexer *x, unsigned least, unsigned depth)
{
	struct constant left = unary(x, depth);
	enum operation op;

	while (finds(x, &op) && operations[op].precedence >= least) {
		x->next = x->token.start + strlen(operations[op].text);
		lex_next(x);
		left = result(x, op, left, binary(x, operations[op].precedence + 1u, depth));
	}
	return left;
}

static struct constant choice(struct lexer *x, unsigned depth)
{
	struct constant test = binary(x, FIRST_PRECEDENCE, depth);

	if (!accept(x, "?"))
		return test;
	struct constant yes = choice(x, depth + 1);
	expect(x, ":", "':'");
	struct constant no = choice(x, depth + 1);
	return test.bits ? yes : no;
}

bool constant_begins(const struct lexer *x, bool brackets)
{
	static const char signs[] = "+-~!";
	struct lexer look = *x;

	while (look.token.kind == TOKEN_SIGN && strchr(signs, *look.token.start))
		lex_next(&look);
	return look.token.kind == TOKEN_INT || lex_is(&look, "WARP_SZ") || (brackets && lex_is(&look, "("));
}

uint64_t constant_expression(struct lexer *x) { return choice(x, 0).bits; }

uint64_t constant_product(struct lexer *x) { return binary(x, FACTORS, 0).bits; }
