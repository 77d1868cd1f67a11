/* The corpus of OpenCL kernels (tests/data/gcn.tar.gz): each of 15 kernels, compiled for four generations at -O2 and
 * -O0, gives what the host computed from the same source (manifest.txt says how exactly); the -O2 builds without
 * contraction issue what golden_counts.tsv says; and all ways to execute them come to the same. */
#include <math.h>

#include "tests/kit/launches.h"
#include "tests/kit/shared.h"

enum { ARGS_MAX = 8, KERNELS_MAX = 32, PATH_BYTES = 4096 };

struct kernel {
	char name[32], compare[16];
	char grid[32], block[32];
	unsigned nargs;
	struct {
		char text[PATH_BYTES];          /* text for -a */
		char expected[PATH_BYTES];      /* file; "": none */
	} arg[ARGS_MAX];
};

static struct kernel kernels[KERNELS_MAX];
static unsigned nkernels;
static char corpus[PATH_BYTES / 2];

static const char *const folders[] = {
	"tahiti", "bonaire", "tonga", "gfx900", "tahiti_nc", "bonaire_nc", "tonga_nc", "gfx900_nc",
};
enum { FOLDERS = sizeof folders / sizeof *folders };

/* ---- the manifest ---- */

static void take_argument(struct kernel *k, const char *kind, const char *first, const char *second)
{
	char *text = k->arg[k->nargs].text, *expected = k->arg[k->nargs].expected;

	assert_true(k->nargs < ARGS_MAX);
	*expected = '\0';
	if (!strcmp(kind, "in")) {
		snprintf(text, PATH_BYTES, "in=%s/expected/%s", corpus, first);
	} else if (!strcmp(kind, "out")) {
		snprintf(text, PATH_BYTES, "zero=%s", first);
		snprintf(expected, PATH_BYTES, "%s/expected/%s", corpus, second);
	} else if (!strcmp(kind, "inout")) {
		snprintf(text, PATH_BYTES, "in=%s/expected/%s", corpus, first);
		snprintf(expected, PATH_BYTES, "%s/expected/%s", corpus, second);
	} else {
		snprintf(text, PATH_BYTES, "%s=%s", kind, first);
	}
	k->nargs++;
}

static int read_manifest(void **state)
{
	char path[PATH_BYTES], line[512];
	FILE *f;

	shared_path(corpus, sizeof corpus, "corpus/gcn");
	snprintf(path, sizeof path, "%s/expected/manifest.txt", corpus);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		char kind[16], a[128] = "", b[128] = "";
		unsigned gx, gy, bx, by;
		struct kernel *k = &kernels[nkernels];
		if (sscanf(line, "kernel %31s groups %u %u local %u %u compare %15s", k->name, &gx, &gy, &bx, &by,
			   k->compare) == 6) {
			snprintf(k->grid, sizeof k->grid, "%u,%u", gx, gy);
			snprintf(k->block, sizeof k->block, "%u,%u", bx, by);
			nkernels++;
			assert_true(nkernels < KERNELS_MAX);
		} else if (sscanf(line, "arg %15s %127s %127s", kind, a, b) >= 2) {
			take_argument(&kernels[nkernels - 1], kind, a, b);
		}
	}
	fclose(f);
	return 0;
}

/* ---- launches ---- */

static struct wb_launch *launch_kernel(const struct wb_program *p, const struct kernel *k, const struct setting *more)
{
	struct setting s[8] = { { "grid", k->grid }, { "block", k->block } };
	struct wb_diag d = { 0 };
	struct wb_launch *l;
	unsigned n = 2;

	while (more && more->option)
		s[n++] = *more++;
	l = launch(p, s);
	for (unsigned i = 0; i < k->nargs; i++)
		if (wb_launch_arg(l, k->arg[i].text, &d) != WB_OK)
			fail_msg("%s: %s", k->name, d.text);
	return l;
}

/* NULL: the corpus has no such build. */
static struct wb_program *open_kernel(const char *folder, const struct kernel *k, bool optimised)
{
	struct wb_program *p = NULL;
	struct wb_diag d = { 0 };
	char path[PATH_BYTES];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s/%s%s.hsaco", corpus, folder, k->name, optimised ? "" : "_O0");
	f = fopen(path, "r");
	if (!f)
		return NULL;
	fclose(f);
	if (wb_program_open(path, NULL, &p, &d) != WB_OK)
		fail_msg("%s: %s", path, d.text);
	return p;
}

/* ---- results ---- */

static size_t read_expected(const char *path, uint8_t *bytes, size_t most)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	assert_non_null(f);
	n = fread(bytes, 1, most, f);
	fclose(f);
	return n;
}

static bool near(float found, float expected, float relative, float absolute)
{
	float off = fabsf(found - expected);

	return found == expected || off <= absolute || off <= relative * fabsf(expected);
}

/* How many elements are not as they should be. gfx900's builds with contraction fuse what the host did not. */
static unsigned differences(const struct kernel *k, const char *folder, const uint8_t *found, const uint8_t *expected,
			    size_t bytes)
{
	bool rough = !strcmp(k->compare, "rel1e-4");
	bool fused = !strcmp(k->compare, "exact-nc") && !strcmp(folder, "gfx900");
	bool counts = !strcmp(k->name, "mandel");
	unsigned n = 0;

	for (size_t i = 0; i + 4 <= bytes; i += 4) {
		float a, b;
		if (!memcmp(found + i, expected + i, 4))
			continue;
		memcpy(&a, found + i, 4);
		memcpy(&b, expected + i, 4);
		if (rough ? near(a, b, 1e-4f, 0) :
			    fused && !counts && strcmp(k->name, "fp64") && near(a, b, 1e-3f, 0.05f))
			continue;
		n++;
	}
	return fused && counts && n <= 12 ? 0 : n;
}

static void check_results(const struct kernel *k, const char *folder, struct wb_launch *l, const char *what)
{
	enum { MOST = 1 << 20 };
	uint8_t *found = malloc(MOST), *expected = malloc(MOST);

	for (unsigned i = 0; i < k->nargs; i++) {
		size_t n = wb_launch_arg_bytes(l, i);
		unsigned wrong;
		if (!*k->arg[i].expected)
			continue;
		assert_true(n <= MOST);
		assert_int_equal(read_expected(k->arg[i].expected, expected, MOST), n);
		assert_int_equal(wb_launch_read_arg(l, i, 0, found, n, NULL), WB_OK);
		wrong = differences(k, folder, found, expected, n);
		if (wrong)
			fail_msg("%s/%s %s: argument %u: %u words differ", folder, k->name, what, i, wrong);
	}
	free(found);
	free(expected);
}

static void run_build(const char *folder, const struct kernel *k, bool optimised, unsigned *n)
{
	struct wb_program *p = open_kernel(folder, k, optimised);
	struct wb_diag d = { 0 };
	struct wb_launch *l;

	if (!p)
		return;
	l = launch_kernel(p, k, NULL);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s/%s%s: %s", folder, k->name, optimised ? "" : "_O0", d.text);
	check_results(k, folder, l, optimised ? "O2" : "O0");
	wb_launch_free(l);
	wb_program_free(p);
	++*n;
}

static void all_builds_give_what_the_host_computed(void **state)
{
	unsigned n = 0;

	for (unsigned f = 0; f < FOLDERS; f++)
		for (unsigned i = 0; i < nkernels; i++)
			for (unsigned optimised = 0; optimised < 2; optimised++)
				run_build(folders[f], &kernels[i], optimised, &n);
	assert_int_equal(n, 180);
}

/* ---- counts ---- */

struct counts {
	uint64_t issues, scalar, vector, active, branches, barriers;
};

static struct counts count(const struct wb_report *r)
{
	struct counts c = { 0 };

	for (unsigned i = 0; i < r->npcs; i++) {
		const struct wb_pc *p = &r->pcs[i];
		bool scalar = !strncmp(p->text, "s_", 2);
		c.issues += p->issues;
		*(scalar ? &c.scalar : &c.vector) += p->issues;
		c.active += scalar ? 0 : p->threads;
		c.branches += strncmp(p->text, "s_cbranch", 9) ? 0 : p->issues;
		c.barriers += strncmp(p->text, "s_barrier", 9) ? 0 : p->issues;
	}
	return c;
}

static const struct kernel *kernel_named(const char *name)
{
	for (unsigned i = 0; i < nkernels; i++)
		if (!strcmp(kernels[i].name, name))
			return &kernels[i];
	fail_msg("no kernel %s", name);
	return NULL;
}

static void issues_branches_and_lanes_are_counted(void **state)
{
	char path[PATH_BYTES], line[256], folder[32], name[32];
	struct counts want;
	double utilisation;
	uint64_t taken;
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/golden_counts.tsv", corpus);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		if (sscanf(line, "%31s %31s %" SCNu64 " %" SCNu64 " %" SCNu64 " %lf %" SCNu64 " %" SCNu64 " %" SCNu64,
			   folder, name, &want.issues, &want.scalar, &want.vector, &utilisation, &want.branches, &taken,
			   &want.barriers) != 9)
			continue;
		const struct kernel *k = kernel_named(name);
		struct wb_program *p = open_kernel(folder, k, true);
		struct wb_diag d = { 0 };
		assert_non_null(p);
		struct wb_launch *l = launch_kernel(p, k, NULL);
		if (wb_launch_run(l, &d) != WB_OK)
			fail_msg("%s/%s: %s", folder, name, d.text);
		struct counts c = count(wb_launch_report(l));
		double u = (double)c.active / (64.0 * (double)c.vector);
		if (c.issues != want.issues || c.scalar != want.scalar || c.vector != want.vector ||
		    c.branches != want.branches || c.barriers != want.barriers || fabs(u - utilisation) > 0.00051)
			fail_msg("%s/%s: %" PRIu64 " issues, %" PRIu64 " scalar, %" PRIu64 " vector, %.4f, %" PRIu64
				 " branches, %" PRIu64 " barriers; expected %s", folder, name, c.issues, c.scalar,
				 c.vector, u, c.branches, c.barriers, line);
		wb_launch_free(l);
		wb_program_free(p);
		n++;
	}
	fclose(f);
	assert_int_equal(n, 60);
}

/* ---- ways to execute ---- */

static char *run_way(const struct wb_program *p, const struct kernel *k, const struct setting *way,
		     const char **execution)
{
	struct wb_launch *l = launch_kernel(p, k, way);
	struct wb_diag d = { 0 };
	enum wb_status status = wb_launch_run(l, &d);
	char *text = outcome(l, status, &d);

	*execution = wb_launch_report(l)->execution.kind;
	wb_launch_free(l);
	return text;
}

static void all_ways_come_to_the_same(void **state)
{
	static const struct {
		const char *name;
		struct setting setting[3];
	} ways[] = {
		{ "in order", { { "in-order", "on" } } }, { "two threads", { { "threads", "2" } } },
		{ "without fast-forward", { { "fast-forward", "off" } } }, { "base", { { "simd", "base" } } },
		{ "slow path", { { "threaded-code", "off" } } },
	};
	unsigned traced = 0, n = 0;
	bool all = getenv("WB_TEST_ALL") != NULL;       /* else two ways of each launch, in turn */
	const char *execution;

	for (unsigned f = 4; f < FOLDERS; f++)
		for (unsigned i = 0; i < nkernels; i++) {
			struct wb_program *p = open_kernel(folders[f], &kernels[i], true);
			char *plain = run_way(p, &kernels[i], NULL, &execution);
			traced += !strcmp(execution, "trace-driven");
			n++;
			for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++) {
				if (!all && w != n % 5 && w != (n + 2) % 5)
					continue;
				char *other = run_way(p, &kernels[i], ways[w].setting, &execution);
				if (strcmp(plain, other))
					fail_msg("%s/%s, %s: differs\n%.1500s\n%.1500s", folders[f], kernels[i].name,
						 ways[w].name, plain, other);
				free(other);
			}
			free(plain);
			wb_program_free(p);
		}
	print_message("%u of %u launches are trace-driven\n", traced, n);
	assert_true(traced >= n * 3 / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_builds_give_what_the_host_computed),
		cmocka_unit_test(issues_branches_and_lanes_are_counted),
		cmocka_unit_test(all_ways_come_to_the_same),
	};
	return cmocka_run_group_tests(tests, read_manifest, NULL);
}
