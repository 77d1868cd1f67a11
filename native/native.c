/* The way from a bound program to native loops, as a column of calls (native_make): at once, or by a thread, from when
 * a loop is hot, while threaded code goes on. */
#include "native/native.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "native/compile.h"
#include "native/text.h"

struct loops {
	struct native_loop **loop;
	unsigned n;
	struct native_stretch **stretch;
	unsigned stretches;
};

struct native {
	enum simd_level level;
	struct loops loops;
	char *text;
	struct native_library library;
	/* Of a thread that has the text compiled: the thread and the owner each hold the struct until native_free, or
	 * the thread's end. */
	pthread_mutex_t lock;
	bool begun, runs, abandoned;
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

	*out = (struct loops){ .loop = ARENA_ARRAY(a, struct native_loop *, words + 1) };
	for (uint32_t i = 0; out->loop && i < words; i++) {
		const struct threaded_op *back = back_of(p, i);
		struct native_loop found, *n;
		if (!back || !native_find(m, p->threaded, back, &found))
			continue;
		found.machine = m;
		n = arena_memdup(a, &found, sizeof found);
		if (!n)
			return false;
		out->loop[out->n++] = n;
	}
	return out->loop;
}

/* By word: does a jump lead to the entries of the word? False: no memory. */
static bool find_targets(const struct program *p, struct arena *a, bool **out)
{
	uint32_t words = p->code_bytes / 4;
	bool *target = ARENA_ARRAY(a, bool, words + 1);

	*out = target;
	for (uint32_t i = 0; target && i < words; i++)
		for (const struct threaded_op *op = p->threaded->on[i]; op && op->in && op->pc == i * 4; op++)
			if (op->jumps && op->target)
				target[op->target->pc / 4] = true;
	return target;
}

static bool find_stretches(const struct program *p, struct arena *a, struct loops *out)
{
	const struct native_machine *m = p->target.isa->native;
	uint32_t words = p->code_bytes / 4;
	const struct threaded_op *behind = NULL;        /* of the last stretch found */
	bool *target;

	out->stretch = ARENA_ARRAY(a, struct native_stretch *, words + 1);
	if (!find_targets(p, a, &target) || !out->stretch)
		return false;
	for (uint32_t i = 0; i < words; i++)
		for (const struct threaded_op *op = p->threaded->on[i]; op && op->in && op->pc == i * 4; op++) {
			struct native_stretch found, *n;
			uint32_t entries;
			if (out->stretches && op >= out->stretch[out->stretches - 1]->head && op < behind)
				continue;
			entries = native_find_stretch(m, p->threaded, op, target, &found);
			if (!native_worth(&found))
				continue;
			n = arena_memdup(a, &found, sizeof found);
			if (!n)
				return false;
			out->stretch[out->stretches++] = n;
			behind = op + entries;
		}
	return true;
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
		native_write_stretches(f, m, p->threaded, l->stretch, l->stretches);
		ok = !ferror(f);
		ok = !fclose(f) && ok;
	}
	if (!ok) {
		free(text);
		text = NULL;
	}
	return text;
}

static void *function_of(void *library, const char *kind, unsigned i)
{
	char name[32];

	snprintf(name, sizeof name, "%s%u", kind, i);
	return dlsym(library, name);
}

/* Give loops and stretches their functions. False: the library lacks a loop's. */
static bool take_functions(void *library, const struct loops *l)
{
	bool all = true;

	for (unsigned i = 0; i < l->n; i++)
		all &= function_of(library, "native_", i) != NULL;
	for (unsigned i = 0; all && i < l->stretches; i++)
		l->stretch[i]->fn = (native_stretch_fn *)function_of(library, "native_stretch_", i);
	for (unsigned i = 0; all && i < l->n; i++)
		if (l->loop[i]->splits)
			l->loop[i]->split = (native_split_fn *)function_of(library, "native_split_", i);
	for (unsigned i = 0; all && i < l->n; i++)
		__atomic_store_n(&l->loop[i]->fn, (native_fn *)function_of(library, "native_", i), __ATOMIC_RELEASE);
	return all;
}

/* Put a loop where the loop's branch goes, and where warps go on whose turn ended at the head. Of loops with the same
 * head the first is there. */
static void install_loop(const struct program *p, struct native_loop *n)
{
	const struct threaded_op **on = (const struct threaded_op **)(uintptr_t)p->threaded->on;

	native_loop_entry(n);
	((struct threaded_op *)(uintptr_t)n->branch)->target = &n->op;
	if (on[n->head->pc / 4] == n->head)
		on[n->head->pc / 4] = &n->op;
}

/* Put the stretches in their places, and the loops in theirs. */
static void install(const struct program *p, const struct loops *l)
{
	for (unsigned i = 0; i < l->stretches; i++)
		if (l->stretch[i]->fn)
			native_stretch_install(l->stretch[i]);
	for (unsigned i = 0; i < l->n; i++)
		install_loop(p, l->loop[i]);
}

/* ---- by a thread ---- */

static void dispose(struct native *n)
{
	native_unload(&n->library);
	free(n->text);
	pthread_mutex_destroy(&n->lock);
	free(n);
}

static void *compile_hot(void *context)
{
	struct native *n = context;
	struct native_library library;
	bool abandoned;

	native_load(n->text, n->level, &library);
	pthread_mutex_lock(&n->lock);
	n->library = library;
	n->runs = false;
	abandoned = n->abandoned;
	if (!abandoned && library.handle)
		take_functions(library.handle, &n->loops);
	pthread_mutex_unlock(&n->lock);
	if (abandoned)
		dispose(n);
	return NULL;
}

/* A thread of its own, on which no signal is handled. */
static bool start(struct native *n)
{
	sigset_t all, before;
	pthread_t thread;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = !pthread_create(&thread, NULL, compile_hot, n);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ok)
		pthread_detach(thread);
	return ok;
}

/* native_loop.hot */
static void hot(struct native_loop *loop)
{
	struct native *n = loop->owner;

	pthread_mutex_lock(&n->lock);
	if (!n->begun)
		n->begun = n->runs = true;
	else
		loop = NULL;
	pthread_mutex_unlock(&n->lock);
	if (loop && !start(n)) {
		pthread_mutex_lock(&n->lock);
		n->runs = false;
		pthread_mutex_unlock(&n->lock);
	}
}

void native_free(struct native *n)
{
	bool runs;

	if (!n)
		return;
	pthread_mutex_lock(&n->lock);
	runs = n->runs;
	n->abandoned = true;
	pthread_mutex_unlock(&n->lock);
	if (!runs)
		dispose(n);
}

/* ---- the way ---- */

static bool has_machine(const struct program *p)
{
	return p->target.isa->native && p->threaded && p->threaded->on;
}

/* NULL: no memory. */
static struct native *native_new(const struct program *p, enum simd_level level, const struct loops *l)
{
	struct native *n = calloc(1, sizeof *n);

	if (!n)
		return NULL;
	pthread_mutex_init(&n->lock, NULL);
	n->level = level;
	n->loops = *l;
	n->text = write_text(p, l);
	for (unsigned i = 0; i < l->n; i++) {
		l->loop[i]->hot = hot;
		l->loop[i]->owner = n;
	}
	if (n->text)
		return n;
	dispose(n);
	return NULL;
}

static const char *load_now(struct native *n)
{
	const char *why = native_load(n->text, n->level, &n->library);

	return why || take_functions(n->library.handle, &n->loops) ? why : "the host's compiler left a loop out";
}

const char *native_make(const struct program *p, enum native_when when, enum simd_level level, struct arena *a,
			struct native **out)
{
	static const char no_memory[] = "the host has no memory for it";
	struct loops l = { .n = 0 };
	const char *why;

	*out = NULL;
	if (when == NATIVE_OFF || !has_machine(p))
		return NULL;
	if (!find_loops(p, a, &l) || (when == NATIVE_NOW && !find_stretches(p, a, &l)))
		return no_memory;
	if (!l.n && !l.stretches)
		return NULL;
	why = native_hindrance(level);
	if (!why && !(*out = native_new(p, level, &l)))
		why = no_memory;
	if (!why && when == NATIVE_NOW)
		why = load_now(*out);
	if (!why) {
		install(p, &l);
		return NULL;
	}
	native_free(*out);
	*out = NULL;
	return why;
}
