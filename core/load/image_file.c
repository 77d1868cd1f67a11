/* Images as files, for a program compiled on a host with compilers and run in a lab page, which has none. A walk over
 * the image gives the order of the fields, and either writes the fields or reads and bounds them. Numbers are 32 bits,
 * little-endian; a text is a length plus 1 (0: NULL) and bytes; an array is a number of elements and the elements.
 * Shaders stay in files of their own, and variables of the source stay out. */
#include "core/load/image_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/load/loader.h"

static const char magic[8] = "WBIMAGE2";

enum { DESCRIPTOR_BYTES = 64, LIMIT_BLOCK = 1024, LIMIT_GRID = 1 << 24 };

/* The machines that compilers compile for, with the most that a kernel may need. */
static const struct limits {
	const char *machine;
	uint32_t pointer_bytes, regs, warp_regs, smem, lmem, param_bytes;
} limits[] = {
	{ "tesla", 4, LIMIT_REGS, 0, LIMIT_SMEM, LIMIT_LMEM, LIMIT_PARAM_BYTES },
	{ "gcn", 8, 256, 104, 65536, 1 << 20, 4096 },
};

struct walk {
	struct arena *arena;            /* of the image; NULL: writing */
	const uint8_t *in;
	uint8_t *out;
	size_t n, size;                 /* bytes so far; bytes of `in`, or allocated of `out` */
	bool full;                      /* writing: the host has no memory */
	const struct limits *limits;    /* reading: of the image's machine */
	const char *wrong;              /* reading: the file's first mistake; NULL: none */
};

static bool reading(const struct walk *w)
{
	return w->arena != NULL;
}

static void refuse(struct walk *w, const char *what)
{
	w->wrong = w->wrong ? w->wrong : what;
}

static void expect(struct walk *w, bool good, const char *what)
{
	if (reading(w) && !good)
		refuse(w, what);
}

static bool grow(struct walk *w, size_t n)
{
	size_t size = 2 * (w->n + n) + 4096;
	uint8_t *more = w->n + n <= w->size ? w->out : realloc(w->out, size);

	w->full |= !more;
	if (!w->full && w->n + n > w->size) {
		w->out = more;
		w->size = size;
	}
	return !w->full;
}

/* n bytes as they are; zeros where the file is wrong. */
static void walk_raw(struct walk *w, void *bytes, size_t n)
{
	if (!reading(w)) {
		if (grow(w, n))
			memcpy(w->out + w->n, bytes, n);
		w->n += w->full ? 0 : n;
		return;
	}
	if (n > w->size - w->n)
		refuse(w, "it ends too early");
	if (w->wrong) {
		memset(bytes, 0, n);
	} else {
		memcpy(bytes, w->in + w->n, n);
		w->n += n;
	}
}

static void walk_u32(struct walk *w, uint32_t *v)
{
	uint8_t b[4] = { (uint8_t)*v, (uint8_t)(*v >> 8), (uint8_t)(*v >> 16), (uint8_t)(*v >> 24) };

	walk_raw(w, b, sizeof b);
	*v = le32(b);
}

static void walk_bool(struct walk *w, bool *v)
{
	uint32_t word = *v;

	walk_u32(w, &word);
	*v = word;
}

static void *new_bytes(struct walk *w, size_t n)
{
	void *p = w->wrong ? NULL : arena_alloc(w->arena, n ? n : 1, 16);

	if (!p)
		refuse(w, "the host has no memory for it");
	else
		memset(p, 0, n ? n : 1);
	return p;
}

/* A number of elements, of at least `least` bytes in the file each; reading, also the array. */
static void walk_array(struct walk *w, size_t *count, void *array, size_t element, size_t least)
{
	uint32_t n = (uint32_t)*count;

	walk_u32(w, &n);
	if (!reading(w))
		return;
	expect(w, n <= (w->size - w->n) / least, "an array has more elements than the file has bytes for");
	*(void **)array = new_bytes(w, w->wrong ? 0 : n * element);
	*count = w->wrong ? 0 : n;
}

/* A pointer to `n` bytes; NULL stays NULL. */
static void walk_blob(struct walk *w, const uint8_t **bytes, size_t n)
{
	bool there = *bytes;

	walk_bool(w, &there);
	if (!there) {
		*bytes = NULL;
		return;
	}
	expect(w, n <= w->size - w->n, "it ends too early");
	uint8_t *copy = reading(w) ? new_bytes(w, w->wrong ? 0 : n) : (uint8_t *)*bytes;
	if (copy)
		walk_raw(w, copy, w->wrong ? 0 : n);
	*bytes = copy;
}

static void walk_text(struct walk *w, const char **text)
{
	uint32_t n = *text ? (uint32_t)strlen(*text) + 1 : 0;

	walk_u32(w, &n);
	if (!n) {
		*text = NULL;
		return;
	}
	expect(w, n - 1 <= w->size - w->n, "a text is longer than the file");
	char *copy = reading(w) ? new_bytes(w, w->wrong ? 1 : n) : (char *)*text;
	if (copy && !w->wrong)
		walk_raw(w, copy, n - 1);
	*text = copy;
}

/* A text that is never NULL. */
static void walk_name(struct walk *w, const char **text)
{
	walk_text(w, text);
	if (reading(w) && !*text)
		*text = "";
}

/* Texts with a NULL behind the last. */
static void walk_texts(struct walk *w, const char *const **list)
{
	size_t n = 0;
	bool there = *list;
	const char **copy;

	walk_bool(w, &there);
	if (!there) {
		*list = NULL;
		return;
	}
	while (!reading(w) && (*list)[n])
		n++;
	copy = (const char **)*list;
	walk_array(w, &n, &copy, sizeof *copy, 4);
	for (size_t i = 0; i < n; i++)
		walk_name(w, &copy[i]);
	if (reading(w)) {       /* with the NULL */
		const char **ended = new_bytes(w, (n + 1) * sizeof *ended);
		if (ended)
			memcpy(ended, copy, n * sizeof *copy);
		copy = ended;
	}
	*list = copy;
}

static void walk_lines(struct walk *w, size_t *n, struct image_line **lines, uint32_t code_bytes)
{
	walk_array(w, n, lines, sizeof **lines, 8);
	for (size_t i = 0; i < *n; i++) {
		struct image_line *l = &(*lines)[i];
		walk_u32(w, &l->pc);
		walk_u32(w, &l->line);
		expect(w, l->pc < code_bytes && (!i || l->pc >= l[-1].pc), "a table of lines is not in order");
	}
}

static void walk_consts(struct walk *w, size_t *n, struct image_const **consts)
{
	walk_array(w, n, consts, sizeof **consts, 20);
	for (size_t i = 0; i < *n; i++) {
		struct image_const *c = &(*consts)[i];
		uint32_t bank = c->bank;
		walk_name(w, &c->name);
		walk_u32(w, &bank);
		walk_u32(w, &c->offset);
		walk_u32(w, &c->size);
		expect(w, bank < LIMIT_BANKS && c->offset <= LIMIT_BANK_BYTES &&
		       c->size <= LIMIT_BANK_BYTES - c->offset, "constants outside of their bank");
		c->bank = (uint8_t)bank;
		walk_blob(w, &c->bytes, w->wrong ? 0 : c->size);
	}
}

static void walk_relocs(struct walk *w, size_t *n, struct image_reloc **relocs, size_t nglobals)
{
	walk_array(w, n, relocs, sizeof **relocs, 16);
	for (size_t i = 0; i < *n; i++) {
		struct image_reloc *r = &(*relocs)[i];
		uint32_t bank = r->bank;
		walk_u32(w, &bank);
		walk_u32(w, &r->offset);
		walk_u32(w, &r->global);
		walk_u32(w, &r->addend);
		expect(w, bank < LIMIT_BANKS && r->offset <= LIMIT_BANK_BYTES - 4 && r->global < nglobals,
		       "a relocation outside of its bank, or to no variable");
		r->bank = (uint8_t)bank;
	}
}

static void walk_globals(struct walk *w, struct image *im)
{
	walk_array(w, &im->nglobals, &im->globals, sizeof *im->globals, 16);
	for (size_t i = 0; i < im->nglobals; i++) {
		struct image_global *g = &im->globals[i];
		walk_name(w, &g->name);
		walk_u32(w, &g->size);
		walk_u32(w, &g->filled);
		expect(w, g->size <= LIMIT_GLOBAL_BYTES && g->filled <= g->size, "a variable is too large");
		walk_blob(w, &g->bytes, w->wrong ? 0 : g->filled);
		expect(w, g->bytes || !g->filled, "a variable lacks its bytes");
	}
	walk_array(w, &im->npointers, &im->pointers, sizeof *im->pointers, 20);
	for (size_t i = 0; i < im->npointers; i++) {
		struct image_pointer *p = &im->pointers[i];
		walk_u32(w, &p->in);
		walk_u32(w, &p->to);
		walk_u32(w, &p->offset);
		walk_u32(w, &p->addend);
		walk_u32(w, &p->bytes);
		expect(w, p->in < im->nglobals && p->to < im->nglobals && (p->bytes == 4 || p->bytes == 8) &&
		       im->globals[p->in].size >= p->bytes && p->offset <= im->globals[p->in].size - p->bytes,
		       "a pointer outside of its variable");
	}
}

static void walk_params(struct walk *w, struct image_kernel *k)
{
	walk_array(w, &k->nparams, &k->params, sizeof *k->params, 24);
	for (size_t i = 0; i < k->nparams; i++) {
		struct image_param *p = &k->params[i];
		uint32_t ordinal = p->ordinal;
		walk_name(w, &p->name);
		walk_name(w, &p->type);
		walk_text(w, &p->kind);
		walk_u32(w, &ordinal);
		walk_u32(w, &p->offset);
		walk_u32(w, &p->size);
		p->ordinal = (uint16_t)ordinal;
		expect(w, p->offset <= k->param_bytes && p->size <= k->param_bytes - p->offset,
		       "a parameter outside of its block");
		expect(w, !i || p->ordinal > p[-1].ordinal, "parameters are not in order");
	}
	walk_array(w, &k->nhidden, &k->hidden, sizeof *k->hidden, 12);
	for (size_t i = 0; i < k->nhidden; i++) {
		struct image_hidden *h = &k->hidden[i];
		walk_name(w, &h->kind);
		walk_u32(w, &h->offset);
		walk_u32(w, &h->size);
		expect(w, h->offset <= k->param_bytes && h->size <= k->param_bytes - h->offset,
		       "a parameter outside of its block");
	}
}

static void walk_launch(struct walk *w, struct image_launch *l)
{
	uint64_t threads = 1;

	for (int i = 0; i < 3; i++) {
		walk_u32(w, &l->grid[i]);
		walk_u32(w, &l->block[i]);
		threads = l->block[i] > LIMIT_BLOCK ? UINT32_MAX : threads * l->block[i];
		expect(w, l->grid[i] <= LIMIT_GRID && threads <= LIMIT_BLOCK, "a grid or block too large");
	}
	walk_u32(w, &l->mps);
	walk_texts(w, &l->args);
	walk_texts(w, &l->expect);
}

static void walk_names(struct walk *w, struct image_kernel *k)
{
	walk_array(w, &k->nlabels, &k->labels, sizeof *k->labels, 8);
	for (size_t i = 0; i < k->nlabels; i++) {
		walk_name(w, &k->labels[i].name);
		walk_u32(w, &k->labels[i].pc);
		expect(w, k->labels[i].pc <= k->code_bytes, "a label outside of the code");
	}
	walk_array(w, &k->nnames, &k->names, sizeof *k->names, 16);
	for (size_t i = 0; i < k->nnames; i++) {
		walk_name(w, &k->names[i].kind);
		walk_name(w, &k->names[i].name);
		walk_name(w, &k->names[i].registers);
		walk_name(w, &k->names[i].value);
	}
}

static void walk_kernel(struct walk *w, struct image *im, struct image_kernel *k, const struct image_kernel *before)
{
	bool shared = before && before->code == k->code && before->code_bytes == k->code_bytes;

	walk_name(w, &k->name);
	walk_u32(w, &k->code_bytes);
	walk_bool(w, &shared);
	expect(w, !shared || (before && before->code_bytes == k->code_bytes), "a kernel shares code that is not there");
	if (shared && reading(w))
		k->code = before ? before->code : NULL;
	else if (!shared)
		walk_blob(w, &k->code, k->code_bytes);
	walk_u32(w, &k->entry);
	walk_u32(w, &k->regs);
	walk_u32(w, &k->warp_regs);
	walk_u32(w, &k->smem);
	walk_u32(w, &k->lmem);
	walk_u32(w, &k->barriers);
	walk_u32(w, &k->param_bytes);
	expect(w, k->code && k->code_bytes % 4 == 0 && k->entry % 4 == 0 && k->entry < k->code_bytes,
	       "a kernel begins outside of its code");
	expect(w, k->regs <= w->limits->regs && k->warp_regs <= w->limits->warp_regs && k->smem <= w->limits->smem &&
	       k->lmem <= w->limits->lmem && k->barriers <= LIMIT_BARRIERS && k->param_bytes <= w->limits->param_bytes,
	       "a kernel needs more than a multiprocessor has");
	walk_blob(w, &k->descriptor, DESCRIPTOR_BYTES);
	walk_params(w, k);
	walk_consts(w, &k->nconsts, &k->consts);
	walk_relocs(w, &k->nrelocs, &k->relocs, im->nglobals);
	expect(w, !k->nliterals, "addresses in code");
	walk_names(w, k);
	walk_lines(w, &k->nlines, &k->lines, k->code_bytes);
	walk_lines(w, &k->nbeside, &k->beside_lines, k->code_bytes);
	walk_text(w, &k->compiler);
	walk_launch(w, &k->launch);
}

/* Lines of the other text by their offsets. */
static void walk_beside(struct walk *w, struct image *im)
{
	size_t n = im->nbeside_lines, length;

	walk_text(w, &im->beside);
	walk_text(w, &im->beside_name);
	length = im->beside ? strlen(im->beside) : 0;
	walk_array(w, &n, &im->beside_line, sizeof *im->beside_line, 4);
	for (size_t i = 0; i < n; i++) {
		uint32_t offset = reading(w) ? 0 : (uint32_t)(im->beside_line[i] - im->beside);
		walk_u32(w, &offset);
		expect(w, im->beside && offset <= length, "a line outside of its text");
		if (reading(w))
			im->beside_line[i] = w->wrong ? "" : im->beside + offset;
	}
	im->nbeside_lines = (uint32_t)n;
}

static void find_limits(struct walk *w, const struct image *im)
{
	const struct limits *end = limits + sizeof limits / sizeof *limits;

	w->limits = limits;
	while (reading(w) && w->limits < end && strcmp(w->limits->machine, im->machine) != 0)
		w->limits++;
	expect(w, w->limits < end && w->limits->pointer_bytes == im->pointer_bytes, "a machine without compilers");
	expect(w, !strcmp(im->mode, "cp"), "a program that is no compute program");
	w->limits = w->limits < end ? w->limits : limits;
}

static void walk_image(struct walk *w, struct image *im)
{
	walk_name(w, &im->format);
	walk_name(w, &im->machine);
	walk_text(w, &im->chip);
	walk_name(w, &im->mode);
	walk_bool(w, &im->compiled);
	walk_text(w, &im->source);
	walk_text(w, &im->source_name);
	walk_beside(w, im);
	walk_u32(w, &im->pointer_bytes);
	find_limits(w, im);
	walk_globals(w, im);
	walk_consts(w, &im->nconsts, &im->consts);
	walk_relocs(w, &im->nrelocs, &im->relocs, im->nglobals);
	walk_bool(w, &im->code_in_global);
	walk_u32(w, &im->code_global);
	walk_u32(w, &im->code_offset);
	walk_array(w, &im->nprints, &im->prints, sizeof *im->prints, 4);
	for (size_t i = 0; i < im->nprints; i++)
		walk_name(w, &im->prints[i]);
	walk_array(w, &im->nwarnings, &im->warnings, sizeof *im->warnings, 12);
	for (size_t i = 0; i < im->nwarnings; i++) {
		walk_u32(w, &im->warnings[i].line);
		walk_u32(w, &im->warnings[i].column);
		walk_name(w, &im->warnings[i].text);
	}
	walk_array(w, &im->nkernels, &im->kernels, sizeof *im->kernels, 100);
	for (size_t i = 0; i < im->nkernels; i++) {
		struct image_kernel *k = &im->kernels[i];
		walk_kernel(w, im, k, i ? k - 1 : NULL);
		expect(w, !im->code_in_global || (im->code_global < im->nglobals &&
		       im->code_offset <= im->globals[im->code_global].size &&
		       k->code_bytes <= im->globals[im->code_global].size - im->code_offset),
		       "code outside of its variable");
	}
}

bool image_file_matches(const uint8_t *bytes, size_t size)
{
	return size > sizeof magic && !memcmp(bytes, magic, sizeof magic);
}

uint8_t *image_file_write(const struct image *im, size_t *size, struct diag *d)
{
	struct walk w = { .n = 0 };
	struct image copy = *im;        /* the walk assigns every field */

	if (im->next || im->shader) {
		diag_set(d, DIAG_INPUT, "a program of format %s is no single compiled program", im->format);
		return NULL;
	}
	walk_raw(&w, (void *)magic, sizeof magic);
	walk_image(&w, &copy);
	if (w.full) {
		free(w.out);
		diag_set(d, DIAG_ENV, "out of memory");
		return NULL;
	}
	*size = w.n;
	return w.out;
}

bool image_file_load(struct load *l)
{
	struct walk w = { .arena = &l->image->arena, .in = l->bytes, .size = l->size, .n = sizeof magic };

	if (!image_file_matches(l->bytes, l->size))
		return diag_at(l->diag, 0, "found no image of a compiled program; expected one by warpbeam page");
	walk_image(&w, l->image);
	expect(&w, w.n == w.size, "bytes follow its end");
	if (w.wrong)
		return diag_at(l->diag, w.n, "the image is damaged: %s", w.wrong);
	return true;
}
