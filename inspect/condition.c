/* An expression is compiled once, by recursive descent over levels of precedence, to postfix code for a small stack
 * machine, and evaluated for one block and warp. Values are unsigned 64-bit words; a float is its bits. A variable of
 * the source has its own type: a signed variable makes an operation signed, a float makes an operation one of floats.
 * If a place in the expression does not exist (a warp that is not resident, an address past the end), the expression
 * has no value. */
#include "inspect/condition.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/variables.h"
#include "machine/clock.h"
#include "inspect/launch.h"
#include "inspect/variables.h"
#include "warpbeam.h"

enum code {
	OP_NUMBER,
	/* places; an index comes from the stack */
	OP_PC, OP_MASK, OP_FULL, OP_EXECUTED, OP_DEPTH, OP_LANES, OP_CYCLE, OP_ISSUE, OP_BLOCK, OP_WARP,
	OP_REG, OP_REG_LANE, OP_VARIABLE, OP_SHARED, OP_GLOBAL,
	/* one operand */
	OP_NOT, OP_INVERT, OP_NEGATE,
	/* two operands */
	OP_OR, OP_AND, OP_BOR, OP_XOR, OP_BAND, OP_EQ, OP_NE, OP_LE, OP_GE, OP_SHL, OP_SHR, OP_LT, OP_GT, OP_ADD,
	OP_SUB, OP_MUL,
};

static const struct { const char *name; enum code code; } names[] = {
	{ "pc", OP_PC }, { "mask", OP_MASK }, { "full", OP_FULL }, { "executed", OP_EXECUTED }, { "depth", OP_DEPTH },
	{ "lanes", OP_LANES }, { "cycle", OP_CYCLE }, { "issue", OP_ISSUE }, { "block", OP_BLOCK }, { "warp", OP_WARP },
};

/* Longer operators first where one is the beginning of another. A higher level binds tighter. */
static const struct { const char *text; enum code code; int level; } binary[] = {
	{ "||", OP_OR, 0 }, { "&&", OP_AND, 1 }, { "==", OP_EQ, 5 }, { "!=", OP_NE, 5 }, { "<<", OP_SHL, 7 },
	{ ">>", OP_SHR, 7 }, { "<=", OP_LE, 6 }, { ">=", OP_GE, 6 }, { "<", OP_LT, 6 }, { ">", OP_GT, 6 },
	{ "|", OP_BOR, 2 }, { "^", OP_XOR, 3 },
	{ "&", OP_BAND, 4 }, { "+", OP_ADD, 8 }, { "-", OP_SUB, 8 }, { "*", OP_MUL, 9 },
};
enum { LEVELS = 10, NESTED_MAX = 32 };

/* ---- parsing ---- */

struct parser {
	struct condition *out;
	const struct wb_launch *l;
	const char *text, *cursor;
	int nested;
	struct diag *d;
};

static void blanks(struct parser *p)
{
	while (isspace((unsigned char)*p->cursor))
		p->cursor++;
}

static bool refuse(struct parser *p, const char *expected)
{
	int n = 0;

	while (p->cursor[n] && !isspace((unsigned char)p->cursor[n]) && n < 24)
		n++;
	diag_text(p->d, 0, (int)(p->cursor - p->text) + 1, "found \"%.*s\", expected %s", n ? n : 20,
		  n ? p->cursor : "the end", expected);
	if (p->d)
		p->d->kind = DIAG_USAGE;
	return false;
}

static bool emit(struct parser *p, struct condition_op op)
{
	if (p->out->nops == CONDITION_OPS)
		return diag_set(p->d, DIAG_USAGE, "\"%s\" is too long", p->text);
	p->out->op[p->out->nops++] = op;
	return true;
}

static bool take(struct parser *p, const char *word)
{
	blanks(p);
	if (strncmp(p->cursor, word, strlen(word)))
		return false;
	p->cursor += strlen(word);
	return true;
}

static bool expression(struct parser *p, int level);

static bool index_of(struct parser *p)
{
	if (!take(p, "["))
		return refuse(p, "[");
	if (!expression(p, 0))
		return false;
	return take(p, "]") || refuse(p, "]");
}

static bool number(struct parser *p)
{
	char *end;
	uint64_t v = strtoull(p->cursor, &end, 0);
	double number = (double)v;

	if (*end == '.') {                      /* a float as its bits, like registers */
		v = f32_bits(strtof(p->cursor, &end));
		number = strtod(p->cursor, &end);
	}
	p->cursor = end;
	return emit(p, (struct condition_op){ .code = OP_NUMBER, .value = v, .number = number });
}

/* Parse "b2." or "w3.": the number. */
static bool selector(struct parser *p, char letter, uint32_t *n)
{
	char *end;
	unsigned long v;

	if (p->cursor[0] != letter || !isdigit((unsigned char)p->cursor[1]))
		return false;
	v = strtoul(p->cursor + 1, &end, 10);
	if (*end != '.')
		return false;
	*n = (uint32_t)v;
	p->cursor = end + 1;
	return true;
}

/* The length of a register's name at the parser: "$r3"; one or two components of a vector, "v0.xy"; a range of two
 * registers, "s[4:5]", where texts have ranges. 0: no register. */
static size_t reg_name(const struct parser *p, char name[REGISTER_NAME])
{
	size_t range = register_range(p->l->plan.code.target.isa, p->cursor), n = range ? range : *p->cursor == '$';

	while (!range && (isalnum((unsigned char)p->cursor[n]) || p->cursor[n] == '_'))
		n++;
	n += p->cursor[n] == '.' ? 1 + strspn(p->cursor + n + 1, "xyzw") : 0;
	if (n >= REGISTER_NAME)
		return 0;
	memcpy(name, p->cursor, n);
	name[n] = '\0';
	return register_exists(p->l->plan.code.target.isa, name) ? n : 0;
}

static bool reg(struct parser *p, struct condition_op op)
{
	const struct isa_ops *isa = p->l->plan.code.target.isa;
	size_t n = reg_name(p, op.reg);

	if (!n && register_range(isa, p->cursor))
		return refuse(p, "a range of one or two existing registers, such as s[4:5]");
	if (!n)
		return refuse(p, isa->reg.peek ? "a register such as v2, s[4:5], $r3.w, v0.xy, aL or cmp.x" :
				 "a register such as $r3");
	p->cursor += n;
	op.code = OP_REG;
	if (*p->cursor != '[')
		return emit(p, op);
	op.code = OP_REG_LANE;
	return index_of(p) && emit(p, op);
}

/* A variable of the source: n characters. */
static bool variable(struct parser *p, struct condition_op op, size_t n)
{
	struct condition *c = p->out;

	if (n + 1 > CONDITION_PATHS - c->npaths)
		return diag_set(p->d, DIAG_USAGE, "\"%s\" is too long", p->text);
	op.code = OP_VARIABLE;
	op.value = c->npaths;
	memcpy(c->paths + c->npaths, p->cursor, n);
	c->paths[c->npaths + n] = '\0';
	c->npaths += (unsigned)n + 1;
	c->by_lane = true;
	p->cursor += n;
	return emit(p, op);
}

/* Is the word of n characters the name of a place? */
static bool is_place(const char *text, size_t n)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i].name) == n && !memcmp(names[i].name, text, n))
			return true;
	return false;
}

/* The length of a variable of the source at the parser; a place of the same name comes first. */
static size_t variable_here(const struct parser *p)
{
	size_t n = variable_path(p->l, p->cursor, false), word = 0;

	while (isalnum((unsigned char)p->cursor[word]) || p->cursor[word] == '_')
		word++;
	return is_place(p->cursor, word) ? 0 : n;
}

/* A name: of a place, of memory, or a label. */
/* What a word may be, for a program of the launch's machine and language. */
static const char *expected_word(const struct wb_launch *l)
{
	const struct source_variables *v = l->plan.kernel->variables;

	if (v && v->arguments_only)
		return "a number, an argument of the kernel (other variables are not available on this target: "
		       "clang's PTX says lines alone, --chip gfx900 has all), $rN[LANE], s[ADDRESS], g[ADDRESS], pc, "
		       "mask, full, executed, depth, lanes, cycle, issue, block, warp or a label";
	if (v)
		return "a number, a variable of the source, a register such as v2, s[4:5] or v0[LANE], pc, mask, "
		       "full, executed, depth, lanes, cycle, issue, block, warp or a label";
	return l->plan.code.target.isa->reg.peek ?
		"a number, a part of a register or two such as r3.w[LANE], v0.xy, s[4:5], cmp.x or aL, pc, mask, "
		"full, executed, depth, lanes, cycle, issue, block, warp or a label" :
		"a number, $rN[LANE], s[ADDRESS], g[ADDRESS], pc, mask, full, executed, depth, lanes, cycle, issue, "
		"block, warp or a label";
}

static bool word(struct parser *p, struct condition_op op)
{
	char name[64];
	size_t n = 0;
	uint32_t pc;

	while ((isalnum((unsigned char)p->cursor[n]) || p->cursor[n] == '_') && n + 1 < sizeof name) {
		name[n] = p->cursor[n];
		n++;
	}
	name[n] = '\0';
	if (register_range(p->l->plan.code.target.isa, p->cursor))
		return reg(p, op);
	if (p->cursor[n] == '[' && (!strcmp(name, "s") || !strcmp(name, "g"))) {
		p->cursor += n;
		op.code = name[0] == 's' ? OP_SHARED : OP_GLOBAL;
		return index_of(p) && emit(p, op);
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i].name, name)) {
			p->cursor += n;
			op.code = names[i].code;
			return emit(p, op);
		}
	if (!wb_launch_label(p->l, name, &pc) && p->l->plan.code.target.isa->reg.peek && reg_name(p, op.reg))
		return reg(p, op);
	if (!n || !wb_launch_label(p->l, name, &pc))
		return refuse(p, expected_word(p->l));
	p->cursor += n;
	return emit(p, (struct condition_op){ .code = OP_NUMBER, .value = pc, .number = pc });
}

static bool operand(struct parser *p)
{
	struct condition_op op = { 0 };
	size_t n;

	blanks(p);
	if (isdigit((unsigned char)*p->cursor))
		return number(p);
	if (*p->cursor == '*' && (n = variable_path(p->l, p->cursor, false)))
		return variable(p, op, n);
	if (take(p, "("))
		return expression(p, 0) && (take(p, ")") || refuse(p, ")"));
	if (strchr("!~-", *p->cursor) && *p->cursor) {
		op.code = *p->cursor == '!' ? OP_NOT : *p->cursor == '~' ? OP_INVERT : OP_NEGATE;
		p->cursor++;
		if (++p->nested > NESTED_MAX)
			return refuse(p, "less nesting");
		return operand(p) && emit(p, op);
	}
	p->cursor += *p->cursor == '#';                 /* as assembly writes labels */
	op.has_block = selector(p, 'b', &op.block);
	op.has_warp = selector(p, 'w', &op.warp);
	if ((n = variable_here(p)))
		return variable(p, op, n);
	return *p->cursor == '$' ? reg(p, op) : word(p, op);
}

static bool operator(struct parser *p, int level, enum code *code)
{
	blanks(p);
	for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
		size_t n = strlen(binary[i].text);
		if (strncmp(p->cursor, binary[i].text, n))
			continue;
		if (binary[i].level != level)
			return false;
		*code = binary[i].code;
		p->cursor += n;
		return true;
	}
	return false;
}

static bool expression(struct parser *p, int level)
{
	enum code code;

	if (level == LEVELS)
		return operand(p);
	if (!level && ++p->nested > NESTED_MAX)
		return refuse(p, "less nesting");
	if (!expression(p, level + 1))
		return false;
	while (operator(p, level, &code))
		if (!expression(p, level + 1) || !emit(p, (struct condition_op){ .code = (uint8_t)code }))
			return false;
	return true;
}

bool condition_parse(struct condition *c, const struct wb_launch *l, const char *text, struct diag *d)
{
	struct parser p = { .out = c, .l = l, .text = text, .cursor = text, .d = d };

	c->nops = c->npaths = 0;
	c->by_lane = false;
	if (!expression(&p, 0))
		return false;
	blanks(&p);
	return !*p.cursor || refuse(&p, "an operator or the end");
}

/* ---- evaluating ---- */

static bool shared_word(const struct wb_launch *l, const struct wb_warp *w, uint64_t addr, uint64_t *v)
{
	uint32_t bytes, word;
	const uint8_t *s = wb_launch_shared(l, w->mp, w->slot, &bytes);

	if (addr + 4 > bytes || addr > bytes)
		return false;
	memcpy(&word, s + addr, 4);
	*v = word;
	return true;
}

static bool global_word(const struct wb_launch *l, uint64_t addr, uint64_t *v)
{
	uint32_t word;

	if (addr > UINT32_MAX || !global_read(l->machine.global, (uint32_t)addr, &word, 4))
		return false;
	*v = word;
	return true;
}

/* The register of the whole warp, or of a lane. */
static bool register_of(const struct wb_launch *l, const struct wb_warp *w, const char *name, unsigned lane,
			uint64_t *v)
{
	return register_of_warp(l, w->block, w->warp, name, v) ||
	       (w->active && register_in_lane(l, w->block, w->warp, name, lane, v));
}

/* The value of a place of warp w, of a register without lane in `lane`; *v holds the index on entry. */
static bool place(const struct wb_launch *l, const struct condition_op *op, const struct wb_warp *w, unsigned lane,
		  uint64_t *v)
{
	switch ((enum code)op->code) {
	case OP_PC: *v = w->pc; return true;
	case OP_MASK: *v = w->active; return true;
	case OP_FULL: *v = w->launched; return true;
	case OP_EXECUTED: *v = w->action.executed; return w->acted;
	case OP_DEPTH: *v = w->depth; return true;
	case OP_LANES: *v = (uint64_t)lanes_count(w->active); return true;
	case OP_BLOCK: *v = w->block; return true;
	case OP_WARP: *v = w->warp; return true;
	case OP_REG: return register_of(l, w, op->reg, lane, v);
	case OP_REG_LANE: return *v < WB_LANES && register_in_lane(l, w->block, w->warp, op->reg, (unsigned)*v, v);
	default: return shared_word(l, w, *v, v);
	}
}

/* A value: a word, and the number that the word stands for, by the type of a variable or the point of a literal. */
struct value {
	uint64_t bits;
	double number;
	bool is_signed, is_float;
};

static struct value truth(bool is)
{
	return (struct value){ .bits = is, .number = is };
}

static struct value float_value(double number)
{
	return (struct value){ .bits = f32_bits((float)number), .number = number, .is_float = true };
}

static struct value compute_float(enum code code, double a, double b)
{
	switch (code) {
	case OP_NOT: return truth(a == 0);
	case OP_OR: return truth(a != 0 || b != 0);
	case OP_AND: return truth(a != 0 && b != 0);
	case OP_EQ: return truth(a == b);
	case OP_NE: return truth(a != b);
	case OP_LE: return truth(a <= b);
	case OP_GE: return truth(a >= b);
	case OP_LT: return truth(a < b);
	case OP_GT: return truth(a > b);
	case OP_NEGATE: return float_value(-a);
	case OP_ADD: return float_value(a + b);
	case OP_SUB: return float_value(a - b);
	default: return float_value(a * b);
	}
}

static uint64_t compute_signed(enum code code, int64_t a, int64_t b)
{
	switch (code) {
	case OP_LE: return a <= b;
	case OP_GE: return a >= b;
	case OP_LT: return a < b;
	case OP_GT: return a > b;
	default: return (uint64_t)(a >> (b >= 0 && b < 64 ? b : 63));
	}
}

static uint64_t compute_word(enum code code, uint64_t a, uint64_t b)
{
	switch (code) {
	case OP_NOT: return !a;
	case OP_INVERT: return ~a;
	case OP_NEGATE: return 0 - a;
	case OP_OR: return a || b;
	case OP_AND: return a && b;
	case OP_BOR: return a | b;
	case OP_XOR: return a ^ b;
	case OP_BAND: return a & b;
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	case OP_LE: return a <= b;
	case OP_GE: return a >= b;
	case OP_LT: return a < b;
	case OP_GT: return a > b;
	case OP_SHL: return b < 64 ? a << b : 0;
	case OP_SHR: return b < 64 ? a >> b : 0;
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	default: return a * b;
	}
}

/* Whether an operation has a meaning for floats; the others take a float's bits. */
static bool takes_floats(enum code code)
{
	static const char meaningless[] = { OP_INVERT, OP_BOR, OP_XOR, OP_BAND, OP_SHL, OP_SHR };

	return !memchr(meaningless, (int)code, sizeof meaningless);
}

static bool depends_on_sign(enum code code)
{
	static const char list[] = { OP_LE, OP_GE, OP_LT, OP_GT, OP_SHR };

	return memchr(list, (int)code, sizeof list);
}

static struct value compute(enum code code, const struct value *a, const struct value *b)
{
	bool is_signed = a->is_signed || b->is_signed, has_second = code > OP_NEGATE;
	struct value out = { .is_signed = is_signed };

	if ((a->is_float || (has_second && b->is_float)) && takes_floats(code))
		return compute_float(code, a->number, b->number);
	if (is_signed && depends_on_sign(code))
		out.bits = compute_signed(code, (int64_t)a->bits, (int64_t)b->bits);
	else
		out.bits = compute_word(code, a->bits, b->bits);
	out.number = is_signed ? (double)(int64_t)out.bits : (double)out.bits;
	return out;
}

static bool wants_index(enum code code)
{
	return code == OP_REG_LANE || code == OP_SHARED || code == OP_GLOBAL;
}

/* w: the warp of the multiprocessor whose clock counts; NULL: not resident, and the furthest clock counts. */
static bool of_machine(const struct wb_launch *l, enum code code, const struct wb_warp *w, uint64_t *v)
{
	if (code == OP_GLOBAL)
		return global_word(l, *v, v);
	*v = code == OP_ISSUE ? clock_issues(&l->machine) : w ? wb_launch_cycle(l, w->mp) : clock_end(&l->machine);
	return true;
}

/* A warp's place as value; *v holds the index on entry. */
static bool place_value(const struct condition *c, const struct wb_launch *l, const struct condition_op *op,
			const struct wb_warp *w, unsigned lane, struct value *v)
{
	enum code code = op->code;
	bool machine = code == OP_GLOBAL || code == OP_CYCLE || code == OP_ISSUE;
	struct variable_number number;
	uint64_t bits = v->bits;

	if (code == OP_VARIABLE) {
		if (!w || !variable_in_lane(l, w, c->paths + op->value, lane, &number))
			return false;
		*v = (struct value){ number.bits, number.number, number.is_signed, number.is_float };
		return true;
	}
	if (!(machine ? of_machine(l, code, w, &bits) : w && place(l, op, w, lane, &bits)))
		return false;
	*v = (struct value){ .bits = bits, .number = (double)bits };
	return true;
}

enum { LOWEST_LANE = WB_LANES };

/* The value for a lane of a warp, or for each warp's lowest active lane. */
static bool value_in(const struct condition *c, const struct wb_launch *l, uint32_t block, uint32_t warp, unsigned lane,
		     uint64_t *value)
{
	struct value stack[CONDITION_OPS + 1] = { { 0 } };
	unsigned n = 0;
	struct wb_warp w;

	for (unsigned i = 0; i < c->nops; i++) {
		const struct condition_op *op = &c->op[i];
		enum code code = op->code;
		if (code == OP_NUMBER) {
			stack[n++] = (struct value){ .bits = op->value, .number = op->number };
		} else if (code <= OP_GLOBAL) {
			bool other = op->has_block || op->has_warp;
			bool there = wb_launch_find_warp(l, op->has_block ? op->block : block,
							 op->has_warp ? op->warp : warp, &w);
			unsigned in = lane < LOWEST_LANE && !other ? lane : there && w.active ?
				      (unsigned)__builtin_ctzll(w.active) : 0;
			n += !wants_index(code);
			if (!place_value(c, l, op, there ? &w : NULL, in, &stack[n - 1]))
				return false;
		} else {
			n -= code > OP_NEGATE;
			stack[n - 1] = compute(code, &stack[n - 1], &stack[n]);
		}
	}
	*value = stack[0].bits;
	return true;
}

bool condition_value(const struct condition *c, const struct wb_launch *l, uint32_t block, uint32_t warp,
		     uint64_t *value)
{
	return value_in(c, l, block, warp, LOWEST_LANE, value);
}

bool condition_fits(const struct condition *c, const struct wb_launch *l, uint32_t pc, struct diag *d)
{
	for (unsigned i = 0; i < c->nops; i++)
		if (c->op[i].code == OP_VARIABLE && !c->op[i].has_block && !c->op[i].has_warp &&
		    !variable_has_place(l, c->paths + c->op[i].value, pc, d))
			return false;
	return true;
}

bool condition_holds(const struct condition *c, const struct wb_launch *l, uint32_t block, uint32_t warp)
{
	struct wb_warp w;
	uint64_t v;

	if (!c->by_lane)
		return condition_value(c, l, block, warp, &v) && v;
	if (!wb_launch_find_warp(l, block, warp, &w))
		return false;
	FOR_SET_LANES(lane, w.active)
		if (value_in(c, l, block, warp, (unsigned)lane, &v) && v)
			return true;
	return false;
}

void condition_absent(const struct condition *c, const struct wb_launch *l, uint32_t block, uint32_t warp,
		      const char *text, struct diag *d)
{
	struct wb_warp w;
	uint32_t pc = wb_launch_find_warp(l, block, warp, &w) ? w.pc : 0;

	diag_set(d, DIAG_USAGE, "\"%s\": no such register, memory or variable exists at the moment", text);
	condition_fits(c, l, pc, d);
}
