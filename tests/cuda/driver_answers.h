// Answers of CUDA's driver interface, compared and counted: the frame of programs of calls.
#include <cuda.h>
#include <cstdio>

static int bad, calls;

static void want(const char *call, int line, CUresult found, CUresult expected)
{
	const char *f = "?", *e = "?";

	calls++;
	if (found == expected)
		return;
	cuGetErrorName(found, &f);
	cuGetErrorName(expected, &e);
	printf("line %d: %s: found %s, expected %s\n", line, call, f, e);
	bad++;
}
#define WANT(call, error) want(#call, __LINE__, call, CUDA_##error)
#define RIGHT(call) want(#call, __LINE__, call, CUDA_SUCCESS)

static void is(const char *what, int line, long long found, long long expected)
{
	if (found == expected)
		return;
	printf("line %d: %s is %lld, expected %lld\n", line, what, found, expected);
	bad++;
}
#define IS(what, value) is(#what, __LINE__, (long long)(what), (long long)(value))
