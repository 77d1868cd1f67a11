/* Borders of what GCN programs reach beside LDS, scratch and raw buffers (test_borders.c): global memory by 64-bit
 * addresses, scalar loads, stores and atomics, buffers with a stride, swizzled and with formats, images, code, and
 * lanes and registers by an index. What must happen is computed here from the sums of the ISA manuals, never by the
 * emulator: a fault, a zero, or the word. */
#include "tests/kit/borders.h"

enum { LANES = 64, FILLED = 0x5a5a5a5a, N = BORDER_BYTES };

/* s[12:13] the argument's address, s[12:15] a buffer over all memory; a lane's word of the argument by v9. */
static void begin(struct border *b, const char *chip)
{
	memset(b, 0, sizeof *b);
	b->setting[0] = (struct setting){ "block", "64" };
	b->setting[1] = (struct setting){ "check-args", "off" };
	border_say(b, ".kernel k\n.chip %s\ns_mov_b32 m0, -1\ns_load_dwordx2 s[12:13], s[0:1], 0x0\ns_mov_b32 s14, -1\n"
		   "s_mov_b32 s15, 0x24fac\nv_lshlrev_b32 v9, 2, v0\nv_mov_b32 v4, 0x5a5a5a5a\n"
		   "v_mov_b32 v12, 0x11111111\nv_mov_b32 v13, v12\nv_mov_b32 v14, v12\nv_mov_b32 v15, v12\n"
		   "s_mov_b32 s44, 0x11111111\ns_mov_b32 s45, s44\ns_mov_b32 s46, s44\ns_mov_b32 s47, s44\n"
		   "s_movk_i32 s20, 0x800\ns_waitcnt lgkmcnt(0)\n", chip);
}

static void end(struct border *b, uint32_t each)
{
	border_say(b, "s_waitcnt vmcnt(0) & lgkmcnt(0)\nbuffer_store_dword v4, v9, s[12:15], s20 offen\ns_endpgm\n");
	b->lanes = LANES;
	for (unsigned l = 0; l < LANES; l++)
		b->result[l] = each;
	border_in_all_ways(b);
}

/* ---- 64-bit addresses ---- */

/* Bytes from the argument's first byte on that are mapped: the launch's own tables are behind the argument, as reading
 * memory from outside says (wb_launch_read). */
static int64_t mapped(const char *chip)
{
	static const uint64_t first = 0x7f000000000;    /* address of the first buffer of a launch */
	static struct { const char *chip; int64_t bytes; } known;
	struct border b;
	struct wb_program *p;
	struct wb_launch *l;
	uint8_t byte;
	int64_t n = 0;

	if (known.chip && !strcmp(known.chip, chip))
		return known.bytes;
	begin(&b, chip);
	border_say(&b, "s_endpgm\n");
	p = load(b.text);
	l = launch(p, b.setting);
	assert_int_equal(wb_launch_arg(l, "zero=4096", NULL), WB_OK);
	assert_int_equal(wb_launch_prepare(l, NULL), WB_OK);
	while (wb_launch_read(l, "g", first + (uint64_t)n, &byte, 1, NULL) == WB_OK)
		n += 256;
	wb_launch_free(l);
	wb_program_free(p);
	assert_true(n >= N);
	known.chip = chip;
	return known.bytes = n;
}

/* Beside the argument's first byte; or, if BEHIND is added, beside the first that is not mapped. */
enum { BEHIND = 1 << 20 };
static const int64_t beside[] = {
	0, N - 16, N - 4, BEHIND - 64, BEHIND - 16, BEHIND - 8, BEHIND - 4, BEHIND - 2, BEHIND - 1, BEHIND, BEHIND + 4,
	-1, -4, -16, 0x7fffffff, 0x80000000ll, 0xfffffffcll, 0x100000000ll,
	0xffffffffll - 15, 0x100000000ll + N - 4, -0x80000000ll, 1ll << 43, 1ll << 44, (1ll << 44) + N - 4, INT64_MIN,
	INT64_MIN + N - 4,
};
enum { BESIDE = sizeof beside / sizeof *beside };

static int64_t distance(unsigned i, int64_t end)
{
	return beside[i] >= BEHIND - 64 && beside[i] <= BEHIND + 64 ? beside[i] - BEHIND + end : beside[i];
}

static bool fits(int64_t at, unsigned width, int64_t end)
{
	return at >= 0 && at <= end - (int64_t)width;
}

/* s[24:25]: the argument's address and so much. */
static void say_base(struct border *b, int64_t at)
{
	border_say(b, "s_add_u32 s24, s12, 0x%x\ns_addc_u32 s25, s13, 0x%x\n", (uint32_t)at,
		   (uint32_t)((uint64_t)at >> 32));
}

static const struct { const char *chip, *text; unsigned width, align; int offset; bool loads; } flats[] = {
	{ "bonaire", "flat_load_dword v4, v[2:3]\n", 4, 1, 0, true },
	{ "bonaire", "flat_store_dwordx4 v[2:3], v[12:15]\n", 16, 1, 0, false },
	{ "tonga", "flat_load_ubyte v4, v[2:3]\n", 1, 1, 0, true },
	{ "tonga", "flat_atomic_add v4, v[2:3], v6 glc\n", 4, 4, 0, true },
	{ "gfx900", "flat_load_dword v4, v[2:3] inst_offset:0xffc\n", 4, 1, 0xffc, true },
	{ "gfx900", "global_load_dword v4, v[2:3], off\n", 4, 1, 0, true },
	{ "gfx900", "global_load_ushort v4, v[2:3], off inst_offset:0xffe\n", 2, 1, 0xffe, true },
	{ "gfx900", "global_load_dword v4, v[2:3], off inst_offset:-16\n", 4, 1, -16, true },
	{ "gfx900", "global_store_dword v[2:3], v12, off inst_offset:-4096\n", 4, 1, -4096, false },
	{ "gfx900", "global_store_dwordx3 v[2:3], v[12:14], off inst_offset:0x7fc\n", 12, 1, 0x7fc, false },
	{ "gfx900", "global_atomic_add v4, v[2:3], v6, off glc\n", 4, 4, 0, true },
	{ "gfx900", "global_atomic_add_x2 v[4:5], v[2:3], v[6:7], off inst_offset:-8 glc\n", 8, 8, -8, true },
	{ "gfx900", "global_load_dword v4, v10, s[24:25]\n", 4, 1, 0, true },
	{ "gfx900", "global_load_dword v4, v10, s[24:25] inst_offset:-16\n", 4, 1, -16, true },
};

static void flat_and_global_at_borders(void **state)
{
	(void)state;
	for (unsigned k = 0; k < sizeof flats / sizeof *flats; k++)
		for (unsigned i = 0; i < BESIDE; i++) {
			struct border b;
			int64_t last = mapped(flats[k].chip), at = distance(i, last);
			bool inside = fits(at, flats[k].width, last) && at % flats[k].align == 0;
			bool own = fits(at, flats[k].width, N);
			if (inside && !own && !flats[k].loads)
				continue;       /* tables of the launch */
			begin(&b, flats[k].chip);
			say_base(&b, (int64_t)((uint64_t)at - (uint64_t)flats[k].offset));
			border_say(&b, "v_mov_b32 v2, s24\nv_mov_b32 v3, s25\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\n"
				   "v_mov_b32 v10, 0\n");
			border_say(&b, "%ss_waitcnt vmcnt(0) & lgkmcnt(0)\n%s", flats[k].text,
				   own ? "" : "v_mov_b32 v4, 0x5a5a5a5a\n");
			b.faults = !inside;
			if (inside && !flats[k].loads) {
				b.stored_begin = (unsigned)at;
				b.stored = flats[k].width;
			}
			end(&b, !flats[k].loads || !own ? FILLED : flats[k].width == 1 ? 0x5a :
			    flats[k].width == 2 ? 0x5a5a : FILLED);
		}
}

/* ---- scalar memory: addresses lose their low two bits ---- */

static const struct { const char *chip, *text; unsigned width; int64_t offset; bool stores; } scalars[] = {
	{ "tahiti", "s_load_dword s40, s[24:25], 0x0\n", 4, 0, false },
	{ "tahiti", "s_load_dwordx4 s[40:43], s[24:25], 0xff\n", 16, 0x3fc, false },    /* dwords */
	{ "bonaire", "s_load_dwordx16 s[60:75], s[24:25], 0x10\ns_mov_b32 s40, s75\n", 64, 0x40, false },
	{ "bonaire", "s_load_dword s40, s[24:25], s26\n", 4, 0xfffffffcll, false },
	{ "tonga", "s_load_dwordx2 s[40:41], s[24:25], 0xffffc\n", 8, 0xffffc, false },
	{ "tonga", "s_load_dwordx8 s[40:47], s[24:25], s26\n", 32, 0xfffffffcll, false },
	{ "tonga", "s_store_dwordx2 s[44:45], s[24:25], 0x10\n", 8, 16, true },
	{ "gfx900", "s_load_dword s40, s[24:25], 0x7fffc\n", 4, 0x7fffc, false },
	{ "gfx900", "s_load_dwordx4 s[40:43], s[24:25], s26\n", 16, 0xfffffffcll, false },
	{ "gfx900", "s_store_dword s44, s[24:25], s26\n", 4, 0xfffffffcll, true },
	{ "gfx900", "s_store_dwordx4 s[44:47], s[24:25], 0x20\n", 16, 32, true },
};

static void scalar_addresses_at_borders(void **state)
{
	(void)state;
	for (unsigned k = 0; k < sizeof scalars / sizeof *scalars; k++)
		for (unsigned i = 0; i < BESIDE; i++) {
			struct border b;
			int64_t last = mapped(scalars[k].chip), given = distance(i, last), at = given & ~3ll;
			bool inside = fits(at, scalars[k].width, last), own = fits(at, scalars[k].width, N);
			if (inside && !own && scalars[k].stores)
				continue;       /* tables of the launch */
			begin(&b, scalars[k].chip);
			say_base(&b, (int64_t)((uint64_t)given - (uint64_t)scalars[k].offset));
			border_say(&b, "s_mov_b32 s26, 0xfffffffc\ns_mov_b32 s40, 0x5a5a5a5a\n%ss_waitcnt lgkmcnt(0)\n"
				   "v_mov_b32 v4, %s\n", scalars[k].text, own ? "s40" : "0x5a5a5a5a");
			b.faults = !inside;
			if (inside && scalars[k].stores) {
				b.stored_begin = (unsigned)at;
				b.stored = scalars[k].width;
			}
			end(&b, FILLED);
		}
}

/* A buffer of 256 bytes at the argument, or of 16 records of 16 bytes; words outside read 0, stores with a word outside
 * are lost. `seen`: bytes from the first word to the one that is looked at. */
static const struct { const char *chip, *text; unsigned seen; bool stores; } scalar_buffers[] = {
	{ "tahiti", "s_buffer_load_dword s40, s[28:31], s26\n", 0, false },
	{ "bonaire", "s_buffer_load_dwordx4 s[40:43], s[28:31], s26\n", 0, false },
	{ "bonaire", "s_buffer_load_dwordx4 s[40:43], s[28:31], s26\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s40, s43\n", 12,
	  false },
	{ "tonga", "s_buffer_load_dwordx2 s[40:41], s[28:31], s26\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s40, s41\n", 4,
	  false },
	{ "gfx900", "s_buffer_load_dword s40, s[28:31], s26\n", 0, false },
	{ "tonga", "s_buffer_store_dword s44, s[28:31], m0\n", 0, true },
	{ "tonga", "s_buffer_store_dwordx2 s[44:45], s[28:31], m0\n", 4, true },
	{ "gfx900", "s_buffer_store_dword s44, s[28:31], s26\n", 0, true },
};

static void scalar_buffers_at_borders(void **state)
{
	static const uint32_t offsets[] = { 0, 252, 255, 256, 260, 0x7ffffffc, 0x80000000, 0x80000004, 0xfffffff0,
					    0xfffffffc };

	(void)state;
	for (unsigned k = 0; k < sizeof scalar_buffers / sizeof *scalar_buffers; k++)
		for (unsigned i = 0; i < 2 * sizeof offsets / sizeof *offsets; i++) {
			struct border b;
			uint32_t offset = offsets[i / 2], stride = i % 2 ? 16 : 0;
			bool inside = (uint64_t)(offset & ~3u) + scalar_buffers[k].seen < 256;
			begin(&b, scalar_buffers[k].chip);
			border_say(&b, "s_mov_b32 s28, s12\ns_or_b32 s29, s13, 0x%x\ns_mov_b32 s30, 0x%x\n"
				   "s_mov_b32 s31, s15\ns_mov_b32 s26, 0x%x\ns_mov_b32 m0, s26\n"
				   "s_mov_b32 s40, 0x5a5a5a5a\n%ss_waitcnt lgkmcnt(0)\nv_mov_b32 v4, s40\n",
				   stride << 16, stride ? 16 : 256, offset, scalar_buffers[k].text);
			if (inside && scalar_buffers[k].stores) {
				b.stored_begin = offset & ~3u;
				b.stored = scalar_buffers[k].seen + 4;
			}
			end(&b, inside || scalar_buffers[k].stores ? FILLED : 0);
		}
}

/* ---- vector buffers: base, stride, offsets, records, swizzled or not, by elements and by formats ---- */

struct vector_buffer {
	uint32_t stride, records;
	bool swizzled;
	uint32_t index, offset, immediate, scalar;
};

/* ISA manuals, "range checking": raw buffers count bytes. With a stride, records are elements up to 1.1; from 1.2 on
 * they are bytes unless the buffer is swizzled. */
static bool in_range(bool old, const struct vector_buffer *v, unsigned width)
{
	uint64_t offset = (uint64_t)v->offset + v->immediate;

	if (v->stride && (old || v->swizzled))
		return v->index < v->records;
	return (uint64_t)v->index * v->stride + offset + width <= v->records;
}

/* The element's first byte, beside the buffer's base. Swizzled: elements of 4 bytes, 8 records side by side. */
static uint64_t place_of(const struct vector_buffer *v)
{
	uint32_t offset = v->offset + v->immediate;

	if (!v->swizzled)
		return (uint64_t)v->index * v->stride + offset + v->scalar;
	return ((uint64_t)(v->index / 8) * v->stride + offset / 4 * 4) * 8 + v->index % 8 * 4 + offset % 4 + v->scalar;
}

static const struct { const char *name, *text; unsigned width; bool loads; } buffers[] = {
	{ "buffer_load_dword", "v4", 4, true }, { "buffer_load_ubyte", "v4", 1, true },
	{ "buffer_load_dwordx4", "v[4:7]", 16, true }, { "buffer_store_dword", "v12", 4, false },
	{ "buffer_store_dwordx4", "v[12:15]", 16, false }, { "buffer_load_format_x", "v4", 4, true },
	{ "buffer_atomic_swap", "v12", 4, false },
	{ "tbuffer_load_format_xyzw", "v[4:7]", 16, true }, { "tbuffer_store_format_x", "v12", 4, false },
};

static void try_buffer(const char *chip, unsigned k, const struct vector_buffer *v)
{
	struct border b;
	unsigned width = buffers[k].width;
	bool old = !strcmp(chip, "tahiti") || !strcmp(chip, "bonaire"), ranged = in_range(old, v, width);
	uint64_t at = place_of(v) + 1024;
	int64_t last = mapped(chip);
	bool there = at <= (uint64_t)last - width;
	/* word 3: the identity of components, format 32 uint (4 << 12, 4 << 15), 8 records side by side, elements of
	 * 4 bytes */
	uint32_t word3 = 0xfac | 4u << 12 | 4u << 15 | 1u << 19;

	if (at % 4 || (ranged && there && at > N - width))
		return;         /* elements across words are another test's; tables of the launch */
	begin(&b, chip);
	border_say(&b, "s_add_u32 s28, s12, 0x400\ns_addc_u32 s29, s13, 0\ns_or_b32 s29, s29, 0x%x\n"
		   "s_mov_b32 s30, 0x%x\ns_mov_b32 s31, 0x%x\ns_mov_b32 s26, 0x%x\nv_mov_b32 v10, 0x%x\n"
		   "v_mov_b32 v11, 0x%x\n", v->stride << 16 | (uint32_t)v->swizzled << 31, v->records, word3,
		   v->scalar, v->index, v->offset);
	border_say(&b, "%s %s, v[10:11], s[28:31], s26 idxen offen offset:0x%x%s\n", buffers[k].name, buffers[k].text,
		   v->immediate, strncmp(buffers[k].name, "tbuffer", 7) ? "" :
		   width == 16 ? " format:[32_32_32_32,uint]" : " format:[32,uint]");
	b.faults = ranged && !there;
	if (ranged && there && !buffers[k].loads) {
		b.stored_begin = (unsigned)at;
		b.stored = width;
	}
	end(&b, !buffers[k].loads ? FILLED : !ranged ? 0 : width == 1 ? 0x5a : FILLED);
}

static void vector_buffers_at_borders(void **state)
{
	static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };
	static const struct vector_buffer cases[] = {
		/* raw: 256 bytes */
		{ 0, 256, false, 0, 0, 0, 0 }, { 0, 256, false, 0, 240, 0, 0 }, { 0, 256, false, 0, 252, 0, 0 },
		{ 0, 256, false, 0, 256, 0, 0 }, { 0, 256, false, 7, 0, 0, 0 }, { 0, 256, false, 0, 0xfffffffc, 0, 0 },
		{ 0, 256, false, 0, 0xfffffff0, 16, 0 }, { 0, 256, false, 0, 0x80000000, 0, 0 },
		{ 0, 256, false, 0, 0x7ffffff0, 16, 0 }, { 0, 256, false, 0, 0, 0, 3072 - 4 },
		{ 0, 256, false, 0, 0, 0, 0x10000 },
		{ 0, 0, false, 0, 0, 0, 0 }, { 0, 3, false, 0, 0, 0, 0 }, { 0, 0xffffffff, false, 0, 0x10000, 0, 0 },
		{ 0, 0xffffffff, false, 0, 0xfffc, 4, 0 }, { 0, 0xffffffff, false, 0, 0xfffffc00, 0, 0 },
		{ 0, 0xffffffff, false, 0, 0xfffffff8, 0, 0 },
		/* records of 16 bytes */
		{ 16, 16, false, 0, 0, 0, 0 }, { 16, 16, false, 15, 0, 0, 0 }, { 16, 16, false, 16, 0, 0, 0 },
		{ 16, 256, false, 15, 0, 0, 0 }, { 16, 256, false, 15, 12, 0, 0 }, { 16, 256, false, 15, 0, 16, 0 },
		{ 16, 256, false, 16, 0, 0, 0 }, { 16, 256, false, 0x10000000, 0, 0, 0 },
		{ 16, 256, false, 0x80000000, 0, 0, 0 },
		{ 16, 256, false, 0xffffffff, 0, 0, 0 }, { 16, 256, false, 0xffffffff, 16, 0, 0 },
		{ 16, 256, false, 191, 12, 0, 0 }, { 16, 256, false, 4096, 0, 0, 0 },
		{ 16, 256, false, 0, 0x10000, 0, 0 },
		{ 16, 256, false, 0, 0xffffff00, 0, 0 }, { 16, 0xffffffff, false, 0x0fffffff, 0, 0, 0 },
		{ 0x3fff, 0xffffffff, false, 0x3ffff, 0, 0, 0 },
		/* swizzled: 8 records side by side */
		{ 16, 16, true, 0, 0, 0, 0 }, { 16, 16, true, 15, 12, 0, 0 }, { 16, 16, true, 16, 0, 0, 0 },
		{ 16, 16, true, 0x80000000, 0, 0, 0 }, { 16, 16, true, 0xffffffff, 0, 0, 0 },
		{ 16, 16, true, 0, 384, 0, 0 }, { 16, 16, true, 0, 0x2000, 0, 0 },
		{ 16, 16, true, 0, 0x80000000, 0, 0 }, { 16, 16, true, 15, 0xfffffff0, 0, 0 },
		{ 16, 0xffffffff, true, 0xffffffff, 0, 0, 0 },
	};

	(void)state;
	for (unsigned c = 0; c < 4; c++)
		for (unsigned k = 0; k < sizeof buffers / sizeof *buffers; k++)
			for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
				try_buffer(chips[c], k, &cases[i]);
}

/* ---- images and GDS are not emulated: a fault or a refusal, whatever is in their registers ---- */

static void images_and_gds_are_no_way_out(void **state)
{
	static const char *const texts[] = {
		".word 0xf0001f00\n.word 0x00070400", "ds_read_b32 v4, v0 gds", "ds_add_u32 v0, v12 gds",
		"buffer_load_dword v4, v0, s[12:15], 0 offen lds",
	};

	(void)state;
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct border b;
		begin(&b, "tonga");
		border_say(&b, "v_mov_b32 v0, 0x80000000\n%s\n", texts[i]);
		b.faults = true;
		end(&b, 0);
	}
}

/* ---- LDS ends at M0 up to 1.2, at the block's memory from 1.4 on ---- */

static void lds_ends_at_m0(void **state)
{
	static const struct { const char *chip; bool counts; } chips[] = {
		{ "tahiti", true }, { "bonaire", true }, { "tonga", true }, { "gfx900", false },
	};
	static const uint32_t at[] = { 0, 252, 256, 260, 1020, 0x80000000, 0x800000fc, 0xfffffffc };

	(void)state;
	for (unsigned c = 0; c < 4; c++)
		for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
			struct border b;
			begin(&b, chips[c].chip);
			b.setting[2] = (struct setting){ "smem", "1024" };
			border_say(&b, "s_movk_i32 m0, 0x100\nv_mov_b32 v10, 0x%x\nds_read_b32 v4, v10\n"
				   "s_waitcnt lgkmcnt(0)\n", at[i]);
			b.faults = at[i] > (chips[c].counts ? 252 : 1020);
			end(&b, 0);
		}
}

/* ---- code ---- */

static void code_at_borders(void **state)
{
	static const int64_t far[] = { -4096, 4096, 0x7fffff00, 0x80000000ll, 0xffffff00ll, 0x100000000ll, 1ll << 44,
				       INT64_MIN };
	static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };

	(void)state;
	for (unsigned c = 0; c < 4; c++)
		for (unsigned i = 0; i < 2 * sizeof far / sizeof *far; i++) {
			struct border b;
			int64_t at = far[i / 2];
			begin(&b, chips[c]);
			border_say(&b, "s_getpc_b64 s[22:23]\ns_add_u32 s22, s22, 0x%x\ns_addc_u32 s23, s23, 0x%x\n"
				   "%s\n", (uint32_t)at, (uint32_t)((uint64_t)at >> 32),
				   i % 2 ? "s_setpc_b64 s[22:23]" : "s_swappc_b64 s[24:25], s[22:23]");
			b.faults = true;
			end(&b, 0);
		}
}

/* ---- lanes and registers by an index: comes round, the last one, or nothing ---- */

static void lanes_at_borders(void **state)
{
	static const uint32_t index[] = { 0, 63, 64, 65, 127, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffc0,
					  0xffffffff };

	(void)state;
	for (unsigned i = 0; i < sizeof index / sizeof *index; i++) {
		struct border b;
		uint32_t lane = index[i] % 64;
		begin(&b, "tonga");
		border_say(&b, "s_mov_b32 s26, 0x%x\nv_mov_b32 v8, v0\nv_readlane_b32 s27, v8, s26\n"
			   "v_mov_b32 v4, s27\n", index[i]);
		end(&b, lane);
		begin(&b, "gfx900");
		border_say(&b, "v_mov_b32 v10, 0x%x\nv_mov_b32 v8, v0\nds_bpermute_b32 v4, v10, v8\n"
			   "s_waitcnt lgkmcnt(0)\n", index[i]);
		end(&b, index[i] / 4 % 64);
		begin(&b, "gfx900");    /* the instruction's offset is added, and comes round with the address */
		border_say(&b, "v_mov_b32 v10, 0x%x\nv_mov_b32 v8, v0\nds_bpermute_b32 v4, v10, v8 offset:0xfffc\n"
			   "s_waitcnt lgkmcnt(0)\n", index[i]);
		end(&b, (index[i] + 0xfffc) / 4 % 64);
	}
}

/* Vector registers by M0: from v4 on; outside of the kernel's, v_movrels reads v0. Scalar ones read 0. */
static void registers_at_borders(void **state)
{
	static const uint32_t m0[] = { 0, 8, 1000, 0x7fffffff, 0x80000000, 0xffffff00, 0xffffffff };

	(void)state;
	for (unsigned i = 0; i < sizeof m0 / sizeof *m0; i++) {
		struct border b;
		begin(&b, "tonga");
		border_say(&b, "v_mov_b32 v0, 7\nv_mov_b32 v5, 9\ns_mov_b32 m0, 0x%x\nv_movrels_b32 v4, v4\n", m0[i]);
		end(&b, m0[i] == 0 ? FILLED : m0[i] == 8 ? 0x11111111 : 7);
		begin(&b, "tonga");
		border_say(&b, "s_mov_b32 m0, 0x%x\ns_movrels_b32 s26, s44\ns_mov_b32 m0, -1\nv_mov_b32 v4, s26\n",
			   m0[i]);
		if (m0[i] != 8)
			end(&b, m0[i] == 0 ? 0x11111111 : 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flat_and_global_at_borders), cmocka_unit_test(scalar_addresses_at_borders),
		cmocka_unit_test(scalar_buffers_at_borders), cmocka_unit_test(vector_buffers_at_borders),
		cmocka_unit_test(images_and_gds_are_no_way_out), cmocka_unit_test(lds_ends_at_m0),
		cmocka_unit_test(code_at_borders),
		cmocka_unit_test(lanes_at_borders), cmocka_unit_test(registers_at_borders),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	print_message("%u cases\n", border_cases);
	return failed;
}
