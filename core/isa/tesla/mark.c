#include "core/isa/tesla/mark.h"

#include "mem/warp_sets.h"

int tesla_mark_refuse(struct exec *x, const char *why)
{
	x->pages.sets->refused = why;
	return exec_fault(x, FAULT_GLOBAL_UNMAPPED, x->step.executed, 0);
}

/* Element by element, whatever page it is in. */
static bool mark_each(struct exec *x, const struct opnd *o, const uint32_t addr[], enum rw_set kind, unsigned op)
{
	const struct memory *m = x->memory;
	struct worker_sets *marks = x->pages.sets;
	struct warp_sets *warp_sets = x->warp_sets;

	FOR_SET_LANES(l, x->step.executed) {
		uint32_t real;
		bool marked;
		view_address(&m->g[o->bank], addr[l], o->width, &real);
		struct global_page *p = global_page_at(m->global, &x->pages, real);
		marked = kind == REDUCE_SET ? worker_sets_reduce(marks, p, op, real, o->width) :
					       worker_sets_add(marks, p, kind, real, o->width);
		if (!marked)
			return false;
		if (warp_sets && kind == REDUCE_SET)
			warp_sets_reduce(warp_sets, real, o->width, (uint8_t)op);
		else if (warp_sets)
			warp_sets_global(warp_sets, real, warp_sets_element(o->width), kind);
	}
	return true;
}

/* Elements of one page. Neighbours share a row of marks mostly, which is touched when it is left. */
static bool mark_page(struct exec *x, struct global_page *p, const uint32_t addr[], unsigned width, enum rw_set kind)
{
	struct worker_sets *marks = x->pages.sets;
	uint64_t element = (1ull << (width + 3) / 4) - 1, bits = 0, none = 0, *row = &none;
	uint32_t at = UINT32_MAX;

	FOR_SET_LANES(l, x->step.executed) {
		uint32_t word = addr[l] % PAGE_BYTES / 4;
		if (word / 64 != at) {
			*row |= bits;
			at = word / 64;
			bits = 0;
			row = worker_sets_row(marks, p, kind, at);
			if (!row)
				return false;
		}
		bits |= element << word % 64;
	}
	*row |= bits;
	return true;
}

/* Where the view's addresses are, if it is linear and all executing lanes' elements are in one page. */
static struct global_page *one_page(struct exec *x, const struct view *v, const uint32_t addr[], uint32_t real[])
{
	uint32_t bits = (uint32_t)x->step.executed, differ = 0, first;

	if (v->surface || !bits)
		return NULL;
	FOR_LANES(l)
		real[l] = v->base + addr[l];
	first = real[__builtin_ctz(bits)];
	FOR_LANES(l)
		differ |= (real[l] ^ first) & -(bits >> l & 1);
	return differ >> PAGE_BITS ? NULL : global_page_at(x->memory->global, &x->pages, first);
}

int tesla_mark(struct exec *x, const struct opnd *o, const uint32_t addr[], enum rw_set kind, unsigned op)
{
	uint32_t real[LANES];
	struct global_page *p = kind == REDUCE_SET ? NULL : one_page(x, &x->memory->g[o->bank], addr, real);
	bool marked;

	if (p)
		marked = mark_page(x, p, real, o->width, kind);
	else
		marked = mark_each(x, o, addr, kind, op);
	if (p && x->warp_sets)
		warp_sets_global_lanes(x->warp_sets, real, x->step.executed, o->width, kind);
	return marked ? STEP_OK : exec_fault(x, FAULT_GLOBAL_UNMAPPED, x->step.executed, 0);
}
