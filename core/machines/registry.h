/* The machines of this build: a row of registry.def each. */
#ifndef WB_CORE_MACHINES_REGISTRY_H
#define WB_CORE_MACHINES_REGISTRY_H

#include "core/isa.h"

/* The instruction sets of this build, by name and by index. NULL: no such name, or past the end. */
const struct isa_ops *isa_find(const char *name);
const struct isa_ops *isa_at(unsigned index);
/* The instruction set and program type of a source file, by the ending of its name. NULL: an unknown ending. */
const struct isa_ops *isa_of_file(const char *name, uint32_t *mode);
/* The instruction set with a chip of this name; NULL: none. */
const struct isa_ops *isa_of_chip(const char *name);
/* Fill the diagnostic for an unknown machine name with all known names; returns false. */
bool isa_unknown(const char *name, struct diag *d);

#endif
