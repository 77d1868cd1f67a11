/* What the code alone says of lanes that part: where they meet, and which loops wait for other lanes. */
#include "core/isa/tesla/reconverge.h"

#include "core/diverge/reconverge.h"
#include "core/isa/table.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/flow.h"

bool reconverge_find(struct program *p, bool joins, struct arena *a)
{
	if (!reconverge_points(p, a))
		return false;
	for (uint32_t i = 0; joins && i < p->code_bytes / 4; i++)
		if (p->reconvergence[i] != RECONVERGE_NOWHERE)
			p->insn[p->reconvergence[i] / 4].acts = MARK_JOIN;
	return true;
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
