/* One point of a sweep: its run, and what the table says of it. */
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/report.h"
#include "frontends/cli/sweep.h"

/* ---- The values of a row ---- */

static json_t *part_of_bill(const struct wb_bill *b, const char *name)
{
	if (!strcmp(name, "lane_slots"))
		return json_integer((json_int_t)b->lane_slots);
	for (const struct bill_part *part = bill_parts; part->key; part++)
		if (!strcmp(part->key, name))
			return json_integer((json_int_t)bill_value(b, part));
	return NULL;
}

static json_t *stall(const struct wb_report *r, const char *name)
{
	for (unsigned i = 0; wb_stall_name(i); i++)
		if (!strcmp(wb_stall_name(i), name))
			return json_integer((json_int_t)r->stalls[i]);
	return NULL;
}

/* NULL: a report has nothing of that name. */
static json_t *column(const struct wb_report *r, const char *name)
{
	if (!strncmp(name, "bill.", 5))
		return part_of_bill(&r->bill, name + 5);
	if (!strncmp(name, "stalls.", 7))
		return stall(r, name + 7);
	if (!strcmp(name, "digest"))
		return json_string(r->digest);
	if (!strcmp(name, "warps_mean"))
		return json_real(r->warps_mean);
	if (!strcmp(name, "path_busy"))
		return json_real(r->path_busy);
	for (unsigned i = 0; i < r->ncounters; i++) {
		const struct wb_counter *k = &r->counters[i];
		if (!strcmp(k->name, name))
			return k->integer ? json_integer((json_int_t)k->value) : json_real(k->value);
	}
	return NULL;
}

static const char *nearest_counter(const struct wb_report *r, const char *name)
{
	const char **names = grow(NULL, (r->ncounters + 1) * sizeof *names);
	for (unsigned i = 0; i < r->ncounters; i++)
		names[i] = r->counters[i].name;
	names[r->ncounters] = NULL;
	const char *near = nearest(name, names);
	free(names);
	return near;
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
		const char *text = json_string_value(name), *near;
		json_t *value = column(r, text);
		if (value) {
			json_array_append_new(values, value);
			continue;
		}
		char why[200];
		near = nearest_counter(r, text);
		snprintf(why, sizeof why, "no column '%s'%s%s", text, near ? "; the nearest is " : "",
			 near ? near : "");
		json_decref(values);
		return point_failed(p, index, WB_INPUT, why);
	}
	return row(index, r->result, status, message, values);
}

/* ---- The run ---- */

/* The arguments: those of the plan or of the file, single ones replaced. Ended by NULL; the caller frees all. */
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
		char name[24];
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

static enum wb_status prepare(const struct wb_program *program, struct wb_config *config, const json_t *settings,
			      struct wb_launch **launch, struct wb_diag *d)
{
	const char *name = wb_config_get(config, "kernel");
	char **args = arguments(settings, chosen_kernel(program, name));
	size_t n = 0;
	while (args[n])
		n++;
	enum wb_status status = beyond(settings, n, d) ? WB_USAGE : WB_OK;
	if (status == WB_OK)
		status = wb_launch_new(program, *name ? name : NULL, config, launch, d);
	for (size_t i = 0; i < n; i++) {
		if (status == WB_OK)
			status = wb_launch_arg(*launch, args[i], d);
		free(args[i]);
	}
	free(args);
	return status == WB_OK ? wb_launch_prepare(*launch, d) : status;
}

json_t *point_run(const struct plan *p, const struct wb_config *base, unsigned long index)
{
	json_t *settings = plan_point(p, index), *made;
	struct wb_config *config = wb_config_copy(base);
	struct wb_program *program = NULL;
	struct wb_launch *launch = NULL;
	struct wb_diag d = {.text = ""};
	enum wb_status status = plan_apply(settings, config, &d);
	if (status == WB_OK)
		status = wb_program_open(json_string_value(json_object_get(settings, "file")), config, &program, &d);
	if (status == WB_OK)
		status = prepare(program, config, settings, &launch, &d);
	if (status != WB_OK) {
		made = point_failed(p, index, status, d.text);
	} else {
		status = wb_launch_run(launch, &d);
		made = reported(p, index, wb_launch_report(launch), status, status == WB_OK ? "" : d.text);
	}
	wb_launch_free(launch);
	wb_program_free(program);
	wb_config_free(config);
	json_decref(settings);
	return made;
}
