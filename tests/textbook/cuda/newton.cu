// Roots by Newton's steps with a bound and by bisection, until each thread is content: compared within a tolerance.
extern "C" __global__ void newton(float *roots, const float *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = in[i], x = a > 1 ? a : 1, low = 0, high = x;

	for (int n = 0; n < 60; n++) {
		float next = 0.5f * (x + a / x);
		if (fabs(next - x) < 1e-6f * x) {
			x = next;
			break;
		}
		x = next;
	}
	while (high - low > 1e-5f * high) {
		float middle = 0.5f * (low + high);
		if (middle * middle * middle < a)
			low = middle;
		else
			high = middle;
		if (low == middle && high == middle)
			break;
	}
	roots[2 * i] = x;
	roots[2 * i + 1] = low;
}
