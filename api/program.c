/* Programs: a file's images and the public descriptions of their kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/build_options.h"
#include "core/base/host_floats.h"
#include "core/base/text.h"
#include "core/image_param.h"
#include "device/launch.h"
#include "host/files.h"
#include "inspect/public_diag.h"
#include "toolchain/toolchain.h"

static void describe_params(struct wb_program *p, const struct image_kernel *k, struct wb_kernel *out)
{
	struct wb_param *params = ARENA_ARRAY(&p->arena, struct wb_param, k->nparams + 1);

	if (!params)
		return;
	for (size_t i = 0; i < k->nparams; i++) {
		const struct image_param *from = &k->params[i];
		const char *space = image_param_space(from), *type = from->type;
		char *whole = *space ? arena_alloc(&p->arena, strlen(space) + strlen(type) + 1, 1) : NULL;
		if (whole)
			type = strcat(strcpy(whole, space), type);
		params[i] = (struct wb_param){ from->name, type, from->offset, from->size };
	}
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

/* The lines of a log go to the configuration's sink, and the log's storage goes. */
static void give_log(const struct wb_config *c, struct build_log *log)
{
	for (size_t i = 0; i < log->nlines; i++) {
		config_log(c, log->lines[i], strlen(log->lines[i]));
		config_log(c, "\n", 1);
	}
	log_free(log);
}

/* Make the program's image and descriptions of n bytes called `name`. */
static bool make_program(struct wb_program *p, const void *bytes, size_t n, const char *name, const struct wb_config *c,
			 struct diag *d)
{
	struct program_files files = { c, p };
	struct build_options options;
	char *copy = arena_alloc(&p->arena, n + 1, 16);

	p->image_name = arena_strdup(&p->arena, name);
	if (!copy || !p->image_name)
		return diag_set(d, DIAG_ENV, "out of memory");
	memcpy(copy, bytes, n);
	copy[n] = '\0';
	if (!files_note(&p->files, &p->arena, name, copy, n))
		return diag_set(d, DIAG_ENV, "out of memory");
	if (!build_options_make(&files, &options, d))
		return false;
	struct build_log log = { 0 };
	struct build b = { .options = &options, .name = name, .bytes = copy, .size = n, .arena = &p->arena, .log = &log,
			   .diag = d };
	bool made = image_make(&b);
	give_log(c, &log);
	if (!made)
		return false;
	p->image = b.image;
	return describe_all(p) || diag_set(d, DIAG_ENV, "out of memory");
}

enum wb_status wb_program_load(const void *bytes, size_t n, const char *name, const struct wb_config *c,
			       struct wb_program **out, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct wb_config defaults;
	struct wb_program *p = calloc(1, sizeof *p);
	struct diag d = { 0 };

	*out = NULL;
	if (!c) {
		config_defaults(&defaults);
		c = &defaults;
	}
	if (p ? make_program(p, bytes, n, name, c, &d) : diag_set(&d, DIAG_ENV, "out of memory")) {
		*out = p;
		return WB_OK;
	}
	wb_program_free(p);
	return public_diag(wd, &d);
}

/* Refuse a file by its first bytes if no language begins like them. */
static bool sniff_head(const char *path, const struct wb_config *c, struct diag *d)
{
	enum { HEAD = 4096 };
	char head[HEAD + 1];
	struct wb_program none = { 0 };
	struct program_files files = { c, &none };
	struct build_options options;
	struct diag later = { 0 };
	/* no bytes: the later read reports the failure */
	size_t n = c->files ? 0 : host_head(path, (uint8_t *)head, HEAD);

	head[n] = '\0';
	if (!n)
		return true;
	build_options_make(&files, &options, &later);   /* unknown names are reported when the file is known */
	struct build b = { .options = &options, .name = path, .bytes = head, .size = n, .diag = d };
	return image_may_begin(&b);
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
