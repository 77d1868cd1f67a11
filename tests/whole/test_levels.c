/* Words of s[] and g[] in rows of many shapes, loaded and stored by all lanes or a part: side by side, butterflies,
 * walks, a word for each pair of lanes. Each SIMD level has fast ways of its own, and all levels leave behind what a
 * run without threaded code does, on chips whose lanes access memory in groups of 16, and of 32. */
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
		    const char *threaded)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };
	char *text = NULL;

	assert_int_equal(wb_config_set(c, "timing", timing, &d), WB_OK);
	assert_int_equal(wb_config_set(c, "chip", chip, &d), WB_OK);
	assert_int_equal(wb_config_set(c, "threaded-code", threaded, &d), WB_OK);
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
	char *plain = end_at(p, chip, "base", timing, "off");

	assert_non_null(plain);
	for (unsigned i = 0; i < 3; i++) {
		char *other = end_at(p, chip, levels[i], timing, "on");
		if (other && strcmp(plain, other))
			fail_msg("%s, timing %s, %s differs from no threaded code:\n%s\n%.400s\n%.400s", chip, timing,
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

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(shared_words), cmocka_unit_test(global_words) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
