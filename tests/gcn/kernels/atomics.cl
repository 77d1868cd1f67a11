/* Atomics of local and of global memory whose results do not depend on the order. */
__kernel void atomics(__global uint *out, __global const uint *in, uint n)
{
	__local uint count[16], most, bits;
	uint l = get_local_id(0), i = get_global_id(0);
	if (l < 16)
		count[l] = 0;
	if (l == 0)
		most = bits = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	uint v = i < n ? in[i] : 0;
	atomic_inc(&count[v & 15]);
	atomic_max(&most, v);
	atomic_or(&bits, 1u << (v >> 27));
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l < 16)
		atomic_add(&out[l], count[l]);
	if (l == 16) {
		atomic_max(&out[16], most);
		atomic_xor(&out[17], bits * (uint)(get_group_id(0) + 1));
	}
	atomic_add(&out[18 + (v & 3)], v >> 8);
}
