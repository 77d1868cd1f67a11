/* Text to a loaded library: by a compiler of the host, or by the cache. */
#ifndef WB_NATIVE_COMPILE_H
#define WB_NATIVE_COMPILE_H

#include "core/isa.h"

struct native_library {
	void *handle;                   /* for dlsym; NULL: no library */
	int file;                       /* the bytes; open as long as the library, whose name has the number */
};

/* Does a SIMD level gain by native code? */
bool native_gains(enum simd_level level);
/* Load the library of a text, without `compiles` from the cache alone, until *cancel, an eventfd, is written to (NULL:
 * to the end). Returns NULL, or why there is none. */
const char *native_load(const char *text, enum simd_level level, bool compiles, const int *cancel,
			struct native_library *library);
void native_unload(struct native_library *library);
/* Why no text could be made a library, as far as a look shows; NULL: no such reason. */
const char *native_hindrance(enum simd_level level);

#endif
