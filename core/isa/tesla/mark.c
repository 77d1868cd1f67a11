#include "core/isa/tesla/mark.h"

#include "mem/claims.h"

int tesla_mark_refuse(struct exec *x, const char *why)
{
	x->pages.marks->refused = why;
	return exec_fault(x, FAULT_GLOBAL_UNMAPPED, x->step.executed, 0);
}

/* Element by element, whatever page it is in. */
static bool mark_each(struct exec *x, const struct opnd *o, const uint32_t addr[], enum mark kind, unsigned op)
{
	const struct memory *m = x->memory;
	struct marks *marks = x->pages.marks;
	struct claims *claims = x->claims;

	FOR_SET_LANES(l, x->step.executed) {
		uint32_t real;
		bool marked;
		view_address(&m->g[o->bank], addr[l], o->width, &real);
		struct global_page *p = global_page_at(m->global, &x->pages, real);
		marked = kind == MARK_REDUCE ? marks_reduce(marks, p, op, real, o->width) :
					       marks_words(marks, p, kind, real, o->width);
		if (!marked)
			return false;
		if (claims && kind == MARK_REDUCE)
			claims_reduce(claims, real, o->width, (uint8_t)op);
		else if (claims)
			claims_global(claims, real, claims_element(o->width), kind);
	}
	return true;
}

/* Elements of one page. Neighbours share a row of marks mostly, which is touched when it is left. */
static bool mark_page(struct exec *x, struct global_page *p, const uint32_t addr[], unsigned width, enum mark kind)
{
	struct marks *marks = x->pages.marks;
	uint64_t element = (1ull << (width + 3) / 4) - 1, bits = 0, none = 0, *row = &none;
	uint32_t at = UINT32_MAX;

	FOR_SET_LANES(l, x->step.executed) {
		uint32_t word = addr[l] % PAGE_BYTES / 4;
		if (word / 64 != at) {
			*row |= bits;
			at = word / 64;
			bits = 0;
			row = marks_row(marks, p, kind, at);
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

int tesla_mark(struct exec *x, const struct opnd *o, const uint32_t addr[], enum mark kind, unsigned op)
{
	uint32_t real[LANES];
	struct global_page *p = kind == MARK_REDUCE ? NULL : one_page(x, &x->memory->g[o->bank], addr, real);
	bool marked;

	if (p)
		marked = mark_page(x, p, real, o->width, kind);
	else
		marked = mark_each(x, o, addr, kind, op);
	if (p && x->claims)
		claims_global_lanes(x->claims, real, x->step.executed, o->width, kind);
	return marked ? STEP_OK : exec_fault(x, FAULT_GLOBAL_UNMAPPED, x->step.executed, 0);
}
