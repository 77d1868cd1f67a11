/* A launch recorded from its traces leaves the same events as the launch recorded in precise execution (--in-order);
 * where traces turn out insufficient, earlier output to the sink is void. A record of issues has those of the stepped
 * launch, position by position, in either way. */
#include <dirent.h>
#include <inttypes.h>

#include "tests/random/generate.h"
#include "tests/kit/launches.h"
#include "tests/kit/parting.h"

enum { SETTINGS_MAX = 10 };
enum way { EITHER, TRACES, PRECISE };

/* Events given to a sink, as text. */
struct record {
	FILE *f;
	char *text;
	size_t size;
	unsigned issues, restarts;
};

static void append(void *context, const struct wb_chunk *c)
{
	struct record *r = context;
	struct wb_event e;
	char text[512];
	bool bad;

	if (!c->bytes) {
		rewind(r->f);
		r->issues = 0;
		r->restarts++;
		return;
	}
	struct wb_events *events = wb_events_open(c->bytes, c->size);
	while (wb_events_next(events, &e, &bad)) {
		wb_event_text(&e, false, text, sizeof text);
		fprintf(r->f, "%s\n", text);
		r->issues += e.kind == WB_EVENT_ISSUE;
	}
	assert_false(bad);
	wb_events_close(events);
}

static struct wb_launch *launch_in_order(const struct wb_program *p, const struct setting *settings,
					 const char *in_order)
{
	struct setting s[SETTINGS_MAX] = { { "in-order", in_order } };
	unsigned n = 1;

	for (; settings->option; settings++)
		s[n++] = *settings;
	s[n].option = NULL;
	return launch(p, s);
}

static struct record record(const struct wb_program *p, const struct setting *settings, const char *in_order,
			    const char **precise_reason)
{
	struct record r = { .f = NULL };
	struct wb_launch *l = launch_in_order(p, settings, in_order);

	r.f = open_memstream(&r.text, &r.size);
	assert_int_equal(wb_launch_record(l, 0, append, &r, NULL), WB_OK);
	wb_launch_run(l, NULL);
	*precise_reason = wb_launch_report(l)->execution.precise_reason;
	fputc('\0', r.f);
	fclose(r.f);
	wb_launch_free(l);
	return r;
}

/* ---- records of issues ---- */

/* An issue: event, lanes, waits. */
struct row {
	struct wb_event event;
	uint64_t gone_lanes;
	uint32_t waits[WB_STALLS];
};

/* Rows are compared as bytes; bytes between members are zeros. */
static void put_row(FILE *f, struct row *row)
{
	struct wb_event *e = &row->event;
	char *behind_kind = (char *)(&e->kind + 1), *behind_waits = (char *)(row->waits + WB_STALLS);

	memset(behind_kind, 0, (size_t)((char *)&e->cycle - behind_kind));
	memset(behind_waits, 0, (size_t)((char *)(row + 1) - behind_waits));
	fwrite(row, sizeof *row, 1, f);
}

static void append_issues(void *context, const struct wb_chunk *c)
{
	struct record *r = context;
	struct wb_event e;
	bool bad;

	if (!c->bytes) {
		rewind(r->f);
		r->issues = 0;
		r->restarts++;
		return;
	}
	struct wb_events *events = wb_events_open(c->bytes, c->size);
	while (wb_events_next(events, &e, &bad)) {
		const struct wb_issue_detail *d = wb_events_detail(events, &e);
		struct row row = { .event = e, .gone_lanes = d->gone };
		memcpy(row.waits, d->waits, sizeof row.waits);
		put_row(r->f, &row);
		r->issues++;
	}
	assert_false(bad);
	wb_events_close(events);
}

/* A stepped launch: stalls of each warp up to its last issue. */
struct steps {
	struct record record;
	struct stalls {
		uint32_t block, warp;
		bool known;
		uint64_t cycles[WB_STALLS];
	} slot[1024][64];
};

static void step_issue(void *context, const struct wb_issue *i)
{
	struct steps *s = context;
	const struct wb_action *did = i->action;
	struct stalls *was = &s->slot[did->mp][did->slot];
	struct row row = { .gone_lanes = i->gone, .event = {
		.kind = WB_EVENT_ISSUE, .cycle = did->cycle, .mp = did->mp, .slot = did->slot, .block = did->block,
		.warp = did->warp, .pc = did->pc, .active = did->active, .executed = did->executed, .flow = did->flow,
		.depth = i->depth,
	} };
	uint32_t *waits = row.waits;

	if (!was->known || was->block != did->block || was->warp != did->warp)
		*was = (struct stalls){ .block = did->block, .warp = did->warp, .known = true };
	for (unsigned k = 1; i->stalls && k + 1 < wb_stalls(); k++) {
		waits[k] = (uint32_t)(i->stalls[k] - was->cycles[k]);
		was->cycles[k] = i->stalls[k];
		row.event.waited += waits[k];
		row.event.reason = waits[k] > waits[row.event.reason] ? k : row.event.reason;
	}
	assert_int_equal(i->issue, ++s->record.issues);
	put_row(s->record.f, &row);
}

/* The end of the launch stands behind the issues, in the form of one. */
static void put_end(struct record *r, const struct wb_launch *l)
{
	struct wb_where where;

	wb_launch_where(l, &where);
	struct row end = { .event = { .kind = WB_EVENT_FAULT, .cycle = where.cycle, .depth = where.issue,
				      .flow = where.over } };
	memcpy(end.waits, where.result, strlen(where.result));
	put_row(r->f, &end);
	fclose(r->f);
}

static struct record record_issues(const struct wb_program *p, const struct setting *settings, const char *in_order)
{
	struct record r = { .f = NULL };
	struct wb_launch *l = launch_in_order(p, settings, in_order);

	r.f = open_memstream(&r.text, &r.size);
	assert_int_equal(wb_launch_record_issues(l, append_issues, &r, NULL), WB_OK);
	wb_launch_run(l, NULL);
	put_end(&r, l);
	wb_launch_free(l);
	return r;
}

static struct record step_issues(const struct wb_program *p, const struct setting *settings)
{
	struct steps *s = calloc(1, sizeof *s);
	struct wb_launch *l = launch_in_order(p, settings, "off");
	struct wb_where where;

	assert_non_null(s);
	s->record.f = open_memstream(&s->record.text, &s->record.size);
	wb_launch_listen(l, step_issue, s);
	assert_int_equal(wb_launch_forward(l, &(struct wb_goal){ .stops = 0 }, &where, NULL), WB_OK);
	put_end(&s->record, l);
	wb_launch_free(l);
	struct record r = s->record;
	free(s);
	return r;
}

static void say(const char *who, const struct record *r, size_t at)
{
	struct row row = { .gone_lanes = 0 };
	char text[512];

	if (at + sizeof row <= r->size)
		memcpy(&row, r->text + at, sizeof row);
	wb_event_text(&row.event, false, text, sizeof text);
	printf("%s: %s gone 0x%" PRIx64 ", waits", who, text, row.gone_lanes);
	for (unsigned i = 0; i < WB_STALLS; i++)
		printf(" %" PRIu32, row.waits[i]);
	printf(", position %zu\n", at / sizeof row);
}

static void same(const char *name, const char *how, const struct record *want, const struct record *found)
{
	size_t at = 0, step = sizeof(struct row);

	while (at < want->size && at < found->size && !memcmp(want->text + at, found->text + at, step))
		at += step;
	if (at == want->size && at == found->size)
		return;
	say("stepped", want, at);
	say(how, found, at);
	fail_msg("%s: issues differ", name);
}

static void compare_issues(const char *name, const struct wb_program *p, const struct setting *settings,
			   const char *in_order)
{
	struct record stepped = step_issues(p, settings), ran = record_issues(p, settings, in_order);

	same(name, in_order[1] == 'n' ? "precise" : "from traces", &stepped, &ran);
	free(stepped.text);
	free(ran.text);
}

/* ---- both ways ---- */

/* Returns how often the launch has begun again. */
static unsigned compare(const char *name, const struct wb_program *p, const struct setting *settings, enum way want)
{
	const char *reason, *none;
	struct record precise = record(p, settings, "on", &none), traced = record(p, settings, "off", &reason);
	size_t at = 0;

	assert_true(precise.issues || want == EITHER);
	if (strcmp(precise.text, traced.text)) {
		while (precise.text[at] == traced.text[at])
			at++;
		at = at > 200 ? at - 200 : 0;
		fail_msg("%s: events differ\nprecise:\n%.600s\nfrom traces:\n%.600s", name, precise.text + at,
			 traced.text + at);
	}
	assert_int_equal(precise.issues, traced.issues);
	if (want != EITHER && (want == PRECISE) != (reason != NULL))
		fail_msg("%s: found \"%s\"", name, reason ? reason : "from traces");
	free(precise.text);
	free(traced.text);
	compare_issues(name, p, settings, "off");
	return traced.restarts;
}

static unsigned compare_text(const char *text, enum way want)
{
	static const char *const mps[] = { "1", "3" };
	struct wb_program *p = load(text);
	unsigned restarts = 0;

	for (unsigned i = 0; i < 2; i++) {
		const struct setting s[] = { { "grid", "17" }, { "block", "96" }, { "mps", mps[i] },
					     { "livelock", "200000" }, { NULL, NULL } };
		restarts += compare(text, p, s, want);
	}
	wb_program_free(p);
	return restarts;
}

/* $r0 thread, $r1 block, s[0x14] a buffer only read, $r2 address of the thread's word of g[], $a1 of s[] */
#define OWN HEAD ".smem 0x820\n.arg zero=8192\n.arg zero=64\n.const 1 0x0: 1 2 3 7\nmov b32 $r1 u16 s[0xc]\n" \
	"mul $r2 u24 $r1 c1[0xc]\nadd b32 $r2 $r2 $r0\nmov b32 $r3 0x3ff\nand b32 $r2 $r2 $r3\nshl b32 $r2 $r2 0x2\n" \
	"add b32 $r2 b32 s[0x10] $r2\nshl $a1 $r0 0x2\nadd b32 $r4 $r0 $r1\nand b32 $c0 $r3 $r4 c1[0x8]\n"
#define LEAVE "exit red add u32 g14[$r2] $r4\n"

/* Guards of arithmetic with operands everywhere, of loads and stores, of executors with floats and without; true for a
 * part of the lanes, all and none. */
static void guards(void **state)
{
	(void)state;
	assert_int_equal(compare_text(OWN
		"(e $c0) add b32 $r4 $r4 c1[0x4]\n(lg $c0) add b32 $r4 $r4 $r0\n(lg $c0) st b32 s[$a1+0x20] $r4\n"
		"(e $c0) mov b32 $r5 b32 s[$a1+0x20]\n(lg $c0) add b32 $r5 b32 s[$a1+0x20] $r4\n"
		"(e $c0) cvt rn f32 $r6 u32 $r5\n(lg $c0) mul rn f32 $r6 $r6 $r6\n(lg $c0) rcp f32 $r6 $r6\n"
		"(e $c0) sub b32 $c0 $r4 $r4 c1[0x0]\n(lg $c0) shl b32 $r4 $r4 0x1\n"
		"sub b32 $c1 # $r0 $r0\n(e $c1) add b32 $r4 $r4 c1[0x0]\n(lg $c1) add b32 $r4 $r4 c1[0x4]\n"
		"mov b32 $r8 b32 s[0x14]\n(lg $c0) ld b32 $r7 g14[$r8]\n(e $c0) nop\n" LEAVE, TRACES), 0);
}

/* Branches of no lane, all lanes, and a part; joins that merge, in front of a guarded instruction; loops that lanes
 * leave one after the other; calls and returns. */
static void divergence(void **state)
{
	(void)state;
	assert_int_equal(compare_text(OWN
		"joinat #end\n(lg $c0) bra #odd\nadd b32 $r4 $r4 c1[0x4]\nbra #end\nodd:\nadd b32 $r4 $r4 $r0\n"
		"end:\njoin (lg $c0) add b32 $r4 $r4 c1[0x0]\n"
		"sub b32 $c1 # $r0 $r0\njoinat #all\n(e $c1) bra #all\nadd b32 $r4 $r4 $r4\nall:\njoin nop\n"
		"joinat #none\n(lg $c1) bra #none\nadd b32 $r4 $r4 $r4\nnone:\njoin nop\n" LEAVE, TRACES), 0);
	assert_int_equal(compare_text(OWN
		"and b32 $r5 $r0 c1[0xc]\nbreakaddr #out\nagain:\nsub b32 $c0 $r5 $r5 c1[0x0]\n(l $c0) break\n"
		"(e $c0) add b32 $r4 $r4 $r0\nbra #again\nout:\n" LEAVE, TRACES), 0);
	assert_int_equal(compare_text(OWN
		"call #f\ncall #f\n" LEAVE "f:\nsub b32 $c0 $r5 $r4 c1[0xc]\n(l $c0) ret\nadd b32 $r4 $r4 $r0\n"
		"(e $c0) ret\nadd b32 $r4 $r4 c1[0x0]\nret\n", TRACES), 0);
	/* threads end by themselves */
	assert_int_equal(compare_text(OWN "(lg $c0) ret\nadd b32 $r4 $r4 $r0\n" LEAVE, TRACES), 0);
}

/* Loops that fast-forward mostly skips: under guards that change from time to time; with lanes that leave one after the
 * other; beside warps in another loop. */
static void periods(void **state)
{
	(void)state;
	assert_int_equal(compare_text(OWN
		"mov b32 $r6 0x60\nagain:\nand b32 $c0 $r5 $r6 c1[0xc]\n(lg $c0) add b32 $r4 $r4 $r0\n"
		"mul $r5 u24 $r4 $r6\n(e $c0) add b32 $r4 $r4 $r5\nsub b32 $c1 $r6 $r6 c1[0x0]\n(lg $c1) bra #again\n"
		LEAVE, TRACES), 0);
	assert_int_equal(compare_text(OWN
		"add b32 $r6 $r0 c1[0xc]\nbreakaddr #out\nagain:\n(e $c0) add b32 $r4 $r4 $r6\n"
		"sub b32 $c1 $r6 $r6 c1[0x0]\n(e $c1) break\nadd b32 $r4 $r4 $r0\nbra #again\nout:\n" LEAVE,
		TRACES), 0);
	assert_int_equal(compare_text(OWN
		"mov b32 $r6 0x60\nshr u32 $r5 $r0 0x5\nsub b32 $c1 # $r5 c1[0x0]\n(e $c1) bra #other\nagain:\n"
		"add b32 $r4 $r4 $r0\nsub b32 $c1 $r6 $r6 c1[0x0]\n(lg $c1) bra #again\n" LEAVE "other:\n"
		"mul $r5 u24 $r4 $r6\nadd b32 $r4 $r4 $r5\nsub b32 $c1 $r6 $r6 c1[0x0]\n(lg $c1) bra #other\n" LEAVE,
		TRACES), 0);
}

static void barriers(void **state)
{
	(void)state;
	assert_int_equal(compare_text(OWN
		"mov b32 $r6 0x3\nagain:\nst b32 s[$a1+0x20] $r4\nbar inc wait 0x0 all\n"
		"(lg $c0) mov b32 $r5 b32 s[$a1+0x20]\n(lg $c0) add b32 $r4 $r4 $r5\nbar inc wait 0x1 all\n"
		"sub b32 $c1 $r6 $r6 c1[0x0]\n(lg $c1) bra #again\n" LEAVE, TRACES), 0);
}

/* Blocks that store to the same word: found when a later block is executed, after the recording of others. */
static void restart(void **state)
{
	(void)state;
	assert_int_equal(compare_text(OWN "mov b32 $r5 b32 s[0x10]\n(lg $c0) add b32 $r4 $r4 c1[0x4]\n"
				      "exit st b32 g14[$r5] $r4\n", PRECISE), 2);
}

static void examples(void **state)
{
	/* with some settings, examples may not end */
	static const struct setting settings[][4] = {
		{ { "livelock", "200000" }, { "mps", "1" }, { NULL, NULL } },
		{ { "livelock", "200000" }, { "mps", "3" }, { "policy", "gto" }, { NULL, NULL } },
		{ { "livelock", "200000" }, { "reconverge", "ipdom" }, { NULL, NULL } },
		{ { "livelock", "200000" }, { "join", "per-path" }, { NULL, NULL } },
	};
	DIR *dir = opendir(WB_EXAMPLES);
	struct dirent *e;
	unsigned n = 0;

	(void)state;
	assert_non_null(dir);
	while ((e = readdir(dir))) {
		char path[4096];
		struct wb_program *p;
		snprintf(path, sizeof path, "%s/%s", WB_EXAMPLES, e->d_name);
		if (!strstr(e->d_name, ".s") || wb_program_open(path, NULL, &p, NULL) != WB_OK)
			continue;
		for (unsigned i = 0; name_in_sample(e->d_name) && i < sizeof settings / sizeof *settings; i++)
			compare(e->d_name, p, settings[i], EITHER);
		wb_program_free(p);
		n++;
	}
	closedir(dir);
	assert_true(n > 20);
}

/* Faults, limits and hangs have positions of their own, with a clock and without. */
static void ends(void **state)
{
	static const char *const texts[] = {
		OWN "mov b32 $r6 0x0\n(lg $c0) ld b32 $r7 g14[$r6]\n" LEAVE,
		OWN "joinat #end\n(lg $c0) bra #odd\nbar inc wait 0x1 all\nbra #end\nodd:\nbar inc wait 0x0 all\n"
		"end:\njoin nop\n" LEAVE,
		OWN "again:\nadd b32 $r4 $r4 $r0\nbra #again\n" LEAVE,
	};
	static const struct setting limits[] = {
		{ "max-insns", "1000" }, { "max-cycles", "3000" }, { "livelock", "5000" },
	};

	(void)state;
	for (unsigned t = 0; t < sizeof texts / sizeof *texts; t++)
		for (unsigned i = 0; i < 3; i++)
			for (unsigned timing = 0; timing < 2; timing++) {
				const struct setting s[] = { { "grid", "7" }, { "block", "96" }, { "mps", "3" },
							     { "timing", timing ? "on" : "off" }, { "slice", "1" },
							     limits[i], { "livelock", "5000" }, { NULL, NULL } };
				struct wb_program *p = load(texts[t]);
				compare_issues(texts[t], p, s, "off");
				compare_issues(texts[t], p, s, "on");
				wb_program_free(p);
			}
}

static void random_programs(void **state)
{
	static const char *const mps[] = { "1", "2", "30" };
	static char text[1 << 16];

	(void)state;
	for (uint64_t seed = 1; seed <= sample_of(24); seed++) {
		const struct setting some[] = { { "grid", "23" }, { "block", seed % 2 ? "64" : "160" },
						{ "mps", mps[seed % 3] }, { "livelock", "none" }, { NULL, NULL } };
		struct wb_program *p;
		text[generate_program(seed, text, sizeof text - 1)] = '\0';
		p = load(text);
		compare(text, p, some, EITHER);
		wb_program_free(p);
	}
}

/* Policies over groups of lanes. Under minpc lanes meet behind any instruction, of which a trace does not tell. */
static void groups(void **state)
{
	static const char *const policies[] = { "barriers", "minpc", "none", "ipdom" };
	struct wb_program *p = load(parting);

	(void)state;
	for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++) {
		const struct setting s[] = { { "grid", "9" }, { "mps", "2" }, { "reconverge", policies[i] },
					     { NULL, NULL } };
		compare(policies[i], p, s, i % 3 ? PRECISE : TRACES);
	}
	wb_program_free(p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(guards), cmocka_unit_test(divergence), cmocka_unit_test(periods),
		cmocka_unit_test(barriers), cmocka_unit_test(restart), cmocka_unit_test(examples),
		cmocka_unit_test(ends), cmocka_unit_test(groups),
		cmocka_unit_test(random_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
