// Sparse matrix times vector in ELL format, columns of -1 as filling.
extern "C" __global__ void spmv_ell(float *y, const int *column, const float *value, const float *x, int rows,
				int width)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;

	if (r >= rows)
		return;
	float sum = 0;
	for (int k = 0; k < width; k++) {
		int c = column[k * rows + r];
		if (c < 0)
			break;
		sum += value[k * rows + r] * x[c];
	}
	y[r] = sum;
}
