/* See lacks.h. Beside the missing functions, some of the C library that are faster or smaller here. */
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int dup(int fd)
{
	(void)fd;
	errno = ENOSYS;
	return -1;
}

/* By words: byte by byte, as the C library compares, would be most of the time of a recorded run. */
int memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *p = a, *q = b;
	uint64_t x, y;

	for (; n >= sizeof x; n -= sizeof x, p += sizeof x, q += sizeof x) {
		__builtin_memcpy(&x, p, sizeof x);
		__builtin_memcpy(&y, q, sizeof y);
		if (x != y)
			break;
	}
	for (; n; n--, p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

/* Texts here are short: the C library's way of searching in linear time is ten times as large. */
void *memmem(const void *text, size_t n, const void *word, size_t length)
{
	for (const char *p = text; n >= length; p++, n--)
		if (!memcmp(p, word, length))
			return (void *)p;
	return NULL;
}

char *strstr(const char *text, const char *word)
{
	return memmem(text, strlen(text), word, strlen(word));
}

/* The only failures are of files, of which there are none. */
char *strerror(int error)
{
	(void)error;
	return "a page has no files";
}

static void merge_sort(char *a, char *spare, size_t n, size_t size, int (*order)(const void *, const void *))
{
	char *left = a, *right = a + n / 2 * size, *middle = right, *end = a + n * size, *to = spare;

	if (n < 2)
		return;
	merge_sort(left, spare, n / 2, size, order);
	merge_sort(right, spare, n - n / 2, size, order);
	while (left < middle || right < end) {
		bool take_left = right == end || (left < middle && order(left, right) <= 0);
		char **from = take_left ? &left : &right;
		memcpy(to, *from, size);
		*from += size;
		to += size;
	}
	memcpy(a, spare, n * size);
}

/* Elements that are equal keep their order, as by the qsort of glibc. */
void qsort(void *array, size_t n, size_t size, int (*order)(const void *, const void *))
{
	char *spare = malloc(n * size);

	if (!spare)
		__builtin_trap();
	merge_sort(array, spare, n, size, order);
	free(spare);
}

/* Whether a character is in the set behind a '[', as in "[0-9a]"; *set: past the set. */
static bool in_set(const char **set, char c)
{
	const char *p = *set;
	bool found = false;

	do {
		bool range = p[1] == '-' && p[2] != ']';
		found = found || (range ? c >= p[0] && c <= p[2] : c == *p);
		p += range ? 3 : 1;
	} while (*p != ']');
	*set = p + 1;
	return found;
}

/* Patterns of '*', sets and characters: all that the product has. The C library's comes with tables of wide characters,
 * a hundredth of the module. */
int fnmatch(const char *pattern, const char *text, int flags)
{
	while (*pattern) {
		if (*pattern == '*') {
			do
				if (!fnmatch(pattern + 1, text, flags))
					return 0;
			while (*text++);
			return FNM_NOMATCH;
		}
		char c = *pattern++;
		if (!*text || (c == '[' ? !in_set(&pattern, *text) : c != *text))
			return FNM_NOMATCH;
		text++;
	}
	return *text ? FNM_NOMATCH : 0;
}

/* The C library's sine reduces large arguments by this function and 3 KB of digits of pi. All arguments of the product
 * are below 2 pi (arith_sfu.h). */
int __rem_pio2_large(double *x, double *y, int e0, int nx, int prec);
int __rem_pio2_large(double *x, double *y, int e0, int nx, int prec)
{
	(void)x, (void)y, (void)e0, (void)nx, (void)prec;
	__builtin_trap();
}
