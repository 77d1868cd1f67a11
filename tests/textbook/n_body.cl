// Accelerations of bodies by tiles in local memory; the last tile is not full.
__kernel void n_body(__global float4 *acceleration, __global const float4 *body, int n, __local float4 *tile)
{
	int i = get_global_id(0), size = get_local_size(0);
	float4 me = i < n ? body[i] : (float4)(0);
	float3 a = (float3)(0);

	for (int base = 0; base < n; base += size) {
		int count = min(size, n - base);
		if (get_local_id(0) < count)
			tile[get_local_id(0)] = body[base + get_local_id(0)];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int k = 0; k < count; k++) {
			float3 d = tile[k].xyz - me.xyz;
			float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.25f;
			a += d * (tile[k].w / (r2 * sqrt(r2)));
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (i < n)
		acceleration[i] = (float4)(a, 0);
}
