/* The experiments of spec timing: what is measured and what should come out. A tolerance of "0" is exact. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/laboratory/lab.h"

static double of(double expected, double percent)
{
	return expected * percent / 100;
}

/* ---- the pipes ---- */

static void dependent_mad(struct lab *lab)
{
	static const unsigned warps[] = {1, 2, 3, 4, 5, 6, 8, 16};
	for (unsigned i = 0; i < sizeof warps / sizeof *warps; i++) {
		double expected = fmax(24.0 / warps[i], 4);
		lab_point(lab, warps[i], lab_throughput(lab, (struct trial){.program = "mad"}, warps[i]), expected,
			  of(expected, 5));
	}
}

static void partial_warps(struct lab *lab)
{
	static const unsigned threads[] = {1, 16, 31, 32, 33};
	struct result one = {0};
	for (unsigned i = 0; i < sizeof threads / sizeof *threads; i++) {
		struct trial t = {.program = "mad", .threads = threads[i]};
		lab_point(lab, threads[i], lab_latency(lab, t), 24, 0);
		t.blank[0] = (struct blank){"n", 64, NULL};
		struct result r = lab_run(lab, &t);
		if (i == 0)
			one = r;
		lab_point(lab, threads[i], r.instructions / one.instructions, threads[i] > 32 ? 2 : 1, 0);
	}
}

static void reciprocal(struct lab *lab)
{
	lab_point(lab, 1, lab_latency(lab, (struct trial){.program = "rcp", .threads = 1}), 28, 1);
	lab_point(lab, 16, lab_throughput(lab, (struct trial){.program = "rcp-independent"}, 16), 16, of(16, 5));
}

static void square_root(struct lab *lab)
{
	lab_point(lab, 1, lab_latency(lab, (struct trial){.program = "sqrt", .threads = 1}), 56, 2);
}

static void fast_division(struct lab *lab)
{
	lab_point(lab, 1, lab_latency(lab, (struct trial){.program = "fdividef", .threads = 1}), 52, 2);
}

static void integer_multiply(struct lab *lab)
{
	lab_point(lab, 1, lab_latency(lab, (struct trial){.program = "imul32", .threads = 1}), 96, of(96, 5));
	lab_range(lab, 16, lab_throughput(lab, (struct trial){.program = "imul32"}, 16), 16 * 0.95, 19 * 1.05);
}

static void integer_multiply_add(struct lab *lab)
{
	lab_point(lab, 1, lab_latency(lab, (struct trial){.program = "imul32-add", .threads = 1}), 120, of(120, 5));
	lab_range(lab, 16, lab_throughput(lab, (struct trial){.program = "imul32-add"}, 16), 16 * 0.95, 23 * 1.05);
}

static void integer_division(struct lab *lab)
{
	lab_point(lab, 1, lab_latency(lab, (struct trial){.program = "udiv", .threads = 1, .copies = 4}), 608,
		  of(608, 10));
	lab_range(lab, 16, lab_throughput(lab, (struct trial){.program = "udiv", .copies = 4}, 16), 114 * 0.9,
		  128 * 1.1);
}

static void doubles(struct lab *lab)
{
	lab_point(lab, 1, lab_latency(lab, (struct trial){.program = "dfma", .threads = 1}), 48, 4);
	lab_point(lab, 16, lab_throughput(lab, (struct trial){.program = "dfma-independent"}, 16), 32, 0);
}

/* Two pipes side by side: the longer one counts, not the sum. */
static void two_pipes(struct lab *lab)
{
	for (int mads = 2; mads <= 8; mads += 2) {
		struct trial t = {.program = "mad-sfu", .blank = {{"mads", mads, NULL}}};
		double expected = fmax(4.0 * mads, 16);
		lab_point(lab, mads, lab_throughput(lab, t, 16), expected, of(expected, 5));
	}
}

static void multiply_alone(struct lab *lab)
{
	lab_point(lab, 16, lab_throughput(lab, (struct trial){.program = "fmul-independent"}, 16), 2.9, of(2.9, 10));
}

static void instruction_level(struct lab *lab)
{
	static const int ilp[] = {1, 2, 4, 6};
	for (int i = 0; i < 4; i++) {
		struct trial t = {.program = "mad-independent", .threads = 32, .blank = {{"ilp", ilp[i], NULL}}};
		double expected = fmax(24.0 / ilp[i], 4);
		lab_point(lab, ilp[i], lab_latency(lab, t) / ilp[i], expected, of(expected, 5));
	}
}

/* ---- the clock ---- */

static void clock_pair(struct lab *lab)
{
	struct trial t = {.program = "clock-pair", .threads = 32};
	struct result r = lab_run(lab, &t);
	lab_point(lab, 1, (double)(r.words[1] - r.words[0]), 28, 0);
	for (unsigned warps = 3; warps <= 12; warps += 3) {
		double least = INFINITY, most = 0;
		t.threads = 32 * warps;
		r = lab_run(lab, &t);
		for (unsigned w = 0; w < warps && w < WARPS; w++) {
			/* the program doubles the clock itself */
			double took = (r.clock[w][1] - r.clock[w][0]) / 2;
			least = fmin(least, took);
			most = fmax(most, took);
		}
		lab_range(lab, warps, least, 28, INFINITY);
		lab_range(lab, warps, most, 28, INFINITY);
	}
}

/* ---- s[] and c[] ---- */

static double shared_cost(struct lab *lab, const char *program, struct blank b)
{
	return lab_throughput(lab, (struct trial){.program = program, .blank = {b}, .option = {{"smem", "8192"}}}, 8);
}

static void shared_strides(struct lab *lab)
{
	static const int strides[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 32, 33};
	static const int degrees[] = {1, 2, 1, 4, 1, 2, 1, 8, 1, 2, 1, 4, 1, 2, 1, 16, 1, 16, 1};
	double one = shared_cost(lab, "shared-stride", (struct blank){"stride", 1, NULL});
	for (unsigned i = 0; i < sizeof strides / sizeof *strides; i++)
		lab_point(lab, strides[i],
			  shared_cost(lab, "shared-stride", (struct blank){"stride", strides[i], NULL}) / one,
			  degrees[i], 0);
}

static const char *table_text(char *text, size_t size, int (*word)(int lane), int scale)
{
	size_t n = 0;
	for (int lane = 0; lane < 32; lane++)
		n += (size_t)snprintf(text + n, size - n, " %d", word(lane) * scale);
	return text;
}

static int same_word(int lane)
{
	return 0;
}

static int four_and_twelve(int lane)   /* lanes 0 to 3 of a half-warp one word, the others a bank each */
{
	return lane % 16 < 4 ? 0 : lane % 16;
}

static int own_bank(int lane)          /* lanes i and i + 16 share a bank, which no half-warp sees */
{
	return lane;
}

static void shared_broadcast(struct lab *lab)
{
	int (*const pattern[])(int) = {same_word, four_and_twelve, own_bank};
	char text[512];
	double one = shared_cost(lab, "shared-stride", (struct blank){"stride", 1, NULL});
	for (int i = 0; i < 3; i++)
		lab_point(lab, i + 1,
			  shared_cost(lab, "shared-pattern",
				      (struct blank){"table", 0, table_text(text, sizeof text, pattern[i], 1)}) /
				  one,
			  1, 0);
}

static void constants(struct lab *lab)
{
	double one = shared_cost(lab, "const-distinct", (struct blank){"d", 1, NULL});
	for (int d = 1; d <= 16; d *= 2)
		lab_point(lab, d, shared_cost(lab, "const-distinct", (struct blank){"d", d, NULL}) / one, d, 0);
}

/* ---- barriers and control flow ---- */

static void barriers(struct lab *lab)
{
	for (unsigned warps = 1; warps <= 16; warps++) {
		double cost = lab_throughput(lab, (struct trial){.program = "barrier"}, warps) * warps;
		double expected = 20 + 3.9 * (warps - 1);
		lab_point(lab, warps, cost, expected, of(expected, 5));
	}
}

/* Issue slots of an if and else: the head of 5 (and, mov, set, joinat, bra), both sides for a split warp and one for a
 * uniform one, the bra that ends the if, an arrival for each split, the join and the exit. */
static void if_else(struct lab *lab)
{
	static const int cuts[] = {0, 1, 16, 31, 32};
	static const int sides[][2] = {{3, 7}, {10, 2}};
	for (int s = 0; s < 2; s++)
		for (int i = 0; i < 5; i++) {
			long a = sides[s][0], b = sides[s][1], cut = cuts[i];
			struct trial t = {.program = "branch",
					  .threads = 32,
					  .blank = {{"a", a, NULL}, {"b", b, NULL}, {"cut", cut, NULL}}};
			struct result r = lab_run(lab, &t);
			bool split = cut > 0 && cut < 32;
			lab_point(lab, (double)cut, r.instructions,
				  5 + (cut > 0 ? a + 1 : 0) + (cut < 32 ? b : 0) + (split ? 1 : 0) + 2, 0);
		}
}

/* The part that grows with k: the ways themselves, of 16 instructions; only lanes / k of each are useful. */
static void ways(struct lab *lab)
{
	for (long k = 2; k <= 32; k *= 2) {
		double issued[2], useful[2];
		for (int i = 0; i < 2; i++) {
			struct trial t = {.program = "switch",
					  .threads = 32,
					  .blank = {{"k", k, NULL}, {"a", i ? 32 : 16, NULL}}};
			struct result r = lab_run(lab, &t);
			issued[i] = r.instructions;
			useful[i] = r.threads;
		}
		lab_point(lab, (double)k, issued[1] - issued[0], 16.0 * (double)k, 16.0 * (double)k * 0.02);
		lab_point(lab, (double)k, (useful[1] - useful[0]) / (issued[1] - issued[0]) / 32, 1.0 / (double)k,
			  0.02 / (double)k);
	}
}

/* The loop goes round as often as its longest lane needs, and every lane has counted its own number. */
static void trip_counts(struct lab *lab)
{
	for (long base = 1; base <= 9; base += 4) {
		struct trial t = {.program = "trips", .threads = 32, .blank = {{"base", base, NULL}}};
		struct result r = lab_run(lab, &t);
		/* 4 before; each round 4, the last only its first 2; 3 after */
		double rounds = (r.instructions - 4 - 3) / 4;
		double wrong = 0;
		for (int lane = 0; lane < 32; lane++)
			wrong += r.words[lane] != (uint32_t)(base + lane);
		lab_point(lab, (double)base, floor(rounds), (double)base + 31, 0);
		lab_point(lab, (double)base, wrong, 0, 0);
	}
}

static void nested(struct lab *lab)
{
	for (long d = 1; d <= 12; d++) {
		struct trial t = {.program = "nested", .threads = 32, .blank = {{"d", d, NULL}}};
		lab_point(lab, (double)d, lab_run(lab, &t).stack_depth, 2.0 * (double)d, 0);
	}
}

static void lock_rounds(struct lab *lab)
{
	for (long d = 1; d <= 32; d *= 2) {
		struct trial t = {
			.program = "lock", .threads = 32, .blank = {{"d", d, NULL}}, .option = {{"smem", "64"}}};
		lab_point(lab, (double)d, lab_run(lab, &t).lock_attempts, (double)d, 0);
	}
}

static void naive_spin(struct lab *lab)
{
	struct trial t = {.program = "spin", .threads = 32, .option = {{"smem", "64"}}};
	lab_point(lab, 1, lab_run(lab, &t).status, WB_HANG, 0);
}

static void fairness(struct lab *lab)
{
	for (unsigned warps = 2; warps <= 16; warps *= 2) {
		struct trial t = {.program = "fair", .threads = 32 * warps, .option = {{"max-cycles", "50000"}}};
		struct result r = lab_run(lab, &t);
		lab_range(lab, warps, r.most_issues - r.least_issues, 0, 1);
	}
}

/* ---- memory ---- */

static int in_order(int k) { return k; }
static int pairs_swapped(int k) { return k ^ 1; }
static int reversed(int k) { return (k & 16) | (15 - (k & 15)); }
static int one_word_on(int k) { return k + 1; }
static int half_segment_on(int k) { return k + 17; }
static int two_apart(int k) { return 2 * k; }
static int three_apart(int k) { return 3 * k; }
static int four_apart(int k) { return 4 * k; }
static int far_apart(int k) { return 32 * k; }

/* Transactions of 32, 64 and 128 bytes of the first half-warp, on chips with the older rule and with the segment
 * rule. */
static const struct pattern {
	int (*word)(int lane);
	unsigned bytes;
	const char *load;
	unsigned older[3], segment[3];
} patterns[] = {
	{in_order, 4, "ld b32 $r5 g14[$r4]", {0, 1, 0}, {0, 1, 0}},
	{pairs_swapped, 4, "ld b32 $r5 g14[$r4]", {16, 0, 0}, {0, 1, 0}},
	{reversed, 4, "ld b32 $r5 g14[$r4]", {16, 0, 0}, {0, 1, 0}},
	{one_word_on, 4, "ld b32 $r5 g14[$r4]", {16, 0, 0}, {0, 0, 1}},
	{half_segment_on, 4, "ld b32 $r5 g14[$r4]", {16, 0, 0}, {1, 1, 0}},
	{two_apart, 4, "ld b32 $r5 g14[$r4]", {16, 0, 0}, {0, 0, 1}},
	{three_apart, 4, "ld b32 $r5 g14[$r4]", {16, 0, 0}, {0, 1, 1}},
	{four_apart, 4, "ld b32 $r5 g14[$r4]", {16, 0, 0}, {0, 0, 2}},
	{far_apart, 4, "ld b32 $r5 g14[$r4]", {16, 0, 0}, {16, 0, 0}},
	{same_word, 4, "ld b32 $r5 g14[$r4]", {16, 0, 0}, {1, 0, 0}},
	{in_order, 8, "ld b64 $r6d g14[$r4]", {0, 0, 1}, {0, 0, 1}},
	{in_order, 16, "ld b128 $r8q g14[$r4]", {0, 0, 2}, {0, 0, 2}},
	{in_order, 1, "ld u8 $r5 g14[$r4]", {16, 0, 0}, {1, 0, 0}},
	{in_order, 2, "ld u16 $r5 g14[$r4]", {16, 0, 0}, {1, 0, 0}},
};

static void coalescing(struct lab *lab)
{
	static const char *const chips[] = {"g80", "g200"};
	char text[512];
	for (int chip = 0; chip < 2; chip++)
		for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
			const struct pattern *p = &patterns[i];
			const unsigned *expected = chip ? p->segment : p->older;
			struct trial t = {.program = "coalesce", .threads = 16,
					  .blank = {{"table", 0, table_text(text, sizeof text, p->word, (int)p->bytes)},
						    {"bytes", p->bytes, NULL}, {"load", 0, p->load}}};
			lab->chip = chips[chip];
			struct result r = lab_run(lab, &t);
			double bytes = 32.0 * expected[0] + 64.0 * expected[1] + 128.0 * expected[2];
			bool same = r.loads[0] == expected[0] && r.loads[1] == expected[1] && r.loads[2] == expected[2];
			lab_point(lab, i + 1 + 100 * chip, same ? r.load_bytes : -1, bytes, 0);
		}
}

/* How many warps hide a latency of 600 cycles when each has 16 instructions to a load, which take the SPs 60 cycles:
 * the time a warp's round takes falls with each warp until more do not help. */
static void latency_hiding(struct lab *lab)
{
	struct trial t = {.program = "load-loop", .blank = {{"mads", 14, NULL}}, .copies = 12};
	double last = INFINITY, enough = 0;
	lab->setting = "g.latency=600";
	for (unsigned warps = 1; warps <= 16; warps++) {
		double took = lab_throughput(lab, t, warps);
		if (took < last * 0.98)
			enough = warps;
		last = took < last ? took : last;
	}
	lab_range(lab, 600, enough, 9, 12);
}

/* Cycles an instruction for code of 1 to 64 KB, which steps up where the code no longer fits a level: flat within
 * each. */
static void code_size(struct lab *lab)
{
	static const int kilobytes[] = {1, 2, 3, 6, 7, 12, 24, 28, 48, 64};
	double cost[10];
	for (int i = 0; i < 10; i++) {
		long n = kilobytes[i] * 1024L / 8 - 16;
		struct trial t = {.program = "straight", .threads = 32, .blank = {{"n", n, NULL}}};
		struct result r = lab_run(lab, &t);
		cost[i] = (r.clock[0][1] - r.clock[0][0]) / (double)n;
	}
	for (int i = 0; i < 10; i++) {
		bool steps = i == 3 || i == 5 || i == 8;       /* the first beyond 4, 8 and 32 KB */
		double ratio = i ? cost[i] / cost[i - 1] : 1;
		lab_range(lab, kilobytes[i], ratio, steps ? 1.15 : 0.9, steps ? INFINITY : 1.1);
	}
}

#define WONG "Wong et al. 2010"
#define GUIDE "CUDA C Programming Guide 4.x"

const struct experiment experiments[] = {
	{"1", "dependent mad, 1 to 16 warps", "g200", EMERGENT, "cycles an instruction", "5 %", "A", GUIDE,
	 dependent_mad},
	{"2", "dependent mad, parts of warps", "g200", EMERGENT, "cycles; issues", "0", "A", GUIDE, partial_warps},
	{"3", "rcp dependent, 16 warps", "g200", INPUT, "cycles", "1, 5 %", "C", WONG, reciprocal},
	{"4", "sqrt dependent", "g200", EMERGENT, "cycles", "2", "C", WONG, square_root},
	{"5", "fdividef dependent", "g200", EMERGENT, "cycles", "2", "C", WONG, fast_division},
	{"6", "i32 multiply, latency and 16 warps", "g200", EMERGENT, "cycles", "5 %", "C", WONG, integer_multiply},
	{"7", "i32 multiply-add", "g200", EMERGENT, "cycles", "5 %", "C", WONG, integer_multiply_add},
	{"8", "u32 division", "g200", EMERGENT, "cycles", "10 %", "C", WONG, integer_division},
	{"9", "f64 mad, dependent, 16 warps", "g200", INPUT, "cycles", "4, 0", "C✓", WONG, doubles},
	{"10", "mads beside special functions", "g200", EMERGENT, "cycles", "5 %", "A", GUIDE, two_pipes},
	{"11", "f32 multiply alone, 16 warps", "g200", EMERGENT, "cycles a warp", "10 %", "C", WONG, multiply_alone},
	{"12", "clock() twice", "g200", EMERGENT, "cycles", "0", "A", "Robertson 2009, GTX 275", clock_pair},
	{"13", "s[] stride", "g200", EMERGENT, "times", "0", "A", GUIDE, shared_strides},
	{"14", "s[] broadcast", "g200", EMERGENT, "times", "0", "A", GUIDE, shared_broadcast},
	{"15", "c[] distinct addresses", "g200", EMERGENT, "times", "0", "A", GUIDE, constants},
	{"16", "barrier, 1 to 16 warps", "g200", EMERGENT, "cycles", "5 %", "C", WONG, barriers},
	{"17", "if and else", "g200", EMERGENT, "issues", "0", "D", "spec tesla-semantics", if_else},
	{"18", "k-way switch", "g200", EMERGENT, "issues; efficiency", "2 %", "D", "spec tesla-semantics", ways},
	{"19", "trip counts of lanes", "g200", EMERGENT, "rounds; wrong lanes", "0", "D", "spec tesla-semantics",
	 trip_counts},
	{"20", "nested divergence", "g200", EMERGENT, "stack entries", "0", "D", "spec tesla-semantics", nested},
	{"21", "lock contention", "g200", EMERGENT, "rounds", "0", "D", "spec tesla-semantics", lock_rounds},
	{"22", "coalescing patterns", "g80, g200", EMERGENT, "bytes", "0", "A", GUIDE, coalescing},
	{"23", "warps that hide 600 cycles", "g200", EMERGENT, "warps", "1", "D", "600 / 64 + 1", latency_hiding},
	{"24", "equal warps, spread", "g200", EMERGENT, "instructions", "1", "D", "round robin", fairness},
	{"25", "straight code, 1 to 64 KB", "g200", EMERGENT, "times the size before", "shape", "C", WONG, code_size},
	{"26", "naive spin lock", "g200", EMERGENT, "exit status", "0", "D", "spec tesla-semantics", naive_spin},
	{"27", "independent mads, 1 warp", "g200", EMERGENT, "cycles an instruction", "5 %", "A", GUIDE,
	 instruction_level},
	{NULL, NULL, NULL, EMERGENT, NULL, NULL, NULL, NULL, NULL},
};
