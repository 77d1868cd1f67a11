/* The kernels of the throughput bench in OpenCL C, for other interpreters and compilers: arguments, sizes and answers
 * are those of bench/kernels.c, buffers first, then scalars. */

#define GROUP 256
#define LINE __attribute__((reqd_work_group_size(GROUP, 1, 1)))
#define TILE __attribute__((reqd_work_group_size(16, 16, 1)))

kernel LINE void saxpy(global const float *x, global float *y, float a, uint n)
{
	size_t i = get_global_id(0);

	if (i < n)
		y[i] += a * x[i];
}

kernel TILE void mandelbrot(global uint *out, uint width, float dx, float dy, uint rounds)
{
	size_t column = get_global_id(0), row = get_global_id(1);
	float cx = (float)column * dx - 2.0f, cy = (float)row * dy - 1.125f;
	float x = 0, y = 0, xx = 0, yy = 0;
	uint n;

	for (n = 0; n < rounds && xx + yy <= 4.0f; n++) {
		y = 2.0f * x * y + cy;
		x = xx - yy + cx;
		xx = x * x;
		yy = y * y;
	}
	out[row * width + column] = n;
}

kernel TILE void matmul(global const float *a, global const float *b, global float *product, uint n)
{
	local float tile_a[16][16], tile_b[16][16];
	size_t lx = get_local_id(0), ly = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
	float sum = 0;

	for (uint at = 0; at < n; at += 16) {
		tile_a[ly][lx] = a[row * n + at + lx];
		tile_b[ly][lx] = b[(at + ly) * n + column];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (uint i = 0; i < 16; i++)
			sum += tile_a[ly][i] * tile_b[i][lx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	product[row * n + column] = sum;
}

kernel LINE void reduce(global const float *in, global float *out)
{
	local float part[GROUP];
	size_t me = get_local_id(0);

	part[me] = in[get_global_id(0)];
	for (uint half_way = GROUP / 2; half_way; half_way /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (me < half_way)
			part[me] += part[me + half_way];
	}
	if (me == 0)
		out[get_group_id(0)] = part[0];
}

/* Each group counts 64 values a thread in its own bins, then adds them up. */
kernel LINE void histogram(global const uint *in, global uint *out)
{
	local uint bin[GROUP];
	size_t me = get_local_id(0);

	bin[me] = 0;
	in += get_group_id(0) * GROUP * 64;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint i = 0; i < 64; i++)
		atomic_inc(&bin[in[i * GROUP + me] % GROUP]);
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&out[me], bin[me]);
}

kernel LINE void collatz(global uint *out)
{
	size_t i = get_global_id(0);
	uint value = (uint)i + 1, steps = 0;

	for (; value != 1 && steps < 1000; steps++)
		value = value % 2 ? 3 * value + 1 : value / 2;
	out[i] = steps;
}

/* Each group sorts 512 values. */
kernel LINE void bitonic(global uint *data)
{
	local uint part[2 * GROUP];
	size_t me = get_local_id(0);

	data += get_group_id(0) * 2 * GROUP;
	part[me] = data[me];
	part[me + GROUP] = data[me + GROUP];
	for (uint run = 2; run <= 2 * GROUP; run *= 2) {
		for (uint step = run / 2; step; step /= 2) {
			size_t low = 2 * me - me % step, high = low + step;
			barrier(CLK_LOCAL_MEM_FENCE);
			uint a = part[low], b = part[high];
			if ((a > b) == ((low & run) == 0)) {
				part[low] = b;
				part[high] = a;
			}
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	data[me] = part[me];
	data[me + GROUP] = part[me + GROUP];
}

/* Eight chains, two multiply-adds a trip on each. */
kernel LINE void alu(global float *out, float b, float c, uint trips)
{
	size_t i = get_global_id(0);
	float8 x = (float8)((float)i) + (float8)(0, 1, 2, 3, 4, 5, 6, 7);

	for (uint t = 0; t < trips; t++) {
		x = x * b + c;
		x = x * c + b;
	}
	out[i] = ((x.s0 + x.s1) + (x.s2 + x.s3)) + ((x.s4 + x.s5) + (x.s6 + x.s7));
}
