/* A native loop as C (core/isa/native.h). A turn is a single loop over lanes: in each lane the turn's instructions one
 * after the other, on words of the warp's rows as local variables, made into vectors by the compiler.
 *
 *	for (turns) {
 *		for (lanes) {
 *			words of the carried rows, from `now`
 *			v = lane_NAME(…): an operation; under a guard a choice by bits, not by a branch
 *			odd += a way out taken, or not taken by the branch back
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

#include "native/words.h"

static void see_all(struct text_rows *r, const struct native_machine *machine, const struct threaded_code *code,
		    const struct native_loop *n)
{
	for (const struct threaded_op *op = n->head; op <= n->branch; op++) {
		struct native_meaning m = machine->meaning(code, op);
		text_see(r, op, &m);
	}
}

/* Rows twice: which flags are possible decides which bits of flags are read. */
static struct text_rows rows_of(const struct native_machine *machine, const struct threaded_code *code,
				const struct native_loop *n)
{
	struct text_rows r = { .n = 0 };

	see_all(&r, machine, code, n);
	r.assumes = true;
	for (unsigned i = 0; i < r.n; i++)
		r.row[i] = (struct text_row){ .offset = r.row[i].offset, .possible = r.row[i].possible };
	see_all(&r, machine, code, n);
	return r;
}

/* ---- finding ---- */

/* Take an entry into the loop. False: the loop stays threaded code. */
static bool take(struct native_loop *n, const struct threaded_op *op, const struct native_meaning *m)
{
	switch (m->kind) {
	case NATIVE_WORDS:
		if (op->guard && n->nguards == NATIVE_GUARDS)
			return false;
		if (op->guard)
			n->guard_pc[n->nguards++] = op->pc;
		return text_take_constants(&n->constants, op, m);
	case NATIVE_PASSES:
		if (n->npasses == NATIVE_GUARDS)
			return false;
		n->splits &= m->leaves;
		n->pass[n->npasses++] = op;
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

	*n = (struct native_loop){ .head = op, .branch = branch, .splits = true };
	/* a chain ends at a link, and no loop has a link */
	for (;; op++) {
		m = machine->meaning(code, op);
		if (!take(n, op, &m))
			return false;
		if (op == branch)
			break;
	}
	n->splits &= n->npasses > 0;
	return !rows_of(machine, code, n).full;
}

/* ---- writing ---- */

struct writer {
	struct text_writer text;        /* first: the lines of entries */
	const struct native_loop *loop;
	struct text_counters counters;
	unsigned handed;                /* rows handed from turn to turn: carried, and counts; at least 1 */
	bool direct;                    /* lanes may leave a turn before its words are in the registers */
};

static struct text_counters counters_of(const struct native_machine *machine, const struct threaded_code *code,
					const struct native_loop *n)
{
	struct text_counters c = { .n = 0 };

	for (const struct threaded_op *op = n->head; op <= n->branch; op++) {
		struct native_meaning m = machine->meaning(code, op);
		text_count_guard(&c, op, &m);
	}
	return c;
}

static void write_entry(struct writer *w, const struct threaded_op *op)
{
	struct native_meaning m = w->text.machine->meaning(w->text.code, op);

	if (m.kind == NATIVE_WORDS)
		text_words(&w->text, op, &m);
	if ((m.kind == NATIVE_PASSES || m.kind == NATIVE_TURNS) && op->guard && !w->text.ends) {
		fputs("\t\t\t{", w->text.f);
		text_guard(&w->text, op);
		fputs(m.kind == NATIVE_TURNS ? " odd += !on; }\n" : " odd += on; }\n", w->text.f);
	}
}

/* Is a row handed from turn to turn? Rows that the loop only reads stay in the registers. */
static bool is_carried(const struct text_row *r)
{
	return r->written && r->carried;
}

/* The words of a lane's rows, before the turn. */
static void write_loads(struct writer *w)
{
	unsigned place = 0;

	fputs("\t\t\tuint32_t active = lanes.lane[l];\n", w->text.f);
	for (unsigned i = 0; i < w->text.rows.n; i++) {
		const struct text_row *r = &w->text.rows.row[i];
		if (is_carried(r))
			fprintf(w->text.f, "\t\t\tuint32_t v%u = %s[%u].lane[l];\n", i,
				w->text.ends ? "before" : "now", place++);
		else if (r->written)
			fprintf(w->text.f, "\t\t\tuint32_t v%u;\n", i);
		else
			fprintf(w->text.f, "\t\t\tuint32_t v%u = NATIVE_ROW(reg, %" PRIdPTR ")->lane[l];\n", i,
				r->offset);
	}
	for (unsigned i = 0; i < w->loop->nguards && !w->text.ends; i++)
		if (w->counters.guard[i].of == i)
			fprintf(w->text.f, "\t\t\tuint32_t g%u = now[%u].lane[l];\n", i, place++);
}

/* What a turn leaves to the next. */
static void write_stores(struct writer *w)
{
	unsigned place = 0;

	for (unsigned i = 0; i < w->text.rows.n; i++)
		if (is_carried(&w->text.rows.row[i]))
			fprintf(w->text.f, "\t\t\tnext[%u].lane[l] = v%u & %#" PRIx32 "u;\n", place++, i,
				w->text.rows.row[i].bits);
	for (unsigned i = 0; i < w->loop->nguards; i++)
		if (w->counters.guard[i].of == i)
			fprintf(w->text.f, "\t\t\tnext[%u].lane[l] = g%u;\n", place++, i);
}

static void write_results(struct writer *w)
{
	for (unsigned i = 0; i < w->text.rows.n; i++)
		if (w->text.rows.row[i].written)
			fprintf(w->text.f, "\t\t\tnative_put(NATIVE_ROW(reg, %" PRIdPTR "), l, v%u, active);\n",
				w->text.rows.row[i].offset, i);
}

static void write_entries(struct writer *w)
{
	for (const struct threaded_op *op = w->loop->head; op <= w->loop->branch; op++)
		write_entry(w, op);
}

static void write_turns(struct writer *w)
{
	fputs("\twhile (turns < most) {\n\t\tuint32_t unusual = 0;\n\t\tNATIVE_LANES(l) {\n"
	      "\t\t\tuint32_t odd = 0, least = ~0u;\n", w->text.f);
	write_loads(w);
	write_entries(w);
	write_stores(w);
	fputs("\t\t\tunusual |= (odd | native_small(least)) & active;\n\t\t}\n"
	      "\t\tif (unusual)\n\t\t\tbreak;\n\t\told = before;\n\t\tbefore = now;\n\t\tnow = next;\n"
	      "\t\tnext = old;\n\t\tturns++;\n\t\tlast = digest;\n"
	      "\t\tdigest = mix64(digest + summand);\n\t}\n", w->text.f);
}

static void write_last_turn(struct writer *w)
{
	w->text.ends = true;
	fputs("\tNATIVE_LANES(l) {\n", w->text.f);
	write_loads(w);
	write_entries(w);
	write_results(w);
	fputs("\t}\n", w->text.f);
}

static unsigned count_carried(const struct writer *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->text.rows.n; i++)
		n += is_carried(&w->text.rows.row[i]);
	return n;
}

/* No turn is made where a row begins with flags that no entry writes. */
static void write_assumptions(struct writer *w)
{
	FILE *f = w->text.f;
	unsigned place = 0;

	fputs("\tuint32_t strange = 0;\n\tNATIVE_LANES(l) {\n", f);
	for (unsigned i = 0; i < w->text.rows.n; i++) {
		const struct text_row *r = &w->text.rows.row[i];
		if (is_carried(r) && text_assumed(&w->text.rows, r)) {
			fprintf(f, "\t\t{ uint32_t v%u = now[%u].lane[l];", i, place);
			text_test(&w->text, r->possible, 0xffff, i);
			fputs(" strange |= on ? 0 : lanes.lane[l]; }\n", f);
		}
		place += is_carried(r);
	}
	fputs("\t}\n\tif (strange)\n\t\tmost = 0;\n", f);
}

/* A struct of no rows is none of the host's. */
static unsigned count_handed(const struct writer *w)
{
	unsigned n = count_carried(w);

	for (unsigned i = 0; i < w->counters.n; i++)
		n += w->counters.guard[i].of == i;
	return n ? n : 1;
}

static void write_constants(const struct writer *w)
{
	for (uint32_t i = 0; i < w->loop->constants.n; i++)
		fprintf(w->text.f, "\tuint32_t k%" PRIu32 " = c->constant[%" PRIu32 "];\n", i, i);
}

static void write_begin(struct writer *w, unsigned index)
{
	unsigned place = 0;

	fprintf(w->text.f, "void native_%u(struct native_call *c)\n{\n", index);
	fprintf(w->text.f, "\tstruct row lanes, state[3][%u], *old;\n", w->handed);
	fputs("\tstruct row *before = state[0], *now = state[1], *next = state[2];\n", w->text.f);
	fputs("\tuint64_t turns = 0, most = c->most, summand = c->summand, digest = c->digest, last = digest;\n"
	      "\tuint32_t bits = (uint32_t)c->active;\n\tchar *reg = c->reg;\n", w->text.f);
	write_constants(w);
	fputs("\tNATIVE_LANES(l)\n\t\tlanes.lane[l] = -(bits >> l & 1);\n", w->text.f);
	for (unsigned i = 0; i < w->text.rows.n; i++)
		if (is_carried(&w->text.rows.row[i]))
			fprintf(w->text.f, "\tnow[%u] = *NATIVE_ROW(reg, %" PRIdPTR ");\n", place++,
				w->text.rows.row[i].offset);
	for (; place < w->handed; place++)
		fprintf(w->text.f, "\tnow[%u] = (struct row){ 0 };\n", place);
	write_assumptions(w);
}

static void write_end(struct writer *w)
{
	unsigned place = count_carried(w);

	for (uint32_t i = 0; i < w->loop->nguards; i++) {
		const struct text_count *g = &w->counters.guard[i];
		if (g->of == i)
			fprintf(w->text.f, "\tc->off[%" PRIu32 "] = native_sum(&now[%u]);\n", i, place++);
		else
			fprintf(w->text.f, "\tc->off[%" PRIu32 "] = %sc->off[%u];\n", i,
				g->rest ? "turns * native_sum(&lanes) - " : "", g->of);
	}
	fputs("}\n", w->text.f);
}

/* ---- the turn in which lanes leave ----
 *
 * Lanes that leave make the rest of the turn like all others, and then get back what they had when they left:
 *
 *	for (lanes) {
 *		words of rows: handed in `before`, or from the registers, where the turn before has been written
 *		v = lane_NAME(…), up to a way out
 *		left = active where the way out is taken; words and checks are kept
 *		v = lane_NAME(…), and so on
 *		v = left ? as kept : v
 *		words of written rows, to `out`
 *	}
 *	if (odd in an active lane, or no lane stays) the turn is not made
 *	`out`, to the registers, in active lanes */

/* Lanes that leave a turn keep the words that the turn has not written yet: are these all handed? And is all that is
 * handed in full, as a turn in which lanes leave assumes nothing of flags? */
static bool hands_all(const struct writer *w)
{
	bool written[ROWS_MOST] = { false }, all = true;

	for (const struct threaded_op *op = w->loop->head; op <= w->loop->branch; op++) {
		struct native_meaning m = w->text.machine->meaning(w->text.code, op);
		if (m.kind == NATIVE_PASSES)
			break;
		for (unsigned i = 0; i < w->text.rows.n; i++)
			written[i] |= m.kind == NATIVE_WORDS && !op->guard &&
				      text_writes(op, &m, w->text.rows.row[i].offset);
	}
	for (unsigned i = 0; i < w->text.rows.n; i++) {
		const struct text_row *r = &w->text.rows.row[i];
		all &= !r->written || (r->carried ? r->bits == ~0u : written[i]);
	}
	return all;
}

/* The words of a lane's rows: in the registers, or handed. */
static void write_split_loads(struct writer *w)
{
	if (w->direct) {
		write_loads(w);
		return;
	}
	fputs("\t\t\tuint32_t active = lanes.lane[l];\n", w->text.f);
	for (unsigned i = 0; i < w->text.rows.n; i++)
		fprintf(w->text.f, "\t\t\tuint32_t v%u = NATIVE_ROW(reg, %" PRIdPTR ")->lane[l];\n", i,
			w->text.rows.row[i].offset);
}

/* A way out: what the lane has there, as e0_v0 … of way out 0. */
static void write_way_out(struct writer *w, unsigned way)
{
	FILE *f = w->text.f;

	fprintf(f, "\t\t\tuint32_t e%u_odd = odd, e%u_least = least;\n", way, way);
	for (unsigned i = 0; i < w->text.rows.n; i++)
		if (w->text.rows.row[i].written)
			fprintf(f, "\t\t\tuint32_t e%u_v%u = v%u;\n", way, i, i);
	fprintf(f, "\t\t\tactive &= ~left%u;\n", way);
}

static void write_split_entry(struct writer *w, const struct threaded_op *op, unsigned *ways)
{
	struct native_meaning m = w->text.machine->meaning(w->text.code, op);

	if (m.kind == NATIVE_WORDS)
		text_masked(&w->text, op, &m, true);
	if (m.kind == NATIVE_TURNS && op->guard) {
		fputs("\t\t\t{", w->text.f);
		text_guard(&w->text, op);
		fputs(" odd += on ? 0 : active & 1; }\n", w->text.f);
	}
	if (m.kind == NATIVE_PASSES) {
		fprintf(w->text.f, "\t\t\tuint32_t left%u;\n\t\t\t{", *ways);
		text_guard(&w->text, op);
		fprintf(w->text.f, " left%u = on ? active : 0; }\n", *ways);
		write_way_out(w, (*ways)++);
	}
}

/* Lanes that left get back what they had. */
static void write_left(struct writer *w, unsigned ways)
{
	FILE *f = w->text.f;

	for (unsigned k = 0; k < ways; k++) {
		fprintf(f, "\t\t\tleavers[%u].lane[l] = left%u;\n", k, k);
		fprintf(f, "\t\t\todd = left%u ? e%u_odd : odd;\n\t\t\tleast = left%u ? e%u_least : least;\n", k, k,
			k, k);
		for (unsigned i = 0; i < w->text.rows.n; i++)
			if (w->text.rows.row[i].written)
				fprintf(f, "\t\t\tv%u = left%u ? e%u_v%u : v%u;\n", i, k, k, i, i);
	}
}

static void write_split_lanes(struct writer *w)
{
	FILE *f = w->text.f;
	unsigned ways = 0;

	fputs("\tNATIVE_LANES(l) {\n\t\t\tuint32_t odd = 0, least = ~0u;\n", f);
	w->text.ends = true;
	w->text.rows.assumes = false;
	write_split_loads(w);
	for (const struct threaded_op *op = w->loop->head; op <= w->loop->branch; op++)
		write_split_entry(w, op, &ways);
	write_left(w, ways);
	for (unsigned i = 0; i < w->text.rows.n; i++)
		if (w->text.rows.row[i].written)
			fprintf(f, "\t\t\tout[%u].lane[l] = v%u;\n", i, i);
	fputs("\t\t\tunusual |= (odd | native_small(least)) & lanes.lane[l];\n\t\t\tstays |= active & 1;\n\t}\n", f);
}

static void write_split(struct writer *w, unsigned index)
{
	FILE *f = w->text.f;

	fprintf(f, "static __attribute__((noinline)) bool native_split_%u(struct native_call *c,\n"
		   "\tconst struct row *before, struct row lanes)\n{\n", index);
	fprintf(f, "\tstruct row leavers[%" PRIu32 "], off[%" PRIu32 "], out[%u];\n", w->loop->npasses,
		w->loop->nguards + 1, w->text.rows.n + 1);
	fputs("\tuint32_t unusual = 0, stays = 0;\n\tchar *reg = c->reg;\n", f);
	write_constants(w);
	write_split_lanes(w);
	fputs("\tif (unusual || !stays)\n\t\treturn false;\n\tNATIVE_LANES(l) {\n", f);
	for (unsigned i = 0; i < w->text.rows.n; i++)
		if (w->text.rows.row[i].written)
			fprintf(f, "\t\tnative_put(NATIVE_ROW(reg, %" PRIdPTR "), l, out[%u].lane[l], "
				   "lanes.lane[l]);\n", w->text.rows.row[i].offset, i);
	fputs("\t}\n", f);
	for (uint32_t i = 0; i < w->loop->npasses; i++)
		fprintf(f, "\tc->leavers[%" PRIu32 "] = native_bits(&leavers[%" PRIu32 "]);\n", i, i);
	for (uint32_t i = 0; i < w->loop->nguards; i++)
		fprintf(f, "\tc->left_off[%" PRIu32 "] = native_sum(&off[%" PRIu32 "]);\n", i, i);
	fputs("\treturn true;\n}\n", f);
	w->text.guards = 0;
	w->text.ends = false;
}

static void write_leave(struct writer *w, unsigned index)
{
	fprintf(w->text.f, "\tif (c->may_split && turns < c->most)\n\t\tc->split = native_split_%u(c, now, lanes);\n",
		index);
}

void native_write_loop(FILE *f, const struct native_machine *m, const struct threaded_code *code,
		       const struct native_loop *n, unsigned index)
{
	struct writer w = {
		.text = { .f = f, .machine = m, .code = code, .constants = &n->constants,
			  .rows = rows_of(m, code, n), .behind = n->branch + 1 },
		.loop = n, .counters = counters_of(m, code, n),
	};

	w.text.counters = &w.counters;
	w.handed = count_handed(&w);
	w.direct = n->splits && hands_all(&w);
	if (n->splits)
		write_split(&w, index);
	w.text.rows.assumes = true;
	write_begin(&w, index);
	write_turns(&w);
	fputs("\tc->turns = turns;\n\tc->digest = last;\n", f);
	if (w.direct)
		write_leave(&w, index);
	fputs("\tif (turns && !c->split) {\n", f);
	write_last_turn(&w);
	fputs("\t}\n", f);
	if (n->splits && !w.direct)
		write_leave(&w, index);
	write_end(&w);
}
