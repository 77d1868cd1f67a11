/* Launches whose threads have inputs and outputs: vertices in, vertices and primitives out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/thread_pool.h"
#include "core/base/host_floats.h"
#include "device/inputs/vertices.h"
#include "core/isa/table.h"
#include "core/shader.h"

/* The input registers of a thread; false: the program's threads have no inputs. */
static bool inputs_of(const struct wb_launch *l, struct isa_inputs *in)
{
	const struct isa_ops *isa = l->plan.code.target.isa;

	*in = (struct isa_inputs){ 0 };
	if (isa->inputs)
		isa->inputs(&l->plan.code, l->plan.kernel, in);
	return isa->inputs != NULL;
}

unsigned wb_launch_in_words(const struct wb_launch *l)
{
	struct isa_inputs in;

	return inputs_of(l, &in) ? 4u * in.count : 0;
}

unsigned wb_launch_out_words(const struct wb_launch *l)
{
	const struct stream *stream = l->plan.code.stream;
	struct isa_inputs in;

	inputs_of(l, &in);
	return stream ? stream->out_words : in.out_words;
}

static void add_primitive(struct wb_launch *l, uint32_t thread, bool winding, const uint32_t *vertices)
{
	struct vertices *v = &l->inputs->vertices;
	size_t words = 3 * (size_t)v->out_words;

	if (l->machine.run.nprimitives == v->capacity) {
		size_t capacity = v->capacity ? 2 * v->capacity : 64;
		struct wb_primitive *p = realloc(v->primitive, capacity * sizeof *p);
		uint32_t *w = realloc(v->emitted, capacity * words * sizeof *w);
		if (p)
			v->primitive = p;
		if (w)
			v->emitted = w;
		if (!p || !w) {
			l->machine.run.primitives_lost++;
			return;
		}
		v->capacity = capacity;
	}
	memcpy(v->emitted + l->machine.run.nprimitives * words, vertices, words * sizeof *vertices);
	v->primitive[l->machine.run.nprimitives++] = (struct wb_primitive){ .thread = thread, .winding = winding };
}

/* Append a primitive in the machine's order; wb_launch_primitive sorts by thread. */
static void collect_primitive(void *context, uint32_t thread, bool winding, const uint32_t *vertices)
{
	struct wb_launch *l = context;

	threads_lock(&l->machine);
	add_primitive(l, thread, winding, vertices);
	threads_unlock(&l->machine);
}

static bool takes_vertices(const struct wb_launch *l, struct isa_inputs *in, struct diag *d)
{
	if (l->prepared)
		return diag_set(d, DIAG_USAGE, "this launch is prepared already");
	if (!inputs_of(l, in))
		return diag_set(d, DIAG_USAGE, "this program takes no vertices");
	if (config_given(l->inputs->config, OPT_GRID) || config_given(l->inputs->config, OPT_BLOCK))
		return diag_set(d, DIAG_USAGE, "--grid and --block are not for vertices, of which each is a thread; "
				"--lanes says how many share a warp");
	return true;
}

static bool fits_in_grid(const struct wb_launch *l, uint32_t n, struct diag *d)
{
	uint32_t most = l->plan.chip.max_grid[0] * l->plan.dim.lanes;

	return n <= most || diag_set(d, DIAG_USAGE, "found %u vertices, expected at most %u: draw in parts", n, most);
}

void stream_threads(struct wb_launch *l)
{
	l->plan.code.stream = &l->inputs->vertices.stream;
	l->plan.dim.grid[0] = l->plan.dim.blocks = (l->plan.code.stream->threads - 1) / l->plan.dim.lanes + 1;
	l->plan.dim.grid[1] = 1;
	l->plan.dim.block[0] = l->plan.dim.threads = l->plan.dim.lanes;
	l->plan.dim.block[1] = l->plan.dim.block[2] = l->plan.dim.warps = 1;
}

/* Make a stream with one thread for each vertex. */
static bool set_stream(struct wb_launch *l, const uint32_t *in, uint32_t in_words, const uint16_t *used, uint32_t n,
		       struct diag *d)
{
	struct vertices *v = &l->inputs->vertices;
	uint32_t *out;

	v->out_words = wb_launch_out_words(l);
	out = ARENA_ARRAY(&l->arena, uint32_t, (size_t)n * v->out_words);
	if (!out)
		return diag_set(d, DIAG_ENV, "out of memory for %u vertices", n);
	v->stream = (struct stream){ .threads = n, .in = in, .in_words = in_words, .used = used, .out = out,
				     .out_words = v->out_words, .primitive = collect_primitive, .context = l };
	stream_threads(l);
	return true;
}

enum wb_status wb_launch_vertices(struct wb_launch *l, const uint32_t *words, uint32_t n, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct isa_inputs in;
	struct diag d = { 0 };
	uint32_t *copy = NULL;

	if (!takes_vertices(l, &in, &d) || !fits_in_grid(l, n, &d))
		return public_diag(wd, &d);
	if (!n)
		diag_set(&d, DIAG_INPUT, "found no vertices, expected at least one");
	else if (!(copy = ARENA_ARRAY(&l->arena, uint32_t, 4ull * n * in.count)))
		diag_set(&d, DIAG_ENV, "out of memory for %u vertices", n);
	if (d.kind != DIAG_OK)
		return public_diag(wd, &d);
	memcpy(copy, words, 16ull * n * in.count);
	l->inputs->vertices.inputs_set = ~0u;
	return set_stream(l, copy, 4u * in.count, NULL, n, &d) ? WB_OK : public_diag(wd, &d);
}

/* ---- vertices as texts ---- */

static bool grow_read(struct vertices *v, unsigned words, struct diag *d)
{
	uint32_t capacity = v->read_capacity ? 2 * v->read_capacity : 64;
	uint32_t *w;
	uint16_t *used;

	if (v->nread < v->read_capacity)
		return true;
	w = realloc(v->read, 4ull * capacity * words);
	if (w)
		v->read = w;
	used = realloc(v->used, capacity * sizeof *used);
	if (used)
		v->used = used;
	if (!w || !used)
		return diag_set(d, DIAG_ENV, "out of memory for %u vertices", capacity);
	v->read_capacity = capacity;
	return true;
}

static bool add_vertex(struct wb_launch *l, const char *text, struct diag *d)
{
	struct vertices *v = &l->inputs->vertices;
	struct isa_inputs in;
	struct vertex one = { 0 };

	if (!takes_vertices(l, &in, d) || !fits_in_grid(l, v->nread + 1, d) || !grow_read(v, 4u * in.count, d))
		return false;
	one.words = v->read + 4ull * v->nread * in.count;
	memset(one.words, 0, 16ull * in.count);
	if (!vertex_read(l, &in, text, &one, d))
		return false;
	if (!in.counted && v->nread && one.numbers != v->numbers)
		return diag_set(d, DIAG_INPUT, "found %u numbers, expected %u as in those before", one.numbers,
				v->numbers);
	v->numbers = one.numbers;
	v->used[v->nread] = (uint16_t)one.used;
	v->inputs_set = v->nread ? v->inputs_set & one.registers_set : one.registers_set;
	v->nread++;
	return true;
}

enum wb_status wb_launch_vertex(struct wb_launch *l, const char *text, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };

	return add_vertex(l, text, &d) ? WB_OK : public_diag(wd, &d);
}

bool vertices_prepare(struct wb_launch *l, struct diag *d)
{
	struct vertices *v = &l->inputs->vertices;
	const char *const *line = v->nread || l->plan.code.stream ? NULL : l->plan.kernel->launch.vertices;

	for (; line && *line; line++)
		if (!add_vertex(l, *line, d))
			return false;
	return !v->nread || set_stream(l, v->read, wb_launch_in_words(l), v->used, v->nread, d);
}

const char *vertices_missing(const struct wb_launch *l, struct arena *a)
{
	const struct vertices *v = &l->inputs->vertices;
	struct isa_inputs in;
	char names[128] = "";

	if (!inputs_of(l, &in))
		return NULL;
	for (unsigned i = 0; i < in.count && i < 32; i++)
		if ((in.reads & ~v->inputs_set) >> i & 1)
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%c%u", *names ? ", " : "",
				 in.file, in.first_register + i);
	return *names ? arena_strdup(a, names) : NULL;
}

const uint32_t *wb_launch_output(const struct wb_launch *l, uint32_t index)
{
	const struct vertices *v = &l->inputs->vertices;

	if (index >= v->stream.threads || v->stream.planes || v->stream.emit_most)
		return NULL;
	return v->stream.out + (size_t)index * v->stream.out_words;
}

uint32_t wb_launch_output_mask(const struct wb_launch *l)
{
	const struct shader_entry *e = l->plan.kernel->entry_point;
	uint32_t mask = e ? e->out_mask : 0;

	for (uint32_t i = 0; e && i < e->noutputs; i++)
		mask |= 1u << e->output[i].reg;
	return mask;
}

/* Primitives of one thread keep their order. */
static int by_thread(const void *a, const void *b)
{
	const struct wb_primitive *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->vertices > y->vertices) - (x->vertices < y->vertices);
}

/* Sorts a copy, because a launch that goes on or back needs its primitives as emitted. The first n primitives of a
 * launch are always the same. */
const struct wb_primitive *wb_launch_primitive(struct wb_launch *l, size_t index)
{
	USUAL_FLOATS;
	struct vertices *v = &l->inputs->vertices;
	size_t n = l->machine.run.nprimitives;

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
	free(l->inputs->vertices.primitive);
	free(l->inputs->vertices.sorted);
	free(l->inputs->vertices.emitted);
	free(l->inputs->vertices.read);
	free(l->inputs->vertices.used);
}

bool uniform_take(struct program *p, const struct image_kernel *k, const char *text, struct diag *d)
{
	if (!p->target.isa->uniform)
		return diag_set(d, DIAG_USAGE, "--uniform: this program has no uniform registers");
	return p->target.isa->uniform(p, k, text, d);
}
