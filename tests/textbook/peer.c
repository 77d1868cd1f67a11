/* Textbook kernels on an OpenCL device, pocl's or oclgrind's say, to prove kernels and models without Warpbeam:
 *   textbook_peer FOLDER [KERNEL]... */
#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>
#include <stdio.h>

#include "tests/textbook/textbook.h"

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static bool open_device(void)
{
	cl_platform_id platform;
	cl_int e;

	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
		return false;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	if (e != CL_SUCCESS)
		return false;
	queue = clCreateCommandQueue(context, device, 0, &e);
	return e == CL_SUCCESS;
}

/* The program of a kernel; NULL: printed. */
static cl_program build(const char *folder, const char *name)
{
	static char text[1 << 16], log[1 << 16];
	const char *source = text;
	cl_int e;

	snprintf(text, sizeof text, "%s/%s.cl", folder, name);
	FILE *f = fopen(text, "r");
	if (!f) {
		printf("%s: cannot be opened\n", text);
		return NULL;
	}
	size_t n = fread(text, 1, sizeof text - 1, f);
	fclose(f);
	text[n] = 0;
	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &e);
	e = e == CL_SUCCESS ? clBuildProgram(p, 1, &device, "-cl-std=CL1.2", NULL, NULL) : e;
	if (e == CL_SUCCESS)
		return p;
	clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
	printf("%s: %s\n", name, log);
	return NULL;
}

static bool set_arguments(cl_kernel k, const struct task *t, cl_mem *memory)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < t->narguments; i++) {
		const struct argument *a = &t->argument[i];
		if (a->scalar_bytes) {
			ok = clSetKernelArg(k, i, a->scalar_bytes, a->scalar) == CL_SUCCESS;
		} else if (!a->start) {
			ok = clSetKernelArg(k, i, a->bytes, NULL) == CL_SUCCESS;
		} else {
			memory[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
						   a->bytes ? a->bytes : 1, a->start, NULL);
			ok = memory[i] && clSetKernelArg(k, i, sizeof *memory, &memory[i]) == CL_SUCCESS;
		}
		if (!ok)
			printf("argument %u was not taken\n", i);
	}
	return ok;
}

static bool run_task(cl_kernel k, const struct task *t, char *text, size_t size)
{
	cl_mem memory[ARGUMENTS_MAX] = { NULL };
	size_t global[2], local[2];
	bool ok = set_arguments(k, t, memory);

	for (unsigned i = 0; i < 2; i++) {
		local[i] = t->local[i];
		global[i] = local[i] * t->groups[i];
	}
	cl_int e = ok ? clEnqueueNDRangeKernel(queue, k, 2, NULL, global, local, 0, NULL, NULL) : CL_INVALID_VALUE;
	e = e == CL_SUCCESS ? clFinish(queue) : e;
	if (e != CL_SUCCESS) {
		snprintf(text, size, "OpenCL error %d", e);
		ok = false;
	}
	for (unsigned i = 0; i < t->narguments; i++) {
		const struct argument *a = &t->argument[i];
		if (!memory[i])
			continue;
		void *found = calloc(a->bytes + 1, 1);
		if (ok && a->bytes)
			ok = clEnqueueReadBuffer(queue, memory[i], CL_TRUE, 0, a->bytes, found, 0, NULL, NULL) ==
			     CL_SUCCESS && task_agrees(t, i, found, text, size);
		free(found);
		clReleaseMemObject(memory[i]);
	}
	return ok;
}

static unsigned run_kernel(const char *folder, const struct textbook *k)
{
	cl_program p = build(folder, k->name);
	cl_int e = CL_SUCCESS;
	cl_kernel kernel = p ? clCreateKernel(p, k->name, &e) : NULL;
	unsigned failed = 0;

	if (!p || e != CL_SUCCESS) {
		printf("%s: no such kernel\n", k->name);
		return 1;
	}
	for (unsigned s = 0; s < SHAPES_MAX && k->shape[s].groups[0]; s++) {
		struct task t;
		char text[400] = "";
		task_begin(&t, k, &k->shape[s]);
		if (!run_task(kernel, &t, text, sizeof text)) {
			printf("%s shape %u: %s\n", k->name, s, text);
			failed++;
		}
		fflush(stdout);
		task_end(&t);
	}
	clReleaseKernel(kernel);
	clReleaseProgram(p);
	return failed;
}

int main(int argc, char **argv)
{
	unsigned ran = 0, failed = 0;

	if (argc < 2 || !open_device()) {
		printf("skipped: no OpenCL device\n");
		return 77;
	}
	for (unsigned t = 0; themes[t]; t++)
		for (const struct textbook *k = themes[t]; k->name; k++) {
			bool wanted = argc == 2;
			for (int i = 2; i < argc; i++)
				wanted = wanted || !strcmp(argv[i], k->name);
			if (!wanted)
				continue;
			ran++;
			failed += run_kernel(argv[1], k);
		}
	printf("%u passed, %u failed\n", ran - failed, failed);
	return failed || !ran ? 1 : 0;
}
