/* Raw descriptors and their memory give the same pictures as textures by name: every case of the corpus with textures
 * in reach, block-linear, with all levels. And refused scenes of textures. */
#include <string.h>

#include "tests/kit/launches.h"
#include "tests/kit/shared_json.h"
#include "tests/kit/texture_reference.h"

enum { FILES_MOST = 12, TEXTURES_HERE = 4, MEMORY_BYTES = 1 << 20, MEMORY = 0x20000000, WORDS = 8 };

/* The files of a launch. */
struct files_here {
	struct wb_file file[FILES_MOST];
	size_t n;
};

static void add_file(struct files_here *f, const char *name, const void *bytes, size_t size)
{
	assert_true(f->n < FILES_MOST);
	f->file[f->n++] = (struct wb_file){ name, bytes, size };
}

/* ---- descriptors of a case's named textures ---- */

static long integer(const json_t *object, const char *key)
{
	return (long)json_integer_value(json_object_get(object, key));
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* The index of a value among words set apart by blanks. */
static uint32_t which(const json_t *v, const char *words)
{
	const char *name = json_string_value(v);
	uint32_t n = 0;

	for (const char *p = words; name && *p; n++, p += *p == ' ') {
		size_t length = strcspn(p, " ");
		if (strlen(name) == length && !strncmp(name, p, length))
			return n;
		p += length;
	}
	fail_msg("%s is none of %s", name ? name : "nothing", words);
	return 0;
}

static const struct {
	const char *name;
	uint32_t code, type, source[4];
} formats[] = {
	{ "rgba8_unorm", 0x08, 2, { 2, 3, 4, 5 } }, { "rgba8_snorm", 0x08, 1, { 2, 3, 4, 5 } },
	{ "r32_float", 0x0f, 7, { 2, 0, 0, 7 } },   { "r32_uint", 0x0f, 4, { 2, 0, 0, 6 } },
	{ "z32_float", 0x2f, 7, { 2, 2, 2, 7 } },
};
enum { FORMATS = sizeof formats / sizeof *formats };

static void make_tic(const json_t *t, uint32_t address, unsigned h, uint32_t tic[WORDS])
{
	uint32_t type = which(json_object_get(t, "type"), "1d 2d 3d cube 1d_array 2d_array buffer rect cube_array");
	bool cube = type == 3 || type == 8;
	uint32_t depth = (uint32_t)(type == 2 ? integer(t, "depth") : integer(t, "layers")) / (cube ? 6 : 1);
	unsigned f = 0;

	while (f < FORMATS && strcmp(text_of(t, "format"), formats[f].name))
		f++;
	assert_true(f < FORMATS);
	tic[0] = formats[f].code;
	for (unsigned c = 0; c < 4; c++)
		tic[0] |= formats[f].type << (6 + 3 * c) | formats[f].source[c] << (18 + 3 * c);
	tic[1] = address;
	tic[2] = type << 14 | h << 22 | 1u << 30 | (uint32_t)json_is_true(json_object_get(t, "normalized")) << 31;
	tic[3] = 1 << 21;
	tic[4] = (uint32_t)integer(t, "width") | (formats[f].code == 0x2f ? 1u << 30 : 0);
	tic[5] = (uint32_t)integer(t, "height") | depth << 16 | (uint32_t)(integer(t, "levels") - 1) << 28;
}

static uint32_t fixed(const json_t *object, const char *key)
{
	return (uint32_t)(int32_t)(json_number_value(json_object_get(object, key)) * 256);
}

static void make_tsc(const json_t *s, uint32_t tsc[WORDS])
{
	const json_t *wraps = json_object_get(s, "wrap"), *compare = json_object_get(s, "compare");

	tsc[0] = 1 << 13;
	for (unsigned i = 0; i < 3; i++)
		tsc[0] |= which(json_array_get(wraps, i), "wrap mirror clamp_to_edge border clamp_ogl") << 3 * i;
	if (json_is_string(compare))
		tsc[0] |= 1 << 9 | which(compare, "never less equal lequal greater notequal gequal always") << 10;
	tsc[1] = (1 + which(json_object_get(s, "mag"), "nearest linear")) |
		 (1 + which(json_object_get(s, "min"), "nearest linear")) << 4 |
		 (1 + which(json_object_get(s, "mip"), "none nearest linear")) << 6 | (fixed(s, "bias") & 0x1fff) << 12;
	tsc[2] = fixed(s, "min_lod") | fixed(s, "max_lod") << 12;
	for (unsigned i = 0; i < 4; i++) {
		float v = (float)json_number_value(json_array_get(json_object_get(s, "border"), i));
		memcpy(&tsc[4 + i], &v, 4);
	}
}

/* ---- a case, both ways ---- */

struct picture {
	uint32_t words, n;
	uint32_t *word;                 /* by pixel: present or not, then the words */
};

static struct picture draw(const char *program, size_t size, struct files_here *f, const json_t *scene)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };
	char *text = json_dumps(scene, JSON_COMPACT);
	struct picture out;
	uint32_t rect[4];

	wb_config_set(c, "format", "hex", &d);
	wb_config_set(c, "mode", "fp", &d);
	wb_config_set(c, "chip", "gt215", &d);
	wb_config_files(c, f->file, f->n);
	if (wb_program_load(program, size, "program.hex", c, &p, &d) != WB_OK ||
	    wb_launch_new(p, NULL, c, &l, &d) != WB_OK ||
	    wb_launch_scene(l, text, strlen(text), "scene.json", &d) != WB_OK || wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	assert_true(wb_launch_rect(l, rect));
	out.words = wb_launch_out_words(l);
	out.n = rect[2] * rect[3];
	out.word = calloc(out.n, 4 * (out.words + 1));
	for (uint32_t i = 0; i < out.n; i++) {
		const uint32_t *pixel = wb_launch_pixel(l, rect[0] + i % rect[2], rect[1] + i / rect[2]);
		out.word[i * (out.words + 1)] = pixel != NULL;
		if (pixel)
			memcpy(&out.word[i * (out.words + 1) + 1], pixel, 4 * out.words);
	}
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
	free(text);
	return out;
}

/* The case's textures as files, as memory, and as words. */
static void describe(const json_t *of_case, struct files_here *f, json_t *raw, char *owned[], uint32_t tic[],
		     uint32_t tsc[], uint8_t *memory)
{
	const json_t *textures = json_object_get(of_case, "textures"), *t;
	const json_t *samplers = json_object_get(of_case, "samplers");
	size_t at = 0, i, n;
	char name[256];

	json_array_foreach(textures, i, t) {
		const struct reference_sizes sizes = {
			4, (uint32_t)integer(t, "width"), (uint32_t)integer(t, "height"),
			(uint32_t)integer(t, "depth"), (uint32_t)integer(t, "layers"), (uint32_t)integer(t, "levels"),
		};
		unsigned h = (unsigned)(i + json_array_size(textures)) % 3;
		size_t layer_bytes;
		snprintf(name, sizeof name, "corpus/tesla/gfx/%s", text_of(t, "data"));
		owned[i] = shared_bytes(name, &n);
		assert_non_null(owned[i]);
		add_file(f, text_of(t, "data"), owned[i], n);
		make_tic(t, MEMORY + (uint32_t)at, h, tic + WORDS * integer(t, "t"));
		at += reference_memory(memory + at, (const uint8_t *)owned[i], &sizes, h, 0, &layer_bytes);
	}
	json_array_foreach(samplers, i, t)
		make_tsc(t, tsc + WORDS * integer(t, "s"));
	add_file(f, "tic", tic, 4 * WORDS * TEXTURES_HERE);
	add_file(f, "tsc", tsc, 4 * WORDS * TEXTURES_HERE);
	add_file(f, "memory", memory, at);
	json_object_set_new(raw, "tic", json_string("tic"));
	json_object_set_new(raw, "tsc", json_string("tsc"));
	snprintf(name, sizeof name, "0x%x", MEMORY);
	json_object_set_new(raw, "memory", json_pack("[{s:s, s:s}]", "address", name, "file", "memory"));
}

static bool has_levels(const json_t *of_case)
{
	return integer(json_array_get(json_object_get(of_case, "textures"), 0), "levels") > 1;
}

static void check_case(const json_t *of_case)
{
	static const char *const keys[] = { "const", "fp" };
	json_t *named = json_object(), *raw;
	struct files_here f = { .n = 0 };
	char *owned[TEXTURES_HERE] = { NULL }, path[256], *program;
	uint32_t tic[WORDS * TEXTURES_HERE] = { 0 }, tsc[WORDS * TEXTURES_HERE] = { 0 };
	uint8_t *memory = calloc(MEMORY_BYTES, 1);
	struct picture a, b;
	size_t n;

	snprintf(path, sizeof path, "corpus/tesla/gfx/%s.a3.hex", text_of(of_case, "program"));
	program = shared_bytes(path, &n);
	assert_true(program && memory);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		json_object_set(named, keys[i], json_object_get(of_case, keys[i]));
	raw = json_copy(named);
	json_object_set(named, "textures", json_object_get(of_case, "textures"));
	json_object_set(named, "samplers", json_object_get(of_case, "samplers"));
	describe(of_case, &f, raw, owned, tic, tsc, memory);
	a = draw(program, n, &f, named);
	b = draw(program, n, &f, raw);
	assert_int_equal(a.n, b.n);
	if (memcmp(a.word, b.word, (size_t)a.n * 4 * (a.words + 1)))
		fail_msg("%s: descriptors give another picture", text_of(of_case, "name"));
	for (size_t i = 0; i < TEXTURES_HERE; i++)
		free(owned[i]);
	free(a.word);
	free(b.word);
	free(program);
	free(memory);
	json_decref(named);
	json_decref(raw);
}

static void test_descriptors(void **state)
{
	static const char *const names[] = {
		"f07_linear", "f07_linear_border", "f07_maxlod", "f07_min_mipnearest", "f07_mixed_wrap",
		"f07_samplerbias", "f07_snorm", "f07_trilinear", "f10_txp_persp", "f11_txl_tri", "f12_txb",
		"f14_2darray", "f15_shadow_less", "f15_shadow_pcf", "f16_hw_tex1d_table",
		"f17_3d_linear", "f18_rect", "f25_tex_in_branch", "f26_txf_oob",
		"f31_dependent", "f32_cubearray", "f34_tg4", "f39_cubearray_shadow",
	};
	unsigned with_levels = 0;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[256];
		json_t *of_case;
		snprintf(path, sizeof path, "corpus/tesla/gfx/cases/%s.json", names[i]);
		of_case = shared_json(path);
		assert_non_null(of_case);
		with_levels += has_levels(of_case);
		check_case(of_case);
		json_decref(of_case);
	}
	assert_true(with_levels >= 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
