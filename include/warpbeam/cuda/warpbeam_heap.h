/* malloc, free, new and delete of kernels: a heap in the device's memory, a variable of the sources with such calls.
 *
 * A piece has a power of two of bytes, at least 32, with its size in the first 16. Freed pieces are in a list for each
 * size, with the first piece's number in the low word of the list's head, and a count in the high word, so that a head
 * never comes back: an exchange of 64 bits takes or adds a piece. A number is the distance from the heap's begin in
 * units of 16 bytes, and 1. Other pieces come from the unused end.
 * The same functions for PTX of nvcc are toolchain/heap.ptx, and the host's runtime writes the first two members. */
#ifndef WARPBEAM_CUDA_HEAP_H
#define WARPBEAM_CUDA_HEAP_H

#ifndef WARPBEAM_HEAP_BYTES
#define WARPBEAM_HEAP_BYTES (8 << 20)
#endif

struct warpbeam_heap {
	unsigned long long other;       /* address of the memory that the program has asked for; 0: `piece` */
	unsigned long long bytes;       /* of the memory at `other` */
	unsigned long long head[32];    /* by the size, as a power of two */
	unsigned long long used;        /* bytes of pieces; more while threads ask in vain, hence no 32 bits */
	unsigned int unused[2];
	unsigned int piece[WARPBEAM_HEAP_BYTES / 4];
};
static __device__ __align__(16) struct warpbeam_heap warpbeam_heap;

static inline __device__ unsigned int *warpbeam_heap_begin(void)
{
	return warpbeam_heap.other ? (unsigned int *)warpbeam_heap.other : warpbeam_heap.piece;
}

/* The piece's words: log2 of the size, number of the next free piece; 0: none. */
static inline __device__ unsigned int *warpbeam_unlist(unsigned int log)
{
	unsigned long long *head = &warpbeam_heap.head[log], was = *(volatile unsigned long long *)head, found;

	for (; (unsigned int)was; was = found) {
		volatile unsigned int *piece = warpbeam_heap_begin() + 4 * ((was & 0xffffffffu) - 1);
		unsigned long long next = ((was >> 32) + 1) << 32 | piece[1];
		found = atomicCAS(head, was, next);
		if (found == was)
			return (unsigned int *)piece;
	}
	return 0;
}

static inline __device__ void *warpbeam_allocate(size_t bytes)
{
	unsigned long long most = warpbeam_heap.other ? warpbeam_heap.bytes : WARPBEAM_HEAP_BYTES;
	unsigned int log = 5, *piece;

	if (bytes > most || !bytes)
		return 0;
	while ((1ull << log) < bytes + 16)
		log++;
	if (log > 31)
		return 0;
	piece = warpbeam_unlist(log);
	if (!piece) {
		unsigned long long size = 1ull << log, from = atomicAdd(&warpbeam_heap.used, size);
		if (from + size > most) {
			atomicAdd(&warpbeam_heap.used, -size);
			return 0;
		}
		piece = warpbeam_heap_begin() + from / 4;
		piece[0] = log;
	}
	return piece + 4;
}

static inline __device__ void warpbeam_release(void *p)
{
	if (!p)
		return;
	volatile unsigned int *piece = (unsigned int *)p - 4;
	unsigned long long *head = &warpbeam_heap.head[piece[0] & 31], found;
	unsigned long long was = *(volatile unsigned long long *)head;
	unsigned int number = (piece - warpbeam_heap_begin()) / 4 + 1;
	for (;; was = found) {
		piece[1] = (unsigned int)was;
		__threadfence();
		found = atomicCAS(head, was, ((was >> 32) + 1) << 32 | number);
		if (found == was)
			return;
	}
}

#ifdef __HIP__
/* clang's malloc and free call these two of ROCm's device library. */
extern "C" inline __device__ __attribute__((weak)) unsigned long long __ockl_dm_alloc(unsigned long long bytes)
{
	return (unsigned long long)warpbeam_allocate(bytes);
}
extern "C" inline __device__ __attribute__((weak)) void __ockl_dm_dealloc(unsigned long long p)
{
	warpbeam_release((void *)p);
}
/* clang's own header with the operators of kernels is on the way of a HIP source's <new> for the host alone. */
#ifndef __CLANG_CUDA_WRAPPERS_NEW
inline __device__ void *operator new(size_t bytes) { return warpbeam_allocate(bytes ? bytes : 1); }
inline __device__ void *operator new[](size_t bytes) { return warpbeam_allocate(bytes ? bytes : 1); }
inline __device__ void operator delete(void *p) noexcept { warpbeam_release(p); }
inline __device__ void operator delete[](void *p) noexcept { warpbeam_release(p); }
inline __device__ void operator delete(void *p, size_t) noexcept { warpbeam_release(p); }
inline __device__ void operator delete[](void *p, size_t) noexcept { warpbeam_release(p); }
#endif
#else
extern "C" inline __device__ void *malloc(size_t bytes) { return warpbeam_allocate(bytes); }
extern "C" inline __device__ void free(void *p) { warpbeam_release(p); }
#include <new>                  /* of clang for CUDA: the operators of kernels, by these two functions */
#endif

#endif
