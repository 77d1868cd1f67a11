/* <cmath> with floats, cuComplex.h and atomics of bfloat16 in device code, against the host's functions. */
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuComplex.h>
#include <cuda_bf16.h>

/* Each name's overload for float: X the value, Y a second one, N a whole number, *E and *Q to be written. */
#define FUNCTIONS \
	F(acosh(1 + fabs(X))) F(asinh(X)) F(atanh(X / 8)) F(cbrt(X)) F(erf(X)) F(erfc(X)) F(exp2(X)) F(expm1(X)) \
	F(lgamma(1 + fabs(X))) F(log1p(fabs(X))) F(log2(fabs(X))) F(logb(X)) F(nearbyint(X)) F(rint(X)) F(round(X)) \
	F(tgamma(1 + fabs(X))) F(trunc(X)) F(copysign(X, Y)) F(fdim(X, Y)) F(fmax(X, Y)) F(fmin(X, Y)) F(hypot(X, Y)) \
	F(nextafter(X, Y)) F(remainder(X, Y)) F(fma(X, Y, X)) F(remquo(X, Y, E)) F(scalbn(X, N)) \
	F(scalbln(X, (long)N)) F(pow(fabs(X), Y)) F(fmod(X, Y)) F(atan2(X, Y)) F(frexp(X, E)) F(ldexp(X, N)) F(floor(X)) \
	F(ceil(X)) F(sqrt(fabs(X))) F(exp(X)) F(log(fabs(X))) F(log10(fabs(X))) F(sin(X)) F(cos(X)) F(tan(X)) \
	F(sinh(X)) F(cosh(X)) F(tanh(X)) F(fabs(X)) F(abs(X))
#define WHOLE F(ilogb(X)) F(lrint(X)) F(llrint(X)) F(lround(X)) F(llround(X)) F(isnan(nan(""))) F(isnan(nanf("")))

/* The type is checked as well: a float's function is a float's. */
#define F(call) { auto r = call; static_assert(sizeof r == 4, #call); out[i++] = r; }
__host__ __device__ int floats(float X, float Y, int N, float *out)
{
	int i = 0, room, *E = &room;
	FUNCTIONS
	return i;
}
#undef F
#define F(call) out[i++] = (float)(call);
__host__ __device__ int wholes(float X, float *out)
{
	int i = 0;
	WHOLE
	return i;
}
#undef F

__host__ __device__ int complexes(float x, float y, float *out)
{
	cuFloatComplex a = make_cuComplex(x, y), b = make_cuFloatComplex(y + 1, x - 3), c = cuCdivf(a, b);
	cuFloatComplex d = cuCfmaf(a, b, cuConjf(c)), e = cuCsubf(cuCaddf(a, b), cuCmulf(a, c));
	cuDoubleComplex g = cuCdiv(cuComplexFloatToDouble(d), cuComplexFloatToDouble(e));
	int i = 0;

	out[i++] = cuCrealf(c), out[i++] = cuCimagf(c), out[i++] = cuCrealf(d), out[i++] = cuCimagf(d);
	out[i++] = cuCrealf(e), out[i++] = cuCimagf(e), out[i++] = cuCabsf(a), out[i++] = (float)cuCabs(g);
	out[i++] = (float)cuCreal(g), out[i++] = (float)cuCimag(g);
	return i;
}

enum { VALUES = 128, THREADS = 64 };
__global__ void all(float *out, int *n)
{
	float x = (threadIdx.x - 31.5f) * 0.171f, y = 2.75f - threadIdx.x * 0.09f;
	float *mine = out + threadIdx.x * VALUES;

	n[0] = floats(x, y, 3, mine);
	n[1] = wholes(x, mine + n[0]);
	n[2] = complexes(x, y, mine + n[0] + n[1]);
}

__global__ void sums(__nv_bfloat16 *one, __nv_bfloat162 *two)
{
	atomicAdd(one, __float2bfloat16(1.0f));
	atomicAdd(two, __floats2bfloat162_rn(1.0f, 2.0f));
}

static bool is_near(float got, float want)
{
	return (std::isnan(got) && std::isnan(want)) || got == want ||
	       std::fabs(got - want) <= 2e-5f * std::fabs(want) + 1e-6f;
}

int main()
{
	float *out, want[VALUES];
	int *n, wrong = 0;
	__nv_bfloat16 *one;
	__nv_bfloat162 *two;

	cudaMallocManaged(&out, THREADS * VALUES * sizeof *out);
	cudaMallocManaged(&n, 3 * sizeof *n);
	cudaMallocManaged(&one, sizeof *one);
	cudaMallocManaged(&two, sizeof *two);
	cudaMemset(one, 0, sizeof *one);
	cudaMemset(two, 0, sizeof *two);
	all<<<1, THREADS>>>(out, n);
	sums<<<1, THREADS>>>(one, two);
	cudaDeviceSynchronize();
	for (int t = 0; t < THREADS; t++) {
		float x = (t - 31.5f) * 0.171f, y = 2.75f - t * 0.09f;
		int f = floats(x, y, 3, want), w = wholes(x, want + f), c = complexes(x, y, want + f + w);
		wrong += f != n[0] || w != n[1] || c != n[2];
		for (int i = 0; i < f + w + c; i++)
			if (!is_near(out[t * VALUES + i], want[i]) && wrong++ < 9)
				printf("thread %d, value %d: %g, expected %g\n", t, i, out[t * VALUES + i], want[i]);
	}
	std::complex<float> a(1, 2), b(3, 1), q = a / b;
	cuFloatComplex r = cuCdivf(make_cuComplex(1, 2), make_cuComplex(3, 1));
	wrong += !is_near(r.x, q.real()) || !is_near(r.y, q.imag()) || cuCabsf(make_cuComplex(3e30f, 4e30f)) != 5e30f;
	wrong += __bfloat162float(*one) != THREADS || __low2float(*two) != THREADS || __high2float(*two) != 2 * THREADS;
	printf("%s, %d values a thread, %d wrong\n", cudaGetErrorString(cudaGetLastError()), n[0] + n[1] + n[2], wrong);
	return wrong != 0;
}
