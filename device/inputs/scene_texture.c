/* Textures and samplers of a scene. Texels come from raw files, words, or pictures; or a scene brings the machine's
 * descriptors and the memory behind them. Either way a texture of the launch has constant bytes of its own
 * (mem/texture.h). */
#include "device/inputs/scene_texture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/inputs/scene_picture.h"

enum { CUBES_MOST = 512, NAME_MOST = 4096, BY_TYPE = 2, NO_COMPARISON = COMPARE_ALWAYS + 1 };

struct texture_set *scene_texture_set(struct wb_launch *l)
{
	if (!l->plan.memory.textures) {
		struct texture_set *set = ARENA_NEW(&l->arena, struct texture_set);
		if (set)
			set->rules = TEXTURE_RULES;
		l->plan.memory.textures = set;
	}
	return (struct texture_set *)(uintptr_t)l->plan.memory.textures;
}

/* ---- texels ---- */

static bool put_words(const struct scene *s, const struct scene_at *at, const json_t *list, struct texture *t)
{
	uint64_t n = json_array_size(list);
	uint8_t *bytes;

	if (n * 4 < t->size || n * 4 - t->size >= 4)
		return scene_refuse(s, at, list, "%" PRIu64 " words: the bytes of all levels are %" PRIu64,
				    (t->size + 3) / 4, t->size);
	t->bytes = bytes = scene_memory(s, n, 4, "texels");
	for (size_t i = 0; bytes && i < n; i++) {
		uint32_t word;
		if (!scene_word(s, AT_INDEX(at, i), json_array_get(list, i), &word))
			return false;
		memcpy(bytes + 4 * i, &word, 4);
	}
	return bytes != NULL;
}

static bool put_raw(const struct scene *s, const struct scene_at *at, const json_t *name, struct texture *t)
{
	uint8_t *bytes;
	size_t n;

	if (!scene_file(s, at, name, &bytes, &n))
		return false;
	t->bytes = bytes;
	return n == t->size ||
	       scene_refuse(s, at, name, "a file of %" PRIu64 " bytes, for all levels and layers; it has %zu", t->size,
			    n);
}

/* Read a picture into one layer of a level, rows top down. */
static bool put_picture(const struct scene *s, const struct scene_at *at, const char *name,
			const struct texture_level *l, uint8_t *to)
{
	json_t *text = json_string(name);
	uint8_t *bytes;
	size_t n;
	bool ok = !text ? scene_no_memory(s, "a name") :
		  scene_file(s, at, text, &bytes, &n) &&
		  picture_read(s, at, text, bytes, n, l->width, l->height, to);

	json_decref(text);
	return ok;
}

/* %l and %z are the numbers of a level and of a layer or slice. */
static bool picture_name(const char *pattern, unsigned level, unsigned layer, char *out)
{
	size_t at = 0;

	for (const char *p = pattern; *p && at + 16 < NAME_MOST; p++) {
		if (*p == '%' && (p[1] == 'l' || p[1] == 'z'))
			at += (size_t)snprintf(out + at, NAME_MOST - at, "%u", *++p == 'l' ? level : layer);
		else
			out[at++] = *p;
	}
	out[at] = '\0';
	return at + 16 < NAME_MOST;
}

static bool put_pictures(const struct scene *s, const struct scene_at *at, const json_t *v, struct texture *t)
{
	uint8_t *bytes;
	char name[NAME_MOST];

	if (texture_format_code(t->format) != texture_format_code(texture_format_of(0x08)))
		return scene_refuse(s, at, v, "raw texels: a picture is a texture of format rgba8");
	t->bytes = bytes = scene_memory(s, t->size, 1, "texels");
	for (unsigned level = 0; bytes && level < t->levels; level++) {
		const struct texture_level *l = &t->level[level];
		for (unsigned z = 0; z < t->layers * l->depth; z++)
			if (!picture_name(json_string_value(v), level, z, name) ||
			    !put_picture(s, at, name, l, bytes + l->offset + z * l->slice_bytes))
				return false;
	}
	return bytes != NULL;
}

static bool put_texels(const struct scene *s, const struct scene_at *at, const json_t *v, struct texture *t)
{
	const char *name = json_string_value(v), *dot = name ? strrchr(name, '.') : NULL;

	if (json_is_array(v))
		return put_words(s, at, v, t);
	return dot && !strcmp(dot, ".png") ? put_pictures(s, at, v, t) : put_raw(s, at, v, t);
}

/* ---- textures ---- */

/* As many layers as the type can have: `layers` counts each face of a cube. */
static bool check_layers(const struct scene *s, const struct scene_at *at, const json_t *object, struct texture *t)
{
	const json_t *v = json_object_get(object, "layers");

	switch (t->type) {
	case TEXTURE_CUBE:
		t->layers = t->layers == 1 ? 6 : t->layers;
		return t->layers == 6 || scene_refuse(s, AT_KEY(at, "layers"), v, "6, the faces of a cube");
	case TEXTURE_CUBE_ARRAY:
		return t->layers % 6 == 0 ||
		       scene_refuse(s, AT_KEY(at, "layers"), v, "a multiple of 6, the faces of cubes");
	case TEXTURE_1D_ARRAY: case TEXTURE_2D_ARRAY:
		return t->layers <= CUBES_MOST ||
		       scene_refuse(s, AT_KEY(at, "layers"), v, "a whole number from 1 to %d", CUBES_MOST);
	default:
		return t->layers == 1 || scene_refuse(s, AT_KEY(at, "layers"), v, "1: this type has no layers");
	}
}

/* Put in the sizes that the scene leaves to the type. */
static bool check_sizes(const struct scene *s, const struct scene_at *at, const json_t *object, struct texture *t)
{
	bool cube = t->type == TEXTURE_CUBE || t->type == TEXTURE_CUBE_ARRAY;
	struct texture_level *l = &t->level[0];

	l->height = l->height ? l->height : cube ? l->width : 1;
	l->depth = l->depth ? l->depth : 1;
	t->layers = t->layers ? t->layers : cube ? 6 : 1;
	t->levels = t->levels ? t->levels : 1;
	if (cube && l->height != l->width)
		return scene_refuse(s, AT_KEY(at, "height"), json_object_get(object, "height"),
				    "%" PRIu32 ", the width: faces of a cube are squares", l->width);
	return check_layers(s, at, object, t);
}

static bool read_texture(struct scene *s, const struct scene_at *at, const json_t *object, struct texture_set *set)
{
	struct scene_texture in = { .normalised = BY_TYPE };
	struct texture *t;

	if (!scene_read(s, at, object, OF_texture, &in) || !check_sizes(s, at, object, &in.t))
		return false;
	if (set->t[in.number])
		return scene_refuse(s, AT_KEY(at, "t"), json_object_get(object, "t"),
				    "a free number: the number is taken");
	t = ARENA_NEW(&s->l->arena, struct texture);
	if (!t)
		return scene_no_memory(s, "textures");
	*t = in.t;
	t->normalised = in.normalised == BY_TYPE ? t->type != TEXTURE_RECT : in.normalised;
	texture_pack(t);
	if (!texture_ready(t))
		return scene_refuse(s, AT_KEY(at, "format"), json_object_get(object, "format"), "an existing format");
	set->t[in.number] = t;
	return put_texels(s, AT_KEY(at, "data"), in.data, t);
}

/* ---- samplers ---- */

static bool read_sampler(struct scene *s, const struct scene_at *at, const json_t *object, struct texture_set *set)
{
	struct scene_sampler in = { .s = texture_default_sampler, .compare = NO_COMPARISON };
	size_t wraps = json_array_size(json_object_get(object, "wrap"));
	struct sampler *out;

	if (!scene_read(s, at, object, OF_sampler, &in))
		return false;
	if (set->s[in.number])
		return scene_refuse(s, AT_KEY(at, "s"), json_object_get(object, "s"),
				    "a free number: the number is taken");
	out = ARENA_NEW(&s->l->arena, struct sampler);
	if (!out)
		return scene_no_memory(s, "samplers");
	*out = in.s;
	for (size_t i = wraps; wraps && i < 3; i++)
		out->wrap[i] = out->wrap[wraps - 1];
	out->mip = (uint8_t)(MIP_NONE + in.mip);
	out->compares = in.compare != NO_COMPARISON;
	out->compare = out->compares ? (uint8_t)in.compare : 0;
	memcpy(out->border_srgb, out->border, sizeof out->border_srgb);
	set->s[in.number] = out;
	return true;
}

/* ---- descriptors and their memory ---- */

/* Descriptors of zeros alone are none. */
static bool is_empty(const uint32_t *words)
{
	uint32_t any = 0;

	for (unsigned i = 0; i < TIC_WORDS; i++)
		any |= words[i];
	return !any;
}

/* Read the descriptors of a file, as many as numbers of textures or samplers. */
static bool read_descriptors(const struct scene *s, const struct scene_at *at, const json_t *v, bool textures,
			     struct texture_set *set)
{
	enum { BYTES = 4 * TIC_WORDS };
	const char *kind = textures ? "texture" : "sampler";
	unsigned most = textures ? TEXTURES : SAMPLERS;
	uint8_t *bytes = NULL;
	size_t size = 0;

	if (v && !scene_file(s, at, v, &bytes, &size))
		return false;
	if (size % BYTES || size / BYTES > most)
		return scene_refuse(s, at, v, "a file of up to %u descriptors of %d bytes each; it has %zu bytes", most,
				    (int)BYTES, size);
	for (unsigned i = 0; i < size / BYTES; i++) {
		const uint32_t *words = (const uint32_t *)(const void *)(bytes + i * BYTES);
		void *out;
		if (is_empty(words))
			continue;
		if (textures ? (const void *)set->t[i] : set->s[i])
			return scene_refuse(s, at, v, "no descriptor of %s %u, which \"%ss\" has", kind, i, kind);
		out = arena_alloc(&s->l->arena, textures ? sizeof *set->t[i] : sizeof *set->s[i], 16);
		if (!out)
			return diag_set(s->d, DIAG_ENV, "out of memory for %ss", kind);
		if (textures)
			texture_from_tic(words, (struct texture *)(set->t[i] = out));
		else
			sampler_from_tsc(words, (struct sampler *)(set->s[i] = out));
	}
	return true;
}

static bool read_memory(struct scene *s, const struct scene_at *at, const json_t *object, struct texture_set *set)
{
	struct scene_bytes in = { 0 };
	const json_t *v;
	const char *text;
	struct diag why = { 0 };
	uint64_t address;
	uint8_t *bytes;
	size_t n;
	char *end;

	if (!scene_read(s, at, object, OF_bytes, &in))
		return false;
	v = in.address;
	text = json_string_value(v);
	address = text ? strtoull(text, &end, 0) : 0;
	if (!text || *text < '0' || *text > '9' || *end || address >> 40)
		return scene_refuse(s, AT_KEY(at, "address"), v, "an address as a text, \"0x\" and up to 10 digits");
	if (!scene_file(s, AT_KEY(at, "file"), in.file, &bytes, &n))
		return false;
	if (!s->l->own_plan)
		return scene_refuse(s, AT_KEY(at, "address"), v, "no memory here: a device has addresses of its "
				    "own, where the caller writes");
	if (n && !global_map(s->l->machine.global, address, n, &why))
		return why.kind != DIAG_USAGE ? scene_no_memory(s, "memory")
					      : scene_refuse(s, AT_KEY(at, "address"), v, "%zu bytes in g[]", n);
	return !n || global_write(s->l->machine.global, address, bytes, n);
}

static bool read_each(struct scene *s, const char *key, const json_t *list, struct texture_set *set,
		      bool (*read)(struct scene *, const struct scene_at *, const json_t *, struct texture_set *))
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!read(s, AT_INDEX(AT_KEY(NULL, key), i), json_array_get(list, i), set))
			return false;
	return true;
}

bool scene_textures(struct scene *s, const struct scene_root *root)
{
	struct texture_set *set = scene_texture_set(s->l);

	return (set || scene_no_memory(s, "textures")) &&
	       read_each(s, "textures", root->textures, set, read_texture) &&
	       read_each(s, "samplers", root->samplers, set, read_sampler) &&
	       read_descriptors(s, AT_KEY(NULL, "tic"), root->tic, true, set) &&
	       read_descriptors(s, AT_KEY(NULL, "tsc"), root->tsc, false, set) &&
	       read_each(s, "memory", root->memory, set, read_memory);
}

/* ---- memory behind descriptors ---- */

/* The number of mapped bytes from an address on, at most `most`. */
static uint64_t mapped_from(const struct global *g, uint64_t address, uint64_t most)
{
	uint64_t n = 0, to_granule = (1u << GRANULE_BITS) - (address & ((1u << GRANULE_BITS) - 1));

	while (n < most && global_mapped(g, address + n, 1)) {
		n += to_granule;
		to_granule = 1u << GRANULE_BITS;
	}
	return n < most ? n : most;
}

/* Copy the memory of a texture; textures of one address share their bytes. */
static bool take_memory(struct wb_launch *l, const struct texture_set *set, unsigned i, uint64_t *left, struct diag *d)
{
	struct texture *t = (struct texture *)(uintptr_t)set->t[i];
	uint64_t n = mapped_from(l->machine.global, t->address, texture_bytes(t));
	uint8_t *bytes;

	for (unsigned k = 0; k < i; k++)
		if (set->t[k] && set->t[k]->from_memory && set->t[k]->address == t->address && set->t[k]->size >= n) {
			t->bytes = set->t[k]->bytes;
			t->size = n;
			return true;
		}
	if (n > *left)
		return diag_set(d, DIAG_LIMIT, "the textures that descriptors describe take more than the limit "
				"(--max-memory)");
	*left -= n;
	bytes = arena_alloc(&l->arena, n + 16, 16);
	if (!bytes)
		return diag_set(d, DIAG_ENV, "out of memory for textures");
	global_read(l->machine.global, t->address, bytes, n);
	t->bytes = bytes;
	t->size = n;
	return true;
}

/* Give textures outside of memory distinct addresses, for caches. */
static void place_textures(struct texture_set *set)
{
	uint64_t next = 1ull << 40;

	for (unsigned i = 0; i < TEXTURES; i++) {
		struct texture *t = (struct texture *)(uintptr_t)set->t[i];
		if (!t || t->from_memory)
			continue;
		t->address = next;
		next += (t->size + 0xffff) & ~0xffffull;
	}
}

bool scene_textures_bind(struct wb_launch *l, struct diag *d)
{
	const struct wb_config *c = l->inputs->config;
	struct texture_set *set = (struct texture_set *)(uintptr_t)l->plan.memory.textures;
	uint64_t left;

	if (!set)
		return true;
	left = memory_limit(c);
	set->rules = (struct texture_rules){
		.exact_weights = config_number(c, OPT_TEX_WEIGHTS) == 1,
		.seamless = config_number(c, OPT_SEAMLESS) == 1,
		.linked = config_number(c, OPT_LINKED_TSC) == 1,
		.lod_query_bits = config_number(c, OPT_LODQ_BITS) == 1 ? 6 : 8,
	};
	place_textures(set);
	for (unsigned i = 0; i < TEXTURES; i++)
		if (set->t[i] && set->t[i]->from_memory && !take_memory(l, set, i, &left, d))
			return false;
	return true;
}
