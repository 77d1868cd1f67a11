/* Tesla's part of native loops (core/isa/native.h): an entry means what the handlers do, so the handlers are looked up
 * in the level's tables. */
#include "core/isa/native.h"

#include "core/isa/lane_memory.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/flow.h"
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
				.kind = NATIVE_WORDS, .name = operations[id].name, .sources = operations[id].sources,
				.flags = flags, .possible = handler_flags(id), .floats = operations[id].fast,
			};
	}
	return (struct native_meaning){ .kind = NATIVE_UNKNOWN };
}

/* ---- accesses ---- */

static intptr_t fetched_row(const struct tesla_code *code, uint32_t source)
{
	return code->state + (intptr_t)(offsetof(struct tesla_warp, fetched) + source * sizeof(struct row));
}

static struct native_meaning access(const struct tesla_code *code, enum native_kind kind, const struct opnd *o,
				    intptr_t row)
{
	size_t addresses = offsetof(struct tesla_warp, a) + o->addr_reg * sizeof(struct row);

	return (struct native_meaning){
		.kind = kind, .row = row, .addresses = code->state + (intptr_t)addresses,
		.offset = (uint32_t)o->value & 0xffff, .width = o->width, .is_signed = o->is_signed,
	};
}

static struct native_meaning global_access(enum native_kind kind, uintptr_t row, uintptr_t addresses)
{
	return (struct native_meaning){ .kind = kind, .row = (intptr_t)row, .addresses = (intptr_t)addresses };
}

/* UNKNOWN: no access that stretches know. Under a guard, not all lanes have words. */
static struct native_meaning access_of(const struct tesla_code *code, const struct threaded_op *op)
{
	const struct tesla_handlers *level = code->level;
	struct native_meaning unknown = { .kind = NATIVE_UNKNOWN };

	if (op->full == level->fetch_uniform)
		return access(code, NATIVE_LOAD_ALIKE, &op->in->src[op->arg], fetched_row(code, op->arg));
	if (op->guard)
		return unknown;
	if (op->full == level->fetch_words)
		return access(code, NATIVE_LOAD, &op->in->src[op->arg], fetched_row(code, op->arg));
	if (op->full == level->load_shared)
		return access(code, NATIVE_LOAD, &op->in->src[0], (intptr_t)op->dst);
	if (op->full == level->store_shared && op->src[0].mask)
		return access(code, NATIVE_STORE, &op->in->dst, (intptr_t)op->src[0].offset);
	if (op->full == level->load_run)
		return global_access(NATIVE_LOAD_GLOBAL, op->dst, op->src[0].offset);
	if (op->full == level->store_run && op->src[0].mask)
		return global_access(NATIVE_STORE_GLOBAL, op->src[0].offset, op->src[1].offset);
	return unknown;
}

/* Accesses of one pass a half-warp are for nobody to note but the sets of warps. */
static bool accesses(const struct exec *x)
{
	return !x->block->lock.holders && !x->warp_sets && lane_halves_count(x);
}

static struct native_meaning meaning(const struct threaded_code *code, const struct threaded_op *op)
{
	const struct tesla_handlers *level = ((const struct tesla_code *)code)->level;
	struct native_meaning found;

	if (op->full == level->engine->nop)
		return (struct native_meaning){ .kind = NATIVE_NOTHING };
	if (op->full == level->leave && op->guard)
		return (struct native_meaning){
			.kind = NATIVE_PASSES, .leaves = op->in->row->exec == TESLA_EXEC_brk,
		};
	if (op->full == level->branch && op->target && op->target->pc <= op->pc)
		return (struct native_meaning){ .kind = NATIVE_TURNS };
	if (op->full == level->branch && op->guard)
		return (struct native_meaning){ .kind = NATIVE_PASSES };
	found = words(level->words, op);
	return found.kind == NATIVE_UNKNOWN ? access_of((const struct tesla_code *)code, op) : found;
}

/* Under policies of the stack, broken lanes wait for the loop's end. */
static bool may_leave(const struct exec *x)
{
	return !x->program->flow->settle && x->program->flow->can_break(x);
}

static void leave(const struct threaded_op *op, struct exec *x, row_mask active, row_mask p)
{
	((const struct tesla_code *)x->program->threaded)->level->steer(op, x, active, p);
}

static native_global_fn *global(const struct exec *x)
{
	return ((const struct tesla_code *)x->program->threaded)->level->global;
}

const struct native_machine tesla_native = {
	.text = tesla_native_lines, .meaning = meaning, .accesses = accesses, .global = global,
	.count_global = lane_count_global, .may_leave = may_leave, .leave = leave,
};
