/* Option "accesses": what the accesses of each instruction to memory cost, in wb_report.accesses. */
#ifndef WB_INSPECT_ACCESSES_H
#define WB_INSPECT_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

struct access;
struct plan;
struct wb_launch;

/* The cost of an access for one group of lanes, by the machine's rules; all 0 for a group without lanes. */
struct group_cost {
	uint32_t passes;        /* through the banks of s[], or over the words of c[] */
	uint32_t transactions;  /* with global memory, of g[] and l[] */
	uint32_t bytes;         /* of the transactions */
	uint32_t useful;        /* different bytes that lanes asked for */
};

/* Lanes of a group for an access. */
uint32_t access_group_lanes(const struct plan *p, const struct access *a);
/* The cost for group g. */
struct group_cost access_group_cost(const struct plan *p, const struct access *a, unsigned g);

bool accesses_prepare(struct wb_launch *l);
/* Set report.accesses of a settled launch. */
void accesses_report(struct wb_launch *l);

#endif
