/* Successors of each instruction, from the code alone. A node is a word, the end is node n. The opening instruction of
 * a scope names its end, so the way to a word determines the open scopes; code nests, so the first way suffices. */
#include "core/isa/pica/ops.h"
#include "core/isa/pica/state.h"
#include "core/program.h"

#define NONE UINT32_MAX

/* Scopes open at a word: the end of the innermost call, and the word of the innermost LOOP. */
struct open {
	uint32_t call_end, loop;
};

struct graph {
	const struct program *p;
	uint32_t n;
	struct isa_edge (*edge)[2];
	/* by word: target of lanes that arrive from the first half of an IF; NONE: the next word */
	uint32_t *if_end;
	struct open *open;      /* by word */
	uint32_t *pending, npending;
	bool *seen;
};

static uint32_t node_of(const struct graph *g, uint32_t word)
{
	return word < g->n ? word : g->n;
}

static uint32_t target_of(const struct graph *g, const struct insn *in)
{
	return node_of(g, (uint32_t)in->src[0].value / 4);
}

static void go(struct graph *g, uint32_t from, uint32_t to, enum isa_edge_kind kind, struct open open)
{
	struct isa_edge *e = g->edge[from];

	to = node_of(g, to);
	for (int k = 0; k < 2; k++) {           /* a call that ends a loop has a third successor, left out */
		if (e[k].kind == EDGE_NONE) {
			e[k] = (struct isa_edge){ to * 4, kind };
			break;
		}
	}
	if (to == g->n || g->seen[to] || kind == EDGE_RECONVERGE)
		return;
	g->seen[to] = true;
	g->open[to] = open;
	g->pending[g->npending++] = to;
}

/* The word behind a LOOP's body. */
static uint32_t loop_end(const struct graph *g, uint32_t loop)
{
	return loop == NONE ? NONE : target_of(g, program_at(g->p, 4 * loop)) + 1;
}

static bool scope_ends(const struct graph *g, uint32_t next, struct open open)
{
	return next == open.call_end || next == loop_end(g, open.loop) || (next < g->n && g->if_end[next] != NONE);
}

/* On to the next word, or to the successor by the scope that ends there: a LOOP before an IF before a call (spec pica
 * 14). */
static void next(struct graph *g, uint32_t i, struct open open)
{
	if (i + 1 == loop_end(g, open.loop)) {
		go(g, i, open.loop + 1, EDGE_BRANCH, open);
		open.loop = g->open[open.loop].loop;
		go(g, i, i + 1, EDGE_NEXT, open);
	} else if (i + 1 < g->n && g->if_end[i + 1] != NONE) {
		go(g, i, g->if_end[i + 1], EDGE_BRANCH, open);
	} else if (i + 1 == open.call_end) {
		go(g, i, g->n, EDGE_BRANCH, open);
	} else {
		go(g, i, i + 1, EDGE_NEXT, open);
	}
}

static void leave_loop(struct graph *g, uint32_t i, struct open open)
{
	uint32_t to = loop_end(g, open.loop);

	if (open.loop != NONE)
		open.loop = g->open[open.loop].loop;
	go(g, i, to, EDGE_BRANCH, open);
}

static void enter_if(struct graph *g, uint32_t i, const struct insn *in, struct open open)
{
	uint32_t target = target_of(g, in);

	if (target < g->n && in->mod[MOD_NUM])
		g->if_end[target] = target + in->mod[MOD_NUM];
	go(g, i, target, EDGE_BRANCH, open);
	go(g, i, i + 1, EDGE_NEXT, open);
}

static void enter_call(struct graph *g, uint32_t i, const struct insn *in, struct open open)
{
	uint32_t target = target_of(g, in);

	go(g, i, target, EDGE_CALL, (struct open){ target + in->mod[MOD_NUM], open.loop });
	next(g, i, open);
}

static void visit(struct graph *g, uint32_t i)
{
	const struct insn *in = program_at(g->p, 4 * i);
	struct open open = g->open[i];

	switch (in->row ? in->row->exec : PICA_EXEC_unknown) {
	case PICA_EXEC_end:
		go(g, i, g->n, EDGE_NEXT, open);
		break;
	case PICA_EXEC_unknown:
		go(g, i, g->n, EDGE_BRANCH, open);
		break;
	case PICA_EXEC_ifc: case PICA_EXEC_ifu:
		enter_if(g, i, in, open);
		break;
	case PICA_EXEC_call: case PICA_EXEC_callc: case PICA_EXEC_callu:
		enter_call(g, i, in, open);
		break;
	case PICA_EXEC_jmpc: case PICA_EXEC_jmpu:
		if (!scope_ends(g, i + 1, open))        /* otherwise the jump is never taken */
			go(g, i, target_of(g, in), EDGE_BRANCH, open);
		next(g, i, open);
		break;
	case PICA_EXEC_loop:
		go(g, i, target_of(g, in) + 1, EDGE_RECONVERGE, open);
		go(g, i, i + 1, EDGE_NEXT, (struct open){ open.call_end, i });
		break;
	case PICA_EXEC_breakc:
		if (i + 1 != loop_end(g, open.loop))
			leave_loop(g, i, open);
		next(g, i, open);
		break;
	case PICA_EXEC_break:
		leave_loop(g, i, open);
		break;
	default:
		next(g, i, open);
	}
}

bool pica_edges(const struct program *p, struct isa_edge (*out)[2])
{
	struct arena scratch = { 0 };
	struct graph g = { .p = p, .n = p->code_bytes / 4, .edge = out };
	uint32_t entry = node_of(&g, p->entry / 4);

	g.if_end = ARENA_ARRAY(&scratch, uint32_t, g.n + 1);
	g.open = ARENA_ARRAY(&scratch, struct open, g.n + 1);
	g.pending = ARENA_ARRAY(&scratch, uint32_t, g.n + 1);
	g.seen = ARENA_ARRAY(&scratch, bool, g.n + 1);
	bool ok = g.if_end && g.open && g.pending && g.seen;
	for (uint32_t i = 0; ok && i <= g.n; i++)
		g.if_end[i] = NONE;
	if (ok && entry < g.n) {
		g.seen[entry] = true;
		g.open[entry] = (struct open){ NONE, NONE };
		g.pending[g.npending++] = entry;
	}
	while (g.npending)
		visit(&g, g.pending[--g.npending]);
	arena_free(&scratch);
	return ok;
}
