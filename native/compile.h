/* Text to a loaded library: by a compiler of the host, or by the cache. */
#ifndef WB_NATIVE_COMPILE_H
#define WB_NATIVE_COMPILE_H

#include "core/isa.h"

/* Native code as C. */
struct native_text {
	/* Lines in front, ended by NULL, of which the first is a digest of all (core/isa/native.sh). */
	const char *const *machine;
	uint32_t number;                /* NATIVE_NUMBER_OF_PROGRAM */
	char *functions;                /* the program's, from malloc; NULL: not written yet, or of no more use */
};

struct native_library {
	void *handle;                   /* for dlsym; NULL: no library */
	int file;                       /* the bytes; open as long as the library, whose name has the number */
};

/* Does a SIMD level gain by native code? */
bool native_gains(enum simd_level level);
/* Load the library of a text, without `compiles` from the cache alone, until *cancel, an eventfd, is written to (NULL:
 * to the end). Returns NULL, or why there is none. */
const char *native_load(const struct native_text *text, enum simd_level level, bool compiles, const int *cancel,
			struct native_library *library);
void native_unload(struct native_library *library);
/* Why no text could be made a library, as far as a look shows; NULL: no such reason. */
const char *native_hindrance(enum simd_level level);

#endif
