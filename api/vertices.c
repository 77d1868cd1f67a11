/* Launches whose threads have inputs and outputs of their own: vertices in, vertices and primitives out. */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"
#include "core/isa/table.h"
#include "core/shader.h"

unsigned wb_launch_in_words(const struct wb_launch *l)
{
	return l->code.target.isa->in_words;
}

unsigned wb_launch_out_words(const struct wb_launch *l)
{
	return l->code.target.isa->out_words;
}

/* Primitives come as the machine makes them; they are put in the order of threads when somebody asks. */
static void keep_primitive(void *context, uint32_t thread, bool winding, const uint32_t *vertices)
{
	struct wb_launch *l = context;
	struct vertices *v = &l->vertices;
	size_t words = 3 * (size_t)v->out_words;

	if (l->run.nprimitives == v->room) {
		size_t room = v->room ? 2 * v->room : 64;
		struct wb_primitive *p = realloc(v->primitive, room * sizeof *p);
		uint32_t *w = realloc(v->emitted, room * words * sizeof *w);
		if (p)
			v->primitive = p;
		if (w)
			v->emitted = w;
		if (!p || !w) {
			l->run.primitives_lost++;
			return;
		}
		v->room = room;
	}
	memcpy(v->emitted + l->run.nprimitives * words, vertices, words * sizeof *vertices);
	v->primitive[l->run.nprimitives++] = (struct wb_primitive){ .thread = thread, .winding = winding };
}

enum wb_status wb_launch_vertices(struct wb_launch *l, const uint32_t *words, uint32_t n, struct wb_diag *wd)
{
	const struct isa_ops *isa = l->code.target.isa;
	struct vertices *v = &l->vertices;
	struct diag d = { 0 };

	if (!isa->in_words || l->prepared)
		diag_set(&d, DIAG_USAGE,
			 l->prepared ? "this launch is prepared already" : "this program takes no vertices");
	else if (!n)
		diag_set(&d, DIAG_INPUT, "found no vertices, expected at least one");
	else if (config_given(l->config, OPT_GRID) || config_given(l->config, OPT_BLOCK))
		diag_set(&d, DIAG_USAGE, "--grid and --block are not for vertices, of which each is a thread; "
			 "--lanes says how many share a warp");
	else if ((n - 1) / l->lanes >= CHIP_MAX_GRID)
		diag_set(&d, DIAG_USAGE, "%u vertices, expected at most %u", n, CHIP_MAX_GRID * l->lanes);
	if (d.kind != DIAG_OK)
		return public_diag(wd, &d);
	uint32_t *in = ARENA_ARRAY(&l->arena, uint32_t, (size_t)n * isa->in_words);
	uint32_t *out = ARENA_ARRAY(&l->arena, uint32_t, (size_t)n * isa->out_words);
	if (!in || !out) {
		diag_set(&d, DIAG_ENV, "out of memory for %u vertices", n);
		return public_diag(wd, &d);
	}
	memcpy(in, words, (size_t)n * isa->in_words * sizeof *in);
	v->out_words = isa->out_words;
	v->stream = (struct stream){ .threads = n, .in = in, .out = out, .primitive = keep_primitive, .context = l };
	l->code.stream = &v->stream;
	l->grid[0] = l->blocks = (n - 1) / l->lanes + 1;
	l->grid[1] = 1;
	l->block[0] = l->threads = l->lanes;
	l->block[1] = l->block[2] = l->warps = 1;
	return WB_OK;
}

const uint32_t *wb_launch_output(const struct wb_launch *l, uint32_t index)
{
	const struct vertices *v = &l->vertices;

	return index < v->stream.threads ? v->stream.out + (size_t)index * v->out_words : NULL;
}

uint32_t wb_launch_output_mask(const struct wb_launch *l)
{
	const struct shader_entry *e = l->kernel->entry_point;
	uint32_t mask = e ? e->out_mask : 0;

	for (uint32_t i = 0; e && i < e->noutputs; i++)
		mask |= 1u << e->output[i].reg;
	return mask;
}

/* Those of one thread are in order among themselves. */
static int by_thread(const void *a, const void *b)
{
	const struct wb_primitive *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->vertices > y->vertices) - (x->vertices < y->vertices);
}

/* A launch that stands still may go on, or back, where its primitives have to be as they were emitted: a copy is
 * sorted. The first n of a launch are always the same. */
const struct wb_primitive *wb_launch_primitive(struct wb_launch *l, size_t index)
{
	struct vertices *v = &l->vertices;
	size_t n = l->run.nprimitives;

	if (index >= n)
		return NULL;
	if (v->nsorted != n) {
		struct wb_primitive *copy = realloc(v->sorted, n * sizeof *copy);
		if (!copy)
			return NULL;
		v->sorted = memcpy(copy, v->primitive, n * sizeof *copy);
		for (size_t i = 0; i < n; i++)
			copy[i].vertices = v->emitted + i * 3 * v->out_words;
		qsort(copy, n, sizeof *copy, by_thread);
		v->nsorted = n;
	}
	return &v->sorted[index];
}

void vertices_free(struct wb_launch *l)
{
	free(l->vertices.primitive);
	free(l->vertices.sorted);
	free(l->vertices.emitted);
}

bool launch_uniform(struct wb_launch *l, const char *text, struct diag *d)
{
	const struct isa_ops *isa = l->code.target.isa;

	if (!isa->uniform)
		return diag_set(d, DIAG_USAGE, "--uniform: this program has no uniform registers");
	return isa->uniform(&l->code, l->kernel, text, d);
}

bool launch_rounding(struct wb_launch *l, struct diag *d)
{
	const struct isa_ops *isa = l->code.target.isa;
	const char *name = config_text(l->config, OPT_F24);
	uint32_t features;

	if (!isa->roundings)
		return !config_given(l->config, OPT_F24) ||
		       diag_set(d, DIAG_USAGE, "--f24: this machine has no 24-bit floats");
	if (isa_name_find(isa->roundings, name, strlen(name), &features))
		l->code.target.features |= features;
	return true;
}
