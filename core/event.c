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

static uint64_t expected(const struct event_coder *c, const struct event *last, int i)
{
	return (i == FIELD_cycle ? c->cycle : last->field[i]) + (uint64_t)fields[i].predicted;
}

/* Those of the fields `has` that are not as predicted. */
static inline __attribute__((always_inline)) uint32_t others(const struct event_brief *e, const struct event *last,
							     uint64_t cycle, const uint32_t has)
{
	struct event predicted = *last;
	uint32_t other = 0;

	predicted.cycle = cycle;
#define EVENT_FIELD(name, form, advance) \
	if (has & F(name)) \
		other |= (uint32_t)(e->name != predicted.name + (advance)) << FIELD_##name;
#include "core/event.def"
	return other;
}

static inline __attribute__((always_inline)) void remember(struct event *last, const struct event_brief *e,
							   const uint32_t has)
{
#define EVENT_FIELD(name, form, predicted) \
	if (has & F(name)) \
		last->name = e->name;
#include "core/event.def"
}

/* The fields `has`; with them known where this is compiled, nothing is asked of others. */
static inline __attribute__((always_inline)) size_t encode(struct event_coder *c, struct event *last,
							   const struct event_brief *e, uint8_t *out,
							   const uint32_t has)
{
	uint32_t other = others(e, last, c->cycle, has);
	size_t n;

	out[0] = e->kind;
	n = 1 + put_number(out + 1, e->mp * SLOTS + e->slot);
	n += put_number(out + n, other);
	last->cycle = c->cycle;
#define EVENT_FIELD(name, form, advance) \
	if (other & F(name)) \
		n += put_number(out + n, (advance) ? zigzag(e->name - last->name - (advance)) : e->name);
#include "core/event.def"
	remember(last, e, has);
	c->cycle = e->cycle;
	return n;
}

/* A number below SHORT where it is wanted, without asking which: two bytes are written, the length is told. */
enum { SHORT_BITS = 14 };

static inline size_t put_short(uint8_t *out, uint64_t v, bool wanted)
{
	unsigned two = v > 0x7f;

	out[0] = (uint8_t)(v | two << 7);
	out[1] = (uint8_t)(v >> 7);
	return wanted + (wanted & two);
}

/* What nearly all events are: an issue whose small numbers change, and perhaps who executes. The same bytes as
 * encode's; 0: it is another one. */
static inline size_t encode_usual(struct event_coder *c, struct event *last, const struct event_brief *e, uint8_t *out)
{
	uint64_t cycle = zigzag(e->cycle - c->cycle - PREDICTED_cycle), pc = zigzag(e->pc - last->pc - PREDICTED_pc);
	uint64_t place = e->mp * SLOTS + e->slot, same = (e->block ^ last->block) | (e->warp ^ last->warp) |
							 (e->active ^ last->active) | (e->depth ^ last->depth);
	bool executed = e->executed != last->executed, flow = e->flow != last->flow;
	bool waited = e->waited != last->waited, reason = e->reason != last->reason;
	uint32_t other = (uint32_t)(cycle != 0) << FIELD_cycle | (uint32_t)(pc != 0) << FIELD_pc |
			 (uint32_t)executed << FIELD_executed | (uint32_t)flow << FIELD_flow |
			 (uint32_t)waited << FIELD_waited | (uint32_t)reason << FIELD_reason;
	uint8_t *at = out;

	if (__builtin_expect(same || (cycle | pc | place | e->waited) >> SHORT_BITS || (e->flow | e->reason) >> 7, 0))
		return 0;
	*at++ = EVENT_ISSUE;
	at += put_short(at, place, true);
	at += put_short(at, other, true);
	at += put_short(at, cycle, cycle);
	at += put_short(at, pc, pc);
	if (executed)
		at += put_number(at, e->executed);
	*at = e->flow;
	at += flow;
	at += put_short(at, e->waited, waited);
	*at = e->reason;
	at += reason;
	last->pc = e->pc;
	last->executed = e->executed;
	last->flow = e->flow;
	last->waited = e->waited;
	last->reason = e->reason;
	c->cycle = e->cycle;
	return (size_t)(at - out);
}

enum {
#define EVENT(id, name, fields) HAS_##id = (F(cycle)) | (fields),
#include "core/event.def"
};

size_t event_encode(struct event_coder *c, const struct event_brief *e, uint8_t *out)
{
	struct event *last = &c->last[(e->mp * (unsigned)SLOTS + e->slot) % EVENT_PLACES];
	size_t n = e->kind == EVENT_ISSUE ? encode_usual(c, last, e, out) : 0;

	if (n)
		return n;
	if (e->kind == EVENT_ISSUE)
		return encode(c, last, e, out, HAS_ISSUE);
	return encode(c, last, e, out, kinds[e->kind].has & ~(uint32_t)PLACE);
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
	last = &c->last[place % EVENT_PLACES];
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
