/* States in the vectors of one GCN instruction, and cases in which their oracle, Multi2Sim, differs from the
 * machine. */
#ifndef WB_BENCH_LABORATORY_VECTORS_GCN_STATE_H
#define WB_BENCH_LABORATORY_VECTORS_GCN_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum { SCALARS = 104, VECTORS = 8, CODE_VCC = 106, CODE_M0 = 124, CODE_EXEC = 126, CODES = 128, GCN_LANES = 64 };

/* All state that an instruction may change. */
struct gcn_state {
	uint32_t s[CODES];      /* SGPRs, vcc, m0, exec by source codes */
	uint32_t v[VECTORS][GCN_LANES];
	uint32_t scc;
};

static inline uint64_t gcn_state_pair(const struct gcn_state *st, unsigned code)
{
	return (uint64_t)st->s[code + 1] << 32 | st->s[code];
}

/* A word with `wanted` by the oracle and `found` on the machine, after the instruction `text` from state `before`: a
 * vector register's lane, or a scalar register (lane 0) by name. Both values are computed: the result of the oracle's
 * mistake, and the instruction's by its documentation. Returns the reason to doubt the oracle if the two are `wanted`
 * and `found`; else NULL. */
const char *gcn_doubt(const struct gcn_state *before, const char *text, const char *name, unsigned lane,
		      uint32_t wanted, uint32_t found);

#endif
