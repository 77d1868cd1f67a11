/* The caller's float mode changes no result and no text, and is the same after each call: a program with sums, a
 * reciprocal and a decimal argument, in each direction of rounding, and with exceptions that trap. */
#include <fenv.h>
#include <stdio.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"
#include "warpbeam.h"

static const char tesla[] = ".kernel k\n.chip g200\n.block 32\n.param f32 x\n.param ptr out\n.arg f32=0.1\n"
			    ".arg zero=128\n"
			    "\tcvt rn f32 $r1 u32 $r0\n"
			    "\tmov b32 $r2 b32 s[0x10]\n"
			    "\tadd f32 $r1 $r1 $r2\n"
			    "\tmul f32 $r1 $r1 $r2\n"
			    "\trcp f32 $r3 $r1\n"
			    "\tadd f32 $r1 $r1 $r3\n"
			    "\tmov b32 $r4 0x3dcccccd\n"
			    "\tadd f32 $r1 (mul $r1 $r4) $r3\n"
			    "\tshl b32 $r0 $r0 0x2\n"
			    "\tadd b32 $r0 b32 s[0x14] $r0\n"
			    "\tst b32 g14[$r0] $r1\n"
			    "\texit nop\n";

struct outcome {
	char digest[80], report[4096], listing[4096];
};

static void note_report(const struct wb_report *r, struct outcome *o)
{
	size_t n = 0;

	snprintf(o->digest, sizeof o->digest, "%s", r->digest);
	for (unsigned i = 0; i < r->ncounters && n < sizeof o->report; i++)
		n += (size_t)snprintf(o->report + n, sizeof o->report - n, "%a ", r->counters[i].value);
}

/* One run of a text, stepped or not, with the listing of its program. */
static void run(const char *text, bool stepped, struct outcome *o)
{
	struct wb_diag d = { .text = "" };
	struct wb_program *p;
	struct wb_launch *l = NULL;
	struct wb_text list;
	struct wb_where where;

	memset(o, 0, sizeof *o);
	if (wb_program_load(text, strlen(text), "k.s", NULL, &p, &d) != WB_OK ||
	    wb_disassemble(p, NULL, WB_LIST_SOURCE, &list, &d) != WB_OK ||
	    wb_launch_new(p, NULL, NULL, &l, &d) != WB_OK)
		fail_msg("%d: %s", d.line, d.text);
	snprintf(o->listing, sizeof o->listing, "%s", list.data);
	wb_text_free(&list);
	if ((stepped ? wb_launch_forward(l, &(struct wb_goal){ .stops = WB_STOP_END }, &where, &d)
		     : wb_launch_run(l, &d)) != WB_OK)
		fail_msg("%s", d.text);
	note_report(wb_launch_report(l), o);
	wb_launch_free(l);
	wb_program_free(p);
}

static void expect_same(const char *what, bool stepped, const struct outcome *usual)
{
	struct outcome o;
	int rounding = fegetround(), trapping = fegetexcept();

	run(tesla, stepped, &o);
	assert_int_equal(fegetround(), rounding);
	assert_int_equal(fegetexcept(), trapping);
	fedisableexcept(FE_ALL_EXCEPT);
	fesetround(FE_TONEAREST);
	if (memcmp(&o, usual, sizeof o) != 0)
		fail_msg("%s, %s: found %s, expected %s", what, stepped ? "stepped" : "run", o.digest, usual->digest);
}

static void test_modes(void **state)
{
	static const struct { const char *name; int mode; } rounding[] = {
		{ "upward", FE_UPWARD }, { "downward", FE_DOWNWARD }, { "towards zero", FE_TOWARDZERO },
	};

	for (int stepped = 0; stepped < 2; stepped++) {
		struct outcome usual;
		run(tesla, stepped, &usual);
		for (size_t i = 0; i < sizeof rounding / sizeof *rounding; i++) {
			fesetround(rounding[i].mode);
			expect_same(rounding[i].name, stepped, &usual);
		}
		feclearexcept(FE_ALL_EXCEPT);
		feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
		expect_same("trapping", stepped, &usual);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_modes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
