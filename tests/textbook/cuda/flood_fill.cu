// Flood fill of mazes of 12 by 12 with a stack of cells, a maze in bits for each thread.
typedef unsigned char uchar;

#define SIDE 12
extern "C" __global__ void flood_fill(uint *out, const ushort *mazes)
{
	const ushort *maze = mazes + (blockIdx.x * blockDim.x + threadIdx.x) * SIDE;
	ushort seen[SIDE];
	uchar stack[SIDE * SIDE];
	int top = 0;
	uint area = 0, border = 0;

	for (int y = 0; y < SIDE; y++)
		seen[y] = maze[y];
	if (!(seen[5] >> 5 & 1)) {
		stack[top++] = 5 * SIDE + 5;
		seen[5] |= 1 << 5;
	}
	while (top) {
		int cell = stack[--top], x = cell % SIDE, y = cell / SIDE;
		area++;
		for (int d = 0; d < 4; d++) {
			int nx = x + (d == 0) - (d == 1), ny = y + (d == 2) - (d == 3);
			if (nx < 0 || ny < 0 || nx >= SIDE || ny >= SIDE) {
				border++;
				continue;
			}
			if (seen[ny] >> nx & 1)
				continue;
			seen[ny] |= 1 << nx;
			stack[top++] = ny * SIDE + nx;
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = area << 16 | border;
}
