/* OpenCL C of our own and of a generator: each kernel gives on four generations the same as its source compiled for the
 * host. test_gcn_host FOLDER [SEED COUNT [tesla] [COMPILER]], with COUNT more programs of random kernels by hand;
 * tesla: on g200 alone. */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/gcn/generate.h"
#include "tests/gcn/host.h"
#include "tests/unit/launches.h"

enum { WORDS = 4096, OUT_BYTES = 1 << 16, GROUPS = 3, EACH = 24, COMPILER_SECONDS = 30 };

static const char *folder;
static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };
static uint64_t first_seed = 1;
static unsigned programs = 3;
static bool tesla;              /* builds for g200 alone */
static const char *compiler = "";
static uint32_t input[WORDS];

static struct wb_program *compile(const char *path, const char *chip, const char *level, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	assert_int_equal(wb_config_set(c, "chip", chip, d), WB_OK);
	assert_int_equal(wb_config_set(c, "optimize", level, d), WB_OK);
	if (*compiler)
		assert_int_equal(wb_config_set(c, "cc", compiler, d), WB_OK);
	assert_int_equal(wb_config_set(c, "contract", "off", d), WB_OK);        /* as the host's compiler */
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

/* The contents of a kernel's first argument after a run; false: *d has the reason. */
static bool run_machine(const struct wb_program *p, const char *chip, const char *kernel, const char *local, uint32_t n,
			uint8_t *out, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	char word[32], in[64];
	bool ok;

	snprintf(word, sizeof word, "u32=%u", n);
	snprintf(in, sizeof in, "zero=%zu", sizeof input);
	ok = wb_config_set(c, "chip", chip, d) == WB_OK && wb_config_set(c, "timing", "off", d) == WB_OK &&
	     wb_config_set(c, "grid", "3", d) == WB_OK && wb_config_set(c, "block", local, d) == WB_OK &&
	     wb_config_set(c, "max-insns", "20000000", d) == WB_OK && wb_launch_new(p, kernel, c, &l, d) == WB_OK &&
	     wb_launch_arg(l, "zero=65536", d) == WB_OK && wb_launch_arg(l, in, d) == WB_OK &&
	     wb_launch_arg(l, word, d) == WB_OK && wb_launch_write_arg(l, 1, 0, input, sizeof input, d) == WB_OK &&
	     wb_launch_run(l, d) == WB_OK && wb_launch_read_arg(l, 0, 0, out, OUT_BYTES, d) == WB_OK;
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

/* Builds of a source to run: a compiler takes a second for each. */
struct builds {
	unsigned from, to;      /* eight: four chips at -O2, four at -O0; then g200 at -O2, at -O0 */
};

/* Counts over the compared files. */
struct outcome {
	unsigned differ;        /* kernels of a build */
	unsigned endless;       /* builds that the compiler did not finish */
};

/* Kernels by the names given, NULL at the end. */
static struct outcome compare_file(const char *path, const char *const *kernels, unsigned local, uint32_t n,
				   struct builds b)
{
	struct host_program *host = host_compile(folder, path);
	static uint8_t expected[OUT_BYTES], found[OUT_BYTES];
	static const char *const levels[] = { "2", "0" };
	struct wb_diag d = { 0 };
	struct outcome o = { 0 };
	char block[16];

	assert_non_null(host);
	snprintf(block, sizeof block, "%u", local);
	for (unsigned i = b.from; i < b.to; i++) {
		const char *chip = i < 8 ? chips[i % 4] : "g200", *level = levels[i < 8 ? i / 4 % 2 : i % 2];
		struct wb_program *p = compile(path, chip, level, &d);
		if (!p && strstr(d.text, "CPU time limit")) {
			o.endless++;
			continue;
		}
		if (!p)
			fail_msg("%s: %s -O%s: %s:%d: %s", path, chip, level, d.file, d.line, d.text);
		for (unsigned k = 0; kernels[k]; k++) {
			memset(expected, 0, sizeof expected);
			assert_true(host_run(host, kernels[k], GROUPS, local, expected, input, n));
			if (!run_machine(p, chip, kernels[k], block, n, found, &d))
				fail_msg("%s: %s on %s -O%s: line %d: %s", path, kernels[k], chip, level, d.line,
					 d.text);
			o.differ += !same(path, kernels[k], chip, level, found, expected);
		}
		wb_program_free(p);
	}
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
		struct outcome o = compare_file(path, (const char *[]){ own[i].name, NULL }, own[i].local, own[i].n,
						(struct builds){ 0, i % 3 ? 4 : 8 });
		assert_int_equal(o.differ + o.endless, 0);
	}
}

static void images_are_refused(void **state)
{
	char path[1024];
	struct wb_diag d = { 0 };

	snprintf(path, sizeof path, "%s/kernels/images.cl", folder);
	assert_null(compile(path, "tonga", "2", &d));
	assert_non_null(strstr(d.text, "images are not supported"));
}

static void random_kernels_give_what_the_host_gives(void **state)
{
	static char names[EACH][8];
	const char *kernels[EACH + 1] = { NULL };
	unsigned differ = 0;

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
		unsigned build = tesla ? 8 + i % 2 : (i + 2) % 10;
		struct outcome o = compare_file(path, kernels, 96, GENERATED_N, (struct builds){ build, build + 1 });
		differ += o.differ;
		if (o.differ || o.endless)
			print_message("k0 is of seed %" PRIu64 "; %u of the %u differ%s\n",
				      first_seed + (uint64_t)i * EACH, o.differ, EACH,
				      o.endless ? ", as the compiler came to no end" : "");
		unlink(path);
	}
	assert_int_equal(differ, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_kernels_give_what_the_host_gives),
		cmocka_unit_test(images_are_refused),
		cmocka_unit_test(random_kernels_give_what_the_host_gives),
	};
	bool by_hand = argc > 3;

	folder = argc > 1 ? argv[1] : "tests/gcn";
	if (by_hand) {
		first_seed = strtoull(argv[2], NULL, 0);
		programs = (unsigned)strtoul(argv[3], NULL, 0);
		tesla = argc > 4 && !strcmp(argv[4], "tesla");
		compiler = argc > 4 + tesla ? argv[4 + tesla] : "";
	}
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
	return by_hand ? cmocka_run_group_tests_name("random", ((const struct CMUnitTest[]){ tests[2] }), NULL, NULL)
		       : cmocka_run_group_tests(tests, NULL, NULL);
}
