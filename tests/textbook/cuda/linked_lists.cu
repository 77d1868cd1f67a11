// Lists by key: each thread puts its node in front by an exchange; after a barrier one thread walks each list.
extern "C" __global__ void linked_lists(uint *sums, uint *lengths, const uint *in)
{
	__shared__ int heads[7];
	__shared__ int next[256];
	__shared__ uint value[256];
	int l = threadIdx.x, size = blockDim.x;

	for (int h = l; h < 7; h += size)
		heads[h] = -1;
	__syncthreads();
	uint v = in[blockIdx.x * blockDim.x + threadIdx.x];
	value[l] = v;
	next[l] = atomicExch(&heads[v % 7], l);
	__syncthreads();
	for (int h = l; h < 7; h += size) {
		uint sum = 0, length = 0;
		for (int node = heads[h]; node != -1; node = next[node]) {
			sum += value[node];
			length++;
		}
		sums[blockIdx.x * 7 + h] = sum;
		lengths[blockIdx.x * 7 + h] = length;
	}
}
