// Bitonic sort of a segment in shared memory, two elements a thread, strided loads and stores.
#define SEGMENT 256
extern "C" __global__ void bitonic(uint *data)
{
	__shared__ uint s[SEGMENT];
	uint l = threadIdx.x, size = blockDim.x;
	uint *d = data + blockIdx.x * SEGMENT;

	for (uint i = l; i < SEGMENT; i += size)
		s[i] = d[i];
	for (uint k = 2; k <= SEGMENT; k <<= 1)
		for (uint j = k >> 1; j > 0; j >>= 1) {
			__syncthreads();
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
	__syncthreads();
	for (uint i = l; i < SEGMENT; i += size)
		d[i] = s[i];
}
