/* Variables are read in two steps. A path leads, in one lane, to a spot: some bytes of a variable or, behind a pointer,
 * of a memory. The bytes of a variable come from the places that the debug information gives for the pc of the warp's
 * next instruction (core/variables.h).
 *
 * A place holds for the lanes that execute that pc. Other lanes are elsewhere in the program, where the variable may be
 * in another place, so they have no value. */
#include "inspect/variables.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/host_floats.h"
#include "core/variables.h"
#include "inspect/launch.h"
#include "inspect/registers.h"
#include "mem/mem.h"

enum { STACK_MOST = 16, PATH_DEPTH = 8, REGISTER_BYTES = 4, VALUE_BYTES = 8 };

/* The warp and lane of a variable's reads, and the kinds of places read so far. */
struct looking {
	const struct wb_launch *l;
	const struct source_variables *v;
	struct warp *warp;
	uint32_t pc;
	unsigned lane;
	bool varies;            /* a register or a memory of the lane alone was read */
	const struct source_place *latest;      /* place of the latest byte; NULL: none */
	bool is_argument;       /* the latest byte is of an argument as passed */
};

/* Some bytes of a variable or of a memory, of a type. */
struct spot {
	const struct source_variable *variable; /* NULL: the bytes are in memory */
	uint8_t space;          /* enum place_space */
	uint64_t offset;        /* first byte in the variable, or address */
	uint32_t type;
	uint8_t bit, bits;      /* of a bit field; 0 bits: none */
};

static const char *const space_names[] = {
	[SPACE_GLOBAL] = "global memory", [SPACE_SHARED] = "local memory", [SPACE_LOCAL] = "private memory",
};

/* ---- scopes and names ---- */

static bool holds(struct pc_range r, uint32_t pc)
{
	return pc >= r.low && pc < r.high;
}

static bool in_scope(const struct source_variables *v, uint32_t scope, uint32_t pc)
{
	if (scope == NO_SCOPE)
		return true;
	for (uint32_t i = 0; i < v->scopes[scope].nranges; i++)
		if (holds(v->ranges[v->scopes[scope].ranges + i], pc))
			return true;
	return false;
}

static uint32_t depth_of(const struct source_variables *v, const struct source_variable *one)
{
	return one->scope == NO_SCOPE ? 0 : v->scopes[one->scope].depth + 1;
}

static bool is_named(const struct source_variable *one, const char *name, size_t n)
{
	return strlen(one->name) == n && !memcmp(one->name, name, n);
}

/* The variable of a name in the innermost scope at a pc; NULL: none. */
static const struct source_variable *find(const struct source_variables *v, const char *name, size_t n, uint32_t pc)
{
	const struct source_variable *best = NULL;

	for (size_t i = 0; i < v->nvariables; i++) {
		const struct source_variable *one = &v->variables[i];
		if (is_named(one, name, n) && in_scope(v, one->scope, pc) &&
		    (!best || depth_of(v, one) >= depth_of(v, best)))
			best = one;
	}
	return best;
}

static bool exists(const struct source_variables *v, const char *name, size_t n)
{
	for (size_t i = 0; v && i < v->nvariables; i++)
		if (is_named(&v->variables[i], name, n))
			return true;
	return false;
}

static const struct source_variables *variables_of(const struct wb_launch *l)
{
	return l->plan.kernel->variables;
}

/* Order of names in a list: deeper scopes first, then as declared. */
static bool comes_before(const struct source_variables *v, const struct source_variable *a,
			 const struct source_variable *b)
{
	uint32_t da = depth_of(v, a), db = depth_of(v, b);

	return da != db ? da > db : a < b;
}

const char *wb_launch_variable_name(const struct wb_launch *l, uint32_t pc, unsigned index)
{
	const struct source_variables *v = variables_of(l);
	const struct source_variable *last = NULL;

	for (unsigned k = 0; v && k <= index; k++) {
		const struct source_variable *next = NULL;
		for (size_t i = 0; i < v->nvariables; i++) {
			const struct source_variable *one = &v->variables[i];
			if (in_scope(v, one->scope, pc) && (!last || comes_before(v, last, one)) &&
			    (!next || comes_before(v, one, next)) && find(v, one->name, strlen(one->name), pc) == one)
				next = one;
		}
		if (!next)
			return NULL;
		last = next;
	}
	return last ? last->name : NULL;
}

/* ---- memory and registers ---- */

static bool read_memory(struct looking *w, enum place_space space, uint64_t address, uint8_t *out, uint32_t n)
{
	const struct block *b = w->warp->block;
	size_t thread = (size_t)w->warp->id * w->l->plan.code.target.isa->lanes + w->lane;

	switch (space) {
	case SPACE_GLOBAL:
		return global_read(w->l->machine.global, address, out, n);
	case SPACE_SHARED:
		if (address > b->shared_bytes || n > b->shared_bytes - address)
			return false;
		memcpy(out, b->shared + address, n);
		return true;
	default:
		w->varies = true;
		if (address > b->local_bytes || n > b->local_bytes - address || !b->local)
			return false;
		memcpy(out, b->local + thread * b->local_bytes + address, n);
		return true;
	}
}

static bool read_register(struct looking *w, const char *name, uint64_t *out)
{
	const struct isa_registers *reg = &w->l->plan.code.target.isa->reg;
	uint32_t word;

	if (!reg->peek || !reg->peek(w->warp, name, w->lane, &word))
		return false;
	w->varies |= !reg->scope || reg->scope(w->warp, name) == SCOPE_LANES;
	*out = word;
	return true;
}

/* ---- places ---- */

static uint64_t sign_extended(uint64_t v, unsigned bits)
{
	return bits >= 64 ? v : (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
}

static uint64_t zero_extended(uint64_t v, unsigned bits)
{
	return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

static uint64_t one_operand(const struct place_op *op, uint64_t a)
{
	switch ((enum place_code)op->code) {
	case PLACE_NEG: return 0 - a;
	case PLACE_NOT: return ~a;
	case PLACE_SIGN_EXTEND: return sign_extended(a, (unsigned)op->number);
	default: return zero_extended(a, (unsigned)op->number);
	}
}

static uint64_t two_operands(enum place_code code, uint64_t a, uint64_t b)
{
	switch (code) {
	case PLACE_ADD: return a + b;
	case PLACE_SUB: return a - b;
	case PLACE_MUL: return a * b;
	case PLACE_AND: return a & b;
	case PLACE_OR: return a | b;
	case PLACE_XOR: return a ^ b;
	case PLACE_SHL: return b < 64 ? a << b : 0;
	case PLACE_SHR: return b < 64 ? a >> b : 0;
	default: return (uint64_t)((int64_t)a >> (b < 64 ? b : 63));
	}
}

/* The number that a place's operations leave. The loader has checked the depth of the stack. */
static bool compute(struct looking *w, const struct source_place *p, uint64_t *out)
{
	uint64_t stack[STACK_MOST + 1] = { 0 };
	unsigned n = 0;

	for (uint32_t i = 0; i < p->nops; i++) {
		const struct place_op *op = &w->v->ops[p->ops + i];
		uint64_t value = 0;
		switch ((enum place_code)op->code) {
		case PLACE_NUMBER: stack[n++] = (uint64_t)op->number; break;
		case PLACE_CODE: stack[n++] = w->l->plan.code_address + (uint64_t)op->number; break;
		case PLACE_REGISTER:
			if (!read_register(w, op->reg, &stack[n++]))
				return false;
			break;
		case PLACE_DUP: stack[n] = stack[n - 1]; n++; break;
		case PLACE_LOAD:
			if (!read_memory(w, op->space, stack[n - 1], (uint8_t *)&value, (uint32_t)op->number))
				return false;
			stack[n - 1] = value;
			break;
		case PLACE_NEG: case PLACE_NOT: case PLACE_SIGN_EXTEND: case PLACE_ZERO_EXTEND:
			stack[n - 1] = one_operand(op, stack[n - 1]);
			break;
		default:
			n--;
			stack[n - 1] = two_operands(op->code, stack[n - 1], stack[n]);
		}
	}
	*out = stack[0];
	return true;
}

/* Bytes that a place has: of a bare register a word, of another value 64 bits, of a memory any number. */
static uint64_t bytes_of(const struct looking *w, const struct source_place *p)
{
	bool word = p->nops == 1 && w->v->ops[p->ops].code == PLACE_REGISTER;

	if (p->kind == PLACE_VALUE && p->bytes > VALUE_BYTES)
		return word ? REGISTER_BYTES : VALUE_BYTES;
	return p->bytes;
}

/* The place of a byte of a variable at the pc. */
static const struct source_place *place_of(const struct looking *w, const struct source_variable *one, uint64_t byte)
{
	for (uint32_t i = 0; i < one->nplaces; i++) {
		const struct source_place *p = &w->v->places[one->places + i];
		if (p->kind != PLACE_UNREADABLE && holds(p->range, w->pc) && byte >= p->offset &&
		    byte - p->offset < bytes_of(w, p))
			return p;
	}
	return NULL;
}

/* An argument of the kernel as passed: for a parameter that is nowhere else. */
static bool read_argument(struct looking *w, const struct source_variable *one, uint64_t byte, uint8_t *out)
{
	const struct image_kernel *k = w->l->plan.kernel;
	const struct source_scope *scope = one->scope == NO_SCOPE ? NULL : &w->v->scopes[one->scope];
	const struct image_param *p = &k->params[one->parameter - 1];

	if (!one->parameter || one->parameter > k->nparams || !scope || strcmp(scope->function, k->name) != 0 ||
	    byte >= p->size || p->offset + byte >= w->l->plan.param.size)
		return false;
	*out = w->l->plan.param.bytes[p->offset + byte];
	w->is_argument = true;
	return true;
}

static bool read_byte(struct looking *w, const struct source_variable *one, uint64_t byte, uint8_t *out)
{
	const struct source_place *p = place_of(w, one, byte);
	uint64_t number;

	if (!p)
		return read_argument(w, one, byte, out);
	w->latest = p;
	if (!compute(w, p, &number))
		return false;
	if (p->kind == PLACE_MEMORY)
		return read_memory(w, p->space, number + (byte - p->offset), out, 1);
	*out = (uint8_t)(number >> 8 * (byte - p->offset));
	return true;
}

static bool read_spot(struct looking *w, const struct spot *s, uint32_t bytes, uint64_t *out)
{
	uint8_t b[VALUE_BYTES] = { 0 };

	if (!bytes || bytes > VALUE_BYTES)
		return false;
	if (!s->variable && !read_memory(w, s->space, s->offset, b, bytes))
		return false;
	for (uint32_t i = 0; s->variable && i < bytes; i++)
		if (!read_byte(w, s->variable, s->offset + i, &b[i]))
			return false;
	memcpy(out, b, sizeof *out);
	return true;
}

/* ---- types ---- */

static const struct source_type *type_at(const struct looking *w, uint32_t type)
{
	return type == NO_TYPE ? NULL : &w->v->types[type];
}

static bool has_parts(const struct source_type *t)
{
	return t && (t->kind == TYPE_ARRAY || t->kind == TYPE_RECORD);
}

/* A half as the bits of a float. */
static uint32_t widened(uint32_t half)
{
	uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;

	if (exponent == 31)
		return sign | 0x7f800000 | fraction << 13;
	if (exponent)
		return sign | (exponent + 112) << 23 | fraction << 13;
	return sign | f32_bits((float)fraction * 0x1p-24f);
}

/* The value at a spot, extended by its type. */
static bool value_at(struct looking *w, const struct spot *s, uint64_t *out)
{
	const struct source_type *t = type_at(w, s->type);
	unsigned bits;

	if (!t || has_parts(t) || t->kind == TYPE_OTHER || !read_spot(w, s, t->bytes, out))
		return false;
	if (t->kind == TYPE_FLOAT) {
		*out = t->bytes == 2 ? widened((uint32_t)*out) : *out;
		return true;
	}
	bits = s->bits ? s->bits : 8 * t->bytes;
	*out = t->kind == TYPE_SIGNED ? sign_extended(*out >> s->bit, bits) : zero_extended(*out >> s->bit, bits);
	return true;
}

/* ---- paths ---- */

/* A path under way: the text that remains, and why the path cannot be followed. */
struct walker {
	struct looking *view;
	const char *text, *cursor;
	int lane;               /* lane that the path names; −1: none */
	bool absent;            /* a pointer or an index on the way has no value now */
	unsigned nested;
	struct diag *d;
};

static size_t word_length(const char *text)
{
	size_t n = 0;

	if (isdigit((unsigned char)*text))
		return 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return n;
}

/* The name at the start of a text, and the number of characters with quotes. */
static size_t name_at(const char *text, const char **name, size_t *n)
{
	size_t quote = *text == '\'';

	*name = text + quote;
	*n = word_length(*name);
	if (!*n || (quote && text[*n + 1] != '\''))
		return 0;
	return *n + 2 * quote;
}

static size_t path_at(const struct source_variables *v, const char *text, bool quoted, unsigned nested);

/* The length of "[INDEX]" in a path; 0: none. */
static size_t index_at(const struct source_variables *v, const char *text, unsigned nested)
{
	size_t n = 1, inner;

	if (*text != '[' || nested >= PATH_DEPTH)
		return 0;
	inner = path_at(v, text + 1, false, nested + 1);
	n += inner ? inner : strspn(text + 1, "0123456789");
	return n > 1 && text[n] == ']' ? n + 1 : 0;
}

static size_t path_at(const struct source_variables *v, const char *text, bool quoted, unsigned nested)
{
	size_t at = strspn(text, "*"), n, more;
	const char *name;

	more = name_at(text + at, &name, &n);
	if (!more || !exists(v, name, n) || (quoted && text[at] != '\''))
		return 0;
	at += more;
	for (;;) {
		size_t arrow = !strncmp(text + at, "->", 2) ? 2 : text[at] == '.';
		if ((more = index_at(v, text + at, nested)))
			at += more;
		else if (arrow && (more = word_length(text + at + arrow)))
			at += arrow + more;
		else
			break;
	}
	if (text[at] == '@' && isdigit((unsigned char)text[at + 1]))
		at += 1 + strspn(text + at + 1, "0123456789");
	return at;
}

size_t variable_path(const struct wb_launch *l, const char *text, bool quoted)
{
	return path_at(variables_of(l), text, quoted, 0);
}

size_t wb_launch_variable_path(const struct wb_launch *l, const char *text)
{
	return variable_path(l, text, false);
}

static bool refuse(struct walker *p, const struct source_type *t, const char *expected)
{
	return diag_set(p->d, DIAG_USAGE, "\"%.*s\" is of type %s, found \"%s\": expected %s",
			(int)(p->cursor - p->text), p->text, t ? t->name : "void", p->cursor, expected);
}

/* Go from a pointer to its target. */
static bool follow(struct walker *p, struct spot *s)
{
	const struct source_type *t = type_at(p->view, s->type);
	uint64_t address;

	if (!t || t->kind != TYPE_POINTER || t->of == NO_TYPE)
		return refuse(p, t, "a pointer");
	if (!value_at(p->view, s, &address)) {
		p->absent = true;
		address = 0;
	}
	*s = (struct spot){ .space = t->space, .offset = address, .type = t->of };
	return true;
}

static bool resolve(struct walker *p, struct spot *s);

/* The number in brackets, or the value of the variable there. */
static bool index_value(struct walker *p, int64_t *index)
{
	struct walker inner = *p;
	struct spot s;
	uint64_t value = 0;

	if (isdigit((unsigned char)*p->cursor)) {
		*index = strtoll(p->cursor, (char **)(uintptr_t)&p->cursor, 10);
		return true;
	}
	inner.text = p->cursor;
	if (++inner.nested > PATH_DEPTH || !resolve(&inner, &s))
		return false;
	p->absent |= inner.absent || !value_at(p->view, &s, &value);
	p->cursor = inner.cursor;
	*index = (int64_t)value;
	return true;
}

static bool element(struct walker *p, struct spot *s)
{
	const struct source_type *t = type_at(p->view, s->type);
	bool is_pointer = t && t->kind == TYPE_POINTER;
	int64_t index;

	if (!t || (t->kind != TYPE_ARRAY && !is_pointer))
		return refuse(p, t, "an array or a pointer before [ (a lane is NAME@LANE)");
	if (is_pointer ? !follow(p, s) : (s->type = t->of) == NO_TYPE)
		return false;
	p->cursor++;
	if (!index_value(p, &index))
		return false;
	if (!is_pointer && (index < 0 || index >= t->count)) {
		if (isdigit((unsigned char)p->cursor[-1]) && !p->absent)
			return diag_set(p->d, DIAG_USAGE, "\"%.*s\" has %u elements, found element %lld",
					(int)strcspn(p->text, "["), p->text, t->count, (long long)index);
		p->absent = true;
	}
	s->offset += (uint64_t)index * (type_at(p->view, s->type) ? type_at(p->view, s->type)->bytes : 0);
	p->cursor++;
	return true;
}

/* The names of a record's members, for a message. */
static void list_members(const struct looking *w, const struct source_type *t, char *text, size_t size)
{
	size_t n = 0;

	for (uint32_t i = 0; i < t->nmembers && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", w->v->members[t->members + i].name);
}

/* A component of a vector: x to w, s0 to sf. */
static bool component(const struct source_type *t, const char *name, size_t n, uint32_t *index)
{
	static const char letters[] = "xyzw", digits[] = "0123456789abcdef";
	bool numbered = n == 2 && (*name == 's' || *name == 'S');
	const char *found = NULL;

	if (n == 1 || numbered)
		found = n == 1 ? strchr(letters, *name) : strchr(digits, tolower((unsigned char)name[1]));
	if (!found)
		return false;
	*index = (uint32_t)(found - (n == 1 ? letters : digits));
	return *index < t->count;
}

/* The member of a record by the n letters at the cursor; false: there is none. */
static bool named_member(struct walker *p, struct spot *s, const struct source_type *t, size_t n)
{
	for (uint32_t i = 0; i < t->nmembers; i++) {
		const struct source_member *m = &p->view->v->members[t->members + i];
		if (strlen(m->name) != n || memcmp(m->name, p->cursor, n) != 0)
			continue;
		s->type = m->type;
		s->offset += m->offset;
		s->bit = m->bit;
		s->bits = m->bits;
		p->cursor += n;
		return true;
	}
	return false;
}

static bool member(struct walker *p, struct spot *s)
{
	const struct source_type *t;
	size_t n;
	uint32_t index;
	char names[120] = "";
	const char *separator = p->cursor;

	if (*p->cursor == '-') {
		if (!follow(p, s))
			return false;
		p->cursor++;
	}
	p->cursor++;
	t = type_at(p->view, s->type);
	n = word_length(p->cursor);
	if (t && t->kind == TYPE_ARRAY && t->is_vector && component(t, p->cursor, n, &index)) {
		s->type = t->of;
		s->offset += (uint64_t)index * p->view->v->types[t->of].bytes;
		p->cursor += n;
		return true;
	}
	if (!t || t->kind != TYPE_RECORD) {
		p->cursor = separator;
		return refuse(p, t, t && t->kind == TYPE_POINTER ? "-> behind a pointer" : "a struct or a vector");
	}
	if (named_member(p, s, t, n))
		return true;
	list_members(p->view, t, names, sizeof names);
	return diag_set(p->d, DIAG_USAGE, "found \"%.*s\", expected a member of %s: %s", (int)n, p->cursor,
			*t->name ? t->name : "the struct", names);
}

/* ---- why a variable is not there ---- */

/* The names in scope, for a message. */
static void list_names(const struct wb_launch *l, uint32_t pc, char *text, size_t size)
{
	const char *name;
	size_t n = 0;

	snprintf(text, size, "none");
	for (unsigned i = 0; n < size && (name = wb_launch_variable_name(l, pc, i)); i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", name);
}

/* A line of the source within the scope; 0: none is known. */
static int first_line(const struct source_variables *v, const struct image_kernel *k, const struct source_scope *s)
{
	int line = 0;

	for (uint32_t r = 0; !line && r < s->nranges; r++)
		line = kernel_line(k, v->ranges[s->ranges + r].low);
	return line;
}

/* Set the diagnostic of a variable whose scope is elsewhere; false: no variable has the name. */
static bool is_elsewhere(const struct looking *w, const char *name, size_t n, struct diag *d)
{
	const struct image_kernel *k = w->l->plan.kernel;
	int here = kernel_line(k, w->pc);

	for (size_t i = 0; i < w->v->nvariables; i++) {
		const struct source_variable *one = &w->v->variables[i];
		uint32_t scope = one->scope;
		int line;
		if (!is_named(one, name, n) || scope == NO_SCOPE || !w->v->scopes[scope].nranges)
			continue;
		line = first_line(w->v, k, &w->v->scopes[scope]);
		while (scope != NO_SCOPE && !*w->v->scopes[scope].function)
			scope = w->v->scopes[scope].parent;
		diag_set(d, DIAG_USAGE, "\"%.*s\" is not in scope here (line %d, 0x%04x): line %u of %s declares it; "
				"\"break :%d\" stops where it is in scope", (int)n, name, here, w->pc, one->line,
				scope == NO_SCOPE ? "the file" : w->v->scopes[scope].function,
				line > (int)one->line ? line : (int)one->line);
		return true;
	}
	return false;
}

/* Set the diagnostic of a name that is not in scope. */
static bool unknown(const struct looking *w, const char *name, size_t n, struct diag *d)
{
	char names[200];

	if (is_elsewhere(w, name, n, d))
		return false;
	if (w->v->arguments_only) {
		list_names(w->l, w->pc, names, sizeof names);
		return diag_set(d, DIAG_USAGE, "\"%.*s\" is no argument of the kernel (%s), and other variables are "
				"not available on this target: clang's PTX says lines alone; --chip gfx900 has all",
				(int)n, name, names);
	}
	list_names(w->l, w->pc, names, sizeof names);
	return diag_set(d, DIAG_USAGE, "no variable is called \"%.*s\"; in scope here (0x%04x): %s", (int)n, name,
			w->pc, names);
}

/* ---- paths, followed ---- */

/* Follow a path; p->absent: to no value now. False with a diagnostic. */
static bool resolve(struct walker *p, struct spot *s)
{
	size_t stars = strspn(p->cursor, "*"), n, taken;
	const struct source_variable *one;
	const char *name;

	p->cursor += stars;
	taken = name_at(p->cursor, &name, &n);
	one = taken ? find(p->view->v, name, n, p->view->pc) : NULL;
	if (!one)
		return unknown(p->view, name, n, p->d);
	p->cursor += taken;
	*s = (struct spot){ .variable = one, .type = one->type };
	while (*p->cursor == '[' || *p->cursor == '.' || !strncmp(p->cursor, "->", 2))
		if (*p->cursor == '[' ? !element(p, s) : !member(p, s))
			return false;
	if (*p->cursor == '@' && isdigit((unsigned char)p->cursor[1]))
		p->lane = (int)strtoul(p->cursor + 1, (char **)(uintptr_t)&p->cursor, 10);
	while (stars--)
		if (!follow(p, s))
			return false;
	return true;
}

/* A view of a warp; false with a diagnostic. */
static bool begin(struct looking *w, const struct wb_launch *l, uint32_t block, uint32_t warp, struct diag *d)
{
	*w = (struct looking){ .l = l, .v = variables_of(l), .warp = launch_warp(l, block, warp) };
	if (!w->v)
		return diag_set(d, DIAG_USAGE, "the program has no variables: no debug information says where they are "
				"(OpenCL C has it here; a code object by clang -g)");
	if (!w->warp || w->warp->status == WARP_DONE)
		return diag_set(d, DIAG_USAGE, "block %u warp %u %s", block, warp,
				w->warp ? "has ended" : "is not resident: it has not started, or its block has ended");
	w->pc = w->warp->pc;
	return true;
}

static void at_lane(struct looking *w, unsigned lane)
{
	w->lane = lane;
	w->latest = NULL;
	w->is_argument = false;
}

/* The value in one lane of the walk's path. */
static bool lane_value(struct looking *w, const char *path, unsigned lane, uint64_t *out, uint32_t *type)
{
	struct walker p = { .view = w, .text = path, .cursor = path, .lane = -1 };
	struct diag d = { 0 };
	struct spot s;

	p.d = &d;
	at_lane(w, lane);
	if (!resolve(&p, &s))
		return false;
	*type = s.type;
	return !p.absent && value_at(w, &s, out);
}

bool variable_in_lane(const struct wb_launch *l, const struct wb_warp *warp, const char *path, unsigned lane,
		      struct variable_number *out)
{
	const char *at = strrchr(path, '@');
	const struct source_type *t;
	struct looking w;
	uint32_t type;

	if (at)
		lane = (unsigned)strtoul(at + 1, NULL, 10);
	if (lane >= WB_LANES || !(warp->active >> lane & 1) || !begin(&w, l, warp->block, warp->warp, NULL) ||
	    !lane_value(&w, path, lane, &out->bits, &type))
		return false;
	t = type_at(&w, type);
	out->is_signed = t->kind == TYPE_SIGNED;
	out->is_float = t->kind == TYPE_FLOAT;
	if (out->is_float)
		out->number = t->bytes == 8 ? f64_value(out->bits) : (double)f32_value((uint32_t)out->bits);
	else
		out->number = out->is_signed ? (double)(int64_t)out->bits : (double)out->bits;
	return true;
}

/* ---- the public functions ---- */

/* Lowest line above `line` at which a variable has a place; 0: none. */
static int next_kept(const struct looking *w, const struct source_variable *one, int line)
{
	const struct image_kernel *k = w->l->plan.kernel;
	struct looking there = *w;
	int next = 0;

	for (size_t i = 0; i < k->nlines; i++) {
		int here = (int)k->lines[i].line;
		there.pc = k->lines[i].pc;
		if (here > line && (!next || here < next) && in_scope(w->v, one->scope, there.pc) &&
		    place_of(&there, one, 0))
			next = here;
	}
	return next;
}

/* Lines at which a variable has a place: "; kept at lines 21, 23, …"; "" for none. */
static void where_kept(const struct looking *w, const struct source_variable *one, char *text, size_t size)
{
	enum { LINES_MOST = 4 };
	int line = 0;
	size_t n = 0;

	*text = '\0';
	for (unsigned i = 0; i < LINES_MOST && n < size && (line = next_kept(w, one, line)); i++)
		n += (size_t)snprintf(text + n, size - n, "%s%d", i ? ", " : "; kept at line ", line);
	if (line && n < size && next_kept(w, one, line))
		snprintf(text + n, size - n, ", …");
}

/* Has any byte of a variable a place at the pc? */
static bool is_somewhere(struct looking *w, const struct source_variable *one)
{
	uint8_t byte;

	for (uint32_t i = 0; i < one->nplaces; i++) {
		const struct source_place *p = &w->v->places[one->places + i];
		if (p->kind != PLACE_UNREADABLE && holds(p->range, w->pc))
			return true;
	}
	return read_argument(w, one, 0, &byte);
}

/* Does the debug information say of any variable that it is in local memory? */
static bool tells_local(const struct source_variables *v)
{
	for (size_t i = 0; i < v->nplaces; i++)
		if (v->places[i].kind == PLACE_MEMORY && v->places[i].space == SPACE_SHARED)
			return true;
	return false;
}

/* Why a variable has no value at the pc. */
static void say_missing(const struct looking *w, const struct source_variable *one, char *text, size_t size)
{
	bool unreadable = one->nplaces && w->v->places[one->places].kind == PLACE_UNREADABLE;
	char kept[80] = "";

	where_kept(w, one, kept, sizeof kept);
	if (unreadable)
		snprintf(text, size, "the compiler does not say where it is");
	else if (*kept)
		snprintf(text, size, "optimised out here%s", kept);
	else if (!one->nplaces && w->l->plan.kernel->smem && !tells_local(w->v))
		snprintf(text, size, "optimised out, or in local memory: only clang 19 says where (-O 0 keeps others)");
	else
		snprintf(text, size, "optimised out; -O 0 keeps every variable");
}

/* The place of the value that has been read last. */
static void say_place(const struct looking *w, const struct spot *s, char *text, size_t size)
{
	const struct source_place *p = w->latest;
	const struct place_op *op = p && p->nops ? &w->v->ops[p->ops] : NULL;

	if (!s->variable)
		snprintf(text, size, "%s", space_names[s->space]);
	else if (w->is_argument)
		snprintf(text, size, "argument, as passed");
	else if (p && p->kind == PLACE_MEMORY)
		snprintf(text, size, "%s", space_names[p->space]);
	else if (op && p->nops == 1 && op->code == PLACE_REGISTER)
		snprintf(text, size, "%s", op->reg);
	else
		snprintf(text, size, p && p->nops > 1 ? "computed" : "known to the compiler");
}

static void describe(struct looking *w, const struct spot *s, bool absent, struct wb_variable *out)
{
	if (out->lanes)
		say_place(w, s, out->place, sizeof out->place);
	else if (absent)
		snprintf(out->place, sizeof out->place, "behind a pointer or an index without a value here");
	else if (!s->variable)
		snprintf(out->place, sizeof out->place, "at an address outside of memory");
	else
		say_missing(w, s->variable, out->place, sizeof out->place);
}

static enum wb_value_kind public_kind(const struct source_type *t)
{
	static const uint8_t kinds[] = { [TYPE_SIGNED] = WB_VALUE_SIGNED, [TYPE_FLOAT] = WB_VALUE_FLOAT,
					 [TYPE_POINTER] = WB_VALUE_POINTER, [TYPE_OTHER] = WB_VALUE_UNSIGNED };

	return t ? (enum wb_value_kind)kinds[t->kind] : WB_VALUE_UNSIGNED;
}

static unsigned parts_of(const struct source_type *t)
{
	return !t ? 0 : t->kind == TYPE_ARRAY ? t->count : t->kind == TYPE_RECORD ? t->nmembers : 0;
}

/* Fill *out for a path that leads to spot s in the lowest active lane. */
static void fill(struct looking *w, const char *path, const struct walker *p, const struct spot *s,
		 struct wb_variable *out)
{
	const struct source_type *t = type_at(w, s->type);
	lane_mask lanes = w->warp->active & (p->lane < 0 ? ~(lane_mask)0 : p->lane < WB_LANES ? 1ull << p->lane : 0);
	uint32_t type;

	*out = (struct wb_variable){ .type = t ? t->name : "void", .kind = public_kind(t), .parts = parts_of(t),
				     .is_array = t && t->kind == TYPE_ARRAY,
				     .bits = !t ? 0 : s->bits ? s->bits : 8 * t->bytes };
	if (t && t->kind == TYPE_FLOAT && t->bytes == 2)
		out->bits = 32;
	FOR_SET_LANES(lane, out->parts ? 0 : lanes)
		if (lane_value(w, path, (unsigned)lane, &out->value[lane], &type))
			out->lanes |= 1ull << lane;
	if (out->parts && !p->absent && (!s->variable || is_somewhere(w, s->variable)))
		out->lanes = lanes;
	out->scope = w->varies || p->lane >= 0 ? WB_SCOPE_LANES : WB_SCOPE_WARP;
	describe(w, s, p->absent, out);
}

bool variable_has_place(const struct wb_launch *l, const char *path, uint32_t pc, struct diag *d)
{
	struct looking w = { .l = l, .v = variables_of(l), .pc = pc };
	const char *name, *text = path + strspn(path, "*");
	char why[160];
	size_t n;
	const struct source_variable *one = name_at(text, &name, &n) ? find(w.v, name, n, pc) : NULL;

	if (!one)
		return unknown(&w, name, n, d);
	if (is_somewhere(&w, one))
		return true;
	say_missing(&w, one, why, sizeof why);
	return diag_set(d, DIAG_USAGE, "\"%.*s\" at line %d (0x%04x): %s", (int)n, name,
			kernel_line(l->plan.kernel, pc), pc, why);
}

/* Follow a path in the lowest active lane. */
static bool start(struct looking *w, struct walker *p, struct spot *s, const struct wb_launch *l, uint32_t block,
		  uint32_t warp, const char *path, struct diag *d)
{
	if (!begin(w, l, block, warp, d))
		return false;
	*p = (struct walker){ .view = w, .text = path, .cursor = path, .lane = -1, .d = d };
	at_lane(w, w->warp->active ? (unsigned)__builtin_ctzll(w->warp->active) : 0);
	if (!resolve(p, s))
		return false;
	return !*p->cursor ||
	       diag_set(d, DIAG_USAGE, "found \"%s\" behind \"%.*s\", expected [, ., ->, @LANE or the end", p->cursor,
			(int)(p->cursor - path), path);
}

enum wb_status wb_launch_variable(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *path,
				  struct wb_variable *out, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };
	struct looking w;
	struct walker p;
	struct spot s;

	if (!start(&w, &p, &s, l, block, warp, path, &d))
		return public_diag(wd, &d);
	fill(&w, path, &p, &s, out);
	return WB_OK;
}

size_t wb_launch_variable_part(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *path,
			       unsigned index, char *text, size_t size)
{
	USUAL_FLOATS;
	static const char components[] = "xyzw";
	struct diag d = { 0 };
	const struct source_type *t;
	size_t stars = strspn(path, "*");
	const char *at = strchr(path, '@');
	int n = at ? (int)(at - path) : (int)strlen(path), length;
	struct looking w;
	struct walker p;
	struct spot s;

	if (!start(&w, &p, &s, l, block, warp, path, &d) || !(t = type_at(&w, s.type)) || index >= parts_of(t))
		return 0;
	at = at ? at : "";
	if (stars == 1 && t->kind == TYPE_RECORD)
		length = snprintf(text, size, "%.*s->%s%s", n - 1, path + 1, w.v->members[t->members + index].name, at);
	else if (stars)
		return 0;
	else if (t->kind == TYPE_RECORD)
		length = snprintf(text, size, "%.*s.%s%s", n, path, w.v->members[t->members + index].name, at);
	else if (t->is_vector && t->count <= 4)
		length = snprintf(text, size, "%.*s.%c%s", n, path, components[index], at);
	else
		length = snprintf(text, size, "%.*s[%u]%s", n, path, index, at);
	return length > 0 ? (size_t)length : 0;
}

/* ---- variables by address ---- */

/* Append the path from a type to the part with a byte: "[3]", ".at.x". */
static void path_to(const struct source_variables *v, uint32_t type, uint64_t byte, char *text, size_t size)
{
	static const char components[] = "xyzw";
	size_t n = strlen(text);

	for (unsigned depth = 0; type != NO_TYPE && depth < PATH_DEPTH && n < size; depth++) {
		const struct source_type *t = &v->types[type];
		const struct source_member *m = NULL;
		uint32_t bytes = t->kind == TYPE_ARRAY && t->of != NO_TYPE ? v->types[t->of].bytes : 0;
		if (bytes) {
			uint64_t index = byte / bytes;
			bool named = t->is_vector && index < sizeof components - 1;
			n += (size_t)(named ? snprintf(text + n, size - n, ".%c", components[index])
					    : snprintf(text + n, size - n, "[%llu]", (unsigned long long)index));
			byte %= bytes;
			type = t->of;
			continue;
		}
		for (uint32_t i = 0; t->kind == TYPE_RECORD && i < t->nmembers; i++)
			if (v->members[t->members + i].offset <= byte)
				m = &v->members[t->members + i];
		if (!m)
			return;
		n += (size_t)snprintf(text + n, size - n, ".%s", m->name);
		byte -= m->offset;
		type = m->type;
	}
}

/* Does a variable in shared or private memory have the byte? */
static bool has_byte(struct looking *w, const struct source_variable *one, enum place_space space, uint64_t address,
		     uint64_t *byte)
{
	uint32_t bytes = one->type == NO_TYPE ? 0 : w->v->types[one->type].bytes;

	for (uint32_t i = 0; in_scope(w->v, one->scope, w->pc) && i < one->nplaces; i++) {
		const struct source_place *p = &w->v->places[one->places + i];
		uint64_t from;
		if (p->kind != PLACE_MEMORY || p->space != space || !holds(p->range, w->pc) || !compute(w, p, &from) ||
		    address < from || address - from >= bytes)
			continue;
		*byte = address - from;
		return true;
	}
	return false;
}

/* Write "NAME[INDEX]" for a byte of the target of a pointer: parameter `ordinal` of the kernel, from 1. */
static void element_of(const struct looking *w, size_t ordinal, uint64_t byte, char *text, size_t size)
{
	for (size_t i = 0; i < w->v->nvariables; i++) {
		const struct source_variable *one = &w->v->variables[i];
		const struct source_type *t = one->type == NO_TYPE ? NULL : &w->v->types[one->type];
		uint32_t bytes = t && t->kind == TYPE_POINTER && t->of != NO_TYPE ? w->v->types[t->of].bytes : 0;
		if (one->parameter != ordinal || !bytes || !in_scope(w->v, one->scope, w->pc))
			continue;
		snprintf(text, size, "%s[%llu]", one->name, (unsigned long long)(byte / bytes));
		path_to(w->v, t->of, byte % bytes, text, size);
		return;
	}
}

/* A parameter as passed, a number of `bytes` bytes. */
static bool passed(const struct looking *w, const struct image_param *p, uint32_t bytes, uint64_t *value)
{
	*value = 0;
	if (p->size < bytes || p->offset > w->l->plan.param.size || w->l->plan.param.size - p->offset < bytes)
		return false;
	memcpy(value, w->l->plan.param.bytes + p->offset, bytes);
	return true;
}

static bool is_local_pointer(const struct image_param *p)
{
	return p->kind && !strcmp(p->kind, "dynamic_shared_pointer");
}

/* The target of the parameter that points to an address, or to the nearest place before: to a buffer, or to the local
 * memory that an argument asks for. */
static void argument_element(const struct looking *w, bool shared, uint64_t address, char *text, size_t size)
{
	const struct image_kernel *k = w->l->plan.kernel;
	uint64_t nearest = 0, from;
	size_t best = 0;

	for (size_t i = 0; i < k->nparams; i++) {
		const struct image_param *p = &k->params[i];
		uint32_t bytes = shared ? 4 : w->l->plan.image->pointer_bytes;
		if (is_local_pointer(p) != shared || !passed(w, p, bytes, &from) || from > address ||
		    (best && from < nearest) || (!shared && !from))
			continue;
		nearest = from;
		best = i + 1;
	}
	if (best)
		element_of(w, best, address - nearest, text, size);
}

bool variables_known(const struct wb_launch *l)
{
	const struct source_variables *v = variables_of(l);

	return v && v->nvariables;
}

void variable_at_address(const struct wb_launch *l, struct warp *warp, unsigned lane, uint32_t pc, unsigned space,
			 uint64_t address, char *text, size_t size)
{
	struct looking w = { .l = l, .v = variables_of(l), .warp = warp, .pc = pc, .lane = lane };
	enum place_space in = space == MEM_SHARED ? SPACE_SHARED : SPACE_LOCAL;
	uint64_t byte;

	*text = '\0';
	if (!w.v)
		return;
	if (space == MEM_GLOBAL) {
		argument_element(&w, false, address, text, size);
		return;
	}
	for (size_t i = 0; !*text && i < w.v->nvariables; i++)
		if (has_byte(&w, &w.v->variables[i], in, address, &byte)) {
			snprintf(text, size, "%s", w.v->variables[i].name);
			path_to(w.v, w.v->variables[i].type, byte, text, size);
		}
	if (!*text && space == MEM_SHARED)
		argument_element(&w, true, address, text, size);
}
