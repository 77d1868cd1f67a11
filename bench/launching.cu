/* launching_opencl.c's launch of one thread, through cudaLaunchKernel: microseconds of processor time, the least of
 * several rounds of so many launches. */
#include <cstdio>
#include <cstdlib>
#include <ctime>

__global__ void one(int *a)
{
	a[0] = 1;
}

static double now()
{
	timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv)
{
	int launches = argc > 1 ? atoi(argv[1]) : 1000, *a;
	double least = 1;

	if (cudaMalloc(&a, 4) != cudaSuccess)
		return 3;
	for (int round = 0; round < 16; round++) {
		double begin = now();
		for (int i = 0; i < launches; i++)
			one<<<1, 1>>>(a);
		if (cudaDeviceSynchronize() != cudaSuccess)
			return 3;
		double each = (now() - begin) / launches;
		least = each < least ? each : least;
	}
	printf("%.2f\n", 1e6 * least);
	return 0;
}
