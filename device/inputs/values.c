/* Values of arguments: one number after the other, each at a multiple of its alignment (values.h). */
#include "device/inputs/values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"

/* ---- numbers ---- */

static bool integer(const char *text, unsigned bytes, bool is_signed, uint64_t *out, struct diag *d)
{
	char *end;
	bool negative = text[0] == '-';
	unsigned bits = 8 * bytes;

	errno = 0;
	uint64_t v = strtoull(text + negative, &end, 0);
	if (text[negative] < '0' || text[negative] > '9' || *end || errno)
		return diag_set(d, DIAG_USAGE, "found \"%s\", expected a decimal or 0x integer", text);
	if (negative && (!is_signed || v > 1ull << (bits - 1)))
		return diag_set(d, DIAG_USAGE, "%s does not fit %c%u", text, is_signed ? 's' : 'u', bits);
	if (bits < 64 && v >> bits)
		return diag_set(d, DIAG_USAGE, "%s does not fit %u bits", text, bits);
	*out = negative ? 0 - v : v;
	return true;
}

/* Decimal, C hex float, nan, inf; a plain hex integer is the bit pattern. */
static bool real(const char *text, unsigned bytes, uint64_t *out, struct diag *d)
{
	char *end;
	double v;
	float f;

	if (!strncmp(text, "0x", 2) && !strpbrk(text, ".pP"))
		return integer(text, bytes, false, out, d);
	v = strtod(text, &end);
	if (!*text || *end)
		return diag_set(d, DIAG_USAGE,
				"found \"%s\", expected a number, a C hex float, nan, inf or a 0x bit pattern", text);
	if (bytes == 8) {
		memcpy(out, &v, 8);
		return true;
	}
	f = strtof(text, NULL);
	*out = 0;
	memcpy(out, &f, 4);
	return true;
}

/* ---- types ---- */

static const struct scalar {
	const char *name, *c_name;      /* c_name: vectors have it in front of their number of elements */
	unsigned bytes;
	enum { UNSIGNED, SIGNED, REAL } kind;
} scalars[] = {
	{ "u8", "uchar", 1, UNSIGNED }, { "s8", "char", 1, SIGNED }, { "u16", "ushort", 2, UNSIGNED },
	{ "s16", "short", 2, SIGNED }, { "u32", "uint", 4, UNSIGNED }, { "s32", "int", 4, SIGNED },
	{ "u64", "ulong", 8, UNSIGNED }, { "s64", "long", 8, SIGNED }, { "f32", "float", 4, REAL },
	{ "f64", "double", 8, REAL },
};

struct type {
	const struct scalar *scalar;
	unsigned elements;              /* 1: no vector */
};

static bool find_type(const char *word, size_t n, struct type *t)
{
	static const uint32_t widths = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 8 | 1 << 16;

	for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
		const struct scalar *s = &scalars[i];
		size_t length = strlen(s->c_name);
		*t = (struct type){ s, 1 };
		if ((n == strlen(s->name) && !memcmp(word, s->name, n)) ||
		    (n == length && !memcmp(word, s->c_name, n)))
			return true;
		if (n <= length || memcmp(word, s->c_name, length) || word[length] < '1' || word[length] > '9')
			continue;
		char *end;
		t->elements = (unsigned)strtoul(word + length, &end, 10);
		if (end == word + n && n - length <= 2 && t->elements <= 16 && widths >> t->elements & 1)
			return true;
	}
	return false;
}

/* ---- values ---- */

/* A vector of three lies in the place of one of four. */
static unsigned type_bytes(const struct type *t)
{
	return t->scalar->bytes * (t->elements == 3 ? 4 : t->elements);
}

static bool put_number(struct value *v, const struct scalar *s, const char *text, struct diag *d)
{
	uint64_t number;

	if (!(s->kind == REAL ? real(text, s->bytes, &number, d)
			      : integer(text, s->bytes, s->kind == SIGNED, &number, d)))
		return false;
	memcpy(v->bytes + v->size, &number, s->bytes);
	v->size += s->bytes;
	return true;
}

/* The numbers of one type; *text moves behind them and their last comma. */
static bool put_numbers(struct value *v, const struct type *t, const char **text, struct diag *d)
{
	unsigned unit = type_bytes(t), begin = (v->size + unit - 1) / unit * unit;

	if (begin + unit > VALUE_BYTES)
		return diag_set(d, DIAG_USAGE, "a value of more than %d bytes", VALUE_BYTES);
	v->unit = unit > v->unit ? unit : v->unit;
	v->size = begin;
	for (unsigned i = 0; i < t->elements; i++) {
		char number[64];
		size_t n = strcspn(*text, ",");
		if (i && !**text)
			return diag_set(d, DIAG_USAGE, "found %u numbers, expected %u", i, t->elements);
		snprintf(number, sizeof number, "%.*s", (int)(n < sizeof number ? n : sizeof number - 1), *text);
		if (!put_number(v, t->scalar, number, d))
			return false;
		*text += n + ((*text)[n] == ',' && (*text)[n + 1]);
	}
	v->size = begin + unit;
	return true;
}

static bool put_members(struct value *v, const char *text, struct diag *d)
{
	while (*text) {
		size_t n = strcspn(text, ":,");
		struct type t;
		if (text[n] != ':' || !find_type(text, n, &t))
			return diag_set(d, DIAG_USAGE, "found \"%.20s\", expected a member with its type, such as "
					"struct=float4:1,2,3,4,int:7", text);
		text += n + 1;
		if (!put_numbers(v, &t, &text, d))
			return false;
	}
	if (!v->size)
		return diag_set(d, DIAG_USAGE, "a structure without members, expected struct=float:1,int:7");
	v->size = (v->size + v->unit - 1) / v->unit * v->unit;
	return true;
}

bool value_type(const char *word)
{
	struct type t;

	return !strcmp(word, "struct") || find_type(word, strlen(word), &t);
}

bool value_parse(const char *type, const char *text, struct value *v, struct diag *d)
{
	struct type t;

	*v = (struct value){ .unit = 1 };
	if (!find_type(type, strlen(type), &t))
		return put_members(v, text, d);
	if (!put_numbers(v, &t, &text, d))
		return false;
	return !*text || diag_set(d, DIAG_USAGE, "found \"%.20s\" behind %u number%s", text, t.elements,
				  t.elements == 1 ? "" : "s");
}
