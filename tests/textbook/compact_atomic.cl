// The odd elements in any order: each work-item reserves a place by an atomic.
__kernel void compact_atomic(__global uint *out, __global uint *count, __global const uint *in, uint n)
{
	for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
		if (!(in[i] & 1))
			continue;
		out[atomic_inc(count)] = in[i];
	}
}
