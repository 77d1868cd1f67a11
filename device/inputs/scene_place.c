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

static bool is_key(const char *keys, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = keys; n && (p = strstr(p, key)); p += n)
		if ((p == keys || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
			return true;
	return false;
}

bool scene_keys(const struct scene *s, const struct scene_at *at, const json_t *object, const char *keys)
{
	const char *key;
	json_t *v;

	if (!json_is_object(object))
		return scene_refuse(s, at, object, "an object");
	json_object_foreach((json_t *)(uintptr_t)object, key, v)
		if (strchr(key, ' ') || !is_key(keys, key))
			return scene_refuse(s, AT_KEY(at, key), v, "no such member; members are: %s", keys);
	return true;
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

bool scene_truth(const struct scene *s, const struct scene_at *at, const json_t *v, bool *out)
{
	if (!v)
		return true;
	*out = json_is_true(v);
	return json_is_boolean(v) || scene_refuse(s, at, v, "true or false");
}

bool scene_hex(const struct scene *s, const struct scene_at *at, const json_t *v, uint32_t most, uint32_t *out)
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
		return scene_hex(s, at, v, UINT32_MAX, out);
	memcpy(out, &f, sizeof f);
	return json_is_number(v) || scene_refuse(s, at, v, "a number, or a word as a text of hexadecimal digits");
}

bool scene_choice(const struct scene *s, const struct scene_at *at, const json_t *v, const char *choices,
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
