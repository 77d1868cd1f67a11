/* Entry points of later versions, and of other interfaces' extensions, for programs and loaders that link with them:
 * each is a row of icd.def, an error and a line with its name. */
#include "frontends/opencl/opencl.h"
#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

static cl_int too_late(const char *name)
{
	struct program *p = program_open("OpenCL");

	if (p)
		program_say(p, "%s: no call of OpenCL 1.2, which is what this platform has", name);
	return CL_INVALID_OPERATION;
}

#define ENTRY(node, name)
#define STATUS(node, name, parameters) \
	cl_int CL_API_CALL name parameters { return too_late(#name); }
#define HANDLE(node, type, name, parameters) \
	type CL_API_CALL name parameters { return refuse(errcode_ret, too_late(#name)); }
#define NOTHING(node, type, name, parameters, value) \
	type CL_API_CALL name parameters { too_late(#name); return value; }
#define EMPTY(name)
#define BESIDE(node, name)
#include "frontends/opencl/icd.def"
