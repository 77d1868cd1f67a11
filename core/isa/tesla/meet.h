/* Where instructions lead, and where lanes that part at a branch meet again: the branch's immediate post-dominator. */
#ifndef WB_CORE_ISA_TESLA_MEET_H
#define WB_CORE_ISA_TESLA_MEET_H

#include "core/program.h"

/* isa_ops.edges. */
bool tesla_edges(const struct program *p, struct isa_edge (*edge)[2]);

/* Fill p->meet for a decoded program, in arena a; `joins`: and mark the places where lanes meet (insn.acts has
 * MARK_JOIN). False: the host has no memory. */
bool meet_find(struct program *p, bool joins, struct arena *a);

#endif
