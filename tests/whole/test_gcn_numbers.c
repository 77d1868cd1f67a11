/* Immediate numbers of GCN's instructions, in each encoding and generation: both ends of the range go through assembler
 * and disassembler and come back, a number beyond an end is refused with the range named, words and LLVM's text are
 * llvm-mc's where llvm-mc is there, and executed instructions add the number with its sign. */
#include <stdbool.h>

#include "tests/kit/launches.h"

enum { CHIPS = 4, LINE = 160, TEXT = 4096, WORDS = 4, LINES = 400 };
enum { SI = 1, CI = 2, VI = 4, G9 = 8, ALL = 15 };

static const char *const chips[CHIPS] = { "tahiti", "bonaire", "tonga", "gfx900" };

/* A form's text with the number as %lld, also in LLVM's words where they differ; the ends. Ranges of EITHER sign end at
 * the largest number without a sign, which stands for a negative one. */
static const struct form {
	unsigned chips;
	const char *text, *llvm;        /* llvm: NULL the same, "" none */
	long long least, most;
} forms[] = {
	{ SI, "s_load_dword s0, s[2:3], %lld", NULL, 0, 255 },
	{ CI, "s_load_dword s0, s[2:3], %lld", NULL, 0, 4294967295 },
	{ VI, "s_load_dword s0, s[2:3], %lld", NULL, 0, 1048575 },
	{ G9, "s_load_dword s0, s[2:3], %lld", NULL, -1048576, 2097151 },
	{ SI, "s_buffer_load_dwordx2 s[0:1], s[4:7], %lld", NULL, 0, 255 },
	{ CI, "s_buffer_load_dwordx2 s[0:1], s[4:7], %lld", NULL, 0, 4294967295 },
	{ VI, "s_buffer_load_dwordx2 s[0:1], s[4:7], %lld", NULL, 0, 1048575 },
	{ G9, "s_buffer_load_dwordx2 s[0:1], s[4:7], %lld", NULL, 0, 2097151 },
	{ VI, "s_store_dwordx2 s[0:1], s[2:3], %lld", NULL, 0, 1048575 },
	{ G9, "s_store_dwordx2 s[0:1], s[2:3], %lld", NULL, -1048576, 2097151 },
	{ G9, "s_scratch_load_dword s0, s[2:3], %lld", NULL, -1048576, 2097151 },
	{ G9, "s_atomic_add s0, s[2:3], %lld", NULL, -1048576, 2097151 },
	{ G9, "s_dcache_discard s[2:3], %lld", NULL, -1048576, 2097151 },
	{ G9, "s_load_dword s0, s[2:3], s4 offset:%lld", "", -1048576, 2097151 },
	{ VI | G9, "s_atc_probe %lld, s[2:3], 0", NULL, 0, 127 },
	{ G9, "flat_load_dword v0, v[2:3] inst_offset:%lld", "flat_load_dword v0, v[2:3] offset:%lld", 0, 4095 },
	{ G9, "flat_atomic_add v0, v[2:3], v1 inst_offset:%lld glc",
	  "flat_atomic_add v0, v[2:3], v1 offset:%lld glc", 0, 4095 },
	{ G9, "global_load_dword v0, v[2:3], off inst_offset:%lld", "global_load_dword v0, v[2:3], off offset:%lld",
	  -4096, 4095 },
	{ G9, "global_store_dword v1, v0, s[2:3] inst_offset:%lld", "global_store_dword v1, v0, s[2:3] offset:%lld",
	  -4096, 4095 },
	{ G9, "scratch_load_dword v0, v1, off inst_offset:%lld", "scratch_load_dword v0, v1, off offset:%lld", -4096,
	  4095 },
	{ G9, "scratch_store_dword off, v1, s2 inst_offset:%lld", "scratch_store_dword off, v1, s2 offset:%lld", -4096,
	  4095 },
	{ ALL, "ds_read_b32 v0, v1 offset:%lld", NULL, 0, 65535 },
	{ ALL, "ds_write_b64 v0, v[2:3] offset:%lld", NULL, 0, 65535 },
	{ ALL, "ds_read2_b32 v[0:1], v2 offset0:%lld offset1:7", NULL, 0, 255 },
	{ ALL, "ds_read2_b32 v[0:1], v2 offset0:7 offset1:%lld", NULL, 0, 255 },
	{ ALL, "ds_write2st64_b64 v0, v[2:3], v[4:5] offset0:3 offset1:%lld", NULL, 0, 255 },
	{ ALL, "buffer_load_dword v0, v1, s[4:7], 0 offen offset:%lld", NULL, 0, 4095 },
	{ ALL, "buffer_store_dwordx4 v[0:3], v4, s[4:7], 0 idxen offset:%lld", NULL, 0, 4095 },
	{ ALL, "tbuffer_load_format_x v0, v1, s[4:7], 0 offen offset:%lld format:[32,uint]", "", 0, 4095 },
	{ ALL, "s_movk_i32 s0, %lld", NULL, -32768, 65535 },
	{ ALL, "s_cmovk_i32 s0, %lld", NULL, -32768, 65535 },
	{ ALL, "s_addk_i32 s0, %lld", NULL, -32768, 65535 },
	{ ALL, "s_mulk_i32 s0, %lld", NULL, -32768, 65535 },
	{ ALL, "s_cmpk_eq_i32 s0, %lld", NULL, -32768, 65535 },
	{ ALL, "s_cmpk_le_i32 s0, %lld", NULL, -32768, 65535 },
	{ ALL, "s_cmpk_eq_u32 s0, %lld", NULL, 0, 65535 },
	{ ALL, "s_cmpk_le_u32 s0, %lld", NULL, 0, 65535 },
	{ ALL, "s_setreg_imm32_b32 hwreg(mode, 0, 4), %lld", "", -2147483648ll, 4294967295 },
	{ ALL, "s_nop %lld", NULL, 0, 65535 },
	{ ALL, "s_sleep %lld", NULL, 0, 65535 },
	{ ALL, "s_setprio %lld", NULL, 0, 65535 },
	{ ALL, "s_endpgm %lld", "", 0, 65535 },
	{ ALL, "s_trap %lld", NULL, 0, 65535 },
	{ VI | G9, "s_set_gpr_idx_on s0, %lld", "", 0, 255 },
	{ ALL, "s_mov_b32 s0, %lld", NULL, -2147483648ll, 4294967295 },
	{ ALL, "s_and_b64 s[0:1], s[2:3], %lld", NULL, -2147483648ll, 4294967295 },
	{ ALL, "v_mov_b32 v0, %lld", "v_mov_b32_e32 v0, %lld", -2147483648ll, 4294967295 },
	{ ALL, "v_add_f32 v0, %lld, v1", "v_add_f32_e32 v0, %lld, v1", -2147483648ll, 4294967295 },
	{ ALL, "s_waitcnt expcnt(%lld)", NULL, 0, 7 },
	{ ALL, "s_waitcnt lgkmcnt(%lld)", NULL, 0, 15 },
	{ SI | CI | VI, "s_waitcnt vmcnt(%lld)", NULL, 0, 15 },
	{ G9, "s_waitcnt vmcnt(%lld)", NULL, 0, 63 },
	{ ALL, "s_getreg_b32 s0, hwreg(@%lld, 0, 1)", "s_getreg_b32 s0, hwreg(%lld, 0, 1)", 0, 63 },
	{ ALL, "s_getreg_b32 s0, hwreg(mode, %lld, 1)", "s_getreg_b32 s0, hwreg(HW_REG_MODE, %lld, 1)", 0, 31 },
	{ ALL, "s_getreg_b32 s0, hwreg(mode, 0, %lld)", "s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, %lld)", 1, 32 },
	{ VI | G9, "v_mov_b32 v0, v1 row_shl:%lld bank_mask:15 row_mask:15",
	  "v_mov_b32_dpp v0, v1 row_shl:%lld row_mask:0xf bank_mask:0xf", 1, 15 },
	{ VI | G9, "v_mov_b32 v0, v1 row_ror:%lld bank_mask:15 row_mask:15",
	  "v_mov_b32_dpp v0, v1 row_ror:%lld row_mask:0xf bank_mask:0xf", 1, 15 },
	{ VI | G9, "v_mov_b32 v0, v1 quad_perm:[%lld,1,2,3] bank_mask:15 row_mask:15",
	  "v_mov_b32_dpp v0, v1 quad_perm:[%lld,1,2,3] row_mask:0xf bank_mask:0xf", 0, 3 },
	{ VI | G9, "v_mov_b32 v0, v1 row_shl:1 bank_mask:%lld row_mask:15",
	  "v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:%lld", 0, 15 },
	{ VI | G9, "v_mov_b32 v0, v1 row_shl:1 bank_mask:15 row_mask:%lld",
	  "v_mov_b32_dpp v0, v1 row_shl:1 row_mask:%lld bank_mask:0xf", 0, 15 },
	{ VI | G9, "v_mov_b32 v0, v1 row_bcast:%lld bank_mask:15 row_mask:15",
	  "v_mov_b32_dpp v0, v1 row_bcast:%lld row_mask:0xf bank_mask:0xf", 15, 31 },
};
enum { FORMS = sizeof forms / sizeof *forms };

static struct wb_config *config_of(const char *chip, const char *syntax)
{
	struct wb_config *c = wb_config_new();

	assert_int_equal(wb_config_set(c, "chip", chip, NULL), WB_OK);
	assert_int_equal(wb_config_set(c, "syntax", syntax, NULL), WB_OK);
	return c;
}

static void line_of(char text[LINE], const char *form, long long v)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, LINE, form, v);
#pragma GCC diagnostic pop
}

/* Assemble and list until the text stays; the words are those of the first text. */
static void there_and_back(const char *chip, const char *text, uint32_t words[WORDS], unsigned *n)
{
	struct wb_config *c = config_of(chip, "clrx");
	char listed[LINE];
	uint32_t again[WORDS];
	unsigned count;
	struct wb_diag d = { 0 };

	if (wb_asm_line(c, text, words, n, &d) != WB_OK)
		fail_msg("%s: %s: %s", chip, text, d.text);
	assert_int_equal(wb_dis_words(c, words, *n, 0, listed, sizeof listed), WB_OK);
	if (wb_asm_line(c, listed, again, &count, &d) != WB_OK)
		fail_msg("%s: %s is listed as %s: %s", chip, text, listed, d.text);
	assert_int_equal(count, *n);
	assert_memory_equal(again, words, *n * sizeof *words);
	wb_config_free(c);
}

static void refused(const char *chip, const struct form *f, long long v)
{
	struct wb_config *c = config_of(chip, "clrx");
	char text[LINE], range[80];
	uint32_t words[WORDS];
	unsigned n;
	struct wb_diag d = { 0 };

	line_of(text, f->text, v);
	if (wb_asm_line(c, text, words, &n, &d) == WB_OK)
		fail_msg("%s takes %s", chip, text);
	snprintf(range, sizeof range, "from %lld to %lld", f->least, f->most);
	if (!strstr(d.text, range))
		fail_msg("%s: %s: '%s' does not say '%s'", chip, text, d.text, range);
	wb_config_free(c);
}

static void both_ends_come_back_and_none_beyond(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CHIPS * FORMS; i++) {
		const struct form *f = &forms[i / CHIPS];
		const char *chip = chips[i % CHIPS];
		char text[LINE];
		uint32_t words[WORDS];
		unsigned n;
		if (!(f->chips >> i % CHIPS & 1))
			continue;
		line_of(text, f->text, f->least);
		there_and_back(chip, text, words, &n);
		line_of(text, f->text, f->most);
		there_and_back(chip, text, words, &n);
		refused(chip, f, f->least - 1);
		/* CLRX cuts larger offsets of buffers */
		if (strncmp(f->text, "buffer", 6) != 0 && strncmp(f->text, "tbuffer", 7) != 0)
			refused(chip, f, f->most + 1);
	}
}

/* Whatever is no number in a generation is refused, not dropped. */
static void numbers_without_a_place_are_refused(void **state)
{
	static const struct { const char *chip, *text; } lines[] = {
		{ "tahiti", "s_load_dword s0, s[2:3], s4 offset:16" },
		{ "tonga", "s_load_dword s0, s[2:3], s4 offset:16" },
		{ "gfx900", "s_load_dword s0, s[2:3], 16 offset:16" },
		{ "tonga", "flat_load_dword v0, v[2:3] inst_offset:4" },
		{ "bonaire", "flat_load_dword v0, v[2:3] offset:4" },
		{ "gfx900", "ds_read2_b32 v[0:1], v2 offset:4" },
		{ "gfx900", "ds_read_b32 v0, v2 offset0:4" },
		{ "tahiti", "v_mov_b32 v0, v1 row_shl:1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct wb_config *c = config_of(lines[i].chip, "clrx");
		uint32_t words[WORDS];
		unsigned n;
		struct wb_diag d;
		if (wb_asm_line(c, lines[i].text, words, &n, &d) == WB_OK)
			fail_msg("%s takes %s", lines[i].chip, lines[i].text);
		wb_config_free(c);
	}
}

/* ---- beside LLVM ---- */

/* Lines for a chip: LLVM has no text for the upper half of numbers of EITHER sign in SMEM, and refuses it. */
static unsigned lines_for_llvm(unsigned chip, FILE *to, char (*clrx)[LINE])
{
	unsigned n = 0;

	for (unsigned i = 0; i < FORMS; i++) {
		const struct form *f = &forms[i];
		bool smem = f->most == 2097151;
		long long ends[2] = { f->least, smem ? 1048575 : f->most };
		if (!(f->chips >> chip & 1) || (f->llvm && !*f->llvm))
			continue;
		for (unsigned e = 0; e < 2; e++) {
			char text[LINE];
			line_of(text, f->llvm ? f->llvm : f->text, ends[e]);
			fprintf(to, "%s\n", text);
			line_of(clrx[n++], f->text, ends[e]);
			assert_true(n < LINES);
		}
	}
	return n;
}

/* "…  ; encoding: [0x01,0x00,…]": the words, and what stands in front. */
static bool read_encoding(char *line, uint32_t words[WORDS], unsigned *n)
{
	char *at = strstr(line, "encoding: [");
	unsigned byte, bytes = 0;

	if (!at)
		return false;
	memset(words, 0, WORDS * sizeof *words);
	for (char *p = at + strlen("encoding: ["); sscanf(p, "0x%x", &byte) == 1 && bytes < 8; p += 5, bytes++)
		words[bytes / 4] |= byte << bytes % 4 * 8;
	*n = bytes / 4;
	at = strpbrk(line, ";/");
	while (at > line && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	*at = '\0';
	return true;
}

static void words_are_llvms(void **state)
{
	static char clrx[LINES][LINE];
	static const char *const tools[] = { "llvm-mc-14", "llvm-mc-15", "llvm-mc-16", "llvm-mc-19" };
	const char *tool = NULL;

	(void)state;
	for (unsigned i = 0; i < sizeof tools / sizeof *tools && !tool; i++) {
		char command[80];
		snprintf(command, sizeof command, "command -v %s >/dev/null", tools[i]);
		tool = system(command) == 0 ? tools[i] : NULL;
	}
	if (!tool)
		skip();
	for (unsigned chip = 0; chip < CHIPS; chip++) {
		char path[] = "/tmp/gcn-numbers-XXXXXX", command[200], line[1024];
		FILE *lines = fdopen(mkstemp(path), "w"), *answer;
		unsigned n, found = 0, count, theirs;
		struct wb_config *llvm = config_of(chips[chip], "llvm");
		assert_non_null(lines);
		n = lines_for_llvm(chip, lines, clrx);
		fclose(lines);
		snprintf(command, sizeof command, "%s -triple=amdgcn -mcpu=%s -show-encoding %s 2>&1", tool,
			 chips[chip], path);
		answer = popen(command, "r");
		assert_non_null(answer);
		while (fgets(line, sizeof line, answer)) {
			uint32_t words[WORDS], own[WORDS];
			char text[LINE];
			if (strstr(line, "error"))
				fail_msg("%s", line);
			if (!read_encoding(line, words, &theirs))
				continue;
			assert_true(found < n);
			there_and_back(chips[chip], clrx[found], own, &count);
			if (count != theirs || memcmp(own, words, count * sizeof *own) != 0)
				fail_msg("%s: %s: %08x %08x, LLVM %08x %08x", chips[chip], clrx[found], own[0],
					 count > 1 ? own[1] : 0, words[0], theirs > 1 ? words[1] : 0);
			assert_int_equal(wb_dis_words(llvm, own, count, 0, text, sizeof text), WB_OK);
			if (strcmp(text, line + strspn(line, " \t")) != 0)
				fail_msg("%s: '%s', LLVM '%s'", chips[chip], text, line);
			found++;
		}
		pclose(answer);
		remove(path);
		assert_int_equal(found, n);
		wb_config_free(llvm);
	}
}

/* ---- execution ---- */

enum { BYTES = 4 << 20, MIDDLE = 2 << 20, MAGIC = 0x5eed1234 };

/* Bytes at the middle of the argument are read, or written, by an instruction with the number, from a base that is the
 * number less: s[16:17], the buffer s[16:19], v[4:5]. The word read is v2 or s20, the word written s21 or v6. */
static const struct {
	unsigned chips;
	const char *text;
	long long number, unit;
} executed[] = {
	{ SI | CI, "s_load_dword s20, s[16:17], %lld", 255, 4 },
	{ SI | CI, "s_buffer_load_dword s20, s[16:19], %lld", 255, 4 },
	{ CI, "s_load_dword s20, s[16:17], %lld", 256, 4 },
	{ CI, "s_load_dword s20, s[16:17], %lld", 0x20000000, 4 },
	{ CI, "s_load_dword s20, s[16:17], %lld", 4294967295, 4 },
	{ VI, "s_load_dword s20, s[16:17], %lld", 1048572, 1 },
	{ VI, "s_buffer_load_dword s20, s[16:19], %lld", 1048572, 1 },
	{ VI, "s_store_dword s21, s[16:17], %lld", 1048572, 1 },
	{ G9, "s_load_dword s20, s[16:17], %lld", 1048572, 1 },
	{ G9, "s_load_dword s20, s[16:17], %lld", -1048576, 1 },
	{ G9, "s_load_dword s20, s[16:17], %lld", -4, 1 },
	{ G9, "s_load_dword s20, s[16:17], s22 offset:%lld", -64, 1 },
	{ G9, "s_buffer_load_dword s20, s[16:19], %lld", 1048572, 1 },
	{ G9, "s_store_dword s21, s[16:17], %lld", -1048576, 1 },
	{ G9, "s_store_dword s21, s[16:17], %lld", 1048572, 1 },
	{ G9, "s_atomic_swap s21, s[16:17], %lld", -1048576, 1 },
	{ G9, "flat_load_dword v2, v[4:5] inst_offset:%lld", 4092, 1 },
	{ G9, "flat_load_ubyte v2, v[4:5] inst_offset:%lld", 4095, 1 },
	{ G9, "flat_store_dword v[4:5], v6 inst_offset:%lld", 4092, 1 },
	{ G9, "global_load_dword v2, v[4:5], off inst_offset:%lld", 4092, 1 },
	{ G9, "global_load_dword v2, v[4:5], off inst_offset:%lld", -4096, 1 },
	{ G9, "global_load_dword v2, v7, s[16:17] inst_offset:%lld", -4096, 1 },
	{ G9, "global_store_dword v[4:5], v6, off inst_offset:%lld", -4096, 1 },
	{ G9, "global_store_dword v[4:5], v6, off inst_offset:%lld", 4092, 1 },
	{ ALL, "buffer_load_dword v2, v7, s[16:19], 0 offen offset:%lld", 4092, 1 },
	{ ALL, "buffer_load_ubyte v2, v7, s[16:19], 0 offen offset:%lld", 4095, 1 },
	{ ALL, "buffer_store_dword v6, v7, s[16:19], 0 offen offset:%lld", 4092, 1 },
	{ SI | CI, "buffer_load_dword v2, v[4:5], s[24:27], 0 offset:%lld addr64", 4092, 1 },
	{ ALL, "tbuffer_load_format_x v2, v7, s[16:19], 0 offen offset:%lld format:[32,uint]", 4092, 1 },
};

static void run_text(const char *text, uint32_t *word)
{
	static const struct setting s[] = { { "block", "64" }, { "timing", "off" }, { NULL, NULL } };
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };

	if (wb_launch_arg(l, "zero=4194304", &d) != WB_OK || wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s\n%s", d.text, text);
	assert_int_equal(wb_launch_read_arg(l, 0, MIDDLE + 64, word, sizeof *word, NULL), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
}

static void execute(unsigned chip, unsigned i, char text[TEXT])
{
	long long bytes = executed[i].number * executed[i].unit;
	char op[LINE];
	bool scalar = strstr(executed[i].text, " s20");
	bool stores = strstr(executed[i].text, "store") || strstr(executed[i].text, "swap");

	line_of(op, executed[i].text, executed[i].number);
	snprintf(text, TEXT, ".kernel k\n.chip %s\ns_load_dwordx2 s[12:13], s[0:1], 0x0\ns_mov_b32 s14, -1\n"
		 "s_mov_b32 s15, 0x24fac\ns_waitcnt lgkmcnt(0)\ns_add_u32 s12, s12, 0x200000\ns_addc_u32 s13, s13, 0\n"
		 "s_sub_u32 s16, s12, 0x%llx\ns_subb_u32 s17, s13, 0x%llx\n"
		 "s_mov_b32 s18, -1\ns_mov_b32 s19, s15\ns_mov_b32 s24, 0\ns_mov_b32 s25, 0\ns_mov_b32 s26, -1\n"
		 "s_mov_b32 s27, s15\ns_mov_b64 exec, 1\nv_mov_b32 v4, s16\nv_mov_b32 v5, s17\nv_mov_b32 v7, 0\n"
		 "s_mov_b32 s22, 0\ns_mov_b32 s21, 0x%x\nv_mov_b32 v6, s21\nv_mov_b32 v2, 0\n"
		 "%s%s\n%ss_waitcnt vmcnt(0) & lgkmcnt(0)\n%s"
		 "buffer_store_dword v2, v7, s[12:15], 0 offen offset:64\ns_endpgm\n", chips[chip],
		 bytes & 0xffffffffll, bytes >> 32 & 0xffffffffll, MAGIC,
		 stores ? "" : "buffer_store_dword v6, v7, s[12:15], 0 offen\ns_waitcnt vmcnt(0)\n", op,
		 stores && chip > 1 ? "s_dcache_wb\n" : "",
		 scalar ? "v_mov_b32 v2, s20\n" : stores ? "buffer_load_dword v2, v7, s[12:15], 0 offen\n"
		 "s_waitcnt vmcnt(0)\n" : "");
}

static void numbers_are_added_with_their_sign(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof executed / sizeof *executed; i++)
		for (unsigned chip = 0; chip < CHIPS; chip++) {
			char text[TEXT];
			uint32_t word, wanted = strstr(executed[i].text, "ubyte") ? MAGIC & 255 : MAGIC;
			if (!(executed[i].chips >> chip & 1))
				continue;
			execute(chip, i, text);
			run_text(text, &word);
			if (word != wanted)
				fail_msg("0x%x, expected 0x%x of\n%s", word, wanted, text);
		}
}

/* Words of LDS and of private memory, written without a number and read with one. */
static void numbers_reach_shared_and_private_memory(void **state)
{
	static const char *const bodies[] = {
		"v_mov_b32 v4, 0x7ffc\nds_write_b32 v4, v6\nv_mov_b32 v4, 0\ns_waitcnt lgkmcnt(0)\n"
		"ds_read_b32 v2, v4 offset:32764\n",
		"v_mov_b32 v4, 0x3fc\nds_write_b32 v4, v6\nv_mov_b32 v4, 0\ns_waitcnt lgkmcnt(0)\n"
		"ds_read2_b32 v[2:3], v4 offset0:255 offset1:0\n",
		"v_mov_b32 v4, 0x7f00\nds_write_b32 v4, v6\nv_mov_b32 v4, 0\ns_waitcnt lgkmcnt(0)\n"
		"ds_read2st64_b32 v[2:3], v4 offset0:127 offset1:0\n",
		"v_mov_b32 v4, 0xfffc\nds_write_b32 v4, v6\nv_mov_b32 v4, 0\ns_waitcnt lgkmcnt(0)\n"
		"ds_read_b32 v2, v4 offset:65532\n",
		"v_mov_b32 v4, 0xff00\nds_write_b32 v4, v6\nv_mov_b32 v4, 0\ns_waitcnt lgkmcnt(0)\n"
		"ds_read2st64_b32 v[2:3], v4 offset0:255 offset1:0\n",
		"v_mov_b32 v4, 0\nscratch_store_dword v4, v6, off\nv_mov_b32 v4, 0x1000\ns_waitcnt vmcnt(0)\n"
		"scratch_load_dword v2, v4, off inst_offset:-4096\n",
		"v_mov_b32 v4, 0xffc\nscratch_store_dword v4, v6, off\nv_mov_b32 v4, 0\ns_waitcnt vmcnt(0)\n"
		"scratch_load_dword v2, v4, off inst_offset:4092\n",
	};
	enum { OF_64K = 3, PRIVATE = 5 };

	(void)state;
	for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++)
		for (unsigned chip = i < OF_64K ? 0 : i < PRIVATE ? 1 : 3; chip < CHIPS; chip++) {
			char text[TEXT];
			uint32_t word;
			snprintf(text, sizeof text, ".kernel k\n.chip %s\n.smem %u\n.lmem 8192\n"
				 "s_load_dwordx2 s[12:13], s[0:1], 0x0\ns_mov_b32 s14, -1\ns_mov_b32 s15, 0x24fac\n"
				 "s_mov_b32 m0, -1\ns_waitcnt lgkmcnt(0)\ns_add_u32 s12, s12, 0x200000\n"
				 "s_addc_u32 s13, s13, 0\ns_mov_b64 exec, 1\nv_mov_b32 v6, 0x%x\nv_mov_b32 v7, 0\n"
				 "%ss_waitcnt vmcnt(0) & lgkmcnt(0)\n"
				 "buffer_store_dword v2, v7, s[12:15], 0 offen offset:64\ns_endpgm\n", chips[chip],
				 chip ? 65536 : 32768, MAGIC, bodies[i]);
			run_text(text, &word);
			if (word != MAGIC)
				fail_msg("0x%x of\n%s", word, text);
		}
}

/* A 16-bit number with and without a sign: -1 is less than 0, 65535 is not. */
static void words_of_16_bits_have_the_operations_sign(void **state)
{
	static const struct { const char *body; uint32_t result; } rows[] = {
		{ "s_movk_i32 s20, 0x8000\n", 0xffff8000 }, { "s_movk_i32 s20, 0x7fff\n", 0x7fff },
		{ "s_mov_b32 s20, 1\ns_addk_i32 s20, 0xffff\n", 0 },
		{ "s_mov_b32 s20, 3\ns_mulk_i32 s20, 0xffff\n", 0xfffffffd },
		{ "s_mov_b32 s21, 0\ns_cmpk_gt_i32 s21, 0xffff\ns_cselect_b32 s20, 7, 8\n", 7 },
		{ "s_mov_b32 s21, 0\ns_cmpk_gt_u32 s21, 0xffff\ns_cselect_b32 s20, 7, 8\n", 8 },
		{ "s_mov_b32 s21, 0x10000\ns_cmpk_gt_u32 s21, 0xffff\ns_cselect_b32 s20, 7, 8\n", 7 },
		{ "s_mov_b32 s21, -1\ns_cmpk_eq_i32 s21, 0xffff\ns_cselect_b32 s20, 7, 8\n", 7 },
		{ "s_mov_b32 s21, -1\ns_cmpk_eq_u32 s21, 0xffff\ns_cselect_b32 s20, 7, 8\n", 8 },
	};

	(void)state;
	for (unsigned i = 0; i < CHIPS * sizeof rows / sizeof *rows; i++) {
		char text[TEXT];
		uint32_t word;
		snprintf(text, sizeof text, ".kernel k\n.chip %s\ns_load_dwordx2 s[12:13], s[0:1], 0x0\n"
			 "s_mov_b32 s14, -1\ns_mov_b32 s15, 0x24fac\ns_waitcnt lgkmcnt(0)\n"
			 "s_add_u32 s12, s12, 0x200000\ns_addc_u32 s13, s13, 0\n%sv_mov_b32 v2, s20\n"
			 "v_mov_b32 v7, 0\nbuffer_store_dword v2, v7, s[12:15], 0 offen offset:64\ns_endpgm\n",
			 chips[i % CHIPS], rows[i / CHIPS].body);
		run_text(text, &word);
		if (word != rows[i / CHIPS].result)
			fail_msg("0x%x, expected 0x%x of\n%s", word, rows[i / CHIPS].result, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_come_back_and_none_beyond),
		cmocka_unit_test(numbers_without_a_place_are_refused),
		cmocka_unit_test(words_are_llvms),
		cmocka_unit_test(numbers_are_added_with_their_sign),
		cmocka_unit_test(numbers_reach_shared_and_private_memory),
		cmocka_unit_test(words_of_16_bits_have_the_operations_sign),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
