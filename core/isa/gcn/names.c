#include "core/isa/gcn/names.h"

enum { G10 = 1, G11 = 2, G12 = 4, G14 = 8, ALL = 15 };

/* Seed 001, list of operand codes; spec gcn-text, "Registers". */
const struct gcn_named gcn_named[] = {
	{ "flat_scratch", 104, G11 }, { "flat_scratch", 102, G12 | G14 }, { "xnack_mask", 104, G12 | G14 },
	{ "vcc", 106, ALL }, { "tba", 108, G10 | G11 | G12 }, { "tma", 110, G10 | G11 | G12 }, { "exec", 126, ALL },
	{ NULL, 0, 0 }
};

unsigned gcn_sgprs(enum gcn_generation g)
{
	return g < GCN_12 ? 104 : 102;
}

unsigned gcn_ttmps(enum gcn_generation g, unsigned *first)
{
	*first = g == GCN_14 ? CODE_TTMP_14 : CODE_TTMP_10;
	return 124 - *first;
}

const char *gcn_aperture(enum gcn_generation g, unsigned code)
{
	static const char *const names[] = {
		"shared_base", "shared_limit", "private_base", "private_limit", "pops_exiting_wave_id"
	};
	return g == GCN_14 && code >= CODE_APERTURES && code < CODE_APERTURES + 5 ? names[code - CODE_APERTURES] : NULL;
}

bool gcn_code_exists(enum gcn_generation g, unsigned code)
{
	if (code < 128)
		return code != 125 && !(g == GCN_10 && (code == 104 || code == 105));
	if (code == CODE_1_2PI)
		return g >= GCN_12;
	return code <= 208 || gcn_aperture(g, code) || (code >= CODE_FLOAT && code < CODE_1_2PI) || code >= CODE_VCCZ;
}

/* Spec gcn-text, "SOPK". */
const char *gcn_hwreg(enum gcn_generation g, unsigned id)
{
	static const char *const names[] = {
		NULL, "mode", "status", "trapsts", "hw_id", "gpr_alloc", "lds_alloc", "ib_sts", "pc_lo", "pc_hi",
		"inst_dw0", "inst_dw1", "ib_dbg0", "ib_dbg1", "flush_ib", "sh_mem_bases", "sq_shader_tba_lo",
			"sq_shader_tba_hi",
		"sq_shader_tma_lo", "sq_shader_tma_hi"
	};
	unsigned n = g == GCN_14 ? 20 : g == GCN_12 ? 14 : 13;
	return id < n ? names[id] : NULL;
}

/* Spec gcn-text, "SOPP". */
const char *gcn_message(enum gcn_generation g, unsigned id)
{
	static const char *const names[] = {
		NULL, "interrupt", "gs", "gs_done", "savewave", "stall_wave_gen", "halt_waves", "ordered_ps_done",
		"early_prim_dealloc", "gs_alloc_req", "get_doorbell"
	};
	unsigned n = g == GCN_14 ? 11 : g == GCN_12 ? 5 : 4;
	return id == 15 ? "system" : id < n ? names[id] : NULL;
}

const char *const gcn_operations[4] = { "nop", "cut", "emit", "emit-cut" };
const char *const gcn_selectors[8] = { "byte0", "byte1", "byte2", "byte3", "word0", "word1", "dword", "invalid" };
const char *const gcn_unused[4] = { "pad", "sext", "preserve", "invalid" };

/* CLRX documentation, GcnInstrsMtbuf.md. */
const char *const gcn_data_formats[16] = {
	"invalid", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2", "2_10_10_10", "8_8_8_8",
	"32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "reserved"
};
const char *const gcn_number_formats[8] = {
	"unorm", "snorm", "uscaled", "sscaled", "uint", "sint", "snorm_ogl", "float"
};

const struct gcn_control gcn_controls[] = {
	{ 0x130, "wave_shl", "wave_shl:1" }, { 0x134, "wave_rol", "wave_rol:1" }, { 0x138, "wave_shr", "wave_shr:1" },
	{ 0x13c, "wave_ror", "wave_ror:1" }, { 0x140, "row_mirror", "row_mirror" },
	{ 0x141, "row_half_mirror", "row_half_mirror" }, { 0x142, "row_bcast15", "row_bcast:15" },
	{ 0x143, "row_bcast31", "row_bcast:31" }, { 0, NULL, NULL }
};
const char *const gcn_row_controls[3] = { "row_shl", "row_shr", "row_ror" };

static uint64_t float_constant(unsigned i, enum gcn_type type)
{
	static const uint16_t half[] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118 };
	static const uint32_t single[] = { 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000,
					   0x40800000, 0xc0800000, 0x3e22f983 };
	static const uint64_t dbl[] = { 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000, 0xbff0000000000000,
					0x4000000000000000, 0xc000000000000000, 0x4010000000000000, 0xc010000000000000,
					0x3fc45f306dc9c882 };
	return type == T_F16 ? half[i] : gcn_type_bytes[type] == 8 ? dbl[i] : single[i];
}

uint64_t gcn_constant(unsigned code, enum gcn_type type)
{
	if (code >= CODE_FLOAT && code <= CODE_1_2PI)
		return float_constant(code - CODE_FLOAT, type);
	int64_t v = code < CODE_NEGATIVE ? (int64_t)code - CODE_INT : (CODE_NEGATIVE - 1) - (int64_t)code;
	return gcn_type_bytes[type] == 8 ? (uint64_t)v : (uint32_t)v;
}
