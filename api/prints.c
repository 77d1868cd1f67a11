/* printf of OpenCL C (1.2, 6.12.13). LLVM turns each call into a record in global memory behind the header of the
 * function __printf_alloc (api/builtins.cl), and the code object has the meaning of each call:
 *
 *     buffer   bytes requested by calls, bytes of the buffer, records
 *     record   bytes of the rest, block, thread in its block, number of the call, arguments in multiples of 4 bytes
 *     meaning  "NUMBER:ARGUMENTS:BYTES:…:FORMAT", a colon in the format as \72
 *
 * The texts follow the buffer at each request, as a stepped launch goes backwards as well. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/launch.h"
#include "core/base/text.h"

enum { BUFFER_HEADER = 8, RECORD_HEADER = 12, ARGUMENTS_MOST = 256, WIDTH_MOST = 4096 };

struct record {
	uint32_t block, thread, warp;
	const uint8_t *bytes;           /* number of the call, arguments */
	uint32_t size;
	size_t order;                   /* place in the buffer */
};

/* A conversion of a format. */
struct conversion {
	char flags[8];
	int width, precision;           /* -1: none */
	unsigned elements;              /* of a vector; 0: a scalar */
	unsigned bytes;                 /* of an element, by the length modifier; 0: none */
	char letter;
};

static uint32_t word(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* ---- formats ---- */

static const char *number(const char *p, int *out)
{
	int64_t v = 0;

	for (; *p >= '0' && *p <= '9'; p++)
		v = v < WIDTH_MOST ? v * 10 + (*p - '0') : v;
	*out = (int)(v < WIDTH_MOST ? v : WIDTH_MOST);
	return p;
}

/* Read a conversion behind its '%'. Returns the end; NULL: no conversion of the language. */
static const char *read_conversion(const char *p, struct conversion *c)
{
	static const struct { const char *text; unsigned bytes; } lengths[] = {
		{ "hh", 1 }, { "hl", 4 }, { "h", 2 }, { "l", 8 },
	};
	size_t flags = strspn(p, "-+ #0"), n;
	int elements = 0;

	*c = (struct conversion){ .width = -1, .precision = -1 };
	if (flags >= sizeof c->flags)
		return NULL;
	memcpy(c->flags, p, flags);
	p += flags;
	if (*p >= '1' && *p <= '9')
		p = number(p, &c->width);
	if (*p == '.')
		p = number(p + 1, &c->precision);
	if (*p == 'v')
		p = number(p + 1, &elements);
	c->elements = (unsigned)elements;
	for (unsigned i = 0; i < sizeof lengths / sizeof *lengths && !c->bytes; i++) {
		n = strlen(lengths[i].text);
		if (!strncmp(p, lengths[i].text, n)) {
			c->bytes = lengths[i].bytes;
			p += n;
		}
	}
	c->letter = *p;
	return *p && strchr("diouxXfFeEgGaAcsp", *p) && c->elements <= 16 ? p + 1 : NULL;
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

static double real(const uint8_t *p, unsigned bytes)
{
	float f;
	double d;

	if (bytes == 8) {
		memcpy(&d, p, 8);
		return d;
	}
	memcpy(&f, p, 4);
	return bytes == 4 ? f : (double)integer(p, bytes, true);
}

static void print_text(FILE *f, const struct conversion *c, const char *text, size_t most)
{
	int width = c->width < 0 ? 0 : c->width, n = (int)strnlen(text, most < INT32_MAX ? most : INT32_MAX);

	n = c->precision >= 0 && c->precision < n ? c->precision : n;
	fprintf(f, strchr(c->flags, '-') ? "%-*.*s" : "%*.*s", width, n, text);
}

/* Print one element at p. */
static void print_element(FILE *f, const struct conversion *c, const uint8_t *p, unsigned bytes)
{
	bool is_signed = c->letter == 'd' || c->letter == 'i', is_real = strchr("fFeEgGaA", c->letter);
	char format[64], width[16] = "", precision[16] = "";

	if (c->letter == 'c') {
		fputc((int)(unsigned char)*p, f);
		return;
	}
	if (c->letter == 'p') {
		fprintf(f, "%#*" PRIx64, c->width < 0 ? 0 : c->width, integer(p, bytes, false));
		return;
	}
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
static void print_argument(FILE *f, const struct conversion *c, const uint8_t *p, unsigned size)
{
	unsigned n = c->elements ? c->elements : 1, apart = size / (n == 3 ? 4 : n), bytes = apart < 8 ? apart : 8;
	bool is_integer = strchr("diouxX", c->letter);

	if (c->letter == 's') {
		print_text(f, c, (const char *)p, size);
		return;
	}
	/* LLVM widens some elements; floats keep their own size, whatever the modifier. */
	if (is_integer && c->bytes && c->bytes < bytes)
		bytes = c->bytes;
	for (unsigned i = 0; i < n && bytes; i++) {
		if (i)
			fputc(',', f);
		print_element(f, c, p + i * apart, bytes);
	}
}

/* ---- records ---- */

/* The meaning of a call by its number; NULL: the program has no such call. */
static const char *meaning_of(const struct image *im, uint32_t call)
{
	for (size_t i = 0; i < im->nprints; i++)
		if (strtoul(im->prints[i], NULL, 10) == call)
			return im->prints[i] + strcspn(im->prints[i], ":");
	return NULL;
}

/* Print a record by its meaning, ":ARGUMENTS:BYTES:…:FORMAT". */
static void print_record(FILE *f, const char *meaning, const struct record *r)
{
	unsigned long size[ARGUMENTS_MOST], n, next = 0;
	char *p, *format;
	uint32_t at = 4;

	n = strtoul(meaning + 1, &p, 10);
	for (unsigned long i = 0; i < n && i < ARGUMENTS_MOST && *p == ':'; i++)
		size[i] = strtoul(p + 1, &p, 10);
	if (*p != ':' || n > ARGUMENTS_MOST || !(format = strdup(p + 1)))
		return;
	unescape(format);
	for (const char *q = format; *q;) {
		struct conversion c;
		const char *end = *q == '%' ? read_conversion(q + 1, &c) : NULL;
		if (end && next < n && size[next] <= r->size - at) {
			print_argument(f, &c, r->bytes + at, (unsigned)size[next]);
			at += (uint32_t)size[next++];
			q = end;
		} else {
			fputc(*q, f);
			q += 1 + (q[0] == '%' && q[1] == '%');
		}
	}
	free(format);
}

static int by_place(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->warp != y->warp)
		return x->warp < y->warp ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Find the records in `size` bytes of the buffer behind its header; a record without enough place was not written.
 * Returns their number, or sorted records in *out. */
static size_t find_records(const uint8_t *bytes, uint32_t size, struct record *out)
{
	size_t n = 0;
	uint32_t length;

	for (uint32_t at = 0; size - at >= RECORD_HEADER; at += RECORD_HEADER + length) {
		length = word(bytes + at);
		if (length < 4 || length > size - at - RECORD_HEADER)
			break;
		if (out)
			out[n] = (struct record){ .block = word(bytes + at + 4), .thread = word(bytes + at + 8),
						  .bytes = bytes + at + RECORD_HEADER, .size = length, .order = n };
		n++;
	}
	return n;
}

/* Put the records in the order of blocks, warps and, within a warp, issues and lanes. */
static void sort_records(struct record *r, size_t n, unsigned lanes)
{
	for (size_t i = 0; i < n; i++)
		r[i].warp = r[i].thread / lanes;
	qsort(r, n, sizeof *r, by_place);
}

/* The text of a record in the arena of the prints; NULL: the host has no memory. */
static const char *text_of(struct prints *p, const char *meaning, const struct record *r)
{
	char *made = NULL, *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&made, &size);

	if (f) {
		print_record(f, meaning, r);
		if (!fclose(f))
			text = arena_lines(&p->arena, made, size);
	}
	free(made);
	return text;
}

/* Make the texts of the buffer's bytes. */
static void make_texts(struct wb_launch *l, const uint8_t *bytes, uint32_t size)
{
	struct prints *p = &l->inputs->prints;
	unsigned lanes = l->plan.code.target.isa->lanes;
	size_t n = find_records(bytes, size, NULL);
	struct record *r = ARENA_ARRAY(&p->arena, struct record, n + 1);

	p->text = ARENA_ARRAY(&p->arena, struct wb_print, n + 1);
	if (!r || !p->text)
		return;
	find_records(bytes, size, r);
	sort_records(r, n, lanes);
	for (size_t i = 0; i < n; i++) {
		const char *meaning = meaning_of(l->plan.image, word(r[i].bytes));
		struct wb_print *to = &p->text[p->n];
		*to = (struct wb_print){ .block = r[i].block, .warp = r[i].warp, .lane = r[i].thread % lanes };
		if (meaning && (to->text = text_of(p, meaning, &r[i])))
			p->n++;
	}
}

/* Make the texts of the buffer's bytes, unless the bytes are the same as before. */
static void renew_texts(struct wb_launch *l, const uint8_t *bytes, uint32_t size)
{
	struct prints *p = &l->inputs->prints;

	if (p->text && p->size == size && !memcmp(bytes, p->made_of, size))
		return;
	arena_free(&p->arena);
	p->n = 0;
	p->text = NULL;
	p->size = size;
	p->made_of = arena_alloc(&p->arena, size + 1, 8);
	if (!p->made_of)
		return;
	memcpy(p->made_of, bytes, size);
	make_texts(l, p->made_of, size);
}

size_t wb_launch_prints(struct wb_launch *l, const struct wb_print **out, uint64_t *lost)
{
	struct prints *p = &l->inputs->prints;
	uint8_t header[BUFFER_HEADER], *bytes;
	uint32_t wanted, size;

	*out = NULL;
	*lost = 0;
	if (!p->address || !global_read(&l->machine.global, p->address, header, sizeof header))
		return 0;
	wanted = word(header);
	size = wanted < p->bytes ? wanted : p->bytes;
	bytes = malloc(size + 1);
	if (!bytes || !global_read(&l->machine.global, p->address + BUFFER_HEADER, bytes, size)) {
		free(bytes);
		return 0;
	}
	renew_texts(l, bytes, size);
	free(bytes);
	*lost = wanted - size;
	*out = p->text;
	return p->n;
}

bool prints_prepare(struct wb_launch *l, struct diag *d)
{
	struct prints *p = &l->inputs->prints;
	int64_t bytes = config_number(l->inputs->config, OPT_PRINTF_BYTES);
	uint8_t header[BUFFER_HEADER] = { 0 };
	uint64_t address;

	if (!l->plan.image->nprints)
		return true;
	if (bytes < 0 || bytes > PRINTS_MOST)
		return diag_set(d, DIAG_USAGE, "--printf-bytes: found %" PRId64 ", expected 0 to %d", bytes,
				PRINTS_MOST);
	p->bytes = (uint32_t)bytes;
	for (unsigned i = 0; i < 4; i++)
		header[4 + i] = (uint8_t)(bytes >> 8 * i);
	if (!global_alloc(&l->machine.global, 2 * BUFFER_HEADER + p->bytes, &address, d))
		return false;
	p->address = address + BUFFER_HEADER;   /* struct isa_launch */
	return global_write(&l->machine.global, p->address, header, sizeof header);
}
