/* picasso: registers, aliases and the operands that name them, and the list of words: what every other part uses. */
#include <string.h>
#include <strings.h>

#include "core/isa/pica/picasso_impl.h"

bool picasso_no_memory(struct picasso *p)
{
	return diag_set(p->d, DIAG_ENV, "no memory for the assembly");
}

struct pending *add_row(struct picasso *p, const struct line *line, const char *row)
{
	uint32_t most = p->unit->entry.geometry ? SHADER_MAX_CODE : VERTEX_CODE;

	if (p->nwords >= most) {
		line_error(line, line->token, p->d, "the program has more than the %u instructions of %s shaders", most,
			   p->unit->entry.geometry ? "geometry" : "vertex");
		return NULL;
	}
	struct pending *w = table_grow(p->arena, p->d, (void **)&p->word, &p->nwords, &p->words_capacity, sizeof *w);
	if (w)
		*w = pending_word(row, line_place(line, line->token));
	return w;
}

const char *file_noun(unsigned file)
{
	static const char *const noun[REG_FILES] = {
		[REG_V] = "an input", [REG_R] = "a temporary", [REG_C] = "a float uniform", [REG_O] = "an output",
		[REG_I] = "an integer uniform", [REG_B] = "a boolean uniform", [REG_ADDRESS] = "an address register",
	};

	return noun[file];
}

struct operand whole_register(unsigned file, int reg)
{
	return (struct operand){ .file = (uint8_t)file, .reg = reg, .n = 4, .comp = { 0, 1, 2, 3 } };
}

static struct symbol *find_alias(struct picasso *p, const struct token *t)
{
	struct symbol *s;

	HASH_FIND(hh, p->aliases, t->text, (unsigned)t->length, s);
	return s;
}

bool new_name(struct picasso *p, const struct line *line, const struct token *t)
{
	struct operand taken;

	if (t->kind != TOKEN_NAME)
		return line_expected(line, t, p->d, "a new name");
	if (find_alias(p, t))
		return line_error(line, t, p->d, "`%.*s` already names a register of this file: choose another name",
				  t->length, t->text);
	if (register_named(t, &taken))
		return line_error(line, t, p->d, "`%.*s` is %s and cannot be a new name", t->length, t->text,
				  file_noun(taken.file));
	return true;
}

bool add_alias(struct picasso *p, const struct token *t, const struct operand *value)
{
	struct symbol *s = ARENA_NEW(p->arena, struct symbol);
	char *name = token_copy(p->arena, p->d, t);

	if (!s || !name)
		return picasso_no_memory(p);
	s->name = name;
	s->value = *value;
	HASH_ADD_KEYPTR(hh, p->aliases, s->name, (unsigned)t->length, s);
	return s->hh.tbl || picasso_no_memory(p);
}

/* 0 to 3, by any of the three sets of letters; -1: no component. */
static int component(char c)
{
	static const char letters[] = "xyzwrgbastpqXYZWRGBASTPQ";
	const char *found = c ? strchr(letters, c) : NULL;

	return found ? (int)(found - letters) % 4 : -1;
}

bool read_components(struct picasso *p, struct line *line, struct operand *out)
{
	struct operand whole = *out;

	if (!line_take(line, '.'))
		return true;
	const struct token *t = line->cursor;
	if (t->kind != TOKEN_NAME || t->length > 4)
		return line_expected(line, t, p->d, "one to four of the components x y z w after `.`");
	for (int i = 0; i < 4; i++) {
		int c = component(t->text[i < t->length ? i : t->length - 1]);
		if (c < 0)
			return line_error(line, t, p->d, "`%c` is no component: they are x y z w, r g b a or s t p q",
					  t->text[i]);
		out->comp[i] = whole.comp[c];
	}
	out->masked = true;
	line->cursor++;
	return true;
}

/* a0.x, a0.y or aL, or by their older names; 0: none of these. */
static uint8_t address_register(struct line *line)
{
	static const struct { const char *name; uint8_t number; } old[] = {
		{ "a0", 1 }, { "a1", 2 }, { "a2", 3 }, { "lcnt", 3 }, { "aL", 3 },
	};

	for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
		if (!token_mnemonic(line->cursor, old[i].name))
			continue;
		line->cursor++;
		if (i || !token_is(line->cursor, '.'))
			return old[i].number;
		bool x = token_mnemonic(line->cursor + 1, "x"), y = token_mnemonic(line->cursor + 1, "y");
		line->cursor += x || y ? 2 : 0;
		return y ? 2 : 1;
	}
	return 0;
}

/* One term of an index: a number or an address register. */
static bool index_term(struct picasso *p, struct line *line, int sign, struct operand *out)
{
	const struct token *t = line->cursor;
	uint8_t address = address_register(line);

	if (!address && (t->kind != TOKEN_NUMBER || t->real))
		return line_expected(line, t, p->d, "a number, a0.x, a0.y or aL as index");
	if (!address) {
		out->reg += sign * token_int(t);
		line->cursor++;
		return true;
	}
	if (out->index || sign < 0)
		return line_error(line, t, p->d, "an index adds one address register, once");
	if (out->file != REG_C)
		return line_error(line, t, p->d, "address registers index float uniforms, found %s",
				  file_noun(out->file));
	out->index = address;
	return true;
}

static bool read_index(struct picasso *p, struct line *line, struct operand *out)
{
	const struct token *start = line->cursor;
	int sign = line_take(line, '-') ? -1 : 1, count = register_count(out->file);
	char letter = register_letters[out->file];

	do {
		if (!index_term(p, line, sign, out))
			return false;
		sign = token_is(line->cursor, '-') ? -1 : 1;
	} while (line_take(line, '+') || line_take(line, '-'));
	if (!line_expect(line, ']', "the index", p->d))
		return false;
	if (out->reg < 0 || out->reg >= count)
		return line_error(line, start, p->d, "the index leads to %c%d, the last register is %c%d", letter,
				  out->reg, letter, count - 1);
	return true;
}

/* The way out for a word of another assembler; NULL: none. */
static const char *other_word(const struct token *t)
{
	if (token_mnemonic(t, "cc"))
		return "the flags of the last cmp are cmp.x and cmp.y";
	if (token_mnemonic(t, "cmp"))
		return "flags are conditions of ifc, jmpc, callc and breakc";
	return "declare one with .fvec, .constf, .in, .out or .alias; registers are v0 r0 c0 o0 i0 b0";
}

bool read_operand(struct picasso *p, struct line *line, struct operand *out)
{
	bool negate = line_take(line, '-');
	const struct token *t = line->cursor;
	struct symbol *s = t->kind == TOKEN_NAME ? find_alias(p, t) : NULL;
	struct operand found = { 0 };

	if (t->kind != TOKEN_NAME)
		return line_expected(line, t, p->d, "a register");
	if (!s && !register_named(t, &found))
		return line_error(line, t, p->d, "`%.*s` is no register and no name of one: %s", t->length, t->text,
				  other_word(t));
	*out = s ? s->value : whole_register(found.file, found.reg);
	out->negate ^= negate;
	out->token = t;
	line->cursor++;
	if (line_take(line, '[') && !read_index(p, line, out))
		return false;
	return read_components(p, line, out);
}
