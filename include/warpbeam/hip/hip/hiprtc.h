/* Calls of hipRTC, HIP's compiler within programs (frontends/rtc). Written from the public documentation. */
#ifndef WARPBEAM_HIP_HIPRTC_H
#define WARPBEAM_HIP_HIPRTC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hiprtcResult {
	HIPRTC_SUCCESS = 0,
	HIPRTC_ERROR_OUT_OF_MEMORY = 1,
	HIPRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
	HIPRTC_ERROR_INVALID_INPUT = 3,
	HIPRTC_ERROR_INVALID_PROGRAM = 4,
	HIPRTC_ERROR_INVALID_OPTION = 5,
	HIPRTC_ERROR_COMPILATION = 6,
	HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
	HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
	HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
	HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
	HIPRTC_ERROR_INTERNAL_ERROR = 11
} hiprtcResult;
typedef struct _hiprtcProgram *hiprtcProgram;

const char *hiprtcGetErrorString(hiprtcResult result);
hiprtcResult hiprtcVersion(int *major, int *minor);
hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *source, const char *name, int nheaders,
				 const char **headers, const char **header_names);
hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program);
hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int noptions, const char **options);
hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *bytes);
hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code);
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *bytes);
hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log);
hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char *expression);
hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char *expression, const char **symbol);

#ifdef __cplusplus
}
#endif

#endif
