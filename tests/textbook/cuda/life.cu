// The game of life on a torus in one block, generations in shared memory by strided loops.
typedef unsigned char uchar;

#define W 24
#define H 18
extern "C" __global__ void life(uchar *boards, int generations)
{
	__shared__ uchar a[2][W * H];
	uchar *board = boards + blockIdx.x * W * H;
	int l = threadIdx.x, size = blockDim.x, now = 0;

	for (int i = l; i < W * H; i += size)
		a[0][i] = board[i];
	__syncthreads();
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
		__syncthreads();
	}
	for (int i = l; i < W * H; i += size)
		board[i] = a[now][i];
}
