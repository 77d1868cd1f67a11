/* Vectors of shaders: unit tests, random programs, runs of whole shaders and of geometry shaders, as JSON. Registers
 * are loaded directly; NaNs compare as a class. */
#include "bench/laboratory/vectors.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4096, INPUTS = 64 };

static uint32_t hex(const json_t *j)
{
	return json_is_string(j) ? (uint32_t)strtoul(json_string_value(j), NULL, 16) : 0;
}

static double number(const json_t *j)
{
	return json_is_string(j) ? strtod(json_string_value(j), NULL) : json_number_value(j);
}

static float as_float(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, 4);
	return f;
}

static bool same(uint32_t a, uint32_t b)
{
	return a == b || (isnan(as_float(a)) && isnan(as_float(b)));
}

/* ---- the words of a case as a shader file: one header for all, one for the entry point, words, descriptors ---- */

struct file {
	uint32_t word[WORDS + 1024];
	size_t n;
};

static size_t put_words(struct file *f, const json_t *list, bool pairs)
{
	size_t i;
	json_t *w;
	json_array_foreach((json_t *)list, i, w)
	{
		if (f->n + 2 > sizeof f->word / sizeof *f->word)
			break;
		f->word[f->n++] = hex(w);
		if (pairs)
			f->word[f->n++] = 0;
	}
	return json_array_size(list);
}

static void write_file(struct file *f, const json_t *c, bool geometry)
{
	enum {
		DVLB = 0x424c5644,
		DVLP = 0x504c5644,
		DVLE = 0x454c5644,
		PROGRAM = 3,
		ENTRY = PROGRAM + 7,
		CODE = ENTRY + 16
	};
	memset(f, 0, sizeof *f);
	f->word[0] = DVLB;
	f->word[1] = 1;
	f->word[2] = 4 * ENTRY;
	f->word[PROGRAM] = DVLP;
	f->word[ENTRY] = DVLE;
	f->word[ENTRY + 1] = geometry ? 1u << 16 : 0;
	f->word[ENTRY + 2] = (uint32_t)json_integer_value(json_object_get(c, "entry"));
	f->n = CODE;
	f->word[PROGRAM + 2] = 4 * (CODE - PROGRAM);
	f->word[PROGRAM + 3] = (uint32_t)put_words(f, json_object_get(c, "code"), false);
	f->word[PROGRAM + 4] = 4 * (uint32_t)(f->n - PROGRAM);
	f->word[PROGRAM + 5] = (uint32_t)put_words(f, json_object_get(c, "desc"), true);
}

/* ---- running ---- */

struct shader_run {
	struct tally *t;
	struct wb_config *config;
	struct wb_program *program;
	struct wb_launch *launch;
	char why[500];
};

static void set(struct shader_run *r, const char *fmt, const char *reg, const json_t *v)
{
	char text[120];
	struct wb_diag d;
	if (json_is_string(json_array_get(v, 0)))
		snprintf(text, sizeof text, fmt, reg, hex(json_array_get(v, 0)), hex(json_array_get(v, 1)),
			 hex(json_array_get(v, 2)), hex(json_array_get(v, 3)));
	else
		snprintf(text, sizeof text, fmt, reg, (uint32_t)json_integer_value(json_array_get(v, 0)),
			 (uint32_t)json_integer_value(json_array_get(v, 1)),
			 (uint32_t)json_integer_value(json_array_get(v, 2)),
			 (uint32_t)json_integer_value(json_array_get(v, 3)));
	wb_config_set(r->config, "uniform", text, &d);
}

static void set_uniforms(struct shader_run *r, const json_t *floats, const json_t *ints, const json_t *bools)
{
	const char *key;
	json_t *v;
	struct wb_diag d;
	json_object_foreach((json_t *)floats, key, v) set(r, "c%s=0x%08x,0x%08x,0x%08x,0x%08x", key, v);
	json_object_foreach((json_t *)ints, key, v) set(r, "i%s=%u,%u,%u,%u", key, v);
	for (unsigned b = 0; b < 16; b++) {
		char text[24];
		snprintf(text, sizeof text, "b%u=%s", b, hex(bools) >> b & 1 ? "true" : "false");
		wb_config_set(r->config, "uniform", text, &d);
	}
}

static void read_inputs(const json_t *inputs, uint32_t *words)
{
	const char *key;
	json_t *v;
	json_object_foreach((json_t *)inputs, key, v)
	{
		for (size_t k = 0; k < 4 && atoi(key) < 16; k++)
			words[4 * atoi(key) + (int)k] = hex(json_array_get(v, k));
	}
}

/* Run a case for the given vertices. False: r->why says why. */
static bool run_case(struct shader_run *r, const json_t *c, bool geometry, const uint32_t *inputs, uint32_t vertices)
{
	static const char *const settings[][2] = {{"format", "shbin"}, {"timing", "off"}, {"max-insns", "1000000"}};
	struct file *f = grow(NULL, sizeof *f);
	struct wb_diag d = {0};
	for (size_t i = 0; i < 3; i++)
		wb_config_set(r->config, settings[i][0], settings[i][1], &d);
	write_file(f, c, geometry);
	bool good = wb_program_load(f->word, 4 * f->n, r->t->path, r->config, &r->program, &d) == WB_OK &&
		    wb_launch_new(r->program, NULL, r->config, &r->launch, &d) == WB_OK &&
		    wb_launch_vertices(r->launch, inputs, vertices, &d) == WB_OK &&
		    wb_launch_run(r->launch, &d) == WB_OK;
	if (!good)
		snprintf(r->why, sizeof r->why, "%s", d.text);
	free(f);
	return good;
}

static struct shader_run begin(struct tally *t)
{
	return (struct shader_run){.t = t, .config = wb_config_copy(t->cli->config)};
}

static void end(struct shader_run *r, enum gate gate, bool good, const char *name, size_t index)
{
	if (good)
		tally_pass(r->t, gate);
	else
		tally_mismatch(r->t, gate, 0, "%zu (%s): %s", index, name ? name : "", r->why);
	wb_launch_free(r->launch);
	wb_program_free(r->program);
	wb_config_free(r->config);
}

static uint32_t reg(const struct shader_run *r, const char *name, unsigned lane)
{
	uint32_t value[WB_LANES] = {0};
	wb_launch_read_register(r->launch, 0, 0, name, value, NULL);
	return value[lane];
}

/* ---- unit tests ---- */

static bool matches(uint32_t got, const json_t *e)
{
	const json_t *v;
	if (json_object_get(e, "nan"))
		return isnan(as_float(got));
	if ((v = json_object_get(e, "bits")))
		return same(got, hex(v));
	if ((v = json_object_get(e, "eq")))
		return as_float(got) == (float)number(v);
	double a = number(json_object_get(e, "approx")), eps = number(json_object_get(e, "eps"));
	return fabs(as_float(got) - a) <= fmax(number(json_object_get(e, "margin")), eps * fabs(a));
}

static bool vertices_match(struct shader_run *r, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const struct wb_primitive *p = wb_launch_primitive(r->launch, i / 3);
		for (size_t k = 0; k < 4; k++)
			if (!p || as_float(p->vertices[i % 3 * wb_launch_out_words(r->launch) + k]) !=
					  (float)number(json_array_get(json_array_get(list, i), k)))
				return false;
	}
	return !wb_launch_primitive(r->launch, json_array_size(list) / 3);
}

static bool expectation(struct shader_run *r, const char *key, const json_t *e)
{
	const char *component = strchr("xyzw", key[strlen(key) - 1]);
	char name[16];
	if (!strcmp(key, "vtx"))
		return vertices_match(r, e);
	if (!strcmp(key, "aL"))
		return reg(r, "aL", 0) == (uint32_t)json_integer_value(e);
	if (!component)
		return false;
	snprintf(name, sizeof name, "%c%d.%c", key[0], atoi(key + 1), *component);
	return matches(reg(r, name, 0), e);
}

static bool unit_holds(struct shader_run *r, const json_t *t)
{
	static const char *const state[] = {"vertex_id", "prim_emit", "winding"};
	static const char *const emits[] = {"emit.vertex", "emit.primitive", "emit.winding"};
	const json_t *emit = json_object_get(t, "expect_emit_state");
	const char *key;
	json_t *e;
	json_object_foreach(json_object_get(t, "expect"), key, e)
	{
		if (expectation(r, key, e))
			continue;
		snprintf(r->why, sizeof r->why, "%s is not as expected", key);
		return false;
	}
	for (unsigned i = 0; emit && i < 3; i++) {
		if (reg(r, emits[i], 0) == (uint32_t)json_integer_value(json_object_get(emit, state[i])))
			continue;
		snprintf(r->why, sizeof r->why, "%s is not as expected", state[i]);
		return false;
	}
	return true;
}

static void run_unit(struct tally *t, const json_t *c, size_t index)
{
	const json_t *uniforms = json_object_get(c, "uniforms");
	const char *stage = json_string_value(json_object_get(c, "stage")),
		   *hw = json_string_value(json_object_get(c, "hw"));
	bool doubtful = (hw && !strcmp(hw, "DOUBTFUL")) || json_is_false(json_object_get(c, "f24_representable"));
	uint32_t inputs[INPUTS] = {0};
	if (json_object_get(c, "skip")) {
		t->skipped++;
		return;
	}
	struct shader_run r = begin(t);
	set_uniforms(&r, json_object_get(uniforms, "f"), json_object_get(uniforms, "i"),
		     json_object_get(uniforms, "b"));
	read_inputs(json_object_get(c, "inputs"), inputs);
	bool good = run_case(&r, c, stage && !strcmp(stage, "gs"), inputs, 1) && unit_holds(&r, c);
	end(&r, doubtful ? DOUBTFUL : GATED, good, json_string_value(json_object_get(c, "id")), index);
}

/* ---- oracles ---- */

/* Which oracle a way of rounding answers to; of two, only where they agree. */
static void oracles(const struct tally *t, const char **first, const char **second)
{
	const char *f24 = wb_config_get(t->cli->config, "f24");
	*second = !strcmp(f24, "off") ? "panda" : NULL;
	*first = !strcmp(f24, "off") ? "azahar" : !strcmp(f24, "rne") ? "azahar_f24rne" : "azahar_f24trunc";
}

/* Outputs are those of a vertex, wherever it ran; other registers are left in the first warp. */
static uint32_t left_behind(const struct shader_run *r, const char *name, unsigned k, uint32_t vertex)
{
	int n = atoi(name + 1);
	char part[16];
	if (name[0] == 'o')
		return wb_launch_output(r->launch, vertex)[4 * (unsigned)n + k];
	snprintf(part, sizeof part, "%c%d.%c", name[0], n, "xyzw"[k]);
	return reg(r, part, vertex);
}

static bool outputs_equal(struct shader_run *r, uint32_t vertex, const json_t *out, const json_t *other)
{
	const char *key;
	json_t *v;
	json_object_foreach((json_t *)out, key, v)
	{
		for (unsigned k = 0; k < 4; k++) {
			uint32_t want = hex(json_array_get(v, k)), got = left_behind(r, key, k, vertex);
			if (same(got, want))
				continue;
			if (other && !same(want, hex(json_array_get(json_object_get(other, key), k))))
				continue;
			snprintf(r->why, sizeof r->why, "vertex %u %s.%c: expected %08" PRIx32 ", got %08" PRIx32,
				 vertex, key, "xyzw"[k], want, got);
			return false;
		}
	}
	return true;
}

static void run_random(struct tally *t, const json_t *c, size_t index)
{
	const json_t *out = json_object_get(c, "out");
	const char *first, *second;
	uint32_t inputs[INPUTS] = {0};
	struct shader_run r = begin(t);
	oracles(t, &first, &second);
	set_uniforms(&r, json_object_get(c, "floats"), NULL, NULL);
	read_inputs(json_object_get(c, "inputs"), inputs);
	bool good = run_case(&r, c, false, inputs, 1) &&
		    outputs_equal(&r, 0, json_object_get(out, first), second ? json_object_get(out, second) : NULL);
	end(&r, GATED, good, "random", index);
}

static void run_corpus(struct tally *t, const json_t *c, size_t index)
{
	const json_t *vertices = json_object_get(c, "vertices"), *out = json_object_get(c, "outputs");
	const char *first, *second;
	uint32_t n = (uint32_t)json_array_size(vertices), *inputs = grow(NULL, (n + 1) * INPUTS * sizeof *inputs);
	struct shader_run r = begin(t);
	memset(inputs, 0, n * INPUTS * sizeof *inputs);
	oracles(t, &first, &second);
	set_uniforms(&r, json_object_get(c, "floats"), json_object_get(c, "ints"), json_object_get(c, "bool"));
	for (uint32_t i = 0; i < n; i++)
		read_inputs(json_array_get(vertices, i), inputs + INPUTS * i);
	bool good = run_case(&r, c, false, inputs, n);
	for (uint32_t i = 0; i < n && good; i++)
		good = outputs_equal(&r, i, json_array_get(json_object_get(out, first), i),
				     second ? json_array_get(json_object_get(out, second), i) : NULL);
	end(&r, GATED, good, json_string_value(json_object_get(c, "shbin")), index);
	free(inputs);
}

/* ---- geometry ---- */

static bool line_is(struct shader_run *r, const json_t *lines, size_t *at, const char *got)
{
	const char *want = json_string_value(json_array_get(lines, (*at)++));
	if (want && !strcmp(want, got))
		return true;
	snprintf(r->why, sizeof r->why, "line %zu: expected %.200s, got %.200s", *at, want ? want : "nothing", got);
	return false;
}

static bool primitives_equal(struct shader_run *r, const json_t *lines, uint32_t mask)
{
	const struct wb_primitive *p;
	unsigned words = wb_launch_out_words(r->launch);
	size_t at = 0;
	for (size_t i = 0; (p = wb_launch_primitive(r->launch, i)); i++) {
		if (p->winding && !line_is(r, lines, &at, "winding"))
			return false;
		for (unsigned v = 0; v < 3; v++) {
			char line[1024];
			int n = snprintf(line, sizeof line, "vtx");
			for (unsigned k = 0; k < words; k++)
				if (mask >> (k / 4) & 1)
					n += snprintf(line + n, sizeof line - (size_t)n, " %08" PRIx32,
						      p->vertices[v * words + k]);
			if (!line_is(r, lines, &at, line))
				return false;
		}
	}
	return at == json_array_size(lines) || line_is(r, lines, &at, "nothing");
}

static void run_geometry(struct tally *t, const json_t *c, size_t index)
{
	const char *first, *second;
	uint32_t inputs[INPUTS] = {0};
	struct shader_run r = begin(t);
	oracles(t, &first, &second);
	set_uniforms(&r, json_object_get(c, "floats"), json_object_get(c, "ints"), json_object_get(c, "bool"));
	read_inputs(json_object_get(c, "inputs"), inputs);
	bool good = run_case(&r, c, true, inputs, 1) &&
		    primitives_equal(&r, json_object_get(json_object_get(c, "out"), first),
				     hex(json_object_get(json_object_get(c, "header"), "out_mask")));
	end(&r, GATED, good, json_string_value(json_object_get(c, "shbin")), index);
}

/* ---- files ---- */

static bool recognise(const char *text, size_t n)
{
	(void)n;
	return (*text == '{' || *text == '[') && strstr(text, "\"code\"") && strstr(text, "\"desc\"") &&
	       (strstr(text, "\"inputs\"") || strstr(text, "\"vertices\""));
}

static enum wb_status run(struct tally *t, char *text, size_t n)
{
	static const struct {
		const char *key;
		void (*run)(struct tally *t, const json_t *c, size_t index);
	} families[] = {{"tests", run_unit}, {"programs", run_random}, {"runs", run_corpus}};
	json_error_t error;
	json_t *document = json_loadb(text, n, 0, &error), *c;
	const json_t *list = json_is_array(document) ? document : NULL;
	void (*one)(struct tally *, const json_t *, size_t) = run_geometry;
	size_t i;
	if (!document)
		return complain(WB_INPUT, "%s:%d:%d: %s", t->path, error.line, error.column, error.text);
	for (size_t k = 0; !list && k < sizeof families / sizeof *families; k++) {
		list = json_object_get(document, families[k].key);
		one = families[k].run;
	}
	json_array_foreach((json_t *)list, i, c)
	{
		one(t, c, i);
		vectors_progress(t, "cases", i + 1, json_array_size(list));
	}
	json_decref(document);
	return list ? WB_OK : complain(WB_INPUT, "%s: expected a list of tests, programs or runs", t->path);
}

const struct vectors_format vectors_shader = {"shaders", recognise, run};
