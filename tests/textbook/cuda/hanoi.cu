// Hanoi by an explicit stack of tasks, with the pegs as bits; a hash of the moves.
extern "C" __global__ void hanoi(uint *out)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x, discs = 1 + g % 6, hash = 0, moves = 0;
	uint stack[24];
	int top = 0;

	stack[top++] = discs << 4 | 0 << 2 | 2;
	while (top) {
		uint t = stack[--top], n = t >> 4, from = t >> 2 & 3, to = t & 3, other = 3 - from - to;
		if (n == 1) {
			hash = hash * 9 + from * 3 + to;
			moves++;
			continue;
		}
		stack[top++] = (n - 1) << 4 | other << 2 | to;
		stack[top++] = 1 << 4 | from << 2 | to;
		stack[top++] = (n - 1) << 4 | from << 2 | other;
	}
	out[g] = hash ^ moves << 26;
}
