/* Accesses of all lanes to words of g[] side by side, of handlers and of native paths. */
#ifndef WB_CORE_ISA_TESLA_MEMORY_RUNS_H
#define WB_CORE_ISA_TESLA_MEMORY_RUNS_H

#include "core/isa/lane_runs.h"

/* False: not usual, and nothing has happened. */
static inline bool tesla_load_run(struct exec *x, unsigned bank, const struct row *addresses, struct row *to)
{
	const uint8_t *at = lane_global_words(x, bank, addresses->lane);

	if (!at)
		return false;
	words_load(to->lane, at, LANES);
	lane_count_global(x, false);
	return true;
}

/* Likewise. */
static inline bool tesla_store_run(struct exec *x, unsigned bank, const struct row *addresses, const struct row *v)
{
	uint8_t *at = x->memory->global->undo ? NULL : lane_global_words(x, bank, addresses->lane);

	if (!at)
		return false;
	x->changes += words_store(at, v->lane, LANES);
	x->progress++;
	lane_count_global(x, true);
	return true;
}

#endif
