/* The registers that all vertices read: values from the file, and values from the user, by name. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/image.h"
#include "core/isa/pica/exec.h"

void pica_uniforms_clear(struct pica_uniforms *u)
{
	memset(u, 0, sizeof *u);
	u->reads = u->writes = u->temporaries = 0xffff;
	u->receives = SHADER_FLOATS;
	u->ordinary = true;
	for (unsigned k = 0; k < 4; k++)
		pica_uniform_float(u, SHADER_FLOATS, k, F24_ONE);
}

void pica_uniform_float(struct pica_uniforms *u, unsigned reg, unsigned component, uint32_t value)
{
	FOR_LANES(l)
		u->f[reg][component].lane[l] = value;
	u->alike[reg][component] = value;
	u->ordinary &= f24_ordinary(value);     /* a former odd value, overwritten, costs time only */
}

static void set_bool(struct pica_uniforms *u, unsigned reg, bool on)
{
	u->b = (uint16_t)((u->b & ~(1u << reg)) | (unsigned)on << reg);
}

static void apply_constant(struct pica_uniforms *u, const struct shader_constant *c)
{
	if (c->type == SHADER_BOOL)
		set_bool(u, c->reg, c->value[0]);
	for (unsigned k = 0; k < 4; k++) {
		if (c->type == SHADER_INT)
			u->i[c->reg][k] = (uint8_t)c->value[k];
		else if (c->type == SHADER_FLOAT)
			pica_uniform_float(u, c->reg, k, f24_from_raw(c->value[k]));
	}
}

static uint16_t inputs_read(const struct insn *in)
{
	uint16_t all = 0;

	for (int k = 0; k < 3; k++)
		if (in->src[k].shape == OPND_REG && in->src[k].file == FILE_SRC && in->src[k].reg < SRC_TEMPORARY)
			all |= (uint16_t)(1u << in->src[k].reg);
	return all;
}

static void note_used(struct pica_uniforms *u, const struct insn *in)
{
	u->reads |= inputs_read(in);
	if (in->dst.shape == OPND_REG && in->dst.reg < DST_TEMPORARY)
		u->writes |= (uint16_t)(1u << in->dst.reg);
	else if (in->dst.shape == OPND_REG)
		u->temporaries |= (uint16_t)(1u << (in->dst.reg - DST_TEMPORARY));
}

/* Note the words that lanes may reach whatever their stacks are: the words behind instructions, targets, and the ends
 * of the scopes that instructions open. */
static bool find_touched(struct pica_uniforms *u, const struct program *p, struct arena *scratch)
{
	uint32_t n = p->code_bytes / 4, nahead = 0;
	uint32_t *ahead = ARENA_ARRAY(scratch, uint32_t, 4 * n + 1);
	bool *seen = ARENA_ARRAY(scratch, bool, n + 1);

	if (!ahead || !seen)
		return false;
	u->reads = u->writes = u->temporaries = 0;
	ahead[nahead++] = p->entry / 4;
	while (nahead) {
		uint32_t at = ahead[--nahead];
		if (at >= n || seen[at])
			continue;
		const struct insn *in = &p->insn[at];
		seen[at] = true;
		note_used(u, in);
		if (in->row && in->row->exec == PICA_EXEC_end)
			continue;
		ahead[nahead++] = at + 1;
		if (in->src[0].shape != OPND_TARGET)
			continue;
		uint32_t target = (uint32_t)in->src[0].value / 4;
		ahead[nahead++] = target;
		ahead[nahead++] = target + 1;
		ahead[nahead++] = target + in->mod[MOD_NUM];
	}
	return true;
}

/* A vertex has 16 registers each way, most programs use two or three. The user hears only of registers that the entry's
 * code reads. */
static bool find_used(struct pica_uniforms *u, const struct program *p)
{
	struct arena scratch = { 0 };
	struct isa_edge (*edge)[2] = arena_alloc(&scratch, (p->code_bytes / 4 + 1) * sizeof *edge,
						 _Alignof(struct isa_edge));
	bool ok = edge && pica_edges(p, edge) && find_touched(u, p, &scratch);

	for (uint32_t i = 0; ok && i < p->code_bytes / 4; i++)
		u->wants |= edge[i][0].kind != EDGE_NONE ? inputs_read(&p->insn[i]) : 0;
	arena_free(&scratch);
	return ok;
}

/* The three geometry modes (spec pica 19): of variable primitives c0 is the number of vertices, attributes follow. */
static unsigned receives(const struct shader_entry *e)
{
	if (!e || !e->geometry || e->gs_mode == GS_POINT)
		return SHADER_FLOATS;
	return e->gs_mode == GS_VARIABLE ? 0 : e->gs_fixed_start;
}

void pica_inputs(const struct program *p, const struct image_kernel *k, struct isa_inputs *out)
{
	const struct pica_uniforms *u = p->uniforms;
	const struct shader_entry *e = k->entry_point;

	if (u->receives == SHADER_FLOATS) {
		*out = (struct isa_inputs){ .file = 'v', .count = SHADER_VECTORS, .reads = u->wants,
					    .out_words = ROWS_VECTORS };
		return;
	}
	*out = (struct isa_inputs){ .file = 'c', .first_register = u->receives, .count = SHADER_FLOATS - u->receives,
				    .out_words = ROWS_VECTORS };
	out->counted = e->gs_mode == GS_VARIABLE;
	out->vertices = out->counted ? 0 : e->gs_fixed_count;
	out->whole = out->counted ? e->gs_full_vertices : 0;
}

bool pica_prepare(struct program *p, const struct image_kernel *k, struct arena *a, struct diag *d)
{
	struct pica_uniforms *u = arena_alloc(a, sizeof *u, 128);
	const struct shader_entry *e = k->entry_point;

	if (!u)
		return diag_set(d, DIAG_ENV, "no memory for the uniform registers");
	pica_uniforms_clear(u);
	if (!find_used(u, p))
		return diag_set(d, DIAG_ENV, "no memory for %u bytes of code", p->code_bytes);
	u->receives = (uint8_t)receives(e);
	for (uint32_t i = 0; e && i < e->nconstants; i++)
		apply_constant(u, &e->constant[i]);
	p->uniforms = u;
	return true;
}

/* The registers named on the left side of a text, numbered as in files; false: an unknown name. */
static bool find_uniform(const struct shader_entry *e, const char *name, size_t n, unsigned *first, unsigned *last)
{
	static const struct { char letter; unsigned first, count; } files[] = {
		{ 'c', UNIFORM_C, SHADER_FLOATS }, { 'i', UNIFORM_I, SHADER_INTS }, { 'b', UNIFORM_B, SHADER_BOOLS },
	};

	for (uint32_t i = 0; e && i < e->nuniforms; i++) {
		const struct shader_uniform *u = &e->uniform[i];
		if (strlen(u->name) == n && memcmp(u->name, name, n) == 0) {
			*first = u->first_register;
			*last = u->last_register;
			return true;
		}
	}
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char *end;
		unsigned long reg = n > 1 && isdigit((unsigned char)name[1]) ? strtoul(name + 1, &end, 10) : ~0ul;
		if (*name == files[i].letter && reg < files[i].count && end == name + n) {
			*first = files[i].first + (unsigned)reg;
			*last = files[i].first + files[i].count - 1;
			return true;
		}
	}
	return false;
}

/* A value: a number, 0x and the bits of a binary32 for a float, true or false for a boolean. */
static bool read_value(const char **text, bool is_float, uint32_t *value)
{
	char *end;

	if (strncmp(*text, "true", 4) == 0 || strncmp(*text, "false", 5) == 0) {
		*value = **text == 't';
		*text += *value ? 4 : 5;
		return true;
	}
	if (strncmp(*text, "0x", 2) == 0 || !is_float)
		*value = (uint32_t)strtoul(*text, &end, 0);
	else
		*value = f32_bits(strtof(*text, &end));
	if (end == *text)
		return false;
	*text = end;
	return true;
}

/* Files may give a uniform a range across two files of registers; i has fewer registers than numbers. */
static bool is_register(unsigned reg)
{
	return reg < UNIFORM_I + SHADER_INTS || (reg >= UNIFORM_B && reg < UNIFORM_END);
}

static void set_component(struct program *p, unsigned reg, unsigned k, uint32_t value)
{
	struct pica_uniforms *u = p->uniforms;

	if (reg >= UNIFORM_B)
		set_bool(u, reg - UNIFORM_B, value);
	else if (reg >= UNIFORM_I)
		// cppcheck-suppress arrayIndexOutOfBoundsCond ; it is below UNIFORM_B here
		u->i[reg - UNIFORM_I][k] = (uint8_t)value;
	else
		pica_uniform_float(u, reg - UNIFORM_C, k, f24_from_float(value, pica_rounding(p)));
}

static bool unknown_uniform(const struct image_kernel *k, const char *text, size_t n, struct diag *d)
{
	char list[200] = "";
	size_t used = 0;

	for (size_t i = 0; i < k->nnames && used < sizeof list; i++)
		if (!strcmp(k->names[i].kind, "uniform") && *k->names[i].name)
			used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
						 k->names[i].name);
	return diag_set(d, DIAG_USAGE, "found \"%.*s\", expected a uniform of this program (%s%s), or a register: "
			"c0 to c95, i0 to i3, b0 to b15", (int)n, text,
			*list ? list : "the program names none; a name with a value in the text is a constant",
			used >= sizeof list ? "…" : "");
}

bool pica_uniform(struct program *p, const struct image_kernel *k, const char *text, struct diag *d)
{
	size_t n = strcspn(text, "=");
	unsigned reg, last, component = 0;
	uint32_t value;

	if (!find_uniform(k->entry_point, text, n, &reg, &last) || reg < UNIFORM_C)
		return unknown_uniform(k, text, n, d);
	if (!text[n])
		return diag_set(d, DIAG_USAGE, "\"%s\" has no value; expected NAME=VALUE[,VALUE]…", text);
	for (const char *at = text + n; *at; component++) {
		at++;
		if (component == (reg >= UNIFORM_B ? 1 : 4)) {
			component = 0;
			reg++;
		}
		if (reg > last || !is_register(reg))
			return diag_set(d, DIAG_USAGE, "\"%.*s\" has no room for so many values", (int)n, text);
		if (!read_value(&at, reg < UNIFORM_I, &value) || (*at && *at != ','))
			return diag_set(d, DIAG_USAGE,
					"found \"%s\" in the values of \"%.*s\", expected numbers set apart by commas",
					at, (int)n, text);
		set_component(p, reg, component, value);
	}
	return true;
}
