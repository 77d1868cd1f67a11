/* Constant banks c0 to c15 of a launch, which grow as options, files and scenes fill them. */
#include <string.h>

#include "device/launch.h"

/* Bytes of a constant bank up to `end`; the bank grows as needed. */
static uint8_t *bank_bytes(struct wb_launch *l, unsigned bank, uint32_t end)
{
	struct const_bank *c = &l->plan.memory.c[bank];
	uint8_t *grown;

	if (end <= c->size)
		return (uint8_t *)(uintptr_t)c->bytes;
	grown = arena_alloc(&l->arena, end + 8, 16);
	if (grown && c->size)
		memcpy(grown, c->bytes, c->size);
	if (grown) {
		c->bytes = grown;
		c->size = end;
	}
	return grown;
}

bool fill_bank(struct wb_launch *l, unsigned bank, uint32_t offset, const void *bytes, size_t size, struct diag *d)
{
	uint8_t *to;

	if (bank >= CONST_BANKS || offset > 1u << 16 || size > (1u << 16) - offset)
		return diag_set(d, DIAG_USAGE, "c%u[0x%x] of %zu bytes: expected c0 to c15 with 65536 bytes each", bank,
				offset, size);
	to = bank_bytes(l, bank, offset + (uint32_t)size);
	if (!to)
		return diag_set(d, DIAG_ENV, "out of memory");
	if (bytes)
		memcpy(to + offset, bytes, size);
	return true;
}
