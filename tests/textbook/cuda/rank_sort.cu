// Each element goes to the place that is the number of smaller ones, and of equal ones before it.
extern "C" __global__ void rank_sort(int *out, const int *in, uint n)
{
	uint i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	int v = in[i];
	uint rank = 0;
	for (uint k = 0; k < n; k++)
		if (in[k] < v || (in[k] == v && k < i))
			rank++;
	out[rank] = v;
}
