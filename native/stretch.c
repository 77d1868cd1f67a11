/* A native stretch as C (core/isa/native.h): entries of a run side by side, with no move of control, in *blocks*. A
 * block makes its loads first, which nothing in the block can change, then all operations in a single loop over lanes,
 * as in a turn of a native loop (text.c), and its stores at last:
 *
 *	b0 = the pattern of a row of addresses
 *	if (a load is not usual)
 *		return the number of entries before the block
 *	for (lanes) {
 *		words of rows that the block reads
 *		v = lane_NAME(…), or a word loaded
 *		odd |= a float out of the ordinary
 *		words of rows that the block writes, to the registers, or to `out` while a lane may be odd
 *	}
 *	if (odd in a lane)
 *		return the number of entries before the block
 *	`out`, to the registers
 *	if (a store is not usual)
 *		return the number of entries before the store
 *
 * All results of entries made are then in the registers. */
#include <inttypes.h>

#include "native/text.h"
#include "native/words.h"

/* Shorter stretches gain nothing by a call. */
enum { STRETCH_LEAST = 8, STRETCH_MOST = 64, PATTERNS_MOST = 8 };

struct stretch_writer {
	struct text_writer text;        /* first: the lines of entries */
	const struct native_stretch *stretch;
	intptr_t addresses[PATTERNS_MOST];      /* rows whose patterns are known, b0, b1, … */
	bool known[PATTERNS_MOST];
	unsigned patterns;
};

static bool is_access(const struct native_meaning *m)
{
	return native_loads(m) || native_stores(m) || m->kind == NATIVE_LOAD_ALIKE;
}

/* ---- finding ---- */

/* False: the stretch has no place for one more. */
static bool take_access(struct native_stretch *n, const struct native_meaning *m)
{
	bool global = m->kind == NATIVE_LOAD_GLOBAL || m->kind == NATIVE_STORE_GLOBAL;

	n->accesses = true;
	if (!global)
		return true;
	if (n->nglobals == NATIVE_GUARDS)
		return false;
	n->global[n->nglobals].entry = n->entries;
	n->global[n->nglobals++].store = m->kind == NATIVE_STORE_GLOBAL;
	return true;
}

/* A stretch's first entry is no way out, as its `target` is taken. */
static bool take_pass(struct native_stretch *n)
{
	if (n->npasses == NATIVE_GUARDS || !n->entries)
		return false;
	n->pass[n->npasses++] = n->entries;
	return true;
}

/* Take an entry into the stretch. False: the stretch ends before the entry. */
static bool take(struct native_stretch *n, const struct threaded_op *op, const struct native_meaning *m)
{
	struct native_constants constants = n->constants;

	if (is_access(m))
		return take_access(n, m);
	if (m->kind == NATIVE_PASSES)
		return take_pass(n);
	if (m->kind == NATIVE_NOTHING)
		return true;
	if (m->kind != NATIVE_WORDS || (op->sinks && !m->flags) || !text_take_constants(&constants, op, m) ||
	    (op->guard && n->nguards == NATIVE_GUARDS))
		return false;
	if (op->guard) {
		n->guard[n->nguards].pc = op->pc;
		n->guard[n->nguards++].entry = n->entries;
	}
	n->constants = constants;
	return true;
}

uint32_t native_find_stretch(const struct native_machine *machine, const struct threaded_code *code,
			     const struct threaded_op *head, const bool *target, struct native_stretch *n)
{
	struct text_rows rows = { .n = 0 };

	*n = (struct native_stretch){ .head = head, .machine = machine };
	for (const struct threaded_op *op = head; n->entries < STRETCH_MOST; op++) {
		struct native_meaning m = machine->meaning(code, op);
		bool lands = op != head && op->pc != op[-1].pc && target[op->pc / 4];
		text_see(&rows, op, &m);
		if (lands || rows.full || !take(n, op, &m))
			break;
		n->entries++;
	}
	return n->entries;
}

bool native_worth(const struct native_stretch *n)
{
	return n->entries >= STRETCH_LEAST;
}

/* ---- blocks ---- */

/* Entries [from, to); stores are those from `stores` on. */
struct block_text {
	uint32_t from, stores, to;
	struct text_rows rows;
	bool floats;                    /* a lane may be odd */
	unsigned guards;
};

static struct native_meaning meaning_of(const struct stretch_writer *w, uint32_t entry)
{
	return w->text.machine->meaning(w->text.code, &w->stretch->head[entry]);
}

static bool is_written(const struct text_rows *r, intptr_t offset)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->row[i].offset == offset)
			return r->row[i].written;
	return false;
}

/* Does the next entry belong to the block, too? Loads come before all else: their addresses, from before. */
static bool fits(const struct block_text *b, const struct native_meaning *m)
{
	if (m->kind == NATIVE_PASSES)
		return false;
	if (native_stores(m))
		return true;
	return b->stores == b->to && !(native_loads(m) && is_written(&b->rows, m->addresses));
}

/* The block from an entry on. */
static struct block_text block_from(const struct stretch_writer *w, uint32_t from)
{
	struct block_text b = { .from = from, .stores = from, .to = from };

	for (; b.to < w->stretch->entries; b.to++) {
		struct native_meaning m = meaning_of(w, b.to);
		if (!fits(&b, &m))
			break;
		b.stores += !native_stores(&m);
		text_see(&b.rows, &w->stretch->head[b.to], &m);
		b.floats |= m.kind == NATIVE_WORDS && m.floats;
		b.guards += m.kind == NATIVE_WORDS && w->stretch->head[b.to].guard;
	}
	return b;
}

/* ---- accesses ---- */

/* The number of a row's pattern, whose line is written if the pattern is not known. */
static unsigned write_pattern(struct stretch_writer *w, intptr_t row)
{
	unsigned i = 0;

	while (i < w->patterns && w->addresses[i] != row)
		i++;
	if (i == PATTERNS_MOST)
		i = 0;
	if (i == w->patterns)
		w->patterns++;
	if (w->addresses[i] != row || !w->known[i])
		fprintf(w->text.f, "\tb%u = native_pattern(p, NATIVE_ROW(reg, %" PRIdPTR "));\n", i, row);
	w->addresses[i] = row;
	w->known[i] = true;
	return i;
}

static void forget_patterns(struct stretch_writer *w, const struct text_rows *rows)
{
	for (unsigned i = 0; i < w->patterns; i++)
		w->known[i] = w->known[i] && !is_written(rows, w->addresses[i]);
}

static void write_load(struct stretch_writer *w, const struct native_meaning *m, uint32_t entry, uint32_t from)
{
	unsigned pattern = m->kind == NATIVE_LOAD ? write_pattern(w, m->addresses) : 0;
	FILE *f = w->text.f;

	if (m->kind == NATIVE_LOAD_GLOBAL) {
		fprintf(f, "\tstruct row t%" PRIu32 ";\n\tif (!native_load_global(p, %" PRIu32
			   ", NATIVE_ROW(reg, %" PRIdPTR "), &t%" PRIu32 "))\n\t\treturn %" PRIu32 ";\n", entry, entry,
			m->addresses, entry, from);
		return;
	}

	if (m->kind == NATIVE_LOAD_ALIKE)
		fprintf(f, "\tuint32_t t%" PRIu32 ";\n\tif (!native_load_alike(p, %" PRIu32 ", %" PRIu32
			   ", %d, &t%" PRIu32 "))", entry, m->offset, m->width, m->is_signed, entry);
	else
		fprintf(f, "\tstruct row t%" PRIu32 ";\n\tif (!native_load(p, &b%u, %" PRIu32 ", &t%" PRIu32 "))",
			entry, pattern, m->offset, entry);
	fprintf(f, "\n\t\treturn %" PRIu32 ";\n", from);
}

static void write_store(struct stretch_writer *w, const struct native_meaning *m, uint32_t entry)
{
	unsigned pattern;

	if (m->kind == NATIVE_STORE_GLOBAL) {
		fprintf(w->text.f, "\tif (!native_store_global(p, %" PRIu32 ", NATIVE_ROW(reg, %" PRIdPTR
				   "), NATIVE_ROW(reg, %" PRIdPTR ")))\n\t\treturn %" PRIu32 ";\n", entry,
			m->addresses, m->row, entry);
		return;
	}
	pattern = write_pattern(w, m->addresses);
	fprintf(w->text.f, "\tif (!native_store(p, &b%u, %" PRIu32 ", NATIVE_ROW(reg, %" PRIdPTR ")))\n"
			   "\t\treturn %" PRIu32 ";\n", pattern, m->offset, m->row, entry);
}

/* ---- operations ---- */

/* The words of a lane's rows. */
static void write_reads(const struct text_writer *w, unsigned guards)
{
	fputs("\t\tuint32_t odd = 0, active = ~0u;\n", w->f);
	for (unsigned i = 0; i < w->rows.n; i++)
		if (w->rows.row[i].carried)
			fprintf(w->f, "\t\tuint32_t v%u = NATIVE_ROW(reg, %" PRIdPTR ")->lane[l];\n", i,
				w->rows.row[i].offset);
		else
			fprintf(w->f, "\t\tuint32_t v%u;\n", i);
	for (unsigned i = 0; i < guards; i++)
		fprintf(w->f, "\t\tuint32_t g%u = 0;\n", w->guards + i);
}

/* The results: at once, or held back while a lane may be odd. */
static void write_results(const struct text_writer *w, bool floats)
{
	for (unsigned i = 0; i < w->rows.n; i++)
		if (w->rows.row[i].written && floats)
			fprintf(w->f, "\t\tout[%u].lane[l] = v%u;\n", i, i);
		else if (w->rows.row[i].written)
			fprintf(w->f, "\t\tNATIVE_ROW(reg, %" PRIdPTR ")->lane[l] = v%u;\n",
				w->rows.row[i].offset, i);
}

static void write_kept(const struct text_writer *w, uint32_t from)
{
	fprintf(w->f, "\tif (unusual)\n\t\treturn %" PRIu32 ";\n", from);
	for (unsigned i = 0; i < w->rows.n; i++)
		if (w->rows.row[i].written)
			fprintf(w->f, "\t*NATIVE_ROW(reg, %" PRIdPTR ") = out[%u];\n", w->rows.row[i].offset, i);
}

static void write_loop(struct stretch_writer *w, const struct block_text *b)
{
	struct text_writer *text = &w->text;
	unsigned guards = text->guards;

	text->rows = b->rows;
	fprintf(text->f, "\tuint32_t unusual = 0;\n\tstruct row out[%u], off[%u];\n\tNATIVE_LANES(l) {\n",
		b->rows.n + 1, b->guards + 1);
	write_reads(text, b->guards);
	for (uint32_t i = b->from; i < b->stores; i++) {
		struct native_meaning m = meaning_of(w, i);
		if (m.kind == NATIVE_WORDS)
			text_words(text, &w->stretch->head[i], &m);
		else if (is_access(&m))
			fprintf(text->f, "\t\t\tv%u = t%" PRIu32 "%s;\n", text_row_of(&text->rows, m.row), i,
				native_loads(&m) ? ".lane[l]" : "");
	}
	write_results(text, b->floats);
	for (unsigned i = guards; i < text->guards; i++)
		fprintf(text->f, "\t\toff[%u].lane[l] = g%u;\n", i - guards, i);
	/* a bit alone, as clang 14 makes no vectors where ones are united */
	fputs("\t\tunusual |= odd & 1;\n\t}\n", text->f);
	if (b->floats)
		write_kept(text, b->from);
	for (unsigned i = guards; i < text->guards; i++)
		fprintf(text->f, "\tp->off[%u] = native_sum(&off[%u]);\n", i, i - guards);
	forget_patterns(w, &b->rows);
}

static void write_block(struct stretch_writer *w, const struct block_text *b)
{
	fputs("\t{\n", w->text.f);
	for (uint32_t i = b->from; i < b->stores; i++) {
		struct native_meaning m = meaning_of(w, i);
		if (is_access(&m))
			write_load(w, &m, i, b->from);
	}
	if (b->from < b->stores)
		write_loop(w, b);
	for (uint32_t i = b->stores; i < b->to; i++) {
		struct native_meaning m = meaning_of(w, i);
		write_store(w, &m, i);
	}
	fputs("\t}\n", w->text.f);
}

/* A way out: taken by a lane, the call ends before it. */
static void write_pass(struct stretch_writer *w, uint32_t entry)
{
	const struct threaded_op *op = &w->stretch->head[entry];
	FILE *f = w->text.f;

	fprintf(f, "\t{\n\tuint32_t taken = 0;\n\tNATIVE_LANES(l) {\n\t\tuint32_t v0 = NATIVE_ROW(reg, %" PRIdPTR
		   ")->lane[l];", op->guard);
	text_test(&w->text, op->guard_set, 0xffff, 0);
	fprintf(f, "\n\t\ttaken |= on ? 1 : 0;\n\t}\n\tif (taken)\n\t\treturn %" PRIu32 ";\n\t}\n", entry);
}

static void write_begin(struct stretch_writer *w, unsigned index)
{
	FILE *f = w->text.f;

	fprintf(f, "uint32_t native_stretch_%u(struct native_pass *p)\n{\n\tchar *reg = p->reg;\n"
		   "\tstruct native_pattern b0", index);
	for (unsigned i = 1; i < PATTERNS_MOST; i++)
		fprintf(f, ", b%u", i);
	fputs(";\n", f);
	for (uint32_t i = 0; i < w->stretch->constants.n; i++)
		fprintf(f, "\tuint32_t k%" PRIu32 " = *p->constant[%" PRIu32 "];\n", i, i);
}

static void write_stretch(struct stretch_writer *w, unsigned index)
{
	uint32_t entry = 0;

	write_begin(w, index);
	while (entry < w->stretch->entries) {
		struct block_text b = block_from(w, entry);
		if (b.to > entry)
			write_block(w, &b);
		else
			write_pass(w, b.to++);
		entry = b.to;
	}
	fprintf(w->text.f, "\treturn %" PRIu32 ";\n}\n", w->stretch->entries);
}

/* gcc 12 makes no vectors of blocks, which then take three times as long as threaded code. */
void native_write_stretches(FILE *f, const struct native_machine *m, const struct threaded_code *code,
			    struct native_stretch *const *stretch, unsigned n)
{
	fputs("#ifdef __clang__\n", f);
	for (unsigned i = 0; i < n; i++) {
		struct stretch_writer w = {
			.text = { .f = f, .machine = m, .code = code, .constants = &stretch[i]->constants },
			.stretch = stretch[i],
		};
		write_stretch(&w, i);
	}
	fputs("#endif\n", f);
}
