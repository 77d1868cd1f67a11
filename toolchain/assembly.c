/* The assembler's result becomes an image. An asm_program lives in its own arena, freed here, so strings, code and
 * tables are copied into the image's arena; a mover collects the failures of all copies, and is checked once. An
 * instruction set with its own assembly language (isa_ops.text.assemble) gets the text instead, and fills the image
 * directly. */
#include "toolchain/assembly.h"

#include <stdio.h>
#include <string.h>

#include "core/isa/asm.h"
#include "core/isa/table.h"
#include "core/machines/registry.h"
#include "toolchain/build.h"

/* Copies strings and bytes from the assembler's arena to the image's. A NULL stays NULL; without memory the copy is
 * NULL and `ok` false. */
struct mover {
	struct arena *to;
	bool ok;
};

static const void *move(struct mover *m, const void *p, size_t n)
{
	void *copy = p ? arena_memdup(m->to, p, n) : NULL;

	m->ok = m->ok && (copy || !p);
	return copy;
}

static const char *move_text(struct mover *m, const char *s)
{
	return move(m, s, s ? strlen(s) + 1 : 0);
}

static const char *const *move_texts(struct mover *m, const char **texts, size_t n)
{
	const char **copy = n ? ARENA_ARRAY(m->to, const char *, n + 1) : NULL;

	m->ok = m->ok && (copy || !n);
	for (size_t i = 0; copy && i < n; i++)
		copy[i] = move_text(m, texts[i]);
	return copy;
}

static struct image_param *move_params(struct mover *m, const struct asm_kernel *k)
{
	struct image_param *p = ARENA_ARRAY(m->to, struct image_param, k->nparams + 1);

	m->ok = m->ok && p;
	for (size_t i = 0; p && i < k->nparams; i++)
		p[i] = (struct image_param){
			.name = move_text(m, k->params[i].name), .type = move_text(m, k->params[i].type),
			.kind = strcmp(k->params[i].type, "shared") ? NULL : "dynamic_shared_pointer",
			.ordinal = (uint16_t)i, .offset = k->params[i].offset, .size = k->params[i].size,
		};
	return p;
}

static struct image_hidden *move_hidden(struct mover *m, const struct asm_kernel *k)
{
	struct image_hidden *h = ARENA_ARRAY(m->to, struct image_hidden, k->nhidden + 1);

	m->ok = m->ok && h;
	for (size_t i = 0; h && i < k->nhidden; i++)
		h[i] = (struct image_hidden){ move_text(m, k->hidden[i].kind), k->hidden[i].offset, k->hidden[i].size };
	return h;
}

/* A descriptor, of which launches read three words; NULL: the text has none. */
static const uint8_t *move_descriptor(struct mover *m, const struct asm_kernel *k)
{
	enum { BYTES = 64, RSRC1 = 48, RSRC2 = 52, PROPERTIES = 56 };
	uint8_t *kd = k->described ? arena_alloc(m->to, BYTES, 8) : NULL;

	m->ok = m->ok && (kd || !k->described);
	if (kd) {
		memcpy(kd + RSRC1, &k->descriptor[0], 4);
		memcpy(kd + RSRC2, &k->descriptor[1], 4);
		memcpy(kd + PROPERTIES, &k->descriptor[2], 4);
	}
	return kd;
}

static bool move_pointers(const struct asm_program *p, struct image *im)
{
	for (size_t i = 0; i < p->npointers; i++) {
		struct image_pointer *to = image_push(&im->arena, &im->pointers, &im->npointers);
		if (!to)
			return false;
		*to = (struct image_pointer){ .offset = p->pointers[i].offset, .addend = p->pointers[i].to,
					      .bytes = 8 };
	}
	return true;
}

/* The program's memory with its contents and the first kernel's code. */
static bool move_memory(const struct asm_program *p, struct image *im, struct diag *d)
{
	const struct asm_kernel *first = &p->kernels[0];
	struct image_global *g;
	uint8_t *bytes;

	if (!p->memory_bytes)
		return true;
	if (first->code_bytes > p->memory_bytes - p->code_at)
		return diag_set(d, DIAG_INPUT, ".memory 0x%x 0x%x: the code of 0x%x bytes does not fit there",
				p->memory_bytes, p->code_at, first->code_bytes);
	bytes = arena_alloc(&im->arena, p->memory_bytes, 256);
	g = image_push(&im->arena, &im->globals, &im->nglobals);
	if (!bytes || !g || !move_pointers(p, im))
		return diag_set(d, DIAG_ENV, "out of memory");
	for (size_t i = 0; i < p->ndata; i++)
		memcpy(bytes + p->data[i].offset, p->data[i].bytes, p->data[i].size);
	memcpy(bytes + p->code_at, first->code, first->code_bytes);
	*g = (struct image_global){ .name = "memory", .size = p->memory_bytes, .filled = p->memory_bytes,
				    .bytes = bytes };
	im->code_in_global = true;
	im->code_offset = p->code_at;
	return true;
}

static struct image_const *move_consts(struct mover *m, const struct asm_kernel *k)
{
	struct image_const *c = ARENA_ARRAY(m->to, struct image_const, k->nconsts + 1);

	m->ok = m->ok && c;
	for (size_t i = 0; c && i < k->nconsts; i++)
		c[i] = (struct image_const){ "", (uint8_t)k->consts[i].bank, k->consts[i].offset, k->consts[i].size,
					     move(m, k->consts[i].bytes, k->consts[i].size) };
	return c;
}

static struct image_label *move_labels(struct mover *m, const struct asm_kernel *k)
{
	struct image_label *l = ARENA_ARRAY(m->to, struct image_label, k->nlabels + 1);

	m->ok = m->ok && l;
	for (size_t i = 0; l && i < k->nlabels; i++)
		l[i] = (struct image_label){ move_text(m, k->labels[i].name), k->labels[i].pc };
	return l;
}

static struct image_line *move_lines(struct mover *m, const struct asm_kernel *k)
{
	struct image_line *l = ARENA_ARRAY(m->to, struct image_line, k->nlines + 1);

	m->ok = m->ok && l;
	for (size_t i = 0; l && i < k->nlines; i++)
		l[i] = (struct image_line){ k->lines[i].pc, k->lines[i].line };
	return l;
}

static const uint8_t *move_code(struct mover *m, const struct asm_kernel *k)
{
	uint8_t *code = arena_alloc(m->to, k->code_bytes + 1, 16);

	m->ok = m->ok && code;
	if (code)
		memcpy(code, k->code, k->code_bytes);
	return code;
}

/* Without a word about shared memory a block has the launch header and the parameters. */
static void move_kernel(struct mover *m, const struct asm_kernel *k, struct image_kernel *out)
{
	*out = (struct image_kernel){
		.name = move_text(m, k->name), .code = move_code(m, k), .code_bytes = k->code_bytes,
		.regs = k->regs, .warp_regs = k->warp_regs, .entry = k->entry, .descriptor = move_descriptor(m, k),
		.nhidden = k->nhidden, .hidden = move_hidden(m, k), .smem = k->smem, .lmem = k->lmem,
		.param_bytes = k->param_bytes,
		.nparams = k->nparams, .params = move_params(m, k), .nconsts = k->nconsts, .consts = move_consts(m, k),
		.nlabels = k->nlabels, .labels = move_labels(m, k), .nlines = k->nlines, .lines = move_lines(m, k),
		.launch = { .args = move_texts(m, k->args, k->nargs), .expect = move_texts(m, k->expect, k->nexpect),
			    .scene = move_texts(m, k->scene, k->nscene) },
	};
	memcpy(out->launch.grid, k->grid, sizeof k->grid);
	memcpy(out->launch.block, k->block, sizeof k->block);
	out->launch.mps = k->mps;
}

static bool include_file(void *context, const char *name, const char *from, struct arena *a, const char **text,
			 size_t *n, struct diag *d)
{
	const struct build *b = context;
	const char *slash = from ? strrchr(from, '/') : NULL;
	size_t folder = slash ? (size_t)(slash - from) + 1 : 0;
	char *path = arena_alloc(a, folder + strlen(name) + 1, 1);
	uint8_t *bytes;

	if (!path)
		return diag_set(d, DIAG_ENV, "out of memory");
	memcpy(path, from, *name == '/' ? 0 : folder);
	strcpy(path + (*name == '/' ? 0 : folder), name);
	if (!b->options->read(b->options->context, path, &bytes, n, d))
		return false;
	*text = (const char *)bytes;
	return true;
}

/* Assemble for a machine with its own assembly language. */
static bool assemble_own(const struct isa_ops *isa, const char *text, size_t size, const struct build *b,
			 struct image *im, struct diag *d)
{
	const struct build_options *o = b->options;
	struct isa_source source = { .text = text, .size = size, .include = include_file,
				     .context = (void *)(uintptr_t)b, .entry = o->entry, .chip = o->chip,
				     .syntax = o->syntax };
	const char *mode = o->stage_mode ? o->stage_mode : o->mode;

	isa_of_file(im->file, &source.mode);
	if (mode && !isa_name_find(isa->table->modes, mode, strlen(mode), &source.mode))
		return diag_set(d, DIAG_USAGE, "machine %s has no program type \"%s\"", isa->name, mode);
	return isa->text.assemble(&source, im, d);
}

/* The machine of the chip in a text's first .chip directive; NULL: no directive, or an unknown chip. */
static const struct isa_ops *isa_of_text(const char *text)
{
	static const char word[] = ".chip";
	char name[32];

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += strspn(line, " \t\r\n");
		if (strncmp(line, word, strlen(word)) != 0)
			continue;
		line += strlen(word) + strspn(line + strlen(word), " \t");
		snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " \t\r\n/"), line);
		return isa_of_chip(name);
	}
	return NULL;
}

const struct isa_ops *isa_with_language(const char *text, size_t size)
{
	const struct isa_ops *isa;

	for (unsigned i = 0; (isa = isa_at(i)); i++)
		if (isa->text.owns && isa->text.owns(text, size))
			return isa;
	return NULL;
}

static void move_kernels(struct mover *m, const struct asm_kernel *kernels, size_t n, struct image *im)
{
	for (size_t i = 0; m->ok && i < n; i++) {
		struct image_kernel *k = image_push(&im->arena, &im->kernels, &im->nkernels);
		m->ok = k != NULL;
		if (k)
			move_kernel(m, &kernels[i], k);
		for (size_t b = 0; k && b < i; b++)
			if (kernels[b].code == kernels[i].code) /* entry points of one program */
				k->code = im->kernels[b].code;
	}
}

bool kernels_image(const struct asm_kernel *kernels, size_t n, const char *chip, const char *mode, struct image *im)
{
	struct mover m = { &im->arena, true };

	im->chip = move_text(&m, chip);
	im->mode = move_text(&m, mode);
	move_kernels(&m, kernels, n, im);
	return m.ok;
}

/* All warnings; with --regs given, without those about registers. */
static void move_warnings(struct mover *m, const struct asm_program *p, bool regs_given, struct image *im)
{
	for (size_t i = 0; m->ok && i < p->nwarnings; i++) {
		struct image_warning *w;
		if (p->warnings[i].about_regs && regs_given)
			continue;
		w = image_push(&im->arena, &im->warnings, &im->nwarnings);
		m->ok = w != NULL;
		if (w)
			*w = (struct image_warning){ p->warnings[i].line, p->warnings[i].column,
						     move_text(m, p->warnings[i].text) };
	}
}

bool assemble_image(const char *text, size_t size, const struct load_options *load, struct image *im, struct diag *d)
{
	const struct build *b = load->assemble_context;
	const struct build_options *o = b->options;
	const char *chip = o->chip;
	const struct isa_ops *language = isa_with_language(text, size), *said = language ? language : isa_of_text(text);
	const struct isa_ops *own = load->machine && !language ? NULL : said;
	const struct isa_ops *isa = own ? own : isa_find(im->machine), *asked = chip ? isa_of_chip(chip) : NULL;
	struct mover m = { &im->arena, true };
	struct asm_program p;

	if (!isa)
		return diag_set(d, DIAG_USAGE, "this build has no machine \"%s\"", im->machine);
	if (said && asked && said != asked)
		return diag_set(d, DIAG_USAGE,
				"the program is for machine %s, by its .chip; --chip %s is of machine %s", said->name,
				chip, asked->name);
	if (own && !(im->machine = arena_strdup(&im->arena, own->name)))
		return diag_set(d, DIAG_ENV, "out of memory");
	if (isa->text.assemble && (!isa->text.owns || isa == language))
		return assemble_own(isa, text, size, b, im, d);
	if (!asm_assemble(isa, text, size, chip, o->mode, o->syntax, &p, d))
		return false;
	m.ok = kernels_image(p.kernels, p.nkernels, p.chip, p.mode, im);
	if (m.ok && !move_memory(&p, im, d)) {
		asm_free(&p);
		return false;
	}
	move_warnings(&m, &p, o->regs_given, im);
	asm_free(&p);
	return m.ok || diag_set(d, DIAG_ENV, "out of memory");
}
