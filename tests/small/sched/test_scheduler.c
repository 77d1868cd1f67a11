/* The warp scheduler by example, on a multiprocessor of the test's own (toy_machine.h): when instructions issue, and to
 * which reason each cycle of a warp is charged. */
#include "tests/kit/cmocka_all.h"

#include "tests/kit/toy_machine.h"

static struct toy *begin(const char *program, unsigned warps)
{
	struct toy *t = toy_new(program, POLICY_RR, 1);

	toy_admit(t, warps);
	return t;
}

static struct toy *run(const char *program, unsigned warps)
{
	struct toy *t = begin(program, warps);

	toy_run(t, 1000);
	return t;
}

static void issues_at(const struct toy *t, unsigned k, unsigned slot, uint64_t cycle)
{
	assert_true(k < t->nissues);
	assert_int_equal(t->issue[k].slot, slot);
	assert_int_equal(t->issue[k].cycle, cycle);
}

/* ---- when an instruction issues ---- */

static void independent_instructions_issue_cycle_by_cycle(void **state)
{
	struct toy *t = run("iii", 1);

	(void)state;
	for (unsigned k = 0; k < 3; k++)
		issues_at(t, k, 0, k);
	free(t);
}

static void an_instruction_waits_for_the_result_that_it_reads(void **state)
{
	struct toy *t = run("aa", 1);

	(void)state;
	issues_at(t, 0, 0, 0);
	issues_at(t, 1, 0, TOY_ALU);
	assert_int_equal(t->slot[0].stalls.cycles[STALL_OPERAND], TOY_ALU - 1);
	free(t);
}

static void the_wait_for_a_load_is_of_memory(void **state)
{
	struct toy *t = run("liu", 1);

	(void)state;
	issues_at(t, 1, 0, 1);
	issues_at(t, 2, 0, TOY_LOAD);
	assert_int_equal(t->slot[0].stalls.cycles[STALL_MEMORY], TOY_LOAD - 2);
	assert_int_equal(t->slot[0].stalls.cycles[STALL_OPERAND], 0);
	free(t);
}

static void the_wait_for_a_texture_is_of_textures(void **state)
{
	struct toy *t = run("xiu", 1);

	(void)state;
	issues_at(t, 2, 0, TOY_LOAD);
	assert_int_equal(t->slot[0].stalls.cycles[STALL_TEXTURE], TOY_LOAD - 2);
	assert_int_equal(t->slot[0].stalls.cycles[STALL_MEMORY], 0);
	free(t);
}

static void other_warps_issue_while_one_waits(void **state)
{
	struct toy *t = run("aa", 3);

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		issues_at(t, k, k, k);
		issues_at(t, 3 + k, k, TOY_ALU + k);
	}
	free(t);
}

static void a_busy_unit_makes_the_second_warp_wait(void **state)
{
	struct toy *t = run("s", 2);

	(void)state;
	issues_at(t, 0, 0, 0);
	issues_at(t, 1, 1, TOY_SLOW);
	assert_int_equal(t->slot[1].stalls.cycles[STALL_PIPE], TOY_SLOW);
	assert_int_equal(t->slot[1].stalls.cycles[STALL_NOT_SELECTED], 0);
	free(t);
}

static void a_warp_waits_for_its_next_instruction(void **state)
{
	struct toy *t = toy_new("i", POLICY_RR, 1);

	(void)state;
	sched_admit(&t->s, 0, &t->ops[0], 30);
	toy_run(t, 1000);
	issues_at(t, 0, 0, 30);
	assert_int_equal(t->slot[0].stalls.cycles[STALL_FETCH], 30);
	free(t);
}

/* ---- data that comes later than expected ---- */

static void late_data_delays_a_sleeper(void **state)
{
	struct toy *t = begin("lu", 1);

	(void)state;
	toy_run(t, 2);
	sched_data(&t->s, &(struct sched_access){ .op = &t->ops[0], .age = t->slot[0].age, .slot = 0 }, 50);
	toy_run(t, 1000);
	issues_at(t, 1, 0, 50);
	assert_int_equal(t->slot[0].stalls.cycles[STALL_MEMORY], 49);
	free(t);
}

/* Sleepers beyond the wheel, whose first moves further, and data that comes earlier than other data of the warp. */
static void data_is_late_again_and_again(void **state)
{
	static const struct { unsigned slot; uint64_t at; } data[] = {
		{ 0, 300 }, { 1, 400 }, { 0, 700 }, { 1, 500 }, { 1, 900 }, { 0, 702 }, { 0, 600 },
	};
	struct toy *t = begin("lu", 2);

	(void)state;
	toy_run(t, 5);
	for (unsigned i = 0; i < sizeof data / sizeof *data; i++) {
		unsigned slot = data[i].slot;
		sched_data(&t->s, &(struct sched_access){ .op = &t->ops[0], .age = t->slot[slot].age,
							  .slot = (uint8_t)slot }, data[i].at);
		toy_run(t, 100 * i);    /* time goes on in between */
		assert_int_equal(t->nissues, 2);
	}
	toy_run(t, 2000);
	issues_at(t, 2, 0, 702);
	issues_at(t, 3, 1, 900);
	free(t);
}

static void data_of_a_warp_that_has_left_is_for_nobody(void **state)
{
	struct toy *t = begin("lu", 1);

	(void)state;
	toy_run(t, 2);
	sched_data(&t->s, &(struct sched_access){ .op = &t->ops[0], .age = t->slot[0].age + 1, .slot = 0 }, 50);
	toy_run(t, 1000);
	issues_at(t, 1, 0, TOY_LOAD);
	free(t);
}

/* ---- barriers ---- */

static void warps_meet_at_a_barrier(void **state)
{
	struct toy *t = run("bi", 3);

	(void)state;
	issues_at(t, 2, 2, 2);          /* the final arrival */
	issues_at(t, 3, 0, 2 + TOY_BARRIER);
	assert_int_equal(t->slot[0].stalls.cycles[STALL_BARRIER], 2 + TOY_BARRIER - 1);
	assert_int_equal(t->slot[2].stalls.cycles[STALL_BARRIER], TOY_BARRIER - 1);
	free(t);
}

static void a_warp_that_ends_is_not_waited_for(void **state)
{
	struct toy *t = begin("bi", 2);

	(void)state;
	toy_run(t, 1);                  /* slot 0 has arrived */
	assert_int_equal(sched_leave(&t->s, 1), 1);
	free(t);
}

/* ---- accounts ---- */

static uint64_t sum(const struct stall_row *r)
{
	uint64_t cycles = 0;

	for (unsigned k = 0; k < STALLS; k++)
		cycles += r->cycles[k];
	return cycles;
}

static void each_cycle_of_each_slot_is_charged_once(void **state)
{
	(void)state;
	/* An end right behind the final arrival at the barrier included: its latency is not over then. */
	for (uint64_t end = 1; end < 60; end++) {
		struct toy *t = begin("asbluas", 5);
		toy_run(t, end);
		sched_settle(&t->s, end);
		assert_int_equal(sum(&t->s.total), SLOTS * end);
		free(t);
	}
}

static void why_is_what_the_account_gets(void **state)
{
	struct toy *t = begin("s", 2);

	(void)state;
	assert_int_equal(sched_why(&t->s, 1), STALL_NOT_SELECTED);
	toy_run(t, 1);
	assert_int_equal(sched_why(&t->s, 1), STALL_PIPE);
	free(t);
}

/* Stepping asks for the next slot more often than a run; a ready warp that is asked too early goes to sleep. */
static void the_account_does_not_depend_on_how_often_the_scheduler_is_asked(void **state)
{
	(void)state;
	for (uint64_t stop = 1; stop < 80; stop++)
		for (uint64_t end = stop; end < stop + 6; end++) {
			struct toy *run_on = begin("ssss", 6), *asked = begin("ssss", 6);
			toy_run(run_on, stop);
			toy_run(asked, stop);
			for (unsigned i = 0; i < 6; i++)
				if (is_ready(&asked->s, i) && asked->slot[i].ready_at > asked->s.now)
					sched_not_yet(&asked->s, i);
			for (unsigned i = 0; i < 6; i++)
				if (run_on->s.occupied >> i & 1)
					assert_int_equal(sched_why(&run_on->s, i), sched_why(&asked->s, i));
			sched_settle(&run_on->s, end);
			sched_settle(&asked->s, end);
			assert_memory_equal(&run_on->s.total, &asked->s.total, sizeof asked->s.total);
			free(run_on);
			free(asked);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(independent_instructions_issue_cycle_by_cycle),
		cmocka_unit_test(an_instruction_waits_for_the_result_that_it_reads),
		cmocka_unit_test(the_wait_for_a_load_is_of_memory),
		cmocka_unit_test(the_wait_for_a_texture_is_of_textures),
		cmocka_unit_test(other_warps_issue_while_one_waits),
		cmocka_unit_test(a_busy_unit_makes_the_second_warp_wait),
		cmocka_unit_test(a_warp_waits_for_its_next_instruction),
		cmocka_unit_test(late_data_delays_a_sleeper),
		cmocka_unit_test(data_is_late_again_and_again),
		cmocka_unit_test(data_of_a_warp_that_has_left_is_for_nobody),
		cmocka_unit_test(warps_meet_at_a_barrier),
		cmocka_unit_test(a_warp_that_ends_is_not_waited_for),
		cmocka_unit_test(each_cycle_of_each_slot_is_charged_once),
		cmocka_unit_test(why_is_what_the_account_gets),
		cmocka_unit_test(the_account_does_not_depend_on_how_often_the_scheduler_is_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
