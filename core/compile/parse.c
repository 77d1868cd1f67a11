/* PTX text to a module: declarations, functions, and instructions as words and operands. The innermost block around
 * a name gives the meaning; labels are found at the end of the function. The meaning of an instruction's words
 * is lower.c's business. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <uthash.h>

#include "core/base/diag.h"
#include "core/base/text.h"
#include "core/compile/lex.h"

enum { NAME_MAX_BYTES = 1024, DEPTH_MAX = 64, REGS_MAX = 1 << 20 };

struct ptx_scope {
	uint32_t id;
	struct ptx_scope *outer;
};

struct ptx_symbol {
	struct ptx_reg *reg; /* a register, or the type of a range of them */
	uint32_t range; /* registers of the range; 0: no range */
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
	unsigned depth;
};

/* ---- words ---- */

/* The current token as a message shows it. */
static const char *shown(struct parser *p)
{
	static const size_t most = 60;
	const struct token *t = &p->x.token;

	if (t->kind == TOKEN_END)
		return "the end of the file";
	char *text = ptx_new(p->m, most + 8);
	text[0] = '\'';
	text_clean(t->start, t->size < most / 4 ? t->size : most / 4, "", text + 1, most);
	strcat(text, "'");
	return text;
}

static _Noreturn void expected(struct parser *p, const char *what)
{
	ptx_fail(p->m, p->x.token.line, p->x.token.column, "found %s, expected %s", shown(p), what);
}

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

static char *take_text(struct parser *p)
{
	char *text = ptx_new(p->m, p->x.token.size + 1);

	memcpy(text, p->x.token.start, p->x.token.size);
	lex_next(&p->x);
	return text;
}

static char *take_name(struct parser *p, const char *what)
{
	if (p->x.token.kind != TOKEN_NAME || p->x.token.size > NAME_MAX_BYTES)
		expected(p, what);
	return take_text(p);
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

static struct ptx_symbol *symbol_new(struct parser *p, struct ptx_scope *s, const char *name)
{
	size_t n = strlen(name);

	if (n > NAME_MAX_BYTES)
		expected(p, "a name of at most 1024 bytes");
	if (symbol_in(p, s, name, n))
		ptx_fail(p->m, p->x.token.line, p->x.token.column, "found a second `%.60s`, expected another name",
			 name);
	struct ptx_symbol *symbol = ptx_new(p->m, sizeof *symbol);
	char *key = ptx_new(p->m, n + 8);
	symbol->scope = s;
	HASH_ADD_KEYPTR(hh, p->m->symbols, key, symbol_key(s, name, n, key), symbol);
	return symbol;
}

void ptx_forget(struct ptx_module *m) { HASH_CLEAR(hh, m->symbols); }

static struct ptx_reg *register_new(struct parser *p, enum ptx_type type)
{
	struct ptx_reg *r = ptx_new(p->m, sizeof *r);
	size_t *n = p->func ? &p->func->nregs : NULL;

	*r = (struct ptx_reg){ type, n ? (uint32_t)(*n)++ : 0 };
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
		struct ptx_symbol *range = symbol_in(p, s, t->start, prefix);
		if (!range || !range->range || number >= range->range)
			continue;
		char name[NAME_MAX_BYTES + 1] = "";
		memcpy(name, t->start, t->size);
		struct ptx_symbol *one = symbol_new(p, s->outer ? s : p->func->scope, name);
		one->reg = register_new(p, range->reg->type);
		return one;
	}
	return NULL;
}

static struct ptx_symbol *lookup(struct parser *p, const struct token *t)
{
	for (struct ptx_scope *s = p->scope; s; s = s->outer) {
		struct ptx_symbol *found = symbol_in(p, s, t->start, t->size);
		if (found && !found->range && found->reg && !s->outer) {
			/* a register of the file: each function has its own */
			char name[NAME_MAX_BYTES + 1] = "";
			memcpy(name, t->start, t->size);
			struct ptx_symbol *own = symbol_new(p, p->func->scope, name);
			own->reg = register_new(p, found->reg->type);
			return own;
		}
		if (found && !found->range)
			return found;
	}
	return t->size <= NAME_MAX_BYTES && p->func ? register_of_range(p, t) : NULL;
}

/* ---- types, declarations ---- */

static const char *const type_names[PTX_TYPES] = { [PTX_B8] = ".b8", ".b16", ".b32", ".b64", ".u8",  ".u16",
						   ".u32",           ".u64", ".s8",  ".s16", ".s32", ".s64",
						   ".f16",           ".f32", ".f64", ".pred" };

static enum ptx_type accept_type(struct parser *p)
{
	for (enum ptx_type t = PTX_B8; t < PTX_TYPES; t++)
		if (accept(p, type_names[t]))
			return t;
	return PTX_NONE;
}

static enum ptx_type take_type(struct parser *p)
{
	enum ptx_type t = accept_type(p);

	if (!t)
		expected(p, "a type");
	return t;
}

static void declare_registers(struct parser *p)
{
	if (lex_is(&p->x, ".v2") || lex_is(&p->x, ".v4"))
		expected(p, "a type (registers of vectors are not supported)");
	enum ptx_type type = take_type(p);

	do {
		struct ptx_symbol *s = symbol_new(p, p->scope, take_name(p, "the name of a register"));
		s->reg = register_new(p, type);
		if (accept(p, "<")) {
			uint64_t n = take_int(p);
			s->range = n > REGS_MAX ? REGS_MAX : n ? (uint32_t)n : 1;
			expect(p, ">");
		}
	} while (accept(p, ","));
	expect(p, ";");
}

static void initial_value(struct parser *p, struct ptx_var *v, uint32_t *at)
{
	unsigned bytes = ptx_bytes(v->type);
	const struct token t = p->x.token;

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
	if (*at + bytes > v->size) {
		if (!v->unsized || *at > COMPILE_BYTES_MAX)
			expected(p, "no more values than elements");
		uint8_t *more = ptx_new(p->m, 2 * v->size + 64);
		if (v->size)
			memcpy(more, v->bytes, v->size);
		v->bytes = more;
		v->size = 2 * v->size + 64;
	}
	if (t.kind == TOKEN_NAME) {
		struct ptx_symbol *s = lookup(p, &t);
		struct ptx_var *var = s ? s->var : NULL;
		if (!var)
			expected(p, "a number or a variable");
		lex_next(&p->x);
		struct ptx_fixup *f = ptx_push(p->m, &v->fixups, &v->nfixups, sizeof *f);
		*f = (struct ptx_fixup){ *at, var, accept(p, "+") ? (uint32_t)take_int(p) : 0 };
	} else {
		bool minus = accept(p, "-");
		struct token number = p->x.token;
		if (number.kind != TOKEN_INT && number.kind != TOKEN_FLOAT && number.kind != TOKEN_DOUBLE)
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
			bits = number.kind == TOKEN_INT ? -bits : bits ^ 1ull << (8 * bytes - 1);
		memcpy(v->bytes + *at, &bits, bytes);
	}
	*at += bytes;
}

/* The rest of a declaration behind its space: alignment, type, name, dimensions, initial value. */
static struct ptx_var *declare_variable(struct parser *p, enum ptx_space space, bool external)
{
	struct ptx_var *v = ptx_new(p->m, sizeof *v);
	unsigned elements = 1;

	*v = (struct ptx_var){ .space = space, .external = external, .line = p->x.token.line };
	for (;;) {
		if (accept(p, ".align")) {
			v->align = (uint32_t)take_int(p);
			if (!v->align || v->align > 4096 || (v->align & (v->align - 1)))
				expected(p, "an alignment that is a power of two");
		} else if (accept(p, ".v2")) {
			elements = 2;
		} else if (accept(p, ".v4")) {
			elements = 4;
		} else if (accept(p, ".texref")) {
			v->space = SPACE_TEX;
			v->type = PTX_U32;
			break;
		} else if (accept(p, ".surfref") || accept(p, ".samplerref")) {
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
	uint64_t size = (uint64_t)elements * ptx_bytes(v->type);
	v->align = v->align ? v->align : (uint32_t)size;
	v->name = take_name(p, "a name");
	while (accept(p, "[")) {
		if (accept(p, "]")) {
			v->unsized = true;
			size = 0;
			continue;
		}
		uint64_t n = take_int(p);
		if (n > COMPILE_BYTES_MAX || size * n > COMPILE_BYTES_MAX)
			expected(p, "a smaller array");
		size *= n;
		expect(p, "]");
	}
	v->size = (uint32_t)size;
	if (accept(p, "=")) {
		uint32_t at = 0;
		v->bytes = ptx_new(p->m, v->size);
		initial_value(p, v, &at);
		if (v->unsized)
			v->size = at;
		v->unsized = false;
	}
	symbol_new(p, p->scope, v->name)->var = v;
	return v;
}

static void declare_in(struct parser *p, enum ptx_space space, bool external)
{
	do {
		struct ptx_var *v = declare_variable(p, space, external);
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

static bool special_register(const struct token *t, struct ptx_operand *o)
{
	static const struct {
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
		{ "%nsmid", SPECIAL_NSMID, false },
		{ "%nwarpid", SPECIAL_NWARPID, false },
		{ "%gridid", SPECIAL_GRIDID, false },
		{ "%clock", SPECIAL_CLOCK, false },
		{ "%clock64", SPECIAL_CLOCK64, false },
		{ "%pm0", SPECIAL_PM, false },
		{ "%pm1", SPECIAL_PM, false },
		{ "%pm2", SPECIAL_PM, false },
		{ "%pm3", SPECIAL_PM, false },
		{ "%lanemask_eq", SPECIAL_LANEMASK, false },
		{ "%lanemask_lt", SPECIAL_LANEMASK, false },
		{ "%lanemask_le", SPECIAL_LANEMASK, false },
		{ "%lanemask_gt", SPECIAL_LANEMASK, false },
		{ "%lanemask_ge", SPECIAL_LANEMASK, false },
	};

	for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
		size_t n = strlen(specials[i].name);
		bool dims =
			specials[i].dims && t->size == n + 2 && t->start[n] == '.' && strchr("xyzw", t->start[n + 1]);
		if (t->size < n || memcmp(t->start, specials[i].name, n) || (t->size != n && !dims))
			continue;
		o->kind = OPERAND_SPECIAL;
		o->special = specials[i].special;
		o->component = (uint8_t)(dims ? strchr("xyzw", t->start[n + 1]) - "xyzw" : t->start[n - 1] - '0');
		if (dims)
			o->component = (uint8_t)(t->start[n + 1] == 'w' ? 3 : t->start[n + 1] - 'x');
		return true;
	}
	return false;
}

static void name_operand(struct parser *p, struct ptx_operand *o)
{
	struct token t = p->x.token;
	struct ptx_symbol *s;

	if (special_register(&t, o)) {
		lex_next(&p->x);
		return;
	}
	if (lex_is(&p->x, "_")) {
		o->kind = OPERAND_SINK;
		lex_next(&p->x);
		return;
	}
	if (lex_is(&p->x, "WARP_SZ")) {
		o->kind = OPERAND_INT;
		o->bits = 32;
		lex_next(&p->x);
		return;
	}
	s = lookup(p, &t);
	const char *name = take_name(p, "an operand");
	if (s && s->reg) {
		o->kind = OPERAND_REG;
		o->reg = s->reg;
	} else if (s && s->var) {
		o->kind = OPERAND_VAR;
		o->var = s->var;
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
	if (++p->depth > DEPTH_MAX)
		expected(p, "fewer nested brackets");
	while (!lex_is(&p->x, end)) {
		struct ptx_operand item = { 0 };
		if (skip_label(p))
			continue;
		operand(p, &item);
		*(struct ptx_operand *)ptx_push(p->m, &o->item, &n, sizeof item) = item;
		if (!accept(p, ","))
			break;
	}
	p->depth--;
	o->nitems = (unsigned)n;
	expect(p, end);
}

static void address(struct parser *p, struct ptx_operand *o)
{
	size_t n = 0;

	do {
		struct ptx_operand item = { 0 };
		operand(p, &item);
		while (item.kind != OPERAND_INT && (lex_is(&p->x, "+") || lex_is(&p->x, "-"))) {
			bool minus = accept(p, "-");
			if (!minus)
				expect(p, "+");
			uint64_t offset = take_int(p);
			o->bits += minus ? -offset : offset;
		}
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

static void operand(struct parser *p, struct ptx_operand *o)
{
	*o = (struct ptx_operand){ .column = p->x.token.column };
	if (accept(p, "{")) {
		items(p, o, OPERAND_VECTOR, "}");
	} else if (accept(p, "(")) {
		items(p, o, OPERAND_LIST, ")");
	} else if (accept(p, "[")) {
		address(p, o);
	} else if (accept(p, "!")) {
		operand(p, o);
		o->negated = !o->negated;
	} else if (accept(p, "-")) {
		if (++p->depth > DEPTH_MAX)
			expected(p, "fewer signs");
		operand(p, o);
		p->depth--;
		if (o->kind == OPERAND_INT)
			o->bits = -o->bits;
		else if (o->kind == OPERAND_FLOAT)
			o->bits ^= 1u << 31;
		else if (o->kind == OPERAND_DOUBLE)
			o->bits ^= 1ull << 63;
		else
			expected(p, "a number behind the sign");
	} else if (p->x.token.kind == TOKEN_NAME) {
		name_operand(p, o);
	} else if (p->x.token.kind == TOKEN_INT || p->x.token.kind == TOKEN_FLOAT || p->x.token.kind == TOKEN_DOUBLE) {
		o->kind = p->x.token.kind == TOKEN_INT     ? OPERAND_INT
			  : p->x.token.kind == TOKEN_FLOAT ? OPERAND_FLOAT
							   : OPERAND_DOUBLE;
		o->bits = p->x.token.bits;
		lex_next(&p->x);
	} else {
		expected(p, "an operand");
	}
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

/* An access without a space, of PTX from 2.0 on. */
static bool is_generic(const struct ptx_insn *n)
{
	static const char *const ops[] = { "ld", "ldu", "st", "atom", "red", "isspacep", NULL };
	static const char *const spaces[] = { "param", "global", "shared", "local", "const", NULL };
	bool access = false, named = false;

	for (unsigned k = 0; ops[k]; k++)
		access |= !strcmp(n->word[0], ops[k]);
	for (unsigned i = 1; access && i < n->nwords; i++)
		for (unsigned k = 0; spaces[k]; k++)
			named |= !strcmp(n->word[i], spaces[k]);
	return access && (!named || *n->word[0] == 'i');
}

static void instruction(struct parser *p)
{
	struct ptx_insn n = {
		.line = p->x.token.line, .column = p->x.token.column, .file = p->file, .source_line = p->line
	};
	size_t noperands = 0;

	if (accept(p, "@")) {
		n.guard_not = accept(p, "!");
		struct ptx_symbol *s = lookup(p, &p->x.token);
		n.guard = s ? s->reg : NULL;
		if (!n.guard || n.guard->type != PTX_PRED)
			expected(p, "a predicate");
		lex_next(&p->x);
	}
	opcode_words(p, &n);
	while (!lex_is(&p->x, ";")) {
		while (skip_label(p))
			continue;
		struct ptx_operand *o = ptx_push(p->m, &n.operand, &noperands, sizeof *o);
		if (noperands > PTX_OPERANDS)
			expected(p, "';'");
		operand(p, o);
		if (accept(p, "|")) {
			n.dual = ptx_new(p->m, sizeof *n.dual);
			operand(p, n.dual);
		}
		if (!accept(p, ",") && !lex_is(&p->x, ";"))
			expected(p, "',' or ';'");
	}
	expect(p, ";");
	n.noperands = (unsigned)noperands;
	p->m->generic |= is_generic(&n);
	if (++p->m->ninsns > COMPILE_INSNS_MAX)
		ptx_fail(p->m, n.line, n.column, "found more than %d instructions, which is the limit",
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
	while (accept(p, ","))
		take_int(p);
	if (!name)
		expected(p, "the name of a file");
	struct compile_file *f = ptx_push(p->m, &p->m->files, &p->m->nfiles, sizeof *f);
	*f = (struct compile_file){ number, name };
}

static void loc_directive(struct parser *p)
{
	p->file = (uint32_t)take_int(p);
	uint32_t line = (uint32_t)take_int(p);
	p->line = line ? line : p->line;
	if (p->x.token.kind == TOKEN_INT)
		lex_next(&p->x);
	while (accept(p, ",")) { /* function_name, inlined_at of later versions */
		while (p->x.token.kind != TOKEN_END && !lex_is(&p->x, ",") && p->x.token.kind != TOKEN_DIRECTIVE &&
		       p->x.token.line == (int)p->x.line)
			lex_next(&p->x);
	}
}

static void skip_section(struct parser *p)
{
	if (p->x.token.kind == TOKEN_DIRECTIVE || p->x.token.kind == TOKEN_NAME || p->x.token.kind == TOKEN_STRING)
		lex_next(&p->x);
	while (accept(p, ",") || p->x.token.kind == TOKEN_STRING || p->x.token.kind == TOKEN_NAME)
		if (!lex_is(&p->x, "{") && p->x.token.kind != TOKEN_END)
			lex_next(&p->x);
	expect(p, "{");
	while (!lex_is(&p->x, "}")) {
		if (p->x.token.kind == TOKEN_END)
			expected(p, "'}'");
		lex_next(&p->x);
	}
	expect(p, "}");
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
	else if (accept(p, ".pragma")) {
		do {
			if (p->x.token.kind == TOKEN_STRING)
				lex_next(&p->x);
		} while (accept(p, ","));
		expect(p, ";");
	} else
		return false;
	return true;
}

static void label_here(struct parser *p, const char *name)
{
	if (symbol_in(p, p->scope, name, strlen(name)))
		ptx_fail(p->m, p->x.token.line, 1, "found a second label `%.60s`, expected another name", name);
	struct ptx_label *l = ptx_new(p->m, sizeof *l);

	*l = (struct ptx_label){ name, p->x.token.line, true, (uint32_t)p->func->ninsns, p->scope };
	symbol_new(p, p->scope, name)->label = l;
}

/* A label is a name with a colon behind; the lexer has one token, so its state is kept and put back. */
static bool accept_label(struct parser *p)
{
	struct lexer before = p->x;

	if (p->x.token.kind != TOKEN_NAME)
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
		} else if (accept(p, ".branchtargets") || accept(p, ".calltargets") || accept(p, ".callprototype")) {
			while (p->x.token.kind != TOKEN_END && !accept(p, ";"))
				lex_next(&p->x); /* of jumps that are refused */
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
			struct ptx_symbol *s = symbol_new(p, p->scope, take_name(p, "the name of a register"));
			s->reg = register_new(p, type);
			*(struct ptx_reg **)ptx_push(p->m, returns ? (void *)&f->ret_reg : (void *)&f->param_reg,
						     returns ? &f->nrets : &f->nparams, sizeof s->reg) = s->reg;
		} else {
			expect(p, ".param");
			struct ptx_var *v = declare_variable(p, SPACE_PARAM, false);
			*(struct ptx_var **)ptx_push(p->m, returns ? (void *)&f->rets : (void *)&f->params,
						     returns ? &f->nrets : &f->nparams, sizeof v) = v;
		}
	} while (accept(p, ","));
	expect(p, ")");
}

static void block_size(struct parser *p, uint32_t block[3])
{
	for (unsigned i = 0; i < 3; i++)
		block[i] = i && !accept(p, ",") ? 1 : (uint32_t)take_int(p);
}

static void function(struct parser *p, bool entry)
{
	struct ptx_func *f = ptx_new(p->m, sizeof *f);
	struct ptx_scope *outer = p->scope;
	struct ptx_var **last_var = p->last_var;
	uint32_t most[3];

	*f = (struct ptx_func){ .entry = entry, .line = p->x.token.line };
	p->func = f;
	p->scope = f->scope = scope_new(p, outer);
	p->last_var = &f->vars;
	if (!entry && accept(p, "("))
		parameters(p, true);
	f->name = take_name(p, "the name of a function");
	struct ptx_symbol *s = symbol_in(p, outer, f->name, strlen(f->name));
	if (!s || !s->func || s->func->has_body)
		symbol_new(p, outer, f->name)->func = f;
	if (accept(p, "("))
		parameters(p, false);
	while (!lex_is(&p->x, "{") && !lex_is(&p->x, ";")) {
		if (accept(p, ".maxnreg"))
			f->max_regs = (unsigned)take_int(p);
		else if (accept(p, ".reqntid"))
			block_size(p, f->block);
		else if (accept(p, ".maxntid"))
			block_size(p, most);
		else if (accept(p, ".minnctapersm") || accept(p, ".maxnctapersm"))
			take_int(p);
		else if (!accept(p, ".noreturn") && !common_directive(p))
			expected(p, "'{'");
	}
	if (lex_is(&p->x, "{")) {
		body(p);
		resolve_labels(p);
	} else {
		expect(p, ";");
	}
	if (s && s->func) { /* declared before; calls have the first one */
		f->next = s->func->next;
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
	double d;

	if (p->x.token.kind == TOKEN_DOUBLE) {
		memcpy(&d, &p->x.token.bits, sizeof d);
		p->m->version = (unsigned)(d * 10 + 0.5);
	} else if (p->x.token.kind == TOKEN_INT) {
		p->m->version = (unsigned)p->x.token.bits * 10;
	} else {
		expected(p, "a version like 1.4");
	}
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
		while (p->x.token.kind != TOKEN_END && p->x.token.line == line)
			lex_next(&p->x);
		return;
	}
	if (accept(p, ".version"))
		version_directive(p);
	else if (accept(p, ".target"))
		target_directive(p);
	else if (accept(p, ".address_size"))
		take_int(p);
	else {
		for (;;) {
			if (accept(p, ".extern"))
				external = true;
			else if (!accept(p, ".visible") && !accept(p, ".weak"))
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

	if (size > COMPILE_BYTES_MAX)
		ptx_fail(m, 1, 1, "found a text of %zu bytes, expected at most %d", size, COMPILE_BYTES_MAX);
	lex_start(&p.x, m, text, size);
	p.scope = scope_new(&p, NULL);
	if (!lex_is(&p.x, ".version"))
		expected(&p, "'.version'");
	while (p.x.token.kind != TOKEN_END)
		top_level(&p);
}
