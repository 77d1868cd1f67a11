// Sparse matrix times vector, rows in CSR; eight work-items a row and a tree in local memory.
__kernel void spmv_csr(__global int *y, __global const int *row, __global const ushort *column,
		       __global const int *value, __global const int *x, int rows)
{
	__local int part[256];
	int l = get_local_id(0), lane = l & 7, r = get_global_id(0) / 8, sum = 0;

	if (r < rows)
		for (int e = row[r] + lane; e < row[r + 1]; e += 8)
			sum += value[e] * x[column[e]];
	part[l] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int s = 4; s; s /= 2) {
		if (lane < s)
			part[l] += part[l + s];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (lane == 0 && r < rows)
		y[r] = part[l];
}
