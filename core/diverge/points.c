/* Reconvergence points from the code alone: by isa_ops.edges and post-dominators. */
#include "core/diverge/reconverge.h"

#include "core/isa.h"
#include "core/postdom.h"
#include "core/program.h"

/* The ways that lanes take from a word, as nodes: one a word, the end is node n. */
static void follow(const struct isa_edge edge[2], uint32_t succ[2])
{
	for (int k = 0; k < 2; k++) {
		bool taken = edge[k].kind == EDGE_NEXT || edge[k].kind == EDGE_BRANCH;
		succ[k] = taken ? edge[k].to / 4 : POSTDOM_NONE;
	}
}

static void set_points(struct program *p, uint32_t n, const uint32_t (*succ)[2])
{
	for (uint32_t i = 0; i < n; i++) {
		bool diverges = succ[i][0] != POSTDOM_NONE && succ[i][1] != POSTDOM_NONE;
		bool known = p->reconvergence[i] < n && diverges;
		p->reconvergence[i] = known ? p->reconvergence[i] * 4 : RECONVERGE_NOWHERE;
	}
}

bool reconverge_points(struct program *p, struct arena *a)
{
	struct arena scratch = { 0 };
	uint32_t n = p->code_bytes / 4;
	struct isa_edge (*edge)[2] = arena_alloc(&scratch, (n + 1) * sizeof *edge, _Alignof(struct isa_edge));
	uint32_t (*succ)[2] = arena_alloc(&scratch, (n + 1) * sizeof *succ, _Alignof(uint32_t));

	p->reconvergence = ARENA_ARRAY(a, uint32_t, n + 1);
	bool ok = edge && succ && p->reconvergence && p->target.isa->edges(p, edge);
	for (uint32_t i = 0; ok && i < n; i++)
		follow(edge[i], succ[i]);
	ok = ok && postdominators(n, (const uint32_t (*)[2])succ, p->reconvergence);
	if (ok)
		set_points(p, n, (const uint32_t (*)[2])succ);
	arena_free(&scratch);
	return ok;
}
