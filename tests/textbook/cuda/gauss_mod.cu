// Gauss elimination modulo a prime with row exchanges: determinant and solution of a system for each block.
#define N 12
#define P 65521u
__device__ uint inverse(uint v)
{
	uint r = 1, e = P - 2;

	for (; e; e >>= 1, v = v * (ulong)v % P)
		if (e & 1)
			r = r * (ulong)v % P;
	return r;
}

extern "C" __global__ void gauss_mod(uint *solutions, uint *determinants, const uint *systems)
{
	__shared__ uint m[N][N + 1], factor[N];
	__shared__ uint det;
	__shared__ int pivot;
	uint l = threadIdx.x, size = blockDim.x, g = blockIdx.x;

	for (uint i = l; i < N * (N + 1); i += size)
		m[i / (N + 1)][i % (N + 1)] = systems[g * N * (N + 1) + i];
	if (l == 0)
		det = 1;
	__syncthreads();
	for (uint k = 0; k < N; k++) {
		if (l == 0) {
			pivot = -1;
			for (int r = k; r < N; r++)
				if (m[r][k]) {
					pivot = r;
					break;
				}
		}
		__syncthreads();
		if (pivot < 0) {
			if (l == 0)
				determinants[g] = 0;
			return;
		}
		if (pivot != k)
			for (uint c = l; c <= N; c += size) {
				uint t = m[k][c];
				m[k][c] = m[pivot][c];
				m[pivot][c] = t;
			}
		__syncthreads();
		if (l == 0) {
			det = (ulong)det * m[k][k] % P;
			if (pivot != k)
				det = P - det;
		}
		for (uint r = l; r < N; r += size)
			factor[r] = r == k ? 0 : (uint)((ulong)m[r][k] * inverse(m[k][k]) % P);
		__syncthreads();
		for (uint i = l; i < N * (N + 1); i += size) {
			uint r = i / (N + 1), c = i % (N + 1);
			if (factor[r] && c >= k)
				m[r][c] = (m[r][c] + (ulong)(P - factor[r]) * m[k][c]) % P;
		}
		__syncthreads();
	}
	for (uint r = l; r < N; r += size)
		solutions[g * N + r] = (ulong)m[r][N] * inverse(m[r][r]) % P;
	if (l == 0)
		determinants[g] = det;
}
