/* Parses a plan: anything that is no plan is refused with line and column. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/json_place.h"
#include "frontends/cli/sweep.h"

enum { MOST_POINTS = 1000000, MOST_ARGUMENT = 255, DEEPEST = 5 /* axes, name, step, setting, value of a list */ };

/* Where in the text the reader is. */
struct reader {
	struct plan *plan;
	const struct wb_config *config;
	const char *text;
	struct json_step path[DEEPEST];
	size_t depth;
};

static void enter(struct reader *r, const char *key, size_t index)
{
	r->path[r->depth++] = (struct json_step){key, index};
}

/* Leave what was entered last if it was good; otherwise the path stays, for the place in the message. Returns ok. */
static bool leave(struct reader *r, bool ok)
{
	r->depth -= ok;
	return ok;
}

static bool refuse(const struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(const struct reader *r, const char *fmt, ...)
{
	struct wb_diag d = {.status = WB_INPUT, .offset = -1};
	va_list ap;
	json_place(r->text, r->path, r->depth, &d.line, &d.column);
	snprintf(d.file, sizeof d.file, "%s", r->plan->path);
	va_start(ap, fmt);
	vsnprintf(d.text, sizeof d.text, fmt, ap);
	va_end(ap);
	complain_diag(&d);
	return false;
}

static bool bad(const struct reader *r, const char *where, const char *expected, const json_t *found)
{
	char *text = found ? json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	refuse(r, "%s: expected %s; found %.200s", where, expected, text ? text : "nothing");
	free(text);
	return false;
}

/* Like bad, of the member where the reader is not yet. */
static bool bad_member(struct reader *r, const char *name, const char *expected, const json_t *found)
{
	enter(r, name, 0);
	return bad(r, name, expected, found);
}

/* ---- Settings ---- */

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

static bool read_argument(const struct reader *r, const char *name, const json_t *value)
{
	unsigned number;
	int end = 0;
	if (sscanf(name, "arg %u%n", &number, &end) < 1 || name[end] || number > MOST_ARGUMENT)
		return bad(r, name, "'arg N' with the number of an argument, from 0", value);
	return is_word(value) || bad(r, name, "an argument", value);
}

static bool read_option(const struct reader *r, const char *name, const json_t *value)
{
	struct wb_diag d = {.status = WB_OK};
	if (!strcmp(name, "cc") || !strcmp(name, "cuda-compiler") || !strcmp(name, "libclc") || !strcmp(name, "keep"))
		return refuse(r, "setting '%s': a plan runs no compiler of its own and keeps no files; give --%s on "
			      "the command line", name, name);
	if (!strcmp(name, "files") || !strcmp(name, "include"))
		return refuse(r, "setting '%s': what programs may read is not a plan's to say; give --%s on the "
			      "command line", name, name);
	if (!is_word(value) && !are_words(value))
		return bad(r, name, "a text, a number, true or false, or a list of those", value);
	struct wb_config *scratch = wb_config_copy(r->config);
	json_t *one = json_pack("{s:O}", name, value);
	enum wb_status status = plan_apply(one, scratch, &d);
	json_decref(one);
	wb_config_free(scratch);
	if (status == WB_ENV)
		no_memory();
	return status == WB_OK || refuse(r, "setting '%s': %s", name, d.text);
}

static bool read_setting(const struct reader *r, const char *name, const json_t *value)
{
	switch (setting_kind(name)) {
	case SETTING_FILE: return json_is_string(value) || bad(r, name, "the name of a program", value);
	case SETTING_VERTICES: return json_is_string(value) || bad(r, name, "the name of a file of vertices", value);
	case SETTING_ARGUMENTS: return are_words(value) || bad(r, name, "a list of arguments", value);
	case SETTING_ARGUMENT: return read_argument(r, name, value);
	default: return read_option(r, name, value);
	}
}

static bool read_settings(struct reader *r, const json_t *settings)
{
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)settings, name, value) {
		enter(r, name, 0);
		if (!leave(r, read_setting(r, name, value)))
			return false;
	}
	return true;
}

/* ---- Axes ---- */

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

/* A step of an axis: "rr" of "policy": ["rr", "gto"] sets the option of the axis' name; an object sets several options
 * at once, the same options in every step. */
static bool read_step(struct reader *r, const char *axis, json_t *values, json_t *step)
{
	if (json_is_object(step))
		json_array_append(values, step);
	else
		json_array_append_new(values, json_pack("{s:O}", axis, step));
	const json_t *last = json_array_get(values, json_array_size(values) - 1);
	if (!same_members(json_array_get(values, 0), last))
		return bad(r, axis, "the same settings in every step", step);
	return json_is_object(step) ? read_settings(r, step) : read_setting(r, axis, step);
}

static bool read_axis(struct reader *r, const char *name, const json_t *steps)
{
	size_t i;
	json_t *step, *values = json_array();
	struct plan *p = r->plan;
	p->axes[p->naxes++].values = values;
	if (!json_is_array(steps) || !json_array_size(steps))
		return bad(r, name, "a list of values", steps);
	json_array_foreach((json_t *)steps, i, step) {
		enter(r, NULL, i);
		if (!leave(r, read_step(r, name, values, step)))
			return false;
	}
	if (json_array_size(values) > MOST_POINTS / p->points)
		return refuse(r, "%s: expected at most a million points", name);
	p->points *= json_array_size(values);
	return true;
}

/* A setting that two axes have would hide that of the first. */
static bool read_apart(const struct reader *r, json_t *seen, const json_t *settings)
{
	const char *name;
	json_t *value;
	json_object_foreach((json_t *)settings, name, value) {
		if (json_object_get(seen, name))
			return bad(r, name, "a setting of one axis only", value);
		json_object_set(seen, name, value);
	}
	return true;
}

static bool read_axes(struct reader *r)
{
	json_t *axes = json_object_get(r->plan->document, "axes"), *steps, *seen = json_object();
	const char *name;
	bool ok = !axes || json_is_object(axes) || bad_member(r, "axes", "an object of lists", axes);
	r->plan->axes = grow(NULL, (json_object_size(axes) + 1) * sizeof *r->plan->axes);
	enter(r, "axes", 0);
	json_object_foreach(ok ? axes : NULL, name, steps) {
		enter(r, name, 0);
		ok = leave(r, read_axis(r, name, steps) && read_apart(r, seen, json_array_get(
					r->plan->axes[r->plan->naxes - 1].values, 0)));
		if (!ok)
			break;
	}
	json_decref(seen);
	return leave(r, ok);
}

/* ---- The other members ---- */

static bool read_columns(struct reader *r)
{
	static const char *const default_columns[] = {
		"cycles", "instructions", "thread_instructions", "ipc", "warp_execution_efficiency", "divergent_branch",
		"warp_serialize", "bill.lane_slots", "bill.useful", "warps_mean", "digest",
	};
	struct plan *p = r->plan;
	json_t *given = json_object_get(p->document, "columns"), *name;
	size_t i;
	p->columns = given ? json_incref(given) : json_array();
	for (i = 0; !given && i < sizeof default_columns / sizeof *default_columns; i++)
		json_array_append_new(p->columns, json_string(default_columns[i]));
	enter(r, "columns", 0);
	if (!json_is_array(p->columns))
		return bad(r, "columns", "a list of names", given);
	json_array_foreach(p->columns, i, name) {
		char near[64];
		enter(r, NULL, i);
		if (!json_is_string(name))
			return bad(r, "columns", "a name", name);
		if (!column_known(json_string_value(name), near, sizeof near))
			return refuse(r, "no column '%s'%s%s", json_string_value(name),
				      *near ? "; the nearest is " : "", near);
		leave(r, true);
	}
	return leave(r, true);
}

static bool read_members(struct reader *r)
{
	static const char *const names[] = {"schema", "title", "file", "set", "axes", "columns", NULL};
	const json_t *document = r->plan->document;
	const char *member;
	json_t *value;
	if (!json_is_object(document))
		return bad(r, "the plan", "an object", document);
	json_object_foreach((json_t *)document, member, value) {
		size_t i = 0;
		while (names[i] && strcmp(names[i], member) != 0)
			i++;
		const char *near = names[i] ? NULL : wb_nearest(member, names);
		enter(r, member, 0);
		if (near)
			return refuse(r, "no '%s' in a plan; did you mean '%s'?", member, near);
		if (!names[i])
			return refuse(r, "no '%s' in a plan", member);
		leave(r, true);
	}
	return true;
}

static bool read_set(struct reader *r)
{
	struct plan *p = r->plan;
	p->settings = json_object_get(p->document, "set");
	if (!p->settings)
		return true;
	enter(r, "set", 0);
	if (!json_is_object(p->settings))
		return bad(r, "set", "an object of settings", p->settings);
	return leave(r, read_settings(r, p->settings));
}

static bool read_program(struct reader *r)
{
	json_t *first = plan_point(r->plan, 0);
	bool named = json_is_string(json_object_get(first, "file"));
	json_decref(first);
	return named || bad_member(r, "file", "the name of a program", json_object_get(r->plan->document, "file"));
}

bool plan_read(struct plan *p, const char *text, const struct wb_config *config)
{
	struct reader r = {.plan = p, .config = config, .text = text};
	return read_members(&r) && read_set(&r) && read_columns(&r) && read_axes(&r) && read_program(&r);
}
