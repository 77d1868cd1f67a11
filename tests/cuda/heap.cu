// The heap of kernels: pieces of many threads at once are apart and come back, a full heap gives nothing, memory lives
// from one launch to the next, new and delete run constructors and destructors.
#include <cstdio>

enum { THREADS = 256, BLOCKS = 4, ALL = THREADS * BLOCKS };

struct pair {
	int a, b, *left;
	__device__ pair(int v, int *l) : a(v), b(2 * v), left(l) {}
	__device__ ~pair() { atomicAdd(left, a + b); }
};

// Each thread keeps pieces of several sizes through some rounds, and finds its own values in them.
__global__ void rounds(int *wrong, int n)
{
	int me = blockIdx.x * blockDim.x + threadIdx.x;

	for (int round = 0; round < n; round++) {
		int words = 1 + (me + round) % 40;
		int *p = (int *)malloc(4 * words), *q = (int *)malloc(16);
		if (!p || !q || ((size_t)p & 15)) {
			atomicAdd(wrong, 1);
			continue;
		}
		for (int i = 0; i < words; i++)
			p[i] = me * 1000 + i;
		for (int i = 0; i < 4; i++)
			q[i] = -me;
		free((me + round) % 3 ? q : nullptr);
		for (int i = 0; i < words; i++)
			if (p[i] != me * 1000 + i)
				atomicAdd(wrong, 1);
		if ((me + round) % 3 == 0)
			free(q);
		free(p);
	}
}

__global__ void keep(int **list) { *(list[threadIdx.x] = new int[1]) = threadIdx.x; }
__global__ void use(int **list, int *sum)
{
	atomicAdd(sum, *list[threadIdx.x]);
	delete[] list[threadIdx.x];
}
__global__ void objects(int *left)
{
	pair *p = new pair(threadIdx.x, left);
	delete p;
}
__global__ void full(int *n)
{
	void *last = nullptr, *p;
	void *volatile none = malloc(0), *volatile too_much = malloc((size_t)1 << 40);  // a compiler keeps what is kept

	for (*n = 0; (p = malloc(1 << 18)); ++*n) {
		*(void **)p = last;
		last = p;
	}
	if (none || too_much)
		*n = -1;
	for (; last; last = p) {
		p = *(void **)last;
		free(last);
	}
}

// Threads ask for 32 GiB at once, beyond a counter of 32 bits: nothing of a full heap is given twice.
__global__ void greedy(int *n)
{
	void *volatile p = malloc(3 << 20);     // a compiler takes a success for granted that nobody uses

	if (p)
		atomicAdd(n, 1);
}

int main()
{
	int *d, h = -1, bad = 0, **list;

	cudaMalloc(&d, 4);
	cudaMalloc(&list, 64 * sizeof(int *));
	auto result = [&](const char *what, int expected) {
		cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
		if (h != expected)
			printf("%s: found %d, expected %d\n", what, h, expected);
		bad += h != expected;
		cudaMemset(d, 0, 4);
	};
	cudaMemset(d, 0, 4);
	rounds<<<BLOCKS, THREADS>>>(d, 12);
	result("rounds", 0);
	keep<<<1, 64>>>(list);
	use<<<1, 64>>>(list, d);
	result("kept", 63 * 64 / 2);
	objects<<<1, 64>>>(d);
	result("objects", 3 * 63 * 64 / 2);
	full<<<1, 1>>>(d);
	cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
	int n = h;
	if (n < 8 || n > 16) {  // 8 MiB have pieces of 512 KiB
		printf("full: found %d pieces\n", n);
		bad++;
	}
	full<<<1, 1>>>(d);
	result("full again", n);
	greedy<<<32, 256>>>(d);
	result("greedy", 0);
	printf("%s, %d wrong\n", cudaGetErrorString(cudaGetLastError()), bad);
	return bad != 0;
}
