/* Text to a loaded library: by a compiler of the host, or by the cache. */
#ifndef WB_NATIVE_COMPILE_H
#define WB_NATIVE_COMPILE_H

#include "core/isa.h"

/* Load the library of a text: *library is for dlsym and dlclose. Returns NULL, or why there is none. */
const char *native_load(const char *text, enum simd_level level, void **library);

#endif
