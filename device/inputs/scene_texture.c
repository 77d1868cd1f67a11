/* Textures and samplers of a scene. Texels come from raw files, words, or pictures; or a scene brings the machine's
 * descriptors and the memory behind them. Either way a texture of the launch has constant bytes of its own
 * (mem/texture.h). */
#include "device/inputs/scene_texture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/inputs/scene_picture.h"

enum {
	SIZE_MOST = 8192, DEPTH_MOST = 2048, CUBES_MOST = 512, LAYERS_MOST = 6 * CUBES_MOST, BUFFER_MOST = 1 << 27,
	LEVELS_MOST = 14, NAME_MOST = 4096, LOD_ONE = 256,
};

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

static bool optional(const struct scene *s, const struct scene_at *at, const json_t *object, const char *key,
		     int64_t least, int64_t most, int64_t fallback, int64_t *out)
{
	const json_t *v = json_object_get(object, key);

	*out = fallback;
	return !v || scene_integer(s, AT_KEY(at, key), v, least, most, out);
}

static bool read_format(const struct scene *s, const struct scene_at *at, const json_t *object, struct texture *t)
{
	const json_t *v = json_object_get(object, "format"), *swizzle = json_object_get(object, "swizzle");
	const char *name = json_string_value(v);
	struct texture_named_format f;

	if (!name || !texture_format_named(name, &f)) {
		char names[256] = "";
		const char *one;
		for (unsigned i = 0; (one = texture_format_name(i)); i++)
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? " " : "", one);
		return scene_refuse(s, AT_KEY(at, "format"), v, "%s; then _unorm, _snorm, _uint, _sint or _float",
				    names);
	}
	t->format = f.format;
	t->depth = f.depth;
	memcpy(t->texel_type, f.texel_type, sizeof t->texel_type);
	memcpy(t->source, f.source, sizeof t->source);
	if (!swizzle)
		return true;
	return (json_is_string(swizzle) &&
		texture_swizzle_named(json_string_value(swizzle), t->texel_type[0] == TEXEL_SINT ||
				      t->texel_type[0] == TEXEL_UINT, t->source)) ||
	       scene_refuse(s, AT_KEY(at, "swizzle"), swizzle, "four of the letters r g b a 0 1");
}

/* As many layers as the type can have: `layers` counts each face of a cube. */
static bool check_layers(const struct scene *s, const struct scene_at *at, const json_t *object, struct texture *t)
{
	const json_t *v = json_object_get(object, "layers");

	switch (t->type) {
	case TEXTURE_CUBE:
		if (t->layers == 1 || t->layers == 6) {
			t->layers = 6;
			return true;
		}
		return scene_refuse(s, AT_KEY(at, "layers"), v, "6, the faces of a cube");
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

static unsigned levels_most(const struct texture_level *l)
{
	uint32_t most = l->width > l->height ? l->width : l->height;

	most = most > l->depth ? most : l->depth;
	return 32u - (unsigned)__builtin_clz(most);
}

static bool read_sizes(const struct scene *s, const struct scene_at *at, const json_t *object, struct texture *t)
{
	bool buffer = t->type == TEXTURE_BUFFER, flat = buffer || t->type == TEXTURE_1D || t->type == TEXTURE_1D_ARRAY;
	bool cube = t->type == TEXTURE_CUBE || t->type == TEXTURE_CUBE_ARRAY;
	int64_t width, height, depth, layers, levels;

	if (!scene_integer(s, AT_KEY(at, "width"), json_object_get(object, "width"), 1,
			   buffer ? BUFFER_MOST : SIZE_MOST, &width) ||
	    !optional(s, at, object, "height", 1, flat ? 1 : SIZE_MOST, cube ? width : 1, &height) ||
	    !optional(s, at, object, "depth", 1, t->type == TEXTURE_3D ? DEPTH_MOST : 1, 1, &depth) ||
	    !optional(s, at, object, "layers", 1, LAYERS_MOST, cube ? 6 : 1, &layers))
		return false;
	if (cube && height != width)
		return scene_refuse(s, AT_KEY(at, "height"), json_object_get(object, "height"),
				    "%" PRId64 ", the width: faces of a cube are squares", width);
	t->layers = (uint32_t)layers;
	t->level[0] = (struct texture_level){ .width = (uint32_t)width, .height = (uint32_t)height,
					      .depth = (uint32_t)depth };
	if (!optional(s, at, object, "levels", 1, buffer || t->type == TEXTURE_RECT ? 1 : levels_most(&t->level[0]), 1,
		      &levels))
		return false;
	t->levels = (uint8_t)levels;
	return check_layers(s, at, object, t);
}

static bool read_texture(struct scene *s, const struct scene_at *at, const json_t *object, struct texture_set *set)
{
	struct texture *t = ARENA_NEW(&s->l->arena, struct texture);
	unsigned type;
	int64_t n;

	if (!t)
		return scene_no_memory(s, "textures");
	if (!scene_keys(s, at, object, "t type format width height depth layers levels normalized srgb swizzle data") ||
	    !scene_integer(s, AT_KEY(at, "t"), json_object_get(object, "t"), 0, TEXTURES - 1, &n) ||
	    !scene_choice(s, AT_KEY(at, "type"), json_object_get(object, "type"),
			  "1d|2d|3d|cube|1d_array|2d_array|buffer|rect|cube_array", &type) ||
	    !read_format(s, at, object, t))
		return false;
	t->type = (uint8_t)type;
	t->normalised = type != TEXTURE_RECT;
	if (!scene_truth(s, AT_KEY(at, "normalized"), json_object_get(object, "normalized"), &t->normalised) ||
	    !scene_truth(s, AT_KEY(at, "srgb"), json_object_get(object, "srgb"), &t->srgb) ||
	    !read_sizes(s, at, object, t))
		return false;
	if (set->t[n])
		return scene_refuse(s, AT_KEY(at, "t"), json_object_get(object, "t"),
				    "a free number: the number is taken");
	texture_pack(t);
	if (!texture_ready(t))
		return scene_refuse(s, AT_KEY(at, "format"), json_object_get(object, "format"), "an existing format");
	set->t[n] = t;
	return put_texels(s, AT_KEY(at, "data"), json_object_get(object, "data"), t);
}

/* ---- samplers ---- */

static bool read_wraps(const struct scene *s, const struct scene_at *at, const json_t *v, struct sampler *out)
{
	static const char names[] = "wrap|mirror|clamp_to_edge|border|clamp_ogl|mirror_once_clamp_to_edge|"
				    "mirror_once_border|mirror_once_clamp_ogl";
	unsigned wrap;

	if (!v)
		return true;
	if (!scene_list(s, at, v, 1, 3))
		return false;
	for (unsigned i = 0; i < 3; i++) {
		unsigned k = i < json_array_size(v) ? i : (unsigned)json_array_size(v) - 1;
		if (!scene_choice(s, AT_INDEX(at, k), json_array_get(v, k), names, &wrap))
			return false;
		out->wrap[i] = (uint8_t)wrap;
	}
	return true;
}

/* Read a level of detail in the unit of sampler words, 1/256. */
static bool read_lod(const struct scene *s, const struct scene_at *at, const json_t *object, const char *key,
		     double least, double most, int32_t *out)
{
	const json_t *v = json_object_get(object, key);
	double lod;

	if (!v)
		return true;
	if (!scene_number(s, AT_KEY(at, key), v, &lod))
		return false;
	lod = lod < least ? least : lod > most ? most : lod;
	*out = (int32_t)(lod * LOD_ONE + (lod < 0 ? -0.5 : 0.5));
	return true;
}

static bool read_filter(const struct scene *s, const struct scene_at *at, const json_t *object, const char *key,
			bool *linear)
{
	const json_t *v = json_object_get(object, key);
	unsigned which = 0;

	if (v && !scene_choice(s, AT_KEY(at, key), v, "nearest|linear", &which))
		return false;
	*linear = which;
	return true;
}

static bool read_border(const struct scene *s, const struct scene_at *at, const json_t *v, struct sampler *out)
{
	if (v && !scene_list(s, at, v, 4, 4))
		return false;
	for (unsigned c = 0; v && c < 4; c++)
		if (!scene_word(s, AT_INDEX(at, c), json_array_get(v, c), &out->border[c]))
			return false;
	memcpy(out->border_srgb, out->border, sizeof out->border_srgb);
	return true;
}

static bool read_sampler(struct scene *s, const struct scene_at *at, const json_t *object, struct texture_set *set)
{
	struct sampler *out = ARENA_NEW(&s->l->arena, struct sampler);
	const json_t *mip, *compare;
	const double most = 16 - 1.0 / LOD_ONE;
	unsigned which;
	int64_t n;

	if (!out)
		return scene_no_memory(s, "samplers");
	*out = texture_default_sampler;
	if (!scene_keys(s, at, object, "s wrap min mag mip bias min_lod max_lod border compare") ||
	    !scene_integer(s, AT_KEY(at, "s"), json_object_get(object, "s"), 0, SAMPLERS - 1, &n) ||
	    !read_wraps(s, AT_KEY(at, "wrap"), json_object_get(object, "wrap"), out) ||
	    !read_filter(s, at, object, "min", &out->min_linear) ||
	    !read_filter(s, at, object, "mag", &out->mag_linear) ||
	    !read_lod(s, at, object, "bias", -16, most, &out->lod_bias) ||
	    !read_lod(s, at, object, "min_lod", 0, most, &out->min_lod) ||
	    !read_lod(s, at, object, "max_lod", 0, most, &out->max_lod) ||
	    !read_border(s, AT_KEY(at, "border"), json_object_get(object, "border"), out))
		return false;
	mip = json_object_get(object, "mip");
	if (mip && !scene_choice(s, AT_KEY(at, "mip"), mip, "none|nearest|linear", &which))
		return false;
	if (mip)
		out->mip = (uint8_t)(MIP_NONE + which);
	compare = json_object_get(object, "compare");
	out->compares = compare && !json_is_null(compare);
	if (out->compares && !scene_choice(s, AT_KEY(at, "compare"), compare,
					   "never|less|equal|lequal|greater|notequal|gequal|always", &which))
		return false;
	if (out->compares)
		out->compare = (uint8_t)which;
	if (set->s[n])
		return scene_refuse(s, AT_KEY(at, "s"), json_object_get(object, "s"),
				    "a free number: the number is taken");
	set->s[n] = out;
	return true;
}

/* ---- descriptors and their memory ---- */

/* Read words of descriptors from a file, `each` words a descriptor. */
static bool descriptors(const struct scene *s, const struct scene_at *at, const json_t *v, unsigned most,
			const uint32_t **words, unsigned *n)
{
	enum { BYTES = 4 * TIC_WORDS };
	uint8_t *bytes;
	size_t size;

	*n = 0;
	if (!v)
		return true;
	if (!scene_file(s, at, v, &bytes, &size))
		return false;
	if (size % BYTES || size / BYTES > most)
		return scene_refuse(s, at, v, "a file of up to %u descriptors of %d bytes each; it has %zu bytes", most,
				    (int)BYTES, size);
	*words = (const uint32_t *)(const void *)bytes;
	*n = (unsigned)(size / BYTES);
	return true;
}

/* Descriptors of zeros alone are none. */
static bool is_empty(const uint32_t *words)
{
	uint32_t any = 0;

	for (unsigned i = 0; i < TIC_WORDS; i++)
		any |= words[i];
	return !any;
}

static bool read_tic(struct scene *s, const struct scene_at *at, const json_t *v, struct texture_set *set)
{
	const uint32_t *words = NULL;
	unsigned n;

	if (!descriptors(s, at, v, TEXTURES, &words, &n))
		return false;
	for (unsigned i = 0; i < n; i++, words += TIC_WORDS) {
		struct texture *t = is_empty(words) ? NULL : ARENA_NEW(&s->l->arena, struct texture);
		if (!t && !is_empty(words))
			return scene_no_memory(s, "textures");
		if (t && set->t[i])
			return scene_refuse(s, at, v, "no descriptor of texture %u, which \"textures\" has", i);
		if (!t)
			continue;
		texture_from_tic(words, t);
		set->t[i] = t;
	}
	return true;
}

static bool read_tsc(struct scene *s, const struct scene_at *at, const json_t *v, struct texture_set *set)
{
	const uint32_t *words = NULL;
	unsigned n;

	if (!descriptors(s, at, v, SAMPLERS, &words, &n))
		return false;
	for (unsigned i = 0; i < n; i++, words += TSC_WORDS) {
		struct sampler *out = is_empty(words) ? NULL : ARENA_NEW(&s->l->arena, struct sampler);
		if (!out && !is_empty(words))
			return scene_no_memory(s, "samplers");
		if (out && set->s[i])
			return scene_refuse(s, at, v, "no descriptor of sampler %u, which \"samplers\" has", i);
		if (!out)
			continue;
		sampler_from_tsc(words, out);
		set->s[i] = out;
	}
	return true;
}

static bool read_memory(struct scene *s, const struct scene_at *at, const json_t *object, struct texture_set *set)
{
	const json_t *v = json_object_get(object, "address");
	const char *text = json_string_value(v);
	struct diag why = { 0 };
	uint64_t address;
	uint8_t *bytes;
	size_t n;
	char *end;

	if (!scene_keys(s, at, object, "address file"))
		return false;
	address = text ? strtoull(text, &end, 0) : 0;
	if (!text || *text < '0' || *text > '9' || *end || address >> 40)
		return scene_refuse(s, AT_KEY(at, "address"), v, "an address as a text, \"0x\" and up to 10 digits");
	if (!scene_file(s, AT_KEY(at, "file"), json_object_get(object, "file"), &bytes, &n))
		return false;
	if (!s->l->own_plan)
		return scene_refuse(s, AT_KEY(at, "address"), v, "no memory here: a device has addresses of its "
				    "own, where the caller writes");
	if (n && !global_map(s->l->machine.global, address, n, &why))
		return why.kind != DIAG_USAGE ? scene_no_memory(s, "memory")
					      : scene_refuse(s, AT_KEY(at, "address"), v, "%zu bytes in g[]", n);
	return !n || global_write(s->l->machine.global, address, bytes, n);
}

static bool read_each(struct scene *s, const json_t *root, const char *key, size_t most, struct texture_set *set,
		      bool (*read)(struct scene *, const struct scene_at *, const json_t *, struct texture_set *))
{
	const json_t *list = json_object_get(root, key);

	if (list && !scene_list(s, AT_KEY(NULL, key), list, 0, most))
		return false;
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!read(s, AT_INDEX(AT_KEY(NULL, key), i), json_array_get(list, i), set))
			return false;
	return true;
}

bool scene_textures(struct scene *s, const json_t *root)
{
	enum { MEMORIES_MOST = 4096 };
	struct texture_set *set = scene_texture_set(s->l);

	return (set || scene_no_memory(s, "textures")) && read_each(s, root, "textures", TEXTURES, set, read_texture) &&
	       read_each(s, root, "samplers", SAMPLERS, set, read_sampler) &&
	       read_tic(s, AT_KEY(NULL, "tic"), json_object_get(root, "tic"), set) &&
	       read_tsc(s, AT_KEY(NULL, "tsc"), json_object_get(root, "tsc"), set) &&
	       read_each(s, root, "memory", MEMORIES_MOST, set, read_memory);
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
