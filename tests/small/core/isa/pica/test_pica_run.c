/* Shaders run: the vectors of ../shared and rules of the control flow. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "core/base/diag.h"
#include "core/base/rng.h"
#include "core/image.h"
#include "tests/kit/pica_unit.h"
#include "tests/kit/shared_json.h"

enum { STEPS = 100000, MAX_WORDS = 4096 };

static unsigned level;          /* enum simd_level that the tests run at */

static uint32_t hex(const json_t *j)
{
	return (uint32_t)strtoul(json_string_value(j), NULL, 16);
}

static uint32_t hex_words(const json_t *list, uint32_t *out)
{
	uint32_t n = (uint32_t)json_array_size(list);

	for (uint32_t i = 0; i < n; i++)
		out[i] = hex(json_array_get(list, i));
	return n;
}

static void open_case(struct unit *u, const json_t *c, uint32_t mode, enum f24_mode rounding)
{
	static uint32_t code[MAX_WORDS], desc[256];
	uint32_t ncode = hex_words(json_object_get(c, "code"), code);
	uint32_t ndesc = hex_words(json_object_get(c, "desc"), desc);

	unit_open(u, code, ncode, desc, ndesc, mode, rounding, level);
}

static void set_floats(struct unit *u, const json_t *floats)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)floats, key, value)
		for (unsigned k = 0; k < 4; k++)
			pica_uniform_float(u->uniforms, (unsigned)atoi(key), k, hex(json_array_get(value, k)));
}

static void set_ints(struct unit *u, const json_t *ints)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)ints, key, value)
		for (unsigned k = 0; k < 4; k++)
			u->uniforms->i[atoi(key)][k] = (uint8_t)json_integer_value(json_array_get(value, k));
}

static void set_inputs(struct unit *u, const json_t *inputs, unsigned lane)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)inputs, key, value)
		for (unsigned k = 0; k < 4; k++)
			*unit_reg(u, "v", (unsigned)atoi(key), k, lane) = hex(json_array_get(value, k));
}

/* Hear of primitives; inputs are set already. */
static void listen(struct unit *u, void (*primitive)(void *, uint32_t, bool, const uint32_t *), void *context)
{
	u->stream = (struct stream){ .threads = 1, .primitive = primitive, .context = context };
	u->program.stream = &u->stream;
}

static bool is_nan(uint32_t x)
{
	return f24_mag(x) > (int32_t)F24_INF;
}

static bool same(uint32_t a, uint32_t b)
{
	return a == b || (is_nan(a) && is_nan(b));
}

static double number(const json_t *j)
{
	return json_is_string(j) ? strtod(json_string_value(j), NULL) : json_number_value(j);
}

/* One expectation of a unit test: eq, nan, bits or approx. */
static bool meets(uint32_t got, const json_t *e)
{
	const json_t *v;

	if (json_object_get(e, "nan"))
		return is_nan(got);
	if ((v = json_object_get(e, "bits")))
		return same(got, hex(v));
	if ((v = json_object_get(e, "eq")))
		return f32_value(got) == (float)number(v);
	v = json_object_get(e, "approx");
	double a = number(v), eps = number(json_object_get(e, "eps")), margin = number(json_object_get(e, "margin"));
	return fabs(f32_value(got) - a) <= fmax(margin, eps * fabs(a));
}

struct emitted {
	float o0[64][4];
	unsigned n;
};

static void note_primitive(void *context, uint32_t thread, bool winding, const uint32_t *vertices)
{
	struct emitted *e = context;

	for (int v = 0; v < 3; v++, e->n++)
		for (int k = 0; k < 4; k++)
			e->o0[e->n % 64][k] = f32_value(vertices[v * ROWS_VECTORS + k]);
}

static bool vertices_match(const struct emitted *e, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		for (size_t k = 0; k < 4; k++)
			if (e->o0[i][k] != (float)number(json_array_get(json_array_get(list, i), k)))
				return false;
	return e->n == json_array_size(list);
}

static bool unit_passes(struct unit *u, const json_t *t, const struct emitted *e)
{
	const json_t *state = json_object_get(t, "expect_emit_state");
	const char *key;
	json_t *value;
	bool ok = true;

	json_object_foreach(json_object_get(t, "expect"), key, value) {
		if (strcmp(key, "aL") == 0)
			ok &= (int32_t)pica_state(&u->warp)->address[2].lane[0] == json_integer_value(value);
		else if (strcmp(key, "vtx") == 0)
			ok &= vertices_match(e, value);
		else
			ok &= meets(*unit_reg(u, (char[]){ key[0], 0 }, (unsigned)atoi(key + 1),
					      (unsigned)(strchr("xyzw", key[strlen(key) - 1]) - "xyzw"), 0), value);
	}
	if (state) {
		const struct geometry *g = pica_state(&u->warp)->geometry;
		ok &= g->vertex.lane[0] == json_integer_value(json_object_get(state, "vertex_id"));
		ok &= g->prim.lane[0] == json_integer_value(json_object_get(state, "prim_emit"));
		ok &= g->winding.lane[0] == json_integer_value(json_object_get(state, "winding"));
	}
	return ok;
}

static bool run_unit(const json_t *t)
{
	bool gs = strcmp(json_string_value(json_object_get(t, "stage")), "gs") == 0;
	const json_t *uniforms = json_object_get(t, "uniforms");
	struct emitted e = { .n = 0 };
	struct unit u;

	open_case(&u, t, gs ? PICA_GS : PICA_VS, F24_TRUNC);
	set_floats(&u, json_object_get(uniforms, "f"));
	set_ints(&u, json_object_get(uniforms, "i"));
	u.uniforms->b = (uint16_t)hex(json_object_get(uniforms, "b"));
	unit_start(&u, 1, (uint32_t)json_integer_value(json_object_get(t, "entry")));
	set_inputs(&u, json_object_get(t, "inputs"), 0);
	listen(&u, note_primitive, &e);
	bool ok = unit_run(&u, STEPS) == STEP_DONE && unit_passes(&u, t, &e);
	unit_close(&u);
	return ok;
}

static json_t *vectors_of(const char *file)
{
	json_t *j = shared_json(file);

	assert_non_null(j);
	return j;
}

static void units(void **state)
{
	json_t *all = vectors_of("vectors/pica/units.json.gz"), *t;
	size_t i, failed = 0, skipped = 0;

	json_array_foreach(json_object_get(all, "tests"), i, t) {
		if (json_object_get(t, "skip")) {
			skipped++;
		} else if (!run_unit(t)) {
			print_error("%s\n", json_string_value(json_object_get(t, "id")));
			failed++;
		}
	}
	assert_int_equal(failed, 0);
	assert_true(i == 256 && skipped == 7);
	json_decref(all);
}

/* Compare o and r registers of a lane with an oracle's; with `other`, only where the two oracles agree. */
static unsigned differences(struct unit *u, unsigned lane, const json_t *out, const json_t *other)
{
	const char *key;
	json_t *value;
	unsigned n = 0;

	json_object_foreach((json_t *)out, key, value) {
		for (unsigned k = 0; k < 4; k++) {
			uint32_t want = hex(json_array_get(value, k));
			if (other && !same(want, hex(json_array_get(json_object_get(other, key), k))))
				continue;
			n += !same(*unit_reg(u, (char[]){ key[0], 0 }, (unsigned)atoi(key + 1), k, lane), want);
		}
	}
	return n;
}

static const struct { enum f24_mode mode; const char *oracle, *other; } oracles[] = {
	{ F24_TRUNC, "azahar_f24trunc", NULL }, { F24_RNE, "azahar_f24rne", NULL }, { F24_OFF, "azahar", "panda" },
};

static unsigned run_random(const json_t *p, unsigned o)
{
	const json_t *out = json_object_get(p, "out");
	const json_t *other = oracles[o].other ? json_object_get(out, oracles[o].other) : NULL;
	struct unit u;
	unsigned n;

	open_case(&u, p, PICA_VS, oracles[o].mode);
	set_floats(&u, json_object_get(p, "floats"));
	unit_start(&u, 1, 0);
	set_inputs(&u, json_object_get(p, "inputs"), 0);
	n = unit_run(&u, STEPS) != STEP_DONE;
	n += differences(&u, 0, json_object_get(out, oracles[o].oracle), other);
	if (n)
		print_error("random %lld, %s\n", json_integer_value(json_object_get(p, "id")), oracles[o].oracle);
	unit_close(&u);
	return n;
}

static void random_programs(void **state)
{
	json_t *all = vectors_of("vectors/pica/random.json.gz"), *p;
	unsigned failed = 0;
	size_t i;

	json_array_foreach(json_object_get(all, "programs"), i, p)
		for (unsigned o = 0; o < 3; o++)
			failed += run_random(p, o) != 0;
	assert_int_equal(failed, 0);
	json_decref(all);
}

static void open_corpus(struct unit *u, const json_t *run, uint32_t mode, enum f24_mode rounding)
{
	open_case(u, run, mode, rounding);
	set_floats(u, json_object_get(run, "floats"));
	set_ints(u, json_object_get(run, "ints"));
	u->uniforms->b = (uint16_t)hex(json_object_get(run, "bool"));
}

/* All eight vertices as lanes of one warp. */
static unsigned run_corpus(const json_t *run, unsigned o)
{
	const json_t *vertices = json_object_get(run, "vertices"), *outputs = json_object_get(run, "outputs");
	const json_t *other = oracles[o].other ? json_object_get(outputs, oracles[o].other) : NULL;
	unsigned n, lanes = (unsigned)json_array_size(vertices);
	struct unit u;

	open_corpus(&u, run, PICA_VS, oracles[o].mode);
	unit_start(&u, (int)lanes, (uint32_t)json_integer_value(json_object_get(run, "entry")));
	for (unsigned l = 0; l < lanes; l++)
		set_inputs(&u, json_array_get(vertices, l), l);
	n = unit_run(&u, STEPS) != STEP_DONE;
	for (unsigned l = 0; l < lanes; l++)
		n += differences(&u, l, json_array_get(json_object_get(outputs, oracles[o].oracle), l),
				 json_array_get(other, l));
	if (n)
		print_error("%s, %s: %u\n", json_string_value(json_object_get(run, "shbin")), oracles[o].oracle, n);
	unit_close(&u);
	return n;
}

static void corpus_runs(void **state)
{
	json_t *all = vectors_of("vectors/pica/corpus_runs.json.gz"), *run;
	unsigned failed = 0;
	size_t i;

	json_array_foreach(json_object_get(all, "runs"), i, run)
		for (unsigned o = 0; o < 3; o++)
			failed += run_corpus(run, o) != 0;
	assert_int_equal(failed, 0);
	json_decref(all);
}

/* The lines of a geometry run, as the file writes them. */
struct lines {
	const json_t *expected;
	size_t n;
	unsigned outputs, differ;
};

static void next_line(struct lines *s, const char *got)
{
	const json_t *want = json_array_get(s->expected, s->n++);

	s->differ += !want || strcmp(json_string_value(want), got) != 0;
}

static void write_primitive(void *context, uint32_t thread, bool winding, const uint32_t *vertices)
{
	struct lines *s = context;
	char line[1024];

	if (winding)
		next_line(s, "winding");
	for (int v = 0; v < 3; v++) {
		int n = snprintf(line, sizeof line, "vtx");
		for (int i = 0; i < ROWS_VECTORS; i++, vertices++)
			if (s->outputs >> (i / 4) & 1)
				n += snprintf(line + n, sizeof line - (size_t)n, " %08x", *vertices);
		next_line(s, line);
	}
}

static void geometry_runs(void **state)
{
	json_t *all = vectors_of("vectors/pica/gs_runs.json.gz"), *run;
	size_t i;

	json_array_foreach(all, i, run) {
		struct lines s = { .expected = json_object_get(json_object_get(run, "out"), "azahar_f24trunc") };
		struct unit u;

		s.outputs = hex(json_object_get(json_object_get(run, "header"), "out_mask"));
		open_corpus(&u, run, PICA_GS, F24_TRUNC);
		unit_start(&u, 1, (uint32_t)json_integer_value(json_object_get(run, "entry")));
		set_inputs(&u, json_object_get(run, "inputs"), 0);
		listen(&u, write_primitive, &s);
		assert_int_equal(unit_run(&u, STEPS), STEP_DONE);
		assert_int_equal(s.differ, 0);
		assert_int_equal(s.n, json_array_size(s.expected));
		unit_close(&u);
	}
	json_decref(all);
}

/* A file may give a uniform a range from i to b, between which numbers stand for no register. */
static void no_values_between_register_files(void **state)
{
	struct shader_uniform range = { "n", UNIFORM_I, UNIFORM_B };
	struct shader_entry e = { .nuniforms = 1, .uniform = &range };
	struct image_kernel k = { .entry_point = &e };
	static struct pica_uniforms u;
	struct program p = { .uniforms = &u };
	struct diag d = { 0 };

	(void)state;
	pica_uniforms_clear(&u);
	assert_true(pica_uniform(&p, &k, "n=1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4", &d));
	assert_int_equal(u.i[3][3], 4);
	assert_int_equal(u.b, 0);
	assert_false(pica_uniform(&p, &k, "n=1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5", &d));
	assert_int_equal(u.b, 0);
	assert_int_equal(u.reads, 0xffff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_values_between_register_files),
		cmocka_unit_test(units),
		cmocka_unit_test(random_programs),
		cmocka_unit_test(corpus_runs),
		cmocka_unit_test(geometry_runs),
	};

	int failed = 0;

	for (level = SIMD_BASE; level < SIMD_LEVELS; level++)
		failed += host_has(level) ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
	return failed;
}
