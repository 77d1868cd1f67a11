/* Textures: tex, tld4 and txq become the machine's texture instructions, which name their texture by a number.
 *
 * Variables of .tex and .texref have the first numbers, in their order; each is a variable of .global with a handle,
 * and an instruction names the variable, or has the variable's address in a register. A handle (a texture object of
 * later tools) is a value that a parameter of the kernel brings: each such parameter has a number behind the
 * variables', in the order of the parameters. The lowering notes the handle beside the instruction, and number_textures
 * looks, when all copies are gone, which variable or parameter the handle is.
 *
 * A handle that the kernel loads or computes is known to the lanes alone. Each of the numbers that are left then stands
 * for a texture that the host knows as loaded: variables of .global, HANDLE_VARIABLE and a number from 0, have the
 * handles of these, and the word behind a description (HANDLE_SLOT) has the variable's number. The instruction becomes
 * one for each number, under the guard that the lane's description has the number; lanes of no number come to a texture
 * that is never bound, and fault. */
#include "core/compile/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLERS = 16 };          /* of a program; texture N goes with sampler N */

/* The shapes of textures: coordinates, whether the number of a layer stands before them in PTX, directions. */
static const struct shape {
	const char *name;
	uint8_t coords;
	bool layered, cube;
} shapes[] = {
	{ "1d", 1, false, false }, { "2d", 2, false, false }, { "3d", 3, false, false }, { "a1d", 1, true, false },
	{ "a2d", 2, true, false }, { "cube", 3, false, true }, { "acube", 3, true, true },
};

static const struct shape *shape_of(const struct words *w)
{
	for (unsigned i = 0; i < w->nother; i++)
		for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
			if (!strcmp(w->other[i], shapes[k].name))
				return &shapes[k];
	return NULL;
}

static bool has_other(const struct words *w, const char *word)
{
	for (unsigned i = 0; i < w->nother; i++)
		if (!strcmp(w->other[i], word))
			return true;
	return false;
}

/* A texture instruction over the words of `in`, in whose registers the result comes. */
static struct ir_insn *texture(struct lowering *l, const struct words *w, const struct ptx_operand *which,
			     const char *word, const struct source *in, unsigned n)
{
	struct ir *f = l->f;
	struct ir_insn *p = ir_insn_new(f, IR_PACK);
	bool is_handle = which->kind == OPERAND_REG;
	struct source handle = is_handle ? get_of(l, w->n, which, PTX_B32) : (struct source){ 0 };

	if (!is_handle && (which->kind != OPERAND_VAR || which->var->space != SPACE_TEX))
		lower_fail(l, w->n, "%s: expected a texture: a variable of .tex or .texref, or a handle", w->op);
	p->args = ptx_new(l->m, 4 * sizeof *p->args);
	p->nsrc = 4;
	p->coords = (uint8_t)n;
	memcpy(p->args, in, n * sizeof *in);
	p->dst = ir_value(f, CLASS_RUN4);
	p->dst->def = p;
	ir_append(f, f->current, p);
	struct ir_insn *i = ir_insn(f, IR_TEX);
	i->word = word;
	i->coords = (uint8_t)n;
	i->offset = is_handle ? 0 : which->var->offset;
	i->src[0] = handle;
	i->nsrc = is_handle;
	i->is_volatile = is_handle;      /* a read without a use counts among the handles, too */
	i->old = of(p->dst);
	i->guard = l->guard;
	i->dst = ir_value(f, CLASS_RUN4);
	i->dst->def = i;
	return i;
}

/* The components of the texel; all memory is resident. */
static void put_texel(struct lowering *l, const struct words *w, const struct ir_insn *i)
{
	for (unsigned k = 0; k < 4; k++)
		put_of(l, w->n, &w->n->operand[0].item[k], PTX_B32, word_of(i->dst, k));
	if (w->n->dual)
		put_pred(l, w->n->dual, ir_set(l->f, IR_SET, COND_E, PTX_U32, number(0), number(0)));
}

/* Operands of a statement: texture and coordinates, two operands or one in brackets, and `more` behind. */
struct place {
	const struct shape *shape;
	const struct ptx_operand *texture, *coordinates, *more;
};

static struct place place_of(struct lowering *l, const struct words *w, unsigned more)
{
	const struct ptx_operand *o = w->n->operand;
	bool in_list = o[1].kind == OPERAND_ADDRESS;
	struct place p = { shape_of(w), &o[1], &o[2], &o[3] };

	if (in_list && o[1].nitems == 3)
		lower_never(l, w->n, NULL, "samplers go with their textures");
	if (in_list && o[1].nitems == 2)
		p = (struct place){ p.shape, &o[1].item[0], &o[1].item[1], &o[2] };
	unsigned used = (in_list ? 2 : 3) + more;
	if (w->n->noperands < used || (in_list && o[1].nitems != 2) || o[0].kind != OPERAND_VECTOR || o[0].nitems != 4)
		lower_fail(l, w->n, "`%s`: expected four registers, a texture, coordinates%s", spelled(l, w->n),
			   more == 2 ? " and two gradients" : more ? " and a level" : "");
	if (w->n->noperands > used)
		lower_never(l, w->n, NULL, "offsets and comparisons of texels are the program's, behind the access");
	return p;
}

/* Item `k` of a vector of at least `n` items, or a scalar. */
static const struct ptx_operand *item_of(struct lowering *l, const struct words *w, const struct ptx_operand *o,
					 unsigned k, unsigned n)
{
	if (n > 1 && (o->kind != OPERAND_VECTOR || o->nitems < n))
		lower_fail(l, w->n, "%s: expected %u coordinates in braces", w->op, n);
	return o->kind == OPERAND_VECTOR ? &o->item[k] : o;
}

/* Coordinates and layer, in the machine's order. Returns their number. */
static unsigned coordinates(struct lowering *l, const struct words *w, const struct place *p, struct source in[4])
{
	const struct shape *s = p->shape;
	unsigned n = 0, words = s->coords + s->layered;

	for (unsigned k = 0; k < s->coords; k++)
		in[n++] = get_of(l, w->n, item_of(l, w, p->coordinates, k + s->layered, words), w->type[1]);
	if (s->layered)
		in[n++] = get_of(l, w->n, item_of(l, w, p->coordinates, 0, words), PTX_U32);
	return n;
}

/* The level where the longer of two gradients is a texel long: the binary logarithm of the length in texels of level 0
 * (OpenGL 4.6, 8.14.1). */
static struct source level_of(struct lowering *l, const struct words *w, const struct place *p)
{
	struct ir *f = l->f;
	struct source base = number(0), longer = { 0 };
	struct value *size = texture(l, w, p->texture, "texsize", &base, 1)->dst;

	for (unsigned d = 0; d < 2; d++) {
		struct source length = { 0 };
		for (unsigned k = 0; k < p->shape->coords; k++) {
			const struct ptx_operand *o = item_of(l, w, &p->more[d], k, p->shape->coords);
			struct source texels = ir_cvt(f, PTX_F32, PTX_U32, ROUND_RN, word_of(size, k));
			texels = TYPED(f, FMUL, PTX_F32, texels, get_of(l, w->n, o, PTX_F32));
			struct source square = TYPED(f, FMUL, PTX_F32, texels, texels);
			length = k ? TYPED(f, FADD, PTX_F32, length, square) : square;
		}
		longer = d ? TYPED(f, FMAX, PTX_F32, longer, length) : length;
	}
	return TYPED(f, FMUL, PTX_F32, TYPED(f, LG2, PTX_F32, longer), number(0x3f000000)); /* 0.5: of squares */
}

/* tex.SHAPE.v4.TYPE.TYPE {results}, [texture, {coordinates}], and a level for .level, two gradients for .grad. The
 * machine takes coordinates, layer and level in this order. */
static void lower_tex(struct lowering *l, const struct words *w)
{
	bool by_gradients = has_other(w, "grad"), has_level = has_other(w, "level") || by_gradients;
	bool of_floats = w->type[1] == PTX_F32;
	struct place p = place_of(l, w, by_gradients ? 2 : has_level);
	bool cube = p.shape->cube;
	struct source in[4];
	unsigned n = coordinates(l, w, &p, in);

	if (has_level && n == 4)
		lower_never(l, w->n, NULL, "an instruction has four words, and no more for a level");
	if (cube && !of_floats)
		lower_never(l, w->n, NULL, "directions into a cube are fractions");
	if (has_level)
		in[n++] = by_gradients ? level_of(l, w, &p) : get_of(l, w->n, p.more, w->type[1]);
	const char *word = cube ? (has_level ? "texlod cube" : "texauto cube")
			   : !of_floats ? "texfetch" : has_level ? "texlod" : "texauto";
	put_texel(l, w, texture(l, w, p.texture, word, in, n));
}

/* tld4.COMPONENT.SHAPE.v4.TYPE.f32: a component of the four texels of a linear filter. */
static void lower_tld4(struct lowering *l, const struct words *w)
{
	static const char *const components[] = { "r", "g", "b", "a" };
	struct place p = place_of(l, w, 0);
	struct source in[4];
	unsigned n = coordinates(l, w, &p, in), component = 0;

	for (unsigned k = 0; k < 4; k++)
		component = has_other(w, components[k]) ? k : component;
	if (component >= l->f->target.gathers && l->f->target.gathers)
		lower_fail(l, w->n, "%s: found a chip that gathers the first component alone, expected .r, or "
			   "--chip v100", spelled(l, w->n));
	if (component >= l->f->target.gathers)
		lower_fail(l, w->n, "%s: found a chip without gathers, expected --chip v100%s", spelled(l, w->n),
			   component ? "" : " or gt215");
	struct ir_insn *i = texture(l, w, p.texture, p.shape->cube ? "texgather cube" : "texgather", in, n);
	i->number = (uint8_t)component;
	put_texel(l, w, i);
}

/* A word of the description behind a handle: struct wb_texture, include/warpbeam.h. */
static struct source described(struct lowering *l, const struct words *w, const struct ptx_operand *handle, uint32_t at)
{
	if (handle->kind != OPERAND_REG)
		lower_never(l, w->n, NULL, "of a variable its width, height, depth and levels are known");
	return global_word(l, get_of(l, w->n, handle, PTX_B32), at);
}

/* The sizes of a level, the number of levels; layers and the kind of coordinates by a handle alone. */
static void lower_txq(struct lowering *l, const struct words *w)
{
	static const struct { const char *word; unsigned component; } rows[] = {
		{ "width", 0 }, { "height", 1 }, { "depth", 2 }, { "num_mipmap_levels", 3 },
	};
	static const struct { const char *word; uint32_t at; } words[] = {
		{ "array_size", 20 }, { "normalized_coords", 64 },
	};
	const struct ptx_operand *o = &w->n->operand[1];
	struct source level = has_other(w, "level") ? get(l, w, 2, PTX_U32) : number(0);

	if (o->nitems != 1)
		lower_fail(l, w->n, "txq: expected a texture in brackets");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (has_other(w, words[i].word)) {
			put(l, w, 0, PTX_B32, described(l, w, &o->item[0], words[i].at));
			return;
		}
	struct value *v = texture(l, w, &o->item[0], "texsize", &level, 1)->dst;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (has_other(w, rows[i].word))
			put(l, w, 0, PTX_B32, word_of(v, rows[i].component));
}

const struct lower_row lower_textures[] = { { "tex", lower_tex }, { "tld4", lower_tld4 }, { "txq", lower_txq }, { 0 } };

/* ---- handles ---- */

static int by_offset(const void *a, const void *b)
{
	const struct compile_texture *x = a, *y = b;

	if (x->in_variable != y->in_variable)
		return x->in_variable ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The place of c14[] with the address that the handle is; false: the handle is something else. */
static bool is_address(const struct ir_insn *def, uint32_t *place)
{
	bool is = def->op == IR_LD && def->space == SPACE_CONST && def->bank == 14 && def->src[0].kind == SOURCE_NUMBER;

	*place = is ? def->offset + def->src[0].bits : 0;
	return is;
}

/* Where the handle of a texture instruction is: in the instruction's own variable, in the variable whose address the
 * handle is, or among the parameters. False: the kernel loads or computes the handle. */
static bool handle_of(const struct ir *f, const struct ir_insn *i, struct compile_texture *t)
{
	const struct ir_insn *def = i->nsrc && i->src[0].kind == SOURCE_VALUE ? i->src[0].value->def : NULL;
	uint32_t variables = f->m->nglobals, place;

	if (!i->nsrc)
		*t = (struct compile_texture){ f->func->name, i->offset, 4 * (variables + i->offset), true };
	else if (def && is_address(def, &place) && place / 4 >= variables && place / 4 - variables < f->m->ntextures)
		*t = (struct compile_texture){ f->func->name, place / 4 - variables, place, true };
	else if (def && def->op == IR_LDPARAM && def->offset >= PARAM_BASE && ptx_bytes((enum ptx_type)def->type) == 4)
		*t = (struct compile_texture){ f->func->name, 0, def->offset - PARAM_BASE, false };
	else
		return false;
	return true;
}

static void add_handle(struct ir *f, struct compile_texture t)
{
	*(struct compile_texture *)ptx_push(f->m, &f->lowering.textures, &f->lowering.ntextures, sizeof t) = t;
}

/* All handles of the kernel, each once: variables in their order, then parameters in theirs. Returns the first number
 * behind these. */
static uint32_t collect(struct ir *f)
{
	for (size_t k = 0; k < f->nblocks; k++)
		for (struct ir_insn *i = f->blocks[k]->head; i; i = i->next) {
			if (i->op != IR_TEX)
				continue;
			struct compile_texture t;
			bool known = !handle_of(f, i, &t);
			for (size_t j = 0; j < f->lowering.ntextures && !known; j++)
				known = !by_offset(&f->lowering.textures[j], &t);
			if (!known)
				add_handle(f, t);
		}
	if (f->lowering.ntextures)
		qsort(f->lowering.textures, f->lowering.ntextures, sizeof *f->lowering.textures, by_offset);
	uint32_t next = (uint32_t)f->m->ntextures;
	for (size_t j = 0; j < f->lowering.ntextures; j++)
		if (!f->lowering.textures[j].in_variable)
			f->lowering.textures[j].number = next++;
	return next;
}

/* ---- loaded handles ---- */

/* The slot in the description of the lane's handle; all ones in lanes without the guard. */
static struct source slot_of(struct ir *f, const struct ir_insn *i)
{
	struct source slot = OP(f, ADD, i->src[0], number(HANDLE_SLOT));
	struct ir_insn *load = ir_insn(f, IR_LD);

	load->space = SPACE_GLOBAL;
	load->type = PTX_B32;
	load->src[0] = slot;
	load->nsrc = 1;
	load->guard = i->guard;
	load->dst = ir_value(f, CLASS_WORD);
	load->dst->def = load;
	slot = OP(f, AND, of(load->dst), number(INT32_MAX));
	return i->guard.kind ? OP(f, OR, slot, OP(f, XOR, ir_mask_of(f, i->guard), number(~0u))) : slot;
}

/* A copy of the instruction for one number, before it. */
static struct source read_slot(struct ir *f, const struct ir_insn *i, uint32_t texture, struct source guard,
			       struct source old)
{
	struct ir_insn *t = ir_insn(f, IR_TEX);

	t->word = i->word;
	t->coords = i->coords;
	t->number = i->number;
	t->offset = texture;
	t->guard = guard;
	t->old = old;
	t->dst = ir_value(f, CLASS_RUN4);
	t->dst->def = t;
	return of(t->dst);
}

/* The instruction itself comes last, for lanes whose slot has no number. */
static void read_loaded(struct ir *f, struct ir_insn *i, uint32_t first)
{
	uint32_t slots = SAMPLERS - 1 - first;
	struct source slot, rest;

	f->before = i;
	f->current = i->block;
	f->line = i->line;
	f->file = i->file;
	f->source_line = i->source_line;
	slot = slot_of(f, i);
	for (uint32_t k = 0; k < slots; k++)
		i->old = read_slot(f, i, first + k, ir_set(f, IR_SET, COND_E, PTX_U32, slot, number(k)), i->old);
	rest = OP(f, SUB, slot, number(slots));
	i->guard = ir_set(f, IR_SET, COND_L, PTX_U32, rest, number((1u << 31) - slots));
	i->offset = SAMPLERS - 1;
	f->before = NULL;
}

/* The numbers from `first` on stand for the variables of loaded textures, the last one for none. */
static void add_loaded(struct ir *f, uint32_t first)
{
	uint32_t variables = f->m->nglobals + (uint32_t)f->m->ntextures;

	for (uint32_t k = 0; first + k < SAMPLERS - 1; k++)
		add_handle(f, (struct compile_texture){ f->func->name, first + k, 4 * (variables + k), true });
	f->m->loads_textures = true;
}

void number_textures(struct ir *f)
{
	bool by_handles = false, loaded = false;
	uint32_t first = collect(f);

	for (size_t k = 0; k < f->nblocks; k++)
		for (struct ir_insn *i = f->blocks[k]->head; i; i = i->next) {
			if (i->op != IR_TEX)
				continue;
			struct compile_texture t;
			size_t j = 0;
			by_handles |= i->nsrc;
			if (handle_of(f, i, &t)) {
				while (by_offset(&f->lowering.textures[j], &t))
					j++;
				i->offset = f->lowering.textures[j].number;
			} else if (first < SAMPLERS - 1) {
				loaded = true;
				read_loaded(f, i, first);
			} else {
				i->offset = first;
			}
			i->nsrc = 0;
			i->is_volatile = false;
			if (i->offset >= SAMPLERS)
				ptx_fail(f->m, (int)i->line, 1, "found %u textures, and %d is the most, since each has "
					 "a sampler", i->offset + 1, SAMPLERS);
		}
	if (loaded)
		add_loaded(f, first);
	if (by_handles)
		drop_dead(f);
}
