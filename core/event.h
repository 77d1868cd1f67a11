/* Events: a recorder's record of a run. The list is core/event.def. */
#ifndef WB_CORE_EVENT_H
#define WB_CORE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_kind {
#define EVENT(id, name, fields) EVENT_##id,
#include "core/event.def"
	EVENT_KINDS
};

enum event_field {
#define EVENT_FIELD(name, form, predicted) FIELD_##name,
#include "core/event.def"
	EVENT_FIELDS
};

struct event {
	enum event_kind kind;
	union {
		struct {
#define EVENT_FIELD(name, form, predicted) uint64_t name;
#include "core/event.def"
		};
		uint64_t field[EVENT_FIELDS];
	};
};

/* An event between notification and encoding: members that no kind has together share storage. */
struct event_brief {
	uint64_t cycle;
	union { uint64_t executed, addr; };
	uint32_t pc;
	union { uint32_t waited, barrier, fault; };
	uint16_t mp;
	uint8_t slot, kind, flow, reason;
	/* Of an issue with the same block, warp, active lanes and depth as the previous event of its place: the number
	 * of bytes from pc on, and the mask of the fields in them (core/event_code.h). coded 0: any event, with all
	 * members. */
	uint8_t coded, size;
	union {
		struct {
			union { uint64_t active, warps; };
			uint32_t block;
			uint16_t warp, depth;
		};
		uint8_t code[16];
	};
};

const char *event_name(enum event_kind k);
const char *field_name(enum event_field f);
/* The fields of a kind's events, bit = enum event_field. */
uint32_t event_has(enum event_kind k);

/* "128 issue mp 0 slot 3 …", and the same as a JSON object; reasons are the names of stall reasons by number, ended by
 * NULL. Returns the length of the whole text, like snprintf. */
size_t event_print(const struct event *e, const char *const *reasons, char *text, size_t size);
size_t event_json(const struct event *e, const char *const *reasons, char *text, size_t size);
/* The value of a field as event_print writes the field; "" where the event's kind lacks the field. */
void event_value(const struct event *e, enum event_field f, const char *const *reasons, char *text, size_t size);

/* ---- events as bytes ----
 *
 * An event is its kind, its place (mp · 64 + slot), the set of its fields that differ from the prediction, and their
 * values, all as LEB128 numbers; cycle and pc as zigzag differences from the prediction. Predictions come from earlier
 * events of the chunk, so a coder begins a chunk zeroed and sees every event. */

enum { EVENT_PLACES = 2048, EVENT_REASONS = 16, EVENT_BYTES_MAX = 10 * (EVENT_FIELDS + 3),
	ISSUE_BYTES_MAX = EVENT_BYTES_MAX + 10 * (EVENT_REASONS + 1) };

/* Members of a place's previous events: first, in the order of struct event_brief, the members of coded issues. */
struct event_past {
	uint64_t executed;
	uint32_t pc, waited;
	uint16_t mp;
	uint8_t slot, kind, flow, reason;
	uint32_t known;                 /* fields already read by a reader of the chunk, bit = enum event_field */
	uint64_t cycle, active, addr, warps;
	uint32_t block, barrier, fault;
	uint16_t warp, depth;
};

/* What an issue has beside its event, where a record is of issues alone (inspect/recorder.h). */
struct event_detail {
	uint64_t gone_lanes;            /* lanes that broke, returned, exited or never existed, after the issue */
	uint32_t waits[EVENT_REASONS];  /* cycles of event.waited by reason */
};

struct event_encoder {
	uint64_t cycle;
	struct event_past previous[EVENT_PLACES]; /* by place modulo EVENT_PLACES */
	uint64_t gone_lanes[EVENT_PLACES];
};

struct event_decoder {
	uint64_t cycle;
	struct event previous[EVENT_PLACES];
	uint64_t gone_lanes[EVENT_PLACES];
	/* Of the last issue, without the cycles of its main reason. */
	struct event_detail detail;
};

/* Begin a chunk that can be read alone: places 0 … n − 1 have had events. */
void event_restart(struct event_encoder *c, size_t places);
/* Write events while EVENT_BYTES_MAX of *size bytes at `out` remain, at most n; *size gets the written bytes. Returns
 * the number of events. */
size_t event_encode(struct event_encoder *c, const struct event_brief *const *e, size_t n, uint8_t *out, size_t *size);
/* Write an issue with its detail, ISSUE_BYTES_MAX bytes at most; returns the number of bytes. The bytes are the
 * event's, with more bits in the set of fields: EVENT_FIELDS for `gone`, unless as at the place's previous issue, and
 * EVENT_FIELDS + 1 + r for the cycles of reason r, unless 0 or the event's main reason, which has the rest. */
size_t event_encode_issue(struct event_encoder *c, const struct event_brief *e, const struct event_detail *detail,
			  uint8_t *out);
/* Read an event from n bytes; returns its length in bytes, 0 if the bytes are no event. c->detail.waits of an issue
 * lacks the cycles of the main reason. */
size_t event_decode(struct event_decoder *c, const uint8_t *in, size_t n, struct event *e);

#endif
