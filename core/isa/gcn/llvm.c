/* Instructions in the syntax of LLVM's disassembler (llvm-mc 14), which leaves out unused fields, so two words may have
 * the same text. Conventions: llvm-mc's own output (vectors/gcn/operands). */
#include <inttypes.h>
#include <string.h>

#include "core/isa/gcn/names.h"
#include "core/isa/gcn/text.h"

#define PUT(...) gcn_put(&p->t, __VA_ARGS__)

static uint32_t field(const struct gcn_printer *p, enum gcn_field f)
{
	return p->w->f[f];
}

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

static void put_flag(struct gcn_printer *p, const char *name, enum gcn_field f)
{
	if (field(p, f))
		PUT(" %s", name);
}

/* Numbers in the range of inline constants are decimal. */
static void put_digits(struct gcn_printer *p, int64_t v)
{
	if (v >= -16 && v <= 64)
		PUT("%" PRId64, v);
	else
		PUT("0x%" PRIx64, (uint64_t)v);
}

static void put_number(struct gcn_printer *p, int64_t v)
{
	gcn_comma(&p->t);
	put_digits(p, v);
}

/* A literal equal to an inline constant is written as the constant. Of 16-bit operands the lower half counts. */
static void put_literal(struct gcn_printer *p, uint32_t v, unsigned type)
{
	bool half = type == T_F16 || type == T_B16 || type == T_U16 || type == T_I16;
	unsigned last = CODE_1_2PI + (p->w->generation >= GCN_12);
	v = half ? v & 0xffff : v;
	for (unsigned code = CODE_FLOAT; code < last && registers(type) < 2; code++)
		if (gcn_constant(code, half ? T_F16 : T_B32) == v) {
			gcn_put_source(p, code, 1);
			return;
		}
	int32_t n = half ? (int16_t)v : (int32_t)v;
	put_digits(p, n < 0 && n >= -16 && registers(type) < 2 ? n : (int64_t)v);
}

/* 1/(2π) in full in doubles. */
static void put_typed(struct gcn_printer *p, unsigned code, unsigned type)
{
	if (code == CODE_1_2PI && p->w->generation >= GCN_12 && registers(type) == 2)
		PUT("0.15915494309189532");
	else if (code == CODE_LITERAL && p->w->second == LAYOUT_LITERAL)
		put_literal(p, field(p, F_LITERAL), type);
	else
		gcn_put_source(p, code, registers(type));
}

static void put_modified(struct gcn_printer *p, unsigned code, unsigned type, bool neg, bool abs, bool sext)
{
	bool constant = code >= CODE_INT && code < CODE_V && !(code >= CODE_VCCZ && code <= CODE_LDS) &&
			!gcn_aperture(p->w->generation, code);
	bool called = neg && !abs && constant && !sext;
	gcn_comma(&p->t);
	PUT("%s%s%s", sext ? "sext(" : "", called ? "neg(" : neg ? "-" : "", abs ? "|" : "");
	put_typed(p, code, type);
	PUT("%s%s%s", abs ? "|" : "", called ? ")" : "", sext ? ")" : "");
}

/* ---- scalar ---- */

static void put_hwreg(struct gcn_printer *p)
{
	static const char *const names[] = {
		[1] = "MODE", [2] = "STATUS", [3] = "TRAPSTS", [4] = "HW_ID", [5] = "GPR_ALLOC", [6] = "LDS_ALLOC",
		[7] = "IB_STS", [15] = "SH_MEM_BASES",
	};
	uint32_t v = field(p, F_IMM), id = v & 63, first = v >> 6 & 31, size = (v >> 11) + 1;
	unsigned n = p->w->generation == GCN_14 ? 16 : 8;
	gcn_comma(&p->t);
	if (id < n && names[id])
		PUT("hwreg(HW_REG_%s", names[id]);
	else
		PUT("hwreg(%u", id);
	if (first || size != 32)
		PUT(", %u, %u", first, size);
	PUT(")");
}

static void put_waitcnt(struct gcn_printer *p)
{
	bool wide = p->w->generation == GCN_14;
	uint32_t v = field(p, F_IMM), most = wide ? 63 : 15;
	unsigned vm = (v & 15) | (wide ? v >> 10 & 0x30 : 0), exp = v >> 4 & 7, lgkm = v >> 8 & 15;
	bool all = vm == most && exp == 7 && lgkm == 15;
	if (all || vm != most)
		PUT(" vmcnt(%u)", vm);
	if (all || exp != 7)
		PUT(" expcnt(%u)", exp);
	if (all || lgkm != 15)
		PUT(" lgkmcnt(%u)", lgkm);
}

/* Messages of a generation; operations of gs (not nop), gs_done and the system. */
static const char *message_name(enum gcn_generation g, unsigned id)
{
	static const char *const names[] = {
		NULL, "INTERRUPT", "GS", "GS_DONE", "SAVEWAVE", "STALL_WAVE_GEN", "HALT_WAVES", "ORDERED_PS_DONE",
		"EARLY_PRIM_DEALLOC", "GS_ALLOC_REQ", "GET_DOORBELL"
	};
	return id == 15 ? "SYSMSG" : gcn_message(g, id) ? names[id] : NULL;
}

static void put_message(struct gcn_printer *p)
{
	static const char *const gs[] = { "GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT" };
	static const char *const system[] = {
		NULL, "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD", "SYSMSG_OP_HOST_TRAP_ACK",
		"SYSMSG_OP_TTRACE_PC", NULL, NULL, NULL
	};
	uint32_t v = field(p, F_IMM);
	unsigned id = v & 15, op = v >> 4 & 7, stream = v >> 8 & 3;
	const char *name = message_name(p->w->generation, id);
	bool geometry = id == 2 || id == 3;
	bool valid = name && (geometry ? op < 4 && (op || id == 3) : id == 15 ? system[op] != NULL : !op) &&
		     (!stream || (geometry && op));
	if (v & ~0x37fu)
		PUT(" %" PRIu32, v);
	else if (!valid)
		PUT(" sendmsg(%u, %u, %u)", id, op, stream);
	else if (geometry && op)
		PUT(" sendmsg(MSG_%s, %s, %u)", name, gs[op], stream);
	else if (geometry || id == 15)
		PUT(" sendmsg(MSG_%s, %s)", name, id == 15 ? system[op] : gs[op]);
	else
		PUT(" sendmsg(MSG_%s)", name);
}

/* The operands of vector instructions indexed by M0. */
static void put_index_mode(struct gcn_printer *p, uint32_t v)
{
	static const char *const names[] = { "SRC0", "SRC1", "SRC2", "DST" };
	const char *comma = "";
	if (v > 15) {
		PUT("0x%" PRIx32, v);
		return;
	}
	PUT("gpr_idx(");
	for (unsigned i = 0; i < 4; i++)
		if (v >> i & 1) {
			PUT("%s%s", comma, names[i]);
			comma = ",";
		}
	PUT(")");
}

static void print_sopp(struct gcn_printer *p)
{
	unsigned type = p->row->s[0];
	uint32_t v = field(p, F_IMM);
	if (strcmp(p->name, "s_set_gpr_idx_mode") == 0) {
		gcn_comma(&p->t);
		put_index_mode(p, v);
		return;
	}
	if (type == T_WAIT)
		put_waitcnt(p);
	else if (type == T_MSG)
		put_message(p);
	else if (type == T_REL)
		PUT(" %" PRIu32, v);
	else if (type != T_ZERO)
		put_number(p, v);
	else if (v)
		PUT(" %" PRIu32, v);
}

static void print_sopk(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	unsigned type = r->d != T___ ? r->d : r->s[1];
	bool last = r->s[0] == T_HWREG && r->d == T___;
	if (!last)
		put_plain(p, field(p, F_DST), registers(type));
	if (r->s[0] == T_HWREG) {
		put_hwreg(p);
	} else {
		gcn_comma(&p->t);
		PUT(r->s[0] == T_REL ? "%" PRIu32 : "0x%" PRIx32, field(p, F_IMM));
	}
	if (r->s[1] == T_IMM32) {
		gcn_comma(&p->t);
		put_literal(p, field(p, F_LITERAL), T_B32);
	} else if (last) {
		put_plain(p, field(p, F_DST), registers(type));
	}
}

static void print_scalar(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	if (r->d != T___)
		put_plain(p, field(p, F_DST), registers(r->d));
	for (unsigned i = 0; i < 2; i++) {
		if (r->s[i] == T___)
			continue;
		gcn_comma(&p->t);
		if (r->s[i] == T_IMM8)
			put_index_mode(p, field(p, F_SRC0 + i));
		else
			put_typed(p, field(p, F_SRC0 + i), r->s[i]);
	}
}

static void put_smem_offset(struct gcn_printer *p)
{
	int64_t v = gcn_offset(p);
	gcn_comma(&p->t);
	if (p->w->second == LAYOUT_LITERAL)
		PUT("0x%" PRIx32, field(p, F_LITERAL));
	else if (!field(p, F_IMM_FLAG))
		gcn_put_source(p, field(p, F_SOE) ? field(p, F_SOFFSET) : field(p, F_OFFSET) & 255, 1);
	else
		PUT("%s0x%" PRIx64, v < 0 ? "-" : "", v < 0 ? -v : v);
}

static void print_smem(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	unsigned data = gcn_smem_data(r);
	if (data == T_IMM8)
		put_number(p, field(p, F_DST));
	else if (data != T___)
		put_plain(p, field(p, F_DST), registers(data));
	if (r->s[0] != T___) {
		put_plain(p, field(p, F_SBASE), registers(r->s[0]));
		put_smem_offset(p);
	}
	put_flag(p, "glc", F_GLC);
}

/* ---- vector ---- */

/* Compares of integers with other names: not equal, and true. */
static void put_mnemonic(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	const char *condition = strstr(p->name, "_lg_"), *truth = strstr(p->name, "_tru_");
	bool integers = r->encoding == ENC_VOPC && r->s[0] != T_F16 && r->s[0] != T_F32 && r->s[0] != T_F64;
	if (integers && condition)
		PUT("%.*s_ne_%s", (int)(condition - p->name), p->name, condition + 4);
	else if (integers && truth)
		PUT("%.*s_t_%s", (int)(truth - p->name), p->name, truth + 5);
	else
		PUT("%s", p->name);
}

/* The suffix of a name: the form, for rows with several. */
static const char *suffix(const struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool wide = p->w->layout == LAYOUT_VOP3 || p->w->layout == LAYOUT_VOP3B;
	if (p->w->second == LAYOUT_DPP)
		return "_dpp";
	if (p->w->second == LAYOUT_SDWA || p->w->second == LAYOUT_SDWAB)
		return "_sdwa";
	if (r->encoding == ENC_VINTRP)
		return "_e32";
	if (r->flags & INTERP)
		return strstr(p->name, "_f32") ? "_e64" : "";
	if (r->encoding > ENC_VOPC || r->encoding < ENC_VOP1 || (r->flags & (LITERAL1 | LITERAL2 | LANE | SDST)))
		return "";
	return wide ? "_e64" : strcmp(p->name, "v_nop") && strcmp(p->name, "v_swap_b32") ? "_e32" : "";
}

static void put_output_modifiers(struct gcn_printer *p)
{
	static const char *const names[] = { "", " mul:2", " mul:4", " div:2" };
	put_flag(p, "clamp", F_CLAMP);
	PUT("%s", names[field(p, F_OMOD)]);
}

static void put_selection(struct gcn_printer *p)
{
	static const char *const selectors[] = {
		"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "invalid"
	};
	static const char *const unused[] = { "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "invalid" };
	bool compare = p->w->layout == LAYOUT_VOPC;
	put_output_modifiers(p);
	if (!compare)
		PUT(" dst_sel:%s dst_unused:%s", selectors[field(p, F_DST_SEL)], unused[field(p, F_DST_UNUSED)]);
	PUT(" src0_sel:%s", selectors[field(p, F_SRC0_SEL)]);
	if (p->row->s[1] != T___)
		PUT(" src1_sel:%s", selectors[field(p, F_SRC1_SEL)]);
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
	else
		PUT(" %s", n->name ? n->llvm : "/* Invalid dpp_ctrl value */");
	PUT(" row_mask:0x%x bank_mask:0x%x", field(p, F_ROW_MASK), field(p, F_BANK_MASK));
	if (field(p, F_BOUND_CTRL))
		PUT(" bound_ctrl:1");
}

static void put_short_source(struct gcn_printer *p, unsigned i)
{
	put_modified(p, gcn_short_source(p, i), p->row->s[i], field(p, F_NEG) >> i & 1, field(p, F_ABS) >> i & 1,
		     field(p, F_SEXT) >> i & 1);
}

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
	if (p->w->second == LAYOUT_SDWA || p->w->second == LAYOUT_SDWAB)
		put_selection(p);
	else if (p->w->second == LAYOUT_DPP)
		put_lanes(p);
}

static void put_bits(struct gcn_printer *p, const char *name, unsigned bits, unsigned n)
{
	PUT(" %s:[", name);
	for (unsigned i = 0; i < n; i++)
		PUT("%s%u", i ? "," : "", bits >> i & 1);
	PUT("]");
}

static unsigned count_sources(const struct gcn_printer *p)
{
	return (unsigned)__builtin_popcount(gcn_sources(p->row));
}

static void put_interpolated(struct gcn_printer *p, uint32_t attribute, uint32_t channel, uint32_t source)
{
	static const char *const names[] = { "p10", "p20", "p0" };
	put_v(p, field(p, F_DST), 1);
	if (!strstr(p->name, "_mov_"))
		put_plain(p, source, 1);
	else if (source < 3)
		put_word(p, names[source]);
	else
		PUT(", invalid_param_%u", source);
	PUT(", attr%u.%c", attribute, "xyzw"[channel]);
}

/* VOP3 of interpolation has the attribute in src0. */
static void print_interpolation(struct gcn_printer *p)
{
	uint32_t a = field(p, F_SRC0);
	put_interpolated(p, a & 63, a >> 6 & 3, field(p, F_SRC1));
	if (p->row->s[2] != T___)
		put_modified(p, field(p, F_SRC2), p->row->s[2], field(p, F_NEG) & 4, field(p, F_ABS) & 4, false);
	if (a >> 8)
		PUT(" high");
	put_output_modifiers(p);
}

static void print_vop3(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool b = p->w->layout == LAYOUT_VOP3B;
	unsigned n = count_sources(p);
	if (r->encoding == ENC_VOPC || (r->flags & SDST))
		put_plain(p, field(p, F_DST), registers(r->d));
	else if (r->d != T___)
		put_v(p, field(p, F_DST), registers(r->d));
	if (b)
		put_plain(p, field(p, F_SDST), 2);
	for (unsigned i = 0; i < 3; i++) {
		bool neg = field(p, F_NEG) >> i & 1, exponent = i == 1 && strncmp(p->name, "v_ldexp_", 8) == 0;
		if (r->s[i] != T___)
			put_modified(p, field(p, F_SRC0 + i), r->s[i], neg && !exponent,
				     !b && (field(p, F_ABS) >> i & 1), neg && exponent);
	}
	if (field(p, F_OPSEL))
		put_bits(p, "op_sel", (field(p, F_OPSEL) & 7) | (field(p, F_OPSEL) >> 3) << n, n + 1);
	put_output_modifiers(p);
}

/* Instructions on halves, and mixed-precision instructions: the latter have signs, and whole registers by default. */
static void print_vop3p(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool mixes = strstr(p->name, "_mix") != NULL;
	unsigned n = count_sources(p), all = (1u << n) - 1;
	put_v(p, field(p, F_DST), registers(r->d));
	for (unsigned i = 0; i < n; i++)
		put_modified(p, field(p, F_SRC0 + i), r->s[i], mixes && (field(p, F_NEG) >> i & 1),
			     mixes && (field(p, F_NEG_HI) >> i & 1), false);
	if (field(p, F_OPSEL) & all)
		put_bits(p, "op_sel", field(p, F_OPSEL), n);
	if ((field(p, F_OPSEL_HI) & all) != (mixes ? 0 : all))
		put_bits(p, "op_sel_hi", field(p, F_OPSEL_HI), n);
	if (!mixes && (field(p, F_NEG) & all))
		put_bits(p, "neg_lo", field(p, F_NEG), n);
	if (!mixes && (field(p, F_NEG_HI) & all))
		put_bits(p, "neg_hi", field(p, F_NEG_HI), n);
	put_flag(p, "clamp", F_CLAMP);
}

/* ---- memory ---- */

/* The offset of ds_swizzle_b32 by its effect: lanes of a quad, or the bits of a lane's number that are kept, set and
 * inverted, with names for swaps, reversals and broadcasts. */
static void put_swizzle(struct gcn_printer *p, uint32_t v)
{
	unsigned keep = v & 31, set = v >> 5 & 31, flip = v >> 10 & 31, group = 32 - keep;
	if (!v)
		return;
	if ((v & 0xff00) == 0x8000)
		PUT(" offset:swizzle(QUAD_PERM,%u,%u,%u,%u)", v & 3, v >> 2 & 3, v >> 4 & 3, v >> 6 & 3);
	else if (v & 0x8000)
		PUT(" offset:%" PRIu32, v);
	else if (keep == 31 && !set && __builtin_popcount(flip) == 1)
		PUT(" offset:swizzle(SWAP,%u)", flip);
	else if (keep == 31 && !set && flip && !(flip & (flip + 1)))
		PUT(" offset:swizzle(REVERSE,%u)", flip + 1);
	else if (group > 1 && !(group & (group - 1)) && set < group && !flip)
		PUT(" offset:swizzle(BROADCAST,%u,%u)", group, set);
	else {
		unsigned zero = set ^ flip, one = (keep | set) ^ flip;
		PUT(" offset:swizzle(BITMASK_PERM,\"");
		for (unsigned bit = 16; bit; bit >>= 1)
			PUT("%c", (zero & bit) == (one & bit) ? (zero & bit ? '1' : '0') : zero & bit ? 'i' : 'p');
		PUT("\")");
	}
}

static void print_ds(struct gcn_printer *p)
{
	static const uint8_t places[] = { F_VADDR, F_DATA0, F_DATA1 };
	const struct gcn_row *r = p->row;
	uint32_t offset = field(p, F_OFFSET);
	if (r->d != T___)
		put_v(p, field(p, F_DST), registers(r->d));
	for (unsigned i = 0; i < 3; i++)
		if (r->s[i] != T___)
			put_v(p, field(p, places[i]), registers(r->s[i]));
	if (strcmp(p->name, "ds_swizzle_b32") == 0)
		put_swizzle(p, offset);
	else if (!(r->flags & PAIR) && offset)
		PUT(" offset:%" PRIu32, offset);
	if ((r->flags & PAIR) && (offset & 255))
		PUT(" offset0:%" PRIu32, offset & 255);
	if ((r->flags & PAIR) && offset >> 8)
		PUT(" offset1:%" PRIu32, offset >> 8);
	put_flag(p, "gds", F_GDS);
}

static void put_format(struct gcn_printer *p)
{
	static const char *const data[] = {
		"INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2", "2_10_10_10",
		"8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"
	};
	static const char *const number[] = {
		"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"
	};
	unsigned d = field(p, F_DFMT), n = field(p, F_NFMT);
	const char *type = n == 6 && p->w->generation < GCN_12 ? "SNORM_OGL" : number[n];
	if (d != 1 && n)
		PUT(" format:[BUF_DATA_FORMAT_%s,BUF_NUM_FORMAT_%s]", data[d], type);
	else if (d != 1)
		PUT(" format:[BUF_DATA_FORMAT_%s]", data[d]);
	else if (n)
		PUT(" format:[BUF_NUM_FORMAT_%s]", type);
}

static void print_buffer(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool both = field(p, F_OFFEN) && field(p, F_IDXEN), wide = field(p, F_ADDR64);
	bool none = !field(p, F_OFFEN) && !field(p, F_IDXEN) && !wide;
	if (r->flags & BARE)
		return;
	if (!(r->flags & RSRC)) {
		put_v(p, field(p, F_DATA0), gcn_data_registers(p->w->generation, r));
		if (none)
			put_word(p, "off");
		else
			put_v(p, field(p, F_VADDR), both || wide ? 2 : 1);
	}
	put_plain(p, field(p, F_SRSRC), 4);
	put_plain(p, field(p, F_SOFFSET), 1);
	if (p->w->layout == LAYOUT_MTBUF)
		put_format(p);
	put_flag(p, "idxen", F_IDXEN);
	put_flag(p, "offen", F_OFFEN);
	put_flag(p, "addr64", F_ADDR64);
	if (field(p, F_OFFSET))
		PUT(" offset:%" PRIu32, field(p, F_OFFSET));
	put_flag(p, "glc", F_GLC);
	put_flag(p, "slc", F_SLC);
	put_flag(p, "tfe", F_TFE);
	put_flag(p, "lds", F_LDS);
}

static void put_flat_offset(struct gcn_printer *p)
{
	if (gcn_offset(p))
		PUT(" offset:%" PRId64, gcn_offset(p));
}

/* An atomic returns the old value only with glc. */
static void print_flat(struct gcn_printer *p)
{
	const struct gcn_row *r = p->row;
	bool segment = r->encoding != ENC_FLAT, scratch = r->encoding == ENC_SCRATCH;
	bool saddr = segment && field(p, F_SADDR) != 127, atomic = r->d != T___ && r->s[0] != T___;
	if (r->d != T___ && (!atomic || field(p, F_GLC)))
		put_v(p, field(p, F_DST), registers(r->d));
	if (scratch && saddr)
		put_word(p, "off");
	else
		put_v(p, field(p, F_VADDR), scratch || saddr ? 1 : 2);
	if (r->s[0] != T___)
		put_v(p, field(p, F_DATA0), registers(r->s[0]));
	if (saddr)
		put_plain(p, field(p, F_SADDR), scratch ? 1 : 2);
	else if (segment)
		put_word(p, "off");
	put_flat_offset(p);
	put_flag(p, "glc", F_GLC);
	put_flag(p, "slc", F_SLC);
}

static void print_image(struct gcn_printer *p)
{
	unsigned data = (unsigned)__builtin_popcount(field(p, F_DMASK));
	put_v(p, field(p, F_DATA0), (data ? data : 1) + field(p, F_TFE));
	put_v(p, field(p, F_VADDR), 1);
	put_plain(p, field(p, F_SRSRC), p->w->generation < GCN_14 && field(p, F_R128) ? 4 : 8);
	if (p->row->flags & SAMPLER)
		put_plain(p, field(p, F_SSAMP), 4);
	PUT(" dmask:0x%x", field(p, F_DMASK));
	put_flag(p, "unorm", F_UNORM);
	put_flag(p, "glc", F_GLC);
	put_flag(p, "slc", F_SLC);
	put_flag(p, p->w->generation == GCN_14 ? "a16" : "r128", F_R128);
	put_flag(p, "tfe", F_TFE);
	put_flag(p, "lwe", F_LWE);
	put_flag(p, "da", F_DA);
	put_flag(p, "d16", F_D16);
}

static void print_export(struct gcn_printer *p)
{
	static const uint8_t sources[] = { F_VADDR, F_DATA0, F_DATA1, F_DST };
	unsigned n = field(p, F_TARGET);
	if (n < 8)
		PUT(" mrt%u", n);
	else if (n == 8 || n == 9)
		PUT(" %s", n == 8 ? "mrtz" : "null");
	else if (n >= 12 && n < 16)
		PUT(" pos%u", n - 12);
	else if (n >= 32)
		PUT(" param%u", n - 32);
	else
		PUT(" invalid_target_%u", n);
	for (unsigned i = 0; i < 4; i++) {
		PUT("%s ", i ? "," : "");
		if (field(p, F_ENABLE) >> i & 1)
			gcn_put_source(p, CODE_V + field(p, sources[field(p, F_COMPR) ? i / 2 : i]), 1);
		else
			PUT("off");
	}
	put_flag(p, "done", F_DONE);
	put_flag(p, "compr", F_COMPR);
	put_flag(p, "vm", F_VM);
}

static void print_vop3_or_interpolation(struct gcn_printer *p)
{
	if (p->row->flags & INTERP)
		print_interpolation(p);
	else
		print_vop3(p);
}

static void print_vintrp(struct gcn_printer *p)
{
	put_interpolated(p, field(p, F_ATTRIBUTE), field(p, F_CHANNEL),
			 field(p, F_SRC0) + (strstr(p->name, "_mov_") ? 0 : CODE_V));
}

static gcn_printer_fn *const printers[LAYOUT_COUNT] = {
	GCN_PRINTERS
	[LAYOUT_VOP3] = print_vop3_or_interpolation,
	[LAYOUT_VOP3B] = print_vop3_or_interpolation,
};

void gcn_print_llvm(struct gcn_printer *p)
{
	put_mnemonic(p);
	PUT("%s", suffix(p));
	printers[p->w->layout](p);
}
