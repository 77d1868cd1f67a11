/* The path between the multiprocessors and global memory: transactions pass one after another, each for its bytes'
 * share of the bandwidth, and data arrives a latency later. */
#ifndef WB_MEM_PATH_H
#define WB_MEM_PATH_H

#include <stdint.h>

struct mem_path {
	uint64_t free_at;       /* thousandths of a cycle */
	uint64_t busy;          /* thousandths of a cycle, in all */
	/* Bytes of the last transaction, and thousandths of a cycle on the path: most transactions are alike. */
	uint32_t bytes;
	uint64_t took;
};

/* Send `bytes` at cycle `now` at a bandwidth in bytes per 1000 cycles, always the same; returns the cycle at which the
 * path has taken the bytes. */
static inline uint64_t path_send(struct mem_path *p, uint64_t now, uint32_t bytes, uint32_t bytes_per_1000)
{
	uint64_t start = now * 1000 > p->free_at ? now * 1000 : p->free_at, takes;

	if (bytes && bytes != p->bytes) {
		p->bytes = bytes;
		p->took = (uint64_t)bytes * 1000000 / bytes_per_1000;
	}
	takes = bytes ? p->took : 0;
	p->free_at = start + takes;
	p->busy += takes;
	return start / 1000;
}

#endif
