/* Four programs of our compiler beside those of Mesa's nv50 compiler (corpus/tesla/nouveau): the PTX here says what the
 * .tgsi there says. On equal words both leave equal words, and ours issues at most as much. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/rng.h"
#include "tests/corpus/corpus.h"
#include "tests/kit/cmocka_all.h"

enum { BUFFERS = 3, MAX_WORDS = 1024 };

#define HEAD(name, params, block) \
	".version 1.4\n.target sm_12\n.entry " name " (" params ") .reqntid " #block ", 1, 1\n{\n" \
	".reg .u32 %r<12>;\n.reg .f32 %f<4>;\n.reg .pred %p<4>;\n"
/* %r1: number of the thread in the grid; %r2: of the block; %r3: threads of a block; %r4: number in the block. */
#define IDS \
	"cvt.u32.u16 %r2, %ctaid.x;\ncvt.u32.u16 %r3, %ntid.x;\ncvt.u32.u16 %r4, %tid.x;\n" \
	"mad.lo.u32 %r1, %r2, %r3, %r4;\n"
/* Register r: the address of word w of a buffer; %r11 is written. */
#define WORD(r, param, w) \
	"ld.param.u32 " r ", [" param "];\nshl.b32 %r11, " w ", 2;\nadd.u32 " r ", " r ", %r11;\n"
#define SHARED(r, w) "mov.u32 " r ", s;\nshl.b32 %r11, " w ", 2;\nadd.u32 " r ", " r ", %r11;\n"

static const char vecadd[] = HEAD("vecadd", ".param .u32 a, .param .u32 b, .param .u32 c", 64) IDS
	WORD("%r5", "a", "%r1") WORD("%r6", "b", "%r1") WORD("%r7", "c", "%r1")
	"ld.global.f32 %f1, [%r5];\nld.global.f32 %f2, [%r6];\nadd.f32 %f1, %f1, %f2;\n"
	"st.global.f32 [%r7], %f1;\nexit;\n}\n";

static const char collatz[] = HEAD("collatz", ".param .u32 out", 64) IDS
	"add.u32 %r5, %r1, 1;\nmov.u32 %r6, 0;\n"
	"LOOP:\nsetp.eq.u32 %p1, %r5, 1;\n@%p1 bra DONE;\n"
	"and.b32 %r7, %r5, 1;\nsetp.eq.u32 %p2, %r7, 0;\n@%p2 bra EVEN;\n"
	"mad.lo.u32 %r5, %r5, 3, 1;\nbra NEXT;\n"
	"EVEN:\nshr.u32 %r5, %r5, 1;\n"
	"NEXT:\nadd.u32 %r6, %r6, 1;\nbra LOOP;\n"
	"DONE:\n" WORD("%r8", "out", "%r1") "st.global.u32 [%r8], %r6;\nexit;\n}\n";

static const char reduce[] = HEAD("reduce", ".param .u32 in, .param .u32 out", 256)
	".shared .align 4 .b8 s[1024];\n" IDS
	WORD("%r5", "in", "%r1") SHARED("%r6", "%r4")
	"ld.global.u32 %r7, [%r5];\nst.shared.u32 [%r6], %r7;\nbar.sync 0;\nshr.u32 %r8, %r3, 1;\n"
	"LOOP:\nsetp.eq.u32 %p1, %r8, 0;\n@%p1 bra DONE;\n"
	"setp.ge.u32 %p2, %r4, %r8;\n@%p2 bra SKIP;\n"
	"add.u32 %r9, %r4, %r8;\n" SHARED("%r10", "%r9")
	"ld.shared.u32 %r9, [%r10];\nld.shared.u32 %r7, [%r6];\nadd.u32 %r7, %r7, %r9;\nst.shared.u32 [%r6], %r7;\n"
	"SKIP:\nbar.sync 0;\nshr.u32 %r8, %r8, 1;\nbra LOOP;\n"
	"DONE:\nsetp.ne.u32 %p3, %r4, 0;\n@%p3 bra END;\n"
	"ld.shared.u32 %r7, [s];\n" WORD("%r5", "out", "%r2") "st.global.u32 [%r5], %r7;\n"
	"END:\nexit;\n}\n";

static const char histogram[] = HEAD("histogram", ".param .u32 in, .param .u32 out", 64)
	".shared .align 4 .b8 s[256];\n" IDS SHARED("%r5", "%r4")
	"mov.u32 %r6, 0;\nst.shared.u32 [%r5], %r6;\nbar.sync 0;\n"
	WORD("%r7", "in", "%r1")
	"ld.global.u32 %r8, [%r7];\nand.b32 %r8, %r8, 63;\n" SHARED("%r9", "%r8")
	"red.shared.add.u32 [%r9], 1;\nbar.sync 0;\n"
	"ld.shared.u32 %r8, [%r5];\n" WORD("%r7", "out", "%r4") "red.global.add.u32 [%r7], %r8;\nexit;\n}\n";

/* Sizes of the buffers in words; buffer k is g<k>[] there, parameter k here. */
static const struct program {
	const char *tgsi, *ptx, *launch, *shared;
	unsigned words[BUFFERS];
} programs[] = {
	{ "own_comp_vecadd", vecadd, "block=64 grid=4", "smem=0", { 256, 256, 256 } },
	{ "own_comp_collatz", collatz, "block=64 grid=4", "smem=0", { 256, 0, 0 } },
	{ "own_comp_reduce_shared", reduce, "block=256 grid=4", "smem=1024", { 1024, 4, 0 } },
	{ "own_comp_shared_atomic_hist", histogram, "block=64 grid=4", "smem=256", { 256, 64, 0 } },
};

static uint64_t run(struct corpus *c)
{
	uint64_t issues = 0;

	corpus_run(c);
	corpus_ended(c, WB_OK);
	for (unsigned i = 0; i < wb_launch_report(c->launch)->npcs; i++)
		issues += wb_launch_report(c->launch)->pcs[i].issues;
	return issues;
}

static uint64_t run_theirs(const struct program *p, const char *const chip[2], uint32_t g[][MAX_WORDS])
{
	struct corpus c;
	char text[128], space[4] = "g0";

	snprintf(text, sizeof text, "nouveau/%s.%s.hex", p->tgsi, chip[0]);
	corpus_open(&c, text, "format=hex param-base=0x14");
	corpus_set(&c, p->shared);
	corpus_set(&c, chip[1]);
	corpus_set(&c, p->launch);
	for (unsigned b = 0; b < BUFFERS; b++)
		if (p->words[b]) {
			snprintf(text, sizeof text, "global=%u:in=%s", b, corpus_bytes(&c, g[b], p->words[b] * 4));
			corpus_set(&c, text);
		}
	corpus_launch(&c);
	uint64_t issues = run(&c);
	for (unsigned b = 0; b < BUFFERS; b++, space[1]++)
		if (p->words[b])
			assert_int_equal(wb_launch_read(c.launch, space, 0, g[b], p->words[b] * 4, &c.diag), WB_OK);
	corpus_close(&c);
	return issues;
}

static uint64_t run_ours(const struct program *p, const char *const chip[2], uint32_t g[][MAX_WORDS])
{
	struct corpus c;

	corpus_text(&c, p->tgsi, p->ptx, chip[1]);
	corpus_set(&c, p->launch);
	corpus_launch(&c);
	for (unsigned b = 0; b < BUFFERS && p->words[b]; b++) {
		corpus_arg(&c, "zero=%u", p->words[b] * 4);
		assert_int_equal(wb_launch_write_arg(c.launch, b, 0, g[b], p->words[b] * 4, &c.diag), WB_OK);
	}
	uint64_t issues = run(&c);
	for (unsigned b = 0; b < BUFFERS && p->words[b]; b++)
		assert_int_equal(wb_launch_read_arg(c.launch, b, 0, g[b], p->words[b] * 4, &c.diag), WB_OK);
	corpus_close(&c);
	return issues;
}

static void issues_at_most(void **state)
{
	static const char *const chips[][2] = { { "a0", "chip=g200" }, { "a3", "chip=gt215" } };
	const struct program *p = *state;

	for (unsigned chip = 0; chip < 2; chip++) {
		uint32_t ours[BUFFERS][MAX_WORDS], theirs[BUFFERS][MAX_WORDS];
		uint64_t random = 1 + chip;
		for (unsigned b = 0; b < BUFFERS; b++)
			for (unsigned i = 0; i < MAX_WORDS; i++)
				ours[b][i] = (uint32_t)rng_next(&random) & 0x3fffffff; /* as a float: a number */
		memcpy(theirs, ours, sizeof theirs);
		uint64_t mine = run_ours(p, chips[chip], ours), other = run_theirs(p, chips[chip], theirs);
		print_message("%s, %s: %" PRIu64 " issues, %" PRIu64 " there\n", p->tgsi, chips[chip][1], mine, other);
		assert_memory_equal(ours, theirs, sizeof ours);
		assert_true(mine <= other);
	}
}

int main(void)
{
	enum { N = sizeof programs / sizeof *programs };
	struct CMUnitTest tests[N];

	for (unsigned i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){ programs[i].tgsi, issues_at_most, NULL, NULL,
						(void *)(uintptr_t)&programs[i] };
	return _cmocka_run_group_tests("issues", tests, N, NULL, NULL);
}
