// Digits of n! in private memory, base 10000, a thread for each n; sum of the decimal digits and number of words.
extern "C" __global__ void factorial_digits(uint2 *out, uint most)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x, n = g % most, words = 1;
	ushort big[30];

	big[0] = 1;
	for (uint f = 2; f <= n; f++) {
		uint carry = 0;
		for (uint i = 0; i < words; i++) {
			carry += big[i] * f;
			big[i] = carry % 10000;
			carry /= 10000;
		}
		while (carry) {
			big[words++] = carry % 10000;
			carry /= 10000;
		}
	}
	uint sum = 0;
	for (uint i = 0; i < words; i++)
		for (uint v = big[i]; v; v /= 10)
			sum += v % 10;
	out[g] = make_uint2(sum, words);
}
