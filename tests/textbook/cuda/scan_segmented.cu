// Prefix sums that begin anew at each flag, by pairs of flag and sum.
typedef unsigned char uchar;

extern "C" __global__ void scan_segmented(int *out, const int *in, const uchar *flags)
{
	__shared__ int sum[256];
	__shared__ int flag[256];
	int l = threadIdx.x, g = blockIdx.x * blockDim.x + threadIdx.x;

	sum[l] = in[g];
	flag[l] = flags[g] || l == 0;
	__syncthreads();
	for (int d = 1; d < blockDim.x; d *= 2) {
		int s = sum[l], f = flag[l];
		if (l >= d && !f) {
			s += sum[l - d];
			f |= flag[l - d];
		}
		__syncthreads();
		sum[l] = s;
		flag[l] = f;
		__syncthreads();
	}
	out[g] = sum[l];
}
