/* For tests of PTX statements: a body of statements runs in 512 threads, each with three words as its sources. */
#ifndef WB_TESTS_UNIT_PTX_BODY_H
#define WB_TESTS_UNIT_PTX_BODY_H

#include "tests/kit/launches.h"

enum { WORDS = 512 };

static const char *const chips[] = { "g80", "g84", "mcp77", "g200" };

static const char body_head[] =
	".version 1.4\n.target sm_13\n.entry k (.param .u32 a, .param .u32 b, .param .u32 c, .param .u32 o)\n{\n"
	".reg .u16 %h<9>;\n.reg .u32 %r<40>;\n.reg .u64 %d<9>;\n.reg .pred %p<9>;\n.reg .f32 %f<9>;\n.reg .f64 %e<9>;\n"
	"cvt.u32.u16 %r30, %tid.x;\ncvt.u32.u16 %r31, %ctaid.x;\ncvt.u32.u16 %r32, %ntid.x;\n"
	"mad24.lo.u32 %r30, %r31, %r32, %r30;\nshl.b32 %r30, %r30, 2;\n"
	"ld.param.u32 %r31, [a];\nadd.u32 %r31, %r31, %r30;\nld.global.u32 %r1, [%r31];\n"
	"ld.param.u32 %r31, [b];\nadd.u32 %r31, %r31, %r30;\nld.global.u32 %r2, [%r31];\n"
	"ld.param.u32 %r31, [c];\nadd.u32 %r31, %r31, %r30;\nld.global.u32 %r3, [%r31];\n"
	"mov.b64 %d1, {%r1,%r2};\nmov.b64 %d2, {%r3,%r1};\ncvt.u16.u32 %h1, %r1;\ncvt.u16.u32 %h2, %r2;\n";
static const char body_end[] =
	"shl.b32 %r30, %r30, 1;\nld.param.u32 %r31, [o];\nadd.u32 %r31, %r31, %r30;\n"
	"st.global.u64 [%r31], %d8;\nexit;\n}\n";

static inline uint32_t corner(unsigned i)
{
	static const uint32_t corners[] = { 0,         1,          2,          3,          7,          10,
					    31,        32,         63,         127,        128,        255,
					    256,       32767,      32768,      65535,      65536,      0xffffff,
					    0x1000000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff };

	return corners[i % (sizeof corners / sizeof *corners)];
}

static inline uint32_t next_word(uint64_t *x)
{
	*x = *x * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*x >> 32) >> (*x >> 27 & 31);
}

/* The results of a body for the words in[0] to in[2], of 8 bytes each. %r1 %r2 %r3: words, %d1: b and a, %d2: a and c,
 * %h1 %h2: low halves of a and b; %r8 or (`wide`) %d8: the result. */
static inline void run_body(const char *body, bool wide, const char *chip, uint32_t in[3][WORDS], uint64_t *out)
{
	static const struct setting setup[] = { { "grid", "4" }, { "block", "128" }, { "timing", "off" }, { 0 } };
	struct wb_diag d = { 0 };
	char text[4096];

	snprintf(text, sizeof text, "%s%s\n%s%s", body_head, body, wide ? "" : "cvt.u64.u32 %d8, %r8;\n", body_end);
	struct wb_program *p = load_ptx(text, chip, &d);
	if (!p)
		fail_msg("%s: line %d: %s", body, d.line, d.text);
	struct wb_launch *l = launch(p, setup);
	for (unsigned k = 0; k < 3; k++) {
		assert_int_equal(wb_launch_arg(l, "zero=2048", &d), WB_OK);
		assert_int_equal(wb_launch_write_arg(l, k, 0, in[k], sizeof in[k], &d), WB_OK);
	}
	assert_int_equal(wb_launch_arg(l, "zero=4096", &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s: %s", body, d.text);
	assert_int_equal(wb_launch_read_arg(l, 3, 0, out, WORDS * sizeof *out, &d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
}

#endif
