/* Calls without a meaning here. */
#include "frontends/runtime/runtime.h"

static cudaError_t missing(const char *name)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!r)
		return keep_error(e);
	program_say(r->program, "%s is not in this runtime: the call returns %s", name, RT_NAME(ErrorNotSupported));
	return end(r, cudaErrorNotSupported);
}

#define MISSING(name) \
	CALL cudaError_t name(void); \
	cudaError_t name(void) { return missing(#name); }
#ifdef RUNTIME_HIP
#include "frontends/hip/missing.def"
#else
#include "frontends/cuda/missing.def"
#endif

#ifdef RUNTIME_HIP
CALL void __hipRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dimensions,
			       int normalised, int external);

/* Registered before main, and missed where bound. */
void __hipRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dimensions,
			  int normalised, int external)
{
	(void)handle, (void)host, (void)device, (void)name, (void)dimensions, (void)normalised, (void)external;
}

CALL void __hipRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimensions,
			       int external);

void __hipRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimensions,
			  int external)
{
	(void)handle, (void)host, (void)device, (void)name, (void)dimensions, (void)external;
}
#endif
