/* The host's free memory is read from a file, so a bound is looked up only where bytes come near. */
#include "host/memory.h"

#include "host/files.h"

uint64_t memory_bound(uint64_t asked)
{
	enum { PART = 2 };      /* half of the free memory */

	return asked == MEMORY_HALF ? host_free_bytes() / PART : asked;
}

bool memory_within(uint64_t asked, uint64_t bytes, uint64_t *most)
{
	enum { FAR = 4, LITTLE = 4 << 20 };     /* a host without LITTLE bytes could not have come here */

	if (asked == MEMORY_HALF && (bytes <= LITTLE || bytes <= host_idle_bytes() / FAR))
		return true;
	*most = memory_bound(asked);
	return bytes <= *most;
}
