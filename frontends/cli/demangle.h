/* Names that a C++ compiler gave to kernels. */
#ifndef WB_FRONTENDS_CLI_DEMANGLE_H
#define WB_FRONTENDS_CLI_DEMANGLE_H

#include <stddef.h>

/* "_Z3addPii" as its source has it, "add(int*, int)". NULL: the name is not mangled, or this build lacks libiberty. The
 * caller frees it. */
char *demangle(const char *name);
/* The type of parameter `index` of what demangle returned, if that has `n` parameters; NULL otherwise. It points into
 * `signature` and is *length bytes long. */
const char *parameter_type(const char *signature, size_t n, size_t index, size_t *length);

#endif
