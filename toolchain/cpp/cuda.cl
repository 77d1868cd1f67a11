/* The functions that clang's headers for CUDA C++ call (__nv_…), behind functions.cl: where PTX has an instruction the
 * instruction, else libclc's function, else a few lines here. */
#define ASM __asm__

void __nv_sincosf(float x, float *s, float *c)
{
	float r;
	u32 q = quadrant(x, &r);

	*s = x == 0 ? x : circle(q, r);
	*c = circle(q + 1, r);
}
void __nv_sincospif(float x, float *s, float *c) { *s = __nv_sinpif(x); *c = __nv_cospif(x); }
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
