/* SHA-256 (FIPS 180-4). */
#ifndef WB_CORE_BASE_SHA256_H
#define WB_CORE_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK = 64 };

struct sha256 {
	uint32_t state[8];
	uint64_t size;                  /* bytes so far */
	uint8_t block[SHA256_BLOCK];    /* the last size % SHA256_BLOCK bytes */
};

void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *bytes, size_t n);
void sha256_end(struct sha256 *s, uint8_t digest[SHA256_BYTES]);

#endif
