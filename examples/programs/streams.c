/* Two queues whose work meets in a third launch: events say what waits for what, and when it ran. */
#include "open.h"

enum { N = 1024, BLOCK = 64 };

static cl_ulong moment(cl_event e, cl_profiling_info which)
{
	cl_ulong t;
	OK(clGetEventProfilingInfo(e, which, sizeof t, &t, NULL));
	return t;
}

static void CL_CALLBACK count(cl_event e, cl_int status, void *times)
{
	(void)e;
	*(int *)times += status == CL_COMPLETE;
}

int main(int argc, char **argv)
{
	static cl_uint data[2][N], result[N];
	const size_t global = N, local = BLOCK;
	cl_mem part[2], on_result;
	cl_event written[2], squared[2], summed, read;
	cl_int error;
	int good = 1, called = 0;

	(void)argc;
	for (cl_uint i = 0; i < N; i++) {
		data[0][i] = i;
		data[1][i] = 2 * i + 1;
	}
	open_all(argv[0], "streams.cl");
	cl_command_queue other = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
	OK(error);
	cl_command_queue stream[2] = { queue, other };
	cl_kernel square = kernel("square"), sum = kernel("sum");
	on_result = buffer(sizeof result, NULL);
	for (int i = 0; i < 2; i++) {
		part[i] = buffer(sizeof data[i], NULL);
		OK(clEnqueueWriteBuffer(stream[i], part[i], CL_FALSE, 0, sizeof data[i], data[i], 0, NULL,
					&written[i]));
		ARG(square, 0, part[i]);
		OK(clEnqueueNDRangeKernel(stream[i], square, 1, NULL, &global, &local, 1, &written[i], &squared[i]));
		ARG(sum, (cl_uint)i, part[i]);
	}
	ARG(sum, 2, on_result);
	OK(clEnqueueNDRangeKernel(other, sum, 1, NULL, &global, &local, 2, squared, &summed));
	OK(clSetEventCallback(summed, CL_COMPLETE, count, &called));
	OK(clEnqueueReadBuffer(queue, on_result, CL_FALSE, 0, sizeof result, result, 1, &summed, &read));
	OK(clFlush(queue));
	OK(clFlush(other));
	OK(clWaitForEvents(1, &read));
	OK(clFinish(other));
	for (cl_uint i = 0; i < N; i++)
		good &= result[i] == data[0][i] * data[0][i] + data[1][i] * data[1][i];
	good &= moment(summed, CL_PROFILING_COMMAND_START) < moment(summed, CL_PROFILING_COMMAND_END);
	for (int i = 0; i < 2; i++) {
		good &= moment(squared[i], CL_PROFILING_COMMAND_END) <= moment(summed, CL_PROFILING_COMMAND_START);
		OK(clReleaseEvent(written[i]));
		OK(clReleaseEvent(squared[i]));
		OK(clReleaseMemObject(part[i]));
	}
	OK(clReleaseEvent(summed));
	OK(clReleaseEvent(read));
	OK(clReleaseMemObject(on_result));
	OK(clReleaseKernel(square));
	OK(clReleaseKernel(sum));
	OK(clReleaseCommandQueue(other));
	close_all();
	return verdict(good && called == 1, "streams and events");
}
