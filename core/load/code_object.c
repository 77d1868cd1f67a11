/* AMD code objects: shared ELF64 objects of machine 224 (EM_AMDGPU), as LLVM's AMDGPU backend and lld make them. The
 * format is LLVM's "User Guide for AMDGPU Backend", code object versions 2 to 6:
 *
 *   PT_LOAD segments   contents of memory when a kernel runs, by virtual address; the executable segment is the code
 *   K.kd               symbol of the kernel descriptor, 64 bytes: sizes, entry, hardware setup
 *   note "AMDGPU", 32  metadata, a MessagePack map: kernels with arguments
 *   .rela.dyn          addresses of the object's own parts
 *   .debug_line        DWARF: lines of the source by instruction
 *
 * Version 2 has other names: K, of symbol type 10, is the descriptor amd_kernel_code_t, 256 bytes in front of the
 * kernel's code; note "AMD", 10 has the metadata as YAML, note "AMD", 3 the chip.
 *
 * The whole object becomes one global variable of the image, since code finds constants relative to its own address;
 * all kernels share the object's code and differ in the entry. libelf reads the headers, libmpack and libyaml the
 * metadata, libdw the lines, none trusted: every address and size is checked against the file. */
#include "core/load/code_object.h"

#include <errno.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/text.h"

enum {
	EM_AMDGPU_MACHINE = 224,
	/* In memory, segments lie apart by pages of at most 64 KiB. */
	SEGMENT_GAPS = 1 << 20,
};

enum { NOTE_METADATA = 32, NOTE_V2_TARGET = 3, NOTE_V2_METADATA = 10 };

enum { RELOC_ABS64 = 3, RELOC_RELATIVE64 = 13 };

static bool bad(struct object *o, const char *what)
{
	return diag_at(o->l->diag, (int64_t)o->l->offset, "%s", what);
}

/* ---- segments: contents of memory ---- */

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

/* Call `visit` with each loadable segment. */
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

/* Refuse an object that lacks a function or a variable: its code would jump to the object's own first bytes. A weak
 * symbol may be missing, and so may a symbol that no address is made of: variables in local memory are named in debug
 * information (clang 19), and in lists of symbols (clang 15). */
static bool nothing_missing(struct object *o, const GElf_Sym *sym)
{
	const char *name;
	char shown[128];

	if (sym->st_shndx || GELF_ST_BIND(sym->st_info) != STB_GLOBAL)
		return true;
	name = object_symbol_name(o, sym);
	if (!name || !*name)
		return true;
	text_clean(name, strlen(name), "", shown, sizeof shown);
	return diag_set(o->l->diag, DIAG_INPUT,
			"\"%s\" is used, and the object does not have it: link what defines it, or leave its use out "
			"(ld.lld --no-undefined finds such symbols)", shown);
}

static bool add_pointer(struct object *o, const GElf_Rela *r)
{
	unsigned long type = GELF_R_TYPE(r->r_info);
	uint64_t to = (uint64_t)r->r_addend;
	struct image_pointer *p;
	GElf_Sym sym;

	if (type == RELOC_ABS64 && o->symbols && gelf_getsym(o->symbols, (int)GELF_R_SYM(r->r_info), &sym)) {
		if (!nothing_missing(o, &sym))
			return false;
		to += sym.st_value;
	} else if (type != RELOC_RELATIVE64) {
		return diag_set(o->l->diag, DIAG_INPUT,
				"a relocation of type %lu; expected 13 (relative) or 3 (absolute, "
				"64 bits): link the object with ld.lld -shared",
				type);
	}
	if (r->r_offset > o->size || o->size - r->r_offset < 8 || to > o->size)
		return diag_set(o->l->diag, DIAG_INPUT, "a relocation at 0x%" PRIx64 " of 0x%" PRIx64 " to 0x%" PRIx64
				": outside of the object", (uint64_t)r->r_offset, o->size, to);
	if (o->im->npointers == LIMIT_RELOCS)
		return diag_set(o->l->diag, DIAG_INPUT, "more than %d relocations", LIMIT_RELOCS);
	p = image_push(&o->im->arena, &o->im->pointers, &o->im->npointers);
	if (!p)
		return load_no_memory(o->l);
	*p = (struct image_pointer){ .offset = (uint32_t)r->r_offset, .addend = (uint32_t)to, .bytes = 8 };
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
static void take_note(struct object *o, const uint8_t *p, uint32_t owner)
{
	const struct {
		const char *owner;
		uint32_t type;
		struct note *note;
	} wanted[] = {
		{ "AMDGPU", NOTE_METADATA, &o->metadata },
		{ "AMD", NOTE_V2_METADATA, &o->metadata_v2 },
		{ "AMD", NOTE_V2_TARGET, &o->target_v2 },
	};

	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (le32(p + 8) == wanted[i].type && le32(p) == strlen(wanted[i].owner) + 1 &&
		    !memcmp(p + 12, wanted[i].owner, le32(p)))
			*wanted[i].note = (struct note){ p + 12 + owner, le32(p + 4) };
}

static bool find_notes(struct object *o, Elf_Scn *scn, const GElf_Shdr *h)
{
	const uint8_t *p;
	uint64_t remaining = h->sh_size;

	(void)scn;
	if (!in_file(o, h->sh_offset, h->sh_size))
		return bad(o, "the notes cannot be read");
	p = o->l->bytes + h->sh_offset;
	while (remaining >= 12) {
		uint64_t owner = ((uint64_t)le32(p) + 3) / 4 * 4, size = ((uint64_t)le32(p + 4) + 3) / 4 * 4;
		if (owner + size > remaining - 12)
			return bad(o, "a note leaves its section");
		take_note(o, p, (uint32_t)owner);
		p += 12 + owner + size;
		remaining -= 12 + owner + size;
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

const char *object_symbol_name(const struct object *o, const GElf_Sym *sym)
{
	return elf_strptr(o->elf, o->names, sym->st_name);
}

bool object_symbol(const struct object *o, const char *name, size_t n, GElf_Sym *sym)
{
	for (size_t i = 0; i < o->nsymbols; i++) {
		const char *text;
		if (gelf_getsym(o->symbols, (int)i, sym) && sym->st_shndx && (text = object_symbol_name(o, sym)) &&
		    strlen(text) == n && !memcmp(text, name, n))
			return true;
	}
	return false;
}

/* Variables of the object, for host programs that ask by name; descriptors of kernels are none. */
static bool object_parts(struct object *o)
{
	GElf_Sym sym;

	for (size_t i = 0; i < o->nsymbols; i++) {
		const char *name;
		struct image_part *part;
		if (!gelf_getsym(o->symbols, (int)i, &sym) || !sym.st_shndx || sym.st_shndx >= SHN_LORESERVE ||
		    GELF_ST_TYPE(sym.st_info) != STT_OBJECT || !sym.st_size || sym.st_value > o->size ||
		    sym.st_size > o->size - sym.st_value)
			continue;
		name = object_symbol_name(o, &sym);
		if (!name || !*name || strlen(name) > LIMIT_NAME ||
		    (strlen(name) > 3 && !strcmp(name + strlen(name) - 3, ".kd")))
			continue;
		part = image_push(&o->im->arena, &o->im->parts, &o->im->nparts);
		if (!part || !(part->name = arena_text(&o->im->arena, name, strlen(name))))
			return load_no_memory(o->l);
		part->global = 0;
		part->offset = (uint32_t)sym.st_value;
		part->size = (uint32_t)sym.st_size;
	}
	return true;
}

/* A function that makes records of printf tells that the program prints: a meaning without a number of any call. */
static bool object_prints(struct object *o)
{
	GElf_Sym sym;
	const char **to;

	if (!object_symbol(o, PRINT_BY_FORMAT, sizeof PRINT_BY_FORMAT - 1, &sym))
		return true;
	to = image_push(&o->im->arena, &o->im->prints, &o->im->nprints);
	if (!to)
		return load_no_memory(o->l);
	*to = "-1:0:";
	return true;
}

/* Functions of the code are labels; a kernel of version 2 begins behind its descriptor. */
bool object_labels(struct object *o, struct image_kernel *k)
{
	GElf_Sym sym;

	for (size_t i = 0; i < o->nsymbols; i++) {
		const char *name;
		struct image_label *label;
		uint64_t pc;
		unsigned type;
		if (!gelf_getsym(o->symbols, (int)i, &sym) || !sym.st_shndx)
			continue;
		type = GELF_ST_TYPE(sym.st_info);
		pc = sym.st_value - o->code_at + (type == STT_AMDGPU_HSA_KERNEL ? AMD_KERNEL_CODE_BYTES : 0);
		if ((type != STT_FUNC && type != STT_AMDGPU_HSA_KERNEL) || pc >= o->code_bytes)
			continue;
		name = object_symbol_name(o, &sym);
		if (!name || !*name || strlen(name) > LIMIT_NAME)
			continue;
		label = image_push(&o->im->arena, &k->labels, &k->nlabels);
		if (!label || !(label->name = arena_text(&o->im->arena, name, strlen(name))))
			return load_no_memory(o->l);
		label->pc = (uint32_t)pc;
	}
	return true;
}

/* ---- lines ---- */

static const char *file_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Take the unit's compiler, and add the rows of a compilation unit that belong to the unit's source, not to included
 * files. A row holds up to the next; line 0 is code that the compiler added for no line, and the gap between
 * sequences. */
static bool add_lines(struct object *o, struct image_kernel *k, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *source = dwarf_formstring(dwarf_attr(unit, DW_AT_name, &attribute));
	const char *compiler = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
	Dwarf_Lines *lines;
	size_t n;

	if (compiler && !k->compiler && !(k->compiler = arena_strdup(&o->im->arena, compiler)))
		return load_no_memory(o->l);

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

/* Without debug information, or with debug information that libdw cannot read, a kernel has no lines. */
bool object_lines(struct object *o, struct image_kernel *k)
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

/* ---- the file ---- */

/* Chips by instruction set: the low bytes of e_flags (llvm/BinaryFormat/ELF.h, EF_AMDGPU_MACH) and the ISA versions of
 * each chip's programs. */
static const struct target {
	const char *chip;
	uint8_t mach[8];
	uint8_t major;
} targets[] = {
	{ "tahiti", { 0x20, 0x21, 0x3a }, 6 },                         /* gfx600 to 602 */
	{ "bonaire", { 0x22, 0x23, 0x24, 0x25, 0x26, 0x3b }, 7 },      /* gfx700 to 705 */
	{ "tonga", { 0x28, 0x29, 0x2a, 0x2b, 0x3c }, 8 },              /* gfx801 to 810 */
	/* gfx900 to 90c without 908 and 90a, and gfx9-generic */
	{ "gfx900", { 0x2c, 0x2d, 0x2e, 0x2f, 0x31, 0x32, 0x51 }, 9 },
};

/* Does a target have instructions that no chip here has? The matrix instructions of gfx908 and gfx90a (9.0.8,
 * 9.0.10). */
static bool is_other(uint32_t major, uint32_t minor, uint32_t stepping)
{
	return major == 9 && (minor || stepping == 8 || stepping == 10);
}

/* The target's note of version 2: sizes of two names, 16 bits each; major, minor, stepping, 32 bits each; the names. */
static bool read_target_v2(struct object *o)
{
	const uint8_t *p = o->target_v2.bytes;

	if (o->target_v2.size < 16)
		return bad(o, "the note of the target is too short");
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (le32(p + 4) == targets[i].major && !is_other(le32(p + 4), le32(p + 8), le32(p + 12)))
			o->im->chip = targets[i].chip;
	return o->im->chip ||
	       diag_at(o->l->diag, (int64_t)o->l->offset + (p - o->l->bytes),
		       "code for gfx%u%u%x; expected gfx600 to gfx90c (without gfx908 and gfx90a)", le32(p + 4),
		       le32(p + 8), le32(p + 12));
}

#ifndef __wasm__
/* Names of later chips, and of those with matrix instructions, by the low byte of e_flags (clang 19). */
static const char *later_chip(unsigned mach)
{
	static const char *const names[] = {
		[0x30] = "gfx908 (CDNA)", [0x3f] = "gfx90a (CDNA 2)", [0x40] = "gfx940 (CDNA 3)",
		[0x4b] = "gfx941 (CDNA 3)", [0x4c] = "gfx942 (CDNA 3)", [0x33] = "gfx1010 (RDNA)",
		[0x34] = "gfx1011 (RDNA)", [0x35] = "gfx1012 (RDNA)", [0x42] = "gfx1013 (RDNA)",
		[0x36] = "gfx1030 (RDNA 2)", [0x37] = "gfx1031 (RDNA 2)", [0x38] = "gfx1032 (RDNA 2)",
		[0x39] = "gfx1033 (RDNA 2)", [0x3e] = "gfx1034 (RDNA 2)", [0x3d] = "gfx1035 (RDNA 2)",
		[0x45] = "gfx1036 (RDNA 2)", [0x41] = "gfx1100 (RDNA 3)", [0x46] = "gfx1101 (RDNA 3)",
		[0x47] = "gfx1102 (RDNA 3)", [0x44] = "gfx1103 (RDNA 3)", [0x43] = "gfx1150 (RDNA 3.5)",
		[0x4a] = "gfx1151 (RDNA 3.5)", [0x55] = "gfx1152 (RDNA 3.5)", [0x48] = "gfx1200 (RDNA 4)",
		[0x4e] = "gfx1201 (RDNA 4)",
	};

	return mach < sizeof names / sizeof *names ? names[mach] : NULL;
}
#endif

/* The chip: version 2 may have other bits in e_flags than later versions, and a note of the target. */
static bool read_target(struct object *o)
{
	unsigned mach = o->flags & 0xff;

	if (o->target_v2.bytes)
		return read_target_v2(o);
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (mach && memchr(targets[i].mach, (int)mach, sizeof targets[i].mach))
			o->im->chip = targets[i].chip;
#ifndef __wasm__
	if (!o->im->chip && later_chip(mach))
		return diag_at(o->l->diag, (int64_t)o->l->offset + 48, "code for %s; expected gfx600 to gfx90c "
			       "(without gfx908 and gfx90a): clang -mcpu=tahiti, bonaire, tonga or gfx900",
			       later_chip(mach));
#endif
	return o->im->chip ||
	       diag_at(o->l->diag, (int64_t)o->l->offset + 48,
		       "code for the target of number 0x%x; expected gfx600 to gfx90c (without gfx908 and gfx90a): "
		       "clang -mcpu=tahiti, bonaire, tonga or gfx900", mach);
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
	o->flags = h.e_flags;
	o->im->machine = "gcn";
	o->im->pointer_bytes = 8;
	return true;
}

bool code_object_matches(const uint8_t *bytes, size_t size)
{
	return size >= 20 && !memcmp(bytes, ELFMAG, SELFMAG) && le16(bytes + 18) == EM_AMDGPU_MACHINE;
}

bool object_open(struct object *o, struct load *l)
{
	*o = (struct object){ .l = l, .im = l->image };
	if (elf_version(EV_CURRENT) == EV_NONE)
		return diag_set(l->diag, DIAG_ENV, "libelf is too old for this program");
	errno = 0;
	/* libelf only reads the memory */
	o->elf = elf_memory((char *)(uintptr_t)l->bytes, l->size);
	if (!o->elf && errno == ENOMEM)
		return diag_set(l->diag, DIAG_ENV, "out of memory");
	if (!o->elf)
		return diag_at(l->diag, (int64_t)l->offset, "no ELF file in %zu bytes (%s)", l->size, elf_errmsg(-1));
	return read_header(o) && read_segments(o) &&
		each_section(o, SHT_DYNSYM, find_symbols) &&
		each_section(o, SHT_RELA, read_relocations) &&
		each_section(o, SHT_SYMTAB, find_symbols) &&
		each_section(o, SHT_NOTE, find_notes) &&
		object_parts(o) && object_prints(o) && read_target(o);
}

void object_close(struct object *o)
{
	elf_end(o->elf);
}
