// Sparse matrix times vector in ELL format, columns of -1 as filling.
__kernel void spmv_ell(__global float *y, __global const int *column, __global const float *value,
		       __global const float *x, int rows, int width)
{
	int r = get_global_id(0);

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
