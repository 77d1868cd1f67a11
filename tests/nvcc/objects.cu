// Structures by value and as results, templates, lambdas, classes without virtual functions.
#include "host.h"

struct mixed {
	char a;
	short b;
	int c;
	double d;
	unsigned char e[3];
};

__device__ __noinline__ mixed changed(int x, mixed y)
{
	mixed s;
	s.a = (char)x;
	s.b = (short)(x * 2);
	s.c = y.c + 1;
	s.d = y.d * 2;
	s.e[0] = 1;
	s.e[1] = y.e[x & 1];
	s.e[2] = (unsigned char)y.a;
	return s;
}

KERNEL by_value(int *in, int *out, int n)
{
	mixed m = { (char)n, (short)in[ME], in[ME], (double)(in[ME] & 255), { 4, 5, 6 } };

	for (int i = 0; i < 3; i++)
		m = changed(in[(ME + i) & 255], m);
	out[ME] = m.a + m.b * 3 + m.c * 5 + (int)m.d * 7 + m.e[0] + m.e[1] * 11 + m.e[2] * 13;
}

struct pair { int a, b; };
struct bytes { unsigned char b[7]; };

__device__ __noinline__ pair turned(pair p) { pair q = { p.b, -p.a }; return q; }

__device__ __noinline__ bytes rotated(bytes x, int by)
{
	bytes y;
	for (int i = 0; i < 7; i++)
		y.b[(i + by) % 7] = x.b[i];
	return y;
}

KERNEL small_structures(int *in, int *out, int n)
{
	pair p = { in[ME], n };
	bytes b;

	for (int i = 0; i < 7; i++)
		b.b[i] = (unsigned char)(in[ME] >> i);
	for (int i = 0; i < (n & 3) + 1; i++)
		p = turned(p);
	b = rotated(b, (ME + n) % 7);
	int s = p.a * 3 + p.b;
	for (int i = 0; i < 7; i++)
		s = s * 5 + b.b[i];
	out[ME] = s;
}

template <typename T, int N> struct vec {
	T x[N];
	__device__ vec operator+(const vec &o) const
	{
		vec r;
		for (int i = 0; i < N; i++)
			r.x[i] = x[i] + o.x[i];
		return r;
	}
	__device__ __noinline__ T dot(const vec &o) const
	{
		T s = 0;
		for (int i = 0; i < N; i++)
			s += x[i] * o.x[i];
		return s;
	}
	__device__ T &operator[](int i) { return x[i]; }
};

KERNEL templates(int *in, int *out, int n)
{
	__shared__ vec<int, 3> pool[64];
	vec<int, 3> v, w;
	vec<short, 5> h;

	for (int i = 0; i < 3; i++) {
		v[i] = in[(ME + i) & 255];
		w[i] = n * i;
	}
	for (int i = 0; i < 5; i++)
		h[i] = (short)(in[ME] >> i);
	pool[threadIdx.x] = v + w;
	__syncthreads();
	v[n % 3] += 5;
	out[ME] = v.dot(pool[63 - threadIdx.x]) + pool[threadIdx.x].dot(w) + h.dot(h);
}

template <typename F> __device__ __noinline__ int each(int n, F f)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += f(i);
	return s;
}

KERNEL lambdas(int *in, int *out, int n)
{
	__shared__ int pool[64];
	int seen = 0, last = n, *p = &last;

	pool[threadIdx.x] = in[ME];
	__syncthreads();
	int s = each(5, [&](int i) { seen += i; last ^= pool[(threadIdx.x + i) & 63]; return *p + i; });
	s += each(3, [=](int i) { return s * i + pool[i] + in[i]; });
	out[ME] = s + seen * 100 + last;
}

template <class Self> struct shape {
	__device__ int twice() const { return 2 * static_cast<const Self *>(this)->area(); }
};
struct square : shape<square> { int a; __device__ __noinline__ int area() const { return a * a; } };
struct box : shape<box> { int a; short b; __device__ __noinline__ int area() const { return a * b; } };

struct counter {
	int *place, step;
	__device__ counter(int *p, int s) : place(p), step(s) {}
	__device__ __noinline__ int next() { int old = *place; *place += step; return old; }
};

KERNEL classes(int *in, int *out, int n)
{
	__shared__ int pool[64];
	square s;
	box b;
	int mine = n;

	s.a = in[ME] & 255;
	b.a = n;
	b.b = (short)in[ME];
	pool[threadIdx.x] = in[ME];
	out[ME] = 1;
	counter c[3] = { counter(&mine, 2), counter(&pool[threadIdx.x], 3), counter(&out[ME], 5) };
	int t = 0;
	for (int i = 0; i < 6; i++)
		t = t * 3 + c[(i * n + threadIdx.x) % 3].next();
	out[ME] += t + s.twice() + b.twice() + mine + pool[threadIdx.x];
}

// Rows of a matrix of the thread, and a tile of shared memory, by pointers to arrays.
__device__ __noinline__ void product(const int (*a)[3], const int (*b)[3], int (*c)[3])
{
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++) {
			c[i][k] = 0;
			for (int j = 0; j < 3; j++)
				c[i][k] += a[i][j] * b[j][k];
		}
}

KERNEL matrices(int *in, int *out, int n)
{
	__shared__ int tile[8][9], other[3][3];
	int a[3][3], b[3][3], c[3][3];

	tile[threadIdx.x / 8][threadIdx.x % 8] = in[ME];
	if (threadIdx.x < 9)
		other[threadIdx.x / 3][threadIdx.x % 3] = in[ME] >> 4;
	for (int i = 0; i < 9; i++) {
		a[i / 3][i % 3] = in[(ME + i) & 255] & 15;
		b[i / 3][i % 3] = i - n;
	}
	__syncthreads();
	product(a, b, c);
	product(c, other, a);
	int (*rows)[3] = n & 1 ? a : c, s = tile[threadIdx.x % 8][threadIdx.x / 8];
	for (int i = 0; i < 9; i++)
		s = s * 3 + rows[i / 3][i % 3];
	out[ME] = s;
}

kernels({ "by_value", by_value }, { "small_structures", small_structures }, { "templates", templates },
	{ "lambdas", lambdas }, { "classes", classes }, { "matrices", matrices })
