/* Constant banks c0 to c15, which grow as options, files and scenes fill them. A launch begins with the banks of its
 * prepared kernel, whose bytes are others' as well, and copies a bank before a change. */
#include <string.h>

#include "device/launch.h"

/* Bytes of a constant bank up to `end` that may be changed; NULL: no memory. */
static uint8_t *bank_bytes(const struct const_banks *b, unsigned bank, uint32_t end, bool own)
{
	struct const_bank *c = &b->bank[bank];
	uint32_t size = end > c->size ? end : c->size;
	uint8_t *grown;

	if (end <= c->size && own)
		return (uint8_t *)(uintptr_t)c->bytes;
	grown = arena_alloc(b->arena, size + 8, 16);
	if (grown && c->size)
		memcpy(grown, c->bytes, c->size);
	if (grown) {
		c->bytes = grown;
		c->size = size;
	}
	return grown;
}

bool banks_fill(struct const_banks *b, unsigned bank, uint32_t offset, const void *bytes, size_t size, struct diag *d)
{
	uint8_t *to;

	if (bank >= CONST_BANKS || offset > 1u << 16 || size > (1u << 16) - offset)
		return diag_set(d, DIAG_USAGE, "c%u[0x%x] of %zu bytes: expected c0 to c15 with 65536 bytes each", bank,
				offset, size);
	if (bytes && size && offset + size <= b->bank[bank].size && !memcmp(b->bank[bank].bytes + offset, bytes, size))
		return true;
	to = bank_bytes(b, bank, offset + (uint32_t)size, b->copied >> bank & 1);
	if (!to)
		return diag_set(d, DIAG_ENV, "out of memory");
	b->copied |= 1u << bank;
	if (bytes)
		memcpy(to + offset, bytes, size);
	return true;
}

bool banks_fill_all(struct const_banks *b, const struct image_const *c, size_t n, struct diag *d)
{
	for (size_t i = 0; i < n; i++)
		if (!banks_fill(b, c[i].bank, c[i].offset, c[i].bytes, c[i].size, d))
			return false;
	return true;
}

bool fill_bank(struct wb_launch *l, unsigned bank, uint32_t offset, const void *bytes, size_t size, struct diag *d)
{
	return banks_fill(&l->inputs->banks, bank, offset, bytes, size, d);
}
