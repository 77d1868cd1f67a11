// Quicksort of a row of each thread, with a stack of bounds in private memory.
#define ROW 40
extern "C" __global__ void quicksort(int *data)
{
	int *a = data + (blockIdx.x * blockDim.x + threadIdx.x) * ROW;
	int stack[2 * ROW], top = 0;

	stack[top++] = 0;
	stack[top++] = ROW - 1;
	while (top > 0) {
		int high = stack[--top], low = stack[--top];
		if (low >= high)
			continue;
		int pivot = a[(low + high) / 2], i = low - 1, j = high + 1;
		for (;;) {
			do
				i++;
			while (a[i] < pivot);
			do
				j--;
			while (a[j] > pivot);
			if (i >= j)
				break;
			int t = a[i];
			a[i] = a[j];
			a[j] = t;
		}
		stack[top++] = low;
		stack[top++] = j;
		stack[top++] = j + 1;
		stack[top++] = high;
	}
}
