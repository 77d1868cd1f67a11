/* nihstro: instructions. A table of mnemonics has the shape of each, the row of the instruction table, and the row to
 * use with the uniform in the last source. */
#include <string.h>

#include "core/isa/pica/nihstro_impl.h"

enum shape { UNARY, BINARY, DOT, MAD, MOVA, CMP, PLAIN, SETEMIT, IF, ELSE, ENDIF, LOOP, ENDLOOP, BREAK, JMP, CALL };

/* name; shape; row; inverted: the row with a wide last source (7 bits and an address register), or NULL; commutes: the
 * sources may be exchanged instead; n1, n2: required components of the sources of a dot product. */
struct mnemonic {
	const char *name;
	enum shape shape;
	const char *row, *inverted;
	bool commutes;
	uint8_t n1, n2;
};

static const struct mnemonic mnemonics[] = {
	{ "mov", UNARY, .row = "mov" },   { "flr", UNARY, .row = "flr" },   { "rcp", UNARY, .row = "rcp" },
	{ "rsq", UNARY, .row = "rsq" },   { "exp", UNARY, .row = "ex2" },   { "ex2", UNARY, .row = "ex2" },
	{ "log", UNARY, .row = "lg2" },   { "lg2", UNARY, .row = "lg2" },   { "lit", UNARY, .row = "litp" },
	{ "litp", UNARY, .row = "litp" },
	{ "add", BINARY, .row = "add", .commutes = true },
	{ "mul", BINARY, .row = "mul", .commutes = true },
	{ "max", BINARY, .row = "max", .commutes = true },
	{ "min", BINARY, .row = "min", .commutes = true },
	{ "sge", BINARY, .row = "sge", .inverted = "sgei" },
	{ "slt", BINARY, .row = "slt", .inverted = "slti" },
	{ "dst", BINARY, .row = "dst", .inverted = "dsti" },
	{ "dp3", DOT, .row = "dp3", .commutes = true, .n1 = 3, .n2 = 3 },
	{ "dp4", DOT, .row = "dp4", .commutes = true, .n1 = 4, .n2 = 4 },
	{ "dph", DOT, .row = "dph", .inverted = "dphi", .n1 = 3, .n2 = 4 },
	{ "mad", MAD, .row = "mad", .inverted = "madi" },
	{ "mova", MOVA, .row = "mova" },  { "cmp", CMP, .row = "cmp" },
	{ "nop", PLAIN, .row = "nop" },   { "end", PLAIN, .row = "end" },   { "emit", PLAIN, .row = "emit" },
	{ "setemitraw", SETEMIT, .row = "setemit" },
	{ "setemit", SETEMIT, .row = "setemit" },
	/* The condition chooses the row. */
	{ .name = "if", .shape = IF },             { .name = "else", .shape = ELSE },
	{ .name = "endif", .shape = ENDIF },
	{ .name = "loop", .shape = LOOP },         { .name = "endloop", .shape = ENDLOOP },
	{ .name = "break", .shape = BREAK },       { .name = "breakc", .shape = BREAK },
	{ .name = "jmp", .shape = JMP },           { .name = "call", .shape = CALL },
};

static const struct mnemonic *find_mnemonic(const struct token *t)
{
	for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++)
		if (token_mnemonic(t, mnemonics[i].name))
			return &mnemonics[i];
	return NULL;
}

bool mnemonic_exists(const struct token *t)
{
	return find_mnemonic(t) != NULL;
}

/* ---- sources and destinations ---- */

static bool parse_source(struct nihstro *n, struct line *line, struct operand *o)
{
	static const char *const why[REG_FILES] = {
		[REG_O] = "outputs can only be written", [REG_I] = "integer uniforms only count loops",
		[REG_B] = "boolean uniforms are only conditions", [REG_ADDRESS] = "address registers only index",
		[REG_CC] = "the condition codes are only conditions",
	};

	if (!parse_operand(n, line, o))
		return false;
	if (why[o->file])
		return line_error(line, o->token, n->d, "`%.*s` is no source: %s", o->token->length, o->token->text,
				  why[o->file]);
	return true;
}

static bool parse_destination(struct nihstro *n, struct line *line, struct operand *o)
{
	const struct token *t = line->cursor;

	if (!parse_operand(n, line, o))
		return false;
	if (o->file != REG_O && o->file != REG_R)
		return line_error(line, t, n->d, "`%.*s` cannot be written: a destination is an output or a temporary",
				  o->token->length, o->token->text);
	if (o->negate || o->index)
		return line_error(line, t, n->d, "a destination has no sign and no address register");
	for (int i = 1; i < o->n; i++)
		if (o->comp[i] <= o->comp[i - 1])
			return line_error(line, t, n->d, "a destination mask may neither repeat nor reorder "
					  "components");
	return true;
}

static struct pending *add_word(struct nihstro *n, const struct line *line, const char *row)
{
	if (n->nwords == SHADER_MAX_CODE) {
		line_error(line, line->token, n->d, "the program has more than %d instructions", SHADER_MAX_CODE);
		return NULL;
	}
	struct pending *p = &n->word[n->nwords++];
	*p = pending_word(row, line_place(line, line->token));
	return p;
}

static struct insn *add_insn(struct nihstro *n, const struct line *line, const char *row)
{
	struct pending *p = add_word(n, line, row);

	return p ? &p->insn : NULL;
}

static bool same_size(struct nihstro *n, const struct line *line, const struct operand *dst, const struct operand *src,
		      int number)
{
	if (src->n == dst->n)
		return true;
	return line_error(line, src->token, n->d, "source %d has %u components and the destination %u: they must be "
			  "as many", number, src->n, dst->n);
}

static void swap(struct operand *a, struct operand *b)
{
	struct operand t = *a;

	*a = *b;
	*b = t;
}

static bool one_wide(struct nihstro *n, const struct line *line, const struct operand *a, const struct operand *b)
{
	if (!operand_wide(a) || !operand_wide(b))
		return true;
	return line_error(line, b->token, n->d, "only one source may be a float uniform or use an address register: "
			  "the other has no room for it in the word");
}

/* Exchange sources, or change the row, so that the wide source is where the hardware takes wide sources. */
static const char *row_for(const struct mnemonic *m, struct operand *a, struct operand *b)
{
	if (operand_wide(b) && m->commutes)
		swap(a, b);
	return operand_wide(b) ? m->inverted : m->row;
}

/* ---- the shapes ---- */

static bool unary(struct nihstro *n, struct line *line, const struct mnemonic *op)
{
	struct operand dst, a;

	if (!parse_destination(n, line, &dst) || !line_expect(line, ',', "the destination", n->d) ||
	    !parse_source(n, line, &a) || !line_ends(line, n->d) || !same_size(n, line, &dst, &a, 1))
		return false;
	struct insn *m = add_insn(n, line, op->row);
	if (!m)
		return false;
	set_destination(m, &dst);
	set_source(m, 0, &a, &dst);
	unsigned second = 0;    /* the reference also fills the selector of an absent source */
	for (int i = 0; i < dst.n; i++)
		second |= selector(dst.comp[i], (unsigned)i);
	if (second)
		m->src[3] = (struct opnd){ .shape = OPND_IMM, .value = (int32_t)second << 1 };
	return true;
}

static bool parse_binary(struct nihstro *n, struct line *line, struct operand *dst, struct operand *a,
			 struct operand *b)
{
	return parse_destination(n, line, dst) && line_expect(line, ',', "the destination", n->d) &&
	       parse_source(n, line, a) && line_expect(line, ',', "the first source", n->d) &&
	       parse_source(n, line, b) && line_ends(line, n->d) && one_wide(n, line, a, b);
}

static bool binary(struct nihstro *n, struct line *line, const struct mnemonic *op)
{
	struct operand dst, a, b;

	if (!parse_binary(n, line, &dst, &a, &b) || !same_size(n, line, &dst, &a, 1) ||
	    !same_size(n, line, &dst, &b, 2))
		return false;
	struct insn *m = add_insn(n, line, row_for(op, &a, &b));
	if (!m)
		return false;
	set_destination(m, &dst);
	set_source(m, 0, &a, &dst);
	set_source(m, 1, &b, &dst);
	return true;
}

static bool dot(struct nihstro *n, struct line *line, const struct mnemonic *op)
{
	struct operand dst, a, b;

	if (!parse_binary(n, line, &dst, &a, &b))
		return false;
	/* dph puts 1.0 in place of the first source's fourth component, so the component is optional. */
	bool first = a.n == op->n1 || (op->n1 < op->n2 && a.n == op->n2);
	if (!first || b.n != op->n2)
		return line_error(line, first ? b.token : a.token, n->d,
				  "%s takes a first source of %u components and a second "
				  "of %u, found %u and %u", op->name, op->n1, op->n2, a.n, b.n);
	struct insn *m = add_insn(n, line, row_for(op, &a, &b));
	if (!m)
		return false;
	set_destination(m, &dst);
	set_source(m, 0, &a, NULL);
	set_source(m, 1, &b, NULL);
	return true;
}

/* A float uniform fits in the second source of mad and in the third of madi; the factors may be exchanged. */
static bool mad(struct nihstro *n, struct line *line, const struct mnemonic *op)
{
	struct operand dst, s[3];
	int uniforms = 0;

	if (!parse_destination(n, line, &dst))
		return false;
	for (int i = 0; i < 3; i++) {
		if (!line_expect(line, ',', i ? "the source" : "the destination", n->d) ||
		    !parse_source(n, line, &s[i]) || !same_size(n, line, &dst, &s[i], i + 1))
			return false;
		uniforms += operand_wide(&s[i]);
		if (uniforms > 1)
			return line_error(line, s[i].token, n->d,
					  "mad reads only one float uniform, not a second");
	}
	if (!line_ends(line, n->d))
		return false;
	if (operand_wide(&s[0]))
		swap(&s[0], &s[1]);
	struct insn *m = add_insn(n, line, operand_wide(&s[2]) ? op->inverted : op->row);
	if (!m)
		return false;
	set_destination(m, &dst);
	for (int i = 0; i < 3; i++)
		set_source(m, i, &s[i], &dst);
	return true;
}

static bool mova(struct nihstro *n, struct line *line, const struct mnemonic *op)
{
	struct operand a;

	if (!parse_source(n, line, &a) || !line_ends(line, n->d))
		return false;
	if (a.n != 2)
		return line_error(line, a.token, n->d, "mova takes two components, for a0 and a1, found %u", a.n);
	struct insn *m = add_insn(n, line, op->row);
	if (!m)
		return false;
	m->mod[MOD_MASK] = 0xc;
	set_source(m, 0, &a, NULL);
	return true;
}

/* The operators by encoding, and the operators for exchanged sources. */
static const struct { const char *text; enum token_kind kind; uint8_t mirrored; } comparisons[] = {
	{ "==", TOKEN_EQ, 0 },   { "!=", TOKEN_NE, 1 }, { "<", TOKEN_CHAR, 4 },
	{ "<=", TOKEN_LE, 5 },   { ">", TOKEN_CHAR, 2 }, { ">=", TOKEN_GE, 3 },
};

static bool parse_comparison(struct nihstro *n, struct line *line, uint8_t *op)
{
	const struct token *t = line->cursor;

	for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
		if (t->kind == comparisons[i].kind && (t->kind != TOKEN_CHAR || t->c == *comparisons[i].text)) {
			*op = (uint8_t)i;
			line->cursor++;
			return true;
		}
	}
	return line_expected(line, t, n->d, "== != < <= > or >=");
}

static bool cmp(struct nihstro *n, struct line *line, const struct mnemonic *op)
{
	struct operand a, b;
	uint8_t x = 0, y = 0;

	if (!parse_source(n, line, &a) || !line_expect(line, ',', "the first source", n->d) ||
	    !parse_source(n, line, &b) || !line_expect(line, ',', "the second source", n->d) ||
	    !parse_comparison(n, line, &x) || !line_expect(line, ',', "the operator for x", n->d) ||
	    !parse_comparison(n, line, &y) || !line_ends(line, n->d) || !one_wide(n, line, &a, &b))
		return false;
	if (a.n != 2 || b.n != 2)
		return line_error(line, a.n != 2 ? a.token : b.token, n->d,
				  "cmp compares two components at once, found %u and %u", a.n, b.n);
	if (operand_wide(&b)) {
		swap(&a, &b);
		x = comparisons[x].mirrored;
		y = comparisons[y].mirrored;
	}
	struct insn *m = add_insn(n, line, op->row);
	if (!m)
		return false;
	m->mod[MOD_CMPX] = x;
	m->mod[MOD_CMPY] = y;
	set_source(m, 0, &a, NULL);
	set_source(m, 1, &b, NULL);
	return true;
}

static bool plain(struct nihstro *n, struct line *line, const struct mnemonic *op)
{
	if (strcmp(op->row, "emit") == 0 && !n->options->geometry)
		return line_error(line, line->token, n->d, "emit belongs to geometry shaders, this is a vertex shader");
	return line_ends(line, n->d) && add_word(n, line, op->row);
}

/* setemitraw VERTEX[, prim][, inv]; the commas are optional, so that setemit reads the same. */
static bool setemit(struct nihstro *n, struct line *line, const struct mnemonic *op)
{
	const struct token *t = line->cursor++;

	if (!n->options->geometry)
		return line_error(line, line->token, n->d, "%s belongs to geometry shaders, this is a vertex shader",
				  op->name);
	if (t->kind != TOKEN_NUMBER || t->length != 1 || *t->text > '3')
		return line_expected(line, t, n->d, "the number of a vertex, 0 to 3");
	struct pending *p = add_word(n, line, op->row);
	if (!p)
		return false;
	p->insn.mod[MOD_VERTEX] = (uint8_t)(*t->text - '0');
	while (line->cursor->kind != TOKEN_END) {
		line_take(line, ',');
		t = line->cursor++;
		if (token_named(t, "prim"))
			p->insn.mod[MOD_PRIM] = 1;
		else if (token_named(t, "inv"))
			p->insn.mod[MOD_WINDING] = 1;
		else
			return line_expected(line, t, n->d, "prim or inv");
	}
	return true;
}

/* ---- conditions ---- */

enum { COND_OR, COND_AND, COND_X, COND_Y };

struct condition {
	bool uniform, inverted;
	uint8_t reg;
	uint8_t op, ref[2];     /* on the condition codes: COND_…; reference values of cc.x and cc.y */
	const struct token *token;
};

/* [!]cc.x, [!]cc.y, [!]cc.xy or [!]bN; mask: bit 0 = x, bit 1 = y. */
static bool parse_flag(struct nihstro *n, struct line *line, struct operand *o, bool *inverted, unsigned *mask)
{
	*inverted = line_take(line, '!');
	const struct token *t = line->cursor;

	if (!parse_operand(n, line, o))
		return false;
	if (o->negate || (o->file != REG_CC && o->file != REG_B))
		return line_error(line, t, n->d, "a condition is a boolean uniform or made of cc.x and cc.y");
	*mask = 0;
	for (int i = 0; i < o->n; i++)
		*mask |= 1u << o->comp[i];
	if (__builtin_popcount(*mask) != o->n)
		return line_error(line, t, n->d, "the condition names a flag twice");
	return true;
}

static bool parse_second_flag(struct nihstro *n, struct line *line, struct condition *c, unsigned first)
{
	struct operand o;
	unsigned mask = 0;
	bool inverted;

	if (!parse_flag(n, line, &o, &inverted, &mask))
		return false;
	if (c->uniform || o.file == REG_B)
		return line_error(line, o.token, n->d, "boolean uniforms cannot be combined with && or ||");
	if ((first | mask) != 3 || (first & mask))
		return line_error(line, o.token, n->d, "&& and || combine cc.x with cc.y");
	c->ref[mask >> 1] = !inverted;
	return true;
}

static bool parse_condition(struct nihstro *n, struct line *line, struct condition *c)
{
	struct operand o;
	unsigned mask = 0;
	bool inverted;

	*c = (struct condition){ .ref = { 1, 1 }, .token = line->cursor };
	if (!parse_flag(n, line, &o, &inverted, &mask))
		return false;
	c->uniform = o.file == REG_B;
	c->reg = (uint8_t)o.reg;
	c->inverted = inverted;
	for (int i = 0; i < 2; i++)
		if (mask >> i & 1)
			c->ref[i] = !inverted;
	c->op = mask == 3 ? COND_AND : mask == 2 ? COND_Y : COND_X;
	if (line->cursor->kind != TOKEN_AND && line->cursor->kind != TOKEN_OR)
		return true;
	c->op = line->cursor++->kind == TOKEN_AND ? COND_AND : COND_OR;
	return parse_second_flag(n, line, c, mask);
}

/* Add a word that depends on c: row `on_flags` for the condition codes, row `on_uniform` for a boolean uniform. */
static struct pending *add_conditional(struct nihstro *n, struct line *line, const struct condition *c,
				       const char *on_flags, const char *on_uniform)
{
	const char *row = c->uniform ? on_uniform : on_flags;

	if (!row) {
		line_error(line, c->token, n->d, "the hardware has no %.*s on a boolean uniform", line->token->length,
			   line->token->text);
		return NULL;
	}
	/* JMPU alone can invert, by the lowest bit of its count (seed 003). */
	bool invert = c->uniform && c->inverted;
	if (invert && strcmp(row, "jmpu") != 0) {
		line_error(line, c->token, n->d, "a boolean uniform cannot be inverted here: the word has no bit for "
			   "it");
		return NULL;
	}
	struct pending *p = add_word(n, line, row);
	if (!p)
		return NULL;
	p->insn.mod[MOD_NUM] = invert;
	if (c->uniform)
		p->insn.src[1] = (struct opnd){ .shape = OPND_REG, .file = FILE_BOOL, .reg = c->reg };
	else
		p->insn.mod[MOD_COND] = (uint8_t)(c->op | c->ref[1] << 2 | c->ref[0] << 3);
	return p;
}

/* ---- scopes ---- */

static bool open_scope(struct nihstro *n, const struct line *line, bool loop)
{
	if (n->nscopes == SCOPES)
		return line_error(line, line->token, n->d, "more than %d scopes are open", SCOPES);
	n->scope[n->nscopes++] = (struct scope){
		.loop = loop, .opener = n->nwords - 1, .position = line_place(line, line->token),
	};
	return true;
}

static struct scope *inner_scope(struct nihstro *n, const struct line *line, bool loop)
{
	struct scope *s = n->nscopes ? &n->scope[n->nscopes - 1] : NULL;

	if (s && s->loop == loop)
		return s;
	if (s)
		line_error(line, line->token, n->d, "the innermost open scope is the %s of line %d",
			   s->loop ? "loop" : "if", s->position.line);
	else
		line_error(line, line->token, n->d, "no %s is open here", loop ? "loop" : "if");
	return NULL;
}

static bool if_(struct nihstro *n, struct line *line)
{
	struct condition c;

	return parse_condition(n, line, &c) && line_ends(line, n->d) && add_conditional(n, line, &c, "ifc", "ifu") &&
	       open_scope(n, line, false);
}

static bool else_(struct nihstro *n, struct line *line)
{
	struct scope *s = inner_scope(n, line, false);

	if (!s || !line_ends(line, n->d))
		return false;
	if (s->has_else)
		return line_error(line, line->token, n->d, "the if of line %d has an else already", s->position.line);
	s->has_else = true;
	s->alternative = n->nwords;
	return true;
}

static bool endif(struct nihstro *n, struct line *line)
{
	struct scope *s = inner_scope(n, line, false);

	if (!s || !line_ends(line, n->d))
		return false;
	uint32_t alternative = s->has_else ? s->alternative : n->nwords, length = n->nwords - alternative;
	if (length > 0xff)
		return line_error(line, line->token, n->d, "the else of line %d has %u instructions, at most 255 fit",
				  s->position.line, length);
	set_target(&n->word[s->opener].insn, alternative);
	n->word[s->opener].insn.mod[MOD_NUM] = (uint8_t)length;
	n->nscopes--;
	return true;
}

static bool loop(struct nihstro *n, struct line *line)
{
	struct operand o;
	const struct token *t = line->cursor;

	if (!parse_operand(n, line, &o) || !line_ends(line, n->d))
		return false;
	if (o.file != REG_I || o.negate || o.index)
		return line_error(line, t, n->d, "loop takes an integer uniform, i0 to i3");
	if (o.masked)
		return line_error(line, t, n->d, "loop takes a whole integer uniform, without a mask");
	struct pending *p = add_word(n, line, "loop");
	if (!p)
		return false;
	p->insn.src[1] = (struct opnd){ .shape = OPND_REG, .file = FILE_INT, .reg = (uint16_t)o.reg };
	return open_scope(n, line, true);
}

static bool endloop(struct nihstro *n, struct line *line)
{
	struct scope *s = inner_scope(n, line, true);

	if (!s || !line_ends(line, n->d))
		return false;
	if (n->nwords == s->opener + 1)
		return line_error(line, line->token, n->d, "the loop of line %d is empty: it needs an instruction to "
				  "end on", s->position.line);
	set_target(&n->word[s->opener].insn, n->nwords - 1);
	n->nscopes--;
	return true;
}

static bool break_(struct nihstro *n, struct line *line)
{
	struct condition c;
	bool inside = false;

	for (unsigned i = 0; i < n->nscopes; i++)
		inside |= n->scope[i].loop;
	if (line->cursor->kind == TOKEN_END)
		return line_error(line, line->cursor, n->d, "break needs a condition");
	if (!inside)
		return line_error(line, line->token, n->d, "break outside of a loop");
	return parse_condition(n, line, &c) && line_ends(line, n->d) && add_conditional(n, line, &c, "breakc", NULL);
}

/* ---- jumps ---- */

static bool parse_label_use(struct nihstro *n, struct line *line, struct label_use *use)
{
	const struct token *t = line->cursor++;

	if (t->kind != TOKEN_NAME)
		return line_expected(line, t, n->d, "a label");
	use->name = token_copy(n->arena, n->d, t);
	use->position = line_place(line, t);
	return use->name != NULL;
}

static bool jmp(struct nihstro *n, struct line *line)
{
	struct label_use target;
	struct condition c;

	if (!parse_label_use(n, line, &target))
		return false;
	if (token_named(line->cursor, "until"))
		return line_error(line, line->cursor, n->d, "jmp does not return: use call");
	if (!token_named(line->cursor, "if"))
		return line_error(line, line->cursor, n->d, "jmp needs `if` and a condition");
	line->cursor++;
	if (!parse_condition(n, line, &c) || !line_ends(line, n->d))
		return false;
	struct pending *p = add_conditional(n, line, &c, "jmpc", "jmpu");
	if (p)
		p->target = target;
	return p != NULL;
}

static bool call(struct nihstro *n, struct line *line)
{
	struct label_use target, until;
	struct condition c;
	struct pending *p;

	if (!parse_label_use(n, line, &target))
		return false;
	if (!token_named(line->cursor, "until"))
		return line_error(line, line->cursor, n->d, "call needs `until` and the label where it returns; jmp "
				  "does not return");
	line->cursor++;
	if (!parse_label_use(n, line, &until))
		return false;
	if (token_named(line->cursor, "if")) {
		line->cursor++;
		if (!parse_condition(n, line, &c) || !line_ends(line, n->d))
			return false;
		p = add_conditional(n, line, &c, "callc", "callu");
	} else {
		p = line_ends(line, n->d) ? add_word(n, line, "call") : NULL;
	}
	if (!p)
		return false;
	p->target = target;
	p->until = until;
	return true;
}

bool parse_instruction(struct nihstro *n, struct line *line)
{
	const struct token *t = line->cursor++;
	const struct mnemonic *op = find_mnemonic(t);

	if (!op)
		return line_error(line, t, n->d, "unknown instruction `%.*s`", t->length, t->text);
	switch (op->shape) {
	case UNARY:   return unary(n, line, op);
	case BINARY:  return binary(n, line, op);
	case DOT:     return dot(n, line, op);
	case MAD:     return mad(n, line, op);
	case MOVA:    return mova(n, line, op);
	case CMP:     return cmp(n, line, op);
	case PLAIN:   return plain(n, line, op);
	case SETEMIT: return setemit(n, line, op);
	case IF:      return if_(n, line);
	case ELSE:    return else_(n, line);
	case ENDIF:   return endif(n, line);
	case LOOP:    return loop(n, line);
	case ENDLOOP: return endloop(n, line);
	case BREAK:   return break_(n, line);
	case JMP:     return jmp(n, line);
	case CALL:    return call(n, line);
	}
	return false;
}
