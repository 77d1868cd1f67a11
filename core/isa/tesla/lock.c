/* Locks of s[] words under both lock rules. */
#include "core/isa/tesla/lock.h"

static uint64_t self(const struct exec *x)
{
	return 1ull << x->warp->id;
}

static bool held_by_other(const struct exec *x, uint32_t addr)
{
	const struct locks *k = &x->block->lock;

	FOR_SET_LANES(i, k->holders & ~self(x))
		if (k->held[i] == (addr & ~3u))
			return true;
	return false;
}

static int wait_for_lock(struct exec *x)
{
	x->block->lock.waiters |= self(x);
	x->warp->status = WARP_AT_LOCK;
	x->counts.lock_waits++;
	return STEP_LOCKED;
}

/* A location a warp: only the lowest executing lane's word counts, and a warp that holds a word fails at once (S4). */
static int take_for_warp(struct exec *x, const uint32_t addr[], lane_mask lanes, lane_mask *won)
{
	struct locks *k = &x->block->lock;
	int first = __builtin_ctzll(lanes);

	*won = 0;
	if (k->holders & self(x))
		return STEP_OK;
	if (held_by_other(x, addr[first]))
		return wait_for_lock(x);
	k->holders |= self(x);
	k->held[x->warp->id] = addr[first] & ~3u;
	k->lane[x->warp->id] = (uint8_t)first;
	*won = 1ull << first;
	return STEP_OK;
}

static uint32_t flag_of(const struct exec *x, uint32_t addr)
{
	uint32_t n = x->rules->lock_entries;

	return n == LOCK_ENTRIES_EXACT ? addr >> 2 : addr >> 2 & (n - 1);
}

/* A table of lock bits: each lane tries its own bit, lowest first; no lane waits (US patent 8375176). */
static int take_flags(struct exec *x, const uint32_t addr[], lane_mask lanes, lane_mask *won)
{
	struct locks *k = &x->block->lock;

	*won = 0;
	k->nchanged = 0;
	FOR_SET_LANES(l, lanes) {
		uint32_t f = flag_of(x, addr[l]);
		if (k->flag[f >> 6] >> (f & 63) & 1)
			continue;
		k->flag[f >> 6] |= 1ull << (f & 63);
		k->owner[f] = (uint32_t)l << 24 | (addr[l] & ~3u) << 8 | x->warp->id;
		k->changed[k->nchanged++] = addr[l] & ~3u;
		k->flags_set++;
		*won |= 1ull << l;
	}
	return STEP_OK;
}

int lock_take(struct exec *x, const uint32_t addr[], lane_mask lanes, lane_mask *won)
{
	*won = 0;
	if (!lanes)
		return STEP_OK;
	x->counts.lock_rounds++;
	if (x->rules->lock == LOCK_FLAG)
		return take_flags(x, addr, lanes, won);
	return take_for_warp(x, addr, lanes, won);
}

static void release_flags(struct exec *x, const uint32_t addr[], lane_mask lanes)
{
	struct locks *k = &x->block->lock;

	k->nchanged = 0;
	FOR_SET_LANES(l, lanes) {
		uint32_t f = flag_of(x, addr[l]);
		if (!(k->flag[f >> 6] >> (f & 63) & 1)) {
			exec_notice(x, NOTICE_UNLOCK_UNHELD);
			continue;
		}
		k->flag[f >> 6] &= ~(1ull << (f & 63));
		k->flags_set--;
		k->changed[k->nchanged++] = addr[l] & ~3u;
	}
}

void lock_release(struct exec *x, const uint32_t addr[], lane_mask lanes)
{
	struct locks *k = &x->block->lock;
	bool mine = false;

	x->progress++;
	if (x->rules->lock == LOCK_FLAG) {
		release_flags(x, addr, lanes);
		return;
	}
	if (k->holders & self(x))
		FOR_SET_LANES(l, lanes)
			mine |= k->held[x->warp->id] == (addr[l] & ~3u);
	if (!mine) {
		exec_notice(x, NOTICE_UNLOCK_UNHELD);
		return;
	}
	k->holders &= ~self(x);
	locks_wake(x->block);
}

int lock_check(struct exec *x, const uint32_t addr[], lane_mask lanes)
{
	if (!(x->block->lock.holders & ~self(x)))
		return STEP_OK;
	FOR_SET_LANES(l, lanes)
		if (held_by_other(x, addr[l]))
			return wait_for_lock(x);
	return STEP_OK;
}

static lane_mask flag_holders(const struct exec *x)
{
	const struct locks *k = &x->block->lock;
	lane_mask lanes = 0;

	for (uint32_t word = 0; word < (FLAG_ENTRIES(x->rules->lock_entries) + 63) / 64; word++)
		FOR_SET_LANES(bit, k->flag[word]) {
			uint32_t owner = k->owner[64 * word + (uint32_t)bit];
			lanes |= (owner & 0xff) == x->warp->id ? 1ull << (owner >> 24) : 0;
		}
	return lanes;
}

lane_mask lock_holders(const struct exec *x)
{
	const struct locks *k = &x->block->lock;

	if (x->rules->lock == LOCK_FLAG)
		return k->flags_set ? flag_holders(x) : 0;
	return k->holders & self(x) ? 1ull << k->lane[x->warp->id] : 0;
}

void lock_warp_done(struct exec *x)
{
	struct locks *k = &x->block->lock;

	if (!(k->holders & self(x)))
		return;
	exec_notice(x, NOTICE_LOCK_HELD_AT_END);
	k->holders &= ~self(x);
	locks_wake(x->block);
}
