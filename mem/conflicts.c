/* Read and write sets of workers, compared page by page when all have run (conflicts.h). */
#include "mem/conflicts.h"

#include <sched.h>
#include <string.h>

#include "core/base/pages.h"

enum { PIECE_BYTES = PAGE_BYTES / SET_PIECES, FIRST_PAGES = 8, LINE = 128 };

bool conflicts_begin(struct conflicts *s, struct global *g, unsigned workers)
{
	*s = (struct conflicts){ .global = g, .workers = workers };
	pthread_mutex_init(&s->lock, NULL);
	s->of = ARENA_ARRAY(&s->arena, struct worker_sets, workers);
	for (unsigned i = 0; s->of && i < workers; i++)
		s->of[i].all = s;
	return s->of;
}

void conflicts_end(struct conflicts *s)
{
	if (!s->global)
		return;
	pthread_mutex_destroy(&s->lock);
	for (uint32_t i = 0; i < s->npages; i++) {
		struct global_page *p = s->page[i];
		pages_free(p->copy, PAGE_BYTES);
		p->copy = NULL;
		memset(p->saved, PIECE_UNSAVED, sizeof p->saved);
		p->index = PAGE_UNNUMBERED;
	}
	arena_free(&s->arena);
	*s = (struct conflicts){ 0 };
}

void conflicts_undo(struct conflicts *s)
{
	for (uint32_t i = 0; i < s->npages; i++)
		for (uint32_t k = 0; k < SET_PIECES; k++)
			if (s->page[i]->saved[k] == PIECE_SAVED)
				memcpy(s->page[i]->bytes + k * PIECE_BYTES, s->page[i]->copy + k * PIECE_BYTES,
				       PIECE_BYTES);
}

/* The memory of the page's copy. NULL: the host has no memory. */
static uint8_t *copy_of(struct global_page *p)
{
	uint8_t *copy = __atomic_load_n(&p->copy, __ATOMIC_ACQUIRE), *other = NULL;
	bool zero;

	if (copy || !(copy = pages_take(PAGE_BYTES, &zero)))
		return copy;
	if (__atomic_compare_exchange_n(&p->copy, &other, copy, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return copy;
	pages_free(copy, PAGE_BYTES);   /* another worker was faster */
	return other;
}

/* The first worker saves the piece; others wait. False: the host has no memory. */
static bool save(struct global_page *p, uint32_t piece)
{
	uint8_t state = PIECE_UNSAVED, *copy;

	while (!__atomic_compare_exchange_n(&p->saved[piece], &state, PIECE_BEING_SAVED, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_ACQUIRE)) {
		if (state == PIECE_SAVED)
			return true;
		sched_yield();
		state = PIECE_UNSAVED;
	}
	if ((copy = copy_of(p)))
		memcpy(copy + piece * PIECE_BYTES, p->bytes + piece * PIECE_BYTES, PIECE_BYTES);
	__atomic_store_n(&p->saved[piece], copy ? PIECE_SAVED : PIECE_UNSAVED, __ATOMIC_RELEASE);
	return copy;
}

/* ---- pages of a run ---- */

/* Twice as many elements, at least `wanted`, with the contents of the first n. NULL: the host has no memory. */
static void *grown(struct arena *a, const void *p, uint32_t n, uint32_t wanted, size_t bytes, uint32_t *capacity)
{
	uint32_t all = n ? 2 * n : FIRST_PAGES;
	void *q;

	all = all < wanted ? wanted : all;
	if ((q = arena_alloc(a, all * bytes, LINE)) && n)
		memcpy(q, p, n * bytes);
	*capacity = q ? all : n;
	return q;
}

/* Give a page a number. False: the host has no memory. */
static bool number(struct conflicts *s, struct global_page *p)
{
	struct global_page **page = s->page;

	if (p->index != PAGE_UNNUMBERED)
		return true;
	if (s->npages == s->capacity)
		page = grown(&s->arena, s->page, s->npages, s->npages + 1, sizeof *s->page, &s->capacity);
	if (!page)
		return false;
	s->page = page;
	s->page[s->npages] = p;
	__atomic_store_n(&p->index, s->npages++, __ATOMIC_RELAXED);
	return true;
}

/* The worker's sets of a page, from the first access on. NULL: the host has no memory. */
static struct page_sets *sets_of(struct worker_sets *w, struct global_page *p)
{
	struct page_sets *of = worker_sets_page(w, p);

	if (of)
		return of;
	pthread_mutex_lock(&w->all->lock);
	/* a new number may have its place already */
	if (number(w->all, p) && !worker_sets_page(w, p) &&
	    (of = grown(&w->all->arena, w->page, w->npages, p->index + 1, sizeof *of, &w->npages)))
		w->page = of;
	pthread_mutex_unlock(&w->all->lock);
	return worker_sets_page(w, p);
}

/* Zero bytes, a multiple of a line of the host's cache, for a worker's sets, taken from the common memory a kilobyte at
 * a time. */
static void *storage(struct worker_sets *w, size_t n)
{
	enum { AT_A_TIME = 1 << 10 };

	if (w->remaining < n) {
		pthread_mutex_lock(&w->all->lock);
		w->memory = arena_alloc(&w->all->arena, AT_A_TIME, LINE);
		pthread_mutex_unlock(&w->all->lock);
		w->remaining = w->memory ? AT_A_TIME : 0;
	}
	if (w->remaining < n)
		return NULL;
	w->remaining -= n;
	return w->memory + w->remaining;
}

/* The words, once they may be written to; NULL: the host has no memory. */
static uint64_t *begun(struct worker_sets *w, struct global_page *p, enum rw_set set, uint32_t piece, uint64_t *words)
{
	if (words && (set == READ_SET || save(p, piece)))
		return words;
	w->refused = "the host has no memory for more";
	return NULL;
}

uint64_t *worker_sets_first(struct worker_sets *w, struct global_page *p, enum rw_set set, uint32_t row)
{
	struct page_sets *of = sets_of(w, p);
	uint64_t **pieces = of ? of->of[set] : NULL, *rows = NULL;
	uint32_t piece = row / SET_ROWS;

	if (of && !pieces)
		pieces = of->of[set] = storage(w, SET_PIECES * sizeof *pieces);
	if (pieces)
		rows = storage(w, SET_ROWS * sizeof *rows);
	rows = begun(w, p, set, piece, rows);
	if (!rows)
		return NULL;
	pieces[piece] = rows;
	return rows + row % SET_ROWS;
}

uint64_t *worker_sets_first_whole(struct worker_sets *w, struct global_page *p, enum rw_set set, uint32_t piece)
{
	struct page_sets *of = sets_of(w, p);

	if (of && !of->whole[set])
		of->whole[set] = storage(w, SET_SEGMENT_WORDS * sizeof **of->whole);
	return begun(w, p, set, piece, of && of->whole[set] ? of->whole[set] + piece : NULL);
}

bool worker_sets_reduce(struct worker_sets *w, struct global_page *p, uint32_t op, uint64_t addr,
			uint32_t bytes)
{
	struct page_sets *of = sets_of(w, p);

	if (!of)
		return begun(w, p, REDUCE_SET, 0, NULL);
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

/* Worker i's sets of page `index`. */
static const struct page_sets *of_worker(const struct conflicts *s, unsigned i, uint32_t index)
{
	static const struct page_sets none;

	return index < s->of[i].npages ? &s->of[i].page[index] : &none;
}

/* Sets have not been read for long: load the next workers' sets into the cache meanwhile. */
static inline void load_ahead(const struct conflicts *s, unsigned i, uint32_t index)
{
	enum { MAPS = 4, PAGES = 8 };

	if (i + PAGES < s->workers)
		__builtin_prefetch(of_worker(s, i + PAGES, index));
	for (unsigned set = 0; set < REDUCE_SET && i + MAPS < s->workers; set++) {
		const uint64_t *whole = of_worker(s, i + MAPS, index)->whole[set];
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
		const struct page_sets *p = of_worker(s, i, index);
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
		const struct page_sets *p = of_worker(s, i, index);
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

	if (s->workers < 2 || !s->page[index]->copy)
		return false;           /* no store to the page */
	maps = compare_maps(s, index);
	return maps == PAGE_HAS_ROWS ? compare_rows(s, index) : maps == PAGE_CONFLICT;
}
