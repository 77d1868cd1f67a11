// Sparse matrix times vector, rows in CSR; eight threads a row and a tree in shared memory.
extern "C" __global__ void spmv_csr(int *y, const int *row, const ushort *column, const int *value,
				const int *x, int rows)
{
	__shared__ int part[256];
	int l = threadIdx.x, lane = l & 7, r = (blockIdx.x * blockDim.x + threadIdx.x) / 8, sum = 0;

	if (r < rows)
		for (int e = row[r] + lane; e < row[r + 1]; e += 8)
			sum += value[e] * x[column[e]];
	part[l] = sum;
	__syncthreads();
	for (int s = 4; s; s /= 2) {
		if (lane < s)
			part[l] += part[l + s];
		__syncthreads();
	}
	if (lane == 0 && r < rows)
		y[r] = part[l];
}
