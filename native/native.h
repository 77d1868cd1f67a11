/* Native code for the loops of a bound program: found, written as text, compiled by a compiler of the host or taken
 * from the cache, loaded, and put where the loops' branches go (core/isa/native.h). Results are those of threaded
 * code. */
#ifndef WB_NATIVE_NATIVE_H
#define WB_NATIVE_NATIVE_H

#include "core/isa/native.h"

struct native;

/* In the order of the option's words. AUTO: when the program is hot, a thread looks into the cache, and later has the
 * text compiled; NOW: at once. */
enum native_when { NATIVE_AUTO, NATIVE_OFF, NATIVE_NOW };

/* Make native code for the loops of a bound program, before its first run, at a SIMD level; `a` gets what lives as long
 * as the program. *out, to be freed after the last run, is NULL where nothing is made. Returns why a loop that could be
 * native code is not, or NULL. */
const char *native_make(const struct program *p, enum native_when when, enum simd_level level, struct arena *a,
			struct native **out);
void native_free(struct native *n);

#endif
