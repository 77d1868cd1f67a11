/* nihstro: registers, aliases, and the operands that name them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/isa/pica/nihstro_impl.h"

static const char components[] = "xyzw";

static bool builtin(const struct token *t, struct operand *out)
{
	if (token_named(t, "cc"))
		*out = (struct operand){ .file = REG_CC };
	else if (token_named(t, "lcnt") || token_named(t, "aL"))
		*out = (struct operand){ .file = REG_ADDRESS, .reg = 2 };
	else if (!register_named(t, out))
		return false;
	out->n = out->file == REG_CC ? 2 : out->file == REG_ADDRESS || out->file == REG_B ? 1 : 4;
	for (int i = 0; i < 4; i++)
		out->comp[i] = (uint8_t)i;
	return true;
}

bool symbol_find(struct nihstro *n, const struct token *t, struct operand *out)
{
	struct symbol *s;

	HASH_FIND(hh, n->symbols, t->text, (unsigned)t->length, s);
	if (s)
		*out = s->value;
	else if (!builtin(t, out))
		return false;
	out->token = t;
	return true;
}

bool parse_mask(struct nihstro *n, struct line *line, struct operand *out)
{
	const struct token *t = line->cursor;
	struct operand whole = *out;

	if (t->kind != TOKEN_NAME || t->length > 4)
		return line_expected(line, t, n->d, "one to four of the components x y z w after `.`");
	for (int i = 0; i < t->length; i++) {
		const char *c = strchr(components, t->text[i]);
		if (!c)
			return line_error(line, t, n->d, "`%c` is no component: they are x y z w", t->text[i]);
		if (c - components >= whole.n)
			return line_error(line, t, n->d, "no component %c: the register has only %u", *c, whole.n);
		out->comp[i] = whole.comp[c - components];
	}
	out->n = (uint8_t)t->length;
	out->masked = true;
	line->cursor++;
	return true;
}

/* One term of an index: a number or an address register. */
static bool parse_index_term(struct nihstro *n, struct line *line, int sign, struct operand *out)
{
	const struct token *t = line->cursor;
	struct operand address;

	if (t->kind == TOKEN_NUMBER && !t->real) {
		out->reg += sign * token_int(t);
	} else if (t->kind == TOKEN_NAME && symbol_find(n, t, &address) && address.file == REG_ADDRESS) {
		if (out->index)
			return line_error(line, t, n->d, "an index adds only one address register, not a second");
		if (sign < 0)
			return line_error(line, t, n->d, "an address register can be added, not subtracted");
		out->index = (uint8_t)(address.reg + 1);
	} else {
		return line_expected(line, t, n->d, "a number, a0, a1 or lcnt as index");
	}
	line->cursor++;
	return true;
}

static bool parse_index(struct nihstro *n, struct line *line, struct operand *out)
{
	const struct token *start = line->cursor;
	int sign = line_take(line, '-') ? -1 : 1;

	do {
		if (!parse_index_term(n, line, sign, out))
			return false;
		sign = token_is(line->cursor, '-') ? -1 : 1;
	} while (line_take(line, '+') || line_take(line, '-'));
	if (!line_expect(line, ']', "the index", n->d))
		return false;
	int count = register_count(out->file);
	char letter = register_letters[out->file];
	if (out->reg < 0 || out->reg >= count)
		return line_error(line, start, n->d, "the index leads to %c%d, the last register is %c%d", letter,
				  out->reg, letter, count - 1);
	return true;
}

/* The way out for a word of another assembler; NULL: none. */
static const char *other_word(const struct token *t)
{
	static const char flags[] = "the flags of the last `cmp` are cc.x and cc.y: `if cc.x`, `if cc.x && !cc.y`, or "
				    "`if b0` by a boolean uniform";
	static const char operators[] =
		"comparisons are == != < <= > >=, one for x and one for y: `cmp r0.xy, r1.xy, >, <=`";
	static const struct { const char *word, *way; } words[] = {
		{ "cmp", flags }, { "cc.x", flags }, { "eq", operators }, { "ne", operators }, { "lt", operators },
		{ "le", operators }, { "gt", operators }, { "ge", operators },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].word) == (size_t)t->length &&
		    !strncasecmp(t->text, words[i].word, (size_t)t->length))
			return words[i].way;
	return NULL;
}

bool parse_operand(struct nihstro *n, struct line *line, struct operand *out)
{
	bool negate = line_take(line, '-');
	const struct token *t = line->cursor;

	if (t->kind != TOKEN_NAME)
		return line_expected(line, t, n->d, "a register");
	if (!symbol_find(n, t, out) && other_word(t))
		return line_error(line, t, n->d, "`%.*s` is no register: %s", t->length, t->text, other_word(t));
	if (!symbol_find(n, t, out))
		return line_error(line, t, n->d, "`%.*s` is no register and no alias", t->length, t->text);
	out->negate = negate;
	line->cursor++;
	if (line_take(line, '[') && !parse_index(n, line, out))
		return false;
	while (line_take(line, '.'))
		if (!parse_mask(n, line, out))
			return false;
	return true;
}
