/* A module's memory, and the end of a compilation by an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/compile/ptx.h"

enum ptx_type ptx_type_named(const char *name, size_t size)
{
	static const char names[PTX_TYPES][5] = { [PTX_B8] = "b8", "b16", "b32", "b64", "u8",  "u16", "u32", "u64",
						  "s8", "s16", "s32", "s64", "f16", "bf16", "f32", "f64", "pred" };

	for (enum ptx_type t = PTX_B8; t < PTX_TYPES && size < sizeof *names; t++)
		if (!memcmp(name, names[t], size) && !names[t][size])
			return t;
	return PTX_NONE;
}

bool ptx_calls_any(const struct ptx_insn *n)
{
	bool target = false;

	for (unsigned i = 0; i < n->noperands && !strcmp(n->word[0], "call"); i++) {
		if (n->operand[i].kind == OPERAND_FUNC)
			return false;
		target |= n->operand[i].kind == OPERAND_REG;
	}
	return target;
}

bool ptx_run(struct ptx_module *m, void (*passes)(void *context), void *context)
{
	jmp_buf end;

	m->end = &end;
	if (setjmp(end))
		return false;
	passes(context);
	return true;
}

void ptx_fail_as(struct ptx_module *m, enum diag_kind kind, int line, int column, const char *format, ...)
{
	va_list v;

	va_start(v, format);
	diag_placev(m->diag, (struct text_place){ NULL, line, column }, format, v);
	va_end(v);
	m->diag->kind = kind;
	longjmp(*(jmp_buf *)m->end, 1);
}

static _Noreturn void over_limit(struct ptx_module *m, const char *what, unsigned long long limit, const char *unit,
				 const char *option)
{
	int line = m->entry ? m->entry->line : 1;

	ptx_fail_as(m, DIAG_LIMIT, line, 1, "compiling %s%.60s takes more than the limit of %s, %llu %s; %s raises the "
		    "limit", m->entry ? "kernel " : "the text", m->entry ? m->entry->name : "", what, limit, unit,
		    option);
}

static void look_at_clock(struct ptx_module *m)
{
	const struct compile_options *o = m->options;

	if (o->clock && o->clock() >= o->deadline)
		over_limit(m, "time", (unsigned long long)o->seconds, "s", "--max-seconds");
}

void ptx_tick(struct ptx_module *m)
{
	enum { TICKS = 64 };

	if (m->ticks++ % TICKS == 0)
		look_at_clock(m);
}

/* A small compilation does not ask for the limit: the answer may take longer than the compilation. */
static void check_memory(struct ptx_module *m, size_t bytes)
{
	enum { FEW = 32 << 20 };
	const struct compile_options *o = m->options;
	uint64_t taken = (uint64_t)m->arena->size + bytes;

	if (o->memory)
		m->memory = o->memory;
	else if (taken <= FEW)
		m->memory = FEW;
	else
		m->memory = o->may_take ? o->may_take(o->context) : UINT64_MAX;
	if (taken > m->memory)
		over_limit(m, "memory", (unsigned long long)m->memory, "bytes", "--max-memory");
}

void ptx_no_memory(struct ptx_module *m)
{
	ptx_fail_as(m, DIAG_ENV, 0, 0, "no memory to compile the program");
}

void *ptx_new(struct ptx_module *m, size_t bytes)
{
	ptx_tick(m);
	if ((uint64_t)m->arena->size + bytes > m->memory)
		check_memory(m, bytes);
	void *p = arena_alloc(m->arena, bytes ? bytes : 1, 16);

	if (!p)
		ptx_no_memory(m);
	return p;
}

void *ptx_push(struct ptx_module *m, void *array, size_t *n, size_t size)
{
	void **a = array;

	if (!(*n & (*n - 1))) { /* the array is full at each power of two */
		void *more = ptx_new(m, (*n ? *n * 2 : 1) * size);
		if (*n)
			memcpy(more, *a, *n * size);
		*a = more;
	}
	return (char *)*a + size * (*n)++;
}

void ptx_warn(struct ptx_module *m, int line, int column, const char *format, ...)
{
	char text[320];
	va_list v;

	va_start(v, format);
	vsnprintf(text, sizeof text, format, v);
	va_end(v);
	struct compile_warning *w = ptx_push(m, &m->warnings, &m->nwarnings, sizeof *w);
	*w = (struct compile_warning){ (uint32_t)line, (uint32_t)column, arena_strdup(m->arena, text) };
}
