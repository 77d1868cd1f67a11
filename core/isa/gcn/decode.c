/* From fields to struct insn: what gcn.h says that an executor finds. */
#include <string.h>

#include "core/isa/gcn/names.h"
#include "core/isa/gcn/ops.h"
#include "core/isa/gcn/text.h"

struct taker {
	const struct gcn_word *w;
	const struct gcn_row *row;
	struct insn *in;
};

static uint32_t field(const struct taker *t, enum gcn_field f)
{
	return t->w->f[f];
}

static struct opnd vector(unsigned n, unsigned bytes)
{
	return (struct opnd){ .shape = OPND_REG, .file = FILE_V, .reg = (uint16_t)n, .width = (uint8_t)bytes };
}

static struct opnd number(int64_t value)
{
	return (struct opnd){ .shape = OPND_IMM, .width = 4, .value = (int32_t)value };
}

/* What a source code stands for in an operand of the type. */
static struct opnd source(const struct taker *t, unsigned code, unsigned type)
{
	unsigned bytes = gcn_type_bytes[type];
	struct opnd o = { .shape = OPND_REG, .file = FILE_S, .reg = (uint16_t)code, .width = (uint8_t)bytes };
	if (code >= CODE_V)
		return vector(code - CODE_V, bytes);
	if (!gcn_code_exists(t->w->generation, code)) {
		o.file = FILE_ILLEGAL;
	} else if (code == CODE_LITERAL) {
		o.shape = OPND_IMM;
		o.value = (int32_t)field(t, F_LITERAL);
	} else if (code >= CODE_VCCZ || gcn_aperture(t->w->generation, code)) {
		o.file = FILE_SPECIAL;
	} else if (code >= CODE_INT) {
		o.shape = OPND_IMM;
		o.value = (int32_t)gcn_constant(code, type);
	}
	return o;
}

static void take_source(struct taker *t, unsigned i, struct opnd o)
{
	t->in->src[i] = o;
	if (t->in->nsrc <= i)
		t->in->nsrc = (uint8_t)(i + 1);
}

static struct opnd immediate(const struct taker *t, unsigned type)
{
	uint32_t v = field(t, F_IMM);
	if (type == T_REL)
		return (struct opnd){ .shape = OPND_TARGET, .value = (int32_t)gcn_target(t->in->pc, v) };
	return number(gcn_operand_number(type).bits ? gcn_number_value(gcn_operand_number(type), v) : v);
}

/* The number in a field, in units; in bytes. */
static int64_t units(const struct taker *t, enum gcn_field f)
{
	return gcn_number_value(gcn_field_number(t->w->generation, t->row, f), field(t, f));
}

static int64_t bytes_in(const struct taker *t, enum gcn_field f)
{
	return units(t, f) * gcn_field_number(t->w->generation, t->row, f).unit;
}

static void take_scalar(struct taker *t)
{
	const struct gcn_row *r = t->row;
	bool wide = t->w->layout == LAYOUT_SOPK;
	if (r->d != T___)
		t->in->dst = source(t, field(t, F_DST), r->d);
	if (wide || t->w->layout == LAYOUT_SOPP) {
		take_source(t, 0, immediate(t, r->s[0]));
		if (r->s[1] == T_IMM32)
			take_source(t, 1, source(t, CODE_LITERAL, T_B32));
		else if (r->s[1] != T___)
			take_source(t, 1, source(t, field(t, F_DST), r->s[1]));
		return;
	}
	for (unsigned i = 0; i < 2; i++)
		if (r->s[i] == T_IMM8)
			take_source(t, i, number((int32_t)field(t, F_SRC0 + i)));
		else if (r->s[i] != T___)
			take_source(t, i, source(t, field(t, F_SRC0 + i), r->s[i]));
}

/* A literal stays in its units, words: as bytes 32 bits do not hold it. A register counts bytes. */
static void take_smem(struct taker *t)
{
	const struct gcn_row *r = t->row;
	if (r->d != T___)
		t->in->dst = source(t, field(t, F_DST), r->d);
	if (r->s[0] == T___)
		return;
	take_source(t, 0, source(t, field(t, F_SBASE), r->s[0]));
	if (field(t, F_IMM_FLAG))
		take_source(t, 1, number(bytes_in(t, F_OFFSET)));
	else if (t->w->second == LAYOUT_LITERAL)
		take_source(t, 1, source(t, CODE_LITERAL, T_B32));
	else
		take_source(t, 1, source(t, field(t, F_SOE) ? field(t, F_SOFFSET) : field(t, F_OFFSET) & 255, T_B32));
	if (r->s[1] == T_IMM8)
		take_source(t, 2, number((int32_t)field(t, F_DST)));
	else if (r->s[1] != T___)
		take_source(t, 2, source(t, field(t, F_DST), r->s[1]));
	if (field(t, F_IMM_FLAG) && field(t, F_SOE))
		take_source(t, 3, source(t, field(t, F_SOFFSET), T_B32));
}

static void take_selection(struct taker *t)
{
	uint8_t *mod = t->in->mod;
	unsigned c = field(t, F_DPP_CTRL);
	if (t->w->second == LAYOUT_DPP) {
		mod[MOD_FORM] = FORM_DPP;
		mod[MOD_DPP_LOW] = (uint8_t)c;
		mod[MOD_DPP_HIGH] = (uint8_t)(c >> 8);
		mod[MOD_MASKS] = (uint8_t)(field(t, F_ROW_MASK) << 4 | field(t, F_BANK_MASK));
		mod[MOD_BOUND] = (uint8_t)field(t, F_BOUND_CTRL);
		return;
	}
	mod[MOD_FORM] = FORM_SDWA;
	mod[MOD_DST_SEL] = t->w->second == LAYOUT_SDWA ? (uint8_t)field(t, F_DST_SEL) : SEL_DWORD;
	mod[MOD_DST_UNUSED] = (uint8_t)field(t, F_DST_UNUSED);
	mod[MOD_SRC0_SEL] = (uint8_t)field(t, F_SRC0_SEL);
	mod[MOD_SRC1_SEL] = (uint8_t)field(t, F_SRC1_SEL);
}

/* The code of a source: in short forms the second one is a vector register, with a second word both are, unless it says
 * otherwise. */
static unsigned vector_code(const struct taker *t, unsigned i)
{
	bool lasting = t->w->layout == LAYOUT_VOP3 || t->w->layout == LAYOUT_VOP3B || t->w->layout == LAYOUT_VOP3P;
	bool second = t->w->second != LAYOUT_NONE && t->w->second != LAYOUT_LITERAL;
	unsigned v = field(t, F_SRC0 + i);
	if (lasting || (!i && !second) || (t->row->flags & LANE) || (field(t, F_SCALAR) >> i & 1))
		return v;
	return CODE_V + v;
}

static void take_vector_sources(struct taker *t)
{
	const struct gcn_row *r = t->row;
	bool lasting = t->w->layout == LAYOUT_VOP3 || t->w->layout == LAYOUT_VOP3B || t->w->layout == LAYOUT_VOP3P;
	for (unsigned i = 0; i < 3; i++) {
		if (r->s[i] == T___)
			continue;
		if (i == 2 && !lasting && (r->flags & CARRY_IN))
			take_source(t, i, source(t, CODE_VCC, T_B64));
		else if ((i == 1 && (r->flags & LITERAL1)) || (i == 2 && (r->flags & LITERAL2)))
			take_source(t, i, source(t, CODE_LITERAL, r->s[i]));
		else if (i == 2 && (r->flags & LITERAL1))
			take_source(t, i, source(t, vector_code(t, 1), r->s[i]));
		else
			take_source(t, i, source(t, vector_code(t, i), r->s[i]));
	}
}

static void take_condition(struct taker *t)
{
	unsigned op = t->row->op[t->w->generation], type = t->row->s[0];
	bool floats = type == T_F16 || type == T_F32 || type == T_F64;
	t->in->mod[MOD_CONDITION] = (uint8_t)(op & (floats ? 15 : 7));
}

static void take_vector(struct taker *t)
{
	const struct gcn_row *r = t->row;
	uint8_t *mod = t->in->mod;
	bool compare = r->encoding == ENC_VOPC;
	bool lasting = t->w->layout == LAYOUT_VOP3 || t->w->layout == LAYOUT_VOP3B;
	if (compare && !lasting)
		t->in->dst = source(t, field(t, F_SD) ? field(t, F_SDST) : CODE_VCC, T_B64);
	else if (compare || (r->flags & SDST))
		t->in->dst = source(t, field(t, F_DST), r->d);
	else if (r->d != T___)
		t->in->dst = vector(field(t, F_DST), gcn_type_bytes[r->d]);
	if (t->in->dst.file == FILE_S && t->in->dst.shape != OPND_NONE && t->in->dst.reg >= CODE_INT)
		t->in->dst.file = FILE_ILLEGAL;
	if (r->flags & CARRY_OUT)
		t->in->flags_dst = (uint8_t)(lasting ? field(t, F_SDST) : CODE_VCC);
	take_vector_sources(t);
	if (compare)
		take_condition(t);
	mod[MOD_NEG] = (uint8_t)field(t, F_NEG);
	mod[MOD_ABS] = (uint8_t)(t->w->layout == LAYOUT_VOP3P ? field(t, F_NEG_HI) : field(t, F_ABS));
	mod[MOD_SEXT] = (uint8_t)field(t, F_SEXT);
	mod[MOD_OMOD] = (uint8_t)field(t, F_OMOD);
	mod[MOD_CLAMP] = (uint8_t)field(t, F_CLAMP);
	mod[MOD_OPSEL] = (uint8_t)field(t, F_OPSEL);
	mod[MOD_OPSEL_HI] = (uint8_t)field(t, F_OPSEL_HI);
	if (lasting || t->w->layout == LAYOUT_VOP3P)
		mod[MOD_FORM] = FORM_VOP3;
	else if (t->w->second == LAYOUT_LITERAL)
		mod[MOD_FORM] = FORM_LITERAL;
	else if (t->w->second != LAYOUT_NONE)
		take_selection(t);
}

static void take_cache(struct taker *t)
{
	uint8_t *mod = t->in->mod;
	mod[MOD_CACHE] = (uint8_t)((field(t, F_GLC) ? CACHE_GLC : 0) | (field(t, F_SLC) ? CACHE_SLC : 0) |
				   (field(t, F_NV) ? CACHE_NV : 0) | (field(t, F_TFE) ? CACHE_TFE : 0) |
				   (field(t, F_LDS) ? CACHE_LDS : 0) | (field(t, F_GDS) ? CACHE_GDS : 0));
}

static void take_ds(struct taker *t)
{
	const struct gcn_row *r = t->row;
	uint32_t offset = field(t, F_OFFSET);
	if (r->d != T___)
		t->in->dst = vector(field(t, F_DST), gcn_type_bytes[r->d]);
	if (r->s[0] != T___)
		take_source(t, 0, vector(field(t, F_VADDR), 4));
	if (r->s[1] != T___)
		take_source(t, 1, vector(field(t, F_DATA0), gcn_type_bytes[r->s[1]]));
	if (r->s[2] != T___)
		take_source(t, 2, vector(field(t, F_DATA1), gcn_type_bytes[r->s[2]]));
	t->in->src[0].value = (int32_t)bytes_in(t, F_OFFSET);
	t->in->mod[MOD_OFFSET0] = (uint8_t)offset;
	t->in->mod[MOD_OFFSET1] = (uint8_t)(offset >> 8);
}

static void take_data(struct taker *t, enum gcn_field returned)
{
	if (t->row->d != T___)
		t->in->dst = vector(field(t, returned), gcn_type_bytes[t->row->d]);
	if (t->row->s[0] != T___)
		take_source(t, 0, vector(field(t, F_DATA0), gcn_type_bytes[t->row->s[0]]));
}

static void take_buffer(struct taker *t)
{
	bool offen = field(t, F_OFFEN), idxen = field(t, F_IDXEN), wide = field(t, F_ADDR64);
	if (t->row->flags & BARE)
		return;
	take_data(t, F_DATA0);
	struct opnd address = vector(field(t, F_VADDR), wide || (offen && idxen) ? 8 : 4);
	if (!offen && !idxen && !wide)
		address.shape = OPND_NONE;
	address.value = (int32_t)bytes_in(t, F_OFFSET);
	take_source(t, 1, address);
	take_source(t, 2, source(t, field(t, F_SRSRC), T_B128));
	take_source(t, 3, source(t, field(t, F_SOFFSET), T_B32));
	t->in->mod[MOD_ADDRESS] = (uint8_t)((offen ? ADDRESS_OFFEN : 0) | (idxen ? ADDRESS_IDXEN : 0) |
					    (wide ? ADDRESS_64 : 0));
	t->in->mod[MOD_FORMAT] = (uint8_t)(field(t, F_NFMT) << 4 | field(t, F_DFMT));
}

static void take_flat(struct taker *t)
{
	const struct gcn_row *r = t->row;
	bool segment = r->encoding != ENC_FLAT, saddr = segment && field(t, F_SADDR) != 127;
	take_data(t, F_DST);
	struct opnd address = vector(field(t, F_VADDR), r->encoding == ENC_SCRATCH || saddr ? 4 : 8);
	if (r->encoding == ENC_SCRATCH && saddr)
		address.shape = OPND_NONE;
	address.value = (int32_t)bytes_in(t, F_OFFSET);
	take_source(t, 1, address);
	if (saddr)
		take_source(t, 2, source(t, field(t, F_SADDR), r->encoding == ENC_GLOBAL ? T_B64 : T_B32));
}

/* Registers of a lane's data: one a component of dmask, of D16 half (in 1.4), and one more for TFE or LWE. */
static unsigned image_registers(const struct taker *t)
{
	unsigned n = (unsigned)__builtin_popcount(field(t, F_DMASK));
	if (t->in->row->exec == GCN_EXEC_image_gather4)
		n = 4;
	else if (!n)
		n = 1;
	if (field(t, F_D16) && t->w->generation == GCN_14)
		n = (n + 1) / 2;
	return n;
}

static void take_image(struct taker *t)
{
	const struct gcn_row *r = t->row;
	unsigned n = image_registers(t), status = field(t, F_TFE) || field(t, F_LWE);
	bool atomic = r->d != T___ && r->s[0] != T___, narrow = t->w->generation < GCN_14 && field(t, F_R128);
	if (r->d != T___)
		t->in->dst = vector(field(t, F_DATA0), 4 * (atomic && r->s[0] != r->d ? n / 2 : n + status));
	if (r->s[0] != T___)
		take_source(t, 0, vector(field(t, F_DATA0), 4 * n));
	take_source(t, 1, vector(field(t, F_VADDR), 4));
	take_source(t, 2, source(t, field(t, F_SRSRC), narrow ? T_B128 : T_B256));
	if (r->flags & SAMPLER)
		take_source(t, 3, source(t, field(t, F_SSAMP), T_B128));
	t->in->mod[MOD_FORMAT] = (uint8_t)field(t, F_DMASK);
	t->in->mod[MOD_ADDRESS] = (uint8_t)((field(t, F_UNORM) ? IMAGE_UNORM : 0) | (field(t, F_DA) ? IMAGE_DA : 0) |
					    (field(t, F_R128) ? IMAGE_R128 : 0) | (field(t, F_D16) ? IMAGE_D16 : 0));
}

static void take(struct taker *t)
{
	t->in->flags_dst = FLAGS_NONE;
	switch (t->w->layout) {
	case LAYOUT_SOP1: case LAYOUT_SOP2: case LAYOUT_SOPC: case LAYOUT_SOPK: case LAYOUT_SOPP:
		take_scalar(t);
		break;
	case LAYOUT_SMRD: case LAYOUT_SMEM:
		take_smem(t);
		take_cache(t);
		break;
	case LAYOUT_DS:
		take_ds(t);
		take_cache(t);
		break;
	case LAYOUT_MUBUF: case LAYOUT_MTBUF:
		take_buffer(t);
		take_cache(t);
		break;
	case LAYOUT_FLAT:
		take_flat(t);
		take_cache(t);
		break;
	case LAYOUT_MIMG:
		take_image(t);
		take_cache(t);
		break;
	case LAYOUT_EXP: case LAYOUT_VINTRP:
		break;
	default:
		if (!(t->row->flags & INTERP))
			take_vector(t);
	}
}

static uint64_t fetch(const uint8_t *p, size_t bytes)
{
	uint64_t word = 0;
	for (size_t i = 0; i < bytes && i < 8; i++)
		word |= (uint64_t)p[i] << 8 * i;
	return word;
}

bool gcn_decode(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out)
{
	struct gcn_word w;
	size_t left = pc < size ? size - pc : 0, have = left >= 8 ? 8 : left >= 4 ? 4 : 0;
	uint64_t word = fetch(code + (have ? pc : 0), have);
	bool whole = gcn_unpack(gcn_generation(t), word, (unsigned)have, &w);
	unsigned length = whole ? w.length : 4;
	*out = (struct insn){ .length = (uint8_t)length, .pc = pc, .word = word & ISA_ONES(8 * length),
			      .flags_dst = FLAGS_NONE };
	if (!whole || w.row < 0)
		return false;
	struct taker taker = { &w, &gcn_rows[w.row], out };
	out->row = &gcn_table.row[w.row];
	out->loose = w.loose;
	if (out->row->exec == GCN_EXEC_s_endpgm)
		out->marks = MARK_EXIT;
	take(&taker);
	return true;
}
