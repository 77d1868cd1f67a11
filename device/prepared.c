/* Preparing a kernel, from a program and a configuration: the kernel, the rules and options, the program decoded, bound
 * and translated, the scheduler's instructions, the constant banks of the file. A launch copies the plan and
 * adds size, arguments and memory (prepare.c). */
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
#include "native/native.h"

/* Images by --chip: first images for the chip, then images for older chips that the chip runs, then the rest. */
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

static bool choose_kernel(struct wb_prepared *k, const char *name, struct diag *d)
{
	if (!name && config_given(k->config, OPT_KERNEL))
		name = config_text(k->config, OPT_KERNEL);
	if (name && !(name = arena_text(&k->arena, name, strlen(name))))     /* storage like the image's names */
		return diag_set(d, DIAG_ENV, "out of memory");
	k->plan.kernel = image_find(k->program->image, name, rank_image, k->config,
				    &k->plan.image, d);
	return k->plan.kernel != NULL;
}

static void set_rules(struct wb_prepared *k)
{
	const struct wb_config *c = k->config;
	int64_t calls = config_number(c, OPT_CALL_LIMIT), entries = config_number(c, OPT_LOCK_ENTRIES);
	int64_t fair = config_number(c, OPT_MINPC_FAIR);

	k->plan.rules = (struct rules){
		.diverge = (enum diverge_rule)config_number(c, OPT_DIVERGE),
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
}

/* The chip's way to reconverge, where the caller asks for none. */
static void set_reconvergence(struct wb_prepared *k)
{
	k->plan.rules.reconverge = config_given(k->config, OPT_RECONVERGE)
		? reconverge_at((unsigned)config_number(k->config, OPT_RECONVERGE))
		: reconverge_named(k->plan.chip.reconverge);
	if (!reconverge_is_own(&k->plan.rules))
		k->plan.rules.join = JOIN_MERGED;    /* the option concerns markers, unused here */
}

static uint64_t limit(const struct wb_config *c, enum option o)
{
	int64_t v = config_number(c, o);

	return v == NUMBER_NONE ? UINT64_MAX : (uint64_t)v;
}

static void set_options(struct wb_prepared *k)
{
	enum { FULL_STATISTICS = 2 };
	const struct wb_config *c = k->config;
	int64_t threads = config_number(c, OPT_THREADS);

	k->plan.timed = config_number(c, OPT_TIMING) == 0;
	k->plan.warm = config_number(c, OPT_WARM) == 1;
	k->plan.full_statistics = config_number(c, OPT_STATS_LEVEL) == FULL_STATISTICS;
	k->plan.policy = (enum policy)config_number(c, OPT_POLICY);
	if (c->policy.choose) {
		k->plan.policy = POLICY_OWN;
		k->plan.own_policy = (struct own_policy){ c->policy.pick, c->policy.choose, c->policy.context };
	}
	k->plan.group = (uint32_t)config_number(c, OPT_GROUP);
	k->plan.max = (struct limits){ limit(c, OPT_MAX_CYCLES), limit(c, OPT_MAX_INSNS), limit(c, OPT_LIVELOCK) };
	k->plan.host.threads = threads == NUMBER_NONE ? 0 : (unsigned)threads;
	k->plan.host.precise = config_number(c, OPT_IN_ORDER) == 1;
	k->plan.host.fast_forward = config_number(c, OPT_FAST_FORWARD) == 1;
}

static bool check_rules(const struct wb_prepared *k, struct diag *d)
{
	uint64_t mode = (uint64_t)config_number(k->config, OPT_MP_MODE);
	uint32_t n = k->plan.rules.lock_entries;

	if (n & (n - 1) || n > 1u << 14)
		return diag_set(d, DIAG_USAGE,
				"--lock-entries: found %u, expected a power of two up to 16384, or exact", n);
	if (mode & ~(uint64_t)(MP_ALWAYS_DERIV | MP_ZERO_WINS | MP_SAT_NAN_ZERO))
		return diag_set(d, DIAG_USAGE,
				"--mp-mode: found %#" PRIx64 ", expected a sum of 0x1, 0x2 and 0x80000: no other bit's "
				"meaning is known; what counters count is set with --pm", mode);
	if (k->plan.host.threads > HOST_THREADS_MAX)
		return diag_set(d, DIAG_USAGE, "--threads: found %u, expected 0 to %u, or auto", k->plan.host.threads,
				HOST_THREADS_MAX);
	if (!k->plan.group)
		return diag_set(d, DIAG_USAGE, "--group: found 0, expected 1 or more");
	if (!config_number(k->config, OPT_SLICE))
		return diag_set(d, DIAG_USAGE, "--slice: found 0, expected 1 or more");
	if (!k->plan.rules.minpc_fair)
		return diag_set(d, DIAG_USAGE, "--minpc-fair: found 0, expected 1 or more, or none");
	if (!k->plan.rules.stack_depth || k->plan.rules.stack_depth > 4096)
		return diag_set(d, DIAG_USAGE, "--stack-depth: found %u, expected 1 to 4096",
				k->plan.rules.stack_depth);
	return true;
}

/* Check features that only certain chips have. */
static bool check_chip(const struct wb_prepared *k, struct diag *d)
{
	bool newer = k->plan.chip.coalesce.rule != COALESCE_OLDER;

	return !(k->plan.rules.mp_mode & MP_SAT_NAN_ZERO) || newer ||
	       diag_set(d, DIAG_USAGE, "--mp-mode 0x80000: chip %s has no such bit; mcp77, g200 and gt215 have",
			k->plan.chip.name);
}

/* How many lanes of a warp take a vertex. */
static bool set_lanes(struct wb_prepared *k, struct diag *d)
{
	const struct isa_ops *isa = k->plan.code.target.isa;
	int64_t n = config_number(k->config, OPT_LANES);

	k->plan.dim.lanes = n == NUMBER_NONE ? isa->lanes : (uint32_t)n;
	if (n == NUMBER_NONE)
		return true;
	if (!isa->inputs)
		return diag_set(d, DIAG_USAGE, "--lanes is for shaders; --block says how many threads a block has");
	return (n > 0 && n <= isa->lanes) ||
	       diag_set(d, DIAG_USAGE, "--lanes: found %" PRId64 ", expected 1 to %u", n, isa->lanes);
}

/* The option --f24: rounding is a feature of the target. */
static bool set_rounding(struct wb_prepared *k, struct diag *d)
{
	const struct isa_ops *isa = k->plan.code.target.isa;
	const char *name = config_text(k->config, OPT_F24);
	uint32_t features;

	if (!isa->roundings)
		return !config_given(k->config, OPT_F24) ||
		       diag_set(d, DIAG_USAGE, "--f24: this machine has no 24-bit floats");
	if (isa_name_find(isa->roundings, name, strlen(name), &features))
		k->plan.code.target.features |= features;
	return true;
}

/* Registers and local memory of a thread, by the kernel or the options. */
static bool set_thread_sizes(struct wb_prepared *k, struct diag *d)
{
	struct program *p = &k->plan.code;
	uint32_t local = config_given(k->config, OPT_LMEM) ? (uint32_t)config_number(k->config, OPT_LMEM)
							   : k->plan.kernel->lmem;

	p->nreg = config_given(k->config, OPT_REGS) ? (uint32_t)config_number(k->config, OPT_REGS)
						    : k->plan.kernel->regs;
	if (p->nreg > p->target.isa->reg.most)
		return diag_set(d, DIAG_USAGE, "--regs: found %u, expected at most %u", p->nreg,
				p->target.isa->reg.most);
	k->plan.requested.local = local;
	if (local > 1u << 16)
		return diag_set(d, DIAG_USAGE, "%u bytes of local memory, expected at most 65536", local);
	for (p->local_bytes = local ? 16 : 0; p->local_bytes < local; p->local_bytes *= 2)
		;
	return true;
}

static bool prepare_code(struct wb_prepared *k, struct diag *d)
{
	struct program *p = &k->plan.code;
	const struct chip *chip;
	char refused[sizeof d->text];

	if (!target_of(k->plan.image, k->config, &p->target, &chip, d) || !set_numbers(k, chip, d))
		return false;
	set_reconvergence(k);
	assert(p->target.isa->lanes == k->plan.chip.warp_lanes);
	if (!set_rounding(k, d))
		return false;
	p->target.side = k->plan.kernel->side;
	p->target.nside = k->plan.kernel->nside;
	p->code = k->plan.kernel->code;
	p->code_bytes = k->plan.kernel->code_bytes;
	p->entry = k->plan.kernel->entry;
	if (!set_thread_sizes(k, d))
		return false;
	if (!program_decode(p, &k->arena) || !program_find_reach(p))
		return diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", p->code_bytes);
	if (!simd_choose(config_text(k->config, OPT_SIMD), &k->plan.host.simd, refused, sizeof refused))
		return diag_set(d, DIAG_ENV, "%s", refused);
	if (!p->target.isa->bind)
		return diag_set(d, DIAG_USAGE, "programs of machine %s can be assembled and disassembled, not run yet",
				p->target.isa->name);
	if (p->target.isa->prepare && !p->target.isa->prepare(p, k->plan.kernel, &k->arena, d))
		return false;
	if (!plan_registers(&k->plan, &k->arena))
		return diag_set(d, DIAG_ENV, "out of memory");
	return p->target.isa->bind(p, k->plan.host.simd, &k->plan.rules, &k->arena) ||
	       diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", p->code_bytes);
}

/* Native code for the program's loops, by --native. Timed runs leave traces, which threaded code makes. */
static bool make_native(struct wb_prepared *k)
{
	enum native_when when = (enum native_when)config_number(k->config, OPT_NATIVE);
	const char *why = NULL;

	if (!k->plan.timed)
		why = native_make(&k->plan.code, when, (enum simd_level)k->plan.host.simd, &k->arena, &k->native);
	k->native_missing = when == NATIVE_NOW ? why : NULL;
	return true;
}

/* Observers that see each instruction want a program bound for them. */
static bool set_checks(struct wb_prepared *k, struct diag *d)
{
	const char *kinds = config_text(k->config, OPT_CHECK);
	bool on[CHECKS] = { false };

	k->plan.rules.inspected = config_number(k->config, OPT_ACCESSES) == 1 || (*kinds && strcmp(kinds, "none"));
	k->plan.ends_exact = strcmp(kinds, "none");
	if (!check_kinds(kinds, on, d))
		return false;
	k->plan.ends_exact = k->plan.ends_exact && !on[CHECK_BOUNDS];
	return true;
}

/* The constant banks as the file has them: the image's words, and on top the kernel's. */
static bool fill_banks(struct wb_prepared *k, struct diag *d)
{
	const struct image *im = k->plan.image;
	const struct image_kernel *of = k->plan.kernel;

	k->banks = (struct const_banks){ .bank = k->plan.memory.c, .arena = &k->arena };
	return banks_fill_all(&k->banks, im->consts, im->nconsts, d) &&
	       banks_fill_all(&k->banks, of->consts, of->nconsts, d);
}

/* The pipeline from a program to a prepared kernel, as a column of calls. */
bool prepared_make(struct wb_prepared *k, const char *kernel, struct diag *d)
{
	set_rules(k);
	set_options(k);
	return check_rules(k, d) &&
	       set_checks(k, d) &&
	       choose_kernel(k, kernel, d) &&
	       prepare_code(k, d) &&
	       make_native(k) &&
	       check_chip(k, d) &&
	       set_lanes(k, d) &&
	       fill_banks(k, d) &&
	       (!k->plan.timed || plan_instructions(&k->plan, &k->arena) || diag_set(d, DIAG_ENV, "out of memory"));
}

struct wb_prepared *prepared_new(const struct wb_program *p, const struct wb_config *c)
{
	struct wb_prepared *k = calloc(1, sizeof *k);

	if (!k || !(k->config = c ? wb_config_copy(c) : wb_config_new())) {
		free(k);
		return NULL;
	}
	k->program = p;
	for (int i = 0; i < GLOBAL_VIEWS; i++)
		k->plan.memory.g[i] = VIEW_ALL;
	k->plan.code.late = &k->late;
	return k;
}

void wb_prepared_free(struct wb_prepared *k)
{
	if (!k)
		return;
	native_free(k->native);
	arena_free(&k->late);
	arena_free(&k->arena);
	wb_config_free(k->config);
	free(k);
}

/* ---- for callers ---- */

/* The memory that a parameter points to: as the file says, else by its kind and type. */
static const char *space_of(const struct image_param *p)
{
	const char *kind = p->kind ? p->kind : "", *type = p->type ? p->type : "";

	if (p->space && *p->space)
		return p->space;
	if (!strcmp(kind, "dynamic_shared_pointer"))
		return "local";
	return !strcmp(kind, "global_buffer") || strchr(type, '*') ? "global" : "private";
}

static const char *kind_of(const struct image_param *p)
{
	static const struct { const char *file, *ours; } kinds[] = {
		{ "by_value", "value" }, { "global_buffer", "pointer" }, { "dynamic_shared_pointer", "local" },
	};

	for (size_t i = 0; p->kind && i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(p->kind, kinds[i].file))
			return kinds[i].ours;
	return p->kind && *p->kind ? p->kind : strcmp(space_of(p), "private") ? "pointer" : "value";
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static const char *qualifiers_of(const struct image_param *p)
{
	static const char *const texts[] = {
		"", "const", "restrict", "const restrict", "volatile", "const volatile", "restrict volatile",
		"const restrict volatile",
	};

	return texts[p->qualifiers & (IMAGE_CONST | IMAGE_RESTRICT | IMAGE_VOLATILE)];
}

/* Threads of the largest block that fits a multiprocessor, in whole warps. */
static uint32_t largest_block(const struct plan *p)
{
	uint32_t threads = p->chip.max_threads / p->chip.warp_lanes * p->chip.warp_lanes;
	struct occupancy fit;

	for (; threads; threads -= p->chip.warp_lanes) {
		struct block_needs needs = { threads, p->code.nreg, p->kernel->warp_regs, p->kernel->smem };
		if (occupancy(&p->chip, &needs, OCC_XLS, &fit, NULL) && fit.blocks)
			break;
	}
	return threads;
}

bool prepared_describe(struct wb_prepared *k, struct diag *d)
{
	const struct image_kernel *from = k->plan.kernel;
	struct wb_parameter *p = ARENA_ARRAY(&k->arena, struct wb_parameter, from->nparams + 1);

	if (!p)
		return diag_set(d, DIAG_ENV, "out of memory");
	for (size_t i = 0; i < from->nparams; i++) {
		const struct image_param *q = &from->params[i];
		p[i] = (struct wb_parameter){
			.name = or_empty(q->name), .type = or_empty(q->type), .space = space_of(q),
			.access = or_empty(q->access), .kind = kind_of(q), .offset = q->offset, .size = q->size,
			.qualifiers = qualifiers_of(q),
		};
	}
	k->parameter = p;
	k->info = (struct wb_prepared_info){
		.name = from->name, .machine = k->plan.code.target.isa->name, .chip = k->plan.chip.name,
		.warp_lanes = k->plan.code.target.isa->lanes, .registers = k->plan.code.nreg,
		.warp_registers = from->warp_regs, .shared_bytes = from->smem,
		.local_bytes = k->plan.requested.local, .param_bytes = params_end(from),
		.nparams = (uint32_t)from->nparams, .max_threads = largest_block(&k->plan),
		.vector_hint = or_empty(from->vector_hint), .ptx_target = k->plan.image->ptx_target,
	};
	memcpy(k->info.block, from->launch.block, sizeof k->info.block);
	memcpy(k->info.block_hint, from->block_hint, sizeof k->info.block_hint);
	return true;
}
