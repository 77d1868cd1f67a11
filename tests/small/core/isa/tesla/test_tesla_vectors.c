/* Every instruction word of the arithmetic vectors: decoded, executed by each SIMD level of the host, compared with the
 * answers of the chips' models. Formats and register set-ups: vectors/README. */
#include "tests/kit/cmocka_all.h"
#include "tests/kit/shared.h"

#include <stdbool.h>
#include <string.h>

#include <zlib.h>

#include "core/isa/table.h"
#include "core/isa/tesla/arith_atomic.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/state.h"
#include "tests/kit/host_has.h"

#define ARITHMETIC(X) TESLA_EXEC_INT(X) TESLA_EXEC_FLOAT(X) TESLA_EXEC_DOUBLE(X) TESLA_EXEC_CVT(X)

#define PROTOTYPE_base(name, ...) exec_fn exec_##name##_base;
#define PROTOTYPE_avx2(name, ...) exec_fn exec_##name##_avx2;
#define PROTOTYPE_avx512(name, ...) exec_fn exec_##name##_avx512;
#define ENTRY_base(name, ...) [TESLA_EXEC_##name] = exec_##name##_base,
#define ENTRY_avx2(name, ...) [TESLA_EXEC_##name] = exec_##name##_avx2,
#define ENTRY_avx512(name, ...) [TESLA_EXEC_##name] = exec_##name##_avx512,

ARITHMETIC(PROTOTYPE_base)
#ifdef __x86_64__
ARITHMETIC(PROTOTYPE_avx2)
ARITHMETIC(PROTOTYPE_avx512)
#endif

static exec_fn *const executors[SIMD_LEVELS][TESLA_EXEC_COUNT] = {
	[SIMD_BASE] = { ARITHMETIC(ENTRY_base) },
#ifdef __x86_64__
	[SIMD_AVX2] = { ARITHMETIC(ENTRY_avx2) },
	[SIMD_AVX512] = { ARITHMETIC(ENTRY_avx512) },
#endif
};

enum { TOKENS = 32, REGISTERS = 16, SHOWN = 5, JUNK = 0x6b6b6b6b };
enum { G84 = FEAT_SM11, G200 = FEAT_SM11 | FEAT_SM12 | FEAT_FP64 };

/* A line in a lane. A cc of -1 is not checked. */
struct vector {
	uint64_t in[3], want, mask;
	uint32_t carry;
	int cc;
};

/* The registers that the words of a file assume. */
struct setup {
	const char *file;
	unsigned in[3], out, out_short;
	unsigned carry, flags;       /* $c registers */
	bool pairs;
};

/* Vectors of a word, up to a full warp, and the machine to run. */
struct bench {
	const struct setup *setup;
	struct insn insn;
	struct vector v[LANES];
	int n;
	unsigned ran, wrong;
	struct exec x;
	struct warp warp;
	struct tesla_warp state;
	struct program program;
	struct row reg[REGISTERS];
};

static const struct isa_target *target(unsigned features)
{
	static const struct isa_target g84 = {.features = G84, .mode = MODE_CP};
	static const struct isa_target g200 = {.features = G200, .mode = MODE_CP};
	return features == G84 ? &g84 : &g200;
}

static void decode(struct insn *in, uint64_t word, unsigned features)
{
	static const struct isa_ops ops = {.name = "tesla", .table = &tesla_table};
	struct isa_target t = *target(features);

	t.isa = &ops;
	if (!isa_decode_word(&t, word, in))
		fail_msg("%016llx does not decode", (unsigned long long)word);
}

static void load(struct bench *b)
{
	const struct setup *s = b->setup;

	FOR_LANES(l) {
		const struct vector *v = &b->v[l < b->n ? l : 0];
		for (int r = 0; r < REGISTERS; r++)
			b->reg[r].lane[l] = JUNK;
		for (int i = 0; i < 3; i++) {
			b->reg[s->in[i]].lane[l] = (uint32_t)v->in[i];
			if (s->pairs)
				b->reg[s->in[i] + 1].lane[l] = (uint32_t)(v->in[i] >> 32);
		}
		for (int c = 0; c < 4; c++)
			b->state.c[c].lane[l] = v->carry;
	}
	static const struct rules rules = {.seed = 1};
	b->x = (struct exec){.warp = &b->warp, .program = &b->program, .rules = &rules};
	b->x.step.executed = lanes_first(b->n);
	b->warp.reg = b->reg;
	b->warp.nreg = REGISTERS;
	b->warp.state = &b->state;
	b->program.target = *target(G200);
}

static void compare(struct bench *b, enum simd_level level)
{
	const struct setup *s = b->setup;
	bool is_long = (b->insn.word & 1) && (b->insn.word >> 32 & 3) != 3;
	unsigned out = is_long ? s->out : s->out_short;

	for (int l = 0; l < b->n; l++) {
		const struct vector *v = &b->v[l];
		uint64_t got = b->reg[out].lane[l] | (uint64_t)b->reg[out + 1].lane[l] << 32;
		uint32_t cc = b->state.c[s->flags].lane[l];
		if (((got ^ v->want) & v->mask) == 0 && (v->cc < 0 || (uint32_t)v->cc == cc))
			continue;
		if (b->wrong++ < SHOWN)
			print_error("%016llx level %d: %llx %llx %llx -> %llx/%x, expected %llx/%x\n",
				    (unsigned long long)b->insn.word, level, (unsigned long long)v->in[0],
				    (unsigned long long)v->in[1], (unsigned long long)v->in[2],
				    (unsigned long long)(got & v->mask), cc, (unsigned long long)v->want, v->cc);
	}
	for (int l = b->n; l < LANES; l++)
		if (b->state.c[s->flags].lane[l] != b->v[0].carry)
			fail_msg("flags of a lane that does not execute changed");
}

static void run(struct bench *b)
{
	if (!b->n)
		return;
	for (enum simd_level level = 0; level < SIMD_LEVELS; level++) {
		exec_fn *exec = executors[level][b->insn.row->exec];
		if (!host_has(level))
			continue;
		assert_non_null(exec);
		load(b);
		assert_int_equal(exec(&b->x, &b->insn), STEP_OK);
		compare(b, level);
	}
	b->ran += (unsigned)b->n;
	b->n = 0;
}

static uint64_t hex(const char *s)
{
	return strtoull(s, NULL, 16);
}

/* Words of a line, cut up in place; the number of words without the flag, 0 for comments and doubtful lines. */
static int split(char *line, const char *token[TOKENS])
{
	int n = 0;

	for (char *s = strtok(line, " ,\n"); s && n < TOKENS; s = strtok(NULL, " ,\n"))
		token[n++] = s;
	if (!n || *token[0] == '#' || *token[n - 1] == 'Q')
		return 0;
	return n - 1;
}

static int find_arrow(const char *token[], int n)
{
	int arrow = 0;

	while (arrow < n && strcmp(token[arrow], "->"))
		arrow++;
	assert_true(arrow < n);
	return arrow;
}

static void add(struct bench *b, uint64_t word, const struct vector *v, int lanes)
{
	if (b->n && (b->n + lanes > LANES || b->insn.word != word || b->v[0].carry != v->carry))
		run(b);
	if (!b->n)
		decode(&b->insn, word, G200);
	b->insn.word = word;
	for (int i = 0; i < lanes; i++)
		b->v[b->n++] = v[i];
}

/* The two words of a line; behind a short word comes the next instruction. */
static uint64_t word_of(const char *token[])
{
	uint64_t low = hex(token[1]);
	return low & 1 ? low | hex(token[2]) << 32 : low;
}

/* test op1 op2 s1 [s2 s3 [carry]] -> result [mask cc] */
static void add_line(struct bench *b, const char *token[], int n)
{
	int arrow = find_arrow(token, n);
	struct vector v = {.in = {JUNK, JUNK, JUNK}, .mask = 0xffffffff, .cc = -1, .carry = 15};

	for (int i = 3; i < arrow && i < 6; i++)
		v.in[i - 3] = hex(token[i]);
	if (arrow > 6)
		v.carry = (uint32_t)hex(token[6]);
	v.want = hex(token[arrow + 1]);
	if (n > arrow + 2) {
		v.mask = hex(token[arrow + 2]);
		v.cc = *token[arrow + 3] == '-' ? -1 : (int)hex(token[arrow + 3]);
	}
	add(b, word_of(token), &v, 1);
}

/* fswz op1 op2 s1 of 4 lanes, s3 of 4 lanes -> result, cc */
static void add_quad(struct bench *b, const char *token[], int n)
{
	struct vector v[4];

	assert_int_equal(find_arrow(token, n), 11);
	for (int i = 0; i < 4; i++)
		v[i] = (struct vector){.in = {hex(token[3 + i]), JUNK, hex(token[7 + i])}, .want = hex(token[12 + i]),
				       .mask = 0xffffffff, .cc = (int)hex(token[16 + i]), .carry = 15};
	add(b, word_of(token), v, 4);
}

static void each_line(const char *file, void (*use)(void *, const char *token[], int n), void *data)
{
	char path[512], line[512];
	const char *token[TOKENS];
	gzFile f = gzopen(shared_path(path, sizeof path, file), "r");

	assert_non_null(f);
	while (gzgets(f, line, sizeof line)) {
		int n = split(line, token);
		if (n)
			use(data, token, n);
	}
	gzclose(f);
}

static void use_line(void *data, const char *token[], int n)
{
	if (strcmp(token[0], "fswz"))
		add_line(data, token, n);
	else
		add_quad(data, token, n);
}

static void vectors(void **state)
{
	static struct bench b;

	b = (struct bench){.setup = *state};
	each_line(b.setup->file, use_line, &b);
	run(&b);
	print_message("%s: %u vectors, %u wrong\n", b.setup->file, b.ran, b.wrong);
	assert_true(b.ran > 0);
	assert_int_equal(b.wrong, 0);
}

struct atomic_count {
	unsigned ran, wrong;
};

/* test op1 op2 memory s2 s3 -> memory after, returned */
static void use_atomic(void *data, const char *token[], int n)
{
	struct atomic_count *count = data;
	unsigned features = strchr(token[0], '_') ? G84 : G200;
	uint64_t old = hex(token[3]), s2 = hex(token[4]), s3 = hex(token[5]), after, returned;
	struct insn in;

	assert_int_equal(find_arrow(token, n), 6);
	decode(&in, word_of(token), features);
	if (in.mod[MOD_TYPE] == 4) {
		after = atomic_pair(in.mod[MOD_OP], old, s2, s3);
		returned = old;
	} else {
		after = atomic_word(in.mod[MOD_OP], in.mod[MOD_TYPE], features & FEAT_SM12, (uint32_t)old, (uint32_t)s2,
				    (uint32_t)s3);
		returned = atomic_returned(in.mod[MOD_TYPE], (uint32_t)old);
	}
	bool right = after == hex(token[7]) && (*token[8] == '-' || returned == hex(token[8]));
	count->ran++;
	if (!right && count->wrong++ < SHOWN)
		print_error("%s %s %s: %llx %llx\n", token[0], token[1], token[2], (unsigned long long)after,
			    (unsigned long long)returned);
}

static void atomics(void **state)
{
	struct atomic_count count = {0};

	each_line("vectors/tesla/atom32.vec.gz", use_atomic, &count);
	each_line("vectors/tesla/atom64.vec.gz", use_atomic, &count);
	print_message("atomics: %u vectors, %u wrong\n", count.ran, count.wrong);
	assert_true(count.ran > 0);
	assert_int_equal(count.wrong, 0);
}

#define WORDS .in = {4, 5, 6}, .out = 7, .out_short = 6

static struct setup setups[] = {
	{.file = "vectors/tesla/int.vec.gz", WORDS, .flags = 1},
	{.file = "vectors/tesla/fp32.vec.gz", WORDS},
	{.file = "vectors/tesla/cvt32.vec.gz", WORDS},
	{.file = "vectors/tesla/quad.vec.gz", WORDS},
	{.file = "vectors/tesla/fp64.vec.gz", .in = {4, 6, 8}, .out = 10, .pairs = true},
	{.file = "vectors/tesla/sfu.vec.gz", .in = {1, 5, 6}, .out = 2, .out_short = 2},
};

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(vectors, &setups[0]),
		cmocka_unit_test_prestate(vectors, &setups[1]),
		cmocka_unit_test_prestate(vectors, &setups[2]),
		cmocka_unit_test_prestate(vectors, &setups[3]),
		cmocka_unit_test_prestate(vectors, &setups[4]),
		cmocka_unit_test_prestate(vectors, &setups[5]),
		cmocka_unit_test(atomics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
