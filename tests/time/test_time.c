/* Time changes nothing but time: every example under every policy gives the same memory as without timing, the reasons
 * sum to warp slots × cycles, for each warp and in all, and the bill balances. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"

#include "warpbeam.h"

#ifndef WB_EXAMPLES
#error "WB_EXAMPLES names the folder of the gallery"
#endif

static const char *const policies[] = { "rr", "oldest", "gto", "two-level", "youngest", "random" };
enum { POLICIES = sizeof policies / sizeof *policies, EXAMPLES_MAX = 64 };

struct outcome {
	enum wb_status status;
	uint64_t memory;        /* hash of all buffers */
	double cycles;
};

static uint64_t hash(uint64_t h, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3ull;
	return h;
}

static uint64_t sum(const uint64_t v[WB_STALLS])
{
	uint64_t s = 0;

	for (unsigned i = 0; i < wb_stalls(); i++)
		s += v[i];
	return s;
}

static void balances(const struct wb_report *r, const char *name, bool timed)
{
	const struct wb_bill *b = &r->bill;
	uint64_t parts =
		b->useful + b->predicated + b->branched_off + b->brk + b->ret + b->exited + b->absent + b->rejoin +
		r->bill.helper;
	uint64_t lost = 0;

	if (parts != b->lane_slots)
		fail_msg("%s: the bill's parts are %lu of %lu lane slots", name, (unsigned long)parts,
			 (unsigned long)b->lane_slots);
	for (unsigned i = 0; i < r->nbranches; i++)
		lost += r->branches[i].lost;
	assert_int_equal(lost, b->branched_off + b->brk + b->ret + b->exited);
	if (!timed)
		return;
	if (sum(r->time.stalls) != r->time.slot_cycles)
		fail_msg("%s: reasons sum to %lu of %lu slot cycles", name, (unsigned long)sum(r->time.stalls),
			 (unsigned long)r->time.slot_cycles);
	for (unsigned i = 0; i < r->nwarps; i++)
		if (sum(r->warps[i].stalls) != r->warps[i].cycles)
			fail_msg("%s: block %u warp %u: reasons sum to %lu of %lu cycles", name, r->warps[i].block,
				 r->warps[i].warp, (unsigned long)sum(r->warps[i].stalls),
				 (unsigned long)r->warps[i].cycles);
}

static struct outcome run_with(const char *path, const char *policy, const char *mps)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_launch *l = NULL;
	struct wb_diag d;
	struct outcome o = { .memory = 1 };

	assert_int_equal(wb_config_set(c, "timing", policy ? "on" : "off", NULL), WB_OK);
	if (policy)
		assert_int_equal(wb_config_set(c, "policy", policy, NULL), WB_OK);
	if (mps)
		assert_int_equal(wb_config_set(c, "mps", mps, NULL), WB_OK);
	if (wb_program_open(path, c, &p, &d) != WB_OK || wb_launch_new(p, NULL, c, &l, &d) != WB_OK)
		fail_msg("%s: %s", path, d.text);
	o.status = wb_launch_run(l, &d);
	const struct wb_report *r = wb_launch_report(l);
	balances(r, path, policy != NULL);
	for (unsigned i = 0; i < 16; i++) {
		size_t n = wb_launch_arg_bytes(l, i);
		uint8_t *bytes = malloc(n + 1);
		if (wb_launch_read_arg(l, i, 0, bytes, n, NULL) == WB_OK)
			o.memory = hash(o.memory, bytes, n);
		free(bytes);
	}
	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, "cycles"))
			o.cycles = r->counters[i].value;
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
	return o;
}

static struct outcome run(const char *path, const char *policy)
{
	return run_with(path, policy, NULL);
}

struct gallery {
	char path[EXAMPLES_MAX][512];
	int n;
};

static void find_gallery(struct gallery *g)
{
	DIR *dir = opendir(WB_EXAMPLES);
	struct dirent *e;

	assert_non_null(dir);
	g->n = 0;
	while ((e = readdir(dir)))
		if (strlen(e->d_name) > 2 && !strcmp(e->d_name + strlen(e->d_name) - 2, ".s") && g->n < EXAMPLES_MAX)
			snprintf(g->path[g->n++], sizeof g->path[0], "%s/%s", WB_EXAMPLES, e->d_name);
	closedir(dir);
	assert_true(g->n > 0);
}

/* Examples with an order of events as the outcome, not memory. */
static bool order_matters(const char *path)
{
	return strstr(path, "livelock") || strstr(path, "race");
}

static void results_do_not_depend_on_time(void **state)
{
	static struct gallery g;

	(void)state;
	find_gallery(&g);
	for (int i = 0; i < g.n; i++) {
		struct outcome free_run = run(g.path[i], NULL);
		for (int k = 0; k < POLICIES; k++) {
			struct outcome timed = run(g.path[i], policies[k]);
			if (order_matters(g.path[i]))
				continue;
			if (timed.status != free_run.status || timed.memory != free_run.memory)
				fail_msg("%s under %s: status %d, expected %d, or other memory", g.path[i], policies[k],
					 timed.status, free_run.status);
		}
	}
}

/* Two policies that differ only in name are a defect: a kernel with different cycles for each pair. */
static void policies_differ(void **state)
{
	double cycles[POLICIES];

	(void)state;
	for (int k = 0; k < POLICIES; k++)
		cycles[k] = run_with(WB_EXAMPLES "/mandelbrot.s", policies[k], "1").cycles;
	for (int i = 0; i < POLICIES; i++)
		for (int k = i + 1; k < POLICIES; k++)
			if (cycles[i] == cycles[k])
				fail_msg("%s and %s both take %g cycles", policies[i], policies[k], cycles[i]);
}

static void same_run_same_cycles(void **state)
{
	static struct gallery g;

	(void)state;
	find_gallery(&g);
	for (int i = 0; i < g.n; i++)
		assert_true(run(g.path[i], "rr").cycles == run(g.path[i], "rr").cycles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_do_not_depend_on_time),
		cmocka_unit_test(same_run_same_cycles),
		cmocka_unit_test(policies_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
