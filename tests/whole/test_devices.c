/* Devices (section 11 of the header): memory that outlives launches, variables that keep their values, kernels prepared
 * once, and a status with a text for every bad call. */
#include <pthread.h>
#include <time.h>

#include "tests/kit/launches.h"

/* a[i] += b for the thread's element */
static const char tesla_add[] = ".kernel add\n.chip g200\n"
	"mov b16 $r1l u16 s[0x2]\nadd $r0 (mul u16 u16 s[0xc] $r1l) $r0\nshl b32 $r1 $r0 0x2\n"
	"add b32 $r2 b32 s[0x10] $r1\nld b32 $r3 g14[$r2]\nadd b32 $r3 b32 s[0x14] $r3\n"
	"exit st b32 g14[$r2] $r3\n";
static const char gcn_add[] = ".kernel add\n.chip gfx900\n.regs 8\n"
	"s_load_dwordx2 s[6:7], s[0:1], 0x0\ns_load_dword s5, s[0:1], 0x8\ns_lshl_b32 s2, s2, 8\n"
	"v_lshlrev_b32 v1, 2, v0\nv_add_u32 v1, s2, v1\ns_waitcnt lgkmcnt(0)\n"
	"global_load_dword v2, v1, s[6:7]\ns_waitcnt vmcnt(0)\nv_add_u32 v2, s5, v2\n"
	"global_store_dword v1, v2, s[6:7]\ns_endpgm\n";
/* out[lane + 64 wave] = x | y << 8 | z << 16, with the block's width and height behind the pointer */
static const char gcn_threads[] = ".kernel threads\n.chip gfx900\n.regs 8\n"
	"s_load_dwordx2 s[6:7], s[0:1], 0x0\ns_load_dwordx2 s[8:9], s[0:1], 0x8\ns_waitcnt lgkmcnt(0)\n"
	"v_mul_lo_u32 v4, v2, s9\nv_add_u32 v4, v4, v1\nv_mul_lo_u32 v4, v4, s8\nv_add_u32 v4, v4, v0\n"
	"v_and_b32 v4, 0xffffffc0, v4\nv_mbcnt_lo_u32_b32 v3, -1, 0\nv_mbcnt_hi_u32_b32 v3, -1, v3\n"
	"v_or_b32 v3, v3, v4\nv_lshlrev_b32 v3, 2, v3\nv_lshlrev_b32 v1, 8, v1\nv_lshlrev_b32 v2, 16, v2\n"
	"v_or_b32 v5, v0, v1\nv_or_b32 v5, v5, v2\nglobal_store_dword v3, v5, s[6:7]\ns_endpgm\n";
/* total += step; *out = total */
static const char ptx_bump[] = ".version 1.4\n.target sm_13\n.global .u32 total = 5;\n.const .u32 step = 3;\n"
	".entry bump(.param .u32 out)\n{\n.reg .u32 %r<6>;\nld.param.u32 %r1, [out];\nld.global.u32 %r2, [total];\n"
	"ld.const.u32 %r3, [step];\nadd.u32 %r2, %r2, %r3;\nst.global.u32 [total], %r2;\n"
	"st.global.u32 [%r1], %r2;\nexit;\n}\n";
/* *(*list + 4) = 7: a buffer of pointers */
static const char tesla_list[] = ".kernel list\n.chip g200\nmov b32 $r1 b32 s[0x10]\nld b32 $r2 g14[$r1]\n"
	"add b32 $r2 $r2 0x4\nmov b32 $r3 0x7\nexit st b32 g14[$r2] $r3\n";

enum { THREADS = 256, TIMES = 10, STEP = 3 };

#define OK(call) do { \
		struct wb_diag d_ = { 0 }, *d = &d_; \
		if ((call) != WB_OK) \
			fail_msg("%s: %s", #call, d_.text); \
	} while (0)
/* The call fails with `status`, and the text has `part`. */
#define FAILS(code, part, call) do { \
		struct wb_diag d_ = { 0 }, *d = &d_; \
		assert_int_equal(call, code); \
		if (!strstr(d_.text, part)) \
			fail_msg("%s: found \"%s\", expected \"%s\"", #call, d_.text, part); \
	} while (0)

static struct wb_device *device(const char *chip, const struct setting *s)
{
	struct wb_config *c = wb_config_new();
	struct wb_device *v;

	OK(wb_config_set(c, "chip", chip, d));
	for (; s && s->option; s++)
		OK(wb_config_set(c, s->option, s->value, d));
	OK(wb_device_new(c, &v, d));
	wb_config_free(c);
	return v;
}

static const struct wb_launch_size one_thread = { { 1 }, { 1 }, { 0 }, 0 };

static void run(struct wb_device *v, const struct wb_prepared *k, const struct wb_launch_size *size,
		const void *params, size_t n)
{
	struct wb_launch *l;

	OK(wb_launch_on(v, k, size, params, n, &l, d));
	OK(wb_launch_run(l, d));
	assert_string_equal(wb_launch_report(l)->result, "ok");
	wb_launch_free(l);
}

/* A machine with a kernel that adds. */
struct adder {
	const char *chip, *text;
	uint32_t pointer;       /* bytes */
};
static const struct adder adders[] = { { "g200", tesla_add, 4 }, { "gfx900", gcn_add, 8 } };
enum { ADDERS = sizeof adders / sizeof *adders };

static size_t add_params(const struct adder *a, uint64_t address, uint32_t step, uint8_t params[12])
{
	memcpy(params, &address, a->pointer);
	memcpy(params + a->pointer, &step, 4);
	return a->pointer + 4;
}

static const struct wb_launch_size all_threads = { { THREADS / 64 }, { 64 }, { 0 }, 0 };

/* Add STEP to a buffer of 0, 1, 2 … `times` times. */
static void add_often(const struct adder *a, struct wb_device *v, const struct wb_prepared *k, unsigned times,
		      uint32_t found[THREADS])
{
	uint8_t params[12];
	uint64_t address;

	for (uint32_t i = 0; i < THREADS; i++)
		found[i] = i;
	OK(wb_memory_alloc(v, THREADS * 4, &address, d));
	OK(wb_memory_write(v, address, found, THREADS * 4, d));
	for (unsigned i = 0; i < times; i++)
		run(v, k, &all_threads, params, add_params(a, address, STEP, params));
	OK(wb_memory_read(v, address, found, THREADS * 4, d));
}

static void memory_outlives_launches(void **state)
{
	(void)state;
	for (unsigned m = 0; m < ADDERS; m++) {
		struct wb_program *p = load(adders[m].text);
		struct wb_device *v = device(adders[m].chip, NULL);
		struct wb_prepared *k;
		uint32_t found[THREADS];
		OK(wb_prepare(v, p, NULL, &k, d));
		add_often(&adders[m], v, k, TIMES, found);
		for (uint32_t i = 0; i < THREADS; i++)
			assert_int_equal(found[i], i + TIMES * STEP);
		wb_prepared_free(k);
		wb_device_free(v);
		wb_program_free(p);
	}
}

/* Each launch has the report of a launch with memory of its own, the last part apart: warps, warnings, buffers. */
static void a_prepared_kernel_runs_like_a_launch_of_its_own(void **state)
{
	(void)state;
	for (unsigned m = 0; m < ADDERS; m++) {
		const struct setting own[] = { { "chip", adders[m].chip }, { "grid", "4" }, { "block", "64" }, { 0 } };
		struct wb_program *p = load(adders[m].text);
		struct wb_device *v = device(adders[m].chip, NULL);
		struct wb_launch *alone = launch(p, own), *l;
		struct wb_diag none = { 0 };
		struct wb_prepared *k;
		uint8_t params[12];
		uint64_t address;
		char *first, *second;
		OK(wb_launch_arg(alone, "zero=1024", d));
		OK(wb_launch_arg(alone, "u32=3", d));
		OK(wb_launch_run(alone, d));
		OK(wb_prepare(v, p, "add", &k, d));
		OK(wb_memory_alloc(v, 1024, &address, d));
		for (int i = 0; i < 2; i++) {
			OK(wb_launch_on(v, k, &all_threads, params, add_params(&adders[m], address, 3, params), &l, d));
			OK(wb_launch_run(l, d));
			assert_string_equal(wb_launch_report(l)->digest, wb_launch_report(alone)->digest);
			assert_int_equal(wb_launch_nanoseconds(l), wb_launch_nanoseconds(alone));
			assert_true(wb_launch_nanoseconds(l) > 0);
			first = outcome(l, WB_OK, &none);
			second = outcome(alone, WB_OK, &none);
			*strstr(second, "\nwarp ") = *strstr(first, "\nwarp ") = '\0';
			assert_string_equal(first, second);
			free(first);
			free(second);
			wb_launch_free(l);
		}
		wb_launch_free(alone);
		wb_prepared_free(k);
		wb_device_free(v);
		wb_program_free(p);
	}
}

static void shaders_are_prepared_as_well(void **state)
{
	static const char text[] = ".alias p v0\n.alias o o0 as position\n.alias c c0 as (1.0, 2.0, 3.0, 4.0)\n"
		"main:\n\tadd o, c, p\n\tnop\n\tend\n";
	struct wb_device *v = device("pica", NULL);
	struct wb_program *p;
	struct wb_prepared *k;
	struct wb_launch *l;
	(void)state;

	OK(wb_program_load(text, strlen(text), "test.vsh", NULL, &p, d));
	OK(wb_prepare(v, p, NULL, &k, d));
	for (int i = 0; i < 2; i++) {
		float x;
		OK(wb_launch_on(v, k, NULL, NULL, 0, &l, d));
		OK(wb_launch_vertex(l, "v0=0.5,0,0,0", d));
		OK(wb_launch_run(l, d));
		memcpy(&x, wb_launch_output(l, 0), 4);
		assert_true(x == 1.5f);
		wb_launch_free(l);
	}
	FAILS(WB_USAGE, "parameters", wb_launch_on(v, k, NULL, "1234", 4, &l, d));
	wb_prepared_free(k);
	wb_device_free(v);
	wb_program_free(p);
}

static void addresses_stay_and_freed_memory_faults(void **state)
{
	struct wb_program *p = load(tesla_list);
	struct wb_device *v = device("g200", NULL);
	struct wb_prepared *k;
	struct wb_launch *l;
	uint64_t list, a, b, start, bytes;
	uint32_t word;
	(void)state;

	OK(wb_memory_alloc(v, 4, &list, d));
	OK(wb_memory_alloc(v, 300, &a, d));
	OK(wb_memory_write(v, list, &a, 4, d));
	OK(wb_prepare(v, p, NULL, &k, d));
	run(v, k, &one_thread, &list, 4);
	OK(wb_memory_read(v, a + 4, &word, 4, d));
	assert_int_equal(word, 7);
	assert_true(wb_memory_find(v, a + 299, &start, &bytes));
	assert_int_equal(start, a);
	assert_int_equal(bytes, 300);
	assert_false(wb_memory_find(v, a + 300, &start, &bytes));
	FAILS(WB_USAGE, "no allocation begins at", wb_memory_allow(v, a + 4, WB_MEMORY_LOADS, d));
	OK(wb_memory_allow(v, a, WB_MEMORY_LOADS, d));
	OK(wb_memory_allow(v, a, WB_MEMORY_STORES, d));
	OK(wb_memory_free(v, a, d));
	OK(wb_launch_on(v, k, &one_thread, &list, 4, &l, d));
	FAILS(WB_FAULT, "", wb_launch_run(l, d));
	wb_launch_free(l);
	OK(wb_memory_alloc(v, 512, &b, d));
	assert_int_equal(a, b);
	OK(wb_memory_read(v, b + 4, &word, 4, d));
	assert_int_equal(word, 0);
	run(v, k, &one_thread, &list, 4);
	wb_prepared_free(k);
	wb_device_free(v);
	wb_program_free(p);
}

static void memory_is_copied_and_filled(void **state)
{
	enum { BYTES = 200000 };
	struct wb_device *v = device("g200", NULL);
	uint8_t *in = malloc(BYTES), *out = malloc(BYTES), *view;
	uint64_t a;
	(void)state;

	for (int i = 0; i < BYTES; i++)
		in[i] = (uint8_t)(i * 7 + i / 256);
	OK(wb_memory_alloc(v, BYTES, &a, d));
	OK(wb_memory_write(v, a, in, BYTES, d));
	OK(wb_memory_copy(v, a + 5, a, BYTES - 5, d));
	OK(wb_memory_read(v, a, out, BYTES, d));
	assert_memory_equal(out + 5, in, BYTES - 5);
	OK(wb_memory_copy(v, a, a + 5, BYTES - 5, d));
	OK(wb_memory_read(v, a, out, BYTES, d));
	assert_memory_equal(out, in, BYTES - 5);
	OK(wb_memory_fill(v, a + 1, "abc", 3, BYTES - 1, d));
	OK(wb_memory_read(v, a, out, BYTES, d));
	assert_int_equal(out[0], in[0]);
	for (int i = 1; i < BYTES; i++)
		assert_int_equal(out[i], "abc"[(i - 1) % 3]);
	view = wb_memory_view(v, a, 256);
	assert_non_null(view);
	view[1] = 'x';
	OK(wb_memory_read(v, a, out, 2, d));
	assert_int_equal(out[1], 'x');
	assert_null(wb_memory_view(v, a, BYTES + 65536));
	free(in);
	free(out);
	wb_device_free(v);
}

static uint32_t bumped(struct wb_device *v, const struct wb_prepared *k, uint64_t out)
{
	uint32_t word;

	run(v, k, &one_thread, &out, 4);
	OK(wb_memory_read(v, out, &word, 4, d));
	return word;
}

static void variables_keep_their_values(void **state)
{
	struct wb_program *p = load_ptx(ptx_bump, NULL, NULL);
	struct wb_device *v = device("g200", NULL);
	const struct wb_variable_place *at;
	struct wb_prepared *k;
	uint64_t out, address = 0;
	uint32_t word;
	(void)state;

	assert_null(wb_device_variable(v, p, 0));
	OK(wb_device_load(v, p, d));
	OK(wb_device_load(v, p, d));
	for (unsigned i = 0; (at = wb_device_variable(v, p, i)); i++)
		if (!strcmp(at->name, "total")) {
			assert_string_equal(at->space, "g");
			assert_int_equal(at->bytes, 4);
			address = at->address;
		}
	OK(wb_memory_alloc(v, 4, &out, d));
	OK(wb_prepare(v, p, "bump", &k, d));
	assert_int_equal(bumped(v, k, out), 8);
	assert_int_equal(bumped(v, k, out), 11);
	OK(wb_memory_read(v, address, &word, 4, d));
	assert_int_equal(word, 11);
	word = 100;
	OK(wb_device_write_variable(v, p, "total", 0, &word, 4, d));
	assert_int_equal(bumped(v, k, out), 103);
	FAILS(WB_USAGE, "no variable \"steps\"", wb_device_read_variable(v, p, "steps", 0, &word, 4, d));
	FAILS(WB_USAGE, "which has 4", wb_device_read_variable(v, p, "total", 1, &word, 4, d));
	wb_prepared_free(k);
	wb_device_free(v);
	wb_program_free(p);
}

/* A written constant is seen by later launches; a launch whose own memory is written to leaves others alone. */
static void constants_are_written_by_name(void **state)
{
	struct wb_program *p = load_constant();
	struct wb_device *v = device("g200", NULL);
	struct wb_prepared *k;
	struct wb_launch *l;
	uint64_t out;
	uint32_t word = 50;
	(void)state;

	OK(wb_memory_alloc(v, 4, &out, d));
	OK(wb_prepare(v, p, NULL, &k, d));
	assert_int_equal(bumped(v, k, out), 5);
	OK(wb_device_write_variable(v, p, "step", 0, &word, 4, d));
	assert_int_equal(bumped(v, k, out), 50);
	OK(wb_device_read_variable(v, p, "step", 0, &word, 4, d));
	assert_int_equal(word, 50);
	word = 60;
	OK(wb_launch_on(v, k, &one_thread, &out, 4, &l, d));
	OK(wb_launch_prepare(l, d));
	OK(wb_launch_write(l, "c0", 4, &word, 4, d));
	OK(wb_launch_run(l, d));
	wb_launch_free(l);
	OK(wb_memory_read(v, out, &word, 4, d));
	assert_int_equal(word, 60);
	assert_int_equal(bumped(v, k, out), 50);
	wb_prepared_free(k);
	wb_device_free(v);
	wb_program_free(p);
}

/* Another device has variables at other addresses: its launch binds the program once more. */
static void devices_have_variables_of_their_own(void **state)
{
	struct wb_program *p = load_ptx(ptx_bump, NULL, NULL);
	struct wb_device *v = device("g200", NULL), *other = device("g200", NULL);
	struct wb_prepared *k;
	uint64_t out, before;
	(void)state;

	OK(wb_memory_alloc(other, 1000, &before, d));
	OK(wb_prepare(v, p, NULL, &k, d));
	OK(wb_memory_alloc(v, 4, &out, d));
	assert_int_equal(bumped(v, k, out), 8);
	assert_int_equal(bumped(other, k, before), 8);
	assert_int_equal(bumped(v, k, out), 11);
	wb_prepared_free(k);
	wb_device_free(v);
	wb_device_free(other);
	wb_program_free(p);
}

static void a_launch_on_a_device_is_stepped_and_recorded(void **state)
{
	struct wb_program *p = load(tesla_add);
	struct wb_device *v = device("g200", NULL);
	struct wb_prepared *k;
	struct wb_launch *l, *other;
	struct wb_where at;
	struct wb_record recorded;
	uint8_t params[12];
	uint32_t word = 1;
	uint64_t a;
	size_t n;
	(void)state;

	OK(wb_memory_alloc(v, THREADS * 4, &a, d));
	OK(wb_prepare(v, p, NULL, &k, d));
	n = add_params(&adders[0], a, STEP, params);
	OK(wb_launch_on(v, k, &all_threads, params, n, &l, d));
	OK(wb_launch_on(v, k, &all_threads, params, n, &other, d));
	OK(wb_launch_forward(l, &(struct wb_goal){ 0 }, &at, d));
	assert_true(at.over);
	OK(wb_memory_read(v, a, &word, 4, d));
	assert_int_equal(word, STEP);
	FAILS(WB_USAGE, "stepped", wb_memory_write(v, a, &word, 4, d));
	FAILS(WB_USAGE, "stepped", wb_memory_alloc(v, 4, &a, d));
	FAILS(WB_USAGE, "stepped", wb_launch_run(other, d));
	OK(wb_launch_goto(l, 0, &at, d));
	OK(wb_memory_read(v, a, &word, 4, d));
	assert_int_equal(word, 0);
	wb_launch_free(l);
	OK(wb_launch_record(other, 0, NULL, NULL, d));
	OK(wb_launch_run(other, d));
	wb_launch_recorded(other, &recorded);
	assert_true(recorded.events > 0);
	wb_launch_free(other);
	run(v, k, &all_threads, params, n);
	OK(wb_memory_read(v, a, &word, 4, d));
	assert_int_equal(word, 2 * STEP);
	wb_prepared_free(k);
	wb_device_free(v);
	wb_program_free(p);
}

/* The numbers of a launch of an adder's kernel: digest, counters, bill. */
static void take_numbers(const struct adder *a, struct wb_device *v, const struct wb_prepared *k, uint64_t address,
			 char *text, size_t size)
{
	uint8_t params[12];
	struct wb_launch *l;
	size_t n;

	OK(wb_launch_on(v, k, &all_threads, params, add_params(a, address, STEP, params), &l, d));
	OK(wb_launch_run(l, d));
	const struct wb_report *r = wb_launch_report(l);
	n = (size_t)snprintf(text, size, "%s %s %llu %llu", r->result, r->digest, (unsigned long long)r->bill.useful,
			     (unsigned long long)r->bill.absent);
	for (unsigned i = 0; i < r->ncounters && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, " %s=%.17g", r->counters[i].name, r->counters[i].value);
	assert_true(n < size);
	wb_launch_free(l);
}

/* Launches use the memory of launches before, whatever those have left there: large and small, timed and not. */
static void launches_leave_nothing_for_the_next(void **state)
{
	static const struct setting ways[][3] = {
		{ { NULL, NULL } }, { { "timing", "off" } }, { { "threads", "2" } }, { { "stats-level", "full" } },
		{ { "in-order", "on" } }, { { "policy", "gto" } },
	};
	const struct wb_launch_size large = { { 64 }, { 256 }, { 0 }, 0 };
	static char first[8192], next[8192];

	(void)state;
	for (unsigned i = 0; i < ADDERS * sizeof ways / sizeof *ways; i++) {
		const struct adder *a = &adders[i % ADDERS];
		struct wb_program *p = load(a->text);
		struct wb_device *v = device(a->chip, ways[i / ADDERS]);
		struct wb_prepared *k;
		uint64_t address;
		uint8_t params[12];
		OK(wb_prepare(v, p, NULL, &k, d));
		OK(wb_memory_alloc(v, 64 * 256 * 4, &address, d));
		take_numbers(a, v, k, address, first, sizeof first);
		for (unsigned times = 0; times < 3; times++) {
			run(v, k, &large, params, add_params(a, address, STEP, params));
			take_numbers(a, v, k, address, next, sizeof next);
			assert_string_equal(next, first);
		}
		wb_prepared_free(k);
		wb_device_free(v);
		wb_program_free(p);
	}
}

/* Lane by lane, the threads of a block in x, then y, then z. */
static void lanes_have_the_threads_in_order(void **state)
{
	static const uint32_t blocks[][3] = {
		{ 1, 1, 1 }, { 64, 1, 1 }, { 65, 1, 1 }, { 256, 1, 1 }, { 1, 200, 1 }, { 1, 1, 70 }, { 5, 7, 3 },
		{ 16, 4, 4 }, { 64, 2, 2 }, { 3, 1, 70 }, { 70, 3, 1 },
	};
	struct wb_program *p = load(gcn_threads);
	struct wb_device *v = device("gfx900", NULL);
	struct wb_prepared *k;
	uint64_t address;
	uint32_t found[1024];

	(void)state;
	OK(wb_prepare(v, p, NULL, &k, d));
	OK(wb_memory_alloc(v, sizeof found, &address, d));
	for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		const uint32_t *b = blocks[i];
		const struct wb_launch_size size = { { 1, 1, 1 }, { b[0], b[1], b[2] }, { 0 }, 0 };
		struct { uint64_t out; uint32_t width, height; } params = { address, b[0], b[1] };
		run(v, k, &size, &params, sizeof params);
		OK(wb_memory_read(v, address, found, sizeof found, d));
		for (uint32_t t = 0; t < b[0] * b[1] * b[2]; t++)
			assert_int_equal(found[t], t % b[0] | t / b[0] % b[1] << 8 | t / b[0] / b[1] << 16);
	}
	wb_prepared_free(k);
	wb_device_free(v);
	wb_program_free(p);
}

/* Totals are a report's without rows; rows that were made stay. */
static void totals_are_a_report_without_rows(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ADDERS; i++) {
		struct wb_program *p = load(adders[i].text);
		struct wb_device *v = device(adders[i].chip, NULL);
		const struct wb_report *r;
		struct wb_prepared *k;
		struct wb_launch *l;
		struct wb_bill bill;
		struct wb_time time;
		double counters[64] = { 0 };
		unsigned ncounters;
		char digest[sizeof r->digest];
		uint8_t params[12];
		uint64_t a;

		OK(wb_memory_alloc(v, THREADS * 4, &a, d));
		OK(wb_prepare(v, p, NULL, &k, d));
		OK(wb_launch_on(v, k, &all_threads, params, add_params(&adders[i], a, STEP, params), &l, d));
		assert_null(wb_launch_totals(l)->result);
		OK(wb_launch_run(l, d));
		r = wb_launch_totals(l);
		assert_string_equal(r->result, "ok");
		assert_int_equal(r->npcs + r->nbranches + r->nwaits, 0);
		assert_in_range(ncounters = r->ncounters, 10, 64);
		for (unsigned c = 0; c < ncounters; c++)
			counters[c] = r->counters[c].value;
		bill = r->bill, time = r->time;
		memcpy(digest, r->digest, sizeof digest);
		r = wb_launch_report(l);
		assert_true(r->npcs > 2);
		assert_int_equal(r->ncounters, ncounters);
		for (unsigned c = 0; c < ncounters; c++)        /* NaN: not measured */
			assert_memory_equal(&r->counters[c].value, &counters[c], sizeof counters[c]);
		assert_memory_equal(&r->bill, &bill, sizeof bill);
		assert_memory_equal(&r->time, &time, sizeof time);
		assert_string_equal(r->digest, digest);
		assert_true(wb_launch_totals(l)->npcs > 2);
		wb_launch_free(l);
		wb_prepared_free(k);
		wb_device_free(v);
		wb_program_free(p);
	}
}

static void refuses_size(struct wb_device *v, const struct wb_prepared *k, const struct wb_launch_size *size,
			 const char *part)
{
	struct wb_launch *l;

	FAILS(WB_USAGE, part, wb_launch_on(v, k, size, NULL, 0, &l, d));
	assert_null(l);
}

static void bad_calls_have_a_status_and_a_text(void **state)
{
	struct wb_program *tesla = load(tesla_add), *gcn = load(gcn_add);
	const struct setting limit[] = { { "max-memory", "64K" }, { NULL, NULL } };
	struct wb_device *v = device("g200", NULL), *small = device("g200", limit), *none;
	struct wb_config *c = wb_config_new();
	struct wb_prepared *k, *bad;
	struct wb_launch *l;
	uint64_t a, none_there = 0x10;
	uint32_t word;
	(void)state;

	OK(wb_config_set(c, "chip", "g100", d));
	FAILS(WB_USAGE, "g100", wb_device_new(c, &none, d));
	assert_null(none);
	OK(wb_memory_alloc(v, 256, &a, d));
	FAILS(WB_USAGE, "not all are allocated", wb_memory_read(v, none_there, &word, 4, d));
	FAILS(WB_USAGE, "not all are allocated", wb_memory_write(v, a + 255, &word, 4, d));
	FAILS(WB_USAGE, "not all are allocated", wb_memory_copy(v, a, UINT64_MAX - 3, 8, d));
	FAILS(WB_USAGE, "not all are allocated", wb_memory_fill(v, a, &word, 4, SIZE_MAX, d));
	FAILS(WB_USAGE, "pattern of 0 bytes", wb_memory_fill(v, a, &word, 0, 4, d));
	FAILS(WB_USAGE, "no allocation begins", wb_memory_free(v, a + 4, d));
	FAILS(WB_USAGE, "bytes", wb_memory_alloc(v, UINT64_MAX, &a, d));
	FAILS(WB_LIMIT, "--max-memory", wb_memory_alloc(small, 65537, &a, d));
	FAILS(WB_USAGE, "nothing in", wb_device_load(v, gcn, d));
	FAILS(WB_USAGE, "", wb_prepare(v, gcn, NULL, &bad, d));
	assert_null(bad);
	FAILS(WB_USAGE, "none", wb_prepare(v, tesla, "none", &bad, d));
	OK(wb_prepare(v, tesla, NULL, &k, d));
	refuses_size(v, k, &(struct wb_launch_size){ .grid = { 1 }, .block = { 513 } }, "block");
	refuses_size(v, k, &(struct wb_launch_size){ .grid = { 1 }, .block = { 32, 32 } }, "threads");
	refuses_size(v, k, &(struct wb_launch_size){ .grid = { 0 }, .block = { 32 } }, "grid");
	refuses_size(v, k, &(struct wb_launch_size){ .grid = { 1, 1, 2 }, .block = { 32 } }, "grid");
	refuses_size(v, k, &(struct wb_launch_size){ .grid = { 1 }, .block = { 32 }, .offset = { 1 } }, "offset");
	FAILS(WB_USAGE, "parameters", wb_launch_on(v, k, &one_thread, &none_there, SIZE_MAX, &l, d));
	OK(wb_launch_on(v, k, &(struct wb_launch_size){ { 1 }, { 32 }, { 0 }, UINT32_MAX }, NULL, 0, &l, d));
	FAILS(WB_USAGE, "shared memory", wb_launch_run(l, d));
	wb_launch_free(l);
	OK(wb_launch_on(v, k, &one_thread, &none_there, 4, &l, d));
	FAILS(WB_FAULT, "", wb_launch_run(l, d));
	FAILS(WB_USAGE, "run already", wb_launch_run(l, d));
	wb_launch_free(l);
	wb_prepared_free(k);
	wb_prepared_free(NULL);
	wb_device_free(NULL);
	wb_device_free(v);
	v = device("g80", NULL);
	OK(wb_prepare(small, tesla, NULL, &k, d));
	FAILS(WB_USAGE, "g80", wb_launch_on(v, k, &one_thread, NULL, 0, &l, d));
	wb_prepared_free(k);
	wb_device_free(v);
	wb_device_free(small);
	wb_config_free(c);
	wb_program_free(tesla);
	wb_program_free(gcn);
}

static void a_prepared_kernel_describes_itself(void **state)
{
	struct wb_program *p = load_ptx(ptx_bump, NULL, NULL);
	struct wb_device *v = device("g200", NULL);
	const struct wb_prepared_info *info;
	const struct wb_parameter *out;
	struct wb_prepared *k;
	(void)state;

	OK(wb_prepare(v, p, NULL, &k, d));
	info = wb_prepared_info(k);
	assert_string_equal(info->name, "bump");
	assert_string_equal(info->chip, "g200");
	assert_int_equal(info->ptx_target, 13);
	assert_int_equal(info->warp_lanes, 32);
	assert_int_equal(info->nparams, 1);
	assert_int_equal(info->param_bytes, 4);
	assert_int_equal(info->max_threads, 512);
	out = wb_prepared_parameter(k, 0);
	assert_int_equal(out->size, 4);
	assert_int_equal(out->offset, 0);
	assert_null(wb_prepared_parameter(k, 1));
	wb_prepared_free(k);
	wb_device_free(v);
	wb_program_free(p);
}

/* A compiled kernel sees the offset; a machine without a place for one refuses (bad_calls_have_a_status_and_a_text). */
static void threads_begin_at_an_offset(void **state)
{
	static const char text[] = "kernel void k(global uint *out)\n{\n"
		"\tout[get_global_id(0) - get_global_offset(0)] = get_global_id(0) + 1000 * get_global_offset(1);\n}\n";
	const struct wb_launch_size size = { .grid = { 2 }, .block = { 64 }, .offset = { 100, 7 } };
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_device *v;
	struct wb_prepared *k;
	struct wb_diag why;
	uint32_t found[128];
	uint64_t a;
	(void)state;

	OK(wb_config_set(c, "chip", "gfx900", d));
	if (wb_program_load(text, strlen(text), "test.cl", c, &p, &why) == WB_ENV) {
		wb_config_free(c);
		skip();
	}
	assert_non_null(p);
	v = device("gfx900", NULL);
	OK(wb_memory_alloc(v, sizeof found, &a, d));
	OK(wb_prepare(v, p, NULL, &k, d));
	assert_string_equal(wb_prepared_parameter(k, 0)->space, "global");
	run(v, k, &size, &a, 8);
	OK(wb_memory_read(v, a, found, sizeof found, d));
	for (uint32_t i = 0; i < 128; i++)
		assert_int_equal(found[i], i + 100 + 7000);
	wb_prepared_free(k);
	wb_device_free(v);
	wb_program_free(p);
	wb_config_free(c);
}

static void take_log(void *context, const char *text, size_t n)
{
	fwrite(text, 1, n, context);
}

/* The text is new each time: an object from the cache has no compiler to say anything. */
static void logs_of_compilers_are_whole(void **state)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_diag why;
	char text[160], *log = NULL;
	size_t size;
	FILE *to = open_memstream(&log, &size);
	enum wb_status status;
	(void)state;

	snprintf(text, sizeof text, "#warning seen %ld %p\nkernel void k(global int *a) { a[0] = 1; b = 2; }\n",
		 (long)time(NULL), (void *)&p);
	OK(wb_config_set(c, "chip", "gfx900", d));
	wb_config_log(c, take_log, to);
	status = wb_program_load(text, strlen(text), "test.cl", c, &p, &why);
	assert_null(p);
	fclose(to);
	if (status != WB_ENV) {
		assert_int_equal(status, WB_INPUT);
		assert_non_null(strstr(log, "warning: seen"));
		assert_non_null(strstr(log, "undeclared identifier 'b'"));
	}
	free(log);
	wb_config_free(c);
	if (status == WB_ENV)
		skip();
}

static void chips_have_facts(void **state)
{
	struct wb_chip_fact f;
	(void)state;

	OK(wb_chip_find_fact("sm_13", "clock", &f, d));
	assert_int_equal(f.number, 1296000);
	assert_string_equal(f.unit, "kHz");
	OK(wb_chip_find_fact("gfx900", "vendor", &f, d));
	assert_string_equal(f.text, "AMD");
	OK(wb_chip_find_fact("g200", "reconvergence", &f, d));
	assert_string_equal(f.text, "stack");
	OK(wb_chip_find_fact("g200", "told_capability", &f, d));
	assert_int_equal(f.number, 13);
	OK(wb_chip_find_fact("v100", "told_capability", &f, d));
	assert_int_equal(f.number, 70);
	OK(wb_chip_find_fact("v100", "reconvergence", &f, d));
	assert_string_equal(f.text, "barriers");
	OK(wb_chip_find_fact("g200", "multiprocessors", &f, d));
	assert_int_equal(f.number, 30);
	FAILS(WB_USAGE, "no fact", wb_chip_find_fact("g200", "colour", &f, d));
	FAILS(WB_USAGE, "g100", wb_chip_find_fact("g100", "clock", &f, d));
	assert_false(wb_chip_fact("g100", 0, &f));
	assert_false(wb_chip_fact("g200", 1000, &f));
}

struct worker {
	pthread_t thread;
	struct wb_device *device;
	const struct wb_prepared *kernel;
	uint32_t found[THREADS];
};

static void *work(void *context)
{
	struct worker *w = context;

	add_often(&adders[0], w->device, w->kernel, 2 * TIMES, w->found);
	return NULL;
}

static void threads_share_a_prepared_kernel(void **state)
{
	struct wb_program *p = load(tesla_add);
	struct worker w[2];
	struct wb_prepared *k = NULL;
	(void)state;

	for (int i = 0; i < 2; i++)
		w[i].device = device("g200", NULL);
	OK(wb_prepare(w[0].device, p, NULL, &k, d));
	for (int i = 0; i < 2; i++) {
		w[i].kernel = k;
		assert_int_equal(pthread_create(&w[i].thread, NULL, work, &w[i]), 0);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(w[i].thread, NULL);
	assert_memory_equal(w[0].found, w[1].found, sizeof w[0].found);
	assert_int_equal(w[0].found[7], 7 + 2 * TIMES * STEP);
	wb_prepared_free(k);
	for (int i = 0; i < 2; i++)
		wb_device_free(w[i].device);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_outlives_launches),
		cmocka_unit_test(a_prepared_kernel_runs_like_a_launch_of_its_own),
		cmocka_unit_test(shaders_are_prepared_as_well),
		cmocka_unit_test(addresses_stay_and_freed_memory_faults),
		cmocka_unit_test(memory_is_copied_and_filled),
		cmocka_unit_test(variables_keep_their_values),
		cmocka_unit_test(constants_are_written_by_name),
		cmocka_unit_test(devices_have_variables_of_their_own),
		cmocka_unit_test(a_launch_on_a_device_is_stepped_and_recorded),
		cmocka_unit_test(launches_leave_nothing_for_the_next),
		cmocka_unit_test(lanes_have_the_threads_in_order),
		cmocka_unit_test(totals_are_a_report_without_rows),
		cmocka_unit_test(bad_calls_have_a_status_and_a_text),
		cmocka_unit_test(a_prepared_kernel_describes_itself),
		cmocka_unit_test(threads_begin_at_an_offset),
		cmocka_unit_test(logs_of_compilers_are_whole),
		cmocka_unit_test(chips_have_facts),
		cmocka_unit_test(threads_share_a_prepared_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
