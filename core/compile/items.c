/* The list of a kernel's native instructions, each with its line. A mark of join goes on the next instruction with a
 * field for marks, else on a nop before. */
#include <string.h>

#include "core/compile/emit.h"
#include "core/isa/encode.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/tesla.h"

struct isa_target native_target(const char *chip)
{
	static const struct isa_ops tesla = { .name = "tesla", .table = &tesla_table };
	struct isa_target t = { .isa = &tesla, .mode = MODE_CP };

	isa_name_find(tesla_table.chips, chip, strlen(chip), &t.features);
	return t;
}

unsigned native_capability(const struct isa_target *t)
{
	return 10 + (unsigned)__builtin_popcount(t->features & (FEAT_SM11 | FEAT_SM12 | FEAT_FP64));
}

bool native_lanes(const struct isa_target *t)
{
	return t->features & FEAT_LANES;
}

unsigned native_gathers(const struct isa_target *t)
{
	return t->features & FEAT_LANES ? 4 : t->features & FEAT_D3D10_1 ? 1 : 0;
}

struct insn native_insn(unsigned exec)
{
	return isa_insn(&tesla_table, isa_row_with(&tesla_table, exec));
}

static void append(struct emitter *e, const struct insn *in, bool wide)
{
	if (e->nitems == e->item_space) {
		size_t space = e->item_space ? 2 * e->item_space : 256;
		struct isa_item *more = ptx_new(e->m, space * sizeof *more);
		if (e->nitems)
			memcpy(more, e->items, e->nitems * sizeof *more);
		e->items = more;
		e->item_space = space;
	}
	e->items[e->nitems++] = (struct isa_item){ .in = *in, .wide = wide };
	struct compile_line *l = ptx_push(e->m, &e->lines, &e->nlines, sizeof *l);
	*l = (struct compile_line){ e->line, e->file, e->source_line };
}

/* (never) nop: a place for marks. */
static struct insn never(void)
{
	struct insn in = native_insn(TESLA_EXEC_nop);

	in.pred = PRED_NEVER;
	return in;
}

void emit_nop(struct emitter *e, unsigned manner, unsigned marks)
{
	struct insn in = never();

	in.marks = (uint8_t)marks;
	emit_insn(e, manner, &in);
}

void emit_insn(struct emitter *e, unsigned manner, const struct insn *in)
{
	struct insn marked = *in;
	bool carries = manner & CARRIES, join = e->join;

	if (join && !carries) {
		join = false;
		struct insn place = never();
		place.marks = MARK_JOIN;
		append(e, &place, false);
	}
	if (join)
		marked.marks = MARK_JOIN;
	e->join = false;
	append(e, &marked, manner & WIDE);
	e->exit_carrier = carries && !join ? e->nitems : 0;
}
