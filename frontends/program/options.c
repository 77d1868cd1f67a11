/* The options of a program, from the environment. A variable with a bad value is told in a line and counts as absent:
 * the program is somebody else's and runs on. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/program/state.h"

static const struct row {
	const char *name;
	int option;             /* enum program_option_id; -1: none */
	bool on_command_line;
	const char *argument, *help;    /* NULL: an option of a run, which has both */
} rows[] = {
#define RUN_OPTION(name) { name, -1, true, NULL, NULL },
#define OWN_OPTION(id, name, argument, help) { name, PROGRAM_##id, true, argument, help },
#define VARIABLE(id, name, argument, help) { name, PROGRAM_##id, false, argument, help },
#define COMMAND(name, argument, help) { name, -1, true, argument, help },
#include "frontends/program/program.def"
#undef RUN_OPTION
#undef OWN_OPTION
#undef VARIABLE
#undef COMMAND
};

/* "max-seconds" as WARPBEAM_MAX_SECONDS. */
static void name_variable(char text[64], const char *name)
{
	int n = snprintf(text, 64, "WARPBEAM_%s", name);

	for (int i = 0; i < n; i++)
		text[i] = text[i] == '-' ? '_' : (char)toupper((unsigned char)text[i]);
}

static const struct wb_option_info *run_option(const char *name)
{
	const struct wb_option_info *info = NULL;

	for (unsigned i = 0; (info = wb_option(i)) && strcmp(info->name, name); i++)
		;
	return info;
}

bool program_option(unsigned index, struct program_option *out)
{
	const struct row *r = &rows[index];

	if (index >= sizeof rows / sizeof *rows)
		return false;
	*out = (struct program_option){ .name = r->name, .argument = r->argument, .help = r->help,
					.on_command_line = r->on_command_line, .of_run = !r->argument };
	if (out->of_run) {
		out->argument = run_option(r->name)->argument;
		out->help = run_option(r->name)->help;
	}
	if (out->of_run || r->option >= 0)
		name_variable(out->variable, r->name);
	return true;
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

/* The name of a function in a symbol of C++, "sum" in _Z3sumPKji and in _ZN4math3sumIfEEvPT_; else the symbol. */
static const char *function_name(const char *symbol, size_t *bytes)
{
	const char *p = symbol, *name = symbol;
	size_t n = strlen(symbol);

	*bytes = n;
	if (n < 4 || strncmp(symbol, "_Z", 2))
		return symbol;
	for (p += 2 + (p[2] == 'N'); isdigit((unsigned char)*p);) {
		char *end;
		unsigned long length = strtoul(p, &end, 10);
		if (length > strlen(end))
			break;
		name = end;
		*bytes = length;
		p = end + length;
	}
	return name;
}

bool program_names_kernel(const char *place, const char *kernel)
{
	size_t bytes, length;
	uint64_t n;
	const char *name = function_name(kernel, &length);

	return place && program_place(place, &bytes, &n) &&
	       ((strlen(kernel) == bytes && !memcmp(kernel, place, bytes)) ||
		(length == bytes && !memcmp(name, place, bytes)));
}

bool program_names(const char *place, const char *kernel, uint64_t times)
{
	size_t bytes;
	uint64_t n;

	return program_names_kernel(place, kernel) && program_place(place, &bytes, &n) && n == times;
}

/* ---- values ---- */

/* Each value of an option of a run, on a line each, into c. */
static enum wb_status set_lines(struct wb_config *c, const char *name, const char *value, struct wb_diag *d)
{
	char *copy = strdup(value), *rest = copy, *line;
	enum wb_status status = copy ? WB_OK : WB_ENV;

	while (status == WB_OK && (line = strsep(&rest, "\n")))
		status = wb_config_set(c, name, line, d);
	free(copy);
	return status;
}

/* Some values are read only where a device is made (a chip) or a kernel prepared (the kinds of checks). */
static enum wb_status try_run(const char *name, const char *value, struct wb_diag *d)
{
	static const char probe[] = ".kernel probe\n.chip g200\nexit nop\n";
	struct wb_config *c = wb_config_new();
	struct wb_device *v = NULL;
	struct wb_program *p = NULL;
	struct wb_launch *l = NULL;
	enum wb_status status = c ? set_lines(c, name, value, d) : WB_ENV;

	if (status == WB_OK && !strcmp(name, "chip"))
		status = wb_device_new(c, &v, d);
	if (status == WB_OK && !strcmp(name, "check"))
		status = wb_program_load(probe, sizeof probe - 1, "probe.s", NULL, &p, d);
	if (p)
		status = wb_launch_new(p, NULL, c, &l, d);
	wb_launch_free(l);
	wb_program_free(p);
	wb_device_free(v);
	wb_config_free(c);
	return status;
}

size_t program_refuses(const struct program_option *o, const char *value, char *text, size_t size)
{
	struct wb_diag d;
	size_t bytes;
	uint64_t n;

	if (o->of_run)
		return try_run(o->name, value, &d) == WB_OK ? 0 : (size_t)snprintf(text, size, "%s", d.text);
	if (!*o->argument && strcmp(value, "on") && strcmp(value, "off"))
		return (size_t)snprintf(text, size, "found \"%s\", expected on or off", value);
	if (!strcmp(o->argument, "KERNEL[:N]") && !program_place(value, &bytes, &n))
		return (size_t)snprintf(text, size, "found \"%s\", expected a kernel's name, or KERNEL:N with N from 1",
					value);
	return 0;
}

static bool set(struct program *p, const struct program_option *o, int id, const char *value)
{
	if (o->of_run)
		return set_lines(p->config, o->name, value, NULL) == WB_OK;
	p->value[id] = !*o->argument && !strcmp(value, "off") ? NULL : value;
	return !p->value[id] || (p->value[id] = strdup(value));
}

bool program_options(struct program *p)
{
	struct program_option o;
	char why[512];

	if (!(p->config = wb_config_new()))
		return false;
	for (unsigned i = 0; program_option(i, &o); i++) {
		const char *value = *o.variable ? getenv(o.variable) : NULL;
		if (!value || !*value)
			continue;
		if (program_refuses(&o, value, why, sizeof why))
			program_say(p, "%s is ignored: %s", o.variable, why);
		else if (!set(p, &o, rows[i].option, value))
			return false;
	}
	return true;
}

const char *program_chip(const struct program *p, const char *fallback)
{
	return wb_config_given(p->config, "chip") ? wb_config_get(p->config, "chip") : fallback;
}

bool program_has_one_device(const struct program *p)
{
	return p->value[PROGRAM_ONE_DEVICE] != NULL;
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
