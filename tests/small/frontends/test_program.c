/* frontends/program, as an interface of a whole program calls its functions: each case is a process, since a process
 * is a program. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/kit/cmocka_all.h"
#include "frontends/program/program.h"

static const char text[] =              /* a[thread] = a[thread] + 1 */
	".kernel step\n.chip g200\n"
	"shl b32 $r1 $r0 0x2\nadd b32 $r1 b32 s[0x10] $r1\nld b32 $r2 g14[$r1]\n"
	"add b32 $r2 $r2 0x1\nexit st b32 g14[$r1] $r2\n";

struct host {
	struct program *p;
	struct wb_device *device;
	struct wb_program *source;
	struct program_kernel *kernel;
	uint64_t a;
};

static bool host_open(struct host *h)
{
	struct wb_diag d;
	struct wb_config *c;

	if (!(h->p = program_open("Test")) || !(c = program_config(h->p, program_chip(h->p, "g200"), &d)))
		return false;
	bool good = wb_device_new(c, &h->device, &d) == WB_OK &&
		    wb_program_load(text, strlen(text), "step.s", c, &h->source, &d) == WB_OK &&
		    wb_memory_alloc(h->device, 256, &h->a, &d) == WB_OK &&
		    program_prepare(h->p, h->device, h->source, c, "step", &h->kernel, &d) == WB_OK;
	wb_config_free(c);
	if (!good)
		fprintf(stderr, "%s\n", d.text);
	return good;
}

static enum wb_status launch(struct host *h, uint64_t number, uint64_t address, struct program_result *result)
{
	uint32_t params = (uint32_t)address;
	struct program_launch request = {
		.device = h->device, .kernel = h->kernel, .size = { .grid = { 1 }, .block = { 64 } },
		.params = &params, .param_bytes = sizeof params, .call = "testLaunch", .number = number,
	};

	return program_launch(h->p, &request, result);
}

static uint32_t element(struct host *h, unsigned index)
{
	uint32_t n = 0;

	wb_memory_read(h->device, h->a + 4 * index, &n, sizeof n, NULL);
	return n;
}

/* For AddressSanitizer: the children end as programs do, with all memory allocated. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

/* Run a case in a child with variables ("NAME=VALUE", ended by NULL); its stderr, and its exit code. */
static int in_process(int (*body)(void), char *const *variables, char *said, size_t size)
{
	int ends[2], status;
	size_t n = 0;
	ssize_t got;

	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	pid_t child = fork();
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		for (; *variables; variables++)
			putenv(*variables);
		exit(body());
	}
	close(ends[1]);
	while (n + 1 < size && (got = read(ends[0], said + n, size - n - 1)) > 0)
		n += (size_t)got;
	said[n] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- a launch and its table ---- */

static int three_launches(void)
{
	struct host h = { 0 };
	struct program_result r;

	if (!host_open(&h))
		return 1;
	for (uint64_t i = 1; i <= 3; i++)
		if (launch(&h, i, h.a, &r) != WB_OK || !r.nanoseconds)
			return 2;
	return element(&h, 63) == 3 ? 0 : 3;
}

static void test_table(void **state)
{
	char said[4096];

	(void)state;
	assert_int_equal(in_process(three_launches, (char *[]){ NULL }, said, sizeof said), 0);
	assert_string_equal(said, "");
	assert_int_equal(in_process(three_launches, (char *[]){ (char[]){ "WARPBEAM_TABLE=on" }, NULL }, said,
				    sizeof said), 0);
	assert_non_null(strstr(said, "  step                    1           64         3 "));
}

/* ---- the file of launches ---- */

static char *read_whole(const char *path, char *bytes, size_t size)
{
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	bytes[fread(bytes, 1, size - 1, f)] = '\0';
	fclose(f);
	return bytes;
}

static void test_launches(void **state)
{
	char variable[] = "WARPBEAM_LAUNCHES=launches.test.jsonl", said[4096], first[16384], again[16384];
	const char *path = strchr(variable, '=') + 1;

	(void)state;
	assert_int_equal(in_process(three_launches, (char *[]){ variable, NULL }, said, sizeof said), 0);
	assert_string_equal(said, "");
	read_whole(path, first, sizeof first);
	assert_non_null(strstr(first, "{\"launch\":3,\"kernel\":\"step\",\"chip\":\"g200\",\"grid\":[1,1,1],"
			       "\"block\":[64,1,1],\"offset\":[0,0,0],\"shared_bytes\":0,\"call\":\"testLaunch\","
			       "\"number\":3,\"result\":\"ok\""));
	assert_int_equal(in_process(three_launches, (char *[]){ variable, NULL }, said, sizeof said), 0);
	assert_string_equal(read_whole(path, again, sizeof again), first);
	unlink(path);
}

/* Statistics of the second launch alone. */
static void test_only(void **state)
{
	char variable[] = "WARPBEAM_LAUNCHES=only.test.jsonl", only[] = "WARPBEAM_ONLY=step:2", said[4096], all[16384];
	const char *path = strchr(variable, '=') + 1, *line;

	(void)state;
	assert_int_equal(in_process(three_launches, (char *[]){ variable, only, NULL }, said, sizeof said), 0);
	assert_string_equal(said, "");
	line = read_whole(path, all, sizeof all);
	assert_null(memmem(line, strcspn(line, "\n"), "counters", 8));
	line = strchr(line, '\n') + 1;
	assert_non_null(memmem(line, strcspn(line, "\n"), "counters", 8));
	line = strchr(line, '\n') + 1;
	assert_null(memmem(line, strcspn(line, "\n"), "counters", 8));
	unlink(path);
}

/* ---- bad launches, bad variables ---- */

static int fault(void)
{
	struct host h = { 0 };
	struct program_result r;

	if (!host_open(&h) || launch(&h, 1, 0x7f000000, &r) != WB_FAULT || !r.diag.text[0])
		return 1;
	return launch(&h, 2, h.a, &r) == WB_OK && element(&h, 0) == 1 ? 0 : 2;
}

static void test_fault(void **state)
{
	char said[4096];

	(void)state;
	assert_int_equal(in_process(fault, (char *[]){ NULL }, said, sizeof said), 0);
	/* behind testLaunch the place of the call, as far as the build has the names of functions and lines */
	const char *line = strstr(said, "warpbeam: launch 1, kernel step of step.s, by call 1 of testLaunch");
	assert_non_null(line);
	assert_non_null(strstr(line, ": step.s:"));
}

static void test_bad_variables(void **state)
{
	static const struct { const char *variable, *line; } bad[] = {
		{ "WARPBEAM_CHIP=g999", "WARPBEAM_CHIP is ignored: " },
		{ "WARPBEAM_CHECK=rcae", "WARPBEAM_CHECK is ignored: " },
		{ "WARPBEAM_TIMING=maybe", "WARPBEAM_TIMING is ignored: " },
		{ "WARPBEAM_MAX_SECONDS=-1", "WARPBEAM_MAX_SECONDS is ignored: " },
		{ "WARPBEAM_ONLY=step:0", "WARPBEAM_ONLY is ignored: found " },
		{ "WARPBEAM_ONLY=:1", "WARPBEAM_ONLY is ignored: found " },
		{ "WARPBEAM_TABLE=yes", "WARPBEAM_TABLE is ignored: found " },
		{ "WARPBEAM_LAUNCHES=/nowhere/x", "/nowhere/x: cannot write launches: " },
	};
	char said[4096], variable[64];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snprintf(variable, sizeof variable, "%s", bad[i].variable);
		assert_int_equal(in_process(three_launches, (char *[]){ variable, NULL }, said, sizeof said), 0);
		assert_non_null(strstr(said, bad[i].line));
		assert_ptr_equal(strchr(said, '\n') + 1, said + strlen(said));
	}
}

/* ---- processes and threads ---- */

/* A child forked after the first call has no program, a child forked before has one. */
static int forks(void)
{
	struct host h = { 0 };
	int status;
	pid_t child = fork();

	if (!child)
		_exit(three_launches());
	if (waitpid(child, &status, 0) != child || status)
		return 1;
	if (!host_open(&h))
		return 2;
	if (!(child = fork()))
		exit(program_open("Test") || program_open("Test") ? 1 : 0);
	return waitpid(child, &status, 0) != child || status ? 3 : 0;
}

static void test_fork(void **state)
{
	char said[4096];

	(void)state;
	assert_int_equal(in_process(forks, (char *[]){ (char[]){ "WARPBEAM_TABLE=on" }, NULL }, said, sizeof said), 0);
	assert_string_equal(said, "warpbeam: a child process that was forked after its parent used Test has no "
			    "devices: fork first, or exec in the child\n");
}

static void *launch_often(void *context)
{
	struct host h = { 0 };
	struct program_result r;

	*(bool *)context = host_open(&h);
	for (uint64_t i = 1; i <= 50 && *(bool *)context; i++)
		*(bool *)context = launch(&h, i, h.a, &r) == WB_OK;
	*(bool *)context = *(bool *)context && element(&h, 7) == 50;
	return NULL;
}

static int threads(void)
{
	enum { THREADS = 4 };
	pthread_t thread[THREADS];
	bool good[THREADS], all = true;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, launch_often, &good[i]))
			return 1;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		all = all && good[i];
	}
	return all ? 0 : 2;
}

static void test_threads(void **state)
{
	char said[4096];

	(void)state;
	assert_int_equal(in_process(threads, (char *[]){ (char[]){ "WARPBEAM_TABLE=on" }, NULL }, said, sizeof said),
			 0);
	assert_non_null(strstr(said, " 64       200 "));
}

static void test_names(void **state)
{
	static const struct { const char *place, *kernel; bool names; } rows[] = {
		{ "sum", "sum", true }, { "sum:3", "sum", true }, { "sum", "sums", false }, { "sum:0", "sum", false },
		{ "sum", "_Z3sumPKji", true }, { "_Z3sumPKji", "_Z3sumPKji", true }, { "_Z3sum", "_Z3sumPKji", false },
		{ "sum", "_ZN4math3sumIfEEvPT_", true }, { "math", "_ZN4math3sumIfEEvPT_", false },
		{ "sum", "_Z9999999999sum", false }, { "", "_Z0", false }, { "_Z", "_Z", true },
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (program_names_kernel(rows[i].place, rows[i].kernel) != rows[i].names)
			fail_msg("'%s' and %s", rows[i].place, rows[i].kernel);
	assert_false(program_names_kernel(NULL, "sum"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table), cmocka_unit_test(test_launches), cmocka_unit_test(test_only),
		cmocka_unit_test(test_fault), cmocka_unit_test(test_bad_variables), cmocka_unit_test(test_fork),
		cmocka_unit_test(test_threads), cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
