/* The size of a launch, by the caller, the options or the file, and the bounds that the chip sets; a program bound once
 * more, for one launch alone. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/isa/table.h"
#include "device/device.h"
#include "device/launch.h"

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

static bool check_grid(const struct chip *chip, const struct program *p, const uint32_t grid[3], struct diag *d)
{
	uint64_t blocks = (uint64_t)grid[0] * grid[1];

	if (p->reads_halves && (grid[0] > UINT16_MAX || grid[2] > 1))
		return diag_set(d, DIAG_USAGE, "a grid of %u,%u,%u blocks: this code reads the block's numbers in 16 "
				"bits of s[], in two dimensions; code made from PTX, CUDA or OpenCL C for chip %s has "
				"them whole", grid[0], grid[1], grid[2], chip->name);
	if (grid[2] > 1 && chip->max_grid[2] == 1)
		return diag_set(d, DIAG_USAGE,
				"a grid of %u,%u,%u blocks: grids of chip %s have two dimensions, x and y",
				grid[0], grid[1], grid[2], chip->name);
	return blocks <= UINT32_MAX / grid[2] ||
	       diag_set(d, DIAG_USAGE, "a grid of %u,%u,%u blocks, expected at most %u blocks in all", grid[0], grid[1],
			grid[2], UINT32_MAX);
}

/* The size by the options, else by the file, else one block of as many threads as a warp has. */
static bool size_of_options(struct wb_launch *l, struct diag *d)
{
	const struct chip *chip = &l->plan.chip;
	const struct wb_config *c = l->inputs->config;
	const uint32_t max_grid[3] = { chip->max_grid[0], chip->max_grid[1], UINT16_MAX };
	const struct image_launch *from_file = &l->plan.kernel->launch;
	struct dimensions *dim = &l->plan.dim;

	for (int i = 0; i < 3; i++) {
		dim->grid[i] = from_file->grid[i] ? from_file->grid[i] : 1;
		dim->block[i] = from_file->block[i] ? from_file->block[i] : 1;
	}
	if (!from_file->block[0])
		dim->block[0] = dim->lanes;
	if (config_given(c, OPT_GRID) && !parse_extent("grid", config_text(c, OPT_GRID), dim->grid, max_grid, d))
		return false;
	if (!check_grid(chip, &l->plan.code, dim->grid, d))
		return false;
	return !config_given(c, OPT_BLOCK) ||
	       parse_extent("block", config_text(c, OPT_BLOCK), dim->block, chip->max_block, d);
}

static bool take_extent(const char *what, const uint32_t from[3], const uint32_t max[3], uint32_t to[3],
			struct diag *d)
{
	for (int i = 0; i < 3; i++) {
		to[i] = i && !from[i] ? 1 : from[i];
		if (!to[i] || to[i] > max[i])
			return diag_set(d, DIAG_USAGE, "a %s of %u,%u,%u: expected 1 to %u in place %d", what, from[0],
					from[1], from[2], max[i], i + 1);
	}
	return true;
}

/* Only parameters can tell a kernel the offset, and a machine without a place for parameters in memory has none. */
static bool take_offset(struct wb_launch *l, const uint32_t offset[3], struct diag *d)
{
	memcpy(l->inputs->sized.offset, offset, sizeof l->inputs->sized.offset);
	return !(offset[0] || offset[1] || offset[2]) || l->plan.code.target.isa->launch ||
	       diag_set(d, DIAG_USAGE, "an offset of %u,%u,%u threads: programs of machine %s begin with thread 0; "
			"expected 0,0,0", offset[0], offset[1], offset[2], l->plan.code.target.isa->name);
}

/* The last dimension with a size that is more than `none`. */
static unsigned dimensions_of(const uint32_t grid[3], const uint32_t block[3], uint32_t none)
{
	unsigned n = 3;

	while (n > 1 && grid[n - 1] <= none && block[n - 1] <= none)
		n--;
	return n;
}

static bool size_of_caller(struct wb_launch *l, const struct wb_launch_size *size, struct diag *d)
{
	const struct chip *chip = &l->plan.chip;
	const uint32_t max_grid[3] = { chip->max_grid[0], chip->max_grid[1], UINT16_MAX };

	l->inputs->sized.dynamic_shared = size->shared_bytes;
	l->inputs->sized.dimensions = dimensions_of(size->grid, size->block, 0);
	return take_extent("grid", size->grid, max_grid, l->plan.dim.grid, d) &&
	       check_grid(chip, &l->plan.code, l->plan.dim.grid, d) &&
	       take_extent("block", size->block, chip->max_block, l->plan.dim.block, d) &&
	       take_offset(l, size->offset, d);
}

bool plan_size(struct wb_launch *l, const struct wb_launch_size *size, struct diag *d)
{
	struct dimensions *dim = &l->plan.dim;
	uint32_t lanes = l->plan.code.target.isa->lanes;

	if (!(size ? size_of_caller(l, size, d) : size_of_options(l, d)))
		return false;
	if (!size)
		l->inputs->sized.dimensions = dimensions_of(dim->grid, dim->block, 1);
	dim->blocks = dim->grid[0] * dim->grid[1] * dim->grid[2];
	dim->threads = dim->block[0] * dim->block[1] * dim->block[2];
	if (dim->threads > l->plan.chip.max_threads)
		return diag_set(d, DIAG_USAGE, "--block: %u threads, expected at most %u", dim->threads,
				l->plan.chip.max_threads);
	dim->warps = (dim->threads + lanes - 1) / lanes;
	set_slice(l);
	return true;
}

/* The scheduler's instructions once more, in the launch's arena. */
static bool instructions_again(struct wb_launch *l)
{
	l->plan.issue.ops = NULL;
	l->plan.issue.order = NULL;
	return !l->plan.timed || plan_instructions(&l->plan, &l->arena);
}

bool plan_bind(struct wb_launch *l, struct diag *d)
{
	const struct isa_ops *isa = l->plan.code.target.isa;
	struct program *p = &l->plan.code;
	bool fits = !l->plan.shared_code || !isa->fits || isa->fits(p, &l->plan.memory), by_rules = l->rebind;

	if (fits && !by_rules)
		return true;
	p->insn = arena_memdup(&l->arena, p->insn, (p->code_bytes / 4 + 1) * sizeof *p->insn);
	p->late = &l->late;
	l->plan.shared_code = l->rebind = false;
	return (p->insn && isa->bind(p, l->plan.host.simd, &l->plan.rules, &l->arena) &&
		(!by_rules || instructions_again(l))) ||
	       diag_set(d, DIAG_ENV, "out of memory for %u bytes of code", p->code_bytes);
}
