/* The options of a program, from the environment. A variable with a bad value is told in a line and counts as absent:
 * the program is somebody else's and runs on. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/program/state.h"

static const struct row {
	const char *name;
	int option;             /* enum program_option; -1: an option of a run */
	const char *argument;
} rows[] = {
#define RUN_OPTION(name) { name, -1, NULL },
#define OWN_OPTION(id, name, argument, help) { name, PROGRAM_##id, argument },
#include "frontends/program/program.def"
#undef RUN_OPTION
#undef OWN_OPTION
};

/* "max-seconds" as WARPBEAM_MAX_SECONDS. */
static void name_variable(char text[64], const char *name)
{
	int n = snprintf(text, 64, "WARPBEAM_%s", name);

	for (int i = 0; i < n; i++)
		text[i] = text[i] == '-' ? '_' : (char)toupper((unsigned char)text[i]);
}

bool program_place(const char *text, size_t *name_bytes, uint64_t *n)
{
	const char *colon = strrchr(text, ':');
	char *end;

	*n = 1;
	*name_bytes = colon ? (size_t)(colon - text) : strlen(text);
	if (colon) {
		*n = strtoull(colon + 1, &end, 10);
		if (end == colon + 1 || *end || colon[1] == '-')
			return false;
	}
	return *name_bytes && *n;
}

bool program_studied(const struct program *p, const char *kernel, uint64_t times)
{
	size_t bytes;
	uint64_t n;

	return !p->value[PROGRAM_ONLY] || (program_place(p->value[PROGRAM_ONLY], &bytes, &n) && n == times &&
					 strlen(kernel) == bytes && !memcmp(kernel, p->value[PROGRAM_ONLY], bytes));
}

static void set_own(struct program *p, const struct row *r, const char *variable, const char *value)
{
	size_t bytes;
	uint64_t n;

	if (!*r->argument && strcmp(value, "on") && strcmp(value, "off"))
		program_say(p, "%s is on or off; found '%s', which is ignored", variable, value);
	else if (!strcmp(r->argument, "KERNEL[:N]") && !program_place(value, &bytes, &n))
		program_say(p, "%s is the name of a kernel, or KERNEL:N with N from 1; found '%s', which is ignored",
			    variable, value);
	else
		p->value[r->option] = strcmp(value, "off") || *r->argument ? strdup(value) : NULL;
}

/* The values of an option of a run, on a line each. */
static bool set_run(struct program *p, const struct row *r, const char *variable, const char *value)
{
	char *copy = strdup(value), *rest = copy, *line;
	struct wb_diag d;

	while (copy && (line = strsep(&rest, "\n"))) {
		enum wb_status status = wb_config_set(p->config, r->name, line, &d);
		if (status == WB_ENV)
			break;
		if (status != WB_OK)
			program_say(p, "%s is ignored: %s", variable, d.text);
	}
	free(copy);
	return copy;
}

/* A chip's name, and kinds of checks, are read where a device is made and a kernel launched: a bad one is told here. */
static bool is_known(struct program *p, const struct row *r, const char *variable, const char *value)
{
	struct wb_config *c = wb_config_new();
	struct wb_device *v = NULL;
	struct wb_diag d;
	bool known = !c || strcmp(r->name, "chip") || wb_config_set(c, r->name, value, &d) != WB_OK ||
		     wb_device_new(c, &v, &d) == WB_OK;

	if (!known)
		program_say(p, "%s is ignored: %s", variable, d.text);
	wb_device_free(v);
	wb_config_free(c);
	return known;
}

bool program_options(struct program *p)
{
	char variable[64];

	if (!(p->config = wb_config_new()))
		return false;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		name_variable(variable, rows[i].name);
		const char *value = getenv(variable);
		if (!value || !*value)
			continue;
		if (rows[i].option >= 0)
			set_own(p, &rows[i], variable, value);
		else if (is_known(p, &rows[i], variable, value) && !set_run(p, &rows[i], variable, value))
			return false;
	}
	return true;
}

const char *program_chip(const struct program *p, const char *fallback)
{
	return wb_config_given(p->config, "chip") ? wb_config_get(p->config, "chip") : fallback;
}

static enum wb_status no_memory(struct wb_diag *d)
{
	if (d) {
		*d = (struct wb_diag){ .status = WB_ENV, .offset = -1 };
		strcpy(d->text, "out of memory");
	}
	return WB_ENV;
}

struct wb_config *program_config(struct program *p, const char *chip, struct wb_diag *d)
{
	struct wb_config *c = wb_config_copy(p->config);

	if ((c ? wb_config_set(c, "chip", chip, d) : no_memory(d)) == WB_OK)
		return c;
	wb_config_free(c);
	return NULL;
}

enum wb_status program_bare(struct program *p, const char *chip, struct wb_device **out, struct wb_diag *d)
{
	static const char *const options[][2] = {
		{ "timing", "off" }, { "check", "" }, { "stats-level", "none" }, { "perfect", "off" },
		{ "producers", "off" }, { "accesses", "off" },
	};
	struct wb_config *c = program_config(p, chip, d);
	enum wb_status status = c ? WB_OK : WB_USAGE;

	for (size_t i = 0; status == WB_OK && i < sizeof options / sizeof *options; i++)
		status = wb_config_set(c, options[i][0], options[i][1], d);
	if (status == WB_OK)
		status = wb_device_new(c, out, d);
	wb_config_free(c);
	return status;
}
