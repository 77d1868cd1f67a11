/* Line tables, read and written. */
#include "core/load/line_table.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BASE = -5, LINE_RANGE = 14, OPCODE_BASE = 10, FILES_MAX = 256 };

/* ---- reading ---- */

struct walk {
	const uint8_t *p, *end;
	bool bad;                /* a number or a text leaves the bytes */
	const char *file[FILES_MAX];
	size_t nfiles;
};

static uint64_t take(struct walk *w, unsigned bytes)
{
	uint64_t v = 0;

	if ((size_t)(w->end - w->p) < bytes) {
		w->bad = true;
		w->p = w->end;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)*w->p++ << 8 * i;
	return v;
}

static uint64_t take_leb(struct walk *w, bool is_signed)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t b;

	do {
		b = (uint8_t)take(w, 1);
		v |= shift < 64 ? (uint64_t)(b & 0x7f) << shift : 0;
		shift += 7;
	} while (b & 0x80 && !w->bad);
	if (is_signed && b & 0x40 && shift < 64)
		v |= UINT64_MAX << shift;
	return v;
}

static const char *take_text(struct walk *w)
{
	const char *text = (const char *)w->p;
	const uint8_t *nul = w->p < w->end ? memchr(w->p, 0, (size_t)(w->end - w->p)) : NULL;

	w->bad = w->bad || !nul;
	w->p = nul ? nul + 1 : w->end;
	return nul ? text : "";
}

static void take_file(struct walk *w)
{
	const char *name = take_text(w);

	for (unsigned i = 0; i < 3; i++) /* folder, time, length */
		take_leb(w, false);
	if (w->nfiles < FILES_MAX)
		w->file[w->nfiles++] = name;
}

struct state { uint32_t address, file, line; bool known; };

static bool put_row(const struct walk *w, const struct state *s, const struct line_reader *r, bool ends)
{
	const char *file = s->file && s->file <= w->nfiles ? w->file[s->file - 1] : "";

	return !s->known || r->row(r->user, s->address, file, ends ? 0 : s->line);
}

static bool extended(struct walk *w, const uint8_t *section, struct state *s, const struct line_reader *r)
{
	uint64_t n = take_leb(w, false);
	struct walk part = *w;
	bool ok = true;

	if (w->bad || !n || n > (uint64_t)(w->end - w->p)) {
		w->bad = true;
		return true;
	}
	part.end = w->p + n;
	w->p += n;
	switch (take(&part, 1)) {
	case DW_LNE_end_sequence:
		ok = put_row(w, s, r, true);
		*s = (struct state){ .file = 1, .line = 1 };
		break;
	case DW_LNE_set_address:
		s->known = r->begin(r->user, (uint32_t)(part.p - section));
		s->address = (uint32_t)take(&part, n > 8 ? 8 : (unsigned)n - 1);
		break;
	case DW_LNE_define_file:
		take_file(&part);
		memcpy(w->file, part.file, sizeof w->file);
		w->nfiles = part.nfiles;
		break;
	default: break;
	}
	return ok;
}

struct header { uint8_t least, line_range, opcode_base; int8_t line_base; const uint8_t *lengths; };

static bool run_program(struct walk *w, const uint8_t *section, const struct header *h, const struct line_reader *r)
{
	struct state s = { .file = 1, .line = 1 };
	bool ok = true;

	while (ok && !w->bad && w->p < w->end) {
		uint8_t op = (uint8_t)take(w, 1);
		if (op >= h->opcode_base) {
			unsigned step = (unsigned)op - h->opcode_base;
			s.address += h->least * (step / h->line_range);
			s.line += (uint32_t)(h->line_base + (int)(step % h->line_range));
			ok = put_row(w, &s, r, false);
			continue;
		}
		switch (op) {
		case 0: ok = extended(w, section, &s, r); break;
		case DW_LNS_copy: ok = put_row(w, &s, r, false); break;
		case DW_LNS_advance_pc: s.address += (uint32_t)take_leb(w, false) * h->least; break;
		case DW_LNS_advance_line: s.line += (uint32_t)take_leb(w, true); break;
		case DW_LNS_set_file: s.file = (uint32_t)take_leb(w, false); break;
		case DW_LNS_const_add_pc: s.address += h->least * ((255u - h->opcode_base) / h->line_range); break;
		case DW_LNS_fixed_advance_pc: s.address += (uint32_t)take(w, 2); break;
		default:
			for (unsigned i = 0; i < h->lengths[op - 1]; i++)
				take_leb(w, false);
		}
	}
	return ok;
}

/* The table of one compilation unit; w ends with the unit. */
static bool read_unit(struct walk *w, const uint8_t *section, const struct line_reader *r)
{
	unsigned version = (unsigned)take(w, 2);
	uint64_t length = take(w, 4);
	const uint8_t *program = w->p;
	struct header h;

	if (w->bad || version < 2 || version > 4 || length > (uint64_t)(w->end - w->p))
		return true;
	program += length;
	h.least = (uint8_t)take(w, 1);
	if (version == 4)
		take(w, 1);              /* operations of an instruction */
	take(w, 1);                      /* rows are statements */
	h.line_base = (int8_t)take(w, 1);
	h.line_range = (uint8_t)take(w, 1);
	h.opcode_base = (uint8_t)take(w, 1);
	h.lengths = w->p;
	if (w->bad || !h.line_range || !h.opcode_base || h.opcode_base - 1 > program - w->p)
		return true;
	w->p += h.opcode_base - 1;
	while (!w->bad && w->p < program && *w->p)
		take_text(w);            /* a folder */
	take(w, 1);
	while (!w->bad && w->p < program && *w->p)
		take_file(w);
	w->p = program;
	return run_program(w, section, &h, r);
}

bool line_table_read(const uint8_t *bytes, size_t size, const struct line_reader *r)
{
	const uint8_t *p = bytes, *end = bytes + size;
	struct walk *w = malloc(sizeof *w);
	bool ok = w != NULL;

	while (ok && end - p > 4) {
		*w = (struct walk){ .p = p, .end = end };
		uint32_t n = (uint32_t)take(w, 4);
		if (n > (uint64_t)(end - w->p))
			break;
		p = w->end = w->p + n;
		ok = read_unit(w, bytes, r);
	}
	free(w);
	return ok;
}

/* ---- writing ---- */

static void put(FILE *out, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		fputc((int)(value >> 8 * i & 0xff), out);
}

static void put_leb(FILE *out, uint32_t value)
{
	for (; value > 0x7f; value >>= 7)
		fputc((int)(value & 0x7f) | 0x80, out);
	fputc((int)value, out);
}

static void put_signed(FILE *out, int32_t value)
{
	for (; value < -64 || value > 63; value >>= 7)
		fputc((value & 0x7f) | 0x80, out);
	fputc(value & 0x7f, out);
}

static void write_sequence(FILE *out, const struct line_sequence *s)
{
	uint32_t pc = 0, line = 1;

	for (size_t i = 0; i < s->nrows; i++) {
		fputc(DW_LNS_advance_pc, out);
		put_leb(out, s->rows[i].pc - pc);
		fputc(DW_LNS_advance_line, out);
		put_signed(out, (int32_t)(s->rows[i].line - line));
		fputc(DW_LNS_copy, out);
		pc = s->rows[i].pc;
		line = s->rows[i].line;
	}
	fputc(DW_LNS_advance_pc, out);
	put_leb(out, s->bytes - pc);
	put(out, 0x010100, 3);           /* an extended operation of one byte: the end */
}

void line_table_write(FILE *out, const char *file, const struct line_sequence *s, size_t n, uint32_t *address)
{
	static const uint8_t lengths[OPCODE_BASE - 1] = { 0, 1, 1, 1, 1, 0, 0, 0, 1 };
	long begin = ftell(out), end;

	put(out, 0, 4);
	put(out, 2, 2);
	put(out, (uint32_t)(5 + sizeof lengths + 1 + strlen(file) + 1 + 3 + 1), 4);
	put(out, 1, 1);
	put(out, 1, 1);
	put(out, (uint8_t)LINE_BASE, 1);
	put(out, LINE_RANGE, 1);
	put(out, OPCODE_BASE, 1);
	fwrite(lengths, 1, sizeof lengths, out);
	fputc(0, out);                   /* no folders */
	fputs(file, out);
	put(out, 0, 1 + 3 + 1);          /* its end, folder, time, length; no more files */
	for (size_t i = 0; i < n; i++) {
		put(out, 0x020500, 3);   /* an extended operation of five bytes: the address */
		address[i] = (uint32_t)(ftell(out) - begin);
		put(out, 0, 4);
		write_sequence(out, &s[i]);
	}
	end = ftell(out);
	fseek(out, begin, SEEK_SET);
	put(out, (uint32_t)(end - begin - 4), 4);
	fseek(out, end, SEEK_SET);
}
