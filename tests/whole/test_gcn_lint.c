/* Lints of GCN: each hazard of spec gcn ("Lints worth having") and each kind of load, used an instruction too soon, is
 * found with the instruction to insert; after the insertion nothing is found. Compiled programs have no findings. */
#include <glob.h>

#include "tests/kit/launches.h"
#include "tests/kit/shared.h"

#define LINES 16

/* Findings of `text` assembled for a chip, each without its newline. */
static unsigned lint(const char *chip, const char *text, char lines[LINES][300])
{
	char source[4000];
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_text out;
	struct wb_diag d = { 0 };
	unsigned n = 0;

	snprintf(source, sizeof source, ".kernel k\n.chip %s\n%ss_endpgm\n", chip, text);
	p = load(source);
	assert_int_equal(wb_program_lint(p, 0, c, &out, &d), WB_OK);
	for (char *line = out.data ? strtok(out.data, "\n") : NULL; line && n < LINES; line = strtok(NULL, "\n"))
		snprintf(lines[n++], sizeof lines[0], "%s", line);
	wb_text_free(&out);
	wb_program_free(p);
	wb_config_free(c);
	return n;
}

/* A program is `before`, then the inserted text, then `after`. */
static const struct hazard {
	const char *chip, *before, *insert, *after;
} hazards[] = {
	/* results before their s_waitcnt */
	{ "tahiti", "buffer_load_dword v2, v1, s[4:7], 0 offen\n", "s_waitcnt vmcnt(0)\n", "v_mov_b32 v3, v2\n" },
	{ "tonga", "buffer_load_dword v2, v1, s[4:7], 0 offen\nbuffer_load_dword v3, v1, s[4:7], 0 offen\n",
	  "s_waitcnt vmcnt(1)\n", "v_mov_b32 v4, v2\n" },
	{ "gfx900", "global_load_dwordx2 v[2:3], v[0:1], off\n", "s_waitcnt vmcnt(0)\n", "v_mov_b32 v3, 0\n" },
	{ "gfx900", "buffer_atomic_add v2, v1, s[4:7], 0 offen glc\n", "s_waitcnt vmcnt(0)\n",
	  "buffer_store_dword v2, v1, s[4:7], 0 offen\n" },
	{ "bonaire", "s_load_dwordx2 s[4:5], s[0:1], 0x0\n", "s_waitcnt lgkmcnt(0)\n", "s_mov_b32 s6, s5\n" },
	{ "bonaire", "s_load_dwordx2 vcc, s[0:1], 0x0\n", "s_waitcnt lgkmcnt(0)\n", "s_cbranch_vccz over\nover:\n" },
	{ "tonga", "ds_read_b32 v2, v1\nds_read_b32 v3, v1\n", "s_waitcnt lgkmcnt(1)\n", "v_mov_b32 v4, v2\n" },
	{ "tonga", "ds_read_b32 v2, v1\ns_load_dword s4, s[0:1], 0x0\n", "s_waitcnt lgkmcnt(0)\n",
	  "v_mov_b32 v4, v2\n" },
	{ "tonga", "flat_load_dword v2, v[0:1]\n", "s_waitcnt vmcnt(0)\n", "v_mov_b32 v4, v2\n" },
	/* on one of two paths; around a loop */
	{ "tonga", "s_cbranch_scc0 over\nds_read_b32 v2, v1\nover:\n", "s_waitcnt lgkmcnt(0)\n", "v_mov_b32 v4, v2\n" },
	{ "tonga", "again:\n", "s_waitcnt lgkmcnt(0)\n",
	  "v_mov_b32 v4, v2\nds_read_b32 v2, v1\ns_cbranch_scc0 again\n" },
	/* wait states */
	{ "tahiti", "v_readfirstlane_b32 s4, v0\ns_nop 0x0\n", "s_nop 0x3\n",
	  "buffer_load_dword v2, v1, s[4:7], 0 offen\n" },
	{ "gfx900", "v_cmp_eq_u32 vcc, 1, v0\n", "s_nop 0x4\n", "v_mov_b32 v1, vccz\n" },
	{ "gfx900", "v_cmpx_eq_u32 vcc, 1, v0\n", "s_nop 0x4\n", "v_mov_b32 v1, execz\n" },
	{ "tonga", "v_readfirstlane_b32 s4, v0\n", "s_nop 0x3\n", "v_readlane_b32 s5, v1, s4\n" },
	{ "tonga", "v_readfirstlane_b32 s4, v0\n", "s_nop 0x3\n", "v_writelane_b32 v1, 1, s4\n" },
	{ "tonga", "v_cmp_eq_u32 vcc, 1, v0\nv_mov_b32 v6, 0\n", "s_nop 0x2\n", "v_div_fmas_f32 v1, v2, v3, v4\n" },
	{ "tonga", "v_cmpx_eq_u32 vcc, 1, v0\n", "s_nop 0x4\n", "v_mov_b32 v1, v2 row_shr:1\n" },
	{ "gfx900", "v_mov_b32 v2, v0\n", "s_nop 0x1\n", "v_mov_b32 v1, v2 row_shr:1\n" },
	{ "gfx900", "s_mov_b32 m0, 0\n", "s_nop 0x0\n", "s_sendmsg sendmsg(interrupt)\n" },
	{ "tahiti", "v_readfirstlane_b32 s4, v0\n", "s_nop 0x3\n", "s_load_dword s6, s[4:5], 0x0\n" },
};

static void each_hazard_is_found_with_what_to_insert(void **state)
{
	for (unsigned i = 0; i < sizeof hazards / sizeof *hazards; i++) {
		const struct hazard *h = &hazards[i];
		char text[2000], lines[LINES][300], insert[64];
		unsigned n;
		snprintf(text, sizeof text, "%s%s", h->before, h->after);
		n = lint(h->chip, text, lines);
		/* 's_nop 0x3' is written 's_nop 3' */
		snprintf(insert, sizeof insert, "%.*s", (int)strcspn(h->insert, "\n"), h->insert);
		if (!strncmp(insert, "s_nop 0x", 8))
			memmove(insert + 6, insert + 8, strlen(insert + 8) + 1);
		if (!n)
			fail_msg("%s: found nothing, expected 'insert %s', of\n%s", h->chip, insert, text);
		while (n-- > 0)         /* around a loop, the repeated load has not arrived either */
			if (!strstr(lines[n], insert) || strncmp(lines[n], "pc 0x", 5))
				fail_msg("%s: %s, expected 'insert %s', of\n%s", h->chip, lines[n], insert, text);
		snprintf(text, sizeof text, "%s%s%s", h->before, h->insert, h->after);
		n = lint(h->chip, text, lines);
		if (n)
			fail_msg("%s: %s, of\n%s", h->chip, lines[0], text);
	}
}

/* One wait state less than needed is found, too. */
static void one_wait_state_less_is_found(void **state)
{
	char lines[LINES][300];

	assert_int_equal(lint("tahiti", "v_readfirstlane_b32 s4, v0\ns_nop 0x3\n"
			      "buffer_load_dword v2, v1, s[4:7], 0 offen\n", lines), 1);
	assert_non_null(strstr(lines[0], "s_nop 0"));
	/* a write by a scalar instruction, or a read on an older chip, is no hazard */
	assert_int_equal(lint("tahiti", "s_mov_b32 s4, 0\nbuffer_load_dword v2, v1, s[4:7], 0 offen\n", lines), 0);
	assert_int_equal(lint("bonaire", "v_readfirstlane_b32 s4, v0\ns_load_dword s6, s[4:5], 0x0\n", lines), 0);
	assert_int_equal(lint("gfx900", "buffer_atomic_add v2, v1, s[4:7], 0 offen\nv_mov_b32 v2, 0\n", lines), 0);
}

static void compiled_programs_are_clean(void **state)
{
	struct wb_config *c = wb_config_new();
	char pattern[1000];
	glob_t files;

	shared_path(pattern, sizeof pattern, "corpus/gcn/*/*.hsaco");
	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct wb_program *p;
		struct wb_text out;
		struct wb_diag d = { 0 };
		if (wb_program_open(files.gl_pathv[i], c, &p, &d) != WB_OK)
			fail_msg("%s", d.text);
		for (unsigned k = 0; k < wb_program_kernels(p); k++) {
			if (wb_program_lint(p, k, c, &out, &d) != WB_OK)
				fail_msg("%s: %s", files.gl_pathv[i], d.text);
			if (out.size)
				fail_msg("%s: %s", files.gl_pathv[i], out.data);
			wb_text_free(&out);
		}
		wb_program_free(p);
	}
	globfree(&files);
	wb_config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_hazard_is_found_with_what_to_insert),
		cmocka_unit_test(one_wait_state_less_is_found),
		cmocka_unit_test(compiled_programs_are_clean),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
