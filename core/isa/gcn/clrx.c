/* CLRX's syntax: what print.c's walk leaves to the syntax. The rules are those of spec gcn-text. */
#include <inttypes.h>

#include "core/isa/gcn/printer.h"

static void put_mnemonic(struct gcn_printer *p)
{
	PUT("%s", p->name);
}

static void put_target(struct gcn_printer *p)
{
	if (p->label)
		PUT("%s", p->label);
	else
		PUT("0x%" PRIx32, gcn_target(p->pc, field(p, F_IMM)));
}

static void put_number(struct gcn_printer *p, uint32_t v)
{
	PUT("0x%" PRIx32, v);
}

static void put_hwreg(struct gcn_printer *p)
{
	uint32_t v = field(p, F_IMM);
	const char *name = gcn_hwreg(p->w->generation, v & 63);
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

static void put_smem_offset(struct gcn_printer *p)
{
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

static void put_selection(struct gcn_printer *p)
{
	bool named = p->w->second == LAYOUT_SDWA, any = false;
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

static void put_buffer_modifiers(struct gcn_printer *p)
{
	PUT_FLAGS(F_OFFEN, F_IDXEN);
	if (field(p, F_OFFSET))
		PUT(" offset:%" PRIu32, field(p, F_OFFSET));
	PUT_FLAGS(F_GLC, F_SLC, F_ADDR64, F_LDS, F_TFE);
	if (p->w->layout == LAYOUT_MTBUF)
		put_format(p);
}

const struct gcn_manner gcn_manner_clrx = {
	.lossless = true, .aperture = "", .special = { "vccz", "execz", "scc", "lds" }, .absolute = { "abs(", ")" },
	.parameter = "invalid_", .export = "ill_",
	.mnemonic = put_mnemonic, .hwreg = put_hwreg, .waits = put_waitcnt, .message = put_message,
	.target = put_target, .smem_offset = put_smem_offset, .selection = put_selection,
	.buffer_modifiers = put_buffer_modifiers, .immediate = put_number, .indexed = put_number,
};
