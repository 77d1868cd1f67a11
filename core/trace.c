/* Making traces: segments from runs and single steps, shared with earlier warps as long as equal. */
#include "core/trace.h"

#include <string.h>

/* DETAILS_MAX: of a warp, 24 MiB. */
enum { FIRST_SEGMENTS = 64, FIRST_DETAILS = 256, SHARED_MAX = 4, DETAILS_MAX = 1 << 20 };

bool trace_store_begin(struct trace_store *all, unsigned warps, bool detailed)
{
	*all = (struct trace_store){ .warps = warps, .detailed = detailed };
	pthread_mutex_init(&all->lock, NULL);
	all->shared = ARENA_ARRAY(&all->arena, struct shared_trace *, warps);
	return all->shared != NULL;
}

void trace_store_end(struct trace_store *all)
{
	if (!all->warps)
		return;
	pthread_mutex_destroy(&all->lock);
	arena_free(&all->arena);
	*all = (struct trace_store){ 0 };
}

static void *storage(struct trace_store *all, size_t bytes)
{
	void *p;

	pthread_mutex_lock(&all->lock);
	p = arena_space(&all->arena, bytes, sizeof(struct trace_segment));
	pthread_mutex_unlock(&all->lock);
	return p;
}

/* ---- where segments go ---- */

/* Equal except for jumps. Compares member by member: reading words just written as smaller members would stall the
 * host. */
static inline bool alike(const struct trace_segment *a, const struct trace_segment *b)
{
	uint64_t others = (a->active ^ b->active) | (a->pc ^ b->pc) | (a->extra ^ b->extra) | (a->line ^ b->line);
	unsigned more = (a->issues ^ b->issues) | (a->times ^ b->times) | (a->bytes ^ b->bytes) |
			(a->last_bytes ^ b->last_bytes) | (a->barrier ^ b->barrier);

	return !(others | more);
}

/* Allocate the trace's own storage, with all n segments up to now. */
static bool move_out(struct warp_trace *c, uint32_t n)
{
	struct trace_segment *own = n > c->capacity ? storage(c->all, n * sizeof *own) : c->storage;

	if (!own) {
		c->refused = "the host has no memory for more";
		return false;
	}
	if (c->n && c->segment != own)
		memcpy(own, c->segment, c->n * sizeof *own);
	c->segment = c->storage = own;
	c->end = c->capacity = n > c->capacity ? n : c->capacity;
	c->shares = false;
	return true;
}

static inline void put(struct warp_trace *c, bool jumps)
{
	struct trace_segment *to = &c->storage[c->n++];

	*to = c->unfinished;
	to->jumps = jumps;
}

/* Grow the storage in place, if allocated last. */
static bool grow(struct warp_trace *c)
{
	bool grown;

	if (c->shares || !c->capacity || c->capacity + FIRST_SEGMENTS > TRACE_SEGMENTS_MAX)
		return false;
	pthread_mutex_lock(&c->all->lock);
	grown = arena_extend(&c->all->arena, c->storage, c->capacity * sizeof *c->storage,
			     FIRST_SEGMENTS * sizeof *c->storage);
	pthread_mutex_unlock(&c->all->lock);
	if (grown)
		c->capacity = c->end = c->capacity + FIRST_SEGMENTS;
	return grown;
}

/* The shared trace differs or ends here, or storage is full: allocate the shared trace's size, or half as much again as
 * before. */
static __attribute__((noinline)) void put_own(struct warp_trace *c, bool jumps)
{
	uint32_t wanted = c->shares ? c->end : c->n + c->n / 2;

	wanted = wanted > c->n + FIRST_SEGMENTS ? wanted : c->n + FIRST_SEGMENTS;
	if (c->n == TRACE_SEGMENTS_MAX)
		c->refused = "a warp's trace has too many segments";
	else if (grow(c))
		put(c, jumps);
	else if (move_out(c, c->n < c->capacity ? c->capacity :
			     wanted < TRACE_SEGMENTS_MAX ? wanted : TRACE_SEGMENTS_MAX))
		put(c, jumps);
}

/* The last segment is complete. */
static inline void store_segment(struct warp_trace *c, bool jumps)
{
	if (!c->unfinished.times)
		return;
	if (__builtin_expect(c->n == c->end, 0))
		put_own(c, jumps);
	else if (!c->shares)
		put(c, jumps);
	else if (__builtin_expect(alike(&c->segment[c->n], &c->unfinished) && c->segment[c->n].jumps == jumps, 1))
		c->n++;
	else
		put_own(c, jumps);
}

/* Whether the warp continues elsewhere than behind the last segment, if at pc. */
static inline bool jumps_to(const struct warp_trace *c, uint32_t pc)
{
	return c->unfinished.times == 1 ? pc != c->behind : c->unfinished.jumps;
}

/* Begin a segment in its final storage: a copy would read larger pieces than were written, which stalls the host. */
static inline void begin(struct warp_trace *c, lane_mask active, uint32_t pc, uint32_t issues)
{
	struct trace_segment *last = &c->unfinished;

	store_segment(c, jumps_to(c, pc));
	last->active = active;
	last->pc = pc;
	last->issues = (uint16_t)issues;
	last->times = 1;
	last->extra = last->line = 0;
	last->bytes = last->last_bytes = 0;
	last->barrier = 0;
	last->jumps = false;
}

static inline bool costs_nothing(const struct trace_segment *s)
{
	return !(s->extra | s->line | s->bytes | s->barrier);
}

/* Append a segment without costs. A repetition of the last segment takes no storage. */
static inline void add(struct warp_trace *c, lane_mask active, uint32_t pc, uint32_t issues)
{
	struct trace_segment *last = &c->unfinished;

	if (last->pc == pc && last->active == active && last->issues == issues && last->times < UINT16_MAX &&
	    last->times && costs_nothing(last)) {
		last->jumps = jumps_to(c, pc);
		last->times++;
	} else {
		begin(c, active, pc, issues);
	}
}

static inline uint32_t pc_of_run(const struct warp_trace *c, const struct warp *w)
{
	return c->done ? c->pc : w->pc;
}

/* An instruction may add costs twice: of its operand in memory, and of its work. */
static inline void add_costs(struct trace_segment *to, const struct segment_costs *more)
{
	to->extra += more->extra;
	to->bytes = (uint16_t)(to->bytes + more->bytes);
	to->last_bytes = more->last_bytes ? more->last_bytes : to->last_bytes;
	to->line = more->line ? more->line : to->line;
}

#ifdef __wasm__
/* Bytes count in a page: there no run begins with an instruction under a mask of its own. */
static inline bool first_is_apart(const struct warp_trace *c)
{
	(void)c;
	return false;
}

static inline void begin_alike(struct warp_trace *c)
{
	(void)c;
}
#else
void trace_first(struct warp_trace *c, lane_mask active, uint32_t behind)
{
	c->first_mask = active;
	c->behind_first = behind;
}

static inline bool first_is_apart(const struct warp_trace *c)
{
	return __builtin_expect(c->first_mask != 0, 0);
}

static inline void begin_alike(struct warp_trace *c)
{
	c->first_mask = 0;
}
#endif

/* The first instruction of the present run, under its own mask; `costs`: costs will follow. */
static __attribute__((noinline)) void add_first(struct warp_trace *c, const struct warp *w, bool costs)
{
	if (costs)
		begin(c, c->first_mask, w->pc, 1);
	else
		add(c, c->first_mask, w->pc, 1);
	begin_alike(c);
	c->behind = c->pc = c->behind_first;
	c->done = 1;
}

void trace_add_run(struct warp_trace *c, const struct warp *w, uint32_t n, uint32_t behind)
{
	if (first_is_apart(c)) {
		add_first(c, w, false);
		if (n == c->done)
			return;
	}
	add(c, w->active, pc_of_run(c, w), n - c->done);
	c->behind = behind;
}

void trace_step(struct warp_trace *c, const struct warp *w, uint32_t behind, lane_mask active)
{
	if (first_is_apart(c)) {
		active = c->first_mask;
		begin_alike(c);
	}
	if (costs_nothing(&c->costs)) {
		add(c, active, w->pc, 1);
	} else {
		begin(c, active, w->pc, 1);
		add_costs(&c->unfinished, &(struct segment_costs){ c->costs.extra, c->costs.line, c->costs.bytes,
							     c->costs.last_bytes });
		c->unfinished.barrier = c->costs.barrier;
		c->costs = (struct trace_segment){ 0 };
	}
	c->behind = behind;
}

void trace_costs(struct warp_trace *c, const struct warp *w, uint32_t run, uint32_t behind,
		  const struct segment_costs *costs)
{
	uint32_t pc;

	if (!(costs->extra | costs->line | costs->bytes))
		return;
	if (run && first_is_apart(c))
		add_first(c, w, run == 1);
	pc = pc_of_run(c, w);
	if (!run || run == c->done) {
		add_costs(run ? &c->unfinished : &c->costs, costs);
		return;
	}
	begin(c, w->active, pc, run - c->done);
	c->unfinished.extra = costs->extra;
	c->unfinished.line = costs->line;
	c->unfinished.bytes = costs->bytes;
	c->unfinished.last_bytes = costs->last_bytes;
	c->done = run;
	c->behind = c->pc = behind;
}

void trace_barrier(struct warp_trace *c, uint32_t run, unsigned barrier)
{
	struct trace_segment *s = run ? &c->unfinished : &c->costs;

	s->barrier = (uint8_t)(barrier + 1);
}

/* ---- of a whole warp ---- */

void trace_begin(struct warp_trace *c, struct trace_store *all, unsigned warp)
{
	const struct shared_trace *m = __atomic_load_n(&all->shared[warp], __ATOMIC_ACQUIRE);

	c->all = all;
	c->shares = m;
	c->segment = m ? m->segment : c->storage;
	c->end = m ? m->n : c->capacity;
	c->n = c->done = c->ndetails = 0;
	begin_alike(c);
	c->unfinished.times = 0;
	c->refused = NULL;
}

void trace_end(struct warp_trace *c)
{
	begin(c, 0, 0, 0);
	store_segment(c, false);
}

/* Warps of later blocks reuse the storage, so that it grows a few times in a launch; the old storage stays in the
 * store. */
bool trace_detail_space(struct warp_trace *c)
{
	uint32_t more = c->detail_capacity ? 2 * c->detail_capacity : FIRST_DETAILS;
	struct trace_detail *to = more <= DETAILS_MAX ? storage(c->all, more * sizeof *to) : NULL;

	if (!to) {
		c->refused = "a warp executes too many guarded instructions to be recorded from its trace";
		return false;
	}
	if (c->ndetails)
		memcpy(to, c->detail, c->ndetails * sizeof *to);
	c->detail = to;
	c->detail_capacity = more;
	return true;
}

/* An equal trace shared by another warp, or NULL. */
static const struct trace_segment *shared_before(const struct warp_trace *c)
{
	for (unsigned i = 0; i < c->all->warps; i++) {
		const struct shared_trace *m = __atomic_load_n(&c->all->shared[i], __ATOMIC_ACQUIRE);
		if (m && m->n == c->n && !memcmp(m->segment, c->segment, c->n * sizeof *c->segment))
			return m->segment;
	}
	return NULL;
}

void trace_share(struct warp_trace *c, unsigned warp)
{
	struct shared_trace *last = __atomic_load_n(&c->all->shared[warp], __ATOMIC_ACQUIRE), *m;
	const struct trace_segment *at;

	if (c->shares || (last && last->before + 1 == SHARED_MAX))
		return;
	m = storage(c->all, sizeof *m);
	if (!m)
		return;
	at = shared_before(c);
	*m = (struct shared_trace){ .segment = at ? at : c->storage, .n = c->n, .before = last ? last->before + 1 : 0 };
	if (!__atomic_compare_exchange_n(&c->all->shared[warp], &last, m, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		return;
	if (!at) {
		c->storage = NULL;      /* owned by the shared trace now, for the store's lifetime */
		c->capacity = 0;
	}
	c->segment = m->segment;
}
