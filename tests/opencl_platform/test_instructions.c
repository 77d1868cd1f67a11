/* Two ways to a texel on GCN: OpenCL C's functions of images, which are software, and the machine's image instructions,
 * which the same kernel calls by LLVM's names on the same texels. Both are to give the same colours. */
#include <math.h>
#include <stdbool.h>

#include "tests/opencl_platform/program.h"

static const char *const chips[] = { "gfx900", "tonga", "bonaire" };
enum { WIDTH = 13, HEIGHT = 6, DEPTH = 5, TEXELS = WIDTH * HEIGHT * DEPTH, POINTS = 256 };

static const char source[] =
	"float4 plane(int, float, float, uint8, uint4, bool, int, int)\n"
	"	__asm(\"llvm.amdgcn.image.sample.lz.2d.v4f32.f32\");\n"
	"float4 volume(int, float, float, float, uint8, uint4, bool, int, int)\n"
	"	__asm(\"llvm.amdgcn.image.sample.lz.3d.v4f32.f32\");\n"
	"uint8 placed(uint8 t, global const uint *texels)\n"
	"{\n"
	"	t.s0 = (uint)((ulong)texels >> 8);\n"
	"	t.s1 |= (uint)((ulong)texels >> 40);\n"
	"	return t;\n"
	"}\n"
	"kernel void both2(read_only image2d_t m, sampler_t s, global const uint *texels, uint8 t, uint4 w,\n"
	"		  global const float4 *at, global float4 *functions, global float4 *instructions)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	functions[i] = read_imagef(m, s, at[i].xy);\n"
	"	instructions[i] = plane(15, at[i].x, at[i].y, placed(t, texels), w, false, 0, 0);\n"
	"}\n"
	"kernel void both3(read_only image3d_t m, sampler_t s, global const uint *texels, uint8 t, uint4 w,\n"
	"		  global const float4 *at, global float4 *functions, global float4 *instructions)\n"
	"{\n"
	"	size_t i = get_global_id(0);\n"
	"	functions[i] = read_imagef(m, s, at[i]);\n"
	"	instructions[i] = volume(15, at[i].x, at[i].y, at[i].z, placed(t, texels), w, false, 0, 0);\n"
	"}\n";

static const struct { cl_channel_type type; unsigned bytes, data, number; } formats[] = {
	{ CL_UNORM_INT8, 4, 10, 0 }, { CL_SNORM_INT8, 4, 10, 1 }, { CL_UNORM_INT16, 8, 12, 0 }, { CL_FLOAT, 16, 14, 7 },
};
static const struct { cl_addressing_mode mode; unsigned wrap; } modes[] = {
	{ CL_ADDRESS_REPEAT, 0 }, { CL_ADDRESS_MIRRORED_REPEAT, 1 }, { CL_ADDRESS_CLAMP_TO_EDGE, 2 },
	{ CL_ADDRESS_CLAMP, 6 },
};

static void fill(unsigned char *bytes, cl_channel_type type)
{
	float v;

	for (unsigned i = 0; i < TEXELS * 16; i++)
		bytes[i] = (unsigned char)((i * 2654435761u + 77) >> 11);
	for (unsigned i = 0; type == CL_FLOAT && i < TEXELS * 4; i++) {
		v = (float)(i * 37 % 1009) / 64 - 7;
		memcpy(bytes + 4 * i, &v, 4);
	}
}

static cl_mem buffer(const struct setup *s, void *bytes, size_t n)
{
	cl_int error;
	cl_mem m = clCreateBuffer(s->context, CL_MEM_READ_WRITE | (bytes ? CL_MEM_COPY_HOST_PTR : 0), n, bytes, &error);

	OK(error);
	return m;
}

static void descriptors(const char *chip, unsigned f, unsigned dims, unsigned wrap, bool linear, bool normalized,
			cl_uint t[8], cl_uint w[4])
{
	memset(t, 0, 32);
	memset(w, 0, 16);
	t[1] = formats[f].data << 20 | formats[f].number << 26;
	t[2] = (WIDTH - 1) | (HEIGHT - 1) << 14;
	t[3] = 0xfac | (strcmp(chip, "gfx900") ? 8u << 20 : 0) | (dims == 3 ? 10u : 9u) << 28;
	t[4] = (dims == 3 ? DEPTH - 1 : 0) | (WIDTH - 1) << 13;
	w[0] = wrap | wrap << 3 | wrap << 6 | (normalized ? 0 : 1u << 15);
	w[1] = 0xfffu << 12;
	w[2] = linear ? 0x500000 : 0;
}

static void compare(const char *chip, unsigned f, unsigned dims, unsigned mode, bool linear, bool normalized,
		    const cl_float4 *functions, const cl_float4 *instructions)
{
	for (unsigned i = 0; i < POINTS; i++)
		for (unsigned c = 0; c < 4; c++) {
			float a = functions[i].s[c], b = instructions[i].s[c];
			if (!(fabsf(a - b) <= 2e-6f * fmaxf(1, fabsf(a))))
				fail_msg("%s, format %u, %uD, mode %u, %s, %s, point %u: component %u is %.9g by "
					 "functions, %.9g by instructions", chip, f, dims, mode,
					 linear ? "linear" : "nearest", normalized ? "normalized" : "in texels", i, c,
					 (double)a, (double)b);
		}
}

struct sampling {
	const struct setup *setup;
	const char *chip;
	unsigned format, dims;
	cl_mem image, texels, found[2];
};

static void sample(const struct sampling *g, unsigned mode, bool linear, bool normalized)
{
	static cl_float4 points[POINTS], found[2][POINTS];
	const struct setup *s = g->setup;
	const float size[3] = { WIDTH, HEIGHT, DEPTH };
	size_t n = POINTS;
	cl_uint t[8], w[4];
	cl_int error;
	cl_mem where;
	cl_kernel k = clCreateKernel(s->program, g->dims == 3 ? "both3" : "both2", &error);
	cl_sampler sampler = clCreateSampler(s->context, normalized, modes[mode].mode,
					     linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &error);

	OK(error);
	for (unsigned i = 0; i < POINTS; i++)
		for (unsigned d = 0; d < 3; d++) {
			float v = (float)((i + 3) * (d + 5) * 7919 % 4001) / 1000 - 1.5f;
			points[i].s[d] = normalized ? v : v * size[d];
		}
	where = buffer(s, points, sizeof points);
	descriptors(g->chip, g->format, g->dims, modes[mode].wrap, linear, normalized, t, w);
	OK(clSetKernelArg(k, 0, sizeof(cl_mem), &g->image));
	OK(clSetKernelArg(k, 1, sizeof sampler, &sampler));
	OK(clSetKernelArg(k, 2, sizeof(cl_mem), &g->texels));
	OK(clSetKernelArg(k, 3, sizeof t, t));
	OK(clSetKernelArg(k, 4, sizeof w, w));
	OK(clSetKernelArg(k, 5, sizeof where, &where));
	for (cl_uint i = 0; i < 2; i++)
		OK(clSetKernelArg(k, 6 + i, sizeof(cl_mem), &g->found[i]));
	OK(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &n, NULL, 0, NULL, NULL));
	for (unsigned i = 0; i < 2; i++)
		OK(clEnqueueReadBuffer(s->queue, g->found[i], CL_TRUE, 0, sizeof found[i], found[i], 0, NULL, NULL));
	compare(g->chip, g->format, g->dims, mode, linear, normalized, found[0], found[1]);
	clReleaseMemObject(where);
	clReleaseSampler(sampler);
	clReleaseKernel(k);
}

static void both_ways(const struct setup *s, const char *chip, unsigned f, unsigned dims)
{
	static unsigned char bytes[TEXELS * 16];
	struct sampling g = { .setup = s, .chip = chip, .format = f, .dims = dims };
	cl_image_format format = { CL_RGBA, formats[f].type };
	cl_image_desc desc = { .image_type = dims == 3 ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D,
			       .image_width = WIDTH, .image_height = HEIGHT, .image_depth = dims == 3 ? DEPTH : 0 };
	cl_int error;

	fill(bytes, formats[f].type);
	g.image = clCreateImage(s->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, bytes, &error);
	OK(error);
	g.texels = buffer(s, bytes, sizeof bytes);
	for (unsigned i = 0; i < 2; i++)
		g.found[i] = buffer(s, NULL, POINTS * sizeof(cl_float4));
	for (unsigned mode = 0; mode < 4; mode++)
		for (unsigned linear = 0; linear < 2; linear++) {
			sample(&g, mode, linear, true);
			if (mode >= 2)  /* the others are for normalized coordinates */
				sample(&g, mode, linear, false);
		}
	clReleaseMemObject(g.image);
	clReleaseMemObject(g.texels);
	for (unsigned i = 0; i < 2; i++)
		clReleaseMemObject(g.found[i]);
}

static void functions_and_instructions_agree(void **unused)
{
	(void)unused;
	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		struct setup s = set_up(chips[c], 0, source, NULL);
		for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
			for (unsigned dims = 2; dims <= 3; dims++)
				both_ways(&s, chips[c], f, dims);
		tear_down(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(functions_and_instructions_agree) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
