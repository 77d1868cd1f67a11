struct body { float4 at; int n; struct { short lo; uchar hi; } in; };
__constant float table[4] = { 0.5f, 1.5f, 2.5f, 3.5f };

__attribute__((noinline)) float scaled(float a, int k, __private float *q)
{
	float r = a * *q;
	for (int j = 0; j < k; j++)
		r = r * 2 + j;
	*q = r;
	return r;
}

__kernel void variables(__global float *out, __global struct body *bodies, __local int *dyn, int n, long big, float scale)
{
	__local long wide[3];
	__local int tile[64];
	__local short odd_one;
	int l = get_local_id(0), low = -l;
	struct body mine = bodies[l & 3];
	float arr[6];
	long sum = big;
	uint far = 1;

	for (int k = 0; k < 6; k++)
		arr[k] = scale * k + l;
	if (l == 0)
		odd_one = -3;
	wide[l % 3] = big;
	tile[l] = l * n;
	dyn[l] = l;
	for (; far < 8; far *= 2) {
		int t = 0;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (l >= far)
			t = tile[l - far];
		barrier(CLK_LOCAL_MEM_FENCE);
		tile[l] += t;
		sum += t;
		mine.n += t;
	}
	float part = table[l & 3];
	float h = scaled(part, n, &part);
	out[l] = h + sum + mine.n + mine.at.x + arr[n] + wide[0] + odd_one + low;
}
