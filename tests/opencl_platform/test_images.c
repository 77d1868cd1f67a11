/* Images and samplers through libOpenCL on a chip of each machine: kernels read, filter and write as the formulas of
 * OpenCL 1.2 (8.2 and 8.3) say, which are computed here in other words; and each command on images. */
#include <math.h>
#include <stdbool.h>

#include "tests/opencl_platform/program.h"

static const char *const chips[] = { "gfx900", "g200" };
enum { CHIPS = sizeof chips / sizeof *chips, W = 7, H = 5, D = 3, POINTS = 128 };

static const char source[] =
	"kernel void read_f(read_only image2d_t m, global float4 *o) {\n"
	"  int2 c = (int2)(get_global_id(0), get_global_id(1)); o[c.y * 7 + c.x] = read_imagef(m, c); }\n"
	"kernel void read_i(read_only image2d_t m, global int4 *o) {\n"
	"  int2 c = (int2)(get_global_id(0), get_global_id(1)); o[c.y * 7 + c.x] = read_imagei(m, c); }\n"
	"kernel void read_u(read_only image2d_t m, global uint4 *o) {\n"
	"  int2 c = (int2)(get_global_id(0), get_global_id(1)); o[c.y * 7 + c.x] = read_imageui(m, c); }\n"
	"kernel void write_f(write_only image2d_t m, global float4 *v) {\n"
	"  int2 c = (int2)(get_global_id(0), get_global_id(1)); write_imagef(m, c, v[c.y * 7 + c.x]); }\n"
	"kernel void write_i(write_only image2d_t m, global int4 *v) {\n"
	"  int2 c = (int2)(get_global_id(0), get_global_id(1)); write_imagei(m, c, v[c.y * 7 + c.x]); }\n"
	"kernel void write_u(write_only image2d_t m, global uint4 *v) {\n"
	"  int2 c = (int2)(get_global_id(0), get_global_id(1)); write_imageui(m, c, v[c.y * 7 + c.x]); }\n"
	"#define SAMPLE(name, image, c) kernel void name(read_only image m, sampler_t s, global float4 *v, "
	"  global float4 *o) { size_t i = get_global_id(0); o[i] = read_imagef(m, s, v[i]c); }\n"
	"SAMPLE(line, image1d_t, .x)\n"
	"SAMPLE(lines, image1d_array_t, .xy)\n"
	"SAMPLE(plane, image2d_t, .xy)\n"
	"SAMPLE(planes, image2d_array_t, )\n"
	"SAMPLE(volume, image3d_t, )\n"
	"kernel void nearest(read_only image3d_t m, sampler_t s, global float4 *v, global int4 *o) {\n"
	"  size_t i = get_global_id(0); o[i] = read_imagei(m, s, v[i]); }\n"
	"kernel void whole(read_only image3d_t m, sampler_t s, global int4 *v, global float4 *o) {\n"
	"  size_t i = get_global_id(0); o[i] = read_imagef(m, s, v[i]); }\n"
	"constant sampler_t own = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;\n"
	"kernel void by_own(read_only image2d_t m, global float4 *v, global float4 *o) {\n"
	"  size_t i = get_global_id(0); o[i] = read_imagef(m, own, v[i].xy); }\n"
	"kernel void deep(write_only image3d_t m) { int4 c = (int4)(get_global_id(0), get_global_id(1), 2, 0);\n"
	"  write_imageui(m, c, (uint4)(c.x, c.y, 300, 4)); write_imageui(m, c + 100, (uint4)(9)); }\n"
	"kernel void ask(read_only image1d_array_t a, read_only image2d_array_t b, write_only image3d_t c,\n"
	"  read_only image1d_buffer_t d, global int *o) {\n"
	"  *o++ = get_image_width(a); *o++ = get_image_array_size(a); *o++ = get_image_channel_order(a);\n"
	"  *o++ = get_image_width(b); *o++ = get_image_height(b); *o++ = get_image_array_size(b);\n"
	"  *o++ = get_image_dim(b).x; *o++ = get_image_dim(b).y; *o++ = get_image_channel_data_type(b);\n"
	"  *o++ = get_image_width(c); *o++ = get_image_height(c); *o++ = get_image_depth(c);\n"
	"  *o++ = get_image_dim(c).z; *o++ = get_image_width(d); *o++ = read_imagei(d, 3).x; }\n";

static unsigned state = 1;

static unsigned any(void)
{
	state = state * 1664525 + 1013904223;
	return state >> 8;
}

static float any_float(float low, float high)
{
	return low + (high - low) * (float)any() / (1 << 24);
}

static cl_kernel kernel(const struct setup *s, const char *name)
{
	cl_int error;
	cl_kernel k = clCreateKernel(s->program, name, &error);

	OK(error);
	return k;
}

static cl_mem buffer(const struct setup *s, const void *bytes, size_t n)
{
	cl_int error;
	cl_mem m = clCreateBuffer(s->context, bytes ? CL_MEM_COPY_HOST_PTR : 0, n, (void *)(uintptr_t)bytes, &error);

	OK(error);
	return m;
}

static cl_mem image(const struct setup *s, cl_image_format f, cl_mem_object_type type, const size_t size[3],
		    const void *bytes)
{
	bool is_1d = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	const cl_image_desc d = { .image_type = type, .image_width = size[0], .image_height = size[1],
				  .image_depth = size[2], .image_array_size = size[is_1d ? 1 : 2] };
	cl_int error;
	cl_mem m = clCreateImage(s->context, bytes ? CL_MEM_COPY_HOST_PTR : 0, &f, &d, (void *)(uintptr_t)bytes,
				 &error);

	OK(error);
	return m;
}

static void argument(cl_kernel k, cl_uint i, const void *handle)
{
	OK(clSetKernelArg(k, i, sizeof handle, &handle));
}

static void launch(const struct setup *s, cl_kernel k, size_t width, size_t height)
{
	const size_t all[2] = { width, height };

	OK(clEnqueueNDRangeKernel(s->queue, k, 2, NULL, all, NULL, 0, NULL, NULL));
	OK(clReleaseKernel(k));
}

static void get(const struct setup *s, cl_mem m, void *out, size_t n)
{
	OK(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, n, out, 0, NULL, NULL));
}

static void drop(cl_mem m)
{
	OK(clReleaseMemObject(m));
}

/* ---- formats ---- */

/* Channels of an order, a letter each, as memory has them; border: the fourth component is 1 outside. */
static const struct { cl_channel_order order; const char *channels; bool border; } orders[] = {
	{ CL_R, "r", true }, { CL_A, "a", false }, { CL_RG, "rg", true }, { CL_RA, "ra", false },
	{ CL_RGB, "rgb", true }, { CL_RGBA, "rgba", false }, { CL_BGRA, "bgra", false }, { CL_ARGB, "argb", false },
	{ CL_INTENSITY, "i", false }, { CL_LUMINANCE, "l", true }, { CL_Rx, "r", false }, { CL_RGx, "rg", false },
	{ CL_RGBx, "rgb", false },
};

static unsigned order_row(cl_channel_order o)
{
	unsigned i = 0;

	while (i < sizeof orders / sizeof *orders && orders[i].order != o)
		i++;
	assert_true(i < sizeof orders / sizeof *orders);
	return i;
}

static size_t channel_bytes(cl_channel_type t)
{
	return t == CL_FLOAT || t == CL_SIGNED_INT32 || t == CL_UNSIGNED_INT32 || t == CL_UNORM_INT_101010 ? 4 :
	       t == CL_SNORM_INT8 || t == CL_UNORM_INT8 || t == CL_SIGNED_INT8 || t == CL_UNSIGNED_INT8 ? 1 : 2;
}

static bool is_packed(cl_channel_type t)
{
	return t == CL_UNORM_SHORT_565 || t == CL_UNORM_SHORT_555 || t == CL_UNORM_INT_101010;
}

static size_t texel_bytes(const cl_image_format *f)
{
	return channel_bytes(f->image_channel_data_type) *
	       (is_packed(f->image_channel_data_type) ? 1 : strlen(orders[order_row(f->image_channel_order)].channels));
}

static double half(unsigned h)
{
	int exponent = h >> 10 & 31, fraction = h & 1023;
	double v = exponent == 31 ? fraction ? NAN : INFINITY :
		   exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);

	return h >> 15 ? -v : v;
}

/* The value of channel i of a texel. */
static double channel(const cl_image_format *f, const unsigned char *texel, int i)
{
	cl_channel_type t = f->image_channel_data_type;
	size_t n = channel_bytes(t);
	uint32_t u = 0;
	float real;

	memcpy(&u, texel + (is_packed(t) ? 0 : n * (size_t)i), n);
	memcpy(&real, &u, sizeof real);
	int32_t sign = n == 1 ? (int8_t)u : n == 2 ? (int16_t)u : (int32_t)u;
	switch (t) {
	case CL_UNORM_INT8: return u / 255.0;
	case CL_UNORM_INT16: return u / 65535.0;
	case CL_SNORM_INT8: return fmax(sign / 127.0, -1);
	case CL_SNORM_INT16: return fmax(sign / 32767.0, -1);
	case CL_UNORM_SHORT_565: return i == 1 ? (u >> 5 & 63) / 63.0 : (i ? u & 31 : u >> 11) / 31.0;
	case CL_UNORM_SHORT_555: return (u >> (10 - 5 * i) & 31) / 31.0;
	case CL_UNORM_INT_101010: return (u >> (20 - 10 * i) & 1023) / 1023.0;
	case CL_HALF_FLOAT: return half(u);
	case CL_FLOAT: return (double)real;
	case CL_UNSIGNED_INT8: case CL_UNSIGNED_INT16: case CL_UNSIGNED_INT32: return u;
	default: return sign;
	}
}

/* The colour of a texel; NULL: outside. */
static void colour_of(const cl_image_format *f, const unsigned char *texel, double out[4])
{
	unsigned row = order_row(f->image_channel_order);
	const char *channels = orders[row].channels;

	out[0] = out[1] = out[2] = 0;
	out[3] = texel ? !strchr("ai", *channels) && !strchr(channels, 'a') : orders[row].border;
	for (int i = 0; texel && channels[i]; i++) {
		double v = channel(f, texel, i);
		const char *place = memchr("rgba", channels[i], 4);
		if (place)
			out[place - strchr("rgba", 'r')] = v;
		for (int k = 0; !place && k < (channels[i] == 'i' ? 4 : 3); k++)
			out[k] = v;
	}
}

static bool is_integer(cl_channel_type t)
{
	return t >= CL_SIGNED_INT8 && t <= CL_UNSIGNED_INT32;
}

static void fill_random(const cl_image_format *f, unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (unsigned char)any();
	/* numbers, no infinities and NaNs of FLOAT; of HALF_FLOAT every pattern but NaNs */
	for (size_t i = 0; f->image_channel_data_type == CL_FLOAT && i < n; i += 4)
		memcpy(bytes + i, &(float){ any_float(-2, 2) }, 4);
	for (size_t i = 1; f->image_channel_data_type == CL_HALF_FLOAT && i < n; i += 2)
		bytes[i] &= (bytes[i] & 0x7c) == 0x7c ? 0xbf : 0xff;
}

static void check_colours(const char *chip, const cl_image_format *f, const unsigned char *texels, const void *found)
{
	for (int i = 0; i < W * H * 4; i++) {
		double expected[4], v;
		colour_of(f, texels + (size_t)(i / 4) * texel_bytes(f), expected);
		double e = expected[i % 4];
		if (f->image_channel_data_type >= CL_UNSIGNED_INT8 && is_integer(f->image_channel_data_type))
			v = ((const uint32_t *)found)[i];
		else if (is_integer(f->image_channel_data_type))
			v = ((const int32_t *)found)[i];
		else
			v = (double)((const float *)found)[i];
		/* a division has 1.5 units in the last place, and ends of the range are exact */
		bool divided = channel_bytes(f->image_channel_data_type) < 4 || is_packed(f->image_channel_data_type);
		divided &= f->image_channel_data_type != CL_HALF_FLOAT && !is_integer(f->image_channel_data_type);
		if (!(fabs(v - e) <= (divided ? fabs(e) * 1.5 * 0x1p-23 : 0)) ||
		    (divided && (e == 1 || e == -1 || e == 0) && v != e))
			fail_msg("%s, order %x, type %x, texel %d: found %.9g, expected %.9g", chip,
				 f->image_channel_order, f->image_channel_data_type, i, v, e);
	}
}

static const char *letter(const cl_image_format *f)
{
	cl_channel_type t = f->image_channel_data_type;

	return !is_integer(t) ? "f" : t < CL_UNSIGNED_INT8 ? "i" : "u";
}

static void read_format(const struct setup *s, const char *chip, const cl_image_format *f)
{
	static const size_t size[3] = { W, H, 1 };
	unsigned char texels[W * H * 16];
	float found[W * H * 4];
	char name[16];

	fill_random(f, texels, sizeof texels);
	memset(texels, 0xff, f->image_channel_data_type == CL_FLOAT || f->image_channel_data_type == CL_HALF_FLOAT ? 0 :
			     texel_bytes(f));
	cl_mem m = image(s, *f, CL_MEM_OBJECT_IMAGE2D, size, texels), o = buffer(s, NULL, sizeof found);
	snprintf(name, sizeof name, "read_%s", letter(f));
	cl_kernel k = kernel(s, name);
	argument(k, 0, m);
	argument(k, 1, o);
	launch(s, k, W, H);
	get(s, o, found, sizeof found);
	check_colours(chip, f, texels, found);
	drop(m);
	drop(o);
}

/* A written texel is the nearest to the colour, within the range of the format. */
static void check_written(const char *chip, const cl_image_format *f, const unsigned char *texel, const void *colour)
{
	cl_channel_type t = f->image_channel_data_type;
	const char *channels = orders[order_row(f->image_channel_order)].channels;
	double wide = t == CL_UNSIGNED_INT8 ? 255 : t == CL_UNSIGNED_INT16 ? 65535 :
		      t == CL_UNSIGNED_INT32 ? 0xffffffff : t == CL_SIGNED_INT8 ? 127 :
		      t == CL_SIGNED_INT16 ? 32767 : 0x7fffffff;

	for (int i = 0; channels[i]; i++) {
		const char *place = memchr("rgba", channels[i], 4);
		int k = place ? (int)(place - strchr("rgba", 'r')) : 0;
		float real;
		uint32_t bits;
		memcpy(&real, (const char *)colour + 4 * k, 4);
		memcpy(&bits, (const char *)colour + 4 * k, 4);
		double v = channel(f, texel, i), want = (double)real, step;
		if (is_integer(t)) {
			want = t < CL_UNSIGNED_INT8 ? (double)(int32_t)bits : (double)bits;
			want = fmin(fmax(want, t < CL_UNSIGNED_INT8 ? -wide - 1 : 0), wide);
			step = 0;
		} else if (t == CL_FLOAT) {
			step = 0;
		} else if (t == CL_HALF_FLOAT) {
			step = fmax(fabs(want) * 0x1p-11, 0x1p-25);
		} else {
			bool is_signed = t == CL_SNORM_INT8 || t == CL_SNORM_INT16;
			want = fmin(fmax(want, is_signed ? -1 : 0), 1);
			step = 0.5001 / (is_packed(t) ? t == CL_UNORM_INT_101010 ? 1023 :
					 t == CL_UNORM_SHORT_565 && i == 1 ? 63 : 31 :
					 channel_bytes(t) == 1 ? is_signed ? 127 : 255 : is_signed ? 32767 : 65535);
		}
		if (!(fabs(v - want) <= step))
			fail_msg("%s, order %x, type %x, channel %c: found %.9g, expected %.9g", chip,
				 f->image_channel_order, t, channels[i], v, want);
	}
}

static void write_format(const struct setup *s, const char *chip, const cl_image_format *f)
{
	static const size_t size[3] = { W, H, 1 }, origin[3];
	unsigned char texels[W * H * 16], filled[16];
	float colours[W * H * 4];
	char name[16];

	for (int i = 0; i < W * H * 4; i++)
		colours[i] = any_float(-1.5f, 1.5f);
	for (int i = 0; is_integer(f->image_channel_data_type) && i < W * H * 4; i++)
		memcpy(colours + i, &(int32_t){ (int32_t)(any() << 8) >> (any() & 24) }, 4);
	cl_mem m = image(s, *f, CL_MEM_OBJECT_IMAGE2D, size, NULL), v = buffer(s, colours, sizeof colours);
	snprintf(name, sizeof name, "write_%s", letter(f));
	cl_kernel k = kernel(s, name);
	argument(k, 0, m);
	argument(k, 1, v);
	launch(s, k, W, H);
	OK(clEnqueueReadImage(s->queue, m, CL_TRUE, origin, size, 0, 0, texels, 0, NULL, NULL));
	for (int i = 0; i < W * H; i++)
		check_written(chip, f, texels + (size_t)i * texel_bytes(f), colours + 4 * i);
	/* the host's own texel is the kernel's */
	const size_t one[3] = { 1, 1, 1 };
	for (size_t i = 0; i < W * H; i += 11) {
		OK(clEnqueueFillImage(s->queue, m, colours + 4 * i, origin, one, 0, NULL, NULL));
		OK(clEnqueueReadImage(s->queue, m, CL_TRUE, origin, one, 0, 0, filled, 0, NULL, NULL));
		assert_memory_equal(filled, texels + i * texel_bytes(f), texel_bytes(f));
	}
	drop(m);
	drop(v);
}

static void every_format_is_read_and_written(void **unused)
{
	for (int c = 0; c < CHIPS; c++) {
		struct setup s = set_up(chips[c], 0, source, NULL);
		cl_image_format all[256];
		cl_uint n;
		OK(clGetSupportedImageFormats(s.context, 0, CL_MEM_OBJECT_IMAGE2D, 256, all, &n));
		assert_true(n > 11 && n <= 256);
		for (cl_uint i = 0; i < n; i++) {
			read_format(&s, chips[c], &all[i]);
			write_format(&s, chips[c], &all[i]);
		}
		tear_down(&s);
	}
}

/* ---- samplers ---- */

struct picture {
	cl_image_format format;
	size_t size[3];                 /* texels; the last is the layers of an array */
	int dimensions;                 /* that are filtered */
	float texels[D][H][W][4];
};

static float whole_part(float x)
{
	return floorf(x);
}

/* The texels i and j of an axis and the weight of j, by the formulas of 8.2. */
static double axis(cl_addressing_mode a, cl_filter_mode filter, bool normalized, float s, int n, int *i, int *j)
{
	float u = normalized ? s * (float)n : s, mirror;

	if (a == CL_ADDRESS_REPEAT)
		u = (s - whole_part(s)) * (float)n;
	if (a == CL_ADDRESS_MIRRORED_REPEAT) {
		mirror = 2.0f * rintf(0.5f * s);
		u = fabsf(s - mirror) * (float)n;
	}
	float shifted = filter == CL_FILTER_LINEAR ? u - 0.5f : u;
	*i = (int)whole_part(shifted);
	*j = *i + 1;
	if (a == CL_ADDRESS_REPEAT) {
		*i = *i < 0 ? n + *i : *i > n - 1 ? *i - n : *i;
		*j = *j > n - 1 ? *j - n : *j;
	}
	if (a == CL_ADDRESS_MIRRORED_REPEAT || a == CL_ADDRESS_CLAMP_TO_EDGE) {
		*i = *i < 0 ? 0 : *i > n - 1 ? n - 1 : *i;
		*j = *j < 0 ? 0 : *j > n - 1 ? n - 1 : *j;
	}
	return (double)(shifted - whole_part(shifted));
}

static double texel(const struct picture *p, const int at[3], int k)
{
	const int size[3] = { (int)p->size[0], (int)p->size[1], (int)p->size[2] };

	for (int d = 0; d < 3; d++)
		if (at[d] < 0 || at[d] >= size[d])
			return 0;
	return (double)p->texels[at[2]][at[1]][at[0]][k];
}

/* Component k of the colour at a coordinate; behind the filtered numbers comes the layer. */
static double sampled(const struct picture *p, cl_addressing_mode a, cl_filter_mode filter, bool normalized,
		      const float c[4], int k)
{
	int at[2][3] = { { 0 } }, layer;
	double weight[3] = { 0 }, sum = 0;
	bool linear = filter == CL_FILTER_LINEAR;

	for (int d = 0; d < p->dimensions; d++)
		weight[d] = axis(a, filter, normalized, c[d], (int)p->size[d], &at[0][d], &at[1][d]);
	if (p->dimensions < 3 && p->size[2] > 1) {
		layer = (int)rintf(c[p->dimensions]);
		at[0][2] = at[1][2] = layer < 0 ? 0 : layer >= (int)p->size[2] ? (int)p->size[2] - 1 : layer;
	}
	for (int corner = 0; corner < (linear ? 1 << p->dimensions : 1); corner++) {
		int place[3];
		double w = 1;
		for (int d = 0; d < 3; d++) {
			place[d] = at[corner >> d & 1][d];
			w *= d >= p->dimensions || !linear ? 1 : corner >> d & 1 ? weight[d] : 1 - weight[d];
		}
		sum += w * texel(p, place, k);
	}
	return sum;
}

static const struct { const char *kernel; cl_mem_object_type type; struct picture shape; } kinds[] = {
	{ "line", CL_MEM_OBJECT_IMAGE1D, { .size = { W, 1, 1 }, .dimensions = 1 } },
	{ "lines", CL_MEM_OBJECT_IMAGE1D_ARRAY, { .size = { W, 1, D }, .dimensions = 1 } },
	{ "plane", CL_MEM_OBJECT_IMAGE2D, { .size = { W, H, 1 }, .dimensions = 2 } },
	{ "planes", CL_MEM_OBJECT_IMAGE2D_ARRAY, { .size = { W, H, D }, .dimensions = 2 } },
	{ "volume", CL_MEM_OBJECT_IMAGE3D, { .size = { W, H, D }, .dimensions = 3 } },
};

static void any_points(float v[POINTS][4], const struct picture *p, bool normalized)
{
	for (int i = 0; i < POINTS; i++)
		for (int d = 0; d < 4; d++) {
			float n = normalized || d >= p->dimensions ? 1 : (float)p->size[d];
			v[i][d] = any_float(-1.6f, 2.6f) * n;
			if (any() % 4 == 0)     /* where texels meet, and in their middle */
				v[i][d] = rintf(v[i][d] * 8) / 8;
			if (any() % 32 == 0)
				v[i][d] *= 1e6f;
		}
}

static void sample(const struct setup *s, cl_mem m, unsigned kind, const struct picture *p, cl_addressing_mode a,
		   cl_filter_mode filter, bool normalized)
{
	float points[POINTS][4], found[POINTS][4];
	cl_int error;
	cl_sampler sampler = clCreateSampler(s->context, normalized, a, filter, &error);
	cl_kernel k = kernel(s, kinds[kind].kernel);

	OK(error);
	any_points(points, p, normalized);
	cl_mem v = buffer(s, points, sizeof points), o = buffer(s, NULL, sizeof found);
	argument(k, 0, m);
	argument(k, 1, sampler);
	argument(k, 2, v);
	argument(k, 3, o);
	launch(s, k, POINTS, 1);
	get(s, o, found, sizeof found);
	for (int i = 0; i < POINTS * 4; i++) {
		const float *c = points[i / 4];
		double e = sampled(p, a, filter, normalized, c, i % 4), f = (double)found[i / 4][i % 4];
		if (!(fabs(e - f) <= (filter == CL_FILTER_LINEAR ? 4e-6 : 0)))
			fail_msg("%s, addressing %x, filter %x, normalized %d, (%.9g, %.9g, %.9g): found %.9g, "
				 "expected %.9g", kinds[kind].kernel, a, filter, normalized, (double)c[0], (double)c[1],
				 (double)c[2], f, e);
	}
	OK(clReleaseSampler(sampler));
	drop(v);
	drop(o);
}

static void samplers_follow_the_formulas(void **unused)
{
	for (unsigned i = 0; i < CHIPS * sizeof kinds / sizeof *kinds; i++) {
		unsigned kind = i / CHIPS;
		struct setup s = set_up(chips[i % CHIPS], 0, source, NULL);
		struct picture p = kinds[kind].shape;
		float dense[W * H * D][4];
		size_t n = 0, size[3];
		for (size_t z = 0; z < p.size[2]; z++)
			for (size_t y = 0; y < p.size[1]; y++)
				for (size_t x = 0; x < p.size[0]; x++, n++)
					for (int k = 0; k < 4; k++)
						dense[n][k] = p.texels[z][y][x][k] = any_float(-1, 1);
		memcpy(size, p.size, sizeof size);
		if (kinds[kind].type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
			size[1] = p.size[2];
		cl_mem m = image(&s, (cl_image_format){ CL_RGBA, CL_FLOAT }, kinds[kind].type, size, dense);
		for (cl_addressing_mode a = CL_ADDRESS_CLAMP_TO_EDGE; a <= CL_ADDRESS_MIRRORED_REPEAT; a++)
			for (int b = 0; b < 4; b++)
				if (b & 1 || a < CL_ADDRESS_REPEAT)
					sample(&s, m, kind, &p, a, b & 2 ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, b & 1);
		drop(m);
		tear_down(&s);
	}
}

static void samplers_of_a_source_and_of_integers(void **unused)
{
	for (int c = 0; c < CHIPS; c++) {
		static const size_t size[3] = { 2, 1, 1 };
		struct setup s = set_up(chips[c], 0, source, NULL);
		const float two[2] = { 1, 3 }, at[4] = { 0.5f, 0.5f, 0, 0 }, mirrored[4] = { 1.75f, 0.5f, 0, 0 };
		const int corner[4] = { 5, -3, 7, 0 }, bytes[2] = { -7, 9 };
		float found[4];
		int32_t integer[4];
		cl_int error;
		cl_mem m = image(&s, (cl_image_format){ CL_R, CL_FLOAT }, CL_MEM_OBJECT_IMAGE2D, size, two);
		cl_mem v = buffer(&s, at, sizeof at), w = buffer(&s, mirrored, sizeof mirrored);
		cl_mem o = buffer(&s, NULL, sizeof found), x = buffer(&s, corner, sizeof corner);
		cl_kernel k = kernel(&s, "by_own");
		argument(k, 0, m);
		argument(k, 1, v);
		argument(k, 2, o);
		launch(&s, k, 1, 1);
		get(&s, o, found, sizeof found);
		assert_true(found[0] == 2 && found[1] == 0 && found[2] == 0 && found[3] == 1);
		cl_sampler edge = clCreateSampler(s.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST,
						  &error);
		cl_sampler repeat = clCreateSampler(s.context, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST,
						    &error);
		cl_mem t = image(&s, (cl_image_format){ CL_R, CL_SIGNED_INT32 }, CL_MEM_OBJECT_IMAGE3D, size, bytes);
		k = kernel(&s, "nearest");
		argument(k, 0, t);
		argument(k, 1, repeat);
		argument(k, 2, w);
		argument(k, 3, o);
		launch(&s, k, 1, 1);
		get(&s, o, integer, sizeof integer);
		assert_true(integer[0] == -7 && integer[3] == 1);
		cl_mem volume = image(&s, (cl_image_format){ CL_R, CL_FLOAT }, CL_MEM_OBJECT_IMAGE3D, size, two);
		k = kernel(&s, "whole");
		argument(k, 0, volume);
		argument(k, 1, edge);
		argument(k, 2, x);
		argument(k, 3, o);
		launch(&s, k, 1, 1);
		get(&s, o, found, sizeof found);
		assert_true(found[0] == 3);
		OK(clReleaseSampler(edge));
		OK(clReleaseSampler(repeat));
		for (int i = 0; i < 7; i++)
			drop((cl_mem[]){ m, v, w, o, x, t, volume }[i]);
		tear_down(&s);
	}
}

/* ---- commands ---- */

static const cl_image_format red = { CL_R, CL_UNSIGNED_INT16 };

/* The texel at (x, y, z) of a marked picture. */
static uint16_t mark(size_t x, size_t y, size_t z)
{
	return (uint16_t)(x + 10 * y + 100 * z);
}

static void marked(uint16_t *texels, const size_t size[3])
{
	for (size_t i = 0; i < size[0] * size[1] * size[2]; i++)
		texels[i] = mark(i % size[0], i / size[0] % size[1], i / size[0] / size[1]);
}

static void boxes_are_read_and_written(const struct setup *s)
{
	static const size_t size[3] = { W, H, D }, from[3] = { 2, 1, 1 }, box[3] = { 3, 2, 2 }, all[3];
	enum { ROW = 16, SLICE = 64 };  /* bytes */
	uint16_t texels[W * H * D], wide[2 * SLICE / 2], found[W * H * D];

	marked(texels, size);
	cl_mem m = image(s, red, CL_MEM_OBJECT_IMAGE3D, size, texels);
	memset(wide, 0xee, sizeof wide);
	OK(clEnqueueReadImage(s->queue, m, CL_TRUE, from, box, ROW, SLICE, wide, 0, NULL, NULL));
	for (size_t i = 0; i < sizeof wide / 2; i++) {
		size_t x = i % (ROW / 2), y = i / (ROW / 2) % (SLICE / ROW), z = i / (SLICE / 2);
		assert_int_equal(wide[i], x < 3 && y < 2 ? mark(x + 2, y + 1, z + 1) : 0xeeee);
	}
	for (size_t i = 0; i < sizeof wide / 2; i++)
		wide[i] = (uint16_t)(wide[i] == 0xeeee ? 0xeeee : wide[i] + 1000);
	OK(clEnqueueWriteImage(s->queue, m, CL_TRUE, from, box, ROW, SLICE, wide, 0, NULL, NULL));
	OK(clEnqueueReadImage(s->queue, m, CL_TRUE, all, size, 0, 0, found, 0, NULL, NULL));
	for (size_t i = 0; i < W * H * D; i++) {
		size_t x = i % W, y = i / W % H, z = i / W / H;
		bool in = x >= 2 && x < 5 && y >= 1 && y < 3 && z >= 1;
		assert_int_equal(found[i], mark(x, y, z) + (in ? 1000 : 0));
	}
	drop(m);
}

static void boxes_are_copied(const struct setup *s)
{
	static const size_t size[3] = { W, H, D }, flat[3] = { W, H, 1 }, lines[3] = { W, D, 1 }, zero[3];
	static const size_t slice[3] = { 0, 0, 2 }, layer[3] = { 0, 2, 0 }, one[3] = { W, 1, 1 };
	uint16_t texels[W * H * D], found[W * H] = { 0 };

	marked(texels, size);
	cl_mem m = image(s, red, CL_MEM_OBJECT_IMAGE3D, size, texels), b = buffer(s, NULL, 1024);
	cl_mem f = image(s, red, CL_MEM_OBJECT_IMAGE2D, flat, NULL);
	cl_mem a = image(s, red, CL_MEM_OBJECT_IMAGE1D_ARRAY, lines, texels);
	OK(clEnqueueCopyImage(s->queue, m, f, slice, zero, flat, 0, NULL, NULL));
	OK(clEnqueueReadImage(s->queue, f, CL_TRUE, zero, flat, 0, 0, found, 0, NULL, NULL));
	for (size_t i = 0; i < W * H; i++)
		assert_int_equal(found[i], mark(i % W, i / W, 2));
	OK(clEnqueueCopyImageToBuffer(s->queue, m, b, slice, flat, 64, 0, NULL, NULL));
	get(s, b, found, 64);
	OK(clEnqueueReadBuffer(s->queue, b, CL_TRUE, 64, sizeof found, found, 0, NULL, NULL));
	for (size_t i = 0; i < W * H; i++)
		assert_int_equal(found[i], mark(i % W, i / W, 2));
	OK(clEnqueueCopyBufferToImage(s->queue, b, a, 64, layer, one, 0, NULL, NULL));
	OK(clEnqueueReadImage(s->queue, a, CL_TRUE, layer, one, 0, 0, found, 0, NULL, NULL));
	for (size_t i = 0; i < W; i++)
		assert_int_equal(found[i], mark(i, 0, 2));
	OK(clEnqueueReadImage(s->queue, a, CL_TRUE, zero, one, 0, 0, found, 0, NULL, NULL));
	assert_int_equal(found[W - 1], W - 1);
	for (int i = 0; i < 4; i++)
		drop((cl_mem[]){ m, b, f, a }[i]);
}

static void boxes_are_mapped(const struct setup *s)
{
	static const size_t size[3] = { W, H, 1 }, from[3] = { 1, 2, 0 }, box[3] = { 4, 3, 1 }, zero[3];
	enum { ROW = 20 };              /* bytes of a row of the program's own memory */
	uint16_t texels[W * H], own[H][ROW / 2];
	const cl_image_desc d = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H,
				  .image_row_pitch = ROW };
	size_t row;
	cl_int error;

	marked(texels, size);
	for (size_t i = 0; i < H * ROW / 2; i++)
		own[i / (ROW / 2)][i % (ROW / 2)] = mark(i % (ROW / 2), i / (ROW / 2), 0);
	cl_mem copied = image(s, red, CL_MEM_OBJECT_IMAGE2D, size, texels);
	cl_mem used = clCreateImage(s->context, CL_MEM_USE_HOST_PTR, &red, &d, own, &error);
	OK(error);
	for (int i = 0; i < 2; i++) {
		cl_mem m = i ? used : copied;
		uint16_t *p = clEnqueueMapImage(s->queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, from, box, &row, NULL,
						0, NULL, NULL, &error);
		OK(error);
		assert_true(row >= box[0] * 2 && (!i || (row == ROW && p == &own[2][1])));
		for (size_t y = 0; y < box[1]; y++)
			for (size_t x = 0; x < box[0]; x++) {
				assert_int_equal(p[y * row / 2 + x], mark(x + 1, y + 2, 0));
				p[y * row / 2 + x] = (uint16_t)(7000 + x + y);
			}
		OK(clEnqueueUnmapMemObject(s->queue, m, p, 0, NULL, NULL));
		OK(clEnqueueReadImage(s->queue, m, CL_TRUE, zero, size, 0, 0, texels, 0, NULL, NULL));
		for (size_t k = 0; k < W * H; k++) {
			size_t x = k % W, y = k / W;
			bool in = x >= 1 && x < 5 && y >= 2;
			assert_int_equal(texels[k], in ? 7000 + x - 1 + y - 2 : mark(x, y, 0));
		}
		drop(m);
	}
}

static void volumes_are_written_by_kernels(const struct setup *s)
{
	static const size_t size[3] = { W, H, D }, zero[3];
	const cl_image_format f = { CL_RGBA, CL_UNSIGNED_INT8 };
	const uint32_t five[4] = { 5, 5, 5, 500 };
	unsigned char texels[D][H][W][4];
	cl_mem m = image(s, f, CL_MEM_OBJECT_IMAGE3D, size, NULL);

	OK(clEnqueueFillImage(s->queue, m, five, zero, size, 0, NULL, NULL));
	cl_kernel k = kernel(s, "deep");
	argument(k, 0, m);
	launch(s, k, W, H);
	OK(clEnqueueReadImage(s->queue, m, CL_TRUE, zero, size, 0, 0, texels, 0, NULL, NULL));
	for (int z = 0; z < D; z++)
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++) {
				const unsigned char *t = texels[z][y][x];
				if (z == 2)
					assert_true(t[0] == x && t[1] == y && t[2] == 255 && t[3] == 4);
				else
					assert_true(t[0] == 5 && t[1] == 5 && t[2] == 5 && t[3] == 255);
			}
	drop(m);
}

static void kernels_know_sizes(const struct setup *s)
{
	static const size_t lines[3] = { W, D, 1 }, planes[3] = { W, H, D };
	const int numbers[4] = { 1, 2, 3, 44 };
	const cl_image_format word = { CL_R, CL_SIGNED_INT32 };
	cl_image_desc d = { .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 4 };
	const int expected[] = { W, D, CL_R, W, H, D, W, H, CL_UNSIGNED_INT16, W, H, D, D, 4, 44 };
	int found[sizeof expected / sizeof *expected];
	cl_int error;
	cl_mem m[6] = { image(s, red, CL_MEM_OBJECT_IMAGE1D_ARRAY, lines, NULL),
			image(s, red, CL_MEM_OBJECT_IMAGE2D_ARRAY, planes, NULL),
			image(s, red, CL_MEM_OBJECT_IMAGE3D, planes, NULL), NULL,
			buffer(s, NULL, sizeof found), buffer(s, numbers, sizeof numbers) };

	d.buffer = m[5];
	m[3] = clCreateImage(s->context, 0, &word, &d, NULL, &error);
	OK(error);
	drop(m[5]);                     /* the image keeps its buffer */
	cl_kernel k = kernel(s, "ask");
	for (cl_uint i = 0; i < 5; i++)
		argument(k, i, m[i]);
	launch(s, k, 1, 1);
	get(s, m[4], found, sizeof found);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		assert_int_equal(found[i], expected[i]);
	for (int i = 0; i < 5; i++)
		drop(m[i]);
}

static void commands_on_images_do_what_they_say(void **unused)
{
	for (int c = 0; c < CHIPS; c++) {
		struct setup s = set_up(chips[c], 0, source, NULL);
		boxes_are_read_and_written(&s);
		boxes_are_copied(&s);
		boxes_are_mapped(&s);
		volumes_are_written_by_kernels(&s);
		kernels_know_sizes(&s);
		tear_down(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_is_read_and_written),
		cmocka_unit_test(samplers_follow_the_formulas),
		cmocka_unit_test(samplers_of_a_source_and_of_integers),
		cmocka_unit_test(commands_on_images_do_what_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
