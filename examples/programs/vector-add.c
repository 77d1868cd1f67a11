/* c = a + b, an element a thread; n is no multiple of the block, so the last threads have nothing to do. */
#include "open.h"

enum { N = 10000, BLOCK = 64 };

int main(int argc, char **argv)
{
	static float a[N], b[N], c[N];
	const cl_uint n = N;
	int good = 1;

	(void)argc;
	for (int i = 0; i < N; i++) {
		a[i] = (float)i;
		b[i] = 0.5f * (float)(N - i);
	}
	open_all(argv[0], "vector-add.cl");
	cl_kernel k = kernel("add");
	cl_mem on_a = buffer(sizeof a, a), on_b = buffer(sizeof b, b), on_c = buffer(sizeof c, NULL);
	ARG(k, 0, on_a);
	ARG(k, 1, on_b);
	ARG(k, 2, on_c);
	ARG(k, 3, n);
	launch(k, (N + BLOCK - 1) / BLOCK * BLOCK, BLOCK);
	read_back(on_c, sizeof c, c);
	for (int i = 0; i < N; i++)
		good &= c[i] == a[i] + b[i];
	OK(clReleaseMemObject(on_a));
	OK(clReleaseMemObject(on_b));
	OK(clReleaseMemObject(on_c));
	OK(clReleaseKernel(k));
	close_all();
	return verdict(good, "vector add");
}
