/* A cursor walks over the document; the column of a node decides where the node ends. The dash of a sequence counts as
 * blank, so that the node behind the dash has a column of its own: "- Name: add" is a mapping two columns
 * further in. */
#include "core/load/yaml.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/image.h"

enum { DEPTH_MAX = 16 };

struct reader {
	struct arena *arena;
	const char *p, *end;    /* the cursor, and the end of the document */
	const char *row;        /* start of the cursor's line */
	int line;               /* its number, from 1 on */
	int depth;              /* of the node at the cursor */
	struct diag *diag;
};

static bool node(struct reader *r, msgpack_object *out);

static bool bad(struct reader *r, const char *expected)
{
	return diag_set(r->diag, DIAG_INPUT, "line %d of the metadata, column %d: expected %s", r->line,
			(int)(r->p - r->row) + 1, expected);
}

static bool no_memory(struct reader *r)
{
	return diag_set(r->diag, DIAG_ENV, "out of memory");
}

static bool at(const struct reader *r, char c)
{
	return r->p < r->end && *r->p == c;
}

static bool at_line_end(const struct reader *r)
{
	return r->p == r->end || *r->p == '\n' || *r->p == '\r';
}

static void skip_blanks(struct reader *r)
{
	while (at(r, ' '))
		r->p++;
}

/* Move from the end of a node to the next node: over blanks, comments, empty lines and the marks "---" and "...". */
static void next_node(struct reader *r)
{
	for (;;) {
		skip_blanks(r);
		if (at(r, '#') || (r->p == r->row && r->end - r->p >= 3 &&
				   (!memcmp(r->p, "---", 3) || !memcmp(r->p, "...", 3))))
			while (r->p < r->end && *r->p != '\n')
				r->p++;
		if (r->p == r->end || !at_line_end(r))
			return;
		if (*r->p++ == '\n') {
			r->row = r->p;
			r->line++;
		}
	}
}

static int column(const struct reader *r)
{
	return r->p == r->end ? -1 : (int)(r->p - r->row);
}

static bool at_dash(const struct reader *r)
{
	return at(r, '-') && (r->p + 1 == r->end || strchr(" \r\n", r->p[1]));
}

/* ---- scalars ---- */

static msgpack_object scalar_of(const char *p, size_t n)
{
	msgpack_object o = { .type = MSGPACK_OBJECT_POSITIVE_INTEGER };

	for (size_t i = 0; i < n; i++) {
		unsigned digit = (unsigned char)p[i] - '0';
		if (digit > 9 || n > 18)
			o.type = MSGPACK_OBJECT_STR;
		o.via.u64 = o.type == MSGPACK_OBJECT_STR ? 0 : o.via.u64 * 10 + digit;
	}
	if (o.type == MSGPACK_OBJECT_STR || !n) {
		o.type = MSGPACK_OBJECT_STR;
		o.via.str.ptr = p;
		o.via.str.size = (uint32_t)n;
	}
	return o;
}

/* A text in quotes ends at the quote that is neither doubled ('it''s') nor escaped ("a\"b"). */
static bool quoted(struct reader *r, msgpack_object *out)
{
	char quote = *r->p++;
	const char *begin = r->p;

	for (; !at_line_end(r) || at(r, '\r'); r->p++) {
		bool pair = r->p + 1 < r->end && ((*r->p == '\\' && quote == '"') ||
						  (*r->p == '\'' && quote == '\'' && r->p[1] == '\''));
		if (pair) {
			r->p++;
		} else if (*r->p == quote) {
			*out = (msgpack_object){ .type = MSGPACK_OBJECT_STR };
			out->via.str.ptr = begin;
			out->via.str.size = (uint32_t)(r->p++ - begin);
			return true;
		}
	}
	return bad(r, "the end of a text in quotes");
}

/* A text without quotes ends with the line, before a comment and, in brackets, before a comma or a bracket. */
static bool plain(struct reader *r, bool in_brackets, msgpack_object *out)
{
	const char *begin = r->p, *end = r->p;

	if (r->p < r->end && strchr("&*!|>{}%@`", *r->p))
		return bad(r, "a text, a number, [ or a line of its own");
	for (; !at_line_end(r) && !(in_brackets && strchr(",]", *r->p)) && !(at(r, '#') && r->p > end); r->p++)
		if (*r->p != ' ')
			end = r->p + 1;
	*out = scalar_of(begin, (size_t)(end - begin));
	return true;
}

static bool scalar(struct reader *r, bool in_brackets, msgpack_object *out)
{
	return at(r, '\'') || at(r, '"') ? quoted(r, out) : plain(r, in_brackets, out);
}

/* ---- sequences and mappings ---- */

struct items {
	msgpack_object *item;
	size_t n;
};

static bool push(struct reader *r, struct items *to, const msgpack_object *o)
{
	msgpack_object *p = image_push(r->arena, &to->item, &to->n);

	if (!p)
		return no_memory(r);
	*p = *o;
	return true;
}

static void make_array(const struct items *from, msgpack_object *out)
{
	*out = (msgpack_object){ .type = MSGPACK_OBJECT_ARRAY };
	out->via.array.size = (uint32_t)from->n;
	out->via.array.ptr = from->item;
}

static bool brackets(struct reader *r, msgpack_object *out)
{
	struct items items = { NULL, 0 };
	msgpack_object o;

	for (r->p++, next_node(r); !at(r, ']'); next_node(r)) {
		if (r->p == r->end || at(r, '['))
			return bad(r, "a text, a number or ]");
		if (!scalar(r, true, &o) || !push(r, &items, &o))
			return false;
		next_node(r);
		if (at(r, ','))
			r->p++;
		else if (!at(r, ']'))
			return bad(r, ", or ]");
	}
	r->p++;
	make_array(&items, out);
	return true;
}

static bool sequence(struct reader *r, msgpack_object *out)
{
	struct items items = { NULL, 0 };
	int indent = column(r);
	msgpack_object o;

	for (; column(r) == indent && at_dash(r); next_node(r)) {
		r->p++;
		next_node(r);
		o = scalar_of("", 0);
		if ((column(r) > indent && !node(r, &o)) || !push(r, &items, &o))
			return false;
		next_node(r);
	}
	make_array(&items, out);
	return true;
}

/* Whether the cursor is at "KEY:"; then *key is KEY and the cursor behind the colon. */
static bool take_key(struct reader *r, msgpack_object *key)
{
	const char *p = r->p;

	while (p < r->end && *p != '\n' && !(*p == ':' && (p + 1 == r->end || strchr(" \r\n", p[1]))))
		p++;
	if (p == r->end || *p != ':' || p == r->p || strchr("'\"[{", *r->p))
		return false;
	*key = (msgpack_object){ .type = MSGPACK_OBJECT_STR };
	key->via.str.ptr = r->p;
	key->via.str.size = (uint32_t)(p - r->p);
	r->p = p + 1;
	return true;
}

/* The value behind a key: on the same line, or a node further in below, or a sequence below at the key's own column. */
static bool value(struct reader *r, int indent, msgpack_object *out)
{
	*out = scalar_of("", 0);
	skip_blanks(r);
	if (!at_line_end(r) && !at(r, '#'))
		return at(r, '[') ? brackets(r, out) : scalar(r, false, out);
	next_node(r);
	return column(r) > indent || (column(r) == indent && at_dash(r)) ? node(r, out) : true;
}

static bool mapping(struct reader *r, msgpack_object *out)
{
	msgpack_object_kv *pairs = NULL, *pair;
	size_t n = 0;
	int indent = column(r);
	msgpack_object_kv kv;

	for (; column(r) == indent && take_key(r, &kv.key); next_node(r)) {
		if (!value(r, indent, &kv.val))
			return false;
		pair = image_push(r->arena, &pairs, &n);
		if (!pair)
			return no_memory(r);
		*pair = kv;
		next_node(r);
	}
	*out = (msgpack_object){ .type = MSGPACK_OBJECT_MAP };
	out->via.map.size = (uint32_t)n;
	out->via.map.ptr = pairs;
	return true;
}

static bool node(struct reader *r, msgpack_object *out)
{
	struct reader ahead = *r;
	msgpack_object key;
	bool ok;

	if (++r->depth > DEPTH_MAX)
		return bad(r, "fewer levels");
	if (at_dash(r))
		ok = sequence(r, out);
	else if (at(r, '['))
		ok = brackets(r, out);
	else
		ok = take_key(&ahead, &key) ? mapping(r, out) : scalar(r, false, out);
	r->depth--;
	return ok;
}

bool yaml_read(struct arena *a, const char *bytes, size_t n, msgpack_object *out, struct diag *d)
{
	struct reader r = { .arena = a, .p = bytes, .end = bytes + n, .row = bytes, .line = 1, .diag = d };

	*out = scalar_of("", 0);
	next_node(&r);
	if (r.p == r.end)
		return true;
	if (!node(&r, out))
		return false;
	next_node(&r);
	return r.p == r.end || bad(&r, "the end, or a key in the column of the first");
}
