/* Lanes of a warp in groups {pc, mask}: the lanes of a group run together; the running group is the warp's active mask,
 * the others are set aside, each with its pc. Where a branch splits the running group, where a group arrives at a place
 * to meet others, and which group runs next, is a policy's (struct group_policy).
 *
 * A machine calls groups_split, groups_go and the like where lanes split, meeting_push and the like where lanes meet,
 * and after every instruction groups_go_on and groups_choose. The core knows no instruction; the machine knows no
 * policy. */
#ifndef WB_CORE_DIVERGE_GROUPS_H
#define WB_CORE_DIVERGE_GROUPS_H

#include "core/bill.h"
#include "core/program.h"
#include "core/rules.h"
#include "core/step.h"
#include "core/warp.h"

enum group_state {
	GROUP_READY,
	GROUP_PASSED,   /* ready, at a marker that has acted */
	GROUP_PARKED,   /* at a barrier of the block, until all unfinished lanes of the warp are */
	GROUP_WAITS,    /* at a meeting, for its other lanes */
	GROUP_YIELDED,  /* given way to others */
	GROUP_AWAITS,   /* until all unfinished lanes of a mask await the same lanes, wherever the lanes are */
	GROUP_RELEASED, /* ready, all awaited lanes have come */
};

/* Lanes set aside together. Without padding, as snapshots compare and hash bytes. */
struct group {
	lane_mask lanes;
	lane_mask awaited;              /* GROUP_AWAITS */
	uint64_t since;                 /* issues of the warp when the group was set aside; 0 unless a policy is fair */
	uint64_t progress;              /* of the multiprocessor until then */
	uint32_t pc;                    /* of the next instruction; GROUP_PARKED: of the barrier's */
	uint16_t state;                 /* enum group_state */
	uint16_t level;                 /* GROUP_WAITS: of the meeting in the lanes' stacks */
};

/* The groups of a warp. Behind the struct, the lanes' stacks: levels of one or more words for each lane. A state that
 * repeats is a proof of a livelock (machine/livelock.h): a number that only grows stands here only where the future
 * depends on the number. */
struct groups {
	uint32_t count;                 /* groups aside */
	uint32_t width;                 /* lanes of a warp */
	uint64_t began;                 /* progress when the running group began, or last came by a branch back */
	uint64_t changes;               /* changes of memory when a group last went round to take a lock once more */
	uint32_t words;                 /* of a lane in a level */
	uint32_t passed;                /* 1: the running group begins at a marker that has acted */
	/* minpc: issues up to which the running group is left alone */
	uint64_t turn_ends;
	/* The running group goes on, without a choice, before instructions below pc `stop` and before the warp has
	 * issued `deadline` instructions. */
	uint64_t deadline;
	uint64_t issues;                /* of the warp, where a deadline is set */
	uint64_t patience;              /* instructions of the running group before others get a turn; 0: any number */
	uint32_t stop;
	uint32_t depth[LANES_MAX];      /* by lane: entries of the lane's stack */
	uint32_t cause[LANES_MAX];      /* by lane: the instruction that last parted the lane from others */
	/* The latest to be set aside, or to become ready, is the last; behind the last all bytes are 0. */
	struct group aside[LANES_MAX];
	/* rules.stack_depth levels: code addresses, with the tag in the low bits; behind, where a policy has meetings,
	 * the lanes that pushed the entry together, 32 a word */
	uint32_t level[];
};

/* A warp at an instruction where lanes may part or meet. */
struct crossing {
	struct warp *warp;
	struct bill *bill;
	const struct program *program;
	const struct rules *rules;
	struct step *step;
	struct groups *groups;
	uint64_t progress;              /* stores, unlocks and ends of threads, ever, by any warp (exec.progress) */
	lane_mask holders;              /* for groups_choose: lanes of the warp that hold a lock of the machine */
	/* Do two lanes stand in equal scopes, beside their stacks here? NULL: the machine has no other scopes. */
	bool (*alike)(const struct crossing *c, int a, int b);
	/* The machine has no markers: lanes meet at addresses. A split opens a meeting at `point`, unless point is
	 * RECONVERGE_NOWHERE. */
	bool by_address;
	uint32_t point;
	/* Lanes that have awaited each other go on. NULL: the machine has nothing to do then. */
	void (*met)(const struct crossing *c, lane_mask lanes);
	bool by_progress;               /* answer: which lanes run now depends on what other warps have done */
};

struct group_policy {
	/* An entry of the lanes' stacks is a meeting: arriving lanes wait until no lane with the entry is elsewhere. */
	bool meets;
	/* the program's own markers open meetings, if the machine has markers, and lanes meet there */
	bool markers;
	bool smaller_first;             /* of two sides of a split, the one with fewer lanes runs first */
	bool yields;                    /* a group in a loop that spins gives way to others */
	bool fair;                      /* groups aside get a turn by their waiting (group.since) */
	uint32_t patience;              /* instructions after which any group gives way; 0: never */
	/* The running group has been split: `lanes` are aside. NULL: nothing to do. */
	void (*split)(struct crossing *c, lane_mask lanes);
	/* Choose the group to run among the running group, if any, and the ready groups aside, and say for how long
	 * (groups.stop, groups.deadline). */
	void (*choose)(struct crossing *c);
};

#define RECONVERGE(word, way, policy, help) extern const struct group_policy policy;
#include "core/diverge/reconverge.def"

size_t groups_bytes(const struct rules *rules, unsigned width);
/* In memory of an earlier warp under the same rules, or of zeros. */
void groups_start(struct groups *g, const struct rules *rules, unsigned width);

/* ---- for machines ---- */

/* The running group is at a branch: lanes `taken`, some, all or none of them, go to pc `to`, the others on.
 * taken_first: lanes `taken` run first; where the smaller side does, of sides of equal numbers. */
void groups_split(struct crossing *c, lane_mask taken, uint32_t to, bool taken_first);
/* Lanes of the running group, some or all, go to pc in their turn. */
void groups_go(struct crossing *c, lane_mask lanes, uint32_t pc);
/* Lanes of the running group, some or all, go back to pc in a loop that waits for a change of memory. They give way, if
 * there was no progress and the warp has other groups. */
void groups_spin(struct crossing *c, lane_mask lanes, uint32_t pc);
/* The running group has come to a barrier of the block, and waits there for the rest of the warp. False: the group is
 * the whole warp, and goes on. */
bool groups_park(struct crossing *c);
/* Lanes of the running group, some or all, go on behind the instruction when all unfinished lanes of `awaited` await
 * the same lanes. */
void groups_await(struct crossing *c, lane_mask lanes, lane_mask awaited);
/* After each instruction: may the running group go on as it is? Else groups_choose. A machine with meetings by address
 * asks meeting_here as well. */
static inline bool groups_go_on(const struct crossing *c)
{
	struct groups *g = c->groups;

	if (g->deadline != FAIR_NEVER)
		g->issues = c->warp->issues;
	if (!c->warp->active || c->step->next_pc >= g->stop || c->warp->issues >= g->deadline)
		return false;
	return !g->patience || !g->count || --g->patience;
}
/* Instructions behind which groups_go_on will say yes, one after the other, as long as lanes neither part nor meet nor
 * wait. */
static inline uint64_t groups_sure(const struct groups *g, const struct warp *w)
{
	uint64_t n = g->stop == UINT32_MAX ? UINT64_MAX : 0;

	if (g->deadline != FAIR_NEVER)
		n = w->issues + 1 < g->deadline && n ? g->deadline - w->issues - 1 : 0;
	return g->patience && g->count && g->patience - 1 < n ? g->patience - 1 : n;
}
/* In place of groups_go_on behind n such instructions; impatient: there were groups aside. */
static inline void groups_went_on(struct groups *g, const struct warp *w, uint64_t n, bool impatient)
{
	if (g->deadline != FAIR_NEVER)
		g->issues = w->issues;
	if (g->patience && impatient)
		g->patience -= n;
}
/* Is the running group where the last entry of its stack has a meeting by address? */
bool meeting_here(const struct crossing *c);
void groups_choose(struct crossing *c);
/* No group can run, and some are parked: the warp arrives at the barrier at *pc, of the last group to come. All groups
 * become ready behind their barriers. *apart: at several barriers. False: none is parked. */
bool groups_unpark(struct crossing *c, uint32_t *pc, bool *apart);

/* ---- the lanes' stacks: places to which lanes come back ---- */

enum meeting_tag { MEETING_BREAK, MEETING_CALL, MEETING_LIMITED, MEETING_JOIN, MEETING_TAGS = 3 };

/* A new entry for the running lanes. Returns the depth with the entry, 0: the stack is full. */
uint32_t meeting_push(struct crossing *c, enum meeting_tag tag, uint32_t pc);
/* Level of the running lanes' nearest entry with a tag of the set, or −1. */
int meeting_nearest(const struct crossing *c, unsigned tags);
/* Entries with a tag. */
uint32_t meeting_count(const struct crossing *c, enum meeting_tag tag);
/* Lanes of the running group leave for the place of the entry at `level`, and drop the entries above. The entry goes as
 * well, at once or when all lanes with the entry have come. */
void meeting_leave(struct crossing *c, lane_mask lanes, int level);
/* The running group is at a marker where lanes of the stack's last entry meet. False: the entry is of another kind, or
 * there is none. *all: all have come, and the running group has them; else the running group waits at pc. */
bool meeting_join(struct crossing *c, uint32_t pc, bool *all);
/* The usual case of meeting_join: the running group has all lanes of the meeting, and goes on. False: another case, and
 * nothing is done. */
bool meeting_pass(struct crossing *c);

/* ---- for policies ---- */

static inline bool group_is_ready(const struct group *one)
{
	return one->state == GROUP_READY || one->state == GROUP_PASSED || one->state == GROUP_RELEASED;
}
/* Lanes that have awaited each other are ready, once earlier released groups have run on: until then words that lanes
 * have exchanged hold. anyway: no group can run, and lanes go on without awaited lanes elsewhere. */
void groups_release(struct crossing *c, bool anyway);
/* The running group begins, or goes on as if it began. */
void groups_begin(struct crossing *c);
/* Words of lanes in a row. */
void groups_fill(uint32_t *row, lane_mask lanes, uint32_t word);
/* Set lanes of the running group aside. Returns the group, NULL without lanes. */
struct group *groups_aside(struct crossing *c, lane_mask lanes, uint32_t pc, enum group_state state);
/* Lanes `run`, whole groups, are the running group from now on, at pc; other running lanes are set aside. */
void groups_run(struct crossing *c, lane_mask run, uint32_t pc);
/* Of the ready groups the latest runs, for policies with meetings. */
void groups_latest(struct crossing *c);
/* A meeting by address at pc for the running lanes, unless the last entry is one; not beyond the stack's depth. */
void meeting_open(struct crossing *c, uint32_t pc);
/* The running group comes to its meetings by address at the present pc, if any. */
void meeting_arrive(struct crossing *c);
/* All unfinished lanes run: no lane is awaited at a meeting by address. */
void meetings_end(struct crossing *c);
/* Do waiting groups have all lanes of their meeting? Then these are ready. */
void meetings_complete(struct crossing *c);
/* The lanes that wait at a group's meeting are ready, without the lanes that are elsewhere. */
void meeting_close(struct crossing *c, const struct group *one);
/* Are two lanes in equal scopes? */
bool groups_alike(const struct crossing *c, int a, int b);

/* ---- for views ---- */

/* The stack of the running group from its top, with the unfinished lanes of each meeting, then the groups aside, the
 * latest first; of policies with meetings. Returns the number of entries; *out: the entry `index`, if there is one. */
struct group_view {
	const char *name;               /* "joinat", "waits" */
	uint32_t pc;
	lane_mask lanes;
};
unsigned groups_view(const struct groups *g, const struct warp *w, unsigned index, struct group_view *out);

static inline int group_lead(lane_mask lanes)
{
	return __builtin_ctzll(lanes);
}

#endif
