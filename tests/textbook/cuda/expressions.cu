// Expressions in reverse Polish notation, a line for each thread; faults of the stack end a line.
extern "C" __global__ void expressions(int *values, const char *lines, int width)
{
	const char *p = lines + (blockIdx.x * blockDim.x + threadIdx.x) * width;
	int stack[16], n = 0;

	for (int i = 0; i < width && p[i]; i++) {
		char c = p[i];
		if (c >= '0' && c <= '9') {
			if (n == 16) {
				n = -1;
				break;
			}
			stack[n++] = c - '0';
			continue;
		}
		if (c == '~') {
			if (n < 1) {
				n = -1;
				break;
			}
			stack[n - 1] = -stack[n - 1];
			continue;
		}
		if (n < 2) {
			n = -1;
			break;
		}
		int b = stack[--n], a = stack[--n], r;
		switch (c) {
		case '+': r = a + b; break;
		case '-': r = a - b; break;
		case '*': r = a * b; break;
		case '<': r = min(a, b); break;
		case '>': r = max(a, b); break;
		default: r = b ? a % b : 0;
		}
		stack[n++] = r;
	}
	values[blockIdx.x * blockDim.x + threadIdx.x] = n == 1 ? stack[0] : n < 0 ? -1000000 : n - 2000000;
}
