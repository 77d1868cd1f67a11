/* Warp primitives on every chip where lanes are missing, have ended, are apart, or belong to groups with different
 * masks. Each kernel has a plain model: a function of a warp's lanes. Answers of an H100: test_ptx_measured.c. */
#include "tests/kit/launches.h"

enum { LANES = 32, THREADS_MAX = 128, WORDS = 8 };

/* Results of a thread are at %o, eight words. %t: number of the thread in the block; %l: the lane. */
#define PTX(bounds, body) \
	".version 7.8\n.target sm_80\n.extern .shared .align 4 .b8 more[];\n" \
	".entry k (.param .u32 out) " bounds "\n{\n" \
	".reg .u32 %o, %t, %l, %a, %b, %c, %d, %e, %m; .reg .u64 %w; .reg .pred %p, %q, %r;\n" \
	"mov.u32 %t, %tid.z; mov.u32 %a, %ntid.y; mov.u32 %b, %tid.y; mad.lo.u32 %t, %t, %a, %b;\n" \
	"mov.u32 %a, %ntid.x; mov.u32 %b, %tid.x; mad.lo.u32 %t, %t, %a, %b; and.b32 %l, %t, 31;\n" \
	"ld.param.u32 %o, [out]; shl.b32 %a, %t, 5; add.u32 %o, %o, %a;\n" body "\n}\n"
#define PUT(k, word) "st.global.u32 [%o+0x" HEX_##k "], " word ";\n"
#define HEX_0 "0"
#define HEX_1 "4"
#define HEX_2 "8"
#define HEX_3 "c"
#define HEX_4 "10"
#define HEX_5 "14"
#define HEX_6 "18"
#define HEX_7 "1c"

/* Results of the warp with thread `first`; `there`: lanes of the warp. */
typedef void model_fn(unsigned first, uint32_t there, uint32_t out[THREADS_MAX][WORDS]);

static unsigned count(uint32_t mask) { return (unsigned)__builtin_popcount(mask); }
static unsigned lowest(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }

#define EACH_LANE(l, mask) for (unsigned l = 0; l < LANES; l++) if ((mask) >> l & 1)

static uint32_t lanes_where(uint32_t mask, unsigned first, bool (*holds)(unsigned thread))
{
	uint32_t lanes = 0;

	EACH_LANE(l, mask)
		lanes |= (uint32_t)holds(first + l) << l;
	return lanes;
}

/* ---- lanes that are missing ---- */

static const char missing[] = PTX("",
	"activemask.b32 %a; " PUT(0, "%a")
	"and.b32 %b, %t, 2; setp.eq.u32 %p, %b, 0; vote.sync.ballot.b32 %a, %p, -1; " PUT(1, "%a")
	"mov.u32 %b, 0; match.any.sync.b32 %a, %b, -1; " PUT(2, "%a")
	"add.u32 %b, %t, 100; shfl.sync.bfly.b32 %a|%q, %b, 16, 31, -1; selp.u32 %c, 1000, 0, %q; add.u32 %a, %a, %c;\n"
	PUT(3, "%a") "redux.sync.min.u32 %a, %b, -1; " PUT(4, "%a") "redux.sync.and.b32 %a, %b, -1; " PUT(5, "%a")
	"elect.sync %a|%q, -1; selp.u32 %c, 1000, 0, %q; add.u32 %a, %a, %c; " PUT(6, "%a")
	"match.all.sync.b64 %a|%q, 5, -1; selp.u32 %c, 1, 0, %q; xor.b32 %a, %a, %c; " PUT(7, "%a") "exit;");

static bool bit_1_clear(unsigned thread) { return !(thread & 2); }

static void missing_model(unsigned first, uint32_t there, uint32_t out[THREADS_MAX][WORDS])
{
	uint32_t all = ~0u;

	EACH_LANE(l, there)
		all &= first + l + 100;
	EACH_LANE(l, there) {
		unsigned t = first + l;
		out[t][0] = there;
		out[t][1] = lanes_where(there, first, bit_1_clear);
		out[t][2] = there;
		out[t][3] = 1000 + (there >> (l ^ 16) & 1 ? (t ^ 16) + 100 : 0);
		out[t][4] = first + lowest(there) + 100;
		out[t][5] = all;
		out[t][6] = lowest(there) + (l == lowest(there) ? 1000 : 0);
		out[t][7] = there ^ 1;
	}
}

/* ---- lanes that have ended ---- */

static const char ended[] = PTX("",
	"rem.u32 %b, %t, 3; setp.eq.u32 %p, %b, 0; @%p exit;\n"
	"activemask.b32 %a; " PUT(0, "%a") "setp.eq.u32 %p, %b, 1; vote.ballot.b32 %a, %p; " PUT(1, "%a")
	"vote.any.pred %q, %p; selp.u32 %a, 1, 2, %q; vote.all.pred %q, %p; @%q add.u32 %a, %a, 4;\n"
	"vote.uni.pred %q, %p;\n"
	"@%q add.u32 %a, %a, 8; " PUT(2, "%a") "shfl.up.b32 %a|%q, %t, 1, 0; @!%q add.u32 %a, %a, 1000; " PUT(3, "%a")
	"elect.sync %a|_, -1; " PUT(4, "%a") "redux.sync.add.u32 %a, %l, -1; " PUT(5, "%a")
	"redux.sync.max.s32 %a, -7, -1; " PUT(6, "%a") "match.any.sync.b32 %a, %b, -1; " PUT(7, "%a") "exit;");

static bool stays(unsigned thread) { return thread % 3; }
static bool is_1(unsigned thread) { return thread % 3 == 1; }

static void ended_model(unsigned first, uint32_t there, uint32_t out[THREADS_MAX][WORDS])
{
	uint32_t here = lanes_where(there, first, stays), ones = lanes_where(here, first, is_1), sum = 0;

	EACH_LANE(l, here)
		sum += l;
	EACH_LANE(l, here) {
		unsigned t = first + l;
		out[t][0] = here;
		out[t][1] = ones;
		out[t][2] = (ones ? 1 : 2) + (ones == here ? 4 : 0) + (ones == here || !ones ? 8 : 0);
		out[t][3] = !l ? t + 1000 : here >> (l - 1) & 1 ? t - 1 : 0;
		out[t][4] = lowest(here);
		out[t][5] = sum;
		out[t][6] = (uint32_t)-7;
		out[t][7] = is_1(t) ? ones : here & ~ones;
	}
}

/* ---- groups with different masks ---- */

static const char groups[] = PTX(".maxntid 128, 1, 1",
	"rem.u32 %b, %t, 5; match.any.sync.b32 %m, %b, -1; " PUT(0, "%m")
	"redux.sync.add.u32 %a, %t, %m; " PUT(1, "%a") "redux.sync.min.s32 %a, %t, %m; " PUT(2, "%a")
	"and.b32 %c, %t, 2; setp.eq.u32 %p, %c, 0; vote.sync.ballot.b32 %a, %p, %m; " PUT(3, "%a")
	"vote.sync.any.pred %q, %p, %m; selp.u32 %a, 1, 2, %q; vote.sync.all.pred %q, %p, %m; @%q add.u32 %a, %a, 4;\n"
	"vote.sync.uni.pred %q, %p, %m; @%q add.u32 %a, %a, 8; " PUT(4, "%a")
	"elect.sync %a|%q, %m; selp.u32 %c, 1000, 0, %q; add.u32 %a, %a, %c; " PUT(5, "%a")
	"elect.sync %a|_, %m; shfl.sync.idx.b32 %a, %t, %a, 31, %m; " PUT(6, "%a")
	"setp.eq.u32 %p, %b, 2; selp.u32 %c, 9, %l, %p; match.all.sync.b32 %a|%q, %c, %m; @%q add.u32 %a, %a, 1;\n"
	PUT(7, "%a") "exit;");

static void groups_model(unsigned first, uint32_t there, uint32_t out[THREADS_MAX][WORDS])
{
	EACH_LANE(l, there) {
		unsigned t = first + l;
		uint32_t mask = 0, sum = 0;
		for (unsigned k = 0; k < LANES; k++)
			if (there >> k & 1 && (first + k) % 5 == t % 5) {
				mask |= 1u << k;
				sum += first + k;
			}
		uint32_t yes = lanes_where(mask, first, bit_1_clear);
		out[t][0] = mask;
		out[t][1] = sum;
		out[t][2] = first + lowest(mask);
		out[t][3] = yes;
		out[t][4] = (yes ? 1 : 2) + (yes == mask ? 4 : 0) + (yes == mask || !yes ? 8 : 0);
		out[t][5] = lowest(mask) + (l == lowest(mask) ? 1000 : 0);
		out[t][6] = first + lowest(mask);
		out[t][7] = t % 5 == 2 || count(mask) == 1 ? mask + 1 : 0;
	}
}

/* ---- lanes apart ---- */

static const char apart[] = PTX(".reqntid 64, 2, 1",
	"mov.u32 %a, 0; mov.u32 %b, %l;\n"          /* in each turn the lanes of the turn; behind, all */
	"LOOP: activemask.b32 %c; popc.b32 %c, %c; add.u32 %a, %a, %c; add.u32 %b, %b, 7; setp.lt.u32 %p, %b, 32;\n"
	"@%p bra LOOP;\n" PUT(0, "%a") "activemask.b32 %a; " PUT(1, "%a")
	"and.b32 %b, %t, 1; setp.eq.u32 %p, %b, 0; @%p bra EVEN;\n"
	"shfl.sync.idx.b32 %a, %t, 3, 31, 0xaaaaaaaa; redux.sync.add.u32 %c, %l, 0xaaaaaaaa; bra MET;\n"
	"EVEN: shfl.sync.idx.b32 %a, %t, 3, 31, 0x55555555; redux.sync.xor.b32 %c, %l, 0x55555555;\n"
	"MET: bar.warp.sync -1; " PUT(2, "%a") PUT(3, "%c")
	"mov.u32 %a, 5; setp.gt.u32 %q, %l, 20; @%q shfl.sync.down.b32 %a, %t, 4, 31, 0xffe00000; " PUT(4, "%a")
	"shfl.sync.idx.b32 %a, %t, %l, 0x1807, -1; " PUT(5, "%a")
	"mov.u32 %e, more; shl.b32 %d, %t, 2; add.u32 %e, %e, %d; st.shared.u32 [%e], %t;\n"
	"match.any.sync.b32 %a, %b, -1;\n"
	"ld.shared.u32 %c, [%e]; " PUT(6, "%a") PUT(7, "%c") "exit;");

static void apart_model(unsigned first, uint32_t there, uint32_t out[THREADS_MAX][WORDS])
{
	EACH_LANE(l, there) {
		unsigned t = first + l, turns = 0, sum = 0;
		for (unsigned b = l, k = 0; !k || b < 32; b += 7, k++) /* turn k has the lanes below 32 - 7 k */
			turns += k * 7 < 32 ? 32 - 7 * k : 0;
		for (unsigned k = l & 1; k < 32; k += 2)
			sum = l & 1 ? sum + k : sum ^ k;
		out[t][0] = turns;
		out[t][1] = ~0u;
		out[t][2] = l & 1 ? first + 3 : 0;
		out[t][3] = sum;
		out[t][4] = l <= 20 ? 5 : l + 4 < 32 ? t + 4 : t;
		out[t][5] = t;
		out[t][6] = l & 1 ? 0xaaaaaaaa : 0x55555555;
		out[t][7] = t;
	}
}

static const struct kernel {
	const char *name, *text;
	model_fn *model;
	const char *blocks[4];
} kernels[] = {
	{ "missing", missing, missing_model, { "128", "45", "5,3,3", "1" } },
	{ "ended", ended, ended_model, { "128", "32", "7,5,2", "2" } },
	{ "groups", groups, groups_model, { "128", "33", "3,31", "6" } },
	{ "apart", apart, apart_model, { "64,2" } },
};

/* ---- runs ---- */

static struct wb_program *load_text(const char *text, const char *chip, const struct setting *way, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;

	assert_int_equal(wb_config_set(c, "format", "ptx", d), WB_OK);
	assert_int_equal(wb_config_set(c, "chip", chip, d), WB_OK);
	if (!strcmp(way->option, "max-regs"))
		assert_int_equal(wb_config_set(c, way->option, way->value, d), WB_OK);
	wb_program_load(text, strlen(text), "test", c, &p, d);
	wb_config_free(c);
	return p;
}

static unsigned threads_of(const char *block)
{
	unsigned n[3] = { 1, 1, 1 };

	sscanf(block, "%u,%u,%u", &n[0], &n[1], &n[2]);
	return n[0] * n[1] * n[2];
}

static void run_kernel(const struct kernel *k, const char *block, const char *chip, const struct setting *way)
{
	bool compiles = !strcmp(way->option, "max-regs");
	struct setting s[] = { { "block", block }, { "smem", "512" }, *way, { NULL, NULL } };
	uint32_t expected[THREADS_MAX][WORDS] = { { 0 } }, found[THREADS_MAX][WORDS];
	unsigned threads = threads_of(block);
	struct wb_diag d = { 0 };
	struct wb_program *p = load_text(k->text, chip, way, &d);

	if (!p)
		fail_msg("%s: line %d: %s", k->name, d.line, d.text);
	s[2].option = compiles ? NULL : s[2].option;
	struct wb_launch *l = launch(p, s);
	for (unsigned first = 0; first < threads; first += LANES)
		k->model(first, threads - first < LANES ? (1u << (threads - first)) - 1 : ~0u, expected);
	assert_int_equal(wb_launch_arg(l, "zero=4096", &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s of %s on %s, %s %s: %s", k->name, block, chip, way->option, way->value, d.text);
	if (wb_launch_report(l)->nwarnings)
		fail_msg("%s on %s: %s", k->name, chip, wb_launch_report(l)->warnings[0]);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, found, sizeof found, &d), WB_OK);
	for (unsigned t = 0; t < THREADS_MAX; t++)
		for (unsigned i = 0; i < WORDS; i++)
			if (found[t][i] != expected[t][i])
				fail_msg("%s of %s on %s, %s %s: word %u of thread %u is %x, expected %x", k->name,
					 block, chip, way->option, way->value, i, t, found[t][i], expected[t][i]);
	wb_launch_free(l);
	wb_program_free(p);
}

static void lanes_that_take_part_count(void **state)
{
	static const char *const chips[] = { "g80", "g84", "mcp77", "g200", "v100" };
	static const struct setting ways[] = {
		{ "diverge", "taken" }, { "diverge", "larger" }, { "diverge", "random" }, { "join", "per-path" },
		{ "max-regs", "12" },   { "policy", "random" },  { "threaded-code", "off" },
		{ "check", "race,uninit,barrier" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
		for (size_t b = 0; b < 4 && kernels[k].blocks[b]; b++)
			for (size_t c = 0; c < sizeof chips / sizeof *chips; c++)
				for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
					run_kernel(&kernels[k], kernels[k].blocks[b], chips[c], &ways[w]);
}

/* Two ways with code of their own: each exchanges with the other, through s[] as well; .sync names all lanes. */
static const char two_ways[] = PTX("",
	".shared .align 4 .b8 words[128];\n"
	"mov.u32 %m, words; shl.b32 %a, %l, 2; add.u32 %m, %m, %a; and.b32 %a, %l, 5; setp.eq.u32 %p, %a, 1;\n"
	"xor.b32 %e, %l, 1; mov.u32 %b, words; shl.b32 %a, %e, 2; add.u32 %b, %b, %a; @%p bra OTHER;\n"
	"mul.lo.u32 %a, %l, 3; st.volatile.shared.u32 [%m], %a; bar.warp.sync -1; ld.volatile.shared.u32 %c, [%b];\n"
	"shfl.sync.idx.b32 %d, %a, %e, 31, -1; add.u32 %d, %d, 1000; setp.gt.u32 %q, %l, 9;\n"
	"vote.sync.ballot.b32 %a, %q, -1; " PUT(3, "%a") "bra MEET;\n"
	"OTHER: mul.lo.u32 %a, %l, 5; st.volatile.shared.u32 [%m], %a; bar.warp.sync -1;\n"
	"ld.volatile.shared.u32 %c, [%b];\n"
	"shfl.sync.bfly.b32 %d, %a, 1, 31, -1; xor.b32 %d, %d, 4096; setp.gt.u32 %q, %l, 3;\n"
	"vote.sync.ballot.b32 %a, %q, -1; " PUT(4, "%a")
	"MEET: " PUT(0, "%c") PUT(1, "%d") "redux.sync.add.u32 %a, %l, -1; " PUT(2, "%a") "exit;");

static bool goes_the_other_way(uint32_t lane) { return (lane & 5) == 1; }

static void ways_exchange(void **state)
{
	static const char *const policies[] = { "barriers", "minpc", "none" };
	uint32_t votes = 0;

	(void)state;
	for (uint32_t l = 0; l < LANES; l++)
		votes |= (uint32_t)(l > (goes_the_other_way(l) ? 3 : 9)) << l;
	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		struct setting way = { "reconverge", policies[i] }, s[] = { { "block", "32" }, way, { 0 } };
		uint32_t found[LANES][WORDS];
		struct wb_diag d = { 0 };
		struct wb_program *p = load_text(two_ways, "v100", &way, &d);
		if (!p)
			fail_msg("line %d: %s", d.line, d.text);
		struct wb_launch *l = launch(p, s);
		assert_int_equal(wb_launch_arg(l, "zero=1024", &d), WB_OK);
		assert_int_equal(wb_launch_run(l, &d), WB_OK);
		assert_int_equal(wb_launch_read_arg(l, 0, 0, found, sizeof found, &d), WB_OK);
		for (uint32_t k = 0; k < LANES; k++) {
			bool other = goes_the_other_way(k);
			uint32_t word = (k ^ 1) * (goes_the_other_way(k ^ 1) ? 5 : 3);
			assert_int_equal(found[k][0], word);
			assert_int_equal(found[k][1], other ? word ^ 4096 : word + 1000);
			assert_int_equal(found[k][2], i == 0 ? 496 : found[k][2]);
			assert_int_equal(found[k][other ? 4 : 3], votes);
		}
		wb_launch_free(l);
		wb_program_free(p);
	}
}

/* A shuffle in a circle with two entries: nothing brings the lanes together. */
static void what_cannot_meet_is_refused(void **state)
{
	static const char text[] = PTX("",
		"mov.u32 %a, 0; setp.lt.u32 %p, %l, 20; @%p bra SECOND;\n"
		"FIRST: add.u32 %a, %a, 3; " PUT(0, "%a") PUT(1, "%l") "ld.global.u32 %b, [%o];\n" PUT(2, "%b")
		"SECOND: shfl.sync.idx.b32 %b, %a, 0, 31, -1;\nadd.u32 %a, %a, 5; " PUT(3, "%a") PUT(4, "%b")
		"add.u32 %b, %a, %l; setp.lt.u32 %q, %b, 100; @%q bra FIRST; exit;");
	struct wb_diag d = { 0 };

	(void)state;
	assert_null(load_text(text, "g200", &(struct setting){ "block", "32" }, &d));
	if (!strstr(d.text, "found a warp primitive that lanes reach apart after they part on line "))
		fail_msg("line %d: %s", d.line, d.text);
}

/* A block with the most threads, parameters and s[] of today, on the chip that has these limits alone. */
static void limits_are_those_of_the_chip(void **state)
{
	static const char text[] =
		".version 9.0\n.target sm_70\n.shared .align 4 .b8 words[45000];\n"
		".entry k (.param .u32 out, .param .align 4 .b8 many[4000], .param .u32 last)\n{\n"
		".reg .u32 %r<9>;\nmov.u32 %r1, %tid.x; shl.b32 %r3, %r1, 2; mov.u32 %r2, words;\n"
		"add.u32 %r2, %r2, %r3;\n"
		"st.shared.u32 [%r2+40000], %r1; bar.sync 0; xor.b32 %r4, %r3, 4092; mov.u32 %r2, words;\n"
		"add.u32 %r2, %r2, %r4; ld.shared.u32 %r5, [%r2+40000];\n"
		"ld.param.u32 %r6, [last]; ld.param.u32 %r7, [many+3996];\n"
		"add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7;\n"
		"ld.param.u32 %r8, [out]; add.u32 %r8, %r8, %r3; st.global.u32 [%r8], %r5; exit;\n}\n";
	static const struct setting setup[] = { { "block", "1024" }, { 0 } }, none = { "timing", "off" };
	uint32_t found[1024];
	struct wb_diag d = { 0 };

	(void)state;
	assert_null(load_text(text, "g200", &none, &d));
	assert_non_null(strstr(d.text, "parameters take 4008 bytes; 256 fit: --chip v100 takes 4096"));
	struct wb_program *p = load_text(text, "v100", &none, &d);
	if (!p)
		fail_msg("line %d: %s", d.line, d.text);
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, "zero=4096", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "pad=4000", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "u32=100000", &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	assert_int_equal(wb_launch_report(l)->nwarnings, 0);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, found, sizeof found, &d), WB_OK);
	for (unsigned t = 0; t < 1024; t++)
		assert_int_equal(found[t], (t ^ 1023) + 100000);
	wb_launch_free(l);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_that_take_part_count),
		cmocka_unit_test(ways_exchange), cmocka_unit_test(what_cannot_meet_is_refused),
		cmocka_unit_test(limits_are_those_of_the_chip),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
