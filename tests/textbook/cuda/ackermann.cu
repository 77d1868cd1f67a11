// Ackermann's function by a stack of pending calls.
typedef unsigned char uchar;

extern "C" __global__ void ackermann(uint2 *out)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x, n = g / 3 % 6, most = 0;
	uchar stack[80];
	int top = 0;

	stack[top++] = g % 3;
	while (top > 0) {
		uint m = stack[--top];
		if (m == 0) {
			n++;
		} else if (n == 0) {
			stack[top++] = m - 1;
			n = 1;
		} else {
			stack[top++] = m - 1;
			stack[top++] = m;
			n--;
		}
		if (top > most)
			most = top;
	}
	out[g] = make_uint2(n, most);
}
