/* Rounds: what a multiprocessor does whose warps do nothing but arithmetic (sched/rounds.c). */
#ifndef WB_SCHED_ROUNDS_H
#define WB_SCHED_ROUNDS_H

#include "sched/sched.h"

/* What is known of a program whose blocks are executed ahead. */
struct rounds {
	bool any;                       /* it has instructions that issue in rounds */
	uint32_t cost;                  /* cycles of the SPs that each of them takes */
	uint32_t longest;               /* until its results are there, or its warp can go on, at most */
	uint64_t lines;                 /* of code that they are in, one bit each */
	struct sched_op end;            /* behind the last of a chain: not regular */
	const struct sched_op **chain;  /* instructions in the order of the code, by sched_op.place; room for 2 n + 2 */
};

/* Of ops[0 … n − 1], which are linked. r: all zero but for its chain. */
void rounds_prepare(struct rounds *r, struct sched_op *ops, uint32_t n, const struct timing *t);

/* On the usual machine, where all warps have been executed ahead: rounds that begin now and end before cycle `until`,
 * if there are some. How many instructions have issued. */
uint64_t sched_rounds(struct sched *s, uint64_t until);

#endif
