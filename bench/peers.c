/* The kernels of the throughput bench on an OpenCL device: the first one that the machine's OpenCL offers, or whose
 * platform is named. One line a kernel, fields separated by tabs: platform, kernel, div, median seconds of processor
 * time, ok or wrong. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/harness.h"
#include "bench/kernels.h"
#include "warpbeam.h"

enum { MOST_PLATFORMS = 16, MOST_REPEATS = 99 };

struct peer {
	char name[80];             /* of the platform */
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
};

static void fatal(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
static void fatal(int status, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fputs("peers: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(status);
}

static void must(cl_int error, const char *what)
{
	if (error != CL_SUCCESS)
		fatal(WB_FAILED, "%s: OpenCL error %d", what, (int)error);
}

/* ---- the device ---- */

static void find_device(struct peer *p, const char *wanted)
{
	cl_platform_id platform[MOST_PLATFORMS];
	cl_uint n = 0;

	if (clGetPlatformIDs(MOST_PLATFORMS, platform, &n) != CL_SUCCESS)
		n = 0;
	for (cl_uint i = 0; i < n && i < MOST_PLATFORMS; i++) {
		clGetPlatformInfo(platform[i], CL_PLATFORM_NAME, sizeof p->name, p->name, NULL);
		if ((!wanted || strstr(p->name, wanted)) &&
		    clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, 1, &p->device, NULL) == CL_SUCCESS)
			return;
	}
	fatal(WB_ENV, "no OpenCL platform%s%s", wanted ? " named " : "", wanted ? wanted : "");
}

static char *read_source(const char *path)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = fopen(path, "r");

	if (!f || getdelim(&text, &n, '\0', f) < 0)
		fatal(WB_ENV, "%s: cannot read", path);
	fclose(f);
	return text;
}

static void open_peer(struct peer *p, const char *wanted, const char *source)
{
	cl_int error;
	char *text = read_source(source);

	find_device(p, wanted);
	p->context = clCreateContext(NULL, 1, &p->device, NULL, NULL, &error);
	must(error, "clCreateContext");
	p->queue = clCreateCommandQueue(p->context, p->device, 0, &error);
	must(error, "clCreateCommandQueue");
	p->program = clCreateProgramWithSource(p->context, 1, (const char **)&text, NULL, &error);
	must(error, "clCreateProgramWithSource");
	must(clBuildProgram(p->program, 1, &p->device, "", NULL, NULL), source);
	free(text);
}

/* ---- one kernel ---- */

/* A scalar as `-a` takes it: "u32=5", "f32=0x1p-3". */
static void set_scalar(cl_kernel kernel, unsigned index, const char *text)
{
	cl_uint u = (cl_uint)strtoul(text + 4, NULL, 0);
	cl_float f = strtof(text + 4, NULL);

	must(clSetKernelArg(kernel, index, 4, text[0] == 'f' ? (const void *)&f : (const void *)&u), text);
}

static double run_once(const struct peer *peer, cl_kernel kernel, const struct problem *p, const cl_mem *buffer)
{
	size_t local[2] = { p->block[0], p->block[1] };
	size_t global[2] = { (size_t)p->grid[0] * local[0], (size_t)p->grid[1] * local[1] };

	for (unsigned i = 0; i < p->nbuffers; i++)
		must(clEnqueueWriteBuffer(peer->queue, buffer[i], CL_TRUE, 0, p->buffer[i].words * 4, p->buffer[i].data,
					  0, NULL, NULL), "clEnqueueWriteBuffer");
	double start = bench_now(BENCH_CPU);
	must(clEnqueueNDRangeKernel(peer->queue, kernel, 2, NULL, global, local, 0, NULL, NULL),
	     "clEnqueueNDRangeKernel");
	must(clFinish(peer->queue), "clFinish");
	return bench_now(BENCH_CPU) - start;
}

static bool answer_right(const struct peer *peer, const struct kernel *k, const struct problem *p, cl_mem buffer)
{
	size_t n = p->buffer[p->out].words * 4;
	void *answer = malloc(n);
	bool right = false;

	if (answer && clEnqueueReadBuffer(peer->queue, buffer, CL_TRUE, 0, n, answer, 0, NULL, NULL) == CL_SUCCESS)
		right = k->right(p, answer);

	free(answer);
	return right;
}

/* The first run compiles, and its answer is checked; the others count. */
static bool bench(const struct peer *peer, const struct kernel *k, unsigned div, unsigned repeat)
{
	struct problem p = { 0 };
	cl_mem buffer[MAX_BUFFERS];
	cl_int error;
	double seconds[MOST_REPEATS];

	if (!k->setup(&p, div))
		fatal(WB_ENV, "out of memory");
	cl_kernel kernel = clCreateKernel(peer->program, k->name, &error);
	must(error, k->name);
	for (unsigned i = 0; i < p.nbuffers; i++) {
		buffer[i] = clCreateBuffer(peer->context, CL_MEM_READ_WRITE, p.buffer[i].words * 4, NULL, &error);
		must(error, "clCreateBuffer");
		must(clSetKernelArg(kernel, i, sizeof buffer[i], &buffer[i]), k->name);
	}
	for (unsigned i = 0; i < p.nscalars; i++)
		set_scalar(kernel, p.nbuffers + i, p.scalar[i]);
	run_once(peer, kernel, &p, buffer);
	bool right = answer_right(peer, k, &p, buffer[p.out]);
	for (unsigned i = 0; i < repeat; i++)
		seconds[i] = run_once(peer, kernel, &p, buffer);
	printf("%s\t%s\t%u\t%.6f\t%s\n", peer->name, k->name, div, bench_summarize(seconds, repeat).median,
	       right ? "ok" : "wrong");
	fflush(stdout);
	for (unsigned i = 0; i < p.nbuffers; i++)
		clReleaseMemObject(buffer[i]);
	clReleaseKernel(kernel);
	problem_free(&p);
	return right;
}

static unsigned number(const char *text, unsigned max)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (end == text || *end || !v || v > max)
		fatal(WB_USAGE, "found '%s', expected a number from 1 to %u", text, max);
	return (unsigned)v;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "div", required_argument, NULL, 'd' },       { "repeat", required_argument, NULL, 'r' },
		{ "platform", required_argument, NULL, 'p' },  { NULL, 0, NULL, 0 },
	};
	unsigned div = 16, repeat = 3, bad = 0;
	const char *platform = NULL;
	struct peer peer;
	int letter;

	while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (letter == '?')
			fatal(WB_USAGE, "usage: peers [--div N] [--repeat N] [--platform NAME]");
		div = letter == 'd' ? number(optarg, 1 << 16) : div;
		repeat = letter == 'r' ? number(optarg, MOST_REPEATS) : repeat;
		platform = letter == 'p' ? optarg : platform;
	}
	bench_pin();
	open_peer(&peer, platform, WB_SOURCE_ROOT "/bench/peers.cl");
	for (const struct kernel *k = kernels; k->name; k++)
		bad += !bench(&peer, k, div, repeat);
	clReleaseProgram(peer.program);
	clReleaseCommandQueue(peer.queue);
	clReleaseContext(peer.context);
	return bad ? WB_FAILED : WB_OK;
}
