/* The functions that clang's headers for CUDA C++ call (__nv_…), over libclc's OpenCL C. One lane's meaning:
 * where PTX has an instruction the instruction, else libclc's function, else a few lines here. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ASM __asm__
typedef unsigned int u32;
typedef unsigned long u64;

/* ---- one function for both types, by its name in OpenCL C ---- */

#define F1(name) \
	float __nv_##name##f(float x) { return name(x); } \
	double __nv_##name(double x) { return name(x); }
#define F2(name) \
	float __nv_##name##f(float x, float y) { return name(x, y); } \
	double __nv_##name(double x, double y) { return name(x, y); }

F1(acos) F1(acosh) F1(asin) F1(asinh) F1(atan) F1(atanh) F1(cbrt) F1(ceil) F1(cosh) F1(erf) F1(erfc)
F1(exp) F1(exp10) F1(exp2) F1(expm1) F1(fabs) F1(floor) F1(lgamma) F1(log) F1(log10) F1(log1p) F1(log2) F1(logb)
F1(rint) F1(round) F1(sinh) F1(tanh) F1(tgamma) F1(trunc)
F2(atan2) F2(copysign) F2(fdim) F2(fmax) F2(fmin) F2(fmod) F2(hypot) F2(nextafter) F2(pow) F2(remainder)

float __nv_nearbyintf(float x) { return rint(x); }
double __nv_nearbyint(double x) { return rint(x); }
float __nv_ldexpf(float x, int n) { return ldexp(x, n); }
double __nv_ldexp(double x, int n) { return ldexp(x, n); }
float __nv_scalbnf(float x, int n) { return ldexp(x, n); }
double __nv_scalbn(double x, int n) { return ldexp(x, n); }
float __nv_powif(float x, int n) { return pown(x, n); }
double __nv_powi(double x, int n) { return pown(x, n); }
int __nv_ilogbf(float x) { return ilogb(x); }
int __nv_ilogb(double x) { return ilogb(x); }
float __nv_frexpf(float x, int *e) { int k = 0; float r = frexp(x, &k); *e = k; return r; }
double __nv_frexp(double x, int *e) { int k = 0; double r = frexp(x, &k); *e = k; return r; }
float __nv_modff(float x, float *whole)
{
	float t = trunc(x);

	*whole = t;
	return copysign(isinf(x) ? 0.0f : x - t, x);
}
double __nv_modf(double x, double *whole)
{
	double t = trunc(x);

	*whole = t;
	return copysign(isinf(x) ? 0.0 : x - t, x);
}
float __nv_remquof(float x, float y, int *q) { int k = 0; float r = remquo(x, y, &k); *q = k; return r; }
double __nv_remquo(double x, double y, int *q) { int k = 0; double r = remquo(x, y, &k); *q = k; return r; }
float __nv_rcbrtf(float x) { return 1.0f / cbrt(x); }
double __nv_rcbrt(double x) { return 1.0 / cbrt(x); }
float __nv_rhypotf(float x, float y) { return 1.0f / hypot(x, y); }
double __nv_rhypot(double x, double y) { return 1.0 / hypot(x, y); }
float __nv_norm3df(float x, float y, float z) { return hypot(hypot(x, y), z); }
double __nv_norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
float __nv_norm4df(float x, float y, float z, float w) { return hypot(hypot(x, y), hypot(z, w)); }
double __nv_norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
float __nv_rnorm3df(float x, float y, float z) { return 1.0f / hypot(hypot(x, y), z); }
double __nv_rnorm3d(double x, double y, double z) { return 1.0 / hypot(hypot(x, y), z); }
float __nv_rnorm4df(float x, float y, float z, float w) { return 1.0f / hypot(hypot(x, y), hypot(z, w)); }
double __nv_rnorm4d(double x, double y, double z, double w) { return 1.0 / hypot(hypot(x, y), hypot(z, w)); }
float __nv_normcdff(float x) { return 0.5f * erfc(-0.70710678118654752f * x); }
double __nv_normcdf(double x) { return 0.5 * erfc(-0.70710678118654752440 * x); }

/* ---- circles: libclc's float functions lose all digits beside the zeroes ---- */

/* The quadrant of x, and *r, the rest in -pi/4 to pi/4. Below 2^16 three parts of pi/2 are taken away, the first exactly;
 * above, the 96 bits of 2/pi that reach the quadrant and the fraction are multiplied. */
static u32 quadrant(float x, float *r)
{
	/* 2/pi behind 32 zeroes */
	const u32 bits[8] = { 0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab };
	u32 word = as_uint(x), m = (word & 0x7fffff) | 0x800000, part[3];

	if (fabs(x) < 65536.0f) {
		float q = rint(x * 0.636619772f), rest = fma(q, -0x1.921fb6p+0f, x);
		*r = fma(q, 0x1.ee59dap-50f, fma(q, 0x1.777a5cp-25f, rest));
		return (u32)(int)q;
	}
	if (!(fabs(x) < INFINITY)) {
		*r = NAN;
		return 0;
	}
	u32 skip = (word >> 23 & 255) - 127 - 25 + 32;
	for (u32 i = 0; i < 3; i++) {
		u64 two = (u64)bits[skip / 32 + i] << 32 | bits[skip / 32 + i + 1];
		part[i] = (u32)(two << skip % 32 >> 32);
	}
	u64 t = (u64)m * part[2];
	u32 low = (u32)t;
	t = (u64)m * part[1] + (t >> 32);
	u64 high = (u64)(m * part[0] + (u32)(t >> 32)) << 32 | (u32)t;
	u32 q = (u32)(high >> 62);
	u64 fraction = high << 2 | low >> 30;
	bool up = fraction >> 63;
	float rest = (float)(up ? 0 - fraction : fraction) * (0x1p-64f * 1.57079633f);
	q += up;
	*r = up != (x < 0) ? -rest : rest;
	return x < 0 ? 0 - q : q;
}

static float small_sin(float r)
{
	float z = r * r;

	return fma(r * z, fma(z, fma(z, fma(z, 2.7557319e-6f, -1.9841270e-4f), 8.3333333e-3f), -0.16666667f), r);
}

static float small_cos(float r)
{
	float z = r * r;
	float c = fma(z, fma(z, fma(z, -2.7557319e-7f, 2.4801587e-5f), -1.3888889e-3f), 4.1666667e-2f);

	return fma(z * z, c, fma(z, -0.5f, 1.0f));
}

static float circle(u32 q, float r)
{
	float v = q & 1 ? small_cos(r) : small_sin(r);

	return q & 2 ? -v : v;
}

float __nv_sinf(float x) { float r; u32 q = quadrant(x, &r); return x == 0 ? x : circle(q, r); }
float __nv_cosf(float x) { float r; u32 q = quadrant(x, &r); return circle(q + 1, r); }
void __nv_sincosf(float x, float *s, float *c)
{
	float r;
	u32 q = quadrant(x, &r);

	*s = x == 0 ? x : circle(q, r);
	*c = circle(q + 1, r);
}
float __nv_tanf(float x)
{
	float r;
	u32 q = quadrant(x, &r);
	float s = small_sin(r), c = small_cos(r);

	return x == 0 ? x : q & 1 ? -c / s : s / c;
}

/* Of x times pi: halves of x are quadrants, and the rest is exact; *low is what rounding takes from *r. */
static u32 half_turns(float x, float *r, float *low)
{
	const float pi = 3.14159265f;
	float q = rint(x * 2), t = fma(q, -0.5f, x);

	*low = 0;
	if (!(fabs(x) < 0x1p24f)) {     /* an even integer */
		*r = fabs(x) < INFINITY ? 0 : NAN;
		return 0;
	}
	*r = t * pi;
	*low = fma(t, pi, -*r) - t * 8.7422777e-8f;
	return (u32)(int)q;
}
float __nv_sinpif(float x)
{
	float r, low;
	u32 q = half_turns(x, &r, &low);

	return x == 0 ? x : fma(low, circle(q + 1, r), circle(q, r));
}
float __nv_cospif(float x)
{
	float r, low;
	u32 q = half_turns(x, &r, &low);

	return fma(low, circle(q + 2, r), circle(q + 1, r));
}
void __nv_sincospif(float x, float *s, float *c) { *s = __nv_sinpif(x); *c = __nv_cospif(x); }

double __nv_sin(double x) { return sin(x); }
double __nv_cos(double x) { return cos(x); }
double __nv_tan(double x) { return tan(x); }
double __nv_sinpi(double x) { return sinpi(x); }
double __nv_cospi(double x) { return cospi(x); }
void __nv_sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
void __nv_sincospi(double x, double *s, double *c) { *s = sinpi(x); *c = cospi(x); }

/* ---- kinds of numbers ---- */

int __nv_isnanf(float x) { return x != x; }
int __nv_isnand(double x) { return x != x; }
int __nv_isinff(float x) { return fabs(x) == INFINITY; }
int __nv_isinfd(double x) { return fabs(x) == INFINITY; }
int __nv_finitef(float x) { return fabs(x) < INFINITY; }
int __nv_isfinited(double x) { return fabs(x) < INFINITY; }
int __nv_signbitf(float x) { return as_int(x) < 0; }
int __nv_signbitd(double x) { return as_long(x) < 0; }
float __nv_nanf(const char *tag) { return NAN; }
double __nv_nan(const char *tag) { return NAN; }
float __nv_saturatef(float x)
{
	float r;

	ASM("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}

/* ---- an instruction each: the result's type, the name, the operands' types and letters, the instruction ---- */

#define I1(to, name, a, insn, r, x) \
	to __nv_##name(a p) { to v; ASM(insn " %0, %1;" : "=" r(v) : x(p)); return v; }
#define I2(to, name, a, insn, r, x) \
	to __nv_##name(a p, a q) { to v; ASM(insn " %0, %1, %2;" : "=" r(v) : x(p), x(q)); return v; }
#define I3(to, name, a, insn, r, x) \
	to __nv_##name(a p, a q, a s) { to v; ASM(insn " %0, %1, %2, %3;" : "=" r(v) : x(p), x(q), x(s)); return v; }
/* A float's, with each rounding. */
#define ROUNDED(macro, to, name, a, op, type, r, x) \
	macro(to, name##_rn, a, op ".rn" type, r, x) macro(to, name##_rz, a, op ".rz" type, r, x) \
	macro(to, name##_rd, a, op ".rm" type, r, x) macro(to, name##_ru, a, op ".rp" type, r, x)
/* An integer of a float. */
#define WHOLE(to, name, a, type, r, x) \
	I1(to, name##_rn, a, "cvt.rni" type, r, x) I1(to, name##_rz, a, "cvt.rzi" type, r, x) \
	I1(to, name##_rd, a, "cvt.rmi" type, r, x) I1(to, name##_ru, a, "cvt.rpi" type, r, x)

ROUNDED(I2, float, fadd, float, "add", ".f32", "f", "f")
ROUNDED(I2, float, fsub, float, "sub", ".f32", "f", "f")
ROUNDED(I2, float, fmul, float, "mul", ".f32", "f", "f")
ROUNDED(I2, float, fdiv, float, "div", ".f32", "f", "f")
ROUNDED(I1, float, frcp, float, "rcp", ".f32", "f", "f")
ROUNDED(I1, float, fsqrt, float, "sqrt", ".f32", "f", "f")
ROUNDED(I3, float, fmaf, float, "fma", ".f32", "f", "f")
ROUNDED(I3, float, fmaf_ieee, float, "fma", ".f32", "f", "f")
ROUNDED(I2, double, dadd, double, "add", ".f64", "d", "d")
ROUNDED(I2, double, dsub, double, "sub", ".f64", "d", "d")
ROUNDED(I2, double, dmul, double, "mul", ".f64", "d", "d")
ROUNDED(I2, double, ddiv, double, "div", ".f64", "d", "d")
ROUNDED(I1, double, drcp, double, "rcp", ".f64", "d", "d")
ROUNDED(I1, double, dsqrt, double, "sqrt", ".f64", "d", "d")
ROUNDED(I3, double, fma, double, "fma", ".f64", "d", "d")
I3(float, fmaf, float, "fma.rn.f32", "f", "f")
I3(double, fma, double, "fma.rn.f64", "d", "d")
I1(float, sqrtf, float, "sqrt.rn.f32", "f", "f")
I1(double, sqrt, double, "sqrt.rn.f64", "d", "d")
I1(float, rsqrtf, float, "rsqrt.approx.f32", "f", "f")
double __nv_rsqrt(double x) { return rsqrt(x); }
float __nv_frsqrt_rn(float x) { return (float)rsqrt((double)x); }

WHOLE(int, float2int, float, ".s32.f32", "r", "f")
WHOLE(u32, float2uint, float, ".u32.f32", "r", "f")
WHOLE(long, float2ll, float, ".s64.f32", "l", "f")
WHOLE(u64, float2ull, float, ".u64.f32", "l", "f")
WHOLE(int, double2int, double, ".s32.f64", "r", "d")
WHOLE(u32, double2uint, double, ".u32.f64", "r", "d")
WHOLE(long, double2ll, double, ".s64.f64", "l", "d")
WHOLE(u64, double2ull, double, ".u64.f64", "l", "d")
ROUNDED(I1, float, int2float, int, "cvt", ".f32.s32", "f", "r")
ROUNDED(I1, float, uint2float, u32, "cvt", ".f32.u32", "f", "r")
ROUNDED(I1, float, ll2float, long, "cvt", ".f32.s64", "f", "l")
ROUNDED(I1, float, ull2float, u64, "cvt", ".f32.u64", "f", "l")
ROUNDED(I1, double, ll2double, long, "cvt", ".f64.s64", "d", "l")
ROUNDED(I1, double, ull2double, u64, "cvt", ".f64.u64", "d", "l")
ROUNDED(I1, float, double2float, double, "cvt", ".f32.f64", "f", "d")
double __nv_int2double_rn(int x) { return x; }
double __nv_uint2double_rn(u32 x) { return x; }
long __nv_llrintf(float x) { return __nv_float2ll_rn(x); }
long __nv_llrint(double x) { return __nv_double2ll_rn(x); }
long __nv_llroundf(float x) { return __nv_float2ll_rz(round(x)); }
long __nv_llround(double x) { return __nv_double2ll_rz(round(x)); }
float __nv_half2float(ushort h)
{
	float r;

	ASM("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(h));
	return r;
}
ushort __nv_float2half_rn(float x)
{
	ushort r;

	ASM("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
	return r;
}

/* ---- fast ones: the unit for special functions ---- */

I1(float, fast_sinf, float, "sin.approx.f32", "f", "f")
I1(float, fast_cosf, float, "cos.approx.f32", "f", "f")
I1(float, fast_log2f, float, "lg2.approx.f32", "f", "f")
I2(float, fast_fdividef, float, "div.approx.f32", "f", "f")
static float exponential(float x)
{
	float r;

	ASM("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
	return r;
}
float __nv_fast_expf(float x) { return exponential(x * 1.44269504f); }
float __nv_fast_exp10f(float x) { return exponential(x * 3.32192809f); }
float __nv_fast_logf(float x) { return __nv_fast_log2f(x) * 0.693147181f; }
float __nv_fast_log10f(float x) { return __nv_fast_log2f(x) * 0.301029996f; }
float __nv_fast_powf(float x, float y) { return exponential(y * __nv_fast_log2f(x)); }
float __nv_fast_tanf(float x) { return __nv_fast_fdividef(__nv_fast_sinf(x), __nv_fast_cosf(x)); }
void __nv_fast_sincosf(float x, float *s, float *c) { *s = __nv_fast_sinf(x); *c = __nv_fast_cosf(x); }

/* ---- bits ---- */

int __nv_float_as_int(float x) { return as_int(x); }
u32 __nv_float_as_uint(float x) { return as_uint(x); }
float __nv_int_as_float(int x) { return as_float(x); }
float __nv_uint_as_float(u32 x) { return as_float(x); }
u64 __nv_double_as_longlong(double x) { return as_ulong(x); }
double __nv_longlong_as_double(long x) { return as_double(x); }
int __nv_double2hiint(double x) { return (int)(as_ulong(x) >> 32); }
int __nv_double2loint(double x) { return (int)as_ulong(x); }
double __nv_hiloint2double(int high, int low) { return as_double((u64)(u32)high << 32 | (u32)low); }

/* ---- integers ---- */

int __nv_abs(int x) { return x < 0 ? (int)(0u - (u32)x) : x; }
long __nv_llabs(long x) { return x < 0 ? (long)(0ul - (u64)x) : x; }
int __nv_max(int x, int y) { return x > y ? x : y; }
int __nv_min(int x, int y) { return x < y ? x : y; }
u32 __nv_umax(u32 x, u32 y) { return x > y ? x : y; }
u32 __nv_umin(u32 x, u32 y) { return x < y ? x : y; }
long __nv_llmax(long x, long y) { return x > y ? x : y; }
long __nv_llmin(long x, long y) { return x < y ? x : y; }
u64 __nv_ullmax(u64 x, u64 y) { return x > y ? x : y; }
u64 __nv_ullmin(u64 x, u64 y) { return x < y ? x : y; }
I1(int, brev, int, "brev.b32", "r", "r")
I1(long, brevll, long, "brev.b64", "l", "l")
I1(int, clz, int, "clz.b32", "r", "r")
I1(int, clzll, long, "clz.b64", "r", "l")
I1(int, popc, u32, "popc.b32", "r", "r")
I1(int, popcll, u64, "popc.b64", "r", "l")
int __nv_ffs(int x) { return x ? 32 - __nv_clz(x & -x) : 0; }
int __nv_ffsll(long x) { return x ? 64 - __nv_clzll(x & -x) : 0; }
I3(int, byte_perm, int, "prmt.b32", "r", "r")
I2(int, mulhi, int, "mul.hi.s32", "r", "r")
I2(u32, umulhi, u32, "mul.hi.u32", "r", "r")
I2(long, mul64hi, long, "mul.hi.s64", "l", "l")
I2(u64, umul64hi, u64, "mul.hi.u64", "l", "l")
I2(int, mul24, int, "mul24.lo.s32", "r", "r")
I2(u32, umul24, u32, "mul24.lo.u32", "r", "r")
I3(int, sad, int, "sad.s32", "r", "r")
I3(u32, usad, u32, "sad.u32", "r", "r")
int __nv_hadd(int x, int y) { return (int)(((long)x + y) >> 1); }
int __nv_rhadd(int x, int y) { return (int)(((long)x + y + 1) >> 1); }
u32 __nv_uhadd(u32 x, u32 y) { return (u32)(((u64)x + y) >> 1); }
u32 __nv_urhadd(u32 x, u32 y) { return (u32)(((u64)x + y + 1) >> 1); }
