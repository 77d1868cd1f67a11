// Every function of halves, with BFLOAT of brain floats, against a model in C: a row for each, an expression of the
// device and the model's. Compiled as CUDA C++ and as HIP C++. "0 wrong numbers".
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#ifdef __HIP__
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#define cudaMalloc hipMalloc
#define cudaMemcpy hipMemcpy
#define cudaMemset hipMemset
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaGetErrorString hipGetErrorString
#define cudaGetLastError hipGetLastError
#define LANES 64
#define ALL ~0ULL
#else
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#define LANES 32
#define ALL ~0u
#endif

#ifdef BFLOAT
typedef __nv_bfloat16 T;
typedef __nv_bfloat162 T2;
#define F(before, after) before##bfloat16##after
#define PAIR_OF(a) __bfloat162bfloat162(a)
enum { DIGITS = 8, LOWEST = -126, INF = 0x7f80, ONE = 0x3f80, MOST = 0x7f7f };
#define CONSTANT(name) CUDART_##name##_BF16
#else
typedef half T;
typedef half2 T2;
#define F(before, after) before##half##after
#define PAIR_OF(a) __half2half2(a)
enum { DIGITS = 11, LOWEST = -14, INF = 0x7c00, ONE = 0x3c00, MOST = 0x7bff };
#define CONSTANT(name) CUDART_##name##_FP16
#endif
enum { N = 1024, FRACTION = 1 << (DIGITS - 1) };

// a, b, c: the inputs; x, y: pairs of a, b and b, c; f: a float; n, m: integers. Capitals: the model's numbers.
// H(expression, model): a number of 16 bits; P(…, low, high): a pair; I: an integer; NEAR: to the last bit but one.
#define ROWS \
	H(a + b, R(A + B)) H(a - b, R(A - B)) H(a * b, R(A * B)) H(a / b, R(A / B)) H(-a, ia ^ 0x8000) H(+a, ia) \
	H(__hadd(a, b), R(A + B)) H(__hsub(a, b), R(A - B)) H(__hmul(a, b), R(A * B)) H(__hdiv(a, b), R(A / B)) \
	H(__hadd_rn(a, b), R(A + B)) H(__hsub_rn(a, b), R(A - B)) H(__hmul_rn(a, b), R(A * B)) \
	H(__hadd_sat(a, b), S(A + B)) H(__hsub_sat(a, b), S(A - B)) H(__hmul_sat(a, b), S(A * B)) \
	H(__hfma(a, b, c), R(M(A, B, C))) H(__hfma_sat(a, b, c), S(M(A, B, C))) \
	H(__hfma_relu(a, b, c), std::isnan(A * B + C) ? 0x7fff : A * B + C > 0 ? R(M(A, B, C)) : 0) \
	H(__hneg(a), ia ^ 0x8000) H(__habs(a), ia & 0x7fff) \
	H(__hmax(a, b), std::isnan(B) ? ia : larger) H(__hmin(a, b), std::isnan(B) ? ia : smaller) \
	H(__hmax_nan(a, b), std::isnan(A) || std::isnan(B) ? 0x7fff : larger) \
	H(__hmin_nan(a, b), std::isnan(A) || std::isnan(B) ? 0x7fff : smaller) \
	P(x + y, R(A + B), R(B + C)) P(x - y, R(A - B), R(B - C)) P(x * y, R(A * B), R(B * C)) \
	P(x / y, R(A / B), R(B / C)) P(-x, ia ^ 0x8000, ib ^ 0x8000) \
	P(__hadd2(x, y), R(A + B), R(B + C)) P(__hsub2(x, y), R(A - B), R(B - C)) \
	P(__hmul2(x, y), R(A * B), R(B * C)) P(__h2div(x, y), R(A / B), R(B / C)) \
	P(__hadd2_rn(x, y), R(A + B), R(B + C)) P(__hsub2_rn(x, y), R(A - B), R(B - C)) \
	P(__hmul2_rn(x, y), R(A * B), R(B * C)) P(__hadd2_sat(x, y), S(A + B), S(B + C)) \
	P(__hsub2_sat(x, y), S(A - B), S(B - C)) P(__hmul2_sat(x, y), S(A * B), S(B * C)) \
	P(__hfma2(x, y, z), R(M(A, B, C)), R(M(B, C, A))) P(__hfma2_sat(x, y, z), S(M(A, B, C)), S(M(B, C, A))) \
	P(__hneg2(x), ia ^ 0x8000, ib ^ 0x8000) P(__habs2(x), ia & 0x7fff, ib & 0x7fff) \
	P(__hmax2(x, x), ia, ib) P(__hmin2(x, x), ia, ib) P(__hmax2_nan(x, x), ia, ib) P(__hmin2_nan(x, x), ia, ib) \
	P(__hcmadd(x, y, z), R(M(-B, C, V(R(M(A, B, C))))), R(M(B, B, V(R(M(A, C, A)))))) \
	I(__heq(a, b), A == B) I(__hne(a, b), A < B || A > B) I(__hlt(a, b), A < B) I(__hle(a, b), A <= B) \
	I(__hgt(a, b), A > B) I(__hge(a, b), A >= B) I(__hequ(a, b), !(A < B || A > B)) I(__hneu(a, b), A != B) \
	I(__hltu(a, b), !(A >= B)) I(__hleu(a, b), !(A > B)) I(__hgtu(a, b), !(A <= B)) I(__hgeu(a, b), !(A < B)) \
	I(a == b, A == B) I(a != b, A != B) I(a < b, A < B) I(a <= b, A <= B) I(a > b, A > B) I(a >= b, A >= B) \
	I(x == y, A == B && B == C) I(x != y, A != B && B != C) I(x < y, A < B && B < C) I(x >= y, A >= B && B >= C) \
	I(__hbeq2(x, x), A == A && B == B) I(__hbne2(x, y), (A < B || A > B) && (B < C || B > C)) \
	I(__hblt2(x, y), A < B && B < C) I(__hble2(x, y), A <= B && B <= C) I(__hbgt2(x, y), A > B && B > C) \
	I(__hbge2(x, y), A >= B && B >= C) I(__hbequ2(x, y), !(A < B || A > B) && !(B < C || B > C)) \
	I(__hbneu2(x, y), A != B && B != C) I(__hbltu2(x, y), !(A >= B) && !(B >= C)) \
	I(__hbleu2(x, y), !(A > B) && !(B > C)) I(__hbgtu2(x, y), !(A <= B) && !(B <= C)) \
	I(__hbgeu2(x, y), !(A < B) && !(B < C)) \
	P(__heq2(x, y), U(A == B), U(B == C)) P(__hne2(x, y), U(A < B || A > B), U(B < C || B > C)) \
	P(__hlt2(x, y), U(A < B), U(B < C)) P(__hle2(x, y), U(A <= B), U(B <= C)) \
	P(__hgt2(x, y), U(A > B), U(B > C)) P(__hge2(x, y), U(A >= B), U(B >= C)) \
	P(__hequ2(x, y), U(!(A < B || A > B)), U(!(B < C || B > C))) P(__hneu2(x, y), U(A != B), U(B != C)) \
	P(__hltu2(x, y), U(!(A >= B)), U(!(B >= C))) P(__hleu2(x, y), U(!(A > B)), U(!(B > C))) \
	P(__hgtu2(x, y), U(!(A <= B)), U(!(B <= C))) P(__hgeu2(x, y), U(!(A < B)), U(!(B < C))) \
	I(__hisnan(a), std::isnan(A)) I(__hisinf(a), std::isinf(A) ? A > 0 ? 1 : -1 : 0) \
	P(__hisnan2(x), U(std::isnan(A)), U(std::isnan(B))) \
	H(F(__float2, )(f), R(f)) H(F(__float2, _rn)(f), R(f)) H(F(__float2, _rz)(f), rounded(f, 2)) \
	H(F(__float2, _rd)(f), rounded(f, -1)) H(F(__float2, _ru)(f), rounded(f, 1)) H(T(f), R(f)) \
	H(F(__double2, )(d), R(D)) H(T(d), R(D)) H(T(n), R(n)) H(T(m), R(m)) \
	H(F(__int2, _rn)(n), R(n)) H(F(__int2, _rz)(n), rounded(n, 2)) H(F(__int2, _rd)(n), rounded(n, -1)) \
	H(F(__int2, _ru)(n), rounded(n, 1)) H(F(__uint2, _rn)(u), R(u)) H(F(__uint2, _rz)(u), rounded(u, 2)) \
	H(F(__uint2, _rd)(u), rounded(u, -1)) H(F(__uint2, _ru)(u), rounded(u, 1)) \
	H(F(__ll2, _rn)(m), R(m)) H(F(__ll2, _rz)(m), rounded(m, 2)) H(F(__ll2, _rd)(m), rounded(m, -1)) \
	H(F(__ll2, _ru)(m), rounded(m, 1)) H(F(__ull2, _rn)(w), R(w)) H(F(__ull2, _rz)(w), rounded(w, 2)) \
	H(F(__ull2, _rd)(w), rounded(w, -1)) H(F(__ull2, _ru)(w), rounded(w, 1)) \
	H(F(__short2, _rn)(s), R(s)) H(F(__short2, _rz)(s), rounded(s, 2)) H(F(__short2, _rd)(s), rounded(s, -1)) \
	H(F(__short2, _ru)(s), rounded(s, 1)) H(F(__ushort2, _rn)(us), R(us)) \
	H(F(__ushort2, _rz)(us), rounded(us, 2)) H(F(__ushort2, _rd)(us), rounded(us, -1)) \
	H(F(__ushort2, _ru)(us), rounded(us, 1)) \
	I(F(__, 2int_rn)(a), L(rintl(A), -0x1p31L, 0x1p31L - 1)) \
	I(F(__, 2int_rz)(a), L(truncl(A), -0x1p31L, 0x1p31L - 1)) \
	I(F(__, 2int_rd)(a), L(floorl(A), -0x1p31L, 0x1p31L - 1)) \
	I(F(__, 2int_ru)(a), L(ceill(A), -0x1p31L, 0x1p31L - 1)) \
	I(F(__, 2uint_rn)(a), L(rintl(A), 0, 0x1p32L - 1)) I(F(__, 2uint_rz)(a), L(truncl(A), 0, 0x1p32L - 1)) \
	I(F(__, 2uint_rd)(a), L(floorl(A), 0, 0x1p32L - 1)) I(F(__, 2uint_ru)(a), L(ceill(A), 0, 0x1p32L - 1)) \
	I(F(__, 2short_rn)(a), L(rintl(A), -32768, 32767)) I(F(__, 2short_rz)(a), L(truncl(A), -32768, 32767)) \
	I(F(__, 2short_rd)(a), L(floorl(A), -32768, 32767)) I(F(__, 2short_ru)(a), L(ceill(A), -32768, 32767)) \
	I(F(__, 2ushort_rn)(a), L(rintl(A), 0, 65535)) I(F(__, 2ushort_rz)(a), L(truncl(A), 0, 65535)) \
	I(F(__, 2ushort_rd)(a), L(floorl(A), 0, 65535)) I(F(__, 2ushort_ru)(a), L(ceill(A), 0, 65535)) \
	I(F(__, 2char_rz)(a), L(truncl(A), -128, 127)) I(F(__, 2uchar_rz)(a), L(truncl(A), 0, 255)) \
	I(F(__, 2ll_rn)(g) >> 8, small(rintl(G)) >> 8) I(F(__, 2ll_rz)(g), small(truncl(G))) \
	I(F(__, 2ll_rd)(g), small(floorl(G))) I(F(__, 2ll_ru)(g), small(ceill(G))) \
	I(F(__, 2ull_rn)(__habs(g)), small(rintl(fabsl(G)))) I(F(__, 2ull_rz)(__habs(g)), small(truncl(fabsl(G)))) \
	I(F(__, 2ull_rd)(__habs(g)), small(floorl(fabsl(G)))) I(F(__, 2ull_ru)(__habs(g)), small(ceill(fabsl(G)))) \
	I(F(__, _as_ushort)(a), ia) I(F(__, _as_short)(a), (short)ia) H(F(__ushort_as_, )(us), us) \
	H(F(__short_as_, )((short)us), us) \
	I(__float_as_int(F(__, 2float)(a)), floated(A, a_bits)) I(__float_as_int(__low2float(x)), floated(A, a_bits)) \
	I(__float_as_int(__high2float(x)), floated(B, b_bits)) \
	P(F(make_, 2)(a, b), ia, ib) P(F(__halves2, 2)(a, b), ia, ib) P(PAIR_OF(a), ia, ia) H(F(__low2, )(x), ia) \
	H(F(__high2, )(x), ib) P(F(__low2, 2)(x), ia, ia) P(F(__high2, 2)(x), ib, ib) \
	P(__lowhigh2highlow(x), ib, ia) P(F(__lows2, 2)(x, y), ia, ib) P(F(__highs2, 2)(x, y), ib, ic) \
	P(F(__floats2, 2_rn)(f, 1.5f), R(f), R(1.5L)) P(F(__float2, 2_rn)(f), R(f), R(f)) \
	P(F(__float22, 2_rn)(make_float2(f, -2)), R(f), R(-2)) \
	I(__float_as_int(F(__, 22float2)(x).y), floated(B, b_bits)) \
	H(a += b, R(A + B)) H(a -= b, R(A - B)) H(a *= b, R(A * B)) H(a /= b, R(A / B)) H(++a, R(A + 1)) \
	H(a--, ia) P(x += y, R(A + B), R(B + C)) P(x *= y, R(A * B), R(B * C)) P(--x, R(A - 1), R(B - 1)) \
	H(CONSTANT(ONE), ONE) H(CONSTANT(ZERO), 0) H(CONSTANT(NEG_ZERO), 0x8000) H(CONSTANT(INF), INF) \
	H(CONSTANT(MAX_NORMAL), MOST) H(CONSTANT(MIN_DENORM), 1) H(CONSTANT(NAN), 0x7fff) \
	H(hsqrt(a), R(sqrtl(A))) H(htrunc(a), R(truncl(A))) H(hfloor(a), R(floorl(A))) H(hceil(a), R(ceill(A))) \
	H(hrint(a), R(rintl(A))) NEAR(hrsqrt(a), 1 / sqrtl(A)) NEAR(hrcp(a), 1 / A) NEAR(hexp(g), expl(G)) \
	NEAR(hexp2(g), exp2l(G)) NEAR(hexp10(g), exp10l(G)) NEAR(hlog(a), logl(A)) NEAR(hlog2(a), log2l(A)) \
	NEAR(hlog10(a), log10l(A)) NEAR(hsin(g), sinl(G)) NEAR(hcos(g), cosl(G)) NEAR(htanh(g), tanhl(G)) \
	P(h2sqrt(x), R(sqrtl(A)), R(sqrtl(B))) P(h2trunc(x), R(truncl(A)), R(truncl(B))) \
	P(h2floor(x), R(floorl(A)), R(floorl(B))) P(h2ceil(x), R(ceill(A)), R(ceill(B))) \
	P(h2rint(x), R(rintl(A)), R(rintl(B))) \
	H(__shfl_xor_sync(ALL, a, 1), in[3 * (i ^ 1)]) H(__shfl_sync(ALL, a, 5), in[3 * (i / LANES * LANES + 5)]) \
	H(__shfl_up_sync(ALL, a, 1), in[3 * (i % LANES ? i - 1 : i)]) \
	P(__shfl_down_sync(ALL, x, 2), in[3 * DOWN(2)], in[3 * DOWN(2) + 1]) \
	P(__shfl_xor_sync(ALL, x, 3), in[3 * (i ^ 3)], in[3 * (i ^ 3) + 1])
#define DOWN(n) (i % LANES + n < LANES ? i + n : i)
#define H(expression, ...) +1
#define P(expression, ...) +1
#define I(expression, ...) +1
#define NEAR(expression, ...) +1
enum { COUNT = ROWS };
#undef H
#undef P
#undef I
#undef NEAR

// Pairs are read from memory as programs do.
__global__ void compute(const unsigned short *in, const float *floats, const long long *whole, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, *to = out + i * COUNT;
	float f = floats[i];
	long long m = whole[i];
	double d = (double)m / 1024;
	int n = (int)m;
	unsigned u = (unsigned)n;
	unsigned long long w = (unsigned long long)m;
	short s = (short)n;
	unsigned short us = (unsigned short)n;
	T v;
	T2 t;

	// Each row has variables of its own, as some change theirs.
#define VARIABLES \
	T a = F(__ushort_as_, )(in[3 * i]), b = F(__ushort_as_, )(in[3 * i + 1]), c = F(__ushort_as_, )(in[3 * i + 2]); \
	T g = F(__float2, )((float)(n % 4096) / 512); \
	T2 x = F(make_, 2)(a, b), y = F(make_, 2)(b, c), z = F(make_, 2)(c, a); \
	(void)x, (void)y, (void)z, (void)g;
#define H(expression, ...) { VARIABLES v = (expression); *to++ = F(__, _as_ushort)(v); }
#define P(expression, ...) { VARIABLES t = (expression); memcpy(to++, &t, sizeof t); }
#define I(expression, ...) { VARIABLES *to++ = (int)(expression); }
#define NEAR H
	ROWS
#undef H
#undef P
#undef I
#undef NEAR
}

// ---- the model ----

static long double value_of(unsigned h)
{
	int e = (h & 0x7fff) / FRACTION, most = INF / FRACTION;
	long double m = h % FRACTION, finite = ldexpl(e ? m + FRACTION : m, LOWEST + (e ? e - 1 : 0) - DIGITS + 1);
	long double v = e == most ? (m != 0 ? NAN : INFINITY) : finite;

	return h >> 15 ? -v : v;
}

// The number for v; way: 0 nearest, ties to even; -1 down, 1 up, 2 to zero.
static unsigned rounded(long double v, int way)
{
	unsigned sign = std::signbit(v) ? 0x8000 : 0, low = 0;
	long double a = fabsl(v);

	if (std::isnan(v))
		return 0x7fff;
	for (unsigned bit = 0x4000; bit; bit >>= 1)     // the last number that is not above
		if ((low | bit) <= (unsigned)INF && value_of(low | bit) <= a)
			low |= bit;
	if (value_of(low) == a || low == INF || way == 2 || way == (sign ? 1 : -1))
		return sign | low;
	long double next = low == MOST ? 2 * value_of(low + 1 - FRACTION) : value_of(low + 1);
	long double half_way = (value_of(low) + next) / 2;
	return sign | (way || a > half_way || (a == half_way && (low & 1)) ? low + 1 : low);
}
static unsigned R(long double v) { return rounded(v, 0); }
// a * b + c, moved to the side of what a long double does not hold.
static long double M(long double a, long double b, long double c)
{
	long double p = a * b, s = p + c, t = s - p, rest = (p - (s - t)) + (c - t);

	return rest < 0 ? nextafterl(s, -INFINITY) : rest > 0 ? nextafterl(s, INFINITY) : s;
}
static unsigned S(long double v) { return v > 0 ? v < 1 ? R(v) : ONE : 0; }
static unsigned U(bool is) { return is ? ONE : 0; }
static long double V(unsigned h) { return value_of(h); }
static long long L(long double v, long double low, long double high)
{
	return std::isnan(v) ? 0 : (long long)(v < low ? low : v > high ? high : v);
}
static long long small(long double v) { return (long long)v; }
static int floated(long double v, int bits)
{
	float f = (float)v;

	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static int bad;
static unsigned short in[3 * N];
static float floats[N];
static long long whole[N];
static int found[COUNT * N];

static bool is_nan(unsigned h) { return (h & 0x7fff) > INF; }
// Results below the smallest normal number may be 0.
static bool same(unsigned got, unsigned expected, unsigned off)
{
	unsigned apart = got > expected ? got - expected : expected - got;

	return (apart <= off && !is_nan(got) && !is_nan(expected)) || (is_nan(got) && is_nan(expected)) ||
	       (DIGITS == 8 && (expected & 0x7fff) <= FRACTION && (got & 0x7fff) <= (expected & 0x7fff));
}
static void want(int i, const char *what, bool right, unsigned got, unsigned expected)
{
	if (!right && bad++ < 20)
		printf("%s, %d (%x %x %x, %a): found %x, expected %x\n", what, i, in[3 * i], in[3 * i + 1],
		       in[3 * i + 2], floats[i], got, expected);
}

static void check(int i)
{
	unsigned ia = in[3 * i], ib = in[3 * i + 1], ic = in[3 * i + 2];
	int a_bits = 0, b_bits = 0;
	const int *from = found + i * COUNT;
	long double A = value_of(ia), B = value_of(ib), C = value_of(ic), D = (long double)whole[i] / 1024;
	float f = floats[i];
	long long m = whole[i];
	int n = (int)m;
	unsigned u = (unsigned)n;
	unsigned long long w = (unsigned long long)m;
	short s = (short)n;
	unsigned short us = (unsigned short)n;
	long double G = value_of(R((float)(n % 4096) / 512));
	unsigned larger = std::isnan(A) || A < B || (A == B && !std::signbit(B)) ? ib : ia;
	unsigned smaller = std::isnan(A) || B < A || (A == B && std::signbit(B)) ? ib : ia;

	bool no_number = std::isnan(A) || std::isnan(B);        // whose bits may be others

	(void)ic;
#define WANT(expression, model, right) \
	{ unsigned e = (unsigned)(model), g = (unsigned)*from++; want(i, #expression, right, g, e); }
#define H(expression, ...) WANT(expression, (__VA_ARGS__), same(g, e, 0))
#define NEAR(expression, ...) WANT(expression, R(__VA_ARGS__), same(g, e, 1))
#define I(expression, ...) WANT(expression, (__VA_ARGS__), g == e || (strstr(#expression, "float_as") && no_number))
#define P(expression, ...) { unsigned e[2] = { __VA_ARGS__ }, g = (unsigned)*from++; \
		want(i, #expression, same(g & 0xffff, e[0], 0) && same(g >> 16, e[1], 0), g, e[1] << 16 | e[0]); }
	ROWS
}

#if !defined(__HIP__) && !defined(BFLOAT)
__global__ void sums(half *one, half2 *two)
{
	atomicAdd(one, __float2half(0.5f));
	atomicAdd(two, __floats2half2_rn(1, -2));
}
static void check_sums()
{
	half *one, host_one;
	half2 *two, host_two;

	cudaMalloc(&one, 4);
	cudaMalloc(&two, 4);
	cudaMemset(one, 0, 4);
	cudaMemset(two, 0, 4);
	sums<<<2, 64>>>(one, two);
	cudaMemcpy(&host_one, one, sizeof host_one, cudaMemcpyDeviceToHost);
	cudaMemcpy(&host_two, two, sizeof host_two, cudaMemcpyDeviceToHost);
	if (__half2float(host_one) != 64 || __low2float(host_two) != 128 || __high2float(host_two) != -256)
		printf("wrong sums\n"), bad++;
}
#else
static void check_sums() {}
#endif

int main()
{
	static const unsigned short special[] = { 0, 0x8000, FRACTION, 0x8000 + FRACTION, ONE, MOST, 0x8000 + MOST, INF,
						  0x8000 + INF, 0x7fff, ONE + 1, ONE - 1 };
	unsigned short *device_in;
	float *device_floats;
	long long *device_whole;
	int *device_out;

	for (int i = 0; i < 3 * N; i++) {
		in[i] = i % 7 ? (unsigned short)(rand() >> 8) : special[rand() % 12];
		if (i % 4 == 1)         // of a size with the one before
			in[i] = (unsigned short)((in[i - 1] & 0x7fff & -FRACTION) ^ (rand() & (0x8000 | (2 * FRACTION - 1))));
		if (DIGITS == 8 && (in[i] & 0x7fff) < FRACTION) // denormals of floats are zeros here
			in[i] &= 0x8000;
	}
	for (int i = 0; i < N; i++) {
		unsigned bits = (unsigned)rand() << 16 ^ (unsigned)rand();
		memcpy(&floats[i], &bits, sizeof bits);
		if (i & 1)
			floats[i] = ldexpf((float)(rand() % 4096 - 2048) + (rand() & 1) / 2.0f, rand() % 45 - 32);
		if (fabsf(floats[i]) < 1.2e-38f)
			floats[i] = 0;
		whole[i] = (((long long)rand() << 40) ^ ((long long)rand() << 20) ^ rand()) >> rand() % 63;
		if (i & 2)
			whole[i] = -whole[i];
	}
	cudaMalloc(&device_in, sizeof in);
	cudaMalloc(&device_floats, sizeof floats);
	cudaMalloc(&device_whole, sizeof whole);
	cudaMalloc(&device_out, sizeof found);
	cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
	cudaMemcpy(device_floats, floats, sizeof floats, cudaMemcpyHostToDevice);
	cudaMemcpy(device_whole, whole, sizeof whole, cudaMemcpyHostToDevice);
	compute<<<N / 128, 128>>>(device_in, device_floats, device_whole, device_out);
	cudaMemcpy(found, device_out, sizeof found, cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		check(i);
	for (unsigned h = 0; h < 0x10000; h += 7) {     // the host's conversions
		float v = F(__, 2float)(F(__ushort_as_, )((unsigned short)h));
		unsigned back = F(__, _as_ushort)(F(__float2, )(v));
		want(0, "host", back == h || (is_nan(h) && is_nan(back)), back, h);
		want(0, "host's value", (long double)v == value_of(h) || is_nan(h), 0, h);
	}
	for (int i = 0; i < N; i++) {
		unsigned got = F(__, _as_ushort)(F(__float2, )(floats[i]));
		want(i, "host's rounding", same(got, R(floats[i]), 0), got, R(floats[i]));
	}
	check_sums();
	printf("%s, %d rows, %d wrong numbers\n", cudaGetErrorString(cudaGetLastError()), COUNT, bad);
	return bad != 0;
}
