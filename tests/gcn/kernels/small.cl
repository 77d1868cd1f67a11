/* Bytes and halves of words, signed and not, in memory and in arithmetic; what bits a word has. */
__kernel void small(__global uchar *out, __global const uchar *in, uint n)
{
	uint i = get_global_id(0);
	if (i >= n)
		return;
	char a = (char)in[i];
	uchar b = in[i + 1];
	short s = *(__global const short *)(in + (i & ~1u));
	ushort u = (ushort)(a * b);
	int r = a * s + b - (u >> 3) + (char)(a + b) + (uchar)(b << 1);
	uint w = (uint)r ^ rotate((uint)r, (uint)b & 31) ^ mul_hi((uint)r, 0x9e3779b9u);
	w += popcount((uint)r) + clz((uint)u | 1u) + abs(a) + (uint)clamp(r, -100, 100);
	*(__global ushort *)(out + 4 * i) = (ushort)w;
	out[4 * i + 2] = (uchar)(w >> 16);
	out[4 * i + 3] = a < s ? 1 : (uchar)-a;
}
