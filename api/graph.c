/* Basic blocks from the edges of each word of code (isa_ops.edges). A block begins at the entry, at the target of an
 * edge other than "next", and behind a jump; the block ends where its last edge leads to the beginning of another
 * block. A node's name is the pc of its first instruction, and nodes are written in the order of the code, so that
 * equal programs give equal texts. */
#include "api/graph.h"

#include <inttypes.h>

#include "core/base/diag.h"
#include "core/isa/print.h"
#include "core/program.h"

struct graph {
	struct program program;
	const struct image_kernel *kernel;
	struct isa_edge (*edge)[2];    /* by word */
	bool *leads;                   /* by word: a block begins at the word */
	FILE *out;
};

static bool is_jump(const struct isa_edge *e)
{
	return e->kind == EDGE_BRANCH || e->kind == EDGE_CALL;
}

/* Blocks begin at the entry, at the target of an edge, and behind a jump. */
static void find_leaders(struct graph *g)
{
	const struct program *p = &g->program;
	if (p->entry < p->code_bytes)
		g->leads[p->entry / 4] = true;
	for (uint32_t i = 0; i < p->code_bytes / 4; i++) {
		bool jumps = is_jump(&g->edge[i][0]) || is_jump(&g->edge[i][1]);
		for (int k = 0; k < 2; k++)
			if (g->edge[i][k].kind > EDGE_NEXT || (g->edge[i][k].kind == EDGE_NEXT && jumps))
				g->leads[g->edge[i][k].to / 4] = true;
	}
}

static void put_quoted(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void put_node(const struct graph *g, uint32_t pc)
{
	if (pc < g->program.code_bytes)
		fprintf(g->out, "\"0x%" PRIx32 "\"", pc);
	else
		fputs("end", g->out);
}

static void put_edge(const struct graph *g, uint32_t from, const struct isa_edge *e)
{
	static const char *const style[] = {
		[EDGE_NEXT] = "",
		[EDGE_BRANCH] = " [label=branch]",
		[EDGE_CALL] = " [label=call, style=bold]",
		[EDGE_RECONVERGE] = " [label=join, style=dashed]",
	};
	fputc('\t', g->out);
	put_node(g, from);
	fputs(" -> ", g->out);
	put_node(g, e->to);
	fprintf(g->out, "%s;\n", style[e->kind]);
}

/* The pc of the block's next instruction, or the program's size at the end of the block. */
static uint32_t within(const struct graph *g, uint32_t pc)
{
	const struct isa_edge *e = g->edge[pc / 4];
	const struct isa_edge *last = e[1].kind != EDGE_NONE ? &e[1] : &e[0];
	bool goes_on = last->kind == EDGE_NEXT && !g->leads[last->to / 4];
	return goes_on ? last->to : g->program.code_bytes;
}

/* Write the edges of the instruction at `pc` that leave its block. */
static void put_edges(const struct graph *g, uint32_t block, uint32_t pc)
{
	bool goes_on = within(g, pc) < g->program.code_bytes;
	for (int k = 0; k < 2; k++) {
		const struct isa_edge *e = &g->edge[pc / 4][k];
		if (e->kind > EDGE_NEXT || (e->kind == EDGE_NEXT && !goes_on))
			put_edge(g, block, e);
	}
}

static void put_labels(const struct graph *g, uint32_t pc)
{
	for (size_t i = 0; i < g->kernel->nlabels; i++) {
		if (g->kernel->labels[i].pc != pc)
			continue;
		put_quoted(g->out, g->kernel->labels[i].name);
		fputs(":\\l", g->out);
	}
}

static void put_block(const struct graph *g, uint32_t first)
{
	const struct program *p = &g->program;
	char text[ISA_LINE];
	fputc('\t', g->out);
	put_node(g, first);
	fputs(" [label=\"", g->out);
	put_labels(g, first);
	for (uint32_t pc = first; pc < p->code_bytes; pc = within(g, pc)) {
		isa_print(&p->target, program_at(p, pc), text, sizeof text);
		fprintf(g->out, "%08" PRIx32 ": ", pc);
		put_quoted(g->out, text);
		fputs("\\l", g->out);
	}
	fputs("\"];\n", g->out);
	for (uint32_t pc = first; pc < p->code_bytes; pc = within(g, pc))
		put_edges(g, first, pc);
}

static void put_graph(const struct graph *g)
{
	uint32_t words = g->program.code_bytes / 4;
	fputs("digraph \"", g->out);
	put_quoted(g->out, g->kernel->name);
	fputs("\" {\n\tnode [shape=box, fontname=monospace];\n", g->out);
	for (uint32_t i = 0; i < words; i++)
		if (g->leads[i] && g->edge[i][0].kind != EDGE_NONE)
			put_block(g, i * 4);
	fputs("\tend [shape=circle];\n}\n", g->out);
}

bool graph_write(const struct image_kernel *k, const struct isa_target *t, FILE *out, struct diag *d)
{
	struct arena scratch = {0};
	struct graph g = {
		.program = {.target = *t, .code = k->code, .code_bytes = k->code_bytes, .entry = k->entry},
		.kernel = k,
		.out = out,
	};
	uint32_t words = k->code_bytes / 4;
	if (!t->isa->edges)
		return diag_set(d, DIAG_USAGE, "no control-flow graph can be drawn for %s", t->isa->name);
	g.edge = arena_alloc(&scratch, (words + 1) * sizeof *g.edge, _Alignof(struct isa_edge));
	g.leads = ARENA_ARRAY(&scratch, bool, words + 1);
	bool ok = g.edge && g.leads && program_decode(&g.program, &scratch) && t->isa->edges(&g.program, g.edge);
	if (ok) {
		find_leaders(&g);
		put_graph(&g);
	}
	arena_free(&scratch);
	return ok || diag_set(d, DIAG_ENV, "out of memory for %" PRIu32 " bytes of code", k->code_bytes);
}
