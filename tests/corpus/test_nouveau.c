/* Compute programs of Mesa's compiler for GT200 and GT215, and GPGPU-Sim's vector add: each under all the rules of the
 * machine that promise equal ends, against what its source says (nouveau.def). */
#include <stdio.h>
#include <string.h>

#include "core/base/rng.h"
#include "tests/corpus/corpus.h"
#include "tests/corpus/reference.h"
#include "tests/kit/cmocka_all.h"
#include "tests/kit/shared.h"

enum { BUFFERS = 3, MAX_WORDS = 1024 };
enum rules { ANY, LOCKS };

/* ---- the sources ---- */

static uint32_t collatz_steps(uint32_t n)
{
	uint32_t steps = 0;

	for (; n != 1; steps++)
		n = n & 1 ? 3 * n + 1 : n >> 1;
	return steps;
}

static uint32_t sum_of(const uint32_t *v, int n)
{
	uint32_t sum = 0;

	while (n--)
		sum += v[n];
	return sum;
}

/* What lanes in any order make of the first eight words; `n` threads. */
static void commuting_atomics(uint32_t *g, uint32_t n)
{
	for (uint32_t t = 0; t < n; t++) {
		g[0] += 1;
		g[1] = t < g[1] ? t : g[1];
		g[2] = t > g[2] ? t : g[2];
		g[3] = (int32_t)t < (int32_t)g[3] ? t : g[3];
		g[4] = (int32_t)t > (int32_t)g[4] ? t : g[4];
		g[5] &= t;
		g[6] |= t;
	}
}

/* All eleven words of own_comp_global_atomics for one warp, whose lanes take turns in each instruction; the last lane's
 * sum of the words that its exchange and its compare-and-swap returned is stored last. */
static void atomics_of_a_warp(uint32_t *g)
{
	uint32_t mixed[32], old[32], sum[32];

	commuting_atomics(g, 32);
	for (uint32_t t = 0; t < 32; t++) {
		mixed[t] = g[7];
		g[7] ^= t;
	}
	for (uint32_t t = 0; t < 32; t++) {
		old[t] = g[8];
		g[8] = t;
	}
	for (uint32_t t = 0; t < 32; t++) {
		sum[t] = old[t] + g[9];
		g[9] = g[9] == t ? mixed[t] : g[9];
	}
	g[10] = sum[31];
}

/* Four quadruples a block: its id, its size, the grid's size, the thread's id. What has no fourth part is given what
 * the compiler had at hand. */
static void system_values(uint32_t *g)
{
	for (uint32_t y = 0; y < 3; y++)
		for (uint32_t x = 0; x < 4; x++) {
			const uint32_t row[16] = { x, y, 0, 0, 3, 2, 2, 4, 4, 3, 1, 1 };
			memcpy(g + 16 * (3 * x + 2 * y * 12), row, sizeof row);
		}
}

#define PROGRAM(name, tgsi, launch, rules, words0, words1, words2, ...)         \
	static void name##_source(uint32_t *g0, uint32_t *g1, uint32_t *g2)     \
	{                                                                       \
		(void)g0, (void)g1, (void)g2;                                   \
		__VA_ARGS__;                                                    \
	}
#include "tests/corpus/nouveau.def"
#undef PROGRAM

static const struct program {
	const char *name, *tgsi, *launch;
	enum rules rules;
	unsigned words[BUFFERS];
	void (*source)(uint32_t *g0, uint32_t *g1, uint32_t *g2);
} programs[] = {
#define PROGRAM(name, tgsi, launch, rules, words0, words1, words2, ...) \
	{ #name, #tgsi, launch, rules, { words0, words1, words2 }, name##_source },
#include "tests/corpus/nouveau.def"
#undef PROGRAM
};

enum { NPROGRAMS = sizeof programs / sizeof *programs, OTHERS = 5 };

/* ---- runs ---- */

/* Rules under which lock loops finish come first. */
static const char *const rules[] = {
	"", "timing=off", "mps=1", "join=per-path", "lock=flag", "lock=flag lock-entries=exact",
	"lock=flag lock-entries=4", NULL,
	"diverge=fall", "diverge=larger", "diverge=random", "diverge=random seed=7", "diverge=fall join=per-path",
	"diverge=larger join=per-path", "diverge=random join=per-path", "reconverge=minpc", "reconverge=none",
	"reconverge=ipdom", NULL,
};

static const char *const chipsets[][2] = { { "a0", "chip=g200" }, { "a3", "chip=gt215" } };

/* Programs of our own, or Mesa's. */
static const char *folder_of(const struct program *p)
{
	return strncmp(p->tgsi, "own_", 4) ? "mesa" : "nouveau";
}

static void skip_without_mesa(void)
{
	skip_without("tesla/mesa");
}

/* Open the program of one chipset with its buffers bound to files of these words. */
static void open_bound(struct corpus *c, const struct program *p, const char *const chipset[2], uint32_t g[][MAX_WORDS])
{
	static char file[128];
	char option[128];

	snprintf(file, sizeof file, "%s/%s.%s.hex", folder_of(p), p->tgsi, chipset[0]);
	snprintf(option, sizeof option, "format=hex param-base=0x14 %s %s", chipset[1], p->launch);
	corpus_open(c, file, option);
	for (unsigned b = 0; b < BUFFERS; b++)
		if (p->words[b]) {
			snprintf(option, sizeof option, "global=%u:in=%s", b, corpus_bytes(c, g[b], p->words[b] * 4));
			corpus_set(c, option);
		}
}

static void run_one(const struct program *p, const char *const chipset[2], const char *rule, unsigned trial)
{
	uint32_t before[BUFFERS][MAX_WORDS], want[BUFFERS][MAX_WORDS];
	uint64_t random = trial;
	struct corpus c;
	char what[128], space[4] = "g0";

	for (unsigned b = 0; b < BUFFERS; b++)
		for (unsigned i = 0; i < MAX_WORDS; i++)
			before[b][i] = (uint32_t)rng_next(&random);
	memcpy(want, before, sizeof want);
	p->source(want[0], want[1], want[2]);
	open_bound(&c, p, chipset, before);
	corpus_set(&c, rule);
	corpus_turn(&c, trial);
	corpus_launch(&c);
	corpus_run(&c);
	corpus_ended(&c, WB_OK);
	snprintf(what, sizeof what, "%s under %s", p->name, *rule ? rule : "the machine's own rules");
	for (unsigned b = 0; b < BUFFERS; b++, space[1]++)
		if (p->words[b])
			corpus_words(&c, space, 0, want[b], p->words[b], what);
	corpus_close(&c);
}

static void run_program(void **state)
{
	const struct program *p = *state;
	unsigned groups = p->rules == ANY ? 2 : 1;

	if (!strcmp(folder_of(p), "mesa"))
		skip_without_mesa();
	for (unsigned chip = 0; chip < 2; chip++)
		for (unsigned r = 0, ended = 0; ended < groups; r++) {
			if (rules[r])
				run_one(p, chipsets[chip], rules[r], r + 100 * chip);
			else
				ended++;
		}
}

/* Several warps and blocks of atomics: the words that no order changes. */
static void test_many_atomics(void **state)
{
	static const struct program p = { "", "own_comp_global_atomics", "block=64 grid=5", ANY, { 11 }, NULL };
	uint32_t g[BUFFERS][MAX_WORDS] = { { 5, 300, 3, 77, 0x80000000, 0xffff, 0x10000, 0 } };
	struct corpus c;

	(void)state;
	open_bound(&c, &p, chipsets[0], g);
	corpus_launch(&c);
	corpus_run(&c);
	corpus_ended(&c, WB_OK);
	commuting_atomics(g[0], 320);
	for (uint32_t t = 0; t < 320; t++)
		g[0][7] ^= t;
	corpus_words(&c, "g0", 0, g[0], 8, "many atomics");
	corpus_close(&c);
}

/* The second block reads four bytes from address 1. */
static void test_surface_misaligned(void **state)
{
	static const struct program p = { "", "mesa_compute_test_surface_ld", "block=1 grid=2", ANY, { 8, 8 }, NULL };
	uint32_t g[BUFFERS][MAX_WORDS] = { { 0 } };
	struct corpus c;

	(void)state;
	skip_without_mesa();
	open_bound(&c, &p, chipsets[0], g);
	corpus_launch(&c);
	corpus_run(&c);
	corpus_faulted(&c, "GLOBAL_MISALIGNED", 0x10);
	corpus_close(&c);
}

/* Every thread waits for a word that only another would store, but all ids are 0: a loop for ever. g15[] is Mesa's
 * scratch for memory barriers. */
static void test_livelock(void **state)
{
	struct corpus c;

	(void)state;
	skip_without_mesa();
	for (unsigned chip = 0; chip < 2; chip++) {
		char file[64];
		snprintf(file, sizeof file, "mesa/mesa_compute_test_local.%s.hex", chipsets[chip][0]);
		corpus_open(&c, file, "format=hex param-base=0x14 smem=256 block=64");
		corpus_set(&c, "global=0:zero=256 global=15:zero=0x1000");
		corpus_set(&c, chipsets[chip][1]);
		corpus_launch(&c);
		corpus_run(&c);
		corpus_ended(&c, WB_HANG);
		assert_string_equal(wb_launch_report(c.launch)->result, "livelock");
		corpus_close(&c);
	}
}

/* Where the losers of a lock run first, the winner never comes to unlock: 64 threads, one bin. */
static void test_lock_livelock(void **state)
{
	static const struct program p = {
		"", "own_comp_shared_atomic_hist", "block=64 smem=256", LOCKS, { 64, 64 }, NULL,
	};
	uint32_t g[BUFFERS][MAX_WORDS] = { { 0 } };
	struct corpus c;

	(void)state;
	open_bound(&c, &p, chipsets[0], g);
	corpus_set(&c, "diverge=fall");
	corpus_launch(&c);
	corpus_run(&c);
	corpus_ended(&c, WB_HANG);
	assert_string_equal(wb_launch_report(c.launch)->result, "livelock");
	corpus_close(&c);
}

/* gpgpusim: c[i] += 10 * (a[i] + b[i] + 1) for i < n; threads past n return early. */
static void test_gpgpusim_add(void **state)
{
	static const int32_t lengths[] = { 0, 1, 31, 32, 33, 100, 191, 192 };
	uint32_t v[3][192];
	uint64_t seed = 1;
	struct corpus c;

	(void)state;
	skip_without("tesla/gpgpusim");
	corpus_open(&c, "gpgpusim/add.sm_10.elf.cubin", "block=64 grid=3");
	for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		corpus_launch(&c);
		for (unsigned b = 0; b < 3; b++) {
			for (unsigned k = 0; k < 192; k++)
				v[b][k] = (uint32_t)rng_next(&seed);
			corpus_arg(&c, "zero=768");
			wb_launch_write_arg(c.launch, b, 0, v[b], 768, NULL);
		}
		corpus_arg(&c, "s32=%d", lengths[i]);
		corpus_run(&c);
		corpus_ended(&c, WB_OK);
		for (int k = 0; k < lengths[i]; k++)
			v[2][k] += 10 * (v[0][k] + v[1][k] + 1);
		corpus_words(&c, "g", 0x100000, v[0], 192, "a");
		corpus_words(&c, "g", 0x100000 + 768, v[1], 192, "b");
		corpus_words(&c, "g", 0x100000 + 2 * 768, v[2], 192, "c");
	}
	corpus_listing(&c);
	corpus_close(&c);
}

int main(void)
{
	struct CMUnitTest tests[NPROGRAMS + OTHERS] = {
		cmocka_unit_test(test_many_atomics),
		cmocka_unit_test(test_surface_misaligned),
		cmocka_unit_test(test_livelock),
		cmocka_unit_test(test_lock_livelock),
		cmocka_unit_test(test_gpgpusim_add),
	};

	for (int i = 0; i < NPROGRAMS; i++)
		tests[OTHERS + i] = (struct CMUnitTest){ programs[i].name, run_program, NULL, NULL,
							 (void *)(uintptr_t)&programs[i] };
	return _cmocka_run_group_tests("nouveau", tests, NPROGRAMS + OTHERS, NULL, NULL);
}
