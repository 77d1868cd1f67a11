/* rocPRIM's functions of a device, a block and a warp, each compared with the host's; prints "rocprim: N right". */
#include <rocprim/rocprim.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

static const int N = 10007, THREADS = 128, ITEMS = 4;
static unsigned right, wrong;

static void expect(const char *what, bool good)
{
	(good ? right : wrong)++;
	if (!good)
		printf("wrong: %s: %s\n", what, hipGetErrorString(hipGetLastError()));
}

template <typename T> static T *device(const std::vector<T> &h)
{
	T *p = NULL;

	if (hipMalloc(&p, h.size() * sizeof(T)) == hipSuccess)
		(void)hipMemcpy(p, h.data(), h.size() * sizeof(T), hipMemcpyHostToDevice);
	return p;
}

template <typename T> static std::vector<T> host(const T *p, size_t n)
{
	std::vector<T> h(n);

	(void)hipMemcpy(h.data(), p, n * sizeof(T), hipMemcpyDeviceToHost);
	return h;
}

/* A function of a device is called for the size of its memory, and again with the memory. */
template <typename F> static void with_memory(F call)
{
	void *memory = NULL;
	size_t bytes = 0;

	(void)call(memory, bytes);
	(void)hipMalloc(&memory, bytes);
	(void)call(memory, bytes);
	(void)hipFree(memory);
}

struct below {
	int limit;
	__host__ __device__ bool operator()(int x) const { return x < limit; }
};

static void whole(const std::vector<int> &h)
{
	int *in = device(h), *out = device(h);
	unsigned *count = device(std::vector<unsigned>(1));
	std::vector<int> wanted(N), few;

	with_memory([&](void *m, size_t &n) { return rocprim::reduce(m, n, in, out, N, rocprim::plus<int>()); });
	expect("reduce", host(out, 1)[0] == std::accumulate(h.begin(), h.end(), 0));
	with_memory([&](void *m, size_t &n) {
		return rocprim::inclusive_scan(m, n, in, out, N, rocprim::plus<int>());
	});
	std::partial_sum(h.begin(), h.end(), wanted.begin());
	expect("inclusive_scan", host(out, N) == wanted);
	with_memory([&](void *m, size_t &n) { return rocprim::select(m, n, in, out, count, N, below{ 300 }); });
	std::copy_if(h.begin(), h.end(), std::back_inserter(few), below{ 300 });
	expect("select", host(count, 1)[0] == few.size() && host(out, few.size()) == few);
}

__global__ __launch_bounds__(128) void block(const int *in, int *sorted, int *sums)
{
	typedef rocprim::block_load<int, THREADS, ITEMS, rocprim::block_load_method::block_load_transpose> load;
	typedef rocprim::block_radix_sort<int, THREADS, ITEMS> sort;
	typedef rocprim::warp_reduce<int, 32> reduce;
	__shared__ reduce::storage_type memory[THREADS / 32];
	int items[ITEMS], sum;

	load().load(in, items);
	rocprim::syncthreads();
	reduce().reduce(items[0] + items[1] + items[2] + items[3], sum, memory[threadIdx.x / 32]);
	sort().sort(items);
	for (int i = 0; i < ITEMS; i++)
		sorted[ITEMS * threadIdx.x + i] = items[i];
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = sum;
}

static void one_block(const std::vector<int> &h)
{
	const int part = 32 * ITEMS;
	int *sorted = device(h), *sums = device(h);
	std::vector<int> wanted(h.begin(), h.begin() + THREADS * ITEMS), parts;

	block<<<1, THREADS>>>(device(h), sorted, sums);
	for (int i = 0; i < THREADS * ITEMS; i += part)
		parts.push_back(std::accumulate(wanted.begin() + i, wanted.begin() + i + part, 0));
	std::sort(wanted.begin(), wanted.end());
	expect("block_load, block_radix_sort", host(sorted, THREADS * ITEMS) == wanted);
	expect("warp_reduce", host(sums, THREADS / 32) == parts);
}

int main()
{
	std::vector<int> h(N);

	for (int i = 0; i < N; i++)
		h[i] = (i * 7919 + 12) % 1021;
	whole(h);
	one_block(h);
	printf("rocprim: %u right\n", right);
	return wrong != 0;
}
