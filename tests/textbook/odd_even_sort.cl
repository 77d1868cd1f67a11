// Odd-even transposition sort of a group's elements; the last work-item has no partner in half of the rounds.
__kernel void odd_even_sort(__global int *data, __local int *s)
{
	int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);

	s[l] = data[g];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int round = 0; round < n; round++) {
		if ((l & 1) == (round & 1) && l + 1 < n && s[l] > s[l + 1]) {
			int t = s[l];
			s[l] = s[l + 1];
			s[l + 1] = t;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	data[g] = s[l];
}
