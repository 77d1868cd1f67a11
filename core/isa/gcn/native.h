/* GCN's threaded code, for native code made of it (core/isa/native.h). */
#ifndef WB_CORE_ISA_GCN_NATIVE_H
#define WB_CORE_ISA_GCN_NATIVE_H

#include "core/isa/threaded.h"
#include "core/isa/gcn/state.h"

struct gcn_level;

/* Bits of MODE that operations with native code obey; and a bit that says that min, max and the like leave denormals
 * alone (order_mode of valu.h). */
enum { GCN_NATIVE_MODE = 3 << MODE_ROUND_32 | 3 << MODE_DENORM_32 | MODE_IEEE, GCN_ORDER_KEEPS = 1 << 30 };

struct gcn_threaded {
	struct threaded_code code;      /* first: a pointer to either is a pointer to both */
	const struct gcn_level *level;
	uint32_t mode;                  /* MODE at the beginning of a wavefront */
	bool order_keeps;               /* before generation 1.4 */
	/* EXEC becomes v by op, which is billed, with the effect counted. */
	void (*write_exec)(const struct threaded_op *op, struct exec *x, uint64_t v);
};

#endif
