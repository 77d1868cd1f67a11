/* The options of a program, out of a configuration: the only place where the toolchain's side of a configuration is
 * read. */
#include "api/build_options.h"

#include <string.h>

#include "core/compile/compile.h"
#include "mem/global.h"

_Static_assert(sizeof(struct wb_texture) == HANDLE_SLOT, "the word of a kernel is behind a description");
_Static_assert((int)WB_LOADED_TEXTURES == (int)HANDLE_VARIABLES, "host and compiler have as many variables");
_Static_assert((int)COMPILE_WINDOWS_END <= (int)GLOBAL_FIRST_BUFFER, "no buffer is in a window of generic addresses");

static const char *given_text(const struct wb_config *c, enum option o)
{
	return config_given(c, o) ? config_text(c, o) : NULL;
}

static uint32_t given_number(const struct wb_config *c, enum option o)
{
	return config_given(c, o) ? (uint32_t)config_number(c, o) : 0;
}

static bool read_named(void *context, const char *path, uint8_t **bytes, size_t *size, struct diag *d)
{
	struct program_files *p = context;

	return files_may(p->config, p->program->image_name, path, false, d) &&
	       read_file(p->config, &p->program->files, &p->program->arena, path, bytes, size, d);
}

static bool note_named(void *context, const char *name, const void *bytes, size_t size)
{
	struct program_files *p = context;

	return files_note(&p->program->files, &p->program->arena, name, bytes, size);
}

/* Whether chip and instruction set, if given, exist. */
static bool names_exist(const struct build_options *o, struct diag *d)
{
	if (o->chip && !chip_find(o->chip, d))
		return false;
	return !o->isa || isa_find(o->isa) || isa_unknown(o->isa, d);
}

bool build_options_make(const struct program_files *from, struct build_options *o, struct diag *d)
{
	const struct wb_config *c = from->config;
	const char *format = given_text(c, OPT_FORMAT), *stage = given_text(c, OPT_STAGE);

	*o = (struct build_options){
		.format = format && strcmp(format, "auto") ? format : NULL,
		.isa = given_text(c, OPT_ISA), .chip = given_text(c, OPT_CHIP), .mode = given_text(c, OPT_MODE),
		.stage_mode = !stage ? NULL : config_number(c, OPT_STAGE) ? "gp" : "vp",
		.kernel = given_text(c, OPT_KERNEL), .entry = given_text(c, OPT_ENTRY),
		.regs = given_number(c, OPT_REGS), .lmem = given_number(c, OPT_LMEM),
		.regs_given = config_given(c, OPT_REGS), .syntax = syntax_of(c),
		.nvcc = config_number(c, OPT_CUDA_COMPILER) != 0,
		.cc = config_text(c, OPT_CC), .libclc = config_text(c, OPT_LIBCLC),
		.cl_std = config_text(c, OPT_CL_STD), .optimize = config_text(c, OPT_OPTIMIZE),
		.defines = config_text(c, OPT_DEFINE), .includes = config_text(c, OPT_INCLUDE),
		.cl_flags = config_text(c, OPT_CL_FLAG),
		.keep = config_number(c, OPT_KEEP) != 0, .contract = config_number(c, OPT_CONTRACT) != 0,
		.checks_barriers = strstr(config_text(c, OPT_CHECK), "barrier") != NULL,
		.checks_bounds = strstr(config_text(c, OPT_CHECK), "bounds") != NULL,
		.max_regs = given_number(c, OPT_MAX_REGS), .fma_mad = config_number(c, OPT_FMA) != 0,
		.max_memory = memory_asked(c),
		.max_seconds = config_given(c, OPT_MAX_SECONDS) ? config_number(c, OPT_MAX_SECONDS) : SECONDS_DEFAULT,
		.files = (enum files_rule)config_number(c, OPT_FILES), .files_given = c->files != NULL,
		.edition = wb_version(), .read = read_named, .note = note_named, .context = (void *)(uintptr_t)from,
	};
	return names_exist(o, d);
}
