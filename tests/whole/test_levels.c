/* Words of s[] and g[] in rows of many shapes, loaded and stored by all lanes or a part: side by side, butterflies,
 * walks, a word for each pair of lanes; and operations that write flags. Each SIMD level has fast ways of its own, and
 * all levels leave behind what a run without threaded code does, on chips whose lanes access memory in groups of 16,
 * and of 32. */
#include "tests/kit/launches.h"

#define BUTTERFLY(below) \
	"mov b32 $r5 " below "\nand b32 $r1 $r0 $r5\nadd b32 $r2 $r0 $r0\nsub b32 $r1 $r2 $r1\nshl b32 $r1 $r1 0x2\n"

/* Sixteen lanes' words `step` times 4 bytes apart, `half` bytes from half to half. */
#define HALVES(half, step) \
	"mov b32 $r5 0xf\nand b32 $r1 $r0 $r5\nshl b32 $r1 $r1 " step "\nshr u32 $r2 $r0 0x4\nmov b32 $r5 " half \
	"\nmul $r2 u24 $r2 $r5\nadd b32 $r1 $r1 $r2\n"

/* $r1: the word that a lane accesses, times 4. */
static const char *const shapes[] = {
	"shl b32 $r1 $r0 0x2\n",
	"shl b32 $r1 $r0 0x3\n",
	"mov b32 $r5 0xc\nmul $r1 u24 $r0 $r5\n",
	"shl b32 $r1 $r0 0x5\n",
	"shr u32 $r1 $r0 0x1\nshl b32 $r1 $r1 0x2\n",
	BUTTERFLY("0x3"),
	BUTTERFLY("0x7") "mov b32 $r5 0x20\nadd b32 $r1 $r1 $r5\n",
	"mov b32 $r5 0x1f\nxor b32 $r1 $r0 $r5\nshl b32 $r1 $r1 0x2\n",
	"mov b32 $r5 0x4d\nmul $r1 u24 $r0 $r5\nmov b32 $r5 0x1fc\nand b32 $r1 $r1 $r5\n",
	/* two runs of sixteen words; two words, of sixteen lanes each */
	"mov b32 $r5 0x10\nand b32 $r1 $r0 $r5\nadd b32 $r1 $r1 $r0\nshl b32 $r1 $r1 0x2\n",
	"shr u32 $r1 $r0 0x4\nshl b32 $r1 $r1 0x7\n", "shr u32 $r1 $r0 0x4\nshl b32 $r1 $r1 0x6\n",
	HALVES("0x20", "0x2"), HALVES("0x80", "0x2"), HALVES("0xc0", "0x2"), HALVES("0xe4", "0x2"),
	HALVES("0x140", "0x2"), HALVES("0x4", "0x3"), HALVES("0x10", "0x3"), HALVES("0x84", "0x3"),
	HALVES("0x100", "0x3"),
	"mov b32 $r5 0x10\nxor b32 $r1 $r0 $r5\nshl b32 $r1 $r1 0x2\n",
	"mov b32 $r5 0x10\nxor b32 $r1 $r0 $r5\nshl b32 $r1 $r1 0x3\n",
};

static const char *const guards[] = { "0x1", "0x4", "0x5", "0x10", "0x20" };

static const char body[] =
	"shl $a1 $r1 0x0\nmov b32 $r5 %s\nand b32 $c0 # $r0 $r5\nmov b32 $r6 0x4\nagain:\n"
	"st b32 s[$a1+0x20] $r0\nbar inc wait 0x0 all\nld $r2 b32 s[$a1+0x24]\nadd b32 $r2 $r2 $r6\n"
	"(e $c0) st b32 s[$a1+0x20] $r2\n(lg $c0) add b32 $r3 b32 s[$a1+0x28] $r2\nbar inc wait 0x0 all\n"
	"ld $r4 b32 s[$a1+0x20]\nadd b32 $r3 $r3 $r4\nsub b32 $c1 $r6 $r6 c1[0x0]\n(lg $c1) bra #again\n"
	"shl b32 $r0 $r0 0x2\nadd b32 $r0 b32 s[0x10] $r0\nexit st b32 g14[$r0] $r3\n";

/* What a run at a level leaves behind; NULL: the host cannot. */
static char *end_at(const struct wb_program *p, const char *chip, const char *level, const char *timing,
		    const char *threaded, const char *check)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };
	char *text = NULL;

	assert_int_equal(wb_config_set(c, "timing", timing, &d), WB_OK);
	assert_int_equal(wb_config_set(c, "chip", chip, &d), WB_OK);
	assert_int_equal(wb_config_set(c, "threaded-code", threaded, &d), WB_OK);
	assert_int_equal(wb_config_set(c, "check", check, &d), WB_OK);
	if (!strcmp(chip, "g200") || !strcmp(chip, "v100"))
		assert_int_equal(wb_config_set(c, "reconverge", "stack", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "stats-level", "full", &d), WB_OK);
	if (wb_config_set(c, "simd", level, &d) == WB_OK && wb_launch_new(p, NULL, c, &l, &d) == WB_OK) {
		enum wb_status status = wb_launch_run(l, &d);
		assert_int_equal(status, WB_OK);
		text = outcome(l, status, &d);
	}
	wb_launch_free(l);
	wb_config_free(c);
	return text;
}

static void compare(const char *source, const struct wb_program *p, const char *chip, const char *timing)
{
	static const char *const levels[] = { "base", "avx2", "avx512" };
	bool gcn = !strcmp(chip, "gfx900");
	char *plain = end_at(p, chip, "base", timing, gcn ? "on" : "off", gcn ? "barrier" : "none");

	assert_non_null(plain);
	for (unsigned i = 0; i < 3; i++) {
		char *other = end_at(p, chip, levels[i], timing, "on", "none");
		if (other && strcmp(plain, other))
			fail_msg("%s, timing %s, %s differs from each access alone:\n%s\n%.400s\n%.400s", chip, timing,
				 levels[i], source, plain, other);
		free(other);
	}
	free(plain);
}

static void shared_words(void **state)
{
	char text[2048];
	int n;

	(void)state;
	for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
		for (unsigned k = 0; k < sizeof guards / sizeof *guards; k++) {
			n = snprintf(text, sizeof text, HEAD ".grid 2\n.block 96\n.smem 0x2000\n.arg zero=4096\n"
				     ".const 1 0x0: 1\n%s", shapes[i]);
			snprintf(text + n, sizeof text - (size_t)n, body, guards[k]);
			struct wb_program *p = load(text);
			for (unsigned c = 0; c < 2; c++) {
				compare(text, p, c ? "v100" : "g200", "on");
				compare(text, p, c ? "v100" : "g200", "off");
			}
			wb_program_free(p);
		}
}

/* Words of g[]: two runs of sixteen, a run of all lanes, a word for each pair of lanes. */
static void global_words(void **state)
{
	static const char *const places[] = {
		("mov b32 $r5 0x10\nand b32 $r1 $r0 $r5\nmul $r1 u24 $r1 $r5\nadd b32 $r1 $r1 $r0\n"
		 "shl b32 $r1 $r1 0x2\n"),
		"shl b32 $r1 $r0 0x2\n", "shr u32 $r1 $r0 0x1\nshl b32 $r1 $r1 0x2\n",
	};
	char text[512];

	(void)state;
	for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(text, sizeof text, HEAD ".grid 2\n.block 64\n.arg zero=16384\n%sadd b32 $r1 b32 s[0x10] $r1\n"
			 "ld b32 $r2 g14[$r1]\nadd b32 $r2 $r2 $r0\nexit st b32 g14[$r1] $r2\n", places[i]);
		struct wb_program *p = load(text);
		for (unsigned c = 0; c < 2; c++) {
			compare(text, p, c ? "v100" : "g200", "on");
			compare(text, p, c ? "v100" : "g200", "off");
		}
		wb_program_free(p);
	}
}

/* Words that move up to the end of s[] and beyond, in a guard's lanes whose words are still inside. */
static void up_to_the_end(void **state)
{
	static const char walk[] =
		"mov b32 $r7 0xfd8\nmov b32 $r6 0x50\nmov b32 $r8 0x40\nagain:\nshl $a1 $r1 0x0\n"
		"sub b32 $c0 # $r1 $r7\n(le $c0) st b32 s[$a1+0x20] $r1\n(le $c0) ld $r2 b32 s[$a1+0x24]\n"
		"(le $c0) add b32 $r3 b32 s[$a1+0x1c] $r2\nadd b32 $r3 $r3 $r2\nadd b32 $r1 $r1 $r8\n"
		"sub b32 $c1 $r6 $r6 c1[0x0]\n(lg $c1) bra #again\n"
		"shl b32 $r0 $r0 0x2\nadd b32 $r0 b32 s[0x10] $r0\nexit st b32 g14[$r0] $r3\n";
	char text[2048];

	(void)state;
	for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		snprintf(text, sizeof text, HEAD ".block 64\n.smem 0x1000\n.arg zero=4096\n.const 1 0x0: 1\n"
			 "mov b32 $r3 0x0\nmov b32 $r2 0x0\n%s%s", shapes[i], walk);
		struct wb_program *p = load(text);
		compare(text, p, "g200", "on");
		compare(text, p, "g200", "off");
		wb_program_free(p);
	}
}

/* Operations that write flags, alone and beside a result: each condition adds a bit to what is stored. */
static void flags(void **state)
{
	static const char *const operations[] = {
		"add b32 $c0 %s $r1 $r2", "sub b32 $c0 %s $r1 $r2", "subr b32 $c0 %s $r1 $r2",
		"and b32 $c0 %s $r1 $r2", "or b32 $c0 %s $r1 $r2", "xor b32 $c0 %s $r1 $r2",
		"and b32 $c0 %s not $r1 $r2", "or b32 $c0 %s $r1 not $r2", "xor b32 $c0 %s not $r1 $r2",
		"shl b32 $c0 %s $r1 0x1", "shl b32 $c0 %s $r1 0x2", "shl b32 $c0 %s $r1 0x1f",
		"shr u32 $c0 %s $r1 0x1", "shr u32 $c0 %s $r1 0x2", "shr u32 $c0 %s $r1 0x1f",
		"shr s32 $c0 %s $r1 0x1", "shr s32 $c0 %s $r1 0x3", "shr s32 $c0 %s $r1 0x1f",
		"shl b32 $c0 %s $r1 0x20", "shr u32 $c0 %s $r1 0x20", "shr s32 $c0 %s $r1 0x20",
		"shl b32 $c0 %s $r1 $r2", "shr u32 $c0 %s $r1 $r2", "shr s32 $c0 %s $r1 $r2",
		"min u32 $c0 %s $r1 $r2", "max s32 $c0 %s $r1 $r2",
	};
	static const char *const guarded[] = { "", "(lg $c1) " };
	char text[2048], operation[64];

	(void)state;
	for (unsigned i = 0; i < 4 * sizeof operations / sizeof *operations; i++) {
		snprintf(operation, sizeof operation, operations[i / 4], i & 1 ? "$r3" : "#");
		snprintf(text, sizeof text, HEAD ".grid 2\n.block 64\n.smem 0x100\n.arg zero=4096\n"
			 "mov b32 $r3 0x0\nmov b32 $r6 0x5\nand b32 $c1 # $r0 $r6\n"
			 "mov b32 $r1 u16 s[0xc]\nmov b32 $r5 0x2c\nmul $r1 u24 $r1 $r5\nadd b32 $r1 $r1 $r0\n"
			 "mov b32 $r5 0x4ce1\nmul $r1 u24 $r1 $r5\nshl b32 $r1 $r1 0xf\n"      /* words of all kinds */
			 "shr u32 $r2 $r1 0x3\nmov b32 $r5 0x13\nmul $r5 u24 $r0 $r5\nsub b32 $r2 $r5 $r2\n"
			 "mov b32 $r5 0x23\nand b32 $c2 # $r0 $r5\n(e $c2) mov b32 $r2 $r0\n"   /* and counts */
			 "sub b32 $c0 # $r0 $r6\n%s%s\nmov b32 $r4 0x0\nmov b32 $r5 0x1\n"
			 "(s $c0) add b32 $r4 $r4 $r5\nadd b32 $r5 $r5 $r5\n(e $c0) add b32 $r4 $r4 $r5\n"
			 "add b32 $r5 $r5 $r5\n(c $c0) add b32 $r4 $r4 $r5\nadd b32 $r5 $r5 $r5\n"
			 "(o $c0) add b32 $r4 $r4 $r5\nshl b32 $r3 $r3 0x4\nadd b32 $r4 $r4 $r3\n"
			 "shl b32 $r0 $r0 0x2\nadd b32 $r0 b32 s[0x10] $r0\nexit st b32 g14[$r0] $r4\n",
			 guarded[i / 2 & 1], operation);
		struct wb_program *p = load(text);
		compare(text, p, "g200", "off");
		wb_program_free(p);
	}
}

/* On GCN, words of LDS in rows of as many shapes, of all 64 lanes or a part. A check that finds nothing wants each
 * access, of which machine/memory_cost.c then counts the passes. */
static void lds_words(void **state)
{
	static const char *const rows[] = {
		"v_lshlrev_b32 v1, 2, v0\n", "v_lshlrev_b32 v1, 3, v0\n", "v_mul_u32_u24 v1, 12, v0\n",
		"v_lshlrev_b32 v1, 7, v0\n", "v_lshrrev_b32 v1, 1, v0\nv_lshlrev_b32 v1, 2, v1\n",
		"v_and_b32 v1, 3, v0\nv_lshlrev_b32 v2, 1, v0\nv_sub_u32 v1, v2, v1\nv_lshlrev_b32 v1, 2, v1\n",
		"v_and_b32 v1, 15, v0\nv_lshlrev_b32 v2, 1, v0\nv_sub_u32 v1, v2, v1\nv_lshlrev_b32 v1, 2, v1\n",
		"v_xor_b32 v1, 63, v0\nv_lshlrev_b32 v1, 2, v1\n", "v_mov_b32 v1, 64\n",
		"v_mul_u32_u24 v1, 0x4d, v0\nv_and_b32 v1, 0x3fc, v1\n",
	};
	static const uint32_t masks[][2] = {
		{ ~0u, ~0u }, { 0x55555555, 0xf0f0f0f0 }, { 0xff, 0xffff0000 }, { 0, 0x10 }, { 0x12345678, 0x9abcdef0 },
	};
	char text[2048];

	(void)state;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned k = 0; k < sizeof masks / sizeof *masks; k++) {
			snprintf(text, sizeof text,
				 ".kernel k\n.chip gfx900\n.block 64\n.grid 2\n.smem 0x4000\n.arg zero=8192\n"
				 "s_mov_b32 m0, -1\ns_load_dwordx2 s[12:13], s[0:1], 0x0\ns_mov_b32 s14, -1\n"
				 "s_mov_b32 s15, 0x24fac\ns_movk_i32 s16, 5\nv_lshlrev_b32 v9, 2, v0\n%s"
				 "s_waitcnt lgkmcnt(0)\nds_write_b32 v1, v0\n"
				 "again:\ns_mov_b32 exec_lo, 0x%x\ns_mov_b32 exec_hi, 0x%x\n"
				 "ds_read_b32 v3, v1 offset:4\nds_read2_b32 v[4:5], v1 offset0:1 offset1:7\n"
				 "s_waitcnt lgkmcnt(0)\nv_add_u32 v3, v3, v4\nv_add_u32 v3, v3, v5\n"
				 "v_add_u32 v3, v3, v0\nds_write_b32 v1, v3 offset:8\n"
				 "ds_write2_b32 v1, v3, v0 offset0:4 offset1:12\ns_mov_b64 exec, -1\n"
				 "s_sub_u32 s16, s16, 1\ns_cmp_lg_u32 s16, 0\ns_cbranch_scc1 again\n"
				 "ds_read_b32 v2, v1 offset:8\ns_waitcnt lgkmcnt(0)\n"
				 "buffer_store_dword v2, v9, s[12:15], 0 offen\ns_endpgm\n", rows[i], masks[k][0],
				 masks[k][1]);
			struct wb_program *p = load(text);
			compare(text, p, "gfx900", "on");
			compare(text, p, "gfx900", "off");
			wb_program_free(p);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared_words), cmocka_unit_test(up_to_the_end), cmocka_unit_test(global_words),
		cmocka_unit_test(flags), cmocka_unit_test(lds_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
