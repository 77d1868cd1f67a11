/* Places of spilled values in l[]: values never alive together share a place. The blocks stand in reverse postorder; a
 * slot is in use from the earliest access to the latest, and to the end of each loop that begins meanwhile. */
#include "core/compile/allocate.h"

#include <stdlib.h>
#include <string.h>

struct slot {
	uint32_t begin, end;     /* positions of instructions */
	uint32_t bytes, offset;  /* offset in l[], shared */
	bool used;
};

struct span { uint32_t begin, end; };    /* of a loop: positions of its head, and behind its last block */

struct sharing {
	struct ir *f;
	struct slot *slot;       /* by words behind f->local_bytes */
	size_t nslots;
	uint32_t *starts, *ends; /* positions of blocks; ends of loops, by their heads */
};

/* The slot of an access to a spilled value; NULL: the instruction is none. */
static struct slot *slot_of(const struct sharing *s, const struct ir_insn *i)
{
	bool access = (i->op == IR_LD || i->op == IR_ST) && i->space == SPACE_LOCAL &&
		      i->src[0].kind == SOURCE_NUMBER && i->offset >= s->f->local_bytes;
	uint32_t word = access ? (i->offset - s->f->local_bytes) / 4 : 0;

	return access && word < s->nslots ? &s->slot[word] : NULL;
}

static struct slot *home_slot(const struct sharing *s, const struct slot_home *h)
{
	return &s->slot[(h->slot - s->f->local_bytes) / 4];
}

static void extend(struct slot *x, uint32_t position)
{
	x->begin = !x->used || position < x->begin ? position : x->begin;
	x->end = !x->used || position > x->end ? position : x->end;
	x->used = true;
}

static void find_positions(struct sharing *s)
{
	uint32_t position = 0;

	for (size_t n = 0; n < s->f->nblocks; n++) {
		struct ir_block *b = s->f->blocks[n];
		s->starts[b->id] = position++;
		for (struct ir_insn *i = b->head; i; i = i->next) {
			struct slot *x = slot_of(s, i);
			if (x) {
				extend(x, position);
				x->bytes = ptx_bytes((enum ptx_type)i->type);
				x->bytes = i->type == PTX_NONE ? 16 : x->bytes;
			}
			position++;
		}
		for (const struct ir_block *head = b->loop; head; head = head->outer)
			s->ends[head->id] = position;
	}
	for (size_t k = 0; k < s->f->spills.n; k++) {      /* a phi of a loop's head is alive from before the loop */
		const struct ir_insn *def = s->f->spills.homes[k].value->def;
		struct slot *x = home_slot(s, &s->f->spills.homes[k]);
		if (x->used && def->op == IR_PHI)
			extend(x, s->starts[def->block->id] - 1);
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct slot *x = *(struct slot *const *)a, *y = *(struct slot *const *)b;

	return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin) : (x > y) - (x < y);
}

/* Slots in use of a size (0: any), by their begins. */
static struct slot **list_slots(struct sharing *s, uint32_t bytes, size_t *n)
{
	struct slot **list = ptx_new(s->f->m, (s->nslots + 1) * sizeof *list);

	*n = 0;
	for (size_t k = 0; k < s->nslots; k++)
		if (s->slot[k].used && (!bytes || s->slot[k].bytes == bytes))
			list[(*n)++] = &s->slot[k];
	if (*n)
		qsort(list, *n, sizeof *list, by_begin);
	return list;
}

/* The end of a slot's time, `end`, put off by loops that begin before `end`: the lowest such loop of the stack ends
 * last. */
static uint32_t reach(const struct span *stack, size_t n, uint32_t end)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (stack[middle].begin <= end)
			high = middle;
		else
			low = middle + 1;
	}
	return low < n && stack[low].end > end ? stack[low].end : end;
}

/* A value from before a loop whose last reader stands behind the loop's begin is alive in all turns of the loop: the
 * block behind an exit may have its place among the loop's blocks. Slots and loops are visited from the last begin to
 * the first; the stack holds the loops with later begins, without any that ends before an earlier loop does. */
static void extend_over_loops(struct sharing *s)
{
	size_t n, top = 0;
	struct slot **list = list_slots(s, 0, &n);
	struct span *stack = ptx_new(s->f->m, (s->f->nblocks + 1) * sizeof *stack);

	for (size_t k = s->f->nblocks; k--;) {
		uint32_t id = s->f->blocks[k]->id, begin = s->starts[id], end = s->ends[id];
		for (; n && list[n - 1]->begin >= begin; n--)
			list[n - 1]->end = reach(stack, top, list[n - 1]->end);
		if (!end) /* no loop begins here */
			continue;
		end = reach(stack, top, end);
		while (top && stack[top - 1].end <= end)
			top--;
		stack[top++] = (struct span){ begin, end };
	}
}

/* Places for all slots of a size, from byte `at` of l[] on; the byte behind the last. */
static uint32_t place_all(struct sharing *s, uint32_t bytes, uint32_t at)
{
	size_t n;
	struct slot **list = list_slots(s, bytes, &n);
	struct heap busy = { 0 };        /* the slot of each place so far, by its end */

	for (size_t k = 0; k < n; k++) {
		if (busy.n && busy.c[0].weight < list[k]->begin) {
			list[k]->offset = busy.c[0].id;
			heap_pop(&busy);
		} else {
			list[k]->offset = at;
			at += bytes;
		}
		heap_push(s->f, &busy, (struct candidate){ list[k]->end, list[k]->offset });
	}
	return at;
}

void share_slots(struct ir *f)
{
	struct sharing s = { .f = f, .nslots = f->spills.bytes / 4 };
	uint32_t at = f->local_bytes;

	if (!s.nslots || f->headless)
		return;
	s.slot = ptx_new(f->m, s.nslots * sizeof *s.slot);
	s.starts = ptx_new(f->m, f->nblocks * sizeof *s.starts);
	s.ends = ptx_new(f->m, f->nblocks * sizeof *s.ends);
	find_positions(&s);
	extend_over_loops(&s);
	for (uint32_t bytes = 16; bytes >= 4; bytes /= 2)
		at = place_all(&s, bytes, at);
	for (size_t n = 0; n < f->nblocks; n++)
		for (struct ir_insn *i = f->blocks[n]->head; i; i = i->next) {
			struct slot *x = slot_of(&s, i);
			if (x)
				i->offset = x->offset;
		}
	for (size_t k = 0; k < f->spills.n; k++)
		f->spills.homes[k].slot = home_slot(&s, &f->spills.homes[k])->offset;
	f->spills.bytes = at - f->local_bytes;
}
