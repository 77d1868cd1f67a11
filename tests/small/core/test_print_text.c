/* The whole grammar of conversions of OpenCL C's printf (1.2, 6.12.13): flags × width × precision × length × letter,
 * and vectors of each number of elements, with the bytes that LLVM stores. Conversions of C are compared with C's
 * printf; halves, vectors, and texts without a conversion with the standard's words. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/print_text.h"
#include "tests/kit/cmocka_all.h"

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"

static const char *const widths[] = { "", "1", "7", "24" };
static const char *const precisions[] = { "", ".", ".0", ".1", ".3", ".12" };
static const unsigned vectors[] = { 2, 3, 4, 8, 16 };
enum { WIDTHS = 4, PRECISIONS = 6, FLAG_SETS = 32 };

static unsigned texts;

static void expect(const char *meaning, const void *bytes, uint32_t size, const char *expected)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	print_text(f, meaning, bytes, size, print_unwritten(bytes, size));
	fclose(f);
	texts++;
	if (strcmp(text, expected))
		fail_msg("%s: found \"%s\", expected \"%s\"", meaning, text, expected);
	free(text);
}

/* The part of a conversion before vector and length, number `i` of PREFIXES. */
enum { PREFIXES = FLAG_SETS * WIDTHS * PRECISIONS };
static void prefix(unsigned i, char to[32])
{
	char *p = to;

	for (unsigned bit = 0; bit < 5; bit++)
		if (i & 1u << bit)
			*p++ = "-+ #0"[bit];
	sprintf(p, "%s%s", widths[i / FLAG_SETS % WIDTHS], precisions[i / FLAG_SETS / WIDTHS]);
}

/* ---- scalars ---- */

static const struct integer { const char *length, *c; unsigned bytes; } integers[] = {
	{ "", "", 4 }, { "hh", "hh", 4 }, { "h", "h", 4 }, { "l", PRId64, 8 },  /* bytes stored: at least 4 */
};

static void integers_are_c_s(void **state)
{
	static const int64_t values[] = { 0, 1, -1, 42, -1234567, INT64_C(0x123456789abcdef0) };

	for (unsigned i = 0; i < PREFIXES; i++)
		for (unsigned k = 0; k < 4; k++)
			for (const char *letter = "diouxX"; *letter; letter++) {
				char before[32], meaning[64], format[64], expected[128];
				int64_t v = values[(i + k + (unsigned)*letter) % 6];
				prefix(i, before);
				snprintf(meaning, sizeof meaning, ":1:%u:<%%%s%s%c>", integers[k].bytes, before,
					 integers[k].length, *letter);
				snprintf(format, sizeof format, "<%%%s%s%c>", before, k == 3 ? "ll" : integers[k].c,
					 *letter);
				if (k == 3)
					snprintf(expected, sizeof expected, format, (long long)v);
				else
					snprintf(expected, sizeof expected, format, (int)v);
				expect(meaning, &v, integers[k].bytes, expected);
				if (k < 3)
					continue;
				for (unsigned c = 0; c < 4; c++) {      /* other lengths of 8 bytes, of HIP C++ */
					static const char *const lengths[] = { "ll", "j", "z", "t" };
					snprintf(meaning, sizeof meaning, ":1:8:<%%%s%s%c>", before, lengths[c],
						 *letter);
					expect(meaning, &v, 8, expected);
				}
			}
}

static const double reals[] = {
	0, -0.0, 1.5, -2.25, 1e10, 123456.789, 1e-7, FLT_MAX, INFINITY, -INFINITY, NAN, 0.1,
};
enum { REALS = sizeof reals / sizeof *reals };

/* Of 4 bytes where LLVM sees that a float was widened. */
static void reals_are_c_s(void **state)
{
	for (unsigned i = 0; i < PREFIXES; i++)
		for (const char *letter = "fFeEgGaA"; *letter; letter++) {
			char before[32], meaning[64], format[64], expected[512];
			double d = reals[(i + (unsigned)*letter) % REALS];
			float f = (float)d;
			prefix(i, before);
			snprintf(format, sizeof format, "<%%%s%c>", before, *letter);
			snprintf(expected, sizeof expected, format, d);
			snprintf(meaning, sizeof meaning, ":1:8:<%%%s%c>", before, *letter);
			expect(meaning, &d, 8, expected);
			snprintf(meaning, sizeof meaning, ":1:8:<%%%sl%c>", before, *letter);
			expect(meaning, &d, 8, expected);
			snprintf(expected, sizeof expected, format, (double)f);
			snprintf(meaning, sizeof meaning, ":1:4:<%%%s%c>", before, *letter);
			expect(meaning, &f, 4, expected);
		}
}

/* %F and %A as the compiler gets them. */
static void capitals_have_a_mark(void **state)
{
	for (unsigned i = 0; i < PREFIXES; i++)
		for (unsigned capital = 0; capital < 2; capital++) {
			char before[32], meaning[64], format[64], expected[512];
			double d = reals[i % REALS];
			prefix(i, before);
			snprintf(format, sizeof format, "<%%%s%c>", before, "FA"[capital]);
			snprintf(expected, sizeof expected, format, d);
			char *point = strchr(before, '.');
			const char *digits = !point ? "" : point[1] ? point + 1 : "0";
			snprintf(meaning, sizeof meaning, ":1:8:<%%%.*s." PRINT_CAPITALS "%s%c>",
				 (int)(point ? point - before : (long)strlen(before)), before, digits, "fa"[capital]);
			expect(meaning, &d, 8, expected);
		}
}

static void characters_and_texts_are_c_s(void **state)
{
	for (unsigned i = 0; i < PREFIXES; i++) {
		char before[32], meaning[64], format[64], expected[128];
		const char *only = i & 1 ? "-" : "";
		int c = 'y';
		prefix(i, before);
		if (i % FLAG_SETS > 1)
			continue;       /* the other flags mean nothing for c and s */
		snprintf(meaning, sizeof meaning, ":1:8:<%%%ss>", before);
		snprintf(format, sizeof format, "<%%%ss>", before);
		snprintf(expected, sizeof expected, format, "abcdef");
		expect(meaning, "abcdef\0", 8, expected);
		snprintf(meaning, sizeof meaning, ":1:4:<%%%s%sc>", only, widths[i / FLAG_SETS % WIDTHS]);
		snprintf(expected, sizeof expected, meaning + 5, c);
		expect(meaning, &c, 4, expected);
	}
	expect(":1:8:%p", "\x10\x32\x54\x76\0\0\0\0", 8, "0x76543210");
	expect(":1:8:[%14p]", "\x10\x32\x54\x76\0\0\0\0", 8, "[    0x76543210]");
	expect(":1:8:[%-14p]", "\x10\x32\x54\x76\0\0\0\0", 8, "[0x76543210    ]");
	expect(":1:8:[%p]", "\0\0\0\0\0\0\0\0", 8, "[0x0]");
	expect(":0:100%%, %%d%%", "", 0, "100%, %d%");
}

/* ---- vectors ---- */

/* An element of `bytes` bytes of a vector, printed by C. */
static void put_expected(FILE *f, const char *before, char letter, unsigned bytes, const uint8_t *p)
{
	char format[64];
	int64_t v = 0;
	float single;
	double real;

	memcpy(&v, p, bytes);
	memcpy(&single, p, sizeof single);
	memcpy(&real, p, sizeof real);
	snprintf(format, sizeof format, "%%%s%s%c", before, strchr("diouxX", letter) ? "ll" : "", letter);
	if (letter == 'd' || letter == 'i')
		v = (int64_t)((uint64_t)v << (64 - 8 * bytes)) >> (64 - 8 * bytes);
	if (!strchr("diouxX", letter))
		fprintf(f, format, bytes == 4 ? (double)single : real);
	else
		fprintf(f, format, (long long)v);
}

/* Elements lie `apart` bytes apart: LLVM widens elements of vectors of less than 4 bytes. */
static void expect_vector(const char *before, unsigned n, const char *length, char letter, unsigned bytes,
			  unsigned apart)
{
	uint8_t stored[128];
	char meaning[96], *expected;
	unsigned size = (n == 3 ? 4 : n) * apart;
	size_t nexpected;
	FILE *f = open_memstream(&expected, &nexpected);

	for (unsigned i = 0; i < sizeof stored; i++)
		stored[i] = (uint8_t)(i * 37 + 11 * (unsigned)letter + bytes);
	fputc('<', f);
	for (unsigned i = 0; i < n; i++) {
		if (i)
			fputc(',', f);
		put_expected(f, before, letter, bytes, stored + i * apart);
	}
	fputc('>', f);
	fclose(f);
	snprintf(meaning, sizeof meaning, ":1:%u:<%%%sv%u%s%c>", size, before, n, length, letter);
	expect(meaning, stored, size, expected);
	free(expected);
}

static void vectors_are_elements_with_commas(void **state)
{
	for (unsigned i = 0; i < PREFIXES; i += 7)
		for (unsigned k = 0; k < 5; k++) {
			unsigned n = vectors[k];
			char before[32];
			prefix(i, before);
			for (const char *letter = "diouxX"; *letter; letter++) {
				expect_vector(before, n, "hh", *letter, 1, n * 1 < 4 && n != 3 ? 4 : 1);
				expect_vector(before, n, "h", *letter, 2, 2);
				expect_vector(before, n, "hl", *letter, 4, 4);
				expect_vector(before, n, "l", *letter, 8, 8);
			}
			for (const char *letter = "fFeEgGaA"; *letter; letter++) {
				expect_vector(before, n, "hl", *letter, 4, 4);
				expect_vector(before, n, "l", *letter, 8, 8);
			}
		}
}

static void halves_are_values(void **state)
{
	static const uint16_t halves[] = { 0x3e00, 0x4000, 0x3800, 0x7c00, 0x8000, 0x0001, 0xfbff, 0xc500 };

	expect(":1:4:%v2hf", halves, 4, "1.500000,2.000000");
	expect(":1:8:%v3hg", halves, 8, "1.5,2,0.5");
	expect(":1:8:%v4hg", halves, 8, "1.5,2,0.5,inf");
	expect(":1:16:[%6.1v8hg]", halves, 16, "[     2,     2,   0.5,   inf,    -0, 6e-08,-7e+04,    -5]");
	expect(":1:8:%.2v4ha", halves + 4, 8, "-0x0.00p+0,0x1.00p-24,-0x2.00p+15,-0x1.40p+2");
	expect(":1:4:%v2hd", halves, 4, "15872,16384");
}

/* ---- no conversions ---- */

/* The text itself is printed, and an argument stored by LLVM is taken; never silence. */
static void what_is_no_conversion_stands_there(void **state)
{
	static const int32_t arguments[] = { 1, 2, 3, 4 };
	static const struct { const char *meaning, *text; } rows[] = {
		{ ":2:4:4:[%n x %d]", "[%n x 2]" }, { ":2:4:4:[%'d %d]", "[%'d 2]" }, { ":1:4:[%y %d]", "[%y 1]" },
		{ ":2:4:4:[%v5d %d]", "[%v5d 2]" }, { ":2:4:4:[%v1d %d]", "[%v1d 2]" }, { ":1:4:[%5% %d]", "[%5% 1]" },
		{ ":2:4:4:[%v4c %d]", "[%v4c 2]" }, { ":2:4:4:[%hhhd %d]", "[%hhhd 2]" }, { ":0:50%", "50%" },
		{ ":0:%", "%" }, { ":0:%d", "%d" }, { ":1:4:%d %d", "1 %d" }, { ":2:4:4:[%Lf %d]", "[%Lf 2]" },
		{ ":1:4:[%d\\72%%]\\n\t", "[1:%]\n\t" }, { ":2:4:4:%+-+-5d|%i", "+1   |2" }, { ":0:", "" },
	};

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
		expect(rows[i].meaning, arguments, sizeof arguments, rows[i].text);
	expect(":1:[%F]\n", "", 0, "[%F] (printf: the compiler stored 0 of 1 arguments; %F and %A need their format as "
	       "a literal behind \"printf(\", and OpenCL C has no *)\n");
	expect(":1:4:%d", arguments, 3, "%d");  /* less is stored than the meaning says */
}

/* Of CUDA's printf: a width or precision is an argument of its own; and a backslash of the format. */
static void stars_take_arguments(void **state)
{
	static const int32_t five[] = { 5, 42, 7 }, minus[] = { -5, 42 };
	struct { int32_t width, precision; double v; } real = { 8, 2, 1.0 / 3 };

	expect(":2:4:4:<%*d>", five, 8, "<   42>");
	expect(":2:4:4:<%*d>", minus, 8, "<42   >");
	expect(":3:4:4:4:<%*d %d>", five, 12, "<   42 7>");
	expect(":3:4:4:8:<%*.*f>", &real, sizeof real, "<    0.33>");
	expect(":2:4:8:<%.*f>", &real.precision, 12, "<0.33>");
	expect(":1:4:<%*d>", five, 4, "<%*d>");         /* the width alone is there */
	expect(":2:8:4:<%*d %d>", five, 12, "<%*d 7>");         /* a width has 4 bytes */
	expect(":0:C\\134n", "", 0, "C\\n");
}

/* A literal as clang 16 and later store it: without a word of zeros, and the record's last words are unwritten. */
static void literals_without_zeros_are_found(void **state)
{
	static const struct { const char *meaning, *bytes; uint32_t size; const char *text; } calls[] = {
		{ ":2:8:4:%s|%d", "text\x80\0\0\0\xf5\xf5\xf5\xf5", 12, "text|128" },
		{ ":2:8:4:%s|%d", "text\0\0\0\0\x80\0\0\0", 12, "text|128" },
		{ ":2:8:4:%s|%c", "textA\0\0\0\xf5\xf5\xf5\xf5", 12, "text|A" },
		{ ":2:8:4:%s|%c", "textA\0\0\0B\0\0\0", 12, "textA|B" },
		{ ":1:8:%s", "text\xf5\xf5\xf5\xf5", 8, "text" },
		{ ":3:8:4:8:%s|%c|%s", "textA\0\0\0texts\0\0\0\xf5\xf5\xf5\xf5", 20, "text|A|texts" },
		{ ":3:8:4:8:%s|%d|%s", "texts\0\0\0\0\0\0\0four\xf5\xf5\xf5\xf5", 20, "texts|0|four" },
		{ ":3:4:8:16:%s%s%s", "ab\0\0abcdabcdefghijkl\xf5\xf5\xf5\xf5\xf5\xf5\xf5\xf5", 28,
		  "ababcdabcdefghijkl" },
		{ ":2:8:4:%s|%d", "text\xf5\xf5\xf5\xf5\xf5\xf5\xf5\xf5", 12, "text\xf5\xf5\xf5\xf5|-168430091" },
		{ ":2:18446744073709551608:16:%d|%s", "texttexttext\xf5\xf5\xf5\xf5", 16, "%d|%s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		expect(calls[i].meaning, calls[i].bytes, calls[i].size, calls[i].text);
	assert_true(print_has_literals(":2:4:8:%d%s"));
	assert_false(print_has_literals(":2:4:4:%d%s"));
	assert_false(print_has_literals(":1:8:%d"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_c_s), cmocka_unit_test(reals_are_c_s),
		cmocka_unit_test(capitals_have_a_mark), cmocka_unit_test(characters_and_texts_are_c_s),
		cmocka_unit_test(vectors_are_elements_with_commas), cmocka_unit_test(halves_are_values),
		cmocka_unit_test(what_is_no_conversion_stands_there), cmocka_unit_test(stars_take_arguments),
		cmocka_unit_test(literals_without_zeros_are_found),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	printf("%u texts\n", texts);
	return failed;
}
