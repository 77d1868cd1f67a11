/* A scan of more elements than a block has: blocks, sums of blocks, sums of those, and back; five launches, which see
 * each other's memory. */
#include "open.h"

enum { BLOCK = 64, LEVELS = 3, N = BLOCK * BLOCK * BLOCK };

static void scan(cl_mem level[LEVELS + 1], size_t n, int at)
{
	cl_kernel k = kernel("scan_blocks"), add = kernel("add_sums");

	ARG(k, 0, level[at]);
	ARG(k, 1, level[at + 1]);
	launch(k, n, BLOCK);
	if (n > BLOCK) {
		scan(level, n / BLOCK, at + 1);
		ARG(add, 0, level[at]);
		ARG(add, 1, level[at + 1]);
		launch(add, n, BLOCK);
	}
	OK(clReleaseKernel(k));
	OK(clReleaseKernel(add));
}

int main(int argc, char **argv)
{
	static cl_uint data[N], expected[N];
	cl_mem level[LEVELS + 1];
	cl_uint sum = 0;

	(void)argc;
	for (cl_uint i = 0; i < N; i++) {
		data[i] = i * 2654435761u >> 28;
		expected[i] = sum;
		sum += data[i];
	}
	open_all(argv[0], "scan.cl");
	level[0] = buffer(sizeof data, data);
	for (size_t i = 1, n = N / BLOCK; i <= LEVELS; i++, n /= BLOCK)
		level[i] = buffer(n * sizeof *data, NULL);
	scan(level, N, 0);
	read_back(level[0], sizeof data, data);
	for (int i = 0; i <= LEVELS; i++)
		OK(clReleaseMemObject(level[i]));
	close_all();
	return verdict(!memcmp(data, expected, sizeof data), "scan");
}
