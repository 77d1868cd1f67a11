/* A state read from outside (state_check.h). */
#include "core/state_check.h"

#include <string.h>

#include "core/block.h"
#include "core/isa.h"
#include "core/warp.h"

void state_get(const struct state_check *c, const void *place, void *out, size_t n)
{
	memcpy(out, c->read + c->offset(c, place), n);
}

void state_must(struct state_check *c, bool holds, const char *wrong)
{
	if (!holds && !c->wrong)
		c->wrong = wrong;
}

void state_any(struct state_check *c, const void *place, size_t n)
{
	size_t at = n ? c->offset(c, place) : 0;

	memcpy(c->good + at, c->read + at, n);
}

void state_most(struct state_check *c, const void *place, size_t bytes, size_t n, uint64_t most, const char *wrong)
{
	const uint8_t *at = c->read + (n ? c->offset(c, place) : 0);

	state_any(c, place, n * bytes);
	for (size_t i = 0; i < n; i++) {
		uint64_t value = 0;
		memcpy(&value, at + i * bytes, bytes);
		state_must(c, value <= most, wrong);
	}
}

void state_mask(struct state_check *c, const void *place, size_t n, uint64_t mask, const char *wrong)
{
	const uint8_t *at = c->read + c->offset(c, place);

	state_any(c, place, n * sizeof mask);
	for (size_t i = 0; i < n; i++) {
		uint64_t value;
		memcpy(&value, at + i * sizeof value, sizeof value);
		state_must(c, !(value & ~mask), wrong);
	}
}

void state_goes_to(struct state_check *c, uint32_t pc)
{
	state_must(c, pc % 4 == 0 && (pc >= c->code_bytes || (c->insn[pc / 4].length && c->insn[pc / 4].exec)),
		   "an instruction that the program has not");
}

void state_code(struct state_check *c, const void *place, size_t n)
{
	const uint8_t *at = c->read + (n ? c->offset(c, place) : 0);

	state_any(c, place, n * sizeof(uint32_t));
	for (size_t i = 0; i < n; i++) {
		uint32_t pc;
		memcpy(&pc, at + i * sizeof pc, sizeof pc);
		state_must(c, pc < c->code_bytes && pc % 4 == 0, "an instruction outside the program");
	}
}

bool warp_runs(const struct block *b, const struct warp *read)
{
	return read->id < 64 && b->unfinished >> read->id & 1;
}
