/* A native path as C (core/isa/native.h): a handler that goes through the entries of a piece of threaded code. The
 * function has the piece twice. For warps with all lanes active, operations are made in *blocks*: loads of s[] first,
 * which nothing in the block can change, then all operations in a single loop over lanes, as in a turn of a native loop
 * (text.c), then stores to s[]:
 *
 *	f3:
 *	b0 = the shape of the words at a row of addresses
 *	words of each load in front of all operations, by a step if not usual
 *	if (all other loads are usual) {
 *		for (lanes) {
 *			words of rows that the block reads
 *			v = lane_NAME(…), or a word loaded
 *			odd += a float out of the ordinary
 *			words of rows that the block writes, to the registers, or to `out` while a lane may be odd
 *		}
 *		`out`, to the registers, if no lane is odd
 *	}
 *	if (not all was usual)
 *		the entries behind the loads in front, as steps
 *	words of each store, by a step if not usual
 *
 * A *step* is a call of the entry's own handler. For any mask, from s3 on, there are the same loops under the mask,
 * and each access is a step. Between blocks are branches that all active lanes take, or none. Where lanes part, at
 * barriers, and at any entry without a meaning, threaded code goes on. */
#include "native/path.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "native/lane.h"
#include "native/words.h"

/* Entries that are worth a call. */
enum { ENTRIES_LEAST = 3, STEP_IN_WORDS = 3, SHAPES_MOST = 8 };

struct path_writer {
	struct text_writer text;        /* first: the lines of entries */
	const struct path_found *found;
	bool full;                      /* the text for all lanes */
	intptr_t addresses[SHAPES_MOST];      /* rows whose shapes are known, b0, b1, … */
	bool known[SHAPES_MOST];
	unsigned shapes;
	unsigned sites;                 /* places where shapes are found */
};

static bool is_load(const struct native_meaning *m)
{
	return m->kind == NATIVE_LOAD || m->kind == NATIVE_LOAD_ALIKE;
}

static bool is_fast(const struct native_meaning *m)
{
	return is_load(m) || m->kind == NATIVE_STORE;
}

static bool is_step(const struct native_meaning *m)
{
	return is_fast(m) || m->kind == NATIVE_STEP;
}

static bool is_branch(const struct threaded_op *op, const struct native_meaning *m)
{
	return op->jumps && (m->kind == NATIVE_PASSES || m->kind == NATIVE_TURNS || m->kind == NATIVE_JUMPS);
}

/* Operations for a loop over lanes. */
static bool is_words(const struct native_meaning *m)
{
	return m->kind == NATIVE_WORDS || m->kind == NATIVE_LANE || m->kind == NATIVE_NOTHING;
}

/* ---- finding ---- */

static struct native_meaning meaning_of(const struct path_found *f, uint32_t entry)
{
	return f->machine->meaning(f->code, &f->path->op[entry]);
}

/* What the text can say of an entry: its meaning, or UNKNOWN. */
static struct native_meaning meaning_in(const struct path_found *f, uint32_t entry)
{
	struct native_meaning m = meaning_of(f, entry);

	if (!f->known[entry])
		m.kind = NATIVE_UNKNOWN;
	return m;
}

/* Find which entries the text has code for, and their words that all warps share. */
static void find_known(struct path_found *f)
{
	for (uint32_t i = 0; i + 1 < f->path->entries; i++) {
		const struct threaded_op *op = &f->path->op[i];
		struct native_meaning m = meaning_of(f, i);
		struct native_constants constants = f->path->constants;
		bool discarded = m.kind == NATIVE_WORDS && op->sinks && !m.flags;
		f->known[i] = m.kind != NATIVE_UNKNOWN && !discarded;
		if (m.kind == NATIVE_WORDS && f->known[i])
			f->known[i] = text_take_constants(&constants, op, &m);
		if (f->known[i])
			f->path->constants = constants;
	}
}

static bool begins_instruction(const struct path_found *f, uint32_t i)
{
	return !i || f->path->op[i].pc != f->path->op[i - 1].pc;
}

static bool is_target(const struct path_found *f, uint32_t i)
{
	return begins_instruction(f, i) && f->target[f->path->op[i].pc / 4];
}

static bool is_behind_mask(const struct path_found *f, uint32_t i)
{
	return i && meaning_of(f, i - 1).kind == NATIVE_MASK;
}

/* Does a warp often arrive at the entry: by a branch, behind an entry of threaded code alone or where lanes parted, or
 * where a piece begins? */
static bool is_entry(const struct path_found *f, uint32_t i)
{
	bool behind = i && (!f->known[i - 1] || f->path->op[i - 1].jumps || is_behind_mask(f, i));

	return begins_instruction(f, i) && (!i || is_target(f, i) || behind);
}

static bool is_worth(const struct path_found *f, uint32_t i)
{
	uint32_t n = 0;

	while (i + n < f->path->entries && f->known[i + n] && n < ENTRIES_LEAST)
		n++;
	return n == ENTRIES_LEAST;
}

/* Of some lanes, each access is a step, and a step costs what a few operations gain. */
static bool is_worth_for_some(const struct path_found *f, uint32_t i)
{
	uint32_t words = 0, steps = 0;

	for (; i < f->path->entries && f->known[i] && !f->path->op[i].jumps; i++) {
		struct native_meaning m = meaning_of(f, i);
		bool step = is_step(&m) || m.kind == NATIVE_CALL;
		words += !step;
		steps += step;
	}
	return words >= STEP_IN_WORDS * steps;
}

/* Copies of all entries, each with an end behind. False: no memory. */
static bool copy_steps(struct native_path *p, struct arena *a)
{
	handler_fn *stepped = p->machine->stepped;
	struct threaded_op *copy = ARENA_ARRAY(a, struct threaded_op, 2 * p->entries);

	for (uint32_t i = 0; copy && i < p->entries; i++) {
		copy[2 * i] = p->op[i];
		copy[2 * i + 1] = (struct threaded_op){ .full = stepped, .partial = stepped };
	}
	p->step = copy;
	return copy;
}

bool path_find(struct path_found *f, const struct threaded_op *first, struct arena *a)
{
	f->path = ARENA_NEW(a, struct native_path);
	if (!f->path)
		return false;
	*f->path = (struct native_path){ .op = first, .machine = f->machine };
	while (first[f->path->entries].in)
		f->path->entries++;
	f->path->entries++;
	f->known = ARENA_ARRAY(a, bool, f->path->entries);
	f->label = ARENA_ARRAY(a, bool, f->path->entries);
	f->entry = ARENA_ARRAY(a, struct native_entry *, f->path->entries);
	if (!f->known || !f->label || !f->entry)
		return false;
	find_known(f);
	for (uint32_t i = 0; i + 1 < f->path->entries; i++) {
		f->label[i] = is_entry(f, i);
		if (!f->label[i] || !is_worth(f, i))
			continue;
		struct native_entry *e = ARENA_NEW(a, struct native_entry);
		if (!e)
			return false;
		*e = (struct native_entry){ .path = f->path, .number = i, .for_all = !is_worth_for_some(f, i) };
		f->entry[f->entries++] = e;
	}
	f->label[f->path->entries - 1] = is_behind_mask(f, f->path->entries - 1);
	f->path->luck = ARENA_ARRAY(a, int8_t, NATIVE_LUCK);
	return f->path->luck && copy_steps(f->path, a);
}

/* ---- blocks ---- */

/* Entries [from, to): loads in front up to `words`, stores from `stores` on. */
struct block_text {
	uint32_t from, words, stores, to;
	struct text_rows rows;
	struct lane_results results;
	bool floats;                    /* a lane may be odd */
	bool loads;                     /* there are loads behind operations, made before */
	unsigned guards;
};

static bool is_written(const struct text_rows *r, intptr_t offset)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->row[i].offset == offset)
			return r->row[i].written;
	return false;
}

/* Does the next entry belong to the block, too? Loads come before all else: their addresses, from before. */
static bool fits(const struct path_writer *w, const struct block_text *b, const struct native_meaning *m)
{
	if (!lane_fits(&b->results, m))
		return false;
	if (!w->full || !(is_words(m) || is_fast(m)))
		return is_words(m);
	if (m->kind == NATIVE_STORE)
		return true;
	return b->stores == b->to && !(m->kind == NATIVE_LOAD && is_written(&b->rows, m->addresses));
}

/* The block from an entry on, up to the next label; without entries where none fits. */
static struct block_text block_from(const struct path_writer *w, uint32_t from)
{
	struct block_text b = { .from = from, .words = from, .stores = from, .to = from };

	for (; b.to == from || !w->found->label[b.to]; b.to++) {
		struct native_meaning m = meaning_in(w->found, b.to);
		struct text_rows rows = b.rows;
		const struct threaded_op *op = &w->found->path->op[b.to];
		text_see(&rows, op, &m);
		lane_see(&rows, &m);
		if (rows.full || !fits(w, &b, &m))
			break;
		b.rows = rows;
		lane_note(&b.results, &m);
		b.loads |= is_load(&m) && b.words < b.to;
		b.words += is_load(&m) && b.words == b.to;
		b.stores += m.kind != NATIVE_STORE;
		b.floats |= (m.kind == NATIVE_WORDS || m.kind == NATIVE_LANE) && m.floats;
		b.guards += m.kind == NATIVE_WORDS && op->guard;
	}
	return b;
}

/* ---- ways out of the function ---- */

/* Threaded code goes on at an entry, whose handlers may be the path's. */
static void write_leave(const struct path_writer *w, uint32_t entry)
{
	bool own = false;

	for (uint32_t i = 0; i < w->found->entries; i++)
		own |= w->found->entry[i]->number == entry;
	fprintf(w->text.f, own ? "NATIVE_AS_TRANSLATED(%" PRIu32 ");" : "NATIVE_LEAVE(%" PRIu32 ");", entry);
}

/* The active lanes that pass an entry's guard, as p. */
static void write_passing(const struct path_writer *w, const struct threaded_op *op)
{
	if (op->guard)
		fprintf(w->text.f, "\trow_mask p = row_nibbles_in(NATIVE_ROW(reg, %" PRIdPTR "), %#" PRIx32
				   ") & active;\n", op->guard, op->guard_set & 0xffff);
	else
		fputs("\trow_mask p = active;\n", w->text.f);
}

/* ---- accesses ---- */

/* The number of a row of addresses, whose shape is found here if it is not known. */
static unsigned write_shape(struct path_writer *w, intptr_t row)
{
	unsigned i = 0;

	while (i < w->shapes && w->addresses[i] != row)
		i++;
	assert(i < SHAPES_MOST);      /* machines have fewer address registers */
	if (i == w->shapes)
		w->shapes++;
	if (w->addresses[i] != row || !w->known[i])
		fprintf(w->text.f, "\tb%u = native_words(x, &path->luck[%u], NATIVE_ROW(reg, %" PRIdPTR "));\n", i,
			w->sites++ % NATIVE_LUCK, row);
	w->addresses[i] = row;
	w->known[i] = true;
	return i;
}

static void forget_shapes(struct path_writer *w, const struct text_rows *rows)
{
	for (unsigned i = 0; i < w->shapes; i++)
		w->known[i] = w->known[i] && !is_written(rows, w->addresses[i]);
}

static void forget_all(struct path_writer *w)
{
	memset(w->known, 0, sizeof w->known);
}

/* The condition that a load is usual, which makes the load. */
static void write_load(struct path_writer *w, const struct native_meaning *m, uint32_t entry, bool alone)
{
	FILE *f = w->text.f;

	if (m->kind == NATIVE_LOAD_ALIKE)
		fprintf(f, "native_load_alike(x, %" PRIu32 ", %" PRIu32 ", %d, &t%" PRIu32 ")", m->offset, m->width,
			m->is_signed, entry);
	else
		fprintf(f, "native_load(x, path, &b%u, %" PRIu32 ", %d, &t%" PRIu32 ")",
			write_shape(w, m->addresses), m->offset, alone, entry);
}

static void write_loaded(const struct path_writer *w, const struct native_meaning *m, uint32_t entry)
{
	fprintf(w->text.f, "\t%s t%" PRIu32 ";\n", m->kind == NATIVE_LOAD ? "struct row" : "uint32_t", entry);
}

/* A step whose outcome is another than usual ends the call. */
static void write_step(const struct path_writer *w, uint32_t entry)
{
	fprintf(w->text.f, "\tif ((r = native_step(&path->step[%" PRIu32 "], x, reg, %s)) != NATIVE_STEPPED)\n"
			   "\t\treturn r;\n", 2 * entry, w->full ? "ROW_ALL" : "active");
}

/* The condition that a step is not usual. */
static void write_quick(const struct path_writer *w, const struct native_meaning *m)
{
	fprintf(w->text.f, "\tif (!%s(x, %" PRIu32 ", NATIVE_ROW(reg, %" PRIdPTR "), NATIVE_ROW(reg, %" PRIdPTR ")))\n",
		m->name, m->number, m->addresses, m->row);
}

static void write_call(const struct path_writer *w, const char *name, uint32_t entry)
{
	fprintf(w->text.f, "\tif (!%s(at + %" PRIu32 ", x, active))\n\t\t", name, entry);
	write_leave(w, entry);
	fputs("\n", w->text.f);
}

static void write_store(struct path_writer *w, const struct native_meaning *m, uint32_t entry)
{
	const struct threaded_op *op = &w->found->path->op[entry];
	unsigned shape = write_shape(w, m->addresses);

	fputs("\t{\n", w->text.f);
	write_passing(w, op);
	fprintf(w->text.f, "\tif (!usual || !native_store(x, path, &b%u, %" PRIu32 ", NATIVE_ROW(reg, %" PRIdPTR
			   "), p)) {\n", shape, m->offset, m->row);
	write_step(w, entry);
	fputs(op->guard ? "\t} else\n" : "\t}\n", w->text.f);
	if (op->guard)
		fprintf(w->text.f, "\t\tx->bill->pc[%" PRIu32 "].predicated += (unsigned)lanes_count(ROW_ALL & ~p);\n",
			op->pc >> 2);
	fputs("\t}\n", w->text.f);
}

/* ---- operations ---- */

/* The words of a lane's rows; under a mask, of all rows. */
static void write_reads(const struct path_writer *w)
{
	const struct text_rows *rows = &w->text.rows;

	fprintf(w->text.f, "\t\tuint32_t odd = 0, least = ~0u, active = %s;\n", w->full ? "~0u" : "lanes.lane[l]");
	for (unsigned i = 0; i < rows->n; i++)
		if (rows->row[i].carried || (!w->full && !rows->row[i].passing))
			fprintf(w->text.f, "\t\tuint32_t v%u = NATIVE_ROW(reg, %" PRIdPTR ")->lane[l];\n", i,
				rows->row[i].offset);
		else
			fprintf(w->text.f, "\t\tuint32_t v%u;\n", i);
}

/* The results: at once, or held back while a lane may be odd. */
static void write_results(const struct path_writer *w, bool floats)
{
	const struct text_rows *rows = &w->text.rows;

	for (unsigned i = 0; i < rows->n; i++)
		if (rows->row[i].passing)
			continue;
		else if (rows->row[i].written && floats)
			fprintf(w->text.f, "\t\tout[%u].lane[l] = v%u;\n", i, i);
		else if (rows->row[i].written)
			fprintf(w->text.f, "\t\tNATIVE_ROW(reg, %" PRIdPTR ")->lane[l] = v%u;\n", rows->row[i].offset,
				i);
}

static void write_kept(const struct path_writer *w)
{
	const struct text_rows *rows = &w->text.rows;

	fputs("\tif (!unusual) {\n", w->text.f);
	for (unsigned i = 0; i < rows->n; i++)
		if (rows->row[i].written && !rows->row[i].passing)
			fprintf(w->text.f, "\t*NATIVE_ROW(reg, %" PRIdPTR ") = out[%u];\n", rows->row[i].offset, i);
}

/* Lanes that the guards of entries [from, to) turn off. */
static void write_off(const struct path_writer *w, uint32_t from, uint32_t to)
{
	unsigned guard = 0;

	for (uint32_t i = from; i < to; i++) {
		struct native_meaning m = meaning_in(w->found, i);
		const struct threaded_op *op = &w->found->path->op[i];
		if (m.kind == NATIVE_WORDS && op->guard)
			fprintf(w->text.f, "\tx->bill->pc[%" PRIu32 "].predicated += native_sum(&off[%u]);\n",
				op->pc >> 2, guard++);
	}
}

static void write_words(struct path_writer *w, uint32_t entry)
{
	struct native_meaning m = meaning_in(w->found, entry);
	const struct threaded_op *op = &w->found->path->op[entry];

	if (m.kind == NATIVE_WORDS)
		text_masked(&w->text, op, &m, w->full);
	else if (m.kind == NATIVE_LANE)
		lane_write(&w->text, entry, &m, w->full);
	else if (is_fast(&m))
		fprintf(w->text.f, "\t\t\tv%u = t%" PRIu32 "%s;\n", text_row_of(&w->text.rows, m.row), entry,
			m.kind == NATIVE_LOAD ? ".lane[l]" : "");
}

/* What lanes have in common, before a loop or behind. */
static void write_common(const struct path_writer *w, const struct block_text *b,
			 void (*write)(FILE *, uint32_t, const struct native_meaning *))
{
	for (uint32_t i = b->from; i < b->stores; i++) {
		struct native_meaning m = meaning_in(w->found, i);
		if (m.kind == NATIVE_LANE)
			write(w->text.f, i, &m);
	}
}

static void write_loop(struct path_writer *w, const struct block_text *b)
{
	FILE *f = w->text.f;

	w->text.rows = b->rows;
	w->text.behind = w->found->path->op + b->stores;
	for (unsigned i = 0; i < b->rows.n; i++)
		w->text.rows.row[i].passing &= begins_instruction(w->found, b->to);
	w->text.guards = 0;
	if (b->floats)
		fprintf(f, "\tstruct row out[%u];\n", b->rows.n + 1);
	if (b->guards)
		fprintf(f, "\tstruct row off[%u];\n", b->guards);
	write_common(w, b, lane_write_before);
	fputs("\tNATIVE_LANES(l) {\n", f);
	write_reads(w);
	for (uint32_t i = b->from; i < b->stores; i++)
		write_words(w, i);
	write_results(w, b->floats);
	fputs(b->floats ? "\t\tunusual |= odd | native_small(least);\n\t}\n" : "\t}\n", f);
	if (b->floats)
		write_kept(w);
	write_common(w, b, lane_write_behind);
	write_off(w, b->from, b->stores);
	if (b->floats)
		fputs("\t}\n", f);
	forget_shapes(w, &b->rows);
}

/* Constants, where a block names them. */
static void write_constants(const struct path_writer *w, const struct block_text *b)
{
	struct native_constants named = { .n = 0 };

	for (uint32_t i = b->from; i < b->stores; i++) {
		struct native_meaning m = meaning_in(w->found, i);
		if (m.kind == NATIVE_WORDS)
			text_take_constants(&named, &w->found->path->op[i], &m);
	}
	for (uint32_t i = 0; i < w->found->path->constants.n; i++)
		for (uint32_t k = 0; k < named.n; k++)
			if (named.word[k] == w->found->path->constants.word[i])
				fprintf(w->text.f, "\tuint32_t k%" PRIu32 " = *path->constants.word[%" PRIu32 "];\n",
					i, i);
}

static bool computes(const struct path_writer *w, const struct block_text *b)
{
	bool any = false;

	for (uint32_t i = b->from; i < b->stores; i++)
		any |= meaning_in(w->found, i).kind != NATIVE_NOTHING;
	return any;
}

/* Loads: those in front are made in any case, others if all are usual. */
static void write_loads(struct path_writer *w, const struct block_text *b)
{
	FILE *f = w->text.f;

	for (uint32_t i = b->from; i < b->stores; i++) {
		struct native_meaning m = meaning_in(w->found, i);
		if (!is_load(&m))
			continue;
		if (m.kind == NATIVE_LOAD)
			write_shape(w, m.addresses);
		write_loaded(w, &m, i);
	}
	for (uint32_t i = b->from; i < b->words; i++) {
		struct native_meaning m = meaning_in(w->found, i);
		fputs("\tif (!usual || !", f);
		write_load(w, &m, i, true);
		fputs(") {\n", f);
		write_step(w, i);
		fprintf(f, "\tt%" PRIu32 " = %sNATIVE_ROW(reg, %" PRIdPTR ")%s;\n\t}\n", i,
			m.kind == NATIVE_LOAD ? "*" : "", m.row, m.kind == NATIVE_LOAD ? "" : "->lane[0]");
	}
}

/* Whether all other loads are usual. */
static void write_usual(struct path_writer *w, const struct block_text *b)
{
	if (!b->loads)
		return;
	fputs("\tunusual = !usual", w->text.f);
	for (uint32_t i = b->words; i < b->stores; i++) {
		struct native_meaning m = meaning_in(w->found, i);
		if (is_load(&m)) {
			fputs(" ||\n\t\t!", w->text.f);
			write_load(w, &m, i, false);
		}
	}
	fputs(";\n\tif (!unusual) {\n", w->text.f);
}

/* The block again, as steps behind the loads in front, if not all was usual. */
static void write_steps(struct path_writer *w, const struct block_text *b)
{
	FILE *f = w->text.f;

	fputs("\tif (unusual) {\n", f);
	for (uint32_t i = b->from; i < b->words; i++) {
		struct native_meaning m = meaning_in(w->found, i);
		fprintf(f, m.kind == NATIVE_LOAD ? "\t*NATIVE_ROW(reg, %" PRIdPTR ") = t%" PRIu32 ";\n" :
						   "\tnative_all(NATIVE_ROW(reg, %" PRIdPTR "), t%" PRIu32 ");\n",
			m.row, i);
	}
	for (uint32_t i = b->words; i < b->stores; i++)
		if (meaning_in(w->found, i).kind != NATIVE_NOTHING)
			write_step(w, i);
	fputs("\t}\n", f);
}

static bool accesses(const struct path_writer *w, const struct block_text *b)
{
	bool any = false;

	for (uint32_t i = b->from; i < b->to; i++) {
		struct native_meaning m = meaning_in(w->found, i);
		any |= is_fast(&m);
	}
	return any;
}

static void write_block(struct path_writer *w, const struct block_text *b)
{
	bool may_fail = b->floats || b->loads;

	fputs(may_fail ? "\t{\n\tuint32_t unusual = 0;\n" : "\t{\n", w->text.f);
	if (accesses(w, b))
		fputs("\tbool usual = native_usual(x);\n", w->text.f);
	write_loads(w, b);
	write_constants(w, b);
	if (computes(w, b)) {
		write_usual(w, b);
		write_loop(w, b);
		fputs(b->loads ? "\t}\n" : "", w->text.f);
	}
	if (may_fail)
		write_steps(w, b);
	for (uint32_t i = b->stores; i < b->to; i++) {
		struct native_meaning m = meaning_in(w->found, i);
		write_store(w, &m, i);
	}
	fputs("\t}\n", w->text.f);
}

/* ---- control flow ---- */

/* The number of a branch's target in the path; `entries`: no label of the path, or the head of a native loop. */
static uint32_t target_in(const struct path_found *f, const struct threaded_op *op)
{
	uint32_t i = 0;

	while (i < f->path->entries && !(f->label[i] && &f->path->op[i] == op->target))
		i++;
	return f->head[op->target->pc / 4] ? f->path->entries : i;
}

static void write_branch(struct path_writer *w, uint32_t entry)
{
	const struct threaded_op *op = &w->found->path->op[entry];
	uint32_t target = target_in(w->found, op);
	const char *active = w->full ? "ROW_ALL" : "active";
	FILE *f = w->text.f;

	fputs("\t{\n", f);
	write_passing(w, op);
	fputs("\tif ((p && p != active) || threaded_noted(x))\n\t\t", f);
	write_leave(w, entry);
	fprintf(f, "\n\tthreaded_count_branch(at + %" PRIu32 ", x, p);\n\tif (p) {\n", entry);
	fprintf(f, "\t\tif (!native_branch(at + %" PRIu32 ", x, %s))\n\t\t\treturn STEP_OK;\n", entry, active);
	if (target < w->found->path->entries)
		fprintf(f, "\t\tgoto %c%" PRIu32 ";\n", w->full ? 'f' : 's', target);
	else
		fprintf(f, "\t\tHANDLER_GO(at[%" PRIu32 "].target, x, reg, active);\n", entry);
	fputs("\t}\n\t}\n", f);
}

/* A way out for lanes that break or return. */
static void write_pass(struct path_writer *w, uint32_t entry)
{
	FILE *f = w->text.f;

	fputs("\t{\n", f);
	write_passing(w, &w->found->path->op[entry]);
	fputs("\tif (p)\n\t\t", f);
	write_leave(w, entry);
	fprintf(f, "\n\tthreaded_count_branch(at + %" PRIu32 ", x, false);\n\t}\n", entry);
}

/* A branch of the whole warp. */
static void write_going(struct path_writer *w, const struct native_meaning *m, uint32_t entry)
{
	uint32_t target = target_in(w->found, &w->found->path->op[entry]);
	FILE *f = w->text.f;

	if (m->name)
		fprintf(f, "\tp = %s(reg);\n\tthreaded_count_branch(at + %" PRIu32 ", x, p);\n\tif (p) {\n", m->name,
			entry);
	else
		fputs("\t{\n", f);
	fprintf(f, "\tif (!native_branch(at + %" PRIu32 ", x, active))\n\t\treturn STEP_OK;\n", entry);
	if (target < w->found->path->entries)
		fprintf(f, "\tgoto %c%" PRIu32 ";\n", w->full ? 'f' : 's', target);
	else
		fprintf(f, "\tHANDLER_GO(at[%" PRIu32 "].target, x, reg, active);\n", entry);
	fputs("\t}\n", f);
}

/* A change of the mask: the path goes on, in the text for all lanes or for any mask. */
static void write_mask(struct path_writer *w, const struct native_meaning *m, uint32_t entry)
{
	FILE *f = w->text.f;

	fprintf(f, "\tnow = active;\n\tif (!%s(at + %" PRIu32 ", x, reg, &now))\n"
		   "\t\tHANDLER_RESUME(STEP_OK, x, reg);\n\tif (now != active) {\n\tactive = now;\n", m->name, entry);
	if (!w->full)
		fprintf(f, "\tif (now == ROW_ALL)\n\t\tgoto f%" PRIu32 ";\n", entry + 1);
	fputs("\tnative_lanes(&lanes, active);\n", f);
	if (w->full)
		fprintf(f, "\tgoto s%" PRIu32 ";\n", entry + 1);
	fputs("\t}\n", f);
}

/* An entry that is in no block. */
static void write_alone(struct path_writer *w, uint32_t entry)
{
	struct native_meaning m = meaning_in(w->found, entry);

	forget_all(w);
	if (is_branch(&w->found->path->op[entry], &m)) {
		write_branch(w, entry);
	} else if (m.kind == NATIVE_PASSES) {
		write_pass(w, entry);
	} else if (is_step(&m)) {
		if (m.kind == NATIVE_STEP && m.name && w->full)
			write_quick(w, &m);
		write_step(w, entry);
	} else if (m.kind == NATIVE_CALL) {
		write_call(w, m.name, entry);
	} else if (m.kind == NATIVE_GOES) {
		write_going(w, &m, entry);
	} else if (m.kind == NATIVE_MASK) {
		write_mask(w, &m, entry);
	} else if (m.kind == NATIVE_SCALAR) {
		lane_write_scalar(w->text.f, &m);
	} else {
		fputs("\t", w->text.f);
		write_leave(w, entry);
		fputs("\n", w->text.f);
	}
}

/* ---- the function ---- */

static void write_entries(struct path_writer *w, bool full)
{
	uint32_t entry = 0;

	w->full = full;
	while (entry < w->found->path->entries) {
		struct block_text b = block_from(w, entry);
		if (w->found->label[entry]) {
			fprintf(w->text.f, "%c%" PRIu32 ":;\n", full ? 'f' : 's', entry);
			forget_all(w);
		}
		if (b.to > entry)
			write_block(w, &b);
		else
			write_alone(w, b.to++);
		entry = b.to;
	}
}

static void write_switch(struct path_writer *w, bool full)
{
	fputs("\tswitch (entry->number) {\n", w->text.f);
	for (uint32_t i = 0; i < w->found->entries; i++)
		fprintf(w->text.f, "\tcase %" PRIu32 ": goto %c%" PRIu32 ";\n", w->found->entry[i]->number,
			full ? 'f' : 's', w->found->entry[i]->number);
	fputs("\t}\n", w->text.f);
}

static const char begin[] =
	"int native_path_%u(HANDLER_PARAMETERS)\n{\n"
	"\tconst struct native_entry *entry = native_entry_at(op);\n"
	"\tconst struct native_path *path = entry->path;\n"
	"\tconst struct threaded_op *at = path->op;\n"
	"\tstruct row lanes;\n\trow_mask now;\n\tbool p;\n\tint r;\n";

static bool has_shapes(const struct path_found *f)
{
	bool any = false;

	for (uint32_t i = 0; i + 1 < f->path->entries; i++) {
		enum native_kind kind = meaning_of(f, i).kind;
		any |= kind == NATIVE_LOAD || kind == NATIVE_STORE;
	}
	return any;
}

static void write_path(struct path_writer *w, unsigned index)
{
	fprintf(w->text.f, begin, index);
	if (has_shapes(w->found))
		fputs("\tstruct native_words b0, b1, b2, b3, b4, b5, b6, b7;\n", w->text.f);
	if (w->found->machine->declines)
		fprintf(w->text.f, "\tif (%s(x, reg))\n\t\tNATIVE_AS_TRANSLATED(entry->number);\n",
			w->found->machine->declines);
	fputs("\tif (active == ROW_ALL)\n", w->text.f);
	write_switch(w, true);
	fputs("\tnative_lanes(&lanes, active);\n", w->text.f);
	write_switch(w, false);
	write_entries(w, true);
	write_entries(w, false);
	fputs("}\n", w->text.f);
}

/* gcc 12 makes no vectors of blocks, which then take three times as long as threaded code. */
void path_write(FILE *f, const struct path_found *found, unsigned index)
{
	struct path_writer w = {
		.text = { .f = f, .machine = found->machine, .code = found->code,
			  .constants = &found->path->constants },
		.found = found,
	};

	write_path(&w, index);
}
