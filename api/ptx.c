/* PTX to a program: the compiler makes assembly text (core/compile), the assembler an image; then the image's lines,
 * which are those of the assembly text, become those of the PTX. */
#include "api/ptx.h"

#include <string.h>

#include "api/config.h"
#include "api/opencl.h"
#include "core/base/text.h"
#include "core/compile/compile.h"

bool ptx_is(const struct wb_config *c, const void *bytes, size_t n)
{
	const char *format = config_text(c, OPT_FORMAT);

	return !strcmp(format, "ptx") || (!strcmp(format, "auto") && compile_is_ptx(bytes, n));
}

static void lines_of_ptx(struct image *im, const struct compile_result *r)
{
	for (size_t k = 0; k < im->nkernels; k++)
		for (size_t i = 0; i < im->kernels[k].nlines; i++) {
			struct image_line *l = &im->kernels[k].lines[i];
			l->line = l->line && l->line <= r->nlines ? r->lines[l->line - 1].ptx_line : 0;
		}
}

static bool copy_warnings(struct image *im, const struct compile_result *r)
{
	for (size_t i = 0; i < r->nwarnings; i++) {
		struct image_warning *w = image_push(&im->arena, &im->warnings, &im->nwarnings);
		if (!w)
			return false;
		*w = (struct image_warning){ r->warnings[i].line, r->warnings[i].column,
					     arena_strdup(&im->arena, r->warnings[i].text) };
	}
	return true;
}

static bool place_globals(struct image *im, const struct compile_result *r)
{
	for (size_t i = 0; i < r->nglobals; i++) {
		const struct compile_global *from = &r->globals[i];
		struct image_global *g = image_push(&im->arena, &im->globals, &im->nglobals);
		struct image_reloc *address = image_push(&im->arena, &im->relocs, &im->nrelocs);
		if (!g || !address)
			return false;
		*g = (struct image_global){ arena_strdup(&im->arena, from->name), from->size,
					    from->bytes ? from->size : 0,
					    from->bytes ? arena_memdup(&im->arena, from->bytes, from->size) : NULL };
		*address = (struct image_reloc){ .bank = 14, .offset = (uint32_t)(4 * i), .global = (uint32_t)i };
	}
	return !im->arena.failed;
}

static bool finish(struct wb_program *p, const struct compile_result *r, const void *bytes, size_t n, struct diag *d)
{
	struct image *im = p->image;
	char *text = arena_alloc(&im->arena, n + 1, 1);

	im->format = "ptx";
	im->nwarnings = 0;
	im->source = arena_lines(&im->arena, bytes, n);
	if (!text || !im->source || !copy_warnings(im, r) || !place_globals(im, r))
		return diag_set(d, DIAG_ENV, "out of memory");
	memcpy(text, bytes, n);
	lines_of_ptx(im, r);
	return opencl_launch(im, text, d);
}

bool ptx_load(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
	      struct load_options *o, struct diag *d)
{
	struct compile_options options = {
		.chip = config_given(c, OPT_CHIP) ? config_text(c, OPT_CHIP) : NULL,
		.kernel = config_given(c, OPT_KERNEL) ? config_text(c, OPT_KERNEL) : NULL,
		.max_regs = config_given(c, OPT_MAX_REGS) ? (unsigned)config_number(c, OPT_MAX_REGS) : 0,
		.fma_mad = config_number(c, OPT_FMA) != 0,
	};
	struct compile_result r;
	bool good;

	if (!compile_ptx(bytes, n, &options, &r, d))
		return diag_in_file(d, name);
	o->format = "asm";
	o->machine = isa_of_chip(r.chip)->name;
	good = image_load(r.text, r.size, name, o, &p->image, d);
	if (!good && d->kind == DIAG_INPUT)    /* what the compiler wrote is no matter of the user's */
		d->kind = DIAG_INTERNAL;
	good = good && (finish(p, &r, bytes, n, d) || diag_in_file(d, name));
	compile_free(&r);
	return good;
}
