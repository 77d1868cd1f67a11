/* What vectors of one GCN instruction are about, and where their oracle, Multi2Sim, is not what the machine is. */
#ifndef WB_BENCH_LABORATORY_VECTORS_GCN_STATE_H
#define WB_BENCH_LABORATORY_VECTORS_GCN_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum { SCALARS = 104, VECTORS = 8, CODE_VCC = 106, CODE_M0 = 124, CODE_EXEC = 126, CODES = 128, GCN_LANES = 64 };

/* All that an instruction may change. */
struct gcn_state {
	uint32_t s[CODES];      /* SGPRs, vcc, m0, exec by their source codes */
	uint32_t v[VECTORS][GCN_LANES];
	uint32_t scc;
};

static inline uint64_t gcn_state_pair(const struct gcn_state *st, unsigned code)
{
	return (uint64_t)st->s[code + 1] << 32 | st->s[code];
}

/* A word of which the oracle says `wanted` and the machine `found`, after the instruction `text` from state `before`:
 * a vector register's lane, or a scalar register (lane 0) by its name. Both values are computed: what the oracle's
 * mistake makes of the sources, and what the instruction is by its documentation. Why the oracle is not to be
 * believed, if the two are `wanted` and `found`; else NULL. */
const char *gcn_doubt(const struct gcn_state *before, const char *text, const char *name, unsigned lane,
		      uint32_t wanted, uint32_t found);

#endif
