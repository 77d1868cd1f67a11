// Each thread sorts 12 elements in private memory by insertion.
#define N 12
extern "C" __global__ void insertion_sort(short *data)
{
	short a[N];
	short *d = data + (blockIdx.x * blockDim.x + threadIdx.x) * N;

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
