// Jumps into and out of loops by goto, with two entries and several exits.
extern "C" __global__ void goto_tangle(uint *out, const uint *in)
{
	uint v = in[blockIdx.x * blockDim.x + threadIdx.x], a = v & 15, b = v >> 4 & 15, c = 0, fuel = 60;

	if (v & 0x100)
		goto inside;
again:
	if (a > b)
		goto larger;
	a += 3;
	c ^= a;
	if (!fuel--)
		goto out_of_fuel;
inside:
	b += c & 1 ? 2 : 1;
	if ((a ^ b) % 7 == 3)
		goto done;
	if (c & 8)
		goto larger;
	goto again;
larger:
	a -= b / 2 + 1;
	c += a;
	if (!fuel--)
		goto out_of_fuel;
	if (a & 4)
		goto inside;
	if (c % 5)
		goto again;
	c = c * 3 + 1;
done:
	out[blockIdx.x * blockDim.x + threadIdx.x] = c << 8 | (a & 15) << 4 | (b & 15);
	return;
out_of_fuel:
	out[blockIdx.x * blockDim.x + threadIdx.x] = ~c;
}
