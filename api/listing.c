/* Texts of whole programs: listings, assembled files, the reference of an instruction set. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/graph.h"
#include "core/base/host_floats.h"
#include "device/launch.h"
#include "core/base/symbol.h"
#include "core/isa/list.h"
#include "core/isa/print.h"
#include "core/isa/reference.h"
#include "core/load/asm_write.h"
#include "core/load/cubin_elf_write.h"
#include "core/load/image_file.h"
#include "core/load/cubin_write.h"
#include "core/load/shbin.h"

/* A text that grows in memory during writing. */
struct sheet {
	char *data;
	size_t size;
	FILE *f;
};

static bool sheet_open(struct sheet *s, struct diag *d)
{
	s->f = open_memstream(&s->data, &s->size);
	return s->f || diag_set(d, DIAG_ENV, "out of memory");
}

/* Close the text; *out gets the bytes if every write succeeded. */
static enum wb_status sheet_close(struct sheet *s, struct wb_text *out, struct diag *d, struct wb_diag *wd)
{
	bool whole = s->f && !ferror(s->f);

	if (s->f && (fclose(s->f) || !whole || !s->data) && d->kind == DIAG_OK)
		diag_set(d, DIAG_ENV, "out of memory for a text");
	if (d->kind != DIAG_OK) {
		free(s->data);
		return public_diag(wd, d);
	}
	*out = (struct wb_text){s->data, s->size};
	return WB_OK;
}

static bool kernel_target(const struct wb_program *p, unsigned i, const struct wb_config *c, unsigned flags,
			  struct isa_target *t, struct diag *d)
{
	const struct chip *chip;
	if (!target_of(p->owner[i], c, t, &chip, d))
		return false;
	t->undoc = flags & WB_LIST_UNDOC;
	t->side = p->source[i]->side;
	t->nside = p->source[i]->nside;
	return true;
}

/* Whether the assembler takes a word as the name of a register: no sign but `_`, and no register's own name. */
static bool is_alias(const char *word)
{
	static const char digits[] = "0123456789";
	static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t letters = strcspn(word, digits);         /* one before digits: v0, o3, c95 */

	return word[strspn(word, signs)] == '\0' && letters > 1;
}

/* Whether the assembler has a word for what an output is: none for these three. */
static bool is_result(const char *name)
{
	return *name && strcmp(name, "generic") && strcmp(name, "dummy") && strcmp(name, "texcoord0w");
}

/* Write the file's names of registers and values of constants for the assembler; where its language has no words for
 * them, and behind a first kernel, as comments. */
static void list_names(const struct image_kernel *k, bool alone, FILE *out)
{
	for (size_t i = 0; i < k->nnames; i++) {
		const struct image_name *n = &k->names[i];
		bool constant = !strcmp(n->kind, "constant"), result = !strcmp(n->kind, "output");
		int reg = (int)strcspn(n->registers, ".");
		if (alone && constant && !strpbrk(n->value, "nN"))     /* nan, inf */
			fprintf(out, ".alias const_%s %s as %s%s%s\n", n->registers, n->registers,
				*n->registers == 'b' ? "" : "(", n->value, *n->registers == 'b' ? "" : ")");
		else if (alone && result && is_result(n->name))
			fprintf(out, ".alias %s_%.*s %s as %s\n", n->name, reg, n->registers, n->registers, n->name);
		else if (alone && is_alias(n->name) && (!strcmp(n->kind, "input") || !strcmp(n->kind, "uniform")))
			fprintf(out, ".alias %s %s\n", n->name, n->registers);
		else
			fprintf(out, "// %s %s%s%s%s%s\n", n->kind, n->name, *n->name ? " " : "", n->registers,
				*n->value ? " = " : "", n->value);
	}
}

static const char *name_of(const struct isa_name *list, uint32_t value)
{
	while (list->name && list->value != value)
		list++;
	return list->name;
}

/* Write the directives of a kernel. opens: the kernel is the first of the text, behind the directives of the file. */
static bool source_head(const struct wb_program *p, unsigned i, bool opens, const struct wb_config *c,
			const struct isa_target *t, FILE *out, struct diag *d)
{
	const struct isa_table *tab = t->isa->table;
	struct isa_target first;

	if (t->isa->text.assemble && !t->isa->text.owns)
		return diag_set(d, DIAG_USAGE, "programs of machine %s have no source that lists words", t->isa->name);
	if (!kernel_target(p, 0, c, 0, &first, d))
		return false;
	if (p->owner[i]->compiled && p->owner[i]->nrelocs)
		return diag_set(d, DIAG_USAGE, "kernel %s uses variables in global memory, which assembly has no "
				"directive for: compile writes a .cubin", p->source[i]->name);
	if (p->source[i]->nliterals)
		return diag_set(d, DIAG_USAGE, "kernel %s has addresses of data in its code, which assembly has no "
				"directive for: keep the file itself", p->source[i]->name);
	if (t->isa->global_first && p->owner[i]->nglobals && !p->owner[i]->code_in_global)
		return diag_set(d, DIAG_USAGE, "kernel %s has data apart from its code, which assembly has no "
				"directive for: keep the file itself", p->source[i]->name);
	if (t->isa->global_first && image_short_pointers(p->source[i]))
		return diag_set(d, DIAG_USAGE, "kernel %s has pointers of 32 bits, which assembly has no directive "
				"for: keep the file itself", p->source[i]->name);
	if (first.features != t->features || first.mode != t->mode)
		return diag_set(d, DIAG_USAGE, "kernel %s is for another chip or program type than %s, which a source "
				"says once", p->source[i]->name, p->source[0]->name);
	if (opens)
		fprintf(out, ".chip %s\n.mode %s\n", name_of(tab->chips, t->features), name_of(tab->modes, t->mode));
	if (opens && p->owner[i]->code_in_global)
		asm_write_memory(p->owner[i], out);
	fputc('\n', out);
	asm_write_kernel(p->owner[i], p->source[i], out);
	return true;
}

/* A text that a compiler made the code of, by lines. */
struct text_lines {
	const char *name;        /* in front of a number alone, where the text is unknown */
	const char *mark;        /* in front of a line */
	const char **line;       /* line[n - 1]: begin of line n; NULL: the text is unknown */
	size_t n;
	const struct image_line *rows, *rows_end, *row;  /* the row that holds at the last pc asked for */
	uint32_t written;        /* line of the latest comment */
};

/* Source lines from compilers, written as comments where the line changes: of C, then of the PTX. */
struct lines_of {
	struct text_lines text[2];
	const struct image_kernel *kernel;
};

static bool index_lines(struct text_lines *t, const char *text, struct diag *d)
{
	size_t n = 1;

	for (const char *p = text; (p = strchr(p, '\n')); p++)
		n++;
	t->line = malloc(n * sizeof *t->line);
	if (!t->line)
		return diag_set(d, DIAG_ENV, "out of memory");
	for (const char *p = text; p && t->n < n; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
		t->line[t->n++] = p;
	return true;
}

static const struct image_line *end_of(const struct image_line *rows, size_t n)
{
	return rows ? rows + n : NULL;
}

static bool lines_open(struct lines_of *l, const struct image *im, const struct image_kernel *k, struct diag *d)
{
	bool c = im->beside != NULL || !im->beside_name; /* the first text is the source */
	struct text_lines of_source = { .mark = im->beside || im->beside_name ? c ? "" : "ptx " : "", .rows = k->lines,
					.rows_end = end_of(k->lines, k->nlines), .row = k->lines };
	struct text_lines of_other = { .mark = "ptx ", .name = im->beside_name, .rows = k->beside_lines,
				       .rows_end = end_of(k->beside_lines, k->nbeside), .row = k->beside_lines };

	if (!index_lines(&of_source, im->source, d))
		return false;
	l->text[c ? 0 : 1] = of_source;
	if (im->beside && !index_lines(&of_other, im->beside, d)) {
		free(of_source.line);
		return false;
	}
	l->text[c ? 1 : 0] = of_other;
	return true;
}

static void lines_close(struct lines_of *l)
{
	free(l->text[0].line);
	free(l->text[1].line);
}

static void put_line(struct text_lines *t, uint32_t pc, FILE *out)
{
	while (t->row < t->rows_end && t->row + 1 < t->rows_end && t->row[1].pc <= pc)
		t->row++;
	uint32_t line = t->row < t->rows_end && t->row->pc <= pc ? t->row->line : 0;
	if (!line || line == t->written)
		return;
	t->written = line;
	if (t->line && line <= t->n)
		fprintf(out, "// %s%" PRIu32 ": %.*s\n", t->mark, line, (int)strcspn(t->line[line - 1], "\r\n"),
			t->line[line - 1]);
	else if (!t->line && t->name)
		fprintf(out, "// %s:%" PRIu32 "\n", t->name, line);
}

static void put_source_lines(void *user, uint32_t pc, FILE *out)
{
	struct lines_of *l = user;

	put_line(&l->text[0], pc, out);
	put_line(&l->text[1], pc, out);
}

/* Addresses of one kernel among kernels with common code: from the kernel's entry to the next function. */
static void set_range(const struct wb_program *p, unsigned i, struct isa_list_notes *notes)
{
	const struct image_kernel *k = p->source[i];

	if (!p->owner[i]->code_in_global)
		return;
	notes->from = k->entry;
	notes->to = k->code_bytes;
	for (size_t n = 0; n < k->nlabels; n++)
		if (k->labels[n].pc > k->entry && k->labels[n].pc < notes->to)
			notes->to = k->labels[n].pc;
}

/* ---- names of a shader behind its instructions ---- */

static const char *label_at(const struct image_kernel *k, uint32_t pc)
{
	for (size_t i = 0; i < k->nlabels; i++)
		if (k->labels[i].pc == pc)
			return k->labels[i].name;
	return NULL;
}

/* The name with the register at p ("c3", "b0"), and the register's number in the name's range. NULL: none. */
static const struct image_name *name_at(const struct image_kernel *k, const char *p, unsigned *index)
{
	unsigned number = (unsigned)strtoul(p + 1, NULL, 10), first, last;
	char kind;

	for (size_t i = 0; i < k->nnames; i++) {
		const struct image_name *n = &k->names[i];
		int fields = sscanf(n->registers, "%c%u-%*c%u", &kind, &first, &last);
		last = fields == 3 ? last : first;
		if (fields < 2 || kind != *p || number < first || number > last || !*n->name ||
		    strcmp(n->kind, "uniform"))
			continue;
		*index = fields == 3 ? number - first : UINT32_MAX;
		return n;
	}
	return NULL;
}

/* "bones[3 + a0]" for c3[a0]. */
static void put_uniform(const struct image_name *n, unsigned index, const char *behind, FILE *out)
{
	int length = *behind == '[' ? (int)strcspn(behind + 1, "]") : 0;

	fputs(n->name, out);
	if (length && index && index != UINT32_MAX)
		fprintf(out, "[%u + %.*s]", index, length, behind + 1);
	else if (length)
		fprintf(out, "[%.*s]", length, behind + 1);
	else if (index != UINT32_MAX)
		fprintf(out, "[%u]", index);
}

/* Names of uniforms and of the targets of jumps and calls ("@0x38") in an instruction's text. */
static void put_names(void *user, const char *text, FILE *out)
{
	enum { COLUMN = 36 };
	const struct image_kernel *k = ((const struct lines_of *)user)->kernel;
	bool any = false;

	for (const char *p = text; *p; p++) {
		bool begins = (p == text || strchr(" ,-", p[-1])) && strchr("cib", *p) && isdigit((unsigned char)p[1]);
		unsigned index = 0;
		const struct image_name *n = begins ? name_at(k, p, &index) : NULL;
		const char *label = !strncmp(p, "@0x", 3) ? label_at(k, (uint32_t)strtoul(p + 1, NULL, 0)) : NULL;
		if (!n && !label)
			continue;
		fprintf(out, any ? ", " : "%*s // ", any ? 0 : COLUMN - (int)strlen(text), "");
		if (n)
			put_uniform(n, index, p + 1 + strspn(p + 1, "0123456789"), out);
		else
			fputs(label, out);
		any = true;
	}
}

/* The kernel's labels for the lister; the caller frees the array. NULL: the host has no memory. */
static struct isa_label *labels_of(const struct image_kernel *k)
{
	struct isa_label *labels = calloc(k->nlabels + 1, sizeof *labels);
	for (size_t n = 0; labels && n < k->nlabels; n++)
		labels[n] = (struct isa_label){k->labels[n].name, k->labels[n].pc};
	return labels;
}

/* only: the caller has named this kernel. */
static bool list_kernel(const struct wb_program *p, unsigned i, bool only, const struct wb_config *c, unsigned flags,
			FILE *out, struct diag *d)
{
	const struct image_kernel *k = p->source[i];
	struct isa_target t;
	if (!kernel_target(p, i, c, flags, &t, d))
		return false;
	if (flags & WB_LIST_CFG)
		return graph_write(k, &t, out, d);
	if ((flags & WB_LIST_SOURCE) && !source_head(p, i, !i || only, c, &t, out, d))
		return false;
	if (i && !only && k->code == p->source[i - 1]->code)    /* entry points of one program */
		return true;
	for (unsigned n = i; n < p->nkernels && !(flags & WB_LIST_BARE) && p->source[n]->code == k->code; n++)
		list_names(p->source[n], p->nkernels == 1, out);
	struct isa_label *labels = labels_of(k);
	if (!labels)
		return diag_set(d, DIAG_ENV, "out of memory");
	if (p->nkernels > 1 && !p->image->shader && !(flags & WB_LIST_SOURCE))
		fprintf(out, "%s.kernel %s\n", i ? "\n" : "", k->name);
	const struct image *im = p->owner[i];
	bool compiled = im->source && strcmp(im->format, "asm") != 0 && !(flags & WB_LIST_BARE);
	struct lines_of lines = { .kernel = k };
	struct isa_list_notes notes = { .user = &lines };
	if (compiled && !lines_open(&lines, im, k, d)) {
		free(labels);
		return false;
	}
	if (only && !(flags & WB_LIST_SOURCE))
		set_range(p, i, &notes);
	notes.before = compiled ? put_source_lines : NULL;
	notes.behind = im->shader ? put_names : NULL;
	size_t invalid = isa_list(&t, k->code, k->code_bytes, labels, k->nlabels,
				  flags & WB_LIST_SOURCE ? ISA_LIST_SOURCE : flags & WB_LIST_BARE ? ISA_LIST_BARE : 0,
				  &notes, out);
	free(labels);
	lines_close(&lines);
	return invalid != ISA_LIST_NO_MEMORY || diag_set(d, DIAG_ENV, "out of memory");
}

enum wb_status wb_disassemble(const struct wb_program *p, const struct wb_config *c, unsigned flags,
			      struct wb_text *out, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct sheet s = {0};
	struct diag d = {0};
	const char *only = c && config_given(c, OPT_KERNEL) ? config_text(c, OPT_KERNEL) : NULL;
	bool ok = (!only || image_find(p->image, only, NULL, NULL, NULL, &d)) && sheet_open(&s, &d);
	for (unsigned i = 0; ok && i < p->nkernels; i++)
		if (!only || symbol_is(p->source[i]->name, only))
			ok = list_kernel(p, i, only, c, flags, s.f, &d);
	return sheet_close(&s, out, &d, wd);
}

/* ---- As a table ---- */

/* Each instruction has at least four bytes of code, and a text of at most ISA_LINE. */
enum wb_status wb_program_listing(const struct wb_program *p, unsigned kernel, const struct wb_config *c,
				  unsigned flags, struct wb_listing *out, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct diag d = {0};
	struct isa_target t;
	struct insn in;
	*out = (struct wb_listing){0};
	if (kernel >= p->nkernels) {
		diag_set(&d, DIAG_USAGE, "found kernel %u, expected one below %u", kernel, p->nkernels);
		return public_diag(wd, &d);
	}
	if (!kernel_target(p, kernel, c, flags, &t, &d))
		return public_diag(wd, &d);
	const struct image_kernel *k = p->source[kernel];
	size_t most = k->code_bytes / 4 + 1;
	out->instructions = calloc(most, sizeof *out->instructions);
	out->texts = malloc(most * ISA_LINE);
	if (!out->instructions || !out->texts) {
		wb_listing_free(out);
		diag_set(&d, DIAG_ENV, "out of memory");
		return public_diag(wd, &d);
	}
	for (uint32_t pc = 0; pc < k->code_bytes; pc += in.length) {
		char *text = out->texts + (size_t)out->n * ISA_LINE;
		t.isa->decode(&t, k->code, k->code_bytes, pc, &in);
		isa_print(&t, &in, text, ISA_LINE);
		out->instructions[out->n++] = (struct wb_instruction){
			.pc = pc,
			.words = {(uint32_t)in.word, (uint32_t)(in.word >> 32)},
			.nwords = in.length / 4u,
			.text = text,
			.label = label_at(k, pc),
			.line = kernel_line(k, pc),
		};
	}
	return WB_OK;
}

void wb_listing_free(struct wb_listing *l)
{
	if (!l)
		return;
	free(l->instructions);
	free(l->texts);
	*l = (struct wb_listing){0};
}

/* ---- Assembled files ---- */

static bool write_raw(const struct wb_program *p, FILE *out, struct diag *d)
{
	if (p->nkernels != 1)
		return diag_set(d, DIAG_USAGE, "%u kernels; raw and hex hold one, a cubin any number", p->nkernels);
	fwrite(p->source[0]->code, 1, p->source[0]->code_bytes, out);
	return true;
}

/* Write one instruction a line, so that the text can be read beside a listing. */
static bool write_hex(const struct wb_program *p, FILE *out, struct diag *d)
{
	struct wb_listing l;
	if (p->nkernels != 1)
		return write_raw(p, out, d);
	if (wb_program_listing(p, 0, NULL, 0, &l, NULL) != WB_OK)
		return diag_set(d, DIAG_ENV, "out of memory");
	for (unsigned i = 0; i < l.n; i++) {
		const struct wb_instruction *in = &l.instructions[i];
		fprintf(out, in->nwords > 1 ? "%08" PRIx32 " %08" PRIx32 "\n" : "%08" PRIx32 "\n", in->words[0],
			in->words[1]);
	}
	wb_listing_free(&l);
	return true;
}

static bool write_cubin(const struct wb_program *p, FILE *out, struct diag *d)
{
	const struct chip *chip = chip_find(p->image->chip, d);
	if (!chip)
		return false;
	if (!*chip->alias)
		return diag_set(d, DIAG_USAGE, "a text cubin names sm_10 to sm_13; %s is none of them", chip->name);
	return cubin_write(p->image, chip->alias, out, d);
}

static bool write_shbin(const struct wb_program *p, FILE *out, struct diag *d)
{
	struct arena a = { 0 };
	uint8_t *bytes;
	size_t n;
	if (!p->image->shader)
		return diag_set(d, DIAG_USAGE, "format shbin holds shaders; this is a program for machine %s",
				p->image->machine);
	bool ok = shbin_write(p->image->shader, &a, &bytes, &n, d);
	if (ok)
		fwrite(bytes, 1, n, out);
	arena_free(&a);
	return ok;
}

static const struct output {
	const char *name;
	bool (*write)(const struct wb_program *p, FILE *out, struct diag *d);
} outputs[] = {{"raw", write_raw}, {"hex", write_hex}, {"cubin", write_cubin}, {"shbin", write_shbin}};

static const struct output *find_output(const char *name, struct diag *d)
{
	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
		if (!strcmp(outputs[i].name, name))
			return &outputs[i];
	diag_set(d, DIAG_USAGE, "found format \"%s\", expected raw, hex, cubin or shbin", name);
	return NULL;
}

enum wb_status wb_assemble(const struct wb_config *c, const char *text, size_t n, const char *name, const char *format,
			   struct wb_text *out, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct sheet s = {0};
	struct diag d = {0};
	struct wb_program *p = NULL;
	struct wb_config *as_text = c ? wb_config_copy(c) : wb_config_new();
	const struct output *o = find_output(format, &d);
	if (o && !as_text)
		diag_set(&d, DIAG_ENV, "out of memory");
	enum wb_status status = d.kind ? public_diag(wd, &d) : wb_config_set(as_text, "format", "asm", wd);
	if (status == WB_OK)
		status = wb_program_load(text, n, name, as_text, &p, wd);
	if (status == WB_OK) {
		if (sheet_open(&s, &d))
			o->write(p, s.f, &d);
		status = sheet_close(&s, out, &d, wd);
	}
	wb_program_free(p);
	wb_config_free(as_text);
	return status;
}

/* ---- Compiled files ---- */

static bool write_compiled(const struct wb_program *p, const char *only, FILE *out, struct diag *d)
{
	const struct image *im = p->image;
	const struct chip *chip = im->chip ? chip_find(im->chip, d) : NULL;
	uint32_t *kernel = calloc(im->nkernels + 1, sizeof *kernel), n = 0;

	if (!kernel)
		return diag_set(d, DIAG_ENV, "out of memory");
	for (uint32_t i = 0; i < im->nkernels; i++)
		if (!only || symbol_is(im->kernels[i].name, only))
			kernel[n++] = i;
	bool ok = chip && cubin_elf_write(im, kernel, n, chip->capability, out, d);
	free(kernel);
	return ok;
}

enum wb_status wb_program_image(const struct wb_program *p, struct wb_text *out, struct wb_diag *wd)
{
	struct diag d = { 0 };
	size_t n = 0;

	*out = (struct wb_text){ 0 };
	if (!strcmp(p->image->format, "asm"))
		diag_set(&d, DIAG_INPUT, "%s: found assembly text, expected a compiled program", p->image->file);
	else
		out->data = (char *)image_file_write(p->image, &n, &d);
	out->size = n;
	return out->data ? WB_OK : public_diag(wd, &d);
}

enum wb_status wb_program_cubin(const struct wb_program *p, const struct wb_config *c, struct wb_text *out,
				struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct sheet s = {0};
	struct diag d = {0};
	const char *only = c && config_given(c, OPT_KERNEL) ? config_text(c, OPT_KERNEL) : NULL;

	if (!p->image->compiled)
		diag_set(&d, DIAG_USAGE, "%s: a program of format %s; expected PTX, or OpenCL C with --chip g80, g84, "
			 "mcp77, gt215 or g200 (asm assembles, and clang makes code objects of AMD's chips: --keep)",
			 p->image->file, p->image->format);
	else if ((!only || image_find(p->image, only, NULL, NULL, NULL, &d)) && sheet_open(&s, &d))
		write_compiled(p, only, s.f, &d);
	return sheet_close(&s, out, &d, wd);
}

/* ---- The reference ---- */

enum wb_status wb_isa_reference(const char *isa, const char *format, struct wb_text *out, struct wb_diag *wd)
{
	static const char *const formats[] = {
		[ISA_REFERENCE_TEXT] = "text",
		[ISA_REFERENCE_MD] = "md",
		[ISA_REFERENCE_JSON] = "json",
	};
	const struct isa_ops *ops = isa_find(isa);
	unsigned f = 0, count = sizeof formats / sizeof *formats;
	struct sheet s = {0};
	struct diag d = {0};
	while (f < count && strcmp(formats[f], format) != 0)
		f++;
	if (f == count)
		diag_set(&d, DIAG_USAGE, "found format \"%s\", expected text, md or json", format);
	else if (!ops)
		isa_unknown(isa, &d);
	else if (sheet_open(&s, &d))
		isa_reference(ops->table, (enum isa_reference_format)f, s.f);
	return sheet_close(&s, out, &d, wd);
}
