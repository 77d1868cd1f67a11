/* CUDA's driver interface over the runtime's: the library has the runtime's sources as well, whose calls are hidden
 * here, and shares the runtime's state (struct shared). Contexts and the kinds of handles are the driver's alone.
 *
 * A handle is looked up in a list before use. Contexts are never freed, so that no handle comes again. */
#ifndef WB_FRONTENDS_CUDA_DRIVER_DRIVER_H
#define WB_FRONTENDS_CUDA_DRIVER_DRIVER_H

#include "frontends/runtime/texture.h"
#include "frontends/runtime/runtime.h"
#define WARPBEAM_DRIVER
#include "include/warpbeam/cuda/cuda.h"

enum { DRIVER_VERSION = 13000 };

/* A further name of a function of the same file. */
#define SAME(name, function) CALL __typeof__(function) name __attribute__((alias(#function)))

/* The driver's result for an error of the runtime's. */
CUresult result(cudaError_t e);
/* Print "NAME is not in this driver: …". */
CUresult missing_call(const char *name);

/* Whether cuInit, or a call of the runtime, has been made. */
bool is_initialized(void);
/* CUDA_SUCCESS where the driver is initialised and the thread has a context that lives. */
CUresult ready(void);
#define NEEDS_CONTEXT \
	do { \
		CUresult not_ready = ready(); \
		if (not_ready != CUDA_SUCCESS) \
			return not_ready; \
	} while (0)

/* Begin a call with a context. NULL: *e says why. The end is leave(). */
struct runtime *enter(CUresult *e);
CUresult leave(struct runtime *r, cudaError_t e);

/* context.c */
CUcontext current_context(void);
bool is_context(CUcontext c);

/* module.c: the function of a handle, which may be a kernel's (CUkernel); NULL: none. */
struct function *function_of(CUfunction f);
/* A context is gone: so are its modules. */
void unload_modules_of(CUcontext c);

/* array.c: a copy as the runtime has it. False: a wrong one. */
bool box_of_copy(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *p);

/* memory.c: memory of the context is freed. */
void free_memory_of(CUcontext c);

#endif
