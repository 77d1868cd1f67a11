/* Events: what a recorder keeps of a run. The list is core/event.def. */
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

/* As it is kept until it is written: fields that no kind has together share their place. */
struct event_brief {
	uint64_t cycle;
	union { uint64_t executed, addr; };
	uint32_t pc;
	union { uint32_t waited, barrier, fault; };
	uint16_t mp;
	uint8_t slot, kind, flow, reason;
	/* Of an issue with the block, warp, active lanes and depth of the last one of its place: its bytes from pc on,
	 * so many, and which fields they are (core/event_code.h). coded 0: of any event, with all that it has. */
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
/* Which fields an event of a kind has, bit = enum event_field. */
uint32_t event_has(enum event_kind k);

/* "128 issue mp 0 slot 3 …", and the same as a JSON object; reasons are the names of waiting reasons by
 * number, ended by NULL. Returns
 * the length that the whole text has, like snprintf. */
size_t event_print(const struct event *e, const char *const *reasons, char *text, size_t size);
size_t event_json(const struct event *e, const char *const *reasons, char *text, size_t size);
/* The value of one field as they write it; "" where this kind has none. */
void event_value(const struct event *e, enum event_field f, const char *const *reasons, char *text, size_t size);

/* ---- events as bytes ----
 *
 * An event is its kind, its place (mp · 64 + slot), the set of its fields that are not as predicted, and their values,
 * all as LEB128 numbers; cycle and pc as zigzag differences from what was predicted. Predictions are made from the
 * events before it, so a coder begins a chunk of events zeroed and sees all of it. */

enum { EVENT_PLACES = 2048, EVENT_BYTES_MAX = 10 * (EVENT_FIELDS + 3) };

/* What the last events of a place had: first, as struct event_brief has it, what all coded issues have. */
struct event_past {
	uint64_t executed;
	uint32_t pc, waited;
	uint16_t mp;
	uint8_t slot, kind, flow, reason;
	uint32_t known;                 /* fields that a reader of these bytes has read, bit = enum event_field */
	uint64_t cycle, active, addr, warps;
	uint32_t block, barrier, fault;
	uint16_t warp, depth;
};

struct event_encoder {
	uint64_t cycle;
	struct event_past last[EVENT_PLACES]; /* by place modulo EVENT_PLACES */
};

struct event_decoder {
	uint64_t cycle;
	struct event last[EVENT_PLACES];
};

/* What is written next is read by itself: places 0 … n − 1 have had events. */
void event_restart(struct event_encoder *c, size_t places);
/* Write as many of n events as have EVENT_BYTES_MAX bytes left to begin at, of *size bytes at `out`; *size: those that
 * they took. Returns how many events. */
size_t event_encode(struct event_encoder *c, const struct event_brief *const *e, size_t n, uint8_t *out, size_t *size);
/* Read an event from n bytes; returns how many it took, 0 if they are none. */
size_t event_decode(struct event_decoder *c, const uint8_t *in, size_t n, struct event *e);

#endif
