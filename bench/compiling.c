/* How long PTX takes to become a program that runs: random instructions on a number of live words, straight and with a
 * branch in 20, for the chip g200; seconds of the processor for compiler and assembler.   compiling [--check] [N]
 * N: instructions of PTX (100,000; with --check 2,000, and no time is printed).   compiling FILE.ptx: the file alone */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"
#include "warpbeam.h"

enum { ROUNDS = 3, LINE_BYTES = 64, FILE_BYTES = 1 << 24 };

struct text {
	char *bytes;
	size_t n, space;
	uint32_t random;
};

static void put(struct text *t, const char *line)
{
	size_t n = strlen(line);

	if (t->n + n > t->space)
		abort(); /* LINE_BYTES a line were counted */
	memcpy(t->bytes + t->n, line, n);
	t->n += n;
}

static unsigned below(struct text *t, unsigned n)
{
	t->random = t->random * 1664525 + 1013904223;
	return (t->random >> 8) % n;
}

/* One instruction on the words %r1 to %r<live>. */
static void instruction(struct text *t, unsigned live)
{
	static const char *const ops[] = { "add.u32", "sub.u32", "xor.b32",    "and.b32",
					   "or.b32",  "min.u32", "mul.lo.u32", "mad.lo.u32" };
	unsigned op = below(t, sizeof ops / sizeof *ops);
	char line[LINE_BYTES], third[16] = "";

	if (op == 7)
		snprintf(third, sizeof third, ", %%r%u", 1 + below(t, live));
	snprintf(line, sizeof line, "%s %%r%u, %%r%u, %%r%u%s;\n", ops[op], 1 + below(t, live), 1 + below(t, live),
		 1 + below(t, live), third);
	put(t, line);
}

static struct text program(unsigned n, unsigned live, bool branches)
{
	size_t space = (size_t)LINE_BYTES * (n + n / 5 + 4 * live + 20);
	struct text t = { .bytes = malloc(space), .space = space, .random = 1 };
	char line[LINE_BYTES];

	if (!t.bytes)
		abort();
	put(&t, ".version 1.4\n.target sm_13\n.entry k (.param .u32 out) {\n.reg .pred %p<2>;\n");
	snprintf(line, sizeof line, ".reg .u32 %%r<%u>;\ncvt.u32.u16 %%r0, %%tid.x;\n", live + 1);
	put(&t, line);
	for (unsigned r = 1; r <= live; r++) {
		snprintf(line, sizeof line, "add.u32 %%r%u, %%r0, %u;\n", r, r);
		put(&t, line);
	}
	for (unsigned i = 0; i < n; i++) {
		if (branches && i % 20 == 0) {
			snprintf(line, sizeof line, "setp.lt.u32 %%p1, %%r%u, %%r1;\n@%%p1 bra L%u;\n",
				 1 + below(&t, live), i / 20);
			put(&t, line);
		}
		instruction(&t, live);
		if (branches && (i % 20 == 10 || (i + 1 == n && i % 20 < 10))) {
			snprintf(line, sizeof line, "L%u:\n", i / 20);
			put(&t, line);
		}
	}
	put(&t, "ld.param.u32 %r0, [out];\n");
	for (unsigned r = 1; r <= live; r++) {
		snprintf(line, sizeof line, "st.global.u32 [%%r0+%u], %%r%u;\n", 4 * r, r);
		put(&t, line);
	}
	put(&t, "exit; }\n");
	return t;
}

/* Seconds for one compilation; negative, with a message: the program was refused. */
static double compile(const struct text *t, const char *name)
{
	struct wb_program *p;
	struct wb_diag d = { 0 };
	double began = bench_now(BENCH_CPU);

	if (wb_program_load(t->bytes, t->n, name, NULL, &p, &d) != WB_OK) {
		fprintf(stderr, "compiling: %s:%d: %s\n", name, d.line, d.text);
		return -1;
	}
	double took = bench_now(BENCH_CPU) - began;
	wb_program_free(p);
	return took;
}

/* Milliseconds of a file of PTX, kernel after kernel. */
static int measure_file(const char *path)
{
	enum { TURNS = 99 };
	double seconds[TURNS];
	struct text t = { .bytes = malloc(FILE_BYTES) };
	FILE *f = fopen(path, "r");

	if (f && t.bytes)
		t.n = fread(t.bytes, 1, FILE_BYTES, f);
	if (!f || !t.bytes || ferror(f) || t.n == FILE_BYTES) {
		fprintf(stderr, "compiling: %s: expected a file of less than %d bytes, or a number of instructions up "
			"to 1000000\n", path, FILE_BYTES);
		return 2;
	}
	fclose(f);
	for (unsigned k = 0; k < TURNS; k++)
		if ((seconds[k] = compile(&t, path)) < 0)
			return 1;
	printf("%s: %.3f ms, median of %d\n", path, 1e3 * bench_summarize(seconds, TURNS).median, TURNS);
	free(t.bytes);
	return 0;
}

static bool measure(unsigned n, unsigned live, bool branches, bool check)
{
	struct text t = program(n, live, branches);
	double seconds[ROUNDS] = { 0 };
	unsigned rounds = check ? 1 : ROUNDS;
	bool good = true;

	for (unsigned r = 0; r < rounds && good; r++) {
		seconds[r] = compile(&t, "random.ptx");
		good = seconds[r] >= 0;
	}
	if (good && check)
		printf("ok: %u instructions on %u words%s\n", n, live, branches ? ", a branch in 20" : "");
	else if (good)
		printf("%9u  %4u  %-10s  %.3f s\n", n, live, branches ? "1 in 20" : "none",
		       bench_summarize(seconds, rounds).median);
	free(t.bytes);
	return good;
}

int main(int argc, char **argv)
{
	static const unsigned live[] = { 20, 63, 110 };
	bool check = argc > 1 && !strcmp(argv[1], "--check"), good = true;
	unsigned n = check ? 2000 : 100000;

	if (argc > 1 + check && !bench_number(argv[1 + check], 1000000, &n))
		return measure_file(argv[1 + check]);
	if (!check) {
		bench_means_something("compiling");
		printf("     PTX  live  branches    median of %d\n", ROUNDS);
	}
	for (unsigned k = 0; k < 6; k++)
		good &= measure(n, live[k / 2], k % 2, check);
	if (check)
		printf("%s\n", good ? "6 passed, 0 failed" : "0 passed, 1 failed");
	return !good;
}
