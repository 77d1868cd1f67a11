/* Code that fails on a console: one planted finding each, and shaders that look alike and are right. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <setjmp.h>
#include <cmocka.h>

#include "core/image.h"
#include "core/isa/pica/lint.h"
#include "tests/kit/pica_unit.h"

#define MOV(dst, src, desc) (0x13u << 26 | (dst) << 21 | (src) << 12 | (desc))
#define ADD(dst, a, b) ((dst) << 21 | (a) << 12 | (b) << 7)
#define MOVA(src) (0x12u << 26 | (src) << 12)
#define LOOP(target) (0x29u << 26 | (target) << 10)
#define IFC(target, num) (0x28u << 26 | 2u << 22 | (target) << 10 | (num))
#define JMPC(target) (0x2cu << 26 | 2u << 22 | (target) << 10)
#define CALLC(target, num) (0x25u << 26 | 2u << 22 | (target) << 10 | (num))
#define BREAKC (0x23u << 26 | 2u << 22)
#define NOP (0x21u << 26)
#define END (0x22u << 26)
enum { ALL, X, YZW };           /* descriptors by mask */
enum { R0 = 16, C0 = 32 };

static const struct {
	const char *what;
	uint32_t code[10];
	const char *found;      /* all lines; o0 is the output, with all components */
} cases[] = {
	{ "nothing", { MOV(0u, 0u, ALL), END }, "" },
	{ "components one by one", { MOV(0u, 0u, X), MOV(0u, 0u, YZW), END }, "" },
	{ "mova twice", { MOVA(0u), MOVA(0u), MOV(0u, 0u, ALL), END },
	  "0x0: two mova in a row freeze the hardware: put something between them\n" },
	{ "mova, something, mova", { MOVA(0u), MOV(0u, 0u, ALL), MOVA(0u), END }, "" },
	{ "two inputs", { ADD(0u, 0u, 1u), END },
	  "0x0: v0 and v1 in one instruction: the hardware reads one input register\n" },
	{ "one input twice", { ADD(0u, 1u, 1u), END }, "" },
	{ "an input and a temporary", { ADD(0u, 1u, R0), END }, "" },
	{ "written twice", { MOV(0u, 0u, ALL), MOV(0u, 0u, YZW), END },
	  "0x4: o0.yzw is written again here: the hardware hangs unless each component is written once\n" },
	{ "on both sides", { IFC(2u, 1u), MOV(0u, 0u, ALL), MOV(0u, 1u, ALL), END }, "" },
	{ "on one side and after", { IFC(2u, 0u), MOV(0u, 0u, ALL), MOV(0u, 1u, ALL), END },
	  "0x8: o0.xyzw is written again here: the hardware hangs unless each component is written once\n" },
	{ "in a loop", { LOOP(2u), MOV(0u, 0u, ALL), NOP, END },
	  "0x4: o0.xyzw is written again here: the hardware hangs unless each component is written once\n" },
	{ "in a loop that is left", { LOOP(2u), BREAKC, NOP, MOV(0u, 0u, ALL), END }, "" },
	{ "never", { MOV(R0, 0u, ALL), END }, "0x0: o0.xyzw is an output and never written: the hardware hangs\n" },
	{ "a component never", { MOV(0u, 0u, YZW), END },
	  "0x0: o0.x is an output and never written: the hardware hangs\n" },
	{ "on one side", { IFC(2u, 0u), MOV(0u, 0u, ALL), END },
	  "0x8: o0.xyzw is not written on some way to this end: the hardware hangs\n" },
	{ "jumped over", { JMPC(2u), MOV(0u, 0u, ALL), END },
	  "0x8: o0.xyzw is not written on some way to this end: the hardware hangs\n" },
	{ "in a subroutine", { CALLC(3u, 1u), NOP, END, MOV(0u, 0u, ALL) },
	  "0x8: o0.xyzw is not written on some way to this end: the hardware hangs\n" },
	{ "loops that end together", { MOV(0u, 0u, ALL), LOOP(3u), LOOP(3u), NOP, END },
	  "0x8: this loop ends on the same instruction as the loop at pc 0x4: put a nop between the ends\n" },
	{ "loops that end apart", { MOV(0u, 0u, ALL), LOOP(4u), LOOP(3u), NOP, NOP, END }, "" },
	{ "code that nothing reaches", { MOV(0u, 0u, ALL), END, MOVA(0u), MOVA(0u) }, "" },
};

static void note(void *context, uint32_t pc, const char *text)
{
	char *found = context;
	size_t n = strlen(found);

	snprintf(found + n, 512 - n, "0x%x: %s\n", pc, text);
}

static void lint(const uint32_t *code, uint32_t mode, char found[512])
{
	static const uint32_t desc[] = { 0x0d86c36f, 0x0d86c368, 0x0d86c367, 0 };
	struct shader_output output = { .type = OUTPUT_POSITION, .reg = 0, .mask = 15 };
	const struct shader_entry entry = { .noutputs = 1, .output = &output };
	const struct image_kernel k = { .entry_point = &entry };
	struct unit u;

	*found = '\0';
	unit_open(&u, code, 10, desc, 3, mode, F24_TRUNC, SIMD_BASE);
	assert_true(pica_lint(&u.program, &k, &u.arena, note, found));
	unit_close(&u);
}

static void findings(void **state)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char found[512];
		lint(cases[i].code, PICA_VS, found);
		if (strcmp(found, cases[i].found))
			fail_msg("%s: found\n%sexpected\n%s", cases[i].what, found, cases[i].found);
	}
}

/* Each EMIT begins a vertex; outputs not written again keep the values of the vertex before. */
static void geometry_shaders_write_for_each_vertex(void **state)
{
	static const uint32_t emit = 0x2au << 26;
	const uint32_t code[10] = { MOV(0u, 0u, ALL), emit, MOV(0u, 0u, ALL), emit, END };
	char found[512];

	lint(code, PICA_GS, found);
	assert_string_equal(found, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings),
		cmocka_unit_test(geometry_shaders_write_for_each_vertex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
