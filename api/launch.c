/* A launch: the pipeline from a program to its report, as a column of calls. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/check.h"
#include "api/internal.h"
#include "api/recorder.h"
#include "api/replay.h"
#include "api/stops.h"
#include "api/numbers.h"
#include "api/parallel.h"
#include "api/simd.h"

static bool choose_kernel(struct wb_launch *l, const char *name, struct diag *d)
{
	const char *chip = config_given(l->config, OPT_CHIP) ? config_text(l->config, OPT_CHIP) : NULL;

	if (!name && config_given(l->config, OPT_KERNEL))
		name = config_text(l->config, OPT_KERNEL);
	l->kernel = image_find(l->program->image, name, chip, &l->image, d);
	return l->kernel != NULL;
}

static void set_rules(struct wb_launch *l)
{
	const struct wb_config *c = l->config;
	int64_t calls = config_number(c, OPT_CALL_LIMIT), entries = config_number(c, OPT_LOCK_ENTRIES);
	int64_t fair = config_number(c, OPT_MINPC_FAIR);

	l->rules = (struct rules){
		.diverge = (enum diverge_rule)config_number(c, OPT_DIVERGE),
		.reconverge = (enum reconverge_rule)config_number(c, OPT_RECONVERGE),
		.join = (enum join_rule)config_number(c, OPT_JOIN),
		.lock = (enum lock_rule)config_number(c, OPT_LOCK),
		.store_winner = (enum winner_rule)config_number(c, OPT_STORE_WINNER),
		.bar_unit = (enum bar_rule)config_number(c, OPT_BAR_UNIT),
		.lock_entries = entries == NUMBER_NONE ? LOCK_ENTRIES_EXACT : (uint32_t)entries,
		.call_limit = calls == NUMBER_NONE ? CALLS_UNLIMITED : (uint32_t)calls,
		.stack_depth = (uint32_t)config_number(c, OPT_STACK_DEPTH),
		.minpc_fair = fair == NUMBER_NONE ? FAIR_NEVER : (uint64_t)fair,
		.strict = config_number(c, OPT_STRICT) == 1,
		.seed = (uint64_t)config_number(c, OPT_SEED),
	};
	if (l->rules.reconverge != RECONVERGE_STACK)
		l->rules.join = JOIN_MERGED;    /* the markers that it is about do nothing */
}

static bool check_rules(const struct wb_launch *l, struct diag *d)
{
	uint32_t n = l->rules.lock_entries;

	if (n & (n - 1) || n > 1u << 14)
		return diag_set(d, DIAG_USAGE,
				"--lock-entries: found %u, expected a power of two up to 16384, or exact", n);
	if (!l->rules.minpc_fair)
		return diag_set(d, DIAG_USAGE, "--minpc-fair: found 0, expected 1 or more, or none");
	if (!l->rules.stack_depth || l->rules.stack_depth > 4096)
		return diag_set(d, DIAG_USAGE, "--stack-depth: found %u, expected 1 to 4096", l->rules.stack_depth);
	return true;
}

/* "X[,Y[,Z]]" with each in 1 … max[i]. */
static bool parse_extent(const char *option, const char *text, uint32_t out[], const uint32_t max[], int n,
			 struct diag *d)
{
	const char *p = text;

	for (int i = 0; i < n; i++)
		out[i] = 1;
	for (int i = 0; i < n; i++) {
		char *end;
		errno = 0;
		unsigned long v = *p >= '0' && *p <= '9' ? strtoul(p, &end, 0) : 0;
		if (!v || errno || v > max[i])
			return diag_set(d, DIAG_USAGE, "--%s: found \"%s\", expected %s with 1 to %u in place %d",
					option, text, n == 2 ? "X[,Y]" : "X[,Y[,Z]]", max[i], i + 1);
		out[i] = (uint32_t)v;
		p = end;
		if (!*p)
			return true;
		if (*p++ != ',')
			break;
	}
	return diag_set(d, DIAG_USAGE, "--%s: found \"%s\", expected %s", option, text, n == 2 ? "X[,Y]" : "X[,Y[,Z]]");
}

static bool set_geometry(struct wb_launch *l, struct diag *d)
{
	static const uint32_t max_grid[2] = { CHIP_MAX_GRID, CHIP_MAX_GRID };
	static const uint32_t max_block[3] = { CHIP_MAX_BLOCK_X, CHIP_MAX_BLOCK_Y, CHIP_MAX_BLOCK_Z };
	const struct image_launch *from_file = &l->kernel->launch;

	for (int i = 0; i < 2; i++)
		l->grid[i] = from_file->grid[i] ? from_file->grid[i] : 1;
	for (int i = 0; i < 3; i++)
		l->block[i] = from_file->block[i] ? from_file->block[i] : 1;
	if (!from_file->block[0])
		l->block[0] = l->lanes;
	if (config_given(l->config, OPT_GRID) &&
	    !parse_extent("grid", config_text(l->config, OPT_GRID), l->grid, max_grid, 2, d))
		return false;
	if (config_given(l->config, OPT_BLOCK) &&
	    !parse_extent("block", config_text(l->config, OPT_BLOCK), l->block, max_block, 3, d))
		return false;
	l->blocks = l->grid[0] * l->grid[1];
	l->threads = l->block[0] * l->block[1] * l->block[2];
	if (l->threads > CHIP_MAX_THREADS)
		return diag_set(d, DIAG_USAGE, "--block: %u threads, expected at most %d", l->threads,
				CHIP_MAX_THREADS);
	l->warps = (l->threads + l->code.target.isa->lanes - 1) / l->code.target.isa->lanes;
	return true;
}

static bool is_without(const struct isa_ops *isa, const char *name)
{
	for (const char *const *p = isa->without; p && *p; p++)
		if (!strcmp(*p, name))
			return true;
	return false;
}

/* Options that the machine has no use for may be given, but not changed. */
static bool check_options(const struct wb_launch *l, struct diag *d)
{
	const struct isa_ops *isa = l->code.target.isa, *other;
	const struct wb_option_info *o;
	char has[64] = "";

	for (unsigned i = 0; (o = wb_option(i)); i++) {
		const char *text = config_text(l->config, (enum option)i);
		if (!is_without(isa, o->name) || !strcmp(text, o->fallback))
			continue;
		for (unsigned k = 0; (other = isa_at(k)); k++)
			if (!is_without(other, o->name))
				snprintf(has + strlen(has), sizeof has - strlen(has), "%s%s", *has ? ", " : "",
					 other->name);
		return diag_set(d, DIAG_USAGE, "--%s means nothing on machine %s (found \"%s\"); it is for %s",
				o->name, isa->name, text, has);
	}
	return true;
}

/* How many lanes of a warp take a vertex. */
static bool set_lanes(struct wb_launch *l, struct diag *d)
{
	const struct isa_ops *isa = l->code.target.isa;
	int64_t n = config_number(l->config, OPT_LANES);

	l->lanes = n == NUMBER_NONE ? isa->lanes : (uint32_t)n;
	if (n == NUMBER_NONE)
		return true;
	if (!isa->inputs)
		return diag_set(d, DIAG_USAGE, "--lanes is for shaders; --block says how many threads a block has");
	return (n > 0 && n <= isa->lanes) ||
	       diag_set(d, DIAG_USAGE, "--lanes: found %" PRId64 ", expected 1 to %u", n, isa->lanes);
}

static bool prepare_code(struct wb_launch *l, struct diag *d)
{
	struct program *p = &l->code;
	uint32_t local = l->kernel->lmem;
	const struct chip *chip;
	char refused[sizeof d->text];

	if (!target_of(l->image, l->config, &p->target, &chip, d) || !set_numbers(l, chip, d))
		return false;
	if (!launch_rounding(l, d))
		return false;
	p->target.side = l->kernel->side;
	p->target.nside = l->kernel->nside;
	p->code = l->kernel->code;
	p->code_bytes = l->kernel->code_bytes;
	p->entry = l->kernel->entry;
	p->nreg = config_given(l->config, OPT_REGS) ? (uint32_t)config_number(l->config, OPT_REGS) : l->kernel->regs;
	if (p->nreg > p->target.isa->registers)
		return diag_set(d, DIAG_USAGE, "--regs: found %u, expected at most %u", p->nreg,
				p->target.isa->registers);
	if (config_given(l->config, OPT_LMEM))
		local = (uint32_t)config_number(l->config, OPT_LMEM);
	if (local > 1u << 16)
		return diag_set(d, DIAG_USAGE, "%u bytes of local memory, expected at most 65536", local);
	for (p->local_bytes = local ? 16 : 0; p->local_bytes < local; p->local_bytes *= 2)
		;
	if (!program_decode(p, &l->arena))
		return diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", p->code_bytes);
	if (!simd_choose(config_text(l->config, OPT_SIMD), &l->simd, refused, sizeof refused))
		return diag_set(d, DIAG_ENV, "%s", refused);
	if (!p->target.isa->bind(p, l->simd, &l->rules, &l->arena))
		return diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", p->code_bytes);
	return !p->target.isa->prepare || p->target.isa->prepare(p, l->kernel, &l->arena, d);
}

enum wb_status wb_launch_new(const struct wb_program *p, const char *kernel, const struct wb_config *c,
			     struct wb_launch **out, struct wb_diag *wd)
{
	struct wb_launch *l = calloc(1, sizeof *l);
	struct diag d = { 0 };

	*out = NULL;
	if (!l || !(l->config = c ? wb_config_copy(c) : wb_config_new())) {
		free(l);
		diag_set(&d, DIAG_ENV, "out of memory");
		return public_diag(wd, &d);
	}
	l->program = p;
	l->memory.global = &l->global;
	for (int i = 0; i < GLOBAL_VIEWS; i++)
		l->memory.g[i] = VIEW_ALL;
	l->param.bytes = l->params;
	l->timing = config_number(l->config, OPT_TIMING) == 0;
	set_rules(l);
	if (!check_rules(l, &d) || !check_parse(l, &d) || !choose_kernel(l, kernel, &d) || !prepare_code(l, &d) ||
	    !check_options(l, &d) || !set_lanes(l, &d) || !set_geometry(l, &d)) {
		wb_launch_free(l);
		return public_diag(wd, &d);
	}
	*out = l;
	return WB_OK;
}

void wb_launch_free(struct wb_launch *l)
{
	if (!l)
		return;
	global_free(&l->global);
	replay_free(l);
	recorder_free(l);
	stops_free(l);
	arena_free(&l->state);
	arena_free(&l->report_arena);
	arena_free(&l->arena);
	free(l->arg);
	free(l->bound);
	free(l->poke);
	vertices_free(l);
	wb_config_free(l->config);
	free(l);
}

bool wb_launch_file(const struct wb_launch *l, unsigned index, struct wb_file *out)
{
	return files_get(&l->files, index, out);
}

enum wb_status wb_launch_arg(struct wb_launch *l, const char *arg, struct wb_diag *wd)
{
	struct diag d = { 0 };

	return launch_argument(l, arg, &d) ? WB_OK : public_diag(wd, &d);
}

/* ---- what happens before the first instruction ---- */

static bool default_args(struct wb_launch *l, struct diag *d)
{
	if (l->nargs || !l->kernel->launch.args)
		return true;
	for (const char *const *a = l->kernel->launch.args; *a; a++)
		if (!launch_argument(l, *a, d))
			return false;
	return true;
}

/* The items of a LIST option, one by one. */
bool each_item(struct wb_launch *l, enum option o, bool (*take)(struct wb_launch *, const char *, struct diag *),
	       struct diag *d)
{
	const char *p = config_text(l->config, o);

	while (*p) {
		size_t n = strcspn(p, "\n");
		char *item = arena_memdup(&l->arena, p, n + 1);
		if (!item)
			return diag_set(d, DIAG_ENV, "out of memory");
		item[n] = '\0';
		if (!take(l, item, d))
			return false;
		p += n + (p[n] == '\n');
	}
	return true;
}

/* Bytes of a constant bank up to `end`, growing what is there. */
static uint8_t *bank_bytes(struct wb_launch *l, unsigned bank, uint32_t end)
{
	struct const_bank *c = &l->memory.c[bank];
	uint8_t *grown;

	if (end <= c->size)
		return (uint8_t *)(uintptr_t)c->bytes;
	grown = arena_alloc(&l->arena, end + 8, 16);
	if (grown && c->size)
		memcpy(grown, c->bytes, c->size);
	if (grown) {
		c->bytes = grown;
		c->size = end;
	}
	return grown;
}

static bool fill_bank(struct wb_launch *l, unsigned bank, uint32_t offset, const void *bytes, size_t size,
		      struct diag *d)
{
	uint8_t *to;

	if (bank >= CONST_BANKS || offset > 1u << 16 || size > (1u << 16) - offset)
		return diag_set(d, DIAG_USAGE, "c%u[0x%x] of %zu bytes: expected c0 to c15 with 65536 bytes each", bank,
				offset, size);
	to = bank_bytes(l, bank, offset + (uint32_t)size);
	if (!to)
		return diag_set(d, DIAG_ENV, "out of memory");
	if (bytes)
		memcpy(to + offset, bytes, size);
	return true;
}

static bool option_const(struct wb_launch *l, const char *text, struct diag *d)
{
	unsigned bank, offset;
	int n = 0;
	uint8_t *bytes;
	size_t size;

	if (sscanf(text, "%u:%i=%n", &bank, (int *)&offset, &n) != 2 || !n)
		return diag_set(d, DIAG_USAGE, "--const: found \"%s\", expected BANK:OFFSET=FILE", text);
	return read_file(l->config, &l->files, &l->arena, text + n, &bytes, &size, d) &&
	       fill_bank(l, bank, offset, bytes, size, d);
}

static bool fill_consts(struct wb_launch *l, const struct image_const *c, size_t n, struct diag *d)
{
	for (size_t i = 0; i < n; i++)
		if (!fill_bank(l, c[i].bank, c[i].offset, c[i].bytes, c[i].size, d))
			return false;
	return true;
}

static bool place_globals(struct wb_launch *l, const struct image *im, const struct image_reloc *r, size_t nr,
			  const uint32_t *addr, struct diag *d)
{
	for (size_t i = 0; i < nr; i++) {
		uint32_t value;
		if (r[i].global >= im->nglobals)
			return diag_set(d, DIAG_INPUT, "relocation %zu names global %u of %zu", i, r[i].global,
					im->nglobals);
		value = addr[r[i].global] + r[i].addend;
		if (!fill_bank(l, r[i].bank, r[i].offset, &value, 4, d))
			return false;
	}
	return true;
}

/* Device variables go into global memory, their addresses into the constant banks that relocations name. */
static bool relocate(struct wb_launch *l, struct diag *d)
{
	const struct image *im = l->image;
	uint32_t *addr = ARENA_ARRAY(&l->arena, uint32_t, im->nglobals + 1);

	if (!addr)
		return diag_set(d, DIAG_ENV, "out of memory");
	for (size_t i = 0; i < im->nglobals; i++) {
		if (!global_alloc(&l->global, im->globals[i].size, &addr[i], d))
			return false;
		if (im->globals[i].bytes && im->globals[i].size)
			global_write(&l->global, addr[i], im->globals[i].bytes, im->globals[i].size);
	}
	return place_globals(l, im, im->relocs, im->nrelocs, addr, d) &&
	       place_globals(l, im, l->kernel->relocs, l->kernel->nrelocs, addr, d);
}

static bool set_shared(struct wb_launch *l, struct diag *d)
{
	uint32_t base = (uint32_t)config_number(l->config, OPT_PARAM_BASE), need;

	l->param.base = base;
	if (base > CHIP_SMEM_BYTES)
		return diag_set(d, DIAG_USAGE, "--param-base: found %u, expected at most %d", base, CHIP_SMEM_BYTES);
	need = base + l->param.size > l->kernel->smem ? base + l->param.size : l->kernel->smem;
	need += (uint32_t)config_number(l->config, OPT_SMEM);
	l->shared_asked = need;
	l->shared_bytes = (need + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
	if (need > CHIP_SMEM_BYTES)
		return diag_set(d, DIAG_USAGE, "%u bytes of shared memory, expected at most %d", need, CHIP_SMEM_BYTES);
	return true;
}

static bool set_residency(struct wb_launch *l, struct diag *d)
{
	int64_t mps = config_number(l->config, OPT_MPS);

	if (!occupancy(&l->chip, l->threads, l->code.nreg, l->shared_bytes, OCC_XLS, &l->fit, d))
		return false;
	if (!l->fit.blocks)
		return diag_set(d, DIAG_USAGE,
				"a block of %u threads with %u registers and %u bytes of shared memory does not fit %s",
				l->threads, l->code.nreg, l->shared_bytes, l->chip.name);
	if (mps == 0 || mps > 1024)
		return diag_set(d, DIAG_USAGE, "--mps: found %lld, expected 1 to 1024", (long long)mps);
	l->nmps = mps == NUMBER_NONE ? chip_mps(&l->chip) : (unsigned)mps;
	if (l->nmps > l->blocks)
		l->nmps = l->blocks;
	l->predicted_blocks = l->fit.blocks;
	/* No more rooms than the grid has blocks for. */
	if (l->fit.blocks > (l->blocks + l->nmps - 1) / l->nmps)
		l->fit.blocks = (l->blocks + l->nmps - 1) / l->nmps;
	return true;
}

static const uint64_t *counter_of(struct mp *mp, const char *name)
{
	if (!strcmp(name, "instructions"))
		return &mp->x.instructions;
	if (!strcmp(name, "branch"))
		return &mp->bill.branches;
	if (!strcmp(name, "divergent_branch"))
		return &mp->bill.divergent;
	return strcmp(name, "cycles") ? NULL : &mp->x.cycle;
}

static bool option_pm(struct wb_launch *l, const char *text, struct diag *d)
{
	unsigned n = (unsigned)(text[0] - '0');

	if (n > 3 || text[1] != '=' || !counter_of(&l->mp[0], text + 2))
		return diag_set(
			d, DIAG_USAGE,
			"--pm: found \"%s\", expected 0 to 3 = instructions, branch, divergent_branch or cycles", text);
	for (unsigned i = 0; i < l->nmps; i++)
		l->mp[i].x.pm[n] = counter_of(&l->mp[i], text + 2);
	return true;
}

bool launch_counters(struct wb_launch *l, struct diag *d)
{
	return each_item(l, OPT_PM, option_pm, d);
}

bool launch_prepare(struct wb_launch *l, struct diag *d)
{
	if (l->prepared)
		return true;
	l->prepared = default_args(l, d) &&
		params_check(l, d) &&
		each_item(l, OPT_GLOBAL, launch_bind_global, d) &&
		fill_consts(l, l->image->consts, l->image->nconsts, d) &&
		fill_consts(l, l->kernel->consts, l->kernel->nconsts, d) &&
		each_item(l, OPT_CONST, option_const, d) &&
		each_item(l, OPT_UNIFORM, launch_uniform, d) &&
		vertices_prepare(l, d) &&
		relocate(l, d) &&
		set_shared(l, d) &&
		set_residency(l, d) &&
		launch_lint(l, d) &&
		(check_prepare(l) || diag_set(d, DIAG_ENV, "out of memory for --check")) &&
		machine_prepare(l, d) &&
		launch_counters(l, d);
	return l->prepared;
}

enum wb_status wb_launch_prepare(struct wb_launch *l, struct wb_diag *wd)
{
	struct diag d = { 0 };

	return launch_prepare(l, &d) ? WB_OK : public_diag(wd, &d);
}

enum wb_status wb_launch_run(struct wb_launch *l, struct wb_diag *wd)
{
	struct diag d = { 0 };

	if (l->result) {
		diag_set(&d, DIAG_USAGE, "this launch has run already");
		return public_diag(wd, &d);
	}
	if (!launch_prepare(l, &d))
		return public_diag(wd, &d);
	machine_begin(l);
	if (!parallel_run(l, &d)) {
		if (d.kind != DIAG_OK)
			return public_diag(wd, &d);
		unsigned host = program_enter(&l->code);
		while (machine_step(l))
			;
		program_leave(&l->code, host);
	}
	machine_settle(l);
	recorder_flush(l);
	report_build(l);
	return l->why.kind == DIAG_OK ? WB_OK : public_diag(wd, &l->why);
}

void wb_launch_interrupt(struct wb_launch *l)
{
	l->interrupt = true;
}

void wb_launch_progress(const struct wb_launch *l, uint64_t *done, uint64_t *all)
{
	*done = __atomic_load_n(&l->run.finished_blocks, __ATOMIC_RELAXED);
	*all = l->blocks;
}
