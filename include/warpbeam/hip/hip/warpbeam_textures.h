/* Textures and surfaces in kernels: tex2D, surf2Dread and the like, of objects, by the functions of OCKL
 * (__ockl_image_…), which are the machine's image instructions. An object is the address of 12 words of an image and 8
 * of a sampler. */
#ifndef WARPBEAM_HIP_TEXTURES_H
#define WARPBEAM_HIP_TEXTURES_H

typedef float wb_float2 __attribute__((ext_vector_type(2)));
typedef float wb_float4 __attribute__((ext_vector_type(4)));
typedef int wb_int2 __attribute__((ext_vector_type(2)));
typedef int wb_int4 __attribute__((ext_vector_type(4)));
#define WB_WORDS __attribute__((address_space(4))) const unsigned int *
#define WB_D static __device__ __forceinline__
#define WB_T template <typename T> WB_D

/* The texel of a type, of four components; integers are the bits of a component. */
template <typename T> struct wb_texel;
#define WB_TEXEL(type, get, put) \
	template <> struct wb_texel<type> { \
		WB_D type of(wb_float4 c) { return get; } \
		WB_D wb_float4 components(type v) { return put; } \
	};
#define WB_FOUR(a, b, c, d) ((wb_float4){ a, b, c, d })
#define WB_TEXELS(scalar, name, from, to) \
	WB_TEXEL(scalar, (scalar)from(c.x), WB_FOUR(to(v), 0, 0, 0)) \
	WB_TEXEL(name##1, make_##name##1((scalar)from(c.x)), WB_FOUR(to(v.x), 0, 0, 0)) \
	WB_TEXEL(name##2, make_##name##2((scalar)from(c.x), (scalar)from(c.y)), WB_FOUR(to(v.x), to(v.y), 0, 0)) \
	WB_TEXEL(name##4, make_##name##4((scalar)from(c.x), (scalar)from(c.y), (scalar)from(c.z), (scalar)from(c.w)), \
		 WB_FOUR(to(v.x), to(v.y), to(v.z), to(v.w)))
#define WB_SAME(v) (v)
WB_TEXEL(char, (char)__float_as_int(c.x), WB_FOUR(__int_as_float(v), 0, 0, 0))
WB_TEXELS(signed char, char, __float_as_int, __int_as_float)
WB_TEXELS(unsigned char, uchar, __float_as_int, __int_as_float)
WB_TEXELS(short, short, __float_as_int, __int_as_float)
WB_TEXELS(unsigned short, ushort, __float_as_int, __int_as_float)
WB_TEXELS(int, int, __float_as_int, __int_as_float)
WB_TEXELS(unsigned int, uint, __float_as_uint, __uint_as_float)
WB_TEXELS(float, float, WB_SAME, WB_SAME)
#undef WB_SAME
#undef WB_TEXELS
#undef WB_TEXEL

/* A function of HIP's by a function of OCKL's: parameters, their names, their types in OCKL, and their values. */
#define WB_LIST(...) __VA_ARGS__
#define WB_TEXTURE(name, ockl, types, parameters, names, values) \
	extern "C" __device__ wb_float4 __ockl_image_##ockl(WB_WORDS, WB_WORDS, WB_LIST types); \
	WB_T T name(hipTextureObject_t t, WB_LIST parameters) \
	{ \
		WB_WORDS i = (WB_WORDS)t; \
		return wb_texel<T>::of(__ockl_image_##ockl(i, i + 12, WB_LIST values)); \
	} \
	WB_T void name(T *to, hipTextureObject_t t, WB_LIST parameters) { *to = name<T>(t, WB_LIST names); }
#define WB_PAIR (wb_float2){ x, y }
#define WB_TRIPLE (wb_float4){ x, y, z, 0 }

extern "C" __device__ wb_float4 __ockl_image_load_1Db(WB_WORDS, int);
WB_T T tex1Dfetch(hipTextureObject_t t, int x) { return wb_texel<T>::of(__ockl_image_load_1Db((WB_WORDS)t, x)); }
WB_T void tex1Dfetch(T *to, hipTextureObject_t t, int x) { *to = tex1Dfetch<T>(t, x); }
WB_TEXTURE(tex1D, sample_1D, (float), (float x), (x), (x))
WB_TEXTURE(tex2D, sample_2D, (wb_float2), (float x, float y), (x, y), (WB_PAIR))
WB_TEXTURE(tex3D, sample_3D, (wb_float4), (float x, float y, float z), (x, y, z), (WB_TRIPLE))
WB_TEXTURE(texCubemap, sample_CM, (wb_float4), (float x, float y, float z), (x, y, z), (WB_TRIPLE))
WB_TEXTURE(tex1DLayered, sample_1Da, (wb_float2), (float x, int layer), (x, layer), ((wb_float2){ x, (float)layer }))
WB_TEXTURE(tex2DLayered, sample_2Da, (wb_float4), (float x, float y, int layer), (x, y, layer),
	   ((wb_float4){ x, y, (float)layer, 0 }))
WB_TEXTURE(texCubemapLayered, sample_CMa, (wb_float4), (float x, float y, float z, int layer), (x, y, z, layer),
	   ((wb_float4){ x, y, z, (float)layer }))
WB_TEXTURE(tex1DLod, sample_lod_1D, (float, float), (float x, float lod), (x, lod), (x, lod))
WB_TEXTURE(tex2DLod, sample_lod_2D, (wb_float2, float), (float x, float y, float lod), (x, y, lod), (WB_PAIR, lod))
WB_TEXTURE(tex3DLod, sample_lod_3D, (wb_float4, float), (float x, float y, float z, float lod), (x, y, z, lod),
	   (WB_TRIPLE, lod))
WB_TEXTURE(texCubemapLod, sample_lod_CM, (wb_float4, float), (float x, float y, float z, float lod), (x, y, z, lod),
	   (WB_TRIPLE, lod))
WB_TEXTURE(tex1DLayeredLod, sample_lod_1Da, (wb_float2, float), (float x, int layer, float lod), (x, layer, lod),
	   ((wb_float2){ x, (float)layer }, lod))
WB_TEXTURE(tex2DLayeredLod, sample_lod_2Da, (wb_float4, float), (float x, float y, int layer, float lod),
	   (x, y, layer, lod), ((wb_float4){ x, y, (float)layer, 0 }, lod))
#define WB_WAY(d) (wb_float2){ d.x, d.y }
WB_TEXTURE(tex1DGrad, sample_grad_1D, (float, float, float), (float x, float dx, float dy), (x, dx, dy), (x, dx, dy))
WB_TEXTURE(tex2DGrad, sample_grad_2D, (wb_float2, wb_float2, wb_float2), (float x, float y, float2 dx, float2 dy),
	   (x, y, dx, dy), (WB_PAIR, WB_WAY(dx), WB_WAY(dy)))
WB_TEXTURE(tex3DGrad, sample_grad_3D, (wb_float4, wb_float4, wb_float4),
	   (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
	   (WB_TRIPLE, (wb_float4){ dx.x, dx.y, dx.z, 0 }, (wb_float4){ dy.x, dy.y, dy.z, 0 }))
WB_TEXTURE(tex1DLayeredGrad, sample_grad_1Da, (wb_float2, float, float), (float x, int layer, float dx, float dy),
	   (x, layer, dx, dy), ((wb_float2){ x, (float)layer }, dx, dy))
WB_TEXTURE(tex2DLayeredGrad, sample_grad_2Da, (wb_float4, wb_float2, wb_float2),
	   (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
	   ((wb_float4){ x, y, (float)layer, 0 }, WB_WAY(dx), WB_WAY(dy)))
#undef WB_WAY

WB_TEXTURE(wb_gather_0, gather4r_2D, (wb_float2), (float x, float y), (x, y), (WB_PAIR))
WB_TEXTURE(wb_gather_1, gather4g_2D, (wb_float2), (float x, float y), (x, y), (WB_PAIR))
WB_TEXTURE(wb_gather_2, gather4b_2D, (wb_float2), (float x, float y), (x, y), (WB_PAIR))
WB_TEXTURE(wb_gather_3, gather4a_2D, (wb_float2), (float x, float y), (x, y), (WB_PAIR))
WB_T T tex2Dgather(hipTextureObject_t t, float x, float y, int component = 0)
{
	return component == 0 ? wb_gather_0<T>(t, x, y) : component == 1 ? wb_gather_1<T>(t, x, y) :
	       component == 2 ? wb_gather_2<T>(t, x, y) : wb_gather_3<T>(t, x, y);
}

/* ---- surfaces: the first coordinate is in bytes ---- */

#define WB_SURFACE(shape, ockl, types, parameters, names, values) \
	extern "C" __device__ wb_float4 __ockl_image_load_##ockl(WB_WORDS, WB_LIST types); \
	extern "C" __device__ void __ockl_image_store_##ockl(WB_WORDS, WB_LIST types, wb_float4); \
	WB_T T surf##shape##read(hipSurfaceObject_t s, WB_LIST parameters, int = 0) \
	{ \
		x /= (int)sizeof(T); \
		return wb_texel<T>::of(__ockl_image_load_##ockl((WB_WORDS)s, WB_LIST values)); \
	} \
	WB_T void surf##shape##read(T *to, hipSurfaceObject_t s, WB_LIST parameters, int = 0) \
	{ \
		*to = surf##shape##read<T>(s, WB_LIST names); \
	} \
	WB_T void surf##shape##write(T v, hipSurfaceObject_t s, WB_LIST parameters, int = 0) \
	{ \
		x /= (int)sizeof(T); \
		__ockl_image_store_##ockl((WB_WORDS)s, WB_LIST values, wb_texel<T>::components(v)); \
	}
WB_SURFACE(1D, 1D, (int), (int x), (x), (x))
WB_SURFACE(2D, 2D, (wb_int2), (int x, int y), (x, y), ((wb_int2){ x, y }))
WB_SURFACE(3D, 3D, (wb_int4), (int x, int y, int z), (x, y, z), ((wb_int4){ x, y, z, 0 }))
WB_SURFACE(1DLayered, 1Da, (wb_int2), (int x, int layer), (x, layer), ((wb_int2){ x, layer }))
WB_SURFACE(2DLayered, 2Da, (wb_int4), (int x, int y, int layer), (x, y, layer), ((wb_int4){ x, y, layer, 0 }))
WB_SURFACE(Cubemap, CM, (wb_int2, int), (int x, int y, int face), (x, y, face), ((wb_int2){ x, y }, face))

#undef WB_SURFACE
#undef WB_TEXTURE
#undef WB_PAIR
#undef WB_TRIPLE
#undef WB_FOUR
#undef WB_LIST
#undef WB_T
#undef WB_D
#undef WB_WORDS

#endif
