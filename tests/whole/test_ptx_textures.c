/* Textures of PTX by names and by handles: the number of each texture in the scene; the order of coordinates, layer and
 * level; sizes; gathers; levels by gradients. A texel is the number of its place: 1000 * texture + 100 * layer +
 * 10 * y + x, of texture 4 with the component for the layer; texture 5 has the same number in all texels of a level. */
#include <math.h>

#include "tests/kit/launches.h"
#include "tests/kit/ptx_body.h"

enum { LANES = 32, SIZE = 8, LEVELS = 4, LEVEL_STEP = 16 };

/* Textures 0 to 5: of one, two dimensions, an array of four layers of 8 by 8 texels, a cube of 8 by 8; four components
 * of 8 by 8, and four levels. */
static char scene[32768];

static void put_texture(unsigned t, const char *type, unsigned layers, unsigned height)
{
	size_t n = strlen(scene);

	n += (size_t)sprintf(scene + n, "%s{\"t\": %u, \"type\": \"%s\", \"format\": \"r32_float\", \"width\": %d, "
			     "\"height\": %u, \"layers\": %u, \"levels\": %d, \"normalized\": %s, \"data\": [",
			     t ? ", " : "", t, type, SIZE, height, layers, t == 1 ? 2 : 1, t == 3 ? "true" : "false");
	for (unsigned l = 0; l < layers; l++)
		for (unsigned i = 0; i < SIZE * height; i++)
			n += (size_t)sprintf(scene + n, "%s%u", l || i ? ", " : "",
					     1000 * t + 100 * l + 10 * (i / SIZE) + i % SIZE);
	for (unsigned i = 0; t == 1 && i < 16; i++) /* level 1 */
		n += (size_t)sprintf(scene + n, ", %u", 5000 + 10 * (i / 4) + i % 4);
	sprintf(scene + n, "]}");
}

static void put_components(void)
{
	size_t n = strlen(scene);

	n += (size_t)sprintf(scene + n, ", {\"t\": 4, \"type\": \"2d\", \"format\": \"rgba32_float\", \"width\": %d, "
			     "\"height\": %d, \"normalized\": false, \"data\": [", SIZE, SIZE);
	for (unsigned i = 0; i < 4 * SIZE * SIZE; i++)
		n += (size_t)sprintf(scene + n, "%s%u", i ? ", " : "",
				     4000 + i % 4 * 100 + i / 4 / SIZE * 10 + i / 4 % SIZE);
	sprintf(scene + n, "]}");
}

static void put_levels(void)
{
	size_t n = strlen(scene);

	n += (size_t)sprintf(scene + n, ", {\"t\": 5, \"type\": \"2d\", \"format\": \"r32_float\", \"width\": %d, "
			     "\"height\": %d, \"levels\": %d, \"data\": [", SIZE, SIZE, LEVELS);
	for (unsigned l = 0; l < LEVELS; l++)
		for (unsigned i = 0; i < (unsigned)(SIZE * SIZE) >> 2 * l; i++)
			n += (size_t)sprintf(scene + n, "%s%u", l || i ? ", " : "", 5000 + l * LEVEL_STEP);
	sprintf(scene + n, "]}");
}

static int make_scene(void **state)
{
	(void)state;
	sprintf(scene, "{\"schema\": \"warpbeam.scene/1\", \"textures\": [");
	put_texture(0, "1d", 1, 1);
	put_texture(1, "2d", 1, SIZE);
	put_texture(2, "2d_array", 4, SIZE);
	put_texture(3, "cube", 6, SIZE);
	put_components();
	put_levels();
	strcat(scene, "], \"samplers\": [{\"s\": 0, \"wrap\": [\"clamp_to_edge\", \"clamp_to_edge\"]}, {\"s\": 1, "
	       "\"wrap\": [\"clamp_to_edge\", \"clamp_to_edge\"], \"mip\": \"nearest\"}, {\"s\": 2, \"wrap\": "
	       "[\"clamp_to_edge\", \"clamp_to_edge\"]}, {\"s\": 4, \"wrap\": [\"clamp_to_edge\", "
	       "\"clamp_to_edge\"]}, {\"s\": 5, \"mip\": \"linear\"}]}");
	return 0;
}

/* Registers: %rd1 to %rd6 handles, by parameters in the textures' order; %r1 the lane, %r4 lane % 8, %r5 lane / 8;
 * %f1 and %f2 the middles of texels %r4 and %r5. The result is %f20. */
static const char head[] =
	".version 8.0\n.target sm_75\n.address_size 64\n"
	".entry k(.param .u64 t0, .param .u64 o, .param .align 8 .b8 ts[40])\n{\n"
	".reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<30>; .reg .pred %p<9>;\n"
	"ld.param.u64 %rd1, [t0]; ld.param.u64 %rd2, [ts]; ld.param.u64 %rd3, [ts+8]; ld.param.u64 %rd4, [ts+16];\n"
	"ld.param.u64 %rd5, [ts+24]; ld.param.u64 %rd6, [ts+32];\n"
	"mov.u32 %r1, %tid.x; and.b32 %r4, %r1, 7; shr.u32 %r5, %r1, 3;\n"
	"cvt.rn.f32.u32 %f1, %r4; add.f32 %f1, %f1, 0f3F000000;\n"
	"cvt.rn.f32.u32 %f2, %r5; add.f32 %f2, %f2, 0f3F000000;\n";
static const char tail[] =
	"\nld.param.u64 %rd10, [o]; mul.wide.u32 %rd11, %r1, 4; add.u64 %rd10, %rd10, %rd11;\n"
	"st.global.f32 [%rd10], %f20;\nret;\n}\n";

#define ONE "{%f20,%f21,%f22,%f23}"

static unsigned place(unsigned lane) { return lane / SIZE * 10 + lane % SIZE; }

static const struct row {
	const char *body;
	unsigned base, layer;    /* answer: base + layer * (lane / 8 or lane % 4) + place */
	bool flat;               /* of one dimension */
} rows[] = {
	{ "tex.1d.v4.f32.f32 " ONE ", [%rd1, {%f1}];", 0, 0, true },
	{ "tex.1d.v4.f32.s32 " ONE ", [%rd1, {%r4}];", 0, 0, true },
	{ "tex.2d.v4.f32.f32 " ONE ", [%rd2, {%f1,%f2}];", 1000, 0, false },
	{ "tex.base.2d.v4.f32.f32 " ONE ", [%rd2, {%f1,%f2}];", 1000, 0, false },
	{ "tex.level.2d.v4.f32.f32 " ONE ", [%rd2, {%f1,%f2}], 0f00000000;", 1000, 0, false },
	{ "tex.2d.v4.f32.s32 " ONE ", [%rd2, {%r4,%r5}];", 1000, 0, false },
	{ "and.b32 %r6, %r1, 3; tex.a2d.v4.f32.f32 " ONE ", [%rd3, {%r6,%f1,%f2,%f2}];", 2000, 100, false },
	{ "and.b32 %r6, %r1, 3; tex.level.a2d.v4.f32.f32 " ONE ", [%rd3, {%r6,%f1,%f2,%f2}], 0f00000000;", 2000, 100,
	  false },
	{ "tex.grad.1d.v4.f32.f32 " ONE ", [%rd1, {%f1}], {%f1}, {%f2};", 0, 0, true },
	{ "tex.grad.2d.v4.f32.f32 " ONE "|%p3, [%rd5, {%f1,%f2}], {%f1,%f2}, {%f2,%f1};"
	  "@!%p3 mov.f32 %f20, 0f00000000;", 4000, 0, false },
	{ "and.b32 %r6, %r1, 3; tex.grad.a2d.v4.f32.f32 " ONE ", [%rd3, {%r6,%f1,%f2,%f2}], {%f1,%f2}, {%f2,%f1};",
	  2000, 100, false },
	{ "and.b32 %r6, %r1, 3; tex.a2d.v4.f32.s32 " ONE ", [%rd3, {%r6,%r4,%r5,%r5}];", 2000, 100, false },
	/* a handle that goes through a loop, a choice of one, and an inner block */
	{ "mov.u64 %rd9, %rd2; mov.u32 %r7, 0; L: add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 3;"
	  "tex.2d.v4.f32.f32 " ONE ", [%rd9, {%f1,%f2}]; mov.u64 %rd9, %rd2; @%p1 bra L;", 1000, 0, false },
};

/* With reads by all four handles a kernel has the numbers of the scene. */
static const char others[] =
	"tex.1d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%rd1, {%f1}];"
	"tex.2d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%rd2, {%f1,%f2}];"
	"tex.a2d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%rd3, {%r4,%f1,%f1,%f1}];"
	"tex.cube.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%rd4, {%f1,%f1,%f2,%f1}];\n"
	"tex.2d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%rd5, {%f1,%f2}];"
	"tex.2d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%rd6, {%f1,%f2}];\n";

static void run_kernel(const char *text, const char *chip, float out[LANES])
{
	static const struct setting setup[] = { { "grid", "1" }, { "block", "32" }, { "timing", "off" }, { 0 } };
	struct wb_diag d = { 0 };
	struct wb_program *p = load_ptx(text, chip, &d);

	if (!p)
		fail_msg("%s: line %d: %s", text, d.line, d.text);
	struct wb_launch *l = launch(p, setup);
	if (wb_launch_scene(l, scene, strlen(scene), "scene", &d) != WB_OK)
		fail_msg("%s", d.text);
	assert_int_equal(wb_launch_arg(l, "u64=0", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=128", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=40", &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s: %s", text, d.text);
	assert_int_equal(wb_launch_read_arg(l, 1, 0, out, LANES * sizeof *out, &d), WB_OK);
	wb_launch_free(l);
	wb_program_free(p);
}

static void handles_are_parameters_in_their_order(void **state)
{
	static const char *const those[] = { "g80", "g200", "v100" };
	char text[4096];
	float out[LANES];

	(void)state;
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
		for (unsigned c = 0; c < 3; c++) {
			snprintf(text, sizeof text, "%s%s%s%s", head, others, rows[r].body, tail);
			run_kernel(text, those[c], out);
			for (unsigned i = 0; i < LANES; i++) {
				unsigned want = rows[r].base + rows[r].layer * (i % 4) +
						(rows[r].flat ? i % SIZE : place(i));
				if (out[i] != (float)want)
					fail_msg("%s on %s, lane %u: found %g, expected %u", rows[r].body, those[c], i,
						 (double)out[i], want);
			}
		}
}

/* The second level is half as wide; sizes and levels as words. */
static void levels_and_sizes(void **state)
{
	static const struct { const char *body; float want; } each[] = {
		{ "tex.level.2d.v4.f32.f32 " ONE ", [%rd2, {0f3F000000,0f3F000000}], 0f3F800000;", 5000 },
		{ "tex.level.2d.v4.f32.s32 " ONE ", [%rd2, {3,2}], 1;", 5023 },
		{ "txq.width.b32 %r9, [%rd2]; cvt.rn.f32.u32 %f20, %r9;", SIZE },
		{ "txq.height.b32 %r9, [%rd1]; cvt.rn.f32.u32 %f20, %r9;", 0 },
		{ "txq.height.b32 %r9, [%rd3]; cvt.rn.f32.u32 %f20, %r9;", SIZE },
		{ "txq.level.width.b32 %r9, [%rd6], 2; cvt.rn.f32.u32 %f20, %r9;", SIZE / 4 },
		{ "txq.num_mipmap_levels.b32 %r9, [%rd2]; cvt.rn.f32.u32 %f20, %r9;", 2 },
		/* face -y, number 3, with +x and -z as its axes (OpenGL 4.6, table 8.19) */
		{ "tex.cube.v4.f32.f32 " ONE ", [%rd4, {0f3DCCCCCD,0fBF800000,0f3DCCCCCD,0f00000000}];", 3334 },
	};
	char text[4096];
	float out[LANES];

	(void)state;
	for (size_t r = 0; r < sizeof each / sizeof *each; r++) {
		snprintf(text, sizeof text, "%s%s%s%s", head, others, each[r].body, tail);
		run_kernel(text, "v100", out);
		if (out[0] != each[r].want)
			fail_msg("%s: found %g, expected %g", each[r].body, (double)out[0], (double)each[r].want);
	}
}

/* The level of the longer gradient, with its fraction, as levels are mixed: OpenGL's formula in binary64. */
static void gradients_choose_levels(void **state)
{
	static const float each[][4] = {
		{ 0, 0, 0, 0 }, { 0.125f, 0, 0, 0.125f }, { 0.25f, 0, 0, 0 }, { 0, 0, 0.5f, 0 },
		{ 0.3f, 0.4f, 0, 0.1f },
		{ 0.1f, 0.1f, 0.2f, -0.2f }, { -0.7f, 0.1f, 0.3f, 0.3f }, { 0.01f, 0, 0, 0.02f }, { 3, 4, 5, 6 },
		{ 0.15f, 0.02f, 0.16f, 0 }, { 0.33f, -0.29f, 0.1f, 0.4f },
	};
	static const char *const those[] = { "g80", "g200", "v100" };
	char text[4096], body[256];
	float out[LANES];

	(void)state;
	for (size_t i = 0; i < 3 * sizeof each / sizeof *each; i++) {
		const float *g = each[i / 3];
		double length = SIZE * fmax(hypot(g[0], g[1]), hypot(g[2], g[3]));
		double level = fmin(fmax(log2(length), 0), 3);
		uint32_t bits[4];
		memcpy(bits, g, sizeof bits);
		snprintf(body, sizeof body, "tex.grad.2d.v4.f32.f32 %s, [%%rd6, {%%f1,%%f2}], {0f%08X,0f%08X}, "
			 "{0f%08X,0f%08X};", ONE, bits[0], bits[1], bits[2], bits[3]);
		snprintf(text, sizeof text, "%s%s%s%s", head, others, body, tail);
		run_kernel(text, those[i % 3], out);
		for (unsigned t = 0; t < LANES; t++)
			if (fabs((double)out[t] - (5000 + LEVEL_STEP * level)) > LEVEL_STEP / 256.0)
				fail_msg("%s on %s, lane %u: found %g, expected %g", body, those[i % 3], t,
					 (double)out[t], 5000 + LEVEL_STEP * level);
	}
}

/* The texels of a linear filter at a texel's middle: this texel and the next in each direction, up to the edge, in the
 * order of OpenGL 4.6, 8.14.2: (0, 1), (1, 1), (1, 0), (0, 0). */
static void gathers_are_of_four_texels(void **state)
{
	static const struct { const char *shape, *texture; unsigned base, components; } each[] = {
		{ "2d", "%rd5, {%f1,%f2}", 4000, 4 }, { "a2d", "%rd3, {2,%f1,%f2,%f2}", 2200, 1 },
		{ "2d", "%rd2, {%f1,%f2}", 1000, 1 },
	};
	static const struct { const char *chip, *refused[2]; } those[] = {
		{ "v100", { NULL, NULL } }, { "gt215", { NULL, "--chip v100" } },
		{ "g200", { "gt215", "--chip v100" } },
	};
	static const char *const results[] = { "{%f20,%f21,%f22,%f23}", "{%f21,%f20,%f22,%f23}",
					       "{%f21,%f22,%f20,%f23}", "{%f21,%f22,%f23,%f20}" };
	char text[4096], body[256];
	float out[LANES];

	(void)state;
	for (unsigned e = 0; e < 3; e++)
		for (unsigned k = 0; k < 4 * each[e].components * 3; k++) {
			unsigned component = k / 12, texel = k / 3 % 4;
			const char *chip = those[k % 3].chip, *refused = those[k % 3].refused[component > 0];
			struct wb_diag d = { 0 };
			snprintf(body, sizeof body, "tld4.%c.%s.v4.f32.f32 %s, [%s];", "rgba"[component], each[e].shape,
				 results[texel], each[e].texture);
			snprintf(text, sizeof text, "%s%s%s%s", head, others, body, tail);
			if (refused) {
				assert_null(load_ptx(text, chip, &d));
				assert_non_null(strstr(d.text, refused));
				continue;
			}
			run_kernel(text, chip, out);
			for (unsigned t = 0; t < LANES; t++) {
				unsigned x = t % SIZE + (texel == 1 || texel == 2), y = t / SIZE + (texel < 2);
				unsigned want = each[e].base + 100 * component + 10 * (y < SIZE ? y : SIZE - 1) +
						(x < SIZE ? x : SIZE - 1);
				if (out[t] != (float)want)
					fail_msg("%s on %s, lane %u: found %g, expected %u", body, chip, t,
						 (double)out[t], want);
			}
		}
}

/* Variables have the first numbers. */
static void variables_come_before_handles(void **state)
{
	char text[4096];
	float out[LANES];

	(void)state;
	snprintf(text, sizeof text, ".version 8.0\n.target sm_75\n.address_size 64\n.tex .u32 flat;\n"
		 ".tex .u32 square;\n%s"
		 "tex.a2d.v4.f32.f32 {%%f10,%%f11,%%f12,%%f13}, [%%rd3, {1,%%f1,%%f2,%%f1}];\n"
		 "tex.2d.v4.f32.f32 {%%f20,%%f21,%%f22,%%f23}, [square, {%%f1,%%f2}];\n"
		 "add.f32 %%f20, %%f20, %%f10;%s", strstr(head, ".entry"), tail);
	run_kernel(text, "v100", out);
	for (unsigned i = 0; i < LANES; i++)
		assert_true(out[i] == (float)(1000 + 2000 + 100 + 2 * place(i)));
}

/* ---- surfaces ---- */

/* A surface of 8 words in 4 rows of 12 words, in 2 slices: word i is i. %rd5: the handle, %r6: the byte of word %r4. */
enum { SURFACE_WORDS = 96 };

static const char describe[] =
	".version 8.0\n.target sm_75\n.address_size 64\n"
	".entry k(.param .u64 data, .param .u64 o, .param .u64 d)\n{\n"
	".reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<30>; .reg .pred %p<9>;\n"
	"mov.u32 %r1, %tid.x; and.b32 %r4, %r1, 7; shr.u32 %r5, %r1, 3; shl.b32 %r6, %r4, 2;\n"
	"ld.param.u64 %rd5, [d]; ld.param.u64 %rd6, [data]; cvt.u32.u64 %r10, %rd6;\n"
	"st.global.u32 [%rd5], %r10; st.global.u32 [%rd5+4], 48; st.global.u32 [%rd5+8], 192;\n"
	"st.global.u32 [%rd5+12], 32; st.global.u32 [%rd5+16], 4; st.global.u32 [%rd5+20], 2; bar.sync 0;\n";
static const char finish[] = "cvt.rn.f32.u32 %f20, %r9;";

static unsigned inside(unsigned t) { return t / 8 * 12 + t % 8; }
static unsigned slice(unsigned t) { return 48 + inside(t); }
static unsigned zero_left(unsigned t) { return t % 8 < 3 ? 0 : t / 8 * 12 + t % 8 - 3; }
static unsigned clamped_row(unsigned t) { return t / 8 * 12 + (t % 8 < 3 ? 0 : t % 8 - 3); }
static unsigned below(unsigned t) { return t / 8 + 2 < 4 ? inside(t) + 24 : 0; }
static unsigned row_of_layer(unsigned t) { return 48 * (t / 8 < 2 ? t / 8 : 1) + t % 8; }
static unsigned two(unsigned t) { return t % 8 < 6 ? 2 * (inside(t) & ~1u) + 1 : 0; }
static unsigned halves(unsigned t) { return inside(t) + 1; }
static unsigned written(unsigned t) { return t % 8 == 7 ? 7 + t / 8 * 12 : 1000 + t + 1; }

static unsigned thousand_more(unsigned t) { return inside(t) + 1000; }
static unsigned rows_from_2(unsigned t) { return t / 8 < 2 ? inside(t) : 99; }
static unsigned less_than_0(unsigned t) { (void)t; return -5u; }
static unsigned sum_of_lanes(unsigned t) { (void)t; return 4 * 28; }
static unsigned layers(unsigned t) { (void)t; return 2; }
static unsigned one(unsigned t) { (void)t; return 1; }

static const struct { const char *body; unsigned (*model)(unsigned t); } surfaces[] = {
	{ "sured.b.add.2d.u32.trap [%rd5, {%r6, %r5}], 1000; suld.b.2d.b32.trap %r9, [%rd5, {%r6, %r5}];",
	  thousand_more },
	{ "sured.b.min.2d.s32.zero [%rd5, {%r6, %r5}], -5; suld.b.2d.b32.trap %r9, [%rd5, {%r6, %r5}];", less_than_0 },
	{ "add.u32 %r7, %r5, 2; sured.b.max.2d.u32.zero [%rd5, {%r6, %r7}], 99; bar.sync 0;"
	  "suld.b.2d.b32.trap %r9, [%rd5, {%r6, %r5}];", rows_from_2 },
	{ "sured.b.add.1d.u32.clamp [%rd5, {-4}], %r4; bar.sync 0; suld.b.1d.b32.trap %r9, [%rd5, {0}];",
	  sum_of_lanes },
	{ "txq.array_size.b32 %r9, [%rd5];", layers },
	{ "st.global.u32 [%rd5+64], 1; txq.normalized_coords.b32 %r9, [%rd5];", one },
	{ "suld.b.2d.b32.trap %r9, [%rd5, {%r6, %r5}];", inside },
	{ "suld.b.3d.b32.zero %r9, [%rd5, {%r6, %r5, 1, 0}];", slice },
	{ "suld.b.a2d.b32.trap %r9, [%rd5, {1, %r6, %r5, 0}];", slice },
	{ "sub.u32 %r7, %r6, 12; suld.b.2d.b32.zero %r9, [%rd5, {%r7, %r5}];", zero_left },
	{ "sub.u32 %r7, %r6, 12; suld.b.2d.b32.clamp %r9, [%rd5, {%r7, %r5}];", clamped_row },
	{ "add.u32 %r7, %r5, 2; suld.b.2d.b32.zero %r9, [%rd5, {%r6, %r7}];", below },
	{ "suld.b.a1d.b32.clamp %r9, [%rd5, {%r5, %r6}];", row_of_layer },
	/* begins inside, ends outside */
	{ "st.global.u32 [%rd5+12], 28; bar.sync 0; and.b32 %r7, %r6, 24;"
	  "suld.b.2d.v2.b32.zero {%r9, %r8}, [%rd5, {%r7, %r5}]; add.u32 %r9, %r9, %r8;", two },
	{ "suld.b.2d.v2.b16.trap {%h1, %h2}, [%rd5, {%r6, %r5}]; add.u16 %h1, %h1, %h2; cvt.u32.u16 %r9, %h1;"
	  "suld.b.2d.v4.b8.trap {%h1, %h2, %h3, %h4}, [%rd5, {%r6, %r5}]; add.u32 %r9, %r9, 1;", halves },
	/* the last word's access is outside, and so is dropped */
	{ "add.u32 %r7, %r6, 4; add.u32 %r8, %r1, 1000; sust.b.2d.b32.zero [%rd5, {%r7, %r5}], %r8;"
	  "add.u32 %r8, %r1, 1001; setp.lt.u32 %p1, %r4, 7; @%p1 sust.b.2d.b32.trap [%rd5, {%r6, %r5}], %r8;"
	  "bar.sync 0; setp.eq.u32 %p2, %r4, 7; @!%p2 suld.b.2d.b32.trap %r9, [%rd5, {%r6, %r5}];"
	  "mul.lo.u32 %r8, %r5, 12; add.u32 %r8, %r8, 7; selp.u32 %r9, %r8, %r9, %p2;", written },
};

static enum wb_status run_surface(const char *body, const char *reconverge, float out[LANES], uint32_t words[])
{
	struct setting setup[] = { { "grid", "1" }, { "block", "32" }, { "timing", "off" },
				   { "reconverge", reconverge }, { 0 } };
	char text[4096];
	struct wb_diag d = { 0 };

	snprintf(text, sizeof text, "%s%s%s%s", describe, body, finish, tail);
	struct wb_program *p = load_ptx(text, "v100", &d);
	if (!p)
		fail_msg("%s: line %d: %s", text, d.line, d.text);
	struct wb_launch *l = launch(p, setup);
	assert_int_equal(wb_launch_arg(l, "zero=384", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=128", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=128", &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, words, SURFACE_WORDS * sizeof *words, &d), WB_OK);
	enum wb_status status = wb_launch_run(l, &d);
	if (status != WB_OK && !strstr(d.text, "trap"))
		fail_msg("%s: %s", body, d.text);
	if (status == WB_OK) {
		assert_int_equal(wb_launch_read_arg(l, 1, 0, out, LANES * sizeof *out, &d), WB_OK);
		assert_int_equal(wb_launch_read_arg(l, 0, 0, words, SURFACE_WORDS * sizeof *words, &d), WB_OK);
	}
	wb_launch_free(l);
	wb_program_free(p);
	return status;
}

static void surfaces_have_sizes(void **state)
{
	static const char *const policies[] = { "stack", "minpc", "ipdom", "barriers" };
	uint32_t words[SURFACE_WORDS];
	float out[LANES];

	(void)state;
	for (size_t r = 0; r < sizeof surfaces / sizeof *surfaces; r++)
		for (unsigned k = 0; k < 4; k++) {
			for (unsigned i = 0; i < SURFACE_WORDS; i++)
				words[i] = i;
			assert_int_equal(run_surface(surfaces[r].body, policies[k], out, words), WB_OK);
			for (unsigned t = 0; t < LANES; t++)
				if (out[t] != (float)surfaces[r].model(t))
					fail_msg("%s by %s, thread %u: found %g, expected %u", surfaces[r].body,
						 policies[k], t, (double)out[t], surfaces[r].model(t));
			for (unsigned i = 0; i < SURFACE_WORDS; i++) /* between the rows and in the other slice */
				assert_true(words[i] == i || (i < 48 && i % 12 < 8));
		}
	assert_int_not_equal(run_surface("suld.b.2d.b32.trap %r9, [%rd5, {%r6, 4}];", "stack", out, words), WB_OK);
}

static void accesses_of_no_chip_are_refused(void **state)
{
	static const struct { const char *body, *message; } each[] = {
		{ "tex.2d.v4.f32.f32 " ONE ", [%rd2, {%f1,%f2}], {1,1};", "offsets and comparisons" },
		{ "tex.grad.cube.v4.f32.f32 " ONE ", [%rd4, {%f1,%f2,%f1,%f1}], {%f1,%f1,%f1,%f1}, {%f1,%f1,%f1,%f1};",
		  "level of a cube is chosen by" },
		{ "tld4.r.2d.v4.f32.f32 " ONE ", [%rd2, {%f1,%f2}], {1,1};", "offsets and comparisons" },
		{ "tex.grad.2d.v4.f32.f32 " ONE ", [%rd2, {%f1,%f2}], {%f1,%f1};", "and two gradients" },
		{ "tex.level.acube.v4.f32.f32 " ONE ", [%rd2, {%r4,%f1,%f2,%f1}], %f2;", "no more for a level" },
	};
	char text[4096];

	(void)state;
	for (size_t r = 0; r < sizeof each / sizeof *each; r++) {
		struct wb_diag d = { 0 };
		snprintf(text, sizeof text, "%s%s%s", head, each[r].body, tail);
		struct wb_program *p = load_ptx(text, "v100", &d);
		if (p || !strstr(d.text, each[r].message) || !d.line)
			fail_msg("%s: found \"%s\" (line %d), expected \"%s\"", each[r].body, p ? "no error" : d.text,
				 d.line, each[r].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handles_are_parameters_in_their_order),
		cmocka_unit_test(levels_and_sizes),
		cmocka_unit_test(gradients_choose_levels),
		cmocka_unit_test(gathers_are_of_four_texels),
		cmocka_unit_test(variables_come_before_handles),
		cmocka_unit_test(surfaces_have_sizes),
		cmocka_unit_test(accesses_of_no_chip_are_refused),
	};

	return cmocka_run_group_tests(tests, make_scene, NULL);
}
