/* What a shader binary says of a program, as an image. */
#include "core/isa/pica/shader_image.h"

#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/diag.h"
#include "core/isa/pica/f24.h"

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

static bool add_name(struct image *im, struct image_kernel *k, const char *kind, const char *name,
		     const char *registers, const char *value)
{
	struct image_name *n = image_push(&im->arena, &k->names, &k->nnames);

	if (n)
		*n = (struct image_name){ kind, name, arena_strdup(&im->arena, registers),
					  arena_strdup(&im->arena, value) };
	return n && n->registers && n->value;
}

static bool name_uniforms(const struct shader_entry *e, struct image *im, struct image_kernel *k)
{
	for (uint32_t i = 0; i < e->nuniforms; i++) {
		const struct shader_uniform *u = &e->uniform[i];
		char first[8] = "", last[8] = "", text[24];
		shader_register_name(u->first_register, first);
		shader_register_name(u->last_register, last);
		snprintf(text, sizeof text, u->last_register > u->first_register ? "%s-%s" : "%s", first, last);
		if (!add_name(im, k, u->first_register < UNIFORM_C ? "input" : "uniform", u->name, text, ""))
			return false;
	}
	return true;
}

static bool name_constants(const struct shader_entry *e, struct image *im, struct image_kernel *k)
{
	for (uint32_t i = 0; i < e->nconstants; i++) {
		const struct shader_constant *c = &e->constant[i];
		char reg[8], text[96];
		size_t n = 0;
		if (c->type > SHADER_FLOAT)
			continue;
		snprintf(reg, sizeof reg, "%c%u", "bic"[c->type], c->reg & 0xffu);
		for (unsigned v = 0; v < (c->type == SHADER_BOOL ? 1 : 4); v++) {
			uint32_t bits = c->type == SHADER_FLOAT ? f24_from_raw(c->value[v]) : c->value[v];
			n += (size_t)snprintf(text + n, sizeof text - n, c->type == SHADER_FLOAT ? "%s%.9g" : "%s%.0f",
					      v ? ", " : "",
					      c->type == SHADER_FLOAT ? (double)f32_value(bits) : (double)bits);
		}
		if (c->type == SHADER_BOOL)
			snprintf(text, sizeof text, "%s", c->value[0] ? "true" : "false");
		if (!add_name(im, k, "constant", "", reg, text))
			return false;
	}
	return true;
}

static bool name_outputs(const struct shader_entry *e, struct image *im, struct image_kernel *k)
{
	for (uint32_t i = 0; i < e->noutputs; i++) {
		const struct shader_output *o = &e->output[i];
		const char *name = shader_output_name(o->type);
		char text[16];
		int n = snprintf(text, sizeof text, "o%u.", o->reg & 15u);
		for (unsigned part = 0; part < 4; part++)
			if (o->mask >> part & 1)
				n += snprintf(text + n, sizeof text - (size_t)n, "%c", "xyzw"[part]);
		if (!add_name(im, k, "output", name ? name : "", text, ""))
			return false;
	}
	return true;
}

static bool name_entry(const struct shader_entry *e, struct image *im, struct image_kernel *k)
{
	char place[32], mode[64] = "point";

	snprintf(place, sizeof place, e->endmain > e->main ? "0x%x-0x%x" : "0x%x", 4 * e->main, 4 * e->endmain);
	if (e->gs_mode == GS_VARIABLE)
		snprintf(mode, sizeof mode, "variable, %u vertices whole", e->gs_full_vertices);
	if (e->gs_mode == GS_FIXED)
		snprintf(mode, sizeof mode, "fixed, %u vertices from c%u on", e->gs_fixed_count, e->gs_fixed_start);
	return add_name(im, k, "entry", k->name, place, e->geometry ? mode : "") && name_uniforms(e, im, k) &&
	       name_constants(e, im, k) && name_outputs(e, im, k);
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
	if (!name_entry(e, im, k))
		return no_memory(d);
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
