/* Loads, stores and atomics of lanes with known addresses: places, notes of touched memory, and the words themselves
 * (memory.h). Lane memory does the work in each space. */
#include "core/isa/gcn/memory.h"

static struct opnd element(unsigned width, bool is_signed)
{
	return (struct opnd){ .shape = OPND_MEM, .width = (uint8_t)width, .is_signed = is_signed, .addr_reg = 1 };
}

static unsigned total_width(const struct gcn_access *a)
{
	return a->width * (unsigned)a->parts;
}

/* Bits that any of the lanes' addresses has. */
static uint64_t any_bits(const struct gcn_access *a, lane_mask lanes)
{
	uint64_t any = 0;

	if (lanes == lane_all()) {
		FOR_LANES(l)
			any |= a->addr[l];
		return any;
	}
	FOR_SET_LANES(l, lanes)
		any |= a->addr[l];
	return any;
}

/* Are all elements aligned to their whole size? */
static bool whole(const struct gcn_access *a, lane_mask lanes)
{
	unsigned total = total_width(a);

	return !(total & (total - 1)) && !(any_bits(a, lanes) & (total - 1));
}

/* From 1.1 on memory takes elements at any address, LDS from 1.4 on: runtimes enable unaligned access
 * (SH_MEM_CONFIG). */
static bool lies_across(const struct exec *x, const struct gcn_access *a, enum mem_space space)
{
	if (valu_generation(x) < (space == MEM_SHARED ? GCN_14 : GCN_11))
		return false;
	return any_bits(a, a->lanes[space]) & (a->width - 1u);
}

/* ---- places ---- */

/* The word of an element's first byte, or of its last byte. */
static void words_of_part(const struct gcn_access *a, unsigned part, bool last, uint64_t addr[])
{
	for (int l = 0; l < LANES; l++)
		addr[l] = (a->addr[l] + 4 * part + (last ? a->width - 1u : 0)) & ~3ull;
}

/* The places of the elements' first bytes, or last bytes. A byte beyond the end of a buffer is reported as the
 * element. */
static int bytes_of_part(struct exec *x, const struct gcn_access *a, unsigned part, bool last, struct lane_places *p)
{
	struct opnd byte = element(1, false);
	bool reported = x->counts.notice[NOTICE_BEYOND_BUFFER];
	int r;

	for (int l = 0; l < LANES; l++)
		p->addr[l] = a->addr[l] + 4 * part + (last ? a->width - 1u : 0);
	r = lane_global_places(x, &byte, p);
	if (!reported && x->counts.notice[NOTICE_BEYOND_BUFFER]) {
		x->counts.beyond.addr = a->addr[x->counts.beyond.lane] + 4 * part;
		x->counts.beyond.width = a->width;
	}
	return r;
}

/* Both bytes are as far apart in the host's memory, except at the end of a page: then the element has no one place. */
static int locate_across(struct exec *x, struct gcn_access *a)
{
	struct lane_places first, last;

	for (unsigned part = 0; part < a->parts; part++) {
		int r = bytes_of_part(x, a, part, false, &first);
		if (r == STEP_OK)
			r = bytes_of_part(x, a, part, true, &last);
		if (r != STEP_OK)
			return r;
		FOR_SET_LANES(l, a->lanes[MEM_GLOBAL]) {
			bool one = last.host[l] - first.host[l] == a->width - 1;
			a->host[part][l] = one ? first.host[l] : NULL;
		}
	}
	a->across = true;
	return STEP_OK;
}

/* The host's places of a part of the lanes' elements, `behind` bytes behind the places of p. */
static void take_places(struct gcn_access *a, unsigned part, lane_mask lanes, const struct lane_places *p,
			unsigned behind)
{
	if (lanes == lane_all()) {
		FOR_LANES(l)
			a->host[part][l] = p->host[l] + behind;
		return;
	}
	FOR_SET_LANES(l, lanes)
		a->host[part][l] = p->host[l] + behind;
}

static int locate_global(struct exec *x, struct gcn_access *a)
{
	lane_mask lanes = a->lanes[MEM_GLOBAL];
	bool one = whole(a, lanes);
	struct opnd o = element(one ? total_width(a) : a->width, false);
	struct lane_places p;

	FOR_SET_LANES(l, any_bits(a, lanes) >> GLOBAL_BITS_MAX ? lanes : 0)
		if (a->addr[l] >> GLOBAL_BITS_MAX)
			return exec_fault(x, FAULT_GLOBAL_UNMAPPED, 1ull << l, a->addr[l]);
	if (lies_across(x, a, MEM_GLOBAL))
		return locate_across(x, a);
	for (unsigned part = 0; part < (one ? 1 : a->parts); part++) {
		int r;
		for (int l = 0; l < LANES; l++)
			p.addr[l] = a->addr[l] + 4 * part;
		r = lane_global_places(x, &o, &p);
		if (r != STEP_OK)
			return r;
		for (unsigned k = part; k < (one ? a->parts : part + 1u); k++)
			take_places(a, k, lanes, &p, 4 * (k - part));
	}
	a->run = a->parts == 1 ? p.run : NULL;
	return STEP_OK;
}

/* Offsets of each element's `part`, `last` bytes further on. A sum beyond 2^32 stays at the highest offset, outside of
 * any block's or thread's memory, instead of wrapping to the lowest. */
static void part_offsets(const struct gcn_access *a, lane_mask lanes, unsigned part, unsigned last, uint32_t addr[])
{
	FOR_SET_LANES(l, lanes) {
		uint64_t offset = a->addr[l] + 4 * part + last;
		addr[l] = offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX;
	}
}

/* A thread's bytes are adjacent: of an element across words, both the first and the last byte have to be inside. */
static int locate_local(struct exec *x, struct gcn_access *a)
{
	lane_mask lanes = a->lanes[MEM_LOCAL];
	bool across = lies_across(x, a, MEM_LOCAL);
	uint32_t addr[LANES] = { 0 }, last = across ? a->width - 1u : 0;

	for (unsigned part = 0; part < a->parts; part++) {
		int r;
		part_offsets(a, lanes, part, last, addr);
		r = lane_local_places(x, across ? 1 : a->width, addr, a->host[part]);
		if (r != STEP_OK)
			return r;
		FOR_SET_LANES(l, lanes)
			a->host[part][l] -= last;
	}
	return STEP_OK;
}

static int locate_shared(struct exec *x, struct gcn_access *a)
{
	lane_mask lanes = a->lanes[MEM_SHARED];
	bool across = lies_across(x, a, MEM_SHARED);
	uint32_t addr[LANES] = { 0 }, last = across ? a->width - 1u : 0;

	for (unsigned part = 0; part < a->parts; part++) {
		int r;
		part_offsets(a, lanes, part, last, addr);
		r = lane_shared_check(x, across ? 1 : a->width, addr);
		if (r != STEP_OK)
			return r;
		FOR_SET_LANES(l, lanes)
			a->host[part][l] = x->block->shared + (addr[l] - last);
	}
	return STEP_OK;
}

/* Lane memory takes the lanes from x->step.executed. */
int SIMD_NAME(gcn_locate)(struct exec *x, struct gcn_access *a)
{
	static int (*const locate[MEM_SPACES])(struct exec *, struct gcn_access *) = {
		[MEM_GLOBAL] = locate_global, [MEM_LOCAL] = locate_local, [MEM_SHARED] = locate_shared,
	};
	lane_mask executed = x->step.executed;
	int r = STEP_OK;

	a->run = NULL;
	a->across = false;
	for (int space = 0; space < MEM_SPACES && r == STEP_OK; space++) {
		if (!a->lanes[space])
			continue;
		x->step.executed = a->lanes[space];
		r = locate[space](x, a);
	}
	x->step.executed = executed;
	return r;
}

/* ---- notes ---- */

/* Elements that are no aligned ones of 1, 2, 4, 8 or 16 bytes. */
static void note_across(struct exec *x, const struct gcn_access *a, enum mem_space space)
{
	struct opnd o = element(total_width(a), false);
	struct access *to = lane_note(x, &o, a->kind, space, a->addr, false);

	if (to)
		to->pattern = PATTERN_ACROSS;
}

static int announce_global(struct exec *x, struct gcn_access *a)
{
	lane_mask lanes = a->lanes[MEM_GLOBAL];
	bool one = whole(a, lanes);
	struct opnd o = element(one ? total_width(a) : a->width, false);
	struct lane_places p;
	int r = STEP_OK;

	if (a->across)
		o = element(4, false);
	for (unsigned k = 0; k < (one ? 1u : a->across ? 2u * a->parts : a->parts) && r == STEP_OK; k++) {
		if (a->across)
			words_of_part(a, k / 2, k % 2, p.addr);
		else
			for (int l = 0; l < LANES; l++)
				p.addr[l] = a->addr[l] + 4 * k;
		if (a->set != READ_SET)
			lane_global_log(x, &o, &p);
		if (__builtin_expect(x->pages.sets != NULL, 0))
			r = lane_global_sets(x, &o, p.addr, a->set, a->op);
	}
	if (r != STEP_OK)
		return r;
	if (one) {
		lane_note(x, &o, a->kind, MEM_GLOBAL, a->addr, a->run);
		return STEP_OK;
	}
	note_across(x, a, MEM_GLOBAL);
	return STEP_OK;
}

/* Passes beyond those of lanes side by side, for elements of several words: as many lanes as have the words of a whole
 * pass go together (CLRX GcnTimings, "Throughput": ds_read_b64 and b128 take 2 and 4 times ds_read_b32's cycles). */
static unsigned extra_of_wide(const struct exec *x, const struct gcn_access *a, lane_mask lanes)
{
	const struct banks *banks = x->banks;
	unsigned words = a->parts > 2 ? 4 : 2, together = banks->lanes / words, extra = 0;
	uint32_t addr[LANES_MAX] = { 0 };

	for (unsigned first = 0; first < LANES; first += together) {
		lane_mask slots = 0;
		for (unsigned l = first; l < first + together; l++)
			for (unsigned part = 0; lanes >> l & 1 && part < a->parts; part++) {
				unsigned slot = (l - first) * words + part;
				addr[slot] = ((uint32_t)a->addr[l] & ~3u) + 4 * part;
				slots |= 1ull << slot;
			}
		extra += slots ? shared_passes(banks, addr, slots) - 1 : 0;
	}
	return extra;
}

static void announce_wide(struct exec *x, const struct gcn_access *a, lane_mask lanes)
{
	struct opnd o = element(total_width(a), false);
	struct access *to = lane_note(x, &o, a->kind, MEM_SHARED, a->addr, false);

	if (!to)
		return;
	to->pattern = PATTERN_COUNTED;
	to->extra = (uint8_t)extra_of_wide(x, a, lanes);
}

static void announce_shared(struct exec *x, struct gcn_access *a)
{
	lane_mask lanes = a->lanes[MEM_SHARED];
	bool across = lies_across(x, a, MEM_SHARED);
	struct opnd o = element(across ? 4 : a->width, false);
	/* an order of reductions is not told from another in LDS */
	enum rw_set set = a->set == READ_SET ? READ_SET : WRITE_SET;
	uint32_t addr[LANES] = { 0 };

	for (unsigned part = 0; part < a->parts; part++)
		for (unsigned last = 0; last <= across; last++) {
			FOR_LANES(l)
				addr[l] = (uint32_t)a->addr[l] + 4 * part + (last ? a->width - 1u : 0);
			FOR_LANES(l)
				addr[l] &= across ? ~3u : ~0u;
			lane_shared_sets(x, o.width, addr, lanes, set);
		}
	if (a->parts > 1)
		announce_wide(x, a, lanes);
	else if (across)
		note_across(x, a, MEM_SHARED);
	else
		lane_note(x, &o, a->kind, MEM_SHARED, a->addr, lane_run(addr, lanes, o.width));
}

static void announce_local(struct exec *x, struct gcn_access *a)
{
	struct opnd o = element(total_width(a), false);

	lane_note(x, &o, a->kind, MEM_LOCAL, a->addr, false);
}

int SIMD_NAME(gcn_announce)(struct exec *x, struct gcn_access *a)
{
	lane_mask executed = x->step.executed;
	int r = STEP_OK;

	x->step.executed = a->lanes[MEM_GLOBAL];
	if (a->lanes[MEM_GLOBAL])
		r = announce_global(x, a);
	x->step.executed = a->lanes[MEM_SHARED];
	if (r == STEP_OK && a->lanes[MEM_SHARED])
		announce_shared(x, a);
	x->step.executed = a->lanes[MEM_LOCAL];
	if (r == STEP_OK && a->lanes[MEM_LOCAL])
		announce_local(x, a);
	x->step.executed = executed;
	return r;
}

static int prepare(struct exec *x, struct gcn_access *a)
{
	int r = SIMD_NAME(gcn_locate)(x, a);

	return r == STEP_OK ? SIMD_NAME(gcn_announce)(x, a) : r;
}

/* ---- words ---- */

/* An element that lies in two pages: `value` is stored, or without `value` its bytes are loaded into *loaded. True: a
 * store has changed a byte. */
static bool move_across_pages(struct exec *x, const struct gcn_access *a, uint64_t addr, const uint32_t *value,
			      uint32_t *loaded)
{
	uint8_t *place[4], bytes[4];
	bool changed = false;

	for (unsigned i = 0; i < a->width && i < sizeof bytes; i++) {
		uint64_t real = addr + i;
		lane_real(x, 0, addr + i, 1, &real);
		place[i] = global_at(x->memory->global, &x->pages, real, 1);
		bytes[i] = *place[i];
	}
	if (value)
		changed = word_store(bytes, a->width, *value);
	else
		*loaded = word_load(bytes, a->width, a->is_signed);
	for (unsigned i = 0; changed && i < a->width && i < sizeof bytes; i++)
		*place[i] = bytes[i];
	return changed;
}

static void gather(struct exec *x, const struct gcn_access *a, unsigned part, struct row *v)
{
	*v = (struct row){ { 0 } };
	FOR_SET_LANES(l, gcn_access_lanes(a))
		if (__builtin_expect(a->host[part][l] != NULL, 1))
			v->lane[l] = word_load(a->host[part][l], a->width, a->is_signed);
		else
			move_across_pages(x, a, a->addr[l] + 4 * part, NULL, &v->lane[l]);
}

static void place_half(struct row *v, const struct row *old, enum gcn_half half)
{
	if (half == HALF_NONE)
		return;
	FOR_LANES(l)
		v->lane[l] = half == HALF_LOW ? (v->lane[l] & 0xffff) | (old->lane[l] & 0xffff0000) :
			     v->lane[l] << 16 | (old->lane[l] & 0xffff);
}

int SIMD_NAME(gcn_load)(struct exec *x, struct gcn_access *a, struct row *to, enum gcn_half half)
{
	struct row v[PARTS_MAX];
	int r;

	a->kind = ACCESS_LOAD;
	a->set = READ_SET;
	r = prepare(x, a);
	if (r != STEP_OK)
		return r;
	if (a->run) {
		memcpy(to, a->run, sizeof(struct row));
		return STEP_OK;
	}
	for (unsigned part = 0; part < a->parts; part++)
		gather(x, a, part, &v[part]);
	place_half(&v[0], to, half);
	for (unsigned part = 0; part < a->parts; part++)
		row_blend(to + part, &v[part], x->step.executed);
	return STEP_OK;
}

/* Lanes without a place to store are left out. */
static int store_order(struct exec *x, const struct gcn_access *a, int order[])
{
	lane_mask executed = x->step.executed;
	int n;

	x->step.executed = gcn_access_lanes(a);
	n = lane_store_order(x, order);
	x->step.executed = executed;
	return n;
}

int SIMD_NAME(gcn_store)(struct exec *x, struct gcn_access *a, const struct row *from, enum gcn_half half)
{
	int order[LANES], n, r;
	bool changed = false;

	a->kind = ACCESS_STORE;
	a->set = WRITE_SET;
	r = prepare(x, a);
	if (r != STEP_OK)
		return r;
	x->progress++;
	if (a->run && x->rules->store_winner != WINNER_RANDOM) {
		x->changes += words_store(a->run, from->lane, LANES);
		return STEP_OK;
	}
	n = store_order(x, a, order);
	for (unsigned part = 0; part < a->parts; part++) {
		const struct row *v = from + part;
		for (int i = 0; i < n; i++) {
			uint8_t *to = a->host[part][order[i]];
			uint32_t value = v->lane[order[i]] >> (half == HALF_HIGH ? 16 : 0);
			changed |= to ? word_store(to, a->width, value)
				      : move_across_pages(x, a, a->addr[order[i]] + 4 * part, &value, NULL);
		}
	}
	x->changes += changed;
	return STEP_OK;
}

/* ---- words of LDS ---- */

static inline bool has_shape(const struct gcn_words *a)
{
	return SHAPES_ARE_KEPT && a->by_shape.shape;
}

static void announce_words(struct exec *x, enum access_kind kind, enum rw_set set, const struct gcn_words *a)
{
	struct opnd o = element(4, false);
	lane_mask lanes = x->step.executed;
	lane_address wide[LANES];
	struct access *to;
	bool run;

	lane_shared_sets(x, 4, a->addr.lane, lanes, set);
	if (!x->hooks.access)
		return;
	FOR_LANES(l)
		wide[l] = a->addr.lane[l];
	run = lane_run(a->addr.lane, lanes, 4);
	to = lane_note(x, &o, kind, MEM_SHARED, wide, run);
	if (!to || run || !has_shape(a))
		return;
	to->pattern = PATTERN_COUNTED;
	to->extra = (uint8_t)lane_shape_extra(x, a->by_shape.shape, lanes);
}

void SIMD_NAME(gcn_load_words)(struct exec *x, const struct gcn_words *a, struct row *to)
{
	struct opnd o = element(4, false);
	lane_mask lanes = x->step.executed;
	struct row v;

	if (has_shape(a) && !a->wanted) {
		lane_words_load(x, &o, &a->by_shape, lanes, lanes == lane_all() ? to->lane : v.lane);
		if (lanes == lane_all())
			return;
	} else {
		announce_words(x, ACCESS_LOAD, READ_SET, a);
		words_gather(x->block->shared, v.lane, a->addr.lane, LANES, lanes);
	}
	row_blend(to, &v, lanes);
}

void SIMD_NAME(gcn_store_words)(struct exec *x, const struct gcn_words *a, const struct row *from)
{
	const uint32_t *addr = a->addr.lane;
	uint8_t *shared = x->block->shared;
	struct opnd o = element(4, false);
	lane_mask lanes = x->step.executed;

	x->progress++;
	if (has_shape(a) && !a->wanted) {
		lane_words_store(x, &o, &a->by_shape, lanes, from->lane);
		return;
	}
	announce_words(x, ACCESS_STORE, WRITE_SET, a);
	if (has_shape(a))
		lane_words_put(x, &a->by_shape, lanes, from->lane);
	else
		x->changes += words_scatter(shared, addr, from->lane, lanes);
}

/* ---- atomics: lane by lane, in order ---- */

static void atomic_words(struct exec *x, struct gcn_access *a, enum atomic_op op, const struct row *data,
			 const struct row *second, struct row *old)
{
	FOR_SET_LANES(l, gcn_access_lanes(a)) {
		memory_word *at = (memory_word *)a->host[0][l];
		uint32_t before = __atomic_load_n(at, __ATOMIC_RELAXED), after;
		do
			after = atomic_word(op, before, data->lane[l], second->lane[l]);
		while (!lane_replace(x, at, &before, after));
		old->lane[l] = before;
		x->progress += before != after;
		x->changes += before != after;
	}
}

static uint64_t pair_at(const struct row *low, int l)
{
	return (uint64_t)low[1].lane[l] << 32 | low->lane[l];
}

static void atomic_pairs(struct exec *x, struct gcn_access *a, enum atomic_op op, const struct row *data,
			 const struct row *second, struct row *old)
{
	FOR_SET_LANES(l, gcn_access_lanes(a)) {
		memory_pair *at = (memory_pair *)a->host[0][l];
		uint64_t before = __atomic_load_n(at, __ATOMIC_RELAXED), after;
		do
			after = atomic_pair(op, before, pair_at(data, l), pair_at(second, l));
		while (!lane_replace_pair(x, at, &before, after));
		old[0].lane[l] = (uint32_t)before;
		old[1].lane[l] = (uint32_t)(before >> 32);
		x->progress += before != after;
		x->changes += before != after;
	}
}

int SIMD_NAME(gcn_atomic)(struct exec *x, struct gcn_access *a, enum atomic_op op, const struct row *data,
			  const struct row *second, bool returns, struct row *to)
{
	struct row old[2] = { 0 };
	int r;

	a->kind = ACCESS_ATOMIC;
	a->set = atomic_commutes(op) ? REDUCE_SET : WRITE_SET;
	a->op = (unsigned)op << 2 | a->parts;
	if (x->pages.sets && returns && a->lanes[MEM_GLOBAL])
		return exec_refuse(x, "an atomic operation returns what was there before");
	/* a single element: pairs are whole, even in LDS */
	if (!whole(a, gcn_access_lanes(a)))
		return exec_fault(x, a->lanes[MEM_SHARED] ? FAULT_SHARED_MISALIGNED : FAULT_GLOBAL_MISALIGNED,
				  gcn_access_lanes(a), a->addr[__builtin_ctzll(gcn_access_lanes(a))]);
	r = prepare(x, a);
	if (r != STEP_OK)
		return r;
	for (unsigned i = 0; i < x->step.accesses; i++)
		x->step.access[i].compares = op == ATOMIC_CMPSWAP;
	(a->parts == 2 ? atomic_pairs : atomic_words)(x, a, op, data, second ? second : data, old);
	for (unsigned part = 0; part < a->parts && returns; part++)
		row_blend(to + part, &old[part], x->step.executed);
	return STEP_OK;
}
