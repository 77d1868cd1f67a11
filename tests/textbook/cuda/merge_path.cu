// Merge two sorted arrays: each thread finds the start of its part of the output by bisection on a diagonal.
extern "C" __global__ void merge_path(int *out, const int *a, int na, const int *b, int nb, int part)
{
	int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * part, end = min(diagonal + part, na + nb);

	if (diagonal >= na + nb)
		return;
	int low = max(0, diagonal - nb), high = min(diagonal, na);
	while (low < high) {
		int middle = (low + high) / 2;
		if (a[middle] <= b[diagonal - 1 - middle])
			low = middle + 1;
		else
			high = middle;
	}
	int i = low, j = diagonal - low;
	for (int k = diagonal; k < end; k++) {
		bool take_a = i < na && (j >= nb || a[i] <= b[j]);
		out[k] = take_a ? a[i] : b[j];
		if (take_a)
			i++;
		else
			j++;
	}
}
