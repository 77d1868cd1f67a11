/* A build without MPI: there is one rank, and copies of a sweep that mpirun starts must not each run every point. */
#include "frontends/cli/sweep.h"

enum wb_status ranks_open(struct ranks *t, const struct worker_pool *c)
{
	*t = (struct ranks){.size = 1};
	if (ranks_wanted())
		return complain(WB_ENV, "started by mpirun, but built without MPI (package libopenmpi-dev)");
	return WB_OK;
}

void ranks_serve(struct ranks *t, struct sweep *s)
{
}

void ranks_work(struct worker_pool *c)
{
}

void ranks_close(struct ranks *t)
{
}
