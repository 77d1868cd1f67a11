/* Sorts, runs and extremes of Thrust, each compared with the host's; prints "sorts: N right". Sixteen bytes of a
 * thread are not aligned in a sort of bytes, nor are pairs of words behind the flag of an extreme. */
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <vector>

enum { N = 4099 };
static unsigned right, wrong;

static void expect(const char *what, bool good)
{
	(good ? right : wrong)++;
	if (!good)
		printf("wrong: %s\n", what);
}

template <typename T> static std::vector<T> host(const thrust::device_vector<T> &d)
{
	std::vector<T> h(d.size());

	thrust::copy(d.begin(), d.end(), h.begin());
	return h;
}

static void bytes()
{
	std::vector<unsigned char> h(N);

	for (int i = 0; i < N; i++)
		h[i] = i * 151 + i / 256;
	thrust::device_vector<unsigned char> d(h.begin(), h.end());
	thrust::sort(d.begin(), d.end());
	std::sort(h.begin(), h.end());
	expect("sort of bytes", host(d) == h);
}

struct later {
	__host__ __device__ bool operator()(int a, int b) const { return a % 100 > b % 100; }
};

static void keys()
{
	std::vector<int> h(N), order(N);

	for (int i = 0; i < N; i++) {
		h[i] = i * 7919 % 5003;
		order[i] = i;
	}
	thrust::device_vector<int> d(h.begin(), h.end()), values(N);
	thrust::sequence(values.begin(), values.end());
	thrust::stable_sort_by_key(d.begin(), d.end(), values.begin(), later());
	std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return h[a] % 100 > h[b] % 100; });
	expect("stable_sort_by_key", host(values) == order);
}

static void extremes()
{
	std::vector<float> h(N);

	for (int i = 0; i < N; i++)
		h[i] = (i * 7919 + 99) % 5003;
	thrust::device_vector<float> d(h.begin(), h.end());
	expect("max_element", thrust::max_element(d.begin(), d.end()) - d.begin() ==
			      std::max_element(h.begin(), h.end()) - h.begin());
}

int main()
{
	bytes();
	keys();
	extremes();
	printf("sorts: %u right\n", right);
	return wrong != 0;
}
