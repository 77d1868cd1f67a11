/* A seed expanded to a wavefront program (wavefront.h): templates, each with registers and constants of a few. Where an
 * address is wild the launch faults or the access does nothing; either is an outcome that all ways must share. */
#include "tests/random/wavefront.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct writer {
	uint64_t state;
	char *text;
	size_t size, n;
	unsigned chip, labels;
};

static unsigned pick(struct writer *w, unsigned n)
{
	w->state += 0x9e3779b97f4a7c15ull;
	uint64_t z = w->state;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (unsigned)((z ^ (z >> 31)) >> 16) % n;
}

static void put(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(struct writer *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(w->text + w->n, w->size - w->n, fmt, ap);
	va_end(ap);
	w->n = w->n + (size_t)n < w->size ? w->n + (size_t)n : w->size - 1;
}

/* Constants near the borders of what there is, of 2^31 and 2^32. */
static unsigned constant(struct writer *w)
{
	static const unsigned some[] = {
		0, 4, 8, 252, 256, 1008, 1020, 1021, 1024, 4092, 4096, 0x7ffffffc, 0x80000000, 0x800003fc, 0xffff0000,
		0xfffffff0, 0xfffffffc, 0xffffffff,
	};

	return pick(w, 3) ? pick(w, 256) * 4 : some[pick(w, sizeof some / sizeof *some)];
}

/* v8 to v15 are values, v4 to v7 addresses, mostly good ones. */
static void compute(struct writer *w)
{
	static const char *const ops[] = {
		"v_xor_b32", "v_and_b32", "v_or_b32", "v_mul_u32_u24", "v_max_u32", "v_min_i32", "v_add_f32",
		"v_mul_f32",
	};

	switch (pick(w, 8)) {
	case 0: put(w, "v_mov_b32 v%u, 0x%x\n", 8 + pick(w, 8), pick(w, 0x7fffffff)); break;
	case 1: put(w, "v_readlane_b32 s%u, v%u, %u\n", 24 + pick(w, 4), 8 + pick(w, 8), pick(w, 64)); break;
	case 2: put(w, "s_xor_b32 s%u, s%u, s%u\n", 24 + pick(w, 4), 24 + pick(w, 4), 24 + pick(w, 4)); break;
	case 3: put(w, "v_lshlrev_b32 v%u, %u, v%u\n", 8 + pick(w, 8), pick(w, 32), 8 + pick(w, 8)); break;
	default: put(w, "%s v%u, v%u, v%u\n", ops[pick(w, 8)], 8 + pick(w, 8), pick(w, 16), 8 + pick(w, 8));
	}
}

static void address(struct writer *w)
{
	unsigned reg = 4 + pick(w, 4);

	switch (pick(w, 6)) {
	case 0: put(w, "v_mov_b32 v%u, 0x%x\n", reg, constant(w)); break;
	case 1: put(w, "v_lshlrev_b32 v%u, %u, v0\n", reg, pick(w, 6)); break;
	case 2: put(w, "v_and_b32 v%u, 0x3fc, v%u\n", reg, 8 + pick(w, 8)); break;
	default: put(w, "v_lshlrev_b32 v%u, 2, v0\n", reg);
	}
}

/* s[12:15] is a buffer of 4,096 bytes at 0, s[16:19] has anything. */
static void access_memory(struct writer *w)
{
	static const char *const lds[] = {
		"ds_read_b32 v%u, v%u offset:%u\n", "ds_read_u8 v%u, v%u offset:%u\n",
		"ds_read_b64 v[%u:11], v%u offset:%u\n", "ds_write_b32 v%2$u, v%1$u offset:%3$u\n",
		"ds_write_b16 v%2$u, v%1$u offset:%3$u\n", "ds_add_u32 v%2$u, v%1$u offset:%3$u\n",
	};
	static const char *const buffers[] = {
		"buffer_load_dword v%u, v%u, s[%u:%u], 0 offen offset:%u\n",
		"buffer_store_dword v%u, v%u, s[%u:%u], 0 offen offset:%u\n",
		"buffer_load_ubyte v%u, v%u, s[%u:%u], 0 idxen offset:%u\n",
		"buffer_store_dword v%u, v%u, s[%u:%u], 0 idxen offset:%u\n",
		"buffer_atomic_add v%u, v%u, s[%u:%u], 0 offen offset:%u\n",
		"buffer_load_format_x v%u, v%u, s[%u:%u], 0 offen offset:%u\n",
	};
	unsigned kind = pick(w, 8), value = 8 + pick(w, 2), from = 4 + pick(w, 4), first = pick(w, 4) ? 12 : 16;

	if (kind < 3) {
		unsigned k = pick(w, 6);
		put(w, lds[k], k == 2 ? 10 : value, from, pick(w, 64) ? pick(w, 16) * 4 : constant(w) & 0xffff);
	} else if (kind < 6) {
		put(w, buffers[pick(w, 6)], value, from, first, first + 3, pick(w, 256) * 4);
	} else if (kind == 6) {
		put(w, "s_buffer_load_dword s%u, s[%u:%u], 0x%x\n", 24 + pick(w, 4), first, first + 3, pick(w, 256));
	} else if (w->chip == 3 && pick(w, 2)) {
		put(w, pick(w, 2) ? "scratch_load_dword v%1$u, v%2$u, off inst_offset:%3$u\n" :
		       "scratch_store_dword v%2$u, v%1$u, off inst_offset:%3$u\n", value, from, pick(w, 64) * 4);
	} else if (w->chip) {   /* private memory, LDS or global, through FLAT */
		put(w, "v_mov_b32 v3, 0x%x\nv_mov_b32 v2, v%u\n", pick(w, 3) << 16, from);
		put(w, pick(w, 2) ? "flat_load_dword v%u, v[2:3]\n" : "flat_store_dword v[2:3], v%u\n", value);
	}
}

static void block(struct writer *w, unsigned depth);

static void branch(struct writer *w, unsigned depth)
{
	unsigned l = w->labels++, pair = 32 + 2 * depth;

	put(w, "v_cmp_gt_u32 vcc, %u, v%u\ns_and_saveexec_b64 s[%u:%u], vcc\n", pick(w, 64), pick(w, 2) ? 0 : 8, pair,
	    pair + 1);
	if (pick(w, 2))
		put(w, "s_cbranch_execz L%u\n", l);
	block(w, depth + 1);
	if (pick(w, 2)) {
		put(w, "s_andn2_b64 exec, s[%u:%u], exec\n", pair, pair + 1);
		block(w, depth + 1);
	}
	put(w, "L%u:\ns_mov_b64 exec, s[%u:%u]\n", l, pair, pair + 1);
}

/* The stack of forks lies from s0 on; only a program's outermost fork finds it empty. */
static void fork_and_join(struct writer *w)
{
	unsigned l = w->labels++;

	put(w, "v_cmp_gt_u32 vcc, %u, v0\ns_mov_b64 s[20:21], vcc\ns_mov_b32 s22, 0\ns_cbranch_i_fork s[20:21], F%u\n",
	    pick(w, 65), l);
	block(w, 3);
	put(w, "s_branch J%u\nF%u:\n", l, l);
	block(w, 3);
	put(w, "J%u:\ns_cbranch_join s22\n", l);
}

static void loop(struct writer *w, unsigned depth)
{
	unsigned l = w->labels++, counter = 48 + depth;

	put(w, "s_mov_b32 s%u, %u\nB%u:\n", counter, 1 + pick(w, 4), l);
	block(w, depth + 1);
	put(w, "s_sub_u32 s%u, s%u, 1\ns_cmp_lg_u32 s%u, 0\ns_cbranch_scc1 B%u\n", counter, counter, counter, l);
}

static void block(struct writer *w, unsigned depth)
{
	for (unsigned n = 1 + pick(w, 5); n; n--) {
		unsigned kind = pick(w, 16);
		if (kind < 5)
			compute(w);
		else if (kind < 8)
			address(w);
		else if (kind < 12)
			access_memory(w);
		else if (kind == 12 && depth < 2)
			loop(w, depth);
		else if (kind == 13 && depth == 0)
			put(w, "s_barrier\n");
		else if (kind == 14 && depth == 0)
			fork_and_join(w);
		else if (depth < 2)
			branch(w, depth);
	}
}

size_t generate_wavefront(uint64_t seed, char *text, size_t size)
{
	static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };
	struct writer w = { .state = seed, .text = text, .size = size };

	w.chip = pick(&w, 4);
	put(&w, ".kernel k\n.chip %s\ns_mov_b32 m0, -1\ns_mov_b64 s[12:13], 0\ns_movk_i32 s14, 0x1000\n"
	    "s_mov_b32 s15, 0x24fac\n", chips[w.chip]);
	for (unsigned i = 0; i < 4; i++)
		put(&w, "s_mov_b32 s%u, 0x%x\n", 16 + i,
		    i == 1 ? pick(&w, 2) << 31 | pick(&w, 0x4000) << 16 | pick(&w, 3) :
		    i == 3 ? pick(&w, 0x1000000) : constant(&w));
	for (unsigned i = 0; i < 4; i++)
		put(&w, "s_mov_b32 s%u, 0x%x\nv_lshlrev_b32 v%u, 2, v0\n", 24 + i, constant(&w), 4 + i);
	for (unsigned i = 8; i < 16; i++)
		put(&w, "v_mul_u32_u24 v%u, %u, v0\n", i, pick(&w, 64));
	for (unsigned n = 2 + pick(&w, 5); n; n--)
		block(&w, 0);
	put(&w, "s_endpgm\n");
	return w.n;
}
