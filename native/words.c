/* Rows, constants, guards and operations of native text (native/words.h). */
#include "native/words.h"

#include <inttypes.h>

unsigned text_row_of(struct text_rows *r, intptr_t offset)
{
	unsigned i = 0;

	while (i < r->n && r->row[i].offset != offset)
		i++;
	if (i == ROWS_MOST)
		r->full = true;
	else if (i == r->n)
		r->row[r->n++] = (struct text_row){ .offset = offset };
	return i < ROWS_MOST ? i : 0;
}

/* A turn reads `bits` of a row's words. */
static void note_read(struct text_rows *r, intptr_t offset, uint32_t bits)
{
	struct text_row *row = &r->row[text_row_of(r, offset)];

	row->carried |= !row->written;
	row->bits |= bits;
}

/* Under a guard some lanes keep the word of the turn before. */
static void note_written(struct text_rows *r, intptr_t offset, bool guarded)
{
	if (guarded)
		note_read(r, offset, ~0u);
	r->row[text_row_of(r, offset)].written = true;
}

/* A test of flags: (flags & mask) == value, or != value. */
struct comparison {
	uint32_t mask, value;
	bool equal;
};

enum { FLAGS = 16, ANY = 0xffff };

/* Does a comparison tell whether a set has flags, of the possible ones? */
static bool tells(const struct comparison *c, uint32_t set, uint32_t possible)
{
	uint32_t found = 0;

	for (uint32_t flags = 0; flags < FLAGS; flags++)
		found |= (uint32_t)(((flags & c->mask) == c->value) == c->equal) << flags;
	return !((found ^ set) & possible);
}

/* False: no single comparison tells. */
static bool find_comparison(uint32_t set, uint32_t possible, struct comparison *out)
{
	for (uint32_t i = 0; i < FLAGS * FLAGS * 2; i++) {
		*out = (struct comparison){ i / FLAGS / 2, i / 2 % FLAGS, i % 2 };
		if (tells(out, set, possible))
			return true;
	}
	return false;
}

/* The bits of flags that decide whether a set of flags has a lane's. */
static uint32_t bits_that_matter(uint32_t set, uint32_t possible)
{
	struct comparison c;
	uint32_t bits = 0;

	if (find_comparison(set, possible, &c))
		return c.mask;
	for (uint32_t bit = 1; bit < FLAGS; bit *= 2)
		for (uint32_t flags = 0; flags < FLAGS; flags++)
			if ((set >> flags ^ set >> (flags ^ bit)) & 1)
				bits |= bit;
	return bits;
}

bool text_assumed(const struct text_rows *r, const struct text_row *row)
{
	return r->assumes && row->possible && row->possible != ANY;
}

static uint32_t possible_of(struct text_rows *r, intptr_t offset)
{
	const struct text_row *row = &r->row[text_row_of(r, offset)];

	return text_assumed(r, row) ? row->possible : ANY;
}

static bool is_immediate(const struct threaded_op *op, unsigned source)
{
	return op->in->src[source].shape == OPND_IMM;
}

void text_see(struct text_rows *r, const struct threaded_op *op, const struct native_meaning *m)
{
	if (m->kind != NATIVE_WORDS && m->kind != NATIVE_PASSES && m->kind != NATIVE_TURNS && m->kind != NATIVE_LOAD &&
	    m->kind != NATIVE_LOAD_ALIKE)
		return;
	if (m->kind == NATIVE_LOAD || m->kind == NATIVE_LOAD_ALIKE) {
		note_written(r, m->row, false);
		return;
	}
	if (op->guard)
		note_read(r, op->guard, bits_that_matter(op->guard_set, possible_of(r, op->guard)));
	if (m->kind != NATIVE_WORDS)
		return;
	for (unsigned i = 0; i < m->sources; i++)
		if (op->src[i].mask)
			note_read(r, (intptr_t)op->src[i].offset, ~0u);
	if (!op->sinks) {
		note_written(r, (intptr_t)op->dst, op->guard);
		r->row[text_row_of(r, (intptr_t)op->dst)].possible = ANY;
	}
	if (m->flags) {
		note_written(r, (intptr_t)op->flags, op->guard);
		r->row[text_row_of(r, (intptr_t)op->flags)].possible |= m->possible;
	}
}

/* The number of a word among the constants, or of all. */
static uint32_t constant_of(const struct native_constants *c, uintptr_t place)
{
	uint32_t i = 0;

	while (i < c->n && c->word[i] != (const uint32_t *)place)
		i++;
	return i;
}

bool text_take_constants(struct native_constants *c, const struct threaded_op *op, const struct native_meaning *m)
{
	for (unsigned i = 0; i < m->sources; i++) {
		uint32_t k = constant_of(c, op->src[i].offset);
		if (op->src[i].mask || is_immediate(op, i) || k < c->n)
			continue;
		if (k == NATIVE_CONSTANTS)
			return false;
		c->word[c->n++] = (const uint32_t *)op->src[i].offset;
	}
	return true;
}

static void write_source(struct text_writer *w, const struct threaded_op *op, unsigned i)
{
	if (op->src[i].mask)
		fprintf(w->f, "v%u", text_row_of(&w->rows, (intptr_t)op->src[i].offset));
	else if (is_immediate(op, i))
		fprintf(w->f, "%#" PRIx32 "u", (uint32_t)op->in->src[i].value);
	else
		fprintf(w->f, "k%" PRIu32, constant_of(w->constants, op->src[i].offset));
}

void text_test(struct text_writer *w, uint32_t set, uint32_t possible, unsigned row)
{
	struct comparison c;

	if (find_comparison(set, possible, &c))
		fprintf(w->f, " bool on = (v%u & %" PRIu32 ") %s %" PRIu32 ";", row, c.mask, c.equal ? "==" : "!=",
			c.value);
	else
		fprintf(w->f, " bool on = %#" PRIx32 "u >> (v%u & %" PRIu32 ") & 1;", set & ANY, row,
			bits_that_matter(set, possible));
}

void text_guard(struct text_writer *w, const struct threaded_op *op)
{
	text_test(w, op->guard_set, possible_of(&w->rows, op->guard), text_row_of(&w->rows, op->guard));
}

/* ---- checks of floats ---- */

static bool reads(const struct threaded_op *op, const struct native_meaning *m, intptr_t row)
{
	bool found = false;

	for (unsigned i = 0; i < m->sources; i++)
		found |= op->src[i].mask && (intptr_t)op->src[i].offset == row;
	return found;
}

bool text_writes(const struct threaded_op *op, const struct native_meaning *m, intptr_t row)
{
	if (m->kind != NATIVE_WORDS)
		return m->row == row;
	return (!op->sinks && (intptr_t)op->dst == row) || (m->flags && (intptr_t)op->flags == row);
}

/* A sum or product is odd if it is no number, and so is all that is made of it: does an operation behind check the
 * result as well, in all lanes? */
static bool is_checked_later(const struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m)
{
	intptr_t row = (intptr_t)op->dst;

	if (!m->floats || native_cuts_product(m) || op->sinks)
		return false;
	for (const struct threaded_op *next = op + 1; next < w->behind; next++) {
		struct native_meaning n = w->machine->meaning(w->code, next);
		if (n.kind != NATIVE_WORDS && n.kind != NATIVE_LOAD && n.kind != NATIVE_LOAD_ALIKE)
			return false;
		if (n.floats && !next->guard && reads(next, &n, row))
			return true;
		if (text_writes(next, &n, row))
			return false;
	}
	return false;
}

/* What the lane must not be: odd, or with a product too small to be cut. */
static void write_checks(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m, bool some)
{
	if (is_checked_later(w, op, m))
		return;
	fputs(some ? " odd += on ? rare : 0;" : " odd += rare;", w->f);
	if (native_cuts_product(m))
		fputs(some ? " least = on && low < least ? low : least;" : " least = low < least ? low : least;", w->f);
}

/* A guarded operation's choice, and what is counted of the choice. */
static void write_guard(struct text_writer *w, const struct threaded_op *op)
{
	unsigned guard = w->guards++;

	text_guard(w, op);
	if (!w->ends && (!w->counters || w->counters->guard[guard].of == guard))
		fprintf(w->f, " g%u += on ? 0 : active;", guard);
}

void text_call(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m)
{
	fprintf(w->f, "\t\t\t{ uint32_t cc = 0, rare = 0, low = ~0u, v = lane_%s(", m->name);
	for (unsigned i = 0; i < 3; i++) {
		if (i < m->sources)
			write_source(w, op, i);
		fputs(i < m->sources ? ", " : "0, ", w->f);
	}
	for (unsigned i = 0; i < 3; i++)
		fprintf(w->f, "%#" PRIx32 "u, ", op->flip[i]);
	fprintf(w->f, "%#" PRIx32 "u, &cc, &rare, &low);", op->arg);
}

/* Choices by a condition become blends by a mask. */
static void write_result(struct text_writer *w, intptr_t row, const char *value, bool guarded)
{
	unsigned v = text_row_of(&w->rows, row);

	if (guarded)
		fprintf(w->f, " v%u = on ? %s : v%u;", v, value, v);
	else
		fprintf(w->f, " v%u = %s;", v, value);
}

void text_results(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m, bool guarded)
{
	if (!op->sinks)
		write_result(w, (intptr_t)op->dst, "v", guarded);
	if (m->flags)
		write_result(w, (intptr_t)op->flags, "cc", guarded);
}

void text_words(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m)
{
	text_call(w, op, m);
	if (op->guard)
		write_guard(w, op);
	text_results(w, op, m, op->guard);
	if (!w->ends)
		write_checks(w, op, m, op->guard);
	fputs(" }\n", w->f);
}

void text_masked(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m, bool all)
{
	text_call(w, op, m);
	if (op->guard) {
		text_guard(w, op);
		fprintf(w->f, " off[%u].lane[l] = on ? 0 : active;", w->guards++);
	}
	if (!all)
		fputs(op->guard ? " on = on & (active != 0);" : " bool on = active != 0;", w->f);
	text_results(w, op, m, !all || op->guard);
	write_checks(w, op, m, !all || op->guard);
	fputs(" }\n", w->f);
}

/* ---- counts of guards ---- */

/* A guard whose flags are the flags of a guard before, with none written in between. */
static bool same_lanes(const struct threaded_op *a, const struct threaded_op *b, bool *rest)
{
	*rest = (a->guard_set ^ b->guard_set ^ 0xffff) % 0x10000 == 0;
	return a->guard == b->guard && (*rest || (a->guard_set ^ b->guard_set) % 0x10000 == 0);
}

void text_count_guard(struct text_counters *c, const struct threaded_op *op, const struct native_meaning *m)
{
	if (m->kind != NATIVE_WORDS)
		return;
	if (op->guard) {
		unsigned i = 0;
		bool rest = false;
		while (i < c->n && !(c->guard[i].op && same_lanes(c->guard[i].op, op, &rest)))
			i++;
		c->guard[c->n] = (struct text_count){ .op = op, .of = i < c->n ? c->guard[i].of : c->n };
		c->guard[c->n].rest = i < c->n && rest != c->guard[i].rest;
		c->n++;
	}
	for (unsigned i = 0; i < c->n; i++)
		if (c->guard[i].op && text_writes(op, m, c->guard[i].op->guard))
			c->guard[i].op = NULL;
}
