/* Addresses in the PTX compiler, from the outside: generic addresses that are shared, local, constant or global only
 * when the program runs, __constant pointers that the host passes, parts of parameters, addresses of variables and
 * barriers that compute. Each program gives the words of a plain model. */
#include "tests/kit/launches.h"

enum { THREADS = 128, BLOCK = 64 };

/* In every program: %r1 the thread, %r2 the thread of its block, %d1 4 * %r1, %d2 and %d3 the thread's words of `a` and
 * of `o`, %d4 4 * %r2; generic addresses of the thread's words: %d5 in shared, %d6 in local memory, %d7 of word
 * %r2 % 4 of a table in constant memory. %r3 is the word of `a`, %p1 odd threads, %p2 each third, %r9 the result. */
#define FILE_OF(more, params, body)                                                                                    \
	".version 8.0\n.target sm_20\n.address_size 64\n.shared .align 16 .b8 pool[2048];\n"                           \
	".const .align 4 .b32 table[4] = { 11, 22, 33, 44 };\n" more                                                   \
	".entry k (.param .u64 a, .param .u64 o" params ")\n{\n.local .align 16 .b8 mine[64];\n"                       \
	".reg .u32 %r<40>; .reg .u64 %d<40>; .reg .pred %p<9>; .reg .u16 %h<9>; .reg .b8 %b<9>;\n"                     \
	"mov.u32 %r2, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 64, %r2;\n"                                  \
	"mul.wide.u32 %d1, %r1, 4; ld.param.u64 %d2, [a]; add.u64 %d2, %d2, %d1;\n"                                    \
	"ld.param.u64 %d3, [o]; add.u64 %d3, %d3, %d1; mul.wide.u32 %d4, %r2, 4; ld.global.u32 %r3, [%d2];\n"          \
	"mov.u64 %d5, pool; cvta.shared.u64 %d5, %d5; add.u64 %d5, %d5, %d4;\n"                                        \
	"mov.u64 %d6, mine; cvta.local.u64 %d6, %d6; add.u64 %d6, %d6, 8;\n"                                           \
	"mov.u64 %d7, table; cvta.const.u64 %d7, %d7; and.b32 %r4, %r2, 3; mul.wide.u32 %d8, %r4, 4;\n"                \
	"add.u64 %d7, %d7, %d8; and.b32 %r4, %r1, 1; setp.ne.u32 %p1, %r4, 0;\n"                                       \
	"rem.u32 %r4, %r1, 3; setp.eq.u32 %p2, %r4, 0; mov.u32 %r9, 0;\n" body                                         \
	"\nst.global.u32 [%d3], %r9;\nexit;\n}\n"
#define PROGRAM(body) FILE_OF("", "", body)

typedef uint32_t model_fn(const uint32_t *a, unsigned i);
#define MODEL(name, value)                                                                                             \
	static uint32_t name(const uint32_t *a, unsigned i)                                                            \
	{                                                                                                              \
		unsigned t = i % BLOCK;                                                                                \
		(void)a, (void)t;                                                                                      \
		return value;                                                                                          \
	}

static const uint32_t table[4] = { 11, 22, 33, 44 };

struct row {
	const char *name, *text, *chips;
	model_fn *model;
};

/* The third argument, where the program has one: a second buffer, with the words of the first plus 1000. */
static void run(const struct row *r, const char *chip, const char *reconverge)
{
	struct setting setup[] = { { "grid", "2" }, { "block", "64" }, { "timing", "off" },
				   { "reconverge", reconverge }, { 0 } };
	struct wb_diag d = { 0 };
	struct wb_program *p = load_ptx(r->text, chip, &d);
	uint32_t in[2][THREADS], out[THREADS];

	if (!p)
		fail_msg("%s on %s: line %d: %s", r->name, chip, d.line, d.text);
	for (unsigned i = 0; i < THREADS; i++) {
		in[0][i] = i * 0x9e3779b1u + 0x85ebca6bu;
		in[1][i] = in[0][i] + 1000;
	}
	struct wb_launch *l = launch(p, setup);
	for (unsigned k = 0; k < 2 + (strstr(r->text, ".param .u64 w") != NULL); k++) {
		assert_int_equal(wb_launch_arg(l, "zero=512", &d), WB_OK);
		assert_int_equal(wb_launch_write_arg(l, k, 0, in[k / 2], k == 1 ? 0 : sizeof in[0], &d), WB_OK);
	}
	for (unsigned k = 0; k < 2 && strstr(r->text, "behind"); k++)
		assert_int_equal(wb_launch_arg(l, k ? "u32=99" : "u32=77", &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s on %s, %s: %s", r->name, chip, reconverge, d.text);
	assert_int_equal(wb_launch_read_arg(l, 1, 0, out, sizeof out, &d), WB_OK);
	for (unsigned i = 0; i < THREADS; i++) {
		uint32_t want = r->model(in[0], i);
		if (out[i] != want)
			fail_msg("%s on %s, %s: thread %u: found 0x%x, expected 0x%x", r->name, chip, reconverge, i,
				 out[i], want);
	}
	wb_launch_free(l);
	wb_program_free(p);
}

static void run_all(const struct row *rows, size_t n)
{
	static const char *const policies[] = { "stack", "minpc", "ipdom" };

	for (size_t i = 0; i < n; i++)
		for (const char *c = rows[i].chips; *c; c += strcspn(c, " "), c += *c == ' ') {
			char chip[8] = "";
			memcpy(chip, c, strcspn(c, " "));
			for (unsigned k = 0; k < 3; k++)
				run(&rows[i], chip, policies[k]);
		}
}

#define ALL "g80 g200"
#define LOCKS "mcp77 g200"

/* ---- spaces that are known when the program runs ---- */

MODEL(m_shared_or_global, i % 2 ? t * 3 : a[i])
MODEL(m_bytes, i % 2 ? (uint32_t)(int8_t)(t * 7) + t : (uint32_t)(int8_t)a[i] + (a[i] >> 16))
MODEL(m_wide, i % 2 ? t + 1 + 2 * t : a[i & ~3u] + a[(i & ~3u) + 1])
MODEL(m_three, i % 2 ? t : i % 3 == 0 ? 5 + i : a[i])
MODEL(m_four, i % 2 ? t : i % 3 == 0 ? 5 + i : i % 4 == 2 ? table[t % 4] : a[i])
MODEL(m_stored, i % 2 ? i + 1 : i % 3 == 0 ? 2 * i : i + 100)
MODEL(m_kept, (i % 3 == 0 ? t + 9 : i % 3 == 1 ? a[i] : 77) + 1)
MODEL(m_difference, (t * 2 & 0xff) | (a[i] & 0xffffff00))
MODEL(m_loop, i % 2 ? 4 * (i * 5) + 6 : a[i & ~3u] + a[(i & ~3u) + 1] + a[(i & ~3u) + 2] + a[(i & ~3u) + 3])
MODEL(m_guarded, i % 2 ? t * 3 : i % 3 == 0 ? a[i] : 5)
MODEL(m_null, 3)
MODEL(m_raw, t * 4 + 16 + 4)
MODEL(m_pieces, t + 40)
MODEL(m_spaces, i % 2 ? 1 : i % 3 == 0 ? 2 : 4)
MODEL(m_folded, t + 2)
MODEL(m_flipped, t * 2 + 0x100)
MODEL(m_call, (i % 2 ? 2 * t : 2 * a[i]) + 2 * a[i])

static const struct row spaces[] = {
	{ "a word, shared or global",
	  PROGRAM("mul.lo.u32 %r5, %r2, 3; st.u32 [%d5], %r5; selp.u64 %d9, %d5, %d2, %p1; ld.u32 %r9, [%d9];"), ALL,
	  m_shared_or_global },
	{ "bytes and halves, shared or global",
	  PROGRAM("mul.lo.u32 %r5, %r2, 7; st.shared.u8 [pool+1024], %r2; st.u8 [%d5], %r5; shl.b32 %r5, %r2, 0; "
		  "cvt.u16.u32 %h1, %r5; st.u16 [%d5+2], %h1; selp.u64 %d9, %d5, %d2, %p1; ld.s8 %r5, [%d9]; "
		  "ld.u16 %h2, [%d9+2]; cvt.u32.u16 %r6, %h2; add.u32 %r9, %r5, %r6;"),
	  ALL, m_bytes },
	{ "two and four words, and 64 bits, shared or global",
	  PROGRAM("mul.wide.u32 %d10, %r2, 16; mov.u64 %d11, pool; cvta.shared.u64 %d11, %d11; add.u64 %d11, %d11, "
		  "%d10; "
		  "add.u32 %r5, %r2, 1; shl.b32 %r6, %r2, 1; st.v4.u32 [%d11], {%r5,%r6,%r5,%r6}; "
		  "and.b64 %d12, %d2, -16; selp.u64 %d9, %d11, %d12, %p1; ld.v2.u32 {%r10,%r11}, [%d9]; "
		  "ld.v4.u32 {%r12,%r13,%r14,%r15}, [%d9]; ld.u64 %d13, [%d9]; cvt.u32.u64 %r16, %d13; "
		  "shr.u64 %d13, %d13, 32; cvt.u32.u64 %r17, %d13; add.u32 %r9, %r10, %r13; xor.b32 %r16, %r16, %r12; "
		  "add.u32 %r9, %r9, %r16; xor.b32 %r17, %r17, %r11; add.u32 %r9, %r9, %r17;"),
	  ALL, m_wide },
	{ "shared, local or global",
	  PROGRAM("st.u32 [%d5], %r2; add.u32 %r5, %r1, 5; st.u32 [%d6], %r5; selp.u64 %d9, %d6, %d2, %p2; "
		  "selp.u64 %d9, %d5, %d9, %p1; ld.u32 %r9, [%d9];"),
	  ALL, m_three },
	{ "shared, local, constant or global",
	  PROGRAM("st.u32 [%d5], %r2; add.u32 %r5, %r1, 5; st.u32 [%d6], %r5; and.b32 %r6, %r1, 3; "
		  "setp.eq.u32 %p3, %r6, 2; selp.u64 %d9, %d7, %d2, %p3; selp.u64 %d9, %d6, %d9, %p2; "
		  "selp.u64 %d9, %d5, %d9, %p1; ld.u32 %r9, [%d9];"),
	  ALL, m_four },
	{ "stores to shared, local or global",
	  PROGRAM("add.u32 %r5, %r1, 1; selp.u32 %r6, %r5, 0, %p1; add.u32 %r5, %r1, 100; shl.b32 %r7, %r1, 1; "
		  "selp.u32 %r5, %r7, %r5, %p2; selp.u32 %r6, %r6, %r5, %p1; selp.u64 %d9, %d6, %d3, %p2; "
		  "selp.u64 %d9, %d5, %d9, %p1; st.u32 [%d9], %r6; ld.shared.u32 %r10, [pool]; ld.u32 %r11, [%d5]; "
		  "ld.u32 %r12, [%d6]; ld.global.u32 %r13, [%d3]; selp.u32 %r9, %r12, %r13, %p2; "
		  "selp.u32 %r9, %r11, %r9, %p1;"),
	  ALL, m_stored },
	{ "pointers kept in local memory",
	  PROGRAM("add.u32 %r5, %r2, 10; st.u32 [%d5], %r5; add.u32 %r6, %r3, 1; st.u32 [%d2], %r6; "
		  "st.local.u64 [mine+16], %d5; st.local.u64 [mine+24], %d2; add.u64 %d9, %d6, 32; "
		  "st.local.u64 [mine+32], %d9; mov.u32 %r7, 78; st.u32 [%d9], %r7; rem.u32 %r8, %r1, 3; "
		  "mul.wide.u32 %d10, %r8, 8; mov.u64 %d11, mine; add.u64 %d11, %d11, %d10; ld.local.u64 %d12, "
		  "[%d11+16]; "
		  "ld.u32 %r9, [%d12]; st.u32 [%d2], %r3;"),
	  ALL, m_kept },
	{ "the distance of shared pointers is an index of global memory",
	  PROGRAM("mov.u64 %d9, pool; cvta.shared.u64 %d9, %d9; sub.u64 %d10, %d5, %d9; ld.param.u64 %d11, [o]; "
		  "add.u64 %d12, %d11, %d10; mov.u32 %r5, %ctaid.x; mul.wide.u32 %d13, %r5, 256; "
		  "add.u64 %d12, %d12, %d13; st.global.u32 [%d3], %r3; shl.b32 %r5, %r2, 1; st.u8 [%d12], %r5; "
		  "ld.global.u32 %r9, [%d3];"),
	  ALL, m_difference },
	{ "a pointer that moves in a loop",
	  PROGRAM("mul.wide.u32 %d10, %r2, 16; mov.u64 %d11, pool; cvta.shared.u64 %d11, %d11; add.u64 %d11, %d11, "
		  "%d10; "
		  "mul.lo.u32 %r5, %r1, 5; add.u32 %r6, %r5, 1; add.u32 %r7, %r5, 2; add.u32 %r8, %r5, 3; "
		  "st.shared.v4.u32 [pool+1024], {%r2,%r2,%r2,%r2}; st.v4.u32 [%d11], {%r5,%r6,%r7,%r8}; "
		  "and.b64 %d12, %d2, -16; selp.u64 %d9, %d11, %d12, %p1; mov.u32 %r10, 4;\n"
		  "L: ld.u32 %r11, [%d9]; add.u32 %r9, %r9, %r11; add.u64 %d9, %d9, 4; sub.u32 %r10, %r10, 1; "
		  "setp.ne.u32 %p3, %r10, 0; @%p3 bra L;"),
	  ALL, m_loop },
	{ "an access under a guard",
	  PROGRAM("mul.lo.u32 %r5, %r2, 3; st.u32 [%d5], %r5; selp.u64 %d9, %d5, %d2, %p1; mov.u32 %r9, 5; "
		  "or.pred %p3, %p1, %p2; @%p3 ld.u32 %r9, [%d9];"),
	  ALL, m_guarded },
	{ "no variable is at the null pointer",
	  PROGRAM("mov.u64 %d9, mine; cvta.local.u64 %d9, %d9; st.local.u32 [mine], %r1; cvt.u32.u64 %r5, %d9; "
		  "st.global.u32 [%d3], %r5; ld.global.u32 %r5, [%d3]; setp.ne.u32 %p3, %r5, 0; selp.u32 %r9, 1, 0, "
		  "%p3; "
		  "setp.ne.u64 %p3, %d9, 0; @%p3 add.u32 %r9, %r9, 2;"),
	  ALL, m_null },
	{ "a pointer to shared memory as the place in s[]",
	  FILE_OF(".global .align 8 .b8 slots[1024];\n", "",
		  "mov.u64 %d9, slots; mul.wide.u32 %d10, %r1, 8; add.u64 %d9, %d9, %d10; st.global.u64 [%d9], %d5; "
		  "ld.global.u64 %d11, [%d9]; cvta.to.shared.u64 %d11, %d11; cvt.u32.u64 %r9, %d11; mov.u32 %r5, pool; "
		  "sub.u32 %r5, %r5, 20; sub.u32 %r9, %r9, %r5;"),
	  ALL, m_raw },
	{ "a pointer stored by bytes",
	  PROGRAM("add.u32 %r5, %r2, 40; st.u32 [%d5], %r5; cvt.u32.u64 %r6, %d5; st.local.u8 [mine+20], %r6; "
		  "shr.u32 %r7, %r6, 8; st.local.u8 [mine+21], %r7; shr.u32 %r7, %r6, 16; st.local.u8 [mine+22], %r7; "
		  "shr.u32 %r7, %r6, 24; st.local.u8 [mine+23], %r7; ld.local.u32 %r8, [mine+20]; "
		  "cvt.u64.u32 %d9, %r8; ld.u32 %r9, [%d9];"),
	  ALL, m_pieces },
	{ "isspacep",
	  PROGRAM("selp.u64 %d9, %d6, %d2, %p2; selp.u64 %d9, %d5, %d9, %p1; isspacep.shared %p3, %d9; "
		  "isspacep.local %p4, %d9; isspacep.global %p5, %d9; @%p3 add.u32 %r9, %r9, 1; @%p4 add.u32 %r9, "
		  "%r9, 2; "
		  "@%p5 add.u32 %r9, %r9, 4; isspacep.const %p6, %d9; @%p6 add.u32 %r9, %r9, 8;"),
	  ALL, m_spaces },
	{ "statements that a known address takes away",
	  PROGRAM("mov.u64 %d9, pool; cvta.shared.u64 %d9, %d9; setp.eq.u64 %p3, %d9, 0; @%p3 ld.u32 %r9, [%d2]; "
		  "add.u32 %r5, %r2, 2; st.u32 [%d5], %r5; @%p3 st.u32 [%d6], %r5; ld.u32 %r9, [%d5];"),
	  ALL, m_folded },
	{ "a pointer that exclusive or turns over",
	  PROGRAM("mov.u64 %d9, pool; cvta.shared.u64 %d9, %d9; shl.b32 %r5, %r2, 1; add.u64 %d10, %d9, %d4; "
		  "sub.u64 %d10, %d10, 32; add.u32 %r6, %r5, 0x100; st.shared.u32 [pool], %r5; bar.sync 0; "
		  "xor.b64 %d11, %d5, 1024; xor.b64 %d11, %d11, 1024; st.u32 [%d11], %r6; ld.u32 %r9, [%d5];"),
	  ALL, m_flipped },
	{ "a function of pointers",
	  FILE_OF(".func (.reg .u32 y) twice (.reg .u64 p) { ld.u32 y, [p]; add.u32 y, y, y; }\n", "",
		  "st.u32 [%d5], %r2; selp.u64 %d9, %d5, %d2, %p1; call (%r5), twice, (%d9); call (%r6), twice, (%d2); "
		  "add.u32 %r9, %r5, %r6;"),
	  ALL, m_call },
};

static void the_space_of_an_access_is_found_when_it_runs(void **state)
{
	run_all(spaces, sizeof spaces / sizeof *spaces);
}

/* ---- atomics ---- */

MODEL(m_counts, i % 2 ? 32 : a[i] + 1)
MODEL(m_swapped, i % 2 ? t + t + 1 : 2 * a[i] + 1)

static const struct row atomics[] = {
	{ "a counter in shared, and words in global memory",
	  PROGRAM("mov.u32 %r5, 0; st.shared.u32 [pool+1024], %r5; bar.sync 0; mov.u64 %d9, pool; "
		  "cvta.shared.u64 %d9, %d9; add.u64 %d9, %d9, 1024; selp.u64 %d9, %d9, %d2, %p1; "
		  "atom.add.u32 %r5, [%d9], 1; bar.sync 0; ld.u32 %r9, [%d9];"),
	  LOCKS, m_counts },
	{ "an exchange whose old word is used",
	  PROGRAM("st.u32 [%d5], %r2; selp.u64 %d9, %d5, %d2, %p1; ld.u32 %r6, [%d9]; add.u32 %r6, %r6, 1; "
		  "atom.exch.b32 %r5, [%d9], %r6; ld.u32 %r7, [%d9]; add.u32 %r9, %r5, %r7;"),
	  LOCKS, m_swapped },
	{ "an atomic under a guard, the result in the register of the operand",
	  PROGRAM("mov.u32 %r5, 0; st.shared.u32 [pool+1024], %r5; bar.sync 0; mov.u64 %d9, pool; "
		  "cvta.shared.u64 %d9, %d9; add.u64 %d9, %d9, 1024; selp.u64 %d9, %d9, %d2, %p1; mov.u32 %r6, 1; "
		  "@%p1 atom.add.u32 %r6, [%d9], %r6; @!%p1 red.add.u32 [%d9], 1; bar.sync 0; ld.u32 %r9, [%d9];"),
	  LOCKS, m_counts },
};

static void atomics_find_their_memory(void **state)
{
	run_all(atomics, sizeof atomics / sizeof *atomics);
}

/* ---- constants ---- */

MODEL(m_bound, a[t] + 1000)
MODEL(m_bound_or_table, i % 2 ? table[t % 4] : a[t] + 1000)
MODEL(m_tables, t % 2 ? 33 + t % 4 * 0 : 11)
MODEL(m_generic_table, i % 2 ? 22 : a[i])
MODEL(m_second, 22)
MODEL(m_table, table[i & 3])
MODEL(m_constant_kinds, (a[t] + 1000) + (uint32_t)(int8_t)(a[t] + 1000) + table[1])

static const struct row constants[] = {
	{ "a __constant parameter",
	  FILE_OF("", ", .param .u64 w", "ld.param.u64 %d9, [w]; add.u64 %d9, %d9, %d4; ld.const.u32 %r9, [%d9];"), ALL,
	  m_bound },
	{ "a __constant parameter or a table",
	  FILE_OF("", ", .param .u64 w",
		  "ld.param.u64 %d9, [w]; add.u64 %d9, %d9, %d4; mov.u64 %d10, table; and.b32 %r5, %r2, 3; "
		  "mul.wide.u32 %d11, %r5, 4; add.u64 %d10, %d10, %d11; selp.u64 %d9, %d10, %d9, %p1; "
		  "ld.const.u32 %r9, [%d9];"),
	  ALL, m_bound_or_table },
	{ "a __constant pointer kept in local memory",
	  FILE_OF("", ", .param .u64 w",
		  "ld.param.u64 %d9, [w]; st.local.u64 [mine], %d9; mov.u64 %d10, table; st.local.u64 [mine+8], %d10; "
		  "ld.local.u64 %d11, [mine]; add.u64 %d11, %d11, %d4; ld.local.u64 %d12, [mine+8]; "
		  "ld.const.u32 %r5, [%d11]; ld.const.s8 %r6, [%d11]; ld.const.u32 %r7, [%d12+4]; add.u32 %r9, %r5, "
		  "%r6; "
		  "add.u32 %r9, %r9, %r7;"),
	  ALL, m_constant_kinds },
	{ "an address of constants from memory, in PTX before 2.0",
	  ".version 1.4\n.target sm_10\n.const .b32 table[4] = { 11, 22, 33, 44 };\n"
	  ".entry k (.param .u32 a, .param .u32 o)\n{\n.shared .b32 pool[64]; .reg .u32 %r<9>; .reg .u16 %h<4>;\n"
	  "cvt.u32.u16 %r1, %tid.x; shl.b32 %r2, %r1, 2; and.b32 %r3, %r2, 12; mov.u32 %r4, pool; "
	  "add.u32 %r4, %r4, %r2; st.shared.u32 [%r4], %r3; ld.shared.u32 %r5, [%r4]; ld.const.u32 %r6, [%r5]; "
	  "cvt.u32.u16 %r7, %ctaid.x; shl.b32 %r7, %r7, 8; add.u32 %r2, %r2, %r7; ld.param.u32 %r8, [o]; "
	  "add.u32 %r8, %r8, %r2; st.global.u32 [%r8], %r6; exit;\n}\n",
	  ALL, m_table },
	{ "a table of pointers to constants",
	  FILE_OF(".const .align 8 .u64 where[2] = { table, table+8 };\n", "",
		  "mov.u64 %d9, where; and.b32 %r5, %r2, 1; mul.wide.u32 %d10, %r5, 8; add.u64 %d9, %d9, %d10; "
		  "ld.const.u64 %d11, [%d9]; ld.const.u32 %r9, [%d11];"),
	  ALL, m_tables },
	{ "a global pointer from a table in constant memory, as nvcc has them",
	  FILE_OF(".const .align 8 .u64 where[2] = { 0, generic(table)+4 };\n", "",
		  "ld.const.u64 %d9, [where+8]; cvta.to.global.u64 %d9, %d9; ld.global.u32 %r9, [%d9];"),
	  ALL, m_second },
	{ "a generic pointer from a table in constant memory",
	  FILE_OF(".const .align 8 .u64 where[2] = { 0, generic(table)+4 };\n", "",
		  "ld.const.u64 %d9, [where+8]; selp.u64 %d9, %d9, %d2, %p1; ld.u32 %r9, [%d9];"),
	  ALL, m_generic_table },
};

static void constants_may_be_buffers_of_the_host(void **state)
{
	run_all(constants, sizeof constants / sizeof *constants);
}

/* ---- parameters, variables ---- */

MODEL(m_parts, (a[i] & 0xff) + (a[i] & 0xffff) * 3 + a[i])
MODEL(m_moved, t + 5)
MODEL(m_pointers, 2 + 3 + 400 + 9000 + 440000)
MODEL(m_param_address, t % 2 ? 198 : 154)

static const struct row parameters[] = {
	{ "parts of a structure by value, and of a result",
	  FILE_OF(".func (.param .align 8 .b8 y[16]) part (.param .align 8 .b8 s[16]) { .reg .u16 %h<4>; .reg .u32 "
		  "%r<4>; "
		  ".reg .u64 %d<3>; ld.param.u8 %h1, [s+1]; ld.param.u16 %h2, [s+6]; ld.param.u64 %d1, [s+8]; "
		  "st.param.b8 [y+3], %h1; st.param.b16 [y+4], %h2; st.param.b64 [y+8], %d1; "
		  "st.param.v2.b8 [y+6], {%h1, %h2}; ret; }\n",
		  "",
		  "{ .param .align 8 .b8 p[16]; .param .align 8 .b8 q[16]; cvt.u16.u32 %h1, %r3; cvt.u64.u32 %d9, %r3; "
		  "st.param.v4.b8 [p], {%h2, %h1, %h2, %h2}; st.param.b16 [p+6], %h1; st.param.b64 [p+8], %d9; "
		  "call.uni (q), part, (p); ld.param.b8 %h3, [q+3]; ld.param.u16 %h4, [q+4]; ld.param.b64 %d10, [q+8]; "
		  "ld.param.u8 %h5, [q+6]; ld.param.u8 %h6, [q+7]; } cvt.u32.u16 %r5, %h3; cvt.u32.u16 %r6, %h4; "
		  "and.b32 %r5, %r5, 255; mad.lo.u32 %r9, %r6, 3, %r5; cvt.u32.u64 %r7, %d10; add.u32 %r9, %r9, %r7; "
		  "cvt.u32.u16 %r8, %h5; sub.u32 %r9, %r9, %r5; add.u32 %r9, %r9, %r8; cvt.u32.u16 %r8, %h6; "
		  "and.b32 %r5, %r3, 255; sub.u32 %r8, %r8, %r5; add.u32 %r9, %r9, %r8;"),
	  ALL, m_parts },
	{ "addresses with offsets",
	  FILE_OF(".global .align 4 .b32 words[4] = { 1, 2, 3, 4 };\n", "",
		  "mov.u64 %d9, words+8; ld.global.u32 %r5, [%d9]; mov.u64 %d10, pool+64; add.u64 %d10, %d10, %d4; "
		  "st.shared.u32 [%d10], %r2; mov.u64 %d11, table+4; ld.const.u32 %r6, [%d11]; mov.u64 %d12, mine + "
		  "16 - 8; "
		  "st.local.u32 [%d12+4], %r6; ld.local.u32 %r7, [mine+12]; sub.u32 %r6, %r7, 20; ld.shared.u32 %r8, "
		  "[%d10]; "
		  "add.u32 %r9, %r5, %r8; add.u32 %r9, %r9, %r6;"),
	  ALL, m_moved },
	{ "variables with the addresses of others",
	  FILE_OF(".global .align 4 .b32 words[4] = { 1, 2, 3, 4 };\n"
		  ".global .align 8 .u64 where[3] = { generic(words)+4, words - 4 + 12, generic(table) };\n"
		  ".global .align 4 .u32 narrow[2] = { 9, words };\n.global .align 8 .u64 last = where+8;\n", "",
		  "ld.global.u64 %d9, [where]; ld.u32 %r5, [%d9]; ld.global.u64 %d10, [last]; ld.global.u64 %d10, "
		  "[%d10]; "
		  "ld.global.u32 %r6, [%d10]; ld.global.u32 %r7, [narrow+4]; cvt.u64.u32 %d11, %r7; "
		  "ld.global.u32 %r7, [%d11+12]; ld.global.u32 %r8, [narrow]; ld.global.u64 %d12, [where+16]; "
		  "ld.u32 %r10, [%d12+12]; add.u32 %r9, %r5, %r6; mad.lo.u32 %r9, %r7, 100, %r9; "
		  "mad.lo.u32 %r9, %r8, 1000, %r9; mad.lo.u32 %r9, %r10, 10000, %r9;"),
	  ALL, m_pointers },
	{ "the address of a parameter",
	  FILE_OF("", ", .param .u32 s, .param .u32 behind",
		  "mov.b64 %d9, s; and.b32 %r5, %r2, 1; mul.wide.u32 %d10, %r5, 4; add.u64 %d11, %d9, %d10; "
		  "ld.param.u32 %r6, [%d11]; cvta.param.u64 %d12, %d9; add.u64 %d12, %d12, %d10; st.u32 [%d5], %r6; "
		  "selp.u64 %d12, %d12, %d5, %p1; ld.u32 %r7, [%d12]; add.u32 %r9, %r7, %r6;"),
	  ALL, m_param_address },
};

static void parameters_have_parts_and_addresses(void **state)
{
	run_all(parameters, sizeof parameters / sizeof *parameters);
}

/* ---- barriers that compute, dot products ---- */

static unsigned count_of(const uint32_t *a, unsigned block, unsigned bit)
{
	unsigned n = 0;

	for (unsigned i = 0; i < BLOCK; i++)
		n += a[block * BLOCK + i] >> bit & 1;
	return n;
}

MODEL(m_popc, count_of(a, i / BLOCK, 3) * 100 + count_of(a, i / BLOCK, 5))
MODEL(m_any, (i / BLOCK == 1) + 2 + 8)

static uint32_t dot(uint32_t a, uint32_t b, uint32_t c, unsigned bits, unsigned from, bool a_signed, bool b_signed)
{
	for (unsigned i = 0; i * bits < 32; i++) {
		int32_t x = (int32_t)(a << (32 - bits - i * bits)) >> (32 - bits), y = (int8_t)(b >> (from + 8 * i));
		x = a_signed ? x : x & (int32_t)((1u << bits) - 1);
		y = b_signed ? y : y & 0xff;
		c += (uint32_t)x * (uint32_t)y;
	}
	return c;
}

#define NEXT(a, i) ((a)[i] * 0x85ebca6bu)
MODEL(m_dp4a, dot(a[i], NEXT(a, i), 7, 8, 0, true, true) + dot(a[i], NEXT(a, i), 7, 8, 0, false, false) +
	      dot(a[i], NEXT(a, i), 7, 8, 0, true, false) + dot(a[i], NEXT(a, i), 7, 8, 0, false, true))
MODEL(m_dp2a, dot(a[i], NEXT(a, i), i, 16, 0, true, true) + dot(a[i], NEXT(a, i), i, 16, 16, false, false) +
	      dot(a[i], NEXT(a, i), i, 16, 16, true, false) + dot(a[i], NEXT(a, i), i, 16, 0, false, true))

static const struct row reductions[] = {
	{ "bar.red.popc",
	  PROGRAM("and.b32 %r5, %r3, 8; setp.ne.u32 %p3, %r5, 0; bar.red.popc.u32 %r6, 0, %p3; and.b32 %r5, %r3, 32; "
		  "setp.eq.u32 %p3, %r5, 0; bar.red.popc.u32 %r7, 3, 64, !%p3; mad.lo.u32 %r9, %r6, 100, %r7;"),
	  LOCKS, m_popc },
	{ "bar.red.and, bar.red.or",
	  PROGRAM("setp.ge.u32 %p3, %r1, 64; bar.red.and.pred %p4, 0, %p3; setp.eq.u32 %p5, %r2, 17; "
		  "bar.red.or.pred %p6, 0, %p5; bar.red.or.pred %p7, 1, 64, 0; bar.red.and.pred %p8, 0, !%p5; "
		  "selp.u32 %r9, 1, 0, %p4; @%p6 add.u32 %r9, %r9, 2; @%p7 add.u32 %r9, %r9, 4; @!%p8 add.u32 %r9, "
		  "%r9, 8;"),
	  ALL, m_any },
	{ "dp4a",
	  PROGRAM("mul.lo.u32 %r5, %r3, 0x85ebca6b; dp4a.s32.s32 %r6, %r3, %r5, 7; dp4a.u32.u32 %r7, %r3, %r5, 7; "
		  "add.u32 %r9, %r6, %r7; dp4a.s32.u32 %r6, %r3, %r5, 7; dp4a.u32.s32 %r7, %r3, %r5, 7; "
		  "add.u32 %r9, %r9, %r6; add.u32 %r9, %r9, %r7;"),
	  ALL, m_dp4a },
	{ "dp2a",
	  PROGRAM("mul.lo.u32 %r5, %r3, 0x85ebca6b; dp2a.lo.s32.s32 %r6, %r3, %r5, %r1; "
		  "dp2a.hi.u32.u32 %r7, %r3, %r5, %r1; add.u32 %r9, %r6, %r7; dp2a.hi.s32.u32 %r6, %r3, %r5, %r1; "
		  "dp2a.lo.u32.s32 %r7, %r3, %r5, %r1; add.u32 %r9, %r9, %r6; add.u32 %r9, %r9, %r7;"),
	  ALL, m_dp2a },
};

static void barriers_and_dot_products_compute(void **state)
{
	run_all(reductions, sizeof reductions / sizeof *reductions);
}

/* ---- refusals ---- */

static void accesses_that_no_memory_has_are_refused(void **state)
{
	static const struct { const char *chip, *text, *message; } refusals[] = {
		{ "g84", PROGRAM("selp.u64 %d9, %d5, %d2, %p1; atom.add.u32 %r9, [%d9], 1;"),
		  "atom.add.u32 needs sm_12 (g84 is sm_11)" },
		{ "g200", PROGRAM("st.u32 [%d7], %r1;"), "st: constants cannot be written" },
		{ "g200", PROGRAM("atom.add.u32 %r9, [%d6], 1;"), "atom: expected .global or .shared" },
		{ "g200", PROGRAM("mov.b64 %d9, a; st.param.u32 [%d9], %r1;"), "a parameter of a kernel cannot be "
		  "written" },
		{ "g200", PROGRAM("{ .param .b32 p; mov.b64 %d9, p; }"), "`p` has no address" },
		{ "g200", PROGRAM("{ .param .b32 p; st.param.b16 [p+1], %h1; }"), "found bytes 1 to 2 of `p`" },
		{ "g200", PROGRAM("{ .param .b32 p; st.param.b64 [p], %d1; }"), "found bytes 0 to 7 of `p`" },
		{ "g84", PROGRAM("bar.red.popc.u32 %r9, 0, %p1;"), "bar.red.popc.u32 needs sm_12 (g84 is sm_11)" },
	};

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct wb_diag d = { 0 };
		struct wb_program *p = load_ptx(refusals[i].text, refusals[i].chip, &d);
		if (p || !strstr(d.text, refusals[i].message))
			fail_msg("%s: found \"%s\", expected \"%s\"", strstr(refusals[i].text, "%r9, 0;\n") + 8,
				 p ? "no error" : d.text, refusals[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_space_of_an_access_is_found_when_it_runs),
		cmocka_unit_test(atomics_find_their_memory),
		cmocka_unit_test(constants_may_be_buffers_of_the_host),
		cmocka_unit_test(parameters_have_parts_and_addresses),
		cmocka_unit_test(barriers_and_dot_products_compute),
		cmocka_unit_test(accesses_that_no_memory_has_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
