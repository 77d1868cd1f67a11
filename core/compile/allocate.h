/* Parts of the allocation of registers. */
#ifndef WB_CORE_COMPILE_ALLOCATE_H
#define WB_CORE_COMPILE_ALLOCATE_H

#include "core/compile/ir.h"

enum { PREDS = 4 };              /* condition registers */

struct candidate {
	float weight;            /* of a live value: cost of reloads; of a place in l[]: position of the last access */
	uint32_t id;
};

/* The least weight on top, of equal ones the least id. */
struct heap {
	struct candidate *c;
	size_t n, space;
};
void heap_push(struct ir *f, struct heap *h, struct candidate new);
void heap_pop(struct heap *h);

/* Uses of an instruction, but for arguments of a phi. */
void each_use(struct ir_insn *i, void (*fn)(void *, struct source *), void *context);

/* live.c: values alive at the begin and at the end of each block; last uses. */
void liveness(struct ir *f);

/* spill.c: values go to l[] until nowhere are more alive than `limit` registers. True: the program has changed. */
bool spill_some(struct ir *f, unsigned limit);

/* slots.c: places in l[] for spilled values, with no two alive together in one place. */
void share_slots(struct ir *f);

#endif
