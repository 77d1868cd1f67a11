/* Random PTX gives what its interpreter gives (tests/random/ptx.c), on every chip that has its instructions, with 8 to
 * 24, 32 and 124 registers; on v100 on a stack and under convergence barriers. The input is a seed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "include/warpbeam.h"
#include "tests/random/ptx.h"

enum { REGS_FEW = 24, REGS_CHOICES = REGS_FEW + 1 - 8 + 4 };    /* 8 to 24, and twice each of 32 and 124 */
enum { OUT_BYTES = 4 * PTX_BLOCKS * PTX_THREADS * PTX_OUT_WORDS };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct attempt {
	struct ptx_program *program;
	const char *chip, *reconverge;
	unsigned regs;
	uint32_t in[PTX_IN_WORDS];
};

static void set(struct wb_config *c, const char *option, const char *text)
{
	if (wb_config_set(c, option, text, NULL) != WB_OK)
		abort();
}

/* A program may need more registers than asked for: the diagnostic has the number. */
static bool load(struct wb_config *c, unsigned regs, const char *text, struct wb_program **p, struct wb_diag *d)
{
	char number[16];
	unsigned least;

	snprintf(number, sizeof number, "%u", regs);
	set(c, "max-regs", number);
	if (wb_program_load(text, strlen(text), "random.ptx", c, p, d) == WB_OK)
		return true;
	if (sscanf(d->text, "k does not fit %*u registers: %u is", &least) != 1 || least <= regs)
		return false;
	*d = (struct wb_diag){ 0 };
	snprintf(number, sizeof number, "%u", least);
	set(c, "max-regs", number);
	return wb_program_load(text, strlen(text), "random.ptx", c, p, d) == WB_OK;
}

static bool run(const struct attempt *a, const char *text, uint32_t *out, uint32_t *cells, struct wb_diag *d)
{
	const unsigned sizes[] = { 4 * PTX_IN_WORDS, OUT_BYTES, 4 * PTX_CELL_WORDS };
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_launch *l = NULL;
	char block[16], zero[32];
	bool good;

	set(c, "chip", a->chip);
	set(c, "reconverge", a->reconverge);
	good = load(c, a->regs, text, &p, d);
	snprintf(block, sizeof block, "%d", PTX_THREADS);
	set(c, "grid", "2");
	set(c, "block", block);
	set(c, "timing", "off");
	set(c, "max-insns", "20000000");
	good = good && wb_launch_new(p, "k", c, &l, d) == WB_OK;
	for (unsigned i = 0; good && i < 3; i++) {
		snprintf(zero, sizeof zero, "zero=%u", sizes[i]);
		good = wb_launch_arg(l, zero, d) == WB_OK;
	}
	good = good && wb_launch_write_arg(l, 0, 0, a->in, sizeof a->in, d) == WB_OK && wb_launch_run(l, d) == WB_OK &&
	       wb_launch_read_arg(l, 1, 0, out, OUT_BYTES, d) == WB_OK &&
	       wb_launch_read_arg(l, 2, 0, cells, sizes[2], d) == WB_OK;
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
	return good;
}

/* True: the results are right. Else `why` says what differs, and *text, if asked for, is the program. */
static bool compare(const struct attempt *a, char why[200], char **text)
{
	static uint32_t out[OUT_BYTES / 4], found[OUT_BYTES / 4];
	uint32_t cells[PTX_CELL_WORDS] = { 0 }, found_cells[PTX_CELL_WORDS];
	struct wb_diag d = { 0 };
	char *printed;
	size_t n;
	FILE *f = open_memstream(&printed, &n);

	random_ptx_print(a->program, f);
	fclose(f);
	memset(out, 0, sizeof out);
	random_ptx_run(a->program, a->in, out, cells);
	*why = '\0';
	if (!run(a, printed, found, found_cells, &d))
		snprintf(why, 200, "%.199s", d.text);
	for (unsigned i = 0; !*why && i < OUT_BYTES / 4; i++)
		if (found[i] != out[i])
			snprintf(why, 200, "thread %u, word %u: found 0x%x, expected 0x%x", i / PTX_OUT_WORDS,
				 i % PTX_OUT_WORDS, found[i], out[i]);
	for (unsigned i = 0; !*why && i < PTX_CELL_WORDS; i++)
		if (found_cells[i] != cells[i])
			snprintf(why, 200, "cell %u: found 0x%x, expected 0x%x", i, found_cells[i], cells[i]);
	if (text)
		*text = printed;
	else
		free(printed);
	return !*why;
}

/* Take out statements as long as the results stay wrong, print, and end. */
static void fail(struct attempt *a, uint64_t seed)
{
	char why[200], *text;

	for (unsigned step = random_ptx_statements(a->program); step; step /= 2)
		for (unsigned i = 0; i < random_ptx_statements(a->program); i += step) {
			bool dropped[4096] = { false };
			for (unsigned k = i; k < i + step && k < random_ptx_statements(a->program); k++)
				dropped[k] = random_ptx_drop(a->program, k, true);
			if (!compare(a, why, NULL))
				continue;
			for (unsigned k = i; k < i + step && k < random_ptx_statements(a->program); k++)
				if (dropped[k])
					random_ptx_drop(a->program, k, false);
		}
	compare(a, why, &text);
	fprintf(stderr, "%s// seed %" PRIu64 " on %s, %s, %u registers: %s\n", text, seed, a->chip, a->reconverge,
		a->regs, why);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct { const char *chip, *reconverge; } ways[] = {
		{ "g80", "stack" }, { "g84", "stack" }, { "mcp77", "stack" }, { "g200", "stack" },
		{ "v100", "stack" }, { "v100", "barriers" },
	};
	struct attempt a = { 0 };
	uint64_t seed = 0, x;
	char why[200];

	for (size_t i = 0; i < size; i++)
		seed = mix64(seed + bytes[i] + 1);
	x = seed;
	for (unsigned i = 0; i < PTX_IN_WORDS; i++)
		a.in[i] = (uint32_t)rng_next(&x) >> (rng_next(&x) & 31) ^ -(uint32_t)(rng_next(&x) & 1);
	unsigned least = rng_below(&x, 4);
	a.program = random_ptx_make(seed, 10 + least);
	for (unsigned c = least; c < sizeof ways / sizeof *ways; c++) {
		a.chip = ways[c].chip;
		a.reconverge = ways[c].reconverge;
		unsigned regs = 8 + rng_below(&x, REGS_CHOICES);
		a.regs = regs <= REGS_FEW ? regs : regs % 2 ? 32 : 124;
		if (!compare(&a, why, NULL))
			fail(&a, seed);
	}
	random_ptx_free(a.program);
	return 0;
}
