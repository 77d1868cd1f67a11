/* Conversions of OpenCL C's printf are read, and printed by the host's printf where C has the same.
 *
 *     %[flags][width][.precision][vN][length]letter
 *
 * A width or precision of CUDA's printf may be a *, an argument of 4 bytes; OpenCL C has no *. The lengths ll, j, z
 * and t, which OpenCL C lacks, are HIP's.
 *
 * LLVM (AMDGPUPrintfRuntimeBinding) stores an argument for each '%' that a letter of STORED follows before the next
 * '%', whatever stands between: so conversions without a meaning here take an argument as well. */
#include "core/print_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STORED "cdieEfgGaosuxXp"

enum { ARGUMENTS_MOST = 256, WIDTH_MOST = 4096 };

/* A conversion of a format. */
struct conversion {
	char flags[8];                  /* characters, without repetition */
	int width, precision;           /* -1: none */
	bool star[2];                   /* the width, the precision */
	unsigned elements;              /* of a vector; 0: a scalar */
	unsigned bytes;                 /* of an element, by the length modifier; 0: none */
	char letter;
};

/* ---- formats ---- */

static const char *number(const char *p, int *out)
{
	int64_t v = 0;

	for (; *p >= '0' && *p <= '9'; p++)
		v = v < WIDTH_MOST ? v * 10 + (*p - '0') : v;
	*out = (int)(v < WIDTH_MOST ? v : WIDTH_MOST);
	return p;
}

static const char *read_flags(const char *p, char flags[8])
{
	size_t n = 0;

	for (; *p && strchr("-+ #0", *p); p++)
		if (!memchr(flags, *p, n))
			flags[n++] = *p;
	flags[n] = '\0';
	return p;
}

/* Read a precision behind its point. *capitals: of PRINT_CAPITALS. */
static const char *read_precision(const char *p, struct conversion *c, bool *capitals)
{
	size_t n = sizeof PRINT_CAPITALS - 1;

	*capitals = !strncmp(p, PRINT_CAPITALS, n);
	p += *capitals ? n : 0;
	if (*capitals && !(*p >= '0' && *p <= '9'))
		return p;       /* none */
	return number(p, &c->precision);
}

/* Read a conversion behind its '%'. Returns the end; NULL: no conversion of the language. */
static const char *read_conversion(const char *p, struct conversion *c)
{
	static const struct { const char *text; unsigned bytes; } lengths[] = {
		{ "hh", 1 }, { "hl", 4 }, { "h", 2 }, { "ll", 8 }, { "l", 8 }, { "j", 8 }, { "z", 8 }, { "t", 8 },
	};
	bool capitals = false;
	int elements = 0;

	*c = (struct conversion){ .width = -1, .precision = -1 };
	p = read_flags(p, c->flags);
	if (*p >= '1' && *p <= '9')
		p = number(p, &c->width);
	else if ((c->star[0] = *p == '*'))
		p++;
	if (*p == '.' && (c->star[1] = p[1] == '*'))
		p += 2;
	else if (*p == '.')
		p = read_precision(p + 1, c, &capitals);
	if (*p == 'v') {
		p = number(p + 1, &elements);
		if (elements < 2 || (elements > 4 && elements != 8 && elements != 16))
			return NULL;
	}
	c->elements = (unsigned)elements;
	for (unsigned i = 0; i < sizeof lengths / sizeof *lengths && !c->bytes; i++) {
		size_t n = strlen(lengths[i].text);
		if (!strncmp(p, lengths[i].text, n)) {
			c->bytes = lengths[i].bytes;
			p += n;
		}
	}
	if (!*p || !strchr(c->elements ? "diouxXfFeEgGaA" : "diouxXfFeEgGaAcsp", *p))
		return NULL;
	c->letter = capitals && *p == 'f' ? 'F' : capitals && *p == 'a' ? 'A' : *p;
	return p + 1;
}

/* The bytes of a conversion's argument in C, of a meaning. */
static const char *bytes_of(const struct conversion *c)
{
	if (c->letter == 's')
		return "8@";
	return strchr("fFeEgGaAp", c->letter) || c->bytes == 8 ? "8" : "4";
}

void print_meaning(FILE *f, const char *format)
{
	char *sizes = NULL;
	size_t length = 0;
	unsigned n = 0;
	FILE *to = open_memstream(&sizes, &length);

	for (const char *p = to ? format : ""; *p; p++) {
		struct conversion c;
		const char *end = *p == '%' && p[1] != '%' ? read_conversion(p + 1, &c) : NULL;
		p += *p == '%' && p[1] == '%';
		if (!end || n + 3 > ARGUMENTS_MOST)
			continue;
		for (int i = 0; i < 2; i++)
			n += c.star[i] && fputs(":4", to) >= 0;
		fprintf(to, ":%s", bytes_of(&c));
		n++;
		p = end - 1;
	}
	if (!to || fclose(to))
		n = 0;
	fprintf(f, ":%u%s:", n, n ? sizes : "");
	for (const char *p = format; *p; p++)
		fputs(*p == ':' ? "\\72" : *p == '\\' ? "\\134" : (char[]){ *p, '\0' }, f);
	free(sizes);
}

/* The end of a '%' without a meaning, behind which an argument is stored; NULL: none is. */
static const char *stored_end(const char *percent)
{
	const char *p = percent + 1 + strcspn(percent + 1, "%" STORED);

	return *p && *p != '%' ? p + 1 : NULL;
}

/* The format in its own bytes: LLVM escapes some characters, but not the backslash. */
static void unescape(char *format)
{
	static const char letters[] = "abfnrv", bytes[] = "\a\b\f\n\r\v";
	char *to = format;

	for (const char *p = format; *p; p++) {
		const char *letter = *p == '\\' && p[1] ? strchr(letters, p[1]) : NULL;
		if (letter) {
			*to++ = bytes[letter - letters];
			p++;
		} else if (!strncmp(p, "\\72", 3)) {
			*to++ = ':';
			p += 2;
		} else if (!strncmp(p, "\\134", 4)) {
			*to++ = '\\';
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
}

/* ---- values ---- */

static int64_t integer(const uint8_t *p, unsigned bytes, bool is_signed)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return is_signed ? (int64_t)(v << (64 - 8 * bytes)) >> (64 - 8 * bytes) : (int64_t)v;
}

static double half(uint16_t h)
{
	int exponent = h >> 10 & 31, digits = h & 1023;
	double v = exponent == 31 ? digits ? (double)NAN : (double)INFINITY :
		   exponent	  ? ldexp(1024 + digits, exponent - 25) : ldexp(digits, -24);

	return copysign(v, h >> 15 ? -1 : 1);
}

static double real(const uint8_t *p, unsigned bytes)
{
	float f;
	double d;

	if (bytes == 8) {
		memcpy(&d, p, 8);
		return d;
	}
	if (bytes == 2)
		return half((uint16_t)(p[0] | p[1] << 8));
	memcpy(&f, p, 4);
	return f;
}

/* Print at most `most` bytes of a text within the width. */
static void put_text(FILE *f, const struct conversion *c, const char *text, int most)
{
	fprintf(f, strchr(c->flags, '-') ? "%-*.*s" : "%*.*s", c->width < 0 ? 0 : c->width, most, text);
}

/* Print one element at p. */
static void put_element(FILE *f, const struct conversion *c, const uint8_t *p, unsigned bytes)
{
	bool is_signed = c->letter == 'd' || c->letter == 'i', is_real = strchr("fFeEgGaA", c->letter);
	char format[64], width[16] = "", precision[16] = "";

	if (c->width >= 0)
		snprintf(width, sizeof width, "%d", c->width);
	if (c->precision >= 0)
		snprintf(precision, sizeof precision, ".%d", c->precision);
	snprintf(format, sizeof format, "%%%s%s%s%s%c", c->flags, width, precision, is_real ? "" : "j", c->letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (is_real)
		fprintf(f, format, real(p, bytes));
	else
		fprintf(f, format, (intmax_t)integer(p, bytes, is_signed));
#pragma GCC diagnostic pop
}

/* Print an argument of `size` bytes. */
static void put_argument(FILE *f, const struct conversion *c, const uint8_t *p, unsigned size)
{
	unsigned n = c->elements ? c->elements : 1, apart = size / (n == 3 ? 4 : n), bytes = apart < 8 ? apart : 8;
	bool is_integer = strchr("diouxX", c->letter);
	char text[32];

	if (c->letter == 's') {
		int most = (int)strnlen((const char *)p, size);
		put_text(f, c, (const char *)p, c->precision >= 0 && c->precision < most ? c->precision : most);
		return;
	}
	if (c->letter == 'p') {
		snprintf(text, sizeof text, "0x%" PRIx64, integer(p, bytes, false));
		put_text(f, c, text, sizeof text);
		return;
	}
	if (c->letter == 'c') {
		fprintf(f, strchr(c->flags, '-') ? "%-*c" : "%*c", c->width < 0 ? 0 : c->width, *p);
		return;
	}
	/* LLVM widens some elements; floats keep their own size, whatever the modifier. */
	if (is_integer && c->bytes && c->bytes < bytes)
		bytes = c->bytes;
	for (unsigned i = 0; i < n && bytes; i++) {
		if (i)
			fputc(',', f);
		put_element(f, c, p + i * apart, bytes);
	}
}

/* ---- calls ---- */

/* The arguments' bytes of a meaning behind ":ARGUMENTS". Returns their number, and the format. */
static unsigned long read_sizes(const char *p, unsigned long size[ARGUMENTS_MOST], const char **format)
{
	unsigned long n = 0;
	char *end = NULL;

	for (; n < ARGUMENTS_MOST && *p == ':' && p[1] >= '0' && p[1] <= '9'; n++, p = end) {
		unsigned long bytes = strtoul(p + 1, &end, 10);
		if (*end != ':')
			break;
		size[n] = bytes;
	}
	*format = p + (*p == ':');
	return n;
}

/* The arguments of a call, up to the next one. */
struct arguments {
	const unsigned long *size;
	unsigned long n, next;
	const uint8_t *bytes;
	uint32_t rest;                  /* bytes of the next argument and all behind */
};

static bool is_here(const struct arguments *a)
{
	return a->next < a->n && a->size[a->next] <= a->rest;
}

/* Go behind the next argument, which is here, and return its bytes. */
static const uint8_t *take(struct arguments *a)
{
	const uint8_t *bytes = a->bytes;

	a->rest -= (uint32_t)a->size[a->next];
	a->bytes += a->size[a->next++];
	return bytes;
}

/* Give a width or a precision the value of its argument. */
static void set_star(struct conversion *c, bool precision, int64_t v)
{
	v = v > WIDTH_MOST ? WIDTH_MOST : v < -WIDTH_MOST ? -WIDTH_MOST : v;
	if (precision)
		c->precision = v < 0 ? -1 : (int)v;
	else
		c->width = (int)(v < 0 ? -v : v);
	if (!precision && v < 0 && !strchr(c->flags, '-'))
		strcat(c->flags, "-");
}

/* Take the arguments of widths and precisions. False: some or the conversion's own are not here, and none is taken. */
static bool take_stars(struct conversion *c, struct arguments *a)
{
	struct arguments next = *a;

	for (unsigned i = 0; i < 2; i++) {
		if (!c->star[i])
			continue;
		if (!is_here(&next) || next.size[next.next] != 4)
			return false;
		set_star(c, i, integer(take(&next), 4, true));
	}
	if (!is_here(&next))
		return false;
	*a = next;
	return true;
}

static void put_format(FILE *f, const char *format, struct arguments a)
{
	for (const char *p = format; *p;) {
		struct conversion c;
		bool here = *p == '%' && p[1] != '%' && is_here(&a);
		const char *end = here ? read_conversion(p + 1, &c) : NULL;
		if (end && take_stars(&c, &a)) {
			unsigned size = (unsigned)a.size[a.next];
			put_argument(f, &c, take(&a), size);
		} else if (here && (end = stored_end(p))) {
			fwrite(p, 1, (size_t)(end - p), f);
			take(&a);
		} else {
			fputc(*p, f);
			end = p + 1 + (p[0] == '%' && p[1] == '%');
		}
		p = end;
	}
}

/* ---- literals without their zeros ---- */

uint32_t print_unwritten(const uint8_t *arguments, uint32_t size)
{
	static const uint8_t word[4] = { PRINT_UNWRITTEN, PRINT_UNWRITTEN, PRINT_UNWRITTEN, PRINT_UNWRITTEN };
	uint32_t n = 0;

	while (4 * n + 4 <= size && !memcmp(arguments + size - 4 * n - 4, word, 4))
		n++;
	return n;
}

/* Which arguments are literals of at least 4 characters. False: none. */
static bool mark_literals(const char *format, const unsigned long *size, unsigned long n, bool *literal)
{
	unsigned long next = 0;
	bool any = false;

	for (const char *p = format; *p && next < n;) {
		struct conversion c = { .letter = 0 };
		bool percent = *p == '%' && p[1] != '%';
		const char *end = percent ? read_conversion(p + 1, &c) : NULL;
		if (!end)
			c = (struct conversion){ .letter = 0 };
		if (percent && (end || (end = stored_end(p)))) {
			next += c.star[0] + c.star[1];
			if (next < n)
				any |= literal[next] = c.letter == 's' && size[next] >= 8 && size[next] % 4 == 0;
			next++;
		} else {
			end = p + 1 + (p[0] == '%' && p[1] == '%');
		}
		p = end;
	}
	return any;
}

/* The arguments of a call. */
struct layout {
	unsigned long *size;
	unsigned long n;
	bool literal[ARGUMENTS_MOST];
	const uint8_t *bytes;
	uint32_t most, tries;
};

/* Is a literal at p: characters, and in the last word one to three characters with zeros behind, or, `whole`, four? */
static bool is_literal(const uint8_t *p, unsigned long size, bool whole)
{
	size_t n = strnlen((const char *)p, size);

	return whole ? n == size : n + 4 > size && n < size && !memcmp(p + n, "\0\0\0", size - n);
}

/* Find sizes for arguments i and all behind, the first at `place`: of `unwritten` literals, 4 bytes less. */
static bool lay_out(struct layout *l, unsigned long i, uint64_t place, uint32_t unwritten)
{
	enum { TRIES_MOST = 10000 };

	for (; i < l->n && !l->literal[i]; i++)
		place += l->size[i];
	if (i == l->n)
		return !unwritten;
	unsigned long size = l->size[i];
	if (place > l->most || size > l->most - place || ++l->tries > TRIES_MOST)
		return false;
	if (is_literal(l->bytes + place, size, false) && lay_out(l, i + 1, place + size, unwritten))
		return true;
	l->size[i] = size - 4;
	if (unwritten && is_literal(l->bytes + place, size - 4, true) &&
	    lay_out(l, i + 1, place + size - 4, unwritten - 1))
		return true;
	l->size[i] = size;
	return false;
}

bool print_has_literals(const char *meaning)
{
	unsigned long sizes[ARGUMENTS_MOST], n;
	bool literal[ARGUMENTS_MOST] = { false };
	const char *format;
	char *end;

	strtoul(meaning + 1, &end, 10);
	n = read_sizes(end, sizes, &format);
	return mark_literals(format, sizes, n, literal);
}

void print_text(FILE *f, const char *meaning, const uint8_t *arguments, uint32_t size, uint32_t unwritten)
{
	unsigned long sizes[ARGUMENTS_MOST], stated, n;
	const char *format;
	char *text, *end;

	stated = strtoul(meaning + 1, &end, 10);
	n = read_sizes(end, sizes, &format);
	text = strdup(format);
	if (!text)
		return;
	unescape(text);
	if (n == stated) {
		struct layout l = { .size = sizes, .n = n, .bytes = arguments, .most = size };
		if (unwritten && mark_literals(text, sizes, n, l.literal))
			lay_out(&l, 0, 0, unwritten);
		put_format(f, text, (struct arguments){ sizes, n, 0, arguments, size });
	} else {
		size_t length = strlen(text);
		bool ends = length && text[length - 1] == '\n';
		fprintf(f, "%.*s (printf: the compiler stored %lu of %lu arguments; %%F and %%A need their format as a "
			"literal behind \"printf(\", and OpenCL C has no *)\n",
			(int)(ends ? length - 1 : length), text, n, stated);
	}
	free(text);
}
