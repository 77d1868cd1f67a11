/* NVRTC: PTX of CUDA C++. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/rtc/rtc.h"

/* "compute_75" or "sm_75", also with a letter behind. */
static bool arch(struct rtc_program *p, const char *name, const char **chip)
{
	size_t n;

	(void)chip;
	p->machine = !strncmp(name, "sm_", 3);
	if (!p->machine && strncmp(name, "compute_", 8))
		return false;
	name += p->machine ? 3 : 8;
	n = strspn(name, "0123456789");
	return n >= 2 && n <= 3 && strlen(name + n) <= 1;
}

/* The line of PTX that begins at or before a place, with its newline. */
static void cut_line(struct rtc_program *p, char *place)
{
	char *text = (char *)p->object, *begin = place, *end = strchr(place, '\n');

	while (begin > text && begin[-1] != '\n')
		begin--;
	end = end ? end + 1 : text + p->object_bytes;
	memmove(begin, end, (size_t)(text + p->object_bytes - end) + 1);
	p->object_bytes -= (size_t)(end - begin);
}

/* The variables go: a line each, `.visible .global .align 8 .u64 warpbeam_name_0 = _Z1kIiEvPT_;`, or with
 * `generic(symbol)`. */
static bool find_names(struct rtc_program *p)
{
	char word[64];

	for (size_t i = 0; i < p->nnames; i++) {
		int n = snprintf(word, sizeof word, RTC_VARIABLE "%zu", i);
		char *place = strstr((char *)p->object, word);
		while (place && strncmp(place + n, " = ", 3))
			place = strstr(place + n, word);
		if (!place)
			return false;
		const char *symbol = place + n + 3;
		if (!strncmp(symbol, "generic(", 8))
			symbol += 8;
		free(p->names[i].symbol);
		p->names[i].symbol = strndup(symbol, strcspn(symbol, ");,\n"));
		if (!p->names[i].symbol)
			return false;
		cut_line(p, place);
	}
	return true;
}

/* PTX is the same for every chip: the chip with the widest limits says which kernels are possible. */
static const struct rtc_language language = { "cuda", "v100", ".ptx", arch, find_names };

static enum rtc_result check(struct rtc_program *p) { return rtc_find(p) ? RTC_SUCCESS : RTC_ERROR_INVALID_PROGRAM; }
#define NEEDS_PROGRAM(p) \
	do { \
		if (check(p) != RTC_SUCCESS) \
			return RTC_ERROR_INVALID_PROGRAM; \
	} while (0)

CALL const char *nvrtcGetErrorString(enum rtc_result e);
CALL enum rtc_result nvrtcVersion(int *major, int *minor);
CALL enum rtc_result nvrtcGetNumSupportedArchs(int *n);
CALL enum rtc_result nvrtcGetSupportedArchs(int *archs);
CALL enum rtc_result nvrtcCreateProgram(struct rtc_program **p, const char *source, const char *name, int n,
				    const char *const *headers, const char *const *names);
CALL enum rtc_result nvrtcDestroyProgram(struct rtc_program **p);
CALL enum rtc_result nvrtcCompileProgram(struct rtc_program *p, int n, const char *const *options);
CALL enum rtc_result nvrtcGetPTXSize(struct rtc_program *p, size_t *bytes);
CALL enum rtc_result nvrtcGetPTX(struct rtc_program *p, char *ptx);
CALL enum rtc_result nvrtcGetCUBINSize(struct rtc_program *p, size_t *bytes);
CALL enum rtc_result nvrtcGetCUBIN(struct rtc_program *p, char *cubin);
CALL enum rtc_result nvrtcGetProgramLogSize(struct rtc_program *p, size_t *bytes);
CALL enum rtc_result nvrtcGetProgramLog(struct rtc_program *p, char *log);
CALL enum rtc_result nvrtcAddNameExpression(struct rtc_program *p, const char *expression);
CALL enum rtc_result nvrtcGetLoweredName(struct rtc_program *p, const char *expression, const char **symbol);

const char *nvrtcGetErrorString(enum rtc_result e)
{
	static const char *const names[] = {
#define RTC_ERROR(name, number) [number] = "NVRTC_" #name,
#include "frontends/rtc/results.def"
	};

	return (size_t)e < sizeof names / sizeof *names ? names[e] : "NVRTC_ERROR unknown";
}

enum rtc_result nvrtcVersion(int *major, int *minor)
{
	if (!major || !minor)
		return RTC_ERROR_INVALID_INPUT;
	*major = NVRTC_MAJOR;
	*minor = NVRTC_MINOR;
	return RTC_SUCCESS;
}

static const int archs[] = { 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90 };

enum rtc_result nvrtcGetNumSupportedArchs(int *n)
{
	if (!n)
		return RTC_ERROR_INVALID_INPUT;
	*n = sizeof archs / sizeof *archs;
	return RTC_SUCCESS;
}

enum rtc_result nvrtcGetSupportedArchs(int *to)
{
	if (!to)
		return RTC_ERROR_INVALID_INPUT;
	memcpy(to, archs, sizeof archs);
	return RTC_SUCCESS;
}

enum rtc_result nvrtcCreateProgram(struct rtc_program **p, const char *source, const char *name, int n,
			       const char *const *headers, const char *const *names)
{
	return rtc_create(p, source, name, n, headers, names);
}

enum rtc_result nvrtcDestroyProgram(struct rtc_program **p) { return rtc_destroy(p); }

enum rtc_result nvrtcCompileProgram(struct rtc_program *p, int n, const char *const *options)
{
	NEEDS_PROGRAM(p);
	p->machine = false;
	return rtc_compile(p, &language, n, options);
}

enum rtc_result nvrtcGetPTXSize(struct rtc_program *p, size_t *bytes)
{
	NEEDS_PROGRAM(p);
	if (!bytes)
		return RTC_ERROR_INVALID_INPUT;
	*bytes = p->object ? p->object_bytes + 1 : 0;
	return p->object ? RTC_SUCCESS : RTC_ERROR_INVALID_PROGRAM;
}

enum rtc_result nvrtcGetPTX(struct rtc_program *p, char *ptx)
{
	NEEDS_PROGRAM(p);
	if (!ptx || !p->object)
		return ptx ? RTC_ERROR_INVALID_PROGRAM : RTC_ERROR_INVALID_INPUT;
	memcpy(ptx, p->object, p->object_bytes + 1);
	return RTC_SUCCESS;
}

/* A program that asks for a chip's machine code hands the bytes to a module's load, which takes PTX as well. */
enum rtc_result nvrtcGetCUBINSize(struct rtc_program *p, size_t *bytes)
{
	NEEDS_PROGRAM(p);
	if (!bytes)
		return RTC_ERROR_INVALID_INPUT;
	if (p->machine)
		return nvrtcGetPTXSize(p, bytes);
	*bytes = 0;
	return RTC_SUCCESS;
}

enum rtc_result nvrtcGetCUBIN(struct rtc_program *p, char *cubin)
{
	NEEDS_PROGRAM(p);
	return p->machine ? nvrtcGetPTX(p, cubin) : RTC_ERROR_INVALID_PROGRAM;
}

enum rtc_result nvrtcGetProgramLogSize(struct rtc_program *p, size_t *bytes)
{
	NEEDS_PROGRAM(p);
	return rtc_log_size(p, bytes);
}

enum rtc_result nvrtcGetProgramLog(struct rtc_program *p, char *log)
{
	NEEDS_PROGRAM(p);
	return rtc_log(p, log);
}

enum rtc_result nvrtcAddNameExpression(struct rtc_program *p, const char *expression)
{
	NEEDS_PROGRAM(p);
	return rtc_add_name(p, expression);
}

enum rtc_result nvrtcGetLoweredName(struct rtc_program *p, const char *expression, const char **symbol)
{
	NEEDS_PROGRAM(p);
	return rtc_symbol(p, expression, symbol);
}

/* Other kinds of output, and settings of the compiler: there are none. */
#define MISSING(name) \
	CALL enum rtc_result name(void); \
	enum rtc_result name(void) \
	{ \
		fprintf(stderr, "warpbeam: %s is not in this compiler: take nvrtcGetPTX\n", #name); \
		return RTC_ERROR_INVALID_INPUT; \
	}
MISSING(nvrtcGetLTOIR)
MISSING(nvrtcGetLTOIRSize)
MISSING(nvrtcGetNVVM)
MISSING(nvrtcGetNVVMSize)
MISSING(nvrtcGetOptiXIR)
MISSING(nvrtcGetOptiXIRSize)
MISSING(nvrtcGetPCHCreateStatus)
MISSING(nvrtcGetPCHHeapSize)
MISSING(nvrtcGetPCHHeapSizeRequired)
MISSING(nvrtcSetPCHHeapSize)
MISSING(nvrtcSetFlowCallback)
