/* Events as text and JSON, and coded as bytes: what the last events predict takes no room. */
#include "core/event.h"

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
	size_t room = o->n < o->size ? o->size - o->n : 0;

	o->n += (size_t)snprintf(room ? o->text + o->n : NULL, room, "%s%s%s", a, b, c);
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

static size_t put_number(uint8_t *out, uint64_t v)
{
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		out[n++] = (uint8_t)(v | 0x80);
	out[n++] = (uint8_t)v;
	return n;
}

/* The same for the mask of a warp of 32 lanes, without asking how long it is: there is room for 8 bytes. */
static inline size_t put_mask(uint8_t *out, uint64_t v)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(v | 1), n = (bits + 6) / 7;
	uint64_t groups = 0;

	if (bits > 35)
		return put_number(out, v);
	for (int i = 0; i < 5; i++)
		groups |= (v & 0x7full << 7 * i) << i;
	groups |= 0x8080808080 & ~(~0ull << 8 * (n - 1));
	for (int i = 0; i < 8; i++)
		out[i] = (uint8_t)(groups >> 8 * i);
	return n;
}

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

static uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static uint64_t unzigzag(uint64_t v)
{
	return v >> 1 ^ (0 - (v & 1));
}

/* The place stands for both; they are not fields of the bytes. */
enum { PLACE = 1 << FIELD_mp | 1 << FIELD_slot, SLOTS = 64 };

static inline uint32_t place_of(const struct event_brief *e)
{
	return (uint32_t)e->mp * SLOTS + e->slot;
}


static uint64_t expected(const struct event_coder *c, const struct event *last, int i)
{
	return (i == FIELD_cycle ? c->cycle : last->field[i]) + (uint64_t)fields[i].predicted;
}

static __attribute__((noinline)) uint8_t *encode(struct event_coder *c, struct event *last, const struct event_brief *e,
						 uint8_t *at)
{
	uint32_t has = kinds[e->kind].has & ~(uint32_t)PLACE, other = 0;

	last->cycle = c->cycle;
#define EVENT_FIELD(name, form, advance) \
	if (has & F(name)) \
		other |= (uint32_t)(e->name != last->name + (advance)) << FIELD_##name;
#include "core/event.def"
	*at++ = e->kind;
	at += put_number(at, place_of(e));
	at += put_number(at, other);
#define EVENT_FIELD(name, form, advance) \
	if (other & F(name)) \
		at += put_number(at, (advance) ? zigzag(e->name - last->name - (advance)) : e->name); \
	if (has & F(name)) \
		last->name = e->name;
#include "core/event.def"
	c->cycle = e->cycle;
	return at;
}

enum { BYTE_BITS = 7 };         /* of a number are in each of its bytes */

/* A number of one or two bytes, if it is wanted, without a branch on it: two are written, the length is returned. */
static inline unsigned put_short(uint8_t *out, uint32_t v, bool wanted)
{
	unsigned two = v >> BYTE_BITS != 0;

	out[0] = (uint8_t)(v | two << BYTE_BITS);
	out[1] = (uint8_t)(v >> BYTE_BITS);
	return wanted + (wanted & two);
}

/* Which fields of an issue that is alike are not as predicted: cycle 1, pc 2, executed 4, flow 8, waited 16, reason
 * 32. As the two bytes that say so, or the first of them. */
#define ALIKE(n) ((n) & 1) << FIELD_cycle | ((n) >> 1 & 1) << FIELD_pc | ((n) >> 2 & 1) << FIELD_executed | \
		 ((n) >> 3 & 1) << FIELD_flow | ((n) >> 4 & 1) << FIELD_waited | ((n) >> 5 & 1) << FIELD_reason
#define SHORT(v) { ((v) & 0x7f) | ((v) > 0x7f) << BYTE_BITS, (v) >> BYTE_BITS }
#define FOUR(n) SHORT(ALIKE(n)), SHORT(ALIKE(n + 1)), SHORT(ALIKE(n + 2)), SHORT(ALIKE(n + 3))
#define SIXTEEN(n) FOUR(n), FOUR(n + 4), FOUR(n + 8), FOUR(n + 12)
enum { ALIKE_SHORT = 4 };       /* from here on it takes both */
static const uint8_t alike[64][2] = { SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48) };

/* Kept in a register, not made again at each use. */
static inline uint32_t kept(uint64_t v)
{
	uint32_t low = (uint32_t)v;

	__asm__("" : "+r"(low));
	return low;
}

/* Nearly all events are such issues, of which small numbers have changed, and perhaps the executing lanes. The same
 * bytes as encode's, written without asking which: each where it would be, and the next over it if it is not wanted. */
static inline __attribute__((always_inline)) uint8_t *encode_alike(struct event_coder *c, struct event *last,
								   const struct event_brief *e, uint8_t *at,
								   const bool same)
{
	uint64_t cycle = zigzag(e->cycle - c->cycle - PREDICTED_cycle), pc = zigzag(e->pc - last->pc - PREDICTED_pc);
	uint32_t place = place_of(e), high = e->waited >> BYTE_BITS, other;
	bool flow = !same && e->flow != last->flow;
	bool waited = e->waited != last->waited, reason = e->reason != last->reason;

	if (__builtin_expect((cycle | pc >> BYTE_BITS | high | place >> BYTE_BITS) >> BYTE_BITS != 0, 0))
		return encode(c, last, e, at);
	uint32_t shift = kept(cycle), jump = kept(pc);
	other = 8u * flow + 16u * waited + 32u * reason + (shift != 0) + 2u * (jump != 0);
	c->cycle = e->cycle;
	last->pc = e->pc;
	last->waited = e->waited;
	last->reason = e->reason;
	if (!same)
		other += 4u * (e->executed != last->executed);
	*at++ = EVENT_ISSUE;
	at += put_short(at, place, true);
	memcpy(at, alike[other], 2);
	at += 1 + (other >= ALIKE_SHORT);
	*at = (uint8_t)shift;
	at += shift != 0;
	at += put_short(at, jump, jump != 0);
	if (!same) {
		if (e->executed != last->executed)
			at += put_mask(at, e->executed);
		*at = e->flow;
		at += flow;
		last->executed = e->executed;
		last->flow = e->flow;
	}
	at += put_short(at, e->waited, waited);
	*at = e->reason;
	return at + reason;
}

size_t event_encode(struct event_coder *c, const struct event_brief *const *event, size_t n, uint8_t *out, size_t *size)
{
	uint8_t *at = out, *full = out + *size - EVENT_BYTES_MAX;
	size_t i;

	for (i = 0; i < n && at <= full; i++) {
		const struct event_brief *e = event[i];
		struct event_past *last = &c->last[place_of(e) % EVENT_PLACES];
		uint8_t like = e->alike & last->issued;
		if (like == EVENT_SAME) {
			at = encode_alike(c, &last->event, e, at, true);
		} else if (like) {
			at = encode_alike(c, &last->event, e, at, false);
		} else {
			at = encode(c, &last->event, e, at);
			last->issued |= e->kind == EVENT_ISSUE ? EVENT_SAME : 0;
		}
	}
	*size = (size_t)(at - out);
	return i;
}

size_t event_decode(struct event_coder *c, const uint8_t *in, size_t n, struct event *e)
{
	uint64_t place, other, v;
	size_t at = 1, took = n ? get_number(in + 1, n - 1, &place) : 0;
	struct event *last;

	if (!took || in[0] >= EVENT_KINDS)
		return 0;
	at += took;
	took = get_number(in + at, n - at, &other);
	if (!took || other & ~(uint64_t)(event_has(in[0]) & ~(uint32_t)PLACE))
		return 0;
	at += took;
	last = &c->last[place % EVENT_PLACES].event;
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
	return at;
}
