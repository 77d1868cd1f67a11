/* Conflicts in global memory between workers that run at once, each as if alone (workers are multiprocessors on several
 * host threads, or storage for blocks that are executed before their start).
 *
 * Each worker keeps sets of the words that it loads, stores to and reduces: bitmaps by page, a bit a word, written
 * before the word is touched. Afterwards the sets are compared, page by page. The order of workers did not matter if no
 * word that a worker stores to is in another worker's sets. Reductions (adding, taking the maximum, …) of the same
 * operation commute and conflict with all other accesses only. After a conflict, memory is put back, since pieces of
 * pages are saved before their first store, and the launch runs again in order.
 *
 * A small launch on a device with much memory touches few pages: a page gets its number at the first access of a run,
 * and only numbered pages take storage and time. */
#ifndef WB_MEM_CONFLICTS_H
#define WB_MEM_CONFLICTS_H

#include "core/base/arena.h"
#include "core/base/host_threads.h"
#include "mem/global.h"

enum rw_set { READ_SET, WRITE_SET, REDUCE_SET, RW_SETS };

/* A set has rows of 64 words, and a page's rows come in pieces: neighbouring blocks touch neighbouring memory, so each
 * of many workers at a page touches little of the page. */
enum { PAGE_WORDS = PAGE_BYTES / 4, SET_PIECES = PAGE_PIECES, SET_ROWS = PAGE_WORDS / 64 / SET_PIECES };

enum piece_saved { PIECE_UNSAVED, PIECE_BEING_SAVED, PIECE_SAVED };

/* Words side by side from a multiple of 64 bytes on, the usual pattern of lanes, take one bit of a map. A word of the
 * map covers as much as a piece. */
enum { SET_SEGMENT = 64, SET_SEGMENT_WORDS = PAGE_BYTES / SET_SEGMENT / 64 };

/* A worker's accesses to a page. */
struct page_sets {
	uint64_t **of[RW_SETS];         /* SET_PIECES of SET_ROWS each; NULL: it is empty, there or at all */
	uint64_t *whole[REDUCE_SET];    /* maps of SET_SEGMENT_WORDS words, in addition to `of`; NULL: empty */
	uint32_t op;                    /* operation of the reductions */
};

/* The sets of a worker. */
struct worker_sets {
	struct conflicts *all;
	uint8_t *memory;                  /* for rows to come, `remaining` bytes */
	size_t remaining;
	struct page_sets *page;         /* by global_page.index, below npages */
	uint32_t npages;
	const char *refused;            /* why an access did not happen, or NULL */
} __attribute__((aligned(128)));        /* neighbours may belong to different host threads */

struct conflicts {
	struct global *global;
	unsigned workers;
	uint32_t npages, capacity;      /* pages with a number; elements of page[] */
	struct global_page **page;      /* by index */
	struct worker_sets *of;
	struct arena arena;             /* of all sets */
	pthread_mutex_t lock;           /* lock of the arena, of page[] and of new numbers */
};

/* Begin with empty sets; nothing is mapped before conflicts_end. False: the host has no memory. */
bool conflicts_begin(struct conflicts *s, struct global *g, unsigned workers);
/* Did the workers access page `index` in a way that depends on their order? */
bool conflicts_in_page(const struct conflicts *s, uint32_t index);
/* Put all of memory back as it was at conflicts_begin. */
void conflicts_undo(struct conflicts *s);
void conflicts_end(struct conflicts *s);

/* Begin the piece with row `row` of a page; the piece is saved before a change. Returns the row; NULL: the host has no
 * memory, see w->refused, and the access must not happen. */
uint64_t *worker_sets_first(struct worker_sets *w, struct global_page *p, enum rw_set set, uint32_t row);

/* As worker_sets_first, for whole segments of a piece, which are not reduced. Returns the word of the piece. */
uint64_t *worker_sets_first_whole(struct worker_sets *w, struct global_page *p, enum rw_set set, uint32_t piece);

/* A worker's sets of a page; NULL: the page has no number yet, or the worker has not touched the page. */
static inline struct page_sets *worker_sets_page(const struct worker_sets *w, const struct global_page *p)
{
	uint32_t index = __atomic_load_n(&p->index, __ATOMIC_RELAXED);  /* other workers give numbers meanwhile */

	return index < w->npages ? &w->page[index] : NULL;
}

/* Row `row` of a page's set: of words 64 row … 64 row + 63. NULL as worker_sets_first. */
static inline uint64_t *worker_sets_row(struct worker_sets *w, struct global_page *p, enum rw_set set, uint32_t row)
{
	const struct page_sets *of = worker_sets_page(w, p);
	uint64_t **piece = __builtin_expect(of != NULL, 1) ? of->of[set] : NULL;
	uint64_t *rows = piece ? piece[row / SET_ROWS] : NULL;

	return __builtin_expect(rows != NULL, 1) ? rows + row % SET_ROWS : worker_sets_first(w, p, set, row);
}

/* Add the words of `bytes` bytes, at most 248, at an address in page p. False as worker_sets_first. */
static inline bool worker_sets_add(struct worker_sets *w, struct global_page *p, enum rw_set set, uint64_t addr,
				   uint32_t bytes)
{
	uint32_t first = addr % PAGE_BYTES / 4, n = (uint32_t)(addr % 4 + bytes + 3) / 4, in_row = first % 64;
	uint64_t bits = (1ull << n) - 1, *row = worker_sets_row(w, p, set, first / 64);

	if (!row)
		return false;
	*row |= bits << in_row;
	if (in_row + n <= 64)
		return true;
	row = worker_sets_row(w, p, set, first / 64 + 1);
	if (row)
		*row |= bits >> (64 - in_row);
	return row;
}

/* The word of a piece in the page's map of whole segments. NULL as worker_sets_first. */
static inline uint64_t *worker_sets_whole(struct worker_sets *w, struct global_page *p, enum rw_set set,
					  uint32_t piece)
{
	const struct page_sets *of = worker_sets_page(w, p);
	uint64_t *whole = __builtin_expect(of != NULL, 1) ? of->whole[set] : NULL;

	return __builtin_expect(whole && whole[piece], 1) ? whole + piece : worker_sets_first_whole(w, p, set, piece);
}

/* Add the words of n whole segments, at most 63, in page p to the page's read or write set. False as
 * worker_sets_first. */
static inline bool worker_sets_add_segments(struct worker_sets *w, struct global_page *p, enum rw_set set,
					    uint64_t addr, uint32_t n)
{
	uint64_t bits = (1ull << n) - 1, *word;
	uint32_t piece = addr % PAGE_BYTES / (64 * SET_SEGMENT), bit = addr / SET_SEGMENT % 64;

	if (!(word = worker_sets_whole(w, p, set, piece)))
		return false;
	*word |= bits << bit;
	if (__builtin_expect(bit + n <= 64, 1))
		return true;
	if ((word = worker_sets_whole(w, p, set, piece + 1)))
		*word |= bits >> (64 - bit);
	return word;
}

/* As worker_sets_add, for a reduction by operation `op` (any number): an operation other than the worker's earlier
 * operation in the page counts as a store. */
bool worker_sets_reduce(struct worker_sets *w, struct global_page *p, uint32_t op, uint64_t addr,
			uint32_t bytes);

#endif
