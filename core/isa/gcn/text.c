/* Texts of operands and flags, in any syntax. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/isa/gcn/printer.h"

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

uint32_t gcn_target(uint32_t pc, uint32_t imm)
{
	return pc + 4 + 4 * (uint32_t)gcn_number_value(gcn_operand_number(T_REL), imm);
}

int64_t gcn_offset(const struct gcn_printer *p)
{
	return gcn_number_value(gcn_field_number(p->w->generation, p->row, F_OFFSET), p->w->f[F_OFFSET]);
}

static void put_range(struct gcn_printer *p, const char *file, unsigned n, unsigned count, unsigned wrap)
{
	if (count > 1)
		PUT("%s[%u:%u]", file, n, (n + count - 1) % wrap);
	else
		PUT("%s%u", file, n);
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
	else if (v >= -16 && v <= 64 && p->manner->lossless)
		PUT("lit(%" PRId32 ")", v);
	else
		PUT("0x%" PRIx32, (uint32_t)v);
}

static bool put_special(struct gcn_printer *p, unsigned code)
{
	static const char *const floats[] = {
		"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"
	};
	const char *aperture = gcn_aperture(p->w->generation, code);
	if (aperture)
		PUT("%s%s", p->manner->aperture, aperture);
	else if (code >= CODE_INT && code < CODE_NEGATIVE)
		PUT("%u", code - CODE_INT);
	else if (code >= CODE_NEGATIVE && code <= 208)
		PUT("-%u", code - (CODE_NEGATIVE - 1));
	else if (code >= CODE_FLOAT && code < CODE_1_2PI + (p->w->generation >= GCN_12))
		PUT("%s", floats[code - CODE_FLOAT]);
	else if (code >= CODE_VCCZ && code <= CODE_LDS)
		PUT("%s", p->manner->special[code - CODE_VCCZ]);
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
		put_range(p, "v", code - CODE_V, count, 256);
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

void gcn_put_flags(struct gcn_printer *p, const uint8_t *flags)
{
	static const char *const names[F_COUNT] = {
		[F_CLAMP] = "clamp", [F_GLC] = "glc", [F_SLC] = "slc", [F_NV] = "nv", [F_TFE] = "tfe", [F_LDS] = "lds",
		[F_GDS] = "gds", [F_OFFEN] = "offen", [F_IDXEN] = "idxen", [F_ADDR64] = "addr64", [F_DONE] = "done",
		[F_COMPR] = "compr", [F_VM] = "vm", [F_UNORM] = "unorm", [F_R128] = "r128", [F_LWE] = "lwe",
		[F_DA] = "da", [F_D16] = "d16", [F_BOUND_CTRL] = "bound_ctrl",
	};
	for (; *flags; flags++)
		if (field(p, *flags))
			PUT(" %s", *flags == F_R128 && p->w->generation == GCN_14 ? "a16" : names[*flags]);
}

unsigned gcn_sources(const struct gcn_row *r)
{
	return (r->s[0] != T___) | (r->s[1] != T___) << 1 | (r->s[2] != T___) << 2;
}
