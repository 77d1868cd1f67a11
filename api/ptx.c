/* PTX to a program: the compiler makes assembly text (core/compile), the assembler an image; then the image's lines,
 * which are those of the assembly text, become those of the PTX. */
#include "api/ptx.h"

#include <stdio.h>
#include <string.h>

#include "api/config.h"
#include "api/opencl.h"
#include "core/base/text.h"
#include "core/compile/compile.h"

bool ptx_is(const struct wb_config *c, const void *bytes, size_t n)
{
	const char *format = config_text(c, OPT_FORMAT);

	return !strcmp(format, "ptx") ||
	       ((!strcmp(format, "auto") || !strcmp(format, "opencl")) && compile_is_ptx(bytes, n));
}

/* The number of the file that a .loc means by the source `name`; 0: no file of the PTX has the name. */
static uint32_t number_of_file(const struct compile_result *r, const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t n = strlen(slash ? slash + 1 : name);

	for (size_t i = 0; i < r->nfiles; i++) {
		size_t have = strlen(r->files[i].name);
		if (have >= n && !strcmp(r->files[i].name + have - n, slash ? slash + 1 : name))
			return r->files[i].number;
	}
	return 0;
}

/* Lines of the assembly text become lines of the PTX, or of the PTX's source: there an instruction of another file has
 * the line of the instruction before. */
static void put_lines(struct image *im, const struct compile_result *r, const char *source)
{
	uint32_t file = source ? number_of_file(r, source) : 0, line = 0;

	for (size_t k = 0; k < im->nkernels; k++)
		for (size_t i = 0; i < im->kernels[k].nlines; i++) {
			struct image_line *l = &im->kernels[k].lines[i];
			bool known = l->line && l->line <= r->nlines;
			const struct compile_line *from = known ? &r->lines[l->line - 1] : NULL;
			if (!source)
				line = from ? from->ptx_line : 0;
			else if (from && from->line && (from->file == file || !file))
				line = from->line;
			l->line = line;
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

bool ptx_image(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
	       const char *source, struct load_options *o, struct diag *d)
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
		return false;
	o->format = "asm";
	o->machine = isa_of_chip(r.chip)->name;
	good = image_load(r.text, r.size, name, o, &p->image, d);
	if (!good && d->kind == DIAG_INPUT)    /* a text of the compiler is no matter of the user's */
		d->kind = DIAG_INTERNAL;
	if (good) {
		p->image->nwarnings = 0;
		put_lines(p->image, &r, source);
		good = (source || copy_warnings(p->image, &r)) && place_globals(p->image, &r);
		if (!good)
			diag_set(d, DIAG_ENV, "out of memory");
	}
	compile_free(&r);
	return good;
}

bool ptx_load(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
	      struct load_options *o, struct diag *d)
{
	struct image *im;
	char *text;

	if (!ptx_image(p, c, name, bytes, n, NULL, o, d))
		return diag_in_file(d, name);
	im = p->image;
	im->format = "ptx";
	im->source = arena_lines(&im->arena, bytes, n);
	text = arena_alloc(&im->arena, n + 1, 1);
	if (!text || !im->source)
		return diag_set(d, DIAG_ENV, "out of memory");
	memcpy(text, bytes, n);
	return opencl_launch(im, text, d) || diag_in_file(d, name);
}

/* The line of the last .loc before a line of the PTX. */
int ptx_source_line(const void *bytes, size_t n, int ptx_line)
{
	const char *p = bytes, *end = p + n, *next;
	int line = 0;

	for (int i = 1; i < ptx_line && p < end; i++, p = next) {
		unsigned file, found;
		next = memchr(p, '\n', (size_t)(end - p));
		next = next ? next + 1 : end;
		char text[64] = "";
		memcpy(text, p, (size_t)(next - p) < sizeof text ? (size_t)(next - p) : sizeof text - 1);
		if (sscanf(text, " .loc %u %u", &file, &found) == 2 && found)
			line = (int)found;
	}
	return line;
}
