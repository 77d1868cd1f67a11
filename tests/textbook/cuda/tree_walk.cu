// Walks of binary search trees in arrays with an explicit stack: sum, depth and rank of a key, nodes in order.
typedef struct { int key; short low, high; } node;
extern "C" __global__ void tree_walk(int4 *out, const node *trees, const int *keys, int size)
{
	const node *tree = trees + blockIdx.x * size;
	short stack[24];
	int top = 0, at = 0, depth = -1, order = 0, weighted = 0, rank = 0;
	int key = keys[blockIdx.x * blockDim.x + threadIdx.x];

	for (int n = 0, d = 0; n >= 0; d++) {
		if (tree[n].key == key) {
			depth = d;
			break;
		}
		n = key < tree[n].key ? tree[n].low : tree[n].high;
	}
	while (at >= 0 || top > 0) {
		while (at >= 0) {
			stack[top++] = at;
			at = tree[at].low;
		}
		at = stack[--top];
		if (tree[at].key < key)
			rank++;
		weighted += ++order * tree[at].key;
		at = tree[at].high;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = make_int4(depth, rank, weighted, order);
}
