/* GCN's threaded code, for native code made of it (core/isa/native.h). */
#ifndef WB_CORE_ISA_GCN_NATIVE_H
#define WB_CORE_ISA_GCN_NATIVE_H

#include "core/isa/threaded.h"
#include "core/isa/gcn/state.h"

struct gcn_level;

/* Bits of MODE that operations with native code obey. */
enum { GCN_NATIVE_MODE = 3 << MODE_ROUND_32 | 3 << MODE_DENORM_32 };

struct gcn_threaded {
	struct threaded_code code;      /* first: a pointer to either is a pointer to both */
	const struct gcn_level *level;
	uint32_t mode;                  /* MODE at the beginning of a wavefront */
	/* EXEC becomes v behind op, by which the run ends: false where the call goes on as the budget allows, else a
	 * run begins at op + 1. */
	bool (*write_exec)(const struct threaded_op *op, struct exec *x, row_mask active, uint64_t v);
};

#endif
