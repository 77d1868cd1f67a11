/* The executors of gcn.def by number. */
#ifndef WB_CORE_ISA_GCN_OPS_H
#define WB_CORE_ISA_GCN_OPS_H

enum gcn_exec {
	GCN_EXEC_none,
#define EVERY(name, class) GCN_EXEC_##name,
#include "core/isa/gcn/gcn.def"
	GCN_EXEC_COUNT
};

/* Conditions of the rows of kind BRANCH, on the wavefront's scalar state. */
#define GCN_CONDITIONS(X) \
	X(s_cbranch_scc0, !g->scc) \
	X(s_cbranch_scc1, g->scc) \
	X(s_cbranch_vccz, !gcn_vcc(g)) \
	X(s_cbranch_vccnz, gcn_vcc(g)) \
	X(s_cbranch_execz, !gcn_pair(g, CODE_EXEC)) \
	X(s_cbranch_execnz, gcn_pair(g, CODE_EXEC))

#endif
