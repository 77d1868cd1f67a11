/* The functions that clang's headers for CUDA C++ (__nv_…) and for HIP C++ (__ocml_…) both call, over libclc's OpenCL
 * C. One lane's meaning: libclc's function, else a few lines here. FLOAT and DOUBLE of the text before make the
 * names. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef unsigned int u32;
typedef unsigned long u64;

/* ---- one function for both types, by its name in OpenCL C ---- */

#define F1(name) \
	float FLOAT(name)(float x) { return name(x); } \
	double DOUBLE(name)(double x) { return name(x); }
#define F2(name) \
	float FLOAT(name)(float x, float y) { return name(x, y); } \
	double DOUBLE(name)(double x, double y) { return name(x, y); }

F1(acos) F1(acosh) F1(asin) F1(asinh) F1(atan) F1(atanh) F1(cbrt) F1(ceil) F1(cosh) F1(erf) F1(erfc)
F1(exp) F1(exp10) F1(exp2) F1(expm1) F1(fabs) F1(floor) F1(lgamma) F1(log) F1(log10) F1(log1p) F1(log2) F1(logb)
F1(rint) F1(round) F1(sinh) F1(tanh) F1(tgamma) F1(trunc)
F2(atan2) F2(copysign) F2(fdim) F2(fmax) F2(fmin) F2(fmod) F2(hypot) F2(nextafter) F2(pow) F2(remainder)

float FLOAT(nearbyint)(float x) { return rint(x); }
double DOUBLE(nearbyint)(double x) { return rint(x); }
float FLOAT(ldexp)(float x, int n) { return ldexp(x, n); }
double DOUBLE(ldexp)(double x, int n) { return ldexp(x, n); }
float FLOAT(scalbn)(float x, int n) { return ldexp(x, n); }
double DOUBLE(scalbn)(double x, int n) { return ldexp(x, n); }
float FLOAT(powi)(float x, int n) { return pown(x, n); }
double DOUBLE(powi)(double x, int n) { return pown(x, n); }
int FLOAT(ilogb)(float x) { return ilogb(x); }
int DOUBLE(ilogb)(double x) { return ilogb(x); }
float FLOAT(frexp)(float x, int *e) { int k = 0; float r = frexp(x, &k); *e = k; return r; }
double DOUBLE(frexp)(double x, int *e) { int k = 0; double r = frexp(x, &k); *e = k; return r; }
float FLOAT(modf)(float x, float *whole)
{
	float t = trunc(x);

	*whole = t;
	return copysign(isinf(x) ? 0.0f : x - t, x);
}
double DOUBLE(modf)(double x, double *whole)
{
	double t = trunc(x);

	*whole = t;
	return copysign(isinf(x) ? 0.0 : x - t, x);
}
float FLOAT(remquo)(float x, float y, int *q) { int k = 0; float r = remquo(x, y, &k); *q = k; return r; }
double DOUBLE(remquo)(double x, double y, int *q) { int k = 0; double r = remquo(x, y, &k); *q = k; return r; }
float FLOAT(rcbrt)(float x) { return 1.0f / cbrt(x); }
double DOUBLE(rcbrt)(double x) { return 1.0 / cbrt(x); }
float FLOAT(rhypot)(float x, float y) { return 1.0f / hypot(x, y); }
double DOUBLE(rhypot)(double x, double y) { return 1.0 / hypot(x, y); }
float FLOAT(norm3d)(float x, float y, float z) { return hypot(hypot(x, y), z); }
double DOUBLE(norm3d)(double x, double y, double z) { return hypot(hypot(x, y), z); }
float FLOAT(norm4d)(float x, float y, float z, float w) { return hypot(hypot(x, y), hypot(z, w)); }
double DOUBLE(norm4d)(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
float FLOAT(rnorm3d)(float x, float y, float z) { return 1.0f / hypot(hypot(x, y), z); }
double DOUBLE(rnorm3d)(double x, double y, double z) { return 1.0 / hypot(hypot(x, y), z); }
float FLOAT(rnorm4d)(float x, float y, float z, float w) { return 1.0f / hypot(hypot(x, y), hypot(z, w)); }
double DOUBLE(rnorm4d)(double x, double y, double z, double w) { return 1.0 / hypot(hypot(x, y), hypot(z, w)); }
float FLOAT(normcdf)(float x) { return 0.5f * erfc(-0.70710678118654752f * x); }
double DOUBLE(normcdf)(double x) { return 0.5 * erfc(-0.70710678118654752440 * x); }

/* ---- inverses of the error function: Halley's steps in double, each of which triples the right digits ---- */

enum { HALLEY_STEPS = 4 };

/* For y up to 1/2; the first digits are of Hastings' approximation of the normal distribution's tail. */
static double tail(double y)
{
	double t = sqrt(-2 * log(y / 2));
	double x = 0.70710678118654752 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));

	for (int i = 0; y > 0 && i < HALLEY_STEPS; i++) {
		double wrong = erfc(x) - y;
		x += wrong / (1.1283791670955126 * exp(-x * x) - x * wrong);
	}
	return y > 0 ? x : y < 0 ? NAN : INFINITY;
}

/* For x from -1/2 to 1/2. */
static double middle(double x)
{
	double z = x * (0.88622692545275801 + 0.23201366653465444 * x * x);

	for (int i = 0; i < HALLEY_STEPS; i++) {
		double wrong = erf(z) - x;
		z -= wrong / (1.1283791670955126 * exp(-z * z) + z * wrong);
	}
	return z;
}

double DOUBLE(erfinv)(double x) { return fabs(x) <= 0.5 ? middle(x) : copysign(tail(1 - fabs(x)), x); }
double DOUBLE(erfcinv)(double y) { return y < 0.5 ? tail(y) : y > 1.5 ? -tail(2 - y) : middle(1 - y); }
float FLOAT(erfinv)(float x) { return (float)DOUBLE(erfinv)(x); }
float FLOAT(erfcinv)(float y) { return (float)DOUBLE(erfcinv)(y); }
float FLOAT(normcdfinv)(float p) { return (float)(-1.4142135623730951 * DOUBLE(erfcinv)(2 * (double)p)); }
double DOUBLE(normcdfinv)(double p) { return -1.4142135623730951 * DOUBLE(erfcinv)(2 * p); }

/* ---- circles: libclc's float functions lose all digits beside the zeroes ---- */

/* The quadrant of x, and *r, the rest in -pi/4 to pi/4. Below 2^16 three parts of pi/2 are taken away, the first
 * exactly; above, the 96 bits of 2/pi that reach the quadrant and the fraction are multiplied. */
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

float FLOAT(sin)(float x) { float r; u32 q = quadrant(x, &r); return x == 0 ? x : circle(q, r); }
float FLOAT(cos)(float x) { float r; u32 q = quadrant(x, &r); return circle(q + 1, r); }
float FLOAT(tan)(float x)
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
float FLOAT(sinpi)(float x)
{
	float r, low;
	u32 q = half_turns(x, &r, &low);

	return x == 0 ? x : fma(low, circle(q + 1, r), circle(q, r));
}
float FLOAT(cospi)(float x)
{
	float r, low;
	u32 q = half_turns(x, &r, &low);

	return fma(low, circle(q + 2, r), circle(q + 1, r));
}

double DOUBLE(sin)(double x) { return sin(x); }
double DOUBLE(cos)(double x) { return cos(x); }
double DOUBLE(tan)(double x) { return tan(x); }
double DOUBLE(sinpi)(double x) { return sinpi(x); }
double DOUBLE(cospi)(double x) { return cospi(x); }
