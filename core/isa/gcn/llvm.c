/* The syntax of LLVM's disassembler (llvm-mc 14): what print.c's walk leaves to the syntax. Conventions: llvm-mc's own
 * output (vectors/gcn/operands). */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/isa/gcn/printer.h"

static void put_upper(struct gcn_printer *p, const char *name)
{
	for (; *name; name++)
		PUT("%c", toupper((unsigned char)*name));
}

/* Numbers in the range of inline constants are decimal. */
static void put_digits(struct gcn_printer *p, int64_t v)
{
	if (v >= -16 && v <= 64)
		PUT("%" PRId64, v);
	else
		PUT("0x%" PRIx64, (uint64_t)v);
}

/* A literal equal to an inline constant is written as the constant. Of 16-bit operands the lower half counts. */
static void put_literal(struct gcn_printer *p, enum gcn_type type)
{
	uint32_t v = field(p, F_LITERAL);
	bool half = type == T_F16 || type == T_B16 || type == T_U16 || type == T_I16;
	unsigned last = CODE_1_2PI + (p->w->generation >= GCN_12);
	v = half ? v & 0xffff : v;
	for (unsigned code = CODE_FLOAT; code < last && gcn_type_bytes[type] < 8; code++)
		if (gcn_constant(code, half ? T_F16 : T_B32) == v) {
			gcn_put_source(p, code, 1);
			return;
		}
	int32_t n = half ? (int16_t)v : (int32_t)v;
	put_digits(p, n < 0 && n >= -16 && gcn_type_bytes[type] < 8 ? n : (int64_t)v);
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
	PUT("%s", suffix(p));
}

static void put_target(struct gcn_printer *p)
{
	PUT("%" PRIu32, field(p, F_IMM));
}

/* LLVM's registers with a name. */
static void put_hwreg(struct gcn_printer *p)
{
	uint32_t v = field(p, F_IMM), id = v & 63, start = v >> 6 & 31, size = (v >> 11) + 1;
	bool named = (id && id < 8) || (id == 15 && p->w->generation == GCN_14);
	PUT("hwreg(");
	if (named)
		PUT("HW_REG_"), put_upper(p, gcn_hwreg(p->w->generation, id));
	else
		PUT("%" PRIu32, id);
	if (start || size != 32)
		PUT(", %" PRIu32 ", %" PRIu32, start, size);
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

/* Operations of gs (not nop), gs_done and the system are named. */
static void put_message(struct gcn_printer *p)
{
	static const char *const gs[] = { "GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT" };
	static const char *const system[] = {
		NULL, "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD", "SYSMSG_OP_HOST_TRAP_ACK",
		"SYSMSG_OP_TTRACE_PC", NULL, NULL, NULL
	};
	uint32_t v = field(p, F_IMM);
	unsigned id = v & 15, op = v >> 4 & 7, stream = v >> 8 & 3;
	const char *name = id == 15 ? "sysmsg" : gcn_message(p->w->generation, id);
	bool geometry = id == 2 || id == 3;
	bool valid = name && (geometry ? op < 4 && (op || id == 3) : id == 15 ? system[op] != NULL : !op) &&
		     (!stream || (geometry && op));
	if (v & ~0x37fu) {
		PUT(" %" PRIu32, v);
		return;
	}
	if (!valid) {
		PUT(" sendmsg(%u, %u, %u)", id, op, stream);
		return;
	}
	PUT(" sendmsg(MSG_");
	put_upper(p, name);
	if (geometry || id == 15)
		PUT(", %s", id == 15 ? system[op] : gs[op]);
	if (geometry && op)
		PUT(", %u", stream);
	PUT(")");
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

static void put_immediate(struct gcn_printer *p, uint32_t v)
{
	if (strcmp(p->name, "s_set_gpr_idx_mode") == 0)
		put_index_mode(p, v);
	else
		put_digits(p, v);
}

static void put_smem_offset(struct gcn_printer *p)
{
	int64_t v = gcn_offset(p);
	if (p->w->second == LAYOUT_LITERAL)
		PUT("0x%" PRIx32, field(p, F_LITERAL));
	else if (!field(p, F_IMM_FLAG))
		gcn_put_source(p, field(p, F_SOE) ? field(p, F_SOFFSET) : field(p, F_OFFSET) & 255, 1);
	else
		PUT("%s0x%" PRIx64, v < 0 ? "-" : "", v < 0 ? -v : v);
}

static void put_selection(struct gcn_printer *p)
{
	static const char *const selectors[] = {
		"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "invalid"
	};
	static const char *const unused[] = { "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "invalid" };
	bool compare = p->w->layout == LAYOUT_VOPC;
	if (!compare)
		PUT(" dst_sel:%s dst_unused:%s", selectors[field(p, F_DST_SEL)], unused[field(p, F_DST_UNUSED)]);
	PUT(" src0_sel:%s", selectors[field(p, F_SRC0_SEL)]);
	if (p->row->s[1] != T___)
		PUT(" src1_sel:%s", selectors[field(p, F_SRC1_SEL)]);
}

/* What becomes of a lane's number, bit by bit: a 0, a 1, the bit as it is (p) or inverted (i). `zero` and `one` are the
 * numbers that lanes 0 and 31 read from. */
static void put_bitmask(struct gcn_printer *p, unsigned zero, unsigned one)
{
	PUT(" offset:swizzle(BITMASK_PERM,\"");
	for (unsigned bit = 16; bit; bit >>= 1)
		PUT("%c", (zero & bit) == (one & bit) ? (zero & bit ? '1' : '0') : zero & bit ? 'i' : 'p');
	PUT("\")");
}

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
	else
		put_bitmask(p, set ^ flip, (keep | set) ^ flip);
}

static void put_format(struct gcn_printer *p)
{
	unsigned d = field(p, F_DFMT), n = field(p, F_NFMT);
	if (d == 1 && !n)
		return;
	PUT(" format:[");
	if (d != 1) {
		PUT("BUF_DATA_FORMAT_");
		put_upper(p, gcn_data_formats[d]);
		PUT("%s%s", d == 15 ? "_15" : "", n ? "," : "");
	}
	if (n) {
		PUT("BUF_NUM_FORMAT_");
		put_upper(p, n == 6 && p->w->generation >= GCN_12 ? "reserved_6" : gcn_number_formats[n]);
	}
	PUT("]");
}

static void put_buffer_modifiers(struct gcn_printer *p)
{
	if (p->w->layout == LAYOUT_MTBUF)
		put_format(p);
	PUT_FLAGS(F_IDXEN, F_OFFEN, F_ADDR64);
	if (field(p, F_OFFSET))
		PUT(" offset:%" PRIu32, field(p, F_OFFSET));
	PUT_FLAGS(F_GLC, F_SLC, F_TFE, F_LDS);
}

const struct gcn_manner gcn_manner_llvm = {
	.aperture = "src_", .special = { "src_vccz", "src_execz", "src_scc", "src_lds_direct" },
	.absolute = { "|", "|" }, .parameter = "invalid_param_", .export = "invalid_target_",
	.mnemonic = put_mnemonic, .hwreg = put_hwreg, .waits = put_waitcnt, .message = put_message,
	.target = put_target, .smem_offset = put_smem_offset, .selection = put_selection,
	.buffer_modifiers = put_buffer_modifiers, .immediate = put_immediate, .indexed = put_index_mode,
	.swizzle = put_swizzle, .literal = put_literal,
};
