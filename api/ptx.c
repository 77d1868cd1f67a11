/* PTX to a program: the compiler makes assembly text (core/compile), the assembler an image; then the image's lines,
 * which are those of the assembly text, become those of the PTX. */
#include "api/ptx.h"

#include <stdio.h>
#include <string.h>

#include "device/config.h"
#include "device/files.h"
#include "api/opencl.h"
#include "core/base/text.h"
#include "core/compile/compile.h"
#include "host/child.h"
#include "mem/global.h"
#include "toolchain/argument_variables.h"
#include "toolchain/opencl/directives.h"
#include "toolchain/opencl/text.h"

_Static_assert((int)COMPILE_WINDOWS_END <= (int)GLOBAL_FIRST_BUFFER, "no buffer is in a window of generic addresses");

bool ptx_is(const struct wb_config *c, const void *bytes, size_t n)
{
	const char *format = config_text(c, OPT_FORMAT);

	return !strcmp(format, "ptx") ||
	       ((!strcmp(format, "auto") || !strcmp(format, "opencl")) && compile_is_ptx(bytes, n));
}

/* Number of the source `name` in .loc directives; 0: no file of the PTX has the name. */
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

/* The origin of a row of the assembler; NULL: none. */
static const struct compile_line *origin(const struct compile_result *r, uint32_t line)
{
	return line && line <= r->nlines ? &r->lines[line - 1] : NULL;
}

/* The file of the first instruction that a .loc names; 0: none. */
static uint32_t first_file(const struct image *im, const struct compile_result *r)
{
	for (size_t k = 0; k < im->nkernels; k++)
		for (size_t i = 0; i < im->kernels[k].nlines; i++) {
			const struct compile_line *from = origin(r, im->kernels[k].lines[i].line);
			if (from && from->line && from->file)
				return from->file;
		}
	return 0;
}

static const char *file_name(const struct compile_result *r, uint32_t number)
{
	for (size_t i = 0; i < r->nfiles; i++)
		if (r->files[i].number == number)
			return r->files[i].name;
	return NULL;
}

/* Lines of the assembly text become lines of the PTX; beside are lines of the file of the .loc directives (`file`, 0:
 * any), where an instruction of another file has the line of the instruction before. */
static bool put_lines(struct image *im, const struct compile_result *r, uint32_t file, bool beside)
{
	for (size_t k = 0; k < im->nkernels; k++) {
		struct image_kernel *to = &im->kernels[k];
		uint32_t line = 0;
		to->beside_lines = beside ? ARENA_ARRAY(&im->arena, struct image_line, to->nlines + 1) : NULL;
		to->nbeside = beside ? to->nlines : 0;
		if (beside && !to->beside_lines)
			return false;
		for (size_t i = 0; i < to->nlines; i++) {
			const struct compile_line *from = origin(r, to->lines[i].line);
			to->lines[i].line = from ? from->ptx_line : 0;
			if (from && from->line && (from->file == file || !file))
				line = from->line;
			if (beside)
				to->beside_lines[i] = (struct image_line){ to->lines[i].pc, line };
		}
	}
	return true;
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

static bool place_address(struct image *im, const struct compile_address *a)
{
	struct image_reloc *word = a->in_global ? NULL : image_push(&im->arena, &im->relocs, &im->nrelocs);
	struct image_pointer *pointer = a->in_global ? image_push(&im->arena, &im->pointers, &im->npointers) : NULL;

	if (word)
		*word = (struct image_reloc){ .offset = a->offset, .global = a->global, .addend = a->addend };
	if (pointer)
		*pointer = (struct image_pointer){ a->in, a->global, a->offset, a->addend, a->bytes };
	return word || pointer;
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
	for (size_t i = 0; i < r->naddresses; i++)
		if (!place_address(im, &r->addresses[i]))
			return false;
	return !im->arena.failed;
}

/* The PTX is the source; beside are the lines of the file called `source`, NULL: of the file in .loc directives. */
static bool put_texts(struct image *im, const struct compile_result *r, const void *bytes, size_t n, const char *source)
{
	uint32_t file = source ? number_of_file(r, source) : first_file(im, r);
	const char *name = source ? source : file_name(r, file);

	im->compiled = true;
	im->source = arena_lines(&im->arena, bytes, n);
	im->beside_name = name ? arena_text(&im->arena, name, strlen(name)) : NULL;
	return im->source && (im->beside_name || !name) && put_lines(im, r, file, name != NULL);
}

/* Kinds of the parameters that point to shared memory. */
static void mark_shared(struct image *im, const struct compile_result *r)
{
	size_t n = 0;            /* pointers follow the order of kernels and parameters */

	for (size_t i = 0; i < im->nkernels; i++)
		for (size_t k = 0; k < im->kernels[i].nparams && n < r->npointers; k++)
			if (!strcmp(im->kernels[i].name, r->pointers[n].kernel) &&
			    !strcmp(im->kernels[i].params[k].name, r->pointers[n].param)) {
				im->kernels[i].params[k].kind = "dynamic_shared_pointer";
				n++;
			}
}

/* The assembler refused a line of the compiler's text: a defect of ours, at the PTX line behind the text. */
static void own_fault(const struct compile_result *r, struct diag *d)
{
	const struct compile_line *from = origin(r, d->line > 0 ? (uint32_t)d->line : 0);
	char text[sizeof d->text];

	snprintf(text, sizeof text, "%s", d->text);
	diag_set(d, DIAG_INTERNAL, "a fault of Warpbeam, please report the line: its code does not assemble (%.160s)",
		 text);
	d->line = from ? (int)from->ptx_line : 0;
	d->column = 0;
}

static uint64_t may_take(const void *config) { return memory_limit(config); }

/* --max-memory and --max-seconds. */
static void set_limits(const struct wb_config *c, struct compile_options *o)
{
	int64_t seconds = config_number(c, OPT_MAX_SECONDS);

	o->memory = config_given(c, OPT_MAX_MEMORY) ? memory_limit(c) : 0;
	o->may_take = may_take;
	o->context = c;
	if (seconds == NUMBER_NONE || seconds > INT32_MAX)
		return;
	o->clock = child_clock;
	o->seconds = seconds;
	o->deadline = child_clock() + seconds * 1000000000;
}

/* Whether the assembler has memory beside the compiler's. */
static bool may_assemble(const struct wb_config *c, const struct compile_result *r, struct diag *d)
{
	enum { FACTOR = 12 };    /* bytes that the assembler takes for a byte of text */
	uint64_t most;

	return memory_allows(c, r->arena.size + (uint64_t)FACTOR * r->size, &most) ||
	       diag_set(d, DIAG_LIMIT, "the native program has %zu bytes of text, and assembling wants more than the "
			"limit of memory, %llu bytes; --max-memory raises the limit", r->size,
			(unsigned long long)most);
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

	set_limits(c, &options);
	if (!compile_ptx(bytes, n, &options, &r, d))
		return false;
	o->format = "asm";
	o->machine = isa_of_chip(r.chip)->name;
	good = may_assemble(c, &r, d) && image_load(r.text, r.size, name, o, &p->image, d);
	if (!good && d->kind == DIAG_INPUT)
		own_fault(&r, d);
	if (good) {
		p->image->nwarnings = 0;
		mark_shared(p->image, &r);
		good = put_texts(p->image, &r, bytes, n, source) && opencl_take_params(p->image, bytes, n) &&
		       argument_variables(p->image) &&
		       (source || copy_warnings(p->image, &r)) &&
		       place_globals(p->image, &r);
		if (!good)
			diag_set(d, DIAG_ENV, "out of memory");
	}
	compile_free(&r);
	return good;
}

/* A file that the program names as its source: below the program's folder, as written, or beside the program. */
static const uint8_t *read_source(struct wb_program *p, const struct wb_config *c, const char *name, size_t *n)
{
	const char *program = p->image->file, *slash = strrchr(program, '/'), *last = strrchr(name, '/');
	int folder = slash ? (int)(slash - program) + 1 : 0;
	char paths[3][512] = { "" };
	uint8_t *bytes = NULL;
	bool found = false;

	if (*name != '/')
		snprintf(paths[0], sizeof paths[0], "%.*s%s", folder, program, name);
	snprintf(paths[1], sizeof paths[1], "%s", name);
	snprintf(paths[2], sizeof paths[2], "%.*s%s", folder, program, last ? last + 1 : name);
	for (unsigned i = 0; i < 3 && !found; i++) {
		struct diag quiet = { 0 };
		bool whole = *paths[i] && strlen(paths[i]) < sizeof paths[i] - 1;
		found = whole && files_may(c, program, paths[i], false, &quiet) &&
			read_file(c, &p->files, &p->arena, paths[i], &bytes, n, &quiet);
	}
	return found ? bytes : NULL;
}

bool ptx_find_source(struct wb_program *p, const struct wb_config *c, struct diag *d)
{
	struct image *im = p->image;
	const char *name = im->beside_name ? im->beside_name : im->source ? NULL : im->source_name, *text;
	const uint8_t *bytes;
	size_t n;

	if (!name || im->beside || !(bytes = read_source(p, c, name, &n)))
		return true;
	text = arena_lines(&im->arena, (const char *)bytes, n);
	if (im->beside_name && !source_beside(im, text))
		text = NULL;
	im->source = text;
	return text || diag_set(d, DIAG_ENV, "out of memory");
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
	text = arena_alloc(&im->arena, n + 1, 1);
	if (!text)
		return diag_set(d, DIAG_ENV, "out of memory");
	memcpy(text, bytes, n);
	return (ptx_find_source(p, c, d) && opencl_launch(im, text, d)) || diag_in_file(d, name);
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
