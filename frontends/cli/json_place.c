/* Jansson does not keep where values stood. The text, which it has accepted, is scanned again along the path: as it is
 * known to be well-formed, skipping a value needs nothing but strings and the depth of brackets. */
#include "frontends/cli/json_place.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

/* What stands between values, in a text whose order is known to be right. */
static const char *skip_blank(const char *p)
{
	return p + strspn(p, " \t\r\n,:");
}

static const char *skip_string(const char *p)
{
	for (p++; *p != '"'; p++)
		p += *p == '\\';
	return p + 1;
}

static const char *skip_value(const char *p)
{
	int depth = 0;
	do {
		depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
		if (*p == '"')
			p = skip_string(p);
		else if (strchr("{}[]", *p))
			p++;
		else
			p += strcspn(p, "{}[]\", \t\r\n:");
		if (depth)
			p = skip_blank(p);
	} while (depth);
	return p;
}

static bool is_key(const char *p, const char *key)
{
	json_t *name = json_loadb(p, (size_t)(skip_string(p) - p), JSON_DECODE_ANY, NULL);
	bool is = name && !strcmp(json_string_value(name), key);
	json_decref(name);
	return is;
}

static const char *find(const char *p, const struct json_step *steps, size_t n)
{
	bool object = *p == '{';
	if (!n || (!object && *p != '['))
		return p;
	p = skip_blank(p + 1);
	for (size_t i = 0; *p != '}' && *p != ']'; i++) {
		const char *here = p;
		bool mine = object ? steps->key && is_key(p, steps->key) : !steps->key && i == steps->index;
		if (object)
			p = skip_blank(skip_string(p));
		if (mine)
			return n == 1 ? here : find(p, steps + 1, n - 1);
		p = skip_blank(skip_value(p));
	}
	return p;
}

void json_place(const char *text, const struct json_step *steps, size_t n, int *line, int *column)
{
	const char *place = find(skip_blank(text), steps, n);
	*line = *column = 1;
	for (const char *p = text; p < place; p++) {
		*column += ((unsigned char)*p & 0xc0) != 0x80;
		if (*p == '\n') {
			++*line;
			*column = 1;
		}
	}
}
