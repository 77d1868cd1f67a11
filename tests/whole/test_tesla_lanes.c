/* Warp primitives of v100 as instructions: texts, chips without the instructions, and the words that lanes exchange,
 * against a model written for the test; some lanes are turned off by a guard. Answers of an H100 to the same primitives
 * in PTX: test_ptx_measured.c. */
#include "tests/kit/launches.h"

enum { LANES = 32, WORDS = 4 };

/* ---- texts ---- */

static enum wb_status assemble(const char *chip, const char *text, uint32_t words[4], struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	unsigned n;

	assert_int_equal(wb_config_set(c, "chip", chip, d), WB_OK);
	enum wb_status status = wb_asm_line(c, text, words, &n, d);
	if (status == WB_OK)
		assert_int_equal(n, 2);
	wb_config_free(c);
	return status;
}

static void texts_are_words_and_back(void **state)
{
	static const char *const texts[] = {
		"vote ballot $r3", "(lg $c1) vote ballot $r3", "shfl up $r3 $r0 $r1 $r2",
		"shfl down $c0 $r3 $r0 c1[0x4] $r2", "shfl bfly $c1 # $r0 $r1 c1[0x8]",
		"(e $c2) shfl idx $r3 b32 s[0x20] $r1 $r2", "match any $r3 $r0", "redux add $r3 $r0 $r1",
		"redux min u32 $r3 $r0 c1[0x0]", "redux max u32 $r3 $r0 $r1", "redux min s32 $r3 $r0 $r1",
		"redux max s32 $r3 $r0 $r1", "redux and $r3 $r0 $r1", "redux or $r3 $r0 $r1", "redux xor $r3 $r0 $r1",
		"warpsync $r3", "(e $c1) warpsync c1[0x4]",
	};
	uint32_t words[4];
	struct wb_diag d = { 0 };

	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct wb_config *c = wb_config_new();
		char text[128];
		if (assemble("v100", texts[i], words, &d) != WB_OK)
			fail_msg("%s: %s", texts[i], d.text);
		assert_int_equal(wb_config_set(c, "chip", "v100", &d), WB_OK);
		assert_int_equal(wb_dis_words(c, words, 2, 0, text, sizeof text), WB_OK);
		if (!strstr(text, texts[i]))
			fail_msg("%s: found %s", texts[i], text);
		wb_config_free(c);
		assert_int_not_equal(assemble("g200", texts[i], words, &d), WB_OK);
	}
}

/* ---- a run ---- */

/* By lane: words a, b, c, and whether the guard lets the lane execute; results: a word, and flags 2 (true), 1. */
static void run(const char *line, uint32_t in[LANES][WORDS], uint32_t out[LANES][WORDS])
{
	static const char head[] =
		".kernel k\n.chip v100\n.grid 1\n.block 32\n.param ptr in\n.param ptr out\n"
		"shl b32 $r6 $r0 0x4\nadd b32 $r7 b32 s[0x10] $r6\nadd b32 $r8 b32 s[0x14] $r6\n"
		"ld b128 $r0q g14[$r7]\nand b32 $c1 # $r3 $r3\nmov b32 $r4 0x0\nand b32 $c0 # $r4 $r4\n";
	static const char end[] = "\nmov $r5 $c0\nexit st b64 g14[$r8] $r4d\n";
	static const struct setting none[] = { { 0 } };
	struct wb_diag d = { 0 };
	char text[1024];

	snprintf(text, sizeof text, "%s%s%s", head, line, end);
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, none);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(wb_launch_arg(l, "zero=512", &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, in, sizeof **in * LANES * WORDS, &d), WB_OK);
	assert_int_equal(wb_launch_run(l, &d), WB_OK);
	assert_int_equal(wb_launch_read_arg(l, 1, 0, out, sizeof **out * LANES * WORDS, &d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
}

static uint32_t there(uint32_t in[LANES][WORDS])
{
	uint32_t mask = 0;

	for (unsigned l = 0; l < LANES; l++)
		mask |= (uint32_t)(in[l][3] != 0) << l;
	return mask;
}

/* The lanes of the guard get `word` and flags; others keep 0 and the flags of a zero. flags 0: none. */
static void expect(const char *line, unsigned lane, uint32_t in[LANES][WORDS], const uint32_t out[WORDS], uint32_t word,
		   uint32_t flags)
{
	bool on = in[lane][3];

	if (out[0] != (on ? word : 0) || (flags && out[1] != (on ? flags : 1)))
		fail_msg("%s: lane %u, found %x and %u, expected %x and %u", line, lane, out[0], out[1], on ? word : 0,
			 on ? flags : 1);
}

static uint64_t seed = 1;
static uint32_t draw(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 32);
}

static void fill(uint32_t in[LANES][WORDS], unsigned round)
{
	static const uint32_t segments[] = { 0x1f, 0, 0x181f, 0x1c03, 0x100f, 0x1800 };

	for (unsigned l = 0; l < LANES; l++) {
		in[l][0] = round % 2 ? draw() : draw() % 5;
		in[l][1] = draw();
		in[l][2] = segments[(round + l / 16) % 6];
		in[l][3] = round % 3 ? draw() % 3 : 1;
	}
}

/* ---- the primitives ---- */

static void shuffles(void **state)
{
	static const char *const lines[] = {
		"(lg $c1) shfl up $c0 $r4 $r0 $r1 $r2", "(lg $c1) shfl down $c0 $r4 $r0 $r1 $r2",
		"(lg $c1) shfl bfly $c0 $r4 $r0 $r1 $r2", "(lg $c1) shfl idx $c0 $r4 $r0 $r1 $r2",
	};
	uint32_t in[LANES][WORDS], out[LANES][WORDS];

	for (unsigned round = 0; round < 24; round++) {
		unsigned kind = round % 4;
		fill(in, round);
		run(lines[kind], in, out);
		for (int l = 0; l < LANES; l++) {
			int by = in[l][1] & 31, bits = in[l][2] >> 8 & 31, low = l & bits;
			int limit = low | (in[l][2] & 31 & ~bits);
			int from = kind == 0 ? l - by : kind == 1 ? l + by : kind == 2 ? l ^ by : low | (by & ~bits);
			bool inside = kind == 0 ? from >= limit : from <= limit;
			int source = inside ? from : l;
			uint32_t word = there(in) >> source & 1 ? in[source][0] : 0;
			expect(lines[kind], (unsigned)l, in, out[l], word, inside ? 2 : 1);
		}
	}
}

/* For views: from which lane a lane has the word. Lanes without a part keep the former number, at first 0. */
static void views_show_who_read_whom(void **state)
{
	static const char text[] =
		".kernel k\n.chip v100\n.grid 1\n.block 32\n.const 1 0x0: 3 16\nmov b32 $r1 0x1f\n"
		"and b32 $c1 # $r0 c1[0x4]\n(lg $c1) shfl bfly $r2 $r0 c1[0x0] $r1\nexit (never) nop\n";
	static const struct setting none[] = { { 0 } };
	static const struct wb_goal goal = { .issues = 3 };
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, none);
	struct wb_where where;
	struct wb_diag d = { 0 };
	uint32_t from[WB_LANES];

	assert_int_equal(wb_launch_forward(l, &goal, &where, &d), WB_OK);
	if (wb_launch_read_register(l, 0, 0, "from0", from, &d) != WB_OK)
		fail_msg("%s", d.text);
	for (unsigned lane = 0; lane < LANES; lane++)
		assert_int_equal(from[lane], lane & 16 ? lane ^ 3 : 0);
	wb_launch_free(l);
	wb_program_free(p);
}

static void matches_and_ballots(void **state)
{
	static const char match[] = "(lg $c1) match any $r4 $r0", ballot[] = "(lg $c1) vote ballot $r4";
	uint32_t in[LANES][WORDS], out[LANES][WORDS];

	for (unsigned round = 0; round < 6; round++) {
		fill(in, round);
		run(match, in, out);
		for (unsigned l = 0; l < LANES; l++) {
			uint32_t same = 0;
			for (unsigned k = 0; k < LANES; k++)
				same |= (uint32_t)(in[k][3] && in[k][0] == in[l][0]) << k;
			expect(match, l, in, out[l], same, 0);
		}
		run(ballot, in, out);
		for (unsigned l = 0; l < LANES; l++)
			assert_int_equal(out[l][0], there(in));
		run("vote ballot $r4", in, out);
		for (unsigned l = 0; l < LANES; l++)
			assert_int_equal(out[l][0], ~0u);
		run("(never) vote ballot $r4", in, out);
		for (unsigned l = 0; l < LANES; l++)
			assert_int_equal(out[l][0], 0);
	}
}

static uint32_t joined(const char *op, uint32_t a, uint32_t b)
{
	return !strcmp(op, "add")       ? a + b
	       : !strcmp(op, "min u32") ? (a < b ? a : b)
	       : !strcmp(op, "max u32") ? (a < b ? b : a)
	       : !strcmp(op, "min s32") ? ((int32_t)a < (int32_t)b ? a : b)
	       : !strcmp(op, "max s32") ? ((int32_t)a < (int32_t)b ? b : a)
	       : !strcmp(op, "and")     ? (a & b)
	       : !strcmp(op, "or")      ? (a | b)
					: (a ^ b);
}

static void reductions(void **state)
{
	static const char *const ops[] = { "add", "min u32", "max u32", "min s32", "max s32", "and", "or", "xor" };
	uint32_t in[LANES][WORDS], out[LANES][WORDS];
	char line[64];

	for (unsigned round = 0; round < 24; round++) {
		const char *op = ops[round % 8];
		fill(in, round);
		snprintf(line, sizeof line, "(lg $c1) redux %s $r4 $r0 $r1", op);
		run(line, in, out);
		for (unsigned l = 0; l < LANES; l++) {
			uint32_t lanes = there(in) & in[l][1], sum = lanes ? in[__builtin_ctz(lanes)][0] : 0;
			for (unsigned k = lanes ? (unsigned)__builtin_ctz(lanes) + 1 : LANES; k < LANES; k++)
				sum = lanes >> k & 1 ? joined(op, sum, in[k][0]) : sum;
			expect(line, l, in, out[l], sum, 0);
		}
	}
}

/* ---- lanes that await each other ---- */

enum { WIDE = 8, WAY = 3, MASK = 4 };   /* words of a lane: a, b, c, the way (bit 0), the mask */

/* Both sides of a split execute warpsync and the primitive, with a in registers of their own. */
static void run_apart(const char *line, const char *policy, uint32_t in[LANES][WIDE], uint32_t out[LANES][WORDS])
{
	static const char head[] =
		".kernel k\n.chip v100\n.grid 1\n.block 32\n.param ptr in\n.param ptr out\n.const 1 0x0: 31\n"
		"shl b32 $r6 $r0 0x5\nadd b32 $r7 b32 s[0x10] $r6\nshl b32 $r6 $r0 0x4\nadd b32 $r8 b32 s[0x14] $r6\n"
		"ld b128 $r0q g14[$r7]\nadd b32 $r7 $r7 0x10\nld b32 $r9 g14[$r7]\nand b32 $r3 $r3 0x1\n"
		"mov b32 $r4 0x0\nand b32 $c0 # $r4 $r4\nand b32 $c1 # $r3 $r3\nmov b32 $r10 $r0\nmov b32 $r11 $r0\n";
	char text[2048], other[128];
	const struct setting s[] = { { "reconverge", policy }, { "livelock", "100000" }, { 0 } };
	struct wb_diag d = { 0 };

	snprintf(other, sizeof other, "%s", line);
	*strstr(other, "$r10") = ' ';
	char *a = strstr(other, "r10");
	memcpy(a - 1, "$r11", 4);
	snprintf(text, sizeof text, "%sjoinat #meet\n(e $c1) bra #right\nwarpsync $r9\n%s\nbra #meet\n"
		 "right:\nmov b32 $r10 0x0\nwarpsync $r9\n%s\nmeet:\njoin mov $r5 $c0\n"
		 "exit st b64 g14[$r8] $r4d\n", head, line, other);
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, s);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(wb_launch_arg(l, "zero=1024", &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, in, sizeof **in * LANES * WIDE, &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s, %s: %s", line, policy, d.text);
	assert_int_equal(wb_launch_read_arg(l, 1, 0, out, sizeof **out * LANES * WORDS, &d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
}

/* Lanes with random ways, and one of two masks that have all lanes between them. */
static void fill_apart(uint32_t in[LANES][WIDE], unsigned round)
{
	uint32_t set = round % 3 ? draw() : ~0u;

	for (unsigned l = 0; l < LANES; l++) {
		in[l][0] = round % 2 ? draw() : draw() % 5;
		in[l][1] = draw();
		in[l][2] = 0x1f;
		in[l][WAY] = round % 5 ? draw() : 0;
		in[l][MASK] = set >> l & 1 ? set : ~set;
	}
}

static void lanes_apart_await_each_other(void **state)
{
	static const char *const policies[] = { "barriers", "minpc", "none" };
	static const char *const lines[] = {
		"shfl idx $r4 $r10 $r1 c1[0x0]", "match any $r4 $r10", "redux add $r4 $r10 $r9",
		"redux max s32 $r4 $r10 $r9",
	};
	uint32_t in[LANES][WIDE], out[LANES][WORDS];

	for (unsigned round = 0; round < 60; round++) {
		unsigned kind = round % 4;
		fill_apart(in, round);
		run_apart(lines[kind], policies[round % 3], in, out);
		for (unsigned l = 0; l < LANES; l++) {
			uint32_t mask = in[l][MASK], from = in[l][1] & 31, word = 0;
			if (kind == 0 && !(mask >> from & 1))
				continue;
			if (kind == 0)
				word = in[from][0];
			for (unsigned k = 0; kind == 1 && k < LANES; k++)
				word |= (uint32_t)((mask >> k & 1) && in[k][0] == in[l][0]) << k;
			for (unsigned k = 0; kind >= 2 && k < LANES; k++)
				if (mask >> k & 1)
					word = mask & ((1u << k) - 1)
						       ? joined(kind == 2 ? "add" : "max s32", word, in[k][0])
						       : in[k][0];
			if ((kind == 1 ? out[l][0] & mask : out[l][0]) != word)
				fail_msg("%s, %s: lane %u has %x, expected %x", lines[kind], policies[round % 3], l,
					 out[l][0], word);
		}
	}
}

/* Lanes that end are no longer awaited; a lane without a way there does not stop the others for good. */
static void who_cannot_come_is_not_awaited(void **state)
{
	static const char *const policies[] = { "barriers", "minpc", "none" };
	static const char text[] =
		".kernel k\n.chip v100\n.grid 1\n.block 32\n.param ptr out\n"
		"shl b32 $r6 $r0 0x2\nadd b32 $r8 b32 s[0x10] $r6\nmov b32 $r9 0xffffffff\n"
		"and b32 $r1 $r0 0x3\nmov b32 $r2 0x0\nset $c0 # e u32 $r1 $r2\n"
		"mov b32 $r2 0x2\nset $c1 # e u32 $r1 $r2\n"
		"joinat #meet\n(lg $c0) ret\n(e $c1) bra #meet\nwarpsync $r9\nvote ballot $r4\n"
		"st b32 g14[$r8] $r4\nmeet:\njoin nop\nwarpsync $r9\nvote ballot $r4\nadd b32 $r8 $r8 0x80\n"
		"exit st b32 g14[$r8] $r4\n";
	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		const struct setting s[] = { { "reconverge", policies[i] }, { "livelock", "100000" }, { 0 } };
		struct wb_diag d = { 0 };
		uint32_t out[2][LANES];
		struct wb_program *p = load(text);
		struct wb_launch *l = launch(p, s);
		assert_int_equal(wb_launch_arg(l, "zero=256", &d), WB_OK);
		if (wb_launch_run(l, &d) != WB_OK)
			fail_msg("%s: %s", policies[i], d.text);
		assert_int_equal(wb_launch_read_arg(l, 0, 0, out, sizeof out, &d), WB_OK);
		assert_int_equal(out[0][2], i ? 0xeeeeeeee : 0x44444444);
		assert_int_equal(out[1][1], 0xeeeeeeee);
		assert_int_equal(out[1][0], 0);
		wb_launch_free(l);
		wb_program_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_words_and_back), cmocka_unit_test(shuffles),
		cmocka_unit_test(views_show_who_read_whom),
		cmocka_unit_test(matches_and_ballots), cmocka_unit_test(reductions),
		cmocka_unit_test(lanes_apart_await_each_other), cmocka_unit_test(who_cannot_come_is_not_awaited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
