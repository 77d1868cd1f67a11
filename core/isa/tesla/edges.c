/* Successors of each instruction, from the code alone. Targets that the code does not say are taken as an end: a
 * return, a jump through c[]. */
#include "core/isa/table.h"
#include "core/isa/tesla/reconverge.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/tesla.h"

#define NO_LOOP UINT32_MAX

/* A node is a word of code; the end is node n. */
struct graph {
	const struct program *p;
	uint32_t n;
	struct isa_edge (*edge)[2];
	/* A brk goes to the target of the innermost prebrk: for each reached word, the word of that prebrk by the first
	 * path (code nests, so any path will do). At a prebrk, the entry is the surrounding loop. */
	uint32_t *loop;
	uint32_t *pending, npending;
	bool *seen;
};

static uint32_t node_of(const struct graph *g, uint32_t pc)
{
	return pc / 4 < g->n ? pc / 4 : g->n;
}

static void reach(struct graph *g, uint32_t node, uint32_t loop)
{
	if (node == g->n || g->seen[node])
		return;
	g->seen[node] = true;
	g->loop[node] = loop;
	g->pending[g->npending++] = node;
}

static void edge(struct graph *g, uint32_t from, uint32_t to, enum isa_edge_kind kind)
{
	struct isa_edge *e = g->edge[from];

	e[e[0].kind != EDGE_NONE] = (struct isa_edge){ to * 4, kind };
}

static void go(struct graph *g, uint32_t from, uint32_t to, enum isa_edge_kind kind, uint32_t loop)
{
	edge(g, from, to, kind);
	reach(g, to, loop);
}

static uint32_t target_of(const struct graph *g, const struct insn *in)
{
	return node_of(g, (uint32_t)in->src[0].value);
}

/* The target of lanes that do not go on to the next instruction; g->n for the end. */
static void leave(struct graph *g, uint32_t i, const struct insn *in, uint32_t loop)
{
	uint32_t around = loop == NO_LOOP ? NO_LOOP : g->loop[loop];

	if (in->row->exec == TESLA_EXEC_bra)
		go(g, i, target_of(g, in), EDGE_BRANCH, loop);
	else if (in->row->exec == TESLA_EXEC_brk && loop != NO_LOOP)
		go(g, i, target_of(g, &g->p->insn[loop]), EDGE_BRANCH, around);
	else
		edge(g, i, g->n, EDGE_BRANCH);
}

static void next(struct graph *g, uint32_t i, const struct insn *in, uint32_t loop)
{
	go(g, i, in->marks & MARK_EXIT ? g->n : node_of(g, in->pc + in->length), EDGE_NEXT, loop);
}

static void visit(struct graph *g, uint32_t i)
{
	const struct insn *in = &g->p->insn[i];
	uint32_t loop = g->loop[i];

	if (!in->row) {
		edge(g, i, g->n, EDGE_BRANCH);
		return;
	}
	switch (in->row->exec) {
	case TESLA_EXEC_bra: case TESLA_EXEC_brk: case TESLA_EXEC_ret:
		if (in->pred != PRED_NEVER)
			leave(g, i, in, loop);
		if (in->pred != PRED_ALWAYS)
			next(g, i, in, loop);
		break;
	case TESLA_EXEC_bra_c: case TESLA_EXEC_trap:
		edge(g, i, g->n, EDGE_BRANCH);
		break;
	case TESLA_EXEC_joinat:
		edge(g, i, target_of(g, in), EDGE_RECONVERGE);
		next(g, i, in, loop);
		break;
	case TESLA_EXEC_prebrk:
		edge(g, i, target_of(g, in), EDGE_RECONVERGE);
		next(g, i, in, i);
		break;
	case TESLA_EXEC_call: case TESLA_EXEC_preret:   /* the callee, or the target of a ret, begins anew */
		go(g, i, target_of(g, in), in->row->exec == TESLA_EXEC_call ? EDGE_CALL : EDGE_RECONVERGE, loop);
		next(g, i, in, loop);
		break;
	default:
		next(g, i, in, loop);
	}
}

bool tesla_edges(const struct program *p, struct isa_edge (*out)[2])
{
	struct arena scratch = { 0 };
	struct graph g = { .p = p, .n = p->code_bytes / 4, .edge = out };

	g.loop = ARENA_ARRAY(&scratch, uint32_t, g.n + 1);
	g.pending = ARENA_ARRAY(&scratch, uint32_t, g.n + 1);
	g.seen = ARENA_ARRAY(&scratch, bool, g.n + 1);
	bool ok = g.loop && g.pending && g.seen;
	if (ok)
		reach(&g, node_of(&g, p->entry), NO_LOOP);
	while (g.npending)
		visit(&g, g.pending[--g.npending]);
	arena_free(&scratch);
	return ok;
}

uint32_t tesla_leads(const struct insn *in)
{
	switch (in->row ? in->row->exec : TESLA_EXEC_nop) {
	case TESLA_EXEC_bra: case TESLA_EXEC_call: case TESLA_EXEC_preret: case TESLA_EXEC_prebrk:
	case TESLA_EXEC_joinat:
		return (uint32_t)in->src[0].value;
	case TESLA_EXEC_bra_c:
		return PC_ANYWHERE;
	default:
		return PC_NOWHERE;
	}
}
