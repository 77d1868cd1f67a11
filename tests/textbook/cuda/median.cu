// Median of nine pixels by exchanges of a private array, borders copied.
typedef unsigned char uchar;

#define SWAP(a, b) if (v[a] > v[b]) { uchar t = v[a]; v[a] = v[b]; v[b] = t; }
extern "C" __global__ void median(uchar *out, const uchar *in, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x >= width || y >= height)
		return;
	if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
		out[y * width + x] = in[y * width + x];
		return;
	}
	uchar v[9];
	for (int j = 0; j < 3; j++)
		for (int i = 0; i < 3; i++)
			v[j * 3 + i] = in[(y + j - 1) * width + x + i - 1];
	for (int i = 0; i <= 4; i++)
		for (int k = i + 1; k < 9; k++)
			SWAP(i, k)
	out[y * width + x] = v[4];
}
