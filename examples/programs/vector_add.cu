// Adds two vectors, with arguments for the number of elements.   warpbeam run vector_add.cu -- 1000
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const float *a, const float *b, float *sum, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		sum[i] = a[i] + b[i];
}

static void must(cudaError_t e, const char *what)
{
	if (e == cudaSuccess)
		return;
	fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
	exit(1);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100000;
	size_t bytes = n * sizeof(float);
	std::vector<float> a(n), b(n), sum(n);
	float *da, *db, *dsum;

	for (int i = 0; i < n; i++) {
		a[i] = i;
		b[i] = 2 * i + 1;
	}
	must(cudaMalloc(&da, bytes), "cudaMalloc");
	must(cudaMalloc(&db, bytes), "cudaMalloc");
	must(cudaMalloc(&dsum, bytes), "cudaMalloc");
	must(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
	must(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
	add<<<(n + 255) / 256, 256>>>(da, db, dsum, n);
	must(cudaGetLastError(), "add");
	must(cudaDeviceSynchronize(), "add");
	must(cudaMemcpy(sum.data(), dsum, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
	for (int i = 0; i < n; i++)
		if (sum[i] != a[i] + b[i]) {
			printf("element %d: found %g, expected %g\n", i, sum[i], a[i] + b[i]);
			return 1;
		}
	printf("%d sums are right\n", n);
	cudaFree(da);
	cudaFree(db);
	cudaFree(dsum);
	return 0;
}
