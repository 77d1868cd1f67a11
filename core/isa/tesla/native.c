/* Tesla's part of native code (core/isa/native.h): an entry means what the handlers do, so the handlers are looked up
 * in the level's tables. */
#include "core/isa/native_enter.h"

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

/* Handlers that go on to the next entry, or stay before theirs. */
static bool is_step(const struct tesla_handlers *level, const struct threaded_op *op)
{
	handler_fn *const list[] = {
		level->fetch, level->fetch_uniform, level->fetch_words, level->load_shared, level->store_shared,
		level->load_run, level->store_run, level->exec, level->exec_floats, level->exec_fetched,
		level->exec_fetched_floats,
	};
	bool found = false;

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		found |= op->full == list[i];
	return found;
}

/* Words of g[] side by side; source `addresses` is the addresses' row. */
static struct native_meaning run(const struct threaded_op *op, const char *name, unsigned bank, uintptr_t row,
				 unsigned addresses)
{
	return (struct native_meaning){
		.kind = NATIVE_STEP, .name = name, .number = bank, .row = (intptr_t)row,
		.addresses = (intptr_t)op->src[addresses].offset,
	};
}

/* Under a guard, not all lanes have a result. */
static struct native_meaning access_of(const struct tesla_code *code, const struct threaded_op *op)
{
	const struct tesla_handlers *level = code->level;

	if (!op->guard && op->full == level->fetch_uniform)
		return access(code, NATIVE_LOAD_ALIKE, &op->in->src[op->arg], fetched_row(code, op->arg));
	if (!op->guard && op->full == level->fetch_words)
		return access(code, NATIVE_LOAD, &op->in->src[op->arg], fetched_row(code, op->arg));
	if (!op->guard && op->full == level->load_shared)
		return access(code, NATIVE_LOAD, &op->in->src[0], (intptr_t)op->dst);
	if (op->full == level->store_shared && op->src[0].mask)
		return access(code, NATIVE_STORE, &op->in->dst, (intptr_t)op->src[0].offset);
	if (!op->guard && op->full == level->load_run)
		return run(op, "tesla_load_run", op->in->src[0].bank, op->dst, 0);
	if (!op->guard && op->full == level->store_run && op->src[0].mask)
		return run(op, "tesla_store_run", op->in->dst.bank, op->src[0].offset, 1);
	if (op->full == level->join)
		return (struct native_meaning){ .kind = NATIVE_CALL, .name = "tesla_join" };
	if (op->full == level->push)
		return (struct native_meaning){ .kind = NATIVE_CALL, .name = "tesla_push" };
	return (struct native_meaning){ .kind = is_step(level, op) ? NATIVE_STEP : NATIVE_UNKNOWN };
}

static struct native_meaning meaning(const struct threaded_code *code, const struct threaded_op *op)
{
	const struct tesla_handlers *level = ((const struct tesla_code *)code)->level;
	struct native_meaning found;

	if (op->full == level->engine->nop)
		return (struct native_meaning){ .kind = NATIVE_NOTHING };
	if ((op->full == level->leave || op->full == level->ret_all) && op->guard)
		return (struct native_meaning){
			.kind = NATIVE_PASSES, .leaves = op->in->row->exec == TESLA_EXEC_brk,
		};
	if (op->full == level->branch && op->target && op->target->pc <= op->pc)
		return (struct native_meaning){ .kind = NATIVE_TURNS };
	if (op->full == level->branch && op->target)
		return (struct native_meaning){ .kind = op->guard ? NATIVE_PASSES : NATIVE_JUMPS };
	found = words(level->words, op);
	return found.kind == NATIVE_UNKNOWN ? access_of((const struct tesla_code *)code, op) : found;
}

static unsigned count_passes(const struct exec *x, struct word_shape *s, uint32_t lanes)
{
	return lane_count_shape(x, s, lanes);
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

const struct native_machine tesla_native = {
	.text = tesla_native_lines, .enter = native_enter, .stepped = native_stepped, .meaning = meaning,
	.count_passes = count_passes, .may_leave = may_leave, .leave = leave,
};
