/* Value change dump: for each slot mask, pc, depth, state and issue; for each multiprocessor the selected slot, how
 * many warps wait at each barrier, and which warp took a lock last. */
#include <inttypes.h>
#include <stdlib.h>

#include "frontends/trace/export.h"

enum { BARRIERS = 16, OF_SLOT = 5, OF_MP = BARRIERS + 2 };
enum state { EMPTY, WAITS, ISSUES, AT_BARRIER, AT_LOCK };

/* Bits of the wires of a slot; of the mask as many as a warp has lanes. */
static const struct { const char *name; int bits; } of_slot[OF_SLOT] = {
	{"mask", 0}, {"pc", 22}, {"depth", 8}, {"state", 4}, {"issue", 1},
};
enum { MASK, PC, DEPTH, STATE, ISSUE };

static int bits_of(const struct trace *t, int which)
{
	return which == MASK ? (int)t->lanes : of_slot[which].bits;
}

struct vcd {
	struct timeline line;
	const struct trace *t;
	unsigned *waiting;              /* warps at each barrier of each multiprocessor */
	unsigned char *barrier;         /* the barrier of each slot + 1 */
	unsigned char *block_slot;      /* the first slot of the block that each slot's warp belongs to */
	uint64_t now;                   /* cycle of the last line written */
	unsigned char *owner;           /* slot + 1 of the warp that took a lock last on each multiprocessor */
};

/* Identifiers of VCD are printable words; numbers in base 90 do. */
static const char *word(uint64_t n, char text[8])
{
	int i = 0;
	do
		text[i++] = (char)('!' + n % 90);
	while ((n /= 90) && i < 7);
	text[i] = '\0';
	return text;
}

static uint64_t slot_wire(const struct trace *t, uint64_t mp, uint64_t slot, int which)
{
	return mp * (t->slots * OF_SLOT + OF_MP) + slot * OF_SLOT + (uint64_t)which;
}

static uint64_t mp_wire(const struct trace *t, uint64_t mp, int which)
{
	return slot_wire(t, mp, t->slots, which);
}

static void set(struct vcd *v, uint64_t cycle, uint64_t wire, uint64_t value, int bits)
{
	char id[8], digits[65];
	int n = 0;
	for (int i = bits; i-- > 0;)
		digits[n++] = value >> i & 1 ? '1' : '0';
	digits[n] = '\0';
	if (bits == 1)
		timeline_add(&v->line, cycle, "%s%s", digits, word(wire, id));
	else
		timeline_add(&v->line, cycle, "b%s %s", digits, word(wire, id));
}

static void set_slot(struct vcd *v, const struct wb_event *e, uint64_t cycle, int which, uint64_t value)
{
	set(v, cycle, slot_wire(v->t, e->mp, e->slot, which), value,
	    bits_of(v->t, which));
}

static void barrier(struct vcd *v, const struct wb_event *e, unsigned n, int change)
{
	unsigned *count = &v->waiting[e->mp * BARRIERS + n];
	*count += (unsigned)change;
	set(v, e->cycle, mp_wire(v->t, e->mp, 1 + (int)n), *count, 8);
}

static void leave(struct vcd *v, const struct wb_event *e, unsigned char *at)
{
	if (*at)
		barrier(v, e, *at - 1u, -1);
	*at = 0;
}

/* The warps of a block that a mask names, by their slots. */
static void each_warp(struct vcd *v, const struct wb_event *e, unsigned first, bool starts)
{
	struct wb_event one = *e;
	for (uint64_t left = e->warps; left; left &= left - 1) {
		one.slot = first + (unsigned)__builtin_ctzll(left);
		if (one.slot >= v->t->slots)
			return;
		if (starts)
			v->block_slot[e->mp * v->t->slots + one.slot] = (unsigned char)first;
		else
			leave(v, &one, &v->barrier[e->mp * v->t->slots + one.slot]);
		set_slot(v, &one, e->cycle, STATE, WAITS);
	}
}

static void own(struct vcd *v, const struct wb_event *e)
{
	char id[8];
	uint64_t wire = mp_wire(v->t, e->mp, 1 + BARRIERS);
	if (e->kind == WB_EVENT_LOCK_TAKE) {
		v->owner[e->mp] = (unsigned char)(e->slot + 1);
		set(v, e->cycle, wire, e->warp, 8);
	} else if (v->owner[e->mp] == e->slot + 1) {
		v->owner[e->mp] = 0;
		timeline_add(&v->line, e->cycle, "bz %s", word(wire, id));
	}
}

static void event(struct vcd *v, const struct wb_event *e)
{
	unsigned char *at = &v->barrier[e->mp * v->t->slots + e->slot];
	switch (e->kind) {
	case WB_EVENT_BLOCK_START:
		each_warp(v, e, (unsigned)e->slot, true);
		break;
	case WB_EVENT_BARRIER_RELEASE:
		each_warp(v, e, v->block_slot[e->mp * v->t->slots + e->slot], false);
		break;
	case WB_EVENT_ISSUE:
		leave(v, e, at);
		set_slot(v, e, e->cycle, MASK, e->executed);
		set_slot(v, e, e->cycle, PC, e->pc);
		set_slot(v, e, e->cycle, DEPTH, e->depth);
		set_slot(v, e, e->cycle, STATE, ISSUES);
		set_slot(v, e, e->cycle, ISSUE, 1);
		set(v, e->cycle, mp_wire(v->t, e->mp, 0), e->slot, 6);
		set_slot(v, e, e->cycle + v->t->issue_cycles, ISSUE, 0);
		set_slot(v, e, e->cycle + v->t->issue_cycles, STATE, WAITS);
		break;
	case WB_EVENT_BARRIER_WAIT:
		*at = (unsigned char)(e->barrier % BARRIERS + 1);
		barrier(v, e, *at - 1u, 1);
		set_slot(v, e, e->cycle + v->t->issue_cycles, STATE, AT_BARRIER);
		break;
	case WB_EVENT_LOCK_WAIT:
		set_slot(v, e, e->cycle, STATE, AT_LOCK);
		break;
	case WB_EVENT_LOCK_TAKE:
	case WB_EVENT_LOCK_RELEASE:
		own(v, e);
		break;
	case WB_EVENT_WARP_END:
		set_slot(v, e, e->cycle + v->t->issue_cycles, STATE, EMPTY);
		break;
	default:
		break;
	}
}

static void wires(const struct trace *t, FILE *f)
{
	char id[8];
	fprintf(f, "$version warpbeam $end\n$timescale 1ns $end\n");
	for (uint32_t mp = 0; mp < t->mps; mp++) {
		fprintf(f, "$scope module mp%u $end\n", mp);
		fprintf(f, "$var wire 6 %s sel $end\n", word(mp_wire(t, mp, 0), id));
		for (int n = 0; n < BARRIERS; n++)
			fprintf(f, "$var wire 8 %s bar%d $end\n", word(mp_wire(t, mp, 1 + n), id), n);
		fprintf(f, "$var wire 8 %s lock_owner $end\n", word(mp_wire(t, mp, 1 + BARRIERS), id));
		for (uint32_t slot = 0; slot < t->slots; slot++) {
			fprintf(f, "$scope module slot%02u $end\n", slot);
			for (int i = 0; i < OF_SLOT; i++)
				fprintf(f, "$var wire %d %s %s $end\n",
					bits_of(t, i),
					word(slot_wire(t, mp, slot, i), id), of_slot[i].name);
			fprintf(f, "$upscope $end\n");
		}
		fprintf(f, "$upscope $end\n");
	}
	fprintf(f, "$enddefinitions $end\n");
}

/* Initial values: no warp owns a lock, everything else is 0. */
static void beginning(const struct trace *t, FILE *f)
{
	char id[8];
	fprintf(f, "#0\n$dumpvars\n");
	for (uint32_t mp = 0; mp < t->mps; mp++) {
		for (int n = 0; n < 1 + BARRIERS; n++)
			fprintf(f, "b0 %s\n", word(mp_wire(t, mp, n), id));
		fprintf(f, "bz %s\n", word(mp_wire(t, mp, 1 + BARRIERS), id));
		for (uint32_t slot = 0; slot < t->slots; slot++)
			for (int i = 0; i < OF_SLOT; i++)
				fprintf(f, "%s%s\n", of_slot[i].bits == 1 ? "0" : "b0 ",
					word(slot_wire(t, mp, slot, i), id));
	}
	fprintf(f, "$end\n");
}

static void write_until(struct export *x, struct vcd *v, uint64_t until)
{
	struct timed line;

	while (timeline_take(&v->line, until, &line)) {
		if (line.cycle != v->now)
			fprintf(x->f, "#%" PRIu64 "\n", line.cycle);
		v->now = line.cycle;
		fprintf(x->f, "%s\n", line.text);
		free(line.text);
	}
}

static void vcd_free(struct export *x)
{
	struct vcd *v = x->state;

	timeline_free(&v->line);
	free(v->waiting);
	free(v->barrier);
	free(v->block_slot);
	free(v->owner);
	free(v);
	x->state = NULL;
}

static bool vcd_begin(struct export *x)
{
	const struct trace *t = x->t;
	size_t slots = (size_t)t->mps * t->slots;
	struct vcd *v = x->state = calloc(1, sizeof *v);

	if (!v)
		return false;
	*v = (struct vcd){.t = t, .waiting = calloc((size_t)t->mps * BARRIERS, sizeof *v->waiting),
			  .barrier = calloc(slots, 1), .block_slot = calloc(slots, 1), .owner = calloc(t->mps, 1)};
	if (!v->waiting || !v->barrier || !v->block_slot || !v->owner) {
		vcd_free(x);
		return false;
	}
	wires(t, x->f);
	beginning(t, x->f);
	return true;
}

static bool vcd_event(struct export *x, const struct wb_event *e)
{
	struct vcd *v = x->state;

	if (x->ordered)
		write_until(x, v, e->cycle);
	event(v, e);
	return !v->line.failed && v->line.bytes <= x->most_bytes;
}

static void vcd_end(struct export *x)
{
	write_until(x, x->state, UINT64_MAX);
	vcd_free(x);
}

const struct export_format export_vcd = {"vcd", vcd_begin, vcd_event, vcd_end};
