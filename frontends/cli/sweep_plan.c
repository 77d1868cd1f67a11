/* Plans: reading, checking, and the settings of a point. */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/sweep.h"

enum { MOST_POINTS = 1000000 };

static const char timing_key[] = "timing-set ", arg_key[] = "arg ";

static bool begins(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

char *setting_text(const json_t *value)
{
	char *text = NULL;
	int n = -1;
	if (json_is_string(value))
		n = asprintf(&text, "%s", json_string_value(value));
	else if (json_is_boolean(value))
		n = asprintf(&text, "%s", json_is_true(value) ? "on" : "off");
	else if (json_is_integer(value))
		n = asprintf(&text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		n = asprintf(&text, "%.15g", json_real_value(value));
	else if (json_is_array(value)) {
		size_t i;
		json_t *word;
		text = grow(NULL, 1);
		text[0] = '\0';
		json_array_foreach((json_t *)value, i, word) {
			char *one = setting_text(word);
			text = grow(text, strlen(text) + strlen(one) + 2);
			strcat(strcat(text, i ? " " : ""), one);
			free(one);
		}
		return text;
	} else {
		n = asprintf(&text, "%s", "");
	}
	if (n < 0)
		exit(complain(WB_ENV, "out of memory"));
	return text;
}

/* ---- Settings into a configuration ---- */

static enum wb_status apply_text(const char *name, const char *text, struct wb_config *config, struct wb_diag *d)
{
	if (!begins(name, timing_key))
		return wb_config_set(config, name, text, d);
	char pair[256];
	snprintf(pair, sizeof pair, "%s=%s", name + strlen(timing_key), text);
	return wb_config_set(config, "timing-set", pair, d);
}

/* An array is for an option that may be given again. */
static enum wb_status apply_one(const char *name, const json_t *value, struct wb_config *config, struct wb_diag *d)
{
	enum wb_status status = WB_OK;
	size_t n = json_is_array(value) ? json_array_size(value) : 1;
	for (size_t i = 0; i < n && status == WB_OK; i++) {
		char *text = setting_text(json_is_array(value) ? json_array_get(value, i) : value);
		status = apply_text(name, text, config, d);
		free(text);
	}
	return status;
}

enum wb_status plan_apply(const json_t *settings, struct wb_config *config, struct wb_diag *d)
{
	enum wb_status status = WB_OK;
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)settings, name, value) {
		if (status == WB_OK && strcmp(name, "file") != 0 && strcmp(name, "args") != 0 && !begins(name, arg_key))
			status = apply_one(name, value, config, d);
	}
	return status;
}

json_t *plan_point(const struct plan *p, unsigned long index)
{
	json_t *settings = p->settings ? json_copy(p->settings) : json_object();
	size_t *step = grow(NULL, (p->naxes + 1) * sizeof *step);
	for (size_t i = p->naxes; i-- > 0;) {
		size_t n = json_array_size(p->axes[i].values);
		step[i] = index % n;
		index /= n;
	}
	for (size_t i = 0; i < p->naxes; i++)
		json_object_update(settings, json_array_get(p->axes[i].values, step[i]));
	if (!json_object_get(settings, "file"))
		json_object_set(settings, "file", json_object_get(p->document, "file"));
	free(step);
	return settings;
}

/* ---- Checking ---- */

static bool bad(const struct plan *p, const char *where, const char *expected, const json_t *found)
{
	char *text = found ? json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	complain(WB_INPUT, "%s: %s: expected %s; found %.200s", p->path, where, expected, text ? text : "nothing");
	free(text);
	return false;
}

static bool is_word(const json_t *value)
{
	return json_is_string(value) || json_is_number(value) || json_is_boolean(value);
}

static bool are_words(const json_t *value)
{
	size_t i;
	json_t *word;
	json_array_foreach((json_t *)value, i, word) {
		if (!is_word(word))
			return false;
	}
	return json_is_array(value);
}

static bool check_setting(const struct plan *p, const char *name, const json_t *value, const struct wb_config *config)
{
	struct wb_diag d = {.status = WB_OK};
	unsigned number;
	int end = 0;
	if (!strcmp(name, "file"))
		return json_is_string(value) || bad(p, name, "the name of a program", value);
	if (!strcmp(name, "args"))
		return are_words(value) || bad(p, name, "a list of arguments", value);
	if (begins(name, arg_key) && (sscanf(name, "arg %u%n", &number, &end) < 1 || name[end] || number > 255))
		return bad(p, name, "'arg N' with the number of an argument, from 0", value);
	if (!is_word(value) && !are_words(value))
		return bad(p, name, "a text, a number, true or false, or a list of those", value);
	if (begins(name, arg_key))
		return is_word(value) || bad(p, name, "an argument", value);
	struct wb_config *scratch = wb_config_copy(config);
	bool ok = apply_one(name, value, scratch, &d) == WB_OK;
	if (!ok)
		complain(WB_INPUT, "%s: setting '%s': %s", p->path, name, d.text);
	wb_config_free(scratch);
	return ok;
}

static bool check_settings(const struct plan *p, const json_t *settings, const struct wb_config *config)
{
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)settings, name, value) {
		if (!check_setting(p, name, value, config))
			return false;
	}
	return true;
}

static bool same_members(const json_t *a, const json_t *b)
{
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)a, name, value) {
		if (!json_object_get(b, name))
			return false;
	}
	return json_object_size(a) == json_object_size(b);
}

/* An axis "policy": ["rr", "gto"] has one setting, its name. Steps that are objects have several, which move
 * together. */
static bool read_axis(struct plan *p, const char *name, const json_t *steps, const struct wb_config *config)
{
	size_t i;
	json_t *step, *values = json_array();
	p->axes[p->naxes++].values = values;
	if (!json_is_array(steps) || !json_array_size(steps))
		return bad(p, name, "a list of values", steps);
	json_array_foreach((json_t *)steps, i, step) {
		if (json_is_object(step))
			json_array_append(values, step);
		else
			json_array_append_new(values, json_pack("{s:O}", name, step));
		json_t *first = json_array_get(values, 0), *last = json_array_get(values, i);
		if (!same_members(first, last))
			return bad(p, name, "the same settings in every step", step);
		if (!check_settings(p, last, config))
			return false;
	}
	if (json_array_size(values) > MOST_POINTS / p->points)
		return bad(p, name, "at most a million points", NULL);
	p->points *= json_array_size(values);
	return true;
}

/* A setting that two axes have would hide that of the first. */
static bool check_apart(const struct plan *p)
{
	json_t *seen = json_object();
	bool ok = true;
	for (size_t i = 0; i < p->naxes; i++) {
		const char *name;
		json_t *value;
		json_object_foreach(json_array_get(p->axes[i].values, 0), name, value) {
			if (ok && json_object_get(seen, name))
				ok = bad(p, name, "a setting of one axis only", value);
			json_object_set(seen, name, value);
		}
	}
	json_decref(seen);
	return ok;
}

static const char *const default_columns[] = {
	"cycles", "instructions", "thread_instructions", "ipc", "warp_execution_efficiency", "divergent_branch",
	"warp_serialize", "bill.lane_slots", "bill.useful", "warps_mean", "digest",
};

static bool read_columns(struct plan *p)
{
	json_t *given = json_object_get(p->document, "columns");
	size_t i;
	json_t *name;
	p->columns = given ? json_incref(given) : json_array();
	for (i = 0; !given && i < sizeof default_columns / sizeof *default_columns; i++)
		json_array_append_new(p->columns, json_string(default_columns[i]));
	if (!json_is_array(p->columns))
		return bad(p, "columns", "a list of names", given);
	json_array_foreach(p->columns, i, name) {
		if (!json_is_string(name))
			return bad(p, "columns", "a name", name);
	}
	return true;
}

static bool check_members(const struct plan *p)
{
	static const char *const names[] = {"schema", "title", "file", "set", "axes", "columns", NULL};
	const char *member;
	json_t *value;
	if (!json_is_object(p->document))
		return bad(p, "the plan", "an object", p->document);
	json_object_foreach(p->document, member, value) {
		size_t i = 0;
		while (names[i] && strcmp(names[i], member) != 0)
			i++;
		const char *near = names[i] ? NULL : nearest(member, names);
		if (near)
			complain(WB_INPUT, "%s: no '%s' in a plan; did you mean '%s'?", p->path, member, near);
		else if (!names[i])
			complain(WB_INPUT, "%s: no '%s' in a plan", p->path, member);
		if (!names[i])
			return false;
	}
	return true;
}

static bool read_plan(struct plan *p, const struct wb_config *config)
{
	if (!check_members(p))
		return false;
	json_t *axes = json_object_get(p->document, "axes"), *steps;
	const char *name;
	p->settings = json_object_get(p->document, "set");
	if (p->settings && !json_is_object(p->settings))
		return bad(p, "set", "an object of settings", p->settings);
	if (axes && !json_is_object(axes))
		return bad(p, "axes", "an object of lists", axes);
	p->axes = grow(NULL, (json_object_size(axes) + 1) * sizeof *p->axes);
	if (!check_settings(p, p->settings, config) || !read_columns(p))
		return false;
	json_object_foreach(axes, name, steps) {
		if (!read_axis(p, name, steps, config))
			return false;
	}
	json_t *first = plan_point(p, 0);
	bool file = json_is_string(json_object_get(first, "file"));
	json_decref(first);
	return file ? check_apart(p) : bad(p, "file", "the name of a program", json_object_get(p->document, "file"));
}

/* ---- The fingerprint ---- */

/* FNV-1a, 64 bits. */
static void mix(uint64_t *hash, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*hash = (*hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
}

/* The bytes of a program. A file that is not there is the points' trouble, not the plan's. */
static void mix_file(uint64_t *hash, const json_t *name)
{
	const char *path = json_string_value(name);
	char *bytes;
	size_t n;
	if (!path || access(path, R_OK) || !read_all(path, &bytes, &n))
		return;
	mix(hash, bytes, n);
	free(bytes);
}

static void fingerprint(struct plan *p, const struct wb_config *config)
{
	uint64_t hash = 0xcbf29ce484222325;
	char *text = json_dumps(p->document, JSON_COMPACT);
	const struct wb_option_info *info;
	struct wb_config *c = wb_config_copy(config);
	mix(&hash, wb_version(), strlen(wb_version()) + 1);
	mix(&hash, text ? text : "", text ? strlen(text) + 1 : 0);
	for (unsigned i = 0; (info = wb_option(i)); i++)
		mix(&hash, wb_config_get(c, info->name), strlen(wb_config_get(c, info->name)) + 1);
	mix_file(&hash, json_object_get(p->document, "file"));
	for (size_t i = 0; i < p->naxes; i++) {
		size_t k;
		json_t *step;
		json_array_foreach(p->axes[i].values, k, step)
			mix_file(&hash, json_object_get(step, "file"));
	}
	snprintf(p->fingerprint, sizeof p->fingerprint, "%016" PRIx64, hash);
	wb_config_free(c);
	free(text);
}

/* ---- Opening ---- */

static bool enter_folder(const char *path)
{
	char *copy = strdup(path);
	bool ok = copy && (!strcmp(path, "-") || chdir(dirname(copy)) == 0);
	if (!ok)
		complain(WB_ENV, "%s: cannot enter its folder: %s", path, strerror(errno));
	free(copy);
	return ok;
}

bool plan_open(struct plan *p, const char *path, const struct wb_config *config, enum wb_status *status)
{
	char *text;
	size_t n;
	json_error_t e;
	*p = (struct plan){.path = path, .points = 1};
	*status = WB_ENV;
	if (!read_all(path, &text, &n))
		return false;
	p->document = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
	free(text);
	*status = WB_INPUT;
	if (!p->document) {
		complain(WB_INPUT, "%s:%d:%d: %s", path, e.line, e.column, e.text);
		return false;
	}
	if (!read_plan(p, config))
		return false;
	*status = WB_ENV;
	if (!enter_folder(path))
		return false;
	fingerprint(p, config);
	*status = WB_OK;
	return true;
}

void plan_close(struct plan *p)
{
	for (size_t i = 0; i < p->naxes; i++)
		json_decref(p->axes[i].values);
	free(p->axes);
	json_decref(p->columns);
	json_decref(p->document);
}
