/* A build without a host has no compiler (native/native.h). */
#include "native/native.h"

const char *native_make(const struct program *p, enum native_when when, enum simd_level level, struct arena *a,
			struct native **out)
{
	*out = NULL;
	return "no compiler";
}

void native_free(struct native *n)
{
}
