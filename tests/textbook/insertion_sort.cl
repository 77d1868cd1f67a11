// Each work-item sorts 12 elements in private memory by insertion.
#define N 12
__kernel void insertion_sort(__global short *data)
{
	short a[N];
	__global short *d = data + get_global_id(0) * N;

	for (int i = 0; i < N; i++)
		a[i] = d[i];
	for (int i = 1; i < N; i++) {
		short v = a[i];
		int j = i - 1;
		while (j >= 0 && a[j] > v) {
			a[j + 1] = a[j];
			j--;
		}
		a[j + 1] = v;
	}
	for (int i = 0; i < N; i++)
		d[i] = a[i];
}
