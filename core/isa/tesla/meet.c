/* Reconvergence points from the code alone. What the code does not say is taken as an end: a return, a jump
 * through c[]. */
#include "core/isa/tesla/meet.h"

#include "core/isa/table.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/tesla.h"
#include "core/postdom.h"

#define NO_LOOP UINT32_MAX

/* One node a word of code; the end is node n. */
struct graph {
	const struct program *p;
	uint32_t n;
	uint32_t (*succ)[2];
	/* A brk goes where the innermost prebrk says: for each word reached, the word of that prebrk by the path
	 * that came first (code nests, so any path will do). The loop around a prebrk is that of its own word. */
	uint32_t *loop;
	uint32_t *todo, ntodo;
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
	g->todo[g->ntodo++] = node;
}

static void edge(struct graph *g, uint32_t from, uint32_t to, uint32_t loop)
{
	uint32_t *s = g->succ[from];

	s[s[0] != POSTDOM_NONE] = to;
	reach(g, to, loop);
}

static uint32_t target_of(const struct graph *g, const struct insn *in)
{
	return node_of(g, (uint32_t)in->src[0].value);
}

/* Where some lanes go that do not go on to the next instruction; g->n for the end. */
static void leave(struct graph *g, uint32_t i, const struct insn *in, uint32_t loop)
{
	uint32_t around = loop == NO_LOOP ? NO_LOOP : g->loop[loop];

	if (in->row->exec == TESLA_EXEC_bra)
		edge(g, i, target_of(g, in), loop);
	else if (in->row->exec == TESLA_EXEC_brk && loop != NO_LOOP)
		edge(g, i, target_of(g, &g->p->insn[loop]), around);
	else
		edge(g, i, g->n, NO_LOOP);
}

static void next(struct graph *g, uint32_t i, const struct insn *in, uint32_t loop)
{
	edge(g, i, in->marks & MARK_EXIT ? g->n : node_of(g, in->pc + in->length), loop);
}

static void visit(struct graph *g, uint32_t i)
{
	const struct insn *in = &g->p->insn[i];
	uint32_t loop = g->loop[i];

	if (!in->row) {
		edge(g, i, g->n, NO_LOOP);
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
		edge(g, i, g->n, NO_LOOP);
		break;
	case TESLA_EXEC_prebrk:
		next(g, i, in, i);
		break;
	case TESLA_EXEC_call: case TESLA_EXEC_preret:   /* the callee, or what a ret comes to, begins anew */
		reach(g, target_of(g, in), loop);
		next(g, i, in, loop);
		break;
	default:
		next(g, i, in, loop);
	}
}

static bool build(struct graph *g, struct arena *a)
{
	g->succ = arena_alloc(a, (g->n + 1) * sizeof *g->succ, _Alignof(uint32_t));
	g->loop = ARENA_ARRAY(a, uint32_t, g->n + 1);
	g->todo = ARENA_ARRAY(a, uint32_t, g->n + 1);
	g->seen = ARENA_ARRAY(a, bool, g->n + 1);
	if (!g->succ || !g->loop || !g->todo || !g->seen)
		return false;
	for (uint32_t i = 0; i < g->n; i++)
		g->succ[i][0] = g->succ[i][1] = POSTDOM_NONE;
	reach(g, node_of(g, g->p->entry), NO_LOOP);
	while (g->ntodo)
		visit(g, g->todo[--g->ntodo]);
	return true;
}

bool meet_find(struct program *p, struct arena *a)
{
	struct arena scratch = { 0 };
	struct graph g = { .p = p, .n = p->code_bytes / 4 };
	bool ok;

	p->meet = ARENA_ARRAY(a, uint32_t, g.n + 1);
	ok = p->meet && build(&g, &scratch) && postdominators(g.n, (const uint32_t (*)[2])g.succ, p->meet);
	for (uint32_t i = 0; ok && i < g.n; i++) {
		bool known = p->meet[i] < g.n && g.succ[i][1] != POSTDOM_NONE;
		if (known)
			p->insn[p->meet[i]].acts = MARK_JOIN;
		p->meet[i] = known ? p->meet[i] * 4 : MEET_NEVER;
	}
	arena_free(&scratch);
	return ok;
}
