/* Stall reasons: their numbers, their rows, and the results that make a warp wait (sched/stall.def). */
#ifndef WB_SCHED_STALL_H
#define WB_SCHED_STALL_H

#include <stdint.h>

enum stall {
#define STALL(id, ...) STALL_##id,
#include "sched/stall.def"
	STALLS
};

/* Kinds of results, one for each reason that is charged by a result. Of two results of one cycle the higher kind
 * counts. */
enum result_kind {
#define STALL_BY_RESULT(id) RESULT_##id,
#define STALL_BY_ISSUE(id)
#define STALL_BY_TURN(id)
#define STALL_BY_WARP(id)
#define STALL_BY_CODE(id)
#define STALL_BY_SLOT(id)
#define STALL(id, name, letter, by, ...) STALL_BY_##by(id)
#include "sched/stall.def"
#undef STALL_BY_RESULT
	RESULT_KINDS
};

/* The reason that a wait for such a result is charged to. */
static inline enum stall result_stall(enum result_kind kind)
{
	static const uint8_t stall[RESULT_KINDS] = {
#define STALL_BY_RESULT(id) STALL_##id,
#define STALL(id, name, letter, by, ...) STALL_BY_##by(id)
#include "sched/stall.def"
#undef STALL_BY_RESULT
#undef STALL_BY_ISSUE
#undef STALL_BY_TURN
#undef STALL_BY_WARP
#undef STALL_BY_CODE
#undef STALL_BY_SLOT
	};

	return (enum stall)stall[kind];
}

/* A row of stall.def. */
struct stall_info {
	const char *name, *letter, *text;
	uint32_t dark, light;           /* colours, 0xrrggbb; 0: the theme's */
};
struct stall_info stall_info(enum stall r);

#endif
