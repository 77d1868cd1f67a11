/* Sweeps over several machines. Rank 0 assigns points to every worker of every rank and collects the rows; the other
 * ranks forward between it and their workers. A message to rank 0 is a worker's row, or empty from one that has not had
 * a point yet; each is answered with the worker's next point, or NO_POINT. No rank blocks in MPI, which would keep a
 * processor busy. MPI is a module, loaded where mpirun has started several ranks. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/beside.h"
#include "frontends/cli/sweep.h"
#include "frontends/cli/transport.h"

enum { TAG_REQUEST = 1, TAG_POINT };

static const unsigned long NO_POINT = ULONG_MAX;

struct order {
	unsigned long worker, point;
};

enum wb_status ranks_open(struct ranks *t, const struct worker_pool *c)
{
	struct wb_diag d;
	bool same;
	_Static_assert(sizeof c->plan->whole_hash <= AGREED_MAX, "a hash fits into an agreement");

	*t = (struct ranks){.size = 1};
	if (!ranks_wanted())
		return WB_OK;
	const struct transport *mpi = module_load("frontends/cli", TRANSPORT_MODULE, "transport_mpi", &d);
	if (!mpi)
		return complain(WB_ENV, "started by mpirun, but without MPI here (%s; a build needs libopenmpi-dev)",
				d.text);
	if (!mpi->open(&t->rank, &t->size))
		return complain(WB_ENV, "MPI does not start");
	t->transport = mpi;
	bool all = mpi->agree(c->plan->whole_hash, sizeof c->plan->whole_hash, &same, t->rank ? c->n : 0, &t->remote);
	if (all)
		return WB_OK;
	t->remote = 0;
	if (!same)
		complain(WB_INPUT, "%s: not the plan, program or options that rank 0 has", c->plan->path);
	return WB_INPUT;
}

/* A message: the worker's number, then its row. */
static json_t *receive_request(const struct ranks *t, int source, int size, unsigned long *worker)
{
	char *bytes = grow(NULL, (size_t)size);
	t->transport->receive(bytes, size, source, TAG_REQUEST);
	memcpy(worker, bytes, sizeof *worker);
	json_t *row = json_loadb(bytes + sizeof *worker, (size_t)size - sizeof *worker, 0, NULL);
	free(bytes);
	return row;
}

void ranks_serve(struct ranks *t, struct sweep *s)
{
	int from, size;
	while (t->remote && (from = -1, size = t->transport->arrived(&from, TAG_REQUEST)) >= 0) {
		struct order order = {.point = NO_POINT};
		json_t *row = receive_request(t, from, size, &order.worker);
		if (row && s)
			sweep_add_row(s, row);
		else
			json_decref(row);
		if (!s || !sweep_next(s, &order.point)) {
			order.point = NO_POINT;
			t->remote--;
		}
		t->transport->send(&order, sizeof order, from, TAG_POINT);
	}
}

/* row: taken; NULL from a worker that begins. */
static void send_request(const struct ranks *t, unsigned long worker, json_t *row)
{
	char *text = row ? json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL, *bytes;
	size_t n = text ? strlen(text) : 0;
	bytes = grow(NULL, sizeof worker + n);
	memcpy(bytes, &worker, sizeof worker);
	if (n)
		memcpy(bytes + sizeof worker, text, n);
	t->transport->send(bytes, (int)(sizeof worker + n), 0, TAG_REQUEST);
	free(bytes);
	free(text);
	json_decref(row);
}

void ranks_work(const struct ranks *t, struct worker_pool *c)
{
	unsigned remaining = c->n;
	for (unsigned i = 0; i < c->n; i++)
		send_request(t, i, NULL);
	while (remaining) {
		struct order order;
		unsigned worker;
		int from = 0;
		json_t *row = pool_wait(c, 1, &worker);
		if (row)
			send_request(t, worker, row);
		if (t->transport->arrived(&from, TAG_POINT) < 0)
			continue;
		t->transport->receive(&order, sizeof order, 0, TAG_POINT);
		if (order.point == NO_POINT)
			remaining--;
		else
			pool_assign(c, (unsigned)order.worker, order.point);
	}
}

void ranks_close(struct ranks *t)
{
	while (t->rank == 0 && t->remote) {
		ranks_serve(t, NULL);
		usleep(1000);
	}
	if (t->transport)
		t->transport->close();
}
