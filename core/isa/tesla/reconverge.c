/* Reconvergence points from the code alone. */
#include "core/isa/tesla/reconverge.h"

#include "core/isa/table.h"
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
