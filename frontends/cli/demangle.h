/* Kernel names of C++ compilers. */
#ifndef WB_FRONTENDS_CLI_DEMANGLE_H
#define WB_FRONTENDS_CLI_DEMANGLE_H

#include <stddef.h>

/* "_Z3addPii" in source form, "add(int*, int)". NULL: the name is not mangled, or the build lacks libiberty. The caller
 * frees the result. */
char *demangle(const char *name);
/* The name alone, "add"; in all else as demangle. */
char *demangle_name(const char *name);
/* The type of parameter `index` in a result of demangle with `n` parameters; NULL otherwise. Points into `signature`;
 * *length bytes. */
const char *parameter_type(const char *signature, size_t n, size_t index, size_t *length);

#endif
