/* Value change dump: for each slot mask, pc, depth, state and issue; for each multiprocessor the selected slot, how
 * many warps wait at each barrier, and who took a lock last. */
#include <inttypes.h>
#include <stdlib.h>

#include "frontends/trace/trace.h"

enum { BARRIERS = 16, OF_SLOT = 5, OF_MP = BARRIERS + 2 };
enum state { EMPTY, WAITS, ISSUES, AT_BARRIER, AT_LOCK };

static const struct { const char *name; int bits; } of_slot[OF_SLOT] = {
	{"mask", 32}, {"pc", 22}, {"depth", 8}, {"state", 4}, {"issue", 1},
};
enum { MASK, PC, DEPTH, STATE, ISSUE };

struct vcd {
	struct timeline line;
	const struct trace *t;
	unsigned *waiting;              /* warps at each barrier of each multiprocessor */
	unsigned char *at;              /* the barrier of each slot + 1 */
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
	    which == MASK && v->t->lanes > 32 ? 64 : of_slot[which].bits);
}

static void barrier(struct vcd *v, const struct wb_event *e, unsigned n, int change)
{
	unsigned *count = &v->waiting[e->mp * BARRIERS + n];
	*count += (unsigned)change;
	set(v, e->cycle, mp_wire(v->t, e->mp, 1 + (int)n), *count, 8);
}

static void event(struct vcd *v, const struct wb_event *e)
{
	unsigned char *at = &v->at[e->mp * v->t->slots + e->slot];
	switch (e->kind) {
	case WB_EVENT_ISSUE:
		if (*at)
			barrier(v, e, *at - 1u, -1);
		*at = 0;
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
		set(v, e->cycle, mp_wire(v->t, e->mp, 1 + BARRIERS), e->warp, 8);
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
					i == MASK && t->lanes > 32 ? 64 : of_slot[i].bits,
					word(slot_wire(t, mp, slot, i), id), of_slot[i].name);
			fprintf(f, "$upscope $end\n");
		}
		fprintf(f, "$upscope $end\n");
	}
	fprintf(f, "$enddefinitions $end\n");
}

bool export_vcd(struct trace *t, FILE *f, struct wb_diag *d)
{
	struct vcd v = {.t = t, .waiting = calloc((size_t)t->mps * BARRIERS, sizeof *v.waiting),
			.at = calloc((size_t)t->mps * t->slots, 1)};
	struct wb_event e;
	uint64_t now = UINT64_MAX;
	while (v.waiting && v.at && trace_next(t, &e, d))
		event(&v, &e);
	timeline_sort(&v.line);
	wires(t, f);
	for (size_t i = 0; i < v.line.n; i++) {
		if (v.line.line[i].cycle != now)
			fprintf(f, "#%" PRIu64 "\n", v.line.line[i].cycle);
		now = v.line.line[i].cycle;
		fprintf(f, "%s\n", v.line.line[i].text ? v.line.line[i].text : "");
	}
	timeline_free(&v.line);
	free(v.waiting);
	free(v.at);
	return d->status == WB_OK;
}
