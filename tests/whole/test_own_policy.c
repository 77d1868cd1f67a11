/* A scheduling policy by a callback (wb_config_policy). Round robin, oldest first and greedy, then oldest, written here
 * from what a choice tells, take the cycles of the built-in policies over all examples; the policy's memory goes back
 * in time; an answer that is no candidate ends a run. test_own_policy EXAMPLES */
#include <dirent.h>
#include <stdatomic.h>

#include "tests/kit/launches.h"

static const char *examples;

static unsigned round_robin(void *context, const struct wb_choice *c)
{
	(void)context;
	for (unsigned i = 0; i < c->n; i++)
		if (c->candidate[i].slot > c->previous)
			return i;
	return 0;
}

static unsigned oldest(void *context, const struct wb_choice *c)
{
	unsigned best = 0;

	(void)context;
	for (unsigned i = 1; i < c->n; i++)
		best = c->candidate[i].age < c->candidate[best].age ? i : best;
	return best;
}

static unsigned greedy(void *context, const struct wb_choice *c)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->candidate[i].slot == c->previous)
			return i;
	return oldest(context, c);
}

/* Round robin by the policy's own memory: a word for each SIMD, 1 and the slot that issued last. */
static unsigned remembers(void *context, const struct wb_choice *c)
{
	uint64_t *last = &c->memory[c->simd];
	unsigned chosen = 0;

	(void)context;
	for (unsigned i = 0; i < c->n && *last; i++)
		if (c->candidate[i].slot >= *last) {
			chosen = i;
			break;
		}
	*last = c->candidate[chosen].slot + 1;
	return chosen;
}

static unsigned outside(void *context, const struct wb_choice *c)
{
	atomic_uint *asked = context;

	return ++*asked < 20 ? 0 : c->n;
}

struct mine { const char *word; unsigned (*choose)(void *, const struct wb_choice *); };
static const struct mine all[] = {
	{ "rr", round_robin }, { "oldest", oldest }, { "gto", greedy }, { "rr", remembers },
};

static struct wb_config *configured(const char *threads, const char *policy)
{
	struct wb_config *c = wb_config_new();

	assert_int_equal(wb_config_set(c, "max-cycles", "300000", NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "threads", threads, NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "policy", policy, NULL), WB_OK);
	return c;
}

static char *ran(const struct wb_program *p, const struct wb_config *c)
{
	struct wb_launch *l;
	struct wb_diag d = { 0 };

	if (wb_launch_new(p, NULL, c, &l, &d) != WB_OK)
		fail_msg("%s", d.text);
	enum wb_status status = wb_launch_run(l, &d);
	char *text = outcome(l, status, &d);
	wb_launch_free(l);
	return text;
}

static void compare(const char *file, const struct wb_program *p, const struct mine *mine, const char *threads)
{
	struct wb_config *built_in = configured(threads, mine->word), *own = configured(threads, "youngest");
	char *expected = ran(p, built_in), *found;

	wb_config_policy(own, mine->choose, NULL);
	found = ran(p, own);
	if (strcmp(expected, found) != 0)
		fail_msg("%s, %s threads, %s:\n%s\nbut by a callback:\n%s", file, threads, mine->word, expected, found);
	free(expected);
	free(found);
	wb_config_free(built_in);
	wb_config_free(own);
}

static void examples_take_the_same_cycles(void **state)
{
	DIR *folder = opendir(examples);
	unsigned n = 0;

	(void)state;
	assert_non_null(folder);
	for (const struct dirent *e; (e = readdir(folder));) {
		const char *dot = strrchr(e->d_name, '.');
		struct wb_program *p;
		char path[512];
		if (!dot || strcmp(dot, ".s") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", examples, e->d_name);
		assert_int_equal(wb_program_open(path, NULL, &p, NULL), WB_OK);
		for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
			compare(e->d_name, p, &all[i], "1");
			compare(e->d_name, p, &all[i], "2");
		}
		wb_program_free(p);
		n++;
	}
	closedir(folder);
	assert_in_range(n, 20, 100);
}

/* Loops of different lengths on the four SIMDs of a compute unit. */
static void simds_take_the_same_cycles(void **state)
{
	static const char text[] =
		".kernel k\n.chip gfx900\n.grid 6\n.block 256\n"
		"v_lshrrev_b32 v1, 3, v0\ns_mov_b32 s6, 0\nv_readfirstlane_b32 s7, v1\ns_add_u32 s7, s7, 3\n"
		"again:\nv_mul_lo_u32 v2, v1, v0\nv_add_f32 v3, v2, v2\ns_add_u32 s6, s6, 1\n"
		"s_cmp_lt_u32 s6, s7\ns_cbranch_scc1 again\ns_barrier\nv_mov_b32 v4, v2\ns_endpgm\n";
	struct wb_program *p = load(text);

	(void)state;
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		compare("simds", p, &all[i], "1");
		compare("simds", p, &all[i], "2");
	}
	wb_program_free(p);
}

static struct wb_program *matmul(void)
{
	struct wb_program *p;
	char path[512];

	snprintf(path, sizeof path, "%s/matmul.s", examples);
	assert_int_equal(wb_program_open(path, NULL, &p, NULL), WB_OK);
	return p;
}

static void memory_goes_back_in_time(void **state)
{
	struct wb_program *p = matmul();
	struct wb_config *c = configured("1", "rr");
	struct wb_launch *l;
	struct wb_where at;
	uint64_t middle;

	(void)state;
	wb_config_policy(c, remembers, NULL);
	assert_int_equal(wb_launch_new(p, NULL, c, &l, NULL), WB_OK);
	assert_int_equal(wb_launch_goto(l, 1000, &at, NULL), WB_OK);
	middle = wb_launch_state_hash(l);
	assert_int_equal(wb_launch_goto(l, 3000, &at, NULL), WB_OK);
	assert_int_equal(wb_launch_goto(l, 1000, &at, NULL), WB_OK);
	assert_int_equal(wb_launch_state_hash(l), middle);
	assert_int_equal(wb_launch_goto(l, 10, &at, NULL), WB_OK);
	assert_int_equal(wb_launch_goto(l, 1000, &at, NULL), WB_OK);
	assert_int_equal(wb_launch_state_hash(l), middle);
	wb_launch_free(l);
	wb_config_free(c);
	wb_program_free(p);
}

static void an_answer_outside_ends_the_run(void **state)
{
	struct wb_program *p = matmul();
	struct wb_diag d = { 0 };
	atomic_uint asked = 0;

	(void)state;
	for (unsigned threads = 1; threads <= 2; threads++) {
		struct wb_config *c = configured(threads == 1 ? "1" : "2", "rr");
		struct wb_launch *l;
		wb_config_policy(c, outside, &asked);
		assert_int_equal(wb_launch_new(p, NULL, c, &l, NULL), WB_OK);
		asked = 0;
		assert_int_equal(wb_launch_run(l, &d), WB_USAGE);
		/* A policy that has failed is asked no more; another thread's question may be on its way. */
		assert_in_range(asked, 20, 20 + threads - 1);
		assert_non_null(strstr(d.text, "none of its candidates"));
		assert_non_null(wb_launch_report(l));
		wb_launch_free(l);
		wb_config_free(c);
	}
	wb_program_free(p);
}

static void an_answer_outside_ends_steps(void **state)
{
	struct wb_program *p = matmul();
	struct wb_config *c = configured("1", "rr");
	struct wb_launch *l;
	struct wb_where at;
	struct wb_diag d = { 0 };
	atomic_uint asked = 0;

	(void)state;
	wb_config_policy(c, outside, &asked);
	assert_int_equal(wb_launch_new(p, NULL, c, &l, NULL), WB_OK);
	wb_launch_forward(l, &(struct wb_goal){ .issues = 1000 }, &at, &d);
	assert_in_range(at.issue, 19, 21);
	assert_true(at.over);
	assert_int_equal(wb_launch_report(l)->status, WB_USAGE);
	wb_launch_free(l);
	wb_config_free(c);
	wb_program_free(p);
}

static void no_policy_again(void **state)
{
	struct wb_program *p = matmul();
	struct wb_config *plain = configured("1", "oldest"), *c = configured("1", "oldest");
	char *expected = ran(p, plain), *found;
	atomic_uint asked = 0;

	(void)state;
	wb_config_policy(c, outside, &asked);
	wb_config_policy(c, NULL, NULL);
	found = ran(p, c);
	assert_string_equal(found, expected);
	assert_int_equal(asked, 0);
	free(found);
	free(expected);
	wb_config_free(plain);
	wb_config_free(c);
	wb_program_free(p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_take_the_same_cycles), cmocka_unit_test(simds_take_the_same_cycles),
		cmocka_unit_test(memory_goes_back_in_time), cmocka_unit_test(an_answer_outside_ends_the_run),
		cmocka_unit_test(an_answer_outside_ends_steps),
		cmocka_unit_test(no_policy_again),
	};

	if (argc < 2)
		return 2;
	examples = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
