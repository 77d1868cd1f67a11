#include "mem/marks.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

bool marks_begin(struct mark_set *s, struct global *g, unsigned workers)
{
	uint32_t n = 0;

	*s = (struct mark_set){ .global = g, .workers = workers, .npages = HASH_COUNT(g->pages) };
	s->page = calloc(s->npages + 1, sizeof *s->page);
	s->of = calloc(workers, sizeof *s->of);
	if (!s->page || !s->of)
		return false;
	for (struct global_page *p = g->pages; p; p = p->hh.next) {
		p->index = n;
		p->saved = PAGE_UNSAVED;
		s->page[n++] = p;
	}
	for (unsigned i = 0; i < workers; i++)
		if (!(s->of[i].page = ARENA_ARRAY(&s->of[i].arena, struct page_marks, n + 1)))
			return false;
	return true;
}

void marks_end(struct mark_set *s)
{
	for (uint32_t i = 0; i < s->npages && s->page; i++) {
		free(s->page[i]->before);
		s->page[i]->before = NULL;
	}
	for (unsigned i = 0; i < s->workers && s->of; i++)
		arena_free(&s->of[i].arena);
	free(s->page);
	free(s->of);
	*s = (struct mark_set){ 0 };
}

void marks_undo(struct mark_set *s)
{
	for (uint32_t i = 0; i < s->npages; i++)
		if (s->page[i]->before)
			memcpy(s->page[i]->bytes, s->page[i]->before, PAGE_BYTES);
}

/* Whoever comes first saves the page, the others wait for it. */
static bool save(struct global_page *p)
{
	int state = PAGE_UNSAVED;

	if (__atomic_compare_exchange_n(&p->saved, &state, PAGE_BEING_SAVED, false, __ATOMIC_ACQUIRE,
					__ATOMIC_ACQUIRE)) {
		p->before = malloc(PAGE_BYTES);
		if (p->before)
			memcpy(p->before, p->bytes, PAGE_BYTES);
		state = p->before ? PAGE_SAVED : PAGE_NOT_SAVED;
		__atomic_store_n(&p->saved, state, __ATOMIC_RELEASE);
	}
	while (state == PAGE_BEING_SAVED) {
		sched_yield();
		state = __atomic_load_n(&p->saved, __ATOMIC_ACQUIRE);
	}
	return state == PAGE_SAVED;
}

uint64_t *marks_first(struct marks *m, struct global_page *p, enum mark kind)
{
	uint64_t *rows = kind == MARK_LOAD || save(p) ? ARENA_ARRAY(&m->arena, uint64_t, MARK_ROWS) : NULL;

	if (!rows)
		m->refused = "the host has no memory for more";
	return m->page[p->index].of[kind] = rows;
}

bool marks_reduce(struct marks *m, struct global_page *p, uint32_t op, uint32_t addr, uint32_t bytes)
{
	struct page_marks *of = &m->page[p->index];

	if (!of->of[MARK_REDUCE])
		of->op = op;
	return marks_words(m, p, of->op == op ? MARK_REDUCE : MARK_STORE, addr, bytes);
}

/* ---- do they meet? ---- */

static bool changed(const struct mark_set *s, uint32_t index)
{
	unsigned touched = 0, stored = 0;

	for (unsigned i = 0; i < s->workers; i++) {
		const struct page_marks *p = &s->of[i].page[index];
		touched += p->of[MARK_LOAD] || p->of[MARK_STORE] || p->of[MARK_REDUCE];
		stored += p->of[MARK_STORE] || p->of[MARK_REDUCE];
	}
	return stored && touched > 1;
}

/* What those looked at so far did to a page. */
struct sum {
	uint64_t of[MARKS][MARK_ROWS];
	bool reduced, mixed;            /* mixed: by several operations */
	uint32_t op;
};

static bool meets(struct sum *sum, const struct page_marks *p)
{
	static const uint64_t none[MARK_ROWS];
	const uint64_t *load = p->of[MARK_LOAD] ? p->of[MARK_LOAD] : none;
	const uint64_t *store = p->of[MARK_STORE] ? p->of[MARK_STORE] : none;
	const uint64_t *reduce = p->of[MARK_REDUCE] ? p->of[MARK_REDUCE] : none;
	uint64_t other_op, bad = 0;

	sum->mixed |= sum->reduced && p->of[MARK_REDUCE] && sum->op != p->op;
	other_op = sum->mixed ? ~0ull : 0;

	for (unsigned i = 0; i < MARK_ROWS; i++) {
		uint64_t loads = sum->of[MARK_LOAD][i], stores = sum->of[MARK_STORE][i],
			 reduces = sum->of[MARK_REDUCE][i];

		bad |= (store[i] & (loads | stores | reduces)) | (load[i] & (stores | reduces)) |
		       (reduce[i] & (loads | stores | (reduces & other_op)));
		sum->of[MARK_LOAD][i] = loads | load[i];
		sum->of[MARK_STORE][i] = stores | store[i];
		sum->of[MARK_REDUCE][i] = reduces | reduce[i];
	}
	if (p->of[MARK_REDUCE]) {
		sum->reduced = true;
		sum->op = p->op;
	}
	return bad;
}

bool marks_meet(const struct mark_set *s, uint32_t index)
{
	struct sum sum = { 0 };

	if (!changed(s, index))
		return false;
	for (unsigned i = 0; i < s->workers; i++)
		if (meets(&sum, &s->of[i].page[index]))
			return true;
	return false;
}
