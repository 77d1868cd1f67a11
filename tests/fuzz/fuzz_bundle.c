/* Offload bundles, whatever the bytes: entries and their targets within the file. */
#include <stdlib.h>

#include "core/load/offload_bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void within(const uint8_t *bytes, size_t size, const void *part, size_t n)
{
	const uint8_t *p = part;

	if (p < bytes || p > bytes + size || n > (size_t)(bytes + size - p))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct bundle_search s = { .bytes = bytes, .size = size };
	struct bundle_entry e;

	if (bundle_size(bytes, size) > size)
		abort();
	for (unsigned i = 0; i < 256 && bundle_next(&s, &e); i++) {
		within(bytes, size, e.bytes, e.size);
		within(bytes, size, e.target, e.target_size);
		if (e.bytes != bytes + e.offset)
			abort();
	}
	return 0;
}
