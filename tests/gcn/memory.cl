// Loads, stores and atomics of every kind; what each kernel must leave is in tests/whole/test_gcn_memory.c.
typedef struct __attribute__((packed)) { uchar a; uint b; ushort c; } packed;

int pick(int *p, int i)
{
	return p[i];
}

#if __OPENCL_C_VERSION__ >= 200
// One pointer to LDS, private and global memory.
__kernel void windows(__global uint *out, uint n)
{
	__local uint words[64];
	uint i = get_global_id(0), k = get_local_id(0);
	uint mine[4] = { i, i + 1, i + 2, i + 3 };

	words[k] = i * 3;
	barrier(CLK_LOCAL_MEM_FENCE);
	const uint *p = n & 1 << (i & 3) ? (const uint *)&words[k ^ 1] : (const uint *)&mine[i & 3];
	if ((i & 7) == 7)
		p = out + 1024 + i;
	out[i] = *p;
}
#else
__kernel void unaligned(__global uint *out, __global const uchar *in)
{
	uint i = get_global_id(0);
	__global const packed *p = (__global const packed *)in;
	uchar4 v = vload4(0, in + i + 1);

	out[i] = p[i].a + p[i].b + p[i].c + v.x + (v.y << 8) + (v.z << 16) + ((uint)v.w << 24);
}

__kernel void narrow(__global short *out, __global const short *in)
{
	__local char bytes[64];
	__local short halves[64];
	uint i = get_global_id(0), k = get_local_id(0);

	bytes[k] = in[i] * 3;
	halves[k] = in[i] * 5;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = (bytes[k ^ 3] >> 1) + halves[63 - k];
}

__kernel void atomics(__global int *out)
{
	__local uint sum, bins[8];
	__local int most;
	uint k = get_local_id(0);

	if (k == 0) {
		sum = 0;
		most = -5;
	}
	if (k < 8)
		bins[k] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&sum, k);
	atomic_max(&most, (int)k);
	if (atomic_inc(&bins[k & 7]) == 31)
		atomic_add(out + 5, 1);
	barrier(CLK_LOCAL_MEM_FENCE);
	if (k < 8)
		atomic_add(out + 8 + k, bins[k]);
	if (k == 8)
		atomic_add(out + 6, sum + most);
	atomic_add(out, k);
	atomic_min(out + 1, -(int)k);
	atomic_or(out + 2, 1 << (k & 31));
	atomic_cmpxchg(out + 7, 0, 99);
	if (atomic_sub(out + 3, 1) == -1000)
		out[4] = 77;
}

// A private array by index, 64-bit integers, a call, a switch.
__kernel void private_array(__global ulong *out, __global const ulong *in)
{
	uint i = get_global_id(0);
	ulong v = in[i];
	int words[20], sum = 0;

	for (int k = 0; k < 20; k++)
		words[k] = (int)(v >> k) ^ k;
	for (int k = 0; k < 20; k++)
		sum += pick(words, (words[k] & 0x7fffffff) % 20) * k;
	switch (i % 5) {
	case 0: v *= 7; break;
	case 1: v /= 3 + i; break;
	case 2: v %= 1000003; break;
	case 3: v = popcount(v) + clz(v); break;
	default: v = rotate(v, (ulong)13);
	}
	out[i] = v + (ulong)(long)sum;
}

__kernel void sizes(__global uint *out)
{
	uint at = get_global_id(1) * get_global_size(0) + get_global_id(0);

	out[at] = get_group_id(0) | get_group_id(1) << 4 | get_local_id(0) << 8 | get_local_id(1) << 12 |
		  get_local_size(0) << 16 | get_num_groups(1) << 20 | get_local_id(2) << 28;
}

__kernel void with_image(read_only image2d_t image, __global uint *out)
{
	out[0] = 1;
}
#endif
