/* Products of small matrices by a warp (nvcuda::wmma). The chips here have no tensor cores: element n of a matrix, row
 * by row, lies with lane n % 32, and products go by shuffles and multiply-adds. Sums are of floats, in the order of k,
 * where the elements are halves, bfloat16 or tf32. */
#ifndef WARPBEAM_CUDA_MMA_H
#define WARPBEAM_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

namespace nvcuda {
namespace wmma {

#define WB_D __device__ __forceinline__

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
struct u4;              /* of sub-byte elements, which are not here */
struct s4;
struct b1;
}

/* Of an element: the type in a fragment, and the type of the sums. */
template <typename T> struct wb_element { typedef T type; typedef T sum; };
template <> struct wb_element<__half> { typedef __half type; typedef float sum; };
template <> struct wb_element<__nv_bfloat16> { typedef __nv_bfloat16 type; typedef float sum; };
template <> struct wb_element<precision::tf32> { typedef float type; typedef float sum; };
template <> struct wb_element<signed char> { typedef signed char type; typedef int sum; };
template <> struct wb_element<unsigned char> { typedef unsigned char type; typedef int sum; };

template <typename Use, int M, int N, int K> struct wb_size;
template <int M, int N, int K> struct wb_size<matrix_a, M, N, K> { static const int rows = M, columns = K; };
template <int M, int N, int K> struct wb_size<matrix_b, M, N, K> { static const int rows = K, columns = N; };
template <int M, int N, int K> struct wb_size<accumulator, M, N, K> { static const int rows = M, columns = N; };

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment {
	typedef wb_size<Use, M, N, K> wb_place;
	static_assert((K == 16 && M * N == 256 && (M == 8 || M == 16 || M == 32)) || (M == 16 && N == 16 && K == 8) ||
		      (M == 8 && N == 8 && K == 4),
		      "a size of wmma: 16x16x16, 32x8x16, 8x32x16, 16x16x8 or 8x8x4");

public:
	typedef T element_type;
	typedef typename wb_element<T>::type storage_element_type;
	static const int num_elements = wb_place::rows * wb_place::columns / 32;
	static const int num_storage_elements = num_elements;
	storage_element_type x[num_elements];
};

WB_D unsigned wb_rank() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }

/* Place in memory of a lane's element. */
template <typename Use, int M, int N, int K> WB_D size_t wb_offset(int element, unsigned step, bool rows)
{
	typedef wb_size<Use, M, N, K> place;
	unsigned n = element * 32 + wb_rank(), row = n / place::columns, column = n % place::columns;

	return rows ? (size_t)row * step + column : (size_t)column * step + row;
}

template <typename Layout> struct wb_is_rows;
template <> struct wb_is_rows<row_major> { static const bool value = true; };
template <> struct wb_is_rows<col_major> { static const bool value = false; };

template <typename Use, int M, int N, int K, typename T, typename Layout>
WB_D void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &a, const typename wb_element<T>::type *p, unsigned step)
{
#pragma unroll
	for (int e = 0; e < a.num_elements; e++)
		a.x[e] = p[wb_offset<Use, M, N, K>(e, step, wb_is_rows<Layout>::value)];
}
template <int M, int N, int K, typename T>
WB_D void load_matrix_sync(fragment<accumulator, M, N, K, T> &a, const T *p, unsigned step, layout_t layout)
{
#pragma unroll
	for (int e = 0; e < a.num_elements; e++)
		a.x[e] = p[wb_offset<accumulator, M, N, K>(e, step, layout == mem_row_major)];
}
template <int M, int N, int K, typename T>
WB_D void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &a, unsigned step, layout_t layout)
{
#pragma unroll
	for (int e = 0; e < a.num_elements; e++)
		p[wb_offset<accumulator, M, N, K>(e, step, layout == mem_row_major)] = a.x[e];
	__syncwarp();
}
template <typename Use, int M, int N, int K, typename T, typename Layout, typename V>
WB_D void fill_fragment(fragment<Use, M, N, K, T, Layout> &a, const V &v)
{
#pragma unroll
	for (int e = 0; e < a.num_elements; e++)
		a.x[e] = v;
}

/* The nearest number with 10 bits behind the point, away from 0 where two are as near. */
WB_D float __float_to_tf32(float f)
{
	unsigned bits = __float_as_uint(f);

	return (bits & 0x7f800000) == 0x7f800000 ? f : __uint_as_float((bits + 0x1000) & ~0x1fffu);
}

/* An element as a factor. */
template <typename T> WB_D T wb_factor(T, T v) { return v; }
WB_D float wb_factor(__half, __half v) { return __half2float(v); }
WB_D float wb_factor(__nv_bfloat16, __nv_bfloat16 v) { return __bfloat162float(v); }
WB_D float wb_factor(precision::tf32, float v) { return __uint_as_float(__float_as_uint(v) & ~0x1fffu); }
WB_D int wb_factor(signed char, signed char v) { return v; }
WB_D int wb_factor(unsigned char, unsigned char v) { return v; }

WB_D float wb_multiply_add(float a, float b, float c, bool) { return fmaf(a, b, c); }
WB_D double wb_multiply_add(double a, double b, double c, bool) { return fma(a, b, c); }
WB_D int wb_multiply_add(int a, int b, int c, bool saturate)
{
	long long sum = (long long)a * b + c;

	return !saturate ? (int)sum : sum > 0x7fffffff ? 0x7fffffff : sum < -0x80000000ll ? (int)0x80000000 : (int)sum;
}

/* Where element e of the sums has row i, factor k of the row lies with lane `from` in one of a few elements of A. */
template <int M, int N, int K, typename T, typename Layout>
WB_D typename wb_element<T>::sum wb_of_row(const fragment<matrix_a, M, N, K, T, Layout> &a, int e, int k)
{
	const int first = e * 32 / N * K / 32, last = ((e * 32 + 31) / N * K + K - 1) / 32;
	unsigned n = (e * 32 + wb_rank()) / N * K + k;
	typename wb_element<T>::sum v = 0;

#pragma unroll
	for (int s = first; s <= last; s++) {
		typename wb_element<T>::sum one = __shfl_sync(0xffffffffu, wb_factor(T(), a.x[s]), n % 32);
		v = n / 32 == s ? one : v;
	}
	return v;
}

/* N divides 32, so a lane's sums are all of one column. */
template <int M, int N, int K, typename D, typename A, typename LA, typename B, typename LB, typename C>
WB_D void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, A, LA> &a,
		   const fragment<matrix_b, M, N, K, B, LB> &b, const fragment<accumulator, M, N, K, C> &c,
		   bool saturate = false)
{
	typedef typename wb_element<A>::sum sum_type;
	sum_type column[K], sum[fragment<accumulator, M, N, K, D>::num_elements];

#pragma unroll
	for (int k = 0; k < K; k++)
		column[k] = __shfl_sync(0xffffffffu, wb_factor(B(), b.x[k * N / 32]), k * N % 32 + wb_rank() % N);
#pragma unroll
	for (int e = 0; e < d.num_elements; e++) {
		sum[e] = c.x[e];
#pragma unroll
		for (int k = 0; k < K; k++)
			sum[e] = wb_multiply_add(wb_of_row(a, e, k), column[k], sum[e], saturate);
	}
#pragma unroll
	for (int e = 0; e < d.num_elements; e++)
		d.x[e] = sum[e];
}

#undef WB_D

}
}

#endif
