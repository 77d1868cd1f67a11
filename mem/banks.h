/* Passes that a half-warp's accesses to s[] and c[] take (CUDA C Programming Guide 4.x, appendix F, compute capability
 * 1.x; the page timing). */
#ifndef WB_MEM_BANKS_H
#define WB_MEM_BANKS_H

#include <stdint.h>

/* s[]: 16 banks of 32-bit words. A pass serves every lane that wants the broadcast word and one lane of each other
 * bank. The guide leaves open which word is broadcast; here it is the one most lanes want, the lowest lane's among
 * equals, so that a pattern that can go in one pass does. Lanes k of `lanes` (16 bits) access at most 4 aligned bytes
 * at addr[k]. 0 for no lanes. */
unsigned shared_passes(const uint32_t *addr, uint32_t lanes);

/* Passes that took some counting, for programs that load, change and store a word. All zero is right. */
struct bank_memo {
	uint32_t addr[32], lanes, extra;
};

/* Words of s[], wanted by 32 lanes: passes beyond the one that each half-warp takes anyway. addr[k] is a multiple of 4
 * for each lane k of `lanes`. */
unsigned shared_extra(const uint32_t *addr, uint32_t lanes, struct bank_memo *memo);

/* c[]: one pass for each distinct address. */
unsigned const_passes(const uint32_t *addr, uint32_t lanes);

#endif
