/* Values of a scene, checked where read, so that an error has the path in the document. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/inputs/scene.h"

static size_t put_place(const struct scene_at *at, char *text, size_t size)
{
	size_t n = at->up ? put_place(at->up, text, size) : 0;
	int more;

	if (n >= size)
		return n;
	more = at->key ? snprintf(text + n, size - n, "%s%.40s", n ? "." : "", at->key)
		       : snprintf(text + n, size - n, "[%zu]", at->index);
	return n + (more > 0 ? (size_t)more : 0);
}

/* The text of a JSON value, shortened. */
static void describe(const json_t *v, char *text, size_t size)
{
	char *whole;

	if (!v) {
		snprintf(text, size, "nothing");
	} else if (json_is_object(v)) {
		snprintf(text, size, "an object");
	} else if (json_is_array(v)) {
		snprintf(text, size, "a list of %zu", json_array_size(v));
	} else {
		whole = json_dumps(v, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
		snprintf(text, size, "%.40s", whole ? whole : "?");
		free(whole);
	}
}

bool scene_refuse(const struct scene *s, const struct scene_at *at, const json_t *found, const char *fmt, ...)
{
	char place[160] = "", what[64], expected[200];
	va_list ap;

	if (at)
		put_place(at, place, sizeof place);
	describe(found, what, sizeof what);
	va_start(ap, fmt);
	vsnprintf(expected, sizeof expected, fmt, ap);
	va_end(ap);
	diag_set(s->d, DIAG_INPUT, "%s%sfound %s, expected %s", place, *place ? ": " : "", what, expected);
	return diag_in_file(s->d, s->name);
}

bool scene_no_memory(const struct scene *s, const char *what)
{
	return diag_set(s->d, DIAG_ENV, "out of memory for %s", what);
}

bool scene_list(const struct scene *s, const struct scene_at *at, const json_t *v, size_t least, size_t most)
{
	size_t n = json_array_size(v);

	if (json_is_array(v) && n >= least && n <= most)
		return true;
	if (least == most)
		return scene_refuse(s, at, v, "a list of %zu", least);
	return scene_refuse(s, at, v, "a list of %zu to %zu", least, most);
}

bool scene_integer(const struct scene *s, const struct scene_at *at, const json_t *v, int64_t least, int64_t most,
		   int64_t *out)
{
	if (json_is_integer(v) && json_integer_value(v) >= least && json_integer_value(v) <= most) {
		*out = json_integer_value(v);
		return true;
	}
	return scene_refuse(s, at, v, "a whole number from %lld to %lld", (long long)least, (long long)most);
}

bool scene_number(const struct scene *s, const struct scene_at *at, const json_t *v, double *out)
{
	*out = json_number_value(v);
	return json_is_number(v) || scene_refuse(s, at, v, "a number");
}

/* Read hex digits. */
static bool read_hex(const struct scene *s, const struct scene_at *at, const json_t *v, uint32_t most, uint32_t *out)
{
	const char *text = json_string_value(v), *digits = text && !strncmp(text, "0x", 2) ? text + 2 : text;
	size_t n = digits ? strlen(digits) : 0;
	unsigned long value = n ? strtoul(digits, NULL, 16) : 0;

	*out = (uint32_t)value;
	return (n && n <= 8 && strspn(digits, "0123456789abcdefABCDEF") == n && value <= most) ||
	       scene_refuse(s, at, v, "a text of hexadecimal digits, at most \"%x\"", most);
}

bool scene_word(const struct scene *s, const struct scene_at *at, const json_t *v, uint32_t *out)
{
	float f = (float)json_number_value(v);

	if (json_is_string(v))
		return read_hex(s, at, v, UINT32_MAX, out);
	memcpy(out, &f, sizeof f);
	return json_is_number(v) || scene_refuse(s, at, v, "a number, or a word as a text of hexadecimal digits");
}

/* Read a word of `choices`, separated by bars, as its index. */
static bool read_choice(const struct scene *s, const struct scene_at *at, const json_t *v, const char *choices,
			unsigned *out)
{
	const char *text = json_string_value(v), *p = choices;
	size_t n = text ? strlen(text) : 0;

	for (*out = 0; n; ++*out) {
		size_t length = strcspn(p, "|");
		if (n == length && !memcmp(text, p, n))
			return true;
		p += length;
		if (!*p++)
			break;
	}
	return scene_refuse(s, at, v, "one of %s", choices);
}

/* Names are relative to the scene's own folder; --files limits a scene like a program's text. */
bool scene_file(const struct scene *s, const struct scene_at *at, const json_t *v, uint8_t **bytes, size_t *size)
{
	const char *name = json_string_value(v), *slash = strrchr(s->name, '/');
	size_t folder = slash && name && *name != '/' ? (size_t)(slash - s->name + 1) : 0;
	struct inputs *in = s->l->inputs;
	char path[4096];

	if (!name || !*name || strlen(name) + folder >= sizeof path)
		return scene_refuse(s, at, v, "the name of a file");
	snprintf(path, sizeof path, "%.*s%s", (int)folder, s->name, name);
	return files_may(in->config, s->name, path, false, s->d) &&
	       read_file(in->config, &in->files, &s->l->arena, path, bytes, size, s->d);
}

void *scene_memory(const struct scene *s, uint64_t n, size_t size, const char *what)
{
	uint64_t most = memory_limit(s->l->inputs->config);
	void *p;

	if (n > most / size) {
		diag_set(s->d, DIAG_LIMIT, "%s take %llu times %zu bytes, more than the limit (--max-memory), %llu",
			 what, (unsigned long long)n, size, (unsigned long long)most);
		return NULL;
	}
	p = arena_alloc(&s->l->arena, n * size + 1, 16);
	if (!p)
		scene_no_memory(s, what);
	return p;
}

bool scene_fits(const struct scene *s, const struct scene_at *at, const json_t *found, uint64_t threads)
{
	const struct plan *p = &s->l->plan;

	if (config_given(s->l->inputs->config, OPT_GRID) || config_given(s->l->inputs->config, OPT_BLOCK))
		return diag_set(s->d, DIAG_USAGE, "--grid and --block are not for scenes, which say by themselves how "
				"many threads there are");
	return (threads - 1) / p->dim.lanes < p->chip.max_grid[0] ||
	       scene_refuse(s, at, found, "at most %u threads: draw in parts; these are %llu",
			    p->chip.max_grid[0] * p->dim.lanes, (unsigned long long)threads);
}

/* ---- members of objects: the rows of scene.def ---- */

enum bound { FIXED, WIDTH_MOST, HEIGHT_MOST, DEPTH_MOST, LEVELS_MOST };

/* The upper bound of a texture's size, by its type and the sizes before. */
static uint32_t texture_most(const struct texture *t, enum bound bound)
{
	const struct texture_level *l = &t->level[0];
	bool buffer = t->type == TEXTURE_BUFFER, rows = !buffer && t->type != TEXTURE_1D && t->type != TEXTURE_1D_ARRAY;

	switch (bound) {
	case WIDTH_MOST: return buffer ? 1 << 27 : 8192;
	case HEIGHT_MOST: return rows ? 8192 : 1;
	case DEPTH_MOST: return t->type == TEXTURE_3D ? 2048 : 1;
	default: return buffer || t->type == TEXTURE_RECT ? 1
			: 32 - (uint32_t)__builtin_clz(l->width | l->height | l->depth);
	}
}

enum kind { JSON, LIST, INTEGER, TRUTH, NUMBER, LEVELS, WORD, HEX, CHOICE, FORMAT, SWIZZLE };
enum presence { NEEDED, OPTIONAL, NULLABLE };           /* NULLABLE: null is as good as nothing */

static const struct scene_row {
	uint8_t object, kind, presence, bound;  /* enums scene_object, kind, presence, bound */
	uint8_t fewest, longest;        /* elements of a list of values; 0: one value */
	uint16_t offset, size;          /* bytes of `member`, of one element in a list of values */
	int32_t least;
	uint32_t most;
	const char *key, *words, *unless;
} rows[] = {
#define ELEMENTS(fewest_, longest_) .fewest = fewest_, .longest = longest_
#define MEMBER(object_, key_, kind_, presence_, least_, most_, member, ...) { \
	.object = OF_##object_, .key = key_, .kind = kind_, .presence = presence_, .least = least_, .most = most_, \
	.offset = offsetof(struct scene_##object_, member), .size = sizeof ((struct scene_##object_ *)NULL)->member, \
	__VA_ARGS__ },
#include "device/inputs/scene.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool read_format(const struct scene *s, const struct scene_at *at, const json_t *v, struct texture *t)
{
	const char *name = json_string_value(v), *one;
	struct texture_named_format f;
	char names[256] = "";

	if (!name || !texture_format_named(name, &f)) {
		for (unsigned i = 0; (one = texture_format_name(i)); i++)
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? " " : "", one);
		return scene_refuse(s, at, v, "%s; then _unorm, _snorm, _uint, _sint or _float", names);
	}
	t->format = f.format;
	t->depth = f.depth;
	memcpy(t->texel_type, f.texel_type, sizeof t->texel_type);
	memcpy(t->source, f.source, sizeof t->source);
	return true;
}

/* Read the origins of components, by the format before. */
static bool read_swizzle(const struct scene *s, const struct scene_at *at, const json_t *v, struct texture *t)
{
	bool integer = t->texel_type[0] == TEXEL_SINT || t->texel_type[0] == TEXEL_UINT;

	return (json_is_string(v) && texture_swizzle_named(json_string_value(v), integer, t->source)) ||
	       scene_refuse(s, at, v, "four of the letters r g b a 0 1");
}

/* Read a value into the `size` bytes of its member. */
static bool read_value(const struct scene *s, const struct scene_at *at, const json_t *v, const struct scene_row *r,
		       uint32_t most, uint8_t *to)
{
	double number;
	int64_t n = 0;
	uint32_t word = 0;
	bool ok = true;

	switch (r->kind) {
	case JSON: memcpy(to, &v, sizeof v); return true;
	case LIST: memcpy(to, &v, sizeof v); return scene_list(s, at, v, (size_t)r->least, most);
	case INTEGER: ok = scene_integer(s, at, v, r->least, most, &n); word = (uint32_t)n; break;
	case TRUTH: ok = json_is_boolean(v) || scene_refuse(s, at, v, "true or false"); word = json_is_true(v); break;
	case NUMBER: ok = scene_number(s, at, v, &number); memcpy(to, &number, sizeof number); return ok;
	case LEVELS:
		ok = scene_number(s, at, v, &number);
		number = fmin(fmax(number * 256, r->least), most);
		word = (uint32_t)(int32_t)(number + (number < 0 ? -0.5 : 0.5));
		break;
	case WORD: ok = scene_word(s, at, v, &word); break;
	case HEX: ok = read_hex(s, at, v, most, &word); break;
	case CHOICE: ok = read_choice(s, at, v, r->words, &word); break;
	case FORMAT: return read_format(s, at, v, (struct texture *)(void *)to);
	case SWIZZLE: return read_swizzle(s, at, v, (struct texture *)(void *)to);
	}
	if (r->size == 1)
		*to = (uint8_t)word;
	else
		memcpy(to, &word, sizeof word);
	return ok;
}

static bool read_row(const struct scene *s, const struct scene_at *at, const json_t *v, const struct scene_row *r,
		     void *out)
{
	uint32_t most = r->bound ? texture_most(&((const struct scene_texture *)out)->t, r->bound) : r->most;
	uint8_t *to = (uint8_t *)out + r->offset;

	if (!r->longest)
		return read_value(s, at, v, r, most, to);
	if (!scene_list(s, at, v, r->fewest, r->longest))
		return false;
	for (size_t i = 0; i < json_array_size(v); i++)
		if (!read_value(s, AT_INDEX(at, i), json_array_get(v, i), r, most, to + i * r->size))
			return false;
	return true;
}

/* Refuse members without a row. */
static bool known_members(const struct scene *s, const struct scene_at *at, const json_t *object,
			  enum scene_object which)
{
	char keys[200] = "";
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)object, key, v) {
		unsigned i = 0;
		while (i < ROWS && (rows[i].object != which || strcmp(rows[i].key, key)))
			i++;
		if (i < ROWS)
			continue;
		for (i = 0; i < ROWS; i++)
			if (rows[i].object == which)
				snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", *keys ? " " : "",
					 rows[i].key);
		return scene_refuse(s, AT_KEY(at, key), v, "no such member; members are: %s", keys);
	}
	return true;
}

bool scene_read(const struct scene *s, const struct scene_at *at, const json_t *object, enum scene_object which,
		void *out)
{
	if (!json_is_object(object))
		return scene_refuse(s, at, object, "an object");
	if (which != OF_root && !known_members(s, at, object, which))
		return false;
	for (const struct scene_row *r = rows; r < rows + ROWS; r++) {
		const json_t *v = r->object == which ? json_object_get(object, r->key) : NULL;
		if (r->object != which || (r->presence != NEEDED && !v) ||
		    (r->presence == NULLABLE && json_is_null(v)) || (r->unless && json_object_get(object, r->unless)))
			continue;
		if (!read_row(s, AT_KEY(at, r->key), v, r, out))
			return false;
	}
	return true;
}
