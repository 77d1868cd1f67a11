/* What the libraries of an interface share. */
#include "frontends/runtime/runtime.h"

CALL struct shared *warpbeam_runtime_shared(void)
{
	static struct shared shared = {
		.lock = PTHREAD_MUTEX_INITIALIZER, .registry_lock = PTHREAD_MUTEX_INITIALIZER,
		.limits = { 1024, 1 << 20, 8 << 20, 2, 2048, 128, 0 },
		.stream_lock = PTHREAD_MUTEX_INITIALIZER, .graph_lock = PTHREAD_MUTEX_INITIALIZER,
	};

	return &shared;
}
