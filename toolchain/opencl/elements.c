/* Elements of vectors in LLVM's text, as clang up to 16 can make objects of them. A store by an index known at run
 * time,
 *   %12 = insertelement <4 x i8> %11, i8 %10, i32 %9
 * goes wrong in two cases. Of a vector of two to eight bytes LLVM 14.0.6 and 15.0.6 change 16 bits (16.0.6: 8);
 * elements of i16 are right, so the text of the last step has the store with wider elements. Without optimisation LLVM
 * 14.0.6 to 16.0.6 store both words of an element of 64 bits where the low word belongs; the text then has a choice
 * for each element of the vector. */
#include "toolchain/opencl/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 8 };

/* A part of a line. */
struct part {
	const char *p;
	int n;
};

/* A store by an index: LINE[..name] = insertelement <n x type> vector, type value, index REST. */
struct store {
	unsigned n;
	struct part name, type, vector, value, index, rest;
};

#define PART(part) (part).n, (part).p

/* The part from p to the comma that ends an operand, outside of brackets, in a line that ends at `stop`. */
static struct part operand(const char *p, const char *stop)
{
	const char *end = p;

	for (int depth = 0; end < stop && *end != '\n'; end++) {
		depth += strchr("<({[", *end) ? 1 : strchr(">)}]", *end) ? -1 : 0;
		if (*end == ',' && !depth)
			break;
	}
	return (struct part){ p, (int)(end - p) };
}

static bool is_type(struct part type, const char *name)
{
	return (size_t)type.n == strlen(name) && !memcmp(type.p, name, (size_t)type.n);
}

/* The place behind ", TYPE " at p; NULL: something else is there. */
static const char *behind_type(const char *p, const char *stop, struct part type)
{
	size_t n = (size_t)type.n;

	return (size_t)(stop - p) > n + 3 && p[0] == ',' && !memcmp(p + 2, type.p, n) && p[2 + n] == ' ' ? p + n + 3 :
													   NULL;
}

static bool find_store(const char *line, const char *stop, struct store *s)
{
	static const char word[] = " = insertelement <";
	const char *hit = memmem(line, (size_t)(stop - line), word, sizeof word - 1), *p, *blank;
	char *type;

	if (!hit)
		return false;
	s->name = (struct part){ line, (int)(hit - line) };
	s->n = (unsigned)strtoul(hit + sizeof word - 1, &type, 10);
	s->type = (struct part){ type + strlen(" x "), (int)strcspn(type, ">") - 3 };
	s->vector = operand(s->type.p + s->type.n + strlen("> "), stop);
	if (!(p = behind_type(s->vector.p + s->vector.n, stop, s->type)))
		return false;
	s->value = operand(p, stop);
	s->index = operand(s->value.p + s->value.n + strlen(", "), stop);
	s->rest = (struct part){ s->index.p + s->index.n, (int)(stop - s->index.p) - s->index.n };
	blank = memchr(s->index.p, ' ', (size_t)s->index.n);
	return blank && blank[1] == '%';
}

/* The store number `number` with elements of i16. */
static void put_wide(FILE *out, const struct store *s, unsigned number)
{
	fprintf(out, "  %%wide.%u = zext <%u x i8> %.*s to <%u x i16>\n", number, s->n, PART(s->vector), s->n);
	fprintf(out, "  %%byte.%u = zext i8 %.*s to i16\n", number, PART(s->value));
	fprintf(out, "  %%stored.%u = insertelement <%u x i16> %%wide.%u, i16 %%byte.%u, %.*s\n", number, s->n, number,
		number, PART(s->index));
	fprintf(out, "%.*s = trunc <%u x i16> %%stored.%u to <%u x i8>%.*s", PART(s->name), s->n, number, s->n,
		PART(s->rest));
}

/* The store number `number` as a choice between old and new for each element. */
static void put_choices(FILE *out, const struct store *s, unsigned number)
{
	for (unsigned k = 0; k < s->n; k++) {
		fprintf(out, "  %%old.%u.%u = extractelement <%u x %.*s> %.*s, i32 %u\n", number, k, s->n,
			PART(s->type), PART(s->vector), k);
		fprintf(out, "  %%is.%u.%u = icmp eq %.*s, %u\n", number, k, PART(s->index), k);
		fprintf(out, "  %%new.%u.%u = select i1 %%is.%u.%u, %.*s %.*s, %.*s %%old.%u.%u\n", number, k, number,
			k, PART(s->type), PART(s->value), PART(s->type), number, k);
		if (k + 1 < s->n)
			fprintf(out, "  %%with.%u.%u", number, k);
		else
			fprintf(out, "%.*s", PART(s->name));
		fprintf(out, " = insertelement <%u x %.*s> ", s->n, PART(s->type));
		if (k)
			fprintf(out, "%%with.%u.%u", number, k - 1);
		else
			fputs("undef", out);
		fprintf(out, ", %.*s %%new.%u.%u, i32 %u%s", PART(s->type), number, k, k, k + 1 < s->n ? "\n" : "");
	}
	fprintf(out, "%.*s", PART(s->rest));
}

/* Write the instructions for a store that would go wrong. False: the line has none, nothing is written. */
static bool put_store(FILE *out, const char *line, const char *stop, bool plain, unsigned number)
{
	struct store s;

	if (!find_store(line, stop, &s))
		return false;
	if (is_type(s.type, "i8") && s.n <= BYTES_MAX)
		put_wide(out, &s, number);
	else if (plain && (is_type(s.type, "i64") || is_type(s.type, "double")))
		put_choices(out, &s, number);
	else
		return false;
	return true;
}

/* Whether a line has a private array or vector of few bytes, which the last step would make a vector. */
static bool has_array(const char *line, const char *stop)
{
	static const char word[] = " = alloca ";
	const char *hit = memmem(line, (size_t)(stop - line), word, sizeof word - 1);
	unsigned long n;
	char *end;

	if (!hit)
		return false;
	n = strtoul(hit + sizeof word, &end, 10);
	return n > 1 && n <= BYTES_MAX && !strncmp(end, " x i8", 5) && strchr(">]", end[5]);
}

char *opencl_for_objects(struct arena *a, const char *text, size_t n, bool plain, size_t *size, bool *arrays)
{
	const char *end = text + n;
	char *bytes = NULL, *kept;
	FILE *out = open_memstream(&bytes, size);
	unsigned stores = 0;

	*arrays = false;
	if (!out)
		return NULL;
	for (const char *line = text, *stop; line < end; line = stop) {
		stop = memchr(line, '\n', (size_t)(end - line));
		stop = stop ? stop + 1 : end;
		*arrays |= has_array(line, stop);
		if (put_store(out, line, stop, plain, stores))
			stores++;
		else
			fwrite(line, 1, (size_t)(stop - line), out);
	}
	bool whole = !fclose(out) && bytes;
	kept = whole ? arena_memdup(a, bytes, *size) : NULL;
	free(bytes);
	return kept;
}
