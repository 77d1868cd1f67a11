// CUDA kernels as plain C++, for a model of the results: each thread of a block is a context, and a barrier passes the
// turn on. nvcc sees KERNEL, ME and `kernels` of this file alone.
#ifndef WB_TESTS_NVCC_HOST_H
#define WB_TESTS_NVCC_HOST_H

#ifdef __CUDACC__
#define kernels(...)
#else

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __global__
#define __device__
#define __constant__ static
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline

enum { BLOCKS = 4, THREADS = 64, WORDS = BLOCKS * THREADS, STACK = 64 << 10 };

struct place { unsigned x, y, z; };
static place threadIdx, blockIdx;
static const place blockDim = { THREADS, 1, 1 }, gridDim = { BLOCKS, 1, 1 };

static ucontext_t turn, context[THREADS];
static bool ended[THREADS];
static int votes[2], arrived;   // of barriers that count: of one, and of the next, whose threads may be there already
static bool second[THREADS];

static void next_turn() { swapcontext(&context[threadIdx.x], &turn); }
static void __syncthreads() { next_turn(); }
static int __syncthreads_count(int p)
{
	int *all = &votes[second[threadIdx.x] ^= 1];

	*all = (arrived ? *all : 0) + (p != 0);
	arrived = (arrived + 1) % THREADS;
	next_turn();
	return *all;
}
static int __syncthreads_and(int p) { return __syncthreads_count(p) == THREADS; }
static int __syncthreads_or(int p) { return __syncthreads_count(p) != 0; }

template <typename T> static T atomicAdd(T *p, T x) { T old = *p; *p += x; return old; }
template <typename T> static T atomicMax(T *p, T x) { T old = *p; *p = x > old ? x : old; return old; }
template <typename T> static T atomicExch(T *p, T x) { T old = *p; *p = x; return old; }
template <typename T> static T atomicCAS(T *p, T is, T x) { T old = *p; *p = old == is ? x : old; return old; }

static int __dp4a(int a, int b, int c)
{
	for (int i = 0; i < 4; i++)
		c += (int)(int8_t)(a >> 8 * i) * (int8_t)(b >> 8 * i);
	return c;
}
static unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
	for (int i = 0; i < 4; i++)
		c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
	return c;
}
static int __dp2a_lo(int a, int b, int c) { return c + (int16_t)a * (int8_t)b + (a >> 16) * (int8_t)(b >> 8); }
static int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }

typedef void kernel_fn(int *, int *, int);
struct kernel { const char *name; kernel_fn *run; };
static kernel_fn *now;
static int *in_words, *out_words, number;

static void thread()
{
	unsigned me = threadIdx.x;

	now(in_words, out_words, number);
	ended[me] = true;
	swapcontext(&context[me], &turn);
}

static void block(char *stacks)
{
	for (unsigned t = 0; t < THREADS; t++) {
		getcontext(&context[t]);
		context[t].uc_stack.ss_sp = stacks + t * STACK;
		context[t].uc_stack.ss_size = STACK;
		makecontext(&context[t], thread, 0);
		ended[t] = false;
	}
	for (bool any = true; any;) {
		any = false;
		for (unsigned t = 0; t < THREADS; t++) {
			if (ended[t])
				continue;
			any = true;
			threadIdx.x = t;
			swapcontext(&turn, &context[t]);
		}
	}
}

// NAME IN OUT N: run kernel NAME on the words of IN, and write the words of OUT.
static int run(const kernel *k, int argc, char **argv)
{
	int in[WORDS], out[WORDS] = { 0 };
	char *stacks = new char[THREADS * STACK];
	FILE *f = argc == 5 ? fopen(argv[2], "rb") : NULL;

	if (argc == 1)
		for (; k->name; k++)
			puts(k->name);
	if (!f || fread(in, sizeof in, 1, f) != 1)
		return argc != 1;
	fclose(f);
	while (k->name && strcmp(k->name, argv[1]))
		k++;
	now = k->run;
	in_words = in;
	out_words = out;
	number = atoi(argv[4]);
	for (blockIdx.x = 0; now && blockIdx.x < BLOCKS; blockIdx.x++)
		block(stacks);
	f = fopen(argv[3], "wb");
	return !now || !f || fwrite(out, sizeof out, 1, f) != 1 || fclose(f);
}

#define kernels(...)                                                                                                   \
	int main(int argc, char **argv)                                                                                \
	{                                                                                                              \
		static const kernel all[] = { __VA_ARGS__, { NULL, NULL } };                                           \
		return run(all, argc, argv);                                                                           \
	}

#endif

#define KERNEL extern "C" __global__ void
#define ME (blockIdx.x * blockDim.x + threadIdx.x)

#endif
