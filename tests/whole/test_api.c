/* The promises of include/warpbeam.h for every function: the meaning of NULL, refusals, and the calls that a launch
 * allows in each state. */
#include "tests/kit/launches.h"

static const char two_blocks[] = HEAD ".block 64\n.grid 2\nmov b32 $r1 0x7\nadd b32 $r1 $r1 $r0\nexit nop\n";
static const struct setting defaults[] = { { NULL, NULL } };

static void the_version_is_that_of_the_header(void **state)
{
	char text[32];

	(void)state;
	snprintf(text, sizeof text, "%d.%d.%d", WB_VERSION_MAJOR, WB_VERSION_MINOR, WB_VERSION_PATCH);
	assert_string_equal(wb_version(), text);
	assert_int_equal(wb_abi(), WB_ABI_VERSION);
}

static void every_free_takes_null(void **state)
{
	(void)state;
	wb_config_free(NULL);
	wb_program_free(NULL);
	wb_launch_free(NULL);
	wb_text_free(NULL);
	wb_listing_free(NULL);
	wb_events_close(NULL);
	assert_int_equal(wb_output_close(NULL, true, NULL), WB_OK);
}

static void names_end_where_their_numbers_do(void **state)
{
	(void)state;
	assert_string_equal(wb_stage_name(WB_STAGE_FRAGMENT, true), "fragments");
	assert_null(wb_stage_name((enum wb_stage)(WB_STAGE_FRAGMENT + 1), false));
	assert_null(wb_stall_text(1000));
}

static void a_configuration_that_is_null_has_all_defaults(void **state)
{
	const uint32_t nop[2] = { 0xf0000001, 0xe0000001 };
	struct wb_program *p = NULL;
	struct wb_launch *l = NULL;
	struct wb_listing list;
	struct wb_text out;
	uint32_t word[4];
	unsigned n;
	char text[80];

	(void)state;
	assert_int_equal(wb_program_load(two_blocks, strlen(two_blocks), "k.s", NULL, &p, NULL), WB_OK);
	assert_int_equal(wb_launch_new(p, NULL, NULL, &l, NULL), WB_OK);
	assert_int_equal(wb_launch_run(l, NULL), WB_OK);
	assert_int_equal(wb_disassemble(p, NULL, 0, &out, NULL), WB_OK);
	wb_text_free(&out);
	assert_int_equal(wb_program_listing(p, 0, NULL, 0, &list, NULL), WB_OK);
	assert_int_equal(list.n, 3);
	wb_listing_free(&list);
	assert_int_equal(wb_program_lint(p, 0, NULL, &out, NULL), WB_OK);
	wb_text_free(&out);
	assert_int_equal(wb_dis_words(NULL, nop, 2, 0, text, sizeof text), WB_OK);
	assert_int_equal(wb_asm_line(NULL, "nop", word, &n, NULL), WB_OK);
	assert_int_equal(wb_assemble(NULL, two_blocks, strlen(two_blocks), "k.s", "raw", &out, NULL), WB_OK);
	wb_text_free(&out);
	wb_launch_free(l);
	wb_program_free(p);
}

static void a_failure_leaves_nothing_to_free(void **state)
{
	struct wb_program *p = load(two_blocks), *bad = p;
	struct wb_launch *l = (struct wb_launch *)p;
	struct wb_diag d;

	(void)state;
	assert_int_equal(wb_program_open("/nowhere/k.s", NULL, &bad, &d), WB_ENV);
	assert_null(bad);
	assert_int_equal(d.status, WB_ENV);
	assert_int_equal(wb_launch_new(p, "another", NULL, &l, &d), WB_USAGE);
	assert_null(l);
	wb_program_free(p);
}

/* Queries of an unprepared launch return nothing. */
static void a_launch_that_has_not_begun_can_be_looked_at(void **state)
{
	struct wb_program *p = load(two_blocks);
	struct wb_launch *l = launch(p, defaults);
	uint32_t value[WB_LANES], bytes = 1;
	uint64_t done, all;
	struct wb_machine m;
	struct wb_where at;
	struct wb_warp w;
	struct wb_stack e;
	struct wb_barrier b;
	struct wb_lock k;
	struct wb_access a;
	struct wb_record r;
	struct wb_chunk c;
	struct wb_break s;
	struct wb_diag d;

	(void)state;
	wb_launch_machine(l, &m);
	assert_int_equal(m.lanes, 32);
	wb_launch_where(l, &at);
	assert_false(at.over || at.began);
	wb_launch_progress(l, &done, &all);
	assert_int_equal(all - done, 2);
	wb_launch_work(l, &done, &all);
	assert_true(!done && !all);
	assert_false(wb_launch_warp(l, 0, 0, &w) || wb_launch_find_warp(l, 0, 0, &w));
	assert_false(wb_launch_stack(l, 0, 0, 0, &e) || wb_launch_barrier(l, 0, 0, 0, &b));
	assert_false(wb_launch_lock(l, 0, 0, 0, &k) || wb_launch_access(l, 0, &a) || wb_launch_breaks(l, 0, &s));
	assert_null(wb_launch_shared(l, 0, 0, &bytes));
	assert_int_equal(bytes, 0);
	assert_int_equal(wb_launch_cycle(l, 0), 0);
	assert_int_equal(wb_launch_read_register(l, 0, 0, "$r0", value, &d), WB_USAGE);
	assert_int_equal(wb_launch_read(l, "s", 0, value, 4, &d), WB_USAGE);
	wb_launch_recorded(l, &r);
	assert_int_equal(r.events, 0);
	assert_false(wb_launch_chunk(l, 0, &c));
	assert_null(wb_launch_report(l)->result);
	assert_null(wb_launch_output(l, 0));
	assert_null(wb_launch_primitive(l, 0));
	wb_launch_free(l);
	wb_program_free(p);
}

/* By name, of any resident warp or the last of its slot, with lanes beyond the machine's as 0. */
static void a_register_is_read_by_its_name_in_every_lane(void **state)
{
	struct wb_program *p = load(two_blocks);
	struct wb_launch *l = launch(p, defaults);
	uint32_t value[WB_LANES];
	struct wb_diag d;

	(void)state;
	assert_int_equal(wb_launch_run(l, NULL), WB_OK);
	memset(value, 0xff, sizeof value);
	assert_int_equal(wb_launch_read_register(l, 1, 1, "r1", value, NULL), WB_OK);
	for (unsigned lane = 0; lane < WB_LANES; lane++)
		assert_int_equal(value[lane], lane < 32 ? 7 + 32 + lane : 0);
	assert_int_equal(wb_launch_read_register(l, 0, 0, "$r1", value, NULL), WB_OK);
	assert_int_equal(value[31], 7 + 31);
	assert_int_equal(wb_launch_read_register(l, 1, 1, "$r1.x", value, &d), WB_USAGE);
	assert_string_equal(d.text, "found \"$r1.x\", expected a register of machine tesla that the warp has");
	assert_int_equal(wb_launch_read_register(l, 1, 2, "$r1", value, &d), WB_USAGE);
	assert_int_equal(wb_launch_read_register(l, 2, 0, "$r1", value, &d), WB_USAGE);
	assert_non_null(strstr(d.text, "block 2 warp 0"));
	wb_launch_free(l);
	wb_program_free(p);
}

static uint64_t counter(struct wb_launch *l, const char *name)
{
	const struct wb_report *r = wb_launch_report(l);

	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return (uint64_t)r->counters[i].value;
	fail_msg("no counter %s", name);
	return 0;
}

static void work_is_all_the_instructions_at_the_end(void **state)
{
	static const struct setting settings[][2] = {
		{ { NULL, NULL } }, { { "in-order", "on" }, { NULL, NULL } }, { { "timing", "off" }, { NULL, NULL } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct wb_program *p = load(two_blocks);
		struct wb_launch *l = launch(p, settings[i]);
		uint64_t executed, expected;
		struct wb_diag d;

		assert_int_equal(wb_launch_run(l, &d), WB_OK);
		wb_launch_work(l, &executed, &expected);
		assert_int_equal(expected, i ? 0 : counter(l, "instructions"));
		assert_int_equal(executed, counter(l, "instructions"));
		wb_launch_free(l);
		wb_program_free(p);
	}
}

static void a_register_is_set_before_the_launch_is_prepared_or_not_at_all(void **state)
{
	struct wb_program *p = load(two_blocks);
	struct wb_launch *l = launch(p, defaults);
	uint32_t value[WB_LANES];
	struct wb_diag d;

	(void)state;
	assert_int_equal(wb_launch_set_reg(l, 1, 1, "r", 0, 3, 1000, &d), WB_OK);
	assert_int_equal(wb_launch_prepare(l, &d), WB_OK);
	assert_int_equal(wb_launch_set_reg(l, 1, 1, "r", 0, 4, 2000, &d), WB_USAGE);
	assert_int_equal(wb_launch_run(l, &d), WB_OK);
	assert_int_equal(wb_launch_read_register(l, 1, 1, "$r1", value, NULL), WB_OK);
	assert_int_equal(value[3], 1007);
	assert_int_not_equal(value[4], 2007);
	assert_int_equal(wb_launch_run(l, &d), WB_USAGE);
	wb_launch_free(l);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_version_is_that_of_the_header),
		cmocka_unit_test(every_free_takes_null),
		cmocka_unit_test(names_end_where_their_numbers_do),
		cmocka_unit_test(a_configuration_that_is_null_has_all_defaults),
		cmocka_unit_test(a_failure_leaves_nothing_to_free),
		cmocka_unit_test(a_launch_that_has_not_begun_can_be_looked_at),
		cmocka_unit_test(a_register_is_read_by_its_name_in_every_lane),
		cmocka_unit_test(work_is_all_the_instructions_at_the_end),
		cmocka_unit_test(a_register_is_set_before_the_launch_is_prepared_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
