// y = a x + y over any number of elements: each thread starts at its id and steps by the number of threads.
extern "C" __global__ void stride_saxpy(int *y, const int *x, int a, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = a * x[i] + y[i];
}
