/* Memory of GCN wavefronts as OpenCL C uses it (tests/gcn/memory.cl), on four generations.
 * Skipped where the host cannot compile OpenCL C. */
#include <unistd.h>

#include "tests/kit/launches.h"

enum { IN_BYTES = 4096, WORDS = 4096 };

static uint8_t in[IN_BYTES];
static char in_arg[64];
static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };

static int make_input(void **state)
{
	char path[] = "/tmp/test_gcn_memoryXXXXXX";
	int fd = mkstemp(path);
	uint32_t v = 1;

	for (unsigned i = 0; i < IN_BYTES; i++)
		in[i] = (uint8_t)((v = v * 1664525 + 1013904223) >> 24);
	assert_true(fd >= 0 && write(fd, in, sizeof in) == (ssize_t)sizeof in);
	close(fd);
	snprintf(in_arg, sizeof in_arg, "in=%s", path);
	return 0;
}

static int remove_input(void **state)
{
	return unlink(in_arg + 3);
}

/* The compiled file: a program for each chip, level and language, which all kernels share. The settings that decide are
 * the first BUILD_SETTINGS. */
enum { BUILD_SETTINGS = 3, BUILDS = 16 };

static struct wb_program *build_of(const struct setting *s, const struct wb_config *c, enum wb_status *status,
				   struct wb_diag *d)
{
	static struct { char settings[64]; struct wb_program *program; } builds[BUILDS];
	char settings[64];
	unsigned i = 0;

	snprintf(settings, sizeof settings, "%s %s %s", s[0].value, s[1].value, s[2].value);
	while (i < BUILDS && builds[i].program && strcmp(builds[i].settings, settings))
		i++;
	assert_true(i < BUILDS);
	*status = WB_OK;
	if (!builds[i].program) {
		memcpy(builds[i].settings, settings, sizeof settings);
		*status = wb_program_open(WB_GCN "/memory.cl", c, &builds[i].program, d);
	}
	return builds[i].program;
}

/* Launch and read the first argument, `out`. */
static void run_kernel(const char *kernel, const struct setting *s, const char *more, void *out, size_t bytes)
{
	struct wb_config *c = wb_config_new();
	const struct wb_program *p;
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };
	char arg[32];
	enum wb_status status;

	for (const struct setting *each = s; each->option; each++)
		if (wb_config_set(c, each->option, each->value, &d) != WB_OK)
			fail_msg("%s", d.text);
	p = build_of(s, c, &status, &d);
	if (status == WB_ENV) {
		print_message("skipped: %s\n", d.text);
		exit(77);
	}
	snprintf(arg, sizeof arg, "zero=%zu", bytes);
	if (status != WB_OK || wb_launch_new(p, kernel, c, &l, &d) != WB_OK || wb_launch_arg(l, arg, &d) != WB_OK ||
	    (more && wb_launch_arg(l, more, &d) != WB_OK) || wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s: %s", kernel, d.text);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, out, bytes, &d), WB_OK);
	wb_launch_free(l);
	wb_config_free(c);
}

/* On each chip from `first` on, optimised and not, in order and not. */
static void on_chips(unsigned first, const char *kernel, const char *grid, const char *block, const char *std,
		     const char *more, size_t bytes, void (*check)(const void *out, const char *chip))
{
	static uint64_t out[WORDS];

	for (unsigned i = first; i < 4; i++)
		for (unsigned way = 0; way < 4; way++) {
			const struct setting s[] = {
				{ "chip", chips[i] }, { "optimize", way & 1 ? "0" : "2" }, { "cl-std", std },
				{ "grid", grid }, { "block", block }, { "in-order", way & 2 ? "on" : "off" },
				{ NULL, NULL },
			};
			assert_true(bytes <= sizeof out);
			run_kernel(kernel, s, more, out, bytes);
			check(out, chips[i]);
		}
}

static uint32_t word_at(unsigned at)
{
	uint32_t v;

	memcpy(&v, in + at, sizeof v);
	return v;
}

static int16_t half_at(unsigned i)
{
	int16_t v;

	memcpy(&v, in + 2 * i, sizeof v);
	return v;
}

static void check_windows(const void *out, const char *chip)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t want = (i & 7) == 7 ? 0 : 5 >> (i & 3) & 1 ? (i ^ 1) * 3 : i + (i & 3);
		if (((const uint32_t *)out)[i] != want)
			fail_msg("%s: word %u", chip, i);
	}
}

static void check_unaligned(const void *out, const char *chip)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t want = in[7 * i] + word_at(7 * i + 1) + (word_at(7 * i + 5) & 0xffff) + word_at(i + 1);
		if (((const uint32_t *)out)[i] != want)
			fail_msg("%s: word %u", chip, i);
	}
}

static void check_narrow(const void *out, const char *chip)
{
	for (uint32_t i = 0; i < 256; i++) {
		int byte = (int8_t)(half_at(i ^ 3) * 3) >> 1, half = (int16_t)(half_at((i & ~63u) + 63 - (i & 63)) * 5);
		if (((const int16_t *)out)[i] != (int16_t)(byte + half))
			fail_msg("%s: half %u", chip, i);
	}
}

static void check_atomics(const void *out, const char *chip)
{
	static const int32_t want[16] = {
		4 * 32640, -255, -1, -1024, 77, 32, 4 * (32640 + 255), 99, 128, 128, 128, 128, 128, 128, 128, 128,
	};

	for (unsigned i = 0; i < 16; i++)
		if (((const int32_t *)out)[i] != want[i])
			fail_msg("%s: word %u is %d, expected %d", chip, i, ((const int32_t *)out)[i], want[i]);
}

static uint64_t private_array(unsigned i)
{
	uint64_t v;
	int32_t words[20];
	uint32_t sum = 0;

	memcpy(&v, in + 8 * i, sizeof v);
	for (int k = 0; k < 20; k++)
		words[k] = (int32_t)(v >> k) ^ k;
	for (int k = 0; k < 20; k++)
		sum += (uint32_t)words[(words[k] & 0x7fffffff) % 20] * (uint32_t)k;
	switch (i % 5) {
	case 0: v *= 7; break;
	case 1: v /= 3 + i; break;
	case 2: v %= 1000003; break;
	case 3: v = (uint64_t)__builtin_popcountll(v) + (uint64_t)__builtin_clzll(v); break;
	default: v = v << 13 | v >> 51;
	}
	return v + (uint64_t)(int64_t)(int32_t)sum;
}

static void check_private_array(const void *out, const char *chip)
{
	for (uint32_t i = 0; i < 256; i++)
		if (((const uint64_t *)out)[i] != private_array(i))
			fail_msg("%s: number %u", chip, i);
}

static void check_sizes(const void *out, const char *chip)
{
	for (uint32_t y = 0; y < 6; y++)
		for (uint32_t x = 0; x < 12; x++)
			if (((const uint32_t *)out)[y * 12 + x] !=
			    (x / 4 | y / 3 << 4 | x % 4 << 8 | y % 3 << 12 | 4 << 16 | 2 << 20))
				fail_msg("%s: %u, %u", chip, x, y);
}

static void flat_pointers_see_lds_and_private_memory(void **state)
{
	on_chips(1, "windows", "4", "64", "CL2.0", "u32=5", 8192, check_windows);
}

static void elements_may_lie_anywhere(void **state)
{
	on_chips(0, "unaligned", "4", "64", "CL1.2", in_arg, 1024, check_unaligned);
}

static void bytes_and_halves(void **state)
{
	on_chips(0, "narrow", "4", "64", "CL1.2", in_arg, 512, check_narrow);
}

static void atomics_of_lds_and_global_memory(void **state)
{
	on_chips(0, "atomics", "4", "256", "CL1.2", NULL, 64, check_atomics);
}

static void private_arrays_and_calls(void **state)
{
	on_chips(0, "private_array", "4", "64", "CL1.2", in_arg, 2048, check_private_array);
}

static void the_dispatch_packet_has_the_sizes(void **state)
{
	on_chips(0, "sizes", "3,2", "4,3", "CL1.2", NULL, 288, check_sizes);
}

/* An argument in words makes no image: a host program does. */
static void images_are_no_words(void **state)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };

	if (wb_program_open(WB_GCN "/memory.cl", c, &p, &d) != WB_OK)
		fail_msg("%s", d.text);
	assert_int_equal(wb_launch_new(p, "with_image", c, &l, &d), WB_OK);
	assert_int_not_equal(wb_launch_arg(l, "zero=64", &d), WB_OK);
	assert_non_null(strstr(d.text, "image"));
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_may_lie_anywhere), cmocka_unit_test(bytes_and_halves),
		cmocka_unit_test(atomics_of_lds_and_global_memory), cmocka_unit_test(private_arrays_and_calls),
		cmocka_unit_test(the_dispatch_packet_has_the_sizes),
		cmocka_unit_test(flat_pointers_see_lds_and_private_memory), cmocka_unit_test(images_are_no_words),
	};
	return cmocka_run_group_tests(tests, make_input, remove_input);
}
