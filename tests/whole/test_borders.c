/* Accesses at the borders of a program's memory: the last element inside, one byte and one element more, and addresses
 * around 2^31 and 2^32, by the register, by the instruction's offset and by both, one for all lanes and one a lane.
 * Each runs at every SIMD level and in every way to execute. The expectation is computed here, from the architecture's
 * sum of register and offset, and never by the emulator: a fault, nothing, or the bytes. */
#include "tests/kit/launches.h"

enum { BYTES = 1024, BUFFER = 4096, RESULT = 2048, FILL = 0x5a, STORED = 0x11111111 };

/* How register and offset make an address. */
enum sum {
	SUM_16,         /* modulo 2^16: $a registers */
	SUM_32,         /* modulo 2^32: DS, scratch */
	SUM_64,         /* not cut: ranges of buffers, GLOBAL and FLAT */
};

enum outside { FAULTS, READS_0, IGNORED };

static const struct kind {
	const char *chip, *format;      /* %x: the offset */
	unsigned width, align;
	unsigned offsets[4];
	enum sum sum;
	enum outside outside;
	uint64_t bytes;
} kinds[] = {
#define LDS(chip, text, width, align) { chip, text, width, align, { 0, 16, 1008, 0xfff0 }, SUM_32, FAULTS, BYTES }
#define LDS_ALL(chip) \
	LDS(chip, "ds_read_u8 v1, v0 offset:0x%x", 1, 1), LDS(chip, "ds_read_b32 v1, v0 offset:0x%x", 4, 4), \
	LDS(chip, "ds_read_u16 v1, v0 offset:0x%x", 2, 2), LDS(chip, "ds_write_b32 v0, v1 offset:0x%x", 4, 4), \
	LDS(chip, "ds_read_b64 v[2:3], v0 offset:0x%x", 8, 8), LDS(chip, "ds_write_b8 v0, v1 offset:0x%x", 1, 1), \
	LDS(chip, "ds_write_b64 v0, v[2:3] offset:0x%x", 8, 8), LDS(chip, "ds_add_u32 v0, v1 offset:0x%x", 4, 4), \
	LDS(chip, "ds_add_u64 v0, v[2:3] offset:0x%x", 8, 8)
	LDS_ALL("tahiti"), LDS_ALL("bonaire"), LDS_ALL("tonga"),
	LDS("tonga", "ds_read_b128 v[4:7], v0 offset:0x%x", 16, 16),
	LDS("gfx900", "ds_read_u8 v1, v0 offset:0x%x", 1, 1), LDS("gfx900", "ds_read_b32 v1, v0 offset:0x%x", 4, 1),
	LDS("gfx900", "ds_write_b16 v0, v1 offset:0x%x", 2, 1), LDS("gfx900", "ds_add_u32 v0, v1 offset:0x%x", 4, 4),
	LDS("gfx900", "ds_read_b128 v[4:7], v0 offset:0x%x", 16, 1),
	LDS("gfx900", "ds_write_b96 v0, v[4:6] offset:0x%x", 12, 1),
#define SCRATCH(text, width) { "gfx900", text, width, 1, { 0, 16, 240, 0xff0 }, SUM_32, FAULTS, 256 }
	SCRATCH("scratch_load_ubyte v1, v0, off inst_offset:0x%x", 1),
	SCRATCH("scratch_load_dword v1, v0, off inst_offset:0x%x", 4),
	SCRATCH("scratch_store_dwordx2 v0, v[2:3], off inst_offset:0x%x", 8),
	SCRATCH("scratch_load_dwordx3 v[4:6], v0, off inst_offset:0x%x", 12),
	SCRATCH("scratch_store_dwordx4 v0, v[4:7], off inst_offset:0x%x", 16),
	{ "gfx900", "v_mov_b32 v3, 0x10000\nv_mov_b32 v2, v0\nflat_load_dword v1, v[2:3] inst_offset:0x%x", 4, 1,
	  { 0, 16, 1008, 0xff0 }, SUM_64, FAULTS, BYTES },
	{ "gfx900", "v_mov_b32 v3, 0x20000\nv_mov_b32 v2, v0\nflat_store_dword v[2:3], v1 inst_offset:0x%x", 4, 1,
	  { 0, 16, 240, 0xff0 }, SUM_64, FAULTS, 256 },
#define BUFFER_OF(chip, text, width, outside) { chip, text, width, 4, { 0, 16, 1008, 0xff0 }, SUM_64, outside, BYTES }
#define BUFFERS(chip) \
	BUFFER_OF(chip, "buffer_load_dword v1, v0, s[16:19], 0 offen offset:0x%x", 4, READS_0), \
	BUFFER_OF(chip, "buffer_store_dword v1, v0, s[16:19], 0 offen offset:0x%x", 4, IGNORED), \
	BUFFER_OF(chip, "buffer_load_dwordx4 v[1:4], v0, s[16:19], 0 offen offset:0x%x", 16, READS_0), \
	BUFFER_OF(chip, "buffer_atomic_add v1, v0, s[16:19], 0 offen offset:0x%x", 4, IGNORED)
	BUFFERS("tahiti"), BUFFERS("bonaire"), BUFFERS("tonga"), BUFFERS("gfx900"),
#define SPACE(text, width, outside, bytes) \
	{ "g200", text, width, width, { 0, 16, 240, 0x7ff0 }, SUM_16, outside, bytes }
	SPACE("ld $r2 b32 s[$a1+0x%x]", 4, FAULTS, BYTES), SPACE("ld $r2 u16 s[$a1+0x%x]", 2, FAULTS, BYTES),
	SPACE("ld $r2 u8 s[$a1+0x%x]", 1, FAULTS, BYTES), SPACE("st b32 s[$a1+0x%x] $r2", 4, FAULTS, BYTES),
	SPACE("st b16 s[$a1+0x%x] $r2l", 2, FAULTS, BYTES), SPACE("st b8 s[$a1+0x%x] $r2", 1, FAULTS, BYTES),
	{ "g200", "add b32 $r2 b32 s[$a1+0x%x] $r1", 4, 4, { 0, 4, 16, 0x3c }, SUM_16, FAULTS, BYTES },
	SPACE("ld b32 $r2 l[$a1+0x%x]", 4, FAULTS, 256), SPACE("ld u8 $r2 l[$a1+0x%x]", 1, FAULTS, 256),
	SPACE("ld b64 $r2d l[$a1+0x%x]", 8, FAULTS, 256), SPACE("st b128 l[$a1+0x%x] $r4q", 16, FAULTS, 256),
	SPACE("st b32 l[$a1+0x%x] $r2", 4, FAULTS, 256),
};

static bool is_tesla(const struct kind *k)
{
	return k->chip[0] == 'g' && k->chip[1] == '2';
}

/* The architecture's address. */
static uint64_t sum_of(const struct kind *k, uint32_t reg, uint32_t offset)
{
	uint64_t sum = (uint64_t)reg + offset;

	return k->sum == SUM_16 ? sum & 0xffff : k->sum == SUM_32 ? sum & 0xffffffff : sum;
}

static bool fits(const struct kind *k, uint64_t addr)
{
	return addr % k->align == 0 && addr < k->bytes && k->bytes - addr >= k->width;
}

static void write_text(const struct kind *k, uint32_t reg, unsigned offset, bool spread, char *text, size_t size)
{
	char access[160];

	snprintf(access, sizeof access, k->format, offset);
	if (is_tesla(k))
		snprintf(text, size, ".kernel k\n.chip g200\nshl b32 $r2 $r0 0x%x\nmov b32 $r1 0x%x\n"
			 "%sshl $a1 $r1 0x0\n%s\nexit nop\n", k->width == 16 ? 4 : k->width == 8 ? 3 : 2, reg,
			 spread ? "add b32 $r1 $r1 $r2\n" : "", access);
	else
		snprintf(text, size, ".kernel k\n.chip %s\ns_mov_b32 m0, -1\ns_load_dwordx2 s[12:13], s[0:1], 0x0\n"
			 "s_mov_b32 s14, -1\ns_mov_b32 s15, 0x24fac\nv_lshlrev_b32 v9, 2, v0\n"
			 "v_lshlrev_b32 v8, 4, v0\nv_mov_b32 v0, 0x%x\n%sv_mov_b32 v1, 0x11111111\n"
			 "s_waitcnt lgkmcnt(0)\ns_mov_b64 s[16:17], s[12:13]\ns_movk_i32 s18, 0x400\n"
			 "s_mov_b32 s19, s15\ns_movk_i32 s20, 0x800\n%s\ns_waitcnt vmcnt(0)\n%ss_endpgm\n", k->chip,
			 reg, !spread ? "" : !strcmp(k->chip, "gfx900") ? "v_add_u32 v0, v0, v8\n" :
			 !strcmp(k->chip, "tonga") ? "v_add_u32 v0, vcc, v0, v8\n" : "v_add_i32 v0, vcc, v0, v8\n",
			 access, k->outside == READS_0 ? "buffer_store_dword v1, v9, s[12:15], s20 offen\n" : "");
}

/* The distance of a lane's address from lane 0's. */
static uint32_t lane_step(const struct kind *k)
{
	return !is_tesla(k) ? 16 : k->width == 16 ? 16 : k->width == 8 ? 8 : 4;
}

static unsigned ncases, number;     /* cases run; number of the next case, of all */

/* Compare the memory after a launch with the expectation. */
static bool memory_is(const struct kind *k, uint32_t reg, unsigned offset, bool spread, const uint8_t *memory)
{
	static uint8_t expected[BUFFER];

	memset(expected, FILL, sizeof expected);
	for (uint32_t l = 0; l < 64; l++) {
		uint64_t addr = sum_of(k, reg + (spread ? l * lane_step(k) : 0), offset);
		uint32_t v = 0x5a5a5a5a, one = STORED;
		if (k->outside == READS_0) {
			v = fits(k, addr) ? v : 0;
			memcpy(expected + RESULT + 4 * l, &v, 4);
		} else if (fits(k, addr)) {
			memcpy(&v, expected + addr, 4);
			v = strstr(k->format, "atomic") ? v + STORED : one;
			memcpy(expected + addr, &v, 4);
		}
	}
	return !memcmp(memory, expected, BUFFER);
}

static void try_one(const struct kind *k, const struct wb_program *p, const char *text, uint32_t reg, unsigned offset,
		    bool spread, const struct setting *s)
{
	static uint8_t memory[BUFFER];
	struct wb_diag d = { 0 };
	struct wb_launch *l = launch(p, s);
	bool all = true, faults;
	enum wb_status status;

	for (uint32_t i = 0; i < (is_tesla(k) ? 32 : 64); i++)
		all &= fits(k, sum_of(k, reg + (spread ? i * lane_step(k) : 0), offset));
	faults = k->outside == FAULTS && !all;
	if (wb_launch_arg(l, "zero=4096", &d) != WB_OK)
		fail_msg("%s", d.text);
	memset(memory, FILL, sizeof memory);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, memory, sizeof memory, &d), WB_OK);
	status = wb_launch_run(l, &d);
	assert_int_equal(wb_launch_read_arg(l, 0, 0, memory, sizeof memory, NULL), WB_OK);
	if (status != (faults ? WB_FAULT : WB_OK) ||
	    (k->outside != FAULTS && !memory_is(k, reg, offset, spread, memory)))
		fail_msg("%s %s, in-order %s, threaded-code %s, timing %s, threads %s: status %d %s, expected %s\n%s",
			 s[0].option, s[0].value, s[1].value, s[2].value, s[3].value, s[4].value, status, d.text,
			 faults ? "a fault" : "none, and its bytes", text);
	wb_launch_free(l);
	ncases++;
}

static void in_all_ways(const struct kind *k, uint32_t reg, unsigned offset, bool spread)
{
	static const char *const onoff[] = { "on", "off" }, *const threads[] = { "1", "2" };
	bool all = getenv("WB_TEST_ALL") != NULL;       /* else an eighth of the ways of each access */
	char text[1024];
	struct wb_program *p;

	write_text(k, reg, offset, spread, text, sizeof text);
	p = load(text);
	for (unsigned level = 0; wb_simd_level(level); level++)
		for (unsigned way = 0; way < 16; way++) {
			const struct setting s[] = {
				{ "simd", wb_simd_level(level) }, { "in-order", onoff[way & 1] },
				{ "threaded-code", onoff[way >> 1 & 1] }, { "timing", onoff[way >> 2 & 1] },
				{ "threads", threads[way >> 3] },
				{ "grid", is_tesla(k) || k->outside != IGNORED ? "2" : "1" },
				{ "block", is_tesla(k) ? "32" : "64" }, { "smem", is_tesla(k) ? "0x3e0" : "1024" },
				{ "lmem", "256" }, { "mps", "2" }, { "check-args", "off" }, { NULL, NULL },
			};
			/* s[] has 0x10 of header and 4 of parameters; 0x3e0 more are 1,024 in whole units */
			if (way & 1 && way >> 2 & 1)
				continue;       /* without timing all is in order of blocks */
			if (in_sample(number++, all ? 1 : 4))
				try_one(k, p, text, reg, offset, spread, s);
		}
	wb_program_free(p);
}

static void at_borders(const struct kind *k)
{
	uint32_t w = k->width, b = (uint32_t)k->bytes;
	const uint32_t targets[] = {
		0, b - w, b - w + 1, b - w + k->align, b, 0x7fffffffu - w + 1, 0x80000000u, 0x80000000u + w,
		0x80000000u + b - w, 0u - w, 0u - 16, 0x10000u - w,
	};

	for (unsigned t = 0; t < sizeof targets / sizeof *targets; t++)
		for (unsigned o = 0; o < 4; o++)
			in_all_ways(k, targets[t] - k->offsets[o], k->offsets[o], false);
	for (unsigned o = 0; o < 2; o++) {      /* the last lane is inside, or is the only lane outside */
		uint32_t lanes = is_tesla(k) ? 32 : 64, span = (lanes - 1) * lane_step(k);
		in_all_ways(k, b - w - span - k->offsets[o], k->offsets[o], true);
		in_all_ways(k, b - w - span + k->align - k->offsets[o], k->offsets[o], true);
		in_all_ways(k, 0u - span - k->offsets[o], k->offsets[o], true);
	}
}

static void accesses_at_borders(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
		at_borders(&kinds[i]);
	print_message("%u cases of %zu kinds of accesses\n", ncases, sizeof kinds / sizeof *kinds);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(accesses_at_borders) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
