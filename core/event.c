/* Events as text and JSON, and coded as bytes: fields that the previous events predict take no bytes. */
#include "core/event_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/fault.h"
#include "core/step.h"

enum form { NUMBER, ADDRESS, MASK, FLOW, REASON, FAULT };

static const struct {
	const char *name;
	enum form form;
	int predicted;
} fields[] = {
#define EVENT_FIELD(name_, form_, predicted_) { #name_, form_, predicted_ },
#include "core/event.def"
};

enum {
#define EVENT_FIELD(name, form, predicted) PREDICTED_##name = predicted,
#include "core/event.def"
};

#define F(field) 1u << FIELD_##field
static const struct {
	const char *name;
	uint32_t has;
} kinds[] = {
#define EVENT(id, name_, fields_) { name_, F(cycle) | F(mp) | F(slot) | fields_ },
#include "core/event.def"
};

const char *event_name(enum event_kind k)
{
	return k < EVENT_KINDS ? kinds[k].name : "?";
}

const char *field_name(enum event_field f)
{
	return fields[f].name;
}

uint32_t event_has(enum event_kind k)
{
	return k < EVENT_KINDS ? kinds[k].has : 0;
}

/* ---- text ---- */

static const struct { unsigned bit; const char *name; } flows[] = {
	{ FLOW_BRANCH, "branch" }, { FLOW_TAKEN, "taken" }, { FLOW_DIVERGED, "diverged" }, { FLOW_PUSH, "push" },
	{ FLOW_POP, "pop" }, { FLOW_REJOIN, "rejoin" }, { FLOW_MERGED, "merged" },
};

static void flow_text(uint64_t flow, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof flows / sizeof *flows; i++)
		if (flow & flows[i].bit && n < size)
			n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "," : "", flows[i].name);
}

/* Bytes of a file may say anything. */
static const char *reason_text(const char *const *reasons, uint64_t v)
{
	for (; v && *reasons; v--)
		reasons++;
	return *reasons ? *reasons : "?";
}

static void value_text(enum form form, uint64_t v, const char *const *reasons, char *text, size_t size)
{
	switch (form) {
	case NUMBER: snprintf(text, size, "%" PRIu64, v); break;
	case ADDRESS: case MASK: snprintf(text, size, "0x%" PRIx64, v); break;
	case FLOW: flow_text(v, text, size); break;
	case REASON: snprintf(text, size, "%s", reason_text(reasons, v)); break;
	case FAULT: snprintf(text, size, "%s", v < FAULT_KINDS ? fault_name((enum fault_kind)v) : "?"); break;
	}
}

void event_value(const struct event *e, enum event_field f, const char *const *reasons, char *text, size_t size)
{
	text[0] = '\0';
	if (event_has(e->kind) >> f & 1)
		value_text(fields[f].form, e->field[f], reasons, text, size);
}

struct out {
	char *text;
	size_t size, n;
};

static void put(struct out *o, const char *a, const char *b, const char *c)
{
	size_t capacity = o->n < o->size ? o->size - o->n : 0;

	o->n += (size_t)snprintf(capacity ? o->text + o->n : NULL, capacity, "%s%s%s", a, b, c);
}

size_t event_print(const struct event *e, const char *const *reasons, char *text, size_t size)
{
	struct out o = { text, size, 0 };
	char value[96];

	value_text(NUMBER, e->cycle, reasons, value, sizeof value);
	put(&o, value, " ", event_name(e->kind));
	for (int i = FIELD_mp; i < EVENT_FIELDS; i++) {
		if (!(event_has(e->kind) >> i & 1))
			continue;
		value_text(fields[i].form, e->field[i], reasons, value, sizeof value);
		if (*value) {
			put(&o, " ", fields[i].name, " ");
			put(&o, value, "", "");
		}
	}
	return o.n;
}

size_t event_json(const struct event *e, const char *const *reasons, char *text, size_t size)
{
	struct out o = { text, size, 0 };
	char value[96];

	put(&o, "{\"event\":\"", event_name(e->kind), "\"");
	for (int i = 0; i < EVENT_FIELDS; i++) {
		bool bare = fields[i].form == NUMBER;
		if (!(event_has(e->kind) >> i & 1))
			continue;
		value_text(fields[i].form, e->field[i], reasons, value, sizeof value);
		put(&o, ",\"", fields[i].name, bare ? "\":" : "\":\"");
		put(&o, value, bare ? "" : "\"", "");
	}
	put(&o, "}", "", "");
	return o.n;
}

/* ---- bytes ---- */

static size_t get_number(const uint8_t *in, size_t n, uint64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < n && i < 10; i++) {
		*v |= (uint64_t)(in[i] & 0x7f) << (7 * i);
		if (!(in[i] & 0x80))
			return i + 1;
	}
	return 0;
}

static uint64_t unzigzag(uint64_t v)
{
	return v >> 1 ^ (0 - (v & 1));
}

/* Fields that the place stands for; the bytes have neither. */
enum { PLACE = 1 << FIELD_mp | 1 << FIELD_slot, SLOTS = 64 };

static inline uint32_t place_of(const struct event_brief *e)
{
	return (uint32_t)e->mp * SLOTS + e->slot;
}

void event_restart(struct event_encoder *c, size_t places)
{
	c->cycle = 0;
	for (size_t i = 0; i < places && i < EVENT_PLACES; i++)
		c->previous[i].known = 0;
}

/* A field of the place's last event, if known. */
#define PAST(name) (last->known & F(name) ? last->name : 0)

/* The bits of a detail in the set of an event's fields. */
enum { BIT_GONE = EVENT_FIELDS, BIT_WAITS };
#define DETAILS ((((uint64_t)1 << (1 + EVENT_REASONS)) - 1) << BIT_GONE)

static uint64_t detail_set(const struct event_detail *d, const struct event_brief *e, uint64_t gone)
{
	uint64_t set = (uint64_t)(d->gone_lanes != gone) << BIT_GONE;

	for (unsigned r = 0; r < EVENT_REASONS; r++)
		set |= (uint64_t)(d->waits[r] && r != e->reason) << (BIT_WAITS + r);
	return set;
}

static uint8_t *put_detail(const struct event_detail *d, uint64_t set, uint8_t *at)
{
	if (set >> BIT_GONE & 1)
		at += put_number(at, d->gone_lanes);
	for (uint64_t left = set >> BIT_WAITS; left; left &= left - 1)
		at += put_number(at, d->waits[__builtin_ctzll(left)]);
	return at;
}

static __attribute__((noinline)) uint8_t *encode(struct event_encoder *c, struct event_past *last,
						 const struct event_brief *e, uint64_t more, uint8_t *at)
{
	uint32_t has = kinds[e->kind].has & ~(uint32_t)PLACE, other = 0;

	last->cycle = c->cycle;
	last->known |= F(cycle);
#define EVENT_FIELD(name, form, advance) \
	if (has & F(name)) \
		other |= (uint32_t)(e->name != (uint64_t)PAST(name) + (advance)) << FIELD_##name;
#include "core/event.def"
	*at++ = e->kind;
	at += put_number(at, place_of(e));
	at += put_number(at, other | more);
#define EVENT_FIELD(name, form, advance) \
	if (other & F(name)) \
		at += put_number(at, (advance) ? zigzag(e->name - (uint64_t)PAST(name) - (advance)) : e->name);
#include "core/event.def"
#define EVENT_FIELD(name_, form, advance) \
	if (has & F(name_)) \
		last->name_ = e->name_;
#include "core/event.def"
	last->known |= has;
	c->cycle = e->cycle;
	return at;
}

/* The fields of a coded issue that differ (enum event_coded), as bytes of a set of fields, or the first byte. */
#define DIFFER(n) ((n) & 1) << FIELD_cycle | ((n) >> 1 & 1) << FIELD_pc | ((n) >> 2 & 1) << FIELD_executed | \
		  ((n) >> 3 & 1) << FIELD_flow | ((n) >> 4 & 1) << FIELD_waited | ((n) >> 5 & 1) << FIELD_reason
#define SHORT(v) { ((v) & 0x7f) | ((v) > 0x7f) << BYTE_BITS, (v) >> BYTE_BITS }
#define FOUR(n) SHORT(DIFFER(n)), SHORT(DIFFER(n + 1)), SHORT(DIFFER(n + 2)), SHORT(DIFFER(n + 3))
#define SIXTEEN(n) FOUR(n), FOUR(n + 4), FOUR(n + 8), FOUR(n + 12)
static const uint8_t differ[CODED_ALL + 1][2] = { SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48) };
_Static_assert((int)PREDICTED_pc == (int)ADVANCE_PC, "core/event_code.h");

/* A coded issue with all members. */
static struct event_brief uncoded(const struct event_brief *e, const struct event_past *last)
{
	struct event_brief all = *e;

	all.active = last->active;
	all.block = last->block;
	all.warp = last->warp;
	all.depth = last->depth;
	return all;
}

static inline bool is_known(const struct event_past *last, enum event_kind kind)
{
	return !(kinds[kind].has & ~(uint32_t)(PLACE | 1 << FIELD_cycle) & ~last->known);
}

/* The same bytes as encode's. */
static inline uint8_t *encode_coded(struct event_encoder *c, struct event_past *last, const struct event_brief *e,
				    uint8_t *at)
{
	uint64_t cycle = zigzag(e->cycle - c->cycle - PREDICTED_cycle);
	uint32_t place = place_of(e), later = (uint32_t)cycle, bytes;
	const uint8_t *other = differ[(e->coded & CODED_ALL) | (cycle != 0)];

	if (__builtin_expect((cycle | place) >> SHORT_BITS || !is_known(last, EVENT_ISSUE), 0)) {
		struct event_brief all = uncoded(e, last);
		return encode(c, last, &all, 0, at);
	}
	c->cycle = e->cycle;
	memcpy(&last->executed, &e->executed, offsetof(struct event_past, known));
	*at++ = EVENT_ISSUE;
	bytes = short_bytes(place);
	memcpy(at, &bytes, 2);
	at += short_size(place);
	memcpy(at, other, 2);
	at += 1 + (other[0] >> BYTE_BITS);
	bytes = short_bytes(later);
	memcpy(at, &bytes, 2);
	at += later ? short_size(later) : 0;
	memcpy(at, e->code, sizeof e->code);
	return at + e->size;
}
_Static_assert(offsetof(struct event_past, reason) - offsetof(struct event_past, executed) ==
	       offsetof(struct event_brief, reason) - offsetof(struct event_brief, executed), "copied at once");

size_t event_encode(struct event_encoder *c, const struct event_brief *const *event, size_t n, uint8_t *out,
		    size_t *size)
{
	uint8_t *at = out, *full = out + *size - EVENT_BYTES_MAX;
	size_t i;

	for (i = 0; i < n && at <= full; i++) {
		const struct event_brief *e = event[i];
		struct event_past *last = &c->previous[place_of(e) % EVENT_PLACES];
		at = e->coded ? encode_coded(c, last, e, at) : encode(c, last, e, 0, at);
	}
	*size = (size_t)(at - out);
	return i;
}

size_t event_encode_issue(struct event_encoder *c, const struct event_brief *e, const struct event_detail *detail,
			  uint8_t *out)
{
	struct event_past *last = &c->previous[place_of(e) % EVENT_PLACES];
	uint64_t *gone = &c->gone_lanes[place_of(e) % EVENT_PLACES];
	uint64_t more = detail_set(detail, e, last->known & F(active) ? *gone : 0);
	uint8_t *at = put_detail(detail, more, encode(c, last, e, more, out));

	*gone = detail->gone_lanes;
	return (size_t)(at - out);
}

static uint64_t expected(const struct event_decoder *c, const struct event *last, int i)
{
	return (i == FIELD_cycle ? c->cycle : last->field[i]) + (uint64_t)fields[i].predicted;
}

/* Read the detail of an issue from in[*at] on. False: the bytes are none. */
static bool get_detail(struct event_decoder *c, size_t place, uint64_t other, const uint8_t *in, size_t n, size_t *at)
{
	uint64_t v;

	memset(c->detail.waits, 0, sizeof c->detail.waits);
	for (uint64_t left = other >> BIT_GONE; left; left &= left - 1) {
		int i = __builtin_ctzll(left);
		size_t took = get_number(in + *at, n - *at, &v);
		if (!took)
			return false;
		*at += took;
		if (i)
			c->detail.waits[i - 1] = (uint32_t)v;
		else
			c->gone_lanes[place] = v;
	}
	c->detail.gone_lanes = c->gone_lanes[place];
	return true;
}

size_t event_decode(struct event_decoder *c, const uint8_t *in, size_t n, struct event *e)
{
	uint64_t place, other, v;
	size_t at = 1, took = n ? get_number(in + 1, n - 1, &place) : 0;
	struct event *last;

	if (!took || in[0] >= EVENT_KINDS)
		return 0;
	at += took;
	took = get_number(in + at, n - at, &other);
	if (!took || other & ~(uint64_t)(event_has(in[0]) & ~(uint32_t)PLACE) & ~(in[0] == EVENT_ISSUE ? DETAILS : 0))
		return 0;
	at += took;
	last = &c->previous[place % EVENT_PLACES];
	memset(e, 0, sizeof *e);
	e->kind = in[0];
	e->mp = place / SLOTS;
	e->slot = place % SLOTS;
	for (uint32_t left = event_has(e->kind) & ~(uint32_t)PLACE; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		e->field[i] = expected(c, last, i);
		if (other >> i & 1) {
			took = get_number(in + at, n - at, &v);
			if (!took)
				return 0;
			at += took;
			e->field[i] = fields[i].predicted ? e->field[i] + unzigzag(v) : v;
		}
		last->field[i] = e->field[i];
	}
	c->cycle = e->cycle;
	if (e->kind == EVENT_ISSUE && !get_detail(c, place % EVENT_PLACES, other, in, n, &at))
		return 0;
	return at;
}
