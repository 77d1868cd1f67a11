// Gauss elimination modulo a prime with row exchanges: determinant and solution of a system for each group.
#define N 12
#define P 65521u
uint inverse(uint v)
{
	uint r = 1, e = P - 2;

	for (; e; e >>= 1, v = v * (ulong)v % P)
		if (e & 1)
			r = r * (ulong)v % P;
	return r;
}

__kernel void gauss_mod(__global uint *solutions, __global uint *determinants, __global const uint *systems)
{
	__local uint m[N][N + 1], factor[N];
	__local uint det;
	__local int pivot;
	uint l = get_local_id(0), size = get_local_size(0), g = get_group_id(0);

	for (uint i = l; i < N * (N + 1); i += size)
		m[i / (N + 1)][i % (N + 1)] = systems[g * N * (N + 1) + i];
	if (l == 0)
		det = 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint k = 0; k < N; k++) {
		if (l == 0) {
			pivot = -1;
			for (int r = k; r < N; r++)
				if (m[r][k]) {
					pivot = r;
					break;
				}
		}
		barrier(CLK_LOCAL_MEM_FENCE);
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
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l == 0) {
			det = (ulong)det * m[k][k] % P;
			if (pivot != k)
				det = P - det;
		}
		for (uint r = l; r < N; r += size)
			factor[r] = r == k ? 0 : (uint)((ulong)m[r][k] * inverse(m[k][k]) % P);
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint i = l; i < N * (N + 1); i += size) {
			uint r = i / (N + 1), c = i % (N + 1);
			if (factor[r] && c >= k)
				m[r][c] = (m[r][c] + (ulong)(P - factor[r]) * m[k][c]) % P;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	for (uint r = l; r < N; r += size)
		solutions[g * N + r] = (ulong)m[r][N] * inverse(m[r][r]) % P;
	if (l == 0)
		determinants[g] = det;
}
