// Roots by Newton's steps with a bound and by bisection, until each work-item is content: compared within a tolerance.
__kernel void newton(__global float *roots, __global const float *in)
{
	int i = get_global_id(0);
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
