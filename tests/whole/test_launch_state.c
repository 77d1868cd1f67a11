/* A launch of a device as a file: run from its state, the launch has the same digest and leaves the same memory, at the
 * same addresses; damaged states are refused. */
#include "tests/kit/launches.h"

#define OK(call) do { \
		struct wb_diag d_ = { 0 }, *d = &d_; \
		if ((call) != WB_OK) \
			fail_msg("%s: %s", #call, d_.text); \
	} while (0)

/* Machines, and kernels: a[thread] += step, and a list: *(*list + 4) = thread. */
static const char tesla_add[] = ".kernel add\n.chip g200\n"
	"mov b16 $r1l u16 s[0x2]\nadd $r0 (mul u16 u16 s[0xc] $r1l) $r0\nshl b32 $r1 $r0 0x2\n"
	"add b32 $r2 b32 s[0x10] $r1\nld b32 $r3 g14[$r2]\nadd b32 $r3 b32 s[0x14] $r3\n"
	"exit st b32 g14[$r2] $r3\n";
static const char gcn_add[] = ".kernel add\n.chip gfx900\n.regs 8\n"
	"s_load_dwordx2 s[6:7], s[0:1], 0x0\ns_load_dword s5, s[0:1], 0x8\ns_lshl_b32 s2, s2, 8\n"
	"v_lshlrev_b32 v1, 2, v0\nv_add_u32 v1, s2, v1\ns_waitcnt lgkmcnt(0)\n"
	"global_load_dword v2, v1, s[6:7]\ns_waitcnt vmcnt(0)\nv_add_u32 v2, s5, v2\n"
	"global_store_dword v1, v2, s[6:7]\ns_endpgm\n";
static const char tesla_list[] = ".kernel list\n.chip g200\nmov b32 $r1 b32 s[0x10]\nld b32 $r2 g14[$r1]\n"
	"add b32 $r2 $r2 0x4\nmov b32 $r3 0x7\nexit st b32 g14[$r2] $r3\n";
/* total += step; *out = total */
static const char ptx_bump[] = ".version 1.4\n.target sm_13\n.global .u32 total = 5;\n.const .u32 step = 3;\n"
	".entry bump(.param .u32 out)\n{\n.reg .u32 %r<6>;\nld.param.u32 %r1, [out];\nld.global.u32 %r2, [total];\n"
	"ld.const.u32 %r3, [step];\nadd.u32 %r2, %r2, %r3;\nst.global.u32 [total], %r2;\n"
	"st.global.u32 [%r1], %r2;\nexit;\n}\n";
static const char tesla_alone[] = ".kernel alone\n.chip g200\nexit nop\n";

static const struct wb_launch_size one_thread = { .grid = { 1 }, .block = { 1 } };

enum { BUFFER_BYTES = 1000 };           /* no multiple of anything: ends are exact */

struct original {
	struct wb_program *program;
	struct wb_device *device;
	struct wb_prepared *kernel;
	struct wb_config *config;
	uint64_t a, b;                  /* buffers behind a gap */
};

/* text NULL: the program with a constant "step" (launches.h). */
static void open_original(struct original *o, const char *chip, const char *text, const char *name)
{
	uint64_t gap, small;
	uint8_t bytes[BUFFER_BYTES];

	o->config = wb_config_new();
	OK(wb_config_set(o->config, "chip", chip, d));
	if (text)
		OK(wb_program_load(text, strlen(text), name, o->config, &o->program, d));
	else
		o->program = load_constant();
	OK(wb_device_new(o->config, &o->device, d));
	OK(wb_memory_alloc(o->device, 70000, &gap, d));
	OK(wb_memory_alloc(o->device, 3, &small, d));
	OK(wb_prepare(o->device, o->program, NULL, &o->kernel, d));
	OK(wb_memory_alloc(o->device, BUFFER_BYTES, &o->a, d));
	OK(wb_memory_alloc(o->device, BUFFER_BYTES, &o->b, d));
	OK(wb_memory_free(o->device, gap, d));
	for (unsigned i = 0; i < BUFFER_BYTES; i++)
		bytes[i] = (uint8_t)(i * 7);
	OK(wb_memory_write(o->device, o->a, bytes, sizeof bytes, d));
	OK(wb_memory_write(o->device, o->b, &o->a, 8, d));
}

static void close_original(struct original *o)
{
	wb_prepared_free(o->kernel);
	wb_device_free(o->device);
	wb_program_free(o->program);
	wb_config_free(o->config);
}

/* A launch of its own with the state. */
static enum wb_status launch_again(struct original *o, const struct wb_text *state, struct wb_launch **l,
				   struct wb_diag *d)
{
	const struct wb_file file = { "s", state->data, state->size };
	enum wb_status status;

	wb_config_files(o->config, &file, 1);
	status = wb_launch_new(o->program, NULL, o->config, l, d);
	if (status == WB_OK && (status = wb_launch_arg(*l, "state=s", d)) != WB_OK) {
		wb_launch_free(*l);
		*l = NULL;
	}
	wb_config_files(o->config, NULL, 0);
	return status;
}

/* Run both and compare digest, cycles and the buffers. */
static void compare(struct original *o, const struct wb_launch_size *size, const void *params, size_t n)
{
	struct wb_launch *first, *again;
	uint8_t x[BUFFER_BYTES], y[BUFFER_BYTES];
	struct wb_text state;

	OK(wb_launch_on(o->device, o->kernel, size, params, n, &first, d));
	OK(wb_launch_state(first, &state, d));
	OK(wb_launch_run(first, d));
	OK(launch_again(o, &state, &again, d));
	wb_text_free(&state);
	OK(wb_launch_run(again, d));
	assert_string_equal(wb_launch_report(again)->digest, wb_launch_report(first)->digest);
	assert_int_equal(wb_launch_nanoseconds(again), wb_launch_nanoseconds(first));
	for (int i = 0; i < 2; i++) {
		OK(wb_memory_read(o->device, i ? o->b : o->a, x, sizeof x, d));
		OK(wb_launch_read(again, "g", i ? o->b : o->a, y, sizeof y, d));
		assert_memory_equal(x, y, sizeof x);
	}
	wb_launch_free(again);
	wb_launch_free(first);
}

static void a_launch_is_the_same_from_its_state(void **state)
{
	static const struct { const char *chip, *text; uint32_t pointer; } adders[] = {
		{ "g200", tesla_add, 4 }, { "gfx900", gcn_add, 8 },
	};
	(void)state;

	for (size_t i = 0; i < sizeof adders / sizeof *adders; i++) {
		struct original o;
		uint8_t params[12];
		uint32_t step = 5;
		open_original(&o, adders[i].chip, adders[i].text, "add.s");
		memcpy(params, &o.a, adders[i].pointer);
		memcpy(params + adders[i].pointer, &step, 4);
		for (int times = 0; times < 2; times++)
			compare(&o, &(struct wb_launch_size){ .grid = { 3 }, .block = { 64 } }, params,
				adders[i].pointer + 4);
		close_original(&o);
	}
}

static void pointers_in_memory_lead_to_the_same_place(void **state)
{
	struct original o;
	(void)state;

	open_original(&o, "g200", tesla_list, "list.s");
	compare(&o, &one_thread, &o.b, 4);
	close_original(&o);
}

static void variables_have_their_values(void **state)
{
	uint32_t total;
	struct original o;
	(void)state;

	open_original(&o, "g200", ptx_bump, "bump.ptx");
	for (int times = 0; times < 2; times++)
		compare(&o, &one_thread, &o.a, 4);
	OK(wb_device_read_variable(o.device, o.program, "total", 0, &total, 4, d));
	assert_int_equal(total, 5 + 3 + 3);
	close_original(&o);
}

static void written_constants_are_kept(void **state)
{
	const uint32_t step = 100;
	uint32_t found;
	struct original o;
	(void)state;

	open_original(&o, "g200", NULL, NULL);
	OK(wb_device_write_variable(o.device, o.program, "step", 0, &step, 4, d));
	compare(&o, &one_thread, &o.a, 4);
	OK(wb_memory_read(o.device, o.a, &found, 4, d));
	assert_int_equal(found, step);
	close_original(&o);
}

static void a_kernel_without_parameters_has_a_state(void **state)
{
	struct original o;
	(void)state;

	open_original(&o, "g200", tesla_alone, "alone.s");
	compare(&o, &(struct wb_launch_size){ .grid = { 2 }, .block = { 32, 2 } }, NULL, 0);
	close_original(&o);
}

/* Every cut, and every byte changed: a status with a text, or a launch that ends. */
static void damaged_states_are_refused(void **state)
{
	struct original o;
	struct wb_launch *l;
	struct wb_text good, bad;
	struct wb_diag why;
	(void)state;

	open_original(&o, "g200", ptx_bump, "bump.ptx");
	OK(wb_config_set(o.config, "max-insns", "1000", d));
	OK(wb_config_set(o.config, "max-memory", "16M", d));
	OK(wb_launch_on(o.device, o.kernel, &one_thread, &o.a, 4, &l, d));
	OK(wb_launch_state(l, &good, d));
	wb_launch_free(l);
	for (size_t n = 0; n < good.size; n += n < 400 ? 1 : 97) {
		bad = (struct wb_text){ good.data, n };
		assert_int_not_equal(launch_again(&o, &bad, &l, &why), WB_OK);
		assert_true(why.text[0]);
	}
	for (size_t i = 0; i < good.size && i < 400; i++)
		for (unsigned with = 1; with < 256; with *= 5) {
			good.data[i] ^= (char)with;
			if (launch_again(&o, &good, &l, &why) == WB_OK) {
				wb_launch_run(l, &why);
				wb_launch_free(l);
			} else {
				assert_true(why.text[0]);
			}
			good.data[i] ^= (char)with;
		}
	wb_text_free(&good);
	close_original(&o);
}

static void a_state_is_of_fresh_launches_of_a_device(void **state)
{
	struct original o;
	struct wb_launch *l;
	struct wb_text text;
	(void)state;

	open_original(&o, "g200", tesla_add, "add.s");
	OK(wb_launch_new(o.program, NULL, o.config, &l, d));
	assert_int_equal(wb_launch_state(l, &text, NULL), WB_USAGE);
	wb_launch_free(l);
	OK(wb_launch_on(o.device, o.kernel, &one_thread, &o.a, 8, &l, d));
	OK(wb_launch_state(l, &text, d));
	OK(wb_launch_run(l, d));
	assert_int_equal(wb_launch_state(l, &(struct wb_text){ 0 }, NULL), WB_USAGE);
	wb_launch_free(l);
	OK(launch_again(&o, &text, &l, d));
	assert_int_equal(wb_launch_arg(l, "u32=5", NULL), WB_USAGE);
	assert_int_equal(wb_launch_arg(l, "state=s", NULL), WB_USAGE);
	wb_launch_free(l);
	wb_text_free(&text);
	close_original(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_launch_is_the_same_from_its_state),
		cmocka_unit_test(pointers_in_memory_lead_to_the_same_place),
		cmocka_unit_test(variables_have_their_values),
		cmocka_unit_test(written_constants_are_kept),
		cmocka_unit_test(a_kernel_without_parameters_has_a_state),
		cmocka_unit_test(damaged_states_are_refused),
		cmocka_unit_test(a_state_is_of_fresh_launches_of_a_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
