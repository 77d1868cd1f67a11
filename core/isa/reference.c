/* The reference of an ISA in several formats, all written from the same entries. */
#include "core/isa/reference.h"

#include <string.h>

/* An entry of the reference, in words, for all formats. */
enum { CELL = 320 };

static void append(char *buf, const char *s)
{
	size_t len = strlen(buf);
	while (*s && len < CELL - 1)
		buf[len++] = *s++;
	buf[len] = 0;
}

/* Add to a cell; text beyond CELL is dropped. */
static void add(char *buf, const char *separator, const char *s)
{
	append(buf, *buf ? separator : "");
	append(buf, s);
}

/* "31:28=1 15=0": runs of bits from the top, values in hexadecimal. */
static void cond_text(isa_cond c, char *buf)
{
	uint64_t mask = isa_cond_mask(c);
	buf[0] = 0;
	for (int top = 63; top >= 0; top--) {
		if (!(mask >> top & 1))
			continue;
		int low = top;
		while (low > 0 && mask >> (low - 1) & 1)
			low--;
		char one[40];
		unsigned long long v = isa_cond_value(c) >> low & ISA_ONES(top - low + 1);
		if (low == top)
			snprintf(one, sizeof(one), "%d=%llx", top, v);
		else
			snprintf(one, sizeof(one), "%d:%d=%llx", top, low, v);
		add(buf, " ", one);
		top = low;
	}
}

static void modes_text(const struct isa_table *t, uint32_t modes, char *buf)
{
	bool all = true;
	buf[0] = 0;
	for (const struct isa_name *m = t->modes; m->name; m++) {
		if (modes & m->value)
			add(buf, " ", m->name);
		else
			all = false;
	}
	if (all || !modes)
		strcpy(buf, "all");
}

static void chips_text(const struct isa_table *t, uint32_t features, char *buf)
{
	bool all = true;
	buf[0] = 0;
	for (const struct isa_name *c = t->chips; c->name; c++) {
		if (!(features & ~c->value))
			add(buf, " ", c->name);
		else
			all = false;
	}
	if (all)
		strcpy(buf, "all");
}

static void field_text(const char *what, struct isa_field f, unsigned shift, char *buf)
{
	char one[64];
	if (f.n + f.n2 == 0)
		return;
	if (f.n2)
		snprintf(one, sizeof(one), "%s %d:%d,%d:%d", what, f.lo2 + f.n2 - 1, f.lo2, f.lo + f.n - 1, f.lo);
	else
		snprintf(one, sizeof(one), "%s %d:%d", what, f.lo + f.n - 1, f.lo);
	add(buf, ", ", one);
	if (shift) {
		snprintf(one, sizeof(one), " * %u", 1u << shift);
		add(buf, "", one);
	}
}

/* Texts that an alternative reads: the words before, the shape and the fields. */
static void alt_text(const struct isa_alt *a, char *buf)
{
	buf[0] = 0;
	if (a->text)
		add(buf, "", a->text);
	if (a->names) {
		char list[CELL] = "";
		for (unsigned i = 0; i < a->nnames; i++)
			add(list, "|", a->names[i] ? *a->names[i] ? a->names[i] : "(none)" : "(invalid)");
		add(buf, " ", list);
	} else if (a->shape == OPND_SINK) {
		add(buf, " ", "#");
	} else if (a->shape == OPND_MEM) {
		add(buf, " ", a->name);
		add(buf, "", a->flags & ALT_POST ? "[++]" : "[]");
		field_text("bank", a->bank, 0, buf);
		field_text("address register", a->addr, 0, buf);
	} else if (a->shape == OPND_VECTOR) {
		add(buf, " ", "list");
		field_text("more", a->more, 0, buf);
		field_text("slots", a->slots, 0, buf);
	} else if (a->shape != OPND_NONE) {
		add(buf, " ", a->name ? a->name : a->shape == OPND_TARGET ? "address" : "number");
		add(buf, "", a->flags & ALT_HALVES ? " half" : a->tail ? a->tail : "");
	}
	field_text(a->flags & ALT_SIGNED ? "signed bits" : "bits", a->num, a->shift, buf);
	if (a->flags & ALT_UNSCALED)
		add(buf, " ", "(the text has the bits)");
	if (a->status & ALT_UNDOC)
		add(buf, " ", "(undocumented)");
	if (a->status & ALT_QUIRK)
		add(buf, " ", "(text of the public disassembler only)");
	if (a->status & ALT_LOOSE)
		add(buf, " ", "(acts, but no text has it)");
	if (!*buf)
		strcpy(buf, "nothing");
}

struct writer {
	FILE *out;
	enum isa_reference_format format;
	bool list_empty;            /* no element of the current JSON list is out yet */
};

static void json_string(FILE *out, const char *s)
{
	fputc('"', out);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', out);
		fputc(*s, out);
	}
	fputc('"', out);
}

/* In a Markdown table a bar would end the cell. */
static void md_cell(FILE *out, const char *s)
{
	fputs("| ", out);
	for (; *s; s++) {
		if (*s == '|')
			fputc('\\', out);
		fputc(*s, out);
	}
	fputc(' ', out);
}

static void list_begin(struct writer *w, const char *title, const char *key, unsigned n, const char *const *columns)
{
	w->list_empty = true;
	if (w->format == ISA_REFERENCE_JSON) {
		fprintf(w->out, ",\n\"%s\": [", key);
		return;
	}
	fprintf(w->out, w->format == ISA_REFERENCE_MD ? "\n## %s\n\n" : "\n%s\n\n", title);
	if (w->format != ISA_REFERENCE_MD)
		return;
	for (unsigned i = 0; i < n; i++)
		md_cell(w->out, columns[i]);
	fputs("|\n", w->out);
	for (unsigned i = 0; i < n; i++)
		fputs("|---", w->out);
	fputs("|\n", w->out);
}

static void list_row(struct writer *w, unsigned n, const char *const *columns, const char *const *cells)
{
	if (w->format == ISA_REFERENCE_JSON)
		fputs(w->list_empty ? "\n  {" : ",\n  {", w->out);
	w->list_empty = false;
	for (unsigned i = 0; i < n; i++) {
		if (w->format == ISA_REFERENCE_JSON) {
			fputs(i ? ", " : "", w->out);
			json_string(w->out, columns[i]);
			fputs(": ", w->out);
			json_string(w->out, cells[i]);
		} else if (w->format == ISA_REFERENCE_MD) {
			md_cell(w->out, cells[i]);
		} else if (*cells[i]) {
			fprintf(w->out, i ? "      %s: %s\n" : "  %.0s%s\n", columns[i], cells[i]);
		}
	}
	fputs(w->format == ISA_REFERENCE_JSON ? "}" : w->format == ISA_REFERENCE_MD ? "|\n" : "", w->out);
}

static void list_end(struct writer *w)
{
	if (w->format == ISA_REFERENCE_JSON)
		fputs("\n]", w->out);
}

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void write_forms(struct writer *w, const struct isa_table *t)
{
	static const char *const columns[] = { "form", "bytes", "bits", "before each text" };
	list_begin(w, "Forms", "forms", COUNT(columns), columns);
	for (unsigned i = 0; i < t->nform; i++) {
		const struct isa_form *f = &t->form[i];
		char bytes[8], bits[CELL], unless[CELL];
		snprintf(bytes, sizeof(bytes), "%u", f->length);
		cond_text(f->when, bits);
		cond_text(f->unless, unless);
		if (*unless)
			add(bits, " unless ", unless);
		list_row(w, COUNT(columns), columns, (const char *const[]){ f->name, bytes, bits, f->prefix });
	}
	list_end(w);
}

static void write_rows(struct writer *w, const struct isa_table *t)
{
	static const char *const columns[] = { "text", "form", "bits", "program types", "chips", "operation", "note" };
	list_begin(w, "Instructions", "instructions", COUNT(columns), columns);
	for (unsigned i = 0; i < t->nrow; i++) {
		const struct isa_row *r = &t->row[i];
		char text[CELL], bits[CELL], modes[CELL], chips[CELL];
		snprintf(text, sizeof(text), "%s", r->text);
		cond_text(r->when, bits);
		modes_text(t, r->modes, modes);
		chips_text(t, r->features, chips);
		if (t->describe)
			t->describe(i, text, bits, chips, CELL);
		list_row(w, COUNT(columns), columns,
			 (const char *const[]){ text, t->form[r->form].name, bits, modes, chips,
			                        t->exec[r->exec].name,
			                        r->flags & ROW_UNDOC   ? "undocumented"
			                        : r->flags & ROW_ALIAS ? "alias" : "" });
	}
	list_end(w);
}

static void write_operations(struct writer *w, const struct isa_table *t)
{
	static const char *const columns[] = { "operation", "latency class", "meaning" };
	list_begin(w, "Operations", "operations", COUNT(columns), columns);
	for (unsigned i = 0; i < t->nexec; i++)
		list_row(w, COUNT(columns), columns,
			 (const char *const[]){ t->exec[i].name, t->issue->class[t->exec[i].lat].name,
						t->exec[i].meaning });
	list_end(w);
}

static void write_kinds(struct writer *w, const struct isa_table *t)
{
	static const char *const columns[] = { "kind", "when bits", "program types", "chips", "reads" };
	list_begin(w, "Operands and modifiers", "kinds", COUNT(columns), columns);
	for (unsigned i = 0; i < t->nkind; i++)
		for (unsigned j = 0; j < t->kind[i].nalt; j++) {
			const struct isa_alt *a = &t->kind[i].alt[j];
			char name[16], bits[CELL], modes[CELL], chips[CELL], reads[CELL];
			snprintf(name, sizeof(name), "{%.8s}", t->kind[i].name);
			cond_text(a->when, bits);
			modes_text(t, a->modes, modes);
			chips_text(t, a->features, chips);
			alt_text(a, reads);
			list_row(w, COUNT(columns), columns, (const char *const[]){ name, bits, modes, chips, reads });
		}
	list_end(w);
}

void isa_reference(const struct isa_table *t, enum isa_reference_format format, FILE *out)
{
	struct writer w = { out, format, true };
	if (format == ISA_REFERENCE_JSON) {
		fputs("{\"schema\": \"warpbeam.isa/1\", \"name\": ", out);
		json_string(out, t->name);
		fputs(", \"title\": ", out);
		json_string(out, t->title);
	} else {
		fprintf(out, format == ISA_REFERENCE_MD ? "# %s\n" : "%s\n", t->title);
	}
	write_rows(&w, t);
	write_forms(&w, t);
	write_kinds(&w, t);
	write_operations(&w, t);
	if (format == ISA_REFERENCE_JSON)
		fputs("\n}\n", out);
}
