/* Surfaces: suld, sust and sured by a handle, which is the address in g[] of the surface's description. The machine has
 * no surfaces; an access looks up the description, compares the coordinates with the sizes, and is one of g[].
 *
 * The description has six words: the address of the first byte, the bytes from row to row, those from slice to slice
 * (or from layer to layer), the bytes of a row that count, the number of rows, the number of slices or layers. */
#include "core/compile/lower.h"

#include <string.h>

enum { DATA, ROW_BYTES, SLICE_BYTES, WIDTH, HEIGHT, DEPTH };

struct surface {
	struct source handle;
	struct source coord[3];  /* byte of the row, row, slice or layer */
	bool has[3];
	unsigned bytes;          /* of the access */
};

static bool has_other(const struct words *w, const char *word)
{
	for (unsigned i = 0; i < w->nother; i++)
		if (!strcmp(w->other[i], word))
			return true;
	return false;
}

/* A register, or a variable of .surfref, which is the description itself. */
static bool is_handle(const struct ptx_operand *o)
{
	return o->kind == OPERAND_REG || (o->kind == OPERAND_VAR && o->var->space == SPACE_GLOBAL);
}

/* The coordinates in PTX's order: a layer stands before the others. */
static struct surface surface_of(struct lowering *l, const struct words *w, const struct ptx_operand *o)
{
	static const struct { const char *name; const char *order; } shapes[] = {
		{ "1d", "x" }, { "2d", "xy" }, { "3d", "xyz" }, { "a1d", "zx" }, { "a2d", "zxy" },
	};
	struct surface s = { .bytes = (w->vector ? w->vector : 1) * ptx_bytes(w->type[0]) };
	const char *order = "x";

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (has_other(w, shapes[i].name))
			order = shapes[i].order;
	if (s.bytes > 16)
		lower_never(l, w->n, NULL, "an access has at most 16 bytes");
	if (o->nitems != 2 || !is_handle(&o->item[0]))
		lower_fail(l, w->n, "%s: expected a handle and coordinates in brackets", w->op);
	const struct ptx_operand *place = &o->item[1];
	unsigned n = (unsigned)strlen(order);
	if (n > 1 && (place->kind != OPERAND_VECTOR || place->nitems < n))
		lower_fail(l, w->n, "%s: expected %u coordinates in braces", w->op, n);
	s.handle = get_of(l, w->n, &o->item[0], PTX_U32);
	for (unsigned k = 0; k < n; k++) {
		const struct ptx_operand *c = place->kind == OPERAND_VECTOR ? &place->item[k] : place;
		unsigned axis = (unsigned)(order[k] - 'x');
		s.coord[axis] = get_of(l, w->n, c, PTX_U32);
		s.has[axis] = true;
	}
	return s;
}

static struct source size_of(struct lowering *l, const struct surface *s, unsigned axis)
{
	return global_word(l, s->handle, 4 * (WIDTH + axis));
}

/* All coordinates are inside, unsigned: a negative one is not. Of several bytes the last is inside, too. */
static struct source is_inside(struct lowering *l, const struct surface *s)
{
	struct ir *f = l->f;
	struct source inside = { 0 };

	for (unsigned axis = 0; axis < 3; axis++) {
		if (!s->has[axis])
			continue;
		struct source n = size_of(l, s, axis), p = ir_set(f, IR_SET, COND_L, PTX_U32, s->coord[axis], n);
		inside = inside.kind ? pred_logic(l, IR_AND, inside, p) : p;
		if (axis || s->bytes == 1)
			continue;
		struct source last = OP(f, ADD, s->coord[0], number(s->bytes - 1));
		inside = pred_logic(l, IR_AND, inside, ir_set(f, IR_SET, COND_L, PTX_U32, last, n));
	}
	return inside;
}

static void clamp_coordinates(struct lowering *l, struct surface *s)
{
	struct ir *f = l->f;

	for (unsigned axis = 0; axis < 3; axis++) {
		if (!s->has[axis])
			continue;
		struct source last = OP(f, SUB, size_of(l, s, axis), number(axis ? 1 : s->bytes));
		struct source least = TYPED(f, MIN, PTX_S32, s->coord[axis], last);
		s->coord[axis] = TYPED(f, MAX, PTX_S32, least, number(0));
	}
}

/* Lanes of the guard that are outside end the launch. */
static void trap_outside(struct lowering *l, struct source inside)
{
	struct ir *f = l->f;
	struct ir_block *bad = ir_block(f), *next = ir_block(f);
	struct source outside = opposite(inside);

	if (l->guard.kind)
		outside = pred_logic(l, IR_AND, outside, l->guard);
	ir_end_block(f, outside, bad, next);
	ir_seal(f, bad);
	ir_begin_block(f, bad);
	ir_insn(f, IR_TRAP);
	ir_jump(f, next);
	ir_seal(f, next);
	ir_begin_block(f, next);
}

static struct source address_of(struct lowering *l, const struct surface *s)
{
	struct ir *f = l->f;
	struct source a = OP(f, ADD, global_word(l, s->handle, 4 * DATA), s->coord[0]);

	for (unsigned axis = 1; axis < 3; axis++)
		if (s->has[axis]) {
			struct source step = global_word(l, s->handle, 4 * (ROW_BYTES + axis - 1));
			a = OP(f, ADD, a, OP(f, IMUL, s->coord[axis], step));
		}
	return a;
}

static void lower_surface(struct lowering *l, const struct words *w)
{
	bool loads = w->op[2] == 'l';
	const struct ptx_operand *o = w->n->operand;
	struct surface s = surface_of(l, w, &o[loads]);
	struct source guard = l->guard;

	if (has_other(w, "clamp") || w->mods & MOD_CLAMP) {
		clamp_coordinates(l, &s);
	} else {
		struct source inside = is_inside(l, &s);
		if (has_other(w, "trap")) {
			trap_outside(l, inside);
		} else {
			const struct ptx_operand *to = w->vector ? o[0].item : &o[0];
			for (unsigned k = 0; loads && k < (w->vector ? w->vector : 1); k++)
				put_wide_of(l, w->n, &to[k], (struct wide){ number(0), number(0) });
			l->guard = guard.kind ? pred_logic(l, IR_AND, guard, inside) : inside;
		}
	}
	if (w->op[2] == 'r')
		global_reduce(l, w, w->other[1], address_of(l, &s));
	else
		(loads ? global_load : global_store)(l, w, address_of(l, &s));
	l->guard = guard;
}

const struct lower_row lower_surfaces[] = { { "suld", lower_surface }, { "sust", lower_surface },
					    { "sured", lower_surface }, { 0 } };
