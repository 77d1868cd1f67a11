/* A native loop as C (core/isa/native.h). A turn is a single loop over lanes: in each lane the turn's instructions one
 * after the other, on words of the warp's rows as local variables, made into vectors by the compiler.
 *
 *	for (turns) {
 *		for (lanes) {
 *			words of the carried rows, from `now`
 *			v = lane_NAME(…): an operation; under a guard a choice by bits, not by a branch
 *			odd |= a way out taken, or not taken by the branch back
 *			words of the carried rows, to `next`
 *		}
 *		if (odd in an active lane) the turn is not made
 *		before, now and next change places
 *	}
 *	the last turn once more, from `before`, with all results to the registers, in active lanes
 *
 * A row is named by its offset from the warp's registers; the rows of the loop are numbered, as v0, v1 … A turn leaves
 * to the next what the next or the last needs: rows that a turn reads before writing, and of flags that guards alone
 * read, the bits that matter to guards. So compilers leave out the rest. Behind the carried rows are the counts of
 * lanes that guards turn off, a row each. */
#include "native/text.h"

#include <inttypes.h>

enum { ROWS_MOST = 96, ENTRIES_MOST = 256 };

struct loop_row {
	intptr_t offset;
	bool written, carried;          /* by a turn; from turn to turn */
	uint32_t bits;                  /* bits that matter to later turns, of each lane's word */
};

struct rows {
	struct loop_row row[ROWS_MOST];
	unsigned n;
	bool full;                      /* rows are too many */
};

static unsigned row_of(struct rows *r, intptr_t offset)
{
	unsigned i = 0;

	while (i < r->n && r->row[i].offset != offset)
		i++;
	if (i == ROWS_MOST)
		r->full = true;
	else if (i == r->n)
		r->row[r->n++] = (struct loop_row){ .offset = offset };
	return i < ROWS_MOST ? i : 0;
}

/* A turn reads `bits` of a row's words. */
static void note_read(struct rows *r, intptr_t offset, uint32_t bits)
{
	struct loop_row *row = &r->row[row_of(r, offset)];

	row->carried |= !row->written;
	row->bits |= bits;
}

/* Under a guard some lanes keep the word of the turn before. */
static void note_written(struct rows *r, intptr_t offset, bool guarded)
{
	if (guarded)
		note_read(r, offset, ~0u);
	r->row[row_of(r, offset)].written = true;
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

/* The rows of an entry. */
static void see_rows(struct rows *r, const struct threaded_op *op, const struct native_meaning *m)
{
	if (m->kind == NATIVE_UNKNOWN || m->kind == NATIVE_NOTHING)
		return;
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

/* Take an entry into the loop. False: the loop stays threaded code. */
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
	/* a chain ends at a link, and no loop has a link */
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
	bool ends;                      /* the last turn is written, once more */
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

/* Does the guard let the lane through? Often a single bit decides. */
static void write_guard(struct writer *w, const struct threaded_op *op)
{
	uint32_t bits = bits_that_matter(op->guard_set);
	unsigned v = row_of(&w->rows, op->guard);

	if (bits && !(bits & (bits - 1)))
		fprintf(w->f, op->guard_set & 1 ? " uint32_t on = (v%u >> %d & 1) - 1;"
						: " uint32_t on = -(v%u >> %d & 1);", v, __builtin_ctz(bits));
	else
		fprintf(w->f, " uint32_t on = -(%#" PRIx32 "u >> (v%u & %" PRIu32 ") & 1);", op->guard_set, v, bits);
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
		if (!w->ends)
			fprintf(w->f, " g%u += active & ~on; rare &= on;", w->guards++);
	}
	if (!op->sinks)
		write_result(w, (intptr_t)op->dst, "v", guarded);
	if (m->flags)
		write_result(w, (intptr_t)op->flags, "cc", guarded);
	fputs(w->ends ? " }\n" : " odd |= rare; }\n", w->f);
}

static void write_entry(struct writer *w, const struct threaded_op *op)
{
	struct native_meaning m = w->machine->meaning(w->code, op);

	if (m.kind == NATIVE_WORDS)
		write_words(w, op, &m);
	if ((m.kind == NATIVE_PASSES || m.kind == NATIVE_TURNS) && op->guard && !w->ends) {
		fputs("\t\t\t{", w->f);
		write_guard(w, op);
		fprintf(w->f, " odd |= %son; }\n", m.kind == NATIVE_TURNS ? "~" : "");
	}
}

/* Is a row handed from turn to turn? Rows that the loop only reads stay in the registers. */
static bool is_carried(const struct loop_row *r)
{
	return r->written && r->carried;
}

/* The words of a lane's rows, before the turn. */
static void write_loads(struct writer *w)
{
	unsigned place = 0;

	fputs("\t\t\tuint32_t active = lanes.lane[l];\n", w->f);
	for (unsigned i = 0; i < w->rows.n; i++) {
		const struct loop_row *r = &w->rows.row[i];
		if (is_carried(r))
			fprintf(w->f, "\t\t\tuint32_t v%u = %s[%u].lane[l];\n", i, w->ends ? "before" : "now", place++);
		else if (r->written)
			fprintf(w->f, "\t\t\tuint32_t v%u;\n", i);
		else
			fprintf(w->f, "\t\t\tuint32_t v%u = NATIVE_ROW(reg, %" PRIdPTR ")->lane[l];\n", i, r->offset);
	}
	for (unsigned i = 0; i < w->loop->nguards && !w->ends; i++)
		fprintf(w->f, "\t\t\tuint32_t g%u = now[%u].lane[l];\n", i, place++);
}

/* What a turn leaves to the next. */
static void write_stores(struct writer *w)
{
	unsigned place = 0;

	for (unsigned i = 0; i < w->rows.n; i++)
		if (is_carried(&w->rows.row[i]))
			fprintf(w->f, "\t\t\tnext[%u].lane[l] = v%u & %#" PRIx32 "u;\n", place++, i,
				w->rows.row[i].bits);
	for (unsigned i = 0; i < w->loop->nguards; i++)
		fprintf(w->f, "\t\t\tnext[%u].lane[l] = g%u;\n", place++, i);
}

static void write_results(struct writer *w)
{
	for (unsigned i = 0; i < w->rows.n; i++)
		if (w->rows.row[i].written)
			fprintf(w->f, "\t\t\tnative_put(NATIVE_ROW(reg, %" PRIdPTR "), l, v%u, active);\n",
				w->rows.row[i].offset, i);
}

static void write_entries(struct writer *w)
{
	for (const struct threaded_op *op = w->loop->head; op <= w->loop->branch; op++)
		write_entry(w, op);
}

static void write_turns(struct writer *w)
{
	fputs("\twhile (turns < most) {\n\t\tuint32_t unusual = 0;\n\t\tNATIVE_LANES(l) {\n"
	      "\t\t\tuint32_t odd = 0;\n", w->f);
	write_loads(w);
	write_entries(w);
	write_stores(w);
	fputs("\t\t\tunusual |= odd & active;\n\t\t}\n\t\tif (unusual)\n\t\t\tbreak;\n\t\told = before;\n"
	      "\t\tbefore = now;\n\t\tnow = next;\n\t\tnext = old;\n\t\tturns++;\n\t\tlast = digest;\n"
	      "\t\tdigest = mix64(digest + summand);\n\t}\n", w->f);
}

static void write_last_turn(struct writer *w)
{
	w->ends = true;
	fputs("\tNATIVE_LANES(l) {\n", w->f);
	write_loads(w);
	write_entries(w);
	write_results(w);
	fputs("\t}\n", w->f);
}

static unsigned count_carried(const struct writer *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->rows.n; i++)
		n += is_carried(&w->rows.row[i]);
	return n;
}

static void write_begin(struct writer *w, unsigned index)
{
	unsigned carried = count_carried(w), n = carried + w->loop->nguards, place = 0;

	fprintf(w->f, "void native_%u(struct native_call *c)\n{\n", index);
	fprintf(w->f, "\tstruct row lanes, state[3][%u], *old;\n", n ? n : 1);
	fputs("\tstruct row *before = state[0], *now = state[1], *next = state[2];\n", w->f);
	fputs("\tuint64_t turns = 0, most = c->most, summand = c->summand, digest = c->digest, last = digest;\n"
	      "\tuint32_t bits = (uint32_t)c->active;\n\tchar *reg = c->reg;\n", w->f);
	for (uint32_t i = 0; i < w->loop->nconstants; i++)
		fprintf(w->f, "\tuint32_t k%" PRIu32 " = c->constant[%" PRIu32 "];\n", i, i);
	fputs("\tNATIVE_LANES(l)\n\t\tlanes.lane[l] = -(bits >> l & 1);\n", w->f);
	for (unsigned i = 0; i < w->rows.n; i++)
		if (is_carried(&w->rows.row[i]))
			fprintf(w->f, "\tnow[%u] = *NATIVE_ROW(reg, %" PRIdPTR ");\n", place++, w->rows.row[i].offset);
	for (; place < n; place++)
		fprintf(w->f, "\tnow[%u] = (struct row){ 0 };\n", place);
}

static void write_end(struct writer *w)
{
	unsigned place = count_carried(w);

	for (uint32_t i = 0; i < w->loop->nguards; i++)
		fprintf(w->f, "\tc->off[%" PRIu32 "] = native_sum(&now[%u]);\n", i, place + i);
	fputs("}\n", w->f);
}

void native_write_loop(FILE *f, const struct native_machine *m, const struct threaded_code *code,
		       const struct native_loop *n, unsigned index)
{
	struct writer w = { .f = f, .machine = m, .code = code, .loop = n, .rows = rows_of(m, code, n) };

	write_begin(&w, index);
	write_turns(&w);
	fputs("\tc->turns = turns;\n\tc->digest = last;\n\tif (!turns)\n\t\treturn;\n", f);
	write_last_turn(&w);
	write_end(&w);
}
