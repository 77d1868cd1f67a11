/* Scenes (docs/reference/scenes.md): the inputs of a graphics program, as a JSON document. A scene becomes a struct
 * stream of vertices, primitives or fragments, constant banks, textures; the launch gets a thread for each vertex,
 * primitive or fragment. Struct stream defines the layout of results (core/program.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/inputs/scene.h"
#include "core/base/host_floats.h"
#include "device/inputs/scene_texture.h"
#include "device/inputs/vertices.h"
#include "core/base/rng.h"

enum {
	BANK_WORDS = 1 << 14, WINDOW_WORDS = 1 << 14,   /* of p[]: 16-bit addresses */
	ROW_SLOTS = 32, ROW_BYTES = 0x80,       /* of the slots of vertices in p[] (spec tesla-graphics 3) */
	CORNERS_MAX = 6, POINTER_WORDS = 7, PRIMITIVE_ID = 6,
};

/* ---- vertices: attributes of up to four components; a mask selects components ---- */

struct attributes {
	unsigned count;
	uint8_t mask[ATTRIBUTES];
	uint32_t words;                 /* of a vertex */
};

static bool attribute_words(const struct scene *s, const struct scene_at *at, const json_t *list, uint32_t word[4])
{
	if (!scene_list(s, at, list, 0, 4))
		return false;
	for (size_t k = 0; k < json_array_size(list); k++)
		if (!scene_word(s, AT_INDEX(at, k), json_array_get(list, k), &word[k]))
			return false;
	return true;
}

/* Missing components of a vertex are 0, 0, 0, 1. */
static bool vertex_words(const struct scene *s, const struct scene_at *at, const json_t *v,
			 const struct attributes *a, uint32_t *out)
{
	static const uint32_t missing[4] = { 0, 0, 0, 0x3f800000 };
	size_t n = json_array_size(v);

	if (!scene_list(s, at, v, 0, ATTRIBUTES))
		return false;
	for (unsigned i = 0; i < a->count || i < n; i++) {
		uint32_t word[4];
		memcpy(word, missing, sizeof word);
		if (i < n && !attribute_words(s, AT_INDEX(at, i), json_array_get(v, i), word))
			return false;
		for (unsigned k = 0; k < 4 && i < a->count; k++)
			if (a->mask[i] >> k & 1)
				*out++ = word[k];
	}
	return true;
}

static void count_words(struct attributes *a)
{
	a->words = 0;
	for (unsigned i = 0; i < a->count; i++)
		a->words += (unsigned)__builtin_popcount(a->mask[i]);
}

/* Without explicit masks, the first vertex' components are the mask. */
static void masks_of(const json_t *vertex, struct attributes *a)
{
	a->count = json_array_size(vertex) < ATTRIBUTES ? (unsigned)json_array_size(vertex) : ATTRIBUTES;
	for (unsigned i = 0; i < a->count; i++)
		a->mask[i] = (uint8_t)((1u << (json_array_size(json_array_get(vertex, i)) & 7)) - 1) & 0xf;
}

static bool stream_in(const struct scene *s, const struct scene_at *at, const json_t *found, struct stream *out,
		      uint32_t threads, uint32_t words, uint32_t **in)
{
	if (!scene_fits(s, at, found, threads))
		return false;
	out->threads = threads;
	out->in_words = words;
	out->in = *in = scene_memory(s, (uint64_t)threads * words, sizeof **in, "what threads take in");
	return *in != NULL;
}

static bool read_vp(struct scene *s, const struct scene_at *at, const json_t *object, struct stream *out)
{
	struct scene_vp vp = { 0 };
	struct attributes a = { 0 };
	uint32_t *in, words;

	if (!scene_read(s, at, object, OF_vp, &vp))
		return false;
	if (!json_object_get(object, "attr_en"))
		masks_of(json_array_get(vp.vertices, 0), &a);
	for (unsigned i = 0; i < ATTRIBUTES && json_object_get(object, "attr_en"); i++) {
		a.mask[i] = vp.masks[i / 8] >> 4 * (i % 8) & 0xf;
		a.count = a.mask[i] ? i + 1 : a.count;
	}
	count_words(&a);
	words = a.words + vp.vertex_id + vp.instance_id;
	if (!stream_in(s, AT_KEY(at, "vertices"), vp.vertices, out, (uint32_t)json_array_size(vp.vertices), words, &in))
		return false;
	for (uint32_t i = 0; i < out->threads; i++) {
		uint32_t *w = in + (size_t)i * words;
		if (!vertex_words(s, AT_INDEX(AT_KEY(at, "vertices"), i), json_array_get(vp.vertices, i), &a, w))
			return false;
		if (vp.vertex_id)
			w[a.words] = vp.first_vertex + i;
		if (vp.instance_id)
			w[a.words + vp.vertex_id] = vp.instance;
	}
	return true;
}

/* ---- primitives: pointers to vertices shared by the primitives of a warp ---- */

struct primitives {
	struct attributes a;
	unsigned corners;               /* vertices of a primitive */
	uint32_t count, id0;
	uint32_t *vertex;               /* words of all vertices */
	uint32_t nvertices;
	uint32_t *index;                /* of each corner */
};

/* Byte address of the first word of slot n. */
static uint32_t pointer_of(uint32_t slot, uint32_t words)
{
	return 4 * (slot % ROW_SLOTS) + slot / ROW_SLOTS * ROW_BYTES * words;
}

/* Fill the slots of a warp's vertices: in order, or a random permutation. */
static bool shuffle_slots(const struct scene *s, uint32_t *slot, uint32_t n)
{
	const char *text = config_text(s->l->inputs->config, OPT_VERTEX_SLOTS);
	char *end = NULL;
	uint64_t seed = strtoull(text, &end, 0);

	for (uint32_t i = 0; i < n; i++)
		slot[i] = i;
	if (!strcmp(text, "order"))
		return true;
	if (*end || text[0] < '0' || text[0] > '9')
		return diag_set(s->d, DIAG_USAGE, "--vertex-slots: found \"%s\", expected \"order\" or a seed", text);
	for (uint32_t i = n; i > 1; i--) {
		uint32_t k = rng_below(&seed, i), was = slot[k];
		slot[k] = slot[i - 1];
		slot[i - 1] = was;
	}
	return true;
}

/* The index of vertex `index` among the warp's `used` vertices: appended, or shared if present. */
static uint32_t place_vertex(uint32_t *used, uint32_t *n, uint32_t index, bool share)
{
	for (uint32_t i = 0; share && i < *n; i++)
		if (used[i] == index)
			return i;
	used[*n] = index;
	return (*n)++;
}

/* Slots are handed out primitive by primitive, vertex by vertex, in each warp anew. */
static bool place_primitives(const struct scene *s, const struct scene_at *at, const json_t *gp,
			     const struct primitives *p, struct stream *out)
{
	uint32_t lanes = s->l->plan.dim.lanes, words = p->a.words, *in, *shared;
	uint32_t slots = lanes * p->corners, rows = (slots + ROW_SLOTS - 1) / ROW_SLOTS;
	uint32_t warps = (p->count + lanes - 1) / lanes, slot[CORNERS_MAX * 64], used[CORNERS_MAX * 64], n = 0;
	bool share = config_number(s->l->inputs->config, OPT_SHARE_VERTICES) == 1;

	out->shared_words = rows * ROW_SLOTS * words;
	if (out->shared_words > WINDOW_WORDS)
		return diag_set(s->d, DIAG_INPUT, "%s: vertices of %u words, %u a primitive, expected at most %u: p[] "
				"has 64 KiB a warp", s->name, words, p->corners, WINDOW_WORDS / (rows * ROW_SLOTS));
	out->shared = shared = scene_memory(s, (uint64_t)warps * out->shared_words, 4, "the vertices of warps");
	if (!shared || !stream_in(s, at, gp, out, p->count, POINTER_WORDS, &in) || !shuffle_slots(s, slot, slots))
		return false;
	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t *w = in + (size_t)i * POINTER_WORDS, *to = shared + (size_t)(i / lanes) * out->shared_words;
		n = i % lanes ? n : 0;
		for (unsigned k = 0; k < p->corners; k++) {
			uint32_t index = p->index[i * p->corners + k];
			w[k] = pointer_of(slot[place_vertex(used, &n, index, share)], words);
			for (uint32_t c = 0; c < words; c++)
				to[w[k] / 4 + c * ROW_SLOTS] = p->vertex[(size_t)index * words + c];
		}
		w[PRIMITIVE_ID] = p->id0 + i;
	}
	return true;
}

static bool read_indices(const struct scene *s, const struct scene_at *at, const json_t *list, struct primitives *p)
{
	size_t n = list ? json_array_size(list) : p->nvertices;

	if (n % p->corners)
		return scene_refuse(s, at, list, "a multiple of %u: the vertices of each primitive; there are %zu",
				    p->corners, n);
	p->count = (uint32_t)n / p->corners;
	p->index = scene_memory(s, n, sizeof *p->index, "indices");
	for (size_t i = 0; p->index && i < n; i++) {
		int64_t v = (int64_t)i;
		if (list && !scene_integer(s, AT_INDEX(at, i), json_array_get(list, i), 0, p->nvertices - 1, &v))
			return false;
		p->index[i] = (uint32_t)v;
	}
	return p->index != NULL;
}

static bool read_vertices(const struct scene *s, const struct scene_at *at, const json_t *list, struct primitives *p)
{
	p->nvertices = (uint32_t)json_array_size(list);
	p->vertex = scene_memory(s, (uint64_t)p->nvertices * p->a.words, 4, "vertices");
	for (uint32_t i = 0; p->vertex && i < p->nvertices; i++)
		if (!vertex_words(s, AT_INDEX(at, i), json_array_get(list, i), &p->a,
				  p->vertex + (size_t)i * p->a.words))
			return false;
	return p->vertex != NULL;
}

static bool read_gp(struct scene *s, const struct scene_at *at, const json_t *object, struct stream *out)
{
	static const uint8_t corners[] = { 1, 2, 4, 3, 6 };
	const json_t *masks = json_object_get(object, "masks");
	struct scene_gp gp = { 0 };
	struct primitives p = { 0 };

	if (!scene_read(s, at, object, OF_gp, &gp))
		return false;
	memcpy(p.a.mask, gp.masks, sizeof gp.masks);
	p.a.count = (unsigned)json_array_size(masks);
	if (!masks)
		masks_of(json_array_get(gp.vertices, 0), &p.a);
	count_words(&p.a);
	p.corners = corners[gp.input];
	p.id0 = gp.id0;
	out->emit_most = gp.max_vertices;
	return read_vertices(s, AT_KEY(at, "vertices"), gp.vertices, &p) &&
	       read_indices(s, AT_KEY(at, gp.indices ? "indices" : "vertices"), gp.indices, &p) &&
	       place_primitives(s, at, object, &p, out);
}

/* ---- the document ---- */

static bool read_consts(const struct scene *s, const struct scene_at *at, const json_t *banks)
{
	const char *key;
	json_t *list, *v;
	size_t i;

	if (!banks)
		return true;
	if (!json_is_object(banks))
		return scene_refuse(s, at, banks, "an object of banks");
	json_object_foreach((json_t *)(uintptr_t)banks, key, list) {
		const struct scene_at *here = AT_KEY(at, key);
		unsigned bank = strlen(key) < 3 && strspn(key, "0123456789") == strlen(key) ?
				(unsigned)strtoul(key, NULL, 10) : CONST_BANKS;
		if (!*key || bank >= CONST_BANKS)
			return scene_refuse(s, here, list, "a bank from 0 to %u", CONST_BANKS - 1);
		if (!scene_list(s, here, list, 0, BANK_WORDS))
			return false;
		json_array_foreach(list, i, v) {
			uint32_t word;
			if (!scene_word(s, AT_INDEX(here, i), v, &word) ||
			    (!i && !fill_bank(s->l, bank, 0, NULL, 4 * json_array_size(list), s->d)) ||
			    !fill_bank(s->l, bank, (uint32_t)(4 * i), &word, 4, s->d))
				return false;
		}
	}
	return true;
}

/* Allocate the storage of results; a fragment has one word more (struct stream). */
static bool stream_out(const struct scene *s, const struct isa_threads *threads, struct stream *out)
{
	uint64_t n = (uint64_t)out->threads * (out->emit_most ? out->emit_most : 1);

	if (threads->stage != STAGE_FRAGMENT)
		out->out_words = threads->out_words;
	out->out = scene_memory(s, n, 4 * ((size_t)out->out_words + 1), "results");
	if (!out->out || !out->emit_most)
		return out->out;
	out->ends = scene_memory(s, n, 1, "results");
	out->emitted = scene_memory(s, out->threads, 4, "results");
	return out->ends && out->emitted;
}

static bool read_threads(struct scene *s, const struct scene_root *root, const struct isa_threads *threads)
{
	static const struct {
		const char *key;
		bool (*read)(struct scene *, const struct scene_at *, const json_t *, struct stream *);
	} stages[] = { [STAGE_VERTEX] = { "vp", read_vp }, [STAGE_PRIMITIVE] = { "gp", read_gp },
		       [STAGE_FRAGMENT] = { "fp", scene_fragments } };
	struct stream *out = &s->l->inputs->vertices.stream;
	const char *key = stages[threads->stage].key;
	const json_t *v = root->threads[threads->stage];

	*out = (struct stream){ 0 };
	if (!v)
		return scene_refuse(s, AT_KEY(NULL, key), v, "what threads of a program with --mode %s take in", key);
	if (!stages[threads->stage].read(s, AT_KEY(NULL, key), v, out) || !stream_out(s, threads, out))
		return false;
	stream_threads(s->l);
	/* The limit on resident blocks is for compute launches. */
	s->l->plan.chip.max_blocks = s->l->plan.chip.max_warps;
	return true;
}

static bool read_root(struct scene *s, const json_t *object, const struct isa_threads *threads)
{
	struct scene_root root = { 0 };

	return scene_read(s, NULL, object, OF_root, &root) && read_consts(s, AT_KEY(NULL, "const"), root.banks) &&
	       scene_textures(s, &root) && (threads->stage == STAGE_COMPUTE || read_threads(s, &root, threads));
}

static bool read_scene(struct wb_launch *l, const void *text, size_t n, const char *name, struct diag *d)
{
	struct scene s = { l, name, d };
	struct isa_threads threads = { .stage = STAGE_COMPUTE };
	json_error_t e;
	json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
	bool ok;

	if (!root) {
		diag_text(d, e.line, e.column, "%s", e.text);
		return diag_in_file(d, name);
	}
	if (l->plan.code.target.isa->threads)
		l->plan.code.target.isa->threads(&l->plan.code, &threads);
	ok = read_root(&s, root, &threads);
	json_decref(root);
	l->inputs->drawn.read = ok;
	l->inputs->drawn.stage = threads.stage;
	return ok;
}

/* The .scene lines of a program's text. */
static bool own_scene(struct wb_launch *l, struct diag *d)
{
	const char *const *line = l->plan.kernel->launch.scene;
	char *text = NULL;
	size_t n;
	FILE *f;
	bool ok;

	if (!line || !*line)
		return true;
	f = open_memstream(&text, &n);
	for (; f && *line; line++)
		fprintf(f, "%s\n", *line);
	if (!f || fclose(f)) {
		free(text);
		return diag_set(d, DIAG_ENV, "out of memory for a scene");
	}
	ok = read_scene(l, text, n, l->inputs->program->image_name, d);
	free(text);
	return ok;
}

bool scene_prepare(struct wb_launch *l, struct diag *d)
{
	const char *name = config_text(l->inputs->config, OPT_SCENE);
	uint8_t *text;
	size_t n;

	if (l->inputs->drawn.read)
		return true;
	if (!*name)
		return own_scene(l, d);
	return read_file(l->inputs->config, &l->inputs->files, &l->arena, name, &text, &n, d) &&
	       read_scene(l, text, n, name, d);
}

enum wb_status wb_launch_scene(struct wb_launch *l, const void *text, size_t n, const char *name, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = { 0 };

	if (l->prepared || l->inputs->drawn.read)
		diag_set(&d, DIAG_USAGE, "this launch is prepared already, or has a scene");
	else if (read_scene(l, text, n, name, &d))
		return WB_OK;
	return public_diag(wd, &d);
}

/* ---- results ---- */

enum wb_stage wb_launch_stage(const struct wb_launch *l, uint32_t *threads)
{
	const struct drawn *drawn = &l->inputs->drawn;
	bool streams = drawn->read && l->plan.code.stream;

	*threads = streams ? l->plan.code.stream->threads : 0;
	return streams ? (enum wb_stage)drawn->stage : WB_STAGE_COMPUTE;
}

const uint32_t *wb_launch_emitted(const struct wb_launch *l, uint32_t thread, uint32_t index, bool *ends)
{
	const struct stream *s = l->plan.code.stream;
	size_t at;

	if (!s || !s->emit_most || thread >= s->threads || index >= s->emit_most || index >= s->emitted[thread])
		return NULL;
	at = (size_t)thread * s->emit_most + index;
	*ends = s->ends[at] || index + 1 == s->emit_most || index + 1 == s->emitted[thread];
	return s->out + at * s->out_words;
}

bool wb_launch_rect(const struct wb_launch *l, uint32_t rect[4])
{
	const struct drawn *drawn = &l->inputs->drawn;

	if (!drawn->read || drawn->stage != STAGE_FRAGMENT)
		return false;
	memcpy(rect, drawn->rect, sizeof drawn->rect);
	return true;
}

const uint32_t *wb_launch_pixel(const struct wb_launch *l, uint32_t x, uint32_t y)
{
	const struct drawn *drawn = &l->inputs->drawn;
	const struct stream *s = l->plan.code.stream;
	const uint32_t *r = drawn->rect, *out;
	uint32_t thread;

	if (!drawn->thread || x < r[0] || y < r[1] || x - r[0] >= r[2] || y - r[1] >= r[3])
		return NULL;
	thread = drawn->thread[(size_t)(y - r[1]) * r[2] + x - r[0]];
	if (!thread || !l->machine.given_lanes ||
	    !(l->machine.given_lanes[(thread - 1) / l->plan.dim.lanes] >> (thread - 1) % l->plan.dim.lanes & 1))
		return NULL;
	out = s->out + (size_t)(thread - 1) * (s->out_words + 1);
	return out[s->out_words] ? out : NULL;
}

bool wb_launch_fragment(const struct wb_launch *l, uint32_t thread, struct wb_fragment *out)
{
	USUAL_FLOATS;
	const struct stream *s = l->plan.code.stream;
	const uint32_t *in;
	float x, y;

	if (!l->inputs->drawn.thread || thread >= s->threads)
		return false;
	in = s->in + (size_t)thread * s->in_words;
	memcpy(&x, &in[FRAGMENT_X], sizeof x);
	memcpy(&y, &in[FRAGMENT_Y], sizeof y);
	*out = (struct wb_fragment){ (uint32_t)x, (uint32_t)y, in[FRAGMENT_COVERED] != 0 };
	return true;
}
