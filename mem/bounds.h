/* The one comparison between an address chosen by a guest and the bytes open to the guest. An address is any of 2^32 or
 * 2^64, the width of the element is part of the comparison, and nothing is added to the address: no sum can wrap, and
 * no address is negative. docs/reference/trust.md lists the accesses. */
#ifndef WB_MEM_BOUNDS_H
#define WB_MEM_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

/* Do the `width` bytes from `addr` on lie below `bytes`? */
static inline bool bytes_inside(uint64_t addr, uint64_t width, uint64_t bytes)
{
	return bytes >= width && addr <= bytes - width;
}

#endif
