/* Work before the first instruction: arguments, constants and variables go into memory, vertices into their stream,
 * blocks onto multiprocessors. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/launch.h"
#include "core/base/clear.h"
#include "device/inputs/scene_texture.h"

enum { SHARED_UNIT = 0x40 };    /* bytes: s[] is allocated in multiples */

static bool default_args(struct wb_launch *l, struct diag *d)
{
	if (l->inputs->nargs || l->inputs->params_given || !l->plan.kernel->launch.args)
		return true;
	l->inputs->by_program = true;
	for (const char *const *a = l->plan.kernel->launch.args; *a; a++)
		if (!launch_argument(l, *a, d))
			return false;
	l->inputs->by_program = false;
	return true;
}

static bool option_const(void *launch, const char *text, struct diag *d)
{
	struct wb_launch *l = launch;
	unsigned bank, offset;
	int n = 0;
	uint8_t *bytes;
	size_t size;

	if (sscanf(text, "%u:%i=%n", &bank, (int *)&offset, &n) != 2 || !n)
		return diag_set(d, DIAG_USAGE, "--const: found \"%s\", expected BANK:OFFSET=FILE", text);
	return read_file(l->inputs->config, &l->inputs->files, &l->arena, text + n, &bytes, &size, d) &&
	       fill_bank(l, bank, offset, bytes, size, d);
}

/* Whether a bank has the variables of a compiled program, which stand among the words of each kernel. */
static bool has_variables(const struct image *im, unsigned bank)
{
	for (size_t i = 0; i < im->nvariables; i++)
		if (im->variables[i].bank == bank)
			return true;
	return false;
}

/* The constants to which the caller of the device has written, under the kernel's own. */
static bool written_constants(struct wb_launch *l, struct diag *d)
{
	const struct module *m = device_find(l->inputs->device, l->plan.image);
	const struct image_kernel *k = l->plan.kernel;

	for (unsigned b = 0; m && b < CONST_BANKS; b++) {
		if (!(m->written >> b & 1))
			continue;
		if (!fill_bank(l, b, 0, m->bank[b].bytes, m->bank[b].size, d))
			return false;
		for (size_t i = 0; i < k->nconsts && !has_variables(l->plan.image, b); i++)
			if (k->consts[i].bank == b &&
			    !fill_bank(l, b, k->consts[i].offset, k->consts[i].bytes, k->consts[i].size, d))
				return false;
	}
	return true;
}

static bool option_uniform(void *launch, const char *text, struct diag *d)
{
	struct wb_launch *l = launch;

	return uniform_take(&l->plan.code, l->plan.kernel, text, d);
}

/* Addresses in the code: the launch has a program of its own, with the words of this device, which plan_bind binds. */
static bool relocate_code(struct wb_launch *l, const struct module *m, struct diag *d)
{
	const struct image_kernel *k = l->plan.kernel;
	struct program *p = &l->plan.code;
	uint8_t *code;

	if (!k->nliterals)
		return true;
	code = arena_memdup(&l->arena, k->code, k->code_bytes);
	for (size_t i = 0; code && i < k->nliterals; i++) {
		const struct image_literal *at = &k->literals[i];
		uint64_t address = m->address[at->global] + at->addend;
		for (unsigned b = 0; b < 4; b++)
			code[at->offset + b] = (uint8_t)(address >> (8 * b + (at->high ? 32 : 0)));
	}
	p->code = code;
	if (!code || !program_decode(p, &l->arena))
		return diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", k->code_bytes);
	return l->rebind = true;
}

/* Variables have places on the device; the constant banks get their addresses. */
static bool relocate(struct wb_launch *l, struct diag *d)
{
	const struct image *im = l->plan.image;
	const struct image_kernel *k = l->plan.kernel;
	const struct module *m = device_module(l->inputs->device, im, d);

	if (!m)
		return false;
	if (im->code_in_global)
		l->plan.code_address = m->address[im->code_global] + im->code_offset;
	return relocate_code(l, m, d) && module_relocate(m, im->relocs, im->nrelocs, &l->inputs->banks, d) &&
	       module_relocate(m, k->relocs, k->nrelocs, &l->inputs->banks, d);
}

/* Put the arguments into global memory, for machines whose threads load arguments from memory. */
static bool place_arguments(struct wb_launch *l, struct diag *d)
{
	const struct isa_ops *isa = l->plan.code.target.isa;
	const struct module *m = l->plan.image->nglobals ? device_find(l->inputs->device, l->plan.image) : NULL;
	struct isa_launch to = {
		.kernel = l->plan.kernel,
		.grid = l->plan.dim.grid,
		.block = l->plan.dim.block,
		.params = &l->plan.param,
		.dimensions = l->inputs->sized.dimensions,
		.offset = l->inputs->sized.offset,
		.dynamic_shared = (uint32_t)config_number(l->inputs->config, OPT_SMEM) +
				  l->inputs->sized.dynamic_shared,
		.global = l->machine.global,
		.arena = &l->arena,
		.code = l->plan.code_address,
		.data = m ? m->address[0] : 0,
	};

	if (!prints_prepare(l, d))
		return false;
	to.prints = l->inputs->prints.address;
	return !isa->launch || isa->launch(&l->plan.code, &to, d);
}

static bool set_shared(struct wb_launch *l, struct diag *d)
{
	uint64_t base = (uint64_t)config_number(l->inputs->config, OPT_PARAM_BASE), need;
	uint64_t most = l->plan.chip.max_smem, dynamic = (uint64_t)config_number(l->inputs->config, OPT_SMEM);

	if (base > most)
		return diag_set(d, DIAG_USAGE, "--param-base: found %" PRIu64 ", expected at most %" PRIu64, base,
				most);
	l->plan.param.base = (uint32_t)base;
	need = l->plan.code.target.isa->launch ? 0 : base + l->plan.param.size;
	need = need > l->plan.kernel->smem ? need : l->plan.kernel->smem;
	need += dynamic + l->inputs->sized.dynamic_shared;
	if (need > most)
		return diag_set(d, DIAG_USAGE, "%" PRIu64 " bytes of shared memory, expected at most %" PRIu64, need,
				most);
	l->plan.requested.shared = (uint32_t)need;
	l->plan.shared_bytes = ((uint32_t)need + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
	return true;
}

static bool set_residency(struct wb_launch *l, struct diag *d)
{
	int64_t mps = config_number(l->inputs->config, OPT_MPS);
	struct block_needs block = {
		l->plan.dim.threads, l->plan.code.nreg, l->plan.kernel->warp_regs, l->plan.shared_bytes
	};

	if (!occupancy(&l->plan.chip, &block, OCC_XLS, &l->plan.fit, d))
		return false;
	if (!l->plan.fit.blocks)
		return diag_set(d, DIAG_USAGE,
				"a block of %u threads with %u registers and %u bytes of shared memory does not fit %s",
				l->plan.dim.threads, l->plan.code.nreg, l->plan.shared_bytes, l->plan.chip.name);
	if (mps == NUMBER_NONE && l->plan.kernel->launch.mps)
		mps = l->plan.kernel->launch.mps;
	if (mps == 0 || mps > 1024)
		return diag_set(d, DIAG_USAGE, "--mps: found %lld, expected 1 to 1024", (long long)mps);
	l->plan.nmps = mps == NUMBER_NONE ? chip_mps(&l->plan.chip) : (unsigned)mps;
	if (l->plan.nmps > l->plan.dim.blocks)
		l->plan.nmps = l->plan.dim.blocks;
	l->plan.predicted_blocks = l->plan.fit.blocks;
	/* No more resident blocks than the grid has blocks. */
	if (l->plan.fit.blocks > (l->plan.dim.blocks + l->plan.nmps - 1) / l->plan.nmps)
		l->plan.fit.blocks = (l->plan.dim.blocks + l->plan.nmps - 1) / l->plan.nmps;
	return true;
}

static const char *const pm_names[PM_SIGNALS] = {
	[PM_CYCLES] = "cycles", [PM_INSTRUCTIONS] = "instructions", [PM_BRANCH] = "branch",
	[PM_DIVERGENT_BRANCH] = "divergent_branch", [PM_SM_CTA_LAUNCHED] = "sm_cta_launched",
	[PM_WARP_SERIALIZE] = "warp_serialize", [PM_GLD_32B] = "gld_32b", [PM_GLD_64B] = "gld_64b",
	[PM_GLD_128B] = "gld_128b", [PM_GST_32B] = "gst_32b", [PM_GST_64B] = "gst_64b", [PM_GST_128B] = "gst_128b",
	[PM_GLD_COHERENT] = "gld_coherent", [PM_GLD_INCOHERENT] = "gld_incoherent",
	[PM_GST_COHERENT] = "gst_coherent", [PM_GST_INCOHERENT] = "gst_incoherent",
};

/* The profiler counter of a signal; PM_NONE: unknown name. */
static enum pm_counter pm_signal(const char *name)
{
	static const char trigger[] = "prof_trigger_";
	const char *digits = name + sizeof trigger - 1;
	char *end;
	unsigned long event;

	for (unsigned k = 0; k < PM_SIGNALS; k++)
		if (pm_names[k] && !strcmp(name, pm_names[k]))
			return (enum pm_counter)k;
	if (strncmp(name, trigger, sizeof trigger - 1) || *digits < '0' || *digits > '9')
		return PM_NONE;
	event = strtoul(digits, &end, 10);
	return *end || event >= PM_EVENTS ? PM_NONE : (enum pm_counter)(PM_PROF_TRIGGER + event);
}

static bool option_pm(void *launch, const char *text, struct diag *d)
{
	struct wb_launch *l = launch;
	unsigned n = (unsigned)(text[0] - '0');
	enum pm_counter signal = n < PM_COUNTERS && text[1] == '=' ? pm_signal(text + 2) : PM_NONE;

	if (!signal)
		return diag_set(
			d, DIAG_USAGE,
			"--pm: found \"%s\", expected 0 to 3 = cycles, instructions, branch, "
			"divergent_branch, sm_cta_launched, prof_trigger_00 to prof_trigger_15 (pmevent 0 to 15), "
			"warp_serialize, gld_ or gst_ with 32b, 64b, 128b, coherent or incoherent",
			text);
	if (signal >= PM_WARP_SERIALIZE && !l->plan.full_statistics)
		return diag_set(d, DIAG_USAGE, "--pm %s: counted with --stats-level full alone", text);
	if (signal >= PM_GLD_COHERENT && l->plan.chip.coalesce.rule != COALESCE_OLDER)
		return diag_set(d, DIAG_USAGE,
				"--pm %s: chip %s has no such signal, g80 and g84 have; expected gld_32b and the like",
				text, l->plan.chip.name);
	l->plan.pm[n] = (uint8_t)signal;
	return true;
}

/* Refuse a launch that could take more of the host's memory than --max-memory, if every page is touched. */
static bool limit_memory(struct wb_launch *l, struct diag *d)
{
	const struct inputs *in = l->inputs;
	const struct plan *p = &l->plan;
	uint64_t threads = (uint64_t)p->dim.warps * p->code.target.isa->lanes, bytes = 0, most = 0;

	for (size_t i = 0; i < in->nargs + in->nbound; i++) {
		const struct argument *a = i < in->nargs ? &in->arg[i] : &in->bound[i - in->nargs];
		bytes += a->is_buffer ? a->bytes : 0;
	}
	bytes += (threads * ((uint64_t)p->code.local_bytes + 4 * (uint64_t)p->code.nreg) + p->shared_bytes) *
		 p->fit.blocks * p->nmps;
	return memory_allows(in->config, bytes, &most) ||
	       diag_set(d, DIAG_LIMIT,
			"buffers and the memory of %" PRIu64 " resident threads are %" PRIu64
			" bytes, more than the limit (--max-memory), %" PRIu64,
			threads * p->fit.blocks * p->nmps, bytes, most);
}

/* With --hw-strict: the findings of the launch's program. */
static bool launch_lint(struct wb_launch *l, struct diag *d)
{
	if (config_number(l->inputs->config, OPT_HW_STRICT) != 1)
		return true;
	l->lint = ARENA_NEW(&l->arena, struct lint);
	if (!l->lint)
		return diag_set(d, DIAG_ENV, "out of memory for --hw-strict");
	return lint_program(l->lint, &l->plan.code, l->plan.kernel, &l->arena, d);
}

static const char *param_name(const struct wb_launch *l, uint32_t offset)
{
	const struct image_kernel *k = l->plan.kernel;

	for (size_t i = 0; i < k->nparams; i++)
		if (k->params[i].offset == offset && k->params[i].name)
			return k->params[i].name;
	return "";
}

/* Uses of buffers are checked, but in the module of a page (inspect/no_check_marks.c). */
#ifdef __wasm__
enum { USES_CHECKED = false };
#else
enum { USES_CHECKED = true };
#endif

/* Does a pointer at an offset of the parameters point to what the kernel declares as const? */
static bool is_const(const struct wb_launch *l, uint32_t offset)
{
	const struct image_kernel *k = l->plan.kernel;
	for (size_t i = 0; i < k->nparams; i++) {
		const struct image_param *p = &k->params[i];
		if (p->offset == offset)
			return p->qualifiers & IMAGE_CONST || (p->space && !strcmp(p->space, "constant"));
	}
	return false;
}

static struct buffer buffer_of_device(const struct wb_device *v, const struct global_range *r)
{
	unsigned uses = USES_CHECKED ? device_uses(v, r->addr) : WB_MEMORY_LOADS | WB_MEMORY_STORES;

	return (struct buffer){
		.addr = r->addr, .bytes = (uint32_t)r->bytes, .argument = BUFFER_OF_DEVICE, .name = "",
		.no_loads = !(uses & WB_MEMORY_LOADS), .no_stores = !(uses & WB_MEMORY_STORES),
	};
}

/* The buffers of the arguments, of --global and of the device's caller, for observers. */
static bool list_buffers(struct wb_launch *l, struct diag *d)
{
	const struct inputs *in = l->inputs;
	const struct global *g = l->machine.global;
	size_t all = in->nargs + in->nbound + g->nranges;
	struct buffer *b = ARENA_ARRAY(&l->arena, struct buffer, all + 1);

	if (!b)
		return diag_set(d, DIAG_ENV, "out of memory");
	l->plan.buffer = b;
	for (size_t i = 0; i < in->nargs + in->nbound; i++) {
		const struct argument *a = i < in->nargs ? &in->arg[i] : &in->bound[i - in->nargs];
		if (a->is_buffer)
			b[l->plan.nbuffers++] = (struct buffer){
				a->addr, a->bytes, i < in->nargs ? (int)i : BUFFER_OF_OPTION,
				i < in->nargs ? param_name(l, a->offset) : "", false,
				USES_CHECKED && i < in->nargs && is_const(l, a->offset),
			};
	}
	for (size_t i = 0; i < g->nranges; i++)
		if (g->range[i].owner == OWNER_CALLER)
			b[l->plan.nbuffers++] = buffer_of_device(in->device, &g->range[i]);
	return true;
}

#define OBSERVER(name, when) bool name##_prepare(struct wb_launch *l);
#include "device/observer.def"

static bool observe(struct wb_launch *l, struct diag *d)
{
	bool ok = true;

#define OBSERVER(name, when) ok = ok && (!(when) || name##_prepare(l));
#include "device/observer.def"
	return ok || diag_set(d, DIAG_ENV, "out of memory");
}

static bool note_repeatable(struct wb_launch *l)
{
	l->repeatable = !l->arena.chunk;
	return true;
}

/* With the plan of a kept launch. */
static bool prepare_again(struct wb_launch *l, struct diag *d)
{
	return note_repeatable(l) &&
	       place_arguments(l, d) &&
	       list_buffers(l, d) &&
	       observe(l, d) &&
	       machine_prepare(&l->machine, d);
}

/* What has to be ready before the first instruction, as a column of calls. */
static bool prepare_parts(struct wb_launch *l, struct diag *d)
{
	const struct wb_config *c = l->inputs->config;
	struct arena *a = &l->arena;

	return default_args(l, d) &&
	       params_check(l, d) &&
	       written_constants(l, d) &&
	       config_each(c, OPT_GLOBAL, a, launch_bind_global, l, d) &&
	       scene_prepare(l, d) &&
	       config_each(c, OPT_CONST, a, option_const, l, d) &&
	       (!l->own_plan || config_each(c, OPT_UNIFORM, a, option_uniform, l, d)) &&
	       vertices_prepare(l, d) &&
	       relocate(l, d) &&
	       note_repeatable(l) &&
	       place_arguments(l, d) &&
	       texture_handles_bind(l, d) &&
	       scene_textures_bind(l, d) &&
	       set_shared(l, d) &&
	       set_residency(l, d) &&
	       limit_memory(l, d) &&
	       config_each(c, OPT_PM, a, option_pm, l, d) &&
	       launch_lint(l, d) &&
	       plan_bind(l, d) &&
	       list_buffers(l, d) &&
	       observe(l, d) &&
	       machine_prepare(&l->machine, d);
}

/* Whether the device's memory is as the launch was prepared for, and nobody else may take it back in time. */
static bool memory_stands(const struct wb_launch *l, struct diag *d)
{
	if (l->machine.global->undo && !l->past)
		return diag_set(d, DIAG_USAGE, "another launch on this device is being stepped; free it first");
	return !l->prepared || !l->check || l->inputs->changes == l->inputs->device->changes ||
	       diag_set(d, DIAG_USAGE, "memory was allocated or freed after this launch was prepared; --check wants "
			"the launch to be prepared last");
}

bool launch_prepare(struct wb_launch *l, struct diag *d)
{
	struct global *g = l->machine.global;

	if (!memory_stands(l, d))
		return false;
	if (l->prepared)
		return true;
	l->inputs->changes = l->inputs->device->changes;
	g->owner = l->inputs->owner;
	l->prepared = l->again ? prepare_again(l, d) : prepare_parts(l, d);
	g->owner = OWNER_CALLER;
	l->type_warning = params_types(l);
	l->native_missing = l->inputs->prepared->native_missing;
	l->inputs_missing = vertices_missing(l, &l->arena);
	return l->prepared;
}

void launch_blank(struct wb_launch *l, struct wb_device *v, const struct wb_prepared *k)
{
	struct inputs *in = (struct inputs *)(l + 1);

	clear_bytes((char *)l + sizeof l->plan, sizeof *l + sizeof *in - sizeof l->plan);
	in->program = k->program;
	in->config = k->config;
	in->prepared = k;
	in->device = v;
	in->owner = OWNER_LAUNCH + v->launches++;
	l->inputs = in;
	l->prepare = launch_prepare;
	l->machine.global = &v->memory;
	l->machine.plan = &l->plan;
	l->machine.counts_reach = true;
	l->machine.arena = &l->arena;
	in->banks.bank = l->plan.memory.c;
	in->banks.arena = &l->arena;
}
