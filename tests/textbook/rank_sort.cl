// Each element goes to the place that is the number of smaller ones, and of equal ones before it.
__kernel void rank_sort(__global int *out, __global const int *in, uint n)
{
	uint i = get_global_id(0);

	if (i >= n)
		return;
	int v = in[i];
	uint rank = 0;
	for (uint k = 0; k < n; k++)
		if (in[k] < v || (in[k] == v && k < i))
			rank++;
	out[rank] = v;
}
