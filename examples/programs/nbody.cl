#define TILE 64

/* One step of time for bodies that attract each other: x, y, z and mass in a float4. A block reads the bodies by tiles,
 * each tile once for all threads. */
kernel void advance(global const float4 *now, global float4 *next, global float4 *speed, uint n, float dt)
{
	local float4 tile[TILE];
	uint i = get_global_id(0), t = get_local_id(0);
	float4 me = now[i], pull = 0;

	for (uint from = 0; from < n; from += TILE) {
		tile[t] = now[from + t];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint k = 0; k < TILE; k++) {
			float4 d = tile[k] - me;
			float near = 1 / sqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
			pull += d * (tile[k].w * near * near * near);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	pull.w = 0;
	speed[i] += pull * dt;
	next[i] = me + speed[i] * dt;
}
