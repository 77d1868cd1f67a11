/* malloc, free, new and delete of kernels: a heap in the device's memory, a variable of the sources with such calls.
 *
 * A piece has a power of two of bytes, at least 32, with its size in the first 16. Freed pieces are in a list for each
 * size, with the address / 16 of the first piece in the low word of the list's head, and a number in the high word, so
 * that a head never comes back: an exchange of 64 bits takes or adds a piece. Other pieces come from the unused end. */
#ifndef WARPBEAM_CUDA_HEAP_H
#define WARPBEAM_CUDA_HEAP_H

#ifndef WARPBEAM_HEAP_BYTES
#define WARPBEAM_HEAP_BYTES (8 << 20)
#endif

struct warpbeam_heap {
	unsigned long long head[32];    /* by the size, as a power of two */
	unsigned long long used;        /* bytes of pieces; more while threads ask in vain, hence no 32 bits */
	unsigned int unused[2];
	unsigned int piece[WARPBEAM_HEAP_BYTES / 4];
};
static __device__ __align__(16) struct warpbeam_heap warpbeam_heap;

/* The piece's words: log2 of the size, address / 16 of the next free piece. */
static inline __device__ unsigned int *warpbeam_unlist(unsigned int log)
{
	unsigned long long *head = &warpbeam_heap.head[log], was = *(volatile unsigned long long *)head, found;

	for (; (unsigned int)was; was = found) {
		volatile unsigned int *piece = (unsigned int *)((was & 0xffffffffu) << 4);
		unsigned long long next = ((was >> 32) + 1) << 32 | piece[1];
		found = atomicCAS(head, was, next);
		if (found == was)
			return (unsigned int *)piece;
	}
	return 0;
}

extern "C" inline __device__ void *malloc(size_t bytes)
{
	unsigned int log = 5, *piece;

	if (bytes > WARPBEAM_HEAP_BYTES - 16 || !bytes)
		return 0;
	while ((1u << log) < bytes + 16)
		log++;
	piece = warpbeam_unlist(log);
	if (!piece) {
		unsigned long long size = 1ull << log, from = atomicAdd(&warpbeam_heap.used, size);
		if (from + size > WARPBEAM_HEAP_BYTES) {
			atomicAdd(&warpbeam_heap.used, -size);
			return 0;
		}
		piece = &warpbeam_heap.piece[from / 4];
		piece[0] = log;
	}
	return piece + 4;
}

extern "C" inline __device__ void free(void *p)
{
	if (!p)
		return;
	volatile unsigned int *piece = (unsigned int *)p - 4;
	unsigned long long *head = &warpbeam_heap.head[piece[0] & 31], found;
	unsigned long long was = *(volatile unsigned long long *)head;
	for (;; was = found) {
		piece[1] = (unsigned int)was;
		__threadfence();
		found = atomicCAS(head, was, ((was >> 32) + 1) << 32 | (unsigned int)((unsigned long long)piece >> 4));
		if (found == was)
			return;
	}
}

#include <new>                  /* of clang for CUDA: the operators of kernels, by these two functions */

#endif
