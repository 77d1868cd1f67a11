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
/* Append an id to a list whose ids come one after the other. False: the list has the id already. */
bool live_put(struct ir *f, struct live_list *l, uint32_t id);

/* spill.c: values go to l[] until nowhere are more alive than `limit` registers. True: the program has changed. */
bool spill_some(struct ir *f, unsigned limit);

/* slots.c: places in l[] for spilled values, with no two alive together in one place. */
void share_slots(struct ir *f);

/* verify.c: meanings of operands, noted before the allocation; slots of spilled values, noted while each value still
 * has a slot to itself; and the proof that the finished code reads the values meant. A place with another value ends
 * the compilation as a fault of the compiler. */
struct meanings;
struct meanings *note_meanings(struct ir *f);
void note_slots(struct ir *f, struct meanings *m);
void verify_places(struct ir *f, const struct meanings *m);

#endif
