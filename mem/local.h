/* l[]: private memory of each thread. Sizes are rounded up to a power of two, and in global memory the threads of a
 * warp are interleaved word by word, so that lanes that read the same l[] address read neighbouring words. */
#ifndef WB_MEM_LOCAL_H
#define WB_MEM_LOCAL_H

#include <stdint.h>

enum { LOCAL_MIN = 16, LOCAL_MAX = 65536 };

/* Bytes of l[] for a thread that needs n bytes, n at most LOCAL_MAX: 0 for 0, else a power of two from LOCAL_MIN to
 * LOCAL_MAX. */
static inline uint32_t local_size(uint32_t n)
{
	uint32_t size = LOCAL_MIN;
	if (!n)
		return 0;
	while (size < n && size < LOCAL_MAX)
		size *= 2;
	return size;
}

/* Offset of byte addr of a lane's l[] from the start of the warp's local memory, for a warp of `lanes` lanes. Elements
 * wider than a word take one word in each of several rows. */
static inline uint64_t local_offset(unsigned lanes, unsigned lane, uint64_t addr)
{
	return (addr / 4 * lanes + lane) * 4 + addr % 4;
}

#endif
