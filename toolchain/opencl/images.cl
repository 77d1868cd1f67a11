//: sampler_t read_image*
/* The value of a sampler is its bits, CLK_…; a source's own samplers come through this function. */
constant uchar *__translate_sampler_initializer(uint bits) { return (constant uchar *)(size_t)bits; }

//: read_image* write_image* get_image_*
/* Images in software, by the formulas of OpenCL 1.2, 8.2 and 8.3. An image is the address of a struct wb_image
 * (warpbeam.h), which has what is to be known of its format; a texel outside is the border's colour, and nothing outside
 * is written. All dimensions are three here: an image without a height or depth has 1, layers of an array are slices. */
enum { WB_UNORM, WB_SNORM, WB_SINT, WB_UINT, WB_HALF, WB_FLOAT, WB_565, WB_555, WB_101010 };
struct wb_image {
	ulong texels;
	uint width, height, depth, row, slice, texel, kind, bytes, channels, read, write;
	float scale, most, border;
	uint order, type;
};
#ifdef __AMDGCN__
#define WB_IMAGE(image) (*__builtin_astype(image, constant struct wb_image *))
#else
#define WB_IMAGE(image) (*__builtin_astype(image, global struct wb_image *))
#endif
#define WB_SAMPLER(sampler) ((uint)(size_t)__builtin_astype(sampler, constant uchar *))
#define WB_ADDRESSING(bits) (bits & 14)
#define WB_INLINE __attribute__((always_inline)) static

/* Where a texel is; NULL: outside. */
WB_INLINE global uchar *wb_texel(const struct wb_image *m, int x, int y, int z)
{
	if ((uint)x >= m->width || (uint)y >= m->height || (uint)z >= m->depth)
		return 0;
	return (global uchar *)(size_t)m->texels + ((size_t)z * m->slice + (size_t)y * m->row + (size_t)x * m->texel);
}

/* Component k of an order: the number of the channel that has it; 4: the component is 0, 5: 1. */
#define WB_CHANNEL(order, k) ((order) >> 4 * (k) & 15)

/* ---- reading ---- */

WB_INLINE uint wb_stored(const struct wb_image *m, const global uchar *p, uint channel)
{
	return m->bytes == 1 ? p[channel] : m->bytes == 2 ? ((const global ushort *)p)[channel] :
							    ((const global uint *)p)[channel];
}
WB_INLINE int wb_integer(const struct wb_image *m, const global uchar *p, uint k)
{
	uint channel = WB_CHANNEL(m->read, k);
	if (channel >= 4)
		return channel - 4;
	uint v = wb_stored(m, p, channel);
	bool is_signed = m->kind == WB_SINT || m->kind == WB_SNORM;
	return !is_signed ? v : m->bytes == 1 ? (char)v : m->bytes == 2 ? (short)v : (int)v;
}
WB_INLINE float wb_number(const struct wb_image *m, const global uchar *p, uint k)
{
	uint channel = WB_CHANNEL(m->read, k);
	if (channel >= 4)
		return channel - 4;
	if (m->kind == WB_HALF)
		return __builtin_load_halff((const global half *)p + channel);
	if (m->kind == WB_FLOAT)
		return ((const global float *)p)[channel];
	float v = wb_integer(m, p, k);
	return max(v * m->scale, -1.0f);
}
WB_INLINE float4 wb_packed(const struct wb_image *m, const global uchar *p)
{
	uint v = m->kind == WB_101010 ? *(const global uint *)p : *(const global ushort *)p;
	if (m->kind == WB_565)
		return (float4)((v >> 11) * (1 / 31.0f), (v >> 5 & 63) * (1 / 63.0f), (v & 31) * (1 / 31.0f), 1);
	if (m->kind == WB_555)
		return (float4)((v >> 10 & 31) * (1 / 31.0f), (v >> 5 & 31) * (1 / 31.0f), (v & 31) * (1 / 31.0f), 1);
	return (float4)((v >> 20 & 1023) * (1 / 1023.0f), (v >> 10 & 1023) * (1 / 1023.0f), (v & 1023) * (1 / 1023.0f), 1);
}
WB_INLINE float4 wb_colour(const struct wb_image *m, const global uchar *p)
{
	if (!p)
		return (float4)(0, 0, 0, m->border);
	if (m->kind >= WB_565)
		return wb_packed(m, p);
	return (float4)(wb_number(m, p, 0), wb_number(m, p, 1), wb_number(m, p, 2), wb_number(m, p, 3));
}
WB_INLINE int4 wb_integers(const struct wb_image *m, const global uchar *p)
{
	if (!p)
		return (int4)(0, 0, 0, (int)m->border);
	return (int4)(wb_integer(m, p, 0), wb_integer(m, p, 1), wb_integer(m, p, 2), wb_integer(m, p, 3));
}

/* ---- sampling ---- */

/* The first of the texels that a coordinate c of an axis of n texels means, and the second with its weight. */
struct wb_axis { int i, j; float weight; };
WB_INLINE struct wb_axis wb_find(uint sampler, float c, uint n)
{
	uint mode = WB_ADDRESSING(sampler);
	float half_texel = sampler & CLK_FILTER_LINEAR ? 0.5f : 0.0f, size = n, u = c;
	if (mode == CLK_ADDRESS_REPEAT)
		u -= __builtin_floorf(u);
	if (mode == CLK_ADDRESS_MIRRORED_REPEAT)
		u = __builtin_fabsf(u - 2.0f * __builtin_rintf(0.5f * u));
	u = sampler & CLK_NORMALIZED_COORDS_TRUE ? u * size : u;
	u -= half_texel;
	float down = __builtin_floorf(u);
	/* beyond the texels beside the axis all texels are the same; a NaN is there, too */
	int i = down >= -2.0f ? down <= size ? (int)down : (int)n : -2, j = i + 1, last = n - 1;
	if (mode == CLK_ADDRESS_REPEAT) {
		i += i < 0 ? n : i > last ? -n : 0;
		j -= j > last ? n : 0;
	} else if (mode == CLK_ADDRESS_MIRRORED_REPEAT || mode == CLK_ADDRESS_CLAMP_TO_EDGE) {
		i = clamp(i, 0, last);
		j = clamp(j, 0, last);
	}
	return (struct wb_axis){ i, j, u - down };
}
WB_INLINE float4 wb_filtered(const struct wb_image *m, uint sampler, float4 c, int dimensions, int layer)
{
	const struct wb_axis none = { 0, 0, 0 };
	struct wb_axis x = wb_find(sampler, c.x, m->width), y = none, z = { layer, layer, 0 };
	if (dimensions > 1)
		y = wb_find(sampler, c.y, m->height);
	if (dimensions > 2)
		z = wb_find(sampler, c.z, m->depth);
	float4 sum = 0;
#pragma clang loop unroll(disable)
	for (int corner = 0; corner < 1 << dimensions; corner++) {
		bool a = corner & 1, b = corner & 2, d = corner & 4;
		float4 t = wb_colour(m, wb_texel(m, a ? x.j : x.i, b ? y.j : y.i, d ? z.j : z.i));
		if (!(sampler & CLK_FILTER_LINEAR))
			return t;
		sum += (a ? x.weight : 1 - x.weight) * (b ? y.weight : 1 - y.weight) *
		       (d ? z.weight : 1 - z.weight) * t;
	}
	return sum;
}
WB_INLINE int4 wb_nearest(const struct wb_image *m, uint sampler, float4 c, int dimensions, int layer)
{
	sampler &= ~CLK_FILTER_LINEAR;
	int x = wb_find(sampler, c.x, m->width).i, y = 0, z = layer;
	if (dimensions > 1)
		y = wb_find(sampler, c.y, m->height).i;
	if (dimensions > 2)
		z = wb_find(sampler, c.z, m->depth).i;
	return wb_integers(m, wb_texel(m, x, y, z));
}
/* Coordinates in texels: a sampler may hold them within the image. */
WB_INLINE const global uchar *wb_at(const struct wb_image *m, uint sampler, int x, int y, int z)
{
	if (WB_ADDRESSING(sampler) == CLK_ADDRESS_CLAMP_TO_EDGE) {
		x = clamp(x, 0, (int)m->width - 1);
		y = clamp(y, 0, (int)m->height - 1);
		z = clamp(z, 0, (int)m->depth - 1);
	}
	return wb_texel(m, x, y, z);
}
WB_INLINE int wb_layer(const struct wb_image *m, float c)
{
	return (int)clamp(__builtin_rintf(c), 0.0f, m->depth - 1.0f);
}

/* ---- writing ---- */

WB_INLINE uint wb_half_of(float x)
{
#ifdef __AMDGCN__
	ushort bits;
	__builtin_store_halff(x, (half *)&bits);
	return bits;
#else   /* small numbers as vstore_half has them */
	ushort bits;
	uint size = as_uint(x) & 0x7fffffff;
	x = size && size < 0x33000000 ? as_float((as_uint(x) & 0x80000000) | 0x33000000) : x;
	__asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
	return bits;
#endif
}
/* The nearest integer of 0 to most, or of low to most; a NaN is the lowest. */
WB_INLINE int wb_rounded(float x, float low, float most)
{
	return (int)__builtin_rintf(x > low ? x < most ? x : most : low);
}
WB_INLINE void wb_store(const struct wb_image *m, global uchar *p, uint4 v)
{
	for (uint channel = 0; channel < 4 && channel < m->channels; channel++) {
		uint k = WB_CHANNEL(m->write, channel), bits = k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
		if (m->bytes == 1)
			p[channel] = bits;
		else if (m->bytes == 2)
			((global ushort *)p)[channel] = bits;
		else
			((global uint *)p)[channel] = bits;
	}
}
WB_INLINE void wb_store_packed(const struct wb_image *m, global uchar *p, float4 v)
{
	float red = m->kind == WB_101010 ? 1023 : 31, green = m->kind == WB_565 ? 63 : red;
	uint blue_bits = m->kind == WB_101010 ? 10 : 5, green_bits = m->kind == WB_565 ? 6 : blue_bits;
	uint r = wb_rounded(v.x * red, 0, red), g = wb_rounded(v.y * green, 0, green);
	uint texel = (r << green_bits | g) << blue_bits | wb_rounded(v.z * red, 0, red);
	if (m->kind == WB_101010)
		*(global uint *)p = texel;
	else
		*(global ushort *)p = texel;
}
WB_INLINE uint wb_bits(const struct wb_image *m, float x)
{
	return m->kind == WB_FLOAT ? as_uint(x) : m->kind == WB_HALF ? wb_half_of(x) :
	       wb_rounded(x * m->most, m->kind == WB_SNORM ? -1 - m->most : 0, m->most);
}
WB_INLINE void wb_write(const struct wb_image *m, global uchar *p, float4 v)
{
	if (p && m->kind >= WB_565)
		wb_store_packed(m, p, v);
	else if (p)
		wb_store(m, p, (uint4)(wb_bits(m, v.x), wb_bits(m, v.y), wb_bits(m, v.z), wb_bits(m, v.w)));
}
WB_INLINE void wb_write_signed(const struct wb_image *m, global uchar *p, int4 v)
{
	if (p && m->bytes < 4)
		v = clamp(v, m->bytes == 1 ? -128 : -32768, m->bytes == 1 ? 127 : 32767);
	if (p)
		wb_store(m, p, as_uint4(v));
}
WB_INLINE void wb_write_unsigned(const struct wb_image *m, global uchar *p, uint4 v)
{
	if (p && m->bytes < 4)
		v = min(v, m->bytes == 1 ? 255u : 65535u);
	if (p)
		wb_store(m, p, v);
}

/* ---- functions of OpenCL C, by the kind of image ---- */

#define WB_READ __attribute__((overloadable, always_inline, pure))
/* Of an image whose coordinate c, of n numbers, has x, y, z, where z is the layer of an array. */
#define WB_READS(image, n, x, y, z)                                                                                    \
	WB_READ float4 read_imagef(read_only image i, int##n c)                                                        \
	{                                                                                                              \
		struct wb_image m = WB_IMAGE(i);                                                                       \
		return wb_colour(&m, wb_texel(&m, x, y, z));                                                           \
	}                                                                                                              \
	WB_READ int4 read_imagei(read_only image i, int##n c)                                                          \
	{                                                                                                              \
		struct wb_image m = WB_IMAGE(i);                                                                       \
		return wb_integers(&m, wb_texel(&m, x, y, z));                                                         \
	}                                                                                                              \
	WB_READ uint4 read_imageui(read_only image i, int##n c) { return as_uint4(read_imagei(i, c)); }
#define WB_SAMPLES(image, n, dimensions, x, y, z, layer)                                                               \
	WB_READ float4 read_imagef(read_only image i, sampler_t s, int##n c)                                           \
	{                                                                                                              \
		struct wb_image m = WB_IMAGE(i);                                                                       \
		return wb_colour(&m, wb_at(&m, WB_SAMPLER(s), x, y, z));                                               \
	}                                                                                                              \
	WB_READ int4 read_imagei(read_only image i, sampler_t s, int##n c)                                             \
	{                                                                                                              \
		struct wb_image m = WB_IMAGE(i);                                                                       \
		return wb_integers(&m, wb_at(&m, WB_SAMPLER(s), x, y, z));                                             \
	}                                                                                                              \
	WB_READ uint4 read_imageui(read_only image i, sampler_t s, int##n c)                                           \
	{                                                                                                              \
		return as_uint4(read_imagei(i, s, c));                                                                 \
	}                                                                                                              \
	WB_READ float4 read_imagef(read_only image i, sampler_t s, float##n c)                                         \
	{                                                                                                              \
		struct wb_image m = WB_IMAGE(i);                                                                       \
		return wb_filtered(&m, WB_SAMPLER(s), (float4)(x, y, z, 0), dimensions, layer);                        \
	}                                                                                                              \
	WB_READ int4 read_imagei(read_only image i, sampler_t s, float##n c)                                           \
	{                                                                                                              \
		struct wb_image m = WB_IMAGE(i);                                                                       \
		return wb_nearest(&m, WB_SAMPLER(s), (float4)(x, y, z, 0), dimensions, layer);                         \
	}                                                                                                              \
	WB_READ uint4 read_imageui(read_only image i, sampler_t s, float##n c)                                         \
	{                                                                                                              \
		return as_uint4(read_imagei(i, s, c));                                                                 \
	}
#define WB_WRITES(image, n, x, y, z)                                                                                   \
	OURS_OUT void write_imagef(write_only image i, int##n c, float4 v)                                             \
	{                                                                                                              \
		struct wb_image m = WB_IMAGE(i);                                                                       \
		wb_write(&m, wb_texel(&m, x, y, z), v);                                                                \
	}                                                                                                              \
	OURS_OUT void write_imagei(write_only image i, int##n c, int4 v)                                               \
	{                                                                                                              \
		struct wb_image m = WB_IMAGE(i);                                                                       \
		wb_write_signed(&m, wb_texel(&m, x, y, z), v);                                                         \
	}                                                                                                              \
	OURS_OUT void write_imageui(write_only image i, int##n c, uint4 v)                                             \
	{                                                                                                              \
		struct wb_image m = WB_IMAGE(i);                                                                       \
		wb_write_unsigned(&m, wb_texel(&m, x, y, z), v);                                                       \
	}
#define WB_ASK(access, image, T, name, value)                                                                          \
	WB_READ T name(access image i) { struct wb_image m = WB_IMAGE(i); return value; }
#define WB_ASKS(image, T, name, value)                                                                                 \
	WB_ASK(read_only, image, T, name, value) WB_ASK(write_only, image, T, name, value)
#define WB_COMMON(image)                                                                                               \
	WB_ASKS(image, int, get_image_width, m.width)                                                                  \
	WB_ASKS(image, int, get_image_channel_data_type, m.type)                                                       \
	WB_ASKS(image, int, get_image_channel_order, m.order)

WB_COMMON(image1d_t)
WB_COMMON(image1d_buffer_t)
WB_COMMON(image1d_array_t)
WB_COMMON(image2d_t)
WB_COMMON(image2d_array_t)
WB_COMMON(image3d_t)
WB_ASKS(image2d_t, int, get_image_height, m.height)
WB_ASKS(image2d_array_t, int, get_image_height, m.height)
WB_ASKS(image3d_t, int, get_image_height, m.height)
WB_ASKS(image3d_t, int, get_image_depth, m.depth)
WB_ASKS(image2d_t, int2, get_image_dim, ((int2)(m.width, m.height)))
WB_ASKS(image2d_array_t, int2, get_image_dim, ((int2)(m.width, m.height)))
WB_ASKS(image3d_t, int4, get_image_dim, ((int4)(m.width, m.height, m.depth, 0)))
WB_ASKS(image1d_array_t, size_t, get_image_array_size, m.depth)
WB_ASKS(image2d_array_t, size_t, get_image_array_size, m.depth)
WB_READS(image1d_t, , c, 0, 0)
WB_READS(image1d_buffer_t, , c, 0, 0)
WB_READS(image1d_array_t, 2, c.x, 0, c.y)
WB_READS(image2d_t, 2, c.x, c.y, 0)
WB_READS(image2d_array_t, 4, c.x, c.y, c.z)
WB_READS(image3d_t, 4, c.x, c.y, c.z)
WB_SAMPLES(image1d_t, , 1, c, 0, 0, 0)
WB_SAMPLES(image1d_array_t, 2, 1, c.x, 0, c.y, wb_layer(&m, c.y))
WB_SAMPLES(image2d_t, 2, 2, c.x, c.y, 0, 0)
WB_SAMPLES(image2d_array_t, 4, 2, c.x, c.y, c.z, wb_layer(&m, c.z))
WB_SAMPLES(image3d_t, 4, 3, c.x, c.y, c.z, 0)
WB_WRITES(image1d_t, , c, 0, 0)
WB_WRITES(image1d_buffer_t, , c, 0, 0)
WB_WRITES(image1d_array_t, 2, c.x, 0, c.y)
WB_WRITES(image2d_t, 2, c.x, c.y, 0)
WB_WRITES(image2d_array_t, 4, c.x, c.y, c.z)
WB_WRITES(image3d_t, 4, c.x, c.y, c.z)
