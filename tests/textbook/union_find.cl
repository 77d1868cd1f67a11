// Union of sets by atomics on parents: roots only get smaller, so each set ends with its smallest member.
uint find(volatile __global uint *parent, uint v)
{
	while (parent[v] != v)
		v = parent[v];
	return v;
}

__kernel void union_find(volatile __global uint *parent, __global const uint2 *edges, uint n)
{
	for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
		uint a = edges[i].x, b = edges[i].y;
		for (;;) {
			a = find(parent, a);
			b = find(parent, b);
			if (a == b)
				break;
			uint low = min(a, b), high = max(a, b);
			if (atomic_cmpxchg(&parent[high], high, low) == high)
				break;
		}
	}
}
