// Discrete cosine transform of blocks of 8 by 8 in integers: rows, barrier, columns; factors in __constant memory.
__constant short c8[8][8] = {
	{ 91, 91, 91, 91, 91, 91, 91, 91 }, { 126, 106, 71, 25, -25, -71, -106, -126 },
	{ 118, 49, -49, -118, -118, -49, 49, 118 }, { 106, -25, -126, -71, 71, 126, 25, -106 },
	{ 91, -91, -91, 91, 91, -91, -91, 91 }, { 71, -126, 25, 106, -106, -25, 126, -71 },
	{ 49, -118, 118, -49, -49, 118, -118, 49 }, { 25, -71, 106, -126, 126, -106, 71, -25 },
};
__kernel void dct(__global short *blocks)
{
	__local int b[8][8], rows[8][8];
	int x = get_local_id(0), y = get_local_id(1);
	__global short *p = blocks + (get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 64;
	int sum = 0;

	b[y][x] = p[y * 8 + x];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < 8; k++)
		sum += c8[x][k] * b[y][k];
	rows[y][x] = sum >> 6;
	barrier(CLK_LOCAL_MEM_FENCE);
	sum = 0;
	for (int k = 0; k < 8; k++)
		sum += c8[y][k] * rows[k][x];
	p[y * 8 + x] = (short)(sum >> 9);
}
