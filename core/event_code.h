/* An issue as the difference to its place's previous issue: the fields that change most often, in the bytes of a record
 * (core/event.h). Nearly all events are coded issues. Coding happens at notification, one multiprocessor after another,
 * which the host predicts well; only the cycle waits for the order of all events. */
#ifndef WB_CORE_EVENT_CODE_H
#define WB_CORE_EVENT_CODE_H

#include <string.h>

#include "core/event.h"

/* event_brief.coded: fields that differ; bit 0 is reserved for the cycle. */
enum event_coded {
	CODED_PC = 1 << 1, CODED_EXECUTED = 1 << 2, CODED_FLOW = 1 << 3, CODED_WAITED = 1 << 4, CODED_REASON = 1 << 5,
	CODED_ALL = (1 << 6) - 1, CODED = 1 << 7
};
enum { BYTE_BITS = 7, SHORT_BITS = 2 * BYTE_BITS };     /* bits of a number in a byte; in two bytes */
enum { ADVANCE_PC = 8 };                                /* core/event.def's prediction */

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

/* A number of SHORT_BITS as two bytes, low byte first; and its length in bytes. */
static inline uint32_t short_bytes(uint32_t v)
{
	return v + (v & ~0x7fu) + ((uint32_t)(v >> BYTE_BITS != 0) << BYTE_BITS);
}

static inline unsigned short_size(uint32_t v)
{
	return 1 + (v >> BYTE_BITS != 0);
}

/* Write the mask of a warp of 32 lanes without branching on its length; needs 8 bytes of `out`. */
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

/* Bytes of the fields before and after `executed`, their lengths, and the mask of the fields (enum event_coded). */
struct event_parts {
	uint32_t after;
	uint16_t before;
	uint8_t nbefore, nafter, fields;        /* fields 0: too large to code */
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

/* Code an issue e; others: the previous issue had other executing lanes. */
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
