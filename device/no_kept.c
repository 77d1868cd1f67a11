/* Nothing is kept in a page, where no program launches kernels. */
#include "device/kept.h"

bool kept_add(struct wb_launch *l)
{
	(void)l;
	return false;
}

struct wb_launch *kept_take(struct wb_device *v, const struct wb_prepared *k, const struct wb_launch_size *size)
{
	(void)v;
	(void)k;
	(void)size;
	return NULL;
}

void kept_free(struct wb_device *v)
{
	(void)v;
}
