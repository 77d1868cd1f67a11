/* Where instructions lead, and where lanes that diverge at a branch reconverge: at its immediate post-dominator. */
#ifndef WB_CORE_ISA_TESLA_RECONVERGE_H
#define WB_CORE_ISA_TESLA_RECONVERGE_H

#include "core/program.h"

/* isa_ops.edges. */
bool tesla_edges(const struct program *p, struct isa_edge (*edge)[2]);
/* isa_ops.leads. */
uint32_t tesla_leads(const struct insn *in);

/* Fill p->reconvergence for a decoded program, in arena a; `joins`: and mark the reconvergence points (insn.acts has
 * MARK_JOIN). False: the host has no memory. */
bool reconverge_find(struct program *p, bool joins, struct arena *a);

/* Mark branches back, to an earlier pc, in loops that wait for a change of memory (insn.acts has ACTS_SPINS): a branch
 * of the loop depends on an atomic that returns a value, on a lock, or on a load from an address that the loop does not
 * change. Compilers put a YIELD into such loops. False: the host has no memory. */
bool reconverge_spins(struct program *p);

#endif
