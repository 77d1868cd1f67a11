/* Stalls by instruction: over all examples, of Tesla, PICA and GCN, the instructions' stalls sum to the report's, and
 * with --producers so do the causes of waits, precisely and by traces alike. test_producers EXAMPLES */
#include <dirent.h>

#include "tests/kit/launches.h"
#include "tests/kit/sample.h"

static const char *examples;

static const struct setting plain[] = { { NULL, NULL } };
static const struct setting traced[] = { { "producers", "on" }, { "max-cycles", "2000000" }, { NULL, NULL } };
static const struct setting precise[] = {
	{ "producers", "on" }, { "max-cycles", "2000000" }, { "in-order", "on" }, { NULL, NULL }
};
static const struct setting threads[] = {
	{ "producers", "on" }, { "max-cycles", "2000000" }, { "threads", "2" }, { NULL, NULL }
};

static uint64_t by_pc(const struct wb_report *r, unsigned reason)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < r->npcs; i++)
		sum += r->pcs[i].stalls[reason];
	return sum;
}

static uint64_t by_cause(const struct wb_report *r, unsigned reason)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < r->ncauses; i++)
		sum += r->causes[i].reason == reason ? r->causes[i].cycles : 0;
	return sum;
}

static bool has_causes(const char *reason)
{
	return !strcmp(reason, "operand") || !strcmp(reason, "memory") || !strcmp(reason, "texture") ||
	       !strcmp(reason, "barrier") || !strcmp(reason, "pipe");
}

static void sums(const char *name, const struct wb_report *r)
{
	bool whole = !strcmp(r->result, "ok");

	for (unsigned k = 0; k + 1 < wb_stalls(); k++) {
		const char *reason = wb_stall_name(k);
		uint64_t cycles = r->time.stalls[k];
		if (by_pc(r, k) != cycles)
			fail_msg("%s: %s by instruction sum to %" PRIu64 ", the report has %" PRIu64, name, reason,
				 by_pc(r, k), cycles);
		if (whole ? by_cause(r, k) != (has_causes(reason) ? cycles : 0) : by_cause(r, k) > cycles)
			fail_msg("%s: causes of %s sum to %" PRIu64 ", the report has %" PRIu64, name, reason,
				 by_cause(r, k), cycles);
	}
}

/* All causes, as text. */
static char *causes(const struct wb_report *r)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (unsigned i = 0; i < r->ncauses; i++)
		fprintf(f, "%x for %x: %s %" PRIu64 "\n", r->causes[i].pc, r->causes[i].producer,
			wb_stall_name(r->causes[i].reason), r->causes[i].cycles);
	fclose(f);
	return text;
}

/* False: the host has no compiler for the example. */
static bool one_example(const char *name)
{
	static const struct setting *const ways[] = { traced, precise, threads };
	char path[1024], *first = NULL;
	struct wb_program *p;
	struct wb_diag d = { 0 };
	enum wb_status status;

	snprintf(path, sizeof path, "%s/%s", examples, name);
	status = wb_program_open(path, NULL, &p, &d);
	if (status == WB_ENV)
		return false;
	assert_int_equal(status, WB_OK);
	for (unsigned way = 0; way < 3; way++) {
		struct wb_launch *l = launch(p, ways[way]);
		wb_launch_run(l, &d);
		const struct wb_report *r = wb_launch_report(l);
		sums(name, r);
		char *text = causes(r);
		if (way && strcmp(first, text))
			fail_msg("%s: causes differ, by traces\n%sotherwise\n%s", name, first, text);
		free(way ? text : first);
		first = way ? first : text;
		wb_launch_free(l);
	}
	free(first);
	wb_program_free(p);
	return true;
}

static bool is_program(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strcmp(dot, ".s") || !strcmp(dot, ".vsh") || !strcmp(dot, ".gsh") || !strcmp(dot, ".cl"));
}

static void instructions_sum_up(void **state)
{
	unsigned n = 0;
	DIR *folder = opendir(examples);

	(void)state;
	assert_non_null(folder);
	for (struct dirent *e; (e = readdir(folder));)
		n += is_program(e->d_name) &&
		     (left_to_faster_builds(sample_number(e->d_name)) || one_example(e->d_name));
	closedir(folder);
	assert_true(n > 25);
}

/* 0: the address, in s[] since the start; 4: a load; 8 and 0x10: an add of the loaded word, and an add of the sum. */
static const char chain[] = HEAD ".regs 8\n.block 32\n.param ptr p\n.arg zero=128\n"
	"\tmov b32 $r1 b32 s[0x10]\n\tld b32 $r2 g14[$r1]\n\tadd b32 $r3 $r2 0x1\n\tadd b32 $r4 $r3 0x1\n"
	"\tst b32 g14[$r1] $r4\n\texit nop\n";

static uint32_t pc_of(const struct wb_report *r, const char *text)
{
	for (unsigned i = 0; i < r->npcs; i++)
		if (strstr(r->pcs[i].text, text) == r->pcs[i].text)
			return r->pcs[i].pc;
	fail_msg("no instruction %s", text);
	return 0;
}

/* The only cause of a reason at an instruction. */
static const struct wb_cause *cause_at(const struct wb_report *r, uint32_t pc, const char *reason)
{
	const struct wb_cause *found = NULL;

	for (unsigned i = 0; i < r->ncauses; i++)
		if (r->causes[i].pc == pc && !strcmp(wb_stall_name(r->causes[i].reason), reason)) {
			assert_null(found);
			found = &r->causes[i];
		}
	assert_non_null(found);
	return found;
}

static void causes_are_named(void **state)
{
	struct wb_program *p = load(chain);

	(void)state;
	for (unsigned way = 0; way < 2; way++) {
		struct wb_launch *l = launch(p, way ? precise : traced);
		struct wb_diag d = { 0 };
		assert_int_equal(wb_launch_run(l, &d), WB_OK);
		const struct wb_report *r = wb_launch_report(l);
		uint32_t load = pc_of(r, "ld"), first = pc_of(r, "add b32 $r3"), second = pc_of(r, "add b32 $r4");
		assert_int_equal(cause_at(r, first, "memory")->producer, load);
		assert_true(cause_at(r, first, "memory")->cycles > 300);
		assert_int_equal(cause_at(r, second, "operand")->producer, first);
		assert_int_equal(cause_at(r, pc_of(r, "st"), "operand")->producer, second);
		wb_launch_free(l);
	}
	wb_program_free(p);
}

static void nothing_unless_asked(void **state)
{
	struct wb_program *p = load(chain);
	struct wb_launch *l = launch(p, plain);
	struct wb_diag d = { 0 };

	(void)state;
	assert_int_equal(wb_launch_run(l, &d), WB_OK);
	assert_int_equal(wb_launch_report(l)->ncauses, 0);
	wb_launch_free(l);
	wb_program_free(p);
}

/* Behind the load the warp waits for the result, until the cycle of the add's issue. */
static void standing_warp(void **state)
{
	for (unsigned way = 0; way < 2; way++) {
		struct wb_program *p = load(chain);
		struct wb_launch *l = launch(p, way ? plain : traced);
		struct wb_where at;
		struct wb_awaited a;
		struct wb_diag d = { 0 };
		uint64_t ready_at;
		assert_int_equal(wb_launch_forward(l, &(struct wb_goal){ .issues = 2 }, &at, &d), WB_OK);
		assert_true(wb_launch_awaited(l, 0, 0, 0, &a));
		assert_string_equal(a.name, "$r2");
		assert_string_equal(wb_stall_name(a.reason), "memory");
		assert_int_equal(a.known, !way);
		if (!way)
			assert_int_equal(a.producer, at.last.pc);
		assert_false(wb_launch_awaited(l, 0, 0, 1, &a));
		ready_at = a.ready_at;
		assert_int_equal(wb_launch_forward(l, &(struct wb_goal){ .issues = 1 }, &at, &d), WB_OK);
		assert_in_range(at.last.cycle, ready_at, ready_at + 64);
		/* after a step back, the same is known */
		assert_int_equal(wb_launch_back(l, &(struct wb_goal){ .issues = 1 }, &at, &d), WB_OK);
		assert_true(wb_launch_awaited(l, 0, 0, 0, &a));
		assert_string_equal(a.name, "$r2");
		assert_int_equal(a.known, !way);
		assert_int_equal(a.ready_at, ready_at);
		wb_launch_free(l);
		wb_program_free(p);
	}
	(void)state;
}

/* A load of 32 passes holds its unit: the next instruction for the unit waits 62 cycles more than its turn, for the
 * load, in the report and while it waits. */
static void unit_has_a_holder(void **state)
{
	static const char text[] =
		HEAD ".block 32\n.smem 0x900\n"
		"shl $a1 $r0 0x6\n"                     /* stride 16: all lanes of a half-warp in one bank */
		"mov b32 $r2 b32 s[$a1+0x20]\n"         /* 0x8 */
		"mul $r4 u24 $r0 0x44\n"                /* 0x10 */
		"exit nop\n";
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, traced), *whole = launch(p, traced);
	const struct wb_report *r;
	struct wb_where where;
	struct wb_awaited a;
	unsigned found = 0;

	(void)state;
	assert_int_equal(wb_launch_goto(l, 2, &where, NULL), WB_OK);
	assert_true(wb_launch_awaited(l, 0, 0, 0, &a));
	assert_string_equal(a.name, "its unit");
	assert_string_equal(wb_stall_name(a.reason), "pipe");
	assert_true(a.known);
	assert_int_equal(a.producer, 0x8);
	assert_int_equal(a.ready_at, where.last.cycle + 2 + 62);
	assert_false(wb_launch_awaited(l, 0, 0, 1, &a));
	assert_int_equal(wb_launch_run(whole, NULL), WB_OK);
	r = wb_launch_report(whole);
	for (unsigned i = 0; i < r->ncauses; i++)
		found += r->causes[i].pc == 0x10 && r->causes[i].producer == 0x8 && r->causes[i].cycles == 62 &&
			 !strcmp(wb_stall_name(r->causes[i].reason), "pipe");
	assert_int_equal(found, 1);
	wb_launch_free(l);
	wb_launch_free(whole);
	wb_program_free(p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_sum_up), cmocka_unit_test(causes_are_named),
		cmocka_unit_test(nothing_unless_asked), cmocka_unit_test(standing_warp),
		cmocka_unit_test(unit_has_a_holder),
	};

	examples = argc > 1 ? argv[1] : "examples";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
