/* A program with a race, which may give the right sums all the same. `warpbeam run --check race -- ./race` names the
 * line of race.cl. */
#include "open.h"

enum { N = 1024, BLOCK = 256 };

int main(int argc, char **argv)
{
	static cl_uint data[N], sums[N / BLOCK];

	(void)argc;
	for (cl_uint i = 0; i < N; i++)
		data[i] = i;
	open_all(argv[0], "race.cl");
	cl_kernel k = kernel("sum");
	cl_mem on_data = buffer(sizeof data, data), on_sums = buffer(sizeof sums, NULL);
	ARG(k, 0, on_data);
	ARG(k, 1, on_sums);
	launch(k, N, BLOCK);
	read_back(on_sums, sizeof sums, sums);
	OK(clReleaseMemObject(on_data));
	OK(clReleaseMemObject(on_sums));
	OK(clReleaseKernel(k));
	close_all();
	printf("the first sum is %u\n", sums[0]);
	return 0;
}
