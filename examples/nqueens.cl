// Eight queens in OpenCL C: each work-item searches below its own first two queens.
//
// What to look for: a search with a stack of its own in private memory, in which every lane is somewhere else. Some
// lanes have nothing to do from the start: their two queens attack each other.
// .grid 1
// .block 64
// .arg zero=256                          out: solutions below each pair of first queens
// expect: arg 0 u32[0..7] = 0 0 1 2 3 1 1 0
__kernel void nqueens(__global uint *out)
{
	uint id = get_global_id(0), first = id & 7, second = id >> 3, found = 0;
	uint free[8], left[8], right[8], columns[8];
	int row = 2;

	if (first == second || abs((int)first - (int)second) == 1) {
		out[id] = 0;
		return;
	}
	columns[2] = 1u << first | 1u << second;
	left[2] = (1u << first << 2 | 1u << second << 1) & 0xff;
	right[2] = 1u << first >> 2 | 1u << second >> 1;
	free[2] = ~(columns[2] | left[2] | right[2]) & 0xff;
	while (row > 1) {
		uint bit = free[row] & -free[row];
		if (!bit) {
			row--;
			continue;
		}
		free[row] ^= bit;
		if (row == 7) {
			found++;
			continue;
		}
		columns[row + 1] = columns[row] | bit;
		left[row + 1] = (left[row] | bit) << 1 & 0xff;
		right[row + 1] = (right[row] | bit) >> 1;
		row++;
		free[row] = ~(columns[row] | left[row] | right[row]) & 0xff;
	}
	out[id] = found;
}
