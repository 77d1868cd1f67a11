/* Source lines of programs that a compiler made: the file's own, put right and completed by the instruction set (struct
 * isa_ops), for all who ask for the line of a pc. */
#include <string.h>

#include "api/lines.h"
#include "api/ptx.h"

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

bool lines_complete(struct image *im, const struct wb_config *c, struct diag *d)
{
	struct isa_target t;
	struct diag unknown = { 0 };
	const struct chip *chip;

	if (!target_of(im, c, &t, &chip, &unknown)) {   /* reported where the target is used */
		diag_clear(&unknown);
		return true;
	}
	if (!t.isa->lines || !strcmp(im->format, "asm"))
		return true;
	for (size_t i = 0; i < im->nkernels; i++) {
		struct image_kernel *k = &im->kernels[i], *before = i ? k - 1 : NULL;
		struct arena a = { 0 };
		bool ok = true;
		if (before && before->code == k->code) {
			k->lines = before->lines;
			k->nlines = before->nlines;
		} else if (k->nlines) {
			ok = complete(im, k, &t, &a);
		}
		arena_free(&a);
		if (!ok)
			return diag_set(d, DIAG_ENV, "out of memory for the lines of kernel %s", k->name);
	}
	return true;
}

bool source_beside(struct image *im, const char *text)
{
	uint32_t lines = 1;

	for (const char *p = im->source; (p = strchr(p, '\n')); p++)
		lines++;
	im->beside_line = ARENA_ARRAY(&im->arena, const char *, lines);
	if (!im->beside_line || !text)
		return false;
	for (const char *p = im->source; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
		im->beside_line[im->nbeside_lines++] = p;
	for (size_t i = 0; i < im->nkernels; i++) {
		struct image_kernel *k = &im->kernels[i], was = *k;
		k->lines = was.beside_lines;
		k->nlines = was.nbeside;
		k->beside_lines = was.lines;
		k->nbeside = was.nlines;
	}
	im->beside = im->source;
	im->source = text;
	im->source_name = im->beside_name;
	im->beside_name = NULL;
	return true;
}
