/* ELF cubins: e_machine 190, the low byte of e_flags is the target. What each section says (tesla-semantics, "Launch";
 * found in cubins of the CUDA 3 and 4 compilers):
 *
 *   .text.K             code of kernel K; sh_info: registers in bits 31:24, symbol in bits 23:0: its value is the
 *                       entry; sh_flags: barriers in bits 26:20
 *   .nv.info.K          records about K: parameters
 *   .nv.shared.K        its size is K's s[], launch header and parameters included
 *   .nv.local.K         its size is the l[] of a thread
 *   .nv.constantN[.K]   initial data of c[N], of the module or of K alone
 *   .nv.global[.init]   device variables
 *   .rel.nv.constantN[.K]  addresses of device variables in c[N]
 *   .debug_line         lines of the source by instruction, .nv_debug_line_sass those of the PTX; addresses are
 *                       relocated against the kernels' symbols
 *   .nv_debug_ptx_txt   the PTX
 *   .warpbeam           what Warpbeam's own compiler says besides (cubin_elf_write.c): chip, names and kinds of
 *                       parameters, handles of textures, launch defaults
 *
 * libelf reads the headers, which come in two classes and with escapes for large counts. Sections lie at any offset:
 * their contents are read by bytes, never cast, and nothing is copied, since sections may overlap as often as a file
 * likes. */
#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/load/line_table.h"
#include "core/load/loader.h"

enum { EM_CUDA_MACHINE = 190, SECTION_NONE = -1 };

struct elf {
	struct load *l;
	struct image *im;
	Elf *elf;
	size_t names;            /* section of the section names */
	Elf_Data *symbols;       /* NULL: none */
	size_t globals[2];       /* sections of device variables, in the order of the image's globals; 0: none */
	size_t *kernel_section;  /* section of each kernel's code, ascending */
	size_t nkernel_sections;
	size_t relocs;           /* read so far */
};

struct section {
	Elf_Scn *scn;
	GElf_Shdr h;
	const char *name;
	const uint8_t *bytes;    /* NULL: without contents in the file */
};

static int64_t file_offset(const struct elf *e, const uint8_t *p)
{
	return (int64_t)(e->l->offset + (uint64_t)(p - e->l->bytes));
}

#define BAD(e, s, ...) diag_at((e)->l->diag, (int64_t)((e)->l->offset + (s)->h.sh_offset), __VA_ARGS__)

/* The next section after s->scn. False at the end and, with a diagnostic in *bad, for a header with wrong numbers. */
static bool section_next(struct elf *e, struct section *s, bool *bad)
{
	*bad = false;
	s->scn = elf_nextscn(e->elf, s->scn);
	if (!s->scn)
		return false;
	*bad = true;
	size_t i = elf_ndxscn(s->scn);
	if (!gelf_getshdr(s->scn, &s->h))
		return diag_set(e->l->diag, DIAG_INPUT, "section %zu: its header cannot be read (%s)", i,
				elf_errmsg(-1));
	s->name = elf_strptr(e->elf, e->names, s->h.sh_name);
	if (!s->name || strlen(s->name) > LIMIT_NAME)
		return diag_set(e->l->diag, DIAG_INPUT, "section %zu: no name at 0x%x of the name table", i,
				(unsigned)s->h.sh_name);
	s->bytes = NULL;
	if (s->h.sh_type != SHT_NOBITS && s->h.sh_type != SHT_NULL) {
		if (s->h.sh_offset > e->l->size || s->h.sh_size > e->l->size - s->h.sh_offset)
			return diag_set(e->l->diag, DIAG_INPUT,
					"section `%.60s`: 0x%llx bytes at 0x%llx; the file has 0x%zx", s->name,
					(unsigned long long)s->h.sh_size, (unsigned long long)s->h.sh_offset,
					e->l->size);
		s->bytes = e->l->bytes + s->h.sh_offset;
	}
	*bad = false;
	return true;
}

static bool each_section(struct elf *e, bool (*visit)(struct elf *e, const struct section *s))
{
	struct section s = { .scn = NULL };
	bool bad;
	while (section_next(e, &s, &bad)) {
		if (!visit(e, &s))
			return false;
	}
	return !bad;
}

static bool in_limit(struct elf *e, const struct section *s, uint64_t limit)
{
	return s->h.sh_size <= limit ||
		BAD(e, s, "section `%.60s` has 0x%llx bytes; expected at most 0x%llx", s->name,
		    (unsigned long long)s->h.sh_size, (unsigned long long)limit);
}

static const char *after(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	return strncmp(name, prefix, n) ? NULL : name + n;
}

static struct image_kernel *kernel_of(struct elf *e, const char *name)
{
	for (size_t i = 0; i < e->im->nkernels; i++) {
		if (!strcmp(e->im->kernels[i].name, name))
			return &e->im->kernels[i];
	}
	return NULL;
}

/* ---- first pass: symbols, kernels, device variables ---- */

static bool entry_of(struct elf *e, const struct section *s, struct image_kernel *k)
{
	unsigned symbol = s->h.sh_info & 0xffffff;
	GElf_Sym sym;
	if (!gelf_getsym(e->symbols, (int)symbol, &sym))
		return BAD(e, s, "section `%.60s` names symbol %u; the file has no such symbol", s->name, symbol);
	if (sym.st_shndx != elf_ndxscn(s->scn) || sym.st_value >= s->h.sh_size || sym.st_value % 4)
		return BAD(e, s, "symbol %u is no entry of section `%.60s`: section %u, value 0x%llx", symbol, s->name,
			   sym.st_shndx, (unsigned long long)sym.st_value);
	k->entry = (uint32_t)sym.st_value;
	return true;
}

static bool add_kernel(struct elf *e, const struct section *s, const char *name)
{
	struct image *im = e->im;
	if (!s->bytes || !s->h.sh_size || s->h.sh_size % 4)
		return BAD(e, s, "section `%.60s` has 0x%llx bytes of code; expected 32-bit words", s->name,
			   (unsigned long long)s->h.sh_size);
	if (!in_limit(e, s, UINT32_MAX))
		return false;
	if (kernel_of(e, name))
		return BAD(e, s, "a second section `%.60s`", s->name);
	if (im->nkernels == LIMIT_KERNELS)
		return BAD(e, s, "more than %d kernels", LIMIT_KERNELS);
	struct image_kernel *k = image_push(&im->arena, &im->kernels, &im->nkernels);
	size_t *section = image_push(&im->arena, &e->kernel_section, &e->nkernel_sections);
	if (!k || !section)
		return load_no_memory(e->l);
	*section = elf_ndxscn(s->scn);
	k->name = arena_text(&im->arena, name, strlen(name));
	if (!k->name)
		return load_no_memory(e->l);
	k->code = s->bytes;
	k->code_bytes = (uint32_t)s->h.sh_size;
	k->regs = s->h.sh_info >> 24;
	if (k->regs > LIMIT_REGS)
		return BAD(e, s, "section `%.60s` says %u registers; expected at most %d", s->name, k->regs,
			   LIMIT_REGS);
	k->barriers = (uint32_t)(s->h.sh_flags >> 20) & 0x7f;
	if (k->barriers > LIMIT_BARRIERS)
		return BAD(e, s, "section `%.60s` says %u barriers; expected at most %d", s->name, k->barriers,
			   LIMIT_BARRIERS);
	return !(s->h.sh_info & 0xffffff) || entry_of(e, s, k);
}

static bool add_global(struct elf *e, const struct section *s, const char *name)
{
	struct image *im = e->im;
	for (size_t i = 0; i < im->nglobals; i++) {
		if (!strcmp(im->globals[i].name, name))
			return BAD(e, s, "a second section `%s`", name);
	}
	if (!in_limit(e, s, LIMIT_GLOBAL_BYTES))
		return false;
	e->globals[im->nglobals] = elf_ndxscn(s->scn);
	struct image_global *g = image_push(&im->arena, &im->globals, &im->nglobals);
	if (!g)
		return load_no_memory(e->l);
	*g = (struct image_global){ .name = name, .size = (uint32_t)s->h.sh_size, .bytes = s->bytes };
	g->filled = s->bytes ? g->size : 0;
	return true;
}

static bool find_symbols(struct elf *e, const struct section *s)
{
	if (s->h.sh_type != SHT_SYMTAB || e->symbols)
		return true;
	e->symbols = elf_getdata(s->scn, NULL);
	return e->symbols || BAD(e, s, "the symbol table cannot be read (%s)", elf_errmsg(-1));
}

static bool find_programs(struct elf *e, const struct section *s)
{
	static const char *const globals[] = { ".nv.global", ".nv.global.init" };
	const char *kernel = after(s->name, ".text.");
	if (kernel && *kernel)
		return add_kernel(e, s, kernel);
	for (int i = 0; i < 2; i++) {
		if (!strcmp(s->name, globals[i]))
			return add_global(e, s, globals[i]);
	}
	return true;
}

/* ---- second pass: records about kernels ---- */

/* .nv.info records: format, attribute, 16 bits; format 4: that many bytes follow; 3: the value; 1, 2: no value. */
enum { INFO_NONE = 1, INFO_BYTE = 2, INFO_HALF = 3, INFO_BLOCK = 4 };
enum { ATTR_PARAM = 0x17, ATTR_PARAM_BYTES = 0x18 };

static bool add_param(struct elf *e, struct image_kernel *k, const uint8_t *p, size_t n)
{
	if (n < 12)
		return diag_at(e->l->diag, file_offset(e, p), "a parameter record of %zu bytes; expected 12", n);
	uint32_t offset = le16(p + 6), size = le32(p + 8) >> 18;
	if (offset + size > LIMIT_PARAM_BYTES || k->nparams == LIMIT_PARAMS)
		return diag_at(e->l->diag, file_offset(e, p),
			       "parameter %u has %u bytes at %u; a parameter block has at most %d", le16(p + 4), size,
			       offset, LIMIT_PARAM_BYTES);
	struct image_param *to = image_push(&e->im->arena, &k->params, &k->nparams);
	if (!to)
		return load_no_memory(e->l);
	*to = (struct image_param){ .name = "", .type = "", .ordinal = le16(p + 4), .offset = offset, .size = size };
	return true;
}

static int by_ordinal(const void *a, const void *b)
{
	const struct image_param *p = a, *q = b;
	return (p->ordinal > q->ordinal) - (p->ordinal < q->ordinal);
}

static bool check_params(struct elf *e, const struct section *s, struct image_kernel *k)
{
	if (k->param_bytes > LIMIT_PARAM_BYTES)
		return BAD(e, s, "section `%.60s` says %u parameter bytes; expected at most %d", s->name,
			   k->param_bytes, LIMIT_PARAM_BYTES);
	if (k->nparams)
		qsort(k->params, k->nparams, sizeof *k->params, by_ordinal);
	for (size_t i = 0; i < k->nparams; i++) {
		const struct image_param *p = &k->params[i];
		if (i && p->ordinal == p[-1].ordinal)
			return BAD(e, s, "section `%.60s` has parameter %u twice", s->name, p->ordinal);
		if (!k->param_bytes || p->offset + p->size <= k->param_bytes)
			continue;
		return BAD(e, s, "section `%.60s`: parameter %u ends at %u; the block has %u bytes", s->name,
			   p->ordinal, p->offset + p->size, k->param_bytes);
	}
	return true;
}

static bool read_info(struct elf *e, const struct section *s, struct image_kernel *k)
{
	const uint8_t *p = s->bytes, *end = p ? p + s->h.sh_size : NULL;
	if (k->nparams || k->param_bytes)
		return BAD(e, s, "a second section `%.60s`", s->name);
	while (p && p < end) {
		size_t left = (size_t)(end - p), n = left >= 4 && p[0] == INFO_BLOCK ? le16(p + 2) : 0;
		if (left < 4 || n > left - 4)
			return diag_at(e->l->diag, file_offset(e, p),
				       "a record of section `%.60s` leaves it by %zu bytes", s->name, 4 + n - left);
		if (p[0] < INFO_NONE || p[0] > INFO_BLOCK)
			return diag_at(e->l->diag, file_offset(e, p),
				       "a record of format %u in section `%.60s`; expected 1 to 4", p[0], s->name);
		if (p[0] == INFO_HALF && p[1] == ATTR_PARAM_BYTES)
			k->param_bytes = le16(p + 2);
		if (p[0] == INFO_BLOCK && p[1] == ATTR_PARAM && !add_param(e, k, p + 4, n))
			return false;
		p += 4 + n;
	}
	return check_params(e, s, k);
}

/* ".nv.constantN" and ".nv.constantN.K": the bank, and K ("" for the module's). SECTION_NONE: another name or bank. */
static int constant_name(const char *name, const char **kernel)
{
	const char *p = after(name, ".nv.constant");
	char *end;
	if (!p || *p < '0' || *p > '9')
		return SECTION_NONE;
	unsigned long bank = strtoul(p, &end, 10);
	if ((*end && *end != '.') || bank >= LIMIT_BANKS)
		return SECTION_NONE;
	*kernel = *end ? end + 1 : end;
	return (int)bank;
}

/* Owner of constants and relocations: the module or a kernel. NULL: a kernel that the file does not have. */
struct owner {
	struct image_const **consts;
	struct image_reloc **relocs;
	size_t *nconsts, *nrelocs;
};

static bool owner_of(struct elf *e, const char *kernel, struct owner *o)
{
	struct image *im = e->im;
	struct image_kernel *k = *kernel ? kernel_of(e, kernel) : NULL;
	if (k)
		*o = (struct owner){ &k->consts, &k->relocs, &k->nconsts, &k->nrelocs };
	else
		*o = (struct owner){ &im->consts, &im->relocs, &im->nconsts, &im->nrelocs };
	return k || !*kernel;
}

static struct image_const *bank_of(const struct owner *o, unsigned bank)
{
	for (size_t i = 0; i < *o->nconsts; i++) {
		if ((*o->consts)[i].bank == bank)
			return &(*o->consts)[i];
	}
	return NULL;
}

static bool add_const(struct elf *e, const struct section *s, unsigned bank, const char *kernel)
{
	struct owner o;
	if (!owner_of(e, kernel, &o))
		return BAD(e, s, "section `%.60s` is of a kernel without code", s->name);
	if (!in_limit(e, s, LIMIT_BANK_BYTES))
		return false;
	if (bank_of(&o, bank))
		return BAD(e, s, "a second section `%.60s`", s->name);
	struct image_const *c = image_push(&e->im->arena, o.consts, o.nconsts);
	if (!c)
		return load_no_memory(e->l);
	*c = (struct image_const){
		.name = "", .bank = (uint8_t)bank, .size = (uint32_t)s->h.sh_size, .bytes = s->bytes
	};
	return true;
}

static bool describe(struct elf *e, const struct section *s)
{
	const char *name;
	struct image_kernel *k;
	int bank = constant_name(s->name, &name);
	if (bank != SECTION_NONE)
		return add_const(e, s, (unsigned)bank, name);
	if ((name = after(s->name, ".nv.info.")) && (k = kernel_of(e, name)))
		return read_info(e, s, k);
	if ((name = after(s->name, ".nv.shared.")) && (k = kernel_of(e, name))) {
		k->smem = (uint32_t)s->h.sh_size;
		return in_limit(e, s, LIMIT_SMEM);
	}
	if ((name = after(s->name, ".nv.local.")) && (k = kernel_of(e, name))) {
		k->lmem = (uint32_t)s->h.sh_size;
		return in_limit(e, s, LIMIT_LMEM);
	}
	return true;
}

/* ---- third pass: addresses ---- */

enum { R_ADDRESS_32 = 1 };

static bool add_reloc(struct elf *e, const struct section *s, const struct owner *o, unsigned bank, const GElf_Rel *r)
{
	const struct image_const *c = bank_of(o, bank);
	unsigned long type = GELF_R_TYPE(r->r_info), symbol = GELF_R_SYM(r->r_info);
	GElf_Sym sym;
	if (type != R_ADDRESS_32)
		return BAD(e, s, "section `%.60s` has a relocation of type %lu; expected 1, a 32-bit address", s->name,
			   type);
	if (!c || c->size < 4 || r->r_offset > c->size - 4)
		return BAD(e, s, "section `%.60s` puts an address at 0x%llx; its bank has 0x%x bytes", s->name,
			   (unsigned long long)r->r_offset, c ? c->size : 0);
	bool known = symbol <= INT32_MAX && gelf_getsym(e->symbols, (int)symbol, &sym) && sym.st_shndx;
	uint32_t global = known && sym.st_shndx == e->globals[1] ? 1 : 0;
	if (!known || sym.st_shndx != e->globals[global])
		return BAD(e, s, "section `%.60s` wants the address of symbol %lu, which is no device variable",
			   s->name, symbol);
	if (sym.st_value > e->im->globals[global].size)
		return BAD(e, s, "symbol %lu lies 0x%llx bytes into its section of 0x%x", symbol,
			   (unsigned long long)sym.st_value, e->im->globals[global].size);
	struct image_reloc *to = image_push(&e->im->arena, o->relocs, o->nrelocs);
	if (!to)
		return load_no_memory(e->l);
	uint32_t in_place = c->bytes ? le32(c->bytes + r->r_offset) : 0;
	*to = (struct image_reloc){ .bank = (uint8_t)bank, .offset = (uint32_t)r->r_offset, .global = global,
				    .addend = (uint32_t)sym.st_value + in_place };
	return true;
}

static bool add_relocs(struct elf *e, const struct section *s, const struct owner *o, unsigned bank)
{
	size_t n = s->h.sh_size / gelf_fsize(e->elf, ELF_T_REL, 1, EV_CURRENT);
	if (s->h.sh_type != SHT_REL)
		return BAD(e, s, "section `%.60s` has type %u; expected %d, relocations without addends", s->name,
			   s->h.sh_type, SHT_REL);
	if (n > LIMIT_RELOCS - e->relocs)
		return BAD(e, s, "section `%.60s` has %zu addresses more than the %zu before; expected at most %d",
			   s->name, n, e->relocs, LIMIT_RELOCS);
	e->relocs += n;
	Elf_Data *data = n ? elf_getdata(s->scn, NULL) : NULL;
	GElf_Rel r;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getrel(data, (int)i, &r))
			return BAD(e, s, "section `%.60s` cannot be read (%s)", s->name, elf_errmsg(-1));
		if (!add_reloc(e, s, o, bank, &r))
			return false;
	}
	return true;
}

static bool relocate(struct elf *e, const struct section *s)
{
	const char *target = after(s->name, ".rel"), *kernel;
	int bank = target ? constant_name(target, &kernel) : SECTION_NONE;
	struct owner o;
	if (target && after(target, ".text."))
		return BAD(e, s, "section `%.60s`: addresses in code; expected them in constants only", s->name);
	if (bank == SECTION_NONE)
		return true;
	if (!owner_of(e, kernel, &o))
		return BAD(e, s, "section `%.60s` is of a kernel without code", s->name);
	return add_relocs(e, s, &o, (unsigned)bank);
}

/* ---- fourth pass: labels, lines, launch defaults ---- */

static struct image_kernel *kernel_of_section(const struct elf *e, size_t section)
{
	size_t low = 0, high = e->nkernel_sections;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (e->kernel_section[middle] == section)
			return &e->im->kernels[middle];
		if (e->kernel_section[middle] < section)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static int by_pc(const void *a, const void *b)
{
	const struct image_label *p = a, *q = b;
	return (p->pc > q->pc) - (p->pc < q->pc);
}

/* Local symbols of no type are labels. */
static bool add_labels(struct elf *e, const struct section *s)
{
	bool table = s->h.sh_type == SHT_SYMTAB && elf_getdata(s->scn, NULL) == e->symbols;
	size_t n = table ? s->h.sh_size / gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT) : 0, labels = 0;
	GElf_Sym sym;

	for (size_t i = 1; i < n && i <= INT32_MAX && gelf_getsym(e->symbols, (int)i, &sym); i++) {
		struct image_kernel *k = kernel_of_section(e, sym.st_shndx);
		const char *name = elf_strptr(e->elf, s->h.sh_link, sym.st_name);
		if (!k || !name || !*name || GELF_ST_TYPE(sym.st_info) != STT_NOTYPE ||
		    GELF_ST_BIND(sym.st_info) != STB_LOCAL || sym.st_value >= k->code_bytes ||
		    strlen(name) > LIMIT_NAME || labels++ >= LIMIT_LABELS)
			continue;
		struct image_label *l = image_push(&e->im->arena, &k->labels, &k->nlabels);
		if (!l)
			return load_no_memory(e->l);
		*l = (struct image_label){ arena_text(&e->im->arena, name, strlen(name)), (uint32_t)sym.st_value };
		if (!l->name)
			return load_no_memory(e->l);
	}
	for (size_t i = 0; labels && i < e->im->nkernels; i++)
		if (e->im->kernels[i].nlabels)
			qsort(e->im->kernels[i].labels, e->im->kernels[i].nlabels, sizeof(struct image_label), by_pc);
	return true;
}

/* A line table that is being read. */
struct table {
	struct elf *e;
	bool ptx;                /* lines of the PTX */
	Elf_Data *relocs;        /* of the addresses, ascending; NULL: none */
	size_t nrelocs, next;
	struct image_kernel *kernel;
	const char *file;        /* the first that a row names */
	size_t rows;
};

/* The kernel of a sequence: what the relocation of its first address names, or the only one. */
static bool begin_sequence(void *user, uint32_t offset)
{
	struct table *t = user;
	GElf_Rel r;
	GElf_Sym sym;

	t->kernel = !t->relocs && t->e->im->nkernels == 1 ? t->e->im->kernels : NULL;
	for (; t->next < t->nrelocs && gelf_getrel(t->relocs, (int)t->next, &r) && r.r_offset <= offset; t->next++)
		if (r.r_offset == offset && GELF_R_SYM(r.r_info) <= INT32_MAX &&
		    gelf_getsym(t->e->symbols, (int)GELF_R_SYM(r.r_info), &sym))
			t->kernel = kernel_of_section(t->e, sym.st_shndx);
	return t->kernel != NULL;
}

static bool take_row(void *user, uint32_t address, const char *file, uint32_t line)
{
	struct table *t = user;
	struct image_kernel *k = t->kernel;
	struct image_line **rows = t->ptx ? &k->beside_lines : &k->lines;
	size_t *n = t->ptx ? &k->nbeside : &k->nlines;
	struct image_line *last = *n ? &(*rows)[*n - 1] : NULL;

	if (!t->file && line)
		t->file = file;
	if (address >= k->code_bytes || (last && last->pc > address) || (line && strcmp(file, t->file) != 0))
		return true;
	if (!last || last->pc < address) {
		if ((last ? last->line : 0) == line)
			return true;
		last = image_push(&t->e->im->arena, rows, n);
		if (!last)
			return false;
		last->pc = address;
	}
	last->line = line;
	t->rows++;
	return true;
}

static bool section_named(struct elf *e, const char *name, struct section *out)
{
	bool bad;

	*out = (struct section){ .scn = NULL };
	while (section_next(e, out, &bad))
		if (!strcmp(out->name, name))
			return true;
	return false;
}

/* The file that most rows are about, as the table says; NULL: no table, or none of its rows is of a kernel. */
static bool read_lines(struct elf *e, const char *name, bool ptx, const char **file)
{
	struct table t = { .e = e, .ptx = ptx };
	struct line_reader r = { &t, begin_sequence, take_row };
	struct section s, relocs;
	char rel[40];

	*file = NULL;
	snprintf(rel, sizeof rel, ".rel%s", name);
	if (!section_named(e, name, &s) || !s.bytes)
		return true;
	if (section_named(e, rel, &relocs) && relocs.h.sh_type == SHT_REL && relocs.bytes) {
		size_t n = relocs.h.sh_size / gelf_fsize(e->elf, ELF_T_REL, 1, EV_CURRENT);
		t.relocs = elf_getdata(relocs.scn, NULL);
		t.nrelocs = t.relocs && n <= INT32_MAX ? n : 0;
	}
	if (!line_table_read(s.bytes, s.h.sh_size, &r))
		return load_no_memory(e->l);
	if (t.rows && t.file && !(*file = arena_text(&e->im->arena, t.file, strlen(t.file))))
		return load_no_memory(e->l);
	return true;
}

/* The PTX is the source, and the lines of the file that it was made of are beside; without the PTX the file's lines
 * stand alone. */
static bool read_texts(struct elf *e)
{
	struct image *im = e->im;
	const char *c, *ptx;
	struct section s;

	if (!read_lines(e, ".debug_line", false, &c) || !read_lines(e, ".nv_debug_line_sass", true, &ptx))
		return false;
	bool text = ptx && section_named(e, ".nv_debug_ptx_txt", &s) && s.bytes;
	if (text && !(im->source = arena_lines(&im->arena, (const char *)s.bytes, s.h.sh_size)))
		return load_no_memory(e->l);
	for (size_t i = 0; i < im->nkernels; i++) {
		struct image_kernel *k = &im->kernels[i], before = *k;
		k->lines = text ? before.beside_lines : before.lines;
		k->nlines = text ? before.nbeside : before.nlines;
		k->beside_lines = text && c ? before.lines : NULL;
		k->nbeside = text && c ? before.nlines : 0;
	}
	if (text)
		im->beside_name = c;
	else
		im->source_name = c;
	return true;
}

/* ---- our own section ---- */

struct own { struct elf *e; struct image_kernel *kernel; size_t param; };

static bool push_text(struct elf *e, const char *const **list, const char *text, size_t n)
{
	size_t count = 0;
	const char **more;

	while (*list && (*list)[count])
		count++;
	more = ARENA_ARRAY(&e->im->arena, const char *, count + 2);
	if (!more)
		return false;
	if (count)
		memcpy(more, *list, count * sizeof *more);
	more[count] = arena_text(&e->im->arena, text, n);
	*list = more;
	return more[count] != NULL;
}

static void read_extent(const char *text, uint32_t e[3])
{
	char *end = (char *)(uintptr_t)text;

	for (unsigned i = 0; i < 3; i++)
		e[i] = (uint32_t)strtoul(end, &end, 10);
}

/* "TYPE KIND NAME"; "-" for a type or a kind that is not said. */
static bool read_param(struct own *o, const char *text)
{
	struct arena *a = &o->e->im->arena;
	struct image_param *p = o->param < o->kernel->nparams ? &o->kernel->params[o->param++] : NULL;
	size_t type = strcspn(text, " "), kind = text[type] ? strcspn(text + type + 1, " ") : 0;
	const char *second = text[type] ? text + type + 1 : "", *name = second[kind] ? second + kind + 1 : "";

	if (!p)
		return true;
	p->type = *text == '-' ? "" : arena_text(a, text, type);
	p->kind = *second == '-' || !kind ? NULL : arena_text(a, second, kind);
	p->name = arena_text(a, name, strlen(name));
	return !a->failed;
}

/* "NUMBER OFFSET BANK"; bank -1: the handle is a parameter. */
static bool read_texture(struct own *o, const char *text)
{
	struct image_texture *t;
	uint32_t number, offset;
	int bank;

	if (sscanf(text, "%" SCNu32 " %" SCNu32 " %d", &number, &offset, &bank) != 3 || bank < -1 ||
	    bank >= LIMIT_BANKS)
		return true;
	t = image_push(&o->e->im->arena, &o->kernel->textures, &o->kernel->ntextures);
	if (t)
		*t = (struct image_texture){ number, offset, bank >= 0, bank >= 0 ? (uint8_t)bank : 0 };
	return t != NULL;
}

static bool read_own_line(struct own *o, const char *line)
{
	struct elf *e = o->e;
	size_t n = strcspn(line, " ");
	const char *rest = line[n] ? line + n + 1 : "";
	char word[16] = "";
	struct image_launch *l;

	memcpy(word, line, n < sizeof word ? n : 0);
	if (!strcmp(word, "chip"))
		return (e->im->chip = arena_text(&e->im->arena, rest, strlen(rest))) != NULL;
	if (!strcmp(word, "kernel")) {
		o->kernel = kernel_of(e, rest);
		o->param = 0;
	}
	if (!o->kernel)
		return true;
	l = &o->kernel->launch;
	if (!strcmp(word, "param"))
		return read_param(o, rest);
	if (!strcmp(word, "texture"))
		return read_texture(o, rest);
	if (!strcmp(word, "grid"))
		read_extent(rest, l->grid);
	if (!strcmp(word, "block"))
		read_extent(rest, l->block);
	if (!strcmp(word, "mps"))
		l->mps = (uint32_t)strtoul(rest, NULL, 10);
	if (!strcmp(word, "arg"))
		return push_text(e, &l->args, rest, strlen(rest));
	return strcmp(word, "expect") != 0 || push_text(e, &l->expect, rest, strlen(rest));
}

static bool read_own(struct elf *e)
{
	enum { BYTES_MAX = 1 << 16 };    /* push_text is quadratic */
	struct own o = { .e = e };
	struct section s;
	char *text, *line;

	if (!section_named(e, ".warpbeam", &s) || !s.bytes || s.h.sh_size > BYTES_MAX)
		return true;
	text = arena_lines(&e->im->arena, (const char *)s.bytes, s.h.sh_size);
	if (!text)
		return load_no_memory(e->l);
	for (char *rest = text; (line = strsep(&rest, "\n"));)
		if (!read_own_line(&o, line))
			return load_no_memory(e->l);
	return true;
}

/* ---- the file ---- */

/* s[] of a kernel without a section for s[] holds the launch header and the parameters. */
static void complete(struct image *im)
{
	enum { LAUNCH_HEADER = 16 };
	for (size_t i = 0; i < im->nkernels; i++) {
		struct image_kernel *k = &im->kernels[i];
		if (!k->smem)
			k->smem = LAUNCH_HEADER + k->param_bytes;
	}
}

/* The number of the chip: in bits 7:0 of e_flags, since the eighth version of the cubin's ABI in bits 15:8. */
static unsigned target_of(const GElf_Ehdr *h)
{
	enum { ABI_OF_TODAY = 8 };

	return h->e_ident[EI_ABIVERSION] >= ABI_OF_TODAY ? h->e_flags >> 8 & 0xff : h->e_flags & 0xff;
}

static bool read_header(struct elf *e)
{
	GElf_Ehdr h;
	if (elf_kind(e->elf) != ELF_K_ELF || !gelf_getehdr(e->elf, &h))
		return diag_at(e->l->diag, (int64_t)e->l->offset, "no ELF header of class 32 or 64 in %zu bytes",
			       e->l->size);
	if (h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_machine != EM_CUDA_MACHINE)
		return diag_at(e->l->diag, (int64_t)e->l->offset,
			       "an ELF file of machine %u, byte order %u; expected machine %d, little-endian",
			       h.e_machine, h.e_ident[EI_DATA], EM_CUDA_MACHINE);
	unsigned sm = target_of(&h);
	e->im->chip = load_target(sm);
	if (!e->im->chip)
		return diag_at(e->l->diag, (int64_t)e->l->offset,
			       "a cubin for sm_%u; expected sm_10, sm_11, sm_12 or sm_13 (PTX is compiled here: nvcc "
			       "-ptx, or the source, NAME.cu)", sm);
	e->im->pointer_bytes = h.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	if (elf_getshdrstrndx(e->elf, &e->names))
		return diag_at(e->l->diag, (int64_t)e->l->offset, "the section table cannot be read (%s)",
			       elf_errmsg(-1));
	return true;
}

static bool read_sections(struct elf *e)
{
	if (!read_header(e) || !each_section(e, find_symbols) || !each_section(e, find_programs))
		return false;
	if (!e->im->nkernels)
		return diag_at(e->l->diag, (int64_t)e->l->offset, "no kernel; expected a section .text.NAME");
	if (!each_section(e, describe) || !each_section(e, relocate) || !each_section(e, add_labels) ||
	    !read_texts(e) || !read_own(e))
		return false;
	complete(e->im);
	return true;
}

bool cubin_elf_matches(const uint8_t *bytes, size_t size)
{
	return size >= 20 && !memcmp(bytes, ELFMAG, SELFMAG) && le16(bytes + 18) == EM_CUDA_MACHINE;
}

bool cubin_elf_load(struct load *l)
{
	struct elf e = { .l = l, .im = l->image };
	if (elf_version(EV_CURRENT) == EV_NONE)
		return diag_set(l->diag, DIAG_ENV, "libelf is too old for this program");
	errno = 0;
	/* libelf only reads the memory */
	e.elf = elf_memory((char *)(uintptr_t)l->bytes, l->size);
	if (!e.elf && errno == ENOMEM)
		return diag_set(l->diag, DIAG_ENV, "out of memory");
	if (!e.elf)
		return diag_at(l->diag, (int64_t)l->offset, "no ELF file in %zu bytes (%s)", l->size, elf_errmsg(-1));
	bool ok = read_sections(&e);
	elf_end(e.elf);
	return ok;
}
