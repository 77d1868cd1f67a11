// Sums of records by bucket, a lock for each bucket in shared memory; a thread has several records.
#define BUCKETS 8
extern "C" __global__ void bucket_locks(uint2 *out, const uint *in, int n)
{
	__shared__ int lock[BUCKETS];
	volatile __shared__ uint sum[BUCKETS], largest[BUCKETS];
	int l = threadIdx.x, size = blockDim.x;

	for (int b = l; b < BUCKETS; b += size) {
		lock[b] = 0;
		sum[b] = 0;
		largest[b] = 0;
	}
	__syncthreads();
	for (int i = l; i < n; i += size) {
		uint v = in[blockIdx.x * n + i], b = v % BUCKETS;
		for (int done = 0; !done;) {
			if (atomicCAS(&lock[b], 0, 1) == 0) {
				sum[b] += v;
				if (v > largest[b])
					largest[b] = v;
				__threadfence_block();
				done = atomicExch(&lock[b], 0);
			}
		}
	}
	__syncthreads();
	for (int b = l; b < BUCKETS; b += size) {
		out[blockIdx.x * BUCKETS + b].x = sum[b];
		out[blockIdx.x * BUCKETS + b].y = largest[b];
	}
}
