// Primality of numbers of 32 bits by Miller and Rabin with bases 2, 7 and 61: products and remainders of 64 bits.
typedef unsigned char uchar;

__device__ uint power(uint base, uint e, uint n)
{
	ulong r = 1, b = base % n;

	for (; e; e >>= 1) {
		if (e & 1)
			r = r * b % n;
		b = b * b % n;
	}
	return (uint)r;
}

extern "C" __global__ void miller_rabin(uchar *out, const uint *in)
{
	const uint bases[3] = { 2, 7, 61 };
	uint n = in[blockIdx.x * blockDim.x + threadIdx.x];
	bool prime = n > 1 && (n == 2 || n & 1);
	uint d = n - 1, s = 0;

	while (prime && !(d & 1)) {
		d >>= 1;
		s++;
	}
	for (int i = 0; i < 3 && prime && n > 3; i++) {
		if (bases[i] % n == 0)
			continue;
		uint x = power(bases[i], d, n);
		if (x == 1 || x == n - 1)
			continue;
		bool witness = true;
		for (uint r = 1; r < s; r++) {
			x = (uint)((ulong)x * x % n);
			if (x == n - 1) {
				witness = false;
				break;
			}
		}
		if (witness)
			prime = false;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = prime;
}
