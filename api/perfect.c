#include "api/perfect.h"

#include <string.h>

#include "api/internal.h"
#include "core/visits.h"

static size_t rows_of(const struct wb_launch *l)
{
	return l->code.code_bytes / 4 + 3;
}

bool perfect_room(struct wb_launch *l, struct block *b)
{
	if (config_number(l->config, OPT_PERFECT) != 1)
		return true;
	for (unsigned i = 0; i < l->warps; i++) {
		b->warp[i].visits = ARENA_ARRAY(&l->state, struct row, rows_of(l));
		if (!b->warp[i].visits)
			return false;
	}
	return true;
}

void perfect_block(struct wb_launch *l, struct mp *mp, struct block *b)
{
	uint32_t counts[BLOCK_WARPS_MAX * LANES];

	if (!b->warp[0].visits)
		return;
	for (unsigned w = 0; w < b->nwarps; w++)
		visits_settle(b->warp[w].visits, &l->code);
	for (uint32_t i = 0; i < l->code.code_bytes / 4; i++) {
		for (unsigned w = 0; w < b->nwarps; w++)
			memcpy(counts + w * LANES, b->warp[w].visits[i].lane, sizeof(struct row));
		mp->perfect_issues += visits_packed(counts, b->nwarps * LANES);
	}
	for (unsigned w = 0; w < b->nwarps; w++)
		memset(b->warp[w].visits, 0, rows_of(l) * sizeof(struct row));
}
