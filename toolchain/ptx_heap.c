/* malloc and free of PTX from other compilers, which leave the two to a library of the device: the functions of
 * heap.ptx stand behind the text. */
#include <ctype.h>
#include <string.h>

#include "toolchain/ptx.h"

/* heap.ptx, line by line; NULL at the end (made by toolchain/opencl/builtins.sh). */
extern const char *const ptx_heap_lines[];

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.'; }

/* Whether the statement from p on declares one of the two functions. */
static bool declares_heap(const char *p, const char *end)
{
	static const char *const names[] = { "malloc", "free" };
	const char *close = memchr(p, ';', (size_t)(end - p));

	for (size_t i = 0; i < 2 && close; i++) {
		size_t n = strlen(names[i]);
		const char *found = memmem(p, (size_t)(close - p), names[i], n);
		if (found && !is_word(found[-1]) && !is_word(found[n]) && memmem(p, (size_t)(found - p), ".func", 5))
			return true;
	}
	return false;
}

const char *ptx_with_heap(struct arena *a, const char *ptx, size_t *n)
{
	static const char word[] = ".extern";
	const char *end = ptx + *n, *p = ptx;
	size_t more = 0, at = *n;
	char *text;

	while ((p = memmem(p, (size_t)(end - p), word, sizeof word - 1)) && !declares_heap(p, end))
		p += sizeof word - 1;
	if (!p)
		return ptx;
	for (const char *const *line = ptx_heap_lines; *line; line++)
		more += strlen(*line);
	text = arena_alloc(a, *n + more + 1, 1);
	if (!text)
		return NULL;
	memcpy(text, ptx, *n);
	for (const char *const *line = ptx_heap_lines; *line; at += strlen(*line++))
		memcpy(text + at, *line, strlen(*line));
	*n = at;
	return text;
}
