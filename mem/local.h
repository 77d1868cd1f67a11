/* l[]: memory of each thread alone. Its size is rounded up to a power of two, and in global memory the threads of a
 * warp lie interleaved word by word, so that lanes that read the same l[] address read neighbouring words. */
#ifndef WB_MEM_LOCAL_H
#define WB_MEM_LOCAL_H

#include <stdint.h>

enum { LOCAL_MIN = 16, LOCAL_MAX = 65536 };

/* What a thread gets that needs n bytes: nothing for 0, else a power of two from LOCAL_MIN to LOCAL_MAX (n is at
 * most that). */
static inline uint32_t local_size(uint32_t n)
{
	uint32_t size = LOCAL_MIN;
	if (!n)
		return 0;
	while (size < n && size < LOCAL_MAX)
		size *= 2;
	return size;
}

/* Where byte addr of lane's l[] lies from the start of its warp's local memory, for a warp of so many lanes. Elements
 * wider than a word take one word in each of several rows. */
static inline uint64_t local_offset(unsigned lanes, unsigned lane, uint64_t addr)
{
	return (addr / 4 * lanes + lane) * 4 + addr % 4;
}

#endif
