/* One point of a sweep: its run, and its row of the table. */
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/programs.h"
#include "frontends/cli/report.h"
#include "frontends/cli/sweep.h"
#include "frontends/cli/vertices.h"
#include "frontends/trace/json_text.h"

/* ---- The values of a row ---- */

static json_t *part_of_bill(const struct wb_report *r, const char *name)
{
	if (!strcmp(name, "lane_slots"))
		return json_integer((json_int_t)r->bill.lane_slots);
	for (const struct bill_part *part = bill_parts; part->key; part++)
		if (!strcmp(part->key, name))
			return json_integer((json_int_t)bill_value(r, part));
	return NULL;
}

static json_t *stall(const struct wb_report *r, const char *name)
{
	for (unsigned i = 0; wb_stall_name(i); i++)
		if (!strcmp(wb_stall_name(i), name))
			return json_integer((json_int_t)r->time.stalls[i]);
	return NULL;
}

/* The column's value; NULL: the report has no such value. */
static json_t *column(const struct wb_report *r, const char *name)
{
	if (!strncmp(name, "bill.", 5))
		return part_of_bill(r, name + 5);
	if (!strncmp(name, "stalls.", 7))
		return stall(r, name + 7);
	if (!strcmp(name, "digest"))
		return json_string(r->digest);
	if (!strcmp(name, "warps_mean"))
		return json_real(r->time.warps_mean);
	if (!strcmp(name, "path_busy"))
		return json_real(r->time.path_busy);
	for (unsigned i = 0; i < r->ncounters; i++) {
		const struct wb_counter *k = &r->counters[i];
		if (!strcmp(k->name, name))
			return k->integer ? json_integer((json_int_t)k->value) : json_real(k->value);
	}
	return NULL;
}

/* ---- The names of columns ---- */

struct names {
	char **list; /* ended by NULL */
	size_t n;
};

static void add_name(struct names *names, const char *group, const char *name)
{
	names->list = grow(names->list, (names->n + 2) * sizeof *names->list);
	if (asprintf(&names->list[names->n++], "%s%s", group, name) < 0)
		no_memory();
	names->list[names->n] = NULL;
}

static void all_names(struct names *names)
{
	static const char *const others[] = {"digest", "warps_mean", "path_busy", "bill.lane_slots"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		add_name(names, "", others[i]);
	for (unsigned i = 0; wb_counter_name(i); i++)
		add_name(names, "", wb_counter_name(i));
	for (const struct bill_part *part = bill_parts; part->key; part++)
		add_name(names, "bill.", part->key);
	for (unsigned i = 0; wb_stall_name(i); i++)
		add_name(names, "stalls.", wb_stall_name(i));
}

bool column_known(const char *name, char *near, size_t size)
{
	struct names names = {0};
	bool known = false;
	all_names(&names);
	const char *like = wb_nearest(name, (const char *const *)names.list);
	snprintf(near, size, "%s", like ? like : "");
	for (size_t i = 0; i < names.n; i++) {
		known |= !strcmp(names.list[i], name);
		free(names.list[i]);
	}
	free(names.list);
	return known;
}

static json_t *row(unsigned long index, const char *result, enum wb_status status, const char *message, json_t *values)
{
	return json_pack("{s:I, s:s, s:i, s:s, s:o}", "point", (json_int_t)index, "result", result, "exit", (int)status,
			 "message", message, "values", values);
}

json_t *point_failed(const struct plan *p, unsigned long index, enum wb_status status, const char *why)
{
	json_t *values = json_array();
	for (size_t i = 0; i < json_array_size(p->columns); i++)
		json_array_append_new(values, json_null());
	return row(index, "error", status, why, values);
}

static json_t *reported(const struct plan *p, unsigned long index, const struct wb_report *r, enum wb_status status,
			const char *message)
{
	json_t *values = json_array(), *name;
	size_t i;
	json_array_foreach(p->columns, i, name) {
		json_t *value = column(r, json_string_value(name));
		json_array_append_new(values, value ? value : json_null());
	}
	return row(index, r->result, status, message, values);
}

/* ---- inputs of a point ---- */

static void note_file(json_t *files, const struct wb_file *file)
{
	char text[HASH_TEXT];
	hash_text(hash_bytes(HASH_START, file->bytes, file->size), text);
	json_object_set_new(files, file->name, json_string(text));
}

/* {name: hash of its bytes}, of every file that the run has read. */
static json_t *files_read(const struct wb_program *program, const struct wb_launch *launch, const char *vertices)
{
	json_t *files = json_object();
	struct wb_file file;
	char text[HASH_TEXT];
	for (unsigned i = 0; wb_program_file(program, i, &file); i++)
		note_file(files, &file);
	for (unsigned i = 0; wb_launch_file(launch, i, &file); i++)
		note_file(files, &file);
	if (vertices && hash_file(vertices, text)) /* bytes as stored, even if compressed */
		json_object_set_new(files, shown(vertices), json_string(text));
	return files;
}

/* ---- The run ---- */

/* The arguments of the plan or of the file, with single replacements. Ended by NULL; the caller frees all. */
static char **arguments(const json_t *settings, const struct wb_kernel *kernel)
{
	const json_t *args = json_object_get(settings, "args");
	size_t n = 0;
	if (args)
		n = json_array_size(args);
	else
		while (kernel && kernel->args && kernel->args[n])
			n++;
	char **list = grow(NULL, (n + 1) * sizeof *list);
	for (size_t i = 0; i < n; i++) {
		char name[32];
		snprintf(name, sizeof name, "arg %zu", i);
		const json_t *own = json_object_get(settings, name);
		if (own || args)
			list[i] = setting_text(own ? own : json_array_get(args, i));
		else
			list[i] = strdup(kernel->args[i]);
	}
	list[n] = NULL;
	return list;
}

/* A setting 'arg N' beyond the arguments would silently do nothing. */
static bool beyond(const json_t *settings, size_t nargs, struct wb_diag *d)
{
	const char *name;
	json_t *value;
	unsigned number;
	json_object_foreach((json_t *)settings, name, value) {
		if (sscanf(name, "arg %u", &number) == 1 && number >= nargs) {
			snprintf(d->text, sizeof d->text, "setting '%s': the launch has %zu arguments", name, nargs);
			return true;
		}
	}
	return false;
}

static const struct wb_kernel *chosen_kernel(const struct wb_program *program, const char *name)
{
	for (unsigned i = 0; i < wb_program_kernels(program); i++)
		if (!*name || !strcmp(wb_program_kernel(program, i)->name, name))
			return wb_program_kernel(program, i);
	return NULL;
}

static enum wb_status set_arguments(struct wb_launch *launch, const json_t *settings, const struct wb_kernel *kernel,
				     struct wb_diag *d)
{
	char **args = arguments(settings, kernel);
	size_t n = 0;
	while (args[n])
		n++;
	enum wb_status status = beyond(settings, n, d) ? WB_USAGE : WB_OK;
	for (size_t i = 0; i < n; i++) {
		if (status == WB_OK)
			status = wb_launch_arg(launch, args[i], d);
		free(args[i]);
	}
	free(args);
	return status;
}

/* The objects of a running point. */
struct point {
	struct wb_config *config;
	struct wb_program *program;
	struct wb_launch *launch;
	struct wb_file in; /* vertices of the point; no name: none */
};

static enum wb_status set_vertices(struct point *p, const char *name, struct wb_diag *d)
{
	char *bytes;
	if (!name)
		return WB_OK;
	if (!try_read_all(name, &bytes, &p->in.size, d))
		return d->status;
	p->in.name = name;
	p->in.bytes = bytes;
	return vertices_read(p->launch, &p->in, d);
}

static enum wb_status prepare(struct point *p, const json_t *settings, struct wb_diag *d)
{
	const char *file = json_string_value(json_object_get(settings, "file"));
	enum wb_status status = plan_apply(settings, p->config, d);
	if (status == WB_OK)
		status = named_program_open(file, p->config, &p->program, d);
	if (status != WB_OK)
		return status;
	const char *name = wb_config_get(p->config, "kernel");
	status = wb_launch_new(p->program, *name ? name : NULL, p->config, &p->launch, d);
	if (status == WB_OK)
		status = set_arguments(p->launch, settings, chosen_kernel(p->program, name), d);
	if (status == WB_OK)
		status = set_vertices(p, json_string_value(json_object_get(settings, "in")), d);
	return status == WB_OK ? wb_launch_prepare(p->launch, d) : status;
}

static json_t *run(const struct plan *p, struct point *point, unsigned long index)
{
	struct wb_diag d = {.text = ""};
	json_t *files = files_read(point->program, point->launch, point->in.name);
	enum wb_status status = wb_launch_run(point->launch, &d);
	json_t *made = reported(p, index, wb_launch_report(point->launch), status, status == WB_OK ? "" : d.text);
	json_object_set_new(made, "files", files);
	return made;
}

json_t *point_run(const struct plan *p, const struct wb_config *base, unsigned long index)
{
	json_t *settings = plan_point(p, index), *made;
	struct point point = {.config = wb_config_copy(base)};
	struct wb_diag d = {.offset = -1};
	enum wb_status status = prepare(&point, settings, &d);
	if (status == WB_OK) {
		made = run(p, &point, index);
	} else {
		char *why = diag_line(&d);
		made = point_failed(p, index, status, why);
		free(why);
	}
	wb_launch_free(point.launch);
	wb_program_free(point.program);
	wb_config_free(point.config);
	free((void *)point.in.bytes);
	json_decref(settings);
	return made;
}
