// One condition in several places, before and behind a barrier, negated and combined.
extern "C" __global__ void predicates_twice(int *out, const int *in, int n)
{
	__shared__ int tile[256];
	int l = threadIdx.x, g = blockIdx.x * blockDim.x + threadIdx.x, size = blockDim.x, v = 0;
	bool inside = g < n, odd = in[g] & 1, big = in[g] > 500;

	tile[l] = 0;
	if (inside && odd)
		tile[l] = in[g];
	if (inside && !odd)
		v = in[g] * 2;
	__syncthreads();
	if (inside && odd)
		v += tile[(l + 1) % size];
	if (big || !inside)
		v -= tile[(l + 2) % size];
	__syncthreads();
	if (big)
		tile[l] = v;
	for (int i = 0; i < 3; i++) {
		__syncthreads();
		if (inside && (odd != big))
			v ^= tile[(l + i) % size];
		__syncthreads();
		if (big && odd)
			tile[l] += i;
	}
	if (inside)
		out[g] = v;
}
