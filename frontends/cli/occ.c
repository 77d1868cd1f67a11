/* occ: how many blocks and warps fit on a multiprocessor, and why not more. */
#include <inttypes.h>
#include <string.h>

#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"

const struct opt occ_options[] = {
	{"threads", 't', OPT_VALUE, "N", NULL, "Kernel", "threads of a block", false},
	{"regs", 'r', OPT_VALUE, "N", NULL, "Kernel", "registers of a thread", false},
	{"warp-regs", 0, OPT_VALUE, "N", NULL, "Kernel", "registers of a warp, one for all its lanes",
	 false},
	{"smem", 's', OPT_VALUE, "BYTES", NULL, "Kernel", "shared memory of a block, all of it", false},
	{"rules", 0, OPT_VALUE, "xls|occ7", "xls", "Kernel", "published rules of allocation", false},
	{"explain", 0, OPT_SWITCH, NULL, NULL, "Output", "say which limit counts and what the next step up would take",
	 false},
	{"sweep", 0, OPT_VALUE, "threads|regs|warp-regs|smem", NULL, "Output",
	 "a row for each value of the named quantity, other quantities as given", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

enum { THREADS, REGS, WARP_REGS, SMEM, DIMENSIONS };
static const char *const names[DIMENSIONS] = {
	[THREADS] = "threads", [REGS] = "regs", [WARP_REGS] = "warp-regs", [SMEM] = "smem"
};

/* What a sweep goes through: all that the chip allows. */
struct range {
	uint32_t least, most, step;
};

static bool range_of(const char *chip, int which, struct range *out)
{
	struct wb_chip size;
	struct wb_diag d;
	if (wb_chip(chip, &size, &d) != WB_OK) {
		complain_diag(&d);
		return false;
	}
	const struct range ranges[DIMENSIONS] = {
		[THREADS] = {size.warp_lanes, size.max_threads, size.warp_lanes},
		[REGS] = {1, size.max_registers, 1},
		[WARP_REGS] = {1, size.warp_registers, 1},
		[SMEM] = {0, size.shared_bytes, size.shared_unit},
	};
	*out = ranges[which];
	return true;
}

struct question {
	const char *chip, *rules;
	uint32_t size[DIMENSIONS];
};

static enum wb_status occupancy_of(const struct question *q, struct wb_occupancy *o, struct wb_diag *d)
{
	const struct wb_block_needs b = {
		q->size[THREADS], q->size[REGS], q->size[WARP_REGS], q->size[SMEM]
	};
	return wb_occupancy(q->chip, &b, q->rules, o, d);
}

static bool answer(const struct question *q, struct wb_occupancy *o)
{
	struct wb_diag d;
	if (occupancy_of(q, o, &d) == WB_OK)
		return true;
	complain_diag(&d);
	return false;
}

static json_t *occupancy_json(const struct question *q, const struct wb_occupancy *o)
{
	json_t *limiters = json_array();
	for (size_t i = 0; o->limiters[i]; i++)
		json_array_append_new(limiters, json_string(o->limiters[i]));
	json_t *limit = json_pack("{s:i, s:i, s:i, s:i}", "blocks", (int)o->limit_blocks, "warps", (int)o->limit_warps,
				  "regs", (int)o->limit_regs, "smem", (int)o->limit_smem);
	json_t *document =
		json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:o, s:o}", "schema", "warpbeam.occ/1",
			 "chip", q->chip, "rules", q->rules, "threads", (int)q->size[THREADS], "regs",
			 (int)q->size[REGS], "smem", (int)q->size[SMEM], "warps_per_block", (int)o->warps_per_block,
			 "blocks", (int)o->blocks, "warps", (int)o->warps, "percent", o->percent, "limit", limit,
			 "limiters", limiters);
	if (q->size[WARP_REGS]) {
		json_object_set_new(limit, "warp_regs", json_integer(o->limit_warp_regs));
		json_object_set_new(document, "warp_regs", json_integer(q->size[WARP_REGS]));
	}
	return document;
}

static void print_limiters(const struct wb_occupancy *o)
{
	for (size_t i = 0; o->limiters[i]; i++)
		printf("%s%s", i ? ", " : "", o->limiters[i]);
	putchar('\n');
}

/* The nearest smaller need of one kind with which more warps would fit. */
static void explain_step(const struct question *q, const struct wb_occupancy *now, int which)
{
	struct question less = *q;
	struct wb_occupancy o;
	while (less.size[which] > 0) {
		less.size[which]--;
		struct wb_diag d;
		if (occupancy_of(&less, &o, &d) != WB_OK)
			return;
		if (o.warps <= now->warps)
			continue;
		printf("  with %s %" PRIu32 " instead of %" PRIu32 ": %" PRIu32 " blocks, %" PRIu32
		       " warps (%.0f %%)\n",
		       names[which], less.size[which], q->size[which], o.blocks, o.warps, o.percent);
		return;
	}
}

static void explain(const struct question *q, const struct wb_occupancy *o)
{
	printf("\n  a block of %" PRIu32 " threads is %" PRIu32 " warps\n", q->size[THREADS], o->warps_per_block);
	printf("  block slots allow %" PRIu32 " blocks, warp slots %" PRIu32 ", registers %" PRIu32
	       ", shared memory %" PRIu32,
	       o->limit_blocks, o->limit_warps, o->limit_regs, o->limit_smem);
	if (q->size[WARP_REGS])
		printf(", warp registers %" PRIu32, o->limit_warp_regs);
	printf(": the least counts\n");
	printf("  %" PRIu32 " blocks x %" PRIu32 " warps = %" PRIu32 " warps (%.0f %%)\n", o->blocks,
	       o->warps_per_block, o->warps, o->percent);
	for (int i = 0; i < DIMENSIONS; i++)
		explain_step(q, o, i);
}

static enum wb_status one(const struct cli *c, const struct question *q)
{
	struct wb_occupancy o;
	if (!answer(q, &o))
		return WB_USAGE;
	if (c->json)
		return json_out(occupancy_json(q, &o), NULL);
	printf("%s%" PRIu32 " blocks, %" PRIu32 " warps (%.0f %%)%s on %s; limited by ", tint(c, TINT_BOLD), o.blocks,
	       o.warps, o.percent, tint(c, TINT_NONE), q->chip);
	print_limiters(&o);
	if (cli_on(c, "explain"))
		explain(q, &o);
	return WB_OK;
}

static enum wb_status sweep(const struct cli *c, struct question q, int which)
{
	enum { BAR = 24 };
	struct wb_occupancy o;
	char shape[4 * BAR + 1];
	struct range r;
	if (!range_of(q.chip, which, &r))
		return WB_USAGE;
	json_t *rows = json_array();
	if (!c->json)
		printf("%8s %7s %6s\n", names[which], "blocks", "warps");
	for (uint32_t v = r.least; v <= r.most; v += r.step) {
		q.size[which] = v;
		if (!answer(&q, &o))
			break;
		json_array_append_new(rows, occupancy_json(&q, &o));
		if (c->json)
			continue;
		printf("%8" PRIu32 " %7" PRIu32 " %6" PRIu32 "  %s  ", v, o.blocks, o.warps,
		       padded_bar(shape, o.percent / 100, BAR));
		print_limiters(&o);
	}
	if (c->json)
		return json_out(rows, NULL);
	json_decref(rows);
	return WB_OK;
}

/* Threads of a block "16,4"; NULL: of one thread. */
static uint32_t threads_of(const char *block)
{
	unsigned x = 1, y = 1, z = 1;
	if (block)
		sscanf(block, "%u,%u,%u", &x, &y, &z);
	return x * y * z;
}

/* The name as long as the program runs; the program's own goes with its session. */
static const char *chip_named(const char *name)
{
	static char chip[32];
	snprintf(chip, sizeof chip, "%s", name);
	return chip;
}

/* The needs of a program's kernel, as it would be launched; options count before it. */
static enum wb_status needs_of(const struct cli *c, const char *path, struct question *q)
{
	struct session s = {0};
	struct wb_diag d;
	struct wb_machine m;
	enum wb_status status = wb_config_set(c->config, "check-args", "off", &d);
	if (status == WB_OK && session_load(&s, path, c->config) &&
	    session_prepare(&s, NULL, c->config, NULL)) {
		const struct wb_kernel *k = s.kernel ? s.kernel : wb_program_kernel(s.program, 0);
		wb_launch_machine(s.launch, &m);
		q->chip = chip_named(k->chip && !cli_given(c, "chip") ? k->chip : q->chip);
		q->size[THREADS] = threads_of(cli_given(c, "block") ? wb_config_get(c->config, "block") : k->block);
		q->size[REGS] = k->registers;
		q->size[WARP_REGS] = k->warp_registers;
		q->size[SMEM] = m.shared_bytes;
		if (!c->json)
			printf("%s: --threads %" PRIu32 " --regs %" PRIu32 " --smem %" PRIu32 "\n", shown(path),
			       q->size[THREADS], q->size[REGS], q->size[SMEM]);
	}
	status = s.status;
	session_close(&s);
	return status;
}

/* Whether all sizes are given, but for the swept size; otherwise the message names all that are not. */
static bool all_sizes(const struct cli *c, const char *along)
{
	char list[80] = "";
	for (int i = 0; i < DIMENSIONS; i++) {
		bool said = cli_given(c, names[i]) || (along && !strcmp(along, names[i]));
		size_t n = strlen(list);
		if (i != WARP_REGS && !said)
			snprintf(list + n, sizeof list - n, "%s--%s", n ? ", " : "", names[i]);
	}
	return !*list || (complain(WB_USAGE, "occ needs %s, or a FILE that says them", list), false);
}

enum wb_status verb_occ(struct cli *c)
{
	const char *along = cli_value(c, "sweep");
	struct question q = {.chip = cli_given(c, "chip") ? wb_config_get(c->config, "chip") : "g200",
			     .rules = cli_value(c, "rules")};
	int swept = -1;
	const char *path = c->noperands ? cli_operand(c, "FILE") : NULL;
	enum wb_status status = path ? needs_of(c, path, &q) : c->noperands ? WB_USAGE : WB_OK;
	if (status != WB_OK)
		return status;
	if (!path && !all_sizes(c, along))
		return WB_USAGE;
	for (int i = 0; i < DIMENSIONS; i++) {
		unsigned long n = 0;
		if (along && !strcmp(along, names[i]))
			swept = i;
		bool needed = swept != i && i != WARP_REGS && !path;
		if ((needed || cli_given(c, names[i])) &&
		    !cli_number(c, names[i], UINT32_MAX, &n))
			return WB_USAGE;
		q.size[i] = path && !cli_given(c, names[i]) ? q.size[i] : (uint32_t)n;
	}
	if (along && swept < 0)
		return complain(WB_USAGE, "option '--sweep' is threads, regs, warp-regs or smem; found '%s'", along);
	return along ? sweep(c, q, swept) : one(c, &q);
}
