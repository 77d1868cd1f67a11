// Kernels whose turns, costs and ends were recorded on an NVIDIA H100: docs/explanation/todays-gpus.md. A lane's turn is
// the rank of its clock. order.ptx: nvcc 13.0 -ptx -O3 -arch=compute_75. Inputs: tests/whole/test_todays_gpus.c.
#define CLOCK(t) asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory")
#define MAD(x, n) "mad.lo.u32 " x ", " x ", " x ", " n ";"
#define MADS(x, n) MAD(x, n) MAD(x, n) MAD(x, n) MAD(x, n) MAD(x, n)
#define WORK(x, n) asm volatile(MADS("%0", "%1") MADS("%0", "%1") : "+r"(x) : "n"(n))
#define LANE threadIdx.x

extern "C" {

// The two sides of an if, by a mask for each turn; `inverted`: the other side first in the text.
__global__ void if_else(unsigned *out, const unsigned *mask, int inverted, int n)
{
	for (int k = 0; k < n; k++) {
		bool p = (mask[k] >> LANE) & 1;
		unsigned t = 0, x = LANE;
		if (inverted) {
			if (!p) {
				CLOCK(t);
				WORK(x, 3);
			} else {
				CLOCK(t);
				WORK(x, 5);
			}
		} else {
			if (p) {
				CLOCK(t);
				WORK(x, 3);
			} else {
				CLOCK(t);
				WORK(x, 5);
			}
		}
		__syncwarp();
		out[k * 32 + LANE] = t;
		if (x == 0xffffffff)
			out[0] = 1;
	}
}

// An if in each side of an if, by two masks for each turn.
__global__ void leaves(unsigned *out, const unsigned *mask, int n)
{
	for (int k = 0; k < n; k++) {
		bool p = (mask[2 * k] >> LANE) & 1, q = (mask[2 * k + 1] >> LANE) & 1;
		unsigned t, x = LANE;
		if (p) {
			WORK(x, 3);
			if (q) {
				CLOCK(t);
				WORK(x, 7);
			} else {
				CLOCK(t);
				WORK(x, 9);
			}
			WORK(x, 2);
		} else {
			WORK(x, 5);
			if (q) {
				CLOCK(t);
				WORK(x, 11);
			} else {
				CLOCK(t);
				WORK(x, 13);
			}
			WORK(x, 4);
		}
		__syncwarp();
		out[k * 32 + LANE] = t;
		if (x == 0xffffffff)
			out[0] = 1;
	}
}

#define CASE(i) \
	case i: \
		CLOCK(t); \
		WORK(x, i + 20); \
		break;
__global__ void sw16(unsigned *out, const unsigned *in, int n)
{
	for (int k = 0; k < n; k++) {
		unsigned t, x = LANE;
		switch (in[k * 32 + LANE] & 15) {
			CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
			CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14)
		default:
			CLOCK(t);
			WORK(x, 99);
		}
		__syncwarp();
		out[k * 32 + LANE] = t;
		if (x == 0xffffffff)
			out[0] = 1;
	}
}

// Lanes leave a loop in different turns, by a break with work behind the clock.
__global__ void exits(unsigned *out, const unsigned *in, int n)
{
	for (int k = 0; k < n; k++) {
		unsigned c = in[k * 32 + LANE] & 7, t = 0, x = LANE;
		for (unsigned i = 0; i < 8; i++) {
			WORK(x, 3);
			if (i == c) {
				CLOCK(t);
				WORK(x, 5);
				break;
			}
			WORK(x, 7);
		}
		__syncwarp();
		out[k * 32 + LANE] = t;
		if (x == 0xffffffff)
			out[0] = 1;
	}
}

// Calls through a table of functions, each lane its own.
#define FUNCTION(name, n) \
	__device__ __noinline__ unsigned name(unsigned x) \
	{ \
		unsigned t; \
		CLOCK(t); \
		WORK(x, n); \
		return t + (x == 0xffffffff); \
	}
FUNCTION(first, 1)
FUNCTION(second, 2)
FUNCTION(third, 3)
FUNCTION(fourth, 4)
__device__ unsigned (*table[4])(unsigned) = { fourth, second, first, third };

__global__ void calls(unsigned *out, const unsigned *in, int n)
{
	for (int k = 0; k < n; k++) {
		unsigned t = table[in[k * 32 + LANE] & 3](LANE);
		__syncwarp();
		out[k * 32 + LANE] = t;
	}
}

// Cycles of n turns of a switch of 4, 8, 16 or 32 ways, each a single add.
#define ADD(j) \
	case j: \
		asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "n"(j + 1)); \
		break;
#define WAYS(k) \
	__global__ void ways##k(long long *cycles, unsigned *sink, int n) \
	{ \
		unsigned x = LANE; \
		long long begin = clock64(); \
		for (int i = 0; i < n; i++) \
			switch (LANE % k) { \
				ADD(0) ADD(1) ADD(2) ADD(3) ADD(4) ADD(5) ADD(6) ADD(7) \
				ADD(8) ADD(9) ADD(10) ADD(11) ADD(12) ADD(13) ADD(14) ADD(15) \
				ADD(16) ADD(17) ADD(18) ADD(19) ADD(20) ADD(21) ADD(22) ADD(23) \
				ADD(24) ADD(25) ADD(26) ADD(27) ADD(28) ADD(29) ADD(30) ADD(31) \
			} \
		long long end = clock64(); \
		if (LANE == 0) \
			cycles[0] = end - begin; \
		sink[LANE] = x; \
	}
WAYS(4)
WAYS(8)
WAYS(16)
WAYS(32)

// Barriers of the block under divergence; out[32 + lane] is 3 behind all of them.
__global__ void bar_both(unsigned *out)
{
	if (LANE < 16) {
		out[LANE] = 1;
		__syncthreads();
	} else {
		out[LANE] = 2;
		__syncthreads();
	}
	out[32 + LANE] = 3;
}
__global__ void bar_one_side(unsigned *out)
{
	if (LANE < 16) {
		__syncthreads();
		out[LANE] = 1;
	}
	out[32 + LANE] = 3;
}
__global__ void bar_unequal(unsigned *out)
{
	for (unsigned i = 0; i < (LANE < 16 ? 2 : 1); i++)
		__syncthreads();
	out[32 + LANE] = 3;
}
// Two warps, one of them split.
__global__ void bar_two_warps(unsigned *out)
{
	if (LANE < 32) {
		if (LANE < 16)
			asm volatile("bar.sync 0;");
		else
			asm volatile("bar.sync 0;");
	} else {
		asm volatile("bar.sync 0;");
	}
	out[64 + LANE] = 3;
}

// A naive spin lock, taken by all lanes of a warp.
__global__ void naive_lock(unsigned *out)
{
	unsigned *lock = out + 100;
	while (atomicCAS(lock, 0, 1) != 0)
		;
	out[99]++;
	__threadfence();
	atomicExch(lock, 0);
	out[LANE] = 7;
}
}
