/* A loader's result is either an image, with every string, code byte and range touched so that the address sanitizer
 * sees an absent one, and every number within the machine's limits; or a diagnostic with a kind and a text. */
#include "tests/fuzz/fuzz_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/image.h"
#include "core/shader.h"
#include "core/load/load.h"

#define HOLDS(condition) do { \
		if (!(condition)) { \
			fprintf(stderr, "does not hold: %s\n", #condition); \
			abort(); \
		} \
	} while (0)

/* Touching each byte lets the address sanitizer see an absent range. */
static volatile uint8_t sink;

static void touch(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sink ^= bytes[i];
}

static void touch_text(const char *text)
{
	HOLDS(text);
	touch((const uint8_t *)text, strlen(text) + 1);
}

static void touch_consts(const struct image_const *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		touch_text(c[i].name);
		HOLDS(c[i].bank < 16 && (uint64_t)c[i].offset + c[i].size <= 65536);
		if (c[i].bytes)
			touch(c[i].bytes, c[i].size);
	}
}

static void touch_relocs(const struct image *im, const struct image_reloc *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		HOLDS(r[i].bank < 16 && r[i].offset <= 65532 && r[i].global < im->nglobals);
}

static void touch_kernel(const struct image *im, const struct image_kernel *k)
{
	touch_text(k->name);
	touch(k->code, k->code_bytes);
	HOLDS(k->code_bytes && k->code_bytes % 4 == 0 && k->entry < k->code_bytes && k->entry % 4 == 0);
	if (!strcmp(im->machine, "gcn"))
		HOLDS(k->regs <= 256 && k->smem <= 65536 && k->lmem <= 1 << 20);
	else
		HOLDS(k->regs <= (strcmp(im->machine, "pica") ? 128 : SHADER_ROWS) && k->smem <= 16384 &&
		      k->lmem <= 65536);
	for (size_t i = 0; i < k->nparams; i++) {
		touch_text(k->params[i].name);
		HOLDS(k->params[i].offset + k->params[i].size <= 16384);
		HOLDS(!i || k->params[i].ordinal > k->params[i - 1].ordinal);
	}
	touch_consts(k->consts, k->nconsts);
	touch_relocs(im, k->relocs, k->nrelocs);
}

static void touch_image(const struct image *im)
{
	touch_text(im->file);
	touch_text(im->machine);
	for (size_t i = 0; i < im->nkernels; i++)
		touch_kernel(im, &im->kernels[i]);
	for (size_t i = 0; i < im->nglobals; i++) {
		touch_text(im->globals[i].name);
		if (im->globals[i].bytes)
			touch(im->globals[i].bytes, im->globals[i].filled);
	}
	touch_consts(im->consts, im->nconsts);
	touch_relocs(im, im->relocs, im->nrelocs);
}

void fuzz_image(const uint8_t *bytes, size_t size, const char *format)
{
	struct load_options o = { .format = format };
	struct image *first;
	struct diag d;
	diag_clear(&d);
	if (!image_load(bytes, size, "input", &o, &first, &d)) {
		HOLDS(d.kind && d.text[0] && d.file[0]);
		return;
	}
	for (const struct image *im = first; im; im = im->next)
		touch_image(im);
	image_find(first, NULL, NULL, NULL, NULL, &d);
	image_free(first);
}
