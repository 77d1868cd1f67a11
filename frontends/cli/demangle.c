/* libiberty demangles; the type of a parameter is then cut out of its text by counting brackets. The list begins at the
 * bracket that the last ')' closes, and commas separate parameters only outside of all brackets. */
#include "frontends/cli/demangle.h"

#include <string.h>

#ifdef WB_DEMANGLE
#include <libiberty/demangle.h>

char *demangle(const char *name)
{
	return strncmp(name, "_Z", 2) ? NULL : cplus_demangle_v3(name, DMGL_PARAMS | DMGL_ANSI);
}

char *demangle_name(const char *name)
{
	return strncmp(name, "_Z", 2) ? NULL : cplus_demangle_v3(name, DMGL_NO_OPTS);
}
#else
char *demangle(const char *name)
{
	(void)name;
	return NULL;
}

char *demangle_name(const char *name)
{
	return demangle(name);
}
#endif

static int depth_of(char c)
{
	return strchr("(<[", c) ? 1 : strchr(")>]", c) ? -1 : 0;
}

/* Where the list of parameters begins: behind the bracket that the last one closes. */
static const char *parameters(const char *signature, const char *end)
{
	int depth = 0;
	for (const char *p = end; p > signature; p--) {
		depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
		if (!depth)
			return p + 1;
	}
	return NULL;
}

const char *parameter_type(const char *signature, size_t n, size_t index, size_t *length)
{
	const char *end = strrchr(signature, ')'), *p = end ? parameters(signature, end) : NULL, *found = NULL;
	size_t count = 0;
	int depth = 0;
	for (const char *start = p; p && p <= end; p++) {
		if (depth == 0 && (*p == ',' || p == end)) {
			if (count++ == index) {
				found = start;
				*length = (size_t)(p - start);
			}
			start = p + 1 + strspn(p + 1, " ");
		}
		depth += depth_of(*p);
	}
	return count == n ? found : NULL;
}
