/* printf and assert of CUDA C++. A compiler makes them calls of vprintf(format, arguments) and __assertfail, which no
 * file defines. Each such call is given a function of its own, written here as PTX: the sizes of the arguments are
 * those of the call's format, and the function writes a record of device/prints.c into the buffer whose address is in
 * the variable PRINT_VARIABLE. A format that is not known now leaves the call without a function. */
#include "core/compile/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/print_text.h"

enum {
	CALLS_MOST = 1024,      /* of a module */
	ARGUMENTS_MOST = 32,    /* of a call, as CUDA has it */
	FORMAT_MOST = 1024,     /* bytes */
	HOPS_MOST = 8,          /* moves between a variable's address and the call */
	HEADER = 12, NUMBER = 4 /* bytes of a record before the arguments */
};

/* What the arguments of a call are. */
struct call_form {
	unsigned n, size[ARGUMENTS_MOST];       /* bytes: 4 or 8 */
	bool text[ARGUMENTS_MOST];              /* the address of a string */
	char format[4 * FORMAT_MOST];           /* as core/print_text.h reads formats */
};

/* ---- the format of a call ---- */

static bool is_word(const struct ptx_insn *n, const char *word)
{
	return n->nwords && !strcmp(n->word[0], word);
}

static bool has_word(const struct ptx_insn *n, const char *word)
{
	for (unsigned i = 1; i < n->nwords; i++)
		if (!strcmp(n->word[i], word))
			return true;
	return false;
}

/* The only instruction with the register as result; NULL: none, or several. */
static const struct ptx_insn *definition(struct ptx_module *m, const struct ptx_func *f, const struct ptx_reg *r)
{
	const struct ptx_insn *found = NULL;

	ptx_tick(m);
	for (size_t i = 0; i < f->ninsns; i++) {
		const struct ptx_insn *n = &f->insns[i];
		if (!n->noperands || n->operand[0].kind != OPERAND_REG || n->operand[0].reg != r)
			continue;
		if (found)
			return NULL;
		found = n;
	}
	return found;
}

/* The variable of .global or .const at whose first byte an operand points; NULL: not known. */
static const struct ptx_var *pointed(struct ptx_module *m, const struct ptx_func *f, const struct ptx_operand *o)
{
	for (unsigned hop = 0; hop < HOPS_MOST; hop++) {
		if (o->kind == OPERAND_VAR)
			return o->var->space == SPACE_GLOBAL || o->var->space == SPACE_CONST ? o->var : NULL;
		const struct ptx_insn *n = o->kind == OPERAND_REG ? definition(m, f, o->reg) : NULL;
		if (!n || n->guard || n->noperands != 2 || (!is_word(n, "mov") && !is_word(n, "cvta")))
			return NULL;
		o = &n->operand[1];
	}
	return NULL;
}

/* The value that the call at `at` has stored in the .param variable; NULL: not known. */
static const struct ptx_operand *stored(const struct ptx_func *f, size_t at, const struct ptx_var *param)
{
	for (size_t i = at; i--;) {
		const struct ptx_insn *n = &f->insns[i];
		const struct ptx_operand *to = n->noperands == 2 ? &n->operand[0] : NULL;
		if (!to || !is_word(n, "st") || !has_word(n, "param") || to->kind != OPERAND_ADDRESS || !to->nitems ||
		    to->item[0].kind != OPERAND_VAR || to->item[0].var != param)
			continue;
		return n->guard || to->bits ? NULL : &n->operand[1];
	}
	return NULL;
}

/* The end of a format's bytes; NULL: too long, or no end. */
static const char *end_of(const struct ptx_var *v)
{
	return v->bytes ? memchr(v->bytes, 0, v->size < FORMAT_MOST ? v->size : FORMAT_MOST) : NULL;
}

/* A byte as the meaning of a call has it. */
static void put_byte(char **to, char c)
{
	if (c == ':')
		*to = stpcpy(*to, "\\72");
	else if (c == '\\')
		*to = stpcpy(*to, "\\134");
	else
		*(*to)++ = c;
}

static bool take(struct call_form *c, unsigned size, bool text)
{
	if (c->n == ARGUMENTS_MOST)
		return false;
	c->text[c->n] = text;
	c->size[c->n++] = size;
	return true;
}

/* Read a conversion behind its '%' and write the conversion with at most one l. Returns the end; NULL: none. */
static const char *read_conversion(const char *p, struct call_form *c, char **to)
{
	bool eight = false;

	for (; *p && strchr("-+ #0123456789.*", *p); p++) {
		if (*p == '*' && !take(c, 4, false))
			return NULL;
		*(*to)++ = *p;
	}
	for (; *p && strchr("hlzjt", *p); p++)
		eight |= *p != 'h';
	if (!*p || !strchr("cdiouxXeEfFgGaAps", *p))
		return NULL;
	if (strchr("diouxX", *p) && eight)
		*(*to)++ = 'l';
	*(*to)++ = *p;
	return take(c, strchr("eEfFgGaAps", *p) || eight ? 8 : 4, *p == 's') ? p + 1 : NULL;
}

static bool read_format(const struct ptx_var *v, struct call_form *c)
{
	const char *p = (const char *)v->bytes;
	char *to = c->format;

	if (!end_of(v))
		return false;
	while (*p) {
		put_byte(&to, *p);
		if (*p++ != '%')
			continue;
		if (*p == '%')
			*to++ = *p++;
		else if (!(p = read_conversion(p, c, &to)))
			return false;
	}
	*to = '\0';
	return true;
}

/* ---- the function of a call ---- */

/* Text of the functions, in memory that is large enough. */
struct text { char *bytes; size_t n; };

static void __attribute__((format(printf, 2, 3))) add(struct text *t, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	t->n += (size_t)vsprintf(t->bytes + t->n, format, list);
	va_end(list);
}

/* The index of a block in its grid (ctaid, nctaid) or of a thread in its block (tid, ntid), in %r<to>. */
static void put_index(struct text *t, const char *of, unsigned to)
{
	add(t, "mov.u32 %%r10, %%%s.z; mov.u32 %%r11, %%n%s.y; mov.u32 %%r12, %%%s.y;\n", of, of, of);
	add(t, "mad.lo.u32 %%r12, %%r10, %%r11, %%r12; mov.u32 %%r11, %%n%s.x; mov.u32 %%r10, %%%s.x;\n", of, of);
	add(t, "mad.lo.u32 %%r%u, %%r12, %%r11, %%r10;\n", to);
}

/* A record of `bytes` bytes of arguments: its part of the buffer, and all words before the arguments. %rd3: the
 * record's place less the 8 bytes of the buffer's own. */
static void put_record(struct text *t, unsigned number, unsigned bytes)
{
	unsigned all = HEADER + NUMBER + bytes;

	add(t, "ld.global.u64 %%rd1, [" PRINT_VARIABLE "];\n");
	add(t, "atom.global.add.u32 %%r1, [%%rd1], %u; ld.global.u32 %%r2, [%%rd1+4];\n", all);
	add(t, "add.u32 %%r3, %%r1, %u; setp.gt.u32 %%p1, %%r3, %%r2;\n@%%p1 bra $full;\n", all);
	add(t, "cvt.u64.u32 %%rd2, %%r1; add.s64 %%rd3, %%rd1, %%rd2;\n");
	put_index(t, "ctaid", 4);
	put_index(t, "tid", 5);
	add(t, "st.global.u32 [%%rd3+8], %u; st.global.u32 [%%rd3+12], %%r4;\n", NUMBER + bytes);
	add(t, "st.global.u32 [%%rd3+16], %%r5; st.global.u32 [%%rd3+20], %u;\n", number);
}

/* Copy the arguments from memory, each at a multiple of its size, into the record, one behind the other. */
static void put_arguments(struct text *t, const struct call_form *c)
{
	unsigned from = 0, to = 8 + HEADER + NUMBER;

	add(t, "ld.param.u64 %%rd4, [a];\n");
	for (unsigned i = 0; i < c->n; i++) {
		from = (from + c->size[i] - 1) & -c->size[i];
		for (unsigned k = 0; k < c->size[i]; k += 4, from += 4, to += 4)
			add(t, "ld.u32 %%r6, [%%rd4+%u]; st.global.u32 [%%rd3+%u], %%r6;\n", from, to);
	}
}

static unsigned bytes_of(const struct call_form *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->n; i++)
		n += c->size[i];
	return n;
}

/* A function in the place of vprintf. */
static void put_printf(struct text *t, const struct call_form *c, unsigned number)
{
	add(t, ".func (.param .b32 r) $print_%u (.param .b64 f, .param .b64 a)\n{\n"
	       ".reg .pred %%p<2>; .reg .b32 %%r<13>; .reg .b64 %%rd<5>;\n", number);
	put_record(t, number, bytes_of(c));
	put_arguments(t, c);
	add(t, "$full:\nst.param.b32 [r], %u;\nret;\n}\n", c->n);
}

/* A function in the place of __assertfail(expression, file, line, function, bytes of a character). */
static void put_assert(struct text *t, unsigned number)
{
	static const char *const order[] = { "b", "c", "d", "a" };
	unsigned to = 8 + HEADER + NUMBER;

	add(t, ".func $print_%u (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e)\n{\n"
	       ".reg .pred %%p<2>; .reg .b32 %%r<13>; .reg .b64 %%rd<5>;\n", number);
	put_record(t, number, 8 + 4 + 8 + 8);
	for (unsigned i = 0; i < 4; i++) {
		const char *p = order[i];
		unsigned size = *p == 'c' ? 4 : 8;
		for (unsigned k = 0; k < size; k += 4, to += 4)
			add(t, "ld.param.u32 %%r6, [%s+%u]; st.global.u32 [%%rd3+%u], %%r6;\n", p, k, to);
	}
	add(t, "$full:\ntrap;\nret;\n}\n");
}

/* ---- all calls ---- */

struct call {
	struct ptx_func *in;
	size_t insn;            /* of the function */
	struct ptx_operand *callee;
	struct call_form *form; /* NULL: of __assertfail */
};

static struct ptx_operand *callee_of(const struct ptx_insn *n, const char *name, unsigned *index)
{
	for (unsigned i = 0; is_word(n, "call") && i < n->noperands; i++)
		if (n->operand[i].kind == OPERAND_FUNC && !n->operand[i].func->has_body &&
		    !strcmp(n->operand[i].func->name, name)) {
			*index = i;
			return &n->operand[i];
		}
	return NULL;
}

/* The argument of a call by its number; NULL: there is none. */
static const struct ptx_operand *argument(const struct ptx_insn *n, unsigned callee, unsigned number)
{
	const struct ptx_operand *list = callee + 1 < n->noperands ? &n->operand[callee + 1] : NULL;

	if (!list)
		return NULL;
	if (list->kind != OPERAND_LIST)
		return number ? NULL : list;
	return number < list->nitems ? &list->item[number] : NULL;
}

/* Whether the arguments of a call have the sizes of a list that ends with 0. */
static bool has_sizes(const struct ptx_insn *n, unsigned callee, const unsigned *size)
{
	const struct ptx_operand *o;
	unsigned i = 0;

	for (; (o = argument(n, callee, i)); i++) {
		unsigned bytes = o->kind == OPERAND_VAR && o->var->space == SPACE_PARAM ? o->var->size :
				 o->kind == OPERAND_REG ? ptx_bytes(o->reg->type) : 0;
		if (!size[i] || bytes != size[i])
			return false;
	}
	return !size[i];
}

/* The form of a call of vprintf; NULL: the format is not known. */
static struct call_form *form_of(struct ptx_module *m, const struct ptx_func *f, size_t at, unsigned callee)
{
	static const unsigned sizes[] = { 8, 8, 0 };
	const struct ptx_operand *o = argument(&f->insns[at], callee, 0);
	const struct ptx_var *format;

	if (!has_sizes(&f->insns[at], callee, sizes))
		return NULL;
	if (o && o->kind == OPERAND_VAR && o->var->space == SPACE_PARAM)
		o = stored(f, at, o->var);
	format = o ? pointed(m, f, o) : NULL;
	if (!format)
		return NULL;
	struct call_form *c = ptx_new(m, sizeof *c);
	return read_format(format, c) ? c : NULL;
}

static _Noreturn void fail_of_many(struct ptx_module *m, const struct ptx_insn *n)
{
	ptx_fail(m, n->line, 1, "found a module with more than %d calls of printf and assert, each in a place of its "
		 "own, expected at most that many: print in functions that are not inlined (__noinline__)", CALLS_MOST);
}

static struct call *find_calls(struct ptx_module *m, size_t *n)
{
	static const unsigned assert_sizes[] = { 8, 8, 4, 8, 8, 0 };
	struct call *list = NULL;

	*n = 0;
	for (struct ptx_func *f = m->funcs; f; f = f->next)
		for (size_t i = 0; i < f->ninsns; i++) {
			unsigned index;
			struct ptx_operand *print = callee_of(&f->insns[i], "vprintf", &index);
			struct call_form *form = print ? form_of(m, f, i, index) : NULL;
			struct ptx_operand *fails = callee_of(&f->insns[i], "__assertfail", &index);
			if (!form && (!fails || !has_sizes(&f->insns[i], index, assert_sizes)))
				continue;
			if (*n == CALLS_MOST)
				fail_of_many(m, &f->insns[i]);
			*(struct call *)ptx_push(m, &list, n, sizeof *list) =
				(struct call){ f, i, form ? print : fails, form };
		}
	return list;
}

/* Parse the functions of the calls, in the order of their numbers, behind the functions and variables of the module. */
static void add_functions(struct ptx_module *m, const struct text *t, struct call *list, size_t n)
{
	struct ptx_module own = *m;
	struct ptx_func **funcs = &m->funcs;
	struct ptx_var **vars = &m->vars;
	struct ptx_func *f;

	own.funcs = NULL;
	own.vars = NULL;
	own.symbols = NULL;
	ptx_parse(&own, t->bytes, t->n);
	ptx_forget(&own);
	f = own.funcs;
	for (size_t i = 0; i < n; i++, f = f->next) {
		const struct ptx_insn *call = &list[i].in->insns[list[i].insn];
		list[i].callee->func = f;
		for (size_t k = 0; k < f->ninsns; k++) {
			f->insns[k].line = call->line;
			f->insns[k].column = call->column;
		}
	}
	while (*funcs)
		funcs = &(*funcs)->next;
	*funcs = own.funcs;
	while (*vars)
		vars = &(*vars)->next;
	*vars = own.vars;
	m->ninsns = own.ninsns;
}

/* "NUMBER:ARGUMENTS:BYTES:…:FORMAT", as device/prints.c reads the meaning of a call. */
static const char *meaning_of(struct ptx_module *m, const struct call *c, unsigned number)
{
	static const char assert_form[] = "%u:4:8@:4:8@:8@:%%s\\72%%d\\72 %%s\\72 Assertion `%%s` failed.\n";
	size_t space = 64 + 8 * ARGUMENTS_MOST + (c->form ? strlen(c->form->format) : sizeof assert_form);
	char *text = ptx_new(m, space), *to = text;

	if (!c->form) {
		snprintf(text, space, assert_form, number);
		return text;
	}
	to += sprintf(to, "%u:%u", number, c->form->n);
	for (unsigned i = 0; i < c->form->n; i++)
		to += sprintf(to, ":%u%s", c->form->size[i], c->form->text[i] ? "@" : "");
	sprintf(to, ":%s", c->form->format);
	return text;
}

void print_functions(struct ptx_module *m, struct compile_result *out)
{
	enum { FUNCTION = 2048, ARGUMENT = 160 };       /* bytes of text, at most */
	size_t n, space = FUNCTION;
	struct call *list = find_calls(m, &n);
	const char **meanings;

	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		space += FUNCTION + ARGUMENT * (list[i].form ? list[i].form->n : 4);
	struct text t = { ptx_new(m, space), 0 };
	add(&t, ".version 6.5\n.target sm_70\n.address_size 64\n.global .align 8 .b64 " PRINT_VARIABLE ";\n");
	meanings = ptx_new(m, n * sizeof *meanings);
	for (size_t i = 0; i < n; i++) {
		if (list[i].form)
			put_printf(&t, list[i].form, (unsigned)i + 1);
		else
			put_assert(&t, (unsigned)i + 1);
		meanings[i] = meaning_of(m, &list[i], (unsigned)i + 1);
	}
	add_functions(m, &t, list, n);
	out->prints = meanings;
	out->nprints = n;
}
