/* Element types as rows of a table. Every value is a 64-bit pattern, zero-extended, whatever its type, so that reading,
 * parsing and printing differ by kind and size alone. */
#include "frontends/cli/elements.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct element_type types[] = {
	{"u8", ELEMENT_UNSIGNED, 1, 0xff},
	{"u16", ELEMENT_UNSIGNED, 2, 0xffff},
	{"u32", ELEMENT_UNSIGNED, 4, 0xffffffff},
	{"u64", ELEMENT_UNSIGNED, 8, ~0ull},
	{"s8", ELEMENT_SIGNED, 1, 0xff},
	{"s16", ELEMENT_SIGNED, 2, 0xffff},
	{"s32", ELEMENT_SIGNED, 4, 0xffffffff},
	{"s64", ELEMENT_SIGNED, 8, ~0ull},
	{"b8", ELEMENT_HEX, 1, 0xff},
	{"b16", ELEMENT_HEX, 2, 0xffff},
	{"b32", ELEMENT_HEX, 4, 0xffffffff},
	{"b64", ELEMENT_HEX, 8, ~0ull},
	{"f32", ELEMENT_FLOAT, 4, 0xffffffff},
	{"f64", ELEMENT_FLOAT, 8, ~0ull},
};

const struct element_type *element_type(const char *name)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

uint64_t element_load(const struct element_type *t, const void *p)
{
	const unsigned char *byte = p;
	uint64_t bits = 0;
	for (unsigned i = 0; i < t->size; i++)
		bits |= (uint64_t)byte[i] << 8 * i;
	return bits;
}

static uint64_t float_bits(const struct element_type *t, double value)
{
	uint64_t bits = 0;
	float single = (float)value;
	if (t->size == 4)
		memcpy(&bits, &single, 4);
	else
		memcpy(&bits, &value, 8);
	return bits;
}

bool element_parse(const struct element_type *t, const char *text, uint64_t *bits)
{
	char *end;
	bool is_pattern = !strncmp(text, "0x", 2) && !strpbrk(text, ".pP");
	if (t->kind == ELEMENT_FLOAT && !is_pattern)
		*bits = float_bits(t, t->size == 4 ? strtof(text, &end) : strtod(text, &end));
	else
		*bits = (*text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0)) & t->mask;
	return end != text && !*end;
}

static double as_double(const struct element_type *t, uint64_t bits)
{
	float single;
	double value;
	memcpy(&single, &bits, sizeof single);
	memcpy(&value, &bits, sizeof value);
	return t->size == 4 ? (double)single : value;
}

double element_number(const struct element_type *t, uint64_t bits)
{
	unsigned unused = 64 - 8u * t->size;
	float single;
	double value;
	if (t->kind == ELEMENT_SIGNED)
		return (double)((int64_t)(bits << unused) >> unused);
	if (t->kind != ELEMENT_FLOAT)
		return (double)bits;
	if (t->size == 8) {
		memcpy(&value, &bits, sizeof value);
		return value;
	}
	memcpy(&single, &(uint32_t){(uint32_t)bits}, sizeof single);
	return single;
}

const char *element_format(const struct element_type *t, uint64_t bits, char *text, size_t size)
{
	unsigned unused = 64 - 8 * t->size;
	switch (t->kind) {
	case ELEMENT_UNSIGNED: snprintf(text, size, "%" PRIu64, bits); break;
	case ELEMENT_SIGNED: snprintf(text, size, "%" PRId64, (int64_t)(bits << unused) >> unused); break;
	case ELEMENT_HEX: snprintf(text, size, "%0*" PRIx64, 2 * t->size, bits); break;
	case ELEMENT_FLOAT: snprintf(text, size, "%.*g", t->size == 4 ? 9 : 17, as_double(t, bits)); break;
	}
	return text;
}
