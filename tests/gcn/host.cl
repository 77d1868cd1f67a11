/* The functions of OpenCL C that the kernels of these tests call, for the host. Each says what the standard says of it;
 * none is taken from the library that the machine's programs are linked with. */
#pragma OPENCL FP_CONTRACT OFF
#define OVER __attribute__((overloadable))

ulong host_id(int what, uint dimension);
void host_barrier(void);
double host_sqrt(double);
double host_floor(double);
double host_fma(double, double, double);

OVER size_t get_global_id(uint d) { return host_id(0, d); }
OVER size_t get_local_id(uint d) { return host_id(1, d); }
OVER size_t get_group_id(uint d) { return host_id(2, d); }
OVER size_t get_local_size(uint d) { return host_id(3, d); }
OVER size_t get_num_groups(uint d) { return host_id(4, d); }
OVER size_t get_global_size(uint d) { return host_id(5, d); }
OVER void barrier(cl_mem_fence_flags f) { host_barrier(); }

#define EACH(T) \
	OVER T min(T a, T b) { return b < a ? b : a; } \
	OVER T max(T a, T b) { return a < b ? b : a; } \
	OVER T clamp(T v, T lo, T hi) { return min(max(v, lo), hi); }
EACH(int) EACH(uint) EACH(long) EACH(ulong)
OVER uint abs(int a) { return a < 0 ? 0u - (uint)a : (uint)a; }
OVER int mul_hi(int a, int b) { return (int)((long)a * b >> 32); }
OVER uint mul_hi(uint a, uint b) { return (uint)((ulong)a * b >> 32); }
OVER uint rotate(uint a, uint b) { b &= 31; return b ? a << b | a >> (32 - b) : a; }
OVER ulong rotate(ulong a, ulong b) { b &= 63; return b ? a << b | a >> (64 - b) : a; }
OVER uint popcount(uint a) { uint n = 0; for (; a; a &= a - 1) n++; return n; }
OVER uint clz(uint a) { uint n = 0; for (; n < 32 && !(a >> (31 - n)); n++) ; return n; }
OVER float fabs(float a) { return as_float(as_uint(a) & 0x7fffffffu); }
OVER double fabs(double a) { return as_double(as_ulong(a) & 0x7ffffffffffffffful); }
OVER float floor(float a) { return (float)host_floor(a); }
OVER double floor(double a) { return host_floor(a); }
OVER double sqrt(double a) { return host_sqrt(a); }
OVER double fma(double a, double b, double c) { return host_fma(a, b, c); }
OVER float fmin(float a, float b) { return b < a ? b : a; }
OVER float fmax(float a, float b) { return a < b ? b : a; }
OVER double fmin(double a, double b) { return b < a ? b : a; }
OVER double fmax(double a, double b) { return a < b ? b : a; }
OVER float4 convert_float4(int4 a) { return (float4)(a.x, a.y, a.z, a.w); }
OVER int4 convert_int4(float4 a) { return (int4)((int)a.x, (int)a.y, (int)a.z, (int)a.w); }
OVER uint3 vload3(size_t at, const __global uint *p) { p += 3 * at; return (uint3)(p[0], p[1], p[2]); }
OVER void vstore3(uint3 v, size_t at, __global uint *p) { p += 3 * at; p[0] = v.x; p[1] = v.y; p[2] = v.z; }
OVER uchar16 vload16(size_t at, const __global uchar *p)
{
	union { uchar16 vector; uchar byte[16]; } u;
	for (uint i = 0; i < 16; i++)
		u.byte[i] = p[16 * at + i];
	return u.vector;
}
OVER void vstore16(uchar16 v, size_t at, __global uchar *p)
{
	union { uchar16 vector; uchar byte[16]; } u;
	u.vector = v;
	for (uint i = 0; i < 16; i++)
		p[16 * at + i] = u.byte[i];
}
OVER uint4 vload4(size_t at, const __global uint *p) { p += 4 * at; return (uint4)(p[0], p[1], p[2], p[3]); }
OVER void vstore4(uint4 v, size_t at, __global uint *p) { p += 4 * at; p[0] = v.x; p[1] = v.y; p[2] = v.z; p[3] = v.w; }

/* Work-items take turns only at barriers. */
#define ATOMICS(S) \
	OVER uint atomic_add(volatile S uint *p, uint v) { uint old = *p; *p = old + v; return old; } \
	OVER uint atomic_inc(volatile S uint *p) { uint old = *p; *p = old + 1; return old; } \
	OVER uint atomic_xor(volatile S uint *p, uint v) { uint old = *p; *p = old ^ v; return old; } \
	OVER uint atomic_or(volatile S uint *p, uint v) { uint old = *p; *p = old | v; return old; } \
	OVER uint atomic_and(volatile S uint *p, uint v) { uint old = *p; *p = old & v; return old; } \
	OVER uint atomic_max(volatile S uint *p, uint v) { uint old = *p; *p = max(old, v); return old; } \
	OVER uint atomic_min(volatile S uint *p, uint v) { uint old = *p; *p = min(old, v); return old; } \
	OVER int atomic_max(volatile S int *p, int v) { int old = *p; *p = max(old, v); return old; } \
	OVER uint atomic_cmpxchg(volatile S uint *p, uint c, uint v) { uint old = *p; *p = old == c ? v : old; return old; }
ATOMICS(__global)
ATOMICS(__local)
