/* nihstro: declarations. An alias names a register; `as` gives an output a meaning or a uniform a value. */
#include <stdlib.h>
#include <string.h>

#include "core/isa/pica/f24.h"
#include "core/isa/pica/nihstro_impl.h"

bool name_is_free(struct nihstro *n, const struct line *line, const struct token *t)
{
	struct operand taken;
	struct label *label;

	if (t->kind != TOKEN_NAME)
		return line_expected(line, t, n->d, "a new name");
	HASH_FIND(hh, n->labels, t->text, (unsigned)t->length, label);
	if (label)
		return line_error(line, t, n->d, "`%.*s` is already a label", t->length, t->text);
	if (symbol_find(n, t, &taken))
		return line_error(line, t, n->d, "`%.*s` already names a register", t->length, t->text);
	if (mnemonic_exists(t))
		return line_error(line, t, n->d, "`%.*s` is an instruction and cannot be a name", t->length, t->text);
	if (t->text[0] == '_' || strncmp(t->text, "gl_", 3) == 0 || strncmp(t->text, "dmp_", 4) == 0)
		return line_error(line, t, n->d, "`%.*s` is reserved: names may not begin with _, gl_ or dmp_",
				  t->length, t->text);
	return true;
}

#define GROW(n, what) \
	table_grow((n)->arena, (n)->d, (void **)&(n)->entry.what, &(n)->entry.n##what##s, &(n)->what##s_capacity, \
		   sizeof *(n)->entry.what)

static bool uniform_base(const struct operand *o, unsigned *base)
{
	static const struct { uint8_t file; unsigned base; } region[] = {
		{ REG_V, UNIFORM_V }, { REG_C, UNIFORM_C }, { REG_I, UNIFORM_I }, { REG_B, UNIFORM_B },
	};

	for (size_t i = 0; i < sizeof region / sizeof *region; i++) {
		if (o->file == region[i].file) {
			*base = region[i].base;
			return true;
		}
	}
	return false;
}

static bool declare_uniform(struct nihstro *n, const char *name, const struct operand *first, int last)
{
	unsigned base;

	if (!uniform_base(first, &base))
		return true;    /* a name for a temporary is the source's own affair */
	struct shader_uniform *u = GROW(n, uniform);
	if (!u)
		return false;
	*u = (struct shader_uniform){ name, (uint16_t)(base + (unsigned)first->reg),
				     (uint16_t)(base + (unsigned)last) };
	return true;
}

static bool declare_output(struct nihstro *n, struct line *line, const struct operand *o)
{
	const struct token *t = line->cursor;
	unsigned type = 0;

	while (type < OUTPUT_TYPES && !token_named(t, shader_output_name(type)))
		type++;
	/* Types 4, 7 and 9 exist on the hardware; the language gives a name to none of them. */
	if (type == OUTPUT_TYPES || type == OUTPUT_TEXCOORD0W || type == OUTPUT_DUMMY || type == OUTPUT_GENERIC) {
		return line_expected(line, t, n->d, "position, quaternion, color, texcoord0, texcoord1, texcoord2 or "
				     "view after `as`");
	}
	line->cursor++;
	struct shader_output *out = GROW(n, output);
	if (!out)
		return false;
	*out = (struct shader_output){ .type = (uint16_t)type, .reg = (uint16_t)o->reg };
	for (int i = 0; i < o->n; i++)
		out->mask |= (uint16_t)(1 << o->comp[i]);
	return true;
}

/* A decimal number as a raw 24-bit float, 0 below the normal numbers, as in the reference assemblers. */
static uint32_t raw_float(const struct token *t, bool negative)
{
	uint32_t bits = f32_bits(strtof(t->text, NULL)) | (negative ? F24_SIGN : 0);

	return f24_to_raw(f24_mag(bits) < F24_MIN_NORMAL ? bits & F24_SIGN : bits);
}

static bool parse_value(struct nihstro *n, struct line *line, bool integer, uint32_t *value)
{
	bool negative = line_take(line, '-');
	const struct token *t = line->cursor;
	char found[40];

	if (!negative)
		line_take(line, '+');
	t = line->cursor;
	if (t->kind != TOKEN_NUMBER)
		return line_expected(line, t, n->d, "a number");
	if (integer) {
		long v = strtol(t->text, NULL, 10);
		if (t->real || v > (negative ? 128 : 255))
			return line_error(line, t, n->d, "an integer uniform holds whole numbers from -128 to 255, "
					  "found %s", token_show(t, found, sizeof found));
		*value = (uint32_t)(negative ? -v : v) & 0xff;
	} else {
		*value = raw_float(t, negative);
	}
	line->cursor++;
	return true;
}

static bool parse_values(struct nihstro *n, struct line *line, bool integer, uint32_t value[4], int *count)
{
	*count = 0;
	if (!line_take(line, '('))
		return parse_value(n, line, integer, &value[(*count)++]);
	do {
		if (*count == 4)
			return line_error(line, line->cursor, n->d, "a constant has at most four components");
		if (!parse_value(n, line, integer, &value[(*count)++]))
			return false;
	} while (line_take(line, ','));
	return line_expect(line, ')', "the last component", n->d);
}

static bool declare_constant(struct nihstro *n, struct line *line, const struct operand *o)
{
	struct shader_constant c = { .reg = (uint16_t)o->reg };
	const struct token *t = line->cursor;
	uint32_t value[4] = { 0 };
	int count = 1;

	if (o->file == REG_B) {
		if (!token_named(t, "true") && !token_named(t, "false"))
			return line_error(line, t, n->d, "a boolean uniform is true or false");
		c.type = SHADER_BOOL;
		c.value[0] = token_named(t, "true");
		line->cursor++;
	} else {
		c.type = o->file == REG_I ? SHADER_INT : SHADER_FLOAT;
		if (!parse_values(n, line, o->file == REG_I, value, &count))
			return false;
		if (count != o->n && count != 1)
			return line_error(line, t, n->d, "the constant has %d components, the register as named has %u",
					  count, o->n);
		for (int i = 0; i < count; i++)
			c.value[o->comp[i]] = value[i];
	}
	struct shader_constant *out = GROW(n, constant);
	if (out)
		*out = c;
	return out != NULL;
}

/* The text behind `as`. */
static bool parse_meaning(struct nihstro *n, struct line *line, const struct operand *o, int last)
{
	if (last != o->reg)
		return line_error(line, line->cursor, n->d, "an array cannot be given a value or a meaning");
	if (o->file == REG_O)
		return declare_output(n, line, o);
	if (o->file == REG_C || o->file == REG_I || o->file == REG_B)
		return declare_constant(n, line, o);
	return line_error(line, line->cursor, n->d, "only outputs and uniforms can be followed by `as`");
}

static bool parse_array_end(struct nihstro *n, struct line *line, const struct operand *first, int *last)
{
	struct operand end;
	const struct token *t = line->cursor;

	if (!parse_operand(n, line, &end))
		return false;
	if (end.file != first->file || end.reg < first->reg || end.masked || first->masked)
		return line_error(line, t, n->d, "an array is a rising range of whole registers of one kind, such as "
				  "c10-c13");
	*last = end.reg;
	return true;
}

static bool add_symbol(struct nihstro *n, char *name, const struct operand *value)
{
	struct symbol *s = ARENA_NEW(n->arena, struct symbol);

	if (!s)
		return diag_set(n->d, DIAG_ENV, "no memory for the assembly");
	s->name = name;
	s->value = *value;
	HASH_ADD_KEYPTR(hh, n->symbols, s->name, (unsigned)strlen(s->name), s);
	return s->hh.tbl || diag_set(n->d, DIAG_ENV, "no memory for the assembly");
}

bool parse_alias(struct nihstro *n, struct line *line)
{
	const struct token *new_name = line->cursor;
	struct operand o;

	if (!name_is_free(n, line, new_name))
		return false;
	line->cursor++;
	const struct token *existing = line->cursor;
	if (!parse_operand(n, line, &o))
		return false;
	if (o.negate || o.index)
		return line_error(line, existing, n->d, "an alias names a register, without a sign or an address "
				  "register");
	int last = o.reg;
	if (line_take(line, '-') && !parse_array_end(n, line, &o, &last))
		return false;
	char *name = token_copy(n->arena, n->d, new_name);
	if (!name)
		return false;
	if (token_named(line->cursor, "as")) {
		line->cursor++;
		if (!parse_meaning(n, line, &o, last))
			return false;
	} else if (o.file == REG_O) {
		return line_error(line, line->cursor, n->d, "an output needs a meaning: `as position`, `as color`, …");
	} else if (!declare_uniform(n, name, &o, last)) {
		return false;
	}
	return line_ends(line, n->d) && add_symbol(n, name, &o);
}
