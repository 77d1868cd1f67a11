/* Jansson takes UTF-8 alone: a string of other bytes would be missing from its document without a word. */
#include "frontends/trace/json_text.h"

#include <stdlib.h>
#include <string.h>

#include "warpbeam.h"

json_t *json_text(const char *text)
{
	size_t n = text ? strlen(text) : 0, length = wb_clean(text ? text : "", n, "", NULL, 0);
	char *clean = malloc(length + 1);
	json_t *s;

	if (!text || !clean) {
		free(clean);
		return text ? NULL : json_null();
	}
	wb_clean(text, n, "", clean, length + 1);
	s = json_stringn(clean, length);
	free(clean);
	return s;
}
