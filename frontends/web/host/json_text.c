/* JSON documents from text and to text (jansson.h, RFC 8259). */
#include <jansson.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

enum { DEEPEST = 2048 };

struct reader {
	const char *next, *end, *begin;
	size_t flags;
	int depth;
	json_error_t *e;
	bool failed;
};

static json_t *fail(struct reader *r, const char *text)
{
	if (!r->failed) {
		r->e->line = r->e->column = 1;
		for (const char *p = r->begin; p < r->next; p++) {
			r->e->column = *p == '\n' ? 1 : r->e->column + 1;
			r->e->line += *p == '\n';
		}
		snprintf(r->e->text, sizeof r->e->text, r->next < r->end ? "%s near '%.*s'" : "%s near end of file",
			 text, r->end - r->next < 20 ? (int)(r->end - r->next) : 20, r->next);
	}
	r->failed = true;
	return NULL;
}

static void skip(struct reader *r)
{
	while (r->next < r->end && strchr(" \t\r\n", *r->next) && *r->next)
		r->next++;
}

static bool take(struct reader *r, char c)
{
	skip(r);
	if (r->next >= r->end || *r->next != c)
		return false;
	r->next++;
	return true;
}

static bool hex4(struct reader *r, uint32_t *out)
{
	*out = 0;
	for (int i = 0; i < 4; i++, r->next++) {
		char c = r->next < r->end ? *r->next : 0;
		int v = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
		if (v < 0)
			return false;
		*out = *out << 4 | (uint32_t)v;
	}
	return true;
}

static char *put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 63));
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	}
	return to;
}

/* \uXXXX, two for characters beyond 16 bits. */
static char *unicode_escape(struct reader *r, char *to)
{
	uint32_t c, low;

	if (!hex4(r, &c) || !c || (c >= 0xdc00 && c < 0xe000))
		return NULL;
	if (c >= 0xd800 && c < 0xdc00) {
		if (r->end - r->next < 6 || r->next[0] != '\\' || r->next[1] != 'u')
			return NULL;
		r->next += 2;
		if (!hex4(r, &low) || low < 0xdc00 || low > 0xdfff)
			return NULL;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	return put_utf8(to, c);
}

/* The rest of a string behind its first quote; the caller frees the text. */
static char *read_text(struct reader *r, size_t *n)
{
	static const char escapes[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	char *text = malloc((size_t)(r->end - r->next) + 1), *to = text;

	while (text && r->next < r->end && *r->next != '"') {
		if ((unsigned char)*r->next < ' ')
			break;
		if (*r->next != '\\') {
			*to++ = *r->next++;
			continue;
		}
		const char *known = r->next + 1 < r->end && r->next[1] ? strchr(escapes, r->next[1]) : NULL;
		bool unicode = r->next + 1 < r->end && r->next[1] == 'u';
		r->next += 2;
		if (known)
			*to++ = means[known - escapes];
		else if (!unicode || !(to = unicode_escape(r, to)))
			break;
	}
	if (!text || !to || r->next >= r->end || *r->next != '"') {
		free(text);
		fail(r, "invalid string");
		return NULL;
	}
	r->next++;
	*n = (size_t)(to - text);
	*to = '\0';
	return text;
}

static size_t digits(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && p[n] >= '0' && p[n] <= '9')
		n++;
	return n;
}

static json_t *read_number(struct reader *r)
{
	const char *p = r->next + (*r->next == '-');
	size_t whole = digits(p, r->end);
	bool real = false;
	char text[64];

	if (!whole || (whole > 1 && *p == '0'))
		return fail(r, "invalid token");
	p += whole;
	if (p < r->end && *p == '.') {
		size_t n = digits(p + 1, r->end);
		real = true;
		p += 1 + n;
		if (!n)
			return fail(r, "invalid token");
	}
	if (p < r->end && (*p | 32) == 'e') {
		const char *q = p + 1 + (p + 1 < r->end && (p[1] == '+' || p[1] == '-'));
		size_t n = digits(q, r->end);
		real = true;
		p = q + n;
		if (!n)
			return fail(r, "invalid token");
	}
	if ((size_t)(p - r->next) >= sizeof text)
		return fail(r, "too long a number");
	memcpy(text, r->next, (size_t)(p - r->next));
	text[p - r->next] = '\0';
	errno = 0;
	json_t *v = real ? json_real(strtod(text, NULL)) : json_integer(strtoll(text, NULL, 10));
	if (errno == ERANGE) {
		json_decref(v);
		return fail(r, real ? "real number overflow" : "too big integer");
	}
	r->next = p;
	return v;
}

static json_t *read_value(struct reader *r);

static json_t *read_array(struct reader *r)
{
	json_t *a = json_array();

	if (take(r, ']'))
		return a;
	do {
		if (json_array_append_new(a, read_value(r)))
			break;
	} while (take(r, ','));
	if (!r->failed && take(r, ']'))
		return a;
	json_decref(a);
	return fail(r, "']' expected");
}

static bool read_member(struct reader *r, json_t *o)
{
	size_t n;
	char *key = take(r, '"') ? read_text(r, &n) : NULL;
	bool ok = key && !(r->flags & JSON_REJECT_DUPLICATES && json_object_get(o, key));

	if (key && !ok)
		fail(r, "duplicate object key");
	else if (!key)
		fail(r, "string or '}' expected");
	if (ok && !take(r, ':'))
		ok = fail(r, "':' expected") != NULL;
	ok = ok && json_object_set_new(o, key, read_value(r)) == 0;
	free(key);
	return ok;
}

static json_t *read_object(struct reader *r)
{
	json_t *o = json_object();

	if (take(r, '}'))
		return o;
	do {
		if (!read_member(r, o))
			break;
	} while (take(r, ','));
	if (!r->failed && take(r, '}'))
		return o;
	json_decref(o);
	return fail(r, "'}' expected");
}

static json_t *read_word(struct reader *r)
{
	static const struct { const char *word; enum json_type type; } words[] = {
		{ "true", JSON_TRUE }, { "false", JSON_FALSE }, { "null", JSON_NULL },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i].word);
		if ((size_t)(r->end - r->next) >= n && !memcmp(r->next, words[i].word, n)) {
			json_t *v = json_null();
			r->next += n;
			if (v)
				v->type = words[i].type;
			return v;
		}
	}
	return fail(r, "invalid token");
}

static json_t *read_value(struct reader *r)
{
	json_t *v = NULL;
	size_t n;
	char *text;

	skip(r);
	if (r->failed || r->next >= r->end)
		return fail(r, "unexpected end of input");
	if (++r->depth > DEEPEST)
		return fail(r, "maximum parsing depth reached");
	if (take(r, '{'))
		v = read_object(r);
	else if (take(r, '['))
		v = read_array(r);
	else if (take(r, '"')) {
		text = read_text(r, &n);
		v = text ? json_stringn(text, n) : NULL;
		free(text);
	} else if (*r->next == '-' || (*r->next >= '0' && *r->next <= '9'))
		v = read_number(r);
	else
		v = read_word(r);
	r->depth--;
	return v;
}

json_t *json_loadb(const char *bytes, size_t n, size_t flags, json_error_t *e)
{
	struct reader r = { .next = bytes, .begin = bytes, .end = bytes + n, .flags = flags, .e = e };
	json_t *v;

	skip(&r);
	if (r.next >= r.end || (*r.next != '{' && *r.next != '['))
		return fail(&r, "'[' or '{' expected");
	v = read_value(&r);
	skip(&r);
	if (v && r.next < r.end) {
		json_decref(v);
		return fail(&r, "end of file expected");
	}
	return v;
}

/* ---- writing ---- */

struct writer {
	FILE *f;
	size_t flags;
};

static void write_escape(const struct writer *w, uint32_t c)
{
	if (c >= 0x10000)
		fprintf(w->f, "\\u%04X\\u%04X", (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
			(unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
	else
		fprintf(w->f, "\\u%04X", (unsigned)c);
}

/* The code point at p, and the number of its bytes: texts are valid UTF-8. */
static uint32_t code_point(const unsigned char *p, int *n)
{
	*n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
	uint32_t c = *n == 1 ? *p : *p & (0xffu >> (*n + 1));

	for (int i = 1; i < *n; i++)
		c = c << 6 | (p[i] & 63);
	return c;
}

static void write_text(const struct writer *w, const char *text, size_t n)
{
	static const char escapes[] = "\"\\bfnrt", means[] = "\"\\\b\f\n\r\t";

	fputc('"', w->f);
	for (const unsigned char *p = (const unsigned char *)text, *end = p + n; p < end;) {
		int bytes;
		uint32_t c = code_point(p, &bytes);
		const char *known = c && c < 0x80 ? strchr(means, (int)c) : NULL;
		if (known)
			fprintf(w->f, "\\%c", escapes[known - means]);
		else if (c < ' ' || (c >= 0x7f && w->flags & JSON_ENSURE_ASCII))
			write_escape(w, c);
		else
			fwrite(p, 1, (size_t)bytes, w->f);
		p += bytes;
	}
	fputc('"', w->f);
}

/* As Jansson: a point or an exponent always, an exponent without + and without zeros in front. */
static void write_real(const struct writer *w, double v)
{
	enum { WIDEST = 17 };
	size_t precision = w->flags >> 11 & 31;
	char text[64];

	snprintf(text, sizeof text - 2, "%.*g", precision ? (int)precision : WIDEST, v);
	if (!strpbrk(text, ".e"))
		strcat(text, ".0");
	char *e = strchr(text, 'e');
	if (e) {
		char *from = e + 1 + (e[1] == '-' || e[1] == '+'), *to = e + 1 + (e[1] == '-');
		while (*from == '0' && from[1])
			from++;
		memmove(to, from, strlen(from) + 1);
	}
	fputs(text, w->f);
}

static void new_line(const struct writer *w, int depth)
{
	int indent = (int)(w->flags & 31);

	if (indent)
		fprintf(w->f, "\n%*s", depth * indent, "");
}

static void write_value(const struct writer *w, const json_t *v, int depth)
{
	bool object = v->type == JSON_OBJECT;

	switch (v->type) {
	case JSON_STRING: write_text(w, v->text, v->n); return;
	case JSON_INTEGER: fprintf(w->f, "%lld", v->integer); return;
	case JSON_REAL: write_real(w, v->real); return;
	case JSON_TRUE: fputs("true", w->f); return;
	case JSON_FALSE: fputs("false", w->f); return;
	case JSON_NULL: fputs("null", w->f); return;
	case JSON_OBJECT:
	case JSON_ARRAY: break;
	}
	fputc(object ? '{' : '[', w->f);
	for (size_t i = 0; i < v->n; i++) {
		new_line(w, depth + 1);
		if (object) {
			write_text(w, v->key[i], strlen(v->key[i]));
			fputs(": ", w->f);
		}
		write_value(w, v->element[i], depth + 1);
		if (i + 1 < v->n)
			fputs(w->flags & 31 ? "," : ", ", w->f);
	}
	if (v->n)
		new_line(w, depth);
	fputc(object ? '}' : ']', w->f);
}

char *json_dumps(const json_t *v, size_t flags)
{
	char *text = NULL;
	size_t n;
	struct writer w = { open_memstream(&text, &n), flags };

	if (!w.f)
		return NULL;
	write_value(&w, v, 0);
	return fclose(w.f) ? NULL : text;
}
