/* The inputs of one thread as a text: numbers separated by commas for the registers in order, or by name, "v0=1,2,3
 * normal=0,0,1". Missing components of a register are (0, 0, 0, 1). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "device/inputs/vertices.h"
#include "core/shader.h"

struct reader {
	const struct wb_launch *l;
	const struct isa_inputs *in;
	struct vertex *out;
	const char *cursor;
	struct diag *d;
};

static const uint32_t one = 0x3f800000; /* 1.0 */

static bool refuse(const struct reader *r, const char *expected)
{
	int n = (int)strcspn(r->cursor, ", \t");

	return diag_set(r->d, DIAG_INPUT, "found \"%.*s\", expected %s", n && n < 24 ? n : 24, r->cursor, expected);
}

static void blanks(struct reader *r)
{
	r->cursor += strspn(r->cursor, " \t");
}

/* Parse numbers into words[0 … capacity − 1], up to the end or a blank that follows no comma. Returns their count; 0:
 * refused. */
static unsigned numbers(struct reader *r, uint32_t *words, unsigned capacity)
{
	for (unsigned n = 0; ; r->cursor++) {
		char *end;
		float v = strtof(r->cursor, &end);
		if (end == r->cursor)
			return refuse(r, "a number");
		if (n == capacity) {
			diag_set(r->d, DIAG_INPUT, "found more than %u numbers", capacity);
			return 0;
		}
		memcpy(&words[n++], &v, sizeof v);
		r->cursor = end;
		blanks(r);
		if (*r->cursor != ',')
			return n;
	}
}

/* Fill the components behind the first `n` words of a register with defaults. */
static void fill_up(uint32_t *words, unsigned n)
{
	for (; n % 4; n++)
		words[n] = n % 4 == 3 ? one : 0;
}

static void note_given(struct reader *r, unsigned first, unsigned words)
{
	unsigned end = first + (words + 3) / 4;

	fill_up(r->out->words + 4 * first, words);
	if (end > r->out->used)
		r->out->used = end;
	for (unsigned i = first; i < end && i < 32; i++)
		r->out->registers_set |= 1u << i;
}

static void spread(uint32_t *words)
{
	words[1] = words[2] = words[3] = words[0];
}

/* ---- by place ---- */

static bool count_attributes(struct reader *r, unsigned vertices, unsigned attributes)
{
	unsigned whole = r->in->whole && r->in->whole < vertices ? r->in->whole : vertices, rest = vertices - whole;

	return (attributes > rest && (attributes - rest) % whole == 0) ||
	       diag_set(r->d, DIAG_INPUT, "found %u attributes of four numbers for %u vertices, expected all those "
			"of %u and one for each of the other %u", attributes, vertices, whole, rest);
}

/* Parse a number of vertices, then their attributes. */
static bool counted(struct reader *r)
{
	uint32_t *words = r->out->words;
	unsigned n = numbers(r, words + 3, 4 * r->in->count - 3);
	float vertices;

	memcpy(&vertices, &words[3], sizeof vertices);
	if (!n)
		return false;
	if (!(vertices >= 1 && vertices <= 255) || vertices != (float)(unsigned)vertices)
		return diag_set(r->d, DIAG_INPUT, "found %g, expected first a number of vertices, 1 to 255",
				(double)vertices);
	if ((n - 1) % 4)
		return diag_set(r->d, DIAG_INPUT, "found %u numbers, expected a number of vertices and four for each "
				"attribute", n);
	words[0] = words[3];
	spread(words);
	note_given(r, 0, n + 3);
	return count_attributes(r, (unsigned)vertices, (n - 1) / 4);
}

static bool in_order(struct reader *r)
{
	unsigned n;

	if (r->in->counted)
		return counted(r);
	n = numbers(r, r->out->words, 4 * r->in->count);
	if (!n)
		return false;
	note_given(r, 0, n);
	r->out->numbers = n;
	return !r->in->vertices || (n % 4 == 0 && n / 4 % r->in->vertices == 0) ||
	       diag_set(r->d, DIAG_INPUT, "found %u numbers, expected four for each attribute of %u vertices", n,
			r->in->vertices);
}

/* ---- by name ---- */

/* Find the registers of a name, counted from the first input. */
static bool find_input(const struct reader *r, const char *name, size_t n, unsigned *first, unsigned *last)
{
	const struct shader_entry *e = r->l->plan.kernel->entry_point;
	char text[8], *end = text;
	const char *reg = name;
	unsigned span = 0;

	for (uint32_t i = 0; e && i < e->nuniforms; i++) {
		const struct shader_uniform *u = &e->uniform[i];
		if (strlen(u->name) != n || memcmp(u->name, name, n))
			continue;
		shader_register_name(u->first_register, text);
		reg = text;
		span = (unsigned)(u->last_register - u->first_register);
	}
	unsigned long at = isdigit((unsigned char)reg[1]) ? strtoul(reg + 1, &end, 10) : 0;
	if (*reg != r->in->file || !isdigit((unsigned char)reg[1]) || (reg == name ? end != name + n : *end != '\0') ||
	    at < r->in->first_register || at + span >= r->in->first_register + r->in->count)
		return false;
	*first = (unsigned)at - r->in->first_register;
	*last = *first + span;
	return true;
}

static bool named(struct reader *r)
{
	size_t n = strcspn(r->cursor, "= \t");
	unsigned first, last, words;

	if (r->cursor[n] != '=' || !find_input(r, r->cursor, n, &first, &last))
		return diag_set(r->d, DIAG_INPUT, "found \"%.*s\", expected the name of an input, or %c%u to %c%u",
				n < 40 ? (int)n : 40, r->cursor, r->in->file, r->in->first_register, r->in->file,
				r->in->first_register + r->in->count - 1);
	r->cursor += n + 1;
	words = numbers(r, r->out->words + 4 * first, 4 * (last - first + 1));
	if (!words)
		return false;
	note_given(r, first, words);
	if (r->in->counted && !first && words == 1)
		spread(r->out->words);
	return true;
}

bool vertex_read(const struct wb_launch *l, const struct isa_inputs *in, const char *text, struct vertex *out,
		 struct diag *d)
{
	struct reader r = { l, in, out, text, d };

	blanks(&r);
	if (isalpha((unsigned char)*r.cursor) && strchr(r.cursor, '=')) {
		while (*r.cursor)
			if (!named(&r))
				return false;
		return true;
	}
	return in_order(&r) && (!*r.cursor || refuse(&r, "a comma or the end"));
}
