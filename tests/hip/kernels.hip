// A code object for module.hip.
__device__ int factor = 1;
extern "C" __global__ void scale(int *p, int n)
{
	if (threadIdx.x < n)
		p[threadIdx.x] *= factor;
}
