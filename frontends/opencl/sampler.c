/* Samplers. A kernel's argument is the value CLK_… of OpenCL C. */
#include "frontends/opencl/opencl.h"

void sampler_end(void *object)
{
	object_drop(((cl_sampler)object)->context);
}

uint32_t sampler_bits(const struct _cl_sampler *s)
{
	static const uint32_t addressing[] = {
		[CL_ADDRESS_NONE - CL_ADDRESS_NONE] = 0, [CL_ADDRESS_CLAMP_TO_EDGE - CL_ADDRESS_NONE] = 2,
		[CL_ADDRESS_CLAMP - CL_ADDRESS_NONE] = 4, [CL_ADDRESS_REPEAT - CL_ADDRESS_NONE] = 6,
		[CL_ADDRESS_MIRRORED_REPEAT - CL_ADDRESS_NONE] = 8,
	};

	return addressing[s->addressing - CL_ADDRESS_NONE] | (s->filter == CL_FILTER_LINEAR ? 0x20 : 0x10) |
	       (s->normalized ? 1 : 0);
}

cl_sampler CL_API_CALL clCreateSampler(cl_context c, cl_bool normalized, cl_addressing_mode addressing,
				       cl_filter_mode filter, cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if (!object_is(c, KIND_CONTEXT))
		return refuse(errcode_ret, CL_INVALID_CONTEXT);
	if (normalized > CL_TRUE || addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT ||
	    filter < CL_FILTER_NEAREST || filter > CL_FILTER_LINEAR)
		return refuse(errcode_ret, CL_INVALID_VALUE);
	cl_sampler s = object_new(KIND_SAMPLER, sizeof *s);
	if (!s)
		return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
	s->context = object_keep(c);
	s->normalized = normalized;
	s->addressing = addressing;
	s->filter = filter;
	return grant(errcode_ret, s);
}

cl_int CL_API_CALL clRetainSampler(cl_sampler s)
{
	return object_retain(s, KIND_SAMPLER);
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler s)
{
	return object_release(s, KIND_SAMPLER);
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler s, cl_sampler_info name, size_t size, void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(s, KIND_SAMPLER))
		return CL_INVALID_SAMPLER;
	switch (name) {
	case CL_SAMPLER_REFERENCE_COUNT:
		return ANSWER(&q, cl_uint, s->object.references);
	case CL_SAMPLER_CONTEXT:
		return ANSWER(&q, cl_context, s->context);
	case CL_SAMPLER_NORMALIZED_COORDS:
		return ANSWER(&q, cl_bool, s->normalized);
	case CL_SAMPLER_ADDRESSING_MODE:
		return ANSWER(&q, cl_addressing_mode, s->addressing);
	case CL_SAMPLER_FILTER_MODE:
		return ANSWER(&q, cl_filter_mode, s->filter);
	default:
		return CL_INVALID_VALUE;
	}
}
