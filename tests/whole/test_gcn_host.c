/* OpenCL C of our own and of a generator: each kernel gives on four generations the same as its source compiled for the
 * host. By hand, more random kernels: test_gcn_host FOLDER SEED FILES [tesla|groups] [CLANG[,CLANG]…]; each file has
 * 24 kernels and is compiled for one chip of GCN, or for g200, at -O 0 and at -O 2, chips and compilers in turn. With
 * `groups` the kernels are those with phases between barriers, for all chips in turn, on Tesla chips under each policy
 * of reconvergence. WB_RANDOM_KERNELS=N is another number of random kernels of both kinds, in files of 24;
 * WB_RANDOM_FEATURES=BITS narrows the features of kernels with phases (tests/gcn/generate.h). */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/gcn/generate.h"
#include "tests/gcn/host.h"
#include "tests/kit/launches.h"
#include "tests/kit/sample.h"

enum { WORDS = 4096, OUT_BYTES = 1 << 16, GROUPS = 3, EACH = 24, COMPILER_SECONDS = 30,
	TABLE_BYTES = 256 };

static const char *folder;
static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };
static uint64_t first_seed = 1;
static unsigned programs = 3;
static const char *compilers[4];        /* named on the command line; none: Warpbeam's choice */
static unsigned ncompilers;
static bool by_hand, tesla, groups;     /* tesla: for g200 alone; groups: kernels of phases alone */
static uint32_t input[WORDS];

static struct wb_program *compile(const char *path, const char *chip, const char *level, const char *compiler,
				  struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	assert_int_equal(wb_config_set(c, "chip", chip, d), WB_OK);
	assert_int_equal(wb_config_set(c, "optimize", level, d), WB_OK);
	assert_int_equal(wb_config_set(c, "contract", "off", d), WB_OK);        /* as the host's compiler */
	/* a busy machine: processor time is the limit (limit_compilers) */
	assert_int_equal(wb_config_set(c, "max-seconds", "1000", d), WB_OK);
	if (compiler)
		assert_int_equal(wb_config_set(c, "cc", compiler, d), WB_OK);
	/* 256 threads on chips with 8,192 and 16,384 registers */
	assert_int_equal(wb_config_set(c, "max-regs", !strcmp(chip, "g80") || !strcmp(chip, "g84") ? "32" : "64", d),
			 WB_OK);
	if (wb_program_open(path, c, &p, d) != WB_OK)
		p = NULL;
	wb_config_free(c);
	return p;
}

static void on_limit(int signal)
{
}

/* LLVM 14 does not finish some random kernels. The test process survives the limit's signal; compilers begin at 0
 * seconds and do not. */
static void limit_compilers(void)
{
	struct rlimit r;

	signal(SIGXCPU, on_limit);
	getrlimit(RLIMIT_CPU, &r);
	r.rlim_cur = COMPILER_SECONDS;
	setrlimit(RLIMIT_CPU, &r);
}

/* A launch's kernel, geometry, arguments and policy. */
struct launched {
	const char *chip, *kernel, *local;
	uint32_t n;
	bool table;             /* a fourth argument: the first words of the input as constants */
	const char *reconverge, *diverge;       /* NULL: the machine's */
};

static bool set_policy(struct wb_config *c, const struct launched *r, struct wb_diag *d)
{
	return (!r->reconverge || wb_config_set(c, "reconverge", r->reconverge, d) == WB_OK) &&
	       (!r->diverge || wb_config_set(c, "diverge", r->diverge, d) == WB_OK);
}

/* The contents of a kernel's first argument after a run; false: *d has the reason. */
static bool run_machine(const struct wb_program *p, const struct launched *r, uint8_t *out, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	char word[32], in[64];
	bool ok;

	snprintf(word, sizeof word, "u32=%u", r->n);
	snprintf(in, sizeof in, "zero=%zu", sizeof input);
	ok = wb_config_set(c, "chip", r->chip, d) == WB_OK && wb_config_set(c, "timing", "off", d) == WB_OK &&
	     wb_config_set(c, "grid", "3", d) == WB_OK && wb_config_set(c, "mps", "1", d) == WB_OK &&
	     wb_config_set(c, "block", r->local, d) == WB_OK && set_policy(c, r, d) &&
	     wb_config_set(c, "max-insns", "20000000", d) == WB_OK && wb_launch_new(p, r->kernel, c, &l, d) == WB_OK &&
	     wb_launch_arg(l, "zero=65536", d) == WB_OK && wb_launch_arg(l, in, d) == WB_OK &&
	     wb_launch_arg(l, word, d) == WB_OK && wb_launch_write_arg(l, 1, 0, input, sizeof input, d) == WB_OK;
	if (ok && r->table)
		ok = wb_launch_arg(l, "zero=256", d) == WB_OK &&
		     wb_launch_write_arg(l, 3, 0, input, TABLE_BYTES, d) == WB_OK;
	ok = ok && wb_launch_run(l, d) == WB_OK && wb_launch_read_arg(l, 0, 0, out, OUT_BYTES, d) == WB_OK;
	wb_launch_free(l);
	wb_config_free(c);
	return ok;
}

/* Compare a kernel's result with the expected bytes, and print the first difference. */
static bool same(const char *path, const char *kernel, const char *chip, const char *level, const uint8_t *found,
		 const uint8_t *expected)
{
	for (size_t i = 0; i < OUT_BYTES; i += 4)
		if (memcmp(found + i, expected + i, 4)) {
			print_error("%s: %s on %s -O%s: byte %zu is %02x%02x%02x%02x, expected %02x%02x%02x%02x\n",
				    path, kernel, chip, level, i, found[i + 3], found[i + 2], found[i + 1], found[i],
				    expected[i + 3], expected[i + 2], expected[i + 1], expected[i]);
			return false;
		}
	return true;
}

/* A build of a source. */
struct build {
	const char *chip, *level, *compiler;
};

enum { BUILDS = 10 };

/* Build i of ten: four chips at -O2, four at -O0; then g200 at -O2, at -O0. A compiler takes a second for each. */
static struct build build_at(unsigned i)
{
	static const char *const levels[] = { "2", "0" };

	return (struct build){ i < 8 ? chips[i % 4] : "g200", levels[i < 8 ? i / 4 : i % 2], NULL };
}

/* Counts over the compared files. */
struct outcome {
	unsigned differ, runs;  /* kernels of a build */
	unsigned endless;       /* builds that the compiler did not finish */
};

/* Run all kernels of a build. */
static void compare_build(const char *path, const struct host_program *host, struct build b, const char *const *kernels,
			  unsigned local, uint32_t n, struct outcome *o)
{
	static uint8_t expected[OUT_BYTES], found[OUT_BYTES];
	struct wb_diag d = { 0 };
	struct wb_program *p = compile(path, b.chip, b.level, b.compiler, &d);
	char block[16];

	snprintf(block, sizeof block, "%u", local);
	if (!p && strstr(d.text, "CPU time limit")) {
		o->endless++;
		return;
	}
	if (!p)
		fail_msg("%s: %s -O%s: %s:%d: %s", path, b.chip, b.level, d.file, d.line, d.text);
	for (unsigned k = 0; kernels[k]; k++) {
		memset(expected, 0, sizeof expected);
		assert_true(host_run(host, kernels[k], GROUPS, local, expected, input, n, NULL));
		const struct launched launched = { b.chip, kernels[k], block, n, false, NULL, NULL };
		if (!run_machine(p, &launched, found, &d))
			fail_msg("%s: %s on %s -O%s: line %d: %s", path, kernels[k], b.chip, b.level, d.line, d.text);
		o->differ += !same(path, kernels[k], b.chip, b.level, found, expected);
		o->runs++;
	}
	wb_program_free(p);
}

/* Kernels by the names given, NULL at the end. */
static struct outcome compare_file(const char *path, const char *const *kernels, unsigned local, uint32_t n,
				   const struct build *builds, unsigned nbuilds)
{
	struct host_program *host = host_compile(folder, path);
	struct outcome o = { 0 };

	assert_non_null(host);
	for (unsigned i = 0; i < nbuilds; i++)
		compare_build(path, host, builds[i], kernels, local, n, &o);
	host_free(host);
	return o;
}

static void own_kernels_give_what_the_host_gives(void **state)
{
	static const struct {
		const char *name;
		unsigned local;
		uint32_t n;
	} own[] = {
		{ "structs", 100, 250 }, { "longs", 64, 190 }, { "doubles", 64, 190 }, { "vectors", 64, 700 },
		{ "arrays", 64, 192 }, { "calls", 80, 240 }, { "switches", 256, 700 }, { "atomics", 200, 555 },
		{ "scan", 256, 768 }, { "small", 128, 380 },
	};

	for (unsigned i = 0; i < sizeof own / sizeof *own; i++) {
		char path[1024];
		snprintf(path, sizeof path, "%s/kernels/%s.cl", folder, own[i].name);
		struct build builds[BUILDS];
		unsigned nbuilds = 0;
		/* a quarter of the builds, in turn: a compiler takes most of the time */
		for (unsigned k = 0; k < (i % 3 ? 4 : 8); k++)
			if (sample_step() == 1 || (i + k) % 4 == 0)
				builds[nbuilds++] = build_at(k);
		struct outcome o = compare_file(path, (const char *[]){ own[i].name, NULL }, own[i].local, own[i].n,
						builds, nbuilds);
		assert_int_equal(o.differ + o.endless, 0);
	}
}

static void other_functions_of_images_are_refused(void **state)
{
	char path[1024];
	struct wb_diag d = { 0 };

	snprintf(path, sizeof path, "%s/kernels/images.cl", folder);
	assert_null(compile(path, "tonga", "2", NULL, &d));
	assert_non_null(strstr(d.text, "not among the functions of images"));
}

static void random_kernels_give_what_the_host_gives(void **state)
{
	static char names[EACH][8];
	const char *kernels[EACH + 1] = { NULL };
	struct outcome sum = { 0 };

	for (unsigned k = 0; k < EACH; k++) {
		snprintf(names[k], sizeof names[k], "k%u", k);
		kernels[k] = names[k];
	}
	for (unsigned i = 0; i < programs; i++) {
		char path[] = "/tmp/wb-random-XXXXXX.cl";
		FILE *f = fdopen(mkstemps(path, 3), "w");
		assert_non_null(f);
		generate_kernels(first_seed + (uint64_t)i * EACH, EACH, f);
		fclose(f);
		const char *compiler = ncompilers ? compilers[i / 4 % ncompilers] : NULL;
		const char *chip = tesla ? "g200" : chips[i % 4];
		const struct build both[] = { { chip, "0", compiler }, { chip, "2", compiler } };
		const struct build one[] = { build_at((i + 2) % BUILDS) };
		struct outcome o = compare_file(path, kernels, 96, GENERATED_N, by_hand ? both : one, by_hand ? 2 : 1);
		sum.differ += o.differ;
		sum.runs += o.runs;
		sum.endless += o.endless;
		if (o.differ || o.endless)
			print_message("%s: k0 is of seed %" PRIu64 "; %u of %u runs differ, %u builds without an end\n",
				      compiler ? compiler : "clang", first_seed + (uint64_t)i * EACH, o.differ, o.runs,
				      o.endless);
		unlink(path);
	}
	print_message("%u random kernels, %u runs, %u differ, %u builds that the compiler did not end\n",
		      programs * EACH, sum.runs, sum.differ, sum.endless);
	assert_int_equal(sum.differ, 0);
}

/* ---- kernels of phases ---- */

static const char *const all_chips[] = {
	"g80", "g84", "mcp77", "g200", "gt215", "v100", "tahiti", "bonaire", "tonga", "gfx900",
};
enum { CHIPS = sizeof all_chips / sizeof *all_chips, WITHOUT_LOCAL_ATOMICS = 2 };

/* Run a kernel under each policy, orders in turn; the number of differences. */
static unsigned compare_policies(const char *path, const struct wb_program *p, struct launched r, unsigned number,
				 const char *level, bool on_tesla, const uint8_t *expected)
{
	static const char *const policies[] = { "stack", "minpc", "ipdom", "barriers" };
	static const char *const orders[] = { "taken", "fall", "larger", "random" };
	static uint8_t found[OUT_BYTES];
	unsigned differ = 0;

	for (unsigned i = 0; i < (on_tesla ? sizeof policies / sizeof *policies : 1); i++) {
		struct wb_diag d = { 0 };
		if (on_tesla) {
			r.reconverge = policies[i];
			r.diverge = orders[(number + i) % 4];
		}
		memset(found, 0, sizeof found);
		bool ran = run_machine(p, &r, found, &d);
		if (ran && !memcmp(found, expected, OUT_BYTES))
			continue;
		differ++;
		if (ran)
			same(path, r.kernel, r.chip, level, found, expected);
		else
			print_error("%s: %s on %s -O%s: line %d: %s\n", path, r.kernel, r.chip, level, d.line, d.text);
		print_error("  --block %s --reconverge %s --diverge %s\n", r.local, r.reconverge ? r.reconverge : "-",
			    r.diverge ? r.diverge : "-");
	}
	return differ;
}

/* A file of kernels for one chip, compiler and level. */
static void compare_groups(const char *path, const struct host_program *host, unsigned number, struct build b,
			   unsigned kernels, struct outcome *o)
{
	static const char *const sizes[] = { "96", "32", "100", "64", "150", "256", "16", "200" };
	static uint8_t expected[OUT_BYTES];
	struct wb_diag d = { 0 };
	struct wb_program *p = compile(path, b.chip, b.level, b.compiler, &d);
	bool on_tesla = true;

	for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++)
		on_tesla = on_tesla && strcmp(b.chip, chips[i]);
	if (!p && strstr(d.text, "CPU time limit")) {
		o->endless++;
		return;
	}
	if (!p) {
		print_error("%s: %s -O%s %s: %s:%d: %s\n", path, b.chip, b.level, b.compiler ? b.compiler : "", d.file,
			    d.line, d.text);
		o->differ++;
		return;
	}
	for (unsigned k = 0; k < kernels; k++) {
		char kernel[16];
		struct launched r = { b.chip, kernel, sizes[(number + k) % 8], GENERATED_N, true, NULL, NULL };
		snprintf(kernel, sizeof kernel, "k%u", k);
		memset(expected, 0, sizeof expected);
		assert_true(host_run(host, kernel, GROUPS, (unsigned)atoi(r.local), expected, input, GENERATED_N,
				     input));
		o->differ += compare_policies(path, p, r, number + k, b.level, on_tesla, expected);
		o->runs++;
	}
	wb_program_free(p);
}

static void group_kernels_give_what_the_host_gives(void **state)
{
	const char *wish = getenv("WB_RANDOM_FEATURES");
	unsigned features = wish ? (unsigned)strtoul(wish, NULL, 0) : GROUP_ALL;
	struct outcome sum = { 0 };

	for (unsigned i = 0; i < programs; i++) {
		uint64_t seed = first_seed + (uint64_t)i * EACH;
		unsigned chip = (unsigned)(seed / EACH % CHIPS);
		struct outcome before = sum;
		char path[] = "/tmp/wb-groups-XXXXXX.cl";
		FILE *f = fdopen(mkstemps(path, 3), "w");
		assert_non_null(f);
		unsigned possible = chip < WITHOUT_LOCAL_ATOMICS ? GROUP_ALL ^ GROUP_ATOMICS : GROUP_ALL;
		generate_group_kernels(seed, EACH, features & possible, f);
		fclose(f);
		struct host_program *host = host_compile(folder, path);
		assert_non_null(host);
		const char *compiler = ncompilers ? compilers[i / 2 % ncompilers] : NULL;
		struct build b = { all_chips[chip], i % 2 ? "2" : "0", compiler };
		compare_groups(path, host, i, b, EACH, &sum);
		if (by_hand) {
			b.level = i % 2 ? "0" : "2";
			compare_groups(path, host, i, b, EACH, &sum);
		}
		host_free(host);
		if (sum.differ != before.differ || sum.endless != before.endless)
			print_message("%s on %s: k0 is of seed %" PRIu64 "; %u runs differ, %u builds without an end\n",
				      b.compiler ? b.compiler : "clang", b.chip, seed, sum.differ - before.differ,
				      sum.endless - before.endless);
		unlink(path);
	}
	print_message("%u random kernels of phases, %u runs, %u differ, %u builds that the compiler did not end\n",
		      programs * EACH, sum.runs, sum.differ, sum.endless);
	assert_int_equal(sum.differ, 0);
}

/* Kernels that gave other results once, and why. On tahiti LLVM 14 to 19 leave an index of registers in M0 where local
 * memory is accessed next. A call of libclc's with a constant stays a call: (int) of it was 0 in another block. */
static void former_seeds_give_what_the_host_gives(void **state)
{
	static const struct { uint64_t seed; const char *chip, *level; unsigned size; } rows[] = {
		{ 412060, "tahiti", "2", 4 }, { 410139, "bonaire", "2", 3 },
	};
	struct outcome sum = { 0 };
	(void)state;

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		char path[] = "/tmp/wb-groups-XXXXXX.cl";
		FILE *f = fdopen(mkstemps(path, 3), "w");
		assert_non_null(f);
		generate_group_kernels(rows[i].seed, 1, GROUP_ALL, f);
		fclose(f);
		struct host_program *host = host_compile(folder, path);
		assert_non_null(host);
		compare_groups(path, host, rows[i].size, (struct build){ rows[i].chip, rows[i].level, NULL }, 1, &sum);
		host_free(host);
		unlink(path);
	}
	assert_int_equal(sum.differ, 0);
	assert_int_equal(sum.runs, sizeof rows / sizeof *rows);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_kernels_give_what_the_host_gives),
		cmocka_unit_test(other_functions_of_images_are_refused),
		cmocka_unit_test(random_kernels_give_what_the_host_gives),
		cmocka_unit_test(group_kernels_give_what_the_host_gives),
		cmocka_unit_test(former_seeds_give_what_the_host_gives),
	};
	const char *wish = getenv("WB_RANDOM_KERNELS");

	by_hand = argc > 3;
	folder = argc > 1 ? argv[1] : "tests/gcn";
	if (by_hand) {
		first_seed = strtoull(argv[2], NULL, 0);
		programs = (unsigned)strtoul(argv[3], NULL, 0);
	}
	if (wish)
		programs = (unsigned)((strtoul(wish, NULL, 0) + EACH - 1) / EACH);
	tesla = argc > 4 && !strcmp(argv[4], "tesla");
	groups = argc > 4 && !strcmp(argv[4], "groups");
	int last = 4 + tesla + groups;
	for (char *name = argc > last ? strtok(argv[last], ",") : NULL; name && ncompilers < 4;
	     name = strtok(NULL, ","))
		compilers[ncompilers++] = name;
	if (!host_can_compile()) {
		printf("skipped: no clang that compiles OpenCL C\n");
		return 77;
	}
	limit_compilers();
	for (unsigned i = 0; i < WORDS; i++) {
		uint32_t z = i * 0x9e3779b9u + 12345;
		z = (z ^ z >> 16) * 0x85ebca6bu;
		z = (z ^ z >> 13) * 0xc2b2ae35u;
		input[i] = z ^ z >> 16;
	}
	const struct CMUnitTest random_alone[] = { tests[2 + groups] };
	return by_hand ? cmocka_run_group_tests_name("random", random_alone, NULL, NULL)
		       : cmocka_run_group_tests(tests, NULL, NULL);
}
