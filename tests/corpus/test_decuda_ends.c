/* The decuda cubins that need more than words in and words out: faults, loops for ever, ids, device variables, dynamic
 * shared memory, a real video filter. And a count: every cubin loads, prints and is known to one of the two tests. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/corpus/corpus.h"
#include "tests/kit/cmocka_all.h"
#include "tests/kit/shared.h"

enum { BASE = 0x100000 };       /* the first buffer's address */

/* Open a cubin and launch it with one buffer of these words. */
static void with_words(struct corpus *c, const char *file, const char *options, const uint32_t *words, unsigned n)
{
	corpus_open(c, file, "ptr=8 block=1");
	corpus_set(c, options);
	corpus_launch(c);
	corpus_arg(c, "zero=%u", n * 4);
	wb_launch_write_arg(c->launch, 0, 0, words, n * 4, NULL);
}

/* ---- faults ---- */

/* 16 bytes stored at x + 4. What was stored before stays: the grid's id, 0, over x[0]. */
static void misaligned(const char *file, unsigned pc)
{
	static const uint32_t before[6] = { 11, 12, 13, 14, 15, 16 }, after[6] = { 0, 12, 13, 14, 15, 16 };
	struct corpus c;

	with_words(&c, file, "", before, 6);
	corpus_run(&c);
	corpus_faulted(&c, "GLOBAL_MISALIGNED", pc);
	corpus_words(&c, "g", BASE, after, 6, "after the fault");
	corpus_close(&c);
}

static void test_misaligned(void **state)
{
	(void)state;
	misaligned("decuda/test27.cubin", 0x38);
	misaligned("decuda/test27a.cubin", 0xc8);
	misaligned("decuda/test27b.cubin", 0x48);
}

/* lmem = 1 makes 16 bytes of l[], addressed by the low half of a pointer, which is 0: four words work. */
static void test_local_range(void **state)
{
	static const uint32_t before[30] = { 1, 2, 3, 4, 5, 6 }, after[30] = { 0, 0, 0, 0, 5, 6 };
	struct corpus c;
	uint32_t local[4];

	(void)state;
	with_words(&c, "decuda/test21local.cubin", "", before, 30);
	corpus_run(&c);
	corpus_faulted(&c, "LOCAL_OUT_OF_RANGE", 0x70);
	corpus_words(&c, "g", BASE, after, 30, "copied out of l[]");
	corpus_close(&c);
	with_words(&c, "decuda/test21local2.cubin", "", before, 30);
	corpus_run(&c);
	corpus_faulted(&c, "LOCAL_OUT_OF_RANGE", 0x208);
	assert_int_equal(wb_launch_read(c.launch, "l", 0, local, sizeof local, NULL), WB_OK);
	assert_memory_equal(local, before, sizeof local);
	corpus_close(&c);
}

/* The launch gives no texture. */
static void test_texture(void **state)
{
	static const uint32_t words[4] = { 1, 2, 3, 4 };
	struct corpus c;

	(void)state;
	with_words(&c, "decuda/test28.cubin", "", words, 4);
	corpus_run(&c);
	corpus_faulted(&c, "TEXTURE_UNBOUND", 0x20);
	corpus_words(&c, "g", BASE, words, 4, "untouched");
	corpus_close(&c);
}

/* ---- loops ---- */

/* Four backward branches over two signed numbers and their exclusive or; nothing in the loops changes anything. */
static void test_predicated_loops(void **state)
{
	static const int32_t pairs[][2] = {
		{ 5, 4 }, { 4, 5 }, { 1, 1 }, { 7, 0 }, { 0, 7 }, { 7, -8 }, { 6, 5 }, { 12, 9 },
	};
	struct corpus c;

	(void)state;
	for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		int32_t a = pairs[i][0], b = pairs[i][1], mix = a ^ b;
		bool for_ever = a <= b || b <= mix || a <= mix || mix == b;
		uint32_t before[2] = { (uint32_t)a, (uint32_t)b };
		uint32_t after[2] = { (uint32_t)a, (uint32_t)(for_ever ? b : mix) };
		with_words(&c, "decuda/test28pred.cubin", "", before, 2);
		corpus_run(&c);
		corpus_ended(&c, for_ever ? WB_HANG : WB_OK);
		if (for_ever)
			assert_string_equal(wb_launch_report(c.launch)->result, "livelock");
		corpus_words(&c, "g", BASE, after, 2, "x[]");
		corpus_close(&c);
	}
}

/* A chain through out[] and shared memory, as test40.cu has it. Returns false if it has no end. */
static bool follow40(int32_t *out, int32_t width)
{
	int32_t shared[256] = { 0 };
	int x = 3;

	for (int steps = 0; x < width / 2; steps++) {
		if (steps == 1000)
			return false;
		shared[x] = 200;
		out[x] = shared[x + 1];
		x = out[x + 1];
	}
	return true;
}

static void test_shared_chain(void **state)
{
	struct corpus c;
	unsigned ends = 0;

	(void)state;
	corpus_open(&c, "decuda/test40.cubin", "ptr=8 smem=1024 max-insns=20000");
	for (int32_t trial = 0; trial < 120; trial++) {
		int32_t before[64], after[64], width = trial % 125 - 3;
		for (int i = 0; i < 64; i++)
			before[i] = (i * 37 + trial * 11 + i * i * trial) % 62;
		memcpy(after, before, sizeof after);
		bool end = follow40(after, width);
		corpus_launch(&c);
		corpus_arg(&c, "zero=256");
		corpus_arg(&c, "s32=%d", width);
		wb_launch_write_arg(c.launch, 0, 0, before, sizeof before, NULL);
		corpus_run(&c);
		corpus_ended(&c, end ? WB_OK : WB_LIMIT);
		if (end)
			corpus_words(&c, "g", BASE, (uint32_t *)after, 64, "out[]");
		ends += end;
	}
	assert_in_range(ends, 60, 119);
	corpus_close(&c);
}

/* ---- what a launch provides ---- */

/* Sixteen bits each: ctaid.x y, 0, tid.x y z, ntid.x y, (an old compiler's) ntid.y for z, nctaid.x y, 1. */
static void ids(const char *options, const char *grid, const uint16_t want[12])
{
	struct corpus c;
	uint16_t got[12];

	corpus_open(&c, "decuda/test30.cubin", "ptr=8");
	corpus_set(&c, options);
	corpus_set(&c, grid);
	corpus_launch(&c);
	corpus_arg(&c, "zero=24");
	corpus_run(&c);
	corpus_ended(&c, WB_OK);
	assert_int_equal(wb_launch_read_arg(c.launch, 0, 0, got, sizeof got, NULL), WB_OK);
	for (int i = 0; i < 12; i++)
		if (got[i] != want[i])
			fail_msg("test30 %s %s: data[%d] is %u, expected %u", options, grid, i, got[i], want[i]);
	corpus_close(&c);
}

static void test_ids(void **state)
{
	(void)state;
	ids("block=1", "grid=1", (uint16_t[]){ 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1 });
	/* All threads of a warp store to one place: the highest lane stays, or the lowest by choice. */
	ids("block=4,2,3", "grid=1", (uint16_t[]){ 0, 0, 0, 3, 1, 2, 4, 2, 2, 1, 1, 1 });
	ids("block=4,2,3", "store-winner=lowest", (uint16_t[]){ 0, 0, 0, 0, 0, 0, 4, 2, 2, 1, 1, 1 });
	/* Six blocks race for the words; without timing they take turns in their order, so the last one's stay. */
	ids("block=1,5 timing=off", "grid=3,2", (uint16_t[]){ 2, 1, 0, 0, 4, 0, 1, 5, 5, 3, 2, 1 });
}

/* A counter that no option chose counts nothing. */
static void test_counter(void **state)
{
	static const uint32_t before = 0x12345678, after = 0x12340000;
	struct corpus c;

	(void)state;
	with_words(&c, "decuda/test30a.cubin", "", &before, 1);
	corpus_run(&c);
	corpus_ended(&c, WB_OK);
	corpus_words(&c, "g", BASE, &after, 1, "low half");
	corpus_close(&c);
}

/* c0[] given at launch, copied to x[]. */
static void test_user_constants(void **state)
{
	struct corpus c;
	uint32_t constants[30];
	char option[96];

	(void)state;
	for (uint32_t i = 0; i < 30; i++)
		constants[i] = 0x01010101 * i;
	corpus_open(&c, "decuda/test21const.cubin", "ptr=8");
	snprintf(option, sizeof option, "const=0:0=%s", corpus_bytes(&c, constants, sizeof constants));
	corpus_set(&c, option);
	corpus_launch(&c);
	corpus_arg(&c, "zero=120");
	corpus_arg(&c, "zero=4");
	corpus_run(&c);
	corpus_ended(&c, WB_OK);
	corpus_words(&c, "g", BASE, constants, 30, "x[]");
	corpus_close(&c);
}

/* test36.cu: uu, vv, ww[10] in constant memory, xx and xx2 in global memory, found through c14[]. `data` points into
 * the buffer of data2, because the program reads from data - 8. */
static void source36(uint8_t *data2, uint32_t *data, const uint32_t *user)
{
	for (int i = 0; i < 10; i++) {
		data2[i] = (uint8_t)data[i];
		data2[i + 2] = (uint8_t)(data[i - 2] >> 16);
	}
	for (int i = 0; i < 10; i++)
		data[i] = user[2 + i];
}

static void test_device_variables(void **state)
{
	static const uint32_t user[12] = { 77, 0xffff8001, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109 };
	uint32_t memory[64], found[2], xx, xx2[2];
	struct corpus c;
	char option[96];

	(void)state;
	for (uint32_t i = 0; i < 64; i++)
		memory[i] = i * 0x01234567;
	corpus_open(&c, "decuda/test36.cubin", "ptr=8 block=1");
	snprintf(option, sizeof option, "const=0:0=%s", corpus_bytes(&c, user, sizeof user));
	corpus_set(&c, option);
	corpus_launch(&c);
	corpus_arg(&c, "u64=0x%x", BASE + 64);
	corpus_arg(&c, "zero=256");
	wb_launch_write_arg(c.launch, 1, 0, memory, sizeof memory, NULL);
	corpus_run(&c);
	corpus_ended(&c, WB_OK);
	source36((uint8_t *)memory, memory + 16, user);
	corpus_words(&c, "g", BASE, memory, 64, "data and data2");
	assert_int_equal(wb_launch_read(c.launch, "c14", 0, found, sizeof found, NULL), WB_OK);
	assert_int_equal(wb_launch_read(c.launch, "g", found[0], &xx, 4, NULL), WB_OK);
	assert_int_equal(wb_launch_read(c.launch, "g", found[1], xx2, 8, NULL), WB_OK);
	assert_int_equal(xx, 77);
	assert_int_equal(xx2[0], found[0]);
	assert_int_equal(xx2[1], 0);
	corpus_close(&c);
}

/* ---- motion compensation ---- */

/* Cells of a picture have a middle of one colour and ramps to their neighbours, right and below. Blocks 4k, 4k + 1,
 * 4k + 2, 4k + 3 paint middles, ramps to the right, ramps downwards, corners; a thread paints two pixels of 16 bits. */
enum { LOG_MID_X = 2, LOG_RAMP_X = 2, LOG_CELL_X = 3, LOG_MID_Y = 1, LOG_RAMP_Y = 1, LOG_CELL_Y = 2 };
enum { PER_ROW = 17, STRIDE = 256, WIDTH = 115, HEIGHT = 57, ROWS = 64, SHIFT = 4, VECTORS = 0x50 };
#define NO_VECTOR 0x7ffe7ffeu

/* The colour that stands in place of a vector's second half; vectors are `scale` bytes apart. */
static int32_t colour(const uint32_t *user, unsigned row, unsigned col, unsigned scale)
{
	return (int32_t)user[(VECTORS + (row * PER_ROW + col) * scale) / 4 + 1] >> SHIFT & 0xff;
}

/* Between a and b at step `at` of 2^log. */
static int32_t mix(int32_t a, int32_t b, unsigned at, unsigned log)
{
	int32_t n = 1 << log, w = (int32_t)at + 1 < n ? (int32_t)at + 1 : n;

	return w * b + (n - w) * a;
}

static void paint_thread(uint32_t *picture, const uint32_t *user, unsigned scale, const unsigned block[2],
			 const unsigned thread[2])
{
	bool right = block[0] & 1, below = block[0] & 2;
	unsigned log_x = right ? LOG_RAMP_X : LOG_MID_X, log_y = below ? LOG_RAMP_Y : LOG_MID_Y;
	unsigned col = (block[0] / 4 << (5 - log_x)) + (thread[0] >> (log_x - 1));
	unsigned row = (block[1] << (4 - log_y)) + (thread[1] >> log_y);
	unsigned at_x = 2 * (thread[0] % (1 << (log_x - 1))), at_y = thread[1] % (1 << log_y);
	unsigned x = (col << LOG_CELL_X) + at_x + (right ? 1 << LOG_MID_X : 0);
	unsigned y = (row << LOG_CELL_Y) + at_y + (below ? 1 << LOG_MID_Y : 0);
	int32_t v = colour(user, row, col, scale);

	if (x >= WIDTH || y >= HEIGHT)
		return;
	if (right)
		v = mix(v, colour(user, row, col + 1, scale), at_x, LOG_RAMP_X);
	if (below) {
		int32_t under = colour(user, row + 1, col, scale);
		if (right)
			under = mix(under, colour(user, row + 1, col + 1, scale), at_x, LOG_RAMP_X);
		v = mix(v, under, at_y, LOG_RAMP_Y);
	}
	v >>= (right ? LOG_RAMP_X : 0) + (below ? LOG_RAMP_Y : 0);
	picture[(STRIDE * y + 2 * x) / 4] = (uint32_t)v | (uint32_t)v << 16;
}

/* `middle` is the scale in the blocks of middles; motion_div's differs from all others. */
static void paint(uint32_t *picture, const uint32_t *user, unsigned middle)
{
	for (unsigned b = 0; b < 8 * 2; b++)
		for (unsigned t = 0; t < 16 * 16; t++)
			paint_thread(picture, user, b % 4 ? 8 : middle, (unsigned[]){ b % 8, b / 8 },
				     (unsigned[]){ t % 16, t / 16 });
}

static void launch_motion(struct corpus *c, const char *file, const uint32_t *user, size_t size)
{
	static const int32_t words[] = {
		STRIDE, WIDTH, HEIGHT, SHIFT, 0x3f800000, 0x3f800000, LOG_RAMP_X, LOG_RAMP_Y, LOG_CELL_X, LOG_CELL_Y,
		LOG_MID_X, LOG_MID_Y,
	};
	char option[96];

	corpus_open(c, file, "ptr=8 block=16,16 grid=8,2");
	snprintf(option, sizeof option, "const=0:0=%s", corpus_bytes(c, user, size));
	corpus_set(c, option);
	corpus_launch(c);
	corpus_arg(c, "zero=%u", STRIDE * ROWS);
	for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
		corpus_arg(c, "s32=%d", words[i]);
	corpus_run(c);
}

static void motion(const char *file, unsigned middle)
{
	static uint32_t user[VECTORS / 4 + PER_ROW * PER_ROW * 4], picture[STRIDE * ROWS / 4];
	struct corpus c;

	memset(picture, 0, sizeof picture);
	user[0] = PER_ROW;
	for (uint32_t i = VECTORS / 4; i < sizeof user / 4; i++)
		user[i] = i % 2 ? 0x9e3779b9 * i : NO_VECTOR;
	paint(picture, user, middle);
	launch_motion(&c, file, user, sizeof user);
	corpus_ended(&c, WB_OK);
	corpus_words(&c, "g", BASE, picture, sizeof picture / 4, "picture");
	corpus_close(&c);
	user[VECTORS / 4] = 0x00010001;         /* a vector into a picture: a texture */
	launch_motion(&c, file, user, sizeof user);
	corpus_faulted(&c, "TEXTURE_UNBOUND", 0x220);
	corpus_close(&c);
}

static void test_motion(void **state)
{
	(void)state;
	motion("decuda/motion_div.cubin", 16);
	motion("decuda/motion_div2.cubin", 8);
}

/* ---- all of them ---- */

static const char *const known[] = {
#define PROGRAM(name, ...) #name,
#include "tests/corpus/decuda.def"
#undef PROGRAM
	"test27", "test27a", "test27b", "test21local", "test21local2", "test28", "test28pred", "test40", "test30",
	"test30a", "test36", "motion_div", "motion_div2",
};

static bool is_known(const char *file)
{
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		if (!strncmp(known[i], file, strlen(known[i])) && !strcmp(file + strlen(known[i]), ".cubin"))
			return true;
	return false;
}

static void test_every_cubin(void **state)
{
	DIR *d = opendir(corpus_path("corpus/tesla/decuda"));
	unsigned cubins = 0;

	(void)state;
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		struct corpus c;
		char file[300];
		if (!strstr(e->d_name, ".cubin"))
			continue;
		cubins++;
		if (!is_known(e->d_name))
			fail_msg("%s: no test knows it", e->d_name);
		snprintf(file, sizeof file, "decuda/%s", e->d_name);
		corpus_open(&c, file, "");
		corpus_listing(&c);
		corpus_close(&c);
	}
	closedir(d);
	assert_int_equal(cubins, 92);
	assert_int_equal(sizeof known / sizeof *known, 92);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_misaligned),
		cmocka_unit_test(test_local_range),
		cmocka_unit_test(test_texture),
		cmocka_unit_test(test_predicated_loops),
		cmocka_unit_test(test_shared_chain),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_counter),
		cmocka_unit_test(test_user_constants),
		cmocka_unit_test(test_device_variables),
		cmocka_unit_test(test_motion),
		cmocka_unit_test(test_every_cubin),
	};

	if (!others_present("tesla/decuda"))
		return SKIPPED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
