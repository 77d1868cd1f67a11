// CRC-32 with a table of 256 entries that the block makes in shared memory first.
typedef unsigned char uchar;

extern "C" __global__ void crc_table(uint *out, const uchar *messages, uint bytes)
{
	__shared__ uint table[256];
	uint g = blockIdx.x * blockDim.x + threadIdx.x;

	for (uint i = threadIdx.x; i < 256; i += blockDim.x) {
		uint c = i;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
		table[i] = c;
	}
	__syncthreads();
	uint crc = ~0u;
	for (uint i = 0; i < bytes; i++)
		crc = table[(crc ^ messages[g * bytes + i]) & 0xff] ^ crc >> 8;
	out[g] = crc ^ ~0u;
}
