// y = a x + y over any number of elements: each work-item starts at its id and steps by the number of work-items.
__kernel void stride_saxpy(__global int *y, __global const int *x, int a, int n)
{
	for (int i = get_global_id(0); i < n; i += get_global_size(0))
		y[i] = a * x[i] + y[i];
}
