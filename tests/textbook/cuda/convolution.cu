// Convolution of a signal with a mask of odd length that is a __constant__ parameter; zeros beyond the ends.
extern "C" __global__ void convolution(int *out, const int *in, const int *mask, int n, int taps)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		int sum = 0;
		for (int k = 0; k < taps; k++) {
			int at = i + k - taps / 2;
			if (at >= 0 && at < n)
				sum += in[at] * mask[k];
		}
		out[i] = sum;
	}
}
