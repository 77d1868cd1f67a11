/* Streams and events, which are the runtime's under other names. */
#include "frontends/cuda/driver/driver.h"

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamQuery(cudaStream_t s);
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags);
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t call, void *context, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t call, void *context);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventQuery(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);

/* A call that needs a context and the runtime's call of the same meaning. */
#define AS_RUNTIME(call) \
	do { \
		NEEDS_CONTEXT; \
		return result(call); \
	} while (0)

CALL CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority)
{
	AS_RUNTIME(cudaStreamCreateWithPriority(s, flags, priority));
}

CALL CUresult cuStreamCreate(CUstream *s, unsigned flags) { return cuStreamCreateWithPriority(s, flags, 0); }

CALL CUresult cuStreamDestroy_v2(CUstream s) { AS_RUNTIME(cudaStreamDestroy(s)); }
SAME(cuStreamDestroy, cuStreamDestroy_v2);

/* A fact about a stream in a place of the program's. */
static CUresult fact(CUstream s, const void *to, unsigned *flags, int *priority)
{
	NEEDS_CONTEXT;
	if (!stream_facts(s, flags, priority))
		return CUDA_ERROR_INVALID_HANDLE;
	return to ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CALL CUresult cuStreamGetPriority(CUstream s, int *priority)
{
	unsigned flags;
	int value;
	CUresult e = fact(s, priority, &flags, &value);

	if (e == CUDA_SUCCESS)
		*priority = value;
	return e;
}
SAME(cuStreamGetPriority_ptsz, cuStreamGetPriority);

CALL CUresult cuStreamGetFlags(CUstream s, unsigned *flags)
{
	unsigned value;
	int priority;
	CUresult e = fact(s, flags, &value, &priority);

	if (e == CUDA_SUCCESS)
		*flags = value;
	return e;
}
SAME(cuStreamGetFlags_ptsz, cuStreamGetFlags);

CALL CUresult cuStreamGetCtx(CUstream s, CUcontext *context)
{
	unsigned flags;
	int priority;
	CUresult e = fact(s, context, &flags, &priority);

	if (e == CUDA_SUCCESS)
		*context = current_context();
	return e;
}
SAME(cuStreamGetCtx_ptsz, cuStreamGetCtx);

CALL CUresult cuStreamSynchronize(CUstream s) { AS_RUNTIME(cudaStreamSynchronize(s)); }
SAME(cuStreamSynchronize_ptsz, cuStreamSynchronize);
CALL CUresult cuStreamQuery(CUstream s) { AS_RUNTIME(cudaStreamQuery(s)); }
SAME(cuStreamQuery_ptsz, cuStreamQuery);
CALL CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags)
{
	AS_RUNTIME(flags > 1 ? cudaErrorInvalidValue : cudaStreamWaitEvent(s, e, flags));
}
SAME(cuStreamWaitEvent_ptsz, cuStreamWaitEvent);

/* Errors of launches have the same numbers for both interfaces. */
CALL CUresult cuStreamAddCallback(CUstream s, CUstreamCallback call, void *context, unsigned flags)
{
	AS_RUNTIME(cudaStreamAddCallback(s, (cudaStreamCallback_t)(void *)call, context, flags));
}
SAME(cuStreamAddCallback_ptsz, cuStreamAddCallback);
CALL CUresult cuLaunchHostFunc(CUstream s, CUhostFn call, void *context)
{
	AS_RUNTIME(cudaLaunchHostFunc(s, call, context));
}
SAME(cuLaunchHostFunc_ptsz, cuLaunchHostFunc);

CALL CUresult cuEventCreate(CUevent *e, unsigned flags)
{
	AS_RUNTIME(flags > 7 || (flags & CU_EVENT_INTERPROCESS && !(flags & CU_EVENT_DISABLE_TIMING))
		   ? cudaErrorInvalidValue : cudaEventCreateWithFlags(e, flags));
}

CALL CUresult cuEventDestroy_v2(CUevent e) { AS_RUNTIME(cudaEventDestroy(e)); }
SAME(cuEventDestroy, cuEventDestroy_v2);
CALL CUresult cuEventRecord(CUevent e, CUstream s) { AS_RUNTIME(cudaEventRecord(e, s)); }
SAME(cuEventRecord_ptsz, cuEventRecord);
CALL CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned flags)
{
	AS_RUNTIME(flags > 1 ? cudaErrorInvalidValue : cudaEventRecord(e, s));
}
SAME(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags);
CALL CUresult cuEventQuery(CUevent e) { AS_RUNTIME(cudaEventQuery(e)); }
CALL CUresult cuEventSynchronize(CUevent e) { AS_RUNTIME(cudaEventSynchronize(e)); }
CALL CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to)
{
	AS_RUNTIME(cudaEventElapsedTime(ms, from, to));
}
SAME(cuEventElapsedTime_v2, cuEventElapsedTime);
