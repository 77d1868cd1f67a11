/* Warp primitives: shuffles, ballots, votes, matches, reductions. A chip with primitives (ir.lanes) has an instruction
 * for each. Others have votes with one answer (sm_12), and nothing more: lanes of a warp exchange words through s[].
 *
 * Each thread of a block has a word in s[] (compile.c: layout; begin_exchange). The word is 0 except while a primitive
 * runs: a lane that takes no part counts as 0, no bit of a ballot and nothing of a sum; an H100 shuffles 0 from such a
 * lane as well. A primitive writes the words, reads words of other lanes, and writes 0 again; lanes run in lockstep, so
 * no barrier is needed. IR_MEET stands before: lanes that part come together there.
 *
 * A chip with primitives waits for the lanes of the mask of a .sync statement (warpsync), unless no lanes can be apart
 * there (structure.c: drop_waits).
 *
 * Masks count lane by lane: lanes with different masks in one instruction are groups, as on a chip with convergence
 * barriers. Of a mask's lanes those count that are there. */
#include "core/compile/lower.h"

#include <string.h>

enum { LANES = 32, WORD = 4, WARP_BYTES = LANES * WORD };

static bool is_word(const struct ptx_insn *n, const char *word)
{
	for (unsigned i = 0; i < n->nwords; i++)
		if (!strcmp(n->word[i], word))
			return true;
	return false;
}

/* The mask of lanes, operand `k` of a .sync instruction, is known to be all lanes. */
static bool whole_warp(const struct ptx_insn *n, unsigned k)
{
	const struct ptx_operand *o = k < n->noperands ? &n->operand[k] : NULL;

	if (!o || o->kind == OPERAND_INT)
		return !o || (uint32_t)o->bits == ~0u;
	return o->kind == OPERAND_REG && o->reg->fixed && (uint32_t)o->reg->bits == ~0u;
}

/* A vote that the machine has: one answer, of all lanes that are there. */
static bool native_vote(unsigned sm, const struct ptx_insn *n)
{
	return sm >= 12 && !is_word(n, "ballot") && whole_warp(n, 2);
}

bool gathers_lanes(const struct ptx_insn *n)
{
	static const char *const ops[] = { "shfl", "vote", "match", "redux", "activemask", "elect" };

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (!strcmp(n->word[0], ops[i]))
			return true;
	return false;
}

bool exchanges_words(const struct ir *f, const struct ptx_insn *n)
{
	return !f->target.lanes && gathers_lanes(n) && (strcmp(n->word[0], "vote") || !native_vote(f->target.sm, n));
}

/* ---- the words of lanes ---- */

static struct ir_insn *exchange(struct ir *f, enum ir_op op, struct source address, uint32_t more, enum ptx_type t)
{
	struct ir_insn *i = ir_insn(f, op);

	i->space = SPACE_SHARED;
	i->type = t;
	i->nsrc = 1;
	i->src[0] = address;
	i->offset = f->layout.exchange + more;
	return i;
}

static void write_lane(struct ir *f, struct source address, enum ptx_type t, struct source s)
{
	struct ir_insn *i = exchange(f, IR_ST, address, 0, t);

	i->nsrc = 2;
	i->src[1] = s;
}

static struct source read_lane(struct ir *f, struct source address, uint32_t more)
{
	struct ir_insn *i = exchange(f, IR_LD, address, more, PTX_B32);

	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	return of(i->dst);
}

static struct source warp_of(struct ir *f) { return OP(f, AND, f->lowering.lane_word, number(-(uint32_t)WARP_BYTES)); }

static struct source lane_bytes(struct ir *f) { return OP(f, AND, f->lowering.lane_word, number(WARP_BYTES - WORD)); }

/* A product of sizes of a block. */
static struct source sizes(struct ir *f, struct source a, struct source b) { return TYPED(f, MUL24, PTX_U32, a, b); }

/* The thread's number in its block. */
static struct source thread_number(struct ir *f, struct source tid, const struct source size[3])
{
	struct source x = ir_cvt(f, PTX_U32, PTX_U16, ROUND_NONE, tid);
	struct source y = OP(f, AND, OP(f, SHR, tid, number(16)), number(0x3ff)), z = OP(f, SHR, tid, number(26));

	if (f->func->block[0] && f->func->block[1] == 1 && f->func->block[2] == 1)
		return x;
	return OP(f, ADD, sizes(f, OP(f, ADD, sizes(f, z, size[1]), y), size[0]), x);
}

/* Words of a last warp's missing lanes are 0, too: the lanes that are there write several words. */
static void clear_words(struct ir *f, struct source thread, const struct source size[3])
{
	uint32_t var = 4 * (uint32_t)f->nvars++;
	struct ir_block *again = ir_block(f), *done = ir_block(f);
	struct source all = sizes(f, sizes(f, size[0], size[1]), size[2]);
	struct source behind = OP(f, SUB, all, OP(f, AND, thread, number(-(uint32_t)LANES)));
	struct source step = OP(f, SHL, TYPED(f, MIN, PTX_U32, behind, number(LANES)), number(2));
	struct source end = OP(f, ADD, warp_of(f), number(WARP_BYTES));

	ir_write(f, f->current, var, f->lowering.lane_word);
	ir_jump(f, again);
	ir_begin_block(f, again);
	struct source word = ir_read(f, again, var);
	write_lane(f, word, PTX_B32, number(0));
	struct source next = OP(f, ADD, word, step);
	ir_write(f, again, var, next);
	ir_end_block(f, ir_set(f, IR_SET, COND_L, PTX_U32, next, end), again, done);
	ir_seal(f, again);
	done->sealed = true;
	ir_begin_block(f, done);
}

void begin_exchange(struct ir *f, struct source tid, const struct source size[3])
{
	uint32_t known = f->func->block[0] * f->func->block[1] * f->func->block[2];
	struct source thread = thread_number(f, tid, size);

	f->lowering.lane_word = OP(f, SHL, thread, number(2));
	if (known && known % LANES == 0)
		write_lane(f, f->lowering.lane_word, PTX_B32, number(0));
	else
		clear_words(f, thread, size);
}

/* ---- primitives ---- */

static const struct source none;        /* no lanes are awaited */

static void meet(struct ir *f) { ir_insn(f, IR_MEET); }

/* An instruction waits for the lanes of a mask. The mask of a reduction is an operand already. */
static void wait_for(struct ir_insn *i, struct source awaited)
{
	i->waits = awaited.kind;
	if (awaited.kind && i->op != IR_REDUX)
		i->src[i->nsrc++] = awaited;
}

/* An instruction of a chip with primitives, with its result. */
static struct ir_insn *primitive(struct ir *f, enum ir_op op, const char *word, unsigned nsrc, const struct source *src,
				 struct source awaited)
{
	struct ir_insn *i;

	meet(f);
	i = ir_insn(f, op);
	i->word = word;
	i->type = PTX_B32;
	i->nsrc = nsrc;
	memcpy(i->src, src, nsrc * sizeof *src);
	wait_for(i, awaited);
	i->dst = ir_value(f, CLASS_WORD);
	i->dst->def = i;
	return i;
}

/* A predicate as the guard of a question: (never) is written as the guard of a constant. */
static struct source question(struct source p)
{
	ir_resolve(&p);
	return p.kind == SOURCE_NUMBER && (p.bits != 0) != p.not ? (struct source){ 0 } : p;
}

static struct source native_ballot(struct ir *f, struct source p, struct source awaited)
{
	struct ir_insn *i = primitive(f, IR_BALLOT, NULL, 0, &p, awaited);

	i->guard = question(p);
	return of(i->dst);
}

/* The word `s` of the lane with the place `from`; 0 of a lane that takes no part. */
static struct source shuffled(struct ir *f, struct source s, struct source from)
{
	meet(f);
	write_lane(f, f->lowering.lane_word, PTX_B32, s);
	struct source word = read_lane(f, from, 0);
	write_lane(f, f->lowering.lane_word, PTX_B32, number(0));
	return word;
}

/* A bit for each lane: 1 of lanes with p. Lane n writes a bit to byte n / 8 of word n % 8, at place n % 8; the eight
 * words together are the mask. */
static struct source ballot(struct ir *f, struct source p, struct source awaited)
{
	if (f->target.lanes)
		return native_ballot(f, p, awaited);
	struct source warp = warp_of(f), n = OP(f, AND, OP(f, SHR, f->lowering.lane_word, number(2)), number(7));
	struct source bit = OP(f, SHL, number(1), n);
	struct source byte = OP(f, OR, OP(f, AND, f->lowering.lane_word, number(-(uint32_t)WARP_BYTES | 7 * WORD)),
				OP(f, AND, OP(f, SHR, f->lowering.lane_word, number(5)), number(3)));

	ir_resolve(&p);
	if (p.kind == SOURCE_NUMBER)
		bit = (p.bits != 0) != p.not ? bit : number(0);
	else
		bit = OP(f, AND, ir_mask_of(f, p), bit);
	meet(f);
	write_lane(f, byte, PTX_U8, bit);
	struct source mask = read_lane(f, warp, 0);
	for (unsigned k = 1; k < 8; k++)
		mask = OP(f, OR, mask, read_lane(f, warp, k * WORD));
	write_lane(f, byte, PTX_U8, number(0));
	return mask;
}

/* Operand `k`, the mask of a .sync instruction; all lanes where the instruction has none. */
static struct source mask_of_lanes(struct lowering *l, const struct words *w, unsigned k)
{
	return whole_warp(w->n, k) ? number(~0u) : get(l, w, k, PTX_B32);
}

/* A primitive of a chip with primitives waits for the lanes of its mask, operand `k`; without .sync for none. */
static struct source awaited(struct lowering *l, const struct words *w, unsigned k)
{
	return l->f->target.lanes && is_word(w->n, "sync") ? mask_of_lanes(l, w, k) : none;
}

static struct source lanes_there(struct lowering *l, const struct words *w, unsigned k)
{
	return OP(l->f, AND, ballot(l->f, number(1), awaited(l, w, k)), mask_of_lanes(l, w, k));
}

void meet_lanes(struct lowering *l, const struct words *w)
{
	meet(l->f);
	if (!l->f->target.lanes)
		return;
	struct source mask = mask_of_lanes(l, w, 0);
	struct ir_insn *i = ir_insn(l->f, IR_WARPSYNC);
	i->nsrc = 1;
	i->src[0] = mask;
}

static struct source is_zero(struct ir *f, struct source s)
{
	return ir_set(f, IR_SET, COND_E, PTX_U32, s, number(0));
}

static const char *kind_of(const struct words *w) { return w->nother ? w->other[0] : ""; }

static void native_shfl(struct lowering *l, const struct words *w, const char *kind, const struct source src[3])
{
	struct ir_insn *i = primitive(l->f, IR_SHFL, kind, 3, src, awaited(l, w, 4));

	if (w->n->dual) {
		i->flags = ir_value(l->f, CLASS_PRED);
		i->flags->def = i;
		put_pred(l, w->n->dual, of(i->flags));
	}
	put(l, w, 0, PTX_B32, of(i->dst));
}

/* shfl d|p, a, b, c: in bytes of lanes' words, four a lane. c has the last lane of a segment and, from bit 8 on, the
 * bits that make segments. */
static void lower_shfl(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	const char *kind = kind_of(w);
	struct source a = get(l, w, 1, PTX_B32), b = get(l, w, 2, PTX_U32), c = get(l, w, 3, PTX_U32);
	if (f->target.lanes) {
		native_shfl(l, w, kind, (struct source[]){ a, b, c });
		return;
	}
	struct source lane = lane_bytes(f), fields = number(WARP_BYTES - WORD);
	struct source by = OP(f, AND, OP(f, SHL, b, number(2)), fields);
	struct source bits = OP(f, AND, OP(f, SHR, c, number(6)), fields), others = OP(f, NOTB, bits);
	struct source first = OP(f, AND, lane, bits);
	struct source last = OP(f, OR, first, OP(f, AND, OP(f, AND, OP(f, SHL, c, number(2)), fields), others));
	bool up = !strcmp(kind, "up");
	struct source from = up			     ? OP(f, SUB, lane, by)
			     : !strcmp(kind, "down") ? OP(f, ADD, lane, by)
			     : !strcmp(kind, "bfly") ? OP(f, XOR, lane, by)
						     : OP(f, OR, first, OP(f, AND, by, others));

	ir_resolve(&last);
	bool always = last.kind == SOURCE_NUMBER && last.bits == WARP_BYTES - WORD && (*kind == 'b' || *kind == 'i');
	struct source inside = always ? number(1)
				      : ir_set(f, IR_SET, up ? COND_GE : COND_LE, PTX_S32, from, last);
	struct source at = always && *kind == 'b' ? OP(f, XOR, f->lowering.lane_word, by) : OP(f, OR, warp_of(f), from);
	struct source word = shuffled(f, a, always ? at : ir_select(f, inside, at, f->lowering.lane_word));
	if (w->n->dual)
		put_pred(l, w->n->dual, inside);
	put(l, w, 0, PTX_B32, word);
}

static struct source vote(struct lowering *l, const char *word, struct source p, struct source lanes)
{
	struct ir_insn *i = ir_insn(l->f, IR_VOTE);

	i->word = word;
	wait_for(i, lanes);
	i->guard = question(p);
	i->flags = ir_value(l->f, CLASS_PRED);
	i->flags->def = i;
	return of(i->flags);
}

/* An answer of the lanes of a mask: by votes of the machine for all lanes, else by ballots. */
static struct source answer(struct lowering *l, const struct words *w, bool all, struct source p)
{
	if (native_vote(l->f->target.sm, w->n))
		return vote(l, all ? "all" : "any", p, awaited(l, w, 2));
	struct source lanes = ballot(l->f, all ? opposite(p) : p, awaited(l, w, 2));
	struct source nobody = is_zero(l->f, OP(l->f, AND, lanes, mask_of_lanes(l, w, 2)));
	return all ? nobody : opposite(nobody);
}

static void lower_vote(struct lowering *l, const struct words *w)
{
	const char *kind = w->mods & MOD_UNI ? "uni" : kind_of(w);
	struct source p = get_pred(l, w, 1);

	if (!strcmp(kind, "ballot")) {
		put(l, w, 0, PTX_B32, OP(l->f, AND, ballot(l->f, p, awaited(l, w, 2)), mask_of_lanes(l, w, 2)));
	} else if (!strcmp(kind, "uni")) {
		struct source any = ir_mask_of(l->f, answer(l, w, false, p));
		struct source all = ir_mask_of(l->f, answer(l, w, true, p));
		put_pred(l, &w->n->operand[0], ir_set(l->f, IR_SET, COND_E, PTX_U32, any, all));
	} else {
		put_pred(l, &w->n->operand[0], answer(l, w, !strcmp(kind, "all"), p));
	}
}

static void lower_activemask(struct lowering *l, const struct words *w)
{
	put(l, w, 0, PTX_B32, ballot(l->f, number(1), none));
}

/* The lowest lane of a mask that is not empty, in bytes of lanes' words. */
static struct source lowest_lane(struct ir *f, struct source mask)
{
	struct source lowest = OP(f, AND, mask, OP(f, SUB, number(0), mask));

	return OP(f, SHL, OP(f, SUB, number(31), leading_zeros(f, lowest)), number(2));
}

static void lower_elect(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	struct source lowest = lowest_lane(f, lanes_there(l, w, 1));
	struct source lane = f->target.lanes ? OP(f, SHL, lane_number(l), number(2)) : lane_bytes(f);

	if (w->n->dual)
		put_pred(l, w->n->dual, ir_set(f, IR_SET, COND_E, PTX_U32, lowest, lane));
	put(l, w, 0, PTX_B32, OP(f, SHR, lowest, number(2)));
}

/* Lanes with the same word, a bit each; lanes that take no part look like lanes with 0. */
static struct source lanes_with(struct ir *f, struct source s, struct source awaited)
{
	if (f->target.lanes)
		return of(primitive(f, IR_MATCH, NULL, 1, &s, awaited)->dst);
	struct source warp = warp_of(f), mask = number(0);
	meet(f);
	write_lane(f, f->lowering.lane_word, PTX_B32, s);
	for (unsigned k = 0; k < LANES; k++) {
		struct source same = ir_setw(f, IR_SET, COND_E, PTX_U32, read_lane(f, warp, k * WORD), s);
		mask = OP(f, OR, mask, OP(f, AND, same, number(1u << k)));
	}
	write_lane(f, f->lowering.lane_word, PTX_B32, number(0));
	return mask;
}

/* The outcome of match.all: all lanes, or none. */
static void put_if_all(struct lowering *l, const struct words *w, struct source all, struct source there)
{
	if (w->n->dual)
		put_pred(l, w->n->dual, all);
	put(l, w, 0, PTX_B32, ir_select(l->f, all, there, number(0)));
}

static void lower_match(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	bool two = ptx_bytes(w->type[0]) == 8;
	struct wide a = get_wide(l, w, 1, w->type[0]);
	bool any = !strcmp(kind_of(w), "any");
	struct source lanes = awaited(l, w, 2);
	struct source there = f->target.lanes && any ? mask_of_lanes(l, w, 2) : lanes_there(l, w, 2);

	if (f->target.lanes || any) {
		struct source same = OP(f, AND, lanes_with(f, a.lo, lanes), there);
		same = two ? OP(f, AND, same, lanes_with(f, a.hi, lanes)) : same;
		if (any)
			put(l, w, 0, PTX_B32, same);
		else
			put_if_all(l, w, ir_set(f, IR_SET, COND_E, PTX_U32, same, there), there);
		return;
	}
	struct source lowest = OP(f, OR, warp_of(f), lowest_lane(f, there));
	struct source differs = OP(f, XOR, a.lo, shuffled(f, a.lo, lowest));
	if (two)
		differs = OP(f, OR, differs, OP(f, XOR, a.hi, shuffled(f, a.hi, lowest)));
	struct source others = OP(f, AND, ballot(f, opposite(is_zero(f, differs)), none), there);
	put_if_all(l, w, is_zero(f, others), there);
}

/* A reduction as a sum of words with some bits turned over, where 0 has no effect. */
struct reduction {
	const char *op;
	enum ptx_type type;
	enum ir_op sum;
	uint32_t turned;
	const char *native;     /* the words of the instruction, on a chip with primitives */
};

static const struct reduction *reduction_of(struct lowering *l, const struct words *w)
{
	static const struct reduction rows[] = {
		{ "add", PTX_U32, IR_ADD, 0, "add" },
		{ "add", PTX_S32, IR_ADD, 0, "add" },
		{ "max", PTX_U32, IR_MAX, 0, "max u32" },
		{ "min", PTX_U32, IR_MAX, ~0u, "min u32" },
		{ "max", PTX_S32, IR_MAX, 1u << 31, "max s32" },
		{ "min", PTX_S32, IR_MAX, ~0u >> 1, "min s32" },
		{ "or", PTX_B32, IR_OR, 0, "or" },
		{ "and", PTX_B32, IR_OR, ~0u, "and" },
		{ "xor", PTX_B32, IR_XOR, 0, "xor" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(kind_of(w), rows[i].op) && w->type[0] == rows[i].type)
			return &rows[i];
	lower_fail(l, w->n, "found `%s`, expected an operation of redux", spelled(l, w->n));
}

struct source lead_word(struct lowering *l, struct source word)
{
	struct source lanes[2] = { lane_number(l), number(~0u) };
	struct source lead = of(primitive(l->f, IR_REDUX, "min u32", 2, lanes, none)->dst);

	return of(primitive(l->f, IR_SHFL, "idx", 3, (struct source[]){ word, lead, number(0x1f) }, none)->dst);
}

/* The word where bit k of the mask is set, else 0. */
static struct source masked(struct ir *f, struct source word, struct source mask, unsigned k)
{
	if (mask.kind == SOURCE_NUMBER && mask.bits == ~0u)
		return word;
	return OP(f, AND, word, OP(f, SAR, OP(f, SHL, mask, number(31 - k)), number(31)));
}

static void lower_redux(struct lowering *l, const struct words *w)
{
	struct ir *f = l->f;
	const struct reduction *r = reduction_of(l, w);
	if (f->target.lanes) {
		struct source src[2] = { get(l, w, 1, PTX_B32), mask_of_lanes(l, w, 2) };
		put(l, w, 0, PTX_B32, of(primitive(f, IR_REDUX, r->native, 2, src, awaited(l, w, 2))->dst));
		return;
	}
	struct source warp = warp_of(f), turned = number(r->turned), sum = number(0);
	struct source s = OP(f, XOR, get(l, w, 1, PTX_B32), turned), mask = mask_of_lanes(l, w, 2);

	meet(f);
	write_lane(f, f->lowering.lane_word, PTX_B32, s);
	for (unsigned k = 0; k < LANES; k++) {
		struct source word = masked(f, read_lane(f, warp, k * WORD), mask, k);
		sum = k ? ir_typed(f, r->sum, PTX_U32, 2, (struct source[]){ word, sum }) : word;
	}
	write_lane(f, f->lowering.lane_word, PTX_B32, number(0));
	put(l, w, 0, PTX_B32, OP(f, XOR, sum, turned));
}

const struct lower_row lower_warp[] = { { "shfl", lower_shfl },
					{ "vote", lower_vote },
					{ "activemask", lower_activemask },
					{ "elect", lower_elect },
					{ "match", lower_match },
					{ "redux", lower_redux },
					{ 0 } };
