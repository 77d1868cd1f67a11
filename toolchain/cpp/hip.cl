/* The functions that clang's headers for HIP C++ call (__ocml_…), behind functions.cl. Pointers of these functions
 * point into a lane's own memory. */

#define F(name, parameters, value) \
	float __ocml_##name##_f32 parameters { return value; }
#define D(name, parameters, value) \
	double __ocml_##name##_f64 parameters { return value; }
#define KIND(name, value) \
	int __ocml_##name##_f32(float x) { return value; } \
	int __ocml_##name##_f64(double x) { return value; }

/* ---- names of OCML alone ---- */

F(len3, (float x, float y, float z), __ocml_norm3d_f32(x, y, z))
D(len3, (double x, double y, double z), __ocml_norm3d_f64(x, y, z))
F(len4, (float x, float y, float z, float w), __ocml_norm4d_f32(x, y, z, w))
D(len4, (double x, double y, double z, double w), __ocml_norm4d_f64(x, y, z, w))
F(rlen3, (float x, float y, float z), __ocml_rnorm3d_f32(x, y, z))
D(rlen3, (double x, double y, double z), __ocml_rnorm3d_f64(x, y, z))
F(rlen4, (float x, float y, float z, float w), __ocml_rnorm4d_f32(x, y, z, w))
D(rlen4, (double x, double y, double z, double w), __ocml_rnorm4d_f64(x, y, z, w))
F(ncdf, (float x), __ocml_normcdf_f32(x))
D(ncdf, (double x), __ocml_normcdf_f64(x))
F(ncdfinv, (float p), __ocml_normcdfinv_f32(p))
D(ncdfinv, (double p), __ocml_normcdfinv_f64(p))
F(pown, (float x, int n), pown(x, n))
D(pown, (double x, int n), pown(x, n))
F(scalb, (float x, float n), ldexp(x, (int)clamp(n, -10000.0f, 10000.0f)))
D(scalb, (double x, double n), ldexp(x, (int)clamp(n, -10000.0, 10000.0)))
F(fma, (float x, float y, float z), fma(x, y, z))
D(fma, (double x, double y, double z), fma(x, y, z))
F(rsqrt, (float x), (float)rsqrt((double)x))
D(rsqrt, (double x), rsqrt(x))
float __ocml_sincos_f32(float x, float *c) { *c = __ocml_cos_f32(x); return __ocml_sin_f32(x); }
double __ocml_sincos_f64(double x, double *c) { *c = cos(x); return sin(x); }
float __ocml_sincospi_f32(float x, float *c) { *c = __ocml_cospi_f32(x); return __ocml_sinpi_f32(x); }
double __ocml_sincospi_f64(double x, double *c) { *c = cospi(x); return sinpi(x); }

KIND(isnan, x != x)
KIND(isinf, fabs(x) == INFINITY)
KIND(isfinite, fabs(x) < INFINITY)
int __ocml_signbit_f32(float x) { return as_int(x) < 0; }
int __ocml_signbit_f64(double x) { return as_long(x) < 0; }

/* ---- roots: the machine's is off by up to a unit of the last place, and the rest of the square tells which of three
 * neighbours is nearest ---- */

float __ocml_sqrt_f32(float x)
{
	bool tiny = x < 0x1p-96f;
	float scaled = tiny ? x * 0x1p32f : x, root = native_sqrt(scaled);
	float below = as_float(as_int(root) - 1), above = as_float(as_int(root) + 1);

	if (!(scaled > 0) || scaled == INFINITY)
		return scaled < 0 ? NAN : x;
	if (fma(-below, root, scaled) <= 0)
		root = below;
	else if (fma(-above, root, scaled) > 0)
		root = above;
	return tiny ? root * 0x1p-16f : root;
}
F(sqrt_rte, (float x), __ocml_sqrt_f32(x))
F(native_sqrt, (float x), native_sqrt(x))
D(sqrt, (double x), sqrt(x))
D(sqrt_rte, (double x), sqrt(x))

/* ---- fast ones: the machine's instructions ---- */

F(native_sin, (float x), native_sin(x))
F(native_cos, (float x), native_cos(x))
F(native_exp, (float x), native_exp2(x * 1.44269504f))
F(native_exp10, (float x), native_exp2(x * 3.32192809f))
F(native_log, (float x), native_log2(x) * 0.693147181f)
F(native_log2, (float x), native_log2(x))
F(native_log10, (float x), native_log2(x) * 0.301029996f)

/* ---- images: OCKL's names. A texture is 12 words of an image, or 4 of a buffer, and 8 words of a sampler. ---- */

#define I (*(constant uint8 *)i)
#define S (*(constant uint4 *)s)
#define WORDS constant uint *
#define INTRINSIC(result, name, text, ...) \
	result name(__VA_ARGS__) __asm("llvm.amdgcn." text);

INTRINSIC(float4, wb_load_buffer, "struct.buffer.load.format.v4f32", uint4, int, int, int, int)
float4 __ockl_image_load_1Db(WORDS i, int c) { return wb_load_buffer(*(constant uint4 *)i, c, 0, 0, 0); }

/* shape: OCKL's; type: LLVM's; the type of integer coordinates in OCKL, then coordinates as types and as values */
#define LOADS(shape, type, vector, types, values) \
	INTRINSIC(float4, wb_load_##shape, "image.load." type ".v4f32.i32", int, LIST types, uint8, int, int) \
	INTRINSIC(void, wb_store_##shape, "image.store." type ".v4f32.i32", float4, int, LIST types, uint8, int, int) \
	float4 __ockl_image_load_##shape(WORDS i, vector c) { return wb_load_##shape(15, LIST values, I, 0, 0); } \
	void __ockl_image_store_##shape(WORDS i, vector c, float4 p) { wb_store_##shape(p, 15, LIST values, I, 0, 0); }
#define LIST(...) __VA_ARGS__
LOADS(1D, "1d", int, (int), (c))
LOADS(1Da, "1darray", int2, (int, int), (c.x, c.y))
LOADS(2D, "2d", int2, (int, int), (c.x, c.y))
LOADS(2Da, "2darray", int4, (int, int, int), (c.x, c.y, c.z))
LOADS(3D, "3d", int4, (int, int, int), (c.x, c.y, c.z))
INTRINSIC(float4, wb_load_CM, "image.load.cube.v4f32.i32", int, int, int, int, uint8, int, int)
INTRINSIC(void, wb_store_CM, "image.store.cube.v4f32.i32", float4, int, int, int, int, uint8, int, int)
float4 __ockl_image_load_CM(WORDS i, int2 c, int f) { return wb_load_CM(15, c.x, c.y, f, I, 0, 0); }
void __ockl_image_store_CM(WORDS i, int2 c, int f, float4 p) { wb_store_CM(p, 15, c.x, c.y, f, I, 0, 0); }
float4 __ockl_image_load_CMa(WORDS i, int4 c, int f) { return wb_load_CM(15, c.x, c.y, 6 * c.z + f, I, 0, 0); }
void __ockl_image_store_CMa(WORDS i, int4 c, int f, float4 p) { wb_store_CM(p, 15, c.x, c.y, 6 * c.z + f, I, 0, 0); }

#define SAMPLES(shape, type, vector, types, values, ...) \
	INTRINSIC(float4, wb_lz_##shape, "image.sample.lz." type ".v4f32.f32", int, LIST types, uint8, uint4, bool, int, \
		  int) \
	INTRINSIC(float4, wb_l_##shape, "image.sample.l." type ".v4f32.f32", int, LIST types, float, uint8, uint4, bool, \
		  int, int) \
	float4 __ockl_image_sample_##shape(WORDS i, WORDS s, vector c) \
	{ \
		__VA_ARGS__ \
		return wb_lz_##shape(15, LIST values, I, S, false, 0, 0); \
	} \
	float4 __ockl_image_sample_lod_##shape(WORDS i, WORDS s, vector c, float l) \
	{ \
		__VA_ARGS__ \
		return wb_l_##shape(15, LIST values, l, I, S, false, 0, 0); \
	}
/* A direction as the coordinates in a face, from 1 to 2, and the face. By their names clang 22 knows these intrinsics
 * only for a processor, and this file has none. */
INTRINSIC(float, wb_cubema, "cubema", float, float, float)
INTRINSIC(float, wb_cubesc, "cubesc", float, float, float)
INTRINSIC(float, wb_cubetc, "cubetc", float, float, float)
INTRINSIC(float, wb_cubeid, "cubeid", float, float, float)
#define FACE \
	float m = 1 / fabs(wb_cubema(c.x, c.y, c.z)), x = wb_cubesc(c.x, c.y, c.z) * m + 1.5f; \
	float y = wb_cubetc(c.x, c.y, c.z) * m + 1.5f, f = wb_cubeid(c.x, c.y, c.z);
SAMPLES(1D, "1d", float, (float), (c))
SAMPLES(1Da, "1darray", float2, (float, float), (c.x, c.y))
SAMPLES(2D, "2d", float2, (float, float), (c.x, c.y))
SAMPLES(2Da, "2darray", float4, (float, float, float), (c.x, c.y, c.z))
SAMPLES(3D, "3d", float4, (float, float, float), (c.x, c.y, c.z))
SAMPLES(CM, "cube", float4, (float, float, float), (x, y, f), FACE)
SAMPLES(CMa, "cube", float4, (float, float, float), (x, y, f), FACE f += 6 * rint(c.w);)

#define GRADIENTS(shape, type, vector, change, ways, types, way_values, values) \
	INTRINSIC(float4, wb_d_##shape, "image.sample.d." type ".v4f32.f32.f32", int, LIST ways, LIST types, uint8, \
		  uint4, bool, int, int) \
	float4 __ockl_image_sample_grad_##shape(WORDS i, WORDS s, vector c, change a, change b) \
	{ \
		return wb_d_##shape(15, LIST way_values, LIST values, I, S, false, 0, 0); \
	}
GRADIENTS(1D, "1d", float, float, (float, float), (float), (a, b), (c))
GRADIENTS(1Da, "1darray", float2, float, (float, float), (float, float), (a, b), (c.x, c.y))
GRADIENTS(2D, "2d", float2, float2, (float, float, float, float), (float, float), (a.x, a.y, b.x, b.y), (c.x, c.y))
GRADIENTS(2Da, "2darray", float4, float2, (float, float, float, float), (float, float, float), (a.x, a.y, b.x, b.y),
	  (c.x, c.y, c.z))
GRADIENTS(3D, "3d", float4, float4, (float, float, float, float, float, float), (float, float, float),
	  (a.x, a.y, a.z, b.x, b.y, b.z), (c.x, c.y, c.z))

INTRINSIC(float4, wb_gather, "image.gather4.lz.2d.v4f32.f32", int, float, float, uint8, uint4, bool, int, int)
#define GATHER(letter, mask) \
	float4 __ockl_image_gather4##letter##_2D(WORDS i, WORDS s, float2 c) \
	{ \
		return wb_gather(mask, c.x, c.y, I, S, false, 0, 0); \
	}
GATHER(r, 1)
GATHER(g, 2)
GATHER(b, 4)
GATHER(a, 8)
