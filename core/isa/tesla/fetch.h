/* The fetch of memory operands, before the executor. */
#ifndef WB_CORE_ISA_TESLA_FETCH_H
#define WB_CORE_ISA_TESLA_FETCH_H

#include "core/isa/tesla/simd.h"
#include "core/isa/tesla/state.h"

/* Effective addresses of a 16-bit space: $a + offset, or with post-increment $a alone (envytools isa.rst). */
static inline void addresses(const struct exec *x, const struct opnd *o, uint32_t *restrict addr)
{
	const struct tesla_warp *t = tesla_state(x->warp);
	uint32_t offset = o->post ? 0 : (uint32_t)o->value;

	if (o->addr_reg < ADDRESS_ROWS) {
		FOR_LANES(l)
			addr[l] = (t->a[o->addr_reg].lane[l] + offset) & 0xffff;
	} else {
		FOR_LANES(l)
			addr[l] = ((o->addr_reg == 7 ? t->a7 : 0) + offset) & 0xffff;
	}
}

static inline bool bad_increment(const struct opnd *o)
{
	return o->post && (o->addr_reg == 0 || o->addr_reg >= ADDRESS_ROWS);
}

static inline void increment(struct exec *x, const struct opnd *o)
{
	struct row *a, sum;

	if (!o->post)
		return;
	a = &tesla_state(x->warp)->a[o->addr_reg];
	FOR_LANES(l)
		sum.lane[l] = (a->lane[l] + (uint32_t)o->value) & 0xffff;
	row_blend(a, &sum, x->step.executed);
}

/* Load every s[], c[] and p[] operand that in->fetch names into the warp's `fetched`. STEP_OK, or STEP_LOCKED or
 * STEP_FAULT with nothing changed. */
int SIMD_NAME(tesla_fetch)(struct exec *x, const struct insn *in);

#endif
