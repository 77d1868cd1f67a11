/* Reconvergence points from the code alone. */
#include "core/isa/tesla/reconverge.h"

#include "core/isa/table.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/flow.h"
#include "core/postdom.h"

/* The ways that lanes take from a word, as nodes: one a word, the end is node n. */
static void follow(const struct isa_edge edge[2], uint32_t succ[2])
{
	for (int k = 0; k < 2; k++) {
		bool taken = edge[k].kind == EDGE_NEXT || edge[k].kind == EDGE_BRANCH;
		succ[k] = taken ? edge[k].to / 4 : POSTDOM_NONE;
	}
}

static void set_points(struct program *p, bool joins, uint32_t n, const uint32_t (*succ)[2])
{
	for (uint32_t i = 0; i < n; i++) {
		bool diverges = succ[i][0] != POSTDOM_NONE && succ[i][1] != POSTDOM_NONE;
		bool known = p->reconvergence[i] < n && diverges;
		if (known && joins)
			p->insn[p->reconvergence[i]].acts = MARK_JOIN;
		p->reconvergence[i] = known ? p->reconvergence[i] * 4 : RECONVERGE_NOWHERE;
	}
}

bool reconverge_find(struct program *p, bool joins, struct arena *a)
{
	struct arena scratch = { 0 };
	uint32_t n = p->code_bytes / 4;
	struct isa_edge (*edge)[2] = arena_alloc(&scratch, (n + 1) * sizeof *edge, _Alignof(struct isa_edge));
	uint32_t (*succ)[2] = arena_alloc(&scratch, (n + 1) * sizeof *succ, _Alignof(uint32_t));

	p->reconvergence = ARENA_ARRAY(a, uint32_t, n + 1);
	bool ok = edge && succ && p->reconvergence && tesla_edges(p, edge);
	for (uint32_t i = 0; ok && i < n; i++)
		follow(edge[i], succ[i]);
	ok = ok && postdominators(n, (const uint32_t (*)[2])succ, p->reconvergence);
	if (ok)
		set_points(p, joins, n, (const uint32_t (*)[2])succ);
	arena_free(&scratch);
	return ok;
}

/* ---- loops that spin ---- */

enum { PORT_A = TESLA_SCOREBOARD - 8 };         /* of $a0 (tesla_ports) */

static bool writes(const struct program *p, uint32_t from, uint32_t to, unsigned port)
{
	for (uint32_t pc = from; pc <= to; pc += p->insn[pc / 4].length) {
		struct ports ports;
		tesla_ports(p, &p->insn[pc / 4], &ports);
		for (unsigned i = 0; i < ports.nwrite; i++)
			if (ports.write[i] == port)
				return true;
	}
	return false;
}

/* Does the program store to the s[] address of a load? Parameters are in s[] as well, and never change. */
static bool is_stored(const struct program *p, const struct opnd *load)
{
	for (uint32_t i = 0; i < p->code_bytes / 4; i++) {
		const struct insn *in = &p->insn[i];
		const struct opnd *o = &in->dst;
		if (in->row && in->row->exec == TESLA_EXEC_st_s && (o->addr_reg || o->value == load->value))
			return true;
	}
	return false;
}

/* Does an instruction of the loop [from, to] look for a change by other lanes? */
static bool watches(const struct program *p, const struct insn *in, uint32_t from, uint32_t to)
{
	const struct opnd *o = &in->src[0];

	switch (in->row ? in->row->exec : TESLA_EXEC_nop) {
	case TESLA_EXEC_atom_g:
		return true;
	case TESLA_EXEC_ld_s:
		if (in->mod[MOD_OP] == 1)
			return true;
		return is_stored(p, o) && (!o->addr_reg || !writes(p, from, to, PORT_A + o->addr_reg));
	case TESLA_EXEC_ld_g:
		return !writes(p, from, to, o->reg);
	default:
		return false;
	}
}

static bool spins(const struct program *p, uint32_t from, uint32_t to)
{
	for (uint32_t pc = from; pc <= to; pc += p->insn[pc / 4].length) {
		if (!p->insn[pc / 4].length)
			return false;
		if (watches(p, &p->insn[pc / 4], from, to))
			return true;
	}
	return false;
}

void reconverge_spins(struct program *p)
{
	for (uint32_t i = 0; i < p->code_bytes / 4; i++) {
		struct insn *in = &p->insn[i];
		uint32_t target = (uint32_t)in->src[0].value;
		if (in->row && in->row->exec == TESLA_EXEC_bra && target % 4 == 0 && target <= in->pc &&
		    spins(p, target, in->pc))
			in->acts |= ACTS_SPINS;
	}
}
