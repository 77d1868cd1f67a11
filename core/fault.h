/* A guest fault: kind, place, lanes. A fault stops the launch with its state intact. */
#ifndef WB_CORE_FAULT_H
#define WB_CORE_FAULT_H

#include <stdint.h>

#include "core/base/lanes.h"

enum fault_kind {
#define FAULT(name, text) FAULT_##name,
#include "core/fault.def"
#undef FAULT
	FAULT_KINDS
};

struct fault {
	enum fault_kind kind;
	uint32_t  pc;
	lane_mask lanes;      /* lanes that caused the fault */
	uint64_t  addr;       /* address of the first of the lanes, or as fault_detail says */
};

const char *fault_name(enum fault_kind k);   /* "STACK_OVERFLOW" */
const char *fault_text(enum fault_kind k);   /* one clause for a person */
const char *fault_detail(enum fault_kind k); /* meaning of fault.addr: "address" */

#endif
