/* Operations of machines with scalar registers (native/lane.h). */
#include "native/lane.h"

#include <inttypes.h>

enum { WORD_BYTES = 4, PAIR_BYTES = 8 };

static bool is_row(const struct native_place *p)
{
	return p->where == NATIVE_IN_ROW || p->where == NATIVE_PASSING;
}

/* Bytes that are the same for all lanes, or have a bit of each. */
static intptr_t common_bytes(const struct native_place *p)
{
	return p->where == NATIVE_IN_WORD ? WORD_BYTES :
	       p->where == NATIVE_IN_PAIR || p->where == NATIVE_IN_BITS ? PAIR_BYTES : 0;
}

bool lane_fits(const struct lane_results *r, const struct native_meaning *m)
{
	if (m->kind != NATIVE_LANE)
		return true;
	for (unsigned i = 0; i < NATIVE_INPUTS; i++)
		for (unsigned k = 0; k < r->n; k++)
			if (m->in[i].offset < r->offset[k] + PAIR_BYTES &&
			    r->offset[k] < m->in[i].offset + common_bytes(&m->in[i]))
				return false;
	return r->n + NATIVE_RESULTS <= LANE_RESULTS;
}

void lane_note(struct lane_results *r, const struct native_meaning *m)
{
	for (unsigned i = 0; m->kind == NATIVE_LANE && i < NATIVE_RESULTS; i++)
		if (m->out[i].where == NATIVE_IN_BITS)
			r->offset[r->n++] = m->out[i].offset;
}

void lane_see(struct text_rows *r, const struct native_meaning *m)
{
	if (m->kind != NATIVE_LANE)
		return;
	for (unsigned i = 0; i < NATIVE_INPUTS; i++) {
		struct text_row *row = is_row(&m->in[i]) ? &r->row[text_row_of(r, m->in[i].offset)] : NULL;
		if (row)
			row->carried |= !row->written;
	}
	for (unsigned i = 0; i < NATIVE_RESULTS; i++) {
		struct text_row *row = is_row(&m->out[i]) ? &r->row[text_row_of(r, m->out[i].offset)] : NULL;
		if (row) {
			row->written = true;
			row->passing = m->out[i].where == NATIVE_PASSING;
		}
	}
}

void lane_write_before(FILE *f, uint32_t entry, const struct native_meaning *m)
{
	for (unsigned i = 0; i < NATIVE_INPUTS; i++) {
		const struct native_place *p = &m->in[i];
		if (p->where == NATIVE_IN_WORD)
			fprintf(f, "\tuint32_t w%" PRIu32 "_%u = NATIVE_WORD(reg, %" PRIdPTR ");\n", entry, i,
				p->offset);
		if (p->where == NATIVE_IN_BITS)
			fprintf(f, "\tstruct row i%" PRIu32 "_%u;\n\trow_of_mask(&i%" PRIu32 "_%u, NATIVE_PAIR(reg, "
				   "%" PRIdPTR "));\n", entry, i, entry, i, p->offset);
	}
	for (unsigned i = 0; i < NATIVE_RESULTS; i++)
		if (m->out[i].where == NATIVE_IN_BITS)
			fprintf(f, "\tstruct row o%" PRIu32 ";\n", entry);
}

static void write_input(struct text_writer *w, uint32_t entry, const struct native_meaning *m, unsigned i)
{
	const struct native_place *p = &m->in[i];

	switch (p->where) {
	case NATIVE_IN_ROW:
	case NATIVE_PASSING:
		fprintf(w->f, "v%u, ", text_row_of(&w->rows, p->offset));
		break;
	case NATIVE_IN_WORD:
		fprintf(w->f, "w%" PRIu32 "_%u, ", entry, i);
		break;
	case NATIVE_IN_BITS:
		fprintf(w->f, "i%" PRIu32 "_%u.lane[l], ", entry, i);
		break;
	default:
		fprintf(w->f, "%#" PRIx32 "u, ", (uint32_t)p->number);
	}
}

static void write_result(struct text_writer *w, uint32_t entry, const struct native_place *p, const char *value,
			 bool all)
{
	unsigned v;

	if (p->where == NATIVE_IN_BITS)
		fprintf(w->f, " o%" PRIu32 ".lane[l] = %s;", entry, value);
	if (!is_row(p))
		return;
	v = text_row_of(&w->rows, p->offset);
	if (all || w->rows.row[v].passing)
		fprintf(w->f, " v%u = %s;", v, value);
	else
		fprintf(w->f, " v%u = on ? %s : v%u;", v, value, v);
}

void lane_write(struct text_writer *w, uint32_t entry, const struct native_meaning *m, bool all)
{
	static const char *const value[NATIVE_RESULTS] = { "v", "r1", "r2" };

	fprintf(w->f, "\t\t\t{ uint32_t rare = 0, r1 = 0, r2 = 0, v = lane_%s(", m->name);
	for (unsigned i = 0; i < NATIVE_INPUTS; i++)
		write_input(w, entry, m, i);
	fprintf(w->f, "%#" PRIx32 "u, &r1, &r2, &rare);", m->number);
	if (!all)
		fputs(" bool on = active != 0;", w->f);
	for (unsigned i = 0; i < NATIVE_RESULTS; i++)
		write_result(w, entry, &m->out[i], value[i], all);
	if (m->floats)
		fputs(all ? " odd += rare;" : " odd += on ? rare : 0;", w->f);
	fputs(" }\n", w->f);
}

void lane_write_behind(FILE *f, uint32_t entry, const struct native_meaning *m)
{
	for (unsigned i = 0; i < NATIVE_RESULTS; i++)
		if (m->out[i].where == NATIVE_IN_BITS)
			fprintf(f, "\tNATIVE_PAIR(reg, %" PRIdPTR ") = mask_of_row(&o%" PRIu32 ") & active;\n",
				m->out[i].offset, entry);
}

void lane_write_scalar(FILE *f, const struct native_meaning *m)
{
	fprintf(f, "\tscalar_%s(reg, active, ", m->name);
	for (unsigned i = 0; i < 2; i++) {
		const struct native_place *p = &m->in[i];
		if (p->where == NATIVE_IN_WORD)
			fprintf(f, "NATIVE_WORD(reg, %" PRIdPTR "), ", p->offset);
		else if (p->where == NATIVE_IN_PAIR)
			fprintf(f, "NATIVE_PAIR(reg, %" PRIdPTR "), ", p->offset);
		else
			fprintf(f, "%#" PRIx64 "ull, ", p->number);
	}
	fprintf(f, "%" PRIdPTR ");\n", m->out[0].offset);
}
