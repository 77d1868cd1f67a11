// Threads leave at several places after the last barrier; before it all take part.
extern "C" __global__ void exit_after_barrier(int *out, const int *in, int n)
{
	__shared__ int tile[256];
	int l = threadIdx.x, g = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x;

	tile[l] = g < n ? in[g] : -1;
	__syncthreads();
	if (g >= n)
		return;
	int v = tile[size - 1 - l];
	if (v < 0) {
		out[g] = -7;
		return;
	}
	for (int i = 0; i < size; i++) {
		if (tile[i] == v) {
			out[g] = i;
			return;
		}
		if (tile[i] > v + 90)
			break;
	}
	out[g] = v * 2 + 1000;
}
