/* Borders of Tesla programs' memory beside s[] and l[] (test_borders.c): g[] through a view and without, as a surface,
 * by atomics; c[], a[], p[], v[]; textures; code. Expectations are computed here, never by the emulator. */
#include "tests/kit/borders.h"

enum { LANES = 32, FILLED = 0x5a5a5a5a };

/* A lane's word of the argument is at $r30, the argument at $r31, its number times 4 in $r2. */
static void begin(struct border *b, const char *directives)
{
	memset(b, 0, sizeof *b);
	b->setting[0] = (struct setting){ "block", "32" };
	border_say(b, ".kernel k\n.chip g200\n%sshl b32 $r2 $r0 0x2\nmov b32 $r31 b32 s[0x10]\nadd b32 $r30 $r31 $r2\n"
		   "add b32 $r30 $r30 0x800\n", directives);
}

static void end(struct border *b, uint32_t each)
{
	border_say(b, "st b32 g14[$r30] $r4\nexit nop\n");
	b->lanes = LANES;
	for (unsigned l = 0; l < LANES; l++)
		b->result[l] = each;
	border_in_all_ways(b);
}

/* ---- g[] ---- */

static const struct access {
	const char *text;
	unsigned width;
	bool loads;
} accesses[] = {
	{ "ld u8 $r4 g%u[$r1]\n", 1, true }, { "ld u16 $r4 g%u[$r1]\n", 2, true }, { "ld b32 $r4 g%u[$r1]\n", 4, true },
	{ "ld b64 $r4d g%u[$r1]\n", 8, true }, { "ld b128 $r4q g%u[$r1]\n", 16, true },
	{ "st u8 g%u[$r1] $r12\n", 1, false }, { "st b32 g%u[$r1] $r12\n", 4, false },
	{ "st b64 g%u[$r1] $r12d\n", 8, false }, { "st b128 g%u[$r1] $r12q\n", 16, false },
	{ "ld add u32 $r4 g%u[$r1] $r9\n", 4, true }, { "ld add u64 $r4d g%u[$r1] $r10d\n", 8, true },
	{ "ld cas b32 $r4 g%u[$r1] $r9 $r9\n", 4, true }, { "red max s32 g%u[$r1] $r8\n", 4, false },
};
enum { ACCESSES = sizeof accesses / sizeof *accesses };

static bool is_red(const struct access *a)
{
	return !strncmp(a->text, "red", 3);
}

static uint32_t loaded(const struct access *a)
{
	return a->width == 1 ? 0x5a : a->width == 2 ? 0x5a5a : FILLED;
}

#define VALUES "mov b32 $r8 0x11111111\nmov b32 $r12 0x11111111\nmov b32 $r13 $r12\nmov b32 $r14 $r12\n" \
	"mov b32 $r15 $r12\nmov b32 $r4 0x5a5a5a5a\nmov b32 $r9 0x0\nmov b32 $r10 0x0\nmov b32 $r11 0x0\n" \
	"mov b32 $r20 0x1f\nmov b32 $r19 0x0\n"

/* The distance of an address from the argument's first byte: at the argument's ends, and far away by the register. */
static void global_addresses_at_borders(void **state)
{
	(void)state;
	for (unsigned k = 0; k < ACCESSES; k++) {
		const struct access *a = &accesses[k];
		uint32_t w = a->width, n = BORDER_BYTES;
		const uint32_t beside[] = {
			0, n - w, n - w / 2, n, n + w, 0u - w, 0x7fffffffu - w + 1, 0x80000000u, 0x80000000u + n - w,
			0x80000000u + w,
		};
		for (unsigned i = 0; i < sizeof beside / sizeof *beside; i++) {
			struct border b;
			bool inside = beside[i] <= n - w && beside[i] % w == 0;
			begin(&b, "");
			border_say(&b, VALUES "add b32 $r1 $r31 0x%x\n", beside[i]);
			border_say(&b, a->text, 14);
			b.faults = !inside;
			if (!a->loads && !is_red(a)) {
				b.stored_begin = inside ? beside[i] : 0;
				b.stored = w;
			}
			end(&b, a->loads ? loaded(a) : FILLED);
		}
	}
}

/* Absolute addresses: around 2^31 and 2^32 nothing is mapped. */
static void absolute_addresses_at_borders(void **state)
{
	(void)state;
	for (unsigned k = 0; k < ACCESSES; k++) {
		uint32_t w = accesses[k].width;
		const uint32_t at[] = { 0x80000000u - w, 0x80000000u, 0x80000000u + w, 0u - w, 0u - w / 2 };
		for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
			struct border b;
			begin(&b, "");
			border_say(&b, VALUES "mov b32 $r1 0x%x\n", at[i]);
			border_say(&b, accesses[k].text, 14);
			b.faults = true;
			end(&b, 0);
		}
	}
}

/* g5[] is 1,000 bytes of zeros and ends with the last granule of 256; all lanes at the border, or the last lane
 * alone. */
static void views_at_borders(void **state)
{
	enum { VIEW = 1024 };

	(void)state;
	for (unsigned k = 0; k < ACCESSES; k++) {
		uint32_t w = accesses[k].width, fit = (VIEW - w) / w * w;
		const uint32_t at[] = { 0, fit, fit + w, fit + w / 2, VIEW, VIEW + 256, 0x80000000u, 0x80000000u + fit,
					0x7fffffffu - w + 1, 0u - w, 0u - 16 };
		for (unsigned i = 0; i < 2 * (sizeof at / sizeof *at); i++) {
			struct border b;
			uint32_t a = at[i / 2];
			bool inside = a % w == 0 && (uint64_t)a + w <= VIEW, one = i % 2;
			begin(&b, "");
			b.setting[1] = (struct setting){ "global", "5:zero=1000" };
			b.setting[2] = (struct setting){ "global", "6:zero=1000" };     /* memory behind g5[] */
			border_say(&b, VALUES "mov b32 $r1 0x%x\n", a);
			if (one)        /* lanes but the last at 0 */
				border_say(&b, "set $c0 # lg s32 $r0 $r20\n(lg $c0) mov b32 $r1 $r19\n");
			border_say(&b, accesses[k].text, 5);
			border_say(&b, "mov b32 $r4 0x5a5a5a5a\n");
			b.faults = !inside;
			end(&b, FILLED);
		}
	}
}

/* g5[] has 6 rows of 64 bytes, in tiles of 4 rows: x in the low half of an address, y in the high half. */
static void surfaces_at_borders(void **state)
{
	(void)state;
	for (unsigned k = 0; k < ACCESSES; k++) {
		uint32_t w = accesses[k].width;
		const uint32_t x[] = { 0, 64 - w, 64 - w / 2, 64, 64 + w, 0x8000, 0x10000 - w };
		const uint32_t y[] = { 0, 5, 6, 7, 8, 0x7fff, 0x8000, 0xffff };
		for (unsigned i = 0; i < sizeof x / sizeof *x; i++)
			for (unsigned j = 0; j < sizeof y / sizeof *y; j++) {
				struct border b;
				begin(&b, "");
				b.setting[1] = (struct setting){ "global", "5:2d:64:6:0:zero=512" };
				border_say(&b, VALUES "mov b32 $r1 0x%x\n", y[j] << 16 | x[i]);
				border_say(&b, accesses[k].text, 5);
				border_say(&b, "mov b32 $r4 0x5a5a5a5a\n");
				b.faults = x[i] % w || x[i] + w > 64 || y[j] >= 6;
				end(&b, FILLED);
			}
	}
}

/* ---- spaces of 16 bits whose words outside read 0 ---- */

/* A word of the bank or stage at byte `at`, cut to the access. */
static uint32_t word_at(uint32_t at, unsigned width, uint32_t bytes)
{
	uint32_t word = (at / 4 + 1) * 0x01010101u;

	at &= ~(width - 1);
	return at + width > bytes ? 0 : width == 1 ? word & 0xff : width == 2 ? word & 0xffff : word;
}

/* Bank 1 has 40 bytes; its neighbours are full, so that a wrong read shows. */
static const char *banks(void)
{
	static char text[4096];
	unsigned used = 0;

	for (unsigned bank = 0; bank < 4; bank++) {
		used += (unsigned)snprintf(text + used, sizeof text - used, ".const %u 0x0:", bank);
		for (unsigned i = 0; i < (bank == 1 ? 10 : 64); i++)
			used += (unsigned)snprintf(text + used, sizeof text - used, " 0x%x",
						   bank == 1 ? (i + 1) * 0x01010101 : 0x77777777);
		used += (unsigned)snprintf(text + used, sizeof text - used, "\n");
	}
	return text;
}

static void constants_at_borders(void **state)
{
	enum { BANK = 40 };
	static const struct { const char *text; unsigned width; } reads[] = {
		{ "ld $r4 b32 c1[$a1+0x%x]\n", 4 }, { "ld $r4 u16 c1[$a1+0x%x]\n", 2 },
		{ "ld $r4 u8 c1[$a1+0x%x]\n", 1 },
		{ "mov b32 $r4 0x0\nadd b32 $r4 $r4 c1[$a1+0x%x]\n", 4 },
	};

	(void)state;
	for (unsigned k = 0; k < sizeof reads / sizeof *reads; k++)
		for (unsigned o = 0; o < 3; o++) {
			unsigned w = reads[k].width, offset = (const unsigned[]){ 0, 16, 0x7c * w / 4 }[o];
			const uint32_t at[] = { 0, BANK - w, BANK, BANK + w, 0x7ffc, 0x8000, 0x10000 - w };
			for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
				struct border b;
				begin(&b, banks());
				border_say(&b, "mov b32 $r1 0x%x\nshl $a1 $r1 0x0\n", (at[i] - offset) & 0xffff);
				border_say(&b, reads[k].text, offset);
				end(&b, word_at(at[i], w, BANK));
			}
		}
}

/* Without an address register the word is known when the code is translated. */
static void constants_without_a_register_at_borders(void **state)
{
	static const uint32_t at[] = { 0, 36, 40, 44, 0x1fc };

	(void)state;
	for (unsigned i = 0; i < 2 * sizeof at / sizeof *at; i++) {
		struct border b;
		begin(&b, banks());
		border_say(&b, i % 2 ? "ld $r4 b32 c1[0x%x]\n" : "mov b32 $r4 0x0\nadd b32 $r4 $r4 c1[0x%x]\n",
			   at[i / 2]);
		end(&b, word_at(at[i / 2], 4, 40));
	}
}

/* ---- textures: compute programs fetch texels by whole numbers ---- */

#define TEXTURE "{\"textures\": [{\"t\": 0, \"type\": \"2d\", \"format\": \"r32_uint\", \"width\": 4, \"height\": 2, " \
	"\"data\": [\"01010101\", \"02020202\", \"03030303\", \"04040404\", \"05050505\", \"06060606\", " \
	"\"07070707\", \"08080808\"]}]}"

static void texels_at_borders(void **state)
{
	static const int32_t x[] = { 0, 3, 4, 5, -1, 0x7fffffff, INT32_MIN, INT32_MIN + 3, -4 },
		y[] = { 0, 1, 2, -1, 0x7fffffff, INT32_MIN, INT32_MIN + 1 }, levels[] = { 0, 1, -1, INT32_MIN };

	(void)state;
	for (unsigned i = 0; i < sizeof x / sizeof *x; i++)
		for (unsigned j = 0; j < sizeof y / sizeof *y; j++)
			for (unsigned v = 0; v < (i && j ? 1 : 4); v++) {
				struct border b;
				bool inside = x[i] >= 0 && x[i] < 4 && y[j] >= 0 && y[j] < 2 && levels[v] == 0;
				begin(&b, "");
				b.scene = TEXTURE;
				border_say(&b, "mov b32 $r8 0x%x\nmov b32 $r9 0x%x\nmov b32 $r10 0x%x\n"
					   "mov b32 $r11 0x0\n"
					   "texfetch all $r8:#:#:# $t0 $s0 $r8:$r9:$r10:$r11 0x0 0x0 0x0\n"
					   "mov b32 $r4 $r8\n",
					   (unsigned)x[i], (unsigned)y[j], (unsigned)levels[v]);
				end(&b, inside ? (uint32_t)(x[i] + 1 + 4 * y[j]) * 0x01010101u : 0);
			}
}

static void textures_that_are_not_bound_fault(void **state)
{
	(void)state;
	for (unsigned t = 1; t < 128; t += 42) {
		struct border b;
		begin(&b, "");
		b.scene = TEXTURE;
		border_say(&b, "mov b32 $r8 0x0\nmov b32 $r9 0x0\nmov b32 $r10 0x0\nmov b32 $r11 0x0\n"
			   "texfetch all $r8:#:#:# $t%u $s0 $r8:$r9:$r10:$r11 0x0 0x0 0x0\nmov b32 $r4 $r8\n", t);
		b.faults = true;
		end(&b, 0);
	}
}

/* ---- code ---- */

/* The code ends behind what `end` writes: its last words are 0x20 bytes from the branch or less. */
static void code_at_borders(void **state)
{
	static const char *const ways[] = { "bra 0x%x\n", "call 0x%x\n", "joinat 0x%x\nbra 0x%x\n" };
	static const uint32_t at[] = { 0x1000, 0x7ffffc, 0x800000, 0xfffffc };

	(void)state;
	for (unsigned k = 0; k < 2; k++)
		for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
			struct border b;
			begin(&b, "");
			border_say(&b, ways[k], at[i]);
			b.faults = true;
			end(&b, 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(global_addresses_at_borders), cmocka_unit_test(absolute_addresses_at_borders),
		cmocka_unit_test(views_at_borders), cmocka_unit_test(surfaces_at_borders),
		cmocka_unit_test(constants_at_borders),
		cmocka_unit_test(constants_without_a_register_at_borders), cmocka_unit_test(texels_at_borders),
		cmocka_unit_test(textures_that_are_not_bound_fault), cmocka_unit_test(code_at_borders),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	print_message("%u cases\n", border_cases);
	return failed;
}
