/* CLRX: texts that waited for later lines, and the program as an image. A kernel finds arguments by the format:
 *
 *   amdcl2   s[0:3] private memory; .useargs: s[4:5] arguments; .usesetup: s[4:5] dispatch packet, s[6:7] arguments;
 *            .usegeneric: s[4:5] packet, s[6:7] queue with the windows, s[8:9] arguments, s[10:11] flat scratch
 *   gallium  s[0:1] arguments behind 9 words: groups, threads of the grid, threads of a group; from LLVM 4 on
 *            s[4:5] packet, s[6:7] arguments
 *   rocm     registers in the order of .use_*
 *   amd      registers by .userdata: setup words and arguments as constant buffers, tables of resources (launch.h)
 *
 * Groups' numbers follow in the next SGPRs, threads' are v0 to v2 (facts: CLRX, doc/AmdCl2Abi.md, GalliumAbi.md and
 * amdbin/AmdCL2BinGen.cpp; LLVM, "Initial Kernel Execution State"). */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/text.h"
#include "core/image.h"
#include "core/isa.h"
#include "core/isa/gcn/clrx_impl.h"
#include "core/isa/gcn/names.h"

enum { HSA_DESCRIPTOR = 256, GALLIUM_HEADER = 36, LLVM_4 = 40000 };
/* Of amd_kernel_code_t, which stands in front of a kernel's code, or in .setup. */
enum { KD_ENTRY = 16, KD_RSRC1 = 48, KD_RSRC2 = 52, KD_PROPERTIES = 56, KD_PRIVATE = 60, KD_GROUP = 64, KD_KERNARG = 72,
	KD_BYTES = 64 };

/* ---- variables ---- */

static bool is_free(const struct clrx *c, unsigned first, unsigned count)
{
	for (unsigned i = first; i < first + count; i++)
		if (c->used[i / 64] >> i % 64 & 1)
			return false;
	return true;
}

/* Each variable of .regvar gets registers that no other has, and that no instruction names. */
static bool place_variables(struct clrx *c)
{
	unsigned scalars = gcn_sgprs(gcn_generation(&c->target));

	for (struct clrx_variable *v = c->variables; v; v = v->next) {
		unsigned base = v->vector ? 128 : 0, most = v->vector ? 256 : scalars, first = 0;
		unsigned unit = v->vector || v->count == 1 ? 1 : v->count == 2 ? 2 : 4;
		while (first + v->count <= most && !is_free(c, base + first, v->count))
			first += unit;
		if (first + v->count > most)
			return diag_place(c->d, v->position, "no %u registers are left for %s: each name of .regvar "
					  "has registers of its own", v->count, v->name);
		for (unsigned i = base + first; i < base + first + v->count; i++)
			c->used[i / 64] |= 1ull << i % 64;
		v->code = (uint16_t)((v->vector ? CODE_V : 0) + first);
	}
	return true;
}

/* ---- memory ---- */

static uint32_t round_up(uint64_t v, uint32_t unit)
{
	return (uint32_t)((v + unit - 1) / unit * unit);
}

/* Code and data of formats whose kernels know distances lie behind each other. */
static uint32_t place_sections(struct clrx *c)
{
	const int order[] = { c->main.text, c->main.rodata, c->main.rwdata, c->main.bss };
	uint32_t at = 0;

	for (unsigned i = 0; i < 4 && !c->chosen.separate_layout && c->chosen.format != FORMAT_AMDCL2; i++) {
		struct clrx_section *s = order[i] != SECTION_NONE ? &c->sections.list[order[i]] : NULL;
		if (!s)
			continue;
		at = round_up(at, 256);
		s->address = at;
		s->mapped = true;
		at += (uint32_t)s->size;
	}
	return at;
}

static bool put_data(struct clrx *c, const struct clrx_fixup *f)
{
	struct clrx_section *s = &c->sections.list[f->section];
	const char *p = f->text.text;
	struct clrx_value v;
	bool known;

	c->now = (struct clrx_statement){ f->text.text, f->text.position };
	c->here = f->section;
	if (!clrx_expression(c, f->text.scope, &p, &v, &known))
		return false;
	if (v.section != SECTION_NONE && c->sections.list[v.section].kind != SECTION_CODE)
		return clrx_error(c, NULL, "the address of a place in data is not known here: expected a number or the "
				  "distance of two places");
	if (s->kind != SECTION_BSS && s->kind != SECTION_ABSOLUTE)
		clrx_put(s->bytes + f->offset, f->size, v.number);
	return true;
}

static bool resolve(struct clrx *c)
{
	c->final = true;
	for (size_t i = 0; i < c->fixups.count; i++) {
		const struct clrx_fixup *f = &c->fixups.list[i];
		if (!(f->is_instruction ? clrx_encode_again(c, f) : put_data(c, f)))
			return false;
	}
	return true;
}

/* ---- kernels ---- */

static uint32_t word(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool hsa_gallium(const struct clrx *c)
{
	return c->chosen.format == FORMAT_GALLIUM && c->chosen.llvm_version >= LLVM_4;
}

/* The code of a format with all kernels in one section begins at a label, mostly behind the kernel's descriptor. */
static bool find_entry(struct clrx *c, const struct clrx_kernel *k, uint32_t *label, uint32_t *entry)
{
	const struct clrx_section *code = &c->sections.list[k->code];
	enum clrx_format format = c->chosen.format;
	bool described = !c->chosen.plain_entry &&
			 (format == FORMAT_ROCM || format == FORMAT_AMDCL2 || hsa_gallium(c));
	struct clrx_symbol *s;

	*label = *entry = 0;
	if (c->chosen.separate_layout)
		return code->size || diag_place(c->d, k->position, "kernel %.100s has no code: .text is "
						"missing", k->name);
	s = clrx_find(c, c->names.root, k->name, strlen(k->name));
	if (!s || s->kind != SYMBOL_VALUE || s->value.section != k->code)
		return diag_place(c->d, k->position, "kernel %.100s has no code: a label `%.60s:` in .text is its "
				  "beginning",
				  k->name, k->name);
	*label = *entry = (uint32_t)s->value.number;
	if (described)
		*entry += k->number[NUMBER_ENTRY] >= 0 ? (uint32_t)k->number[NUMBER_ENTRY] :
			  !k->configured && *label + HSA_DESCRIPTOR <= code->size ?
			  word(code->bytes + *label + KD_ENTRY) : HSA_DESCRIPTOR;
	if (*entry < code->size && *entry % 4 == 0)
		return true;
	return diag_place(c->d, k->position, "the code of kernel %.100s begins at place 0x%x of .text, which ends at "
			  "0x%llx; in this format %d bytes for a descriptor stand between the label and the code "
"(.skip %d)",
			  k->name, *entry, (unsigned long long)code->size, HSA_DESCRIPTOR, HSA_DESCRIPTOR);
}

static uint32_t properties(const struct clrx *c, const struct clrx_kernel *k)
{
	uint32_t p = GCN_PRIVATE_BUFFER;

	if (c->chosen.format == FORMAT_AMD)
		return 0;                       /* .userdata says it */
	if (c->chosen.format == FORMAT_ROCM || k->hsa || (hsa_gallium(c) && k->properties))
		return k->properties;           /* .use_… say it */
	if (hsa_gallium(c))
		return p | GCN_DISPATCH_PTR | GCN_KERNARG_PTR;
	if (c->chosen.format == FORMAT_GALLIUM)
		return GCN_KERNARG_PTR | GCN_DISPATCH_ID;       /* s[2:3]: the address of private memory */
	if (k->flags & (FLAG_GENERIC | FLAG_ENQUEUE | FLAG_SETUP | FLAG_ARGS))
		p |= GCN_KERNARG_PTR;
	if (k->flags & (FLAG_GENERIC | FLAG_ENQUEUE | FLAG_SETUP))
		p |= GCN_DISPATCH_PTR;
	if (k->flags & FLAG_GENERIC)
		p |= GCN_QUEUE_PTR;
	if (k->flags & (FLAG_GENERIC | FLAG_ENQUEUE) || gcn_generation(&c->target) == GCN_14)
		p |= GCN_FLAT_SCRATCH;
	return p;
}

static uint32_t rsrc1(const struct clrx *c, const struct clrx_kernel *k)
{
	enum { MODE = 12, DX10_CLAMP = 21, IEEE = 23 };
	int64_t said = k->number[NUMBER_RSRC1], mode = k->number[NUMBER_FLOAT_MODE];
	uint32_t v = said >= 0 ? (uint32_t)said : 0;

	v |= mode >= 0 ? (uint32_t)mode << MODE : said >= 0 ? 0 : 0xc0u << MODE;
	if (k->flags & FLAG_DX10 || c->chosen.format == FORMAT_AMDCL2)
		v |= 1u << DX10_CLAMP;
	return v | (k->flags & FLAG_IEEE ? 1u << IEEE : 0);
}

static uint32_t rsrc2(const struct clrx_kernel *k)
{
	enum { DIMENSIONS = 0x1b80 };
	int64_t said = k->number[NUMBER_RSRC2];
	uint32_t v = said >= 0 ? (uint32_t)said & ~(uint32_t)GCN_SCRATCH_OFFSET : 0;

	if (k->dims_said)
		v = (v & ~(uint32_t)DIMENSIONS) | k->dims[0] * GCN_GROUP_X |
		    (k->dims[1] & 4 ? 2u : k->dims[1] & 2 ? 1u : 0u) << 11;
	if (k->number[NUMBER_SCRATCH] > 0)
		v |= GCN_SCRATCH_OFFSET;
	return v | (k->flags & FLAG_TGSIZE ? GCN_GROUP_INFO : 0);
}

/* The user's registers as .userdatanum counts them have to be those of .use_*. */
static bool check_user(struct clrx *c, const struct clrx_kernel *k, uint32_t p)
{
	static const uint8_t words[] = { 4, 2, 2, 2, 2, 2, 1, 1, 1, 1 };
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof words; i++)
		n += p >> i & 1 ? words[i] : 0;
	return k->number[NUMBER_USER] < 0 || k->number[NUMBER_USER] == n ||
	       diag_place(c->d, k->position, "kernel %.100s: .userdatanum says %u registers, its .use_… take "
			  "%u", k->name,
			  (unsigned)k->number[NUMBER_USER], n);
}

/* The descriptor of a kernel, of which launches read three words. */
static bool describe(struct clrx *c, const struct clrx_kernel *k, const uint8_t *given, struct image_kernel *out)
{
	uint8_t *kd = arena_alloc(&c->im->arena, KD_BYTES, 8);
	uint32_t p = given ? word(given + KD_PROPERTIES) : properties(c, k);

	if (!kd)
		return clrx_no_memory(c);
	out->descriptor = kd;
	if (given) {
		memcpy(kd, given, KD_BYTES);
		out->lmem = word(given + KD_PRIVATE);
		out->smem = word(given + KD_GROUP);
		out->param_bytes = word(given + KD_KERNARG);
		out->regs = ((word(given + KD_RSRC1) & 0x3f) + 1) * 4;
		out->warp_regs = ((word(given + KD_RSRC1) >> 6 & 0xf) + 1) * 8;
		return (out->lmem <= 1 << 24 && out->smem <= 65536 && out->param_bytes <= 4096) ||
		       diag_place(c->d, k->position, "kernel %.100s: the bytes of its descriptor are none: 0x%x of "
				  "LDS, 0x%x of private memory", k->name, out->smem, out->lmem);
	}
	clrx_put(kd + KD_RSRC1, 4, rsrc1(c, k));
	clrx_put(kd + KD_RSRC2, 4, rsrc2(k));
	clrx_put(kd + KD_PROPERTIES, 4, p);
	return check_user(c, k, p);
}

/* The kernel's own descriptor, as bytes of .setup or in front of the code; NULL: the configuration has the facts. */
static const uint8_t *given_descriptor(const struct clrx *c, const struct clrx_kernel *k, uint32_t label,
				       uint32_t entry)
{
	const struct clrx_section *setup = k->setup != SECTION_NONE ? &c->sections.list[k->setup] : NULL;

	if (setup && setup->size >= KD_KERNARG + 8)
		return setup->bytes;
	return !k->configured && entry - label >= KD_KERNARG + 8 ? c->sections.list[k->code].bytes + label : NULL;
}

/* Vector registers of the instructions between a kernel's label and the next; of all with .kcode. */
static uint32_t count_registers(const struct clrx *c, const struct clrx_kernel *k, uint32_t label)
{
	const struct clrx_section *code = &c->sections.list[k->code];
	uint32_t end = UINT32_MAX, most = 1;

	for (size_t i = 0; i < c->kernels.count && !c->chosen.separate_layout; i++) {
		struct clrx_symbol *s = clrx_find((struct clrx *)(uintptr_t)c, c->names.root, c->kernels.list[i].name,
						  strlen(c->kernels.list[i].name));
		if (s && s->value.number > label && s->value.number < end)
			end = (uint32_t)s->value.number;
	}
	for (size_t i = 0; i < code->lines.count; i++)
		if (c->chosen.kcode || (code->lines.list[i].offset >= label && code->lines.list[i].offset < end))
			most = code->lines.list[i].registers > most ? code->lines.list[i].registers : most;
	return most;
}

static bool add_hidden(struct clrx *c, struct image_kernel *out, struct image_hidden hidden)
{
	struct image_hidden *h = image_push(&c->im->arena, &out->hidden, &out->nhidden);

	if (h)
		*h = hidden;
	return h || clrx_no_memory(c);
}

static bool add_arguments(struct clrx *c, const struct clrx_kernel *k, struct image_kernel *out)
{
	struct arena *a = &c->im->arena;
	uint32_t begin = c->chosen.format == FORMAT_GALLIUM && !hsa_gallium(c) ? GALLIUM_HEADER :
			 c->chosen.format == FORMAT_AMD ? GCN_SETUP_BYTES : 0, end = begin;

	for (size_t i = 0; i < k->arguments.count; i++) {
		const struct clrx_argument *from = &k->arguments.list[i];
		if (from->offset + from->size + begin > end)
			end = from->offset + from->size + begin;
		if (from->hidden) {
			if (!add_hidden(c, out, (struct image_hidden){ from->kind, from->offset + begin, from->size }))
				return false;
			continue;
		}
		struct image_param *p = image_push(a, &out->params, &out->nparams);
		if (!p || !(p->name = arena_strdup(a, from->name)) ||
		    !(p->type = arena_strdup(a, from->type ? from->type : "")))
			return clrx_no_memory(c);
		p->kind = arena_strdup(a, from->kind);
		p->space = from->space ? arena_strdup(a, from->space) : NULL;
		p->ordinal = (uint16_t)(out->nparams - 1);
		p->offset = from->offset + begin;
		p->size = from->size;
	}
	if (out->param_bytes < end)
		out->param_bytes = end;
	if (k->number[NUMBER_KERNARG] > (int64_t)out->param_bytes)
		out->param_bytes = (uint32_t)k->number[NUMBER_KERNARG];
	return true;
}

/* Words of the setup buffer of AMD's OpenCL 1.2 (CLRX, AmdAbi.md, "Argument passing and kernel setup"). */
static bool add_setup(struct clrx *c, struct image_kernel *out)
{
	static const struct { const char *kind; uint8_t word; } words[] = {
		{ "hidden_grid_size_x", 0 }, { "hidden_grid_size_y", 1 }, { "hidden_grid_size_z", 2 },
		{ "hidden_grid_dims", 3 }, { "hidden_group_size_x", 4 }, { "hidden_group_size_y", 5 },
		{ "hidden_group_size_z", 6 }, { "hidden_block_count_x", 8 }, { "hidden_block_count_y", 9 },
		{ "hidden_block_count_z", 10 }, { "hidden_global_offset_x", 24 }, { "hidden_global_offset_y", 25 },
		{ "hidden_global_offset_z", 26 },
	};
	static const char *const offsets[] = {
		"hidden_global_offset_x", "hidden_global_offset_y", "hidden_global_offset_z" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!add_hidden(c, out, (struct image_hidden){ words[i].kind, 4u * words[i].word, 4 }))
			return false;
	if (!add_hidden(c, out, (struct image_hidden){ GCN_HIDDEN_DATA, 4 * 32, c->chosen.wide ? 8 : 4 }))
		return false;
	for (unsigned i = 0; i < 3; i++)
		if (!add_hidden(c, out, (struct image_hidden){ offsets[i], 4 * ((c->chosen.wide ? 37 : 36) + i), 4 }))
			return false;
	return true;
}

/* Setup words, scalar registers, and why there may be no launch, of AMD's OpenCL 1.2. */
static bool add_amd(struct clrx *c, const struct clrx_kernel *k, struct image_kernel *out)
{
	const char *why = k->configured ? NULL : GCN_NO_CONFIGURATION;

	for (unsigned i = 0; i < k->nuser_data && !why; i++)
		why = !strcmp(k->user_data[i].kind, GCN_NO_SGPRS) ? GCN_NO_SGPRS : NULL;
	if (why)
		return add_hidden(c, out, (struct image_hidden){ .kind = why });
	for (unsigned i = 0; i < k->nuser_data; i++) {
		const struct clrx_user_data *u = &k->user_data[i];
		if (!add_hidden(c, out, (struct image_hidden){ u->kind, 4u * u->first_register, 4u * u->count }))
			return false;
	}
	return add_setup(c, out);
}

/* The 9 words in front of the arguments. */
static bool add_header(struct clrx *c, struct image_kernel *out)
{
	static const char *const kinds[] = {
		"hidden_block_count_x", "hidden_block_count_y", "hidden_block_count_z", "hidden_grid_size_x",
		"hidden_grid_size_y", "hidden_grid_size_z", "hidden_group_size_x", "hidden_group_size_y",
		"hidden_group_size_z",
	};

	for (unsigned i = 0; i < GALLIUM_HEADER / 4; i++)
		if (!add_hidden(c, out, (struct image_hidden){ kinds[i], 4 * i, 4 }))
			return false;
	return true;
}

static bool add_lines(struct clrx *c, const struct clrx_section *code, struct image_kernel *out)
{
	uint32_t last = 0;

	for (size_t i = 0; i < code->lines.count; i++) {
		uint32_t line = code->lines.list[i].line ? code->lines.list[i].line : last;
		struct image_line *l = image_push(&c->im->arena, &out->lines, &out->nlines);
		if (!l)
			return clrx_no_memory(c);
		*l = (struct image_line){ code->lines.list[i].offset, line };
		last = line;
	}
	return true;
}

static bool add_labels(struct clrx *c, int section, struct image_kernel *out)
{
	for (const struct clrx_scope *scope = c->names.scopes; scope; scope = scope->all_next)
		for (const struct clrx_symbol *s = scope->symbols; s; s = s->hh.next) {
			struct image_label *l;
			if (!s->is_label || s->kind != SYMBOL_VALUE || s->value.section != section)
				continue;
			l = image_push(&c->im->arena, &out->labels, &out->nlabels);
			if (!l || !(l->name = arena_strdup(&c->im->arena, s->name)))
				return clrx_no_memory(c);
			l->pc = (uint32_t)s->value.number;
		}
	return true;
}

static const uint8_t *code_bytes(struct clrx *c, int section, uint32_t *n)
{
	const struct clrx_section *s = &c->sections.list[section];
	uint8_t *code;

	for (size_t i = 0; !c->chosen.separate_layout && i < c->im->nkernels; i++)
		if (c->im->kernels[i].code) {
			*n = c->im->kernels[i].code_bytes;
			return c->im->kernels[i].code;
		}
	*n = round_up(s->size, 4);
	code = arena_alloc(&c->im->arena, *n + 1, 16);
	if (code && s->size)
		memcpy(code, s->bytes, s->size);
	return code;
}

/* The number of a data section's global: sections with bytes become globals in the order rodata, data, bss. */
static uint32_t global_of(const struct clrx *c, int section)
{
	const int order[] = { c->main.rodata, c->main.rwdata, c->main.bss };
	uint32_t global = 0;

	for (unsigned n = 0; n < 3 && order[n] != section; n++)
		global += order[n] != SECTION_NONE && c->sections.list[order[n]].size;
	return global;
}

/* Halves of addresses in the code. */
static bool add_literals(struct clrx *c, int section, struct image_kernel *out)
{
	for (size_t i = 0; i < c->relocations.count; i++) {
		const struct clrx_relocation *r = &c->relocations.list[i];
		struct image_literal *l;
		if (r->section != section)
			continue;
		if (r->addend > c->sections.list[r->to].size)
			return diag_place(c->d, r->position, "the address is 0x%llx bytes behind the beginning of %s, "
					  "which has 0x%llx", (unsigned long long)r->addend,
					  c->sections.list[r->to].name,
					  (unsigned long long)c->sections.list[r->to].size);
		if (!(l = image_push(&c->im->arena, &out->literals, &out->nliterals)))
			return clrx_no_memory(c);
		*l = (struct image_literal){ r->offset, global_of(c, r->to), (uint32_t)r->addend,
					     r->half == HALF_HIGH };
	}
	return true;
}

static void take_configuration(const struct clrx_kernel *k, struct image_kernel *out)
{
	enum { VECTORS_UNIT = 4, SCALARS_UNIT = 8, SCALARS_EXTRA = 6 };

	if (k->number[NUMBER_VGPRS] > 0)
		out->regs = round_up((uint64_t)k->number[NUMBER_VGPRS], VECTORS_UNIT);
	if (k->number[NUMBER_SGPRS] > 0)
		out->warp_regs = round_up((uint64_t)k->number[NUMBER_SGPRS], SCALARS_UNIT);
	if (k->number[NUMBER_LOCAL] > 0)
		out->smem = (uint32_t)k->number[NUMBER_LOCAL];
	if (k->number[NUMBER_SCRATCH] > 0)
		out->lmem = (uint32_t)k->number[NUMBER_SCRATCH];
	memcpy(out->launch.block, k->group, sizeof k->group);
}

static bool add_kernel(struct clrx *c, const struct clrx_kernel *k)
{
	struct image_kernel *out = image_push(&c->im->arena, &c->im->kernels, &c->im->nkernels);
	uint32_t label, entry;
	const uint8_t *given;

	if (!out || !(out->name = arena_strdup(&c->im->arena, k->name)))
		return clrx_no_memory(c);
	if (!find_entry(c, k, &label, &entry))
		return false;
	given = given_descriptor(c, k, label, entry);
	if (!(out->code = code_bytes(c, k->code, &out->code_bytes)))
		return clrx_no_memory(c);
	out->entry = entry;
	if (!describe(c, k, given, out))
		return false;
	if (!given || !out->regs)
		out->regs = round_up(count_registers(c, k, label), 4);
	take_configuration(k, out);
	return (c->chosen.format != FORMAT_GALLIUM || hsa_gallium(c) || add_header(c, out)) &&
	       add_arguments(c, k, out) && (c->chosen.format != FORMAT_AMD || add_amd(c, k, out)) &&
	       add_lines(c, &c->sections.list[k->code], out) && add_labels(c, k->code, out) &&
	       add_literals(c, k->code, out);
}

/* A text without kernels: the program itself, with the launch of the house's own texts. */
static bool add_raw(struct clrx *c)
{
	struct clrx_kernel k = { .name = "main", .code = c->main.text, .setup = SECTION_NONE };
	struct image_kernel *out = image_push(&c->im->arena, &c->im->kernels, &c->im->nkernels);

	if (!c->sections.list[c->main.text].size)
		return diag_place(c->d, (struct text_place){ NULL, 1, 1 }, "the text has neither a kernel nor code: "
				  ".kernel NAME opens one");
	if (!out || !(out->name = arena_strdup(&c->im->arena, k.name)))
		return clrx_no_memory(c);
	out->code = code_bytes(c, k.code, &out->code_bytes);
	if (!out->code)
		return clrx_no_memory(c);
	out->regs = count_registers(c, &k, 0);
	return add_lines(c, &c->sections.list[k.code], out) && add_labels(c, k.code, out);
}

/* ---- the source's notes ---- */

/* The rest of each line that begins with `word`, "# arg:": the last is NULL; NULL: none. */
static bool read_notes(struct clrx *c, const char *word, const char *const **out)
{
	const char *end = c->source->text + c->source->size, **list = NULL;
	size_t n = 0, length = strlen(word);

	for (const char *line = c->source->text, *stop; line < end; line = stop + 1) {
		stop = memchr(line, '\n', (size_t)(end - line));
		stop = stop ? stop : end;
		const char *from = line, *to = stop;
		while (from < to && (*from == ' ' || *from == '\t'))
			from++;
		if ((size_t)(to - from) <= length || memcmp(from, word, length))
			continue;
		for (from += length; from < to && (*from == ' ' || *from == '\t'); from++)
			;
		while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r'))
			to--;
		const char **slot = image_push(&c->im->arena, &list, &n);
		if (!slot || !(*slot = arena_text(&c->im->arena, from, (size_t)(to - from))))
			return clrx_no_memory(c);
	}
	if (n && !image_push(&c->im->arena, &list, &n))
		return clrx_no_memory(c);
	*out = list;
	return true;
}

static bool read_size(struct clrx *c, const char *word, uint32_t out[3])
{
	const char *const *notes = NULL;

	if (!read_notes(c, word, &notes) || !notes)
		return !c->d->kind;
	out[0] = out[1] = out[2] = 1;
	return sscanf(*notes, "%u,%u,%u", &out[0], &out[1], &out[2]) > 0 ||
	       diag_place(c->d, (struct text_place){ NULL, 1, 1 }, "%s %.40s: expected numbers "
				 "X[,Y[,Z]]", word, *notes);
}

/* Launch and expectations of the file itself: all its kernels have them. */
static bool add_notes(struct clrx *c)
{
	struct image_launch wishes = { .mps = 0 };

	if (!read_notes(c, "# arg:", &wishes.args) || !read_notes(c, "# expect:", &wishes.expect) ||
	    !read_size(c, "# grid:", wishes.grid) || !read_size(c, "# block:", wishes.block))
		return false;
	for (size_t i = 0; i < c->im->nkernels; i++) {
		struct image_launch *l = &c->im->kernels[i].launch;
		l->args = wishes.args;
		l->expect = wishes.expect;
		memcpy(l->grid, wishes.grid, sizeof l->grid);
		if (wishes.block[0])
			memcpy(l->block, wishes.block, sizeof l->block);
	}
	return true;
}

/* ---- the program ---- */

static bool add_global(struct clrx *c, int section)
{
	const struct clrx_section *s = section != SECTION_NONE ? &c->sections.list[section] : NULL;
	struct image_global *g;

	if (!s || !s->size)
		return true;
	g = image_push(&c->im->arena, &c->im->globals, &c->im->nglobals);
	if (!g)
		return clrx_no_memory(c);
	*g = (struct image_global){ .name = s->name, .size = (uint32_t)s->size,
				    .filled = s->kind == SECTION_BSS ? 0 : (uint32_t)s->size };
	g->bytes = g->filled ? arena_memdup(&c->im->arena, s->bytes, s->size) : NULL;
	return g->bytes || !g->filled || clrx_no_memory(c);
}

/* One memory for code and data, at their distances. */
static bool add_memory(struct clrx *c, uint32_t n)
{
	struct image_global *g;
	uint8_t *bytes;

	if (n <= c->sections.list[c->main.text].size)
		return true;
	bytes = arena_alloc(&c->im->arena, n, 256);
	g = image_push(&c->im->arena, &c->im->globals, &c->im->nglobals);
	if (!bytes || !g)
		return clrx_no_memory(c);
	for (size_t i = 0; i < c->sections.count; i++) {
		const struct clrx_section *s = &c->sections.list[i];

		if (s->mapped && s->kind != SECTION_BSS && s->size)
			memcpy(bytes + s->address, s->bytes, s->size);
	}
	*g = (struct image_global){ .name = "memory", .size = n, .filled = n, .bytes = bytes };
	c->im->code_in_global = true;
	return true;
}

static bool add_data(struct clrx *c, uint32_t n)
{
	if (c->chosen.separate_layout || c->chosen.format == FORMAT_AMDCL2)
		return add_global(c, c->main.rodata) && add_global(c, c->main.rwdata) && add_global(c, c->main.bss);
	return add_memory(c, n);
}

bool clrx_finish(struct clrx *c)
{
	uint32_t memory = place_sections(c);
	bool ok = place_variables(c) && resolve(c);

	if (c->flow.nconditions)
		return clrx_never_closed(c);
	if (ok && !c->kernels.count)
		ok = add_raw(c);
	for (size_t i = 0; ok && i < c->kernels.count; i++)
		ok = add_kernel(c, &c->kernels.list[i]);
	if (!ok || !add_data(c, memory) || !add_notes(c))
		return false;
	c->im->machine = "gcn";
	c->im->mode = "cp";
	bool narrow = !c->chosen.wide && (c->chosen.format == FORMAT_AMDCL2 || c->chosen.format == FORMAT_AMD);
	c->im->pointer_bytes = narrow ? 4 : 8;
	c->im->chip = arena_strdup(&c->im->arena, c->chosen.chip);
	return c->im->chip || clrx_no_memory(c);
}
