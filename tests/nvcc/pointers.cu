// Pointers whose memory is known when the kernel runs: kept in arrays and structures, chosen, swapped, compared,
// handed to functions that stay calls.
#include "host.h"

__device__ __noinline__ void exchange(int &a, int &b)
{
	int t = a;
	a = b;
	b = t;
}

__device__ __noinline__ int sum(const int *p, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += p[i] * (i + 1);
	return s;
}

// References to locals, to shared and to global memory.
KERNEL references(int *in, int *out, int n)
{
	__shared__ int pool[64];
	int here = in[ME], there = n;

	pool[threadIdx.x] = 3 * threadIdx.x;
	exchange(here, there);
	exchange(pool[threadIdx.x], here);
	exchange(there, pool[threadIdx.x]);
	out[ME] = 7;
	exchange(out[ME], there);
	out[ME] += here * 5 + there * 11 + pool[threadIdx.x] * 13;
}

// Pointers of three memories in an array of the thread.
KERNEL in_an_array(int *in, int *out, int n)
{
	__shared__ int pool[64];
	int mine[8];

	pool[threadIdx.x] = in[ME] ^ n;
	for (int i = 0; i < 8; i++)
		mine[i] = i * n + threadIdx.x;
	__syncthreads();
	const int *where[4] = { pool, mine, in + blockIdx.x * 64, mine + 2 };
	int s = 0;
	for (int i = 0; i < 4; i++)
		s = s * 3 + sum(where[(i + threadIdx.x) & 3], 5);
	where[n & 3] = pool + (threadIdx.x & 31);
	out[ME] = s + where[threadIdx.x & 3][3];
}

// An array of the thread, sorted by functions.
__device__ __noinline__ void sift(int *p, int n)
{
	for (int i = 1; i < n; i++)
		for (int *q = p + i; q > p && q[-1] > q[0]; q--)
			exchange(q[-1], q[0]);
}

KERNEL sorted(int *in, int *out, int n)
{
	__shared__ int pool[64 * 4];
	int mine[6];

	for (int i = 0; i < 6; i++)
		mine[i] = in[(ME * 7 + i * 13) & 255] >> 3;
	for (int i = 0; i < 4; i++)
		pool[threadIdx.x * 4 + i] = in[(ME * 5 + i * 29) & 255];
	sift(mine, 6);
	sift(pool + 4 * threadIdx.x, 4);
	out[ME] = sum(mine, 6) + sum(&pool[4 * threadIdx.x], 4) + n;
}

// Two buffers that change places, as in a scan or a stencil.
KERNEL two_buffers(int *in, int *out, int n)
{
	__shared__ int first[64], second[64];
	int *from = first, *to = second;

	from[threadIdx.x] = in[ME];
	for (int step = 1; step < 64; step *= 2) {
		__syncthreads();
		to[threadIdx.x] = from[threadIdx.x] + (threadIdx.x >= step ? from[threadIdx.x - step] : 0);
		int *t = from;
		from = to;
		to = t;
	}
	__syncthreads();
	out[ME] = from[threadIdx.x] + n;
}

// A buffer in shared memory if there is space, else in global memory.
KERNEL a_choice(int *in, int *out, int n)
{
	__shared__ int pool[64];
	int *buffer = n + blockIdx.x & 1 ? pool : out + blockIdx.x * 64;

	buffer[threadIdx.x] = in[ME] * 2;
	__syncthreads();
	int word = buffer[63 - threadIdx.x];
	__syncthreads();
	out[ME] = word + 1;
}

struct node {
	int value;
	node *next, *other;
};

// A list whose nodes are in shared memory, with pointers there.
KERNEL a_list(int *in, int *out, int n)
{
	__shared__ node pool[64];
	node *me = &pool[threadIdx.x];

	me->value = in[ME] & 1023;
	me->next = threadIdx.x + n < 64 ? me + n : 0;
	me->other = &pool[threadIdx.x ^ 5];
	__syncthreads();
	int s = 0;
	for (const node *p = me; p; p = p->next)
		s = s * 3 + p->value + p->other->value;
	out[ME] = s;
}

// A tree in the memory of the thread, without recursion.
KERNEL a_tree(int *in, int *out, int n)
{
	node nodes[10], *root = 0, *stack[10];
	int depth = 0, s = n, place = 1;

	for (int i = 0; i < 10; i++) {
		node *leaf = &nodes[i], **at = &root;
		leaf->value = in[(ME + 17 * i) & 255] % 100;
		leaf->next = leaf->other = 0;
		while (*at)
			at = leaf->value < (*at)->value ? &(*at)->next : &(*at)->other;
		*at = leaf;
	}
	for (node *p = root; p || depth; p = p->other) {
		for (; p; p = p->next)
			stack[depth++] = p;
		p = stack[--depth];
		s += p->value * place++;
	}
	out[ME] = s;
}

// A place or none.
__device__ __noinline__ const int *find(const int *p, int n, int least)
{
	for (int i = 0; i < n; i++)
		if (p[i] > least)
			return p + i;
	return 0;
}

KERNEL a_place_or_none(int *in, int *out, int n)
{
	__shared__ int pool[64];
	int mine[4] = { in[ME], n, in[ME] / 2, 9 };

	pool[threadIdx.x] = in[ME];
	__syncthreads();
	const int *first = find(mine, 4, n * 100), *second = find(pool, 64, in[ME ^ 1]);
	const int *third = first ? first : second;
	out[ME] = (first ? *first - (int)(first - mine) : -1) + (second ? *second + (int)(second - pool) : -2) +
		  (third ? *third : 5);
}

// The distance of pointers, beside a pointer to other memory.
KERNEL distances(int *in, int *out, int n)
{
	__shared__ char text[256];
	char *end = text + 4 * threadIdx.x, *begin = text + (n & 3);

	for (int i = 0; i < 4; i++)
		text[4 * threadIdx.x + i] = (char)(in[ME] >> 8 * i);
	__syncthreads();
	const char *bytes = (const char *)(in + blockIdx.x * 64);
	out[ME] = bytes[end - text] + 256 * (begin < end) + (int)(end - begin) * 512 + end[n & 3];
}

// Bytes, halves and long words through pointers that may be anywhere.
template <typename T> __device__ __noinline__ T through(T *p, T add)
{
	T old = *p;
	*p = (T)(old + add);
	return old;
}

KERNEL widths(int *in, int *out, int n)
{
	__shared__ long long pool[64];
	union { signed char c[8]; short h[4]; long long l; } mine;

	mine.l = in[ME] * 0x100000001ll;
	pool[threadIdx.x] = in[ME ^ 3] * 0x10001ll;
	long long s = through(&mine.c[3], (signed char)n) + through(&mine.h[1], (short)n);
	s += through(&pool[threadIdx.x], (long long)in[ME] << 20);
	s += through((unsigned char *)&pool[threadIdx.x] + 5, (unsigned char)200);
	s += through((unsigned short *)out + 2 * ME, (unsigned short)1);
	s += through(&mine.l, 1ll << 33);
	out[ME] = (int)(s ^ s >> 32) + (int)(mine.l >> 32) + (int)mine.l + (int)(pool[threadIdx.x] >> 7);
}

kernels({ "references", references }, { "in_an_array", in_an_array }, { "sorted", sorted },
	{ "two_buffers", two_buffers }, { "a_choice", a_choice }, { "a_list", a_list }, { "a_tree", a_tree },
	{ "a_place_or_none", a_place_or_none }, { "distances", distances }, { "widths", widths })
