/* Vertices lie in memory one after another, registers lie in rows of one component: the two ways between them. */
#include "core/isa/pica/exec.h"

/* A register of one vertex as memory has it, aligned as words are. */
typedef uint32_t quad __attribute__((vector_size(16), aligned(4)));

static inline quad *quad_at(const uint32_t *words, int vertex)
{
	return (quad *)(uintptr_t)(words + ROWS_VECTORS * vertex);
}

static inline quad *quad_of(const struct row *row, int lane)
{
	return (quad *)(uintptr_t)&row->lane[lane];
}

/* Four vertices' registers to four lanes of the rows of x, y, z and w, or back. */
static inline void transpose(quad q[4])
{
	quad xy01 = __builtin_shufflevector(q[0], q[1], 0, 4, 1, 5), zw01 = __builtin_shufflevector(q[0], q[1], 2, 6, 3, 7);
	quad xy23 = __builtin_shufflevector(q[2], q[3], 0, 4, 1, 5), zw23 = __builtin_shufflevector(q[2], q[3], 2, 6, 3, 7);

	q[0] = __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
	q[1] = __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
	q[2] = __builtin_shufflevector(zw01, zw23, 0, 1, 4, 5);
	q[3] = __builtin_shufflevector(zw01, zw23, 2, 3, 6, 7);
}

/* Nearly all inputs are ordinary numbers, of which the machine's format drops bits. */
static bool convert(struct row rows[4])
{
	struct row odd;

	if (MODE == F24_OFF)
		return true;
	EACH_LANE(l) {
		odd.lane[l] = 0;
		for (int k = 0; k < 4; k++)
			odd.lane[l] |= f24_ordinary(rows[k].lane[l]) ? 0 : F24_SIGN;
	}
	bool ordinary = !row_any_sign(&odd);
	for (int k = 0; k < 4; k++) {
		if (ordinary)
			EACH_LANE(l)
				rows[k].lane[l] &= ~F24_CUT;
		else
			FOR_LANES(l)
				rows[k].lane[l] = f24_from_float(rows[k].lane[l], MODE);
	}
	return ordinary;
}

bool PICA_BUILD(pica_take)(struct row to[4], const uint32_t *words, uint32_t lanes)
{
	for (uint32_t l = lanes == LANES ? LANES : 0; l < lanes; l++)
		for (int k = 0; k < 4; k++)
			to[k].lane[l] = words[ROWS_VECTORS * l + (uint32_t)k];
	for (int l = 0; lanes == LANES && l < LANES; l += 4) {
		quad q[4];
		for (int i = 0; i < 4; i++)
			q[i] = *quad_at(words, l + i);
		transpose(q);
		for (int k = 0; k < 4; k++)
			*quad_of(&to[k], l) = q[k];
	}
	return convert(to);
}

void PICA_BUILD(pica_give)(uint32_t *words, const struct row from[4], lane_mask lanes)
{
	FOR_SET_LANES(l, lanes == lanes_first(LANES) ? 0 : lanes)
		for (int k = 0; k < 4; k++)
			words[ROWS_VECTORS * l + k] = from[k].lane[l];
	for (int l = 0; lanes == lanes_first(LANES) && l < LANES; l += 4) {
		quad q[4];
		for (int k = 0; k < 4; k++)
			q[k] = *quad_of(&from[k], l);
		transpose(q);
		for (int i = 0; i < 4; i++)
			*quad_at(words, l + i) = q[i];
	}
}
