/* Borders of inputs and outputs of threads: a[], o[], p[] and v[] of Tesla's graphics programs by an address register
 * of 16 bits, and uniforms of PICA shaders by a0. Each at every SIMD level, with timing and without, by threaded code
 * and by the slow path. */
#include "tests/kit/launches.h"

enum { WORDS = 4, GONE = 0x77 };

static unsigned cases;

struct stage {
	char text[512];
	const char *scene;
	uint32_t expected[WORDS];       /* results of thread or pixel 0 */
	unsigned words;
};

static const uint32_t *result_of(struct wb_launch *l)
{
	bool ends;
	uint32_t rect[4];

	if (wb_launch_rect(l, rect))
		return wb_launch_pixel(l, 0, 0);
	return wb_launch_output(l, 0) ? wb_launch_output(l, 0) : wb_launch_emitted(l, 0, 0, &ends);
}

static void in_all_ways(const struct stage *s)
{
	static const char *const onoff[] = { "on", "off" };
	struct wb_program *p = load(s->text);

	for (unsigned level = 0; wb_simd_level(level); level++)
		for (unsigned way = 0; way < 4; way++) {
			const struct setting settings[] = {
				{ "simd", wb_simd_level(level) }, { "timing", onoff[way & 1] },
				{ "threaded-code", onoff[way >> 1] }, { NULL, NULL },
			};
			struct wb_launch *l = launch(p, settings);
			struct wb_diag d = { 0 };
			const uint32_t *got;
			if (wb_launch_scene(l, s->scene, strlen(s->scene), "scene", &d) != WB_OK ||
			    wb_launch_run(l, &d) != WB_OK)
				fail_msg("%s\n%s", d.text, s->text);
			got = result_of(l);
			for (unsigned i = 0; i < s->words; i++)
				if (!got || got[i] != s->expected[i])
					fail_msg("--simd %s, timing %s, threaded-code %s: word %u is 0x%x, "
						 "expected 0x%x\n%s",
						 settings[0].value, settings[1].value, settings[2].value, i,
						 got ? got[i] : 0, s->expected[i], s->text);
			wb_launch_free(l);
			cases++;
		}
	wb_program_free(p);
}

/* Sums of address register and offset, and the summands: by the register, by the offset, by both. */
static const uint32_t sums[] = { 0, 4, 12, 16, 20, 0x3fc, 0x400, 0x404, 0x7ffc, 0x8000, 0x800c, 0xfff0, 0xfffc };
static const uint32_t offsets[] = { 0, 4, 12 };
enum { SUMS = sizeof sums / sizeof *sums, OFFSETS = sizeof offsets / sizeof *offsets };

static void each_sum(void (*make)(struct stage *s, uint32_t sum, uint32_t reg, uint32_t offset))
{
	for (unsigned i = 0; i < SUMS; i++)
		for (unsigned o = 0; o < OFFSETS; o++) {
			struct stage s = { .words = 1 };
			make(&s, sums[i], (sums[i] - offsets[o]) & 0xffff, offsets[o]);
			in_all_ways(&s);
		}
}

/* Four words a vertex, all of which the program names. */
static void make_input(struct stage *s, uint32_t sum, uint32_t reg, uint32_t offset)
{
	snprintf(s->text, sizeof s->text, ".kernel k\n.chip g200\n.mode vp\nmov b32 $r0 0x%x\nshl $a1 $r0 0x0\n"
		 "mov b32 $r2 a[0xc]\nmov b32 o[0x0] $r2\nld b32 $r1 a[$a1+0x%x]\nexit mov b32 o[0x0] $r1\n", reg,
		 offset);
	s->scene = "{\"vp\": {\"vertices\": [[[\"11\", \"12\", \"13\", \"14\"]]]}}";
	s->expected[0] = sum < 16 ? 0x11 + sum / 4 : 0;
}

static void make_output(struct stage *s, uint32_t sum, uint32_t reg, uint32_t offset)
{
	snprintf(s->text, sizeof s->text, ".kernel k\n.chip g200\n.mode vp\nmov b32 $r0 0x%x\nshl $a1 $r0 0x0\n"
		 "mov b32 $r1 0x77\nmov b32 $r2 a[0x0]\nmov b32 o[0xc] $r2\nst b32 o[$a1+0x%x] $r1\nexit nop\n", reg,
		 offset);
	s->scene = "{\"vp\": {\"vertices\": [[[\"11\"]]]}}";
	s->words = 4;
	s->expected[3] = 0x11;
	if (sum < 16)
		s->expected[sum / 4] = GONE;
}

/* A plane is a word; there are 256, and addresses wrap around. Plane 1 is flat, plane 255 marks the face as the
 * front. */
static void make_plane(struct stage *s, uint32_t sum, uint32_t reg, uint32_t offset)
{
	snprintf(s->text, sizeof s->text, ".kernel k\n.chip g200\n.mode fp\nmov b32 $r0 0x%x\nshl $a1 $r0 0x0\n"
		 "interp $r0 flat v[$a1+0x%x]\nexit nop\n", reg, offset);
	s->scene = "{\"fp\": {\"rect\": [0, 0, 1, 1], \"results\": 1, \"varyings\": [{\"v\": 4, \"flat\": \"77\"}]}}";
	s->expected[0] = sum / 4 % 256 == 1 ? GONE : sum / 4 % 256 == 255 ? UINT32_MAX : 0;
}

static void inputs_at_borders(void **state)
{
	(void)state;
	each_sum(make_input);
}

static void outputs_at_borders(void **state)
{
	(void)state;
	each_sum(make_output);
}

static void planes_at_borders(void **state)
{
	(void)state;
	each_sum(make_plane);
}

/* Points of one vertex in 12 warps: its words are at the pointer; from 0x1000 on there is no word of a primitive of the
 * same warp. */
static void primitives_at_borders(void **state)
{
	enum { POINTS = 384 };
	static const uint32_t beside[] = { 0, 0x1000, 0x4000, 0x7ffc, 0x8000, 0xc000, 0xf000 };
	static char scene[POINTS * 16 + 200];
	int used = snprintf(scene, sizeof scene, "{\"gp\": {\"input\": \"points\", \"output\": \"points\", "
			    "\"max_vertices\": 1, \"vertices\": [");

	(void)state;
	for (unsigned i = 0; i < POINTS; i++)
		used += snprintf(scene + used, sizeof scene - (size_t)used, "%s[[\"11\", \"11\"]]", i ? "," : "");
	snprintf(scene + used, sizeof scene - (size_t)used, "]}}");
	for (unsigned i = 0; i < sizeof beside / sizeof *beside; i++) {
		struct stage s = { .words = 1, .expected = { beside[i] ? 0 : 0x11 } };
		snprintf(s.text, sizeof s.text, ".kernel k\n.chip g200\n.mode gp\nmov b32 $r0 a[0x0]\n"
			 "mov b32 $r1 0x%x\nadd b32 $r0 $r0 $r1\nshl $a1 $r0 0x0\nmov b32 o[0x0] p[$a1+0x0]\n"
			 "exit emit\n", beside[i]);
		s.scene = scene;
		in_all_ways(&s);
	}
}

/* ---- PICA ---- */

/* "offset outside -128..127 -> 0; then (c+off)&0x7F; 96..127 -> (1,1,1,1)" (spec pica, 12: measured on a console).
 * Uniform n is n + 1000. */
static float uniform_of(unsigned number, int offset)
{
	unsigned n = (number + (unsigned)(offset < -128 || offset > 127 ? 0 : offset)) & 0x7f;

	return n < 96 ? (float)n + 1000 : 1;
}

static struct wb_launch *shader(const struct wb_program *p, const struct setting *s)
{
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };
	char text[32];

	for (int offset = -140; offset <= 140; offset++) {
		snprintf(text, sizeof text, "v0=%d", offset);
		if (wb_launch_vertex(l, text, &d) != WB_OK)
			fail_msg("%s", d.text);
	}
	return l;
}

static struct wb_program *load_shader(unsigned number)
{
	char text[256];
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_diag d = { 0 };

	snprintf(text, sizeof text, ".alias pos o0 as position\nmova v0.xy\nnop\nmov pos, c%u[a0]\nend\n", number);
	assert_int_equal(wb_config_set(c, "isa", "pica", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
	if (wb_program_load(text, strlen(text), "test", c, &p, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	wb_config_free(c);
	return p;
}

static void uniforms_at_borders(void **state)
{
	static const unsigned numbers[] = { 0, 1, 63, 94, 95 };

	(void)state;
	for (unsigned k = 0; k < 5; k++) {
		struct wb_program *p = load_shader(numbers[k]);
		for (unsigned level = 0; wb_simd_level(level); level++)
			for (unsigned lanes = 0; lanes < 2; lanes++) {  /* one offset in a warp, or 32 of them */
				struct setting s[100] = {
					{ "simd", wb_simd_level(level) }, { "lanes", lanes ? "32" : "1" }
				};
				static char uniform[96][16];
				for (unsigned n = 0; n < 96; n++) {
					snprintf(uniform[n], sizeof uniform[n], "c%u=%u", n, n + 1000);
					s[2 + n] = (struct setting){ "uniform", uniform[n] };
				}
				struct wb_launch *l = shader(p, s);
				struct wb_diag d = { 0 };
				if (wb_launch_run(l, &d) != WB_OK)
					fail_msg("%s", d.text);
				for (int offset = -140; offset <= 140; offset++) {
					float got;
					memcpy(&got, wb_launch_output(l, (uint32_t)(offset + 140)), 4);
					if (got != uniform_of(numbers[k], offset))
						fail_msg("--simd %s, %s lanes: c%u[%d] is %g, expected %g", s[0].value,
							 s[1].value, numbers[k], offset, (double)got,
							 (double)uniform_of(numbers[k], offset));
					cases++;
				}
				wb_launch_free(l);
			}
		wb_program_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inputs_at_borders), cmocka_unit_test(outputs_at_borders),
		cmocka_unit_test(planes_at_borders), cmocka_unit_test(primitives_at_borders),
		cmocka_unit_test(uniforms_at_borders),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	print_message("%u cases\n", cases);
	return failed;
}
