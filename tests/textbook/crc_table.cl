// CRC-32 with a table of 256 entries that the group makes in local memory first.
__kernel void crc_table(__global uint *out, __global const uchar *messages, uint bytes)
{
	__local uint table[256];
	uint g = get_global_id(0);

	for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) {
		uint c = i;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
		table[i] = c;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	uint crc = ~0u;
	for (uint i = 0; i < bytes; i++)
		crc = table[(crc ^ messages[g * bytes + i]) & 0xff] ^ crc >> 8;
	out[g] = crc ^ ~0u;
}
