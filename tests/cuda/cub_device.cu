/* CUB's functions of a device, a block and a warp, each compared with the host's; prints "cub: N right". */
#include <cub/cub.cuh>

#include <cstdio>
#include <numeric>
#include <vector>

static const int N = 10007, THREADS = 128, ITEMS = 4;
static unsigned right, wrong;

static void expect(const char *what, bool good)
{
	(good ? right : wrong)++;
	if (!good)
		printf("wrong: %s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
}

template <typename T> static T *device(const std::vector<T> &h)
{
	T *p;

	cudaMalloc(&p, h.size() * sizeof(T));
	cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
	return p;
}

template <typename T> static std::vector<T> host(const T *p, size_t n)
{
	std::vector<T> h(n);

	cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
	return h;
}

/* A function of a device is called for the size of its memory, and again with the memory. */
template <typename F> static void with_memory(F call)
{
	void *memory = NULL;
	size_t bytes = 0;

	call(memory, bytes);
	cudaMalloc(&memory, bytes);
	call(memory, bytes);
	cudaFree(memory);
}

struct below {
	int limit;
	__host__ __device__ bool operator()(int x) const { return x < limit; }
};

static void whole(const std::vector<int> &h)
{
	int *in = device(h), *out = device(h), *count = device(std::vector<int>(1));
	std::vector<int> wanted(N), few, bins(64);

	with_memory([&](void *m, size_t &n) { cub::DeviceReduce::Max(m, n, in, count, N); });
	expect("DeviceReduce", host(count, 1)[0] == *std::max_element(h.begin(), h.end()));
	with_memory([&](void *m, size_t &n) { cub::DeviceScan::ExclusiveSum(m, n, in, out, N); });
	for (int i = 1; i < N; i++)
		wanted[i] = wanted[i - 1] + h[i - 1];
	expect("DeviceScan", host(out, N) == wanted);
	with_memory([&](void *m, size_t &n) { cub::DeviceSelect::If(m, n, in, out, count, N, below{ 300 }); });
	std::copy_if(h.begin(), h.end(), std::back_inserter(few), below{ 300 });
	expect("DeviceSelect", host(count, 1)[0] == (int)few.size() && host(out, few.size()) == few);
	with_memory([&](void *m, size_t &n) { cub::DeviceHistogram::HistogramEven(m, n, in, out, 65, 0, 1024, N); });
	for (int x : h)
		bins[x / 16]++;
	expect("DeviceHistogram", host(out, 64) == bins);
	with_memory([&](void *m, size_t &n) { cub::DeviceRadixSort::SortKeys(m, n, in, out, N); });
	wanted = h;
	std::sort(wanted.begin(), wanted.end());
	expect("DeviceRadixSort", host(out, N) == wanted);
}

__global__ void block(const int *in, int *sorted, int *sums)
{
	typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> load;
	typedef cub::BlockRadixSort<int, THREADS, ITEMS> sort;
	typedef cub::BlockScan<int, THREADS> scan;
	typedef cub::WarpReduce<int> reduce;
	__shared__ union {
		typename load::TempStorage load;
		typename sort::TempStorage sort;
		typename scan::TempStorage scan;
		typename reduce::TempStorage reduce[THREADS / 32];
	} memory;
	int items[ITEMS], sum[ITEMS];

	load(memory.load).Load(in, items);
	__syncthreads();
	scan(memory.scan).InclusiveSum(items, sum);
	__syncthreads();
	int largest = reduce(memory.reduce[threadIdx.x / 32]).Reduce(sum[ITEMS - 1], cub::Max());
	__syncthreads();
	sort(memory.sort).SortDescending(items);
	cub::StoreDirectBlocked(threadIdx.x, sorted, items);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = largest;
}

static void one_block(const std::vector<int> &h)
{
	int *sorted = device(h), *sums = device(h);
	std::vector<int> wanted(h.begin(), h.begin() + THREADS * ITEMS), ends;

	block<<<1, THREADS>>>(device(h), sorted, sums);
	for (int end = 32 * ITEMS; end <= THREADS * ITEMS; end += 32 * ITEMS)
		ends.push_back(std::accumulate(wanted.begin(), wanted.begin() + end, 0));
	std::sort(wanted.rbegin(), wanted.rend());
	expect("BlockLoad, BlockRadixSort", host(sorted, THREADS * ITEMS) == wanted);
	expect("BlockScan, WarpReduce", host(sums, THREADS / 32) == ends);
}

int main()
{
	std::vector<int> h(N);

	for (int i = 0; i < N; i++)
		h[i] = (i * 7919 + 12) % 1021;
	whole(h);
	one_block(h);
	printf("cub: %u right\n", right);
	return wrong != 0;
}
