/* Kernels of an AMD code object: metadata lists kernels with arguments, a descriptor in memory has sizes, entry and
 * hardware setup. Version 2 uses other words and offsets, and its metadata may be absent: then the symbols of type 10
 * are the kernels, and their arguments are unknown. */
#include "core/load/code_object.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/load/metadata.h"

enum { LIMIT_ARGUMENTS = 1024, LIMIT_ARGUMENT_BYTES = 4096, LIMIT_LDS = 65536, LIMIT_PRIVATE = 1 << 20 };
enum { WAVEFRONT = 64 };

/* Offsets of a descriptor's parts in bytes. The hardware setup (rsrc1, rsrc2, properties: from byte 48 on) is at the
 * same offset in both versions. wavefront: binary logarithm of the lanes; 0: only the metadata has the number. */
static const struct descriptor {
	uint16_t bytes, lds, private, arguments, wavefront;
} descriptors[] = {
	{ 64, 0, 4, 8, 0 },                             /* kernel_descriptor_t */
	{ AMD_KERNEL_CODE_BYTES, 64, 60, 72, 103 },     /* amd_kernel_code_t, version 2 */
};
enum { DESCRIPTOR_ENTRY = 16, DESCRIPTOR_RSRC1 = 48 };

/* The words of the metadata. Version 2 has no offsets of arguments: each argument follows the one before, aligned. */
static const struct words {
	const char *kernels, *name, *symbol, *arguments, *attributes, *block, *block_hint, *vector_hint;
	const char *kind, *argument, *type, *size, *offset, *align, *space, *access;
	const char *qualifiers[3];      /* in the order of the bits of enum image_qualifier */
} words[] = {
	{ "amdhsa.kernels", ".name", ".symbol", ".args", NULL, ".reqd_workgroup_size",
	  ".workgroup_size_hint", ".vec_type_hint",
	  ".value_kind", ".name", ".type_name", ".size", ".offset", NULL, ".address_space", ".access",
	  { ".is_const", ".is_restrict", ".is_volatile" } },
	{ "Kernels", "Name", "SymbolName", "Args", "Attrs", "ReqdWorkGroupSize",
	  "WorkGroupSizeHint", "VecTypeHint",
	  "ValueKind", "Name", "TypeName", "Size", NULL, "Align", NULL, NULL,
	  { "IsConst", "IsRestrict", "IsVolatile" } },
};

struct kernels {
	struct object *o;
	const struct words *words;
	const struct descriptor *layout;
};

/* ---- the tree of the metadata ---- */

static const struct metadata *member(const struct metadata *map, const char *key)
{
	size_t n = strlen(key);

	for (size_t i = 0; map && map->kind == METADATA_MAP && i < map->n; i++) {
		const struct metadata *k = &map->node[2 * i];
		if (k->kind == METADATA_TEXT && k->n == n && !memcmp(k->text, key, n))
			return k + 1;
	}
	return NULL;
}

static const struct metadata *list(const struct metadata *map, const char *key)
{
	const struct metadata *m = member(map, key);
	return m && m->kind == METADATA_LIST ? m : NULL;
}

/* A number of a map; `otherwise` if absent. */
static uint64_t number(const struct metadata *map, const char *key, uint64_t otherwise)
{
	const struct metadata *m = member(map, key);
	return m && m->kind == METADATA_NUMBER ? m->number : otherwise;
}

/* A text of a map, in the image's arena; "" if absent. NULL: the host has no memory. */
static const char *text(struct object *o, const struct metadata *map, const char *key)
{
	const struct metadata *s = member(map, key);

	if (!s || s->kind != METADATA_TEXT || s->n > LIMIT_NAME)
		return "";
	return arena_text(&o->im->arena, s->text, s->n);
}

/* ---- arguments ---- */

/* The kind in the words of version 3 and later, from "HiddenGlobalOffsetX" to "hidden_global_offset_x" as well. */
static const char *kind_of(struct kernels *ks, const struct metadata *a)
{
	const char *camel = text(ks->o, a, ks->words->kind);
	char kind[64];
	size_t n = 0;

	if (!camel || ks->words->offset)
		return camel;
	for (const char *p = camel; *p && n + 2 < sizeof kind; p++) {
		if (isupper((unsigned char)*p) && p != camel)
			kind[n++] = '_';
		kind[n++] = (char)tolower((unsigned char)*p);
	}
	return arena_text(&ks->o->im->arena, kind, n);
}

/* Whether a map says true: not 0 in MessagePack, a text in YAML. */
static bool is_true(const struct metadata *map, const char *key)
{
	const struct metadata *m = member(map, key);

	return m && (m->kind == METADATA_TEXT ? m->n == 4 && !memcmp(m->text, "true", 4) : m->number != 0);
}

static uint64_t aligned(uint64_t offset, uint64_t align)
{
	return align > 1 && align <= LIMIT_ARGUMENT_BYTES ? (offset + align - 1) / align * align : offset;
}

/* Append an argument; *end is the end of the argument before. */
static bool add_argument(struct kernels *ks, struct image_kernel *k, const struct metadata *a, uint64_t *end)
{
	struct object *o = ks->o;
	const struct words *w = ks->words;
	uint64_t size = number(a, w->size, 0);
	uint64_t offset = w->offset ? number(a, w->offset, 0) : aligned(*end, number(a, w->align, 1));
	const char *kind = kind_of(ks, a), *name = text(o, a, w->argument), *type = text(o, a, w->type);

	if (!kind || !name || !type)
		return load_no_memory(o->l);
	if (offset > k->param_bytes || size > k->param_bytes - offset)
		return diag_set(o->l->diag, DIAG_INPUT,
				"kernel %.40s: argument \"%.40s\" of %" PRIu64 " bytes at %" PRIu64
				"; the descriptor says %u bytes in all",
				k->name, name, size, offset, k->param_bytes);
	*end = offset + size;
	if (!strncmp(kind, "hidden_", 7)) {
		struct image_hidden *h = image_push(&o->im->arena, &k->hidden, &k->nhidden);
		if (!h)
			return load_no_memory(o->l);
		*h = (struct image_hidden){ kind, (uint32_t)offset, (uint32_t)size };
		return true;
	}
	struct image_param *p = image_push(&o->im->arena, &k->params, &k->nparams);
	if (!p)
		return load_no_memory(o->l);
	*p = (struct image_param){ .name = name, .type = type, .kind = kind, .ordinal = (uint16_t)(k->nparams - 1),
				   .offset = (uint32_t)offset, .size = (uint32_t)size };
	p->space = w->space ? text(o, a, w->space) : NULL;
	p->access = w->access ? text(o, a, w->access) : NULL;
	for (int i = 0; i < 3; i++)
		p->qualifiers |= (uint8_t)(is_true(a, w->qualifiers[i]) << i);
	return true;
}

static bool add_arguments(struct kernels *ks, struct image_kernel *k, const struct metadata *m)
{
	const struct metadata *args = list(m, ks->words->arguments);
	uint64_t end = 0;

	if (args && args->n > LIMIT_ARGUMENTS)
		return diag_set(ks->o->l->diag, DIAG_INPUT, "kernel %.60s: more than %d arguments", k->name,
				LIMIT_ARGUMENTS);
	for (size_t i = 0; args && i < args->n; i++)
		if (!add_argument(ks, k, &args->node[i], &end))
			return false;
	return true;
}

/* ---- the descriptor ---- */

/* The descriptor at a symbol's address; NULL with a diagnostic. */
static const uint8_t *descriptor(struct kernels *ks, const char *kernel, const char *symbol, size_t n)
{
	struct object *o = ks->o;
	GElf_Sym sym;

	if (object_symbol(o, symbol, n, &sym) && sym.st_value <= o->filled &&
	    o->filled - sym.st_value >= ks->layout->bytes)
		return o->memory + sym.st_value;
	diag_set(o->l->diag, DIAG_INPUT, "kernel %.60s: the object has no symbol \"%.*s\" of a kernel descriptor",
		 kernel, (int)(n < 60 ? n : 60), symbol);
	return NULL;
}

/* The symbol's name in the metadata: version 2 has "NAME@kd" for the symbol NAME. */
static const uint8_t *named_descriptor(struct kernels *ks, const char *kernel, const struct metadata *m)
{
	const struct metadata *s = member(m, ks->words->symbol);
	bool said = s && s->kind == METADATA_TEXT;
	size_t n = said ? s->n : 0;

	if (!ks->words->offset && n > 3 && !memcmp(s->text + n - 3, "@kd", 3))
		n -= 3;
	if (!said && !ks->words->offset)
		return descriptor(ks, kernel, kernel, strlen(kernel));
	return descriptor(ks, kernel, said ? s->text : "", n);
}

static bool describe(struct kernels *ks, struct image_kernel *k)
{
	struct object *o = ks->o;
	const uint8_t *kd = k->descriptor;
	uint64_t entry = (uint64_t)(kd - o->memory) + le64(kd + DESCRIPTOR_ENTRY) - o->code_at;
	uint32_t rsrc1 = le32(kd + DESCRIPTOR_RSRC1);

	if (entry >= o->code_bytes || entry % 4)
		return diag_set(o->l->diag, DIAG_INPUT, "kernel %.60s: its entry is not in the code of 0x%x bytes",
				k->name, o->code_bytes);
	k->code = o->code;
	k->code_bytes = o->code_bytes;
	k->entry = (uint32_t)entry;
	k->smem = le32(kd + ks->layout->lds);
	k->lmem = le32(kd + ks->layout->private);
	k->param_bytes = le32(kd + ks->layout->arguments);
	k->regs = ((rsrc1 & 0x3f) + 1) * 4;
	k->warp_regs = ((rsrc1 >> 6 & 0xf) + 1) * 8;
	if (k->smem > LIMIT_LDS || k->lmem > LIMIT_PRIVATE || k->param_bytes > LIMIT_ARGUMENT_BYTES)
		return diag_set(o->l->diag, DIAG_INPUT, "kernel %.60s: %u bytes of LDS, %u of private memory, %u of "
				"arguments; expected at most %d, %d, %d", k->name, k->smem, k->lmem, k->param_bytes,
				LIMIT_LDS, LIMIT_PRIVATE, LIMIT_ARGUMENT_BYTES);
	return true;
}

static bool check_lanes(struct kernels *ks, const struct image_kernel *k, const struct metadata *m)
{
	unsigned at = ks->layout->wavefront, log = at ? k->descriptor[at] : 0;
	uint64_t lanes = at ? (log < 32 ? 1ull << log : 0) : number(m, ".wavefront_size", 0);

	return lanes == WAVEFRONT ||
	       diag_set(ks->o->l->diag, DIAG_INPUT, "kernel %.60s: wavefronts of %" PRIu64 " lanes; expected %d",
			k->name, lanes, WAVEFRONT);
}

/* ---- kernels ---- */

static struct image_kernel *new_kernel(struct object *o, const char *name)
{
	struct image_kernel *k = NULL;

	if (o->im->nkernels == LIMIT_KERNELS)
		diag_set(o->l->diag, DIAG_INPUT, "more than %d kernels", LIMIT_KERNELS);
	else if (!(k = image_push(&o->im->arena, &o->im->kernels, &o->im->nkernels)) || !name)
		load_no_memory(o->l);
	if (!k || !name)
		return NULL;
	k->name = name;
	return k;
}

static bool finish_kernel(struct kernels *ks, struct image_kernel *k)
{
	return describe(ks, k) && object_labels(ks->o, k) && object_lines(ks->o, k) &&
	       object_variables(ks->o, k);
}

static void take_block(uint32_t out[3], const struct metadata *block)
{
	for (size_t i = 0; block && i < block->n && i < 3; i++)
		if (block->node[i].kind == METADATA_NUMBER && block->node[i].number <= UINT16_MAX)
			out[i] = (uint32_t)block->node[i].number;
}

static bool add_kernel(struct kernels *ks, const struct metadata *m)
{
	const struct words *w = ks->words;
	struct image_kernel *k = new_kernel(ks->o, text(ks->o, m, w->name));

	if (!k || !(k->descriptor = named_descriptor(ks, k->name, m)) || !check_lanes(ks, k, m) ||
	    !finish_kernel(ks, k) || !add_arguments(ks, k, m))
		return false;
	const struct metadata *attributes = w->attributes ? member(m, w->attributes) : m;
	take_block(k->launch.block, list(attributes, w->block));
	take_block(k->block_hint, list(attributes, w->block_hint));
	k->vector_hint = text(ks->o, attributes, w->vector_hint);
	return k->vector_hint || load_no_memory(ks->o->l);
}

static bool add_kernels(struct kernels *ks, const struct metadata *metadata, const struct note *note)
{
	const struct metadata *kernels = list(metadata, ks->words->kernels);
	struct object *o = ks->o;

	if (!kernels || !kernels->n)
		return diag_at(o->l->diag, (int64_t)o->l->offset + (note->bytes - o->l->bytes),
			       "the metadata names no kernel; expected kernels");
	for (size_t i = 0; i < kernels->n; i++)
		if (!add_kernel(ks, &kernels->node[i]))
			return false;
	return true;
}

/* Version 2 without metadata: a kernel for each symbol of type STT_AMDGPU_HSA_KERNEL. */
static bool add_symbols(struct kernels *ks)
{
	struct object *o = ks->o;
	GElf_Sym sym;

	for (size_t i = 0; i < o->nsymbols; i++) {
		const char *name;
		struct image_kernel *k;
		if (!gelf_getsym(o->symbols, (int)i, &sym) || !sym.st_shndx ||
		    GELF_ST_TYPE(sym.st_info) != STT_AMDGPU_HSA_KERNEL || !(name = object_symbol_name(o, &sym)))
			continue;
		k = new_kernel(o, arena_text(&o->im->arena, name, strlen(name)));
		if (!k || !(k->descriptor = descriptor(ks, k->name, name, strlen(name))) ||
		    !check_lanes(ks, k, NULL) || !finish_kernel(ks, k))
			return false;
	}
	return o->im->nkernels ||
	       diag_at(o->l->diag, (int64_t)o->l->offset, "no AMDGPU metadata note and no symbol of a kernel; expected "
		       "a code object of version 2 to 6");
}

/* Keep the texts that say what each printf of the program prints. */
static bool add_prints(struct object *o, const struct metadata *metadata)
{
	enum { PRINTS_MOST = 1 << 16 };
	const struct metadata *prints = list(metadata, "amdhsa.printf");

	for (size_t i = 0; prints && i < prints->n && i < PRINTS_MOST; i++) {
		const struct metadata *s = &prints->node[i];
		const char **to;
		char *copy;
		if (s->kind != METADATA_TEXT)
			continue;
		to = image_push(&o->im->arena, &o->im->prints, &o->im->nprints);
		copy = arena_alloc(&o->im->arena, s->n + 1, 1);
		if (!to || !copy)
			return load_no_memory(o->l);
		memcpy(copy, s->text, s->n);
		*to = copy;
	}
	return true;
}

static bool read_msgpack(struct kernels *ks, const struct note *note)
{
	struct metadata tree;
	bool ok = metadata_of_msgpack(&ks->o->im->arena, (const char *)note->bytes, note->size, &tree);

	return add_kernels(ks, ok ? &tree : NULL, note) && add_prints(ks->o, &tree);
}

/* The text ends at a NUL or with the note. */
static bool read_yaml(struct kernels *ks, const struct note *note)
{
	size_t n = strnlen((const char *)note->bytes, note->size);
	struct metadata tree;

	return metadata_of_yaml(&ks->o->im->arena, (const char *)note->bytes, n, &tree, ks->o->l->diag) &&
	       add_kernels(ks, &tree, note);
}

static bool read_kernels(struct object *o)
{
	bool v2 = !o->metadata.bytes;
	struct kernels ks = { .o = o, .words = &words[v2], .layout = &descriptors[v2] };

	if (!v2)
		return read_msgpack(&ks, &o->metadata);
	return o->metadata_v2.bytes ? read_yaml(&ks, &o->metadata_v2) : add_symbols(&ks);
}

bool code_object_load(struct load *l)
{
	struct object o;
	bool ok = object_open(&o, l) && read_kernels(&o);

	object_close(&o);
	return ok;
}
