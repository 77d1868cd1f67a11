/* What tests of the OpenCL platform share: a context, a queue and a program on one device. */
#ifndef WB_TESTS_OPENCL_PLATFORM_PROGRAM_H
#define WB_TESTS_OPENCL_PLATFORM_PROGRAM_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct setup {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
};

static inline cl_device_id device_called(cl_platform_id platform, const char *name)
{
	cl_device_id all[16];
	char found[32];
	cl_uint n;

	assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 16, all, &n), CL_SUCCESS);
	for (cl_uint i = 0; i < n; i++) {
		assert_int_equal(clGetDeviceInfo(all[i], CL_DEVICE_NAME, sizeof found, found, NULL), CL_SUCCESS);
		if (!strcmp(found, name))
			return all[i];
	}
	fail_msg("no device %s", name);
	return NULL;
}

/* Skips the test where no compiler or no built-in functions are there. */
static inline struct setup set_up(const char *chip, cl_command_queue_properties properties, const char *source,
				  const char *options)
{
	struct setup s = { 0 };
	char log[4096] = "";
	cl_int error;

	assert_int_equal(clGetPlatformIDs(1, &s.platform, NULL), CL_SUCCESS);
	s.device = device_called(s.platform, chip);
	s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &error);
	assert_int_equal(error, CL_SUCCESS);
	s.queue = clCreateCommandQueue(s.context, s.device, properties, &error);
	assert_int_equal(error, CL_SUCCESS);
	s.program = clCreateProgramWithSource(s.context, 1, &source, NULL, &error);
	assert_int_equal(error, CL_SUCCESS);
	error = clBuildProgram(s.program, 0, NULL, options, NULL, NULL);
	if (error == CL_COMPILER_NOT_AVAILABLE)
		skip();
	clGetProgramBuildInfo(s.program, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
	if (error)
		fail_msg("%s: error %d, log \"%s\"", chip, error, log);
	return s;
}

static inline void tear_down(struct setup *s)
{
	assert_int_equal(clFinish(s->queue), CL_SUCCESS);
	assert_int_equal(clReleaseProgram(s->program), CL_SUCCESS);
	assert_int_equal(clReleaseCommandQueue(s->queue), CL_SUCCESS);
	assert_int_equal(clReleaseContext(s->context), CL_SUCCESS);
}

#define OK(call) assert_int_equal(call, CL_SUCCESS)

#endif
