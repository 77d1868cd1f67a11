// Merge two sorted arrays: each work-item finds the start of its part of the output by bisection on a diagonal.
__kernel void merge_path(__global int *out, __global const int *a, int na, __global const int *b, int nb, int part)
{
	int diagonal = get_global_id(0) * part, end = min(diagonal + part, na + nb);

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
