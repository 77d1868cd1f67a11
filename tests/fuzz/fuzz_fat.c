/* Fat binaries, whatever the bytes: entries within the file, and their bytes or a diagnostic. */
#include <stdlib.h>

#include "core/load/fat_binary.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fat_search s = { .bytes = bytes, .size = size };
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct fat_entry e;
	size_t n;

	for (unsigned i = 0; i < 64 && fat_next(&s, &e); i++) {
		if (e.bytes < bytes || e.size > size || e.bytes + e.size > bytes + size)
			abort();
		if (e.whole < 1 << 20 && fat_bytes(&a, &e, &n, &d) && n && *(volatile const char *)e.bytes == 1)
			continue;
	}
	arena_free(&a);
	return 0;
}
