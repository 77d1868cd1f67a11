// A hash table with open addressing: distinct keys are inserted by compare-and-swap, duplicates are counted.
#define SLOTS 256
extern "C" __global__ void hash_insert(uint *keys, uint *counts, const uint *in, uint n)
{
	for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		uint key = in[i], slot = key * 2654435761u >> 24;
		for (;;) {
			uint old = atomicCAS(&keys[slot], 0, key);
			if (old == 0 || old == key) {
				atomicAdd(&counts[key & 127], 1);
				break;
			}
			slot = (slot + 1) % SLOTS;
		}
	}
}
