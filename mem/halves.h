/* Passes of the two halves of a warp to shared memory of 32 banks, counted together, where a pass broadcasts every word
 * (mem/banks.h). Native text has the header, too. */
#ifndef WB_MEM_HALVES_H
#define WB_MEM_HALVES_H

#include <stdbool.h>
#include <stdint.h>

/* Each half accesses `words` words side by side, at most 16, from the addresses low and high on: is one pass enough?
 * Words of both halves are no conflict, and neither are words in different banks. Addresses are modulo 64 KB. */
static inline bool halves_share_pass(uint32_t low, uint32_t high, uint32_t words)
{
	uint32_t apart = ((high - low) & 0xffff) / 4, both = 2 * words - 1;
	bool overlap = ((apart + words - 1) & 0x3fff) < both;

	return overlap || ((apart + words - 1) & 31) >= both;
}

#endif
