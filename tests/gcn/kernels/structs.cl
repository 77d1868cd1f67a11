/* Structures by value and by pointer, nested, with members of several sizes. */
struct point { short x, y; };
struct body {
	struct point at;
	uchar kind;
	ulong mass;
	uint next[3];
};

struct point moved(struct point p, int by)
{
	struct point q = { (short)(p.x + by), (short)(p.y - by) };
	return q;
}

__kernel void structs(__global struct body *out, __global const uint *in, uint n)
{
	uint i = get_global_id(0);
	struct body b;
	if (i >= n)
		return;
	b.at.x = (short)in[i];
	b.at.y = (short)(in[i] >> 16);
	b.kind = (uchar)(in[i] >> 3);
	b.mass = (ulong)in[i] * in[i + 1];
	for (int k = 0; k < 3; k++)
		b.next[k] = in[i + k] ^ (uint)k;
	b.at = moved(b.at, b.kind & 1 ? 5 : -7);
	__global struct body *to = &out[n - 1 - i];
	to->at = b.at;
	to->kind = b.kind;
	to->mass = b.mass;
	for (int k = 0; k < 3; k++)
		to->next[k] = b.next[2 - k];
}
