/* PTX text to a module: declarations, functions, and instructions as words and operands. The innermost block around
 * a name gives the meaning; labels are found at the end of the function. The meaning of an instruction's words
 * is lower.c's business. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <uthash.h>

#include "core/base/diag.h"
#include "core/base/text.h"
#include "core/compile/constant.h"
#include "core/compile/lex.h"

enum { NAME_MAX_BYTES = 1 << 14, DEPTH_MAX = 64, REGS_MAX = 1 << 20 };

struct ptx_scope {
	uint32_t id;
	struct ptx_scope *outer;
};

struct ptx_symbol {
	struct ptx_reg *reg; /* a register, or the type of a range of them */
	uint32_t range; /* registers of the range, whose name is "%r<": another name than %r; 0: no range */
	struct ptx_var *var;
	struct ptx_func *func;
	struct ptx_label *label;
	struct ptx_scope *scope;
	UT_hash_handle hh;
};

struct parser {
	struct lexer x;
	struct ptx_module *m;
	struct ptx_scope *scope;
	struct ptx_func *func; /* NULL between functions */
	uint32_t scopes;
	size_t nwanted; /* labels that instructions name */
	struct ptx_label **wanted;
	struct ptx_func **last_func;
	struct ptx_var **last_var;
	uint32_t file, line; /* of the last .loc */
	struct ptx_label *label; /* the last label so far */
	unsigned depth;
	bool calls; /* the instruction is a call, and "(" begins a list */
};

/* ---- words ---- */

static _Noreturn void expected(struct parser *p, const char *what) { lex_expected(&p->x, what); }

static bool accept(struct parser *p, const char *text)
{
	bool is = lex_is(&p->x, text);

	if (is)
		lex_next(&p->x);
	return is;
}

static void expect(struct parser *p, const char *text)
{
	if (!accept(p, text)) {
		char quoted[16];
		snprintf(quoted, sizeof quoted, "'%s'", text);
		expected(p, quoted);
	}
}

static char *text_of(struct parser *p, const struct token *t)
{
	char *text = ptx_new(p->m, t->size + 1);

	memcpy(text, t->start, t->size);
	return text;
}

static char *take_text(struct parser *p)
{
	char *text = text_of(p, &p->x.token);

	lex_next(&p->x);
	return text;
}

static char *take_name(struct parser *p, const char *what)
{
	if (p->x.token.kind != TOKEN_NAME)
		expected(p, what);
	if (p->x.token.size > NAME_MAX_BYTES)
		expected(p, "a name of at most 16384 bytes");
	return take_text(p);
}

/* A name that the text declares: the lexer's names may have dots, as opcodes and special registers do. */
static char *take_new_name(struct parser *p, const char *what)
{
	if (p->x.token.kind == TOKEN_NAME && memchr(p->x.token.start, '.', p->x.token.size))
		expected(p, what);
	return take_name(p, what);
}

/* The name of a kernel or of a kernel's parameter, which arguments and options name. */
static char *take_kernel_name(struct parser *p, const char *what)
{
	if (lex_begins(&p->x, "%"))
		expected(p, what);
	return take_new_name(p, what);
}

static uint64_t take_int(struct parser *p)
{
	bool minus = accept(p, "-");
	uint64_t v = p->x.token.bits;

	if (p->x.token.kind != TOKEN_INT)
		expected(p, "a number");
	lex_next(&p->x);
	return minus ? -v : v;
}

/* ---- names ---- */

static struct ptx_scope *scope_new(struct parser *p, struct ptx_scope *outer)
{
	struct ptx_scope *s = ptx_new(p->m, sizeof *s);

	*s = (struct ptx_scope){ p->scopes++, outer };
	return s;
}

static size_t symbol_key(const struct ptx_scope *s, const char *name, size_t n, char key[NAME_MAX_BYTES + 8])
{
	memcpy(key, &s->id, sizeof s->id);
	memcpy(key + sizeof s->id, name, n);
	return sizeof s->id + n;
}

static struct ptx_symbol *symbol_in(struct parser *p, const struct ptx_scope *s, const char *name, size_t n)
{
	char key[NAME_MAX_BYTES + 8];
	struct ptx_symbol *found;

	if (n > NAME_MAX_BYTES)
		return NULL;
	HASH_FIND(hh, p->m->symbols, key, symbol_key(s, name, n, key), found);
	return found;
}

/* The range of the registers whose names begin with the n bytes. */
static struct ptx_symbol *range_in(struct parser *p, const struct ptx_scope *s, const char *prefix, size_t n)
{
	char name[NAME_MAX_BYTES + 1];

	memcpy(name, prefix, n);
	name[n] = '<';
	return symbol_in(p, s, name, n + 1);
}

static struct ptx_symbol *symbol_new(struct parser *p, struct ptx_scope *s, const char *name)
{
	size_t n = strlen(name);

	if (symbol_in(p, s, name, n))
		ptx_fail(p->m, p->x.token.line, p->x.token.column, "found a second `%.60s`, expected another name",
			 name);
	struct ptx_symbol *symbol = ptx_new(p->m, sizeof *symbol);
	char *key = ptx_new(p->m, n + 8);
	symbol->scope = s;
	HASH_ADD_KEYPTR(hh, p->m->symbols, key, symbol_key(s, name, n, key), symbol);
	if (!symbol->hh.tbl)
		ptx_no_memory(p->m);
	return symbol;
}

void ptx_forget(struct ptx_module *m) { HASH_CLEAR(hh, m->symbols); }

static struct ptx_reg *register_new(struct parser *p, const char *name, enum ptx_type type)
{
	struct ptx_reg *r = ptx_new(p->m, sizeof *r);
	struct ptx_func *f = p->func;

	*r = (struct ptx_reg){ .name = name, .type = type, .index = f ? (uint32_t)f->nregs++ : 0 };
	if (f) {
		*f->last_reg = r;
		f->last_reg = &r->next;
	}
	return r;
}

/* The register N of a range `%r<count>`, made when first named. A range of the file has registers by function. */
static struct ptx_symbol *register_of_range(struct parser *p, const struct token *t)
{
	size_t prefix = t->size;
	uint64_t number = 0;

	while (prefix && isdigit((unsigned char)t->start[prefix - 1]))
		prefix--;
	for (size_t digits = prefix; digits < t->size; digits++) {
		/* %r10 of a range named %r1 would be ambiguous; PTX names the longest prefix without digits */
		number = number * 10 + (uint64_t)(t->start[digits] - '0');
		if (number > REGS_MAX)
			return NULL;
	}
	for (struct ptx_scope *s = p->scope; s && prefix < t->size; s = s->outer) {
		const struct ptx_symbol *range = range_in(p, s, t->start, prefix);
		if (!range || number >= range->range)
			continue;
		const char *name = text_of(p, t);
		struct ptx_symbol *one = symbol_new(p, s->outer ? s : p->func->scope, name);
		one->reg = register_new(p, name, range->reg->type);
		return one;
	}
	return NULL;
}

static struct ptx_symbol *lookup(struct parser *p, const struct token *t)
{
	for (struct ptx_scope *s = p->scope; s; s = s->outer) {
		struct ptx_symbol *found = symbol_in(p, s, t->start, t->size);
		if (found && found->reg && !s->outer && p->func) {
			/* a register of the file: each function has its own */
			struct ptx_symbol *own = symbol_new(p, p->func->scope, text_of(p, t));
			own->reg = register_new(p, found->reg->name, found->reg->type);
			return own;
		}
		if (found)
			return found;
	}
	return t->size <= NAME_MAX_BYTES && p->func ? register_of_range(p, t) : NULL;
}

/* ---- types, declarations ---- */

static enum ptx_type take_type(struct parser *p)
{
	const struct token *w = &p->x.token;
	enum ptx_type t = w->kind == TOKEN_DIRECTIVE ? ptx_type_named(w->start + 1, w->size - 1) : PTX_NONE;

	if (!t)
		expected(p, "a type");
	lex_next(&p->x);
	return t;
}

static const char *name_of_range(struct parser *p, const char *name)
{
	size_t n = strlen(name);
	char *text = ptx_new(p->m, n + 2);

	memcpy(text, name, n);
	text[n] = '<';
	return text;
}

static void declare_registers(struct parser *p)
{
	if (lex_is(&p->x, ".v2") || lex_is(&p->x, ".v4"))
		expected(p, "a type (registers of vectors are not supported)");
	enum ptx_type type = take_type(p);

	do {
		const char *name = take_new_name(p, "the name of a register");
		bool many = accept(p, "<");
		struct ptx_symbol *s = symbol_new(p, p->scope, many ? name_of_range(p, name) : name);
		s->reg = register_new(p, name, type);
		if (many) {
			uint64_t n = take_int(p);
			s->range = n > REGS_MAX ? REGS_MAX : n ? (uint32_t)n : 1;
			expect(p, ">");
		}
	} while (accept(p, ","));
	expect(p, ";");
}

/* "+ 4", "-8", and no offset. */
static uint64_t signed_offset(struct parser *p)
{
	uint64_t offset = 0;

	while (lex_is(&p->x, "+") || lex_is(&p->x, "-")) {
		bool minus = accept(p, "-");
		if (!minus)
			expect(p, "+");
		uint64_t n = constant_product(&p->x);
		offset += minus ? -n : n;
	}
	return offset;
}

static void take_address(struct parser *p, struct ptx_func *f)
{
	if (!f->taken)
		f->address = ++p->m->nfunctions * FUNCTION_STEP;
	f->taken = true;
}

/* "variable + 4", "generic(variable) + 4", the name of a function: an address. Returns the function; NULL: of a
 * variable, and *x has it. */
static struct ptx_func *take_named_address(struct parser *p, struct ptx_fixup *x)
{
	bool generic = accept(p, "generic");

	if (generic)
		expect(p, "(");
	struct ptx_symbol *s = p->x.token.kind == TOKEN_NAME ? lookup(p, &p->x.token) : NULL;
	if (!s || (!s->var && !s->func))
		expected(p, "a number, a variable or a function");
	lex_next(&p->x);
	if (generic)
		expect(p, ")");
	if (s->func) {
		take_address(p, s->func);
		return s->func;
	}
	*x = (struct ptx_fixup){ .var = s->var, .addend = (uint32_t)signed_offset(p), .generic = generic };
	p->m->points_to_constants |= generic && s->var->space == SPACE_CONST;
	return NULL;
}

static void put_fixup(struct parser *p, struct ptx_var *v, uint32_t at, struct ptx_fixup x)
{
	x.offset = at;
	*(struct ptx_fixup *)ptx_push(p->m, &v->fixups, &v->nfixups, sizeof x) = x;
}

static void initial_address(struct parser *p, struct ptx_var *v, uint32_t at)
{
	struct ptx_fixup x;
	const struct ptx_func *func = take_named_address(p, &x);

	x.bytes = (uint8_t)ptx_bytes(v->type);
	if (func)
		memcpy(v->bytes + at, &func->address, x.bytes < 4 ? x.bytes : 4);
	else
		put_fixup(p, v, at, x);
}

/* "0xff00(": the begin of one byte of an address. */
static bool accept_mask(struct parser *p, uint64_t *mask)
{
	struct lexer before = p->x;

	if (p->x.token.kind == TOKEN_INT) {
		*mask = p->x.token.bits;
		lex_next(&p->x);
		if (accept(p, "("))
			return true;
	}
	p->x = before;
	return false;
}

/* A byte of an address, in variables whose addresses are not aligned: 0xff(x), 0xff00(x), 0xff0000(x), … follow each
 * other. */
static void initial_byte(struct parser *p, struct ptx_var *v, uint32_t at, uint64_t mask)
{
	unsigned byte = 0;
	struct ptx_fixup x, *last = v->nfixups ? &v->fixups[v->nfixups - 1] : NULL;

	while (byte < 8 && mask != 0xffull << 8 * byte)
		byte++;
	if (byte == 8 || ptx_bytes(v->type) != 1)
		expected(p, "a mask of one byte, in a variable of bytes");
	const struct ptx_func *func = take_named_address(p, &x);
	expect(p, ")");
	x.bytes = 1;
	if (func)
		v->bytes[at] = byte < 4 ? (uint8_t)(func->address >> 8 * byte) : 0;
	else if (!byte)
		put_fixup(p, v, at, x);
	else if (last && last->bytes == byte && last->offset + byte == at && last->var == x.var &&
		 last->addend == x.addend && last->generic == x.generic)
		last->bytes++;
	else
		expected(p, "the bytes of an address from the first on, in their order");
}

/* An array without a size grows with its values. */
static void grow_to(struct parser *p, struct ptx_var *v, uint32_t end)
{
	if (end <= v->size)
		return;
	if (!v->unsized || end > COMPILE_BYTES_MAX)
		expected(p, "no more values than elements");
	uint8_t *more = ptx_new(p->m, 2 * v->size + 64);
	if (v->size)
		memcpy(more, v->bytes, v->size);
	v->bytes = more;
	v->size = 2 * v->size + 64;
}

static void initial_fraction(struct parser *p, struct ptx_var *v, uint32_t at)
{
	unsigned bytes = ptx_bytes(v->type);
	bool minus = accept(p, "-");
	const struct token number = p->x.token;

	if (number.kind != TOKEN_FLOAT && number.kind != TOKEN_DOUBLE)
		expected(p, "a number");
	lex_next(&p->x);
	uint64_t bits = number.bits;
	if (number.kind == TOKEN_DOUBLE && v->type == PTX_F32) {
		double d;
		memcpy(&d, &bits, sizeof d);
		float f = (float)d;
		uint32_t word;
		memcpy(&word, &f, sizeof f);
		bits = word;
	}
	if (minus)
		bits ^= 1ull << (8 * bytes - 1);
	memcpy(v->bytes + at, &bits, bytes);
}

static void initial_value(struct parser *p, struct ptx_var *v, uint32_t *at)
{
	unsigned bytes = ptx_bytes(v->type);
	uint64_t bits;

	if (accept(p, "{")) {
		if (++p->depth > DEPTH_MAX)
			expected(p, "fewer nested braces");
		do {
			if (!lex_is(&p->x, "}"))
				initial_value(p, v, at);
		} while (accept(p, ","));
		expect(p, "}");
		p->depth--;
		return;
	}
	grow_to(p, v, *at + bytes);
	if (accept_mask(p, &bits)) {
		initial_byte(p, v, *at, bits);
	} else if (constant_begins(&p->x, true)) {
		bits = constant_expression(&p->x);
		memcpy(v->bytes + *at, &bits, bytes);
	} else if (p->x.token.kind == TOKEN_NAME) {
		initial_address(p, v, *at);
	} else {
		initial_fraction(p, v, *at);
	}
	*at += bytes;
}

/* .attribute(.managed) and .attribute(.unified(NUMBER, NUMBER)): all memory is one here. */
static void memory_attribute(struct parser *p)
{
	expect(p, "(");
	if (accept(p, ".unified")) {
		expect(p, "(");
		take_int(p);
		expect(p, ",");
		take_int(p);
		expect(p, ")");
	} else if (!accept(p, ".managed")) {
		expected(p, ".managed or .unified");
	}
	expect(p, ")");
}

/* Words between a variable's space and name: alignment, vectors, type. */
static void read_properties(struct parser *p, struct ptx_var *v, unsigned *elements)
{
	for (;;) {
		if (accept(p, ".attribute")) {
			memory_attribute(p);
		} else if (accept(p, ".align")) {
			v->align = (uint32_t)take_int(p);
			if (!v->align || v->align > 4096 || (v->align & (v->align - 1)))
				expected(p, "an alignment that is a power of two");
		} else if (accept(p, ".v2")) {
			*elements = 2;
		} else if (accept(p, ".v4")) {
			*elements = 4;
		} else if (accept(p, ".texref")) {
			v->space = SPACE_TEX;
			v->type = PTX_U32;
			break;
		} else if (accept(p, ".surfref")) {
			v->type = PTX_U32;
			*elements = DESCRIPTION_BYTES / 4;      /* the variable is what a handle points to */
			break;
		} else if (accept(p, ".samplerref")) {
			v->type = PTX_U32; /* refused where an instruction names one */
			break;
		} else if (accept(p, ".ptr")) {
			v->to_shared = accept(p, ".shared");
			while (accept(p, ".global") || accept(p, ".local") || accept(p, ".const"))
				continue;
			if (accept(p, ".align")) /* of the memory behind the pointer */
				take_int(p);
		} else if (!v->type) {
			v->type = take_type(p);
		} else {
			break;
		}
	}
}

/* Name, dimensions and initial value of a variable with the properties of *like and so many elements of its type. */
static struct ptx_var *declare_name(struct parser *p, enum ptx_space space, const struct ptx_var *like,
				    unsigned elements)
{
	struct ptx_var *v = ptx_new(p->m, sizeof *v);
	uint64_t size = (uint64_t)elements * ptx_bytes(like->type);

	*v = *like;
	v->align = v->align ? v->align : (uint32_t)size;
	v->name = space == SPACE_PARAM && p->func && p->func->entry
			  ? take_kernel_name(p, "the name of a parameter, without '%'")
			  : take_new_name(p, "a name");
	uint64_t most = space == SPACE_GLOBAL ? GLOBAL_BYTES_MAX : COMPILE_BYTES_MAX;
	while (accept(p, "[")) {
		if (accept(p, "]")) {
			v->unsized = true;
			size = 0;
			continue;
		}
		uint64_t n = constant_expression(&p->x);
		if (n > most || size * n > most)
			expected(p, "a smaller array");
		size *= n;
		expect(p, "]");
	}
	v->size = (uint32_t)size;
	if (accept(p, "=")) {
		uint32_t at = 0;
		if (v->size > COMPILE_BYTES_MAX)
			expected(p, "no initial value of so large a variable");
		v->bytes = ptx_new(p->m, v->size);
		initial_value(p, v, &at);
		if (v->unsized)
			v->size = at;
		v->unsized = false;
	}
	symbol_new(p, p->scope, v->name)->var = v;
	return v;
}

/* The rest of a parameter behind .param. */
static struct ptx_var *declare_parameter(struct parser *p)
{
	struct ptx_var like = { .space = SPACE_PARAM, .line = p->x.token.line };
	unsigned elements = 1;

	read_properties(p, &like, &elements);
	return declare_name(p, SPACE_PARAM, &like, elements);
}

/* The rest of a declaration behind its space: alignment, type, names. */
static void declare_in(struct parser *p, enum ptx_space space, bool external)
{
	struct ptx_var like = { .space = space, .external = external, .line = p->x.token.line };
	unsigned elements = 1;

	read_properties(p, &like, &elements);
	do {
		struct ptx_var *v = declare_name(p, space, &like, elements);
		if (space == SPACE_PARAM && p->func && p->func->entry && p->m->version < 14) {
			*(struct ptx_var **)ptx_push(p->m, &p->func->params, &p->func->nparams, sizeof v) = v;
		} else {
			*p->last_var = v;
			p->last_var = &v->next;
		}
	} while (accept(p, ","));
	expect(p, ";");
}

static enum ptx_space accept_space(struct parser *p)
{
	static const char *const names[] = { NULL, ".param", ".global", ".shared", ".local", ".const", ".reg", ".tex" };

	for (enum ptx_space s = SPACE_PARAM; s <= SPACE_TEX; s++)
		if (accept(p, names[s]))
			return s;
	return SPACE_NONE;
}

/* ---- instructions ---- */

/* The number behind the prefix; false: another name. */
static bool numbered(const struct token *t, const char *prefix, unsigned most, unsigned *n)
{
	size_t length = strlen(prefix);

	if (t->size <= length || t->size > length + 2 || memcmp(t->start, prefix, length))
		return false;
	*n = 0;
	for (size_t i = length; i < t->size; i++) {
		if (!isdigit((unsigned char)t->start[i]))
			return false;
		*n = *n * 10 + (unsigned)(t->start[i] - '0');
	}
	return *n <= most;
}

/* Special registers of PTX 9.0. The words of SPECIAL_NEVER are refused by name where an instruction reads them; a
 * name that ends in '*' stands for all names that begin so. */
static const struct special_name {
	const char *name;
	enum special special;
	bool dims;
} specials[] = {
	{ "%tid", SPECIAL_TID, true },
	{ "%ntid", SPECIAL_NTID, true },
	{ "%ctaid", SPECIAL_CTAID, true },
	{ "%nctaid", SPECIAL_NCTAID, true },
	{ "%laneid", SPECIAL_LANEID, false },
	{ "%warpid", SPECIAL_WARPID, false },
	{ "%smid", SPECIAL_SMID, false },
	{ "%gridid", SPECIAL_GRIDID, false },
	{ "%clock", SPECIAL_CLOCK, false },
	{ "%nsmid", SPECIAL_NEVER, false },
	{ "%nwarpid", SPECIAL_NWARPID, false },
	{ "%clock64", SPECIAL_CLOCK, false },
	{ "%clock_hi", SPECIAL_CLOCK_HI, false },
	{ "%lanemask_eq", SPECIAL_LANES_EQ, false },
	{ "%lanemask_le", SPECIAL_LANES_LE, false },
	{ "%lanemask_lt", SPECIAL_LANES_LT, false },
	{ "%lanemask_ge", SPECIAL_LANES_GE, false },
	{ "%lanemask_gt", SPECIAL_LANES_GT, false },
	{ "%globaltimer", SPECIAL_CLOCK, false },
	{ "%globaltimer_lo", SPECIAL_CLOCK, false },
	{ "%globaltimer_hi", SPECIAL_CLOCK_HI, false },
	{ "%is_explicit_cluster", SPECIAL_NEVER, false },
	{ "%cluster*", SPECIAL_NEVER, false },
	{ "%ncluster*", SPECIAL_NEVER, false },
	{ "%reserved_smem_offset_begin", SPECIAL_RESERVED, false },
	{ "%reserved_smem_offset_end", SPECIAL_RESERVED, false },
	{ "%reserved_smem_offset_cap", SPECIAL_RESERVED, false },
	{ "%reserved_smem_offset_0", SPECIAL_RESERVED, false },
	{ "%reserved_smem_offset_1", SPECIAL_RESERVED, false },
	{ "%total_smem_size", SPECIAL_NEVER, false },
	{ "%aggr_smem_size", SPECIAL_NEVER, false },
	{ "%dynamic_smem_size", SPECIAL_NEVER, false },
	{ "%current_graph_exec", SPECIAL_NEVER, false },
};

static const struct special_name *special_of(const struct token *t, unsigned *component)
{
	for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
		const struct special_name *s = &specials[i];
		size_t n = strlen(s->name);
		bool any_end = s->name[n - 1] == '*';
		n -= any_end;
		if (t->size < n || memcmp(t->start, s->name, n))
			continue;
		if (any_end || t->size == n)
			return s;
		const char *dim = s->dims && t->size == n + 2 && t->start[n] == '.'
					  ? memchr("xyzw", t->start[n + 1], 4) : NULL;
		if (!dim)
			continue;
		*component = t->start[n + 1] == 'w' ? 3 : (unsigned)(t->start[n + 1] - 'x');
		return s;
	}
	return NULL;
}

static bool special_register(struct parser *p, struct ptx_operand *o)
{
	struct token t = p->x.token;
	unsigned n = 0;
	const struct special_name *s = special_of(&t, &n);

	if (*t.start != '%')
		return false;
	if (numbered(&t, "%envreg", 31, &n))
		o->special = SPECIAL_ENVIRONMENT;
	else if (numbered(&t, "%pm", 3, &n))
		o->special = SPECIAL_PM;
	else if (s || numbered(&t, "%pm", 7, &n))
		o->special = s ? s->special : SPECIAL_NEVER;
	else
		return false;
	o->kind = OPERAND_SPECIAL;
	o->component = (uint8_t)n;
	o->name = take_text(p);
	return true;
}

/* "%r1.b3", "%r1.h0": bytes and halves that video instructions take. */
static bool part_of_register(struct parser *p, const struct token *t, struct ptx_operand *o)
{
	struct token whole = *t;

	if (t->size < 4 || t->start[t->size - 3] != '.' || !strchr("bh", t->start[t->size - 2]) ||
	    !isdigit((unsigned char)t->start[t->size - 1]))
		return false;
	whole.size -= 3;
	const struct ptx_symbol *s = lookup(p, &whole);
	if (!s || !s->reg)
		return false;
	o->reg = s->reg;
	o->bits = t->start[t->size - 2] == 'b' ? 8 : 16;
	o->component = (uint8_t)(t->start[t->size - 1] - '0');
	return o->component * o->bits < 32;
}

static void name_operand(struct parser *p, struct ptx_operand *o)
{
	struct token t = p->x.token;
	struct ptx_symbol *s;

	if (lex_is(&p->x, "_")) {
		o->kind = OPERAND_SINK;
		lex_next(&p->x);
		return;
	}
	s = lookup(p, &t);
	if (!s && special_register(p, o))
		return;
	if (!s && part_of_register(p, &t, o)) {
		o->kind = OPERAND_PART;
		lex_next(&p->x);
		return;
	}
	const char *name = take_name(p, "an operand");
	if (s && s->reg) {
		o->kind = OPERAND_REG;
		o->reg = s->reg;
	} else if (s && s->var) {
		o->kind = OPERAND_VAR;
		o->var = s->var;
		o->bits = signed_offset(p);
	} else if (s && s->func) {
		o->kind = OPERAND_FUNC;
		o->func = s->func;
	} else {
		struct ptx_label *l = ptx_new(p->m, sizeof *l);
		*l = (struct ptx_label){ .name = name, .line = t.line, .scope = p->scope };
		o->kind = OPERAND_LABEL;
		o->label = l;
		*(struct ptx_label **)ptx_push(p->m, &p->wanted, &p->nwanted, sizeof l) = l;
	}
}

/* Labels of line tables stand between the operands of calls, too. */
static bool skip_label(struct parser *p)
{
	struct lexer before = p->x;

	if (p->x.token.kind == TOKEN_NAME) {
		lex_next(&p->x);
		if (accept(p, ":"))
			return true;
	}
	p->x = before;
	return false;
}

static void operand(struct parser *p, struct ptx_operand *o);

/* Items up to `end`. */
static void items(struct parser *p, struct ptx_operand *o, enum operand_kind kind, const char *end)
{
	size_t n = 0;

	o->kind = kind;
	while (!lex_is(&p->x, end)) {
		struct ptx_operand item = { 0 };
		if (skip_label(p))
			continue;
		operand(p, &item);
		*(struct ptx_operand *)ptx_push(p->m, &o->item, &n, sizeof item) = item;
		if (!accept(p, ","))
			break;
	}
	o->nitems = (unsigned)n;
	expect(p, end);
}

static void address(struct parser *p, struct ptx_operand *o)
{
	size_t n = 0;

	do {
		struct ptx_operand item = { 0 };
		operand(p, &item);
		if (item.kind != OPERAND_INT)
			o->bits += signed_offset(p);
		if (item.kind == OPERAND_INT) {
			o->bits += item.bits;
			item.bits = 0;
		}
		*(struct ptx_operand *)ptx_push(p->m, &o->item, &n, sizeof item) = item;
	} while (accept(p, ","));
	o->kind = OPERAND_ADDRESS;
	o->nitems = (unsigned)n;
	expect(p, "]");
}

/* Operands stand inside each other by brackets, braces and signs: the host's stack has an end. */
static void deeper(struct parser *p)
{
	if (++p->depth > DEPTH_MAX)
		expected(p, "an operand inside at most 64 brackets and signs");
}

static void operand(struct parser *p, struct ptx_operand *o)
{
	*o = (struct ptx_operand){ .column = p->x.token.column };
	deeper(p);
	if (constant_begins(&p->x, !p->calls)) {
		o->kind = OPERAND_INT;
		o->bits = constant_expression(&p->x);
	} else if (accept(p, "{")) {
		items(p, o, OPERAND_VECTOR, "}");
		if (o->nitems == 1) /* "{ %r1 }" is %r1 */
			*o = o->item[0];
	} else if (accept(p, "(")) {
		items(p, o, OPERAND_LIST, ")");
	} else if (accept(p, "[")) {
		address(p, o);
	} else if (accept(p, "!")) {
		operand(p, o);
		o->negated = !o->negated;
	} else if (accept(p, "-")) {
		operand(p, o);
		if (o->kind == OPERAND_FLOAT)
			o->bits ^= 1u << 31;
		else if (o->kind == OPERAND_DOUBLE)
			o->bits ^= 1ull << 63;
		else
			expected(p, "a number behind the sign");
	} else if (p->x.token.kind == TOKEN_NAME) {
		name_operand(p, o);
	} else if (p->x.token.kind == TOKEN_FLOAT || p->x.token.kind == TOKEN_DOUBLE) {
		o->kind = p->x.token.kind == TOKEN_FLOAT ? OPERAND_FLOAT : OPERAND_DOUBLE;
		o->bits = p->x.token.bits;
		lex_next(&p->x);
	} else {
		expected(p, "an operand");
	}
	p->depth--;
}

static void opcode_words(struct parser *p, struct ptx_insn *n)
{
	char *text = take_name(p, "an instruction");

	for (char *word = text; word;) {
		char *dot = strchr(word, '.');
		if (dot)
			*dot++ = '\0';
		if (n->nwords == PTX_WORDS)
			ptx_fail(p->m, n->line, n->column, "found more than %d words, expected an instruction",
				 PTX_WORDS);
		n->word[n->nwords++] = word;
		word = dot;
	}
}

/* The first operand is the result, or several; instructions without one have no register there. */
static void mark_written(struct ptx_operand *o)
{
	if (o->kind == OPERAND_REG || o->kind == OPERAND_PART) {
		o->reg->written = true;
		o->reg->fixed = false;
	}
	for (unsigned i = 0; (o->kind == OPERAND_VECTOR || o->kind == OPERAND_LIST) && i < o->nitems; i++)
		mark_written(&o->item[i]);
}

static void guard(struct parser *p, struct ptx_insn *n)
{
	if (!accept(p, "@"))
		return;
	n->guard_not = accept(p, "!");
	struct ptx_symbol *s = lookup(p, &p->x.token);
	n->guard = s ? s->reg : NULL;
	if (!n->guard || n->guard->type != PTX_PRED)
		expected(p, "a predicate");
	lex_next(&p->x);
}

static void operands(struct parser *p, struct ptx_insn *n)
{
	size_t noperands = 0;

	while (!lex_is(&p->x, ";")) {
		while (skip_label(p))
			continue;
		struct ptx_operand *o = ptx_push(p->m, &n->operand, &noperands, sizeof *o);
		if (noperands > PTX_OPERANDS)
			expected(p, "';'");
		operand(p, o);
		if (accept(p, "|")) {
			n->dual = ptx_new(p->m, sizeof *n->dual);
			operand(p, n->dual);
		}
		if (!accept(p, ",") && !lex_is(&p->x, ";"))
			expected(p, "',' or ';'");
	}
	expect(p, ";");
	n->noperands = (unsigned)noperands;
}

/* What an instruction tells of registers and functions: written, of a known value, with an address that is taken. */
static void note_operands(struct parser *p, const struct ptx_insn *n)
{
	bool once = n->noperands == 2 && n->operand[0].kind == OPERAND_REG && !n->operand[0].reg->written;

	if (n->noperands)
		mark_written(&n->operand[0]);
	if (once && !n->guard && !strcmp(n->word[0], "mov") && n->operand[1].kind == OPERAND_INT) {
		n->operand[0].reg->fixed = true;
		n->operand[0].reg->bits = n->operand[1].bits;
	}
	if (n->dual)
		mark_written(n->dual);
	for (unsigned i = 0; i < n->noperands && strcmp(n->word[0], "call"); i++)
		if (n->operand[i].kind == OPERAND_FUNC)
			take_address(p, n->operand[i].func);
}

static void instruction(struct parser *p)
{
	struct ptx_insn n = {
		.line = p->x.token.line, .column = p->x.token.column, .file = p->file, .source_line = p->line
	};

	guard(p, &n);
	opcode_words(p, &n);
	p->calls = !strcmp(n.word[0], "call");
	operands(p, &n);
	note_operands(p, &n);
	if (++p->m->ninsns > COMPILE_INSNS_MAX)
		ptx_fail(p->m, n.line, n.column, "found more than %d instructions, which is the limit: split the file",
			 COMPILE_INSNS_MAX);
	*(struct ptx_insn *)ptx_push(p->m, &p->func->insns, &p->func->ninsns, sizeof n) = n;
}

static void file_directive(struct parser *p)
{
	uint32_t number = (uint32_t)take_int(p);
	const char *name = NULL;

	while (p->x.token.kind == TOKEN_STRING) { /* a folder may stand before */
		char *part = take_text(p);
		char *path = ptx_new(p->m, (name ? strlen(name) : 0) + strlen(part) + 2);
		if (name && *part != '/' && strcmp(name, "."))
			strcat(strcat(path, name), "/");
		name = strcat(path, part);
	}
	if (!name)
		expected(p, "the name of a file");
	if (accept(p, ",")) { /* time and size of the file */
		take_int(p);
		expect(p, ",");
		take_int(p);
	}
	struct compile_file *f = ptx_push(p->m, &p->m->files, &p->m->nfiles, sizeof *f);
	*f = (struct compile_file){ number, name };
}

/* FILE LINE COLUMN, and of an inlined function ", function_name LABEL [+ N], inlined_at FILE LINE COLUMN": the line is
 * that of the innermost function. */
static void loc_directive(struct parser *p)
{
	p->file = (uint32_t)take_int(p);
	uint32_t line = (uint32_t)take_int(p);
	p->line = line ? line : p->line;
	if (p->x.token.kind == TOKEN_INT)
		lex_next(&p->x);
	if (!accept(p, ","))
		return;
	expect(p, "function_name");
	take_name(p, "a label of .debug_str");
	if (accept(p, "+"))
		take_int(p);
	expect(p, ",");
	expect(p, "inlined_at");
	for (unsigned i = 0; i < 3; i++)
		take_int(p);
}

/* A value of a section: a number, or a name, a difference of names, a name and a number. */
static void section_value(struct parser *p)
{
	if (p->x.token.kind == TOKEN_INT || lex_is(&p->x, "-")) {
		take_int(p);
		return;
	}
	if (p->x.token.kind != TOKEN_NAME && p->x.token.kind != TOKEN_DIRECTIVE)
		expected(p, "a number or a label");
	lex_next(&p->x);
	if (!lex_is(&p->x, "+") && !lex_is(&p->x, "-"))
		return;
	lex_next(&p->x);
	if (p->x.token.kind != TOKEN_INT && p->x.token.kind != TOKEN_NAME)
		expected(p, "a number or a label");
	lex_next(&p->x);
}

/* A section of debug information, which is read and dropped: NAME [, "flags", @kind] { .bN values, labels }. */
static void skip_section(struct parser *p)
{
	static const char *const sizes[] = { ".b8", ".b16", ".b32", ".b64" };

	if (p->x.token.kind != TOKEN_DIRECTIVE && p->x.token.kind != TOKEN_NAME)
		expected(p, "the name of a section");
	lex_next(&p->x);
	if (accept(p, ",")) {
		if (p->x.token.kind != TOKEN_STRING)
			expected(p, "a string");
		lex_next(&p->x);
		if (accept(p, ",")) {
			expect(p, "@");
			take_name(p, "the kind of a section");
		}
	}
	expect(p, "{");
	while (!accept(p, "}")) {
		bool is_data = false;
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
			is_data = is_data || accept(p, sizes[i]);
		if (is_data) {
			do
				section_value(p);
			while (accept(p, ","));
		} else {
			take_name(p, "a label, .b8, .b16, .b32, .b64 or '}'");
			expect(p, ":");
		}
	}
}

/* Notes of NVIDIA's OpenCL compiler, which no manual has: .metadata_section { .metadata N { "text", … } … }. */
static void skip_metadata(struct parser *p)
{
	expect(p, "{");
	while (!accept(p, "}")) {
		expect(p, ".metadata");
		take_int(p);
		expect(p, "{");
		do {
			if (p->x.token.kind != TOKEN_STRING)
				expected(p, "a string");
			lex_next(&p->x);
		} while (accept(p, ","));
		expect(p, "}");
	}
}

static void skip_pragma(struct parser *p)
{
	do {
		if (p->x.token.kind != TOKEN_STRING)
			expected(p, "a string");
		lex_next(&p->x);
	} while (accept(p, ","));
	expect(p, ";");
}

/* Directives without a meaning here, and directives of lines. */
static bool common_directive(struct parser *p)
{
	if (accept(p, ".loc"))
		loc_directive(p);
	else if (accept(p, ".file"))
		file_directive(p);
	else if (accept(p, ".section"))
		skip_section(p);
	else if (accept(p, ".metadata_section"))
		skip_metadata(p);
	else if (accept(p, ".pragma"))
		skip_pragma(p);
	else
		return false;
	return true;
}

/* The list of names of .branchtargets or .calltargets, whose name is the label before. */
static void targets(struct parser *p)
{
	struct ptx_targets *t = ptx_new(p->m, sizeof *t);
	struct ptx_operand o;

	do {
		o = (struct ptx_operand){ .column = p->x.token.column };
		if (p->x.token.kind != TOKEN_NAME)
			expected(p, "a label or a function");
		name_operand(p, &o);
		if (o.kind == OPERAND_LABEL)
			*(struct ptx_label **)ptx_push(p->m, &t->labels, &t->nlabels, sizeof o.label) = o.label;
		else if (o.kind == OPERAND_FUNC)
			*(struct ptx_func **)ptx_push(p->m, &t->funcs, &t->nfuncs, sizeof o.func) = o.func;
		else
			expected(p, "a label or a function");
	} while (accept(p, ","));
	expect(p, ";");
	if (p->label)
		p->label->targets = t;
}

/* Parameters of a .callprototype: the call's arguments tell as much. */
static void skip_prototype_params(struct parser *p)
{
	if (!accept(p, "(") || accept(p, ")"))
		return;
	do {
		if (!accept(p, ".reg"))
			expect(p, ".param");
		if (accept(p, ".align"))
			take_int(p);
		take_type(p);
		take_name(p, "a name");
		if (accept(p, "[")) {
			take_int(p);
			expect(p, "]");
		}
	} while (accept(p, ","));
	expect(p, ")");
}

static void skip_prototype(struct parser *p)
{
	skip_prototype_params(p);
	take_name(p, "the name of a prototype");
	skip_prototype_params(p);
	accept(p, ".noreturn");
	while (accept(p, ".abi_preserve") || accept(p, ".abi_preserve_control"))
		take_int(p);
	expect(p, ";");
}

static void label_here(struct parser *p, const char *name)
{
	if (symbol_in(p, p->scope, name, strlen(name)))
		ptx_fail(p->m, p->x.token.line, 1, "found a second label `%.60s`, expected another name", name);
	struct ptx_label *l = ptx_new(p->m, sizeof *l);

	*l = (struct ptx_label){
		.name = name, .line = p->x.token.line, .defined = true, .insn = (uint32_t)p->func->ninsns,
		.scope = p->scope
	};
	symbol_new(p, p->scope, name)->label = l;
	p->label = l;
}

/* A label is a name with a colon behind; the lexer has one token, so its state is kept and put back. */
static bool accept_label(struct parser *p)
{
	struct lexer before = p->x;

	if (p->x.token.kind != TOKEN_NAME || memchr(before.token.start, '.', before.token.size))
		return false;
	char *name = take_text(p);
	if (accept(p, ":")) {
		label_here(p, name);
		return true;
	}
	p->x = before;
	return false;
}

static void body(struct parser *p)
{
	unsigned depth = 0;

	p->func->has_body = true;
	p->file = p->line = 0;
	for (expect(p, "{");;) {
		enum ptx_space space;
		bool external = false;

		if (accept(p, "{")) {
			if (++depth > DEPTH_MAX)
				expected(p, "fewer nested blocks");
			p->scope = scope_new(p, p->scope);
		} else if (accept(p, "}")) {
			if (!depth--)
				return;
			p->scope = p->scope->outer;
		} else if (common_directive(p) || accept_label(p) || accept(p, ";")) {
			continue;
		} else if (accept(p, ".branchtargets") || accept(p, ".calltargets")) {
			targets(p);
		} else if (accept(p, ".callprototype")) {
			skip_prototype(p);
		} else if (p->x.token.kind == TOKEN_DIRECTIVE) {
			while (accept(p, ".extern") || accept(p, ".visible") || accept(p, ".weak"))
				external = true;
			space = accept_space(p);
			if (space == SPACE_REG)
				declare_registers(p);
			else if (space)
				declare_in(p, space, external);
			else
				expected(p, "an instruction or a declaration");
		} else {
			instruction(p);
		}
	}
}

static void resolve_labels(struct parser *p)
{
	for (size_t i = 0; i < p->nwanted; i++) {
		struct ptx_label *l = p->wanted[i];
		for (struct ptx_scope *s = l->scope; s && !l->defined; s = s->outer) {
			struct ptx_symbol *found = symbol_in(p, s, l->name, strlen(l->name));
			if (found && found->label) {
				l->defined = true;
				l->insn = found->label->insn;
				l->targets = found->label->targets;
			}
		}
		if (!l->defined) {
			char name[64];
			text_clean(l->name, strlen(l->name), "", name, sizeof name);
			ptx_fail(p->m, l->line, 1,
				 "found `%s`, which nothing declares; expected a register, a variable or a "
				 "label",
				 name);
		}
	}
	p->nwanted = 0;
	p->wanted = NULL;
}

/* Parameters of an entry are variables; parameters of a function are registers or variables. */
static void parameters(struct parser *p, bool returns)
{
	struct ptx_func *f = p->func;

	if (accept(p, ")"))
		return;
	do {
		if (returns ? (lex_is(&p->x, ".reg") ? (void *)f->rets : (void *)f->ret_reg)
			    : (lex_is(&p->x, ".reg") ? (void *)f->params : (void *)f->param_reg))
			expected(p, "parameters that are all .reg or all .param");
		if (accept(p, ".reg")) {
			enum ptx_type type = take_type(p);
			const char *name = take_new_name(p, "the name of a register");
			struct ptx_symbol *s = symbol_new(p, p->scope, name);
			s->reg = register_new(p, name, type);
			s->reg->written = !returns;
			*(struct ptx_reg **)ptx_push(p->m, returns ? (void *)&f->ret_reg : (void *)&f->param_reg,
						     returns ? &f->nrets : &f->nparams, sizeof s->reg) = s->reg;
		} else {
			accept(p, ".hidden"); /* in Triton's texts; an argument fills the parameter all the same */
			expect(p, ".param");
			struct ptx_var *v = declare_parameter(p);
			*(struct ptx_var **)ptx_push(p->m, returns ? (void *)&f->rets : (void *)&f->params,
						     returns ? &f->nrets : &f->nparams, sizeof v) = v;
		}
	} while (accept(p, ","));
	expect(p, ")");
}

static uint32_t take_int_in(struct parser *p, uint64_t least, uint64_t most, const char *what)
{
	if (p->x.token.kind != TOKEN_INT || p->x.token.bits < least || p->x.token.bits > most)
		expected(p, what);
	return (uint32_t)take_int(p);
}

/* Returns the threads of the block. */
static uint32_t block_size(struct parser *p, uint32_t block[3])
{
	uint64_t threads = 1;

	for (unsigned i = 0; i < 3; i++) {
		block[i] = i && !accept(p, ",") ? 1 : take_int_in(p, 1, 65535, "a number of threads from 1 to 65535");
		threads *= block[i];
	}
	return threads > 65535 ? 65535 : (uint32_t)threads;
}

/* A directive between a function's parameters and the function's body. */
static void performance_directive(struct parser *p)
{
	static const char *const clusters[] = { ".explicitcluster", ".reqnctapercluster", ".maxclusterrank",
						".blocksareclusters" };
	uint32_t most[3];

	for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++)
		if (lex_is(&p->x, clusters[i]))
			ptx_fail(p->m, p->x.token.line, p->x.token.column,
				 "%s is not in sm_1x: blocks have no clusters", clusters[i]);
	if (accept(p, ".maxnreg"))
		p->func->max_regs = take_int_in(p, 1, 65535, "a number of registers");
	else if (accept(p, ".reqntid"))
		p->func->most_threads = block_size(p, p->func->block);
	else if (accept(p, ".maxntid"))
		p->func->most_threads = block_size(p, most);
	else if (accept(p, ".minnctapersm") || accept(p, ".maxnctapersm") || accept(p, ".abi_preserve") ||
		 accept(p, ".abi_preserve_control"))
		take_int(p);
	else if (!accept(p, ".noreturn") && !common_directive(p))
		expected(p, "'{'");
}

/* What stands between functions and never in a header: the header before was a prototype, which nvopencc 3 wrote
 * without ';'. */
static bool declaration_begins(struct parser *p)
{
	static const char *const words[] = { ".visible", ".extern", ".weak", ".common", ".func", ".entry", ".global",
					     ".const", ".shared", ".local", ".param", ".reg", ".tex", "@" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (lex_is(&p->x, words[i]))
			return true;
	return p->x.token.kind == TOKEN_END;
}

static void function(struct parser *p, bool entry)
{
	struct ptx_func *f = ptx_new(p->m, sizeof *f);
	struct ptx_scope *outer = p->scope;
	struct ptx_var **last_var = p->last_var;

	*f = (struct ptx_func){ .entry = entry, .line = p->x.token.line, .last_reg = &f->regs };
	p->func = f;
	p->scope = f->scope = scope_new(p, outer);
	p->last_var = &f->vars;
	if (!entry && accept(p, "("))
		parameters(p, true);
	f->name = entry ? take_kernel_name(p, "the name of a kernel, without '%'")
			: take_new_name(p, "the name of a function");
	struct ptx_symbol *s = symbol_in(p, outer, f->name, strlen(f->name));
	if (!s || !s->func || s->func->has_body)
		symbol_new(p, outer, f->name)->func = f;
	if (accept(p, "("))
		parameters(p, false);
	while (!lex_is(&p->x, "{") && !lex_is(&p->x, ";") && !(declaration_begins(p) && !entry))
		performance_directive(p);
	if (lex_is(&p->x, "{")) {
		body(p);
		resolve_labels(p);
	} else if (entry || !declaration_begins(p)) {
		expect(p, ";");
	}
	if (s && s->func) { /* declared before; calls have the first one */
		f->next = s->func->next;
		f->taken = s->func->taken;
		f->address = s->func->address;
		*s->func = f->has_body ? *f : *s->func;
	} else {
		*p->last_func = f;
		p->last_func = &f->next;
	}
	p->last_var = last_var;
	p->scope = outer;
	p->func = NULL;
}

static void version_directive(struct parser *p)
{
	const struct token *t = &p->x.token;
	unsigned major, minor = 0;
	char text[16] = "", end;
	int found = 0;

	if (t->size < sizeof text)
		memcpy(text, t->start, t->size);
	if (t->kind == TOKEN_DOUBLE || t->kind == TOKEN_INT)
		found = sscanf(text, "%2u.%1u%c", &major, &minor, &end);
	if (found != 2 - (t->kind == TOKEN_INT) || !major)
		expected(p, "a version like 1.4");
	p->m->version = 10 * major + minor;
	lex_next(&p->x);
}

static void target_directive(struct parser *p)
{
	do {
		const char *name = take_name(p, "a target like sm_10");
		unsigned sm = 0;
		if (sscanf(name, "sm_%u", &sm) == 1 || sscanf(name, "compute_%u", &sm) == 1)
			p->m->target = sm;
		else if (!strcmp(name, "map_f64_to_f32"))
			p->m->map_f64 = true;
		else if (strncmp(name, "texmode_", 8) && strcmp(name, "debug"))
			ptx_fail(p->m, p->x.token.line, 1,
				 "found target `%.40s`, expected sm_10 to sm_35, compute_1x, "
				 "map_f64_to_f32, texmode_*, debug",
				 name);
	} while (accept(p, ","));
}

static void top_level(struct parser *p)
{
	bool external = false;

	if (common_directive(p) || accept(p, ";"))
		return;
	if (accept(p, "@")) { /* "@@DWARF …", to the end of the line */
		int line = p->x.token.line;
		expect(p, "@");
		expect(p, "DWARF");
		while (p->x.token.kind != TOKEN_END && p->x.token.line == line)
			lex_next(&p->x);
		return;
	}
	if (accept(p, ".version"))
		version_directive(p);
	else if (accept(p, ".target"))
		target_directive(p);
	else if (accept(p, ".address_size"))
		p->m->address_size = (unsigned)take_int(p);
	else {
		for (;;) {
			if (accept(p, ".extern"))
				external = true;
			else if (!accept(p, ".visible") && !accept(p, ".weak") && !accept(p, ".common"))
				break;
		}
		enum ptx_space space;
		if (accept(p, ".entry"))
			function(p, true);
		else if (accept(p, ".func"))
			function(p, false);
		else if ((space = accept_space(p)) == SPACE_REG)
			declare_registers(p);
		else if (space)
			declare_in(p, space, external);
		else
			expected(p, "a declaration, .entry or .func");
	}
}

void ptx_parse(struct ptx_module *m, const char *text, size_t size)
{
	struct parser p = { .m = m, .last_func = &m->funcs, .last_var = &m->vars };

	if (size > COMPILE_TEXT_MAX)
		ptx_fail(m, 1, 1, "found a text of %zu bytes, expected at most %d: split the file", size,
			 COMPILE_TEXT_MAX);
	while (size && (!text[size - 1] || strchr(" \t\r\n", text[size - 1])))
		size--; /* OpenCL hands over the end of a C string, too, and editors end the line behind */
	lex_start(&p.x, m, text, size);
	p.scope = scope_new(&p, NULL);
	if (!lex_is(&p.x, ".version"))
		expected(&p, "'.version'");
	while (p.x.token.kind != TOKEN_END)
		top_level(&p);
}
