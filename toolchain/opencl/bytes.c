/* Bytes of vectors in LLVM's text, as clang 14 and 15 can make objects of them. A store to one byte of two to
 * eight, by an index known at run time, is
 *   %12 = insertelement <4 x i8> %11, i8 %10, i32 %9
 * and LLVM 14.0.6 and 15.0.6 change 16 bits of the vector; 16.0.6 changes 8. Elements of i16 are right in each version,
 * so the text of the last step has the store with wider elements. */
#include "toolchain/opencl/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 8 };

/* The end of an operand of a line that ends at `stop`: its comma, outside of brackets. */
static const char *operand_end(const char *p, const char *stop)
{
	for (int depth = 0; p < stop && *p != '\n'; p++) {
		depth += strchr("<({[", *p) ? 1 : strchr(">)}]", *p) ? -1 : 0;
		if (*p == ',' && !depth)
			break;
	}
	return p;
}

/* Whether the text at `p` is a type of 2 to 8 bytes behind the bracket, such as "4 x i8"; *n is their number. */
static bool few_bytes(const char *p, const char *stop, unsigned *n)
{
	char *end;

	*n = p < stop ? (unsigned)strtoul(p, &end, 10) : 0;
	return *n >= 2 && *n <= BYTES_MAX && !strncmp(end, " x i8", 5) && strchr(">]", end[5]);
}

/* Write four instructions for a store to a byte of a vector, number `number`. False: the line is none, nothing is
 * written. */
static bool widen_store(FILE *out, const char *line, const char *stop, unsigned number)
{
	static const char word[] = " = insertelement <", element[] = ", i8 ";
	const char *hit = memmem(line, (size_t)(stop - line), word, sizeof word - 1);
	unsigned n;

	if (!hit || !few_bytes(hit + sizeof word - 1, stop, &n))
		return false;
	const char *vector = hit + sizeof word - 1 + strlen("4 x i8> "), *vector_end = operand_end(vector, stop);
	if (strncmp(vector_end, element, sizeof element - 1))
		return false;
	const char *byte = vector_end + sizeof element - 1, *byte_end = operand_end(byte, stop);
	const char *index = byte_end + strlen(", "), *index_end = operand_end(index, stop);
	const char *value = memchr(index, ' ', (size_t)(index_end - index));
	if (!value || value[1] != '%')
		return false;
	fprintf(out, "  %%wide.%u = zext <%u x i8> %.*s to <%u x i16>\n", number, n, (int)(vector_end - vector), vector,
		n);
	fprintf(out, "  %%byte.%u = zext i8 %.*s to i16\n", number, (int)(byte_end - byte), byte);
	fprintf(out, "  %%stored.%u = insertelement <%u x i16> %%wide.%u, i16 %%byte.%u, %.*s\n", number, n, number,
		number, (int)(index_end - index), index);
	fprintf(out, "%.*s = trunc <%u x i16> %%stored.%u to <%u x i8>%.*s", (int)(hit - line), line, n, number, n,
		(int)(stop - index_end), index_end);
	return true;
}

/* Whether a line has a private array or vector of bytes, which the last step makes a vector. */
static bool has_array(const char *line, const char *stop)
{
	static const char word[] = " = alloca ";
	const char *hit = memmem(line, (size_t)(stop - line), word, sizeof word - 1);
	unsigned n;

	return hit && few_bytes(hit + sizeof word, stop, &n);
}

char *opencl_for_objects(struct arena *a, const char *text, size_t n, size_t *size, bool *arrays)
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
		if (widen_store(out, line, stop, stores))
			stores++;
		else
			fwrite(line, 1, (size_t)(stop - line), out);
	}
	bool whole = !fclose(out) && bytes;
	kept = whole ? arena_memdup(a, bytes, *size) : NULL;
	free(bytes);
	return kept;
}
