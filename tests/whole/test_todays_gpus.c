/* docs/explanation/todays-gpus.md: what an NVIDIA H100 did (tests/data/today), and what v100 with convergence barriers
 * does with the same PTX. Our side is run here, and each table's row on the page has to be what came out: a row is
 * printed and looked up in the page. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"

#include "warpbeam.h"

enum { LANES = 32, INPUTS = 1 << 16, VERTICES = 4096, KEYS = 8192, LINE = 4096 };

/* ---- launches ---- */

struct argument {
	const void *words;              /* NULL: zeros, or a number */
	size_t bytes;                   /* of a buffer; 0: a number */
	uint32_t number;
};

#define NUMBER(n) { NULL, 0, n }
#define ZEROS(n) { NULL, n, 0 }
#define WORDS(array, n) { array, (n) * sizeof *(array), 0 }

static char *text_of(const char *name)
{
	FILE *f = fopen(name, "r");
	char *text = calloc(1, 1 << 20);

	assert_non_null(f);
	assert_non_null(text);
	assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	return text;
}

static void set(struct wb_config *c, const char *option, const char *value)
{
	assert_int_equal(wb_config_set(c, option, value, NULL), WB_OK);
}

/* A kernel of a file of WB_TODAY, under a policy. */
struct bed {
	struct wb_config *config;
	struct wb_program *program;
};

static struct bed open_bed(const char *file, const char *kernel, const char *policy)
{
	struct bed b = { .config = wb_config_new() };
	struct wb_diag d = { 0 };
	char path[1024];

	snprintf(path, sizeof path, "%s/%s", WB_TODAY, file);
	set(b.config, "chip", "v100");
	set(b.config, "kernel", kernel);
	if (strcmp(policy, "barriers"))        /* the chip's own way */
		set(b.config, "reconverge", policy);
	if (wb_program_open(path, b.config, &b.program, &d) != WB_OK)
		fail_msg("%s: line %d: %s", file, d.line, d.text);
	return b;
}

static void close_bed(struct bed *b)
{
	wb_program_free(b->program);
	wb_config_free(b->config);
}

/* Run with n arguments. */
static struct wb_launch *run(const struct bed *b, const struct argument *a, unsigned n, enum wb_status *status)
{
	struct wb_launch *l;
	struct wb_diag d = { 0 };
	char word[32];

	if (wb_launch_new(b->program, NULL, b->config, &l, &d) != WB_OK)
		fail_msg("%s", d.text);
	for (unsigned i = 0; i < n; i++) {
		if (a[i].bytes)
			snprintf(word, sizeof word, "zero=%zu", a[i].bytes);
		else
			snprintf(word, sizeof word, "u32=%u", a[i].number);
		assert_int_equal(wb_launch_arg(l, word, &d), WB_OK);
		if (a[i].words)
			assert_int_equal(wb_launch_write_arg(l, i, 0, a[i].words, a[i].bytes, &d), WB_OK);
	}
	*status = wb_launch_run(l, &d);
	return l;
}

static double counter(struct wb_launch *l, const char *name)
{
	const struct wb_report *r = wb_launch_report(l);

	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	return 0;
}

/* ---- the page ---- */

static unsigned missing_rows;

/* The page has to have a line that begins so. */
static void row(const char *text)
{
	static char *page;

	if (!page)
		page = text_of(WB_PAGE);
	printf("%s\n", text);
	const char *found = strstr(page, text);
	if (!found || (found != page && found[-1] != '\n')) {
		printf("error: the row is not in %s\n", WB_PAGE);
		missing_rows++;
	}
}

static void every_row_is_on_the_page(void)
{
	assert_int_equal(missing_rows, 0);
}

/* ---- efficiency: thirteen kernels with ncu's counters ---- */

static uint32_t inputs[INPUTS], first_row[VERTICES + 1], column[INPUTS], level[VERTICES];
static uint32_t sorted[VERTICES], key[KEYS];
static unsigned columns;

static uint32_t next(uint32_t *s)
{
	*s = *s * 1664525 + 1013904223;
	return *s >> 3;
}

/* The inputs of the kernels, in the order in which the chip's program made them. */
static void make_inputs(void)
{
	uint32_t s = 7, x = 0;

	for (unsigned i = 0; i < INPUTS; i++)
		inputs[i] = next(&s);
	for (unsigned i = 0; i < VERTICES; i++) {
		first_row[i] = columns;
		uint32_t degree = next(&s) % 16 + (i % 64 ? 0 : 100);
		for (uint32_t k = 0; k < degree; k++)
			column[columns++] = next(&s) % VERTICES;
		level[i] = i ? ~0u : 0;
	}
	first_row[VERTICES] = columns;
	for (unsigned i = 0; i < VERTICES; i++)
		sorted[i] = x += 1 + next(&s) % 9;
	for (unsigned i = 0; i < KEYS; i++)
		key[i] = next(&s) % x;
}

struct measured {
	const char *kernel;
	const char *grid, *block;
	struct argument argument[6];
	unsigned arguments;
};

/* What ncu counted for a row of counters.txt. */
struct counted {
	char kernel[32];
	double issued, lanes, lanes_on;
	uint64_t sum;
};

static uint64_t sum_of(const uint32_t *word, size_t n)
{
	uint64_t x = 1469598103934665603u;

	for (size_t i = 0; i < n; i++)
		x = (x ^ word[i]) * 1099511628211u;
	return x;
}

/* One launch, and its row; *sum: of the result in argument 0. */
static void run_counted(const struct measured *m, const struct counted *chip, uint32_t *result, uint64_t *sum)
{
	struct bed b = open_bed("efficiency.ptx", m->kernel, "barriers");
	enum wb_status status;
	char text[LINE];
	struct wb_launch *l;

	set(b.config, "grid", m->grid);
	set(b.config, "block", m->block);
	set(b.config, "timing", "off");
	l = run(&b, m->argument, m->arguments, &status);
	assert_int_equal(status, WB_OK);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, result, m->argument[0].bytes, NULL), WB_OK);
	*sum = sum_of(result, m->argument[0].bytes / sizeof *result);
	double issued = counter(l, "instructions"), on = counter(l, "thread_instructions");
	double lanes = on + counter(l, "predicated_off");
	snprintf(text, sizeof text, "| %s | %.1f | %.1f | %+.1f | %.1f | %.1f | %.2f |", m->kernel,
		 100 * chip->lanes_on / LANES / chip->issued, 100 * on / LANES / issued,
		 100 * on / LANES / issued - 100 * chip->lanes_on / LANES / chip->issued,
		 100 * chip->lanes / LANES / chip->issued, 100 * lanes / LANES / issued, issued / chip->issued);
	row(text);
	wb_launch_free(l);
	close_bed(&b);
}

static void kernels_are_as_efficient_as_the_page_says(void **state)
{
	const struct measured rows[] = {
		{ "collatz", "32", "256", { ZEROS(32768) }, 1 },
		{ "mandel", "2,64", "64", { ZEROS(32768), NUMBER(128), NUMBER(64), NUMBER(256) }, 4 },
		{ "histo", "16", "128", { ZEROS(256), WORDS(inputs, INPUTS), NUMBER(INPUTS) }, 3 },
		{ "queens", "2", "64", { ZEROS(512), NUMBER(9) }, 2 },
		{ "reduce_div", "32", "256", { ZEROS(128), WORDS(inputs, KEYS) }, 2 },
		{ "reduce_con", "32", "256", { ZEROS(128), WORDS(inputs, KEYS) }, 2 },
		{ "bitonic", "32", "256", { WORDS(inputs, KEYS) }, 1 },
		{ "scan", "32", "256", { ZEROS(32768), WORDS(inputs, KEYS) }, 2 },
		{ "switch8", "32", "256", { ZEROS(32768), WORDS(inputs, KEYS) }, 2 },
		{ "nested", "32", "256", { ZEROS(32768), WORDS(inputs, KEYS) }, 2 },
		{ "bfs", "16", "256", { WORDS(level, VERTICES), WORDS(first_row, VERTICES + 1),
			WORDS(column, INPUTS), ZEROS(4), NUMBER(0), NUMBER(VERTICES) }, 6 },
		{ "bfs", "16", "256", { WORDS(level, VERTICES), WORDS(first_row, VERTICES + 1),
			WORDS(column, INPUTS), ZEROS(4), NUMBER(1), NUMBER(VERTICES) }, 6 },
		{ "bfs", "16", "256", { WORDS(level, VERTICES), WORDS(first_row, VERTICES + 1),
			WORDS(column, INPUTS), ZEROS(4), NUMBER(2), NUMBER(VERTICES) }, 6 },
		{ "binsearch", "32", "256", { ZEROS(32768), WORDS(sorted, VERTICES), WORDS(key, KEYS),
			NUMBER(VERTICES) }, 4 },
		{ "interp", "32", "256", { ZEROS(32768), WORDS(inputs, KEYS), NUMBER(251) }, 3 },
	};
	char *text = text_of(WB_TODAY "/counters.txt"), *line = text, *rest;
	static uint32_t result[KEYS];
	unsigned i = 0;
	uint64_t sum;

	make_inputs();
	while ((line = strtok_r(line, "\n", &rest))) {
		struct counted chip;
		if (*line != '#') {
			assert_int_equal(sscanf(line, "%31s %lf %lf %lf %" SCNx64, chip.kernel, &chip.issued,
						&chip.lanes, &chip.lanes_on, &chip.sum), 5);
			assert_string_equal(chip.kernel, rows[i].kernel);
			run_counted(&rows[i], &chip, result, &sum);
			if (rows[i].argument[0].words == level)
				memcpy(level, result, sizeof level);
			/* The result of bfs is that of all three levels. */
			if (strcmp(chip.kernel, "bfs") || strcmp(rows[i + 1].kernel, "bfs"))
				assert_int_equal(sum, chip.sum);
			i++;
		}
		line = NULL;
	}
	assert_int_equal(i, sizeof rows / sizeof *rows);
	free(text);
	every_row_is_on_the_page();
}

/* ---- order: turns of the lanes of split warps ---- */

static uint32_t digit(char c) { return (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10); }

/* Inputs and turns of the rows of a kernel in order.txt: a word or two for each turn, or a digit a lane. */
static unsigned recorded(const char *kernel, uint32_t *in, unsigned *words, char turns[][LANES + 1])
{
	char *text = text_of(WB_ORDER), *line = text, *rest, name[16], a[64], b[64], c[64];
	unsigned n = 0;

	for (*words = 0; (line = strtok_r(line, "\n", &rest)); line = NULL) {
		int fields = sscanf(line, "%15s %63s %63s %63s", name, a, b, c);
		if (strcmp(name, kernel))
			continue;
		if (strlen(a) == LANES) {
			*words = LANES;
			for (unsigned l = 0; l < LANES; l++)
				in[n * LANES + l] = digit(a[l]);
		} else {
			*words = (unsigned)fields - 2;
			in[n * *words] = (uint32_t)strtoul(a, NULL, 16);
			if (*words == 2)
				in[n * 2 + 1] = (uint32_t)strtoul(b, NULL, 16);
		}
		strcpy(turns[n++], fields == 4 ? c : b);
	}
	free(text);
	return n;
}

/* Is each lane's turn the rank of the lane's clock? */
static bool same_turns(const uint32_t clock[LANES], const char *turns)
{
	for (unsigned l = 0; l < LANES; l++) {
		uint32_t before[LANES], rank = 0;
		for (unsigned k = 0; k < LANES; k++) {
			bool known = clock[k] >= clock[l];
			for (unsigned j = 0; j < rank && !known; j++)
				known = before[j] == clock[k];
			if (!known)
				before[rank++] = clock[k];
		}
		if (rank != digit(turns[l]))
			return false;
	}
	return true;
}

static void order_of(const char *recorded_as, const char *kernel, int inverted)
{
	static uint32_t in[256 * LANES], clock[256 * LANES];
	static char turns[256][LANES + 1];
	unsigned words, n = recorded(recorded_as, in, &words, turns), same = 0, count = 0;
	struct bed b = open_bed("order.ptx", kernel, "barriers");
	struct argument a[4] = { ZEROS(n * LANES * sizeof *clock), WORDS(in, n * words) };
	enum wb_status status;
	char text[LINE];

	count = 2;
	if (inverted >= 0)
		a[count++].number = (uint32_t)inverted;
	a[count++].number = n;
	struct wb_launch *l = run(&b, a, count, &status);
	assert_int_equal(status, WB_OK);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, clock, a[0].bytes, NULL), WB_OK);
	for (unsigned i = 0; i < n; i++)
		same += same_turns(&clock[i * LANES], turns[i]);
	snprintf(text, sizeof text, "| `%s` | %u of %u |", recorded_as, same, n);
	row(text);
	wb_launch_free(l);
	close_bed(&b);
}

static void lanes_take_turns_as_the_page_says(void **state)
{
	order_of("if", "if_else", 0);
	order_of("ifnot", "if_else", 1);
	order_of("leaves", "leaves", -1);
	order_of("exits", "exits", -1);
	order_of("calls", "calls", -1);
	order_of("sw16", "sw16", -1);
	every_row_is_on_the_page();
}

/* ---- paths: which lanes were where, in the order of time ---- */

/* Our events of a row of paths.txt, as the row has them. */
static void path_of(const char *kernel, unsigned k, char *text, size_t size)
{
	static uint32_t events[1 << 14], words[1 << 20];
	struct bed b = open_bed("paths.ptx", kernel, "barriers");
	struct argument a[4] = { ZEROS(sizeof events), NUMBER(k), ZEROS(4), ZEROS(4) };
	bool memory = !strcmp(kernel, "longmem"), lock = !strncmp(kernel, "spin", 4);
	enum wb_status status;

	if (memory)
		a[2] = (struct argument)ZEROS(sizeof words);
	struct wb_launch *l = run(&b, a, memory ? 3 : lock ? 4 : 2, &status);
	assert_int_equal(status, WB_OK);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, events, sizeof events, NULL), WB_OK);
	size_t used = (size_t)snprintf(text, size, "%s %u", kernel, k);
	for (uint32_t i = 0; i < events[0] && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, " %u:%08x", events[1 + 3 * i], events[2 + 3 * i]);
	wb_launch_free(l);
	close_bed(&b);
}

static void lanes_go_the_ways_that_the_page_tells(void **state)
{
	char *text = text_of(WB_TODAY "/paths.txt"), *line = text, *rest, found[LINE], others[LINE] = "";
	unsigned same = 0, all = 0;

	for (; (line = strtok_r(line, "\n", &rest)); line = NULL) {
		char kernel[32];
		unsigned k;
		if (*line == '#')
			continue;
		assert_int_equal(sscanf(line, "%31s %u", kernel, &k), 2);
		path_of(kernel, k, found, sizeof found);
		all++;
		same += !strcmp(line, found);
		if (strcmp(line, found) && !strstr(others, kernel))
			snprintf(others + strlen(others), sizeof others - strlen(others), " `%s`", kernel);
	}
	snprintf(found, sizeof found, "| `paths` | %u of %u |%.*s |", same, all, LINE / 2, others);
	row(found);
	free(text);
	every_row_is_on_the_page();
}

/* ---- costs ---- */

static void a_way_costs_what_the_page_says(void **state)
{
	static const struct { const char *ways; double chip; } rows[] = {
		{ "4", 143.1 }, { "8", 465.1 }, { "16", 1057.1 }, { "32", 2239.1 },
	};
	const struct argument a[] = { ZEROS(8), ZEROS(128), NUMBER(100) };
	static const char *const policies[] = { "barriers", "stack" };
	enum wb_status status;
	char kernel[32], text[LINE];

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t cycles[2];
		snprintf(kernel, sizeof kernel, "ways%s", rows[i].ways);
		for (int k = 0; k < 2; k++) {
			struct bed b = open_bed("order.ptx", kernel, policies[k]);
			struct wb_launch *l = run(&b, a, 3, &status);
			assert_int_equal(status, WB_OK);
			assert_int_equal(wb_launch_read_arg(l, 0, 0, &cycles[k], sizeof cycles[k], NULL), WB_OK);
			wb_launch_free(l);
			close_bed(&b);
		}
		snprintf(text, sizeof text, "| %s ways | %.0f | %.0f | %.0f |", rows[i].ways, rows[i].chip,
			 (double)cycles[0] / 100, (double)cycles[1] / 100);
		row(text);
	}
	every_row_is_on_the_page();
}

/* ---- progress: locks and barriers under divergence ---- */

static void divergent_barriers_and_locks_end_as_the_page_says(void **state)
{
	static const struct { const char *kernel, *block, *chip; } rows[] = {
		{ "naive_lock", "32", "ends" },  { "bar_both", "32", "ends" },      { "bar_one_side", "32", "ends" },
		{ "bar_unequal", "32", "ends" }, { "bar_two_warps", "64", "hangs" },
	};
	static const char *const policies[] = { "barriers", "stack" };
	const struct argument a[] = { ZEROS(1024) };
	enum wb_status status[2];
	char text[LINE];

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (int k = 0; k < 2; k++) {
			struct bed b = open_bed("order.ptx", rows[i].kernel, policies[k]);
			set(b.config, "block", rows[i].block);
			wb_launch_free(run(&b, a, 1, &status[k]));
			close_bed(&b);
			assert_true(status[k] == WB_OK || status[k] == WB_HANG);
		}
		snprintf(text, sizeof text, "| `%s` | %s | %s | %s |", rows[i].kernel, rows[i].chip,
			 status[0] == WB_OK ? "ends" : "hangs", status[1] == WB_OK ? "ends" : "hangs");
		row(text);
	}
	every_row_is_on_the_page();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_are_as_efficient_as_the_page_says),
		cmocka_unit_test(lanes_take_turns_as_the_page_says),
		cmocka_unit_test(lanes_go_the_ways_that_the_page_tells),
		cmocka_unit_test(a_way_costs_what_the_page_says),
		cmocka_unit_test(divergent_barriers_and_locks_end_as_the_page_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
