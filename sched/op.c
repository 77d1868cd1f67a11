/* Instructions as struct sched_op: units, costs and scoreboard entries by their class, what is known of an instruction
 * from its successor, and their order in the code. Made once a launch. */
#include <assert.h>

#include "sched/sched.h"

/* ---- SIMDs ---- */

unsigned sched_units(const struct issue_model *model, unsigned simds)
{
	return model->nunits + (simds - 1) * (unsigned)__builtin_popcount(model->simd_units);
}

/* The first SIMD has the machine's unit numbers; numbers for the other SIMDs' own units follow, SIMD by SIMD. */
static uint8_t unit_on_simd(const struct issue_model *model, unsigned unit, unsigned simd)
{
	unsigned before = model->simd_units & ((1u << unit) - 1);

	if (!simd || !(model->simd_units >> unit & 1))
		return (uint8_t)unit;
	return (uint8_t)(sched_units(model, simd) + (unsigned)__builtin_popcount(before));
}

void sched_op_on_simd(struct sched_op *op, const struct issue_model *model, unsigned simd)
{
	bool two = op->unit != op->other_unit;

	op->unit = unit_on_simd(model, op->unit, simd);
	op->other_unit = unit_on_simd(model, op->other_unit, simd);
	op->second = two ? op->other_unit : WANTS_NOTHING;
	op->rare = two || op->unit >= UNITS_FREQUENT ? WANTS_RARE : WANTS_NOTHING;
}

/* ---- instructions ---- */

static uint16_t entry_of(struct sched_ports *ports, uint16_t port)
{
	if (!ports->entry[port])
		ports->entry[port] = ++ports->n;
	return (uint16_t)(ports->entry[port] - 1);
}

static bool waits_for(const struct sched_op *op, uint16_t entry)
{
	for (unsigned k = 0; k < op->nneeds; k++)
		if (op->needs[k] == entry)
			return true;
	return false;
}

static void need(struct sched_op *op, uint16_t entry)
{
	if (waits_for(op, entry))
		return;
	assert(op->nneeds < NEEDS_MAX);
	if (op->nneeds < NEEDS_MAX)
		op->needs[op->nneeds++] = entry;
}

static uint32_t value_of(const struct timing *t, const char *key, uint32_t without)
{
	return key ? t->value[timing_id(key)] : without;
}

static struct sched_class class_of(const struct issue_class *c, unsigned lanes, const struct timing *t)
{
	uint32_t each = t->value[timing_id(c->lanes)], cost = value_of(t, c->cost, (lanes + each - 1) / each);

	return (struct sched_class){
		.cost = cost,
		.other_cost = value_of(t, c->other_cost, cost),
		.shared_cost = value_of(t, c->shared_cost, 0),
		.latency = t->value[timing_id(c->latency)],
		.hold = value_of(t, c->hold, 0),
		.late = value_of(t, c->late, 0),
		.unit = c->unit,
		.other = c->other_cost ? c->other : c->unit,
		.kind = c->kind,
	};
}

void sched_ports_init(struct sched_ports *ports, const struct issue_model *model, unsigned lanes, unsigned simds,
		      const struct timing *t, uint16_t *entry)
{
	assert(model->nclasses <= CLASSES_MAX && model->nunits <= UNITS_MAX && model->ncounters <= COUNTERS_MAX);
	*ports = (struct sched_ports){ .entry = entry, .round = t->value[T_issue_slot] * simds,
				       .results = simds > 1 ? RESULTS_OF_FOUR : RESULTS_OF_ONE };
	for (unsigned i = 0; i < model->nclasses; i++)
		ports->class[i] = class_of(&model->class[i], lanes, t);
	for (unsigned i = 0; i < model->ncounters; i++) {
		ports->counter[i] = (struct counter_place){ ports->n, (uint16_t)model->counter[i].most };
		ports->n = (uint16_t)(ports->n + model->counter[i].most);
	}
}

/* Wait until the counter is at most `upto`. The counter's maximum is no wait. */
static void need_counter(struct sched_op *op, const struct counter_place *c, unsigned upto)
{
	if (upto < c->most)
		need(op, (uint16_t)(c->entry + upto));
}

/* What the instruction waits for and makes: registers, and counters of accesses under way. */
static void depend(struct sched_op *op, const struct ports *p, struct sched_ports *ports)
{
	for (unsigned k = 0; k < p->nread; k++)
		need(op, entry_of(ports, p->read[k]));
	for (unsigned k = 0; k < p->nwrite; k++) {
		op->makes[op->nmakes++] = entry_of(ports, p->write[k]);
		need(op, op->makes[k]);
	}
	for (unsigned k = 0; k < COUNTERS_MAX; k++) {
		if (p->waits >> k & 1)
			need_counter(op, &ports->counter[k], p->upto[k]);
		if (p->counts >> k & 1)
			need_counter(op, &ports->counter[k], ports->counter[k].most - 1u);
	}
}

void sched_op_make(struct sched_op *op, const struct ports *p, const struct timing *t, struct sched_ports *ports)
{
	const struct sched_class *c = &ports->class[p->lat];
	bool holds = c->kind & (CLASS_FLOW | CLASS_BARRIER), two = c->other != c->unit;
	uint32_t takes = p->takes ? p->takes : 1, hold = c->hold * (p->holds ? p->holds : 1);
	uint32_t penalty = t->value[T_fetch_penalty];

	*op = (struct sched_op){
		.unit = c->unit,
		.other_unit = c->other,
		.second = two ? c->other : WANTS_NOTHING,
		.rare = two || c->unit >= UNITS_FREQUENT ? WANTS_RARE : WANTS_NOTHING,
		.kind = c->kind & CLASS_TEXTURE ? RESULT_TEXTURE :
			c->kind & CLASS_MEMORY  ? RESULT_MEMORY : RESULT_OPERAND,
		.wait = c->kind & CLASS_BARRIER ? STALL_BARRIER : STALL_OPERAND,
		.in_digest = c->kind != 0,
		.cost = c->cost * takes,
		.other_cost = c->other_cost * takes,
		.latency = c->latency,
		.hold = hold > t->value[T_issue_slot] ? hold : t->value[T_issue_slot],
		.late_before = p->late_before,
		.counts = p->counts,
		.counters = (p->counts | p->waits) != 0,
	};
	/* Control flow and barriers hold the warp itself, and no warp issues twice in an issue slot. */
	if (holds && op->latency > op->hold)
		op->hold = op->latency;
	op->jump = op->hold + (c->kind & CLASS_FLOW ? t->value[T_flow_taken] : 0) + p->late_jump * penalty;
	op->hold += p->late_after * penalty + p->tested * t->value[T_flags_penalty];
	if (p->late) {
		op->late = entry_of(ports, (uint16_t)(p->late - 1));
		op->late_latency = c->late;
	}
	if (p->reads_shared)
		op->cost += c->shared_cost;
	if (p->reads_shared && op->latency < t->value[T_s_latency])
		op->latency = t->value[T_s_latency];
	depend(op, p, ports);
}

/* Does an instruction that issues before the late result of `op` wait for the result? Only instructions in order can,
 * one a turn of the SIMD: a jump holds the warp for longer. */
static bool late_matters(const struct sched_op *op, uint32_t round)
{
	const struct sched_op *next = op + op->words;

	for (uint32_t cycles = round; op->late_latency > cycles && next->words; cycles += round, next += next->words)
		if (waits_for(next, op->late))
			return true;
	return false;
}

/* Does the loop of trace replay issue an access? WebAssembly modules are to be small: there all accesses are the
 * caller's. */
static bool replays_accesses(const struct sched_op *op)
{
#ifdef __wasm__
	(void)op;
	return false;
#else
	return op->kind == RESULT_MEMORY;
#endif
}

void sched_op_link(struct sched_op *op, const struct timing *t, const struct sched_ports *ports)
{
	const struct sched_op *next = op + op->words;
	uint32_t gap = t->value[T_issue_slot], round = ports->round, rest;

	if (op->cost <= round && op->hold <= round)     /* a longer instruction leaves time to fetch the successor */
		op->hold += next->late_before * t->value[T_fetch_penalty];
	rest = op->hold;
	for (unsigned k = 0; k < op->nmakes; k++)
		op->chained |= waits_for(next, op->makes[k]);
	if (op->chained && op->latency > rest)
		rest = op->latency;
	if (!late_matters(op, round)) {
		op->late = ports->n;
		op->late_latency = 0;
	}
	if (op->late_latency > rest && waits_for(next, op->late))
		rest = op->late_latency;
	op->rest = (rest + round - 1) / round * round;
	op->replay.simple = !op->in_digest && op->nmakes <= ports->results && !op->counters;
	op->replay.replayed = op->replay.simple ||
			      (op->in_digest && (op->kind == RESULT_OPERAND || replays_accesses(op)) &&
			       op->wait != STALL_BARRIER && op->nmakes <= ports->results && !op->counters);
	op->new_line = op->line == next->line ? LINE_SAME : next->line < LINE_OTHER ? next->line : LINE_OTHER;
	op->results = op->nmakes ? op->latency : 0;
	if (op->results < op->late_latency)
		op->results = op->late_latency;
	for (unsigned k = op->nmakes; k < ports->results; k++)
		op->makes[k] = ports->n;
	for (unsigned k = op->nneeds; k < 4; k++)
		op->needs[k] = op->nneeds ? op->needs[0] : (uint16_t)(ports->n + 1);
	op->replay.changes_unit = op->unit != next->unit || op->second != next->second;
	op->replay.covers = (uint8_t)(rest < UINT8_MAX ? rest : UINT8_MAX);
	op->constant.mask = op->constant.line ? UINT32_MAX : 0;
	op->replay.fast = op->replay.simple && op->hold == gap && op->other_unit == op->unit &&
			  op->line == next->line;
	op->charged = op->word * (uint32_t)sizeof(struct stall_row);
}

void sched_order(struct sched_op *ops, uint32_t n, const struct sched_op **order)
{
	uint32_t places = 1;

	for (uint32_t i = 0; i < n; i++) {
		if (ops[i].order_index)
			continue;
		for (uint32_t k = i; k < n && !ops[k].order_index; k += ops[k].words) {
			ops[k].order_index = places;
			order[places++] = &ops[k];
		}
		places++;       /* a place without an instruction ends a chain */
	}
}
