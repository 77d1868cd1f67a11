// Each work-item sorts a row of global memory by Shell's method with gaps from a table.
__constant int gaps[] = { 23, 10, 4, 1 };
__kernel void shell_sort(__global int *data, int n)
{
	__global int *a = data + get_global_id(0) * n;

	for (int g = 0; g < 4; g++) {
		int gap = gaps[g];
		for (int i = gap; i < n; i++) {
			int v = a[i], j;
			for (j = i; j >= gap && a[j - gap] > v; j -= gap)
				a[j] = a[j - gap];
			a[j] = v;
		}
	}
}
