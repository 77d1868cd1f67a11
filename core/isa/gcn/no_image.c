/* A page does not run image instructions, and those of directions into cubes (exec_image.c). */
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
REFUSED(v_cubeid_f32)
REFUSED(v_cubesc_f32)
REFUSED(v_cubetc_f32)
REFUSED(v_cubema_f32)
