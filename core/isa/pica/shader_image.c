#include "core/isa/pica/shader_image.h"

#include <stdio.h>

#include "core/base/diag.h"

static bool no_memory(struct diag *d)
{
	return diag_set(d, DIAG_ENV, "no memory for the shader");
}

/* "vertex", and from the second of a kind on "vertex2". */
static const char *entry_name(const struct shader *s, uint32_t index, struct arena *a)
{
	const char *kind = s->entry[index].geometry ? "geometry" : "vertex";
	unsigned same = 1;
	char name[24];

	for (uint32_t i = 0; i < index; i++)
		same += s->entry[i].geometry == s->entry[index].geometry;
	if (same == 1)
		return kind;
	snprintf(name, sizeof name, "%s%u", kind, same);
	return arena_strdup(a, name);
}

static const uint8_t *code_bytes(const struct shader *s, struct arena *a)
{
	uint8_t *bytes = ARENA_ARRAY(a, uint8_t, 4 * (size_t)s->ncode + 1);

	for (uint32_t i = 0; bytes && i < 4 * s->ncode; i++)
		bytes[i] = (uint8_t)(s->code[i / 4] >> 8 * (i % 4));
	return bytes;
}

static bool fill(const struct shader *s, uint32_t index, const uint8_t *code, struct image *im, struct diag *d)
{
	const struct shader_entry *e = &s->entry[index];
	struct image_kernel *k = image_push(&im->arena, &im->kernels, &im->nkernels);

	im->machine = "pica";
	im->chip = "pica";
	im->mode = e->geometry ? "gp" : "vp";
	im->shader = s;
	if (!k || !(k->name = entry_name(s, index, &im->arena)))
		return no_memory(d);
	k->code = code;
	k->code_bytes = 4 * s->ncode;
	k->entry = 4 * e->main;
	k->regs = SHADER_ROWS;
	k->side = s->desc;
	k->nside = s->ndesc;
	k->entry_point = e;
	for (uint32_t i = 0; i < e->nlabels; i++) {
		struct image_label *l = image_push(&im->arena, &k->labels, &k->nlabels);
		if (!l)
			return no_memory(d);
		*l = (struct image_label){ e->label[i].name, 4 * e->label[i].offset };
	}
	for (uint32_t i = 0; s->line && i < s->ncode; i++) {
		struct image_line *l = s->line[i] ? image_push(&im->arena, &k->lines, &k->nlines) : NULL;
		if (s->line[i] && !l)
			return no_memory(d);
		if (l)
			*l = (struct image_line){ 4 * i, s->line[i] };
	}
	return true;
}

bool shader_image(const struct shader *s, struct image *im, struct diag *d)
{
	const uint8_t *code = code_bytes(s, &im->arena);

	if (!code)
		return no_memory(d);
	if (!s->nentries)
		return diag_set(d, DIAG_INPUT, "the shader has no entry point");
	if (!fill(s, 0, code, im, d))
		return false;
	for (uint32_t i = 1; i < s->nentries; i++) {
		struct image *next = image_new(im->file, im->format, im->machine);
		if (!next)
			return no_memory(d);
		next->next = im->next;
		im->next = next;
		im = next;
		if (!fill(s, i, code, im, d))
			return false;
	}
	return true;
}
