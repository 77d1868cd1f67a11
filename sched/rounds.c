/* A multiprocessor whose warps all want its SPs, and are ready again before their next turn comes, issues in rounds:
 * each round every warp, one behind the other, without a gap. When a warp issues what, and how long it waits for what,
 * follows from its place in the round, so that many rounds are told at once: warp by warp, and of each, stretch by
 * stretch of its course. */
#include "sched/rounds.h"

#include "sched/issue.h"

/* Fewer rounds are not worth the look, nor are more than so many needed at a time. */
enum { FEWEST = 4, MOST = 1 << 12 };

/* Who has looked in vain more often than that waits as many times as long for the next look. */
enum { PATIENCE = 64, RARELY = 4 };

/* ---- a program ---- */

/* Does it take the SPs for one round's share of time, and nobody else's anything? */
static bool is_regular(const struct sched_op *op, uint32_t cost)
{
	bool flow = op->in_digest && !op->memory && op->wait != STALL_BARRIER && !op->nmakes;

	return (op->simple || flow) && op->unit == UNIT_SP && op->second == WANTS_NOTHING && op->cost == cost &&
	       op->line < LINE_OTHER;
}

/* From the last instruction to the first: how many regular ones follow each other, and which line of c[] they take. */
static void count_regular(struct rounds *r, struct sched_op *op)
{
	const struct sched_op *next = r->chain[op->place + 1];

	if (!is_regular(op, r->cost))
		return;
	op->regular = 1;
	op->const_ahead = op->const_line;
	if (!next->const_ahead || !op->const_line || next->const_ahead == op->const_line) {
		op->regular += next->regular < UINT16_MAX ? next->regular : UINT16_MAX - 1;
		op->const_ahead |= next->const_ahead;
	}
	r->longest = (uint32_t)most(r->longest, most(op->rest, op->latency));
	r->lines |= 1ull << op->line;
}

void rounds_prepare(struct rounds *r, struct sched_op *ops, uint32_t n, const struct timing *t)
{
	uint32_t places = 1;

	r->cost = (uint32_t)(32 + t->value[T_sp_lanes] - 1) / t->value[T_sp_lanes];
	r->chain[0] = &r->end;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = i;
		if (ops[i].place)
			continue;
		for (; k < n && !ops[k].place; k += ops[k].words) {
			ops[k].place = places;
			r->chain[places++] = &ops[k];
		}
		r->chain[places++] = &r->end;
	}
	while (--places)
		if (r->chain[places] != &r->end)
			count_regular(r, &ops[r->chain[places]->word]);
	r->any = r->longest && r->cost % t->value[T_issue_slot] == 0;
}

/* ---- how long it lasts ---- */

/* Instructions in the slot that are regular from here on, at least if there are fewer than `enough`. */
static uint64_t regular_ahead(const struct sched *s, const struct slot *w, uint64_t enough)
{
	const struct sched_op *const *chain = s->rounds->chain, *op = w->next, *last;
	const struct stretch *at = w->at;
	uint64_t n = 0, left = w->left, times = w->times;

	for (;;) {
		if (op->const_ahead && op->const_ahead != s->const_here)
			return n;
		if (op->regular < left)
			return n + op->regular;
		last = chain[op->place + left - 1];
		if (at->extra | at->bytes | at->line | at->barrier || (at->jumps && last->nmakes))
			return n + left - 1;
		n += left;
		if (!--times) {
			at++;
			times = at->times;
		} else if (n < enough && left == at->issues) {
			uint64_t more = least(times - 1, (enough - n) / left);
			n += more * left;
			times -= more;
		}
		if (!at->issues)
			return n - 1;
		if (n >= enough)
			return n;
		left = at->issues;
		op = &s->ops[at->pc / 4];
	}
}

/* Has the slot's warp had its turn in a round before this one, in which it has it at cycle t? */
static bool goes_round(const struct slot *w, uint64_t t, uint64_t round)
{
	return w->since + round == t + USUAL_GAP && w->ready_at <= t && w->results_at <= t && !w->mixed;
}

/* How many rounds there will be, of the n ready slots from `first` on, at cycle t. In the last one too, everybody has
 * yet to want the SPs when his turn is over: others have theirs before he can do anything else. */
static uint64_t rounds_ahead(const struct sched *s, unsigned n, unsigned first, uint64_t t, uint64_t until)
{
	uint64_t round = (uint64_t)n * s->rounds->cost, end = least(until, s->next_wake), rounds, regular;
	unsigned i = first;

	if (end <= t + round)
		return 0;
	rounds = least((end - t) / round, MOST);
	for (unsigned k = 0; k < n && rounds >= FEWEST; k++) {
		const struct slot *w = slot_of(s, i);
		if (!goes_round(w, t + k * s->rounds->cost, round))
			return 0;
		regular = regular_ahead(s, w, rounds + 1);
		rounds = least(rounds, regular ? regular - 1 : 0);
		i = first_after(s->ready, i);
	}
	return rounds;
}

/* ---- telling ---- */

/* A slot on its way through rounds. */
struct lap {
	uint64_t t, round;              /* its next turn; cycles between turns */
	uint64_t since, ready_at;       /* as of struct slot */
	uint64_t operand, pipe, issued; /* what it has been charged */
};

/* An instruction issues `times` times, a turn each, for which the warp has waited so many cycles for operands. */
static inline void tell_op(struct sched *s, struct lap *lap, const struct sched_op *op, uint64_t times,
			   uint64_t operand)
{
	uint64_t *here = row_of(s, op)->cycles, pipe = times * (lap->round - USUAL_GAP) - operand;

	here[STALL_OPERAND] += operand;
	here[STALL_PIPE] += pipe;
	here[STALL_ISSUED] += times * USUAL_GAP;
	lap->operand += operand;
	lap->pipe += pipe;
	lap->issued += times * USUAL_GAP;
}

/* The first of n instructions issues at cycle t, and so on, one a turn. Those of them that are in digests are few. */
static void digest_stretch(struct slot *w, const struct sched_op *const *chain, uint64_t n, uint64_t t, uint64_t round,
			   uint64_t times)
{
	uint64_t flows = 0, digest = 0, active = w->at->active;

	for (uint64_t k = 0; k < n && k < 64; k++)
		flows |= (uint64_t)chain[k]->in_digest << k;
	for (; times; times--, t += n * round) {
		for (uint64_t m = flows; m; m &= m - 1) {
			unsigned k = (unsigned)__builtin_ctzll(m);
			digest += digest_of(chain[k], t + k * round, active);
		}
		for (uint64_t k = 64; k < n; k++)
			sched_digest(w, chain[k], t + k * round, active);
	}
	w->digest += digest;
}

/* The next n instructions of a slot issue, one a turn, and all of that `times` times. */
static void tell_stretch(struct sched *s, struct slot *w, struct lap *lap, uint64_t n, uint64_t times)
{
	const struct sched_op *const *chain = &s->rounds->chain[w->next->place];
	uint64_t all = n * lap->round, again = chain[n - 1]->rest - USUAL_GAP;
	uint64_t waited = lap->ready_at - lap->since + (times - 1) * again;

	for (uint64_t k = 0; k < n; k++) {
		const struct sched_op *op = chain[k];
		uint64_t t = lap->t + k * lap->round;
		tell_op(s, lap, op, times, waited);
		if (op->results)
			w->results_at = t + (times - 1) * all + op->results;
		waited = times * (op->rest - USUAL_GAP);
	}
	digest_stretch(w, chain, n, lap->t, lap->round, times);
	lap->t += times * all;
	lap->since = lap->t - lap->round + USUAL_GAP;
	lap->ready_at = lap->since + again;
}

/* The slot's warp goes on n instructions, or `times` whole stretches that are alike. Returns the last. */
static const struct sched_op *go_on(struct sched *s, struct slot *w, uint64_t n, uint64_t times)
{
	const struct sched_op *last = s->rounds->chain[w->next->place + n - 1];

	w->left -= n;
	w->next = last + last->words;
	if (w->left)
		return last;
	w->times -= (uint32_t)times - 1;
	end_stretch(w);
	w->next = &s->ops[w->at->pc / 4];
	return last;
}

/* Where the warp stands after its last turn. */
static void arrive(struct sched *s, unsigned i, struct slot *w, const struct lap *lap, const struct sched_op *last)
{
	uint64_t t = lap->t - lap->round, *at = w->board;

	for (unsigned k = 0; k < last->nmakes; k++)
		at[last->makes[k]] = (t + last->latency) << 1;
	w->stalls.cycles[STALL_OPERAND] += lap->operand;
	w->stalls.cycles[STALL_PIPE] += lap->pipe;
	w->stalls.cycles[STALL_ISSUED] += lap->issued;
	w->since = lap->since;
	w->ready_at = lap->ready_at;
	w->free_at = t + last->hold;
	w->free_wait = last->wait;
}

static void tell_rounds(struct sched *s, unsigned i, uint64_t t, uint64_t round, uint64_t rounds)
{
	struct slot *w = slot_of(s, i);
	struct lap lap = { .t = t, .round = round, .since = w->since, .ready_at = w->ready_at };
	const struct sched_op *from = w->next, *last;

	do {
		uint64_t n = least(rounds, w->left), times = 1;
		if (n == w->left && n == w->at->issues)
			times = least(w->times, rounds / n);
		tell_stretch(s, w, &lap, n, times);
		last = go_on(s, w, n, times);
		rounds -= n * times;
	} while (rounds);
	arrive(s, i, w, &lap, last);
	want_units(s, i, from, w->next);
}

uint64_t sched_rounds(struct sched *s, uint64_t until)
{
	const struct rounds *r = s->rounds;
	unsigned n = (unsigned)__builtin_popcountll(s->ready), i;
	uint64_t others = s->want[UNIT_LSU] | s->want[WANTS_RARE];
	uint64_t round = (uint64_t)n * r->cost, t = s->free_at[UNIT_SP], rounds = 0, last;

	if (round >= r->longest + USUAL_GAP && t >= s->now && !(s->ready & others) && !(r->lines & ~s->lines_here))
		rounds = rounds_ahead(s, n, round_robin(s, s->ready), t, until);
	s->no_rounds = rounds < FEWEST ? s->no_rounds + 1 : 0;
	s->rounds_at = most(s->now, t) +
		       (rounds + 1) * most(round, r->longest) * (s->no_rounds > PATIENCE ? RARELY : 1);
	if (rounds < FEWEST)
		return 0;
	i = round_robin(s, s->ready);
	for (unsigned k = 0; k < n; k++) {
		tell_rounds(s, i, t + k * r->cost, round, rounds);
		s->last = i;
		i = first_after(s->ready, i);
	}
	last = t + rounds * round - r->cost;
	s->issued_at = last;
	s->now = last + USUAL_GAP;
	s->beat = s->now / USUAL_GAP;
	s->free_at[UNIT_SP] = last + r->cost;
	return rounds * n;
}
