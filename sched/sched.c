#include "sched/sched.h"

#include <assert.h>
#include <string.h>

/* Which unit a class takes, for how many lanes a cycle, and when its result is there. */
static const struct class_row {
	uint8_t unit, lanes, latency;   /* enum unit, enum timing_id, enum timing_id */
} classes[LAT_COUNT] = {
	[LAT_ALU] = { UNIT_SP, T_sp_lanes, T_alu_latency },
	[LAT_FMUL] = { UNIT_SP, T_sp_lanes, T_alu_latency },
	[LAT_MAD] = { UNIT_SP, T_sp_lanes, T_alu_latency },
	[LAT_SFU] = { UNIT_SFU, T_sfu_lanes, T_sfu_latency },
	[LAT_TRIG] = { UNIT_SFU, T_sfu_lanes, T_trig_latency },
	[LAT_F64] = { UNIT_DP, T_dp_lanes, T_f64_latency },
	[LAT_CONST] = { UNIT_SP, T_sp_lanes, T_alu_latency },
	[LAT_SHARED] = { UNIT_LSU, T_lsu_lanes, T_s_latency },
	[LAT_LOCAL] = { UNIT_LSU, T_lsu_lanes, T_g_latency },
	[LAT_GLOBAL] = { UNIT_LSU, T_lsu_lanes, T_g_latency },
	[LAT_ATOMIC] = { UNIT_LSU, T_lsu_lanes, T_g_latency },
	[LAT_TEX] = { UNIT_TEX, T_lsu_lanes, T_tex_latency },
	[LAT_FLOW] = { UNIT_SP, T_sp_lanes, T_flow_latency },
	[LAT_BAR] = { UNIT_SP, T_sp_lanes, T_bar_latency },
};

enum { WARP_WIDTH = 32 };

static const struct { const char *name, *text; } stalls[STALLS] = {
#define STALL(id, name, text) { name, text },
#include "sched/stall.def"
};

const char *stall_name(enum stall r)
{
	return stalls[r].name;
}

const char *stall_text(enum stall r)
{
	return stalls[r].text;
}

void sched_init(struct sched *s, const struct timing *t, enum policy p, uint32_t group, uint64_t seed, unsigned nslots,
		struct stall_row *by_pc)
{
	memset(s, 0, sizeof *s);
	s->timing = t;
	s->policy = p;
	s->group = group ? group : 1;
	s->gap = t->value[T_issue_slot];
	s->random = seed;
	s->nslots = nslots;
	s->by_pc = by_pc;
	s->last = SLOTS - 1;
	s->next_wake = s->beyond_due = SCHED_NEVER;
	s->issues_left = t->value[T_mp_schedulers];
}

/* ---- instructions ---- */

static uint8_t entry_of(struct sched_ports *ports, uint8_t port)
{
	if (!ports->named[port]) {
		ports->named[port] = 1;
		ports->entry[port] = ports->n++;
	}
	return ports->entry[port];
}

static void need(struct sched_op *op, uint8_t entry)
{
	for (unsigned k = 0; k < op->nneeds; k++)
		if (op->needs[k] == entry)
			return;
	op->needs[op->nneeds++] = entry;
}

static bool is_memory(unsigned lat)
{
	return lat == LAT_LOCAL || lat == LAT_GLOBAL || lat == LAT_ATOMIC || lat == LAT_TEX;
}

void sched_op_make(struct sched_op *op, const struct ports *p, const struct timing *t, struct sched_ports *ports)
{
	const struct class_row *c = &classes[p->lat];
	uint32_t lanes = t->value[c->lanes];

	*op = (struct sched_op){
		.unit = c->unit,
		.second_unit = p->lat == LAT_FMUL ? UNIT_SFU : UNITS,
		.memory = is_memory(p->lat),
		.wait = p->lat == LAT_BAR ? STALL_BARRIER : STALL_OPERAND,
		.cost = (WARP_WIDTH + lanes - 1) / lanes,
		.latency = t->value[c->latency],
		.hold = t->value[T_issue_slot],
	};
	/* Control flow and barriers hold the warp itself. */
	if (p->lat == LAT_FLOW || p->lat == LAT_BAR)
		op->hold = op->latency;
	if (p->lat == LAT_MAD && p->reads_shared)
		op->cost += t->value[T_mad_s_extra];
	if (p->reads_shared && op->latency < t->value[T_s_latency])
		op->latency = t->value[T_s_latency];
	for (unsigned k = 0; k < p->nread; k++)
		need(op, entry_of(ports, p->read[k]));
	for (unsigned k = 0; k < p->nwrite; k++) {
		op->makes[op->nmakes++] = entry_of(ports, p->write[k]);
		need(op, op->makes[k]);
	}
}

/* ---- charging ---- */

/* Cycles of slot w for one reason, at its pc. */
static inline void charge(struct sched *s, struct slot *w, enum stall reason, uint64_t cycles)
{
	w->stalls.cycles[reason] += cycles;
	if (s->by_pc)
		s->by_pc[w->pc >> 2].cycles[reason] += cycles;
	w->since += cycles;
}

static inline uint64_t cycles_to(const struct slot *w, uint64_t until)
{
	return until > w->since ? until - w->since : 0;
}

/* Cycles that a unit has been busy by cycle t; no unit is taken after t. */
static inline uint64_t busy_by(const struct sched *s, unsigned unit, uint64_t t)
{
	return s->busy_total[unit] - (s->free_at[unit] > t ? s->free_at[unit] - t : 0);
}

/* A sleeper's wait: first for operands, then for the instruction. */
static inline void charge_sleep(struct sched *s, struct slot *w, uint64_t until)
{
	uint64_t wait = cycles_to(w, w->operands_at < until ? w->operands_at : until), fetch;

	if (wait)
		charge(s, w, w->wait, wait);
	fetch = cycles_to(w, w->ready_at < until ? w->ready_at : until);
	if (fetch)
		charge(s, w, STALL_FETCH, fetch);
}

/* A ready warp's wait: until it was ready, then as long as its unit was busy for the unit, else for its turn. */
static inline void charge_ready(struct sched *s, struct slot *w, uint64_t until)
{
	const struct sched_op *op = w->next;
	uint64_t busy = busy_by(s, op->unit, until) - w->busy_seen[0], waited;

	if (op->second_unit != UNITS) {
		uint64_t other = busy_by(s, op->second_unit, until) - w->busy_seen[1];
		busy = other < busy ? other : busy;
	}
	charge_sleep(s, w, w->ready_at);
	waited = cycles_to(w, until);
	busy = busy < waited ? busy : waited;
	if (busy)
		charge(s, w, STALL_PIPE, busy);
	if (waited > busy)
		charge(s, w, STALL_NOT_SELECTED, waited - busy);
}

/* ---- states ---- */

static inline void leave_ready(struct sched *s, unsigned i)
{
	const struct sched_op *op = s->slot[i].next;

	s->ready &= ~(1ull << i);
	s->of_unit[op->unit] &= ~(1ull << i);
	s->of_unit[UNITS] &= ~(1ull << i);
}

static inline void become_ready(struct sched *s, unsigned i)
{
	struct slot *w = &s->slot[i];
	const struct sched_op *op = w->next;

	s->ready |= 1ull << i;
	s->of_unit[op->unit] |= 1ull << i;
	w->busy_seen[0] = busy_by(s, op->unit, w->ready_at);
	if (op->second_unit != UNITS) {
		s->of_unit[UNITS] |= 1ull << i;
		w->busy_seen[1] = busy_by(s, op->second_unit, w->ready_at);
	}
}

/* The first issue slot at or after cycle t. Nearly every machine has one every 2 cycles. */
static inline uint64_t beat_at(const struct sched *s, uint64_t t)
{
	return s->gap == 2 ? (t + 1) / 2 : (t + s->gap - 1) / s->gap;
}

static inline void put_to_sleep(struct sched *s, unsigned i)
{
	struct slot *w = &s->slot[i];
	uint64_t beat = beat_at(s, w->ready_at);

	s->asleep |= 1ull << i;
	s->next_wake = w->ready_at < s->next_wake ? w->ready_at : s->next_wake;
	beat = beat > s->beat ? beat : s->beat;
	if (beat - s->beat < WHEEL) {
		w->place = beat % WHEEL;
		s->wheel[w->place] |= 1ull << i;
		s->wheel_used |= 1ull << w->place;
		return;
	}
	w->place = WHEEL;
	s->beyond |= 1ull << i;
	if (beat - WHEEL + 1 < s->beyond_due)
		s->beyond_due = beat - WHEEL + 1;
}

static void take_from_sleep(struct sched *s, unsigned i)
{
	unsigned place = s->slot[i].place;

	s->asleep &= ~(1ull << i);
	if (place == WHEEL) {
		s->beyond &= ~(1ull << i);
		return;
	}
	s->wheel[place] &= ~(1ull << i);
	if (!s->wheel[place])
		s->wheel_used &= ~(1ull << place);
}

/* Sleepers beyond the wheel that now have a place in it get one. */
static void refill_wheel(struct sched *s)
{
	uint64_t m = s->beyond;

	s->beyond = 0;
	s->beyond_due = SCHED_NEVER;
	for (; m; m &= m - 1)
		put_to_sleep(s, (unsigned)__builtin_ctzll(m));
}

static uint64_t first_beyond(const struct sched *s)
{
	uint64_t first = SCHED_NEVER;

	for (uint64_t m = s->beyond; m; m &= m - 1) {
		uint64_t t = s->slot[__builtin_ctzll(m)].ready_at;
		first = t < first ? t : first;
	}
	return first;
}

/* Sleepers whose time has come by `now` are ready; the time of the next one is noted. */
static void wake_sleepers(struct sched *s)
{
	unsigned place = s->beat % WHEEL;
	uint64_t m, later;

	if (s->beat >= s->beyond_due)
		refill_wheel(s);
	m = s->wheel[place];
	s->wheel[place] = 0;
	s->wheel_used &= ~(1ull << place);
	s->asleep &= ~m;
	for (; m; m &= m - 1)
		become_ready(s, (unsigned)__builtin_ctzll(m));
	later = s->wheel_used >> place | (place ? s->wheel_used << (WHEEL - place) : 0);
	s->next_wake = later ? (s->beat + (unsigned)__builtin_ctzll(later)) * s->gap : first_beyond(s);
}

void sched_admit(struct sched *s, unsigned i)
{
	struct slot *w = &s->slot[i];
	uint64_t start = s->now > s->empty_since[i] ? s->now : s->empty_since[i];

	s->total.cycles[STALL_NO_WARP] += start - s->empty_since[i];
	memset(w, 0, sizeof *w);
	w->since = start;
	w->age = s->ages++;
	s->occupied |= 1ull << i;
}

/* When the operands of the slot's next instruction are there, and which of them is the last. What is there between two
 * issue slots is of use in the second. */
static inline void find_operands(const struct sched *s, struct slot *w)
{
	const struct sched_op *op = w->next;
	uint64_t last = w->free_at << 1, at;

	for (unsigned k = 0; k < op->nneeds; k++) {
		at = w->at[op->needs[k]];
		last = (at | 1) > (last | 1) ? at : last;
	}
	at = last >> 1;
	w->wait = at == w->free_at ? w->free_wait : last & 1 ? STALL_MEMORY : STALL_OPERAND;
	w->operands_at = beat_at(s, at) * s->gap;
	w->ready_at = w->fetched_at > w->operands_at ? beat_at(s, w->fetched_at) * s->gap : w->operands_at;
}

void sched_next(struct sched *s, unsigned i, const struct sched_op *op, uint32_t pc, uint64_t fetched_at)
{
	struct slot *w = &s->slot[i];

	w->next = op;
	w->pc = pc;
	w->fetched_at = fetched_at;
	find_operands(s, w);
	if (!(s->blocked >> i & 1))
		put_to_sleep(s, i);
}

void sched_data(struct sched *s, unsigned i, uint64_t age, const struct sched_op *op, uint64_t at)
{
	struct slot *w = &s->slot[i];
	uint64_t next_wake = s->next_wake;

	if (!(s->occupied >> i & 1) || w->age != age)
		return;
	for (unsigned k = 0; k < op->nmakes; k++)
		if (w->at[op->makes[k]] >> 1 < at)
			w->at[op->makes[k]] = at << 1 | (w->at[op->makes[k]] & 1);
	if (!(s->asleep >> i & 1))
		return;
	take_from_sleep(s, i);
	find_operands(s, w);
	put_to_sleep(s, i);
	s->next_wake = next_wake;       /* it wakes no earlier than before */
}

/* ---- issue ---- */

/* Ready slots whose unit is free now. */
static inline uint64_t eligible(const struct sched *s)
{
	uint64_t m = s->free_at[UNIT_SFU] <= s->now ? s->of_unit[UNITS] : 0;

	for (int u = 0; u < UNITS; u++)
		m |= s->free_at[u] <= s->now ? s->of_unit[u] : 0;
	return m;
}

/* When some ready warp's unit becomes free, or some sleeper wakes. */
static inline uint64_t next_event(const struct sched *s)
{
	uint64_t t = s->next_wake;

	for (int u = 0; u < UNITS; u++) {
		uint64_t at = s->of_unit[u] ? s->free_at[u] : SCHED_NEVER;
		t = at < t ? at : t;
	}
	if (s->of_unit[UNITS] && s->free_at[UNIT_SFU] < t)
		t = s->free_at[UNIT_SFU];
	return t;
}

/* As sched_time; *m: who can issue then, if that is before `until`. */
static inline uint64_t advance(struct sched *s, uint64_t until, uint64_t *m)
{
	for (;;) {
		uint64_t t, beat;
		if (s->next_wake <= s->now)
			wake_sleepers(s);
		*m = eligible(s);
		if (*m)
			return s->now;
		t = next_event(s);
		if (t == SCHED_NEVER)
			return t;
		beat = beat_at(s, t > s->now ? t : s->now + 1);
		t = beat * s->gap;
		if (t >= until)
			return t;
		s->now = t;
		s->beat = beat;
		s->issues_left = s->timing->value[T_mp_schedulers];
	}
}

uint64_t sched_time(struct sched *s, uint64_t until)
{
	uint64_t m;

	return advance(s, until, &m);
}

void sched_skip(struct sched *s, uint64_t cycle)
{
	uint64_t beat = beat_at(s, cycle);

	if (beat <= s->beat)
		return;
	s->now = beat * s->gap;
	s->beat = beat;
	s->issues_left = s->timing->value[T_mp_schedulers];
}

int sched_pick(struct sched *s, uint64_t until)
{
	uint64_t m;

	if (advance(s, until, &m) >= until)
		return SCHED_NONE;
	s->last = policy_pick(s, m);
	s->issued_at = s->now;
	return (int)s->last;
}

/* The unit that takes it, and for how long. f32 multiplies also go to the SFU's multipliers when the SPs are busy. */
static inline void take_unit(struct sched *s, const struct sched_op *op, uint32_t extra)
{
	unsigned unit = op->unit;
	uint32_t cost = op->cost;

	if (op->second_unit != UNITS && s->free_at[unit] > s->now) {
		unit = op->second_unit;
		cost = s->timing->value[T_fmul_sfu_cost];
	}
	cost += extra;
	s->free_at[unit] = s->now + cost;
	s->busy_total[unit] += cost;
}

static inline void post_results(const struct sched *s, struct slot *w, const struct sched_work *work)
{
	const struct sched_op *op = w->next;
	uint64_t at = s->now + op->latency + work->extra_cycles, entry;

	entry = at << 1 | op->memory;
	if (work->data_at > at)
		entry = work->data_at << 1 | 1;
	for (unsigned k = 0; k < op->nmakes; k++)
		w->at[op->makes[k]] = entry;
}

void sched_issue(struct sched *s, unsigned i, const struct sched_work *work)
{
	struct slot *w = &s->slot[i];
	const struct sched_op *op = w->next;

	charge_ready(s, w, s->now);
	leave_ready(s, i);
	take_unit(s, op, work->extra_cycles);
	post_results(s, w, work);
	charge(s, w, STALL_ISSUED, cycles_to(w, s->now + s->gap));
	w->free_wait = op->wait;
	w->free_at = s->now + op->hold;
	if (--s->issues_left == 0) {
		s->now += s->gap;
		s->beat++;
		s->issues_left = s->timing->value[T_mp_schedulers];
	}
}

void sched_block(struct sched *s, unsigned i, enum stall reason)
{
	struct slot *w = &s->slot[i];

	if (s->ready >> i & 1) {                /* it did not execute */
		charge_ready(s, w, s->now);
		leave_ready(s, i);
	}
	if (s->asleep >> i & 1)
		take_from_sleep(s, i);
	s->blocked |= 1ull << i;
	w->wait = reason;
}

void sched_wake(struct sched *s, unsigned i, enum stall reason)
{
	struct slot *w = &s->slot[i];
	uint64_t at = s->issued_at + (reason == STALL_BARRIER ? s->timing->value[T_bar_latency] : s->gap);

	if (!(s->blocked >> i & 1))
		return;
	s->blocked &= ~(1ull << i);
	charge(s, w, reason, cycles_to(w, at));
	if (w->free_at < at)
		w->free_at = at;
	find_operands(s, w);
	put_to_sleep(s, i);
}

void sched_retire(struct sched *s, unsigned i)
{
	struct slot *w = &s->slot[i];

	if (s->asleep >> i & 1)
		take_from_sleep(s, i);
	s->blocked &= ~(1ull << i);
	s->occupied &= ~(1ull << i);
	for (int r = 0; r < STALLS; r++)
		s->total.cycles[r] += w->stalls.cycles[r];
	s->empty_since[i] = w->since;
}

enum stall sched_why(const struct sched *s, unsigned i)
{
	const struct slot *w = &s->slot[i];

	if (s->ready >> i & 1)
		return busy_by(s, w->next->unit, s->now) < s->busy_total[w->next->unit] ? STALL_PIPE :
											  STALL_NOT_SELECTED;
	if (s->blocked >> i & 1)
		return w->wait;
	return s->now < w->operands_at ? w->wait : s->now < w->ready_at ? STALL_FETCH : STALL_NOT_SELECTED;
}

void sched_settle(struct sched *s, uint64_t end)
{
	for (unsigned i = 0; i < s->nslots; i++) {
		struct slot *w = &s->slot[i];
		if (!(s->occupied >> i & 1)) {
			s->total.cycles[STALL_NO_WARP] += end > s->empty_since[i] ? end - s->empty_since[i] : 0;
			continue;
		}
		if (s->ready >> i & 1)
			charge_ready(s, w, end);
		else if (s->blocked >> i & 1)
			charge(s, w, w->wait, cycles_to(w, end));
		else
			charge_sleep(s, w, end);
		/* A launch that stops early may leave a multiprocessor behind the others: its warps had no turn. */
		charge(s, w, STALL_NOT_SELECTED, cycles_to(w, end));
		for (int r = 0; r < STALLS; r++)
			s->total.cycles[r] += w->stalls.cycles[r];
	}
}
