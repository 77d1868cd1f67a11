/* Surfaces in kernels: surf2Dread, surf2Dwrite and the like, of objects and of surface references, by instructions of
 * PTX (suld.b, sust.b) on 1, 2, 4, 8 or 16 bytes. The first coordinate is in bytes. */
#ifndef WARPBEAM_CUDA_SURFACES_H
#define WARPBEAM_CUDA_SURFACES_H

#include "texture_types.h"

/* A variable of the source that a host program binds to an array; clang makes it a .surfref of PTX. */
template <typename T, int type = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface;
template <int type>
struct __attribute__((device_builtin_surface_type)) surface<void, type> : public surfaceReference {
	__host__ surface() { memset((surfaceReference *)this, 0, sizeof(surfaceReference)); }
};

template <int type>
static inline __host__ cudaError_t cudaBindSurfaceToArray(const surface<void, type> &s, cudaArray_const_t array,
							  const struct cudaChannelFormatDesc &desc)
{
	return ::cudaBindSurfaceToArray(&s, array, &desc);
}
template <int type>
static inline __host__ cudaError_t cudaBindSurfaceToArray(const surface<void, type> &s, cudaArray_const_t array)
{
	return ::cudaBindSurfaceToArray(&s, array, (const struct cudaChannelFormatDesc *)0);
}

#define WB_D static __device__ __forceinline__
#define WB_LIST(...) __VA_ARGS__

/* The words of an access of so many bytes, as registers of PTX. */
template <int bytes> struct wb_access;
template <> struct wb_access<1> { unsigned short a; };
template <> struct wb_access<2> { unsigned short a; };
template <> struct wb_access<4> { unsigned a; };
template <> struct wb_access<8> { unsigned a, b; };
template <> struct wb_access<16> { unsigned a, b, c, d; };

/* shape and mode: of the instruction; at: operands behind the handle, where %[x] is coordinate x. */
#define WB_BYTES(name, bytes, type, shape, mode, at, words, outs, ins, parameters, operands) \
	template <typename H> WB_D void name(wb_access<bytes> &v, H s, WB_LIST parameters) \
	{ \
		asm volatile("suld.b." shape "." type "." mode " {" words "}, [%[s], " at "];" : WB_LIST outs \
			     : [s] "l"(s), WB_LIST operands : "memory"); \
	} \
	template <typename H> WB_D void name(const wb_access<bytes> &v, H s, WB_LIST parameters, int) \
	{ \
		asm volatile("sust.b." shape "." type "." mode " [%[s], " at "], {" words "};" : \
			     : [s] "l"(s), WB_LIST operands, WB_LIST ins : "memory"); \
	}
#define WB_MODE(name, shape, mode, at, parameters, operands) \
	WB_BYTES(name, 1, "b8", shape, mode, at, "%[a]", ([a] "=h"(v.a)), ([a] "h"(v.a)), parameters, operands) \
	WB_BYTES(name, 2, "b16", shape, mode, at, "%[a]", ([a] "=h"(v.a)), ([a] "h"(v.a)), parameters, operands) \
	WB_BYTES(name, 4, "b32", shape, mode, at, "%[a]", ([a] "=r"(v.a)), ([a] "r"(v.a)), parameters, operands) \
	WB_BYTES(name, 8, "v2.b32", shape, mode, at, "%[a], %[b]", ([a] "=r"(v.a), [b] "=r"(v.b)), \
		 ([a] "r"(v.a), [b] "r"(v.b)), parameters, operands) \
	WB_BYTES(name, 16, "v4.b32", shape, mode, at, "%[a], %[b], %[c], %[d]", \
		 ([a] "=r"(v.a), [b] "=r"(v.b), [c] "=r"(v.c), [d] "=r"(v.d)), \
		 ([a] "r"(v.a), [b] "r"(v.b), [c] "r"(v.c), [d] "r"(v.d)), parameters, operands)

#define WB_SURFACE(name, shape, at, parameters, operands, names) \
	WB_MODE(name##_zero, shape, "zero", at, parameters, operands) \
	WB_MODE(name##_clamp, shape, "clamp", at, parameters, operands) \
	WB_MODE(name##_trap, shape, "trap", at, parameters, operands) \
	template <typename T, typename H> \
	WB_D T name##read(H s, WB_LIST parameters, \
			  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ \
		wb_access<sizeof(T)> v; \
		T to; \
		if (mode == cudaBoundaryModeZero) \
			name##_zero(v, s, WB_LIST names); \
		else if (mode == cudaBoundaryModeClamp) \
			name##_clamp(v, s, WB_LIST names); \
		else \
			name##_trap(v, s, WB_LIST names); \
		memcpy(&to, &v, sizeof to); \
		return to; \
	} \
	template <typename T, typename H> WB_D void name##read(T *to, H s, WB_LIST parameters, \
							       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ \
		*to = name##read<T>(s, WB_LIST names, mode); \
	} \
	template <typename T, typename H> WB_D void name##write(T from, H s, WB_LIST parameters, \
								cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
	{ \
		wb_access<sizeof(T)> v = {}; \
		memcpy(&v, &from, sizeof from); \
		if (mode == cudaBoundaryModeZero) \
			name##_zero(v, s, WB_LIST names, 0); \
		else if (mode == cudaBoundaryModeClamp) \
			name##_clamp(v, s, WB_LIST names, 0); \
		else \
			name##_trap(v, s, WB_LIST names, 0); \
	}

#define WB_X [x] "r"(x)
#define WB_XY WB_X, [y] "r"(y)
#define WB_LAYER(n) [n] "r"(n)
WB_SURFACE(surf1D, "1d", "{%[x]}", (int x), (WB_X), (x))
WB_SURFACE(surf2D, "2d", "{%[x], %[y]}", (int x, int y), (WB_XY), (x, y))
WB_SURFACE(surf3D, "3d", "{%[x], %[y], %[z], %[z]}", (int x, int y, int z), (WB_XY, [z] "r"(z)), (x, y, z))
WB_SURFACE(surf1DLayered, "a1d", "{%[layer], %[x]}", (int x, int layer), (WB_X, WB_LAYER(layer)), (x, layer))
WB_SURFACE(surf2DLayered, "a2d", "{%[layer], %[x], %[y], %[y]}", (int x, int y, int layer), (WB_XY, WB_LAYER(layer)),
	   (x, y, layer))
WB_SURFACE(surfCubemap, "a2d", "{%[face], %[x], %[y], %[y]}", (int x, int y, int face), (WB_XY, WB_LAYER(face)),
	   (x, y, face))
WB_SURFACE(surfCubemapLayered, "a2d", "{%[face], %[x], %[y], %[y]}", (int x, int y, int face), (WB_XY, WB_LAYER(face)),
	   (x, y, face))

#undef WB_LAYER
#undef WB_X
#undef WB_XY
#undef WB_SURFACE
#undef WB_MODE
#undef WB_BYTES
#undef WB_LIST
#undef WB_D

#endif
