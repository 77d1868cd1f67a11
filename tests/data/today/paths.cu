// Which lanes were where, in the order of time, recorded on an NVIDIA H100: tests/data/today/paths.txt,
// docs/explanation/todays-gpus.md. paths.ptx: nvcc 13.0 -ptx -O3 -arch=compute_75.

// The lowest active lane appends {id, active mask, clock} to the buffer, without a branch.
__device__ __forceinline__ void ev(unsigned *buf, unsigned id)
{
	asm volatile("{\n\t.reg .pred p; .reg .u32 m, l, t, o, c, b; .reg .u64 a;\n\t"
		     "activemask.b32 m;\n\tneg.s32 t, m;\n\tand.b32 t, t, m;\n\tmov.u32 l, %%laneid;\n\tmov.u32 c, 1;\n\t"
		     "shl.b32 c, c, l;\n\tsetp.eq.u32 p, c, t;\n\tmov.u32 c, %%clock;\n\t"
		     "@p atom.global.add.u32 o, [%0], 1;\n\t@p mul.lo.u32 o, o, 12;\n\t@p cvt.u64.u32 a, o;\n\t"
		     "@p add.u64 a, a, %0;\n\t@p st.global.u32 [a+4], %1;\n\t@p st.global.u32 [a+8], m;\n\t"
		     "@p st.global.u32 [a+12], c;\n\t}" ::"l"(buf), "r"(id) : "memory");
}

#define L (threadIdx.x & 31)

extern "C" {

__global__ void ifelse(unsigned *b, int k)
{
	ev(b, 0);
	if ((int)L < k) {
		ev(b, 1);
		ev(b, 2);
	} else {
		ev(b, 3);
		ev(b, 4);
	}
	ev(b, 5);
}

__global__ void ifelse_rev(unsigned *b, int k)
{
	ev(b, 0);
	if ((int)L >= k) {
		ev(b, 1);
		ev(b, 2);
	} else {
		ev(b, 3);
		ev(b, 4);
	}
	ev(b, 5);
}

__global__ void ifonly(unsigned *b, int k)
{
	ev(b, 0);
	if ((int)L < k) {
		ev(b, 1);
	}
	ev(b, 5);
}

__global__ void odd(unsigned *b, int k)
{
	ev(b, 0);
	if (L & 1) {
		ev(b, 1);
	} else {
		ev(b, 3);
	}
	ev(b, 5);
}

__global__ void sw8(unsigned *b, int k)
{
	ev(b, 0);
	switch (L % 8) {
	case 0:
		ev(b, 10);
		break;
	case 1:
		ev(b, 11);
		break;
	case 2:
		ev(b, 12);
		break;
	case 3:
		ev(b, 13);
		break;
	case 4:
		ev(b, 14);
		break;
	case 5:
		ev(b, 15);
		break;
	case 6:
		ev(b, 16);
		break;
	case 7:
		ev(b, 17);
		break;
	}
	ev(b, 5);
}

__global__ void sw8r(unsigned *b, int k)
{
	ev(b, 0);
	switch (7 - L / 4) {
	case 0:
		ev(b, 10);
		break;
	case 1:
		ev(b, 11);
		break;
	case 2:
		ev(b, 12);
		break;
	case 3:
		ev(b, 13);
		break;
	case 4:
		ev(b, 14);
		break;
	case 5:
		ev(b, 15);
		break;
	case 6:
		ev(b, 16);
		break;
	case 7:
		ev(b, 17);
		break;
	}
	ev(b, 5);
}

__global__ void loopv(unsigned *b, int k)
{
	ev(b, 0);
	for (unsigned i = 0; i < L / 8 + 1; i++)
		ev(b, 10 + i);
	ev(b, 5);
}

__global__ void early(unsigned *b, int k)
{
	ev(b, 0);
	if (L < 16) {
		ev(b, 1);
		return;
	}
	ev(b, 3);
	ev(b, 4);
}

__global__ void earlyr(unsigned *b, int k)
{
	ev(b, 0);
	if (L >= 16) {
		ev(b, 1);
		ev(b, 2);
	} else {
		ev(b, 6);
		return;
	}
	ev(b, 3);
}

__global__ void brkwork(unsigned *b, int k)
{
	ev(b, 0);
	for (unsigned i = 0; i < 4; i++) {
		ev(b, 10 + i);
		if (i == L / 8) {
			ev(b, 20 + i);
			ev(b, 30 + i);
			break;
		}
		ev(b, 40 + i);
	}
	ev(b, 5);
}

__global__ void contwork(unsigned *b, int k)
{
	ev(b, 0);
	for (unsigned i = 0; i < 3; i++) {
		ev(b, 10 + i);
		if ((L >> i) & 1) {
			ev(b, 20 + i);
			continue;
		}
		ev(b, 40 + i);
	}
	ev(b, 5);
}

__global__ void nested(unsigned *b, int k)
{
	ev(b, 0);
	if (L < 16) {
		ev(b, 1);
		if (L < 8)
			ev(b, 2);
		else
			ev(b, 3);
		ev(b, 4);
	} else {
		ev(b, 6);
		if (L < 24)
			ev(b, 7);
		else
			ev(b, 8);
		ev(b, 9);
	}
	ev(b, 5);
}

__global__ void shortcut(unsigned *b, int k)
{
	ev(b, 0);
	if ((L & 1) && (ev(b, 1), (L & 2)) || (ev(b, 2), (L & 4)))
		ev(b, 3);
	else
		ev(b, 4);
	ev(b, 5);
}

// both sides long: interleaving?

__global__ void longs(unsigned *b, int k)
{
	ev(b, 0);
	if (L < 16) {
		for (int i = 0; i < k; i++)
			if (i % (k / 8) == 0)
				ev(b, 100 + i / (k / 8));
	} else {
		for (int i = 0; i < k; i++)
			if (i % (k / 8) == 0)
				ev(b, 200 + i / (k / 8));
	}
	ev(b, 5);
}

__global__ void longmem(unsigned *b, int k, volatile unsigned *g)
{
	ev(b, 0);
	unsigned s = 0;
	if (L < 16) {
		for (int i = 0; i < k; i++) {
			s += g[(L * 64 + i * 997) & 0xfffff];
			if (i % (k / 8) == 0)
				ev(b, 100 + i / (k / 8));
		}
	} else {
		for (int i = 0; i < k; i++) {
			s += g[(L * 64 + i * 991) & 0xfffff];
			if (i % (k / 8) == 0)
				ev(b, 200 + i / (k / 8));
		}
	}
	ev(b, 5);
	if (s == 12345)
		b[0] = 9;
}

// producer, consumer in one warp

__global__ void prodcons(unsigned *b, int k)
{
	__shared__ volatile int flag;
	if (L == 0)
		flag = 0;
	__syncwarp();
	ev(b, 0);
	long long t0 = clock64();
	if (L == k) {
		ev(b, 1);
		flag = 1;
		ev(b, 2);
	} else {
		while (!flag)
			if (clock64() - t0 > 200000000ll) {
				ev(b, 9);
				break;
			}
		ev(b, 3);
	}
	ev(b, 5);
}

__global__ void spin1(unsigned *b, int k, unsigned *lock, unsigned *sum)
{
	ev(b, 0);
	long long t0 = clock64();
	bool dead = false;
	while (atomicCAS(lock, 0, 1))
		if (clock64() - t0 > 200000000ll) {
			dead = true;
			break;
		}
	if (!dead) {
		*(volatile unsigned *)sum = *(volatile unsigned *)sum + 1;
		__threadfence();
		atomicExch(lock, 0);
	}
	ev(b, dead ? 9 : 5);
}

__global__ void spin2(unsigned *b, int k, unsigned *lock, unsigned *sum)
{
	ev(b, 0);
	long long t0 = clock64();
	bool done = false;
	while (!done && clock64() - t0 < 200000000ll)
		if (atomicCAS(lock, 0, 1) == 0) {
			*(volatile unsigned *)sum = *(volatile unsigned *)sum + 1;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
	ev(b, done ? 5 : 9);
}
}
