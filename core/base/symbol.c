#include "core/base/symbol.h"

#include <stdlib.h>
#include <string.h>

/* The component "3abc" at *p, which moves behind it; *n its bytes. NULL: none, or the text ends before the component
 * does. */
static const char *component(const char **p, size_t *n)
{
	char *begin;
	unsigned long length = **p >= '1' && **p <= '9' ? strtoul(*p, &begin, 10) : 0;

	if (!length || strnlen(begin, length) < length)
		return NULL;
	*n = length;
	*p = begin + length;
	return begin;
}

bool symbol_is(const char *symbol, const char *name)
{
	const char *p = symbol + 2, *part, *last = NULL;
	size_t n, length = 0;

	if (!strcmp(symbol, name))
		return true;
	if (strncmp(symbol, "_Z", 2))
		return false;
	bool nested = *p == 'N';
	p += *p == 'N' || *p == 'L';
	while ((part = component(&p, &n)) && (nested || !last)) {
		last = part;
		length = n;
	}
	return last && strlen(name) == length && !memcmp(last, name, length);
}
