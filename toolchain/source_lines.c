/* Source lines of programs that a compiler made: the file's own, put right and completed by the instruction set (struct
 * isa_ops), for all who ask for the line of a pc. */
#include "toolchain/source_lines.h"

#include <string.h>

#include "core/isa/table.h"
#include "core/machines/registry.h"
#include "core/program.h"

/* Lines by word of code, as the file gives them. */
static uint32_t *spread(const struct image_kernel *k, struct arena *a)
{
	uint32_t words = k->code_bytes / 4, *line = ARENA_ARRAY(a, uint32_t, words + 1), i = 0;

	for (size_t n = 0; line && n < k->nlines; n++) {
		uint32_t end = n + 1 < k->nlines ? k->lines[n + 1].pc / 4 : words;
		for (i = k->lines[n].pc / 4; i < end && i < words; i++)
			line[i] = k->lines[n].line;
	}
	return line;
}

/* The same as rows of the kernel, one for each change. */
static bool gather(struct image *im, struct image_kernel *k, const uint32_t *line)
{
	struct image_line *rows = NULL;
	size_t n = 0;

	for (uint32_t i = 0; i < k->code_bytes / 4; i++) {
		struct image_line *row;
		if (line[i] == (n ? rows[n - 1].line : 0))
			continue;
		row = image_push(&im->arena, &rows, &n);
		if (!row)
			return false;
		*row = (struct image_line){ 4 * i, line[i] };
	}
	k->lines = rows;
	k->nlines = n;
	return true;
}

static bool complete(struct image *im, struct image_kernel *k, const struct isa_target *t, struct arena *a)
{
	struct program code = { .target = *t, .code = k->code, .code_bytes = k->code_bytes, .entry = k->entry };
	uint32_t *line = spread(k, a);

	return line && program_decode(&code, a) && t->isa->lines(&code, line, a) && gather(im, k, line);
}

/* The decoder of an image under the options, as a launch would make it. False: none, or code for another chip, which
 * the user of the image is told. */
static bool decoder_of(const struct image *im, const struct build_options *o, struct isa_target *t)
{
	const struct isa_ops *isa = isa_find(im->machine);
	const struct isa_table *table = isa ? isa->table : NULL;
	const char *chip = o->chip ? o->chip : im->chip ? im->chip : table ? table->chip : NULL;
	const char *mode = o->mode ? o->mode : im->mode ? im->mode : table && table->mode ? table->mode : "cp";
	uint32_t built;

	*t = (struct isa_target){ .isa = isa, .syntax = o->syntax };
	return chip && isa_of_chip(chip) == isa && isa_name_find(table->chips, chip, strlen(chip), &t->features) &&
	       isa_name_find(table->modes, mode, strlen(mode), &t->mode) &&
	       !(im->chip && isa_name_find(table->chips, im->chip, strlen(im->chip), &built) && (built & ~t->features));
}

static bool complete_image(struct image *im, const struct isa_target *t, struct diag *d)
{
	for (size_t i = 0; i < im->nkernels; i++) {
		struct image_kernel *k = &im->kernels[i], *before = i ? k - 1 : NULL;
		struct arena a = { 0 };
		bool ok = true;
		if (before && before->code == k->code) {
			k->lines = before->lines;
			k->nlines = before->nlines;
		} else if (k->nlines) {
			ok = complete(im, k, t, &a);
		}
		arena_free(&a);
		if (!ok)
			return diag_set(d, DIAG_ENV, "out of memory for the lines of kernel %s", k->name);
	}
	return true;
}

bool lines_complete(struct build *b)
{
	for (struct image *im = b->image; im; im = im->next) {
		struct isa_target t;
		if (strcmp(im->format, "asm") && decoder_of(im, b->options, &t) && t.isa->lines &&
		    !complete_image(im, &t, b->diag))
			return false;
	}
	return true;
}
