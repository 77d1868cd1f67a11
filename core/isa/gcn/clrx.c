/* Instructions in CLRX's syntax, lossless: unused fields are shown unless 0. The rules are those of spec gcn-text, part
 * for part. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/isa/gcn/names.h"
#include "core/isa/gcn/text.h"

void gcn_put(struct gcn_text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vsnprintf(t->buf + t->len, t->size - t->len, fmt, ap);
	va_end(ap);
	t->len += (size_t)n;
	if (t->len >= t->size)
		t->len = t->size - 1;
}

void gcn_comma(struct gcn_text *t)
{
	gcn_put(t, t->operands ? ", " : " ");
	t->operands = true;
}

unsigned gcn_sources(const struct gcn_row *r)
{
	return (r->s[0] != T___) | (r->s[1] != T___) << 1 | (r->s[2] != T___) << 2;
}

uint32_t gcn_target(uint32_t pc, uint32_t imm)
{
	return pc + 4 + 4 * (uint32_t)gcn_number_value(gcn_operand_number(T_REL), imm);
}

int64_t gcn_offset(const struct gcn_printer *p)
{
	return gcn_number_value(gcn_field_number(p->w->generation, p->row, F_OFFSET), p->w->f[F_OFFSET]);
}

#define PUT(...) gcn_put(&p->t, __VA_ARGS__)

static uint32_t field(const struct gcn_printer *p, enum gcn_field f)
{
	return p->w->f[f];
}

/* ---- operands ---- */

static void put_range(struct gcn_printer *p, const char *file, unsigned n, unsigned count, unsigned wrap)
{
	if (count > 1)
		PUT("%s[%u:%u]", file, n, (n + count - 1) % wrap);
	else
		PUT("%s%u", file, n);
}

static void put_vector(struct gcn_printer *p, unsigned n, unsigned count)
{
	put_range(p, "v", n, count, 256);
}

static void put_named(struct gcn_printer *p, const char *name, bool high, unsigned count)
{
	if (count <= 1)
		PUT("%s_%s", name, high ? "hi" : "lo");
	else
		PUT("%s%s%s", name, high ? "_u!" : "", count > 2 ? "&ill!" : "");
}

static void put_literal(struct gcn_printer *p)
{
	int32_t v = (int32_t)field(p, F_LITERAL);
	bool follows = p->w->second == LAYOUT_LITERAL;
	if (!follows)
		PUT("0x0");
	else if (v >= -16 && v <= 64 && !p->llvm)
		PUT("lit(%" PRId32 ")", v);
	else
		PUT("0x%" PRIx32, (uint32_t)v);
}

/* The names of a code in the syntaxes differ in a prefix. */
static bool put_special(struct gcn_printer *p, unsigned code)
{
	const char *prefix = p->llvm ? "src_" : "";
	static const char *const floats[] = {
		"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"
	};
	static const char *const others[] = { "vccz", "execz", "scc", "lds" };
	static const char *const llvm_others[] = { "src_vccz", "src_execz", "src_scc", "src_lds_direct" };
	const char *aperture = gcn_aperture(p->w->generation, code);
	if (aperture)
		PUT("%s%s", prefix, aperture);
	else if (code >= CODE_INT && code < CODE_NEGATIVE)
		PUT("%u", code - CODE_INT);
	else if (code >= CODE_NEGATIVE && code <= 208)
		PUT("-%u", code - (CODE_NEGATIVE - 1));
	else if (code >= CODE_FLOAT && code < CODE_1_2PI + (p->w->generation >= GCN_12))
		PUT("%s", floats[code - CODE_FLOAT]);
	else if (code >= CODE_VCCZ && code <= CODE_LDS)
		PUT("%s", (p->llvm ? llvm_others : others)[code - CODE_VCCZ]);
	else
		return false;
	return true;
}

/* `count` registers from a source code on, under the name of the first. */
void gcn_put_source(struct gcn_printer *p, unsigned code, unsigned count)
{
	enum gcn_generation g = p->w->generation;
	unsigned ttmp, nttmp = gcn_ttmps(g, &ttmp);
	if (code >= CODE_V) {
		put_vector(p, code - CODE_V, count);
		return;
	}
	for (const struct gcn_named *n = gcn_named; n->name; n++)
		if ((n->generations >> g & 1) && code >> 1 == n->code >> 1) {
			put_named(p, n->name, code & 1, count);
			return;
		}
	if (code < gcn_sgprs(g))
		put_range(p, "s", code, count, ~0u);
	else if (code >= ttmp && code < ttmp + nttmp)
		put_range(p, "ttmp", code - ttmp, count, ~0u);
	else if (code == CODE_M0)
		PUT("m0%s", count > 1 ? "&ill!" : "");
	else if (code == CODE_LITERAL)
		put_literal(p);
	else if (!put_special(p, code))
		PUT("ill_%u", code);
}

static unsigned registers(unsigned type)
{
	return gcn_type_bytes[type] / 4u;
}

static void put_modified(struct gcn_printer *p, unsigned code, unsigned count, bool neg, bool abs, bool sext)
{
	gcn_comma(&p->t);
	PUT("%s%s%s", sext ? "sext(" : "", neg ? "-" : "", abs ? "abs(" : "");
	gcn_put_source(p, code, count);
	PUT("%s%s", abs ? ")" : "", sext ? ")" : "");
}

static void put_plain(struct gcn_printer *p, unsigned code, unsigned count)
{
	put_modified(p, code, count, false, false, false);
}

/* A register of vectors as operand. */
static void put_v(struct gcn_printer *p, unsigned n, unsigned count)
{
	put_plain(p, CODE_V + n, count);
}

/* " name=0x…" for a field without meaning in the instruction but with bits. */
static void put_unused(struct gcn_printer *p, const char *name, enum gcn_field f)
{
	if (field(p, f))
		PUT(" %s=0x%" PRIx32, name, field(p, f));
}

static void put_flag(struct gcn_printer *p, const char *name, enum gcn_field f)
{
	if (field(p, f))
		PUT(" %s", name);
}

static void put_target(struct gcn_printer *p)
{
	gcn_comma(&p->t);
	if (p->label)
		PUT("%s", p->label);
	else
		PUT("0x%" PRIx32, gcn_target(p->pc, field(p, F_IMM)));
}

/* ---- scalar ---- */

static void put_hwreg(struct gcn_printer *p)
{
	uint32_t v = field(p, F_IMM);
	const char *name = gcn_hwreg(p->w->generation, v & 63);
	gcn_comma(&p->t);
	if (name)
		PUT("hwreg(%s, ", name);
	else
		PUT("hwreg(@%u, ", v & 63);
	PUT("%u, %u)", v >> 6 & 31, (v >> 11) + 1);
}

static void put_waitcnt(struct gcn_printer *p)
{
	bool wide = p->w->generation == GCN_14;
	uint32_t v = field(p, F_IMM), none = wide ? 0xcf7f : 0x0f7f;
	unsigned vm = (v & 15) | (wide ? v >> 10 & 0x30 : 0), exp = v >> 4 & 7, lgkm = v >> 8 & 15;
	const char *sep = " ";
	if (vm != (wide ? 63 : 15) || v == none)
		PUT("%svmcnt(%u)", sep, vm), sep = " & ";
	if (exp != 7 || v == none)
		PUT("%sexpcnt(%u)", sep, exp), sep = " & ";
	if (lgkm != 15 || v == none)
		PUT("%slgkmcnt(%u)", sep, lgkm), sep = " & ";
	if (v & (wide ? 0x3080 : 0xf080))
		PUT("%s0x%" PRIx32, *sep && sep[1] ? " :" : " ", v);
}

static void put_message(struct gcn_printer *p)
{
	uint32_t v = field(p, F_IMM);
	enum gcn_generation g = p->w->generation;
	unsigned id = v & 15, op = v >> 4 & 3, stream = v >> 8 & 3;
	unsigned unnamed = g == GCN_14 ? 11 : g == GCN_12 ? 5 : 4;
	const char *name = gcn_message(g, id);
	bool shown = id == 2 || id == 3 || (id >= unnamed && id < 15) || (v & 0x3f0);
	if (name)
		PUT(" sendmsg(%s", name);
	else
		PUT(" sendmsg(@%u", id);
	if (shown)
		PUT(", %s", gcn_operations[op]);
	if (shown && (op || stream))
		PUT(", %u", stream);
	PUT(")");
	if (v & (shown ? 0xfcc0 : 0xfff0))
		PUT(" :0x%" PRIx32, v);
}

static void print_sopp(struct gcn_printer *p)
{
	switch (p->row->s[0]) {
	case T_ZERO:
		if (field(p, F_IMM))
			PUT(" 0x%" PRIx32, field(p, F_IMM));
		break;
	case T_REL:
		put_target(p);
		break;
	case T_WAIT:
		put_waitcnt(p);
		break;
	case T_MSG:
		put_message(p);
		break;
	default:
		PUT(" 0x%" PRIx32, field(p, F_IMM));
	}
}

static void print_sopk(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	unsigned type = r->d != T___ ? r->d : r->s[1];
	bool last = r->s[0] == T_HWREG && r->d == T___, literal = r->s[1] == T_IMM32;
	if (!last)
		put_plain(p, field(p, F_DST), registers(type));
	if (r->s[0] == T_HWREG) {
		put_hwreg(p);
	} else if (r->s[0] == T_REL) {
		put_target(p);
	} else {
		gcn_comma(&p->t);
		PUT("0x%" PRIx32, field(p, F_IMM));
	}
	if (literal) {
		PUT(", 0x%" PRIx32, field(p, F_LITERAL));
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
	if (r->s[0] != T___)
		put_plain(p, field(p, F_SRC0), registers(r->s[0]));
	else
		put_unused(p, "ssrc", F_SRC0);
	if (r->s[1] == T_IMM8) {
		gcn_comma(&p->t);
		PUT("0x%" PRIx32, field(p, F_SRC1));
	} else if (r->s[1] != T___) {
		put_plain(p, field(p, F_SRC1), registers(r->s[1]));
	}
	if (r->d == T___)
		put_unused(p, "sdst", F_DST);
}

static void put_smem_offset(struct gcn_printer *p)
{
	gcn_comma(&p->t);
	if (field(p, F_SOE))
		gcn_put_source(p, field(p, F_SOFFSET), 1);
	else if (p->w->layout == LAYOUT_SMEM && !field(p, F_IMM_FLAG))
		gcn_put_source(p, field(p, F_OFFSET) & 127, 1);
	else if (!field(p, F_IMM_FLAG) && p->w->second == LAYOUT_LITERAL) {
		uint32_t v = field(p, F_LITERAL);
		if (v <= 255)
			PUT("lit(%" PRIu32 ")", v);
		else
			PUT("0x%" PRIx32, v);
	} else if (!field(p, F_IMM_FLAG))
		gcn_put_source(p, field(p, F_OFFSET), 1);
	else
		PUT("0x%" PRIx32, field(p, F_OFFSET));
}

static void print_smem(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	unsigned data = gcn_smem_data(r);
	bool old = p->w->layout == LAYOUT_SMRD;
	if (data == T_IMM8) {
		gcn_comma(&p->t);
		PUT("0x%" PRIx32, field(p, F_DST));
	} else if (data != T___) {
		put_plain(p, field(p, F_DST), registers(data));
	}
	if (r->s[0] != T___) {
		put_plain(p, field(p, F_SBASE), registers(r->s[0]));
		put_smem_offset(p);
	}
	put_flag(p, "glc", F_GLC);
	put_flag(p, "nv", F_NV);
	if (r->s[0] != T___ && field(p, F_IMM_FLAG) && field(p, F_SOE))
		PUT(" offset:0x%" PRIx32, field(p, F_OFFSET));
	if (data == T___)
		put_unused(p, old ? "sdst" : "sdata", F_DST);
	if (r->s[0] == T___) {
		put_unused(p, "sbase", F_SBASE);
		put_unused(p, "offset", F_OFFSET);
		if (field(p, F_IMM_FLAG))
			PUT(" imm=1");
	}
}

/* ---- vector ---- */

static void put_output_scale(struct gcn_printer *p)
{
	static const char *const names[] = { "", " mul:2", " mul:4", " div:2" };
	PUT("%s", names[field(p, F_OMOD)]);
}

static void put_output_modifiers(struct gcn_printer *p)
{
	put_output_scale(p);
	put_flag(p, "clamp", F_CLAMP);
}

static bool second_selects(const struct gcn_printer *p)
{
	return p->w->second == LAYOUT_SDWA || p->w->second == LAYOUT_SDWAB;
}

unsigned gcn_short_source(const struct gcn_printer *p, unsigned i)
{
	unsigned v = field(p, F_SRC0 + i);
	bool vector = i || second_selects(p) || p->w->second == LAYOUT_DPP;
	return vector && !(field(p, F_SCALAR) >> i & 1) ? CODE_V + v : v;
}

static void put_unused_second(struct gcn_printer *p)
{
	if (p->row->s[1] != T___)
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
	bool named = p->w->second == LAYOUT_SDWA, any = false;
	put_output_modifiers(p);
	if (named && field(p, F_DST_SEL) != SEL_DWORD)
		PUT(" dst_sel:%s", gcn_selectors[field(p, F_DST_SEL)]), any = true;
	if (named && field(p, F_DST_UNUSED))
		PUT(" dst_unused:%s", gcn_unused[field(p, F_DST_UNUSED)]), any = true;
	if (field(p, F_SRC0_SEL) != SEL_DWORD)
		PUT(" src0_sel:%s", gcn_selectors[field(p, F_SRC0_SEL)]), any = true;
	/* without a second source, assemblers write 0 */
	if (field(p, F_SRC1_SEL) != SEL_DWORD && (p->row->s[1] != T___ || field(p, F_SRC1_SEL)))
		PUT(" src1_sel:%s", gcn_selectors[field(p, F_SRC1_SEL)]), any = true;
	if (!any && !(field(p, F_SEXT) & gcn_sources(p->row)))
		PUT(" sdwa");
	put_unused_second(p);
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
		PUT(" %s", n->name);
	else if (c != 0x100)
		PUT(" dppctrl:0x%x", c);
	put_flag(p, "bound_ctrl", F_BOUND_CTRL);
	PUT(" bank_mask:%u row_mask:%u", field(p, F_BANK_MASK), field(p, F_ROW_MASK));
	put_unused_second(p);
}

static void put_short_source(struct gcn_printer *p, unsigned i)
{
	put_modified(p, gcn_short_source(p, i), registers(p->row->flags & CLASS64 && i ? T_B64 : p->row->s[i]),
		     field(p, F_NEG) >> i & 1, field(p, F_ABS) >> i & 1, field(p, F_SEXT) >> i & 1);
}

static void put_name(struct gcn_printer *p, const char *name)
{
	gcn_comma(&p->t);
	PUT("%s", name);
}

/* VOP1, VOP2, VOPC, and words with SDWA and DPP. */
static void print_short(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	if (p->w->layout == LAYOUT_VOPC) {
		if (field(p, F_SD))
			put_plain(p, field(p, F_SDST), 2);
		else
			put_name(p, "vcc");
	} else if (r->d != T___) {
		put_plain(p, field(p, F_DST) + (r->flags & SDST ? 0 : CODE_V), registers(r->d));
	}
	if (r->flags & CARRY_OUT)
		put_name(p, "vcc");
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
		put_name(p, "vcc");
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

/* The selected halves in VOP3: sources, and bit 3 the destination. Bits of other sources are shown as a number. */
static bool put_halves(struct gcn_printer *p)
{
	unsigned v = field(p, F_OPSEL), sources = gcn_sources(p->row), n = 0;
	if (!v || (v & ~(sources | 8)))
		return v != 0;
	while (sources >> n & 1)
		n++;
	put_bits(p, "op_sel", (v & sources) | (v >> 3) << n, n + 1);
	return false;
}

static void put_vop3_sources(struct gcn_printer *p)
{
	bool plain = p->w->layout == LAYOUT_VOP3B;
	for (unsigned i = 0; i < 3; i++) {
		unsigned type = p->row->s[i];
		bool condition = i == 2 && (p->row->flags & CARRY_IN);
		if (type == T___)
			continue;
		if (i == 1 && (p->row->flags & CLASS64))
			type = T_B64;
		put_modified(p, field(p, F_SRC0 + i), registers(type), !condition && (field(p, F_NEG) >> i & 1),
			     !plain && !condition && (field(p, F_ABS) >> i & 1), false);
	}
}

static void put_unused_sources(struct gcn_printer *p)
{
	static const char *const names[] = { "src0", "vsrc1", "vsrc2" };
	bool b = p->w->layout == LAYOUT_VOP3B;
	for (unsigned i = 0; i < 3; i++) {
		if (gcn_sources(p->row) >> i & 1)
			continue;
		put_unused(p, names[i], F_SRC0 + i);
		if (!b && (field(p, F_ABS) >> i & 1))
			PUT(" abs%u", i);
		if (field(p, F_NEG) >> i & 1)
			PUT(" neg%u", i);
	}
}

static void put_interpolated(struct gcn_printer *p);

static void print_vop3(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	if (r->flags & INTERP) {
		put_interpolated(p);
		return;
	}
	if (r->encoding == ENC_VOPC || (r->flags & SDST))
		put_plain(p, field(p, F_DST), registers(r->d));
	else if (r->d != T___)
		put_v(p, field(p, F_DST), registers(r->d));
	if (p->w->layout == LAYOUT_VOP3B)
		put_plain(p, field(p, F_SDST), 2);
	put_vop3_sources(p);
	bool odd = put_halves(p);
	put_output_modifiers(p);
	if (r->d == T___)
		put_unused(p, "vdst", F_DST);
	put_unused_sources(p);
	if (short_form_fits(p))
		PUT(" vop3");
	if (odd)
		PUT(" op_sel=0x%x", field(p, F_OPSEL));
}

static void print_vop3p(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	unsigned n = r->s[2] != T___ ? 3 : 2, all = (1u << n) - 1;
	put_v(p, field(p, F_DST), registers(r->d));
	for (unsigned i = 0; i < n; i++)
		put_plain(p, field(p, F_SRC0 + i), registers(r->s[i]));
	bool odd = field(p, F_OPSEL) & ~all;
	if ((field(p, F_OPSEL) & all) && !odd)
		put_bits(p, "op_sel", field(p, F_OPSEL), n);
	if ((field(p, F_OPSEL_HI) & all) != all)
		put_bits(p, "op_sel_hi", field(p, F_OPSEL_HI), n);
	if (field(p, F_NEG) & all)
		put_bits(p, "neg_lo", field(p, F_NEG), n);
	if (field(p, F_NEG_HI) & all)
		put_bits(p, "neg_hi", field(p, F_NEG_HI), n);
	put_flag(p, "clamp", F_CLAMP);
	if (n == 2) {
		put_unused(p, "vsrc2", F_SRC2);
		if (field(p, F_NEG) >> 2)
			PUT(" neg2");
		if (odd)
			PUT(" op_sel=0x%x", field(p, F_OPSEL) | (field(p, F_OPSEL_HI) >> 2) << 3);
	}
}

static void put_attribute(struct gcn_printer *p, unsigned attribute, unsigned channel)
{
	PUT(", attr%u.%c", attribute, "xyzw"[channel & 3]);
}

static void put_parameter(struct gcn_printer *p, unsigned n)
{
	static const char *const names[] = { "p10", "p20", "p0" };
	gcn_comma(&p->t);
	if (n < 3)
		PUT("%s", names[n]);
	else
		PUT("invalid_%u", n);
}

/* VOP3 of interpolation has the attribute in src0. */
static void put_interpolated(struct gcn_printer *p)
{
	unsigned a = field(p, F_SRC0);
	put_v(p, field(p, F_DST), 1);
	if (strstr(p->name, "_mov_"))
		put_parameter(p, field(p, F_SRC1));
	else
		put_modified(p, field(p, F_SRC1), 1, field(p, F_NEG) & 2, field(p, F_ABS) & 2, false);
	put_attribute(p, a & 63, a >> 6);
	if (p->row->s[2] != T___)
		put_modified(p, field(p, F_SRC2), 1, field(p, F_NEG) & 4, field(p, F_ABS) & 4, false);
	if (a >> 8)
		PUT(" high");
	put_output_modifiers(p);
	if (strstr(p->name, "_f32"))        /* VINTRP has such names, too */
		PUT(" vop3");
}

static void print_vintrp(struct gcn_printer *p)
{
	put_v(p, field(p, F_DST), 1);
	if (strstr(p->name, "_mov_"))
		put_parameter(p, field(p, F_SRC0));
	else
		put_v(p, field(p, F_SRC0), 1);
	put_attribute(p, field(p, F_ATTRIBUTE), field(p, F_CHANNEL));
}

/* ---- memory ---- */

static void print_ds(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	uint32_t offset = field(p, F_OFFSET);
	if (r->d != T___)
		put_v(p, field(p, F_DST), registers(r->d));
	if (r->s[0] != T___)
		put_v(p, field(p, F_VADDR), registers(r->s[0]));
	if (r->s[1] != T___)
		put_v(p, field(p, F_DATA0), registers(r->s[1]));
	if (r->s[2] != T___)
		put_v(p, field(p, F_DATA1), registers(r->s[2]));
	if (!(r->flags & PAIR) && offset)
		PUT(" offset:%" PRIu32, offset);
	if ((r->flags & PAIR) && (offset & 255))
		PUT(" offset0:%" PRIu32, offset & 255);
	if ((r->flags & PAIR) && offset >> 8)
		PUT(" offset1:%" PRIu32, offset >> 8);
	put_flag(p, "gds", F_GDS);
	if (r->s[0] == T___)
		put_unused(p, "vaddr", F_VADDR);
	if (r->s[1] == T___)
		put_unused(p, "vdata0", F_DATA0);
	if (r->s[2] == T___)
		put_unused(p, "vdata1", F_DATA1);
	if (r->d == T___)
		put_unused(p, "vdst", F_DST);
}

/* Stored data, or else returned data. Halves of formats lie one in a register in 1.2, two in 1.4. */
unsigned gcn_data_registers(enum gcn_generation g, const struct gcn_row *r)
{
	unsigned out = registers(r->s[0]), in = registers(r->d), n = out > in ? out : in;
	return (r->flags & D16) && g == GCN_12 ? (r->op[g] & 3u) + 1 : n;
}

enum gcn_type gcn_smem_data(const struct gcn_row *r)
{
	return r->d == T___ || gcn_type_bytes[r->s[1]] > gcn_type_bytes[r->d] ? r->s[1] : r->d;
}

static void put_format(struct gcn_printer *p)
{
	unsigned d = field(p, F_DFMT), n = field(p, F_NFMT);
	if (d == 1 && !n)
		return;
	PUT(" format:[");
	if (d != 1)
		PUT("%s%s", gcn_data_formats[d], n ? "," : "");
	if (n)
		PUT("%s", gcn_number_formats[n]);
	PUT("]");
}

static void print_buffer(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	unsigned address = (field(p, F_OFFEN) && field(p, F_IDXEN)) || field(p, F_ADDR64) ? 2 : 1;
	bool bare = r->flags & BARE, data = !(r->flags & (BARE | RSRC));
	if (data) {
		put_v(p, field(p, F_DATA0), gcn_data_registers(p->w->generation, r) + field(p, F_TFE));
		put_v(p, field(p, F_VADDR), address);
	}
	if (!bare) {
		put_plain(p, field(p, F_SRSRC), 4);
		put_plain(p, field(p, F_SOFFSET), 1);
	}
	put_flag(p, "offen", F_OFFEN);
	put_flag(p, "idxen", F_IDXEN);
	if (field(p, F_OFFSET))
		PUT(" offset:%" PRIu32, field(p, F_OFFSET));
	put_flag(p, "glc", F_GLC);
	put_flag(p, "slc", F_SLC);
	put_flag(p, "addr64", F_ADDR64);
	put_flag(p, "lds", F_LDS);
	put_flag(p, "tfe", F_TFE);
	if (p->w->layout == LAYOUT_MTBUF)
		put_format(p);
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
	if (gcn_offset(p))
		PUT(" inst_offset:%" PRId64, gcn_offset(p));
	put_flag(p, "lds", F_LDS);
	put_flag(p, "glc", F_GLC);
	put_flag(p, "slc", F_SLC);
	put_flag(p, "nv", F_NV);
	put_flag(p, "tfe", F_TFE);
}

static void put_flat_address(struct gcn_printer *p, bool saddr)
{
	if (p->row->encoding == ENC_SCRATCH && saddr)
		put_name(p, "off");
	else
		put_v(p, field(p, F_VADDR), p->row->encoding == ENC_SCRATCH || saddr ? 1 : 2);
}

static void print_flat(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool segment = r->encoding != ENC_FLAT, saddr = segment && field(p, F_SADDR) != 127;
	bool load = r->d != T___ && r->s[0] == T___;
	if (r->d != T___)
		put_v(p, field(p, F_DST), registers(r->d) + field(p, F_TFE));
	put_flat_address(p, saddr);
	if (!load)
		put_v(p, field(p, F_DATA0), registers(r->s[0]));
	if (saddr)
		put_plain(p, field(p, F_SADDR), r->encoding == ENC_GLOBAL ? 2 : 1);
	else if (segment)
		put_name(p, "off");
	put_flat_modifiers(p);
	if (load)
		put_unused(p, "vdata", F_DATA0);
	if (r->d == T___)
		put_unused(p, "vdst", F_DST);
}

static void print_image(struct gcn_printer *p)
{
	unsigned data = (unsigned)__builtin_popcount(field(p, F_DMASK));
	bool wide = p->w->generation == GCN_14 || !field(p, F_R128);
	put_v(p, field(p, F_DATA0), (data ? data : 1) + field(p, F_TFE));
	put_v(p, field(p, F_VADDR), 4);
	put_plain(p, field(p, F_SRSRC), wide ? 8 : 4);
	if (p->row->flags & SAMPLER)
		put_plain(p, field(p, F_SSAMP), 4);
	if (field(p, F_DMASK) != 1)
		PUT(" dmask:%u", field(p, F_DMASK));
	put_flag(p, "unorm", F_UNORM);
	put_flag(p, "glc", F_GLC);
	put_flag(p, "slc", F_SLC);
	put_flag(p, p->w->generation == GCN_14 ? "a16" : "r128", F_R128);
	put_flag(p, "tfe", F_TFE);
	put_flag(p, "lwe", F_LWE);
	put_flag(p, "da", F_DA);
	put_flag(p, "d16", F_D16);
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
		PUT("ill_%u", n);
}

static void print_export(struct gcn_printer *p)
{
	static const uint8_t sources[] = { F_VADDR, F_DATA0, F_DATA1, F_DST };
	put_export_target(p);
	for (unsigned i = 0; i < 4; i++) {
		if (field(p, F_ENABLE) >> i & 1)
			put_v(p, field(p, sources[field(p, F_COMPR) ? i / 2 : i]), 1);
		else
			put_name(p, "off");
	}
	put_flag(p, "done", F_DONE);
	put_flag(p, "compr", F_COMPR);
	put_flag(p, "vm", F_VM);
}

/* ---- numbers that are no opcodes ---- */

static void print_illegal_vop3(struct gcn_printer *p)
{
	if (field(p, F_OP) < 256)
		put_plain(p, field(p, F_DST), 2);
	else
		put_v(p, field(p, F_DST), 1);
	for (unsigned i = 0; i < 2; i++)
		put_modified(p, field(p, F_SRC0 + i), 1, field(p, F_NEG) >> i & 1, false, false);
	put_output_scale(p);
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

static gcn_printer_fn *const printers[LAYOUT_COUNT] = {
	GCN_PRINTERS
	[LAYOUT_VOP3] = print_vop3, [LAYOUT_VOP3B] = print_vop3,
};

void gcn_print_clrx(struct gcn_printer *p)
{
	if (p->w->row < 0) {
		print_illegal(p);
		return;
	}
	PUT("%s", p->name);
	printers[p->w->layout](p);
}
