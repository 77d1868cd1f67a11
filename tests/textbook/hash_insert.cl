// A hash table with open addressing: distinct keys are inserted by compare-and-swap, duplicates are counted.
#define SLOTS 256
__kernel void hash_insert(__global uint *keys, __global uint *counts, __global const uint *in, uint n)
{
	for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
		uint key = in[i], slot = key * 2654435761u >> 24;
		for (;;) {
			uint old = atomic_cmpxchg(&keys[slot], 0, key);
			if (old == 0 || old == key) {
				atomic_inc(&counts[key & 127]);
				break;
			}
			slot = (slot + 1) % SLOTS;
		}
	}
}
