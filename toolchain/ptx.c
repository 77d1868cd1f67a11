/* PTX to a program: the compiler makes kernels (core/compile), which become an image's; then the image's lines, which
 * are numbers of instructions, become those of the PTX. */
#include "toolchain/ptx.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/compile/compile.h"
#include "core/isa.h"
#include "core/machines/registry.h"
#include "host/child.h"
#include "toolchain/argument_variables.h"
#include "toolchain/assembly.h"
#include "toolchain/language.h"
#include "toolchain/opencl/directives.h"
#include "toolchain/opencl/text.h"
#include "toolchain/source.h"

enum { ADDRESSES = 14 };         /* bank of constants with the addresses of variables */

bool ptx_sniff(const uint8_t *bytes, size_t size)
{
	return compile_is_ptx(bytes, size);
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

/* The origin of a line of an image; NULL: none. */
static const struct compile_line *origin(const struct compile_result *r, uint32_t line)
{
	return line && line <= r->nlines ? &r->lines[line - 1] : NULL;
}

/* The next line of the PTX as a text, cut to `size`; NULL: no more. */
static const char *next_line(const char *p, const char *end, char *text, size_t size)
{
	const char *next = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	size_t n;

	if (p >= end)
		return NULL;
	next = next ? next + 1 : end;
	n = (size_t)(next - p) < size ? (size_t)(next - p) : size - 1;
	memcpy(text, p, n);
	text[n] = '\0';
	return next;
}

/* The file of the last .loc of the first kernel, which returns there; 0: none. The first instructions may be of a
 * function in a header, such as the function behind blockIdx. */
static uint32_t kernel_file(const char *ptx, size_t n)
{
	char text[64] = "";
	bool kernel = false;
	unsigned file, line, last = 0;

	for (const char *p = ptx; (p = next_line(p, ptx + n, text, sizeof text));) {
		kernel = kernel || strstr(text, ".entry");
		if (kernel && sscanf(text, " .loc %u %u", &file, &line) == 2 && line)
			last = file;
		if (last && *text == '}')
			break;
	}
	return last;
}

static const char *file_name(const struct compile_result *r, uint32_t number)
{
	for (size_t i = 0; i < r->nfiles; i++)
		if (r->files[i].number == number)
			return r->files[i].name;
	return NULL;
}

/* Numbers of instructions become lines of the PTX; beside are lines of the file of the .loc directives (`file`, 0:
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

static bool copy_prints(struct image *im, const struct compile_result *r)
{
	for (size_t i = 0; i < r->nprints; i++) {
		const char **p = image_push(&im->arena, &im->prints, &im->nprints);
		if (!p || !(*p = arena_strdup(&im->arena, r->prints[i])))
			return false;
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
		*address = (struct image_reloc){ .bank = ADDRESSES, .offset = (uint32_t)(4 * i),
						 .global = (uint32_t)i };
	}
	for (size_t i = 0; i < r->nconstants; i++) {
		const struct compile_constant *from = &r->constants[i];
		struct image_const *to = image_push(&im->arena, &im->variables, &im->nvariables);
		if (!to)
			return false;
		*to = (struct image_const){ arena_strdup(&im->arena, from->name), 0, from->offset, from->size,
					    from->bytes ? arena_memdup(&im->arena, from->bytes, from->size) : NULL };
	}
	for (size_t i = 0; i < r->naddresses; i++)
		if (!place_address(im, &r->addresses[i]))
			return false;
	return !im->arena.failed;
}

/* The PTX is the source; beside are the lines of the file called `source`, NULL: of the file in .loc directives. */
static bool put_texts(struct image *im, const struct compile_result *r, const void *bytes, size_t n, const char *source)
{
	uint32_t file = source ? number_of_file(r, source) : kernel_file(bytes, n);
	const char *name = source ? source : file_name(r, file);

	im->compiled = true;
	im->source = arena_lines(&im->arena, bytes, n);
	im->beside_name = name ? arena_text(&im->arena, name, strlen(name)) : NULL;
	return im->source && (im->beside_name || !name) && put_lines(im, r, file, name != NULL);
}

/* Where the kernels have the handles of their textures, which follow the order of kernels. */
static bool copy_textures(struct image *im, const struct compile_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < im->nkernels; i++)
		for (; n < r->ntextures && !strcmp(im->kernels[i].name, r->textures[n].kernel); n++) {
			struct image_kernel *k = &im->kernels[i];
			struct image_texture *t = image_push(&im->arena, &k->textures, &k->ntextures);
			if (!t)
				return false;
			*t = (struct image_texture){ r->textures[n].number, r->textures[n].offset,
						     r->textures[n].in_variable, ADDRESSES };
		}
	return true;
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

static uint64_t may_take(const void *options)
{
	return memory_bound(((const struct build_options *)options)->max_memory);
}

static void set_limits(const struct build_options *from, struct compile_options *to)
{
	to->memory = from->max_memory == MEMORY_HALF ? 0 : from->max_memory;
	to->may_take = may_take;
	to->context = from;
	if (from->max_seconds < 0 || from->max_seconds > INT32_MAX)
		return;
	to->clock = child_clock;
	to->seconds = from->max_seconds;
	to->deadline = child_clock() + from->max_seconds * 1000000000;
}

/* Make the compiler's kernels an image, with what else the compiler knows. */
static bool fill_image(struct build *b, const struct compile_result *r, const char *ptx, size_t n, const char *source)
{
	const struct build_options *o = b->options;
	const char *machine = isa_of_chip(r->chip)->name;
	struct image *im = b->image = image_new(b->name, "ptx", machine);

	if (!im || !kernels_image(r->kernels, r->nkernels, o->chip ? o->chip : r->chip, "cp", im))
		return false;
	im->ptx_target = r->target;
	mark_shared(im, r);
	return put_texts(im, r, ptx, n, source) && opencl_take_params(im, ptx, n) && argument_variables(im) &&
	       (source || copy_warnings(im, r)) && copy_prints(im, r) && place_globals(im, r) && copy_textures(im, r);
}

bool ptx_image(struct build *b, const char *ptx, size_t n, const char *source)
{
	const struct build_options *o = b->options;
	struct compile_options options = {
		.chip = o->chip, .kernel = o->kernel, .max_regs = o->max_regs, .fma_mad = o->fma_mad,
	};
	struct compile_result r;
	bool good;

	if (o->mode && strcmp(o->mode, "cp") != 0)
		return diag_set(b->diag, DIAG_USAGE, "--mode: found %s; compiled programs are compute programs (cp)",
				o->mode);
	ptx = ptx_with_heap(b->arena, ptx, &n);
	if (!ptx)
		return diag_set(b->diag, DIAG_ENV, "no memory for the text");
	set_limits(o, &options);
	if (!compile_ptx(ptx, n, &options, &r, b->diag))
		return false;
	good = fill_image(b, &r, ptx, n, source);
	compile_free(&r);
	return good;
}

/* The source is the file in .loc directives, else the PTX. */
bool ptx_make(struct build *b)
{
	const struct build_options *given = b->options;
	struct build_options own;
	bool made = directives_chip(b, &own) && ptx_image(b, b->bytes, b->size, NULL);

	if (made) {
		b->image->format = "ptx";
		made = source_find(b) && directives_take(b->image, b->bytes, b->diag);
	}
	b->options = given;
	return made || diag_in_file(b->diag, b->name);
}

/* Number of the source in .loc directives, by the last part of its name; 0: no file has the name. */
static unsigned number_in_text(const char *ptx, size_t n, const char *source)
{
	const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
	char text[4096], path[sizeof text];
	unsigned number;

	for (const char *p = ptx; p && (p = next_line(p, ptx + n, text, sizeof text));) {
		if (sscanf(text, " .file %u \"%4095[^\"]", &number, path) != 2)
			continue;
		slash = strrchr(path, '/');
		if (!strcmp(slash ? slash + 1 : path, name))
			return number;
	}
	return 0;
}

int ptx_source_line(const char *ptx, size_t n, const char *source, int ptx_line)
{
	unsigned number = number_in_text(ptx, n, source), file, found;
	const char *p = ptx;
	int line = 0;

	for (int i = 1; p && i < ptx_line; i++) {
		char text[64] = "";
		p = next_line(p, ptx + n, text, sizeof text);
		if (p && sscanf(text, " .loc %u %u", &file, &found) == 2 && found && (file == number || !number))
			line = (int)found;
	}
	return line;
}
