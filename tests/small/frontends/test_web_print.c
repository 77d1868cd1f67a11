/* printf of pages beside the host's: conversions, flags, widths, precisions, and doubles of all kinds. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define vfprintf page_vfprintf
#define vsnprintf page_vsnprintf
int page_vfprintf(FILE *f, const char *format, va_list args);
int page_vsnprintf(char *to, size_t size, const char *format, va_list args);
// NOLINTNEXTLINE(bugprone-suspicious-include): the functions under other names, beside the C library's
#include "frontends/web/host/print.c"
#undef vfprintf
#undef vsnprintf

enum { MOST = 1200 };

/* Both print alike, into enough memory and into 7 bytes. */
__attribute__((format(printf, 1, 2))) static void alike(const char *format, ...)
{
	char ours[MOST], theirs[MOST];
	va_list args;

	for (size_t size = 7; size <= MOST; size += MOST - 7) {
		memset(ours, 1, sizeof ours);
		memset(theirs, 1, sizeof theirs);
		va_start(args, format);
		int n = page_vsnprintf(ours, size, format, args);
		va_end(args);
		va_start(args, format);
		int m = vsnprintf(theirs, size, format, args);
		va_end(args);
		if (n != m || memcmp(ours, theirs, sizeof ours) != 0)
			fail_msg("%s: found %d '%.100s', expected %d '%.100s'", format, n, ours, m, theirs);
	}
}

static uint64_t next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 32 ^ *seed << 32;
}

static double double_of(uint64_t bits)
{
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* Any bits, short decimals, ties of few digits, small and large integers. */
static double any_double(uint64_t *seed)
{
	uint64_t bits = next(seed);

	switch (next(seed) % 5) {
	case 0: return double_of(bits);
	case 1: return (double)(int)(bits % 2000001 - 1000000) / 1000;
	case 2: return (double)(bits % 4096) / 16 - 100;
	case 3: return (double)(bits >> bits % 64);
	default: return ldexp((double)(bits % 1024), (int)(next(seed) % 2200) - 1100);
	}
}

/* "%", flags, width, precision and the letter. */
static const char *any_format(uint64_t *seed, char *format, const char *length, const char *letters)
{
	char *to = format, letter = letters[next(seed) % strlen(letters)];

	*to++ = '%';
	/* glibc's %#.2g of 99.96 is 1.e+02, a zero short. */
	for (const char *flag = letter == 'g' || letter == 'G' ? "-+ 0" : "-+ #0"; *flag; flag++)
		if (next(seed) % 4 == 0)
			*to++ = *flag;
	if (next(seed) % 2)
		to += sprintf(to, "%d", 1 + (int)(next(seed) % 30));
	if (next(seed) % 4)
		to += sprintf(to, ".%d", (int)(next(seed) % (next(seed) % 16 ? 20 : 400)));
	sprintf(to, "%s%c", length, letter);
	return format;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

static void floats(void **state)
{
	uint64_t seed = 36;
	char format[40];

	(void)state;
	for (int i = 0; i < 40000; i++) {
		double v = any_double(&seed);
		alike(any_format(&seed, format, "", "aAeEfFgG"), v);
		alike("%.15g %.17g %.9g", v, v, (double)(float)v);
	}
}

static void integers(void **state)
{
	uint64_t seed = 36;
	char format[40];

	(void)state;
	for (int i = 0; i < 10000; i++) {
		uint64_t v = next(&seed) >> next(&seed) % 64;
		alike(any_format(&seed, format, "", "dixXou"), (int)v);
		alike(any_format(&seed, format, "hh", "dixXou"), (int)v);
		alike(any_format(&seed, format, "h", "dixXou"), (int)v);
		alike(any_format(&seed, format, "l", "dixXou"), (long)v);
		alike(any_format(&seed, format, "ll", "dixXou"), (long long)v);
		alike(any_format(&seed, format, "z", "dixXou"), (size_t)v);
		alike(any_format(&seed, format, "j", "dixXou"), (intmax_t)v);
	}
}
#pragma GCC diagnostic pop

static void texts(void **state)
{
	(void)state;
	alike("%s", "");
	alike("plain %% text %c%c", 'a', '\0');
	alike("%10s|%-10s|%.2s|%-6.3s|%*s|%-*s|%*s", "ab", "cd", "efg", "hijk", 5, "l", 5, "m", -4, "n");
	alike("%.*f %*d %-*.*g|", 3, 2.5, 8, -3, 12, 4, 1e10);
	alike("%5c|%-5c|%+d % d %+d", 'x', 'y', 5, 5, -5);
	alike("%zu %td %jd", (size_t)7, (ptrdiff_t)-7, (intmax_t)-8);
}

static void into_a_file(void **state)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	va_list none;

	(void)state;
	memset(&none, 0, sizeof none);
	assert_int_equal(page_vfprintf(f, "100 %% in a file", none), 15);
	fclose(f);
	assert_string_equal(text, "100 % in a file");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(floats),
		cmocka_unit_test(integers),
		cmocka_unit_test(texts),
		cmocka_unit_test(into_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
