/* Costs of a step's accesses: the lanes of one group at a time, as the chip coalesces or banks lanes, become
 * transactions (mem/coalesce.h) or passes (mem/banks.h), added to the work of the present instruction and, with full
 * statistics, to counters. Accesses with a pattern that the executor has recognised (alike, side by side, counted) skip
 * the search. While a trace is made, costs go into the trace, for the replay. */
#include "machine/memory_cost.h"

#include <string.h>

#include "machine/clock.h"
#include "machine/state.h"
#include "core/trace.h"
#include "mem/banks.h"
#include "mem/coalesce.h"
#include "mem/local.h"
#include "mem/mem.h"

static uint32_t value(const struct machine *m, enum timing_id id)
{
	return m->plan->numbers.value[id];
}

/* The transactions of groups of lanes for the chip's path. An atomic reads and writes. */
static inline void send(struct mp *mp, const struct access *a, const struct transactions *t, uint32_t groups)
{
	uint32_t times = a->kind == ACCESS_ATOMIC ? 2 : 1;

	if (!t->count)
		return;
	mp->work.bytes += t->bytes * times * groups;
	mp->work.last_bytes = t->each[t->count - 1].bytes * times;
}

static inline void charge(struct machine *m, struct mp *mp, const struct access *a, const struct transactions *t,
			 uint32_t groups)
{
	if (mp->mem && a->space == MEM_GLOBAL)
		counts_transactions(mp->mem, a->kind == ACCESS_STORE, t, groups);
	if (m->plan->timed)
		send(mp, a, t, groups);
}

static void one_group(struct machine *m, struct mp *mp, const struct access *a, const uint64_t *addr, lane_mask lanes,
		      uint32_t width)
{
	struct transactions t;

	coalesce(&m->plan->chip.coalesce, addr, lanes, width, &t);
	charge(m, mp, a, &t, 1);
}

static void global(struct machine *m, struct mp *mp, const struct access *a, unsigned first, lane_mask lanes)
{
	struct transactions t;

	if (a->pattern == PATTERN_RUN) {
		coalesce_words(&m->plan->chip.coalesce, a->addr[first], &t);
		charge(m, mp, a, &t, 1);
	} else if (a->pattern == PATTERN_ACROSS) {
		uint64_t addr[LANES_MAX];
		for (unsigned k = 0; k < m->plan->chip.coalesce.lanes; k++)
			addr[k] = access_cost_address(a, first + k);
		one_group(m, mp, a, addr, lanes, access_cost_width(a));
	} else {
		one_group(m, mp, a, a->addr + first, lanes, a->width);
	}
	if (m->plan->timed && a->kind == ACCESS_ATOMIC)
		mp->work.extra_cycles += value(m, T_atomic_pass) * (uint32_t)lanes_count(lanes);
}

/* l[] lies interleaved in global memory, a word of each lane side by side; wider elements take several rows. */
static void local(struct machine *m, struct mp *mp, const struct access *a, unsigned first, lane_mask lanes)
{
	uint32_t group = m->plan->chip.coalesce.lanes, parts = a->width > 4 ? a->width / 4u : 1;
	uint64_t addr[LANES_MAX];

	for (uint32_t part = 0; part < parts && m->plan->timed; part++) {
		for (unsigned k = 0; k < group; k++)
			addr[k] = local_offset(m->plan->code.target.isa->lanes, first + k,
					       a->addr[first + k] + 4 * part);
		one_group(m, mp, a, addr, lanes, parts > 1 ? 4 : a->width);
	}
}

/* Passes of the present instruction beyond the first of each group of lanes, of `each` cycles a pass. */
static void cost_passes(struct machine *m, struct mp *mp, enum timing_id each, unsigned extra)
{
	if (mp->mem)
		mp->mem->serialize += extra;
	mp->work.extra_cycles += extra * value(m, each);
}

/* Of n lanes from `first` on. */
static inline void bank_addresses(const struct access *a, unsigned first, unsigned n, uint32_t addr[])
{
	const uint64_t *from = a->addr + first;

	if (a->pattern == PATTERN_ACROSS) {
		for (unsigned k = 0; k < n; k++)
			addr[k] = access_bank_address(a, first + k);
		return;
	}
	_Pragma("GCC unroll 8") for (unsigned k = 0; k < n; k++)
		addr[k] = (uint32_t)from[k];
}

static void passes(struct machine *m, struct mp *mp, const struct access *a, unsigned first, lane_mask lanes)
{
	bool shared = a->space == MEM_SHARED;
	uint32_t addr[LANES_MAX];
	unsigned n;

	if (!access_is_any(a))
		return;         /* one pass */
	bank_addresses(a, first, chip_group_lanes(&m->plan->chip, shared), addr);
	n = shared ? shared_passes(&m->plan->chip.banks, addr, lanes) : const_passes(addr, lanes);
	cost_passes(m, mp, shared ? T_s_pass : T_c_pass, n - 1);
}

/* The replay looks the line up when the instruction issues. */
static void note_const_line(struct mp *mp, uint32_t line)
{
	if (mp->const_line && mp->const_line != line)
		mp->x.trace->refused = "lanes read constants of several cache lines at once";
	mp->const_line = line;
}

/* A c[] operand whose line misses the first level makes the instruction wait for the line; a hit costs nothing. An
 * address that all lanes share is fetched at the issue, as struct sched_op mostly has it, even if no lane is active. */
static void const_miss(struct machine *m, struct mp *mp, const struct access *a)
{
	uint32_t last = 0;

	FOR_SET_LANES(i, a->pattern == PATTERN_ALIKE ? 1 : a->lanes) {
		uint32_t line = plan_const_line(m->plan, a->bank, (uint32_t)a->addr[i]);
		if (line != last && mp->x.trace)
			note_const_line(mp, line);
		else if (line != last)
			clock_const(m, mp, line);
		last = line;
	}
}

static void cost_access(struct machine *m, struct mp *mp, const struct access *a)
{
	const struct chip *c = &m->plan->chip;
	uint32_t group = chip_group_lanes(c, a->space == MEM_SHARED);

	if (a->space == MEM_TEXTURE) {
		if (m->plan->timed)
			clock_texture(m, mp, a);
		return;
	}
	if (!access_is_any(a) && a->space != MEM_GLOBAL && !m->plan->timed)
		return;         /* one pass: nothing to count */
	for (unsigned first = 0; first < m->plan->code.target.isa->lanes; first += group) {
		lane_mask lanes = a->lanes >> first & lanes_first((int)group);
		if (!lanes)
			continue;
		if (a->space == MEM_GLOBAL)
			global(m, mp, a, first, lanes);
		else if (a->space == MEM_LOCAL)
			local(m, mp, a, first, lanes);
		else
			passes(m, mp, a, first, lanes);
	}
	if (m->plan->timed && a->space == MEM_CONST)
		const_miss(m, mp, a);
}

/* Cost of the usual loads and stores of g[]: words side by side, so that all groups make the same transactions. */
static inline bool cost_run(struct machine *m, struct mp *mp, const struct access *a)
{
	const struct coalescer *c = &m->plan->chip.coalesce;
	uint32_t lanes = m->plan->code.target.isa->lanes;
	struct transactions t;
	uint64_t any = 0;

	if (a->pattern != PATTERN_RUN || a->space != MEM_GLOBAL || a->kind == ACCESS_ATOMIC)
		return false;
	for (uint32_t k = 0; k < lanes; k += c->lanes)
		any |= a->addr[k];
	if (!coalesce_run(c, any, 4, &t))
		return false;
	charge(m, mp, a, &t, lanes / c->lanes);
	return true;
}

/* Write an instruction's costs into the trace of its warp, for the replay. */
static void costs_to_trace(struct mp *mp)
{
	const struct exec *x = &mp->x;

	trace_costs(x->trace, x->warp, x->step.run, x->step.next_pc, &(struct segment_costs){
		.extra = mp->work.extra_cycles, .line = mp->const_line,
		.bytes = (uint16_t)mp->work.bytes, .last_bytes = (uint16_t)mp->work.last_bytes,
	});
	mp->work = (struct sched_work){ 0 };
	mp->const_line = 0;
}

static void cost_step(struct exec *x)
{
	struct machine *m = x->hooks.context;
	struct mp *mp = (struct mp *)x;

	for (unsigned i = 0; i < x->step.accesses; i++) {
		const struct access *a = &x->step.access[i];
		if (a->pattern == PATTERN_SCALAR)
			continue;
		if (a->pattern == PATTERN_COUNTED)
			cost_passes(m, mp, T_s_pass, a->extra);
		else if (!cost_run(m, mp, a))
			cost_access(m, mp, a);
	}
	if (x->trace)
		costs_to_trace(mp);
}

static void inspect(struct exec *x)
{
	struct machine *m = x->hooks.context;

	NOTIFY(m, inspected, x);
}

void cost_sum(const struct machine *m, struct mem_counts *sum)
{
	*sum = (struct mem_counts){ 0 };
	for (unsigned i = 0; i < m->plan->nmps; i++)
		if (m->mp[i].mem)
			counts_add(sum, m->mp[i].mem);
}

/* The costs of patterns, computed once. */
static void set_known(const struct machine *m, struct tally *known)
{
	known->pass_cycles = value(m, T_s_pass);
	known->run_bytes = coalesce_whole(&m->plan->chip.coalesce, 4);
}

bool cost_tally(struct machine *m, struct mp *mp)
{
	mp->x.tally = mp->mem ? &mp->mem->known : ARENA_NEW(&m->state, struct tally);
	if (mp->x.tally)
		set_known(m, mp->x.tally);
	return mp->x.tally;
}

/* The counter of a signal of $pm0 ... $pm3 (--pm). */
static const uint64_t *counter_of(const struct mp *mp, enum pm_counter signal)
{
	const struct mem_counts *mem = mp->mem;

	switch (signal) {
	case PM_CYCLES: return &mp->x.special.cycle;
	case PM_INSTRUCTIONS: return &mp->x.instructions;
	case PM_BRANCH: return &mp->x.bill->branches;
	case PM_DIVERGENT_BRANCH: return &mp->x.bill->divergent;
	case PM_SM_CTA_LAUNCHED: return &mp->started;
	case PM_PROF_TRIGGER ... PM_PROF_TRIGGER_LAST: return &mp->x.counts.event[signal - PM_PROF_TRIGGER];
	case PM_WARP_SERIALIZE: return &mem->serialize;
	case PM_GLD_32B ... PM_GLD_128B: return &mem->gld[signal - PM_GLD_32B];
	case PM_GST_32B ... PM_GST_128B: return &mem->gst[signal - PM_GST_32B];
	case PM_GLD_COHERENT: return &mem->gld_coherent;
	case PM_GLD_INCOHERENT: return &mem->gld_incoherent;
	case PM_GST_COHERENT: return &mem->gst_coherent;
	case PM_GST_INCOHERENT: return &mem->gst_incoherent;
	default: return NULL;
	}
}

bool cost_prepare(struct machine *m, struct mp *mp)
{
	bool read = false;              /* by the program */

	mp->x.hooks.context = m;
	mp->x.banks = &m->plan->chip.banks;
	if (m->plan->rules.inspected)
		mp->x.hooks.executed = inspect;
	if (m->plan->full_statistics || m->plan->timed || m->plan->rules.inspected)
		mp->x.hooks.access = cost_step;
	if (m->plan->full_statistics) {
		mp->mem = ARENA_NEW(&m->state, struct mem_counts);
		if (!mp->mem)
			return false;
		set_known(m, &mp->mem->known);
	}
	for (unsigned i = 0; i < PM_COUNTERS; i++) {
		mp->x.special.pm[i] = counter_of(mp, (enum pm_counter)m->plan->pm[i]);
		read |= m->plan->pm[i] >= PM_WARP_SERIALIZE;
	}
	if (mp->mem && !m->plan->timed && !read)
		mp->x.tally = &mp->mem->known;
	return true;
}
