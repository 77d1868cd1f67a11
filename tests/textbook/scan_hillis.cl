// Inclusive prefix sums of each group by Hillis and Steele, in two buffers.
__kernel void scan_hillis(__global uint *out, __global const uint *in, __local uint *buffer)
{
	uint l = get_local_id(0), size = get_local_size(0), from = 0, to = 1;

	buffer[l] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint offset = 1; offset < size; offset <<= 1) {
		uint v = buffer[from * size + l];
		if (l >= offset)
			v += buffer[from * size + l - offset];
		buffer[to * size + l] = v;
		from ^= 1;
		to ^= 1;
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = buffer[from * size + l];
}
