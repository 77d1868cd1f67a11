/* One access at a border, run at every SIMD level and in every way to execute, against the test's expectation. */
#ifndef WB_TESTS_UNIT_BORDERS_H
#define WB_TESTS_UNIT_BORDERS_H

#include <stdarg.h>

#include "tests/kit/launches.h"

enum { BORDER_BYTES = 4096, BORDER_RESULT = 2048, BORDER_FILL = 0x5a, BORDER_SETTINGS = 6 };

/* A program with its one argument, BORDER_BYTES bytes of BORDER_FILL. Lanes leave a word each at BORDER_RESULT. */
struct border {
	char text[8192];
	struct setting setting[BORDER_SETTINGS];        /* further settings, ended by NULL */
	const char *scene;              /* JSON; NULL: none */
	bool faults;
	unsigned lanes;                 /* words at BORDER_RESULT */
	uint32_t result[64];
	/* Bytes of the argument that are STORED after a run without a fault: first to first + stored. */
	unsigned stored_begin, stored;
};

enum { BORDER_STORED = 0x11 };

static unsigned border_cases;

static inline void border_say(struct border *b, const char *format, ...)
{
	size_t used = strlen(b->text);
	va_list args;

	va_start(args, format);
	used += (size_t)vsnprintf(b->text + used, sizeof b->text - used, format, args);
	va_end(args);
	assert_true(used < sizeof b->text);
}

static inline bool border_memory_is(const struct border *b, const uint8_t *memory)
{
	uint8_t expected[BORDER_BYTES];

	memset(expected, BORDER_FILL, sizeof expected);
	memset(expected + b->stored_begin, BORDER_STORED, b->stored);
	memcpy(expected + BORDER_RESULT, b->result, 4 * b->lanes);
	return !memcmp(memory, expected, sizeof expected);
}

static inline void border_try(const struct border *b, const struct wb_program *p, const struct setting *way)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l;
	struct wb_diag d = { 0 };
	uint8_t memory[BORDER_BYTES];
	enum wb_status status;

	/* Accesses beyond the buffer that the machine carries out are no errors of these programs. */
	assert_int_equal(wb_config_set(c, "check", "none", &d), WB_OK);
	for (const struct setting *s = way; s->option; s++)
		assert_int_equal(wb_config_set(c, s->option, s->value, &d), WB_OK);
	for (const struct setting *s = b->setting; s->option; s++)
		if (wb_config_set(c, s->option, s->value, &d) != WB_OK)
			fail_msg("%s", d.text);
	memset(memory, BORDER_FILL, sizeof memory);
	if (wb_launch_new(p, NULL, c, &l, &d) != WB_OK ||
	    (b->scene && wb_launch_scene(l, b->scene, strlen(b->scene), "scene", &d) != WB_OK) ||
	    wb_launch_arg(l, "zero=4096", &d) != WB_OK ||
	    wb_launch_write_arg(l, 0, 0, memory, sizeof memory, &d) != WB_OK)
		fail_msg("%s\n%s", d.text, b->text);
	status = wb_launch_run(l, &d);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, memory, sizeof memory, NULL), WB_OK);
	if (status != (b->faults ? WB_FAULT : WB_OK))
		fail_msg("%s %s, %s %s, %s %s: status %d %s, expected %s\n%s", way[0].option, way[0].value,
			 way[1].option, way[1].value, way[2].option, way[2].value, status, d.text,
			 b->faults ? "a fault" : "none", b->text);
	for (unsigned i = 0; !b->faults && i < b->lanes; i++)
		if (memcmp(memory + BORDER_RESULT + 4 * i, &b->result[i], 4))
			fail_msg("%s %s, %s %s, %s %s: lane %u has 0x%02x%02x%02x%02x, expected 0x%08x\n%s",
				 way[0].option, way[0].value, way[1].option, way[1].value, way[2].option, way[2].value,
				 i, memory[BORDER_RESULT + 4 * i + 3], memory[BORDER_RESULT + 4 * i + 2],
				 memory[BORDER_RESULT + 4 * i + 1], memory[BORDER_RESULT + 4 * i], b->result[i],
				 b->text);
	if (!b->faults && !border_memory_is(b, memory))
		fail_msg("%s %s, %s %s, %s %s: other bytes in memory\n%s", way[0].option, way[0].value, way[1].option,
			 way[1].value, way[2].option, way[2].value, b->text);
	wb_launch_free(l);
	wb_config_free(c);
	border_cases++;
}

static inline void border_in_all_ways(const struct border *b)
{
	static const struct setting ways[][3] = {
		{ { "timing", "on" }, { "in-order", "off" } }, { { "timing", "on" }, { "in-order", "on" } },
		{ { "timing", "on" }, { "threaded-code", "off" } }, { { "timing", "off" }, { "threaded-code", "on" } },
		{ { "timing", "off" }, { "threaded-code", "off" } }, { { "timing", "on" }, { "threads", "2" } },
	};
	struct wb_program *p = load(b->text);
	bool all = getenv("WB_TEST_ALL") != NULL;
	static unsigned turn;

	/* Every way at the best vector level of the host; two ways in turn at each lower level. */
	for (unsigned level = 0; wb_simd_level(level); level++)
		for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++) {
			if (!all && wb_simd_level(level + 1) && w % 3 != turn % 3)
				continue;
			const struct setting s[] = {
				{ "simd", wb_simd_level(level) }, ways[w][0], ways[w][1], { NULL, NULL }
			};
			border_try(b, p, s);
		}
	turn++;
	wb_program_free(p);
}

#endif
