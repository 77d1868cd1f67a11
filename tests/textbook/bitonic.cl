// Bitonic sort of a segment in local memory, two elements a work-item, strided loads and stores.
#define SEGMENT 256
__kernel void bitonic(__global uint *data)
{
	__local uint s[SEGMENT];
	uint l = get_local_id(0), size = get_local_size(0);
	__global uint *d = data + get_group_id(0) * SEGMENT;

	for (uint i = l; i < SEGMENT; i += size)
		s[i] = d[i];
	for (uint k = 2; k <= SEGMENT; k <<= 1)
		for (uint j = k >> 1; j > 0; j >>= 1) {
			barrier(CLK_LOCAL_MEM_FENCE);
			for (uint i = l; i < SEGMENT; i += size) {
				uint p = i ^ j;
				if (p > i) {
					bool up = (i & k) == 0;
					if ((s[i] > s[p]) == up) {
						uint t = s[i];
						s[i] = s[p];
						s[p] = t;
					}
				}
			}
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = l; i < SEGMENT; i += size)
		d[i] = s[i];
}
