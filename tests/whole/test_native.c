/* Native loops and paths (core/isa/native.h) do what threaded code does: random loops over every operation of words,
 * under random guards and with random ways out, and random code of branches, loops and barriers with accesses to s[] of
 * every pattern, some of them faults, on numbers of all kinds, in launches with native code and without. Whole outcomes
 * are compared: memory, counters, the bill, pc by pc, faults and digests. */
#include "tests/kit/hot.h"
#include "tests/kit/launches.h"
#include "tests/kit/text.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOPS = 10, STRETCHES = 3, THREADS = 256, WORDS = 10, SIZE = THREADS * WORDS * 4 };

/* D, A, B and C are registers, H half a register, I a small number, F a flag register. */
static const char *const whole[] = {
	"mov b32 D A", "add b32 D A B", "subr b32 D A B", "sub b32 D A B", "mul D u24 A B", "mul D s24 A B",
	"add D (mul u24 A B) C", "shl b32 D A I", "shl b32 D A B", "shr u32 D A I", "shr s32 D A I", "shr s32 D A B",
	"and b32 D A B", "or b32 D A not B", "xor b32 D A B", "min u32 D A B", "min s32 D A B", "max u32 D A B",
	"max s32 D A B", "set D l u32 A B", "set D ge s32 A B", "add b32 D A c1[0x0]", "sub b32 F D A B",
	"sub b32 F # A B", "and b32 F # A c1[0x0]", "set F # g u32 A B", "set F # le s32 A B", "shr u32 F D A I",
	"shl b32 F D A I", "max s32 F D A B", "add b32 F D A c1[0x0]", "mov b16 H H", "mul D u16 H u16 H",
	"add D (mul u16 H H) A",
};
static const char *const floats[] = {
	"add rn f32 D A B", "add rn f32 D A neg B", "add rn f32 D neg A B", "mul rn f32 D A B", "mul rn f32 D neg A B",
	"add f32 D (mul A B) C", "min f32 D A B", "max f32 D A B", "set F # g f32 A B", "set D l f32 A B",
	"slct b32 D A B f32 C", "add rn f32 D A c1[0x4]", "mul rn f32 D A c1[0x4]", "max f32 F D A B",
	"min f32 F # A B",
};
/* S is a word of s[], N a word at an offset that arithmetic has. Other words of s[] are for all lanes. */
static const char *const accesses[] = {
	"ld D S", "ld D S", "st S A", "st S A", "add b32 D N A", "add b32 D b32 s[0x20] A", "add b32 D u16 s[0x26] A",
	"mov b32 D s16 s[0x2a]", "mov b32 D u8 s[0x1d]", "sub b32 F D N A", "mov b16 H u16 s[0x26]",
	"mul D u16 u16 s[0x26] u16 H",
};
static const char *const float_accesses[] = {
	"add rn f32 D N A", "add f32 D (mul N A) B", "mul rn f32 D b32 s[0x30] A",
};
static const char *const guards[] = { "lg", "e", "l", "ge", "s", "ns", "c", "nc", "o" };

/* A word at an address of each lane: $a1 has words side by side, $a2 one a warp, $a3 words side by side in each
 * half-warp, $a4 any. One in 80 is outside, and one stretch in 40 has odd addresses. */
static void put_word(struct text *t, bool near)
{
	unsigned offset = below(t, 80) ? 0x20 + 4 * below(t, 200) : 0x1000;

	put(t, "b32 s[$a%u+%#x]", 1 + below(t, 25) / 8, near ? offset & 0x7c : offset);
}

/* A line of a pattern: r2 to r9 are the loop's, and c1 to c3. */
static void put_pattern(struct text *t, const char *p, bool guarded)
{
	if (guarded)
		put(t, "(%s $c%u) ", guards[below(t, sizeof guards / sizeof *guards)], 1 + below(t, 3));
	for (; *p; p++) {
		bool alone = (p[1] == ' ' || p[1] == ')' || !p[1]);
		if (strchr("SN", *p) && alone)
			put_word(t, *p == 'N');
		else if (strchr("DABC", *p) && alone)
			put(t, "$r%u", 2 + below(t, 8));
		else if (*p == 'H' && alone)
			put(t, "$r%u%c", 2 + below(t, 8), "lh"[below(t, 2)]);
		else if (*p == 'I' && alone)
			put(t, "%#x", below(t, 40));
		else if (*p == 'F' && alone)
			put(t, "$c%u", 1 + below(t, 3));
		else
			put(t, "%c", *p);
	}
	put(t, "\n");
}

#define PATTERNS(list) list, sizeof list / sizeof *list
static void put_any(struct text *t, const char *const list[], size_t n, bool guarded)
{
	put_pattern(t, list[below(t, (unsigned)n)], guarded);
}

/* A loop of up to 40 turns, the same number for all lanes or each its own. */
static void put_loop(struct text *t, unsigned number)
{
	unsigned lines = 1 + below(t, 12), kind = below(t, 3);

	put(t, "and b32 $c1 # $r2 $r3\nsub b32 $c2 # $r4 $r5\nadd b32 $c3 # $r6 $r7\n");
	if (below(t, 2))
		put(t, "mov b32 $r12 %#x\n", 1 + below(t, 40));
	else
		put(t, "and b32 $r12 $r%u 0x1f\nadd b32 $r12 $r12 0x1\n", 2 + below(t, 8));
	put(t, "breakaddr #end%u\nloop%u:\n", number, number);
	for (unsigned i = 0; i < lines; i++) {
		bool guarded = !below(t, 3), float_line = kind == 0 || (kind == 1 && below(t, 2));
		if (!below(t, 6))
			put(t, "(%s $c%u) break\n", guards[below(t, 4)], 1 + below(t, 3));
		if (float_line)
			put_any(t, PATTERNS(floats), guarded);
		else
			put_any(t, PATTERNS(whole), guarded);
	}
	put(t, "sub b32 $c0 $r12 $r12 c1[0x0]\n(lg $c0) bra #loop%u\nbreak\nend%u:\n", number, number);
	put(t, "mov b32 $r3 $r10\nxor b32 $r4 $r4 $r11\n");
}

/* A load or store of g[]: of words of the thread's own, side by side in each warp, or two words apart. */
static void put_global(struct text *t)
{
	bool apart = !below(t, 6);
	unsigned address = apart ? 22 : 21, step = apart ? 0x800 : 0x400, at = step * below(t, 5);

	if (below(t, 3)) {
		put(t, "mov b32 $r24 %#x\nadd b32 $r23 $r%u $r24\n", at, address);
		address = 23;
	}
	if (below(t, 2))
		put(t, "ld b32 $r%u g14[$r%u]\n", 2 + below(t, 8), address);
	else
		put(t, "st b32 g14[$r%u] $r%u\n", address, 2 + below(t, 8));
}

/* A line of any kind; lines with an address just made, too. */
static void put_line(struct text *t, bool with_floats)
{
	unsigned kind = below(t, 8);

	if (!below(t, 12))
		put(t, "shl $a%u $r%u 0x2\n", 1 + below(t, 4), 14 + below(t, 3));
	else if (!below(t, 5))
		put_global(t);
	else if (kind < 4)
		put_any(t, PATTERNS(accesses), !below(t, 12));
	else if (kind < 6 || !with_floats)
		put_any(t, PATTERNS(whole), !below(t, 4));
	else if (kind < 7)
		put_any(t, PATTERNS(float_accesses), false);
	else
		put_any(t, PATTERNS(floats), !below(t, 4));
}

/* Lines for the lanes that do not branch, up to a marker where all meet: any number of lanes, or by warps. */
static void put_split(struct text *t, unsigned number, bool with_floats)
{
	unsigned lines = 1 + below(t, 6);

	if (below(t, 2))
		put(t, "and b32 $c3 # $r15 $r%u\n", 2 + below(t, 8));
	put(t, "joinat #meet%u\n(%s $c%u) bra #meet%u\n", number, guards[below(t, 4)], 1 + below(t, 3), number);
	for (unsigned i = 0; i < lines; i++)
		put_line(t, with_floats);
	put(t, "meet%u:\njoin nop\n", number);
}

/* Up to 31 lines, most of them accesses, some in a loop of a few turns that all lanes make, some behind splits or ways
 * out that few lanes take. */
static void put_stretch(struct text *t, unsigned number)
{
	unsigned lines = 8 + below(t, 24), turns = below(t, 3) ? 0 : 1 + below(t, 9);
	bool with_floats = !below(t, 3), leaves = !below(t, 8);
	char way_out[32];

	snprintf(way_out, sizeof way_out, "bra #end%u", number);
	put(t, "and b32 $r13 $r%u %#x\nshl $a4 $r13 0x0\nmov b32 $r12 %#x\nturn%u:\nbar inc wait 0x0 all\n",
	    2 + below(t, 8), below(t, 40) ? 0x1fc : 0x1fd, turns, number);
	put(t, "and b32 $c1 # $r2 $r3\nsub b32 $c2 # $r4 $r5\nadd b32 $c3 # $r6 $r7\n");
	for (unsigned i = 0; i < lines; i++) {
		if (!below(t, 10))
			put_split(t, 100 * number + i, with_floats);
		else if (!below(t, 10))
			put(t, "(%s $c%u) %s\n", leaves ? "o" : "ge", leaves ? 1 + below(t, 3) : 0,
			    below(t, 2) && !turns ? "ret" : way_out);
		else
			put_line(t, with_floats);
	}
	if (turns)
		put(t, "sub b32 $c0 $r12 $r12 c1[0x0]\n(lg $c0) bra #turn%u\nsub b32 $c0 # $r14 $r23\n", number);
	put(t, "end%u:\n", number);
}

/* Loops, or stretches with branches, s[] and g[]. */
static void put_program(struct text *t, uint64_t seed, bool loops)
{
	*t = (struct text){ .random = seed };
	put(t, HEAD ".grid 2\n.block 128\n.smem 0x820\n.const 1 0x0: 1 1.5\n");
	put(t, "mov b32 $r14 $r0\nshr u32 $r15 $r0 0x5\nand b32 $r16 $r0 0xf\n"
	    "shl $a1 $r14 0x2\nshl $a2 $r15 0x2\nshl $a3 $r16 0x2\n");
	put(t, "mov b16 $r1l u16 s[0x2]\nadd $r0 (mul u16 u16 s[0xc] $r1l) $r0\nmov b32 $r5 %#x\nmul $r1 u24 $r0 $r5\n"
	    "mov b32 $r20 0x4\nshl b32 $r21 $r0 0x2\nshl b32 $r22 $r0 0x3\nadd b32 $r1 b32 s[0x10] $r1\n"
	    "mov b32 $r0 $r1\n", WORDS * 4);
	put(t, "mov b32 $r23 %#x\nadd b32 $r21 b32 s[0x10] $r21\nadd b32 $r21 $r21 $r23\n"
	    "add b32 $r22 b32 s[0x10] $r22\nadd b32 $r22 $r22 $r23\nadd b32 $r22 $r22 $r23\n"
	    "sub b32 $c0 # $r14 $r23\n", SIZE);
	for (unsigned i = 0; i < WORDS; i++)
		put(t, "ld b32 $r%u g14[$r1]\nadd b32 $r1 $r1 $r20\n", 2 + i);
	put(t, "st b32 s[$a1+0x20] $r2\nst b32 s[$a1+0x220] $r3\n");
	for (unsigned i = 0; loops && i < LOOPS; i++)
		put_loop(t, i);
	for (unsigned i = 0; !loops && i < STRETCHES; i++)
		put_stretch(t, i);
	for (unsigned i = 0; i < WORDS; i++)
		put(t, "st b32 g14[$r0] $r%u\nadd b32 $r0 $r0 $r20\n", 2 + i);
	put(t, "exit nop\n");
}

/* Numbers of any bits, usual floats, and borders of floats. */
static void draw(uint32_t *numbers, uint64_t seed)
{
	static const uint32_t edges[] = {
		0, 0x80000000, 0x7f800000, 0xff800000, 0x7fffffff, 1, 0x807fffff, 0x00800000,
	};

	for (unsigned i = 0; i < THREADS * WORDS; i++) {
		uint32_t r = (uint32_t)rng_next(&seed), kind = i / WORDS / 32 % 4;
		numbers[i] = kind == 0 ? r : kind == 3 && r % 8 == 0 ? edges[r >> 8 & 7] :
			     (r & 0x807fffff) | (118 + (r >> 24) % 20) << 23;
	}
}

static char *run(const struct wb_program *p, const uint32_t *numbers, const struct setting *s)
{
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };
	enum wb_status status;
	char *text;

	assert_int_equal(wb_launch_arg(l, "zero=30720", &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, numbers, SIZE, &d), WB_OK);
	status = wb_launch_run(l, &d);
	text = outcome(l, status, &d);
	wb_launch_free(l);
	return text;
}

/* Compare the outcome with native code and without. False: the host has no compiler. */
static bool compare(const struct wb_program *p, const uint32_t *numbers, const char *level, const char *option,
		    const char *value)
{
	struct setting s[] = { { "timing", "off" }, { "simd", level }, { "max-insns", "2000000" }, { option, value },
			       { "native", "off" }, { NULL, NULL } };
	char *without = run(p, numbers, s), *with;
	bool made;

	s[4].value = "now";
	with = run(p, numbers, s);
	made = !strstr(with, "--native now has no effect");
	if (made)
		assert_string_equal(with, without);
	free(with);
	free(without);
	return made;
}

static bool has_level(const char *level)
{
	const char *name;

	for (unsigned i = 0; (name = wb_simd_level(i)); i++)
		if (!strcmp(name, level))
			return true;
	return false;
}

static bool no_compiler;

static void compare_programs(uint64_t seeds, bool loops)
{
	static const char *const levels[] = { "avx2", "avx512" };
	static const struct setting ways[] = {
		{ "slice", "256" }, { "slice", "3" }, { "slice", "70" }, { "reconverge", "ipdom" }, { "check", "none" },
		{ "stats-level", "none" }, { "threads", "2" }, { "max-insns", "1000" }, { "accesses", "on" },
		{ "check", "race,uninit,bounds" },
	};
	static uint32_t numbers[THREADS * WORDS];
	static struct text t;

	for (uint64_t seed = 1; seed <= seeds; seed++) {
		struct wb_program *p;
		put_program(&t, seed, loops);
		p = load(t.bytes);
		draw(numbers, seed);
		for (unsigned k = 0; k < 2; k++)
			for (unsigned i = 0; has_level(levels[k]) && i < sizeof ways / sizeof *ways; i++)
				if ((i + k) % 2 < sample_of(2) &&
				    !compare(p, numbers, levels[k], ways[i].option, ways[i].value))
					no_compiler = true;
		wb_program_free(p);
	}
}

static void loops_as_threaded_code(void **state)
{
	compare_programs(sample_of(6), true);
}

static void stretches_as_threaded_code(void **state)
{
	compare_programs(sample_of(2), false);
}

/* A stretch in a loop, whose address leaves s[] in turn 480, or is odd then. */
static void fault_in_a_stretch(void **state)
{
	static const char head[] = HEAD ".grid 2\n.block 128\n.smem 0x820\n.const 1 0x0: 1\nmov b32 $r4 0x1e0\n"
		"shl $a1 $r0 0x2\nmov b32 $r1 0x1\nmov b32 $r2 0x2\nturn:\nbar inc wait 0x0 all\n"
		"ld $r3 b32 s[$a1+0x20]\nadd b32 $r3 $r3 $r1\nxor b32 $r2 $r2 $r3\nadd b32 $r5 $r3 $r1\n"
		"xor b32 $r6 $r5 $r3\nadd b32 $r5 $r6 $r1\nxor b32 $r2 $r2 $r5\nst b32 s[$a1+0x20] $r2\n"
		"add b32 $r1 b32 s[0x24] $r1\nadd $a1 $a1 0x0\nand b32 $c1 # $r2 $r1\n"
		"sub b32 $c0 $r4 $r4 c1[0x0]\n(lg $c0) bra #turn\n";
	/* odd; outside; outside by the last lane's word alone */
	static const char *const ends[] = { "add $a1 $a1 0x2\n", "add $a1 $a1 0x800\n", "add $a1 $a1 0x624\n" };

	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
		static const char *const when[] = { "off", "now" };
		char text[2048], *got[2];
		struct wb_program *p;
		snprintf(text, sizeof text, "%s%smov b32 $r4 0x10\nbra #turn\nexit nop\n", head, ends[i]);
		p = load(text);
		for (unsigned k = 0; k < 2; k++) {
			struct wb_launch *l = launch(p, (struct setting[]){ { "timing", "off" },
									    { "native", when[k] }, { NULL, NULL } });
			struct wb_diag d = { 0 };
			enum wb_status status = wb_launch_run(l, &d);
			got[k] = outcome(l, status, &d);
			wb_launch_free(l);
		}
		assert_non_null(strstr(got[0], "s[] access"));
		assert_string_equal(got[0], got[1]);
		free(got[0]);
		free(got[1]);
		wb_program_free(p);
	}
}

static char *run_with(const struct wb_program *p, const char *native)
{
	struct wb_launch *l = launch(p, (struct setting[]){ { "timing", "off" }, { "native", native },
							    { NULL, NULL } });
	struct wb_diag d = { 0 };
	enum wb_status status = wb_launch_run(l, &d);
	char *text = outcome(l, status, &d);

	wb_launch_free(l);
	return text;
}

static void same_with_native(const char *lines)
{
	char text[4096], *without, *with;
	struct wb_program *p;

	snprintf(text, sizeof text, HEAD ".grid 1\n.block 32\n.smem 0x40\n.const 1 0x0: 1\nmov b32 $r1 0x20\n"
		 "mov b32 $r2 0x7fffffff\nmov b32 $r4 0x0\nmov b32 $r5 0x1000\nbreakaddr #end\n"
		 "%sbreak\nend:\nexit nop\n", lines);
	p = load(text);
	without = run_with(p, "off");
	with = run_with(p, "now");
	if (!strstr(with, "--native now has no effect"))
		assert_string_equal(with, without);
	free(without);
	free(with);
	wb_program_free(p);
}

/* A NaN is zero and negative at once by the flags, as no whole number is: in a loop, and from before the loop. */
static void flags_of_nans(void **state)
{
	same_with_native("turn:\nmax f32 $c1 $r3 $r2 $r2\n(e $c1) add b32 $r4 $r4 $r1\n(lg $c1) add b32 $r4 $r4 $r1\n"
			 "sub b32 $c0 $r1 $r1 c1[0x0]\n(lg $c0) bra #turn\n"
			 "add b32 $r5 $r5 $r4\nadd b32 $r4 $r5 $r4\nadd b32 $r5 $r5 $r4\nadd b32 $r4 $r5 $r4\n");
	same_with_native("max f32 $c1 # $r2 $r2\nsub b32 $c2 # $r5 $r5\nturn:\n(e $c1) add b32 $r4 $r4 $r1\n"
			 "(lg $c2) sub b32 $c1 # $r1 $r5\nsub b32 $c0 $r1 $r1 c1[0x0]\n(lg $c0) bra #turn\n");
}

/* A sum that is no number, whose only reader checks nothing: the reader is guarded, is no sum, or reads behind a way
 * out; or a reader checks, and another word is the sum's result by then. A host's has a sign, the machine's has
 * none. */
static void sums_that_are_no_numbers(void **state)
{
	static const char *const readers[] = {
		"", "(lg $c1) add rn f32 $r7 $r3 $r6\n", "set $r7 l f32 $r3 $r6\n", "min f32 $r7 $r3 $r6\n",
		"add rn f32 $r7 $r3 $r6\n", "(e $c2) break\nadd rn f32 $r7 $r3 $r6\n",
		"mov b32 $r3 $r1\nadd rn f32 $r7 $r3 $r6\n",
		"(e $c2) add rn f32 $r3 $r6 $r6\nadd rn f32 $r7 $r3 $r6\n",
	};

	(void)state;
	for (unsigned i = 0; i < sizeof readers / sizeof *readers; i++) {
		char lines[1024];
		snprintf(lines, sizeof lines,
			 "mov b32 $r6 0x7f800000\nsub b32 $c1 # $r5 $r5\n"
			 "turn:\nsub b32 $c2 # $r0 $r1\nadd rn f32 $r3 $r6 neg $r6\nand b32 $c3 # $r3 $r3\n"
			 "(l $c3) add b32 $r4 $r4 $r3\n%s"
			 "sub b32 $c0 $r1 $r1 c1[0x0]\n(lg $c0) bra #turn\n", readers[i]);
		same_with_native(lines);
	}
}

/* A loop to which all lanes come by the end of another: a span goes on from loop to loop. */
static void loop_behind_a_loop(void **state)
{
	same_with_native("mov b32 $r6 0x20\nbreakaddr #second\nturn:\nadd b32 $r4 $r4 $r1\n"
			 "sub b32 $c0 $r1 $r1 c1[0x0]\n(lg $c0) bra #turn\nbreak\nsecond:\nadd b32 $r4 $r4 $r6\n"
			 "sub b32 $c0 $r6 $r6 c1[0x0]\n(lg $c0) bra #second\n");
}

/* A piece of threaded code ends after 64 instructions: at the end of a loop, before or behind the branch back. */
static void pieces_at_a_branch(void **state)
{
	for (unsigned fill = 54; fill < 60; fill++) {
		char lines[64 * 32] = "turn:\nadd b32 $r4 $r4 $r1\nld $r5 b32 s[0x20]\n";
		size_t n = strlen(lines);
		for (unsigned i = 0; i < fill; i++)
			n += (size_t)snprintf(lines + n, sizeof lines - n, "add b32 $r5 $r5 $r4\n");
		snprintf(lines + n, sizeof lines - n, "sub b32 $c0 $r1 $r1 c1[0x0]\n(lg $c0) bra #turn\n"
			 "add b32 $r5 $r5 $r4\nadd b32 $r4 $r5 $r4\nadd b32 $r5 $r5 $r4\nadd b32 $r4 $r5 $r4\n");
		same_with_native(lines);
	}
}

/* Each clang that is here makes the code, or none, where the host loads none: newer ones refuse functions without a
 * declaration, which headers may have, and keep calls of functions outside of the text that others find to be of no
 * use. */
static void by_every_clang(void **state)
{
	const char *path = getenv("PATH");
	char *before = path ? strdup(path) : NULL, folder[] = "/tmp/wb-clangs-XXXXXX", link[64], wider[4096];
	struct wb_program *p = load(HEAD ".grid 1\n.block 32\n.smem 0x420\nshl $a1 $r0 0x2\nadd b32 $r1 $r0 $r0\n"
				    "xor b32 $r2 $r1 $r0\nsub b32 $c0 # $r0 $r0\n(lg $c0) bra #never\nexit nop\n"
				    "never:\nld b32 $r3 g14[$r1]\njoinat #joined\nld $r4 b32 s[$a1+0x20]\n"
				    "add rn f32 $r3 $r3 $r4\nadd f32 $r5 (mul $r3 $r4) $r5\nshr u32 $r5 $r5 0x3\n"
				    "(lg $c0) st b32 s[$a1+0x20] $r5\nld $r6 b32 s[0x24]\nadd b32 $r6 $r6 $r5\n"
				    "joined:\njoin st b32 g14[$r1] $r6\nbar inc wait 0x0 all\nexit nop\n");
	unsigned clangs = 0, made = 0;

	assert_non_null(before);
	assert_non_null(mkdtemp(folder));
	snprintf(link, sizeof link, "%s/clang", folder);
	snprintf(wider, sizeof wider, "%s:%s", folder, before);
	setenv("PATH", wider, 1);
	for (unsigned version = 14; version < 30; version++) {
		char clang[32], *with;
		snprintf(clang, sizeof clang, "/usr/bin/clang-%u", version);
		if (access(clang, X_OK) || symlink(clang, link))
			continue;
		with = run_with(p, "now");
		made += !strstr(with, "--native now has no effect");
		clangs++;
		free(with);
		unlink(link);
	}
	setenv("PATH", before, 1);
	rmdir(folder);
	free(before);
	wb_program_free(p);
	if (made)
		assert_int_equal(made, clangs);
}

/* Two programs with native code at a time, each with loops of its own. */
static void two_at_a_time(void **state)
{
	static uint32_t numbers[THREADS * WORDS];
	static struct text t;
	struct setting s[] = { { "timing", "off" }, { "native", "off" }, { NULL, NULL } };
	struct wb_program *p[2];
	struct wb_launch *l[2];
	struct wb_diag d = { 0 };

	draw(numbers, 7);
	for (unsigned i = 0; i < 2; i++) {
		put_program(&t, 7 + i, i);
		p[i] = load(t.bytes);
		s[1].value = "now";
		l[i] = launch(p[i], s);
	}
	for (unsigned i = 0; i < 2; i++) {
		char *with, *without;
		enum wb_status status;
		d = (struct wb_diag){ 0 };
		s[1].value = "off";
		without = run(p[i], numbers, s);
		assert_int_equal(wb_launch_arg(l[i], "zero=30720", &d), WB_OK);
		assert_int_equal(wb_launch_write_arg(l[i], 0, 0, numbers, SIZE, &d), WB_OK);
		status = wb_launch_run(l[i], &d);
		with = outcome(l[i], status, &d);
		if (!no_compiler)
			assert_string_equal(with, without);
		free(with);
		free(without);
	}
	for (unsigned i = 0; i < 2; i++) {
		wb_launch_free(l[i]);
		wb_program_free(p[i]);
	}
}

/* With `auto`, native code comes into a launch that runs: once from the compiler, or kept for the next launch, and then
 * from the cache, on two threads. */
static struct wb_program *hot_program(const char *turn)
{
	char source[2048];

	snprintf(source, sizeof source, HEAD ".grid 96\n.block 256\n.smem 0x420\n.const 1 0x0: 1 3\n"
		 "shl $a1 $r0 0x2\nmov b16 $r1l u16 s[0x2]\nadd $r0 (mul u16 u16 s[0xc] $r1l) $r0\n"
		 "mov b32 $r1 0x10000\nmov b32 $r2 $r0\nmov b32 $r3 $r0\nmov b32 $r4 $r0\nturn:\n%s"
		 "sub b32 $c0 $r1 $r1 c1[0x0]\n(lg $c0) bra #turn\n"
		 "shl b32 $r0 $r0 0x2\nadd b32 $r0 b32 s[0x10] $r0\nexit st b32 g14[$r0] $r2\n", turn);
	return load(source);
}

static void same_while_compiled(void **state)
{
	same_while_hot(hot_program("and b32 $c1 # $r2 c1[0x4]\n(e $c1) add b32 $r2 $r2 $r1\n"
				   "add b32 $r2 $r2 c1[0x0]\n"), "zero=98304");
	if (left_to_faster_builds(1))
		return;
	/* accesses to s[] in a loop */
	same_while_hot(hot_program("st b32 s[$a1+0x20] $r2\nld $r3 b32 s[$a1+0x20]\nadd b32 $r2 $r3 $r1\n"
				   "xor b32 $r4 $r2 $r3\nadd b32 $r2 $r2 $r4\nshl b32 $r3 $r4 0x3\n"
				   "xor b32 $r2 $r2 $r3\nadd b32 $r4 $r4 $r2\n"), "zero=98304");
}

/* A launch, and the folder in which its compiler works. */
struct watched {
	struct wb_launch *launch;
	const char *folder;
	bool seen, over;
};

static bool is_empty(const char *folder)
{
	DIR *d = opendir(folder);
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n <= 2;
}

static void *end_while_compiling(void *context)
{
	struct watched *w = context;

	while (!w->seen && !__atomic_load_n(&w->over, __ATOMIC_ACQUIRE)) {
		w->seen = !is_empty(w->folder);
		usleep(1000);
	}
	wb_launch_interrupt(w->launch);
	return NULL;
}

/* A launch that ends while the compiler works takes the compiler along, with its folder. */
static void nothing_left_behind(void **state)
{
	struct wb_program *p = hot_program("add b32 $r2 $r2 c1[0x4]\nxor b32 $r3 $r2 $r3\n"
					   "shl b32 $r4 $r3 0x5\nadd b32 $r2 $r2 $r4\n");
	struct wb_launch *l = launch(p, (struct setting[]){ { "timing", "off" }, { NULL, NULL } });
	char folder[] = "/tmp/warpbeam-folder-XXXXXX";
	struct watched w = { l, folder, false, false };
	struct wb_diag d = { 0 };
	enum wb_status status;
	pthread_t watcher;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(setenv("TMPDIR", folder, 1), 0);
	assert_int_equal(wb_launch_arg(l, "zero=98304", &d), WB_OK);
	assert_int_equal(pthread_create(&watcher, NULL, end_while_compiling, &w), 0);
	status = wb_launch_run(l, &d);
	__atomic_store_n(&w.over, true, __ATOMIC_RELEASE);
	pthread_join(watcher, NULL);
	assert_true(no_compiler || (w.seen && status == WB_INTERRUPTED));
	wb_launch_free(l);
	assert_true(is_empty(folder));
	assert_true(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
	rmdir(folder);
	unsetenv("TMPDIR");
	wb_program_free(p);
}

/* A folder for the cache, which ends with the test. */
static int own_cache(void **state)
{
	static char path[] = "/tmp/warpbeam-native-XXXXXX";

	*state = mkdtemp(path);
	return *state ? setenv("XDG_CACHE_HOME", path, 1) : -1;
}

static int remove_cache(void **state)
{
	char command[96];

	snprintf(command, sizeof command, "rm -r '%s'", (const char *)*state);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_as_threaded_code), cmocka_unit_test(stretches_as_threaded_code),
		cmocka_unit_test(fault_in_a_stretch), cmocka_unit_test(flags_of_nans),
		cmocka_unit_test(sums_that_are_no_numbers), cmocka_unit_test(loop_behind_a_loop),
		cmocka_unit_test(pieces_at_a_branch),
		cmocka_unit_test(by_every_clang),
		cmocka_unit_test(two_at_a_time), cmocka_unit_test(same_while_compiled),
		cmocka_unit_test(nothing_left_behind),
	};

	int failed = cmocka_run_group_tests(tests, own_cache, remove_cache);

	return !failed && no_compiler ? 77 : failed;
}
