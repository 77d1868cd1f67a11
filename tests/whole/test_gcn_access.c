/* GCN instructions that no compiler makes of OpenCL C: elements of a format (MTBUF, and MUBUF's by the resource),
 * scalar stores and atomics, words of other lanes, registers by an index. Expectations are computed here from the
 * tables named in core/isa/gcn/format.h, or from a quoted sentence of the ISA manual. */
#include <math.h>

#include "tests/kit/launches.h"

enum { WORDS = 1024 };

/* s[12:15] is a buffer over the argument, a word of v1 for each lane; s[0:1] the arguments. */
#define BEGIN(chip) \
	".kernel k\n.chip " chip "\n" \
	"s_load_dwordx2 s[12:13], s[0:1], 0x0\n" \
	"s_mov_b32 s14, -1\n" \
	"s_mov_b32 s15, 0x24fac\n" \
	"v_lshlrev_b32 v1, 2, v0\n" \
	"v_lshlrev_b32 v2, 4, v0\n" \
	"s_waitcnt lgkmcnt(0)\n"

static struct wb_launch *run_text(const char *text, const char *in_order, uint32_t out[WORDS])
{
	const struct setting s[] = { { "block", "64" }, { "smem", "1024" }, { "in-order", in_order }, { NULL, NULL } };
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };

	if (wb_launch_arg(l, "zero=4096", &d) != WB_OK || wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s\n%s", d.text, text);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, out, 4 * WORDS, NULL), WB_OK);
	wb_program_free(p);
	return l;
}

static void expect(const char *text, unsigned first, unsigned n, uint32_t (*expected)(unsigned i))
{
	uint32_t out[WORDS];

	for (unsigned way = 0; way < 2; way++) {
		wb_launch_free(run_text(text, way ? "on" : "off", out));
		for (unsigned i = 0; i < n; i++)
			if (out[first + i] != expected(i))
				fail_msg("word %u is %08x, expected %08x, of\n%s", first + i, out[first + i],
					 expected(i), text);
	}
}

/* ---- formats ---- */

static const struct {
	const char *name;
	unsigned bytes, bits[4];        /* components from the lowest bit on */
} data[] = {
	{ "8", 1, { 8 } }, { "16", 2, { 16 } }, { "8_8", 2, { 8, 8 } }, { "32", 4, { 32 } }, { "16_16", 4, { 16, 16 } },
	{ "10_11_11", 4, { 11, 11, 10 } }, { "11_11_10", 4, { 10, 11, 11 } }, { "10_10_10_2", 4, { 2, 10, 10, 10 } },
	{ "2_10_10_10", 4, { 10, 10, 10, 2 } }, { "8_8_8_8", 4, { 8, 8, 8, 8 } }, { "32_32", 8, { 32, 32 } },
	{ "16_16_16_16", 8, { 16, 16, 16, 16 } }, { "32_32_32", 12, { 32, 32, 32 } },
	{ "32_32_32_32", 16, { 32, 32, 32, 32 } },
};
static const char *const numbers[] = { "unorm", "snorm", "uscaled", "sscaled", "uint", "sint", "snorm_ogl", "float" };
enum { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, SNORM_OGL, FLOAT };

static uint32_t bits_of(double v)
{
	float f = (float)v;
	uint32_t word;

	memcpy(&word, &f, sizeof word);
	return word;
}

static uint32_t pattern(unsigned word)
{
	return word * 0x9e3779b1u + 0x7f80;
}

/* Component c of the element at byte `at`; 0, 0, 0, 1 for absent components. */
static uint32_t component(unsigned d, unsigned number, unsigned at, unsigned c)
{
	unsigned first = 8 * at, n = data[d].bits[c];
	uint64_t v;
	int64_t s;

	if (!n)
		return c < 3 ? 0 : number == UINT || number == SINT ? 1 : bits_of(1);
	for (unsigned i = 0; i < c; i++)
		first += data[d].bits[i];
	v = ((uint64_t)pattern(first / 32) >> first % 32) & ((1ull << n) - 1);
	s = v >> (n - 1) ? (int64_t)v - (1ll << n) : (int64_t)v;
	switch (number) {
	case UNORM: return bits_of((double)v / (double)((1ull << n) - 1));
	case SNORM: return bits_of(fmax(-1, (double)s / (double)((1ull << (n - 1)) - 1)));
	case USCALED: return bits_of((double)v);
	case SSCALED: return bits_of((double)s);
	case SNORM_OGL: return bits_of((double)(2 * s + 1) / (double)((1ull << n) - 1));
	default: return (uint32_t)(number == SINT ? (uint64_t)s : v);
	}
}

/* Words of the pattern at 0, elements from each 16 bytes on to registers, and the registers to byte 2048 on. */
static void read_format(const char *chip, unsigned d, unsigned number)
{
	char text[2000];
	uint32_t out[WORDS];

	snprintf(text, sizeof text, ".kernel k\n.chip %s\n%s"
		 "s_mov_b32 s20, 0\n" "v_mov_b32 v8, 0\n" "v_mov_b32 v20, 0x9e3779b1\n"
		 "loop:\n"              /* 1,024 bytes: words v0 + 64 i */
		 "v_lshlrev_b32 v21, 6, v8\n" "v_or_b32 v21, v21, v0\n" "v_mul_lo_u32 v22, v21, v20\n"
		 "%s"
		 "v_lshlrev_b32 v21, 2, v21\n" "buffer_store_dword v22, v21, s[12:15], 0 offen\n"
		 "s_add_u32 s20, s20, 1\n" "v_mov_b32 v8, s20\n" "s_cmp_lt_u32 s20, 4\n" "s_cbranch_scc1 loop\n"
		 "s_waitcnt vmcnt(0)\n"
		 "tbuffer_load_format_xyzw v[4:7], v2, s[12:15], 0 offen format:[%s,%s]\n"
		 "s_waitcnt vmcnt(0)\n" "buffer_store_dwordx4 v[4:7], v2, s[12:15], 0 offen offset:2048\n"
		 "s_endpgm\n", chip, &BEGIN("")[strlen(".kernel k\n.chip \n")],
		 strcmp(chip, "gfx900") ? strcmp(chip, "tonga") ? "v_add_i32 v22, vcc, 0x7f80, v22\n" :
		 "v_add_u32 v22, vcc, 0x7f80, v22\n" : "v_add_u32 v22, 0x7f80, v22\n", data[d].name, numbers[number]);
	wb_launch_free(run_text(text, "off", out));
	for (unsigned i = 0; i < 64; i++)
		for (unsigned c = 0; c < 4; c++)
			if (out[512 + 4 * i + c] != component(d, number, 16 * i, c))
				fail_msg("%s, %s,%s: component %u at byte %u is %08x, expected %08x", chip,
					 data[d].name,
					 numbers[number], c, 16 * i, out[512 + 4 * i + c],
					 component(d, number, 16 * i, c));
}

static void elements_are_read_by_their_format(void **state)
{
	for (unsigned d = 0; d < sizeof data / sizeof *data; d++)
		for (unsigned number = UNORM; number <= FLOAT; number++)
			if (number != FLOAT || data[d].bits[0] == 32)
				read_format(d % 2 ? "tahiti" : d % 4 ? "gfx900" : "tonga", d, number);
}

/* v4 … v7 are lane/16 - 1 and three quarters, a half, a quarter of the same; a NaN in lane 5. */
#define NUMBERS \
	"v_cvt_f32_u32 v4, v0\n" "v_mov_b32 v8, 0x3d800000\n" "v_mad_f32 v4, v4, v8, -1.0\n" \
	"v_cmp_eq_u32 vcc, 5, v0\n" "v_mov_b32 v9, 0x7fc00000\n" "v_cndmask_b32 v4, v4, v9, vcc\n" \
	"v_mov_b32 v9, 0x3f400000\n" "v_mul_f32 v5, v4, v9\n" "v_mul_f32 v6, 0.5, v4\n" \
	"v_mov_b32 v9, 0x3e800000\n" "v_mul_f32 v7, v4, v9\n"

static double number_of(unsigned lane, unsigned c)
{
	return (lane == 5 ? NAN : lane / 16.0 - 1) * (1 - c / 4.0);
}

static uint32_t normal(unsigned lane, unsigned c, double least, double most)
{
	double v = number_of(lane, c);

	return isnan(v) ? 0 : (uint32_t)(int)nearbyint(fmin(1, fmax(least, v)) * most);
}

static uint32_t of_unorm8(unsigned i)
{
	return normal(i, 0, 0, 255) | normal(i, 1, 0, 255) << 8 | normal(i, 2, 0, 255) << 16 |
	       normal(i, 3, 0, 255) << 24;
}

static uint32_t of_snorm10(unsigned i)
{
	return (normal(i, 0, -1, 511) & 1023) | (normal(i, 1, -1, 511) & 1023) << 10 |
	       (normal(i, 2, -1, 511) & 1023) << 20 | (normal(i, 3, -1, 1) & 3) << 30;
}

/* binary16 of an exactly representable number. */
static uint32_t half_of(double v)
{
	int e;
	double m = frexp(fabs(v), &e);

	return v ? (v < 0 ? 0x8000u : 0) | (uint32_t)(e + 14) << 10 | (uint32_t)((2 * m - 1) * 1024) : 0;
}

static uint32_t of_half_float(unsigned i)
{
	return i == 5 ? 0x7e007e00 : half_of(number_of(i, 0)) | half_of(number_of(i, 2)) << 16;
}

static uint32_t of_integers(unsigned i)
{
	return (i & 0xff) | (4 * i & 0xff) << 8 | (16 * i & 0xff) << 16;
}

/* The resource's format: 8_8_8_8 unorm (10 << 15 | 0 << 12); the first component is the fourth of the data, the second
 * 1, the third the first and the fourth 0. */
static uint32_t of_selected(unsigned i)
{
	return normal(i, 3, 0, 255) | 255 << 8 | normal(i, 0, 0, 255) << 16;
}

static uint32_t of_selected_back(unsigned i)
{
	unsigned from = i / 4, c[4] = { normal(from, 3, 0, 255), 255, normal(from, 0, 0, 255), 0 };

	return i % 4 == 0 ? bits_of(c[3] / 255.) : i % 4 == 1 ? bits_of(1) : i % 4 == 2 ? bits_of(c[0] / 255.) : 0;
}

#define STORE(format) "tbuffer_store_format_xyzw v[4:7], v1, s[12:15], 0 offen format:[" format "]\n" "s_endpgm\n"
#define SELECT(register) "s_mov_b32 s15, 0x5010f\n" /* A, 1, R, 0 */

static void elements_are_stored_by_their_format(void **state)
{
	expect(BEGIN("tahiti") NUMBERS STORE("8_8_8_8,unorm"), 0, 64, of_unorm8);
	expect(BEGIN("gfx900") NUMBERS STORE("2_10_10_10,snorm"), 0, 64, of_snorm10);
	expect(BEGIN("tonga") NUMBERS "v_mov_b32 v5, v6\n" STORE("16_16,float"), 0, 64, of_half_float);
	expect(BEGIN("bonaire") "v_mov_b32 v4, v0\n" "v_mov_b32 v5, v1\n" "v_mov_b32 v6, v2\n" "v_mov_b32 v7, 0x100\n"
	       STORE("8_8_8_8,uint"), 0, 64, of_integers);
}

static void a_resource_has_a_format_and_selects_components(void **state)
{
	static const char text[] = BEGIN("gfx900") NUMBERS SELECT(s15)
		"buffer_store_format_xyzw v[4:7], v1, s[12:15], 0 offen\n" "s_waitcnt vmcnt(0)\n"
		"buffer_load_format_xyzw v[4:7], v1, s[12:15], 0 offen\n" "s_waitcnt vmcnt(0)\n"
		"buffer_store_dwordx4 v[4:7], v2, s[12:15], 0 offen offset:1024\n" "s_endpgm\n";

	expect(text, 0, 64, of_selected);
	expect(text, 256, 256, of_selected_back);
}


/* Bytes 0xff 0x00 …: components 1.0 and 0 as binary16, two a register from 1.4 on, one before. */
static uint32_t of_packed(unsigned i)
{
	return i % 2 ? 0x3c000000 : 0x3c00;
}

static uint32_t of_unpacked(unsigned i)
{
	return (const uint32_t[]){ 0x3c00, 0, 0, 0x3c00 }[i % 4];
}

#define HALVES "v_mov_b32 v8, 0xff0000ff\n" "buffer_store_dword v8, v1, s[12:15], 0 offen\n" "s_waitcnt vmcnt(0)\n" \
	"v_mov_b32 v4, 0\n" "v_mov_b32 v5, 0\n" "v_mov_b32 v6, 0\n" "v_mov_b32 v7, 0\n" \
	"tbuffer_load_format_d16_xyzw "
#define HALVES_END ", v1, s[12:15], 0 offen format:[8_8_8_8,unorm]\n" "s_waitcnt vmcnt(0)\n"

static void components_of_16_bits(void **state)
{
	expect(BEGIN("gfx900") HALVES "v[4:5]" HALVES_END "v_lshlrev_b32 v3, 3, v0\n"
	       "buffer_store_dwordx2 v[4:5], v3, s[12:15], 0 offen offset:1024\n" "s_endpgm\n", 256, 128, of_packed);
	expect(BEGIN("tonga") HALVES "v[4:7]" HALVES_END
	       "buffer_store_dwordx4 v[4:7], v2, s[12:15], 0 offen offset:1024\n" "s_endpgm\n", 256, 256, of_unpacked);
}

/* ---- scalar memory ---- */

static uint32_t of_scalar_stores(unsigned i)
{
	return (const uint32_t[]){ 0, 11, 12, 13, 14, 15, 16, 0, 17, 0 }[i];
}

#define SCALARS "s_mov_b32 s20, 11\n" "s_mov_b32 s21, 12\n" "s_mov_b32 s22, 13\n" "s_mov_b32 s23, 14\n" \
	"s_mov_b32 s24, 15\n" "s_mov_b32 s25, 16\n" "s_mov_b32 s26, 17\n"
/* The last store is outside of the 36-byte buffer: no effect. */
#define SCALAR_STORES "s_store_dwordx4 s[20:23], s[12:13], 0x4\n" "s_mov_b64 exec, 0\n" \
	"s_store_dwordx2 s[24:25], s[12:13], 0x14\n" "s_mov_b32 s14, 36\n" \
	"s_buffer_store_dword s26, s[12:15], 0x20\n" "s_buffer_store_dword s26, s[12:15], 0x24\n" "s_endpgm\n"

/* Whatever EXEC is ("AMD GCN3 Instruction Set Architecture", chapter 7). */
static void scalar_stores(void **state)
{
	expect(BEGIN("tonga") SCALARS SCALAR_STORES, 0, 10, of_scalar_stores);
	expect(BEGIN("gfx900") SCALARS SCALAR_STORES, 0, 10, of_scalar_stores);
}

/* Registers have units of 64 bytes, immediates of one: s20 to word 16 + 1, and back from there to word 3; and again
 * with both offsets. */
#define SCRATCH "s_mov_b32 s27, 1\n" "s_add_u32 s16, s12, 4\n" "s_addc_u32 s17, s13, 0\n" \
	"s_scratch_store_dword s20, s[16:17], s27\n" "s_scratch_store_dwordx2 s[24:25], s[12:13], 0x4\n" \
	"s_scratch_load_dword s30, s[12:13], 0x44\n" "s_waitcnt lgkmcnt(0)\n" \
	"s_scratch_store_dwordx4 s[20:23], s[12:13], 0x50\n" \
	"s_scratch_load_dwordx2 s[32:33], s[16:17], s27 offset:0x10\n" \
	"s_waitcnt lgkmcnt(0)\n" "s_store_dword s30, s[12:13], 0xc\n" "s_store_dwordx2 s[32:33], s[12:13], 0x10\n" \
	"s_endpgm\n"

static uint32_t of_scratch(unsigned i)
{
	return (const uint32_t[24]){ 0, 15, 16, 11, 12, 13, [17] = 11, [20] = 11, 12, 13, 14 }[i];
}

static void scalar_scratch(void **state)
{
	expect(BEGIN("gfx900") SCALARS SCRATCH, 0, 24, of_scratch);
}

/* Instructions that are decoded but do not run end the launch with a fault of their own, at their place. */
static void what_does_not_run_faults(void **state)
{
	static const char *const decoded[] = {
		"v_mqsad_u32_u8 v[4:7], v[8:9], v1, v[12:15]", "s_ttracedata", "s_setvskip s2, 0", "ds_append v1",
		"s_rfe_b64 s[2:3]",
	};

	for (unsigned i = 0; i < sizeof decoded / sizeof *decoded; i++) {
		static const struct setting s[] = { { "block", "64" }, { NULL, NULL } };
		char text[128];
		struct wb_diag d = { 0 };
		snprintf(text, sizeof text, ".kernel k\n.chip gfx900\n%s\ns_endpgm\n", decoded[i]);
		struct wb_program *p = load(text);
		struct wb_launch *l = launch(p, s);
		assert_int_equal(wb_launch_run(l, &d), WB_FAULT);
		if (!strstr(d.text, "but is not executed") || d.line != 3)
			fail_msg("%s: line %d: %s", decoded[i], d.line, d.text);
		wb_launch_free(l);
		wb_program_free(p);
	}
}

/* A trap is the guest's abort: the report has its number. */
static void a_trap_has_a_number(void **state)
{
	static const struct setting s[] = { { "block", "64" }, { NULL, NULL } };
	struct wb_diag d = { 0 };
	struct wb_program *p = load(".kernel k\n.chip tonga\ns_trap 0x2a\ns_endpgm\n");
	struct wb_launch *l = launch(p, s);

	(void)state;
	assert_int_equal(wb_launch_run(l, &d), WB_FAULT);
	assert_non_null(strstr(d.text, "the program executed trap"));
	assert_int_equal(d.line, 3);
	assert_non_null(strstr(wb_launch_report(l)->waits[0], "number 0x2a"));
	wb_launch_free(l);
	wb_program_free(p);
}

/* ---- absent memory ---- */

static void expect_shared_fault(const char *chip, const char *address, const char *instruction)
{
	static const char *const ways[] = { "on", "off" };
	char text[256];

	snprintf(text, sizeof text, ".kernel k\n.chip %s\ns_mov_b32 m0, -1\nv_mov_b32 v0, %s\n%s\ns_endpgm\n", chip,
		 address, instruction);
	for (unsigned level = 0; wb_simd_level(level); level++)
		for (unsigned way = 0; way < 4; way++) {
			const struct setting s[] = {
				{ "block", "64" }, { "smem", "1024" }, { "simd", wb_simd_level(level) },
				{ "in-order", ways[way & 1] }, { "threaded-code", ways[way >> 1] }, { NULL, NULL },
			};
			struct wb_diag d = { 0 };
			struct wb_program *p = load(text);
			struct wb_launch *l = launch(p, s);
			enum wb_status status = wb_launch_run(l, &d);
			if (status != WB_FAULT || !strstr(d.text, "shared memory"))
				fail_msg("--simd %s, way %u: status %d, %s\n%s", wb_simd_level(level), way, status,
					 d.text, text);
			wb_launch_free(l);
			wb_program_free(p);
		}
}

/* LDS has 1,024 bytes here. Addresses from 2^31 on are not negative, and no sum wraps round to the first bytes. */
static void addresses_outside_lds_fault(void **state)
{
	static const char *const chip[] = { "tahiti", "bonaire", "tonga", "gfx900" };
	static const char *const address[] = {
		"0x400", "0x10000", "0x7ffffff8", "0x80000000", "0x800003f8", "0xffff0000", "0xfffffff0", "0xfffffff8",
	};
	static const char *const instruction[] = {
		"ds_read_b32 v1, v0", "ds_write_b32 v0, v0", "ds_add_u32 v0, v0", "ds_read_u8 v1, v0",
		"ds_write_b16 v0, v0", "ds_read_b64 v[2:3], v0",
	};

	for (unsigned c = 0; c < sizeof chip / sizeof *chip; c++)
		for (unsigned a = 0; a < sizeof address / sizeof *address; a++)
			for (unsigned i = 0; i < sizeof instruction / sizeof *instruction; i++)
				expect_shared_fault(chip[c], address[a], instruction[i]);
	/* gfx900 takes any address: the offset of the last byte would wrap, the first byte's would not */
	for (unsigned i = 0; i < 2; i++) {
		expect_shared_fault("gfx900", "0xfffffffc", instruction[i]);
		expect_shared_fault("gfx900", "0xfffffffe", instruction[i]);
		expect_shared_fault("gfx900", "0x3fe", instruction[i]);
	}
}

/* ---- hardware registers and LDS direct ---- */

#define MODES "s_setreg_imm32_b32 hwreg(mode, 4, 4), 0x5\n" "s_getreg_b32 s20, hwreg(mode, 4, 4)\n" \
	"s_mov_b32 s21, 7\n" \
	"s_setreg_b32 hwreg(mode, 0, 2), s21\n" "s_getreg_b32 s21, hwreg(mode, 0, 8)\n" "s_cmp_eq_u32 s20, 5\n" \
	"s_setreg_b32 hwreg(status, 0, 1), s15\n" "s_getreg_b32 s22, hwreg(status, 0, 1)\n" \
	"s_getreg_b32 s23, hwreg(status, 9, 2)\n" "s_store_dwordx4 s[20:23], s[12:13], 0x0\n" "s_endpgm\n"

/* A field of MODE after s_setreg, beside the other fields; of STATUS, which cannot be set, scc, then execz and vccz. */
static uint32_t of_modes(unsigned i)
{
	return (const uint32_t[]){ 5, 0x53, 1, 2 }[i];
}

static void hardware_registers_by_fields(void **state)
{
	expect(BEGIN("gfx900") "s_mov_b64 vcc, 0\n" MODES, 0, 4, of_modes);
	expect(BEGIN("tonga") "s_mov_b64 vcc, 0\n" MODES, 0, 4, of_modes);
}

#define APERTURES "s_mov_b64 s[20:21], shared_base\n" "s_mov_b64 s[22:23], private_limit\n" \
	"v_lshrrev_b64 v[4:5], 0, private_base\n" "s_nop 4\n" "v_readfirstlane_b32 s24, v4\n" \
	"v_readfirstlane_b32 s25, v5\n" "s_nop 4\n" "s_store_dwordx4 s[20:23], s[12:13], 0x0\n" \
	"s_store_dwordx2 s[24:25], s[12:13], 0x10\n" "s_endpgm\n"

/* The window of a FLAT address is in the upper word, where compilers take it from (clang 19, gfx900: s_mov_b64 of
 * shared_base, then the odd register). */
static uint32_t of_apertures(unsigned i)
{
	return (const uint32_t[]){ 0, 0x10000, 0xffffffff, 0x20000, 0, 0x20000 }[i];
}

static void apertures_are_addresses(void **state)
{
	expect(BEGIN("gfx900") APERTURES, 0, 6, of_apertures);
}

/* M0: the offset, and above the type of the element, u8, u16, u32, u32, s8, s16: one value for all lanes. */
#define DIRECT(format, at) "s_mov_b32 m0, " format "0004\n" "v_mov_b32 v6, lds\n" \
	"buffer_store_dword v6, v1, s[12:15], 0 offen offset:" at "\n"
#define DIRECTS "s_mov_b32 m0, -1\n" "v_mov_b32 v4, 0x80f1a2b3\n" "v_mov_b32 v5, 0\n" "ds_write_b32 v5, v4 offset:4\n" \
	"s_waitcnt lgkmcnt(0)\n" DIRECT("0x0", "0") DIRECT("0x1", "256") DIRECT("0x2", "512") DIRECT("0x3", "768") \
	DIRECT("0x4", "1024") DIRECT("0x5", "1280") "s_endpgm\n"

static uint32_t of_directs(unsigned i)
{
	return (const uint32_t[]){ 0xb3, 0xa2b3, 0x80f1a2b3, 0x80f1a2b3, 0xffffffb3, 0xffffa2b3 }[i / 64];
}

static void lds_direct_by_its_format(void **state)
{
	expect(BEGIN("tahiti") DIRECTS, 0, 384, of_directs);
	expect(BEGIN("gfx900") DIRECTS, 0, 384, of_directs);
}

/* Old values are returned with glc alone. */
#define ATOMICS SCALARS "s_store_dwordx4 s[20:23], s[12:13], 0x0\n" "s_mov_b64 s[28:29], 5\n" \
	"s_atomic_add s28, s[12:13], 0x0\n"             /* 11 + 5, s28 stays */ \
	"s_atomic_umax s28, s[12:13], 0x0 glc\n"        /* s28 = 16, 16 stays: max(16, 5) */ \
	"s_mov_b32 s30, 99\n" "s_mov_b32 s31, 12\n" \
	"s_atomic_cmpswap s[30:31], s[12:13], 0x4 glc\n"        /* 12 → 99, s30 = 12 */ \
	"s_mov_b32 s14, 16\n" "s_mov_b32 s32, -1\n" "s_mov_b32 s33, 0\n" \
	"s_buffer_atomic_add_x2 s[32:33], s[12:15], 0x8 glc\n"  /* 13 + 2^32 - 1, carried: 12, 15 */ \
	"s_waitcnt lgkmcnt(0)\n" "s_store_dword s28, s[12:13], 0x10\n" "s_store_dword s30, s[12:13], 0x14\n" \
	"s_store_dwordx2 s[32:33], s[12:13], 0x18\n" "s_endpgm\n"

static uint32_t of_scalar_atomics(unsigned i)
{
	return (const uint32_t[]){ 16, 99, 12, 15, 16, 12, 13, 14 }[i];
}

static void scalar_atomics(void **state)
{
	expect(BEGIN("gfx900") ATOMICS, 0, 8, of_scalar_atomics);
}

/* ---- words of other lanes ---- */

#define LANES_OUT "s_waitcnt lgkmcnt(0)\n" "buffer_store_dword v5, v1, s[12:15], 0 offen\n" "s_endpgm\n"

/* Lane l's word is sent to lane 63 - l, or read from there. */
static uint32_t of_mirror(unsigned i)
{
	return 3 * (63 - i);
}

/* Two lanes name each even lane: the higher lane's word counts; odd lanes get 0. */
static uint32_t of_crowd(unsigned i)
{
	return i % 2 ? 0 : 3 * (i + 1);
}

/* Lanes 0 … 31 are inactive: they give 0 to others, and keep 7. */
static uint32_t of_half_asleep(unsigned i)
{
	return i < 32 ? 7 : i % 2 ? 0 : 3 * i;
}

/* offset[15]: the lane of each quad by 2 bits: 3, 2, 1, 0. Else ((lane & and) | or) ^ xor. */
static uint32_t of_quads(unsigned i)
{
	return 3 * (i ^ 3);
}

static uint32_t of_bits(unsigned i)
{
	return 3 * ((i & 32) | ((((i & 31) & 0x1c) | 1) ^ 16));
}

#define PREPARE "v_mul_u32_u24 v4, 3, v0\n" "v_mov_b32 v5, 7\n" "s_mov_b32 m0, -1\n"
#define REVERSED "v_sub_u32 v6, 0xfc, v1\n"
#define REVERSED_12 "v_sub_u32 v6, vcc, 0xfc, v1\n"

static void lanes_give_each_other_words(void **state)
{
	expect(BEGIN("gfx900") PREPARE REVERSED "ds_bpermute_b32 v5, v6, v4\n" LANES_OUT, 0, 64, of_mirror);
	expect(BEGIN("gfx900") PREPARE REVERSED "ds_permute_b32 v5, v6, v4\n" LANES_OUT, 0, 64, of_mirror);
	expect(BEGIN("tonga") PREPARE REVERSED_12 "ds_bpermute_b32 v5, v6, v4\n" LANES_OUT, 0, 64, of_mirror);
	expect(BEGIN("tonga") PREPARE "v_and_b32 v6, 0xf8, v1\n" "ds_permute_b32 v5, v6, v4\n" LANES_OUT, 0, 64,
	       of_crowd);
	expect(BEGIN("gfx900") PREPARE "v_lshlrev_b32 v6, 2, v0\n" "v_and_b32 v7, 1, v0\n"
	       "v_lshlrev_b32 v7, 7, v7\n" "v_xor_b32 v6, v6, v7\n"     /* odd lanes read the other half */
	       "s_mov_b32 s20, exec_lo\n" "s_mov_b32 exec_lo, 0\n" "ds_bpermute_b32 v5, v6, v4\n"
	       "s_mov_b32 exec_lo, s20\n" LANES_OUT, 0, 64, of_half_asleep);
	expect(BEGIN("tahiti") PREPARE "ds_swizzle_b32 v5, v4 offset:0x801b\n" LANES_OUT, 0, 64, of_quads);
	expect(BEGIN("bonaire") PREPARE "ds_swizzle_b32 v5, v4 offset:0x403c\n" LANES_OUT, 0, 64, of_bits);
}

/* ---- registers by an index ---- */

/* M0[15:12] of s_set_gpr_idx_on: bit 0 source 0, 1 source 1, 2 source 2, 3 the destination. v_writelane writes lane 9
 * of v(5 + 3), v_swap_b32's names are v(5 + 3) and v4, v_mov's source v(4 + 3). */
static uint32_t of_index(unsigned i)
{
	unsigned lane = i % 64;

	return i < 64 ? 3 * lane : i < 128 ? (lane == 9 ? 77 : 100 + lane) : 200 + lane;
}

static void registers_by_an_index(void **state)
{
	expect(BEGIN("gfx900")
	       "v_mul_u32_u24 v4, 3, v0\n" "v_add_u32 v8, 0x64, v0\n" "v_add_u32 v7, 0xc8, v0\n" "v_mov_b32 v5, 0\n"
	       "s_mov_b32 s20, 77\n" "s_mov_b32 s22, 3\n"
	       "s_set_gpr_idx_on s22, 0x8\n" "v_writelane_b32 v5, s20, 9\n" "s_set_gpr_idx_off\n"
	       "s_set_gpr_idx_on s22, 0x1\n" "v_mov_b32 v9, v4\n" "s_set_gpr_idx_off\n"
	       "s_set_gpr_idx_on s22, 0x8\n" "v_swap_b32 v5, v4\n" "s_set_gpr_idx_off\n"
	       "buffer_store_dword v8, v1, s[12:15], 0 offen\n"
	       "buffer_store_dword v4, v1, s[12:15], 0 offen offset:256\n"
	       "buffer_store_dword v9, v1, s[12:15], 0 offen offset:512\n" "s_endpgm\n", 0, 192, of_index);
}

/* A negative M0 leads beyond the last register, where v_movrels reads v0 and v_movreld writes nothing. */
static uint32_t of_beyond(unsigned i)
{
	return i < 64 ? i : 7;
}

static void registers_by_a_negative_index(void **state)
{
	expect(BEGIN("tonga") "v_mov_b32 v3, 7\n" "v_mov_b32 v4, 9\n" "s_mov_b32 m0, -1\n" "v_movrels_b32 v5, v4\n"
	       "v_movreld_b32 v4, v2\n" "buffer_store_dword v5, v1, s[12:15], 0 offen\n"
	       "buffer_store_dword v3, v1, s[12:15], 0 offen offset:256\n" "s_endpgm\n", 0, 128, of_beyond);
}

/* ---- swizzled buffers ---- */

/* Words of 64 lanes side by side, as of private memory. A register of -8 and an offset of 12 lead to the second words
 * on gfx900, where clang makes such sums; earlier chips find a negative register outside. */
#define BELOW(chip) \
	BEGIN(chip) "s_mov_b32 s16, s12\n" "s_or_b32 s17, s13, 0x80000000\n" "s_mov_b32 s18, -1\n" \
	"s_mov_b32 s19, 0xe80000\n" "v_mov_b32 v3, -8\n" "v_mov_b32 v4, 1\n" \
	"buffer_store_dword v4, v1, s[12:15], 0 offen offset:256\n" "s_waitcnt vmcnt(0)\n" "v_mov_b32 v5, 5\n" \
	"buffer_store_dword v5, v3, s[16:19], 0 offen offset:12\n" "s_waitcnt vmcnt(0)\n" \
	"buffer_load_dword v6, v3, s[16:19], 0 offen offset:12\n" "s_waitcnt vmcnt(0)\n" \
	"buffer_store_dword v6, v1, s[12:15], 0 offen offset:512\n" "s_endpgm\n"

static uint32_t of_below_14(unsigned i)
{
	return i < 64 ? 0 : 5;
}

static uint32_t of_below_12(unsigned i)
{
	return i / 64 == 1 ? 1 : 0;
}

static void an_offset_brings_a_negative_register_inside(void **state)
{
	expect(BELOW("gfx900"), 0, 192, of_below_14);
	expect(BELOW("tonga"), 0, 192, of_below_12);
	expect(BELOW("tahiti"), 0, 192, of_below_12);
}

/* ---- a negative number as the base, and the pointer as the offset ---- */

/* s[16:19] is a resource with the base `low`, `high`; v[4:5] is a pointer to the lane's word, less the base. Bits of
 * `high` beyond the base's 48 are there, as compilers leave them. A word of the lane is stored, loaded and doubled by
 * an atomic; the word from before goes on as an element of a format, and back. */
#define NEGATIVE(chip, low, high) \
	BEGIN(chip) "s_mov_b32 s16, " low "\n" "s_mov_b32 s17, " high "\n" "s_mov_b32 s18, -1\n" \
	"s_mov_b32 s19, 0xf000\n" "s_sub_u32 s20, s12, s16\n" "s_subb_u32 s21, s13, s17\n" "v_mov_b32 v5, s21\n" \
	"v_add_i32 v4, vcc, s20, v1\n" "v_addc_u32 v5, vcc, 0, v5, vcc\n" "v_add_i32 v6, vcc, 7, v0\n" \
	"buffer_store_dword v6, v[4:5], s[16:19], 0 addr64\n" "s_waitcnt vmcnt(0)\n" \
	"buffer_load_ushort v7, v[4:5], s[16:19], 0 addr64\n" "s_waitcnt vmcnt(0)\n" \
	"buffer_atomic_add v7, v[4:5], s[16:19], 0 addr64 glc\n" "s_waitcnt vmcnt(0)\n" \
	"s_movk_i32 s22, 0x40\n" \
	"tbuffer_store_format_x v7, v[4:5], s[16:19], s22 addr64 offset:192 format:[32,uint]\n" \
	"s_waitcnt vmcnt(0)\n" "tbuffer_load_format_x v8, v[4:5], s[16:19], 0 addr64 offset:256 format:[32,uint]\n" \
	"s_waitcnt vmcnt(0)\n" "buffer_store_dword v8, v[4:5], s[16:19], 0 addr64 offset:512\n" "s_endpgm\n"

static uint32_t of_negative(unsigned i)
{
	return i < 64 ? 2 * (i + 7) : i % 64 + 7;
}

static void sums_of_buffers_wrap_at_48_bits(void **state)
{
	expect(NEGATIVE("tahiti", "-4", "-1"), 0, 192, of_negative);
	expect(NEGATIVE("bonaire", "-4", "-1"), 0, 192, of_negative);
	expect(NEGATIVE("tahiti", "0x80000000", "-1"), 0, 192, of_negative);
	expect(NEGATIVE("bonaire", "0xfffffc00", "0xffff8000"), 0, 192, of_negative);
	expect(NEGATIVE("bonaire", "16", "0x7fff"), 0, 192, of_negative);
}

/* ---- passes to LDS ---- */

static unsigned counter(struct wb_launch *l, const char *name)
{
	const struct wb_report *r = wb_launch_report(l);

	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return (unsigned)r->counters[i].value;
	return 0;
}

#define READS(address) \
	".kernel k\n.chip tonga\n" "s_mov_b32 m0, -1\n" address "ds_read_b32 v2, v1\n" "s_waitcnt lgkmcnt(0)\n" \
	"s_endpgm\n"

/* 32 lanes at a time want words of 32 banks; each pass has a word of each bank for all lanes of the word. */
static void passes_to_lds_are_of_32_lanes(void **state)
{
	static const struct {
		const char *text;
		unsigned extra;         /* passes of both halves beyond two */
	} reads[] = {
		{ READS("v_lshlrev_b32 v1, 2, v0\n"), 0 },
		{ READS("v_lshlrev_b32 v1, 3, v0\n"), 2 },
		{ READS("v_lshlrev_b32 v1, 5, v0\n"), 14 },
		{ READS("v_lshlrev_b32 v1, 7, v0\n"), 62 },
		{ READS("v_mov_b32 v1, 64\n"), 0 },
		/* each word for two lanes, for four; two words of a bank for 16 lanes each */
		{ READS("v_and_b32 v1, 62, v0\n" "v_lshlrev_b32 v1, 1, v1\n"), 0 },
		{ READS("v_and_b32 v1, 60, v0\n"), 0 },
		{ READS("v_and_b32 v1, 1, v0\n" "v_lshlrev_b32 v1, 7, v1\n"), 2 },
	};

	for (unsigned i = 0; i < sizeof reads / sizeof *reads; i++)
		for (unsigned way = 0; way < 4; way++) {
			const struct setting s[] = {
				{ "block", "64" }, { "smem", "16384" }, { "in-order", way & 1 ? "on" : "off" },
				{ "simd", way & 2 ? "base" : "auto" }, { NULL, NULL },
			};
			struct wb_program *p = load(reads[i].text);
			struct wb_launch *l = launch(p, s);
			struct wb_diag d = { 0 };
			if (wb_launch_run(l, &d) != WB_OK)
				fail_msg("%s", d.text);
			if (counter(l, "warp_serialize") != reads[i].extra)
				fail_msg("%u extra passes, expected %u, of\n%s", counter(l, "warp_serialize"),
					 reads[i].extra, reads[i].text);
			wb_launch_free(l);
			wb_program_free(p);
		}
}

/* ---- words of LDS ---- */

enum { LDS_WORDS = 160 };

/* Lane i has words i * step % 64 + offset of an instruction; `lanes` take part. */
static const struct { unsigned step; uint64_t lanes; } walks[] = {
	{ 1, ~0ull }, { 1, 0xffff00ff0001fff0 }, { 3, ~0ull }, { 0, ~0ull }, { 0, 0xff00 }, { 8, ~0ull },
	{ 16, 0x7fffff }, { 63, ~0ull }, { 32, 0x8000000000000001 }, { 5, 0 },
};

static unsigned word_of(unsigned walk, unsigned lane)
{
	return lane * walks[walk].step % 64;
}

/* What the lanes store at words `at` further on, if the lowest lane's stays or else the highest's. */
static void store_words(uint32_t words[LDS_WORDS], unsigned walk, unsigned at, uint32_t more, bool lowest)
{
	for (unsigned i = 0; i < 64; i++) {
		unsigned lane = lowest ? 63 - i : i;
		if (walks[walk].lanes >> lane & 1)
			words[word_of(walk, lane) + at] = lane + more;
	}
}

/* v3 has the words' addresses. */
#define OUT(register, place) "buffer_store_dword " register ", v1, s[12:15], 0 offen offset:" place "\n"
#define WORDS_OF_LDS(chip) BEGIN(chip) \
	"s_mov_b32 m0, -1\n" "v_mov_b32 v3, 0x%x\n" "v_mul_u32_u24 v3, v0, v3\n" "v_and_b32 v3, 0xfc, v3\n" \
	"v_mov_b32 v10, 0\n" "ds_write2st64_b32 v1, v10, v10 offset0:0 offset1:1\n" \
	"ds_write_b32 v1, v10 offset:384\n" "v_mov_b32 v4, 1024\n" "v_or_b32 v4, v0, v4\n" \
	"v_mov_b32 v5, 2000\n" "v_mov_b32 v6, 3000\n" "v_mov_b32 v7, 4000\n" "s_mov_b32 s20, 0x%x\n" \
	"s_mov_b32 s21, 0x%x\n" "s_mov_b64 exec, s[20:21]\n" "ds_write_b32 v3, v0 offset:16\n" \
	"ds_write2_b32 v3, v0, v4 offset0:90 offset1:94\n" "ds_read_b32 v5, v3 offset:16\n" \
	"ds_read2_b32 v[6:7], v3 offset0:90 offset1:94\n" "s_waitcnt lgkmcnt(0)\n" "s_mov_b64 exec, -1\n" \
	"ds_read_b32 v8, v1\n" "ds_read2_b32 v[9:10], v1 offset0:64 offset1:96\n" "s_waitcnt lgkmcnt(0)\n" \
	OUT("v5", "0") OUT("v6", "256") OUT("v7", "512") OUT("v8", "768") OUT("v9", "1024") OUT("v10", "1280") \
	"s_waitcnt vmcnt(0)\n" "s_endpgm\n"

static void compare_words(const uint32_t out[], unsigned walk, bool lowest)
{
	uint32_t words[LDS_WORDS] = { 0 };

	store_words(words, walk, 4, 0, lowest);
	store_words(words, walk, 90, 0, lowest);
	store_words(words, walk, 94, 1024, lowest);
	for (unsigned i = 0; i < 64; i++) {
		bool part = walks[walk].lanes >> i & 1;
		unsigned at = word_of(walk, i);
		assert_int_equal(out[i], part ? words[at + 4] : 2000);
		assert_int_equal(out[64 + i], part ? words[at + 90] : 3000);
		assert_int_equal(out[128 + i], part ? words[at + 94] : 4000);
		assert_int_equal(out[192 + i], words[i]);
		assert_int_equal(out[256 + i], words[64 + i]);
		assert_int_equal(out[320 + i], words[96 + i]);
	}
}

static void words_of_lds_are_by_the_lanes_addresses(void **state)
{
	static const char *const forms[] = { WORDS_OF_LDS("tonga"), WORDS_OF_LDS("gfx900") };

	(void)state;
	for (unsigned i = 0; i < 8 * sizeof walks / sizeof *walks; i++) {
		unsigned walk = i / 8;
		const struct setting s[] = {
			{ "block", "64" }, { "smem", "1024" }, { "in-order", i & 1 ? "on" : "off" },
			{ "store-winner", i & 2 ? "lowest" : "highest" }, { NULL, NULL },
		};
		char text[2000];
		uint32_t out[WORDS];
		struct wb_program *p;
		struct wb_launch *l;
		struct wb_diag d = { 0 };
		snprintf(text, sizeof text, forms[i / 4 % 2], 4 * walks[walk].step, (unsigned)walks[walk].lanes,
			 (unsigned)(walks[walk].lanes >> 32));
		p = load(text);
		l = launch(p, s);
		if (wb_launch_arg(l, "zero=4096", &d) != WB_OK || wb_launch_run(l, &d) != WB_OK)
			fail_msg("%s\n%s", d.text, text);
		assert_int_equal(wb_launch_read_arg(l, 0, 0, out, sizeof out, NULL), WB_OK);
		compare_words(out, walk, i & 2);
		wb_launch_free(l);
		wb_program_free(p);
	}
}

/* ---- words of global memory ---- */

#define COPY(exec, step, from, to) \
	".kernel k\n.chip gfx900\n" "s_load_dwordx2 s[12:13], s[0:1], 0x0\n" "v_lshlrev_b32 v1, " step ", v0\n" \
	"v_mov_b32 v5, 0\n" "v_mov_b32 v6, 7\n" "s_waitcnt lgkmcnt(0)\n" "v_add_co_u32 v1, vcc, s12, v1\n" \
	"v_mov_b32 v2, s13\n" "v_addc_co_u32 v2, vcc, 0, v2, vcc\n" "s_mov_b64 exec, " exec "\n" \
	"v_add_u32 v4, 0x1234, v0\n" "global_store_dword v[1:2], v4, off offset:" from "\n" \
	"global_load_dword v5, v[1:2], off offset:" from "\n" "s_waitcnt vmcnt(0)\n" "s_mov_b64 exec, -1\n" \
	"v_add_u32 v6, v5, v6\n" "global_store_dword v[1:2], v6, off offset:" to "\n" "s_endpgm\n"

/* Under a check each access is an observer's; without, words side by side are only counted. */
static void words_of_global_memory_are_counted(void **state)
{
	static const char *const texts[] = {
		COPY("-1", "2", "0", "1024"), COPY("-1", "2", "4", "1024"), COPY("-1", "2", "64", "1028"),
		COPY("-1", "3", "0", "1024"), COPY("0xff", "2", "0", "1024"), COPY("-1", "2", "3072", "3072"),
	};
	static const char *const names[] = { "gld_32b", "gld_64b", "gld_128b", "gst_32b", "gst_64b", "gst_128b",
					     "dram_bytes" };

	(void)state;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		uint32_t out[2][WORDS];
		unsigned count[2][sizeof names / sizeof *names];
		for (unsigned way = 0; way < 2; way++) {
			const struct setting s[] = { { "block", "64" }, { "timing", "off" },
						     { "check", way ? "uninit" : "none" }, { NULL, NULL } };
			struct wb_program *p = load(texts[i]);
			struct wb_launch *l = launch(p, s);
			struct wb_diag d = { 0 };
			if (wb_launch_arg(l, "zero=4096", &d) != WB_OK || wb_launch_run(l, &d) != WB_OK)
				fail_msg("%s\n%s", d.text, texts[i]);
			assert_int_equal(wb_launch_read_arg(l, 0, 0, out[way], sizeof out[way], NULL), WB_OK);
			for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
				count[way][k] = counter(l, names[k]);
			wb_launch_free(l);
			wb_program_free(p);
		}
		assert_memory_equal(out[0], out[1], sizeof *out);
		assert_memory_equal(count[0], count[1], sizeof *count);
		assert_int_not_equal(count[0][3] + count[0][4] + count[0][5], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_are_read_by_their_format),
		cmocka_unit_test(elements_are_stored_by_their_format),
		cmocka_unit_test(a_resource_has_a_format_and_selects_components),
		cmocka_unit_test(components_of_16_bits), cmocka_unit_test(scalar_stores),
		cmocka_unit_test(scalar_atomics), cmocka_unit_test(scalar_scratch),
		cmocka_unit_test(what_does_not_run_faults), cmocka_unit_test(a_trap_has_a_number),
		cmocka_unit_test(addresses_outside_lds_fault),
		cmocka_unit_test(hardware_registers_by_fields),
		cmocka_unit_test(apertures_are_addresses),
		cmocka_unit_test(lds_direct_by_its_format),
		cmocka_unit_test(lanes_give_each_other_words), cmocka_unit_test(registers_by_an_index),
		cmocka_unit_test(registers_by_a_negative_index),
		cmocka_unit_test(an_offset_brings_a_negative_register_inside),
		cmocka_unit_test(sums_of_buffers_wrap_at_48_bits),
		cmocka_unit_test(passes_to_lds_are_of_32_lanes),
		cmocka_unit_test(words_of_lds_are_by_the_lanes_addresses),
		cmocka_unit_test(words_of_global_memory_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
