// Sums of records by bucket, a lock for each bucket in local memory; a work-item has several records.
#define BUCKETS 8
__kernel void bucket_locks(__global uint2 *out, __global const uint *in, int n)
{
	__local int lock[BUCKETS];
	volatile __local uint sum[BUCKETS], largest[BUCKETS];
	int l = get_local_id(0), size = get_local_size(0);

	for (int b = l; b < BUCKETS; b += size) {
		lock[b] = 0;
		sum[b] = 0;
		largest[b] = 0;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = l; i < n; i += size) {
		uint v = in[get_group_id(0) * n + i], b = v % BUCKETS;
		for (int done = 0; !done;) {
			if (atomic_cmpxchg(&lock[b], 0, 1) == 0) {
				sum[b] += v;
				if (v > largest[b])
					largest[b] = v;
				mem_fence(CLK_LOCAL_MEM_FENCE);
				done = atomic_xchg(&lock[b], 0);
			}
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int b = l; b < BUCKETS; b += size) {
		out[get_group_id(0) * BUCKETS + b].x = sum[b];
		out[get_group_id(0) * BUCKETS + b].y = largest[b];
	}
}
