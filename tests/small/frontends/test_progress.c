/* The line of progress: units, rates, and the time left by the first work that has begun and is not over. */
#include "tests/kit/cmocka_all.h"
#include "frontends/cli/progress.h"

static void expect(const char *text, const struct progress_work *work, unsigned works, double seconds)
{
	char out[256];

	progress_text(out, sizeof out, work, works, seconds);
	assert_string_equal(out, text);
}

static void nothing_is_known_at_first(void **state)
{
	const struct progress_work work[] = { { "blocks", 0, 64, false, 0 }, { "instructions", 0, 0, true, 0 } };

	(void)state;
	expect("0 of 64 blocks, 1 s", work, 2, 1);
}

static void instructions_move_while_no_block_ends(void **state)
{
	const struct progress_work unknown[] = {
		{ "blocks", 0, 64, false, 0 }, { "instructions", 3000000, 0, true, 0 },
	};
	const struct progress_work work[] = {
		{ "blocks", 0, 64, false, 0 }, { "instructions", 41234567, 335545088, true, 0 },
	};

	(void)state;
	expect("0 of 64 blocks, 3.0 M instructions (1.5 M a second), 2 s", unknown, 2, 2);
	expect("0 of 64 blocks, 41.2 M of about 335.5 M instructions (10.3 M a second), 4 s, about 29 s left",
	       work, 2, 4);
}

static void blocks_say_more_than_instructions(void **state)
{
	const struct progress_work work[] = {
		{ "blocks", 16, 64, false, 0 }, { "instructions", 99949, 99949, true, 0 },
	};
	const struct progress_work timed[] = { { "blocks", 0, 64, false, 0 }, { "instructions", 9999, 9999, true, 0 } };

	(void)state;
	expect("16 of 64 blocks (1.6 a second), 99.9 k of about 99.9 k instructions (9995 a second), 10 s, "
	       "about 30 s left", work, 2, 10);
	expect("0 of 64 blocks, 9999 of about 9999 instructions (100 a second), 100 s", timed, 2, 100);
}

static void a_long_time_left_is_in_minutes(void **state)
{
	const struct progress_work points = { "points", 1, 1001, false, 0 };

	(void)state;
	expect("1 of 1001 points (0.5 a second), 2 s, about 33 min left", &points, 1, 2);
	expect("1 of 1001 points (1 a second), 1 s, about 17 min left", &points, 1, 1);
}

static void work_of_an_earlier_process_took_no_time(void **state)
{
	const struct progress_work work[] = {
		{ "blocks", 16, 64, false, 16 }, { "instructions", 6000, 9000, false, 4000 },
	};

	(void)state;
	expect("16 of 64 blocks, 6000 of 9000 instructions (1000 a second), 2 s, about 3 s left", work, 2, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_known_at_first),
		cmocka_unit_test(instructions_move_while_no_block_ends),
		cmocka_unit_test(blocks_say_more_than_instructions),
		cmocka_unit_test(a_long_time_left_is_in_minutes),
		cmocka_unit_test(work_of_an_earlier_process_took_no_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
