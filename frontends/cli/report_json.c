/* The statistics document warpbeam.stats/1. Program counters are hex strings, as masks would be. */
#include "frontends/cli/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/trace/json_text.h"

static json_t *hex(uint64_t value)
{
	char text[24];
	snprintf(text, sizeof text, "0x%" PRIx64, value);
	return json_string(text);
}

static json_t *integer(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *texts(const char *const *list)
{
	json_t *a = json_array();
	for (; list && *list; list++)
		json_array_append_new(a, json_text(*list));
	return a;
}

/* The outcome of a choice left to the file or the chip. */
static void settle(json_t *o, const char *name, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *chosen = json_string_value(json_object_get(o, name));
	if (!chosen || !*chosen)
		json_object_set_new(o, name, json_vsprintf(fmt, ap));
	va_end(ap);
}

/* The complete configuration, for a repeated run. Independent of the number of host threads, so that documents can be
 * compared by their bytes. */
static json_t *config(const struct cli *c, const struct session *s)
{
	json_t *o = json_pack("{s:o, s:o, s:s}", "file", json_text(s->path), "kernel",
			      json_text(s->kernel ? s->kernel->name : NULL), "format", s->report->launch.format);
	json_object_set_new(o, "args", texts(s->args));
	const struct wb_option_info *info;
	for (unsigned i = 0; (info = wb_option(i)); i++) {
		const char *value = wb_config_get(c->config, info->name);
		bool settled = !strcmp(info->name, "threads") || !strcmp(info->name, "in-order") ||
			       !strcmp(info->name, "fast-forward") || !strcmp(info->name, "threaded-code");

		if (value && !settled && !json_object_get(o, info->name))
			json_object_set_new(o, info->name, json_text(value));
	}
	const struct wb_report *r = s->report;
	settle(o, "chip", "%s", r->launch.chip);
	if (r->grid_z > 1)
		settle(o, "grid", "%u,%u,%u", r->launch.grid[0], r->launch.grid[1], r->grid_z);
	else
		settle(o, "grid", "%u,%u", r->launch.grid[0], r->launch.grid[1]);
	settle(o, "block", "%u,%u,%u", r->launch.block[0], r->launch.block[1], r->launch.block[2]);
	settle(o, "mps", "%u", r->launch.mps);
	return o;
}

static json_t *counters(const struct wb_report *r)
{
	json_t *o = json_object();
	for (unsigned i = 0; i < r->ncounters; i++) {
		const struct wb_counter *k = &r->counters[i];
		json_object_set_new(o, k->name, k->integer ? json_integer((json_int_t)k->value) : json_real(k->value));
	}
	return o;
}

static json_t *bill(const struct wb_report *r)
{
	json_t *o = json_pack("{s:o}", "lane_slots", integer(r->bill.lane_slots));
	for (const struct bill_part *p = bill_parts; p->key; p++)
		json_object_set_new(o, p->key, integer(bill_value(r, p)));
	json_t *by_branch = json_array();
	for (unsigned i = 0; i < r->nbranches; i++) {
		const struct wb_branch *b = &r->branches[i];
		json_array_append_new(by_branch,
				      json_pack("{s:o, s:o, s:o, s:o}", "pc", hex(b->pc), "text", json_text(b->text),
						"splits", integer(b->splits), "lost", integer(b->lost)));
	}
	json_object_set_new(o, "by_branch", by_branch);
	return o;
}

static json_t *stalls(const uint64_t cycles[WB_STALLS])
{
	json_t *o = json_object();
	for (unsigned i = 0; wb_stall_name(i); i++)
		json_object_set_new(o, wb_stall_name(i), integer(cycles[i]));
	return o;
}

static json_t *memory(const struct wb_report *r)
{
	return json_pack("{s:f}", "path_busy", r->time.path_busy);
}

static json_t *occupancy(const struct wb_report *r)
{
	const struct wb_occupancy *k = &r->occupancy;
	json_t *limit = json_pack("{s:o, s:o, s:o, s:o}", "blocks", integer(k->limit_blocks), "warps",
				  integer(k->limit_warps), "regs", integer(k->limit_regs), "smem",
				  integer(k->limit_smem));
	if (r->launch.warp_registers)
		json_object_set_new(limit, "warp_regs", integer(k->limit_warp_regs));
	return json_pack("{s:o, s:o, s:o, s:f, s:o}", "blocks", integer(k->blocks), "warps", integer(k->warps),
			 "warps_per_block", integer(k->warps_per_block), "warps_mean", r->time.warps_mean, "limit",
			 limit);
}

/* Causes of an instruction's waits: producers, with the cycles by reason. */
static json_t *causes(const struct wb_report *r, uint32_t pc)
{
	json_t *a = json_array();
	for (unsigned i = 0; i < r->ncauses; i++)
		if (r->causes[i].pc == pc)
			json_array_append_new(a, json_pack("{s:o, s:s, s:o}", "producer", hex(r->causes[i].producer),
							   "reason", wb_stall_name(r->causes[i].reason), "cycles",
							   integer(r->causes[i].cycles)));
	return a;
}

/* Accesses of an instruction to each memory, with the costs. */
static json_t *accesses(const struct wb_report *r, uint32_t pc)
{
	json_t *list = json_array();
	for (unsigned i = 0; i < r->naccesses; i++) {
		const struct wb_access_cost *a = &r->accesses[i];
		if (a->pc != pc)
			continue;
		json_t *o = json_pack("{s:s, s:b, s:b, s:o, s:o, s:o}", "space", a->space, "loads", a->loads, "stores",
				      a->stores, "issues", integer(a->issues), "threads", integer(a->threads), "groups",
				      integer(a->groups));
		if (a->passes)
			json_object_set_new(o, "passes", integer(a->passes));
		else
			json_object_update_new(o, json_pack("{s:o, s:o}", "transactions", integer(a->transactions),
							    "bytes", integer(a->bytes)));
		json_object_set_new(o, "useful_bytes", integer(a->useful_bytes));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *per_pc(const struct wb_report *r)
{
	json_t *a = json_array();
	for (unsigned i = 0; i < r->npcs; i++) {
		const struct wb_pc *p = &r->pcs[i];
		json_t *o = json_pack("{s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o}", "pc", hex(p->pc), "text",
				      json_text(p->text), "issues", integer(p->issues), "threads", integer(p->threads),
				      "lanes_mean", p->lanes_mean, "lost", integer(p->lost), "taken", integer(p->taken),
				      "not_taken", integer(p->not_taken), "diverged", integer(p->diverged));
		if (p->label)
			json_object_set_new(o, "label", json_text(p->label));
		if (r->time.slot_cycles)
			json_object_set_new(o, "stalls", stalls(p->stalls));
		if (r->ncauses)
			json_object_set_new(o, "waited_for", causes(r, p->pc));
		if (r->naccesses)
			json_object_set_new(o, "accesses", accesses(r, p->pc));
		if (p->line)
			json_object_set_new(o, "line", json_integer(p->line));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *per_warp(const struct wb_report *r)
{
	json_t *a = json_array();
	for (unsigned i = 0; i < r->nwarps; i++) {
		const struct wb_warp_report *w = &r->warps[i];
		json_t *o = json_pack("{s:o, s:o, s:o, s:o}", "block", integer(w->block), "warp", integer(w->warp),
				      "issues", integer(w->issues), "cycles", integer(w->cycles));
		if (r->time.slot_cycles)
			json_object_set_new(o, "stalls", stalls(w->stalls));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *some(const char *const *list, unsigned n)
{
	json_t *a = json_array();
	for (unsigned i = 0; i < n; i++)
		json_array_append_new(a, json_text(list[i]));
	return a;
}

json_t *report_json(const struct cli *c, const struct session *s)
{
	const struct wb_report *r = s->report;
	json_t *o = json_pack("{s:s, s:o, s:s, s:i}", "schema", "warpbeam.stats/1", "config", config(c, s), "result",
			      r->result, "exit", (int)r->status);
	json_object_set_new(o, "machine", json_text(r->launch.machine));
	json_object_set_new(o, "chip", json_text(r->launch.chip));
	json_object_set_new(o, "counters", counters(r));
	json_object_set_new(o, "bill", bill(r));
	json_object_set_new(o, "stalls", stalls(r->time.stalls));
	json_object_set_new(o, "slot_cycles", integer(r->time.slot_cycles));
	json_object_set_new(o, "occupancy", occupancy(r));
	json_object_set_new(o, "memory", memory(r));
	json_object_set_new(o, "per_pc", per_pc(r));
	if (session_source(s))
		json_object_set_new(o, "per_line", report_lines_json(r, session_source(s)));
	json_object_set_new(o, "per_warp", per_warp(r));
	json_object_set_new(o, "waits", some(r->waits, r->nwaits));
	json_object_set_new(o, "warnings", some(r->warnings, r->nwarnings));
	if (s->status != WB_OK)
		json_object_set_new(o, "message", json_text(s->diag.text));
	json_object_set_new(o, "digest", json_string(r->digest));
	json_object_set_new(o, "execution", json_string(r->execution.kind));
	json_object_set_new(o, "precise_reason", json_text(r->execution.precise_reason));
	return o;
}

enum wb_status json_out(json_t *document, const char *path)
{
	char *bytes = json_dumps(document, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
	json_decref(document);
	if (!bytes)
		return complain(WB_INTERNAL, "cannot write the JSON document: a text in it is not UTF-8");
	size_t n = strlen(bytes);
	bytes[n] = '\n'; /* in place of the terminating 0: the length is known */
	bool ok = write_all(path, bytes, n + 1);
	free(bytes);
	return ok ? WB_OK : WB_ENV;
}
