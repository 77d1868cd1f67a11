// Rays against spheres from a __constant parameter: index of the nearest hit and the distance.
__kernel void ray_sphere(__global int *hit, __global float *distance, __constant float4 *sphere, int n, int width)
{
	int i = get_global_id(0), best = -1;
	float3 d = (float3)((i % width) * 0.0625f - 1.0f, (i / width) * 0.0625f - 0.5f, 1.0f);
	float nearest = 1e30f, length2 = dot(d, d);

	for (int k = 0; k < n; k++) {
		float3 c = sphere[k].xyz;
		float b = dot(c, d), disc = b * b - length2 * (dot(c, c) - sphere[k].w * sphere[k].w);
		if (disc < 0)
			continue;
		float t = (b - sqrt(disc)) / length2;
		if (t <= 0 || t >= nearest)
			continue;
		nearest = t;
		best = k;
	}
	hit[i] = best;
	distance[i] = best < 0 ? -1.0f : nearest;
}
