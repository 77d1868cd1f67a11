// Fast Fourier transform of 64 complex floats for each group, in place, factors from a __constant parameter.
#define N 64
__kernel void fft(__global float2 *data, __constant float2 *factor)
{
	__local float2 s[N];
	int l = get_local_id(0), size = get_local_size(0);
	__global float2 *d = data + get_group_id(0) * N;

	for (int i = l; i < N; i += size) {
		int r = 0;
		for (int b = 0; b < 6; b++)
			r |= (i >> b & 1) << (5 - b);
		s[r] = d[i];
	}
	for (int half_size = 1; half_size < N; half_size *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int i = l; i < N / 2; i += size) {
			int k = i & (half_size - 1), a = 2 * (i - k) + k, b = a + half_size;
			float2 w = factor[k * (N / 2 / half_size)];
			float2 t = (float2)(w.x * s[b].x - w.y * s[b].y, w.x * s[b].y + w.y * s[b].x);
			s[b] = s[a] - t;
			s[a] = s[a] + t;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = l; i < N; i += size)
		d[i] = s[i];
}
