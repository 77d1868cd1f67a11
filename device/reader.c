/* Every byte read is among the reader's: a length from the bytes is compared with the rest before it moves anything. */
#include "device/reader.h"

#include "core/base/diag.h"

bool reader_bad(const struct reader *r, const char *what)
{
	return diag_set(r->d, DIAG_INPUT, "%s is damaged at byte %zu: %s", r->of, r->position, what);
}

const uint8_t *reader_take(struct reader *r, uint64_t n)
{
	if (n > r->size - r->position) {
		reader_bad(r, "it ends too early");
		return NULL;
	}
	r->position += (size_t)n;
	return r->bytes + r->position - n;
}
