// Each thread sorts a row of global memory by Shell's method with gaps from a table.
__constant__ int gaps[] = { 23, 10, 4, 1 };
extern "C" __global__ void shell_sort(int *data, int n)
{
	int *a = data + (blockIdx.x * blockDim.x + threadIdx.x) * n;

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
