/* Wrong calls have the errors of the standard: each row of calls.def is made, and nothing that was there before has
 * changed afterwards. */
#include "tests/opencl_platform/program.h"

struct things {
	cl_platform_id l;
	cl_device_id d, other_d, none_d;        /* of the context, of no context, NULL */
	cl_context c;
	cl_command_queue q, far_q;              /* far: of another context */
	cl_mem m, m2, part, reads, hidden, host_reads, host_writes, far_m;
	cl_program p, fresh;
	cl_kernel k, unset, hungry, other_k;
	cl_event e, far_e, done, set, failed, timed, out;
	cl_event two_contexts[2];
	void *dead;                             /* a released object */
	void *mapped;                           /* of m */
	cl_context_properties bad_platform[3], bad_property[3], same_twice[5];
	cl_device_partition_property partition[3];
	cl_buffer_region region;
	size_t zero[3], box[3], outside[3];
	size_t range[3], huge[3], nearly[3], line[3], square[3], three[3], wide[3];
	cl_mem i, i_reads, i_writes, i_hidden, i_other, i_volume;       /* images; other: in format */
	cl_sampler a;
	cl_kernel images;
	size_t flat[3];                         /* a region of a 2D image */
	cl_image_format format;
	cl_image_desc shape;
	const char *text, *no_text;
	const unsigned char *bytes;
	size_t four, nothing;
	const void *elsewhere, *inside;
	uint64_t space[32];
	cl_uint n;
	size_t size;
	cl_int error;
};

static const char source[] =
	"__kernel void k(__global int *a, int b, __local int *l) { l[0] = b; a[get_global_id(0)] = l[0]; }\n"
	"__kernel void images(read_only image2d_t a, write_only image2d_t b, sampler_t s) {\n"
	"  write_imagef(b, (int2)(0, 0), read_imagef(a, s, (float2)(0, 0))); }\n";

static void CL_CALLBACK nothing(void *arguments)
{
	(void)arguments;
}

static void CL_CALLBACK note(cl_event e, cl_int status, void *context)
{
	(void)e, (void)status, (void)context;
}

static void CL_CALLBACK gone(cl_mem m, void *context)
{
	(void)m, (void)context;
}

static cl_kernel kernel(struct things *s, size_t shared)
{
	cl_kernel k = clCreateKernel(s->p, "k", NULL);
	int b = 1;

	OK(clSetKernelArg(k, 0, sizeof s->m, &s->m));
	OK(clSetKernelArg(k, 1, sizeof b, &b));
	OK(clSetKernelArg(k, 2, shared, NULL));
	return k;
}

static cl_mem buffer(cl_context c, cl_mem_flags flags)
{
	cl_int error;
	cl_mem m = clCreateBuffer(c, flags, 1024, NULL, &error);

	OK(error);
	return m;
}

/* For rows: a format, a shape, and the shape of s with pitches. */
#define IMAGE_FORMAT(order, type) (&(cl_image_format){ order, type })
#define SHAPE(type, width, height, depth) \
	(&(cl_image_desc){ .image_type = type, .image_width = width, .image_height = height, .image_depth = depth })
#define PITCHES(row, slice) (&(cl_image_desc){ \
	.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4, .image_row_pitch = row, \
	.image_slice_pitch = slice })

static cl_mem image(const struct things *s, cl_mem_flags flags, cl_channel_type type, const cl_image_desc *shape)
{
	cl_int error;
	cl_mem m = clCreateImage(s->c, flags, IMAGE_FORMAT(CL_RGBA, type), shape, NULL, &error);

	OK(error);
	return m;
}

static void make_images(struct things *s)
{
	s->i = image(s, 0, CL_UNORM_INT8, &s->shape);
	s->i_reads = image(s, CL_MEM_READ_ONLY, CL_UNORM_INT8, &s->shape);
	s->i_writes = image(s, CL_MEM_WRITE_ONLY, CL_UNORM_INT8, &s->shape);
	s->i_hidden = image(s, CL_MEM_HOST_NO_ACCESS, CL_UNORM_INT8, &s->shape);
	s->i_other = image(s, 0, CL_UNSIGNED_INT8, &s->shape);
	s->i_volume = image(s, 0, CL_UNORM_INT8, SHAPE(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4));
	s->a = clCreateSampler(s->c, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &s->error);
	OK(s->error);
	s->images = clCreateKernel(s->p, "images", &s->error);
	OK(s->error);
	s->flat[0] = s->flat[1] = 4;
	s->flat[2] = 1;
}

static void make_objects(struct things *s, const struct setup *from, const struct setup *far)
{
	s->l = from->platform;
	s->d = from->device;
	s->other_d = device_called(s->l, "tahiti");
	s->c = from->context;
	s->q = from->queue;
	s->far_q = far->queue;
	s->p = from->program;
	s->m = buffer(s->c, 0);
	s->m2 = buffer(s->c, 0);
	s->reads = buffer(s->c, CL_MEM_READ_ONLY);
	s->hidden = buffer(s->c, CL_MEM_HOST_NO_ACCESS);
	s->host_reads = buffer(s->c, CL_MEM_HOST_READ_ONLY);
	s->host_writes = buffer(s->c, CL_MEM_HOST_WRITE_ONLY);
	s->far_m = buffer(far->context, 0);
	s->region = (cl_buffer_region){ 128, 128 };
	s->part = clCreateSubBuffer(s->m, 0, CL_BUFFER_CREATE_TYPE_REGION, &s->region, NULL);
	s->text = source;
	s->fresh = clCreateProgramWithSource(s->c, 1, &s->text, NULL, NULL);
	s->k = kernel(s, 16);
	s->hungry = kernel(s, 1 << 20);
	s->unset = clCreateKernel(s->p, "k", NULL);
	s->mapped = clEnqueueMapBuffer(s->q, s->m, CL_TRUE, CL_MAP_READ, 0, 16, 0, NULL, NULL, NULL);
	s->dead = buffer(s->c, 0);
	OK(clReleaseMemObject(s->dead));
}

static void make_events(struct things *s, const struct setup *far)
{
	cl_event gate = clCreateUserEvent(s->c, NULL);

	s->e = clCreateUserEvent(s->c, NULL);
	s->far_e = clCreateUserEvent(far->context, NULL);
	s->set = clCreateUserEvent(s->c, NULL);
	OK(clSetUserEventStatus(s->set, CL_COMPLETE));
	OK(clEnqueueMarkerWithWaitList(s->q, 0, NULL, &s->done));
	OK(clEnqueueMarkerWithWaitList(s->q, 1, &gate, &s->failed));
	OK(clSetUserEventStatus(gate, -1));
	OK(clReleaseEvent(gate));
	OK(clFinish(s->q));
	cl_command_queue timed = clCreateCommandQueue(s->c, s->d, CL_QUEUE_PROFILING_ENABLE, NULL);
	OK(clEnqueueMarkerWithWaitList(timed, 0, NULL, &s->timed));
	OK(clReleaseCommandQueue(timed));
	s->two_contexts[0] = s->done;
	s->two_contexts[1] = s->far_e;
}

static void make_numbers(struct things *s)
{
	const cl_context_properties platform[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)s->c, 0 },
		property[] = { 77, 1, 0 }, twice[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)s->l,
						       CL_CONTEXT_PLATFORM, (cl_context_properties)s->l, 0 };
	const size_t four = 4;

	memcpy(s->bad_platform, platform, sizeof platform);
	memcpy(s->bad_property, property, sizeof property);
	memcpy(s->same_twice, twice, sizeof twice);
	s->partition[0] = CL_DEVICE_PARTITION_EQUALLY;
	s->partition[1] = 1;
	for (int i = 0; i < 3; i++) {
		s->box[i] = four;
		s->outside[i] = 1 << 9;
		s->range[i] = 64;
		s->huge[i] = SIZE_MAX;
		s->nearly[i] = UINT32_MAX - 63;
		s->square[i] = 64;
		s->three[i] = 3;
		s->wide[i] = 2048;
	}
	s->line[0] = 64;
	s->shape.image_type = CL_MEM_OBJECT_IMAGE2D;
	s->shape.image_width = s->shape.image_height = four;
	s->format = (cl_image_format){ CL_RGBA, CL_UNORM_INT8 };
	s->bytes = (const unsigned char *)"none";
	s->four = four;
	s->elsewhere = s;
	s->inside = s->space;
}

/* The value of a call that returns an object is not needed: the error tells. */
#define E(call) ((call), s.error)

static void wrong_calls_have_the_errors_of_the_standard(void **state)
{
	struct setup near = set_up("gfx900", 0, source, NULL), far = set_up("gfx900", 0, source, NULL);
	struct things s = { 0 };
	unsigned wrong = 0;

	make_objects(&s, &near, &far);
	make_events(&s, &far);
	make_numbers(&s);
	make_images(&s);
#define WRONG(expected, call) do { \
		s.error = 1; \
		cl_int found = call; \
		if (found != expected) { \
			print_error("%s: found %d, expected %s (%d)\n", #call, found, #expected, expected); \
			wrong++; \
		} \
	} while (0);
#include "tests/opencl_platform/calls.def"
	assert_int_equal(wrong, 0);
	/* nothing is lost: every object has the references of its maker */
	cl_uint n;
	OK(clGetMemObjectInfo(s.m2, CL_MEM_REFERENCE_COUNT, sizeof n, &n, NULL));
	assert_int_equal(n, 1);
	OK(clGetEventInfo(s.e, CL_EVENT_REFERENCE_COUNT, sizeof n, &n, NULL));
	assert_int_equal(n, 1);
	OK(clGetKernelInfo(s.k, CL_KERNEL_REFERENCE_COUNT, sizeof n, &n, NULL));
	assert_int_equal(n, 1);
	OK(clGetMemObjectInfo(s.i, CL_MEM_REFERENCE_COUNT, sizeof n, &n, NULL));
	assert_int_equal(n, 1);
	OK(clGetSamplerInfo(s.a, CL_SAMPLER_REFERENCE_COUNT, sizeof n, &n, NULL));
	assert_int_equal(n, 1);
	OK(clEnqueueTask(s.q, s.k, 0, NULL, NULL));
	OK(clFinish(s.q));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(wrong_calls_have_the_errors_of_the_standard) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
