/* printf, all conversions but %n and wide characters; of the same values the same texts as glibc's
 * (tests/small/frontends/test_web_print.c). The C library's printf is three times as large: 3 KB of the module's
 * gzip. */
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LIMB = 1000000000, LIMBS = 96, DIGITS = 9 * LIMBS };

struct sink {
	FILE *f;        /* or NULL: memory */
	char *to, *end; /* memory, and the last byte of the memory, kept for the 0 */
	int n;          /* characters so far, stored or not */
};

struct spec {
	bool to_left, plus, space, alt, zero;
	int width, precision; /* precision: -1 is none */
	char conversion;
};

static void put(struct sink *s, const char *text, size_t n)
{
	size_t fit = s->f ? 0 : (size_t)(s->end - s->to);

	s->n += (int)n;
	if (s->f) {
		fwrite(text, 1, n, s->f);
	} else if (fit) {
		fit = n < fit ? n : fit;
		memcpy(s->to, text, fit);
		s->to += fit;
	}
}

static void pad(struct sink *s, char c, int n)
{
	char run[32];

	memset(run, c, sizeof run);
	for (; n > 0; n -= (int)sizeof run)
		put(s, run, (size_t)n < sizeof run ? (size_t)n : sizeof run);
}

/* Sign or 0x, then zeros or spaces until the width is full with `n` further characters. Returns the spaces behind. */
static int begin(struct sink *s, const struct spec *p, const char *prefix, int n)
{
	int all = n + (int)strlen(prefix), spaces = p->width > all ? p->width - all : 0;

	if (!p->to_left && !p->zero)
		pad(s, ' ', spaces);
	put(s, prefix, strlen(prefix));
	if (!p->to_left && p->zero)
		pad(s, '0', spaces);
	return p->to_left ? spaces : 0;
}

static void put_text(struct sink *s, const struct spec *p, const char *text, size_t n)
{
	struct spec plain = *p;

	plain.zero = false;
	int behind = begin(s, &plain, "", (int)n);
	put(s, text, n);
	pad(s, ' ', behind);
}

/* ---- integers ---- */

static void put_integer(struct sink *s, struct spec *p, uint64_t v, bool negative)
{
	unsigned base = p->conversion == 'o' ? 8 : p->conversion == 'x' || p->conversion == 'X' ? 16 : 10;
	const char *digits = p->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	char text[24], prefix[4] = "", *end = text + sizeof text, *at = end;
	bool zero = v == 0;
	int n, zeros;

	for (; v; v /= base)
		*--at = digits[v % base];
	n = (int)(end - at);
	zeros = (p->precision < 0 ? 1 : p->precision) - n;
	zeros = base == 8 && p->alt && zeros < 1 ? 1 : zeros < 0 ? 0 : zeros;
	if (negative || p->plus || p->space)
		*prefix = negative ? '-' : p->plus ? '+' : ' ';
	else if (base == 16 && p->alt && !zero)
		memcpy(prefix, (char[]){'0', p->conversion, '\0'}, 3);
	p->zero = p->zero && p->precision < 0;
	int behind = begin(s, p, prefix, zeros + n);
	pad(s, '0', zeros);
	put(s, at, (size_t)n);
	pad(s, ' ', behind);
}

/* ---- floats ---- */

static unsigned multiply(uint32_t *limb, unsigned n, uint32_t factor)
{
	uint64_t carry = 0;

	for (unsigned i = 0; i < n; i++) {
		carry += (uint64_t)limb[i] * factor;
		limb[i] = (uint32_t)(carry % LIMB);
		carry /= LIMB;
	}
	if (carry)
		limb[n++] = (uint32_t)carry;
	return n;
}

/* All decimal digits of mantissa * 2^e, without zeros in front; *point: digits before the point, may be negative. */
static int digits_of(char *out, uint64_t mantissa, int e, int *point)
{
	uint32_t limb[LIMBS] = {(uint32_t)(mantissa % LIMB), (uint32_t)(mantissa / LIMB)};
	unsigned n = limb[1] ? 2 : 1;
	int fives = 0;
	char *to = out;

	for (int step; e > 0; e -= step) {
		step = e < 28 ? e : 28;
		n = multiply(limb, n, 1u << step);
	}
	for (int step; e < 0; e += step) {      /* of m / 2 the digits are those of 5 m */
		step = e <= -12 ? 12 : 1;
		n = multiply(limb, n, step == 12 ? 244140625 : 5);
		fives += step;
	}
	while (n) {
		char nine[10];
		uint32_t v = limb[--n];
		for (int i = 8; i >= 0; i--, v /= 10)
			nine[i] = (char)('0' + v % 10);
		memcpy(to, nine, 9);
		to += 9;
	}
	char *first = out;
	while (first < to - 1 && *first == '0')
		first++;
	memmove(out, first, (size_t)(to - first));
	*point = (int)(to - first) - fives;
	return (int)(to - first);
}

/* Keep at most `keep` digits, to the nearest, ties to even. Returns the number of digits. */
static int round_digits(char *digit, int n, int keep, int *point)
{
	bool up;

	if (keep >= n)
		return n;
	if (keep < 0)
		return 0;
	up = digit[keep] > '5' || (digit[keep] == '5' && keep && (digit[keep - 1] & 1));
	for (int i = keep + 1; i < n && digit[keep] == '5'; i++)
		up = up || digit[i] != '0';
	for (n = keep; up && n && digit[n - 1] == '9';)
		n--;
	if (up && !n) {
		++*point;
		digit[n++] = '1';
	} else if (up) {
		digit[n - 1]++;
	}
	return n;
}

/* `n` digits from the index `from` on, of `have` digits; zeros outside. */
static void put_digits(struct sink *s, const char *digit, int have, int from, int n)
{
	int zeros = from < 0 ? -from < n ? -from : n : 0;

	pad(s, '0', zeros);
	from += zeros;
	n -= zeros;
	int some = from < have ? have - from < n ? have - from : n : 0;
	put(s, digit + from, (size_t)some);
	pad(s, '0', n - some);
}

static void put_decimal(struct sink *s, const struct spec *p, const char *prefix, uint64_t mantissa, int e)
{
	char digit[DIGITS], exponent[8], lower = (char)(p->conversion | 0x20);
	int point, n = digits_of(digit, mantissa, e, &point), precision = p->precision < 0 ? 6 : p->precision;
	bool with_exponent = lower == 'e';

	if (!mantissa)
		point = 1;
	if (lower == 'g') {
		precision = precision ? precision : 1;
		n = round_digits(digit, n, precision, &point);
		with_exponent = point - 1 < -4 || point - 1 >= precision;
		precision -= with_exponent ? 1 : point;
		while (!p->alt && n && digit[n - 1] == '0')
			n--;
		int useful = n - (with_exponent ? 1 : point);
		if (!p->alt && precision > useful)
			precision = useful < 0 ? 0 : useful;
	} else {
		n = round_digits(digit, n, with_exponent ? precision + 1 : point + precision, &point);
	}
	int tens = point - 1 < 0 ? 1 - point : point - 1, before = with_exponent || point < 1 ? 1 : point;
	int behind, size = with_exponent ? snprintf(exponent, sizeof exponent, "%c%c%02d", p->conversion & 0x20 ? 'e' :
		'E', point < 1 ? '-' : '+', tens) : 0, dot = precision || p->alt;

	behind = begin(s, p, prefix, before + dot + precision + size);
	int from = with_exponent ? 1 : point;
	put_digits(s, digit, n, from - before, before);
	put(s, ".", (size_t)dot);
	put_digits(s, digit, n, from, precision);
	put(s, exponent, (size_t)size);
	pad(s, ' ', behind);
}

/* %a in the form of glibc: a 1 before the point, of subnormal numbers a 0. */
static void put_hexadecimal(struct sink *s, const struct spec *p, char *prefix, uint64_t bits)
{
	const char *digits = p->conversion == 'A' ? "0123456789ABCDEF" : "0123456789abcdef";
	uint64_t fraction = bits & 0xfffffffffffff, exponent = bits >> 52 & 0x7ff, whole = exponent != 0;
	int precision = p->precision, e = exponent ? (int)exponent - 1023 : fraction ? -1022 : 0;
	char text[13], tail[8];

	if (precision >= 0 && precision < 13) {
		uint64_t unit = 1ull << (52 - 4 * precision), all = whole << 52 | fraction, rest = all & (unit - 1);
		all -= rest;
		all += rest > unit / 2 || (rest == unit / 2 && all & unit) ? unit : 0;
		whole = all >> 52;
		fraction = all & 0xfffffffffffff;
	}
	for (int i = 0; i < 13; i++)
		text[i] = digits[fraction >> (48 - 4 * i) & 15];
	int n = 13;
	while (n && text[n - 1] == '0')
		n--;
	precision = precision < 0 ? n : precision;
	strcat(prefix, p->conversion == 'A' ? "0X" : "0x");
	int dot = precision || p->alt, size = snprintf(tail, sizeof tail, "%c%+d", p->conversion == 'A' ? 'P' : 'p', e);
	int behind = begin(s, p, prefix, 1 + dot + precision + size);
	put(s, &digits[whole], 1);
	put(s, ".", (size_t)dot);
	put_digits(s, text, n, 0, precision);
	put(s, tail, (size_t)size);
	pad(s, ' ', behind);
}

static void put_float(struct sink *s, struct spec *p, double v)
{
	char prefix[4] = "";
	uint64_t bits, fraction;
	int exponent;

	memcpy(&bits, &v, sizeof bits);
	fraction = bits & 0xfffffffffffff;
	exponent = (int)(bits >> 52 & 0x7ff);
	if (bits >> 63 || p->plus || p->space)
		*prefix = bits >> 63 ? '-' : p->plus ? '+' : ' ';
	if (exponent == 0x7ff) {
		bool upper = !(p->conversion & 0x20);
		p->zero = false;
		int behind = begin(s, p, prefix, 3);
		put(s, fraction ? upper ? "NAN" : "nan" : upper ? "INF" : "inf", 3);
		pad(s, ' ', behind);
	} else if ((p->conversion | 0x20) == 'a') {
		put_hexadecimal(s, p, prefix, bits);
	} else {
		uint64_t mantissa = exponent ? 1ull << 52 | fraction : fraction;
		int e = (exponent ? exponent : 1) - 1075;
		for (; mantissa && !(mantissa & 1) && e < 0; e++)
			mantissa >>= 1;
		put_decimal(s, p, prefix, mantissa, mantissa ? e : 0);
	}
}

/* ---- formats ---- */

static void read_flags(const char **format, struct spec *p)
{
	for (;; ++*format)
		switch (**format) {
		case '-': p->to_left = true; break;
		case '+': p->plus = true; break;
		case ' ': p->space = true; break;
		case '#': p->alt = true; break;
		case '0': p->zero = true; break;
		default: return;
		}
}

static int read_number(const char **format)
{
	int n = 0;

	for (; **format >= '0' && **format <= '9'; ++*format)
		n = 10 * n + **format - '0';
	return n;
}

/* Bytes of the integer that the letters of length stand for. */
static size_t read_length(const char **format)
{
	size_t bytes = sizeof(int);

	for (;; ++*format)
		switch (**format) {
		case 'h': bytes /= 2; break;
		case 'l': bytes = bytes == sizeof(int) && (*format)[1] != 'l' ? sizeof(long) : sizeof(long long); break;
		case 'z':
		case 't': bytes = sizeof(size_t); break;
		case 'j': bytes = sizeof(intmax_t); break;
		default: return bytes;
		}
}

static void print(struct sink *s, const char *format, va_list args)
{
	while (*format) {
		size_t plain = strcspn(format, "%");
		struct spec p = {.precision = -1};

		put(s, format, plain);
		format += plain;
		if (!*format)
			break;
		format++;
		read_flags(&format, &p);
		p.width = *format == '*' ? format++, va_arg(args, int) : read_number(&format);
		if (p.width < 0) {
			p.to_left = true;
			p.width = -p.width;
		}
		if (*format == '.') {
			format++;
			p.precision = *format == '*' ? format++, va_arg(args, int) : read_number(&format);
		}
		size_t bytes = read_length(&format);
		p.conversion = *format;
		format += *format != '\0';
		uint64_t v;
		const char *text;
		switch (p.conversion) {
		case 'd':
		case 'i': {
			int64_t i = bytes == 8 ? va_arg(args, int64_t) : va_arg(args, int);
			i = bytes == 1 ? (int8_t)i : bytes == 2 ? (int16_t)i : i;
			put_integer(s, &p, i < 0 ? -(uint64_t)i : (uint64_t)i, i < 0);
			break;
		}
		case 'u':
		case 'x':
		case 'X':
		case 'o':
			v = bytes == 8 ? va_arg(args, uint64_t) : va_arg(args, unsigned);
			p.plus = p.space = false;
			put_integer(s, &p, bytes == 1 ? (uint8_t)v : bytes == 2 ? (uint16_t)v : v, false);
			break;
		case 'p':
			p.alt = true;
			p.conversion = 'x';
			put_integer(s, &p, (uintptr_t)va_arg(args, void *), false);
			break;
		case 'c': put_text(s, &p, (char[]){(char)va_arg(args, int)}, 1); break;
		case 's':
			text = va_arg(args, const char *);
			text = text ? text : "(null)";
			put_text(s, &p, text, p.precision < 0 ? strlen(text) : strnlen(text, (size_t)p.precision));
			break;
		case '%': put(s, "%", 1); break;
		default: put_float(s, &p, va_arg(args, double)); break;
		}
	}
}

int vfprintf(FILE *f, const char *format, va_list args)
{
	struct sink s = {.f = f};

	print(&s, format, args);
	return s.n;
}

int vsnprintf(char *to, size_t size, const char *format, va_list args)
{
	struct sink s = {.to = to, .end = to};

	if (size)
		s.end = size > INT_MAX ? to + INT_MAX : to + size - 1;
	print(&s, format, args);
	if (size)
		*s.to = '\0';
	return s.n;
}
