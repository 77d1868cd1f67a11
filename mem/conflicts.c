/* Read and write sets of workers, compared page by page when all have run (conflicts.h). */
#include "mem/conflicts.h"

#include <sched.h>
#include <string.h>

#include "core/base/pages.h"

bool conflicts_begin(struct conflicts *s, struct global *g, unsigned workers)
{
	uint32_t n = 0;

	*s = (struct conflicts){ .global = g, .workers = workers, .npages = HASH_COUNT(g->pages) };
	pthread_mutex_init(&s->lock, NULL);
	s->page = ARENA_ARRAY(&s->arena, struct global_page *, s->npages);
	s->of = ARENA_ARRAY(&s->arena, struct worker_sets, workers);
	s->copy = ARENA_ARRAY(&s->arena, uint8_t *, s->npages);
	if (!s->page || !s->of || !s->copy)
		return false;
	for (struct global_page *p = g->pages; p; p = p->hh.next) {
		p->index = n;
		p->saved = PAGE_UNSAVED;
		s->page[n++] = p;
	}
	for (unsigned i = 0; i < workers; i++) {
		s->of[i].all = s;
		if (!(s->of[i].page = ARENA_ARRAY(&s->arena, struct page_sets, n)))
			return false;
	}
	return true;
}

void conflicts_end(struct conflicts *s)
{
	if (!s->global)
		return;
	pthread_mutex_destroy(&s->lock);
	for (uint32_t i = 0; s->copy && i < s->npages; i++)
		pages_free(s->copy[i], PAGE_BYTES);
	arena_free(&s->arena);
	*s = (struct conflicts){ 0 };
}

void conflicts_undo(struct conflicts *s)
{
	for (uint32_t i = 0; i < s->npages; i++)
		if (s->copy[i])
			memcpy(s->page[i]->bytes, s->copy[i], PAGE_BYTES);
}

/* Copy the page. NULL: the host has no memory. */
static uint8_t *copy_of(const struct global_page *p)
{
	bool zero;
	uint8_t *copy = pages_take(PAGE_BYTES, &zero);

	return copy ? memcpy(copy, p->bytes, PAGE_BYTES) : NULL;
}

/* The first worker saves the page; others wait. False: the host has no memory. */
static bool save(struct conflicts *s, struct global_page *p)
{
	int state = PAGE_UNSAVED;

	while (!__atomic_compare_exchange_n(&p->saved, &state, PAGE_BEING_SAVED, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_ACQUIRE)) {
		if (state == PAGE_SAVED)
			return true;
		sched_yield();
		state = PAGE_UNSAVED;
	}
	s->copy[p->index] = copy_of(p);
	__atomic_store_n(&p->saved, s->copy[p->index] ? PAGE_SAVED : PAGE_UNSAVED, __ATOMIC_RELEASE);
	return s->copy[p->index];
}

/* Zero bytes, a multiple of a line of the host's cache, for a worker's sets, taken from the common memory a kilobyte at
 * a time. */
static void *storage(struct worker_sets *w, size_t n)
{
	enum { AT_A_TIME = 1 << 10 };

	if (w->remaining < n) {
		pthread_mutex_lock(&w->all->lock);
		w->memory = arena_alloc(&w->all->arena, AT_A_TIME, 128);
		pthread_mutex_unlock(&w->all->lock);
		w->remaining = w->memory ? AT_A_TIME : 0;
	}
	if (w->remaining < n)
		return NULL;
	w->remaining -= n;
	return w->memory + w->remaining;
}

/* The rows, once they may be written to; NULL: the host has no memory. */
static uint64_t *begun(struct worker_sets *w, struct global_page *p, enum rw_set set, uint64_t *rows)
{
	if (rows && (set == READ_SET || save(w->all, p)))
		return rows;
	w->refused = "the host has no memory for more";
	return NULL;
}

uint64_t *worker_sets_first(struct worker_sets *w, struct global_page *p, enum rw_set set, uint32_t row)
{
	uint64_t ***piece = &w->page[p->index].of[set], *rows = NULL;

	if (!*piece)
		*piece = storage(w, SET_PIECES * sizeof **piece);
	if (*piece)
		rows = (*piece)[row / SET_ROWS] = begun(w, p, set, storage(w, SET_ROWS * sizeof *rows));
	return rows ? rows + row % SET_ROWS : NULL;
}

uint64_t *worker_sets_first_whole(struct worker_sets *w, struct global_page *p, enum rw_set set)
{
	uint64_t **whole = &w->page[p->index].whole[set];

	*whole = begun(w, p, set, storage(w, SET_SEGMENT_WORDS * sizeof **whole));
	return *whole;
}

bool worker_sets_reduce(struct worker_sets *w, struct global_page *p, uint32_t op, uint64_t addr,
			uint32_t bytes)
{
	struct page_sets *of = &w->page[p->index];

	if (!of->of[REDUCE_SET])
		of->op = op;
	return worker_sets_add(w, p, of->op == op ? REDUCE_SET : WRITE_SET, addr, bytes);
}

/* ---- comparing sets ---- */

/* The sets of a piece of a page, joined over the workers so far. */
struct joint {
	uint64_t of[RW_SETS][SET_ROWS];
	bool reduced, mixed;            /* mixed: by several operations */
	uint32_t op;
};

/* The words of four segments. */
static uint64_t words_of(uint64_t segments)
{
	uint64_t apart = (segments & 1) | (segments & 2) << 15 | (segments & 4) << 30 | (segments & 8) << 45;

	return apart * 0xffff;
}

/* A worker's rows of a piece, by set; of empty sets, empty rows. True: a row is not empty. */
static bool rows_of(const struct page_sets *p, uint32_t piece, uint64_t joined[REDUCE_SET][SET_ROWS],
		    const uint64_t *rows[])
{
	static const uint64_t none[SET_ROWS];
	bool any = false;

	for (int set = 0; set < RW_SETS; set++) {
		const uint64_t *own = p->of[set] ? p->of[set][piece] : NULL;
		uint64_t whole = set < REDUCE_SET && p->whole[set] ? p->whole[set][piece] : 0;
		rows[set] = own ? own : none;
		any |= own != NULL || whole;
		if (!whole)
			continue;
		for (unsigned i = 0; i < SET_ROWS; i++)
			joined[set][i] = rows[set][i] | words_of(whole >> 4 * i & 15);
		rows[set] = joined[set];
	}
	return any;
}

static bool conflicting(struct joint *joint, const uint64_t *const rows[], bool reduced, uint32_t op)
{
	uint64_t other_op, bad = 0;

	joint->mixed |= joint->reduced && reduced && joint->op != op;
	other_op = joint->mixed ? ~0ull : 0;
	for (unsigned i = 0; i < SET_ROWS; i++) {
		uint64_t loads = joint->of[READ_SET][i], stores = joint->of[WRITE_SET][i],
			 reduces = joint->of[REDUCE_SET][i];
		uint64_t load = rows[READ_SET][i], store = rows[WRITE_SET][i], reduce = rows[REDUCE_SET][i];

		bad |= (store & (loads | stores | reduces)) | (load & (stores | reduces)) |
		       (reduce & (loads | stores | (reduces & other_op)));
		joint->of[READ_SET][i] = loads | load;
		joint->of[WRITE_SET][i] = stores | store;
		joint->of[REDUCE_SET][i] = reduces | reduce;
	}
	if (reduced) {
		joint->reduced = true;
		joint->op = op;
	}
	return bad;
}

static bool all_empty(const struct page_sets *p)
{
	return !p->of[READ_SET] && !p->of[WRITE_SET] && !p->of[REDUCE_SET] && !p->whole[READ_SET] &&
	       !p->whole[WRITE_SET];
}

/* Sets have not been read for long: load the next workers' sets into the cache meanwhile. */
static inline void load_ahead(const struct conflicts *s, unsigned i, uint32_t index)
{
	enum { MAPS = 4, PAGES = 8 };

	if (i + PAGES < s->workers)
		__builtin_prefetch(&s->of[i + PAGES].page[index]);
	for (unsigned set = 0; set < REDUCE_SET && i + MAPS < s->workers; set++) {
		const uint64_t *whole = s->of[i + MAPS].page[index].whole[set];
		if (!whole)
			continue;
		__builtin_prefetch(whole);
		__builtin_prefetch(whole + SET_SEGMENT_WORDS / 2);
	}
}

enum page_finding { PAGE_APART, PAGE_CONFLICT, PAGE_HAS_ROWS };

/* Compare maps of segments. PAGE_HAS_ROWS: a worker has other sets as well, so that maps do not tell. */
static enum page_finding compare_maps(const struct conflicts *s, uint32_t index)
{
	static const uint64_t none[SET_SEGMENT_WORDS];
	uint64_t loaded[SET_SEGMENT_WORDS] = { 0 }, stored[SET_SEGMENT_WORDS] = { 0 }, bad = 0;

	for (unsigned i = 0; i < s->workers; i++) {
		const struct page_sets *p = &s->of[i].page[index];
		const uint64_t *loads = p->whole[READ_SET], *stores = p->whole[WRITE_SET];
		load_ahead(s, i, index);
		if (p->of[READ_SET] || p->of[WRITE_SET] || p->of[REDUCE_SET])
			return PAGE_HAS_ROWS;
		if (!loads && !stores)
			continue;
		loads = loads ? loads : none;
		stores = stores ? stores : none;
		for (unsigned k = 0; k < SET_SEGMENT_WORDS; k++) {
			bad |= (stores[k] & (loaded[k] | stored[k])) | (loads[k] & stored[k]);
			loaded[k] |= loads[k];
			stored[k] |= stores[k];
		}
	}
	return bad ? PAGE_CONFLICT : PAGE_APART;
}

static bool compare_rows(const struct conflicts *s, uint32_t index)
{
	struct joint joint[SET_PIECES] = { { .op = 0 } };
	bool found = false;

	for (unsigned i = 0; i < s->workers && !found; i++) {
		const struct page_sets *p = &s->of[i].page[index];
		load_ahead(s, i, index);
		uint64_t joined[REDUCE_SET][SET_ROWS];
		const uint64_t *rows[RW_SETS];
		for (uint32_t piece = 0; piece < SET_PIECES && !all_empty(p); piece++)
			if (rows_of(p, piece, joined, rows))
				found |= conflicting(&joint[piece], rows, p->of[REDUCE_SET] && p->of[REDUCE_SET][piece],
					     p->op);
	}
	return found;
}

bool conflicts_in_page(const struct conflicts *s, uint32_t index)
{
	enum page_finding maps;

	if (s->page[index]->saved != PAGE_SAVED)
		return false;           /* no store to the page */
	maps = compare_maps(s, index);
	return maps == PAGE_HAS_ROWS ? compare_rows(s, index) : maps == PAGE_CONFLICT;
}
