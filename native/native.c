/* The way from a bound program to native loops and paths, as a column of calls (native_make): at once, or by a
 * thread, from when the program is hot, while threaded code goes on. */
#include "native/native.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "native/compile.h"
#include "native/path.h"
#include "native/text.h"
#include "native/words.h"

struct loops {
	struct native_loop **loop;
	unsigned n;
	struct path_found **path;
	unsigned paths;
};

/* Of `auto`: what the program's heat has led to. */
enum stage { COLD, LOOKING, LOOKED, COMPILING, OVER };

/* A compilation takes about half a second, and 9 ms more for each entry of a path (clang 14); threaded code takes 6 ns
 * an instruction. A program that has run for as long as the compilation takes is expected to go on for as long again,
 * so no launch costs more than twice the best. */
static uint64_t heat_of_compiling(const struct loops *l)
{
	uint64_t entries = 0;

	for (unsigned i = 0; i < l->paths; i++)
		entries += l->path[i]->path->entries;
	return (160 + entries * 8 / 3) * NATIVE_HEAT;
}

struct native {
	struct native_heat heat;        /* first: a pointer to either is a pointer to both */
	const struct program *program;
	enum simd_level level;
	struct loops loops;
	struct arena arena;             /* of paths found when the program is hot */
	struct native_text text;
	struct native_library library;
	pthread_mutex_t lock;
	enum stage stage;
	/* The thread that looks or has the text compiled, of process `starter`; 0: none. */
	pthread_t thread;
	pid_t starter;
	int cancel;                     /* an eventfd that ends the thread's compiler; -1: none */
};

static const char no_memory[] = "the host has no memory for it";

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
	for (uint32_t i = p->reach_begin / 4; out->loop && i < p->reach_end / 4; i++) {
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

/* The entries of a word as translated, behind the entry of a loop that may stand there. */
static const struct threaded_op *entries_of(const struct program *p, const struct loops *l, uint32_t word)
{
	const struct threaded_op *op = p->threaded->on[word];

	for (unsigned i = 0; i < l->n; i++)
		if (op == &l->loop[i]->op)
			return l->loop[i]->head;
	return op;
}

/* By word: does a jump lead to the entries of the word? False: no memory. */
static bool find_targets(const struct program *p, const struct loops *l, struct arena *a, bool **out)
{
	uint32_t words = p->code_bytes / 4;
	bool *target = ARENA_ARRAY(a, bool, words + 1);

	*out = target;
	for (uint32_t i = 0; target && i < words; i++)
		for (const struct threaded_op *op = entries_of(p, l, i); op && op->in && op->pc == i * 4; op++)
			if (op->jumps && op->target)
				target[op->target->pc / 4] = true;
	return target;
}

/* By word: is the head of a loop there? False: no memory. */
static bool find_heads(const struct program *p, const struct loops *l, struct arena *a, bool **out)
{
	*out = ARENA_ARRAY(a, bool, p->code_bytes / 4 + 1);
	for (unsigned i = 0; *out && i < l->n; i++)
		(*out)[l->loop[i]->head->pc / 4] = true;
	return *out;
}

/* From instruction to instruction: second words have entries, too, at which no warp arrives. */
static uint32_t next_word(const struct program *p, uint32_t i)
{
	return i + (p->insn[i].length > 4 ? p->insn[i].length / 4 : 1);
}

static bool find_paths(const struct program *p, struct arena *a, struct loops *out)
{
	const struct native_machine *m = p->target.isa->native;
	const struct threaded_op *first = NULL, *end = NULL;    /* of the last piece */
	uint32_t words = p->code_bytes / 4;
	bool *target, *head;

	out->path = ARENA_ARRAY(a, struct path_found *, words + 1);
	if (!out->path || !find_targets(p, out, a, &target) || !find_heads(p, out, a, &head))
		return false;
	for (uint32_t i = p->reach_begin / 4; i < p->reach_end / 4; i = next_word(p, i)) {
		const struct threaded_op *op = entries_of(p, out, i);
		struct path_found *f;
		if (!op || (op >= first && op < end))
			continue;
		f = ARENA_NEW(a, struct path_found);
		if (!f)
			return false;
		*f = (struct path_found){ .machine = m, .code = p->threaded, .target = target,
					  .head = head };
		if (!path_find(f, op, a))
			return false;
		first = op;
		end = op + f->path->entries;
		if (f->entries)
			out->path[out->paths++] = f;
	}
	return true;
}

static struct native_text text_of(const struct program *p)
{
	const struct native_machine *m = p->target.isa->native;

	return (struct native_text){ .machine = m->text, .number = m->number ? m->number(p->threaded) : 0 };
}

/* From malloc; NULL: no memory. */
static char *write_functions(const struct program *p, const struct loops *l)
{
	const struct native_machine *m = p->target.isa->native;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool ok = f;

	if (f) {
		for (unsigned i = 0; i < l->n; i++)
			native_write_loop(f, m, p->threaded, l->loop[i], i);
		fputs("#ifdef __clang__\n", f);
		for (unsigned i = 0; i < l->paths; i++)
			path_write(f, l->path[i], i);
		fputs("#endif\n", f);
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

/* Give loops and paths their functions. False: the library lacks a loop's. */
static bool take_functions(void *library, const struct loops *l)
{
	bool all = true;

	for (unsigned i = 0; i < l->n; i++)
		all &= function_of(library, "native_", i) != NULL;
	for (unsigned i = 0; all && i < l->paths; i++)
		l->path[i]->path->fn = (handler_fn *)function_of(library, "native_path_", i);
	for (unsigned i = 0; all && i < l->n; i++)
		__atomic_store_n(&l->loop[i]->fn, (native_fn *)function_of(library, "native_", i), __ATOMIC_RELEASE);
	return all;
}

/* Put a loop where warps go on whose turn ended at the head. Of loops with the same head the first is there. */
static void install_entry(const struct program *p, struct native_loop *n)
{
	const struct threaded_op **on = (const struct threaded_op **)(uintptr_t)p->threaded->on;

	native_loop_entry(n);
	if (on[n->head->pc / 4] == n->head)
		on[n->head->pc / 4] = &n->op;
}

static void install_paths(const struct loops *l)
{
	for (unsigned i = 0; i < l->paths; i++)
		if (l->path[i]->path->fn)
			native_entries_install(l->path[i]->entry, l->path[i]->entries);
}

/* Put paths in their places, and loops where their branches go as well. */
static void install(const struct program *p, const struct loops *l)
{
	install_paths(l);
	for (unsigned i = 0; i < l->n; i++) {
		install_entry(p, l->loop[i]);
		((struct threaded_op *)(uintptr_t)l->loop[i]->branch)->target = &l->loop[i]->op;
	}
}

/* ---- by a thread ---- */

/* Begin or end counting. */
static void set_heat(const struct program *p, struct native_heat *heat)
{
	__atomic_store_n(&((struct threaded_code *)(uintptr_t)p->threaded)->heat, heat, __ATOMIC_RELEASE);
}

static void forget_text(struct native *n)
{
	free(n->text.functions);
	n->text.functions = NULL;
}

/* The thread has a library, or none. */
static void hand_over(struct native *n, const struct native_library *library)
{
	pthread_mutex_lock(&n->lock);
	n->library = *library;
	n->stage = n->stage == LOOKING && n->text.functions && !library->handle ? LOOKED : OVER;
	if (library->handle && take_functions(library->handle, &n->loops))
		install_paths(&n->loops);
	if (n->stage == OVER) {
		set_heat(n->program, NULL);
		forget_text(n);
	}
	pthread_mutex_unlock(&n->lock);
}

/* Find loops and paths, and write the text: about a millisecond. False: neither is found, or no memory. */
static bool write_hot(struct native *n)
{
	if (find_paths(n->program, &n->arena, &n->loops) && (n->loops.n || n->loops.paths))
		n->text.functions = write_functions(n->program, &n->loops);
	return n->text.functions;
}

static void *look(void *context)
{
	struct native *n = context;
	struct native_library library = { NULL, -1 };

	if (write_hot(n))
		native_load(&n->text, n->level, false, NULL, &library);
	hand_over(n, &library);
	return NULL;
}

static void *compile_hot(void *context)
{
	struct native *n = context;
	struct native_library library;

	native_load(&n->text, n->level, true, &n->cancel, &library);
	hand_over(n, &library);
	return NULL;
}

/* Wait for the thread, if this process has one: a forked child has a copy of the struct, but no thread. */
static void join(struct native *n)
{
	if (n->starter == getpid())
		pthread_join(n->thread, NULL);
	n->starter = 0;
}

/* The eventfd is the same in a forked child, which must leave the parent's compiler alone. */
static void cancel(struct native *n)
{
	if (n->starter == getpid())
		eventfd_write(n->cancel, 1);
}

/* A thread of its own, on which no signal is handled. */
static bool start(struct native *n, void *(*work)(void *))
{
	sigset_t all, before;

	join(n);
	if (n->cancel < 0 && (n->cancel = eventfd(0, EFD_CLOEXEC)) < 0)
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	n->starter = pthread_create(&n->thread, NULL, work, n) == 0 ? getpid() : 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return n->starter;
}

/* What heat leads to: the next stage, if the caller is the first. */
static enum stage go_on(struct native *n, uint64_t heat)
{
	enum stage next = OVER;

	pthread_mutex_lock(&n->lock);
	if (n->stage == COLD)
		next = LOOKING;
	else if (n->stage == LOOKED && heat >= heat_of_compiling(&n->loops))
		next = COMPILING;
	if (next != OVER)
		n->stage = next;
	pthread_mutex_unlock(&n->lock);
	return next;
}

/* native_heat.hot */
static void hot(struct native_heat *heat)
{
	struct native *n = (struct native *)heat;
	enum stage next = go_on(n, __atomic_load_n(&heat->instructions, __ATOMIC_RELAXED));

	if (next == OVER || start(n, next == LOOKING ? look : compile_hot))
		return;
	pthread_mutex_lock(&n->lock);
	n->stage = OVER;
	set_heat(n->program, NULL);
	pthread_mutex_unlock(&n->lock);
}

/* Has the thread been left behind by a fork? Paths and text may be half made then. */
static bool is_at_work_elsewhere(const struct native *n)
{
	return n->starter && n->starter != getpid();
}

void native_free(struct native *n)
{
	if (!n)
		return;
	if (!is_at_work_elsewhere(n)) {
		cancel(n);
		join(n);
		native_unload(&n->library);
		arena_free(&n->arena);
		forget_text(n);
		pthread_mutex_destroy(&n->lock);
	}
	if (n->cancel >= 0)
		close(n->cancel);
	free(n);
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
	n->program = p;
	n->text = text_of(p);
	n->level = level;
	n->loops = *l;
	n->heat = (struct native_heat){ .hot = hot };
	n->cancel = -1;
	return n;
}

static const char *load_now(struct native *n)
{
	const char *why;

	n->text.functions = write_functions(n->program, &n->loops);
	if (!n->text.functions)
		return no_memory;
	why = native_load(&n->text, n->level, true, NULL, &n->library);
	forget_text(n);
	return why || take_functions(n->library.handle, &n->loops) ? why : "the host's compiler left a loop out";
}

/* Loops and paths, at once. */
static const char *make_now(const struct program *p, enum simd_level level, struct arena *a, struct native **out)
{
	struct loops l;
	const char *why;

	if (!find_loops(p, a, &l) || !find_paths(p, a, &l))
		return no_memory;
	if (!l.n && !l.paths)
		return NULL;
	why = native_hindrance(level);
	if (!why && !(*out = native_new(p, level, &l)))
		why = no_memory;
	if (!why)
		why = load_now(*out);
	if (!why)
		install(p, &l);
	return why;
}

/* A launch that ends before the program is hot pays for finding loops alone. */
static const char *make_later(const struct program *p, enum simd_level level, struct arena *a, struct native **out)
{
	struct loops l;

	if (!native_gains(level))
		return NULL;
	if (!find_loops(p, a, &l) || !(*out = native_new(p, level, &l)))
		return no_memory;
	for (unsigned i = 0; i < l.n; i++)
		install_entry(p, l.loop[i]);
	set_heat(p, &(*out)->heat);
	return NULL;
}

const char *native_make(const struct program *p, enum native_when when, enum simd_level level, struct arena *a,
			struct native **out)
{
	const char *why = NULL;

	*out = NULL;
	if (when != NATIVE_OFF && has_machine(p))
		why = (when == NATIVE_NOW ? make_now : make_later)(p, level, a, out);
	if (why) {
		native_free(*out);
		*out = NULL;
	}
	return why;
}
