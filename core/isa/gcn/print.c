/* The text of an instruction. Operands and modifiers come in the order of spec gcn-text, part for part, or in that of
 * llvm-mc 14's own output (vectors/gcn/operands). */
#include <inttypes.h>
#include <string.h>

#include "core/isa/gcn/printer.h"

static unsigned registers(unsigned type)
{
	return gcn_type_bytes[type] / 4u;
}

static void put_plain(struct gcn_printer *p, unsigned code, unsigned count)
{
	gcn_comma(&p->t);
	gcn_put_source(p, code, count);
}

static void put_v(struct gcn_printer *p, unsigned n, unsigned count)
{
	put_plain(p, CODE_V + n, count);
}

static void put_word(struct gcn_printer *p, const char *word)
{
	gcn_comma(&p->t);
	PUT("%s", word);
}

/* An operand of a type. 1/(2π) is in full in LLVM's doubles. */
static void put_typed(struct gcn_printer *p, unsigned code, enum gcn_type type)
{
	const struct gcn_manner *m = p->manner;
	if (!m->lossless && code == CODE_1_2PI && p->w->generation >= GCN_12 && registers(type) == 2)
		PUT("0.15915494309189532");
	else if (m->literal && code == CODE_LITERAL && p->w->second == LAYOUT_LITERAL)
		m->literal(p, type);
	else
		gcn_put_source(p, code, registers(type));
}

static bool is_constant(const struct gcn_printer *p, unsigned code)
{
	return code >= CODE_INT && code < CODE_V && !(code >= CODE_VCCZ && code <= CODE_LDS) &&
	       !gcn_aperture(p->w->generation, code);
}

/* LLVM's negative constants have another form than negated registers. */
static void put_modified(struct gcn_printer *p, unsigned code, enum gcn_type type, bool neg, bool abs, bool sext)
{
	const struct gcn_manner *m = p->manner;
	bool called = !m->lossless && neg && !abs && !sext && is_constant(p, code);
	gcn_comma(&p->t);
	PUT("%s%s%s", sext ? "sext(" : "", called ? "neg(" : neg ? "-" : "", abs ? m->absolute[0] : "");
	put_typed(p, code, type);
	PUT("%s%s%s", abs ? m->absolute[1] : "", called ? ")" : "", sext ? ")" : "");
}

/* " name=0x…" for a field without meaning in the instruction but with bits. */
static void put_unused(struct gcn_printer *p, const char *name, enum gcn_field f)
{
	if (p->manner->lossless && field(p, f))
		PUT(" %s=0x%" PRIx32, name, field(p, f));
}

/* ---- scalar ---- */

static void print_sopp(struct gcn_printer *p)
{
	uint32_t v = field(p, F_IMM);
	switch (p->row->s[0]) {
	case T_ZERO:
		if (v)
			PUT(p->manner->lossless ? " 0x%" PRIx32 : " %" PRIu32, v);
		break;
	case T_REL:
		gcn_comma(&p->t);
		p->manner->target(p);
		break;
	case T_WAIT:
		p->manner->waits(p);
		break;
	case T_MSG:
		p->manner->message(p);
		break;
	default:
		gcn_comma(&p->t);
		p->manner->immediate(p, v);
	}
}

static void print_sopk(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	unsigned type = r->d != T___ ? r->d : r->s[1];
	bool last = r->s[0] == T_HWREG && r->d == T___;
	if (!last)
		put_plain(p, field(p, F_DST), registers(type));
	gcn_comma(&p->t);
	if (r->s[0] == T_HWREG)
		p->manner->hwreg(p);
	else if (r->s[0] == T_REL)
		p->manner->target(p);
	else
		PUT("0x%" PRIx32, field(p, F_IMM));
	if (r->s[1] == T_IMM32) {
		gcn_comma(&p->t);
		if (p->manner->literal)
			p->manner->literal(p, T_B32);
		else
			PUT("0x%" PRIx32, field(p, F_LITERAL));
		put_unused(p, "sdst", F_DST);
	} else if (last) {
		put_plain(p, field(p, F_DST), registers(type));
	}
}

static void print_scalar(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	if (r->d != T___)
		put_plain(p, field(p, F_DST), registers(r->d));
	if (r->s[0] == T___)
		put_unused(p, "ssrc", F_SRC0);
	for (unsigned i = 0; i < 2; i++) {
		if (r->s[i] == T___)
			continue;
		gcn_comma(&p->t);
		if (r->s[i] == T_IMM8)
			p->manner->indexed(p, field(p, F_SRC0 + i));
		else
			put_typed(p, field(p, F_SRC0 + i), r->s[i]);
	}
	if (r->d == T___)
		put_unused(p, "sdst", F_DST);
}

enum gcn_type gcn_smem_data(const struct gcn_row *r)
{
	return r->d == T___ || gcn_type_bytes[r->s[1]] > gcn_type_bytes[r->d] ? r->s[1] : r->d;
}

static void put_unused_smem(struct gcn_printer *p, bool data)
{
	bool address = p->row->s[0] != T___;
	PUT_FLAGS(F_NV);
	if (address && field(p, F_IMM_FLAG) && field(p, F_SOE))
		PUT(" offset:0x%" PRIx32, field(p, F_OFFSET));
	if (!data)
		put_unused(p, p->w->layout == LAYOUT_SMRD ? "sdst" : "sdata", F_DST);
	if (address)
		return;
	put_unused(p, "sbase", F_SBASE);
	put_unused(p, "offset", F_OFFSET);
	if (field(p, F_IMM_FLAG))
		PUT(" imm=1");
}

static void print_smem(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	unsigned data = gcn_smem_data(r);
	if (data == T_IMM8) {
		gcn_comma(&p->t);
		p->manner->immediate(p, field(p, F_DST));
	} else if (data != T___) {
		put_plain(p, field(p, F_DST), registers(data));
	}
	if (r->s[0] != T___) {
		put_plain(p, field(p, F_SBASE), registers(r->s[0]));
		gcn_comma(&p->t);
		p->manner->smem_offset(p);
	}
	PUT_FLAGS(F_GLC);
	if (p->manner->lossless)
		put_unused_smem(p, data != T___);
}

/* ---- vector ---- */

static void put_scale(struct gcn_printer *p)
{
	static const char *const names[] = { "", " mul:2", " mul:4", " div:2" };
	PUT("%s", names[field(p, F_OMOD)]);
}

static void put_output_modifiers(struct gcn_printer *p)
{
	if (p->manner->lossless)
		put_scale(p);
	PUT_FLAGS(F_CLAMP);
	if (!p->manner->lossless)
		put_scale(p);
}

static bool second_selects(const struct gcn_printer *p)
{
	return p->w->second == LAYOUT_SDWA || p->w->second == LAYOUT_SDWAB;
}

/* Modifiers of a second source that the row lacks. */
static void put_unused_second(struct gcn_printer *p)
{
	if (p->row->s[1] != T___ || !p->manner->lossless)
		return;
	if (field(p, F_SEXT) & 2)
		PUT(" sext1");
	if (field(p, F_NEG) & 2)
		PUT(" neg1");
	if (field(p, F_ABS) & 2)
		PUT(" abs1");
}

static void put_selection(struct gcn_printer *p)
{
	put_output_modifiers(p);
	p->manner->selection(p);
	put_unused_second(p);
}

static void put_lane_masks(struct gcn_printer *p)
{
	if (p->manner->lossless) {
		PUT_FLAGS(F_BOUND_CTRL);
		PUT(" bank_mask:%u row_mask:%u", field(p, F_BANK_MASK), field(p, F_ROW_MASK));
	} else {
		PUT(" row_mask:0x%x bank_mask:0x%x", field(p, F_ROW_MASK), field(p, F_BANK_MASK));
		if (field(p, F_BOUND_CTRL))
			PUT(" bound_ctrl:1");
	}
}

static void put_lanes(struct gcn_printer *p)
{
	unsigned c = field(p, F_DPP_CTRL);
	const struct gcn_control *n = gcn_controls;
	while (n->name && n->code != c)
		n++;
	if (c < 0x100)
		PUT(" quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6);
	else if (c > 0x100 && c < 0x130 && c & 15)
		PUT(" %s:%u", gcn_row_controls[(c >> 4) - 0x10], c & 15);
	else if (n->name)
		PUT(" %s", p->manner->lossless ? n->name : n->llvm);
	else if (!p->manner->lossless)
		PUT(" /* Invalid dpp_ctrl value */");
	else if (c != 0x100)
		PUT(" dppctrl:0x%x", c);
	put_lane_masks(p);
	put_unused_second(p);
}

/* Of a short form: with SDWA or DPP, vector registers unless the second word says scalar. */
static void put_short_source(struct gcn_printer *p, unsigned i)
{
	bool vector = i || second_selects(p) || p->w->second == LAYOUT_DPP;
	bool pair = i && p->row->flags & CLASS64 && p->manner->lossless;
	unsigned code = field(p, F_SRC0 + i) + (vector && !(field(p, F_SCALAR) >> i & 1) ? CODE_V : 0);
	put_modified(p, code, pair ? T_B64 : p->row->s[i], field(p, F_NEG) >> i & 1, field(p, F_ABS) >> i & 1,
		     field(p, F_SEXT) >> i & 1);
}

/* VOP1, VOP2, VOPC, and words with SDWA and DPP. */
static void print_short(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	if (p->w->layout == LAYOUT_VOPC)
		put_plain(p, field(p, F_SD) ? field(p, F_SDST) : CODE_VCC, 2);
	else if (r->d != T___)
		put_plain(p, field(p, F_DST) + (r->flags & SDST ? 0 : CODE_V), registers(r->d));
	if (r->flags & CARRY_OUT)
		put_word(p, "vcc");
	if (r->s[0] != T___)
		put_short_source(p, 0);
	if (r->flags & LITERAL1)
		PUT(", 0x%" PRIx32, field(p, F_LITERAL));
	if (r->flags & LANE)
		put_plain(p, field(p, F_SRC1), 1);
	else if (r->s[1] != T___)
		put_short_source(p, 1);
	if (r->flags & LITERAL2)
		PUT(", 0x%" PRIx32, field(p, F_LITERAL));
	if (r->flags & CARRY_IN)
		put_word(p, "vcc");
	if (r->d == T___ && p->w->layout == LAYOUT_VOP1)
		put_unused(p, "vdst", F_DST);
	if (r->s[0] == T___)
		put_unused(p, "src0", F_SRC0);
	if (second_selects(p))
		put_selection(p);
	else if (p->w->second == LAYOUT_DPP)
		put_lanes(p);
}

/* Whether a 32-bit form could say the same. */
static bool short_form_fits(const struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool vector1 = field(p, F_SRC1) >= CODE_V, carry = r->flags & CARRY_IN;
	uint32_t modified = p->w->layout == LAYOUT_VOP3B ? 0 : field(p, F_ABS);
	if (modified | field(p, F_NEG) | field(p, F_OMOD) | field(p, F_CLAMP) | field(p, F_OPSEL))
		return false;
	if (p->w->layout == LAYOUT_VOP3B && field(p, F_SDST) != CODE_VCC)
		return false;
	if (field(p, F_SRC2) != (carry ? CODE_VCC : 0))
		return false;
	switch (r->encoding) {
	case ENC_VOP1:
		return !field(p, F_SRC1);
	case ENC_VOP2:
		return r->flags & LANE ? !vector1 : vector1;
	case ENC_VOPC:
		return vector1 && field(p, F_DST) == CODE_VCC;
	default:
		return false;
	}
}

static void put_bits(struct gcn_printer *p, const char *name, unsigned bits, unsigned n)
{
	PUT(" %s:[", name);
	for (unsigned i = 0; i < n; i++)
		PUT("%s%u", i ? "," : "", bits >> i & 1);
	PUT("]");
}

/* The selected halves in VOP3: sources, and bit 3 the destination. Bits of other sources are shown as a number, by
 * put_unused_vop3: true. */
static bool put_halves(struct gcn_printer *p)
{
	unsigned v = field(p, F_OPSEL), sources = gcn_sources(p->row), n = (unsigned)__builtin_popcount(sources);
	bool odd = p->manner->lossless && v & ~(sources | 8);
	if (v && !odd)
		put_bits(p, "op_sel", (v & 7) | (v >> 3) << n, n + 1);
	return odd;
}

/* The third source of a carry has no signs; LLVM's exponent of ldexp is no float. */
static void put_vop3_source(struct gcn_printer *p, unsigned i)
{
	const struct gcn_row *r = p->row;
	bool lossless = p->manner->lossless, plain = lossless && i == 2 && r->flags & CARRY_IN;
	bool exponent = !lossless && i == 1 && strncmp(p->name, "v_ldexp_", 8) == 0;
	bool neg = field(p, F_NEG) >> i & 1, abs = p->w->layout != LAYOUT_VOP3B && (field(p, F_ABS) >> i & 1);
	bool pair = lossless && i == 1 && r->flags & CLASS64;
	put_modified(p, field(p, F_SRC0 + i), pair ? T_B64 : r->s[i], neg && !exponent && !plain, abs && !plain,
		     neg && exponent);
}

static void put_unused_vop3(struct gcn_printer *p, bool odd)
{
	static const char *const names[] = { "src0", "vsrc1", "vsrc2" };
	if (p->row->d == T___)
		put_unused(p, "vdst", F_DST);
	for (unsigned i = 0; i < 3; i++) {
		if (p->row->s[i] != T___)
			continue;
		put_unused(p, names[i], F_SRC0 + i);
		if (p->w->layout != LAYOUT_VOP3B && (field(p, F_ABS) >> i & 1))
			PUT(" abs%u", i);
		if (field(p, F_NEG) >> i & 1)
			PUT(" neg%u", i);
	}
	if (short_form_fits(p))
		PUT(" vop3");
	if (odd)
		PUT(" op_sel=0x%x", field(p, F_OPSEL));
}

/* The source of interpolation is a register, or in v_interp_mov a parameter. */
static void put_interpolated(struct gcn_printer *p, uint32_t source, uint32_t attribute, uint32_t channel)
{
	static const char *const names[] = { "p10", "p20", "p0" };
	bool lossless = p->manner->lossless;
	put_v(p, field(p, F_DST), 1);
	if (!strstr(p->name, "_mov_")) {
		put_modified(p, source, T_B32, lossless && field(p, F_NEG) & 2, lossless && field(p, F_ABS) & 2,
			     false);
	} else {
		gcn_comma(&p->t);
		if (source < 3)
			PUT("%s", names[source]);
		else
			PUT("%s%" PRIu32, p->manner->parameter, source);
	}
	PUT(", attr%u.%c", attribute, "xyzw"[channel & 3]);
}

/* VOP3 of interpolation has the attribute in src0. */
static void print_vop3_interpolation(struct gcn_printer *p)
{
	uint32_t a = field(p, F_SRC0);
	put_interpolated(p, field(p, F_SRC1), a & 63, a >> 6);
	if (p->row->s[2] != T___)
		put_modified(p, field(p, F_SRC2), p->row->s[2], field(p, F_NEG) & 4, field(p, F_ABS) & 4, false);
	if (a >> 8)
		PUT(" high");
	put_output_modifiers(p);
	if (p->manner->lossless && strstr(p->name, "_f32"))     /* VINTRP has such names, too */
		PUT(" vop3");
}

static void print_vintrp(struct gcn_printer *p)
{
	bool parameter = strstr(p->name, "_mov_");
	put_interpolated(p, field(p, F_SRC0) + (parameter ? 0 : CODE_V), field(p, F_ATTRIBUTE), field(p, F_CHANNEL));
}

static void print_vop3(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	if (r->flags & INTERP) {
		print_vop3_interpolation(p);
		return;
	}
	if (r->d != T___)
		put_plain(p, field(p, F_DST) + (r->encoding == ENC_VOPC || r->flags & SDST ? 0 : CODE_V),
			  registers(r->d));
	if (p->w->layout == LAYOUT_VOP3B)
		put_plain(p, field(p, F_SDST), 2);
	for (unsigned i = 0; i < 3; i++)
		if (r->s[i] != T___)
			put_vop3_source(p, i);
	bool odd = put_halves(p);
	put_output_modifiers(p);
	if (p->manner->lossless)
		put_unused_vop3(p, odd);
}

/* Instructions on halves. LLVM's mixed-precision instructions have signs, and whole registers by default. */
static void print_vop3p(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool lossless = p->manner->lossless, mixes = !lossless && strstr(p->name, "_mix");
	unsigned n = (unsigned)__builtin_popcount(gcn_sources(r)), all = (1u << n) - 1;
	bool odd = lossless && field(p, F_OPSEL) & ~all;
	put_v(p, field(p, F_DST), registers(r->d));
	for (unsigned i = 0; i < n; i++)
		put_modified(p, field(p, F_SRC0 + i), r->s[i], mixes && (field(p, F_NEG) >> i & 1),
			     mixes && (field(p, F_NEG_HI) >> i & 1), false);
	if ((field(p, F_OPSEL) & all) && !odd)
		put_bits(p, "op_sel", field(p, F_OPSEL), n);
	if ((field(p, F_OPSEL_HI) & all) != (mixes ? 0 : all))
		put_bits(p, "op_sel_hi", field(p, F_OPSEL_HI), n);
	if (!mixes && (field(p, F_NEG) & all))
		put_bits(p, "neg_lo", field(p, F_NEG), n);
	if (!mixes && (field(p, F_NEG_HI) & all))
		put_bits(p, "neg_hi", field(p, F_NEG_HI), n);
	PUT_FLAGS(F_CLAMP);
	if (!lossless || n > 2)
		return;
	put_unused(p, "vsrc2", F_SRC2);
	if (field(p, F_NEG) >> 2)
		PUT(" neg2");
	if (odd)
		PUT(" op_sel=0x%x", field(p, F_OPSEL) | (field(p, F_OPSEL_HI) >> 2) << 3);
}

/* ---- memory ---- */

static void put_ds_offset(struct gcn_printer *p)
{
	uint32_t offset = field(p, F_OFFSET);
	if (p->manner->swizzle && strcmp(p->name, "ds_swizzle_b32") == 0)
		p->manner->swizzle(p, offset);
	else if (!(p->row->flags & PAIR) && offset)
		PUT(" offset:%" PRIu32, offset);
	if ((p->row->flags & PAIR) && (offset & 255))
		PUT(" offset0:%" PRIu32, offset & 255);
	if ((p->row->flags & PAIR) && offset >> 8)
		PUT(" offset1:%" PRIu32, offset >> 8);
}

static void print_ds(struct gcn_printer *p)
{
	static const uint8_t places[] = { F_VADDR, F_DATA0, F_DATA1 };
	static const char *const names[] = { "vaddr", "vdata0", "vdata1" };
	const struct gcn_row *r = p->row;
	if (r->d != T___)
		put_v(p, field(p, F_DST), registers(r->d));
	for (unsigned i = 0; i < 3; i++)
		if (r->s[i] != T___)
			put_v(p, field(p, places[i]), registers(r->s[i]));
	put_ds_offset(p);
	PUT_FLAGS(F_GDS);
	for (unsigned i = 0; i < 3; i++)
		if (r->s[i] == T___)
			put_unused(p, names[i], places[i]);
	if (r->d == T___)
		put_unused(p, "vdst", F_DST);
}

/* Stored data, or else returned data. Halves of formats lie one in a register in 1.2, two in 1.4. */
unsigned gcn_data_registers(enum gcn_generation g, const struct gcn_row *r)
{
	unsigned out = registers(r->s[0]), in = registers(r->d), n = out > in ? out : in;
	return (r->flags & D16) && g == GCN_12 ? (r->op[g] & 3u) + 1 : n;
}

/* LLVM's word for data and address. */
static void put_buffer_data(struct gcn_printer *p)
{
	bool lossless = p->manner->lossless, wide = field(p, F_ADDR64);
	bool offset = field(p, F_OFFEN), index = field(p, F_IDXEN);
	put_v(p, field(p, F_DATA0), gcn_data_registers(p->w->generation, p->row) + (lossless ? field(p, F_TFE) : 0));
	if (lossless || offset || index || wide)
		put_v(p, field(p, F_VADDR), (offset && index) || wide ? 2 : 1);
	else
		put_word(p, "off");
}

static void print_buffer(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool bare = r->flags & BARE, data = !(r->flags & (BARE | RSRC));
	if (data)
		put_buffer_data(p);
	if (!bare) {
		put_plain(p, field(p, F_SRSRC), 4);
		put_plain(p, field(p, F_SOFFSET), 1);
	}
	if (!bare || p->manner->lossless)
		p->manner->buffer_modifiers(p);
	if (!data) {
		put_unused(p, "vaddr", F_VADDR);
		put_unused(p, "vdata", F_DATA0);
	}
	if (bare) {
		put_unused(p, "srsrc", F_SRSRC);
		put_unused(p, "soffset", F_SOFFSET);
	}
}

static void put_flat_modifiers(struct gcn_printer *p)
{
	bool lossless = p->manner->lossless;
	if (gcn_offset(p))
		PUT(" %s:%" PRId64, lossless ? "inst_offset" : "offset", gcn_offset(p));
	if (lossless)
		PUT_FLAGS(F_LDS, F_GLC, F_SLC, F_NV, F_TFE);
	else
		PUT_FLAGS(F_GLC, F_SLC);
}

/* In LLVM's syntax an atomic has a destination only with glc, by which the old value returns. */
static void print_flat(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool segment = r->encoding != ENC_FLAT, scratch = r->encoding == ENC_SCRATCH, lossless = p->manner->lossless;
	bool saddr = segment && field(p, F_SADDR) != 127, stores = r->s[0] != T___;
	if (r->d != T___ && (lossless || !stores || field(p, F_GLC)))
		put_v(p, field(p, F_DST), registers(r->d) + (lossless ? field(p, F_TFE) : 0));
	if (scratch && saddr)
		put_word(p, "off");
	else
		put_v(p, field(p, F_VADDR), scratch || saddr ? 1 : 2);
	if (stores)
		put_v(p, field(p, F_DATA0), registers(r->s[0]));
	if (saddr)
		put_plain(p, field(p, F_SADDR), scratch ? 1 : 2);
	else if (segment)
		put_word(p, "off");
	put_flat_modifiers(p);
	if (!stores)
		put_unused(p, "vdata", F_DATA0);
	if (r->d == T___)
		put_unused(p, "vdst", F_DST);
}

static void print_image(struct gcn_printer *p)
{
	unsigned data = (unsigned)__builtin_popcount(field(p, F_DMASK));
	bool narrow = p->w->generation < GCN_14 && field(p, F_R128), lossless = p->manner->lossless;
	put_v(p, field(p, F_DATA0), (data ? data : 1) + field(p, F_TFE));
	put_v(p, field(p, F_VADDR), lossless ? 4 : 1);
	put_plain(p, field(p, F_SRSRC), narrow ? 4 : 8);
	if (p->row->flags & SAMPLER)
		put_plain(p, field(p, F_SSAMP), 4);
	if (!lossless)
		PUT(" dmask:0x%x", field(p, F_DMASK));
	else if (field(p, F_DMASK) != 1)
		PUT(" dmask:%u", field(p, F_DMASK));
	PUT_FLAGS(F_UNORM, F_GLC, F_SLC, F_R128, F_TFE, F_LWE, F_DA, F_D16);
	if (!(p->row->flags & SAMPLER))
		put_unused(p, "ssamp", F_SSAMP);
}

static void put_export_target(struct gcn_printer *p)
{
	unsigned n = field(p, F_TARGET);
	gcn_comma(&p->t);
	if (n < 8)
		PUT("mrt%u", n);
	else if (n == 8 || n == 9)
		PUT("%s", n == 8 ? "mrtz" : "null");
	else if (n >= 12 && n < 16)
		PUT("pos%u", n - 12);
	else if (n >= 32)
		PUT("param%u", n - 32);
	else
		PUT("%s%u", p->manner->export, n);
}

static void print_export(struct gcn_printer *p)
{
	static const uint8_t sources[] = { F_VADDR, F_DATA0, F_DATA1, F_DST };
	put_export_target(p);
	p->t.operands = p->manner->lossless;            /* LLVM has no comma behind a target */
	for (unsigned i = 0; i < 4; i++) {
		if (field(p, F_ENABLE) >> i & 1)
			put_v(p, field(p, sources[field(p, F_COMPR) ? i / 2 : i]), 1);
		else
			put_word(p, "off");
	}
	PUT_FLAGS(F_DONE, F_COMPR, F_VM);
}

/* ---- numbers that are no opcodes ---- */

static void print_illegal_vop3(struct gcn_printer *p)
{
	if (field(p, F_OP) < 256)
		put_plain(p, field(p, F_DST), 2);
	else
		put_v(p, field(p, F_DST), 1);
	for (unsigned i = 0; i < 2; i++)
		put_modified(p, field(p, F_SRC0 + i), T_B32, field(p, F_NEG) >> i & 1, false, false);
	put_scale(p);
	put_unused(p, "vsrc2", F_SRC2);
	if (field(p, F_NEG) >> 2)
		PUT(" neg2");
	if (field(p, F_OP) < 256 && field(p, F_DST) == CODE_VCC && field(p, F_SRC1) >= CODE_V &&
	    !(field(p, F_SRC2) | field(p, F_NEG) | field(p, F_OMOD) | field(p, F_ABS)))
		PUT(" vop3");
}

static void print_illegal(struct gcn_printer *p)
{
	static const struct gcn_row nothing = { .s = { T_B32, T_B32 } }, flat = { .encoding = ENC_FLAT };
	static const char *const names[LAYOUT_COUNT] = {
		[LAYOUT_SOP1] = "SOP1", [LAYOUT_SOPC] = "SOPC", [LAYOUT_SOPP] = "SOPP", [LAYOUT_SOPK] = "SOPK",
		[LAYOUT_SOP2] = "SOP2", [LAYOUT_VOP1] = "VOP1", [LAYOUT_VOPC] = "VOPC", [LAYOUT_VOP2] = "VOP2",
		[LAYOUT_VOP3P] = "VOP3P", [LAYOUT_VOP3] = "VOP3A", [LAYOUT_SMRD] = "SMRD", [LAYOUT_SMEM] = "SMEM",
		[LAYOUT_VINTRP] = "VINTRP", [LAYOUT_DS] = "DS", [LAYOUT_FLAT] = "FLAT", [LAYOUT_MUBUF] = "MUBUF",
		[LAYOUT_MTBUF] = "MTBUF", [LAYOUT_MIMG] = "MIMG", [LAYOUT_EXP] = "EXP",
	};
	p->row = p->w->layout == LAYOUT_FLAT ? &flat : &nothing;
	p->name = "";
	PUT("%s_ill_%u", names[p->w->layout], field(p, F_OP));
	switch (p->w->layout) {
	case LAYOUT_VOPC: case LAYOUT_VOP2: case LAYOUT_VOP1:
		print_short(p);
		break;
	case LAYOUT_VOP3:
		print_illegal_vop3(p);
		break;
	case LAYOUT_FLAT:
		put_v(p, field(p, F_DST), 1);
		put_v(p, field(p, F_VADDR), 2);
		put_v(p, field(p, F_DATA0), 1);
		put_flat_modifiers(p);
		break;
	default:
		break;
	}
}

static gcn_part_fn *const printers[LAYOUT_COUNT] = {
	[LAYOUT_SOPP] = print_sopp, [LAYOUT_SOPK] = print_sopk, [LAYOUT_SOP1] = print_scalar,
	[LAYOUT_SOP2] = print_scalar, [LAYOUT_SOPC] = print_scalar, [LAYOUT_SMRD] = print_smem,
	[LAYOUT_SMEM] = print_smem, [LAYOUT_VOP1] = print_short, [LAYOUT_VOP2] = print_short,
	[LAYOUT_VOPC] = print_short, [LAYOUT_VOP3P] = print_vop3p, [LAYOUT_VINTRP] = print_vintrp,
	[LAYOUT_DS] = print_ds, [LAYOUT_MUBUF] = print_buffer, [LAYOUT_MTBUF] = print_buffer,
	[LAYOUT_FLAT] = print_flat, [LAYOUT_MIMG] = print_image, [LAYOUT_EXP] = print_export,
	[LAYOUT_VOP3] = print_vop3, [LAYOUT_VOP3B] = print_vop3,
};

size_t gcn_print(const struct isa_target *t, const struct insn *in, const char *label, char *buf, size_t size)
{
	struct gcn_word w;
	struct gcn_printer p = { .t = { buf, size, 0, false }, .w = &w, .pc = in->pc, .label = label };
	*buf = 0;
	if (!gcn_unpack(gcn_generation(t), in->word, in->length, &w)) {
		gcn_put(&p.t, "???");
		return p.t.len;
	}
	p.manner = t->syntax & SYNTAX_LLVM && w.row >= 0 ? &gcn_manner_llvm : &gcn_manner_clrx;
	if (w.row < 0) {
		print_illegal(&p);
	} else {
		p.row = &gcn_rows[w.row];
		p.name = gcn_table.row[w.row].text;
		p.manner->mnemonic(&p);
		printers[w.layout](&p);
	}
	if (w.loose && w.length > 4)
		gcn_put(&p.t, " [unknown: %08x %08x]", (uint32_t)w.loose, (uint32_t)(w.loose >> 32));
	else if (w.loose)
		gcn_put(&p.t, " [unknown: %08x]", (uint32_t)w.loose);
	return p.t.len;
}
