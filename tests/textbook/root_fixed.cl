// Integer square and cube roots, and a fixed-point logarithm by squaring.
__kernel void root_fixed(__global uint4 *out, __global const uint *in, int n)
{
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
		uint v = in[i], rest = v, root = 0, bit = 1u << 30;
		while (bit > rest)
			bit >>= 2;
		while (bit) {
			if (rest >= root + bit) {
				rest -= root + bit;
				root = (root >> 1) + bit;
			} else {
				root >>= 1;
			}
			bit >>= 2;
		}
		uint cube = 0;
		for (int s = 30; s >= 0; s -= 3) {
			cube *= 2;
			uint b = 3 * cube * (cube + 1) + 1;
			if (v >> s >= b) {
				v -= b << s;
				cube++;
			}
		}
		uint log = 0, m = in[i] ? in[i] : 1, whole = 31 - clz(m);
		m <<= 31 - whole;
		for (int k = 0; k < 10; k++) {
			m = (uint)((ulong)m * m >> 32);
			log <<= 1;
			if (m & 0x80000000)
				log |= 1;
			else
				m <<= 1;
		}
		out[i] = (uint4)(root, rest, cube, whole << 10 | log);
	}
}
