// Vectors of two and four ints at multiples of four bytes, not of the vector's size, to private and local memory.
__kernel void ints_unaligned(__global int *out, __global const int *in)
{
	__local int rows[5 * 128 + 1];
	int l = get_local_id(0), g = get_global_id(0);
	int own[9];

	vstore4(vload4(g, in + 1), 0, rows + 5 * l + 1);
	rows[5 * l] = g;
	barrier(CLK_LOCAL_MEM_FENCE);
	int neighbour = (l + 1) % get_local_size(0);
	vstore2(vload2(0, rows + 5 * neighbour), 0, own + 1);
	vstore4(vload4(0, rows + 5 * neighbour + 1), 0, own + 3);
	own[0] = own[3] + own[2];
	own[7] = own[8] = own[4] ^ own[5];
	vstore3(vload3(0, own), g, out);
}
