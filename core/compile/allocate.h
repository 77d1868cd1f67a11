/* Parts of the allocation of registers. */
#ifndef WB_CORE_COMPILE_ALLOCATE_H
#define WB_CORE_COMPILE_ALLOCATE_H

#include "core/compile/ir.h"

enum { PREDS = 4 };              /* condition registers */

/* Uses of an instruction, but for arguments of a phi. */
void each_use(struct ir_insn *i, void (*fn)(void *, struct source *), void *context);

/* live.c: values alive at the begin and at the end of each block; last uses. */
void liveness(struct ir *f);

/* spill.c: values go to l[] until nowhere are more alive than `limit` registers. True: the program has changed. */
bool spill_some(struct ir *f, unsigned limit);

#endif
