/* Reading and writing shader binaries; every offset is checked before use. */
#include "core/load/shbin.h"

#include <string.h>

#include "core/base/text.h"

enum {
	DVLB_HEADER = 8, DVLP_HEADER = 0x1c, DVLE_HEADER = 0x40,
	DESC_BYTES = 8, CONSTANT_BYTES = 0x14, LABEL_BYTES = 0x10, OUTPUT_BYTES = 8, UNIFORM_BYTES = 8,
};

static const char DVLB[4] = "DVLB", DVLP[4] = "DVLP", DVLE[4] = "DVLE";

/* ---- reading ---- */

struct reader {
	const uint8_t *bytes;
	size_t n;
	struct arena *arena;
	struct diag *d;
	const struct shader *shader;
};

/* A table of a DVLE, and the table's names. */
struct table {
	size_t offset;          /* offset in the file */
	uint32_t count;
};

struct names {
	size_t offset;
	uint32_t bytes;
};

static uint32_t u16(const struct reader *r, size_t at)
{
	return r->bytes[at] | (uint32_t)r->bytes[at + 1] << 8;
}

static uint32_t u32(const struct reader *r, size_t at)
{
	return u16(r, at) | u16(r, at + 2) << 16;
}

static bool inside(const struct reader *r, size_t at, uint64_t bytes, const char *what)
{
	if (at <= r->n && bytes <= r->n - at)
		return true;
	return diag_at(r->d, (int64_t)at, "%s needs %llu bytes here, but the file ends at %zu", what,
		       (unsigned long long)bytes, r->n);
}

static bool magic(const struct reader *r, size_t at, const char name[4], uint64_t header)
{
	char what[16] = "the xxxx header";

	memcpy(what + 4, name, 4);
	if (!inside(r, at, header, what))
		return false;
	if (memcmp(r->bytes + at, name, 4) == 0)
		return true;
	return diag_at(r->d, (int64_t)at, "found %02x %02x %02x %02x, expected the letters %.4s", r->bytes[at],
		       r->bytes[at + 1], r->bytes[at + 2], r->bytes[at + 3], name);
}

static bool no_memory(struct diag *d)
{
	return diag_set(d, DIAG_ENV, "no memory for the shader");
}

/* An (offset, count) pair at `at`, the offset counted from `base`. */
static bool table_at(const struct reader *r, size_t at, size_t base, unsigned entry_bytes, const char *what,
		     struct table *t)
{
	*t = (struct table){ base + u32(r, at), u32(r, at + 4) };
	return inside(r, t->offset, (uint64_t)t->count * entry_bytes, what);
}

static bool read_words(struct reader *r, struct table t, unsigned stride, uint32_t **words)
{
	*words = ARENA_ARRAY(r->arena, uint32_t, t.count + 1);
	if (!*words)
		return no_memory(r->d);
	for (uint32_t i = 0; i < t.count; i++)
		(*words)[i] = u32(r, t.offset + (size_t)i * stride);
	return true;
}

static bool read_dvlp(struct reader *r, size_t at, struct shader *s)
{
	struct table code, desc;

	if (!magic(r, at, DVLP, DVLP_HEADER) || !table_at(r, at + 8, at, 4, "the program", &code) ||
	    !table_at(r, at + 0x10, at, DESC_BYTES, "the operand descriptor table", &desc))
		return false;
	if (!code.count)
		return diag_at(r->d, (int64_t)at + 0xc, "found a program of 0 words, expected at least one");
	if (code.count > SHADER_MAX_CODE)
		return diag_at(r->d, (int64_t)at + 0xc, "found a program of %u words, at most %d fit", code.count,
			       SHADER_MAX_CODE);
	if (desc.count > SHADER_MAX_DESC)
		return diag_at(r->d, (int64_t)at + 0x14, "found %u operand descriptors, at most %d can be named",
			       desc.count, SHADER_MAX_DESC);
	s->ncode = code.count;
	s->ndesc = desc.count;
	return read_words(r, code, 4, &s->code) && read_words(r, desc, DESC_BYTES, &s->desc);
}

static bool read_name(struct reader *r, struct names names, size_t at, const char **name)
{
	uint32_t offset = u32(r, at);
	const char *text = (const char *)r->bytes + names.offset + offset;

	if (offset >= names.bytes || !memchr(text, 0, names.bytes - offset))
		return diag_at(r->d, (int64_t)at, "found a name at %u, expected the start of a text that ends within "
			       "the %u bytes of names", offset, names.bytes);
	*name = arena_text(r->arena, text, strlen(text));
	return *name || no_memory(r->d);
}

static bool read_constants(struct reader *r, struct table t, struct shader_entry *e)
{
	static const unsigned registers[] = { SHADER_BOOLS, SHADER_INTS, SHADER_FLOATS };

	e->nconstants = t.count;
	e->constant = ARENA_ARRAY(r->arena, struct shader_constant, t.count + 1);
	if (!e->constant)
		return no_memory(r->d);
	for (uint32_t i = 0; i < t.count; i++) {
		size_t at = t.offset + (size_t)i * CONSTANT_BYTES;
		struct shader_constant *c = &e->constant[i];
		c->type = (uint16_t)u16(r, at);
		c->reg = (uint16_t)u16(r, at + 2);
		if (c->type > SHADER_FLOAT)
			return diag_at(r->d, (int64_t)at, "found a constant of type %u, expected 0 (bool), 1 (int) or "
				       "2 (float)", c->type);
		if (c->reg >= registers[c->type])
			return diag_at(r->d, (int64_t)at + 2, "found a constant for %c%u, the last register is %c%u",
				       "bic"[c->type], c->reg, "bic"[c->type], registers[c->type] - 1);
		for (int k = 0; k < 4; k++) {
			if (c->type == SHADER_FLOAT)
				c->value[k] = u32(r, at + 4 + 4 * (size_t)k) & 0xffffff;
			else if (c->type == SHADER_INT)
				c->value[k] = r->bytes[at + 4 + (size_t)k];
		}
		if (c->type == SHADER_BOOL)
			c->value[0] = r->bytes[at + 4] != 0;
	}
	return true;
}

static bool read_labels(struct reader *r, struct table t, struct names names, struct shader_entry *e)
{
	e->nlabels = t.count;
	e->label = ARENA_ARRAY(r->arena, struct shader_label, t.count + 1);
	if (!e->label)
		return no_memory(r->d);
	for (uint32_t i = 0; i < t.count; i++) {
		size_t at = t.offset + (size_t)i * LABEL_BYTES;
		struct shader_label *l = &e->label[i];
		*l = (struct shader_label){ .id = u32(r, at), .offset = u32(r, at + 4), .size = u32(r, at + 8) };
		if (l->offset > r->shader->ncode)
			return diag_at(r->d, (int64_t)at + 4, "found a label at word %u, the program has %u", l->offset,
				       r->shader->ncode);
		if (!read_name(r, names, at + 12, &l->name))
			return false;
	}
	return true;
}

static bool read_outputs(struct reader *r, struct table t, struct shader_entry *e)
{
	e->noutputs = t.count;
	e->output = ARENA_ARRAY(r->arena, struct shader_output, t.count + 1);
	if (!e->output)
		return no_memory(r->d);
	for (uint32_t i = 0; i < t.count; i++) {
		size_t at = t.offset + (size_t)i * OUTPUT_BYTES;
		struct shader_output *o = &e->output[i];
		*o = (struct shader_output){ (uint16_t)u16(r, at), (uint16_t)u16(r, at + 2), (uint16_t)u16(r, at + 4) };
		if (o->reg >= SHADER_VECTORS)
			return diag_at(r->d, (int64_t)at + 2, "found output register o%u, the last is o15", o->reg);
	}
	return true;
}

static bool read_uniforms(struct reader *r, struct table t, struct names names, struct shader_entry *e)
{
	e->nuniforms = t.count;
	e->uniform = ARENA_ARRAY(r->arena, struct shader_uniform, t.count + 1);
	if (!e->uniform)
		return no_memory(r->d);
	for (uint32_t i = 0; i < t.count; i++) {
		size_t at = t.offset + (size_t)i * UNIFORM_BYTES;
		struct shader_uniform *u = &e->uniform[i];
		u->first_register = (uint16_t)u16(r, at + 4);
		u->last_register = (uint16_t)u16(r, at + 6);
		if (u->last_register < u->first_register || u->last_register >= UNIFORM_END)
			return diag_at(r->d, (int64_t)at + 4, "found a uniform in registers 0x%02x to 0x%02x, "
				       "expected a rising range below 0x%02x", u->first_register, u->last_register,
				       UNIFORM_END);
		if (!read_name(r, names, at, &u->name))
			return false;
	}
	return true;
}

static bool read_dvle(struct reader *r, size_t at, struct shader_entry *e)
{
	struct table constants, labels, outputs, uniforms;
	struct names names;

	if (!magic(r, at, DVLE, DVLE_HEADER) ||
	    !table_at(r, at + 0x18, at, CONSTANT_BYTES, "the constant table", &constants) ||
	    !table_at(r, at + 0x20, at, LABEL_BYTES, "the label table", &labels) ||
	    !table_at(r, at + 0x28, at, OUTPUT_BYTES, "the output table", &outputs) ||
	    !table_at(r, at + 0x30, at, UNIFORM_BYTES, "the uniform table", &uniforms))
		return false;
	names = (struct names){ at + u32(r, at + 0x38), u32(r, at + 0x3c) };
	if (!inside(r, names.offset, names.bytes, "the table of names"))
		return false;
	const uint8_t *h = r->bytes + at;
	if (h[6] > 1)
		return diag_at(r->d, (int64_t)at + 6, "found shader type %u, expected 0 (vertex) or 1 (geometry)",
			       h[6]);
	*e = (struct shader_entry){
		.geometry = h[6], .merge_outputs = h[7], .main = u32(r, at + 8), .endmain = u32(r, at + 0xc),
		.in_mask = (uint16_t)u16(r, at + 0x10), .out_mask = (uint16_t)u16(r, at + 0x12), .gs_mode = h[0x14],
		.gs_fixed_start = h[0x15], .gs_full_vertices = h[0x16], .gs_fixed_count = h[0x17],
	};
	if (e->main >= r->shader->ncode)
		return diag_at(r->d, (int64_t)at + 8, "found the entry point at word %u, the program has %u", e->main,
			       r->shader->ncode);
	if (e->geometry && e->gs_mode == GS_FIXED && e->gs_fixed_start >= SHADER_FLOATS)
		return diag_at(r->d, (int64_t)at + 0x15, "found c%u for the first attribute, expected c0 to c95",
			       e->gs_fixed_start);
	if (e->geometry && e->gs_mode > GS_FIXED)
		return diag_at(r->d, (int64_t)at + 0x14, "found geometry mode %u, expected 0 to 2", e->gs_mode);
	return read_constants(r, constants, e) && read_labels(r, labels, names, e) && read_outputs(r, outputs, e) &&
	       read_uniforms(r, uniforms, names, e);
}

bool shbin_sniff(const uint8_t *bytes, size_t n)
{
	return n >= 4 && memcmp(bytes, DVLB, 4) == 0;
}

bool shbin_load(struct shader *out, struct arena *a, const uint8_t *bytes, size_t n, struct diag *d)
{
	struct reader r = { bytes, n, a, d, out };

	*out = (struct shader){ 0 };
	if (!magic(&r, 0, DVLB, DVLB_HEADER))
		return false;
	uint32_t entries = u32(&r, 4);
	if (!inside(&r, DVLB_HEADER, (uint64_t)entries * 4, "the table of entry points"))
		return false;
	if (!read_dvlp(&r, DVLB_HEADER + (size_t)entries * 4, out))
		return false;
	out->entry = ARENA_ARRAY(a, struct shader_entry, entries + 1);
	if (!out->entry)
		return no_memory(d);
	for (; out->nentries < entries; out->nentries++)
		if (!read_dvle(&r, u32(&r, DVLB_HEADER + 4 * (size_t)out->nentries), &out->entry[out->nentries]))
			return false;
	return true;
}

/* ---- writing ---- */

/* Offsets of the parts of one entry point in the file. */
struct layout {
	size_t header, outputs, constants, uniforms, labels, names, end;
};

static size_t names_bytes(const struct shader_entry *e)
{
	size_t n = 0;

	for (uint32_t i = 0; i < e->nlabels; i++)
		n += strlen(e->label[i].name) + 1;
	for (uint32_t i = 0; i < e->nuniforms; i++)
		n += strlen(e->uniform[i].name) + 1;
	return n;
}

static struct layout lay_out(const struct shader_entry *e, size_t header, size_t at)
{
	struct layout l = { .header = header, .outputs = at };

	l.constants = l.outputs + (size_t)e->noutputs * OUTPUT_BYTES;
	l.uniforms = l.constants + (size_t)e->nconstants * CONSTANT_BYTES;
	l.labels = l.uniforms + (size_t)e->nuniforms * UNIFORM_BYTES;
	l.names = l.labels + (size_t)e->nlabels * LABEL_BYTES;
	l.end = (l.names + names_bytes(e) + 3) & ~(size_t)3;
	return l;
}

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static void put32(uint8_t *p, size_t v)
{
	put16(p, (uint32_t)v);
	put16(p + 2, (uint32_t)(v >> 16));
}

static void put_pair(uint8_t *p, size_t offset, size_t count)
{
	put32(p, offset);
	put32(p + 4, count);
}

static void write_header(uint8_t *h, const struct shader_entry *e, struct layout l)
{
	memcpy(h, DVLE, 4);
	h[6] = e->geometry;
	h[7] = e->merge_outputs;
	put_pair(h + 8, e->main, e->endmain);
	put16(h + 0x10, e->in_mask);
	put16(h + 0x12, e->out_mask);
	h[0x14] = e->gs_mode;
	h[0x15] = e->gs_fixed_start;
	h[0x16] = e->gs_full_vertices;
	h[0x17] = e->gs_fixed_count;
	put_pair(h + 0x18, l.constants - l.header, e->nconstants);
	put_pair(h + 0x20, l.labels - l.header, e->nlabels);
	put_pair(h + 0x28, l.outputs - l.header, e->noutputs);
	put_pair(h + 0x30, l.uniforms - l.header, e->nuniforms);
	put_pair(h + 0x38, l.names - l.header, names_bytes(e));
}

static void write_constant(uint8_t *p, const struct shader_constant *c)
{
	put16(p, c->type);
	put16(p + 2, c->reg);
	for (int k = 0; k < 4; k++) {
		if (c->type == SHADER_FLOAT)
			put32(p + 4 + 4 * k, c->value[k]);
		else if (c->type == SHADER_INT || k == 0)
			p[4 + k] = (uint8_t)c->value[k];
	}
}

static size_t write_name(uint8_t *names, size_t *used, const char *name)
{
	size_t at = *used;

	strcpy((char *)names + at, name);
	*used += strlen(name) + 1;
	return at;
}

static void write_entry(uint8_t *file, const struct shader_entry *e, struct layout l)
{
	size_t used = 0;

	write_header(file + l.header, e, l);
	for (uint32_t i = 0; i < e->noutputs; i++) {
		uint8_t *p = file + l.outputs + (size_t)i * OUTPUT_BYTES;
		put16(p, e->output[i].type);
		put16(p + 2, e->output[i].reg);
		put16(p + 4, e->output[i].mask);
	}
	for (uint32_t i = 0; i < e->nconstants; i++)
		write_constant(file + l.constants + (size_t)i * CONSTANT_BYTES, &e->constant[i]);
	for (uint32_t i = 0; i < e->nlabels; i++) {
		const struct shader_label *s = &e->label[i];
		uint8_t *p = file + l.labels + (size_t)i * LABEL_BYTES;
		put_pair(p, s->id, s->offset);
		put_pair(p + 8, s->size, write_name(file + l.names, &used, s->name));
	}
	for (uint32_t i = 0; i < e->nuniforms; i++) {
		uint8_t *p = file + l.uniforms + (size_t)i * UNIFORM_BYTES;
		put32(p, write_name(file + l.names, &used, e->uniform[i].name));
		put16(p + 4, e->uniform[i].first_register);
		put16(p + 6, e->uniform[i].last_register);
	}
}

bool shbin_write(const struct shader *s, struct arena *a, uint8_t **bytes, size_t *n, struct diag *d)
{
	size_t dvlp = DVLB_HEADER + 4 * (size_t)s->nentries, dvles = dvlp + DVLP_HEADER;
	size_t code = dvles + DVLE_HEADER * (size_t)s->nentries, desc = code + 4 * (size_t)s->ncode;
	size_t tables = desc + DESC_BYTES * (size_t)s->ndesc;
	struct layout *l = ARENA_ARRAY(a, struct layout, s->nentries + 1);

	if (!l)
		return no_memory(d);
	*n = tables;
	for (uint32_t i = 0; i < s->nentries; i++) {
		l[i] = lay_out(&s->entry[i], dvles + DVLE_HEADER * (size_t)i, *n);
		*n = i + 1 < s->nentries ? l[i].end : l[i].names + names_bytes(&s->entry[i]);
	}
	uint8_t *file = *bytes = arena_alloc(a, *n, 1);
	if (!file)
		return no_memory(d);
	memcpy(file, DVLB, 4);
	put32(file + 4, s->nentries);
	memcpy(file + dvlp, DVLP, 4);
	put_pair(file + dvlp + 8, code - dvlp, s->ncode);
	put_pair(file + dvlp + 0x10, desc - dvlp, s->ndesc);
	for (uint32_t i = 0; i < s->ncode; i++)
		put32(file + code + 4 * (size_t)i, s->code[i]);
	for (uint32_t i = 0; i < s->ndesc; i++)
		put32(file + desc + DESC_BYTES * (size_t)i, s->desc[i]);
	for (uint32_t i = 0; i < s->nentries; i++) {
		put32(file + DVLB_HEADER + 4 * (size_t)i, l[i].header);
		write_entry(file, &s->entry[i], l[i]);
	}
	return true;
}
