/* AMD code objects: shared ELF64 objects of machine 224 (EM_AMDGPU), as LLVM's AMDGPU backend and lld make them. The
 * format is LLVM's "User Guide for AMDGPU Backend", code object versions 3 and later:
 *
 *   PT_LOAD segments   what is in memory when a kernel runs, by virtual address; the executable one is the code
 *   K.kd               symbol of the kernel descriptor, 64 bytes: sizes, entry, what the hardware sets up
 *   note "AMDGPU", 32  metadata, a MessagePack map: kernels with their arguments
 *   .rela.dyn          addresses of the object's own parts
 *   .debug_line        DWARF: from which line of the source an instruction is
 *
 * The whole object becomes one global variable of the image, since code finds its constants relative to its own
 * address; its code is that of every kernel, and kernels differ in their entries. libelf reads the headers, msgpack-c
 * the metadata, libdw the lines; none is believed: every address and size is checked against the file. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <msgpack.h>
#include <string.h>

#include "core/base/text.h"
#include "core/load/loader.h"

enum {
	EM_AMDGPU_MACHINE = 224, NOTE_METADATA = 32,
	DESCRIPTOR_BYTES = 64,
	/* In memory, segments lie apart by pages of at most 64 KiB. */
	SEGMENT_GAPS = 1 << 20,
	LIMIT_ARGUMENTS = 1024, LIMIT_ARGUMENT_BYTES = 4096, LIMIT_LDS = 65536, LIMIT_PRIVATE = 1 << 20,
};

/* Byte offsets in a kernel descriptor. */
enum { KD_LDS = 0, KD_PRIVATE = 4, KD_ARGUMENTS = 8, KD_ENTRY = 16, KD_RSRC1 = 48 };

enum { RELOC_ABS64 = 3, RELOC_RELATIVE64 = 13 };

struct object {
	struct load *l;
	struct image *im;
	Elf *elf;
	Elf_Data *symbols;              /* the static symbol table, or else the dynamic one */
	size_t nsymbols, names;         /* names: the section of their names */
	uint8_t *memory;                /* the segments as loaded, from address 0 on; `filled` bytes */
	uint64_t filled, size;          /* size: with what is zero at the end */
	uint64_t code_at;               /* address of the code */
	const uint8_t *code;
	uint32_t code_bytes;
	const uint8_t *note;
	size_t note_bytes;
};

static bool bad(struct object *o, const char *what)
{
	return diag_at(o->l->diag, (int64_t)o->l->offset, "%s", what);
}

/* ---- segments: what is in memory ---- */

static bool in_file(const struct object *o, uint64_t at, uint64_t size)
{
	return at <= o->l->size && size <= o->l->size - at;
}

static bool measure(struct object *o, const GElf_Phdr *p)
{
	uint64_t end = p->p_vaddr + p->p_memsz;

	if (!in_file(o, p->p_offset, p->p_filesz))
		return diag_at(o->l->diag, (int64_t)(o->l->offset + p->p_offset),
			       "a segment of 0x%" PRIx64 " bytes; the file has 0x%zx", (uint64_t)p->p_filesz,
			       o->l->size);
	if (p->p_filesz > p->p_memsz || end < p->p_vaddr || end > LIMIT_GLOBAL_BYTES ||
	    p->p_vaddr + p->p_filesz > o->l->size + SEGMENT_GAPS)
		return diag_at(o->l->diag, (int64_t)(o->l->offset + p->p_offset),
			       "a segment at address 0x%" PRIx64 " with 0x%" PRIx64 " of 0x%" PRIx64
			       " bytes in the file: that "
			       "is more than the file can fill, or than memory has",
			       (uint64_t)p->p_vaddr, (uint64_t)p->p_filesz, (uint64_t)p->p_memsz);
	if (end > o->size)
		o->size = end;
	if (p->p_vaddr + p->p_filesz > o->filled)
		o->filled = p->p_vaddr + p->p_filesz;
	return true;
}

static bool take_code(struct object *o, const GElf_Phdr *p)
{
	if (o->code)
		return bad(o, "two executable segments; expected one");
	if (p->p_vaddr % 4 || p->p_filesz % 4 || !p->p_filesz)
		return bad(o, "the executable segment is not made of 32-bit words");
	o->code = o->l->bytes + p->p_offset;
	o->code_at = p->p_vaddr;
	o->code_bytes = (uint32_t)p->p_filesz;
	return true;
}

/* Do it with each loadable segment. */
static bool each_segment(struct object *o, bool (*visit)(struct object *, const GElf_Phdr *))
{
	size_t n;
	GElf_Phdr p;

	if (elf_getphdrnum(o->elf, &n))
		return bad(o, "the program headers cannot be read");
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(o->elf, (int)i, &p))
			return bad(o, "the program headers cannot be read");
		if (p.p_type == PT_LOAD && !visit(o, &p))
			return false;
	}
	return true;
}

static bool copy(struct object *o, const GElf_Phdr *p)
{
	if (p->p_filesz)
		memcpy(o->memory + p->p_vaddr, o->l->bytes + p->p_offset, p->p_filesz);
	return !(p->p_flags & PF_X) || take_code(o, p);
}

static bool read_segments(struct object *o)
{
	struct image_global *g;

	if (!each_segment(o, measure))
		return false;
	o->memory = arena_alloc(&o->im->arena, o->filled + 8, 256);
	g = image_push(&o->im->arena, &o->im->globals, &o->im->nglobals);
	if (!o->memory || !g)
		return load_no_memory(o->l);
	if (!each_segment(o, copy))
		return false;
	if (!o->code)
		return bad(o, "there is no code in it; expected kernels, and a linked object (ld.lld -shared)");
	*g = (struct image_global){ .name = "code object", .size = (uint32_t)o->size, .filled = (uint32_t)o->filled,
				    .bytes = o->memory };
	o->im->code_in_global = true;
	o->im->code_offset = (uint32_t)o->code_at;
	return true;
}

/* ---- sections: symbols, addresses, the note ---- */

static bool add_pointer(struct object *o, const GElf_Rela *r)
{
	unsigned long type = GELF_R_TYPE(r->r_info);
	uint64_t to = (uint64_t)r->r_addend;
	struct image_pointer *p;
	GElf_Sym sym;

	if (type == RELOC_ABS64 && o->symbols && gelf_getsym(o->symbols, (int)GELF_R_SYM(r->r_info), &sym))
		to += sym.st_value;
	else if (type != RELOC_RELATIVE64)
		return diag_set(o->l->diag, DIAG_INPUT,
				"a relocation of type %lu; expected 13 (relative) or 3 (absolute, "
				"64 bits): link the object with ld.lld -shared",
				type);
	if (r->r_offset > o->size || o->size - r->r_offset < 8 || to > o->size)
		return diag_set(o->l->diag, DIAG_INPUT, "a relocation at 0x%" PRIx64 " of 0x%" PRIx64 " to 0x%" PRIx64
				": outside of the object", (uint64_t)r->r_offset, o->size, to);
	if (o->im->npointers == LIMIT_RELOCS)
		return diag_set(o->l->diag, DIAG_INPUT, "more than %d relocations", LIMIT_RELOCS);
	p = image_push(&o->im->arena, &o->im->pointers, &o->im->npointers);
	if (!p)
		return load_no_memory(o->l);
	*p = (struct image_pointer){ .offset = (uint32_t)r->r_offset, .addend = (uint32_t)to };
	return true;
}

static bool read_relocations(struct object *o, Elf_Scn *scn, const GElf_Shdr *h)
{
	size_t n = h->sh_size / gelf_fsize(o->elf, ELF_T_RELA, 1, EV_CURRENT);
	Elf_Data *data = in_file(o, h->sh_offset, h->sh_size) && n ? elf_getdata(scn, NULL) : NULL;
	GElf_Rela r;

	for (size_t i = 0; i < n; i++) {
		if (!data || !gelf_getrela(data, (int)i, &r))
			return bad(o, "the relocations cannot be read");
		if (!add_pointer(o, &r))
			return false;
	}
	return true;
}

static bool find_symbols(struct object *o, Elf_Scn *scn, const GElf_Shdr *h)
{
	if (o->symbols && h->sh_type != SHT_SYMTAB)
		return true;
	if (!in_file(o, h->sh_offset, h->sh_size) || !(o->symbols = elf_getdata(scn, NULL)))
		return bad(o, "the symbol table cannot be read");
	o->nsymbols = h->sh_size / gelf_fsize(o->elf, ELF_T_SYM, 1, EV_CURRENT);
	o->names = h->sh_link;
	return true;
}

/* Notes: size of the owner, of the contents, type, 32 bits each; owner and contents, each filled up to 4 bytes. */
static bool find_note(struct object *o, const GElf_Shdr *h)
{
	const uint8_t *p;
	uint64_t left = h->sh_size;

	if (!in_file(o, h->sh_offset, h->sh_size))
		return bad(o, "the notes cannot be read");
	p = o->l->bytes + h->sh_offset;
	while (left >= 12) {
		uint64_t owner = ((uint64_t)le32(p) + 3) / 4 * 4, size = ((uint64_t)le32(p + 4) + 3) / 4 * 4;
		if (owner + size > left - 12)
			return bad(o, "a note leaves its section");
		if (le32(p + 8) == NOTE_METADATA && le32(p) == 7 && !memcmp(p + 12, "AMDGPU", 7)) {
			o->note = p + 12 + owner;
			o->note_bytes = le32(p + 4);
		}
		p += 12 + owner + size;
		left -= 12 + owner + size;
	}
	return true;
}

static bool each_section(struct object *o, unsigned type, bool (*visit)(struct object *, Elf_Scn *, const GElf_Shdr *))
{
	GElf_Shdr h;

	for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));) {
		if (!gelf_getshdr(s, &h))
			return bad(o, "the section headers cannot be read");
		if (h.sh_type == type && !visit(o, s, &h))
			return false;
	}
	return true;
}

static bool visit_note(struct object *o, Elf_Scn *scn, const GElf_Shdr *h)
{
	(void)scn;
	return find_note(o, h);
}

/* The symbol of a name; false: there is none. */
static bool symbol(const struct object *o, const char *name, size_t length, GElf_Sym *sym)
{
	for (size_t i = 0; i < o->nsymbols; i++) {
		const char *text;
		if (gelf_getsym(o->symbols, (int)i, sym) && sym->st_shndx &&
		    (text = elf_strptr(o->elf, o->names, sym->st_name)) && strlen(text) == length &&
		    !memcmp(text, name, length))
			return true;
	}
	return false;
}

/* Functions of the code are labels. */
static bool add_labels(struct object *o, struct image_kernel *k)
{
	GElf_Sym sym;

	for (size_t i = 0; i < o->nsymbols; i++) {
		const char *name;
		struct image_label *label;
		if (!gelf_getsym(o->symbols, (int)i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC || !sym.st_shndx ||
		    sym.st_value < o->code_at || sym.st_value - o->code_at >= o->code_bytes)
			continue;
		name = elf_strptr(o->elf, o->names, sym.st_name);
		if (!name || !*name || strlen(name) > LIMIT_NAME)
			continue;
		label = image_push(&o->im->arena, &k->labels, &k->nlabels);
		if (!label || !(label->name = arena_text(&o->im->arena, name, strlen(name))))
			return load_no_memory(o->l);
		label->pc = (uint32_t)(sym.st_value - o->code_at);
	}
	return true;
}

/* ---- lines ---- */

static const char *file_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* The rows of one compilation unit that are of its own source, not of what that includes. A row holds up to the next
 * one; line 0 is what the compiler added for no line, and what is between sequences. */
static bool add_lines(struct object *o, struct image_kernel *k, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *source = dwarf_formstring(dwarf_attr(unit, DW_AT_name, &attribute));
	Dwarf_Lines *lines;
	size_t n;

	if (!source || dwarf_getsrclines(unit, &lines, &n))
		return true;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		Dwarf_Addr address;
		int line;
		struct image_line *to = k->nlines ? &k->lines[k->nlines - 1] : NULL;
		const char *file = dwarf_linesrc(row, NULL, NULL);
		bool end = false;
		if (!file || dwarf_lineendsequence(row, &end) || dwarf_lineaddr(row, &address) ||
		    dwarf_lineno(row, &line) || address < o->code_at || address - o->code_at >= o->code_bytes)
			continue;
		line = end || line < 0 ? 0 : line;
		if (line && strcmp(file_part(file), file_part(source)))
			continue;
		if (to && to->pc == address - o->code_at) {     /* the last row of an address counts */
			to->line = (uint32_t)line;
			continue;
		}
		if (to && to->pc > address - o->code_at)
			continue;
		to = image_push(&o->im->arena, &k->lines, &k->nlines);
		if (!to)
			return load_no_memory(o->l);
		*to = (struct image_line){ (uint32_t)(address - o->code_at), (uint32_t)line };
	}
	return true;
}

/* Without debug information, or where libdw cannot read it, there are no lines. */
static bool read_lines(struct object *o, struct image_kernel *k)
{
	Dwarf *dwarf = dwarf_begin_elf(o->elf, DWARF_C_READ, NULL);
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	uint8_t type;
	bool ok = true;

	while (ok && dwarf && !dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, NULL))
		ok = type != DW_UT_compile || add_lines(o, k, &die);
	if (dwarf)
		dwarf_end(dwarf);
	return ok;
}

/* ---- metadata ---- */

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

/* A number that the map has; 0 if it has none. */
static uint64_t number(const msgpack_object *map, const char *key)
{
	const msgpack_object *o = member(map, key);
	return o && o->type == MSGPACK_OBJECT_POSITIVE_INTEGER ? o->via.u64 : 0;
}

/* A text that the map has, in the image's arena; "" if it has none. NULL: the host has no memory. */
static const char *text(struct object *o, const msgpack_object *map, const char *key)
{
	const msgpack_object *s = member(map, key);

	if (!s || s->type != MSGPACK_OBJECT_STR || s->via.str.size > LIMIT_NAME)
		return "";
	return arena_text(&o->im->arena, s->via.str.ptr, s->via.str.size);
}

static bool add_argument(struct object *o, struct image_kernel *k, const msgpack_object *a)
{
	uint64_t offset = number(a, ".offset"), size = number(a, ".size");
	const char *kind = text(o, a, ".value_kind"), *name = text(o, a, ".name"), *type = text(o, a, ".type_name");

	if (!kind || !name || !type)
		return load_no_memory(o->l);
	if (offset > k->param_bytes || size > k->param_bytes - offset)
		return diag_set(o->l->diag, DIAG_INPUT,
				"kernel %.40s: argument \"%.40s\" of %" PRIu64 " bytes at %" PRIu64
				"; the descriptor says %u bytes in all",
				k->name, name, size, offset, k->param_bytes);
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
	return true;
}

/* The descriptor of a kernel: 64 bytes that a symbol names. */
static const uint8_t *descriptor(struct object *o, const msgpack_object *m, const char *name)
{
	const msgpack_object *s = member(m, ".symbol");
	GElf_Sym sym;

	if (s && s->type == MSGPACK_OBJECT_STR && symbol(o, s->via.str.ptr, s->via.str.size, &sym) &&
	    sym.st_value <= o->filled && o->filled - sym.st_value >= DESCRIPTOR_BYTES)
		return o->memory + sym.st_value;
	diag_set(o->l->diag, DIAG_INPUT, "kernel %.60s: the object has no symbol \"%.*s\" of a kernel descriptor", name,
		 s && s->type == MSGPACK_OBJECT_STR ? (int)(s->via.str.size < 60 ? s->via.str.size : 60) : 0,
		 s && s->type == MSGPACK_OBJECT_STR ? s->via.str.ptr : "");
	return NULL;
}

static bool describe(struct object *o, struct image_kernel *k)
{
	const uint8_t *kd = k->descriptor;
	uint64_t entry = (uint64_t)(kd - o->memory) + le64(kd + KD_ENTRY) - o->code_at;

	if (entry >= o->code_bytes || entry % 4)
		return diag_set(o->l->diag, DIAG_INPUT, "kernel %.60s: its entry is not in the code of 0x%x bytes",
				k->name, o->code_bytes);
	k->code = o->code;
	k->code_bytes = o->code_bytes;
	k->entry = (uint32_t)entry;
	k->smem = le32(kd + KD_LDS);
	k->lmem = le32(kd + KD_PRIVATE);
	k->param_bytes = le32(kd + KD_ARGUMENTS);
	k->regs = ((le32(kd + KD_RSRC1) & 0x3f) + 1) * 4;
	k->warp_regs = ((le32(kd + KD_RSRC1) >> 6 & 0xf) + 1) * 8;
	if (k->smem > LIMIT_LDS || k->lmem > LIMIT_PRIVATE || k->param_bytes > LIMIT_ARGUMENT_BYTES)
		return diag_set(o->l->diag, DIAG_INPUT, "kernel %.60s: %u bytes of LDS, %u of private memory, %u of "
				"arguments; expected at most %d, %d, %d", k->name, k->smem, k->lmem, k->param_bytes,
				LIMIT_LDS, LIMIT_PRIVATE, LIMIT_ARGUMENT_BYTES);
	return true;
}

static bool add_kernel(struct object *o, const msgpack_object *m)
{
	const msgpack_object_array *args = array(m, ".args"), *block = array(m, ".reqd_workgroup_size");
	const char *name = text(o, m, ".name");
	struct image_kernel *k;

	if (o->im->nkernels == LIMIT_KERNELS)
		return diag_set(o->l->diag, DIAG_INPUT, "more than %d kernels", LIMIT_KERNELS);
	k = image_push(&o->im->arena, &o->im->kernels, &o->im->nkernels);
	if (!k || !name)
		return load_no_memory(o->l);
	k->name = name;
	if (number(m, ".wavefront_size") != 64)
		return diag_set(o->l->diag, DIAG_INPUT, "kernel %.60s: wavefronts of %" PRIu64 " lanes; expected 64",
				name, number(m, ".wavefront_size"));
	k->descriptor = descriptor(o, m, name);
	if (!k->descriptor || !describe(o, k) || !add_labels(o, k) || !read_lines(o, k))
		return false;
	if (args && args->size > LIMIT_ARGUMENTS)
		return diag_set(o->l->diag, DIAG_INPUT, "kernel %.60s: more than %d arguments", name, LIMIT_ARGUMENTS);
	for (uint32_t i = 0; args && i < args->size; i++)
		if (!add_argument(o, k, &args->ptr[i]))
			return false;
	for (uint32_t i = 0; block && i < block->size && i < 3; i++)
		if (block->ptr[i].type == MSGPACK_OBJECT_POSITIVE_INTEGER && block->ptr[i].via.u64 <= UINT16_MAX)
			k->launch.block[i] = (uint32_t)block->ptr[i].via.u64;
	return true;
}

/* Do the bytes hold as many objects as their arrays and maps announce? msgpack-c takes memory for them before it sees
 * them. Formats 0xc0 to 0xdf: bytes behind the first, bytes of a length among them, objects for each of that length. */
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

static bool read_metadata(struct object *o)
{
	const msgpack_object_array *kernels = NULL;
	msgpack_unpacked u;
	bool ok = true;

	if (!o->note)
		return bad(o, "no AMDGPU metadata note; expected code object version 3 or later");
	msgpack_unpacked_init(&u);
	if (counts_hold(o->note, o->note_bytes) &&
	    msgpack_unpack_next(&u, (const char *)o->note, o->note_bytes, NULL) == MSGPACK_UNPACK_SUCCESS)
		kernels = array(&u.data, "amdhsa.kernels");
	if (!kernels || !kernels->size)
		ok = diag_at(o->l->diag, (int64_t)o->l->offset + (o->note - o->l->bytes),
			     "the metadata names no kernel");
	for (uint32_t i = 0; ok && i < kernels->size; i++)
		ok = add_kernel(o, &kernels->ptr[i]);
	msgpack_unpacked_destroy(&u);
	return ok;
}

/* ---- the file ---- */

/* The chip whose instruction set a target has, by the low byte of e_flags (llvm/BinaryFormat/ELF.h, EF_AMDGPU_MACH). */
static const char *chip_of(unsigned mach)
{
	static const struct {
		const char *chip;
		uint8_t mach[8];
	} chips[] = {
		{ "tahiti", { 0x20, 0x21, 0x3a } },                            /* gfx600 to 602 */
		{ "bonaire", { 0x22, 0x23, 0x24, 0x25, 0x26, 0x3b } },         /* gfx700 to 705 */
		{ "tonga", { 0x28, 0x29, 0x2a, 0x2b, 0x3c } },                 /* gfx801 to 810 */
		{ "gfx900", { 0x2c, 0x2d, 0x2e, 0x2f, 0x31, 0x32 } },          /* gfx900 to 90c, but for 908 and 90a */
	};

	for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
		if (mach && memchr(chips[i].mach, (int)mach, sizeof chips[i].mach))
			return chips[i].chip;
	return NULL;
}

static bool read_header(struct object *o)
{
	GElf_Ehdr h;

	if (elf_kind(o->elf) != ELF_K_ELF || !gelf_getehdr(o->elf, &h))
		return bad(o, "no ELF header");
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_type != ET_DYN)
		return bad(
			o,
			"not a linked 64-bit object; expected a shared object (clang without -c, or ld.lld -shared)");
	o->im->chip = chip_of(h.e_flags & 0xff);
	if (!o->im->chip)
		return diag_at(
			o->l->diag, (int64_t)o->l->offset + 48,
			"code for the target of number 0x%x; expected "
			"gfx600 to gfx90c (without gfx908 and gfx90a): clang -mcpu=tahiti, bonaire, tonga or gfx900",
			(unsigned)h.e_flags & 0xff);
	o->im->machine = "gcn";
	o->im->pointer_bytes = 8;
	return true;
}

bool code_object_matches(const uint8_t *bytes, size_t size)
{
	return size >= 20 && !memcmp(bytes, ELFMAG, SELFMAG) && le16(bytes + 18) == EM_AMDGPU_MACHINE;
}

bool code_object_load(struct load *l)
{
	struct object o = { .l = l, .im = l->image };
	bool ok;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return diag_set(l->diag, DIAG_ENV, "libelf is too old for this program");
	/* libelf only reads the memory that it is given here. */
	o.elf = elf_memory((char *)(uintptr_t)l->bytes, l->size);
	if (!o.elf)
		return diag_at(l->diag, (int64_t)l->offset, "no ELF file in %zu bytes (%s)", l->size, elf_errmsg(-1));
	ok = read_header(&o) && read_segments(&o) &&
		each_section(&o, SHT_DYNSYM, find_symbols) &&
		each_section(&o, SHT_RELA, read_relocations) &&
		each_section(&o, SHT_SYMTAB, find_symbols) &&
		each_section(&o, SHT_NOTE, visit_note) &&
		read_metadata(&o);
	elf_end(o.elf);
	return ok;
}
