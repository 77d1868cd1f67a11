/* Thrust as people use it, each result compared with the host's; prints "lists: N right". */
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform_reduce.h>

#include <cstdio>

enum { N = 5003 };
static unsigned right, wrong;

static void expect(const char *what, bool good)
{
	(good ? right : wrong)++;
	if (!good)
		printf("wrong: %s\n", what);
}

struct is_even {
	__host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

struct square {
	__host__ __device__ long operator()(int x) const { return (long)x * x; }
};

struct weighted {
	template <typename T> __host__ __device__ void operator()(T t) const
	{
		thrust::get<2>(t) = 3 * thrust::get<0>(t) + thrust::get<1>(t);
	}
};

struct noise {
	__host__ __device__ float operator()(unsigned n) const
	{
		thrust::minstd_rand engine(42);
		thrust::normal_distribution<float> normal(1, 2);
		engine.discard(n);
		return normal(engine);
	}
};

static void sums(const thrust::host_vector<int> &h)
{
	thrust::device_vector<int> d = h, out(N);
	long total = 0, squares = 0;
	bool same = true;

	thrust::inclusive_scan(d.begin(), d.end(), out.begin());
	thrust::host_vector<int> sums = out;
	for (int i = 0; i < N; i++) {
		total += h[i];
		squares += square()(h[i]);
		same = same && sums[i] == (int)total;
	}
	expect("inclusive_scan", same);
	expect("reduce", thrust::reduce(d.begin(), d.end()) == (int)total);
	expect("transform_reduce", thrust::transform_reduce(d.begin(), d.end(), square(), 0L, thrust::plus<long>()) ==
				   squares);
	expect("inner_product", thrust::inner_product(d.begin(), d.end(), d.begin(), 0L) == squares);
}

static void choices(const thrust::host_vector<int> &h)
{
	thrust::device_vector<int> d = h, out(N), order(N);
	size_t n = thrust::copy_if(d.begin(), d.end(), out.begin(), is_even()) - out.begin(), k = 0;
	thrust::host_vector<int> chosen = out;
	bool same = true;

	for (int i = 0; i < N; i++)
		if (h[i] % 2 == 0)
			same = same && k < n && chosen[k++] == h[i];
	expect("copy_if", same && k == n);
	thrust::sequence(order.begin(), order.end(), N - 1, -1);
	thrust::copy(thrust::make_permutation_iterator(d.begin(), order.begin()),
		     thrust::make_permutation_iterator(d.begin(), order.end()), out.begin());
	expect("permutation_iterator", out[0] == h[N - 1] && out[7] == h[N - 8]);
	auto zip = thrust::make_zip_iterator(thrust::make_tuple(d.begin(), thrust::make_counting_iterator(0),
								out.begin()));
	thrust::for_each(zip, zip + N, weighted());
	int *p = thrust::raw_pointer_cast(out.data()), add = 5;
	thrust::for_each(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(N),
			 [=] __device__ (int i) { p[i] += add; });
	thrust::host_vector<int> sum = out;
	for (int i = 0; i < N; i++)
		same = same && sum[i] == 3 * h[i] + i + 5;
	expect("zip_iterator, lambda", same);
}

static void numbers()
{
	typedef thrust::complex<double> complex;
	thrust::device_vector<complex> c(100, complex(1, 2));
	thrust::device_vector<float> noises(N);
	bool near = true;

	expect("complex", thrust::reduce(c.begin(), c.end(), complex(0, 0)) == complex(100, 200));
	thrust::transform(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(N),
			  noises.begin(), noise());
	thrust::host_vector<float> h = noises;
	for (int i = 0; i < N; i++)
		near = near && fabsf(h[i] - noise()(i)) < 1e-5f;
	expect("normal_distribution", near);
}

int main()
{
	thrust::host_vector<int> h(N);

	for (int i = 0; i < N; i++)
		h[i] = (i * 7919 + 12) % 1009 - 500;
	sums(h);
	choices(h);
	numbers();
	printf("lists: %u right\n", right);
	return wrong != 0;
}
