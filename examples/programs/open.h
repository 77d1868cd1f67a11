/* What every program of this folder begins with: a device, a queue that takes times, the kernels of a file beside the
 * program, and an end for errors. The first platform's first device is taken, whichever driver it has. */
#ifndef PROGRAMS_OPEN_H
#define PROGRAMS_OPEN_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* End the program where a call has failed. */
#define OK(call) ok(call, #call, __FILE__, __LINE__)
static inline void ok(cl_int error, const char *call, const char *file, int line)
{
	if (error == CL_SUCCESS)
		return;
	fprintf(stderr, "%s:%d: error %d of %.60s\n", file, line, error, call);
	exit(2);
}

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

/* All of a file in the folder of the program argv0. */
static inline char *read_beside(const char *argv0, const char *name)
{
	const char *slash = strrchr(argv0, '/');
	char path[4096], *text = malloc(1 << 16);
	snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - argv0) : 0, argv0, name);
	FILE *f = fopen(path, "rb");
	if (!f || !text) {
		perror(path);
		exit(2);
	}
	text[fread(text, 1, (1 << 16) - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* Open the device and build the kernels of a file. */
static inline void open_all(const char *argv0, const char *kernels)
{
	cl_platform_id platform;
	char name[128], log[4096];
	cl_int error;
	char *text = read_beside(argv0, kernels);

	OK(clGetPlatformIDs(1, &platform, NULL));
	OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	OK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
	fprintf(stderr, "device: %s\n", name);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	OK(error);
	queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
	OK(error);
	program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &error);
	OK(error);
	free(text);
	if (clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS)
		return;
	OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
	fprintf(stderr, "%s: %s\n", kernels, log);
	exit(2);
}

static inline cl_kernel kernel(const char *name)
{
	cl_int error;
	cl_kernel k = clCreateKernel(program, name, &error);
	OK(error);
	return k;
}

/* A buffer with a copy of `from`, or of undefined bytes (NULL). */
static inline cl_mem buffer(size_t bytes, const void *from)
{
	cl_int error;
	cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0), bytes, (void *)from,
				  &error);
	OK(error);
	return m;
}

#define ARG(k, n, value) OK(clSetKernelArg(k, n, sizeof(value), &(value)))

/* Launch `global` threads in blocks of `local`, one behind the other. */
static inline void launch(cl_kernel k, size_t global, size_t local)
{
	OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
}

static inline void launch_2d(cl_kernel k, size_t x, size_t y, size_t local_x, size_t local_y)
{
	size_t global[2] = { x, y }, local[2] = { local_x, local_y };

	OK(clEnqueueNDRangeKernel(queue, k, 2, NULL, global, local, 0, NULL, NULL));
}

static inline void read_back(cl_mem m, size_t bytes, void *to)
{
	OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

static inline void close_all(void)
{
	OK(clReleaseProgram(program));
	OK(clReleaseCommandQueue(queue));
	OK(clReleaseContext(context));
}

/* The program's last line and its exit code. */
static inline int verdict(int good, const char *what)
{
	printf("%s: %s\n", what, good ? "right" : "WRONG");
	return !good;
}

#endif
