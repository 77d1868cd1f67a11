// A Jacobi step on a grid of floats, and the largest change of each group by an atomic maximum of bits.
__kernel void jacobi(__global float *out, __global uint *change, __global const float *in, int width, int height)
{
	int x = get_global_id(0), y = get_global_id(1);
	__local uint largest;

	if (get_local_id(0) == 0 && get_local_id(1) == 0)
		largest = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (x < width && y < height) {
		float v = in[y * width + x];
		if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
			v = 0.25f * (in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] +
				     in[(y + 1) * width + x]);
		out[y * width + x] = v;
		atomic_max(&largest, as_uint(fabs(v - in[y * width + x])));
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 0 && get_local_id(1) == 0)
		change[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = largest;
}
