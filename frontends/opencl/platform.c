/* The platform, the dispatch table, and entry points by name. */
#include <stdio.h>

#include "frontends/opencl/opencl.h"
#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

/* The one function that loaders look for besides. */
CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint n, cl_platform_id *out, cl_uint *number);

struct _cl_icd_dispatch dispatch_table = {
#define ENTRY(node, name) .name = name,
#define STATUS(node, name, parameters) .name = name,
#define HANDLE(node, type, name, parameters) .name = name,
#define NOTHING(node, type, name, parameters, value) .name = name,
#define EMPTY(name) .name = NULL,
#define BESIDE(node, name)
#include "frontends/opencl/icd.def"
#undef ENTRY
#undef STATUS
#undef HANDLE
#undef NOTHING
#undef EMPTY
#undef BESIDE
};

cl_platform_id platform_get(void)
{
	static cl_platform_id platform;

	if (!platform)
		platform = object_new(KIND_PLATFORM, sizeof *platform);
	return platform;
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint n, cl_platform_id *out, cl_uint *number)
{
	HOUSE(CL_PLATFORM_NOT_FOUND_KHR);
	if ((!out && !number) || (out && !n))
		return CL_INVALID_VALUE;
	if (!platform_get())
		return CL_OUT_OF_HOST_MEMORY;
	if (out)
		*out = platform_get();
	if (number)
		*number = 1;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint n, cl_platform_id *out, cl_uint *number)
{
	return clGetPlatformIDs(n, out, number);
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
				     size_t *size_ret)
{
	const struct query q = { size, value, size_ret };
	char version[64];

	HOUSE(CL_OUT_OF_RESOURCES);
	if (platform && !object_is(platform, KIND_PLATFORM))
		return CL_INVALID_PLATFORM;
	switch (name) {
	case CL_PLATFORM_PROFILE:
		return answer_text(&q, "FULL_PROFILE");
	case CL_PLATFORM_VERSION:
		snprintf(version, sizeof version, "OpenCL 1.2 Warpbeam %s", wb_version());
		return answer_text(&q, version);
	case CL_PLATFORM_NAME:
		return answer_text(&q, "Warpbeam");
	case CL_PLATFORM_VENDOR:
		return answer_text(&q, "Warpbeam");
	case CL_PLATFORM_EXTENSIONS:
		return answer_text(&q, "cl_khr_icd");
	case CL_PLATFORM_ICD_SUFFIX_KHR:
		return answer_text(&q, "WARPBEAM");
	default:
		return CL_INVALID_VALUE;
	}
}

/* ---- entry points by name ---- */

static const struct { const char *name; void *address; } entries[] = {
	{ "clIcdGetPlatformIDsKHR", (void *)clIcdGetPlatformIDsKHR },
#define ENTRY(node, name) { #name, (void *)name },
#define STATUS(node, name, parameters) { #name, (void *)name },
#define HANDLE(node, type, name, parameters) { #name, (void *)name },
#define NOTHING(node, type, name, parameters, value) { #name, (void *)name },
#define EMPTY(name)
#define BESIDE(node, name) { #name, (void *)name },
#include "frontends/opencl/icd.def"
};

void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
	for (size_t i = 0; name && i < sizeof entries / sizeof *entries; i++)
		if (!strcmp(entries[i].name, name))
			return entries[i].address;
	return NULL;
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
	HOUSE(NULL);
	return object_is(platform, KIND_PLATFORM) ? clGetExtensionFunctionAddress(name) : NULL;
}

/* Compilers are programs that end with each build: nothing is loaded. */
cl_int CL_API_CALL clUnloadCompiler(void)
{
	return CL_SUCCESS;
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	return object_is(platform, KIND_PLATFORM) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}
