#include "core/isa/gcn/layout.h"

/* The row encoding of a layout's opcodes. */
static const uint8_t encoding_of[LAYOUT_COUNT] = {
	[LAYOUT_SOP1] = ENC_SOP1, [LAYOUT_SOPC] = ENC_SOPC, [LAYOUT_SOPP] = ENC_SOPP, [LAYOUT_SOPK] = ENC_SOPK,
	[LAYOUT_SOP2] = ENC_SOP2, [LAYOUT_VOP1] = ENC_VOP1, [LAYOUT_VOPC] = ENC_VOPC, [LAYOUT_VOP2] = ENC_VOP2,
	[LAYOUT_VOP3P] = ENC_VOP3P, [LAYOUT_VOP3] = ENC_VOP3, [LAYOUT_SMRD] = ENC_SMEM, [LAYOUT_SMEM] = ENC_SMEM,
	[LAYOUT_VINTRP] = ENC_VINTRP, [LAYOUT_DS] = ENC_DS, [LAYOUT_FLAT] = ENC_FLAT, [LAYOUT_MUBUF] = ENC_MUBUF,
	[LAYOUT_MTBUF] = ENC_MTBUF, [LAYOUT_MIMG] = ENC_MIMG, [LAYOUT_EXP] = ENC_EXP,
};

enum { G10 = 1, G11 = 2, G12 = 4, G14 = 8, ALL = 15 };
#define NEVER ANY       /* found by the word before */

struct format {
	uint8_t layout, generations, bytes;
	isa_cond when;
};
#define FORMAT(layout_, generations_, bytes_, when_) { LAYOUT_##layout_, generations_, bytes_, when_ },
static const struct format formats[] = {
#include "core/isa/gcn/layout.def"
};

struct field {
	uint8_t layout, generations, field, lo, n, shift;
};
#define FIELD(layout_, generations_, field_, lo_, n_, at_) \
	{ LAYOUT_##layout_, generations_, F_##field_, lo_, n_, at_ },
static const struct field fields[] = {
#include "core/isa/gcn/layout.def"
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const struct format *format_of(enum gcn_generation g, uint64_t word)
{
	for (const struct format *f = formats; f < formats + COUNT(formats); f++)
		if ((f->generations >> g & 1) && f->when != NEVER && isa_holds(f->when, word))
			return f;
	return NULL;
}

/* Read the fields of a layout; returns the bits of the fields. */
static uint64_t read_fields(enum gcn_generation g, enum gcn_layout layout, uint64_t word, uint32_t *out)
{
	uint64_t seen = 0;
	for (const struct field *f = fields; f < fields + COUNT(fields); f++) {
		if (f->layout != layout || !(f->generations >> g & 1))
			continue;
		/* the second word's src0 replaces the number that announced the second word */
		if (!f->shift && f->field == F_SRC0)
			out[F_SRC0] = 0;
		out[f->field] |= (uint32_t)(word >> f->lo & ISA_ONES(f->n)) << f->shift;
		seen |= ISA_ONES(f->n) << f->lo;
	}
	return seen;
}

/* Rows by generation and place. Opcodes of VOP3 from 256 on are behind all encodings; a row that a generation lacks has
 * the last place, which nobody asks for. */
enum { OPS = 256, VOP3_OPS = 1024, PLACES = ENC_COUNT * OPS + VOP3_OPS - OPS };
#define PLACE(e, op) ((op) + 0u >= NO ? PLACES : (op) + 0u < OPS ? (e) * OPS + (op) : ENC_COUNT * OPS + (op) - OPS)

#define ROW(...) + 1
enum {
	ROWS = 0
#include "core/isa/gcn/gcn.def"
};

/* 1 + the number of a row in gcn_rows, from a counter of the compiler, and VOP3_OPS less the opcode: most rows then
 * have the number of the row before, so that the table takes few bytes in a page's module. 0: no row. */
enum { COUNTED = __COUNTER__ + 1 };
#define COUNTED_ROW(op) ((__COUNTER__ - COUNTED) % ROWS + 1 + VOP3_OPS - (op))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const int16_t row_at[GCN_GENERATIONS][PLACES + 1] = {
	{
#define ROW(e, si, ci, vi, g9, ...) [PLACE(ENC_##e, si)] = COUNTED_ROW(si),
#include "core/isa/gcn/gcn.def"
	}, {
#define ROW(e, si, ci, vi, g9, ...) [PLACE(ENC_##e, ci)] = COUNTED_ROW(ci),
#include "core/isa/gcn/gcn.def"
	}, {
#define ROW(e, si, ci, vi, g9, ...) [PLACE(ENC_##e, vi)] = COUNTED_ROW(vi),
#include "core/isa/gcn/gcn.def"
	}, {
#define ROW(e, si, ci, vi, g9, ...) [PLACE(ENC_##e, g9)] = COUNTED_ROW(g9),
#include "core/isa/gcn/gcn.def"
	}
};
#pragma GCC diagnostic pop

static int find_row(enum gcn_generation g, enum gcn_encoding e, unsigned op)
{
	bool placed = e < ENC_COUNT && op < (e == ENC_VOP3 ? VOP3_OPS : OPS);
	int row = placed ? row_at[g][PLACE(e, op)] : 0;

	return row ? row + (int)op - VOP3_OPS - 1 : -1;
}

/* VOP3 has the opcodes of VOPC from 0 on, of VOP2 from 256 on, and of VOP1 from 384 (1.0, 1.1) or 320 on. */
static unsigned vop1_base(enum gcn_generation g)
{
	return g < GCN_12 ? 384 : 320;
}

unsigned gcn_vop3_op(enum gcn_generation g, const struct gcn_row *r)
{
	unsigned op = r->op[g];
	return r->encoding == ENC_VOP2 ? op + 256 : r->encoding == ENC_VOP1 ? op + vop1_base(g) : op;
}

static int find_vop3(enum gcn_generation g, unsigned op)
{
	unsigned vop1 = vop1_base(g);
	int row = -1;
	if (op < 256)
		return find_row(g, ENC_VOPC, op);
	if (op < 320)
		row = find_row(g, ENC_VOP2, op - 256);
	else if (op >= vop1 && op < vop1 + 128)
		row = find_row(g, ENC_VOP1, op - vop1);
	if (row >= 0 && (gcn_rows[row].flags & (LITERAL1 | LITERAL2)))
		row = -1;
	return row >= 0 ? row : find_row(g, ENC_VOP3, op);
}

static int row_of(const struct gcn_word *w)
{
	static const uint8_t segments[] = { ENC_FLAT, ENC_SCRATCH, ENC_GLOBAL, ENC_COUNT };
	unsigned op = w->f[F_OP];
	if (w->layout == LAYOUT_VOP3)
		return find_vop3(w->generation, op);
	if (w->layout == LAYOUT_FLAT)
		return find_row(w->generation, segments[w->f[F_SEGMENT]], op);
	return find_row(w->generation, encoding_of[w->layout], op);
}

enum gcn_layout gcn_layout_of(enum gcn_generation g, const struct gcn_row *r)
{
	if (r->encoding == ENC_GLOBAL || r->encoding == ENC_SCRATCH)
		return LAYOUT_FLAT;
	if (r->encoding == ENC_SMEM)
		return g < GCN_12 ? LAYOUT_SMRD : LAYOUT_SMEM;
	if (r->encoding == ENC_VOP3 && (r->flags & CARRY_OUT))
		return LAYOUT_VOP3B;
	for (unsigned i = 0; i < LAYOUT_COUNT; i++)
		if (encoding_of[i] == r->encoding && (i == LAYOUT_SOP2 || encoding_of[i] != ENC_SOP2))
			return (enum gcn_layout)i;
	return LAYOUT_NONE;
}

static bool takes_literal(enum gcn_layout layout)
{
	return layout == LAYOUT_SOP1 || layout == LAYOUT_SOP2 || layout == LAYOUT_SOPC || layout == LAYOUT_VOP1 ||
	       layout == LAYOUT_VOP2 || layout == LAYOUT_VOPC;
}

/* The layout of the second word, if any. */
static enum gcn_layout second_of(const struct gcn_word *w)
{
	const struct gcn_row *r = w->row < 0 ? NULL : &gcn_rows[w->row];
	bool vector = w->layout == LAYOUT_VOP1 || w->layout == LAYOUT_VOP2 || w->layout == LAYOUT_VOPC;
	bool fixed = r && (r->flags & (LITERAL1 | LITERAL2));
	if (r && ((w->layout == LAYOUT_SOPK && r->s[1] == T_IMM32) || (w->layout == LAYOUT_VOP2 && fixed)))
		return LAYOUT_LITERAL;
	if (vector && w->generation >= GCN_12 && w->f[F_SRC0] == CODE_SDWA)
		return w->layout == LAYOUT_VOPC && w->generation == GCN_14 ? LAYOUT_SDWAB : LAYOUT_SDWA;
	if (vector && w->generation >= GCN_12 && w->f[F_SRC0] == CODE_DPP)
		return LAYOUT_DPP;
	if (takes_literal(w->layout) && (w->f[F_SRC0] == CODE_LITERAL ||
	    (!vector && w->layout != LAYOUT_SOP1 && w->f[F_SRC1] == CODE_LITERAL && !(r && r->s[1] == T_IMM8))))
		return LAYOUT_LITERAL;
	if (w->layout == LAYOUT_SMRD && w->generation == GCN_11 && !w->f[F_IMM_FLAG] &&
	    w->f[F_OFFSET] == CODE_LITERAL && !(r && r->s[0] == T___))
		return LAYOUT_LITERAL;
	return LAYOUT_NONE;
}

bool gcn_unpack(enum gcn_generation g, uint64_t word, unsigned bytes, struct gcn_word *w)
{
	*w = (struct gcn_word){ .generation = g, .second = LAYOUT_NONE, .row = -1, .length = 4, .loose = word };
	const struct format *f = format_of(g, word);
	if (!f) {
		w->layout = LAYOUT_NONE;
		return false;
	}
	w->layout = f->layout;
	w->length = f->bytes;
	uint64_t seen = isa_cond_mask(f->when) | read_fields(g, w->layout, word, w->f);
	w->row = row_of(w);
	if (w->layout == LAYOUT_VOP3 && w->row >= 0 && (gcn_rows[w->row].flags & CARRY_OUT)) {
		*w->f = 0;
		w->layout = LAYOUT_VOP3B;
		for (unsigned i = 0; i < F_COUNT; i++)
			w->f[i] = 0;
		seen = isa_cond_mask(f->when) | read_fields(g, w->layout, word, w->f);
	}
	w->second = second_of(w);
	if (w->second != LAYOUT_NONE) {
		w->length = 8;
		seen |= read_fields(g, w->second, word, w->f);
	}
	w->loose = word & ~seen & ISA_ONES(8 * w->length);
	return w->length <= bytes;
}

uint64_t gcn_pack(const struct gcn_word *w)
{
	uint64_t word = 0;
	for (const struct format *f = formats; f < formats + COUNT(formats); f++)
		if ((f->layout == w->layout || (w->layout == LAYOUT_VOP3B && f->layout == LAYOUT_VOP3)) &&
		    (f->generations >> w->generation & 1))
			word |= isa_cond_value(f->when);
	for (const struct field *f = fields; f < fields + COUNT(fields); f++) {
		if ((f->layout != w->layout && f->layout != w->second) || !(f->generations >> w->generation & 1))
			continue;
		uint32_t v = w->f[f->field];
		if (f->field == F_SRC0 && f->layout == w->layout && w->second != LAYOUT_NONE &&
		    w->second != LAYOUT_LITERAL)
			v = w->second == LAYOUT_DPP ? CODE_DPP : CODE_SDWA;
		word |= (v >> f->shift & ISA_ONES(f->n)) << f->lo;
	}
	return word;
}

uint32_t gcn_field_mask(enum gcn_generation g, enum gcn_layout layout, enum gcn_field field)
{
	uint32_t mask = 0;
	for (const struct field *f = fields; f < fields + COUNT(fields); f++)
		if (f->layout == layout && f->field == field && (f->generations >> g & 1))
			mask |= (uint32_t)ISA_ONES(f->n) << f->shift;
	return mask;
}

/* ---- numbers ---- */

static const struct {
	uint8_t encoding, generations, field;
	struct gcn_number number;
} numbers[] = {
#define NUMBER(encoding_, generations_, field_, n_, sign_, unit_) \
	{ ENC_##encoding_, generations_, F_##field_, { n_, SIGN_##sign_, unit_ } },
#include "core/isa/gcn/layout.def"
};

static const struct gcn_number operands[T_COUNT] = {
#define OPERAND(type_, n_, sign_) [T_##type_] = { n_, SIGN_##sign_, 1 },
#include "core/isa/gcn/layout.def"
};

/* Rows with two offsets have halves of the field. */
struct gcn_number gcn_field_number(enum gcn_generation g, const struct gcn_row *r, enum gcn_field f)
{
	for (size_t i = 0; i < COUNT(numbers); i++)
		if (numbers[i].encoding == r->encoding && numbers[i].field == f && (numbers[i].generations >> g & 1)) {
			struct gcn_number n = numbers[i].number;
			n.bits = (uint8_t)(r->flags & PAIR ? n.bits / 2 : n.bits);
			return n;
		}
	return (struct gcn_number){ 0 };
}

struct gcn_number gcn_operand_number(enum gcn_type type)
{
	return operands[type];
}

int64_t gcn_number_value(struct gcn_number n, uint32_t bits)
{
	int64_t v = (int64_t)(bits & ISA_ONES(n.bits));

	return n.sign != SIGN_UNSIGNED && v >> (n.bits - 1) ? v - (1ll << n.bits) : v;
}

int64_t gcn_number_least(struct gcn_number n)
{
	return n.sign == SIGN_UNSIGNED ? 0 : -(1ll << (n.bits - 1));
}

int64_t gcn_number_most(struct gcn_number n)
{
	return (1ll << (n.sign == SIGN_SIGNED ? n.bits - 1 : n.bits)) - 1;
}
