/* Most addresses in the state stay from the preparation of the machine to its end, and the machine of the same plan is
 * prepared with the same addresses, at other places of the host's memory: they are not written at all, as a saved run
 * is the words that differ from the prepared state. The tables below have the addresses that a run changes. An address
 * that a run changes without a row here would differ from process to process, and the test `save` compares the bytes of
 * two. */
#include "device/saving_image.h"

#include <string.h>

#include "core/base/rng.h"
#include "core/isa/code.h"
#include "inspect/time_travel.h"
#include "machine/epochs.h"

/* What an address points to, or VOID: the member means nothing between two turns, and is zero in an image. */
enum target { VOID, TO_WARP, TO_BLOCK, TO_OP };

struct member {
	size_t offset, bytes;           /* in the object; of the member */
	enum target to;
};

static const struct member of_exec[] = {
	{ offsetof(struct exec, warp), sizeof(void *), TO_WARP },
	{ offsetof(struct exec, block), sizeof(void *), TO_BLOCK },
	{ offsetof(struct exec, pages.slot), sizeof ((struct page_cache *)NULL)->slot, VOID },
	{ offsetof(struct exec, step), sizeof(struct step), VOID },
	{ offsetof(struct exec, run.remaining), sizeof(uint64_t), VOID },
	{ offsetof(struct exec, run.over), offsetof(struct exec_run, single) - offsetof(struct exec_run, over), VOID },
	{ offsetof(struct exec, run.leashed), sizeof(struct exec_run) - offsetof(struct exec_run, leashed), VOID },
};
static const struct member of_warp[] = {
	{ offsetof(struct warp, block), sizeof(void *), TO_BLOCK },
};
static const struct member of_slot[] = {
	{ offsetof(struct slot, next), sizeof(void *), TO_OP },
};
static const struct member of_request[] = {
	{ offsetof(struct request, access.op), sizeof(void *), TO_OP },
};

/* A pass over the members of an image: addresses to numbers, or back. */
struct pass {
	const struct machine *m;
	const struct mp *mp;            /* the multiprocessor of the present object */
	uint8_t *image;
	const uint8_t *prepared;        /* NULL: addresses become numbers */
	bool bad;
};

/* ---- numbers of objects: 1 for the first, 0 for none ---- */

static uint64_t number_in(const void *p, const void *first, size_t size, uint64_t n)
{
	uintptr_t at = (uintptr_t)p - (uintptr_t)first;

	return (uintptr_t)p >= (uintptr_t)first && at / size < n && at % size == 0 ? 1 + at / size : 0;
}

static uint64_t ops_of_plan(const struct plan *p)
{
	return (uint64_t)(p->code.code_bytes / 4 + 1) * plan_simds(p);
}

static uint64_t number_of(const struct pass *s, const void *p, enum target to)
{
	const struct plan *plan = s->m->plan;
	unsigned warps = plan->dim.warps;
	uint64_t n = 0;

	if (!p)
		return 0;
	switch (to) {
	case TO_OP:
		return number_in(p, plan->issue.ops, sizeof *plan->issue.ops, ops_of_plan(plan));
	case TO_BLOCK:
		for (unsigned k = 0; k < s->mp->nresident && !n; k++)
			n = p == &s->mp->resident[k].block ? 1 + k : 0;
		return n;
	case TO_WARP:
		for (unsigned k = 0; k < s->mp->nresident && !n; k++)
			if ((n = number_in(p, s->mp->resident[k].block.warp, sizeof(struct warp), warps)))
				n += (uint64_t)k * warps;
		return n;
	default:
		return 0;
	}
}

/* The address of object number n; NULL also where there is none. */
static const void *object_of(const struct pass *s, uint64_t n, enum target to)
{
	const struct plan *plan = s->m->plan;
	unsigned warps = plan->dim.warps;

	if (!n--)
		return NULL;
	switch (to) {
	case TO_OP:
		return n < ops_of_plan(plan) ? &plan->issue.ops[n] : NULL;
	case TO_BLOCK:
		return n < s->mp->nresident ? &s->mp->resident[n].block : NULL;
	case TO_WARP:
		return n / warps < s->mp->nresident ? &s->mp->resident[n / warps].block.warp[n % warps] : NULL;
	default:
		return NULL;
	}
}

/* ---- members ---- */

static void one_member(struct pass *s, uint8_t *at, size_t bytes, enum target to)
{
	const void *p;
	uint64_t n = 0;

	if (to == VOID) {
		memset(at, 0, bytes);
		return;
	}
	if (!s->prepared) {
		memcpy(&p, at, sizeof p);
		n = number_of(s, p, to);
		memcpy(at, &n, sizeof p);
		return;
	}
	memcpy(&n, at, sizeof p);
	p = object_of(s, n, to);
	s->bad |= n && !p;
	memcpy(at, &p, sizeof p);
}

/* `at`: the offset of the object in the image. */
static void members(struct pass *s, size_t at, const struct member *row, size_t rows)
{
	for (size_t i = 0; i < rows; i++)
		one_member(s, s->image + at + row[i].offset, row[i].bytes, row[i].to);
}
#define MEMBERS(s, at, table) members(s, at, table, sizeof(table) / sizeof *(table))

/* The addresses in a warp's private state: into the state itself, or constants, which stay as prepared. */
static void private_addresses(struct pass *s, const struct warp *w)
{
	const struct isa_ops *isa = s->m->plan->code.target.isa;
	size_t own = state_offset(s->m, w->state), bytes = isa->warp_bytes(&s->m->plan->code, &s->m->plan->rules);

	for (size_t i = 0; i < isa->warp_addresses.bytes; i += sizeof(uintptr_t)) {
		size_t at = own + isa->warp_addresses.before + i;
		uintptr_t p, state = (uintptr_t)w->state;
		memcpy(&p, s->image + at, sizeof p);
		if (!s->prepared)
			p = p >= state && p - state < bytes ? p - state + 1 : p;
		else if (p && p <= bytes)
			p = p - 1 + state;
		else if (p)
			s->bad |= memcmp(&p, s->prepared + at, sizeof p) != 0;
		memcpy(s->image + at, &p, sizeof p);
	}
}

static void block_members(struct pass *s, const struct block *b)
{
	size_t at = state_offset(s->m, b->warp);

	for (unsigned i = 0; i < s->m->plan->dim.warps; i++) {
		MEMBERS(s, at + i * sizeof *b->warp, of_warp);
		private_addresses(s, &b->warp[i]);
	}
}

static void mp_members(struct pass *s, const struct mp *mp)
{
	const struct plan *p = s->m->plan;
	size_t at;

	s->mp = mp;
	MEMBERS(s, state_offset(s->m, &mp->x), of_exec);
	for (unsigned k = 0; k < mp->nresident; k++)
		block_members(s, &mp->resident[k].block);
	if (!p->timed)
		return;
	at = state_offset(s->m, mp->sched.storage.slot);
	for (unsigned i = 0; i < mp->nresident * p->dim.warps; i++)
		MEMBERS(s, at + i * sizeof(struct slot), of_slot);
	at = state_offset(s->m, mp->request);
	for (size_t i = 0; i < epoch_requests(s->m); i++)
		MEMBERS(s, at + i * sizeof(struct request), of_request);
}

static void all_members(struct pass *s)
{
	for (unsigned i = 0; i < s->m->plan->nmps; i++)
		mp_members(s, &s->m->mp[i]);
}

void state_image(const struct machine *m, uint8_t *image)
{
	state_copy(m, image);
	all_members(&(struct pass){ .m = m, .image = image });
}

bool state_from_image(struct machine *m, uint8_t *image, const uint8_t *prepared)
{
	struct pass s = { .m = m, .image = image, .prepared = prepared };

	all_members(&s);
	if (s.bad)
		return false;
	state_put(m, image);
	return true;
}

uint64_t state_layout(const struct machine *m)
{
	const size_t sizes[] = { sizeof(struct mp), sizeof(struct resident), sizeof(struct warp), sizeof(struct slot),
				 sizeof(struct request), sizeof(struct run_state), m->plan->nmps,
				 m->plan->fit.blocks, m->plan->dim.warps, m->plan->code.code_bytes };
	struct arena_chunk *at = NULL;
	uint64_t h = 0;
	size_t n;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		h = mix64(h + sizes[i]);
	while (arena_piece(&m->state, &at, &n))
		h = mix64(h + n);
	return h;
}
