/* Calls without a meaning here. */
#include "frontends/cuda/runtime.h"

static cudaError_t missing(const char *name)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!r)
		return keep_error(e);
	program_say(r->program, "%s is not in this runtime: the call returns cudaErrorNotSupported", name);
	return end(r, cudaErrorNotSupported);
}

#define MISSING(name) \
	CALL cudaError_t name(void); \
	cudaError_t name(void) { return missing(#name); }
#include "frontends/cuda/missing.def"

CALL void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dimensions,
				int normalised, int external);
CALL void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimensions,
				int external);

/* Registered before main, and missed where bound. */
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name, int dimensions,
			   int normalised, int external)
{
	(void)handle, (void)host, (void)device, (void)name, (void)dimensions, (void)normalised, (void)external;
}

void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimensions,
			   int external)
{
	(void)handle, (void)host, (void)device, (void)name, (void)dimensions, (void)external;
}
