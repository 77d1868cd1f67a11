/* A page does not run image instructions (exec_image.c). */
#include "core/isa/gcn/memory.h"

#define REFUSED(name) \
	EXEC(name) \
	{ \
		return exec_fault(x, FAULT_NOT_EMULATED, x->step.executed, 0); \
	}
REFUSED(image_load)
REFUSED(image_store)
REFUSED(image_sample)
REFUSED(image_gather4)
REFUSED(image_get_resinfo)
REFUSED(image_get_lod)
REFUSED(image_atomic)
