/* A histogram by atomics in local and in global memory. */
#include "open.h"

enum { N = 20000, BINS = 64, BLOCK = 64, BLOCKS = 8 };

int main(int argc, char **argv)
{
	static cl_uchar values[N];
	cl_uint bins[BINS] = { 0 }, expected[BINS] = { 0 }, seed = 1;
	const cl_uint n = N;

	(void)argc;
	for (int i = 0; i < N; i++) {
		seed = seed * 1664525 + 1013904223;
		values[i] = (cl_uchar)(seed >> 24);
		expected[values[i] % BINS]++;
	}
	open_all(argv[0], "histogram.cl");
	cl_kernel k = kernel("count");
	cl_mem on_values = buffer(sizeof values, values), on_bins = buffer(sizeof bins, bins);
	ARG(k, 0, on_values);
	ARG(k, 1, n);
	ARG(k, 2, on_bins);
	launch(k, BLOCKS * BLOCK, BLOCK);
	read_back(on_bins, sizeof bins, bins);
	OK(clReleaseMemObject(on_values));
	OK(clReleaseMemObject(on_bins));
	OK(clReleaseKernel(k));
	close_all();
	return verdict(!memcmp(bins, expected, sizeof bins), "histogram");
}
