// Heap sort of a row in shared memory by each thread.
typedef unsigned char uchar;

#define ROW 15
__device__ void sift(uchar *h, int root, int n)
{
	for (;;) {
		int child = 2 * root + 1;
		if (child >= n)
			return;
		if (child + 1 < n && h[child + 1] > h[child])
			child++;
		if (h[root] >= h[child])
			return;
		uchar t = h[root];
		h[root] = h[child];
		h[child] = t;
		root = child;
	}
}

extern "C" __global__ void heap_sort(uchar *out, const uchar *in)
{
	extern __shared__ uchar rows[];
	uchar *h = rows + threadIdx.x * ROW;
	size_t base = (blockIdx.x * blockDim.x + threadIdx.x) * ROW;

	for (int i = 0; i < ROW; i++)
		h[i] = in[base + i];
	for (int i = ROW / 2 - 1; i >= 0; i--)
		sift(h, i, ROW);
	for (int n = ROW - 1; n > 0; n--) {
		uchar t = h[0];
		h[0] = h[n];
		h[n] = t;
		sift(h, 0, n);
	}
	for (int i = 0; i < ROW; i++)
		out[base + i] = h[i];
}
