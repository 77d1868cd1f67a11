/* Images as ELF cubins of class 32. Sections and symbols are collected first, with bytes of the image or of the writer;
 * then header, contents and section table follow each other. */
#include "core/load/cubin_elf_write.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/image.h"
#include "core/load/line_table.h"
#include "core/load/loader.h"

enum { EM_CUDA_MACHINE = 190, OSABI_CUDA = 51, R_ADDRESS_32 = 1, GLOBAL_ALIGN = 256, CODE_ALIGN = 64 };
enum { INFO_HALF = 3, INFO_BLOCK = 4, ATTR_PARAM = 0x17, ATTR_PARAM_BYTES = 0x18 };

struct section { Elf32_Shdr h; const void *bytes; };

struct writer {
	const struct image *im;
	struct arena arena;
	struct section *section;
	Elf32_Sym *symbol;
	size_t nsections, nsymbols, nlocals;
	struct { char *bytes; size_t size; FILE *f; } names, strings;    /* of sections; of symbols */
	uint32_t variables;              /* section of device variables; 0: none */
	uint32_t *variable_symbol, *kernel_symbol, *kernel_section;
	bool full;                       /* the host has no memory */
};

static uint32_t aligned(uint32_t n, uint32_t to) { return (n + to - 1) / to * to; }

static uint32_t text(FILE *f, const char *s)
{
	uint32_t at = (uint32_t)ftell(f);

	fwrite(s, 1, strlen(s) + 1, f);
	return at;
}

/* Append a section called prefix + name, with `size` bytes (NULL: no contents in the file); the section's number. */
static uint32_t add_section(struct writer *w, const char *prefix, const char *name, uint32_t type, const void *bytes,
			    uint32_t size)
{
	struct section *s = image_push(&w->arena, &w->section, &w->nsections);

	w->full |= !s;
	if (!s)
		return 0;
	fputs(prefix, w->names.f);
	s->h.sh_name = (uint32_t)ftell(w->names.f) - (uint32_t)strlen(prefix);
	text(w->names.f, name);
	s->h.sh_type = bytes || type != SHT_PROGBITS ? type : SHT_NOBITS;
	s->h.sh_size = size;
	s->h.sh_addralign = 4;
	s->bytes = bytes;
	return (uint32_t)w->nsections - 1;
}

static uint32_t add_symbol(struct writer *w, const char *name, unsigned char info, uint32_t section, uint32_t value,
			   uint32_t size)
{
	Elf32_Sym *s = image_push(&w->arena, &w->symbol, &w->nsymbols);

	w->full |= !s;
	if (s)
		*s = (Elf32_Sym){ .st_name = text(w->strings.f, name), .st_info = info, .st_value = value,
				  .st_size = size, .st_shndx = (Elf32_Section)section };
	return (uint32_t)w->nsymbols - 1;
}

/* ---- a kernel ---- */

static void put_param(uint8_t to[16], const struct image_param *q)
{
	uint32_t fields = q->size << 18 | 0x1f000;       /* cbank 0x1f: parameters are in s[] */
	uint8_t record[16] = { INFO_BLOCK, ATTR_PARAM, 12, 0, 0, 0, 0, 0, (uint8_t)q->ordinal,
			       (uint8_t)(q->ordinal >> 8), (uint8_t)q->offset, (uint8_t)(q->offset >> 8) };

	for (unsigned b = 0; b < 4; b++)
		record[12 + b] = (uint8_t)(fields >> 8 * b);
	memcpy(to, record, sizeof record);
}

/* Parameters as records of .nv.info. */
static void add_info(struct writer *w, const struct image_kernel *k)
{
	uint32_t size = 0, n = (uint32_t)k->nparams * 16 + 4;
	uint8_t *p = arena_alloc(&w->arena, n, 4);

	w->full |= !p;
	if (!p)
		return;
	for (size_t i = 0; i < k->nparams; i++) {
		const struct image_param *q = &k->params[i];
		put_param(p + 16 * i, q);
		if (q->offset + q->size > size)
			size = q->offset + q->size;
	}
	size = k->param_bytes ? k->param_bytes : size;
	memcpy(p + n - 4, (uint8_t[]){ INFO_HALF, ATTR_PARAM_BYTES, (uint8_t)size, (uint8_t)(size >> 8) }, 4);
	add_section(w, ".nv.info.", k->name, SHT_PROGBITS, p, n);
}

/* One section for each bank of constants, with the addresses of variables behind it as relocations. */
static void add_bank(struct writer *w, unsigned bank, const char *kernel, const struct image_const *c, size_t n,
		     const struct image_reloc *r, size_t nrelocs)
{
	uint32_t size = 0, used = 0, section;
	char name[40];

	for (size_t i = 0; i < n; i++)
		if (c[i].bank == bank && c[i].offset + c[i].size > size)
			size = c[i].offset + c[i].size;
	for (size_t i = 0; i < nrelocs; i++)
		if (r[i].bank == bank && r[i].offset + 4 > size)
			size = r[i].offset + 4;
	if (!size)
		return;
	uint8_t *bytes = arena_alloc(&w->arena, aligned(size, 4), 4);
	Elf32_Rel *rel = ARENA_ARRAY(&w->arena, Elf32_Rel, nrelocs + 1);
	w->full |= !bytes || !rel;
	if (w->full)
		return;
	for (size_t i = 0; i < n; i++)
		if (c[i].bank == bank && c[i].bytes)
			memcpy(bytes + c[i].offset, c[i].bytes, c[i].size);
	for (size_t i = 0; i < nrelocs; i++)
		if (r[i].bank == bank) {
			memcpy(bytes + r[i].offset, &r[i].addend, 4);
			rel[used++] = (Elf32_Rel){ r[i].offset,
						   ELF32_R_INFO(w->variable_symbol[r[i].global], R_ADDRESS_32) };
		}
	snprintf(name, sizeof name, ".nv.constant%u%s", bank, *kernel ? "." : "");
	section = add_section(w, name, kernel, SHT_PROGBITS, bytes, size);
	w->section[section].h.sh_flags = SHF_ALLOC;
	if (!used)
		return;
	snprintf(name, sizeof name, ".rel.nv.constant%u%s", bank, *kernel ? "." : "");
	uint32_t addresses = add_section(w, name, kernel, SHT_REL, rel, used * (uint32_t)sizeof *rel);
	w->section[addresses].h.sh_info = section;
	w->section[addresses].h.sh_entsize = sizeof *rel;
}

static void add_constants(struct writer *w, const char *kernel, const struct image_const *c, size_t n,
			  const struct image_reloc *r, size_t nrelocs)
{
	for (unsigned bank = 0; bank < LIMIT_BANKS && !w->full; bank++)
		add_bank(w, bank, kernel, c, n, r, nrelocs);
}

static void add_kernel(struct writer *w, size_t i, const struct image_kernel *k)
{
	uint32_t at = add_section(w, ".text.", k->name, SHT_PROGBITS, k->code, k->code_bytes);

	w->kernel_section[i] = at;
	if (w->full)
		return;
	w->section[at].h.sh_flags = SHF_ALLOC | SHF_EXECINSTR | k->barriers << 20;
	w->section[at].h.sh_addralign = 4;
	w->section[at].h.sh_info = k->regs << 24;
	if (k->smem)
		add_section(w, ".nv.shared.", k->name, SHT_NOBITS, NULL, k->smem);
	if (k->lmem)
		add_section(w, ".nv.local.", k->name, SHT_NOBITS, NULL, k->lmem);
	if (k->nparams || k->param_bytes)
		add_info(w, k);
	for (size_t n = 0; n < k->nlabels; n++)
		if (k->labels[n].pc < k->code_bytes)
			add_symbol(w, k->labels[n].name, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), at, k->labels[n].pc, 0);
}

/* ---- the module ---- */

/* All variables in one section with the alignment of buffers, so that addresses are those of the image. */
static void add_variables(struct writer *w)
{
	const struct image *im = w->im;
	uint32_t size = 0;
	bool filled = false;

	for (size_t i = 0; i < im->nglobals; i++) {
		size = aligned(size, GLOBAL_ALIGN) + im->globals[i].size;
		filled |= im->globals[i].bytes != NULL;
	}
	uint8_t *bytes = filled ? arena_alloc(&w->arena, size, 4) : NULL;
	w->full |= filled && !bytes;
	if (!im->nglobals || w->full)
		return;
	w->variables = add_section(w, ".nv.global", filled ? ".init" : "", SHT_PROGBITS, bytes, size);
	w->section[w->variables].h.sh_flags = SHF_ALLOC | SHF_WRITE;
	w->section[w->variables].h.sh_addralign = GLOBAL_ALIGN;
	for (size_t i = 0, at = 0; i < im->nglobals; at += im->globals[i++].size) {
		at = aligned((uint32_t)at, GLOBAL_ALIGN);
		if (im->globals[i].bytes)
			memcpy(bytes + at, im->globals[i].bytes, im->globals[i].filled);
		w->variable_symbol[i] = add_symbol(w, im->globals[i].name, ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT),
						   w->variables, (uint32_t)at, im->globals[i].size);
	}
}

static void write_extent(FILE *f, const char *word, const uint32_t e[3])
{
	if (e[0])
		fprintf(f, "%s %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", word, e[0], e[1] ? e[1] : 1, e[2] ? e[2] : 1);
}

static void write_texts(FILE *f, const char *word, const char *const *texts)
{
	for (; texts && *texts; texts++)
		fprintf(f, "%s %s\n", word, *texts);
}

/* Facts without a place in NVIDIA's sections, a line each. */
static void add_own(struct writer *w, const uint32_t *kernel, uint32_t n)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&bytes, &size);

	w->full |= !f;
	if (!f)
		return;
	if (w->im->chip)
		fprintf(f, "chip %s\n", w->im->chip);
	for (uint32_t i = 0; i < n; i++) {
		const struct image_kernel *k = &w->im->kernels[kernel[i]];
		fprintf(f, "kernel %s\n", k->name);
		for (size_t p = 0; p < k->nparams; p++)
			fprintf(f, "param %s %s %s\n", *k->params[p].type ? k->params[p].type : "-",
				k->params[p].kind ? k->params[p].kind : "-", k->params[p].name);
		for (size_t t = 0; t < k->ntextures; t++)
			fprintf(f, "texture %" PRIu32 " %" PRIu32 " %d\n", k->textures[t].number, k->textures[t].offset,
				k->textures[t].in_variable ? k->textures[t].bank : -1);
		write_extent(f, "grid", k->launch.grid);
		write_extent(f, "block", k->launch.block);
		if (k->launch.mps)
			fprintf(f, "mps %" PRIu32 "\n", k->launch.mps);
		write_texts(f, "arg", k->launch.args);
		write_texts(f, "expect", k->launch.expect);
	}
	w->full |= fclose(f) || !bytes;
	char *kept = w->full ? NULL : arena_memdup(&w->arena, bytes, size);
	free(bytes);
	w->full |= !kept;
	if (kept)
		add_section(w, ".warpbeam", "", SHT_PROGBITS, kept, (uint32_t)size);
}

/* A line table of the kernels. */
static void add_lines(struct writer *w, const char *name, const char *file, const uint32_t *kernel, uint32_t n,
		      bool beside)
{
	struct line_sequence *s = ARENA_ARRAY(&w->arena, struct line_sequence, n + 1);
	uint32_t *address = ARENA_ARRAY(&w->arena, uint32_t, n + 1);
	Elf32_Rel *rel = ARENA_ARRAY(&w->arena, Elf32_Rel, n + 1);
	char *bytes = NULL, relocations[40];
	size_t size = 0;
	FILE *f = open_memstream(&bytes, &size);

	w->full |= !s || !address || !rel || !f;
	for (uint32_t i = 0; i < n && !w->full; i++) {
		const struct image_kernel *k = &w->im->kernels[kernel[i]];
		const struct image_line *from = beside ? k->beside_lines : k->lines;
		size_t rows = beside ? k->nbeside : k->nlines;
		struct line_row *to = ARENA_ARRAY(&w->arena, struct line_row, rows + 1);
		w->full |= !to;
		uint32_t used = 0;
		for (size_t r = 0; to && r < rows; r++)
			if (!r || from[r].line != to[used - 1].line)
				to[used++] = (struct line_row){ from[r].pc, from[r].line };
		s[i] = (struct line_sequence){ to, used, k->code_bytes };
	}
	if (!w->full)
		line_table_write(f, file, s, n, address);
	w->full |= (f && fclose(f)) || !bytes;
	char *kept = w->full ? NULL : arena_memdup(&w->arena, bytes, size);
	free(bytes);
	w->full |= !kept;
	if (w->full)
		return;
	for (uint32_t i = 0; i < n; i++)
		rel[i] = (Elf32_Rel){ address[i], ELF32_R_INFO(w->kernel_symbol[i], R_ADDRESS_32) };
	uint32_t lines = add_section(w, name, "", SHT_PROGBITS, kept, (uint32_t)size);
	snprintf(relocations, sizeof relocations, ".rel%s", name);
	uint32_t r = add_section(w, relocations, "", SHT_REL, rel, n * (uint32_t)sizeof *rel);
	w->section[r].h.sh_info = lines;
	w->section[r].h.sh_entsize = sizeof *rel;
}

static void add_texts(struct writer *w, const uint32_t *kernel, uint32_t n)
{
	const struct image *im = w->im;
	bool c = im->beside != NULL;
	const char *ptx = c ? im->beside : im->source;

	if (c || im->beside_name)
		add_lines(w, ".debug_line", c ? im->source_name ? im->source_name : "" : im->beside_name, kernel, n,
			  !c);
	if (!ptx)
		return;
	add_lines(w, ".nv_debug_line_sass", "ptx", kernel, n, c);
	add_section(w, ".nv_debug_ptx_txt", "", SHT_PROGBITS, ptx, (uint32_t)strlen(ptx));
}

/* ---- the file ---- */

static void pad(FILE *out, long begin, uint32_t to)
{
	while ((ftell(out) - begin) % to)
		fputc(0, out);
}

static void add_tables(struct writer *w)
{
	uint32_t strings, symbols;

	fflush(w->strings.f);
	strings = add_section(w, ".strtab", "", SHT_STRTAB, w->strings.bytes, (uint32_t)w->strings.size);
	symbols = add_section(w, ".symtab", "", SHT_SYMTAB, w->symbol, (uint32_t)(w->nsymbols * sizeof *w->symbol));
	uint32_t names = add_section(w, ".shstrtab", "", SHT_STRTAB, "", 0);
	fflush(w->names.f);
	if (w->full)
		return;
	w->section[names].bytes = w->names.bytes;
	w->section[names].h.sh_size = (uint32_t)w->names.size;
	w->section[symbols].h.sh_link = strings;
	w->section[symbols].h.sh_info = (uint32_t)w->nlocals;
	w->section[symbols].h.sh_entsize = sizeof *w->symbol;
	for (size_t i = 0; i < w->nsections; i++)
		if (w->section[i].h.sh_type == SHT_REL)
			w->section[i].h.sh_link = symbols;
}

static void write_file(struct writer *w, unsigned sm, FILE *out)
{
	long begin = ftell(out);
	Elf32_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT, OSABI_CUDA },
		.e_type = ET_EXEC, .e_machine = EM_CUDA_MACHINE, .e_version = EV_CURRENT, .e_flags = sm,
		.e_ehsize = sizeof h, .e_shentsize = sizeof(Elf32_Shdr), .e_shnum = (Elf32_Half)w->nsections,
		.e_shstrndx = (Elf32_Half)(w->nsections - 1),
	};
	uint32_t at = sizeof h;

	for (size_t i = 1; i < w->nsections; i++) {
		struct section *s = &w->section[i];
		uint32_t align = s->h.sh_flags & SHF_EXECINSTR ? CODE_ALIGN : 4;
		s->h.sh_offset = at = aligned(at, align);
		at += s->h.sh_type == SHT_NOBITS ? 0 : s->h.sh_size;
	}
	h.e_shoff = aligned(at, 4);
	fwrite(&h, sizeof h, 1, out);
	for (size_t i = 1; i < w->nsections; i++) {
		const struct section *s = &w->section[i];
		pad(out, begin, s->h.sh_flags & SHF_EXECINSTR ? CODE_ALIGN : 4);
		if (s->h.sh_type != SHT_NOBITS)
			fwrite(s->bytes, 1, s->h.sh_size, out);
	}
	pad(out, begin, 4);
	for (size_t i = 0; i < w->nsections; i++)
		fwrite(&w->section[i].h, sizeof w->section[i].h, 1, out);
}

static void collect(struct writer *w, const uint32_t *kernel, uint32_t n)
{
	const struct image *im = w->im;

	w->variable_symbol = ARENA_ARRAY(&w->arena, uint32_t, im->nglobals + 1);
	w->kernel_symbol = ARENA_ARRAY(&w->arena, uint32_t, n + 1);
	w->kernel_section = ARENA_ARRAY(&w->arena, uint32_t, n + 1);
	w->full |= !w->variable_symbol || !w->kernel_symbol || !w->kernel_section;
	if (w->full)
		return;
	add_section(w, "", "", SHT_NULL, NULL, 0);
	w->section[0].h.sh_addralign = 0;
	add_symbol(w, "", 0, 0, 0, 0);
	for (uint32_t i = 0; i < n && !w->full; i++)
		add_kernel(w, i, &im->kernels[kernel[i]]);
	w->nlocals = w->nsymbols;
	for (uint32_t i = 0; i < n && !w->full; i++) {
		const struct image_kernel *k = &im->kernels[kernel[i]];
		w->kernel_symbol[i] = add_symbol(w, k->name, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), w->kernel_section[i],
						 k->entry, k->code_bytes - k->entry);
		w->section[w->kernel_section[i]].h.sh_info |= w->kernel_symbol[i] & 0xffffff;
	}
	add_variables(w);
	add_constants(w, "", im->consts, im->nconsts, im->relocs, im->nrelocs);
	for (uint32_t i = 0; i < n && !w->full; i++) {
		const struct image_kernel *k = &im->kernels[kernel[i]];
		add_constants(w, k->name, k->consts, k->nconsts, k->relocs, k->nrelocs);
	}
	add_texts(w, kernel, n);
	add_own(w, kernel, n);
	add_tables(w);
}

bool cubin_elf_write(const struct image *im, const uint32_t *kernel, uint32_t n, unsigned sm, FILE *out, struct diag *d)
{
	struct writer w = { .im = im };

	if (im->npointers)
		return diag_set(d, DIAG_INPUT, "variable %s has the address of another one, which is not written; the "
				"source of the program runs as it is", im->globals[im->pointers[0].in].name);
	w.names.f = open_memstream(&w.names.bytes, &w.names.size);
	w.strings.f = open_memstream(&w.strings.bytes, &w.strings.size);
	w.full = !w.names.f || !w.strings.f;
	if (!w.full)
		collect(&w, kernel, n);
	if (!w.full)
		write_file(&w, sm, out);
	if (w.names.f)
		fclose(w.names.f);
	if (w.strings.f)
		fclose(w.strings.f);
	free(w.names.bytes);
	free(w.strings.bytes);
	arena_free(&w.arena);
	return !w.full || diag_set(d, DIAG_ENV, "out of memory");
}
