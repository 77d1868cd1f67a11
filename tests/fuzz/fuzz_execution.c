/* Programs run: machine words without sense, or a structured program that ends. A program does the same at every SIMD
 * level, on several host threads, in order, without threaded code, recorded and stepped; with timing and without,
 * memory is the same where no order of warps can matter. A difference aborts.
 *
 * A fuzzer, with a build a hundred times as slow, tries a third of the ways by the last byte.
 *
 * An input is a header of HEADER bytes that choose options, then machine words; a structured program is made of the
 * first eight bytes behind the header as its seed (tests/random/generate.h). Built as fuzz_wavefront.c, all inputs are
 * seeds of GCN's programs (tests/random/wavefront.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_image.h"
#include "tests/random/generate.h"
#include "tests/random/wavefront.h"
#include "tests/kit/launches.h"

#ifndef WAVEFRONTS
#define WAVEFRONTS 0
#endif

enum { HEADER = 8, STRUCTURED = 1, WORDS_MAX = 512, MEMORY = 4096, WAYS_MAX = 12 };

/* ---- an input ---- */

struct choice {
	const char *option;
	const char *const values[8];
};

/* Options, each with a byte of the header. */
static const struct choice choices[] = {
	{ "policy", { "rr", "oldest", "gto", "two-level", "youngest", "random", "rr", "rr" } },
	{ "reconverge", { "stack", "stack", "stack", "minpc", "none", "ipdom", "barriers", "stack" } },
	{ "diverge", { "taken", "fall", "larger", "random", "taken", "taken", "taken", "taken" } },
	{ "block", { "32", "8", "64", "96", "33", "256", "16,3", "64" } },
	{ "grid", { "1", "2", "5", "7,2", "3", "1", "4", "20" } },
	{ "lock", { "warp", "flag", "warp", "warp", "flag", "warp", "warp", "warp" } },
};

static struct wb_config *config_of_wavefront(const uint8_t *head)
{
	static const char *const blocks[] = { "64", "8", "128", "192", "65", "256", "16,3", "64" };
	struct wb_config *c = wb_config_new();

	wb_config_set(c, "policy", choices[0].values[head[1] % 8], NULL);
	wb_config_set(c, "grid", choices[4].values[head[5] % 8], NULL);
	wb_config_set(c, "block", blocks[head[4] % 8], NULL);
	wb_config_set(c, "format", "asm", NULL);
	wb_config_set(c, "smem", "1024", NULL);
	wb_config_set(c, "lmem", "256", NULL);
	wb_config_set(c, "slice", head[7] & 8 ? "3" : "256", NULL);
	wb_config_set(c, "max-insns", "20000", NULL);
	wb_config_set(c, "livelock", "none", NULL);
	wb_config_set(c, "mps", head[7] & 16 ? "3" : "1", NULL);
	wb_config_set(c, "stats-level", "full", NULL);
	return c;
}

static struct wb_config *config_of(const uint8_t *head, bool structured)
{
	struct wb_config *c = wb_config_new();
	static const char *const chips[] = { "g80", "g84", "mcp77", "g200" };

	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		unsigned byte = head[1 + i];
		/* Structured programs need joins, and blocks of one row. */
		if (!structured || i == 0 || i == 2 || i == 4)
			wb_config_set(c, choices[i].option, choices[i].values[byte % 8], NULL);
	}
	if (!structured) {
		wb_config_set(c, "format", "raw", NULL);
		wb_config_set(c, "smem", "1024", NULL);
		wb_config_set(c, "lmem", "64", NULL);
		wb_config_set(c, "join", head[7] & 1 ? "per-path" : "merged", NULL);
		wb_config_set(c, "chip", chips[head[7] >> 1 & 3], NULL);
		wb_config_set(c, "slice", head[7] & 8 ? "3" : "256", NULL);
		wb_config_set(c, "max-insns", "3000", NULL);
	} else {
		wb_config_set(c, "format", "asm", NULL);
		wb_config_set(c, "block", "32", NULL);
	}
	wb_config_set(c, "livelock", "none", NULL);
	wb_config_set(c, "mps", head[7] & 16 ? "3" : "1", NULL);
	wb_config_set(c, "stats-level", "full", NULL);
	return c;
}

/* ---- a run ---- */

struct way {
	const char *option, *value;
	bool recorded, stepped;
};

static void differ(const char *timing, const struct way *w, const char *was, const char *is)
{
	size_t at = 0;

	while (was[at] && was[at] == is[at])
		at++;
	while (at && was[at - 1] != '\n')
		at--;
	fprintf(stderr, "timing %s, %s %s%s%s:\nwas %.300s\nis %.300s\n", timing, w->option ? w->option : "-",
		w->value ? w->value : "-", w->recorded ? ", recorded" : "", w->stepped ? ", stepped" : "", was + at,
		is + at);
	abort();
}

/* The compared text of a launch: the report, then the memory. */
static char *run(const struct wb_program *p, const struct wb_config *base, const char *timing, const struct way *w,
		 uint8_t memory[MEMORY])
{
	struct wb_config *c = wb_config_copy(base);
	struct wb_launch *l;
	struct wb_where at;
	struct wb_diag d = { 0 };
	enum wb_status status;
	char *text;

	wb_config_set(c, "timing", timing, NULL);
	if (w->option && wb_config_set(c, w->option, w->value, &d) != WB_OK)
		abort();
	memset(memory, 0, MEMORY);
	status = wb_launch_new(p, NULL, c, &l, &d);
	wb_config_free(c);
	if (status != WB_OK)
		return NULL;
	wb_launch_write(l, "g", 0, memory, MEMORY, NULL);
	if (wb_launch_prepare(l, &d) != WB_OK) {
		wb_launch_free(l);
		return NULL;
	}
	if (w->recorded && wb_launch_record(l, 0, NULL, NULL, &d) != WB_OK)
		differ(timing, w, "recorded", d.text);
	d = (struct wb_diag){ 0 };
	if (w->stepped)
		wb_launch_forward(l, &(struct wb_goal){ 0 }, &at, &d);
	status = wb_launch_run(l, &d);
	text = outcome(l, w->stepped ? WB_OK : status, w->stepped ? &(struct wb_diag){ 0 } : &d);
	wb_launch_read(l, "g", 0, memory, MEMORY, NULL);
	wb_launch_free(l);
	return text;
}

/* Every equivalent way, or a third of them (some: 1 to 3), besides the first. The status and its text are in the first
 * line: stepping has none. */
static bool compare_ways(const struct wb_program *p, const struct wb_config *c, const char *timing,
			 unsigned some, uint8_t memory[MEMORY])
{
	static const struct way ways[] = {
		{ NULL, NULL, false, false }, { "simd", "base", false, false }, { "threads", "2", false, false },
		{ "threaded-code", "off", false, false }, { "in-order", "on", false, false },
		{ NULL, NULL, true, false }, { NULL, NULL, false, true }, { "simd", "base", true, true },
	};
	static uint8_t other[MEMORY];
	char *first = run(p, c, timing, &ways[0], memory);

	for (size_t i = 1; first && i < sizeof ways / sizeof *ways; i++) {
		if (ways[i].option && !strcmp(ways[i].option, "in-order") && !strcmp(timing, "off"))
			continue;
		if (some && i % 3 != some % 3)
			continue;
		char *text = run(p, c, timing, &ways[i], other);
		if (!text)
			differ(timing, &ways[i], "a launch", "none");
		size_t line = ways[i].stepped ? strcspn(first, "\n") : 0,
		       own = ways[i].stepped ? strcspn(text, "\n") : 0;
		if (strcmp(first + line, text + own))
			differ(timing, &ways[i], first + line, text + own);
		if (memcmp(memory, other, MEMORY))
			differ(timing, &ways[i], "memory", "other memory");
		free(text);
	}
	free(first);
	return first != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static char source[1 << 16];
	static uint8_t timed[MEMORY], untimed[MEMORY];
	struct wb_program *p;
	struct wb_config *c;
	uint64_t seed = 0;
	unsigned some = 0;
	bool structured, runs;
	enum wb_status status;

	if (size < HEADER + 4 || size > HEADER + 4 * WORDS_MAX)
		return 0;
	structured = !WAVEFRONTS && bytes[0] % 4 == STRUCTURED;
	c = WAVEFRONTS ? config_of_wavefront(bytes) : config_of(bytes, structured);
	if (WAVEFRONTS) {
		memcpy(&seed, bytes + HEADER, size - HEADER < 8 ? size - HEADER : 8);
		status = wb_program_load(source, generate_wavefront(seed, source, sizeof source - 1), "seed", c, &p,
					 NULL);
		if (status != WB_OK)
			abort();        /* each template is an instruction of its chip */
	} else if (structured) {
		memcpy(&seed, bytes + HEADER, size - HEADER < 8 ? size - HEADER : 8);
		status =
			wb_program_load(source, generate_program(seed, source, sizeof source - 1), "seed", c, &p, NULL);
	} else {
		status = wb_program_load(bytes + HEADER, (size - HEADER) / 4 * 4, "words", c, &p, NULL);
	}
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	some = 1 + bytes[size - 1] % 3;
#endif
	if (status == WB_OK) {
		runs = compare_ways(p, c, "on", some, timed) && compare_ways(p, c, "off", some, untimed);
		if (runs && structured && memcmp(timed, untimed, MEMORY))
			differ("off", &(struct way){ 0 }, "memory", "other memory");
		wb_program_free(p);
	}
	wb_config_free(c);
	return 0;
}
