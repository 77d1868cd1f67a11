// Bitonic sort of 512 words by one work-group in OpenCL C.
//
// What to look for: no lane is lost to the data. The exchange is an if, yet the bill is nearly clean: bitonic.s
// has no branch at all, here EXEC narrows for two stores.
// .grid 1
// .block 256
// .arg zero=2048                         out: sorted
// expect: arg 0 u32[0..3] = 0 125 251 329
// expect: arg 0 u32[510..511] = 65332 65458
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void bitonic(__global uint *data)
{
	__local uint s[512];
	uint l = get_local_id(0);

	s[l] = l * 2654435761u >> 16;
	s[l + 256] = (l + 256) * 2654435761u >> 16;
	for (uint k = 2; k <= 512; k <<= 1)
		for (uint j = k >> 1; j > 0; j >>= 1) {
			barrier(CLK_LOCAL_MEM_FENCE);
			uint i = 2 * l - (l & (j - 1)), a = s[i], b = s[i + j];
			if ((a > b) == !(i & k)) {
				s[i] = b;
				s[i + j] = a;
			}
		}
	barrier(CLK_LOCAL_MEM_FENCE);
	data[l] = s[l];
	data[l + 256] = s[l + 256];
}
