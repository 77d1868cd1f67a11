// Calls of the runtime with arguments of every kind: right ones, stale and foreign handles, freed memory, sizes that come
// round. Each call returns one of CUDA's errors; memory that no call names keeps its bytes; what is right goes on
// working. "CALLS calls, N right, 0 wrong". any_calls [CALLS [SEED]]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <cuda_runtime.h>

__device__ int variable[64];
__constant__ int constant[16];
__global__ void add(int *p, int n) { p[threadIdx.x & 15] += n + constant[0]; }
static void not_a_kernel() {}

enum { ROOM = 1 << 26, KEPT = 64, LIVE = 6 };
static uint64_t state = 1;
static unsigned any(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}
static char *host;      // bytes of the host, half of them before this place
static char *live[LIVE], *freed[LIVE];
static int *words;	// of the kernel
static cudaStream_t streams[LIVE], stale_stream;
static cudaEvent_t events[LIVE], stale_event;
static cudaArray_t arrays[LIVE], stale_array;
static cudaMipmappedArray_t pyramids[LIVE], stale_pyramid;
static cudaTextureObject_t textures[LIVE], stale_texture;
static cudaSurfaceObject_t surfaces[LIVE], stale_surface;

static size_t size()
{
	static const size_t sizes[] = { 0, 1, 3, 4, 16, 64, 255, 256, 257, 100, 4097, 0xfffffff0, 0xffffffff,
					0x100000000, 1ull << 40, 1ull << 62, 1ull << 63, SIZE_MAX - 255, SIZE_MAX };
	return sizes[any(3) ? any(9) : any(sizeof sizes / sizeof *sizes)];
}
// Sizes of what the host's memory holds.
static size_t small() { size_t n = size(); return n < 1 << 12 ? n : n & 0xfff; }
static char *device_memory()
{
	switch (any(8)) {
	case 0: return NULL;
	case 1: return freed[any(LIVE)];
	case 2: return live[any(LIVE)] + any(8192);
	case 3: return (char *)(uintptr_t)size();
	case 4: return live[any(LIVE)] - any(512);
	default: return live[any(LIVE)];
	}
}
static void *memory(bool of_host) { return of_host ? any(8) ? host + any(64) : NULL : device_memory(); }
template <typename T> static T handle(T *live_ones, T stale)
{
	unsigned kind = any(6);
	return kind == 0 ? (T)0 : kind == 1 ? stale : kind == 2 ? (T)(uintptr_t)host : live_ones[any(LIVE)];
}
template <typename T> static void replace(T *live_ones, T *stale, T made)
{
	unsigned i = any(LIVE);
	*stale = live_ones[i];
	live_ones[i] = made;
}
static cudaMemcpyKind kind(bool to_host, bool from_host)
{
	return !any(16) ? (cudaMemcpyKind)any(7) : to_host ? from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost
							   : from_host ? cudaMemcpyHostToDevice
								       : cudaMemcpyDeviceToDevice;
}
static cudaChannelFormatDesc channels()
{
	static const int bits[] = { 0, 8, 16, 32, 7, -1 };
	int x = bits[any(6)], y = any(2) ? x : bits[any(6)], z = any(2) ? y : 0;
	cudaChannelFormatDesc d = { x, y, z, any(2) ? z : 0, (cudaChannelFormatKind)any(5) };
	return any(2) ? d : cudaCreateChannelDesc<float>();
}
static cudaExtent extent() { return make_cudaExtent(size(), any(2) ? 1 : size(), any(2) ? 0 : size()); }
static cudaResourceDesc resource()
{
	cudaResourceDesc r = {};
	r.resType = (cudaResourceType)any(6);
	switch (r.resType) {
	case cudaResourceTypeArray: r.res.array.array = handle(arrays, stale_array); break;
	case cudaResourceTypeMipmappedArray: r.res.mipmap.mipmap = handle(pyramids, stale_pyramid); break;
	case cudaResourceTypeLinear:
		r.res.linear.devPtr = device_memory();
		r.res.linear.desc = channels();
		r.res.linear.sizeInBytes = size();
		break;
	default:
		r.res.pitch2D.devPtr = device_memory();
		r.res.pitch2D.desc = channels();
		r.res.pitch2D.width = size();
		r.res.pitch2D.height = size();
		r.res.pitch2D.pitchInBytes = size();
	}
	return r;
}
static cudaTextureDesc way()
{
	cudaTextureDesc w = {};
	for (int i = 0; i < 3; i++)
		w.addressMode[i] = (cudaTextureAddressMode)any(5);
	w.filterMode = (cudaTextureFilterMode)any(3);
	w.readMode = (cudaTextureReadMode)any(3);
	w.sRGB = (int)any(2);
	w.normalizedCoords = (int)any(2);
	w.mipmapFilterMode = (cudaTextureFilterMode)any(3);
	return w;
}
static cudaMemcpy3DParms box()
{
	cudaMemcpy3DParms p = {};
	bool to_host = !any(3), from_host = !to_host && any(2);
	if (any(3))
		p.srcPtr = make_cudaPitchedPtr(memory(from_host), from_host ? small() : size(), small(), small());
	else
		p.srcArray = handle(arrays, stale_array);
	if (any(3))
		p.dstPtr = make_cudaPitchedPtr(memory(to_host), to_host ? small() : size(), small(), small());
	else
		p.dstArray = handle(arrays, stale_array);
	p.srcPos = make_cudaPos(from_host ? 0 : size(), any(2) ? 0 : small(), 0);
	p.dstPos = make_cudaPos(to_host ? 0 : size(), any(2) ? 0 : small(), any(2) ? 0 : size());
	p.extent = from_host || to_host ? make_cudaExtent(small() & 255, small() & 63, any(3)) : extent();
	p.kind = kind(to_host, from_host);
	return p;
}

static cudaError_t call()
{
	bool to_host = !any(3), from_host = !to_host && any(2);
	size_t n = to_host || from_host ? small() : size(), w = to_host || from_host ? small() & 255 : size();
	size_t h = to_host || from_host ? small() & 63 : size();
	size_t to_pitch = to_host ? small() : size(), from_pitch = from_host ? small() : size();
	void *to = memory(to_host), *made = NULL;
	const void *from = memory(from_host);
	cudaMemcpyKind k = kind(to_host, from_host);
	cudaStream_t stream = any(2) ? 0 : handle(streams, stale_stream);
	cudaError_t e;

	switch (any(44)) {
	case 0: case 1:
		e = cudaMalloc(any(16) ? &made : NULL, size());
		if (e == cudaSuccess && made)
			replace(live, &freed[any(LIVE)], (char *)made), cudaFree(freed[0]);
		return e;
	case 2: return cudaFree(any(3) ? freed[any(LIVE)] : live[0] + 1 + any(9));
	case 3: case 4: case 5: return cudaMemcpy(to, from, n, k);
	case 6: return cudaMemcpyAsync(to, from, n, k, stream);
	case 7: case 8: return cudaMemcpy2D(to, to_pitch, from, from_pitch, w, h, k);
	case 9: return cudaMemset(device_memory(), (int)any(256), size());
	case 10: return cudaMemset2D(device_memory(), size(), (int)any(256), size(), size());
	case 11: return cudaMemcpyToSymbol(variable, memory(true), small(), size(), cudaMemcpyHostToDevice);
	case 12: return cudaMemcpyFromSymbol(host, constant, small(), size(), cudaMemcpyDeviceToHost);
	case 13: return cudaMemcpyToSymbol(host, host, small(), 0, cudaMemcpyHostToDevice);
	case 14: e = cudaMallocPitch(&made, any(2) ? &n : NULL, size(), size()); break;
	case 15: {
		cudaPitchedPtr p = {};
		e = cudaMalloc3D(any(8) ? &p : NULL, extent());
		made = p.ptr;
		break;
	}
	case 16: e = cudaMallocManaged(&made, any(2) ? 64 : size() & 0xffffff, any(4)); break;
	case 17: return cudaMemset3D(make_cudaPitchedPtr(device_memory(), size(), size(), size()), 1, extent());
	case 18: {
		cudaArray_t a = NULL;
		cudaChannelFormatDesc d = channels();
		e = cudaMallocArray(any(16) ? &a : NULL, any(16) ? &d : NULL, size(), size(), any(20));
		if (a)
			replace(arrays, &stale_array, a), cudaFreeArray(stale_array);
		return e;
	}
	case 19: {
		cudaArray_t a = NULL;
		cudaChannelFormatDesc d = channels();
		e = cudaMalloc3DArray(&a, &d, extent(), any(20));
		if (a)
			replace(arrays, &stale_array, a), cudaFreeArray(stale_array);
		return e;
	}
	case 20: {
		cudaMipmappedArray_t a = NULL;
		cudaChannelFormatDesc d = channels();
		e = cudaMallocMipmappedArray(&a, &d, extent(), any(40), any(20));
		if (a)
			replace(pyramids, &stale_pyramid, a), cudaFreeMipmappedArray(stale_pyramid);
		return e;
	}
	case 21: {
		cudaArray_t a;
		return cudaGetMipmappedArrayLevel(any(9) ? &a : NULL, handle(pyramids, stale_pyramid), any(40));
	}
	case 22: return cudaFreeArray(stale_array);
	case 23: return cudaMemcpy2DToArray(handle(arrays, stale_array), size(), size(), from, from_pitch, w, h, k);
	case 24: return cudaMemcpy2DFromArray(to, to_pitch, handle(arrays, stale_array), size(), size(), w, h, k);
	case 25: return cudaMemcpyToArray(handle(arrays, stale_array), size(), size(), from, n, k);
	case 26: return cudaMemcpyFromArray(to, handle(arrays, stale_array), size(), size(), n, k);
	case 27: return cudaMemcpy2DArrayToArray(handle(arrays, stale_array), size(), size(),
						 handle(arrays, stale_array), size(), size(), size(), size(),
						 cudaMemcpyDeviceToDevice);
	case 28: case 29: {
		cudaMemcpy3DParms p = box();
		return cudaMemcpy3D(any(30) ? &p : NULL);
	}
	case 30: {
		cudaResourceDesc r = resource();
		cudaTextureDesc d = way();
		cudaTextureObject_t t = 0;
		e = cudaCreateTextureObject(any(16) ? &t : NULL, any(16) ? &r : NULL, any(16) ? &d : NULL, NULL);
		if (t)
			replace(textures, &stale_texture, t), cudaDestroyTextureObject(stale_texture);
		return e;
	}
	case 31: {
		cudaResourceDesc r = resource();
		cudaSurfaceObject_t s = 0;
		e = cudaCreateSurfaceObject(&s, &r);
		if (s)
			replace(surfaces, &stale_surface, s), cudaDestroySurfaceObject(stale_surface);
		return e;
	}
	case 32: {
		cudaResourceDesc r;
		return any(2) ? cudaGetTextureObjectResourceDesc(&r, handle(textures, stale_texture))
			      : cudaGetSurfaceObjectResourceDesc(&r, handle(surfaces, stale_surface));
	}
	case 33: return any(2) ? cudaDestroyTextureObject(stale_texture) : cudaDestroySurfaceObject(textures[0]);
	case 34: {
		cudaStream_t s = NULL;
		e = cudaStreamCreateWithFlags(any(9) ? &s : NULL, any(4));
		if (s)
			replace(streams, &stale_stream, s), cudaStreamDestroy(stale_stream);
		return e;
	}
	case 35: return any(2) ? cudaStreamSynchronize(stream) : cudaStreamQuery(stream);
	case 36: return cudaStreamWaitEvent(stream, handle(events, stale_event), 0);
	case 37: {
		cudaEvent_t v = NULL;
		e = cudaEventCreate(any(9) ? &v : NULL);
		if (v)
			replace(events, &stale_event, v), cudaEventDestroy(stale_event);
		return e;
	}
	case 38: return cudaEventRecord(handle(events, stale_event), stream);
	case 39: {
		float ms;
		return cudaEventElapsedTime(any(9) ? &ms : NULL, handle(events, stale_event), handle(events, stale_event));
	}
	case 40: return any(2) ? cudaEventDestroy(stale_event) : cudaStreamDestroy(stale_stream);
	case 41: {
		int blocks, *p = words, number = 1;
		void *arguments[] = { &p, &number };
		const void *f = any(5) ? (const void *)add : (const void *)not_a_kernel;
		if (any(2))
			return cudaOccupancyMaxActiveBlocksPerMultiprocessor(any(9) ? &blocks : NULL, f, (int)size(), size());
		return cudaLaunchKernel(f, dim3((unsigned)size() & 3, any(9) ? 1 : 0xfffffff0),
					dim3(any(5) ? 32 : (unsigned)size()), any(9) ? arguments : NULL, any(5) ? 0 : size(),
					stream);
	}
	case 42: {
		cudaFuncAttributes a;
		return cudaFuncGetAttributes(any(9) ? &a : NULL, any(2) ? (const void *)add : host);
	}
	default: {
		void *p;
		return any(2) ? cudaGetSymbolAddress(&p, any(2) ? (const void *)variable : host)
			      : cudaGetSymbolSize(&n, any(2) ? (const void *)constant : host);
	}
	}
	if (e == cudaSuccess && made)
		e = cudaFree(made);
	return e;
}

int main(int argc, char **argv)
{
	unsigned calls = argc > 1 ? (unsigned)atoi(argv[1]) : 20000, right = 0, wrong = 0;
	unsigned char kept[4096], back[4096];
	char *keep;
	cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();

	state = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
	host = (char *)mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) + ROOM;
	memset(kept, 0x5a, sizeof kept);
	cudaMalloc(&words, 64);
	cudaMalloc(&keep, 1 << 16);
	keep += 1 << 15;		// farther from both ends than a call goes beyond other memory
	cudaMemcpy(keep, kept, sizeof kept, cudaMemcpyHostToDevice);
	for (int i = 0; i < LIVE; i++) {
		cudaMalloc(&live[i], 4096);
		cudaMalloc(&freed[i], 64);
		cudaFree(freed[i]);
		cudaStreamCreate(&streams[i]);
		cudaEventCreate(&events[i]);
		cudaMallocArray(&arrays[i], &d, 16, 16);
		cudaMallocMipmappedArray(&pyramids[i], &d, make_cudaExtent(16, 16, 0), 3);
	}
	for (unsigned i = 0; i < calls; i++) {
		cudaError_t e = call(), last = cudaGetLastError();

		right += e == cudaSuccess;
		if (e == cudaErrorIllegalAddress || e == cudaErrorLaunchFailure || !strcmp(cudaGetErrorName(e), "unrecognized error code"))
			printf("call %u: %d\n", i, e), wrong++;
		if (e != cudaSuccess && last != e)
			printf("call %u: %s, and the last error is %s\n", i, cudaGetErrorName(e), cudaGetErrorName(last)), wrong++;
	}
	wrong += cudaMemcpy(back, keep, sizeof back, cudaMemcpyDeviceToHost) != cudaSuccess;
	for (unsigned i = 0; i < sizeof kept; i++)
		wrong += back[i] != kept[i];
	printf("%u calls, %u right, %u wrong\n", calls, right, wrong);
	return wrong != 0;
}
