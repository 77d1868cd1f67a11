/* What the assembler's index of words (core/isa/index.h) gains: the same lines read with the rows that the index
 * leaves, and with all rows. The lines of Tesla sources that are instructions without labels and symbols are repeated
 * up to 100,000; with --check once.   assembling [--check] FILE... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"
#include "core/base/diag.h"
#include "core/isa/parse.h"
#include "core/isa/table.h"
#include "core/isa/tesla/tesla.h"

enum { LINE_BYTES = 200, LINES_MAX = 20000, ROUNDS = 5 };

struct source {
	char (*line)[LINE_BYTES];
	uint64_t *word;         /* word of each line, read with all rows */
	unsigned n;
};

static const struct isa_ops isa = { .name = "tesla", .table = &tesla_table, .decode = isa_decode_at };
static const struct isa_target target = { .isa = &isa, .features = FEAT_SM11 | FEAT_SM12 | FEAT_FP64, .mode = MODE_CP };

static bool read_line(const char *text, bool indexed, uint64_t *word)
{
	struct isa_line line;
	struct isa_code code;

	if (indexed) {
		isa_line_read(&target, text, &line);
	} else {
		line = (struct isa_line){ .text = text, .start = text };
		for (unsigned row = 0; row < tesla_table.nrow; row++)
			line.may.bits[row / 64] |= 1ull << row % 64;
	}
	if (!isa_line_parse(&target, &line, false, NULL, &code, NULL))
		return false;
	*word = code.word;
	return true;
}

/* Seconds for `lines` lines; *different counts lines read as another word than by all rows. */
static double read_all(const struct source *s, unsigned lines, bool indexed, unsigned *different)
{
	double began = bench_now(BENCH_CPU);

	for (unsigned i = 0; i < lines; i++) {
		uint64_t word = 0;
		*different += !read_line(s->line[i % s->n], indexed, &word) || word != s->word[i % s->n];
	}
	return bench_now(BENCH_CPU) - began;
}

/* Add the instructions of a file. False, with a message: no such file. */
static bool source_read(struct source *s, const char *name)
{
	FILE *in = fopen(name, "r");

	if (!in) {
		perror(name);
		return false;
	}
	while (s->n < LINES_MAX && fgets(s->line[s->n], LINE_BYTES, in)) {
		s->line[s->n][strcspn(s->line[s->n], "\n/")] = 0;
		s->n += read_line(s->line[s->n], false, &s->word[s->n]);
	}
	fclose(in);
	return true;
}

int main(int argc, char **argv)
{
	bool check = argc > 1 && !strcmp(argv[1], "--check");
	unsigned lines, different = 0;
	double seconds[2][ROUNDS];
	struct bench_summary with, without;
	struct source s = { calloc(LINES_MAX, sizeof *s.line), calloc(LINES_MAX, sizeof *s.word), 0 };

	for (int i = 1 + check; s.line && s.word && i < argc; i++)
		if (!source_read(&s, argv[i]))
			return 2;
	if (!s.n) {
		fprintf(stderr, "assembling: found no instruction of g200, expected Tesla sources as operands\n");
		return 2;
	}
	if (!check)
		bench_means_something("assembling");
	lines = check ? s.n : 100000;
	for (unsigned i = 0; i < ROUNDS; i++)
		for (unsigned k = 0; k < 2; k++)
			seconds[k][i] = read_all(&s, lines, k, &different);
	with = bench_summarize(seconds[1], ROUNDS);
	without = bench_summarize(seconds[0], ROUNDS);
	printf("%u lines of %u: %.3f s with the index, %.3f s without, %.1f times; %u words differ\n", lines, s.n,
	       with.median, without.median, without.median / with.median, different);
	free(s.line);
	free(s.word);
	return different > 0;
}
