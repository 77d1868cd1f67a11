/* The texture unit by itself: a table measured on hardware, and results against a reference of our own in binary64. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem/texture.h"
#include "core/base/rng.h"
#include "tests/kit/cmocka_all.h"
#include "tests/kit/texture_reference.h"

enum { LANES_HERE = 32 };

static uint32_t word(float v)
{
	uint32_t w;

	memcpy(&w, &v, 4);
	return w;
}

static float number(uint32_t w)
{
	float v;

	memcpy(&v, &w, 4);
	return v;
}

static struct texture packed(unsigned type, const char *format, uint32_t width, uint32_t height, uint32_t depth,
			     uint32_t layers, unsigned levels, const void *bytes)
{
	struct texture_named_format f;
	struct texture t = { .type = (uint8_t)type, .levels = (uint8_t)levels, .layers = layers, .normalised = true,
			     .bytes = bytes, .level = { { .width = width, .height = height, .depth = depth } } };

	assert_true(texture_format_named(format, &f));
	t.format = f.format;
	t.depth = f.depth;
	memcpy(t.texel_type, f.texel_type, sizeof t.texel_type);
	memcpy(t.source, f.source, sizeof t.source);
	texture_pack(&t);
	assert_true(texture_ready(&t));
	return t;
}

/* Measured on a GPU (forums.developer.nvidia.com/t/tex1d-accuracy/6801): linear filter of the texels 1 and 2, clamped,
 * coordinates 0, 0.05 … 0.95. */
static void test_measured_line(void **state)
{
	static const float texels[2] = { 1, 2 };
	static const float expect[20] = {
		1, 1, 1, 1, 1, 1, 1.1015625f, 1.19921875f, 1.30078125f, 1.3984375f, 1.5f, 1.6015625f, 1.69921875f,
		1.80078125f, 1.8984375f, 2, 2, 2, 2, 2,
	};
	struct texture t = packed(TEXTURE_1D, "r32_float", 2, 1, 1, 1, 1, texels);
	struct sampler s = texture_default_sampler;
	struct texture_rules rules = TEXTURE_RULES;
	uint32_t u[LANES_HERE], words[4][LANES_HERE], *out[4] = { words[0], words[1], words[2], words[3] };
	struct texture_request r = { .op = TEXTURE_SAMPLE, .inputs = 1, .in = { u }, .lanes = LANES_HERE,
				     .on = lanes_first(20) };
	struct texture_fault fault;

	s.mag_linear = s.min_linear = true;
	memset(s.wrap, WRAP_CLAMP, sizeof s.wrap);
	for (int i = 0; i < LANES_HERE; i++)
		u[i] = word((float)(i * 0.05));
	assert_int_equal(texture_request(&t, &s, &rules, &r, out, NULL, &fault), TEXTURE_OK);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(words[0][i], word(expect[i]));
		assert_int_equal(words[1][i], 0);
		assert_int_equal(words[3][i], word(1));
	}
	rules.exact_weights = true;
	assert_int_equal(texture_request(&t, &s, &rules, &r, out, NULL, &fault), TEXTURE_OK);
	assert_true(fabs((double)number(words[0][6]) - 1.1) < 1e-6 && words[0][6] != word(expect[6]));
}

/* ---- one request ---- */

struct answer {
	uint32_t word[4][LANES_HERE];
	enum texture_status status;
	struct texture_fault fault;
};

static struct answer ask(const struct texture *t, const struct sampler *s, const struct texture_rules *rules,
			 enum texture_op op, bool cube, unsigned inputs, uint32_t in[4][LANES_HERE])
{
	struct answer a;
	uint32_t *out[4] = { a.word[0], a.word[1], a.word[2], a.word[3] };
	struct texture_request r = { .op = op, .cube = cube, .derivatives = true, .inputs = inputs,
				     .in = { in[0], in[1], in[2], in[3] }, .lanes = LANES_HERE, .on = lanes_first(32) };

	memset(a.word, 0xee, sizeof a.word);
	a.status = texture_request(t, s, rules, &r, out, NULL, &a.fault);
	return a;
}

static void fill_random(uint8_t *p, size_t n, uint64_t *seed)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)rng_below(seed, 256);
}

/* ---- every wrap, filter and format ---- */

enum { W = 5, H = 3, BLOCKS = 2, BYTES_MOST = W * H * 16 };
static const double border_colour[4] = { 0.25, 0.5, 0.75, 2 };

/* Floats of moderate size: sums should lose nothing. */
static void tame(const struct reference_format *f, const char *type, uint8_t *p)
{
	for (int i = 0; i < W * H * f->bytes / 4 && f->bits[0] == 32 && !strcmp(type, "float"); i++) {
		float v = (float)(p[4 * i] - 128) / 16;
		memcpy(p + 4 * i, &v, 4);
	}
}

static void reference_at(const struct reference_format *f, const char *type, const uint8_t *bytes, int x, int y,
			 double out[4])
{
	bool blocks = reference_in_blocks(f->name), depth = !strcmp(f->sources, "rrr1");

	if (x == REFERENCE_BORDER || y == REFERENCE_BORDER) {
		for (int c = 0; c < 4; c++)
			out[c] = strstr(type, "int") ? c + 7 : border_colour[depth ? 0 : c];
		return;
	}
	reference_texel(f, type, bytes + (blocks ? (y / 4 * BLOCKS + x / 4) * f->bytes : (y * W + x) * f->bytes),
			y % 4 * 4 + x % 4, false, out);
}

static void expect_lane(const struct reference_format *f, const char *type, const uint8_t *bytes, const int wrap[2],
			bool linear, bool exact, const double uv[2], double out[4])
{
	const int n[2] = { W, H };
	double x[2], weight[2] = { 0 };
	long first[2];

	linear &= !strstr(type, "int");
	for (int c = 0; c < 2; c++) {
		x[c] = reference_clamp(wrap[c], uv[c] * n[c], n[c], linear);
		first[c] = linear ? reference_split(x[c], exact, &weight[c]) : (long)floor(x[c]);
	}
	memset(out, 0, 4 * sizeof *out);
	for (int j = 0; j < 2; j++)
		for (int i = 0; i < 2; i++) {
			double part = (i ? weight[0] : 1 - weight[0]) * (j ? weight[1] : 1 - weight[1]), v[4];
			if (part == 0)
				continue;
			reference_at(f, type, bytes, reference_wrap(wrap[0], first[0] + i, W),
				     reference_wrap(wrap[1], first[1] + j, H), v);
			for (int c = 0; c < 4; c++)
				out[c] += part * v[c];
		}
}

static void check_word(uint32_t word_, double expect, bool integer, const char *what, int lane)
{
	double found = integer ? (double)word_ : (double)number(word_);

	if (integer ? word_ == (uint32_t)(int64_t)expect :
		      (isnan(expect) ? isnan(found) : found == expect ||
						      fabs(found - expect) <= 1.2e-7 * fmax(1, fabs(expect))))
		return;
	print_message("%s, lane %d: found %.9g, expected %.9g\n", what, lane, found, expect);
	fail();
}

static void check_pair(const struct reference_format *f, const char *type, const int wrap[2], bool linear, bool exact,
		       uint64_t *seed)
{
	char name[32], what[128];
	uint8_t bytes[BYTES_MOST];
	uint32_t in[4][LANES_HERE] = { { 0 } };
	struct texture t;
	struct sampler s = texture_default_sampler;
	struct texture_rules rules = TEXTURE_RULES;
	struct answer a;
	bool integer = strstr(type, "int");

	snprintf(name, sizeof name, "%s_%s", f->name, type);
	snprintf(what, sizeof what, "%s, wrap %d %d, %s", name, wrap[0], wrap[1], linear ? "linear" : "nearest");
	fill_random(bytes, sizeof bytes, seed);
	tame(f, type, bytes);
	t = packed(TEXTURE_2D, name, W, H, 1, 1, 1, bytes);
	s.wrap[0] = (uint8_t)wrap[0];
	s.wrap[1] = (uint8_t)wrap[1];
	s.min_linear = s.mag_linear = linear;
	rules.exact_weights = exact;
	for (int c = 0; c < 4; c++)
		s.border[c] = integer ? (uint32_t)c + 7 : word((float)border_colour[c]);
	for (int i = 0; i < LANES_HERE; i++)
		for (int c = 0; c < 2; c++)
			in[c][i] = word((float)((double)rng_below(seed, 6001) / 1000 - 2.5));
	in[0][0] = word(1);
	in[1][0] = word(0);
	in[0][1] = word(-1);
	in[1][1] = word(2);
	a = ask(&t, &s, &rules, TEXTURE_SAMPLE, false, 2, in);
	assert_int_equal(a.status, TEXTURE_OK);
	for (int i = 0; i < LANES_HERE; i++) {
		double expect[4];
		expect_lane(f, type, bytes, wrap, linear, exact,
			    (double[]){ (double)number(in[0][i]), (double)number(in[1][i]) }, expect);
		for (int c = 0; c < 4; c++)
			check_word(a.word[c][i], expect[c], integer, what, i);
	}
}

static void test_wraps_filters_formats(void **state)
{
	uint64_t seed = 1;

	for (size_t k = 0; k < sizeof reference_formats / sizeof *reference_formats; k++) {
		const struct reference_format *f = &reference_formats[k];
		char types[64], *save = NULL;
		snprintf(types, sizeof types, "%s", f->types);
		for (char *type = strtok_r(types, " ", &save); type; type = strtok_r(NULL, " ", &save))
			for (int wrap = 0; wrap < 8; wrap++)
				for (int linear = 0; linear < 2; linear++) {
					check_pair(f, type, (int[]){ wrap, wrap }, linear, false, &seed);
					check_pair(f, type, (int[]){ wrap, (wrap + 3) % 8 }, linear, linear, &seed);
				}
	}
}

/* The levels of a texture of one layer with four bytes a texel, as laid out in blocks of two tiles. */
static void put_into_blocks(struct texture *t)
{
	t->block_linear = true;
	t->size = 0;
	for (unsigned i = 0; i < t->levels; i++) {
		struct texture_level *l = &t->level[i];
		l->block = block_linear_of(4ull * l->width, l->height, 0, 1, 0);
		l->offset = t->size;
		t->size += block_linear_bytes(&l->block, 1);
	}
}

/* A coordinate, a level or a bias: mostly within the texture or beside, sometimes far off, sometimes not a number. */
static uint32_t coordinate(uint64_t *seed)
{
	static const float odd[] = { 1e30f, -1e30f, 0x1p22f, -0x1p18f, INFINITY, NAN };
	unsigned n = (unsigned)rng_below(seed, 4000);

	return word(n < sizeof odd / sizeof *odd ? odd[n] : (float)n / 1000 - 1);
}

/* Quads of four-byte texels have a path of their own. With layers, faces, blocks, levels, offsets, biases and all wraps
 * the path gives the same words as the general path, and touches the same lines in the same order. */
static void test_bytes_are_as_any(void **state)
{
	enum { SIDE = 32, LINES = 256, TRIALS = 1600, LAYERS = 6 };
	static const struct { unsigned type, dims, layers, levels; bool layered, cube; } kinds[] = {
		{ TEXTURE_2D, 2, 1, 5, false, false }, { TEXTURE_2D_ARRAY, 2, 3, 5, true, false },
		{ TEXTURE_RECT, 2, 1, 1, false, false }, { TEXTURE_CUBE, 3, LAYERS, 5, false, true },
	};
	static uint8_t bytes[LAYERS * 4 * (SIDE * SIDE * 4 / 3 + 4)];
	uint64_t seed = 7;

	fill_random(bytes, sizeof bytes, &seed);
	for (int trial = 0; trial < TRIALS; trial++) {
		unsigned kind = (unsigned)rng_below(&seed, 4), operand = kinds[kind].dims + kinds[kind].layered;
		struct texture any, fast = packed(kinds[kind].type, "rgba8_unorm", SIDE, SIDE, 1, kinds[kind].layers,
						  kinds[kind].levels, bytes);
		struct sampler s = texture_default_sampler;
		struct texture_rules rules = TEXTURE_RULES;
		uint32_t in[4][LANES_HERE], words[2][4][LANES_HERE];
		uint64_t line[2][LINES];
		struct texture_lines lines[2] = { { 0, LINES, line[0] }, { 0, LINES, line[1] } };
		struct texture_request r = { .op = trial & 1 ? TEXTURE_SAMPLE_LOD : TEXTURE_SAMPLE_BIAS,
					     .cube = kinds[kind].cube, .inputs = operand + 1, .lanes = LANES_HERE,
					     .on = rng_below(&seed, 1u << 31) | 1, .derivatives = true };
		struct texture_fault fault;

		fast.normalised = kinds[kind].type != TEXTURE_RECT;
		fast.srgb = rng_below(&seed, 2);
		assert_true(texture_ready(&fast));
		if (kinds[kind].type == TEXTURE_2D && rng_below(&seed, 2))
			put_into_blocks(&fast);
		any = fast;
		any.kind = 0;   /* any fields */
		s.wrap[0] = (uint8_t)rng_below(&seed, 8);
		s.wrap[1] = (uint8_t)rng_below(&seed, 8);
		s.min_linear = s.mag_linear = true;
		s.mip = (uint8_t)(MIP_NONE + rng_below(&seed, 3));
		for (int c = 0; c < 2; c++)
			r.offset[c] = (int8_t)((int)rng_below(&seed, 16) - 8);
		for (int i = 0; i < LANES_HERE; i++) {
			for (unsigned c = 0; c < kinds[kind].dims; c++)
				in[c][i] = coordinate(&seed);
			if (kinds[kind].layered)
				in[2][i] = (uint32_t)rng_below(&seed, 4);
			in[operand][i] = i % 4 && trial % 3 ? in[operand][i - 1] : coordinate(&seed);
		}
		for (unsigned c = 0; c <= operand; c++)
			r.in[c] = in[c];
		memset(words, 0, sizeof words);
		for (int k = 0; k < 2; k++) {
			uint32_t *const out[4] = { words[k][0], words[k][1], words[k][2], words[k][3] };
			assert_int_equal(texture_request(k ? &any : &fast, &s, &rules, &r, out, &lines[k], &fault),
					 TEXTURE_OK);
		}
		assert_memory_equal(words[0], words[1], sizeof words[0]);
		assert_int_equal(lines[0].n, lines[1].n);
		assert_memory_equal(line[0], line[1], lines[0].n * sizeof *line[0]);
	}
}

/* The table of formats has no row that the reference lacks. */
static void test_names(void **state)
{
	struct texture_named_format f;
	unsigned n = 0;

	while (texture_format_name(n))
		n++;
	assert_int_equal(n, sizeof reference_formats / sizeof *reference_formats);
	for (unsigned i = 0; i < n; i++)
		assert_string_equal(texture_format_name(i), reference_formats[i].name);
	assert_false(texture_format_named("rgba8_float", &f));
	assert_false(texture_format_named("rgba8", &f));
	assert_false(texture_format_named("rgba9_unorm", &f));
	assert_false(texture_format_named("", &f));
}

static void test_srgb(void **state)
{
	uint8_t bytes[256 * 4];
	struct texture t;
	struct sampler s = texture_default_sampler;
	struct texture_rules rules = TEXTURE_RULES;
	uint32_t in[4][LANES_HERE] = { { 0 } };

	for (int i = 0; i < 256; i++)
		memset(bytes + 4 * i, i, 4);
	t = packed(TEXTURE_1D, "rgba8_unorm", 256, 1, 1, 1, 1, bytes);
	t.srgb = true;
	assert_true(texture_ready(&t));
	for (int first = 0; first < 256; first += LANES_HERE) {
		struct answer a;
		for (int i = 0; i < LANES_HERE; i++)
			in[0][i] = (uint32_t)(first + i);
		a = ask(&t, &s, &rules, TEXTURE_FETCH, false, 1, in);
		for (int i = 0; i < LANES_HERE; i++) {
			double v = (double)(float)((first + i) / 255.0);
			assert_true(fabs((double)number(a.word[0][i]) - reference_linear(v)) < 1e-7);
			assert_int_equal(a.word[3][i], word((float)v));
		}
	}
	s.srgb = false;
	assert_int_equal(ask(&t, &s, &rules, TEXTURE_FETCH, false, 1, in).word[0][31], word(1));
	assert_int_equal(ask(&t, &s, &rules, TEXTURE_FETCH, false, 1, in).word[0][0], word((float)(224 / 255.0)));
}

/* ---- levels of detail ---- */

enum { SQUARE = 64, SQUARE_LEVELS = 7 };

/* Level k is k everywhere, so that a linear mip filter shows the level of detail. */
static struct texture levels_of_themselves(float *to)
{
	struct texture t = packed(TEXTURE_2D, "r32_float", SQUARE, SQUARE, 1, 1, SQUARE_LEVELS, to);

	for (int level = 0; level < SQUARE_LEVELS; level++) {
		int n = SQUARE >> level;
		for (int i = 0; i < n * n; i++)
			*to++ = (float)level;
	}
	return t;
}

/* u = a X + b Y, v = c X + d Y over each quad. */
static double put_quads(uint32_t in[4][LANES_HERE], uint64_t *seed)
{
	double slope[4], rho;

	for (int k = 0; k < 4; k++)
		slope[k] = (double)(float)((double)rng_below(seed, 4096) / 65536);
	for (int i = 0; i < LANES_HERE; i++) {
		in[0][i] = word((float)(slope[0] * (i & 1) + slope[1] * (i >> 1 & 1)));
		in[1][i] = word((float)(slope[2] * (i & 1) + slope[3] * (i >> 1 & 1)));
	}
	rho = fmax(hypot(slope[0], slope[2]), hypot(slope[1], slope[3])) * SQUARE;
	return log2(rho);
}

static void test_level_of_detail(void **state)
{
	static float texels[SQUARE * SQUARE * 2];
	struct texture t = levels_of_themselves(texels);
	struct sampler s = texture_default_sampler;
	struct texture_rules rules = TEXTURE_RULES;
	uint32_t in[4][LANES_HERE] = { { 0 } };
	uint64_t seed = 2;

	s.mip = MIP_LINEAR;
	for (int n = 0; n < 2000; n++) {
		double lod = put_quads(in, &seed), bias = (double)rng_below(&seed, 1024) / 256 - 2, want, query;
		struct answer a;
		s.lod_bias = (int)rng_below(&seed, 512) - 256;
		s.min_lod = (int)rng_below(&seed, 512);
		s.max_lod = s.min_lod + (int)rng_below(&seed, 2048);
		t.min_lod = (int)rng_below(&seed, 3) * 128;
		for (int i = 0; i < LANES_HERE; i++)
			in[2][i] = word((float)bias);
		lod = floor((lod + s.lod_bias / 256.0 + bias) * 256 + 0.5) / 256;
		want = fmin(fmax(lod, fmax(s.min_lod, t.min_lod) / 256.0), s.max_lod / 256.0);
		want = fmin(fmax(want, 0), SQUARE_LEVELS - 1);
		a = ask(&t, &s, &rules, TEXTURE_SAMPLE_BIAS, false, 3, in);
		assert_true(fabs((double)number(a.word[0][n % 32]) - want) < 1e-6);
		s.mip = MIP_NEAREST;
		a = ask(&t, &s, &rules, TEXTURE_SAMPLE_BIAS, false, 3, in);
		assert_int_equal(a.word[0][5], word((float)(ceil(want + 0.5) - 1)));
		s.mip = MIP_NONE;
		assert_int_equal(ask(&t, &s, &rules, TEXTURE_SAMPLE_BIAS, false, 3, in).word[0][5], word(0));
		s.mip = MIP_LINEAR;
		/* the operand's, and the computed level */
		want = fmin(fmax(bias + s.lod_bias / 256.0, fmax(s.min_lod, t.min_lod) / 256.0), s.max_lod / 256.0);
		want = fmin(fmax(want, 0), SQUARE_LEVELS - 1);
		a = ask(&t, &s, &rules, TEXTURE_SAMPLE_LOD, false, 3, in);
		assert_true(fabs((double)number(a.word[0][9]) - want) < 1e-6);
		query = floor((lod - bias) * 256 + 0.5);
		a = ask(&t, &s, &rules, TEXTURE_QUERY_LOD, false, 2, in);
		if (fabs(lod - bias - query / 256) < 0.4 / 256)
			assert_int_equal((int32_t)a.word[1][0], (int)query);
	}
	rules.lod_query_bits = 6;
	s = texture_default_sampler;
	for (int i = 0; i < LANES_HERE; i++) {
		in[0][i] = word(i & 1 ? 0.0625f : 0);
		in[1][i] = word(0);
	}
	assert_int_equal(ask(&t, &s, &rules, TEXTURE_QUERY_LOD, false, 2, in).word[1][0], 2 * 64);
}

/* Coordinates of inactive lanes count; without derivatives, and with a coordinate that is no number, the level is 0. */
static void test_quads(void **state)
{
	static const float steps[4] = { 0, 0.02f, -0.04f, 0.06f };
	static float texels[SQUARE * SQUARE * 2];
	struct texture t = levels_of_themselves(texels);
	struct sampler s = texture_default_sampler;
	struct texture_rules rules = TEXTURE_RULES;
	uint32_t u[LANES_HERE], v[LANES_HERE] = { 0 }, words[4][LANES_HERE];
	uint32_t *out[4] = { words[0], words[1], words[2], words[3] };
	struct texture_request r = { .op = TEXTURE_SAMPLE, .derivatives = true, .inputs = 2, .in = { u, v },
				     .lanes = LANES_HERE, .on = 1 };
	struct texture_fault fault;

	s.mip = MIP_NEAREST;
	for (int i = 0; i < LANES_HERE; i++)
		u[i] = word((i & 3) == 2 ? 0.125f : 0);
	memset(words, 0xee, sizeof words);
	assert_int_equal(texture_request(&t, &s, &rules, &r, out, NULL, &fault), TEXTURE_OK);
	assert_int_equal(words[0][0], word(3));
	assert_int_equal(words[0][1], 0xeeeeeeee);
	/* of lanes 1 and 2 against lane 0 alone */
	u[2] = 0;
	u[3] = word(0.125f);
	assert_int_equal(texture_request(&t, &s, &rules, &r, out, NULL, &fault), TEXTURE_OK);
	assert_int_equal(words[0][0], word(3));
	t.low_lod_quality = true;
	assert_int_equal(texture_request(&t, &s, &rules, &r, out, NULL, &fault), TEXTURE_OK);
	assert_int_equal(words[0][0], word(0));
	t.low_lod_quality = false;
	/* lane 3 against lane 2 is the longest: 6.4 texels */
	for (int i = 0; i < 4; i++)
		u[i] = word(steps[i]);
	assert_int_equal(texture_request(&t, &s, &rules, &r, out, NULL, &fault), TEXTURE_OK);
	assert_int_equal(words[0][0], word(3));
	u[1] = 0x7fc00000;
	assert_int_equal(texture_request(&t, &s, &rules, &r, out, NULL, &fault), TEXTURE_OK);
	assert_int_equal(words[0][0], word(0));
	u[1] = word(1);
	r.derivatives = false;
	assert_int_equal(texture_request(&t, &s, &rules, &r, out, NULL, &fault), TEXTURE_OK);
	assert_int_equal(words[0][0], word(0));
}

/* ---- types ---- */

static void test_arrays_and_volumes(void **state)
{
	static float texels[4 * 4 * 4];
	struct texture_rules rules = TEXTURE_RULES;
	struct sampler s = texture_default_sampler;
	uint32_t in[4][LANES_HERE] = { { 0 } };
	struct texture t;
	struct answer a;
	uint64_t seed = 3;

	for (int i = 0; i < 64; i++)
		texels[i] = (float)i;
	t = packed(TEXTURE_2D_ARRAY, "r32_float", 4, 4, 1, 4, 1, texels);
	for (int i = 0; i < LANES_HERE; i++) {
		in[0][i] = word((float)((i % 4 + 0.5) / 4));
		in[1][i] = word((float)((i / 4 % 4 + 0.5) / 4));
		in[2][i] = (uint32_t)i / 3;             /* beyond the last layer: the last layer */
	}
	a = ask(&t, &s, &rules, TEXTURE_SAMPLE, false, 3, in);
	for (int i = 0; i < LANES_HERE; i++)
		assert_int_equal(a.word[0][i], word((float)(i % 16 + 16 * (i / 3 < 4 ? i / 3 : 3))));
	t = packed(TEXTURE_1D_ARRAY, "r32_float", 4, 1, 1, 16, 1, texels);
	memcpy(in[1], in[2], sizeof in[1]);
	a = ask(&t, &s, &rules, TEXTURE_SAMPLE, false, 2, in);
	for (int i = 0; i < LANES_HERE; i++) {
		int texel = i % 4 + 4 * (i / 3);
		assert_int_equal(a.word[0][i], word((float)texel));
	}
	/* a volume with its coordinates as texels: the filter gives the coordinate */
	t = packed(TEXTURE_3D, "r32_float", 4, 4, 4, 1, 1, texels);
	s.mag_linear = s.min_linear = true;
	for (int n = 0; n < 100; n++) {
		double want = 0;
		for (int c = 0; c < 3; c++) {
			double x = 0.5 + (double)rng_below(&seed, 768) / 256;
			in[c][0] = word((float)(x / 4));
			want += (x - 0.5) * (1 << 2 * c);
		}
		a = ask(&t, &s, &rules, TEXTURE_SAMPLE, false, 3, in);
		assert_int_equal(a.word[0][0], word((float)want));
	}
}

/* Coordinates in texels, and only the clamping wraps. */
static void test_texel_coordinates(void **state)
{
	static const float texels[6] = { 1, 2, 3, 4, 5, 6 };
	struct texture t = packed(TEXTURE_RECT, "r32_float", 3, 2, 1, 1, 1, texels);
	struct texture_rules rules = TEXTURE_RULES;
	struct sampler s = texture_default_sampler;
	uint32_t in[4][LANES_HERE] = { { 0 } };
	struct answer a;

	t.normalised = false;
	for (int i = 0; i < LANES_HERE; i++) {
		int column = i % 8, row = i / 8;
		in[0][i] = word((float)column - 2.5f);
		in[1][i] = word((float)row);
	}
	a = ask(&t, &s, &rules, TEXTURE_SAMPLE, false, 2, in);
	for (int i = 0; i < LANES_HERE; i++) {
		int x = i % 8 - 3, y = i / 8;
		assert_int_equal(a.word[0][i], word(texels[(y < 1 ? y : 1) * 3 + (x < 0 ? 0 : x < 2 ? x : 2)]));
	}
	s.wrap[0] = WRAP_BORDER;
	assert_int_equal(ask(&t, &s, &rules, TEXTURE_SAMPLE, false, 2, in).word[0][0], 0);
}

static void test_fetch_size_gather(void **state)
{
	static uint32_t texels[8 * 4 + 4 * 2 + 2 + 1];
	static const uint32_t gathered[4] = { 118, 119, 111, 110 };
	struct texture_rules rules = TEXTURE_RULES;
	struct sampler s = texture_default_sampler;
	uint32_t in[4][LANES_HERE] = { { 0 } };
	struct texture t;
	struct answer a;

	for (uint32_t i = 0; i < sizeof texels / 4; i++)
		texels[i] = 100 + i;
	t = packed(TEXTURE_2D, "r32_uint", 8, 4, 1, 1, 4, texels);
	for (int i = 0; i < LANES_HERE; i++) {
		in[0][i] = (uint32_t)(i % 10 - 1);
		in[1][i] = (uint32_t)i / 10;
		in[2][i] = i == 31 ? 4 : i == 30 ? 1 : 0;
	}
	a = ask(&t, &s, &rules, TEXTURE_FETCH, false, 3, in);
	for (int i = 0; i < 30; i++) {
		bool inside = i % 10 >= 1 && i % 10 <= 8;
		assert_int_equal(a.word[0][i], inside ? 100 + i / 10 * 8 + i % 10 - 1 : 0);
		assert_int_equal(a.word[3][i], inside);
	}
	assert_int_equal(a.word[0][30], 0);
	assert_int_equal(a.word[3][31], 0);
	for (uint32_t i = 0; i < LANES_HERE; i++)
		in[0][i] = i;
	a = ask(&t, &s, &rules, TEXTURE_SIZE, false, 1, in);
	assert_int_equal(a.word[0][1], 4);
	assert_int_equal(a.word[1][2], 1);
	assert_int_equal(a.word[2][0], 0);
	assert_int_equal(a.word[3][0], 4);
	assert_int_equal(a.word[0][4], 0);
	assert_int_equal(a.word[3][4], 4);
	for (int i = 0; i < LANES_HERE; i++) {
		in[0][i] = word(3.0f / 8);
		in[1][i] = word(2.0f / 4);
	}
	a = ask(&t, &s, &rules, TEXTURE_GATHER, false, 2, in);
	for (int k = 0; k < 4; k++)
		assert_int_equal(a.word[k][0], gathered[k]);
}

static void test_cubes(void **state)
{
	static float texels[12];
	static const float axis[6][3] = {
		{ 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 },
	};
	/* where s and t grow (OpenGL, table of cube faces) */
	static const float s_axis[6][3] = {
		{ 0, 0, -1 }, { 0, 0, 1 }, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, { -1, 0, 0 },
	};
	static const float t_axis[6][3] = {
		{ 0, -1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 }, { 0, -1, 0 }, { 0, -1, 0 },
	};
	struct texture_rules rules = TEXTURE_RULES;
	struct sampler s = texture_default_sampler;
	struct texture t = packed(TEXTURE_CUBE_ARRAY, "r32_float", 1, 1, 1, 12, 1, texels);
	uint32_t in[4][LANES_HERE] = { { 0 } };
	struct answer a, p;
	double want_s[LANES_HERE], want_t[LANES_HERE];
	uint64_t seed = 4;

	for (int i = 0; i < 12; i++)
		texels[i] = (float)i;
	for (int i = 0; i < LANES_HERE; i++) {
		float ks = (float)rng_below(&seed, 1000) / 501 - 0.99f;
		float kt = (float)rng_below(&seed, 1000) / 501 - 0.99f;
		for (int c = 0; c < 3; c++)
			in[c][i] = word(3 * (axis[i % 6][c] + ks * s_axis[i % 6][c] + kt * t_axis[i % 6][c]));
		in[3][i] = i >= 16;
		want_s[i] = ((double)ks + 1) / 2;
		want_t[i] = ((double)kt + 1) / 2;
	}
	a = ask(&t, &s, &rules, TEXTURE_SAMPLE, true, 4, in);
	p = ask(&t, &s, &rules, TEXTURE_CUBE_PREPARE, true, 4, in);
	for (int i = 0; i < LANES_HERE; i++) {
		assert_int_equal(a.word[0][i], word((float)(i % 6 + (i >= 16 ? 6 : 0))));
		assert_true(fabs((double)number(p.word[0][i]) - want_s[i]) < 1e-6);
		assert_true(fabs((double)number(p.word[1][i]) - want_t[i]) < 1e-6);
		assert_int_equal(p.word[2][i], i % 6 + (i >= 16 ? 6 : 0));
	}
	/* the prepared request is a two-dimensional access */
	assert_memory_equal(ask(&t, &s, &rules, TEXTURE_SAMPLE, false, 3, p.word).word[0], a.word[0], sizeof a.word[0]);
	/* over an edge, half of each face; on a corner, a third */
	s.mag_linear = s.min_linear = true;
	in[0][0] = in[1][0] = word(1);
	in[2][0] = in[3][0] = 0;
	in[0][1] = in[1][1] = in[2][1] = word(1);
	in[3][1] = 0;
	a = ask(&t, &s, &rules, TEXTURE_SAMPLE, true, 4, in);
	assert_int_equal(a.word[0][0], word(0));
	rules.seamless = true;
	a = ask(&t, &s, &rules, TEXTURE_SAMPLE, true, 4, in);
	assert_int_equal(a.word[0][0], word(1));
	assert_true(fabs((double)number(a.word[0][1]) - 2) < 1e-6);
}

static void test_comparison(void **state)
{
	static const float texels[4] = { 0.25f, 0.5f, 0.75f, 1 };
	static const bool below[8] = { false, true, false, true, false, true, false, true },
			  same[8] = { false, false, true, true, false, false, true, true },
			  above[8] = { false, false, false, false, true, true, true, true };
	struct texture t = packed(TEXTURE_2D, "z32_float", 4, 1, 1, 1, 1, texels);
	struct texture_rules rules = TEXTURE_RULES;
	struct sampler s = texture_default_sampler;
	uint32_t in[4][LANES_HERE] = { { 0 } };
	struct answer a;

	s.compares = true;
	for (int how = 0; how < 8; how++) {
		s.compare = (uint8_t)how;
		for (int i = 0; i < 3; i++) {
			in[0][i] = word(0.375f);        /* texel 1 */
			in[2][i] = word(i == 0 ? 0.4f : i == 1 ? 0.5f : 0.6f);
		}
		a = ask(&t, &s, &rules, TEXTURE_SAMPLE, false, 3, in);
		assert_int_equal(a.word[0][0], word(below[how]));
		assert_int_equal(a.word[0][1], word(same[how]));
		assert_int_equal(a.word[2][2], word(above[how]));
		assert_int_equal(a.word[3][0], word(1));
	}
	/* compared first, then filtered: half of texel 1 passes, half of texel 2 does not */
	s.compare = COMPARE_GEQUAL;
	s.mag_linear = s.min_linear = true;
	in[0][0] = word(0.5f);
	in[2][0] = word(0.6f);
	assert_int_equal(ask(&t, &s, &rules, TEXTURE_SAMPLE, false, 3, in).word[0][0], word(0.5f));
}

/* ---- memory ---- */

/* The same texels, packed and by a descriptor: 40 by 33 by `depth`, four levels. */
static void check_blocks(unsigned type, uint32_t depth, unsigned h, unsigned d)
{
	enum { WIDTH = 40, HEIGHT = 33, LEVELS = 4 };
	static uint8_t raw[WIDTH * HEIGHT * 4 * 12 * 2], memory[1 << 20];
	bool volume = type == TEXTURE_3D;
	struct texture p = packed(type, "rgba8_unorm", WIDTH, HEIGHT, volume ? depth : 1, volume ? 1 : depth, LEVELS,
				  raw);
	uint32_t tic[TIC_WORDS] = {
		0x08 | 2 << 6 | 2 << 9 | 2 << 12 | 2 << 15 | 2 << 18 | 3 << 21 | 4 << 24 | 5 << 27, 0x10000,
		type << 14 | h << 22 | d << 25 | 1u << 31, 1 << 21, WIDTH, HEIGHT | depth << 16 | (LEVELS - 1u) << 28,
	};
	uint32_t in[4][LANES_HERE] = { { 0 } };
	struct texture_rules rules = TEXTURE_RULES;
	struct texture t;
	const struct reference_sizes sizes = { 4, WIDTH, HEIGHT, p.level[0].depth, p.layers, LEVELS };
	uint64_t seed = 5;
	size_t at, layer_bytes;

	fill_random(raw, p.size, &seed);
	at = reference_memory(memory, raw, &sizes, h, volume ? d : 0, &layer_bytes);
	texture_from_tic(tic, &t);
	assert_int_equal(t.refused, 0);
	assert_int_equal(t.levels, LEVELS);
	assert_int_equal(t.address, 0x10000);
	assert_true(volume || t.level[0].layer_bytes == layer_bytes);
	assert_true(texture_bytes(&t) <= at);
	t.bytes = memory;
	t.size = at;
	for (int n = 0; n < 300; n++) {
		for (int i = 0; i < LANES_HERE; i++) {
			in[0][i] = rng_below(&seed, WIDTH);
			in[1][i] = rng_below(&seed, HEIGHT);
			in[2][i] = type == TEXTURE_2D ? rng_below(&seed, LEVELS) : rng_below(&seed, depth);
			in[3][i] = rng_below(&seed, LEVELS);
		}
		assert_memory_equal(ask(&t, &texture_default_sampler, &rules, TEXTURE_FETCH, false, 4, in).word,
				    ask(&p, &texture_default_sampler, &rules, TEXTURE_FETCH, false, 4, in).word,
				    sizeof in);
	}
}

static void test_block_linear(void **state)
{
	for (unsigned h = 0; h < 5; h++) {
		check_blocks(TEXTURE_2D, 1, h, 0);
		check_blocks(TEXTURE_2D_ARRAY, 3, h, 0);
		check_blocks(TEXTURE_3D, 12, h, h);
	}
}

/* A view of some levels, pitch memory, and all fields of a sampler. */
static void test_descriptors(void **state)
{
	uint32_t tic[TIC_WORDS] = {
		0x0f | 7 << 6 | 7 << 9 | 7 << 12 | 7 << 15 | 2 << 18 | 0 << 21 | 0 << 24 | 7u << 27, 0x80000000,
		0x12 | 1u << 14 | 1 << 18 | 1u << 31, 512, 100, 7,
	};
	const uint32_t tsc[TSC_WORDS] = {
		1 | 2 << 3 | 3 << 6 | 1 << 9 | 5 << 10 | 1 << 13, 2 | 1 << 4 | 3 << 6 | (0x2000 - 384) << 12,
		0x180 | 0x7ff << 12 | 0xffu << 24, 0x80 << 12 | 0x00 << 20, 1, 2, 3, 4,
	};
	struct texture t;
	struct sampler s;

	texture_from_tic(tic, &t);
	assert_int_equal(t.refused, 0);
	assert_int_equal(t.address, 0x1280000000);
	assert_int_equal(t.level[0].row_bytes, 512);
	assert_int_equal(texture_bytes(&t), 6 * 512 + 400);
	assert_true(t.low_lod_quality && t.normalised && !t.block_linear);
	tic[2] = 1u << 14 | 4 << 22;
	tic[4] = 1u << 31 | 100;
	tic[5] = 64 | 6u << 28;
	tic[6] = 0x1f80 << 5;
	tic[7] = 2 | 4 << 4 | 0x140 << 16;
	texture_from_tic(tic, &t);
	assert_int_equal(t.levels, 3);
	assert_int_equal(t.level[0].width, 25);
	assert_int_equal(t.level[2].height, 4);
	assert_int_equal(t.lod_bias, -128);
	assert_int_equal(t.min_lod, 0x140);
	tic[0] = (tic[0] & ~0x3fu) | 0x05;
	texture_from_tic(tic, &t);
	assert_int_equal(t.refused, TEXTURE_BAD_FORMAT);
	assert_int_equal(t.code, 0x05);
	tic[0] = (tic[0] & ~0x3fu) | 0x08;              /* bytes that are floats */
	texture_from_tic(tic, &t);
	assert_int_equal(t.refused, TEXTURE_BAD_FORMAT);
	tic[0] = (tic[0] & ~0x3fu) | 0x0f;
	tic[2] = 9u << 14;
	texture_from_tic(tic, &t);
	assert_int_equal(t.refused, TEXTURE_BAD_OPERATION);
	assert_int_equal(t.code, 9);
	sampler_from_tsc(tsc, &s);
	assert_int_equal(s.wrap[0] | s.wrap[1] << 4 | s.wrap[2] << 8, 0x321);
	assert_true(s.compares && s.compare == 5 && s.srgb && s.mag_linear && !s.min_linear && s.mip == MIP_LINEAR);
	assert_int_equal(s.lod_bias, -384);
	assert_int_equal(s.min_lod, 0x180);
	assert_int_equal(s.max_lod, 0x7ff);
	assert_int_equal(s.border[3], 4);
	assert_true(s.border_srgb[0] == 1 && s.border_srgb[2] == 0);
	assert_true(fabs((double)s.border_srgb[1] - 0.2158605) < 1e-6);
}

static void test_refused(void **state)
{
	static const float texels[4] = { 1, 2, 3, 4 };
	struct texture t = packed(TEXTURE_1D, "r32_float", 4, 1, 1, 1, 1, texels);
	struct texture_rules rules = TEXTURE_RULES;
	struct sampler s = texture_default_sampler;
	uint32_t in[4][LANES_HERE] = { { 0 } };
	struct answer a;

	s.wrap[0] = s.wrap[1] = WRAP_CLAMP;
	a = ask(&t, &texture_default_sampler, &rules, TEXTURE_SAMPLE, true, 3, in);
	assert_int_equal(a.status, TEXTURE_BAD_OPERATION);
	assert_int_equal(ask(&t, &texture_default_sampler, &rules, TEXTURE_GATHER, false, 1, in).status,
			 TEXTURE_BAD_OPERATION);
	assert_int_equal(ask(&t, &texture_default_sampler, &rules, TEXTURE_CUBE_PREPARE, true, 3, in).status,
			 TEXTURE_BAD_OPERATION);
	t.type = TEXTURE_BUFFER;
	assert_int_equal(ask(&t, &texture_default_sampler, &rules, TEXTURE_SAMPLE, false, 1, in).status,
			 TEXTURE_BAD_OPERATION);
	assert_int_equal(ask(&t, &texture_default_sampler, &rules, TEXTURE_FETCH, false, 1, in).status, TEXTURE_OK);
	t.size = 8;
	t.address = 0x1000;
	in[0][3] = 2;
	a = ask(&t, &texture_default_sampler, &rules, TEXTURE_FETCH, false, 1, in);
	assert_int_equal(a.status, TEXTURE_UNMAPPED);
	assert_int_equal(a.fault.detail, 0x1008);
	assert_int_equal(a.fault.lanes, 1 << 3);
	/* the second row of a filter's texels */
	t = packed(TEXTURE_2D, "rgba8_unorm", 2, 2, 1, 1, 1, texels);
	t.size = 8;
	s.mag_linear = true;
	in[0][3] = 0;
	in[1][5] = word(0.5f);
	a = ask(&t, &s, &rules, TEXTURE_SAMPLE_LOD, false, 3, in);
	assert_int_equal(a.status, TEXTURE_UNMAPPED);
	assert_int_equal(a.fault.detail, 8);
	assert_int_equal(a.fault.lanes, 1 << 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_measured_line),
		cmocka_unit_test(test_wraps_filters_formats),
		cmocka_unit_test(test_bytes_are_as_any),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_srgb),
		cmocka_unit_test(test_level_of_detail),
		cmocka_unit_test(test_quads),
		cmocka_unit_test(test_arrays_and_volumes),
		cmocka_unit_test(test_texel_coordinates),
		cmocka_unit_test(test_fetch_size_gather),
		cmocka_unit_test(test_cubes),
		cmocka_unit_test(test_comparison),
		cmocka_unit_test(test_block_linear),
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
