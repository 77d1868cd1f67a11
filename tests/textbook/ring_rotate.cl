// Each work-item passes its number around the ring of its group and sums what comes by, two barriers a round.
__kernel void ring_rotate(__global uint *out, __global const uint *in, uint rounds)
{
	__local uint ring[256];
	uint l = get_local_id(0), size = get_local_size(0), sum = 0;

	ring[l] = in[get_global_id(0)];
	for (uint r = 0; r < rounds; r++) {
		barrier(CLK_LOCAL_MEM_FENCE);
		uint got = ring[(l + 1) % size];
		barrier(CLK_LOCAL_MEM_FENCE);
		ring[l] = got;
		if (got & 1)
			sum += got;
		else
			sum ^= got >> 1;
	}
	out[get_global_id(0)] = sum;
}
