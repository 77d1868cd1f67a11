/* What lanes may reach of a program's code, on a machine of words: each word says by two letters where lanes go from
 * it, e.g. "n." to the next word, "b3" to word 3 or the next, "j3" to word 3, "c3" to word 3 and back, "e." nowhere,
 * "?." anywhere. */
#include "tests/kit/cmocka_all.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/isa.h"
#include "core/program.h"

static bool decode(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out)
{
	(void)t, (void)code, (void)size;
	*out = (struct insn){ .pc = pc, .length = 4 };
	return true;
}

static bool edges(const struct program *p, struct isa_edge (*edge)[2])
{
	for (uint32_t pc = 0; pc < p->code_bytes; pc += 4) {
		char way = (char)p->code[pc];
		struct isa_edge to = { 4 * (uint32_t)(p->code[pc + 1] - '0'), way == 'c' ? EDGE_CALL : EDGE_BRANCH };
		struct isa_edge *here = edge[pc / 4];
		if (strchr("nbc", way))
			here[0] = (struct isa_edge){ pc + 4, EDGE_NEXT };
		if (strchr("bjc", way))
			here[1] = to;
		if (way == 'e')
			here[0] = (struct isa_edge){ p->code_bytes, EDGE_NEXT };
		if (way == '?')
			here[1] = (struct isa_edge){ p->code_bytes, EDGE_CALL };
	}
	return true;
}

static void reach(void **state)
{
	static const struct {
		const char *code;
		uint32_t entry, begin, end;     /* words */
	} rows[] = {
		{ "e.  n.  e.  n.  e.  ", 1, 1, 3 },    /* a kernel between others */
		{ "e.  n.  e.  n.  e.  ", 3, 3, 5 },
		{ "e.  b4  e.  e.  n.  e.  e.  ", 1, 1, 6 },    /* a branch past another's code */
		{ "e.  n.  e.  c1  e.  e.  ", 3, 1, 5 },        /* a function in front */
		{ "e.  n.  j4  e.  b1  e.  ", 2, 1, 6 },        /* a jump on, and a branch back */
		{ "e.  n.  n.  ", 1, 1, 3 },            /* over the end of the code */
		{ "e.  n.  ?.  e.  e.  ", 1, 0, 5 },    /* lanes may go anywhere */
		{ "e.  n.  b9  e.  e.  ", 1, 0, 5 },    /* out of the code */
	};
	static const struct isa_ops isa = { .decode = decode, .edges = edges }, unknown = { .decode = decode };

	(void)state;
	for (unsigned i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		struct arena a = { 0 };
		bool known = i % 2 == 0;
		uint32_t bytes = (uint32_t)strlen(rows[i / 2].code);
		struct program p = {
			.target.isa = known ? &isa : &unknown, .code = (const uint8_t *)rows[i / 2].code,
			.code_bytes = bytes, .entry = 4 * rows[i / 2].entry,
		};
		assert_true(program_decode(&p, &a) && program_find_reach(&p));
		assert_int_equal(p.reach_begin, known ? 4 * rows[i / 2].begin : 0);
		assert_int_equal(p.reach_end, known ? 4 * rows[i / 2].end : bytes);
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(reach) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
