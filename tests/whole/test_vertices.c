/* Vertices through the public interface: however many lanes of a warp take them, each gets the same results. */
#include "tests/kit/text.h"

#include <stdlib.h>
#include <string.h>

#include "warpbeam.h"

enum { VERTICES = 67, PROGRAMS = 24 };

static void arithmetic(struct text *t)
{
	static const char *const ops[] = { "add", "mul", "max", "min", "slt", "dp4" };

	put(t, "%s r%u, c%u[lcnt], r%u\n", ops[below(t, 6)], below(t, 4), below(t, 8), below(t, 4));
}

/* Statements on r0 … r3; conditions differ from vertex to vertex. */
static void block(struct text *t, unsigned depth)
{
	for (unsigned n = 1 + below(t, 2); n; n--) {
		unsigned what = depth ? below(t, 4) : 3;
		if (what == 3) {
			arithmetic(t);
			continue;
		}
		if (what == 2) {
			put(t, "loop i%u\n", below(t, 2));
			block(t, depth - 1);
			put(t, "cmp r%u.xy, r%u.xy, <, >\nbreak cc.x && cc.y\nnop\nendloop\n",
			    below(t, 4), below(t, 4));
			continue;
		}
		put(t, "cmp r%u.xy, r%u.wz, <=, !=\nif cc.%c\n", below(t, 4), below(t, 4), "xy"[below(t, 2)]);
		block(t, depth - 1);
		put(t, "nop\nelse\n");
		block(t, depth - 1);
		put(t, "nop\nendif\n");
	}
}

static void write_program(struct text *t, uint64_t seed)
{
	*t = (struct text){ .random = seed };
	put(t, ".alias pos o0 as position\n.alias col o1 as color\n.alias n i0 as (2, 1, 1, 0)\n"
	    ".alias m i1 as (3, 0, 2, 0)\n");
	for (unsigned c = 0; c < 12; c++)
		put(t, ".alias k%u c%u as (%u.5, -1.25, 0.%u, 1.0)\n", c, c, c, c);
	put(t, "main:\nmov r0, v0\nmov r1, v1\nmov r2, v0.wzyx\nmov r3, v1.yxwz\n");
	for (unsigned i = 0; i < 4; i++)
		block(t, 3);
	put(t, "mov pos, r0\nmov col, r1\nnop\nend\n");
}

static struct wb_program *load(const struct text *t)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_diag d;

	assert_int_equal(wb_config_set(c, "isa", "pica", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
	if (wb_program_load(t->bytes, t->n, "random.vsh", c, &p, &d) != WB_OK)
		fail_msg("line %d: %s\n%s", d.line, d.text, t->bytes);
	wb_config_free(c);
	return p;
}

static struct wb_launch *launch(const struct wb_program *p, const char *lanes, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l;

	assert_int_equal(wb_config_set(c, "lanes", lanes, d), WB_OK);
	assert_int_equal(wb_config_set(c, "timing", "off", d), WB_OK);
	wb_launch_new(p, NULL, c, &l, d);
	wb_config_free(c);
	return l;
}

/* Outputs of all vertices, and how many warps there were. */
static uint32_t run(const struct wb_program *p, unsigned lanes, uint64_t seed, uint32_t *out)
{
	struct wb_diag d;
	char text[8];

	snprintf(text, sizeof text, "%u", lanes);
	struct wb_launch *l = launch(p, text, &d);
	unsigned each = wb_launch_in_words(l);
	uint32_t *in = calloc((size_t)VERTICES * each, sizeof *in);
	for (size_t i = 0; i < (size_t)VERTICES * each; i++) {
		float f = (float)((int)rng_below(&seed, 64) - 32) / 8;
		memcpy(&in[i], &f, 4);
	}
	assert_int_equal(wb_launch_vertices(l, in, VERTICES, &d), WB_OK);
	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	each = wb_launch_out_words(l);
	for (uint32_t i = 0; i < VERTICES; i++)
		memcpy(out + (size_t)i * each, wb_launch_output(l, i), each * sizeof *out);
	uint32_t warps = wb_launch_report(l)->launch.blocks;
	wb_launch_free(l);
	free(in);
	return warps;
}

static void any_number_of_lanes(void **state)
{
	static const unsigned lanes[] = { 1, 2, 3, 7, 16, 31 };
	static uint32_t want[VERTICES * 64], got[VERTICES * 64];
	static struct text t;

	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		write_program(&t, seed);
		struct wb_program *p = load(&t);
		assert_int_equal(run(p, 32, seed, want), 3);
		for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
			assert_int_equal(run(p, lanes[i], seed, got), (VERTICES + lanes[i] - 1) / lanes[i]);
			if (memcmp(want, got, sizeof want))
				fail_msg("program %u differs with %u lanes", (unsigned)seed, lanes[i]);
		}
		wb_program_free(p);
	}
}

static void numbers_of_lanes_that_are_none(void **state)
{
	static struct text t;
	struct wb_diag d;

	write_program(&t, 1);
	struct wb_program *p = load(&t);
	assert_null(launch(p, "0", &d));
	assert_int_equal(d.status, WB_USAGE);
	assert_null(launch(p, "33", &d));
	assert_string_equal(d.text, "--lanes: found 33, expected 1 to 32");
	wb_program_free(p);
}

/* A grid has 65,535 blocks at most, each a warp here: one vertex more is refused. */
static void as_many_as_a_grid_has_warps_for(void **state)
{
	enum { MOST = 65535 };
	static struct text t;
	struct wb_diag d;

	write_program(&t, 1);
	struct wb_program *p = load(&t);
	struct wb_launch *l = launch(p, "1", &d);
	uint32_t *in = calloc((size_t)(MOST + 1) * wb_launch_in_words(l), sizeof *in);
	assert_int_equal(wb_launch_vertices(l, in, MOST + 1, &d), WB_USAGE);
	assert_string_equal(d.text, "found 65536 vertices, expected at most 65535: draw in parts");
	assert_int_equal(wb_launch_vertices(l, in, MOST, &d), WB_OK);
	assert_int_equal(wb_launch_prepare(l, &d), WB_OK);
	free(in);
	wb_launch_free(l);
	wb_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_lanes),
		cmocka_unit_test(numbers_of_lanes_that_are_none),
		cmocka_unit_test(as_many_as_a_grid_has_warps_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
