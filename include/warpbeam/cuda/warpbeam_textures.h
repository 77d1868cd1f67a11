/* Textures in kernels: tex2D and the like, of objects and of texture references. Each is one instruction of PTX, as
 * nvcc emits it, with four components of floats or of 32-bit integers, from which the texel's type is made. */
#ifndef WARPBEAM_CUDA_TEXTURES_H
#define WARPBEAM_CUDA_TEXTURES_H

#include "texture_types.h"
#include "vector_types.h"

/* A variable of the source that a host program binds to memory; clang makes it a .texref of PTX. */
template <typename T, int type = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
	__host__ texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
			 enum cudaTextureAddressMode address = cudaAddressModeClamp)
		: texture(norm, filter, address, warpbeam_channels<T>::desc()) {}
	__host__ texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
			 cudaChannelFormatDesc desc)
	{
		memset((textureReference *)this, 0, sizeof(textureReference));
		normalized = norm;
		filterMode = filter;
		addressMode[0] = addressMode[1] = addressMode[2] = address;
		channelDesc = desc;
	}
};

#define WB_BIND template <typename T, int type, enum cudaTextureReadMode mode> static inline __host__ cudaError_t
WB_BIND cudaBindTexture(size_t *offset, const texture<T, type, mode> &t, const void *p,
			const struct cudaChannelFormatDesc &desc, size_t bytes = 0xffffffff)
{
	return ::cudaBindTexture(offset, &t, p, &desc, bytes);
}
WB_BIND cudaBindTexture(size_t *offset, const texture<T, type, mode> &t, const void *p, size_t bytes = 0xffffffff)
{
	return ::cudaBindTexture(offset, &t, p, &t.channelDesc, bytes);
}
WB_BIND cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &t, const void *p,
			  const struct cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch)
{
	return ::cudaBindTexture2D(offset, &t, p, &desc, width, height, pitch);
}
WB_BIND cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &t, const void *p, size_t width, size_t height,
			  size_t pitch)
{
	return ::cudaBindTexture2D(offset, &t, p, &t.channelDesc, width, height, pitch);
}
WB_BIND cudaBindTextureToArray(const texture<T, type, mode> &t, cudaArray_const_t array,
			       const struct cudaChannelFormatDesc &desc)
{
	return ::cudaBindTextureToArray(&t, array, &desc);
}
WB_BIND cudaBindTextureToArray(const texture<T, type, mode> &t, cudaArray_const_t array)
{
	return ::cudaBindTextureToArray(&t, array, &t.channelDesc);
}
WB_BIND cudaBindTextureToMipmappedArray(const texture<T, type, mode> &t, cudaMipmappedArray_const_t array,
					const struct cudaChannelFormatDesc &desc)
{
	return ::cudaBindTextureToMipmappedArray(&t, array, &desc);
}
WB_BIND cudaUnbindTexture(const texture<T, type, mode> &t) { return ::cudaUnbindTexture(&t); }
WB_BIND cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, type, mode> &t)
{
	return ::cudaGetTextureAlignmentOffset(offset, &t);
}
#undef WB_BIND

#define WB_D static __device__ __forceinline__
#define WB_T template <typename T> WB_D

/* ---- results: the four components of an instruction, and the texel of a type ---- */

template <typename W> struct wb_components { W x, y, z, w; };

/* word: the component of an instruction's result; floats: the type where integers are read as fractions. */
template <typename T> struct wb_texel;
#define WB_TEXEL(type, word_type, floats_type, ...) \
	template <> struct wb_texel<type> { \
		typedef word_type word; \
		typedef floats_type floats; \
		WB_D type of(const wb_components<word> &c) { return __VA_ARGS__; } \
	};
#define WB_TEXELS(scalar, name, word) \
	WB_TEXEL(scalar, word, float, (scalar)c.x) \
	WB_TEXEL(name##1, word, float1, make_##name##1((scalar)c.x)) \
	WB_TEXEL(name##2, word, float2, make_##name##2((scalar)c.x, (scalar)c.y)) \
	WB_TEXEL(name##4, word, float4, make_##name##4((scalar)c.x, (scalar)c.y, (scalar)c.z, (scalar)c.w))
WB_TEXEL(char, int, float, (char)c.x)
WB_TEXELS(signed char, char, int)
WB_TEXELS(unsigned char, uchar, unsigned)
WB_TEXELS(short, short, int)
WB_TEXELS(unsigned short, ushort, unsigned)
WB_TEXELS(int, int, int)
WB_TEXELS(unsigned, uint, unsigned)
WB_TEXELS(float, float, float)
#undef WB_TEXELS
#undef WB_TEXEL

template <typename T, enum cudaTextureReadMode mode> struct wb_read { typedef T type; };
template <typename T> struct wb_read<T, cudaReadModeNormalizedFloat> { typedef typename wb_texel<T>::floats type; };

/* ---- functions by shape ---- */

/* name: of CUDA's function; insn: the instruction up to the types; c: type of coordinates; at: operands behind the
 * handle, where %[x] is coordinate x; kind: the type of a reference; then parameters, coordinates as operands of asm,
 * and the names of the parameters. */
#define WB_INSTRUCTION(name, word, result, constraint, insn, c, at, parameters, operands) \
	template <typename H> WB_D void name##_raw(wb_components<word> &v, H t, WB_LIST parameters) \
	{ \
		asm(insn ".v4." result "." c " {%[v0], %[v1], %[v2], %[v3]}, [%[t], " at ";" \
			     : [v0] "=" constraint(v.x), [v1] "=" constraint(v.y), [v2] "=" constraint(v.z), \
			       [v3] "=" constraint(v.w) \
			     : [t] "l"(t), WB_LIST operands); \
	}
#define WB_LIST(...) __VA_ARGS__
#define WB_TEXTURE(name, insn, c, at, kind, parameters, operands, names) \
	WB_INSTRUCTION(name, float, "f32", "f", insn, c, at, parameters, operands) \
	WB_INSTRUCTION(name, int, "s32", "r", insn, c, at, parameters, operands) \
	WB_INSTRUCTION(name, unsigned, "u32", "r", insn, c, at, parameters, operands) \
	WB_T T name(cudaTextureObject_t t, WB_LIST parameters) \
	{ \
		wb_components<typename wb_texel<T>::word> v; \
		name##_raw(v, t, WB_LIST names); \
		return wb_texel<T>::of(v); \
	} \
	WB_T void name(T *to, cudaTextureObject_t t, WB_LIST parameters) { *to = name<T>(t, WB_LIST names); } \
	template <typename T, enum cudaTextureReadMode mode> \
	WB_D typename wb_read<T, mode>::type name(texture<T, kind, mode> t, WB_LIST parameters) \
	{ \
		typedef typename wb_read<T, mode>::type R; \
		wb_components<typename wb_texel<R>::word> v; \
		name##_raw(v, t, WB_LIST names); \
		return wb_texel<R>::of(v); \
	}

#define WB_X [x] "f"(x)
#define WB_XY WB_X, [y] "f"(y)
#define WB_XYZ WB_XY, [z] "f"(z)
#define WB_LOD [lod] "f"(lod)
#define WB_LAYER [n] "r"(layer)

WB_TEXTURE(tex1Dfetch, "tex.1d", "s32", "{%[x]}]", 1, (int x), ([x] "r"(x)), (x))
WB_TEXTURE(tex1D, "tex.1d", "f32", "{%[x]}]", 1, (float x), (WB_X), (x))
WB_TEXTURE(tex2D, "tex.2d", "f32", "{%[x], %[y]}]", 2, (float x, float y), (WB_XY), (x, y))
WB_TEXTURE(tex3D, "tex.3d", "f32", "{%[x], %[y], %[z], %[z]}]", 3, (float x, float y, float z), (WB_XYZ), (x, y, z))
WB_TEXTURE(texCubemap, "tex.cube", "f32", "{%[x], %[y], %[z], %[z]}]", cudaTextureTypeCubemap,
	   (float x, float y, float z), (WB_XYZ), (x, y, z))
WB_TEXTURE(tex1DLayered, "tex.a1d", "f32", "{%[n], %[x]}]", cudaTextureType1DLayered, (float x, int layer),
	   (WB_LAYER, WB_X), (x, layer))
WB_TEXTURE(tex2DLayered, "tex.a2d", "f32", "{%[n], %[x], %[y], %[y]}]", cudaTextureType2DLayered,
	   (float x, float y, int layer), (WB_LAYER, WB_XY), (x, y, layer))
WB_TEXTURE(texCubemapLayered, "tex.acube", "f32", "{%[n], %[x], %[y], %[z]}]", cudaTextureTypeCubemapLayered,
	   (float x, float y, float z, int layer), (WB_LAYER, WB_XYZ), (x, y, z, layer))

WB_TEXTURE(tex1DLod, "tex.level.1d", "f32", "{%[x]}], %[lod]", 1, (float x, float lod), (WB_X, WB_LOD), (x, lod))
WB_TEXTURE(tex2DLod, "tex.level.2d", "f32", "{%[x], %[y]}], %[lod]", 2, (float x, float y, float lod),
	   (WB_XY, WB_LOD), (x, y, lod))
WB_TEXTURE(tex3DLod, "tex.level.3d", "f32", "{%[x], %[y], %[z], %[z]}], %[lod]", 3,
	   (float x, float y, float z, float lod), (WB_XYZ, WB_LOD), (x, y, z, lod))
WB_TEXTURE(texCubemapLod, "tex.level.cube", "f32", "{%[x], %[y], %[z], %[z]}], %[lod]", cudaTextureTypeCubemap,
	   (float x, float y, float z, float lod), (WB_XYZ, WB_LOD), (x, y, z, lod))
WB_TEXTURE(tex1DLayeredLod, "tex.level.a1d", "f32", "{%[n], %[x]}], %[lod]", cudaTextureType1DLayered,
	   (float x, int layer, float lod), (WB_LAYER, WB_X, WB_LOD), (x, layer, lod))
WB_TEXTURE(tex2DLayeredLod, "tex.level.a2d", "f32", "{%[n], %[x], %[y], %[y]}], %[lod]", cudaTextureType2DLayered,
	   (float x, float y, int layer, float lod), (WB_LAYER, WB_XY, WB_LOD), (x, y, layer, lod))

/* gt215 gathers the first component, v100 any; for other chips the compiler of PTX refuses the line. */
#define WB_GATHER(name, component) \
	WB_TEXTURE(name, "tld4." component ".2d", "f32", "{%[x], %[y]}]", 2, (float x, float y), (WB_XY), (x, y))
WB_GATHER(wb_gather_0, "r")
WB_GATHER(wb_gather_1, "g")
WB_GATHER(wb_gather_2, "b")
WB_GATHER(wb_gather_3, "a")
template <typename T, typename H> WB_D T tex2Dgather(H t, float x, float y, int component = 0)
{
	return component == 0 ? wb_gather_0<T>(t, x, y) : component == 1 ? wb_gather_1<T>(t, x, y) :
	       component == 2 ? wb_gather_2<T>(t, x, y) : wb_gather_3<T>(t, x, y);
}
WB_TEXTURE(tex2DGrad, "tex.grad.2d", "f32", "{%[x], %[y]}], {%[a], %[b]}, {%[c], %[d]}", 2,
	   (float x, float y, float2 dx, float2 dy),
	   (WB_XY, [a] "f"(dx.x), [b] "f"(dx.y), [c] "f"(dy.x), [d] "f"(dy.y)), (x, y, dx, dy))

WB_TEXTURE(tex1DGrad, "tex.grad.1d", "f32", "{%[x]}], {%[a]}, {%[b]}", 1, (float x, float dx, float dy),
	   (WB_X, [a] "f"(dx), [b] "f"(dy)), (x, dx, dy))
WB_TEXTURE(tex3DGrad, "tex.grad.3d", "f32",
	   "{%[x], %[y], %[z], %[z]}], {%[a], %[b], %[c], %[c]}, {%[d], %[e], %[f], %[f]}", 3,
	   (float x, float y, float z, float4 dx, float4 dy),
	   (WB_XYZ, [a] "f"(dx.x), [b] "f"(dx.y), [c] "f"(dx.z), [d] "f"(dy.x), [e] "f"(dy.y), [f] "f"(dy.z)),
	   (x, y, z, dx, dy))
WB_TEXTURE(tex1DLayeredGrad, "tex.grad.a1d", "f32", "{%[n], %[x]}], {%[a]}, {%[b]}", cudaTextureType1DLayered,
	   (float x, int layer, float dx, float dy), (WB_LAYER, WB_X, [a] "f"(dx), [b] "f"(dy)), (x, layer, dx, dy))
WB_TEXTURE(tex2DLayeredGrad, "tex.grad.a2d", "f32", "{%[n], %[x], %[y], %[y]}], {%[a], %[b]}, {%[c], %[d]}",
	   cudaTextureType2DLayered, (float x, float y, int layer, float2 dx, float2 dy),
	   (WB_LAYER, WB_XY, [a] "f"(dx.x), [b] "f"(dx.y), [c] "f"(dy.x), [d] "f"(dy.y)), (x, y, layer, dx, dy))

#undef WB_GATHER
#undef WB_X
#undef WB_XY
#undef WB_XYZ
#undef WB_LOD
#undef WB_LAYER
#undef WB_TEXTURE
#undef WB_INSTRUCTION
#undef WB_LIST
#undef WB_T
#undef WB_D

#endif
