/* Graphics programs on scenes, through the public interface: statements of hardware and specification beyond the
 * vectors, the same results in all ways, and invalid scenes. */
#include "tests/kit/launches.h"

#include "core/program.h"
#include "mem/texture.h"

#define FP ".kernel k\n.chip g200\n.mode fp\n"
#define GP ".kernel k\n.chip g200\n.mode gp\n"
#define VP ".kernel k\n.chip g200\n.mode vp\n"

static const struct setting none[] = { { NULL, NULL } };

static struct wb_launch *on_scene(const struct wb_program *p, const char *scene, const struct setting *s)
{
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };

	if (wb_launch_scene(l, scene, strlen(scene), "scene", &d) != WB_OK)
		fail_msg("%s", d.text);
	return l;
}

static struct wb_launch *ran(const struct wb_program *p, const char *scene, const struct setting *s)
{
	struct wb_launch *l = on_scene(p, scene, s);
	struct wb_diag d = { 0 };

	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	return l;
}

/* ---- geometry ---- */

static bool warns(struct wb_launch *l, const char *of)
{
	const struct wb_report *r = wb_launch_report(l);

	for (unsigned i = 0; i < r->nwarnings; i++)
		if (strstr(r->warnings[i], of))
			return true;
	return false;
}

static const char points[] = "{\"gp\": {\"input\": \"points\", \"output\": \"line_strip\", \"max_vertices\": 2, "
	"\"vertices\": [[[1]], [[2]], [[3]]]}}";

/* Lanes lent by quadon are no threads: vertices emitted there have no storage, seen by sanitizers, and are not
 * counted. */
static void lent_lanes_emit_nothing(void **state)
{
	static const char one[] = "{\"gp\": {\"input\": \"points\", \"output\": \"line_strip\", "
		"\"max_vertices\": 1024, \"vertices\": [[[1]]]}}";
	struct wb_program *p = load(GP "quadon\nmov b32 $r1 0x10\nmov b32 o[0x0] $r1\nemit\nrestart\nquadpop\n"
				    "exit nop\n");
	struct wb_launch *l = ran(p, one, none);
	bool ends;

	assert_int_equal(wb_launch_emitted(l, 0, 0, &ends)[0], 0x10);
	assert_null(wb_launch_emitted(l, 0, 1, &ends));
	assert_null(wb_launch_emitted(l, 1, 0, &ends));
	wb_launch_free(l);
	wb_program_free(p);
}

/* Vertices beyond the limit are dropped, in each thread by itself, and are counted. */
static void emits_beyond_the_limit_are_dropped(void **state)
{
	struct wb_program *p = load(GP "mov b32 $r1 0x10\nmov b32 o[0x0] $r1\nemit\nmov b32 $r1 0x11\n"
				    "mov b32 o[0x0] $r1\nemit\nrestart\nemit\nexit emit\n");
	struct wb_launch *l = ran(p, points, none);
	bool ends;

	for (uint32_t t = 0; t < 3; t++) {
		assert_int_equal(wb_launch_emitted(l, t, 0, &ends)[0], 0x10);
		assert_false(ends);
		assert_int_equal(wb_launch_emitted(l, t, 1, &ends)[0], 0x11);
		assert_true(ends);
		assert_null(wb_launch_emitted(l, t, 2, &ends));
	}
	assert_null(wb_launch_emitted(l, 3, 0, &ends));
	assert_true(warns(l, "6 vertices were emitted beyond the limit of 2"));
	wb_launch_free(l);
	wb_program_free(p);
}

/* emit clears o[]. */
static void outputs_are_zero_after_emit(void **state)
{
	struct wb_program *p = load(GP "mov b32 $r1 0x22\nmov b32 o[0x4] $r1\nemit\nexit emit\n");
	struct wb_launch *l = ran(p, points, none);
	bool ends;

	assert_int_equal(wb_launch_emitted(l, 0, 0, &ends)[1], 0x22);
	assert_int_equal(wb_launch_emitted(l, 0, 1, &ends)[1], 0);
	wb_launch_free(l);
	wb_program_free(p);
}

static const char triangles[] = "{\"gp\": {\"input\": \"triangles\", \"output\": \"points\", \"max_vertices\": 1, "
	"\"vertices\": [[[1, 2]], [[3, 4]], [[5, 6]], [[7, 8]], [[9, 10]]], \"primid0\": 7, "
	"\"indices\": [0, 1, 2, 2, 1, 3, 4, 0, 0]}}";

/* a[0x8] is the pointer to the third corner, p[] scales offsets by $vstride, a[0x18] is the primitive's number. */
static void pointers_are_opaque(void **state)
{
	static const struct setting ways[][3] = {
		{ { NULL, NULL } },
		{ { "share-vertices", "on" }, { NULL, NULL } },
		{ { "vertex-slots", "3" }, { NULL, NULL } },
		{ { "share-vertices", "on" }, { "vertex-slots", "4" }, { NULL, NULL } },
	};
	static const float third[] = { 6, 8, 2 };
	struct wb_program *p = load(GP "shl $a1 a[0x8] 0x0\nmov b32 $r0 a[0x18]\nmov b32 o[0x0] p[$a1+0x4]\n"
				    "mov b32 o[0x4] $r0\nmov b32 $r1 a[0x8]\nmov b32 o[0x8] $r1\nexit emit\n");
	uint32_t pointers[4] = { 0 };

	for (unsigned w = 0; w < 4; w++) {
		struct wb_launch *l = ran(p, triangles, ways[w]);
		for (uint32_t t = 0; t < 3; t++) {
			bool ends;
			const uint32_t *got = wb_launch_emitted(l, t, 0, &ends);
			assert_memory_equal(&third[t], got, 4);
			assert_int_equal(got[1], 7 + t);
			pointers[w] = pointers[w] * 31 + got[2];
		}
		wb_launch_free(l);
	}
	/* equal pointers would prove nothing */
	assert_int_not_equal(pointers[0], pointers[1]);
	assert_int_not_equal(pointers[0], pointers[2]);
	assert_int_not_equal(pointers[2], pointers[3]);
	wb_program_free(p);
}

/* A warp that waits for texels is charged to `texture`, and none of that to `memory`. */
static void waits_for_texels_are_of_textures(void **state)
{
	struct wb_program *p = load(FP "mov b32 $r0 0x0\nmov b32 $r1 0x0\nmov b32 $r2 0x0\nmov b32 $r3 0x0\n"
				    "texfetch all $r0:#:#:# $t0 $s0 $r0:$r1:$r2:$r3 0x0 0x0 0x0\n"
				    "mov b32 $r1 $r0\nexit nop\n");
	struct wb_launch *l = ran(p, "{\"fp\": {\"rect\": [0, 0, 1, 1], \"results\": 1}, \"textures\": [{\"t\": 0, "
				  "\"type\": \"2d\", \"format\": \"r32_uint\", \"width\": 1, \"height\": 1, "
				  "\"data\": [\"11\"]}]}", none);
	const struct wb_report *r = wb_launch_report(l);
	uint64_t texture = 0, memory = 1;

	for (unsigned i = 0; i < wb_stalls(); i++) {
		texture = strcmp(wb_stall_name(i), "texture") ? texture : r->time.stalls[i];
		memory = strcmp(wb_stall_name(i), "memory") ? memory : r->time.stalls[i];
	}
	assert_true(texture > 100);
	assert_int_equal(memory, 0);
	assert_int_equal(wb_launch_pixel(l, 0, 0)[0], 0x11);
	wb_launch_free(l);
	wb_program_free(p);
}

/* ---- vertices ---- */

/* Masks pack components; absent components of a vertex are 0, 0, 0, 1; identifiers follow. */
static void attributes_are_packed(void **state)
{
	struct wb_program *p = load(VP "mov b32 o[0x0] a[0x0]\nmov b32 o[0x4] a[0x4]\nmov b32 o[0x8] a[0x8]\n"
				    "mov b32 o[0xc] a[0xc]\nexit mov b32 o[0x10] a[0x10]\n");
	struct wb_launch *l = ran(p, "{\"vp\": {\"attr_en\": [\"000000b1\"], \"vertex_id\": true, \"vertices\": "
				  "[[[\"a\", \"b\"], [\"c\", \"d\", \"e\"]], "
				  "[[\"1\"], [\"2\", \"3\", \"4\", \"5\"]]]}}",
				  none);
	static const uint32_t want[2][5] = { { 0xa, 0xc, 0xd, 0x3f800000, 0 }, { 1, 2, 3, 5, 1 } };

	for (uint32_t i = 0; i < 2; i++)
		assert_memory_equal(wb_launch_output(l, i), want[i], sizeof want[i]);
	assert_int_equal(wb_launch_out_words(l), 5);
	wb_launch_free(l);
	wb_program_free(p);
}

/* An address register leads to a[] and o[]; outside, reads give 0 and writes are ignored. */
static void attributes_by_address(void **state)
{
	struct wb_program *p = load(VP "mov b32 $r0 a[0x0]\nshl $a1 $r0 0x2\nld b32 $r1 a[$a1+0x4]\n"
				    "st b32 o[$a1+0x0] $r1\nexit nop\n");
	struct wb_launch *l = ran(p, "{\"vp\": {\"vertices\": [[[\"0\", \"7\", \"8\"]], [[\"1\", \"7\", \"8\"]], "
				  "[[\"3000\", \"7\", \"8\"]]]}}", none);

	assert_int_equal(wb_launch_output(l, 0)[0], 7);
	assert_int_equal(wb_launch_output(l, 1)[1], 8);
	assert_int_equal(wb_launch_output(l, 2)[0], 0);
	assert_true(warns(l, "accesses outside of a[], o[] or p[]"));
	wb_launch_free(l);
	wb_program_free(p);
}

/* ---- fragments ---- */

static const char plane[] = "\"varyings\": [{\"v\": 0, \"base\": 1, \"dx\": 2, \"dy\": 16}, "
	"{\"v\": 4, \"flat\": \"7f800001\"}, {\"v\": 8, \"base\": \"3f800000\"}]";

static float pixel(const struct wb_launch *l, uint32_t x, uint32_t y, unsigned word)
{
	const uint32_t *w = wb_launch_pixel(l, x, y);
	float f = -1e30f;

	if (w)
		memcpy(&f, &w[word], 4);
	return f;
}

/* The product of a mad is truncated, not rounded, in fragment programs as everywhere (facts 4.2). */
static void mad_truncates_its_product(void **state)
{
	struct wb_program *p = load(FP "ld $r0 b32 c0[0x0]\nld $r1 b32 c0[0x4]\n"
				    "exit add f32 $r0 (mul $r0 $r0) $r1\n");
	struct wb_launch *l = ran(p, "{\"const\": {\"0\": [\"3fc00001\", \"c0100000\"]}, \"fp\": "
				  "{\"rect\": [0, 0, 1, 1], "
				  "\"results\": 1}}", none);

	assert_int_equal(wb_launch_pixel(l, 0, 0)[0], 0x34800000);      /* one step of 2.25; two if rounded */
	wb_launch_free(l);
	wb_program_free(p);
}

/* v = base + dx X + dy Y at the pixel's centre; flat words as they are; times a register; the face. */
static void planes_are_sampled(void **state)
{
	struct wb_program *p = load(FP "interp $r0 v[0x0]\ninterp $r1 flat v[0x4]\ninterp $r4 v[0x8]\n"
				    "add f32 $r4 $r4 $r4\ninterp $r2 v[0x0] neg $r4\ninterp $r3 flat v[0x3fc]\n"
				    "mov b32 $r5 0x4\nshl $a1 $r5 0x0\nexit interp $r4 flat v[$a1]\n");
	char scene[400];

	snprintf(scene, sizeof scene, "{\"fp\": {\"rect\": [3, 2, 4, 3], \"results\": 5, \"front\": false, %s}}",
		 plane);
	struct wb_launch *l = ran(p, scene, none);
	for (uint32_t y = 2; y < 5; y++)
		for (uint32_t x = 3; x < 7; x++) {
			float v = 1 + 2 * ((float)x + 0.5f) + 16 * ((float)y + 0.5f);
			assert_float_equal(pixel(l, x, y, 0), v, 0);
			assert_int_equal(wb_launch_pixel(l, x, y)[1], 0x7f800001);
			assert_float_equal(pixel(l, x, y, 2), -2 * v, 0);
			assert_int_equal(wb_launch_pixel(l, x, y)[3], 0);
			assert_int_equal(wb_launch_pixel(l, x, y)[4], 0x7f800001);
		}
	assert_null(wb_launch_pixel(l, 2, 2));
	assert_null(wb_launch_pixel(l, 7, 4));
	wb_launch_free(l);
	wb_program_free(p);
}

static void centroids_and_samples(void **state)
{
	struct wb_program *p = load(FP "interp $r0 v[0x0]\nexit interp $r1 cent v[0x0]\n");
	char scene[400];

	snprintf(scene, sizeof scene, "{\"fp\": {\"rect\": [0, 0, 2, 1], \"results\": 2, "
		 "\"sample\": {\"id\": 1, \"at\": "
		 "[0.25, 0.75]}, \"centroids\": [[1, 0, 1.5, 0.125]], %s}}", plane);
	struct wb_launch *l = ran(p, scene, none);
	assert_float_equal(pixel(l, 0, 0, 0), 1 + 2 * 0.25 + 16 * 0.75, 0);
	assert_float_equal(pixel(l, 0, 0, 1), 1 + 2 * 0.5 + 16 * 0.5, 0);
	assert_float_equal(pixel(l, 1, 0, 1), 1 + 2 * 1.5 + 16 * 0.125, 0);
	wb_launch_free(l);
	wb_program_free(p);
}

static uint64_t slots(const struct wb_report *r)
{
	const struct wb_bill *b = &r->bill;

	return b->useful + b->predicated + b->branched_off + b->brk + b->ret + b->exited + b->absent + b->rejoin +
	       r->bill.helper;
}

/* A pixel takes a quad, with the other lanes as helpers; the seven other quads are absent. */
static void a_quad_has_helpers(void **state)
{
	struct wb_program *p = load(FP "mov b32 $r0 0x1\nmov b32 $r1 0x2\nexit mov b32 $r2 $r1\n");
	struct wb_launch *l = ran(p, "{\"fp\": {\"rect\": [5, 5, 1, 1]}}", none);
	const struct wb_report *r = wb_launch_report(l);

	assert_int_equal(r->bill.lane_slots, 3 * 32);
	assert_int_equal(r->bill.useful, 3);
	assert_int_equal(r->bill.helper, 9);
	assert_int_equal(r->bill.absent, 3 * 28);
	assert_int_equal(slots(r), r->bill.lane_slots);
	wb_launch_free(l);
	wb_program_free(p);
}

/* Two rows of pixels; the fourth instruction kills pixels with an even x; the guard of the fifth turns off the
 * others. */
static const char killer[] = FP "interp $r0 v[0x0]\ncvt rzi u32 $r1 f32 $r0\n"
	"and b32 $c1 # $r1 c0[0x0]\n(e $c1) discard\n(e $c1) mov b32 $r3 $r1\nexit mov b32 $r4 $r1\n";
static const char killed[] = "{\"const\": {\"0\": [\"1\"]}, \"fp\": {\"rect\": [0, 0, 16, 2], \"varyings\": "
	"[{\"v\": 0, \"base\": -0.5, \"dx\": 1}]}}";

static void killed_lanes_are_helpers(void **state)
{
	struct wb_program *p = load(killer);
	struct wb_launch *l = ran(p, killed, none);
	const struct wb_report *r = wb_launch_report(l);

	assert_int_equal(r->bill.lane_slots, 6 * 32);
	assert_int_equal(r->bill.helper, 2 * 16);       /* both instructions behind the kill */
	assert_int_equal(r->bill.predicated, 16);       /* the living lanes */
	assert_int_equal(slots(r), r->bill.lane_slots);
	for (uint32_t x = 0; x < 16; x++)
		assert_int_equal(wb_launch_pixel(l, x, 1) != NULL, x & 1);
	wb_launch_free(l);
	wb_program_free(p);
}

/* A second discard adds to the first, and both to uncovered lanes. */
static void kills_add_up(void **state)
{
	struct wb_program *p = load(FP "interp $r0 v[0x0]\ncvt rzi u32 $r1 f32 $r0\nmov b32 $r2 0x1\nmov b32 $r3 0x2\n"
				    "and b32 $c0 # $r1 $r2\nand b32 $c1 # $r1 $r3\n(e $c0) discard\n(e $c1) discard\n"
				    "exit mov b32 $r4 $r1\n");
	struct wb_launch *l = ran(p, "{\"fp\": {\"rect\": [0, 0, 16, 2], "
				  "\"cover\": [\"1111111111111111\", \"1010101010101010\"], "
				  "\"varyings\": [{\"v\": 0, \"base\": -0.5, \"dx\": 1}]}}", none);
	const struct wb_report *r = wb_launch_report(l);

	for (uint32_t x = 0; x < 16; x++) {
		assert_int_equal(wb_launch_pixel(l, x, 0) != NULL, x % 4 == 3);
		assert_null(wb_launch_pixel(l, x, 1));
	}
	/* Eight are uncovered; 16 of even x are killed by the seventh, four of x % 4 == 1 by the eighth. */
	assert_int_equal(r->bill.helper, 7 * 8 + (8 + 16) + (8 + 16 + 4));
	assert_int_equal(slots(r), r->bill.lane_slots);
	wb_launch_free(l);
	wb_program_free(p);
}

static void killed_lanes_may_end(void **state)
{
	static const struct setting stop[] = { { "discard", "stop" }, { NULL, NULL } };
	struct wb_program *p = load(killer);
	struct wb_launch *l = ran(p, killed, stop);
	const struct wb_report *r = wb_launch_report(l);

	assert_int_equal(r->bill.helper, 0);
	assert_int_equal(r->bill.exited, 2 * 16);
	assert_int_equal(slots(r), r->bill.lane_slots);
	for (uint32_t x = 0; x < 16; x++)
		assert_int_equal(wb_launch_pixel(l, x, 0) != NULL, x & 1);
	wb_launch_free(l);
	wb_program_free(p);
}

/* A guard turns lanes of a quad off; the derivatives of the sampling lanes still use all four lanes' coordinates. x
 * goes by four texels a pixel, so that level 2 is read, in lanes without an active neighbour. */
static void a_guarded_texture_sees_its_quad(void **state)
{
	struct wb_program *p = load(FP "interp $r0 v[0x0]\ninterp $r4 v[0x4]\ncvt rzi u32 $r4 f32 $r4\n"
				    "mov b32 $r5 0x1\nand b32 $c0 # $r4 $r5\n"
				    "(e $c0) texauto all $r0:$r1:$r2:$r3 $t0 $s0 $r0 "
				    "0x0 0x0 0x0\nexit nop\n");
	struct wb_launch *l = ran(p, "{\"textures\": [{\"t\": 0, \"type\": \"1d\", \"format\": \"r32_float\", "
				  "\"width\": 8, \"levels\": 4, \"normalized\": true, \"data\": [\"1\", \"1\", \"1\", "
				  "\"1\", \"1\", \"1\", \"1\", "
				  "\"1\", \"2\", \"2\", \"2\", \"2\", \"3\", \"3\", \"4\"]}], "
				  "\"samplers\": [{\"s\": 0, \"wrap\": [\"wrap\", \"wrap\", \"wrap\"], \"min\": "
				  "\"nearest\", \"mag\": \"nearest\", \"mip\": \"nearest\"}], "
				  "\"fp\": {\"rect\": [0, 0, 2, 2], "
				  "\"varyings\": [{\"v\": 0, \"base\": 0, \"dx\": 0.5}, {\"v\": 4, \"base\": -0.5, "
				  "\"dx\": 1}]}}", none);

	assert_int_equal(wb_launch_pixel(l, 0, 0)[0], 3);       /* with the other lanes as 0, or without them: 2, 1 */
	assert_int_equal(wb_launch_pixel(l, 0, 1)[0], 3);
	assert_float_equal(pixel(l, 1, 0, 0), 0.75, 0);
	wb_launch_free(l);
	wb_program_free(p);
}

/* ---- the same whatever the way ---- */

/* Loops x times, branches by y, kills pixels, and takes derivatives of the result. */
static const char busy[] = FP "interp $r0 v[0x0]\ninterp $r1 v[0x4]\ncvt rzi u32 $r2 f32 $r0\ncvt rzi u32 $r3 f32 $r1\n"
	"mov b32 $r4 0x0\nmov b32 $r6 0x3\nand b32 $r5 $r2 $r6\nbreakaddr #out\n"
	"loop:\nset $c0 $r7 e u32 $r5 $r4\n(lg $c0) break\nadd b32 $r4 $r4 0x1\nadd rn f32 $r0 $r0 $r1\nbra #loop\n"
	"out:\nmov b32 $r6 0x1\nand b32 $c0 # $r3 $r6\njoinat #end\n(e $c0) bra #even\nadd rn f32 $r0 $r0 $r0\n"
	"bra #end\n"
	"even:\nmul rn f32 $r0 $r0 $r1\nend:\njoin nop\nmov b32 $r6 0x7\nxor b32 $r7 $r2 $r3\nand b32 $c1 # $r7 $r6\n"
	"(e $c1) discard\nquadop f32 sub subr sub subr $r1 dx $r0 $r0\nquadop f32 sub sub subr subr $r2 dy $r0 $r0\n"
	"exit mov b32 $r3 $r4\n";

static char *busy_scene(void)
{
	static char text[1200];
	size_t n = (size_t)snprintf(text, sizeof text, "{\"fp\": {\"rect\": [1, 3, 23, 19], \"varyings\": [{\"v\": 0, "
				    "\"dx\": 1}, {\"v\": 4, \"dy\": 1}], \"cover\": [");

	for (unsigned y = 0; y < 19; y++) {
		n += (size_t)snprintf(text + n, sizeof text - n, "%s\"", y ? "," : "");
		for (unsigned x = 0; x < 23; x++)
			text[n++] = (x * x + 3 * y * y) % 7 < 4 ? '1' : '0';
		text[n++] = '"';
	}
	snprintf(text + n, sizeof text - n, "]}}");
	return text;
}

/* All pixels, and the part of the bill that does not depend on the quads of a warp. */
static uint64_t picture(const struct wb_program *p, const struct setting *s, uint64_t *helper)
{
	struct wb_launch *l = ran(p, busy_scene(), s);
	const struct wb_report *r = wb_launch_report(l);
	uint64_t h = 0;

	for (uint32_t y = 3; y < 22; y++)
		for (uint32_t x = 1; x < 24; x++) {
			const uint32_t *w = wb_launch_pixel(l, x, y);
			for (unsigned k = 0; k < 4; k++)
				h = (h ^ (w ? w[k] : 0xdeadu)) * 0x9e3779b97f4a7c15ull;
		}
	assert_int_equal(slots(r), r->bill.lane_slots);
	*helper = r->bill.helper;
	wb_launch_free(l);
	return h;
}

static void all_ways_are_the_same(void **state)
{
	static const struct setting ways[][3] = {
		{ { "timing", "off" }, { NULL, NULL } },
		{ { "in-order", "on" }, { NULL, NULL } },
		{ { "threaded-code", "off" }, { NULL, NULL } },
		{ { "threads", "3" }, { "mps", "3" }, { NULL, NULL } },
		{ { "simd", "base" }, { NULL, NULL } },
		{ { "policy", "random" }, { "seed", "5" }, { NULL, NULL } },
		{ { "diverge", "fall" }, { NULL, NULL } },
		{ { "diverge", "random" }, { NULL, NULL } },
		{ { "reconverge", "ipdom" }, { NULL, NULL } },
		{ { "quad-order", "morton" }, { NULL, NULL } },
		{ { "quad-order", "1" }, { NULL, NULL } },
		{ { "quad-order", "2" }, { "in-order", "on" }, { NULL, NULL } },
	};
	struct wb_program *p = load(busy);
	uint64_t helper, want_helper, want = picture(p, none, &want_helper);

	assert_true(want_helper > 0);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (picture(p, ways[i], &helper) != want)
			fail_msg("--%s %s: another picture", ways[i][0].option, ways[i][0].value);
		if (i < 6)
			assert_int_equal(helper, want_helper);
	}
	wb_program_free(p);
}

/* Going back over a discard makes lanes live again. */
static void back_over_a_discard(void **state)
{
	struct wb_program *p = load(killer);
	struct wb_launch *l = on_scene(p, killed, none);
	struct wb_goal one = { .issues = 1 };
	struct wb_where where;
	struct wb_diag d = { 0 };
	uint64_t before[6];

	for (unsigned i = 0; i < 6; i++) {
		before[i] = i ? wb_launch_helpers(l, 0, 0) : 0;
		assert_int_equal(wb_launch_forward(l, &one, &where, &d), WB_OK);
	}
	assert_int_equal(before[3], 0);
	assert_int_equal(before[4], 0x55555555);
	for (unsigned i = 5; i > 0; i--) {
		assert_int_equal(wb_launch_back(l, &one, &where, &d), WB_OK);
		assert_int_equal(wb_launch_helpers(l, 0, 0), before[i]);
	}
	wb_launch_free(l);
	wb_program_free(p);
}

/* ---- misuse ---- */

/* The fault of an instruction's words in another program type. */
static const char *fault_of(const char *mode, uint32_t low, uint32_t high)
{
	static char what[400];
	uint32_t words[] = { low, high, 0xf0000001, 0xe0000781 };
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_launch *l;
	struct wb_diag d = { 0 };

	wb_config_set(c, "format", "raw", &d);
	wb_config_set(c, "mode", mode, &d);
	assert_int_equal(wb_program_load(words, sizeof words, "words", c, &p, &d), WB_OK);
	assert_int_equal(wb_launch_new(p, NULL, c, &l, &d), WB_OK);
	wb_launch_run(l, &d);
	snprintf(what, sizeof what, "%s", d.text);
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
	return what;
}

static void misuse_faults_by_name(void **state)
{
	enum { EMIT = 0xf0000201, RESTART = 0xf0000401, EMIT_HIGH = 0xc0000780, INTERP = 0x80000001, ST_O = 0x00000001,
	       LD_A = 0x00000001 };
	static const char *const not_gp[] = { "cp", "vp", "fp" }, *const not_fp[] = { "cp", "vp", "gp" };

	for (unsigned i = 0; i < 3; i++) {
		assert_non_null(strstr(fault_of(not_gp[i], EMIT, EMIT_HIGH), "emit or restart outside geometry"));
		assert_non_null(strstr(fault_of(not_gp[i], RESTART, EMIT_HIGH), "emit or restart outside geometry"));
		assert_non_null(strstr(fault_of(not_fp[i], INTERP, 0x00000780), "interp outside fragment"));
	}
	for (unsigned i = 0; i < 3; i += 2) {
		assert_non_null(strstr(fault_of(not_gp[i], ST_O, 0x80c00780), "a[] or o[] outside vertex"));
		assert_non_null(strstr(fault_of(not_gp[i], LD_A, 0x04200780), "a[] or o[] outside vertex"));
	}
}

/* ---- invalid scenes ---- */

static void refused(const struct wb_program *p, const char *scene, const char *why)
{
	struct wb_launch *l = launch(p, none);
	struct wb_diag d = { 0 };

	assert_int_equal(wb_launch_scene(l, scene, strlen(scene), "scene", &d), WB_INPUT);
	if (!strstr(d.text, why))
		fail_msg("%s\nfound: %s\nexpected: %s", scene, d.text, why);
	assert_string_equal(d.file, "scene");
	wb_launch_free(l);
}

static void scenes_that_are_refused(void **state)
{
	static const struct { const char *scene, *why; } cases[] = {
		{ "{", "" },
		{ "[]", "found a list of 0, expected an object" },
		{ "{}", "fp: found nothing" },
		{ "{\"schema\": \"x\"}", "schema: found \"x\", expected one of warpbeam.scene/1" },
		{ "{\"const\": {\"16\": []}}", "const.16: " },
		{ "{\"const\": {\"1\": [\"zz\"]}}", "const.1[0]: found \"zz\"" },
		{ "{\"const\": {\"1\": [null]}}", "const.1[0]: found null" },
		{ "{\"fp\": 1}", "fp: found 1, expected an object" },
		{ "{\"fp\": {}}", "fp.rect: found nothing, expected a list of 4" },
		{ "{\"fp\": {\"rect\": [0, 0, 1]}}", "fp.rect: found a list of 3" },
		{ "{\"fp\": {\"rect\": [0, -1, 1, 1]}}", "fp.rect[1]: found -1, expected a whole number from 0" },
		{ "{\"fp\": {\"rect\": [0, 0, 0, 1]}}", "fp.rect[2]: found 0" },
		{ "{\"fp\": {\"rect\": [8000, 0, 193, 1]}}", "fp.rect[2]: found 193" },
		{ "{\"fp\": {\"rect\": [0, 0, 4096, 4096]}}", "fp.rect: found a list of 4, expected at most " },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"rects\": 1}}", "fp.rects: found 1, expected no such member" },
		{ "{\"fp\": {\"rect\": [0, 0, 2, 1], \"cover\": [\"1\"]}}", "fp.cover[0]: found \"1\"" },
		{ "{\"fp\": {\"rect\": [0, 0, 2, 1], \"cover\": [\"12\"]}}", "fp.cover[0]: " },
		{ "{\"fp\": {\"rect\": [0, 0, 2, 1], \"cover\": [\"00\"]}}", "expected at least one covered pixel" },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"results\": 129}}", "fp.results: found 129" },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"front\": 1}}", "fp.front: found 1, expected true or false" },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"varyings\": [{\"v\": 2}]}}", "fp.varyings[0].v: found 2" },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"varyings\": [{\"v\": 1024}]}}", "fp.varyings[0].v: " },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"vertices\": [1, 2, 3]}}", "fp.vertices[0]: found 1" },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"vertices\": [{\"pos\": [0, 0, 0, 0]}, {}, {}]}}",
		  "fp.vertices[0].pos[3]: found 0, expected a W other than 0" },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"vertices\": [{\"pos\": [0, 0, 0, 1]}, {\"pos\": [1, 1, 0, 1]}, "
		  "{\"pos\": [2, 2, 0, 1]}]}}", "three corners that do not lie on a line" },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"modes\": [\"round\"]}}", "fp.modes[0]: found \"round\"" },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"position\": \"xq\"}}", "fp.position: " },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"sample\": {\"at\": [0, 1]}}}", "fp.sample" },
		{ "{\"fp\": {\"rect\": [0, 0, 1, 1], \"centroids\": [[1, 0, 0, 0]]}}", "fp.centroids[0][0]: found 1" },
	};
	static const struct { const char *scene, *why; } gp_cases[] = {
		{ "{\"gp\": {}}", "gp.input: found nothing, expected one of points|lines" },
		{ "{\"gp\": {\"input\": \"points\", \"output\": \"points\", \"max_vertices\": 1025}}",
		  "gp.max_vertices" },
		{ "{\"gp\": {\"input\": \"lines\", \"output\": \"points\", \"max_vertices\": 1, \"vertices\": [[]]}}",
		  "a multiple of 2" },
		{ "{\"gp\": {\"input\": \"lines\", \"output\": \"points\", \"max_vertices\": 1, \"vertices\": "
		  "[[], []], "
		  "\"indices\": [0, 2]}}", "gp.indices[1]: found 2" },
		{ "{\"gp\": {\"input\": \"points\", \"output\": \"points\", \"max_vertices\": 1, \"masks\": [\"10\"], "
		  "\"vertices\": [[]]}}", "gp.masks[0]: found \"10\"" },
		{ "{\"gp\": {\"input\": \"points\", \"output\": \"points\", \"max_vertices\": 1, "
		  "\"vertices\": [[[1, 2, 3, 4, 5]]]}}", "gp.vertices[0][0]: found a list of 5" },
	};
	struct wb_program *p = load(FP "exit nop\n"), *g = load(GP "exit nop\n");

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		refused(p, cases[i].scene, cases[i].why);
	for (size_t i = 0; i < sizeof gp_cases / sizeof *gp_cases; i++)
		refused(g, gp_cases[i].scene, gp_cases[i].why);
	wb_program_free(p);
	wb_program_free(g);
}

/* ---- members: every row of scene.def ---- */

enum { ATTRIBUTES = 16 };

static const struct member {
	const char *object, *key, *kind;
	long long least, most;
} members[] = {
#define MEMBER(object_, key_, kind_, presence, least_, most_, ...) { #object_, key_, #kind_, least_, most_ },
#include "device/inputs/scene.def"
};
enum { MEMBERS = sizeof members / sizeof *members };

/* Where a scene has an object, and members without which the object is refused. */
static const struct container {
	const char *object, *program, *begin, *end, *path, *needed[4];
} containers[] = {
	{ "root", FP, "{", "}", "", { "\"fp\": {\"rect\": [0, 0, 1, 1]}" } },
	{ "vp", VP, "{\"vp\": {", "}}", "vp.", { "\"vertices\": [[[1]]]" } },
	{ "gp", GP, "{\"gp\": {", "}}", "gp.",
	  { "\"input\": \"points\"", "\"output\": \"points\"", "\"max_vertices\": 1", "\"vertices\": [[]]" } },
	{ "fp", FP, "{\"fp\": {", "}}", "fp.", { "\"rect\": [0, 0, 1, 1]" } },
	{ "corner", FP, "{\"fp\": {\"rect\": [0, 0, 1, 1], \"vertices\": [{", "}, {}, {}]}}", "fp.vertices[0].",
	  { "\"pos\": [0, 0, 0, 1]" } },
	{ "varying", FP, "{\"fp\": {\"rect\": [0, 0, 1, 1], \"varyings\": [{", "}]}}", "fp.varyings[0].",
	  { "\"v\": 0" } },
	{ "sample", FP, "{\"fp\": {\"rect\": [0, 0, 1, 1], \"sample\": {", "}}}", "fp.sample.", { "\"id\": 0" } },
	{ "texture", FP, "{\"textures\": [{", "}]}", "textures[0].",
	  { "\"t\": 0", "\"type\": \"2d\"", "\"format\": \"r8_unorm\"", "\"width\": 1" } },
	{ "sampler", FP, "{\"samplers\": [{", "}]}", "samplers[0].", { "\"s\": 0" } },
	{ "bytes", FP, "{\"memory\": [{", "}]}", "memory[0].", { "\"address\": \"0x10\"", "\"file\": \"none\"" } },
};

/* The message about a scene with a member of this value; "" if there is none. */
static const char *said(const struct container *c, const char *key, const char *value)
{
	static struct wb_diag d;
	char text[400], name[32], program[100];
	size_t n = (size_t)snprintf(text, sizeof text, "%s\"%s\": %s", c->begin, key, value);
	struct wb_program *p;
	struct wb_launch *l;

	snprintf(name, sizeof name, "\"%s\":", key);
	for (unsigned i = 0; i < 4 && c->needed[i]; i++)
		if (strncmp(c->needed[i], name, strlen(name)) != 0)
			n += (size_t)snprintf(text + n, sizeof text - n, ", %s", c->needed[i]);
	snprintf(text + n, sizeof text - n, "%s", c->end);
	d = (struct wb_diag){ 0 };
	snprintf(program, sizeof program, "%sexit nop\n", c->program);
	p = load(program);
	l = launch(p, none);
	if (wb_launch_scene(l, text, strlen(text), "scene", &d) == WB_OK)
		d.text[0] = '\0';
	wb_launch_free(l);
	wb_program_free(p);
	return d.text;
}

static void says(const struct container *c, const char *key, const char *value, const char *want)
{
	const char *found = said(c, key, value);

	if (strncmp(found, want, strlen(want)) != 0)
		fail_msg("%s%s, %s\nfound: %s\nexpected: %s", c->path, key, value, found, want);
}

/* Whether an object is a value of the member, or is read further. */
static bool takes_objects(const struct member *m)
{
	return !strcmp(m->kind, "JSON") && strstr(" const vp gp fp sample what ", m->key);
}

static void members_are_checked(void **state)
{
	char want[200], value[32];

	for (const struct container *c = containers; c < containers + sizeof containers / sizeof *containers; c++) {
		for (const struct member *m = members; m < members + MEMBERS; m++) {
			if (strcmp(m->object, c->object) != 0)
				continue;
			snprintf(want, sizeof want, "%s%s: found an object, expected ", c->path, m->key);
			if (!takes_objects(m))
				says(c, m->key, "{}", want);
			if (strcmp(m->kind, "INTEGER") != 0 || !m->most)
				continue;
			for (unsigned i = 0; i < 2; i++) {
				snprintf(value, sizeof value, "%lld", i ? m->most + 1 : m->least - 1);
				snprintf(want, sizeof want, "%s%s: found %s, expected a whole number from %lld to "
					 "%lld", c->path, m->key, value, m->least, m->most);
				says(c, m->key, value, want);
			}
		}
	}
}

/* An object has no members but its rows; the document may have any. */
static void unknown_members_are_named(void **state)
{
	for (const struct container *c = containers; c < containers + sizeof containers / sizeof *containers; c++) {
		char want[300];
		int n = snprintf(want, sizeof want, "%sunknown: found 1, expected no such member; members are:",
				 c->path);
		for (const struct member *m = members; m < members + MEMBERS; m++)
			if (!strcmp(m->object, c->object))
				n += snprintf(want + n, sizeof want - (size_t)n, " %s", m->key);
		if (strcmp(c->object, "root") != 0)
			says(c, "unknown", "1", want);
		else
			assert_string_equal(said(c, "unknown", "1"), "");
	}
}

/* ---- triangles ---- */

/* Two triangles that share an edge cover each pixel of a square once, whichever way round they are. */
static void shared_edges_are_covered_once(void **state)
{
	static const char *const halves[] = {
		"{\"pos\": [0.5, 0.5, 0, 1]}, {\"pos\": [8.5, 0.5, 0, 1]}, {\"pos\": [0.5, 8.5, 0, 1]}",
		"{\"pos\": [8.5, 8.5, 0, 1]}, {\"pos\": [8.5, 0.5, 0, 1]}, {\"pos\": [0.5, 8.5, 0, 1]}",
	};
	struct wb_program *p = load(FP "mov b32 $r0 0x1\nexit nop\n");
	unsigned covered[10][10] = { { 0 } };

	for (unsigned i = 0; i < 2; i++) {
		char scene[400];
		snprintf(scene, sizeof scene, "{\"fp\": {\"rect\": [0, 0, 10, 10], \"vertices\": [%s]}}", halves[i]);
		struct wb_launch *l = ran(p, scene, none);
		for (uint32_t y = 0; y < 10; y++)
			for (uint32_t x = 0; x < 10; x++)
				covered[y][x] += wb_launch_pixel(l, x, y) != NULL;
		wb_launch_free(l);
	}
	for (unsigned y = 0; y < 10; y++)
		for (unsigned x = 0; x < 10; x++)
			assert_int_equal(covered[y][x], x < 8 && y < 8);
	wb_program_free(p);
}

/* w first, then inputs that are not flat, then flat inputs; a perspective plane is of attribute over w. */
static void a_triangle_is_set_up(void **state)
{
	struct wb_program *p = load(FP "interp $r0 v[0x0]\nrcp f32 $r4 $r0\ninterp $r1 v[0x4] $r4\ninterp $r2 v[0x8]\n"
				    "exit interp $r3 flat v[0xc]\n");
	struct wb_launch *l = ran(p,
		"{\"fp\": {\"rect\": [0, 0, 4, 4], \"modes\": [\"persp\", \"flat\", \"linear\"], "
		"\"masks\": [\"1\", \"1\", \"1\"], \"vertices\": ["
		"{\"pos\": [0, 0, 0, 1], \"attr\": [[2], [\"1\"], [0]]}, "
		"{\"pos\": [8, 0, 0, 2], \"attr\": [[4], [\"2\"], [8]]}, "
		"{\"pos\": [0, 8, 0, 4], \"attr\": [[8], [\"3\"], [16]]}]}}", none);

	for (uint32_t y = 0; y < 4; y++)
		for (uint32_t x = 0; x < 4; x++) {
			float w = 1 - ((float)x + 0.5f) / 16 - ((float)y + 0.5f) * 3 / 32;
			assert_float_equal(pixel(l, x, y, 0), w, 1e-6);
			assert_float_equal(pixel(l, x, y, 1), 2 / w, 1e-5);
			assert_float_equal(pixel(l, x, y, 2), ((float)x + 0.5f) + 2 * ((float)y + 0.5f), 1e-5);
			assert_int_equal(wb_launch_pixel(l, x, y)[3], 3);
		}
	wb_launch_free(l);
	wb_program_free(p);
}

/* A program text may contain a scene. */
static void a_scene_in_the_text(void **state)
{
	struct wb_program *p = load(FP ".scene {\"fp\": {\"rect\": [0, 0, 3, 1],\n.scene \"results\": 1}}\n"
				    "mov b32 $r0 0x5\nexit nop\n");
	struct wb_launch *l = launch(p, none);
	struct wb_diag d = { 0 };
	uint32_t threads;

	assert_int_equal(wb_launch_run(l, &d), WB_OK);
	assert_int_equal(wb_launch_stage(l, &threads), WB_STAGE_FRAGMENT);
	assert_int_equal(threads, 8);
	assert_int_equal(wb_launch_pixel(l, 2, 0)[0], 5);
	wb_launch_free(l);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lent_lanes_emit_nothing), cmocka_unit_test(emits_beyond_the_limit_are_dropped),
		cmocka_unit_test(outputs_are_zero_after_emit),
		cmocka_unit_test(pointers_are_opaque),
		cmocka_unit_test(waits_for_texels_are_of_textures), cmocka_unit_test(attributes_are_packed),
		cmocka_unit_test(attributes_by_address),
		cmocka_unit_test(mad_truncates_its_product),
		cmocka_unit_test(planes_are_sampled),
		cmocka_unit_test(centroids_and_samples),
		cmocka_unit_test(a_quad_has_helpers),
		cmocka_unit_test(killed_lanes_are_helpers),
		cmocka_unit_test(kills_add_up),
		cmocka_unit_test(killed_lanes_may_end),
		cmocka_unit_test(a_guarded_texture_sees_its_quad),
		cmocka_unit_test(all_ways_are_the_same),
		cmocka_unit_test(back_over_a_discard),
		cmocka_unit_test(misuse_faults_by_name),
		cmocka_unit_test(scenes_that_are_refused),
		cmocka_unit_test(members_are_checked),
		cmocka_unit_test(unknown_members_are_named),
		cmocka_unit_test(shared_edges_are_covered_once),
		cmocka_unit_test(a_triangle_is_set_up),
		cmocka_unit_test(a_scene_in_the_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
