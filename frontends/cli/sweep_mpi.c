/* Sweeps over several machines. Rank 0 assigns points to every worker of every rank and collects the rows; the other
 * ranks forward between it and their workers. A message to rank 0 is a worker's row, or empty from one that has not had
 * a point yet; each is answered with the worker's next point, or NO_POINT. No rank blocks in MPI, which would keep a
 * processor busy. */
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/sweep.h"

enum { TAG_REQUEST = 1, TAG_POINT };

static const unsigned long NO_POINT = ULONG_MAX;

struct order {
	unsigned long worker, point;
};

enum wb_status ranks_open(struct ranks *t, const struct worker_pool *c)
{
	char first[sizeof c->plan->whole_hash];
	*t = (struct ranks){.size = 1};
	if (!ranks_wanted())
		return WB_OK;
	if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
		return complain(WB_ENV, "MPI does not start");
	MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &t->size);
	memcpy(first, c->plan->whole_hash, sizeof first);
	MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
	int same = !memcmp(first, c->plan->whole_hash, sizeof first), all = 0;
	unsigned mine = t->rank ? c->n : 0;
	MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	MPI_Allreduce(&mine, &t->remote, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
	if (all)
		return WB_OK;
	t->remote = 0;
	if (!same)
		complain(WB_INPUT, "%s: not the plan, program or options that rank 0 has", c->plan->path);
	return WB_INPUT;
}

/* A message: the worker's number, then its row. */
static json_t *receive_request(int source, int size, unsigned long *worker)
{
	char *bytes = grow(NULL, (size_t)size);
	MPI_Recv(bytes, size, MPI_CHAR, source, TAG_REQUEST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	memcpy(worker, bytes, sizeof *worker);
	json_t *row = json_loadb(bytes + sizeof *worker, (size_t)size - sizeof *worker, 0, NULL);
	free(bytes);
	return row;
}

void ranks_serve(struct ranks *t, struct sweep *s)
{
	int waiting = 0, size;
	MPI_Status from;
	while (t->remote && !MPI_Iprobe(MPI_ANY_SOURCE, TAG_REQUEST, MPI_COMM_WORLD, &waiting, &from) && waiting) {
		struct order order = {.point = NO_POINT};
		MPI_Get_count(&from, MPI_CHAR, &size);
		json_t *row = receive_request(from.MPI_SOURCE, size, &order.worker);
		if (row && s)
			sweep_add_row(s, row);
		else
			json_decref(row);
		if (!s || !sweep_next(s, &order.point)) {
			order.point = NO_POINT;
			t->remote--;
		}
		MPI_Send(&order, sizeof order, MPI_CHAR, from.MPI_SOURCE, TAG_POINT, MPI_COMM_WORLD);
	}
}

/* row: taken; NULL from a worker that begins. */
static void send_request(unsigned long worker, json_t *row)
{
	char *text = row ? json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL, *bytes;
	size_t n = text ? strlen(text) : 0;
	bytes = grow(NULL, sizeof worker + n);
	memcpy(bytes, &worker, sizeof worker);
	if (n)
		memcpy(bytes + sizeof worker, text, n);
	MPI_Send(bytes, (int)(sizeof worker + n), MPI_CHAR, 0, TAG_REQUEST, MPI_COMM_WORLD);
	free(bytes);
	free(text);
	json_decref(row);
}

void ranks_work(struct worker_pool *c)
{
	unsigned left = c->n;
	for (unsigned i = 0; i < c->n; i++)
		send_request(i, NULL);
	while (left) {
		struct order order;
		unsigned worker;
		int waiting = 0;
		json_t *row = pool_wait(c, 1, &worker);
		if (row)
			send_request(worker, row);
		MPI_Iprobe(0, TAG_POINT, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE);
		if (!waiting)
			continue;
		MPI_Recv(&order, sizeof order, MPI_CHAR, 0, TAG_POINT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (order.point == NO_POINT)
			left--;
		else
			pool_assign(c, (unsigned)order.worker, order.point);
	}
}

void ranks_close(struct ranks *t)
{
	int started = 0;
	while (t->rank == 0 && t->remote) {
		ranks_serve(t, NULL);
		usleep(1000);
	}
	MPI_Initialized(&started);
	if (started)
		MPI_Finalize();
}
