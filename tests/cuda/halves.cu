// Halves against a model in C: arithmetic, conversions, comparisons, pairs, shuffles, atomics. "0 wrong numbers".
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <cuda_fp16.h>

enum { N = 2048, WORDS = 24, INTEGERS = 8 };

static long double value_of(unsigned h)
{
	int e = h >> 10 & 31;
	long double m = h & 1023, finite = e ? ldexpl(m + 1024, e - 25) : ldexpl(m, -24);
	long double v = e == 31 ? (m != 0 ? NAN : INFINITY) : finite;

	return h >> 15 ? -v : v;
}

// The half for a number; way: 0 nearest, ties to even; -1 down, 1 up, 2 to zero.
static unsigned rounded(long double v, int way)
{
	unsigned sign = std::signbit(v) ? 0x8000 : 0, low = 0, high = 0x7c00;
	long double a = fabsl(v);

	if (std::isnan(v))
		return 0x7fff;
	if (way == 2 || way == (sign ? 1 : -1))
		way = 0, high = 0;      // towards zero
	else if (way)
		high = 1;               // away
	else
		high = 2;
	while (low < 0x7c00 && value_of(low + 1) <= a)
		low += low + 256 < 0x7c00 && value_of(low + 256) <= a ? 256 : 1;
	if (value_of(low) == a || !high || low == 0x7c00)
		return sign | low;
	long double next = low == 0x7bff ? 65536 : value_of(low + 1), half = (value_of(low) + next) / 2;
	return sign | (high == 1 || a > half || (a == half && (low & 1)) ? low + 1 : low);
}

__global__ void compute(const unsigned short *in, const float *f, unsigned short *out, int *n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
	half a = __ushort_as_half(in[3 * i]), b = __ushort_as_half(in[3 * i + 1]), c = __ushort_as_half(in[3 * i + 2]);
	half2 x = __halves2half2(a, b), y = __halves2half2(b, c), z = __halves2half2(c, a);
	half v[WORDS];

	v[k++] = a + b;
	v[k++] = __hsub(a, b);
	v[k++] = __hmul(a, b);
	v[k++] = __hfma(a, b, c);
	v[k++] = a / b;
	v[k++] = __hmax(a, b);
	v[k++] = __hmin(a, b);
	v[k++] = __float2half(f[i]);
	v[k++] = __float2half_rz(f[i]);
	v[k++] = __float2half_rd(f[i]);
	v[k++] = __float2half_ru(f[i]);
	v[k++] = __hadd_sat(a, b);
	v[k++] = __high2half(__hadd2(x, y));
	v[k++] = __low2half(__hfma2(x, y, z));
	v[k++] = __high2half(__lowhigh2highlow(x * y));
	v[k++] = __shfl_xor_sync(~0u, a, 1);
	v[k++] = __high2half(__shfl_down_sync(~0u, x, 2));
	v[k++] = __hneg(a);
	v[k++] = __habs(a);
	v[k++] = hsqrt(a);
	v[k++] = htrunc(a);
	v[k++] = __int2half_rn((int)in[3 * i] * 3 - 70000);
	v[k++] = __int2half_rz((int)in[3 * i] * 3 - 70000);
	v[k++] = __high2half(__hlt2(x, y));
	for (k = 0; k < WORDS; k++)
		out[WORDS * i + k] = __half_as_ushort(v[k]);
	n += INTEGERS * i;
	n[0] = __half2int_rn(a);
	n[1] = __half2int_rz(a);
	n[2] = __half2int_rd(a);
	n[3] = __half2int_ru(a);
	n[4] = __half2short_rz(a);
	n[5] = __heq(a, b) | __hlt(a, b) << 1 | __hge(a, b) << 2 | __hgtu(a, b) << 3 | __hisnan(a) << 4;
	n[6] = __hblt2(x, y) | (a > b) << 1 | (x == x) << 2;
	n[7] = __hisinf(a);
}
__global__ void sums(half *one, half2 *two)
{
	atomicAdd(one, __float2half(0.5f));
	atomicAdd(two, __floats2half2_rn(1, -2));
}

static int bad;
static bool is_nan(unsigned h) { return (h & 0x7fff) > 0x7c00; }
static void want(int i, int k, unsigned found, unsigned expected)
{
	if (found != expected && !(is_nan(found) && is_nan(expected)) && bad++ < 10)
		printf("%d, number %d: found %x, expected %x\n", i, k, found, expected);
}
static int integer(long double v, long double low, long double high)
{
	return std::isnan(v) ? 0 : (int)(v < low ? low : v > high ? high : v);
}

static unsigned short in[3 * N], found[WORDS * N];
static float f[N];
static int integers[INTEGERS * N];

static void check(int i)
{
	const unsigned short *h = &in[3 * i], *w = &found[WORDS * i];
	const int *n = &integers[INTEGERS * i];
	long double a = value_of(h[0]), b = value_of(h[1]), c = value_of(h[2]);
	int k = 0, whole = h[0] * 3 - 70000;
	unsigned larger = is_nan(h[0]) || a < b || (a == b && !std::signbit(b)) ? h[1] : h[0];
	unsigned smaller = is_nan(h[0]) || b < a || (a == b && std::signbit(b)) ? h[1] : h[0];

	want(i, k++, w[0], rounded(a + b, 0));
	want(i, k++, w[1], rounded(a - b, 0));
	want(i, k++, w[2], rounded(a * b, 0));
	want(i, k++, w[3], rounded(a * b + c, 0));
	want(i, k++, w[4], rounded((double)(a / b), 0));
	want(i, k++, w[5], is_nan(h[1]) ? h[0] : larger);
	want(i, k++, w[6], is_nan(h[1]) ? h[0] : smaller);
	want(i, k++, w[7], rounded(f[i], 0));
	want(i, k++, w[8], rounded(f[i], 2));
	want(i, k++, w[9], rounded(f[i], -1));
	want(i, k++, w[10], rounded(f[i], 1));
	want(i, k++, w[11], a + b > 0 ? a + b < 1 ? rounded(a + b, 0) : 0x3c00 : 0);
	want(i, k++, w[12], rounded(b + c, 0));
	want(i, k++, w[13], rounded(a * b + c, 0));
	want(i, k++, w[14], rounded(a * b, 0));
	want(i, k++, w[15], in[3 * (i ^ 1)]);
	want(i, k++, w[16], in[3 * (i % 32 < 30 ? i + 2 : i) + 1]);
	want(i, k++, w[17], h[0] ^ 0x8000);
	want(i, k++, w[18], h[0] & 0x7fff);
	want(i, k++, w[19], a < 0 ? 0x7fff : rounded(sqrt((double)a), 0));
	want(i, k++, w[20], rounded(truncl(a), 0));
	want(i, k++, w[21], rounded(whole, 0));
	want(i, k++, w[22], rounded(whole, 2));
	want(i, k++, w[23], b < c ? 0x3c00 : 0);
	want(i, k++, n[0], integer(rintl(a), -0x1p31L, 0x1p31L - 1));
	want(i, k++, n[1], integer(truncl(a), -0x1p31L, 0x1p31L - 1));
	want(i, k++, n[2], integer(floorl(a), -0x1p31L, 0x1p31L - 1));
	want(i, k++, n[3], integer(ceill(a), -0x1p31L, 0x1p31L - 1));
	want(i, k++, n[4], integer(truncl(a), -32768, 32767));
	want(i, k++, n[5], (a == b) | (a < b) << 1 | (a >= b) << 2 | !(a <= b) << 3 | is_nan(h[0]) << 4);
	want(i, k++, n[6], (a < b && b < c) | (a > b) << 1 | (!is_nan(h[0]) && !is_nan(h[1])) << 2);
	want(i, k++, n[7], std::isinf(a) ? a > 0 ? 1 : -1 : 0);
}

int main()
{
	static const unsigned short special[] = { 0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0x7bff, 0xfbff, 0x7c00,
						  0xfc00, 0x7e00 };
	unsigned short *device_in, *device_out;
	float *device_f, sum[2];
	int *device_n;
	half *one, host_one;
	half2 *two, host_two;

	for (int i = 0; i < 3 * N; i++)
		in[i] = i % 7 ? (unsigned short)(rand() >> 8) : special[rand() % 12];
	for (int i = 0; i < N; i++) {
		unsigned bits = (unsigned)rand() << 16 ^ (unsigned)rand();
		memcpy(&f[i], &bits, sizeof bits);
		if (i & 1)
			f[i] = ldexpf((float)(rand() % 4096 - 2048) + (rand() & 1) / 2.0f, rand() % 45 - 32);
		if (fabsf(f[i]) < 1.2e-38f)     // denormals of floats are zeros here
			f[i] = 0;
	}
	cudaMalloc(&device_in, sizeof in);
	cudaMalloc(&device_f, sizeof f);
	cudaMalloc(&device_out, sizeof found);
	cudaMalloc(&device_n, sizeof integers);
	cudaMalloc(&one, 4);
	cudaMalloc(&two, 4);
	cudaMemset(one, 0, 4);
	cudaMemset(two, 0, 4);
	cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
	cudaMemcpy(device_f, f, sizeof f, cudaMemcpyHostToDevice);
	compute<<<N / 128, 128>>>(device_in, device_f, device_out, device_n);
	sums<<<2, 64>>>(one, two);
	cudaMemcpy(found, device_out, sizeof found, cudaMemcpyDeviceToHost);
	cudaMemcpy(integers, device_n, sizeof integers, cudaMemcpyDeviceToHost);
	cudaMemcpy(&host_one, one, sizeof host_one, cudaMemcpyDeviceToHost);
	cudaMemcpy(&host_two, two, sizeof host_two, cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		check(i);
	for (unsigned h = 0; h < 0x10000; h += 7) {     // the host's conversions
		float v = __half2float(__ushort_as_half((unsigned short)h));
		want((int)h, 100, __half_as_ushort(__float2half(v)), h);
	}
	sum[0] = __half2float(host_one);
	sum[1] = __low2float(host_two) * 1000 + __high2float(host_two);
	if (sum[0] != 64 || sum[1] != 128000 - 256)
		printf("sums: %g %g\n", sum[0], sum[1]), bad++;
	printf("%s, %d wrong numbers\n", cudaGetErrorString(cudaGetLastError()), bad);
	return bad != 0;
}
