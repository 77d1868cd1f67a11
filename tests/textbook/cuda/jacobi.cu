// A Jacobi step on a grid of floats, and the largest change of each block by an atomic maximum of bits.
extern "C" __global__ void jacobi(float *out, uint *change, const float *in, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	__shared__ uint largest;

	if (threadIdx.x == 0 && threadIdx.y == 0)
		largest = 0;
	__syncthreads();
	if (x < width && y < height) {
		float v = in[y * width + x];
		if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
			v = 0.25f * (in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] +
				     in[(y + 1) * width + x]);
		out[y * width + x] = v;
		atomicMax(&largest, __float_as_uint(fabs(v - in[y * width + x])));
	}
	__syncthreads();
	if (threadIdx.x == 0 && threadIdx.y == 0)
		change[blockIdx.y * gridDim.x + blockIdx.x] = largest;
}
