/* Kernels of an AMD code object: metadata lists kernels with arguments, a descriptor in memory has sizes, entry and
 * hardware setup. Version 2 uses other words and offsets, and its metadata may be absent: then the symbols of type 10
 * are the kernels, and their arguments are unknown. */
#include "core/load/code_object.h"

#include <ctype.h>
#include <inttypes.h>
#include <msgpack.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/load/code_object_yaml.h"

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
	const char *kernels, *name, *symbol, *arguments, *attributes, *block;
	const char *kind, *argument, *type, *size, *offset, *align, *space, *access;
} words[] = {
	{ "amdhsa.kernels", ".name", ".symbol", ".args", NULL, ".reqd_workgroup_size",
	  ".value_kind", ".name", ".type_name", ".size", ".offset", NULL, ".address_space", ".access" },
	{ "Kernels", "Name", "SymbolName", "Args", "Attrs", "ReqdWorkGroupSize",
	  "ValueKind", "Name", "TypeName", "Size", NULL, "Align", NULL, NULL },
};

struct kernels {
	struct object *o;
	const struct words *words;
	const struct descriptor *layout;
};

/* ---- the tree of the metadata ---- */

static const msgpack_object *member(const msgpack_object *map, const char *key)
{
	size_t n = strlen(key);

	if (!map || map->type != MSGPACK_OBJECT_MAP)
		return NULL;
	for (uint32_t i = 0; i < map->via.map.size; i++) {
		const msgpack_object_kv *kv = &map->via.map.ptr[i];
		if (kv->key.type == MSGPACK_OBJECT_STR && kv->key.via.str.size == n &&
		    !memcmp(kv->key.via.str.ptr, key, n))
			return &kv->val;
	}
	return NULL;
}

static const msgpack_object_array *array(const msgpack_object *map, const char *key)
{
	const msgpack_object *o = member(map, key);
	return o && o->type == MSGPACK_OBJECT_ARRAY ? &o->via.array : NULL;
}

/* A number of a map; `otherwise` if absent. */
static uint64_t number(const msgpack_object *map, const char *key, uint64_t otherwise)
{
	const msgpack_object *o = member(map, key);
	return o && o->type == MSGPACK_OBJECT_POSITIVE_INTEGER ? o->via.u64 : otherwise;
}

/* A text of a map, in the image's arena; "" if absent. NULL: the host has no memory. */
static const char *text(struct object *o, const msgpack_object *map, const char *key)
{
	const msgpack_object *s = member(map, key);

	if (!s || s->type != MSGPACK_OBJECT_STR || s->via.str.size > LIMIT_NAME)
		return "";
	return arena_text(&o->im->arena, s->via.str.ptr, s->via.str.size);
}

/* ---- arguments ---- */

/* The kind in the words of version 3 and later, from "HiddenGlobalOffsetX" to "hidden_global_offset_x" as well. */
static const char *kind_of(struct kernels *ks, const msgpack_object *a)
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

static uint64_t aligned(uint64_t offset, uint64_t align)
{
	return align > 1 && align <= LIMIT_ARGUMENT_BYTES ? (offset + align - 1) / align * align : offset;
}

/* Append an argument; *end is the end of the argument before. */
static bool add_argument(struct kernels *ks, struct image_kernel *k, const msgpack_object *a, uint64_t *end)
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
	return true;
}

static bool add_arguments(struct kernels *ks, struct image_kernel *k, const msgpack_object *m)
{
	const msgpack_object_array *args = array(m, ks->words->arguments);
	uint64_t end = 0;

	if (args && args->size > LIMIT_ARGUMENTS)
		return diag_set(ks->o->l->diag, DIAG_INPUT, "kernel %.60s: more than %d arguments", k->name,
				LIMIT_ARGUMENTS);
	for (uint32_t i = 0; args && i < args->size; i++)
		if (!add_argument(ks, k, &args->ptr[i], &end))
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
static const uint8_t *named_descriptor(struct kernels *ks, const char *kernel, const msgpack_object *m)
{
	const msgpack_object *s = member(m, ks->words->symbol);
	bool said = s && s->type == MSGPACK_OBJECT_STR;
	size_t n = said ? s->via.str.size : 0;

	if (!ks->words->offset && n > 3 && !memcmp(s->via.str.ptr + n - 3, "@kd", 3))
		n -= 3;
	if (!said && !ks->words->offset)
		return descriptor(ks, kernel, kernel, strlen(kernel));
	return descriptor(ks, kernel, said ? s->via.str.ptr : "", n);
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

static bool check_lanes(struct kernels *ks, const struct image_kernel *k, const msgpack_object *m)
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

static void take_block(struct image_kernel *k, const msgpack_object_array *block)
{
	for (uint32_t i = 0; block && i < block->size && i < 3; i++)
		if (block->ptr[i].type == MSGPACK_OBJECT_POSITIVE_INTEGER && block->ptr[i].via.u64 <= UINT16_MAX)
			k->launch.block[i] = (uint32_t)block->ptr[i].via.u64;
}

static bool add_kernel(struct kernels *ks, const msgpack_object *m)
{
	const struct words *w = ks->words;
	struct image_kernel *k = new_kernel(ks->o, text(ks->o, m, w->name));

	if (!k || !(k->descriptor = named_descriptor(ks, k->name, m)) || !check_lanes(ks, k, m) ||
	    !finish_kernel(ks, k) || !add_arguments(ks, k, m))
		return false;
	take_block(k, array(w->attributes ? member(m, w->attributes) : m, w->block));
	return true;
}

static bool add_kernels(struct kernels *ks, const msgpack_object *metadata, const struct note *note)
{
	const msgpack_object_array *list = array(metadata, ks->words->kernels);
	struct object *o = ks->o;

	if (!list || !list->size)
		return diag_at(o->l->diag, (int64_t)o->l->offset + (note->bytes - o->l->bytes),
			       "the metadata names no kernel; expected kernels");
	for (uint32_t i = 0; i < list->size; i++)
		if (!add_kernel(ks, &list->ptr[i]))
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

/* Do the bytes suffice for the objects that arrays and maps announce? msgpack-c takes memory for announced objects
 * before reading any. Formats 0xc0 to 0xdf: bytes behind the first, bytes of a length among them, objects for each unit
 * of the length. */
static bool counts_hold(const uint8_t *p, size_t n)
{
	static const struct { uint8_t bytes, length, objects; } formats[32] = {
		[0x04] = { 1, 1, 0 }, { 2, 2, 0 }, { 4, 4, 0 }, { 2, 1, 0 }, { 3, 2, 0 }, { 5, 4, 0 },
		[0x0a] = { 4, 0, 0 }, { 8, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { 4, 0, 0 }, { 8, 0, 0 },
		[0x10] = { 1, 0, 0 }, { 2, 0, 0 }, { 4, 0, 0 }, { 8, 0, 0 },
		[0x14] = { 2, 0, 0 }, { 3, 0, 0 }, { 5, 0, 0 }, { 9, 0, 0 }, { 17, 0, 0 },
		[0x19] = { 1, 1, 0 }, { 2, 2, 0 }, { 4, 4, 0 }, { 2, 2, 1 }, { 4, 4, 1 }, { 2, 2, 2 }, { 4, 4, 2 },
	};
	uint64_t wanted = 1, skip;

	for (; wanted && wanted <= n; p += skip, n -= skip) {
		uint64_t length = 0, objects = *p < 0x90 ? 2 * (*p & 15u) : *p & 15u;
		skip = 1;
		if (*p >= 0xa0 && *p < 0xc0) {
			skip += *p & 31;
			objects = 0;
		} else if (*p < 0x80 || *p >= 0xe0) {
			objects = 0;
		} else if (*p >= 0xc0) {
			unsigned f = *p - 0xc0u;
			skip += formats[f].bytes;
			for (unsigned i = 1; i <= formats[f].length && i < n; i++)
				length = length << 8 | p[i];
			objects = formats[f].objects * length;
			skip += formats[f].objects ? 0 : length;
		}
		wanted += objects - 1;
		if (skip > n)
			return false;
	}
	return !wanted;
}

/* Keep the texts that say what each printf of the program prints. */
static bool add_prints(struct object *o, const msgpack_object *metadata)
{
	enum { PRINTS_MOST = 1 << 16 };
	const msgpack_object *list = member(metadata, "amdhsa.printf");
	uint32_t n = list && list->type == MSGPACK_OBJECT_ARRAY ? list->via.array.size : 0;

	for (uint32_t i = 0; i < n && i < PRINTS_MOST; i++) {
		const msgpack_object *s = &list->via.array.ptr[i];
		const char **to;
		char *copy;
		if (s->type != MSGPACK_OBJECT_STR)
			continue;
		to = image_push(&o->im->arena, &o->im->prints, &o->im->nprints);
		copy = arena_alloc(&o->im->arena, s->via.str.size + 1, 1);
		if (!to || !copy)
			return load_no_memory(o->l);
		memcpy(copy, s->via.str.ptr, s->via.str.size);
		*to = copy;
	}
	return true;
}

static bool read_msgpack(struct kernels *ks, const struct note *note)
{
	msgpack_unpacked u;
	bool ok;

	msgpack_unpacked_init(&u);
	ok = counts_hold(note->bytes, note->size) &&
	     msgpack_unpack_next(&u, (const char *)note->bytes, note->size, NULL) == MSGPACK_UNPACK_SUCCESS;
	ok = add_kernels(ks, ok ? &u.data : NULL, note) && add_prints(ks->o, &u.data);
	msgpack_unpacked_destroy(&u);
	return ok;
}

/* The text ends at a NUL or with the note. */
static bool read_yaml(struct kernels *ks, const struct note *note)
{
	size_t n = strnlen((const char *)note->bytes, note->size);
	msgpack_object tree;

	return yaml_read(&ks->o->im->arena, (const char *)note->bytes, n, &tree, ks->o->l->diag) &&
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
