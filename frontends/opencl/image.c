/* Images and samplers: no device has them yet (CL_DEVICE_IMAGE_SUPPORT), so none can exist, and each call has the error
 * that the standard wants of such devices. */
#include "frontends/opencl/opencl.h"

static void *no_image(cl_context c, const cl_image_format *format, cl_int *errcode_ret)
{
	if (!object_is(c, KIND_CONTEXT))
		return refuse(errcode_ret, CL_INVALID_CONTEXT);
	if (!format)
		return refuse(errcode_ret, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	program_say(house_program(), "images: the devices have none (CL_DEVICE_IMAGE_SUPPORT is false)");
	return refuse(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL clCreateImage(cl_context c, cl_mem_flags flags, const cl_image_format *format,
				 const cl_image_desc *description, void *host, cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (object_is(c, KIND_CONTEXT) && format && !description)
		return refuse(errcode_ret, CL_INVALID_IMAGE_DESCRIPTOR);
	return no_image(c, format, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage2D(cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width,
				   size_t height, size_t row, void *host, cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	return no_image(c, format, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width,
				   size_t height, size_t depth, size_t row, size_t slice, void *host,
				   cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	return no_image(c, format, errcode_ret);
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context c, cl_mem_flags flags, cl_mem_object_type type, cl_uint n,
					      cl_image_format *formats, cl_uint *number)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(c, KIND_CONTEXT))
		return CL_INVALID_CONTEXT;
	if (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER || (formats && !n))
		return CL_INVALID_VALUE;
	if (number)
		*number = 0;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clGetImageInfo(cl_mem m, cl_image_info name, size_t size, void *value, size_t *size_ret)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return CL_INVALID_MEM_OBJECT;
}

/* A command with one or two memory objects: a buffer is no image. */
static cl_int refuse_command(cl_command_queue q)
{
	return object_is(q, KIND_QUEUE) ? CL_INVALID_MEM_OBJECT : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
				      const size_t *region, size_t row, size_t slice, void *host, cl_uint nwait,
				      const cl_event *wait, cl_event *event)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return refuse_command(q);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
				       const size_t *region, size_t row, size_t slice, const void *host,
				       cl_uint nwait, const cl_event *wait, cl_event *event)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return refuse_command(q);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue q, cl_mem m, const void *color, const size_t *origin,
				      const size_t *region, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return refuse_command(q);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
				      const size_t *to_origin, const size_t *region, cl_uint nwait,
				      const cl_event *wait, cl_event *event)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return refuse_command(q);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue q, cl_mem from, cl_mem to, const size_t *origin,
					      const size_t *region, size_t offset, cl_uint nwait,
					      const cl_event *wait, cl_event *event)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return refuse_command(q);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue q, cl_mem from, cl_mem to, size_t offset,
					      const size_t *origin, const size_t *region, cl_uint nwait,
					      const cl_event *wait, cl_event *event)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return refuse_command(q);
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags,
				    const size_t *origin, const size_t *region, size_t *row, size_t *slice,
				    cl_uint nwait, const cl_event *wait, cl_event *event, cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	return refuse(errcode_ret, refuse_command(q));
}

/* ---- samplers ---- */

cl_sampler CL_API_CALL clCreateSampler(cl_context c, cl_bool normalized, cl_addressing_mode addressing,
				       cl_filter_mode filter, cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(c, KIND_CONTEXT))
		return refuse(errcode_ret, CL_INVALID_CONTEXT);
	if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT || filter < CL_FILTER_NEAREST ||
	    filter > CL_FILTER_LINEAR)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	return refuse(errcode_ret, CL_INVALID_OPERATION);
}

cl_int CL_API_CALL clRetainSampler(cl_sampler s)
{
	return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler s)
{
	return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler s, cl_sampler_info name, size_t size, void *value, size_t *size_ret)
{
	return CL_INVALID_SAMPLER;
}
