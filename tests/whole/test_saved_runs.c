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

/* Run, and every so many instructions go on as another launch; 0: never. Two of three launches have `threads` host
 * threads, NULL: one. Returns the launch after its end, and the number of stops. */
static struct wb_launch *run(const struct wb_program *p, struct setting *s, uint64_t every, const char *threads,
			     unsigned *stops)
{
	static uint8_t words[4096];
	struct wb_text saved = { 0 }, before;
	uint64_t issued = 0, expected;
	struct wb_diag d = { 0 };

	for (unsigned i = 0; i < sizeof words; i++)
		words[i] = (uint8_t)(i * 7);
	for (*stops = 0;; ++*stops) {
		s[0].value = threads && *stops % 3 != 2 ? threads : "1";
		struct wb_launch *l = launch(p, s);
		uint64_t at = every && *stops < STOPS_MAX ? issued + every : UINT64_MAX;
		wb_launch_write(l, "g", 0, words, sizeof words, NULL);  /* where random programs store */
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

static char *end_of(const struct wb_program *p, struct setting *s, uint64_t every, const char *threads,
		    unsigned *stops)
{
	struct wb_launch *l = run(p, s, every, threads, stops);
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
	struct setting s[SETTINGS_MAX] = { { "threads", "1" } };
	unsigned n = 1, none, stops, all = 0;

	for (; more->option; more++)
		s[n++] = *more;
	s[n].option = NULL;
	char *whole = end_of(p, s, 0, NULL, &none);
	for (unsigned i = 0; i < 2 * (sizeof every / sizeof *every); i++) {
		const char *threads = i % 2 ? "3" : NULL;
		char *saved = end_of(p, s, every[i / 2], threads, &stops);
		if (strcmp(whole, saved))
			fail_msg("%s, saved %u times, %s host threads: another end\nwithout:\n%.900s\nsaved:\n%.900s",
				 name, stops, threads ? threads : "1", whole, saved);
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

/* Threads add to words of their own, again and again, with a barrier in each round. */
#define ROUNDS(n, last) HEAD ".grid 30\n.block 32\n.smem 0x6a0\nmov b32 $r4 u16 s[0xc]\nshl b32 $r4 $r4 0x7\n" \
	"shl b32 $r2 $r0 0x2\nadd b32 $r4 $r4 $r2\nmov b32 $r3 " n "\nmov b32 $r5 0x1\nround:\n" \
	"ld b32 $r2 g14[$r4]\nadd b32 $r2 $r2 $r3\nst b32 g14[$r4] $r2\nbar inc wait 0x0 all\n" \
	"sub b32 $c0 $r3 $r3 $r5\n(lg $c0) bra #round\n" last "exit nop\n"

/* Ends of a run after a part on several host threads: all warps exit, a fault, a livelock, a word whose value the order
 * of multiprocessors decides. */
static const struct end { const char *name, *text; } ends[] = {
	{ "rounds", ROUNDS("0x60", "") },
	{ "a fault", ROUNDS("0x60", "mov b32 $r4 0x7fffffff\nst b32 g14[$r4] $r2\n") },
	{ "a livelock", ROUNDS("0x60", "hang:\nbra #hang\n") },
	{ "an order", ROUNDS("0x60", "mov b32 $r4 0x0\nst b32 g14[$r4] $r2\n") },
};

static void ends_after_threads(void **state)
{
	static const struct setting how[][5] = {
		{ { "mps", "3" } },
		{ { "mps", "3" }, { "timing", "off" }, { "slice", "70" }, { "livelock", "200000" } },
		{ { "mps", "3" }, { "timing", "off" }, { "slice", "70000" }, { "livelock", "200000" } },
		{ { "mps", "3" }, { "livelock", "none" } }, { { "mps", "7" }, { "livelock", "20000" } },
	};
	char name[60];

	(void)state;
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct wb_program *p = load(ends[i].text);
		for (unsigned k = 0; k < sizeof how / sizeof *how; k++) {
			snprintf(name, sizeof name, "%s, setting %u", ends[i].name, k);
			assert_true(compare(name, p, how[k]) || k == 2);
		}
		wb_program_free(p);
	}
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
	struct wb_program *p = load(counts);
	struct wb_launch *l = launch(p, in_order);
	struct wb_diag d;

	(void)state;
	assert_int_equal(wb_launch_record(l, 0, NULL, NULL, &d), WB_OK);
	assert_int_equal(wb_launch_save_at(l, 5, &d), WB_USAGE);
	wb_launch_free(l);
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
		cmocka_unit_test(random_programs), cmocka_unit_test(ends_after_threads),
		cmocka_unit_test(wrong_bytes_are_refused),
		cmocka_unit_test(other_launches_are_refused), cmocka_unit_test(a_run_pauses_when_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
