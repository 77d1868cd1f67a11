// Simpson's rule for the integral of a polynomial, strided over intervals, floats of whole numbers summed exactly.
__kernel void simpson(__global float *out, __constant float *coefficient, int intervals)
{
	__local float part[128];
	int l = get_local_id(0), size = get_local_size(0);
	float sum = 0;

	for (int i = l; i <= intervals; i += size) {
		float x = i, v = ((coefficient[3] * x + coefficient[2]) * x + coefficient[1]) * x + coefficient[0];
		int weight = i == 0 || i == intervals ? 1 : i & 1 ? 4 : 2;
		sum += weight * v;
	}
	part[l] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (l == 0) {
		for (int i = 1; i < size; i++)
			sum += part[i];
		out[get_group_id(0)] = sum + get_group_id(0);
	}
}
