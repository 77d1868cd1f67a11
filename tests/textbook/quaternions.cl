// Vectors turned by quaternions: products with float4, cross and dot; whole numbers, so that all is exact.
float4 product(float4 p, float4 q)
{
	return (float4)(p.w * q.xyz + q.w * p.xyz + cross(p.xyz, q.xyz), p.w * q.w - dot(p.xyz, q.xyz));
}

__kernel void quaternions(__global float4 *v, __global const float4 *q)
{
	int i = get_global_id(0);
	float4 conjugate = (float4)(-q[i].xyz, q[i].w);

	v[i] = product(product(q[i], v[i]), conjugate);
}
