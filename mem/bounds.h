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

/* May a compiler have widened a scalar load of `bytes` bytes at `addr` beyond `end`, the end of a buffer? clang from 15
 * on loads an aligned word for its first bytes, and four words for the first three where the last two share an aligned
 * pair (docs/reference/checkers.md). */
static inline bool load_is_widened(uint64_t addr, uint64_t bytes, uint64_t end)
{
	uint64_t word = (addr + bytes - 1) & ~3ull;     /* the last */

	return addr < end && (word < end || (bytes == 16 && word % 8 && word - 4 < end));
}

#endif
