/* The eight kernels of tests/data/bench/kernels.cl, compiled for four generations, give the answers of common.h beside
 * them, which sets the problems up, too. */
#include "common.h"

#include "tests/kit/launches.h"
#include "tests/kit/shared.h"

enum { DIVISOR = 64 };

static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };

/* What a kernel is launched with: 'x', 'y' the inputs, 'o' the output, and values by the form of -a. */
static const struct bench {
	const char *name, *args[4];
	const char *grid, *block;
	double more;             /* instructions on the Tesla multiprocessor, in those of a program by hand; 0: 1.2 */
} benches[] = {
	{ "saxpy", { "x", "o", "f32=2.5", "u32=%n" }, "%n/256", "256" },
	{ "mandel", { "o", "s32=%w", "s32=%h", "s32=%i" }, "%w/16,%h/16", "16,16" },
	{ "matmul", { "x", "y", "o", "s32=%m" }, "%m/16,%m/16", "16,16" },
	{ "reduce", { "x", "o" }, "%r/256", "256" },
	{ "hist", { "x", "o" }, "%g/16384", "256", 5 },
	{ "collatz", { "o", "u32=%c" }, "%c/256", "256" },
	{ "bitonic", { "o" }, "%b/512", "256" },
	{ "alu", { "o", "f32=0.999", "f32=0.001", "s32=%k" }, "%a/256", "256" },
};

static int size_named(sz_t s, char name)
{
	switch (name) {
	case 'n': return s.n;
	case 'w': return s.w;
	case 'h': return s.h;
	case 'i': return s.maxit;
	case 'm': return s.mm;
	case 'r': return s.nr;
	case 'g': return s.nh;
	case 'c': return s.nc;
	case 'b': return s.nb;
	case 'a': return s.alu_t;
	default: return s.alu_it;
	}
}

/* "%w/16,%h/16" with the sizes in it. */
static const char *expand(const char *pattern, sz_t s, char out[64])
{
	size_t used = 0;

	for (const char *p = pattern; *p; p++) {
		char *end;
		long by;
		if (*p != '%') {
			used += (size_t)snprintf(out + used, 64 - used, "%c", *p);
			continue;
		}
		by = p[2] == '/' ? strtol(p + 3, &end, 10) : 1;
		used += (size_t)snprintf(out + used, 64 - used, "%ld", size_named(s, p[1]) / by);
		p = p[2] == '/' ? end - 1 : p + 1;
	}
	return out;
}

static void take(struct wb_launch *l, const char *arg, sz_t s, const uint32_t *bytes, int n)
{
	struct wb_diag d = { 0 };
	unsigned index = 0;
	char text[64];

	while (wb_launch_arg_bytes(l, index))
		index++;
	if (bytes)
		snprintf(text, sizeof text, "zero=%d", 4 * n);
	if (wb_launch_arg(l, bytes ? text : expand(arg, s, text), &d) != WB_OK)
		fail_msg("%s: %s", arg, d.text);
	if (bytes)
		assert_int_equal(wb_launch_write_arg(l, index, 0, bytes, 4 * (size_t)n, &d), WB_OK);
}

/* Instructions of threads against the count by hand in common.h; 0: no bound. */
static void check_count(const struct wb_launch *l, const struct bench *b, sz_t s, double bound)
{
	const struct wb_report *r = wb_launch_report(l);
	double ratio;

	prep_counts(b->name, s);
	ratio = (double)r->bill.useful / canon(b->name, s);
	if (bound > 0 && ratio > bound)
		fail_msg("%s: %.3f times the instructions of a program by hand", b->name, ratio);
	if (bound > 0)
		print_message("%s: %.3f times the instructions of a program by hand\n", b->name, ratio);
}

static void run_bench(const struct wb_program *p, const struct bench *b, const char *chip, const char *lock,
		      double bound)
{
	sz_t s = sizes(DIVISOR);
	int n0, n1, no, output = -1;
	uint32_t *x, *y, *o, *given;
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };
	char text[64];

	bufs(b->name, s, &n0, &n1, &no);
	x = calloc((size_t)n0, 4);
	y = calloc((size_t)n1, 4);
	o = calloc((size_t)no, 4);
	given = calloc((size_t)no, 4);
	fill(b->name, s, x, n0, y, n1, o, no);
	memcpy(given, o, 4 * (size_t)no);
	assert_int_equal(wb_config_set(c, "chip", chip, &d), WB_OK);
	assert_int_equal(wb_config_set(c, "timing", "off", &d), WB_OK);
	if (lock)
		assert_int_equal(wb_config_set(c, "lock", lock, &d), WB_OK);
	assert_int_equal(wb_config_set(c, "grid", expand(b->grid, s, text), &d), WB_OK);
	assert_int_equal(wb_config_set(c, "block", expand(b->block, s, text), &d), WB_OK);
	if (wb_launch_new(p, b->name, c, &l, &d) != WB_OK)
		fail_msg("%s on %s: %s", b->name, chip, d.text);
	for (int i = 0; i < 4 && b->args[i]; i++) {
		bool out = *b->args[i] == 'o', first = *b->args[i] == 'x', second = *b->args[i] == 'y';
		output = out ? i : output;
		take(l, b->args[i], s, out ? o : first ? x : second ? y : NULL, out ? no : first ? n0 : n1);
	}
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s on %s: line %d: %s", b->name, chip, d.line, d.text);
	assert_int_equal(wb_launch_read_arg(l, (unsigned)output, 0, o, 4 * (size_t)no, &d), WB_OK);
	if (check(b->name, s, o, x, strcmp(b->name, "saxpy") ? y : given, 2.5f))
		fail_msg("%s on %s: the answer is wrong", b->name, chip);
	check_count(l, b, s, bound);
	wb_launch_free(l);
	wb_config_free(c);
	free(x);
	free(y);
	free(o);
	free(given);
}

/* All kernels on a chip; bounded: at most as many instructions as each kernel may take. cc: the compiler; NULL: the one
 * that is taken without a word. Without the compiler nothing runs. */
static void run_all(const char *chip, const char *lock, bool bounded, const char *cc)
{
	char path[4096];
	struct wb_diag d = { 0 };
	struct wb_config *c = wb_config_new();
	struct wb_program *p;

	shared_path(path, sizeof path, "bench/kernels.cl");
	assert_int_equal(wb_config_set(c, "chip", chip, &d), WB_OK);
	if (cc)
		assert_int_equal(wb_config_set(c, "cc", cc, &d), WB_OK);
	if (wb_program_open(path, c, &p, &d) != WB_OK) {
		if (d.status != WB_ENV)
			fail_msg("%s:%d: %s", path, d.line, d.text);
		printf("skipped: %s\n", d.text);
		if (!cc)
			exit(77);
		wb_config_free(c);
		return;
	}
	for (unsigned k = 0; k < sizeof benches / sizeof *benches; k++) {
		bool more = benches[k].more > 0 && lock && !strcmp(lock, "warp");
		run_bench(p, &benches[k], chip, lock, !bounded ? 0 : more ? benches[k].more : 1.2);
	}
	wb_program_free(p);
	wb_config_free(c);
}

static void all_kernels_on_all_generations(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++)
		run_all(chips[i], NULL, false, NULL);
}

/* The kernels on the Tesla multiprocessor, by our own compiler: at most 1.2 times the instructions of programs by hand.
 * The lock rule "warp" gives a lock to one lane of a warp at a time, and lanes without a lock try again: 16.5 rounds of
 * two instructions for a lane of hist on average, against one atomic instruction in the count by hand. No program is
 * below 4.2 times the count of hist. The rule "flag" gives each lane the lock of the lane's own word. */
static void all_kernels_in_few_instructions(void **state)
{
	(void)state;
	run_all("mcp77", "warp", true, NULL);
	run_all("g200", "warp", true, NULL);
	run_all("g200", "flag", true, NULL);
	run_all("g200", "warp", true, "clang-14");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(all_kernels_on_all_generations),
					    cmocka_unit_test(all_kernels_in_few_instructions) };

	(void)now, (void)KN, (void)report;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
