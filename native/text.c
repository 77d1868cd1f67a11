/* A native loop as C (core/isa/native.h). A turn is a single loop over lanes: in each lane the turn's instructions one
 * after the other, on words of the warp's rows as local variables, which compilers make into vectors.
 *
 *	for (turns) {
 *		for (lanes) {
 *			words of the rows, from `now`
 *			v = lane_NAME(…): an operation; under a guard a choice by bits, not by a branch
 *			odd |= a way out taken, or not taken by the branch back
 *			words of the rows, to `next`
 *		}
 *		if (odd in an active lane) the turn is not made
 *		now and next change places
 *	}
 *	rows written to the registers, in active lanes
 *
 * A row is named by its offset from the warp's registers; the rows of the loop are numbered, as v0, v1 … Behind the
 * rows that the loop writes are the counts of lanes that guards turn off, a row each. */
#include "native/text.h"

#include <inttypes.h>

enum { ROWS_MOST = 96, ENTRIES_MOST = 256 };

struct rows {
	intptr_t offset[ROWS_MOST];
	bool written[ROWS_MOST];
	unsigned n;
	bool full;                      /* rows are too many */
};

static unsigned row_of(struct rows *r, intptr_t offset)
{
	unsigned i = 0;

	while (i < r->n && r->offset[i] != offset)
		i++;
	if (i == ROWS_MOST)
		r->full = true;
	else if (i == r->n)
		r->offset[r->n++] = offset;
	return i < ROWS_MOST ? i : 0;
}

static void note_written(struct rows *r, intptr_t offset)
{
	r->written[row_of(r, offset)] = true;
}

static bool is_immediate(const struct threaded_op *op, unsigned source)
{
	return op->in->src[source].shape == OPND_IMM;
}

/* The rows of an entry. */
static void see_rows(struct rows *r, const struct threaded_op *op, const struct native_meaning *m)
{
	if (m->kind == NATIVE_UNKNOWN || m->kind == NATIVE_NOTHING)
		return;
	if (op->guard)
		row_of(r, op->guard);
	if (m->kind != NATIVE_WORDS)
		return;
	for (unsigned i = 0; i < m->sources; i++)
		if (op->src[i].mask)
			row_of(r, (intptr_t)op->src[i].offset);
	if (!op->sinks)
		note_written(r, (intptr_t)op->dst);
	if (m->flags)
		note_written(r, (intptr_t)op->flags);
}

static struct rows rows_of(const struct native_machine *machine, const struct threaded_code *code,
			   const struct native_loop *n)
{
	struct rows r = { .n = 0 };

	for (const struct threaded_op *op = n->head; op <= n->branch; op++) {
		struct native_meaning m = machine->meaning(code, op);
		see_rows(&r, op, &m);
	}
	return r;
}

/* ---- finding ---- */

/* The place of a word that all warps share among the loop's constants; NATIVE_CONSTANTS: too many. */
static uint32_t constant_of(const struct native_loop *n, uintptr_t place)
{
	uint32_t i = 0;

	while (i < n->nconstants && n->constant[i] != (const uint32_t *)place)
		i++;
	return i;
}

static bool take_constants(struct native_loop *n, const struct threaded_op *op, const struct native_meaning *m)
{
	for (unsigned i = 0; i < m->sources; i++) {
		uint32_t k = constant_of(n, op->src[i].offset);
		if (op->src[i].mask || is_immediate(op, i) || k < n->nconstants)
			continue;
		if (k == NATIVE_CONSTANTS)
			return false;
		n->constant[n->nconstants++] = (const uint32_t *)op->src[i].offset;
	}
	return true;
}

/* Take an entry into the loop. False: no native loop has such an entry there. */
static bool take(struct native_loop *n, const struct threaded_op *op, const struct native_meaning *m)
{
	switch (m->kind) {
	case NATIVE_WORDS:
		if (op->guard && n->nguards == NATIVE_GUARDS)
			return false;
		if (op->guard)
			n->guard_pc[n->nguards++] = op->pc;
		return take_constants(n, op, m);
	case NATIVE_PASSES:
		if (n->npasses == NATIVE_GUARDS)
			return false;
		n->pass_pc[n->npasses++] = op->pc;
		return true;
	case NATIVE_TURNS:
		return op == n->branch;
	case NATIVE_NOTHING:
		return true;
	default:
		return false;
	}
}

bool native_find(const struct native_machine *machine, const struct threaded_code *code,
		 const struct threaded_op *branch, struct native_loop *n)
{
	const struct threaded_op *op = branch->target;
	struct native_meaning m;

	*n = (struct native_loop){ .head = op, .branch = branch };
	/* a chain ends at a link, which is no entry of a loop */
	for (;; op++) {
		m = machine->meaning(code, op);
		if (!take(n, op, &m))
			return false;
		if (op == branch)
			break;
	}
	return !rows_of(machine, code, n).full;
}

/* ---- writing ---- */

struct writer {
	FILE *f;
	const struct native_machine *machine;
	const struct threaded_code *code;
	const struct native_loop *loop;
	struct rows rows;
	unsigned guards;                /* guards written up to now */
};

void native_write_machine(FILE *f, const struct native_machine *m)
{
	for (const char *const *line = m->text; *line; line++)
		fputs(*line, f);
}

static void write_source(struct writer *w, const struct threaded_op *op, unsigned i)
{
	if (op->src[i].mask)
		fprintf(w->f, "v%u", row_of(&w->rows, (intptr_t)op->src[i].offset));
	else if (is_immediate(op, i))
		fprintf(w->f, "%#" PRIx32 "u", (uint32_t)op->in->src[i].value);
	else
		fprintf(w->f, "k%" PRIu32, constant_of(w->loop, op->src[i].offset));
}

/* A row gets a value where `on`, all ones or zeros, says so. */
static void write_result(struct writer *w, intptr_t row, const char *value, bool guarded)
{
	unsigned v = row_of(&w->rows, row);

	if (guarded)
		fprintf(w->f, " v%u = (%s & on) | (v%u & ~on);", v, value, v);
	else
		fprintf(w->f, " v%u = %s;", v, value);
}

/* Does the guard let the lane through? */
static void write_guard(struct writer *w, const struct threaded_op *op)
{
	fprintf(w->f, " uint32_t on = -(%#" PRIx32 "u >> v%u & 1);", op->guard_set, row_of(&w->rows, op->guard));
}

static void write_words(struct writer *w, const struct threaded_op *op, const struct native_meaning *m)
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
		write_guard(w, op);
		fprintf(w->f, " g%u += active & ~on; rare &= on;", w->guards++);
	}
	if (!op->sinks)
		write_result(w, (intptr_t)op->dst, "v", guarded);
	if (m->flags)
		write_result(w, (intptr_t)op->flags, "cc", guarded);
	fputs(" odd |= rare; }\n", w->f);
}

static void write_entry(struct writer *w, const struct threaded_op *op)
{
	struct native_meaning m = w->machine->meaning(w->code, op);

	if (m.kind == NATIVE_WORDS)
		write_words(w, op, &m);
	if ((m.kind == NATIVE_PASSES || m.kind == NATIVE_TURNS) && op->guard) {
		fputs("\t\t\t{", w->f);
		write_guard(w, op);
		fprintf(w->f, " odd |= %son; }\n", m.kind == NATIVE_TURNS ? "~" : "");
	}
}

/* The rows that the loop writes, and the guards' counts: from `now` where a lane begins, to `next` where it ends. */
static void write_moves(struct writer *w, bool end)
{
	unsigned place = 0;

	for (unsigned i = 0; i < w->rows.n; i++) {
		if (!w->rows.written[i])
			continue;
		if (end)
			fprintf(w->f, "\t\t\tnext[%u].lane[l] = v%u;\n", place++, i);
		else
			fprintf(w->f, "\t\t\tuint32_t v%u = now[%u].lane[l];\n", i, place++);
	}
	for (unsigned i = 0; i < w->loop->nguards; i++) {
		if (end)
			fprintf(w->f, "\t\t\tnext[%u].lane[l] = g%u;\n", place++, i);
		else
			fprintf(w->f, "\t\t\tuint32_t g%u = now[%u].lane[l];\n", i, place++);
	}
}

static void write_turn(struct writer *w)
{
	fputs("\t\tNATIVE_LANES(l) {\n\t\t\tuint32_t active = lanes.lane[l], odd = 0;\n", w->f);
	for (unsigned i = 0; i < w->rows.n; i++)
		if (!w->rows.written[i])
			fprintf(w->f, "\t\t\tuint32_t v%u = NATIVE_ROW(reg, %" PRIdPTR ")->lane[l];\n", i,
				w->rows.offset[i]);
	write_moves(w, false);
	for (const struct threaded_op *op = w->loop->head; op <= w->loop->branch; op++)
		write_entry(w, op);
	write_moves(w, true);
	fputs("\t\t\tunusual |= odd & active;\n\t\t}\n", w->f);
}

static unsigned count_places(const struct writer *w)
{
	unsigned n = w->loop->nguards;

	for (unsigned i = 0; i < w->rows.n; i++)
		n += w->rows.written[i];
	return n;
}

static void write_begin(struct writer *w, unsigned index)
{
	unsigned n = count_places(w);

	fprintf(w->f, "void native_%u(struct native_call *c)\n{\n", index);
	fprintf(w->f, "\tstruct row lanes, state[2][%u], *now = state[0], *next = state[1], *before;\n", n ? n : 1);
	fputs("\tuint64_t turns = 0, most = c->most, summand = c->summand, digest = c->digest, last = digest;\n"
	      "\tuint32_t bits = (uint32_t)c->active;\n\tchar *reg = c->reg;\n", w->f);
	for (uint32_t i = 0; i < w->loop->nconstants; i++)
		fprintf(w->f, "\tuint32_t k%" PRIu32 " = c->constant[%" PRIu32 "];\n", i, i);
	fputs("\tNATIVE_LANES(l)\n\t\tlanes.lane[l] = -(bits >> l & 1);\n", w->f);
	for (unsigned i = 0, place = 0; i < w->rows.n; i++)
		if (w->rows.written[i])
			fprintf(w->f, "\tnow[%u] = *NATIVE_ROW(reg, %" PRIdPTR ");\n", place++, w->rows.offset[i]);
	for (uint32_t i = 0; i < w->loop->nguards; i++)
		fprintf(w->f, "\tnow[%" PRIu32 "] = (struct row){ 0 };\n", n - w->loop->nguards + i);
}

static void write_end(struct writer *w)
{
	unsigned place = 0;

	fputs("\tc->turns = turns;\n\tc->digest = last;\n\tif (!turns)\n\t\treturn;\n", w->f);
	for (unsigned i = 0; i < w->rows.n; i++)
		if (w->rows.written[i])
			fprintf(w->f, "\tnative_blend(NATIVE_ROW(reg, %" PRIdPTR "), &now[%u], &lanes);\n",
				w->rows.offset[i], place++);
	for (uint32_t i = 0; i < w->loop->nguards; i++)
		fprintf(w->f, "\tc->off[%" PRIu32 "] = native_sum(&now[%u]);\n", i, place++);
	fputs("}\n", w->f);
}

void native_write_loop(FILE *f, const struct native_machine *m, const struct threaded_code *code,
		       const struct native_loop *n, unsigned index)
{
	struct writer w = { .f = f, .machine = m, .code = code, .loop = n, .rows = rows_of(m, code, n) };

	write_begin(&w, index);
	fputs("\twhile (turns < most) {\n\t\tuint32_t unusual = 0;\n", f);
	write_turn(&w);
	fputs("\t\tif (unusual)\n\t\t\tbreak;\n\t\tbefore = now;\n\t\tnow = next;\n\t\tnext = before;\n"
	      "\t\tturns++;\n\t\tlast = digest;\n\t\tdigest = mix64(digest + summand);\n\t}\n", f);
	write_end(&w);
}
