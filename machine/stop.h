/* The end of a launch before the end of its last block. On several host threads, or with traces, nothing ends a launch
 * early: the run is given up, and one thread finds the reason again. */
#ifndef WB_MACHINE_STOP_H
#define WB_MACHINE_STOP_H

#include "machine/state.h"

/* Reasons, X(name, result, kind of the diagnostic, text). */
#define STOP_REASONS(X) \
	X(CYCLES, "limit", LIMIT, "the cycle limit (--max-cycles) was reached") \
	X(INSTRUCTIONS, "limit", LIMIT, "the instruction limit (--max-insns) was reached") \
	X(SECONDS, "limit", LIMIT, "the time limit (--max-seconds) was reached") \
	X(INTERRUPT, "interrupted", INTERRUPTED, "interrupted") \
	X(NO_CHOICE, "interrupted", USAGE, \
	  "the caller's policy chose none of its candidates") \
	X(DEADLOCK, "deadlock", HANG, "deadlock: every unfinished warp of a block waits") \
	X(REPEATS, "livelock", HANG, "livelock, proven: the machine's whole state repeats") \
	X(IDLES, "livelock", HANG, \
	  "livelock, suspected: no store, exit, barrier release or unlock for --livelock cycles")
#define STOP_REASON_ENUM(name, ...) STOP_##name,
enum stop_reason { STOP_REASONS(STOP_REASON_ENUM) };

/* End the launch for a reason (STOP_INTERRUPT also where the interrupt comes from the time limit or a policy); with the
 * fault of mp's executor. Each returns false. */
bool stop_launch(struct machine *m, enum stop_reason reason);
bool stop_at_fault(struct machine *m, struct mp *mp);
/* For a thread that runs a multiprocessor while m->pool is set: give up the run for a reason; the launch begins again
 * in a way that can go on. Returns false. */
bool give_up(struct machine *m, const char *why);

#endif
