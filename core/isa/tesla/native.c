/* Tesla's part of native loops (core/isa/native.h): what an entry means is what its handlers do, so the handlers are
 * looked up in the level's tables. */
#include "core/isa/native.h"

#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/handlers.h"

extern const char *const tesla_native_lines[];

static const struct { const char *name; unsigned sources; bool fast; } operations[HANDLERS] = {
#define HANDLER(name, executor, sources, when, value) [HANDLER_##name] = { #name, sources, false },
#define FAST_FLOAT(name, executor, sources, when, first, second, value) [HANDLER_##name] = { #name, sources, true },
#include "core/isa/tesla/handlers.def"
};

/* An operation on words. Flags of floats follow from exact results alone, which fast floats are not. */
static struct native_meaning words(const struct word_handlers *table, const struct threaded_op *op)
{
	for (unsigned id = 0; id < HANDLERS; id++) {
		bool flags = op->partial == table[id].partial_flags;
		if (flags ? !operations[id].fast : op->partial == table[id].partial)
			return (struct native_meaning){
				NATIVE_WORDS, operations[id].name, operations[id].sources, flags,
			};
	}
	return (struct native_meaning){ .kind = NATIVE_UNKNOWN };
}

static struct native_meaning meaning(const struct threaded_code *code, const struct threaded_op *op)
{
	const struct tesla_handlers *level = ((const struct tesla_code *)code)->level;

	if (op->full == level->engine->nop)
		return (struct native_meaning){ .kind = NATIVE_NOTHING };
	if (op->full == level->leave && op->guard)
		return (struct native_meaning){ .kind = NATIVE_PASSES };
	if (op->full == level->branch && op->target && op->target->pc <= op->pc)
		return (struct native_meaning){ .kind = NATIVE_TURNS };
	if (op->full == level->branch && op->guard)
		return (struct native_meaning){ .kind = NATIVE_PASSES };
	return words(level->words, op);
}

const struct native_machine tesla_native = { .text = tesla_native_lines, .meaning = meaning };
