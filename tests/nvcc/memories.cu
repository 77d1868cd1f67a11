// Constant tables, variables with the addresses of others, atomics of any memory, volatile words, barriers that count.
#include "host.h"

struct entry { short key; int value; char name[5]; };
__constant__ entry entries[4] = { { 1, 10, "ab" }, { 2, -20, "cde" }, { 3, 30, "" }, { 4, -40, "fghi" } };
__constant__ int primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
__device__ int squares[8] = { 0, 1, 4, 9, 16, 25, 36, 49 };
__device__ const char *words[3] = { "one", "three", "seventeen" };
__device__ int *links[2] = { squares + 2, squares };
__constant__ const int *tables[3] = { primes, primes + 3, squares };

__device__ __noinline__ int length(const char *p)
{
	int n = 0;
	while (p[n])
		n++;
	return n;
}

KERNEL constants(int *in, int *out, int n)
{
	const entry *e = &entries[ME & 3];
	const int *p = n & 1 ? primes : in, *q = ME % 3 ? primes + 2 : in + 7;
	char copy[6];

	for (int i = 0; i < 5; i++)
		copy[i] = e->name[i] ? e->name[i] ^ 1 : 0;
	out[ME] = e->key + e->value + length(e->name) * 100 + length(copy) * 1000 + p[n & 7] + q[ME & 3] +
		  length(ME & 1 ? copy : entries[n & 3].name);
}

KERNEL addresses(int *in, int *out, int n)
{
	const char *w = words[ME % 3];

	out[ME] = *links[n & 1] + length(w) + w[n & 1] + tables[ME % 3][in[ME] & 3];
}

KERNEL strings(int *in, int *out, int n)
{
	__shared__ char text[64];
	char mine[8] = "x";

	text[threadIdx.x] = (char)("warpbeam"[threadIdx.x & 7] + (in[ME] & 1));
	mine[n & 7] = (char)('a' + (ME & 7));
	__syncthreads();
	const char *a = text + (threadIdx.x & 32), *b = ME & 1 ? mine : text;
	int s = 0;
	for (int i = 0; i < 8; i++)
		s = s * 3 + (a[i] == b[i]) + (b[i] == mine[i]) * 2 + a[i];
	out[ME] = s;
}

__device__ __noinline__ int count(int *p, int by) { return atomicAdd(p, by); }

KERNEL atomics(int *in, int *out, int n)
{
	__shared__ int pool[8], most;
	int *where = ME & 1 ? &pool[threadIdx.x & 7] : &out[ME & ~7u];

	if (threadIdx.x < 8)
		pool[threadIdx.x] = 0;
	if (!threadIdx.x)
		most = -1000000;
	__syncthreads();
	count(where, in[ME] & 15);
	atomicMax(&most, in[ME]);
	__syncthreads();
	int mine = ME & 1 ? pool[threadIdx.x & 7] : 0, all = out[ME & ~7u];
	__syncthreads();
	out[ME] = (ME & 7 ? 0 : all) + mine + most + n;
}

KERNEL a_queue(int *in, int *out, int n)
{
	__shared__ int *queue[64], places;

	if (!threadIdx.x)
		places = 0;
	__syncthreads();
	if (in[ME] & 1)
		queue[atomicAdd(&places, 1)] = threadIdx.x & 1 ? &in[ME] : &out[ME];
	out[ME] = n;
	__syncthreads();
	int s = 0;
	for (int i = 0; i < places; i++)
		s += *queue[i];
	__syncthreads();
	out[ME] = s;
}

KERNEL volatile_words(int *in, int *out, int n)
{
	__shared__ volatile int pool[64];
	volatile int *p = pool + threadIdx.x, mine[2];

	*p = in[ME];
	mine[0] = n;
	mine[1] = in[ME] >> 1;
	__syncthreads();
	for (int half = 32; half; half /= 2) {
		if (threadIdx.x < half)
			*p = *p + p[half];
		__syncthreads();
	}
	out[ME] = pool[0] + mine[threadIdx.x & 1];
}

KERNEL counting_barriers(int *in, int *out, int n)
{
	int a = __syncthreads_count(in[ME] & 1), b = __syncthreads_and(in[ME] | 1), c = __syncthreads_or(in[ME] == n);

	out[ME] = a * 100 + (b != 0) * 10 + (c != 0) + __syncthreads_and(threadIdx.x != 40) * 1000;
}

KERNEL dot_products(int *in, int *out, int n)
{
	int a = in[ME], b = in[ME ^ 7];

	out[ME] = __dp4a(a, b, n) + (int)__dp4a((unsigned)a, (unsigned)b, 5u) * 3 + __dp2a_lo(a, b, n) * 5 +
		  __dp2a_hi(a, b, 1) * 7;
}

// A union read by other members, and copies by bytes.
KERNEL pieces(int *in, int *out, int n)
{
	__shared__ unsigned char pool[256];
	union { int *p[2]; unsigned char b[16]; } where;
	int mine = in[ME] + n;
	unsigned char copy[16];

	where.p[0] = &mine;
	where.p[1] = &in[ME ^ 1];
	for (int i = 0; i < 16; i++)
		copy[i] = where.b[i ^ (n & 8)];
	for (int i = 0; i < 16; i++)
		where.b[i] = copy[i];
	for (int i = 0; i < 4; i++)
		pool[4 * threadIdx.x + i] = ((const unsigned char *)where.p[i & 1])[i];
	__syncthreads();
	out[ME] = *(int *)(pool + 4 * (threadIdx.x ^ 9)) + *where.p[0];
}

kernels({ "constants", constants }, { "addresses", addresses }, { "strings", strings }, { "atomics", atomics },
	{ "a_queue", a_queue }, { "volatile_words", volatile_words }, { "counting_barriers", counting_barriers },
	{ "dot_products", dot_products }, { "pieces", pieces })
