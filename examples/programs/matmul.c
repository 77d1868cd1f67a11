/* A product of matrices by tiles in local memory. The elements are small integers: every order of sums is exact. */
#include "open.h"

enum { N = 64, TILE = 16 };

int main(int argc, char **argv)
{
	static float a[N * N], b[N * N], c[N * N];
	const cl_uint n = N;
	int good = 1;

	(void)argc;
	for (int i = 0; i < N * N; i++) {
		a[i] = (float)(i % 7 - 3);
		b[i] = (float)(i % 5 - 2);
	}
	open_all(argv[0], "matmul.cl");
	cl_kernel k = kernel("multiply");
	cl_mem on_a = buffer(sizeof a, a), on_b = buffer(sizeof b, b), on_c = buffer(sizeof c, NULL);
	ARG(k, 0, on_a);
	ARG(k, 1, on_b);
	ARG(k, 2, on_c);
	ARG(k, 3, n);
	launch_2d(k, N, N, TILE, TILE);
	read_back(on_c, sizeof c, c);
	for (int row = 0; row < N; row++)
		for (int column = 0; column < N; column++) {
			float sum = 0;
			for (int i = 0; i < N; i++)
				sum += a[row * N + i] * b[i * N + column];
			good &= c[row * N + column] == sum;
		}
	OK(clReleaseMemObject(on_a));
	OK(clReleaseMemObject(on_b));
	OK(clReleaseMemObject(on_c));
	OK(clReleaseKernel(k));
	close_all();
	return verdict(good, "matrix product");
}
