// Odd-even transposition sort of a block's elements; the last thread has no partner in half of the rounds.
extern "C" __global__ void odd_even_sort(int *data)
{
	extern __shared__ int s[];
	int l = threadIdx.x, n = blockDim.x, g = blockIdx.x * blockDim.x + threadIdx.x;

	s[l] = data[g];
	__syncthreads();
	for (int round = 0; round < n; round++) {
		if ((l & 1) == (round & 1) && l + 1 < n && s[l] > s[l + 1]) {
			int t = s[l];
			s[l] = s[l + 1];
			s[l + 1] = t;
		}
		__syncthreads();
	}
	data[g] = s[l];
}
