// Heap sort of a row in local memory by each work-item.
#define ROW 15
void sift(__local uchar *h, int root, int n)
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

__kernel void heap_sort(__global uchar *out, __global const uchar *in, __local uchar *rows)
{
	__local uchar *h = rows + get_local_id(0) * ROW;
	size_t base = get_global_id(0) * ROW;

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
