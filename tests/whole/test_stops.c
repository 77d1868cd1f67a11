/* Goals, breakpoints, watches and expressions, both ways; and the events of a run. */
#include <string.h>

#include "tests/kit/cmocka_all.h"

#include "warpbeam.h"

static const char loop[] =
	".kernel loop\n.chip g200\n.block 64\n.smem 128\n"
	"mov b32 $r3 0x0\n"
	"shl b32 $r1 $r0 0x2\n"
	"again:\n"
	"add b32 $r3 $r3 0x1\n"
	"mov b32 $r5 0x4\n"
	"set $c0 # l u32 $r3 $r5\n"
	"(lg $c0) bra #again\n"
	"and b32 $c0 # $r0 $r5\n"
	"joinat #end\n"
	"(lg $c0) bra #end\n"
	"mov b32 $r6 0x3f800000\n"
	"end:\n"
	"join mov b32 $r7 $r3\n"
	"st b32 s[0x40] $r3\n"
	"bar inc wait 0x0 all\n"
	"exit nop\n";

struct machine { struct wb_program *p; struct wb_launch *l; };

/* 64 lanes, with scalar registers. */
static const char wave[] =
	".kernel wave\n.chip gfx900\n.block 64\n"
	"s_mov_b32 s4, 0x12345678\n"
	"s_mov_b32 s5, 9\n"
	"v_mov_b32 v2, v0\n"
	"v_mov_b32 v3, 1\n"
	"s_mov_b64 vcc, 0xf0\n"
	"s_mov_b64 exec, 0\n"
	"s_endpgm\n";

static int open_text(void **state, const char *text)
{
	static struct machine m;
	struct wb_config *c = wb_config_new();
	struct wb_diag d = { 0 };

	wb_config_set(c, "format", "asm", NULL);
	if (wb_program_load(text, strlen(text), "loop", c, &m.p, &d) != WB_OK ||
	    wb_launch_new(m.p, NULL, c, &m.l, &d) != WB_OK)
		print_message("line %d: %s\n", d.line, d.text);
	wb_config_free(c);
	*state = &m;
	return m.l ? 0 : -1;
}

static int open_machine(void **state)
{
	return open_text(state, loop);
}

static int open_wave(void **state)
{
	return open_text(state, wave);
}

static int close_machine(void **state)
{
	struct machine *m = *state;

	wb_launch_free(m->l);
	wb_program_free(m->p);
	m->l = NULL;
	return 0;
}

static struct wb_where forward(struct machine *m, struct wb_goal g)
{
	struct wb_where at;

	assert_int_equal(wb_launch_forward(m->l, &g, &at, NULL), WB_OK);
	return at;
}

static struct wb_where back(struct machine *m, struct wb_goal g)
{
	struct wb_where at;

	assert_int_equal(wb_launch_back(m->l, &g, &at, NULL), WB_OK);
	return at;
}

static uint64_t value(struct machine *m, const char *text, uint32_t warp)
{
	uint64_t v = 0;
	struct wb_diag d = { 0 };

	if (wb_launch_value(m->l, text, 0, warp, &v, &d) != WB_OK)
		fail_msg("%s: %s", text, d.text);
	return v;
}

static void expressions_have_values(void **state)
{
	struct machine *m = *state;

	assert_int_equal(wb_launch_start(m->l, NULL), WB_OK);
	forward(m, (struct wb_goal){ .issues = 6, .one_warp = true, .warp = 1 });
	assert_int_equal(value(m, "1+2*3", 0), 7);
	assert_int_equal(value(m, "1<<4|1", 0), 17);
	assert_int_equal(value(m, "-1 == ~0 && !0", 0), 1);
	assert_int_equal(value(m, "1.5", 0), 0x3fc00000);
	assert_int_equal(value(m, "w1.$r1[5]", 0), (32 + 5) * 4);
	assert_int_equal(value(m, "$r1[5]", 1), (32 + 5) * 4);
	assert_int_equal(value(m, "b0.w1.pc == again", 0), 1);
	assert_int_equal(value(m, "pc == #again", 1), 1);
	assert_int_equal(value(m, "mask != full", 0), 0);
	assert_int_equal(value(m, "lanes", 0), 32);
	assert_int_equal(value(m, "warp*100+block", 1), 100);
	assert_int_equal(value(m, "s[0x40]", 0), 0);
}

/* A place by a line of the source: the line's first instruction, or that of the next line with instructions. */
static void breakpoints_by_line(void **state)
{
	struct machine *m = *state;
	static const struct { const char *text, *place; } good[] = {
		{ ":7", "line 8, 0x0010: line 7 has no instructions" }, { "loop:8", "line 8, 0x0010" },
		{ "line 8 if warp==1", "line 8, 0x0010" },
		{ "some/loop:1", "line 5, 0x0000: line 1 has no instructions" },
	}, bad[] = {
		{ ":21", "found line 21, expected one from 1 to 20, the last of loop" }, { ":0", "from 1 to 20" },
		{ "other:8", "found \"other:8\", expected a line of loop, such as loop:20 or :20" },
		{ ":", "expected a label, a line" }, { ":8x", "expected a label, a line" }, { "line x", "\"line\"" },
		{ ":8 when 1", "if EXPRESSION" },
	};
	char place[80];
	struct wb_diag d;
	int id;

	assert_int_equal(wb_launch_start(m->l, NULL), WB_OK);
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		if (wb_launch_break(m->l, WB_STOP_BREAK, good[i].text, 0, 0, &id, &d) != WB_OK)
			fail_msg("%s: %s", good[i].text, d.text);
		assert_int_equal(wb_launch_break_place(m->l, id, place, sizeof place), strlen(good[i].place));
		assert_string_equal(place, good[i].place);
		wb_launch_unbreak(m->l, id);
		assert_int_equal(wb_launch_break_place(m->l, id, place, sizeof place), 0);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(wb_launch_break(m->l, WB_STOP_BREAK, bad[i].text, 0, 0, &id, &d), WB_USAGE);
		if (!strstr(d.text, bad[i].place))
			fail_msg("\"%s\": %s", bad[i].text, d.text);
	}
	assert_int_equal(wb_launch_break(m->l, WB_STOP_BREAK, "again", 0, 0, &id, NULL), WB_OK);
	assert_int_equal(wb_launch_break_place(m->l, id, place, sizeof place), 0);
}

/* Scalar registers have a value without a lane, also when no lane executes; two form a value of 64 bits. */
static void registers_have_a_scope(void **state)
{
	struct machine *m = *state;
	static const struct { const char *name; enum wb_scope scope; unsigned bits; uint64_t one; } good[] = {
		{ "s4", WB_SCOPE_WARP, 32, 0x12345678 }, { "$s[4:5]", WB_SCOPE_WARP, 64, 0x912345678 },
		{ "vcc", WB_SCOPE_MASK, 64, 0xf0 }, { "exec", WB_SCOPE_MASK, 64, 0 },
		{ "vcc_lo", WB_SCOPE_WARP, 32, 0xf0 }, { "v2", WB_SCOPE_LANES, 32, 0 },
		{ "v[2:3]", WB_SCOPE_LANES, 64, 0 }, { "s[5:5]", WB_SCOPE_WARP, 32, 9 },
	};
	static const char *const bad[] = {
		"s[4:6]", "s[5:4]", "s[4:5", "s[4]", "[4:5]", "vcc[0:1]", "s4:5", "v[255:256]"
	};
	struct wb_register r;
	uint32_t row[WB_LANES];
	uint64_t v;

	assert_int_equal(wb_launch_start(m->l, NULL), WB_OK);
	forward(m, (struct wb_goal){ .issues = 6 });
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(wb_launch_register(m->l, 0, 0, good[i].name, &r, NULL), WB_OK);
		assert_int_equal(r.scope, good[i].scope);
		assert_int_equal(r.bits, good[i].bits);
		assert_int_equal(r.one, good[i].one);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(wb_launch_register(m->l, 0, 0, bad[i], &r, NULL), WB_USAGE);
	wb_launch_register(m->l, 0, 0, "v[2:3]", &r, NULL);
	assert_int_equal(r.value[63], 0x10000003f);
	wb_launch_register(m->l, 0, 0, "vcc", &r, NULL);
	assert_int_equal(r.value[3] + 2 * r.value[4], 2);
	assert_int_equal(wb_launch_read_register(m->l, 0, 0, "s[4:5]", row, NULL), WB_USAGE);
	assert_int_equal(value(m, "s[4:5]+1", 0), 0x912345679);
	assert_int_equal(value(m, "v[2:3][63] & s4 | vcc << 32 | exec", 0), 0xf000000038);
	assert_int_equal(wb_launch_value(m->l, "v2", 0, 0, &v, NULL), WB_USAGE); /* no lane executes */
}

static void refusals_say_where(void **state)
{
	struct machine *m = *state;
	static const struct { const char *text, *found; int column; } bad[] = {
		{ "", "the end", 1 }, { "1 +", "the end", 4 }, { "(1", "the end", 3 }, { "1 2", "\"2\"", 3 },
		{ "nowhere", "nowhere", 1 },
		{ "s[1", "the end", 4 }, { "$r", "$r", 1 }, { "1 = 2", "=", 3 }, { "$r3[", "the end", 5 },
	};
	uint64_t v;
	struct wb_diag d;

	assert_int_equal(wb_launch_start(m->l, NULL), WB_OK);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(wb_launch_value(m->l, bad[i].text, 0, 0, &v, &d), WB_USAGE);
		if (!strstr(d.text, bad[i].found) || d.column != bad[i].column)
			fail_msg("\"%s\": column %d, %s", bad[i].text, d.column, d.text);
	}
	assert_int_equal(wb_launch_value(m->l, "w7.pc", 0, 0, &v, &d), WB_USAGE);
	assert_int_equal(wb_launch_value(m->l, "s[0x1000000]", 0, 0, &v, &d), WB_USAGE);
}

static void goals_are_met_both_ways(void **state)
{
	struct machine *m = *state;
	struct wb_where first = forward(m, (struct wb_goal){ .when = "$r3[0]==2" }), at;

	assert_int_equal(first.stops, WB_STOP_WHEN);
	at = forward(m, (struct wb_goal){ .when = "w1.$r3[0]==4 && w0.$r3[0]==4" });
	assert_int_equal(at.stops, WB_STOP_WHEN);
	at = forward(m, (struct wb_goal){ 0 });
	assert_int_equal(at.stops, WB_STOP_END);
	at = back(m, (struct wb_goal){ .stops = WB_STOP_DIVERGED });
	assert_int_equal(at.stops, WB_STOP_DIVERGED);
	assert_true(at.last.flow & WB_FLOW_DIVERGED);
	do
		at = back(m, (struct wb_goal){ .when = "$r3[0]==2" });
	while (at.stops == WB_STOP_WHEN && at.issue > first.issue);
	assert_int_equal(at.issue, first.issue);
	at = back(m, (struct wb_goal){ .when = "$r3[0]==2" });
	assert_int_equal(at.stops, WB_STOP_START);
	assert_int_equal(at.issue, 0);
}

static void one_warp_steps_back_as_it_came(void **state)
{
	struct machine *m = *state;
	struct wb_goal g = { .issues = 5, .one_warp = true, .warp = 1 };
	struct wb_where a = forward(m, g), b, c;
	uint64_t hash = wb_launch_state_hash(m->l);

	b = forward(m, (struct wb_goal){ .issues = 3, .one_warp = true, .warp = 1 });
	assert_true(b.issue > a.issue);
	c = back(m, (struct wb_goal){ .issues = 3, .one_warp = true, .warp = 1 });
	assert_int_equal(c.stops, WB_STOP_COUNT);
	assert_int_equal(c.issue, a.issue);
	assert_int_equal(wb_launch_state_hash(m->l), hash);
}

static void breakpoints_and_watches_stop(void **state)
{
	struct machine *m = *state;
	int at_end, watch, id;
	struct wb_where at;
	struct wb_break b;
	struct wb_diag d;

	assert_int_equal(wb_launch_start(m->l, NULL), WB_OK);
	assert_int_equal(wb_launch_break(m->l, WB_STOP_BREAK, "end if warp==1", 0, 0, &at_end, &d), WB_OK);
	assert_int_equal(wb_launch_break(m->l, WB_STOP_WATCH, "$r3[0]", 0, 1, &watch, &d), WB_OK);
	assert_int_equal(wb_launch_break(m->l, WB_STOP_DIVERGED, "end", 0, 0, &id, &d), WB_USAGE);
	assert_int_equal(wb_launch_break(m->l, WB_STOP_BREAK, "0x3", 0, 0, &id, &d), WB_USAGE);
	assert_int_equal(wb_launch_break(m->l, WB_STOP_BREAK, "end when", 0, 0, &id, &d), WB_USAGE);
	for (int i = 1; i <= 4; i++) {
		at = forward(m, (struct wb_goal){ .stops = WB_STOP_WATCH });
		assert_int_equal(at.stops, WB_STOP_WATCH);
		assert_int_equal(at.id, watch);
		assert_int_equal(value(m, "$r3[0]", 1), i);
	}
	at = forward(m, (struct wb_goal){ .stops = WB_STOP_BREAK });
	assert_int_equal(at.id, at_end);
	assert_int_equal(value(m, "w1.pc == end", 0), 1);
	at = back(m, (struct wb_goal){ .stops = WB_STOP_WATCH });
	assert_int_equal(at.id, watch);
	assert_int_equal(value(m, "$r3[0]", 1), 4);
	at = back(m, (struct wb_goal){ .issues = 1 });
	assert_int_equal(value(m, "$r3[0]", 1), 3);
	assert_true(wb_launch_breaks(m->l, 0, &b) && b.hits > 0);
	assert_true(wb_launch_unbreak(m->l, at_end));
	assert_false(wb_launch_unbreak(m->l, at_end));
	assert_false(wb_launch_breaks(m->l, 1, &b));
}

/* ---- events ---- */

struct seen { uint64_t n[WB_EVENT_KINDS], events, cycle[2], threads, issue_cycles; };

static void read_chunk(void *context, const struct wb_chunk *c)
{
	struct seen *seen = context;
	struct wb_events *r = wb_events_open(c->bytes, c->size);
	struct wb_event e;
	bool bad;

	while (wb_events_next(r, &e, &bad)) {
		seen->n[e.kind]++;
		seen->events++;
		if (e.kind != WB_EVENT_ISSUE)
			continue;
		seen->threads += e.flow & WB_FLOW_REJOIN ? 0 : (uint64_t)__builtin_popcountll(e.executed);
		/* Balanced: between two issues a warp waits for exactly the recorded cycles. */
		assert_true(e.cycle >= seen->cycle[e.warp]);
		assert_int_equal(e.waited, e.cycle - seen->cycle[e.warp]);
		seen->cycle[e.warp] = e.cycle + seen->issue_cycles;
	}
	assert_false(bad);
	wb_events_close(r);
}

static void events_tell_the_whole_run(void **state)
{
	struct machine *m = *state;
	struct seen seen = { 0 };
	struct wb_record sum;
	const struct wb_report *report;

	struct wb_machine size;

	assert_int_equal(wb_launch_record(m->l, 0, read_chunk, &seen, NULL), WB_OK);
	wb_launch_machine(m->l, &size);
	seen.issue_cycles = size.issue_cycles;
	assert_int_equal(wb_launch_run(m->l, NULL), WB_OK);
	report = wb_launch_report(m->l);
	wb_launch_recorded(m->l, &sum);
	assert_int_equal(sum.events, seen.events);
	assert_int_equal(sum.dropped, 0);
	assert_memory_equal(sum.by_kind, seen.n, sizeof seen.n);
	assert_int_equal(seen.n[WB_EVENT_BLOCK_START], 1);
	assert_int_equal(seen.n[WB_EVENT_BLOCK_END], 1);
	assert_int_equal(seen.n[WB_EVENT_WARP_END], 2);
	assert_int_equal(seen.n[WB_EVENT_BARRIER_WAIT], 1);
	assert_int_equal(seen.n[WB_EVENT_BARRIER_RELEASE], 1);
	assert_int_equal(seen.threads, report->bill.useful);
}

/* Lanes below the block's number go around once more. */
static const char many[] =
	".kernel many\n.chip g200\n.block 32\n.grid 256\n"
	"mov b16 $r1l u16 s[0xc]\n"
	"and b32 $r1 $r1 0x1f\n"
	"mov b32 $r3 0x0\n"
	"again:\n"
	"add b32 $r3 $r3 0x1\n"
	"set $c0 # l u32 $r0 $r1\n"
	"(lg $c0) add b32 $r4 $r3 $r3\n"
	"(e $c0) add b32 $r4 $r3 $r1\n"
	"mov b32 $r5 0x8\n"
	"set $c1 # l u32 $r3 $r5\n"
	"(lg $c1) bra #again\n"
	"exit nop\n";

static void count_threads(void *context, const struct wb_chunk *c)
{
	struct wb_events *r = wb_events_open(c->bytes, c->size);
	struct wb_event e;
	bool bad;

	while (wb_events_next(r, &e, &bad))
		if (e.kind == WB_EVENT_ISSUE)
			*(uint64_t *)context += (uint64_t)__builtin_popcountll(e.executed);
	assert_false(bad);
	wb_events_close(r);
}

/* Slots of different multiprocessors share the predictions of event bytes (EVENT_PLACES). */
static void more_multiprocessors_than_places(void **state)
{
	struct wb_config *c = wb_config_new();
	struct machine m;
	struct wb_diag d = { 0 };
	uint64_t threads = 0;

	(void)state;
	assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "mps", "70", &d), WB_OK);
	assert_int_equal(wb_program_load(many, strlen(many), "many", c, &m.p, &d), WB_OK);
	assert_int_equal(wb_launch_new(m.p, NULL, c, &m.l, &d), WB_OK);
	assert_int_equal(wb_launch_record(m.l, 0, count_threads, &threads, NULL), WB_OK);
	assert_int_equal(wb_launch_run(m.l, NULL), WB_OK);
	assert_int_equal(threads, wb_launch_report(m.l)->bill.useful);
	wb_config_free(c);
	wb_launch_free(m.l);
	wb_program_free(m.p);
}

static void an_event_is_a_line(void **state)
{
	struct wb_event e = { .kind = WB_EVENT_ISSUE,
			      .cycle = 128,
			      .slot = 3,
			      .warp = 3,
			      .pc = 0x48,
			      .active = 0xffffffff,
			      .executed = 0xffff,
			      .depth = 2,
			      .flow = WB_FLOW_BRANCH | WB_FLOW_DIVERGED,
			      .waited = 4,
			      .reason = 4 };
	char text[512];

	(void)state;
	wb_event_text(&e, false, text, sizeof text);
	assert_string_equal(text,
			    "128 issue mp 0 slot 3 block 0 warp 3 pc 0x48 active 0xffffffff executed 0xffff depth 2 "
			    "flow branch,diverged waited 4 reason memory");
	wb_event_text(&e, true, text, sizeof text);
	assert_string_equal(
		text, "{\"event\":\"issue\",\"cycle\":128,\"mp\":0,\"slot\":3,\"block\":0,\"warp\":3,\"pc\":\"0x48\","
		      "\"active\":\"0xffffffff\",\"executed\":\"0xffff\",\"depth\":2,\"flow\":\"branch,diverged\","
		      "\"waited\":4,"
		      "\"reason\":\"memory\"}");
}

static void damaged_bytes_are_no_events(void **state)
{
	static const uint8_t bytes[][4] = { { 0xff }, { 0, 0x80 }, { 0, 0, 0xff, 0xff }, { 0, 0, 1 } };
	struct wb_event e;
	bool bad;

	(void)state;
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
		struct wb_events *r = wb_events_open(bytes[i], i == 0 ? 1 : i == 1 ? 2 : i == 2 ? 4 : 3);
		assert_false(wb_events_next(r, &e, &bad));
		assert_true(bad);
		wb_events_close(r);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_machine, close_machine)
	const struct CMUnitTest tests[] = {
		TEST(expressions_have_values), TEST(breakpoints_by_line),
		cmocka_unit_test_setup_teardown(registers_have_a_scope, open_wave, close_machine),
		TEST(refusals_say_where), TEST(goals_are_met_both_ways),
		TEST(one_warp_steps_back_as_it_came), TEST(breakpoints_and_watches_stop),
		TEST(events_tell_the_whole_run), cmocka_unit_test(more_multiprocessors_than_places),
		TEST(an_event_is_a_line), TEST(damaged_bytes_are_no_events),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
