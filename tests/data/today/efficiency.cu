// Thirteen kernels that ran on an NVIDIA H100 with its profiler, and run here: docs/explanation/todays-gpus.md.
// efficiency.ptx: nvcc 13.0 -ptx -O3 -arch=compute_75. Sizes and inputs: tests/whole/test_todays_gpus.c.
extern "C" {

__global__ void collatz(unsigned *out)
{
	unsigned v = blockIdx.x * blockDim.x + threadIdx.x + 1, s = 0;
	while (v != 1 && s < 1000) {
		v = (v & 1) ? 3 * v + 1 : v >> 1;
		s++;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void mandel(unsigned *out, int w, int h, int m)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	float cr = x * (3.0f / w) - 2.0f, ci = y * (2.0f / h) - 1.0f, zr = 0, zi = 0;
	int n = 0;
	while (n < m && zr * zr + zi * zi < 4.0f) {
		float t = zr * zr - zi * zi + cr;
		zi = 2 * zr * zi + ci;
		zr = t;
		n++;
	}
	out[y * w + x] = n;
}

__global__ void histo(unsigned *out, const unsigned *in, int n)
{
	__shared__ unsigned h[64];
	for (int i = threadIdx.x; i < 64; i += blockDim.x)
		h[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&h[in[i] & 63], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < 64; i += blockDim.x)
		atomicAdd(&out[i], h[i]);
}

__global__ void queens(unsigned *out, int n)
{
	unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned c0 = t % n, c1 = (t / n) % n;
	unsigned cols[12], d1[12], d2[12], fr[12];
	unsigned full = (1u << n) - 1, cnt = 0;
	unsigned b0 = 1u << c0, b1 = 1u << c1;
	bool ok = t < (unsigned)(n * n) && !(b1 & (b0 | (b0 << 1) | (b0 >> 1)));
	if (ok) {
		int d = 2;
		cols[2] = b0 | b1;
		d1[2] = ((b0 << 1) | b1) << 1;
		d2[2] = ((b0 >> 1) | b1) >> 1;
		fr[2] = full & ~(cols[2] | d1[2] | d2[2]);
		while (d >= 2) {
			if (fr[d] == 0) {
				d--;
				continue;
			}
			unsigned bit = fr[d] & -fr[d];
			fr[d] ^= bit;
			if (d == n - 1) {
				cnt++;
				continue;
			}
			cols[d + 1] = cols[d] | bit;
			d1[d + 1] = (d1[d] | bit) << 1;
			d2[d + 1] = (d2[d] | bit) >> 1;
			d++;
			fr[d] = full & ~(cols[d] | d1[d] | d2[d]);
		}
	}
	out[t] = cnt;
}

__global__ void reduce_div(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	unsigned t = threadIdx.x;
	s[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (unsigned d = 1; d < 256; d *= 2) {
		if (t % (2 * d) == 0)
			s[t] += s[t + d];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = s[0];
}

__global__ void reduce_con(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	unsigned t = threadIdx.x;
	s[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (unsigned d = 128; d > 0; d /= 2) {
		if (t < d)
			s[t] += s[t + d];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = s[0];
}

__global__ void bitonic(unsigned *a)
{
	__shared__ unsigned s[256];
	unsigned t = threadIdx.x;
	s[t] = a[blockIdx.x * 256 + t];
	for (unsigned k = 2; k <= 256; k *= 2)
		for (unsigned j = k / 2; j > 0; j /= 2) {
			__syncthreads();
			unsigned p = t ^ j;
			if (p > t) {
				unsigned x = s[t], y = s[p];
				if (((t & k) == 0) == (x > y)) {
					s[t] = y;
					s[p] = x;
				}
			}
		}
	__syncthreads();
	a[blockIdx.x * 256 + t] = s[t];
}

__global__ void scan(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	unsigned t = threadIdx.x;
	s[t] = in[blockIdx.x * 256 + t];
	__syncthreads();
	for (unsigned d = 1; d < 256; d *= 2) {
		unsigned v = 0;
		if (t >= d)
			v = s[t - d];
		__syncthreads();
		s[t] += v;
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = s[t];
}

__global__ void switch8(unsigned *out, const unsigned *in)
{
	unsigned t = blockIdx.x * blockDim.x + threadIdx.x, v = in[t];
	for (int i = 0; i < 16; i++) {
		switch (v % 8) {
		case 0:
			v = v * 3 + t;
			break;
		case 1:
			v = (v ^ t) * 5;
			break;
		case 2:
			for (unsigned j = 0; j < (v & 3); j++)
				v = v * 7 + j;
			v++;
			break;
		case 3:
			v = v / 3 + t;
			break;
		case 4:
			v = (v >> 3) * 11 + 1;
			break;
		case 5:
			if (v & 16)
				v = v * v + 1;
			else
				v = v * 13 + 2;
			break;
		case 6:
			v = __popc(v) * 17 + t;
			break;
		case 7:
			v = v % 97 + t * 19;
			break;
		}
	}
	out[t] = v;
}

__global__ void nested(unsigned *out, const unsigned *in)
{
	unsigned t = blockIdx.x * blockDim.x + threadIdx.x, v = in[t], s = 0;
	for (unsigned i = 0; i < (v & 31); i++) {
		if (v & 1) {
			if (v & 2)
				s += v * 3;
			else {
				s ^= v;
				if (v & 64)
					break;
			}
		} else {
			for (unsigned j = 0; j < (v & 7); j++)
				s = s * 5 + j;
		}
		v = v * 1664525 + 1013904223;
	}
	out[t] = s;
}

__global__ void bfs(unsigned *dist, const unsigned *row, const unsigned *col, unsigned *more, unsigned level, int n)
{
	unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t < n && dist[t] == level)
		for (unsigned e = row[t]; e < row[t + 1]; e++) {
			unsigned d = col[e];
			if (dist[d] == ~0u) {
				dist[d] = level + 1;
				*more = 1;
			}
		}
}

__global__ void binsearch(unsigned *out, const unsigned *a, const unsigned *q, int n)
{
	unsigned t = blockIdx.x * blockDim.x + threadIdx.x, k = q[t];
	int lo = 0, hi = n;
	while (lo < hi) {
		int m = (lo + hi) / 2;
		if (a[m] == k) {
			lo = m;
			break;
		}
		if (a[m] < k)
			lo = m + 1;
		else
			hi = m;
	}
	out[t] = lo;
}

__global__ void interp(unsigned *out, const unsigned *code, int n)
{
	unsigned t = blockIdx.x * blockDim.x + threadIdx.x, acc = t, pc = t % n, st[8];
	int sp = 0;
	for (int i = 0; i < 200; i++) {
		unsigned c = code[pc];
		switch (c & 7) {
		case 0:
			acc += c >> 3;
			pc++;
			break;
		case 1:
			acc *= 3;
			pc++;
			break;
		case 2:
			pc = (acc & 1) ? (c >> 3) % n : pc + 1;
			break;
		case 3:
			if (sp < 8)
				st[sp++] = acc;
			pc++;
			break;
		case 4:
			if (sp > 0)
				acc ^= st[--sp];
			pc++;
			break;
		case 5:
			acc >>= 1;
			pc++;
			break;
		case 6:
			pc = (c >> 3) % n;
			break;
		case 7:
			acc = acc * acc + 1;
			pc++;
			break;
		}
		if (pc >= n)
			pc = 0;
	}
	out[t] = acc;
}
}
