/* The way from a bound program to native loops, as a column of calls (native_make). */
#include "native/native.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "native/compile.h"
#include "native/text.h"

struct native {
	struct native_library library;
};

struct loops {
	struct native_loop **loop;
	unsigned n;
};

/* The entry of a word's instruction that jumps back, or NULL. */
static const struct threaded_op *back_of(const struct program *p, uint32_t word)
{
	const struct threaded_op *op = p->threaded->on[word], *of = op;

	while (op && op->in && op->issue == of->issue && !op->jumps)
		op++;
	if (!op || !op->in || op->issue != of->issue || !op->target)
		return NULL;
	return op->target->pc <= op->pc ? op : NULL;
}

/* False: no memory. */
static bool find_loops(const struct program *p, struct arena *a, struct loops *out)
{
	const struct native_machine *m = p->target.isa->native;
	uint32_t words = p->code_bytes / 4;

	*out = (struct loops){ ARENA_ARRAY(a, struct native_loop *, words + 1), 0 };
	for (uint32_t i = 0; out->loop && i < words; i++) {
		const struct threaded_op *back = back_of(p, i);
		struct native_loop found, *n;
		if (!back || !native_find(m, p->threaded, back, &found))
			continue;
		n = arena_memdup(a, &found, sizeof found);
		if (!n)
			return false;
		out->loop[out->n++] = n;
	}
	return out->loop;
}

/* From malloc; NULL: no memory. */
static char *write_text(const struct program *p, const struct loops *l)
{
	const struct native_machine *m = p->target.isa->native;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool ok = f;

	if (f) {
		native_write_machine(f, m);
		for (unsigned i = 0; i < l->n; i++)
			native_write_loop(f, m, p->threaded, l->loop[i], i);
		ok = !ferror(f);
		ok = !fclose(f) && ok;
	}
	if (!ok) {
		free(text);
		text = NULL;
	}
	return text;
}

/* Put the loops where their branches go. False: the library lacks a function. */
static bool install(void *library, const struct loops *l)
{
	char name[32];

	for (unsigned i = 0; i < l->n; i++) {
		snprintf(name, sizeof name, "native_%u", i);
		l->loop[i]->fn = (native_fn *)dlsym(library, name);
		if (!l->loop[i]->fn)
			return false;
	}
	for (unsigned i = 0; i < l->n; i++) {
		native_loop_entry(l->loop[i]);
		((struct threaded_op *)(uintptr_t)l->loop[i]->branch)->target = &l->loop[i]->op;
	}
	return true;
}

static bool has_machine(const struct program *p)
{
	return p->target.isa->native && p->threaded && p->threaded->on;
}

char *native_text(const struct program *p, struct arena *a)
{
	struct loops l;

	return has_machine(p) && find_loops(p, a, &l) && l.n ? write_text(p, &l) : NULL;
}

const char *native_make(const struct program *p, enum simd_level level, struct arena *a, struct native **out)
{
	const char *why = "the host has no memory for it";
	struct native *n;
	struct loops l;
	char *text;

	*out = NULL;
	if (!has_machine(p))
		return NULL;
	if (!find_loops(p, a, &l))
		return why;
	if (!l.n)
		return NULL;
	n = calloc(1, sizeof *n);
	text = write_text(p, &l);
	if (n && text)
		why = native_load(text, level, &n->library);
	if (!why && !install(n->library.handle, &l))
		why = "the host's compiler left a loop out";
	free(text);
	if (why)
		native_free(n);
	else
		*out = n;
	return why;
}

void native_free(struct native *n)
{
	if (n)
		native_unload(&n->library);
	free(n);
}
