/* Functions for all loaders, below them. */
#include "core/load/loader.h"

const char *load_target(unsigned sm)
{
	static const char *const targets[] = { "sm_10", "sm_11", "sm_12", "sm_13" };
	return sm >= 10 && sm <= 13 ? targets[sm - 10] : NULL;
}

bool load_no_memory(struct load *l)
{
	return diag_set(l->diag, DIAG_ENV, "no memory to load a program of %zu bytes", l->size);
}
