/* Entries of a scoreboard, as a reader of sched/issue.h counts on them: an entry keeps cycle and reason apart, the
 * latest of several is their maximum, and between results of one cycle a load's counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sched/scoreboard.h"

static void an_entry_has_a_cycle_and_a_reason(void **state)
{
	(void)state;
	assert_int_equal(result_cycle(result_entry(24, 0)), 24);
	assert_int_equal(result_cycle(result_entry(24, RESULT_MEMORY)), 24);
	assert_int_equal(result_kind(result_entry(25, RESULT_OPERAND)), RESULT_OPERAND);
	assert_int_equal(result_kind(result_entry(24, RESULT_TEXTURE)), RESULT_TEXTURE);
	assert_int_equal(result_stall(RESULT_MEMORY), STALL_MEMORY);
	assert_int_equal(result_stall(RESULT_TEXTURE), STALL_TEXTURE);
}

static void the_latest_entry_is_the_maximum(void **state)
{
	uint64_t alu = result_entry(24, 0), load = result_entry(24, RESULT_MEMORY), later = result_entry(25, 0);

	(void)state;
	assert_true(load > alu);
	assert_true(later > load);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_has_a_cycle_and_a_reason), cmocka_unit_test(the_latest_entry_is_the_maximum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
