#include "api/parallel.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "api/ahead.h"
#include "api/clock.h"
#include "api/internal.h"
#include "api/recorder.h"
#include "api/requests.h"
#include "mem/marks.h"

enum { THREADS_MAX = 1024, SPINS = 256, YIELDS = 64, TURNS_BETWEEN_HASHES = 16, EPOCHS_BETWEEN_LOOKS = 16 };

/* Cycles by which a search for a livelock is less patient than that of one thread: what finds nothing here would find
 * nothing there. */
enum { LESS_PATIENT = 1 << 16 };

/* What comes when all have met. */
enum phase { PHASE_EPOCH, PHASE_END };

/* Where threads wait for each other: how many have come, how many are waited for, the phase that they are in, and how
 * often they have met, in one word, so that who goes away to do something else can come back at any time. */
enum { MEETING_PRESENT = 16, MEETING_PHASE = 32, MEETING_NUMBER = 34 };

struct meeting {
	uint64_t state;
	pthread_cond_t over;            /* with crew.lock */
};

/* A multiprocessor's turn in an epoch. */
struct turn {
	uint64_t begun, ended;          /* the last epoch that it has begun, and ended */
	unsigned before;                /* how many of those before it are known to have ended this one */
} __attribute__((aligned(128)));        /* neighbours belong to different host threads */

struct crew {
	struct wb_launch *launch;
	unsigned threads;
	bool all_here;                  /* threads is how many there are */
	unsigned next_mp;               /* that nobody has begun */
	uint32_t next_page;             /* that nobody has looked at for conflicts */
	bool over;                      /* nobody is to go on */
	bool interrupted;
	const char *why;                /* it was given up; NULL: it was not */
	struct meeting meeting, end;
	uint64_t epoch;                 /* number of it */
	bool asked;                     /* somebody did, of global memory, in it */
	struct turn *turn;              /* by multiprocessor */
	struct periods **periods;       /* by thread; NULL: nothing is executed ahead */
	struct hang hang;
	pthread_mutex_t lock;
	struct mark_set marks;
	struct arena arena;
};

struct member {
	struct crew *crew;
	unsigned number;
	pthread_t thread;
};

/* ---- what everybody asks ---- */

static bool over(const struct crew *c)
{
	return __atomic_load_n(&c->over, __ATOMIC_RELAXED);
}

static void finish(struct crew *c)
{
	__atomic_store_n(&c->over, true, __ATOMIC_RELAXED);
}

static bool interrupted(struct crew *c)
{
	if (!c->launch->interrupt)
		return false;
	__atomic_store_n(&c->interrupted, true, __ATOMIC_RELAXED);
	finish(c);
	return true;
}

bool parallel_give_up(struct wb_launch *l, const char *why)
{
	struct crew *c = l->crew;
	const char *none = NULL;

	__atomic_compare_exchange_n(&c->why, &none, why, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	finish(c);
	return false;
}

struct marks *parallel_marks(struct wb_launch *l, unsigned worker)
{
	return &l->crew->marks.of[worker];
}

void parallel_lock(struct wb_launch *l)
{
	if (l->crew)
		pthread_mutex_lock(&l->crew->lock);
}

void parallel_unlock(struct wb_launch *l)
{
	if (l->crew)
		pthread_mutex_unlock(&l->crew->lock);
}

/* ---- waiting ---- */

/* Others are mostly done in no time; if not, one of them may be waiting for this processor. */
static void pause_for(unsigned *spins)
{
	if (++*spins > SPINS)
		sched_yield();
#if defined(__x86_64__)
	else
		__builtin_ia32_pause();
#endif
}

bool parallel_pause(const struct wb_launch *l, unsigned *spins)
{
	pause_for(spins);
	return !over(l->crew);
}

bool parallel_wait_turn(struct wb_launch *l, const struct mp *mp)
{
	struct crew *c = l->crew;
	unsigned *before = &c->turn[mp->x.mp].before, spins = 0;

	for (; *before < mp->x.mp && !over(c); ++*before)
		while (__atomic_load_n(&c->turn[*before].ended, __ATOMIC_ACQUIRE) != c->epoch && !over(c))
			pause_for(&spins);
	return !over(c);
}

static unsigned here(uint64_t state)
{
	return state & UINT16_MAX;
}

static unsigned present(uint64_t state)
{
	return state >> MEETING_PRESENT & UINT16_MAX;
}

static enum phase phase_of(const struct meeting *m)
{
	return (enum phase)(__atomic_load_n(&m->state, __ATOMIC_ACQUIRE) >> MEETING_PHASE & 3);
}

static bool is_over(const struct meeting *m, uint64_t number)
{
	return __atomic_load_n(&m->state, __ATOMIC_ACQUIRE) >> MEETING_NUMBER != number;
}

static bool change(struct meeting *m, uint64_t *from, uint64_t to)
{
	return __atomic_compare_exchange_n(&m->state, from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* One who has come to a meeting goes away, and those who are left will not wait. False: the last has come. */
static bool go_away(struct meeting *m, uint64_t number)
{
	uint64_t s = __atomic_load_n(&m->state, __ATOMIC_ACQUIRE);

	while (s >> MEETING_NUMBER == number && here(s) < present(s))
		if (change(m, &s, s - (1ull << MEETING_PRESENT) - 1))
			return true;
	return false;
}

/* Back again: in the middle of an epoch, or at the end, to take part; between epochs it waits with the others. */
static bool come_back(struct meeting *m, uint64_t *number)
{
	uint64_t s = __atomic_load_n(&m->state, __ATOMIC_ACQUIRE);
	bool waits;

	do
		waits = here(s) == present(s);
	while ((s >> MEETING_PHASE & 3) != PHASE_END && !change(m, &s, s + (1ull << MEETING_PRESENT) + waits));
	*number = s >> MEETING_NUMBER;
	return !waits;
}

/* Who waits may as well execute what will be needed, while the others go on. True: the meeting is over. */
static bool help(struct crew *c, struct meeting *m, uint64_t *number)
{
	if (!c->launch->ahead || over(c) || !ahead_may_help(c->launch) || !go_away(m, *number))
		return false;
	while (!over(c) && ahead_help(c->launch))
		;
	return come_back(m, number);
}

/* Wait until all are here. The last to come is told so, and lets the others go with leave(). */
static bool meet(struct crew *c, struct meeting *m)
{
	uint64_t s = __atomic_add_fetch(&m->state, 1, __ATOMIC_ACQ_REL), number = s >> MEETING_NUMBER;
	unsigned spins = 0;

	if (here(s) == present(s))
		return true;
	for (; spins < SPINS + YIELDS && !is_over(m, number); pause_for(&spins))
		if (m == &c->meeting && help(c, m, &number))
			return false;
	if (spins < SPINS + YIELDS)
		return false;
	/* Somebody has no processor now, and this one does not help. */
	pthread_mutex_lock(&c->lock);
	while (!is_over(m, number))
		pthread_cond_wait(&m->over, &c->lock);
	pthread_mutex_unlock(&c->lock);
	return false;
}

static void leave(struct crew *c, struct meeting *m, enum phase next)
{
	uint64_t s = __atomic_load_n(&m->state, __ATOMIC_RELAXED), to;

	pthread_mutex_lock(&c->lock);
	do
		to = ((s >> MEETING_NUMBER) + 1) << MEETING_NUMBER | (uint64_t)next << MEETING_PHASE |
		     (uint64_t)present(s) << MEETING_PRESENT;
	while (!change(m, &s, to));
	pthread_cond_broadcast(&m->over);
	pthread_mutex_unlock(&c->lock);
}

/* ---- without timing ---- */

static uint64_t patience(const struct wb_launch *l)
{
	uint64_t p = l->run.hang.patience;

	return p == UINT64_MAX ? p : p > LESS_PATIENT ? p - LESS_PATIENT : 0;
}

/* One multiprocessor, from its first block to its last. */
static bool run_free(struct crew *c, struct mp *mp)
{
	struct wb_launch *l = c->launch;
	struct hang hang;

	hang_begin(&hang, patience(l));
	for (uint64_t turns = 1; !over(c); turns++) {
		if (interrupted(c))
			return false;
		if (!machine_free_turn(l, mp))
			return true;
		if (hang_look(&hang, l, mp, 1, turns % TURNS_BETWEEN_HASHES == 0))
			return parallel_give_up(l, "it may hang");
	}
	return false;
}

static void all_free(struct crew *c)
{
	unsigned i;

	while ((i = __atomic_fetch_add(&c->next_mp, 1, __ATOMIC_RELAXED)) < c->launch->nmps &&
	       run_free(c, &c->launch->mp[i]))
		;
}

/* ---- with timing ---- */

/* Whoever says so first runs multiprocessor i in this epoch. */
static bool claim(struct crew *c, unsigned i)
{
	uint64_t last = c->epoch - 1, *begun = &c->turn[i].begun;

	return __atomic_load_n(begun, __ATOMIC_RELAXED) == last &&
	       __atomic_compare_exchange_n(begun, &last, c->epoch, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void run_claimed(struct crew *c, unsigned i, unsigned number)
{
	struct wb_launch *l = c->launch;
	uint64_t turns = UINT64_MAX;

	if (l->next_at[i] < l->run.epoch_end) {
		c->turn[i].before = 0;
		requests_deliver(&l->mp[i]);
		l->mp[i].sched.periods = c->periods ? c->periods[number] : NULL;
		machine_run_mp(l, &l->mp[i], l->run.epoch_end, &turns);
		clock_pause(l, &l->mp[i]);
		if (l->mp[i].nrequests)
			__atomic_store_n(&c->asked, true, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&c->turn[i].ended, c->epoch, __ATOMIC_RELEASE);
}

/* Each thread has multiprocessors of its own, which stay in its processor's caches; who is done with them helps the
 * others, from the end. The first that has not ended is nobody's or is running, and never waits: its owner runs his in
 * rising order, and is done with all before it. */
static void run_epoch(struct crew *c, unsigned number)
{
	unsigned n = c->launch->nmps;

	for (unsigned i = number; i < n && !over(c); i += c->threads)
		if (claim(c, i))
			run_claimed(c, i, number);
	for (unsigned i = n; i-- > 0 && !over(c);)
		if (claim(c, i))
			run_claimed(c, i, number);
}

/* An epoch is over: requests are sent, and somebody looks up. False: that was the last one. */
static bool send(struct crew *c)
{
	struct wb_launch *l = c->launch;

	c->epoch++;
	if (over(c) || interrupted(c))
		return false;
	if (!l->ahead && c->epoch % EPOCHS_BETWEEN_LOOKS == 0 && hang_look(&c->hang, l, l->mp, l->nmps, true))
		parallel_give_up(l, "it may hang");
	else if (l->run.finished_blocks == l->blocks)
		finish(c);
	return !over(c);
}

static bool start_epoch(struct crew *c)
{
	struct wb_launch *l = c->launch;

	for (unsigned i = 0; i < l->nmps && !l->run.epoch_end; i++)
		clock_pause(l, &l->mp[i]);      /* nobody has run it yet */
	if (!clock_start_epoch(l))
		return parallel_give_up(l, "it hangs");
	if (c->threads > 1)
		clock_settle_caches(l);
	return true;
}

/* What the last to come does, while the others wait, without a look at multiprocessors that have not asked for
 * anything: who runs them next tells them of their answers. */
static enum phase arrange(struct crew *c)
{
	if (!send(c))
		return PHASE_END;
	if (c->asked)
		requests_send(c->launch);
	c->asked = false;
	return start_epoch(c) ? PHASE_EPOCH : PHASE_END;
}

/* False: there is no more. */
static bool next_epoch(struct crew *c)
{
	if (meet(c, &c->meeting))
		leave(c, &c->meeting, arrange(c));
	return phase_of(&c->meeting) == PHASE_EPOCH;
}

static void all_epochs(struct crew *c, unsigned number)
{
	struct wb_launch *l = c->launch;
	unsigned i;

	while (l->ahead && !over(c) && (i = __atomic_fetch_add(&c->next_mp, 1, __ATOMIC_RELAXED)) < l->nmps)
		ahead_blocks(l, &l->mp[i]);
	while (next_epoch(c))
		run_epoch(c, number);
}

/* ---- the crew ---- */

static void look_for_conflicts(struct crew *c)
{
	uint32_t page;

	while (!__atomic_load_n(&c->why, __ATOMIC_RELAXED) && !c->interrupted &&
	       (page = __atomic_fetch_add(&c->next_page, 1, __ATOMIC_RELAXED)) < c->marks.npages)
		if (marks_meet(&c->marks, page))
			parallel_give_up(c->launch,
					 "blocks touch the same words of global memory, and it matters which is first");
}

static void *work(void *member)
{
	const struct member *m = member;
	struct crew *c = m->crew;
	unsigned spins = 0, host;

	while (!__atomic_load_n(&c->all_here, __ATOMIC_ACQUIRE))
		pause_for(&spins);
	host = program_enter(&c->launch->code);
	if (c->launch->timing)
		all_epochs(c, m->number);
	else
		all_free(c);
	program_leave(&c->launch->code, host);
	if (meet(c, &c->end))
		leave(c, &c->end, PHASE_END);
	look_for_conflicts(c);
	return NULL;
}

/* Start threads beside the one that calls; if the host has no more of them, it is those. */
static void start(struct crew *c, struct member *m, unsigned wanted)
{
	unsigned n = 1;

	for (; n < wanted; n++) {
		m[n] = (struct member){ .crew = c, .number = n };
		if (pthread_create(&m[n].thread, NULL, work, &m[n]))
			break;
	}
	c->threads = n;
	c->meeting.state = c->end.state = (uint64_t)n << MEETING_PRESENT;
	__atomic_store_n(&c->all_here, true, __ATOMIC_RELEASE);
}

/* False: the host has no memory. */
static bool prepare_periods(struct crew *c, unsigned wanted)
{
	c->periods = ARENA_ARRAY(&c->arena, struct periods *, wanted);
	for (unsigned i = 0; c->periods && i < wanted; i++) {
		c->periods[i] = ahead_periods(c->launch, &c->arena);
		if (!c->periods[i])
			return false;
	}
	return c->periods;
}

/* Likewise. */
static bool run_together(struct crew *c, unsigned wanted, bool ahead)
{
	struct wb_launch *l = c->launch;
	struct member *m = ARENA_ARRAY(&c->arena, struct member, wanted);

	c->turn = ARENA_ARRAY(&c->arena, struct turn, l->nmps);
	if (!m || !c->turn || !marks_begin(&c->marks, &l->global, ahead ? ahead_workers(l, wanted > 1) : l->nmps))
		return false;
	if (ahead && (!ahead_begin(l, wanted > 1) || !prepare_periods(c, wanted)))
		return false;
	for (unsigned i = 0; i < l->nmps && !ahead; i++)
		l->mp[i].x.pages.marks = &c->marks.of[i];
	hang_begin(&c->hang, patience(l));
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->meeting.over, NULL);
	pthread_cond_init(&c->end.over, NULL);
	l->crew = c;
	m[0].crew = c;
	start(c, m, wanted);
	work(&m[0]);
	for (unsigned i = 1; i < c->threads; i++)
		pthread_join(m[i].thread, NULL);
	l->crew = NULL;
	pthread_cond_destroy(&c->meeting.over);
	pthread_cond_destroy(&c->end.over);
	pthread_mutex_destroy(&c->lock);
	for (unsigned i = 0; i < l->nmps; i++) {
		l->mp[i].x.pages.marks = NULL;
		l->mp[i].sched.periods = NULL;
	}
	return true;
}

/* As many threads as have something to do. */
static unsigned threads_wanted(const struct wb_launch *l)
{
	int64_t n = config_number(l->config, OPT_THREADS);
	cpu_set_t here;

	if (n == NUMBER_NONE || n == 0)
		n = sched_getaffinity(0, sizeof here, &here) ? 1 : CPU_COUNT(&here);
	n = n < l->nmps ? n : l->nmps;
	return n < THREADS_MAX ? (unsigned)n : THREADS_MAX;
}

/* What can be had only of one thread that runs in the order of the clock. */
static const char *must_be_alone(const struct wb_launch *l)
{
	if (l->touched)
		return "its s[] or l[] was written to before the start";
	if (l->watch)
		return "it is stepped";
	if (l->check)
		return "--check follows the order of accesses";
	return NULL;
}

/* Events that have been recorded are void. */
static void begin_again(struct wb_launch *l, struct diag *d)
{
	struct recorder *r = l->recorder;

	l->recorder = NULL;
	machine_again(l, d);
	l->recorder = r;
	if (r && d->kind == DIAG_OK)
		recorder_restart(l);
}

/* False: the launch stands at its start again, and *why says why. */
static bool attempt(struct wb_launch *l, unsigned wanted, bool ahead, const char **why, struct diag *d)
{
	struct crew c = { .launch = l };
	bool ran = false;

	if (!run_together(&c, wanted, ahead))
		*why = "the host has no memory for more";
	else if (c.interrupted)
		ran = !machine_interrupted(l);
	else if (!(*why = c.why))
		ran = true;
	else
		marks_undo(&c.marks);
	if (ahead) {
		l->every_load = !ran && !l->every_load && ahead_broken(l);
		ahead_end(l);
	}
	marks_end(&c.marks);
	arena_free(&c.arena);
	if (ran)
		l->ran_threads = c.threads;
	else
		begin_again(l, d);
	return ran;
}

/* As parallel_run, with blocks executed ahead of their clock. */
static bool run_ahead(struct wb_launch *l, unsigned wanted, struct diag *d)
{
	l->in_order = ahead_may_not(l);
	if (l->in_order)
		return false;
	if (attempt(l, wanted, true, &l->in_order, d))
		return true;
	return l->every_load && d->kind == DIAG_OK && attempt(l, wanted, true, &l->in_order, d);
}

bool parallel_run(struct wb_launch *l, struct diag *d)
{
	unsigned wanted = threads_wanted(l);
	const char *alone = must_be_alone(l);
	bool precise = config_number(l->config, OPT_IN_ORDER);

	l->alone = wanted > 1 ? alone : NULL;
	l->in_order = precise ? "--in-order asks for it" : alone;
	if (alone)
		return false;
	if (l->recorder) {
		l->alone = wanted > 1 ? "its events are recorded in their order" : NULL;
		wanted = 1;
	}
	if (!precise && run_ahead(l, wanted, d))
		return true;
	if (wanted > 1 && (l->max.cycles != UINT64_MAX || l->max.instructions != UINT64_MAX)) {
		l->alone = "--max-cycles and --max-insns stop at one instruction";
		wanted = 1;
	}
	return d->kind == DIAG_OK && wanted > 1 && attempt(l, wanted, false, &l->alone, d);
}
