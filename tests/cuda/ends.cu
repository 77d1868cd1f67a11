// How a kernel ends badly: the error's number, of an assertion, a trap and an access beyond memory.   ends KIND
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void ends(int kind, int *p)
{
	assert(kind != 0);
	if (kind == 1)
		__builtin_trap();
	*p = 1;
}

int main(int argc, char **argv)
{
	ends<<<1, 1>>>(argc > 1 ? atoi(argv[1]) : 0, nullptr);
	int e = cudaDeviceSynchronize();
	fflush(stdout);
	printf("%d %s\n", e, cudaGetErrorName(cudaGetLastError()));
}
