/* Accesses of GCN under the checkers, with --check bounds and without: bytes of each row of gcn.def with memory, at the
 * end of a buffer and an element further on; loads widened by compilers; races of scalar loads, of three words and of
 * elements across words; lanes named by findings of whole rows. */
#include <stdbool.h>

#include "tests/kit/launches.h"

#include "core/isa/gcn/gcn.h"

enum { CHIPS = 4, TEXT = 2048, BASE = 12, VALUE = 8, ADDRESS = 4, OFFSET = 1, CONSTANT_0 = 128, INSIDE = 48,
	INSIDE_LDS = 32 };      /* LDS of a block is a multiple of 64 bytes */

static const char *const chips[CHIPS] = { "tahiti", "bonaire", "tonga", "gfx900" };

static const struct listed {
	const char *encoding, *name;
	int op[CHIPS];
	const char *d, *s[3], *class;
	uint32_t flags;
} rows[] = {
#define ROW(e, si, ci, vi, g9, name, d, s0, s1, s2, kind, class, flags) \
	{ #e, #name, { si, ci, vi, g9 }, #d, { #s0, #s1, #s2 }, #class, flags },
#include "core/isa/gcn/gcn.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool is(const struct listed *r, const char *encoding)
{
	return !strcmp(r->encoding, encoding);
}

static bool named(const struct listed *r, const char *part)
{
	return strstr(r->name, part);
}

/* Bits of "B32", "U64" …; 0 for "__". */
static unsigned bits(const char *type)
{
	return type[0] == '_' ? 0 : (unsigned)strtoul(type + 1, NULL, 10);
}

/* A data format for elements of all components. */
static unsigned format_of(const struct listed *r)
{
	return named(r, "xyzw") ? 14 : named(r, "xyz") ? 13 : named(r, "xy") ? 11 : 4;
}

/* Bytes of an access, by name and operands. */
static unsigned bytes_of(const struct listed *r)
{
	static const unsigned components[] = { [4] = 4, [11] = 8, [13] = 12, [14] = 16 };
	const char *stored = is(r, "SMEM") || is(r, "DS") ? r->s[1] : r->s[0];
	unsigned whole = bits(bits(r->d) ? r->d : stored) / 8;

	if (named(r, "format"))
		return components[format_of(r)];
	if (is(r, "DS"))
		whole = named(r, "b96") ? 12 : named(r, "b128") ? 16 : strstr(strrchr(r->name, '_'), "64") ? 8 : 4;
	if (named(r, "byte") || named(r, "b8") || named(r, "u8") || named(r, "_i8"))
		return 1;
	return named(r, "short") || named(r, "b16") || named(r, "u16") || named(r, "_i16") ? 2 : whole;
}

static unsigned align_of(const struct listed *r)
{
	unsigned bytes = bytes_of(r);

	if (is(r, "DS") || named(r, "atomic"))
		return bytes == 12 ? 16 : bytes;
	return bytes < 4 ? bytes : 4;
}

static void words_of(const struct listed *r, unsigned chip, uint32_t word[2])
{
	uint32_t op = (uint32_t)r->op[chip];

	if (is(r, "MUBUF")) {
		word[0] = 0x38u << 26 | op << 18 | 1 << 12;
		word[1] = OFFSET | VALUE << 8 | BASE / 4 << 16 | (uint32_t)CONSTANT_0 << 24;
	} else if (is(r, "MTBUF")) {
		word[0] = 0x3au << 26 | op << (chip < 2 ? 16 : 15) | format_of(r) << 19 | 4 << 23 | 1 << 12;
		word[1] = OFFSET | VALUE << 8 | BASE / 4 << 16 | (uint32_t)CONSTANT_0 << 24;
	} else if (is(r, "FLAT") || is(r, "GLOBAL")) {
		word[0] = 0x37u << 26 | op << 18 | (is(r, "GLOBAL") ? 2 << 14 : 0);
		word[1] = ADDRESS | VALUE << 8 | (is(r, "GLOBAL") ? 0x7f << 16 : 0) | 16u << 24;
	} else if (is(r, "DS")) {
		word[0] = 0x36u << 26 | op << (chip < 2 ? 18 : 17);
		word[1] = OFFSET | VALUE << 8 | (VALUE + 4) << 16 | 16u << 24;
	} else if (chip < 2) {
		word[0] = 0x18u << 27 | op << 22 | 32 << 15 | BASE >> 1 << 9 | 1 << 8;
		word[1] = 0xbf800000;           /* s_nop */
	} else {
		word[0] = 0x30u << 26 | op << 18 | 1 << 17 | 32 << 6 | BASE >> 1;
		word[1] = 0;
	}
}

/* Lane 0 accesses byte `at` of the argument, or of LDS. */
static void write_text(char text[TEXT], const char *chip, unsigned format, unsigned at, const char *body)
{
	snprintf(text, TEXT, ".kernel k\n.chip %s\ns_load_dwordx2 s[12:13], s[0:1], 0x0\ns_mov_b32 s14, -1\n"
		 "s_mov_b32 s15, 0x%x\ns_mov_b32 m0, -1\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s2, 0x%x\n"
		 "s_add_u32 s12, s12, s2\ns_addc_u32 s13, s13, 0\ns_mov_b64 exec, 1\nv_mov_b32 v4, s12\n"
		 "v_mov_b32 v5, s13\nv_mov_b32 v1, 0\nv_mov_b32 v8, 0\nv_mov_b32 v9, 0\nv_mov_b32 v10, 0\n"
		 "v_mov_b32 v11, 0\nv_mov_b32 v12, 0\nv_mov_b32 v13, 0\nv_mov_b32 v20, 0\n%s"
		 "s_waitcnt vmcnt(0) & lgkmcnt(0)\ns_endpgm\n", chip, format ? 0x4fac | format << 15 : 0x24fac, at,
		 body);
}

/* Run with a buffer of so many bytes; the warnings of the report, one a line. */
static void warnings_of(const char *text, unsigned bytes, const char *shared, const char *check, char out[TEXT])
{
	const struct setting s[] = { { "block", "64" }, { "timing", "off" }, { "smem", shared }, { "check", check },
				     { NULL, NULL } };
	const struct wb_report *r;
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };
	char argument[32];
	size_t n = 0;

	snprintf(argument, sizeof argument, "zero=%u", bytes);
	assert_int_equal(wb_launch_arg(l, argument, &d), WB_OK);
	wb_launch_run(l, &d);
	r = wb_launch_report(l);
	if (strcmp(r->result, "ok") != 0)
		fail_msg("%s: %s\n%s", r->result, d.text, text);
	*out = '\0';
	for (unsigned i = 0; i < r->nwarnings; i++)
		n += (size_t)snprintf(out + n, n < TEXT ? TEXT - n : 0, "%s\n", r->warnings[i]);
	wb_launch_free(l);
	wb_program_free(p);
}

/* With the check and without: a finding of so many bytes beyond the end, or no finding. */
static void expect(const char *text, unsigned buffer, const char *shared, unsigned bytes, bool beyond)
{
	char plain[TEXT], checked[TEXT], found[40], offset[40];

	warnings_of(text, buffer, shared, "bounds", checked);
	snprintf(found, sizeof found, " of %u bytes at ", bytes);
	if (beyond ? !strstr(checked, "bounds: ") || !strstr(checked, found) : strstr(checked, "bounds: ") != NULL)
		fail_msg("'%s', expected%s%s in\n%s", checked, beyond ? "" : " nothing, not", found, text);
	if (*shared != '0')
		return;
	warnings_of(text, buffer, shared, "", plain);
	snprintf(offset, sizeof offset, "beyond the end of a buffer");
	if (!strstr(plain, offset) == beyond)
		fail_msg("without --check: '%s', expected %s in\n%s", plain, beyond ? offset : "nothing", text);
}

static bool touches_memory(const struct listed *r)
{
	bool memory = is(r, "MUBUF") || is(r, "MTBUF") || is(r, "FLAT") || is(r, "GLOBAL") || is(r, "SMEM");
	bool lds = is(r, "DS") && !named(r, "swizzle") && !named(r, "permute") && !named(r, "gws") &&
		   !named(r, "nop") && !named(r, "consume") && !named(r, "append") && !named(r, "ordered");
	bool access = lds || (memory && (named(r, "load") || named(r, "store") || named(r, "atomic")));

	return access && strcmp(r->class, "none") != 0 && !named(r, "_d16_x") && !named(r, "d16_hi_x") &&
	       !named(r, "_src2_") && !named(r, "addtid");
}

static void every_row_has_its_bytes(void **state)
{
	unsigned tried = 0;

	(void)state;
	for (unsigned i = 0; i < CHIPS * ROWS; i++) {
		const struct listed *r = &rows[i / CHIPS];
		unsigned chip = i % CHIPS, bytes = bytes_of(r);
		char text[TEXT], body[200], shared[16] = "0";
		uint32_t word[2];
		if (!touches_memory(r) || r->op[chip] >= NO)
			continue;
		words_of(r, chip, word);
		for (unsigned beyond = 0; beyond < 2; beyond++) {
			unsigned inside = is(r, "DS") ? INSIDE_LDS : INSIDE, at = inside + (beyond ? align_of(r) : 0);
			if (is(r, "DS"))
				snprintf(shared, sizeof shared, "%u", inside + bytes);
			snprintf(body, sizeof body, "v_mov_b32 v1, 0x%x\n.word 0x%08x\n.word 0x%08x\n",
				 is(r, "DS") ? at : 0, word[0], word[1]);
			write_text(text, chips[chip], named(r, "format") ? format_of(r) : 0, at, body);
			expect(text, inside + bytes, shared, bytes, beyond);
		}
		tried++;
	}
	assert_true(tried > 500);
}

/* ---- elements across words ---- */

static void elements_across_words_have_their_own_bytes(void **state)
{
	static const struct { const char *text; unsigned bytes, chips; } forms[] = {
		{ "flat_load_dword v2, v[4:5]\n", 4, 14 }, { "flat_load_ushort v2, v[4:5]\n", 2, 14 },
		{ "flat_load_dwordx2 v[16:17], v[4:5]\n", 8, 14 }, { "flat_load_dwordx3 v[16:18], v[4:5]\n", 12, 14 },
		{ "flat_store_dword v[4:5], v8\n", 4, 14 }, { "flat_store_dwordx4 v[4:5], v[8:11]\n", 16, 14 },
		{ "buffer_load_dword v2, v1, s[12:15], 0 offen\n", 4, 14 },
		{ "buffer_store_short v8, v1, s[12:15], 0 offen\n", 2, 14 },
		{ "global_load_dwordx4 v[16:19], v[4:5], off\n", 16, 8 },
		{ "global_store_dwordx3 v[4:5], v[8:10], off\n", 12, 8 },
	};

	(void)state;
	for (unsigned i = 0; i < CHIPS * sizeof forms / sizeof *forms; i++)
		for (unsigned odd = 1; odd < 4 && forms[i / CHIPS].chips >> i % CHIPS & 1; odd++) {
			char text[TEXT];
			unsigned bytes = forms[i / CHIPS].bytes;
			write_text(text, chips[i % CHIPS], 0, INSIDE + odd, forms[i / CHIPS].text);
			expect(text, INSIDE + odd + bytes, "0", bytes, false);
			expect(text, INSIDE + odd + bytes - 1, "0", bytes, true);
		}
}

/* ---- loads widened by compilers ---- */

static void widened_scalar_loads_are_no_finding(void **state)
{
	static const struct { unsigned words, at, buffer; bool beyond; } loads[] = {
		{ 1, 48, 49, false }, { 1, 48, 50, false }, { 1, 48, 51, false }, { 1, 48, 48, true },
		{ 2, 48, 54, false }, { 2, 48, 52, true }, { 2, 48, 50, true },
		{ 4, 48, 60, false }, { 4, 48, 58, false }, { 4, 48, 62, false }, { 4, 40, 52, false },
		{ 4, 44, 56, true }, { 4, 48, 56, true }, { 4, 48, 52, true }, { 4, 64, 64, true },
		{ 4, 240, 252, false }, { 4, 244, 256, true }, { 4, 248, 260, false },  /* beside a multiple of 256 */
		{ 8, 32, 60, true }, { 8, 32, 62, false }, { 16, 64, 124, true }, { 16, 64, 125, false },
	};
	static const char *const names[] = { [1] = "dword s32", [2] = "dwordx2 s[32:33]", [4] = "dwordx4 s[32:35]",
					     [8] = "dwordx8 s[32:39]", [16] = "dwordx16 s[32:47]" };

	(void)state;
	for (unsigned i = 0; i < CHIPS * 2 * sizeof loads / sizeof *loads; i++) {
		unsigned k = i / (2 * CHIPS), words = loads[k].words;
		char text[TEXT], body[80];
		snprintf(body, sizeof body, i / CHIPS % 2 ? "s_buffer_load_%s, s[12:15], 0x0\n" :
			 "s_load_%s, s[12:13], 0x0\n", names[words]);
		write_text(text, chips[i % CHIPS], 0, loads[k].at, body);
		expect(text, loads[k].buffer, "0", 4 * words, loads[k].beyond);
	}
}

/* ---- races ---- */

/* Blocks 0 and 1 (s2) run a body each; wanted: part of the race, "" for no race. */
static void race(unsigned chip, const char *bodies[2], const char *wanted)
{
	const struct setting s[] = { { "block", "64" }, { "grid", "2" }, { "timing", "off" }, { "check", "race" },
				     { NULL, NULL } };
	const struct wb_report *r;
	struct wb_launch *l;
	struct wb_program *p;
	struct wb_diag d = { 0 };
	char text[TEXT];
	bool found = false;

	snprintf(text, sizeof text, ".kernel k\n.chip %s\ns_load_dwordx2 s[12:13], s[0:1], 0x0\n"
		 "s_mov_b32 s14, -1\ns_mov_b32 s15, 0x24fac\ns_waitcnt lgkmcnt(0)\ns_mov_b64 exec, 1\n"
		 "v_mov_b32 v4, s12\nv_mov_b32 v5, s13\nv_mov_b32 v1, 0\nv_mov_b32 v8, 0\nv_mov_b32 v9, 0\n"
		 "v_mov_b32 v10, 0\ns_cmp_eq_u32 s2, 0\ns_cbranch_scc0 second\n%s\ns_branch end\nsecond:\n%s\nend:\n"
		 "s_waitcnt vmcnt(0) & lgkmcnt(0)\ns_endpgm\n", chips[chip], bodies[0], bodies[1]);
	p = load(text);
	l = launch(p, s);
	assert_int_equal(wb_launch_arg(l, "zero=256", &d), WB_OK);
	wb_launch_run(l, &d);
	r = wb_launch_report(l);
	for (unsigned i = 0; i < r->nwarnings; i++) {
		if (strncmp(r->warnings[i], "race: ", 6) != 0)
			continue;
		found = true;
		if (!*wanted || !strstr(r->warnings[i], wanted))
			fail_msg("'%s', expected '%s' of\n%s", r->warnings[i], wanted, text);
	}
	if (found != (*wanted != '\0'))
		fail_msg("%s, expected '%s' of\n%s", r->result, wanted, text);
	wb_launch_free(l);
	wb_program_free(p);
}

static void races_are_of_the_bytes_touched(void **state)
{
#define STORE_AT(offset) "buffer_store_dword v8, v1, s[12:15], 0 offen offset:" #offset "\n"
	static const struct { const char *bodies[2], *wanted; unsigned chips; } cases[] = {
		/* scalar loads */
		{ { "s_load_dword s20, s[12:13], 0x0\n", STORE_AT(0) }, "00]: store at ", 15 },
		{ { "s_load_dword s20, s[12:13], 0x0\n", STORE_AT(4) }, "", 15 },
		{ { "s_load_dwordx4 s[20:23], s[12:13], 0x0\n", STORE_AT(12) }, "0c]: store at ", 15 },
		{ { "s_load_dwordx4 s[20:23], s[12:13], 0x0\n", STORE_AT(16) }, "", 15 },
		{ { "s_load_dwordx16 s[20:35], s[12:13], 0x0\n", STORE_AT(60) }, "3c]: store at ", 15 },
		{ { "s_buffer_load_dwordx2 s[20:21], s[12:15], 0x0\n", STORE_AT(4) }, "04]: store at ", 15 },
		{ { STORE_AT(0), "s_load_dword s20, s[12:13], 0x0\n" }, "00]: load at ", 15 },
		/* three words */
		{ { "buffer_store_dwordx3 v[8:10], v1, s[12:15], 0 offen\n", STORE_AT(12) }, "", 14 },
		{ { "buffer_store_dwordx3 v[8:10], v1, s[12:15], 0 offen\n", STORE_AT(8) }, "08]: store at ", 14 },
		/* bytes of words */
		{ { "flat_store_short v[4:5], v8\n", "v_or_b32 v4, 2, v4\nflat_store_short v[4:5], v8\n" }, "", 14 },
		{ { "flat_store_dword v[4:5], v8\n", "v_or_b32 v4, 2, v4\nflat_store_short v[4:5], v8\n" },
		  "00]: store at ", 14 },
		{ { "v_or_b32 v4, 3, v4\nflat_store_short v[4:5], v8\n", STORE_AT(4) }, "04]: store at ", 14 },
		{ { "v_or_b32 v4, 3, v4\nflat_store_short v[4:5], v8\n", STORE_AT(8) }, "", 14 },
		{ { "v_or_b32 v4, 1, v4\nflat_store_dword v[4:5], v8\n",
		    "buffer_store_byte v8, v1, s[12:15], 0 offen\n" }, "", 14 },
	};

	(void)state;
	for (unsigned i = 0; i < CHIPS * sizeof cases / sizeof *cases; i++) {
		const char *bodies[2] = { cases[i / CHIPS].bodies[0], cases[i / CHIPS].bodies[1] };
		if (cases[i / CHIPS].chips >> i % CHIPS & 1)
			race(i % CHIPS, bodies, cases[i / CHIPS].wanted);
	}
}

/* ---- rows of lanes ---- */

/* Warps of a block: words of v2, a word a lane; of v1, a word 16 lanes; v3 is 4 behind v2. Each finding has a wanted
 * text, in order. */
static void rows_find(const char *text, const char *block, const char *const wanted[])
{
	const struct setting s[] = { { "block", block }, { "timing", "off" }, { "smem", "512" },
				     { "check", "race,uninit" }, { NULL, NULL } };
	struct wb_program *p = load(text);
	struct wb_launch *l = launch(p, s);
	const struct wb_report *r;
	struct wb_diag d = { 0 };
	unsigned n = 0;

	wb_launch_run(l, &d);
	r = wb_launch_report(l);
	for (unsigned i = 0; i < r->nwarnings; i++) {
		if (!strstr(r->warnings[i], "race: ") && !strstr(r->warnings[i], "uninit: "))
			continue;
		if (!wanted[n] || !strstr(r->warnings[i], wanted[n]))
			fail_msg("'%s', expected '%s' of\n%s", r->warnings[i], wanted[n] ? wanted[n] : "", text);
		n++;
	}
	if (wanted[n])
		fail_msg("%s, expected '%s' of\n%s", r->result, wanted[n], text);
	wb_launch_free(l);
	wb_program_free(p);
}

static void findings_name_the_lanes_of_rows(void **state)
{
	static const struct { const char *bodies[3], *block, *wanted[3]; } cases[] = {
		{ { "ds_write_b32 v2, v8\nds_read_b32 v9, v1\n", "ds_write_b32 v3, v8\n" }, "128",
		  { "race: s[0x4]: store at pc 0x48 (line 19) by block 0 warp 1 lane 0, after store at pc 0x34 "
		    "(line 15) by block 0 warp 0 lane 1, with no barrier between (63 times)",
		    "race: s[0x10]: store at pc 0x48 (line 19) by block 0 warp 1 lane 3, after load at pc 0x3c "
		    "(line 16) by block 0 warp 0 lane 31, with no barrier between (3 times)" } },
		{ { "ds_write_b32 v2, v8\nds_read_b32 v9, v2\n", "ds_read_b32 v9, v3\n" }, "128",
		  { "race: s[0x4]: load at pc 0x48 (line 19) by block 0 warp 1 lane 0, after store at pc 0x34 "
		    "(line 15) by block 0 warp 0 lane 1, with no barrier between (63 times)",
		    "reads s[0x100], which was never written: block 0 warp 1 lane 63 (1 times)" } },
		{ { "s_mov_b64 exec, 0xff\nds_write_b32 v2, v8\ns_mov_b64 exec, 0x1ff\nds_read_b32 v9, v2\n", "" },
		  "128", { "reads s[0x20], which was never written: block 0 warp 0 lane 8 (1 times)" } },
		/* the second last warp that has loaded: warp 2 goes on first, as the last at the barrier */
		{ { "ds_write_b32 v2, v8\ns_barrier\nds_read_b32 v9, v1\n",
		    "s_barrier\nds_read_b32 v9, v2\nds_write_b32 v2, v8\n",
		    "s_barrier\nds_read_b32 v9, v2\n" }, "192",
		  { "race: s[0x0]: store at pc 0x58 (line 22) by block 0 warp 1 lane 0, after load at pc 0x40 "
		    "(line 17) by block 0 warp 0 lane 15, with no barrier between (4 times)",
		    "race: s[0x4]: store at pc 0x58 (line 22) by block 0 warp 1 lane 1, after load at pc 0x68 "
		    "(line 26) by block 0 warp 2 lane 1, with no barrier between (60 times)" } },
		{ { "ds_write_b32 v2, v8\nds_read_b32 v9, v1\ns_barrier\n", "s_barrier\nds_write_b32 v2, v8\n" },
		  "128", { NULL } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[TEXT];
		snprintf(text, sizeof text, ".kernel k\n.chip gfx900\nv_readfirstlane_b32 s4, v0\n"
			 "v_and_b32 v0, 63, v0\nv_and_b32 v1, 48, v0\nv_lshlrev_b32 v2, 2, v0\nv_add_u32 v3, 4, v2\n"
			 "v_mov_b32 v8, 1\nv_mov_b32 v9, 0\ns_mov_b32 m0, -1\ns_cmp_eq_u32 s4, 64\n"
			 "s_cbranch_scc1 second\ns_cmp_eq_u32 s4, 128\ns_cbranch_scc1 third\n%ss_branch end\n"
			 "second:\n%ss_branch end\nthird:\n%send:\ns_waitcnt lgkmcnt(0)\ns_endpgm\n",
			 cases[i].bodies[0], cases[i].bodies[1], cases[i].bodies[2] ? cases[i].bodies[2] : "");
		rows_find(text, cases[i].block, cases[i].wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_has_its_bytes),
		cmocka_unit_test(elements_across_words_have_their_own_bytes),
		cmocka_unit_test(widened_scalar_loads_are_no_finding),
		cmocka_unit_test(races_are_of_the_bytes_touched),
		cmocka_unit_test(findings_name_the_lanes_of_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
