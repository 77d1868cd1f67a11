// Stable counting sort of bytes: counts by thread and key, a serial scan by one thread, scatter.
typedef unsigned char uchar;

#define KEYS 16
extern "C" __global__ void counting_sort(uchar *out, const uchar *in, int chunk)
{
	__shared__ int counts[KEYS * 64];
	int l = threadIdx.x, n = blockDim.x;
	int base = blockIdx.x * n * chunk;

	for (int k = 0; k < KEYS; k++)
		counts[k * n + l] = 0;
	for (int i = 0; i < chunk; i++)
		counts[(in[base + l * chunk + i] & 15) * n + l]++;
	__syncthreads();
	if (l == 0) {
		int sum = 0;
		for (int i = 0; i < KEYS * n; i++) {
			int c = counts[i];
			counts[i] = sum;
			sum += c;
		}
	}
	__syncthreads();
	for (int i = 0; i < chunk; i++) {
		uchar v = in[base + l * chunk + i];
		out[base + counts[(v & 15) * n + l]++] = v;
	}
}
