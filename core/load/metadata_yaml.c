/* libyaml's events become a tree: a node is an event, or all events from a start to the matching end. */
#include "core/load/metadata.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/image.h"

struct reader {
	struct arena *arena;
	yaml_parser_t parser;
	yaml_event_t event;     /* the present event */
	struct diag *diag;
};

static bool bad(struct reader *r, yaml_mark_t mark, const char *problem)
{
	return diag_set(r->diag, DIAG_INPUT, "line %zu of the metadata, column %zu: %s", mark.line + 1, mark.column + 1,
			problem);
}

static bool no_memory(struct reader *r)
{
	return diag_set(r->diag, DIAG_ENV, "out of memory");
}

static bool next_event(struct reader *r)
{
	yaml_event_delete(&r->event);
	if (yaml_parser_parse(&r->parser, &r->event))
		return true;
	if (r->parser.error == YAML_MEMORY_ERROR)
		return no_memory(r);
	return bad(r, r->parser.problem_mark, r->parser.problem ? r->parser.problem : "this is no YAML");
}

static bool text(struct reader *r, struct metadata *out)
{
	size_t n = r->event.data.scalar.length;

	*out = (struct metadata){ .kind = METADATA_TEXT, .n = n };
	out->text = arena_memdup(r->arena, r->event.data.scalar.value, n + 1);
	return out->text || no_memory(r);
}

/* A plain scalar of up to 18 digits is a number, any other a text. */
static bool scalar(struct reader *r, struct metadata *out)
{
	const char *digits = (const char *)r->event.data.scalar.value;
	size_t n = r->event.data.scalar.length;

	if (r->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE || !n || n > 18 || strspn(digits, "0123456789") != n)
		return text(r, out);
	*out = (struct metadata){ .kind = METADATA_NUMBER, .number = strtoull(digits, NULL, 10) };
	return true;
}

static bool node(struct reader *r, int depth, struct metadata *out);

/* The nodes of a list, or keys and values of a map, up to the end. */
static bool nodes(struct reader *r, int depth, enum metadata_kind kind, struct metadata *out)
{
	bool map = kind == METADATA_MAP;

	*out = (struct metadata){ .kind = kind };
	while (next_event(r)) {
		bool key = map && out->n % 2 == 0, ok;
		struct metadata *m;
		if (r->event.type == (map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT)) {
			out->n /= map ? 2 : 1;
			return true;
		}
		if (!(m = image_push(r->arena, &out->node, &out->n)))
			return no_memory(r);
		if (key && r->event.type != YAML_SCALAR_EVENT)
			return bad(r, r->event.start_mark, "expected a text as key");
		ok = key ? text(r, m) : node(r, depth, m);
		if (!ok)
			return false;
	}
	return false;
}

/* The node that begins with the present event. An alias could make a small document endless. */
static bool node(struct reader *r, int depth, struct metadata *out)
{
	if (depth == METADATA_DEPTH)
		return bad(r, r->event.start_mark, "expected fewer levels");
	switch (r->event.type) {
	case YAML_SCALAR_EVENT: return scalar(r, out);
	case YAML_SEQUENCE_START_EVENT: return nodes(r, depth + 1, METADATA_LIST, out);
	case YAML_MAPPING_START_EVENT: return nodes(r, depth + 1, METADATA_MAP, out);
	default: return bad(r, r->event.start_mark, "expected a text, a number, a sequence or a mapping");
	}
}

/* The events of a stream of one document, or of none. */
static bool document(struct reader *r, struct metadata *out)
{
	if (!next_event(r) || !next_event(r))   /* the stream's start */
		return false;
	if (r->event.type == YAML_STREAM_END_EVENT)
		return true;
	if (!next_event(r) || !node(r, 0, out) || !next_event(r) || !next_event(r))
		return false;
	return r->event.type == YAML_STREAM_END_EVENT || bad(r, r->event.start_mark, "expected the end");
}

bool metadata_of_yaml(struct arena *a, const char *bytes, size_t n, struct metadata *out, struct diag *d)
{
	struct reader r = { .arena = a, .diag = d };
	bool ok;

	*out = (struct metadata){ .kind = METADATA_TEXT, .text = "" };
	if (!yaml_parser_initialize(&r.parser))
		return no_memory(&r);
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)bytes, n);
	ok = document(&r, out);
	yaml_event_delete(&r.event);
	yaml_parser_delete(&r.parser);
	return ok;
}
