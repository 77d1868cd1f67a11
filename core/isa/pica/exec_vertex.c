/* Vertices lie in memory one after another, registers in rows by component: the two conversions. */
#include "core/isa/pica/exec.h"

/* A register of a vertex in memory, aligned like words; and a vector of such registers at the SIMD level. A value
 * stored and loaded again at once has to be of that width. */
enum { QUADS = VECTOR_LANES / 4 };
#if VECTOR_LANES == 16
#define EACH_QUAD(m) m(0), m(4), m(8), m(12)
#elif VECTOR_LANES == 8
#define EACH_QUAD(m) m(0), m(4)
#else
#define EACH_QUAD(m) m(0)
#endif
enum { WIDE = 4 * QUADS };
typedef uint32_t quad __attribute__((vector_size(16), aligned(4)));
typedef uint32_t pair __attribute__((vector_size(32)));
typedef uint32_t wide __attribute__((vector_size(16 * QUADS)));

static inline quad quad_at(const uint32_t *words, int vertex)
{
	return *(const quad *)(words + ROWS_VECTORS * vertex);
}

#if VECTOR_LANES > 4
static inline pair join(quad low, quad high)
{
	return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
#endif

/* The registers of vertices `vertex`, + 4, + 8 and + 12. */
static inline wide wide_at(const uint32_t *words, int vertex)
{
#if VECTOR_LANES == 16
	pair low = join(quad_at(words, vertex), quad_at(words, vertex + 4));
	pair high = join(quad_at(words, vertex + 8), quad_at(words, vertex + 12));

	return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif VECTOR_LANES == 8
	return join(quad_at(words, vertex), quad_at(words, vertex + 4));
#else
	return quad_at(words, vertex);
#endif
}

/* In each quad: the first or last words of two in turns, or pairs of words. */
#define FIRST(i) (i), (i) + WIDE, (i) + 1, (i) + WIDE + 1
#define LAST(i) (i) + 2, (i) + WIDE + 2, (i) + 3, (i) + WIDE + 3
#define FIRST_PAIR(i) (i), (i) + 1, (i) + WIDE, (i) + WIDE + 1
#define LAST_PAIR(i) (i) + 2, (i) + 3, (i) + WIDE + 2, (i) + WIDE + 3

/* Four vertices' registers, in each quad, to a row each of x, y, z and w, or back. */
static inline void transpose(wide v[4])
{
	wide xy01 = __builtin_shufflevector(v[0], v[1], EACH_QUAD(FIRST));
	wide zw01 = __builtin_shufflevector(v[0], v[1], EACH_QUAD(LAST));
	wide xy23 = __builtin_shufflevector(v[2], v[3], EACH_QUAD(FIRST));
	wide zw23 = __builtin_shufflevector(v[2], v[3], EACH_QUAD(LAST));

	v[0] = __builtin_shufflevector(xy01, xy23, EACH_QUAD(FIRST_PAIR));
	v[1] = __builtin_shufflevector(xy01, xy23, EACH_QUAD(LAST_PAIR));
	v[2] = __builtin_shufflevector(zw01, zw23, EACH_QUAD(FIRST_PAIR));
	v[3] = __builtin_shufflevector(zw01, zw23, EACH_QUAD(LAST_PAIR));
}

/* Any vertices, any values. */
static bool take_exactly(struct row to[4], const uint32_t *words, uint32_t lanes)
{
	bool ordinary = true;

	for (uint32_t l = 0; l < lanes; l++)
		for (int k = 0; k < 4; k++) {
			uint32_t value = f24_from_float(words[ROWS_VECTORS * l + (uint32_t)k], MODE);
			to[k].lane[l] = value;
			ordinary &= f24_ordinary(value);
		}
	return ordinary;
}

/* Nearly all inputs are ordinary numbers; the machine's format drops bits of them. */
bool PICA_BUILD(pica_take)(struct row to[4], const uint32_t *words, uint32_t lanes)
{
	wide all = { 0 };
	uint32_t odd = 0;

	for (int l = 0; lanes == LANES && l < LANES; l += WIDE) {
		wide v[4];
		for (int i = 0; i < 4; i++)
			v[i] = wide_at(words, l + i);
		transpose(v);
		for (int k = 0; k < 4; k++) {
			wide m = v[k] & ~F24_SIGN;
			all |= (wide)(m - F24_MIN_NORMAL >= F24_TOO_BIG - F24_MIN_NORMAL) & m;
			// NOLINTNEXTLINE(misc-redundant-expression): MODE is this file's parameter
			*(wide *)&to[k].lane[l] = MODE == F24_OFF ? v[k] : v[k] & ~F24_CUT;
		}
	}
	for (int i = 0; i < WIDE; i++)
		odd |= all[i];
	return lanes == LANES && !odd ? true : take_exactly(to, words, lanes);
}

void PICA_BUILD(pica_give)(uint32_t *words, const struct row from[4], lane_mask lanes)
{
	FOR_SET_LANES(l, lanes == lanes_first(LANES) ? 0 : lanes)
		for (int k = 0; k < 4; k++)
			words[ROWS_VECTORS * l + k] = from[k].lane[l];
	for (int l = 0; lanes == lanes_first(LANES) && l < LANES; l += WIDE) {
		wide v[4];
		for (int k = 0; k < 4; k++)
			v[k] = *(const wide *)&from[k].lane[l];
		transpose(v);
		for (int i = 0; i < WIDE; i++)
			*(quad *)(words + ROWS_VECTORS * (l + i)) = ((const quad *)&v[i % 4])[i / 4];
	}
}

void PICA_BUILD(pica_clear)(struct row *rows, uint32_t set)
{
	FOR_SET_LANES(reg, (uint64_t)set)
		for (int k = 0; k < 4; k++)
			for (int l = 0; l < LANES; l += WIDE)
				*(wide *)&rows[4 * reg + k].lane[l] = (wide){ 0 };
}
