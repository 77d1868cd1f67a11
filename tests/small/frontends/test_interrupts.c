/* A request to stop: one stop of the work however often its signal arrives within a second, the usual end of a process
 * by a later signal, and the handlers of before at the end. */
#include "tests/kit/cmocka_all.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frontends/cli/interrupts.h"

static volatile sig_atomic_t stops, others;

static void stop(void)
{
	stops++;
}

static void another_handler(int number)
{
	(void)number;
	others++;
}

static void begin(unsigned n)
{
	stops = others = 0;
	interrupts_begin(stop, n);
}

static void after_its_second(void)
{
	nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 100000000}, NULL);
}

/* The wait status of a child that does `work`. */
static int status_of(void (*work)(void))
{
	int status = 0;
	pid_t child = fork();
	if (!child) {
		work();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void the_same_request_twice(void **state)
{
	(void)state;
	begin(INTERRUPTS_ALL);
	raise(SIGTERM);
	raise(SIGTERM);
	raise(SIGHUP);
	assert_int_equal(stops, 1);
	interrupts_end();
	raise(SIGTERM);         /* the answer is being written */
	assert_int_equal(stops, 1);
}

static void a_later_signal(void)
{
	begin(INTERRUPTS_ALL);
	raise(SIGTERM);
	after_its_second();
	raise(SIGTERM);
}

static void a_later_signal_after_the_end(void)
{
	begin(INTERRUPTS_ALL);
	raise(SIGHUP);
	interrupts_end();
	after_its_second();
	raise(SIGTERM);
}

static void later_signals_end_the_process(void **state)
{
	(void)state;
	assert_int_equal(status_of(a_later_signal), SIGTERM);
	assert_int_equal(status_of(a_later_signal_after_the_end), SIGTERM);
}

static void a_signal_with_a_handler(void)
{
	signal(SIGINT, another_handler);
	begin(INTERRUPTS_OF_PROMPT);
	raise(SIGINT);
	after_its_second();
	raise(SIGINT);
	if (stops != 1 || others != 1)
		_exit(4);
	begin(INTERRUPTS_OF_PROMPT);
	interrupts_end();
	raise(SIGINT);
	_exit(stops == 0 && others == 1 ? 3 : 4);
}

static void the_work_before(void)
{
	signal(SIGHUP, SIG_IGN); /* as nohup does */
	begin(INTERRUPTS_ALL);
	raise(SIGHUP);
	_exit(stops == 0 ? 3 : 4);
}

static void a_second_work(void)
{
	begin(INTERRUPTS_OF_PROMPT);
	raise(SIGINT);
	interrupts_end();
	begin(INTERRUPTS_OF_PROMPT);
	raise(SIGINT);
	interrupts_end();
	_exit(stops == 1 ? 3 : 4);
}

static void handlers_of_before(void **state)
{
	(void)state;
	assert_int_equal(WEXITSTATUS(status_of(a_signal_with_a_handler)), 3);
	assert_int_equal(WEXITSTATUS(status_of(the_work_before)), 3);
	assert_int_equal(WEXITSTATUS(status_of(a_second_work)), 3);
}

static void without_a_signal(void)
{
	begin(INTERRUPTS_ALL);
	interrupts_end();
	raise(SIGTERM);
}

static void nothing_stays(void **state)
{
	(void)state;
	assert_int_equal(status_of(without_a_signal), SIGTERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_stays),
		cmocka_unit_test(later_signals_end_the_process),
		cmocka_unit_test(handlers_of_before),
		cmocka_unit_test(the_same_request_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
