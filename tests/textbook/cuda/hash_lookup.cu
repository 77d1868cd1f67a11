// Look keys up in a table with linear probing, built before.
extern "C" __global__ void hash_lookup(int *out, const uint2 *table, uint mask, const uint *keys, uint n)
{
	uint i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		uint key = keys[i], slot = (key ^ key >> 7) & mask;
		int value = -1;
		while (table[slot].x != 0) {
			if (table[slot].x == key) {
				value = (int)table[slot].y;
				break;
			}
			slot = (slot + 1) & mask;
		}
		out[i] = value;
	}
}
