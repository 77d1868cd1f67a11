/* A launch run trace-driven where possible, and the same launch stepped an instruction at a time, leave the same state,
 * report and events, wherever they stop. */
#include <dirent.h>

#include "tests/random/generate.h"
#include "tests/kit/launches.h"

enum { SETTINGS_MAX = 12, SLOTS = 32 };

static void registers(FILE *f, const struct wb_launch *l)
{
	static const char *const names[] = { "$r0", "$r1", "$r2", "$r3", "$r4", "$r5", "$r6", "$r7", "$c0", "$c1",
					     "$a1", "$a2" };
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

/* Every event of a record, as text. */
static void events(FILE *f, const struct wb_launch *l)
{
	struct wb_chunk c;
	struct wb_event e;
	char text[512];

	for (uint64_t i = 0; wb_launch_chunk(l, i, &c); i++) {
		struct wb_events *r = wb_events_open(c.bytes, c.size);
		while (wb_events_next(r, &e, NULL)) {
			wb_event_text(&e, false, text, sizeof text);
			fprintf(f, "%s\n", text);
		}
		wb_events_close(r);
	}
}

/* Each warp's cycles have reasons, also where the launch has stopped early. */
static void sums(struct wb_launch *l)
{
	const struct wb_report *r = wb_launch_report(l);

	for (unsigned i = 0; i < r->nwarps; i++) {
		uint64_t sum = 0;
		for (unsigned k = 0; k < wb_stalls(); k++)
			sum += r->warps[i].stalls ? r->warps[i].stalls[k] : 0;
		assert_int_equal(sum, r->warps[i].cycles);
	}
}

/* The complete final state of a launch, run or stepped, recorded or not. */
static char *end_of(const struct wb_program *p, const struct setting *s, bool stepped, bool recorded)
{
	static const uint8_t zero[4096];
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };
	struct wb_where at;
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (recorded)
		assert_int_equal(wb_launch_record(l, 0, NULL, NULL, &d), WB_OK);
	wb_launch_write(l, "g", 0, zero, sizeof zero, NULL);    /* where random programs store */
	if (stepped)
		assert_int_equal(wb_launch_forward(l, &(struct wb_goal){ .stops = 0 }, &at, &d), WB_OK);
	else
		wb_launch_run(l, &d);
	char *left = outcome(l, WB_OK, &(struct wb_diag){ 0 });
	fputs(left, f);
	free(left);
	registers(f, l);
	if (strcmp(s->option, "timing"))
		sums(l);
	if (recorded)
		events(f, l);
	fclose(f);
	wb_launch_free(l);
	return text;
}

static void compare(const char *name, const struct wb_program *p, const struct setting *s, bool recorded)
{
	const char *limit = s[2].option, *value = s[2].value;
	char *run = end_of(p, s, false, recorded), *stepped = end_of(p, s, true, recorded);

	if (strcmp(run, stepped)) {
		size_t at = 0;
		while (run[at] == stepped[at])
			at++;
		at = at > 200 ? at - 200 : 0;
		fail_msg("%s, %s %s: run differs from stepped\nrun:\n%.600s\nstepped:\n%.600s", name, limit, value,
			 run + at, stepped + at);
	}
	free(run);
	free(stepped);
}

/* Compare at stops anywhere, and at the end; on one multiprocessor, and recorded on several. */
static void compare_anywhere(const char *name, const struct wb_program *p, const struct setting *more)
{
	static const char *const stops[][2] = {
		{ "max-insns", "none" }, { "max-insns", "1" }, { "max-insns", "7" }, { "max-insns", "50" },
		{ "max-insns", "333" }, { "max-insns", "1001" }, { "max-cycles", "600" }, { "max-cycles", "1777" },
	};

	for (unsigned i = 0; i < sizeof stops / sizeof *stops; i++) {
		struct setting s[SETTINGS_MAX] = { { "mps", i % 2 ? "3" : "1" }, { "stats-level", "full" },
						   { stops[i][0], stops[i][1] } };
		unsigned n = 3;
		for (const struct setting *from = more; from->option; from++)
			s[n++] = *from;
		s[n].option = NULL;
		compare(name, p, s, false);
		compare(name, p, s, true);
	}
}

/* Without timing, the instructions of a turn are the same run, stepped, recorded and without threaded code; so are the
 * digest, the cycles of each warp, and the memory after races of warps. Events come last. */
static void compare_untimed(const char *name, const struct wb_program *p, const struct setting *more)
{
	static const char *const stops[] = { "none", "7", "333", "1001" };

	for (unsigned i = 0; i < 2 * sizeof stops / sizeof *stops; i++) {
		struct setting s[SETTINGS_MAX] = { { "timing", "off" },
						   { "mps", i % 2 ? "3" : "1" },
						   { "slice", i / 2 % 2 ? "256" : "5" },
						   { "max-insns", stops[i / 2] } };
		unsigned n = 4, last;
		for (const struct setting *from = more; from->option; from++)
			s[n++] = *from;
		last = n;
		s[n].option = NULL;
		char *run = end_of(p, s, false, false), *recorded = end_of(p, s, false, true);
		compare(name, p, s, false);
		if (strncmp(run, recorded, strlen(run)))
			fail_msg("%s: recorded differs from run:\n%.900s\n%.900s", name, recorded, run);
		s[last] = (struct setting){ "threaded-code", "off" };
		s[last + 1].option = NULL;
		char *slow = end_of(p, s, false, false);
		if (strcmp(run, slow))
			fail_msg("%s: without threaded code:\n%.900s\n%.900s", name, slow, run);
		free(run);
		free(recorded);
		free(slow);
	}
}

/* Round robin lets warps that seem ready wait for their turn without a test; one group of all slots is the same order,
 * with the test. */
static void compare_orders(const char *name, const struct wb_program *p, const struct setting *more)
{
	struct setting s[SETTINGS_MAX] = { { "stats-level", "full" }, { "policy", "rr" }, { "group", "64" } };
	unsigned n = 3;

	for (; more->option; more++)
		s[n++] = *more;
	s[n].option = NULL;
	char *rr = end_of(p, s, false, false);
	s[1].value = "two-level";
	char *group = end_of(p, s, false, false);
	if (strcmp(rr, group))
		fail_msg("%s: round robin differs from one group\n%.1500s\n%.1500s", name, rr, group);
	free(rr);
	free(group);
}

/* Warp 0 looks at a word under a lock, warp 1 adds to the word under the lock until 40: turns without timing end within
 * the lock, and go on to the unlock. */
static void locks_across_turns(void **state)
{
	static const char *const before[] = { "", "nop\n", "nop\nnop\n", "nop\nnop\nnop\n" };
	static const char text[] =
		".kernel k\n.chip g200\n.grid 3\n.block 64\n.arg zero=4096\n.smem 0x40\nmov b32 $r3 0x28\n"
		"mov b32 $r4 0x1\nmov b32 $r5 0x1f\nand b32 $c1 # $r0 $r5\n(lg $c1) bra #end\nmov b32 $r5 0x20\n"
		"and b32 $c1 # $r0 $r5\n(lg $c1) bra #add\n%slook:\nld lock $c0 $r1 b32 s[0x24]\n"
		"(geu $c0) bra #look\nst unlock b32 s[0x24] $r1\nset $c0 # lg u32 $r1 $r3\n(lg $c0) bra #look\n"
		"bra #end\nadd:\nld lock $c0 $r1 b32 s[0x24]\n(geu $c0) bra #add\nadd b32 $r1 $r1 $r4\n"
		"st unlock b32 s[0x24] $r1\nset $c0 # lg u32 $r1 $r3\n(lg $c0) bra #add\nend:\nexit (never) nop\n";
	static const struct setting nothing[] = { { NULL, NULL } };
	(void)state;

	for (unsigned i = 0; i < sizeof before / sizeof *before; i++) {
		char whole[sizeof text + 16];
		snprintf(whole, sizeof whole, text, before[i]);
		struct wb_program *p = load(whole);
		compare_untimed("locks", p, nothing);
		wb_program_free(p);
	}
}

/* Without timing, a run looks up only now and then from the turns of a multiprocessor; each turn stepped is looked for.
 * Warps race for a word, so that the word tells the order of turns. */
static void turns_across_visits(void **state)
{
	static const char text[] =
		".kernel k\n.chip g200\n.grid 12\n.block 96\n.arg zero=4096\nmov b32 $r1 b32 s[0x10]\n"
		"mov b32 $r2 0x12c\nmov b32 $r4 0x1\nmov b32 $r5 0x5\nloop:\nld b32 $r3 g14[$r1]\n"
		"mul $r3 u16 $r3l u16 $r5l\nadd b32 $r3 $r3 $r0\nst b32 g14[$r1] $r3\nbar inc wait 0x0 all\n"
		"sub b32 $c0 $r2 $r2 $r4\n(lg $c0) bra #loop\nexit (never) nop\n";
	static const char *const mps[] = { "1", "3" }, *const slices[] = { "5", "256" };
	struct wb_program *p = load(text);
	(void)state;

	for (unsigned i = 0; i < 4; i++) {
		struct setting s[] = { { "timing", "off" }, { "mps", mps[i % 2] }, { "slice", slices[i / 2] },
				       { NULL, NULL } };
		compare("visits", p, s, false);
	}
	wb_program_free(p);
}

static void examples(void **state)
{
	static const char *const policies[] = { "rr", "gto", "random" };
	DIR *dir = opendir(WB_EXAMPLES);
	struct dirent *e;
	unsigned n = 0;

	(void)state;
	assert_non_null(dir);
	while ((e = readdir(dir))) {
		char path[4096];
		struct wb_program *p;
		const struct setting s[] = { { "policy", policies[n % 3] }, { NULL, NULL } };
		snprintf(path, sizeof path, "%s/%s", WB_EXAMPLES, e->d_name);
		if (!strstr(e->d_name, ".s") || wb_program_open(path, NULL, &p, NULL) != WB_OK)
			continue;
		if (name_in_sample(e->d_name)) {
			compare_anywhere(e->d_name, p, s);
			compare_untimed(e->d_name, p, s);
		}
		wb_program_free(p);
		n++;
	}
	closedir(dir);
	assert_true(n > 20);
}

static void random_programs(void **state)
{
	static const struct setting some[] = { { "grid", "5" }, { "block", "96" }, { "livelock", "none" },
					       { "diverge", "random" }, { NULL, NULL } };
	static char text[1 << 16];
	char name[40];

	(void)state;
	for (uint64_t seed = 1; seed <= sample_of(40); seed++) {
		struct wb_program *p;
		text[generate_program(seed, text, sizeof text - 1)] = '\0';
		p = load(text);
		snprintf(name, sizeof name, "random program %" PRIu64, seed);
		compare_anywhere(name, p, some);
		if (seed % 4 == 0)
			compare_untimed(name, p, some);
		compare_orders(name, p, some);
		wb_program_free(p);
	}
}

static void examples_in_order(void **state)
{
	static const struct setting some[] = { { "mps", "2" }, { NULL, NULL } };
	DIR *dir = opendir(WB_EXAMPLES);
	struct dirent *e;

	(void)state;
	assert_non_null(dir);
	while ((e = readdir(dir))) {
		char path[4096];
		struct wb_program *p;
		snprintf(path, sizeof path, "%s/%s", WB_EXAMPLES, e->d_name);
		if (!strstr(e->d_name, ".s") || wb_program_open(path, NULL, &p, NULL) != WB_OK)
			continue;
		if (name_in_sample(e->d_name))
			compare_orders(e->d_name, p, some);
		wb_program_free(p);
	}
	closedir(dir);
}

/* Stores are answered while their warps wait for their turn, or seem to: with few warps, and with many. */
static void answers_come_between(void **state)
{
	static const char *const blocks[] = { "32", "64", "96", "128", "192", "256", "384", "512" };
	static const char *const bodies[] = {
		"rcp f32 $r2 $r1\nrcp f32 $r2 $r2\nrcp f32 $r2 $r2\nrcp f32 $r2 $r2\n",
		"add b32 $r2 $r1 $r1\nadd b32 $r3 $r1 $r2\nxor b32 $r2 $r3 $r1\n",
		"ld b32 $r3 g14[$r6]\nadd b32 $r2 $r1 $r1\nmul rn f32 $r2 $r2 $r1\nadd b32 $r2 $r2 $r3\n",
		"mul rn f32 $r2 $r1 $r1\nmul rn f32 $r3 $r1 $r1\nrcp f32 $r4 $r1\nmul rn f32 $r5 $r1 $r1\n",
	};
	char text[1024];

	(void)state;
	for (unsigned i = 0; i < sizeof blocks / sizeof *blocks * (sizeof bodies / sizeof *bodies); i++) {
		const struct setting s[] = { { "block", blocks[i / 4] }, { "grid", "7" }, { "mps", i % 2 ? "1" : "2" },
					     { NULL, NULL } };
		snprintf(text, sizeof text, HEAD ".arg zero=4096\n.const 1 0x0: 1\nshl b32 $r6 $r0 0x2\n"
			 "add b32 $r6 b32 s[0x10] $r6\nmov b32 $r1 0x28\nagain:\nst b32 g14[$r6] $r1\n%s"
			 "sub b32 $c0 $r1 $r1 c1[0x0]\n(lg $c0) bra #again\nexit st b32 g14[$r6] $r2\n", bodies[i % 4]);
		struct wb_program *p = load(text);
		compare_orders(text, p, s);
		wb_program_free(p);
	}
}

static void compare_texts(const char *const *texts, size_t n)
{
	static const struct setting none[] = { { NULL, NULL } };

	for (size_t i = 0; i < n; i++) {
		struct wb_program *p = load(texts[i]);
		compare_anywhere(texts[i], p, none);
		wb_program_free(p);
	}
}

/* A checked read of s[] covers reads beside it, but not where addresses wrap around or elements are narrower: the
 * second read of each faults at its issue. */
static void reads_beside_others(void **state)
{
	static const char *const texts[] = {
		HEAD ".block 64\nmov b32 $r1 0xfff0\nshl $a1 $r1 0x0\nmov b32 $r5 0x1\nld $r3 b32 s[$a1+0x20]\n"
		"ld $r3 b32 s[$a1+0x20]\nadd b32 $r2 $r3 $r5\nld $r4 b32 s[$a1+0x8]\nadd b32 $r2 $r2 $r4\n"
		"add b32 $r2 $r2 $r2\nadd b32 $r2 $r2 $r5\nexit nop\n",
		HEAD ".block 64\nmov b32 $r5 0x1\nmov b32 $r3 u16 s[0x8]\nadd b32 $r2 $r3 $r5\n"
		"mov b32 $r4 b32 s[0x40]\nadd b32 $r2 $r2 $r4\nadd b32 $r2 $r2 $r2\nexit nop\n",
		/* an operand in c[] beside an operand in s[] has its usual cost */
		HEAD ".block 64\n.smem 0x400\n.const 1 0x0: 1 2\nmov b32 $r1 0x1\n"
		"add f32 $r2 (mul b32 s[0x10] $r1) c1[0x4]\nadd b32 $r3 b32 s[0x10] c1[0x1fc]\n"
		"add b32 $r4 $r3 $r2\nadd b32 $r4 $r4 $r3\nexit nop\n",
		/* and the cost of its passes is counted once, even with a recorded branch right behind */
		HEAD ".block 64\n.smem 0x400\n.const 1 0x0: 1\nshl $a1 $r0 0x3\nmov b32 $r2 0x10\nagain:\n"
		"sub b32 $c0 $r2 $r2 c1[0x0]\nld $r4 b32 s[$a1+0x20]\n(lg $c0) bra #again\nexit nop\n",
		/* c[] is looked up whether or not any lane passes the guard */
		HEAD ".block 64\n.const 1 0x0: 1\nmov b32 $r1 0x1\nsub b32 $c0 $r2 $r1 $r0\n"
		"(lg $c0) add b32 $r1 $r1 c1[0x0]\nadd b32 $r2 $r1 $r1\nexit nop\n",
	};

	(void)state;
	compare_texts(texts, sizeof texts / sizeof *texts);
}

/* Arithmetic before and after everything that depends on time or place: clocks, faults, an operand in c[], barriers. */
static void what_tells_the_time(void **state)
{
	static const char *const texts[] = {
		HEAD ".block 96\n.arg zero=4096\nshl b32 $r6 $r0 0x2\nadd b32 $r6 b32 s[0x10] $r6\n"
		"mov $r1 $clock\nadd b32 $r2 $r1 $r1\nadd b32 $r2 $r2 $r1\nmov $r3 $clock\n"
		"sub b32 $r3 $r3 $r1\nexit st b32 g14[$r6] $r3\n",
		HEAD ".block 64\n.arg zero=4096\nmov b32 $r1 0x1\nadd b32 $r2 $r1 $r1\nadd b32 $r3 $r2 $r1\n"
		"mov b32 $r4 0x0\nadd b32 $r5 $r3 $r2\nexit st b32 g14[$r4] $r5\n",
		HEAD ".block 128\n.arg zero=4096\nmov b32 $r1 0x1\nadd b32 $r2 $r1 $r0\nbar inc wait 0x0 all\n"
		"add b32 $r3 $r2 $r1\nadd b32 $r3 $r3 $r3\nshl b32 $r6 $r0 0x2\nadd b32 $r6 b32 s[0x10] $r6\n"
		"exit st b32 g14[$r6] $r3\n",
	};

	(void)state;
	compare_texts(texts, sizeof texts / sizeof *texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(locks_across_turns), cmocka_unit_test(turns_across_visits),
		cmocka_unit_test(examples), cmocka_unit_test(random_programs),
		cmocka_unit_test(what_tells_the_time),
		cmocka_unit_test(examples_in_order), cmocka_unit_test(answers_come_between),
		cmocka_unit_test(reads_beside_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
