/* A page has no kernels of AMD's driver of OpenCL 1.2 (core/isa/gcn/driver.c). */
#include "core/image.h"
#include "core/isa/gcn/launch.h"

const char *gcn_driver_refusal(const struct image_kernel *k)
{
	for (size_t i = 0; i < k->nhidden; i++)
		if (gcn_is_sgprs(&k->hidden[i]))
			return "is AMD's OpenCL 1.2, which pages do not run";
	return NULL;
}

bool gcn_driver_tables(struct gcn_launch *l, const struct isa_launch *to, struct diag *d)
{
	return true;
}

void gcn_driver_sgprs(struct gcn_launch *l, const struct image_kernel *k)
{
}
