/* A breadth-first search with a loop on the host: launches until no vertex has changed. The vertices have different
 * numbers of neighbours, so warps diverge. */
#include "open.h"

enum { N = 2000, BLOCK = 64, MOST = 16 };

static cl_uint first[N + 1], edge[N * MOST];
static int distance[N], expected[N];

static void make_graph(void)
{
	cl_uint seed = 7, n = 0;

	for (int v = 0; v < N; v++) {
		first[v] = n;
		for (int i = v % MOST / 4; i >= 0; i--) {
			seed = seed * 1664525 + 1013904223;
			edge[n++] = (seed >> 8) % N;
		}
	}
	first[N] = n;
}

static void search(void)
{
	static int list[N];
	int n = 1;

	for (int v = 0; v < N; v++)
		expected[v] = distance[v] = v ? -1 : 0;
	for (int i = 0; i < n; i++)
		for (cl_uint e = first[list[i]]; e < first[list[i] + 1]; e++)
			if (expected[edge[e]] < 0) {
				expected[edge[e]] = expected[list[i]] + 1;
				list[n++] = (int)edge[e];
			}
}

int main(int argc, char **argv)
{
	const cl_uint n = N, zero = 0;
	cl_uint changed = 1;
	int steps = 0;

	(void)argc;
	make_graph();
	search();
	open_all(argv[0], "bfs.cl");
	cl_kernel k = kernel("advance");
	cl_mem on_first = buffer(sizeof first, first), on_edge = buffer(sizeof edge, edge);
	cl_mem on_distance = buffer(sizeof distance, distance), on_changed = buffer(sizeof changed, NULL);
	ARG(k, 0, on_first);
	ARG(k, 1, on_edge);
	ARG(k, 2, on_distance);
	ARG(k, 4, n);
	ARG(k, 5, on_changed);
	for (; changed; steps++) {
		OK(clEnqueueWriteBuffer(queue, on_changed, CL_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL));
		ARG(k, 3, steps);
		launch(k, (N + BLOCK - 1) / BLOCK * BLOCK, BLOCK);
		read_back(on_changed, sizeof changed, &changed);
	}
	read_back(on_distance, sizeof distance, distance);
	printf("%d launches\n", steps);
	OK(clReleaseMemObject(on_first));
	OK(clReleaseMemObject(on_edge));
	OK(clReleaseMemObject(on_distance));
	OK(clReleaseMemObject(on_changed));
	OK(clReleaseKernel(k));
	close_all();
	return verdict(!memcmp(distance, expected, sizeof distance), "breadth-first search");
}
