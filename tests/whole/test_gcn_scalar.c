/* Scalar instructions of GCN and SCC: each row of gcn.def against a list of all instructions that LLVM defines SCC for,
 * and each row executed with SCC 0 and 1 before, on each generation. The words are put together here by the manuals'
 * pictures of the encodings, independent of the assembler. */
#include <stdbool.h>

#include "tests/kit/launches.h"

#include "core/isa/gcn/gcn.h"

enum { GENERATIONS = 4, TEXT = 2048, SOURCE0 = 20, SOURCE1 = 24, RESULT = 40, BASE = 12, CONSTANT_0 = 128 };

static const char *const chips[GENERATIONS] = { "tahiti", "bonaire", "tonga", "gfx900" };

static const struct listed {
	const char *encoding, *name;
	int op[GENERATIONS];
	const char *d, *s[3], *class;
	uint32_t flags;
} rows[] = {
#define ROW(e, si, ci, vi, g9, name, d, s0, s1, s2, kind, class, flags) \
	{ #e, #name, { si, ci, vi, g9 }, #d, { #s0, #s1, #s2 }, #class, flags },
#include "core/isa/gcn/gcn.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

/* LLVM's SOPInstructions.td: instructions with SCC in Defs (of LLVM 14 by what the reader of machine code demands,
 * "missing implicit register operand 'implicit-def $scc'"). Three differences:
 *
 *   s_mulk_i32    in Defs of LLVM 14 and not in later ones: made from s_mul_i32 after scheduling, also between
 *                 s_add_u32 and s_addc_u32, so that compiled programs rely on SCC as it was
 *   s_setvskip    in Defs by the class of compares; the manuals know of no SCC
 *   s_quadmask    not in Defs; "SCC = 1 if result is non-zero" in all manuals */
static const char writers[] =
	" s_add_u32 s_sub_u32 s_add_i32 s_sub_i32 s_addc_u32 s_subb_u32 s_min_i32 s_min_u32 s_max_i32 "
	" s_max_u32 s_and_b32 s_and_b64 s_or_b32 s_or_b64 s_xor_b32 s_xor_b64 s_andn2_b32 s_andn2_b64 "
	" s_orn2_b32 s_orn2_b64 s_nand_b32 s_nand_b64 s_nor_b32 s_nor_b64 s_xnor_b32 s_xnor_b64 s_lshl_b32 "
	" s_lshl_b64 s_lshr_b32 s_lshr_b64 s_ashr_i32 s_ashr_i64 s_bfe_u32 s_bfe_i32 s_bfe_u64 s_bfe_i64 "
	" s_absdiff_i32 s_lshl1_add_u32 s_lshl2_add_u32 s_lshl3_add_u32 s_lshl4_add_u32 s_not_b32 "
	" s_not_b64 s_wqm_b32 s_wqm_b64 s_bcnt0_i32_b32 s_bcnt0_i32_b64 s_bcnt1_i32_b32 s_bcnt1_i32_b64 "
	" s_and_saveexec_b64 s_or_saveexec_b64 s_xor_saveexec_b64 s_andn2_saveexec_b64 s_orn2_saveexec_b64 "
	" s_nand_saveexec_b64 s_nor_saveexec_b64 s_xnor_saveexec_b64 s_abs_i32 s_andn1_saveexec_b64 "
	" s_orn1_saveexec_b64 s_andn1_wrexec_b64 s_andn2_wrexec_b64 s_cmp_eq_i32 s_cmp_lg_i32 s_cmp_gt_i32 "
	" s_cmp_ge_i32 s_cmp_lt_i32 s_cmp_le_i32 s_cmp_eq_u32 s_cmp_lg_u32 s_cmp_gt_u32 s_cmp_ge_u32 "
	" s_cmp_lt_u32 s_cmp_le_u32 s_bitcmp0_b32 s_bitcmp1_b32 s_bitcmp0_b64 s_bitcmp1_b64 s_cmp_eq_u64 "
	" s_cmp_lg_u64 s_cmpk_eq_i32 s_cmpk_lg_i32 s_cmpk_gt_i32 s_cmpk_ge_i32 s_cmpk_lt_i32 s_cmpk_le_i32 "
	" s_cmpk_eq_u32 s_cmpk_lg_u32 s_cmpk_gt_u32 s_cmpk_ge_u32 s_cmpk_lt_u32 s_cmpk_le_u32 s_addk_i32 "
	" s_quadmask_b32 s_quadmask_b64 ";

static bool in(const char *list, const char *name)
{
	char word[64];

	snprintf(word, sizeof word, " %s ", name);
	return strstr(list, word);
}

static bool is_scalar(const struct listed *r)
{
	return !strncmp(r->encoding, "SOP", 3) || !strcmp(r->encoding, "SMEM");
}

static void rows_set_scc_as_compilers_expect(void **state)
{
	unsigned writing = 0;

	(void)state;
	for (unsigned i = 0; i < ROWS; i++) {
		const struct listed *r = &rows[i];
		bool sets = r->flags & SETS_SCC;
		writing += is_scalar(r) && sets;
		if (sets != (is_scalar(r) && in(writers, r->name)))
			fail_msg("%s %s SCC", r->name, sets ? "sets" : "does not set");
	}
	assert_true(writing > 90);
}

/* ---- execution ---- */

/* Two sources, the destination's value before (SOPK reads the destination's register), and EXEC. Each writer's results
 * are 0 for one of these and not 0 for another, overflow in one and not in another, and so on. */
static const struct input {
	uint64_t source0, source1, before, exec;
} inputs[] = {
	{ 0, 0, 5, 0 },
	{ ~0ull, ~0ull, 0x7fffffff, 0 },
	{ 0, ~0ull, 4, ~0ull },
	{ 0x7fffffff7fffffff, 0x7fffffff7fffffff, 6, ~0ull },
	{ 0x8000000080000000, 0x0008000000080001, ~0ull, ~0ull },
	{ ~0ull, 0x0000000100080000, 0, ~0ull },
};
enum { INPUTS = sizeof inputs / sizeof *inputs };

/* The instruction's words: registers of 64 bits by the first of the pair. */
static unsigned words_of(const struct listed *r, unsigned generation, uint32_t word[2])
{
	uint32_t op = (uint32_t)r->op[generation];
	bool join = !strcmp(r->name, "s_cbranch_join");

	word[1] = 0;
	if (!strcmp(r->encoding, "SOP2"))
		*word = 2u << 30 | op << 23 | RESULT << 16 | SOURCE1 << 8 | SOURCE0;
	else if (!strcmp(r->encoding, "SOP1"))
		*word = 0x17du << 23 | RESULT << 16 | op << 8 | (join ? CONSTANT_0 : SOURCE0);
	else if (!strcmp(r->encoding, "SOPC"))
		*word = 0x17eu << 23 | op << 16 | SOURCE1 << 8 | SOURCE0;
	else if (!strcmp(r->encoding, "SOPK"))
		*word = 0xbu << 28 | op << 23 | RESULT << 16 | (strstr(r->s[0], "IMM") ? 5 : 0);
	else if (!strcmp(r->encoding, "SOPP"))
		*word = 0x17fu << 23 | op << 16;
	else if (generation < 2)
		*word = 0x18u << 27 | op << 22 | RESULT << 15 | BASE >> 1 << 9 | 1 << 8;
	else
		*word = 0x30u << 26 | op << 18 | 1 << 17 | RESULT << 6 | BASE >> 1;
	return (!strcmp(r->encoding, "SMEM") && generation > 1) || !strcmp(r->s[1], "IMM32") ? 2 : 1;
}

/* A register pair gets a number, or (jumps) the address behind the instruction, which stands 16 bytes behind the first
 * add: two adds, a compare and the instruction. */
static int put_pair(char *at, size_t size, unsigned reg, uint64_t v)
{
	return snprintf(at, size, "s_mov_b32 s%u, 0x%x\ns_mov_b32 s%u, 0x%x\n", reg, (uint32_t)v, reg + 1,
			(uint32_t)(v >> 32));
}

static void write_text(char text[TEXT], const struct listed *r, unsigned generation, const struct input *v, bool scc)
{
	unsigned address = in(" s_setpc_b64 s_swappc_b64 ", r->name) ? SOURCE0 :
			   !strcmp(r->name, "s_cbranch_g_fork") ? SOURCE1 : 0;
	uint32_t word[2];
	unsigned words = words_of(r, generation, word);
	int n = snprintf(text, TEXT, ".kernel k\n.chip %s\ns_load_dwordx2 s[12:13], s[0:1], 0x0\ns_mov_b32 s14, -1\n"
			 "s_mov_b32 s15, 0x24fac\ns_mov_b32 m0, 0\ns_waitcnt lgkmcnt(0)\n", chips[generation]);

	n += put_pair(text + n, TEXT - (size_t)n, SOURCE0, v->source0);
	n += put_pair(text + n, TEXT - (size_t)n, SOURCE1, v->source1);
	n += put_pair(text + n, TEXT - (size_t)n, RESULT, v->before);
	n += snprintf(text + n, TEXT - (size_t)n, "s_mov_b64 exec, %d\n", v->exec ? -1 : 0);
	if (address)
		n += snprintf(text + n, TEXT - (size_t)n, "s_getpc_b64 s[%u:%u]\ns_add_u32 s%u, s%u, 16\n"
			      "s_addc_u32 s%u, s%u, 0\n", address, address + 1, address, address, address + 1,
			      address + 1);
	n += snprintf(text + n, TEXT - (size_t)n, "s_cmp_%s_u32 s14, s14\n.word 0x%08x\n", scc ? "eq" : "lg", word[0]);
	if (words > 1)
		n += snprintf(text + n, TEXT - (size_t)n, ".word 0x%08x\n", word[1]);
	snprintf(text + n, TEXT - (size_t)n, "s_endpgm\n");
}

static unsigned scc_after(const struct listed *r, unsigned generation, const struct input *v, bool scc)
{
	static const struct setting s[] = { { "block", "64" }, { "timing", "off" }, { NULL, NULL } };
	char text[TEXT];
	uint32_t after[WB_LANES];
	struct wb_diag d = { 0 };
	struct wb_program *p;
	struct wb_launch *l;
	enum wb_status status;

	write_text(text, r, generation, v, scc);
	p = load(text);
	l = launch(p, s);
	assert_int_equal(wb_launch_arg(l, "zero=4096", &d), WB_OK);
	status = wb_launch_run(l, &d);
	if (status != WB_OK && strcmp(r->name, "s_trap"))
		fail_msg("%s: %s\n%s", r->name, d.text, text);
	assert_int_equal(wb_launch_read_register(l, 0, 0, "scc", after, &d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
	return after[0];
}

static void execute(const struct listed *r, unsigned generation)
{
	bool carries = in(" s_addc_u32 s_subb_u32 ", r->name), writes = in(writers, r->name);
	unsigned seen = 0;

	for (unsigned i = 0; i < INPUTS; i++) {
		unsigned clear = scc_after(r, generation, &inputs[i], false);
		unsigned set = scc_after(r, generation, &inputs[i], true);
		if (!writes && (clear || !set))
			fail_msg("%s on %s writes SCC: 0 becomes %u, 1 becomes %u", r->name, chips[generation], clear,
				 set);
		if (writes && !carries && clear != set)
			fail_msg("%s on %s leaves SCC as it was", r->name, chips[generation]);
		seen |= 1u << clear | 1u << set;
	}
	if (seen != 3)
		fail_msg("%s on %s never leaves SCC %u", r->name, chips[generation], seen == 1);
}

static void execution_leaves_scc_or_writes_it(void **state)
{
	unsigned executed = 0;

	(void)state;
	for (unsigned i = 0; i < ROWS; i++)
		for (unsigned g = 0; g < GENERATIONS && is_scalar(&rows[i]) && strcmp(rows[i].class, "none"); g++)
			if (rows[i].op[g] < NO) {
				execute(&rows[i], g);
				executed++;
			}
	assert_true(executed > 600);
}

/* A carry goes past a multiplication by a constant, as compilers write it. */
static void a_carry_survives_a_multiplication(void **state)
{
	static const struct setting s[] = { { "block", "64" }, { "timing", "off" }, { NULL, NULL } };

	(void)state;
	for (unsigned g = 0; g < GENERATIONS; g++) {
		char text[TEXT];
		uint32_t high[WB_LANES];
		struct wb_diag d = { 0 };
		snprintf(text, sizeof text, ".kernel k\n.chip %s\ns_mov_b32 s0, -1\ns_mov_b32 s2, 0x10000\n"
			 "s_add_u32 s0, s0, 1\ns_mulk_i32 s2, 5\ns_addc_u32 s1, 0, 0\ns_endpgm\n", chips[g]);
		struct wb_program *p = load(text);
		struct wb_launch *l = launch(p, s);
		assert_int_equal(wb_launch_run(l, &d), WB_OK);
		assert_int_equal(wb_launch_read_register(l, 0, 0, "s1", high, &d), WB_OK);
		assert_int_equal(high[0], 1);
		wb_launch_free(l);
		wb_program_free(p);
	}
}

/* ---- threaded code and executors ---- */

enum { FORMS = 16, FLAG = RESULT + 2 * FORMS, VALUES = FORMS * 3,
	COUNTS = 4 };

/* Sources by code: registers, vcc, exec, numbers from -16 to 64, 0.5, scc, an aperture, a literal. */
static const uint8_t codes[FORMS] = {
	SOURCE0, 193, SOURCE1, 106, 192, 255, 126, 240, SOURCE0, 253, 129, 247, 200, 235, SOURCE1, 128,
};

/* Sixteen times the instruction, each with another form of sources and another destination, and SCC in a word. Masks go
 * to EXEC in turn. */
static void write_forms(char *text, size_t size, const struct listed *r, unsigned generation)
{
	uint32_t op = (uint32_t)r->op[generation];
	size_t n = (size_t)snprintf(text, size, ".kernel k\n.chip %s\ns_mov_b32 m0, 0\ns_mov_b32 vcc_lo, 0x10003\n"
				    "s_mov_b32 vcc_hi, 0x80000001\n", chips[generation]);

	n += (size_t)put_pair(text + n, size - n, SOURCE0, 0x800000017fffffff);
	n += (size_t)put_pair(text + n, size - n, SOURCE1, 0x0008000500000003);
	for (unsigned i = 0; i < FORMS; i++)
		n += (size_t)put_pair(text + n, size - n, RESULT + 2 * i, 0x0123456789abcdefull << i);
	for (unsigned i = 0; i < FORMS; i++) {
		uint32_t first = codes[i], other = codes[(5 * i + 3) % FORMS], word;
		uint32_t to = r->flags & MASK_OP && i % 4 > 1 ? 126 : RESULT + 2 * i;
		other = other == 255 || (generation < GENERATIONS - 1 && other == 235) ? 191 : other;
		first = generation < GENERATIONS - 1 && first == 235 ? 191 : first;
		if (!strcmp(r->encoding, "SOP2"))
			word = 2u << 30 | op << 23 | to << 16 | other << 8 | first;
		else if (!strcmp(r->encoding, "SOP1"))
			word = 0x17du << 23 | to << 16 | op << 8 | first;
		else if (!strcmp(r->encoding, "SOPC"))
			word = 0x17eu << 23 | op << 16 | other << 8 | first;
		else
			word = 0xbu << 28 | op << 23 | to << 16 | (i * 0x1357 & 0xffff);
		n += (size_t)snprintf(text + n, size - n, "s_cmp_%s_u32 s14, s14\n.word 0x%08x\n", i & 1 ? "eq" : "lg",
				      word);
		if (first == 255 && strcmp(r->encoding, "SOPK") != 0)
			n += (size_t)snprintf(text + n, size - n, ".word 0x9abcdef0\n");
		n += (size_t)snprintf(text + n, size - n, "s_addc_u32 s%u, 0, 0\n", FLAG + i);
		if (to == 126)
			n += (size_t)snprintf(text + n, size - n, "s_mov_b64 s[%u:%u], exec\n", RESULT + 2 * i,
					      RESULT + 2 * i + 1);
	}
	snprintf(text + n, size - n, "s_endpgm\n");
}

static const char *const counted[COUNTS] = { "instructions", "thread_instructions", "branch", "divergent_branch" };

/* Scalar registers, and what the bill counts. */
static void values_after(const char *text, const char *check, uint32_t value[VALUES + COUNTS])
{
	const struct setting s[] = { { "block", "64" }, { "timing", "off" }, { "check", check }, { NULL, NULL } };
	struct wb_diag d = { 0 };
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, s);

	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s\n%s", d.text, text);
	for (unsigned i = 0; i < VALUES; i++) {
		uint32_t lanes[WB_LANES];
		char name[8];
		snprintf(name, sizeof name, "s%u", RESULT + i);
		assert_int_equal(wb_launch_read_register(l, 0, 0, name, lanes, &d), WB_OK);
		value[i] = lanes[0];
	}
	for (unsigned i = 0; i < COUNTS; i++) {
		const struct wb_report *r = wb_launch_report(l);
		for (unsigned k = 0; k < r->ncounters; k++)
			if (!strcmp(r->counters[k].name, counted[i]))
				value[VALUES + i] = (uint32_t)r->counters[k].value;
	}
	wb_launch_free(l);
	wb_program_free(p);
}

/* Under the checks the executors run, one by one. */
static void handlers_do_what_executors_do(void **state)
{
	static char text[2 * TEXT * FORMS / 8];
	unsigned tried = 0;

	(void)state;
	for (unsigned i = 0; i < GENERATIONS * ROWS; i++) {
		const struct listed *r = &rows[i / GENERATIONS];
		uint32_t handled[VALUES + COUNTS] = { 0 }, executed[VALUES + COUNTS] = { 0 };
		if (!is_scalar(r) || !strcmp(r->class, "none") || r->op[i % GENERATIONS] >= NO ||
		    strcmp(r->class, "ALU") != 0 || strncmp(r->encoding, "SOP", 3) != 0 ||
		    !strcmp(r->encoding, "SOPP") ||
		    r->flags & STEERS || strstr(r->s[0], "IMM32") || strstr(r->name, "reg") ||
		    strstr(r->name, "pc") || strstr(r->name, "gpr"))
			continue;
		write_forms(text, sizeof text, r, i % GENERATIONS);
		values_after(text, "none", handled);
		values_after(text, "uninit", executed);
		for (unsigned k = 0; k < VALUES + COUNTS; k++)
			if (handled[k] != executed[k])
				fail_msg("s%u is 0x%x, by executors 0x%x, of\n%s", RESULT + k, handled[k], executed[k],
					 text);
		tried++;
	}
	assert_true(tried > 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_set_scc_as_compilers_expect),
		cmocka_unit_test(a_carry_survives_a_multiplication),
		cmocka_unit_test(execution_leaves_scc_or_writes_it),
		cmocka_unit_test(handlers_do_what_executors_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
