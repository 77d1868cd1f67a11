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

/* The bits of flags that decide whether a set of flags has a lane's. */
static uint32_t bits_that_matter(uint32_t set)
{
	uint32_t bits = 0;

	for (uint32_t bit = 1; bit < 16; bit *= 2)
		for (uint32_t flags = 0; flags < 16; flags++)
			if ((set >> flags ^ set >> (flags ^ bit)) & 1)
				bits |= bit;
	return bits;
}

static bool is_immediate(const struct threaded_op *op, unsigned source)
{
	return op->in->src[source].shape == OPND_IMM;
}

void text_see(struct text_rows *r, const struct threaded_op *op, const struct native_meaning *m)
{
	if (m->kind == NATIVE_UNKNOWN || m->kind == NATIVE_NOTHING || m->kind == NATIVE_STORE)
		return;
	if (m->kind == NATIVE_LOAD || m->kind == NATIVE_LOAD_ALIKE) {
		note_written(r, m->row, false);
		return;
	}
	if (op->guard)
		note_read(r, op->guard, bits_that_matter(op->guard_set));
	if (m->kind != NATIVE_WORDS)
		return;
	for (unsigned i = 0; i < m->sources; i++)
		if (op->src[i].mask)
			note_read(r, (intptr_t)op->src[i].offset, ~0u);
	if (!op->sinks)
		note_written(r, (intptr_t)op->dst, op->guard);
	if (m->flags)
		note_written(r, (intptr_t)op->flags, op->guard);
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

/* A row gets a value where `on`, all ones or zeros, says so. */
static void write_result(struct text_writer *w, intptr_t row, const char *value, bool guarded)
{
	unsigned v = text_row_of(&w->rows, row);

	if (guarded)
		fprintf(w->f, " v%u = (%s & on) | (v%u & ~on);", v, value, v);
	else
		fprintf(w->f, " v%u = %s;", v, value);
}

/* Often a single bit decides. */
void text_guard(struct text_writer *w, const struct threaded_op *op)
{
	uint32_t bits = bits_that_matter(op->guard_set);
	unsigned v = text_row_of(&w->rows, op->guard);

	if (bits && !(bits & (bits - 1)))
		fprintf(w->f, op->guard_set & 1 ? " uint32_t on = (v%u >> %d & 1) - 1;"
						: " uint32_t on = -(v%u >> %d & 1);", v, __builtin_ctz(bits));
	else
		fprintf(w->f, " uint32_t on = -(%#" PRIx32 "u >> (v%u & %" PRIu32 ") & 1);", op->guard_set, v, bits);
}

void text_words(struct text_writer *w, const struct threaded_op *op, const struct native_meaning *m)
{
	bool guarded = op->guard != 0;

	fprintf(w->f, "\t\t\t{ uint32_t cc = 0, rare = 0, v = lane_%s(", m->name);
	for (unsigned i = 0; i < 3; i++) {
		if (i < m->sources)
			write_source(w, op, i);
		fputs(i < m->sources ? ", " : "0, ", w->f);
	}
	for (unsigned i = 0; i < 3; i++)
		fprintf(w->f, "%#" PRIx32 "u, ", op->flip[i]);
	fprintf(w->f, "%#" PRIx32 "u, &cc, &rare);", op->arg);
	if (guarded) {
		text_guard(w, op);
		if (!w->ends)
			fprintf(w->f, " g%u += active & ~on; rare &= on;", w->guards++);
	}
	if (!op->sinks)
		write_result(w, (intptr_t)op->dst, "v", guarded);
	if (m->flags)
		write_result(w, (intptr_t)op->flags, "cc", guarded);
	fputs(w->ends ? " }\n" : " odd |= rare; }\n", w->f);
}

