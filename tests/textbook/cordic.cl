// Sine and cosine in fixed point (28 fraction bits) by CORDIC, angles in a __constant table.
__constant int angles[24] = {
	210828714, 124459457, 65760959, 33381290, 16755422, 8385879, 4193963, 2097109, 1048571, 524287, 262144, 131072,
	65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32,
};
__kernel void cordic(__global int2 *out, __global const int *in)
{
	int x = 163008219, y = 0, z = in[get_global_id(0)];
	bool turned = false;

	if (z > 421657428) {
		z -= 843314857;
		turned = true;
	} else if (z < -421657428) {
		z += 843314857;
		turned = true;
	}
	for (int i = 0; i < 24; i++) {
		int dx = y >> i, dy = x >> i;
		if (z >= 0) {
			x -= dx;
			y += dy;
			z -= angles[i];
		} else {
			x += dx;
			y -= dy;
			z += angles[i];
		}
	}
	out[get_global_id(0)] = turned ? (int2)(-x, -y) : (int2)(x, y);
}
