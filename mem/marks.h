/* Who touches which words of global memory while several workers run at once, each as if it were alone. Nothing that
 * one does may depend on another: no worker stores to a word that another touches, except that both only add to it, or
 * only take its maximum, and so on, which comes to the same in any order. Whether that was so is asked afterwards; if
 * it was not, memory is put back as it was and somebody runs in order.
 *
 * A worker marks a word before it touches it, in bitmaps of its own, a bit a word. Pages are saved whole before the
 * first store of anybody. */
#ifndef WB_MEM_MARKS_H
#define WB_MEM_MARKS_H

#include "core/base/arena.h"
#include "mem/global.h"

enum mark { MARK_LOAD, MARK_STORE, MARK_REDUCE, MARKS };

enum { PAGE_WORDS = PAGE_BYTES / 4, MARK_ROWS = PAGE_WORDS / 64 };

enum page_saved { PAGE_UNSAVED, PAGE_BEING_SAVED, PAGE_SAVED, PAGE_NOT_SAVED };

/* What one worker did to one page. */
struct page_marks {
	uint64_t *of[MARKS];            /* MARK_ROWS each; NULL: nothing of that kind */
	uint32_t op;                    /* of its reductions */
};

/* One worker's. */
struct marks {
	struct arena arena;
	struct page_marks *page;        /* by global_page.index */
	const char *refused;            /* why a touch did not happen, or NULL */
};

struct mark_set {
	struct global *global;
	unsigned workers;
	uint32_t npages;
	struct global_page **page;      /* by index */
	struct marks *of;
};

/* Begin to mark; nothing is mapped before marks_end. False: the host has no memory. */
bool marks_begin(struct mark_set *s, struct global *g, unsigned workers);
/* Was page `index` touched by the workers in a way that depends on their order? */
bool marks_meet(const struct mark_set *s, uint32_t index);
/* Put all of memory back as it was at marks_begin. */
void marks_undo(struct mark_set *s);
void marks_end(struct mark_set *s);

/* The rows of one kind of mark of a page that has none yet; the page is saved first if it is to be changed. NULL: the
 * host has no memory, as m->refused says, and the touch must not happen. */
uint64_t *marks_first(struct marks *m, struct global_page *p, enum mark kind);

/* Mark the words of `bytes` bytes, at most 128, at an address in page p. False as marks_first. */
static inline bool marks_words(struct marks *m, struct global_page *p, enum mark kind, uint32_t addr, uint32_t bytes)
{
	uint64_t *rows = m->page[p->index].of[kind];
	uint32_t first = addr % PAGE_BYTES / 4, n = (addr % 4 + bytes + 3) / 4, in_row = first % 64;
	uint64_t bits = (1ull << n) - 1;

	if (__builtin_expect(!rows, 0) && !(rows = marks_first(m, p, kind)))
		return false;
	rows[first / 64] |= bits << in_row;
	if (in_row + n > 64)
		rows[first / 64 + 1] |= bits >> (64 - in_row);
	return true;
}

/* The same for a reduction by operation `op` (any number that tells them apart): one that differs from those that the
 * worker has done in this page counts as a store. */
bool marks_reduce(struct marks *m, struct global_page *p, uint32_t op, uint32_t addr, uint32_t bytes);

#endif
