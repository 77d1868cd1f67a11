/* printf of OpenCL C (1.2, 6.12.13). LLVM turns each call into a record in global memory behind the header of the
 * function __printf_alloc (toolchain/opencl/builtins.cl), and the code object has the meaning of each call:
 *
 *     buffer   bytes requested by calls, bytes of the buffer, records
 *     record   bytes of the rest, block, thread in its block, number of the call, arguments in multiples of 4 bytes
 *     meaning  "NUMBER:ARGUMENTS:BYTES:…:FORMAT" (core/print_text.h); behind BYTES an @ says that the argument is
 *              the address of a string
 *
 * Programs of PTX make the same records (core/compile/print.c), and find the buffer by a variable of theirs. Records of
 * HIP C++ have the address of the format in front of the arguments, which have 8 bytes each, and the meaning is made of
 * the format.
 *
 * The texts follow the buffer at each request, as a stepped launch goes backwards as well. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/launch.h"
#include "core/base/host_floats.h"
#include "core/base/text.h"
#include "core/print_text.h"

enum { BUFFER_HEADER = 8, RECORD_HEADER = 12, NUMBER = 4, /* bytes of a call's number */
	STRING_MOST = 65536, STRINGS_MOST = 16 << 20 /* bytes, of all records */ };

struct record {
	uint32_t block, thread, warp;
	const uint8_t *bytes;           /* number of the call, arguments */
	uint32_t size;
	size_t order;                   /* place in the buffer */
};

static uint32_t word(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
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

/* ---- strings in memory ---- */

/* Write the string at an address, in multiples of 4 bytes with its 0. Returns the number of bytes. */
static unsigned put_string(struct wb_launch *l, uint64_t address, FILE *f)
{
	static const char absent[] = "(no string in g[])";
	uint32_t *left = &l->inputs->prints.strings_left, most = *left < STRING_MOST ? *left : STRING_MOST;
	unsigned n = 0;
	char c = 1;

	for (; c && n < most && global_read(l->machine.global, address + n, &c, 1); n++)
		fputc(c, f);
	*left -= n;
	if (c && !n) {
		fwrite(absent, 1, sizeof absent, f);
		n = sizeof absent;
	} else if (c) {
		fputc(0, f);
		n++;
	}
	for (; n % 4; n++)
		fputc(0, f);
	return n;
}

/* A meaning and arguments in which the addresses of strings have become strings. slot: bytes that each argument takes
 * in the record; 0: its own. */
static void fetch_strings(struct wb_launch *l, const char *meaning, const struct record *r, unsigned slot, FILE *text,
			  FILE *bytes)
{
	const uint8_t *from = r->bytes + NUMBER, *end = r->bytes + r->size;
	const char *p = meaning + 1 + strcspn(meaning + 1, ":");
	unsigned long arguments = strtoul(meaning + 1, NULL, 10);

	fwrite(meaning, 1, (size_t)(p - meaning), text);
	for (; arguments && *p == ':'; arguments--) {
		char *stop;
		unsigned long size = strtoul(p + 1, &stop, 10);
		if (size > (size_t)(end - from) || slot > (size_t)(end - from) || (*stop == '@' && size != 8))
			break;
		if (*stop == '@')
			fprintf(text, ":%u", put_string(l, word(from) | (uint64_t)word(from + 4) << 32, bytes));
		else
			fprintf(text, ":%lu", size);
		if (*stop != '@')
			fwrite(from, 1, size, bytes);
		from += slot ? slot : size;
		p = stop + (*stop == '@');
	}
	fputs(p, text);
}

/* Print a record whose meaning names strings in memory. */
static void print_fetched(struct wb_launch *l, const char *meaning, const struct record *r, unsigned slot, FILE *f)
{
	char *text = NULL, *bytes = NULL;
	size_t length = 0, size = 0;
	FILE *to_text = open_memstream(&text, &length), *to_bytes = open_memstream(&bytes, &size);
	bool good = to_text && to_bytes;

	if (good)
		fetch_strings(l, meaning, r, slot, to_text, to_bytes);
	if (to_text)
		good = !fclose(to_text) && good;
	if (to_bytes)
		good = !fclose(to_bytes) && good;
	if (good)
		print_text(f, text, (const uint8_t *)bytes, (uint32_t)size, 0);
	free(text);
	free(bytes);
}

/* Whether a meaning has the address of a string among its arguments. */
static bool names_strings(const char *meaning)
{
	return memchr(meaning, '@', strspn(meaning, ":@0123456789"));
}

/* Print a record that has the address of its format. */
static void print_by_format(struct wb_launch *l, const struct record *r, FILE *f)
{
	enum { SLOT = 8 };
	char *format = NULL, *meaning = NULL;
	struct record arguments = *r;
	size_t size = 0;
	FILE *to = r->size >= NUMBER + SLOT ? open_memstream(&format, &size) : NULL;

	if (!to)
		return;
	put_string(l, word(r->bytes + NUMBER) | (uint64_t)word(r->bytes + NUMBER + 4) << 32, to);
	to = fclose(to) ? NULL : open_memstream(&meaning, &size);
	if (to)
		print_meaning(to, format);
	if (to && !fclose(to)) {
		arguments.bytes += SLOT;
		arguments.size -= SLOT;
		print_fetched(l, meaning, &arguments, SLOT, f);
	}
	free(format);
	free(meaning);
}

/* The text of a record in the arena of the prints; NULL: the host has no memory. meaning NULL: of the format. */
static const char *text_of(struct wb_launch *l, const char *meaning, const struct record *r)
{
	struct prints *p = &l->inputs->prints;
	char *made = NULL, *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&made, &size);

	if (f) {
		if (!meaning)
			print_by_format(l, r, f);
		else if (names_strings(meaning))
			print_fetched(l, meaning, r, 0, f);
		else
			print_text(f, meaning, r->bytes + NUMBER, r->size - NUMBER,
				   print_has_literals(meaning) ? print_unwritten(r->bytes, r->size) : 0);
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
	p->strings_left = STRINGS_MOST;
	find_records(bytes, size, r);
	sort_records(r, n, lanes);
	for (size_t i = 0; i < n; i++) {
		uint32_t call = word(r[i].bytes);
		const char *meaning = meaning_of(l->plan.image, call);
		if (!meaning && call != PRINT_NUMBER_BY_FORMAT)
			meaning = ":0:(printf: the program has no format of this call)\n";
		struct wb_print *to = &p->text[p->n];
		*to = (struct wb_print){ .block = r[i].block, .warp = r[i].warp, .lane = r[i].thread % lanes };
		if ((to->text = text_of(l, meaning, &r[i])))
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
	USUAL_FLOATS;
	struct prints *p = &l->inputs->prints;
	uint8_t header[BUFFER_HEADER], *bytes;
	uint32_t wanted, size;

	*out = NULL;
	*lost = 0;
	if (!p->address || !global_read(l->machine.global, p->address, header, sizeof header))
		return 0;
	wanted = word(header);
	size = wanted < p->bytes ? wanted : p->bytes;
	bytes = malloc(size + 1);
	if (!bytes || !global_read(l->machine.global, p->address + BUFFER_HEADER, bytes, size)) {
		free(bytes);
		return 0;
	}
	renew_texts(l, bytes, size);
	free(bytes);
	*lost = wanted - size;
	*out = p->text;
	return p->n;
}

/* Put the buffer's address in the program's variable for the purpose, where there is one. */
static bool tell_variable(struct wb_launch *l, const struct image *im, uint64_t address)
{
	const struct module *m = device_find(l->inputs->device, im);
	uint8_t bytes[8];

	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(address >> 8 * i);
	for (size_t i = 0; m && i < im->nglobals; i++)
		if (im->globals[i].name && !strcmp(im->globals[i].name, PRINT_VARIABLE) &&
		    !global_write(l->machine.global, m->address[i], bytes, sizeof bytes))
			return false;
	return true;
}

/* Where literals are printed, bytes that no store has reached are to be known. */
static bool mark_unwritten(struct wb_launch *l, const struct image *im, uint64_t address, uint32_t size)
{
	uint8_t bytes[4096];
	bool good = true, literals = false;

	for (size_t i = 0; i < im->nprints && !literals; i++)
		literals = print_has_literals(im->prints[i] + strcspn(im->prints[i], ":"));
	memset(bytes, PRINT_UNWRITTEN, sizeof bytes);
	for (uint32_t n; literals && good && size; size -= n, address += n) {
		n = size < sizeof bytes ? size : (uint32_t)sizeof bytes;
		good = global_write(l->machine.global, address, bytes, n);
	}
	return good;
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
	if (!global_alloc(l->machine.global, 2 * BUFFER_HEADER + p->bytes, &address, d))
		return false;
	p->address = address + BUFFER_HEADER;   /* struct isa_launch */
	return global_write(l->machine.global, p->address, header, sizeof header) &&
	       mark_unwritten(l, l->plan.image, p->address + BUFFER_HEADER, p->bytes) &&
	       tell_variable(l, l->plan.image, p->address);
}
