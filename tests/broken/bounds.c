/* Comparisons of addresses (mem/bounds.h, words_inside of mem/lane_words.h) against sums of 128 bits, at their borders:
 * built from the headers, and from copies of them with a defect each, of which it must exit with 1 (bounds.sh). */
#include "mem/lane_words.h"

typedef unsigned __int128 wide_sum;

static bool fits(uint64_t addr, uint64_t width, uint64_t bytes)
{
	return (wide_sum)addr + width <= bytes;
}

static bool agree(const uint32_t addr[64], lane_mask lanes, unsigned width, uint32_t bytes)
{
	bool all = true;

	for (int l = 0; l < 64; l++)
		all &= !(lanes >> l & 1) || (addr[l] % width == 0 && fits(addr[l], width, bytes));
	return words_inside(addr, 64, lanes, width, bytes) == all;
}

int main(void)
{
	static const uint64_t bases[] = { 0, 1, 4, 64, 252, 1024, 1 << 16, 1ull << 31, 1ull << 32, 1ull << 63 };
	static const uint32_t sizes[] = { 0, 1, 3, 4, 16, 252, 1024, 1 << 16 };
	uint32_t addr[64];
	bool ok = true;

	for (unsigned b = 0; b < sizeof bases / sizeof *bases; b++)
		for (int near = -20; near <= 20; near++)
			for (unsigned w = 1; w <= 16; w *= 2)
				for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
					uint64_t a = bases[b] + (uint64_t)(int64_t)near;
					ok &= bytes_inside(a, w, sizes[s]) == fits(a, w, sizes[s]);
					for (int l = 0; l < 64; l++)
						addr[l] = (uint32_t)a;
					ok &= agree(addr, ~0ull, w, sizes[s]) && agree(addr, 0, w, sizes[s]);
					for (int l = 0; l < 63; l++)
						addr[l] = 0;
					ok &= agree(addr, ~0ull, w, sizes[s]) && agree(addr, ~0ull >> 1, w, sizes[s]);
				}
	return !ok;
}
