/* picasso: instructions. A table of mnemonics has the shape of each, the row of the instruction table, and the row with
 * the wide source last. Nothing is exchanged in silence: where a source does not fit, the message says what does. */
#include <string.h>

#include "core/isa/pica/picasso_impl.h"

enum shape { PLAIN, UNARY, BINARY, MAD, MOVA, CMP, SETEMIT, CALL, FOR, ON_FLAGS, ON_UNIFORM };

/* inverted: the row with a wide last source, or NULL; target: what the last operand names, or NULL; block: a block
 * begins behind. */
struct mnemonic {
	const char *name;
	enum shape shape;
	const char *row, *inverted;
	const char *target;
	bool block;
};

static const char label[] = "a label", procedure[] = "a procedure";

static const struct mnemonic mnemonics[] = {
	{ "nop", PLAIN, .row = "nop" },         { "end", PLAIN, .row = "end" },
	{ "emit", PLAIN, .row = "emit" },       { "break", PLAIN, .row = "break" },
	{ "mov", UNARY, .row = "mov" },         { "flr", UNARY, .row = "flr" },
	{ "rcp", UNARY, .row = "rcp" },         { "rsq", UNARY, .row = "rsq" },
	{ "ex2", UNARY, .row = "ex2" },         { "lg2", UNARY, .row = "lg2" },
	{ "litp", UNARY, .row = "litp" },
	{ "add", BINARY, .row = "add" },        { "mul", BINARY, .row = "mul" },
	{ "max", BINARY, .row = "max" },        { "min", BINARY, .row = "min" },
	{ "dp3", BINARY, .row = "dp3" },        { "dp4", BINARY, .row = "dp4" },
	{ "dph", BINARY, .row = "dph", .inverted = "dphi" },
	{ "dst", BINARY, .row = "dst", .inverted = "dsti" },
	{ "sge", BINARY, .row = "sge", .inverted = "sgei" },
	{ "slt", BINARY, .row = "slt", .inverted = "slti" },
	{ "mad", MAD, .row = "mad", .inverted = "madi" },
	/* Older names: the operands alone decide. */
	{ "dphi", BINARY, .row = "dph", .inverted = "dphi" },
	{ "dsti", BINARY, .row = "dst", .inverted = "dsti" },
	{ "sgei", BINARY, .row = "sge", .inverted = "sgei" },
	{ "slti", BINARY, .row = "slt", .inverted = "slti" },
	{ "madi", MAD, .row = "mad", .inverted = "madi" },
	{ "mova", MOVA, .row = "mova" },        { "cmp", CMP, .row = "cmp" },
	{ "setemit", SETEMIT, .row = "setemit" },
	{ "call", CALL, .row = "call", .target = procedure },
	{ "for", FOR, .row = "loop", .block = true },
	{ "breakc", ON_FLAGS, .row = "breakc" },
	{ "ifc", ON_FLAGS, .row = "ifc", .block = true },
	{ "jmpc", ON_FLAGS, .row = "jmpc", .target = label },
	{ "callc", ON_FLAGS, .row = "callc", .target = procedure },
	{ "jmpu", ON_UNIFORM, .row = "jmpu", .target = label },
	{ "callu", ON_UNIFORM, .row = "callu", .target = procedure },
	{ "ifu", ON_UNIFORM, .row = "ifu", .block = true },
};

static const struct mnemonic *find_mnemonic(const struct token *t)
{
	for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++)
		if (token_mnemonic(t, mnemonics[i].name))
			return &mnemonics[i];
	return NULL;
}

/* ---- sources and destinations ---- */

static bool comma(struct picasso *p, struct line *line, const char *after)
{
	return line_expect(line, ',', after, p->d);
}

static bool read_destination(struct picasso *p, struct line *line, struct operand *o)
{
	const struct token *t = line->cursor;

	if (!read_operand(p, line, o))
		return false;
	if (o->file != REG_O && o->file != REG_R)
		return line_error(line, t, p->d, "`%.*s` is %s and cannot be written: a destination is an output or a "
				  "temporary", o->token->length, o->token->text, file_noun(o->file));
	if (o->file == REG_O && p->unit->entry.geometry && o->reg > 6)
		return line_error(line, t, p->d, "geometry shaders write o0 to o6, found o%d", o->reg);
	if (o->negate)
		return line_error(line, t, p->d, "a destination has no sign");
	return comma(p, line, "the destination");
}

static bool read_source(struct picasso *p, struct line *line, struct operand *o)
{
	if (!read_operand(p, line, o))
		return false;
	if (o->file != REG_V && o->file != REG_R && o->file != REG_C)
		return line_error(line, o->token, p->d, "`%.*s` is %s and no source: sources are inputs, temporaries "
				  "and float uniforms", o->token->length, o->token->text, file_noun(o->file));
	return true;
}

/* Two different inputs give wrong values on the unit; facts: picasso's manual. */
static bool inputs_agree(struct picasso *p, const struct line *line, const struct operand *a, const struct operand *b)
{
	if (a->file != REG_V || b->file != REG_V || a->reg == b->reg)
		return true;
	return line_error(line, b->token, p->d, "an instruction reads one input, found v%d and v%d: mov one into a "
			  "temporary first", a->reg, b->reg);
}

/* ---- the shapes ---- */

static bool plain(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	return line_ends(line, p->d) && add_row(p, line, op->row);
}

static bool unary(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	struct operand dst, a;

	if (!read_destination(p, line, &dst) || !read_source(p, line, &a) || !line_ends(line, p->d))
		return false;
	struct pending *w = add_row(p, line, op->row);
	if (!w)
		return false;
	set_destination(&w->insn, &dst);
	set_source(&w->insn, 0, &a, NULL);
	return true;
}

static bool binary(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	struct operand dst, a, b;

	if (!read_destination(p, line, &dst) || !read_source(p, line, &a) || !comma(p, line, "the first source") ||
	    !read_source(p, line, &b) || !line_ends(line, p->d) || !inputs_agree(p, line, &a, &b))
		return false;
	if (operand_wide(&a) && operand_wide(&b))
		return line_error(line, b.token, p->d, "%s reads one float uniform, found two: mov one into a "
				  "temporary first", op->name);
	if (operand_wide(&b) && !op->inverted)
		return line_error(line, b.token, p->d, "%s reads a float uniform as its first source, found it as the "
				  "second: exchange the sources", op->name);
	struct pending *w = add_row(p, line, operand_wide(&b) ? op->inverted : op->row);
	if (!w)
		return false;
	set_destination(&w->insn, &dst);
	set_source(&w->insn, 0, &a, NULL);
	set_source(&w->insn, 1, &b, NULL);
	return true;
}

static bool mad(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	struct operand dst, s[3];

	if (!read_destination(p, line, &dst))
		return false;
	for (int i = 0; i < 3; i++) {
		if ((i && !comma(p, line, "the source")) || !read_source(p, line, &s[i]))
			return false;
		for (int k = 0; k < i; k++)
			if (!inputs_agree(p, line, &s[k], &s[i]))
				return false;
	}
	if (!line_ends(line, p->d))
		return false;
	if (operand_wide(&s[0]))
		return line_error(line, s[0].token, p->d, "mad reads a float uniform as its second or third source, "
				  "found it as the first: exchange the factors");
	if (operand_wide(&s[1]) && operand_wide(&s[2]))
		return line_error(line, s[2].token, p->d, "mad reads one float uniform, found two: mov one into a "
				  "temporary first");
	struct pending *w = add_row(p, line, operand_wide(&s[2]) ? op->inverted : op->row);
	if (!w)
		return false;
	set_destination(&w->insn, &dst);
	for (int i = 0; i < 3; i++)
		set_source(&w->insn, i, &s[i], NULL);
	return true;
}

static bool mova(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	static const struct { const char *name, *part; uint8_t mask; } destination[] = {
		{ "a0", "x", 8 }, { "a0", "y", 4 }, { "a0", "xy", 12 }, { "a0", NULL, 8 }, { "a1", NULL, 4 },
		{ "a01", NULL, 12 },
	};
	const struct token *t = line->cursor;
	bool part = token_is(t + 1, '.');
	struct operand a;
	uint8_t mask = 0;

	for (size_t i = 0; i < sizeof destination / sizeof *destination && !mask; i++)
		if (token_mnemonic(t, destination[i].name) && part == (destination[i].part != NULL) &&
		    (!part || token_mnemonic(t + 2, destination[i].part)))
			mask = destination[i].mask;
	if (!mask)
		return line_expected(line, t, p->d, "a0.x, a0.y or a0.xy");
	line->cursor += part ? 3 : 1;
	if (!comma(p, line, "the destination") || !read_source(p, line, &a) || !line_ends(line, p->d))
		return false;
	struct pending *w = add_row(p, line, op->row);
	if (!w)
		return false;
	w->insn.mod[MOD_MASK] = mask;
	set_source(&w->insn, 0, &a, NULL);
	return true;
}

static bool read_comparison(struct picasso *p, struct line *line, uint8_t *op)
{
	static const char *const word[] = { "eq", "ne", "lt", "le", "gt", "ge" };
	const struct token *t = line->cursor++;

	for (uint8_t i = 0; i < sizeof word / sizeof *word; i++) {
		if (token_mnemonic(t, word[i])) {
			*op = i;
			return true;
		}
	}
	return line_expected(line, t, p->d, "eq, ne, lt, le, gt or ge");
}

static bool cmp(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	struct operand a, b;
	uint8_t x = 0, y = 0;

	if (!read_source(p, line, &a) || !comma(p, line, "the first source") || !read_comparison(p, line, &x) ||
	    !comma(p, line, "the comparison of x") || !read_comparison(p, line, &y) ||
	    !comma(p, line, "the comparison of y") || !read_source(p, line, &b) || !line_ends(line, p->d))
		return false;
	if (operand_wide(&b))
		return line_error(line, b.token, p->d, "cmp reads a float uniform as its first source, found it as the "
				  "second: exchange the sources, and lt with gt, le with ge");
	struct pending *w = add_row(p, line, op->row);
	if (!w)
		return false;
	w->insn.mod[MOD_CMPX] = x;
	w->insn.mod[MOD_CMPY] = y;
	set_source(&w->insn, 0, &a, NULL);
	set_source(&w->insn, 1, &b, NULL);
	return true;
}

/* setemit VERTEX[, FLAG …], flags with blanks between. */
static bool setemit(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	const struct token *t = line->cursor++;

	if (t->kind != TOKEN_NUMBER || t->length != 1 || *t->text > '2')
		return line_expected(line, t, p->d, "the number of a vertex, 0 to 2");
	p->unit->entry.geometry = true;
	struct pending *w = add_row(p, line, op->row);
	if (!w)
		return false;
	w->insn.mod[MOD_VERTEX] = (uint8_t)(*t->text - '0');
	if (line->cursor->kind == TOKEN_END)
		return true;
	if (!comma(p, line, "the vertex"))
		return false;
	do {
		t = line->cursor++;
		if (token_mnemonic(t, "prim") || token_mnemonic(t, "primitive"))
			w->insn.mod[MOD_PRIM] = 1;
		else if (token_mnemonic(t, "inv") || token_mnemonic(t, "invert"))
			w->insn.mod[MOD_WINDING] = 1;
		else
			return line_expected(line, t, p->d, "prim or inv");
	} while (line->cursor->kind != TOKEN_END);
	return true;
}

/* ---- conditions and targets ---- */

/* [!]cmp.x or [!]cmp.y; which: 0 x, 1 y; value: what the flag must be. */
static bool read_flag(struct picasso *p, struct line *line, unsigned *which, bool *value)
{
	const struct token *t;

	for (*value = true; line_take(line, '!'); *value = !*value)
		;
	t = line->cursor;
	bool flag = token_mnemonic(t, "cmp") && token_is(t + 1, '.');
	bool x = flag && token_mnemonic(t + 2, "x"), y = flag && token_mnemonic(t + 2, "y");
	if (!x && !y)
		return line_expected(line, t, p->d, "cmp.x or cmp.y");
	line->cursor += 3;
	*which = y;
	return true;
}

/* A flag, or two with && or ||; a single sign is meant alike. */
static bool read_condition(struct picasso *p, struct line *line, uint8_t *out)
{
	enum { OR, AND, ALONE };
	bool value, second;
	unsigned which, other;

	if (!read_flag(p, line, &which, &value))
		return false;
	const struct token *t = line->cursor;
	bool and = t->kind == TOKEN_AND || token_is(t, '&'), or = t->kind == TOKEN_OR || token_is(t, '|');
	unsigned op = ALONE + which, reference[2] = { 1, 1 };
	reference[which] = value;
	if (and || or) {
		line->cursor++;
		t = line->cursor;
		if (!read_flag(p, line, &other, &second))
			return false;
		if (other == which)
			return line_error(line, t, p->d, "the condition names cmp.%c twice", which ? 'y' : 'x');
		op = and ? AND : OR;
		reference[other] = second;
	}
	*out = (uint8_t)(op | reference[1] << 2 | reference[0] << 3);
	return true;
}

/* The procedure of a call is kept as `until`, a label as `target`: each is looked up among its own. */
static bool read_target(struct picasso *p, struct line *line, const char *what, struct pending *w)
{
	const struct token *t = line->cursor++;
	struct label_use *use = what == label ? &w->target : &w->until;

	if (t->kind != TOKEN_NAME)
		return line_expected(line, t, p->d, what);
	use->name = token_copy(p->arena, p->d, t);
	use->position = line_place(line, t);
	return use->name != NULL;
}

static bool call(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	struct pending *w = add_row(p, line, op->row);

	return w && read_target(p, line, op->target, w) && line_ends(line, p->d);
}

/* What follows a condition: the comma and the target, or a block. */
static bool end_condition(struct picasso *p, struct line *line, const struct mnemonic *op, struct pending *w)
{
	if (op->target && (!comma(p, line, "the condition") || !read_target(p, line, op->target, w)))
		return false;
	return line_ends(line, p->d) && (!op->block || open_block(p, line, BLOCK_IF, line->token));
}

static bool on_flags(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	struct pending *w = add_row(p, line, op->row);

	return w && read_condition(p, line, &w->insn.mod[MOD_COND]) && end_condition(p, line, op, w);
}

static bool on_uniform(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	const struct token *t = line->cursor;
	bool inverted = line_take(line, '!');
	struct operand o;

	/* JMPU alone can invert, by the lowest bit of its count (seed 003). */
	if (inverted && strcmp(op->row, "jmpu") != 0)
		return line_error(line, t, p->d, "%s cannot invert its condition: the word has no bit for it",
				  op->name);
	if (!read_operand(p, line, &o))
		return false;
	if (o.file != REG_B || o.negate || o.masked)
		return line_error(line, t, p->d, "%s takes a boolean uniform, b0 to b15, found %s", op->name,
				  o.file != REG_B ? file_noun(o.file) : "a sign or components");
	struct pending *w = add_row(p, line, op->row);
	if (!w)
		return false;
	w->insn.src[1] = (struct opnd){ .shape = OPND_REG, .file = FILE_BOOL, .reg = (uint16_t)o.reg };
	w->insn.mod[MOD_NUM] = inverted;
	return end_condition(p, line, op, w);
}

static bool for_(struct picasso *p, struct line *line, const struct mnemonic *op)
{
	const struct token *t = line->cursor;
	struct operand o;

	if (!read_operand(p, line, &o) || !line_ends(line, p->d))
		return false;
	if (o.file != REG_I || o.negate || o.masked)
		return line_error(line, t, p->d, "for takes an integer uniform, i0 to i3, found %s",
				  o.file != REG_I ? file_noun(o.file) : "a sign or components");
	struct pending *w = add_row(p, line, op->row);
	if (!w)
		return false;
	w->insn.src[1] = (struct opnd){ .shape = OPND_REG, .file = FILE_INT, .reg = (uint16_t)o.reg };
	return open_block(p, line, BLOCK_FOR, line->token);
}

bool read_instruction(struct picasso *p, struct line *line)
{
	static bool (*const reader[])(struct picasso *p, struct line *line, const struct mnemonic *op) = {
		[PLAIN] = plain, [UNARY] = unary, [BINARY] = binary, [MAD] = mad, [MOVA] = mova, [CMP] = cmp,
		[SETEMIT] = setemit, [CALL] = call, [FOR] = for_, [ON_FLAGS] = on_flags, [ON_UNIFORM] = on_uniform,
	};
	const struct token *t = line->cursor++;
	const struct mnemonic *op = find_mnemonic(t);
	const struct block *b = p->nblocks ? &p->block[p->nblocks - 1] : NULL;

	if (!op)
		return line_error(line, t, p->d, "unknown instruction `%.*s`: %s", t->length, t->text,
				  token_named(t, "sub")   ? "add a, -b subtracts"
				  : token_named(t, "div") ? "rcp and mul divide"
							  : "docs/reference/picasso.md lists them");
	if (!b)
		return line_error(line, t, p->d, "`%.*s` stands in no procedure: .proc NAME opens one", t->length,
				  t->text);
	if (b->kind == BLOCK_ARRAY)
		return line_error(line, t, p->d, "found `%.*s` in the array of line %d: .constfa (x, y, z, w) adds an "
				  "element, .end ends the array", t->length, t->text, b->position.line);
	p->block_closed = false;
	return reader[op->shape](p, line, op);
}
