/* A build without MPI: there are no others, and copies of a sweep that mpirun starts must not all do everything. */
#include "frontends/cli/sweep.h"

enum wb_status team_open(struct team *t, const struct crew *c)
{
	*t = (struct team){.size = 1};
	if (team_wanted())
		return complain(WB_ENV, "started by mpirun, but built without MPI (package libopenmpi-dev)");
	return WB_OK;
}

void team_serve(struct team *t, struct sweep *s)
{
}

void team_work(struct crew *c)
{
}

void team_close(struct team *t)
{
}
