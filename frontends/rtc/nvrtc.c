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
static const struct rtc_language language = { "cuda", "v100", ".ptx", 1, arch, find_names };

#define RTC(name) nvrtc##name
#define RTC_TEXT(name) "NVRTC_" #name
#define RTC_MAJOR NVRTC_MAJOR
#define RTC_MINOR NVRTC_MINOR
#include "frontends/rtc/calls.h"

CALL enum rtc_result nvrtcGetNumSupportedArchs(int *n);
CALL enum rtc_result nvrtcGetSupportedArchs(int *archs);
CALL enum rtc_result nvrtcGetPTXSize(struct rtc_program *p, size_t *bytes);
CALL enum rtc_result nvrtcGetPTX(struct rtc_program *p, char *ptx);
CALL enum rtc_result nvrtcGetCUBINSize(struct rtc_program *p, size_t *bytes);
CALL enum rtc_result nvrtcGetCUBIN(struct rtc_program *p, char *cubin);

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

enum rtc_result nvrtcGetPTXSize(struct rtc_program *p, size_t *bytes)
{
	NEEDS_PROGRAM(p);
	return rtc_object_size(p, &language, bytes);
}

enum rtc_result nvrtcGetPTX(struct rtc_program *p, char *ptx)
{
	NEEDS_PROGRAM(p);
	return rtc_object(p, &language, ptx);
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
