/* picasso: directives. Registers are taken by the language itself: uniforms from the first register up, the same in all
 * vertex shaders of a program, and constants from the last register down, for each file anew. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/isa/pica/picasso_impl.h"

#define GROW(p, what) \
	table_grow((p)->arena, (p)->d, (void **)&(p)->unit->entry.what, &(p)->unit->entry.n##what##s, \
		   &(p)->unit->what##s_capacity, sizeof *(p)->unit->entry.what)

/* By enum shader_constant_type. */
static const struct { uint8_t file; uint16_t base; const char *noun; } types[] = {
	[SHADER_BOOL] = { REG_B, UNIFORM_B, "boolean uniforms" },
	[SHADER_INT] = { REG_I, UNIFORM_I, "integer uniforms" },
	[SHADER_FLOAT] = { REG_C, UNIFORM_C, "float uniforms" },
};

/* ---- registers ---- */

static struct pool *pool_of(struct picasso *p, unsigned type)
{
	return p->unit->own_uniforms ? &p->unit->pool[type] : &p->pool[type];
}

/* -1: not enough left. */
static int take_shared(struct pool *pool, int size)
{
	int reg = pool->lowest;

	if (size > pool->bound - reg)
		return -1;
	pool->lowest += size;
	return reg;
}

static int take_constants(struct pool *pool, int size)
{
	int reg = pool->end - size;

	if (reg < pool->lowest)
		return -1;
	pool->bound = reg < pool->bound ? reg : pool->bound;
	pool->end = reg;
	return reg;
}

static bool none_left(struct picasso *p, const struct line *line, const struct token *t, unsigned type, int size)
{
	const struct pool *pool = pool_of(p, type);
	int end = pool->bound < pool->end ? pool->bound : pool->end;

	return line_error(line, t, p->d, "`%.*s` needs %d %s, and of the %d there are %d left", t->length, t->text,
			  size, types[type].noun, pool->top, end > pool->lowest ? end - pool->lowest : 0);
}

/* ---- numbers ---- */

static bool read_number(struct picasso *p, struct line *line, double *value)
{
	bool negative = line_take(line, '-');
	char text[64];

	if (!negative)
		line_take(line, '+');
	const struct token *t = line->cursor;
	if (t->kind != TOKEN_NUMBER || t->length >= (int)sizeof text)
		return line_expected(line, t, p->d, "a number");
	memcpy(text, t->text, (size_t)t->length);
	text[t->length] = 0;
	char *end;
	*value = strtod(text, &end) * (negative ? -1 : 1);
	if (*end)
		return line_expected(line, t, p->d, "a number");
	line->cursor++;
	if (token_named(line->cursor, "f") && line->cursor->column == t->column + t->length)
		line->cursor++; /* the sign of C for a float */
	return true;
}

/* A raw 24-bit float, cut, with the small numbers that picasso leaves as they are. */
static uint32_t raw_float(double value)
{
	uint32_t bits = f32_bits((float)value), sign = bits >> 31 << 23;
	int exponent = (int)(bits >> 23 & 0xff) - 127 + 63;

	if (exponent < 0)
		return sign;
	if (exponent > 0x7f)
		return sign | 0x7f0000;
	return sign | (uint32_t)exponent << 16 | (bits & 0x7fffff) >> 7;
}

/* (x, y, z, w) */
static bool read_values(struct picasso *p, struct line *line, unsigned type, uint32_t value[4])
{
	for (int i = 0; i < 4; i++) {
		double number = 0;
		if (!line_expect(line, "(,,,"[i], i ? "the component" : "the name", p->d))
			return false;
		const struct token *t = line->cursor;
		if (!read_number(p, line, &number))
			return false;
		if (type == SHADER_INT && (number != floor(number) || number < -128 || number > 255))
			return line_error(line, t, p->d, "an integer uniform holds whole numbers from -128 to 255, "
					  "found %g", number);
		value[i] = type == SHADER_INT ? (uint32_t)(int)number & 0xff : raw_float(number);
	}
	return line_expect(line, ')', "the fourth component", p->d) && line_ends(line, p->d);
}

/* [SIZE] behind a name; without, *size stays. */
static bool read_size(struct picasso *p, struct line *line, int *size)
{
	if (!line_take(line, '['))
		return true;
	const struct token *t = line->cursor;
	if (t->kind != TOKEN_NUMBER || t->real || !token_int(t))
		return line_expected(line, t, p->d, "the number of registers, 1 or more");
	*size = token_int(t);
	line->cursor++;
	return line_expect(line, ']', "the number of registers", p->d);
}

/* ---- uniforms ---- */

static bool list_uniform(struct picasso *p, const struct token *name, unsigned base, int reg, int size)
{
	char *text = token_copy(p->arena, p->d, name);
	struct shader_uniform *u = text && *text != '_' ? GROW(p, uniform) : NULL;

	if (!text)
		return false;
	for (char *c = text; *c; c++)
		*c = *c == '$' ? '.' : *c;
	if (u)
		*u = (struct shader_uniform){ text, (uint16_t)(base + (unsigned)reg),
					      (uint16_t)(base + (unsigned)(reg + size - 1)) };
	return u || *text == '_';
}

static bool same_uniform(struct picasso *p, const struct line *line, const struct token *t, unsigned type, int size,
			 const struct uniform_name *u)
{
	if (u->type == type && u->size == size)
		return true;
	return line_error(line, t, p->d, "`%s` is %d of the %s here, and %d of the %s in %s:%d: files of a program "
			  "share uniforms", u->name, size, types[type].noun, u->size, types[u->type].noun,
			  u->position.file ? u->position.file : "line ", u->position.line);
}

/* Give the uniform its register, in vertex shaders the one that it has in an earlier file. */
static bool place_uniform(struct picasso *p, const struct line *line, const struct token *t, unsigned type, int size,
			  int *reg)
{
	struct uniform_name *u = NULL;

	if (!p->unit->own_uniforms)
		HASH_FIND(hh, p->uniforms, t->text, (unsigned)t->length, u);
	if (u) {
		*reg = u->reg;
		return same_uniform(p, line, t, type, size, u);
	}
	*reg = take_shared(pool_of(p, type), size);
	if (*reg < 0)
		return none_left(p, line, t, type, size);
	if (p->unit->own_uniforms)
		return true;
	u = ARENA_NEW(p->arena, struct uniform_name);
	char *name = token_copy(p->arena, p->d, t);
	if (!u || !name)
		return picasso_no_memory(p);
	*u = (struct uniform_name){ .name = name, .type = type, .reg = *reg, .size = size,
				    .position = line_place(line, t) };
	HASH_ADD_KEYPTR(hh, p->uniforms, u->name, (unsigned)t->length, u);
	return u->hh.tbl || picasso_no_memory(p);
}

static bool uniforms(struct picasso *p, struct line *line, unsigned type)
{
	do {
		const struct token *t = line->cursor;
		int size = 1, reg;
		if (!new_name(p, line, t))
			return false;
		line->cursor++;
		if (!read_size(p, line, &size) || !place_uniform(p, line, t, type, size, &reg))
			return false;
		struct operand whole = whole_register(types[type].file, reg);
		if (!list_uniform(p, t, types[type].base, reg, size) || !add_alias(p, t, &whole))
			return false;
	} while (line_take(line, ','));
	return line_ends(line, p->d);
}

/* ---- constants ---- */

static bool add_constant(struct picasso *p, unsigned type, int reg, const uint32_t value[4])
{
	struct shader_constant *c = GROW(p, constant);

	if (!c)
		return false;
	*c = (struct shader_constant){ .type = (uint16_t)type, .reg = (uint16_t)reg };
	memcpy(c->value, value, sizeof c->value);
	return true;
}

/* .constf, .consti: NAME(x, y, z, w) */
static bool constant(struct picasso *p, struct line *line, unsigned type)
{
	const struct token *t = line->cursor;
	uint32_t value[4];

	if (!new_name(p, line, t))
		return false;
	line->cursor++;
	if (!read_values(p, line, type, value))
		return false;
	int reg = take_constants(pool_of(p, type), 1);
	if (reg < 0)
		return none_left(p, line, t, type, 1);
	struct operand whole = whole_register(types[type].file, reg);
	return add_constant(p, type, reg, value) && add_alias(p, t, &whole);
}

static bool open_array(struct picasso *p, struct line *line)
{
	const struct token *t = line->cursor;

	if (!new_name(p, line, t))
		return false;
	p->elements = p->declared = 0;
	line->cursor++;
	if (!token_is(line->cursor, '['))
		return line_expected(line, line->cursor, p->d, "`[]` or `[SIZE]` after the array's name");
	if (token_is(line->cursor + 1, ']'))
		line->cursor += 2;
	else if (!read_size(p, line, &p->declared))
		return false;
	return line_ends(line, p->d) && open_block(p, line, BLOCK_ARRAY, t);
}

/* .constfa NAME[], or an element of the open array. */
static bool array(struct picasso *p, struct line *line, unsigned type)
{
	const struct token *t = line->cursor;

	if (!p->nblocks || p->block[p->nblocks - 1].kind != BLOCK_ARRAY)
		return open_array(p, line);
	if (p->elements == SHADER_FLOATS || (p->declared && p->elements == p->declared))
		return line_error(line, t, p->d, "the array has more than the %d elements %s",
				  p->declared ? p->declared : SHADER_FLOATS,
				  p->declared ? "of its declaration" : "that registers hold");
	return read_values(p, line, type, p->element[p->elements++]);
}

/* The end of an array: registers and values, now that the number of elements is known. */
static bool close_array(struct picasso *p, const struct line *line, const struct block *b)
{
	static const uint32_t zero[4];
	int size = p->declared ? p->declared : p->elements;
	struct line start = { .file = b->position.file, .number = b->position.line };

	if (!size)
		return line_error(line, line->token, p->d, "the array of line %d has no elements: .constfa "
				  "(x, y, z, w) adds one", b->position.line);
	int reg = take_constants(pool_of(p, SHADER_FLOAT), size);
	if (reg < 0)
		return none_left(p, &start, &b->name, SHADER_FLOAT, size);
	for (int i = 0; i < size; i++)
		if (!add_constant(p, SHADER_FLOAT, reg + i, i < p->elements ? p->element[i] : zero))
			return false;
	struct operand whole = whole_register(REG_C, reg);
	return add_alias(p, &b->name, &whole);
}

/* A register for a constant, without sign and components. */
static bool read_uniform(struct picasso *p, struct line *line, unsigned type, struct operand *o)
{
	const struct token *t = line->cursor;

	if (!read_operand(p, line, o))
		return false;
	if (o->file != types[type].file || o->index || o->negate || o->masked)
		return line_error(line, t, p->d, "expected one of the %s, whole, found %s", types[type].noun,
				  o->file != types[type].file ? file_noun(o->file) : "a part or an index");
	return true;
}

/* .setf, .seti: REGISTER(x, y, z, w) */
static bool set_value(struct picasso *p, struct line *line, unsigned type)
{
	struct operand o;
	uint32_t value[4];

	return read_uniform(p, line, type, &o) && read_values(p, line, type, value) &&
	       add_constant(p, type, o.reg, value);
}

static bool set_flag(struct picasso *p, struct line *line, unsigned type)
{
	static const char *const yes[] = { "true", "on" }, *const no[] = { "false", "off" };
	struct operand o;

	if (!read_uniform(p, line, type, &o))
		return false;
	const struct token *t = line->cursor++;
	bool one = t->kind == TOKEN_NUMBER && t->length == 1 && *t->text == '1';
	bool zero = t->kind == TOKEN_NUMBER && t->length == 1 && *t->text == '0';
	for (int i = 0; i < 2; i++) {
		one |= token_mnemonic(t, yes[i]);
		zero |= token_mnemonic(t, no[i]);
	}
	if (!one && !zero)
		return line_expected(line, t, p->d, "true or false");
	return line_ends(line, p->d) && add_constant(p, type, o.reg, (const uint32_t[4]){ one });
}

/* ---- inputs and outputs ---- */

static bool alias(struct picasso *p, struct line *line, unsigned type)
{
	const struct token *t = line->cursor;
	struct operand o;

	(void)type;
	if (!new_name(p, line, t))
		return false;
	line->cursor++;
	const struct token *existing = line->cursor;
	if (!read_operand(p, line, &o))
		return false;
	if (o.index)
		return line_error(line, existing, p->d, "an alias names a register, without an address register");
	o.masked = false;
	return line_ends(line, p->d) && add_alias(p, t, &o);
}

static int free_register(unsigned mask, int count)
{
	for (int i = 0; i < count; i++)
		if (!(mask >> i & 1))
			return i;
	return -1;
}

static bool input(struct picasso *p, struct line *line, unsigned type)
{
	const struct token *t = line->cursor;
	struct shader_entry *e = &p->unit->entry;
	struct operand o = whole_register(REG_V, free_register(e->in_mask, SHADER_VECTORS));

	(void)type;
	if (!new_name(p, line, t))
		return false;
	line->cursor++;
	const struct token *reg = line->cursor;
	if (reg->kind != TOKEN_END && !read_operand(p, line, &o))
		return false;
	if (o.file != REG_V || o.negate || o.masked)
		return line_error(line, reg, p->d, "expected an input, v0 to v15, found %s",
				  o.file != REG_V ? file_noun(o.file) : "a sign or components");
	if (o.reg < 0)
		return line_error(line, t, p->d, "all of the %d inputs are taken", SHADER_VECTORS);
	e->in_mask |= (uint16_t)(1 << o.reg);
	o = whole_register(REG_V, o.reg);
	return line_ends(line, p->d) && list_uniform(p, t, UNIFORM_V, o.reg, 1) && add_alias(p, t, &o);
}

static bool read_property(struct picasso *p, struct line *line, unsigned *type)
{
	static const struct { const char *word, *brief; unsigned type; } property[] = {
		{ "position", "pos", OUTPUT_POSITION },         { "normalquat", "nquat", OUTPUT_QUATERNION },
		{ "color", "clr", OUTPUT_COLOR },               { "texcoord0", "tcoord0", OUTPUT_TEXCOORD0 },
		{ "texcoord0w", "tcoord0w", OUTPUT_TEXCOORD0W }, { "texcoord1", "tcoord1", OUTPUT_TEXCOORD1 },
		{ "texcoord2", "tcoord2", OUTPUT_TEXCOORD2 },   { "view", "view", OUTPUT_VIEW },
		{ "dummy", "dummy", OUTPUT_GENERIC },
	};
	const struct token *t = line->cursor++;

	for (size_t i = 0; i < sizeof property / sizeof *property; i++) {
		if (token_mnemonic(t, property[i].word) || token_mnemonic(t, property[i].brief)) {
			*type = property[i].type;
			return true;
		}
	}
	return line_expected(line, t, p->d, "position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, "
			     "view or dummy");
}

static bool wire(struct picasso *p, const struct line *line, const struct token *t, const struct operand *o,
		 unsigned type, bool chosen)
{
	struct shader_entry *e = &p->unit->entry;
	int most = e->geometry ? 7 : SHADER_VECTORS;
	unsigned mask = 0;

	for (int i = 0; i < 4; i++)
		mask |= 1u << o->comp[i];
	if (o->reg < 0 || o->reg >= most)
		return line_error(line, t, p->d, "the outputs of this shader are o0 to o%d, and %s", most - 1,
				  o->reg < 0 ? "all are taken" : "the register is none of them");
	if (chosen && (p->unit->wired >> (4 * o->reg) & mask))
		return line_error(line, t, p->d, "components of o%d have a meaning already", o->reg);
	if (o->reg > 6 && type != OUTPUT_GENERIC)
		return line_error(line, t, p->d, "o%d can only be a dummy: o0 to o6 have a meaning", o->reg);
	struct shader_output *out = GROW(p, output);
	if (!out)
		return false;
	*out = (struct shader_output){ (uint16_t)type, (uint16_t)o->reg, (uint16_t)mask };
	e->out_mask |= (uint16_t)(1 << o->reg);
	p->unit->wired |= (uint64_t)mask << (4 * o->reg);
	e->merge_outputs |= type == OUTPUT_GENERIC && p->unit->own_uniforms;
	return true;
}

/* .out NAME|- PROPERTY[.components] [REGISTER[.components]] */
static bool output(struct picasso *p, struct line *line, unsigned unused)
{
	const struct token *t = line->cursor;
	const struct shader_entry *e = &p->unit->entry;
	struct operand o = whole_register(REG_O, free_register(e->out_mask, e->geometry ? 7 : SHADER_VECTORS));
	bool named = !line_take(line, '-');
	unsigned type = 0;

	(void)unused;
	if (named && !new_name(p, line, t))
		return false;
	line->cursor += named;
	if (!read_property(p, line, &type) || !read_components(p, line, &o))
		return false;
	const struct token *reg = line->cursor;
	bool chosen = reg->kind != TOKEN_END;
	if (chosen && o.masked)
		return line_error(line, reg, p->d, "the components stand behind the register where one is named");
	if (chosen && !read_operand(p, line, &o))
		return false;
	if (o.file != REG_O || o.negate)
		return line_error(line, reg, p->d, "expected an output, o0 to o15, found %s",
				  o.negate ? "a sign" : file_noun(o.file));
	if (!line_ends(line, p->d) || !wire(p, line, chosen ? reg : t, &o, type, chosen))
		return false;
	o = whole_register(REG_O, o.reg);
	return !named || add_alias(p, t, &o);
}

/* ---- the entry point ---- */

static bool entry(struct picasso *p, struct line *line, unsigned type)
{
	const struct token *t = line->cursor++;

	(void)type;
	if (t->kind != TOKEN_NAME)
		return line_expected(line, t, p->d, "the name of a procedure");
	p->unit->entry_name = token_copy(p->arena, p->d, t);
	p->unit->entry_position = line_place(line, t);
	return p->unit->entry_name && line_ends(line, p->d);
}

static bool nodvle(struct picasso *p, struct line *line, unsigned type)
{
	(void)type;
	p->unit->absent = true;
	return line_ends(line, p->d);
}

static bool read_count(struct picasso *p, struct line *line, uint8_t *count)
{
	const struct token *t = line->cursor++;

	if (t->kind != TOKEN_NUMBER || t->real || token_int(t) > 255)
		return line_expected(line, t, p->d, "the number of vertices, 0 to 255");
	*count = (uint8_t)token_int(t);
	return true;
}

/* point FIRST; variable FIRST VERTICES; fixed FIRST ARRAY VERTICES */
static bool geometry_mode(struct picasso *p, struct line *line)
{
	static const struct { const char *word, *older; uint8_t mode; } modes[] = {
		{ "point", "point", GS_POINT }, { "variable", "subdivision", GS_VARIABLE },
		{ "fixed", "particle", GS_FIXED },
	};
	const struct token *t = line->cursor++;
	struct shader_entry *e = &p->unit->entry;
	struct operand first, start;
	size_t i = 0;

	while (i < 3 && !token_mnemonic(t, modes[i].word) && !token_mnemonic(t, modes[i].older))
		i++;
	if (i == 3)
		return line_expected(line, t, p->d, "point, variable or fixed");
	e->gs_mode = modes[i].mode;
	if (!read_uniform(p, line, SHADER_FLOAT, &first))
		return false;
	p->unit->pool[SHADER_FLOAT] = (struct pool){ first.reg, SHADER_FLOATS, SHADER_FLOATS, SHADER_FLOATS };
	p->unit->pool[SHADER_INT] = (struct pool){ 0, SHADER_INTS, SHADER_INTS, SHADER_INTS };
	/* b15 is the unit's own: true from the second primitive on (facts: picasso's manual). */
	p->unit->pool[SHADER_BOOL] = (struct pool){ 0, SHADER_BOOLS - 1, SHADER_BOOLS - 1, SHADER_BOOLS - 1 };
	if (e->gs_mode == GS_VARIABLE)
		return read_count(p, line, &e->gs_full_vertices);
	if (e->gs_mode != GS_FIXED)
		return true;
	t = line->cursor;
	if (!read_uniform(p, line, SHADER_FLOAT, &start))
		return false;
	if (start.reg >= first.reg)
		return line_error(line, t, p->d, "the vertices would begin at c%d, among the uniforms from c%d on: "
				  "begin below", start.reg, first.reg);
	e->gs_fixed_start = (uint8_t)start.reg;
	return read_count(p, line, &e->gs_fixed_count);
}

static bool geometry(struct picasso *p, struct line *line, unsigned type)
{
	struct shader_entry *e = &p->unit->entry;
	bool mode = line->cursor->kind != TOKEN_END;

	(void)type;
	if (mode && e->geometry)
		return line_error(line, line->token, p->d, "the file is a geometry shader already");
	if (mode && (e->nconstants || e->nuniforms || e->noutputs))
		return line_error(line, line->token, p->d, ".gsh stands in front of all constants, uniforms, inputs "
				  "and outputs");
	e->geometry = true;
	p->unit->own_uniforms |= mode;
	return (!mode || geometry_mode(p, line)) && line_ends(line, p->d);
}

static bool open_proc(struct picasso *p, struct line *line, unsigned type)
{
	(void)type;
	return open_procedure(p, line);
}

static bool else_(struct picasso *p, struct line *line, unsigned type)
{
	(void)type;
	return read_else(p, line);
}

static bool end(struct picasso *p, struct line *line, unsigned type)
{
	(void)type;
	if (!p->nblocks || p->block[p->nblocks - 1].kind != BLOCK_ARRAY)
		return read_end(p, line);
	return line_ends(line, p->d) && close_array(p, line, &p->block[--p->nblocks]);
}

bool read_directive(struct picasso *p, struct line *line)
{
	static const struct {
		const char *word;
		bool (*read)(struct picasso *p, struct line *line, unsigned type);
		unsigned type;
	} directive[] = {
		{ "proc", open_proc, 0 }, { "else", else_, 0 }, { "end", end, 0 }, { "alias", alias, 0 },
		{ "fvec", uniforms, SHADER_FLOAT }, { "ivec", uniforms, SHADER_INT },
		{ "bool", uniforms, SHADER_BOOL },
		{ "constf", constant, SHADER_FLOAT }, { "consti", constant, SHADER_INT },
		{ "constfa", array, SHADER_FLOAT }, { "setf", set_value, SHADER_FLOAT },
		{ "seti", set_value, SHADER_INT }, { "setb", set_flag, SHADER_BOOL }, { "in", input, 0 },
		{ "out", output, 0 }, { "entry", entry, 0 }, { "nodvle", nodvle, 0 }, { "gsh", geometry, 0 },
	};
	const struct token *t = line->cursor++;

	for (size_t i = 0; i < sizeof directive / sizeof *directive; i++)
		if (token_mnemonic(t, directive[i].word))
			return directive[i].read(p, line, directive[i].type);
	return line_error(line, t, p->d, "unknown directive `.%.*s`: there are .proc .else .end .alias .fvec .ivec "
			  ".bool .constf .consti .constfa .setf .seti .setb .in .out .entry .gsh .nodvle", t->length,
			  t->text);
}
