/* nihstro's language: the words of each construct, refusals with reasons, and the reference assembler's answers. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "core/isa/pica/nihstro.h"
#include "core/load/shbin.h"
#include "tests/kit/shared_json.h"

static bool give_include(void *context, const char *name, const char *from, struct arena *a, const char **text,
			 size_t *n, struct diag *d)
{
	if (strcmp(name, "self.h") == 0)
		*text = ".include \"self.h\"\n";
	else if (strcmp(name, "util.h") == 0)
		*text = ".alias two c2 as (2.0, 2.0, 2.0, 2.0)\n";
	else if (strcmp(name, "bad.h") == 0)
		*text = "\n  foo r0\n";
	else
		return diag_set(d, DIAG_ENV, "cannot open %s", name);
	*n = strlen(*text);
	return true;
}

static const struct nihstro_options vertex = { .file = "t.vsh", .include = give_include };

static struct shader assemble(struct arena *a, const char *text)
{
	struct diag d = { 0 };
	struct shader s;

	if (!nihstro_assemble(&s, a, text, strlen(text), &vertex, &d))
		fail_msg("%s:%d:%d: %s\n%s", d.file, d.line, d.column, d.text, text);
	return s;
}

static void gives(const char *text, unsigned ncode, const uint32_t *code, unsigned ndesc, const uint32_t *desc)
{
	struct arena a = { 0 };
	struct shader s = assemble(&a, text);

	assert_int_equal(s.ncode, ncode);
	assert_int_equal(s.ndesc, ndesc);
	for (unsigned i = 0; i < ncode; i++)
		assert_int_equal(s.code[i], code[i]);
	for (unsigned i = 0; i < ndesc; i++)
		assert_int_equal(s.desc[i], desc[i]);
	arena_free(&a);
}

#define WORDS(...) sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, (uint32_t[]){ __VA_ARGS__ }

static void constructs(void **state)
{
	gives("mov r0, v0", WORDS(0x4e000000), WORDS(0x0006c36f));
	gives("MOV r0.xw, v0.xy // c", WORDS(0x4e000000), WORDS(0x00004029));
	gives("dp3 r0, c0[5].xyz, v1.xyz", WORDS(0x06025080), WORDS(0x0006030f));
	gives("sge r0, v1, c5", WORDS(0x6a005280), WORDS(0x0006c36f));
	gives("dph r0.x, v1.xyz, c5", WORDS(0x62005280), WORDS(0x0006c308));
	gives("mad r0, c5, v1, v2", WORDS(0xf0029440), WORDS(0x0d86c36f));
	gives("mad r0, v1, c4[a1], v2", WORDS(0xf0829040), WORDS(0x0d86c36f));
	gives("cmp v1.xy, c5.xy, >, >=", WORDS(0xba625080), WORDS(0x00040200));
	gives("mova c5.xy", WORDS(0x48025000), WORDS(0x0000020c));
	gives(".alias arr c10-c13\nmov r0, -arr[1+lcnt]", WORDS(0x4e1ab000), WORDS(0x0006c37f));
	gives("loop i1\n nop\n break cc.x\nendloop\n", 3, (uint32_t[]){ 0xa4400800, 0x84000000, 0x8f800000 }, 0, NULL);
	gives("l:\njmp l if !b2\n", 1, (uint32_t[]){ 0xb4800001 }, 0, NULL);
	gives("if cc.y && !cc.x\nnop\nelse\nnop\nnop\nendif\n", 4,
	      (uint32_t[]){ 0xa1400802, 0x84000000, 0x84000000, 0x84000000 }, 0, NULL);
	gives(".version 0.1\n.include \"util.h\"\nmov r0, two", WORDS(0x4e022000), WORDS(0x0006c36f));
}

/* `text` is refused at line:column with a message that contains `why`. */
static void refused(const char *text, int line, int column, const char *why)
{
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct shader s;

	assert_false(nihstro_assemble(&s, &a, text, strlen(text), &vertex, &d));
	assert_int_equal(d.kind, DIAG_INPUT);
	if (d.line != line || d.column != column || !strstr(d.text, why))
		fail_msg("expected %d:%d %s, got %d:%d %s", line, column, why, d.line, d.column, d.text);
	arena_free(&a);
}

static void restrictions(void **state)
{
	refused("nop\nfoo r0, v0\n", 2, 1, "unknown instruction `foo`");
	refused("mov r0.xy, v0", 1, 12, "as many");
	refused("mov r0.wz, v0.xy", 1, 5, "reorder");
	refused("mov r0.xx, v0.xy", 1, 5, "repeat");
	refused("mov v0, r0", 1, 5, "cannot be written");
	refused("mov r0, o0", 1, 9, "only be written");
	refused("mov r16, v0", 1, 5, "no register");
	refused("mov r0, c90[10]", 1, 13, "c100");
	refused("mov r0, c0[a0+a1]", 1, 15, "one address register");
	refused("mov r0, v0.rgba", 1, 12, "no component");
	refused("mul r0, c4, c5", 1, 13, "only one source");
	refused("mad r0, v1, c4, c5", 1, 17, "one float uniform");
	refused("dp3 r0, c5, v1", 1, 9, "3 components");
	refused("dph r0.x, c5, v1.xyz", 1, 15, "dph takes");
	refused("mova v0.x", 1, 6, "two components");
	refused("cmp c5, v1, ==, ==", 1, 5, "two components");
	refused("cmp c5.xy, v1.xy, =, ==", 1, 19, "==");
	refused("if !b0\nendif", 1, 4, "inverted");
	refused("if cc.x && cc.x\nendif", 1, 12, "cc.x with cc.y");
	refused("if cc.x", 1, 1, "never closed");
	refused("loop i0\nendif", 2, 1, "innermost open scope is the loop of line 1");
	refused("loop i0\nendloop", 2, 1, "empty");
	refused("loop i1.y\nnop\nendloop", 1, 6, "without a mask");
	refused("if b0\nelse\nelse\nendif", 3, 1, "else already");
	refused("break cc.x", 1, 1, "outside");
	refused("jmp x if b0", 1, 5, "no label");
	refused("x:\njmp x", 2, 6, "condition");
	refused("x:\ny:\nnop\ncall y until x", 4, 14, "does not stand behind");
	refused("x:\ncall x", 2, 7, "until");
	refused("x:\nx:\n", 2, 1, "already a label");
	refused("x: nop\n", 1, 4, "line of its own");
	refused("emit", 1, 1, "geometry");
	refused(".alias k o3", 1, 12, "needs a meaning");
	refused(".alias k o3 as depth", 1, 16, "position");
	refused(".alias k i0 as (1, 2, 3, 256)", 1, 26, "255");
	refused(".alias k c0 as (1, 2)", 1, 16, "2 components");
	refused(".alias r1 c0", 1, 8, "already names");
	refused(".alias mul c0", 1, 8, "instruction");
	refused(".alias _x c0", 1, 8, "reserved");
	refused(".include \"self.h\"\n", 1, 10, "deep");
	refused("mov r0, \x01", 1, 9, "expected a register");
}

static void errors_name_the_included_file(void **state)
{
	const char *text = ".include \"bad.h\"\n";
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct shader s;

	assert_false(nihstro_assemble(&s, &a, text, strlen(text), &vertex, &d));
	assert_string_equal(d.file, "bad.h");
	assert_int_equal(d.line, 2);
	arena_free(&a);
}

static void declarations_reach_the_tables(void **state)
{
	const char *text = ".alias k c3 as (1.0, -0.0, 0.1, 1e30)\n.alias n i3 as (4, 0, -1, 0)\n.alias f b3 as true\n"
			   ".alias pos o0.xy as texcoord0\n.alias m c4-c7\nnop\nmain:\nmov pos, k.xy\nend\n";
	struct arena a = { 0 };
	struct shader s = assemble(&a, text);
	const struct shader_entry *e = s.entry;

	assert_int_equal(e->nconstants, 3);
	assert_int_equal(e->constant[0].value[0], 0x3f0000);
	assert_int_equal(e->constant[0].value[1], 0x800000);
	assert_int_equal(e->constant[0].value[2], 0x3b9999);
	assert_int_equal(e->constant[0].value[3], 0x7f0000);
	assert_int_equal(e->constant[1].value[2], 0xff);
	assert_int_equal(e->constant[2].value[0], 1);
	assert_int_equal(e->noutputs, 1);
	assert_int_equal(e->output[0].mask, 3);
	assert_int_equal(e->nuniforms, 1);
	assert_int_equal(e->uniform[0].last_register, UNIFORM_C + 7);
	assert_int_equal(e->main, 1);
	arena_free(&a);
}

/* A MAD names its descriptor with 5 bits: when more than 32 are in use, those of the MADs come first. */
static void mad_descriptors_come_first(void **state)
{
	static const char c[] = "xyzw";
	char text[8192];
	int n = 0;
	struct arena a = { 0 };

	for (int i = 0; i < 40; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "mov r0, v0.%c%c%cx\n", c[i & 3], c[i >> 2 & 3],
			      c[i >> 4]);
	snprintf(text + n, sizeof text - (size_t)n, "mad r0, v0, v0, v0\n");
	struct shader s = assemble(&a, text);
	assert_int_equal(s.ndesc, 41);
	assert_int_equal(s.code[40] & 31, 0);
	assert_int_equal(s.desc[0], 0x0d86c36f);
	assert_int_equal(s.code[0] & 127, 1);
	arena_free(&a);
}

/* ---- the reference's answers ---- */

/* The 8-digit words of a verdict, in order; words behind "desc" are descriptors. A verdict may stop short of the
 * program's end. */
static void words_of(const char *verdict, uint32_t *code, unsigned *ncode, uint32_t *desc, unsigned *ndesc)
{
	bool in_desc = false;

	*ncode = *ndesc = 0;
	for (const char *p = verdict; *p; ) {
		size_t n = strspn(p, "0123456789abcdef");
		in_desc |= strncmp(p, "desc ", 5) == 0;
		if (n == 8 && !in_desc)
			code[(*ncode)++] = (uint32_t)strtoul(p, NULL, 16);
		else if (n == 8)
			desc[(*ndesc)++] = (uint32_t)strtoul(p, NULL, 16);
		p += n ? n : 1;
	}
}

static unsigned json_words(const json_t *list, uint32_t *words)
{
	unsigned n = (unsigned)json_array_size(list);

	for (unsigned i = 0; i < n; i++)
		words[i] = (uint32_t)strtoul(json_string_value(json_array_get(list, i)), NULL, 16);
	return n;
}

static bool begins(const uint32_t *a, unsigned n, const uint32_t *b, unsigned m)
{
	return n >= m && memcmp(a, b, m * sizeof *a) == 0;
}

/* Does our answer to a probe agree with the verdict? */
static bool verdict_holds(const json_t *probe, const char *verdict)
{
	const char *text = json_string_value(json_object_get(probe, "source"));
	struct nihstro_options o = { .geometry = json_array_size(json_object_get(probe, "args")) > 0 };
	uint32_t code[16], desc[16];
	unsigned ncode, ndesc;
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct shader s;
	bool ok = nihstro_assemble(&s, &a, text, strlen(text), &o, &d), holds;
	bool refuse = strncmp(verdict, "error", 5) == 0 || strstr(verdict, ": error") || strstr(verdict, "must fail") ||
		      strstr(verdict, "must be an error");
	bool either = strstr(verdict, "or error") || strstr(verdict, "or an error") || strstr(verdict, "Error, or") ||
		      strstr(verdict, "or accept") || strstr(verdict, "is fine too");

	words_of(verdict, code, &ncode, desc, &ndesc);
	if (!ncode)
		ncode = json_words(json_object_get(probe, "code"), code);
	if (!ndesc)
		ndesc = json_words(json_object_get(probe, "desc"), desc);
	if (ok)
		holds = (either || !refuse) && begins(s.code, s.ncode, code, ncode) &&
			begins(s.desc, s.ndesc, desc, ndesc);
	else
		holds = either || refuse;
	if (!holds)
		print_error("%s: %s\n  %s\n", json_string_value(json_object_get(probe, "name")), verdict,
			    ok ? "assembled to other words" : d.text);
	arena_free(&a);
	return holds;
}

static void probes(void **state)
{
	json_t *list = shared_json("vectors/pica/nihstro_probes.json.gz"), *probe;
	size_t n, i, failed = 0, seen = 0;
	char *verdicts = shared_bytes("vectors/pica/nihstro_verdicts.tsv", &n);

	assert_true(list && verdicts);
	json_array_foreach(list, i, probe) {
		char key[80];
		snprintf(key, sizeof key, "\n%s\t", json_string_value(json_object_get(probe, "name")));
		char *line = strstr(verdicts, key), *verdict = line ? strchr(line + strlen(key), '\t') : NULL;
		assert_non_null(verdict);
		char *copy = strndup(verdict + 1, strcspn(verdict + 1, "\n"));
		failed += !verdict_holds(probe, copy);
		free(copy);
		seen++;
	}
	assert_int_equal(seen, 124);
	assert_int_equal(failed, 0);
	json_decref(list);
	free(verdicts);
}

/* The two sources beside the reference's binary: the whole file is equal. */
static void corpus(void **state)
{
	static const char *const names[] = { "cube", "cube_lighting" };

	skip_without("pica");
	for (size_t i = 0; i < 2; i++) {
		char path[128];
		size_t n, m, made;
		struct arena a = { 0 };
		uint8_t *bytes;

		snprintf(path, sizeof path, "corpus/pica/nihstro/%s/test.vsh", names[i]);
		char *text = shared_bytes(path, &n);
		assert_non_null(text);
		snprintf(path, sizeof path, "corpus/pica/nihstro/%s/out.shbin", names[i]);
		char *file = shared_bytes(path, &m);
		struct shader s = assemble(&a, text);
		assert_true(shbin_write(&s, &a, &bytes, &made, NULL));
		assert_int_equal(made, m);
		assert_memory_equal(bytes, file, m);
		free(text);
		free(file);
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constructs),
		cmocka_unit_test(restrictions),
		cmocka_unit_test(errors_name_the_included_file),
		cmocka_unit_test(declarations_reach_the_tables),
		cmocka_unit_test(mad_descriptors_come_first),
		cmocka_unit_test(probes),
		cmocka_unit_test(corpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
