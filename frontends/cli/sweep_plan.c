/* Plans: reading, checking, and the settings of a point. A point's number, written in mixed radix, is the step of each
 * axis, so that a point needs no more than its number. */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/gallery.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/sweep.h"

static const char timing_key[] = "timing-set ";

static bool begins(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

enum setting_kind setting_kind(const char *name)
{
	return !strcmp(name, "file")   ? SETTING_FILE
	       : !strcmp(name, "in")   ? SETTING_VERTICES
	       : !strcmp(name, "args") ? SETTING_ARGUMENTS
	       : begins(name, "arg ")  ? SETTING_ARGUMENT
				       : SETTING_OPTION;
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
		no_memory();
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
		if (status == WB_OK && setting_kind(name) == SETTING_OPTION)
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

/* ---- Hashes ---- */

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ p[i]) * 0x100000001b3;
	return hash;
}

void hash_text(uint64_t hash, char text[HASH_TEXT])
{
	snprintf(text, HASH_TEXT, "%016" PRIx64, hash);
}

bool hash_file(const char *path, char text[HASH_TEXT])
{
	const struct example *e = example_of(path);
	uint64_t hash = HASH_START;
	char bytes[4096];
	size_t n;
	if (e) {
		hash_text(hash_bytes(hash, e->text, strlen(e->text)), text);
		return true;
	}
	FILE *f = fopen(path, "rb");
	if (!f)
		return false;
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
		hash = hash_bytes(hash, bytes, n);
	hash_text(hash, text);
	bool ok = !ferror(f);
	fclose(f);
	return ok;
}

void hash_line(const char *line, size_t n, char text[HASH_TEXT])
{
	hash_text(hash_bytes(HASH_START, line, n), text);
}

static void mix(uint64_t *hash, const char *text)
{
	*hash = hash_bytes(*hash, text, strlen(text) + 1);
}

/* A program that is not there is the points' trouble, not the plan's. */
static void mix_program(uint64_t *hash, const json_t *name)
{
	char text[HASH_TEXT];
	if (json_is_string(name) && hash_file(json_string_value(name), text))
		mix(hash, text);
}

static void mix_steps(uint64_t *hash, json_t *steps)
{
	size_t k;
	json_t *step;
	json_array_foreach(steps, k, step)
		mix_program(hash, json_object_get(step, "file"));
}

static void hash_plan(struct plan *p, const struct wb_config *config)
{
	uint64_t hash = HASH_START;
	char *text = json_dumps(p->document, JSON_COMPACT);
	const struct wb_option_info *info;
	struct wb_config *c = wb_config_copy(config);
	mix(&hash, wb_version());
	mix(&hash, text ? text : "");
	for (unsigned i = 0; (info = wb_option(i)); i++)
		mix(&hash, wb_config_get(c, info->name));
	hash_text(hash, p->settings_hash);
	mix_program(&hash, json_object_get(p->document, "file"));
	mix_program(&hash, json_object_get(p->settings, "file"));
	for (size_t i = 0; i < p->naxes; i++)
		mix_steps(&hash, p->axes[i].values);
	hash_text(hash, p->whole_hash);
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

/* Whether a file is a plan, by its name or as it begins; anything else is a program. */
static bool is_plan(const char *path)
{
	const char *dot = strrchr(path, '.');
	char first = '\0';
	FILE *f;
	if (!strcmp(path, "-") || (dot && !strcmp(dot, ".json")))
		return true;
	if (example_of(path) || !(f = fopen(path, "re")))
		return false;
	if (fscanf(f, " %c", &first) != 1)
		first = '\0';
	fclose(f);
	return first == '{';
}

/* Whether what the command line gives goes with a plan, or makes one of a program. */
static enum wb_status check_given(const char *path, bool plan, const json_t *given)
{
	if (plan && json_object_size(given))
		return complain(WB_USAGE, "%s is a plan, which has its axes, arguments and columns itself", path);
	if (!plan && !json_object_size(json_object_get(given, "axes")))
		return complain(WB_USAGE,
				"sweep of a program needs an axis, as --policy rr,gto or --axis block=64,128; a plan "
				"is a file that ends in .json; found '%s'", path);
	return WB_OK;
}

bool plan_open(struct plan *p, const char *path, json_t *given, const struct wb_config *config,
	       enum wb_status *status)
{
	char *text;
	size_t n;
	json_error_t e;
	bool plan = is_plan(path);
	*p = (struct plan){.path = plan ? path : "command line", .points = 1};
	*status = check_given(path, plan, given);
	if (*status != WB_OK)
		return false;
	*status = WB_ENV;
	if (!plan) {
		json_object_set_new(given, "file", json_string(path));
		text = json_dumps(given, JSON_COMPACT);
		n = text ? strlen(text) : 0;
	} else if (!read_all(path, &text, &n)) {
		return false;
	}
	p->document = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
	*status = WB_INPUT;
	if (!p->document)
		complain(WB_INPUT, "%s:%d:%d: %s; a plan is JSON (docs/reference/sweep.md)", path, e.line, e.column,
			 e.text);
	bool read = p->document && plan_read(p, text, config);
	free(text);
	if (!read)
		return false;
	*status = WB_ENV;
	if (plan && !enter_folder(path))
		return false;
	hash_plan(p, config);
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
