// The game of life on a torus in one group, generations in local memory by strided loops.
#define W 24
#define H 18
__kernel void life(__global uchar *boards, int generations)
{
	__local uchar a[2][W * H];
	__global uchar *board = boards + get_group_id(0) * W * H;
	int l = get_local_id(0), size = get_local_size(0), now = 0;

	for (int i = l; i < W * H; i += size)
		a[0][i] = board[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int g = 0; g < generations; g++) {
		for (int i = l; i < W * H; i += size) {
			int x = i % W, y = i / W, n = 0;
			for (int dy = -1; dy <= 1; dy++)
				for (int dx = -1; dx <= 1; dx++)
					if (dx || dy)
						n += a[now][(y + dy + H) % H * W + (x + dx + W) % W];
			a[1 - now][i] = n == 3 || (n == 2 && a[now][i]);
		}
		now = 1 - now;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (int i = l; i < W * H; i += size)
		board[i] = a[now][i];
}
