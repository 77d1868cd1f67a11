/* Models of graph kernels: searches, shortest paths, components, orders, ranks, triangles, colours. */
#include "tests/textbook/textbook.h"
#include "tests/textbook/themes.h"

enum { VERTICES_MAX = 256 };

/* A graph as a matrix of bits, and its lists of neighbours. */
struct graph {
	int n;
	bool edge[VERTICES_MAX][VERTICES_MAX];
	int32_t row[VERTICES_MAX + 1];
	int32_t column[VERTICES_MAX * 32];
};

static void list_neighbours(struct graph *g)
{
	int32_t e = 0;

	for (int v = 0; v < g->n; v++) {
		g->row[v] = e;
		for (int w = 0; w < g->n; w++)
			if (g->edge[v][w])
				g->column[e++] = w;
	}
	g->row[g->n] = e;
}

/* Random edges; directed: from lower to higher vertices only, else both ways. */
static struct graph *make_graph(struct task *t, int n, int edges, bool directed)
{
	struct graph *g = calloc(1, sizeof *g);

	g->n = n;
	for (int i = 0; i < edges; i++) {
		uint32_t a = task_below(t, (uint32_t)n), b = task_below(t, (uint32_t)n);
		uint32_t low = a < b ? a : b, high = a ^ b ^ low;
		if (a == b)
			continue;
		g->edge[low][high] = true;
		if (!directed)
			g->edge[high][low] = true;
	}
	list_neighbours(g);
	return g;
}

static void give_lists(struct task *t, const struct graph *g)
{
	memcpy(task_in(t, (size_t)g->n + 1, 4), g->row, ((size_t)g->n + 1) * 4);
	memcpy(task_in(t, (size_t)g->row[g->n], 4), g->column, (size_t)g->row[g->n] * 4);
}

static void bfs_block(struct task *t)
{
	enum { N = 200 };
	struct graph *g = make_graph(t, N, 260, false);
	int32_t *want = task_out(t, N, 4);

	for (int v = 0; v < N; v++)
		want[v] = v == 3 ? 0 : -1;
	for (int level = 0; level < N; level++)
		for (int v = 0; v < N; v++)
			for (int w = 0; want[v] == level && w < N; w++)
				if (g->edge[v][w] && want[w] < 0)
					want[w] = level + 1;
	give_lists(t, g);
	task_s32(t, N);
	task_s32(t, 3);
	free(g);
}

static void floyd_warshall(struct task *t)
{
	enum { N = 24, FAR = 1 << 20 };
	size_t cells = t->groups[0] * N * N;
	int32_t *want, *start = task_inout(t, cells, 4, &want);

	for (size_t i = 0; i < cells; i++)
		start[i] = i / N % N == i % N ? 0 : task_below(t, 6) ? FAR : 1 + (int32_t)task_below(t, 90);
	memcpy(want, start, cells * 4);
	for (unsigned g = 0; g < t->groups[0]; g++)
		for (int k = 0; k < N; k++)
			for (int i = 0; i < N; i++)
				for (int j = 0; j < N; j++) {
					int32_t *d = want + g * N * N;
					if (d[i * N + k] + d[k * N + j] < d[i * N + j])
						d[i * N + j] = d[i * N + k] + d[k * N + j];
				}
}

struct weighted {
	uint16_t from, to;
	int32_t weight;
};

static void bellman_ford(struct task *t)
{
	enum { N = 90, EDGES = 350, FAR = 1 << 28 };
	int32_t *want = task_out(t, N, 4);
	struct weighted *e = task_in(t, EDGES, sizeof *e);

	for (int i = 0; i < EDGES; i++) {
		uint32_t from = task_below(t, N), to = task_below(t, N);
		/* negative weights forwards only: no negative cycle */
		int32_t weight = (int32_t)task_below(t, 100) + (from < to ? -20 : 400);
		e[i] = (struct weighted){ (uint16_t)from, (uint16_t)to, weight };
		if (from > to)
			e[i].weight = weight + 2000;
	}
	for (int v = 0; v < N; v++)
		want[v] = v ? FAR : 0;
	for (int round = 0; round < N; round++)
		for (int i = 0; i < EDGES; i++)
			if (want[e[i].from] + e[i].weight < want[e[i].to])
				want[e[i].to] = want[e[i].from] + e[i].weight;
	task_s32(t, N);
	task_s32(t, EDGES);
}

static void topological(struct task *t)
{
	enum { N = 180 };
	struct graph *g = make_graph(t, N, 300, true);
	int32_t *want = task_out(t, N, 4), *degree;

	memset(want, 0, N * 4);
	give_lists(t, g);
	degree = task_in(t, N, 4);
	for (int v = 0; v < N; v++)
		for (int w = v + 1; w < N; w++)
			if (g->edge[v][w]) {
				degree[w]++;
				want[w] = want[w] > want[v] + 1 ? want[w] : want[v] + 1;
			}
	task_s32(t, N);
	free(g);
}

static void label_propagation(struct task *t)
{
	enum { N = 220 };
	struct graph *g = make_graph(t, N, 190, false);
	int32_t *want = task_out(t, N, 4);

	for (int v = 0; v < N; v++)
		want[v] = -1;
	for (int root = 0; root < N; root++) {
		int32_t stack[N], top = 0;
		if (want[root] < 0) {
			want[root] = root;
			stack[top++] = root;
		}
		while (top) {
			int v = stack[--top];
			for (int w = 0; w < N; w++)
				if (g->edge[v][w] && want[w] < 0) {
					want[w] = root;
					stack[top++] = w;
				}
		}
	}
	give_lists(t, g);
	task_s32(t, N);
	free(g);
}

static void page_rank(struct task *t)
{
	enum { N = 230 };
	struct graph *g = make_graph(t, N, 500, false);
	uint32_t *want = task_out(t, N, 4), *rank = task_in(t, N, 4), *degree;

	give_lists(t, g);
	degree = task_in(t, N, 4);
	for (int v = 0; v < N; v++) {
		rank[v] = 40000 + task_below(t, 1u << 20);
		degree[v] = v % 17 ? (uint32_t)(g->row[v + 1] - g->row[v]) : 0;
	}
	for (int v = 0; v < N; v++) {
		uint64_t sum = 0;
		for (int w = 0; w < N; w++)
			if (g->edge[v][w] && degree[w])
				sum += rank[w] / degree[w];
		want[v] = (uint32_t)((sum * 55705 + (uint64_t)9830 * 65536) / 65536);
	}
	task_s32(t, N);
	free(g);
}

static void dijkstra(struct task *t)
{
	enum { N = 60, FAR = 0xffffff };
	uint32_t *want = task_out(t, t->groups[0] * N, 4), *weight = task_in(t, t->groups[0] * N * N, 4);

	for (unsigned i = 0; i < t->groups[0] * N * N; i++)
		weight[i] = task_below(t, 12) ? 0 : 1 + task_below(t, 500);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		uint32_t *d = want + g * N, *w = weight + g * N * N;
		for (int v = 0; v < N; v++)
			d[v] = v ? FAR : 0;
		for (int round = 0; round < N; round++)
			for (int a = 0; a < N; a++)
				for (int b = 0; b < N; b++)
					if (w[a * N + b] && d[a] < FAR && d[a] + w[a * N + b] < d[b])
						d[b] = d[a] + w[a * N + b];
	}
}

static void triangles(struct task *t)
{
	enum { N = 60 };
	struct graph *g = make_graph(t, N, 400, false);
	uint32_t *total;
	int32_t *edges, count = 0, n = (int32_t)t->items - 3;

	task_inout(t, 1, 4, &total);
	give_lists(t, g);
	edges = task_in(t, 2 * (size_t)n, 4);
	for (int v = 0; v < N; v++)
		for (int w = v + 1; w < N; w++)
			if (g->edge[v][w] && count < n) {
				edges[2 * count] = v;
				edges[2 * count++ + 1] = w;
				for (int x = 0; x < N; x++)
					*total += g->edge[v][x] && g->edge[w][x];
			}
	task_s32(t, count);
	free(g);
}

static void colouring(struct task *t)
{
	int n = (int)t->local[0] - 5;
	struct graph *g = make_graph(t, n, 3 * n, false);
	int32_t *want = task_out(t, (size_t)n, 4), order[128];
	uint32_t *priority;

	give_lists(t, g);
	priority = task_in(t, (size_t)n, 4);
	for (int v = 0; v < n; v++) {
		order[v] = v;
		priority[v] = (task_random(t) << 8) + (uint32_t)v;
	}
	for (int i = 0; i < n; i++)     /* highest priority first */
		for (int k = i + 1; k < n; k++)
			if (priority[order[k]] > priority[order[i]]) {
				int32_t swapped = order[i];
				order[i] = order[k];
				order[k] = swapped;
			}
	for (int i = 0; i < n; i++) {
		int v = order[i], colour = 0;
		for (int k = 0; k < i; k++)
			if (g->edge[v][order[k]] && want[order[k]] == colour) {
				colour++;
				k = -1;
			}
		want[v] = colour;
	}
	task_s32(t, n);
	free(g);
}

#define ONE_GROUP { LINE(1, 64), LINE(1, 100), LINE(1, 256) }

const struct textbook graph_kernels[] = {
	{ "bfs_block", bfs_block, ONE_GROUP },
	{ "floyd_warshall", floyd_warshall, { LINE(2, 32), LINE(1, 100), LINE(1, 192) } },
	{ "bellman_ford", bellman_ford, ONE_GROUP },
	{ "topological", topological, ONE_GROUP },
	{ "label_propagation", label_propagation, ONE_GROUP },
	{ "page_rank", page_rank, { LINE(3, 64), LINE(2, 100), LINE(1, 256) } },
	{ "dijkstra", dijkstra, { LINE(2, 32), LINE(1, 50), LINE(1, 128) } },
	{ "triangles", triangles, { LINE(3, 64), LINE(2, 100), LINE(1, 256) } },
	{ "colouring", colouring, { LINE(1, 64), LINE(1, 100), LINE(1, 128) } },
	{ NULL, NULL, { LINE(0, 0) } },
};
