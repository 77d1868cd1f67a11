/* Lane memory for a machine of 64 lanes in groups of 32, 32 banks and addresses of 64 bits, beside a lane at a time:
 * loads and stores, costs, faults and conflicts. Built once for each SIMD level. */
#include "tests/kit/cmocka_all.h"

#define LANE_MEMORY_LANES 64
#define LANE_MEMORY_GROUP 32
#define LANE_MEMORY_ADDRESS uint64_t
#include "core/isa/lane_memory.h"
#include "mem/coalesce.h"
#include "tests/kit/host_has.h"

enum { SHARED_BYTES = 8192, ROUNDS = 4000 };
static const uint64_t HIGH = 1ull << 40;

struct machine64 {
	struct exec x;
	struct block block;
	struct warp warp;
	struct rules rules;
	struct memory memory;
	struct global global;
	struct tally tally;
	uint8_t shared[SHARED_BYTES + 256];
};

static const struct banks banks = { .lanes = 32, .count = 32 };
static const struct coalescer coalescer = {
	.rule = COALESCE_SEGMENT, .lanes = 32, .smallest = 32, .largest = 128,
};
static const struct opnd word = { .width = 4, .addr_reg = 1 };

static void ignore(struct exec *x)
{
}

static struct machine64 *machine_new(void)
{
	struct machine64 *m = calloc(1, sizeof *m);

	m->block = (struct block){ .shared = m->shared, .shared_bytes = SHARED_BYTES };
	m->global.first_buffer = GLOBAL_FIRST_BUFFER; /* 44-bit addresses */
	m->memory.global = &m->global;
	m->tally = (struct tally){ .pass_cycles = 2, .run_bytes = coalesce_whole(&coalescer, 4) };
	m->x = (struct exec){
		.warp = &m->warp, .block = &m->block, .rules = &m->rules, .memory = &m->memory, .tally = &m->tally,
		.hooks.access = ignore, .banks = &banks,
	};
	m->x.step.executed = ~0ull;
	return m;
}

static void machine_free(struct machine64 *m)
{
	global_free(&m->global);
	free(m);
}

static uint64_t draw(uint64_t *random)
{
	uint64_t high = rng_below(random, ~0u);

	return high << 32 | rng_below(random, ~0u);
}

/* Side by side, a step of words apart, near each other, or anywhere. */
static void draw_addresses(uint64_t *random, uint32_t addr[64])
{
	uint32_t shape = rng_below(random, 4), step = 1 + rng_below(random, 8), at = 4 * rng_below(random, 512);

	for (uint32_t l = 0; l < 64; l++) {
		switch (shape) {
		case 0: addr[l] = at + 4 * l; break;
		case 1: addr[l] = at + 4 * l * step; break;
		case 2: addr[l] = at + 4 * (2 * l - (l & 3)); break;
		default: addr[l] = 4 * rng_below(random, SHARED_BYTES / 4);
		}
		addr[l] %= SHARED_BYTES;
	}
}

static unsigned passes(const uint32_t addr[64], uint64_t lanes)
{
	unsigned extra = 0;

	for (int g = 0; g < 2; g++) {
		uint64_t own = lanes >> 32 * g & 0xffffffff;
		extra += own ? shared_passes(&banks, addr + 32 * g, own) - 1 : 0;
	}
	return extra;
}

static void shared_words(void **state)
{
	struct machine64 *m = machine_new();
	uint64_t random = 1, extra = 0, changes = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t lanes = round & 1 ? ~0ull : draw(&random);
		uint32_t addr[64], v[64], out[64];
		uint8_t want[SHARED_BYTES];
		draw_addresses(&random, addr);
		for (int l = 0; l < 64; l++)
			v[l] = rng_below(&random, ~0u);
		memcpy(want, m->shared, sizeof want);
		for (int l = 0; l < 64; l++)
			if (lanes >> l & 1)
				memcpy(want + addr[l], &v[l], 4);
		changes += memcmp(m->shared, want, sizeof want) != 0;
		assert_true(lane_shared_store(&m->x, &word, addr, lanes, v));
		assert_memory_equal(m->shared, want, sizeof want);
		assert_int_equal(m->x.changes, changes);
		assert_true(lane_shared_load(&m->x, &word, addr, lanes, out));
		for (int l = 0; l < 64; l++)
			if (lanes >> l & 1)
				assert_memory_equal(&out[l], want + addr[l], 4);
		extra += 2 * passes(addr, lanes);
		assert_int_equal(m->tally.extra_passes, extra);
	}
	machine_free(m);
}

static void shared_faults(void **state)
{
	struct machine64 *m = machine_new();
	uint32_t addr[64] = { 0 }, out[64];

	(void)state;
	addr[63] = SHARED_BYTES - 2;
	assert_false(lane_shared_load(&m->x, &word, addr, ~0ull, out));
	assert_true(lane_shared_load(&m->x, &word, addr, ~0ull >> 1, out));
	assert_int_equal(lane_shared_check(&m->x, 4, addr), STEP_FAULT);
	assert_int_equal(m->x.fault.kind, FAULT_SHARED_MISALIGNED);
	assert_true(m->x.fault.lanes == 1ull << 63);
	addr[63] = SHARED_BYTES - 4;
	assert_true(lane_shared_load(&m->x, &word, addr, ~0ull, out));
	addr[63] = SHARED_BYTES;
	assert_false(lane_shared_load(&m->x, &word, addr, ~0ull, out));
	assert_false(lane_shared_store(&m->x, &word, addr, ~0ull, out));
	assert_true(lane_shared_store(&m->x, &word, addr, ~0ull >> 1, out));
	addr[63] = 0;
	addr[40] = SHARED_BYTES;
	assert_int_equal(lane_shared_check(&m->x, 4, addr), STEP_FAULT);
	assert_int_equal(m->x.fault.kind, FAULT_SHARED_OUT_OF_RANGE);
	assert_true(m->x.fault.lanes == 1ull << 40);
	machine_free(m);
}

/* Above 4 GiB: all lanes side by side, and each alone; one more lane than mapped. */
static void global_words(void **state)
{
	struct machine64 *m = machine_new();
	struct lane_places p;
	uint32_t v[64], out[64];
	uint8_t *at[LANE_GROUPS];

	(void)state;
	assert_true(global_map(&m->global, HIGH, 4096, NULL));
	assert_false(global_map(&m->global, 1ull << 44, 1, NULL));
	for (int l = 0; l < 64; l++) {
		p.addr[l] = HIGH + 128 + 4 * (uint64_t)l;
		v[l] = 77 * (uint32_t)l;
	}
	assert_int_equal(lane_global_places(&m->x, &word, &p), STEP_OK);
	assert_non_null(p.run);
	assert_true(words_store(p.run, v, 64));
	assert_false(words_store(p.run, v, 64));
	assert_true(lane_global_groups(&m->x, &word, p.addr, at, READ_SET));
	assert_memory_equal(at[1], v + 32, 128);
	lane_notify_run(&m->x, &word, ACCESS_LOAD, p.addr);
	assert_int_equal(m->tally.loads, 2);
	for (int l = 0; l < 64; l++)
		p.addr[l] = HIGH + 128 + 4 * (uint64_t)(63 - l);
	assert_int_equal(lane_global_places(&m->x, &word, &p), STEP_OK);
	assert_null(p.run);
	lane_load_part(&p, &word, ~0ull, 0, out);
	for (int l = 0; l < 64; l++)
		assert_int_equal(out[l], v[63 - l]);
	p.addr[17] = p.addr[17] & 0xffffffff;   /* the same lower half, not mapped */
	assert_int_equal(lane_global_places(&m->x, &word, &p), STEP_FAULT);
	assert_int_equal(m->x.fault.kind, FAULT_GLOBAL_UNMAPPED);
	assert_true(m->x.fault.lanes == 1ull << 17);
	machine_free(m);
}

/* Two warps, and two workers, at words that differ only in the address's upper half, and at the same. */
static bool conflict(struct machine64 *m, uint64_t apart, bool by_worker)
{
	struct conflicts c;
	struct warp_sets s;
	uint64_t addr[64];
	bool found = false;

	assert_true(conflicts_begin(&c, &m->global, 2) && warp_sets_init(&s, SHARED_BYTES));
	for (unsigned i = 0; i < 2; i++) {
		for (int l = 0; l < 64; l++)
			addr[l] = HIGH + 8 * (uint64_t)l + i * apart;
		m->x.pages.sets = &c.of[by_worker ? i : 0];
		m->x.warp_sets = &s;
		warp_sets_begin(&s);
		warp_sets_select(&s, 0);
		if (!by_worker && i) {
			warp_sets_global(&s, HIGH, 1, READ_SET);
			warp_sets_select(&s, 1);
		}
		assert_int_equal(lane_global_sets(&m->x, &word, addr, WRITE_SET, 0), STEP_OK);
	}
	for (uint32_t i = 0; i < c.npages; i++)
		found |= conflicts_in_page(&c, i);
	found |= s.refused != NULL;
	conflicts_end(&c);
	warp_sets_free(&s);
	memset(&m->x.pages, 0, sizeof m->x.pages);
	m->x.warp_sets = NULL;
	return found;
}

static void sets(void **state)
{
	struct machine64 *m = machine_new();

	(void)state;
	assert_true(global_map(&m->global, HIGH, 4096, NULL) && global_map(&m->global, 2 * HIGH, 4096, NULL));
	for (int by_worker = 0; by_worker < 2; by_worker++) {
		assert_true(conflict(m, 0, by_worker));
		assert_false(conflict(m, HIGH, by_worker));
		assert_false(conflict(m, 1024, by_worker));
	}
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared_words),
		cmocka_unit_test(shared_faults),
		cmocka_unit_test(global_words),
		cmocka_unit_test(sets),
	};

	return host_has(compiled_level()) ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
