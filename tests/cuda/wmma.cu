// Products of matrices by a warp: every size, kind of element and layout against sums of the host. Elements are whole
// numbers, so that no order of a sum rounds.
#include <cstdio>
#include <mma.h>

using namespace nvcuda;

template <typename A, typename LA, typename LB, typename C, int M, int N, int K>
__global__ void product(const typename wmma::fragment<wmma::matrix_a, M, N, K, A, LA>::storage_element_type *a,
			const typename wmma::fragment<wmma::matrix_a, M, N, K, A, LA>::storage_element_type *b,
			const C *c, C *d, unsigned la, unsigned lb, bool rows)
{
	wmma::fragment<wmma::matrix_a, M, N, K, A, LA> fa;
	wmma::fragment<wmma::matrix_b, M, N, K, A, LB> fb;
	wmma::fragment<wmma::accumulator, M, N, K, C> fc, sum;
	unsigned lc = (rows ? N : M) + 4;

	wmma::load_matrix_sync(fa, a, la);
	wmma::load_matrix_sync(fb, b, lb);
	wmma::load_matrix_sync(fc, c, lc, rows ? wmma::mem_row_major : wmma::mem_col_major);
	wmma::fill_fragment(sum, 0);
	wmma::mma_sync(sum, fa, fb, fc);
	wmma::mma_sync(sum, fa, fb, sum);
	for (int t = 0; t < sum.num_elements; t++)
		sum.x[t] = sum.x[t] + fc.x[t];
	wmma::store_matrix_sync(d, sum, lc, rows ? wmma::mem_row_major : wmma::mem_col_major);
}

template <typename L> static bool by_rows();
template <> bool by_rows<wmma::row_major>() { return true; }
template <> bool by_rows<wmma::col_major>() { return false; }

static int number(int n, int spread) { return n * 37 % 11 % spread - spread / 3; }

template <typename A, typename S, typename LA, typename LB, typename C, int M, int N, int K> static int one(bool rows)
{
	const int step = 8, la = (by_rows<LA>() ? K : M) + step, lb = (by_rows<LB>() ? N : K) + step,
		  lc = (rows ? N : M) + 4;
	static S *a, *b;
	static C *c, *d;
	int wrong = 0;

	cudaMallocManaged(&a, 64 * 64 * sizeof *a);
	cudaMallocManaged(&b, 64 * 64 * sizeof *b);
	cudaMallocManaged(&c, 64 * 64 * sizeof *c);
	cudaMallocManaged(&d, 64 * 64 * sizeof *d);
	for (int i = 0; i < M; i++)
		for (int k = 0; k < K; k++)
			a[by_rows<LA>() ? i * la + k : k * la + i] = (S)(float)number(3 * i + 5 * k * k, 7);
	for (int k = 0; k < K; k++)
		for (int j = 0; j < N; j++)
			b[by_rows<LB>() ? k * lb + j : j * lb + k] = (S)(float)number(k + 7 * j + k * j, 5);
	for (int i = 0; i < M; i++)
		for (int j = 0; j < N; j++)
			c[rows ? i * lc + j : j * lc + i] = (C)(float)number(i * 5 + j * 3, 9);
	product<A, LA, LB, C, M, N, K><<<1, 32>>>(a, b, c, d, la, lb, rows);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return M * N;
	for (int i = 0; i < M; i++)
		for (int j = 0; j < N; j++) {
			int sum = 2 * number(i * 5 + j * 3, 9);
			for (int k = 0; k < K; k++)
				sum += 2 * (int)(float)(S)(float)number(3 * i + 5 * k * k, 7) *
				       (int)(float)(S)(float)number(k + 7 * j + k * j, 5);
			wrong += (float)d[rows ? i * lc + j : j * lc + i] != (float)sum;
		}
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	cudaFree(d);
	return wrong;
}

template <typename A, typename S, typename C, int M, int N, int K> static int all()
{
	return one<A, S, wmma::row_major, wmma::col_major, C, M, N, K>(true) +
	       one<A, S, wmma::col_major, wmma::row_major, C, M, N, K>(false);
}

__global__ void rounded(float *f, int *saturated)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
	wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;

	f[0] = wmma::__float_to_tf32(1.0f + 1.0f / 2048);
	f[1] = wmma::__float_to_tf32(-1.0f - 1.0f / 4096);
	wmma::fill_fragment(a, 100);
	wmma::fill_fragment(b, 100);
	wmma::fill_fragment(c, 0x7fffff00);
	wmma::mma_sync(c, a, b, c, true);
	saturated[0] = c.x[0];
}

int main()
{
	int halves = all<half, half, float, 16, 16, 16>() + all<half, half, float, 32, 8, 16>() +
		     all<half, half, float, 8, 32, 16>() + all<half, half, half, 16, 16, 16>();
	int others = all<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>() +
		     all<wmma::precision::tf32, float, float, 16, 16, 8>() + all<double, double, double, 8, 8, 4>();
	int bytes = all<signed char, signed char, int, 16, 16, 16>() + all<signed char, signed char, int, 32, 8, 16>();
	float *f;
	int *i;

	cudaMallocManaged(&f, 2 * sizeof *f);
	cudaMallocManaged(&i, sizeof *i);
	rounded<<<1, 32>>>(f, i);
	cudaDeviceSynchronize();
	printf("%d wrong of halves, %d of others, %d of bytes; %.10g %.10g %d\n", halves, others, bytes, f[0], f[1], *i);
	return halves + others + bytes != 0;
}
