/* Contexts: one device and one memory for all. A thread has a stack of contexts; where the stack is empty and the
 * process has called the runtime, the primary context is current. */
#include <stdlib.h>
#include <string.h>

#include "frontends/cuda/driver/driver.h"

cudaError_t cudaDeviceSetLimit(int limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, int limit);

struct CUctx_st {
	struct CUctx_st *next;
	unsigned flags;
	unsigned long long id;
	bool alive;
	unsigned uses;          /* of the primary: retains without release */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;      /* lock of all contexts */
static struct CUctx_st primary = { .id = 1 };
static struct CUctx_st *contexts = &primary;
static unsigned long long last_id = 1;

enum { STACK_MAX = 64 };
static _Thread_local CUcontext stack[STACK_MAX];
static _Thread_local unsigned depth;

static bool lives(const struct CUctx_st *c)
{
	return c->alive || (c == &primary && (c->uses || warpbeam_runtime_shared()->by_runtime));
}

bool is_context(CUcontext c)
{
	struct CUctx_st *p;
	bool found;

	pthread_mutex_lock(&lock);
	for (p = contexts; p && p != c; p = p->next)
		;
	found = p && lives(p);
	pthread_mutex_unlock(&lock);
	return found;
}

CUcontext current_context(void)
{
	if (depth)
		return stack[depth - 1];
	return warpbeam_runtime_shared()->by_runtime ? &primary : NULL;
}

CUresult ready(void)
{
	CUcontext c;

	if (!is_initialized())
		return CUDA_ERROR_NOT_INITIALIZED;
	c = current_context();
	if (!c)
		return CUDA_ERROR_INVALID_CONTEXT;
	return is_context(c) ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

struct runtime *enter(CUresult *e)
{
	cudaError_t error;
	struct runtime *r;

	*e = ready();
	if (*e != CUDA_SUCCESS)
		return NULL;
	r = begin(&error);
	*e = result(error);
	if (r && error != cudaSuccess) {
		end(r, error);
		return NULL;
	}
	return r;
}

CUresult leave(struct runtime *r, cudaError_t e)
{
	return result(end(r, e));
}

/* ---- the life of a context ---- */

static CUresult push(CUcontext c)
{
	if (depth == STACK_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	stack[depth++] = c;
	return CUDA_SUCCESS;
}

CALL CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
	struct CUctx_st *c;

	if (!is_initialized())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (device)
		return CUDA_ERROR_INVALID_DEVICE;
	if (!context || flags & ~(unsigned)CU_CTX_FLAGS_MASK || depth == STACK_MAX)
		return CUDA_ERROR_INVALID_VALUE;
	c = calloc(1, sizeof *c);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&lock);
	*c = (struct CUctx_st){ .next = contexts, .flags = flags, .id = ++last_id, .alive = true };
	contexts = c;
	pthread_mutex_unlock(&lock);
	*context = c;
	return push(c);
}
SAME(cuCtxCreate, cuCtxCreate_v2);

CALL CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *affinity, int n, unsigned flags, CUdevice device)
{
	return affinity && n ? missing_call("cuCtxCreate_v3 with an affinity")
			     : cuCtxCreate_v2(context, flags, device);
}

/* Parameters ask for shares of a device: no device here has shares. */
CALL CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned flags, CUdevice device)
{
	static const struct { void *affinity; int n; void *share; } none;
	const char *p = (const char *)params;

	if (p && (memcmp(p, &none, sizeof none.affinity) ||
		  memcmp(p + offsetof(__typeof__(none), share), &none.share, sizeof none.share)))
		return missing_call("cuCtxCreate_v4 with parameters");
	return cuCtxCreate_v2(context, flags, device);
}

CALL CUresult cuCtxDestroy_v2(CUcontext c)
{
	if (!is_initialized())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!is_context(c) || c == &primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	unload_modules_of(c);
	free_memory_of(c);
	pthread_mutex_lock(&lock);
	c->alive = false;
	pthread_mutex_unlock(&lock);
	if (depth && stack[depth - 1] == c)
		depth--;
	return CUDA_SUCCESS;
}
SAME(cuCtxDestroy, cuCtxDestroy_v2);

CALL CUresult cuCtxAttach(CUcontext *context, unsigned flags)
{
	if (!context || flags)
		return CUDA_ERROR_INVALID_VALUE;
	NEEDS_CONTEXT;
	*context = current_context();
	return CUDA_SUCCESS;
}

CALL CUresult cuCtxDetach(CUcontext c) { return cuCtxDestroy_v2(c); }

/* ---- the current context ---- */

CALL CUresult cuCtxPushCurrent_v2(CUcontext c)
{
	if (!is_initialized())
		return CUDA_ERROR_NOT_INITIALIZED;
	return is_context(c) ? push(c) : CUDA_ERROR_INVALID_CONTEXT;
}
SAME(cuCtxPushCurrent, cuCtxPushCurrent_v2);

CALL CUresult cuCtxPopCurrent_v2(CUcontext *c)
{
	if (!is_initialized())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!depth)
		return CUDA_ERROR_INVALID_CONTEXT;
	depth--;
	if (c)
		*c = stack[depth];
	return CUDA_SUCCESS;
}
SAME(cuCtxPopCurrent, cuCtxPopCurrent_v2);

CALL CUresult cuCtxSetCurrent(CUcontext c)
{
	if (!is_initialized())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (c && !is_context(c))
		return CUDA_ERROR_INVALID_CONTEXT;
	if (depth)
		depth--;
	return c ? push(c) : CUDA_SUCCESS;
}

CALL CUresult cuCtxGetCurrent(CUcontext *c)
{
	if (!is_initialized())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!c)
		return CUDA_ERROR_INVALID_VALUE;
	*c = current_context();
	return CUDA_SUCCESS;
}

/* ---- the primary context ---- */

static CUresult check_device(CUdevice device)
{
	if (!is_initialized())
		return CUDA_ERROR_NOT_INITIALIZED;
	return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CALL CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice device)
{
	CUresult e = c ? check_device(device) : CUDA_ERROR_INVALID_VALUE;

	if (e != CUDA_SUCCESS)
		return e;
	pthread_mutex_lock(&lock);
	primary.uses++;
	pthread_mutex_unlock(&lock);
	*c = &primary;
	return CUDA_SUCCESS;
}

CALL CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
	CUresult e = check_device(device);
	bool last;

	if (e != CUDA_SUCCESS)
		return e;
	pthread_mutex_lock(&lock);
	if (!primary.uses)
		e = CUDA_ERROR_INVALID_CONTEXT;
	else
		primary.uses--;
	last = e == CUDA_SUCCESS && !lives(&primary);
	pthread_mutex_unlock(&lock);
	if (last) {
		unload_modules_of(&primary);
		free_memory_of(&primary);
	}
	return e;
}
SAME(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);

CALL CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
	CUresult e = check_device(device);

	if (e != CUDA_SUCCESS)
		return e;
	unload_modules_of(&primary);
	free_memory_of(&primary);
	return CUDA_SUCCESS;
}
SAME(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);

CALL CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
	CUresult e = check_device(device);

	if (e == CUDA_SUCCESS && flags & ~(unsigned)CU_CTX_FLAGS_MASK)
		e = CUDA_ERROR_INVALID_VALUE;
	if (e == CUDA_SUCCESS)
		primary.flags = flags;
	return e;
}
SAME(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);

CALL CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
	CUresult e = flags && active ? check_device(device) : CUDA_ERROR_INVALID_VALUE;

	if (e != CUDA_SUCCESS)
		return e;
	*flags = primary.flags;
	*active = is_context(&primary);
	return CUDA_SUCCESS;
}

/* ---- facts ---- */

static CUresult answer(int *to, int value)
{
	NEEDS_CONTEXT;
	if (!to)
		return CUDA_ERROR_INVALID_VALUE;
	*to = value;
	return CUDA_SUCCESS;
}

/* The context of a call, the current context for NULL. The result NULL: *e is the error. */
static CUcontext context_of(CUcontext c, CUresult *e)
{
	*e = ready();
	if (c && !is_context(c))
		*e = CUDA_ERROR_INVALID_CONTEXT;
	else if (c && is_initialized())
		*e = CUDA_SUCCESS;
	return *e != CUDA_SUCCESS ? NULL : c ? c : current_context();
}

CALL CUresult cuCtxGetDevice(CUdevice *device) { return answer(device, 0); }
CALL CUresult cuCtxGetFlags(unsigned *flags)
{
	CUcontext c = current_context();

	return answer((int *)flags, c ? (int)c->flags : 0);
}

CALL CUresult cuCtxSetFlags(unsigned flags)
{
	NEEDS_CONTEXT;
	if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
		return CUDA_ERROR_INVALID_VALUE;
	current_context()->flags = flags;
	return CUDA_SUCCESS;
}

CALL CUresult cuCtxGetId(CUcontext c, unsigned long long *id)
{
	CUresult e;

	if (!id)
		return CUDA_ERROR_INVALID_VALUE;
	c = context_of(c, &e);
	if (c)
		*id = c->id;
	return e;
}

CALL CUresult cuCtxGetApiVersion(CUcontext c, unsigned *version)
{
	CUresult e;

	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	if (context_of(c, &e))
		*version = 3020;
	return e;
}

CALL CUresult cuCtxSynchronize(void)
{
	CUresult e;
	struct runtime *r = enter(&e);

	return r ? leave(r, cudaSuccess) : e;
}

CALL CUresult cuCtxSynchronize_v2(CUcontext c)
{
	CUresult e;

	return context_of(c, &e) ? CUDA_SUCCESS : e;
}

CALL CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	NEEDS_CONTEXT;
	return result(cudaDeviceSetLimit((int)limit, value));
}

CALL CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	NEEDS_CONTEXT;
	return result(cudaDeviceGetLimit(value, (int)limit));
}

CALL CUresult cuCtxGetCacheConfig(CUfunc_cache *config) { return answer((int *)config, CU_FUNC_CACHE_PREFER_NONE); }
CALL CUresult cuCtxSetCacheConfig(CUfunc_cache config) { return (void)config, ready(); }
CALL CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) { return answer((int *)config, 1); }
CALL CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) { return (void)config, ready(); }

CALL CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
	NEEDS_CONTEXT;
	if (least)
		*least = 0;
	if (greatest)
		*greatest = 0;
	return CUDA_SUCCESS;
}

/* There is one device. */
CALL CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
	NEEDS_CONTEXT;
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	return is_context(peer) ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED : CUDA_ERROR_INVALID_CONTEXT;
}

CALL CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
	NEEDS_CONTEXT;
	return is_context(peer) ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT;
}
