/* The interface between the readers of an AMD code object's debug information: scopes, types and variables
 * (code_object_variables.c), and the places of values (code_object_places.c). */
#ifndef WB_CORE_LOAD_CODE_OBJECT_DEBUG_H
#define WB_CORE_LOAD_CODE_OBJECT_DEBUG_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "core/load/code_object.h"
#include "core/variables.h"

/* The function around a variable: addresses of its memory count from a frame in private memory. */
struct frame {
	int reg;                /* scalar register with the frame's base, in bytes of all lanes; −1: the base is 0 */
	struct pc_range range;  /* pcs of the function */
	uint32_t body;          /* first pc at which the frame is complete */
};

/* The register of a wavefront of 64 lanes by its number in LLVM's "User Guide for AMDGPU Backend"; false: not one of a
 * lane's or a wavefront's general registers. */
bool debug_register(uint64_t number, char name[10]);
/* Append the places that a DW_AT_location gives to a variable. False: the host has no memory. */
bool debug_places(struct object *o, Dwarf_Attribute *location, const struct frame *f, struct source_variable *to);

#endif
