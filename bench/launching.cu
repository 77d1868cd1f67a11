/* launching_opencl.c's launches of one thread, through cudaLaunchKernel: microseconds of processor time for a store and
 * for an empty kernel, each the least of several rounds of so many launches. */
#include <cstdio>
#include <cstdlib>
#include <ctime>

__global__ void one(int *a)
{
	a[0] = 1;
}

__global__ void none()
{
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
	double least[2] = { 1, 1 };

	if (cudaMalloc(&a, 4) != cudaSuccess)
		return 3;
	for (int round = 0; round < 32; round++) {
		bool empty = round % 2;
		double begin = now();
		for (int i = 0; i < launches; i++)
			if (empty)
				none<<<1, 1>>>();
			else
				one<<<1, 1>>>(a);
		if (cudaDeviceSynchronize() != cudaSuccess)
			return 3;
		double each = (now() - begin) / launches;
		least[empty] = each < least[empty] ? each : least[empty];
	}
	printf("%.2f %.2f\n", 1e6 * least[0], 1e6 * least[1]);
	return 0;
}
