/* No launch sees what another has left, though launches of a process use the same memory one after the other: a program
 * reads registers, flags, addresses, s[], l[] and g[] before their first writes, and then fills them. */
#include "tests/kit/launches.h"

enum { THREADS = 64, BLOCKS = 600, BYTES = THREADS * BLOCKS * 4, LAUNCHES = 3 };

#define READ(word) "mov $r2 " word "\nor b32 $r10 $r10 $r2\n"

/* out: by thread, the bits of all that was read; more: read and filled. */
static const char text[] =
	HEAD ".regs 16\n.smem 0x800\n.lmem 64\n.param ptr out\n.param ptr more\n"
	"or b32 $r10 $r1 $r2\n"
	"or b32 $r10 $r10 $r3\n"
	"or b32 $r10 $r10 $r7\n"
	"or b32 $r10 $r10 $r11\n"
	READ("$c0") READ("$c1") READ("$c2") READ("$c3") READ("$a1") READ("$a2") READ("$a3") READ("$a4")
	"and b32 $r0 $r0 0xffff\n"
	"shl $a1 $r0 0x2\n"
	"add $a2 $a1 0x100\n"
	"add $a3 $a1 0x400\n"
	"shl b32 $r8 $r0 0x2\n"
	"mov b32 $r1 0xdeadbeef\n"
	"mov b32 $r2 b32 s[$a2+0x0]\n"
	"or b32 $r10 $r10 $r2\n"
	"st b32 s[$a2+0x0] $r1\n"
	"mov b32 $r2 b32 s[$a3+0x0]\n"
	"or b32 $r10 $r10 $r2\n"
	"st b32 s[$a3+0x0] $r1\n"
	"ld b32 $r2 l[0x0]\n"
	"or b32 $r10 $r10 $r2\n"
	"st b32 l[0x0] $r1\n"
	"ld b32 $r2 l[0x3c]\n"
	"or b32 $r10 $r10 $r2\n"
	"st b32 l[0x3c] $r1\n"
	"mov b16 $r3l u16 s[0x2]\n"
	"add $r4 (mul u16 u16 s[0xc] $r3l) $r0\n"
	"shl b32 $r8 $r4 0x2\n"
	"add b32 $r9 b32 s[0x14] $r8\n"
	"ld b32 $r2 g14[$r9]\n"
	"or b32 $r10 $r10 $r2\n"
	"st b32 g14[$r9] $r1\n"
	"add b32 $r9 b32 s[0x10] $r8\n"
	"st b32 g14[$r9] $r10\n"
	"mov $c0 $r1\n"
	"or b32 $c1 # $r1 $r1\n"
	"or b32 $c2 $r2 $r1 $r1\n"
	"vote any $c3\n"
	"add b32 $r2 b32 s[$a4++0x4] $r1\n"
	"mov b32 $r2 $r1\n"
	"mov b32 $r3 $r1\n"
	"mov b32 $r7 $r1\n"
	"exit mov b32 $r11 $r1\n";

static void check(struct wb_launch *l, unsigned arg, uint32_t expected)
{
	static uint32_t word[BYTES / 4];
	struct wb_diag d;

	assert_int_equal(wb_launch_read_arg(l, arg, 0, word, BYTES, &d), WB_OK);
	for (unsigned i = 0; i < BYTES / 4; i++)
		if (word[i] != expected)
			fail_msg("argument %u, thread %u: 0x%x, expected 0x%x", arg, i, word[i], expected);
}

static void run(const struct wb_program *p, const char *timing, const char *threads)
{
	const struct setting s[] = { { "timing", timing }, { "threads", threads }, { "grid", "600" }, { "block", "64" },
				     { NULL, NULL } };
	struct wb_launch *l = launch(p, s);
	struct wb_diag d;

	for (int i = 0; i < 2; i++)
		assert_int_equal(wb_launch_arg(l, "zero=153600", &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	check(l, 0, 0);
	check(l, 1, 0xdeadbeef);
	wb_launch_free(l);
}

static void memory_is_fresh(void **state)
{
	struct wb_program *p = load(text);

	(void)state;
	for (unsigned i = 0; i < LAUNCHES; i++)
		for (unsigned way = 0; way < 4; way++)
			run(p, way % 2 ? "on" : "off", way / 2 ? "2" : "1");
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(memory_is_fresh) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
