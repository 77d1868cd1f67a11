/* The checkers of memory accesses: races, words never written, and accesses between a buffer's end and its padding's.
 *
 * Two accesses are ordered when a barrier stands between them, or a lock released after the first and taken before the
 * second. Each warp has a clock, and the value of each other warp's clock when the two were last ordered (vector
 * clocks). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "inspect/check.h"
#include "inspect/launch.h"
#include "inspect/variables.h"
#include "mem/bounds.h"
#include "mem/mem.h"

/* ---- shadow of global memory ---- */

/* The shadow of a page of global memory by number, or the free entry for the page (word NULL). */
static struct shadow_page *page_of(const struct check *c, uint64_t number)
{
	uint64_t at = number * 0x9e3779b97f4a7c15u >> 32 & (c->places - 1);

	while (c->page[at].word && c->page[at].number != number)
		at = (at + 1) & (c->places - 1);
	return &c->page[at];
}

bool check_pages(struct wb_launch *l)
{
	struct check *c = l->check;

	for (c->places = 2; c->places < 2 * l->machine.global->npages + 2; c->places *= 2)
		;
	c->page = ARENA_ARRAY(&l->machine.state, struct shadow_page, c->places);
	for (const struct global_page *p = l->machine.global->pages; c->page && p; p = p->next) {
		struct shadow_page *s = page_of(c, p->number);
		*s = (struct shadow_page){ p->number, ARENA_ARRAY(&l->machine.state, struct shadow, PAGE_BYTES / 4) };
		if (!s->word)
			return false;
	}
	return c->page;
}

/* ---- clocks ---- */

static uint32_t *clock_of(const struct wb_launch *l, const struct block *b, unsigned warp)
{
	return b->check->clock + (size_t)warp * l->check->warps;
}

static void learn(const struct wb_launch *l, uint32_t *to, const uint32_t *from)
{
	for (unsigned i = 0; i < l->check->warps; i++)
		to[i] = from[i] > to[i] ? from[i] : to[i];
}

/* A barrier has been released: earlier accesses of each arrived warp are ordered before later accesses of all. */
static void barrier_released(struct wb_launch *l, struct block *b)
{
	uint32_t all[BLOCK_WARPS_MAX] = { 0 };

	b->check->releases = b->releases;
	FOR_SET_LANES(w, b->released) {
		clock_of(l, b, (unsigned)w)[w]++;
		learn(l, all, clock_of(l, b, (unsigned)w));
	}
	FOR_SET_LANES(w, b->released)
		learn(l, clock_of(l, b, (unsigned)w), all);
}

static void lock_moves(struct wb_launch *l, struct exec *x, const struct access *a)
{
	uint32_t *mine = clock_of(l, x->block, x->warp->id);

	if (a->kind == ACCESS_STORE)
		mine[x->warp->id]++;
	FOR_SET_LANES(lane, a->lanes) {
		uint32_t *word = x->block->check->lock_clock + (size_t)(a->addr[lane] / 4) * l->check->warps;
		if (a->kind == ACCESS_STORE)
			learn(l, word, mine);
		else
			learn(l, mine, word);
	}
}

/* ---- races ---- */

static bool ordered(const struct wb_launch *l, const struct exec *x, const struct touch *before)
{
	unsigned warp = x->warp->id;

	if (before->block != x->block->index)
		return false;
	return before->warp == warp || clock_of(l, x->block, warp)[before->warp] > before->clock;
}

/* Mask of all bytes of a word. */
enum { WORD_BYTES = 0xf };

/* A pair of instructions is one finding, in either order. A compiler may load a whole word for a part of the word,
 * such as ushort4.x. */
static __attribute__((noinline)) void found_race(struct wb_launch *l, struct exec *x, const struct piece *p,
						 unsigned kind, const struct touch *me, const struct touch *before,
						 unsigned kind_before)
{
	uint32_t first = before->pc < me->pc ? before->pc : me->pc, second = first == me->pc ? before->pc : me->pc;
	const struct touch *load = kind == ACCESS_LOAD ? me : kind_before == ACCESS_LOAD ? before : NULL;
	const struct touch *atomic = kind == ACCESS_ATOMIC ? me : kind_before == ACCESS_ATOMIC ? before : NULL;
	bool widened = load && load->bytes == WORD_BYTES && (load == me ? before : me)->bytes != WORD_BYTES;
	struct finding *f;
	char name[PLACE_NAME];

	if ((load && atomic && check_guesses(l->check, load->pc)) || check_counted(l, CHECK_RACE, first, second))
		return;
	f = check_found(l, CHECK_RACE, first, second,
			"%c[0x%" PRIx64 "]%s: %s at pc 0x%x by block %u warp %u lane %u, "
			"after %s at pc 0x%x by block %u warp %u lane %u, with no barrier between%s",
			check_space_names[p->access->space], p->addr / 4 * 4, check_place(l, x, p, name),
			check_kind_names[kind], me->pc, me->block, me->warp, me->lane,
			check_kind_names[kind_before], before->pc, before->block, before->warp, before->lane,
			!widened || !l->check->compiled ? "" :
			"; the load is of 4 bytes, perhaps by the compiler's choice");
	if (f && load && atomic)
		f->guess = load->pc;
}

static inline void against(struct wb_launch *l, struct exec *x, const struct piece *p, unsigned kind,
			   const struct touch *me, const struct touch *before, unsigned kind_before)
{
	if (before->bytes & me->bytes && !ordered(l, x, before))
		found_race(l, x, p, kind, me, before, kind_before);
}

static void remember_load(struct shadow *s, const struct touch *me)
{
	if (s->load[0].bytes && (s->load[0].warp != me->warp || s->load[0].block != me->block))
		s->load[1] = s->load[0];
	s->load[0] = *me;
}

/* A compare and swap finds out whether the value is still the one that its thread has loaded: the load is a guess. */
static void mark_guesses(struct wb_launch *l, const struct shadow *s, const struct touch *me)
{
	for (int i = 0; i < 2; i++)
		if (s->load[i].bytes && s->load[i].block == me->block && s->load[i].warp == me->warp &&
		    s->load[i].lane == me->lane)
			check_guess(l->check, s->load[i].pc);
}

static void touch_word(struct wb_launch *l, struct exec *x, const struct piece *p, struct shadow *s, unsigned bytes)
{
	unsigned kind = p->access->lock ? ACCESS_ATOMIC : p->access->kind;
	struct touch me = {
		.block = x->block->index, .pc = x->step.pc, .clock = clock_of(l, x->block, x->warp->id)[x->warp->id],
		.warp = (uint8_t)x->warp->id, .lane = (uint8_t)p->lane,
		.bytes = (uint16_t)bytes,
	};

	against(l, x, p, kind, &me, &s->store, ACCESS_STORE);
	if (kind != ACCESS_ATOMIC)
		against(l, x, p, kind, &me, &s->atomic, ACCESS_ATOMIC);
	if (kind == ACCESS_LOAD) {
		remember_load(s, &me);
		return;
	}
	if (p->access->compares)
		mark_guesses(l, s, &me);
	for (int i = 0; i < 2; i++)
		against(l, x, p, kind, &me, &s->load[i], ACCESS_LOAD);
	*(kind == ACCESS_STORE ? &s->store : &s->atomic) = me;
}

/* The shadow of the word at an address; NULL: memory that the host has mapped since the launch began. */
static struct shadow *shadow_of(const struct wb_launch *l, const struct exec *x, unsigned space, uint64_t word)
{
	struct shadow *page;

	if (space == MEM_SHARED)
		return x->block->check->shared + word / 4;
	page = page_of(l->check, word >> PAGE_BITS)->word;
	return page ? page + (word & (PAGE_BYTES - 1)) / 4 : NULL;
}

/* A piece may begin and end at any byte. */
static void check_race(struct wb_launch *l, struct exec *x, const struct piece *p)
{
	uint64_t end = p->addr + p->access->width;

	for (uint64_t word = p->addr & ~3ull; word < end; word += 4) {
		struct piece part = { p->access, p->lane, word < p->addr ? p->addr : word };
		struct shadow *s = shadow_of(l, x, p->access->space, word);
		unsigned bytes = WORD_BYTES;
		if (word < p->addr)
			bytes &= WORD_BYTES << (p->addr - word);
		if (end < word + 4)
			bytes &= WORD_BYTES >> (word + 4 - end);
		if (s)
			touch_word(l, x, &part, s, bytes);
	}
}

/* ---- words never written ---- */

/* Is a word's part of an access without any written byte? Compilers copy a struct by words, padding included. */
static bool word_unwritten(const uint8_t *written, uint64_t addr, uint32_t width)
{
	for (uint32_t i = 0, n; i < width; i += n) {
		n = 4 - (addr + i) % 4;
		n = n < width - i ? n : width - i;
		if (!memchr(written + i, 1, n))
			return true;
	}
	return false;
}

static void check_written(struct wb_launch *l, struct exec *x, const struct piece *p)
{
	bool shared = p->access->space == MEM_SHARED;
	size_t thread = (size_t)x->warp->id * l->check->lanes + p->lane;
	struct block_check *k = x->block->check;
	uint8_t *written =
		(shared ? k->shared_written : k->local_written + thread * l->plan.code.local_bytes) + p->addr;
	uint32_t width = p->access->width;
	char name[PLACE_NAME];
	bool unwritten = p->access->kind != ACCESS_STORE &&
		(l->check->compiled ? word_unwritten(written, p->addr, width) : memchr(written, 0, width) != NULL);

	/* Where variables are known, a local byte outside them is a slot of the compiler's: clang reloads whole waves,
	 * lanes without a spill included (s_or_saveexec -1). */
	if (unwritten && !shared && variables_known(l) && !*check_place(l, x, p, name)) {
		memset(written, 1, width);      /* one look a slot and lane, however often a loop reads */
		return;
	}
	if (unwritten && !check_counted(l, CHECK_UNINIT, x->step.pc, UINT32_MAX))
		check_found(l, CHECK_UNINIT, x->step.pc, UINT32_MAX,
			    "pc 0x%x reads %c[0x%" PRIx64 "]%s, which was never written: block %u warp %u lane %u",
			    x->step.pc, check_space_names[p->access->space], p->addr, check_place(l, x, p, name),
			    x->block->index, x->warp->id, p->lane);
	if (p->access->kind != ACCESS_LOAD)
		memset(written, 1, width);
}

/* ---- bounds ---- */

/* Is the access in the padding behind the end of a buffer, and not by the compiler's choice? */
static bool beyond(const struct plan *plan, uint64_t addr, uint32_t width, bool scalar)
{
	const struct buffer *a = plan->buffer;
	uint64_t gap = plan->memory.global->first_buffer ? GRANULE_BYTES : 0;

	for (size_t i = 0; i < plan->nbuffers; i++) {
		uint64_t end = a[i].addr + a[i].bytes;
		uint64_t padded = (end + GRANULE_BYTES - 1) / GRANULE_BYTES * GRANULE_BYTES + gap;
		if (addr >= a[i].addr && addr < padded && addr + width > end)
			return !(scalar && load_is_widened(addr, width, end));
	}
	return false;
}

static void check_bounds(struct wb_launch *l, struct exec *x, const struct piece *p)
{
	uint32_t width = p->access->width;
	char name[PLACE_NAME];
	bool bad;

	switch (p->access->space) {
	case MEM_GLOBAL:
		bad = beyond(&l->plan, p->addr, width, p->access->pattern == PATTERN_SCALAR);
		break;
	case MEM_SHARED: bad = !bytes_inside(p->addr, width, l->check->shared_requested); break;
	default: bad = !bytes_inside(p->addr, width, l->check->local_requested);
	}
	if (bad && !check_counted(l, CHECK_BOUNDS, x->step.pc, BOUNDS_END))
		check_found(l, CHECK_BOUNDS, x->step.pc, BOUNDS_END,
			    "%s of %u bytes at %c[0x%" PRIx64 "]%s by pc 0x%x, "
			    "past the end of what was asked for: block %u warp %u lane %u",
			    check_kind_names[p->access->kind], width, check_space_names[p->access->space], p->addr,
			    check_place(l, x, p, name), x->step.pc,
			    x->block->index, x->warp->id, p->lane);
}

/* The real address in global memory; false: outside the view. Machines with wide addresses have no views. */
static bool place(const struct wb_launch *l, const struct access *a, uint64_t *addr)
{
	uint32_t real;

	if (l->machine.global->first_buffer)
		return true;
	if (!view_address(&l->plan.memory.g[a->bank], (uint32_t)*addr, a->width, &real))
		return false;
	*addr = real;
	return true;
}

static void check_lane(struct wb_launch *l, struct exec *x, const struct access *a, unsigned lane)
{
	const struct check *c = l->check;
	struct piece p = { a, lane, a->addr[lane] };

	if (a->space == MEM_GLOBAL && !place(l, a, &p.addr))
		return;
	if (c->on[CHECK_RACE] && a->space != MEM_LOCAL)
		check_race(l, x, &p);
	if (c->on[CHECK_UNINIT] && a->space != MEM_GLOBAL)
		check_written(l, x, &p);
	if (c->on[CHECK_BOUNDS])
		check_bounds(l, x, &p);
	if (c->on[CHECK_BOUNDS])
		check_compiled(l, x, &p);
}

/* ---- loads and stores of words without a finding, nearly all ---- */

enum { WRITTEN_WORD = 0x01010101 };     /* four written bytes */

/* An access to words, and what is the same for all lanes. */
struct words_check {
	struct shadow *shadow;          /* of the words from address `base` on */
	uint64_t base, words;
	uint8_t *written;               /* of the bytes from address `base` on; NULL: nobody asks */
	const uint32_t *clock;          /* of the warp */
	struct touch me;                /* of the last lane */
	struct shadow *previous;        /* of the lane before, of a load; NULL: none, or with a finding */
};

/* Does the fast way apply to an access? */
static bool words_begin(const struct wb_launch *l, const struct exec *x, const struct access *a, struct words_check *w)
{
	const struct check *c = l->check;
	bool shared = a->space == MEM_SHARED;

	if (a->width != 4 || a->lock || a->kind == ACCESS_ATOMIC || !a->lanes || !c->on[CHECK_RACE] ||
	    c->on[CHECK_BOUNDS] || (!shared && (a->space != MEM_GLOBAL || !l->machine.global->first_buffer)))
		return false;
	w->base = shared ? 0 : a->addr[__builtin_ctzll(a->lanes)] >> PAGE_BITS << PAGE_BITS;
	w->words = (shared ? l->plan.shared_bytes : (uint32_t)PAGE_BYTES) / 4;
	w->shadow = shadow_of(l, x, a->space, w->base);
	w->written = shared && c->on[CHECK_UNINIT] ? x->block->check->shared_written : NULL;
	w->clock = clock_of(l, x->block, x->warp->id);
	w->me = (struct touch){
		.block = x->block->index, .pc = x->step.pc, .clock = w->clock[x->warp->id],
		.warp = (uint8_t)x->warp->id, .bytes = WORD_BYTES,
	};
	w->previous = NULL;
	return w->shadow;
}

/* Is there no race with a touch before? */
static inline bool words_ordered(const struct words_check *w, const struct touch *before)
{
	return !before->bytes || (before->block == w->me.block &&
				  (before->warp == w->me.warp || w->clock[before->warp] > before->clock));
}

/* A load of a lane; the next lane with the same word changes nothing but the lane. False: nothing is done, for there
 * may be a finding. */
static inline bool words_load(struct words_check *w, struct shadow *s, const uint8_t *written, unsigned lane)
{
	uint32_t bytes = WRITTEN_WORD;

	if (s == w->previous) {
		s->load[0].lane = (uint8_t)lane;
		return true;
	}
	if (written)
		memcpy(&bytes, written, sizeof bytes);
	if (bytes != WRITTEN_WORD || !words_ordered(w, &s->store) || !words_ordered(w, &s->atomic))
		return false;
	w->me.lane = (uint8_t)lane;
	remember_load(s, &w->me);
	w->previous = s;
	return true;
}

static inline bool words_stored(struct words_check *w, struct shadow *s, uint8_t *written, unsigned lane)
{
	const uint32_t bytes = WRITTEN_WORD;

	if (!words_ordered(w, &s->store) || !words_ordered(w, &s->atomic) || !words_ordered(w, &s->load[0]) ||
	    !words_ordered(w, &s->load[1]))
		return false;
	w->me.lane = (uint8_t)lane;
	s->store = w->me;
	if (written)
		memcpy(written, &bytes, sizeof bytes);
	return true;
}

/* False: nothing is done. */
static inline bool words_lane(struct words_check *w, const struct access *a, unsigned lane)
{
	uint64_t offset = a->addr[lane] - w->base, word = offset >> 2 | offset << 62;   /* beyond if odd */
	uint8_t *written;

	if (word >= w->words)
		return false;
	written = w->written ? w->written + offset : NULL;
	return a->kind == ACCESS_LOAD ? words_load(w, w->shadow + word, written, lane)
				      : words_stored(w, w->shadow + word, written, lane);
}

static void check_words(struct wb_launch *l, struct exec *x, const struct access *a, struct words_check *w)
{
	FOR_SET_LANES(lane, a->lanes) {
		if (words_lane(w, a, (unsigned)lane))
			continue;
		check_lane(l, x, a, (unsigned)lane);
		w->previous = NULL;
	}
}

static void check_access(struct wb_launch *l, struct exec *x, const struct access *a)
{
	struct words_check w;

	if (words_begin(l, x, a, &w)) {
		check_words(l, x, a, &w);
		return;
	}
	FOR_SET_LANES(lane, a->lanes)
		check_lane(l, x, a, (unsigned)lane);
}

void check_memory(struct wb_launch *l, struct exec *x)
{
	struct block *b = x->block;

	if (b->releases != b->check->releases)
		barrier_released(l, b);
	for (unsigned i = 0; i < x->step.accesses; i++) {
		const struct access *a = &x->step.access[i];
		if (a->space > MEM_GLOBAL || a->space == MEM_CONST)
			continue;
		if (a->lock && a->kind == ACCESS_LOAD)
			lock_moves(l, x, a);
		check_access(l, x, a);
		if (a->lock && a->kind == ACCESS_STORE)
			lock_moves(l, x, a);
	}
}
