/* Bounds of the host's memory: bytes that one file, or one launch, may take. */
#ifndef WB_HOST_MEMORY_H
#define WB_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* In place of a number of bytes asked for: no bound, and half of the host's free memory. */
#define MEMORY_UNLIMITED UINT64_MAX
#define MEMORY_HALF (UINT64_MAX - 1)

/* The bound in bytes. */
uint64_t memory_bound(uint64_t asked);
/* Whether `bytes` are within the bound; false sets *most to the bound. Bytes far below the free memory are allowed
 * without the reading of a file for the bound. */
bool memory_within(uint64_t asked, uint64_t bytes, uint64_t *most);

#endif
