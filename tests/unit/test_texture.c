/* The texture unit by itself: a table that was measured on hardware, and what it gives beside an own reference in
 * binary64. */
#include <math.h>
#include <string.h>

#include "mem/texture.h"
#include "tests/unit/cmocka_all.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_measured_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
