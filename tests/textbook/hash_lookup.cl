// Look keys up in a table with linear probing, built before.
__kernel void hash_lookup(__global int *out, __global const uint2 *table, uint mask, __global const uint *keys, uint n)
{
	uint i = get_global_id(0);

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
