/* GCN's texts: instructions disassembled and assembled, lines of the project's own and all of the evidence; what
 * executors find in struct insn. */
#include "tests/kit/cmocka_all.h"
#include "tests/kit/shared.h"

#include <stdbool.h>
#include <string.h>

#include <zlib.h>

#include "core/base/diag.h"
#include "core/isa/asm.h"
#include "core/isa/gcn/layout.h"
#include "core/isa/gcn/ops.h"
#include "core/isa/list.h"
#include "core/isa/parse.h"
#include "core/isa/print.h"

enum { SHOWN = 20, PATH = 512 };

static const struct isa_ops ops = {
	.name = "gcn", .table = &gcn_table, .decode = gcn_decode, .text = { .print = gcn_print, .parse = gcn_parse },
};

/* chip, bytes in memory order, CLRX's text */
static const struct { const char *chip, *bytes, *text; } own[] = {
	{ "bonaire", "9a39e0d980ee7937",
	  "ds_read2st64_b64 v[55:58], v128 offset0:154 offset1:57 vdata0=0xee vdata1=0x79" },
	{ "bonaire", "000074dcf0070086", "flat_store_dwordx2 v[240:241], v[7:8] vdst=0x86" },
	{ "bonaire", "598574e0e04d57c7",
	  "buffer_store_dwordx2 v[77:78], v[224:225], s[92:95], -7 offset:1369 slc addr64" },
	{ "bonaire", "6a323bc0", "s_load_dword ttmp6, s[50:51], vcc_lo" },
	{ "bonaire", "5b21efbe", "s_swappc_b64 tma_u!, s[91:92]" },
	{ "bonaire", "ff24fabe0f30728a", "s_and_saveexec_b64 ttmp[10:11], 0x8a72300f" },
	{ "bonaire", "3c327e85", "s_cselect_b32 exec_lo, s60, s50" },
	{ "bonaire", "39ff7c830000807f", "s_min_i32 m0, s57, 0x7f800000" },
	{ "bonaire", "0e220cbf", "s_bitcmp0_b32 s14, s34" },
	{ "bonaire", "ff0309bf0000807f", "s_cmp_ge_u32 0x7f800000, s3" },
	{ "bonaire", "a48f89b1", "s_cmpk_eq_i32 s9, 0x8fa4" },
	{ "bonaire", "defb8fbf", "s_setprio 0xfbde" },
	{ "bonaire", "7a494e7e", "v_floor_f32 v39, v122" },
	{ "bonaire", "ff14827e000080bf", "v_cvt_f16_f32 v65, 0xbf800000" },
	{ "bonaire", "407fb51a", "v_min_legacy_f32 v90, v64, v191" },
	{ "bonaire", "ff7ebb2a000080bf", "v_lshr_b32 v93, 0xbf800000, v191" },
	{ "bonaire", "7000c2d2889ea303", "v_lshl_b64 v[112:113], 8, v207 vsrc2=0xe8" },
	{ "bonaire", "db4ac57d", "v_cmp_eq_u64 vcc, ill_219, v[165:166]" },
	{ "bonaire", "ffd6177c82f9223e", "v_cmp_ngt_f32 vcc, 0x3e22f982, v235" },
	{ "gfx900", "0000eed875ff8313", "ds_read2_b64 v[19:22], v117 vdata0=0xff vdata1=0x83" },
	{ "gfx900", "c10f00ddddb8006c", "flat_atomic_swap v108, v[221:222], v184 inst_offset:4033" },
	{ "gfx900", "b99b7ddc6b257f02",
	  "global_store_dwordx4 v[107:108], v[37:40], off inst_offset:-1095 glc vdst=0x2" },
	{ "gfx900", "e2221ce097960565",
	  "buffer_store_format_xyzw v[150:153], v151, s[20:23], s101 idxen offset:738" },
	{ "gfx900", "96407edc5f3a20e9", "scratch_store_dwordx4 off, v[58:61], s32 inst_offset:150 slc vdst=0xe9" },
	{ "gfx900", "2f1307c013de1400", "s_load_dwordx2 s[76:77], s[94:95], 0x14de13 glc" },
	{ "gfx900", "212e88be", "s_cbranch_join s33 sdst=0x8" },
	{ "gfx900", "ff2dbfbeffffffff", "s_movreld_b64 s[63:64], lit(-1)" },
	{ "gfx900", "1ed52882", "s_addc_u32 s40, s30, ill_213" },
	{ "gfx900", "00ff7e830000c07f", "s_min_i32 exec_lo, s0, 0x7fc00000" },
	{ "gfx900", "60b90ebf", "s_bitcmp0_b64 s[96:97], 57" },
	{ "gfx900", "31ff0ebf0ba5f69f", "s_bitcmp0_b64 s[49:50], 0x9ff6a50b" },
	{ "gfx900", "0bdcb9b8", "s_getreg_b32 s57, hwreg(inst_dw1, 16, 28)" },
	{ "gfx900", "070080bf", "s_nop 0x7" },
	{ "gfx900", "d0023a7e", "v_mov_b32 v29, -16" },
	{ "gfx900", "fa020c7fe13c39ee", "v_mov_b32 v134, -abs(v225) wave_ror bound_ctrl bank_mask:14 row_mask:14" },
	{ "gfx900", "f916ac7f7d061e06", "v_cvt_f32_f16 v214, sext(-v125)" },
	{ "gfx900", "f90cfe7e59309d06",
	  "v_cvt_f32_u32 v127, sext(-s89) clamp dst_sel:byte0 dst_unused:preserve src0_sel:word1" },
	{ "gfx900", "b8ef312d", "v_mac_f32 v152, v184, v247" },
	{ "gfx900", "fab26108da3009ff",
	  "v_mul_legacy_f32 v48, v218, v217 wave_shl bound_ctrl bank_mask:15 row_mask:15" },
	{ "gfx900", "f9d438337c0ea6b6", "v_add_co_u32 v156, vcc, abs(m0), -abs(vcc_lo) dst_unused:sext" },
	{ "gfx900", "f9ac5b046a2eb810",
	  "v_sub_f32 v45, sext(-abs(vcc_lo)), -v214 clamp dst_unused:sext src0_sel:byte0 src1_sel:byte0" },
	{ "gfx900", "d800c9d1eacf1c04", "v_bfe_i32 v216, v234, flat_scratch_hi, v7" },
	{ "gfx900", "af3c82d373973e9d", "v_pk_add_i16 v175, v115, v75 vsrc2=0x14f neg2 op_sel=0x7" },
	{ "gfx900", "993880d36f7dc35b",
	  "v_pk_mad_i16 v153, v111, v190, 0.5 op_sel:[1,1,1] op_sel_hi:[1,1,0] neg_lo:[0,1,0]" },
	{ "gfx900", "fbaa837c", "v_cmp_lt_f32 vcc, vccz, v213" },
	{ "gfx900", "ff86807c01000000", "v_cmp_f_f32 vcc, lit(1), v67" },
	{ "gfx900", "f9d4947dbc8c9690", "v_cmp_eq_u32 s[12:13], -60, -vcc_lo src1_sel:byte0" },
	{ "tahiti", "27003cd86260c7b3", "ds_write2st64_b32 v98, v96, v199 offset0:39 vdst=0xb3" },
	{ "tahiti", "610a30e043560e29", "buffer_load_dword v86, v67, s[56:59], s41 offset:2657" },
	{ "tahiti", "cf241bc0", "s_load_dword s54, s[36:37], -15" },
	{ "tahiti", "3714a1be", "s_ff1_i32_b64 s33, s[55:56]" },
	{ "tahiti", "ff0edbbe00000040", "s_bcnt0_i32_b64 s91, 0x40000000" },
	{ "tahiti", "fca0ea8a", "s_andn2_b64 vcc, execz, 32" },
	{ "tahiti", "44ff7c83efffffff", "s_min_i32 m0, s68, 0xffffffef" },
	{ "tahiti", "eb360fbf", "s_bitcmp1_b64 ill_235, s54" },
	{ "tahiti", "12ff0ebf00000080", "s_bitcmp0_b64 s[18:19], 0x80000000" },
	{ "tahiti", "156280ba617d41ce", "s_setreg_imm32_b32 hwreg(@21, 8, 13), 0xce417d61" },
	{ "tahiti", "0e0081bf", "s_endpgm 0xe" },
	{ "tahiti", "12225e7f", "v_cvt_f32_ubyte0 v175, s18" },
	{ "tahiti", "ff7c8c7e41000000", "v_fract_f64 v[70:71], 0x41" },
	{ "tahiti", "409ed801", "v_cndmask_b32 v236, s64, v79, vcc" },
	{ "tahiti", "ff04c11adcc052bd", "v_min_legacy_f32 v96, 0xbd52c0dc, v130" },
	{ "tahiti", "3d0096d16be36d85", "VOP3A_ill_203 s[61:62], v107, -0.5 vsrc2=0x15b neg2" },
	{ "tahiti", "500082d1cb6b69e0", "v_cmp_lt_u32 s[80:81], -v203, -53 vsrc2=0x1a neg2" },
	{ "tahiti", "006e837d", "v_cmp_lt_u32 vcc, s0, v183" },
	{ "tahiti", "ff6e447d0000807f", "v_cmp_eq_i64 vcc, 0x7f800000, v[55:56]" },
	{ "tonga", "000000d85b419f4d", "ds_add_u32 v91, v65 vdata1=0x9f vdst=0x4d" },
	{ "tonga", "000072dc9308003a", "flat_store_dword v[147:148], v8 slc vdst=0x3a" },
	{ "tonga", "997252e0a9a21080",
	  "buffer_load_dword v162, v[169:170], s[64:67], 0 offen idxen offset:665 glc slc" },
	{ "tonga", "101510c005000000", "s_load_dwordx16 s[84:99], s[32:33], s5" },
	{ "tonga", "9f2de9be", "s_movreld_b64 xnack_mask_u!, 31" },
	{ "tonga", "ff1cbabe0adae0af", "s_getpc_b64 s[58:59] ssrc=0xff" },
	{ "tonga", "1039c28e", "s_lshl_b64 s[66:67], s[16:17], s57" },
	{ "tonga", "ff20ea8e0a3181c7", "s_lshl_b64 vcc, 0xc781310a, s32" },
	{ "tonga", "2f230ebf", "s_bitcmp0_b64 s[47:48], s35" },
	{ "tonga", "01ff0ebf00bc0000", "s_bitcmp0_b64 s[1:2], 0xbc00" },
	{ "tonga", "eaff57b1", "s_cmpk_eq_i32 s87, 0xffea" },
	{ "tonga", "04e78fbf", "s_setprio 0xe704" },
	{ "tonga", "130db07f", "v_cvt_f32_u32 v216, v19" },
	{ "tonga", "fa0c8c7e187e00ff", "v_cvt_f32_u32 v70, v24 quad_perm:[2,3,3,1] bank_mask:15 row_mask:15" },
	{ "tonga", "f9160a7fd1062606", "v_cvt_f32_f16 v133, abs(v209) sdwa" },
	{ "tonga", "f916247f76121d06",
	  "v_cvt_f32_f16 v146, sext(-v118) dst_sel:byte2 dst_unused:preserve src0_sel:word1" },
	{ "tonga", "f0a7c121", "v_lshrrev_b32 v224, v240, v211" },
	{ "tonga", "fad20f2632300179", "v_and_b32 v7, v50, v233 wave_shl bank_mask:9 row_mask:7" },
	{ "tonga", "ffccf404efffffff", "v_sub_f32 v122, 0xffffffef, v102" },
	{ "tonga", "f9d0453e66083925",
	  "v_add_f16 v34, sext(-abs(v102)), abs(v232) dst_sel:byte0 dst_unused:sext src0_sel:byte1 src1_sel:word1" },
	{ "tonga", "d40002d1f2ea0100", "v_sub_f32 v212, 1.0, -2.0" },
	{ "tonga", "c1e6497d", "v_cmp_gt_i16 vcc, -1, v243" },
	{ "tonga", "ff36a27dffffffff", "v_cmpx_lt_i32 vcc, lit(-1), v27" },
	{ "tonga", "f9ee537cf8061639", "v_cmp_nge_f16 vcc, -v248, sext(-abs(v247)) src1_sel:byte1" },
	/* llvm-mc 14 has the same fields here */
	{ "gfx900", "030082bf", "s_branch 0x10" },
	{ "tonga", "ffff84bf", "s_cbranch_scc0 0x0" },
	{ "gfx900", "040140d4", "v_interp_p1_f32 v16, v4, attr0.y" },
	{ "gfx900", "0b1800c401020003", "exp mrt0, v1, v2, off, v3 done vm" },
	{ "gfx900", "001f00f004000200", "image_load v[0:3], v[4:7], s[8:15] dmask:15 unorm" },
	{ "gfx900", "0010a0eb02010101", "tbuffer_load_format_x v1, v2, s[4:7], s1 offen format:[32,float]" },
};

static struct isa_target target_of(const char *chip)
{
	struct isa_target t = { .isa = &ops, .mode = 1 };
	assert_true(isa_name_find(gcn_table.chips, chip, strlen(chip), &t.features));
	return t;
}

static unsigned read_bytes(const char *hex, uint64_t *word)
{
	unsigned n = 0, byte;
	*word = 0;
	for (; sscanf(hex + 2 * n, "%2x", &byte) == 1 && n < 8; n++)
		*word |= (uint64_t)byte << 8 * n;
	return n;
}

static bool same_text(const struct isa_target *t, const char *bytes, const char *text)
{
	uint64_t word;
	char got[ISA_LINE];
	struct insn in;
	unsigned n = read_bytes(bytes, &word);
	isa_decode_word(t, word, &in);
	isa_print(t, &in, got, sizeof got);
	if (in.length == n && strcmp(got, text) == 0)
		return true;
	printf("%s: got '%s' of %u bytes, expected '%s'\n", bytes, got, in.length, text);
	return false;
}

/* Every bit of a word is in a field or said to be loose: the fields give the word again. */
static void fields_are_whole(void **state)
{
	uint64_t seed = 1;
	for (unsigned i = 0; i < 400000; i++) {
		struct gcn_word w;
		seed = seed * 6364136223846793005 + 1442695040888963407;
		uint64_t word = seed ^ seed >> 29;
		if (!gcn_unpack(i % GCN_GENERATIONS, word, 8, &w))
			continue;
		if (w.length == 4)
			word &= 0xffffffff;
		assert_int_equal(gcn_pack(&w), word & ~w.loose);
	}
}

/* No two rows of a generation have one opcode: each is found by its own. */
static void rows_are_found(void **state)
{
	for (unsigned i = 0; i < gcn_table.nrow; i++)
		for (unsigned g = 0; g < GCN_GENERATIONS; g++) {
			const struct gcn_row *r = &gcn_rows[i];
			struct gcn_word w = { .generation = g, .second = LAYOUT_NONE }, again;
			if (r->op[g] >= NO)
				continue;
			w.layout = gcn_layout_of(g, r);
			w.f[F_OP] = r->op[g];
			w.f[F_SEGMENT] = r->encoding == ENC_SCRATCH ? 1 : r->encoding == ENC_GLOBAL ? 2 : 0;
			assert_true(gcn_unpack(g, gcn_pack(&w), 8, &again));
			assert_int_equal(again.row, i);
			if (r->encoding < ENC_VOP1 || r->encoding > ENC_VOPC || (r->flags & (LITERAL1 | LITERAL2)))
				continue;
			w.layout = r->flags & CARRY_OUT ? LAYOUT_VOP3B : LAYOUT_VOP3;
			w.f[F_OP] = gcn_vop3_op(g, r);
			assert_true(gcn_unpack(g, gcn_pack(&w), 8, &again));
			assert_int_equal(again.row, i);
			assert_int_equal(again.layout, w.layout);
		}
}

/* No bit is in two fields, or in a field and in what tells the layout. */
static void fields_are_apart(void **state)
{
	for (unsigned layout = 0; layout < LAYOUT_COUNT; layout++)
		for (unsigned g = 0; g < GCN_GENERATIONS; g++) {
			struct gcn_word w = { .generation = g, .layout = layout, .second = LAYOUT_NONE };
			uint64_t seen = gcn_pack(&w);
			for (unsigned f = 0; f < F_COUNT; f++) {
				w.f[f] = gcn_field_mask(g, layout, f);
				uint64_t bits = gcn_pack(&w);
				w.f[f] = 0;
				bits ^= gcn_pack(&w);
				assert_int_equal(bits & seen, 0);
				assert_int_equal(__builtin_popcountll(bits),
						 __builtin_popcount(gcn_field_mask(g, layout, f)));
				seen |= bits;
			}
		}
}

static void own_lines(void **state)
{
	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		struct isa_target t = target_of(own[i].chip);
		assert_true(same_text(&t, own[i].bytes, own[i].text));
	}
}

/* A number that is no opcode has a text in CLRX's syntax, whatever the syntax of the others. */
static void numbers_without_opcode(void **state)
{
	struct isa_target t = target_of("tonga");
	t.syntax = SYNTAX_LLVM;
	assert_true(same_text(&t, "ff0a017e14000000", "VOP1_ill_133 lit(20), v0"));
	assert_true(same_text(&t, "fe0a017e", "VOP1_ill_133 lds, v0"));
}

/* Is `bytes` the assembler's answer to a line: hexadecimal bytes in memory order, or "ERR …" for a refusal? */
static bool same_bytes(const struct isa_target *t, const char *text, const char *bytes)
{
	struct isa_code code = { 0 };
	struct diag d = { 0 };
	char got[2 * 8 + 1] = "";
	bool ok = isa_parse(t, text, false, NULL, &code, &d);
	for (unsigned i = 0; ok && i < code.length; i++)
		snprintf(got + 2 * i, 3, "%02x", (unsigned)(code.word >> 8 * i & 255));
	if (strncmp(bytes, "ERR", 3) == 0 ? !ok && *d.text : ok && strcmp(got, bytes) == 0)
		return true;
	printf("'%s': got %s%s, expected %s\n", text, got, d.text, bytes);
	return false;
}

static const struct { const char *chip, *text, *bytes; } sources[] = {
	{ "tahiti", "s_add_u32 s89, S102, s[4]", "66045980" },
	{ "tahiti", "S_SETREG_B32 hwreg(HWREG_MODE, 29, 15), s[84]", "4177d4b9" },
	{ "tonga", "s_getreg_b32 S86, hwreg(@5, 12, 16)", "057bd6b8" },
	{ "bonaire", "s_mul_i32 s[90], lit(47), s103", "ff675a932f000000" },
	{ "tahiti", "s_and_b64 tma, 18+16, s[42:43]", "a22aee87" },
	{ "tahiti", "s_mov_b64 s[42:43], 0b1011", "8b04aabe" },
	{ "gfx900", "s_not_b64 s[72:73], 1e3", "ff05c8be00007a44" },
	{ "tahiti", "s_and_b64 s[92:93], 'a', s[16:17]", "ff10dc8761000000" },
	{ "tahiti", "s_waitcnt vmcnt(2) & expcnt(3) & lgkmcnt(9)", "32098cbf" },
	{ "gfx900", "s_sendmsg sendmsg(gs, emit-cut, 0)", "320090bf" },
	{ "tahiti", "s_sendmsg sendmsg(@5, @1, 2)", "ERR: an operation is for gs and gs_done" },
	{ "tahiti", "v_add_f32 V114, abs(v129), |s93| mul:2", "720306d281bb0008" },
	{ "tahiti", "v_fma_f32 v5, v1, abs(1.0), v2", "ERR: absolute values of constants" },
	{ "tonga", "v_cvt_f32_f64 v[208], -0.1", "ff1ea07f9a99b9bf" },
	{ "tonga", "v_frexp_exp_i32_f64 v[98], 0.15915494", "f860c47e" },
	{ "tahiti", "v_add_f64 v[245:246], 0.15915494, v[40:41]", "ERR: 1/(2*pi) is inline from 1.2 on" },
	{ "tahiti", "v_cvt_f32_f64 v1, lit(1.0)", "ff1e027e0000f03f" },
	{ "tonga", "v_add_f16 v1, lit(1.0), v2", "ff04023e003c0000" },
	{ "tonga", "v_add_f16 v1, 0.1, v2", "ff04023e662e0000" },
	{ "tonga", "v_mov_b32 V236, V216 dst_sel:byte3 src0_sel:dword dst_un:pad", "f902d87fd8030600" },
	{ "tonga", "v_mov_b32 v1, s3 dst_sel:byte0", "ERR: SDWA of 1.2 wants a vector register" },
	{ "gfx900", "v_mov_b32 V113, s[36] dst_sel:dword src0_sel:b2 dst_un:pad", "f902e27e24068200" },
	{ "tonga", "v_add_f32 V39, -abs(V244), v[55] row_bcast:31 bank_mask:13 row_mask:4", "fa6e4e02f443314d" },
	{ "tonga", "v_add_f32 v1, v2, v3 row_ror:0", "ERR: no shift" },
	{ "tahiti", "v_max_i32 v1, s2, s3 neg:0", "ERR: two scalar registers" },
	{ "tahiti", "v_max_i32 v1, s2, s2", "010024d202040000" },
	{ "tahiti", "v_floor_f32 v1, v2 abs:[1,0]", "ERR: as many entries as sources" },
	{ "tahiti", "s_and_b64 s[11:12], vcc, exec", "ERR: pairs begin at even numbers" },
	{ "tahiti", "v_cmp_lt_f64 s[51:52], v[0:1], v[2:3]", "ERR: a pair in two lines of four" },
	{ "tahiti", "s_xor_b64 s[10:11], flat_scratch, s[66:67]", "ERR: 1.0 has none" },
	{ "bonaire", "s_load_dword s1, s[2:3], 0x1234", "ff8200c034120000" },
	{ "tahiti", "buffer_load_dword v[221], v96, s[48:51], s74 tfe:0 slc:0", "000030e060dd0c4a" },
	{ "tonga", "buffer_load_dword v1, v2, s[4:7], 0 offen tfe", "ERR: tfe takes one more register" },
	{ "tahiti", "tbuffer_load_format_x v[0], V38, s[64:67], 0 offen format:[16_16,snorm]", "0010a8e826001080" },
	{ "tonga", "tbuffer_load_format_x v1, v2, s[4:7], 0 format:[@17,@7]", "000088eb02010180" },
	{ "gfx900", "v_pk_fma_f16 v1, v2, v3, v4 op_sel:[1,0,1] neg_hi:[0,1,0] clamp", "01ea8ed30207121c" },
	{ "gfx900", "flat_store_dword v[2:3], v1 glc", "000071dc02010000" },
	{ "gfx900", "global_load_dword v1, v[2:3], off inst_offset:-4", "fc9f50dc02007f01" },
	{ "gfx900", "ds_write2_b32 v1, v2, v3 offset0:1 offset1:2", "01021cd801020300" },
	{ "gfx900", "v_frobnicate_b32 v1, v2", "ERR: no such instruction" },
	{ "gfx900", "s_mov_b32 s1, ((((1+2)*3)<<2)|1)-~0", "a60081be" },
	{ "gfx900", "s_mov_b32 s1, 1/0", "ERR: a division by 0" },
};

static void own_sources(void **state)
{
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		struct isa_target t = target_of(sources[i].chip);
		assert_true(same_bytes(&t, sources[i].text, sources[i].bytes));
	}
}

/* CLRX 0.1.2 knew halves and singles: 64-bit operands took singles, and halves never became inline constants. */
static void old_floats(void **state)
{
	struct isa_target t = target_of("tonga");
	t.syntax |= ISA_OLD_FLOATS;
	assert_true(same_bytes(&t, "v_cvt_f32_f64 v1, 1.5", "ff1e027e0000c03f"));
	assert_true(same_bytes(&t, "v_cvt_f32_f64 v1, 1.0", "f21e027e"));
	assert_true(same_bytes(&t, "v_add_f16 v1, 1.0, v2", "ff04023e003c0000"));
	t.syntax = SYNTAX_CLRX;
	assert_true(same_bytes(&t, "v_cvt_f32_f64 v1, 1.5", "ff1e027e0000f83f"));
	assert_true(same_bytes(&t, "v_add_f16 v1, 1.0, v2", "f204023e"));
}

/* Labels are where branches go, whatever their place. */
static void branches_and_labels(void **state)
{
	static const char text[] = ".chip tonga\nhead:\n\ts_nop 1\n\ts_cbranch_scc0 tail\n\tv_mov_b32 v0, 0x12345\n"
		"\ts_branch head\ntail:\n\ts_endpgm\n";
	static const uint32_t words[] = { 0xbf800001, 0xbf840003, 0x7e0002ff, 0x00012345, 0xbf82fffb, 0xbf810000 };
	struct asm_program p;
	struct diag d = { 0 };
	bool ok = asm_assemble(&ops, text, sizeof text - 1, NULL, NULL, SYNTAX_CLRX, &p, &d);
	assert_string_equal(d.text, "");
	assert_true(ok);
	assert_int_equal(p.kernels[0].code_bytes, sizeof words);
	assert_memory_equal(p.kernels[0].code, words, sizeof words);
	char *listing = NULL;
	size_t n;
	FILE *f = open_memstream(&listing, &n);
	struct isa_target t = target_of("tonga");
	isa_list(&t, p.kernels[0].code, p.kernels[0].code_bytes, NULL, 0, ISA_LIST_SOURCE, NULL, f);
	fclose(f);
	assert_string_equal(listing, "L_0:\n\ts_nop 0x1\n\ts_cbranch_scc0 L_14\n\tv_mov_b32 v0, 0x12345\n"
			    "\ts_branch L_0\nL_14:\n\ts_endpgm\n");
	free(listing);
	asm_free(&p);
}

/* ---- what executors find ---- */

static struct insn decoded(const char *chip, const char *bytes)
{
	struct isa_target t = target_of(chip);
	struct insn in;
	uint64_t word;
	read_bytes(bytes, &word);
	assert_true(isa_decode_word(&t, word, &in));
	return in;
}

static void check_register(const struct opnd *o, unsigned file, unsigned reg, unsigned width)
{
	assert_int_equal(o->shape, OPND_REG);
	assert_int_equal(o->file, file);
	assert_int_equal(o->reg, reg);
	assert_int_equal(o->width, width);
}

static void check_number(const struct opnd *o, unsigned code, int32_t value)
{
	assert_int_equal(o->shape, OPND_IMM);
	assert_int_equal(o->reg, code);
	assert_int_equal(o->value, value);
}

static void operands_of_vectors(void **state)
{
	struct insn in = decoded("tahiti", "f40836d2af3b3100");      /* v_and_b32 v244, v175, 29 clamp */
	assert_int_equal(in.row->exec, GCN_EXEC_v_and_b32);
	assert_int_equal(in.mod[MOD_FORM], FORM_VOP3);
	assert_int_equal(in.mod[MOD_CLAMP], 1);
	check_register(&in.dst, FILE_V, 244, 4);
	check_register(&in.src[0], FILE_V, 175, 4);
	check_number(&in.src[1], 157, 29);
	in = decoded("tonga", "f978837d4a060929");      /* v_cmp_lt_i32 vcc, sext(v74), sext(abs(v188)) … */
	assert_int_equal(in.row->exec, GCN_EXEC_v_cmp_i32);
	assert_int_equal(in.mod[MOD_CONDITION], 1);
	assert_int_equal(in.mod[MOD_FORM], FORM_SDWA);
	assert_int_equal(in.mod[MOD_SEXT], 3);
	assert_int_equal(in.mod[MOD_ABS], 2);
	assert_int_equal(in.mod[MOD_SRC1_SEL], SEL_BYTE1);
	check_register(&in.dst, FILE_S, CODE_VCC, 8);
	check_register(&in.src[1], FILE_V, 188, 4);
	in = decoded("gfx900", "f9d438337c0ea6b6");     /* v_add_co_u32 v156, vcc, abs(m0), -abs(vcc_lo) */
	assert_int_equal(in.row->exec, GCN_EXEC_v_add_co_u32);
	assert_int_equal(in.flags_dst, CODE_VCC);
	check_register(&in.src[0], FILE_S, CODE_M0, 4);
	check_register(&in.src[1], FILE_S, CODE_VCC, 4);
	in = decoded("tahiti", "ff7c8c7e41000000");     /* v_fract_f64 v[70:71], 0x41: the high word */
	check_register(&in.dst, FILE_V, 70, 8);
	check_number(&in.src[0], CODE_LITERAL, 0x41);
	in = decoded("tahiti", "409ed801");             /* v_cndmask_b32 v236, s64, v79, vcc */
	check_register(&in.src[2], FILE_S, CODE_VCC, 8);
	assert_int_equal(isa_registers(&in), 237);
}

static void operands_of_scalars(void **state)
{
	struct insn in = decoded("tonga", "eaff57b1");               /* s_cmpk_eq_i32 s87, 0xffea */
	check_number(&in.src[0], 0, -22);
	check_register(&in.src[1], FILE_S, 87, 4);
	assert_int_equal(in.dst.shape, OPND_NONE);
	in = decoded("tahiti", "cf241bc0");             /* s_load_dword s54, s[36:37], -15 */
	assert_int_equal(in.src[1].shape, OPND_IMM);
	in = decoded("gfx900", "2f1307c013de1400");     /* s_load_dwordx2 s[76:77], s[94:95], 0x14de13 glc */
	check_register(&in.dst, FILE_S, 76, 8);
	check_register(&in.src[0], FILE_S, 94, 8);
	check_number(&in.src[1], 0, 0x14de13 - 0x200000);
	assert_int_equal(in.mod[MOD_CACHE], CACHE_GLC);
	in = decoded("tahiti", "eb360fbf");             /* s_bitcmp1_b64 ill_235, s54 */
	assert_int_equal(in.src[0].file, FILE_ILLEGAL);
	in = decoded("gfx900", "030082bf");             /* s_branch 0x10 */
	assert_int_equal(in.src[0].shape, OPND_TARGET);
	assert_int_equal(in.src[0].value, 0x10);
	in = decoded("gfx900", "000081bf");
	assert_int_equal(in.marks, MARK_EXIT);
}

static void operands_of_memory(void **state)
{
	struct insn in = decoded("bonaire", "598574e0e04d57c7");
	/* buffer_store_dwordx2 v[77:78], v[224:225], s[92:95], -7 offset:1369 slc addr64 */
	check_register(&in.src[0], FILE_V, 77, 8);
	check_register(&in.src[1], FILE_V, 224, 8);
	assert_int_equal(in.src[1].value, 1369);
	check_register(&in.src[2], FILE_S, 92, 16);
	check_number(&in.src[3], 199, -7);
	assert_int_equal(in.mod[MOD_ADDRESS], ADDRESS_64);
	assert_int_equal(in.mod[MOD_CACHE], CACHE_SLC);
	in = decoded("gfx900", "b99b7ddc6b257f02");     /* global_store_dwordx4 v[107:108], v[37:40], off … */
	check_register(&in.src[0], FILE_V, 37, 16);
	check_register(&in.src[1], FILE_V, 107, 8);
	assert_int_equal(in.src[1].value, -1095);
	assert_int_equal(in.src[2].shape, OPND_NONE);
	in = decoded("gfx900", "96407edc5f3a20e9");     /* scratch_store_dwordx4 off, v[58:61], s32 inst_offset:150 */
	assert_int_equal(in.src[1].shape, OPND_NONE);
	check_register(&in.src[2], FILE_S, 32, 4);
	in = decoded("bonaire", "9a39e0d980ee7937");    /* ds_read2st64_b64 v[55:58], v128 offset0:154 offset1:57 */
	check_register(&in.dst, FILE_V, 55, 16);
	check_register(&in.src[0], FILE_V, 128, 4);
	assert_int_equal(in.mod[MOD_OFFSET1], 57);
}

static void constants(void **state)
{
	assert_int_equal(gcn_constant(128 + 64, T_B32), 64);
	assert_int_equal(gcn_constant(193, T_I64), UINT64_MAX);
	assert_int_equal(gcn_constant(242, T_F16), 0x3c00);
	assert_int_equal(gcn_constant(242, T_B32), 0x3f800000);
	assert_int_equal(gcn_constant(242, T_F64), 0x3ff0000000000000);
}

/* ---- the evidence ---- */

struct line {
	struct isa_target target;
	char *inner, *rest;         /* what stands between the bars and behind the last */
};

/* "chip FIRST | REST" or "chip | FIRST | REST", cut up in place; false for comments. */
static bool parse_line(char *s, struct line *out)
{
	char *space = strchr(s, ' '), *bar;
	if (*s == '#' || !space)
		return false;
	s[strcspn(s, "\n")] = 0;
	*space++ = 0;
	out->target = target_of(s);
	out->inner = strncmp(space, "| ", 2) == 0 ? space + 2 : space;
	for (bar = NULL; (space = strstr(bar ? bar + 3 : out->inner, " | ")); bar = space)
		;
	assert_non_null(bar);
	*bar = 0;
	out->rest = bar + 3;
	return true;
}

static void each_line(const char *name, bool (*check)(struct line *l))
{
	char path[PATH], buf[1024];
	gzFile f = gzopen(shared_path(path, sizeof path, name), "r");
	unsigned lines = 0, wrong = 0;
	assert_non_null(f);
	while (gzgets(f, buf, sizeof buf)) {
		struct line l;
		if (!parse_line(buf, &l))
			continue;
		lines++;
		wrong += !check(&l);
		if (wrong > SHOWN)
			break;
	}
	gzclose(f);
	assert_true(lines > 0);
	assert_int_equal(wrong, 0);
}

static bool clrx_text(struct line *l)
{
	return same_text(&l->target, l->inner, l->rest);
}

static bool llvm_text(struct line *l)
{
	l->target.syntax = SYNTAX_LLVM;
	return clrx_text(l);
}

static void llvm_lines(void **state)
{
	each_line("vectors/gcn/operands.txt.gz", llvm_text);
}

static void clrx_lines(void **state)
{
	each_line("vectors/gcn/operands_clrx.txt.gz", clrx_text);
}

static bool clrx_bytes(struct line *l)
{
	return same_bytes(&l->target, l->inner, l->rest);
}

static void source_lines(void **state)
{
	each_line("vectors/gcn/asm_clrx.txt.gz", clrx_bytes);
}

static bool illegal(struct line *l)
{
	struct isa_code code;
	bool taken = isa_parse(&l->target, l->rest, false, NULL, &code, NULL);
	if (taken)
		printf("'%s' is assembled\n", l->rest);
	return !taken && clrx_text(l);
}

static void illegal_lines(void **state)
{
	each_line("vectors/gcn/operands_illegal.txt.gz", illegal);
}

int main(void)
{
	static const struct CMUnitTest own_tests[] = {
		cmocka_unit_test(own_lines),
		cmocka_unit_test(numbers_without_opcode),
		cmocka_unit_test(own_sources),
		cmocka_unit_test(branches_and_labels),
		cmocka_unit_test(old_floats),
		cmocka_unit_test(fields_are_whole),
		cmocka_unit_test(fields_are_apart),
		cmocka_unit_test(rows_are_found),
		cmocka_unit_test(operands_of_vectors),
		cmocka_unit_test(operands_of_scalars),
		cmocka_unit_test(operands_of_memory),
		cmocka_unit_test(constants),
	};
	static const struct CMUnitTest evidence[] = {
		cmocka_unit_test(clrx_lines), cmocka_unit_test(illegal_lines), cmocka_unit_test(source_lines),
		cmocka_unit_test(llvm_lines),
	};
	int failed = cmocka_run_group_tests(own_tests, NULL, NULL);
	return failed +
	       cmocka_run_group_tests(evidence, NULL, NULL);
}
