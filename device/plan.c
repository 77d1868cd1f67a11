/* A plan from a program and a configuration: the kernel, the rules, the options, the size of the launch, the program
 * bound and translated. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/launch.h"
#include "device/numbers.h"
#include "device/simd.h"
#include "core/base/text.h"
#include "core/diverge/reconverge.h"
#include "core/isa/table.h"
#include "inspect/check.h"

/* Images by --chip: those compiled for the chip, before those of older chips that the chip runs, before others. */
static unsigned rank_image(const struct image *im, const void *context)
{
	const struct wb_config *c = context;
	const struct isa_ops *isa = isa_find(im->machine);
	const char *name = config_text(c, OPT_CHIP);
	uint32_t built, features;

	if (!config_given(c, OPT_CHIP) || !isa || !im->chip ||
	    !isa_name_find(isa->table->chips, name, strlen(name), &features) ||
	    !isa_name_find(isa->table->chips, im->chip, strlen(im->chip), &built) || built & ~features)
		return 0;
	return 1 + (unsigned)__builtin_popcount(built);
}

static bool choose_kernel(struct wb_launch *l, const char *name, struct diag *d)
{
	if (!name && config_given(l->inputs->config, OPT_KERNEL))
		name = config_text(l->inputs->config, OPT_KERNEL);
	if (name && !(name = arena_text(&l->arena, name, strlen(name))))     /* storage like the image's names */
		return diag_set(d, DIAG_ENV, "out of memory");
	l->plan.kernel = image_find(l->inputs->program->image, name, rank_image, l->inputs->config,
				    &l->plan.image, d);
	return l->plan.kernel != NULL;
}

static void set_rules(struct wb_launch *l)
{
	const struct wb_config *c = l->inputs->config;
	int64_t calls = config_number(c, OPT_CALL_LIMIT), entries = config_number(c, OPT_LOCK_ENTRIES);
	int64_t fair = config_number(c, OPT_MINPC_FAIR);

	l->plan.rules = (struct rules){
		.diverge = (enum diverge_rule)config_number(c, OPT_DIVERGE),
		.reconverge = reconverge_at((unsigned)config_number(c, OPT_RECONVERGE)),
		.join = (enum join_rule)config_number(c, OPT_JOIN),
		.lock = (enum lock_rule)config_number(c, OPT_LOCK),
		.store_winner = (enum winner_rule)config_number(c, OPT_STORE_WINNER),
		.bar_unit = (enum bar_rule)config_number(c, OPT_BAR_UNIT),
		.discard = (enum discard_rule)config_number(c, OPT_DISCARD),
		.lock_entries = entries == NUMBER_NONE ? LOCK_ENTRIES_EXACT : (uint32_t)entries,
		.call_limit = calls == NUMBER_NONE ? CALLS_UNLIMITED : (uint32_t)calls,
		.stack_depth = (uint32_t)config_number(c, OPT_STACK_DEPTH),
		.minpc_fair = fair == NUMBER_NONE ? FAIR_NEVER : (uint64_t)fair,
		.mp_mode = (uint32_t)config_number(c, OPT_MP_MODE),
		.strict = config_number(c, OPT_STRICT) == 1,
		.slow_path = config_number(c, OPT_THREADED_CODE) == 0 || config_number(c, OPT_MP_MODE),
		.seed = (uint64_t)config_number(c, OPT_SEED),
	};
	if (!reconverge_is_own(&l->plan.rules))
		l->plan.rules.join = JOIN_MERGED;    /* the option concerns markers, unused here */
}

static uint64_t limit(const struct wb_config *c, enum option o)
{
	int64_t v = config_number(c, o);

	return v == NUMBER_NONE ? UINT64_MAX : (uint64_t)v;
}

static void set_options(struct wb_launch *l)
{
	enum { FULL_STATISTICS = 2 };
	const struct wb_config *c = l->inputs->config;
	int64_t threads = config_number(c, OPT_THREADS);

	l->plan.timed = config_number(c, OPT_TIMING) == 0;
	l->plan.warm = config_number(c, OPT_WARM) == 1;
	l->plan.full_statistics = config_number(c, OPT_STATS_LEVEL) == FULL_STATISTICS;
	l->plan.policy = (enum policy)config_number(c, OPT_POLICY);
	l->plan.group = (uint32_t)config_number(c, OPT_GROUP);
	l->plan.max = (struct limits){ limit(c, OPT_MAX_CYCLES), limit(c, OPT_MAX_INSNS), limit(c, OPT_LIVELOCK) };
	l->plan.host.threads = threads == NUMBER_NONE ? 0 : (unsigned)threads;
	l->plan.host.precise = config_number(c, OPT_IN_ORDER) == 1;
	l->plan.host.fast_forward = config_number(c, OPT_FAST_FORWARD) == 1;
}

static bool check_rules(const struct wb_launch *l, struct diag *d)
{
	uint64_t mode = (uint64_t)config_number(l->inputs->config, OPT_MP_MODE);
	uint32_t n = l->plan.rules.lock_entries;

	if (n & (n - 1) || n > 1u << 14)
		return diag_set(d, DIAG_USAGE,
				"--lock-entries: found %u, expected a power of two up to 16384, or exact", n);
	if (mode & ~(uint64_t)(MP_ALWAYS_DERIV | MP_ZERO_WINS | MP_SAT_NAN_ZERO))
		return diag_set(d, DIAG_USAGE,
				"--mp-mode: found %#" PRIx64 ", expected a sum of 0x1, 0x2 and 0x80000: no other bit's "
				"meaning is known; what counters count is set with --pm", mode);
	if (!config_number(l->inputs->config, OPT_SLICE))
		return diag_set(d, DIAG_USAGE, "--slice: found 0, expected 1 or more");
	if (!l->plan.rules.minpc_fair)
		return diag_set(d, DIAG_USAGE, "--minpc-fair: found 0, expected 1 or more, or none");
	if (!l->plan.rules.stack_depth || l->plan.rules.stack_depth > 4096)
		return diag_set(d, DIAG_USAGE, "--stack-depth: found %u, expected 1 to 4096",
				l->plan.rules.stack_depth);
	return true;
}

/* "X[,Y[,Z]]" with each in 1 … max[i]. */
static bool parse_extent(const char *option, const char *text, uint32_t out[3], const uint32_t max[3],
			 struct diag *d)
{
	const char *p = text;

	out[0] = out[1] = out[2] = 1;
	for (int i = 0; i < 3; i++) {
		char *end;
		errno = 0;
		unsigned long v = *p >= '0' && *p <= '9' ? strtoul(p, &end, 0) : 0;
		if (!v || errno || v > max[i])
			return diag_set(d, DIAG_USAGE,
					"--%s: found \"%s\", expected X[,Y[,Z]] with 1 to %u in place %d", option, text,
					max[i], i + 1);
		out[i] = (uint32_t)v;
		p = end;
		if (!*p)
			return true;
		if (*p++ != ',')
			break;
	}
	return diag_set(d, DIAG_USAGE, "--%s: found \"%s\", expected X[,Y[,Z]]", option, text);
}

/* A warp that shares no memory with other warps of its block runs longer slices, unless the run has a limit soon. */
static void set_slice(struct wb_launch *l)
{
	enum { ALONE = 4096 };
	bool alone = (l->plan.dim.warps == 1 || l->plan.code.target.isa->inputs) &&
		     config_number(l->inputs->config, OPT_LIVELOCK) == NUMBER_NONE;

	l->plan.slice = (uint64_t)config_number(l->inputs->config, OPT_SLICE);
	if (alone && l->plan.slice < ALONE)
		l->plan.slice = ALONE;
}

static bool check_grid(const struct chip *chip, const uint32_t grid[3], struct diag *d)
{
	uint64_t blocks = (uint64_t)grid[0] * grid[1];

	if (grid[2] > 1 && chip->max_grid[2] == 1)
		return diag_set(d, DIAG_USAGE,
				"a grid of %u,%u,%u blocks: grids of chip %s have two dimensions, x and y",
				grid[0], grid[1], grid[2], chip->name);
	return blocks <= UINT32_MAX / grid[2] ||
	       diag_set(d, DIAG_USAGE, "a grid of %u,%u,%u blocks, expected at most %u blocks in all", grid[0], grid[1],
			grid[2], UINT32_MAX);
}

static bool set_geometry(struct wb_launch *l, struct diag *d)
{
	const struct chip *chip = &l->plan.chip;
	const uint32_t max_grid[3] = { chip->max_grid[0], chip->max_grid[1], UINT16_MAX };
	const struct image_launch *from_file = &l->plan.kernel->launch;

	for (int i = 0; i < 3; i++) {
		l->plan.dim.grid[i] = from_file->grid[i] ? from_file->grid[i] : 1;
		l->plan.dim.block[i] = from_file->block[i] ? from_file->block[i] : 1;
	}
	if (!from_file->block[0])
		l->plan.dim.block[0] = l->plan.dim.lanes;
	if (config_given(l->inputs->config, OPT_GRID) &&
	    !parse_extent("grid", config_text(l->inputs->config, OPT_GRID), l->plan.dim.grid, max_grid, d))
		return false;
	if (!check_grid(chip, l->plan.dim.grid, d))
		return false;
	if (config_given(l->inputs->config, OPT_BLOCK) &&
	    !parse_extent("block", config_text(l->inputs->config, OPT_BLOCK), l->plan.dim.block, chip->max_block, d))
		return false;
	l->plan.dim.blocks = l->plan.dim.grid[0] * l->plan.dim.grid[1] * l->plan.dim.grid[2];
	l->plan.dim.threads = l->plan.dim.block[0] * l->plan.dim.block[1] * l->plan.dim.block[2];
	if (l->plan.dim.threads > chip->max_threads)
		return diag_set(d, DIAG_USAGE, "--block: %u threads, expected at most %u", l->plan.dim.threads,
				chip->max_threads);
	l->plan.dim.warps = (l->plan.dim.threads + l->plan.code.target.isa->lanes - 1) / l->plan.code.target.isa->lanes;
	set_slice(l);
	return true;
}

/* The machine's entry for an option without meaning there, "NAME" or "NAME: reason"; NULL: the option has a meaning. */
static const char *without(const struct isa_ops *isa, const char *name)
{
	size_t n = strlen(name);

	for (const char *const *p = isa->without; p && *p; p++)
		if (!strncmp(*p, name, n) && (!(*p)[n] || (*p)[n] == ':'))
			return *p;
	return NULL;
}

/* Options without use for the machine may be set only to their defaults. */
static bool check_options(const struct wb_launch *l, struct diag *d)
{
	const struct isa_ops *isa = l->plan.code.target.isa, *other;
	const struct wb_option_info *o;
	char has[64] = "";

	for (unsigned i = 0; (o = wb_option(i)); i++) {
		const char *text = config_text(l->inputs->config, (enum option)i);
		const char *entry = without(isa, o->name);
		if (!entry || !strcmp(text, o->fallback))
			continue;
		for (unsigned k = 0; (other = isa_at(k)); k++)
			if (!without(other, o->name))
				snprintf(has + strlen(has), sizeof has - strlen(has), "%s%s", *has ? ", " : "",
					 other->name);
		return diag_set(d, DIAG_USAGE, "--%s means nothing on machine %s (found \"%s\")%s; it is for %s",
				o->name, isa->name, text, entry + strlen(o->name), has);
	}
	return true;
}

/* Check features that only certain chips have. */
static bool check_chip(const struct wb_launch *l, struct diag *d)
{
	bool newer = l->plan.chip.coalesce.rule != COALESCE_OLDER;

	return !(l->plan.rules.mp_mode & MP_SAT_NAN_ZERO) || newer ||
	       diag_set(d, DIAG_USAGE, "--mp-mode 0x80000: chip %s has no such bit; mcp77, g200 and gt215 have",
			l->plan.chip.name);
}

/* How many lanes of a warp take a vertex. */
static bool set_lanes(struct wb_launch *l, struct diag *d)
{
	const struct isa_ops *isa = l->plan.code.target.isa;
	int64_t n = config_number(l->inputs->config, OPT_LANES);

	l->plan.dim.lanes = n == NUMBER_NONE ? isa->lanes : (uint32_t)n;
	if (n == NUMBER_NONE)
		return true;
	if (!isa->inputs)
		return diag_set(d, DIAG_USAGE, "--lanes is for shaders; --block says how many threads a block has");
	return (n > 0 && n <= isa->lanes) ||
	       diag_set(d, DIAG_USAGE, "--lanes: found %" PRId64 ", expected 1 to %u", n, isa->lanes);
}

static bool prepare_code(struct wb_launch *l, struct diag *d)
{
	struct program *p = &l->plan.code;
	uint32_t local = l->plan.kernel->lmem;
	const struct chip *chip;
	char refused[sizeof d->text];

	if (!target_of(l->plan.image, l->inputs->config, &p->target, &chip, d) || !set_numbers(l, chip, d))
		return false;
	assert(p->target.isa->lanes == l->plan.chip.warp_lanes);
	if (!launch_rounding(l, d))
		return false;
	p->target.side = l->plan.kernel->side;
	p->target.nside = l->plan.kernel->nside;
	p->code = l->plan.kernel->code;
	p->code_bytes = l->plan.kernel->code_bytes;
	p->entry = l->plan.kernel->entry;
	p->nreg = config_given(l->inputs->config, OPT_REGS) ? (uint32_t)config_number(l->inputs->config, OPT_REGS)
							    : l->plan.kernel->regs;
	if (p->nreg > p->target.isa->reg.most)
		return diag_set(d, DIAG_USAGE, "--regs: found %u, expected at most %u", p->nreg,
				p->target.isa->reg.most);
	if (config_given(l->inputs->config, OPT_LMEM))
		local = (uint32_t)config_number(l->inputs->config, OPT_LMEM);
	l->plan.requested.local = local;
	if (local > 1u << 16)
		return diag_set(d, DIAG_USAGE, "%u bytes of local memory, expected at most 65536", local);
	for (p->local_bytes = local ? 16 : 0; p->local_bytes < local; p->local_bytes *= 2)
		;
	if (!program_decode(p, &l->arena))
		return diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", p->code_bytes);
	if (!simd_choose(config_text(l->inputs->config, OPT_SIMD), &l->plan.host.simd, refused, sizeof refused))
		return diag_set(d, DIAG_ENV, "%s", refused);
	if (!p->target.isa->bind)
		return diag_set(d, DIAG_USAGE, "programs of machine %s can be assembled and disassembled, not run yet",
				p->target.isa->name);
	if (p->target.isa->prepare && !p->target.isa->prepare(p, l->plan.kernel, &l->arena, d))
		return false;
	return p->target.isa->bind(p, l->plan.host.simd, &l->plan.rules, &l->arena) ||
	       diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", p->code_bytes);
}

/* The pipeline from a program to a plan, as a column of calls. */
bool plan_make(struct wb_launch *l, const char *kernel, struct diag *d)
{
	set_rules(l);
	set_options(l);
	l->plan.rules.inspected = config_number(l->inputs->config, OPT_ACCESSES) == 1;
	return check_rules(l, d) &&
	       check_begin(l, config_text(l->inputs->config, OPT_CHECK), d) &&
	       choose_kernel(l, kernel, d) &&
	       prepare_code(l, d) &&
	       check_options(l, d) &&
	       check_chip(l, d) &&
	       set_lanes(l, d) &&
	       set_geometry(l, d);
}
