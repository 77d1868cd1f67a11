// Prefix sums of a work-group in OpenCL C: each element becomes the sum of all up to it, in eight rounds.
//
// In round k each work-item adds what stands 2^k before it. All of a group's elements are in local memory, with a barrier
// before each round's reads and one before its writes.
//
// What to look for: in each round the first 2^k work-items of the group have nothing to add. A wavefront whose 64 lanes
// all are among them skips the addition; one that has both kinds runs it with some lanes off. From round 6 on whole
// wavefronts agree, and nothing is lost any more.
// .grid 2
// .block 256
// .arg zero=2048                         out: the sums of 1, 2, 3 … of each group
// expect: arg 0 u32[0..7] = 1 3 6 10 15 21 28 36
// expect: arg 0 u32[255..257] = 32896 1 3
// expect: arg 0 u32[511] = 32896
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void scan(__global uint *out)
{
	__local uint sum[256];
	uint i = get_local_id(0);

	sum[i] = i + 1;
	for (uint far = 1; far < 256; far *= 2) {
		uint v = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (i >= far)
			v = sum[i - far];
		barrier(CLK_LOCAL_MEM_FENCE);
		sum[i] += v;
	}
	out[get_global_id(0)] = sum[i];
}
