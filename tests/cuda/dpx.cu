// Least and greatest numbers of CUDA 12 (DPX), on the device and on the host, against sums and comparisons of long
// numbers: all pairs and triples of numbers at the borders.
#include <cstdio>

typedef long long wide;

static const unsigned borders[] = { 0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80007fff, 0xffffffff,
				    0xfffe0003 };
enum { N = sizeof borders / sizeof *borders, WORDS = 36 };

__host__ __device__ void results(unsigned a, unsigned b, unsigned c, unsigned *r)
{
	bool p, q;
	int n = 0;

#define THREE(name) r[n++] = name(a, b, c)
#define KINDS(name) \
	THREE(name##_s32); THREE(name##_u32); THREE(name##_s32_relu); THREE(name##_s16x2); THREE(name##_u16x2); \
	THREE(name##_s16x2_relu)
	KINDS(__vimax3);
	KINDS(__vimin3);
	KINDS(__viaddmax);
	KINDS(__viaddmin);
	r[n++] = __vimax_s32_relu(a, b);
	r[n++] = __vimin_s32_relu(a, b);
	r[n++] = __vimax_s16x2_relu(a, b);
	r[n++] = __vimin_s16x2_relu(a, b);
	/* A predicate is told by a lowest bit that is not the number's. */
#define ONE(name) r[n] = name(a, b, &p); r[n++] ^= p
#define TWO(name) r[n] = name(a, b, &p, &q); r[n++] ^= p << 16 | q
	ONE(__vibmax_s32); ONE(__vibmax_u32); ONE(__vibmin_s32); ONE(__vibmin_u32);
	TWO(__vibmax_s16x2); TWO(__vibmax_u16x2); TWO(__vibmin_s16x2); TWO(__vibmin_u16x2);
}

__global__ void on_device(unsigned a, unsigned b, const unsigned *c, unsigned *r)
{
	results(a, b, c[threadIdx.x], r + WORDS * threadIdx.x);
}

static wide number(unsigned word, int bits, bool is_signed)
{
	wide n = bits == 32 ? word : word & 0xffff;

	return is_signed && n >> (bits - 1) ? n - (1ll << bits) : n;
}
static wide least(wide a, wide b) { return a < b ? a : b; }
static wide greatest(wide a, wide b) { return a < b ? b : a; }

/* kind: 0 max3, 1 min3, 2 addmax, 3 addmin, 4 max, 5 min; of one part of the words. */
static unsigned part(int kind, unsigned a, unsigned b, unsigned c, int bits, bool is_signed, bool relu)
{
	wide x = number(a, bits, is_signed), y = number(b, bits, is_signed), z = number(c, bits, is_signed), r;
	wide sum = number((unsigned)(x + y), bits, is_signed);

	switch (kind) {
	case 0: r = greatest(greatest(x, y), z); break;
	case 1: r = least(least(x, y), z); break;
	case 2: r = greatest(sum, z); break;
	case 3: r = least(sum, z); break;
	case 4: r = greatest(x, y); break;
	default: r = least(x, y);
	}
	r = relu ? greatest(r, 0) : r;
	return bits == 32 ? (unsigned)r : (unsigned)r & 0xffff;
}
static unsigned expected(int kind, unsigned a, unsigned b, unsigned c, int bits, bool is_signed, bool relu)
{
	return bits == 32 ? part(kind, a, b, c, 32, is_signed, relu)
			  : part(kind, a, b, c, 16, is_signed, relu) |
				    part(kind, a >> 16, b >> 16, c >> 16, 16, is_signed, relu) << 16;
}

static int wrong(unsigned a, unsigned b, unsigned c, const unsigned *r)
{
	int n = 0, bad = 0;

	for (int kind = 0; kind < 4; kind++)
		for (int k = 0; k < 6; k++, n++)
			bad += r[n] != expected(kind, a, b, c, k < 3 ? 32 : 16, k % 3 != 1, k % 3 == 2);
	for (int k = 0; k < 4; k++, n++)
		bad += r[n] != expected(4 + k % 2, a, b, c, k < 2 ? 32 : 16, true, true);
	for (int k = 0; k < 8; k++, n++) {
		int bits = k < 4 ? 32 : 16, greater = !(k & 2);
		bool is_signed = !(k & 1);
		unsigned want = expected(greater ? 4 : 5, a, b, c, bits, is_signed, false);
		for (int shift = 0; shift < 32; shift += bits) {
			wide x = number(a >> shift, bits, is_signed), y = number(b >> shift, bits, is_signed);
			want ^= (unsigned)(greater ? x >= y : x <= y) << shift;
		}
		bad += r[n] != want;
	}
	return bad;
}

int main()
{
	unsigned *c, *r, here[WORDS];
	int device = 0, host = 0;

	cudaMallocManaged(&c, sizeof borders);
	cudaMallocManaged(&r, N * WORDS * sizeof *r);
	for (int k = 0; k < N; k++)
		c[k] = borders[k];
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			on_device<<<1, N>>>(borders[i], borders[j], c, r);
			cudaDeviceSynchronize();
			for (int k = 0; k < N; k++) {
				device += wrong(borders[i], borders[j], borders[k], r + WORDS * k);
				results(borders[i], borders[j], borders[k], here);
				host += wrong(borders[i], borders[j], borders[k], here);
			}
		}
	printf("%d wrong on the device, %d on the host\n", device, host);
	return device + host != 0;
}
