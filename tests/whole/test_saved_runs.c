/* A launch that is saved, and goes on as another launch, comes to the state and the report of a launch without a stop,
 * however often; bytes that are not a saved run of the launch are refused. */
#include "tests/random/generate.h"
#include "tests/kit/launches.h"

enum { SETTINGS_MAX = 12, SLOTS = 32, STOPS_MAX = 6 };

static void registers(FILE *f, const struct wb_launch *l)
{
	static const char *const names[] = { "$r0", "$r1", "$r2", "$r3", "$c0", "$a1" };
	uint32_t value[WB_LANES] = { 0 };
	struct wb_warp w;

	for (unsigned slot = 0; slot < SLOTS; slot++) {
		if (!wb_launch_warp(l, 0, slot, &w))
			continue;
		fprintf(f, "slot %u: %x %" PRIx64 " %" PRIu64 "\n", slot, w.pc, w.active, w.issues);
		for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
			if (wb_launch_read_register(l, w.block, w.warp, names[i], value, NULL) != WB_OK)
				continue;
			for (unsigned lane = 0; lane < 32; lane++)
				fprintf(f, " %x", value[lane]);
			fprintf(f, " %s\n", names[i]);
		}
	}
}

/* Run, and every so many instructions go on as another launch; 0: never. Returns the launch, which has come to its
 * end. *stops: how often it has stopped. */
static struct wb_launch *run(const struct wb_program *p, const struct setting *s, uint64_t every, unsigned *stops)
{
	static const uint8_t zero[4096];
	struct wb_text saved = { 0 }, before;
	uint64_t issued = 0, expected;
	struct wb_diag d = { 0 };

	for (*stops = 0;; ++*stops) {
		struct wb_launch *l = launch(p, s);
		uint64_t at = every && *stops < STOPS_MAX ? issued + every : UINT64_MAX;
		wb_launch_write(l, "g", 0, zero, sizeof zero, NULL);    /* where random programs store */
		assert_int_equal(wb_launch_prepare(l, &d), WB_OK);
		before = saved;
		if (before.size && wb_launch_resume(l, before.data, before.size, false, &d) != WB_OK)
			fail_msg("%s", d.text);
		assert_int_equal(wb_launch_save_at(l, at, &d), WB_OK);
		enum wb_status status = wb_launch_run(l, &d);
		if (status == WB_USAGE || status == WB_INPUT)
			fail_msg("stop %u: %s", *stops, d.text);
		bool stands = wb_launch_save(l, &saved, NULL) == WB_OK;
		wb_text_free(&before);
		if (!stands)
			return l;
		assert_int_equal(status, WB_LIMIT);
		wb_launch_work(l, &issued, &expected);
		wb_launch_free(l);
	}
}

static char *end_of(const struct wb_program *p, const struct setting *s, uint64_t every, unsigned *stops)
{
	struct wb_launch *l = run(p, s, every, stops);
	size_t size;
	char *text, *left = outcome(l, WB_OK, &(struct wb_diag){ 0 });
	FILE *f = open_memstream(&text, &size);

	fputs(left, f);
	free(left);
	registers(f, l);
	fclose(f);
	wb_launch_free(l);
	return text;
}

static unsigned compare(const char *name, const struct wb_program *p, const struct setting *more)
{
	static const uint64_t every[] = { 30, 701, 2000 };
	struct setting s[SETTINGS_MAX] = { { "threads", "1" }, { "in-order", "on" } };
	unsigned n = 2, none, stops, all = 0;

	for (; more->option; more++)
		s[n++] = *more;
	s[n].option = NULL;
	char *whole = end_of(p, s, 0, &none);
	for (unsigned i = 0; i < sizeof every / sizeof *every; i++) {
		char *saved = end_of(p, s, every[i], &stops);
		if (strcmp(whole, saved))
			fail_msg("%s, saved %u times: another end\nwithout:\n%.900s\nsaved:\n%.900s", name, stops,
				 whole, saved);
		free(saved);
		all += stops;
	}
	free(whole);
	return all;
}

static void random_programs(void **state)
{
	static const struct setting timed[] = { { "grid", "40" }, { "block", "96" }, { "livelock", "none" },
						{ "mps", "3" }, { "diverge", "random" }, { NULL, NULL } };
	static const struct setting untimed[] = { { "grid", "40" }, { "block", "96" }, { "livelock", "none" },
						  { "mps", "2" }, { "timing", "off" }, { "slice", "70" },
						  { NULL, NULL } };
	static char text[1 << 16];
	unsigned stops = 0;
	char name[40];

	(void)state;
	for (uint64_t seed = 1; seed <= sample_of(20); seed++) {
		text[generate_program(seed, text, sizeof text - 1)] = '\0';
		struct wb_program *p = load(text);
		snprintf(name, sizeof name, "random program %" PRIu64, seed);
		stops += compare(name, p, timed);
		stops += compare(name, p, untimed);
		wb_program_free(p);
	}
	assert_true(stops > 20);
}

static const char counts[] = HEAD ".block 64\n.arg zero=4096\nmov b32 $r1 0x0\nmov b32 $r2 0x8000\nmov b32 $r3 0x1\n"
	"l:\nadd b32 $r1 $r1 $r3\nsub b32 $c0 # $r1 $r2\n(lg $c0) bra #l\nexit nop\n";
static const struct setting in_order[] = { { "threads", "1" }, { "in-order", "on" }, { NULL, NULL } };

static void wrong_bytes_are_refused(void **state)
{
	static const struct setting other[] = { { "threads", "1" }, { "in-order", "on" }, { "grid", "2" },
						{ NULL, NULL } };
	struct wb_program *p = load(counts);
	struct wb_launch *l = launch(p, in_order);
	struct wb_text saved;
	struct wb_diag d;

	(void)state;
	assert_int_equal(wb_launch_save(l, &saved, &d), WB_USAGE);
	assert_int_equal(wb_launch_save_at(l, 5000, &d), WB_OK);
	assert_int_equal(wb_launch_run(l, &d), WB_LIMIT);
	assert_int_equal(wb_launch_save(l, &saved, &d), WB_OK);
	wb_launch_free(l);
	l = launch(p, in_order);
	for (size_t i = 0; i < saved.size; i += 1 + saved.size / 300) {
		saved.data[i] ^= 4;
		assert_int_equal(wb_launch_resume(l, saved.data, saved.size, false, &d), WB_INPUT);
		saved.data[i] ^= 4;
		assert_int_equal(wb_launch_resume(l, saved.data, i, false, &d), WB_INPUT);
	}
	wb_launch_free(l);
	l = launch(p, other);
	assert_int_equal(wb_launch_resume(l, saved.data, saved.size, false, &d), WB_OK);
	assert_int_equal(wb_launch_run(l, &d), WB_INPUT);
	wb_launch_free(l);
	wb_text_free(&saved);
	wb_program_free(p);
}

static void other_launches_are_refused(void **state)
{
	static const struct setting threads[] = { { "in-order", "on" }, { "threads", "2" }, { NULL, NULL } };
	static const struct setting traces[] = { { "threads", "1" }, { NULL, NULL } };
	struct wb_program *p = load(counts);
	struct wb_diag d;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct wb_launch *l = launch(p, i == 0 ? threads : i == 1 ? traces : in_order);
		if (i == 2)
			assert_int_equal(wb_launch_record(l, 0, NULL, NULL, &d), WB_OK);
		assert_int_equal(wb_launch_save_at(l, 5, &d), WB_USAGE);
		wb_launch_free(l);
	}
	wb_program_free(p);
}

static void a_run_pauses_when_asked(void **state)
{
	struct wb_program *p = load(counts);
	struct wb_launch *l = launch(p, in_order);
	struct wb_text saved;
	struct wb_diag d;

	(void)state;
	wb_launch_pause(l);             /* not to be saved: nothing happens */
	assert_int_equal(wb_launch_save_at(l, UINT64_MAX, &d), WB_OK);
	wb_launch_pause(l);
	assert_int_equal(wb_launch_run(l, &d), WB_INTERRUPTED);
	assert_int_equal(wb_launch_save(l, &saved, &d), WB_OK);
	wb_text_free(&saved);
	wb_launch_free(l);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs), cmocka_unit_test(wrong_bytes_are_refused),
		cmocka_unit_test(other_launches_are_refused), cmocka_unit_test(a_run_pauses_when_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
