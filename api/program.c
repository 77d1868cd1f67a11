/* Programs: a file's images and the public descriptions of their kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/assembly.h"
#include "api/lines.h"
#include "api/opencl.h"
#include "api/ptx.h"
#include "core/base/text.h"
#include "core/isa/table.h"
#include "core/load/image_file.h"
#include "core/load/load.h"
#include "toolchain/explain.h"
#include "toolchain/opencl/directives.h"

static void describe_params(struct wb_program *p, const struct image_kernel *k, struct wb_kernel *out)
{
	struct wb_param *params = ARENA_ARRAY(&p->arena, struct wb_param, k->nparams + 1);

	if (!params)
		return;
	for (size_t i = 0; i < k->nparams; i++)
		params[i] = (struct wb_param){ k->params[i].name, k->params[i].type, k->params[i].offset,
					       k->params[i].size };
	out->params = params;
	out->nparams = (uint32_t)k->nparams;
}

static void describe_names(struct wb_program *p, const struct image_kernel *k, struct wb_kernel *out)
{
	struct wb_name *names = ARENA_ARRAY(&p->arena, struct wb_name, k->nnames + 1);

	for (size_t i = 0; names && i < k->nnames; i++)
		names[i] = (struct wb_name){ k->names[i].kind, k->names[i].name, k->names[i].registers,
					     k->names[i].value };
	out->names = names;
	out->nnames = names ? (uint32_t)k->nnames : 0;
}

static const char *extent(struct wb_program *p, const uint32_t e[3])
{
	char text[48];

	if (!e[0])
		return NULL;
	if (e[2] > 1)
		snprintf(text, sizeof text, "%u,%u,%u", e[0], e[1], e[2]);
	else if (e[1] > 1)
		snprintf(text, sizeof text, "%u,%u", e[0], e[1]);
	else
		snprintf(text, sizeof text, "%u", e[0]);
	return arena_strdup(&p->arena, text);
}

/* Texts of a launch as they can be shown; false: the host has no memory. */
static bool show_texts(struct wb_program *p, const char *const *texts, const char *const **out)
{
	size_t n = 0;
	const char **list;

	if (!texts)
		return true;
	while (texts[n])
		n++;
	*out = list = ARENA_ARRAY(&p->arena, const char *, n + 1);
	for (size_t i = 0; list && i < n; i++)
		if (!(list[i] = arena_lines(&p->arena, texts[i], strlen(texts[i]))))
			return false;
	return list;
}

static bool describe(struct wb_program *p, const struct image *im, const struct image_kernel *k, struct wb_kernel *out)
{
	*out = (struct wb_kernel){
		.name = k->name, .machine = im->machine, .chip = im->chip, .mode = im->mode,
		.code_bytes = k->code_bytes, .registers = k->regs, .warp_registers = k->warp_regs,
		.shared_bytes = k->smem, .local_bytes = k->lmem,
		.param_bytes = k->param_bytes, .barriers = k->barriers,
		.grid = extent(p, k->launch.grid), .block = extent(p, k->launch.block),
		.mps = k->launch.mps, .compiler = k->compiler,
	};
	describe_params(p, k, out);
	describe_names(p, k, out);
	return show_texts(p, k->launch.args, &out->args) && show_texts(p, k->launch.expect, &out->expectations) &&
	       show_texts(p, k->launch.scene, &out->scene);
}

static bool complete_all(struct wb_program *p, const struct wb_config *c, struct diag *d)
{
	for (struct image *im = p->image; im; im = im->next)
		if (!lines_complete(im, c, d))
			return false;
	return true;
}

static bool describe_all(struct wb_program *p)
{
	unsigned n = 0;

	for (const struct image *im = p->image; im; im = im->next)
		n += (unsigned)im->nkernels;
	p->kernel = ARENA_ARRAY(&p->arena, struct wb_kernel, n + 1);
	p->source = ARENA_ARRAY(&p->arena, const struct image_kernel *, n + 1);
	p->owner = ARENA_ARRAY(&p->arena, const struct image *, n + 1);
	if (!p->kernel || !p->source || !p->owner)
		return false;
	for (const struct image *im = p->image; im; im = im->next)
		for (size_t i = 0; i < im->nkernels; i++) {
			p->source[p->nkernels] = &im->kernels[i];
			p->owner[p->nkernels] = im;
			if (!describe(p, im, &im->kernels[i], &p->kernel[p->nkernels++]))
				return false;
		}
	return true;
}

/* The machine for a program that names no machine: from the caller, the file's ending or the caller's chip; NULL:
 * open. */
static bool named_machine(const struct wb_config *c, const char *file, const char **machine, struct diag *d)
{
	uint32_t mode;
	const struct isa_ops *isa = isa_of_file(file, &mode);

	if (config_given(c, OPT_CHIP) && !chip_find(config_text(c, OPT_CHIP), d))
		return false;
	if (!isa && config_given(c, OPT_CHIP))
		isa = isa_of_chip(config_text(c, OPT_CHIP));
	if (config_given(c, OPT_ISA) && !(isa = isa_find(config_text(c, OPT_ISA))))
		return isa_unknown(config_text(c, OPT_ISA), d);
	*machine = isa ? isa->name : NULL;
	return true;
}

static uint32_t or_zero(const struct wb_config *c, enum option o)
{
	return config_given(c, o) ? (uint32_t)config_number(c, o) : 0;
}

static bool entry_address(const char *text, uint32_t *out)
{
	char *end;
	unsigned long long at = strtoull(text, &end, 0);
	bool good = *text >= '0' && *text <= '9' && !*end && at <= UINT32_MAX;

	if (good)
		*out = (uint32_t)at;
	return good;
}

/* An address is an entry for raw words alone: assembly looks up a label, and other files contain their entry points. */
static bool check_entry(const struct wb_config *c, const struct image *im, struct diag *d)
{
	const char *text = config_text(c, OPT_ENTRY);
	bool words = !strcmp(im->format, "raw") || !strcmp(im->format, "hex");
	const struct isa_ops *isa = isa_find(im->machine);
	uint32_t at;

	if (!*text || (words && entry_address(text, &at)) || (!strcmp(im->format, "asm") && isa && isa->text.assemble))
		return true;
	if (words)
		return diag_set(d, DIAG_USAGE, "--entry: found \"%s\", expected a byte address", text);
	return diag_set(d, DIAG_USAGE, "--entry: found \"%s\", but a file of format %s says itself where it begins",
			text, im->format);
}

static bool note_program(struct wb_program *p, const char *name, const void *bytes, size_t n)
{
	void *copy = arena_alloc(&p->arena, n + 1, 16);

	return copy && files_note(&p->files, &p->arena, name, memcpy(copy, bytes, n), n);
}

/* Load the object compiled from an OpenCL C source; views show the source text. */
static bool load_opencl(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
			struct load_options *o, struct diag *d)
{
	struct opencl_warnings w;
	uint8_t *object;
	char *text, *lines;
	size_t size;

	o->format = "code-object";
	if (!opencl_compile(c, &p->files, &p->arena, name, bytes, n, &object, &size, &w, d)) {
		if (d->kind == DIAG_INPUT && strstr(d->text, "printf"))
			opencl_explain(bytes, n, d);
		else if (d->kind == DIAG_INPUT)
			languages_explain(bytes, n, true, d);
		return diag_in_file(d, name);
	}
	if (ptx_is(c, object, size) ? !ptx_image(p, c, name, object, size, name, o, d) :
				      !image_load(object, size, name, o, &p->image, d)) {
		if (ptx_is(c, object, size)) {
			d->line = ptx_source_line(object, size, d->line);
			d->column = 0;
			return diag_in_file(d, name);
		}
		opencl_explain(bytes, n, d);
		return diag_in_file(d, name);
	}
	p->image->format = "opencl";
	text = arena_alloc(&p->image->arena, n + 1, 1);
	lines = arena_lines(&p->image->arena, bytes, n);
	if (p->image->compiled && !source_beside(p->image, lines))
		lines = NULL;
	p->image->source = lines;
	if (w.n || !ptx_is(c, object, size)) {
		p->image->warnings = w.warning;
		p->image->nwarnings = w.n;
	}
	if (!lines || !text)
		return diag_set(d, DIAG_ENV, "out of memory");
	memcpy(text, bytes, n);
	return opencl_launch(p->image, text, d) || diag_in_file(d, name);
}

static bool load_file(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
		      const struct load_options *o, struct diag *d)
{
	const struct load_format *f = load_sniff(bytes, n);

	if (image_load(bytes, n, name, o, &p->image, d))
		return image_file_matches(bytes, n) || ptx_find_source(p, c, d);
	if (d->kind == DIAG_INPUT && !strcmp(o->format ? o->format : f ? f->name : "", "asm"))
		languages_explain(bytes, n, false, d);
	return false;
}

enum wb_status wb_program_load(const void *bytes, size_t n, const char *name, const struct wb_config *c,
			       struct wb_program **out, struct wb_diag *wd)
{
	struct wb_config defaults;
	struct load_options o = { .assemble = assemble_image };
	struct wb_program *p = calloc(1, sizeof *p);
	struct loading loading;
	struct diag d = { 0 };

	*out = NULL;
	if (!c) {
		config_defaults(&defaults);
		c = &defaults;
	}
	loading = (struct loading){ c, p };
	if (p)
		p->image_name = arena_strdup(&p->arena, name);
	if (config_given(c, OPT_FORMAT) && strcmp(config_text(c, OPT_FORMAT), "auto"))
		o.format = config_text(c, OPT_FORMAT);
	o.regs = or_zero(c, OPT_REGS);
	o.lmem = or_zero(c, OPT_LMEM);
	o.assemble_context = &loading;
	entry_address(config_text(c, OPT_ENTRY), &o.entry);
	if (!p || !p->image_name || !note_program(p, name, bytes, n))
		diag_set(&d, DIAG_ENV, "out of memory");
	else if (named_machine(c, name, &o.machine, &d) &&
		 (!image_file_matches(bytes, n) && opencl_is(c, name) ? load_opencl(p, c, name, bytes, n, &o, &d) :
		  ptx_is(c, bytes, n) ? ptx_load(p, c, name, bytes, n, &o, &d) :
		  load_file(p, c, name, bytes, n, &o, &d)) &&
		 check_entry(c, p->image, &d) && complete_all(p, c, &d) && !describe_all(p))
		diag_set(&d, DIAG_ENV, "out of memory");
	if (d.kind != DIAG_OK) {
		wb_program_free(p);
		return public_diag(wd, &d);
	}
	*out = p;
	return WB_OK;
}

/* Refuse a file by its first bytes if no format begins like them. */
static bool sniff_head(const char *path, const struct wb_config *c, struct diag *d)
{
	enum { HEAD = 4096 };
	uint8_t head[HEAD];
	struct image *im = NULL;
	bool named = config_given(c, OPT_FORMAT) && strcmp(config_text(c, OPT_FORMAT), "auto");
	/* no bytes: the later read reports the failure */
	size_t n = c->files || named || opencl_is(c, path) ? 0 : host_head(path, head, sizeof head);

	if (!n || load_sniff(head, n) || ptx_is(c, head, n))
		return true;
	image_load(head, n, path, NULL, &im, d);
	return false;
}

enum wb_status wb_program_open(const char *path, const struct wb_config *c, struct wb_program **out, struct wb_diag *wd)
{
	struct wb_config defaults;
	struct arena a = { 0 };
	struct files none = { 0 };
	struct diag d = { 0 };
	uint8_t *bytes;
	size_t n;
	enum wb_status s;

	*out = NULL;
	if (!c) {
		config_defaults(&defaults);
		c = &defaults;
	}
	if (sniff_head(path, c, &d) && read_file(c, &none, &a, path, &bytes, &n, &d))
		s = wb_program_load(bytes, n, path, c, out, wd);
	else
		s = public_diag(wd, &d);
	arena_free(&a);
	return s;
}

void wb_program_free(struct wb_program *p)
{
	if (!p)
		return;
	image_free(p->image);
	arena_free(&p->arena);
	free(p);
}

bool wb_program_file(const struct wb_program *p, unsigned index, struct wb_file *out)
{
	return files_get(&p->files, index, out);
}

const char *wb_program_format(const struct wb_program *p)
{
	return p->image->format;
}

unsigned wb_program_kernels(const struct wb_program *p)
{
	return p->nkernels;
}

bool wb_program_warning(const struct wb_program *p, unsigned index, struct wb_diag *out)
{
	const struct image *im = p->image;
	struct diag d = { 0 };

	for (; im && index >= im->nwarnings; im = im->next)
		index -= (unsigned)im->nwarnings;
	if (!im)
		return false;
	diag_text(&d, (int)im->warnings[index].line, (int)im->warnings[index].column, "%s", im->warnings[index].text);
	diag_in_file(&d, im->file);
	public_diag(out, &d);
	return true;
}

const struct wb_kernel *wb_program_kernel(const struct wb_program *p, unsigned index)
{
	return index < p->nkernels ? &p->kernel[index] : NULL;
}
