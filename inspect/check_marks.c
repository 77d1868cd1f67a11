/* The checkers of what source or host alone say. By marks in code compiled for the checks: copies and waits by all
 * work-items of a group, and indexes beyond their arrays. Of accesses: their alignment, and the uses of their buffer.
 *
 * A copy or a wait is a mark, followed by MARK_BITS marks for bits of its arguments. Lanes with other arguments part at
 * a bit. The warps of a block must leave the same sequence. */
#include <inttypes.h>

#include "inspect/check.h"
#include "inspect/launch.h"
#include "mem/mem.h"

/* What `other` of a finding says beside the pc; check.c has 0 to 2. */
enum { APART = 3, DIFFERS, MISSED, UNWAITED, NO_EVENT };

static bool copies(const struct wb_launch *l, uint32_t pc)
{
	return l->check->ports[pc / 4].event == MARK_COPY + 1;
}

static const char *call_name(const struct wb_launch *l, uint32_t pc)
{
	return copies(l, pc) ? "a copy by the group" : "a wait for events";
}

/* Lanes of the warp that do not execute the mark. */
static bool lanes_lack(const struct exec *x)
{
	const struct warp *w = x->warp;

	return x->step.executed != (w->launched & ~w->in_state[LANE_EXITED]);
}

static void found_apart(struct wb_launch *l, struct exec *x, unsigned other, uint32_t pc, const char *what)
{
	x->block->check->meetings->apart = 1;
	check_found(l, CHECK_BARRIER, pc, other, "%s at pc 0x%x: block %u warp %u lanes 0x%0*" PRIx64 " %s",
		    call_name(l, pc), pc, x->block->index, x->warp->id, mask_digits(l), x->step.executed, what);
}

static void begin(struct wb_launch *l, struct exec *x, struct warp_meetings *m)
{
	bool copy = copies(l, x->step.pc);

	m->present = (struct meeting){ .pc = x->step.pc };
	m->bits = MARK_BITS;
	m->unwaited = copy;
	if (copy)
		m->copy = x->step.pc;
	if (lanes_lack(x)) {
		found_apart(l, x, APART, x->step.pc, "are there, others are elsewhere");
		m->bits = 0;
	}
}

/* The warp's copy or wait has its arguments: the next of the block, or the same as another warp's. */
static void meet(struct wb_launch *l, struct exec *x, struct block_meetings *b, struct warp_meetings *m)
{
	const struct meeting *same = &b->meeting[m->n % MEETINGS_MAX];

	if (m->n == b->n) {
		b->meeting[b->n++ % MEETINGS_MAX] = m->present;
	} else if (b->n - m->n <= MEETINGS_MAX && !b->apart) {
		if (same->pc != m->present.pc)
			found_apart(l, x, MISSED, m->present.pc, "are there, another warp is at another copy or wait");
		else if (same->arguments != m->present.arguments)
			found_apart(l, x, DIFFERS, m->present.pc, "have other arguments than another warp");
	}
	m->n++;
}

static void take_bit(struct wb_launch *l, struct exec *x, struct warp_meetings *m, uint32_t bit)
{
	if (!m->bits)
		return;
	if (lanes_lack(x)) {
		found_apart(l, x, DIFFERS, m->present.pc, "have other arguments than others");
		m->bits = 0;
		return;
	}
	m->present.arguments = m->present.arguments << 1 | bit;
	if (!--m->bits)
		meet(l, x, x->block->check->meetings, m);
}

static void check_call(struct wb_launch *l, struct exec *x, unsigned event)
{
	struct warp_meetings *m = &x->block->check->met[x->warp->id];

	if (event == MARK_ZERO || event == MARK_ONE)
		take_bit(l, x, m, event == MARK_ONE);
	else if (event == MARK_COPY || event == MARK_WAIT)
		begin(l, x, m);
	else if (event == MARK_NO_EVENT)
		check_found(l, CHECK_BARRIER, x->step.pc, NO_EVENT,
			    "a wait at pc 0x%x for an event that no copy has made: block %u warp %u lanes 0x%0*" PRIx64,
			    x->step.pc, x->block->index, x->warp->id, mask_digits(l), x->step.executed);
}

void check_mark(struct wb_launch *l, struct exec *x, unsigned event)
{
	const struct check *c = l->check;

	if (event != MARK_INDEX && c->on[CHECK_BARRIER])
		check_call(l, x, event);
	if (event == MARK_INDEX && c->on[CHECK_BOUNDS])
		check_found(l, CHECK_BOUNDS, x->step.pc, BOUNDS_INDEX, "an index beyond its array at pc 0x%x: "
			    "block %u warp %u lanes 0x%0*" PRIx64, x->step.pc, x->block->index, x->warp->id,
			    mask_digits(l), x->step.executed);
}

void check_copies_end(struct wb_launch *l, const struct block *b, const struct warp *w)
{
	const struct warp_meetings *m = &b->check->met[w->id];

	if (m->unwaited)
		check_found(l, CHECK_BARRIER, m->copy, UNWAITED, "a copy by the group at pc 0x%x: "
			    "block %u warp %u ends without a wait for its event", m->copy, b->index, w->id);
}

void check_meetings_end(struct wb_launch *l, const struct block *b)
{
	const struct block_meetings *all = b->check->meetings;

	for (uint32_t w = 0; w < l->check->warps && !all->apart; w++) {
		uint32_t n = b->check->met[w].n, pc = all->meeting[n % MEETINGS_MAX].pc;
		if (n < all->n && all->n - n <= MEETINGS_MAX)
			check_found(l, CHECK_BARRIER, pc, MISSED, "%s at pc 0x%x: block %u warp %u ends without it, "
				    "another warp was there", call_name(l, pc), pc, b->index, w);
	}
}

/* A buffer of whole programs that the host made for loads, or for stores, alone. */
static void check_uses(struct wb_launch *l, struct exec *x, const struct piece *p)
{
	const struct buffer *a = l->plan.buffer, *end = a ? a + l->plan.nbuffers : a;
	unsigned kind = p->access->kind;
	char name[PLACE_NAME];

	while (a < end && (p->addr < a->addr || p->addr - a->addr >= a->bytes))
		a++;
	if (a == end || !(kind == ACCESS_LOAD ? a->no_loads : kind == ACCESS_STORE ? a->no_stores :
			  a->no_loads || a->no_stores) || check_counted(l, CHECK_BOUNDS, x->step.pc, BOUNDS_FORBIDDEN))
		return;
	check_found(l, CHECK_BOUNDS, x->step.pc, BOUNDS_FORBIDDEN,
		    "%s of %u bytes at g[0x%" PRIx64 "]%s by pc 0x%x, in a buffer that is %s for kernels: "
		    "block %u warp %u lane %u", check_kind_names[kind], p->access->width, p->addr,
		    check_place(l, x, p, name), x->step.pc, a->no_stores ? "read-only" : "write-only",
		    x->block->index, x->warp->id, p->lane);
}

/* With the check of bounds clang splits accesses of packed structs and of vectors (toolchain/opencl/command.c), which
 * may be misaligned. Of elements of 8 bytes, only the alignment of a word is known. */
static void check_alignment(struct wb_launch *l, struct exec *x, const struct piece *p)
{
	uint32_t width = p->access->width, size = width < 4 ? width : 4;
	char name[PLACE_NAME];

	if (p->addr % size && !check_counted(l, CHECK_BOUNDS, x->step.pc, BOUNDS_ALIGNMENT))
		check_found(l, CHECK_BOUNDS, x->step.pc, BOUNDS_ALIGNMENT,
			    "%s of %u bytes at %c[0x%" PRIx64 "]%s by pc 0x%x, which is not divisible by %u: "
			    "block %u warp %u lane %u", check_kind_names[p->access->kind], width,
			    check_space_names[p->access->space], p->addr, check_place(l, x, p, name), x->step.pc, size,
			    x->block->index, x->warp->id, p->lane);
}

void check_compiled(struct wb_launch *l, struct exec *x, const struct piece *p)
{
	if (p->access->space == MEM_GLOBAL)
		check_uses(l, x, p);
	if (l->check->marked && p->access->space != MEM_LOCAL)
		check_alignment(l, x, p);
}
