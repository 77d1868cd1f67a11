/* Host programs through libOpenCL: memory, launches, events, order, times, builds, on a chip of each machine. */
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/opencl_platform/program.h"

static const char source[] =
	"__kernel void scale(__global int *a, int by) { size_t i = get_global_id(0); a[i] = a[i] * by; }\n"
	"__kernel void turn(__global int *a, __local int *t) {\n"
	"  size_t i = get_local_id(0), n = get_local_size(0);\n"
	"  t[i] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[n - 1 - i]; }\n"
	"__kernel void where(__global int *a) {\n"
	"  a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_group_id(1) * 100 + get_local_id(0); }\n"
	"__kernel void far(__global int *a) { a[1 << 28] = 1; }\n";
static const char *const chips[] = { "gfx900", "g200" };
enum { N = 256 };
static const size_t all = N, group = 64;

static cl_mem ramp(const struct setup *s)
{
	int bytes[N];
	cl_int error;

	for (int i = 0; i < N; i++)
		bytes[i] = i;
	cl_mem m = clCreateBuffer(s->context, CL_MEM_COPY_HOST_PTR, sizeof bytes, bytes, &error);
	OK(error);
	return m;
}

static cl_kernel kernel(const struct setup *s, const char *name)
{
	cl_int error;
	cl_kernel k = clCreateKernel(s->program, name, &error);

	OK(error);
	return k;
}

static cl_kernel scale(const struct setup *s, cl_mem m, int by)
{
	cl_kernel k = kernel(s, "scale");

	OK(clSetKernelArg(k, 0, sizeof m, &m));
	OK(clSetKernelArg(k, 1, sizeof by, &by));
	return k;
}

static void expect(const struct setup *s, cl_mem m, int by)
{
	int found[N];

	OK(clEnqueueReadBuffer(s->queue, m, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
	for (int i = 0; i < N; i++)
		assert_int_equal(found[i], i * by);
}

static void kernels_have_arguments_and_local_memory(void **state)
{
	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		struct setup s = set_up(chips[c], 0, source, NULL);
		cl_mem m = ramp(&s);
		cl_kernel k = scale(&s, m, 3), t = kernel(&s, "turn");
		OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &group, 0, NULL, NULL));
		expect(&s, m, 3);
		OK(clSetKernelArg(t, 0, sizeof m, &m));
		OK(clSetKernelArg(t, 1, group * sizeof(int), NULL));
		for (int i = 0; i < 2; i++)
			OK(clEnqueueNDRangeKernel(s.queue, t, 1, NULL, &all, &group, 0, NULL, NULL));
		expect(&s, m, 3);
		OK(clReleaseKernel(k));
		OK(clReleaseKernel(t));
		OK(clReleaseMemObject(m));
		tear_down(&s);
	}
}

/* Kernels read what the program writes to mapped memory, and the program what kernels write: sizes within a page of
 * 64 KiB, across two pages, of several pages, and a part of a buffer. */
static void mapped_memory_is_the_kernels(void **state)
{
	static const size_t sizes[] = { 1024, 70144, 1 << 18, 1024 };
	for (unsigned c = 0; c < 2 * sizeof sizes / sizeof *sizes; c++) {
		struct setup s = set_up(chips[c % 2], 0, source, NULL);
		size_t n = sizes[c / 2], numbers = n / 4, first = numbers - N;
		int part = c / 2 == 3;
		cl_int error;
		cl_mem small = clCreateBuffer(s.context, 0, 300, NULL, &error), m;
		OK(error);
		m = clCreateBuffer(s.context, 0, part ? 1 << 17 : n, NULL, &error);
		OK(error);
		const cl_buffer_region r = { 65536 - 512, n };
		cl_mem seen = part ? clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &error) : m;
		OK(error);
		cl_map_flags write = c % 2 ? CL_MAP_WRITE : CL_MAP_WRITE_INVALIDATE_REGION;
		int *p = clEnqueueMapBuffer(s.queue, seen, CL_TRUE, write, 4 * first, 4 * N, 0, NULL, NULL, &error);
		OK(error);
		for (int i = 0; i < N; i++)
			p[i] = i;
		OK(clEnqueueUnmapMemObject(s.queue, seen, p, 0, NULL, NULL));
		cl_kernel k = scale(&s, seen, 5);
		OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &numbers, &group, 0, NULL, NULL));
		p = clEnqueueMapBuffer(s.queue, seen, CL_TRUE, CL_MAP_READ, 4 * first, 4 * N, 0, NULL, NULL, &error);
		OK(error);
		for (int i = 0; i < N; i++)
			assert_int_equal(p[i], 5 * i);
		OK(clEnqueueUnmapMemObject(s.queue, seen, p, 0, NULL, NULL));
		OK(clReleaseKernel(k));
		OK(part ? clReleaseMemObject(seen) : CL_SUCCESS);
		OK(clReleaseMemObject(m));
		OK(clReleaseMemObject(small));
		tear_down(&s);
	}
}

static void a_group_size_is_chosen(void **state)
{
	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		struct setup s = set_up(chips[c], 0, source, NULL);
		cl_mem m = ramp(&s);
		cl_kernel k = kernel(&s, "where");
		const size_t range[3] = { 12, 20, 3 };  /* a grid of Tesla has two dimensions */
		int found[12 * 20];
		OK(clSetKernelArg(k, 0, sizeof m, &m));
		OK(clEnqueueNDRangeKernel(s.queue, k, 2, NULL, range, NULL, 0, NULL, NULL));
		OK(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
		for (int i = 0; i < 12 * 20; i++)
			assert_int_equal(found[i] % 100, i % 12);
		OK(clEnqueueNDRangeKernel(s.queue, k, 3, NULL, range, NULL, 0, NULL, NULL));
		OK(clFinish(s.queue));
		OK(clReleaseKernel(k));
		OK(clReleaseMemObject(m));
		tear_down(&s);
	}
}

/* A dispatch of GCN counts threads in 32 bits: more than 65,535 groups are no bound. */
static void grids_are_wide(void **state)
{
	enum { GROUPS = 70000 };
	struct setup s = set_up("gfx900", 0, source, NULL);
	const size_t range = GROUPS, one = 1;
	const int three = 3;
	cl_mem m = clCreateBuffer(s.context, 0, GROUPS * sizeof(int), NULL, NULL);
	cl_kernel k = scale(&s, m, 5);
	int found;

	OK(clEnqueueFillBuffer(s.queue, m, &three, sizeof three, 0, GROUPS * sizeof(int), 0, NULL, NULL));
	OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &range, &one, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(s.queue, m, CL_TRUE, (GROUPS - 1) * sizeof found, sizeof found, &found, 0, NULL, NULL));
	assert_int_equal(found, 15);
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(m));
	tear_down(&s);
}

/* A user event holds up a queue in order; out of order, commands pass the one that waits. */
static void commands_wait_for_events(void **state)
{
	for (int free_order = 0; free_order < 2; free_order++) {
		struct setup s = set_up("gfx900", free_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, source,
					NULL);
		cl_mem m = ramp(&s), other = ramp(&s);
		cl_kernel k = scale(&s, m, 2), l = scale(&s, other, 5);
		cl_event gate = clCreateUserEvent(s.context, NULL), held, passed;
		cl_int status;
		OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &group, 1, &gate, &held));
		OK(clEnqueueNDRangeKernel(s.queue, l, 1, NULL, &all, &group, 0, NULL, &passed));
		OK(clGetEventInfo(passed, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
		assert_int_equal(status, free_order ? CL_COMPLETE : CL_QUEUED);
		/* the arguments are those of the time of the call */
		OK(clSetKernelArg(k, 1, sizeof status, &status));
		OK(clSetUserEventStatus(gate, CL_COMPLETE));
		OK(clWaitForEvents(1, &held));
		expect(&s, m, 2);
		expect(&s, other, 5);
		OK(clReleaseEvent(gate));
		OK(clReleaseEvent(held));
		OK(clReleaseEvent(passed));
		OK(clReleaseKernel(k));
		OK(clReleaseKernel(l));
		OK(clReleaseMemObject(m));
		OK(clReleaseMemObject(other));
		tear_down(&s);
	}
}

static void errors_go_from_event_to_event(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_mem m = ramp(&s);
	cl_kernel k = scale(&s, m, 2);
	cl_event gate = clCreateUserEvent(s.context, NULL), held;
	cl_int status;

	OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &group, 1, &gate, &held));
	OK(clSetUserEventStatus(gate, -7));
	assert_int_equal(clWaitForEvents(1, &held), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	OK(clGetEventInfo(held, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
	assert_true(status < 0);
	OK(clFinish(s.queue));
	expect(&s, m, 1);
	OK(clReleaseEvent(gate));
	OK(clReleaseEvent(held));
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(m));
	tear_down(&s);
}

static void a_fault_is_an_error(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_mem m = ramp(&s);
	cl_kernel k = kernel(&s, "far");
	const size_t one = 1;

	OK(clSetKernelArg(k, 0, sizeof m, &m));
	assert_int_equal(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &one, &one, 0, NULL, NULL), CL_OUT_OF_RESOURCES);
	assert_int_equal(clFinish(s.queue), CL_OUT_OF_RESOURCES);
	expect(&s, m, 1);
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(m));
	tear_down(&s);
}

static void times_ascend(void **state)
{
	struct setup s = set_up("gfx900", CL_QUEUE_PROFILING_ENABLE, source, NULL);
	cl_mem m = ramp(&s);
	cl_kernel k = scale(&s, m, 1);
	cl_ulong before = 1, time;

	for (int i = 0; i < 4; i++) {
		cl_event e;
		if (i & 1)
			OK(clEnqueueFillBuffer(s.queue, m, &i, 4, 0, 64, 0, NULL, &e));
		else
			OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &group, 0, NULL, &e));
		for (cl_profiling_info p = CL_PROFILING_COMMAND_QUEUED; p <= CL_PROFILING_COMMAND_END; p++) {
			OK(clGetEventProfilingInfo(e, p, sizeof time, &time, NULL));
			assert_true(time >= before + (p == CL_PROFILING_COMMAND_END));
			before = time;
		}
		OK(clReleaseEvent(e));
	}
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(m));
	tear_down(&s);
}

/* ---- memory ---- */

static void boxes_move(void **state)
{
	enum { ROW = 16, ROWS = N / ROW };
	struct setup s = set_up("gfx900", 0, source, NULL);
	const size_t from[3] = { 4 * 4, 2, 0 }, to[3] = { 0 }, region[3] = { 3 * 4, 5, 1 };
	const int seven = 7;
	cl_mem m = ramp(&s), copy = ramp(&s);
	int found[N] = { 0 };

	OK(clEnqueueReadBufferRect(s.queue, m, CL_TRUE, from, to, region, ROW * 4, 0, 0, 0, found, 0, NULL, NULL));
	for (int y = 0; y < 5; y++)
		for (int x = 0; x < 3; x++)
			assert_int_equal(found[y * 3 + x], (y + 2) * ROW + x + 4);
	OK(clEnqueueCopyBufferRect(s.queue, m, copy, from, to, region, ROW * 4, 0, ROW * 4, 0, 0, NULL, NULL));
	OK(clEnqueueFillBuffer(s.queue, copy, &seven, sizeof seven, ROW * 8, ROW * 4, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(s.queue, copy, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
	for (int y = 0; y < ROWS; y++)
		for (int x = 0; x < ROW; x++)
			assert_int_equal(found[y * ROW + x], y == 2 ? seven : y < 5 && x < 3 ?
					 (y + 2) * ROW + x + 4 : y * ROW + x);
	OK(clReleaseMemObject(m));
	OK(clReleaseMemObject(copy));
	tear_down(&s);
}

static void mapped_bytes_come_back(void **state)
{
	static int own[N];
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_int error;

	for (int i = 0; i < N; i++)
		own[i] = i;
	for (int uses = 0; uses < 2; uses++) {
		cl_mem m = uses ? clCreateBuffer(s.context, CL_MEM_USE_HOST_PTR, sizeof own, own, NULL) : ramp(&s);
		cl_kernel k = scale(&s, m, 2);
		int *p = clEnqueueMapBuffer(s.queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 4, 8, 0, NULL, NULL,
					    &error);
		OK(error);
		assert_int_equal(p[0], 1);
		assert_true(!uses || p == own + 1);
		p[0] = 50;
		OK(clEnqueueUnmapMemObject(s.queue, m, p, 0, NULL, NULL));
		assert_int_equal(clEnqueueUnmapMemObject(s.queue, m, p, 0, NULL, NULL), CL_INVALID_VALUE);
		OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &group, 0, NULL, NULL));
		p = clEnqueueMapBuffer(s.queue, m, CL_TRUE, CL_MAP_READ, 0, sizeof own, 0, NULL, NULL, &error);
		OK(error);
		assert_int_equal(p[1], 100);
		assert_int_equal(p[2], 4);
		OK(clEnqueueUnmapMemObject(s.queue, m, p, 0, NULL, NULL));
		OK(clReleaseKernel(k));
		OK(clReleaseMemObject(m));
	}
	tear_down(&s);
}

static void parts_are_the_buffer(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_mem m = ramp(&s);
	const cl_buffer_region second = { 128, 128 };
	cl_int error;
	cl_mem part = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, &error);
	cl_kernel k = scale(&s, part, 9);
	const size_t n = 32;
	int found[N];

	OK(error);
	OK(clReleaseMemObject(m));              /* the part keeps the buffer */
	OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &n, NULL, 0, NULL, NULL));
	OK(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
	for (int i = 0; i < N; i++)
		assert_int_equal(found[i], i >= 32 && i < 64 ? 9 * i : i);
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(part));
	tear_down(&s);
}

static void buffers_go_from_device_to_device(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_device_id devices[2] = { s.device, device_called(s.platform, "g200") };
	const char *text = source;
	cl_int error;
	struct setup both = { .context = clCreateContext(NULL, 2, devices, NULL, NULL, &error) };

	OK(error);
	both.program = clCreateProgramWithSource(both.context, 1, &text, NULL, NULL);
	OK(clBuildProgram(both.program, 0, NULL, NULL, NULL, NULL));
	cl_mem m = ramp(&both);
	cl_kernel k = scale(&both, m, 2);
	for (int i = 0; i < 4; i++) {
		cl_command_queue q = clCreateCommandQueue(both.context, devices[i % 2], 0, &error);
		OK(error);
		OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &all, &group, 0, NULL, NULL));
		both.queue = q;
		expect(&both, m, 2 << i);
		OK(clReleaseCommandQueue(q));
	}
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(m));
	OK(clReleaseProgram(both.program));
	OK(clReleaseContext(both.context));
	tear_down(&s);
}

/* ---- callbacks, native kernels, threads, forks ---- */

static int called[3];

static void CL_CALLBACK note(cl_event e, cl_int status, void *context)
{
	cl_context c;

	(void)e, (void)context;
	called[status == CL_COMPLETE ? 0 : 1]++;
	assert_int_equal(clGetEventInfo(e, CL_EVENT_CONTEXT, sizeof c, &c, NULL), CL_SUCCESS);
}

static void CL_CALLBACK gone(cl_mem m, void *context)
{
	(void)m;
	called[2] = called[2] * 10 + *(int *)context;
}

static void callbacks_are_called(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_mem m = ramp(&s);
	static int first = 1, second = 2;
	cl_event gate = clCreateUserEvent(s.context, NULL), e;

	memset(called, 0, sizeof called);
	OK(clSetMemObjectDestructorCallback(m, gone, &first));
	OK(clSetMemObjectDestructorCallback(m, gone, &second));
	OK(clEnqueueMarkerWithWaitList(s.queue, 1, &gate, &e));
	OK(clSetEventCallback(e, CL_COMPLETE, note, NULL));
	OK(clSetEventCallback(e, CL_RUNNING, note, NULL));
	assert_int_equal(called[0] + called[1], 0);
	OK(clSetUserEventStatus(gate, CL_COMPLETE));
	assert_int_equal(called[0], 1);
	assert_int_equal(called[1], 1);
	OK(clReleaseMemObject(m));
	assert_int_equal(called[2], 21);        /* the latest first */
	OK(clReleaseEvent(gate));
	OK(clReleaseEvent(e));
	tear_down(&s);
}

static void CL_CALLBACK add_one(void *arguments)
{
	int *a;

	memcpy(&a, arguments, sizeof a);
	for (int i = 0; i < N; i++)
		a[i] *= 4;
}

static void native_kernels_run_here(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_mem m = ramp(&s);
	void *arguments[1] = { NULL };
	const void *places[1] = { arguments };

	OK(clEnqueueNativeKernel(s.queue, add_one, arguments, sizeof arguments, 1, &m, places, 0, NULL, NULL));
	expect(&s, m, 4);
	OK(clReleaseMemObject(m));
	tear_down(&s);
}

static void *launch_often(void *context)
{
	const struct setup *s = context;
	cl_mem m = ramp(s);
	cl_kernel k = scale(s, m, -1);

	for (int i = 0; i < 20; i++)
		OK(clEnqueueNDRangeKernel(s->queue, k, 1, NULL, &all, &group, 0, NULL, NULL));
	expect(s, m, 1);
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(m));
	return NULL;
}

static void threads_share_a_queue(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, launch_often, &s), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	tear_down(&s);
}

/* A thread that waits is woken by the event of another. */
static void *set_later(void *gate)
{
	usleep(20000);
	OK(clSetUserEventStatus(gate, CL_COMPLETE));
	return NULL;
}

static void finishing_waits(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_event gate = clCreateUserEvent(s.context, NULL);
	pthread_t thread;

	OK(clEnqueueMarkerWithWaitList(s.queue, 1, &gate, NULL));
	pthread_create(&thread, NULL, set_later, gate);
	OK(clFinish(s.queue));
	pthread_join(thread, NULL);
	OK(clReleaseEvent(gate));
	tear_down(&s);
}

static void CL_CALLBACK leave(cl_event e, cl_int status, void *context)
{
	(void)e, (void)status, (void)context;
	exit(9);
}

static void children_have_errors_and_callbacks_may_exit(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	int status;
	pid_t child = fork();

	if (!child) {
		cl_uint n;
		_exit(clGetPlatformIDs(0, NULL, &n) < 0 && clFinish(s.queue) < 0 ? 7 : 0);
	}
	waitpid(child, &status, 0);
	assert_int_equal(WEXITSTATUS(status), 7);
	tear_down(&s);
	if (!(child = fork())) {
		execl("/proc/self/exe", "test", "exit", NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	assert_int_equal(WEXITSTATUS(status), 9);
}

static int exit_in_callback(void)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_event e;

	clGetPlatformIDs(1, &platform, NULL);
	clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL);
	cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	cl_command_queue q = clCreateCommandQueue(c, device, 0, NULL);
	clEnqueueMarkerWithWaitList(q, 0, NULL, &e);
	clSetEventCallback(e, CL_COMPLETE, leave, NULL);
	return 1;
}

/* ---- building ---- */

static void binaries_are_programs(void **state)
{
	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		struct setup s = set_up(chips[c], 0, source, NULL), again = s;
		size_t bytes;
		cl_int status, error;
		OK(clGetProgramInfo(s.program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
		unsigned char *binary = malloc(bytes);
		OK(clGetProgramInfo(s.program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
		const unsigned char *given = binary;
		again.program = clCreateProgramWithBinary(s.context, 1, &s.device, &bytes, &given, &status, &error);
		OK(error);
		OK(status);
		cl_program_binary_type type;
		OK(clGetProgramBuildInfo(again.program, s.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
		assert_int_equal(type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
		OK(clBuildProgram(again.program, 0, NULL, NULL, NULL, NULL));
		cl_mem m = ramp(&s);
		cl_kernel k = scale(&again, m, 6);
		OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &group, 0, NULL, NULL));
		expect(&s, m, 6);
		OK(clReleaseKernel(k));
		OK(clReleaseMemObject(m));
		OK(clReleaseProgram(again.program));
		for (size_t n = 1; n < bytes; n += 1 + bytes / 50) {     /* cut short */
			cl_program p = clCreateProgramWithBinary(s.context, 1, &s.device, &n, &given, NULL, &error);
			assert_true(!p && error == CL_INVALID_BINARY);
		}
		free(binary);
		tear_down(&s);
	}
}

/* Calls of other sources' functions and kernels: errors where linking finds none. */
static void programs_are_linked(void **state)
{
	enum { PARTS = 3 };
	static const char *const parts[PARTS] = { "#include \"by.h\"\nint twice(int x) { return BY * x; }\n",
		("int twice(int x);\n__kernel void run(__global int *a) { a[get_global_id(0)] = "
		 "twice(a[get_global_id(0)]); }\n"),
		"extern __kernel void run(__global int *a);\n__kernel void again(__global int *a) { run(a); }\n" };
	static const char *header = "#define BY 2\n", *name = "by.h";

	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		struct setup s = set_up(chips[c], 0, source, NULL);
		cl_program h = clCreateProgramWithSource(s.context, 1, &header, NULL, NULL), p[PARTS];
		cl_int error;
		for (int i = 0; i < PARTS; i++) {
			p[i] = clCreateProgramWithSource(s.context, 1, (const char **)(uintptr_t)&parts[i], NULL, NULL);
			OK(clCompileProgram(p[i], 0, NULL, NULL, !i, i ? NULL : &h, i ? NULL : &name, NULL, NULL));
		}
		cl_program open = clLinkProgram(s.context, 0, NULL, NULL, 1, &p[2], NULL, NULL, &error);
		assert_int_equal(error, CL_LINK_PROGRAM_FAILURE);
		const cl_program turned[PARTS] = { p[2], p[1], p[0] };  /* a call before the kernel that is called */
		cl_program whole = clLinkProgram(s.context, 0, NULL, NULL, PARTS, turned, NULL, NULL, &error);
		OK(error);
		cl_mem m = ramp(&s);
		for (int i = 0; i < 2; i++) {
			cl_kernel k = clCreateKernel(whole, i ? "again" : "run", &error);
			OK(error);
			OK(clSetKernelArg(k, 0, sizeof m, &m));
			OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, NULL, 0, NULL, NULL));
			OK(clReleaseKernel(k));
		}
		expect(&s, m, 4);
		OK(clReleaseMemObject(m));
		OK(clReleaseProgram(whole));
		OK(clReleaseProgram(open));
		for (int i = 0; i < PARTS; i++)
			OK(clReleaseProgram(p[i]));
		OK(clReleaseProgram(h));
		tear_down(&s);
	}
}

static cl_program compiled(const struct setup *s, const char *text)
{
	cl_program p = clCreateProgramWithSource(s->context, 1, &text, NULL, NULL);

	OK(clCompileProgram(p, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
	return p;
}

/* The program as clCreateProgramWithBinary makes it of the program's binary, which is of that type. */
static cl_program again_from_binary(const struct setup *s, cl_program p, cl_program_binary_type wanted)
{
	cl_program_binary_type type;
	size_t bytes;
	cl_int error;

	OK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
	unsigned char *binary = malloc(bytes);
	const unsigned char *given = binary;
	OK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
	cl_program q = clCreateProgramWithBinary(s->context, 1, &s->device, &bytes, &given, NULL, &error);
	OK(error);
	OK(clGetProgramBuildInfo(q, s->device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
	assert_int_equal(type, wanted);
	free(binary);
	OK(clReleaseProgram(p));
	return q;
}

/* Macros, types and static names of a source are the source's own. Two sources become a library, which is linked with a
 * third, all as binaries. A name that two sources define is an error with a log. */
static void linked_sources_are_apart(void **state)
{
	static const char *const parts[] = {
		"#define BY 2\nstruct pair { int a, b; };\nstatic int own(int x) { return BY * x; }\n"
		"__constant int table[2] = { 0, 1 };\n"
		"int first(struct pair *p) { return own(p->a) + table[p->b]; }\n",
		"#ifdef BY\n#error BY is of another source\n#endif\nstatic int own(int x) { return x + 1; }\n"
		"int second(int x) { return own(x) - 1; }\n",
		"struct pair { int a, b; };\nint first(struct pair *p);\nint second(int x);\n"
		"static int own(int x) { return x / 2; }\n__kernel void run(__global int *a)\n"
		"{ struct pair p = { a[get_global_id(0)], 0 }; a[get_global_id(0)] = own(second(first(&p))) * 2; }\n",
	};

	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		struct setup s = set_up(chips[c], 0, source, NULL);
		cl_program p[3], pair[2];
		char log[4000] = "";
		cl_int error;
		for (int i = 0; i < 3; i++)
			p[i] = again_from_binary(&s, compiled(&s, parts[i]), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
		cl_program library = clLinkProgram(s.context, 0, NULL, "-create-library", 2, p, NULL, NULL, &error);
		OK(error);
		library = again_from_binary(&s, library, CL_PROGRAM_BINARY_TYPE_LIBRARY);
		pair[0] = p[2];
		pair[1] = library;
		cl_program whole = clLinkProgram(s.context, 0, NULL, NULL, 2, pair, NULL, NULL, &error);
		OK(error);
		cl_mem m = ramp(&s);
		cl_kernel k = clCreateKernel(whole, "run", &error);
		OK(error);
		OK(clSetKernelArg(k, 0, sizeof m, &m));
		OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, NULL, 0, NULL, NULL));
		expect(&s, m, 2);
		pair[0] = p[0];
		cl_program twice = clLinkProgram(s.context, 0, NULL, NULL, 2, pair, NULL, NULL, &error);
		assert_int_equal(error, CL_LINK_PROGRAM_FAILURE);
		OK(clGetProgramBuildInfo(twice, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
		assert_non_null(strstr(log, "multiply defined"));
		OK(clReleaseKernel(k));
		OK(clReleaseMemObject(m));
		OK(clReleaseProgram(twice));
		OK(clReleaseProgram(whole));
		OK(clReleaseProgram(library));
		for (int i = 0; i < 3; i++)
			OK(clReleaseProgram(p[i]));
		tear_down(&s);
	}
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* Headers are read when a program is compiled, and may be gone when the program is linked. Here a header of -I and the
 * header beside include one another. */
static void headers_are_read_once(void **state)
{
	static const char *text = "#include \"sub/a.h\"\n#include <sub/a.h>\n__kernel void run(__global int *a)\n"
				  "{ a[get_global_id(0)] *= A + B; }\n";
	char folder[] = "headers-XXXXXX", option[40], path[2][40];
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_program p = clCreateProgramWithSource(s.context, 1, &text, NULL, NULL);
	cl_int error;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(option, sizeof option, "-I %s", folder);
	snprintf(path[0], sizeof path[0], "%s/sub", folder);
	assert_int_equal(mkdir(path[0], 0700), 0);
	for (int i = 0; i < 2; i++)
		snprintf(path[i], sizeof path[i], "%s/sub/%c.h", folder, 'a' + i);
	write_text(path[0], "#ifndef A\n#define A 1\n#include \"b.h\"\n#endif\n");
	write_text(path[1], "#ifndef B\n#define B 2\n#include \"a.h\"\n#endif\n");
	OK(clCompileProgram(p, 0, NULL, option, 0, NULL, NULL, NULL, NULL));
	for (int i = 0; i < 2; i++)
		assert_int_equal(remove(path[i]), 0);
	*strrchr(path[0], '/') = '\0';
	assert_int_equal(remove(path[0]), 0);
	assert_int_equal(remove(folder), 0);
	cl_program whole = clLinkProgram(s.context, 0, NULL, NULL, 1, &p, NULL, NULL, &error);
	OK(error);
	cl_mem m = ramp(&s);
	cl_kernel k = clCreateKernel(whole, "run", &error);
	OK(error);
	OK(clSetKernelArg(k, 0, sizeof m, &m));
	OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, NULL, 0, NULL, NULL));
	expect(&s, m, 3);
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(m));
	OK(clReleaseProgram(whole));
	OK(clReleaseProgram(p));
	tear_down(&s);
}

static void build_options_are_obeyed(void **state)
{
	static const char *text = "#if X != 3\n#error X\n#endif\n__kernel void k(__global int *a) { *a = Y Z; }\n",
		*bad = "__kernel void k(__global int *a) { *a = nothing; }\n";
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_program p = clCreateProgramWithSource(s.context, 1, &text, NULL, NULL);
	cl_program q = clCreateProgramWithSource(s.context, 1, &bad, NULL, NULL);
	char log[2000];
	cl_build_status status;

	OK(clBuildProgram(p, 0, NULL, "-D X=3 -DY=1 '-D' \"Z=+ 2\" -cl-mad-enable -cl-nv-verbose -w -I . "
			  "-cl-nv-opt-level=3 -cl-fast-relaxed-math -cl-std=CL1.1", NULL, NULL));
	assert_int_equal(clBuildProgram(p, 0, NULL, "-bogus", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
	assert_int_equal(clBuildProgram(q, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
	OK(clGetProgramBuildInfo(q, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
	assert_non_null(strstr(log, "nothing"));
	OK(clGetProgramBuildInfo(q, s.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
	assert_int_equal(status, CL_BUILD_ERROR);
	OK(clReleaseProgram(p));
	OK(clReleaseProgram(q));
	tear_down(&s);
}

/* A program sees the extensions of the device, not those of the compiler's kind of machine. */
static void extensions_are_the_chips(void **state)
{
	static const struct { const char *chip, *options; } cases[] = {
		{ "g80", "-DDOUBLES=0 -DATOMICS=0" }, { "g84", "-DDOUBLES=0 -DATOMICS=1" },
		{ "g200", "-DDOUBLES=1 -DATOMICS=1" }, { "gfx900", "-DDOUBLES=1 -DATOMICS=1" },
	};
	static const char text[] = "#if defined(cl_khr_fp64) != DOUBLES\n#error doubles\n#endif\n"
		"#if defined(cl_khr_global_int32_base_atomics) != ATOMICS\n#error atomics\n#endif\n"
		"__kernel void k(__global int *a) { *a = __LINE__; }\n";

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct setup s = set_up(cases[i].chip, 0, text, cases[i].options);
		cl_mem m = ramp(&s);
		cl_kernel k = kernel(&s, "k");
		int found;
		OK(clSetKernelArg(k, 0, sizeof m, &m));
		OK(clEnqueueTask(s.queue, k, 0, NULL, NULL));
		OK(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
		assert_int_equal(found, 7);
		OK(clReleaseKernel(k));
		OK(clReleaseMemObject(m));
		tear_down(&s);
	}
}

/* Four bytes of which one to three are behind the end of a page of the emulator's memory. Of some buffers, the pages do
 * not lie side by side in the host's memory. */
static void elements_lie_in_two_pages(void **state)
{
	enum { BUFFERS = 16, BYTES = 49152, NEAR = 8 };
	static const char text[] =
		"typedef struct __attribute__((packed)) { uint word; } part;\n"
		"__kernel void k(__global uchar *a, __global uint *out) {\n"
		"  uint end = 65536 - ((size_t)a & 65535), i = get_global_id(0);\n"
		"  if (end < 8 || end > 49144) return;\n"
		"  out[8] = end; out[i] = ((__global part *)(a + end - 8 + i))->word;\n"
		"  if (i == 5) ((__global part *)(a + end - 3))->word = 0x44332211; }\n";
	struct setup s = set_up("gfx900", 0, text, NULL);
	const size_t near = NEAR;
	static uint8_t bytes[BYTES], after[BYTES];
	unsigned crossed = 0;

	for (int i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(i % 251);
	cl_kernel k = kernel(&s, "k");
	cl_mem m[BUFFERS], to = clCreateBuffer(s.context, 0, 64, NULL, NULL);
	OK(clSetKernelArg(k, 1, sizeof to, &to));
	for (int n = 0; n < BUFFERS; n++) {
		uint32_t found[NEAR + 1] = { 0 };
		m[n] = clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, BYTES, bytes, NULL);
		OK(clEnqueueWriteBuffer(s.queue, to, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
		OK(clSetKernelArg(k, 0, sizeof m[n], &m[n]));
		OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &near, &near, 0, NULL, NULL));
		OK(clEnqueueReadBuffer(s.queue, to, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
		uint32_t end = found[NEAR];
		for (unsigned i = 0; end && i < 5; i++)
			assert_memory_equal(&found[i], bytes + end - NEAR + i, 4);
		OK(clEnqueueReadBuffer(s.queue, m[n], CL_TRUE, 0, BYTES, after, 0, NULL, NULL));
		if (end)
			assert_memory_equal(after + end - 3, "\x11\x22\x33\x44", 4);
		crossed += end > 0;
	}
	assert_true(crossed > BUFFERS / 4);
	for (int n = 0; n < BUFFERS; n++)
		OK(clReleaseMemObject(m[n]));
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(to));
	tear_down(&s);
}

/* get_work_dim is the number that the host gives, whatever the sizes; on Tesla, which is not told the number, sizes of
 * 1 at the end do not count. */
static void dimensions_are_the_hosts(void **state)
{
	static const char text[] = "__kernel void k(__global uint *a) { a[get_global_id(0)] = get_work_dim(); }\n";
	static const size_t sizes[][3] = { { 4, 1, 1 }, { 4, 3, 1 }, { 4, 1, 2 } };
	static const struct { const char *chip; unsigned found[3][3]; } devices[] = {
		{ "gfx900", { { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 } } },
		{ "g200", { { 1, 1, 1 }, { 1, 2, 2 }, { 1, 1, 3 } } },
	};

	(void)state;
	for (size_t c = 0; c < sizeof devices / sizeof *devices; c++) {
		struct setup s = set_up(devices[c].chip, 0, text, NULL);
		cl_kernel k = kernel(&s, "k");
		cl_mem m = clCreateBuffer(s.context, 0, 64, NULL, NULL);
		OK(clSetKernelArg(k, 0, sizeof m, &m));
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
			for (cl_uint n = 1; n <= 3; n++) {
				uint32_t found = 0;
				OK(clEnqueueNDRangeKernel(s.queue, k, n, NULL, sizes[i], sizes[i], 0, NULL, NULL));
				OK(clEnqueueReadBuffer(s.queue, m, CL_TRUE, 0, 4, &found, 0, NULL, NULL));
				assert_int_equal(found, devices[c].found[i][n - 1]);
			}
		OK(clReleaseKernel(k));
		OK(clReleaseMemObject(m));
		tear_down(&s);
	}
}

static void CL_CALLBACK count_end(cl_mem m, void *ended)
{
	(void)m;
	++*(int *)ended;
}

/* Kernels hold no memory objects: a launch with a released argument is refused. */
static void arguments_are_not_held(void **state)
{
	struct setup s = set_up("gfx900", 0, source, NULL);
	cl_mem m = ramp(&s), other;
	cl_kernel k = scale(&s, m, 3);
	int ended = 0;

	OK(clSetMemObjectDestructorCallback(m, count_end, &ended));
	OK(clReleaseMemObject(m));
	assert_int_equal(ended, 1);
	assert_int_equal(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &group, 0, NULL, NULL),
			 CL_INVALID_KERNEL_ARGS);
	other = ramp(&s);
	OK(clSetKernelArg(k, 0, sizeof other, &other));
	OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &group, 0, NULL, NULL));
	expect(&s, other, 3);
	OK(clReleaseKernel(k));
	OK(clReleaseMemObject(other));
	tear_down(&s);
}

/* Information about kernels: qualifiers and attributes in the words of the source. */
static void kernels_tell_their_source(void **state)
{
	static const char text[] =
		"__attribute__((vec_type_hint(uint4), reqd_work_group_size(8, 4, 1), work_group_size_hint(8, 4, 2)))\n"
		"__kernel void k(__global const int *restrict a, volatile __global float *b, __constant int *c,\n"
		"                __local int *d, const int e, __global int *const restrict f) { b[0] = a[0]; }\n"
		"__attribute__((vec_type_hint(float))) __kernel void v(void) {}\n"
		"__kernel void plain(__global int *a) {}\n";
	static const cl_kernel_arg_type_qualifier qualifiers[] = {
		CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, CL_KERNEL_ARG_TYPE_VOLATILE,
		CL_KERNEL_ARG_TYPE_CONST, 0, 0, CL_KERNEL_ARG_TYPE_RESTRICT,
	};
	static const struct { const char *kernel, *attributes; } kernels[] = {
		{ "k", "vec_type_hint(uint4) reqd_work_group_size(8,4,1) work_group_size_hint(8,4,2)" },
		{ "v", "vec_type_hint(float)" }, { "plain", "" },
	};

	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		struct setup s = set_up(chips[c], 0, text, "-cl-kernel-arg-info");
		for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++) {
			cl_kernel k = kernel(&s, kernels[i].kernel);
			char found[256] = "";
			OK(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof found, found, NULL));
			assert_string_equal(found, kernels[i].attributes);
			OK(clReleaseKernel(k));
		}
		cl_kernel k = kernel(&s, "k");
		for (cl_uint i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++) {
			cl_kernel_arg_type_qualifier found;
			OK(clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof found, &found, NULL));
			assert_int_equal(found, qualifiers[i]);
		}
		size_t wanted[3] = { 0 }, other = 32;
		OK(clGetKernelWorkGroupInfo(k, s.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof wanted, wanted,
					    NULL));
		assert_int_equal(wanted[0] * 100 + wanted[1] * 10 + wanted[2], 841);
		cl_mem m = ramp(&s);
		for (cl_uint i = 0; i < 6; i++)
			OK(clSetKernelArg(k, i, i == 3 || i == 4 ? 4 : sizeof m, i == 3 ? NULL : (void *)&m));
		assert_int_equal(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &other, 0, NULL, NULL),
				 CL_INVALID_WORK_GROUP_SIZE);
		OK(clReleaseKernel(k));
		OK(clReleaseMemObject(m));
		tear_down(&s);
	}
}

/* Editors of Windows put UTF-8's mark in front of a text. */
static void sources_begin_with_a_mark(void **state)
{
	static const char marked[] = "\xef\xbb\xbfkernel void scale(global int *a, int by) {"
				     " a[get_global_id(0)] *= by; }\n";

	for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
		struct setup s = set_up(chips[c], 0, marked, NULL);
		cl_mem m = ramp(&s);
		cl_kernel k = scale(&s, m, 2);
		OK(clEnqueueNDRangeKernel(s.queue, k, 1, NULL, &all, &group, 0, NULL, NULL));
		expect(&s, m, 2);
		OK(clReleaseKernel(k));
		OK(clReleaseMemObject(m));
		tear_down(&s);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_have_arguments_and_local_memory),
		cmocka_unit_test(mapped_memory_is_the_kernels),
		cmocka_unit_test(kernels_tell_their_source),
		cmocka_unit_test(arguments_are_not_held),
		cmocka_unit_test(elements_lie_in_two_pages),
		cmocka_unit_test(dimensions_are_the_hosts),
		cmocka_unit_test(a_group_size_is_chosen),
		cmocka_unit_test(grids_are_wide),
		cmocka_unit_test(commands_wait_for_events),
		cmocka_unit_test(errors_go_from_event_to_event),
		cmocka_unit_test(a_fault_is_an_error),
		cmocka_unit_test(times_ascend),
		cmocka_unit_test(boxes_move),
		cmocka_unit_test(mapped_bytes_come_back),
		cmocka_unit_test(parts_are_the_buffer),
		cmocka_unit_test(buffers_go_from_device_to_device),
		cmocka_unit_test(callbacks_are_called),
		cmocka_unit_test(native_kernels_run_here),
		cmocka_unit_test(threads_share_a_queue),
		cmocka_unit_test(finishing_waits),
		cmocka_unit_test(children_have_errors_and_callbacks_may_exit),
		cmocka_unit_test(binaries_are_programs),
		cmocka_unit_test(programs_are_linked),
		cmocka_unit_test(linked_sources_are_apart),
		cmocka_unit_test(headers_are_read_once),
		cmocka_unit_test(build_options_are_obeyed),
		cmocka_unit_test(sources_begin_with_a_mark),
		cmocka_unit_test(extensions_are_the_chips),
	};

	(void)argv;
	return argc > 1 ? exit_in_callback() : cmocka_run_group_tests(tests, NULL, NULL);
}
