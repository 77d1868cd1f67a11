/* What a launch of a prepared kernel costs through OpenCL, on the first device of the first platform: a kernel of one
 * work-item that stores a word, an empty kernel, and the sum of two vectors of 2^20 floats. A line of three numbers:
 * microseconds of processor time for a launch of each of the two, milliseconds of it for the sum, each the least of
 * several rounds. With --alone the sum is launched through warpbeam.h instead, and only its run is measured.
 *   launching_opencl [--launches N | --alone] */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"
#include "warpbeam.h"

enum { VALUES = 1 << 20, BYTES = 4 * VALUES, GROUP = 256, ROUNDS = 15, SUMS = 7 };

static const char text[] =
	"__kernel void one(__global int *a) { a[0] = 1; }\n"
	"__kernel void none(void) { }\n"
	"__kernel void add(__global const float *a, __global const float *b, __global float *c)\n"
	"{ size_t i = get_global_id(0); c[i] = a[i] + b[i]; }\n";

static void must(int error, const char *what)
{
	if (error == 0)
		return;
	fprintf(stderr, "launching_opencl: %s: error %d\n", what, error);
	exit(WB_ENV);
}

struct cl {
	cl_command_queue queue;
	cl_kernel one, none, add;
};

static struct cl open_cl(void)
{
	const char *source = text;
	cl_platform_id platform;
	cl_device_id device;
	cl_int e;
	struct cl c;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	must(e, "clCreateContext");
	c.queue = clCreateCommandQueue(context, device, 0, &e);
	must(e, "clCreateCommandQueue");
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
	must(e, "clCreateProgramWithSource");
	must(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "clBuildProgram");
	c.one = clCreateKernel(program, "one", &e);
	must(e, "clCreateKernel");
	c.none = clCreateKernel(program, "none", &e);
	must(e, "clCreateKernel");
	c.add = clCreateKernel(program, "add", &e);
	must(e, "clCreateKernel");
	for (cl_uint i = 0; i < 3; i++) {
		cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &e);
		must(e, "clCreateBuffer");
		must(clSetKernelArg(c.add, i, sizeof m, &m), "clSetKernelArg");
		if (i == 2)
			must(clSetKernelArg(c.one, 0, sizeof m, &m), "clSetKernelArg");
	}
	return c;
}

/* Seconds for each of n launches. */
static double launch(const struct cl *c, cl_kernel k, size_t threads, size_t group, unsigned n)
{
	double begin = bench_now(BENCH_CPU);

	for (unsigned i = 0; i < n; i++)
		must(clEnqueueNDRangeKernel(c->queue, k, 1, NULL, &threads, &group, 0, NULL, NULL),
		     "clEnqueueNDRangeKernel");
	must(clFinish(c->queue), "clFinish");
	return (bench_now(BENCH_CPU) - begin) / n;
}

static void through_opencl(unsigned launches)
{
	double one[ROUNDS], none[ROUNDS], add[SUMS];
	struct cl c = open_cl();

	launch(&c, c.one, 1, 1, 1);
	launch(&c, c.none, 1, 1, 1);
	for (int i = 0; i < ROUNDS; i++) {
		one[i] = launch(&c, c.one, 1, 1, launches);
		none[i] = launch(&c, c.none, 1, 1, launches);
	}
	for (int i = 0; i < SUMS; i++)
		add[i] = launch(&c, c.add, VALUES, GROUP, 1);
	printf("%.2f %.2f %.3f\n", 1e6 * bench_summarize(one, ROUNDS).min, 1e6 * bench_summarize(none, ROUNDS).min,
	       1e3 * bench_summarize(add, SUMS).min);
}

static void alone(void)
{
	const struct wb_launch_size size = { .grid = { VALUES / GROUP }, .block = { GROUP } };
	struct wb_config *c = wb_config_new();
	struct wb_program *program;
	struct wb_prepared *kernel;
	struct wb_device *device;
	struct wb_diag d;
	double add[SUMS];
	uint64_t address[3];

	must(!c || wb_config_set(c, "chip", "gfx900", &d) != WB_OK ||
	     wb_config_set(c, "threads", "1", &d) != WB_OK || wb_device_new(c, &device, &d) != WB_OK ||
	     wb_program_load(text, strlen(text), "launching.cl", c, &program, &d) != WB_OK ||
	     wb_prepare(device, program, "add", &kernel, &d) != WB_OK, "a prepared kernel");
	for (int i = 0; i < 3; i++)
		must(wb_memory_alloc(device, BYTES, &address[i], &d), "wb_memory_alloc");
	for (int i = 0; i < SUMS; i++) {
		struct wb_launch *l;
		double begin = bench_now(BENCH_CPU);
		must(wb_launch_on(device, kernel, &size, address, sizeof address, &l, &d), "wb_launch_on");
		must(wb_launch_run(l, &d), "wb_launch_run");
		add[i] = bench_now(BENCH_CPU) - begin;
		wb_launch_free(l);
	}
	printf("- - %.3f\n", 1e3 * bench_summarize(add, SUMS).min);
}

int main(int argc, char **argv)
{
	unsigned launches = 1000;

	if (argc == 2 && !strcmp(argv[1], "--alone")) {
		alone();
		return 0;
	}
	if (argc > 1 && (argc != 3 || strcmp(argv[1], "--launches") || !bench_number(argv[2], 1000000, &launches))) {
		fprintf(stderr, "usage: launching_opencl [--launches N | --alone]\n");
		return WB_USAGE;
	}
	through_opencl(launches);
	return 0;
}
