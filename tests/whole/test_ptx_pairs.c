/* The PTX of decuda's corpus compiled here, beside what NVIDIA's first compiler made of the same text: both are run on
 * the same random inputs, and leave the same in memory. */
#include <math.h>

#include "core/base/rng.h"
#include "tests/kit/launches.h"
#include "tests/kit/shared.h"

enum { PATH_BYTES = 2048, BUFFER_BYTES = 4096, PARAMS = 16, ROUNDS = 4 };

static char folder[PATH_BYTES / 2], table[PATH_BYTES];

struct param { char type[8]; };

/* Texts and programs that differ, by what is said of the corpus; NULL: nothing of the kind. */
static const char *known_difference(const char *name)
{
	static const char *const rows[][2] = {
		{ "test11", "the program multiplies with saturation" }, { "test26", "the program has no presin" },
		{ "test29", "the program repeats its body once" },      { "test32", "the program copies its input" },
		{ "test12", "the program multiplies by 0x3eaaaaab" },   { "sev1mul", "the program multiplies 24 bits" },
		{ "test21const2", "the text loads constants, the program has their addresses" },
		{ "test8div", "the text divides floats, the program integers" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(name, rows[i][0]))
			return rows[i][1];
	return NULL;
}

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t n = 0;

	if (f) {
		if (getdelim(&text, &n, '\0', f) < 0)
			text = NULL;
		fclose(f);
	}
	return text;
}

/* Types of the parameters of the only entry, whose names begin with __cudaparm. */
static unsigned find_params(const char *text, struct param *p)
{
	unsigned n = 0;
	char mark[2];

	for (const char *at = text; n < PARAMS && (at = strstr(at, ".param .")); at++)
		if (at[-1] != '/' && at[-2] != '/' &&
		    sscanf(at, ".param .%7[a-z0-9] %1[_]_cudaparm", p[n].type, mark) == 2)
			n++;
	return n;
}

static void add_argument(struct wb_launch *l, const char *text)
{
	struct wb_diag d = { 0 };

	if (wb_launch_arg(l, text, &d) != WB_OK)
		fail_msg("%s: %s", text, d.text);
}

static void fill(uint64_t *rng, uint32_t *words, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		float x = (float)(int32_t)rng_next(rng) * ldexpf(1, -(int)rng_below(rng, 40));
		uint32_t kind = rng_below(rng, 3);
		memcpy(&words[i], &x, 4);
		words[i] = kind == 0 ? words[i] : kind == 1 ? (uint32_t)rng_next(rng) : rng_below(rng, 100);
	}
}

/* Run one of the pair. `wide`: pointers take eight bytes by themselves. Returns the buffers in `out`; false: the
 * program ran out of instructions, or a fault ended it; *d says why. */
static bool run(const char *path, const struct param *p, unsigned n, uint64_t seed, bool wide, uint32_t *out,
		struct wb_diag *d)
{
	static const struct setting setup[] = { { "grid", "1" },      { "block", "32" },          { "timing", "off" },
						{ "check", "none" },  { "max-insns", "100000" }, { 0 } };
	struct wb_config *c = wb_config_new();
	struct wb_program *program = NULL;
	unsigned at = 0, argument[PARAMS], args = 0, k = 0;
	uint32_t words[BUFFER_BYTES / 4];
	uint64_t rng = seed;
	char text[64];

	assert_int_equal(wb_config_set(c, "chip", "g80", d), WB_OK);
	if (wb_program_open(path, c, &program, d) != WB_OK)
		fail_msg("%s: line %d: %s", path, d->line, d->text);
	wb_config_free(c);
	struct wb_launch *l = launch(program, setup);
	for (unsigned i = 0; i < n; i++) {
		const char *type = p[i].type;
		unsigned bytes = strstr(type, "64") ? 8 : strstr(type, "16") ? 2 : 4;
		for (; !wide && at % bytes; at += 2, args++)
			add_argument(l, "u16=0");
		at += bytes;
		if (bytes == 8) {
			argument[k++] = args++;
			snprintf(text, sizeof text, "zero=%d", BUFFER_BYTES);
			add_argument(l, text);
			if (!wide) {
				add_argument(l, "u32=0");
				args++;
			}
			continue;
		}
		if (*type == 'f')
			snprintf(text, sizeof text, "f32=%.9g", (double)(int32_t)rng_next(&rng) / 1e6);
		else
			snprintf(text, sizeof text, "%s=%u", type, rng_below(&rng, 8));
		add_argument(l, text);
		args++;
	}
	for (unsigned i = 0; i < k; i++) {
		fill(&rng, words, BUFFER_BYTES / 4);
		assert_int_equal(wb_launch_write_arg(l, argument[i], 0, words, BUFFER_BYTES, d), WB_OK);
	}
	bool ended = wb_launch_run(l, d) == WB_OK;
	for (unsigned i = 0; i < k; i++)
		assert_int_equal(wb_launch_read_arg(l, argument[i], 0, out + i * BUFFER_BYTES / 4, BUFFER_BYTES, d),
				 WB_OK);
	wb_launch_free(l);
	wb_program_free(program);
	return ended;
}

static bool same(uint32_t a, uint32_t b)
{
	return a == b || ((a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000);
}

static unsigned compare_pair(const char *name, unsigned *ran)
{
	static uint32_t ours[PARAMS * BUFFER_BYTES / 4], theirs[PARAMS * BUFFER_BYTES / 4];
	char ptx[PATH_BYTES], cubin[PATH_BYTES];
	struct param p[PARAMS];
	struct wb_diag d = { 0 };

	snprintf(ptx, sizeof ptx, "%s/%s.ptx", folder, name);
	snprintf(cubin, sizeof cubin, "%s/%s.cubin", folder, name);
	char *text = slurp(ptx);
	if (!text || known_difference(name) || strstr(text, "\ttex.")) {
		free(text);
		return 0;
	}
	unsigned n = find_params(text, p);
	free(text);
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		memset(ours, 0, sizeof ours);
		memset(theirs, 0, sizeof theirs);
		bool a = run(ptx, p, n, round, true, ours, &d), b = run(cubin, p, n, round, false, theirs, &d);
		if (!a || !b) {
			if (a == b)
				continue;
			print_error("%s: %s ends early: %s\n", name, a ? "NVIDIA's" : "ours", d.text);
			return 1;
		}
		++*ran;
		for (unsigned i = 0; i < sizeof ours / 4; i++)
			if (!same(ours[i], theirs[i])) {
				print_error("%s: word %u of buffer %u: found 0x%x, NVIDIA's 0x%x\n", name,
					    i % (BUFFER_BYTES / 4), i / (BUFFER_BYTES / 4), ours[i], theirs[i]);
				return 1;
			}
	}
	return 0;
}

static void pairs_give_equal_results(void **state)
{
	unsigned wrong = 0, ran = 0, pairs = 0;
	char line[256], name[64];

	skip_without("tesla/decuda");
	shared_path(folder, sizeof folder, "corpus/tesla/decuda");
	shared_path(table, sizeof table, "vectors/ptx/decuda.tsv");
	FILE *f = fopen(table, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		if (*line != '#' && sscanf(line, "%63[^\t]", name) == 1) {
			pairs++;
			wrong += compare_pair(name, &ran);
		}
	fclose(f);
	print_message("%u pairs, %u runs of both\n", pairs, ran);
	assert_int_equal(wrong, 0);
	assert_true(ran > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(pairs_give_equal_results) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
