/* An issue as it follows another of its place: the fields that most often differ, as the bytes that stand in a record
 * (core/event.h). Nearly all events are such issues. They are coded where they are notified, one multiprocessor after
 * another, which the host predicts well; what is left for the order of all of them is their cycle. */
#ifndef WB_CORE_EVENT_CODE_H
#define WB_CORE_EVENT_CODE_H

#include <string.h>

#include "core/event.h"

/* event_brief.coded: which of these fields differ; bit 0 is kept for the cycle. */
enum event_coded {
	CODED_PC = 1 << 1, CODED_EXECUTED = 1 << 2, CODED_FLOW = 1 << 3, CODED_WAITED = 1 << 4, CODED_REASON = 1 << 5,
	CODED_ALL = (1 << 6) - 1, CODED = 1 << 7
};
enum { BYTE_BITS = 7, SHORT_BITS = 2 * BYTE_BITS };     /* of a number, in each of its bytes; in two */
enum { ADVANCE_PC = 8 };                                /* as core/event.def predicts it */

static inline uint64_t zigzag(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static inline size_t put_number(uint8_t *out, uint64_t v)
{
	size_t n = 0;

	for (; v >= 0x80; v >>= BYTE_BITS)
		out[n++] = (uint8_t)(v | 0x80);
	out[n++] = (uint8_t)v;
	return n;
}

/* A number of SHORT_BITS as two bytes, of which the first is the lower; how many of them it takes. */
static inline uint32_t short_bytes(uint32_t v)
{
	return v + (v & ~0x7fu) + ((uint32_t)(v >> BYTE_BITS != 0) << BYTE_BITS);
}

static inline unsigned short_size(uint32_t v)
{
	return 1 + (v >> BYTE_BITS != 0);
}

/* The mask of a warp of 32 lanes without asking how long it is: there is room for 8 bytes. */
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

/* Bytes of the fields before executed and behind it; so many, and which fields they are (enum event_coded). */
struct event_parts {
	uint32_t after;
	uint16_t before;
	uint8_t nbefore, nafter, fields;        /* fields 0: they are too large */
};

static inline __attribute__((always_inline)) struct event_parts event_parts(const struct event_brief *last,
									    uint32_t pc, uint8_t flow,
									    uint32_t waited, uint8_t reason)
{
	uint64_t jump = zigzag((uint64_t)pc - last->pc - ADVANCE_PC);
	uint32_t jumps = jump != 0, flows = flow != last->flow, waits = waited != last->waited;
	uint32_t reasons = reason != last->reason, after = flows ? flow : 0, n = flows;

	if (__builtin_expect((jump | waited) >> SHORT_BITS != 0, 0))
		return (struct event_parts){ .fields = 0 };
	after |= (waits ? short_bytes(waited) : 0) << 8 * n;
	n += waits ? short_size(waited) : 0;
	after |= (uint32_t)reason << 8 * n;
	return (struct event_parts){
		.before = (uint16_t)short_bytes((uint32_t)jump),
		.nbefore = (uint8_t)(jumps ? short_size((uint32_t)jump) : 0),
		.after = after, .nafter = (uint8_t)(n + reasons),
		.fields = (uint8_t)(CODED | CODED_PC * jumps | CODED_FLOW * flows | CODED_WAITED * waits |
				    CODED_REASON * reasons),
	};
}

/* Code an issue e; were other lanes executing in the last one? */
static inline __attribute__((always_inline)) void event_code(struct event_brief *e, struct event_parts p,
							      uint64_t executed, bool others)
{
	uint64_t all = p.before | (uint64_t)p.after << 8 * p.nbefore;
	size_t n = p.nbefore;

	memcpy(e->code, &all, sizeof all);
	if (others) {
		n += put_mask(e->code + n, executed);
		memcpy(e->code + n, &p.after, sizeof p.after);
		p.fields |= CODED_EXECUTED;
	}
	e->coded = p.fields;
	e->size = (uint8_t)(n + p.nafter);
}

#endif
