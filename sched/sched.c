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

static uint32_t value(const struct sched *s, unsigned id)
{
	return s->timing->value[id];
}

void sched_init(struct sched *s, const struct timing *t, enum policy p, uint32_t group, uint64_t seed, unsigned nslots,
		struct stall_row *by_pc)
{
	memset(s, 0, sizeof *s);
	s->timing = t;
	s->policy = p;
	s->group = group ? group : 1;
	s->random = seed;
	s->nslots = nslots;
	s->by_pc = by_pc;
	s->last = SLOTS - 1;
	s->next_wake = SCHED_NEVER;
	s->issues_left = value(s, T_mp_schedulers);
}

/* ---- charging ---- */

/* Charge slot i up to `until` for one reason; nothing if it is charged that far already. */
static void charge(struct sched *s, unsigned i, enum stall reason, uint64_t until)
{
	struct slot *w = &s->slot[i];

	if (until <= w->since)
		return;
	w->stalls.cycles[reason] += until - w->since;
	if (s->by_pc)
		s->by_pc[w->pc >> 2].cycles[reason] += until - w->since;
	w->since = until;
}

/* Cycles that a unit has been busy by cycle t; no unit is taken after t. */
static uint64_t busy_by(const struct sched *s, unsigned unit, uint64_t t)
{
	return s->busy_total[unit] - (s->free_at[unit] > t ? s->free_at[unit] - t : 0);
}

/* A sleeper's wait: first for operands, then for the instruction. */
static void charge_sleep(struct sched *s, unsigned i, uint64_t until)
{
	struct slot *w = &s->slot[i];

	charge(s, i, w->wait, w->operands_at < until ? w->operands_at : until);
	charge(s, i, STALL_FETCH, w->ready_at < until ? w->ready_at : until);
}

/* A ready warp's wait: as long as its unit was busy for the unit, else for its turn. */
static void charge_ready(struct sched *s, unsigned i, uint64_t until)
{
	struct slot *w = &s->slot[i];
	uint64_t busy = busy_by(s, w->unit, until) - w->busy_seen[w->unit],
		 waited = until > w->since ? until - w->since : 0;

	if (w->second_unit != UNITS) {
		uint64_t other = busy_by(s, w->second_unit, until) - w->busy_seen[w->second_unit];
		busy = other < busy ? other : busy;
	}
	charge(s, i, STALL_PIPE, w->since + (busy < waited ? busy : waited));
	charge(s, i, STALL_NOT_SELECTED, until);
}

/* ---- states ---- */

static void leave_ready(struct sched *s, unsigned i)
{
	s->ready &= ~(1ull << i);
	for (int u = 0; u <= UNITS; u++)
		s->of_unit[u] &= ~(1ull << i);
}

static void become_ready(struct sched *s, unsigned i)
{
	struct slot *w = &s->slot[i];

	charge_sleep(s, i, w->ready_at);
	s->asleep &= ~(1ull << i);
	s->ready |= 1ull << i;
	s->of_unit[w->unit] |= 1ull << i;
	if (w->second_unit != UNITS)
		s->of_unit[UNITS] |= 1ull << i;
	for (int u = 0; u < UNITS; u++)
		w->busy_seen[u] = busy_by(s, (unsigned)u, w->ready_at);
}

/* Sleepers whose time has come by `now` are ready; the time of the next one is noted. */
static void wake_sleepers(struct sched *s)
{
	uint64_t next = SCHED_NEVER;

	if (s->next_wake > s->now)
		return;
	for (uint64_t m = s->asleep; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m);
		if (s->slot[i].ready_at <= s->now)
			become_ready(s, i);
		else if (s->slot[i].ready_at < next)
			next = s->slot[i].ready_at;
	}
	s->next_wake = next;
}

static void sleep_until(struct sched *s, unsigned i)
{
	s->asleep |= 1ull << i;
	if (s->slot[i].ready_at < s->next_wake)
		s->next_wake = s->slot[i].ready_at;
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

static uint64_t slot_at_or_after(const struct sched *s, uint64_t t)
{
	uint64_t unit = value(s, T_issue_slot);

	return (t + unit - 1) / unit * unit;
}

/* When the operands of the slot's next instruction are there, and which of them is the last. What is there between two
 * issue slots is of use in the second. */
static void find_operands(const struct sched *s, struct slot *w)
{
	w->operands_at = w->free_at;
	w->wait = w->free_wait;
	for (unsigned k = 0; k < w->next.nread + w->next.nwrite; k++) {
		uint8_t port = k < w->next.nread ? w->next.read[k] : w->next.write[k - w->next.nread];
		if (w->at[port] > w->operands_at) {
			w->operands_at = w->at[port];
			w->wait = w->from_memory[port] ? STALL_MEMORY : STALL_OPERAND;
		}
	}
	w->operands_at = slot_at_or_after(s, w->operands_at);
	w->ready_at = slot_at_or_after(s, w->fetched_at > w->operands_at ? w->fetched_at : w->operands_at);
}

void sched_next(struct sched *s, unsigned i, const struct ports *p, uint32_t pc, uint64_t fetched_at)
{
	struct slot *w = &s->slot[i];

	w->next = *p;
	w->pc = pc;
	w->unit = classes[p->lat].unit;
	w->second_unit = p->lat == LAT_FMUL ? UNIT_SFU : UNITS;
	w->fetched_at = fetched_at;
	find_operands(s, w);
	if (!(s->blocked >> i & 1))
		sleep_until(s, i);
}

void sched_data(struct sched *s, unsigned i, uint64_t age, const uint8_t *ports, unsigned n, uint64_t at)
{
	struct slot *w = &s->slot[i];

	if (!(s->occupied >> i & 1) || w->age != age)
		return;
	for (unsigned k = 0; k < n; k++)
		if (w->at[ports[k]] < at)
			w->at[ports[k]] = at;
	if (s->asleep >> i & 1)
		find_operands(s, w);
}

/* ---- issue ---- */

/* Ready slots whose unit is free now. */
static uint64_t eligible(const struct sched *s)
{
	uint64_t m = 0;

	for (int u = 0; u < UNITS; u++)
		if (s->free_at[u] <= s->now)
			m |= s->of_unit[u];
	if (s->free_at[UNIT_SFU] <= s->now)
		m |= s->of_unit[UNITS];
	return m;
}

/* When some ready warp's unit becomes free, or some sleeper wakes. */
static uint64_t next_event(const struct sched *s)
{
	uint64_t t = s->next_wake;

	for (int u = 0; u < UNITS; u++)
		if (s->of_unit[u] && s->free_at[u] < t)
			t = s->free_at[u];
	if (s->of_unit[UNITS] && s->free_at[UNIT_SFU] < t)
		t = s->free_at[UNIT_SFU];
	return t;
}

uint64_t sched_time(struct sched *s, uint64_t until)
{
	for (;;) {
		uint64_t t;
		wake_sleepers(s);
		if (eligible(s))
			return s->now;
		t = next_event(s);
		if (t == SCHED_NEVER)
			return t;
		t = slot_at_or_after(s, t > s->now ? t : s->now + 1);
		if (t >= until)
			return t;
		s->now = t;
		s->issues_left = value(s, T_mp_schedulers);
	}
}

void sched_skip(struct sched *s, uint64_t cycle)
{
	uint64_t t = slot_at_or_after(s, cycle);

	if (t <= s->now)
		return;
	s->now = t;
	s->issues_left = value(s, T_mp_schedulers);
}

unsigned sched_pick(struct sched *s)
{
	uint64_t m = eligible(s);

	assert(m);
	s->last = policy_pick(s, m);
	s->issued_at = s->now;
	return s->last;
}

/* The unit that takes it, and for how long. f32 multiplies also go to the SFU's multipliers when the SPs are busy. */
static unsigned take_unit(struct sched *s, const struct slot *w, uint32_t extra)
{
	const struct class_row *c = &classes[w->next.lat];
	unsigned unit = c->unit;
	uint32_t lanes = value(s, c->lanes), cost = (WARP_WIDTH + lanes - 1) / lanes;

	if (w->second_unit != UNITS && s->free_at[unit] > s->now) {
		unit = w->second_unit;
		cost = value(s, T_fmul_sfu_cost);
	}
	if (w->next.lat == LAT_MAD && w->next.reads_shared)
		cost += value(s, T_mad_s_extra);
	cost += extra;
	s->free_at[unit] = s->now + cost;
	s->busy_total[unit] += cost;
	return unit;
}

static bool is_memory(unsigned lat)
{
	return lat == LAT_LOCAL || lat == LAT_GLOBAL || lat == LAT_ATOMIC || lat == LAT_TEX;
}

static void post_results(struct sched *s, struct slot *w, const struct sched_work *work)
{
	uint64_t latency = value(s, classes[w->next.lat].latency), at;
	bool memory = is_memory(w->next.lat);

	if (w->next.reads_shared && latency < value(s, T_s_latency))
		latency = value(s, T_s_latency);
	at = s->now + latency + work->extra_cycles;
	if (work->data_at > at) {
		at = work->data_at;
		memory = true;
	}
	for (unsigned k = 0; k < w->next.nwrite; k++) {
		w->at[w->next.write[k]] = at;
		w->from_memory[w->next.write[k]] = memory;
	}
}

void sched_issue(struct sched *s, unsigned i, const struct sched_work *work)
{
	struct slot *w = &s->slot[i];
	uint64_t gap = value(s, T_issue_slot);

	charge_ready(s, i, s->now);
	leave_ready(s, i);
	take_unit(s, w, work->extra_cycles);
	post_results(s, w, work);
	charge(s, i, STALL_ISSUED, s->now + gap);
	/* Control flow and barriers hold the warp itself. */
	w->free_wait = w->next.lat == LAT_BAR ? STALL_BARRIER : STALL_OPERAND;
	w->free_at = s->now + gap;
	if (w->next.lat == LAT_FLOW || w->next.lat == LAT_BAR)
		w->free_at = s->now + value(s, classes[w->next.lat].latency);
	if (--s->issues_left == 0) {
		s->now += gap;
		s->issues_left = value(s, T_mp_schedulers);
	}
}

void sched_block(struct sched *s, unsigned i, enum stall reason)
{
	struct slot *w = &s->slot[i];

	if (s->ready >> i & 1) {                /* it did not execute */
		charge_ready(s, i, s->now);
		leave_ready(s, i);
	}
	s->asleep &= ~(1ull << i);
	s->blocked |= 1ull << i;
	w->wait = reason;
}

void sched_wake(struct sched *s, unsigned i, enum stall reason)
{
	struct slot *w = &s->slot[i];
	uint64_t at = s->issued_at + (reason == STALL_BARRIER ? value(s, T_bar_latency) : value(s, T_issue_slot));

	if (!(s->blocked >> i & 1))
		return;
	s->blocked &= ~(1ull << i);
	charge(s, i, reason, at < w->since ? w->since : at);
	if (w->free_at < at)
		w->free_at = at;
	find_operands(s, w);
	sleep_until(s, i);
}

void sched_retire(struct sched *s, unsigned i)
{
	struct slot *w = &s->slot[i];

	leave_ready(s, i);
	s->asleep &= ~(1ull << i);
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
		return busy_by(s, w->unit, s->now) < s->busy_total[w->unit] ? STALL_PIPE : STALL_NOT_SELECTED;
	if (s->blocked >> i & 1)
		return w->wait;
	return s->now < w->operands_at ? w->wait : s->now < w->ready_at ? STALL_FETCH : STALL_NOT_SELECTED;
}

void sched_settle(struct sched *s, uint64_t end)
{
	for (unsigned i = 0; i < s->nslots; i++) {
		if (!(s->occupied >> i & 1)) {
			s->total.cycles[STALL_NO_WARP] += end > s->empty_since[i] ? end - s->empty_since[i] : 0;
			continue;
		}
		if (s->ready >> i & 1)
			charge_ready(s, i, end);
		else if (s->blocked >> i & 1)
			charge(s, i, s->slot[i].wait, end);
		else
			charge_sleep(s, i, end);
		/* A launch that stops early may leave a multiprocessor behind the others: its warps had no turn. */
		charge(s, i, STALL_NOT_SELECTED, end);
		for (int r = 0; r < STALLS; r++)
			s->total.cycles[r] += s->slot[i].stalls.cycles[r];
	}
}
