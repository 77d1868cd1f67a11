/* The handlers of entries of native paths (core/isa/native.h), included by each machine's native.c, as the width of a
 * mask is the machine's. */
#ifndef WB_CORE_ISA_NATIVE_ENTER_H
#define WB_CORE_ISA_NATIVE_ENTER_H

#include "core/isa/native.h"

static int native_stepped(HANDLER_PARAMETERS)
{
	return NATIVE_STEPPED;
}

static int native_as_translated(HANDLER_PARAMETERS)
{
	const struct native_entry *e = native_entry_at(op);

	HANDLER_CALL(active == ROW_ALL ? e->op.full : e->op.partial, op, x, reg, active);
}

/* Helper lanes are for threaded code to count. */
static int native_enter(HANDLER_PARAMETERS)
{
	if (x->warp->helper)
		HANDLER_CALL(native_as_translated, op, x, reg, active);
	/* An entry is complete before the handler is in place (native_entries_install). */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	HANDLER_CALL(native_entry_at(op)->path->fn, op, x, reg, active);
}

#endif
