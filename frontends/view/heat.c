/* The kinds of heat, and the reasons behind an instruction's stalls in words. */
#include "frontends/view/heat.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frontends/view/pane.h"

static const struct {
	const char *name, *of, *text;
} heats[HEATS] = {
	[HEAT_AUTO] = {"auto", "", ""},
	[HEAT_LOST] = {"lost", "lane slots lost",
		       "lane slots lost to control flow, charged to the instruction that sent the lanes away"},
	[HEAT_ISSUES] = {"issues", "issues", "warp issues"},
	[HEAT_STALLS] = {"stalls", "cycles stalled",
			 "warp cycles in which a warp stood at the instruction and did not issue it"},
};

const char *heat_name(enum heat h)
{
	return heats[h].name;
}

const char *heat_of_what(enum heat h)
{
	return heats[h].of;
}

const char *heat_text(enum heat h)
{
	return heats[h].text;
}

enum heat heat_find(const char *name)
{
	int h = 0;
	while (h < HEATS && strcmp(heats[h].name, name))
		h++;
	return (enum heat)h;
}

enum heat heat_settled(enum heat h, const struct wb_report *r)
{
	if (h != HEAT_AUTO)
		return h;
	return heat_sum(HEAT_LOST, r) ? HEAT_LOST : r->time.slot_cycles ? HEAT_STALLS : HEAT_ISSUES;
}

/* Reason 0 counts issues, the last reason empty warp slots: no stalls of an instruction. */
uint64_t heat_stalled(const struct wb_pc *p)
{
	uint64_t cycles = 0;
	for (unsigned k = 1; k + 1 < wb_stalls(); k++)
		cycles += p->stalls[k];
	return cycles;
}

uint64_t heat_value(enum heat h, const struct wb_pc *p)
{
	return h == HEAT_STALLS ? heat_stalled(p) : h == HEAT_ISSUES ? p->issues : p->lost;
}

uint64_t heat_most(enum heat h, const struct wb_report *r)
{
	uint64_t most = 0;
	for (unsigned i = 0; i < r->npcs; i++)
		most = heat_value(h, &r->pcs[i]) > most ? heat_value(h, &r->pcs[i]) : most;
	return most;
}

uint64_t heat_sum(enum heat h, const struct wb_report *r)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < r->npcs; i++)
		sum += heat_value(h, &r->pcs[i]);
	return sum;
}

/* " from 0x28 0x30": the producers of most of it. */
static size_t producers(const struct wb_report *r, uint32_t pc, unsigned reason, uint64_t cycles, char *text,
			size_t size)
{
	enum { NAMED = 2 };
	unsigned named = 0;
	size_t n = 0;
	for (unsigned i = 0; i < r->ncauses && named < NAMED; i++) {
		const struct wb_cause *c = &r->causes[i];
		if (c->pc != pc || c->reason != reason || c->cycles < cycles / 10 || n + 1 >= size)
			continue;
		n += (size_t)snprintf(text + n, size - n, "%s0x%" PRIx32, named++ ? " " : " from ", c->producer);
	}
	return n < size ? n : size - 1;
}

void heat_reasons(const struct wb_report *r, const struct wb_pc *p, char *text, size_t size)
{
	uint64_t all = heat_stalled(p);
	unsigned said = 0;
	size_t n = 0;
	*text = '\0';
	while (n + 1 < size) {
		unsigned next = 0;
		char number[32];
		for (unsigned k = 1; k + 1 < wb_stalls(); k++)
			if (!(said >> k & 1) && (!next || p->stalls[k] > p->stalls[next]))
				next = k;
		if (!next || !p->stalls[next] || p->stalls[next] < all / 100)
			return;
		said |= 1u << next;
		n += (size_t)snprintf(text + n, size - n, "%s%s %s", n ? ", " : "", wb_stall_name(next),
				      pane_number(number, p->stalls[next]));
		if (n + 1 < size)
			n += producers(r, p->pc, next, p->stalls[next], text + n, size - n);
	}
}

/* "s[] 32 passes, 2 at best", "g[] 16 transactions, 1,024 bytes, 64 useful (6 %)". */
static int access_text(const struct wb_access_cost *a, char *text, size_t size)
{
	char passes[32], best[32], transactions[32], bytes[32], useful[32];
	if (a->passes)
		return snprintf(text, size, "%s[] %s pass%s%s%s%s, %s bytes", a->space, pane_number(passes, a->passes),
				a->passes == 1 ? "" : "es", a->passes > a->groups ? ", " : "",
				a->passes > a->groups ? pane_number(best, a->groups) : "",
				a->passes > a->groups ? " at best" : "", pane_number(useful, a->useful_bytes));
	return snprintf(text, size, "%s[] %s transaction%s, %s bytes, %s useful (%.0f %%)", a->space,
			pane_number(transactions, a->transactions), a->transactions == 1 ? "" : "s",
			pane_number(bytes, a->bytes), pane_number(useful, a->useful_bytes),
			a->bytes ? 100 * (double)a->useful_bytes / (double)a->bytes : 0);
}

void heat_accesses(const struct wb_report *r, uint32_t pc, char *text, size_t size)
{
	size_t n = 0;
	*text = '\0';
	for (unsigned i = 0; i < r->naccesses && n + 1 < size; i++) {
		if (r->accesses[i].pc != pc)
			continue;
		n += n ? (size_t)snprintf(text + n, size - n, ", ") : 0;
		n += n < size ? (size_t)access_text(&r->accesses[i], text + n, size - n) : 0;
	}
}

void heat_notes(const struct wb_report *r, const struct wb_pc *p, char *text, size_t size)
{
	char accesses[160];
	heat_reasons(r, p, text, size);
	heat_accesses(r, p->pc, accesses, sizeof accesses);
	size_t n = strlen(text);
	if (*accesses)
		snprintf(text + n, size - n, "%s%s", n ? "; " : "", accesses);
}
