/* A search for a cycle with one stored state (Brent's algorithm): each check hashes the machine and compares the hash
 * with a reference, replaced at every power of two of checks, so a period of any length is found. The hashes of pcs and
 * masks, and of a warp's registers, are compared first: both are cheap and mostly decide. A store that changes memory
 * begins the search anew, so memory is never hashed. */
#include "machine/livelock.h"

#include <string.h>

#include "core/base/rng.h"
#include "machine/clock.h"

/* Comparisons of the whole state after a new reference: COMPARISONS checks in a row, then one check in SELDOM. A busy
 * kernel that changes no memory for long pays next to nothing. */
enum { COMPARISONS = 32, SELDOM = 16 };

/* Cycles between two looks at progress that only a note depends on. */
enum { INTERVAL = 1 << 14 };

void livelock_begin(struct livelock *h, uint64_t idle_limit)
{
	*h = (struct livelock){ .idle_limit = idle_limit };
	h->interval = idle_limit == UINT64_MAX ? INTERVAL : idle_limit / 16;
	h->next = h->interval;
}

static uint64_t hash_word(uint64_t h, uint64_t word)
{
	return mix64(h + word);
}

/* Four words at a time, multiplied side by side by the host. */
static uint64_t hash_words(uint64_t h, const void *data, size_t bytes)
{
	const uint8_t *p = data;
	uint64_t sum[4] = { h, ~h, h << 1, ~h << 1 }, v[4] = { 0 };

	for (; bytes >= sizeof v; p += sizeof v, bytes -= sizeof v) {
		memcpy(v, p, sizeof v);
		for (unsigned i = 0; i < 4; i++) {
			sum[i] = (sum[i] ^ v[i]) * 0x9e3779b97f4a7c15ull;
			sum[i] ^= sum[i] >> 29;
		}
	}
	memset(v, 0, sizeof v);
	memcpy(v, p, bytes);
	for (unsigned i = 0; i < 4; i++)
		h = hash_word(h, sum[i] ^ v[i]);
	return h;
}

static uint64_t hash_registers(uint64_t h, const struct machine *m, const struct warp *w)
{
	return hash_words(h, w->reg, w->nreg * row_bytes(m->plan->code.target.isa->lanes));
}

/* Addresses stay out: a saved run goes on elsewhere, and compares with the hash that it had. */
static uint64_t hash_warp(uint64_t h, const struct machine *m, const struct warp *w)
{
	const struct isa_ops *isa = m->plan->code.target.isa;
	size_t behind = (size_t)isa->warp_addresses.before + isa->warp_addresses.bytes;

	h = hash_words(h, &w->active, sizeof w->active);
	h = hash_words(h, w->in_state, sizeof w->in_state);
	h = hash_word(h, (uint64_t)w->pc << 8 | w->status);
	h = hash_registers(h, m, w);
	h = hash_words(h, w->state, isa->warp_addresses.before);
	return hash_words(h, (const char *)w->state + behind,
			  isa->warp_bytes(&m->plan->code, &m->plan->rules) - behind);
}

/* The next warp depends on the last pick, with timing on the last pick of each SIMD and on the active group. The
 * numbers of --policy random stay out: between two equal states memory did not change, so each warp went the same way
 * whatever warp was chosen, and only a lock makes an order matter. A warp that waits for a lock gets the lock within
 * the thousands of turns between two checks, or never. */
static uint64_t hash_pick(uint64_t h, const struct machine *m, const struct mp *mp)
{
	if (!m->plan->timed)
		return hash_word(h, mp->turns.previous | (uint64_t)mp->turns.remaining << 8);
	h = hash_word(h, mp->sched.picked | (uint64_t)mp->sched.active_group << 32);
	for (unsigned i = 0; mp->sched.simd.mask && i <= mp->sched.simd.mask; i++)
		h = hash_word(h, mp->sched.simd.picked[i]);
	return h;
}

static uint64_t hash_block(uint64_t h, const struct machine *m, const struct block *b)
{
	h = hash_words(h, b->barrier, sizeof b->barrier);
	h = hash_words(h, &b->lock, offsetof(struct locks, flag));
	return b->lock.flag ? hash_words(h, b->lock.flag,
					 FLAG_WORDS(m->plan->rules.lock_entries) * sizeof *b->lock.flag) : h;
}

/* Hash of pcs and masks, the part of the state that differs most often, or of the whole state. */
static uint64_t hash_machine(const struct machine *m, const struct mp *mp, unsigned n, bool whole)
{
	uint64_t h = 0;

	for (const struct mp *end = mp + n; mp < end; mp++) {
		h = hash_pick(h, m, mp);
		h = whole ? hash_word(h, mp->x.random) : h;
		for (unsigned k = 0; k < mp->nresident; k++) {
			const struct block *b = &mp->resident[k].block;
			if (!mp->resident[k].live)
				continue;
			h = whole ? hash_block(h, m, b) : h;
			FOR_SET_LANES(j, b->unfinished) {
				const struct warp *w = &b->warp[j];
				h = whole ? hash_warp(h, m, w) :
					    (h ^ w->pc ^ (uint64_t)w->active << 24) * 0x9e3779b97f4a7c15ull;
			}
		}
	}
	return h;
}

/* Hash of the registers of the first unfinished warp: a kernel that computes changes registers. */
static uint64_t hash_first(const struct machine *m, const struct mp *mp, unsigned n)
{
	for (const struct mp *end = mp + n; mp < end; mp++)
		for (unsigned k = 0; k < mp->nresident; k++) {
			const struct block *b = &mp->resident[k].block;
			const struct warp *w = &b->warp[b->unfinished ? __builtin_ctzll(b->unfinished) : 0];
			if (mp->resident[k].live && b->unfinished)
				return hash_registers(0, m, w);
		}
	return 0;
}

/* Started blocks count as progress and as change. */
static void sum_up(const struct mp *mp, unsigned n, uint64_t *progress, uint64_t *changes)
{
	*progress = *changes = 0;
	for (unsigned i = 0; i < n; i++) {
		*progress += mp[i].started + mp[i].x.progress;
		*changes += mp[i].started + mp[i].x.changes;
	}
}

static uint64_t next_comparison(const struct livelock *h)
{
	return h->comparisons < COMPARISONS ? 0 : SELDOM * (h->comparisons - COMPARISONS + 1);
}

/* Does the state repeat? Compared with a reference taken at each power of two of checks, so that a period of any length
 * is found. */
static bool repeats(struct livelock *h, const struct machine *m, const struct mp *mp, unsigned n)
{
	uint64_t checks = ++h->checks;

	if (checks <= 4)
		return false;
	if (!(checks & (checks - 1))) {
		h->places = hash_machine(m, mp, n, false);
		h->registers = hash_first(m, mp, n);
		h->reference = hash_machine(m, mp, n, true);
		h->since_reference = h->comparisons = 0;
		return false;
	}
	if (checks < 8 || ++h->since_reference < next_comparison(h) ||
	    hash_machine(m, mp, n, false) != h->places)
		return false;
	h->comparisons++;
	return hash_first(m, mp, n) == h->registers && hash_machine(m, mp, n, true) == h->reference;
}

bool livelock_proven(struct livelock *h, const struct machine *m, const struct mp *mp, unsigned n)
{
	uint64_t progress, changes;

	sum_up(mp, n, &progress, &changes);
	if (changes != h->changes) {
		h->changes = changes;
		h->checks = 0;
	}
	return repeats(h, m, mp, n);
}

bool livelock_idles(struct livelock *h, const struct machine *m, const struct mp *mp, unsigned n)
{
	uint64_t now = clock_last(mp, n), progress, changes;

	sum_up(mp, n, &progress, &changes);
	if (progress != h->progress) {
		h->progress = progress;
		h->since = now;
	}
	return now - h->since >= h->idle_limit;
}

uint64_t livelock_idle(const struct livelock *h, const struct machine *m)
{
	uint64_t now = clock_end(m), progress, changes;

	sum_up(m->mp, m->plan->nmps, &progress, &changes);
	return progress == h->progress ? now - h->since : 0;
}
