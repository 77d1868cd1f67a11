/* Least and greatest of two and three numbers, of sums, and with a predicate, of words and of pairs of 16 bits (DPX of
 * CUDA 12): on the host as well. "relu": at least 0. */
#ifndef WARPBEAM_CUDA_DPX_H
#define WARPBEAM_CUDA_DPX_H

#define WB_D static __inline__ __host__ __device__
#define WB_MAX(a, b) ((a) > (b) ? (a) : (b))
#define WB_MIN(a, b) ((a) < (b) ? (a) : (b))
#define WB_RELU(a) WB_MAX(a, 0)

/* Of words. */
#define WB_WORDS(suffix, type) \
	WB_D type __vimax3_##suffix(type a, type b, type c) { return WB_MAX(WB_MAX(a, b), c); } \
	WB_D type __vimin3_##suffix(type a, type b, type c) { return WB_MIN(WB_MIN(a, b), c); } \
	WB_D type __viaddmax_##suffix(type a, type b, type c) \
	{ \
		type sum = (type)((unsigned)a + (unsigned)b); \
		return WB_MAX(sum, c); \
	} \
	WB_D type __viaddmin_##suffix(type a, type b, type c) \
	{ \
		type sum = (type)((unsigned)a + (unsigned)b); \
		return WB_MIN(sum, c); \
	} \
	WB_D type __vibmax_##suffix(type a, type b, bool *pred) { return (*pred = a >= b) ? a : b; } \
	WB_D type __vibmin_##suffix(type a, type b, bool *pred) { return (*pred = a <= b) ? a : b; }
WB_WORDS(s32, int)
WB_WORDS(u32, unsigned int)
#undef WB_WORDS
WB_D int __vimax_s32_relu(int a, int b) { return WB_RELU(WB_MAX(a, b)); }
WB_D int __vimin_s32_relu(int a, int b) { return WB_RELU(WB_MIN(a, b)); }
#define WB_RELU_OF(name) \
	WB_D int name##_s32_relu(int a, int b, int c) \
	{ \
		int n = name##_s32(a, b, c); \
		return WB_RELU(n); \
	}
WB_RELU_OF(__vimax3)
WB_RELU_OF(__vimin3)
WB_RELU_OF(__viaddmax)
WB_RELU_OF(__viaddmin)
#undef WB_RELU_OF

/* Of both halves of words: the operation of words on the numbers of each half, which a sum does not leave. */
#define WB_HALVES(name, type) \
	WB_D unsigned int name(unsigned int a, unsigned int b, unsigned int c) \
	{ \
		unsigned int result = 0; \
		for (int shift = 0; shift < 32; shift += 16) { \
			type x = (type)(a >> shift), y = (type)(b >> shift), z = (type)(c >> shift); \
			result |= (unsigned int)(unsigned short)(WB_OF(x, y, z)) << shift; \
		} \
		return result; \
	}
#define WB_OF(x, y, z) WB_MAX(WB_MAX(x, y), z)
WB_HALVES(__vimax3_s16x2, short)
WB_HALVES(__vimax3_u16x2, unsigned short)
#undef WB_OF
#define WB_OF(x, y, z) WB_MIN(WB_MIN(x, y), z)
WB_HALVES(__vimin3_s16x2, short)
WB_HALVES(__vimin3_u16x2, unsigned short)
#undef WB_OF
#define WB_OF(x, y, z) WB_RELU(WB_MAX(WB_MAX(x, y), z))
WB_HALVES(__vimax3_s16x2_relu, short)
#undef WB_OF
#define WB_OF(x, y, z) WB_RELU(WB_MIN(WB_MIN(x, y), z))
WB_HALVES(__vimin3_s16x2_relu, short)
#undef WB_OF
#define WB_OF(x, y, z) WB_MAX((short)(x + y), z)
WB_HALVES(__viaddmax_s16x2, short)
#undef WB_OF
#define WB_OF(x, y, z) WB_MIN((short)(x + y), z)
WB_HALVES(__viaddmin_s16x2, short)
#undef WB_OF
#define WB_OF(x, y, z) WB_RELU(WB_MAX((short)(x + y), z))
WB_HALVES(__viaddmax_s16x2_relu, short)
#undef WB_OF
#define WB_OF(x, y, z) WB_RELU(WB_MIN((short)(x + y), z))
WB_HALVES(__viaddmin_s16x2_relu, short)
#undef WB_OF
#define WB_OF(x, y, z) WB_MAX((unsigned short)(x + y), z)
WB_HALVES(__viaddmax_u16x2, unsigned short)
#undef WB_OF
#define WB_OF(x, y, z) WB_MIN((unsigned short)(x + y), z)
WB_HALVES(__viaddmin_u16x2, unsigned short)
#undef WB_OF
#undef WB_HALVES
WB_D unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) { return __vimax3_s16x2_relu(a, b, b); }
WB_D unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) { return __vimin3_s16x2_relu(a, b, b); }

#define WB_CHOICE(name, type, sign) \
	WB_D unsigned int name(unsigned int a, unsigned int b, bool *high, bool *low) \
	{ \
		*high = (type)(a >> 16) sign (type)(b >> 16); \
		*low = (type)a sign (type)b; \
		return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu); \
	}
WB_CHOICE(__vibmax_s16x2, short, >=)
WB_CHOICE(__vibmax_u16x2, unsigned short, >=)
WB_CHOICE(__vibmin_s16x2, short, <=)
WB_CHOICE(__vibmin_u16x2, unsigned short, <=)
#undef WB_CHOICE
#undef WB_RELU
#undef WB_MIN
#undef WB_MAX
#undef WB_D

#endif
