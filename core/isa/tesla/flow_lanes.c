/* Control flow without a stack of masks (spec tesla-semantics, "Reconvergence policies for study"): each lane has its
 * own pc and its own stack of break and return targets. Lanes that run together are a group with one pc, in the warp's
 * active mask; other lanes are set aside, each with its pc. After each instruction `settle` decides whether the group
 * goes on unchanged.
 *
 * minpc: the lowest pc runs, with every lane at that pc with an equal stack. A lane that has waited for
 * rules.minpc_fair issues gets a turn of as many, during which the group is left alone. none: a group runs until ended
 * or parked, and diverged lanes stay apart. */
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/stage.h"

/* An entry of a lane's stack is a code address with the type in the low bits. */
enum { TAG_BREAK = 0, TAG_CALL = 1, TAG_LIMITED = 2, TAG_BITS = 3 };
enum { BREAKS = 1 << TAG_BREAK, RETURNS = 1 << TAG_CALL | 1 << TAG_LIMITED };

struct lane_paths {
	struct row pc;                  /* pc of a lane set aside; parked: the bar that the lane has reached */
	struct row cause;               /* the instruction that last parted the lane from others */
	struct row family;              /* none: the lowest lane of the group that the lane still runs with */
	struct row depth;               /* of the lane's stack */
	uint64_t aside_since[LANES];    /* issues of the warp when the lane was set aside */
	/* issues up to which the group is left alone; issues at which a lane is overdue */
	uint64_t turn_ends, deadline;
	uint32_t stop;                  /* pc from which on the group may have to wait or may reconverge with others */
	lane_mask parked;               /* lanes that have reached a bar and wait for the rest of the warp */
	lane_mask before_quadon;
	bool in_quadon;
	struct row level[];             /* rules.stack_depth levels of the lanes' stacks */
};

size_t flow_lanes_bytes(const struct rules *rules)
{
	return sizeof(struct lane_paths) + rules->stack_depth * sizeof(struct row);
}

void flow_lanes_start(struct tesla_warp *t, void *memory)
{
	t->paths = memory;
	*t->paths = (struct lane_paths){ .stop = UINT32_MAX, .deadline = FAIR_NEVER };
}

static struct lane_paths *paths_of(const struct exec *x)
{
	return tesla_state(x->warp)->paths;
}

static bool minpc(const struct exec *x)
{
	return x->rules->reconverge == RECONVERGE_MINPC;
}

/* The group's lanes have equal stacks: the lowest lane stands for all. */
static int lead(const struct exec *x)
{
	return __builtin_ctzll(x->warp->active);
}

static uint64_t patience_ends(const struct exec *x, uint64_t since)
{
	return x->rules->minpc_fair == FAIR_NEVER ? FAIR_NEVER : since + x->rules->minpc_fair;
}

static int quadon_fault(struct exec *x)
{
	return exec_fault(x, FAULT_QUADON_ACTIVE, x->warp->active, 0);
}

/* ---- groups ---- */

static void aside(struct exec *x, lane_mask lanes)
{
	struct lane_paths *p = paths_of(x);

	FOR_SET_LANES(l, lanes) {
		lanes_leave(x->warp, 1ull << l, LANE_RUNS, p->cause.lane[l]);
		p->aside_since[l] = x->warp->issues;
	}
}

/* `lanes`, a part of the group, go on at pc in their turn: the instruction parts the group. */
static void part(struct exec *x, lane_mask lanes, uint32_t pc)
{
	struct lane_paths *p = paths_of(x);
	lane_mask rest = x->warp->active & ~lanes;

	FOR_SET_LANES(l, x->warp->active) {
		p->cause.lane[l] = x->step.pc;
		p->family.lane[l] = (uint32_t)__builtin_ctzll(lanes >> l & 1 ? lanes : rest);
	}
	FOR_SET_LANES(l, lanes)
		p->pc.lane[l] = pc;
	aside(x, lanes);
	x->step.flow |= FLOW_DIVERGED;
	if (minpc(x) && x->warp->issues >= p->turn_ends)
		p->stop = 0;                    /* let settle choose */
}

/* Lanes p of the group, all or some, leave for pc. */
static void go(struct exec *x, lane_mask p, uint32_t pc)
{
	if (p == x->warp->active)
		x->step.next_pc = pc;
	else
		part(x, p, pc);
}

static bool same_stack(const struct lane_paths *p, int a, int b)
{
	if (p->depth.lane[a] != p->depth.lane[b])
		return false;
	for (uint32_t i = 0; i < p->depth.lane[a]; i++)
		if (p->level[i].lane[a] != p->level[i].lane[b])
			return false;
	return true;
}

/* The lanes of `ready` that may run with lane `first`. */
static lane_mask mates(const struct exec *x, lane_mask ready, int first)
{
	const struct lane_paths *p = paths_of(x);
	lane_mask m = 0;

	FOR_SET_LANES(l, ready) {
		bool mate = minpc(x) ? p->pc.lane[l] == p->pc.lane[first] && same_stack(p, l, first)
				     : p->family.lane[l] == p->family.lane[first];
		m |= (lane_mask)mate << l;
	}
	return m;
}

static int lowest_pc(const struct lane_paths *p, lane_mask lanes)
{
	int low = __builtin_ctzll(lanes);

	FOR_SET_LANES(l, lanes)
		if (p->pc.lane[l] < p->pc.lane[low])
			low = l;
	return low;
}

static int longest_aside(const struct lane_paths *p, lane_mask lanes)
{
	int longest = __builtin_ctzll(lanes);

	FOR_SET_LANES(l, lanes)
		if (p->aside_since[l] < p->aside_since[longest])
			longest = l;
	return longest;
}

static void switch_to(struct exec *x, lane_mask run)
{
	struct warp *w = x->warp;
	lane_mask back = run & ~w->active;

	if (back && (run & w->active))
		x->step.flow |= FLOW_MERGED;
	aside(x, w->active & ~run);
	lanes_return(w, x->bill, back);
	x->step.next_pc = paths_of(x)->pc.lane[__builtin_ctzll(run)];
}

/* minpc: the lowest pc of `ready` runs, unless another lane has waited too long; settle need not choose again before
 * `stop` or `deadline`. */
static void choose_minpc(struct exec *x, lane_mask ready)
{
	struct warp *w = x->warp;
	struct lane_paths *p = paths_of(x);
	lane_mask waiting = ready & ~w->active, run = mates(x, ready, lowest_pc(p, ready));
	int longest = waiting ? longest_aside(p, waiting) : 0;
	bool turn = waiting && !(run >> longest & 1) && w->issues >= patience_ends(x, p->aside_since[longest]);

	if (turn)
		run = mates(x, ready, longest);
	switch_to(x, run);
	waiting = ready & ~run;
	p->turn_ends = turn ? patience_ends(x, w->issues) : 0;
	p->stop = turn || !waiting ? UINT32_MAX : p->pc.lane[lowest_pc(p, waiting)];
	p->deadline = turn ? p->turn_ends : FAIR_NEVER;
	if (!turn && waiting)
		p->deadline = patience_ends(x, p->aside_since[longest_aside(p, waiting)]);
}

/* Every unfinished lane has reached a bar: the warp arrives, by the bar of the last group, and all go on. */
static int arrive(struct exec *x, int r)
{
	struct warp *w = x->warp;
	struct lane_paths *p = paths_of(x);
	int first = longest_aside(p, p->parked), last = first;
	bool apart = false;

	FOR_SET_LANES(l, p->parked) {
		if (p->aside_since[l] > p->aside_since[last])
			last = l;
		apart |= p->pc.lane[l] != p->pc.lane[first];
	}
	const struct insn *bar = program_at(x->program, p->pc.lane[last]);
	FOR_SET_LANES(l, p->parked) {
		p->pc.lane[l] = program_behind(x->program, p->pc.lane[l]);
		p->aside_since[l] = w->issues;
	}
	p->parked = 0;
	int waits = flow_barrier(x, bar, apart);
	return waits == STEP_OK ? r : waits;
}

static int choose(struct exec *x, int r)
{
	struct warp *w = x->warp;
	struct lane_paths *p = paths_of(x);
	lane_mask ready;

	FOR_SET_LANES(l, w->active)
		p->pc.lane[l] = x->step.next_pc;
	ready = w->in_state[LANE_RUNS] & ~p->parked;
	if (!ready && p->parked) {
		r = arrive(x, r);
		ready = w->in_state[LANE_RUNS];
	}
	if (!ready)
		return STEP_DONE;
	if (minpc(x))
		choose_minpc(x, ready);
	else if (!w->active)
		switch_to(x, mates(x, ready, __builtin_ctzll(ready)));
	return r;
}

static int settle(struct exec *x, int r)
{
	const struct lane_paths *p = paths_of(x);
	const struct warp *w = x->warp;

	if (p->in_quadon || (w->active && x->step.next_pc < p->stop && w->issues < p->deadline))
		return r;
	return choose(x, r);
}

/* ---- the lanes' stacks ---- */

static int push(struct exec *x, unsigned tag, uint32_t pc)
{
	struct lane_paths *p = paths_of(x);
	uint32_t depth = p->depth.lane[lead(x)];

	if (p->in_quadon)
		return quadon_fault(x);
	if (depth == x->rules->stack_depth)
		return exec_fault(x, FAULT_STACK_OVERFLOW, x->warp->active, 0);
	FOR_SET_LANES(l, x->warp->active) {
		p->level[depth].lane[l] = pc | tag;
		p->depth.lane[l] = depth + 1;
	}
	flow_count_depth(x, depth + 1);
	x->step.flow |= FLOW_PUSH;
	return STEP_OK;
}

/* The level of the group's nearest entry with a tag in `tags`, or −1. */
static int nearest(const struct exec *x, unsigned tags)
{
	const struct lane_paths *p = paths_of(x);
	int l = lead(x), i = (int)p->depth.lane[l] - 1;

	while (i >= 0 && !(tags >> (p->level[i].lane[l] & TAG_BITS) & 1))
		i--;
	return i;
}

/* Lanes `m` drop all entries down to `level`, and go to the target of that entry. */
static void pop_and_go(struct exec *x, lane_mask m, int level)
{
	struct lane_paths *p = paths_of(x);
	uint32_t to = p->level[level].lane[lead(x)] & ~(uint32_t)TAG_BITS;

	FOR_SET_LANES(l, m)
		p->depth.lane[l] = (uint32_t)level;
	x->step.flow |= FLOW_POP;
	go(x, m, to);
}

/* ---- the instructions ---- */

static int lanes_bra(struct exec *x, lane_mask p, uint32_t target)
{
	lane_mask fall = x->warp->active & ~p;

	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	flow_branches(x, p);
	if (p && fall && flow_taken_first(x, p, fall)) {
		part(x, fall, x->step.next_pc);
		x->step.next_pc = target;
	} else if (p) {
		go(x, p, target);
	}
	return STEP_OK;
}

static int lanes_bra_each(struct exec *x, const struct row *target)
{
	struct warp *w = x->warp;
	lane_mask left = w->active;

	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	x->step.flow |= FLOW_BRANCH | FLOW_TAKEN;
	x->step.next_pc = target->lane[lead(x)];
	for (lane_mask group; left; left &= ~group) {
		uint32_t to = target->lane[__builtin_ctzll(left)];
		group = 0;
		FOR_SET_LANES(l, left)
			group |= (lane_mask)(target->lane[l] == to) << l;
		if (to != x->step.next_pc)
			part(x, group, to);
	}
	return STEP_OK;
}

static int lanes_joinat(struct exec *x, uint32_t target)
{
	return STEP_OK;
}

static int lanes_prebrk(struct exec *x, uint32_t target)
{
	return push(x, TAG_BREAK, target);
}

static int lanes_brk(struct exec *x, lane_mask p)
{
	int level = nearest(x, BREAKS);

	if (!flow_branches(x, p))
		return STEP_OK;
	if (level < 0)
		return exec_fault(x, FAULT_STACK_UNDERFLOW, p, 0);
	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	pop_and_go(x, p, level);
	return STEP_OK;
}

static int lanes_preret(struct exec *x, uint32_t target, bool limited)
{
	return push(x, limited ? TAG_LIMITED : TAG_CALL, target);
}

static uint32_t lanes_limited_calls(const struct exec *x)
{
	const struct lane_paths *p = paths_of(x);
	uint32_t n = 0;
	int l = lead(x);

	for (uint32_t i = 0; i < p->depth.lane[l]; i++)
		n += (p->level[i].lane[l] & TAG_BITS) == TAG_LIMITED;
	return n;
}

/* Lanes p are finished. */
static int finish(struct exec *x, lane_mask p)
{
	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	if (p != x->warp->active)
		x->step.flow |= FLOW_DIVERGED;
	x->progress++;
	stage_give(x, p);
	lanes_leave(x->warp, p, LANE_EXITED, x->step.pc);
	return STEP_OK;
}

static int lanes_ret(struct exec *x, lane_mask p)
{
	int level = nearest(x, RETURNS);

	if (!flow_branches(x, p))
		return STEP_OK;
	if (level < 0)
		return finish(x, p);
	if (paths_of(x)->in_quadon)
		return quadon_fault(x);
	pop_and_go(x, p, level);
	return STEP_OK;
}

static int lanes_exit(struct exec *x, lane_mask lanes)
{
	return finish(x, lanes);
}

static int lanes_quadon(struct exec *x)
{
	struct lane_paths *p = paths_of(x);

	if (p->in_quadon)
		return quadon_fault(x);
	p->in_quadon = true;
	p->before_quadon = x->warp->active;
	flow_lend_quads(x);
	return STEP_OK;
}

static int lanes_quadpop(struct exec *x)
{
	struct warp *w = x->warp;
	struct lane_paths *p = paths_of(x);

	if (!p->in_quadon)
		return exec_fault(x, FAULT_STACK_UNDERFLOW, w->active, 0);
	p->in_quadon = false;
	lanes_give_back(w, w->active & ~p->before_quadon);
	return STEP_OK;
}

/* The group parks; the warp arrives when every unfinished lane has. */
static int lanes_bar(struct exec *x, const struct insn *in)
{
	struct lane_paths *p = paths_of(x);

	if (p->in_quadon)
		return quadon_fault(x);
	FOR_SET_LANES(l, x->warp->active)
		p->pc.lane[l] = x->step.pc;
	p->parked |= x->warp->active;
	aside(x, x->warp->active);
	return STEP_OK;
}

const struct flow_ops flow_lanes = {
	.bra = lanes_bra, .bra_each = lanes_bra_each, .joinat = lanes_joinat, .prebrk = lanes_prebrk, .brk = lanes_brk,
	.preret = lanes_preret, .limited_calls = lanes_limited_calls, .ret = lanes_ret,
	.quadon = lanes_quadon, .quadpop = lanes_quadpop, .bar = lanes_bar, .exit = lanes_exit, .settle = settle,
};
